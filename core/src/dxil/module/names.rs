//! Names of values and blocks: the value symbol tables.

use super::read::Reader;
use super::types::bytes_of;
use crate::dxil::bytes::escaped;
use crate::dxil::error::Fault;

/// Names by number, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names(Vec<(u32, Box<str>)>);

impl Names {
    /// The name of a number; empty where it has none.
    pub fn of(&self, id: u32) -> &str {
        let at = self.0.binary_search_by_key(&id, |(id, _)| *id);
        at.ok().and_then(|at| self.0.get(at)).map_or("", |(_, name)| name)
    }

    /// Every name with its number.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &str)> {
        self.0.iter().map(|(id, name)| (*id, &**name))
    }

    fn add(&mut self, id: u32, name: Box<str>) {
        self.0.push((id, name));
    }

    fn sort(&mut self) {
        self.0.sort_by_key(|(id, _)| *id);
        self.0.dedup_by_key(|(id, _)| *id);
    }
}

impl Reader<'_> {
    /// Reads a symbol table: names of values, names of blocks.
    pub(super) fn symbols(&mut self) -> Result<(Names, Names), Fault> {
        let (mut values, mut blocks) = (Names::default(), Names::default());
        while let Some((code, ops)) = self.record()? {
            if let (1 | 2, [id, name @ ..]) = (code, ops.as_slice())
                && let Ok(id) = u32::try_from(*id)
            {
                self.stream.charge(48 + 2 * name.len())?;
                let of = if code == 1 { &mut values } else { &mut blocks };
                of.add(id, escaped(&bytes_of(name)).into());
            }
            self.stream.recycle(ops);
        }
        values.sort();
        blocks.sort();
        Ok((values, blocks))
    }
}
