//! What a driver finds in its caches while an application creates its pipelines, one after another.
//!
//! ```text
//! shader of a pipeline ──▶ cache per stage ──miss──▶ cache of guesses ──miss──▶ full compile
//! ```
//!
//! The caches begin empty, hold everything, and the speculative compile of a module is done before its pipeline is created.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::guessed_layout::{GuessedStage, Key, Side, stages_of};
use crate::liveness::Stages;
use crate::table::{Column, Table};
use lanescope_base::ids::Hash64;
use lanescope_model::options::{KeyRule, Options};
use lanescope_model::program::{Program, StageKind};

/// Parts that the pipelines of an application are divided into, at most.
const SPANS: usize = 8;

/// The keys that a fragment or compute shader of a pipeline is looked up by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Lookup {
    /// The stage.
    pub stage: StageKind,
    /// Its key with the pipeline's layout and state, by what LLPC hashes today for one stage.
    pub own: Hash64,
    /// The key of the guess, by the design note's rule. Absent where no layout is guessed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub guess: Option<Hash64>,
    /// The guess fits the pipeline, and the note says how it is used.
    pub fits: bool,
}

impl Lookup {
    fn of(stage: &GuessedStage) -> Option<Lookup> {
        let against = stage.against.as_ref().filter(|_| !stage.stage.is_ray_tracing())?;
        let key = |keys: &[Key], rule: KeyRule| keys.iter().find(|key| key.rule == rule).map(|key| key.hash);
        let guess = key(&stage.keys, KeyRule::Note).filter(|_| stage.ineligible.is_empty());
        let fits = guess.is_some() && against.usable;
        Some(Lookup { stage: stage.stage, own: key(&against.keys, KeyRule::Llpc)?, guess, fits })
    }
}

/// The lookups of a program's shaders. None without a description of its pipeline: what an application binds, and what it
/// draws to, is not in its shaders.
pub fn lookups(program: &Program, options: &Options) -> Option<Vec<Lookup>> {
    let side = Side::of(program);
    if !matches!(side, Side::Described(..)) {
        return None;
    }
    let stages = stages_of(program, &Stages::of(program), options, side, &mut Vec::new());
    Some(stages.iter().filter_map(Lookup::of).collect())
}

/// Pipelines that are created one after another, and what serves their shaders.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Span {
    /// The number of the first pipeline, from 1 on.
    pub first: u64,
    /// The number of the last one.
    pub last: u64,
    /// Fragment and compute shaders of these pipelines.
    pub shaders: u64,
    /// Shaders that the cache per stage serves: an earlier pipeline had the same shader with the same layout and state.
    pub per_stage: u64,
    /// Shaders that a guess serves: its user data mapping is rewritten.
    pub guessed: u64,
    /// Shaders that are compiled while the application waits.
    pub compiled: u64,
    /// Speculative compiles: guesses that were not compiled before.
    pub speculative: u64,
    /// Guesses that have served no pipeline by the end of the last one, of all that were compiled until then.
    pub unused: u64,
}

/// The pipelines of an application, in their order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Timeline {
    /// Its database; empty for all other descriptions of pipelines together.
    pub application: String,
    /// Parts of the pipelines, about equally long.
    pub spans: Vec<Span>,
    /// All of them.
    pub all: Span,
}

/// Lookups of pipelines by application.
#[derive(Debug, Clone, Default)]
pub struct Timelines {
    by_application: BTreeMap<String, Vec<Vec<Lookup>>>,
}

impl Timelines {
    /// Adds the next pipeline of an application.
    pub fn add(&mut self, application: &str, lookups: Vec<Lookup>) {
        self.by_application.entry(application.to_owned()).or_default().push(lookups);
    }

    /// The applications by name.
    pub fn done(self) -> Vec<Timeline> {
        self.by_application.into_iter().map(|(name, pipelines)| timeline(name, &pipelines)).collect()
    }
}

/// The caches of a driver.
#[derive(Default)]
struct Caches {
    stages: BTreeSet<Hash64>,
    guesses: BTreeSet<Hash64>,
    served: BTreeSet<Hash64>,
}

impl Caches {
    fn take(&mut self, lookup: &Lookup, span: &mut Span) {
        span.shaders += 1;
        // Creating the module.
        span.speculative += u64::from(lookup.guess.is_some_and(|guess| self.guesses.insert(guess)));
        // Creating the pipeline.
        if !self.stages.insert(lookup.own) {
            span.per_stage += 1;
        } else if let Some(guess) = lookup.guess.filter(|_| lookup.fits) {
            span.guessed += 1;
            self.served.insert(guess);
        } else {
            span.compiled += 1;
        }
    }

    fn unused(&self) -> u64 {
        (self.guesses.len() - self.served.len()) as u64
    }
}

fn timeline(application: String, pipelines: &[Vec<Lookup>]) -> Timeline {
    let mut caches = Caches::default();
    let mut spans = Vec::new();
    let mut number = 0;
    for part in pipelines.chunks(pipelines.len().div_ceil(SPANS).max(1)) {
        let mut span = Span { first: number + 1, last: number + part.len() as u64, ..Span::default() };
        part.iter().flatten().for_each(|lookup| caches.take(lookup, &mut span));
        span.unused = caches.unused();
        number = span.last;
        spans.push(span);
    }
    let sum = |of: fn(&Span) -> u64| spans.iter().map(of).sum();
    let all = Span {
        first: 1.min(number),
        last: number,
        shaders: sum(|span| span.shaders),
        per_stage: sum(|span| span.per_stage),
        guessed: sum(|span| span.guessed),
        compiled: sum(|span| span.compiled),
        speculative: sum(|span| span.speculative),
        unused: caches.unused(),
    };
    Timeline { application, spans, all }
}

/// The parts of a timeline, and their sums where there are several.
pub fn timeline_table(timeline: &Timeline) -> Table {
    let mut out = Table::new([
        Column::left("pipelines"),
        Column::right("shaders"),
        Column::right("per stage"),
        Column::right("guessed"),
        Column::right("compiled"),
        Column::right("speculative"),
        Column::right("unused"),
    ]);
    let mut row = |name: String, span: &Span| {
        let Span { shaders, per_stage, guessed, compiled, speculative, unused, .. } = *span;
        let counts = [shaders, per_stage, guessed, compiled, speculative, unused];
        out.row([name.into()].into_iter().chain(counts.map(|count| count.to_string().into())));
    };
    for span in &timeline.spans {
        let name =
            if span.first == span.last { span.first.to_string() } else { format!("{}–{}", span.first, span.last) };
        row(name, span);
    }
    if timeline.spans.len() > 1 {
        row("all".to_owned(), &timeline.all);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_base::ids::Hex;

    fn lookup(own: u64, guess: u64, fits: bool) -> Lookup {
        let guess = (guess > 0).then_some(Hex(guess));
        Lookup { stage: StageKind::Fragment, own: Hex(own), guess, fits }
    }

    fn counts(span: &Span) -> [u64; 6] {
        [span.shaders, span.per_stage, span.guessed, span.compiled, span.speculative, span.unused]
    }

    #[test]
    fn caches_are_asked_in_their_order() {
        let mut all = Timelines::default();
        // A guess that fits, the same pipeline again, the same shader with another root, with a layout that does not fit,
        // and a shader without a guess.
        let pipelines = [(1, 7, true), (1, 7, true), (2, 7, true), (3, 7, false), (4, 0, false), (5, 8, false)];
        for (own, guess, fits) in pipelines {
            all.add("a.foz", vec![lookup(own, guess, fits)]);
        }
        let done = all.done();
        let [timeline] = &done[..] else { panic!("one application") };
        let spans: Vec<_> = timeline.spans.iter().map(counts).collect();
        assert_eq!(
            spans,
            [
                [1, 0, 1, 0, 1, 0],
                [1, 1, 0, 0, 0, 0],
                [1, 0, 1, 0, 0, 0],
                [1, 0, 0, 1, 0, 0],
                [1, 0, 0, 1, 0, 0],
                [1, 0, 0, 1, 1, 1],
            ]
        );
        assert_eq!(counts(&timeline.all), [6, 1, 2, 3, 2, 1]);
        assert_eq!(timeline_table(timeline).rows.len(), 7);
    }

    #[test]
    fn many_pipelines_are_divided_into_parts() {
        let mut all = Timelines::default();
        (0..17).for_each(|at| all.add("", vec![lookup(at, at + 1, true), lookup(100, 200, true)]));
        let done = all.done();
        let timeline = &done[0];
        let ends: Vec<_> = timeline.spans.iter().map(|span| (span.first, span.last)).collect();
        assert_eq!(ends, [(1, 3), (4, 6), (7, 9), (10, 12), (13, 15), (16, 17)]);
        assert_eq!(counts(&timeline.all), [34, 16, 18, 0, 18, 0]);
        assert!(Timelines::default().done().is_empty());
    }
}
