//! Targets and chips: one table for every flag that takes one.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

mod family;
pub mod ip;
mod table;

pub use family::FamilyName;
pub use ip::GraphicsIp;
pub use table::{TARGETS, Target, TargetInfo};

/// A name that no row of [`TARGETS`] carries.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown target `{name}`; expected one of {known}")]
pub struct UnknownTarget {
    /// What was typed.
    pub name: String,
    /// Every name that would have been taken.
    pub known: String,
}

impl Target {
    /// The target's row; for a chip that only the driver knows, a row that is not part of [`TARGETS`].
    pub fn info(self) -> &'static TargetInfo {
        // One row per named variant: a test walks the table.
        TARGETS.iter().find(|row| row.target == self).unwrap_or(&table::NAMED)
    }

    /// The gfxNNNN name; the driver's for a chip that only the driver knows.
    pub fn name(self) -> &'static str {
        match self {
            Target::Named(family) => family.name(),
            _ => self.info().name,
        }
    }

    /// What it shares with the other chips of its graphics IP.
    pub fn ip(self) -> &'static GraphicsIp {
        self.info().ip
    }

    /// The targets that have register tables, oldest first.
    pub fn with_registers() -> impl Iterator<Item = Target> {
        TARGETS.iter().filter(|row| row.register_ip.is_some()).map(|row| row.target)
    }

    /// The chip of that name: one of [`TARGETS`], else one that a driver may know. `None` for what cannot be a name.
    pub fn of_driver(name: &str) -> Option<Target> {
        name.parse().ok().or_else(|| FamilyName::new(name).map(Target::Named))
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name without what people write differently: case, blanks, `_` and `-`.
pub(crate) fn plain(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, ' ' | '_' | '-')).map(|c| c.to_ascii_lowercase()).collect()
}

impl FromStr for Target {
    type Err = UnknownTarget;

    /// Reads a gfxNNNN name or any alias; case, blanks, `_` and `-` do not matter.
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let wanted = plain(name);
        let is =
            |row: &&TargetInfo| plain(row.name) == wanted || row.aliases.iter().any(|alias| plain(alias) == wanted);
        TARGETS.iter().find(is).map(|row| row.target).ok_or_else(|| UnknownTarget {
            name: name.to_owned(),
            known: TARGETS
                .iter()
                .map(|row| match row.aliases.first() {
                    Some(alias) => format!("{} ({alias})", row.name),
                    None => row.name.to_owned(),
                })
                .collect::<Vec<_>>()
                .join(", "),
        })
    }
}

impl Serialize for Target {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

lanescope_base::text_schema!(Target: "chip, by its LLVM name");

impl<'de> Deserialize<'de> for Target {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Target::of_driver(&name).ok_or_else(|| serde::de::Error::custom(format!("`{name}` is not a chip name")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_every_name_and_alias_in_any_case() {
        let mut seen = std::collections::BTreeSet::new();
        for row in TARGETS {
            assert_eq!(row.target.info().name, row.name);
            for name in std::iter::once(&row.name).chain(row.aliases) {
                assert!(seen.insert(plain(name)), "{name} appears twice");
                assert_eq!(name.to_uppercase().parse(), Ok(row.target));
            }
        }
        assert!("gfx9999".parse::<Target>().is_err());
        assert_eq!("RX 7900 XTX".parse(), Ok(Target::Gfx1100));
        assert_eq!("Strix-Halo".parse(), Ok(Target::Gfx1151));
    }

    #[test]
    fn the_table_is_in_order_of_age() {
        let number = |row: &TargetInfo| u32::from_str_radix(row.name.trim_start_matches("gfx"), 16).expect("a number");
        // `gfx90c` is older than `gfx1010`.
        let age = |row: &TargetInfo| (row.name.len(), number(row));
        assert!(TARGETS.windows(2).all(|two| age(&two[0]) < age(&two[1])));
    }

    #[test]
    fn a_chip_that_only_a_driver_knows_keeps_its_name() {
        let chip = Target::of_driver("HAWAII").expect("a name");
        assert_eq!(chip.name(), "hawaii");
        assert_eq!(chip.info().register_ip, None);
        let text = serde_json::to_string(&chip).expect("writes");
        assert_eq!(serde_json::from_str::<Target>(&text).expect("reads"), chip);
        assert_eq!(Target::of_driver("navi 21"), Some(Target::Gfx1030));
        assert_eq!(Target::of_driver("a/b"), None);
    }
}
