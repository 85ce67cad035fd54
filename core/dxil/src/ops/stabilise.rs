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
    use proptest::prelude::*;

    use super::*;
    use crate::op_calls::calls;
    use crate::ops::text::{Renumbering, renumber};
    use crate::testing::modules;

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

    /// Tables in which ops have become stable.
    fn applied(tables: Tables, stabilised: &[Stabilised]) -> Tables {
        let mut database = tables.database().clone();
        let [stable, experimental] = database.tables.as_mut_slice() else { panic!("two tables") };
        for Stabilised { op, to } in stabilised {
            stable.ops.push(Op { opcode: *to, ..(*op).clone() });
            let slot = &mut experimental.ops[usize::from(op.opcode.index())];
            (slot.reserved, slot.name) = (true, format!("ReservedC{}", op.opcode.index()));
        }
        Tables::of(database).expect("tables")
    }

    /// A call of each op, as tests of a compiler have it.
    fn calls_of(tables: Tables) -> String {
        let live = tables.all().filter(|op| !op.reserved);
        let call = |op: &Op| {
            let callee = op.function_prefix.as_deref().unwrap_or("dx.op.none");
            format!("  %1 = call i32 @{callee}.i32(i32 {})  ; {}(a)\n", op.opcode, op.name)
        };
        live.map(call).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// Whatever becomes stable: after the change of tables, tests and containers every call is of the op that it was of.
        #[test]
        fn every_call_keeps_its_op(chosen in proptest::collection::vec(any::<bool>(), 64)) {
            let old = Tables::bundled();
            let live = old.table(TableKind::Experimental).ops.iter().filter(|op| !op.reserved);
            let names: Vec<String> = live.zip(&chosen).filter(|(_, is)| **is).map(|(op, _)| op.name.clone()).collect();
            let stabilised = stabilise(old, &names).expect("live ops");
            prop_assert_eq!(stabilised.len(), names.len());
            let new = applied(old, &stabilised);
            let pairs: Vec<(Opcode, Opcode)> = stabilised.iter().map(|one| (one.op.opcode, one.to)).collect();
            let now = |number: Opcode| pairs.iter().find(|(from, _)| *from == number).map_or(number, |(_, to)| *to);
            // No number is taken twice, and the stable table has no holes.
            let first = old.table(TableKind::Stable).ops.len() as u32;
            let numbers: Vec<u32> = pairs.iter().map(|(_, to)| to.0).collect();
            prop_assert_eq!(numbers, (first..first + names.len() as u32).collect::<Vec<_>>());
            for op in old.all().filter(|op| !op.reserved) {
                prop_assert_eq!(&new.op(now(op.opcode)).expect("an op").name, &op.name);
                prop_assert!(now(op.opcode) == op.opcode || new.op(op.opcode).is_err());
            }
            // Tests of a compiler are rewritten, and back.
            let text = calls_of(old);
            let moved = match pairs.is_empty() {
                true => text.clone().into_bytes(),
                false => renumber(text.as_bytes(), &Renumbering::new(&pairs).expect("pairs")).text,
            };
            let lines = |text: &[u8]| {
                let mut lines: Vec<String> = String::from_utf8_lossy(text).lines().map(str::to_owned).collect();
                lines.sort();
                lines
            };
            prop_assert_eq!(lines(&moved), lines(calls_of(new).as_bytes()));
            let back: Vec<(Opcode, Opcode)> = pairs.iter().map(|(from, to)| (*to, *from)).collect();
            if !back.is_empty() {
                let again = renumber(&moved, &Renumbering::new(&back).expect("pairs")).text;
                prop_assert_eq!(String::from_utf8_lossy(&again), text);
            }
            // So are the calls of containers.
            for (name, module) in modules() {
                for call in calls(&module) {
                    let Some(number) = call.opcode else { continue };
                    let before = old.op(number).ok().map(|op| &op.name);
                    prop_assert_eq!(new.op(now(number)).ok().map(|op| &op.name), before, "{}", name);
                }
            }
        }
    }
}
