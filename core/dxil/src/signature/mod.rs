//! Signature parts: the registers that a stage reads and writes.

use super::bytes::{Bytes, MAX_NAME};
use super::container::FourCc;
use super::error::Fault;
use super::names::{self, Name};

/// Offsets of an element's fields: parts of shader model 5 and before have no precision, and most of them no stream.
#[derive(Debug, Clone, Copy)]
struct Form {
    stream: bool,
    precision: bool,
}

impl Form {
    fn of(part: FourCc) -> Form {
        match &part.0 {
            b"ISGN" | b"OSGN" | b"PCSG" => Form { stream: false, precision: false },
            b"OSG5" => Form { stream: true, precision: false },
            _ => Form { stream: true, precision: true },
        }
    }

    /// Bytes of an element.
    fn bytes(self) -> usize {
        24 + 4 * usize::from(self.stream) + 4 * usize::from(self.precision)
    }
}

/// One register of a signature part.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Element {
    /// The semantic's name.
    pub semantic: String,
    /// Its index.
    pub index: u32,
    /// Its system-value kind: `Position`, `Target`; `none` for a user semantic.
    pub system_value: Name,
    /// `float32`, `uint32` and so on.
    pub component_type: Name,
    /// The register; absent where none was allocated.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub register: Option<u32>,
    /// Its columns: `xyz-`.
    pub mask: Name,
    /// For an input, the columns that are always read; for an output, those that are never written.
    pub used: Name,
    /// The stream of a geometry shader's output.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_zero", default))]
    pub stream: u32,
    /// The least precision that is enough, where the source says so.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub precision: Option<Name>,
}

#[cfg(feature = "serde")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Reads a signature part; its name says in which form.
pub(crate) fn read(part: Bytes<'_>, name: FourCc) -> Result<Vec<Element>, Fault> {
    let form = Form::of(name);
    let count = part.u32(0, "element count")? as usize;
    let offset = part.u32(4, "element offset")? as usize;
    if offset != 8 {
        return Err(part.fault(4, format!("offset of the elements is {offset}, expected 8")));
    }
    let size = form.bytes();
    let bytes = count.checked_mul(size).filter(|bytes| *bytes <= part.len() - 8);
    if bytes.is_none() {
        return Err(part.fault(0, format!("{count} elements of {size} bytes, but {} bytes remain", part.len() - 8)));
    }
    (0..count).map(|index| element(&part, 8 + size * index, form)).collect()
}

fn element(part: &Bytes<'_>, start: usize, form: Form) -> Result<Element, Fault> {
    // Start of the fields that all forms have.
    let at = start + if form.stream { 4 } else { 0 };
    let word = |offset: usize| part.u32(at + offset, "signature element");
    let name = word(0)? as usize;
    let semantic = part.text(name, MAX_NAME).ok_or_else(|| {
        part.fault(at, format!("name at offset {name} is not terminated within {} bytes", part.len()))
    })?;
    let register = word(16)?;
    let byte = |offset: usize| part.u8(at + offset, "signature element");
    Ok(Element {
        semantic,
        index: word(4)?,
        system_value: names::system_value(word(8)?),
        component_type: names::of(names::SIGNATURE_TYPE, word(12)?),
        register: (register != u32::MAX).then_some(register),
        mask: names::mask(byte(20)?),
        used: names::mask(byte(21)?),
        stream: if form.stream { part.u32(start, "signature element")? } else { 0 },
        precision: if form.precision { names::precision(word(24)?) } else { None },
    })
}
