//! What a shader's results depend on in addition to its inputs: the order in which its invocations run.

mod races;

use std::collections::BTreeSet;

use lanescope_spirv::enums::{BuiltIn, Decoration, Op, Scope};
use lanescope_spirv::opcode::Group;
use lanescope_spirv::{EntryPoint, Inst, Module};

/// Why two runs of a shader may write different bytes, though nothing is wrong: what it reads of subgroups, atomics
/// whose result it uses, clocks, stores of different values to one address.
pub fn order_dependence(module: &Module, entry: &EntryPoint) -> Vec<String> {
    let mut why: Vec<String> = Vec::new();
    let mut note = |text: String| {
        if !why.contains(&text) {
            why.push(text);
        }
    };
    let mut used = BTreeSet::new();
    let mut atomics = Vec::new();
    for function in module.reachable(entry) {
        for inst in module.insts_in(function.insts.clone()) {
            // An instruction of unknown shape is not a reason.
            let _ = module.for_each_id_used(&inst, |id| _ = used.insert(id));
            let facts = inst.facts();
            if facts.group.is_some_and(|group| is_of_subgroup(module, &inst, group)) {
                note(format!("{} depends on which invocations share a subgroup", inst.name()));
            }
            if inst.op() == Some(Op::ReadClockKHR) {
                note("OpReadClockKHR reads a clock".to_owned());
            }
            if facts.is_atomic() {
                atomics.extend(inst.result().map(|id| (id, inst.name())));
            }
        }
    }
    for (id, name) in atomics {
        // A load reads what others may still write; the other atomics return what was there before.
        if used.contains(&id) {
            note(format!("the result of {name} depends on the order of the invocations"));
        }
    }
    for &id in &used {
        let builtin = module.decoration(id, None, Decoration::BuiltIn).and_then(BuiltIn::from_u32);
        if let Some(
            builtin @ (BuiltIn::SubgroupId
            | BuiltIn::SubgroupLocalInvocationId
            | BuiltIn::SubgroupSize
            | BuiltIn::NumSubgroups
            | BuiltIn::SubgroupEqMask
            | BuiltIn::SubgroupGeMask
            | BuiltIn::SubgroupGtMask
            | BuiltIn::SubgroupLeMask
            | BuiltIn::SubgroupLtMask),
        ) = builtin
        {
            note(format!("{builtin:?} depends on where an invocation runs"));
        }
    }
    races::races(module, entry).into_iter().for_each(note);
    why
}

/// Whether a group operation is not one of the workgroup.
fn is_of_subgroup(module: &Module, inst: &Inst<'_>, group: Group) -> bool {
    let scope = || {
        let operand = 1 + usize::from(inst.result_type().is_some()) + usize::from(inst.result().is_some());
        module.constant(inst.id_at(operand)).and_then(|scope| scope.as_u32())
    };
    group != Group::Scoped || scope() != Some(Scope::Workgroup as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_testing::program;

    fn of(body: &str) -> String {
        let source = format!(
            "layout(local_size_x = 8, local_size_y = 2) in; layout(binding = 0) buffer Out {{ uint u[64]; uint last; }};
             layout(binding = 1, r32ui) uniform uimage2D image; layout(push_constant) uniform P {{ uint p; }};
             shared uint kept; uint one(uint x) {{ return x + 1u; }}
             void main() {{ uint i = gl_LocalInvocationIndex; {body} }}"
        );
        let program = program(&[("comp", &source)]);
        let module = &program.modules[0].module;
        order_dependence(module, &module.entry_points()[0]).join("; ")
    }

    #[test]
    fn different_values_to_one_address() {
        for body in [
            "last = i;",
            "u[3] = gl_LocalInvocationID.x * 2u + 1u;",
            "u[p] = u[i];",
            "u[gl_NumWorkGroups.x + 1u] = uint(float(gl_GlobalInvocationID.y));",
            "uint copy = gl_LocalInvocationID.y; last = copy;",
            "imageStore(image, ivec2(1, 2), uvec4(i));",
            "kept = i; barrier(); u[i] = kept;",
        ] {
            let found = of(body);
            assert!(found.contains("different values to one address"), "{body}: {found}");
        }
    }

    #[test]
    fn deterministic_stores_are_not_reported() {
        for body in [
            "u[i] = i;",
            "last = p;",
            "last = gl_WorkGroupID.x * 0u + 5u;",
            "last = gl_LocalInvocationID.z;",
            "if (i == 3u) last = i;",
            "uint at = 0u; if (i > 3u) at = i; u[at] = i;",
            "for (uint n = 0u; n < i; ++n) u[n] = 7u;",
            "uint at = one(i); u[at] = i;",
            "u[u[0]] = i;",
            "imageStore(image, ivec2(gl_LocalInvocationID.xy), uvec4(i));",
        ] {
            assert_eq!(of(body), "", "{body}");
        }
    }
}
