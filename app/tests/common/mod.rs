//! The built program, run as a user runs it.

#![allow(dead_code, reason = "each test file uses its own part")]

pub mod debug_client;
pub mod editor_client;
pub mod mcp_client;
pub mod runs;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use process_control::{ChildExt, Control};

/// The folder of the bundled samples.
pub fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples")
}

/// The program, at the repository's root, without colour or display.
pub fn lanescope() -> Command {
    let mut command = Command::new(lanescope_testing::executable(env!("CARGO_BIN_EXE_lanescope")));
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).env("NO_COLOR", "1").env_remove("DISPLAY");
    command
}

/// More than any command of a test takes on a slow machine.
const LONG: Duration = Duration::from_secs(600);

/// What a program that reads nothing writes. One that does not end is killed, and fails the test by name.
pub fn ended(mut command: Command) -> Output {
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
    let done = child.controlled_with_output().time_limit(LONG).terminate_for_timeout().wait().expect("waits");
    done.unwrap_or_else(|| panic!("{command:?} has not ended after {LONG:?}")).into_std_lossy()
}

/// Runs it with arguments.
pub fn run<I: IntoIterator<Item: AsRef<std::ffi::OsStr>>>(arguments: I) -> Output {
    let mut command = lanescope();
    command.args(arguments);
    ended(command)
}

/// Exit status, standard output, standard error.
pub fn outcome<I: IntoIterator<Item: AsRef<std::ffi::OsStr>>>(arguments: I) -> (i32, String, String) {
    outcome_with(&[], arguments)
}

/// The same with environment variables.
pub fn outcome_with<I>(variables: &[(&str, &str)], arguments: I) -> (i32, String, String)
where
    I: IntoIterator<Item: AsRef<std::ffi::OsStr>>,
{
    let mut command = lanescope();
    command.args(arguments).envs(variables.iter().copied());
    let output = ended(command);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code().expect("the program exits by itself"), text(output.stdout), text(output.stderr))
}

/// A temporary folder with one file in it.
pub fn file(name: &str, bytes: impl AsRef<[u8]>) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("writes");
    (folder, path)
}

/// The JSON report of some arguments to `inspect`.
pub fn json<I: IntoIterator<Item: AsRef<std::ffi::OsStr>>>(arguments: I) -> serde_json::Value {
    let output = lanescope().arg("inspect").args(arguments).args(["--format", "json"]).output().expect("starts");
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("standard output is one JSON object")
}

/// GLSL compiled to SPIR-V words by the product's own loader.
pub fn spirv(name: &str, source: &str) -> Vec<u32> {
    let (_folder, path) = file(name, source);
    let program = lanescope_core::load::load(&[path], &[]).unwrap_or_else(|error| panic!("{error}"));
    program.modules[0].module.words().to_vec()
}

/// Words as little-endian bytes.
pub fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A text with the executables' names of Mesa 25: `vertex` instead of the `Vertex Shader` of Mesa 22.
pub fn stage_names(text: &str) -> String {
    let names = ["Vertex", "Fragment", "Compute"];
    names.iter().fold(text.to_owned(), |text, name| text.replace(&format!("{name} Shader"), &name.to_lowercase()))
}

/// The samples, copied into a temporary folder: commands may write there.
pub fn copy_samples() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    copy(&samples(), folder.path());
    folder
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).expect("the samples exist") {
        let path = entry.expect("reads").path();
        let to = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            std::fs::create_dir(&to).expect("writes");
            copy(&path, &to);
        } else {
            std::fs::copy(&path, to).expect("copies");
        }
    }
}

/// The words of a command line; text between single quotes is one.
pub fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for (index, part) in line.split('\'').enumerate() {
        let quoted = index % 2 == 1;
        for (at, piece) in part.split(|c| c == ' ' && !quoted).enumerate() {
            if at > 0 {
                words.push(String::new());
            }
            if let Some(last) = words.last_mut() {
                last.push_str(piece);
            }
        }
    }
    words.retain(|word| !word.is_empty());
    words
}
