//! JSON that both scripts and people read: sections line by line, each of their rows on one line.

use std::io::{self, BufWriter, Write};

use lanescope_core::foreign::escape_json;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// Containers nested deeper than this are on one line.
const BROKEN_DEPTH: usize = 3;

/// Writes a value and a line break.
pub fn write(value: &impl Serialize, out: &mut impl Write) -> io::Result<()> {
    let mut serializer = Serializer::with_formatter(&mut *out, Rows { depth: 0, empty: true });
    value.serialize(&mut serializer).map_err(io::Error::from)?;
    writeln!(out)
}

/// Prints a value on standard output, all of it.
///
/// # Errors
/// What of it could not be written.
pub fn print(value: &impl Serialize) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    write(value, &mut out)?;
    // Dropped unflushed, the end of it would be lost silently.
    out.flush()
}

/// Prints a value on one line of standard output, all of it.
///
/// # Errors
/// What of it could not be written.
pub fn print_line(value: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_string(value)?;
    let mut out = io::stdout().lock();
    writeln!(out, "{}", escape_json(&text))?;
    out.flush()
}

/// An object with the version of its form before its members.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Versioned<'v, T> {
    /// The version.
    pub schema: u32,
    /// The object.
    #[serde(flatten)]
    pub value: &'v T,
}

/// Prints an object with the version of its form, on standard output, all of it.
///
/// # Errors
/// What of it could not be written.
pub fn print_versioned(schema: u32, value: &impl Serialize) -> io::Result<()> {
    print(&Versioned { schema, value })
}

/// Breaks lines down to a depth, and no further.
struct Rows {
    depth: usize,
    empty: bool,
}

impl Rows {
    fn open<W: Write + ?Sized>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.empty = true;
        out.write_all(bracket)
    }

    fn close<W: Write + ?Sized>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        let broken = self.depth <= BROKEN_DEPTH && !self.empty;
        self.depth -= 1;
        self.empty = false;
        if broken {
            self.line(out)?;
        }
        out.write_all(bracket)
    }

    fn next<W: Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.empty = false;
        match (first, self.depth <= BROKEN_DEPTH) {
            (true, false) => Ok(()),
            (false, false) => out.write_all(b", "),
            (true, true) => self.line(out),
            (false, true) => {
                out.write_all(b",")?;
                self.line(out)
            }
        }
    }

    fn line<W: Write + ?Sized>(&self, out: &mut W) -> io::Result<()> {
        out.write_all(b"\n")?;
        (0..self.depth).try_for_each(|_| out.write_all(b"  "))
    }
}

impl Formatter for Rows {
    fn write_string_fragment<W: Write + ?Sized>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        out.write_all(escape_json(fragment).as_bytes())
    }

    fn begin_array<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"[")
    }

    fn end_array<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"]")
    }

    fn begin_array_value<W: Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.next(out, first)
    }

    fn begin_object<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"{")
    }

    fn end_object<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"}")
    }

    fn begin_object_key<W: Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.next(out, first)
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_rows_on_one_line_and_equal_json() {
        let value = serde_json::json!({
            "a": 1, "none": [], "rows": [{ "x": [1, 2], "y": {} }], "deep": [[[1, 2], [3]]],
        });
        let mut out = Vec::new();
        write(&value, &mut out).expect("writes to memory");
        let text = String::from_utf8(out).expect("JSON is UTF-8");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).expect("is JSON"), value);
        insta::assert_snapshot!(text, @r#"
        {
          "a": 1,
          "deep": [
            [
              [1, 2],
              [3]
            ]
          ],
          "none": [],
          "rows": [
            {
              "x": [1, 2],
              "y": {}
            }
          ]
        }
        "#);
    }
}
