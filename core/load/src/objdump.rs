//! Disassembly of code objects by LLVM's `llvm-objdump`, where it is installed: in a child process with limits.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::limited;
use super::search_path;

/// The name of the executable; LLVM's packages add the version to it.
const EXECUTABLE: &str = "llvm-objdump";
/// Versions that are looked for, the newest first.
const VERSIONS: std::ops::RangeInclusive<u32> = 10..=40;
/// How long it takes at most.
const TIME: Duration = Duration::from_secs(30);
/// The most bytes of disassembly.
const MAX_OUTPUT: usize = 64 << 20;
/// The longest message of it that is quoted, in characters.
const LONGEST_MESSAGE: usize = 300;

/// Why there is no disassembly.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoDisassembly {
    /// It is not installed.
    #[error("{EXECUTABLE} is not on PATH; install LLVM (the package `llvm` of Debian and Ubuntu)")]
    Missing,
    /// It fails: it does not know the chip, for example.
    #[error("{program}: {why}")]
    Failed {
        /// The executable.
        program: String,
        /// What it printed, or how it ended.
        why: String,
    },
}

/// The newest `llvm-objdump` by its name; else the one without a version.
fn executable() -> Option<PathBuf> {
    let versions = VERSIONS.rev().map(|version| format!("{EXECUTABLE}-{version}"));
    versions.chain([EXECUTABLE.to_owned()]).find_map(|name| search_path::files(&name).next())
}

/// Disassembles the code of an object for a chip, by its LLVM name. Returns the executable and its text.
///
/// # Errors
/// It is not installed, or it fails.
pub fn disassemble_object(path: &Path, chip: Option<&str>) -> Result<(PathBuf, String), NoDisassembly> {
    let program = executable().ok_or(NoDisassembly::Missing)?;
    let failed = |why: String| NoDisassembly::Failed { program: program.display().to_string(), why };
    // It reads no name that begins with a dash as a file.
    let path = std::path::absolute(path).map_err(|error| failed(error.to_string()))?;
    let path = path.to_str().ok_or_else(|| failed("the path of the object is not UTF-8".to_owned()))?;
    let chip = chip.map(|chip| format!("--mcpu={chip}"));
    let mut arguments = vec!["--disassemble"];
    arguments.extend(chip.as_deref());
    arguments.push(path);
    let ended = limited::run_for(&program, &arguments, Vec::new(), TIME, MAX_OUTPUT).map_err(&failed)?;
    let said: String = ended.err.trim().chars().take(LONGEST_MESSAGE).collect();
    if !ended.status.success() {
        return Err(failed(if said.is_empty() { ended.status.to_string() } else { said }));
    }
    Ok((program, ended.out))
}
