//! Names of values and blocks: the value symbol tables.

use super::read::Reader;
use crate::bytes::{escaped, is_plain};
use crate::error::Fault;

/// A name after its sign: quoted where it is not plain.
pub fn symbol(sign: char, name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._$-".contains(c);
    if !name.is_empty() && name.chars().all(plain) {
        return format!("{sign}{name}");
    }
    format!("{sign}\"{}\"", name.replace('"', "\\22"))
}

/// Texts, one after the other: a module has hundreds of short ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Texts(Vec<u8>);

/// Range of a text in the buffer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Span {
    start: u32,
    end: u32,
}

impl Texts {
    /// Adds a record's characters, escaped where they are not plain text.
    pub fn add(&mut self, characters: &[u64]) -> Span {
        let start = self.0.len();
        self.0.extend(characters.iter().map(|character| *character as u8));
        if let Some(text) = self.0.get(start..).filter(|text| !is_plain(text)) {
            let text = escaped(text);
            self.0.truncate(start);
            self.0.extend(text.bytes());
        }
        Span { start: start as u32, end: self.0.len() as u32 }
    }

    /// Reserves space for this many more bytes.
    pub fn reserve(&mut self, bytes: usize) {
        self.0.reserve(bytes);
    }

    /// One text.
    #[inline]
    pub fn get(&self, span: Span) -> &str {
        // Only valid UTF-8 was added.
        std::str::from_utf8(self.bytes(span)).unwrap_or_default()
    }

    /// One text's bytes, which are compared sooner than read as text.
    #[inline]
    pub fn bytes(&self, span: Span) -> &[u8] {
        self.0.get(span.start as usize..span.end as usize).unwrap_or_default()
    }
}

/// Names by number, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    names: Vec<(u32, Span)>,
    texts: Texts,
}

impl Names {
    /// The name of a number; empty where it has none.
    #[inline]
    pub fn of(&self, id: u32) -> &str {
        let at = self.names.binary_search_by_key(&id, |(id, _)| *id);
        at.ok().and_then(|at| self.names.get(at)).map_or("", |(_, name)| self.texts.get(*name))
    }

    /// Every name with its number.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &str)> {
        self.names.iter().map(|(id, name)| (*id, self.texts.get(*name)))
    }

    fn sort(&mut self) {
        if !self.names.is_sorted_by_key(|(id, _)| *id) {
            self.names.sort_by_key(|(id, _)| *id);
        }
        self.names.dedup_by_key(|(id, _)| *id);
    }
}

impl Reader<'_> {
    /// Reads a symbol table: names of values, names of blocks.
    pub(super) fn symbols(&mut self) -> Result<(Names, Names), Fault> {
        let (mut values, mut blocks) = (Names::default(), Names::default());
        let bytes = self.stream.block_bits() / 8;
        values.texts.reserve(bytes);
        values.names.reserve(bytes / 24);
        while let Some((code, ops)) = self.record()? {
            if let (1 | 2, [id, name @ ..]) = (code, &*ops)
                && let Ok(id) = u32::try_from(*id)
            {
                self.stream.charge(48 + 2 * name.len())?;
                let of = if code == 1 { &mut values } else { &mut blocks };
                let name = of.texts.add(name);
                of.names.push((id, name));
            }
            self.stream.recycle(ops);
        }
        values.sort();
        blocks.sort();
        Ok((values, blocks))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module::{Type, Types};

    #[test]
    fn quotes_names_that_are_not_plain() {
        assert_eq!((symbol('@', "main"), symbol('%', "")), ("@main".to_owned(), "%\"\"".to_owned()));
        assert_eq!(symbol('@', "\\01?a\"b"), "@\"\\01?a\\22b\"");
    }

    #[test]
    fn type_has_one_name_at_use_and_definition() {
        let mut types = Types::default();
        for name in ["plain", "a\"b", "", "two words"] {
            let ty = types.intern(Type::Opaque(name.into()));
            assert_eq!(types.name(ty), symbol('%', name));
        }
    }

    #[test]
    fn texts_round_trip_and_are_escaped() {
        let mut texts = Texts::default();
        let characters = |text: &[u8]| text.iter().map(|byte| u64::from(*byte)).collect::<Vec<_>>();
        let long = "dx.op.".repeat(40);
        let spans = ["", "main", &long].map(|text| (text, texts.add(&characters(text.as_bytes()))));
        let odd = texts.add(&characters(b"a\x1b\xff"));
        for (text, span) in spans {
            assert_eq!(texts.get(span), text);
        }
        assert_eq!(texts.get(odd), "a\\1B\\FF");
    }
}
