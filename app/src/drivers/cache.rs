//! What compilers made, kept on disk under the fingerprint of what they were asked.
//!
//! One file an entry: a line with the checksum of the rest, then JSON. A file is written beside its place and renamed,
//! so a reader sees a whole entry or none, and two writers leave one of two equal files. What does not read as it was
//! written (a torn disk, another version of this program) counts as not there. A cache that cannot be used is no
//! error: the compiler is asked again.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use etcetera::{AppStrategy as _, AppStrategyArgs};
use lanescope_core::driver::Compilation;
use lanescope_core::run::hash;

/// What all entries may take, in bytes.
const MAX_BYTES: u64 = 256 << 20;
/// The largest entry.
const MAX_ENTRY: u64 = 64 << 20;
/// A file that was begun that long ago has no writer any more.
const ABANDONED: Duration = Duration::from_secs(3600);

/// A folder of compilations.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
    max_bytes: u64,
}

/// Tells the files apart that this process writes at the same time.
static WRITTEN: AtomicU64 = AtomicU64::new(0);

impl Cache {
    /// The user's own: `lanescope/compiled` in the cache folder. None without a home.
    pub fn of_user() -> Option<Cache> {
        folder_of_user("compiled").map(|folder| Cache::at(folder, MAX_BYTES))
    }

    /// A cache in that folder, of at most that many bytes.
    pub fn at(folder: PathBuf, max_bytes: u64) -> Cache {
        Cache { folder, max_bytes }
    }

    /// What is kept under a fingerprint.
    pub fn load(&self, fingerprint: &str) -> Option<Compilation> {
        let path = self.path(fingerprint);
        let file = File::open(&path).ok()?;
        let mut bytes = Vec::new();
        (&file).take(MAX_ENTRY).read_to_end(&mut bytes).ok()?;
        let compilation = parse(&bytes);
        match compilation {
            // What was used last is evicted last; a clock that cannot be set is no loss.
            Some(_) => drop(file.set_modified(SystemTime::now())),
            None => drop(fs::remove_file(&path)),
        }
        compilation
    }

    /// Keeps a compilation, and drops the oldest ones where there are too many.
    pub fn store(&self, fingerprint: &str, compilation: &Compilation) {
        // Nothing is lost but time where this fails.
        let _ = self.write(fingerprint, compilation).and_then(|()| self.evict());
    }

    fn path(&self, fingerprint: &str) -> PathBuf {
        self.folder.join(format!("{fingerprint}.json"))
    }

    fn write(&self, fingerprint: &str, compilation: &Compilation) -> io::Result<()> {
        let json = serde_json::to_vec(compilation)?;
        if json.len() as u64 >= MAX_ENTRY {
            return Ok(());
        }
        fs::create_dir_all(&self.folder)?;
        let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
        let fresh = self.folder.join(format!(".{fingerprint}.{}.{number}", std::process::id()));
        let written = File::create(&fresh).and_then(|mut file| {
            writeln!(file, "{}", hash(&json))?;
            file.write_all(&json)
        });
        let done = written.and_then(|()| fs::rename(&fresh, self.path(fingerprint)));
        if done.is_err() {
            // Nothing is lost if the leftover cannot be removed.
            let _ = fs::remove_file(&fresh);
        }
        done
    }

    /// Removes the entries that were used longest ago until three quarters of the room are taken, where all of it is.
    fn evict(&self) -> io::Result<()> {
        let mut entries = Vec::new();
        let now = SystemTime::now();
        for entry in fs::read_dir(&self.folder)?.flatten() {
            // Another process may have removed it meanwhile.
            let Ok(about) = entry.metadata() else { continue };
            let used = about.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            if is_unfinished(&entry.path()) {
                if now.duration_since(used).is_ok_and(|age| age > ABANDONED) {
                    let _ = fs::remove_file(entry.path());
                }
                continue;
            }
            if is_entry(&entry.path()) {
                entries.push((used, entry.path(), about.len()));
            }
        }
        let mut total: u64 = entries.iter().map(|entry| entry.2).sum();
        if total <= self.max_bytes {
            return Ok(());
        }
        entries.sort();
        for (_, path, bytes) in entries {
            if total <= self.max_bytes / 4 * 3 {
                break;
            }
            total = total.saturating_sub(bytes);
            let _ = fs::remove_file(path);
        }
        Ok(())
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

fn is_unfinished(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

/// Whether a file may be removed for room. Others than those that this cache writes may lie in its folder.
fn is_entry(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "json")
}

fn parse(bytes: &[u8]) -> Option<Compilation> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    let (sum, json) = (bytes.get(..end)?, bytes.get(end + 1..)?);
    (sum == hash(json).to_string().as_bytes()).then(|| serde_json::from_slice(json).ok())?
}

#[cfg(test)]
mod tests {
    use lanescope_core::driver::{Link, Version};

    use super::*;

    fn compilation(note: &str) -> Compilation {
        Compilation {
            device: "d".to_owned(),
            driver: "r".to_owned(),
            chip: None,
            of: Version::Original,
            link: Link::Whole,
            pipelines: Vec::new(),
            peak_memory: None,
            notes: vec![note.to_owned()],
        }
    }

    fn cache(max_bytes: u64) -> (tempfile::TempDir, Cache) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let cache = Cache::at(folder.path().join("deep/er"), max_bytes);
        (folder, cache)
    }

    #[test]
    fn a_compilation_comes_back_as_it_was() {
        let (_folder, cache) = cache(1 << 20);
        assert_eq!(cache.load("a"), None);
        cache.store("a", &compilation("one"));
        cache.store("a", &compilation("two"));
        assert_eq!(cache.load("a"), Some(compilation("two")));
        assert_eq!(fs::read_dir(&cache.folder).expect("there").count(), 1, "no temporary file stays");
    }

    #[test]
    fn what_was_torn_counts_as_not_there() {
        let (_folder, cache) = cache(1 << 20);
        cache.store("a", &compilation("one"));
        let whole = fs::read(cache.path("a")).expect("written");
        for cut in 0..whole.len() {
            fs::write(cache.path("a"), &whole[..cut]).expect("writable");
            assert_eq!(cache.load("a"), None, "{cut} bytes");
        }
        for at in 0..whole.len() {
            let mut bent = whole.clone();
            bent[at] ^= 1;
            fs::write(cache.path("a"), &bent).expect("writable");
            assert_eq!(cache.load("a"), None, "byte {at}");
            assert!(!cache.path("a").exists(), "it is out of the way");
        }
    }

    #[test]
    fn the_oldest_entries_give_way() {
        let (_folder, cache) = cache(4096);
        let note = "x".repeat(300);
        let at = |seconds: u64| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        for (index, name) in (1u64..).zip(["a", "b", "c", "d", "e", "f", "g"]) {
            cache.store(name, &compilation(&note));
            let file = File::options().write(true).open(cache.path(name)).expect("written");
            file.set_modified(at(index)).expect("the clock is ours");
        }
        assert!(cache.load("a").is_some(), "seven entries fit");
        (0..4).for_each(|index| cache.store(&format!("more{index}"), &compilation(&note)));
        assert!(cache.load("b").is_none(), "the one that was used longest ago is gone");
        assert!(cache.load("a").is_some(), "the one that was read stays");
        let total: u64 = fs::read_dir(&cache.folder)
            .expect("there")
            .map(|e| e.expect("reads").metadata().expect("there").len())
            .sum();
        assert!(total <= 4096, "{total}");
    }

    #[test]
    fn writers_and_readers_at_the_same_time_see_whole_entries() {
        let (_folder, cache) = cache(8192);
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let cache = &cache;
                scope.spawn(move || {
                    for round in 0..60 {
                        let name = format!("k{}", round % 7);
                        cache.store(&name, &compilation(&format!("{writer} {}", "y".repeat(round * 13))));
                        if let Some(found) = cache.load(&name) {
                            assert!(found.notes[0].ends_with('y') || found.notes[0].ends_with(' '));
                        }
                    }
                });
            }
        });
        let names = fs::read_dir(&cache.folder).expect("there").map(|entry| entry.expect("reads").path());
        assert!(names.into_iter().all(|path| !is_unfinished(&path)));
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_no_error() {
        let (folder, _) = cache(1);
        let in_the_way = folder.path().join("file");
        fs::write(&in_the_way, "").expect("writable");
        let cache = Cache::at(in_the_way.join("compiled"), 1 << 20);
        cache.store("a", &compilation("one"));
        assert_eq!(cache.load("a"), None);
    }
}
