//! A vertex shader for stages that were loaded without one, where a device takes no parts of pipelines.
//!
//! It writes every location that the first loaded stage reads, with values that no compiler can foresee, so that
//! nothing is folded away. A fragment shader needs no partner after it: a pipeline may end without one.

use std::fmt::Write as _;

use crate::gpu::GpuError;
use crate::gpu::scene::slots;
use crate::load::compile_own;
use crate::program::StageKind;
use crate::run::shape::ScalarKind;
use crate::spirv::enums::StorageClass;
use crate::spirv::{EntryPoint, Module};

/// A vertex shader that writes what a fragment shader reads.
///
/// # Errors
/// An input whose type has no 32-bit components.
pub(super) fn vertex(module: &Module, entry: &EntryPoint) -> Result<Module, GpuError> {
    let mut source = String::from("#version 460\n");
    let mut body = String::new();
    for slot in slots(module, entry, StorageClass::Input, &[32])? {
        let (scalar, vector) = match slot.kind {
            ScalarKind::Float => ("float", "vec"),
            ScalarKind::Int => ("int", "ivec"),
            ScalarKind::Uint => ("uint", "uvec"),
        };
        let ty = if slot.components < 2 { scalar.to_owned() } else { format!("{vector}{}", slot.components) };
        let at = slot.location;
        // Writing to a string does not fail.
        let _ = writeln!(source, "layout(location = {at}) out {ty} v{at};");
        let _ = writeln!(body, "    v{at} = {ty}(gl_VertexIndex * {} + gl_InstanceIndex);", u64::from(at) + 3);
    }
    let _ = write!(
        source,
        "void main() {{\n    gl_Position = vec4(gl_VertexIndex & 1, gl_VertexIndex & 2, 0, 1);\n{body}}}\n"
    );
    compile_own(&source, StageKind::Vertex)
        .map_err(|log| GpuError::NotRun(format!("no vertex shader can stand before this fragment shader: {log}")))
}
