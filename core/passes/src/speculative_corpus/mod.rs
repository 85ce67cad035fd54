//! The shader cache of an application, over many pipelines: the figures that show whether speculative compiles are worth it, the
//! guesses that fit it best ([`Search`]), how many location maps its vertex shaders have ([`Variants`]), and which cache serves
//! which shader in the order of its pipelines ([`Timeline`]).

mod search;
mod summary;
mod timeline;
mod variants;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use search::{Guess, Search, Searched, Tally, search_table, tallies};
pub use timeline::{Lookup, Span, Timeline, Timelines, lookups, timeline_table};
pub use variants::{AllVariants, Variant, Variants, variant, variants_table};

use crate::guessed_layout::{Break, BreakKind, GuessedStage};
use crate::speculative::{Form, SpeculativeCompile};
use crate::table::{Cell, Column, Key, Meaning, Table};
use lanescope_base::ids::Hash64;
use lanescope_base::text_format::duration;
use lanescope_model::program::StageKind;

/// The rows as a table: a stage of a pipeline each, which a row selects by its index.
pub fn table(rows: &[Row]) -> Table {
    let times = ["Without", "With", "Worker", "Linked", "Objects", "Binaries", "Bytes"].map(|title| match title {
        "Objects" | "Binaries" => Column::right(title).optional(),
        _ => Column::right(title),
    });
    let columns = ["Pipeline", "Stage", ""].map(Column::left).into_iter().chain(times).chain([Column::left("Breaks")]);
    let mut out = Table::new(columns).with_words();
    for (index, row) in rows.iter().enumerate() {
        let verdict = match (row.hit, row.eligible) {
            (true, _) if row.usable => Cell::of(Meaning::Good, "✔ hit"),
            (true, _) => Cell::of(Meaning::Changed, "✔ hit"),
            (_, true) => Cell::of(Meaning::Changed, "✖ miss"),
            _ => Cell::of(Meaning::Changed, "– no guess"),
        };
        let breaks = match row.broken {
            Some(kind) => kind.words(),
            None if row.hit && !row.usable => "not usable",
            None => "",
        };
        let cells = [
            Cell::code(&row.pipeline),
            Cell::code(format!("{} {}", row.stage, row.entry)).meaning(Meaning::Dimmed),
            verdict,
        ];
        let times = [
            duration(row.without),
            duration(row.with),
            if row.eligible { duration(row.worker) } else { String::new() },
            row.link.map_or_else(String::new, duration),
            row.objects.map_or_else(String::new, duration),
            row.binaries.map_or_else(String::new, duration),
            row.bytes.to_string(),
        ];
        let times = times.into_iter().map(|text| Cell::code(text).meaning(Meaning::Dimmed));
        let breaks = Cell::of(Meaning::Dimmed, breaks).help(row.why.clone().unwrap_or_default());
        out.push(Key::Item(index), cells.into_iter().chain(times).chain([breaks]));
    }
    out
}

/// One stage of one pipeline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Row {
    /// What the pipeline is called: its files, or its database with its hash.
    pub pipeline: String,
    /// The stage.
    pub stage: StageKind,
    /// Its entry point.
    pub entry: String,
    /// A layout was guessed.
    pub eligible: bool,
    /// The key under which it is kept.
    pub key: Hash64,
    /// What is kept.
    pub form: Form,
    /// What was compiled speculatively serves the pipeline.
    pub hit: bool,
    /// The note says how: a hit without gaps.
    pub usable: bool,
    /// What breaks it, the first.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub broken: Option<BreakKind>,
    /// Why it does not serve, or why the note does not say how.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub why: Option<String>,
    /// Nanoseconds that the application waits without speculative compiles.
    pub without: u64,
    /// As above, with a speculative compile.
    pub with: u64,
    /// Nanoseconds that the worker compiled.
    pub worker: u64,
    /// Nanoseconds to link it from libraries; none for compute, or if there are none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub link: Option<u64>,
    /// Nanoseconds to create its stages as shader objects from kept binaries, where the device has them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub objects: Option<u64>,
    /// Nanoseconds to create it from kept pipeline binaries, where the device has them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub binaries: Option<u64>,
    /// Bytes of code that a cache would hold, where the driver reports it; else the size of the driver's pipeline
    /// cache.
    pub bytes: u64,
}

impl Row {
    fn of(pipeline: &str, stage: &GuessedStage, ahead: &SpeculativeCompile) -> Row {
        let broken = stage.against.as_ref().and_then(|against| against.breaks.first());
        Row {
            pipeline: pipeline.to_owned(),
            stage: stage.stage,
            entry: stage.entry.clone(),
            eligible: stage.ineligible.is_empty(),
            key: ahead.key,
            form: ahead.form,
            hit: ahead.hit,
            usable: ahead.usable(),
            broken: broken.map(|broken| broken.kind),
            why: broken.map(Break::message).or_else(|| ahead.why.iter().chain(&ahead.gaps).next().cloned()),
            without: SpeculativeCompile::median(&ahead.without),
            with: SpeculativeCompile::median(&ahead.with),
            worker: SpeculativeCompile::median(&ahead.worker),
            link: ahead.libraries.as_ref().map(|libraries| libraries.link),
            objects: ahead.objects.as_ref().map(|objects| objects.restored),
            binaries: ahead.binaries.as_ref().map(|binaries| binaries.restore.saturating_add(binaries.create)),
            bytes: ahead.code.or(ahead.bytes).map_or(0, |bytes| bytes.0),
        }
    }
}

/// A pipeline that is not part of the sums: a feature is missing, or the compiler crashed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LeftOut {
    /// What the pipeline is called.
    pub pipeline: String,
    /// Why.
    pub why: String,
    /// The driver lacks something, rather than failed.
    pub lacking: bool,
}

/// Every pipeline that was looked at.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rows {
    /// The stages of those that were compiled.
    pub rows: Vec<Row>,
    /// Those that were not.
    pub left_out: Vec<LeftOut>,
    /// How many files or entries could not be read.
    pub unreadable: usize,
    /// What is wrong with databases as such.
    pub damages: usize,
    /// Pipelines without a stage that can be compiled speculatively.
    pub without_stage: usize,
}

impl Rows {
    /// Adds the rows of others.
    pub fn append(&mut self, other: Rows) {
        let Rows { rows, left_out, unreadable, damages, without_stage } = other;
        self.rows.extend(rows);
        self.left_out.extend(left_out);
        self.unreadable += unreadable;
        self.damages += damages;
        self.without_stage += without_stage;
    }

    /// Adds the results of one pipeline: its stages, and what failed. Such a pipeline has no rows, since half of it
    /// would be no measure of the whole.
    pub fn take(&mut self, pipeline: &str, stages: &[GuessedStage], failed: Option<(String, bool)>) {
        if let Some((why, lacking)) = failed {
            self.left_out.push(LeftOut { pipeline: pipeline.to_owned(), why, lacking });
        } else if stages.iter().all(|stage| stage.stage.is_ray_tracing()) {
            self.without_stage += 1;
        } else {
            let compiled = stages.iter().filter_map(|stage| Some((stage, stage.ahead.as_deref()?)));
            self.rows.extend(compiled.map(|(stage, ahead)| Row::of(pipeline, stage, ahead)));
        }
    }
}

/// All of them together.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Summary<'r> {
    /// Stages that could be compiled speculatively.
    pub stages: usize,
    /// Those for which a layout was guessed.
    pub eligible: usize,
    /// Those whose pipeline was served.
    pub hits: usize,
    /// Those of them of which the note says how.
    pub usable: usize,
    /// Compiles that served nothing: what serves one of several pipelines is not wasted.
    pub wasted: usize,
    /// Nanoseconds of those.
    pub wasted_ns: u64,
    /// Nanoseconds that applications wait without speculative compiles.
    pub without_ns: u64,
    /// As above, with a speculative compile.
    pub with_ns: u64,
    /// As above, with hits without a documented rewrite compiled as misses.
    pub usable_with_ns: u64,
    /// Stages whose pipelines were linked from libraries, too.
    pub linked: usize,
    /// Nanoseconds that linking them took.
    pub linked_ns: u64,
    /// Nanoseconds that applications wait for these pipelines without libraries and without speculative compiles.
    pub linked_without_ns: u64,
    /// Bytes of the cache, which stores what several pipelines share once.
    pub bytes: u64,
    /// What is wrong with databases as such.
    pub damages: usize,
    /// Pipelines without a stage that can be compiled speculatively.
    pub without_stage: usize,
    /// Files or entries that could not be read.
    pub unreadable: usize,
    /// The rows.
    pub rows: &'r [Row],
    /// Pipelines that are not among them.
    pub left_out: &'r [LeftOut],
}

impl<'r> Summary<'r> {
    /// Sums rows up.
    pub fn of(all: &'r Rows) -> Summary<'r> {
        let rows = all.rows.as_slice();
        // Each entry is stored once, however many rows use it: the first row of each, and whether any was served.
        let mut kept: BTreeMap<(u64, Form), (&Row, bool)> = BTreeMap::new();
        for row in rows.iter().filter(|row| row.eligible) {
            kept.entry((row.key.0, row.form)).or_insert((row, false)).1 |= row.hit;
        }
        let wasted = || kept.values().filter(|(_, served)| !served).map(|(row, _)| row);
        let linked = || rows.iter().filter_map(|row| Some((row, row.link?)));
        let sum = |value: fn(&Row) -> u64| rows.iter().map(value).fold(0, u64::saturating_add);
        Summary {
            stages: rows.len(),
            eligible: rows.iter().filter(|row| row.eligible).count(),
            hits: rows.iter().filter(|row| row.hit).count(),
            usable: rows.iter().filter(|row| row.usable).count(),
            wasted: wasted().count(),
            wasted_ns: wasted().map(|row| row.worker).fold(0, u64::saturating_add),
            without_ns: sum(|row| row.without),
            with_ns: sum(|row| row.with),
            usable_with_ns: sum(|row| if row.hit && !row.usable { row.without } else { row.with }),
            linked: linked().count(),
            linked_ns: linked().map(|(_, link)| link).fold(0, u64::saturating_add),
            linked_without_ns: linked().map(|(row, _)| row.without).fold(0, u64::saturating_add),
            bytes: kept.values().map(|(row, _)| row.bytes).fold(0, u64::saturating_add),
            damages: all.damages,
            without_stage: all.without_stage,
            unreadable: all.unreadable,
            rows,
            left_out: &all.left_out,
        }
    }

    /// Hits among all stages, from 0 to 100.
    pub fn rate(&self) -> f64 {
        self.share(self.hits)
    }

    /// As above, for hits with a documented rewrite.
    pub fn usable_rate(&self) -> f64 {
        self.share(self.usable)
    }

    fn share(&self, count: usize) -> f64 {
        if self.stages == 0 { 0.0 } else { count as f64 * 100.0 / self.stages as f64 }
    }

    /// Nanoseconds that applications wait less with it; negative where they wait longer.
    pub fn saved(&self) -> i64 {
        self.less(self.with_ns)
    }

    /// As above, with hits without a documented rewrite compiled as misses.
    pub fn usable_saved(&self) -> i64 {
        self.less(self.usable_with_ns)
    }

    fn less(&self, with: u64) -> i64 {
        let difference = i128::from(self.without_ns) - i128::from(with);
        i64::try_from(difference).unwrap_or(if difference < 0 { i64::MIN } else { i64::MAX })
    }

    /// How often each kind of break came first, most often first.
    pub fn breaks(&self) -> Vec<(BreakKind, usize)> {
        let count = |kind: &BreakKind| (*kind, self.rows.iter().filter(|row| row.broken == Some(*kind)).count());
        let mut all: Vec<_> = BreakKind::ALL.iter().map(count).filter(|(_, count)| *count > 0).collect();
        all.sort_by_key(|(kind, count)| (std::cmp::Reverse(*count), *kind));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_base::ids::Hex;

    /// A row of that key.
    fn row(key: u64, hit: bool, eligible: bool, broken: Option<BreakKind>) -> Row {
        Row {
            key: Hex(key),
            form: Form::Library,
            usable: hit,
            pipeline: "a".to_owned(),
            stage: StageKind::Fragment,
            entry: "main".to_owned(),
            eligible,
            hit,
            broken,
            why: None,
            without: 10,
            with: if hit { 2 } else { 11 },
            worker: if eligible { 8 } else { 0 },
            link: hit.then_some(3),
            objects: None,
            binaries: None,
            bytes: 100,
        }
    }

    #[test]
    fn rows_are_summed_up() {
        let rows = vec![
            row(1, true, true, None),
            row(2, false, true, Some(BreakKind::ExportFormat)),
            row(3, false, true, Some(BreakKind::ExportFormat)),
            row(4, false, false, Some(BreakKind::TooLarge)),
        ];
        let all = Rows { rows, without_stage: 2, unreadable: 1, ..Rows::default() };
        let sum = Summary::of(&all);
        assert_eq!((sum.stages, sum.eligible, sum.hits, sum.wasted, sum.wasted_ns), (4, 3, 1, 2, 16));
        assert_eq!((sum.without_ns, sum.with_ns, sum.saved(), sum.bytes), (40, 35, 5, 300));
        assert_eq!((sum.linked, sum.linked_ns, sum.linked_without_ns), (1, 3, 10));
        assert_eq!((sum.rate(), Summary::of(&Rows::default()).rate()), (25.0, 0.0));
        assert_eq!(sum.breaks(), [(BreakKind::ExportFormat, 2), (BreakKind::TooLarge, 1)]);
        let json = serde_json::to_value(&sum).expect("plain data");
        assert_eq!((&json["without_stage"], &json["unreadable"]), (&2.into(), &1.into()));
    }

    #[test]
    fn shared_stages_are_compiled_and_stored_once() {
        let rows = vec![
            row(1, true, true, None),
            row(1, false, true, Some(BreakKind::ExportFormat)),
            row(2, false, true, Some(BreakKind::ExportFormat)),
            row(2, false, true, Some(BreakKind::ExportFormat)),
            Row { form: Form::Partnered, ..row(2, true, true, None) },
        ];
        let all = Rows { rows, ..Rows::default() };
        let sum = Summary::of(&all);
        assert_eq!((sum.eligible, sum.hits, sum.wasted, sum.wasted_ns, sum.bytes), (5, 2, 1, 8, 300));
    }

    #[test]
    fn counts_hits_without_a_documented_rewrite_separately() {
        let unusable = Row { usable: false, ..row(2, true, true, None) };
        let all = Rows { rows: vec![row(1, true, true, None), unusable], ..Rows::default() };
        let sum = Summary::of(&all);
        assert_eq!((sum.hits, sum.rate(), sum.saved()), (2, 100.0, 16));
        assert_eq!((sum.usable, sum.usable_rate(), sum.usable_saved()), (1, 50.0, 8));
    }

    #[test]
    fn failed_pipelines_are_left_out_with_all_stages() {
        let mut all = Rows::default();
        all.take("none", &[], None);
        all.take("died", &[], Some(("it died".to_owned(), false)));
        assert_eq!((all.rows.len(), all.without_stage, all.left_out.len()), (0, 1, 1));
        assert_eq!(all.left_out[0], LeftOut { pipeline: "died".into(), why: "it died".into(), lacking: false });
    }
}
