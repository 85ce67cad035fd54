//! The memory of the GPU: one file in the process's memory, of which each buffer is a range. Drivers map these ranges by
//! the file's descriptor, as they would map a node below `/dev/dri`.

use std::collections::BTreeMap;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

use crate::argument::Refused;

/// A buffer's range of the file.
#[derive(Debug, Clone, Copy)]
struct Range {
    start: u64,
    bytes: u64,
}

/// The file, and its buffers by their handles. Handles and other numbers that drivers receive start at 1.
#[derive(Debug)]
pub struct Memory {
    file: OwnedFd,
    /// Device and inode of the file: what all descriptors of it have in common.
    identity: (u64, u64),
    buffers: BTreeMap<u32, Range>,
    end: u64,
    last: u32,
}

/// Buffers start and end at multiples of this: the largest page that drivers ask for.
const PAGE: u64 = 1 << 16;

impl Memory {
    /// An empty one.
    ///
    /// # Errors
    /// The system gives no file.
    pub fn new() -> io::Result<Memory> {
        // SAFETY: a name that ends with a zero; the descriptor is checked before it is owned.
        let file = unsafe {
            let file = libc::memfd_create(c"lanescope-intel".as_ptr(), libc::MFD_CLOEXEC);
            if file < 0 {
                return Err(io::Error::last_os_error());
            }
            OwnedFd::from_raw_fd(file)
        };
        let identity = identity(file.as_raw_fd()).ok_or_else(io::Error::last_os_error)?;
        Ok(Memory { file, identity, buffers: BTreeMap::new(), end: PAGE, last: 0 })
    }

    /// Whether a descriptor is of this file.
    pub fn is_of(&self, descriptor: RawFd) -> bool {
        identity(descriptor) == Some(self.identity)
    }

    /// One more descriptor of the file; negative if the process has too many.
    pub fn descriptor(&self) -> RawFd {
        // SAFETY: a descriptor that is open.
        unsafe { libc::fcntl(self.file.as_raw_fd(), libc::F_DUPFD_CLOEXEC, 3) }
    }

    /// A number that no other object has.
    pub fn number(&mut self) -> u32 {
        self.last += 1;
        self.last
    }

    /// A new buffer, and its handle.
    ///
    /// # Errors
    /// No room.
    pub fn buffer(&mut self, bytes: u64) -> Result<u32, Refused> {
        let none = Refused::Errno(libc::ENOMEM);
        let bytes = bytes.max(1).checked_next_multiple_of(PAGE).ok_or(none.clone())?;
        let end = self.end.checked_add(bytes).ok_or(none.clone())?;
        let length = libc::off_t::try_from(end).map_err(|_| none.clone())?;
        // SAFETY: a descriptor that is open. The file has holes: pages count once they are written.
        if unsafe { libc::ftruncate(self.file.as_raw_fd(), length) } != 0 {
            return Err(none);
        }
        let handle = self.number();
        self.buffers.insert(handle, Range { start: self.end, bytes });
        self.end = end;
        Ok(handle)
    }

    /// Where in the file a buffer starts.
    ///
    /// # Errors
    /// There is none of this handle.
    pub fn start(&self, handle: u32) -> Result<u64, Refused> {
        self.buffers.get(&handle).map(|range| range.start).ok_or(Refused::Errno(libc::ENOENT))
    }

    /// Drops a buffer: its pages go back to the system.
    ///
    /// # Errors
    /// There is none of this handle.
    pub fn close(&mut self, handle: u32) -> Result<(), Refused> {
        let range = self.buffers.remove(&handle).ok_or(Refused::Errno(libc::EINVAL))?;
        let (Ok(start), Ok(bytes)) = (range.start.try_into(), range.bytes.try_into()) else { return Ok(()) };
        // SAFETY: a descriptor that is open. A file system that cannot do it keeps the pages, which is as right.
        let _ = unsafe {
            libc::fallocate(self.file.as_raw_fd(), libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE, start, bytes)
        };
        Ok(())
    }
}

/// A descriptor of nothing, as the file of a synchronization object; negative if the process has too many.
pub fn event() -> RawFd {
    // SAFETY: it takes numbers.
    unsafe { libc::eventfd(0, libc::EFD_CLOEXEC) }
}

fn identity(descriptor: RawFd) -> Option<(u64, u64)> {
    // SAFETY: zeros are a `stat`; `fstat` writes one, and takes every number for a descriptor.
    let status = unsafe {
        let mut status: libc::stat = std::mem::zeroed();
        (libc::fstat(descriptor, &mut status) == 0).then_some(status)
    }?;
    Some((status.st_dev, status.st_ino))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_ranges_that_do_not_meet() {
        let mut memory = Memory::new().expect("a file");
        let [first, second] = [memory.buffer(5), memory.buffer(PAGE + 1)].map(|made| made.expect("room"));
        let start = |handle| memory.start(handle).expect("a buffer");
        assert_eq!((start(first), start(second)), (PAGE, 2 * PAGE));
        assert_eq!(memory.buffer(u64::MAX), Err(Refused::Errno(libc::ENOMEM)));
        assert_eq!(memory.close(first), Ok(()));
        assert_eq!(memory.start(first), Err(Refused::Errno(libc::ENOENT)));
        let descriptor = memory.descriptor();
        assert!(memory.is_of(descriptor) && !memory.is_of(0) && !memory.is_of(-1));
    }
}
