//! The arguments of a call: members with the names of flags, as a command line; paths inside the folders; nothing that runs
//! on a device, unless that is allowed.

use serde_json::{Map, Value};

use lanescope_host::flags::members::{kebab, texts};
use lanescope_host::inputs::{Filling, Source};

use super::schema::{OF_ALL, QUESTIONS, member};
use super::{Effect, Input, Offered};
use crate::calls::{Call, View};
use crate::paging::{MOST, USUAL};
use crate::roots::Roots;
use crate::why::Question;

/// Flags that name a file or folder to read.
pub const READ: [&str; 15] = [
    "include-dir",
    "include",
    "opcode-table",
    "feature-names",
    "overrides",
    "vertices",
    "indices",
    "depth",
    "input",
    "gpu-input",
    "local-root",
    "edit",
    "resume",
    "against",
    "run",
];
/// Flags that name a file or folder to write.
pub const WRITTEN: [&str; 2] = ["output", "save"];
/// Flags that name files among other things; their values are read here.
pub const MIXED: [&str; 3] = ["buffer", "push", "while"];
/// Flags that are refused, and why.
pub const REFUSED: [(&str, &str); 16] = [
    ("format", "an answer has text and data"),
    ("verbose", "the data has the full output"),
    ("theme", "no picture is drawn"),
    ("timeout", "limits are set where the server is started"),
    ("memory", "limits are set where the server is started"),
    ("in-process", "compilers run in processes of their own"),
    ("validator", "it names a program to start"),
    ("icd", "it names a library to load"),
    ("dxc-arg", "it can name files"),
    ("slang-arg", "it can name files"),
    ("save-repro", "use the command line"),
    ("object", "use the command line"),
    ("variants", "use the command line"),
    ("listing", "use the command line"),
    ("no-cache", "nothing is cached outside of the workspace"),
    ("validate", "it is for devices: use the command line"),
];
/// The device that runs shaders without one.
const INTERPRETER: &str = "interpreter";
/// Characters of an argument that an error shows.
const SHOWN: usize = 80;

/// What may be done, and where.
#[derive(Debug, Clone)]
pub struct Allowed {
    /// The folders.
    pub roots: Roots,
    /// Whether shaders run on devices.
    pub run: bool,
    /// Flags of every call: the limits.
    pub limits: Vec<String>,
}

/// Reads a call.
///
/// # Errors
/// An argument that is not one of the tool, is of another type, or is not allowed; one that is missing.
pub fn read(offered: &Offered, arguments: &Map<String, Value>, allowed: &Allowed) -> Result<Call, String> {
    let tool = offered.tool;
    let mut words: Vec<String> = Vec::new();
    let mut files: [Vec<String>; 2] = [Vec::new(), Vec::new()];
    let mut devices: Vec<String> = Vec::new();
    let (mut record, mut has_run) = (false, false);
    for (name, value) in arguments.iter().filter(|(_, value)| !value.is_null()) {
        let side = match (name.as_str(), tool.input) {
            ("files", Input::Files | Input::Question) | ("left", Input::Sides) => Some(0),
            ("right", Input::Sides) => Some(1),
            _ => None,
        };
        if let Some(side) = side.and_then(|side| files.get_mut(side)) {
            side.extend(texts(name, value)?);
            continue;
        }
        if OF_ALL.contains(&name.as_str()) || tool.input == Input::Question && QUESTIONS.contains(&name.as_str()) {
            continue;
        }
        let flag = kebab(name);
        let known = offered.flag(&flag).ok_or_else(|| unknown(offered, name))?;
        if let Some((_, why)) = REFUSED.iter().find(|(refused, _)| *refused == flag) {
            return Err(format!("`{name}` cannot be used: {why}"));
        }
        if tool.effect != Effect::Writes && (WRITTEN.contains(&flag.as_str()) || flag == "force") {
            return Err(format!("`{name}` cannot be used: `{}` writes no file", tool.name));
        }
        check_paths(&flag, name, value, allowed)?;
        match flag.as_str() {
            // A list of commands is a text of commands.
            "commands" => words.push(format!("--commands={}", texts(name, value)?.join("; "))),
            "device" => devices.extend(texts(name, value)?),
            _ => words.extend(known.flag.words(name, value)?),
        }
        record |= flag == "record";
        has_run |= flag == "run";
    }
    if record && !allowed.run && !has_run {
        return Err(format!("`record` without `run` cannot be used: {NOT_ALLOWED}"));
    }
    words.extend(on_devices(tool.name, devices, allowed)?);
    if offered.flag("timeout").is_some() {
        words.extend(allowed.limits.iter().cloned());
        words.extend(allowed.roots.folders().map(|folder| format!("--read-within={}", folder.display())));
    }
    // The cache of compilers is in the user's folder.
    words.extend(offered.flag("no-cache").map(|_| "--no-cache".to_owned()));
    for file in files.iter().flatten() {
        allowed.roots.check_read(file)?;
    }
    words.push("--".to_owned());
    match tool.input {
        Input::Files | Input::Question => {
            given("files", &files[0])?;
            words.extend(files[0].iter().cloned());
        }
        Input::Sides => {
            for (name, side) in ["left", "right"].into_iter().zip(&files) {
                given(name, side)?;
                if let Some(file) = side.iter().find(|file| file.contains(',')) {
                    return Err(format!("`{name}`: {file}: a name with a comma cannot be used here"));
                }
                words.push(side.join(","));
            }
        }
        Input::Nothing => {
            words.clear();
        }
    }
    for flag in tool.required {
        if !arguments.iter().any(|(name, value)| kebab(name) == *flag && !value.is_null()) {
            return Err(format!("`{}` is missing", member(flag)));
        }
    }
    let question = match tool.input {
        Input::Question => Some(question(arguments)?),
        _ => None,
    };
    Ok(Call { tool: tool.name.to_owned(), words, question, view: view(arguments)?, allow_run: allowed.run })
}

/// Why a device cannot be used.
const NOT_ALLOWED: &str = "the server was started without --allow-run, so nothing runs on a device";

/// The words of the devices that are named, or that stand for none.
fn on_devices(tool: &str, devices: Vec<String>, allowed: &Allowed) -> Result<Vec<String>, String> {
    let words = |devices: Vec<String>| devices.into_iter().map(|device| format!("--device={device}")).collect();
    if allowed.run {
        return Ok(words(devices));
    }
    let is_other = |device: &&String| !device.split(',').all(|one| one == INTERPRETER);
    if let Some(device) = devices.iter().find(is_other) {
        return Err(format!("`device`: `{}`: {NOT_ALLOWED}", shown(device)));
    }
    match tool {
        "graph_run" => Err(format!("a work graph runs on a device: {NOT_ALLOWED}")),
        "run" if devices.is_empty() => Ok(words(vec![INTERPRETER.to_owned()])),
        _ => Ok(words(devices)),
    }
}

fn given(name: &str, files: &[String]) -> Result<(), String> {
    match files.is_empty() {
        true => Err(format!("`{name}` is missing: expected a file, or a list of files")),
        false => Ok(()),
    }
}

/// Checks the files and folders that a flag names.
fn check_paths(flag: &str, name: &str, value: &Value, allowed: &Allowed) -> Result<(), String> {
    let roots = &allowed.roots;
    let prefixed = |why: String| format!("`{name}`: {why}");
    if READ.contains(&flag) {
        texts(name, value)?.iter().try_for_each(|path| roots.check_read(path)).map_err(prefixed)?;
    }
    if WRITTEN.contains(&flag) {
        texts(name, value)?.iter().try_for_each(|path| roots.check_write(path)).map_err(prefixed)?;
    }
    if flag == "buffer" {
        for text in texts(name, value)? {
            let filling: Filling = text.parse().map_err(prefixed)?;
            if let Some(path) = file_of(&filling.source) {
                roots.check_read(&path).map_err(prefixed)?;
            }
        }
    }
    if flag == "push" {
        let texts = texts(name, value)?;
        let mut files = texts.iter().filter_map(|text| text.trim_start().strip_prefix('@'));
        files.try_for_each(|path| roots.check_read(path)).map_err(prefixed)?;
    }
    Ok(())
}

/// The file that fills a resource.
fn file_of(source: &Source) -> Option<String> {
    match source {
        Source::File(path) => Some(path.display().to_string()),
        Source::Texels(_, source) => file_of(source),
        Source::Bytes(_) | Source::Values(_) => None,
    }
}

/// What is said of a member that is not an argument: the nearest one, and all that the schema lists.
fn unknown(offered: &Offered, name: &str) -> String {
    let own: &[&str] = match offered.tool.input {
        Input::Files => &["files"],
        Input::Question => &["files"],
        Input::Sides => &["left", "right"],
        Input::Nothing => &[],
    };
    let questions: &[&str] = if offered.tool.input == Input::Question { &QUESTIONS } else { &[] };
    let listed: Vec<String> =
        own.iter().chain(questions).chain(offered.tool.listed).chain(&OF_ALL).map(|name| member(name)).collect();
    let all = listed.iter().cloned().chain(offered.flags.iter().map(|one| member(&one.flag.name)));
    let wanted = member(&kebab(name));
    let likeness = |other: &String| strsim::jaro_winkler(&wanted, other);
    let nearest = all.max_by(|a, b| likeness(a).total_cmp(&likeness(b))).filter(|one| likeness(one) > 0.7);
    let meant = nearest.map_or(".".to_owned(), |name| format!("; did you mean `{name}`?"));
    let (name, tool) = (shown(name), offered.tool.name);
    format!("`{name}` is not an argument of `{tool}`{meant} The arguments are {}.", listed.join(", "))
}

/// Text of a client in an error.
pub fn shown(text: &str) -> String {
    lanescope_core::foreign::plain(text).chars().take(SHOWN).collect()
}

/// What is to be explained.
fn question(arguments: &Map<String, Value>) -> Result<Question, String> {
    let text = |name: &str| -> Result<Option<String>, String> {
        let value = arguments.get(name).filter(|value| !value.is_null());
        let texts = value.map(|value| texts(name, value)).transpose()?;
        Ok(texts.map(|texts| texts.join(",")))
    };
    let number =
        |text: String| text.parse().map_err(|_| format!("`slot`: expected a number, found `{}`", shown(&text)));
    let field = text("field")?;
    let register = text("register")?.map(|name| Question::Register { name, field: field.clone() });
    let all = [
        text("varying")?.map(Question::Varying),
        text("slot")?.map(number).transpose()?.map(Question::Slot),
        text("lane")?.map(Question::Lane),
        text("invocation")?.map(Question::Invocation),
        register.clone(),
        text("descriptor")?.map(Question::Descriptor),
        text("node")?.map(Question::Node),
    ];
    if field.is_some() && register.is_none() {
        return Err("`field` needs `register`".to_owned());
    }
    let mut found = all.into_iter().flatten();
    match (found.next(), found.next()) {
        (Some(question), None) => Ok(question),
        _ => Err("expected exactly one of `varying`, `slot`, `lane`, `invocation`, `register`, `descriptor`, `node`"
            .to_owned()),
    }
}

/// Which part of the answer is wanted.
fn view(arguments: &Map<String, Value>) -> Result<View, String> {
    let number = |name: &str| match arguments.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => {
            let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
            number.map(Some).ok_or_else(|| format!("`{name}`: expected a number that is not negative, found {value}"))
        }
    };
    let limit = number("limit")?.unwrap_or(USUAL);
    if limit == 0 || limit > MOST {
        return Err(format!("`limit` is {limit}: expected 1 to {MOST}"));
    }
    let part = match arguments.get("part") {
        None | Some(Value::Null) => None,
        Some(Value::String(part)) if part.is_empty() || part.starts_with('/') => Some(part.clone()),
        Some(other) => return Err(format!("`part`: expected a JSON pointer such as `/packing/map`, found {other}")),
    };
    let structured = match arguments.get("structured") {
        None | Some(Value::Null) => None,
        Some(Value::Bool(structured)) => Some(*structured),
        Some(other) => return Err(format!("`structured`: expected true or false, found {other}")),
    };
    Ok(View { offset: number("offset")?.unwrap_or(0), limit, part, structured })
}
