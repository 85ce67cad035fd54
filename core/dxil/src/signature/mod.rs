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
    /// Of these, for an input the columns that are always read, for an output those that can be written; empty where the
    /// shader's kind is not known, which says which of the two patch constants are.
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

/// The name of a kind that is not known.
const UNKNOWN: &str = "invalid";

/// Whether a stage reads the registers of a signature or writes them: the same byte of an element has the columns that
/// are always read, or those that are never written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    In,
    Out,
    /// Of patch constants, where the shader's kind cannot be read.
    Unknown,
}

impl Direction {
    /// The direction of a part in a shader of this kind. Patch constants come into a domain shader; a hull shader puts
    /// them out, as a mesh shader does with what it has for each primitive.
    fn of(part: FourCc, kind: &str) -> Direction {
        match &part.0 {
            b"ISG1" | b"ISGN" => Direction::In,
            b"PSG1" | b"PCSG" => match kind {
                "domain" => Direction::In,
                UNKNOWN => Direction::Unknown,
                _ => Direction::Out,
            },
            _ => Direction::Out,
        }
    }

    fn used(self, mask: u8, byte: u8) -> Name {
        match self {
            Direction::In => names::mask(byte),
            Direction::Out => names::mask(mask & !byte),
            Direction::Unknown => "".into(),
        }
    }
}

/// Reads a signature part of a shader of this kind; the part's name says in which form.
pub(crate) fn read(part: Bytes<'_>, name: FourCc, kind: &str) -> Result<Vec<Element>, Fault> {
    let (form, direction) = (Form::of(name), Direction::of(name, kind));
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
    (0..count).map(|index| element(&part, 8 + size * index, form, direction)).collect()
}

fn element(part: &Bytes<'_>, start: usize, form: Form, direction: Direction) -> Result<Element, Fault> {
    // Start of the fields that all forms have.
    let at = start + if form.stream { 4 } else { 0 };
    let word = |offset: usize| part.u32(at + offset, "signature element");
    let name = word(0)? as usize;
    let semantic = part.text(name, MAX_NAME).ok_or_else(|| {
        part.fault(at, format!("name at offset {name} is not terminated within {} bytes", part.len()))
    })?;
    let register = word(16)?;
    let byte = |offset: usize| part.u8(at + offset, "signature element");
    let mask = byte(20)?;
    Ok(Element {
        semantic,
        index: word(4)?,
        system_value: names::system_value(word(8)?),
        component_type: names::of(names::SIGNATURE_TYPE, word(12)?),
        register: (register != u32::MAX).then_some(register),
        mask: names::mask(mask),
        used: direction.used(mask, byte(21)?),
        stream: if form.stream { part.u32(start, "signature element")? } else { 0 },
        precision: if form.precision { names::precision(word(24)?) } else { None },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A part with one element of three columns, whose byte of use has the first.
    fn used(part: &[u8; 4], kind: &str) -> String {
        let name = FourCc(*part);
        let form = Form::of(name);
        let mut bytes = [1u32, 8].map(u32::to_le_bytes).concat();
        let at = if form.stream { 4 } else { 0 };
        let mut element = vec![0u8; form.bytes()];
        element[at] = 8 + form.bytes() as u8;
        element[at + 20..at + 22].copy_from_slice(&[0b0111, 0b0001]);
        bytes.extend(element);
        bytes.extend(b"COLOR\0");
        let elements = read(Bytes::new(&bytes, 0, crate::findings::BAD_SIGNATURE), name, kind).expect("is well formed");
        elements[0].used.to_string()
    }

    #[test]
    fn outputs_say_what_is_never_written() {
        for (part, kind, expected) in [
            (b"ISG1", "vertex", "x---"),
            (b"ISGN", "pixel", "x---"),
            (b"OSG1", "vertex", "-yz-"),
            (b"OSG5", "geometry", "-yz-"),
            (b"OSGN", "pixel", "-yz-"),
            (b"PSG1", "hull", "-yz-"),
            (b"PSG1", "domain", "x---"),
            (b"PSG1", "mesh", "-yz-"),
            (b"PCSG", "hull", "-yz-"),
            (b"PCSG", "domain", "x---"),
            (b"ISG1", "invalid", "x---"),
            (b"OSG1", "invalid", "-yz-"),
            (b"PSG1", "invalid", ""),
            (b"PCSG", "invalid", ""),
        ] {
            assert_eq!(used(part, kind), expected, "{} of a {kind} shader", FourCc(*part));
        }
    }
}
