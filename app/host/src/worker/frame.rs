//! Frames: a 32-bit little-endian length, then that many bytes of JSON.

use std::io::{self, Read, Write};

/// The longest frame, in bytes. The largest file that is opened, 256 MiB, is twice that as hexadecimal text; a SPIR-V
/// module of 20 MiB is some 100 MiB as JSON.
pub const MAX_FRAME: u32 = 1 << 30;

/// Reads one frame; `None` where the stream ends before one begins.
///
/// # Errors
/// `InvalidData` for a length above [`MAX_FRAME`], `UnexpectedEof` for a stream that ends inside a frame.
pub fn read(from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut head = Vec::with_capacity(4);
    from.by_ref().take(4).read_to_end(&mut head)?;
    let head: [u8; 4] = match head.len() {
        0 => return Ok(None),
        _ => head.try_into().map_err(|_| ended("inside a frame's length"))?,
    };
    let length = u32::from_le_bytes(head);
    if length > MAX_FRAME {
        let message = format!("a frame of {length} bytes exceeds the limit of {MAX_FRAME}");
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    // Grows with what arrives, so that a length alone allocates nothing.
    let mut body = Vec::new();
    from.take(u64::from(length)).read_to_end(&mut body)?;
    if body.len() != length as usize {
        return Err(ended("inside a frame"));
    }
    Ok(Some(body))
}

/// The length of a frame with this body.
///
/// # Errors
/// `InvalidInput` for a body above [`MAX_FRAME`].
pub fn length(body: &[u8]) -> io::Result<u32> {
    u32::try_from(body.len()).ok().filter(|&length| length <= MAX_FRAME).ok_or_else(|| {
        let message = format!("a frame of {} bytes exceeds the limit of {MAX_FRAME}", body.len());
        io::Error::new(io::ErrorKind::InvalidInput, message)
    })
}

/// Writes one frame and flushes.
///
/// # Errors
/// Errors of [`length`], before anything is written; errors of the stream.
pub fn write(to: &mut impl Write, body: &[u8]) -> io::Result<()> {
    let length = length(body)?;
    to.write_all(&length.to_le_bytes())?;
    to.write_all(body)?;
    to.flush()
}

fn ended(place: &str) -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, format!("the stream ended {place}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_back_written_frames() {
        let mut stream = Vec::new();
        for body in [&b"{}"[..], b"", b"\0\n\xff"] {
            write(&mut stream, body).expect("a vector takes everything");
        }
        let mut from = &stream[..];
        let mut back = Vec::new();
        while let Some(body) = read(&mut from).expect("the frames are whole") {
            back.push(body);
        }
        assert_eq!(back, [&b"{}"[..], b"", b"\0\n\xff"]);
    }

    #[test]
    fn does_not_start_writing_a_body_that_is_too_long() {
        // Untouched zeros take no memory.
        let body = vec![0; MAX_FRAME as usize + 1];
        let mut stream = Vec::new();
        let error = write(&mut stream, &body).expect_err("a byte too many");
        assert_eq!((error.kind(), stream.len()), (io::ErrorKind::InvalidInput, 0));
        assert!(error.to_string().contains("1073741825 bytes exceeds the limit of 1073741824"), "{error}");
        assert_eq!(length(body.get(1..).unwrap_or_default()).ok(), Some(MAX_FRAME));
    }

    #[test]
    fn broken_streams_are_errors() {
        for (bytes, expected) in [
            (&b"\x01"[..], io::ErrorKind::UnexpectedEof),
            (b"\x02\0\0\0{", io::ErrorKind::UnexpectedEof),
            (b"\xff\xff\xff\xff", io::ErrorKind::InvalidData),
        ] {
            let error = read(&mut &bytes[..]).expect_err("the stream is broken");
            assert_eq!(error.kind(), expected, "{bytes:?}");
        }
    }
}
