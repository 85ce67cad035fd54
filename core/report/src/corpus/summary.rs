//! Sums over all rows of a result.

use std::collections::{BTreeMap, HashMap};

use super::across::Across;
use super::histogram::Histogram;
use super::row::{AccessRow, Row, title};
use lanescope_passes::findings::rule;
use lanescope_passes::table::{Cell, Column, Meaning, Table};

/// Kinds of reasons that are counted apart.
const MAX_REASONS: usize = 200;

/// Sums over rows, which it takes one after the other.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Summary {
    /// Number of rows.
    pub pipelines: u64,
    /// Number of rows with a failure.
    pub failed: u64,
    kinds: BTreeMap<&'static str, u64>,
    stages: BTreeMap<&'static str, u64>,
    /// Occurrences of each reason, with the first pipeline.
    reasons: BTreeMap<String, (u64, String)>,
    other_reasons: u64,
    /// By place and variant, and by name, in the order in which they were met.
    values: Vec<((String, String), Values)>,
    index: HashMap<String, HashMap<String, usize>>,
    across: Across,
    findings: BTreeMap<String, [u64; 2]>,
    classes: BTreeMap<String, u64>,
    not_packed: BTreeMap<&'static str, u64>,
    tiles: BTreeMap<String, u64>,
    /// Stages, guessed, hits, usable.
    layouts: [u64; 4],
    breaks: BTreeMap<&'static str, u64>,
    disagreements: BTreeMap<(String, String), u64>,
    /// Pipelines with a code object, with one that agrees, with one that was not compared.
    objects: [u64; 3],
    object_fields: BTreeMap<String, u64>,
    /// Compute shaders by verdict, and by the layout that is recommended instead of the selected one.
    verdicts: BTreeMap<String, u64>,
    better_layouts: BTreeMap<String, u64>,
    /// Why accesses were not counted.
    not_counted: BTreeMap<String, u64>,
    load: u64,
    passes: u64,
    compile: u64,
}

#[derive(Debug, Clone, PartialEq)]
struct Values {
    count: u64,
    sum: f64,
    least: f64,
    most: f64,
    histogram: Histogram,
}

impl Summary {
    /// Takes the next row.
    pub fn add(&mut self, row: &Row) {
        self.pipelines += 1;
        self.failed += u64::from(row.has_failed());
        *self.kinds.entry(row.kind.name()).or_default() += 1;
        for why in row.failures() {
            let reason = reason(why);
            if self.reasons.len() >= MAX_REASONS && !self.reasons.contains_key(&reason) {
                self.other_reasons += 1;
            } else {
                self.reasons.entry(reason).or_insert_with(|| (0, row.pipeline.clone())).0 += 1;
            }
        }
        for stage in &row.stages {
            *self.stages.entry(stage.stage.name()).or_default() += 1;
            if let Some(group) = &stage.workgroup {
                *self.tiles.entry(group.tiles.clone()).or_default() += 1;
            }
            if let Some(layout) = &stage.layout {
                let counts = [true, layout.guessed, layout.hit == Some(true), layout.usable == Some(true)];
                for (sum, counts) in self.layouts.iter_mut().zip(counts) {
                    *sum += u64::from(counts);
                }
                if let Some(kind) = layout.broken {
                    *self.breaks.entry(kind.name()).or_default() += 1;
                }
            }
        }
        if let Some(packing) = &row.packing {
            for (class, count) in &packing.classes {
                *self.classes.entry(class.clone()).or_default() += count;
            }
            if let Some(fallback) = packing.fallback {
                *self.not_packed.entry(fallback.name()).or_default() += 1;
            }
        }
        for (code, count) in &row.findings {
            let [pipelines, findings] = self.findings.entry(code.clone()).or_default();
            *pipelines += 1;
            *findings += count;
        }
        if let Some(object) = &row.object {
            let agrees = object.failure.is_none() && object.differs == 0;
            for (sum, counts) in self.objects.iter_mut().zip([true, agrees, object.failure.is_some()]) {
                *sum += u64::from(counts);
            }
            for field in &object.differing {
                *self.object_fields.entry(field.clone()).or_default() += 1;
            }
        }
        match &row.accesses {
            Some(AccessRow::Counted(counts)) => {
                *self.verdicts.entry(counts.with_dependence(&counts.verdict)).or_default() += 1;
                if let Some(layout) = counts.recommended.as_ref().filter(|layout| **layout != counts.layout) {
                    *self.better_layouts.entry(layout.clone()).or_default() += 1;
                }
            }
            Some(AccessRow::NotCounted(why)) => {
                *self.verdicts.entry("not counted".to_owned()).or_default() += 1;
                let why = reason(why);
                if self.not_counted.len() < MAX_REASONS || self.not_counted.contains_key(&why) {
                    *self.not_counted.entry(why).or_default() += 1;
                }
            }
            None => {}
        }
        for driver in &row.drivers {
            self.compile = self.compile.saturating_add(driver.nanoseconds.unwrap_or_default());
            for field in &driver.disagreements {
                *self.disagreements.entry((driver.place.clone(), field.clone())).or_default() += 1;
            }
        }
        if let Some(times) = row.times {
            self.load = self.load.saturating_add(times.load);
            self.passes = self.passes.saturating_add(times.passes);
        }
        let places: Vec<String> = (0..row.drivers.len()).map(|at| row.label(at)).collect();
        for (driver, place) in row.drivers.iter().zip(&places).filter(|(driver, _)| driver.failure.is_none()) {
            self.across.pipeline(place, &driver.driver);
            driver.slot_values().for_each(|(name, value)| self.across.slots(place, &driver.driver, name, value));
            for (name, value) in driver.executables.iter().flat_map(|executable| &executable.statistics.0) {
                self.across.statistic(place, &driver.driver, name, *value);
            }
        }
        for value in row.values() {
            let place = value.driver.and_then(|at| places.get(at)).map_or("", String::as_str);
            self.add_value(place, value.name, value.value.number());
        }
    }

    fn add_value(&mut self, place: &str, name: &str, number: f64) {
        let known = self.index.get(place).and_then(|names| names.get(name)).copied();
        let at = known.unwrap_or_else(|| {
            let at = self.values.len();
            self.index.entry(place.to_owned()).or_default().insert(name.to_owned(), at);
            let none = Values { count: 0, sum: 0.0, least: number, most: number, histogram: Histogram::default() };
            self.values.push(((place.to_owned(), name.to_owned()), none));
            at
        });
        if let Some((_, values)) = self.values.get_mut(at) {
            values.count += 1;
            values.sum += number;
            values.least = values.least.min(number);
            values.most = values.most.max(number);
            values.histogram.add(number);
        }
    }

    /// The histogram of each statistic, with its title.
    pub fn histograms(&self) -> impl Iterator<Item = (String, &Histogram)> {
        self.values.iter().map(|((place, name), values)| (title(place, name), &values.histogram))
    }

    /// The histograms of each statistic, one for each compiler that has it, with the compiler's name; empty for what is
    /// computed.
    pub fn histograms_by_name(&self) -> Vec<(&str, Vec<(&str, &Histogram)>)> {
        let mut out: Vec<(&str, Vec<(&str, &Histogram)>)> = Vec::new();
        for ((place, name), values) in &self.values {
            let own = (place.as_str(), &values.histogram);
            match out.iter_mut().find(|(other, _)| other == name) {
                Some((_, all)) => all.push(own),
                None => out.push((name, vec![own])),
            }
        }
        out
    }

    /// All tables that have rows.
    pub fn tables(&self) -> Vec<Table> {
        let count = |title: &str, of: &str, rows: Vec<(String, u64)>| {
            let mut out = Table::new([Column::left(of), Column::right("Number")]).titled(title).with_words();
            for (name, count) in rows {
                out.row([Cell::code(name), Cell::code(count)]);
            }
            out
        };
        let named = |map: &BTreeMap<&'static str, u64>| map.iter().map(|(k, n)| ((*k).to_owned(), *n)).collect();
        let owned = |map: &BTreeMap<String, u64>| map.iter().map(|(k, n)| (k.clone(), *n)).collect();
        let mut pipelines: Vec<(String, u64)> = named(&self.kinds);
        pipelines.push(("all".to_owned(), self.pipelines));
        pipelines.push(("failed".to_owned(), self.failed));
        let layouts = if self.layouts[0] == 0 {
            Vec::new()
        } else {
            ["stages", "guessed", "hits", "usable"].map(str::to_owned).into_iter().zip(self.layouts).collect()
        };
        let objects = if self.objects[0] == 0 {
            Vec::new()
        } else {
            ["pipelines with one", "as predicted", "not compared"]
                .map(str::to_owned)
                .into_iter()
                .zip(self.objects)
                .collect()
        };
        let times = [("load", self.load), ("passes", self.passes), ("compile", self.compile)];
        let times = times.into_iter().filter(|(_, time)| *time > 0);
        let disagreements =
            self.disagreements.iter().map(|((place, field), count)| (format!("{place} {field}"), *count));
        [
            count("Pipelines", "Kind", pipelines),
            count("Stages", "Stage", named(&self.stages)),
            self.across.table().unwrap_or_default(),
            self.value_table(),
            count("Scalars by class", "Class", owned(&self.classes)),
            count("Not packed", "Reason", named(&self.not_packed)),
            count("Workgroup layouts", "Tiles", owned(&self.tiles)),
            count("Layouts by memory accesses (inputs are zero)", "Verdict", owned(&self.verdicts)),
            count("Recommended instead of the selected layout", "Tiles", owned(&self.better_layouts)),
            count("Accesses not counted", "Reason", owned(&self.not_counted)),
            count("Guessed layouts", "", layouts),
            count("Breaks", "Kind", named(&self.breaks)),
            self.finding_table(),
            count("Disagreements", "Place and field", disagreements.collect()),
            count("Code objects", "", objects),
            count("Fields of code objects that differ", "Field", owned(&self.object_fields)),
            count("Times (ns)", "", times.map(|(name, time)| (name.to_owned(), time)).collect()),
            self.failure_table(),
        ]
        .into_iter()
        .filter(|table| !table.rows.is_empty())
        .collect()
    }

    fn value_table(&self) -> Table {
        let right = ["Shaders", "Total", "Average", "Least", "Most"].map(Column::right);
        let columns = [Column::left("Statistic")].into_iter().chain(right);
        let mut out = Table::new(columns).titled("Statistics").with_words();
        for ((place, name), values) in &self.values {
            let numbers = [values.sum, values.sum / values.count.max(1) as f64, values.least, values.most];
            let numbers = numbers.map(|value| Cell::code(short(value)));
            out.row([title(place, name).into(), Cell::code(values.count)].into_iter().chain(numbers));
        }
        out
    }

    fn finding_table(&self) -> Table {
        let columns = [Column::left("Code"), Column::right("Pipelines"), Column::right("Number"), Column::left("Rule")];
        let mut out = Table::new(columns).titled("Findings").with_words();
        for (code, [pipelines, findings]) in &self.findings {
            let about = rule(code).map_or("", |rule| rule.about);
            out.row([Cell::code(code), Cell::code(pipelines), Cell::code(findings), about.into()]);
        }
        out
    }

    fn failure_table(&self) -> Table {
        let columns = [Column::right("Number"), Column::left("Reason"), Column::left("First pipeline")];
        let mut out = Table::new(columns).titled("Failures").with_words();
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(reason, (count, _))| (std::cmp::Reverse(*count), (*reason).clone()));
        for (reason, (count, first)) in reasons {
            out.row([Cell::code(count), reason.into(), Cell::of(Meaning::Dimmed, first)]);
        }
        if self.other_reasons > 0 {
            out.row([Cell::code(self.other_reasons), "other reasons".into(), Cell::default()]);
        }
        out
    }
}

/// A number with at most two digits after the point.
pub(super) fn short(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value}") } else { format!("{value:.2}") }
}

/// A failure without its numbers and its file, so that alike failures are counted together.
fn reason(why: &str) -> String {
    let mut lines = why.lines();
    let first = lines.next().unwrap_or_default();
    // A compiler's messages follow the line that introduces them.
    let line = lines.next().filter(|_| first.ends_with(':')).unwrap_or(first);
    let is_sentence = |last: &str| last.len() > 12 && last.contains(' ');
    let line = line.rsplit_once(": ").filter(|(_, last)| is_sentence(last)).map_or(line, |(_, last)| last);
    let mut out = String::new();
    for c in line.chars().take(160) {
        if !c.is_ascii_digit() {
            out.push(c);
        } else if !out.ends_with('#') {
            out.push('#');
        }
    }
    out
}
