//! Experimental ops that become stable: their new numbers.

use super::opcode::{Opcode, TableKind};
use super::table::Op;
use super::tables::Tables;

/// An op, and the stable number that it gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stabilised {
    /// The experimental op.
    pub op: &'static Op,
    /// The new number.
    pub to: Opcode,
}

/// Gives ops the next numbers of the stable table, without holes, in the order of the experimental table.
///
/// # Errors
///
/// A name that is not a live experimental op, or that is there twice.
pub fn stabilise(tables: Tables, names: &[String]) -> Result<Vec<Stabilised>, String> {
    let mut ops = Vec::new();
    for name in names {
        let op = match tables.by_name(name).filter(|op| !op.reserved) {
            Some(op) if op.is_experimental() => op,
            Some(op) => return Err(format!("{name}: is stable already, number {}", op.opcode.shown())),
            None => return Err(format!("{name}: no op has this name")),
        };
        if ops.contains(&op) {
            return Err(format!("{name}: is named twice"));
        }
        ops.push(op);
    }
    ops.sort_by_key(|op| op.opcode);
    let next = tables.table(TableKind::Stable).ops.len();
    let pairs = ops.into_iter().zip(next..).map(|(op, to)| {
        let to = u16::try_from(to).map_err(|_| "the stable table is full".to_owned())?;
        Ok(Stabilised { op, to: Opcode(u32::from(to)) })
    });
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_the_stable_table_in_the_order_of_the_old_ones() {
        let of = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            let found = stabilise(Tables::bundled(), &names)?;
            Ok::<_, String>(found.into_iter().map(|one| (one.op.opcode.0, one.to.0)).collect::<Vec<_>>())
        };
        let pairs = of(&["GetGroupWaveCount", "GetGroupWaveIndex"]);
        assert_eq!(pairs, Ok(vec![(0x8000_0001, 312), (0x8000_0002, 313)]));
        for (names, why) in [
            (&["LoadInput"][..], "is stable already, number 4"),
            (&["Nothing"], "no op has this name"),
            (&["ReservedE0"], "no op has this name"),
            (&["DebugBreak", "DebugBreak"], "is named twice"),
        ] {
            assert!(of(names).is_err_and(|error| error.contains(why)), "{names:?}");
        }
    }
}
