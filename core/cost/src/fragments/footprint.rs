//! Which texels of images are read, level by level.

use std::collections::BTreeMap;

use super::report::{FilteredReads, Footprint, TexelFilter};
use crate::count::{Counted, FxHashSet};
use crate::names;
use lanescope_interpreter::{Address, Image, LoggedAccess, LoggedKind};
use lanescope_spirv::Module;

/// The most texels that are told apart, of all images together.
const MOST_TEXELS: usize = 1 << 23;

/// What is read of a level.
#[derive(Debug, Default)]
struct OfLevel {
    reads: BTreeMap<TexelFilter, u64>,
    texels: u64,
    /// Offsets of the texels.
    different: FxHashSet<u64>,
}

/// Collects the reads of images.
#[derive(Debug, Default)]
pub(super) struct Footprints {
    /// By object and level.
    levels: BTreeMap<(u32, u32), OfLevel>,
    /// Texels that are told apart so far.
    kept: usize,
    /// Whether there were more.
    full: bool,
}

impl Footprints {
    /// Adds what a wave reads. `object` says what an object is.
    pub fn add<'o>(&mut self, rows: &[LoggedAccess], object: impl Fn(u32) -> Option<&'o Counted>) {
        // The levels of the access that a row belongs to.
        let mut met: Vec<u32> = Vec::new();
        for row in rows.iter().filter(|row| row.kind == LoggedKind::Load) {
            if row.begins {
                met.clear();
            }
            let Some(level) = object(row.object).and_then(|counted| counted.level(row.offset)) else { continue };
            let of = self.levels.entry((row.object, level)).or_default();
            if !met.contains(&level) {
                met.push(level);
                *of.reads.entry(row.filter.into()).or_default() += 1;
            }
            of.texels += 1;
            if self.kept < MOST_TEXELS {
                self.kept += usize::from(of.different.insert(row.offset));
            } else if !of.different.contains(&row.offset) {
                self.full = true;
            }
        }
    }

    /// What was read. `image` is the image of an object, and where it is.
    pub fn finish(self, module: &Module, image: impl Fn(u32) -> Option<(Address, Image)>) -> Vec<Footprint> {
        let full = self.full;
        let of = |((object, level), of): ((u32, u32), OfLevel)| {
            let (address, image) = image(object)?;
            let element = match address {
                Address::Descriptor { element, .. } => element,
                _ => 0,
            };
            Some(Footprint {
                image: names::of_address(module, address),
                element,
                level,
                size: image.size.map(|side| (side >> level).max(1)),
                layers: image.layers,
                reads: of.reads.into_iter().map(|(filter, reads)| FilteredReads { filter, reads }).collect(),
                texels: of.texels,
                different: (!full).then_some(of.different.len() as u64),
            })
        };
        self.levels.into_iter().filter_map(of).collect()
    }
}
