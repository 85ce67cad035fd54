//! Which instructions a value may depend on: backward over operands, memory, calls and branches.

use std::collections::{BTreeMap, BTreeSet};

use super::enums::{Op, StorageClass};
use super::opcode::{Control, ImageUse, Memory};
use super::{EntryPoint, Inst, InstId, Led, Module, Roots};
use lanescope_base::ids::Id;

/// Slices of the values of one entry point.
///
/// A slice lacks nothing that the value depends on, whichever branches are taken; it may hold more. Not followed is what
/// other invocations pass by subgroup operations.
pub struct Slices<'m> {
    module: &'m Module,
    /// The instructions that may write memory.
    writers: Vec<Writer>,
    /// By parameter of a function: the function and the parameter's number.
    parameters: BTreeMap<Id, (Id, usize)>,
    roots: Roots<'m>,
    /// By function: its calls, and the instructions that return its value.
    calls: BTreeMap<Id, Vec<InstId>>,
    returns: BTreeMap<Id, Vec<InstId>>,
    /// Branches that have a condition.
    conditions: Vec<InstId>,
}

struct Writer {
    inst: InstId,
    storage: Storage,
}

/// Which memory a pointer or the handle of an image is of.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Storage {
    /// Variables that no other name leads to.
    Own(BTreeSet<Id>),
    /// Memory of other storage classes: variables of these may be the same memory.
    Shared,
    /// Memory that nothing writes while the shader runs.
    Constant,
    Unknown,
}

impl Storage {
    fn may_be(&self, other: &Storage) -> bool {
        match (self, other) {
            (Storage::Constant, _) | (_, Storage::Constant) => false,
            (Storage::Unknown, _) | (_, Storage::Unknown) => true,
            (Storage::Own(these), Storage::Own(those)) => !these.is_disjoint(those),
            (Storage::Shared, Storage::Shared) => true,
            _ => false,
        }
    }
}

impl<'m> Slices<'m> {
    /// Reads the functions that an entry point reaches.
    pub fn new(module: &'m Module, entry: &EntryPoint) -> Slices<'m> {
        let mut out = Slices {
            module,
            writers: Vec::new(),
            parameters: BTreeMap::new(),
            roots: Roots::of_entry(module, entry),
            calls: BTreeMap::new(),
            returns: BTreeMap::new(),
            conditions: Vec::new(),
        };
        let functions = module.reachable(entry);
        for function in &functions {
            let mut parameters = 0;
            for inst in module.insts_in(function.insts.clone()) {
                match inst.op() {
                    Some(Op::FunctionParameter) => {
                        out.parameters.extend(inst.result().map(|id| (id, (function.id, parameters))));
                        parameters += 1;
                    }
                    Some(Op::FunctionCall) => out.calls.entry(inst.id_at(3)).or_default().push(inst.index),
                    Some(Op::ReturnValue) => out.returns.entry(function.id).or_default().push(inst.index),
                    _ if inst.facts().control == Control::Branch && inst.op() != Some(Op::Branch) => {
                        out.conditions.push(inst.index);
                    }
                    _ => {}
                }
            }
        }
        let insts = functions.iter().flat_map(|function| module.insts_in(function.insts.clone()));
        out.writers =
            insts.filter_map(|inst| Some(Writer { inst: inst.index, storage: out.written(&inst)? })).collect();
        out
    }

    /// The instructions of functions that values may depend on, those that make them among these.
    pub fn backward(&self, values: impl IntoIterator<Item = Id>) -> BTreeSet<InstId> {
        let mut walk = Walk { of: self, found: BTreeSet::new(), waiting: Vec::new(), branches: false };
        values.into_iter().for_each(|id| walk.value(id));
        while let Some(inst) = walk.waiting.pop() {
            walk.visit(&self.module.inst(inst));
        }
        walk.found
    }

    fn storage(&self, pointer: Id) -> Storage {
        use StorageClass::{Function, Input, Output, Private, PushConstant};
        let Led { variables: roots, is_all } = self.roots.of(pointer);
        let class = |root: &Id| {
            let inst = self.module.def(*root).filter(|inst| inst.op() == Some(Op::Variable))?;
            StorageClass::from_u32(inst.word_at(3))
        };
        let all = |classes: &[StorageClass]| roots.iter().all(|root| class(root).is_some_and(|c| classes.contains(&c)));
        let known = |root: &Id| class(root).is_some();
        match () {
            () if !is_all || roots.is_empty() || !roots.iter().all(known) => Storage::Unknown,
            () if all(&[Input, PushConstant]) => Storage::Constant,
            () if all(&[Function, Private, Output]) => Storage::Own(roots),
            () if roots.iter().any(|root| matches!(class(root), Some(Function | Private | Output))) => Storage::Unknown,
            () => Storage::Shared,
        }
    }

    /// What an instruction may write, if it may write memory.
    fn written(&self, inst: &Inst<'_>) -> Option<Storage> {
        let facts = inst.facts();
        // A call does what the function's instructions do.
        if inst.op() == Some(Op::FunctionCall) {
            return None;
        }
        match (facts.written_pointer(), facts.memory, facts.image) {
            (Some(at), _, _) => Some(self.storage(inst.id_at(at))),
            (None, _, Some(ImageUse::Write)) => Some(Storage::Shared),
            (None, Memory::Unknown, _) if !facts.is_pure() => Some(Storage::Unknown),
            _ => None,
        }
    }

    /// What an instruction may read, if it may read memory.
    fn read(&self, inst: &Inst<'_>) -> Option<Storage> {
        let facts = inst.facts();
        if inst.op() == Some(Op::FunctionCall) {
            return None;
        }
        match (facts.memory, facts.image) {
            (Memory::Load, _) => Some(self.storage(inst.id_at(3))),
            (Memory::Copy, _) => Some(self.storage(inst.id_at(2))),
            (Memory::AtomicLoad | Memory::AtomicChange, _) => Some(self.storage(inst.id_at(3))),
            // A storage image may be the sampled one.
            (_, Some(ImageUse::Sample | ImageUse::Gather | ImageUse::Fetch | ImageUse::Read)) => Some(Storage::Shared),
            (Memory::Unknown, _) => Some(Storage::Unknown),
            _ => None,
        }
    }
}

struct Walk<'s, 'm> {
    of: &'s Slices<'m>,
    found: BTreeSet<InstId>,
    waiting: Vec<InstId>,
    /// The conditions of branches are in.
    branches: bool,
}

impl Walk<'_, '_> {
    fn inst(&mut self, inst: InstId) {
        if self.found.insert(inst) {
            self.waiting.push(inst);
        }
    }

    /// A value; what is made outside of functions depends on nothing.
    fn value(&mut self, id: Id) {
        let first = self.of.module.functions().first().map(|function| function.insts.start);
        if let Some(inst) = self.of.module.def_index(id).filter(|inst| first.is_some_and(|first| inst.0 >= first)) {
            self.inst(inst);
        }
    }

    fn operands(&mut self, inst: &Inst<'_>) {
        let module = self.of.module;
        module.for_each_possible_id(inst, |id| self.value(id));
    }

    fn conditions(&mut self) {
        if !std::mem::replace(&mut self.branches, true) {
            self.of.conditions.iter().for_each(|inst| self.inst(*inst));
        }
    }

    fn visit(&mut self, inst: &Inst<'_>) {
        let of = self.of;
        match inst.op() {
            Some(Op::FunctionParameter) => {
                let Some((function, number)) = inst.result().and_then(|id| of.parameters.get(&id)) else { return };
                for call in of.calls.get(function).into_iter().flatten() {
                    self.value(of.module.inst(*call).id_at(4 + number));
                }
                return;
            }
            Some(Op::FunctionCall) => {
                self.conditions();
                of.returns.get(&inst.id_at(3)).into_iter().flatten().for_each(|inst| self.inst(*inst));
            }
            Some(Op::Phi) => self.conditions(),
            _ => {}
        }
        self.operands(inst);
        let Some(read) = of.read(inst) else { return };
        let mut writers = of.writers.iter().filter(|writer| writer.storage.may_be(&read)).peekable();
        if writers.peek().is_some() {
            // Which of them ran last depends on branches.
            self.conditions();
        }
        writers.for_each(|writer| self.inst(writer.inst));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assembled;

    /// For each derivative of a module: the names of the inputs that its operand may depend on.
    fn inputs(body: &str) -> Vec<String> {
        let text = format!(
            "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\" %a %b %c\n\
             OpExecutionMode %main OriginUpperLeft\nOpName %a \"a\"\nOpName %b \"b\"\nOpName %c \"c\"\n\
             %void = OpTypeVoid\n%float = OpTypeFloat 32\n%bool = OpTypeBool\n%to = OpTypeFunction %void\n\
             %in = OpTypePointer Input %float\n%own = OpTypePointer Function %float\n\
             %of = OpTypeFunction %float %own\n%zero = OpConstant %float 0\n\
             %a = OpVariable %in Input\n%b = OpVariable %in Input\n%c = OpVariable %in Input\n\
             %main = OpFunction %void None %to\n%first = OpLabel\n%x = OpVariable %own Function\n\
             %y = OpVariable %own Function\n{body}\nOpReturn\nOpFunctionEnd\n\
             %f = OpFunction %float None %of\n%p = OpFunctionParameter %own\n%l = OpLabel\n\
             %v = OpLoad %float %p\nOpReturnValue %v\nOpFunctionEnd"
        );
        let module = assembled(&text);
        let slices = Slices::new(&module, &module.entry_points()[0]);
        let derivatives = module.insts().filter(|inst| inst.op() == Some(Op::DPdx));
        derivatives
            .map(|inst| {
                let found = slices.backward([inst.id_at(3)]);
                let loads = found.iter().map(|at| module.inst(*at)).filter(|inst| inst.op() == Some(Op::Load));
                let names: BTreeSet<&str> = loads.filter_map(|load| module.name(load.id_at(3))).collect();
                names.into_iter().filter(|name| !name.is_empty()).collect::<String>()
            })
            .collect()
    }

    #[test]
    fn values_depend_on_what_may_make_them() {
        let loads = "%1 = OpLoad %float %a\n%2 = OpLoad %float %b\n";
        let derive = |of: &str| format!("%d{of} = OpDPdx %float %{of}\n");
        for (body, expected) in [
            (derive("1") + &derive("2"), &["a", "b"][..]),
            (format!("%3 = OpFAdd %float %1 %2\n{}", derive("3")), &["ab"]),
            // A variable holds what was stored to it, and not what another one holds.
            (format!("OpStore %x %1\nOpStore %y %2\n%3 = OpLoad %float %x\n{}", derive("3")), &["a"]),
            // Through a call, and through what its parameter points to.
            (
                format!(
                    "OpStore %x %2\nOpStore %y %1\n%3 = OpFunctionCall %float %f %x\n{}{}",
                    derive("3"),
                    derive("1")
                ),
                &["b", "a"],
            ),
            // By way of a branch.
            (
                format!(
                    "OpStore %x %zero\n%4 = OpLoad %float %c\n%5 = OpFOrdLessThan %bool %4 %zero\n\
                     OpSelectionMerge %end None\nOpBranchConditional %5 %then %end\n%then = OpLabel\nOpStore %x %1\n\
                     OpBranch %end\n%end = OpLabel\n%3 = OpLoad %float %x\n{}{}",
                    derive("3"),
                    derive("2")
                ),
                &["ac", "b"],
            ),
        ] {
            assert_eq!(inputs(&format!("{loads}{body}")), expected, "{body}");
        }
    }
}
