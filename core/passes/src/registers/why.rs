//! Why a field has its value: kept in parts, and joined when it is shown.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Why a field has its value. A table of registers holds hundreds of them and few are ever read, so the text is made
/// when it is shown.
#[derive(Clone)]
pub struct Why {
    /// Name of the value.
    meaning: Option<&'static str>,
    reason: Reason,
    /// Value that the driver writes instead, and the reason.
    driver: Option<Box<(u32, &'static str)>>,
}

#[derive(Clone)]
enum Reason {
    Fixed(&'static str),
    /// Text before and after a number.
    Around(&'static [&'static str; 2], u32),
    /// The number of a parameter, and what it holds.
    Parameter(u32, Arc<str>),
    Made(Arc<str>),
}

impl Why {
    /// A number in the middle of a text.
    pub(super) fn around(number: u32, texts: &'static [&'static str; 2]) -> Why {
        Reason::Around(texts, number).into()
    }

    /// Contents of a parameter.
    pub(super) fn parameter(number: u32, holds: &str) -> Why {
        Reason::Parameter(number, holds.into()).into()
    }

    /// Puts the name of the value first.
    pub(super) fn called(&mut self, meaning: &'static str) {
        self.meaning = Some(meaning);
    }

    /// Says what the driver writes instead.
    pub(super) fn driven(&mut self, value: u32, why: &'static str) {
        self.driver = Some(Box::new((value, why)));
    }

    /// Whether there is no text at all.
    pub fn is_empty(&self) -> bool {
        let reason = match &self.reason {
            Reason::Fixed(text) => text.is_empty(),
            Reason::Around(..) | Reason::Parameter(..) => false,
            Reason::Made(text) => text.is_empty(),
        };
        reason && self.meaning.is_none() && self.driver.is_none()
    }
}

impl From<Reason> for Why {
    fn from(reason: Reason) -> Why {
        Why { meaning: None, reason, driver: None }
    }
}

impl From<&'static str> for Why {
    fn from(text: &'static str) -> Why {
        Reason::Fixed(text).into()
    }
}

impl From<String> for Why {
    fn from(text: String) -> Why {
        Reason::Made(text.into()).into()
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(meaning) = self.meaning {
            write!(f, "{meaning}: ")?;
        }
        match &self.reason {
            Reason::Fixed(text) => f.write_str(text)?,
            Reason::Around([before, after], number) => write!(f, "{before}{number}{after}")?,
            Reason::Parameter(number, holds) => write!(f, "parameter {number}: {holds}")?,
            Reason::Made(text) => f.write_str(text)?,
        }
        match self.driver.as_deref() {
            Some((value, why)) => write!(f, "; the driver writes {value}: {why}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_string(), f)
    }
}

/// By what is shown: a reason that was read from a report is one text.
impl PartialEq for Why {
    fn eq(&self, other: &Why) -> bool {
        let plain = |why: &Why| why.meaning.is_none() && why.driver.is_none();
        match (&self.reason, &other.reason) {
            (Reason::Fixed(a), Reason::Fixed(b)) if plain(self) && plain(other) => a == b,
            _ => self.to_string() == other.to_string(),
        }
    }
}

impl Eq for Why {}

impl Serialize for Why {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

lanescope_base::text_schema!(Why: "why a field has its value");

impl<'de> Deserialize<'de> for Why {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Why, D::Error> {
        String::deserialize(deserializer).map(Why::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_read_as_one_text_and_equal_it() {
        let mut why = Why::around(3, &["parameter ", " of many"]);
        assert_eq!(why.to_string(), "parameter 3 of many");
        why.called("4COMP");
        why.driven(1, "always");
        let text = "4COMP: parameter 3 of many; the driver writes 1: always";
        assert_eq!((why.to_string().as_str(), &why), (text, &Why::from(text.to_owned())));
        assert_ne!(why, Why::from("4COMP: parameter 3 of many"));
        let json = serde_json::to_string(&why).expect("is a text");
        assert_eq!(serde_json::from_str::<Why>(&json).expect("reads"), why);
        assert_eq!(Why::parameter(2, "x v"), Why::from("parameter 2: x v"));
        assert!(Why::from("").is_empty() && !why.is_empty());
    }
}
