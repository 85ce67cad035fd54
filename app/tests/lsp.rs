//! `lanescope lsp`, driven as an editor drives it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lanescope_testing::framed::PATIENCE;
use serde_json::{Value, json};

use crate::common::copy_samples;
use crate::common::editor_client::{Editor, place, uri};

fn pair() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let folder = copy_samples();
    let path = |name: &str| folder.path().canonicalize().expect("is there").join(name);
    let (vert, frag) = (path("lit_surface.vert"), path("lit_surface.frag"));
    (folder, vert, frag)
}

fn markdown() -> Value {
    json!({ "textDocument": {
        "hover": { "contentFormat": ["markdown", "plaintext"] },
        "publishDiagnostics": { "relatedInformation": true },
    } })
}

#[test]
fn a_shader_has_hints_explanations_and_its_other_stage() {
    let (_folder, vert, frag) = pair();
    let mut editor = Editor::start(markdown(), Value::Null);
    let text = editor.open(&frag, 1);
    assert!(editor.log("lit_surface.frag: analyzed as").contains("lit_surface.vert + lit_surface.frag (by file name)"));
    assert_eq!(editor.diagnostics(&frag, 1), [] as [Value; 0]);
    let hints = editor.hints(&frag);
    let line = |part: &str| place(&text, part).0 as u64;
    let label = |part: &str| {
        let found: Vec<_> = hints.iter().filter(|(at, _)| *at == line(part)).map(|(_, label)| label.as_str()).collect();
        found.join(" ")
    };
    assert!(label("in vec3 world_position").starts_with("→ slot"), "{hints:?}");
    assert_eq!(label("in vec4 vertex_color").matches("1 of 4 not read").count(), 1, "{hints:?}");
    assert!(label("uniform sampler2D albedo").starts_with("guessed dword"), "{hints:?}");
    // The slots are those of the report.
    let report = crate::common::json([&vert, &frag]);
    let map = report["packing"]["map"].as_array().expect("a map");
    let flat = map.iter().find(|row| row["variable"] == "material").expect("a scalar");
    let letter = ["x", "y", "z", "w"][flat["to"]["component"].as_u64().expect("a number") as usize];
    assert_eq!(label("flat in uint material"), format!("→ slot {}.{letter}", flat["to"]["location"]));

    let hover = editor.hover(&frag, place(&text, "texcoord).rgb"));
    assert!(
        hover.contains("texcoord") && hover.contains("| original | packed |") && hover.contains("smooth"),
        "{hover}"
    );
    assert_eq!(editor.hover(&frag, place(&text, "A plain lit surface")), "", "a comment says nothing");

    let source = std::fs::read_to_string(&vert).expect("a text");
    let output = place(&source, "world_normal;");
    let at = |(line, column): (usize, usize)| ("lit_surface.vert".to_owned(), line as u64, column as u64);
    let definition = editor.places("textDocument/definition", &frag, place(&text, "world_normal),"));
    assert_eq!(definition, [at(output)]);
    let references = editor.places("textDocument/references", &frag, place(&text, "world_normal;"));
    assert!(
        references.contains(&at(output)) && references.contains(&at(place(&source, "world_normal ="))),
        "{references:?}"
    );
    assert_eq!(references.iter().filter(|(file, ..)| file == "lit_surface.frag").count(), 2, "{references:?}");
    let symbols = editor.request("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri(&frag) } }));
    let names: Vec<_> = symbols["result"].as_array().expect("a list").iter().map(|one| one["name"].as_str()).collect();
    assert!(names.contains(&Some("world_position")) && names.contains(&Some("albedo")), "{names:?}");

    // The other stage, whose unread outputs say so.
    let source = editor.open(&vert, 1);
    let hints = editor.hints(&vert);
    let tangent = place(&source, "out vec4 world_tangent").0 as u64;
    assert!(hints.contains(&(tangent, "not read".to_owned())), "{hints:?}");
    editor.shut_down();
}

#[test]
fn edits_are_analyzed_and_answers_are_about_the_latest() {
    let (_folder, _, frag) = pair();
    let mut editor = Editor::start(markdown(), Value::Null);
    let text = editor.open(&frag, 1);
    assert!(editor.diagnostics(&frag, 1).is_empty());
    let at = place(&text, "vec4(base * shade");
    let edit = |from: usize, to: usize, new: &str| {
        let position = |character: usize| json!({ "line": at.0, "character": character });
        json!({ "range": { "start": position(from), "end": position(to) }, "text": new })
    };
    let document = |version: i64| json!({ "uri": uri(&frag), "version": version });
    let changes = json!([edit(at.1, at.1 + 4, "vec5")]);
    editor.notify("textDocument/didChange", json!({ "textDocument": document(2), "contentChanges": changes }));
    let found = editor.diagnostics(&frag, 2);
    assert_eq!(found[0]["range"]["start"]["line"], at.0 as u64, "{found:?}");
    assert!(found[0]["message"].as_str().is_some_and(|text| text.contains("vec5")), "{found:?}");
    assert_eq!((found[0]["severity"].as_u64(), found[0]["source"].as_str()), (Some(1), Some("lanescope")));
    assert_eq!(editor.hints(&frag), [], "a text that does not compile has no slots");
    // On disk it was never wrong, and here it is right again.
    let changes = json!([edit(at.1, at.1 + 4, "vec4")]);
    editor.notify("textDocument/didChange", json!({ "textDocument": document(3), "contentChanges": changes }));
    assert!(editor.diagnostics(&frag, 3).is_empty());
    assert!(!editor.hints(&frag).is_empty());

    // Of many edits, questions and answers none is about an earlier text: each version has another varying.
    let mut asked = Vec::new();
    for version in 4..40 {
        let location = if version % 2 == 0 { 3 } else { 4 };
        let unused = format!("layout(location = {location}) in vec2 v{version};");
        let body = format!(
            "#version 460\n{unused}\nlayout(location = 0) out vec4 c;\nvoid main() {{ c = v{version}.xyxy; }}\n"
        );
        editor.replace(&frag, version, &body);
        let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
        let params = json!({ "textDocument": { "uri": uri(&frag) }, "range": range });
        asked.push((version, editor.begin_request("textDocument/inlayHint", params)));
    }
    let mut last = 0;
    for (version, id) in asked {
        let answer = editor.answer(id);
        if let Some(hints) = answer["result"].as_array() {
            // Its place shows the length of the name, which is that of this version.
            let expected = format!("layout(location = 3) in vec2 v{version}").len();
            assert_eq!(hints[0]["position"]["character"].as_u64(), Some(expected as u64), "{version}: {answer}");
            last = version;
        } else {
            assert_eq!(answer["error"]["code"], -32801, "{answer}");
        }
    }
    assert_eq!(last, 39, "the last one is answered");
    let versions = editor.kept.iter().filter(|message| message["method"] == "textDocument/publishDiagnostics");
    let versions: Vec<i64> = versions.filter_map(|message| message["params"]["version"].as_i64()).collect();
    assert!(versions.is_sorted(), "{versions:?}");
    editor.shut_down();
}

#[test]
fn errors_of_included_files_are_in_these_files() {
    let (folder, _, frag) = pair();
    let lighting = folder.path().canonicalize().expect("is there").join("lighting.glsl");
    let mut editor = Editor::start(markdown(), Value::Null);
    editor.open(&frag, 1);
    assert!(editor.diagnostics(&frag, 1).is_empty());
    let text = editor.open(&lighting, 7);
    editor.log("lighting.glsl: not analyzed by itself");
    // It is a part of the pipeline that includes it, with its unsaved text.
    editor.replace(&lighting, 8, &text.replace("return", "return wrong +"));
    let found = editor.diagnostics(&lighting, 8);
    let line = text[..text.find("return").expect("a function")].matches('\n').count();
    assert_eq!(found[0]["range"]["start"]["line"], line as u64, "{found:?}");
    assert!(found[0]["message"].as_str().is_some_and(|text| text.contains("wrong")), "{found:?}");
    editor.replace(&lighting, 9, &text);
    assert!(editor.diagnostics(&lighting, 9).is_empty());
    // A file that is not open, changed on disk.
    editor.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri(&lighting) } }));
    std::fs::write(&lighting, text.replace("return", "return wrong +")).expect("writable");
    let expected = uri(&lighting);
    let message = editor.until(|message| {
        let params = &message["params"];
        message["method"] == "textDocument/publishDiagnostics"
            && params["uri"] == expected
            && params["diagnostics"].as_array().is_some_and(|all| !all.is_empty())
    });
    assert!(message["params"].get("version").is_none(), "{message}");
    editor.shut_down();
}

#[test]
fn findings_have_codes_places_and_the_other_stage() {
    let folder = copy_samples();
    let frag = folder.path().canonicalize().expect("is there").join("missing_input.frag");
    let mut editor = Editor::start(markdown(), Value::Null);
    let text = editor.open(&frag, 1);
    let found = editor.diagnostics(&frag, 1);
    let report = crate::common::json([frag.with_extension("vert"), frag.clone()]);
    let codes: Vec<&Value> = report["findings"].as_array().expect("findings").iter().map(|one| &one["code"]).collect();
    let first = found.iter().find(|one| codes.contains(&&one["code"])).unwrap_or_else(|| panic!("{found:?}"));
    let code = first["code"].as_str().expect("a code");
    assert!(
        first["message"].as_str().is_some_and(|text| text.contains(&format!("`lanescope help {code}`"))),
        "{first}"
    );
    let line = first["range"]["start"]["line"].as_u64().expect("a line") as usize;
    assert!(text.lines().nth(line).is_some_and(|line| line.contains(" in ")), "at the input: {first}");
    editor.shut_down();
}

#[test]
fn the_workspace_file_says_what_belongs_together() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("is there");
    let write = |name: &str, text: &str| {
        std::fs::create_dir_all(root.join(name).parent().expect("a folder")).expect("writable");
        std::fs::write(root.join(name), text).expect("writable");
        root.join(name)
    };
    write("inc/size.glsl", "#define SIZE 8\n");
    write(
        "a/first.vert",
        "#version 450\nlayout(location = 2) out float t;\nvoid main() { t = 1; gl_Position = vec4(SCALE); }\n",
    );
    let frag = write(
        "b/second.frag",
        "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"size.glsl\"\n\
        layout(location = 2) in float t;\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(t * SIZE); }\n",
    );
    let mut editor = Editor::start(json!({}), Value::Null);
    editor.open(&frag, 1);
    let found = editor.diagnostics(&frag, 1);
    assert!(found[0]["message"].as_str().is_some_and(|text| text.contains("size.glsl")), "by name: {found:?}");
    // It appears while the document is open, as unsaved text.
    let manifest = root.join("lanescope.toml");
    let text = "include_dirs = [\"inc\"]\ndefines = [\"SCALE=2.0\"]\n[[pipeline]]\nname = \"pair\"\nfiles = [\"a/first.vert\", \"b/second.frag\"]\n";
    editor.open_text(&manifest, 1, text);
    editor.log("pipeline `pair` of");
    let places = editor.places("textDocument/definition", &frag, (3, 30));
    assert_eq!(places, [("first.vert".to_owned(), 1, 31)]);
    assert!(editor.diagnostics(&frag, 1).is_empty());
    // A fault is reported at its place, and names group again.
    editor.replace(&manifest, 2, &text.replace("files", "file"));
    let found = editor.diagnostics(&manifest, 2);
    assert!(found[0]["message"].as_str().is_some_and(|text| text.contains("unknown field `file`")), "{found:?}");
    editor.shut_down();
}

#[test]
fn hints_follow_the_settings() {
    let folder = copy_samples();
    let path = folder.path().canonicalize().expect("is there").join("tile_16x16.comp");
    let options = json!({ "hints": { "descriptors": false } });
    let mut editor = Editor::start(json!({ "workspace": { "inlayHint": { "refreshSupport": true } } }), options);
    let text = editor.open(&path, 1);
    let hints = editor.hints(&path);
    let size = place(&text, "local_size_x").0 as u64;
    assert!(hints.len() == 1 && hints[0].0 == size && hints[0].1.contains("16×16×1"), "{hints:?}");
    editor.until(|message| message["method"] == "workspace/inlayHint/refresh");
    let waves = editor.hover(&path, place(&text, "local_size_y"));
    assert!(waves.contains("waves of") && waves.contains("derivatives-mode"), "{waves}");
    let settings = json!({ "settings": { "lanescope": { "hints": { "workgroups": false }, "target": "gfx1100" } } });
    editor.notify("workspace/didChangeConfiguration", settings);
    let hints = editor.hints(&path);
    assert!(hints.len() == 2 && hints.iter().all(|(_, label)| label.starts_with("guessed")), "{hints:?}");
    editor.notify("workspace/didChangeConfiguration", json!({ "settings": { "lanescope": { "hint": true } } }));
    editor.log("unknown field `hint`");
    editor.shut_down();
}

#[test]
fn other_languages_have_hints_too() {
    let folder = copy_samples();
    let root = folder.path().canonicalize().expect("is there");
    std::fs::write(
        root.join("plain.vs.hlsl"),
        "struct V { float4 p : SV_Position; float2 uv : TEXCOORD0; float3 n : NORMAL; };\n\
        V main(uint i : SV_VertexID) { V v; v.p = i; v.uv = i; v.n = i; return v; }\n",
    )
    .expect("writable");
    std::fs::write(
        root.join("plain.ps.hlsl"),
        "struct V { float4 p : SV_Position; float2 uv : TEXCOORD0; float3 n : NORMAL; };\n\
        float4 main(V v) : SV_Target { return v.uv.xyxy; }\n",
    )
    .expect("writable");
    let mut editor = Editor::start(markdown(), Value::Null);
    for (name, line, label) in [
        ("striped_ring.wgsl", "@location(2) along", "→ slot"),
        ("striped_ring.wgsl", "@location(1) unread", "not read"),
        ("row_sums.comp.wgsl", "@workgroup_size", "8×8×1"),
        ("row_sums.comp.wgsl", "values:", "guessed"),
        ("textured_quad.pipe", "in float fade", "→ slot"),
        ("textured_quad.pipe", "out float fade", "→ slot"),
        ("plain.ps.hlsl", "float2 uv : TEXCOORD0", "→ slot"),
        ("plain.vs.hlsl", "float3 n : NORMAL", "not read"),
        ("shared_location.spvasm", "OpVariable", "→ slot"),
    ] {
        let path = root.join(name);
        let text = editor.open(&path, 1);
        let hints = editor.hints(&path);
        let is_there = |(at, own): &(u64, String)| {
            text.lines().nth(*at as usize).is_some_and(|own| own.contains(line)) && own.contains(label)
        };
        assert!(hints.iter().any(is_there), "{name}, {line}: {hints:?}");
        editor.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri(&path) } }));
    }
    editor.shut_down();
}

#[test]
fn positions_are_counted_as_agreed() {
    let (_folder, _, frag) = pair();
    for (offered, expected) in [(json!(["utf-8", "utf-16"]), "utf-8"), (json!(["utf-32"]), "utf-16")] {
        let mut editor = Editor::begin();
        let capabilities = json!({ "general": { "positionEncodings": offered } });
        let answer = editor.request("initialize", json!({ "processId": null, "capabilities": capabilities }));
        assert_eq!(answer["result"]["capabilities"]["positionEncoding"], expected);
        let text = "#version 450\nlayout(location = 0) /* \u{1f600} */ in float t; layout(location = 0) out vec4 c;\nvoid main() { c = vec4(t); }\n";
        editor.open_text(&frag, 1, text);
        editor.diagnostics(&frag, 1);
        let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
        let hints =
            editor.request("textDocument/inlayHint", json!({ "textDocument": { "uri": uri(&frag) }, "range": range }));
        let units = if expected == "utf-8" { 4 } else { 2 };
        let column = "layout(location = 0) /* ".len() + units + " */ in float t".len();
        assert_eq!(hints["result"][0]["position"]["character"], column as u64, "{hints}");
        editor.shut_down();
    }
}

#[test]
fn bad_input_is_answered_and_the_server_goes_on() {
    let mut editor = Editor::begin();
    let refused = editor.request("textDocument/hover", json!({}));
    assert_eq!(refused["error"]["code"], -32002, "before it is initialized: {refused}");
    editor.request("initialize", json!({ "processId": null, "capabilities": {} }));
    editor.send_bytes(b"Content-Length: 9\r\n\r\n{\"jsonrpc");
    assert_eq!(
        editor.until(|message| message["id"].is_null() && message.get("error").is_some())["error"]["code"],
        -32700
    );
    assert_eq!(editor.request("textDocument/moniker", json!({}))["error"]["code"], -32601);
    assert_eq!(editor.request("textDocument/hover", json!({ "position": 3 }))["error"]["code"], -32602);
    editor.notify("$/unknown", json!([1, 2]));
    editor.notify(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": "file:///nowhere.frag", "version": 1 }, "contentChanges": [] }),
    );
    editor.log("a document that is not open was changed");
    for (uri, text, why) in [
        ("untitled:1", "", "not a file of this machine"),
        ("file:///a/b.spv", "\u{3}\u{2}#\u{7}\u{0}\u{fffd}", "is not text"),
        ("file:///a/notes.md", "x", "states neither a stage nor a format"),
    ] {
        let document = json!({ "uri": uri, "languageId": "x", "version": 1, "text": text });
        editor.notify("textDocument/didOpen", json!({ "textDocument": document }));
        editor.log(why);
    }
    // Folders that are not there, and text that is nothing, still give diagnostics.
    let path = Path::new("/nowhere/at/all.frag");
    editor.open_text(path, 3, "\u{0}\u{fffd}\u{1f600}");
    assert!(!editor.diagnostics(path, 3).is_empty());
    let uri = json!({ "uri": "file:///not/open.frag" });
    let hover =
        editor.request("textDocument/hover", json!({ "textDocument": uri, "position": { "line": 0, "character": 0 } }));
    assert_eq!(hover["error"]["code"], -32602, "{hover}");
    editor.shut_down();
}

#[test]
fn a_client_that_goes_ends_the_server_and_its_child() {
    let children = |id: u32| {
        let text = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
        let tasks = std::fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
        let all = tasks.map(|task| std::fs::read_to_string(task.path().join("children")).unwrap_or_default());
        let ids: Vec<u32> = all
            .chain([text])
            .flat_map(|text| text.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>())
            .collect();
        ids
    };
    let is_there = |id: u32| Path::new(&format!("/proc/{id}")).exists();
    let (_folder, _, frag) = pair();
    let mut editor = Editor::start(json!({}), Value::Null);
    editor.open(&frag, 1);
    editor.diagnostics(&frag, 1);
    let workers = children(editor.child.id());
    assert!(!workers.is_empty(), "it compiles in a child process");
    editor.stdin.take();
    assert_eq!(editor.ended().code(), Some(1));
    let begin = Instant::now();
    while workers.iter().any(|id| is_there(*id)) {
        assert!(begin.elapsed() < PATIENCE, "the child process does not end");
        std::thread::sleep(Duration::from_millis(5));
    }
    // One that says to exit without shutting down.
    let mut editor = Editor::start(json!({}), Value::Null);
    editor.notify("exit", Value::Null);
    assert_eq!(editor.ended().code(), Some(1));
}

/// A description whose second shader has an error in a line of its own.
const DESCRIPTIONS: [(&str, &str, usize); 3] = [
    (
        "a.pipe",
        "[VsGlsl]\n#version 450\nvoid main() { gl_Position = vec4(0); }\n[FsGlsl]\n#version 450\nlayout(location = 0) out vec4 o;\n\
         void main() { o = vec4(missing); }\n",
        6,
    ),
    (
        "a.shader_test",
        "[require]\n[vertex shader passthrough]\n[fragment shader]\n#version 450\nlayout(location = 0) out vec4 o;\n\
         void main() { o = vec4(missing); }\n[test]\ndraw rect -1 -1 2 2\n",
        5,
    ),
    (
        "a.amber",
        "#!amber\nSHADER vertex v PASSTHROUGH\nSHADER fragment f GLSL\n#version 450\nlayout(location = 0) out vec4 o;\n\
         void main() { o = vec4(missing); }\nEND\nPIPELINE graphics p\n  ATTACH v\n  ATTACH f\nEND\n",
        5,
    ),
];

#[test]
fn errors_of_a_shader_in_a_description_are_at_its_lines() {
    for (name, text, line) in DESCRIPTIONS {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().canonicalize().expect("is there").join(name);
        std::fs::write(&path, text).expect("writable");
        let mut editor = Editor::start(markdown(), Value::Null);
        editor.open(&path, 1);
        let all = editor.diagnostics(&path, 1);
        let errors: Vec<_> = all.iter().filter(|one| one["severity"] == 1).collect();
        let found = errors.iter().find(|one| one["message"].as_str().is_some_and(|text| text.contains("'missing'")));
        let found = found.unwrap_or_else(|| panic!("{name}: {all:?}"));
        assert_eq!(found["range"]["start"]["line"], line, "{name}: {found}");
        editor.shut_down();
    }
}

#[test]
fn a_client_is_asked_to_ask_again_for_what_follows_from_results() {
    let (_folder, _, frag) = pair();
    let refresh = json!({ "refreshSupport": true });
    let workspace = json!({ "inlayHint": refresh, "semanticTokens": refresh, "codeLens": refresh });
    let mut editor = Editor::start(json!({ "workspace": workspace }), Value::Null);
    editor.open(&frag, 1);
    let mut kinds: BTreeSet<String> = BTreeSet::new();
    while kinds.len() < 3 {
        let message = editor.until(|message| message["method"].as_str().is_some_and(|own| own.ends_with("/refresh")));
        assert!(kinds.insert(message["method"].to_string()), "{message}: the last one was not answered");
        editor.send(&json!({ "jsonrpc": "2.0", "id": message["id"], "result": null }));
    }
    editor.shut_down();
}

#[test]
fn a_listed_file_that_is_missing_is_said_where_it_is_listed() {
    let (folder, vert, _) = pair();
    let manifest = folder.path().canonicalize().expect("is there").join("lanescope.toml");
    let text = "[[pipeline]]\nfiles = [\"lit_surface.vert\", \"gone.frag\"]\n";
    std::fs::write(&manifest, text).expect("writable");
    let mut editor = Editor::start(markdown(), Value::Null);
    editor.open(&vert, 1);
    let name = uri(&manifest);
    let message = editor.until(|message| message["params"]["uri"] == name);
    let fault = &message["params"]["diagnostics"][0];
    let start = &fault["range"]["start"];
    assert_eq!((&start["line"], &start["character"]), (&json!(1), &json!(30)), "{message}");
    assert!(fault["message"].as_str().is_some_and(|text| text.contains("there is no file gone.frag")), "{message}");
    editor.shut_down();
}
