//! Messages over a stream, as language servers and debug adapters frame them: a header with the length, then JSON. What
//! a client sends is bounded in size.

use std::io::{self, BufRead, Read as _, Write};

use lanescope_core::foreign::plain;
use lanescope_core::text_format::size;

/// The largest message that is read, in bytes.
pub const MAX_MESSAGE: u64 = 64 << 20;
/// The largest header, in bytes.
const MAX_HEADER: u64 = 8 << 10;

/// A message that was passed over, because it is too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong {
    /// Its length in bytes.
    pub length: u64,
}

/// What is answered to a message that was passed over, of a length in bytes.
pub fn ignored(length: u64) -> String {
    format!("a message of {} was ignored: the limit is {}", size(length), size(MAX_MESSAGE))
}

/// Reads the body of a message; none at the end of the stream, and where it ends inside of one.
///
/// # Errors
/// `InvalidData` for a header that is not one: where the next message would begin is unknown.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Result<Vec<u8>, TooLong>>> {
    let Some(length) = header(input)? else { return Ok(None) };
    if length > MAX_MESSAGE {
        let skipped = io::copy(&mut input.take(length), &mut io::sink())?;
        return Ok((skipped == length).then_some(Err(TooLong { length })));
    }
    // Grows with what arrives: a length alone allocates nothing.
    let mut body = Vec::new();
    let is_whole = input.take(length).read_to_end(&mut body)? as u64 == length;
    Ok(is_whole.then_some(Ok(body)))
}

/// Writes a message.
///
/// # Errors
/// Those of the stream.
pub fn write(output: &mut impl Write, body: &[u8]) -> io::Result<()> {
    write!(output, "Content-Length: {}\r\n\r\n", body.len())?;
    output.write_all(body)?;
    output.flush()
}

/// Reads a header: the length of the message in bytes; none at the end of the stream.
fn header(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let invalid = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
    let (mut length, mut left) = (None, MAX_HEADER);
    loop {
        let mut line = Vec::new();
        let read = input.take(left).read_until(b'\n', &mut line)? as u64;
        left -= read;
        if !line.ends_with(b"\n") {
            return match left {
                0 => Err(invalid(format!("a header has more than {}, the limit", size(MAX_HEADER)))),
                _ => Ok(None),
            };
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end_matches(['\r', '\n']);
        if line.is_empty() {
            return length.map(Some).ok_or_else(|| invalid("a header without Content-Length".to_owned()));
        }
        let Some((name, value)) = line.split_once(':') else {
            let shown: String = plain(line).chars().take(80).collect();
            return Err(invalid(format!("`{shown}` is not a header field; expected `Content-Length: N`")));
        };
        if name.trim().eq_ignore_ascii_case("Content-Length") {
            let number = value
                .trim()
                .parse()
                .map_err(|_| invalid(format!("Content-Length is not a number: {}", plain(value.trim()))))?;
            length = Some(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read};

    use proptest::prelude::*;

    use super::*;

    fn framed(body: &str) -> Vec<u8> {
        format!("content-length: {}\r\nContent-Type: x\r\n\r\n{body}", body.len()).into_bytes()
    }

    #[test]
    fn lengths_are_limited() {
        let long = format!("Content-Length: {}\r\n\r\n", MAX_MESSAGE + 1);
        let stream = Read::chain(long.as_bytes(), io::repeat(b' ').take(MAX_MESSAGE + 1));
        let mut stream = BufReader::new(stream.chain(io::Cursor::new(framed("next"))));
        let Some(Err(TooLong { length })) = read(&mut stream).expect("can be read") else { panic!("is too long") };
        assert!(ignored(length).contains("the limit is 64 MiB"), "{}", ignored(length));
        assert_eq!(read(&mut stream).expect("can be read"), Some(Ok(b"next".to_vec())), "the next one is read");
        // The longest that can be named takes no memory, and ends with the stream.
        let endless = format!("Content-Length: {}\r\n\r\nabc", u64::MAX);
        assert!(matches!(read(&mut endless.as_bytes()), Ok(None)));
        let cut = "Content-Length: 9\r\n\r\nabc";
        assert!(matches!(read(&mut cut.as_bytes()), Ok(None)));
    }

    #[test]
    fn headers_are_checked() {
        for (text, why) in [
            ("\r\n", "without Content-Length"),
            ("hello\r\n", "`hello` is not a header field"),
            ("Content-Length: 1e9\r\n\r\n", "is not a number: 1e9"),
            ("Content-Length: -1\r\n\r\n", "is not a number"),
        ] {
            let error = header(&mut text.as_bytes()).expect_err(text);
            assert!(error.to_string().contains(why), "{text}: {error}");
        }
        let long = "x".repeat(MAX_HEADER as usize + 1);
        assert!(header(&mut long.as_bytes()).expect_err("too long").to_string().contains("8 KiB"));
        assert!(matches!(header(&mut "Content-Le".as_bytes()), Ok(None)));
    }

    proptest! {
        /// What is written is read, and any bytes end with bodies or an error.
        #[test]
        fn any_stream_is_read(bytes in proptest::collection::vec(any::<u8>(), 0..200), framed in any::<bool>()) {
            let mut stream = Vec::new();
            if framed {
                write(&mut stream, &bytes).expect("memory");
                prop_assert_eq!(read(&mut stream.as_slice()).expect("can be read"), Some(Ok(bytes)));
            } else {
                let mut stream = bytes.as_slice();
                while let Ok(Some(_)) = read(&mut stream) {}
            }
        }
    }
}
