//! The contents of buffers against what a script expects of them.

pub mod texels;

use std::fmt;

use lanescope_base::half;

use crate::number::Number;
use crate::script::command::{Check, Comparison, Tolerance};
use crate::types::format::{Channel, ImageFormat, Mode};
use crate::types::layout::{Layout, Segment};
use crate::types::{DataType, Scalar};
use texels::texel;

/// The contents of a buffer after commands.
#[derive(Debug, Clone, Copy)]
pub struct Found<'b> {
    /// Its bytes. Texels of an image follow each other without a gap, rows from the top.
    pub bytes: &'b [u8],
    /// Its type.
    pub ty: &'b DataType,
    /// Where the numbers of an element lie.
    pub layout: &'b Layout,
    /// Width and height of an image.
    pub size: Option<[u32; 2]>,
}

/// What a check found that it did not expect.
#[derive(Debug, Clone, PartialEq)]
pub struct Mismatch {
    /// Where: `byte 12, number 3`, `pixel 4, 5`.
    pub place: String,
    /// What was expected there.
    pub expected: String,
    /// What was found there.
    pub found: String,
    /// How many places of the check differ, this one included.
    pub count: usize,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, found {}", self.place, self.expected, self.found)?;
        if self.count > 1 { write!(f, " ({} differ)", self.count) } else { Ok(()) }
    }
}

/// Numbers that a text of a check shows.
const SHOWN: usize = 4;

impl Check {
    /// What is expected, as text; of many numbers the first ones.
    pub fn expected(&self) -> String {
        match self {
            Check::Values { comparison, values, .. } => {
                let sign = match comparison {
                    Comparison::Equal => "",
                    Comparison::NotEqual => "not ",
                    Comparison::Less => "less than ",
                    Comparison::LessOrEqual => "at most ",
                    Comparison::Greater => "more than ",
                    Comparison::GreaterOrEqual => "at least ",
                };
                format!("{sign}{}", shown(values))
            }
            Check::Pixels { color, alpha, .. } => {
                let all = color.iter().copied().map(Some).chain([*alpha]).zip(["R", "G", "B", "A"]);
                let all: Vec<String> = all.filter_map(|(value, name)| Some(format!("{name} {}", value?))).collect();
                all.join(", ")
            }
            Check::EqualBuffer(other) => format!("the bytes of {other}"),
            Check::Rmse { tolerance, .. } | Check::HistogramEmd { tolerance, .. } => format!("{tolerance} or less"),
        }
    }

    /// What there is where a check looks first, as text; none where that is not one place.
    pub fn found(&self, found: Found<'_>) -> Option<String> {
        match self {
            Check::Values { offset, values, .. } => {
                let each = found.layout.segments.len().max(1);
                let from = *offset as usize;
                let end = values.len().div_ceil(each).checked_mul(found.layout.size as usize)?.checked_add(from)?;
                let mut all = crate::bytes::numbers(found.bytes.get(from..end)?, found.layout)?;
                all.truncate(values.len());
                Some(shown(&all))
            }
            Check::Pixels { at, .. } => {
                let (format, [width, _]) = (found.ty.image_format()?, found.size?);
                let first = u64::from(at[1]) * u64::from(width) + u64::from(at[0]);
                let begin = usize::try_from(first.checked_mul(u64::from(format.size()))?).ok()?;
                Some(color_text(&texel(found.bytes.get(begin..)?, &format)?, &format))
            }
            Check::EqualBuffer(_) | Check::Rmse { .. } | Check::HistogramEmd { .. } => None,
        }
    }
}

fn shown(values: &[Number]) -> String {
    let first: Vec<String> = values.iter().take(SHOWN).map(Number::to_string).collect();
    first.join(" ") + if values.len() > SHOWN { " …" } else { "" }
}

/// How far floating point numbers may differ where a script states nothing.
const EPSILON: Tolerance = Tolerance { value: 0.000_001, is_percent: true };
/// How far the components of texels may differ where a script states nothing.
const TEXEL_TOLERANCE: f64 = 0.002;

/// Checks contents; `other` are those of the buffer that the check names. None where they are as expected.
pub fn check(check: &Check, found: Found<'_>, other: Option<Found<'_>>) -> Option<Mismatch> {
    let with = |compare: fn(Found<'_>, Found<'_>, f32) -> Option<Mismatch>, tolerance| match other {
        Some(other) => differing_kind(found, other).or_else(|| compare(found, other, tolerance)),
        None => Some(single("the buffer", "another buffer", "none")),
    };
    match check {
        Check::Values { offset, comparison, tolerances, values } => {
            numbers(found, *offset, *comparison, tolerances.first().copied(), values)
        }
        Check::Pixels { at, size, color, alpha, tolerances } => pixels(found, *at, *size, *color, *alpha, tolerances),
        Check::EqualBuffer(_) => with(equal, 0.0),
        Check::Rmse { tolerance, .. } => with(rmse, *tolerance),
        Check::HistogramEmd { tolerance, .. } => with(histogram, *tolerance),
    }
}

fn single(place: &str, expected: impl Into<String>, found: impl Into<String>) -> Mismatch {
    Mismatch { place: place.to_owned(), expected: expected.into(), found: found.into(), count: 1 }
}

/// A number of a buffer.
#[derive(Debug, Clone, Copy)]
enum Value {
    Float(f64),
    Integer(i128),
}

impl Value {
    fn of(bytes: &[u8], segment: Segment) -> Option<Value> {
        let (at, size) = (segment.offset as usize, segment.scalar.size() as usize);
        let mut word = [0; 8];
        word[..size].copy_from_slice(bytes.get(at..at + size)?);
        Some(Value::of_bits(u64::from_le_bytes(word), segment.scalar))
    }

    fn of_bits(bits: u64, scalar: Scalar) -> Value {
        match scalar {
            Scalar::Float16 => Value::Float(half::value(bits as u16)),
            Scalar::Float => Value::Float(f64::from(f32::from_bits(bits as u32))),
            Scalar::Double => Value::Float(f64::from_bits(bits)),
            Scalar::Uint8 => Value::Integer((bits as u8).into()),
            Scalar::Uint16 => Value::Integer((bits as u16).into()),
            Scalar::Uint32 => Value::Integer((bits as u32).into()),
            Scalar::Uint64 => Value::Integer(bits.into()),
            Scalar::Int8 => Value::Integer((bits as i8).into()),
            Scalar::Int16 => Value::Integer((bits as i16).into()),
            Scalar::Int32 => Value::Integer((bits as i32).into()),
            Scalar::Int64 => Value::Integer((bits as i64).into()),
        }
    }

    /// A number of a script beside those of this type. Negative and hexadecimal ones are the bits of the type where they
    /// fit it; what is above every number of the type stays so.
    fn expected(number: Number, scalar: Scalar) -> Value {
        let bits = 8 * scalar.size();
        match number {
            _ if matches!(scalar, Scalar::Float16 | Scalar::Float) => Value::Float(f64::from(number.value() as f32)),
            _ if scalar == Scalar::Double => Value::Float(number.value()),
            Number::Negative(value) if bits == 64 || value >= -(1 << (bits - 1)) => {
                Value::of_bits(value as u64, scalar)
            }
            Number::Hex(value) if bits == 64 || value >> bits == 0 => Value::of_bits(value, scalar),
            Number::Negative(value) => Value::Integer(value.into()),
            Number::Unsigned(value) | Number::Hex(value) => Value::Integer(value.into()),
            Number::Float(value) => Value::Float(value),
        }
    }

    fn value(self) -> f64 {
        match self {
            Value::Float(value) => value,
            Value::Integer(value) => value as f64,
        }
    }

    /// How far two numbers are apart: of integers exactly.
    fn difference(self, other: Value) -> f64 {
        match (self, other) {
            (Value::Integer(own), Value::Integer(other)) => own.abs_diff(other) as f64,
            (own, other) => (own.value() - other.value()).abs(),
        }
    }

    /// The order of two numbers; none where one is not a number.
    fn order(self, other: Value) -> Option<std::cmp::Ordering> {
        match (self, other) {
            (Value::Integer(own), Value::Integer(other)) => Some(own.cmp(&other)),
            (own, other) => own.value().partial_cmp(&other.value()),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Float(value) => write!(f, "{value}"),
            Value::Integer(value) => write!(f, "{value}"),
        }
    }
}

/// Whether a number is as near to what is expected as a tolerance asks. NaN is near NaN only.
fn is_near(found: Value, expected: Value, tolerance: Tolerance) -> bool {
    let [own, wanted] = [found, expected].map(Value::value);
    if own.is_nan() || wanted.is_nan() {
        return own.is_nan() && wanted.is_nan();
    }
    let most = if tolerance.is_percent { tolerance.value / 100.0 * wanted.abs() } else { tolerance.value };
    // Two infinities of one sign have no difference.
    found.order(expected) == Some(std::cmp::Ordering::Equal) || found.difference(expected) <= most
}

fn holds(comparison: Comparison, found: Value, expected: Value, tolerance: Option<Tolerance>) -> bool {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let is_equal = || match (tolerance, found) {
        (Some(tolerance), _) => is_near(found, expected, tolerance),
        (None, Value::Float(_)) => is_near(found, expected, EPSILON),
        (None, _) => found.order(expected) == Some(Equal),
    };
    let order = found.order(expected);
    match comparison {
        Comparison::Equal => is_equal(),
        Comparison::NotEqual => !is_equal(),
        Comparison::Less => order == Some(Less),
        Comparison::LessOrEqual => matches!(order, Some(Less | Equal)),
        Comparison::Greater => order == Some(Greater),
        Comparison::GreaterOrEqual => matches!(order, Some(Greater | Equal)),
    }
}

fn numbers(
    found: Found<'_>,
    offset: u32,
    comparison: Comparison,
    tolerance: Option<Tolerance>,
    values: &[Number],
) -> Option<Mismatch> {
    let Found { bytes, layout, .. } = found;
    let (size, each) = (layout.size as usize, layout.segments.len());
    if size == 0 || each == 0 {
        return Some(single("the buffer", "a type of numbers", found.ty.to_string()));
    }
    let begin = offset as usize;
    if !begin.is_multiple_of(size) {
        return Some(single(
            &format!("byte {begin}"),
            format!("a multiple of the element's {size} bytes"),
            "another byte",
        ));
    }
    let end = values.len().div_ceil(each).saturating_mul(size).saturating_add(begin);
    let Some(part) = bytes.get(begin..end) else {
        return Some(single(
            &format!("byte {begin}"),
            format!("{end} bytes"),
            format!("a buffer of {} bytes", bytes.len()),
        ));
    };
    let mut first: Option<Mismatch> = None;
    for (index, number) in values.iter().enumerate() {
        let segment = layout.segments[index % each];
        let expected = Value::expected(*number, segment.scalar);
        let at = index / each * size;
        let Some(value) = Value::of(&part[at..at + size], segment) else {
            return Some(single(&format!("number {index}"), "a number within its element", found.ty.to_string()));
        };
        if holds(comparison, value, expected, tolerance) {
            continue;
        }
        match &mut first {
            Some(first) => first.count += 1,
            None => {
                let place = format!("byte {}, number {index}", begin + at + segment.offset as usize);
                first = Some(single(&place, told(comparison, expected), value.to_string()));
            }
        }
    }
    first
}

fn told(comparison: Comparison, expected: Value) -> String {
    match comparison {
        Comparison::Equal => expected.to_string(),
        Comparison::NotEqual => format!("not {expected}"),
        Comparison::Less => format!("less than {expected}"),
        Comparison::LessOrEqual => format!("{expected} or less"),
        Comparison::Greater => format!("more than {expected}"),
        Comparison::GreaterOrEqual => format!("{expected} or more"),
    }
}

fn pixels(
    found: Found<'_>,
    at: [u32; 2],
    size: [u32; 2],
    color: [u8; 3],
    alpha: Option<u8>,
    tolerances: &[Tolerance],
) -> Option<Mismatch> {
    let format = &match (found.ty.image_format(), found.size) {
        (Some(format), Some(_)) => format,
        _ => return Some(single("the buffer", "an image", found.ty.to_string())),
    };
    let [width, height] = found.size.unwrap_or_default();
    let ends = [0, 1].map(|axis| u64::from(at[axis]) + u64::from(size[axis]));
    if ends[0] > u64::from(width) || ends[1] > u64::from(height) {
        let place = format!("pixel {}, {}", ends[0].saturating_sub(1), ends[1].saturating_sub(1));
        return Some(single(&place, "a pixel of the image", format!("an image of {width}×{height}")));
    }
    let all = Tolerance { value: TEXEL_TOLERANCE, is_percent: false };
    let tolerance = |index: usize| match tolerances {
        [] => all,
        [_, _, _, _] => tolerances[index],
        // Where there are not four, the first one is for all.
        [first, ..] => *first,
    };
    let expected: Vec<(Channel, f64, Tolerance)> = [Channel::R, Channel::G, Channel::B, Channel::A]
        .into_iter()
        .zip(color.into_iter().map(Some).chain([alpha]))
        .enumerate()
        .filter_map(|(index, (channel, value))| Some((channel, f64::from(f32::from(value?) / 255.0), tolerance(index))))
        .collect();
    let compares =
        |(channel, ..): &(Channel, f64, Tolerance)| format.components.iter().any(|one| one.channel == *channel);
    if !expected.iter().any(compares) {
        return Some(single("the buffer", "an image with colors", format.to_string()));
    }
    let each = format.size() as usize;
    let mut first: Option<Mismatch> = None;
    for y in at[1]..at[1] + size[1] {
        for x in at[0]..at[0] + size[0] {
            let begin = (y as usize * width as usize + x as usize) * each;
            let Some(texel) = found.bytes.get(begin..).and_then(|bytes| texel(bytes, format)) else {
                return Some(single(&format!("pixel {x}, {y}"), "a texel of known components", format.to_string()));
            };
            let is_as_expected = expected.iter().all(|(channel, value, tolerance)| {
                let own = texel.iter().find(|(own, _)| own == channel);
                // The tolerance is of the texel's value, as the reference implementation has it.
                own.is_none_or(|(_, own)| is_near(Value::Float(*value), Value::Float(*own), *tolerance))
            });
            if is_as_expected {
                continue;
            }
            match &mut first {
                Some(first) => first.count += 1,
                None => {
                    let shown = expected.iter().map(|(channel, value, _)| (*channel, *value)).collect::<Vec<_>>();
                    first = Some(single(
                        &format!("pixel {x}, {y}"),
                        color_text(&shown, format),
                        color_text(&texel, format),
                    ));
                }
            }
        }
    }
    first
}

/// A color of 255 where the format is normalized, else as it is.
fn color_text(color: &[(Channel, f64)], format: &ImageFormat) -> String {
    let normalized = format.components.iter().any(|one| matches!(one.mode, Mode::Unorm | Mode::Snorm | Mode::Srgb));
    let scale = if normalized { 255.0 } else { 1.0 };
    let text = |channel: Channel| {
        let value = color.iter().find(|(own, _)| *own == channel)?.1 * scale;
        Some(format!("{channel} {}", (value * 1000.0).round() / 1000.0))
    };
    let shown: Vec<String> = [Channel::R, Channel::G, Channel::B, Channel::A].into_iter().filter_map(text).collect();
    shown.join(", ")
}

/// Buffers that cannot be compared: of another type or size.
fn differing_kind(found: Found<'_>, other: Found<'_>) -> Option<Mismatch> {
    if found.ty != other.ty || found.layout != other.layout {
        return Some(single("the buffer", other.ty.to_string(), found.ty.to_string()));
    }
    let size = |of: Found<'_>| match of.size {
        Some([width, height]) => format!("{width}×{height} elements, {} bytes", of.bytes.len()),
        None => format!("{} bytes", of.bytes.len()),
    };
    (size(found) != size(other)).then(|| single("the buffer", size(other), size(found)))
}

fn equal(found: Found<'_>, other: Found<'_>, _: f32) -> Option<Mismatch> {
    let mut differ = found.bytes.iter().zip(other.bytes).enumerate().filter(|(_, (own, other))| own != other);
    let (at, (own, expected)) = differ.next()?;
    let first = single(&format!("byte {at}"), format!("{expected:#04x}"), format!("{own:#04x}"));
    Some(Mismatch { count: 1 + differ.count(), ..first })
}

fn rmse(found: Found<'_>, other: Found<'_>, tolerance: f32) -> Option<Mismatch> {
    let size = found.layout.size.max(1) as usize;
    let (mut sum, mut count) = (0.0, 0u64);
    for (own, other) in found.bytes.chunks_exact(size).zip(other.bytes.chunks_exact(size)) {
        for segment in &found.layout.segments {
            let (Some(own), Some(other)) = (Value::of(own, *segment), Value::of(other, *segment)) else {
                return Some(single("the buffer", "numbers within their elements", found.ty.to_string()));
            };
            sum += own.difference(other).powi(2);
            count += 1;
        }
    }
    if count == 0 {
        return Some(single("the buffer", "numbers to compare", found.ty.to_string()));
    }
    let rmse = (sum / count as f64).sqrt();
    // A NaN is above any tolerance.
    let is_within = rmse <= f64::from(tolerance);
    (!is_within).then(|| single("root mean square of differences", format!("{tolerance} or less"), rmse.to_string()))
}

fn histogram(found: Found<'_>, other: Found<'_>, tolerance: f32) -> Option<Mismatch> {
    let segments = &found.layout.segments;
    if segments.len() != 4 || segments.iter().any(|segment| segment.scalar != Scalar::Uint8) {
        return Some(single("the buffer", "four components of 8 bits", found.ty.to_string()));
    }
    let mut most: f64 = 0.0;
    for segment in segments {
        let bins = |of: Found<'_>| {
            let mut bins = [0u64; 256];
            let texels = of.bytes.chunks_exact(of.layout.size.max(1) as usize);
            let count = texels.len().max(1) as f64;
            texels
                .filter_map(|texel| texel.get(segment.offset as usize))
                .for_each(|byte| bins[usize::from(*byte)] += 1);
            bins.map(|bin| bin as f64 / count)
        };
        let (own, other) = (bins(found), bins(other));
        let (mut moved, mut cost) = (0.0, 0.0f64);
        for (own, other) in own.iter().zip(other) {
            moved += own - other;
            cost += f64::abs(moved);
        }
        most = most.max(cost / 256.0);
    }
    let is_within = most <= f64::from(tolerance);
    (!is_within).then(|| single("distance of histograms", format!("{tolerance} or less"), most.to_string()))
}

#[cfg(test)]
mod tests;
