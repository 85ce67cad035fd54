//! Classes of inputs that may share a slot, and their compatibility keys.

use super::Interpolation;
use lanescope_model::options::PackingOrder;

/// The properties that decide whether two scalars may share a location.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Class {
    pub custom: bool,
    pub flat: bool,
    pub is_16: bool,
}

impl Class {
    /// The one class of inputs of tessellation control and geometry shaders: dwords, which nothing interpolates.
    pub const DWORD: Class = Class { custom: false, flat: false, is_16: false };

    /// `require_dword`: a geometry shader comes before the consumer, so narrow values take whole dwords.
    pub fn of(bits: u32, interpolation: Interpolation, require_dword: bool) -> Class {
        Class {
            custom: interpolation == Interpolation::Custom,
            // One value for a primitive, like a flat one.
            flat: matches!(interpolation, Interpolation::Flat | Interpolation::PerPrimitive),
            is_16: bits <= 16 && !require_dword,
        }
    }

    /// The 16-bit compatibility key: size in half-components, then one bit each for width, flat and custom.
    ///
    /// LLPC keeps width below flat; the design note prints the two bits the other way round.
    pub fn key(self, order: PackingOrder) -> u16 {
        let (width_bit, flat_bit) = if order == PackingOrder::NoteUnion { (10, 9) } else { (9, 10) };
        (if self.is_16 { 1 } else { 2 })
            | u16::from(self.is_16) << width_bit
            | u16::from(self.flat) << flat_bit
            | u16::from(self.custom) << 11
    }

    /// Whether the next scalar may be in the same location.
    pub fn shares_with(self, next: Class, order: PackingOrder) -> bool {
        let both_flat = self.flat && next.flat && !self.custom && !next.custom;
        self == next || (order == PackingOrder::DesignNote && both_flat)
    }

    /// The class in words.
    pub fn label(self) -> &'static str {
        let [wide, narrow] = match (self.custom, self.flat) {
            (true, _) => ["32-bit custom", "16-bit custom"],
            (false, true) => ["32-bit flat", "16-bit flat"],
            (false, false) => ["32-bit interpolated", "16-bit interpolated"],
        };
        if self.is_16 { narrow } else { wide }
    }

    /// The class in words, where there is one value for each primitive.
    pub fn label_of_primitive(self) -> &'static str {
        if self.is_16 { "16-bit per primitive" } else { "32-bit per primitive" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Input packing, section 1.2: key under LLPC's layout, then under the note's.
    #[test]
    fn keys_match_both_orders() {
        let table = [
            (32, Interpolation::Smooth, 0x002, 0x002),
            (16, Interpolation::NoPerspective, 0x201, 0x401),
            (32, Interpolation::Flat, 0x402, 0x202),
            (16, Interpolation::Flat, 0x601, 0x601),
            (32, Interpolation::Custom, 0x802, 0x802),
            (8, Interpolation::Custom, 0xA01, 0xC01),
        ];
        for (bits, interpolation, llpc, note) in table {
            let class = Class::of(bits, interpolation, false);
            assert_eq!(class.key(PackingOrder::Llpc), llpc, "{}", class.label());
            assert_eq!(class.key(PackingOrder::DesignNote), llpc, "{}", class.label());
            assert_eq!(class.key(PackingOrder::NoteUnion), note, "{}", class.label());
        }
    }
}
