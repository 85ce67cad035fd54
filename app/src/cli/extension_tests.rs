//! The extension of Visual Studio Code (`assets/packaging/vscode`) lists what the servers accept. `UPDATE_EXTENSION=1` writes the
//! arguments of a launch into its `package.json`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::{Args as _, Command};
use lanescope_core::load::file_types::{FILE_TYPES, FileKind};
use lanescope_dap::arguments::{FILES, OF_THE_CLIENT, OWN};
use lanescope_host::flags::members::Flag;
use lanescope_lsp::commands;
use lanescope_lsp::settings::Settings;
use serde_json::{Map, Value, json};

use super::debug::Debug;

/// Settings of the extension itself.
const OF_EXTENSION: [&str; 3] = ["path", "agents.enabled", "agents.allowRun"];

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../assets/packaging/vscode/package.json")
}

fn package() -> Value {
    let text = std::fs::read_to_string(path()).expect("is there");
    serde_json::from_str(&text).expect("is JSON")
}

fn launch(package: &Value) -> &Map<String, Value> {
    let properties = &package["contributes"]["debuggers"][0]["configurationAttributes"]["launch"]["properties"];
    properties.as_object().expect("properties")
}

/// `max-steps` is `maxSteps`.
fn camel(flag: &str) -> String {
    let mut words = flag.split('-');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |all, word| {
        let mut letters = word.chars();
        let capital = letters.next().map(|letter| letter.to_ascii_uppercase());
        all + &capital.into_iter().chain(letters).collect::<String>()
    })
}

/// The arguments of the adapter itself: names, schemas without a default, and what they mean.
fn own() -> Vec<(String, Value)> {
    let files = json!(["string", "array"]);
    let known = [
        ("program", files.clone(), "The file, or the files of a pipeline"),
        ("files", files, "The same as program"),
        ("cwd", json!("string"), "The folder that paths are relative to"),
        ("stopOnEntry", json!("boolean"), "Stop before the first instruction"),
        ("stopAtEnd", json!("boolean"), "Stop at the end, where values can be seen and the run can go back"),
        ("anyWave", json!("boolean"), "Breakpoints stop any wave, not that of the chosen lane only"),
        ("maxThreads", json!("integer"), "The most lanes that are listed as threads"),
        ("noDebug", json!("boolean"), "Run to the end without stopping"),
    ];
    let names: BTreeSet<&str> = known.iter().map(|(name, ..)| *name).collect();
    assert_eq!(names, FILES.into_iter().chain(OWN).collect(), "the adapter has others");
    known.map(|(name, kind, about)| (name.to_owned(), json!({ "type": kind, "description": about }))).into()
}

/// The arguments that are flags of `lanescope debug`.
fn of_flags() -> Vec<(String, Value)> {
    let command = Debug::augment_args(Command::new("debug"));
    let mut out = Vec::new();
    for flag in Flag::shown(&command).into_iter().filter(|flag| !OF_THE_CLIENT.contains(&flag.name.as_str())) {
        let argument =
            command.get_arguments().find(|argument| argument.get_long() == Some(&flag.name)).expect("is there");
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        let kind = if flag.has_value { json!(["string", "number", "array"]) } else { json!("boolean") };
        out.push((camel(&flag.name), json!({ "type": kind, "description": help })));
    }
    out
}

/// A text with the value of a member of its launch replaced.
fn with_properties(text: &str, properties: &[(String, Value)]) -> String {
    let launch = text.find("\"launch\": {").expect("a launch");
    let begin = launch + text[launch..].find("\"properties\": {").expect("properties") + "\"properties\": {".len();
    let mut depth = 1;
    let end = text[begin..].char_indices().find(|(_, c)| {
        depth += i32::from(*c == '{') - i32::from(*c == '}');
        depth == 0
    });
    let end = begin + end.expect("an end").0;
    let rows: Vec<String> =
        properties.iter().map(|(name, schema)| format!("\n              \"{name}\": {schema}")).collect();
    format!("{}{}\n            {}", &text[..begin], rows.join(","), &text[end..])
}

#[test]
fn arguments_of_a_launch_are_those_of_the_adapter() {
    let expected: Vec<(String, Value)> = own().into_iter().chain(of_flags()).collect();
    if std::env::var_os("UPDATE_EXTENSION").is_some() {
        let text = std::fs::read_to_string(path()).expect("is there");
        std::fs::write(path(), with_properties(&text, &expected)).expect("writable");
    }
    let package = package();
    let expected: Map<String, Value> = expected.into_iter().collect();
    let (names, known): (BTreeSet<_>, BTreeSet<_>) = (launch(&package).keys().collect(), expected.keys().collect());
    assert_eq!(names, known, "UPDATE_EXTENSION=1 writes them");
    for (name, schema) in &expected {
        assert_eq!(&launch(&package)[name], schema, "{name}: UPDATE_EXTENSION=1 writes it");
    }
}

/// The names that a message about one that is not known lists.
fn listed(value: &Value) -> BTreeSet<String> {
    let why = Settings::read(value).expect_err("is not known");
    why.split('`').skip(3).step_by(2).map(str::to_owned).collect()
}

#[test]
fn settings_are_those_of_the_language_server() {
    let package = package();
    let properties = package["contributes"]["configuration"]["properties"].as_object().expect("properties");
    let names = properties.keys().map(|name| name.strip_prefix("lanescope.").expect("of this section"));
    let own: BTreeSet<&str> = names.filter(|name| !OF_EXTENSION.contains(name)).collect();
    let mut server = BTreeSet::new();
    for name in listed(&json!({ "?": 0 })) {
        // A group of settings lists its own members.
        match Settings::read(&json!({ &name: { "?": 0 } })) {
            Err(why) if why.contains("unknown field") => {
                server.extend(listed(&json!({ &name: { "?": 0 } })).into_iter().map(|of| format!("{name}.{of}")));
            }
            _ => drop(server.insert(name)),
        }
    }
    assert!(server.contains("hints.varyings") && server.contains("target"), "{server:?}");
    assert_eq!(own, server.iter().map(String::as_str).collect());
    // Its defaults are those of the server.
    let mut settings = json!({});
    for name in own.iter().filter(|name| properties[&format!("lanescope.{name}")]["type"] == "boolean") {
        let pointer = name.split_once('.');
        let (group, member) = pointer.unwrap_or(("", name));
        let default = properties[&format!("lanescope.{name}")]["default"].clone();
        if group.is_empty() { settings[member] = default } else { settings[group][member] = default }
    }
    assert_eq!(Settings::read(&settings), Ok(Some(Settings::default())), "{settings}");
}

/// The client library registers the commands that the server performs: one of the same name in the package would stop it.
#[test]
fn commands_are_not_those_of_the_server() {
    let package = package();
    let own = package["contributes"]["commands"].as_array().expect("commands");
    let own: BTreeSet<&str> = own.iter().map(|command| command["command"].as_str().expect("a name")).collect();
    assert!(own.contains("lanescope.runFile"), "{own:?}");
    for of_server in [commands::COMPILE, commands::DEBUG, commands::RUN, commands::SHOW] {
        assert!(!own.contains(of_server), "{of_server}");
    }
    // The lens *Debug* is the client's.
    let source = std::fs::read_to_string(path().with_file_name("src").join("extension.ts")).expect("a source");
    assert!(source.contains(&format!("\"{}\"", commands::DEBUG)));
}

#[test]
fn languages_are_the_texts_that_open() {
    let is_text = |kind: FileKind| kind.is_source() || matches!(kind, FileKind::Assembly | FileKind::Pipeline);
    let texts = FILE_TYPES.iter().filter(|one| is_text(one.kind));
    let known: BTreeSet<String> = texts.flat_map(|one| one.extensions).map(|one| format!(".{one}")).collect();
    let package = package();
    let languages = package["contributes"]["languages"].as_array().expect("languages");
    let listed = languages.iter().flat_map(|language| language["extensions"].as_array().expect("extensions"));
    let listed: BTreeSet<String> = listed.map(|one| one.as_str().expect("a text").to_owned()).collect();
    assert_eq!(listed, known);
}
