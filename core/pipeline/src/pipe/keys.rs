//! The keys of a section: paths with indices, each with its type if it is known.

use super::lines::{KeyLine, clip};
use super::table::{Known, Type, known, removed};
use super::value;
use crate::findings;
use crate::notes::Notes;

/// The highest index of a list that grows.
pub const MAX_INDEX: u32 = 65_536;
/// Parts of a path.
const MAX_PARTS: usize = 40;

/// A key that is known, with its value.
#[derive(Debug)]
pub struct Entry {
    pub line: u32,
    /// Its path without indices: `colorBuffer.format`.
    pub path: String,
    /// The indices that are written or meant, one for each part that has a list.
    pub indices: Vec<u32>,
    /// The key as written.
    pub key: String,
    /// The value as written.
    pub text: String,
    /// Its type.
    pub ty: Type,
}

/// The keys of one section, in their order.
#[derive(Debug, Default)]
pub struct Keys {
    pub entries: Vec<Entry>,
}

/// A key's path: names, and an index for each part that has one.
pub struct Path {
    pub parts: Vec<(String, Option<u32>)>,
}

impl Path {
    /// Reads `a.b[2].c`; why it is none otherwise.
    pub fn of(key: &str) -> Result<Path, Refusal> {
        let mut parts = Vec::new();
        for part in key.split('.') {
            if parts.len() == MAX_PARTS {
                return Err(Refusal::Deep);
            }
            let (name, index) = match part.split_once('[') {
                None => (part, None),
                Some((name, rest)) => {
                    let digits = rest.strip_suffix(']').ok_or(Refusal::Unknown)?;
                    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                        return Err(Refusal::Unknown);
                    }
                    // A number that does not fit is above every limit.
                    (name, Some(digits.parse().unwrap_or(u32::MAX)))
                }
            };
            parts.push((name.to_owned(), index));
        }
        Ok(Path { parts })
    }

    /// Its names without indices.
    pub fn names(&self) -> String {
        self.parts.iter().map(|part| part.0.as_str()).collect::<Vec<_>>().join(".")
    }
}

/// Why a key is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    Unknown,
    Deep,
}

/// Says why a key is not taken, and keeps it.
pub fn refuse(line: &KeyLine, why: Refusal, notes: &mut Notes<'_>) {
    match why {
        Refusal::Unknown => {
            let message = format!("`{}` is not a key of this section; it is kept as written", clip(&line.key));
            notes.add(findings::PIPE_UNKNOWN_KEY, line.line, message);
        }
        Refusal::Deep => {
            let message = format!("`{}` nests too deep and is skipped", clip(&line.key));
            notes.add(findings::PIPE_DEPTH_LIMIT, line.line, message);
        }
    }
    notes.keep(line.line, clip(&line.key), clip(&line.value));
}

impl Keys {
    /// Reads the keys that are in the table; the others are reported and kept.
    pub fn of<'l>(tables: &[&[Known]], lines: impl Iterator<Item = &'l KeyLine>, notes: &mut Notes<'_>) -> Keys {
        let mut keys = Keys::default();
        for line in lines {
            match Path::of(&line.key) {
                Ok(path) => keys.take(tables, line, &path, notes),
                Err(why) => refuse(line, why, notes),
            }
        }
        keys
    }

    fn take(&mut self, tables: &[&[Known]], line: &KeyLine, path: &Path, notes: &mut Notes<'_>) {
        let names = path.names();
        let Some(found) = tables.iter().find_map(|table| known(table, &names)) else {
            match removed(&names) {
                Some(fate) => {
                    let message = format!("`{}` {}; LLPC no longer reads it", clip(&line.key), fate);
                    notes.add(findings::PIPE_REMOVED_KEY, line.line, message);
                    notes.keep(line.line, clip(&line.key), clip(&line.value));
                }
                None => refuse(line, Refusal::Unknown, notes),
            }
            return;
        };
        let indices: Vec<u32> = path.parts.iter().map(|part| part.1.unwrap_or(0)).collect();
        let limit = found.limit.unwrap_or(MAX_INDEX);
        if let Some(index) = indices.iter().find(|index| **index >= limit) {
            let message = format!("index {index} of `{}`, expected less than {limit}", clip(&line.key));
            notes.add(findings::PIPE_INDEX_LIMIT, line.line, message);
            notes.keep(line.line, clip(&line.key), clip(&line.value));
            return;
        }
        check(line, &names, found.ty, notes);
        self.entries.push(Entry {
            line: line.line,
            path: names,
            indices,
            key: line.key.clone(),
            text: line.value.clone(),
            ty: found.ty,
        });
    }

    /// The last value of a key, regardless of its indices.
    pub fn last(&self, path: &str) -> Option<&Entry> {
        self.entries.iter().rev().find(|entry| entry.path == path)
    }

    /// A number.
    pub fn int(&self, path: &str) -> Option<u32> {
        self.last(path).map(Entry::int)
    }

    /// A switch.
    pub fn boolean(&self, path: &str) -> Option<bool> {
        self.last(path).map(|entry| value::boolean(&entry.text).value)
    }
}

impl Entry {
    /// Its value as a number: of an enumeration that of the name.
    pub fn int(&self) -> u32 {
        match self.ty {
            Type::Enum(names) => names.value(&self.text).map_or_else(|| value::int(&self.text).value, |v| v as u32),
            Type::Bool => u32::from(value::boolean(&self.text).value),
            _ => value::int(&self.text).value,
        }
    }

    /// The value of an enumeration; absent where its text is not a name and no number.
    pub fn known_enum(&self) -> Option<i32> {
        let Type::Enum(names) = self.ty else { return None };
        names.value(&self.text).or_else(|| {
            let read = value::int(&self.text);
            (!read.odd).then_some(read.value as i32)
        })
    }

    /// Its value in one spelling: switches as `true` and `false`.
    pub fn shown(&self) -> String {
        match self.ty {
            Type::Bool => value::boolean(&self.text).value.to_string(),
            Type::Int if value::int(&self.text).odd => value::int(&self.text).value.to_string(),
            _ => self.text.clone(),
        }
    }
}

/// Says where a value is not what its type asks for.
pub fn check(line: &KeyLine, names: &str, ty: Type, notes: &mut Notes<'_>) {
    let text = line.value.as_str();
    let mut odd = |what: &str, read: String| {
        let message = format!("`{}` of `{}` is not {what}; LLPC reads {read}", clip(text), clip(&line.key));
        notes.add(findings::PIPE_BAD_NUMBER, line.line, message);
    };
    match ty {
        Type::Bool => {
            let read = value::boolean(text);
            if read.odd {
                odd("`true` or `false`", read.value.to_string());
            }
        }
        Type::Int => {
            let read = value::int(text);
            if read.odd {
                odd("a plain number", read.value.to_string());
            }
        }
        Type::Float => {
            let read = value::float(text);
            if read.odd {
                odd("a number", read.value.to_string());
            }
        }
        Type::Ints(wide) => {
            if let Some(bad) = value::elements(text).find(|part| match wide {
                true => value::long(part).odd,
                false => value::int(part).odd,
            }) {
                let read = if wide { value::long(bad).value } else { u64::from(value::int(bad).value) };
                odd("a list of plain numbers", format!("{read} for `{}`", clip(bad)));
            }
        }
        Type::Floats => {
            if let Some(bad) = value::elements(text).find(|part| value::float(part).odd) {
                odd("a list of numbers", format!("{} for `{}`", value::float(bad).value, clip(bad)));
            }
        }
        Type::Text => {}
        Type::Enum(enumeration) => {
            if enumeration.value(text).is_none() {
                let is_number = !value::int(text).odd;
                let end = if is_number { "the number is used, which LLPC refuses" } else { "the text is kept" };
                let message = format!("`{}` of `{names}` is not a name of {}; {end}", clip(text), enumeration.name());
                notes.add(findings::PIPE_UNKNOWN_ENUM, line.line, message);
            } else if names.ends_with("waveBreakSize") && matches!(text, "_8x8" | "_16x16") {
                let read = if text == "_8x8" { "_16x16" } else { "_32x32" };
                let message = format!("LLPC finds `{text}` in another enumeration and reads {read}");
                notes.add(findings::PIPE_LLPC_ENUM_CLASH, line.line, message);
            }
        }
    }
}
