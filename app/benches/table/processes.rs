//! Whole processes: `inspect` beside the reflection of SPIRV-Cross.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use super::pipeline::{SIZES, program};
use super::{Row, median, time};

/// Runs of each side, in turns.
const RUNS: usize = 21;

/// Seconds that a process takes from its start to its end.
fn run(command: &mut Command) -> io::Result<f64> {
    let begin = Instant::now();
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    let took = begin.elapsed().as_secs_f64();
    match status.code() {
        Some(0 | 1) => Ok(took),
        _ => Err(io::Error::other(format!("{command:?} ended with {status}"))),
    }
}

/// One fragment shader of five thousand instructions, through both.
pub fn rows() -> io::Result<Vec<Row>> {
    let (_, large) = SIZES[2];
    let program = program(large);
    let module = &program.modules.last().ok_or_else(|| io::Error::other("no module"))?.module;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("large.spv");
    let bytes: Vec<u8> = module.words().iter().flat_map(|word| word.to_le_bytes()).collect();
    std::fs::write(&path, bytes)?;
    let ours = |path: &Path| {
        run(Command::new(env!("CARGO_BIN_EXE_lanescope")).arg("inspect").arg(path).args(["--format", "json"]))
    };
    let theirs = |path: &Path| run(Command::new("spirv-cross").arg(path).arg("--reflect"));
    if theirs(&path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        return Err(io::Error::other("spirv-cross is missing: install the package of that name"));
    }
    let mut both = [Vec::new(), Vec::new()];
    for _ in 0..RUNS {
        both[0].push(ours(&path)?);
        both[1].push(theirs(&path)?);
    }
    let [ours, theirs] = both.map(median);
    Ok(vec![Row {
        what: format!("`inspect --format json`, whole process, {} instructions", module.len()),
        ours: time(ours),
        beside: format!("`spirv-cross --reflect`: {}", time(theirs)),
        ratio: ours / theirs,
        goal: None,
    }])
}
