//! What a run has left as checks of a script: which numbers, and how far they may differ elsewhere.

use lanescope_amber::bytes::numbers;
use lanescope_amber::script::command::{Comparison, Tolerance};
use lanescope_amber::script::{Buffer, Script};
use lanescope_amber::types::format::Mode;
use lanescope_amber::types::layout::{Layout, Segment};
use lanescope_amber::types::{DataType, Scalar};
use lanescope_amber::{Check, Number};
use lanescope_base::text_format::counted;

/// Numbers of one check, where they are in no rows.
const NUMBERS: usize = 256;
/// The most checks of a buffer, where numbers of other sizes are in another one.
const MAX_SPLIT: usize = 4096;
/// The part of the greatest number of a check by which others may differ: of floating point numbers, of those of 16 bits,
/// and where images are filtered, which devices do with 8 bits of weight or less.
const PART: f64 = 1e-4;
const PART_OF_HALF: f64 = 4e-3;
const PART_OF_FILTERED: f64 = 1e-2;
/// The most of a number that a tolerance is, where numbers of other sizes are in the same check; or so many such parts.
const OF_LEAST: f64 = 1e-2;
const PARTS_OF_LEAST: f64 = 10.0;
/// Numbers up to this one are in one check, whatever their sizes: what cancels out leaves small ones.
const TOGETHER: f64 = 10.0;
/// The most of the greatest number by which a number may change where a picture moves.
const MOST: f64 = 1e-2;
/// Vertices are placed in steps of a part of a pixel, each for itself: they may change more than all together.
const APART: f64 = 4.0;
/// The least tolerance.
const LEAST: f64 = 1e-6;
/// What arithmetic leaves of a number of one digit.
const NOISE: f64 = 1e-9;
/// What keeps integers apart that lie among floating point numbers.
const BETWEEN_INTEGERS: f64 = 0.25;

/// How far numbers may differ.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tolerated {
    /// Floating point numbers, where that is not to be decided here; normalized ones as parts of 1.
    pub given: Option<f64>,
    /// Images are filtered.
    pub filtered: bool,
}

/// Checks of a buffer, and what is to be said of them.
#[derive(Debug, Default)]
pub(super) struct Expected {
    pub checks: Vec<Check>,
    pub notes: Vec<String>,
}

/// Checks of the numbers of a buffer, some elements each. `others` are its contents where the picture has moved: elements
/// that change much with it are in no check.
pub(super) fn expected(
    (script, buffer): (&Script, &Buffer),
    bytes: &[u8],
    others: &[&[u8]],
    tolerated: Tolerated,
) -> Result<Expected, String> {
    let layout = script.layout(&buffer.ty, buffer.packing())?;
    if layout.segments.is_empty() {
        return Err(format!("the contents of `{}`: {} has no whole numbers", buffer.name, buffer.ty));
    }
    let read = |bytes: &[u8]| numbers(bytes, &layout).ok_or_else(|| format!("the contents of `{}`", buffer.name));
    let all = read(bytes)?;
    let others = others.iter().map(|bytes| read(bytes)).collect::<Result<Vec<_>, _>>()?;
    let each = layout.segments.len();
    let is_float: Vec<bool> = layout.segments.iter().map(|one| one.scalar.is_float()).collect();
    let rule = Rule::of(&buffer.ty, &layout, tolerated);
    let elements: Vec<Element> = (0..all.len() / each)
        .map(|at| Element {
            sizes: Sizes::of(&all[at * each..(at + 1) * each], &is_float),
            spread: spread(&all, &others, at * each, each),
        })
        .collect();
    let row = buffer.extent().map(|[width, ..]| width as usize).filter(|width| width * each <= 4 * NUMBERS);
    let row = row.unwrap_or(NUMBERS / each).max(1);
    let read = Read { buffer, all, is_float, size: layout.size, rule, elements, row };
    let mut made = read.checks(true)?;
    if made.checks.len() > MAX_SPLIT.max(2 * read.elements.len() / row) {
        made = read.checks(false)?;
    }
    let Made { checks, left_out, small } = made;
    let mut out = Expected { checks, notes: Vec::new() };
    out.notes.extend(rule.note(&buffer.ty, tolerated));
    out.notes.extend(small.note());
    out.notes.extend((left_out > 0).then(|| {
        format!(
            "{} not checked: what is there changes where vertices move by 1/256 of a pixel",
            are(left_out, "element")
        )
    }));
    Ok(out)
}

/// What a buffer contains.
struct Read<'b> {
    buffer: &'b Buffer,
    all: Vec<Number>,
    /// Of each number of an element.
    is_float: Vec<bool>,
    /// Bytes of an element.
    size: u32,
    rule: Rule,
    elements: Vec<Element>,
    /// Elements of a row, or of as many numbers as are in a check.
    row: usize,
}

/// Checks of a buffer.
#[derive(Debug, Default)]
struct Made {
    checks: Vec<Check>,
    /// Elements in none.
    left_out: usize,
    small: Small,
}

impl Read<'_> {
    /// The checks; with numbers of very different sizes apart or not.
    fn checks(&self, apart: bool) -> Result<Made, String> {
        let mut out = Made::default();
        for begin in (0..self.elements.len()).step_by(self.row) {
            let end = self.elements.len().min(begin + self.row);
            let mut at = begin;
            while at < end {
                let (together, sizes) = self.rule.together(&self.elements[at..end], apart);
                let to = at + together;
                while at < to {
                    let stays = |element: &&Element| self.rule.holds(element.spread, sizes);
                    let count = self.elements[at..to].iter().take_while(stays).count();
                    if count == 0 {
                        out.left_out += 1;
                    } else {
                        self.check(at, count, sizes, &mut out)?;
                    }
                    at += count.max(1);
                }
            }
        }
        Ok(out)
    }

    /// Adds the check of some elements.
    fn check(&self, at: usize, count: usize, sizes: Sizes, out: &mut Made) -> Result<(), String> {
        let each = self.is_float.len();
        let most = self.elements[at..at + count].iter().map(|element| element.spread).fold(0.0, f64::max);
        let values = self.all[at * each..(at + count) * each].to_vec();
        let tolerance = self.rule.tolerance(most, sizes);
        let offset = (at as u64).checked_mul(u64::from(self.size)).and_then(|offset| u32::try_from(offset).ok());
        let offset = offset.ok_or_else(|| format!("`{}` past 4 GiB", self.buffer.name))?;
        out.small.count(&values, &self.is_float, tolerance);
        let (comparison, tolerances) = (Comparison::Equal, tolerance.into_iter().collect());
        out.checks.push(Check::Values { offset, comparison, tolerances, values });
        Ok(())
    }
}

/// `1 element is`, `2 elements are`.
fn are(count: usize, what: &str) -> String {
    format!("{} {}", counted(count, what), if count == 1 { "is" } else { "are" })
}

/// An element of a buffer.
#[derive(Debug, Clone, Copy)]
struct Element {
    sizes: Sizes,
    /// How much its numbers change.
    spread: f64,
}

/// The least and the greatest absolute value of floating point numbers.
#[derive(Debug, Clone, Copy)]
struct Sizes {
    least: f64,
    greatest: f64,
}

impl Sizes {
    fn of(values: &[Number], is_float: &[bool]) -> Sizes {
        let floats = values.iter().zip(is_float).filter(|(_, is_float)| **is_float).map(|(one, _)| one.value().abs());
        floats.filter(|value| value.is_finite()).fold(Sizes { least: f64::INFINITY, greatest: 0.0 }, |all, value| {
            Sizes { least: all.least.min(value), greatest: all.greatest.max(value) }
        })
    }

    fn and(self, other: Sizes) -> Sizes {
        Sizes { least: self.least.min(other.least), greatest: self.greatest.max(other.greatest) }
    }
}

/// Floating point numbers that differ from zero by less than their check tolerates.
#[derive(Debug, Default)]
struct Small {
    numbers: usize,
    /// One of them, and its tolerance.
    first: Option<(f64, f64)>,
}

impl Small {
    fn count(&mut self, values: &[Number], is_float: &[bool], tolerance: Option<Tolerance>) {
        let Some(tolerance) = tolerance else { return };
        for (value, _) in values.iter().zip(is_float.iter().cycle()).filter(|(_, is_float)| **is_float) {
            let value = value.value();
            if value != 0.0 && value.abs() < tolerance.value {
                self.numbers += 1;
                self.first.get_or_insert((value, tolerance.value));
            }
        }
    }

    fn note(&self) -> Option<String> {
        let (value, tolerance) = self.first?;
        let are = are(self.numbers, "number");
        Some(format!("{are} nearer to 0 than the tolerance of the check: first {value:e}, tolerance {tolerance:e}"))
    }
}

/// How much the numbers of an element change; without bound where one is not a number in one of them alone.
fn spread(all: &[Number], others: &[Vec<Number>], from: usize, each: usize) -> f64 {
    let mut most: f64 = 0.0;
    for other in others {
        for at in from..from + each {
            let (Some(own), Some(other)) = (all.get(at), other.get(at)) else { return f64::INFINITY };
            let (own, other) = (own.value(), other.value());
            if own.to_bits() != other.to_bits() && !(own.is_nan() && other.is_nan()) {
                let change = (own - other).abs();
                most = most.max(if change.is_nan() { f64::INFINITY } else { change });
            }
        }
    }
    most
}

/// How far the numbers of a buffer may differ, and how much they may change.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Rule {
    /// Not at all.
    Exact,
    /// By a part of the greatest one, or by what changes up to a limit; at most so much.
    Within { part: f64, cap: f64 },
    /// Normalized numbers: by a part of this, which is 1, and by a step.
    Normalized { part: f64, one: f64 },
    /// By so much, as it was given.
    Given(f64),
}

impl Rule {
    fn of(ty: &DataType, layout: &Layout, tolerated: Tolerated) -> Rule {
        let is_float = |one: &Segment| one.scalar.is_float();
        let has_floats = layout.segments.iter().any(is_float);
        let normalized = match ty {
            DataType::Format(format) if format.packed.is_some() => return Rule::Exact,
            DataType::Format(format) => {
                let is = |mode: Mode| matches!(mode, Mode::Unorm | Mode::Snorm | Mode::Srgb);
                let bits = format.components.iter().filter(|one| is(one.mode)).map(|one| one.bits).max();
                bits.map(|bits| 2f64.powi(i32::from(bits)) - 1.0)
            }
            _ => None,
        };
        let is_mixed = has_floats && !layout.segments.iter().all(is_float);
        let cap = if is_mixed { BETWEEN_INTEGERS } else { f64::INFINITY };
        let has_halves = layout.segments.iter().any(|one| one.scalar == Scalar::Float16);
        let part = match (tolerated.filtered, has_halves) {
            (true, _) => PART_OF_FILTERED,
            (false, true) => PART_OF_HALF,
            (false, false) => PART,
        };
        match (normalized, tolerated.given) {
            (Some(one), Some(given)) => Rule::Given((given * one).ceil()),
            (Some(one), None) => Rule::Normalized { part, one },
            (None, _) if !has_floats => Rule::Exact,
            (None, Some(given)) => Rule::Given(given.min(cap)),
            (None, None) => Rule::Within { part, cap },
        }
    }

    /// How many elements from the first one on are in one check, and the sizes of their numbers. With those of other sizes
    /// apart, a great number makes the tolerance of a small one no larger than a part of that.
    fn together(self, elements: &[Element], apart: bool) -> (usize, Sizes) {
        let mut all = Sizes { least: f64::INFINITY, greatest: 0.0 };
        for (count, element) in elements.iter().enumerate() {
            let more = all.and(element.sizes);
            if apart && count > 0 && !self.is_one_size(more) {
                return (count, all);
            }
            all = more;
        }
        (elements.len(), all)
    }

    fn is_one_size(self, sizes: Sizes) -> bool {
        let Rule::Within { part, cap } = self else { return true };
        let of_least = sizes.least * OF_LEAST.max(part * PARTS_OF_LEAST);
        (sizes.greatest * part).min(cap) <= of_least.max(TOGETHER * part)
    }

    /// Whether an element that changes so much is checked beside numbers of these sizes.
    fn holds(self, spread: f64, sizes: Sizes) -> bool {
        match self {
            Rule::Exact => spread == 0.0,
            Rule::Within { .. } => spread * APART <= (sizes.greatest * MOST).max(LEAST),
            // A normalized number is rounded: one more or less is within what any device may do.
            Rule::Normalized { one, .. } => spread * APART <= (one * MOST).max(1.0),
            Rule::Given(given) => spread <= given,
        }
    }

    /// How far numbers of these sizes may differ of which none changes more than this.
    fn tolerance(self, spread: f64, sizes: Sizes) -> Option<Tolerance> {
        let value = match self {
            Rule::Exact => return None,
            Rule::Within { part, cap } => rounded((sizes.greatest * part).max(LEAST).max(spread * APART)).min(cap),
            Rule::Normalized { part, one } => rounded((one * part).max(1.0).max(spread * APART)),
            Rule::Given(given) => given,
        };
        Some(Tolerance { value, is_percent: false })
    }

    /// What a user would not expect of it.
    fn note(self, ty: &DataType, tolerated: Tolerated) -> Option<String> {
        match (self, ty) {
            (Rule::Exact, DataType::Format(format)) if format.packed.is_some() => {
                Some(format!("numbers of the packed format {format} are compared exactly"))
            }
            (Rule::Given(value), ty) if tolerated.given.is_some_and(|given| value < given) => {
                Some(format!("the tolerance is {value}: {ty} has integers, which are compared exactly"))
            }
            _ => None,
        }
    }
}

/// The next number of one digit that is not less.
fn rounded(value: f64) -> f64 {
    let unit = 10f64.powi(value.log10().floor() as i32);
    let text = format!("{:e}", (value / unit - NOISE).ceil() * unit);
    // Of one digit: what division by powers of ten leaves behind it is not shown.
    let digit = text.split('e').next().and_then(|digits| digits.parse::<f64>().ok()).map(f64::round);
    let exponent = text.split('e').nth(1).and_then(|exponent| exponent.parse::<i32>().ok());
    digit.zip(exponent).and_then(|(digit, exponent)| format!("{digit}e{exponent}").parse().ok()).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_amber::read;

    fn of(buffer: &str, bytes: &[u8], others: &[&[u8]], tolerated: Tolerated) -> (Vec<String>, Vec<String>) {
        let script = read(format!("#!amber\nSTRUCT s\n uint32 a\n float b\nEND\nBUFFER b {buffer}\n").as_bytes());
        let script = script.expect("reads");
        let found = expected((&script, &script.buffers[0]), bytes, others, tolerated).expect("has checks");
        let text = |check: &Check| {
            let Check::Values { offset, tolerances, .. } = check else { panic!("checks values") };
            format!("{offset} {:?} {}", tolerances.first().map(|one| one.value), check.expected())
        };
        (found.checks.iter().map(text).collect(), found.notes)
    }

    fn words<const N: usize>(values: [f32; N]) -> Vec<u8> {
        values.iter().flat_map(|value| value.to_le_bytes()).collect()
    }

    #[test]
    fn a_tolerance_has_one_digit() {
        for (value, expected) in [(1e-6, 1e-6), (0.000_12, 0.0002), (0.99, 1.0), (3.0, 3.0), (0.3, 0.3), (123.0, 200.0)]
        {
            assert_eq!(rounded(value), expected);
        }
    }

    #[test]
    fn floating_point_numbers_may_differ_and_integers_may_not() {
        let plain = Tolerated::default();
        let floats = words([1.0, -20.0]);
        assert_eq!(of("DATA_TYPE float DATA 0 0 END", &floats, &[], plain).0, ["0 Some(0.002) 1.0 -20.0"]);
        let filtered = Tolerated { filtered: true, ..plain };
        assert_eq!(
            of("DATA_TYPE float DATA 0 0 END", &floats, &[], filtered).0,
            ["0 Some(0.01) 1.0", "4 Some(0.2) -20.0"]
        );
        let given = Tolerated { given: Some(0.5), ..plain };
        assert_eq!(of("DATA_TYPE float DATA 0 0 END", &floats, &[], given).0, ["0 Some(0.5) 1.0 -20.0"]);
        assert_eq!(of("DATA_TYPE uint32 DATA 0 END", &[7, 0, 0, 0], &[], given).0, ["0 None 7"]);
        // Integers beside them stay exact.
        let mixed = [7u32.to_le_bytes(), 1e6f32.to_le_bytes()].concat();
        assert_eq!(of("DATA_TYPE s DATA 0 0 END", &mixed, &[], plain).0, ["0 Some(0.25) 7 1000000.0"]);
        assert_eq!(of("DATA_TYPE R8G8_UNORM DATA 0 0 END", &[9, 200], &[], plain).0, ["0 Some(1.0) 9 200"]);
        assert_eq!(of("DATA_TYPE R16_UNORM DATA 0 END", &[0, 200], &[], plain).0, ["0 Some(7.0) 51200"]);
    }

    #[test]
    fn what_changes_with_the_picture_is_in_no_check() {
        let floats = words([1.0, 2.0, 10.0, 4.0]);
        let moved = words([1.0, 2.02, 7.0, f32::NAN]);
        let (checks, notes) = of("DATA_TYPE float DATA 0 0 0 0 END", &floats, &[&floats, &moved], Tolerated::default());
        assert_eq!(checks, ["0 Some(0.08) 1.0 2.0"]);
        let said = "not checked: what is there changes where vertices move by 1/256 of a pixel";
        assert_eq!(notes, [format!("2 elements are {said}")]);
        let bytes = [1, 2, 3, 4];
        let (checks, notes) = of("DATA_TYPE uint8 DATA 0 0 0 0 END", &bytes, &[&[1, 9, 3, 4]], Tolerated::default());
        assert_eq!(
            (checks, notes),
            (vec!["0 None 1".to_owned(), "2 None 3 4".to_owned()], vec![format!("1 element is {said}")])
        );
    }

    #[test]
    fn a_great_number_does_not_hide_a_small_one() {
        let plain = Tolerated::default();
        let floats = words([1e30, 0.0, 2.0, 3.0, -1e6, 0.5, 0.0]);
        let (checks, notes) = of("DATA_TYPE float SIZE 7 FILL 0", &floats, &[], plain);
        let found = [
            "0 Some(1e26) 1000000000000000000000000000000.0",
            "4 Some(0.0003) 0.0 2.0 3.0",
            "16 Some(100.0) -1000000.0",
            "20 Some(5e-5) 0.5 0.0",
        ];
        assert_eq!((checks, notes), (found.map(str::to_owned).to_vec(), Vec::new()));
        // What cancels out is as exact as what it is left of, and a number that this hides is named.
        let floats = words([8.0, -8.7e-8, 0.0]);
        let (checks, notes) = of("DATA_TYPE float SIZE 3 FILL 0", &floats, &[], plain);
        assert_eq!(checks, ["0 Some(0.0008) 8.0 -0.000000087 0.0"]);
        assert_eq!(notes.len(), 1);
        assert!(
            notes[0].starts_with("1 number is nearer to 0 than the tolerance of the check: first -8.7e-8"),
            "{notes:?}"
        );
        // What the picture changes is measured by its own check too.
        let floats = words([1e6, 0.5, 0.25]);
        let moved = words([1e6, 0.5, 0.3]);
        let (checks, notes) = of("DATA_TYPE float SIZE 3 FILL 0", &floats, &[&moved], plain);
        assert_eq!((checks.len(), notes.len()), (2, 1), "{checks:?}");
    }

    #[test]
    fn there_are_not_more_checks_than_a_script_has_room_for() {
        let mut floats: Vec<u8> = Vec::new();
        for at in 0..10_000u32 {
            let value: f32 = if at.is_multiple_of(2) { 1e6 } else { 0.5 };
            floats.extend(value.to_le_bytes());
        }
        let (checks, notes) = of("DATA_TYPE float SIZE 10000 FILL 0", &floats, &[], Tolerated::default());
        assert_eq!(checks.len(), 10_000usize.div_ceil(NUMBERS));
        let said = "5000 numbers are nearer to 0 than the tolerance of the check: first 5e-1, tolerance 1e2";
        assert_eq!(notes, [said]);
    }

    #[test]
    fn what_is_compared_exactly_is_named() {
        let given = Tolerated { given: Some(5.0), filtered: false };
        let mixed = [7u32.to_le_bytes(), 1.5f32.to_le_bytes()].concat();
        let (checks, notes) = of("DATA_TYPE s DATA 0 0 END", &mixed, &[], given);
        assert_eq!(checks, ["0 Some(0.25) 7 1.5"]);
        assert_eq!(notes, ["the tolerance is 0.25: s has integers, which are compared exactly"]);
        let (checks, notes) = of("DATA_TYPE A2B10G10R10_UNORM_PACK32 DATA 0 END", &[1, 0, 0, 0], &[], given);
        assert_eq!((checks.len(), checks[0].contains("None")), (1, true), "{checks:?}");
        assert_eq!(notes, ["numbers of the packed format A2B10G10R10_UNORM_PACK32 are compared exactly"]);
    }
}
