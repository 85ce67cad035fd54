//! What makes the values of a form, as numbers: those of two expressions are equal where the same operations are applied to
//! the same inputs, but for the order of operands that may be exchanged.

use std::collections::{BTreeSet, HashSet};
use std::hash::Hasher;

use xxhash_rust::xxh3::Xxh3;

use super::super::nir::{Nir, Node, Statement};
use super::super::same::{COMMUTATIVE, HINTS, numbered};
use super::super::values::follow;
use super::shape::{is_by_component, operands};
use super::values::{Given, Value};

/// How often values that loops carry are looked at. Two that differ are found to differ after as many times as there are
/// such values in both forms: with more than half as many in one, nothing is known of them.
const PASSES: usize = 16;

/// Loads of consecutive components at a number of bytes from where they begin; the first two from constant memory.
pub(super) const LOADS: [&str; 3] = ["load_smem_amd", "load_global_amd", "load_buffer_amd"];

/// Whether it loads from constant memory.
pub(super) fn is_constant(statement: &Statement<'_>) -> bool {
    LOADS[..2].contains(&statement.op)
}

/// A number of others.
fn hash(of: impl IntoIterator<Item = u64>) -> u64 {
    let mut hasher = Xxh3::new();
    of.into_iter().for_each(|number| hasher.write_u64(number));
    hasher.finish()
}

/// The digests of a form's components, by statement.
pub(super) fn digests(nir: &Nir<'_>, given: &Given<'_>) -> Vec<Vec<u64>> {
    let carried = carried(nir);
    let mut form = Form { nir, given, unknown: HashSet::new(), of: Vec::new() };
    form.of = nir.statements.iter().map(|s| vec![0; s.dest.map_or(0, |dest| usize::from(dest.components))]).collect();
    form.pass();
    if carried.is_empty() {
        return form.of;
    }
    (1..PASSES).for_each(|_| form.pass());
    let found: BTreeSet<u64> = carried.iter().filter_map(|index| form.of.get(*index)).flatten().copied().collect();
    if found.len() > PASSES / 2 {
        form.unknown = carried;
        (0..PASSES).for_each(|_| form.pass());
    }
    form.of
}

/// The phis that take what is made after them.
fn carried(nir: &Nir<'_>) -> HashSet<usize> {
    let takes_later = |index: usize, statement: &Statement<'_>| {
        let mut made = statement.operands.iter().filter_map(|operand| nir.made(operand.name));
        made.any(|(made, _)| made >= index)
    };
    let phis = nir.statements.iter().enumerate().filter(|(_, statement)| statement.op == "phi");
    phis.filter(|(index, statement)| takes_later(*index, statement)).map(|(index, _)| index).collect()
}

/// A form whose digests are made.
struct Form<'n, 't, 'f> {
    nir: &'n Nir<'t>,
    given: &'n Given<'f>,
    /// Statements of which nothing is known.
    unknown: HashSet<usize>,
    of: Vec<Vec<u64>>,
}

impl Form<'_, '_, '_> {
    fn pass(&mut self) {
        for (index, statement) in self.nir.statements.iter().enumerate() {
            let all = (0..statement.dest.map_or(0, |dest| dest.components)).map(|c| self.one(statement, (index, c)));
            let all = all.collect();
            if let Some(of) = self.of.get_mut(index) {
                *of = all;
            }
        }
    }

    fn get(&self, node: Node) -> u64 {
        self.of.get(node.0).and_then(|all| all.get(usize::from(node.1))).copied().unwrap_or(0)
    }

    fn one(&self, statement: &Statement<'_>, node: Node) -> u64 {
        if let Some(known) = self.given.known.get(&node) {
            return known.digest;
        }
        let width = statement.dest.map_or(32, |dest| dest.bits);
        if let Some(value) = self.nir.constant(node).and_then(|text| Value::constant(text, width)) {
            return value.digest;
        }
        match follow(self.nir, node) {
            Some(made) if made == node => {}
            made => return made.map_or(0, |made| self.get(made)),
        }
        let is_known = statement.operands.iter().all(|operand| operand.plain && self.nir.nodes(operand).is_some())
            && !self.unknown.contains(&node.0)
            && !statement.reads_register()
            && (statement.op != "phi" || self.nir.region(node.0).is_some());
        if !is_known {
            return unlike(self.given.form, node);
        }
        let place = (!is_by_component(self.nir, statement)).then_some(node.1);
        let seed = seed(self.nir, node.0, place, self.given);
        let taken = operands(self.nir, node);
        let mut all: Vec<u64> = taken.iter().map(|node| self.get(*node)).collect();
        if let Some(pair) = all.get_mut(..2).filter(|_| COMMUTATIVE.contains(&statement.name())) {
            pair.sort_unstable();
        }
        // Wide and narrow loads, and those from an address and from one with an offset, load alike.
        if LOADS.contains(&statement.op) {
            let base = u64::from(statement.number("base").unwrap_or(0));
            let at = base + u64::from(node.1) * u64::from(width / 8);
            let offset = statement.operands.get(1).and_then(|operand| self.nir.number(operand));
            match (is_constant(statement), all.as_slice(), offset) {
                (true, [address, _], Some(offset)) => return hash([seed, *address, at + u64::from(offset)]),
                _ => all.push(at),
            }
        }
        hash([seed].into_iter().chain(all))
    }
}

/// What is like nothing else.
pub(super) fn unlike(form: &str, (index, component): Node) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.write(form.as_bytes());
    hasher.write_usize(index);
    hasher.write_u8(component);
    hasher.finish()
}

/// What tells an operation from others: its name and width, what it is told beside its operands, and the component that it
/// makes.
pub(super) fn seed(nir: &Nir<'_>, index: usize, component: Option<u8>, given: &Given<'_>) -> u64 {
    let mut hasher = Xxh3::new();
    let Some(statement) = nir.statements.get(index) else { return 0 };
    let is_load = LOADS.contains(&statement.op);
    hasher.write(if is_constant(statement) { LOADS[0] } else { statement.name() }.as_bytes());
    hasher.write_u8(statement.dest.map_or(0, |dest| dest.bits));
    if !is_load {
        hasher.write_u8(component.unwrap_or(u8::MAX));
    }
    for (name, value) in &statement.indices {
        if let Some((op, index)) = numbered(statement.op, name) {
            hasher.write_u64((given.numbered)(op, index, value));
        } else if !(HINTS.contains(name) || is_load && *name == "base") {
            hasher.write(name.as_bytes());
            hasher.write(value.as_bytes());
        }
    }
    if let Some((before, total)) = nir.occurrence(index) {
        hasher.write_u32(before);
        hasher.write_u32(total);
    }
    statement.literals.iter().for_each(|literal| hasher.write(literal.as_bytes()));
    hasher.write_u64(nir.region(index).map_or(0, |region| region.shape));
    hasher.finish()
}
