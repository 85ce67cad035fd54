//! The interface of a stage as written: every scalar of every variable, with its place and its qualifiers.

use std::borrow::Cow;

use super::written::Stored;
use super::{Dword, Interpolation, Part, Place};
use crate::liveness::{Liveness, MAX_LEAVES, Shapes};
use lanescope_base::ids::{Component, Id, Location};
use lanescope_base::name::Name;
use lanescope_spirv::enums::{BuiltIn, Decoration, ExecutionMode, Op, StorageClass};
use lanescope_spirv::{Module, Type};

/// Locations from this on are above what any device offers: 128 components make 32 locations
/// (`maxFragmentInputComponents` of today's devices), and the hardware has 32 interpolant slots.
pub const MAX_LOCATIONS: u32 = 32;

/// The packer's location word holds 10 bits.
const WORD_LOCATIONS: u32 = 1024;

/// One 32-bit, 16-bit or 8-bit scalar of an interface variable (a 64-bit value is two).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scalar {
    /// Index of its variable in [`Interface::variables`].
    pub variable: usize,
    /// Which leaf of the variable it is (or half of, for 64 bits).
    pub leaf: u32,
    /// Its place as written.
    pub place: Place,
    /// 8, 16 or 32.
    pub bits: u32,
    /// Whether it is a floating-point number of up to 32 bits.
    pub float: bool,
    /// Whether it is a signed integer of up to 32 bits.
    pub signed: bool,
    /// Its interpolation mode.
    pub interpolation: Interpolation,
    /// Centroid decoration.
    pub centroid: bool,
    /// Sample decoration.
    pub sample: bool,
    /// PerPrimitiveEXT decoration.
    pub per_primitive: bool,
    /// Vertex stream of a geometry shader's output.
    pub stream: u32,
    /// Captured by transform feedback.
    pub captured: bool,
    /// The variable's name with member, element and column. Components of a vector share it.
    pub name: Name,
    /// Which part of what is named so it is, where its place's component does not say.
    pub part: Option<Part>,
}

impl Scalar {
    /// The name without member, element and column: of the variable, or of its block.
    pub fn variable_name(&self) -> &str {
        self.name.split(['.', '[']).next().unwrap_or_default()
    }
}

/// A variable of the interface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its id in the module.
    pub id: Id,
    /// Its type (what the pointer points to).
    pub ty: Id,
    /// The type of one vertex; its own where its outermost dimension is none.
    pub element: Id,
    /// The built-in it is, where the variable itself is decorated.
    pub built_in: Option<u32>,
    /// A location above [`MAX_LOCATIONS`] that it uses.
    pub beyond: Option<u32>,
    /// If its outermost dimension is the vertex: the number of vertices.
    pub vertices: Option<u32>,
    /// Leaves of one vertex (or primitive), where the variable is an array of them; scalars are those of the first.
    pub per_vertex: Option<u32>,
}

/// Every variable of one direction, and the scalars of those that have locations.
#[derive(Debug, Clone, Default)]
pub struct Interface {
    /// Every variable of the direction.
    pub variables: Vec<Variable>,
    /// The scalars of variables with locations, by location and component.
    pub scalars: Vec<Scalar>,
}

/// The meaning of the outermost array of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrayed {
    /// An array.
    No,
    /// One element per vertex (or primitive): the dimension takes no locations.
    PerVertex,
}

impl Interface {
    /// The inputs (`StorageClass::Input`) or outputs of an entry point.
    pub fn of(stage: &Liveness<'_>, class: StorageClass, arrayed: Arrayed) -> Interface {
        let (module, entry) = (stage.module(), stage.entry());
        // The size of most interfaces: variables of two or three scalars.
        let some = entry.interface.len().min(MAX_LOCATIONS as usize);
        let mut out = Interface { variables: Vec::with_capacity(some), scalars: Vec::with_capacity(3 * some) };
        // By instruction: the entry point may name a variable twice.
        let mut seen = vec![false; module.len()];
        for &id in &entry.interface {
            let Some(inst) = module.def(id) else { continue };
            let is_variable = inst.op() == Some(Op::Variable) && inst.word_at(3) == class as u32;
            if !is_variable || std::mem::replace(&mut seen[inst.index.0 as usize], true) {
                continue;
            }
            let Some(ty) = module.pointee(id) else { continue };
            let own = Own::of(module, id, None, Qualifiers::default());
            let built_in = own.built_in;
            let variable = out.variables.len();
            let (element, vertices) = vertex(module, id, ty, arrayed);
            out.variables.push(Variable { id, ty, element, built_in, beyond: None, vertices, per_vertex: None });
            if built_in.is_some() {
                continue;
            }
            let mut walk = Walk {
                module,
                shapes: stage.shapes(),
                variable,
                leaf: 0,
                beyond: None,
                steps: MAX_STEPS,
                xfb: entry.mode(ExecutionMode::Xfb).is_some(),
                scalars: &mut out.scalars,
            };
            let per_vertex = walk.variable(id, ty, arrayed, own);
            let beyond = walk.beyond;
            out.variables[variable] = Variable { id, ty, element, built_in, beyond, vertices, per_vertex };
        }
        out
    }

    /// The built-ins by number, each with the variable that contains it, itself or in a member.
    pub fn built_ins(&self, module: &Module) -> Vec<(u32, &Variable)> {
        let mut out = Vec::new();
        for variable in &self.variables {
            if let Some(number) = variable.built_in {
                out.push((number, variable));
            } else if let Some(Type::Struct { members }) = module.ty(variable.ty) {
                let number = |member| module.decoration(variable.ty, Some(member), Decoration::BuiltIn);
                out.extend((0..members.len() as u32).filter_map(number).map(|number| (number, variable)));
            }
        }
        out
    }
}

impl Interface {
    /// Whether a stage stores to a built-in output, itself or in a block. `stores` is by variable.
    pub fn writes_built_in(&self, stage: &Liveness<'_>, built_in: BuiltIn, stores: &[Stored]) -> bool {
        let module = stage.module();
        self.variables.iter().zip(stores).any(|(variable, stored)| {
            if variable.built_in == Some(built_in as u32) {
                return !stored.any.is_empty();
            }
            let Some(Type::Struct { members }) = module.ty(variable.element) else { return false };
            let mut members = 0..members.len() as u32;
            members.any(|member| {
                module.decoration(variable.element, Some(member), Decoration::BuiltIn) == Some(built_in as u32)
                    && !stored.any.within(stage.shapes().range(variable.element, [member])).is_empty()
            })
        })
    }
}

/// Whether a variable holds a value for each vertex (or primitive); one of a patch holds a value for all of it.
pub fn is_per_vertex(module: &Module, variable: Id, arrayed: Arrayed) -> bool {
    arrayed == Arrayed::PerVertex && !is_of_patch(module, variable)
        || module.is_decorated(variable, None, Decoration::PerVertexKHR)
}

fn is_of_patch(module: &Module, variable: Id) -> bool {
    let of_members = || {
        let ty = module.pointee(variable)?;
        let Type::Struct { members } = module.ty(ty)? else { return None };
        let mut members = 0..members.len() as u32;
        Some(!members.is_empty() && members.all(|member| module.is_decorated(ty, Some(member), Decoration::Patch)))
    };
    module.is_decorated(variable, None, Decoration::Patch) || of_members() == Some(true)
}

/// The type of one vertex (or primitive) of a variable, and how many there are; else its own type.
fn vertex(module: &Module, variable: Id, ty: Id, arrayed: Arrayed) -> (Id, Option<u32>) {
    match module.ty(ty) {
        Some(Type::Array { element, length }) if is_per_vertex(module, variable, arrayed) => {
            (element, module.array_length(length))
        }
        Some(Type::RuntimeArray { element }) if is_per_vertex(module, variable, arrayed) => (element, None),
        _ => (ty, None),
    }
}

/// Qualifiers as they are inherited.
#[derive(Debug, Clone, Copy, Default)]
struct Qualifiers {
    flat: bool,
    no_perspective: bool,
    custom: bool,
    centroid: bool,
    sample: bool,
    per_primitive: bool,
    stream: u32,
    xfb_buffer: bool,
    captured: bool,
}

/// Qualifiers of a variable or a member, from its decorations.
struct Own {
    built_in: Option<u32>,
    location: Option<u32>,
    component: Option<u32>,
    /// With those that it inherits.
    qualifiers: Qualifiers,
}

impl Own {
    fn of(module: &Module, id: Id, member: Option<u32>, inherited: Qualifiers) -> Own {
        let (mut built_in, mut location, mut component, mut q) = (None, None, None, inherited);
        for decoration in module.decorations(id, member) {
            let value = decoration.operands.first().copied().unwrap_or(0);
            match Decoration::from_u32(decoration.kind) {
                Some(Decoration::BuiltIn) => built_in = built_in.or(Some(value)),
                Some(Decoration::Location) => location = location.or(Some(value)),
                Some(Decoration::Component) => component = component.or(Some(value)),
                Some(Decoration::Flat) => q.flat = true,
                Some(Decoration::NoPerspective) => q.no_perspective = true,
                Some(Decoration::Centroid) => q.centroid = true,
                Some(Decoration::Sample) => q.sample = true,
                Some(Decoration::ExplicitInterpAMD | Decoration::PerVertexKHR) => q.custom = true,
                Some(Decoration::PerPrimitiveEXT) => q.per_primitive = true,
                Some(Decoration::Stream) => q.stream = value,
                Some(Decoration::XfbBuffer) => q.xfb_buffer = true,
                Some(Decoration::Offset) => q.captured = true,
                _ => {}
            }
        }
        Own { built_in, location, component, qualifiers: q }
    }
}

/// Properties of a scalar's type.
#[derive(Debug, Clone, Copy)]
struct Kind {
    /// Bits, of at most 64.
    width: u32,
    /// As [`Scalar::float`].
    float: bool,
    /// As [`Scalar::signed`].
    signed: bool,
}

struct Walk<'a, 'm> {
    module: &'m Module,
    shapes: &'a Shapes<'m>,
    variable: usize,
    leaf: u32,
    beyond: Option<u32>,
    /// Number of types that may still be entered.
    steps: u32,
    xfb: bool,
    scalars: &'a mut Vec<Scalar>,
}

/// Maximum nesting of types: SPIR-V's universal limit on structures.
const MAX_DEPTH: u32 = 255;

/// Bytes of a scalar's name at most: every scalar has its own.
const MAX_NAME: usize = 1024;

/// The name of a part; a name that is too long stands for its parts as well.
fn part(name: &str, part: &str) -> String {
    if name.len() + part.len() > MAX_NAME { name.to_owned() } else { format!("{name}{part}") }
}

/// Maximum number of types that one variable's walk enters: a broken module may have an array of itself.
const MAX_STEPS: u32 = 16 * MAX_LEAVES;

impl Walk<'_, '_> {
    /// Walks a variable; returns the leaves of one vertex, where it is an array of vertices.
    fn variable(&mut self, id: Id, ty: Id, arrayed: Arrayed, own: Own) -> Option<u32> {
        let is_per_vertex = || is_per_vertex(self.module, id, arrayed);
        let (ty, per_vertex) = match self.module.ty(ty) {
            Some(Type::Array { element, .. } | Type::RuntimeArray { element }) if is_per_vertex() => {
                (element, Some(self.shapes.leaves(element)))
            }
            _ => (ty, None),
        };
        let is_block = matches!(self.module.ty(ty), Some(Type::Struct { .. }));
        let name = match self.module.name(id) {
            None if is_block => self.module.name(ty),
            name => name,
        };
        let name = name.map_or_else(|| Cow::Owned(format!("%{id}")), Cow::Borrowed);
        self.ty(ty, own.location, own.component.unwrap_or(0), own.qualifiers, &name, MAX_DEPTH);
        per_vertex
    }

    /// Gives the scalars of a type their places; returns the next free location.
    fn ty(
        &mut self,
        ty: Id,
        location: Option<u32>,
        component: u32,
        q: Qualifiers,
        name: &str,
        depth: u32,
    ) -> Option<u32> {
        let (Some(depth), Some(steps)) = (depth.checked_sub(1), self.steps.checked_sub(1)) else { return None };
        self.steps = steps;
        match self.module.ty(ty)? {
            // Nothing of it is passed, but it has a leaf.
            Type::Struct { members: [] } => {
                self.leaf = self.leaf.saturating_add(self.shapes.leaves(ty));
                location
            }
            Type::Struct { members } => {
                let mut next = location;
                for (index, &member) in (0u32..).zip(members) {
                    let decorated = Own::of(self.module, ty, Some(index), q);
                    if decorated.built_in.is_some() {
                        self.leaf = self.leaf.saturating_add(self.shapes.leaves(Id(member)));
                        continue;
                    }
                    let location = decorated.location.or(next);
                    let component = decorated.component.unwrap_or(component);
                    let own = self.module.member_name(ty, index).map_or_else(|| index.to_string(), str::to_owned);
                    let name = part(name, &format!(".{own}"));
                    next = self.ty(Id(member), location, component, decorated.qualifiers, &name, depth);
                }
                next
            }
            Type::Array { element, length } => {
                let length = self.module.array_length(length).unwrap_or(1);
                self.elements(element, length, location, component, q, name, depth)
            }
            Type::Matrix { column, count } => self.elements(column, count, location, component, q, name, depth),
            Type::Vector { component: of, count } => {
                let (name, kind) = (name.into(), self.kind(of));
                for index in 0..count.min(16) {
                    let component = component.saturating_add(index * (kind.width / 32).max(1));
                    self.leaf(kind, location?, component, index, q, &name);
                }
                Some(location?.saturating_add(if kind.width.saturating_mul(count) > 128 { 2 } else { 1 }))
            }
            _ => {
                self.leaf(self.kind(ty), location?, component, 0, q, &name.into());
                Some(location?.saturating_add(1))
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the state of one walk, handed on whole")]
    fn elements(
        &mut self,
        element: Id,
        count: u32,
        location: Option<u32>,
        component: u32,
        q: Qualifiers,
        name: &str,
        depth: u32,
    ) -> Option<u32> {
        let mut next = location;
        for index in 0..count.min(MAX_LEAVES) {
            next = self.ty(element, next, component, q, &part(name, &format!("[{index}]")), depth);
            if self.steps == 0 || next.is_some_and(|location| location >= WORD_LOCATIONS) {
                break;
            }
        }
        next
    }

    fn kind(&self, scalar: Id) -> Kind {
        // No wider ones exist; a broken module may name them.
        match self.module.ty(scalar) {
            Some(Type::Int { bits, signed }) => {
                Kind { width: bits.min(64), float: false, signed: signed && bits <= 32 }
            }
            Some(Type::Float { bits } | Type::OtherFloat { bits, .. }) => {
                Kind { width: bits.min(64), float: bits <= 32, signed: false }
            }
            Some(Type::Pointer { .. }) => Kind { width: 64, float: false, signed: false },
            _ => Kind { width: 32, float: false, signed: false },
        }
    }

    /// One leaf, the component `index` of its vector, at a location and a dword component, which may reach past
    /// component 3 for 64-bit vectors.
    fn leaf(&mut self, kind: Kind, location: u32, component: u32, index: u32, q: Qualifiers, name: &Name) {
        let Kind { width, float, signed } = kind;
        for dword in 0..width.div_ceil(32) {
            let component = component.saturating_add(dword);
            let location = location.saturating_add(component / 4);
            if location >= MAX_LOCATIONS {
                self.beyond = Some(self.beyond.map_or(location, |b| b.max(location)));
            }
            if location >= WORD_LOCATIONS {
                continue;
            }
            let interpolation = match q {
                _ if q.per_primitive => Interpolation::PerPrimitive,
                _ if q.custom => Interpolation::Custom,
                _ if q.flat || !float => Interpolation::Flat,
                _ if q.no_perspective => Interpolation::NoPerspective,
                _ => Interpolation::Smooth,
            };
            let place =
                Place { location: Location(location), component: Component((component % 4) as u8), half: false };
            let half = if dword == 0 { Dword::Low } else { Dword::High };
            let part = Part { component: Component(index as u8), dword: (width > 32).then_some(half) };
            self.scalars.push(Scalar {
                variable: self.variable,
                leaf: self.leaf,
                place,
                bits: width.min(32),
                float,
                signed,
                interpolation,
                centroid: q.centroid,
                sample: q.sample,
                per_primitive: q.per_primitive,
                stream: q.stream,
                captured: self.xfb && q.xfb_buffer && q.captured,
                name: name.clone(),
                part: Some(part).filter(|part| *part != Part { component: place.component, dword: None }),
            });
        }
        self.leaf = self.leaf.saturating_add(1);
    }
}
