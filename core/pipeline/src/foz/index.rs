//! The entries of a database: the location of each object. Only the entries' headers are read.

use std::io::{BufReader, Read, Seek, SeekFrom};

use super::Tag;
use super::payload::{MAX_SWOLLEN, is_swollen};
use crate::Fault;
use crate::findings;
use crate::notes::Notes;

/// The first bytes of a database; three zeros and a version follow.
pub const MAGIC: &[u8; 12] = b"\x81FOSSILIZEDB";
/// Bytes before the first entry.
pub const HEADER: u64 = 16;
/// Bytes of an entry before its payload.
pub const ENTRY: u64 = 56;
/// Versions of which entries look alike.
const VERSIONS: [u8; 2] = [5, 6];
/// The largest file, in bytes.
const MAX_FILE: u64 = 64 << 30;
/// The most entries.
const MAX_ENTRIES: usize = 16_000_000;

/// The location of an object. Small: there are millions of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// Its key.
    pub hash: u64,
    /// Start of its entry.
    pub at: u64,
    /// Its kind.
    pub tag: Tag,
    /// Index of its file among the files of the set.
    pub file: u8,
}

/// The header of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// Bytes of the payload in the file.
    pub stored: u32,
    /// 1 stored, 2 deflate.
    pub kind: u32,
    /// CRC-32 of the stored bytes; 0 for none.
    pub crc: u32,
    /// Bytes of the payload.
    pub size: u32,
}

/// A header, with the tag and the hash as written.
pub fn header(bytes: &[u8; ENTRY as usize]) -> Option<(u64, u64, Header)> {
    let digits = &bytes[..40];
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    // Fossilize reads characters 8 to 23 of the tag.
    let tag = std::str::from_utf8(&digits[8..24]).ok().and_then(|text| u64::from_str_radix(text, 16).ok())?;
    let hash = std::str::from_utf8(&digits[24..]).ok().and_then(|text| u64::from_str_radix(text, 16).ok())?;
    let word = |at: usize| bytes[at..].first_chunk().map_or(0, |chunk| u32::from_le_bytes(*chunk));
    Some((tag, hash, Header { stored: word(40), kind: word(44), crc: word(48), size: word(52) }))
}

/// An entry as stored in its file.
pub fn entry_of<R: Read + Seek>(reader: &mut R, place: &Place, name: &str) -> Result<Vec<u8>, Fault> {
    let header = super::payload::header_of(reader, place, name)?;
    let cut = |error: std::io::Error| fault(findings::FOZ_TRUNCATED_TAIL, place.at, format!("{name}: {error}"));
    if header.stored > super::payload::MAX_PAYLOAD {
        let message = format!("{name}: {} bytes are stored", header.stored);
        return Err(fault(findings::FOZ_SIZE_LIMIT, place.at, message));
    }
    let mut bytes = vec![0; ENTRY as usize + header.stored as usize];
    reader.seek(SeekFrom::Start(place.at)).map_err(cut)?;
    reader.read_exact(&mut bytes).map_err(cut)?;
    Ok(bytes)
}

/// Whether bytes are the start of a database.
pub fn looks_like(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// What the headers of a file say.
#[derive(Debug, Clone, Copy)]
pub struct Scanned {
    /// The version of its entries.
    pub version: u8,
    /// The first entry of a swollen object ([`is_swollen`]) that exceeds what is read of these.
    pub limit: Option<u64>,
}

/// Reads the headers of one file. `swollen` counts the bytes of swollen objects, over all files of a set.
///
/// # Errors
/// A file that is not a database.
pub fn scan<R: Read + Seek>(
    reader: &mut R,
    file: u8,
    places: &mut Vec<Place>,
    swollen: &mut u64,
    notes: &mut Notes<'_>,
) -> Result<Scanned, Fault> {
    let io = |error: std::io::Error| fault(findings::FOZ_EMPTY, 0, format!("cannot be read: {error}"));
    let length = reader.seek(SeekFrom::End(0)).map_err(io)?;
    reader.seek(SeekFrom::Start(0)).map_err(io)?;
    if length == 0 {
        return Err(fault(findings::FOZ_EMPTY, 0, "the file is empty, expected at least 16 bytes".to_owned()));
    }
    if length > MAX_FILE {
        let message = format!("the file has {length} bytes, expected at most {MAX_FILE}");
        return Err(fault(findings::FOZ_SIZE_LIMIT, 0, message));
    }
    let mut reader = BufReader::with_capacity(1 << 13, reader);
    let mut head = [0u8; HEADER as usize];
    let got = read_up_to(&mut reader, &mut head).map_err(io)?;
    if got < head.len() || !looks_like(&head) || head[12..15] != [0, 0, 0] {
        let found: Vec<String> = head[..got].iter().map(|byte| format!("{byte:02x}")).collect();
        let message = format!("expected 0x81 FOSSILIZEDB and three zeros, found {}", found.join(" "));
        return Err(fault(findings::FOZ_MAGIC, 0, message));
    }
    let version = head[15];
    if !VERSIONS.contains(&version) {
        let message = format!("version is {version}, expected 5 or 6");
        return Err(fault(findings::FOZ_VERSION, 15, message));
    }
    let mut at = HEADER;
    let mut limit = None;
    let mut unknown = std::collections::BTreeMap::<u64, (u64, u64)>::new();
    while at < length {
        let left = length - at;
        if left < ENTRY {
            let message = format!("{left} bytes remain for an entry header of {ENTRY} bytes: the file is truncated");
            notes.add_at_byte(findings::FOZ_TRUNCATED_TAIL, at, message);
            break;
        }
        let mut bytes = [0u8; ENTRY as usize];
        if read_up_to(&mut reader, &mut bytes).map_err(io)? < bytes.len() {
            notes.add_at_byte(findings::FOZ_TRUNCATED_TAIL, at, "the file was truncated while it was read");
            break;
        }
        let Some((tag, hash, header)) = header(&bytes) else {
            let message =
                "expected 40 hexadecimal digits at the start of an entry; the stored size of an earlier entry is wrong";
            notes.add_at_byte(findings::FOZ_LOST_SYNC, at, message);
            break;
        };
        if u64::from(header.stored) > left - ENTRY {
            let message =
                format!("the entry has {} bytes, but {} remain: the file is truncated", header.stored, left - ENTRY);
            notes.add_at_byte(findings::FOZ_TRUNCATED_TAIL, at, message);
            break;
        }
        match Tag::of(tag) {
            Some(tag) => {
                if places.len() >= MAX_ENTRIES {
                    let message = format!("more than {MAX_ENTRIES} entries; the rest is not listed");
                    notes.add_at_byte(findings::FOZ_SIZE_LIMIT, at, message);
                    break;
                }
                places.push(Place { hash, at, tag, file });
                if is_swollen(&header) {
                    *swollen = swollen.saturating_add(u64::from(header.size));
                    if *swollen > MAX_SWOLLEN {
                        limit.get_or_insert(at);
                    }
                }
            }
            // As many kinds as are worth a line.
            None if unknown.len() < 64 || unknown.contains_key(&tag) => unknown.entry(tag).or_insert((0, at)).0 += 1,
            None => {}
        }
        reader.seek_relative(i64::from(header.stored)).map_err(io)?;
        at += ENTRY + u64::from(header.stored);
    }
    for (tag, (count, first)) in unknown {
        let message = format!("{count} entries have the unknown tag {tag}");
        notes.add_at_byte(findings::FOZ_UNKNOWN_TAG, first, message);
    }
    Ok(Scanned { version, limit })
}

fn read_up_to(reader: &mut impl Read, bytes: &mut [u8]) -> std::io::Result<usize> {
    let mut got = 0;
    while got < bytes.len() {
        match reader.read(&mut bytes[got..]) {
            Ok(0) => break,
            Ok(count) => got += count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(got)
}

fn fault(rule: &'static findings::Rule, at: u64, message: String) -> Fault {
    Fault { rule, place: format!("byte {at:#x}"), message }
}
