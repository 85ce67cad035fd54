//! Ids of mesh shaders that LLPC does not remap, although they follow from one that it does.

use lanescope_spirv::enums::{BuiltIn, Decoration};
use lanescope_spirv::{EntryPoint, Module};

/// Built-ins that stay as the hardware numbers invocations. SPIR-V defines both by LocalInvocationId.
const STAY: [(BuiltIn, &str); 2] =
    [(BuiltIn::LocalInvocationIndex, "LocalInvocationIndex"), (BuiltIn::GlobalInvocationId, "GlobalInvocationId")];

/// The ids that a mesh shader reads beside LocalInvocationId, and that no longer follow from it once that is remapped.
pub(super) fn ids_that_stay(module: &Module, entry: &EntryPoint) -> Vec<&'static str> {
    let variables = |built_in: BuiltIn| {
        let is = move |id: &lanescope_base::ids::Id| {
            module.decoration(*id, None, Decoration::BuiltIn) == Some(built_in as u32)
        };
        entry.interface.iter().copied().filter(is).collect::<Vec<_>>()
    };
    let [local, index, global] = [BuiltIn::LocalInvocationId, STAY[0].0, STAY[1].0].map(variables);
    if local.is_empty() || index.is_empty() && global.is_empty() {
        return Vec::new();
    }
    let mut read = [false; 3];
    let functions = module.reachable(entry);
    for inst in functions.into_iter().flat_map(|function| module.insts_in(function.insts.clone())) {
        let mut meet = |id| {
            for (read, variables) in read.iter_mut().zip([&local, &index, &global]) {
                *read |= variables.contains(&id);
            }
        };
        if module.for_each_id_used(&inst, &mut meet).is_err() {
            // Any word of an instruction that is not in the grammar may be an id.
            inst.words_from(1).iter().for_each(|&word| meet(lanescope_base::ids::Id(word)));
        }
    }
    let stay = STAY.iter().zip(&read[1..]).filter(|(_, read)| **read).map(|((_, name), _)| *name);
    if read[0] { stay.collect() } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use crate::workgroup::{layout, rewrite};
    use lanescope_model::options::Options;
    use lanescope_testing::program;

    /// The findings of a mesh shader with this body, and the rewrite's words about it.
    fn found(size: &str, body: &str, options: &Options) -> (Vec<String>, String) {
        let source = format!(
            "#extension GL_EXT_mesh_shader : require
             layout(local_size_x = {size}, local_size_y = 4) in;
             layout(triangles, max_vertices = 64, max_primitives = 1) out; layout(location = 0) out vec2 d[];
             void main() {{ SetMeshOutputsEXT(64, 1); {body} }}"
        );
        let program = program(&[("mesh", &source)]);
        let module = &program.modules[0].module;
        let mut findings = Vec::new();
        layout(module, &module.entry_points()[0], options, &mut findings);
        let done = rewrite::rewrite(&program, options).expect("rewrites");
        (findings.iter().map(|f| format!("{} {}", f.code, f.message)).collect(), done.stages[0].why.clone())
    }

    #[test]
    fn names_ids_that_no_longer_follow_from_the_local_id() {
        let swizzled = Options { reconfig: true, ..Options::default() };
        let both = "uint i = gl_LocalInvocationIndex; d[i] = vec2(gl_LocalInvocationID.xy);";
        let (findings, why) = found("8", both, &swizzled);
        let expected = "LocalInvocationId is remapped to 8×N strips, LocalInvocationIndex is not: it no longer follows \
            from LocalInvocationId, so the swizzled shader can compute something else";
        assert_eq!(findings, [["W009", expected].join(" ")]);
        assert!(why.ends_with("; LocalInvocationIndex stays (W009)"), "{why}");
        // Without a tile, and with one of the ids alone, nothing breaks.
        assert!(found("8", both, &Options::default()).0.is_empty());
        let index = "uint i = gl_LocalInvocationIndex; d[i] = vec2(i);";
        assert!(found("8", index, &swizzled).0.is_empty());
        let local = "d[gl_LocalInvocationID.x] = vec2(gl_LocalInvocationID.xy);";
        assert!(found("8", local, &swizzled).0.is_empty());
        let global = "uvec3 g = gl_GlobalInvocationID; d[gl_LocalInvocationID.x] = vec2(g.xy);";
        assert!(found("6", global, &swizzled).0[0].contains("remapped to 2×2 quads, GlobalInvocationId is not"));
    }
}
