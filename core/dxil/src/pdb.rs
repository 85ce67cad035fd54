//! PDBs as DXC writes them: an MSF 7.00 file, and in its stream 5 a container with sources, arguments and debug bitcode.
//!
//! An own reader: a stream is as large as its file at most, which readers of any PDB do not promise. Nothing else of a
//! PDB is needed, since DXC leaves its other streams empty.

use super::bytes::Bytes;
use super::error::Fault;
use crate::findings;

/// What an MSF 7.00 file starts with.
pub const MAGIC: [u8; 32] = *b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0";

/// The stream that identifies the PDB.
const IDENTITY: usize = 1;
/// The stream that DXC puts the container into.
const CONTAINER: usize = 5;
/// Sizes that a block may have.
const BLOCKS: std::ops::RangeInclusive<usize> = 512..=1 << 16;
/// The size of a stream that does not exist.
const NO_STREAM: u32 = u32::MAX;

/// A PDB that a container was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Pdb {
    /// Bytes of the whole file.
    pub bytes: u64,
    /// Bytes of each of its streams.
    pub streams: Vec<u32>,
    /// The hash that identifies it, in hexadecimal: that of the shader.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "String::is_empty", default))]
    pub hash: String,
}

/// The blocks of an MSF file.
struct Blocks<'a> {
    file: Bytes<'a>,
    size: usize,
}

impl<'a> Blocks<'a> {
    fn one(&self, number: u32, bytes: usize) -> Result<&'a [u8], Fault> {
        let at = (number as usize).saturating_mul(self.size);
        self.file.slice(at, bytes, &format!("block {number}"))
    }

    /// The first `bytes` bytes of blocks, which are as many as the file has at most.
    fn joined(&self, numbers: impl Iterator<Item = u32>, bytes: usize) -> Result<Vec<u8>, Fault> {
        let mut out = Vec::with_capacity(bytes);
        for number in numbers {
            let left = bytes - out.len();
            out.extend(self.one(number, left.min(self.size))?);
        }
        Ok(out)
    }
}

/// Reads a PDB: what identifies it, and the bytes of its container.
pub(crate) fn read(file: Bytes<'_>) -> Result<(Pdb, Vec<u8>), Fault> {
    let word = |at: usize| file.u32(at, "MSF header");
    let (size, directory, map) = (word(32)? as usize, word(44)? as usize, word(52)? as usize);
    if !BLOCKS.contains(&size) || !size.is_power_of_two() {
        return Err(file.fault(32, format!("block size is {size}, expected a power of two from 512 to 65536")));
    }
    let blocks = Blocks { file, size };
    let most = file.len();
    if directory > most {
        return Err(file.fault(44, format!("directory has {directory} bytes, but the file has {most}")));
    }
    let numbers = |data: &[u8]| data.as_chunks::<4>().0.iter().map(|n| u32::from_le_bytes(*n)).collect::<Vec<_>>();
    let of_directory = file.slice(map.saturating_mul(size), 4 * directory.div_ceil(size), "blocks of the directory")?;
    let directory = numbers(&blocks.joined(numbers(of_directory).into_iter(), directory)?);
    let (count, rest) = directory.split_first().ok_or_else(|| file.fault(44, "the directory is empty"))?;
    let sizes = rest.get(..*count as usize);
    let sizes = sizes.ok_or_else(|| file.fault(44, format!("directory lists {count} streams, but ends before")))?;
    let lists = rest.get(sizes.len()..).unwrap_or_default();
    let bytes_of = |size: u32| if size == NO_STREAM { 0 } else { size as usize };
    let stream = |index: usize| -> Result<Vec<u8>, Fault> {
        let Some(bytes) = sizes.get(index).map(|size| bytes_of(*size)) else { return Ok(Vec::new()) };
        if bytes > most {
            return Err(file.fault(44, format!("stream {index} has {bytes} bytes, but the file has {most}")));
        }
        let before: usize = sizes.iter().take(index).map(|other| bytes_of(*other).div_ceil(size)).sum();
        let own = lists.get(before..before.saturating_add(bytes.div_ceil(size)));
        let own = own.ok_or_else(|| file.fault(44, format!("directory ends inside the blocks of stream {index}")))?;
        blocks.joined(own.iter().copied(), bytes)
    };
    let container = stream(CONTAINER)?;
    if !container.starts_with(b"DXBC") {
        let message = format!(
            "the PDB has {count} streams, and stream {CONTAINER} is not a DXIL container; expected a PDB that dxc wrote"
        );
        return Err(file.fault(0, message));
    }
    // Version, signature and age, then the hash.
    let hash = stream(IDENTITY)?.get(12..28).map(super::hex).unwrap_or_default();
    let streams = sizes.iter().map(|size| bytes_of(*size) as u32).collect();
    Ok((Pdb { bytes: most as u64, streams, hash }, container))
}

/// The bytes of a PDB.
pub(crate) fn bytes(data: &[u8], base: u64) -> Bytes<'_> {
    Bytes::new(data, base, findings::BAD_PDB)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::testing;

    /// A PDB with streams, laid out with the block size `size`, its blocks in falling order.
    pub fn msf(streams: &[&[u8]], size: usize) -> Vec<u8> {
        let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        let count = |bytes: usize| bytes.div_ceil(size);
        let mut list = vec![streams.len() as u32];
        list.extend(streams.iter().map(|stream| stream.len() as u32));
        let total: usize = streams.iter().map(|stream| count(stream.len())).sum();
        let directory_bytes = 4 * (list.len() + total);
        let first = 4 + count(directory_bytes) as u32;
        let mut next = first + total as u32;
        for stream in streams {
            for _ in 0..count(stream.len()) {
                next -= 1;
                list.push(next);
            }
        }
        let mut file = MAGIC.to_vec();
        file.extend(words(&[size as u32, 1, first + total as u32, directory_bytes as u32, 0, 3]));
        file.resize(3 * size, 0);
        file.extend(words(&(4..first).collect::<Vec<u32>>()));
        file.resize(4 * size, 0);
        file.extend(words(&list));
        file.resize(first as usize * size, 0);
        let chunks: Vec<&[u8]> = streams.iter().flat_map(|stream| stream.chunks(size)).collect();
        for chunk in chunks.iter().rev() {
            file.extend(*chunk);
            file.resize(file.len().next_multiple_of(size), 0);
        }
        file
    }

    fn sample() -> Vec<u8> {
        testing::bytes("orbit_debug.cs.dxil")
    }

    fn message(file: &[u8]) -> String {
        let fault = read(bytes(file, 0)).expect_err("is broken");
        assert_eq!(fault.rule.code, "C60");
        fault.message.clone()
    }

    #[test]
    fn reads_the_container_of_any_layout() {
        let identity: Vec<u8> = (0..28).collect();
        for size in [512, 4096] {
            let file = msf(&[&[], &identity, &[], &[], &[], &sample()], size);
            let (pdb, container) = read(bytes(&file, 0)).expect("reads");
            assert!(container == sample(), "{size}");
            assert_eq!(pdb.streams, [0, 28, 0, 0, 0, sample().len() as u32]);
            assert_eq!((pdb.bytes, pdb.hash.as_str()), (file.len() as u64, "0x0c0d0e0f101112131415161718191a1b"));
        }
    }

    #[test]
    fn names_what_is_broken() {
        let file = msf(&[&[], &[], &[], &[], &[], &sample()], 512);
        let with = |at: usize, word: u32| {
            let mut file = file.clone();
            file[at..at + 4].copy_from_slice(&word.to_le_bytes());
            message(&file)
        };
        assert!(with(32, 500).contains("block size is 500"));
        assert!(with(44, u32::MAX).contains("directory has 4294967295 bytes"));
        assert!(with(52, 1 << 30).contains("blocks of the directory needs"));
        assert!(with(4 * 512, u32::MAX).contains("directory lists 4294967295 streams"));
        assert!(with(4 * 512 + 4 * 6, u32::MAX - 1).contains("stream 5 has 4294967294 bytes"));
        assert!(with(4 * 512 + 4 * 7, 1 << 30).contains("block 1073741824 needs"));
        assert!(message(&msf(&[b"one"], 512)).contains("has 1 streams, and stream 5 is not a DXIL container"));
        for length in 0..file.len() {
            let _ = read(bytes(&file[..length], 0));
        }
    }
}
