//! What packing saves, in the memory of a chip.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lanescope_base::ids::Bytes;
use lanescope_base::named_enum;
use lanescope_model::target::Target;

/// Bytes of one attribute slot of one vertex.
const SLOT_BYTES: u64 = 16;
/// A primitive's three vertices.
const VERTICES: u64 = 3;

named_enum!(
    /// The memory that passes attributes to the fragment shader.
    AttributeStorage {
        /// On the chip: up to GFX10.3.
        ParameterCache = "parameter cache",
        /// A ring in memory, through L2: from GFX11 on.
        AttributeRing = "attribute ring",
    }
);

impl AttributeStorage {
    /// Value of absent words.
    fn default_of() -> AttributeStorage {
        AttributeStorage::ParameterCache
    }
}

/// The savings of packing, each as before and after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Saving {
    /// Where attributes are passed.
    #[serde(default = "AttributeStorage::default_of")]
    pub stored_in: AttributeStorage,
    /// Attributes of a vertex, in the parameter cache or the attribute ring: 16 bytes a slot. Slots that a mesh shader
    /// fills for each primitive are not among them.
    pub parameter_cache_per_vertex: [Bytes; 2],
    /// What is filled of LDS for each primitive of a pixel wave: three vertices of 16 bytes a slot. What per-primitive
    /// slots take besides is not known.
    pub lds_per_primitive: [Bytes; 2],
    /// LDS is allocated to a wave in multiples of this; 0 where it is not known.
    #[serde(default)]
    pub lds_granule: Bytes,
}

impl Saving {
    /// The savings of these numbers of slots of a vertex, before and after.
    pub(super) fn of(slots: [u32; 2], target: Target) -> Saving {
        let bytes = |vertices: u64| slots.map(|slots| Bytes(u64::from(slots) * SLOT_BYTES * vertices));
        let ring = target.ip().has_attribute_ring == Some(true);
        Saving {
            stored_in: if ring { AttributeStorage::AttributeRing } else { AttributeStorage::ParameterCache },
            parameter_cache_per_vertex: bytes(1),
            lds_per_primitive: bytes(VERTICES),
            lds_granule: Bytes(target.ip().lds_granule.unwrap_or(0).into()),
        }
    }

    /// None: the driver lays out the memory between other stages.
    pub const NONE: Saving = Saving {
        stored_in: AttributeStorage::ParameterCache,
        parameter_cache_per_vertex: [Bytes(0); 2],
        lds_per_primitive: [Bytes(0); 2],
        lds_granule: Bytes(0),
    };

    /// LDS that a wave with this many primitives is allocated; none where the granule is not known.
    pub fn lds_of_wave(&self, primitives: u64) -> Option<[Bytes; 2]> {
        let granule = self.lds_granule.0;
        let whole = |bytes: Bytes| bytes.0.saturating_mul(primitives).checked_next_multiple_of(granule).map(Bytes);
        match self.lds_per_primitive.map(whole) {
            [Some(before), Some(after)] if granule > 0 => Some([before, after]),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A slot less often saves no LDS: a wave is allocated whole granules.
    #[test]
    fn lds_is_allocated_in_granules() {
        let of = |target, primitives| Saving::of([5, 4], target).lds_of_wave(primitives).map(|both| both.map(|b| b.0));
        assert_eq!(of(Target::Gfx1030, 1), Some([1024, 1024]));
        assert_eq!(of(Target::Gfx1030, 8), Some([2048, 2048]));
        assert_eq!(of(Target::Gfx1030, 16), Some([4096, 3072]));
        assert_eq!(of(Target::Gfx1010, 8), Some([2048, 1536]));
        assert_eq!(Saving::NONE.lds_of_wave(1), None);
        assert_eq!(of(Target::Gfx1201, 1), None, "drivers differ");
        let storage = |target| Saving::of([5, 4], target).stored_in;
        assert_eq!(storage(Target::Gfx1036), AttributeStorage::ParameterCache);
        assert_eq!(storage(Target::Gfx1100), AttributeStorage::AttributeRing);
        assert_eq!(storage(Target::Gfx1201), AttributeStorage::AttributeRing);
    }
}
