//! What operations are made of, and whether two are alike.

use std::collections::{BTreeMap, BTreeSet};

use super::super::nir::{Nir, Node, Statement};
use super::super::reads::Load;
use super::super::same::{HINTS, numbered};

/// Whether an operation makes each component of that component of its operands.
pub(super) fn is_by_component(nir: &Nir<'_>, statement: &Statement<'_>) -> bool {
    let components = statement.dest.map_or(1, |dest| usize::from(dest.components));
    let fits = |operand| nir.nodes(operand).unwrap_or_default().len() == components;
    !statement.is_intrinsic && statement.operands.iter().all(fits)
}

/// What a component is made of: one component of each operand, or all; of a phi also what decides between them.
pub(super) fn operands(nir: &Nir<'_>, (index, component): Node) -> Vec<Node> {
    let Some(statement) = nir.statements.get(index) else { return Vec::new() };
    let all = statement.operands.iter().map(|operand| nir.nodes(operand).unwrap_or_default());
    let mut out: Vec<Node> = match is_by_component(nir, statement) {
        true => all.filter_map(|nodes| nodes.get(usize::from(component)).copied()).collect(),
        false => all.flatten().collect(),
    };
    out.extend(nir.conditions(index));
    out
}

/// Whether two statements do the same with their operands: with the same width, constants and indices.
pub(super) fn are_alike(left: (&Nir<'_>, usize), right: (&Nir<'_>, usize)) -> bool {
    let (Some(one), Some(other)) = (left.0.statements.get(left.1), right.0.statements.get(right.1)) else {
        return false;
    };
    let indices = |statement: &Statement<'_>| -> BTreeSet<(String, String)> {
        let told = |(name, _): &&(&str, &str)| !HINTS.contains(name) && numbered(statement.op, name).is_none();
        statement.indices.iter().filter(told).map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    };
    let shape = |(nir, index): (&Nir<'_>, usize)| nir.region(index).map(|region| region.shape);
    let bits = |statement: &Statement<'_>| statement.dest.map(|dest| dest.bits);
    one.name() == other.name()
        && bits(one) == bits(other)
        && one.literals == other.literals
        && one.operands.iter().chain(&other.operands).all(|operand| operand.plain)
        && indices(one) == indices(other)
        && !one.reads_register()
        && (one.op != "phi" || shape(left).is_some() && shape(left) == shape(right))
}

/// Which statements depend on a load.
pub(super) fn depends(nir: &Nir<'_>, loads: &BTreeMap<Node, Load>) -> Vec<bool> {
    // Who takes what a statement makes; a phi also takes what decides between its operands.
    let mut takers: Vec<Vec<usize>> = vec![Vec::new(); nir.statements.len()];
    for (index, statement) in nir.statements.iter().enumerate() {
        let made = statement.operands.iter().filter_map(|operand| Some(nir.made(operand.name)?.0));
        for made in made.chain(nir.conditions(index).map(|(made, _)| made)) {
            takers.get_mut(made).into_iter().for_each(|takers| takers.push(index));
        }
    }
    let mut out = vec![false; nir.statements.len()];
    // Where it is not known what decides, anything may; and anything may be in a register.
    let is_open = |(index, s): (usize, &Statement<'_>)| {
        (s.reads_register() || s.op == "phi" && nir.region(index).is_none()).then_some(index)
    };
    let unknown = nir.statements.iter().enumerate().filter_map(is_open);
    let mut open: Vec<usize> = loads.keys().map(|(index, _)| *index).chain(unknown).collect();
    while let Some(index) = open.pop() {
        if let Some(one) = out.get_mut(index).filter(|one| !**one) {
            *one = true;
            open.extend(takers.get(index).into_iter().flatten());
        }
    }
    out
}
