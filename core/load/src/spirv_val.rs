//! `spirv-val`, an executable of another version of SPIRV-Tools, in place of the validator that is built in.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::error::Problem;
use super::limited::{self, Ended};
use super::search_path;

/// The name that `auto` looks for.
const EXECUTABLE: &str = "spirv-val";
/// The word for the newest one on PATH.
const AUTO: &str = "auto";
/// How long one module takes at most. What would take the built-in validator longer than a few seconds is refused before.
const TIME: Duration = Duration::from_secs(10);
/// How long it takes to say its version.
const SHORT_TIME: Duration = Duration::from_secs(5);
/// The most executables whose version is kept.
const MAX_KNOWN: usize = 64;
/// The longest line of its that is quoted, in characters.
const LONGEST_LINE: usize = 200;

/// A version of SPIRV-Tools: year, number, and whether it is a release.
type Version = (u32, u32, bool);

/// What says whether a module is valid.
#[derive(Debug, Clone)]
pub(super) enum Validator {
    /// The validator that is built in.
    BuiltIn,
    /// An executable.
    Tool(Arc<Tool>),
}

/// An executable that is known to be `spirv-val`.
#[derive(Debug)]
pub(super) struct Tool {
    path: PathBuf,
    /// `SPIRV-Tools v2025.5`.
    about: String,
    version: Option<Version>,
    /// The newest Vulkan that it knows, by its name for it.
    vulkan: String,
    /// The file as it was when it was asked.
    stamp: Stamp,
}

/// The first error of a module.
#[derive(Debug, Clone)]
pub(super) struct Said {
    /// The instruction, from 1; 0 is the whole module.
    pub number: usize,
    /// The message, and below it what it quotes.
    pub message: String,
}

/// The validators of this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Validators {
    /// The version that is built in.
    pub built_in: String,
    /// The executables on PATH: each path, and its version or why it cannot be used.
    pub on_path: Vec<(String, Result<String, String>)>,
    /// The path of the one that `auto` takes, where one is newer.
    pub auto: Option<String>,
}

impl Validator {
    /// The validator of that path, the newest one on PATH that is newer than the built-in one where it says `auto`, or
    /// else the built-in one.
    ///
    /// # Errors
    /// An executable that is missing or cannot be used.
    pub fn of(wanted: Option<&str>) -> Result<Validator, Problem> {
        match wanted {
            None => Ok(Validator::BuiltIn),
            Some(AUTO) => Ok(newest().map_or(Validator::BuiltIn, Validator::Tool)),
            Some(path) => {
                let tool = Tool::at(Path::new(path));
                tool.map(Validator::Tool).map_err(|why| Problem::Validator { path: path.to_owned(), why })
            }
        }
    }

    /// The path, where it is an executable.
    pub fn path(&self) -> Option<String> {
        match self {
            Validator::BuiltIn => None,
            Validator::Tool(tool) => Some(tool.path.to_string_lossy().into_owned()),
        }
    }

    /// What tells it from others, also from a later one of the same path; none of the one that is built in.
    pub fn identity(&self) -> Option<Stamp> {
        match self {
            Validator::BuiltIn => None,
            Validator::Tool(tool) => Some(tool.stamp.clone()),
        }
    }

    /// Name and version, where it is an executable.
    pub fn about(&self) -> Option<&str> {
        match self {
            Validator::BuiltIn => None,
            Validator::Tool(tool) => Some(&tool.about),
        }
    }
}

impl Tool {
    /// The executable at a path, which is asked what it is.
    fn at(path: &Path) -> Result<Arc<Tool>, String> {
        let about = std::fs::metadata(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => "no such file".to_owned(),
            _ => error.to_string(),
        })?;
        if !about.is_file() {
            return Err("not a regular file".to_owned());
        }
        if rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_err() {
            return Err("not executable".to_owned());
        }
        let stamp = Stamp { path: path.to_owned(), bytes: about.len(), changed: about.modified().ok() };
        let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, tool)) = known().iter().find(|(known, _)| *known == stamp) {
            return tool.clone();
        }
        let tool = Tool::ask(&stamp).map(Arc::new);
        let mut known = known();
        known.retain(|(other, _)| other.path != stamp.path);
        if known.len() >= MAX_KNOWN {
            drop(known.remove(0));
        }
        known.push((stamp, tool.clone()));
        tool
    }

    fn ask(stamp: &Stamp) -> Result<Tool, String> {
        let path = stamp.path.as_path();
        let ask = |argument: &str| {
            let ended = limited::run(path, &[argument], Vec::new(), SHORT_TIME)?;
            match ended.status.success() {
                true => Ok(ended.out),
                false => Err(format!("`{argument}` ended with {}{}", ended.status, quoted(&ended))),
            }
        };
        let version = ask("--version")?;
        let first = version.lines().next().unwrap_or_default().trim();
        let Some(number) = first.strip_prefix("SPIRV-Tools ").and_then(|rest| rest.split_whitespace().next()) else {
            return Err(format!("not spirv-val: `--version` prints `{}`", short(first)));
        };
        // The other programs of SPIRV-Tools have the same version.
        let help = ask("--help")?;
        if !help.contains("Validate a SPIR-V binary") {
            let first = help.lines().next().unwrap_or_default();
            return Err(format!("not spirv-val: `--help` prints `{}`", short(first)));
        }
        let Some(vulkan) = newest_vulkan(&help) else {
            return Err(format!("SPIRV-Tools {number} knows no Vulkan version"));
        };
        Ok(Tool {
            path: path.to_owned(),
            about: format!("SPIRV-Tools {number}"),
            version: version_of(number),
            vulkan: vulkan.to_owned(),
            stamp: stamp.clone(),
        })
    }

    /// Validates a module with scalar block layout; without the rules that are Vulkan's alone, where they are not wanted.
    ///
    /// # Errors
    /// The executable does not say whether the module is valid.
    pub fn validate(&self, words: &[u32], of_vulkan: bool) -> Result<Result<(), Said>, Problem> {
        let env = if of_vulkan { self.vulkan.as_str() } else { "spv1.6" };
        let arguments = ["--target-env", env, "--scalar-block-layout", "-"];
        let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let failed = |why| Problem::Validator { path: self.path.to_string_lossy().into_owned(), why };
        let ended = limited::run(&self.path, &arguments, bytes, TIME).map_err(failed)?;
        if ended.status.success() {
            return Ok(Ok(()));
        }
        let no_verdict = || failed(format!("it ended with {} and named no error{}", ended.status, quoted(&ended)));
        said(&ended.err).map(Err).ok_or_else(no_verdict)
    }
}

/// A file in the state in which it was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stamp {
    pub path: PathBuf,
    pub bytes: u64,
    pub changed: Option<SystemTime>,
}

/// An executable, and what it was found to be.
type Known = (Stamp, Result<Arc<Tool>, String>);

static KNOWN: Mutex<Vec<Known>> = Mutex::new(Vec::new());

/// The executables on PATH. Those whose path is no text cannot be named in a report.
fn on_path() -> Vec<PathBuf> {
    let mut out: Vec<PathBuf> = Vec::new();
    for file in search_path::files(EXECUTABLE).filter(|file| file.to_str().is_some()) {
        if !out.contains(&file) {
            out.push(file);
        }
    }
    out
}

/// The newest one on PATH; none where that is not newer than the built-in one.
fn newest() -> Option<Arc<Tool>> {
    let tools = on_path().into_iter().filter_map(|path| Tool::at(&path).ok());
    let built_in = version_of(&built_in_number());
    let newer = tools.filter(|tool| tool.version.is_some() && tool.version > built_in);
    newer.reduce(|best, tool| if tool.version > best.version { tool } else { best })
}

/// What this machine has. It starts executables on PATH.
pub fn validators() -> Validators {
    let row = |path: PathBuf| {
        let about = Tool::at(&path).map(|tool| tool.about.clone());
        (path.to_string_lossy().into_owned(), about)
    };
    Validators {
        built_in: format!("SPIRV-Tools {}", built_in_number()),
        on_path: on_path().into_iter().map(row).collect(),
        auto: newest().map(|tool| tool.path.to_string_lossy().into_owned()),
    }
}

fn built_in_number() -> String {
    lanescope_glslang::validator_version()
}

/// `v2025.5` and `v2026.1-dev`; none where it has another form.
fn version_of(text: &str) -> Option<Version> {
    let (year, rest) = text.strip_prefix('v')?.split_once('.')?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (number, rest) = rest.split_at(digits);
    Some((year.parse().ok()?, number.parse().ok()?, !rest.contains("dev") && !rest.contains("rc")))
}

/// The newest Vulkan version without a SPIR-V version beside it among the environments of `--help`.
fn newest_vulkan(help: &str) -> Option<&str> {
    let words = help.split(|c: char| !c.is_ascii_alphanumeric() && c != '.');
    let version = |word: &str| {
        let (major, minor) = word.strip_prefix("vulkan")?.split_once('.')?;
        Some((major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?))
    };
    words.filter_map(|word| Some((version(word)?, word))).max().map(|(_, word)| word)
}

/// The first error: `error: line 14: …`, with the lines below it.
fn said(text: &str) -> Option<Said> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with("error: "));
    let first = lines.next()?.strip_prefix("error: ")?;
    let (number, first) = first.strip_prefix("line ").unwrap_or(first).split_once(": ")?;
    let is_other = |line: &&str| ["error: ", "warning: ", "info: "].iter().any(|begin| line.starts_with(begin));
    let rest = lines.take_while(|line| !is_other(line));
    let message = std::iter::once(first).chain(rest).collect::<Vec<_>>().join("\n");
    Some(Said { number: number.parse().ok()?, message: message.trim_end().to_owned() })
}

/// The first line that a program printed, as text to append.
fn quoted(ended: &Ended) -> String {
    let lines = ended.err.lines().chain(ended.out.lines());
    lines.map(str::trim).find(|line| !line.is_empty()).map(|line| format!(": {}", short(line))).unwrap_or_default()
}

fn short(line: &str) -> String {
    line.chars().take(LONGEST_LINE).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered() {
        let of = |text| version_of(text).expect("a version");
        assert!(of("v2025.5") > of("v2025.3") && of("v2026.1") > of("v2025.12"));
        assert!(
            of("v2026.1") > of("v2026.1-dev") && of("v2026.1-dev") > of("v2025.5") && of("v2026.1") > of("v2026.1.rc2")
        );
        for other in ["2025.5", "v2025", "unknown_version", "vx.1", "v2025."] {
            assert_eq!(version_of(other), None, "{other}");
        }
        assert!(
            version_of(&built_in_number()).is_some_and(|version| version >= (2025, 3, true)),
            "{}",
            built_in_number()
        );
    }

    #[test]
    fn the_newest_vulkan_is_asked_for() {
        let help = "--target-env {vulkan1.0|vulkan1.1spv1.4|vulkan1.2|vulkan1.10\n |vulkan1.3|spv1.6|opencl2.2}";
        assert_eq!(newest_vulkan(help), Some("vulkan1.10"));
        assert_eq!(newest_vulkan("{spv1.0|spv1.6}"), None);
    }

    #[test]
    fn reads_the_first_error() {
        let text = "warning: line 3: odd\nerror: line 14: Expected a type: OpIAdd\n  %9 = OpIAdd %uint %4 %void\n\n";
        let said = said(text).expect("an error");
        let expected = "Expected a type: OpIAdd\n  %9 = OpIAdd %uint %4 %void";
        assert_eq!((said.number, said.message.as_str()), (14, expected));
        let two = super::said("error: 0: first\nerror: line 1: second\n").expect("an error");
        assert_eq!((two.number, two.message.as_str()), (0, "first"));
        for other in ["", "error: Unknown argument\n", "error: line x: y\n", "line 3: y\n"] {
            assert!(super::said(other).is_none(), "{other}");
        }
    }
}
