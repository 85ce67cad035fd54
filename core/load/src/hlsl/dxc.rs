//! The DirectX shader compiler: its library is loaded when it is needed.

use std::path::{Path, PathBuf};

use lanescope_dxc::{Compiled, Dxc, Job, OLDEST, OpenError};

use super::names::Names;
use super::{Source, messages};
use crate::error::Problem;
use crate::given::Given;
use crate::included::Included;
use crate::{activity, preceding};
use lanescope_dxil::Dxil;
use lanescope_model::options::Conversion;
use lanescope_model::program::CompilerMessage;

/// Names the library, where it is not the one that the system finds.
pub const LIBRARY_VARIABLE: &str = "LANESCOPE_DXCOMPILER";

/// What containers begin with.
const CONTAINER: &[u8] = b"DXBC";

/// Whether the environment names the library.
pub(super) fn is_named() -> bool {
    std::env::var_os(LIBRARY_VARIABLE).is_some()
}

/// Loads the library.
///
/// Errors: why it cannot be used.
pub(super) fn open() -> Result<Dxc, String> {
    let named = std::env::var_os(LIBRARY_VARIABLE).map(PathBuf::from);
    let _doing = activity::begin(|| format!("loading {}", named_library(named.as_deref())));
    Dxc::open(named.as_deref()).map_err(|error| match error {
        // The system's own words name the file.
        OpenError::NotLoaded(why) => why,
        OpenError::Other(why) => format!("{}: {why}", named_library(named.as_deref())),
        OpenError::TooOld => format!(
            "{} is older than version {OLDEST}, the first one with the interface that is used here",
            named_library(named.as_deref())
        ),
    })
}

/// What the library is called before it is loaded, or where its file is not known.
fn named_library(named: Option<&Path>) -> String {
    let found = named.map(Path::to_owned).or_else(library);
    found.map_or_else(|| "libdxcompiler.so".to_owned(), |path| path.display().to_string())
}

/// The file of the library that this process has loaded.
fn library() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(LIBRARY_VARIABLE) {
        return Some(PathBuf::from(named));
    }
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let line = maps.lines().find(|line| line.contains("dxcompiler"))?;
    line.find('/').and_then(|at| line.get(at..)).map(PathBuf::from)
}

/// Its version, from a container that it compiled, and its file.
///
/// Errors: why there is none.
pub(super) fn version() -> Result<String, String> {
    let text = "[numthreads(1, 1, 1)] void main() {}";
    let conversion = Conversion::default();
    let source = Source {
        path: Path::new("empty.hlsl"),
        folder: Path::new(""),
        text,
        entry: "main",
        profile: "cs_6_0",
        narrow: false,
        conversion: &conversion,
        first: &[],
        given: Given::default(),
    };
    let made = compile(&open()?, &source).map_err(|problem| match problem {
        Problem::NoHlslCompiler { why } => why,
        other => other.to_string(),
    })?;
    let name = made.dxil.program.and_then(|program| program.dx.compiler);
    let name = name.unwrap_or_else(|| "unknown compiler".to_owned());
    Ok(library().map_or(name.clone(), |path| format!("{name} ({})", path.display())))
}

/// What a source became.
pub(super) struct Made {
    /// The container.
    pub dxil: Dxil,
    /// The files that it included.
    pub includes: Vec<PathBuf>,
    /// The compiler's warnings.
    pub warnings: Vec<CompilerMessage>,
}

/// Compiles a source.
pub(super) fn compile(dxc: &Dxc, source: &Source<'_>) -> Result<Made, Problem> {
    let broken = |why: String| Problem::NoHlslCompiler { why };
    let utf8 = lanescope_dxc::has_utf8();
    let mut includes = Includes { names: Names::of(source, utf8), files: Included::new(source.given) };
    let arguments = arguments(source, &includes.names);
    if let Some(argument) = arguments.iter().find(|one| !one.is_ascii() && !utf8) {
        return Err(broken(format!("it needs the locale en_US.UTF-8 or C.UTF-8 to read the argument `{argument}`")));
    }
    let name = includes.names.told().to_owned();
    let doing = || format!("compiling {} with {}", source.path.display(), compiler_name());
    let compiled = {
        let _doing = activity::begin(doing);
        let text = preceding::hlsl(source.text, &includes.names.first());
        dxc.compile(&Job { text: &text, name: &name, arguments: &arguments }, &mut includes).map_err(broken)?
    };
    let Compiled { container, log } = compiled;
    let mut log = includes.names.shown(&log);
    let profile = source.profile.to_owned();
    let Some(container) = container else {
        for reason in &includes.files.refused {
            log.push_str(&format!("\n{reason}"));
        }
        if log.trim().is_empty() {
            "the compiler gives no reason".clone_into(&mut log);
        }
        return Err(Problem::Hlsl { profile, log });
    };
    if !container.starts_with(CONTAINER) {
        let arguments = source.conversion.dxc_args.join(" ");
        let log = format!("with the arguments `{arguments}` the compiler returns no DXIL container");
        return Err(Problem::Hlsl { profile, log });
    }
    let dxil = Dxil::read(container).map_err(Problem::Dxil)?;
    let warnings = messages::warnings(&log);
    Ok(Made { dxil, includes: includes.files.met, warnings })
}

/// The compiler in messages: its library, where it is known.
fn compiler_name() -> String {
    let file = library().map(|path| format!(" ({})", path.display()));
    format!("the DirectX shader compiler{}", file.unwrap_or_default())
}

/// What follows the name on the compiler's command line. What a user adds comes last.
fn arguments(source: &Source<'_>, names: &Names) -> Vec<String> {
    let mut arguments = vec!["-T".to_owned(), source.profile.to_owned()];
    if !source.profile.starts_with("lib") {
        arguments.extend(["-E".to_owned(), source.entry.to_owned()]);
    }
    if source.narrow {
        arguments.push("-enable-16bit-types".to_owned());
    }
    arguments.extend(source.conversion.macros().into_iter().flat_map(|one| ["-D".to_owned(), one]));
    arguments.extend(names.folders().flat_map(|folder| ["-I".to_owned(), folder.to_owned()]));
    arguments.extend(source.conversion.dxc_args.iter().cloned());
    arguments
}

/// Serves `#include`. The compiler says each name with its folder.
struct Includes<'w> {
    names: Names,
    files: Included<'w>,
}

impl lanescope_dxc::Includes for Includes<'_> {
    fn include(&mut self, name: &str) -> Option<Vec<u8>> {
        let path = self.names.file(name);
        self.files.read(&path, |bytes| {
            super::encoding::utf8(bytes).map_err(|offset| format!("byte {offset:#x}: the text is not UTF-16"))
        })
    }
}
