//! Inputs and outputs of a stage: built-ins, and scalars by location and component.

use super::{Decoder, Operation, Result};
use crate::code::Slot;
use crate::program::{At, InterfaceScalar, Interpolation, StageVariable};
use crate::types::{Kind, Ty};
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
    /// The vertex of the triangle whose value it is.
    vertex: Option<u32>,
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
        if let Some(builtin) = self.module.decoration(id, None, Decoration::BuiltIn) {
            return self.built_in(op, input, builtin, slot, n);
        }
        let variable = (id, None);
        let location = self.module.decoration(id, None, Decoration::Location);
        let component = self.module.decoration(id, None, Decoration::Component).unwrap_or(0);
        let mut cursor = Cursor {
            location: location.unwrap_or(0),
            component,
            interpolation: self.interpolation(variable, None),
            at: self.at_of(variable, None),
            vertex: None,
        };
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

    fn built_in(&mut self, op: &Operation<'_>, input: bool, number: u32, slot: Slot, n: u32) -> Result<()> {
        let unknown = || op.unsupported(format!("built-in {number}"));
        let builtin = BuiltIn::from_u32(number).ok_or_else(unknown)?;
        let known = match input {
            true => crate::launch::provides(self.stage, builtin),
            false => crate::draw::takes(self.stage, builtin),
        };
        if !known {
            return Err(op.unsupported(format!("built-in {number} of a {} shader", self.stage)));
        }
        let list = if input { &mut self.inputs } else { &mut self.output_builtins };
        list.push(StageVariable { builtin, slot, n });
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
                    if let Some(builtin) = self.module.decoration(id, Some(member), Decoration::BuiltIn) {
                        self.built_in(op, input, builtin, slot + offset, n)?;
                        continue;
                    }
                    let target = (id, Some(member));
                    if let Some(location) = self.module.decoration(id, Some(member), Decoration::Location) {
                        next.location = location;
                    }
                    next.component = self.module.decoration(id, Some(member), Decoration::Component).unwrap_or(0);
                    next.interpolation = self.interpolation(target, Some(outer.interpolation));
                    next.at = self.at_of(target, Some(outer.at));
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
                location: next.location.saturating_add(component / 4),
                component: component % 4,
                bits,
                is_float,
                // Only floats of 16 and 32 bits are interpolated.
                interpolation: if is_float && bits < 64 { next.interpolation } else { Interpolation::Flat },
                at: next.at,
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
