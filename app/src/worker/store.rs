//! Pipelines that were compiled ahead, kept on disk from one process to the next.
//!
//! One file an entry: a line with the checksum of the rest, then what the driver gave. A file is written beside its place
//! and renamed, so a reader sees a whole entry or none, and two processes leave one of two whole entries. Whatever is
//! wrong with the folder or with an entry, the pipeline is compiled, and the answer says what was wrong.

use std::fs::{self, File, Metadata};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use lanescope_core::driver::ahead::{Store, is_entry_name};
use lanescope_core::run::hash;

/// The largest entry.
const MAX_ENTRY: u64 = 32 << 20;
/// What all entries may take, in bytes.
const MAX_BYTES: u64 = 128 << 20;
/// A file that was begun that long ago has no writer any more.
const ABANDONED: Duration = Duration::from_secs(3600);
/// The extension of entries.
const ENTRY: &str = "pipeline";
/// That of entries while they are written.
const UNFINISHED: &str = "unfinished";

/// A folder of compiled pipelines.
pub struct Folder {
    path: PathBuf,
    max_bytes: u64,
}

impl Folder {
    /// The folder, which is made when something is kept.
    pub fn new(path: &Path) -> Folder {
        Folder { path: path.to_owned(), max_bytes: MAX_BYTES }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path.join(format!("{name}.{ENTRY}"))
    }

    /// An entry of that name while this process writes it.
    fn unfinished(&self, name: &str) -> PathBuf {
        self.path.join(format!(".{name}.{}.{UNFINISHED}", std::process::id()))
    }

    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        fs::create_dir_all(&self.path)?;
        let fresh = self.unfinished(name);
        let written = File::create(&fresh).and_then(|mut file| {
            writeln!(file, "{}", hash(bytes))?;
            file.write_all(bytes)
        });
        let done = written.and_then(|()| fs::rename(&fresh, self.file(name)));
        if done.is_err() {
            // Nothing is lost if the leftover cannot be removed.
            let _ = fs::remove_file(&fresh);
        }
        done
    }

    /// Removes what nobody writes any more, and entries that were used longest ago until all have room. The folder may
    /// be anybody's: other files are left alone.
    fn make_room(&self) -> io::Result<()> {
        let now = SystemTime::now();
        let mut entries = Vec::new();
        for entry in fs::read_dir(&self.path)?.flatten() {
            // Another process may have removed it meanwhile.
            let Some(about) = entry.metadata().ok().filter(Metadata::is_file) else { continue };
            let (path, used) = (entry.path(), about.modified().unwrap_or(SystemTime::UNIX_EPOCH));
            match kind(&path) {
                Some(ENTRY) => entries.push((used, path, about.len())),
                Some(UNFINISHED) if now.duration_since(used).is_ok_and(|age| age > ABANDONED) => remove(&path)?,
                _ => {}
            }
        }
        entries.sort();
        let mut total: u64 = entries.iter().map(|entry| entry.2).sum();
        for (_, path, length) in entries {
            if total <= self.max_bytes {
                break;
            }
            remove(&path)?;
            total = total.saturating_sub(length);
        }
        Ok(())
    }
}

impl Store for Folder {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let path = self.file(name);
        let said = |error: io::Error| {
            format!("the cache's {} could not be read, so the guess is compiled: {error}", path.display())
        };
        let mut file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(said(error)),
        };
        let mut bytes = Vec::new();
        (&mut file).take(MAX_ENTRY).read_to_end(&mut bytes).map_err(said)?;
        // What was used last goes last; a clock that cannot be set is no loss.
        let _ = file.set_modified(SystemTime::now());
        match parse(&bytes) {
            Some(blob) => Ok(Some(blob.to_vec())),
            None => {
                // A new one takes its place, or nothing can be written anyway.
                let _ = fs::remove_file(&path);
                let path = path.display();
                Err(format!("the cache's {path} is torn: it is not what was written, so the guess is compiled again"))
            }
        }
    }

    fn store(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let done = match bytes.len() as u64 + 17 <= MAX_ENTRY {
            true => self.write(name, bytes).and_then(|()| self.make_room()),
            false => Err(io::Error::other(format!("{} bytes are more than an entry may have", bytes.len()))),
        };
        done.map_err(|error| format!("nothing is kept in {}: {error}", self.path.display()))
    }
}

/// The extension of a file that is called as an entry is, or as one while it is written; none of anybody's else.
fn kind(path: &Path) -> Option<&'static str> {
    let (name, extension) = path.file_name()?.to_str()?.rsplit_once('.')?;
    if extension == ENTRY {
        return is_entry_name(name).then_some(ENTRY);
    }
    let (name, process) = name.strip_prefix('.')?.rsplit_once('.')?;
    let is_number = !process.is_empty() && process.bytes().all(|byte| byte.is_ascii_digit());
    (extension == UNFINISHED && is_number && is_entry_name(name)).then_some(UNFINISHED)
}

/// Removes a file; another process may have done it already.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn parse(bytes: &[u8]) -> Option<&[u8]> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    let (sum, blob) = (bytes.get(..end)?, bytes.get(end + 1..)?);
    (sum == hash(blob).to_string().as_bytes()).then_some(blob)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, Folder) {
        let temporary = tempfile::tempdir().expect("a temporary folder");
        let folder = Folder::new(&temporary.path().join("deep/er"));
        (temporary, folder)
    }

    /// What the entry of a number is called.
    fn named(number: u64) -> String {
        format!("0x{number:016x}-{:032x}-compute_pipeline", 7)
    }

    #[test]
    fn what_is_kept_comes_back_and_nothing_else_does() {
        let (_temporary, folder) = folder();
        assert_eq!(folder.load("a"), Ok(None));
        folder.store("a", b"one\ntwo").expect("writable");
        assert_eq!(folder.load("a"), Ok(Some(b"one\ntwo".to_vec())));
        assert_eq!(fs::read_dir(&folder.path).expect("there").count(), 1, "no temporary file stays");
    }

    #[test]
    fn a_torn_entry_is_said_and_gone() {
        let (_temporary, folder) = folder();
        folder.store("a", b"what the driver gave").expect("writable");
        let whole = fs::read(folder.file("a")).expect("written");
        for cut in 0..whole.len() {
            fs::write(folder.file("a"), &whole[..cut]).expect("writable");
            let why = folder.load("a").expect_err("torn");
            assert!(why.contains("torn"), "{why}");
            assert_eq!(folder.load("a"), Ok(None), "it is out of the way");
        }
    }

    #[test]
    fn a_folder_that_takes_nothing_is_said() {
        let (temporary, other) = folder();
        // A file where the folder should be: nothing can be read or written there, whoever runs this.
        let in_the_way = temporary.path().join("file");
        fs::write(&in_the_way, "").expect("writable");
        let why = Folder::new(&in_the_way).store("a", b"x").expect_err("no folder");
        assert!(why.contains("nothing is kept"), "{why}");
        assert!(Folder::new(&in_the_way).load("a").is_err(), "a file is no folder");
        // A device that is always full.
        let full = Path::new("/dev/full");
        if full.exists() {
            fs::create_dir_all(&other.path).expect("writable");
            std::os::unix::fs::symlink(full, other.unfinished("a")).expect("a link");
            let why = other.store("a", &[7; 100_000]).expect_err("full");
            assert!(why.contains("nothing is kept") && why.contains("space"), "{why}");
            assert_eq!(other.load("a"), Ok(None), "no half of it is there");
        }
    }

    #[test]
    fn the_oldest_entries_give_way() {
        let (_temporary, mut folder) = folder();
        folder.max_bytes = 1000;
        for name in 0..20 {
            folder.store(&named(name), &[0; 100]).expect("writable");
        }
        let total: u64 = fs::read_dir(&folder.path)
            .expect("there")
            .map(|e| e.expect("reads").metadata().expect("there").len())
            .sum();
        assert!(total <= 1000, "{total}");
    }

    #[test]
    fn files_of_others_and_entries_under_way_are_left_alone() {
        let (_temporary, mut folder) = folder();
        folder.max_bytes = 1000;
        folder.store(&named(0), b"made the folder").expect("writable");
        let file = |name: String| folder.path.join(name);
        // What is called otherwise is somebody's, whatever its extension is.
        let others = [
            "notes.txt".to_owned(),
            "important.pipeline".to_owned(),
            "0x00ff-compute_pipeline.pipeline".to_owned(),
            format!("{}.bak.pipeline", named(1)),
            "chapter.unfinished".to_owned(),
            ".chapter.1.unfinished".to_owned(),
            format!("{}.1.unfinished", named(1)),
            format!(".{}.draft.unfinished", named(1)),
        ]
        .map(file);
        let [begun, abandoned] = [2, 3].map(|number| file(format!(".{}.1.unfinished", named(number))));
        for path in others.iter().chain([&begun, &abandoned]) {
            fs::write(path, vec![7; 5000]).expect("writable");
        }
        for path in others.iter().chain([&abandoned]) {
            let file = File::options().write(true).open(path).expect("written");
            file.set_modified(SystemTime::now() - 2 * ABANDONED).expect("the clock is ours");
        }
        folder.store(&named(4), b"what the driver gave").expect("writable");
        for path in others.iter().chain([&begun]) {
            assert!(path.exists(), "{}", path.display());
        }
        assert!(!abandoned.exists());
        let found = folder.load(&named(4));
        assert_eq!(found, Ok(Some(b"what the driver gave".to_vec())), "none of them takes its room");
    }

    #[test]
    fn two_writers_leave_whole_entries() {
        let (_temporary, folder) = folder();
        std::thread::scope(|scope| {
            for writer in 0..4u8 {
                // A process each in life: the names of unfinished files differ.
                let folder = Folder { path: folder.path.clone(), max_bytes: MAX_BYTES };
                scope.spawn(move || {
                    for round in 0..50 {
                        let name = format!("{}-{writer}", round % 5);
                        folder.store(&name, &vec![writer; 1000 + round]).expect("writable");
                        for other in 0..4 {
                            let found = folder.load(&format!("{}-{other}", round % 5)).expect("whole or none");
                            assert!(found.is_none_or(|bytes| bytes.iter().all(|byte| *byte == other)));
                        }
                    }
                });
            }
        });
    }
}
