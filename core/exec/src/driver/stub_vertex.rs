//! A vertex shader for stages that were loaded without one, where a device does not support pipeline libraries.
//!
//! It writes every location that the first loaded stage reads, each component with a value of its own that no compiler
//! can foresee, so that nothing is folded away or merged. A fragment shader needs no partner after it: a pipeline may
//! end without one.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::gpu::GpuError;
use crate::gpu::scene::slots;
use lanescope_load::compile_own;
use lanescope_model::program::StageKind;
use lanescope_spirv::enums::StorageClass;
use lanescope_spirv::shape::ScalarKind;
use lanescope_spirv::{EntryPoint, Module};

/// Types that are named here, and conversions to them.
const EXTENSIONS: [&str; 2] =
    ["GL_EXT_shader_explicit_arithmetic_types", "GL_EXT_shader_explicit_arithmetic_types_int64"];

/// A vertex shader that writes what a fragment shader reads.
///
/// # Errors
/// An input whose type has components of another width than 16, 32 or 64 bits.
pub(super) fn vertex(module: &Module, entry: &EntryPoint) -> Result<Module, GpuError> {
    // Variables that share a location: one as wide as the widest.
    let mut all: BTreeMap<u32, (ScalarKind, u32, u32)> = BTreeMap::new();
    for slot in slots(module, entry, StorageClass::Input, &[16, 32, 64])? {
        let known = all.entry(slot.location).or_insert((slot.kind, slot.bits, 1));
        known.2 = known.2.max(slot.components.clamp(1, 4));
    }
    compile_own(&source(&all), StageKind::Vertex)
        .map_err(|log| GpuError::NotRun(format!("no vertex shader can be generated for this fragment shader: {log}")))
}

fn source(all: &BTreeMap<u32, (ScalarKind, u32, u32)>) -> String {
    let mut source = String::from("#version 460\n");
    for (extension, bits) in EXTENSIONS.into_iter().zip([16, 64]) {
        if all.values().any(|(_, wide, _)| *wide == bits) {
            let _ = writeln!(source, "#extension {extension} : require");
        }
    }
    let mut body = String::new();
    for (at, (kind, bits, components)) in all {
        let (scalar, vector) = names(*kind, *bits);
        let ty = if *components == 1 { scalar.to_owned() } else { format!("{vector}{components}") };
        let one = |component: u32| {
            let factor = u64::from(*at) * 4 + u64::from(component) + 3;
            format!("{scalar}(gl_VertexIndex * {factor} + gl_InstanceIndex)")
        };
        let values: Vec<String> = (0..*components).map(one).collect();
        // Writing to a string does not fail.
        let _ = writeln!(source, "layout(location = {at}) out {ty} v{at};");
        let _ = writeln!(body, "    v{at} = {ty}({});", values.join(", "));
    }
    let _ = write!(
        source,
        "void main() {{\n    gl_Position = vec4(gl_VertexIndex & 1, gl_VertexIndex & 2, 0, 1);\n{body}}}\n"
    );
    source
}

/// A scalar's type, and what its vectors' names start with.
fn names(kind: ScalarKind, bits: u32) -> (&'static str, &'static str) {
    match (kind, bits) {
        (ScalarKind::Float, 16) => ("float16_t", "f16vec"),
        (ScalarKind::Int, 16) => ("int16_t", "i16vec"),
        (ScalarKind::Uint, 16) => ("uint16_t", "u16vec"),
        (ScalarKind::Float, 64) => ("double", "dvec"),
        (ScalarKind::Int, 64) => ("int64_t", "i64vec"),
        (ScalarKind::Uint, 64) => ("uint64_t", "u64vec"),
        (ScalarKind::Float, _) => ("float", "vec"),
        (ScalarKind::Int, _) => ("int", "ivec"),
        (ScalarKind::Uint, _) => ("uint", "uvec"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_width_compiles_with_distinct_components() {
        let kinds = [ScalarKind::Float, ScalarKind::Int, ScalarKind::Uint];
        let each = kinds.into_iter().flat_map(|kind| [16, 32, 64].map(|bits| (kind, bits)));
        // Three and four components of 64 bits take two locations.
        let all = each.zip(0u32..).map(|((kind, bits), n)| (n * 2, (kind, bits, n % 4 + 1))).collect();
        let text = source(&all);
        compile_own(&text, StageKind::Vertex).unwrap_or_else(|log| panic!("{log}\n{text}"));
        let factors: Vec<&str> = text.split("gl_VertexIndex * ").skip(1).filter_map(|t| t.split(' ').next()).collect();
        let different: std::collections::BTreeSet<_> = factors.iter().collect();
        assert_eq!((factors.len(), different.len()), (21, 21), "{text}");
    }
}
