//! One entry's payload, out of the file: checked before anything is allocated for it.

use std::io::{Read, Seek, SeekFrom};

use flate2::Crc;
use flate2::read::ZlibDecoder;

use super::index::{ENTRY, Header, Place, header};
use crate::Fault;
use crate::findings::{self, Rule};

/// The largest payload, stored and inflated, in bytes.
pub const MAX_PAYLOAD: u32 = 256 << 20;
/// Deflate cannot exceed 1,032.
const MAX_RATIO: u64 = 1040;

/// Objects of applications shrink to a tenth. One that shrinks more than this, and is larger than [`SMALL`], is swollen.
const SWOLLEN: u64 = 64;
/// Bytes that any object may have.
const SMALL: u32 = 64 << 10;
/// Bytes of the swollen objects of a database that are read, in their order: reading all takes no longer than the size of the
/// file lets a user expect.
pub const MAX_SWOLLEN: u64 = 256 << 20;

/// Whether an object has far more bytes than are stored of it.
pub fn is_swollen(header: &Header) -> bool {
    header.kind == 2 && header.size > SMALL && u64::from(header.size) > u64::from(header.stored) * SWOLLEN
}

/// The header of an entry, read again.
pub fn header_of<R: Read + Seek>(reader: &mut R, place: &Place, name: &str) -> Result<Header, Fault> {
    let mut bytes = [0u8; ENTRY as usize];
    reader
        .seek(SeekFrom::Start(place.at))
        .and_then(|_| reader.read_exact(&mut bytes))
        .map_err(|error| fault(findings::FOZ_TRUNCATED_TAIL, place, name, format!("cannot be read: {error}")))?;
    let found = header(&bytes).map(|(_, _, header)| header);
    found.ok_or_else(|| fault(findings::FOZ_LOST_SYNC, place, name, "the entry changed on disk".to_owned()))
}

/// An entry's payload. `name` is what messages call it, swollen objects from the byte `limit` of the file on are not read.
pub fn payload<R: Read + Seek>(
    reader: &mut R,
    place: &Place,
    name: &str,
    limit: Option<u64>,
) -> Result<Vec<u8>, Fault> {
    let header = header_of(reader, place, name)?;
    let wrong = |rule, message| Err(fault(rule, place, name, message));
    if header.stored > MAX_PAYLOAD || header.size > MAX_PAYLOAD {
        let message =
            format!("{} bytes are stored and {} stated, expected at most {MAX_PAYLOAD}", header.stored, header.size);
        return wrong(findings::FOZ_SIZE_LIMIT, message);
    }
    if !matches!(header.kind, 1 | 2) {
        return wrong(findings::FOZ_KIND, format!("kind is {:#x}, expected 1 (stored) or 2 (deflate)", header.kind));
    }
    if header.kind == 2 && u64::from(header.size) > u64::from(header.stored) * MAX_RATIO {
        let message = format!(
            "{} stored bytes cannot inflate to {}: the ratio of deflate is at most 1032",
            header.stored, header.size
        );
        return wrong(findings::FOZ_SIZE_LIMIT, message);
    }
    if limit.is_some_and(|limit| place.at >= limit) && is_swollen(&header) {
        let message = format!(
            "{} stored bytes inflate to {}; objects of more than {SWOLLEN} times their stored size are read up to \
             {MAX_SWOLLEN} bytes of a database",
            header.stored, header.size
        );
        return wrong(findings::FOZ_SIZE_LIMIT, message);
    }
    if header.kind == 1 && header.size != header.stored {
        let message = format!("{} bytes are stored without compression, but {} are stated", header.stored, header.size);
        return wrong(findings::FOZ_INFLATE, message);
    }
    // The file was long enough for it when it was scanned.
    let mut stored = vec![0; header.stored as usize];
    if let Err(error) = reader.read_exact(&mut stored) {
        return wrong(findings::FOZ_TRUNCATED_TAIL, format!("cannot be read: {error}"));
    }
    if header.crc != 0 {
        let mut crc = Crc::new();
        crc.update(&stored);
        if crc.sum() != header.crc {
            let message = format!("the CRC-32 is {:#010x}, but {:#010x} is stored", crc.sum(), header.crc);
            return wrong(findings::FOZ_CRC, message);
        }
    }
    if header.kind == 1 {
        return Ok(stored);
    }
    let mut out = Vec::new();
    let limit = u64::from(header.size) + 1;
    match ZlibDecoder::new(stored.as_slice()).take(limit).read_to_end(&mut out) {
        Err(error) => {
            wrong(findings::FOZ_INFLATE, format!("zlib stream, after {} bytes of {}: {error}", out.len(), header.size))
        }
        Ok(got) if got as u64 == limit => {
            wrong(findings::FOZ_INFLATE, format!("the zlib stream has more than the stated {} bytes", header.size))
        }
        Ok(got) if got != header.size as usize => {
            wrong(findings::FOZ_INFLATE, format!("the zlib stream has {got} bytes, but {} are stated", header.size))
        }
        Ok(_) => Ok(out),
    }
}

fn fault(rule: &'static Rule, place: &Place, name: &str, message: String) -> Fault {
    Fault { rule, place: format!("{name} (byte {:#x})", place.at), message }
}
