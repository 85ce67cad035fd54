//! Graphics programs from sources, drawn on the software device under the validation layer.

use std::path::PathBuf;
use std::time::Duration;

use lanescope_core::gpu::{DeviceOptions, GpuError, Inputs, run_program};
use lanescope_core::load::load;
use lanescope_core::program::Program;
use lanescope_core::run::Execution;

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
    let options =
        DeviceOptions { device: Some("llvmpipe".to_owned()), validate: true, timeout: Duration::from_secs(20) };
    run_program(&options, program, [1, 1, 1], &Inputs { fill: 3, ..Inputs::default() })
}
