//! The log of a run's accesses to memory outside of registers: plain data, written only where a caller asks for it.

use crate::event::Address;
use crate::image::Image;

/// What an instruction accessed in one invocation: a range of an object. An instruction that accesses several ranges, as
/// a load of a structure with padding or a filtered sample does, has a row for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoggedAccess {
    /// The first byte in the object. Of an image that of the texel: levels, layers, slices and rows follow each other
    /// without padding ([`Image::texels`]).
    pub offset: u64,
    /// Index of the decoded instruction ([`crate::Program::instruction`]).
    pub instruction: u32,
    /// Local invocation index.
    pub invocation: u32,
    /// The object ([`crate::Machine::logged_object`]).
    pub object: u32,
    /// Bytes of the range.
    pub bytes: u32,
    /// What the access does.
    pub kind: LoggedKind,
    /// Whether it is the first range of the access: the instruction ran once more in this invocation.
    pub begins: bool,
    /// Whether the invocation was a helper invocation at that time.
    pub helper: bool,
    /// Of a texel that was sampled: how. Absent for other accesses.
    pub filter: Option<LoggedFilter>,
}

/// How texels are sampled: what the sampler's filters and the level of detail lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LoggedFilter {
    /// The nearest texel of one level.
    Nearest,
    /// The texels around the coordinate in one level.
    Linear,
    /// The nearest texel of each of two levels.
    NearestOfTwo,
    /// The texels around the coordinate in each of two levels.
    LinearOfTwo,
    /// The four texels of a gather.
    Gather,
}

/// What an access does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LoggedKind {
    /// It reads.
    Load,
    /// It writes.
    Store,
    /// It is an atomic operation.
    Atomic,
}

/// An object that accesses name.
#[derive(Debug, Clone, PartialEq)]
pub struct LoggedObject {
    /// The address of its first byte.
    pub address: Address,
    /// Its size in bytes.
    pub bytes: u64,
    /// An image without its texels; absent for a buffer.
    pub image: Option<Image>,
}

/// The accesses of a machine, in the order in which they ran.
#[derive(Debug, Clone, Default)]
pub(crate) struct AccessLog {
    pub rows: Vec<LoggedAccess>,
    /// The most rows that are kept.
    pub most: usize,
    /// Whether there were more.
    pub full: bool,
}

impl AccessLog {
    /// Adds a row, while there is room.
    #[inline]
    pub fn push(&mut self, row: LoggedAccess) {
        if self.rows.len() < self.most {
            self.rows.push(row);
        } else {
            self.full = true;
        }
    }
}
