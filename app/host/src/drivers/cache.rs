//! Disk cache of compilation results, by a fingerprint of the request.
//!
//! Corrupt entries (a partial write, another version of this program) count as missing. A cache that cannot be used is
//! not an error: the program is compiled again.

use std::path::PathBuf;

use etcetera::{AppStrategy as _, AppStrategyArgs};
use lanescope_core::driver::Compilation;

use crate::disk_cache::{DiskCache, Found};

/// Size limit of all entries, in bytes.
const MAX_BYTES: u64 = 256 << 20;
/// The largest entry.
const MAX_ENTRY: u64 = 64 << 20;

/// A folder of compilations.
#[derive(Debug, Clone)]
pub struct Cache {
    kept: DiskCache,
}

impl Cache {
    /// The user's own: `lanescope/compiled` in the cache folder. None without a home.
    pub fn of_user() -> Option<Cache> {
        folder_of_user("compiled").map(|folder| Cache::at(folder, MAX_BYTES))
    }

    /// A cache in that folder, of at most that many bytes.
    pub fn at(folder: PathBuf, max_bytes: u64) -> Cache {
        let is_name = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        Cache { kept: DiskCache { folder, extension: "json", is_name, largest: MAX_ENTRY, most: max_bytes } }
    }

    /// A cache entry.
    pub fn load(&self, fingerprint: &str) -> Option<Compilation> {
        match self.kept.load(fingerprint) {
            Ok(Found::Entry(json)) => serde_json::from_slice(&json).ok(),
            Ok(Found::Nothing | Found::Torn) | Err(_) => None,
        }
    }

    /// Keeps a compilation, and drops the oldest ones where there are too many.
    pub fn store(&self, fingerprint: &str, compilation: &Compilation) {
        // Nothing is lost but time where this fails.
        let _ = serde_json::to_vec(compilation).map(|json| self.kept.keep(fingerprint, &json));
    }
}

/// A folder of that name in the user's cache folder. None without a home.
pub fn folder_of_user(name: &str) -> Option<PathBuf> {
    let strategy = etcetera::choose_app_strategy(AppStrategyArgs {
        top_level_domain: "org".to_owned(),
        author: "Lanescope".to_owned(),
        app_name: "lanescope".to_owned(),
    });
    strategy.ok().map(|strategy| strategy.in_cache_dir(name))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use lanescope_core::driver::{Link, Version};

    use super::*;

    fn compilation(note: &str) -> Compilation {
        Compilation {
            device: "d".to_owned(),
            driver: "r".to_owned(),
            chip: None,
            icd: None,
            of: Version::Original,
            link: Link::Whole,
            pipelines: Vec::new(),
            peak_memory: None,
            handed_on: Vec::new(),
            notes: vec![note.to_owned()],
        }
    }

    #[test]
    fn reads_back_a_compilation() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let cache = Cache::at(folder.path().join("deep/er"), 1 << 20);
        assert_eq!(cache.load("a"), None);
        cache.store("a", &compilation("one"));
        cache.store("a", &compilation("two"));
        assert_eq!(cache.load("a"), Some(compilation("two")));
    }

    #[test]
    fn ignores_entries_of_another_version() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let cache = Cache::at(folder.path().to_owned(), 1 << 20);
        cache.kept.keep("a", b"{\"device\": 7}").expect("writable");
        assert_eq!(cache.load("a"), None);
        cache.store("a", &compilation("one"));
        assert_eq!(cache.load("a"), Some(compilation("one")));
    }

    #[test]
    fn tolerates_a_folder_that_cannot_be_written() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let in_the_way = folder.path().join("file");
        fs::write(&in_the_way, "").expect("writable");
        let cache = Cache::at(in_the_way.join("compiled"), 1 << 20);
        cache.store("a", &compilation("one"));
        assert_eq!(cache.load("a"), None);
    }
}
