//! Sizes of types in memory, by a module's layout string (LLVM 3.7, "Data Layout").

use std::collections::BTreeMap;

use super::types::{Type, TypeId, Types};

/// How deep types may nest; deeper ones have no size here.
const MAX_DEPTH: u32 = 256;

/// Alignments in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataLayout {
    integers: BTreeMap<u32, u64>,
    floats: BTreeMap<u32, u64>,
    vectors: BTreeMap<u64, u64>,
    /// Bytes and alignment of pointers, by address space.
    pointers: BTreeMap<u32, (u64, u64)>,
    aggregate: u64,
}

/// Bytes of a type, and what its address is a multiple of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Extent {
    size: u64,
    align: u64,
}

impl DataLayout {
    /// Reads `e-m:e-p:32:32-i1:32-…`. What the text does not say is LLVM's default; what is not understood is skipped, as
    /// names of symbols and native widths, which no size depends on.
    pub fn parse(text: &str) -> DataLayout {
        let mut out = DataLayout {
            integers: [(1, 1), (8, 1), (16, 2), (32, 4), (64, 4)].into(),
            floats: [(16, 2), (32, 4), (64, 8), (128, 16)].into(),
            vectors: [(64, 8), (128, 16)].into(),
            pointers: [(0, (8, 8))].into(),
            aggregate: 0,
        };
        for part in text.split('-') {
            let mut fields = part.split(':');
            let Some(head) = fields.next() else { continue };
            let numbers: Vec<Option<u64>> = fields.map(|field| field.parse().ok()).collect();
            let bytes = |at: usize| numbers.get(at).copied().flatten().map(|bits| bits / 8);
            let (kind, width) = head.split_at(head.len().min(1));
            match (kind, width.parse::<u32>(), bytes(0)) {
                ("i", Ok(bits), Some(align)) => _ = out.integers.insert(bits, align),
                ("f", Ok(bits), Some(align)) => _ = out.floats.insert(bits, align),
                ("v", Ok(bits), Some(align)) => _ = out.vectors.insert(u64::from(bits), align),
                ("a", _, Some(align)) => out.aggregate = align,
                ("p", space, Some(size)) if width.is_empty() || space.is_ok() => {
                    if let Some(align) = bytes(1) {
                        out.pointers.insert(space.unwrap_or(0), (size, align));
                    }
                }
                _ => {}
            }
        }
        out
    }

    /// Bytes from one element of an array of this type to the next. Absent for what has no size, and for one that is not
    /// below 2^64.
    pub fn alloc_size(&self, types: &Types, id: TypeId) -> Option<u64> {
        let mut known = vec![None; types.all().len()];
        self.allocated(types, id, &mut known, 0)
    }

    fn allocated(&self, types: &Types, id: TypeId, known: &mut [Option<Extent>], depth: u32) -> Option<u64> {
        let Extent { size, align } = self.extent(types, id, known, depth)?;
        size.checked_next_multiple_of(align.max(1))
    }

    fn extent(&self, types: &Types, id: TypeId, known: &mut [Option<Extent>], depth: u32) -> Option<Extent> {
        if let Some(extent) = known.get(id.0 as usize)? {
            return Some(*extent);
        }
        if depth > MAX_DEPTH {
            return None;
        }
        let extent = match types.get(id)? {
            Type::Half => self.float(16),
            Type::Float => self.float(32),
            Type::Double => self.float(64),
            Type::Integer(bits) => Extent { size: u64::from(*bits).div_ceil(8), align: self.of_integer(*bits) },
            Type::Pointer(_, space) => {
                let (size, align) = self.pointers.get(space).or_else(|| self.pointers.get(&0))?;
                Extent { size: *size, align: *align }
            }
            Type::Array(length, element) => {
                let size = self.allocated(types, *element, known, depth + 1)?.checked_mul(*length)?;
                Extent { size, align: known.get(element.0 as usize).copied().flatten()?.align }
            }
            Type::Vector(lanes, element) => {
                let bits = match types.get(*element)? {
                    Type::Integer(bits) => u64::from(*bits),
                    _ => self.extent(types, *element, known, depth + 1)?.size * 8,
                };
                let bits = bits.checked_mul(u64::from(*lanes))?;
                let size = bits.div_ceil(8);
                // Without a rule for this width, a vector lies where all of its elements would, rounded up.
                let natural = || {
                    let element = self.allocated(types, *element, known, depth + 1)?;
                    element.checked_mul(u64::from(*lanes))?.checked_next_power_of_two()
                };
                Extent { size, align: self.vectors.get(&bits).copied().or_else(natural)? }
            }
            Type::Struct { packed, members, .. } => {
                let (mut size, mut most) = (0u64, self.aggregate.max(1));
                for member in members {
                    let bytes = self.allocated(types, *member, known, depth + 1)?;
                    let align = if *packed { 1 } else { known.get(member.0 as usize).copied().flatten()?.align.max(1) };
                    size = size.checked_next_multiple_of(align)?.checked_add(bytes)?;
                    most = most.max(align);
                }
                let most = if *packed { 1 } else { most };
                Extent { size: size.checked_next_multiple_of(most)?, align: most }
            }
            Type::Void | Type::Label | Type::Metadata | Type::Opaque(_) | Type::Function { .. } => return None,
        };
        *known.get_mut(id.0 as usize)? = Some(extent);
        Some(extent)
    }

    fn float(&self, bits: u32) -> Extent {
        let size = u64::from(bits / 8);
        Extent { size, align: self.floats.get(&bits).copied().unwrap_or(size) }
    }

    /// An integer of another width lies as the next wider one does, or as the widest.
    fn of_integer(&self, bits: u32) -> u64 {
        let wider = self.integers.range(bits..).next().or_else(|| self.integers.last_key_value());
        wider.map_or(1, |(_, align)| *align)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What DXC writes for minimum precision.
    const DXC: &str = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64";
    /// What it writes for native 16-bit types.
    const NATIVE: &str = "e-m:e-p:32:32-i1:32-i8:8-i16:16-i32:32-i64:64-f16:16-f32:32-f64:64-n8:16:32:64";

    fn size(layout: &str, types: &[Type]) -> Option<u64> {
        let mut all = Types::default();
        let ids: Vec<TypeId> = types.iter().map(|ty| all.intern(ty.clone())).collect();
        DataLayout::parse(layout).alloc_size(&all, *ids.last().expect("a type"))
    }

    #[test]
    fn sizes_are_those_of_the_layout_string() {
        let half = |layout| size(layout, &[Type::Half, Type::Array(10, TypeId(0))]);
        assert_eq!((half(DXC), half(NATIVE)), (Some(40), Some(20)));
        assert_eq!(size(DXC, &[Type::Integer(1)]), Some(4));
        assert_eq!(size(NATIVE, &[Type::Integer(8)]), Some(1));
        let mixed = |packed| Type::Struct {
            name: None,
            packed,
            members: [TypeId(0), TypeId(1), TypeId(0)].into_iter().collect(),
        };
        let parts = [Type::Integer(32), Type::Double];
        assert_eq!(size(DXC, &[&parts[..], &[mixed(false)]].concat()), Some(24));
        assert_eq!(size(DXC, &[&parts[..], &[mixed(true)]].concat()), Some(16));
        // Three floats lie where four do.
        assert_eq!(size(DXC, &[Type::Float, Type::Vector(3, TypeId(0)), Type::Array(2, TypeId(1))]), Some(32));
    }

    #[test]
    fn what_has_no_size_has_none() {
        assert_eq!(size(DXC, &[Type::Void]), None);
        assert_eq!(size(DXC, &[Type::Float, Type::Array(u64::MAX, TypeId(0))]), None);
        let mut nested = vec![Type::Float];
        nested.extend((0..300).map(|at| Type::Array(1, TypeId(at))));
        assert_eq!(size(DXC, &nested), None);
        // Each level has the one below twice: each is measured once.
        let mut doubled = vec![Type::Float];
        doubled.extend((0..60).map(|at| Type::Struct {
            name: None,
            packed: false,
            members: [TypeId(at), TypeId(at)].into_iter().collect(),
        }));
        assert_eq!(size(DXC, &doubled), Some(4 << 60));
    }
}
