//! Memory outside of registers: buffers, images, push constants, workgroup memory.
//!
//! A pointer is an object's index and an offset: `object << 40 | offset`. Object 0 is null.

use std::ops::Range;

use crate::event::Address;
use crate::race::Class;
use lanescope_base::ids::Id;

/// Bits of a pointer that are the offset.
pub(crate) const OFFSET_BITS: u32 = 40;
/// The offset's bits; as an offset, beyond every object.
pub(crate) const OFFSET_MASK: u64 = (1 << OFFSET_BITS) - 1;

/// What an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    Null,
    Descriptor {
        set: u32,
        binding: u32,
        element: u32,
    },
    Workgroup(Id),
    /// Outputs that a patch or a mesh workgroup shares.
    Output(Id),
    PushConstants,
    /// What the invocations of a stage write, row by row.
    StageOutputs,
    /// A colour attachment, by its location; the depth without one.
    Attachment(Option<u32>),
}

/// Bytes of a page, the unit in which changes are tracked.
pub(crate) const PAGE: usize = 1 << 12;

/// A range of memory.
#[derive(Debug, Clone)]
pub(crate) struct Object {
    bytes: Vec<u8>,
    pub origin: Origin,
    /// Which barriers order accesses; absent for memory that is read only.
    pub class: Option<Class>,
    /// Bytes that were written, where reads of others are reported.
    pub written: Option<Vec<u64>>,
    /// Changes with every write.
    version: u64,
    /// By page, as bits: whether it was written since [`Object::track`]. Empty before that.
    dirty: Vec<u64>,
}

impl Object {
    /// Memory with its first contents.
    pub fn new(bytes: Vec<u8>, origin: Origin, class: Option<Class>) -> Object {
        Object { bytes, origin, class, written: None, version: 0, dirty: Vec::new() }
    }

    /// The contents.
    #[inline(always)]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// A number that changes with every write.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// A range that is written; absent where it is not all within the object.
    #[inline(always)]
    pub fn range_mut(&mut self, range: Range<usize>) -> Option<&mut [u8]> {
        let target = self.bytes.get_mut(range.clone())?;
        self.version = self.version.wrapping_add(1);
        if !self.dirty.is_empty() && !range.is_empty() {
            for page in range.start / PAGE..=(range.end - 1) / PAGE {
                if let Some(word) = self.dirty.get_mut(page / 64) {
                    *word |= 1 << (page % 64);
                }
            }
        }
        Some(target)
    }

    /// Replaces the contents by zeros.
    pub fn clear(&mut self, size: usize) {
        self.bytes.clear();
        self.bytes.resize(size, 0);
        self.version = self.version.wrapping_add(1);
        self.dirty.fill(u64::MAX);
    }

    /// Tracks which pages are written from now on.
    pub fn track(&mut self) {
        self.dirty.clear();
        self.dirty.resize(self.bytes.len().div_ceil(PAGE).div_ceil(64), 0);
    }

    /// Whether a page may have been written since [`Object::track`].
    pub fn is_dirty(&self, page: usize) -> bool {
        self.dirty.get(page / 64).is_none_or(|word| word >> (page % 64) & 1 == 1)
    }

    /// Brings back earlier contents: their size and version, and the pages that differ from what is there now.
    pub fn restore<'a>(&mut self, size: usize, version: u64, pages: impl Iterator<Item = (usize, &'a [u8])>) {
        self.bytes.resize(size, 0);
        for (page, bytes) in pages {
            if let Some(target) = self.bytes.get_mut(page * PAGE..page * PAGE + bytes.len()) {
                target.copy_from_slice(bytes);
            }
        }
        self.version = version;
        self.track();
    }

    /// The address of a byte.
    pub fn address(&self, offset: u64) -> Address {
        match self.origin {
            // Nothing points to what stages write.
            Origin::Null | Origin::StageOutputs | Origin::Attachment(_) => Address::Null,
            Origin::Descriptor { set, binding, element } => Address::Descriptor { set, binding, element, offset },
            Origin::Workgroup(variable) | Origin::Output(variable) => Address::Workgroup { variable, offset },
            Origin::PushConstants => Address::PushConstants { offset },
        }
    }

    /// A little-endian number; absent where it is not all within the object.
    #[inline(always)]
    pub fn read(&self, offset: u64, bytes: u32) -> Option<u64> {
        let start = usize::try_from(offset).ok()?;
        let bytes = self.bytes.get(start..start.checked_add(bytes as usize)?)?;
        Some(match *bytes {
            [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
            [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
            [a, b] => u64::from(u16::from_le_bytes([a, b])),
            _ => bytes.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte)),
        })
    }

    /// Writes a little-endian number; false where it is not all within the object.
    #[inline(always)]
    pub fn write(&mut self, offset: u64, bytes: u32, value: u64) -> bool {
        let Ok(start) = usize::try_from(offset) else { return false };
        let Some(end) = start.checked_add(bytes as usize) else { return false };
        let Some(target) = self.range_mut(start..end) else { return false };
        for (target, byte) in target.iter_mut().zip(value.to_le_bytes()) {
            *target = byte;
        }
        if let Some(written) = &mut self.written {
            for at in start..end {
                if let Some(word) = written.get_mut(at / 64) {
                    *word |= 1 << (at % 64);
                }
            }
        }
        true
    }

    /// Marks bytes as written.
    pub fn mark_written(&mut self, range: Range<u64>) {
        let Some(written) = &mut self.written else { return };
        for at in range {
            if let Some(word) = written.get_mut((at / 64) as usize) {
                *word |= 1 << (at % 64);
            }
        }
    }

    /// Whether any of these bytes were not written, where that is known.
    #[inline(always)]
    pub fn is_unwritten(&self, offset: u64, bytes: u32) -> bool {
        let Some(written) = &self.written else { return false };
        (offset..offset + u64::from(bytes))
            .any(|at| written.get(at as usize / 64).is_some_and(|word| word >> (at % 64) & 1 == 0))
    }
}
