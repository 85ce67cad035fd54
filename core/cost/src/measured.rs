//! Times of the layouts on a device, beside the order that is predicted for them.
//!
//! What is predicted is the number of passes of memory accesses: a wave's access takes one for each line that its lanes
//! touch, and those of shared memory one for each pass of LDS. Layouts with the same number are predicted to be equal.

use lanescope_base::named_enum;
use lanescope_passes::table::{Cell, Column, Key, Table};
use lanescope_run::{Clock, Samples, Spread, Timing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::report::{Cost, Counts, LayoutCost};

/// Times closer than this share are not told apart, however steady each is.
const RESOLUTION: f64 = 0.02;
/// A clock that is less steady than this share is noted.
const UNSTEADY: f64 = 0.1;

/// The layouts on a device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Measured {
    /// The device's name.
    pub device: String,
    /// Lanes of its subgroups. The accesses are counted in waves of that many lanes.
    pub subgroup: u32,
    /// Whose clock took the times.
    pub clock: Clock,
    /// Dispatches of a sample.
    pub dispatches: u32,
    /// The times of each layout, in the order of [`Cost::layouts`].
    pub layouts: Vec<LayoutTimes>,
    /// Whether the order is the predicted one.
    pub agreement: Agreement,
    /// What is predicted and measured, as a sentence.
    pub text: String,
    /// Spearman's coefficient of rank correlation between predicted passes and measured times, in thousandths, with
    /// layouts that are not told apart at the middle of their ranks. Absent where either has one rank only.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rank_correlation: Option<i32>,
    /// What limits the times.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
}

/// A layout on a device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LayoutTimes {
    /// Its tiles, as in [`LayoutCost::layout`].
    pub layout: String,
    /// Nanoseconds of each sample, by round; empty where it was not timed.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub samples: Vec<u64>,
    /// Why it was not timed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub not_timed: Option<String>,
    /// Lines and passes of LDS, summed over the waves that are counted: what is predicted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub predicted: Option<u64>,
    /// Its place among the times, from 1: layouts that are not told apart have the same.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub place: Option<u32>,
}

named_enum!(
    /// What times say of a prediction.
    Agreement {
        /// The layouts are in the predicted order.
        Agree = "agree",
        /// A layout with more passes took less time than one with fewer.
        Differ = "differ",
        /// No layout is told from another by its time, and equal numbers were predicted.
        NoDifference = "no-difference",
        /// Layouts differ in time that were predicted to be equal; all others are in order.
        NotPredicted = "not-predicted",
        /// Layouts were predicted to differ, and take the same time: accesses are not what the shader takes its time for.
        NotSeen = "not-seen",
        /// Fewer than two layouts were timed.
        Nothing = "nothing",
    }
);

/// What is predicted of a layout.
fn passes(total: &Counts, line: u32) -> u64 {
    total.lines(line).saturating_add(total.lds_passes)
}

impl Cost {
    /// Puts the times of its layouts beside their counts. `times` has one for each layout, or why it was not timed, in the
    /// order of [`Cost::layouts`]; the accesses are counted in waves of the device's size.
    pub fn measure(&mut self, timing: &Timing, times: &[Result<usize, String>]) {
        let layouts = self.layouts.iter().zip(times).map(|(layout, time)| {
            let samples = time.as_ref().ok().and_then(|at| timing.variants.get(*at));
            LayoutTimes {
                layout: layout.layout.clone(),
                samples: samples.map(|samples| samples.nanoseconds.clone()).unwrap_or_default(),
                not_timed: time.as_ref().err().cloned(),
                predicted: layout.total.as_ref().map(|total| passes(total, self.line)),
                place: None,
            }
        });
        let mut layouts: Vec<LayoutTimes> = layouts.collect();
        place(&mut layouts);
        let (agreement, rank_correlation) = compare(&layouts);
        let text = sentence(agreement, &layouts, &self.layouts, timing.dispatches);
        self.measured = Some(Measured {
            device: timing.device.clone(),
            subgroup: timing.subgroup,
            clock: timing.clock,
            dispatches: timing.dispatches,
            layouts,
            agreement,
            text,
            rank_correlation,
            notes: notes(timing, self),
        });
    }
}

impl Measured {
    /// What was measured beside what was predicted, with the correlation of their ranks.
    pub fn sentence(&self) -> String {
        match self.rank_correlation {
            Some(thousandths) => format!("{} Rank correlation {:.3}.", self.text, f64::from(thousandths) / 1000.0),
            None => self.text.clone(),
        }
    }
}

impl LayoutTimes {
    /// The middle of its times, and how far they spread.
    pub fn spread(&self) -> Option<Spread> {
        Samples { nanoseconds: self.samples.clone() }.spread()
    }
}

/// Gives each timed layout its place: one that is not later than the first of a place by more than both spread, or by more
/// than can be told apart, has that place too.
fn place(layouts: &mut [LayoutTimes]) {
    let mut order: Vec<(usize, Spread)> =
        layouts.iter().enumerate().filter_map(|(at, one)| Some((at, one.spread()?))).collect();
    order.sort_by_key(|(at, spread)| (spread.median, *at));
    let mut first: Option<(u32, Spread)> = None;
    for (rank, (at, spread)) in (1u32..).zip(order) {
        let (place, _) = *match &first {
            Some((_, of)) if !is_later(&spread, of) => first.get_or_insert((rank, spread)),
            _ => first.insert((rank, spread)),
        };
        layouts.get_mut(at).into_iter().for_each(|one| one.place = Some(place));
    }
}

fn is_later(one: &Spread, than: &Spread) -> bool {
    let apart = one.median.saturating_sub(than.median) as f64;
    apart > RESOLUTION * than.median as f64 && one.lower > than.upper
}

/// Whether the places are in the predicted order, and their correlation in thousandths.
fn compare(layouts: &[LayoutTimes]) -> (Agreement, Option<i32>) {
    let both: Vec<(u64, u64)> =
        layouts.iter().filter_map(|one| Some((one.predicted?, u64::from(one.place?)))).collect();
    let pairs = || both.iter().enumerate().flat_map(|(at, a)| both.iter().skip(at + 1).map(move |b| (*a, *b)));
    let opposed = |((p, m), (q, n)): ((u64, u64), (u64, u64))| (p < q && m > n) || (p > q && m < n);
    let agreement = match () {
        () if both.len() < 2 => Agreement::Nothing,
        () if pairs().any(opposed) => Agreement::Differ,
        () if pairs().all(|(a, b)| a.1 == b.1) => match pairs().all(|(a, b)| a.0 == b.0) {
            true => Agreement::NoDifference,
            false => Agreement::NotSeen,
        },
        () if pairs().any(|(a, b)| a.0 == b.0 && a.1 != b.1) => Agreement::NotPredicted,
        () => Agreement::Agree,
    };
    let ranks = |of: fn(&(u64, u64)) -> u64| -> Vec<f64> {
        let value = |one: &(u64, u64)| of(one);
        both.iter()
            .map(|one| {
                let less = both.iter().filter(|other| value(other) < value(one)).count();
                let same = both.iter().filter(|other| value(other) == value(one)).count();
                less as f64 + (same as f64 + 1.0) / 2.0
            })
            .collect()
    };
    (agreement, correlation(&ranks(|one| one.0), &ranks(|one| one.1)))
}

/// Pearson's coefficient in thousandths; none where either side does not vary.
fn correlation(a: &[f64], b: &[f64]) -> Option<i32> {
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len().max(1) as f64;
    let (of_a, of_b) = (mean(a), mean(b));
    let sum = |f: &dyn Fn(f64, f64) -> f64| a.iter().zip(b).map(|(x, y)| f(x - of_a, y - of_b)).sum::<f64>();
    let (both, first, second) = (sum(&|x, y| x * y), sum(&|x, _| x * x), sum(&|_, y| y * y));
    (first > 0.0 && second > 0.0).then(|| (1000.0 * both / (first * second).sqrt()).round() as i32)
}

/// The fastest layout, and what was predicted.
fn sentence(agreement: Agreement, layouts: &[LayoutTimes], counted: &[LayoutCost], dispatches: u32) -> String {
    let timed: Vec<(&LayoutTimes, Spread)> = layouts.iter().filter_map(|one| Some((one, one.spread()?))).collect();
    let least = timed.iter().filter_map(|(one, _)| one.predicted).min();
    let list = |of: &dyn Fn(&LayoutTimes) -> bool| {
        let names: Vec<&str> = timed.iter().filter(|(one, _)| of(one)).map(|(one, _)| one.layout.as_str()).collect();
        names.join(", ")
    };
    let fastest = list(&|one| one.place == Some(1));
    let predicted = list(&|one| one.predicted == least);
    let most = timed.iter().map(|(_, spread)| spread.median).max().unwrap_or(0);
    let first = timed.iter().map(|(_, spread)| spread.median).min().unwrap_or(0);
    let slower = format!("{:.2}", most as f64 / first.max(1) as f64);
    let selected = counted.iter().find(|one| one.selected).map(|one| one.layout.as_str()).unwrap_or_default();
    let (time, each) = (time(first, dispatches), if dispatches == 1 { "" } else { " a dispatch" });
    match agreement {
        Agreement::Nothing => "Fewer than two layouts were timed: there is nothing to compare.".to_owned(),
        Agreement::NoDifference => format!("The layouts take the same time ({time}{each}), as predicted."),
        Agreement::NotSeen => {
            format!("The layouts take the same time ({time}{each}), which is not that of their memory accesses.")
        }
        Agreement::Agree => {
            format!(
                "Measured in the predicted order: fastest is {fastest} ({time}{each}), the slowest takes {slower} times as long."
            )
        }
        Agreement::NotPredicted => format!(
            "Fastest is {fastest} ({time}{each}), the slowest takes {slower} times as long; layouts with equal counts take different times."
        ),
        Agreement::Differ => format!(
            "Not in the predicted order: fastest is {fastest} ({time}{each}), predicted {predicted}; the slowest takes {slower} times as long. \
             Selected: {selected}."
        ),
    }
}

/// A time of so many dispatches as that of one.
fn time(nanoseconds: u64, dispatches: u32) -> String {
    let one = nanoseconds as f64 / f64::from(dispatches.max(1));
    match one {
        _ if one >= 1e6 => format!("{:.3} ms", one / 1e6),
        _ if one >= 1e3 => format!("{:.2} µs", one / 1e3),
        _ => format!("{one:.0} ns"),
    }
}

fn notes(timing: &Timing, cost: &Cost) -> Vec<String> {
    let mut notes = Vec::new();
    if timing.clock == Clock::Host {
        notes.push("the device has no timestamps: the times are the host's, of whole submissions".to_owned());
    }
    if !timing.device_memory {
        notes.push("buffers are not in memory of the device: the times are those of the bus".to_owned());
    }
    match timing.reference.as_ref().and_then(Samples::spread) {
        Some(steady) => {
            let range = (steady.upper - steady.lower) as f64 / steady.median.max(1) as f64;
            let said = format!(
                "a shader that only computes took {} in each round, ± {:.1} %",
                time(steady.median, 1),
                50.0 * range
            );
            notes.push(match range > UNSTEADY {
                true => format!("the device's clock was not steady: {said}"),
                false => format!("the device's clock was steady: {said}"),
            });
        }
        None => notes.push("whether the device's clock was steady is not known".to_owned()),
    }
    notes.push(format!("lines of {} bytes are those of {}; the device's may be others", cost.line, cost.chip));
    if !cost.depends.is_empty() {
        notes.push("each dispatch finds what the one before wrote, on which addresses may depend".to_owned());
    }
    notes.extend(timing.warnings.iter().map(|warning| format!("validation: {warning}")));
    notes
}

/// A row for each layout: its times beside what is predicted.
pub fn measured_table(measured: &Measured) -> Table {
    let right = |title: &str, mark: &str, help: &str| Column {
        note: mark.to_owned(),
        help: help.to_owned(),
        ..Column::right(title)
    };
    let mut columns = vec![
        Column::left("layout"),
        right("predicted", "C, G", "Lines and passes of LDS: what is predicted to decide the time"),
        right("median", "", "The middle of the times of a dispatch"),
        right("middle half", "", "Half of the times lie between these"),
        right("ratio", "", "The median beside that of the fastest layout"),
        right("place", "", "Layouts between which the times do not decide have the same"),
    ];
    // Each has a time, or a reason.
    let reasons = measured.layouts.iter().any(|one| one.not_timed.is_some());
    columns.extend(reasons.then(|| Column::left("not timed")));
    let mut table = Table::new(columns);
    let least = measured.layouts.iter().filter_map(LayoutTimes::spread).map(|spread| spread.median).min();
    for (at, one) in measured.layouts.iter().enumerate() {
        let predicted = one.predicted.map(|count| count.to_string()).unwrap_or_default();
        let of = |time| self::time(time, measured.dispatches);
        let times = one.spread().map(|spread| {
            [
                of(spread.median),
                format!("{} to {}", of(spread.lower), of(spread.upper)),
                format!("{:.3}", spread.median as f64 / least.unwrap_or(0).max(1) as f64),
                one.place.map(|place| place.to_string()).unwrap_or_default(),
            ]
        });
        let reason = reasons.then(|| one.not_timed.clone().unwrap_or_default());
        let cells = [one.layout.clone(), predicted].into_iter().chain(times.unwrap_or_default()).chain(reason);
        table.push(Key::Item(at), cells.map(Cell::from));
    }
    table
}

/// The device and how it was timed: `llvmpipe, subgroups of 8, 31 samples of 12 dispatches`.
pub fn measured_on(measured: &Measured) -> String {
    let samples = measured.layouts.iter().map(|one| one.samples.len()).max().unwrap_or(0);
    let samples = lanescope_base::text_format::counted(samples, "sample");
    let dispatches = lanescope_base::text_format::counted(measured.dispatches as usize, "dispatch");
    format!("{}, subgroups of {}, {samples} of {dispatches}", measured.device, measured.subgroup)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layouts(of: &[(u64, &[u64])]) -> Vec<LayoutTimes> {
        let mut all: Vec<LayoutTimes> = of
            .iter()
            .map(|(predicted, samples)| LayoutTimes {
                layout: format!("layout {predicted}"),
                samples: samples.to_vec(),
                not_timed: None,
                predicted: Some(*predicted),
                place: None,
            })
            .collect();
        place(&mut all);
        all
    }

    fn places(of: &[(u64, &[u64])]) -> Vec<Option<u32>> {
        layouts(of).iter().map(|one| one.place).collect()
    }

    #[test]
    fn times_within_their_spread_share_a_place() {
        let steady: &[u64] = &[1000, 1001, 1002];
        // One per cent apart, half as much again, and half as much again but as noisy.
        assert_eq!(places(&[(1, steady), (1, &[1010, 1011, 1012])]), [Some(1), Some(1)]);
        assert_eq!(places(&[(1, &[1500, 1501, 1502]), (1, steady)]), [Some(2), Some(1)]);
        assert_eq!(places(&[(1, &[900, 1500, 2100]), (1, steady)]), [Some(1), Some(1)]);
        assert_eq!(places(&[(1, &[]), (1, steady)]), [None, Some(1)]);
        // Three that share a place leave the next two free.
        let same: Vec<(u64, &[u64])> = vec![(1, steady), (1, steady), (1, steady), (1, &[2000])];
        assert_eq!(places(&same), [Some(1), Some(1), Some(1), Some(4)]);
    }

    #[test]
    fn predictions_agree_or_differ_by_the_order() {
        let of = |all: &[(u64, &[u64])]| compare(&layouts(all));
        let (fast, slow, slower): (&[u64], &[u64], &[u64]) = (&[100], &[200], &[300]);
        assert_eq!(of(&[(1, fast), (2, slow), (3, slower)]), (Agreement::Agree, Some(1000)));
        assert_eq!(of(&[(1, slow), (2, fast)]), (Agreement::Differ, Some(-1000)));
        assert_eq!(of(&[(1, fast), (1, fast)]), (Agreement::NoDifference, None));
        assert_eq!(of(&[(1, fast), (2, fast)]), (Agreement::NotSeen, None));
        assert_eq!(of(&[(1, fast), (1, slow)]), (Agreement::NotPredicted, None));
        assert_eq!(of(&[(1, fast), (1, slow), (2, slower)]).0, Agreement::NotPredicted);
        assert_eq!(of(&[(1, fast)]), (Agreement::Nothing, None));
        // Ranks 1.5, 1.5, 3 beside 1, 2, 3: √3 / 2.
        assert_eq!(of(&[(1, fast), (1, slow), (2, slower)]).1, Some(866));
    }

    #[test]
    fn times_are_those_of_one_dispatch() {
        assert_eq!(time(5_000_000, 2), "2.500 ms");
        assert_eq!(time(5_000, 2), "2.50 µs");
        assert_eq!(time(500, 1), "500 ns");
        assert_eq!(time(500, 0), "500 ns");
    }
}
