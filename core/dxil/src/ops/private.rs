//! Names of ops in partitions of the opcode that DXC's tables do not have: what a vendor took for experiments of its own.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Opcode;
use super::opcode::{FeatureId, TableKind, feature_text};

/// The most characters of a name.
const LONGEST: usize = 128;

/// The ops of one FeatureID by name. Their operands are not known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrivateFeature {
    /// The upper half of their numbers.
    #[serde(with = "feature_text")]
    pub feature_id: FeatureId,
    /// Whose they are.
    pub name: String,
    /// The names by index. Not every index must have one.
    pub ops: BTreeMap<u16, String>,
}

/// A file of names.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    features: Vec<PrivateFeature>,
}

impl PrivateFeature {
    /// Reads `{"features": [{"feature_id": "0x8001", "name": "acme", "ops": {"0": "TileMask"}}]}`.
    ///
    /// # Errors
    ///
    /// What is not as the form demands: a FeatureID of a table, one that is named twice, a name that is not plain.
    pub fn list_from_json(text: &str) -> Result<Vec<PrivateFeature>, String> {
        let file: File = serde_json::from_str(text).map_err(|error| error.to_string())?;
        check(&file.features)?;
        Ok(file.features)
    }
}

/// Checks that no FeatureID is that of a table or is named twice, and that names are plain.
///
/// # Errors
///
/// The first FeatureID or name that is not allowed.
pub fn check(features: &[PrivateFeature]) -> Result<(), String> {
    let plain = |name: &str| {
        let is_letter = |c: char| c.is_ascii_alphanumeric() || "_-. ".contains(c);
        !name.trim().is_empty() && name.len() <= LONGEST && name.chars().all(is_letter)
    };
    for (at, feature) in features.iter().enumerate() {
        let id = feature.feature_id;
        if let Some(table) = TableKind::of(id) {
            return Err(format!("FeatureID {id} is that of the {} table, expected another one", table.name()));
        }
        if features.iter().take(at).any(|other| other.feature_id == id) {
            return Err(format!("FeatureID {id} is named twice"));
        }
        let names = feature.ops.values().chain([&feature.name]);
        if let Some(name) = names.into_iter().find(|name| !plain(name)) {
            let name = crate::escaped(name.as_bytes());
            return Err(format!(
                "FeatureID {id}: `{name}` is not a name: expected 1 to {LONGEST} letters, digits, blanks, `_`, `-` and `.`"
            ));
        }
        let invalid = Opcode::INVALID;
        if id == invalid.feature() && feature.ops.contains_key(&invalid.index()) {
            return Err(format!("opcode {invalid:#} is the reserved invalid value and cannot have a name"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::{NoOp, Tables};

    fn read(text: &str) -> Result<Vec<PrivateFeature>, String> {
        PrivateFeature::list_from_json(&format!(r#"{{"features": [{text}]}}"#))
    }

    #[test]
    fn named_ops_are_known_by_name_and_others_are_not() {
        let named = read(r#"{"feature_id": "0x8001", "name": "acme", "ops": {"3": "TileMask"}}"#).expect("reads");
        let tables = Tables::bundled().with_private(named).expect("is allowed");
        let said = |number: u32| tables.op(Opcode(number)).expect_err("is no op of a table").to_string();
        assert_eq!(
            said(0x8001_0003),
            "opcode 0x80010003 is TileMask of acme (FeatureID 0x8001); its operands are not known"
        );
        assert_eq!(said(0x8001_0004), "opcode 0x80010004 is of acme (FeatureID 0x8001), which has no name for index 4");
        assert_eq!(tables.op(Opcode(0x8002_0000)), Err(NoOp::Feature { opcode: Opcode(0x8002_0000) }));
        // The tables themselves stay.
        assert_eq!(tables.op(Opcode(4)).map(|op| op.name.as_str()), Ok("LoadInput"));
        assert_eq!(Tables::from_json(&tables.to_json().expect("is not the bundled one")), Ok(tables));
    }

    #[test]
    fn rejects_names_that_cannot_be_shown_or_are_taken() {
        for (text, words) in [
            (r#"{"feature_id": "0x8000", "name": "a", "ops": {}}"#, "is that of the experimental table"),
            (r#"{"feature_id": "0x10000", "name": "a", "ops": {}}"#, "not a FeatureID"),
            (r#"{"feature_id": "0x8001", "name": "", "ops": {}}"#, "`` is not a name"),
            (r#"{"feature_id": "0x8001", "name": "a", "ops": {"0": "\u001b[2J"}}"#, "is not a name"),
            (r#"{"feature_id": "0xffff", "name": "a", "ops": {"65535": "No"}}"#, "reserved invalid value"),
            (r#"{"feature_id": "0x8001", "name": "a", "ops": {"70000": "No"}}"#, "70000"),
            (
                r#"{"feature_id": "0x8001", "name": "a", "ops": {}}, {"feature_id": "32769", "name": "b", "ops": {}}"#,
                "0x8001 is named twice",
            ),
            (r#"{"feature_id": "0x8001", "name": "a"}"#, "ops"),
        ] {
            let said = read(text).expect_err(text);
            assert!(said.contains(words), "{said}");
        }
    }
}
