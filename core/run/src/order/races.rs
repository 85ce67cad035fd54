//! Stores of different values to one address.
//!
//! Said only where it is certain: every invocation runs the store, nothing that its address is made of can differ between
//! invocations, and its value is made from an invocation's id by steps that keep values apart.

use std::collections::BTreeSet;

use lanescope_base::ids::Id;
use lanescope_spirv::enums::{BuiltIn, Decoration, ExecutionMode, Op, StorageClass};
use lanescope_spirv::opcode::{Effect, ImageUse};
use lanescope_spirv::{EntryPoint, Inst, Module, always_run};

/// The races of an entry point, in module order.
pub(super) fn races(module: &Module, entry: &EntryPoint) -> Vec<String> {
    let always = always_run(module, entry);
    let mut insts: Vec<Inst<'_>> =
        module.reachable(entry).into_iter().flat_map(|f| module.insts_in(f.insts.clone())).collect();
    insts.sort_by_key(|inst| inst.index);
    let mut values = Values { module, size: size(module, entry), varying: BTreeSet::new(), own: BTreeSet::new() };
    // Each turn adds ids or is the last; chains through memory take one turn a variable.
    for _ in 0..MAX_TURNS {
        let before = (values.varying.len(), values.own.len());
        for inst in &insts {
            values.visit(inst, always.contains(&inst.index));
        }
        if before == (values.varying.len(), values.own.len()) {
            let races = insts.iter().filter(|inst| always.contains(&inst.index) && values.is_race(inst));
            return races
                .map(|inst| {
                    let (index, name) = (inst.index.0, inst.name());
                    format!("#{index} {name}: invocations store different values to one address; the last one remains")
                })
                .collect();
        }
    }
    Vec::new()
}

/// More turns than any shader of a known compiler takes; past them nothing is said.
const MAX_TURNS: usize = 64;

/// X, Y, Z where literals say it; one invocation otherwise, so that nothing is said of it.
fn size(module: &Module, entry: &EntryPoint) -> [u32; 3] {
    match (entry.mode(ExecutionMode::LocalSize), entry.mode(ExecutionMode::LocalSizeId)) {
        (Some(&[x, y, z]), _) => [x, y, z],
        (_, Some(ids @ [_, _, _])) => {
            let side = |i: usize| ids.get(i).and_then(|&id| module.constant(Id(id))).and_then(|c| c.as_u32());
            [0, 1, 2].map(|i| side(i).unwrap_or(1))
        }
        _ => [1; 3],
    }
}

/// What is known of values. A variable's id means its contents, any other pointer's its address.
struct Values<'m> {
    module: &'m Module,
    size: [u32; 3],
    /// May differ between invocations.
    varying: BTreeSet<Id>,
    /// Differ between invocations of one group, as their ids do.
    own: BTreeSet<Id>,
}

impl Values<'_> {
    fn visit(&mut self, inst: &Inst<'_>, always: bool) {
        if inst.op() == Some(Op::Store) {
            let (pointer, value) = (inst.id_at(1), inst.id_at(2));
            let Some((variable, _)) = self.variable(pointer) else { return };
            if !always || self.varying.contains(&value) || self.varying.contains(&pointer) {
                self.varying.insert(variable);
            }
            if always && self.own.contains(&value) {
                self.own.insert(variable);
            }
            return;
        }
        if inst.op() == Some(Op::FunctionCall) {
            // What it gets pointers to may be written.
            for &argument in inst.words_from(4) {
                self.varying.extend(self.variable(Id(argument)).map(|(variable, _)| variable));
            }
        }
        let Some(result) = inst.result() else { return };
        if inst.op() == Some(Op::Variable) {
            return;
        }
        if self.may_vary(inst) {
            self.varying.insert(result);
        }
        if self.is_own(inst) {
            self.own.insert(result);
        }
    }

    fn may_vary(&self, inst: &Inst<'_>) -> bool {
        let facts = inst.facts();
        match inst.op() {
            None | Some(Op::Phi | Op::FunctionCall | Op::FunctionParameter) => true,
            Some(Op::ExtInst) => self.uses(inst, &self.varying),
            _ if facts.is_atomic() || facts.group.is_some() || facts.image == Some(ImageUse::Read) => true,
            Some(Op::Load) => {
                let pointer = inst.id_at(3);
                let Some((variable, class)) = self.variable(pointer) else { return true };
                let address = variable != pointer && self.varying.contains(&pointer);
                address
                    || match class {
                        StorageClass::Input => !matches!(self.built_in(variable), Some(BuiltIn::NumWorkgroups)),
                        StorageClass::Function | StorageClass::Private => self.varying.contains(&variable),
                        StorageClass::PushConstant | StorageClass::UniformConstant => false,
                        StorageClass::Uniform => !self.is_constant_block(variable),
                        _ => true,
                    }
            }
            // The address of a part: its base is a variable, whose contents do not matter, or another address.
            _ if inst.is_access_chain() => {
                let base = inst.id_at(3);
                let base_varies =
                    self.variable(base).is_none_or(|(variable, _)| variable != base) && self.varying.contains(&base);
                base_varies || inst.words_from(4).iter().any(|&id| self.varying.contains(&Id(id)))
            }
            // What an image has where all invocations sample or fetch it is the same for all.
            _ if facts.image.is_some() || facts.effect == Effect::Value => self.uses(inst, &self.varying),
            Some(_) => true,
        }
    }

    fn is_own(&self, inst: &Inst<'_>) -> bool {
        use Op::*;
        match inst.op() {
            Some(Load) => {
                let pointer = inst.id_at(3);
                let Some((variable, class)) = self.variable(pointer) else { return false };
                match class {
                    StorageClass::Input if variable == pointer => self.is_id(variable, None),
                    StorageClass::Function | StorageClass::Private => {
                        variable == pointer && self.own.contains(&variable)
                    }
                    // A component of an id, or what lies at an address of the invocation's own.
                    _ => self.own.contains(&pointer),
                }
            }
            _ if inst.is_access_chain() => {
                let base = inst.id_at(3);
                let component = inst.words_from(4).first().and_then(|&id| self.module.constant(Id(id)));
                match self.variable(base) {
                    Some((variable, StorageClass::Input)) if variable == base => {
                        self.is_id(variable, component.and_then(|c| c.as_u32()))
                    }
                    _ => inst.words_from(4).iter().any(|&id| self.own.contains(&Id(id))),
                }
            }
            Some(CompositeExtract) => {
                let of = self.module.def(inst.id_at(3)).filter(|load| load.op() == Some(Load));
                let variable = of.map(|load| load.id_at(3)).filter(|&id| self.built_in(id).is_some());
                match variable {
                    Some(variable) => self.is_id(variable, Some(inst.word_at(4))),
                    None => self.own.contains(&inst.id_at(3)),
                }
            }
            Some(
                IAdd | ISub | IMul | FAdd | FSub | FMul | FNegate | SNegate | Not | VectorTimesScalar | Bitcast
                | ConvertUToF | ConvertSToF | ConvertFToU | ConvertFToS | UConvert | SConvert | FConvert
                | CompositeConstruct | VectorShuffle | CopyObject,
            ) => self.uses(inst, &self.own),
            _ => false,
        }
    }

    fn is_race(&self, inst: &Inst<'_>) -> bool {
        match inst.op() {
            Some(Op::Store) => {
                let (pointer, value) = (inst.id_at(1), inst.id_at(2));
                let Some((variable, class)) = self.variable(pointer) else { return false };
                let shared =
                    matches!(class, StorageClass::StorageBuffer | StorageClass::Uniform | StorageClass::Workgroup);
                let one = variable == pointer || !self.varying.contains(&pointer);
                shared && one && self.own.contains(&value)
            }
            Some(Op::ImageWrite) => {
                let [image, at, texel] = [1, 2, 3].map(|word| inst.id_at(word));
                !self.varying.contains(&image) && !self.varying.contains(&at) && self.own.contains(&texel)
            }
            _ => false,
        }
    }

    fn uses(&self, inst: &Inst<'_>, ids: &BTreeSet<Id>) -> bool {
        let mut found = false;
        self.module.for_each_possible_id(inst, |id| found |= ids.contains(&id));
        found
    }

    /// The variable that a pointer points into, and its storage class.
    fn variable(&self, pointer: Id) -> Option<(Id, StorageClass)> {
        let mut at = pointer;
        // No compiler emits longer chains than this.
        for _ in 0..64 {
            let inst = self.module.def(at)?;
            match inst.op()? {
                Op::Variable => return Some((at, StorageClass::from_u32(inst.word_at(3))?)),
                Op::CopyObject => at = inst.id_at(3),
                _ if inst.is_access_chain() => at = inst.id_at(3),
                _ => return None,
            }
        }
        None
    }

    fn built_in(&self, variable: Id) -> Option<BuiltIn> {
        self.module.decoration(variable, None, Decoration::BuiltIn).and_then(BuiltIn::from_u32)
    }

    /// Whether a variable, or one component of it, is an id that differs within a group of the size.
    fn is_id(&self, variable: Id, component: Option<u32>) -> bool {
        let several = match component.and_then(|component| self.size.get(component as usize)) {
            Some(&side) => side > 1,
            None => self.size.iter().any(|&side| side > 1),
        };
        let ids = [BuiltIn::LocalInvocationId, BuiltIn::LocalInvocationIndex, BuiltIn::GlobalInvocationId];
        several && self.built_in(variable).is_some_and(|built_in| ids.contains(&built_in))
    }

    /// Whether a variable of class Uniform is one that no shader writes.
    fn is_constant_block(&self, variable: Id) -> bool {
        let block = self.module.pointee(variable).map(|ty| match self.module.ty(ty) {
            Some(lanescope_spirv::Type::Array { element, .. } | lanescope_spirv::Type::RuntimeArray { element }) => {
                element
            }
            _ => ty,
        });
        block.is_some_and(|ty| self.module.is_decorated(ty, None, Decoration::Block))
    }
}
