//! Words of a line as shells and response files separate them.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

/// The arguments in a text: blanks and line breaks separate them, quotation marks of both kinds keep blanks, and a
/// backslash takes the next character as it is, in quotation marks too.
///
/// # Errors
/// The line of a quotation mark that is not closed.
pub fn words(text: &[u8]) -> Result<Vec<OsString>, usize> {
    let (mut out, mut word): (Vec<OsString>, Option<Vec<u8>>) = (Vec::new(), None);
    let (mut quote, mut line): (Option<(u8, usize)>, usize) = (None, 1);
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        if byte == b'\n' {
            line += 1;
        }
        match (byte, quote) {
            (b'\\', _) => {
                let next = bytes.next().unwrap_or(b'\\');
                if next == b'\n' {
                    line += 1;
                }
                word.get_or_insert_default().push(next);
            }
            (byte, Some((end, _))) if byte == end => quote = None,
            (byte, Some(_)) => word.get_or_insert_default().push(byte),
            (b'"' | b'\'', None) => {
                quote = Some((byte, line));
                word.get_or_insert_default();
            }
            (byte, None) if byte.is_ascii_whitespace() => out.extend(word.take().map(OsString::from_vec)),
            (byte, None) => word.get_or_insert_default().push(byte),
        }
    }
    out.extend(word.map(OsString::from_vec));
    match quote {
        Some((_, line)) => Err(line),
        None => Ok(out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<Vec<String>, usize> {
        words(text.as_bytes()).map(|words| words.iter().map(|word| word.to_string_lossy().into_owned()).collect())
    }

    #[test]
    fn words_are_those_of_gcc() {
        let all = of("-DA=1  a\\ b.frag\n\"c d\"'e f' '' \"\\\"\" \\\\x '\\''").expect("are closed");
        assert_eq!(all, ["-DA=1", "a b.frag", "c de f", "", "\"", "\\x", "'"]);
        assert_eq!(of(" \n\t"), Ok(Vec::new()));
        assert_eq!(of("a\n'b\nc"), Err(2));
    }
}
