//! What the client configures.

use lanescope_core::chip::Chip;
use lanescope_core::target::Target;
use lanescope_host::workspace::manifest::target;
use serde::Deserialize;
use serde_json::Value;

/// The name of the section that is the server's, where a client sends those of several servers.
pub const SECTION: &str = "lanescope";

/// The settings of a client.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Which hints are shown.
    pub hints: HintSettings,
    /// The GPU whose rules apply, where no workspace file names one.
    #[serde(deserialize_with = "target")]
    pub target: Option<Target>,
    /// The chip whose compiler counts registers; absent for none.
    #[serde(deserialize_with = "chip")]
    pub chip: Option<Chip>,
}

/// Which kinds of hints are shown.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HintSettings {
    /// The attribute slots of varyings.
    pub varyings: bool,
    /// The waves of workgroups.
    pub workgroups: bool,
    /// The guessed offsets of descriptors.
    pub descriptors: bool,
    /// The registers that are alive at each line, where a chip is chosen.
    pub registers: bool,
    /// What leads to nodes of a work graph, and where their outputs lead.
    pub nodes: bool,
    /// The values of variables while a debugger stops.
    pub values: bool,
}

impl Default for HintSettings {
    /// All of them.
    fn default() -> HintSettings {
        HintSettings { varyings: true, workgroups: true, descriptors: true, registers: true, nodes: true, values: true }
    }
}

impl Settings {
    /// The chip whose compiler counts registers, where those are shown.
    pub fn counting_chip(&self) -> Option<Chip> {
        self.chip.filter(|_| self.hints.registers)
    }

    /// Reads settings: the section of the server, or its contents. None where there are none.
    ///
    /// # Errors
    /// What was expected.
    pub fn read(value: &Value) -> Result<Option<Settings>, String> {
        let own = value.get(SECTION).unwrap_or(value);
        match own {
            Value::Null => Ok(None),
            own => Settings::deserialize(own).map(Some).map_err(|error| format!("settings: {error}")),
        }
    }
}

/// Reads a chip by any of its names.
fn chip<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Chip>, D::Error> {
    let name = Option::<String>::deserialize(deserializer)?;
    name.map(|name| name.parse::<Chip>().map_err(serde::de::Error::custom)).transpose()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_kind_of_hint_can_be_switched_off() {
        let all = Settings::default();
        assert_eq!(Settings::read(&Value::Null), Ok(None));
        assert_eq!(Settings::read(&json!({})), Ok(Some(all.clone())));
        let without = Settings { hints: HintSettings { varyings: false, ..all.hints.clone() }, ..all };
        let section = json!({ "lanescope": { "hints": { "varyings": false } } });
        assert_eq!(Settings::read(&section), Ok(Some(without.clone())));
        assert_eq!(Settings::read(&json!({ "hints": { "varyings": false } })), Ok(Some(without)));
    }

    #[test]
    fn what_is_not_a_setting_is_named() {
        for (value, why) in [
            (json!({ "hint": {} }), "unknown field `hint`"),
            (json!({ "hints": { "varyings": "no" } }), "boolean"),
            (json!({ "target": "gfx9999" }), "gfx9999"),
            (json!({ "chip": "a/b" }), "a/b"),
            (json!([1]), "settings: "),
        ] {
            let read = Settings::read(&value);
            assert!(read.as_ref().is_err_and(|error| error.contains(why)), "{value}: {read:?}");
        }
        let chip = Settings::read(&json!({ "target": "navi31" })).expect("reads").expect("some");
        assert_eq!(chip.target, Some(Target::Gfx1100));
        let chip = Settings::read(&json!({ "chip": "gfx1100" })).expect("reads").expect("some");
        assert_eq!(chip.chip, Some(Target::Gfx1100.into()));
    }
}
