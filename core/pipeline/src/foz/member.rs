//! Members of objects by name. A member of the wrong type is a finding and counts as missing.

use super::Key;
use super::json::Json;
use crate::findings;
use crate::notes::Notes;

/// An object whose members are read, and what messages call it.
#[derive(Clone, Copy)]
pub struct Members<'j> {
    pub json: &'j Json,
    pub name: &'j str,
}

impl<'j> Members<'j> {
    pub fn of(json: &'j Json, name: &'j str) -> Members<'j> {
        Members { json, name }
    }

    fn wrong(&self, member: &str, wanted: &str, found: &Json, notes: &mut Notes<'_>) {
        let mut text = found.to_string();
        if text.len() > 40 {
            text = text.chars().take(40).collect::<String>() + "…";
        }
        let message = format!("`{member}` is {} ({text}), expected {wanted}", found.kind());
        notes.add_at(findings::FOZ_JSON_TYPE, self.name, message);
    }

    /// An unsigned number.
    pub fn number(&self, member: &str, notes: &mut Notes<'_>) -> Option<u64> {
        match self.json.get(member)? {
            Json::Unsigned(value) => Some(*value),
            Json::Bool(value) => Some(u64::from(*value)),
            other => {
                self.wrong(member, "an unsigned number", other, notes);
                None
            }
        }
    }

    /// An unsigned number of 32 bits.
    pub fn word(&self, member: &str, notes: &mut Notes<'_>) -> Option<u32> {
        let value = self.number(member, notes)?;
        let word = u32::try_from(value).ok();
        if word.is_none() {
            self.wrong(member, "a 32-bit number", &Json::Unsigned(value), notes);
        }
        word
    }

    /// The number of an enumeration's value.
    pub fn value(&self, member: &str, notes: &mut Notes<'_>) -> Option<i32> {
        match self.json.get(member)? {
            Json::Unsigned(value) if i32::try_from(*value).is_ok() => i32::try_from(*value).ok(),
            Json::Signed(value) if i32::try_from(*value).is_ok() => i32::try_from(*value).ok(),
            other => {
                self.wrong(member, "a 32-bit number", other, notes);
                None
            }
        }
    }

    /// A switch.
    pub fn switch(&self, member: &str, notes: &mut Notes<'_>) -> Option<bool> {
        self.number(member, notes).map(|value| value != 0)
    }

    /// A number with a fraction.
    pub fn float(&self, member: &str, notes: &mut Notes<'_>) -> Option<f64> {
        match self.json.get(member)? {
            Json::Float(value) => Some(*value),
            Json::Unsigned(value) => Some(*value as f64),
            Json::Signed(value) => Some(*value as f64),
            other => {
                self.wrong(member, "a number", other, notes);
                None
            }
        }
    }

    /// A text.
    pub fn text(&self, member: &str, notes: &mut Notes<'_>) -> Option<&'j str> {
        match self.json.get(member)? {
            Json::Text(text) => Some(text),
            other => {
                self.wrong(member, "a string", other, notes);
                None
            }
        }
    }

    /// A key of another object; none where it is zero.
    pub fn key(&self, member: &str, notes: &mut Notes<'_>) -> Option<Key> {
        let value = self.json.get(member)?;
        match key_of(value) {
            Ok(key) => key,
            Err(()) => {
                self.wrong(member, "a hash of 16 hexadecimal digits", value, notes);
                None
            }
        }
    }

    /// The elements of an array, of which at most `limit` are read.
    pub fn list(&self, member: &str, limit: usize, notes: &mut Notes<'_>) -> &'j [Json] {
        match self.json.get(member) {
            None | Some(Json::Null) => &[],
            Some(Json::List(values)) if values.len() <= limit => values,
            Some(Json::List(values)) => {
                let message = format!("`{member}` has {} elements; the first {limit} are read", values.len());
                notes.add_at(findings::FOZ_SIZE_LIMIT, self.name, message);
                &values[..limit]
            }
            Some(other) => {
                self.wrong(member, "an array", other, notes);
                &[]
            }
        }
    }

    /// The objects of an array.
    pub fn objects(&self, member: &str, limit: usize, notes: &mut Notes<'_>) -> Vec<Members<'j>> {
        let mut out = Vec::new();
        for value in self.list(member, limit, notes) {
            match value {
                Json::Object(_) => out.push(Members { json: value, name: self.name }),
                other => self.wrong(member, "an array of objects", other, notes),
            }
        }
        out
    }

    /// An object.
    pub fn object(&self, member: &str, notes: &mut Notes<'_>) -> Option<Members<'j>> {
        match self.json.get(member)? {
            value @ Json::Object(_) => Some(Members { json: value, name: self.name }),
            Json::Null => None,
            other => {
                self.wrong(member, "an object", other, notes);
                None
            }
        }
    }

    /// The numbers of an array.
    pub fn words(&self, member: &str, limit: usize, notes: &mut Notes<'_>) -> Vec<u32> {
        let mut out = Vec::new();
        for value in self.list(member, limit, notes) {
            match value {
                Json::Unsigned(number) if u32::try_from(*number).is_ok() => out.push(*number as u32),
                other => self.wrong(member, "an array of 32-bit numbers", other, notes),
            }
        }
        out
    }

    /// The keys of an array; a zero key is none, and what is not a key counts as none.
    pub fn keys(&self, member: &str, limit: usize, notes: &mut Notes<'_>) -> Vec<Option<Key>> {
        let mut out = Vec::new();
        for value in self.list(member, limit, notes) {
            out.push(key_of(value).unwrap_or_else(|()| {
                self.wrong(member, "an array of hashes", value, notes);
                None
            }));
        }
        out
    }
}

fn key_of(value: &Json) -> Result<Option<Key>, ()> {
    let Json::Text(text) = value else { return Err(()) };
    if text.len() != 16 {
        return Err(());
    }
    let key: Key = text.parse().map_err(|_| ())?;
    Ok(if key.0 == 0 { None } else { Some(key) })
}
