//! The variables that pointers, and handles of images, lead to: through chains, copies and calls.

use std::collections::{BTreeMap, BTreeSet};

use super::enums::Op;
use super::{EntryPoint, Module, Type};
use lanescope_base::ids::Id;

/// Longer chains of pointers are not followed; no compiler emits them.
const MAX_CHAIN: usize = 64;

/// The variables that pointers of one entry point's functions may lead to.
pub struct Roots<'m> {
    module: &'m Module,
    /// By parameter of a function: where its arguments lead.
    parameters: BTreeMap<Id, Led>,
}

/// Where a pointer leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Led {
    /// Variables that it may lead to.
    pub variables: BTreeSet<Id>,
    /// Whether these are all.
    pub is_all: bool,
}

impl<'m> Roots<'m> {
    /// Follows the calls of an entry point until nothing is new.
    pub fn of_entry(module: &'m Module, entry: &EntryPoint) -> Roots<'m> {
        let functions = module.reachable(entry);
        let insts = || functions.iter().flat_map(|function| module.insts_in(function.insts.clone()));
        let mut parameters: BTreeMap<Id, Vec<Id>> = BTreeMap::new();
        for function in &functions {
            let own = module.insts_in(function.insts.clone()).filter(|inst| inst.op() == Some(Op::FunctionParameter));
            parameters.insert(function.id, own.filter_map(|inst| inst.result()).collect());
        }
        let calls = insts().filter(|inst| inst.op() == Some(Op::FunctionCall));
        let passed: Vec<(Id, Id)> = calls
            .flat_map(|call| {
                let to = parameters.get(&call.id_at(3)).map(Vec::as_slice).unwrap_or_default();
                to.iter().copied().zip(call.words_from(4).iter().map(|word| Id(*word)))
            })
            .collect();
        let nothing = || Led { variables: BTreeSet::new(), is_all: true };
        let led = parameters.values().flatten().map(|parameter| (*parameter, nothing())).collect();
        let mut out = Roots { module, parameters: led };
        while out.pass(&passed) {}
        out
    }

    /// Passes on where arguments lead; whether anything is new.
    fn pass(&mut self, passed: &[(Id, Id)]) -> bool {
        let mut changed = false;
        for (parameter, argument) in passed {
            let Led { variables, is_all } = self.of(*argument);
            let Some(known) = self.parameters.get_mut(parameter) else { continue };
            let before = (known.variables.len(), known.is_all);
            known.variables.extend(variables);
            known.is_all &= is_all;
            changed |= (known.variables.len(), known.is_all) != before;
        }
        changed
    }

    /// Where a pointer, or the handle of an image, leads.
    pub fn of(&self, pointer: Id) -> Led {
        let unknown = || Led { variables: BTreeSet::new(), is_all: false };
        let mut at = pointer;
        for _ in 0..MAX_CHAIN {
            let Some(inst) = self.module.def(at) else { break };
            at = match (inst.op(), inst.facts().chain) {
                (Some(Op::Variable), _) => return Led { variables: BTreeSet::from([at]), is_all: true },
                (Some(Op::FunctionParameter), _) => return self.parameters.get(&at).cloned().unwrap_or_else(unknown),
                // What a pointer in memory points to is not known; a handle in memory is that of its variable.
                (Some(Op::Load), _) if self.is_pointer(inst.result_type()) => break,
                (Some(Op::CopyObject | Op::Load | Op::Image | Op::SampledImage | Op::ImageTexelPointer), _) => {
                    inst.id_at(3)
                }
                (_, Some(chain)) => inst.id_at(chain.base()),
                _ => break,
            };
        }
        unknown()
    }

    fn is_pointer(&self, ty: Option<Id>) -> bool {
        matches!(ty.and_then(|ty| self.module.ty(ty)), Some(Type::Pointer { .. }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assembled;

    #[test]
    fn parameters_lead_where_their_arguments_do() {
        let module = assembled(
            "OpCapability Shader\nOpCapability VariablePointers\nOpMemoryModel Logical GLSL450\n\
             OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n\
             %void = OpTypeVoid\n%float = OpTypeFloat 32\n%own = OpTypePointer Function %float\n%kept = OpTypePointer Function %own\n%to = OpTypeFunction %void\n\
             %of = OpTypeFunction %void %own %own\n\
             %main = OpFunction %void None %to\n%l = OpLabel\n%50 = OpVariable %own Function\n%51 = OpVariable %own Function\n\
             %52 = OpVariable %kept Function\n%53 = OpLoad %own %52\n\
             %c = OpCopyObject %own %51\n%a = OpFunctionCall %void %f %50 %50\n%b = OpFunctionCall %void %f %c %50\n\
             OpReturn\nOpFunctionEnd\n\
             %f = OpFunction %void None %of\n%60 = OpFunctionParameter %own\n%61 = OpFunctionParameter %own\n%k = OpLabel\n\
             %d = OpFunctionCall %void %g %60 %70\nOpReturn\nOpFunctionEnd\n\
             %g = OpFunction %void None %of\n%62 = OpFunctionParameter %own\n%63 = OpFunctionParameter %own\n%m = OpLabel\n\
             OpReturn\nOpFunctionEnd\n\
             %h = OpFunction %void None %to\n%n = OpLabel\n%70 = OpUndef %own\nOpReturn\nOpFunctionEnd",
        );
        let roots = Roots::of_entry(&module, &module.entry_points()[0]);
        let of = |id: u32| {
            let Led { variables, is_all } = roots.of(Id(id));
            (variables.into_iter().map(|id| id.0).collect::<Vec<_>>(), is_all)
        };
        assert_eq!(of(50), (vec![50], true));
        assert_eq!(of(53), (vec![], false), "of a pointer in memory");
        assert_eq!(of(60), (vec![50, 51], true));
        assert_eq!(of(61), (vec![50], true));
        assert_eq!(of(62), (vec![50, 51], true), "through two calls");
        assert_eq!(of(63), (vec![], false), "of a pointer that nothing is known of");
    }
}
