//! Attributes of functions, parameters and results.

use std::ops::Range;

use super::read::Reader;
use crate::bitstream::{Entry, Numbers};
use crate::bytes::escaped;
use crate::error::Fault;

/// The attribute groups of a module, and the lists that functions and calls name. They are kept as their records have
/// them, and become text when they are requested.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Attributes {
    numbers: Vec<u64>,
    /// By number.
    groups: Vec<Group>,
    lists: Vec<Range<u32>>,
}

/// One group.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Group {
    number: u64,
    /// Index: 0 the result, 1 the first parameter, `u32::MAX` the function.
    of: u32,
    attributes: Range<u32>,
}

impl Attributes {
    /// The attributes that the `list`th list (from 1, as records name them) gives to the function itself.
    pub fn of_function(&self, list: u32) -> impl Iterator<Item = String> {
        let list = list.checked_sub(1).and_then(|index| self.lists.get(index as usize));
        let numbers = list.map(|list| self.range(list)).unwrap_or_default();
        let groups = numbers.iter().take(MOST_GROUPS).filter_map(|number| {
            let at = self.groups.binary_search_by_key(number, |group| group.number).ok()?;
            self.groups.get(at)
        });
        groups.filter(|group| group.of == u32::MAX).flat_map(|group| texts(self.range(&group.attributes)))
    }

    /// Whether a group ends inside a text. LLVM refuses that; dxil-spirv reads beyond the record.
    pub fn has_open_text(&self) -> bool {
        self.groups.iter().any(|group| is_open(self.range(&group.attributes)))
    }

    fn range(&self, range: &Range<u32>) -> &[u64] {
        self.numbers.get(range.start as usize..range.end as usize).unwrap_or_default()
    }

    fn add(&mut self, numbers: &[u64]) -> Range<u32> {
        let start = self.numbers.len() as u32;
        self.numbers.extend(numbers);
        start..self.numbers.len() as u32
    }
}

/// The most groups of a list: one for each parameter.
const MOST_GROUPS: usize = 256;

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
            if let (3, [group, of, attributes @ ..]) = (code, &*ops) {
                self.stream.charge(2 * (size_of::<Group>() + 8 * attributes.len()))?;
                let target = &mut self.module.attributes;
                let attributes = target.add(attributes);
                target.groups.push(Group { number: *group, of: *of as u32, attributes });
            }
            self.stream.recycle(ops);
        }
        self.module.attributes.groups.sort_by_key(|group| group.number);
        Ok(())
    }

    /// Reads the block of attribute lists.
    pub(super) fn attribute_lists(&mut self) -> Result<(), Fault> {
        while let Some((code, ops)) = self.record()? {
            if code == 2 {
                self.stream.charge(2 * (size_of::<Range<u32>>() + 8 * ops.len()))?;
                let list = self.module.attributes.add(&ops);
                self.module.attributes.lists.push(list);
            }
            self.stream.recycle(ops);
        }
        Ok(())
    }

    /// The next record of a block that contains records only; `None` at its end.
    #[inline]
    pub(super) fn record(&mut self) -> Result<Option<(u64, Numbers)>, Fault> {
        loop {
            match self.stream.next()? {
                Entry::End => return Ok(None),
                Entry::Block(id) => self.unknown_block(id)?,
                Entry::Record(code) => return Ok(Some((code, self.stream.take_operands()))),
            }
        }
    }
}

/// Attributes whose number follows them: alignments, sizes of allocations, dereferenceable bytes.
const WITH_NUMBER: [u64; 5] = [1, 25, 41, 42, 51];

/// Whether the last attribute is a text without its zero.
fn is_open(ops: &[u64]) -> bool {
    let mut ops = ops.iter().copied();
    while let Some(form) = ops.next() {
        match form {
            0 => drop(ops.next()),
            1 => {
                if ops.next().is_some_and(|kind| WITH_NUMBER.contains(&kind)) {
                    ops.next();
                }
            }
            // A key, and after 4 its value.
            3 | 4 => {
                if (3..=form).any(|_| !ops.by_ref().any(|c| c == 0)) {
                    return true;
                }
            }
            5 | 6 => {
                let is_by_value = ops.next() == Some(3);
                if form == 6 && is_by_value {
                    ops.next();
                }
            }
            _ => return false,
        }
    }
    false
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_end_with_a_zero() {
        let a = u64::from(b'a');
        for ended in
            [&[][..], &[0, 18], &[3, a, 0], &[4, a, 0, a, a, 0, 0, 18], &[1, 1, 3, 3, 0], &[1, 18, 3, 0], &[9, 3]]
        {
            assert!(!is_open(ended), "{ended:?}");
        }
        for open in [&[3][..], &[3, a], &[4, a, 0], &[4, a, 0, a], &[0, 18, 3, a], &[1, 1, 3, 3, a], &[1, 18, 3, a]] {
            assert!(is_open(open), "{open:?}");
        }
    }
}
