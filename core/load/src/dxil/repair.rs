//! Types of access chains as SPIR-V wants them.
//!
//! The converter writes a structure or an array of a record twice: with its layout, as it lies in memory, and without. An
//! access chain that ends at one of them gets a pointer to the one without, which is another type.

use std::collections::BTreeMap;

use lanescope_base::ids::Id;
use lanescope_spirv::enums::Op;
use lanescope_spirv::opcode::Chain;
use lanescope_spirv::{Inst, Module};

/// The module with each access chain to an aggregate typed as what it reaches. Words that are no module are returned
/// unchanged.
pub(super) fn access_chains(words: Vec<u32>) -> Vec<u32> {
    match Module::parse(words.clone()) {
        Ok(module) => Repair::of(&module).apply(words),
        Err(_) => words,
    }
}

/// A pointer type: storage class, pointee.
type Pointer = (u32, Id);

struct Repair<'m> {
    module: &'m Module,
    /// Known pointer types, with those that are added.
    pointers: BTreeMap<Pointer, u32>,
    /// Pointer types to add.
    added: Vec<(u32, Pointer)>,
    /// New types of access chains, by their result.
    retyped: BTreeMap<Id, Pointer>,
    /// Words that change.
    changes: Vec<(usize, u32)>,
    bound: u32,
}

impl<'m> Repair<'m> {
    fn of(module: &'m Module) -> Repair<'m> {
        let mut out = Repair {
            module,
            pointers: BTreeMap::new(),
            added: Vec::new(),
            retyped: BTreeMap::new(),
            changes: Vec::new(),
            bound: module.bound(),
        };
        for inst in module.definitions().filter(|inst| inst.op() == Some(Op::TypePointer)) {
            out.pointers.entry((inst.word_at(2), inst.id_at(3))).or_insert(inst.word_at(1));
        }
        for inst in module.insts() {
            out.visit(&inst);
        }
        out
    }

    fn visit(&mut self, inst: &Inst<'_>) {
        let Some(chain @ (Chain::Typed | Chain::TypedElement)) = inst.facts().chain else { return };
        let (Some(ty), Some(result)) = (inst.result_type(), inst.result()) else { return };
        let base = inst.id_at(chain.base());
        let of_base = self.retyped.get(&base).copied();
        let of_base = of_base.or_else(|| self.pointer(self.module.type_of(base)?));
        let (Some((storage, from)), Some((_, to))) = (of_base, self.pointer(ty)) else { return };
        let Some(reached) = self.reached(from, inst.words_from(chain.indices())) else { return };
        if reached == to || !self.are_aggregates(reached, to) {
            return;
        }
        let pointer = (storage, reached);
        let id = *self.pointers.entry(pointer).or_insert_with(|| {
            let id = self.bound;
            self.bound += 1;
            self.added.push((id, pointer));
            id
        });
        self.retyped.insert(result, pointer);
        self.changes.push((inst.word as usize + 1, id));
    }

    fn pointer(&self, ty: Id) -> Option<Pointer> {
        let inst = self.module.def(ty).filter(|inst| inst.op() == Some(Op::TypePointer))?;
        Some((inst.word_at(2), inst.id_at(3)))
    }

    /// The type at the end of a chain of indices.
    fn reached(&self, from: Id, indices: &[u32]) -> Option<Id> {
        indices.iter().try_fold(from, |ty, index| {
            let inst = self.module.def(ty)?;
            match inst.op()? {
                Op::TypeStruct => {
                    let number = self.module.def(Id(*index)).filter(|inst| inst.op() == Some(Op::Constant))?;
                    inst.words_from(2).get(number.word_at(3) as usize).copied().map(Id)
                }
                Op::TypeArray | Op::TypeRuntimeArray | Op::TypeVector | Op::TypeMatrix => Some(inst.id_at(2)),
                _ => None,
            }
        })
    }

    /// Whether two types are structures, or arrays: those may be declared more than once.
    fn are_aggregates(&self, one: Id, other: Id) -> bool {
        let op = |id| self.module.def(id).and_then(|inst| inst.op());
        matches!(op(one), Some(Op::TypeStruct | Op::TypeArray | Op::TypeRuntimeArray)) && op(one) == op(other)
    }

    fn apply(self, mut words: Vec<u32>) -> Vec<u32> {
        for (at, id) in &self.changes {
            if let Some(word) = words.get_mut(*at) {
                *word = *id;
            }
        }
        let function = self.module.insts().find(|inst| inst.op() == Some(Op::Function));
        if let Some(at) = function.map(|inst| inst.word as usize).filter(|_| !self.added.is_empty()) {
            let types = self
                .added
                .iter()
                .flat_map(|(id, (storage, pointee))| [4 << 16 | Op::TypePointer as u32, *id, *storage, pointee.0]);
            words.splice(at..at, types.collect::<Vec<u32>>());
            if let Some(bound) = words.get_mut(3) {
                *bound = self.bound;
            }
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use spirv_tools::TargetEnv;

    use super::*;
    use crate::spvasm;

    /// A record with a structure that is declared twice, and a chain that steps into it.
    const TEXT: &str = "
        OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %main \"main\" %record
        OpExecutionMode %main LocalSize 1 1 1
        OpMemberDecorate %laid 0 Offset 0
        OpMemberDecorate %laid 1 Offset 4
        OpMemberDecorate %block 0 Offset 0
        OpMemberDecorate %block 1 Offset 16
        OpDecorate %block Block
        OpDecorate %record DescriptorSet 0
        OpDecorate %record Binding 0
        %void = OpTypeVoid
        %fn = OpTypeFunction %void
        %float = OpTypeFloat 32
        %uint = OpTypeInt 32 0
        %one = OpConstant %uint 1
        %laid = OpTypeStruct %float %float
        %plain = OpTypeStruct %float %float
        %block = OpTypeStruct %float %laid
        %to_block = OpTypePointer StorageBuffer %block
        %to_plain = OpTypePointer StorageBuffer %plain
        %to_float = OpTypePointer StorageBuffer %float
        %record = OpVariable %to_block StorageBuffer
        %main = OpFunction %void None %fn
        %label = OpLabel
        %inner = OpAccessChain %to_plain %record %one
        %last = OpInBoundsAccessChain %to_float %inner %one
        %value = OpLoad %float %last
        OpReturn
        OpFunctionEnd";

    #[test]
    fn chains_have_the_type_that_they_reach() {
        let check = |words: &[u32]| crate::check(&Module::parse(words.to_vec()).expect("parses"));
        let words = spvasm::assemble(TEXT, TargetEnv::Vulkan_1_3, spvasm::Numbers::Kept).expect("assembles");
        assert!(check(&words).is_err_and(|why| why.contains("OpAccessChain")), "the types differ");
        let repaired = access_chains(words.clone());
        assert_eq!(check(&repaired), Ok(()));
        assert_eq!(repaired.len(), words.len() + 4);
        assert_eq!(access_chains(repaired.clone()), repaired);
        assert_eq!(access_chains(vec![1, 2, 3]), [1, 2, 3]);
    }
}
