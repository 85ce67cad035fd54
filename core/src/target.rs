//! Targets and chips: one table for every flag that takes one.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A chip that Lanescope knows by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// Polaris 10 (driver only).
    Gfx803,
    /// Vega 10 (driver only).
    Gfx900,
    /// Navi 10, graphics IP 10.1.
    Gfx1010,
    /// Navi 21, graphics IP 10.3.
    Gfx1030,
    /// Navi 31, graphics IP 11.
    Gfx1100,
    /// Graphics IP 12 (registers only).
    Gfx1200,
}

/// One row of the target table.
#[derive(Debug)]
pub struct TargetInfo {
    /// The row's target.
    pub target: Target,
    /// The name that reports write.
    pub name: &'static str,
    /// Other names that flags take, in any case.
    pub aliases: &'static [&'static str],
    /// Key of the register tables, if there are any for this chip.
    pub register_ip: Option<&'static str>,
    /// Name under which Mesa's AMD driver offers a null device, if it does.
    pub mesa_family: Option<&'static str>,
    /// What the chip is, in a few words.
    pub about: &'static str,
}

/// Every target, oldest first.
pub const TARGETS: &[TargetInfo] = &[
    TargetInfo {
        target: Target::Gfx803,
        name: "gfx803",
        aliases: &["polaris10"],
        register_ip: None,
        mesa_family: Some("polaris10"),
        about: "Polaris 10: driver only",
    },
    TargetInfo {
        target: Target::Gfx900,
        name: "gfx900",
        aliases: &["vega10"],
        register_ip: None,
        mesa_family: Some("vega10"),
        about: "Vega 10: driver only",
    },
    TargetInfo {
        target: Target::Gfx1010,
        name: "gfx1010",
        aliases: &["navi10", "gfx10.1"],
        register_ip: Some("gfx10.1"),
        mesa_family: Some("navi10"),
        about: "Navi 10",
    },
    TargetInfo {
        target: Target::Gfx1030,
        name: "gfx1030",
        aliases: &["navi21", "gfx10.3"],
        register_ip: Some("gfx10.3"),
        mesa_family: Some("navi21"),
        about: "Navi 21",
    },
    TargetInfo {
        target: Target::Gfx1100,
        name: "gfx1100",
        aliases: &["navi31", "gfx11"],
        register_ip: Some("gfx11"),
        mesa_family: Some("gfx1100"),
        about: "Navi 31",
    },
    TargetInfo {
        target: Target::Gfx1200,
        name: "gfx1200",
        aliases: &["gfx12"],
        register_ip: Some("gfx12"),
        mesa_family: None,
        about: "graphics IP 12: registers only",
    },
];

/// A name that no row of [`TARGETS`] carries.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown target `{name}`; known are {known}")]
pub struct UnknownTarget {
    /// What was typed.
    pub name: String,
    /// Every name that would have been taken.
    pub known: String,
}

impl Target {
    /// The target's row.
    pub fn info(self) -> &'static TargetInfo {
        // One row per variant: a test walks the table.
        TARGETS.iter().find(|row| row.target == self).unwrap_or(&TARGETS[0])
    }

    /// The gfxNNNN name.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// The targets that have register tables, oldest first.
    pub fn with_registers() -> impl Iterator<Item = Target> {
        TARGETS.iter().filter(|row| row.register_ip.is_some()).map(|row| row.target)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Target {
    type Err = UnknownTarget;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        TARGETS
            .iter()
            .find(|row| row.name.eq_ignore_ascii_case(name) || row.aliases.iter().any(|a| a.eq_ignore_ascii_case(name)))
            .map(|row| row.target)
            .ok_or_else(|| UnknownTarget {
                name: name.to_owned(),
                known: TARGETS
                    .iter()
                    .map(|row| format!("{} ({})", row.name, row.aliases.join(", ")))
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

impl<'de> Deserialize<'de> for Target {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_and_alias_is_taken_in_any_case_and_leads_to_one_row() {
        let mut seen = std::collections::BTreeSet::new();
        for row in TARGETS {
            assert_eq!(row.target.info().name, row.name);
            for name in std::iter::once(&row.name).chain(row.aliases) {
                assert!(seen.insert(name.to_lowercase()), "{name} stands twice");
                assert_eq!(name.to_uppercase().parse(), Ok(row.target));
            }
        }
        assert!("gfx9999".parse::<Target>().is_err());
    }
}
