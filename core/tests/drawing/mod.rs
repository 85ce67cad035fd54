//! Graphics programs from sources, drawn on the software device under the validation layer.

use std::path::PathBuf;
use std::time::Duration;

use lanescope_core::gpu::{DeviceOptions, GpuError, Inputs, run_program};
use lanescope_core::load::load;
use lanescope_core::program::Program;
use lanescope_core::run::Execution;

/// A tessellation evaluation shader that weighs positions and `n` of three corners.
pub const EVALUATION: &str = "#version 450
    layout(triangles, equal_spacing) in;
    layout(location = 0) in vec3 n[]; layout(location = 0) out vec3 o;
    void main() {
        vec3 t = gl_TessCoord;
        gl_Position = t.x * gl_in[0].gl_Position + t.y * gl_in[1].gl_Position + t.z * gl_in[2].gl_Position;
        o = t.x * n[0] + t.y * n[1] + t.z * n[2];
    }";

/// Files of that name and content as one program.
pub fn program(files: &[(&str, &str)]) -> Program {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let paths: Vec<PathBuf> = files
        .iter()
        .map(|(name, source)| {
            let path = folder.path().join(name);
            std::fs::write(&path, source).expect("writes");
            path
        })
        .collect();
    load(&paths, &[]).unwrap_or_else(|error| panic!("{error}"))
}

pub fn try_draw(program: &Program) -> Result<Execution, GpuError> {
    let options = DeviceOptions {
        device: Some("llvmpipe".to_owned()),
        validate: true,
        timeout: Duration::from_secs(20),
        ..DeviceOptions::default()
    };
    run_program(&options, program, None, &Inputs { fill: 3, ..Inputs::default() })
}
