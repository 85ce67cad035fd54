//! Reading a file, bounded.

use std::fs::{File, FileType};
use std::io::Read;
use std::os::unix::fs::FileTypeExt as _;
use std::path::Path;

use super::error::Problem;

/// The largest file that is opened, in bytes.
pub const MAX_FILE: u64 = 256 << 20;

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

/// Reads a whole file. Its size is checked before anything is read; a pipe is read up to the limit.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Problem> {
    let file = File::open(path).map_err(|error| match path == Path::new("-") {
        true => Problem::StandardInput,
        false => Problem::Io(error),
    })?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(Problem::Directory);
    }
    let too_large = |bytes| Problem::TooLarge { bytes, limit: MAX_FILE };
    if metadata.len() > MAX_FILE {
        return Err(too_large(metadata.len()));
    }
    let mut bytes = Vec::new();
    file.take(MAX_FILE + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 {
        0 => Err(Problem::Empty),
        n if n > MAX_FILE => Err(too_large(n)),
        _ => Ok(bytes),
    }
}
