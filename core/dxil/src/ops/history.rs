//! What each number was in the versions of DXC's table (`core/dxil/assets/dxil-op-history.json`).

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::opcode::{Opcode, Version};
use super::tables::Tables;

static HISTORY: LazyLock<History> = LazyLock::new(|| {
    // The text is part of the program, and a test reads all of it.
    serde_json::from_str(include_str!("../../assets/dxil-op-history.json")).expect("the bundled history")
});

/// The history of the bundled tables.
pub fn history() -> &'static History {
    &HISTORY
}

/// States of numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct History {
    /// 1.
    pub format: u32,
    /// Where it was read.
    pub source: HistorySource,
    /// Notes on the fields.
    pub notes: Vec<String>,
    /// Numbers whose name, class or operands changed, that are reserved, or that are experimental; in order.
    pub ops: Vec<OpHistory>,
}

/// The commits that were read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct HistorySource {
    /// Owner and name.
    pub project: String,
    /// The file whose versions were read.
    pub file: String,
    /// The first commit and its date.
    pub first: String,
    /// The last commit and its date.
    pub last: String,
}

/// One number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct OpHistory {
    /// The number.
    #[serde(with = "hex")]
    pub opcode: Opcode,
    /// Its states, the first one first.
    pub states: Vec<OpState>,
}

/// What a number was from one commit on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct OpState {
    /// The commit.
    pub commit: String,
    /// Its date: year, month and day.
    pub date: String,
    /// The pull request.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pull: Option<u32>,
    /// The op's name; absent for a hole.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
    /// The op's class.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub class: Option<String>,
    /// Its return type.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub returns: Option<String>,
    /// Its operands after the opcode, each with its type.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub operands: Vec<String>,
    /// For a hole the shader model that was in work then.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reserved_in: Option<Version>,
}

/// A number as eight hexadecimal digits.
mod hex {
    use serde::{Deserialize, Deserializer, Serializer, de};

    use super::Opcode;

    pub fn serialize<S: Serializer>(opcode: &Opcode, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&format!("{opcode:#}"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Opcode, D::Error> {
        Opcode::parse(&String::deserialize(from)?).ok_or_else(|| de::Error::custom("expected a number"))
    }
}

impl History {
    /// The states of a number; none if it was one op since the first commit.
    pub fn of(&self, opcode: Opcode) -> Option<&OpHistory> {
        self.ops.iter().find(|op| op.opcode == opcode)
    }

    /// Numbers that had a name at some time.
    pub fn named(&self, name: &str) -> impl Iterator<Item = &OpHistory> {
        self.ops.iter().filter(move |op| op.states.iter().any(|state| state.name.as_deref() == Some(name)))
    }
}

impl OpHistory {
    /// The state of a hole that is one still: since when it is reserved.
    pub fn reserved(&self) -> Option<&OpState> {
        self.states.last().filter(|state| state.name.is_none())
    }
}

/// The shader model in whose time a hole of the bundled tables was made, if it is one still.
pub fn reserved_in(opcode: Opcode) -> Option<Version> {
    history().of(opcode)?.reserved()?.reserved_in
}

/// When a hole may be filled again by the rule of hlsl-specs 0052: one shader model after the one in work.
pub fn free_from(reserved_in: Version) -> Version {
    Version { minor: reserved_in.minor.saturating_add(1), ..reserved_in }
}

/// Whether a hole may be filled again: the model after the one in work then is itself in work or released.
pub fn is_free(reserved_in: Version, tables: Tables) -> bool {
    tables.database().source.released_shader_model >= reserved_in
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::{Op, op};

    #[test]
    fn history_file_round_trips() {
        let text = include_str!("../../assets/dxil-op-history.json");
        let file: serde_json::Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(serde_json::to_value(history()).expect("serializes"), file);
        assert!(history().ops.is_sorted_by_key(|op| op.opcode));
    }

    /// The history ends with the bundled tables.
    #[test]
    fn last_states_are_those_of_the_tables() {
        for of in &history().ops {
            let last = of.states.last().expect("a state");
            let now: Option<&Op> = op(of.opcode).ok();
            assert_eq!(last.name.as_deref(), now.map(|op| op.name.as_str()), "{:#}", of.opcode);
            assert_eq!(last.class.as_deref(), now.map(|op| op.class.as_str()), "{:#}", of.opcode);
            assert_eq!(last.name.is_none(), last.reserved_in.is_some(), "{:#}", of.opcode);
            let names: Vec<&str> = last.operands.iter().filter_map(|operand| operand.split(' ').next_back()).collect();
            let own = now.iter().flat_map(|op| op.operands.iter().skip(1)).map(|operand| operand.name.as_str());
            assert_eq!(names, own.collect::<Vec<_>>(), "{:#}", of.opcode);
            assert!(of.states.is_sorted_by(|a, b| a.date <= b.date));
        }
        let holes = Tables::bundled().all().filter(|op| op.reserved);
        assert!(holes.into_iter().all(|hole| reserved_in(hole.opcode).is_some()));
        assert_eq!(history().ops.iter().filter(|op| op.opcode.0 >= 0x8000_0000).count(), 35);
    }

    #[test]
    fn holes_are_free_one_model_later() {
        let model = |minor| Version { major: 6, minor };
        assert_eq!((reserved_in(Opcode(226)), reserved_in(Opcode(305))), (Some(model(9)), Some(model(10))));
        assert_eq!(reserved_in(Opcode(0x8000_000B)), None);
        assert_eq!(free_from(model(10)), model(11));
        assert!(is_free(model(9), Tables::bundled()) && !is_free(model(10), Tables::bundled()));
        let names: Vec<u32> = history().named("IsDebuggerPresent").map(|op| op.opcode.0).collect();
        assert_eq!(names, [0x8000_0022]);
    }
}
