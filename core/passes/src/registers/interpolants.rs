//! The contents of each interpolant slot, and the barycentrics that its readers use, from the packing artifact.

use std::collections::BTreeMap;

use super::Graphics;
use crate::packing::{At, AttributeBuiltIn, BuiltInSlot, InterfaceScalar, Interpolation, Mapping, Packing, Place};
use lanescope_base::ids::{Component, Location};

/// Slots that the hardware has.
pub(super) const SLOTS: u32 = 32;

/// Bits of SPI_PS_INPUT_ADDR and SPI_PS_INPUT_ENA.
pub(super) mod bit {
    pub const PERSP_SAMPLE: u32 = 0;
    pub const PERSP_CENTER: u32 = 1;
    pub const PERSP_CENTROID: u32 = 2;
    pub const PERSP_PULL_MODEL: u32 = 3;
    pub const LINEAR_SAMPLE: u32 = 4;
    pub const LINEAR_CENTER: u32 = 5;
    pub const LINEAR_CENTROID: u32 = 6;
    pub const POS_X: u32 = 8;
    pub const POS_W: u32 = 11;
    pub const FRONT_FACE: u32 = 12;
    pub const ANCILLARY: u32 = 13;
    pub const SAMPLE_COVERAGE: u32 = 14;
}

/// The interpolants of a fragment shader.
#[derive(Debug, Default)]
pub(super) struct Interpolants {
    slots: BTreeMap<u32, Slot>,
    /// A read input is smooth, or needs the pull model.
    pub smooth: bool,
    pub no_perspective: bool,
    pub center: bool,
    pub centroid: bool,
    pub sample: bool,
    /// Interpolation at an offset that the shader computes, smooth.
    pub pull_model: bool,
    /// An input is read at the sample by its own qualifier.
    pub sample_located: bool,
    /// PointCoord is read.
    pub point_coord: bool,
    /// Barycentric pairs that the code uses for its inputs, as bits of SPI_PS_INPUT_ENA.
    pub used: u32,
    /// The mesh shader that comes before, where one does.
    mesh: Option<Mesh>,
    /// Slots that the previous stage exports, up to the last one for transform feedback alone.
    pub captured: u32,
}

/// What a mesh shader fills.
#[derive(Debug)]
struct Mesh {
    /// Slots of generic inputs: of a vertex, and of a primitive after them.
    generic: [u32; 2],
    /// Slots that it fills though nothing reads them, each with whether it is one of a primitive.
    kept: Vec<(u32, bool)>,
}

impl Mesh {
    fn of(packing: &Packing) -> Mesh {
        let kept = packing.reserved().into_iter().map(|output| (output.to.location.0, output.per_primitive));
        let of_primitives = packing.slots.per_primitive;
        Mesh { generic: [packing.slots.after.saturating_sub(of_primitives), of_primitives], kept: kept.collect() }
    }
}

/// One slot.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    pub kind: Kind,
    /// The previous stage exports the slot (where it is loaded).
    pub exported: bool,
    /// Contents, as text.
    pub holds: String,
}

/// Contents of a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Generic inputs.
    Generic {
        flat: bool,
        custom: bool,
        /// A mesh shader writes them for each primitive.
        per_primitive: bool,
        /// Some value is 16-bit or narrower.
        narrow: bool,
        /// Low and high halves that are read.
        halves: [bool; 2],
    },
    /// A built-in.
    BuiltIn(AttributeBuiltIn),
}

impl Interpolants {
    /// Reads the artifact: the map, each scalar with where it goes, and the built-ins' slots, packed or only
    /// renumbered, of the interface that a packing is of.
    pub fn of<'m>(
        map: impl Iterator<Item = (&'m Mapping, Place)>,
        builtins: &[BuiltInSlot],
        packing: &Packing,
        graphics: &Graphics<'_>,
    ) -> Interpolants {
        let Graphics { producer, options, .. } = graphics;
        let sample_shading = options.sample_shading;
        let mesh = packing.is_after_mesh().then(|| Mesh::of(packing));
        let mut out = Interpolants { mesh, ..Interpolants::default() };
        let narrow = narrow_places(&packing.interface);
        for (mapping, to) in map {
            let behind = narrow.partition_point(|(place, _)| *place <= (mapping.from.location, mapping.from.component));
            let found = behind.checked_sub(1).and_then(|at| narrow.get(at));
            let found = found.filter(|(place, _)| *place == (mapping.from.location, mapping.from.component));
            out.slot(mapping, to, found.map_or(mapping.bits <= 16, |(_, is_narrow)| *is_narrow));
            out.evaluation(mapping);
        }
        let mut distances = 0;
        for slot in builtins {
            let exported = producer.is_none_or(|producer| match slot.built_in {
                AttributeBuiltIn::PointCoord => false,
                // A Layer that no stage writes is exported as 0.
                AttributeBuiltIn::PrimitiveId | AttributeBuiltIn::Layer => true,
                AttributeBuiltIn::ViewportIndex => producer.viewport_index,
                AttributeBuiltIn::ClipCullDistance => producer.distances() > distances * 4,
            });
            match slot.built_in {
                AttributeBuiltIn::ClipCullDistance => {
                    distances += 1;
                    out.used |= 1 << bit::LINEAR_CENTER;
                }
                AttributeBuiltIn::PointCoord => {
                    out.point_coord = true;
                    out.smooth = true;
                    out.center |= !sample_shading;
                    out.sample |= sample_shading;
                    out.used |= 1 << if sample_shading { bit::PERSP_SAMPLE } else { bit::PERSP_CENTER };
                }
                _ => {}
            }
            let exported = exported && slot.written && slot.built_in != AttributeBuiltIn::PointCoord;
            let holds = slot.built_in.name().to_owned();
            out.slots.insert(slot.location.0, Slot { kind: Kind::BuiltIn(slot.built_in), exported, holds });
        }
        out
    }

    /// Number of slots: the highest used one + 1, at most [`SLOTS`].
    pub fn count(&self) -> u32 {
        self.slots.last_key_value().map_or(0, |(&last, _)| last.saturating_add(1).min(SLOTS))
    }

    /// One slot, if something in it is read.
    pub fn get(&self, slot: u32) -> Option<&Slot> {
        self.slots.get(&slot)
    }

    /// Slots that are read, in order, with their numbers.
    pub fn slots(&self) -> impl Iterator<Item = (u32, &Slot)> {
        self.slots.iter().map(|(&n, slot)| (n, slot)).take_while(|&(n, _)| n < SLOTS)
    }

    /// Whether a mesh shader comes before.
    pub fn behind_mesh(&self) -> bool {
        self.mesh.is_some()
    }

    /// Number of parameters that the previous stage exports for a vertex, read, captured or kept: the highest slot + 1.
    pub fn exported(&self) -> u32 {
        if let Some(mesh) = &self.mesh {
            return self.filled_by(mesh, false);
        }
        let of_vertex = self.slots().filter(|(_, slot)| slot.exported && !self.is_per_primitive(slot));
        of_vertex.last().map_or(0, |(n, _)| n + 1).max(self.captured)
    }

    /// Number of slots that a mesh shader fills of a vertex, or of a primitive, up to the last one.
    fn filled_by(&self, mesh: &Mesh, per_primitive: bool) -> u32 {
        let of_vertices =
            |(_, slot): &(u32, &Slot)| matches!(slot.kind, Kind::BuiltIn(_)) && !self.is_per_primitive(slot);
        let first = match per_primitive {
            true => mesh.generic[0] + self.slots().filter(of_vertices).count() as u32,
            false => 0,
        };
        let of = self.slots().filter(|(_, slot)| self.is_per_primitive(slot) == per_primitive);
        let (built_ins, generic): (Vec<_>, Vec<_>) = of.partition(|(_, slot)| matches!(slot.kind, Kind::BuiltIn(_)));
        let read = generic.into_iter().filter(|(_, slot)| slot.exported).map(|(n, _)| n);
        let kept = mesh.kept.iter().filter(|(n, of)| *of == per_primitive && *n < SLOTS).map(|(n, _)| *n);
        let generic = read.chain(kept).max().map_or(0, |last| (last + 1).saturating_sub(first));
        // Built-ins follow. Those that are read have a slot whether or not the shader writes them.
        let comes_from_it = |slot: &Slot| slot.kind != Kind::BuiltIn(AttributeBuiltIn::PointCoord);
        match built_ins.iter().any(|(_, slot)| comes_from_it(slot)) {
            true => mesh.generic[usize::from(per_primitive)] + built_ins.len() as u32,
            false => generic,
        }
    }

    /// Whether there are slots of vertices, after a mesh shader read whole.
    pub fn reads_vertices(&self) -> bool {
        let generic = self.mesh.as_ref().is_some_and(|mesh| mesh.generic[0] > 0);
        generic || self.slots().any(|(_, slot)| !self.is_per_primitive(slot))
    }

    /// Number of slots that are read for each primitive.
    pub fn per_primitive(&self) -> u32 {
        self.slots().filter(|(_, slot)| self.is_per_primitive(slot)).count() as u32
    }

    /// Number of slots that a mesh shader fills for each primitive.
    pub fn exported_per_primitive(&self) -> u32 {
        if let Some(mesh) = &self.mesh {
            return self.filled_by(mesh, true);
        }
        self.slots().filter(|(_, slot)| slot.exported && self.is_per_primitive(slot)).count() as u32
    }

    /// Whether a slot is read for each primitive.
    pub fn is_per_primitive(&self, slot: &Slot) -> bool {
        match slot.kind {
            Kind::Generic { per_primitive, .. } => per_primitive,
            Kind::BuiltIn(built_in) => self.behind_mesh() && built_in.is_of_primitive(),
        }
    }

    fn slot(&mut self, mapping: &Mapping, to: Place, is_narrow: bool) {
        let empty =
            Kind::Generic { flat: false, custom: false, per_primitive: false, narrow: false, halves: [false; 2] };
        // Space for four components.
        let room = 4 * (mapping.variable.len() + "x , ".len());
        let fresh = || Slot { kind: empty, exported: false, holds: String::with_capacity(room) };
        let slot = self.slots.entry(to.location.0).or_insert_with(fresh);
        slot.exported |= mapping.written;
        if let Kind::Generic { flat, custom, per_primitive, narrow, halves } = &mut slot.kind {
            *flat |= mapping.interpolation == Interpolation::Flat;
            *custom |= mapping.interpolation == Interpolation::Custom;
            *per_primitive |= mapping.per_primitive;
            *narrow |= is_narrow;
            halves[usize::from(to.half)] = true;
        }
        let separator = if slot.holds.is_empty() { "" } else { ", " };
        let half = if is_narrow { [" low", " high"][usize::from(to.half)] } else { "" };
        slot.holds.push_str(separator);
        slot.holds.push(to.component.letter());
        for text in [half, " ", &mapping.variable] {
            slot.holds.push_str(text);
        }
    }

    /// Where a value is evaluated: facts for ADDR, and the pairs that the code uses.
    fn evaluation(&mut self, mapping: &Mapping) {
        // Per-primitive values are used as they are, like flat ones.
        let interpolation = if mapping.per_primitive { Interpolation::Flat } else { mapping.interpolation };
        match interpolation {
            Interpolation::Custom | Interpolation::Uninterpolated => return,
            Interpolation::Smooth => self.smooth = true,
            Interpolation::NoPerspective => self.no_perspective = true,
            Interpolation::Flat | Interpolation::PerPrimitive => {}
        }
        for at in mapping.at.iter() {
            self.evaluated_at(at, interpolation);
        }
    }

    fn evaluated_at(&mut self, at: At, interpolation: Interpolation) {
        let flat = interpolation == Interpolation::Flat;
        let linear = interpolation == Interpolation::NoPerspective;
        let used = match at {
            At::Center => {
                self.center = true;
                1 << if linear { bit::LINEAR_CENTER } else { bit::PERSP_CENTER }
            }
            At::Centroid => {
                (self.centroid, self.center) = (true, true);
                if linear {
                    1 << bit::LINEAR_CENTROID | 1 << bit::LINEAR_CENTER
                } else {
                    1 << bit::PERSP_CENTROID | 1 << bit::PERSP_CENTER
                }
            }
            At::Sample => {
                (self.sample, self.sample_located) = (true, true);
                1 << if linear { bit::LINEAR_SAMPLE } else { bit::PERSP_SAMPLE }
            }
            At::Nowhere => 0,
            // Interpolating a flat input by function is a flat read.
            At::Offset if flat => {
                self.center = true;
                0
            }
            At::Offset => {
                self.pull_model |= !linear;
                1 << if linear { bit::LINEAR_CENTER } else { bit::PERSP_PULL_MODEL }
            }
        };
        if !flat {
            self.used |= used;
        }
    }
}

/// By original place, ascending: whether the value is 16-bit or narrower as the fragment shader declares it. Of several
/// at one place the last one counts.
fn narrow_places(interface: &[InterfaceScalar]) -> Vec<((Location, Component), bool)> {
    let used = interface.iter().filter(|scalar| scalar.used);
    let mut out: Vec<_> = used.map(|scalar| ((scalar.location, scalar.component), scalar.bits <= 16)).collect();
    out.sort_by_key(|(place, _)| *place);
    out
}
