//! The label of a word of a key: kept in parts, since a key has many words and few of them are ever shown.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The label of a word of a key: `set 0 binding 2: offset`.
#[derive(Clone)]
pub struct Label {
    of: Option<Of>,
    what: &'static str,
    part: Part,
}

/// What a word belongs to.
#[derive(Clone, PartialEq)]
pub(super) enum Of {
    /// One of a list: `target 0`.
    Numbered(&'static str, u32),
    /// A node. All words of it share its name.
    Named(Arc<str>),
}

/// The part of a text that a word is.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    /// A number rather than a text: all of it.
    Whole,
    /// Length of the text in bytes.
    Bytes,
    /// Four of its bytes.
    Word(u32),
}

impl Label {
    /// A word of something: `set 0 binding 2`, `offset`.
    pub(super) fn of(of: &Of, what: &'static str) -> Label {
        Label { of: Some(of.clone()), what, part: Part::Whole }
    }

    /// Length of a text in bytes.
    pub(super) fn bytes(&self) -> Label {
        Label { part: Part::Bytes, ..self.clone() }
    }

    /// Four bytes of a text.
    pub(super) fn word(&self, index: u32) -> Label {
        Label { part: Part::Word(index), ..self.clone() }
    }
}

impl From<&'static str> for Label {
    fn from(what: &'static str) -> Label {
        Label { of: None, what, part: Part::Whole }
    }
}

impl From<String> for Label {
    fn from(text: String) -> Label {
        Label { of: Some(text.into()), what: "", part: Part::Whole }
    }
}

impl From<String> for Of {
    fn from(text: String) -> Of {
        Of::Named(text.into())
    }
}

impl fmt::Display for Of {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Of::Numbered(list, number) => write!(f, "{list} {number}"),
            Of::Named(name) => f.write_str(name),
        }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(of) = &self.of {
            of.fmt(f)?;
            if !self.what.is_empty() {
                f.write_str(": ")?;
            }
        }
        f.write_str(self.what)?;
        match self.part {
            Part::Whole => Ok(()),
            Part::Bytes => f.write_str(": bytes"),
            Part::Word(index) => write!(f, ": word {index}"),
        }
    }
}

impl fmt::Debug for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_string(), f)
    }
}

/// By what is shown: a label that was read from a report is one text.
impl PartialEq for Label {
    fn eq(&self, other: &Label) -> bool {
        let same = (&self.of, self.what, self.part) == (&other.of, other.what, other.part);
        same || self.to_string() == other.to_string()
    }
}

impl Eq for Label {}

impl Serialize for Label {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

lanescope_base::text_schema!(Label: "what a row of the layout holds");

impl<'de> Deserialize<'de> for Label {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Label, D::Error> {
        String::deserialize(deserializer).map(Label::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_read_as_one_text_and_equal_it() {
        let target = Of::Numbered("target", 0);
        let format = Label::of(&target, "format");
        let all = [Label::from("stage"), format.clone(), format.bytes(), Label::from("chip").word(1)];
        let texts = ["stage", "target 0: format", "target 0: format: bytes", "chip: word 1"];
        for (label, text) in all.iter().zip(texts) {
            assert_eq!((label.to_string().as_str(), label), (text, &Label::from(text.to_owned())));
        }
        assert_ne!(all[1], all[2]);
    }
}
