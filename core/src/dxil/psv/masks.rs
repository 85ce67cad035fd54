//! Which outputs depend on which inputs, and on the view's number.

use serde::{Deserialize, Serialize};

use super::Cursor;
use crate::dxil::bytes::Bytes;
use crate::dxil::error::Fault;

/// What one component has an influence on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dependency {
    /// `input 2.y`, `patch 0.x` or `view id`.
    pub from: String,
    /// `output` (with the stream, where there are several) or `patch`.
    pub to: String,
    /// The components, register by register: `0.xyz 2.w`.
    pub components: String,
}

fn component(index: usize) -> String {
    format!("{}.{}", index / 4, ["x", "y", "z", "w"][index % 4])
}

/// Reads the masks behind the signature elements.
pub(super) fn read(cursor: &mut Cursor<'_>, info: &Bytes<'_>, kind: u32) -> Result<Vec<Dependency>, Fault> {
    let byte = |at: usize| info.u8(at, "vector counts").map(usize::from);
    let (geometry, hull, domain, mesh) = (kind == 2, kind == 3, kind == 4, kind == 13);
    let inputs = byte(31)?;
    let outputs = [byte(32)?, byte(33)?, byte(34)?, byte(35)?];
    let outputs = &outputs[..if geometry { 4 } else { 1 }];
    // A geometry shader has its vertex count there.
    let patch = if hull || domain || mesh { byte(26)? } else { 0 };
    let name = |stream: usize| if geometry { format!("output, stream {stream}") } else { "output".to_owned() };
    let mut out = Vec::new();
    if byte(25)? != 0 {
        for (stream, vectors) in outputs.iter().enumerate().filter(|(_, vectors)| **vectors > 0) {
            mask(cursor, *vectors, "view id".to_owned(), &name(stream), &mut out)?;
        }
        if (hull || mesh) && patch > 0 {
            mask(cursor, patch, "view id".to_owned(), "patch", &mut out)?;
        }
    }
    if !mesh {
        for (stream, vectors) in outputs.iter().enumerate().filter(|(_, vectors)| **vectors > 0) {
            for input in 0..inputs * 4 {
                mask(cursor, *vectors, format!("input {}", component(input)), &name(stream), &mut out)?;
            }
        }
    }
    if hull && patch > 0 {
        for input in 0..inputs * 4 {
            mask(cursor, patch, format!("input {}", component(input)), "patch", &mut out)?;
        }
    }
    if domain && outputs[0] > 0 {
        for input in 0..patch * 4 {
            mask(cursor, outputs[0], format!("patch {}", component(input)), "output", &mut out)?;
        }
    }
    Ok(out)
}

fn mask(
    cursor: &mut Cursor<'_>,
    vectors: usize,
    from: String,
    to: &str,
    out: &mut Vec<Dependency>,
) -> Result<(), Fault> {
    let words = vectors.div_ceil(8);
    let mut components = String::new();
    for word in 0..words {
        let bits = cursor.word("dependency masks")?;
        for register in 0..8 {
            let columns = bits >> (4 * register) & 15;
            if columns != 0 {
                let names = ["x", "y", "z", "w"].iter().enumerate().filter(|(bit, _)| columns >> bit & 1 == 1);
                let names: String = names.map(|(_, name)| *name).collect();
                let space = if components.is_empty() { "" } else { " " };
                components.push_str(&format!("{space}{}.{names}", word * 8 + register));
            }
        }
    }
    if !components.is_empty() {
        out.push(Dependency { from, to: to.to_owned(), components });
    }
    Ok(())
}
