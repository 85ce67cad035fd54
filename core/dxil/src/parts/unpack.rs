//! Data that is compressed with zlib, unpacked only as far as its own size allows.

use std::borrow::Cow;

use flate2::{Decompress, FlushDecompress, Status};

use crate::bytes::Bytes;
use crate::error::Fault;
use crate::findings;

/// Bytes that any data may unpack to.
const ALWAYS: usize = 4 << 20;
/// Bytes more for each one of the packed data. Text packs to a tenth; what packs to less than this is a trap.
const TIMES: usize = 24;

/// The contents of `packed`, by the number of its compression. Its claim to have `claimed` bytes is at offset `at`.
pub(super) fn contents<'a>(
    part: &Bytes<'_>,
    (compression, compression_at): (u16, usize),
    packed: &'a [u8],
    (claimed, at): (u32, usize),
) -> Result<Cow<'a, [u8]>, Fault> {
    match compression {
        0 if claimed as usize <= packed.len() => Ok(packed.into()),
        0 => {
            let why = format!("uncompressed data claims {claimed} bytes, found {}", packed.len());
            Err(Fault::at_byte(findings::PACKED_SIZE, part.place(at), why))
        }
        1 => unpack(part, at, packed, claimed).map(Cow::Owned),
        other => Err(part.fault(compression_at, format!("compression is {other}, expected 0 (none) or 1 (zlib)"))),
    }
}

fn unpack(part: &Bytes<'_>, at: usize, packed: &[u8], claimed: u32) -> Result<Vec<u8>, Fault> {
    let fault = |why: String| Fault::at_byte(findings::PACKED_SIZE, part.place(at), why);
    let size = packed.len();
    let most = size.saturating_mul(TIMES).saturating_add(ALWAYS);
    if claimed as usize > most {
        let why = format!("compressed data of {size} bytes claims {claimed} bytes, expected at most {most}");
        return Err(fault(why));
    }
    let mut out = vec![0; claimed as usize];
    let mut stream = Decompress::new(true);
    let done = stream.decompress(packed, &mut out, FlushDecompress::None);
    let found = stream.total_out();
    match done {
        Ok(Status::StreamEnd) if found == u64::from(claimed) => Ok(out),
        Ok(Status::StreamEnd) => {
            Err(fault(format!("compressed data of {size} bytes claims {claimed} bytes and unpacks to {found}")))
        }
        Ok(_) if found == u64::from(claimed) => Err(fault(format!(
            "compressed data of {size} bytes unpacks to more than the {claimed} bytes that it claims"
        ))),
        Ok(_) => Err(fault(format!("compressed data of {size} bytes claims {claimed} bytes, but ends after {found}"))),
        Err(_) => Err(fault(format!("{size} compressed bytes are not valid zlib data"))),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    use super::*;

    /// Data as zlib packs it.
    fn zlib(data: &[u8], level: u32) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(level));
        encoder.write_all(data).expect("writes into memory");
        encoder.finish().expect("writes into memory")
    }

    fn message(packed: &[u8], claimed: u32) -> String {
        let part = Bytes::new(packed, 100, findings::PACKED_SIZE);
        let fault = unpack(&part, 4, packed, claimed).expect_err("cannot be unpacked");
        assert_eq!((fault.rule.code, fault.at), ("C56", crate::Place::Byte(104)));
        fault.message.clone()
    }

    #[test]
    fn unpacks_packed_data() {
        let text = b"float4 main() : SV_Target { return 1; }\n".repeat(40);
        let packed = zlib(&text, 6);
        assert!(packed.len() < text.len() / 4);
        let part = Bytes::new(&packed, 0, findings::PACKED_SIZE);
        assert_eq!(unpack(&part, 0, &packed, text.len() as u32), Ok(text));
    }

    #[test]
    fn rejects_data_above_the_limit_with_both_sizes() {
        // 64 MiB of zeros in 65 KiB.
        let bomb = zlib(&vec![0; 64 << 20], 9);
        assert!(bomb.len() < 70_000, "{}", bomb.len());
        let most = bomb.len() * TIMES + ALWAYS;
        let claims = format!("compressed data of {} bytes claims 67108864 bytes, expected at most {most}", bomb.len());
        assert_eq!(message(&bomb, 64 << 20), claims);
        // One that claims to be small.
        let says =
            format!("compressed data of {} bytes unpacks to more than the 1000 bytes that it claims", bomb.len());
        assert_eq!(message(&bomb, 1000), says);
    }

    #[test]
    fn names_defect_of_packed_data() {
        let packed = zlib(&[7; 100], 6);
        assert!(message(&packed, 101).ends_with("claims 101 bytes and unpacks to 100"));
        let noise: Vec<u8> = (0..1000u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let long = zlib(&noise, 6);
        let cut = message(&long[..long.len() / 2], 1000);
        assert!(cut.contains("claims 1000 bytes, but ends after "), "{cut}");
        assert!(message(b"no zlib at all", 100).ends_with("are not valid zlib data"));
        assert!(message(&[], 100).ends_with("claims 100 bytes, but ends after 0"));
        let mut changed = packed.clone();
        *changed.last_mut().expect("has a checksum") ^= 1;
        assert!(message(&changed, 100).ends_with("are not valid zlib data"));
    }
}
