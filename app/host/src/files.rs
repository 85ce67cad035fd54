//! Reads files that a user names, up to a size limit, which also bounds pipes. And
//! files of our own, written so that partial files are never read.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use lanescope_core::load::{MAX_WAIT, Problem, open_regular, read_file};

/// Reads all that there is, at most `most` bytes.
///
/// # Errors
/// What the system says; [`io::ErrorKind::FileTooLarge`] where there is more.
pub fn all_of(from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => {
            let message = format!("it is larger than the limit of {most} bytes");
            Err(io::Error::new(io::ErrorKind::FileTooLarge, message))
        }
        false => Ok(bytes),
    }
}

/// Reads a whole file of at most `most` bytes: a regular file, standard input (`-`) or a FIFO.
///
/// # Errors
/// What is wrong with the file, with its name.
pub fn read_at_most(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let name = path.display();
    read_file(path, most, MAX_WAIT).map_err(|problem| match problem {
        Problem::TooLarge { .. } | Problem::Endless { .. } => {
            format!("{name}: is larger than the limit of {most} bytes")
        }
        Problem::Directory => format!("{name}: is a folder"),
        problem => format!("{name}: {problem}"),
    })
}

/// The same as text.
///
/// # Errors
/// Like the above; also bytes that are not UTF-8, with their offset.
pub fn text_at_most(path: &Path, most: u64) -> Result<String, String> {
    let bytes = read_at_most(path, most)?;
    String::from_utf8(bytes).map_err(|error| format!("{}: not UTF-8 text: {error}", path.display()))
}

/// How a file begins, where it is a regular one: a pipe can be read only once, so it is left to who reads it.
pub fn head(path: &Path, bytes: u64) -> Option<Vec<u8>> {
    let mut head = Vec::new();
    open_regular(path).ok()?.take(bytes).read_to_end(&mut head).ok()?;
    Some(head)
}

/// Writes a file under a name beside its place, and puts it there at once: a reader sees the old one or the whole new
/// one.
///
/// # Errors
/// What the file system says; nothing is beside the place then.
pub fn put_beside(beside: &Path, place: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let written = File::create(beside).and_then(|mut file| write(&mut file));
    let done = written.and_then(|()| fs::rename(beside, place));
    if done.is_err() {
        // Nothing is lost if the leftover cannot be removed.
        let _ = fs::remove_file(beside);
    }
    done
}

/// Unique number of a temporary file of this process.
pub fn number() -> u64 {
    static WRITTEN: AtomicU64 = AtomicU64::new(0);
    WRITTEN.fetch_add(1, Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn an_incomplete_write_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (beside, place) = (folder.path().join("fresh"), folder.path().join("file"));
        fs::write(&place, "old").expect("writable");
        // A device that is always full.
        std::os::unix::fs::symlink("/dev/full", &beside).expect("a link");
        let error = put_beside(&beside, &place, |file| file.write_all(&[7; 100_000])).expect_err("it is full");
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert_eq!((beside.is_symlink(), fs::read(&place).ok().as_deref()), (false, Some(&b"old"[..])));
        assert!(put_beside(&beside, &place, |file| file.write_all(b"new")).is_ok());
        assert_eq!((beside.exists(), fs::read(&place).ok().as_deref()), (false, Some(&b"new"[..])));
    }

    #[test]
    fn reads_files_up_to_the_limit() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("nine");
        fs::write(&path, "123456789").expect("writes");
        assert_eq!(read_at_most(&path, 9).as_deref(), Ok(&b"123456789"[..]));
        assert!(read_at_most(&path, 8).expect_err("too long").ends_with("nine: is larger than the limit of 8 bytes"));
        assert_eq!(head(&path, 3).as_deref(), Some(&b"123"[..]));
        fs::write(&path, [b'a', 0xff]).expect("writes");
        assert!(text_at_most(&path, 9).expect_err("no text").contains("nine: not UTF-8 text"));
        assert!(read_at_most(folder.path(), 9).is_err() && head(folder.path(), 9).is_none());
        assert!(read_at_most(&folder.path().join("nowhere"), 9).expect_err("no file").contains("cannot be read"));
    }

    #[cfg(unix)]
    #[test]
    fn rejects_devices_and_kernel_files() {
        let zeros = Path::new("/dev/zero");
        assert!(read_at_most(zeros, 1 << 16).expect_err("endless").contains("is a character device"));
        assert!(read_at_most(Path::new("/proc/self/maps"), 1 << 16).expect_err("procfs").contains("file of procfs"));
        assert_eq!(head(zeros, 9), None);
    }
}
