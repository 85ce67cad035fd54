//! A disk cache: named entries.
//!
//! One file per entry: a line with the checksum of the rest, then the rest. A file is written beside its place and
//! renamed, so a reader sees a whole entry or none, and two writers leave one of two whole entries. The folder may be
//! shared with other programs: files with other names are left alone.

use std::fs::{self, File, Metadata};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use lanescope_core::run::hash;

use crate::files::{number, put_beside};

/// A file that was begun that long ago has no writer any more.
const ABANDONED: Duration = Duration::from_secs(3600);
/// The extension of entries while they are written.
const UNFINISHED: &str = "unfinished";

/// A folder of entries, which is made when something is kept.
#[derive(Debug, Clone)]
pub struct DiskCache {
    /// Where it is.
    pub folder: PathBuf,
    /// The extension of entries.
    pub extension: &'static str,
    /// Whether an entry may have that name.
    pub is_name: fn(&str) -> bool,
    /// The largest entry, in bytes.
    pub largest: u64,
    /// Size limit of all entries, in bytes.
    pub most: u64,
}

/// What was found under a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// Nothing was kept.
    Nothing,
    /// What was written is not what is there: it is removed.
    Torn,
    /// What was kept.
    Entry(Vec<u8>),
}

impl DiskCache {
    /// The file of an entry.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.{}", self.extension))
    }

    /// What is kept under a name.
    ///
    /// # Errors
    /// Why it could not be read.
    pub fn load(&self, name: &str) -> io::Result<Found> {
        let path = self.file(name);
        let file = match File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
            file => file?,
        };
        let mut bytes = Vec::new();
        (&file).take(self.largest).read_to_end(&mut bytes)?;
        match checked(&bytes) {
            Some(entry) => {
                // The last used entry is removed last. A failure to set the time is ignored.
                let _ = file.set_modified(SystemTime::now());
                Ok(Found::Entry(entry.to_vec()))
            }
            None => {
                // A new one takes its place, or nothing can be written anyway.
                let _ = fs::remove_file(&path);
                Ok(Found::Torn)
            }
        }
    }

    /// Stores bytes under a name, and evicts the least recently used entries if the cache is full.
    ///
    /// # Errors
    /// Why it is not kept: it is too large, or what the file system says.
    pub fn keep(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let sum = hash(bytes).to_string();
        if (sum.len() + 1 + bytes.len()) as u64 > self.largest {
            return Err(io::Error::other(format!("entry too large for the disk cache: {} bytes", bytes.len())));
        }
        fs::create_dir_all(&self.folder)?;
        let beside = self.folder.join(format!(".{name}.{}-{}.{UNFINISHED}", std::process::id(), number()));
        put_beside(&beside, &self.file(name), |file| {
            writeln!(file, "{sum}")?;
            file.write_all(bytes)
        })?;
        self.make_room()
    }

    /// Removes abandoned temporary files. If the cache is full, also evicts the least recently used entries until a
    /// quarter of it is free.
    fn make_room(&self) -> io::Result<()> {
        let now = SystemTime::now();
        let mut entries = Vec::new();
        for entry in fs::read_dir(&self.folder)?.flatten() {
            // Another process may have removed it meanwhile.
            let Some(about) = entry.metadata().ok().filter(Metadata::is_file) else { continue };
            let (path, used) = (entry.path(), about.modified().unwrap_or(SystemTime::UNIX_EPOCH));
            match self.kind(&path) {
                Some(Kind::Entry) => entries.push((used, path, about.len())),
                Some(Kind::Unfinished) if now.duration_since(used).is_ok_and(|age| age > ABANDONED) => remove(&path)?,
                _ => {}
            }
        }
        let mut total: u64 = entries.iter().map(|entry| entry.2).sum();
        if total <= self.most {
            return Ok(());
        }
        entries.sort();
        for (_, path, length) in entries {
            if total <= self.most / 4 * 3 {
                break;
            }
            remove(&path)?;
            total = total.saturating_sub(length);
        }
        Ok(())
    }

    /// The kind of a file with the name of an entry or of a temporary file; `None` for other files.
    fn kind(&self, path: &Path) -> Option<Kind> {
        let (name, extension) = path.file_name()?.to_str()?.rsplit_once('.')?;
        if extension == self.extension {
            return (self.is_name)(name).then_some(Kind::Entry);
        }
        let (name, writer) = name.strip_prefix('.')?.rsplit_once('.')?;
        let is_writer = !writer.is_empty() && writer.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        (extension == UNFINISHED && is_writer && (self.is_name)(name)).then_some(Kind::Unfinished)
    }
}

/// What a file of the folder is.
enum Kind {
    Entry,
    Unfinished,
}

/// Removes a file; another process may have done it already.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// What follows the checksum, where it is what was written.
fn checked(bytes: &[u8]) -> Option<&[u8]> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    let (sum, rest) = (bytes.get(..end)?, bytes.get(end + 1..)?);
    (sum == hash(rest).to_string().as_bytes()).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(most: u64) -> (tempfile::TempDir, DiskCache) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let is_name: fn(&str) -> bool = |name| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
        let kept =
            DiskCache { folder: folder.path().join("deep/er"), extension: "entry", is_name, largest: 1 << 20, most };
        (folder, kept)
    }

    fn entry(bytes: &[u8]) -> Option<Found> {
        Some(Found::Entry(bytes.to_vec()))
    }

    fn files(kept: &DiskCache) -> Vec<(String, u64)> {
        let file = |entry: fs::DirEntry| {
            (entry.file_name().to_string_lossy().into_owned(), entry.metadata().expect("there").len())
        };
        fs::read_dir(&kept.folder).expect("there").map(|entry| file(entry.expect("reads"))).collect()
    }

    #[test]
    fn reads_back_stored_entries_only() {
        let (_folder, kept) = kept(1 << 20);
        assert_eq!(kept.load("1").ok(), Some(Found::Nothing));
        kept.keep("1", b"one").expect("writable");
        kept.keep("1", b"two\nlines").expect("writable");
        assert_eq!(kept.load("1").ok(), entry(b"two\nlines"));
        assert_eq!(files(&kept).len(), 1, "no temporary file stays");
        let error = kept.keep("2", &vec![0; 1 << 20]).expect_err("too large").to_string();
        assert_eq!(error, "entry too large for the disk cache: 1048576 bytes");
    }

    #[test]
    fn removes_a_corrupt_entry() {
        let (_folder, kept) = kept(1 << 20);
        kept.keep("1", b"what was kept").expect("writable");
        let whole = fs::read(kept.file("1")).expect("written");
        let cuts = (0..whole.len()).map(|cut| whole[..cut].to_vec());
        let bends = (0..whole.len()).map(|at| {
            let mut bent = whole.clone();
            bent[at] ^= 1;
            bent
        });
        for torn in cuts.chain(bends) {
            fs::write(kept.file("1"), &torn).expect("writable");
            assert_eq!(kept.load("1").ok(), Some(Found::Torn), "{torn:?}");
            assert_eq!(kept.load("1").ok(), Some(Found::Nothing), "it is out of the way");
        }
    }

    #[test]
    fn evicts_the_oldest_entries() {
        let (_folder, kept) = kept(4096);
        let at = |seconds: u64| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        for number in 1..8 {
            kept.keep(&number.to_string(), &[0; 500]).expect("writable");
            let file = File::options().write(true).open(kept.file(&number.to_string())).expect("written");
            file.set_modified(at(number)).expect("the clock is ours");
        }
        assert_eq!(kept.load("1").ok(), entry(&[0; 500]), "seven entries fit");
        (8..12).for_each(|number| kept.keep(&number.to_string(), &[0; 500]).expect("writable"));
        assert_eq!(kept.load("2").ok(), Some(Found::Nothing), "the one that was used longest ago is gone");
        assert_eq!(kept.load("1").ok(), entry(&[0; 500]), "the one that was read stays");
        let total: u64 = files(&kept).iter().map(|file| file.1).sum();
        assert!(total <= 4096, "{total}");
    }

    #[test]
    fn keeps_other_files_and_entries_being_written() {
        let (_folder, kept) = kept(1000);
        kept.keep("0", b"made the folder").expect("writable");
        let file = |name: &str| kept.folder.join(name);
        // Files with other names are not ours, whatever their extension.
        let others = [
            "notes.txt",
            "important.entry",
            "1.bak.entry",
            "chapter.unfinished",
            ".chapter.1.unfinished",
            "1.1.unfinished",
            ".1.draft.unfinished",
        ]
        .map(file);
        let [begun, abandoned] = [".2.1-0.unfinished", ".3.1-0.unfinished"].map(file);
        for path in others.iter().chain([&begun, &abandoned]) {
            fs::write(path, vec![7; 5000]).expect("writable");
        }
        for path in others.iter().chain([&abandoned]) {
            let file = File::options().write(true).open(path).expect("written");
            file.set_modified(SystemTime::now() - 2 * ABANDONED).expect("the clock is ours");
        }
        kept.keep("4", b"what was kept").expect("writable");
        for path in others.iter().chain([&begun]) {
            assert!(path.exists(), "{}", path.display());
        }
        assert!(!abandoned.exists());
        assert_eq!(kept.load("4").ok(), entry(b"what was kept"), "none of them takes its room");
    }

    #[test]
    fn concurrent_writers_and_readers_see_whole_entries() {
        let (_folder, kept) = kept(8192);
        std::thread::scope(|scope| {
            for writer in 0..4u8 {
                let kept = &kept;
                scope.spawn(move || {
                    for round in 0..60 {
                        let name = (round % 7).to_string();
                        kept.keep(&name, &vec![writer; round * 13 + 1]).expect("writable");
                        match kept.load(&name).expect("readable") {
                            Found::Nothing => {}
                            Found::Torn => panic!("half an entry"),
                            Found::Entry(bytes) => assert!(bytes.iter().all(|byte| *byte == bytes[0])),
                        }
                    }
                });
            }
        });
        assert!(files(&kept).iter().all(|(name, _)| !name.starts_with('.')));
    }
}
