//! Links that are resolved before demand flows: calls with functions, stores with memory, pointers with variables.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::blocks::Blocks;
use super::events::Events;
use super::frames::{self, FrameId, Frames, Node, Place};
use super::leaves::Shapes;
use super::pointer::{self, Pointer, Step};
use super::reach::Reach;
use lanescope_base::ids::Id;
use lanescope_model::program::StageKind;
use lanescope_spirv::enums::{Decoration, Op, StorageClass};
use lanescope_spirv::{EntryPoint, InstId, Module};

/// A store into memory that only its invocation sees.
#[derive(Debug, Clone)]
pub struct Stored {
    /// The frame that stores.
    pub frame: FrameId,
    /// The instruction.
    pub inst: InstId,
    /// Destination.
    pub pointer: Id,
    /// Stored value.
    pub value: Id,
    /// The leaves of the memory that it reaches.
    pub leaves: Range<u32>,
    /// It writes all of them: no index on the way is known only at run time.
    pub exact: bool,
}

/// An extended instruction set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExtSet {
    /// `GLSL.std.450`.
    Glsl,
    /// `SPV_AMD_shader_explicit_vertex_parameter`.
    VertexParameter,
    /// A set without meaning for the result.
    NonSemantic,
    /// Any other.
    Other,
}

/// Links between instructions that can run.
#[derive(Debug)]
pub struct Links<'m> {
    /// The functions, one for each way they are called.
    pub frames: Frames<'m>,
    /// Variables and pointer parameters that name the same memory share the first of them: an earlier one, by node.
    same: BTreeMap<Node, Node>,
    /// Memory that is indexed dynamically somewhere: it is used as a whole or not at all.
    whole: BTreeSet<Node>,
    /// Memory that a shared frame accesses: the order of its stores is not known.
    unordered: BTreeSet<Node>,
    /// By memory: the stores into it, by the place of their frame, then by instruction.
    stores: BTreeMap<Node, Vec<Stored>>,
    /// By function: the values it returns.
    returns: BTreeMap<Id, Vec<Id>>,
    /// By function: its blocks.
    blocks: BTreeMap<Id, Blocks>,
    sets: BTreeMap<Id, ExtSet>,
    /// Inputs whose outermost index is the vertex.
    per_vertex: BTreeSet<Id>,
    /// Inputs that are loaded from, or stored to, with an index known only at run time, the vertex's apart.
    pub dynamic: BTreeSet<Id>,
    /// The first instruction that is not in the grammar.
    pub opaque: Option<InstId>,
}

impl<'m> Links<'m> {
    /// Learns calls, returns, stores, and which pointers name the same memory.
    pub fn of(module: &'m Module, entry: &EntryPoint, shapes: &Shapes<'_>, reach: &Reach<'m>) -> Links<'m> {
        let frames = Frames::of(module, entry, reach);
        let mut links = Links {
            same: BTreeMap::new(),
            frames,
            whole: BTreeSet::new(),
            unordered: BTreeSet::new(),
            stores: BTreeMap::new(),
            returns: BTreeMap::new(),
            blocks: reach.functions().map(|f| (f.id, Blocks::of(module, reach, f))).collect(),
            sets: BTreeMap::new(),
            per_vertex: entry.interface.iter().copied().filter(|&id| is_per_vertex(module, entry, id)).collect(),
            dynamic: BTreeSet::new(),
            opaque: None,
        };
        // Imports come before the memory model, and that before anything there may be many of.
        for inst in module.globals().take_while(|inst| inst.op() != Some(Op::MemoryModel)) {
            if let (Some(Op::ExtInstImport), Some(id)) = (inst.op(), inst.result()) {
                links.sets.insert(id, ext_set(&inst.string_at(2).0));
            }
        }
        for function in reach.functions() {
            for inst in reach.insts_of(function) {
                match inst.op() {
                    Some(Op::ReturnValue) => links.returns.entry(function.id).or_default().push(inst.id_at(1)),
                    None if links.opaque.is_none() => links.opaque = Some(inst.index),
                    _ => {}
                }
            }
        }
        links.join_parameters(module, reach);
        links.learn_accesses(module, shapes, reach);
        links
    }

    /// The memory that stands for a variable or pointer parameter, seen from a frame.
    pub fn memory(&self, frame: FrameId, base: InstId) -> Option<Node> {
        self.frames.node(frame, base).map(|node| self.first_of(node))
    }

    fn first_of(&self, node: Node) -> Node {
        let mut node = node;
        while let Some(&first) = self.same.get(&node) {
            node = first;
        }
        node
    }

    /// Whether a memory is used as a whole or not at all.
    pub fn is_whole(&self, memory: Node) -> bool {
        self.whole.contains(&memory)
    }

    /// Whether it is known which stores into a memory a load may see.
    pub fn is_ordered(&self, memory: Node) -> bool {
        !self.whole.contains(&memory) && !self.unordered.contains(&memory)
    }

    /// The stores into a memory.
    pub fn stores(&self, memory: Node) -> &[Stored] {
        self.stores.get(&memory).map_or(&[], Vec::as_slice)
    }

    /// Effects on a memory in a range of a frame's instructions, from the last one back. The memory is an ordered one.
    pub fn events(&self, memory: Node, frame: FrameId, range: Range<u32>) -> Events<'_, 'm> {
        Events::of(&self.frames, self.stores(memory), frame, range)
    }

    /// The values that a function returns.
    pub fn returns(&self, function: Id) -> &[Id] {
        self.returns.get(&function).map_or(&[], Vec::as_slice)
    }

    /// The blocks of a frame's function.
    pub fn blocks(&self, frame: FrameId) -> Option<&Blocks> {
        self.blocks.get(&self.frames.function(frame)?.id)
    }

    /// The set that an import names.
    pub fn ext_set(&self, import: Id) -> ExtSet {
        self.sets.get(&import).copied().unwrap_or(ExtSet::Other)
    }

    /// Joins each pointer parameter of a shared frame with the variables that are passed for it.
    fn join_parameters(&mut self, module: &Module, reach: &Reach<'_>) {
        let mut passed = Vec::new();
        for (frame, function) in self.frames.iter() {
            let callers = self.frames.callers(frame);
            if callers.len() < 2 {
                continue;
            }
            let parameters = reach.insts_of(function).filter(|inst| inst.op() == Some(Op::FunctionParameter));
            for (place, parameter) in parameters.enumerate() {
                if parameter.result().and_then(|id| module.pointee(id)).is_some() {
                    let argument = |call| frames::argument(module, call, place);
                    passed.extend(callers.iter().map(|&(from, call)| (frame, parameter.index, from, argument(call))));
                }
            }
        }
        for (frame, parameter, caller, argument) in passed {
            let Some(a) = self.memory(frame, parameter) else { continue };
            let to = self.frames.resolve(module, caller, argument);
            let Some((b, to)) = to.and_then(|to| Some((self.memory(to.frame, to.pointer.base)?, to))) else {
                self.whole.insert(a);
                continue;
            };
            let (low, high) = (a.min(b), a.max(b));
            if low != high {
                self.same.insert(high, low);
            }
            self.unordered.insert(low);
            // A part of a variable stands for all of it: only demands of the whole memory stay exact.
            if !to.pointer.path.is_empty() || self.whole.contains(&high) {
                self.whole.insert(low);
            }
        }
    }

    /// Learns the stores into memory of the invocation's own, and what is indexed dynamically.
    fn learn_accesses(&mut self, module: &Module, shapes: &Shapes<'_>, reach: &Reach<'_>) {
        let of_frames: Vec<_> = self.frames.iter().collect();
        for (frame, function) in of_frames {
            for inst in reach.insts_of(function) {
                let pointer = match inst.op() {
                    Some(Op::Store) => inst.id_at(1),
                    Some(Op::Load) => inst.id_at(3),
                    _ => continue,
                };
                let Some(place) = self.tracked(module, frame, pointer) else { continue };
                let Some(memory) = self.memory(place.frame, place.pointer.base) else { continue };
                let exact = !place.pointer.is_dynamic();
                if !exact {
                    match input(module, &place.pointer) {
                        Some(variable) => _ = self.dynamic.insert(variable),
                        None => _ = self.whole.insert(memory),
                    }
                }
                if inst.op() == Some(Op::Store)
                    && let Some(leaves) = reached(module, shapes, &place.pointer)
                {
                    let (inst, value) = (inst.index, inst.id_at(2));
                    self.stores.entry(memory).or_default().push(Stored { frame, inst, pointer, value, leaves, exact });
                    let class = pointer::class(module, place.pointer.base);
                    let home = Some(place.frame).filter(|_| class == Some(StorageClass::Function));
                    // One call after the other leads from the memory's own frame, or from the entry point.
                    let tree = self.frames.tree();
                    let is_below_home = home.is_some_and(|home| tree.leads_to(home, frame));
                    if !is_below_home && tree.root(frame) != 0 {
                        self.unordered.insert(memory);
                    }
                }
            }
        }
        let tree = self.frames.tree();
        for stores in self.stores.values_mut() {
            stores.sort_by_key(|store| (tree.place(store.frame), store.inst));
        }
    }

    /// A pointer into memory that only this invocation sees, if it can be followed. An unknown vertex of an input
    /// reads as its first: what is used of one vertex is used of all.
    pub fn tracked(&self, module: &Module, frame: FrameId, pointer: Id) -> Option<Place> {
        let mut found = self.frames.resolve(module, frame, pointer)?;
        if let Some(vertex @ Step::Any) = found.pointer.path.first_mut()
            && module.inst(found.pointer.base).result().is_some_and(|id| self.per_vertex.contains(&id))
        {
            *vertex = Step::At(0);
        }
        let class = pointer::class(module, found.pointer.base);
        matches!(class, Some(StorageClass::Function | StorageClass::Private | StorageClass::Input)).then_some(found)
    }
}

fn ext_set(name: &str) -> ExtSet {
    match name {
        "GLSL.std.450" => ExtSet::Glsl,
        "SPV_AMD_shader_explicit_vertex_parameter" => ExtSet::VertexParameter,
        _ if name.starts_with("NonSemantic.") => ExtSet::NonSemantic,
        _ => ExtSet::Other,
    }
}

/// Whether the outermost dimension of an input is the vertex.
fn is_per_vertex(module: &Module, entry: &EntryPoint, variable: Id) -> bool {
    let arrayed = matches!(entry.stage, Some(StageKind::TessControl | StageKind::TessEval | StageKind::Geometry));
    let is_input = module.def(variable).is_some_and(|inst| inst.word_at(3) == StorageClass::Input as u32);
    let decorated = |kind| module.is_decorated(variable, None, kind);
    // Tessellation coordinates and levels and the patch's size are not arrays of vertices.
    let of_patch = || decorated(Decoration::Patch) || decorated(Decoration::BuiltIn);
    is_input && ((arrayed && !of_patch()) || decorated(Decoration::PerVertexKHR))
}

/// The input variable that a pointer leads into, if it is one.
pub fn input(module: &Module, pointer: &Pointer) -> Option<Id> {
    let base = module.inst(pointer.base);
    let is_input = base.op() == Some(Op::Variable) && base.word_at(3) == StorageClass::Input as u32;
    is_input.then(|| base.result())?
}

/// The leaves of its memory that a pointer reaches, up to its first dynamic step.
pub fn reached(module: &Module, shapes: &Shapes<'_>, pointer: &Pointer) -> Option<Range<u32>> {
    let ty = module.pointee(module.inst(pointer.base).result()?)?;
    Some(shapes.range(ty, pointer.fixed()))
}
