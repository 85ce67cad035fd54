//! Containers checked with the op tables of a compiler that does not exist yet: twelve new experimental ops, three that became
//! stable, and one whose operands changed.

use super::tests::{check_all, facts, renumbered};
use crate::op_calls::calls;
use crate::ops::{Op, Opcode, TableKind, Tables, Version};
use crate::testing::sample;

const SAMPLE: &str = "experimental_ops.cs.dxil";
/// An op that the sample calls without operands: its number is what changes.
const CALLED: u32 = 0x8000_0001;
const EXPERIMENTAL: u32 = 0x8000_0000;

/// The tables of the next compiler, the ops that became stable with their new numbers, and the op with other operands.
fn next() -> (Tables, Vec<(&'static Op, Opcode)>, &'static Op) {
    let own = Tables::bundled();
    let mut database = own.database().clone();
    let live: Vec<&Op> =
        own.table(TableKind::Experimental).ops.iter().filter(|op| !op.reserved && op.opcode.0 != CALLED).collect();
    let [stable, experimental] = database.tables.as_mut_slice() else { panic!("two tables") };
    let mut moved = Vec::new();
    for op in live.iter().take(3).copied() {
        let to = Opcode(stable.ops.len() as u32);
        stable.ops.push(Op { opcode: to, ..op.clone() });
        let slot = &mut experimental.ops[usize::from(op.opcode.index())];
        (slot.reserved, slot.name) = (true, format!("ReservedC{}", op.opcode.index()));
        moved.push((op, to));
    }
    for number in 0..12 {
        let opcode = Opcode(EXPERIMENTAL + experimental.ops.len() as u32);
        let (name, class) = (format!("Next{number}"), format!("Next{number}"));
        let function_prefix = Some(format!("dx.op.next{number}"));
        experimental.ops.push(Op { opcode, name, class, function_prefix, ..live[0].clone() });
    }
    let changed = own.slot(Opcode(CALLED)).expect("an op");
    let slot = &mut experimental.ops[usize::from(changed.opcode.index())];
    let more = slot.operands[0].clone();
    slot.operands.push(more);
    stable.count = stable.ops.len() as u16;
    experimental.count = experimental.ops.len() as u16;
    let version = |major, minor| Version { major, minor };
    database.core_table_size_by_dxil_version.insert(version(1, 11), stable.ops.len() as u16);
    (Tables::of(database).expect("tables"), moved, changed)
}

/// The name of the op that a number stands for in the sample, and the codes of the findings.
fn found(number: u32, tables: Tables) -> (Option<String>, Vec<String>) {
    let mut module = renumbered(SAMPLE, CALLED, i64::from(number.cast_signed()));
    module.tables = tables;
    let name = calls(&module)
        .iter()
        .find(|call| call.opcode == Some(Opcode(number)))
        .and_then(|call| Some(call.op.as_ref()?.as_ref().ok()?.name.clone()));
    let codes = check_all(&module, &facts("6.10")).into_iter().map(|(code, _)| code).collect();
    (name, codes)
}

#[test]
fn containers_are_checked_with_the_tables_that_are_given() {
    let (next, moved, changed) = next();
    let own = Tables::bundled();
    let has = |codes: &[String], code: &str| codes.iter().any(|own| own == code);
    let mut containers = 0;
    let first = EXPERIMENTAL + own.table(TableKind::Experimental).ops.len() as u32;
    for number in first..first + 12 {
        let (name, codes) = found(number, next);
        assert_eq!(name, Some(format!("Next{}", number - first)));
        // The callee is still the one of the op that was called.
        assert!(!has(&codes, "X05") && (has(&codes, "X16") || has(&codes, "X18")), "{number:#x}: {codes:?}");
        let (name, codes) = found(number, own);
        assert!(name.is_none() && has(&codes, "X05"), "{number:#x}: {codes:?}");
        containers += 1;
    }
    for (op, to) in &moved {
        let (name, codes) = found(to.0, next);
        assert_eq!(name.as_ref(), Some(&op.name));
        assert!(!has(&codes, "X04"), "{}: {codes:?}", op.name);
        assert!(has(&found(to.0, own).1, "X04"), "{}", op.name);
        let (name, codes) = found(op.opcode.0, next);
        assert!(name.is_none() && has(&codes, "X06"), "{}: {codes:?}", op.name);
        assert_eq!(found(op.opcode.0, own).0.as_ref(), Some(&op.name));
        containers += 2;
    }
    // The call has the operands of today's table.
    let (name, codes) = found(CALLED, next);
    assert!(name.as_ref() == Some(&changed.name) && has(&codes, "X18"), "{codes:?}");
    assert!(!has(&found(CALLED, own).1, "X18"));
    containers += 1;
    // What is stable stays so, also in the other samples.
    for op in own.table(TableKind::Stable).ops.iter().filter(|op| !op.reserved).take(21) {
        assert_eq!(found(op.opcode.0, next).0, Some(op.name.clone()));
        containers += 1;
    }
    assert_eq!(containers, 40);
    for name in ["lit_surface.ps.dxil", "prefix_sum.cs.dxil", "lantern_rays.lib.dxil"] {
        let mut module = sample(name);
        let names = |module: &crate::module::Module| -> Vec<Option<String>> {
            let of = |call: &crate::op_calls::OpCall<'_>| Some(call.op.as_ref()?.as_ref().ok()?.name.clone());
            calls(module).iter().map(of).collect()
        };
        let before = names(&module);
        module.tables = next;
        assert_eq!(names(&module), before, "{name}");
    }
}
