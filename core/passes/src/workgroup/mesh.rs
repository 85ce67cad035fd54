//! Ids of mesh shaders that LLPC does not remap, although they follow from one that it does.

use std::collections::BTreeSet;

use crate::liveness::Liveness;
use lanescope_spirv::enums::{BuiltIn, Decoration};
use lanescope_spirv::{EntryPoint, Module};

/// Built-ins that stay as the hardware numbers invocations. SPIR-V defines both by LocalInvocationId.
const STAY: [(BuiltIn, &str); 2] =
    [(BuiltIn::LocalInvocationIndex, "LocalInvocationIndex"), (BuiltIn::GlobalInvocationId, "GlobalInvocationId")];

/// The ids that a mesh shader reads beside LocalInvocationId, and that no longer follow from it once that is remapped.
pub(super) fn ids_that_stay(module: &Module, entry: &EntryPoint) -> Vec<&'static str> {
    if !module.has_built_in(BuiltIn::LocalInvocationId) {
        return Vec::new();
    }
    let live = Liveness::of(module, entry);
    let read: BTreeSet<u32> =
        live.uses().leaves.keys().filter_map(|id| module.decoration(*id, None, Decoration::BuiltIn)).collect();
    let reads = |built_in: BuiltIn| read.contains(&(built_in as u32));
    let stay = STAY.into_iter().filter(|(built_in, _)| reads(*built_in)).map(|(_, name)| name);
    if reads(BuiltIn::LocalInvocationId) { stay.collect() } else { Vec::new() }
}

/// Why the ids of a mesh shader are those of a row-major workgroup in every layout, or follow from none: LocalInvocationId
/// alone is remapped. Absent where all ids that it reads follow from the layout.
pub fn fixed_ids(module: &Module, entry: &EntryPoint) -> Option<String> {
    let stay = ids_that_stay(module, entry);
    if !stay.is_empty() {
        return Some(format!("{} stays where LocalInvocationId is remapped (W009)", stay.join(" and ")));
    }
    let live = Liveness::of(module, entry);
    let is_local = |id| module.decoration(id, None, Decoration::BuiltIn) == Some(BuiltIn::LocalInvocationId as u32);
    let reads = live.uses().leaves.keys().any(|id| is_local(*id));
    (!reads).then(|| "LocalInvocationId is not read: no other id of a mesh shader is remapped".to_owned())
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
        let (findings, why) = found("16", both, &swizzled);
        let expected = "LocalInvocationId is remapped to 8×N strips, LocalInvocationIndex is not: it no longer follows \
            from LocalInvocationId, so the swizzled shader can compute something else";
        assert_eq!(findings, [["W009", expected].join(" ")]);
        assert!(why.ends_with("; LocalInvocationIndex stays (W009)"), "{why}");
        // Where the tile leaves each thread its invocation, without a tile, and with one of the ids alone, nothing breaks.
        for size in ["8", "2"] {
            let (findings, why) = found(size, both, &swizzled);
            assert!(findings.is_empty() && !why.contains("W009"), "{size}: {findings:?} {why}");
        }
        assert!(found("16", both, &Options::default()).0.is_empty());
        let index = "uint i = gl_LocalInvocationIndex; d[i] = vec2(i);";
        assert!(found("16", index, &swizzled).0.is_empty());
        let local = "d[gl_LocalInvocationID.x] = vec2(gl_LocalInvocationID.xy);";
        assert!(found("16", local, &swizzled).0.is_empty());
        // An id that nothing depends on is not read.
        let dead = "uint unused = gl_LocalInvocationID.x; d[gl_LocalInvocationIndex] = vec2(1);";
        assert!(found("16", dead, &swizzled).0.is_empty());
        let dead = "uint unused = gl_LocalInvocationIndex; d[gl_LocalInvocationID.x] = vec2(1);";
        assert!(found("16", dead, &swizzled).0.is_empty());
        let global = "uvec3 g = gl_GlobalInvocationID; d[gl_LocalInvocationID.x] = vec2(g.xy);";
        assert!(found("6", global, &swizzled).0[0].contains("remapped to 2×2 quads, GlobalInvocationId is not"));
    }
}
