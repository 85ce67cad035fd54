//! Texts of other tools: a driver's assembly, LLVM IR with DXIL's ops.

use lanescope_core::driver::isa::read;
use lanescope_core::dxil::ops::{Opcode, text};
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
