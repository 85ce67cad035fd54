//! The scene that every graphics program draws: six triangles, and data for every vertex attribute.
//!
//! The triangles are drawn in order, without culling, depth test or blending, so that the last one at a sample stays.
//! They have different depths and different w (perspective), overlap, face both ways, and cross the right, the left,
//! the bottom and the near edge of the view volume; one has a vertex behind the eye, one is thinner than a pixel.
//!
//! One attribute is the position ([`super::position_of`]). It holds the triangle's clip coordinates: x, y, z and w where
//! it has four components, else x/w, y/w and z/w, for shaders that add a 1. Every other attribute follows
//! [`lanescope_run::fill`], its location as the binding and `16 * vertex + 4 * component` as the offset.

use lanescope_base::ids::Id;
use lanescope_run::fill::{ATTRIBUTE_SET, Source};
use lanescope_spirv::enums::{Decoration, Op, StorageClass};
use lanescope_spirv::shape::{Scalar, ScalarKind};
use lanescope_spirv::{EntryPoint, Module, Type};

use super::GpuError;

/// Width and height of the picture in pixels.
pub const SIDE: u32 = 64;
/// Samples of a pixel, where the device has them for every output's format.
pub const SAMPLES: u32 = 4;
/// The colour that outputs start with, in floating point and as integers.
pub const CLEAR: ([f32; 4], [u32; 4]) = ([0.25, 0.5, 0.75, 1.0], [1, 2, 3, 4]);

/// x/w, y/w, z/w and w of the vertices, three a triangle.
pub const VERTICES: [[f32; 4]; 18] = [
    // Much of the picture, in strong perspective.
    [-0.9, -0.9, 0.2, 1.0],
    [0.8, -0.7, 0.5, 2.0],
    [-0.2, 0.9, 0.8, 0.5],
    // Across the right edge, over the first.
    [0.2, -0.5, 0.3, 1.5],
    [1.7, 0.1, 0.6, 3.0],
    [0.4, 0.8, 0.1, 0.75],
    // Across the left and the bottom edge, facing the other way.
    [-0.8, 1.5, 0.2, 0.5],
    [-0.125, 0.375, 0.9, 4.0],
    [-1.6, 0.2, 0.4, 1.25],
    // Across the near plane.
    [-0.5, -0.2, -0.4, 1.0],
    [0.3, -0.9, 0.7, 1.0],
    [0.6, 0.0, 0.5, 2.5],
    // One vertex behind the eye.
    [-1.0, 1.0, 0.5, -0.5],
    [0.9, 0.9, 0.5, 1.0],
    [-0.3, 0.6, 0.3, 1.0],
    // Thinner than a pixel.
    [-0.95, 0.9, 0.5, 1.0],
    [0.95, 0.93, 0.5, 1.0],
    [0.95, 0.91, 0.5, 1.0],
];

/// A location of the interface between a shader and what is outside the pipeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Slot {
    pub location: u32,
    pub kind: ScalarKind,
    /// Width of a component.
    pub bits: u32,
    /// Components that are used, from the first.
    pub components: u32,
    /// The variable that begins here.
    pub name: Option<String>,
}

impl Slot {
    /// Its size in a vertex buffer: components of 16 bits are stored with 32.
    pub fn bytes(&self) -> u32 {
        self.components.clamp(1, 4) * self.bits.max(32) / 8
    }
}

/// The vertex attributes of a vertex shader, or the colour outputs of a fragment shader, by location.
///
/// # Errors
/// A type whose components have none of the widths `bits`; more locations than any device has.
pub(crate) fn slots(
    module: &Module,
    entry: &EntryPoint,
    class: StorageClass,
    bits: &[u32],
) -> Result<Vec<Slot>, GpuError> {
    let mut found = Found { module, bits, slots: Vec::new() };
    for &id in &entry.interface {
        let Some(inst) = module.def(id).filter(|inst| inst.op() == Some(Op::Variable)) else { continue };
        let Some(pointee) = module.pointee(id).filter(|_| inst.word_at(3) == class as u32) else { continue };
        let Some(location) = module.decoration(id, None, Decoration::Location) else { continue };
        if module.decoration(id, None, Decoration::Index).unwrap_or(0) != 0 {
            return Err(GpuError::NotRun("outputs for dual-source blending are not supported".to_owned()));
        }
        let component = module.decoration(id, None, Decoration::Component).unwrap_or(0);
        let name = module.name(id).map(str::to_owned);
        let mut next = location;
        found.add(pointee, component, &mut next, &name)?;
    }
    found.slots.sort_by_key(|slot| slot.location);
    Ok(found.slots)
}

/// The slots of an interface, as far as they were met.
struct Found<'m> {
    module: &'m Module,
    bits: &'m [u32],
    slots: Vec<Slot>,
}

impl Found<'_> {
    fn add(&mut self, ty: Id, component: u32, next: &mut u32, name: &Option<String>) -> Result<(), GpuError> {
        let module = self.module;
        let described = || {
            let name = name.as_deref().map_or_else(String::new, |name| format!("`{name}` "));
            format!("{name}at location {next}")
        };
        let (scalar, count) = match module.ty(ty) {
            Some(Type::Array { element, length }) => {
                let length = module.array_length(length).unwrap_or(1);
                return self.repeat(element, length, component, next, name);
            }
            Some(Type::Matrix { column, count }) => return self.repeat(column, count, component, next, name),
            Some(Type::Vector { component, count }) => (Scalar::of(module, component), count),
            _ => (Scalar::of(module, ty), 1),
        };
        let Some(scalar) = scalar.filter(|scalar| self.bits.contains(&scalar.bits)) else {
            let bits: Vec<_> = self.bits.iter().map(u32::to_string).collect();
            let message =
                format!("{} is {}, which has no {}-bit format", described(), module.type_name(ty), bits.join(" or "));
            return Err(GpuError::NotRun(message));
        };
        let wide = scalar.bits == 64;
        let first = if wide { component / 2 } else { component };
        let components = first.saturating_add(count).min(4);
        let location = *next;
        match self.slots.iter_mut().find(|slot| slot.location == location) {
            Some(slot) if (slot.kind, slot.bits) == (scalar.kind, scalar.bits) => {
                slot.components = slot.components.max(components);
            }
            Some(_) => return Err(GpuError::NotRun(format!("{} has two numeric types", described()))),
            None => {
                let Scalar { kind, bits } = scalar;
                self.slots.push(Slot { location, kind, bits, components, name: name.clone() });
            }
        }
        // Three and four 64-bit components take two locations.
        *next = next.saturating_add(if wide && components > 2 { 2 } else { 1 });
        Ok(())
    }

    fn repeat(
        &mut self,
        ty: Id,
        count: u32,
        component: u32,
        next: &mut u32,
        name: &Option<String>,
    ) -> Result<(), GpuError> {
        // More than any device has, and few enough to walk.
        if count > 64 {
            return Err(GpuError::NotRun(format!("an interface array of {count} locations is not supported")));
        }
        (0..count).try_for_each(|_| self.add(ty, component, next, name))
    }
}

/// The four components of an attribute of a vertex; where it is the position, `place` says whether it has all four.
pub(super) fn values(vertex: usize, location: u32, kind: ScalarKind, place: Option<bool>, seed: u64) -> [f64; 4] {
    let [x, y, z, w] = VERTICES.get(vertex).copied().unwrap_or_default();
    match place {
        Some(true) => [x * w, y * w, z * w, w].map(f64::from),
        Some(false) => [x, y, z, 1.0].map(f64::from),
        None => [0, 1, 2, 3].map(|component| {
            let source = Source { seed, set: ATTRIBUTE_SET, binding: location, element: 0 };
            let offset = 16 * vertex as u64 + 4 * component;
            match kind {
                ScalarKind::Float => source.float(offset),
                _ => source.integer(offset) as f64,
            }
        }),
    }
}

/// The bits of a component with 32 bits.
pub(super) fn word(kind: ScalarKind, value: f64) -> u32 {
    match kind {
        ScalarKind::Float => (value as f32).to_bits(),
        // Below 64, so it fits.
        _ => value as u32,
    }
}

/// The vertex buffer: 16 bytes a slot, the slots of a vertex together. The position is at a location.
pub(super) fn vertices(slots: &[Slot], position: Option<u32>, seed: u64) -> Vec<u8> {
    let mut out = Vec::new();
    for vertex in 0..VERTICES.len() {
        for slot in slots {
            let place = (Some(slot.location) == position).then_some(slot.components == 4);
            let word = |value: f64| word(slot.kind, value);
            let values = values(vertex, slot.location, slot.kind, place, seed);
            out.extend(values.map(word).iter().flat_map(|word| word.to_le_bytes()));
        }
    }
    out
}
