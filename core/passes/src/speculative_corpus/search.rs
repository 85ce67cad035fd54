//! Which guesses fit an application: for each combination of guesses, how many shaders of its pipelines are hits.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::guessed_layout::{GuessedStage, Side, stages_of};
use crate::liveness::Stages;
use crate::table::{Cell, Column, Meaning, Table};
use lanescope_base::ids::Hash64;
use lanescope_model::options::{GuessedColor, KeyRule, Options};
use lanescope_model::program::Program;

/// What a driver may guess for an application as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Guess {
    /// All uniform buffers are dynamic.
    pub dynamic_uniform: bool,
    /// All storage buffers are dynamic.
    pub dynamic_storage: bool,
    /// Color attachments have 8 bits per component, rather than being as wide as the outputs.
    pub unorm8: bool,
}

impl Guess {
    /// Every combination.
    pub fn all() -> impl Iterator<Item = Guess> {
        (0u8..8).map(|bits| Guess {
            dynamic_uniform: bits & 1 != 0,
            dynamic_storage: bits & 2 != 0,
            unorm8: bits & 4 != 0,
        })
    }

    /// Options with this guess.
    pub fn of(self, options: &Options) -> Options {
        let Guess { dynamic_uniform, dynamic_storage, unorm8 } = self;
        let guessed_color = if unorm8 { GuessedColor::Unorm8 } else { GuessedColor::Widest };
        Options { dynamic_uniform, dynamic_storage, guessed_color, ..options.clone() }
    }

    /// The flags that choose it; empty for the default.
    pub fn flags(self) -> String {
        let flags = [
            (self.dynamic_uniform, "--dynamic-uniform"),
            (self.dynamic_storage, "--dynamic-storage"),
            (self.unorm8, "--guessed-color unorm8"),
        ];
        flags.iter().filter(|(on, _)| *on).map(|(_, flag)| *flag).collect::<Vec<_>>().join(" ")
    }
}

/// What one combination achieves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tally {
    /// The combination.
    pub guess: Guess,
    /// Fragment and compute shaders of pipelines.
    pub stages: u64,
    /// Those for which a layout is guessed: each is compiled speculatively, once for each key.
    pub guessed: u64,
    /// Guesses that fit the pipeline.
    pub hits: u64,
    /// Hits that a driver can use by the design note.
    pub usable: u64,
    /// The keys of the guesses, each once.
    pub keys: BTreeSet<Hash64>,
    /// The keys that served a pipeline.
    pub served: BTreeSet<Hash64>,
}

impl Tally {
    fn of(guess: Guess) -> Tally {
        let keys = BTreeSet::new();
        Tally { guess, stages: 0, guessed: 0, hits: 0, usable: 0, served: keys.clone(), keys }
    }

    fn take(&mut self, stage: &GuessedStage) {
        if stage.stage.is_ray_tracing() {
            return;
        }
        self.stages += 1;
        if !stage.ineligible.is_empty() {
            return;
        }
        self.guessed += 1;
        let key = stage.keys.iter().find(|key| key.rule == KeyRule::Note).map(|key| key.hash);
        self.keys.extend(key);
        if let Some(against) = stage.against.as_ref().filter(|against| against.hit) {
            self.hits += 1;
            self.usable += u64::from(against.usable);
            self.served.extend(key);
        }
    }

    /// Speculative compiles that serve no pipeline.
    pub fn wasted(&self) -> usize {
        self.keys.len() - self.served.len()
    }

    fn add(&mut self, other: &Tally) {
        self.stages += other.stages;
        self.guessed += other.guessed;
        self.hits += other.hits;
        self.usable += other.usable;
        self.keys.extend(&other.keys);
        self.served.extend(&other.served);
    }
}

/// What each combination achieves for one program. None without a description of its pipeline: what an application binds, and
/// what it draws to, is not in its shaders.
pub fn tallies(program: &Program, options: &Options) -> Option<Vec<Tally>> {
    let side = Side::of(program);
    if !matches!(side, Side::Described(..)) {
        return None;
    }
    let live = Stages::of(program);
    let tally = |guess: Guess| {
        let mut out = Tally::of(guess);
        let stages = stages_of(program, &live, &guess.of(options), side, &mut Vec::new());
        stages.iter().for_each(|stage| out.take(stage));
        out
    };
    Some(Guess::all().map(tally).collect())
}

/// An application with its combinations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Searched {
    /// Its database; empty for all other descriptions of pipelines together.
    pub application: String,
    /// The combinations: most usable hits first, then most hits, then fewest wasted compiles, then as few guesses as possible.
    pub guesses: Vec<Tally>,
}

/// Sums of tallies by application.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Search {
    by_application: BTreeMap<String, BTreeMap<Guess, Tally>>,
}

impl Search {
    /// Adds a pipeline of an application.
    pub fn add(&mut self, application: &str, tallies: &[Tally]) {
        let sums = self.by_application.entry(application.to_owned()).or_default();
        for tally in tallies {
            sums.entry(tally.guess).or_insert_with(|| Tally::of(tally.guess)).add(tally);
        }
    }

    /// The applications by name, each with its best combination first.
    pub fn done(self) -> Vec<Searched> {
        let ranked = |guesses: BTreeMap<Guess, Tally>| {
            let mut out: Vec<Tally> = guesses.into_values().collect();
            out.sort_by_key(|tally| {
                let Guess { dynamic_uniform, dynamic_storage, unorm8 } = tally.guess;
                let assumed = [dynamic_uniform, dynamic_storage, unorm8].iter().filter(|on| **on).count();
                (u64::MAX - tally.usable, u64::MAX - tally.hits, tally.wasted(), assumed)
            });
            out
        };
        let searched = |(application, guesses)| Searched { application, guesses: ranked(guesses) };
        self.by_application.into_iter().map(searched).collect()
    }
}

/// The combinations of one application. Those that achieve the same as the one above are left out.
pub fn search_table(searched: &Searched) -> Table {
    let mut out = Table::new([
        Column::left("guess"),
        Column::right("shaders"),
        Column::right("hits"),
        Column::right("usable"),
        Column::right("compiles"),
        Column::right("wasted"),
    ]);
    let figures = |tally: &Tally| (tally.hits, tally.usable, tally.keys.len(), tally.wasted());
    let mut before = None;
    for (at, tally) in searched.guesses.iter().enumerate() {
        if before.replace(figures(tally)) == Some(figures(tally)) {
            continue;
        }
        let flags = tally.guess.flags();
        let name = if flags.is_empty() { "default".to_owned() } else { flags };
        let best = if at == 0 { Meaning::Good } else { Meaning::Plain };
        out.row([
            Cell::code(name).meaning(best),
            tally.stages.to_string().into(),
            tally.hits.to_string().into(),
            Cell::from(tally.usable.to_string()).meaning(best),
            tally.keys.len().to_string().into(),
            tally.wasted().to_string().into(),
        ]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_base::ids::Hex;

    fn tally(guess: Guess, hits: u64, usable: u64, keys: [u64; 2], served: u64) -> Tally {
        Tally {
            guess,
            stages: 2,
            guessed: 2,
            hits,
            usable,
            keys: keys.map(Hex).into(),
            served: (0..served).map(|at| Hex(keys[at as usize])).collect(),
        }
    }

    #[test]
    fn the_best_guess_of_each_application_is_first() {
        let all: Vec<Guess> = Guess::all().collect();
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 8);
        assert_eq!(all[7].flags(), "--dynamic-uniform --dynamic-storage --guessed-color unorm8");
        let mut search = Search::default();
        // Two pipelines with one shader in common.
        for keys in [[1, 2], [1, 3]] {
            search.add(
                "a.foz",
                &[tally(all[0], 1, 1, keys, 1), tally(all[4], 2, 1, keys, 2), tally(all[5], 2, 1, keys, 2)],
            );
        }
        search.add("b.foz", &[tally(all[0], 2, 2, [7, 8], 2), tally(all[4], 0, 0, [7, 8], 0)]);
        let done = search.done();
        let names: Vec<&str> = done.iter().map(|one| one.application.as_str()).collect();
        assert_eq!(names, ["a.foz", "b.foz"]);
        let [best, second, last] = &done[0].guesses[..] else { panic!("three combinations") };
        assert_eq!((best.guess, best.hits, best.keys.len(), best.wasted()), (all[4], 4, 3, 0));
        assert_eq!((second.guess, last.guess, last.wasted()), (all[5], all[0], 2));
        assert_eq!(done[1].guesses[0].guess.flags(), "");
        // The second combination achieves the same as the first.
        assert_eq!(search_table(&done[0]).rows.len(), 2);
    }
}
