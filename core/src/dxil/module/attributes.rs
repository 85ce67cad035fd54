//! Attributes of functions, parameters and results.

use std::collections::BTreeMap;

use super::read::Reader;
use crate::dxil::bitstream::Entry;
use crate::dxil::bytes::escaped;
use crate::dxil::error::Fault;

/// The attribute groups of a module, and the lists that functions and calls name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Attributes {
    /// Groups by number: what they belong to (0 the result, 1 the first parameter, `u32::MAX` the function), and
    /// their attributes as text.
    pub groups: BTreeMap<u64, (u32, Vec<String>)>,
    /// Lists: the numbers of their groups.
    pub lists: Vec<Vec<u64>>,
}

impl Attributes {
    /// The attributes that the `list`th list (from 1, as records name them) gives to the function itself.
    pub fn of_function(&self, list: u32) -> impl Iterator<Item = &str> {
        let groups = list.checked_sub(1).and_then(|index| self.lists.get(index as usize));
        let groups = groups.into_iter().flatten().filter_map(|group| self.groups.get(group));
        groups.filter(|(of, _)| *of == u32::MAX).flat_map(|(_, attributes)| attributes.iter().map(String::as_str))
    }
}

/// Attributes by LLVM's number that DXIL uses.
const NAMES: &[(u64, &str)] = &[
    (1, "align"),
    (2, "alwaysinline"),
    (3, "byval"),
    (4, "inlinehint"),
    (5, "inreg"),
    (6, "minsize"),
    (9, "noalias"),
    (11, "nocapture"),
    (14, "noinline"),
    (17, "noreturn"),
    (18, "nounwind"),
    (19, "optsize"),
    (20, "readnone"),
    (21, "readonly"),
    (29, "sret"),
    (37, "optnone"),
    (39, "nonnull"),
    (41, "dereferenceable"),
    (43, "convergent"),
];

impl Reader<'_> {
    /// Reads the block of attribute groups.
    pub(super) fn attribute_groups(&mut self) -> Result<(), Fault> {
        while let Some((code, ops)) = self.record()? {
            if let (3, [group, of, attributes @ ..]) = (code, ops.as_slice()) {
                self.stream.charge(64 + 40 * attributes.len())?;
                self.module.attributes.groups.insert(*group, (*of as u32, texts(attributes)));
            }
            self.stream.recycle(ops);
        }
        Ok(())
    }

    /// Reads the block of attribute lists.
    pub(super) fn attribute_lists(&mut self) -> Result<(), Fault> {
        while let Some((code, ops)) = self.record()? {
            if code == 2 {
                self.stream.charge(48 + 8 * ops.len())?;
                self.module.attributes.lists.push(ops.clone());
            }
            self.stream.recycle(ops);
        }
        Ok(())
    }

    /// The next record of a block that holds records only; `None` at its end.
    pub(super) fn record(&mut self) -> Result<Option<(u64, Vec<u64>)>, Fault> {
        loop {
            match self.stream.next()? {
                Entry::End => return Ok(None),
                Entry::Block(id) => self.unknown_block(id)?,
                Entry::Record(code) => return Ok(Some((code, self.stream.take_operands()))),
            }
        }
    }
}

fn texts(ops: &[u64]) -> Vec<String> {
    let mut out = Vec::new();
    let mut ops = ops.iter().copied();
    while let Some(form) = ops.next() {
        match form {
            0 | 1 => {
                let Some(kind) = ops.next() else { break };
                let name = NAMES.iter().find(|(number, _)| *number == kind);
                let name = name.map_or_else(|| format!("attribute {kind}"), |(_, name)| (*name).to_owned());
                out.push(match form {
                    0 => name,
                    _ => format!("{name} {}", ops.next().unwrap_or(0)),
                });
            }
            _ => {
                let mut text = || -> String {
                    let bytes: Vec<u8> = ops.by_ref().take_while(|c| *c != 0).map(|c| c as u8).collect();
                    escaped(&bytes)
                };
                let key = text();
                out.push(if form == 4 { format!("\"{key}\"=\"{}\"", text()) } else { format!("\"{key}\"") });
            }
        }
    }
    out
}
