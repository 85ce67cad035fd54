//! The register values that follow from a shader, one table per graphics IP.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::ids::{Address, RegisterValue};
use crate::options::named_enum;
use crate::program::StageKind;
use crate::target::Target;

named_enum!(
    /// What a register's value was computed from.
    From {
        /// The packed interface.
        Packed = "packed",
        /// The interface as written, only renumbered.
        Unpacked = "unpacked",
        /// A compute shader.
        Compute = "compute",
    }
);

named_enum!(
    /// Whose facts a register's value still needs.
    Unknown {
        /// The compiler's back end: register counts, scratch, code size.
        BackEnd = "back end",
        /// The pipeline layout.
        Layout = "layout",
    }
);

/// One register.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Register {
    /// The chip.
    pub target: Target,
    /// The stage whose facts decide it.
    pub stage: StageKind,
    /// Its name, with the index where it is one of an array: `SPI_PS_INPUT_CNTL_0`.
    pub name: String,
    /// Its dword address.
    pub address: Address,
    /// What the compiler writes; absent where that is unknown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub value: Option<RegisterValue>,
    /// What the value was computed from.
    pub from: From,
    /// Whose facts are missing.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unknown: Option<Unknown>,
    /// The value with the bits that the driver adds, where it adds any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub driver_value: Option<RegisterValue>,
    /// Its fields, from the lowest bit.
    pub fields: Vec<Field>,
}

/// One field of a register.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// Its name.
    pub name: Cow<'static, str>,
    /// Its lowest bit.
    pub lsb: u32,
    /// Its width in bits.
    pub width: u32,
    /// Its value; absent where that is unknown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub value: Option<u32>,
    /// Why it has that value.
    pub why: Cow<'static, str>,
}
