//! What a fragment shader does: what it writes, and what its branches depend on.

use std::collections::BTreeMap;

use super::super::nir::{Nir, Node, Statement};
use super::super::same::HINTS;

/// The values that two forms of a shader do the same with. Where one form does something more often than the other, it is
/// not known which of them is which.
pub(super) fn roots(left: &Nir<'_>, right: &Nir<'_>) -> Vec<(Node, Node)> {
    let (left_of, right_of) = (by_kind(left), by_kind(right));
    let mut out = Vec::new();
    for (kind, all) in left_of {
        let Some(others) = right_of.get(&kind).filter(|others| others.len() == all.len()) else { continue };
        for (one, other) in all.into_iter().zip(others) {
            let (here, there) = (operands(left, one), operands(right, other));
            if here.len() == there.len() {
                out.extend(here.into_iter().zip(there));
            }
        }
    }
    out
}

/// Everything that a form does, by what it is and where it goes.
fn by_kind<'n, 't>(nir: &'n Nir<'t>) -> BTreeMap<String, Vec<&'n Statement<'t>>> {
    let mut out: BTreeMap<String, Vec<&Statement<'t>>> = BTreeMap::new();
    // Registers hold values of the compiler's own between statements.
    let is_own = |statement: &Statement<'t>| match statement.is_intrinsic {
        true => statement.op.starts_with("store_reg"),
        false => statement.op != "if",
    };
    let does =
        |statement: &&Statement<'t>| statement.dest.is_none() && !is_own(statement) || statement.op.contains("atomic");
    for statement in nir.statements.iter().filter(does) {
        let known = statement.indices.iter().filter(|(name, _)| !HINTS.contains(name));
        let kind = known.fold(statement.op.to_owned(), |kind, (name, value)| kind + " " + name + "=" + value);
        out.entry(kind).or_default().push(statement);
    }
    out
}

fn operands(nir: &Nir<'_>, statement: &Statement<'_>) -> Vec<Node> {
    statement.operands.iter().filter_map(|operand| nir.nodes(operand)).flatten().collect()
}
