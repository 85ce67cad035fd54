//! The form of a finding in JSON: the text of its place, and the place as data beside it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Finding, ListingLine, Place, Severity};
use crate::StageKind;

/// One violation of a rule, and where.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Finding")]
pub(super) struct Stored {
    /// The rule's stable code.
    code: String,
    /// Its severity, from the table.
    severity: Severity,
    /// The stage that breaks it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    stage: Option<StageKind>,
    /// The message, with its numbers: one line.
    message: String,
    /// Variable, instruction or entry point.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    place: Option<String>,
    /// The place as data; absent where only its text is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    at: Option<Place>,
    /// Line of a container's disassembly.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    line: Option<ListingLine>,
    /// Full output of the tool that the message quotes, where the message leaves something out.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    details: Option<String>,
}

impl From<Finding> for Stored {
    fn from(finding: Finding) -> Stored {
        let Finding { code, severity, stage, message, place, line, details } = finding;
        let text = place.as_ref().map(Place::to_string);
        let at = place.filter(|place| !matches!(place, Place::Text { .. }));
        Stored { code, severity, stage, message, place: text, at, line, details }
    }
}

impl From<Stored> for Finding {
    fn from(stored: Stored) -> Finding {
        let Stored { code, severity, stage, message, place, at, line, details } = stored;
        let place = at.or_else(|| place.map(Place::text));
        Finding { code, severity, stage, message, place, line, details }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_stored_as_text_and_as_data() {
        let text = r#"{"code":"P002","severity":"warning","message":"m","place":"instruction #7"}"#;
        let earlier: Finding = serde_json::from_str(text).expect("reads");
        assert_eq!(earlier.place, Some(Place::text("instruction #7")));
        assert_eq!(serde_json::to_string(&earlier).expect("serializes"), text);
        let now = Finding { place: Some(Place::instruction(7)), ..earlier };
        let written = serde_json::to_string(&now).expect("serializes");
        let data = r#""place":"instruction #7","at":{"kind":"instruction","index":7}"#;
        assert!(written.contains(data), "{written}");
        assert_eq!(serde_json::from_str::<Finding>(&written).expect("reads"), now);
    }
}
