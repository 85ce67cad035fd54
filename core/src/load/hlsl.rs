//! HLSL source, by the DirectX shader compiler where it is installed: its library is loaded when it is needed.
//!
//! What it makes is a DXIL container, which then goes the way of all containers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use hassle_rs::{Dxc, DxcIncludeHandler, HassleError};

use super::error::Problem;
use super::{Loaded, Wanted, file};
use crate::dxil::Dxil;
use crate::options::ConversionSwitch;

/// Names the library, where it is not the one that the system finds.
pub const LIBRARY_VARIABLE: &str = "LANESCOPE_DXCOMPILER";

/// The kinds of profiles, by what they are called in a file's name: `a.ps.hlsl`.
const KINDS: [&str; 9] = ["vs", "hs", "ds", "gs", "ps", "cs", "as", "ms", "lib"];
/// The shader model of profiles that nobody chose.
const MODEL: &str = "6_6";
/// How much files that are included may hold in all.
const MAX_INCLUDED: usize = 64 << 20;

/// Checks that a text is a profile.
///
/// # Errors
/// What was expected.
pub fn profile(text: &str) -> Result<(), String> {
    let mut parts = text.split('_');
    let kind = parts.next().is_some_and(|kind| KINDS.contains(&kind));
    let numbers: Vec<&str> = parts.collect();
    let number = |part: &&str| part.parse::<u8>().is_ok();
    let model = matches!(numbers.as_slice(), [major, minor] if *major == "6" && (number(minor) || *minor == "x"));
    match kind && model {
        true => Ok(()),
        false => Err(format!(
            "`{text}` is not a profile: expected one of {} with a model, such as ps_{MODEL}",
            KINDS.join(", ")
        )),
    }
}

/// The profile that a name says: `a.ps.hlsl` is `ps_6_6`.
fn profile_of_name(path: &Path) -> Option<String> {
    let stem = Path::new(path.file_stem()?);
    let kind = stem.extension()?.to_str()?.to_ascii_lowercase();
    KINDS.contains(&kind.as_str()).then(|| format!("{kind}_{MODEL}"))
}

/// Which compiler there is, as its own words say it.
///
/// # Errors
/// Why there is none.
pub fn compiler() -> Result<String, String> {
    let text = "[numthreads(1, 1, 1)] void main() {}";
    let request = Source { path: Path::new("empty.hlsl"), text, entry: "main", profile: "cs_6_0", narrow: false };
    let made = compile(&request, &mut Includes::default()).map_err(|problem| match problem {
        Problem::NoHlslCompiler { why } => why,
        other => other.to_string(),
    })?;
    let made = Dxil::read(made).map_err(|fault| fault.to_string())?;
    let name = made.program.and_then(|program| program.dx.compiler);
    let name = name.unwrap_or_else(|| "a compiler that does not say its name".to_owned());
    Ok(library().map_or(name.clone(), |path| format!("{name} ({})", path.display())))
}

pub(super) fn load(path: &Path, bytes: Vec<u8>, wanted: &Wanted) -> Result<Loaded, Problem> {
    let text = String::from_utf8(bytes).map_err(|e| Problem::NotUtf8 { offset: e.utf8_error().valid_up_to() })?;
    if let Some(offset) = text.bytes().position(|b| b == 0) {
        return Err(Problem::ZeroByte { offset });
    }
    let profile = wanted.conversion.profile.clone().filter(|chosen| profile(chosen).is_ok());
    let profile = profile.or_else(|| profile_of_name(path)).ok_or(Problem::NoProfile)?;
    let entry = wanted.entries.iter().find(|name| has_word(&text, name)).map_or("main", String::as_str);
    let narrow = wanted.conversion.has(ConversionSwitch::Native16Bit);
    let mut includes = Includes::default();
    let made = compile(&Source { path, text: &text, entry, profile: &profile, narrow }, &mut includes)?;
    let dxil = Box::new(Dxil::read(made).map_err(Problem::Dxil)?);
    Ok(Loaded::Dxil { dxil, source: Some(text), includes: includes.met })
}

/// Whether a text has a name in it as a word of its own.
fn has_word(text: &str, name: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    !name.is_empty()
        && text.match_indices(name).any(|(at, _)| {
            let (before, after) = (text.get(..at), text.get(at + name.len()..));
            !before.unwrap_or("").ends_with(joins) && !after.unwrap_or("").starts_with(joins)
        })
}

/// What is compiled.
struct Source<'a> {
    path: &'a Path,
    text: &'a str,
    entry: &'a str,
    profile: &'a str,
    /// 16-bit types are 16 bits wide.
    narrow: bool,
}

fn compile(source: &Source<'_>, includes: &mut Includes) -> Result<Vec<u8>, Problem> {
    let library = std::env::var_os(LIBRARY_VARIABLE).map(PathBuf::from);
    let dxc = Dxc::new(library).map_err(|error| Problem::NoHlslCompiler {
        why: match error {
            // The system's own words name the file.
            HassleError::LoadLibraryError { inner, .. } => inner.to_string(),
            other => other.to_string(),
        },
    })?;
    let broken = |why: String| Problem::NoHlslCompiler { why };
    // The bindings give up where the library answers with nothing at all.
    let made = catch_unwind(AssertUnwindSafe(|| {
        let library = dxc.create_library().map_err(|error| broken(error.to_string()))?;
        let compiler = dxc.create_compiler().map_err(|error| broken(error.to_string()))?;
        let text =
            library.create_blob_with_encoding_from_str(source.text).map_err(|error| broken(error.to_string()))?;
        let name = source.path.to_string_lossy();
        let arguments: &[&str] = if source.narrow { &["-enable-16bit-types"] } else { &[] };
        let entry = if source.profile.starts_with("lib") { "" } else { source.entry };
        let result = compiler.compile(&text, &name, entry, source.profile, arguments, Some(includes), &[]);
        let log = |error: &hassle_rs::DxcOperationResult| {
            let text = error.get_error_buffer().and_then(|log| library.get_blob_as_string(&log.into()));
            text.unwrap_or_else(|error| error.to_string()).trim_end().to_owned()
        };
        match result {
            Ok(made) => made.get_result().map(|made| made.to_vec::<u8>()).map_err(|error| broken(error.to_string())),
            Err((failed, _)) => Err(Problem::Hlsl { profile: source.profile.to_owned(), log: log(&failed) }),
        }
    }));
    made.unwrap_or_else(|_| Err(broken("it answers with nothing".to_owned())))
}

/// The library that this process has loaded.
fn library() -> Option<PathBuf> {
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let line = maps.lines().find(|line| line.contains("dxcompiler"))?;
    line.find('/').and_then(|at| line.get(at..)).map(PathBuf::from)
}

/// Serves `#include`, and remembers what was met. The compiler says each name with its folder.
#[derive(Default)]
struct Includes {
    met: Vec<PathBuf>,
    bytes: usize,
}

impl DxcIncludeHandler for Includes {
    fn load_source(&mut self, filename: String) -> Option<String> {
        let path = PathBuf::from(filename);
        let text = String::from_utf8(file::read(&path).ok()?).ok()?;
        self.bytes = self.bytes.saturating_add(text.len());
        if self.bytes > MAX_INCLUDED {
            return None;
        }
        // Those who watch files know them from the folder of the one that includes them, or from the root.
        let path = std::path::absolute(&path).unwrap_or(path);
        if !self.met.contains(&path) {
            self.met.push(path);
        }
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_are_chosen_or_said_by_the_name() {
        let of = |name: &str| profile_of_name(Path::new(name));
        assert_eq!(of("a/lit.ps.hlsl").as_deref(), Some("ps_6_6"));
        assert_eq!(of("rays.LIB.hlsl").as_deref(), Some("lib_6_6"));
        assert_eq!((of("lit.hlsl"), of("lit.old.hlsl"), of("ps.hlsl")), (None, None, None));
        assert!(profile("cs_6_10").is_ok() && profile("lib_6_x").is_ok());
        for wrong in ["", "ps", "ps_6", "ps_5_0", "xs_6_0", "ps_6_6_6", "ps_6_-1"] {
            assert!(profile(wrong).is_err_and(|error| error.contains("ps_6_6")), "{wrong}");
        }
    }

    #[test]
    fn an_entry_point_is_a_word_of_the_text() {
        let text = "float4 PSMain(float4 p : SV_Position) { return Fog(p); } void VSMain2() {}";
        assert!(has_word(text, "PSMain") && has_word(text, "Fog"));
        assert!(!has_word(text, "VSMain") && !has_word(text, "SMain") && !has_word(text, ""));
    }
}
