//! Whole processes: `inspect` beside glslang's compiler and the reflection of SPIRV-Cross.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use super::pipeline::{SIZES, program};
use super::{Row, time};

/// Runs of each side, in turns.
const RUNS: usize = 41;

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

/// The shortest of these times: other work on the machine only adds to a process.
fn fastest(all: Vec<f64>) -> f64 {
    all.into_iter().fold(f64::INFINITY, f64::min)
}

/// The program under test.
fn inspect(more: &[&str], files: &[PathBuf]) -> Command {
    let mut command = Command::new(lanescope_testing::executable(env!("CARGO_BIN_EXE_lanescope")));
    command.arg("inspect").args(more).args(files).args(["--format", "json"]);
    command
}

fn reflection(module: &Path) -> Command {
    let mut command = Command::new("spirv-cross");
    command.arg(module).arg("--reflect");
    command
}

/// `inspect` of files without and with its child process, beside other commands, which run one after the other.
fn compared(what: &str, files: &[PathBuf], goal: f64, beside: &str, others: &mut [Command]) -> io::Result<Vec<Row>> {
    let mut all = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..RUNS {
        all[0].push(run(&mut inspect(&["--in-process"], files))?);
        all[1].push(run(&mut inspect(&[], files))?);
        let mut sum = 0.0;
        for other in &mut *others {
            sum += run(other).map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => io::Error::other(format!("{other:?}: not found (`make bench` installs it)")),
                _ => error,
            })?;
        }
        all[2].push(sum);
    }
    let [here, child, theirs] = all.map(fastest);
    let row = |how: &str, ours: f64, goal| Row {
        what: format!("`inspect --format json{how}`, whole process, {what}"),
        ours: time(ours),
        beside: format!("{beside}: {}", time(theirs)),
        ratio: ours / theirs,
        goal,
    };
    Ok(vec![row(" --in-process", here, Some(goal)), row("", child, None)])
}

/// One fragment shader of five thousand instructions as SPIR-V, and a pair of shaders as GLSL.
pub fn rows() -> io::Result<Vec<Row>> {
    let (_, large) = SIZES[2];
    let program = program(large);
    let module = &program.modules.last().ok_or_else(|| io::Error::other("no module"))?.module;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("large.spv");
    let bytes: Vec<u8> = module.words().iter().flat_map(|word| word.to_le_bytes()).collect();
    std::fs::write(&path, bytes)?;
    let what = format!("{} instructions of SPIR-V", module.len());
    let mut others = [reflection(&path)];
    let mut rows = compared(&what, &[path], 2.0, "`spirv-cross --reflect`", &mut others)?;

    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let pair = ["lit_surface.vert", "lit_surface.frag"].map(|name| samples.join(name));
    // Both in one process: glslang reads its built-in declarations once. The modules are written where it runs.
    let mut compiler = Command::new("glslangValidator");
    compiler.arg("-V").args(&pair).current_dir(folder.path());
    let modules = ["vert.spv", "frag.spv"].map(|name| folder.path().join(name));
    let mut others = [compiler, reflection(&modules[0]), reflection(&modules[1])];
    rows.extend(compared("a GLSL pair", &pair, 1.0, "`glslangValidator`, `spirv-cross --reflect`", &mut others)?);
    Ok(rows)
}
