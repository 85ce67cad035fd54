//! Which ops dxil-spirv converts to SPIR-V. vkd3d-proton, the D3D12 of Linux, converts with it too.

use super::{Op, op};

/// Stable ops that dxil-spirv 2.72.1 has no conversion for, by index (`opcodes_dxil_builtins.cpp`). It knows all other
/// stable ops of DXIL 1.9, and no experimental one.
pub const NOT_CONVERTED: [u16; 6] = [0, 1, 2, 3, 11, 109];

/// What the converter does with an op.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpirvConversion {
    /// Calls become SPIR-V, as far as their types have a form there.
    Converted,
    /// The converter refuses it.
    NotConverted,
    /// The converter knows no experimental op.
    Experimental,
    /// The op is of a given table, and the converter knows another one by its number, or none.
    OtherOp,
}

impl SpirvConversion {
    /// What the converter does with an op of any table.
    pub fn of(given: &Op) -> SpirvConversion {
        if given.is_experimental() {
            return SpirvConversion::Experimental;
        }
        let types = |op: &Op| op.operands.iter().map(|operand| operand.type_symbol).collect::<Vec<_>>();
        let same = |own: &Op| std::ptr::eq(own, given) || (own.name == given.name && types(own) == types(given));
        if !op(given.opcode).is_ok_and(same) {
            return SpirvConversion::OtherOp;
        }
        match NOT_CONVERTED.contains(&given.opcode.index()) {
            true => SpirvConversion::NotConverted,
            false => SpirvConversion::Converted,
        }
    }

    /// The answer as a sentence.
    pub fn text(self) -> &'static str {
        match self {
            SpirvConversion::Converted => "converted by dxil-spirv, which vkd3d-proton uses too",
            SpirvConversion::NotConverted => "not converted: dxil-spirv does not implement it",
            SpirvConversion::Experimental => "not converted: dxil-spirv knows no experimental op",
            SpirvConversion::OtherOp => "not converted: dxil-spirv knows another op by this number, or none",
        }
    }
}
