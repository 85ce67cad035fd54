//! Pipelines that were compiled speculatively, kept on disk from one process to the next.
//!
//! On errors of the folder or an entry, the pipeline is compiled, and the reply includes the error.

use std::path::Path;

use lanescope_core::driver::speculative::{Store, is_entry_name};

use crate::disk_cache::{DiskCache, Found};

/// The largest entry.
const MAX_ENTRY: u64 = 32 << 20;
/// Size limit of all entries, in bytes.
const MAX_BYTES: u64 = 128 << 20;

/// A folder of compiled pipelines.
pub struct Folder {
    kept: DiskCache,
}

impl Folder {
    /// The folder, which is made when something is kept.
    pub fn new(path: &Path) -> Folder {
        let (folder, is_name) = (path.to_owned(), is_entry_name);
        Folder { kept: DiskCache { folder, extension: "pipeline", is_name, largest: MAX_ENTRY, most: MAX_BYTES } }
    }
}

impl Store for Folder {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let path = self.kept.file(name);
        match self.kept.load(name) {
            Ok(Found::Nothing) => Ok(None),
            Ok(Found::Entry(blob)) => Ok(Some(blob)),
            Ok(Found::Torn) => {
                let path = path.display();
                Err(format!("the cache entry {path} is corrupt, so the guess is compiled again"))
            }
            Err(error) => Err(format!(
                "the cache entry {} cannot be read, so the guess is compiled again: {error}",
                path.display()
            )),
        }
    }

    fn store(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let kept = self.kept.keep(name, bytes);
        kept.map_err(|error| format!("cannot write the cache in {}: {error}", self.kept.folder.display()))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn reports_and_removes_a_corrupt_entry() {
        let temporary = tempfile::tempdir().expect("a temporary folder");
        let folder = Folder::new(temporary.path());
        folder.store("a", b"what the driver gave").expect("writable");
        assert_eq!(folder.load("a"), Ok(Some(b"what the driver gave".to_vec())));
        fs::write(folder.kept.file("a"), "torn").expect("writable");
        let why = folder.load("a").expect_err("torn");
        assert!(why.contains("corrupt"), "{why}");
        assert_eq!(folder.load("a"), Ok(None), "it is out of the way");
    }

    #[test]
    fn reports_a_folder_that_cannot_be_written() {
        let temporary = tempfile::tempdir().expect("a temporary folder");
        // A file where the folder should be: nothing can be read or written there, whoever runs this.
        let in_the_way = temporary.path().join("file");
        fs::write(&in_the_way, "").expect("writable");
        let why = Folder::new(&in_the_way).store("a", b"x").expect_err("no folder");
        assert!(why.contains("cannot write the cache"), "{why}");
        assert!(Folder::new(&in_the_way).load("a").is_err(), "a file is no folder");
    }

    #[test]
    fn evicts_only_files_named_like_entries() {
        let folder = Folder::new(Path::new("nowhere"));
        let name = format!("0x{:016x}-{:032x}-compute_pipeline", 1, 7);
        assert!((folder.kept.is_name)(&name) && !(folder.kept.is_name)("important"));
    }
}
