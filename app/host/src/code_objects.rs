//! AMD code objects as files.

use std::path::{Path, PathBuf};

use lanescope_core::codeobject::{CodeObject, is_code_object};
use lanescope_core::load::MAX_FILE;

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
