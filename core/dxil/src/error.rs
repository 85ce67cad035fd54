//! Faults of a container: the part, the place in the file, what was expected and what was found.

use std::fmt;
use std::ops::{Deref, DerefMut};

use super::container::FourCc;
use crate::findings::{self, Finding, Rule};

/// A location in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// An offset in bytes from the start of the file.
    Byte(u64),
    /// An offset in bits from the start of the file, for places inside bitcode.
    Bit(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Byte(byte) => write!(f, "byte {byte:#x}"),
            Place::Bit(bit) => write!(f, "byte {:#x} (bit {})", bit / 8, bit % 8),
        }
    }
}

/// Bytes that violate the format. Boxed, so that results stay small.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{}: {}", part_prefix(.0.part), .0.at, .0.message)]
pub struct Fault(Box<Broken>);

/// Contents of a [`Fault`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Broken {
    /// The rule that is broken.
    pub rule: &'static Rule,
    /// The part it is in; absent for the container itself.
    pub part: Option<FourCc>,
    /// Location.
    pub at: Place,
    /// What was expected, and what was found.
    pub message: String,
}

impl Deref for Fault {
    type Target = Broken;

    fn deref(&self) -> &Broken {
        &self.0
    }
}

impl DerefMut for Fault {
    fn deref_mut(&mut self) -> &mut Broken {
        &mut self.0
    }
}

fn part_prefix(part: Option<FourCc>) -> String {
    part.map(|part| format!("{part}, ")).unwrap_or_default()
}

impl Fault {
    /// A fault at a byte of the file.
    pub(crate) fn at_byte(rule: &'static Rule, byte: u64, message: impl Into<String>) -> Fault {
        Fault(Box::new(Broken { rule, part: None, at: Place::Byte(byte), message: message.into() }))
    }

    /// A fault at a bit of the file.
    pub(crate) fn at_bit(rule: &'static Rule, bit: u64, message: impl Into<String>) -> Fault {
        Fault(Box::new(Broken { rule, part: None, at: Place::Bit(bit), message: message.into() }))
    }

    /// The fault with its part.
    pub(crate) fn within(mut self, part: FourCc) -> Fault {
        self.part.get_or_insert(part);
        self
    }

    /// The finding that this fault is where the rest of the file can still be shown.
    pub fn finding(&self) -> Finding {
        let offset = match self.at {
            Place::Byte(byte) => findings::Place::byte(byte),
            Place::Bit(bit) => findings::Place::Offset { byte: bit / 8, bit: Some((bit % 8) as u8) },
        };
        let place = match self.part {
            Some(part) => offset.in_part(part.to_string()),
            None => offset,
        };
        self.rule.at(None, Some(place), &self.message)
    }
}
