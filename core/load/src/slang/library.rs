//! The library of the Slang compiler: where it is, and the one that this process has loaded.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use lanescope_slang::{LIBRARIES, OpenError, Slang};

use crate::{activity, search_path};

/// Names the library, where it is not the one that is found.
pub const LIBRARY_VARIABLE: &str = "LANESCOPE_SLANG";

/// The program of the same releases, beside which the library lies.
const PROGRAM: &str = "slangc";

/// The library that is loaded: its core module takes longer to start than most texts to compile.
static LOADED: Mutex<Option<Slang>> = Mutex::new(None);

/// Does something with the compiler, which is loaded first where it is not yet. It does one thing at a time.
///
/// # Errors
/// Why it cannot be used.
pub(super) fn with<R>(work: impl FnOnce(&mut Slang) -> R) -> Result<R, String> {
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if loaded.is_none() {
        *loaded = Some(open()?);
    }
    loaded.as_mut().map(work).ok_or_else(|| "it is not loaded".to_owned())
}

/// What a compiler is called: with its version and its file.
pub(super) fn name_of(slang: &Slang) -> String {
    format!("Slang {} ({})", slang.version(), slang.file().display())
}

/// The compiler's name, version and file.
///
/// # Errors
/// Why there is none.
pub fn compiler() -> Result<String, String> {
    with(|slang| name_of(slang))
}

fn open() -> Result<Slang, String> {
    if let Some(named) = std::env::var_os(LIBRARY_VARIABLE) {
        return opened(Path::new(&named));
    }
    let found = beside_program();
    let file = found.unwrap_or_else(|| PathBuf::from(libloading_name(LIBRARIES[0])));
    opened(&file)
}

fn opened(file: &Path) -> Result<Slang, String> {
    let _doing = activity::begin(|| format!("loading {}", file.display()));
    Slang::open(file).map_err(|error| match error {
        // The system's own words name the file.
        OpenError::NotLoaded(why) => why,
        OpenError::Other(why) => format!("{}: {why}", file.display()),
    })
}

/// The library of the `slangc` that is in `PATH`: in the folder of libraries beside its own, or in its own.
fn beside_program() -> Option<PathBuf> {
    let program = search_path::files(PROGRAM).next()?;
    library_of(&program.canonicalize().ok()?)
}

fn library_of(program: &Path) -> Option<PathBuf> {
    let own = program.parent()?;
    let folders = [own.parent().map(|parent| parent.join("lib")), Some(own.to_owned())];
    let names = LIBRARIES.map(libloading_name);
    let files = folders.into_iter().flatten().flat_map(|folder| names.clone().map(|name| folder.join(name)));
    files.into_iter().find(|file| file.is_file())
}

/// `libslang.so` of `slang`.
fn libloading_name(name: &str) -> String {
    format!("{}{name}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_lies_beside_its_program() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("writes");
            std::fs::write(&path, "").expect("writes");
            path
        };
        let program = file("bin/slangc");
        assert_eq!(library_of(&program), None);
        let older = file("lib/libslang.so");
        assert_eq!(library_of(&program), Some(older));
        let newer = file("lib/libslang-compiler.so");
        assert_eq!(library_of(&program), Some(newer));
    }
}
