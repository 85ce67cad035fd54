//! Values of a form for some random inputs: two values that are made in different ways are the same where they agree for
//! (nearly) all of these. Roundings that differ, as of a product that was taken together with a sum, are let pass.

use std::collections::BTreeSet;
use std::hash::Hasher;

use xxhash_rust::xxh3::Xxh3;

use super::super::nir::{Nir, Node, Statement};
use super::super::same::{HINTS, numbered};
use super::operations::{Bits, apply, bits, float};

/// How many inputs.
pub(super) const LANES: usize = 16;
/// How many of them must be informative, and may differ.
const LEAST: usize = 6;
const MAY_DIFFER: usize = 3;
/// How far apart two roundings of one number may be.
const NEAR: f64 = 1e-4;
const NEAR_HALF: f64 = 1e-2;
/// The longest form that is evaluated, in statements.
const MAX_STATEMENTS: usize = 1 << 14;

/// A component of a value, for every input.
pub(super) type Lanes = [u64; LANES];

/// The values of a form.
#[derive(Debug)]
pub(super) struct Values {
    /// Those of each statement's components, with their width.
    of: Vec<(Vec<Lanes>, u8)>,
}

/// What a form's values begin with.
pub(super) trait Inputs {
    /// What a component is of, where it is known from elsewhere: a varying.
    fn known(&self, node: Node) -> Option<Lanes>;
    /// What an argument or a place of the data share is, by its intrinsic, index and number.
    fn numbered(&self, op: &'static str, index: &'static str, number: &str) -> u64;
}

impl Values {
    /// Evaluates a form; none of one that is too long.
    pub fn of(nir: &Nir<'_>, inputs: &impl Inputs) -> Option<Values> {
        (nir.statements.len() <= MAX_STATEMENTS).then_some(())?;
        let mut out = Values { of: Vec::with_capacity(nir.statements.len()) };
        for (index, statement) in nir.statements.iter().enumerate() {
            let Some(dest) = statement.dest else {
                out.of.push((Vec::new(), 0));
                continue;
            };
            let one = |component: u8| {
                let node = (index, component);
                inputs.known(node).unwrap_or_else(|| out.made(nir, statement, node, inputs))
            };
            let components = (0..dest.components).map(one).collect();
            out.of.push((components, dest.bits));
        }
        Some(out)
    }

    /// The value of a component.
    pub fn get(&self, (index, component): Node) -> Option<&Lanes> {
        self.of.get(index)?.0.get(usize::from(component))
    }

    fn width(&self, (index, _): Node) -> u8 {
        self.of.get(index).map_or(32, |(_, width)| *width)
    }

    fn made(&self, nir: &Nir<'_>, statement: &Statement<'_>, node: Node, inputs: &impl Inputs) -> Lanes {
        let width = statement.dest.map_or(32, |dest| dest.bits);
        let component = usize::from(node.1);
        let operands: Vec<Vec<Node>> = statement.operands.iter().map(|o| nir.nodes(o).unwrap_or_default()).collect();
        match statement.op {
            "load_const" => return [nir.constant(node).and_then(number).unwrap_or(0); LANES],
            "undefined" => return [0; LANES],
            "phi" => {
                let defined = |name: &&str| nir.made(name).is_none_or(|(_, made)| made.op != "undefined");
                let all: BTreeSet<&str> = statement.operands.iter().map(|o| o.name).filter(defined).collect();
                let only = all.first().filter(|_| all.len() == 1).and_then(|name| nir.made(name));
                if let Some(value) = only.and_then(|(index, _)| self.get((index, node.1))) {
                    return *value;
                }
            }
            op if op.starts_with("vec") => {
                if let Some(value) = operands.get(component).and_then(|nodes| self.get(*nodes.first()?)) {
                    return *value;
                }
            }
            _ => {}
        }
        // Component for component, or all components into one.
        let components = statement.dest.map_or(1, |dest| usize::from(dest.components));
        let alike = !statement.is_intrinsic && operands.iter().all(|nodes| nodes.len() == components);
        let taken: Vec<Node> = match alike {
            true => operands.iter().filter_map(|nodes| nodes.get(component).copied()).collect(),
            false => operands.iter().flatten().copied().collect(),
        };
        let plain = statement.operands.iter().all(|operand| operand.plain) && statement.literals.is_empty();
        let place = (!alike).then_some(node.1);
        let seed = seed(statement, place, inputs);
        let added = offset(statement, node.1, width);
        let is_float = FLOAT.iter().any(|begin| statement.op.starts_with(begin));
        std::array::from_fn(|lane| {
            let of = |node: &Node| (self.get(*node).map_or(0, |lanes| lanes[lane]), self.width(*node));
            let values: Vec<_> = taken.iter().map(of).collect();
            if let (true, Some(added), [(address, _), (by, _)]) = (is_constant(statement), added, values.as_slice()) {
                return random(&[seed, address.wrapping_add(*by).wrapping_add(added)], lane, width, false);
            }
            let known = (alike && plain).then(|| apply(statement.op, width, &values)).flatten();
            known.unwrap_or_else(|| {
                let value = |value: &Bits| if is_float { coarse(*value) } else { value.0 };
                let begin = [seed, added.unwrap_or(0)].into_iter();
                random(&begin.chain(values.iter().map(value)).collect::<Vec<_>>(), lane, width, taken.is_empty())
            })
        })
    }
}

/// Whether two values of a width are the same, as far as the inputs show.
pub(super) fn same(left: &Lanes, right: &Lanes, width: u8) -> bool {
    let (mut equal, mut different) = (0, 0);
    for (a, b) in left.iter().zip(right) {
        let (x, y) = (float((*a, width)), float((*b, width)));
        // What is not a number says little.
        if x.is_nan() && y.is_nan() {
            continue;
        }
        let near = if width == 16 { NEAR_HALF } else { NEAR };
        let alike = a == b || (x - y).abs() <= near * x.abs().max(y.abs()).max(1e-2);
        *(if alike { &mut equal } else { &mut different }) += 1;
    }
    equal >= LEAST && different <= MAY_DIFFER
}

/// A value that is like no other one.
pub(super) fn unlike(seed: u64, width: u8) -> Lanes {
    std::array::from_fn(|lane| random(&[seed], lane, width, true))
}

/// Whether a value is the same for every input.
pub(super) fn is_one(lanes: &Lanes) -> bool {
    lanes.iter().all(|lane| lane == &lanes[0])
}

/// A constant, as printed.
pub(super) fn number(text: &str) -> Option<u64> {
    match text {
        "true" => Some(1),
        "false" => Some(0),
        _ => u64::from_str_radix(text.strip_prefix("0x")?, 16).ok(),
    }
}

/// What tells an operation from others: its name, what it is told beside its operands, and the component that it makes.
fn seed(statement: &Statement<'_>, component: Option<u8>, inputs: &impl Inputs) -> u64 {
    let mut hasher = Xxh3::new();
    // Wide and narrow loads, and those from an address and from one with an offset, load alike.
    let is_load = LOADS.contains(&statement.op);
    hasher.write(if is_constant(statement) { LOADS[0] } else { statement.op }.as_bytes());
    if !is_load {
        hasher.write_u8(component.unwrap_or(u8::MAX));
    }
    for (name, value) in &statement.indices {
        if let Some((op, index)) = numbered(statement.op, name) {
            hasher.write_u64(inputs.numbered(op, index, value));
        } else if !(HINTS.contains(name) || is_load && *name == "base") {
            hasher.write(name.as_bytes());
            hasher.write(value.as_bytes());
        }
    }
    statement.literals.iter().for_each(|literal| hasher.write(literal.as_bytes()));
    statement.operands.iter().for_each(|operand| hasher.write_u8(u8::from(operand.plain)));
    hasher.finish()
}

/// Loads of consecutive components at a number of bytes from where they begin; the first two from constant memory.
const LOADS: [&str; 3] = ["load_smem_amd", "load_global_amd", "load_buffer_amd"];
/// What names of operations on numbers that are not integers begin with.
const FLOAT: [&str; 5] = ["f", "dd", "tex", "txl", "txb"];

/// Whether it loads from constant memory.
fn is_constant(statement: &Statement<'_>) -> bool {
    LOADS[..2].contains(&statement.op)
}

/// What is added to where a load begins.
fn offset(statement: &Statement<'_>, component: u8, width: u8) -> Option<u64> {
    LOADS.contains(&statement.op).then_some(())?;
    let base = statement.number("base").unwrap_or(0);
    Some(u64::from(base) + u64::from(component) * u64::from(width / 8))
}

/// A number without what roundings differ in.
fn coarse((value, width): (u64, u8)) -> u64 {
    let number = float((value, width));
    if width < 16 || !number.is_normal() || !(1e-6..1e9).contains(&number.abs()) {
        return value;
    }
    (number * 4096.0).round().to_bits()
}

/// A number from -4 to 4 of some others; of none, it is another one for each input.
fn random(of: &[u64], lane: usize, width: u8, is_input: bool) -> u64 {
    let mut hasher = Xxh3::new();
    of.iter().for_each(|number| hasher.write_u64(*number));
    if is_input {
        hasher.write_usize(lane);
    }
    let hash = hasher.finish();
    match width {
        16 | 32 => {
            let size = 0.5 + 3.5 * (hash >> 12) as f64 / (1u64 << 52) as f64;
            bits(if hash & 1 == 0 { size } else { -size }, width)
        }
        _ => hash & u64::MAX.checked_shr(64u32.saturating_sub(width.into())).unwrap_or(0),
    }
}
