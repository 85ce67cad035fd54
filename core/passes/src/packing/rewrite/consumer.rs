//! The stage that reads: its inputs filled at the entry point's start, its interpolation functions redirected. What
//! tessellation control and geometry shaders read of a vertex is rebuilt where they read it: see `vertices`.

use std::collections::{BTreeMap, BTreeSet};

use super::RewriteError;
use super::plan::{Base, Mode, PackedVariable, Part, Slot};
use super::sides::{Moved, decorate};
use super::values::{self, Node};
use super::vertices;
use crate::liveness::{Shapes, follow, interpolates};
use crate::packing::Interpolation;
use lanescope_base::ids::Id;
use lanescope_model::program::StageKind;
use lanescope_spirv::edit::{Editor, Escape, ext_set};
use lanescope_spirv::enums::{BuiltIn, Capability, Decoration, Op, StorageClass};
use lanescope_spirv::{EntryPoint, Inst, InstId, Module};

/// The packed inputs, and where each part of the inputs as written comes from.
pub(super) struct Inputs<'a> {
    /// Name prefix of the replacement variables.
    pub prefix: &'a str,
    /// Variables that leave the interface.
    pub moved: &'a [Moved],
    pub variables: &'a [PackedVariable],
    pub slots: &'a BTreeMap<Part, Slot>,
    /// An input is decorated with Sample, and no packed variable is.
    pub loses_sample: bool,
}

/// Maximum number of values that one interpolation function with dynamic indices may interpolate.
const MAX_INTERPOLATED: usize = 256;

/// The module with `inputs` instead of what it declares.
pub(super) fn rewrite(module: &Module, entry: usize, inputs: &Inputs<'_>) -> Result<Module, RewriteError> {
    let point = module.entry_points().get(entry).ok_or(RewriteError::NoFragment)?;
    let shapes = Shapes::of(module);
    let ids: BTreeSet<Id> = inputs.moved.iter().map(|moved| moved.id).collect();
    let calls = interpolations(module, &ids);
    let arrayed = matches!(point.stage, Some(StageKind::TessControl | StageKind::Geometry));
    let reads = if arrayed { vertices::reads(module, &ids) } else { Vec::new() };
    let mut editor = Editor::new(module);
    editor.privatise(&ids, &calls.iter().chain(&reads).map(|call| call.inst).collect())?;
    let mut rewriter = Consumer {
        nodes: inputs
            .moved
            .iter()
            .map(|moved| Ok((moved.id, (moved, nodes(module, &shapes, moved)?))))
            .collect::<Result<_, RewriteError>>()?,
        declared: inputs.variables.iter().map(|variable| declare(&mut editor, inputs.prefix, variable)).collect(),
        scratch: BTreeMap::new(),
        editor,
        inputs,
    };
    let handled: BTreeSet<InstId> = reads.iter().map(|read| read.inst).collect();
    rewriter.fill(point, &calls, &handled)?;
    for call in &calls {
        rewriter.interpolate(call)?;
    }
    vertices::rebuild(&mut rewriter, &reads)?;
    let sample_id = if inputs.loses_sample { rewriter.keep_sample_rate(point) } else { None };
    let Consumer { mut editor, declared, scratch, nodes, .. } = rewriter;
    for node in nodes.values().flat_map(|(_, nodes)| nodes) {
        values::declare_narrow(&mut editor, node.scalar);
    }
    let mut enter: Vec<(Id, StorageClass)> = declared.iter().map(|d| (d.id, StorageClass::Input)).collect();
    enter.extend(scratch.values().map(|&id| (id, StorageClass::Private)));
    enter.extend(sample_id.map(|id| (id, StorageClass::Input)));
    editor.change_interface(entry, |id| ids.contains(&id), &enter);
    Ok(editor.finish()?)
}

/// A packed variable as declared: its id, its type, the type of its components.
pub(super) struct Declared {
    pub id: Id,
    /// Of one vertex.
    pub ty: Id,
    whole: Id,
    scalar: Id,
}

fn declare(editor: &mut Editor<'_>, prefix: &str, packed: &PackedVariable) -> Declared {
    let scalar = values::type_of(editor, packed.base);
    let ty = editor.vector(scalar, packed.count);
    let whole = packed.mode.vertices.map_or(ty, |vertices| editor.array(ty, vertices));
    let id = editor.variable(StorageClass::Input, whole);
    decorate(editor, id, prefix, packed);
    let Mode { interpolation, vertices, centroid, sample } = packed.mode;
    let decoration = match interpolation {
        Interpolation::Smooth | Interpolation::Uninterpolated => None,
        Interpolation::NoPerspective => Some(Decoration::NoPerspective),
        Interpolation::Flat => Some(Decoration::Flat),
        Interpolation::Custom if vertices.is_some() => Some(Decoration::PerVertexKHR),
        Interpolation::Custom => Some(Decoration::ExplicitInterpAMD),
        Interpolation::PerPrimitive => Some(Decoration::PerPrimitiveEXT),
    };
    let place = [(centroid, Decoration::Centroid), (sample, Decoration::Sample)];
    let place = place.into_iter().filter(|(set, _)| *set).map(|(_, decoration)| decoration);
    decoration.into_iter().chain(place).for_each(|decoration| editor.decorate(id, decoration, &[]));
    Declared { id, ty, whole, scalar }
}

fn nodes(module: &Module, shapes: &Shapes<'_>, moved: &Moved) -> Result<Vec<Node>, RewriteError> {
    values::nodes(module, shapes, moved.ty).ok_or_else(|| RewriteError::Type { variable: moved.name.clone() })
}

/// A call of an interpolation function, or another read of an input in its place.
pub(super) struct Call {
    pub inst: InstId,
    pub variable: Id,
    pub indices: Vec<Id>,
}

/// The calls whose interpolants lead into one of the variables.
fn interpolations(module: &Module, variables: &BTreeSet<Id>) -> Vec<Call> {
    let glsl = ext_set(module, "GLSL.std.450");
    let amd = ext_set(module, "SPV_AMD_shader_explicit_vertex_parameter");
    let is_one = |inst: &Inst<'_>| {
        let set = Some(inst.id_at(3));
        inst.op() == Some(Op::ExtInst) && ((set == glsl && interpolates(inst)) || set == amd)
    };
    let calls = module.insts().filter(is_one).filter_map(|inst| {
        let (variable, indices) = chain(module, inst.id_at(5))?;
        variables.contains(&variable).then_some(Call { inst: inst.index, variable, indices })
    });
    calls.collect()
}

/// A pointer followed to its variable: the variable, and the indices on the way.
pub(super) fn chain(module: &Module, pointer: Id) -> Option<(Id, Vec<Id>)> {
    let (base, indices) = follow(module, pointer, |index| index)?;
    (base.op() == Some(Op::Variable)).then_some((base.result()?, indices.into_vec()))
}

pub(super) struct Consumer<'a, 'm> {
    pub editor: Editor<'m>,
    inputs: &'a Inputs<'a>,
    pub declared: Vec<Declared>,
    pub nodes: BTreeMap<Id, (&'a Moved, Vec<Node>)>,
    /// By variable: a private one of its type, for what is interpolated under dynamic indices.
    scratch: BTreeMap<Id, Id>,
}

/// Values of packed variables in one stretch of code.
pub(super) type Values = BTreeMap<usize, Id>;

impl Consumer<'_, '_> {
    /// At the entry point's start: every input that is read as a variable gets its values.
    fn fill(&mut self, point: &EntryPoint, calls: &[Call], handled: &BTreeSet<InstId>) -> Result<(), RewriteError> {
        let Some(start) = self.editor.function_start(point.function) else { return Ok(()) };
        let mut code = Vec::new();
        let mut loaded = Values::new();
        let read = self.read_as_variables(calls, handled);
        let inputs = self.inputs;
        for moved in inputs.moved.iter().filter(|moved| read.contains(&moved.id)) {
            let nodes = self.nodes.get(&moved.id).map(|(_, nodes)| nodes.clone()).unwrap_or_default();
            for vertex in 0..moved.vertices.unwrap_or(1) {
                for node in &nodes {
                    let mut whole = |this: &mut Self, code: &mut Vec<u32>, index: usize| {
                        let (id, ty) = (this.declared[index].id, this.declared[index].whole);
                        *loaded.entry(index).or_insert_with(|| this.editor.load(code, ty, id))
                    };
                    let vertex = moved.vertices.map(|_| vertex);
                    let Some(value) = self.node(&mut code, moved, node, vertex, &mut whole)? else { continue };
                    let path: Vec<u32> = vertex.into_iter().chain(node.path.iter().copied()).collect();
                    let place = self.editor.part(&mut code, StorageClass::Private, moved.id, &path, node.ty);
                    self.editor.store(&mut code, place, value);
                }
            }
        }
        self.editor.insert_before(start, &code);
        Ok(())
    }

    /// Reads SampleId, which like any input at the sample has the shader run once per sample: else that would end with
    /// the last such input, though other inputs and built-ins differ by it. Returns a variable that is new.
    fn keep_sample_rate(&mut self, point: &EntryPoint) -> Option<Id> {
        let module = self.editor.module();
        let start = self.editor.function_start(point.function)?;
        let number = |id: Id| module.decoration(id, None, Decoration::BuiltIn);
        let known = point.interface.iter().copied().find(|&id| number(id) == Some(BuiltIn::SampleId as u32));
        let known = known.and_then(|id| Some((id, module.pointee(id)?)));
        let (id, ty) = known.unwrap_or_else(|| {
            let ty = self.editor.int(32, true);
            let id = self.editor.variable(StorageClass::Input, ty);
            self.editor.name(id, "sample_rate");
            self.editor.decorate(id, Decoration::BuiltIn, &[BuiltIn::SampleId as u32]);
            self.editor.decorate(id, Decoration::Flat, &[]);
            self.editor.capability(Capability::SampleRateShading);
            (id, ty)
        });
        let mut code = Vec::new();
        self.editor.load(&mut code, ty, id);
        self.editor.insert_before(start, &code);
        known.is_none().then_some(id)
    }

    /// Variables that code loads or copies (unless that is `handled`), or interpolates although they are flat.
    fn read_as_variables(&self, calls: &[Call], handled: &BTreeSet<InstId>) -> BTreeSet<Id> {
        let module = self.editor.module();
        let mut out = BTreeSet::new();
        for inst in module.functions().iter().flat_map(|f| module.insts_in(f.insts.clone())) {
            let pointer = match inst.op() {
                Some(Op::Load) if !handled.contains(&inst.index) => inst.id_at(3),
                Some(Op::CopyMemory) => inst.id_at(2),
                _ => continue,
            };
            out.extend(chain(module, pointer).map(|(variable, _)| variable));
        }
        out.extend(calls.iter().filter(|call| self.is_flat(call)).map(|call| call.variable));
        out
    }

    /// Whether what a call interpolates is flat.
    fn is_flat(&self, call: &Call) -> bool {
        let leaves = self.targets(call).into_iter().flat_map(|node| node.leaf..node.leaf + node.count);
        let slots = leaves.filter_map(|leaf| self.inputs.slots.get(&(call.variable, leaf, 0)));
        let mut modes = slots.map(|&(index, _)| self.inputs.variables[index].mode.interpolation).peekable();
        modes.peek().is_some() && modes.all(|mode| mode == Interpolation::Flat)
    }

    /// The vectors that a call's interpolant may be, or be a component of.
    fn targets(&self, call: &Call) -> Vec<Node> {
        let steps = self.steps(call);
        let nodes = self.nodes.get(&call.variable).map(|(_, nodes)| nodes.as_slice()).unwrap_or_default();
        nodes.iter().filter(|node| leads_to(&steps, node)).cloned().collect()
    }

    /// The indices of a call's interpolant, where they are constants.
    fn steps(&self, call: &Call) -> Vec<Option<u32>> {
        let module = self.editor.module();
        call.indices.iter().map(|&index| module.constant(index).and_then(|c| c.as_u32())).collect()
    }

    /// A vector or scalar of an input, of the packed variables' values that `whole` gives; parts that nothing uses are
    /// zero. Absent where nothing of it is passed.
    pub fn node(
        &mut self,
        code: &mut Vec<u32>,
        moved: &Moved,
        node: &Node,
        vertex: Option<u32>,
        whole: &mut dyn FnMut(&mut Self, &mut Vec<u32>, usize) -> Id,
    ) -> Result<Option<Id>, RewriteError> {
        let Some(base) = values::base_of(self.editor.module(), node.scalar) else { return Ok(None) };
        let slot = |leaf: u32, dword| self.inputs.slots.get(&(moved.id, leaf, dword)).copied();
        let travels = (0..node.count).any(|component| slot(node.leaf + component, 0).is_some());
        if !travels {
            return Ok(None);
        }
        let mut components = Vec::new();
        for component in 0..node.count {
            let mut parts: Vec<(Id, Base)> = Vec::new();
            for (index, place) in (0..values::dwords(base)).filter_map(|dword| slot(node.leaf + component, dword)) {
                let value = whole(self, code, index);
                let packed = self.inputs.variables[index];
                let scalar = self.declared[index].scalar;
                let indices: Vec<u32> = vertex.into_iter().chain((packed.count > 1).then_some(place)).collect();
                let part = if indices.is_empty() {
                    value
                } else {
                    let operands: Vec<u32> = std::iter::once(value.0).chain(indices).collect();
                    self.editor.value(code, Op::CompositeExtract, scalar, &operands)
                };
                parts.push((part, packed.base));
            }
            let value = match parts.is_empty() {
                true => self.editor.null(node.scalar),
                false => values::unpack(&mut self.editor, code, &parts, node.scalar)
                    .ok_or_else(|| RewriteError::Type { variable: moved.name.clone() })?,
            };
            components.push(value);
        }
        Ok(Some(self.editor.compose(code, node.ty, &components)))
    }

    /// Puts code in the place of a call of an interpolation function.
    fn interpolate(&mut self, call: &Call) -> Result<(), RewriteError> {
        let module = self.editor.module();
        let inst = module.inst(call.inst);
        let (Some(result), Some(ty)) = (inst.result(), inst.result_type()) else { return Ok(()) };
        let mut code = Vec::new();
        if self.is_flat(call) {
            // A plain read.
            self.editor.value_as(&mut code, result, Op::Load, ty, &[inst.word_at(5)]);
            self.editor.replace(call.inst, code);
            return Ok(());
        }
        let Some(&(moved, _)) = self.nodes.get(&call.variable) else { return Ok(()) };
        let (steps, targets) = (self.steps(call), self.targets(call));
        if targets.len() > MAX_INTERPOLATED {
            return Err(Escape::at(&inst, format!("interpolates more than {MAX_INTERPOLATED} values")).into());
        }
        let mut values = Values::new();
        let mut interpolated = |this: &mut Self, code: &mut Vec<u32>, index: usize| {
            let (id, ty) = (this.declared[index].id, this.declared[index].ty);
            let mut operands = vec![inst.word_at(3), inst.word_at(4), id.0];
            operands.extend(inst.words_from(6));
            *values.entry(index).or_insert_with(|| this.editor.value(code, Op::ExtInst, ty, &operands))
        };
        let fixed = steps.iter().all(Option::is_some);
        if let ([node], true) = (&targets[..], fixed) {
            let value = match self.node(&mut code, moved, node, None, &mut interpolated)? {
                Some(value) => value,
                None => self.editor.null(node.ty),
            };
            // One step further than the vector is a component.
            match steps.get(node.path.len()).copied().flatten() {
                Some(component) => {
                    self.editor.value_as(&mut code, result, Op::CompositeExtract, ty, &[value.0, component]);
                }
                None => self.editor.value_as(&mut code, result, Op::CopyObject, ty, &[value.0]),
            }
            self.editor.replace(call.inst, code);
            return Ok(());
        }
        // Every element that the indices may mean, then the one that they do mean.
        let scratch = self.scratch(call.variable, moved);
        for node in &targets {
            if let Some(value) = self.node(&mut code, moved, node, None, &mut interpolated)? {
                let place = self.editor.part(&mut code, StorageClass::Private, scratch, &node.path, node.ty);
                self.editor.store(&mut code, place, value);
            }
        }
        let pointer = self.editor.pointer(StorageClass::Private, ty);
        let operands: Vec<u32> = std::iter::once(scratch.0).chain(call.indices.iter().map(|i| i.0)).collect();
        let chosen = self.editor.value(&mut code, Op::AccessChain, pointer, &operands);
        self.editor.value_as(&mut code, result, Op::Load, ty, &[chosen.0]);
        self.editor.replace(call.inst, code);
        Ok(())
    }

    /// A private variable of one vertex of an input, for what is read under dynamic indices.
    pub fn scratch(&mut self, variable: Id, moved: &Moved) -> Id {
        if let Some(&known) = self.scratch.get(&variable) {
            return known;
        }
        let id = self.editor.variable(StorageClass::Private, moved.ty);
        self.editor
            .name(id, &format!("{}_{}", moved.name, if moved.vertices.is_some() { "vertex" } else { "interpolated" }));
        self.scratch.insert(variable, id);
        id
    }
}

/// Whether indices, some of them known only at run time, may lead to a vector or into it.
pub(super) fn leads_to(steps: &[Option<u32>], node: &Node) -> bool {
    steps.len() >= node.path.len()
        && steps.iter().zip(&node.path).all(|(step, index)| step.is_none_or(|step| step == *index))
}
