//! Options with a fixed set of values, which shells complete.

use std::error::Error;
use std::ffi::OsStr;
use std::marker::PhantomData;
use std::str::FromStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use lanescope_core::chip::Chip;
use lanescope_core::driver::chips;
use lanescope_core::target::Target;

/// Parses a value as its type does. Completions offer the listed names; aliases parse too.
#[derive(Debug)]
pub struct OneOf<T> {
    names: Vec<&'static str>,
    of: PhantomData<fn() -> T>,
}

impl<T> Clone for OneOf<T> {
    fn clone(&self) -> Self {
        OneOf { names: self.names.clone(), of: PhantomData }
    }
}

/// One of these values, by name.
pub fn one_of<T: Copy>(values: &[T], name: fn(T) -> &'static str) -> OneOf<T> {
    OneOf { names: values.iter().map(|value| name(*value)).collect(), of: PhantomData }
}

/// A target that has register tables, by any of its names.
pub fn target() -> OneOf<Target> {
    one_of(&Target::with_registers().collect::<Vec<_>>(), Target::name)
}

/// A chip that a driver may support: a name or alias in the tables of chips, else the name by which AMD's driver knows it.
#[derive(Debug, Clone, Copy)]
pub struct ChipName;

/// Parses a chip that a driver may support.
pub fn chip() -> ChipName {
    ChipName
}

impl TypedValueParser for ChipName {
    type Value = Chip;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Chip, clap::Error> {
        StringValueParser::new().try_map(|text: String| text.parse::<Chip>()).parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(chips().map(|chip| PossibleValue::new(chip.name()))))
    }
}

impl<T> TypedValueParser for OneOf<T>
where
    T: FromStr<Err: Into<Box<dyn Error + Send + Sync>>> + Clone + Send + Sync + 'static,
{
    type Value = T;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        StringValueParser::new().try_map(|text| text.parse::<T>()).parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names.iter().map(|name| PossibleValue::new(*name))))
    }
}

#[cfg(test)]
mod tests {
    use clap::{Arg, Command};

    use super::*;

    #[test]
    fn parses_aliases_and_completes_names() {
        let chip = Arg::new("chip").long("chip").value_parser(chip()).hide_possible_values(true);
        let offered: Vec<String> = chip.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
        assert!(offered.contains(&"gfx803".to_owned()) && offered.contains(&"gfx1030".to_owned()), "{offered:?}");
        let command = Command::new("x").arg(chip);
        let read = |name: &str| command.clone().try_get_matches_from(["x", "--chip", name]);
        assert_eq!(read("NAVI21").expect("an alias").get_one::<Chip>("chip"), Some(&Target::Gfx1030.into()));
        // A driver may know chips that the table does not have.
        let other = read("Hawaii").expect("a name").get_one::<Chip>("chip").copied();
        assert_eq!(other, Chip::of_driver("hawaii"));
        let error = read("navi 21/2").expect_err("no name").to_string();
        assert!(error.contains("invalid value 'navi 21/2' for '--chip <chip>'"), "{error}");
    }
}
