//! What a send says: to which unit, what, and what that accesses.

use super::super::super::isa::{Does, Space};
use super::super::Sampled;

/// The unit that a message goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Sampler,
    Gateway,
    Render,
    Urb,
    /// Starts threads, and takes back their registers at the end.
    Spawner,
    /// Data caches, up to Gen12.
    Data,
    /// The cache of constants, up to Gen12.
    Constants,
    PixelInterpolator,
    RayTracing,
    /// Memory of the workgroup, from Gen12.5 on.
    Shared,
    /// Typed memory, from Gen12.5 on.
    Typed,
    /// Untyped memory, from Gen12.5 on.
    Untyped,
    Unknown,
}

/// A message.
#[derive(Debug, Clone)]
pub(super) struct Message {
    pub unit: Unit,
    /// What it says, without its lengths; empty where registers hold it.
    pub content: String,
    /// How many registers are written, and read as the first and the second source.
    pub lengths: [Option<u32>; 3],
    /// The number that describes it.
    pub descriptor: Option<u32>,
}

/// What a message does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    /// Accesses memory.
    Memory(Space, Does),
    /// Waits until memory accesses are done.
    Fence,
    /// Says that the thread is at the barrier.
    Barrier,
    /// Writes a colour: to an entry of the binding table.
    Target(Option<u32>),
    /// Accesses the URB.
    Urb(Entry),
    /// Computes weights of an interpolation.
    Weights { perspective: Option<bool>, at: Option<Sampled> },
    /// Nothing that is a fact.
    Nothing,
    /// It is not known what.
    Unknown,
}

/// An access to the URB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub does: Does,
    /// The first dword, of those of a lane's own entry; absent where it is computed.
    pub dword: Option<u32>,
    /// How many dwords, where all of them are accessed.
    pub dwords: Option<u32>,
}

impl Unit {
    /// By the names of Mesa 22.3 to 26.1.
    pub fn classic(name: &str) -> Unit {
        match name {
            "sampler" => Unit::Sampler,
            "gateway" => Unit::Gateway,
            "render" => Unit::Render,
            "urb" => Unit::Urb,
            "thread_spawner" | "ts/btd" => Unit::Spawner,
            "data" | "dp data 1" | "hdc0" | "hdc1" => Unit::Data,
            "const" | "hdc:ro" => Unit::Constants,
            "pixel interp" | "pi" => Unit::PixelInterpolator,
            "rt accel" => Unit::RayTracing,
            "slm" => Unit::Shared,
            "tgm" => Unit::Typed,
            "ugm" => Unit::Untyped,
            _ => Unit::Unknown,
        }
    }

    /// By the names of Mesa 26.2.
    pub fn current(name: &str) -> Unit {
        match name {
            "smpl" => Unit::Sampler,
            "gtwy" => Unit::Gateway,
            "render" => Unit::Render,
            "urb" => Unit::Urb,
            "ts" | "btd" => Unit::Spawner,
            "hdc0" | "hdc1" => Unit::Data,
            "hdc_ro" => Unit::Constants,
            "pi" => Unit::PixelInterpolator,
            "rtaccel" => Unit::RayTracing,
            "slm" => Unit::Shared,
            "tgm" => Unit::Typed,
            "ugm" => Unit::Untyped,
            _ => Unit::Unknown,
        }
    }
}

/// Binding table entries that are none: the workgroup's memory, and memory by plain offsets.
const SHARED: u32 = 254;
const STATELESS: [u32; 2] = [253, 255];
/// A descriptor that the message's registers hold.
const BINDLESS: u32 = 252;

impl Message {
    /// What it does. `raw_images` is true where storage images may be accessed without their type, as on Gen8.
    pub fn action(&self, raw_images: bool) -> Action {
        let known = !self.content.is_empty();
        match self.unit {
            Unit::Sampler => self.sampler(),
            Unit::Gateway if self.content.contains("barrier") => Action::Barrier,
            // It may be a barrier.
            Unit::Gateway if !known => Action::Unknown,
            Unit::Gateway | Unit::Spawner => Action::Nothing,
            Unit::Render => self.render(),
            Unit::Urb if known => self.urb(),
            Unit::Data if known => self.data(raw_images),
            Unit::Constants if known => Action::Memory(Space::Constant, Does::Load),
            Unit::PixelInterpolator => self.weights(),
            Unit::RayTracing => Action::Memory(Space::Global, Does::Other),
            Unit::Shared | Unit::Typed | Unit::Untyped if known => self.untyped(),
            Unit::Urb => Action::Unknown,
            Unit::Data | Unit::Typed | Unit::Untyped => Action::Memory(Space::Unknown, Does::Unknown),
            Unit::Constants => Action::Memory(Space::Constant, Does::Load),
            Unit::Shared => Action::Memory(Space::Local, Does::Unknown),
            Unit::Unknown => Action::Unknown,
        }
    }

    /// The first word.
    fn verb(&self) -> &str {
        let text = self.content.trim_start_matches(['(', ' ']);
        text.split([' ', ':', '.', ',', ')']).next().unwrap_or_default()
    }

    fn sampler(&self) -> Action {
        let (space, does) = match self.verb() {
            "" => (Space::ImageOrBuffer, Does::Unknown),
            "ld" | "ld_lz" | "ld_l" => (Space::ImageOrBuffer, Does::Load),
            "resinfo" => (Space::ImageOrBuffer, Does::Other),
            "lod" | "sampleinfo" => (Space::Image, Does::Other),
            verb if verb.starts_with("ld") => (Space::Image, Does::Load),
            verb if verb.starts_with("sample") || verb.starts_with("gather4") => (Space::Image, Does::Sample),
            _ => return Action::Unknown,
        };
        Action::Memory(space, does)
    }

    fn render(&self) -> Action {
        /// The kind of a message in the number that describes it.
        const WRITE: u32 = 12;
        let described = self.descriptor.filter(|descriptor| descriptor >> 14 & 15 == WRITE);
        match self.content.as_str() {
            "?" => described.map_or(Action::Unknown, |descriptor| Action::Target(Some(descriptor & 255))),
            "" => Action::Target(None),
            text if text.contains("RT write") || text.contains("rt_write") => Action::Target(self.surface()),
            text if text.contains("RT read") || text.contains("rt_read") => Action::Memory(Space::Image, Does::Load),
            _ => Action::Unknown,
        }
    }

    /// The entry of the binding table: `Surface = 3`, `bti 3`, `bti(3)`.
    fn surface(&self) -> Option<u32> {
        let lower = ["Surface = ", "bti ", "bti(", "bti["];
        let rest = lower.iter().find_map(|name| self.content.split_once(name)).map(|(_, rest)| rest)?;
        rest.get(..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()))?.parse().ok()
    }

    fn data(&self, raw_images: bool) -> Action {
        let text = self.content.to_ascii_lowercase();
        let has = |word: &str| text.contains(word);
        if has("fence") {
            return Action::Fence;
        }
        let does = match () {
            () if has("atomic") => Does::Atomic,
            () if has("read") => Does::Load,
            () if has("write") => Does::Store,
            () => return Action::Unknown,
        };
        let untyped = has("untyped");
        let space = match self.surface() {
            _ if has("a64") => Space::Global,
            None => Space::Unknown,
            Some(SHARED) => Space::Local,
            Some(surface) if STATELESS.contains(&surface) => Space::Scratch,
            Some(BINDLESS) if !untyped => Space::ImageOrBuffer,
            Some(_) if has("typed") && !untyped => Space::ImageOrBuffer,
            Some(_) if untyped && raw_images => Space::ImageOrBuffer,
            Some(_) if untyped || has("scatter") || has("oword") => Space::Buffer,
            Some(_) => return Action::Unknown,
        };
        Action::Memory(space, does)
    }

    /// Loads, stores and atomics of Gen12.5 and later: `load.ugm.d32x4.a32.bti[3]`, `( load, a32, d32, V4, … bti ) BTI 3`.
    fn untyped(&self) -> Action {
        let does = match self.verb() {
            "fence" => return Action::Fence,
            verb if verb.starts_with("load") => Does::Load,
            verb if verb.starts_with("store") => Does::Store,
            verb if verb.starts_with("atomic") => Does::Atomic,
            _ => return Action::Unknown,
        };
        let space = match self.unit {
            Unit::Shared => Space::Local,
            Unit::Typed => Space::ImageOrBuffer,
            _ => match self.address() {
                Some("flat") => Space::Global,
                Some("bti" | "bss") => Space::Buffer,
                Some("ss") => Space::BufferOrScratch,
                _ => Space::Unknown,
            },
        };
        Action::Memory(space, does)
    }

    /// By what an address is found: a table, a descriptor, or itself.
    fn address(&self) -> Option<&str> {
        if let Some(inner) = self.content.strip_prefix('(') {
            let (inner, _) = inner.split_once(')')?;
            return inner.split_ascii_whitespace().last();
        }
        let last = self.content.rsplit('.').find(|part| !part.starts_with(|c: char| c.is_ascii_digit()))?;
        Some(match last.split_once('[').map_or(last, |(name, _)| name) {
            // The size of an address, or what its caches do.
            "a16" | "a32" | "a64" | "uc" | "wb" | "wt" | "ca" | "st" | "cc" => "flat",
            name => name,
        })
    }

    fn urb(&self) -> Action {
        let text = self.content.as_str();
        if text.contains("fence") {
            return Action::Fence;
        }
        let has = |word: &str| text.split([' ', '_', '-', '.', ',', '(']).any(|part| part == word);
        let does = match () {
            () if has("atomic") => Does::Atomic,
            () if has("write") || has("store") => Does::Store,
            () if has("read") || has("load") => Does::Load,
            () => return Action::Unknown,
        };
        // From Xe2 on a register holds the address (`store.urb.d32x8.a32.uc.uc.flat[A+0x20]`): where the lane's own entry
        // begins, or a place in it.
        let (dword, dwords) = if has("write") || has("read") { self.rows(does) } else { (None, None) };
        Action::Urb(Entry { does, dword, dwords })
    }

    /// `offset 4 SIMD8 write per-slot masked`, `simd8_write off=4 masked per_slot (8)`: the offset counts rows of four
    /// dwords. The first register holds where entries are, then come offsets and masks.
    fn rows(&self, does: Does) -> (Option<u32>, Option<u32>) {
        let text = self.content.as_str();
        let number = |name: &str| {
            let (_, rest) = text.split_once(name)?;
            rest.get(..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()))?.parse::<u32>().ok()
        };
        let row = number("offset ").or_else(|| number("off="));
        // The newer form leaves out an offset of nothing.
        let row = if text.starts_with("simd8_") { row.or(Some(0)) } else { row };
        let computed = text.contains("per-slot") || text.contains("per_slot");
        let masked = text.contains("masked");
        let [written, first, second] = self.lengths;
        let dwords = if does == Does::Load {
            written
        } else {
            let all = first.zip(second.or(Some(0))).map(|(first, second)| first.saturating_add(second));
            all.and_then(|all| all.checked_sub(1 + u32::from(computed)))
        };
        let dword = row.filter(|_| !computed).and_then(|row| row.checked_mul(4));
        (dword, dwords.filter(|count| !masked && (1..=64).contains(count)))
    }

    fn weights(&self) -> Action {
        let text = self.content.as_str();
        let perspective = match () {
            () if text.contains("persp") => Some(true),
            () if text.contains("linear") => Some(false),
            () => None,
        };
        let at = match () {
            () if text.contains("offset") => Some(Sampled::Offset),
            () if text.contains("sample") => Some(Sampled::Sample),
            () if text.contains("centroid") => Some(Sampled::Centroid),
            () => None,
        };
        Action::Weights { perspective, at }
    }
}
