//! Reading a file of any kind, bounded in size and time.

use lanescope_base::files::MAX_FILE;
use std::fs::{File, FileType, Metadata, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::{Component, Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use rustix::fs::{OFlags, fstatfs};

use super::error::Problem;

/// The file name that stands for standard input.
pub const STANDARD_INPUT: &str = "-";

/// How long standard input or a FIFO is waited for by default, until its writer has closed it.
pub const MAX_WAIT: Duration = Duration::from_secs(60);

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

/// Whether a name is standard input or a FIFO, which only this process can read, and only once: `-`, `<(…)` of a shell.
pub fn is_stream(path: &Path) -> bool {
    path == Path::new(STANDARD_INPUT)
        || ["/dev/stdin", "/dev/fd", "/proc/self/fd"].iter().any(|own| path.starts_with(own))
        || path.metadata().is_ok_and(|metadata| metadata.file_type().is_fifo())
}

/// The path of a file by its name in a folder.
///
/// # Errors
/// Why the name is of a file outside of the folder.
pub fn in_folder(folder: &Path, name: &str) -> Result<PathBuf, &'static str> {
    let drive = name.as_bytes().get(1) == Some(&b':') || name.starts_with('\\');
    if drive || Path::new(name).is_absolute() {
        return Err("is an absolute path");
    }
    let mut depth = 0i32;
    for part in Path::new(name).components() {
        depth += match part {
            Component::Normal(_) => 1,
            Component::ParentDir => -1,
            _ => 0,
        };
        if depth < 0 {
            return Err("leaves the folder");
        }
    }
    let path = folder.join(name);
    // A link may point out of the folder where the name does not.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    if let (Ok(real), Ok(root)) = (path.canonicalize(), folder.canonicalize())
        && !real.starts_with(&root)
    {
        return Err("is a link out of the folder");
    }
    Ok(path)
}

/// Reads a file that a user named: standard input (`-`) and FIFOs until their writer closes them, at most for `wait`;
/// regular files of at most `most` bytes.
///
/// # Errors
/// A folder, a socket, a device, a file of the kernel's own file systems; more bytes than `most`; a stream that does not
/// end in time. An empty file is none.
pub fn read_file(path: &Path, most: u64, wait: Duration) -> Result<Vec<u8>, Problem> {
    if !is_stream(path) {
        return read_regular(path, most);
    }
    let (sender, receiver) = mpsc::channel();
    let owned = path.to_owned();
    // Opening a FIFO without a writer blocks, and so does reading a stream that is silent: a thread of its own does both,
    // and is left behind where that takes too long.
    std::thread::spawn(move || {
        // No one waits any more where it took too long.
        let _ = sender.send(read_stream(&owned, most));
    });
    let what = if path == Path::new(STANDARD_INPUT) { "standard input" } else { "a FIFO" };
    receiver.recv_timeout(wait).unwrap_or(Err(Problem::Silent { what, seconds: wait.as_secs_f64() }))
}

fn read_stream(path: &Path, most: u64) -> Result<Vec<u8>, Problem> {
    if path == Path::new(STANDARD_INPUT) {
        return at_most(io::stdin().lock(), most, 0);
    }
    let metadata = path.metadata()?;
    if !metadata.file_type().is_fifo() {
        return read_regular(path, most);
    }
    let file = File::open(path)?;
    // It may be another file by now.
    if !file.metadata()?.file_type().is_fifo() {
        return read_regular(path, most);
    }
    at_most(file, most, 0)
}

/// Opens a regular file for reading.
///
/// # Errors
/// A folder, a FIFO, a socket, a device, a file of the kernel's own file systems.
pub fn open(path: &Path) -> Result<File, Problem> {
    let is_standard_input = path == Path::new(STANDARD_INPUT);
    let io = |error| if is_standard_input { Problem::StandardInput } else { Problem::Io(error) };
    // Before it is opened, since opening some devices has effects; and after, since it may be another by then.
    regular(&path.metadata().map_err(io)?)?;
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    regular(&file.metadata()?)?;
    let system = fstatfs(&file).map_err(io::Error::from)?.f_type;
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

/// Reads a whole regular file of one byte or more.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Problem> {
    filled(read_regular(path, MAX_FILE)?)
}

/// Reads a file that a user named: a regular file, or a FIFO (`<(…)` of a shell) until its writer has closed it. Standard
/// input belongs to the process that the user started: it is read there.
pub(super) fn read_named(path: &Path) -> Result<Vec<u8>, Problem> {
    match path.metadata() {
        Ok(metadata) if metadata.file_type().is_fifo() => filled(read_file(path, MAX_FILE, MAX_WAIT)?),
        _ => read(path),
    }
}

/// Bytes that are some.
pub(super) fn filled(bytes: Vec<u8>) -> Result<Vec<u8>, Problem> {
    if bytes.is_empty() { Err(Problem::Empty) } else { Ok(bytes) }
}

/// Reads a regular file. Its size is checked before anything is read.
fn read_regular(path: &Path, most: u64) -> Result<Vec<u8>, Problem> {
    let file = open(path)?;
    match file.metadata()?.len() {
        bytes if bytes > most => Err(Problem::TooLarge { bytes, limit: most }),
        // One byte more shows the end without room for twice as many.
        bytes => at_most(file, most, usize::try_from(bytes).unwrap_or(0).saturating_add(1)),
    }
}

/// Reads to the end; `expected` bytes have room at once.
fn at_most(from: impl Read, most: u64, expected: usize) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::with_capacity(expected);
    from.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(Problem::Endless { limit: most }) } else { Ok(bytes) }
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
            ("/proc/self/status".into(), "is a virtual file of procfs"),
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
        // Without a writer, or with one that says nothing, it still ends.
        let wait = Duration::from_millis(50);
        assert!(matches!(read_file(&path, 9, wait), Err(Problem::Silent { .. })));
    }

    #[test]
    fn a_stream_is_read_up_to_its_limit() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("fifo");
        mkfifoat(CWD, &path, Mode::RWXU).expect("a FIFO");
        assert!(is_stream(&path) && is_stream(Path::new("-")) && is_stream(Path::new("/dev/fd/63")));
        assert!(!is_stream(folder.path()) && !is_stream(Path::new("/dev/zero")));
        let writer = path.clone();
        // The reader closes it at its limit.
        let thread = std::thread::spawn(move || fs::write(writer, vec![7; 1 << 20]));
        let error = read_file(&path, 1000, Duration::from_secs(10)).expect_err("a mebibyte is more");
        assert_eq!(error.to_string(), "is larger than 1000 bytes, the most that is read");
        assert!(thread.join().expect("ends").is_err(), "nobody reads the rest");
        fs::write(folder.path().join("empty"), "").expect("writable");
        let empty = folder.path().join("empty");
        assert_eq!(read_file(&empty, 9, Duration::ZERO).expect("reads"), b"");
        assert!(matches!(read(&empty), Err(Problem::Empty)));
    }
}
