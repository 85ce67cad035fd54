//! Texts of other tools: a driver's assembly, LLVM IR with DXIL's ops.

use lanescope_core::driver::isa::read;
use lanescope_core::dxil::ops::read::{Text, Texts, llvm, parse};
use lanescope_core::dxil::ops::{Opcode, PrivateFeature, text};
use lanescope_core::program::StageKind;

/// A driver's assembly.
pub fn isa(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for stage in [StageKind::Vertex, StageKind::Fragment, StageKind::Compute] {
        let facts = read(&text, stage);
        for line in 0..8 {
            let _ = facts.at_line(line).and_then(|at| facts.block_of(at));
        }
    }
}

/// LLVM IR: ops as names and back as numbers, and two ops with their numbers exchanged.
pub fn opcodes(data: &[u8]) {
    let named = text::symbolic(data);
    let back = text::numeric(&named.text);
    // A text with numbers only round-trips.
    if text::numeric(data).edits.is_empty() {
        assert_eq!(back.text, data, "there and back again");
    }
    let (stable, experimental) = (Opcode(4), Opcode(0x8000_0001));
    let exchange = text::Renumbering::new(&[(stable, experimental), (experimental, stable)]);
    let _ = text::renumber(data, &exchange.expect("both are in a table"));
}

/// Op tables: the first byte selects JSON, hctdb.py, DxilOperations.cpp (DxilInstructions.h follows a NUL byte), DXIL.td or
/// names of private ops.
pub fn optable(data: &[u8]) {
    let Some((selector, rest)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(rest);
    let of = |text: &str| Some(Text { name: "a".to_owned(), text: text.to_owned() });
    let texts = match selector % 5 {
        0 => Texts { json: of(&text), ..Texts::default() },
        1 => Texts { hctdb: of(&text), ..Texts::default() },
        2 => {
            let (operations, instructions) = text.split_once('\0').unwrap_or((&text, ""));
            Texts { operations: of(operations), instructions: of(instructions), ..Texts::default() }
        }
        3 => return drop(llvm::read(&Text { name: "a".to_owned(), text: text.into_owned() })),
        _ => return drop(PrivateFeature::list_from_json(&text)),
    };
    if let Ok((database, notes)) = parse(&texts) {
        let slots: usize = database.tables.iter().map(|table| table.ops.len()).sum();
        assert!(slots <= 2 << 16 && notes.len() <= 1000, "{slots} slots, {} notes", notes.len());
    }
}
