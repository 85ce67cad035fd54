//! The difference of two results, in the shape of Mesa's report-fossil: totals of each statistic, totals of the affected
//! shaders, helped and hurt, worst and best.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use super::row::{DriverRow, Row, Valued, title};
use lanescope_base::text_format::counted;
use lanescope_model::chip::Chip;
use lanescope_passes::table::{Cell, Column, Meaning, Table};

/// Statistics of which more is better. Of all others less is.
const MORE_IS_BETTER: [&str; 5] = ["Max Waves", "Waves", "Subgroups per SIMD", "Occupancy", "Attribute bytes saved"];

/// Shaders that are listed by name at each end.
const LISTED: usize = 10;

/// Two results, compared row by row.
#[derive(Debug, Clone, Default)]
pub struct Comparison {
    totals: Vec<(Statistic, Total)>,
    by_statistic: HashMap<Statistic, usize>,
    /// Rows of one side whose pipeline was not met on the other side yet.
    before: HashMap<String, VecDeque<Row>>,
    after: HashMap<String, VecDeque<Row>>,
    /// Pipelines on both sides.
    pub pipelines: u64,
    /// Shaders with a statistic on both sides.
    pub shaders: u64,
    /// Pipelines of which one side, or both, failed: they are not compared.
    pub failed: u64,
    /// The first of these, its side and the reason: `flat.frag after: …`.
    pub first_failure: Option<String>,
    /// Compilations whose other side is of another vendor: their statistics are not compared.
    pub other_vendor: u64,
}

/// What a total is of: each compiler has totals of its own, since statistics of two drivers that share a name may count
/// other things.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Statistic {
    /// The chip or device, with the version of the program unless it is the original; empty for what is computed.
    pub place: String,
    /// The name of the statistic.
    pub name: String,
}

/// The totals of one statistic.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Total {
    /// The sum before.
    pub before: f64,
    /// The sum after.
    pub after: f64,
    /// The sum before, of the shaders that differ.
    pub affected_before: f64,
    /// The sum after, of the shaders that differ.
    pub affected_after: f64,
    /// Number of shaders.
    pub shaders: u64,
    /// Number of shaders that became better.
    pub helped: u64,
    /// Number of shaders that became worse.
    pub hurt: u64,
    /// Sum of the changes that are decreases.
    pub(super) decrease: f64,
    /// Sum of the changes that are increases.
    pub(super) increase: f64,
    /// The largest increases, largest first.
    pub increases: Vec<Difference>,
    /// The largest decreases, largest first.
    pub decreases: Vec<Difference>,
}

/// One shader whose statistic differs.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The pipeline.
    pub pipeline: String,
    /// The stage or executable.
    pub of: String,
    /// The value before.
    pub before: f64,
    /// The value after.
    pub after: f64,
}

impl Difference {
    /// The change.
    pub fn by(&self) -> f64 {
        self.after - self.before
    }
}

impl Total {
    /// The change of the total as a part of the total before, from 0 to 100; infinite for a total of 0 that rises.
    pub fn percent(&self) -> f64 {
        percent(self.before, self.after)
    }

    /// Number of shaders that differ.
    pub fn affected(&self) -> u64 {
        self.helped + self.hurt
    }

    fn add(&mut self, (pipeline, of): (&str, &str), [before, after]: [f64; 2], more_is_better: bool) {
        let by = after - before;
        self.shaders += 1;
        self.before += before;
        self.after += after;
        if by == 0.0 {
            return;
        }
        self.affected_before += before;
        self.affected_after += after;
        let (sum, list) = if by > 0.0 {
            (&mut self.increase, &mut self.increases)
        } else {
            (&mut self.decrease, &mut self.decreases)
        };
        *sum += by;
        let helped = if (by > 0.0) == more_is_better { &mut self.helped } else { &mut self.hurt };
        *helped += 1;
        // Of equal changes the first one stays: the order of rows decides, not the order of arrival.
        let at = list.partition_point(|other| other.by().abs() >= by.abs());
        if at < LISTED {
            let difference = Difference { pipeline: pipeline.to_owned(), of: of.to_owned(), before, after };
            list.insert(at, difference);
            list.truncate(LISTED);
        }
    }

    /// `1000 -> 990 (-1.00%)`: all shaders.
    pub fn line(&self) -> String {
        change_line(self.before, self.after)
    }

    /// `1000 -> 990 (-1.00%); split: -1.20%, +0.20%`: the affected shaders, with decreases and increases apart.
    pub fn affected_line(&self) -> String {
        let line = change_line(self.affected_before, self.affected_after);
        let part = |sum: f64| percent(self.affected_before, self.affected_before + sum);
        let has_both = self.decrease != 0.0 && self.increase != 0.0;
        let split = || format!("; split: {}, {}", percentage(part(self.decrease)), percentage(part(self.increase)));
        line + &if has_both { split() } else { String::new() }
    }
}

/// Whether two compilations are of chips of two vendors: their drivers have statistics of their own.
fn are_of_two_vendors(before: &DriverRow, after: &DriverRow) -> bool {
    let vendor = |row: &DriverRow| Chip::all().find(|chip| chip.name() == row.place).map(Chip::vendor);
    vendor(before).zip(vendor(after)).is_some_and(|(before, after)| before != after)
}

/// By what two rows are of one pipeline: the hash in a database, whatever the database's name; the names of files.
fn key(row: &Row) -> &str {
    let of_database = row.pipeline.rsplit_once('@').map(|(_, key)| key);
    of_database.filter(|key| !row.hash.is_empty() && key.ends_with(&row.hash)).unwrap_or(&row.pipeline)
}

/// `1000 -> 990 (-1.00%)`.
fn change_line(before: f64, after: f64) -> String {
    format!("{} -> {} ({})", number(before), number(after), percentage(percent(before, after)))
}

fn percent(before: f64, after: f64) -> f64 {
    match after - before {
        0.0 => 0.0,
        by if before == 0.0 => by.signum() * f64::INFINITY,
        by => by * 100.0 / before.abs(),
    }
}

/// A percentage with its sign: `-1.00%`, `+inf%`.
fn percentage(percent: f64) -> String {
    format!("{percent:+.2}%")
}

/// A number as short as it is exact; sums of fractions have three digits.
fn number(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value}") } else { format!("{value:.3}") }
}

impl Comparison {
    /// Takes the next row of the side before.
    pub fn add_before(&mut self, row: Row) {
        match take(&mut self.after, key(&row)) {
            Some(after) => self.pair(&row, &after),
            None => self.before.entry(key(&row).to_owned()).or_default().push_back(row),
        }
    }

    /// Takes the next row of the side after.
    pub fn add_after(&mut self, row: Row) {
        match take(&mut self.before, key(&row)) {
            Some(before) => self.pair(&before, &row),
            None => self.after.entry(key(&row).to_owned()).or_default().push_back(row),
        }
    }

    /// Number of pipelines that only the side before, or only the side after, has.
    pub fn only(&self) -> [usize; 2] {
        [&self.before, &self.after].map(|side| side.values().map(VecDeque::len).sum())
    }

    /// The totals of a statistic by its name, one for each compiler, or of one compiler by its title; with their titles.
    pub fn totals_of<'c>(&'c self, name: &'c str) -> impl Iterator<Item = (String, &'c Total)> {
        let named = self.titled().filter(move |(title, of, _)| of.name == name || title == name);
        named.map(|(title, _, total)| (title, total))
    }

    /// All totals with their titles, in the order in which the statistics were met: the name of the statistic, after the
    /// compiler where several compiled.
    pub fn totals(&self) -> impl Iterator<Item = (String, &Total)> {
        self.titled().map(|(title, _, total)| (title, total))
    }

    fn titled(&self) -> impl Iterator<Item = (String, &Statistic, &Total)> {
        let places = self.totals.iter().map(|(of, _)| of.place.as_str()).filter(|place| !place.is_empty());
        let several = places.collect::<BTreeSet<_>>().len() > 1;
        self.totals.iter().map(move |(of, total)| {
            let place = if several { of.place.as_str() } else { "" };
            (title(place, &of.name), of, total)
        })
    }

    fn pair(&mut self, before: &Row, after: &Row) {
        if before.has_failed() || after.has_failed() {
            self.failed += 1;
            self.first_failure.get_or_insert_with(|| {
                let (row, side) = if before.has_failed() { (before, "before") } else { (after, "after") };
                format!("{} {side}: {}", row.pipeline, row.failures().next().unwrap_or_default())
            });
            return;
        }
        self.pipelines += 1;
        let foreign: BTreeSet<usize> = (0..before.drivers.len().min(after.drivers.len()))
            .filter(|at| {
                before.drivers.get(*at).zip(after.drivers.get(*at)).is_some_and(|(a, b)| are_of_two_vendors(a, b))
            })
            .collect();
        self.other_vendor += foreign.len() as u64;
        let is_own = |value: &Valued<'_>| value.driver.is_none_or(|at| !foreign.contains(&at));
        let (mut before_values, mut after_values) = (before.values(), after.values());
        before_values.retain(is_own);
        after_values.retain(is_own);
        // A driver has its place in the row: chips and versions of two sides are compared in their order.
        let same = |(a, b): (&Valued<'_>, &Valued<'_>)| a.driver == b.driver && a.name == b.name && a.of == b.of;
        if before_values.len() == after_values.len() && before_values.iter().zip(&after_values).all(same) {
            let values = before_values.iter().map(|value| value.value.number());
            let pairs = values.zip(&after_values);
            pairs.for_each(|(old, value)| self.difference(after, value, old));
            let mut shaders: Vec<_> = after_values.iter().map(|value| (value.driver, value.of)).collect();
            shaders.dedup();
            self.shaders += shaders.len() as u64;
            return;
        }
        let known: BTreeMap<_, f64> =
            numbered(&before_values).map(|(key, value)| (key, value.value.number())).collect();
        let mut shaders = BTreeSet::new();
        for (key, value) in numbered(&after_values) {
            if let Some(old) = known.get(&key) {
                shaders.insert((key.0, key.2, key.3));
                self.difference(after, value, *old);
            }
        }
        self.shaders += shaders.len() as u64;
    }

    fn difference(&mut self, row: &Row, value: &Valued<'_>, before: f64) {
        let after = value.value.number();
        let more_is_better = MORE_IS_BETTER.contains(&value.name);
        let place = value.driver.map(|at| row.label(at)).unwrap_or_default();
        self.total_mut(place, value.name).add((&row.pipeline, value.of), [before, after], more_is_better);
    }

    fn total_mut(&mut self, place: String, name: &str) -> &mut Total {
        let of = Statistic { place, name: name.to_owned() };
        let at = *self.by_statistic.entry(of).or_insert_with_key(|of| {
            self.totals.push((of.clone(), Total::default()));
            self.totals.len() - 1
        });
        &mut self.totals[at].1
    }

    /// The comparison in the lines of report-fossil: totals, totals of the affected shaders, helped and hurt.
    pub fn lines(&self) -> Vec<String> {
        let mut out = vec![format!("{} on both sides", counted(self.pipelines, "pipeline"))];
        for (count, side) in self.only().into_iter().zip(["before", "after"]) {
            if count > 0 {
                out.push(format!("{} {side} only: not compared", counted(count, "pipeline")));
            }
        }
        if self.failed > 0 {
            out.push(format!("{} failed on one side: not compared", counted(self.failed, "pipeline")));
            out.extend(self.first_failure.clone());
        }
        if self.other_vendor > 0 {
            let what = counted(self.other_vendor, "compilation");
            out.push(format!("{what} of another vendor's driver: their statistics are not compared"));
        }
        if self.pipelines == 0 {
            return out;
        }
        out.push(String::new());
        out.push("Totals:".to_owned());
        out.extend(self.totals().map(|(name, total)| format!("{name}: {}", change_line(total.before, total.after))));
        for (name, total) in self.totals().filter(|(_, total)| total.affected() > 0) {
            let share = total.affected() as f64 * 100.0 / total.shaders.max(1) as f64;
            out.push(String::new());
            out.push(format!("Totals from {} ({share:.2}% of {}) affected shaders:", total.affected(), total.shaders));
            out.push(format!("{name}: {}", total.affected_line()));
            out.push(format!("helped: {}", total.helped));
            out.push(format!("HURT: {}", total.hurt));
        }
        out
    }

    /// The totals as a table: a row for each statistic.
    pub fn table(&self) -> Table {
        let right = ["Before", "After", "Change", "Percent", "Affected", "Helped", "Hurt"].map(Column::right);
        let mut out = Table::new([Column::left("Statistic")].into_iter().chain(right)).titled("Totals").with_words();
        for (name, total) in self.totals() {
            let by = total.after - total.before;
            let change = if by == 0.0 { "0".to_owned() } else { format!("{}{}", sign(by), number(by.abs())) };
            let meaning = match by {
                by if by > 0.0 => Meaning::Higher,
                by if by < 0.0 => Meaning::Lower,
                _ => Meaning::Plain,
            };
            out.row([
                name.as_str().into(),
                Cell::code(number(total.before)),
                Cell::code(number(total.after)),
                Cell::code(change).meaning(meaning),
                Cell::code(percentage(total.percent())),
                Cell::code(total.affected()),
                Cell::code(total.helped).meaning(if total.helped > 0 { Meaning::Good } else { Meaning::Plain }),
                Cell::code(total.hurt).meaning(if total.hurt > 0 { Meaning::Changed } else { Meaning::Plain }),
            ]);
        }
        out
    }

    /// The shaders with the largest changes of each statistic: worst first, then best.
    pub fn extremes(&self) -> Vec<Table> {
        let mut out = Vec::new();
        for (title, of, total) in self.titled().filter(|(.., total)| total.affected() > 0) {
            let mut ends = [("Worst", &total.increases), ("Best", &total.decreases)];
            if MORE_IS_BETTER.contains(&of.name.as_str()) {
                ends = [("Worst", &total.decreases), ("Best", &total.increases)];
            }
            for (end, list) in ends.into_iter().filter(|(_, list)| !list.is_empty()) {
                let right = ["Before", "After", "Percent"].map(Column::right);
                let columns = [Column::left("Pipeline"), Column::left("Stage")].into_iter().chain(right);
                let mut table = Table::new(columns).titled(format!("{end} {title}")).with_words();
                for difference in list {
                    table.row([
                        Cell::code(&difference.pipeline),
                        Cell::code(&difference.of),
                        Cell::code(number(difference.before)),
                        Cell::code(number(difference.after)),
                        Cell::code(percentage(percent(difference.before, difference.after))),
                    ]);
                }
                out.push(table);
            }
        }
        out
    }
}

fn sign(by: f64) -> char {
    if by > 0.0 { '+' } else { '-' }
}

/// What a value is compared by: driver, statistic, shader, and which of those with the same name.
type Key<'r> = (Option<usize>, &'r str, &'r str, usize);

fn numbered<'r>(values: &'r [Valued<'r>]) -> impl Iterator<Item = (Key<'r>, &'r Valued<'r>)> {
    let mut counts: BTreeMap<_, usize> = BTreeMap::new();
    values.iter().map(move |value| {
        let count = counts.entry((value.driver, value.name, value.of)).or_default();
        *count += 1;
        ((value.driver, value.name, value.of, *count), value)
    })
}

/// The first waiting row of a pipeline.
fn take(waiting: &mut HashMap<String, VecDeque<Row>>, pipeline: &str) -> Option<Row> {
    let rows = waiting.get_mut(pipeline)?;
    let row = rows.pop_front();
    if rows.is_empty() {
        waiting.remove(pipeline);
    }
    row
}
