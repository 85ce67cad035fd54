//! Names of resources in the command line.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::fill::ADDRESS_SET;
use lanescope_model::program::{ADDRESS_BYTES, DescriptorBinding, Program};

/// A descriptor, or a register of D3D: `0:1`, `set0.binding1`, `u0`, `t3,space1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// Set and binding.
    Descriptor(u32, u32),
    /// The register's letter (`b`, `t`, `u`, `s`), its number and its space.
    Register(char, u32, u32),
}

impl Place {
    /// What a program's own table calls a descriptor: by its register, where it has one.
    pub fn of(program: &Program, set: u32, binding: u32) -> Place {
        let row = register_at(program, set, binding).filter(|row| !row.counter);
        match row.and_then(|row| Some((row.register.chars().next()?, row))) {
            Some((letter, row)) => Place::Register(letter, row.lower, row.space),
            None => Place::Descriptor(set, binding),
        }
    }

    /// Set and binding in a program.
    ///
    /// # Errors
    /// Why the program has no descriptor of that name; what it has.
    pub fn find(&self, program: &Program) -> Result<(u32, u32), String> {
        let (letter, lower, space) = match *self {
            Place::Descriptor(set, binding) => return Ok((set, binding)),
            Place::Register(letter, lower, space) => (letter, lower, space),
        };
        let mut rows = program.registers().filter(|row| !row.counter).peekable();
        if rows.peek().is_none() {
            return Err(format!("{self} is a register, but no HLSL or DXIL with registers is loaded; use SET:BINDING"));
        }
        let all: Vec<&DescriptorBinding> = rows.collect();
        let same =
            |row: &&&DescriptorBinding| row.register.starts_with(letter) && (row.lower, row.space) == (lower, space);
        match all.iter().find(same) {
            Some(row) => Ok(descriptor_of(row)),
            None => {
                let mut known: Vec<String> = all.iter().map(|row| row.name()).collect();
                known.dedup();
                Err(format!("no shader uses {self}; used are {}", known.join("; ")))
            }
        }
    }
}

/// The register of a descriptor, where it has one.
pub fn register_at(program: &Program, set: u32, binding: u32) -> Option<&DescriptorBinding> {
    program.registers().find(|row| descriptor_of(row) == (set, binding))
}

/// Set and binding of a register; of one that is reached by an address, what stands for them.
pub(super) fn descriptor_of(row: &DescriptorBinding) -> (u32, u32) {
    row.address.map_or((row.set, row.binding), |offset| (ADDRESS_SET, offset / ADDRESS_BYTES))
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a resource: expected u0, t3,space1, 0:1 or set0.binding1");
        let text = text.trim();
        let number = |part: &str| part.parse::<u32>().ok();
        let descriptor = text.split_once(':').and_then(|(set, binding)| Some((number(set)?, number(binding)?)));
        let named = || {
            let (set, binding) = text.split_once('.')?;
            let plain = || Some((number(set)?, number(binding)?));
            let of = || Some((number(set.strip_prefix("set")?)?, number(binding.strip_prefix("binding")?)?));
            plain().or_else(of)
        };
        if let Some((set, binding)) = descriptor.or_else(named) {
            return Ok(Place::Descriptor(set, binding));
        }
        let (register, space) = match text.split_once([',', '.']) {
            Some((register, space)) => {
                let space = space.trim().strip_prefix("space").and_then(number).ok_or_else(wrong)?;
                (register.trim_end(), space)
            }
            None => (text, 0),
        };
        let letter = register.chars().next().map(|c| c.to_ascii_lowercase()).filter(|c| "btus".contains(*c));
        let letter = letter.ok_or_else(wrong)?;
        let lower = register.get(1..).and_then(number).ok_or_else(wrong)?;
        Ok(Place::Register(letter, lower, space))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Descriptor(set, binding) => write!(f, "{set}:{binding}"),
            Place::Register(letter, lower, 0) => write!(f, "{letter}{lower}"),
            Place::Register(letter, lower, space) => write!(f, "{letter}{lower},space{space}"),
        }
    }
}

impl Serialize for Place {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

lanescope_base::text_schema!(Place: "set and binding (`0:12`) or HLSL register (`u0,space1`)");

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_parse_and_print() {
        let read = |text: &str| text.parse::<Place>();
        assert_eq!(read("0:12"), Ok(Place::Descriptor(0, 12)));
        assert_eq!(read("1.20"), Ok(Place::Descriptor(1, 20)));
        assert_eq!(read("set1.binding20"), Ok(Place::Descriptor(1, 20)));
        assert_eq!(read("U0"), Ok(Place::Register('u', 0, 0)));
        assert_eq!(read("t3, space1"), Ok(Place::Register('t', 3, 1)));
        for text in ["0:12", "u0", "t3,space1", "b4", "s2,space9"] {
            assert_eq!(read(text).map(|place| place.to_string()), Ok(text.to_owned()));
        }
        assert_eq!(read("u0.space1"), Ok(Place::Register('u', 0, 1)), "as files are named");
        for wrong in ["", "u", "x0", "u-1", "u0,1", "u0,space", "0:", ":1", "0", "set0", "set0.1", "é1"] {
            assert!(read(wrong).is_err_and(|error| error.contains("u0")), "{wrong}");
        }
    }
}
