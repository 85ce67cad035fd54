//! Reading a file, bounded in size and time, whatever kind of file it is.

use std::fs::{File, FileType, Metadata, OpenOptions};
use std::io::Read;
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

use rustix::fs::{OFlags, fstatfs};

use super::error::Problem;

/// The largest file that is opened, in bytes.
pub const MAX_FILE: u64 = 256 << 20;

/// How long a FIFO is waited for, until its writer has closed it.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// File systems whose files are views of the kernel, by their magic numbers (`statfs(2)`): reading some of them waits,
/// never ends or has effects, though they claim to be regular files.
const KERNEL: [(i64, &str); 6] = [
    (0x9fa0, "procfs"),
    (0x6265_6572, "sysfs"),
    (0x6462_6720, "debugfs"),
    (0x7472_6163, "tracefs"),
    (0x7363_6673, "securityfs"),
    (0x6367_7270, "cgroup2"),
];

/// What a file is that is neither a regular file nor a folder: `a FIFO`.
pub fn special_file(kind: FileType) -> Option<&'static str> {
    if kind.is_fifo() {
        Some("a FIFO")
    } else if kind.is_socket() {
        Some("a socket")
    } else if kind.is_char_device() {
        Some("a character device")
    } else if kind.is_block_device() {
        Some("a block device")
    } else {
        None
    }
}

/// Opens a regular file for reading.
///
/// Errors: a folder, a FIFO, a socket, a device, a file of the kernel's own file systems.
pub(super) fn open(path: &Path) -> Result<File, Problem> {
    let is_standard_input = path == Path::new("-");
    let io = |error| if is_standard_input { Problem::StandardInput } else { Problem::Io(error) };
    // Before it is opened, since opening some devices has effects; and after, since it may be another by then.
    regular(&path.metadata().map_err(io)?)?;
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    regular(&file.metadata()?)?;
    let system = fstatfs(&file).map_err(std::io::Error::from)?.f_type;
    match KERNEL.iter().find(|(magic, _)| i128::from(*magic) == i128::from(system)) {
        Some((_, system)) => Err(Problem::KernelFile { system }),
        None => Ok(file),
    }
}

fn regular(metadata: &Metadata) -> Result<(), Problem> {
    match special_file(metadata.file_type()) {
        Some(kind) => Err(Problem::SpecialFile { kind }),
        None if metadata.is_dir() => Err(Problem::Directory),
        None => Ok(()),
    }
}

/// Reads a whole regular file. Its size is checked before anything is read.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Problem> {
    let file = open(path)?;
    match file.metadata()?.len() {
        bytes if bytes > MAX_FILE => Err(Problem::TooLarge { bytes, limit: MAX_FILE }),
        _ => whole(file),
    }
}

/// Reads a file that a user named: a regular file, or a FIFO (`<(…)` of a shell) until its writer has closed it.
pub(super) fn read_named(path: &Path) -> Result<Vec<u8>, Problem> {
    match path.metadata() {
        Ok(metadata) if metadata.file_type().is_fifo() => read_fifo(path, MAX_WAIT),
        _ => read(path),
    }
}

/// A FIFO without a writer blocks whoever opens it, and one that is silent whoever reads it: a thread of its own does
/// both, and is left behind where that takes too long.
fn read_fifo(path: &Path, wait: Duration) -> Result<Vec<u8>, Problem> {
    let (sender, receiver) = mpsc::channel();
    let path = path.to_owned();
    std::thread::spawn(move || {
        let read =
            File::open(&path).map_err(Problem::Io).and_then(|file| match file.metadata()?.file_type().is_fifo() {
                true => whole(file),
                false => read(&path),
            });
        // No one waits any more where it took too long.
        let _ = sender.send(read);
    });
    receiver.recv_timeout(wait).unwrap_or(Err(Problem::Silent { seconds: wait.as_secs() }))
}

fn whole(file: File) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    file.take(MAX_FILE + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 {
        0 => Err(Problem::Empty),
        bytes if bytes > MAX_FILE => Err(Problem::TooLarge { bytes, limit: MAX_FILE }),
        _ => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::net::UnixListener;

    use rustix::fs::{CWD, Mode, mkfifoat};

    use super::*;

    #[test]
    fn refuses_what_is_not_a_regular_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        mkfifoat(CWD, path("fifo"), Mode::RWXU).expect("a FIFO");
        let _socket = UnixListener::bind(path("socket")).expect("a socket");
        std::os::unix::fs::symlink("/dev/zero", path("link")).expect("a link");
        for (file, words) in [
            (path("fifo"), "is a FIFO"),
            (path("socket"), "is a socket"),
            (path("link"), "is a character device"),
            ("/proc/self/status".into(), "is a file of procfs"),
            ("/proc/kmsg".into(), "procfs"),
            (folder.path().to_owned(), "is a folder"),
        ] {
            // Some systems have no such file, or keep it from users.
            match read(&file).expect_err("is refused") {
                Problem::Io(error) => assert!(file.starts_with("/proc"), "{file:?}: {error}"),
                problem => assert!(problem.to_string().contains(words), "{file:?}: {problem}"),
            }
        }
        fs::write(path("file"), "text").expect("writable");
        assert_eq!(read(&path("file")).expect("reads"), b"text");
    }

    #[test]
    fn reads_a_fifo_until_its_writer_closes_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("fifo");
        mkfifoat(CWD, &path, Mode::RWXU).expect("a FIFO");
        let writer = path.clone();
        let thread = std::thread::spawn(move || fs::write(writer, "OpCapability Shader\n"));
        assert_eq!(read_named(&path).expect("reads"), b"OpCapability Shader\n");
        thread.join().expect("ends").expect("writes");
        // Without a writer, or with one that says nothing, it ends all the same.
        let wait = Duration::from_millis(50);
        assert!(matches!(read_fifo(&path, wait), Err(Problem::Silent { .. })));
    }
}
