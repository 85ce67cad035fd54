//! `lanescope lsp` under random edits: it never ends, and never answers about an earlier text.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::common::copy_samples;
use crate::common::editor_client::{Editor, editing, uri};

/// Edits of a run; `LANESCOPE_EDITS` sets another number, `LANESCOPE_SEED` another sequence.
const EDITS: usize = 600;

/// What edits insert: parts of declarations, of directives, and what no language has.
const PIECES: [&str; 24] = [
    "\n",
    " ",
    ";",
    "{",
    "}",
    "(",
    ")",
    "x",
    "vec4 ",
    "layout(location = 1) ",
    "out vec2 a;\n",
    "in vec2 a;\n",
    "/*",
    "*/",
    "//",
    "#define X a\n",
    "#include \"lighting.glsl\"\n",
    "gl_Position",
    "@location(0) ",
    "flat ",
    "\u{1f600}",
    "\u{e4}",
    "0x",
    "local_size_x = 7",
];

fn number(name: &str, or: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(or)
}

/// Offset and position, in units of UTF-16, of a random place of a text.
fn random_place(random: &mut fastrand::Rng, text: &str) -> (usize, Value) {
    let mut at = random.usize(0..=text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    (at, position(text, at))
}

fn position(text: &str, at: usize) -> Value {
    let before = &text[..at];
    let column = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
    json!({ "line": before.matches('\n').count(), "character": column.encode_utf16().count() })
}

/// Whether a position is one of a text.
fn is_in(text: &str, at: &Value) -> bool {
    let line = text.split('\n').nth(at["line"].as_u64().expect("a line") as usize);
    line.is_some_and(|line| at["character"].as_u64().expect("a number") as usize <= line.encode_utf16().count())
}

/// The requests at a place; each is answered or refused, whatever the text is.
const METHODS: [&str; 11] = [
    "inlayHint",
    "hover",
    "definition",
    "references",
    "documentSymbol",
    "codeAction",
    "completion",
    "codeLens",
    "prepareRename",
    "rename",
    "semanticTokens/full",
];

#[test]
fn random_edits_neither_end_the_server_nor_are_answered_with_earlier_text() {
    let folder = copy_samples();
    let root = folder.path().canonicalize().expect("is there");
    let names =
        ["lit_surface.vert", "lit_surface.frag", "striped_ring.wgsl", "textured_quad.pipe", "shared_location.spvasm"];
    let mut editor = Editor::start(editing(), Value::Null);
    let mut random = fastrand::Rng::with_seed(number("LANESCOPE_SEED", 7) as u64);
    // Each version's text, since answers may be about any that the server has when it answers.
    let mut texts: BTreeMap<PathBuf, Vec<String>> = BTreeMap::new();
    let mut originals = BTreeMap::new();
    for name in names {
        let path = root.join(name);
        let text = editor.open(&path, 0);
        originals.insert(path.clone(), text.clone());
        texts.insert(path, vec![text]);
    }
    let mut asked = Vec::new();
    for edit in 0..number("LANESCOPE_EDITS", EDITS) {
        let path = root.join(names[random.usize(0..names.len())]);
        let versions = texts.get_mut(&path).expect("is open");
        let mut text = versions.last().expect("has a version").clone();
        let (document, change);
        // Now and then the text is right again: else nothing would compile after some edits.
        if random.usize(0..8) == 0 {
            text.clone_from(&originals[&path]);
            change = json!({ "text": text });
        } else {
            let mut ends = [random_place(&mut random, &text), random_place(&mut random, &text)];
            if random.usize(0..6) > 0 {
                ends[1] = ends[0].clone();
            }
            ends.sort_by_key(|(at, _)| *at);
            let [(start, first), (end, last)] = ends;
            let new = PIECES[random.usize(0..PIECES.len())];
            text.replace_range(start..end, new);
            change = json!({ "range": { "start": first, "end": last }, "text": new });
        }
        document = json!({ "uri": uri(&path), "version": versions.len() });
        versions.push(text.clone());
        let version = versions.len() - 1;
        editor.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }));
        let method = METHODS[random.usize(0..METHODS.len())];
        let (_, at) = random_place(&mut random, &text);
        let range = json!({ "start": { "line": 0, "character": 0 }, "end": at });
        let params = json!({
            "textDocument": { "uri": uri(&path) }, "position": at, "range": range, "newName": "renamed",
            "context": { "includeDeclaration": true, "diagnostics": [], "triggerKind": 1 },
        });
        asked.push((editor.begin_request(&format!("textDocument/{method}"), params), method, path, version));
        if edit % 8 == 7 {
            check(&mut editor, &mut asked, &texts);
        }
    }
    check(&mut editor, &mut asked, &texts);
    // What was published is about versions that there were, in their order, with places in their text.
    let mut last: BTreeMap<String, i64> = BTreeMap::new();
    let published: Vec<Value> =
        editor.kept.drain(..).filter(|one| one["method"] == "textDocument/publishDiagnostics").collect();
    for message in published {
        let params = &message["params"];
        let own = params["uri"].as_str().expect("a name").to_owned();
        let Some((_, versions)) = texts.iter().find(|(path, _)| uri(path) == own) else { continue };
        let version = params["version"].as_i64().expect("a version");
        assert!(*last.get(&own).unwrap_or(&0) <= version, "{own}: {version}");
        last.insert(own, version);
        for one in params["diagnostics"].as_array().expect("a list") {
            let text = &versions[version as usize];
            assert!(is_in(text, &one["range"]["start"]) && is_in(text, &one["range"]["end"]), "{version}: {one}");
        }
    }
    for (path, text) in &originals {
        let version = texts[path].len() as i64;
        editor.replace(path, version, text);
        let found = editor.diagnostics(path, version);
        assert!(found.iter().all(|one| one["severity"] != 1), "{found:?}");
    }
    editor.shut_down();
}

/// Takes the answers. What has places has them in the text of the version at which it was asked for: later edits have it
/// refused.
fn check(editor: &mut Editor, asked: &mut Vec<(i64, &str, PathBuf, usize)>, texts: &BTreeMap<PathBuf, Vec<String>>) {
    for (id, method, path, version) in asked.drain(..) {
        let answer = editor.answer(id);
        if let Some(error) = answer.get("error") {
            // The document was changed, or a rename is refused with the reason.
            let expected =
                error["code"] == -32801 || method.to_lowercase().contains("rename") && error["code"] == -32803;
            assert!(expected, "{method}: {answer}");
            continue;
        }
        let text = &texts[&path][version];
        let hints = answer["result"].as_array().filter(|_| method == "inlayHint");
        for hint in hints.into_iter().flatten() {
            assert!(is_in(text, &hint["position"]), "version {version} of {}: {hint}", path.display());
            // It stands after a name, or after the size of a workgroup.
            let line =
                text.split('\n').nth(hint["position"]["line"].as_u64().expect("a line") as usize).expect("is in");
            let units: Vec<u16> = line.encode_utf16().collect();
            let before =
                String::from_utf16_lossy(&units[..hint["position"]["character"].as_u64().expect("a number") as usize]);
            assert!(before.ends_with(|c: char| c.is_alphanumeric() || "_)".contains(c)), "version {version}: {before}");
        }
    }
}
