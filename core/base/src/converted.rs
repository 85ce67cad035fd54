//! What a conversion to SPIR-V did to entry points and registers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::findings::SourceLine;

/// An entry point of a DXIL container, and its SPIR-V.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConvertedEntry {
    /// Its name, as the source has it.
    pub name: String,
    /// Its shader kind.
    pub kind: String,
    /// Index of its module in the program's modules.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub module: Option<usize>,
    /// Why it has no module.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub why: Option<String>,
    /// The converter's full output, where `why` leaves something out.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub details: Option<String>,
    /// The line, from 1, of its container's disassembly that stops the conversion, where one does.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stopped_at: Option<u32>,
    /// The line of the source that stops it, where the container has debug information.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stopped_at_source: Option<SourceLine>,
    /// Whether the instructions of its module have the lines of the source: not where the program with marks of its lines
    /// becomes other instructions, or ends the converter. Absent where the container has no lines.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub has_source_lines: Option<bool>,
    /// Whether its inputs have the registers of the outputs that feed them.
    pub registers_agree: bool,
    /// The wave size that it is compiled for, where it or the conversion says so.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub wave_size: Option<WaveSize>,
}

/// How many lanes a wave may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WaveSize {
    /// At least so many.
    pub least: u32,
    /// At most so many.
    pub most: u32,
    /// Preferred; 0 where it does not matter.
    pub preferred: u32,
}

impl std::fmt::Display for WaveSize {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.least == self.most {
            true => write!(f, "{}", self.least),
            false => write!(f, "{} to {}", self.least, self.most),
        }
    }
}

/// A register and its descriptor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DescriptorBinding {
    /// The register: `t0`.
    pub register: String,
    /// `cbv`, `srv`, `uav` or `sampler`.
    pub class: String,
    /// Register space.
    pub space: u32,
    /// The register's number.
    pub lower: u32,
    /// Whether it is the hidden counter of that register's buffer.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub counter: bool,
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// Offset in the push constants of the address that it is reached by; set and binding say nothing then.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub address: Option<u32>,
}

/// Bytes of an address in the push constants.
pub const ADDRESS_BYTES: u32 = 8;

impl DescriptorBinding {
    /// Where it is found: `set0.binding1`, or `push constant 8` where that holds its address.
    pub fn place(&self) -> String {
        match self.address {
            Some(offset) => format!("push constant {offset}"),
            None => format!("set{}.binding{}", self.set, self.binding),
        }
    }

    /// The register with its space, where that is not 0: `u0`, `t3,space1`.
    pub fn name(&self) -> String {
        let counter = if self.counter { " counter" } else { "" };
        match self.space {
            0 => format!("{}{counter}", self.register),
            space => format!("{},space{space}{counter}", self.register),
        }
    }
}
