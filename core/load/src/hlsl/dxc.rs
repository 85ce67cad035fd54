//! The DirectX shader compiler: its library is loaded when it is needed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use hassle_rs::{Dxc, DxcIncludeHandler, HassleError};

use super::{Source, library};
use crate::error::Problem;
use crate::file;
use lanescope_dxil::Dxil;

/// Names the library, where it is not the one that the system finds.
pub const LIBRARY_VARIABLE: &str = "LANESCOPE_DXCOMPILER";

/// How much files that are included may hold in all.
const MAX_INCLUDED: usize = 64 << 20;

/// Whether the environment names the library.
pub(super) fn is_named() -> bool {
    std::env::var_os(LIBRARY_VARIABLE).is_some()
}

/// Loads the library.
///
/// Errors: why it cannot be loaded.
pub(super) fn open() -> Result<Dxc, String> {
    Dxc::new(std::env::var_os(LIBRARY_VARIABLE).map(PathBuf::from)).map_err(|error| match error {
        // The system's own words name the file.
        HassleError::LoadLibraryError { inner, .. } => inner.to_string(),
        other => other.to_string(),
    })
}

/// Its version, from a container that it compiled, and its file.
///
/// Errors: why there is none.
pub(super) fn version() -> Result<String, String> {
    let text = "[numthreads(1, 1, 1)] void main() {}";
    let request = Source { path: Path::new("empty.hlsl"), text, entry: "main", profile: "cs_6_0", narrow: false };
    let (made, _) = compile(&open()?, &request).map_err(|problem| match problem {
        Problem::NoHlslCompiler { why } => why,
        other => other.to_string(),
    })?;
    let name = made.program.and_then(|program| program.dx.compiler);
    let name = name.unwrap_or_else(|| "unknown compiler".to_owned());
    Ok(library().map_or(name.clone(), |path| format!("{name} ({})", path.display())))
}

/// Compiles a source: the container, and the files that it included.
pub(super) fn compile(dxc: &Dxc, source: &Source<'_>) -> Result<(Dxil, Vec<PathBuf>), Problem> {
    let mut includes = Includes::default();
    let made = container(dxc, source, &mut includes)?;
    Ok((Dxil::read(made).map_err(Problem::Dxil)?, includes.met))
}

fn container(dxc: &Dxc, source: &Source<'_>, includes: &mut Includes) -> Result<Vec<u8>, Problem> {
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
    made.unwrap_or_else(|_| Err(broken("it returned no result".to_owned())))
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
