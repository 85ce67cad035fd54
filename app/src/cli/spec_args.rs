//! `--spec`: values of specialization constants, by id or by name.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_core::options::SpecValue;
use lanescope_core::program::Program;

use super::CliError;

/// A specialization constant and its value: `3=16`, `tile_width=16`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecArg {
    key: Key,
    value: SpecValue,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Key {
    Id(u32),
    Name(String),
}

impl std::str::FromStr for SpecArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (key, value) = text.split_once('=').ok_or("expected ID=VALUE or NAME=VALUE")?;
        let key = key.trim();
        let is_name = key.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let key = match key.parse() {
            Ok(id) => Key::Id(id),
            Err(_) if is_name => Key::Name(key.to_owned()),
            Err(error) => return Err(format!("`{key}` before `=` is neither an id nor a name: {error}")),
        };
        let value = value.trim().parse().map_err(|error: <SpecValue as std::str::FromStr>::Err| error.to_string())?;
        Ok(SpecArg { key, value })
    }
}

/// The values of constants that are given by id.
pub fn by_id(all: &[SpecArg]) -> BTreeMap<u32, SpecValue> {
    let id = |arg: &SpecArg| match arg.key {
        Key::Id(id) => Some((id, arg.value.clone())),
        Key::Name(_) => None,
    };
    all.iter().filter_map(id).collect()
}

/// Rejects names: no program is at hand whose constants they could be.
pub fn only_ids(all: &[SpecArg], command: &str) -> Result<(), CliError> {
    let name = all.iter().find_map(|arg| match &arg.key {
        Key::Name(name) => Some(name),
        Key::Id(_) => None,
    });
    match name {
        Some(name) => Err(CliError::Unusable(format!("--spec {name}: {command} takes specialization constants by id"))),
        None => Ok(()),
    }
}

/// The values of all constants of a program, those by name under their ids. Of two values for one constant the last one counts.
///
/// # Errors
/// A name that no constant has, with those that there are; a name of several.
pub fn of_program(all: &[SpecArg], program: &Program) -> Result<BTreeMap<u32, SpecValue>, CliError> {
    let known: BTreeSet<(String, u32)> = if all.iter().any(|arg| matches!(arg.key, Key::Name(_))) {
        let modules = program.modules.iter().map(|loaded| &loaded.module);
        let named = modules.flat_map(|module| {
            let constants = module.spec_constants().into_iter();
            constants.filter_map(|constant| Some((module.name(constant.id)?.to_owned(), constant.spec_id)))
        });
        named.collect()
    } else {
        BTreeSet::new()
    };
    let mut out = BTreeMap::new();
    for SpecArg { key, value } in all {
        let id = match key {
            Key::Id(id) => *id,
            Key::Name(name) => id_of(name, &known)?,
        };
        out.insert(id, value.clone());
    }
    Ok(out)
}

fn id_of(name: &str, known: &BTreeSet<(String, u32)>) -> Result<u32, CliError> {
    let ids: Vec<u32> = known.iter().filter(|(other, _)| other == name).map(|(_, id)| *id).collect();
    let why = match ids.as_slice() {
        [id] => return Ok(*id),
        [] if known.is_empty() => "the program has no specialization constant with a name".to_owned(),
        [] => {
            let all: Vec<String> = known.iter().map(|(name, id)| format!("{name} ({id})")).collect();
            format!("no specialization constant has this name; there are {}", all.join(", "))
        }
        several => {
            let all: Vec<String> = several.iter().map(u32::to_string).collect();
            format!("several specialization constants have this name: use an id of {}", all.join(", "))
        }
    };
    Err(CliError::Unusable(format!("--spec {name}: {why}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_named_by_id_or_name() {
        let arg = |text: &str| text.parse::<SpecArg>();
        assert_eq!(arg("3=16").map(|arg| arg.key), Ok(Key::Id(3)));
        assert_eq!(arg("tile_width = 16").map(|arg| arg.key), Ok(Key::Name("tile_width".to_owned())));
        for wrong in ["3", "=1", "-1=2", "99999999999=1"] {
            assert!(arg(wrong).is_err(), "{wrong}");
        }
        let known = BTreeSet::from([("a".to_owned(), 1), ("b".to_owned(), 2), ("b".to_owned(), 3)]);
        assert!(matches!(id_of("a", &known), Ok(1)));
        assert!(id_of("b", &known).is_err_and(|why| why.to_string().contains("use an id of 2, 3")));
        assert!(id_of("c", &known).is_err_and(|why| why.to_string().contains("there are a (1), b (2), b (3)")));
    }
}
