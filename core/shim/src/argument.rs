//! The argument of a request: a structure in the caller's memory, whose size the request's number holds.

use std::slice;

/// Why a request fails: `errno`, or the name of what is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// The kernel's own answer.
    Errno(i32),
    /// Something that this library does not know.
    Unknown(String),
}

/// What a request answers.
pub type Answer = Result<(), Refused>;

/// A structure of the kernel's interface. Numbers are little-endian, as on every machine that has these GPUs.
#[derive(Debug)]
pub struct Argument<'a>(&'a mut [u8]);

impl<'a> Argument<'a> {
    /// The structure that a caller points at; an empty one for a null pointer.
    ///
    /// # Safety
    /// `address` is null, or `bytes` bytes there may be read and written, and nothing else uses them for `'a`.
    pub unsafe fn at(address: u64, bytes: usize) -> Argument<'a> {
        let start = address as usize as *mut u8;
        if start.is_null() {
            return Argument(&mut []);
        }
        // SAFETY: the caller of this function promises it.
        Argument(unsafe { slice::from_raw_parts_mut(start, bytes) })
    }

    /// A structure in this process.
    #[cfg(test)]
    pub fn of(bytes: &'a mut [u8]) -> Argument<'a> {
        Argument(bytes)
    }

    /// How many bytes it has.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    fn bytes<const N: usize>(&self, at: usize) -> Result<[u8; N], Refused> {
        let bytes = self.0.get(at..at + N).and_then(|bytes| bytes.try_into().ok());
        bytes.ok_or(Refused::Errno(libc::EINVAL))
    }

    /// The number in 4 bytes there.
    ///
    /// # Errors
    /// The structure is shorter.
    pub fn u32(&self, at: usize) -> Result<u32, Refused> {
        self.bytes(at).map(u32::from_le_bytes)
    }

    /// The number in 8 bytes there.
    ///
    /// # Errors
    /// The structure is shorter.
    pub fn u64(&self, at: usize) -> Result<u64, Refused> {
        self.bytes(at).map(u64::from_le_bytes)
    }

    /// Writes bytes there.
    ///
    /// # Errors
    /// The structure is shorter.
    pub fn put(&mut self, at: usize, bytes: &[u8]) -> Answer {
        let to = self.0.get_mut(at..at + bytes.len()).ok_or(Refused::Errno(libc::EINVAL))?;
        to.copy_from_slice(bytes);
        Ok(())
    }

    /// Writes a number of 4 bytes there.
    ///
    /// # Errors
    /// The structure is shorter.
    pub fn put_u32(&mut self, at: usize, value: u32) -> Answer {
        self.put(at, &value.to_le_bytes())
    }

    /// Writes a number of 8 bytes there.
    ///
    /// # Errors
    /// The structure is shorter.
    pub fn put_u64(&mut self, at: usize, value: u64) -> Answer {
        self.put(at, &value.to_le_bytes())
    }
}

/// Bytes of an answer of variable length, as the kernel lays out its structures.
#[derive(Debug, Default)]
pub struct Block(Vec<u8>);

impl Block {
    /// Zeros.
    pub fn of(bytes: usize) -> Block {
        Block(vec![0; bytes])
    }

    /// Sets a number at a place that the block has.
    pub fn set<const N: usize>(&mut self, at: usize, bytes: [u8; N]) -> &mut Block {
        self.0[at..at + N].copy_from_slice(&bytes);
        self
    }

    /// Sets one bit of those from `at` on.
    pub fn set_bit(&mut self, at: usize, bit: usize) {
        self.0[at + bit / 8] |= 1 << (bit % 8);
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}
