//! A value of MessagePack as a tree that keeps all of it: the order of keys, keys that occur twice, texts that are not
//! UTF-8.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Nesting that is read, in the decoder's count: a map or an array takes two.
const DEPTH: usize = 128;
/// Numbers above this are shown in hexadecimal.
const DECIMAL_AT_MOST: u64 = 0xfff;

/// A value of MessagePack.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// No value.
    Nil,
    /// A truth value.
    Bool(bool),
    /// An integer that is not negative.
    Uint(u64),
    /// A negative integer.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// A text.
    Text(String),
    /// Bytes, or a text that is not UTF-8.
    Bytes(Vec<u8>),
    /// A list.
    Array(Vec<Value>),
    /// Keys with their values, in the order of the file.
    Map(Vec<(Value, Value)>),
    /// Bytes with a type of the application's.
    Ext(i8, Vec<u8>),
}

/// Why bytes are not one value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset:#x}: {what}")]
pub struct Malformed {
    /// Where, from the start of the bytes.
    pub offset: usize,
    /// What was expected, and what was found.
    pub what: String,
}

impl Value {
    /// Reads the value at the start of bytes; also returns how many bytes it takes.
    ///
    /// # Errors
    /// The place where the bytes end within a value, or where they are nested too deep.
    pub fn read(bytes: &[u8]) -> Result<(Value, usize), Malformed> {
        let mut rest = bytes;
        let read = rmpv::decode::read_value_with_max_depth(&mut rest, DEPTH);
        let offset = bytes.len() - rest.len();
        match read {
            Ok(value) => Ok((value.into(), offset)),
            Err(rmpv::decode::Error::DepthLimitExceeded) => {
                Err(Malformed { offset, what: "maps and arrays are nested too deep".to_owned() })
            }
            Err(_) => {
                Err(Malformed { offset, what: "expected the rest of a MessagePack value, found the end".to_owned() })
            }
        }
    }

    /// The value of a key, where this is a map; the first one where the key occurs twice.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.entries().iter().find(|(own, _)| own.text() == Some(key)).map(|(_, value)| value)
    }

    /// The entries, where this is a map; else none.
    pub fn entries(&self) -> &[(Value, Value)] {
        if let Value::Map(entries) = self { entries } else { &[] }
    }

    /// The items, where this is an array; else none.
    pub fn items(&self) -> &[Value] {
        if let Value::Array(items) = self { items } else { &[] }
    }

    /// The text, where this is one.
    pub fn text(&self) -> Option<&str> {
        if let Value::Text(text) = self { Some(text) } else { None }
    }

    /// The number, where this is an integer that is not negative.
    pub fn number(&self) -> Option<u64> {
        if let Value::Uint(number) = self { Some(*number) } else { None }
    }

    /// The number that a hardware field gets: true is 1.
    pub fn field(&self) -> Option<u64> {
        if let Value::Bool(is) = self { Some(u64::from(*is)) } else { self.number() }
    }

    /// Whether this is a map or an array.
    pub fn is_nested(&self) -> bool {
        matches!(self, Value::Map(_) | Value::Array(_))
    }

    /// The value as the key of a map.
    pub fn key(&self) -> Cow<'_, str> {
        match self.text() {
            Some(text) => Cow::Borrowed(text),
            None => Cow::Owned(self.flow()),
        }
    }

    /// Everything in one line, as YAML writes it: `{.user_sgprs: 3, .hardware_mapping: [.cs]}`.
    pub fn flow(&self) -> String {
        let mut out = String::new();
        self.write_flow(&mut out, usize::MAX);
        out
    }

    /// Everything in lines of at most `width` columns where it can be broken: the columns that a line is indented by, and
    /// its text.
    pub fn lines(&self, width: usize) -> Vec<(usize, String)> {
        let mut out = Vec::new();
        self.write_lines(0, String::new(), width, &mut out);
        out
    }

    /// Calls `leaf` with each value that is not nested, and its path: `amdpal.pipelines[0].type`. Empty maps and arrays
    /// are leaves too.
    pub fn leaves(&self, path: &str, leaf: &mut impl FnMut(&str, &Value)) {
        match self {
            Value::Map(entries) if !entries.is_empty() => {
                for (key, value) in entries {
                    let key = key.key();
                    let dot = if path.is_empty() || key.starts_with('.') { "" } else { "." };
                    value.leaves(&format!("{path}{dot}{key}"), leaf);
                }
            }
            Value::Array(items) if !items.is_empty() => {
                items.iter().enumerate().for_each(|(at, item)| item.leaves(&format!("{path}[{at}]"), leaf));
            }
            value => leaf(path, value),
        }
    }

    /// Adds the value to a line. Returns whether the line has at most `most` bytes then; else its end is missing.
    fn write_flow(&self, out: &mut String, most: usize) -> bool {
        match self {
            Value::Nil => out.push_str("null"),
            Value::Bool(is) => out.push_str(if *is { "true" } else { "false" }),
            Value::Uint(number) if *number > DECIMAL_AT_MOST => out.push_str(&format!("0x{number:x}")),
            Value::Uint(number) => out.push_str(&number.to_string()),
            Value::Int(number) => out.push_str(&number.to_string()),
            Value::Float(number) => out.push_str(&number.to_string()),
            Value::Text(text) if is_plain(text) => out.push_str(text),
            Value::Text(text) => out.push_str(&format!("\"{}\"", text.escape_debug())),
            Value::Bytes(bytes) => out.push_str(&format!("0x{}", digits(bytes))),
            Value::Ext(kind, bytes) => out.push_str(&format!("ext({kind}, 0x{})", digits(bytes))),
            Value::Array(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    out.push_str(if at > 0 { ", " } else { "" });
                    if !item.write_flow(out, most) {
                        return false;
                    }
                }
                out.push(']');
            }
            Value::Map(entries) => {
                out.push('{');
                for (at, (key, value)) in entries.iter().enumerate() {
                    out.push_str(if at > 0 { ", " } else { "" });
                    if !key.write_flow(out, most) {
                        return false;
                    }
                    out.push_str(": ");
                    if !value.write_flow(out, most) {
                        return false;
                    }
                }
                out.push('}');
            }
        }
        out.len() <= most
    }

    fn write_lines(&self, indent: usize, first: String, width: usize, out: &mut Vec<(usize, String)>) {
        let mut line = first.clone();
        if self.write_flow(&mut line, width.saturating_sub(indent)) {
            return out.push((indent, line));
        }
        let below = if first.is_empty() { indent } else { indent + 2 };
        match self {
            Value::Map(entries) => {
                if !first.is_empty() {
                    out.push((indent, first.trim_end().to_owned()));
                }
                for (key, value) in entries {
                    value.write_lines(below, format!("{}: ", key.flow()), width, out);
                }
            }
            // As many as a line has room for.
            Value::Array(items) if !items.iter().any(Value::is_nested) => {
                let mut line = format!("{first}[");
                let begin = line.len();
                for (at, item) in items.iter().enumerate() {
                    let comma = if at + 1 < items.len() { "," } else { "]" };
                    let text = format!("{}{comma}", item.flow());
                    if line.len() > begin && indent + line.len() + 1 + text.len() > width {
                        out.push((indent, std::mem::replace(&mut line, " ".repeat(begin))));
                    }
                    line.push_str(if line.len() > begin { " " } else { "" });
                    line.push_str(&text);
                }
                out.push((indent, line));
            }
            Value::Array(items) => {
                if !first.is_empty() {
                    out.push((indent, first.trim_end().to_owned()));
                }
                for item in items {
                    let from = out.len();
                    item.write_lines(below + 2, String::new(), width, out);
                    if let Some((indent, text)) = out.get_mut(from) {
                        *indent = below;
                        text.insert_str(0, "- ");
                    }
                }
            }
            // It cannot be broken.
            _ => {
                let mut line = first;
                self.write_flow(&mut line, usize::MAX);
                out.push((indent, line));
            }
        }
    }
}

/// Whether a text needs no quotes: it is a word that is not a number.
fn is_plain(text: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '/');
    let is_other =
        matches!(text, "true" | "false" | "null") || text.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    !text.is_empty() && text.chars().all(is_word) && !is_other
}

/// Two hexadecimal digits for each byte.
pub(crate) fn digits(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

impl From<rmpv::Value> for Value {
    fn from(value: rmpv::Value) -> Value {
        match value {
            rmpv::Value::Nil => Value::Nil,
            rmpv::Value::Boolean(is) => Value::Bool(is),
            rmpv::Value::Integer(number) => match (number.as_u64(), number.as_i64()) {
                (Some(number), _) => Value::Uint(number),
                (None, number) => Value::Int(number.unwrap_or_default()),
            },
            rmpv::Value::F32(number) => Value::Float(f64::from(number)),
            rmpv::Value::F64(number) => Value::Float(number),
            rmpv::Value::String(text) => match String::from_utf8(text.into_bytes()) {
                Ok(text) => Value::Text(text),
                Err(error) => Value::Bytes(error.into_bytes()),
            },
            rmpv::Value::Binary(bytes) => Value::Bytes(bytes),
            rmpv::Value::Array(items) => Value::Array(items.into_iter().map(Value::from).collect()),
            rmpv::Value::Map(entries) => {
                Value::Map(entries.into_iter().map(|(key, value)| (key.into(), value.into())).collect())
            }
            rmpv::Value::Ext(kind, bytes) => Value::Ext(kind, bytes),
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Nil => serializer.serialize_unit(),
            Value::Bool(is) => serializer.serialize_bool(*is),
            Value::Uint(number) => serializer.serialize_u64(*number),
            Value::Int(number) => serializer.serialize_i64(*number),
            // JSON has no infinities.
            Value::Float(number) if number.is_finite() => serializer.serialize_f64(*number),
            Value::Float(_) | Value::Bytes(_) | Value::Ext(..) => serializer.serialize_str(&self.flow()),
            Value::Text(text) => serializer.serialize_str(text),
            Value::Array(items) => serializer.collect_seq(items),
            Value::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(&key.key(), value)?;
                }
                map.end()
            }
        }
    }
}

impl JsonSchema for Value {
    fn schema_name() -> Cow<'static, str> {
        "MessagePackValue".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A value of MessagePack. Keys that are not texts, bytes and extension types are written as texts.",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    fn map(entries: &[(&str, Value)]) -> Value {
        Value::Map(entries.iter().map(|(key, value)| (text(key), value.clone())).collect())
    }

    #[test]
    fn reads_all_kinds_of_values() {
        let bytes = b"\x8a\xa1n\xc0\xa1b\xc3\xa1u\xcd\x01\x00\xa1i\xff\xa1f\xca\x3f\x80\0\0\xa1t\xa2ab\xa1x\xa1\xff\
            \xa1d\xc4\x02\x01\x02\xa1e\xd4\x07\x2a\xa1a\x92\x01\x80rest";
        let (value, used) = Value::read(bytes).expect("is a value");
        assert_eq!(&bytes[used..], b"rest");
        let flow = "{n: null, b: true, u: 256, i: -1, f: 1, t: ab, x: 0xff, d: 0x0102, e: ext(7, 0x2a), a: [1, {}]}";
        assert_eq!(value.flow(), flow);
        let json = serde_json::to_string(&value).expect("is JSON");
        let expected = r#"{"n":null,"b":true,"u":256,"i":-1,"f":1.0,"t":"ab","x":"0xff","d":"0x0102","e":"ext(7, 0x2a)","a":[1,{}]}"#;
        assert_eq!(json, expected);
    }

    #[test]
    fn says_where_bytes_end_and_where_they_nest_too_deep() {
        let end = Value::read(b"\x82\xa1a\x01\xa1").expect_err("ends within a key");
        assert_eq!(end.to_string(), "byte 0x5: expected the rest of a MessagePack value, found the end");
        let deep = Value::read(&[0x91; 1000]).expect_err("nested 1000 times");
        assert_eq!(deep.what, "maps and arrays are nested too deep");
        // A length of four gigabytes allocates nothing.
        assert!(Value::read(b"\xdd\xff\xff\xff\xff").is_err() && Value::read(b"\xc6\xff\xff\xff\xff").is_err());
    }

    #[test]
    fn breaks_what_is_too_wide_for_a_line() {
        let inner = map(&[(".a", Value::Uint(1)), (".b", Value::Uint(0x2c0a))]);
        let value = map(&[("list", Value::Array(vec![inner.clone(), inner])), ("word", text("a b"))]);
        let lines = |width| value.lines(width).iter().map(|(at, line)| " ".repeat(*at) + line).collect::<Vec<_>>();
        assert_eq!(lines(100), ["{list: [{.a: 1, .b: 0x2c0a}, {.a: 1, .b: 0x2c0a}], word: \"a b\"}"]);
        let broken = ["list:", "  - {.a: 1, .b: 0x2c0a}", "  - {.a: 1, .b: 0x2c0a}", "word: \"a b\""];
        assert_eq!(lines(30), broken);
        let narrow = ["list:", "  - .a: 1", "    .b: 0x2c0a", "  - .a: 1", "    .b: 0x2c0a", "word: \"a b\""];
        assert_eq!(lines(16), narrow);
    }

    #[test]
    fn fills_lines_with_numbers() {
        let value = map(&[("a", Value::Array((1..=12).map(Value::Uint).collect()))]);
        let lines = value.lines(20).iter().map(|(at, line)| " ".repeat(*at) + line).collect::<Vec<_>>();
        assert_eq!(lines, ["a: [1, 2, 3, 4, 5,", "    6, 7, 8, 9, 10,", "    11, 12]"]);
    }

    #[test]
    fn names_each_leaf_by_its_path() {
        let value = map(&[("a", map(&[(".b", Value::Array(vec![Value::Uint(7), map(&[])]))])), ("c", Value::Nil)]);
        let mut leaves = Vec::new();
        value.leaves("", &mut |path, value| leaves.push(format!("{path} = {}", value.flow())));
        assert_eq!(leaves, ["a.b[0] = 7", "a.b[1] = {}", "c = null"]);
    }
}
