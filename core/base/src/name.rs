//! Names: such as many rows of a report share, and the words that one says.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A variable's name: every scalar of it, packed and as written, has the same text.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(Arc<str>);

impl Name {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        Name(text.into())
    }
}

impl From<String> for Name {
    fn from(text: String) -> Name {
        Name(text.into())
    }
}

/// The words of a name, in small letters, without digits: `in`, `normal` of `inNormal0`. Some are empty.
pub fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_lower = false;
    for letter in name.chars() {
        if !letter.is_alphabetic() || (after_lower && letter.is_uppercase()) {
            words.push(String::new());
        }
        after_lower = letter.is_lowercase();
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphabetic()) {
            word.extend(letter.to_lowercase());
        }
    }
    words
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.as_str(), f)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

crate::text_schema!(Name: "name of a variable");

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Name, D::Error> {
        String::deserialize(deserializer).map(Name::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_at_capitals_and_signs() {
        let of = |name| words_of(name).into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        for (name, words) in [("inNormal0", "in normal"), ("a_pos", "a pos"), ("POSITION0", "position"), ("", "")] {
            assert_eq!(of(name), words);
        }
    }

    #[test]
    fn name_serialises_as_text() {
        let name = Name::from("lights[1].\"x\"".to_owned());
        let json = serde_json::to_string(&name).expect("is a text");
        assert_eq!(json, serde_json::to_string(name.as_str()).expect("is a text"));
        assert_eq!(serde_json::from_str::<Name>(&json).expect("reads"), name);
        assert_eq!((format!("{name}"), format!("{name:?}")), (name.to_string(), format!("{:?}", name.as_str())));
        assert!(serde_json::from_str::<Name>("1").is_err());
    }
}
