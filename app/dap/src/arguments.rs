//! What a client launches: JSON whose members have the names of the flags of `lanescope debug`, as a command line.

use lanescope_host::flags::members::{Flag, kebab, texts};
use serde::Deserialize;
use serde_json::{Map, Value};

/// What of a launch is for the adapter.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Options {
    /// Stops before the first instruction.
    pub stop_on_entry: bool,
    /// Stops at the end, so that values can be seen and the run can go back; absent for true.
    pub stop_at_end: Option<bool>,
    /// Breakpoints stop any wave, not that of the chosen lane only; absent for true where no lane is chosen by a flag.
    pub any_wave: Option<bool>,
    /// The most lanes that are listed as threads.
    pub max_threads: Option<u32>,
    /// The folder that paths are relative to.
    pub cwd: Option<String>,
    /// Runs to the end without stopping.
    pub no_debug: bool,
}

/// A launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// Arguments of the command line.
    pub words: Vec<String>,
    /// What is for the adapter.
    pub options: Options,
    /// Members that neither knows.
    pub unknown: Vec<String>,
}

/// Members for the adapter.
pub const OWN: [&str; 6] = ["stopOnEntry", "stopAtEnd", "anyWave", "maxThreads", "cwd", "noDebug"];
/// Members that clients add for themselves.
const OF_CLIENTS: [&str; 12] = [
    "type",
    "request",
    "name",
    "restart",
    "console",
    "presentation",
    "preLaunchTask",
    "postDebugTask",
    "internalConsoleOptions",
    "debugServer",
    "serverReadyAction",
    "suppressMultipleSessionWarning",
];
/// Members that name files.
pub const FILES: [&str; 2] = ["program", "files"];
/// Flags without a meaning here: the client does what they do.
pub const OF_THE_CLIENT: [&str; 6] = ["commands", "trace", "watch", "beside", "format", "help"];

/// Reads a launch.
///
/// # Errors
/// A member of another type than its flag takes; a flag that cannot be used; no file.
pub fn read(arguments: &Value, flags: &[Flag]) -> Result<Wanted, String> {
    let empty = Map::new();
    let members = match arguments {
        Value::Object(members) => members,
        Value::Null => &empty,
        _ => return Err("launch: expected an object with arguments".to_owned()),
    };
    let own: Map<String, Value> = members
        .iter()
        .filter(|(name, _)| OWN.contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let options = serde_json::from_value(own.into()).map_err(|error| format!("launch: {error}"))?;
    let of_launch = |why: String| format!("launch: {why}");
    let (mut words, mut files, mut unknown) = (Vec::new(), Vec::new(), Vec::new());
    for (name, value) in members {
        let is_known = OWN.contains(&name.as_str()) || OF_CLIENTS.contains(&name.as_str()) || name.starts_with("__");
        if is_known || value.is_null() {
            continue;
        }
        if FILES.contains(&name.as_str()) {
            files.extend(texts(name, value).map_err(of_launch)?);
            continue;
        }
        let flag = kebab(name);
        match flags.iter().find(|known| known.name == flag) {
            _ if OF_THE_CLIENT.contains(&flag.as_str()) => {
                return Err(format!("launch: `{name}` cannot be used: the client has commands for it"));
            }
            Some(flag) => words.extend(flag.words(name, value).map_err(of_launch)?),
            None => unknown.push(name.clone()),
        }
    }
    if files.is_empty() {
        return Err("launch: expected `program`: a file, or a list of files".to_owned());
    }
    if files.iter().any(|file| file == "-") {
        return Err("launch: `-` cannot be used: standard input has the messages of the protocol".to_owned());
    }
    words.push("--".to_owned());
    words.extend(files);
    Ok(Wanted { words, options, unknown })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn flags() -> Vec<Flag> {
        let flag =
            |name: &str, has_value, is_list| Flag { name: name.to_owned(), has_value, is_optional: false, is_list };
        vec![
            flag("lane", true, false),
            flag("group", true, false),
            flag("zeros", false, false),
            flag("max-steps", true, false),
            flag("buffer", true, true),
            flag("commands", true, false),
        ]
    }

    #[test]
    fn members_are_flags() {
        let arguments = json!({
            "type": "lanescope", "request": "launch", "name": "x", "__sessionId": 1, "stopOnEntry": true,
            "program": "-a.comp", "lane": "0.5", "group": [1, 0, 0], "zeros": true, "maxSteps": 99,
            "buffer": ["0:0=uint 1,2", "0:1=64"], "sampler": "s0=nearest", "entry": null,
        });
        let wanted = read(&arguments, &flags()).expect("a launch");
        let words = ["--buffer=0:0=uint 1,2", "--buffer=0:1=64", "--group=1,0,0", "--lane=0.5", "--max-steps=99"];
        assert_eq!(wanted.words, [&words[..], &["--zeros", "--", "-a.comp"]].concat());
        assert_eq!(wanted.options, Options { stop_on_entry: true, ..Options::default() });
        assert_eq!(wanted.unknown, ["sampler"]);
    }

    #[test]
    fn files_may_be_a_list() {
        let wanted = read(&json!({ "files": ["a.vert", "a.frag"], "zeros": false }), &flags()).expect("a launch");
        assert_eq!(wanted.words, ["--", "a.vert", "a.frag"]);
    }

    #[test]
    fn what_cannot_be_used_is_refused() {
        for (arguments, why) in [
            (json!({}), "expected `program`"),
            (json!([1]), "expected an object"),
            (json!({ "program": "-" }), "standard input"),
            (json!({ "program": { "a": 1 } }), "`program`: expected a text"),
            (json!({ "program": "a", "zeros": "yes" }), "`zeros`: expected true or false"),
            (json!({ "program": "a", "lane": { "x": 1 } }), "`lane`: expected a text"),
            (json!({ "program": "a", "commands": "continue" }), "`commands` cannot be used"),
            (json!({ "program": "a", "stopOnEntry": "x" }), "expected a boolean"),
        ] {
            let error = read(&arguments, &flags()).expect_err(why);
            assert!(error.contains(why), "{error}");
        }
    }
}
