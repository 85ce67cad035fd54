//! Inputs and outputs of a stage: built-ins, and scalars by location and component.

use super::{Decoder, Operation, Result};
use crate::code::Slot;
use crate::program::{At, InterfaceScalar, Interpolation, StageVariable};
use crate::stages::{MAX_PATCH, Rate, SharedScalar};
use crate::types::{Kind, MatrixLayout, ScalarAt, Ty};
use lanescope_base::StageKind;
use lanescope_base::ids::Id;
use lanescope_spirv::Member;
use lanescope_spirv::enums::{BuiltIn, Decoration, ExecutionMode, StorageClass};

/// The most scalars of the inputs or of the outputs of a stage, without built-ins.
const MAX_SCALARS: usize = 4096;

/// What is decorated: a variable, or a member of its block.
type Target = (Id, Option<Member>);

/// Where the next scalar of a variable is.
#[derive(Debug, Clone, Copy)]
struct Cursor {
    location: u32,
    component: u32,
    interpolation: Interpolation,
    at: At,
    rate: Rate,
    /// The vertex of the primitive whose value it is.
    vertex: Option<u32>,
}

/// Built-ins that each vertex of a primitive has.
fn of_vertices(builtin: BuiltIn) -> bool {
    matches!(builtin, BuiltIn::Position | BuiltIn::PointSize | BuiltIn::ClipDistance | BuiltIn::CullDistance)
}

/// Built-ins that a fragment shader reads as values of the vertices, interpolated.
fn is_interpolated(builtin: BuiltIn) -> bool {
    matches!(builtin, BuiltIn::ClipDistance | BuiltIn::CullDistance)
}

impl Decoder<'_> {
    /// Adds an input or an output variable that has its slots.
    pub(super) fn interface(
        &mut self,
        op: &Operation<'_>,
        (id, class): (Id, StorageClass),
        ty: Ty,
        slot: Slot,
    ) -> Result<()> {
        let n = self.types.scalars(ty, &op.inst)?;
        let input = class == StorageClass::Input;
        if input {
            self.input_slots.push(slot..slot + n);
        }
        let rate = self.rate(id, ty);
        if !(input && self.stage != StageKind::Mesh && self.is_arrayed(id, ty)) {
            return self.variable(op, (id, input), ty, slot, (rate, None));
        }
        let Kind::Array { of, count, .. } = *self.types.kind_of(ty) else {
            return Err(op.invalid("an input that has one value for each vertex is not an array"));
        };
        if count > MAX_PATCH {
            return Err(op.unsupported(format!("an input of {count} vertices")));
        }
        let each = self.types.scalars(of, &op.inst)?;
        for vertex in 0..count {
            self.variable(op, (id, input), of, slot + vertex * each, (rate, Some(vertex)))?;
        }
        Ok(())
    }

    /// Adds an output variable that the invocations of a patch or workgroup share. It is the last resource.
    pub(super) fn shared_output(&mut self, op: &Operation<'_>, ty: Ty) -> Result<()> {
        let id = op.inst.result().ok_or_else(|| op.invalid("no result id"))?;
        let rate = self.rate(id, ty);
        let (element, stride, count) = match *self.types.kind_of(ty) {
            Kind::Array { of, count, stride } if self.is_arrayed(id, ty) => (of, stride, count),
            _ if self.is_arrayed(id, ty) => {
                return Err(op.invalid("an output that has one value for each vertex or primitive is not an array"));
            }
            _ => (ty, 0, 1),
        };
        let resource = (self.resources.len() as u32).saturating_sub(1);
        let first = self.shared.len() as Slot;
        let mut scalars = Vec::new();
        if self.types.scalars(element, &op.inst)? as usize + self.shared.len() > MAX_SCALARS {
            return Err(op.unsupported(format!("an interface of more than {MAX_SCALARS} scalars")));
        }
        self.types.layout(element, 0, MatrixLayout::default(), None, &mut scalars);
        let row =
            |scalar: &ScalarAt| SharedScalar { resource, offset: scalar.offset, bytes: scalar.bytes, stride, count };
        self.shared.extend(scalars.iter().map(row));
        self.variable(op, (id, false), element, first, (rate, None))
    }

    /// Whether a variable has one element for each vertex of a primitive, or for each vertex or primitive of a mesh.
    fn is_arrayed(&self, id: Id, ty: Ty) -> bool {
        let builtin = self.module.decoration(id, None, Decoration::BuiltIn).and_then(BuiltIn::from_u32);
        match self.stage {
            StageKind::Mesh => true,
            StageKind::Geometry | StageKind::TessControl | StageKind::TessEval => {
                builtin.is_none_or(of_vertices) && !self.is_decorated(id, ty, Decoration::Patch)
            }
            _ => false,
        }
    }

    /// Whether a variable or the first member of its block has a decoration.
    fn is_decorated(&self, id: Id, mut ty: Ty, decoration: Decoration) -> bool {
        if let Kind::Array { of, .. } = *self.types.kind_of(ty) {
            ty = of;
        }
        let is_block = matches!(self.types.kind_of(ty), Kind::Struct { .. });
        self.module.is_decorated(id, None, decoration)
            || (is_block && self.module.is_decorated(self.types.info(ty).id, Some(0), decoration))
    }

    /// What a variable has one value for.
    fn rate(&self, id: Id, ty: Ty) -> Rate {
        use BuiltIn::*;
        let builtin = self.module.decoration(id, None, Decoration::BuiltIn).and_then(BuiltIn::from_u32);
        let of_primitive = matches!(
            builtin,
            Some(
                TessLevelOuter
                    | TessLevelInner
                    | PrimitivePointIndicesEXT
                    | PrimitiveLineIndicesEXT
                    | PrimitiveTriangleIndicesEXT
            )
        );
        let decoration = match self.stage {
            StageKind::Mesh | StageKind::Fragment => Decoration::PerPrimitiveEXT,
            _ => Decoration::Patch,
        };
        if of_primitive || self.is_decorated(id, ty, decoration) { Rate::Primitive } else { Rate::Vertex }
    }

    /// Adds a variable, or the element that one has for a vertex.
    fn variable(
        &mut self,
        op: &Operation<'_>,
        (id, input): (Id, bool),
        ty: Ty,
        slot: Slot,
        (rate, vertex): (Rate, Option<u32>),
    ) -> Result<()> {
        let variable = (id, None);
        let location = self.module.decoration(id, None, Decoration::Location);
        let component = self.module.decoration(id, None, Decoration::Component).unwrap_or(0);
        let mut cursor = Cursor {
            location: location.unwrap_or(0),
            component,
            interpolation: self.interpolation(variable, None),
            at: self.at_of(variable, None),
            rate,
            vertex,
        };
        if let Some(builtin) = self.module.decoration(id, None, Decoration::BuiltIn) {
            let n = self.types.scalars(ty, &op.inst)?;
            return self.built_in(op, input, builtin, (slot, n), &cursor);
        }
        if self.module.decoration(id, None, Decoration::Stream).is_some_and(|stream| stream != 0) {
            return Err(op.unsupported("an output of another vertex stream than 0"));
        }
        let is_block = matches!(self.types.kind_of(ty), Kind::Struct { .. });
        if location.is_none() && !is_block {
            return Err(op.unsupported(format!("an {} without a location", if input { "input" } else { "output" })));
        }
        if self.module.is_decorated(id, None, Decoration::PerVertexKHR) {
            let Kind::Array { of, count, .. } = *self.types.kind_of(ty) else {
                return Err(op.invalid("a per-vertex input is not an array"));
            };
            let each = self.types.scalars(of, &op.inst)?;
            for vertex in 0..count.min(3) {
                let mut one = Cursor { vertex: Some(vertex), interpolation: Interpolation::Flat, ..cursor };
                self.flatten(op, input, of, slot + vertex * each, &mut one)?;
            }
            return Ok(());
        }
        self.flatten(op, input, ty, slot, &mut cursor)
    }

    fn built_in(
        &mut self,
        op: &Operation<'_>,
        input: bool,
        number: u32,
        (slot, n): (Slot, u32),
        place: &Cursor,
    ) -> Result<()> {
        let unknown = || op.unsupported(format!("built-in {number}"));
        let builtin = BuiltIn::from_u32(number).ok_or_else(unknown)?;
        let known = match input {
            true => crate::launch::provides(self.stage, builtin),
            false => crate::draw::takes(self.stage, builtin),
        };
        if !known {
            return Err(op.unsupported(format!("built-in {number} of a {} shader", self.stage)));
        }
        if input && self.stage == StageKind::Fragment && is_interpolated(builtin) {
            return self.interpolated(op, builtin, (slot, n), place);
        }
        let list = if input { &mut self.inputs } else { &mut self.output_builtins };
        if list.len() >= MAX_SCALARS {
            return Err(op.unsupported(format!("an interface of more than {MAX_SCALARS} built-ins")));
        }
        list.push(StageVariable { builtin, slot, n, rate: place.rate, vertex: place.vertex });
        Ok(())
    }

    /// Adds a built-in that a fragment shader reads interpolated: floats of 32 bits.
    fn interpolated(
        &mut self,
        op: &Operation<'_>,
        builtin: BuiltIn,
        (slot, n): (Slot, u32),
        place: &Cursor,
    ) -> Result<()> {
        if self.varyings.len() + n as usize > MAX_SCALARS {
            return Err(op.unsupported(format!("an interface of more than {MAX_SCALARS} scalars")));
        }
        self.varyings.extend((0..n).map(|component| InterfaceScalar {
            slot: slot + component,
            builtin: Some(builtin),
            location: 0,
            component,
            bits: 32,
            is_float: true,
            interpolation: place.interpolation,
            at: place.at,
            rate: place.rate,
            vertex: place.vertex,
        }));
        Ok(())
    }

    /// The interpolation that a variable, or a member of its block, asks for.
    fn interpolation(&self, (id, member): Target, block: Option<Interpolation>) -> Interpolation {
        let has = |kind| self.module.is_decorated(id, member, kind);
        if has(Decoration::Flat) {
            Interpolation::Flat
        } else if has(Decoration::NoPerspective) {
            Interpolation::Linear
        } else {
            block.unwrap_or(Interpolation::Perspective)
        }
    }

    fn at_of(&self, (id, member): Target, block: Option<At>) -> At {
        let has = |kind| self.module.is_decorated(id, member, kind);
        if has(Decoration::Sample) {
            At::Sample
        } else if has(Decoration::Centroid) {
            At::Centroid
        } else {
            block.unwrap_or(At::Center)
        }
    }

    /// Adds the scalars of a type, from a place on.
    fn flatten(&mut self, op: &Operation<'_>, input: bool, ty: Ty, slot: Slot, next: &mut Cursor) -> Result<()> {
        let types = &self.types;
        match *types.kind_of(ty) {
            Kind::Array { of, count, .. } | Kind::Matrix { of, count } => {
                let each = types.scalars(of, &op.inst)?;
                // Elements of nothing may be any number.
                let count = if each == 0 { 0 } else { count };
                for at in 0..count {
                    self.flatten(op, input, of, slot + at * each, next)?;
                }
                Ok(())
            }
            Kind::Struct { ref members, .. } => {
                let (id, members) = (types.info(ty).id, members.len() as u32);
                let outer = *next;
                for member in 0..members {
                    let Some((offset, of)) = self.types.element(ty, member) else {
                        return Err(op.unsupported("a member without a fixed size"));
                    };
                    let n = self.types.scalars(of, &op.inst)?;
                    let target = (id, Some(member));
                    let interpolation = self.interpolation(target, Some(outer.interpolation));
                    let at = self.at_of(target, Some(outer.at));
                    if let Some(builtin) = self.module.decoration(id, Some(member), Decoration::BuiltIn) {
                        self.built_in(op, input, builtin, (slot + offset, n), &Cursor { interpolation, at, ..outer })?;
                        continue;
                    }
                    if let Some(location) = self.module.decoration(id, Some(member), Decoration::Location) {
                        next.location = location;
                    }
                    next.component = self.module.decoration(id, Some(member), Decoration::Component).unwrap_or(0);
                    (next.interpolation, next.at) = (interpolation, at);
                    self.flatten(op, input, of, slot + offset, next)?;
                }
                (next.interpolation, next.at) = (outer.interpolation, outer.at);
                Ok(())
            }
            Kind::Vector { of, count } => self.scalars_of(op, input, of, slot, count, next),
            _ => self.scalars_of(op, input, ty, slot, 1, next),
        }
    }

    /// Adds the components of a vector.
    fn scalars_of(
        &mut self,
        op: &Operation<'_>,
        input: bool,
        of: Ty,
        slot: Slot,
        count: u32,
        next: &mut Cursor,
    ) -> Result<()> {
        let (bits, is_float) = (self.types.bits(of), self.types.is_float(of));
        if !matches!(self.types.kind_of(of), Kind::Int { .. } | Kind::Float { .. }) {
            return Err(op.unsupported("an input or output that is not a number"));
        }
        let width = if bits == 64 { 2 } else { 1 };
        let list = if input { &mut self.varyings } else { &mut self.outputs };
        if list.len() + count as usize > MAX_SCALARS {
            return Err(op.unsupported(format!("an interface of more than {MAX_SCALARS} scalars")));
        }
        for at in 0..count {
            let component = next.component.saturating_add(at * width);
            list.push(InterfaceScalar {
                slot: slot + at,
                builtin: None,
                location: next.location.saturating_add(component / 4),
                component: component % 4,
                bits,
                is_float,
                // Only floats of 16 and 32 bits are interpolated.
                interpolation: if is_float && bits < 64 { next.interpolation } else { Interpolation::Flat },
                at: next.at,
                rate: next.rate,
                vertex: next.vertex,
            });
        }
        let locations = next.component.saturating_add(count * width).div_ceil(4).max(1);
        next.location = next.location.saturating_add(locations);
        Ok(())
    }

    /// Whether a fragment shader runs once for each sample.
    pub(super) fn sample_rate(&self) -> bool {
        let by_sample = |builtin| matches!(builtin, BuiltIn::SampleId | BuiltIn::SamplePosition);
        self.stage == StageKind::Fragment
            && (self.varyings.iter().any(|scalar| scalar.at == At::Sample)
                || self.inputs.iter().any(|input| by_sample(input.builtin))
                || self.entry.mode(ExecutionMode::SampleInterlockOrderedEXT).is_some())
    }
}
