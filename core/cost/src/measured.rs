//! Times of the layouts on a device, beside the order that is predicted for them.
//!
//! What is predicted is the number of passes of memory accesses: a wave's access takes one for each line that its lanes
//! touch, and those of shared memory one for each pass of LDS. Layouts with the same number are predicted to be equal.

use lanescope_base::named_enum;
use lanescope_run::{Clock, Samples, Spread, Timing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::names::order_name;
use crate::report::{Cost, Counts};

/// Times closer than this share are not decided, however steady each is; nor is a clock steady that spreads further.
const RESOLUTION: f64 = 0.02;
/// Fewer samples say nothing of their spread.
const LEAST_SAMPLES: usize = 5;

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
    /// The orders of workgroups; absent where the dispatch has too few workgroups for tiles.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub orders: Option<MeasuredOrders>,
    /// What limits the times.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
}

/// The orders of workgroups on a device, in the layout that it has without a rewritten module. What is predicted of them are
/// the lines of windows ([`crate::OrderCost::lines`]).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MeasuredOrders {
    /// The times of each order: `row-major`, `tiles of 8×8`.
    pub orders: Vec<LayoutTimes>,
    /// Whether they are as predicted.
    pub agreement: Agreement,
    /// What is predicted and measured, as a sentence.
    pub text: String,
    /// As that of the layouts.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rank_correlation: Option<i32>,
}

/// An order of workgroups that was timed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimedOrder {
    /// The side of its tiles; none for row-major.
    pub tile: Option<u32>,
    /// The index of its times, or why it was not timed.
    pub time: Result<usize, String>,
}

/// A layout on a device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LayoutTimes {
    /// Its tiles: `8×N strips of 2×2 quads`.
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
    /// One more than the number of layouts that are faster beyond the spread of both. Absent with fewer than five samples.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub place: Option<u32>,
}

named_enum!(
    /// What times say of a prediction. A layout is faster than another where the middle halves of their times do not
    /// overlap and their medians differ by more than 2 %.
    Agreement {
        /// No layout is faster against the prediction, and some that were predicted to differ do.
        Agree = "agree",
        /// A layout is faster than one with fewer passes.
        Differ = "differ",
        /// No layout is faster than another, and equal numbers were predicted.
        NoDifference = "no-difference",
        /// No layout is faster against the prediction, but some are faster than others with equal numbers.
        NotPredicted = "not-predicted",
        /// No layout is faster than another, though different numbers were predicted.
        NotSeen = "not-seen",
        /// Fewer than two layouts are counted and have enough samples.
        Nothing = "nothing",
    }
);

/// What is predicted of a layout.
fn passes(total: &Counts, line: u32) -> u64 {
    total.lines(line).saturating_add(total.lds_passes)
}

impl Cost {
    /// Puts the times of its layouts beside their counts. `times` has one for each layout, or why it was not timed, in the
    /// order of [`Cost::layouts`]; the accesses are counted in waves of the device's size. `orders` are those of workgroups,
    /// if any. `notes` say what else limits them.
    pub fn measure(
        &mut self,
        timing: &Timing,
        times: &[Result<usize, String>],
        orders: &[TimedOrder],
        notes: &[String],
    ) {
        let is_counted = self.counted > 0;
        let layouts = self.layouts.iter().zip(times).map(|(layout, time)| {
            let predicted = layout.total.as_ref().filter(|_| is_counted).map(|total| passes(total, self.line));
            times_of(timing, layout.layout.clone(), time, predicted)
        });
        let mut layouts: Vec<LayoutTimes> = layouts.collect();
        place(&mut layouts);
        let compared = compare(&layouts);
        let own = limits(timing, self).into_iter();
        self.measured = Some(Measured {
            device: timing.device.clone(),
            subgroup: timing.subgroup,
            clock: timing.clock,
            dispatches: timing.dispatches,
            text: sentence(&compared, &layouts, timing.dispatches, "layout"),
            layouts,
            agreement: compared.agreement,
            rank_correlation: compared.rank_correlation,
            orders: self.measured_orders(timing, orders),
            notes: own.chain(notes.iter().cloned()).collect(),
        });
    }

    fn measured_orders(&self, timing: &Timing, orders: &[TimedOrder]) -> Option<MeasuredOrders> {
        if orders.len() < 2 {
            return None;
        }
        let row = |timed: &TimedOrder| {
            let known = self.orders.iter().flat_map(|orders| &orders.orders).find(|order| order.tile == timed.tile);
            times_of(timing, order_name(timed.tile), &timed.time, known.and_then(|order| order.lines))
        };
        let mut orders: Vec<LayoutTimes> = orders.iter().map(row).collect();
        place(&mut orders);
        let compared = compare(&orders);
        Some(MeasuredOrders {
            text: sentence(&compared, &orders, timing.dispatches, "order"),
            orders,
            agreement: compared.agreement,
            rank_correlation: compared.rank_correlation,
        })
    }
}

fn times_of(timing: &Timing, name: String, time: &Result<usize, String>, predicted: Option<u64>) -> LayoutTimes {
    let samples = time.as_ref().ok().and_then(|at| timing.variants.get(*at));
    LayoutTimes {
        layout: name,
        samples: samples.map(|samples| samples.nanoseconds.clone()).unwrap_or_default(),
        not_timed: time.as_ref().err().cloned(),
        predicted,
        place: None,
    }
}

/// A sentence with the correlation of ranks.
fn correlated(text: &str, rank_correlation: Option<i32>) -> String {
    match rank_correlation {
        Some(thousandths) => format!("{text} Rank correlation {:.3}.", f64::from(thousandths) / 1000.0),
        None => text.to_owned(),
    }
}

impl Measured {
    /// What was measured beside what was predicted, with the correlation of their ranks.
    pub fn sentence(&self) -> String {
        correlated(&self.text, self.rank_correlation)
    }
}

impl MeasuredOrders {
    /// The same of the orders.
    pub fn sentence(&self) -> String {
        correlated(&self.text, self.rank_correlation)
    }
}

impl LayoutTimes {
    /// The middle of its times, and how far they spread.
    pub fn spread(&self) -> Option<Spread> {
        Samples { nanoseconds: self.samples.clone() }.spread()
    }
}

/// Gives each layout with enough samples its place.
fn place(layouts: &mut [LayoutTimes]) {
    let spreads: Vec<Option<Spread>> = layouts.iter().map(decisive).collect();
    for (layout, own) in layouts.iter_mut().zip(&spreads) {
        let Some(own) = own else { continue };
        let faster = spreads.iter().flatten().filter(|other| is_later(own, other)).count();
        layout.place = u32::try_from(faster + 1).ok();
    }
}

/// The spread of times that are enough to decide by.
fn decisive(layout: &LayoutTimes) -> Option<Spread> {
    layout.spread().filter(|_| layout.samples.len() >= LEAST_SAMPLES)
}

fn is_later(one: &Spread, than: &Spread) -> bool {
    let apart = one.median.saturating_sub(than.median) as f64;
    apart > RESOLUTION * than.median as f64 && one.lower > than.upper
}

/// What comes of a comparison.
struct Compared {
    agreement: Agreement,
    /// Pairs of layouts for which different numbers were predicted, and how many of them differ so in time.
    predicted: [usize; 2],
    rank_correlation: Option<i32>,
}

/// Compares each pair of layouts that are counted and have enough samples.
fn compare(layouts: &[LayoutTimes]) -> Compared {
    let both: Vec<(u64, u32, Spread)> =
        layouts.iter().filter_map(|one| Some((one.predicted?, one.place?, decisive(one)?))).collect();
    let (mut differing, mut seen, mut against, mut equal) = (0, 0, 0, 0);
    for (at, one) in both.iter().enumerate() {
        for other in both.iter().skip(at + 1) {
            let (less, more) = if one.0 <= other.0 { (one, other) } else { (other, one) };
            let (later, earlier) = (is_later(&more.2, &less.2), is_later(&less.2, &more.2));
            match less.0 == more.0 {
                true => equal += usize::from(later || earlier),
                false => {
                    differing += 1;
                    seen += usize::from(later);
                    against += usize::from(earlier);
                }
            }
        }
    }
    let agreement = match () {
        () if both.len() < 2 => Agreement::Nothing,
        () if against > 0 => Agreement::Differ,
        () if equal > 0 => Agreement::NotPredicted,
        () if seen > 0 => Agreement::Agree,
        () if differing > 0 => Agreement::NotSeen,
        () => Agreement::NoDifference,
    };
    let ranks = |of: &dyn Fn(&(u64, u32, Spread)) -> u64| -> Vec<f64> {
        let rank = |one: &(u64, u32, Spread)| {
            let less = both.iter().filter(|other| of(other) < of(one)).count();
            let same = both.iter().filter(|other| of(other) == of(one)).count();
            less as f64 + (same as f64 + 1.0) / 2.0
        };
        both.iter().map(rank).collect()
    };
    let rank_correlation = correlation(&ranks(&|one| one.0), &ranks(&|one| one.1.into()));
    Compared { agreement, predicted: [differing, seen], rank_correlation }
}

/// Pearson's coefficient in thousandths; none where either side does not vary.
fn correlation(a: &[f64], b: &[f64]) -> Option<i32> {
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len().max(1) as f64;
    let (of_a, of_b) = (mean(a), mean(b));
    let sum = |f: &dyn Fn(f64, f64) -> f64| a.iter().zip(b).map(|(x, y)| f(x - of_a, y - of_b)).sum::<f64>();
    let (both, first, second) = (sum(&|x, y| x * y), sum(&|x, _| x * x), sum(&|_, y| y * y));
    (first > 0.0 && second > 0.0).then(|| (1000.0 * both / (first * second).sqrt()).round() as i32)
}

/// The fastest layout or order (`noun`), and what was predicted.
fn sentence(compared: &Compared, layouts: &[LayoutTimes], dispatches: u32, noun: &str) -> String {
    let timed: Vec<(&LayoutTimes, Spread)> = layouts.iter().filter_map(|one| Some((one, decisive(one)?))).collect();
    let least = timed.iter().filter_map(|(one, _)| one.predicted).min();
    let list = |of: &dyn Fn(&LayoutTimes) -> bool| {
        let names: Vec<&str> = timed.iter().filter(|(one, _)| of(one)).map(|(one, _)| one.layout.as_str()).collect();
        names.join(", ")
    };
    let medians = || timed.iter().map(|(_, spread)| spread.median);
    let (first, last) = (medians().min().unwrap_or(0), medians().max().unwrap_or(0));
    let each = if dispatches == 1 { "" } else { " a dispatch" };
    let range = format!("{} to {}{each}", time(first, dispatches), time(last, dispatches));
    let fastest = format!(
        "fastest is {} ({}{each}), the slowest takes {:.2} times as long",
        list(&|one| one.place == Some(1)),
        time(first, dispatches),
        last as f64 / first.max(1) as f64
    );
    let [differing, seen] = compared.predicted;
    match compared.agreement {
        Agreement::Nothing => {
            format!("Nothing is compared: fewer than two {noun}s are counted and have {LEAST_SAMPLES} samples or more.")
        }
        Agreement::NoDifference => {
            format!("The times do not decide between the {noun}s ({range}), for which equal counts are predicted.")
        }
        Agreement::NotSeen => {
            format!("The times do not decide between the {noun}s ({range}), though different counts are predicted.")
        }
        Agreement::Agree => format!(
            "No {noun} is faster against the prediction, and {seen} of {differing} predicted differences are seen: {fastest}."
        ),
        Agreement::NotPredicted => format!(
            "No {noun} is faster against the prediction, but {noun}s with equal counts take different times: {fastest}."
        ),
        Agreement::Differ => {
            format!("Not in the predicted order: {fastest}; predicted is {}.", list(&|one| one.predicted == least))
        }
    }
}

/// A time of so many dispatches as that of one.
pub(crate) fn time(nanoseconds: u64, dispatches: u32) -> String {
    let one = nanoseconds as f64 / f64::from(dispatches.max(1));
    match one {
        _ if one >= 1e6 => format!("{:.3} ms", one / 1e6),
        _ if one >= 1e3 => format!("{:.2} µs", one / 1e3),
        _ => format!("{one:.0} ns"),
    }
}

/// What limits the times.
fn limits(timing: &Timing, cost: &Cost) -> Vec<String> {
    let mut notes = Vec::new();
    let samples = timing.variants.iter().map(|variant| variant.nanoseconds.len()).max().unwrap_or(0);
    if samples < timing.wanted_rounds as usize {
        let wanted = timing.wanted_rounds;
        notes.push(format!("{samples} of {wanted} rounds were run: more would take longer than the time limit allows"));
    }
    if timing.clock == Clock::Host {
        notes.push("the device has no timestamps: the times are the host's, of whole submissions".to_owned());
    }
    if !timing.device_memory {
        notes.push("not all buffers are in memory of the device: the others are reached over the bus".to_owned());
    }
    let steady = timing.reference.as_ref().filter(|reference| reference.nanoseconds.len() >= LEAST_SAMPLES);
    match steady.and_then(Samples::spread) {
        Some(steady) => {
            let range = (steady.upper - steady.lower) as f64 / steady.median.max(1) as f64;
            let (took, share) = (time(steady.median, 1), 50.0 * range);
            let said =
                format!("a shader that only computes took {took} in each round, ± {share:.1} % in the middle half");
            notes.push(match range > RESOLUTION {
                true => format!("the device was not steady: {said}"),
                false => format!("the device's clock was steady: {said}"),
            });
        }
        None => notes.push("whether the device's clock was steady is not known".to_owned()),
    }
    let [fewest, most] = timing.subgroup_range;
    if fewest != most {
        let lanes = timing.subgroup;
        notes.push(format!("subgroups may have {fewest} to {most} lanes: that they had {lanes} is not known"));
    }
    notes.push(format!("lines of {} bytes are those of {}; the device's may be others", cost.line, cost.chip));
    notes.push(
        "each dispatch finds what those before it wrote; accesses are counted with the first contents".to_owned(),
    );
    notes.extend(timing.warnings.iter().map(|warning| format!("validation: {warning}")));
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Layouts with these predictions; each has the middle of its times and what they spread to either side.
    fn layouts(of: &[(u64, u64, u64)]) -> Vec<LayoutTimes> {
        let layout = |(predicted, median, spread): &(u64, u64, u64)| LayoutTimes {
            layout: format!("layout {predicted}"),
            samples: [0, 1, 2, 3, 4].map(|at| median + spread * at - 2 * spread).to_vec(),
            not_timed: None,
            predicted: Some(*predicted),
            place: None,
        };
        let mut all: Vec<LayoutTimes> = of.iter().map(layout).collect();
        place(&mut all);
        all
    }

    fn places(of: &[(u64, u64, u64)]) -> Vec<u32> {
        layouts(of).iter().map(|one| one.place.expect("enough samples")).collect()
    }

    #[test]
    fn places_follow_what_is_decided() {
        // One per cent apart, half as much again, and half as much again but as noisy.
        assert_eq!(places(&[(1, 1000, 1), (1, 1010, 1)]), [1, 1]);
        assert_eq!(places(&[(1, 1500, 1), (1, 1000, 1)]), [2, 1]);
        assert_eq!(places(&[(1, 1500, 600), (1, 1000, 1)]), [1, 1]);
        assert_eq!(places(&[(1, 1000, 1), (1, 1000, 1), (1, 1000, 1), (1, 2000, 1)]), [1, 1, 1, 4]);
        // The widest overlaps both others, which are apart.
        assert_eq!(places(&[(1, 1000, 1), (1, 1100, 120), (1, 1100, 1)]), [1, 1, 2]);
        let mut few = layouts(&[(1, 1000, 1), (2, 2000, 1)]);
        few.iter_mut().for_each(|one| one.samples.truncate(LEAST_SAMPLES - 1));
        few.iter_mut().for_each(|one| one.place = None);
        place(&mut few);
        assert!(few.iter().all(|one| one.place.is_none()));
        assert_eq!(compare(&few).agreement, Agreement::Nothing);
    }

    #[test]
    fn predictions_agree_or_differ_by_pairs_that_are_decided() {
        let of = |all: &[(u64, u64, u64)]| {
            let Compared { agreement, rank_correlation, predicted } = compare(&layouts(all));
            (agreement, rank_correlation, predicted)
        };
        assert_eq!(of(&[(1, 100, 0), (2, 200, 0), (3, 300, 0)]), (Agreement::Agree, Some(1000), [3, 3]));
        assert_eq!(of(&[(1, 100, 0), (2, 100, 0), (3, 300, 0)]).2, [3, 2]);
        assert_eq!(of(&[(1, 200, 0), (2, 100, 0)]), (Agreement::Differ, Some(-1000), [1, 0]));
        assert_eq!(of(&[(1, 100, 0), (1, 100, 0)]), (Agreement::NoDifference, None, [0, 0]));
        assert_eq!(of(&[(1, 100, 0), (2, 100, 0)]), (Agreement::NotSeen, None, [1, 0]));
        assert_eq!(of(&[(1, 100, 0), (1, 200, 0)]).0, Agreement::NotPredicted);
        // Ranks 1.5, 1.5, 3 beside 1, 2, 3: √3 / 2.
        assert_eq!(of(&[(1, 100, 0), (1, 200, 0), (2, 300, 0)]).1, Some(866));
        assert_eq!(of(&[(1, 100, 0)]).0, Agreement::Nothing);
        // Neither of the wide ones is decided against the other, though one alone is later than the first.
        assert_eq!(of(&[(1, 1000, 1), (2, 1100, 120), (2, 1100, 1)]).0, Agreement::Agree);
        assert_eq!(of(&[(1, 1000, 1), (3, 1100, 120), (2, 1100, 1)]).0, Agreement::Agree);
    }

    #[test]
    fn times_are_those_of_one_dispatch() {
        assert_eq!(time(5_000_000, 2), "2.500 ms");
        assert_eq!(time(5_000, 2), "2.50 µs");
        assert_eq!(time(500, 1), "500 ns");
        assert_eq!(time(500, 0), "500 ns");
    }
}
