//! Whole files whose calls of ops break one rule each.

use std::collections::BTreeSet;

use crate::Dxil;
use crate::findings::Finding;
use crate::module::{Module, Type, TypeId};
use crate::ops::{PrivateFeature, Tables};
use crate::testing::rewrite::{
    Block, CONSTANTS, FIRST_ARGUMENT, Item, TYPES, made, renumbered, rewritten, rotated, sign, unchanged,
};
use crate::testing::{bytes, names};

fn findings(file: Vec<u8>) -> Vec<Finding> {
    let dxil = Dxil::read(file).unwrap_or_else(|fault| panic!("{fault}"));
    assert!(dxil.program.is_some(), "{:?}", dxil.faults);
    dxil.findings("a.dxil", 0)
}

/// Asserts that the file breaks a rule with this message, with its line in the text.
#[track_caller]
fn breaks(file: Vec<u8>, code: &str, words: &str) {
    let text = Dxil::read(file.clone()).expect("is a container").disassembly().expect("has a program").text;
    let found = findings(file);
    let said = found.iter().find(|finding| finding.code == code && finding.message.contains(words));
    let said = said.unwrap_or_else(|| panic!("{code} `{words}` is not said: {found:?}"));
    if let Some(at) = said.line {
        let line = text.lines().nth(at.line as usize - 1).expect("the line is there");
        assert!(line.contains("dx.op "), "{line}");
    } else {
        assert!(["X12", "X13", "X19", "X20"].contains(&code), "{code} has no line");
    }
}

/// A program that is rewritten without a change is the same program.
#[test]
fn rewritten_program_reads_the_same() {
    for name in names() {
        let (before, after) = (Dxil::read(bytes(&name)).expect("reads"), Dxil::read(unchanged(&name)).expect("reads"));
        assert_eq!(before.disassembly(), after.disassembly(), "{name}");
        assert_eq!(before.container.digest.state, after.container.digest.state, "{name}");
        let codes = |dxil: &Dxil| dxil.findings("", 0).into_iter().map(|found| found.code).collect::<Vec<_>>();
        assert_eq!(codes(&before), codes(&after), "{name}");
    }
}

/// A sample with its digest's bytes all set to one value.
fn marked(name: &str, byte: u8) -> Vec<u8> {
    let mut file = bytes(name);
    file[4..20].fill(byte);
    file
}

/// A sample with a byte of its program header set.
fn header(name: &str, at: usize, byte: u8) -> Vec<u8> {
    let mut file = bytes(name);
    let part = Dxil::read(file.clone()).expect("reads").container.part(b"DXIL").expect("is there").data_offset();
    file[part as usize + at] = byte;
    file
}

#[test]
fn reports_opcodes_that_are_not_ops() {
    let sample = "experimental_ops.cs.dxil";
    // 96 is FlattenedThreadIdInGroup.
    for (new, code, words) in [
        (0x8001_0000u32 as i32, "X02", "opcode 0x80010000: unknown FeatureID 0x8001"),
        (0x0001_0004, "X02", "unknown FeatureID 0x0001"),
        (-1, "X03", "invalid value"),
        (312, "X04", "opcode 312 is not defined (stable table ends at 311)"),
        (
            0x8000_0023u32 as i32,
            "X05",
            "experimental opcode index 35 is not defined (table ends at 34; newer compiler?)",
        ),
        (230, "X06", "opcode 230 is reserved"),
        (0x8000_0020u32 as i32, "X06", "reserved (hole"),
    ] {
        breaks(renumbered(sample, 96, new.into()), code, words);
    }
    let undefined = rewritten(sample, |block, _| {
        for constants in block.blocks(CONSTANTS) {
            for record in constants.records().filter(|record| record.1 == [rotated(96)]) {
                *record = (3, Vec::new());
            }
        }
    });
    breaks(undefined, "X01", "without a constant opcode");
    let computed = rewritten(sample, |block, module| {
        let calls = block.calls(module, "dx.op.");
        calls.into_iter().last().expect("is called").1[FIRST_ARGUMENT] = 1;
    });
    breaks(computed, "X01", "without a constant opcode");
}

#[test]
fn reports_ops_of_named_partitions_by_name() {
    let names = r#"{"features": [{"feature_id": "0x8001", "name": "acme", "ops": {"3": "TileMask"}}]}"#;
    let named = PrivateFeature::list_from_json(names).expect("reads");
    let tables = Tables::bundled().with_private(named).expect("is allowed");
    let read = |number: u32| {
        let file = renumbered("experimental_ops.cs.dxil", 96, (number as i32).into());
        Dxil::read(file).unwrap_or_else(|fault| panic!("{fault}")).with_tables(tables)
    };
    let dxil = read(0x8001_0003);
    let found = dxil.findings("a.dxil", 0);
    let said = found.iter().find(|finding| finding.code == "X22").expect("is named");
    assert!(said.message.contains("is TileMask of acme (FeatureID 0x8001)"), "{}", said.message);
    assert!(found.iter().all(|finding| finding.code != "X02"), "{found:?}");
    assert!(dxil.disassembly().expect("has a program").text.contains("TileMask of acme"));
    let unnamed = read(0x8001_0004).findings("a.dxil", 0);
    assert!(unnamed.iter().any(|found| found.code == "X22" && found.message.contains("has no name for index 4")));
}

#[test]
fn reports_ops_of_another_model_or_stage() {
    let newer = renumbered("prefix_sum.cs.dxil", 96, 311);
    breaks(newer.clone(), "X07", "opcode 311 (FDot) needs DXIL 1.9");
    breaks(newer, "X14", "FDot needs shader model 6.9");
    let experimental = renumbered("prefix_sum.cs.dxil", 96, 0x8000_0001u32 as i32 as i64);
    breaks(experimental.clone(), "X08", "experimental op GetGroupWaveIndex in shader model 6.");
    breaks(experimental, "X09", "in a container signed as final");
    breaks(header("experimental_ops.cs.dxil", 2, 0), "X15", "is not available in pixel shaders");
    breaks(header("experimental_ops.cs.dxil", 0, 0x69), "X13", "6.9 in the program header, 6.10 in dx.shaderModel");
    breaks(with_table_13("02_quadtree_recursion.dxil"), "X19", "experimental reflection data in shader model 6.");
}

/// A library whose runtime data has a table, an empty one, that only previews have.
fn with_table_13(name: &str) -> Vec<u8> {
    let file = bytes(name);
    let read = Dxil::read(file.clone()).expect("reads");
    let parts = read.container.parts.iter().map(|part| {
        let data = &file[part.data_offset() as usize..][..part.size as usize];
        let data = if part.name.0 == *b"RDAT" { one_more(data) } else { data.to_vec() };
        (part.name.0, data)
    });
    let mut out = made(&parts.collect::<Vec<_>>());
    sign(&mut out);
    out
}

/// Runtime data with one more part: table 13, no rows of 16 bytes.
fn one_more(data: &[u8]) -> Vec<u8> {
    let word = |at: usize| u32::from_le_bytes([data[at], data[at + 1], data[at + 2], data[at + 3]]);
    let count = word(4);
    let head = 8 + 4 * count as usize;
    let mut out = vec![word(0), count + 1];
    out.extend((0..count as usize).map(|part| word(8 + 4 * part) + 4));
    out.push(data.len() as u32 + 4);
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    [words(&out), data[head..].to_vec(), words(&[13, 8, 0, 16])].concat()
}

#[test]
fn reports_preview_ops_and_preview_mark_that_disagree() {
    let sample = "experimental_ops.cs.dxil";
    breaks(marked(sample, 7), "X10", "not marked preview");
    breaks(marked(sample, 0), "X11", "unsigned container");
    breaks(marked(sample, 1), "X11", "marked bypass");
    breaks(marked("prefix_sum.cs.dxil", 2), "X12", "preview shader model without experimental ops");
    let mut signed = bytes(sample);
    sign(&mut signed);
    breaks(signed, "X09", "signed as final");
    breaks(bytes(sample), "X20", "2 experimental calls, 2 distinct ops, FeatureIDs used: 0x0000, 0x8000");
}

#[test]
fn reports_callees_that_do_not_match() {
    breaks(renumbered("experimental_ops.cs.dxil", 96, 95), "X16", "is not the function of opcode 95 ThreadIdInGroup");
    breaks(renumbered("tessellated_patch.ps.dxil", 36, 37), "X17", "overload float is not allowed for IMax");
    let other = rewritten("lit_surface.ps.dxil", |block, module| {
        let value = |name: &str| {
            let found = module.functions.iter().find(|function| module.function_name(function) == name);
            u64::from(found.expect("is declared").value.0)
        };
        let (floats, integers) = (value("dx.op.loadInput.f32"), value("dx.op.loadInput.i32"));
        // Callees are written as distances back from the call; the type before them is that of floats still.
        for (_, operands) in block.calls(module, "dx.op.loadInput.f32") {
            operands[FIRST_ARGUMENT - 1] = operands[FIRST_ARGUMENT - 1] + floats - integers;
        }
    });
    let dxil = Dxil::read(other).expect("is a container");
    assert_eq!(dxil.faults.iter().map(|fault| fault.rule.code).collect::<Vec<_>>(), ["C43"]);
}

/// A sample whose matrix store has `last` operands less, in its type and in its calls.
pub fn shortened(last: usize) -> Vec<u8> {
    let name = "dx.op.linAlgMatrixStoreToDescriptor";
    rewritten("preview_matrix.cs.dxil", |block, module| {
        let functions = module.functions.iter().filter(|function| module.function_name(function).starts_with(name));
        let wanted: BTreeSet<u32> = functions.map(|function| function.ty.0).collect();
        assert!(wanted.iter().all(|ty| matches!(module.types.get(TypeId(*ty)), Some(Type::Function { .. }))));
        let types = block.blocks(TYPES);
        let types = types.into_iter().flat_map(|types| &mut types.items).filter_map(|item| match item {
            // Counts and names of structures are not types.
            Item::Record(record) if !matches!(record.0, 1 | 19) => Some(record),
            _ => None,
        });
        for (_, record) in (0u32..).zip(types).filter(|(at, _)| wanted.contains(at)) {
            record.1.truncate(record.1.len() - last);
        }
        // Other ops have the same type: the one that accumulates.
        for function in module.functions.iter().filter(|function| wanted.contains(&function.ty.0)) {
            for (_, operands) in block.calls(module, module.function_name(function)) {
                operands.truncate(operands.len() - last);
            }
        }
    })
}

#[test]
fn reports_operand_lists_of_other_compilers() {
    let today: Vec<String> = findings(shortened(0)).into_iter().map(|finding| finding.code).collect();
    assert_eq!(today, ["C57", "X20"]);
    let before = "operand list of LinAlgMatrixStoreToDescriptor is the one before March 2026";
    breaks(shortened(1), "X18", before);
    breaks(shortened(2), "X18", "operand list of LinAlgMatrixStoreToDescriptor differs: void (i32, ");
    let overload = rewritten("tessellated_patch.ps.dxil", |block, module| rename(block, module, "dx.op.loadInput.f32"));
    breaks(overload, "X17", "type of callee dx.op.loadInput.f16 has overload `f32`");
}

/// Renames a function of floats to one of halves.
fn rename(block: &mut Block, module: &Module, name: &str) {
    let function = module.functions.iter().find(|function| module.function_name(function) == name);
    let id = u64::from(function.expect("is declared").value.0);
    for symbols in block.blocks(crate::testing::rewrite::SYMBOLS) {
        for (_, operands) in symbols.records().filter(|(code, operands)| (*code, operands[0]) == (1, id)) {
            let end = operands.len() - 2;
            operands[end] = u64::from(b'1');
            operands[end + 1] = u64::from(b'6');
        }
    }
}
