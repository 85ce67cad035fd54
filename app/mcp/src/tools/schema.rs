//! The schemas of a tool's arguments and of its answer.

use serde_json::{Map, Value, json};

use super::{Effect, Input, Offered, ToolFlag};
use crate::paging::{MOST, USUAL};

/// Characters of a flag's help.
const HELP_AT_MOST: usize = 240;
/// Values that a schema lists.
const VALUES_AT_MOST: usize = 16;
/// The most bytes of a result that is part of an answer, where the client does not say otherwise.
pub const RESULT_AT_MOST: usize = 48 << 10;

/// The members of every tool that produces a text.
pub const OF_ALL: [&str; 4] = ["offset", "limit", "part", "structured"];

/// The members of a question.
pub const QUESTIONS: [&str; 8] = ["varying", "slot", "lane", "invocation", "register", "field", "descriptor", "node"];

/// The schema of a tool's arguments.
pub fn input(offered: &Offered) -> Map<String, Value> {
    let tool = offered.tool;
    let mut properties = Map::new();
    let mut required: Vec<String> = Vec::new();
    let mut add = |name: &str, value: Value, is_required: bool| {
        properties.insert(name.to_owned(), value);
        required.extend(is_required.then(|| name.to_owned()));
    };
    let files =
        |about: &str| json!({ "type": "array", "items": { "type": "string" }, "minItems": 1, "description": about });
    match tool.input {
        Input::Files | Input::Question => add(
            "files",
            files(
                "The files of one program or pipeline, relative to the workspace root: SPIR-V, DXIL, GLSL, HLSL, WGSL, Slang, .pipe, .foz, .sodb, Amber",
            ),
            true,
        ),
        Input::Sides => {
            add("left", files("The files of the first program, or a JSON report"), true);
            add("right", files("The files of the second program, or a JSON report"), true);
        }
        Input::Nothing => {}
    }
    if tool.input == Input::Question {
        for (name, about) in [
            ("varying", "A varying by its name, or as LOCATION.COMPONENT (`texcoord`, `3.x`)"),
            ("lane", "A lane of a workgroup, as WAVE.LANE (`0.13`)"),
            ("invocation", "An invocation of a workgroup, as X,Y,Z"),
            ("register", "A register by its name (`SPI_PS_IN_CONTROL`)"),
            ("field", "A field of that register; all where absent"),
            ("descriptor", "A descriptor by its name, or as SET:BINDING"),
            ("node", "A node of a work graph by its id (`Material[2]`)"),
        ] {
            add(name, json!({ "type": "string", "description": about }), false);
        }
        let slot =
            json!({ "type": "integer", "minimum": 0, "description": "An attribute slot of the fragment shader" });
        add("slot", slot, false);
    }
    for name in tool.listed {
        if let Some(flag) = offered.flag(name) {
            add(&member(name), of_flag(flag), tool.required.contains(name));
        }
    }
    let number = |about: String, least: u64| json!({ "type": "integer", "minimum": least, "description": about });
    add(
        "offset",
        number("Character of the text where the answer begins: `next_offset` of the answer before".to_owned(), 0),
        false,
    );
    add("limit", number(format!("The most characters of text [default: {USUAL}; at most {MOST}]"), 1), false);
    let part = "JSON pointer of a part of the result, such as `/packing/map`: the text is that part as JSON";
    add("part", json!({ "type": "string", "description": part }), false);
    let structured = format!(
        "Whether the answer has `result`, the data [default: where it begins at offset 0 and `result` has at most {} KiB]",
        RESULT_AT_MOST >> 10
    );
    add("structured", json!({ "type": "boolean", "description": structured }), false);
    let mut schema = Map::new();
    schema.insert("type".to_owned(), "object".into());
    schema.insert("properties".to_owned(), properties.into());
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.into());
    }
    // Other flags are checked by name when a call is read.
    schema.insert("additionalProperties".to_owned(), tool.command.is_some().into());
    schema
}

/// What a tool does, with the command whose flags it accepts.
pub fn about(offered: &Offered) -> String {
    let tool = offered.tool;
    let other = tool.command.map(|command| {
        format!(" Other flags of `lanescope {command}` are accepted by their names, as on the command line.")
    });
    let writes = match tool.effect {
        Effect::Writes => " Files are written below the workspace root only, and not overwritten without `force`.",
        Effect::None => "",
    };
    format!("{}{}{writes}", tool.about, other.unwrap_or_default())
}

/// The name of the member of a flag.
pub fn member(flag: &str) -> String {
    flag.replace('-', "_")
}

fn of_flag(flag: &ToolFlag) -> Value {
    let help: String = flag.help.chars().take(HELP_AT_MOST).collect();
    let cut = if help.len() < flag.help.len() { "…" } else { "" };
    let value = if flag.flag.has_value { format!(" ({})", flag.value_name) } else { String::new() };
    let about = format!("{help}{cut}{value}");
    if !flag.flag.has_value {
        return json!({ "type": "boolean", "description": about });
    }
    let text = match flag.values.len() {
        1..=VALUES_AT_MOST => json!({ "type": "string", "enum": flag.values }),
        _ => json!({ "type": ["string", "number"] }),
    };
    let mut forms = vec![text.clone()];
    forms.extend(flag.flag.is_list.then(|| json!({ "type": "array", "items": text })));
    forms.extend(flag.flag.is_optional.then(|| json!({ "type": "boolean" })));
    let mut schema = if forms.len() == 1 { text } else { json!({ "anyOf": forms }) };
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("description".to_owned(), about.into());
    }
    schema
}

/// A schema without what its members mean: `lanescope schema` prints that, and a client reads all tools when it starts.
fn bare(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            // A property of this name has a schema, not a text.
            members.retain(|name, value| name != "description" || !value.is_string());
            members.values_mut().for_each(bare);
            if let Some(words) = members.get("oneOf").and_then(words) {
                // Each word had its meaning; without those it is a list.
                members.remove("oneOf");
                members.insert("type".to_owned(), "string".into());
                members.insert("enum".to_owned(), words.into());
            }
        }
        Value::Array(values) => values.iter_mut().for_each(bare),
        _ => {}
    }
}

/// The words of alternatives that are a word each.
fn words(alternatives: &Value) -> Option<Vec<Value>> {
    let word = |one: &Value| {
        let members = one.as_object().filter(|members| members.len() == 2)?;
        let is_text = members.get("type").is_some_and(|kind| kind == "string");
        members.get("const").filter(|_| is_text).cloned()
    };
    alternatives.as_array()?.iter().map(word).collect()
}

/// The schema of a tool's answer: a page of text, and the result by its published schema.
pub fn output(offered: &Offered) -> Map<String, Value> {
    let mut result = offered.result.clone();
    bare(&mut result);
    let mut definitions = Map::new();
    if let Some(result) = result.as_object_mut() {
        // References of the result's schema are from the root of the whole one.
        if let Some(Value::Object(own)) = result.remove("$defs") {
            definitions = own;
        }
        result.remove("$schema");
        let about = "The result; absent where it is left out";
        result.entry("description").or_insert_with(|| about.into());
    }
    let integer = |about: &str| json!({ "type": "integer", "minimum": 0, "description": about });
    let schema = json!({
        "type": "object",
        "properties": {
            "status": {
                "type": "string",
                "enum": ["ok", "findings"],
                "description": "`findings`: findings of severity error, or outputs or programs that differ",
            },
            "text": { "type": "string", "description": "The answer as text, or this part of it" },
            "offset": integer("Where the text begins, in characters"),
            "total": integer("Characters of the whole text"),
            "next_offset": integer("Where the next part begins; absent at the end"),
            "notes": {
                "type": "array",
                "items": { "type": "string" },
                "description": "What was said beside the result",
            },
            "result_bytes": integer("Bytes of the result, where it is left out"),
            "result": result,
        },
        "required": ["status", "text", "offset", "total"],
        "additionalProperties": false,
        "$defs": definitions,
    });
    match schema {
        Value::Object(schema) => schema,
        _ => Map::new(),
    }
}
