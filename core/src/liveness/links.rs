//! What belongs together before anything flows: calls with functions, stores with memory, pointers with variables.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::leaves::Shapes;
use super::pointer::{self, Pointer};
use super::reach::Reach;
use crate::ids::Id;
use crate::spirv::enums::{Op, StorageClass};
use crate::spirv::{InstId, Module};

/// A store into memory that only its invocation sees.
#[derive(Debug, Clone)]
pub struct Stored {
    /// Where to.
    pub pointer: Id,
    /// What is stored.
    pub value: Id,
    /// The leaves of the memory that it reaches.
    pub leaves: Range<u32>,
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
#[derive(Debug, Default)]
pub struct Links {
    /// Variables and pointer parameters that name the same memory share the first of them.
    same: Vec<u32>,
    /// Memory that is indexed dynamically somewhere: it is used as a whole or not at all.
    whole: BTreeSet<u32>,
    /// By memory: the stores into it.
    stores: BTreeMap<u32, Vec<Stored>>,
    /// By function: its calls.
    calls: BTreeMap<Id, Vec<InstId>>,
    /// By function: the values it returns.
    returns: BTreeMap<Id, Vec<Id>>,
    /// By parameter: its function, and its place among the arguments.
    parameters: BTreeMap<InstId, (Id, usize)>,
    sets: BTreeMap<Id, ExtSet>,
    /// Inputs that are loaded from, or stored to, with an index known only at run time.
    pub dynamic: BTreeSet<Id>,
    /// The first instruction that the grammar does not know.
    pub opaque: Option<InstId>,
}

impl Links {
    /// Learns calls, returns, stores, and which pointers name the same memory.
    pub fn of(module: &Module, shapes: &Shapes<'_>, reach: &Reach<'_>) -> Links {
        let mut links = Links { same: (0..module.len() as u32).collect(), ..Links::default() };
        for inst in module.insts().take_while(|inst| inst.op() != Some(Op::Function)) {
            if let (Some(Op::ExtInstImport), Some(id)) = (inst.op(), inst.result()) {
                links.sets.insert(id, ext_set(&inst.string_at(2).0));
            }
        }
        for function in reach.functions() {
            let mut place = 0;
            for inst in reach.insts_of(function) {
                match inst.op() {
                    Some(Op::FunctionParameter) => {
                        links.parameters.insert(inst.index, (function.id, place));
                        place += 1;
                    }
                    Some(Op::FunctionCall) => links.calls.entry(inst.id_at(3)).or_default().push(inst.index),
                    Some(Op::ReturnValue) => links.returns.entry(function.id).or_default().push(inst.id_at(1)),
                    None if links.opaque.is_none() => links.opaque = Some(inst.index),
                    _ => {}
                }
            }
        }
        links.join_parameters(module);
        links.learn_accesses(module, shapes, reach);
        links
    }

    /// The memory that stands for a variable or pointer parameter.
    pub fn memory(&self, base: InstId) -> InstId {
        let mut index = base.0;
        while let Some(&first) = self.same.get(index as usize)
            && first != index
        {
            index = first;
        }
        InstId(index)
    }

    /// Whether a memory is used as a whole or not at all.
    pub fn is_whole(&self, memory: InstId) -> bool {
        self.whole.contains(&memory.0)
    }

    /// The stores into a memory.
    pub fn stores(&self, memory: InstId) -> &[Stored] {
        self.stores.get(&memory.0).map_or(&[], Vec::as_slice)
    }

    /// The values that a function returns.
    pub fn returns(&self, function: Id) -> &[Id] {
        self.returns.get(&function).map_or(&[], Vec::as_slice)
    }

    /// A parameter's place among the arguments, and the calls that pass one.
    pub fn arguments(&self, parameter: InstId) -> (usize, &[InstId]) {
        let Some((function, place)) = self.parameters.get(&parameter) else { return (0, &[]) };
        (*place, self.calls.get(function).map_or(&[], Vec::as_slice))
    }

    /// The set that an import names.
    pub fn ext_set(&self, import: Id) -> ExtSet {
        self.sets.get(&import).copied().unwrap_or(ExtSet::Other)
    }

    /// Joins each pointer parameter with the variables that are passed for it.
    fn join_parameters(&mut self, module: &Module) {
        let mut passed = Vec::new();
        for &parameter in self.parameters.keys() {
            if module.inst(parameter).result().and_then(|id| module.pointee(id)).is_some() {
                let (place, calls) = self.arguments(parameter);
                passed.extend(calls.iter().map(|&call| (parameter, module.inst(call).id_at(4 + place))));
            }
        }
        for (parameter, argument) in passed {
            let a = self.memory(parameter).0;
            let Some(to) = pointer::resolve(module, argument) else {
                self.whole.insert(a);
                continue;
            };
            let b = self.memory(to.base).0;
            let (low, high) = (a.min(b), a.max(b));
            if let Some(same) = self.same.get_mut(high as usize) {
                *same = low;
            }
            // A part of a variable stands for all of it: only demands of the whole memory stay exact.
            if !to.path.is_empty() || self.whole.contains(&high) {
                self.whole.insert(low);
            }
        }
    }

    /// Learns the stores into memory of the invocation's own, and what is indexed dynamically.
    fn learn_accesses(&mut self, module: &Module, shapes: &Shapes<'_>, reach: &Reach<'_>) {
        for inst in reach.insts() {
            let pointer = match inst.op() {
                Some(Op::Store) => inst.id_at(1),
                Some(Op::Load) => inst.id_at(3),
                _ => continue,
            };
            let Some(pointer) = tracked(module, pointer) else { continue };
            let memory = self.memory(pointer.base);
            if pointer.is_dynamic() {
                match input(module, &pointer) {
                    Some(variable) => _ = self.dynamic.insert(variable),
                    None => _ = self.whole.insert(memory.0),
                }
            }
            if inst.op() == Some(Op::Store)
                && let Some(leaves) = reached(module, shapes, &pointer)
            {
                self.stores.entry(memory.0).or_default().push(Stored {
                    pointer: inst.id_at(1),
                    value: inst.id_at(2),
                    leaves,
                });
            }
        }
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

/// A pointer into memory that only this invocation sees, if it can be followed.
pub fn tracked(module: &Module, pointer: Id) -> Option<Pointer> {
    let found = pointer::resolve(module, pointer)?;
    let class = pointer::class(module, found.base);
    matches!(class, Some(StorageClass::Function | StorageClass::Private | StorageClass::Input)).then_some(found)
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
