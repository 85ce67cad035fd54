//! The samples of the gallery, as they are read.

use lanescope_core::report::Report;

use lanescope_host::samples::{Group, Sample};

/// The samples.
#[derive(Debug, Default)]
pub struct Samples {
    /// The groups, in the order of the page.
    pub groups: Vec<Heading>,
    /// Their samples, one group after the other.
    pub cards: Vec<Card>,
    /// Why there are no samples.
    pub missing: Option<String>,
}

/// A group of samples.
#[derive(Debug)]
pub struct Heading {
    /// Its title.
    pub title: String,
    /// How its pictures are read.
    pub about: &'static str,
    /// Number of its samples.
    pub cards: usize,
}

/// A sample.
#[derive(Debug)]
pub struct Card {
    /// Its files.
    pub sample: Sample,
    /// Its report, once it is read.
    pub state: CardState,
}

/// How far a sample is read.
#[derive(Debug)]
pub enum CardState {
    /// It is being read.
    Waiting,
    /// Its report.
    Read(Box<Report>),
    /// Why it did not load.
    Failed(String),
}

/// A sample's report, or why there is none.
pub type CardResult = Result<Box<Report>, String>;

impl Samples {
    /// Takes the list of samples; their reports follow.
    pub fn set_groups(&mut self, samples: Result<Vec<Group>, String>) {
        match samples {
            Ok(groups) => {
                let heading = |group: &Group| {
                    let (title, about, cards) = (group.title.clone(), group.about, group.samples.len());
                    Heading { title, about, cards }
                };
                self.groups = groups.iter().map(heading).collect();
                let samples = groups.into_iter().flat_map(|group| group.samples);
                self.cards = samples.map(|sample| Card { sample, state: CardState::Waiting }).collect();
                self.missing = self.cards.is_empty().then(|| "The samples folder is empty.".to_owned());
            }
            Err(why) => self.missing = Some(why),
        }
    }

    /// Takes the report of a sample.
    pub fn set_card(&mut self, index: usize, result: CardResult) {
        if let Some(card) = self.cards.get_mut(index) {
            card.state = match result {
                Ok(report) => CardState::Read(report),
                Err(why) => CardState::Failed(why),
            };
        }
    }

    /// The samples, each with its group's title.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Sample)> {
        let titles = self.groups.iter().flat_map(|group| std::iter::repeat_n(group.title.as_str(), group.cards));
        titles.zip(self.cards.iter().map(|card| &card.sample))
    }

    /// The samples that are not read yet, each with its place.
    pub fn waiting(&self) -> Vec<(usize, Sample)> {
        let waiting = self.cards.iter().enumerate().filter(|(_, card)| matches!(card.state, CardState::Waiting));
        waiting.map(|(index, card)| (index, card.sample.clone())).collect()
    }
}
