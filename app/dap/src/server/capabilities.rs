//! What a client is told of the adapter.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::debuggee::FILTERS;
use crate::protocol::Request;

/// How a client counts and names places.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Conventions {
    lines_start_at1: Option<bool>,
    columns_start_at1: Option<bool>,
    path_format: Option<String>,
}

/// The answer to `initialize`.
///
/// # Errors
/// A client that counts lines from 0, or names files by URIs.
pub fn initialize(request: &Request) -> Result<Value, String> {
    let conventions: Conventions = request.read()?;
    if conventions.lines_start_at1 == Some(false) || conventions.columns_start_at1 == Some(false) {
        return Err("initialize: lines and columns are counted from 1".to_owned());
    }
    if let Some(format) = conventions.path_format.filter(|format| format != "path") {
        return Err(format!("initialize: expected the path format `path`, found `{format}`"));
    }
    let filters: Vec<Value> = FILTERS
        .iter()
        .map(|(filter, label, is_on)| json!({ "filter": filter, "label": label, "default": is_on }))
        .collect();
    Ok(json!({
        "supportsConfigurationDoneRequest": true,
        "supportsFunctionBreakpoints": true,
        "supportsConditionalBreakpoints": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsLogPoints": true,
        "supportsEvaluateForHovers": true,
        "supportsStepBack": true,
        "supportsSteppingGranularity": true,
        "supportsInstructionBreakpoints": true,
        "supportsDataBreakpoints": true,
        "supportsExceptionInfoRequest": true,
        "supportsBreakpointLocationsRequest": true,
        "supportsLoadedSourcesRequest": true,
        "supportsDelayedStackTraceLoading": true,
        "supportsDisassembleRequest": true,
        "supportsTerminateRequest": true,
        "exceptionBreakpointFilters": filters,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_that_counts_from_0_is_refused() {
        let of = |arguments| initialize(&Request { seq: 1, command: "initialize".to_owned(), arguments });
        assert!(of(json!({ "adapterID": "lanescope", "linesStartAt1": true, "pathFormat": "path" })).is_ok());
        assert!(of(Value::Null).is_ok());
        for (arguments, why) in [
            (json!({ "linesStartAt1": false }), "counted from 1"),
            (json!({ "columnsStartAt1": false }), "counted from 1"),
            (json!({ "pathFormat": "uri" }), "found `uri`"),
            (json!({ "pathFormat": 3 }), "invalid arguments"),
        ] {
            let error = of(arguments).expect_err(why);
            assert!(error.contains(why), "{error}");
        }
    }
}
