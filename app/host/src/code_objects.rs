//! AMD code objects as files.

use std::path::{Path, PathBuf};

use lanescope_core::codeobject::{CodeObject, is_code_object};
use lanescope_core::driver_hashes::DriverHashes;
use lanescope_core::ids::Hash64;
use lanescope_core::load::MAX_FILE;
use lanescope_core::text_format::counted;

use crate::files::{head, read_at_most};

/// The one code object that these files are, where they are one: by how its content begins.
pub fn only_object(files: &[PathBuf]) -> Option<&Path> {
    let [only] = files else { return None };
    is_object(only).then_some(only.as_path())
}

/// Whether a file begins as a code object does.
pub fn is_object(path: &Path) -> bool {
    head(path, 20).is_some_and(|head| is_code_object(&head))
}

/// Reads a code object.
///
/// # Errors
/// What is wrong with the file, with its name.
pub fn read(path: &Path) -> Result<CodeObject, String> {
    let bytes = read_at_most(path, MAX_FILE)?;
    let name = path.display().to_string();
    CodeObject::read(&name, &bytes).map_err(|why| format!("{name}: {why}"))
}

/// The most files of a folder that are looked at.
const MAX_FILES: usize = 1 << 16;

/// A code object of a folder, with the hashes of its shaders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Indexed {
    /// Its file.
    pub path: PathBuf,
    /// `.api_shader_hash` of each shader, the lower word first.
    pub hashes: Vec<[Hash64; 2]>,
}

impl Indexed {
    /// Whether it is of one of these shaders.
    pub fn is_of(&self, shaders: &[DriverHashes]) -> bool {
        self.hashes.iter().any(|hash| shaders.iter().any(|own| own.is_of_object(*hash)))
    }
}

/// The code objects in a folder, by name. Files that are none, or cannot be read, are left out.
///
/// # Errors
/// The folder cannot be read, or has too many files.
pub fn index(folder: &Path) -> Result<Vec<Indexed>, String> {
    let name = folder.display();
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{name}: {error}"))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).take(MAX_FILES + 1).collect();
    if files.len() > MAX_FILES {
        return Err(format!("{name}: more than {MAX_FILES} files"));
    }
    files.sort();
    files.retain(|file| file.is_file() && is_object(file));
    let indexed = |path: PathBuf| {
        let object = read(&path).ok()?;
        let shaders = object.pipelines.iter().flat_map(|pipeline| &pipeline.shaders);
        let hashes = shaders.filter_map(|shader| shader.hash).collect();
        Some(Indexed { path, hashes })
    };
    Ok(files.into_iter().filter_map(indexed).collect())
}

/// The code object in a folder whose `.api_shader_hash` means one of these shaders, by the hashes of AMD's drivers.
///
/// # Errors
/// The folder cannot be read, or not exactly one object of it is meant.
pub fn paired(folder: &Path, shaders: &[DriverHashes]) -> Result<PathBuf, String> {
    let name = folder.display();
    let all = index(folder)?;
    let found: Vec<&PathBuf> = all.iter().filter(|one| one.is_of(shaders)).map(|one| &one.path).collect();
    let names: Vec<String> = shaders.iter().map(|own| format!("{} or {}", own.dump_name(), own.code)).collect();
    match found.as_slice() {
        [only] => Ok(only.to_path_buf()),
        [] => {
            let count = counted(all.len(), "code object");
            Err(format!("{name}: none of {count} has .api_shader_hash of {}", names.join(", ")))
        }
        several => {
            let several: Vec<String> = several.iter().map(|file| file.display().to_string()).collect();
            Err(format!("{name}: {} code objects are of these shaders: {}", several.len(), several.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_an_object_by_its_content() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = |name: &str, machine: u8| {
            let path = folder.path().join(name);
            let mut bytes = vec![0; 64];
            bytes[..7].copy_from_slice(b"\x7fELF\x02\x01\x01");
            bytes[18] = machine;
            std::fs::write(&path, bytes).expect("writes");
            path
        };
        let (object, other) = (path("a.frag", 224), path("b.elf", 62));
        assert!(is_object(&object) && !is_object(&other) && !is_object(&folder.path().join("nowhere")));
        assert_eq!(only_object(&[object.clone(), other]), None);
        assert!(read(&object).expect("has a whole header").sections.is_empty());
    }
}
