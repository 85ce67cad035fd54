//! What guesses achieve over all pipelines of a database, without a driver.

use lanescope_core::driver::speculative::corpus::{Searched, Timeline, Variants};
use lanescope_core::dxil_tables::Section;
use lanescope_core::guess_tables::{caches_section, guesses_section, maps_section};
use lanescope_core::ids::Hash64;
use lanescope_core::options::Options;
use lanescope_core::report::Report;

/// What is asked: another question has another answer.
#[derive(Debug, Clone, PartialEq)]
pub struct SurveyQuestion {
    /// The hashes of the databases.
    pub files: Vec<Hash64>,
    /// How layouts are guessed, in options that leave everything else to the pipelines.
    pub guess: Options,
}

impl SurveyQuestion {
    /// The question that a report asks.
    pub fn of(report: &Report) -> SurveyQuestion {
        let own = &report.options;
        let guess = Options {
            target: own.target,
            auto_layout: own.auto_layout,
            guessed_color: own.guessed_color,
            dynamic_uniform: own.dynamic_uniform,
            dynamic_storage: own.dynamic_storage,
            ..Options::default()
        };
        SurveyQuestion { files: report.inputs.iter().map(|input| input.hash).collect(), guess }
    }
}

/// What guesses achieve over all pipelines of databases.
#[derive(Debug, Clone, PartialEq)]
pub struct GuessSurvey {
    /// What was asked.
    pub question: SurveyQuestion,
    /// What each combination of guesses achieves, by database.
    pub searched: Vec<Searched>,
    /// What serves the shaders in the order of the pipelines, by database.
    pub timelines: Vec<Timeline>,
    /// The stages before the rasterizer with their location maps.
    pub variants: Vec<Variants>,
    /// Pipelines that could not be read, with the reason.
    pub failures: Vec<String>,
    /// Time from asking to having, in milliseconds.
    pub milliseconds: u64,
}

impl GuessSurvey {
    /// The parts, as facts and tables: guesses, caches, location maps.
    pub fn sections(&self) -> [Section; 3] {
        [guesses_section(&self.searched), caches_section(&self.timelines), maps_section(&self.variants)]
    }
}
