//! What a run has left as checks of a script: which numbers, and how far they may differ elsewhere.

use lanescope_amber::bytes::numbers;
use lanescope_amber::script::command::{Comparison, Tolerance};
use lanescope_amber::script::{Buffer, Script};
use lanescope_amber::types::format::Mode;
use lanescope_amber::types::layout::Layout;
use lanescope_amber::types::{DataType, Scalar};
use lanescope_amber::{Check, Number};

/// Numbers of one check, where they are in no rows.
const NUMBERS: usize = 256;
/// The part of the greatest number of a buffer by which others may differ: of floating point numbers, of those of 16 bits,
/// and where images are filtered, which devices do with 8 bits of weight or less.
const PART: f64 = 1e-4;
const PART_OF_HALF: f64 = 4e-3;
const PART_OF_FILTERED: f64 = 1e-2;
/// The most of such a part by which a number may change where a picture moves.
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

/// Checks of a buffer, and how many of its elements are in none.
pub(super) struct Expected {
    pub checks: Vec<Check>,
    pub left_out: usize,
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
    let rule = Rule::of(&buffer.ty, &layout, &all, tolerated);
    let each = layout.segments.len();
    let spreads: Vec<f64> = (0..all.len() / each).map(|element| spread(&all, &others, element * each, each)).collect();
    let row = buffer.extent().map(|[width, ..]| width as usize).filter(|width| width * each <= 4 * NUMBERS);
    let elements = row.unwrap_or(NUMBERS / each).max(1);
    let mut out = Expected { checks: Vec::new(), left_out: 0 };
    for begin in (0..spreads.len()).step_by(elements) {
        let end = spreads.len().min(begin + elements);
        let mut at = begin;
        while at < end {
            let stays = (at..end).take_while(|element| rule.holds(spreads[*element])).count();
            if stays == 0 {
                out.left_out += 1;
                at += 1;
                continue;
            }
            let offset = (at as u64).checked_mul(u64::from(layout.size)).and_then(|offset| u32::try_from(offset).ok());
            let most = spreads[at..at + stays].iter().copied().fold(0.0, f64::max);
            out.checks.push(Check::Values {
                offset: offset.ok_or_else(|| format!("`{}` past 4 GiB", buffer.name))?,
                comparison: Comparison::Equal,
                tolerances: rule.tolerance(most).into_iter().collect(),
                values: all[at * each..(at + stays) * each].to_vec(),
            });
            at += stays;
        }
    }
    Ok(out)
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
    /// By this, or by what changes up to a limit; at most so much.
    Within { least: f64, most: f64, cap: f64 },
    /// By so much, as it was given.
    Given(f64),
}

impl Rule {
    fn of(ty: &DataType, layout: &Layout, all: &[Number], tolerated: Tolerated) -> Rule {
        let scalars: Vec<Scalar> = layout.segments.iter().map(|one| one.scalar).collect();
        let is_float = |index: usize| scalars[index % scalars.len()].is_float();
        let has_floats = scalars.iter().any(|scalar| scalar.is_float());
        let normalized = match ty {
            DataType::Format(format) if format.packed.is_some() => return Rule::Exact,
            DataType::Format(format) => {
                let is = |mode: Mode| matches!(mode, Mode::Unorm | Mode::Snorm | Mode::Srgb);
                let bits = format.components.iter().filter(|one| is(one.mode)).map(|one| one.bits).max();
                bits.map(|bits| 2f64.powi(i32::from(bits)) - 1.0)
            }
            _ => None,
        };
        let greatest = match normalized {
            Some(greatest) => greatest,
            None if !has_floats => return Rule::Exact,
            None => {
                let floats = all.iter().enumerate().filter(|(index, _)| is_float(*index)).map(|(_, one)| one.value());
                floats.map(f64::abs).filter(|value| value.is_finite()).fold(0.0, f64::max)
            }
        };
        if let Some(given) = tolerated.given {
            return Rule::Given(normalized.map_or(given, |greatest| (given * greatest).ceil()));
        }
        let part = match (tolerated.filtered, scalars.contains(&Scalar::Float16)) {
            (true, _) => PART_OF_FILTERED,
            (false, true) => PART_OF_HALF,
            (false, false) => PART,
        };
        // A normalized number is rounded: one more or less is within what any device may do.
        let step = if normalized.is_some() { 1.0 } else { LEAST };
        let is_mixed = has_floats && !scalars.iter().all(|scalar| scalar.is_float());
        let cap = if is_mixed { BETWEEN_INTEGERS } else { f64::INFINITY };
        Rule::Within { least: (greatest * part).max(step), most: (greatest * MOST).max(step), cap }
    }

    /// Whether an element that changes so much is checked.
    fn holds(self, spread: f64) -> bool {
        match self {
            Rule::Exact => spread == 0.0,
            Rule::Within { most, .. } => spread * APART <= most,
            Rule::Given(given) => spread <= given,
        }
    }

    /// How far numbers may differ of which none changes more than this.
    fn tolerance(self, spread: f64) -> Option<Tolerance> {
        let value = match self {
            Rule::Exact => return None,
            Rule::Within { least, cap, .. } => rounded(least.max(spread * APART)).min(cap),
            Rule::Given(given) => given,
        };
        Some(Tolerance { value, is_percent: false })
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

    fn of(buffer: &str, bytes: &[u8], others: &[&[u8]], tolerated: Tolerated) -> (Vec<String>, usize) {
        let script = read(format!("#!amber\nSTRUCT s\n uint32 a\n float b\nEND\nBUFFER b {buffer}\n").as_bytes());
        let script = script.expect("reads");
        let found = expected((&script, &script.buffers[0]), bytes, others, tolerated).expect("has checks");
        let text = |check: &Check| {
            let Check::Values { offset, tolerances, .. } = check else { panic!("checks values") };
            format!("{offset} {:?} {}", tolerances.first().map(|one| one.value), check.expected())
        };
        (found.checks.iter().map(text).collect(), found.left_out)
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
        assert_eq!(of("DATA_TYPE float DATA 0 0 END", &floats, &[], filtered).0, ["0 Some(0.2) 1.0 -20.0"]);
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
        let (checks, left_out) =
            of("DATA_TYPE float DATA 0 0 0 0 END", &floats, &[&floats, &moved], Tolerated::default());
        assert_eq!((checks.as_slice(), left_out), (&["0 Some(0.08) 1.0 2.0".to_owned()][..], 2));
        let bytes = [1, 2, 3, 4];
        let (checks, left_out) = of("DATA_TYPE uint8 DATA 0 0 0 0 END", &bytes, &[&[1, 9, 3, 4]], Tolerated::default());
        assert_eq!((checks, left_out), (vec!["0 None 1".to_owned(), "2 None 3 4".to_owned()], 1));
    }
}
