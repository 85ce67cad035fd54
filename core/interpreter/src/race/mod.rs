//! Data races by the Vulkan specification's memory model: who accessed each byte last, and what orders two accesses.
//!
//! An access X is ordered before a later one Y ("location-ordered") if one invocation makes both, or if all of this holds:
//!
//! * Both are non-private.
//! * X happens before Y: a release that follows X synchronizes with an acquire that precedes Y, directly or through
//!   others, and the semantics of each name the kind of memory.
//! * If X writes, an availability operation makes it available to a memory domain that both invocations have in common,
//!   and that happens before Y. If Y reads, a visibility operation from that domain follows, and precedes Y.
//!
//! ```text
//! semantics (Semantics) ─▶ sync (Order): fences, control barriers, atomics ─▶ clocks (Knowledge)
//! accesses (Access) ─▶ shadow (Shadows): last write and reads since ─▶ Order::ordered
//! ```
//!
//! Clocks are vector clocks: an invocation counts its releases, and an access has the count at its time. A release
//! carries what its invocation has acquired and its own count; an acquire takes that over. Each kind of memory has its
//! own clocks, as happens-before is a relation for each set of storage classes, and a set of one is the weakest demand.
//!
//! What many have in common is there once: invocations of a wave are one while nothing tells them apart (Agents), and so
//! are counts of neighbours (Runs), and workgroups that have ended, as readers have only the device in common with them.

mod agents;
mod atomics;
mod clock;
#[cfg(test)]
mod reference;
mod runs;
mod shadow;
mod sync;

pub(crate) use atomics::AtomicUse;
pub(crate) use shadow::{Access, LastWrite, Shadows, Span};
pub(crate) use sync::{Model, Order, Present, Reached};

/// Memory that semantics name apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    Workgroup,
    Buffer,
    Image,
    /// Outputs that invocations share, and payloads of tasks.
    Output,
}

/// The number of classes.
pub(crate) const CLASSES: usize = 4;

/// Classes as bits.
pub(crate) type Classes = u8;

/// How many invocations a scope, or its memory domain, has: 0 one, 1 a subgroup, 2 a workgroup, 3 all.
pub(crate) type Level = u8;

pub(crate) const INVOCATION: Level = 0;
pub(crate) const SUBGROUP: Level = 1;
pub(crate) const WORKGROUP: Level = 2;
pub(crate) const DEVICE: Level = 3;

/// The level of a SPIR-V scope.
pub(crate) fn level(scope: u32) -> Level {
    match scope {
        // Cross device, device, queue family: the interpreter runs on one queue.
        0 | 1 | 5 => DEVICE,
        2 => WORKGROUP,
        3 => SUBGROUP,
        _ => INVOCATION,
    }
}

/// Classes of a set.
pub(crate) fn each(classes: Classes) -> impl Iterator<Item = usize> {
    (0..CLASSES).filter(move |class| classes >> class & 1 == 1)
}

/// Scope and semantics of a barrier or an atomic operation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Semantics {
    pub level: Level,
    pub acquire: bool,
    pub release: bool,
    /// `MakeAvailable`, `MakeVisible`.
    pub available: bool,
    pub visible: bool,
    pub classes: Classes,
}

impl Semantics {
    /// Reads a scope and `MemorySemantics`.
    pub fn of(scope: u32, semantics: u32) -> Semantics {
        const ACQUIRE: u32 = 0x2 | 0x8 | 0x10;
        const RELEASE: u32 = 0x4 | 0x8 | 0x10;
        // Outputs of mesh shaders and payloads are ordered like workgroup memory.
        let bits = [(Class::Workgroup, 0x100), (Class::Buffer, 0x40), (Class::Image, 0x800), (Class::Output, 0x1100)];
        let named = bits.into_iter().filter(|(_, bits)| semantics & bits != 0);
        Semantics {
            level: level(scope),
            acquire: semantics & ACQUIRE != 0,
            release: semantics & RELEASE != 0,
            available: semantics & 0x2000 != 0,
            visible: semantics & 0x4000 != 0,
            classes: named.fold(0, |all, (class, _)| all | 1 << class as u8),
        }
    }

    /// Whether it orders or moves anything.
    pub fn is_empty(&self) -> bool {
        self.level == INVOCATION || self.classes == 0 || !(self.acquire || self.release)
    }
}

/// How an access takes part in the memory model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Way {
    pub is_private: bool,
    pub atomic: bool,
    /// The domain to which its write is available at once, or from which its read sees; the scope of an atomic.
    pub level: Level,
}

impl Way {
    /// An access that others see within a scope.
    pub const fn shared(level: Level) -> Way {
        Way { is_private: false, atomic: false, level }
    }

    pub const fn private() -> Way {
        Way { is_private: true, atomic: false, level: INVOCATION }
    }

    pub const fn atomic(level: Level) -> Way {
        Way { is_private: false, atomic: true, level }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn semantics_are_read_from_their_bits() {
        let both = Semantics::of(2, 0x108);
        assert_eq!((both.level, both.acquire, both.release), (WORKGROUP, true, true));
        assert_eq!(both.classes, 1 << Class::Workgroup as u8 | 1 << Class::Output as u8);
        let release = Semantics::of(1, 0x2044);
        assert_eq!((release.acquire, release.release, release.available, release.visible), (false, true, true, false));
        assert_eq!((release.level, release.classes), (DEVICE, 1 << Class::Buffer as u8));
        assert!(Semantics::of(4, 0x108).is_empty() && Semantics::of(2, 0x100).is_empty());
        assert!(Semantics::of(2, 0x8).is_empty() && !Semantics::of(3, 0x802).is_empty());
    }
}
