//! A made-up next version of DXC: its sources are read, and containers are checked by them.

use super::super::opcode::{Opcode, Version};
use super::super::symbol::TypeSymbol;
use super::super::table::{Database, Op, Operand, database};
use super::super::tables::Tables;
use super::{Texts, read, testing};
use crate::Dxil;
use crate::op_calls::files_tests::shortened;
use crate::ops::compare::{ChangeRule, compare};
use crate::testing::bytes;
use crate::testing::rewrite::renumbered;

/// Ops that become stable.
const STABLE: [&str; 3] = ["GetGroupWaveIndex", "GetGroupWaveCount", "DebugBreak"];
/// The op whose last operand is gone.
const CHANGED: &str = "LinAlgMatrixStoreToDescriptor";

/// Twelve more experimental ops, three that became stable, and one with another list of operands. Shader model 6.10 is
/// released, 6.11 in work.
fn next() -> Database {
    let mut out = database().clone();
    let [released, work] = [10, 11].map(|minor| Version { major: 6, minor });
    (out.source.released_shader_model, out.source.highest_shader_model) = (released, work);
    let dxil = |version: Version| Version { major: 1, ..version };
    (out.source.released_dxil_version, out.source.highest_dxil_version) = (dxil(released), dxil(work));
    let [stable, experimental] = out.tables.as_mut_slice() else { panic!("two tables") };
    for op in experimental.ops.iter_mut().filter(|op| !op.reserved) {
        (op.min_shader_model, op.since) = (Some(work), Some(work));
        if STABLE.contains(&op.name.as_str()) {
            let number = stable.ops.len() as u32;
            let moved = Op {
                opcode: Opcode(number),
                min_shader_model: Some(released),
                since: Some(released),
                dxil_version: Some(dxil(released)),
                ..op.clone()
            };
            stable.ops.push(moved);
            op.name = format!("{}Preview", op.name);
        }
        if op.name == CHANGED {
            op.operands.pop();
        }
    }
    // They have the callee of an op that samples call, so that a changed number makes a call of one.
    let model = stable.ops.iter().find(|op| op.name == "FlattenedThreadIdInGroup").expect("there").clone();
    for index in 35..47 {
        experimental.ops.push(Op {
            opcode: Opcode(0x8000_0000 | index),
            name: format!("Tile{index}"),
            min_shader_model: Some(work),
            since: Some(work),
            dxil_version: None,
            ..model.clone()
        });
    }
    out.core_table_size_by_dxil_version.insert(dxil(released), stable.ops.len() as u16);
    out
}

/// The tables as they are read from the sources.
fn read_next() -> Tables {
    let next = next();
    let texts = Texts {
        hctdb: Some(testing::hctdb(&next)),
        operations: Some(testing::operations(&next)),
        instructions: Some(testing::instructions(&next)),
        shader_model: Some(testing::shader_model(&next)),
        constants: Some(testing::constants(&next)),
        ..Texts::default()
    };
    let reading = read(&texts).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(reading.notes, []);
    reading.tables
}

/// Codes with messages of X findings, and the text, of a file that is read with tables.
fn checked(file: Vec<u8>, tables: Tables) -> (Vec<String>, String) {
    let dxil = Dxil::read(file).unwrap_or_else(|fault| panic!("{fault}")).with_tables(tables);
    let text = dxil.disassembly().expect("has a program").text;
    let found = dxil.findings("a.dxil", 0).into_iter().filter(|finding| finding.code.starts_with('X'));
    // The samples are of 6.10, which is a preview for the bundled tables only: their digest follows.
    let found = found.filter(|finding| !matches!(&*finding.code, "X08" | "X12" | "X13" | "X14" | "X20"));
    (found.map(|finding| format!("{} {}", finding.code, finding.message)).collect(), text)
}

#[test]
fn reads_the_next_compiler_from_its_sources() {
    let tables = read_next();
    let (now, source) = (Tables::bundled(), &tables.database().source);
    assert_eq!((source.released_shader_model.minor, source.highest_shader_model.minor), (10, 11));
    let changes = compare(now, tables, &crate::ops::reserved_in);
    let of = |rule: ChangeRule| changes.iter().filter(|change| change.rule == rule).count();
    assert_eq!((of(ChangeRule::Stabilised), of(ChangeRule::Added), of(ChangeRule::StableChanged)), (3, 12, 0));
    let pairs: Vec<_> = changes.iter().filter_map(|change| Some((change.opcode.0, change.moved?.0))).collect();
    assert_eq!(pairs, [(0x8000_0001, 312), (0x8000_0002, 313), (0x8000_0021, 314)]);
    let operands: Vec<_> =
        changes.iter().filter(|change| change.text.contains("operands")).map(|change| change.name.as_str()).collect();
    assert_eq!(operands, [CHANGED]);
}

#[test]
fn checks_containers_by_the_next_compiler() {
    let (now, next) = (Tables::bundled(), read_next());
    let sample = "experimental_ops.cs.dxil";

    let new = renumbered(sample, 96, 0x8000_0024_u32 as i32 as i64);
    let (found, _) = checked(new.clone(), now);
    assert_eq!(found, ["X05 experimental opcode index 36 is not defined (table ends at 34; newer compiler?)"]);
    let (found, text) = checked(new, next);
    assert_eq!(found, [""; 0]);
    assert!(text.contains("dx.op Tile36.i32()") && text.contains("experimental 0x80000024"), "{text}");

    let past = renumbered(sample, 96, 0x8000_002F_u32 as i32 as i64);
    let (found, _) = checked(past, next);
    assert_eq!(found, ["X05 experimental opcode index 47 is not defined (table ends at 46; newer compiler?)"]);

    let stable = renumbered(sample, 0x8000_0001, 312);
    let (found, _) = checked(stable.clone(), now);
    assert_eq!(found, ["X04 opcode 312 is not defined (stable table ends at 311)"]);
    let (found, text) = checked(stable, next);
    assert_eq!(found, [""; 0]);
    assert!(text.contains("dx.op GetGroupWaveIndex()"), "{text}");
    let (_, text) = checked(bytes(sample), next);
    assert!(text.contains("dx.op GetGroupWaveIndexPreview()"), "{text}");
}

#[test]
fn operand_lists_are_those_of_the_given_table() {
    let (now, next) = (Tables::bundled(), read_next());
    let x18 = |file: Vec<u8>, tables: Tables| {
        let (found, text) = checked(file, tables);
        (found.into_iter().filter(|found| found.starts_with("X18")).collect::<Vec<_>>(), text)
    };
    let (found, _) = x18(shortened(0), now);
    assert_eq!(found, [""; 0]);
    let (found, _) = x18(shortened(0), next);
    let start = "X18 operand list of LinAlgMatrixStoreToDescriptor differs: ";
    assert!(found.len() == 1 && found[0].starts_with(start) && found[0].ends_with("is from hctdb.py"), "{found:?}");
    // The op that accumulates has the same type in the file, and still the long list in the table.
    let (found, text) = x18(shortened(1), next);
    let other = "X18 operand list of LinAlgMatrixAccumulateToDescriptor is the one before March 2026";
    assert!(found.len() == 1 && found[0].starts_with(other), "{found:?}");
    assert!(text.contains("dx.op LinAlgMatrixStoreToDescriptor"), "{text}");
}

/// What is serialised is read with the same tables again.
#[test]
fn tables_travel_with_a_container() {
    let next = read_next();
    let dxil = Dxil::read(bytes("experimental_ops.cs.dxil")).expect("reads");
    let plain: Vec<u8> = dxil.clone().into();
    assert_eq!(plain, bytes("experimental_ops.cs.dxil"));
    let given = dxil.clone().with_tables(next);
    let travelled = Dxil::try_from(Vec::<u8>::from(given.clone())).expect("reads");
    assert_eq!(travelled, given);
    assert_ne!(travelled, dxil);
    assert_eq!(travelled.tables(), next);
    let used = travelled.summary(0).op_table.expect("they are not the bundled ones");
    assert_eq!((used.file.as_str(), used.stable, used.experimental), ("hctdb.py", 315, 47));
    assert_eq!(dxil.summary(0).op_table, None);
    for length in [0, 8, 20, 27, 30, 400] {
        let stored = Vec::<u8>::from(given.clone());
        assert!(Dxil::try_from(stored[..length].to_vec()).is_err(), "{length}");
    }
}

/// A constant of an operand is named for the ops that this build knows: another op may mean something else.
#[test]
fn constants_of_other_ops_are_not_named() {
    let mut other = database().tables[1].ops[14].clone();
    let layout = |op: &Op| crate::ops::meaning(op, "layout", 0);
    assert_eq!(layout(&other), Some("row_major".to_owned()));
    other.name = "TileLoad".to_owned();
    assert_eq!(layout(&other), None);
    let named: Vec<&Operand> = other.operands.iter().filter(|operand| operand.name == "layout").collect();
    assert_eq!(named.iter().map(|operand| operand.type_symbol).collect::<Vec<_>>(), [TypeSymbol::I32]);
}
