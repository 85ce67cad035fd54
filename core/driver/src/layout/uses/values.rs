//! Values of a form for some random inputs: two values that are made in different ways are taken to be the same where they
//! agree for (nearly) all of these. Roundings that differ, as of a product that was taken together with a sum, are let
//! pass. It is a help to find again what was moved: no value is a reason to say something of a varying.

use std::collections::{BTreeSet, HashMap};
use std::hash::Hasher;

use xxhash_rust::xxh3::Xxh3;

use super::super::nir::{Nir, Node, Statement};
use super::super::values::follow;
use super::digests::{LOADS, digests, is_constant, seed};
use super::operations::{Bits, apply, bits, float};
use super::shape::{is_by_component, operands};

/// How many inputs: of six, one is of a usual size, one a small integer, and the others are of any size.
const LANES: usize = 96;
/// How many different values must agree, and how many inputs may give others.
const LEAST: usize = 12;
const MAY_DIFFER: usize = 2;
/// The largest exponents of inputs.
const SPREAD: f64 = 30.0;
const SPREAD_HALF: f64 = 6.0;
/// More than any small integer.
const SMALL: u64 = 1 << 10;
/// How far apart two roundings of one number may be.
const NEAR: f64 = 1e-4;
const NEAR_HALF: f64 = 1e-2;
/// Widths below have too few values to tell any apart.
const LEAST_BITS: u8 = 16;
/// The longest form that is evaluated, in components of values.
const MAX_COMPONENTS: usize = 1 << 15;

/// A component of a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Value {
    /// What it is made by, of which inputs: equal for equal expressions.
    pub digest: u64,
    /// For every input.
    lanes: [u64; LANES],
    /// It is made by an operation on numbers that are not integers.
    is_float: bool,
}

/// The values of a form.
#[derive(Debug)]
pub(super) struct Values {
    /// Those of each statement's components, with their width.
    of: Vec<(Vec<Value>, u8)>,
}

/// What a form's values begin with.
pub(super) struct Given<'f> {
    /// What tells this form from others.
    pub form: &'static str,
    /// What components are, where it is known from elsewhere: varyings.
    pub known: HashMap<Node, Value>,
    /// What an argument or a place of the data share is, by its intrinsic, index and number.
    pub numbered: &'f dyn Fn(&'static str, &'static str, &str) -> u64,
}

impl Value {
    /// What is made by what the digest is of, and is not known otherwise: another number for each input.
    pub fn of(digest: u64, width: u8) -> Value {
        Value { digest, lanes: std::array::from_fn(|lane| random(&[digest], lane, width)), is_float: false }
    }

    /// A constant.
    pub fn constant(text: &str, width: u8) -> Option<Value> {
        let mut hasher = Xxh3::new();
        hasher.write(b"constant");
        hasher.write(text.as_bytes());
        hasher.write_u8(width);
        Some(Value { digest: hasher.finish(), lanes: [number(text)?; LANES], is_float: false })
    }

    /// The bits that it has for the first input: those of a constant.
    pub fn bits(self) -> u64 {
        self.lanes[0]
    }
}

impl Values {
    /// Evaluates a form; none of one that is too long.
    pub fn of(nir: &Nir<'_>, given: &Given<'_>) -> Option<Values> {
        let components = nir.statements.iter().filter_map(|s| s.dest).map(|dest| usize::from(dest.components));
        (components.sum::<usize>() <= MAX_COMPONENTS).then_some(())?;
        let digests = digests(nir, given);
        let mut out = Values { of: Vec::with_capacity(nir.statements.len()) };
        for (index, (statement, digests)) in nir.statements.iter().zip(&digests).enumerate() {
            let one = |(component, digest): (u8, &u64)| {
                let known = given.known.get(&(index, component)).copied();
                known.unwrap_or_else(|| out.made(nir, statement, (index, component), *digest, given))
            };
            let components = (0u8..).zip(digests).map(one).collect();
            out.of.push((components, statement.dest.map_or(0, |dest| dest.bits)));
        }
        Some(out)
    }

    /// What makes its values.
    pub fn digests(&self) -> impl Iterator<Item = u64> {
        self.of.iter().flat_map(|(values, _)| values).map(|value| value.digest)
    }

    /// The value of a component.
    pub fn get(&self, (index, component): Node) -> Option<&Value> {
        self.of.get(index)?.0.get(usize::from(component))
    }

    fn made(&self, nir: &Nir<'_>, statement: &Statement<'_>, node: Node, digest: u64, given: &Given<'_>) -> Value {
        let width = statement.dest.map_or(32, |dest| dest.bits);
        let unknown = Value::of(digest, width);
        if let Some(text) = nir.constant(node) {
            return Value::constant(text, width).unwrap_or(unknown);
        }
        match follow(nir, node) {
            Some(made) if made == node => {}
            // What is made later is not known yet.
            made => return made.and_then(|made| self.get(made)).copied().unwrap_or(unknown),
        }
        let taken = operands(nir, node);
        let values: Option<Vec<&Value>> = taken.iter().map(|node| self.get(*node)).collect();
        let plain = statement.operands.iter().all(|operand| operand.plain) && !statement.reads_register();
        let Some(values) = values.filter(|all| plain && !all.is_empty()) else {
            return unknown;
        };
        if statement.op == "phi" && nir.region(node.0).is_none() {
            return unknown;
        }
        let alike = is_by_component(nir, statement) && statement.literals.is_empty();
        let widths = || taken.iter().map(|(index, _)| self.of.get(*index).map_or(32, |(_, width)| *width));
        let place = (!is_by_component(nir, statement)).then_some(node.1);
        let seed = seed(nir, node.0, place, given);
        let added = offset(statement, node.1, width);
        let takes_floats = FLOAT.iter().any(|begin| statement.op.starts_with(begin));
        let lanes = std::array::from_fn(|lane| {
            let operands: Vec<Bits> = values.iter().map(|value| value.lanes[lane]).zip(widths()).collect();
            if let (true, Some(added), [(address, _), (by, _)]) = (is_constant(statement), added, operands.as_slice()) {
                return random(&[seed, address.wrapping_add(*by).wrapping_add(added)], lane, width);
            }
            let known = alike.then(|| apply(statement.name(), width, &operands)).flatten();
            known.unwrap_or_else(|| {
                let value = |value: &Bits| if takes_floats { coarse(*value) } else { value.0 };
                let begin = [seed, added.unwrap_or(0)].into_iter();
                random(&begin.chain(operands.iter().map(value)).collect::<Vec<_>>(), lane, width)
            })
        });
        let is_float = match statement.name() {
            "bcsel" => values.iter().skip(1).any(|value| value.is_float),
            op => width >= LEAST_BITS && MAKES_FLOAT.iter().any(|begin| op.starts_with(begin)) && !op.starts_with("f2"),
        };
        Value { digest, lanes, is_float: is_float || statement.op.starts_with("f2f") }
    }
}

/// Whether two values of a width are the same: by what makes them, or as far as the inputs show.
pub(super) fn same(left: &Value, right: &Value, width: u8) -> bool {
    if left.digest == right.digest {
        return true;
    }
    let is_float = left.is_float && right.is_float;
    let near = if width == 16 { NEAR_HALF } else { NEAR };
    let (mut equal, mut different) = (BTreeSet::new(), 0);
    for (a, b) in left.lanes.iter().zip(&right.lanes) {
        let (x, y) = (float((*a, width)), float((*b, width)));
        // What is no finite number says little, and so do two that are next to zero.
        let is_open = !(x.is_finite() && y.is_finite()) || !x.is_normal() && !y.is_normal();
        if is_float && is_open {
            continue;
        }
        let is_near = || is_float && x.is_normal() && y.is_normal() && (x - y).abs() <= near * x.abs().max(y.abs());
        if a == b || is_near() {
            equal.insert(*a);
        } else {
            different += 1;
            if different > MAY_DIFFER {
                return false;
            }
        }
    }
    width >= LEAST_BITS && equal.len() >= LEAST
}

/// A constant, as printed.
fn number(text: &str) -> Option<u64> {
    match text {
        "true" => Some(1),
        "false" => Some(0),
        _ => u64::from_str_radix(text.strip_prefix("0x")?, 16).ok(),
    }
}

/// What names of operations on numbers that are not integers begin with, and those of operations that make them.
const FLOAT: [&str; 5] = ["f", "dd", "tex", "txl", "txb"];
const MAKES_FLOAT: [&str; 9] = ["f", "dd", "tex", "txl", "txb", "i2f", "u2f", "b2f", "unpack_half"];

/// What is added to where a load begins.
fn offset(statement: &Statement<'_>, component: u8, width: u8) -> Option<u64> {
    LOADS.contains(&statement.op).then_some(())?;
    let base = statement.number("base").unwrap_or(0);
    Some(u64::from(base) + u64::from(component) * u64::from(width / 8))
}

/// A number without what roundings differ in.
fn coarse((value, width): Bits) -> u64 {
    let number = float((value, width));
    if width < LEAST_BITS || !number.is_normal() {
        return value;
    }
    let scale = (12.0 - number.abs().log2().floor()).exp2();
    ((number * scale).round() / scale).to_bits()
}

/// A number of some others, another one for each input.
fn random(of: &[u64], lane: usize, width: u8) -> u64 {
    let mut hasher = Xxh3::new();
    of.iter().for_each(|number| hasher.write_u64(*number));
    hasher.write_usize(lane);
    let hash = hasher.finish();
    match width {
        16 | 32 => {
            let part = (hash >> 12) as f64 / (1u64 << 52) as f64;
            let spread = if width == 16 { SPREAD_HALF } else { SPREAD };
            let size = match lane % 6 {
                0 => 0.5 + 3.5 * part,
                1 => return hash % SMALL,
                _ => ((2.0 * part - 1.0) * spread).exp2(),
            };
            bits(if hash & 1 == 0 { size } else { -size }, width)
        }
        _ => hash & u64::MAX.checked_shr(64u32.saturating_sub(width.into())).unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the values of two names of a form are the same.
    fn are_same(body: &str, left: &str, right: &str) -> bool {
        let text = format!("shader: MESA_SHADER_VERTEX\n{BEGIN}{body}");
        let nir = Nir::read(&text).expect("a form");
        let numbered = |_: &'static str, _: &'static str, number: &str| number.parse().unwrap_or(0);
        let given = Given { form: "test", known: HashMap::new(), numbered: &numbered };
        let values = Values::of(&nir, &given).expect("is short");
        let of = |name: &str| {
            let (index, made) = nir.made(name).expect("is made");
            (values.get((index, 0)).expect("a value"), made.dest.expect("a value").bits)
        };
        let ((a, width), (b, _)) = (of(left), of(right));
        same(a, b, width)
    }

    const BEGIN: &str = "div 32 %1 = @load_vector_arg_amd (base=1)\n\
        div 32 %2 = @load_vector_arg_amd (base=2)\n\
        con 32 %3 = load_const (0x00000003)\n\
        con 32 %4 = load_const (0x00000001)\n\
        con 32 %5 = load_const (0x42c80000 = 100.000000)\n\
        con 32 %6 = load_const (0x3f800000 = 1.000000)\n";

    #[test]
    fn expressions_are_known_again_where_they_were_rewritten() {
        let body = "div 32 %10 = fmul %1, %2\ndiv 32 %11 = fadd %10, %6\ndiv 32 %12 = ffma %2, %1, %6\n\
            div 32 %13 = fsub %10, %6\ndiv 32 %14 = iadd %1, %2\ndiv 32 %15 = isub %14, %1\n";
        assert!(are_same(body, "%11", "%12"));
        assert!(!are_same(body, "%12", "%13"));
        assert!(are_same(body, "%15", "%2"));
    }

    #[test]
    fn small_and_near_integers_are_not_the_same() {
        let body = "div 32 %10 = iand %1, %3\ndiv 32 %11 = iand %2, %3\ndiv 32 %12 = iadd %1, %4\n\
            div 1 %13 = flt %1, %6\ndiv 1 %14 = flt %2, %6\ndiv 32 %15 = b2i32 %13\ndiv 32 %16 = b2i32 %14\n\
            div 32 %17 = f2i32 %1\ndiv 32 %18 = iadd %17, %4\ndiv 8 %19 = u2u8 %10\ndiv 8 %20 = u2u8 %11\n";
        for (left, right) in [
            ("%10", "%11"),
            ("%1", "%12"),
            ("%13", "%14"),
            ("%15", "%16"),
            ("%17", "%18"),
            ("%19", "%20"),
            ("%10", "%3"),
        ] {
            assert!(!are_same(body, left, right), "{left} {right}");
        }
        // Of the same inputs they are.
        let again = format!("{body}div 32 %21 = iand %3, %1\ndiv 1 %22 = flt %1, %6\n");
        assert!(are_same(&again, "%10", "%21"));
        assert!(are_same(&again, "%13", "%22"));
    }

    #[test]
    fn clamps_show() {
        let body = "div 32 %10 = fmin %1, %5\ndiv 32 %11 = fmul %1, %6\n";
        assert!(!are_same(body, "%10", "%1"));
        assert!(are_same(body, "%11", "%1"));
    }
}
