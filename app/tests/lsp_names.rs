//! What `lanescope lsp` says of names: completion, semantic tokens; and its code lenses.

use std::path::Path;

use lanescope_core::load::load;
use lanescope_core::program::StageKind;
use lanescope_lsp::source::Language;
use lanescope_lsp::source::built_ins::built_ins;
use serde_json::{Value, json};

use crate::common::editor_client::{Editor, uri};
use crate::lsp_edits::folder;

/// The labels and details of what is proposed after a part of a text.
fn proposed(editor: &mut Editor, path: &Path, text: &str, after: &str) -> Vec<(String, String)> {
    let at = text.find(after).expect("is there") + after.len();
    let line = text[..at].matches('\n').count();
    let position = json!({ "line": line, "character": at - text[..at].rfind('\n').map_or(0, |end| end + 1) });
    let params = json!({ "textDocument": { "uri": uri(path) }, "position": position });
    let answer = editor.request("textDocument/completion", params);
    let text = |one: &Value, name: &str| one[name].as_str().expect("a text").to_owned();
    let items = answer["result"].as_array().unwrap_or_else(|| panic!("{answer}"));
    items.iter().map(|one| (text(one, "label"), text(one, "detail"))).collect()
}

#[test]
fn the_other_stage_and_the_built_ins_are_proposed_in_text_that_does_not_compile() {
    let vert = "#version 450\nlayout(location = 0) out vec3 normal;\nlayout(location = 2) flat out int id;\nvoid main() { gl_Pos }\n";
    let frag = "#version 450\n\nlayout(location = 0) out vec4 color;\nvoid main() { color = vec4(gl_F); }\n";
    let (_folder, root) = folder(&[("a.vert", vert), ("a.frag", frag)]);
    let [vert_path, frag_path] = ["a.vert", "a.frag"].map(|name| root.join(name));
    let mut editor = Editor::start(json!({}), Value::Null);
    editor.open(&frag_path, 1);
    let found = proposed(&mut editor, &frag_path, frag, "450\n");
    let expected = ["layout(location = 0) in vec3 normal;", "layout(location = 2) flat in int id;"];
    let detail = "output of a.vert".to_owned();
    assert_eq!(found, expected.map(|text| (text.to_owned(), detail.clone())));
    let found = proposed(&mut editor, &frag_path, frag, "gl_F");
    assert!(found.contains(&("gl_FragCoord".to_owned(), "vec4: fragment in".to_owned())), "{found:?}");
    assert!(found.iter().all(|(name, _)| name != "gl_Position"), "{found:?}");
    editor.open(&vert_path, 1);
    let found = proposed(&mut editor, &vert_path, vert, "gl_Pos");
    assert!(found.contains(&("gl_Position".to_owned(), "vec4: vertex out".to_owned())), "{found:?}");
    // What is proposed compiles.
    let text = frag.replacen("\n\n", &format!("\n{}\n", expected.join("\n")), 1).replace("gl_F", "normal, id");
    editor.replace(&vert_path, 2, &vert.replace("gl_Pos ", "normal = vec3(1); id = 1; "));
    editor.replace(&frag_path, 2, &text);
    let found = editor.diagnostics(&frag_path, 2);
    assert!(found.iter().all(|one| one["severity"].as_u64() > Some(2)), "{found:?}");
    editor.shut_down();
}

/// A structure of HLSL is completed with what the other stage passes.
#[test]
fn members_of_hlsl_are_proposed_by_their_semantics() {
    let vertex = "struct Out { float4 p : SV_Position; float2 uv : TEXCOORD0; };\nOut main() { return (Out)0; }\n";
    let pixel = "struct In {\n\n};\nfloat4 main(In i) : SV_Target { return 0; }\n";
    let (_folder, root) = folder(&[("a.vs.hlsl", vertex), ("a.ps.hlsl", pixel)]);
    let path = root.join("a.ps.hlsl");
    let mut editor = Editor::start(json!({}), Value::Null);
    editor.open(&path, 1);
    let found = proposed(&mut editor, &path, pixel, "struct In {\n");
    assert_eq!(found, [("float2 uv : TEXCOORD0;".to_owned(), "output of a.vs.hlsl".to_owned())]);
    editor.shut_down();
}

/// A shader of a stage that does something with a built-in.
fn with(stage: StageKind, statement: &str, extension: &str) -> Option<(String, &'static str)> {
    let (head, name) = match stage {
        StageKind::Vertex => ("", "a.vert"),
        StageKind::TessControl => ("layout(vertices = 3) out;", "a.tesc"),
        StageKind::TessEval => ("layout(triangles) in;", "a.tese"),
        StageKind::Geometry => ("layout(points) in; layout(points, max_vertices = 1) out;", "a.geom"),
        StageKind::Fragment => ("layout(location = 0) out vec4 color;", "a.frag"),
        StageKind::Compute => ("layout(local_size_x = 8) in;", "a.comp"),
        StageKind::Task => ("#extension GL_EXT_mesh_shader : require\nlayout(local_size_x = 8) in;", "a.task"),
        StageKind::Mesh => (
            "#extension GL_EXT_mesh_shader : require\nlayout(local_size_x = 8) in;\n\
             layout(triangles, max_vertices = 3, max_primitives = 1) out;",
            "a.mesh",
        ),
        _ => return None,
    };
    let extension = if extension.is_empty() { String::new() } else { format!("#extension {extension} : require\n") };
    Some((format!("#version 460\n{extension}{head}\nvoid main() {{ {statement} }}\n"), name))
}

/// The compiler is the judge of the table: what a stage reads or writes compiles there, and nowhere else.
#[test]
fn built_ins_of_glsl_are_those_that_compile_in_a_stage() {
    let folder = tempfile::tempdir().expect("a folder");
    for row in built_ins(Language::Glsl, None) {
        let is_scalar = ["int", "uint", "float", "bool", "vec2", "vec3", "vec4", "uvec3"].contains(&row.type_name);
        for stage in StageKind::ALL.iter().copied().filter(|_| is_scalar) {
            let compiles = |statement: &str| {
                let (text, name) = with(stage, statement, row.extension)?;
                let path = folder.path().join(name);
                std::fs::write(&path, text).expect("writable");
                Some(load(&[path], &[]).is_ok())
            };
            let (reads, writes) = row.access(stage);
            let Some(read) = compiles(&format!("{} x = {};", row.type_name, row.name)) else { continue };
            let written = compiles(&format!("{} = {}(1);", row.name, row.type_name)).expect("the same stage");
            assert_eq!(written, writes, "{} in {stage} is written", row.name);
            // What is written can be read back, unless something else has to be declared too.
            assert!(writes || read == reads, "{} in {stage} is read", row.name);
        }
    }
}

/// The texts of tokens, each with the bits of its modifiers.
fn tokens(editor: &mut Editor, path: &Path, text: &str, method: &str, range: Value) -> Vec<(String, u64)> {
    let answer = editor.request(method, json!({ "textDocument": { "uri": uri(path) }, "range": range }));
    let data: Vec<usize> = answer["result"]["data"]
        .as_array()
        .unwrap_or_else(|| panic!("{answer}"))
        .iter()
        .map(|one| one.as_u64().expect("a number") as usize)
        .collect();
    let lines: Vec<&str> = text.lines().collect();
    let (mut line, mut start, mut out) = (0, 0, Vec::new());
    for five in data.as_chunks::<5>().0 {
        let [down, right, length, _, modifiers] = *five;
        line += down;
        start = if down == 0 { start + right } else { right };
        out.push((lines[line][start..start + length].to_owned(), modifiers as u64));
    }
    out
}

#[test]
fn outputs_that_nothing_reads_are_marked_where_the_report_says_so() {
    let vert = "#version 450\nlayout(location = 0) out vec3 normal;\nlayout(location = 1) out vec3 unread;\n\
        void main() { normal = unread = vec3(1); gl_Position = vec4(0); }\n";
    let frag = "#version 450\nlayout(location = 0) in vec3 normal;\nlayout(location = 0) out vec4 color;\nvoid main() { color.rgb = normal; }\n";
    let (_folder, root) = folder(&[("a.vert", vert), ("a.frag", frag)]);
    let path = root.join("a.vert");
    let mut editor = Editor::start(json!({}), Value::Null);
    editor.open(&path, 1);
    let full = "textDocument/semanticTokens/full";
    let found = tokens(&mut editor, &path, vert, full, Value::Null);
    let names: Vec<(&str, u64)> = found.iter().map(|(name, bits)| (name.as_str(), *bits)).collect();
    assert_eq!(names, [("normal", 1), ("unread", 5), ("normal", 0), ("unread", 4), ("gl_Position", 2)]);
    let range = json!({ "start": { "line": 3, "character": 0 }, "end": { "line": 4, "character": 0 } });
    let found = tokens(&mut editor, &path, vert, "textDocument/semanticTokens/range", range);
    assert_eq!(found[0], ("normal".to_owned(), 0));
    // Text that does not compile has no report that says it.
    let wrong = vert.replace("vec4(0)", "vec5(0)");
    editor.replace(&path, 2, &wrong);
    let found = tokens(&mut editor, &path, &wrong, full, Value::Null);
    assert!(found.len() == 5 && found.iter().all(|(_, bits)| bits & 4 == 0), "{found:?}");
    editor.shut_down();
}

fn lenses(editor: &mut Editor, path: &Path) -> Vec<Value> {
    let answer = editor.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri(path) } }));
    answer["result"].as_array().unwrap_or_else(|| panic!("{answer}")).clone()
}

#[test]
fn lenses_run_and_compile_what_is_saved() {
    let comp = "#version 450\nlayout(local_size_x = SIZE) in;\nlayout(binding = 0) buffer B { uint x[]; };\n\
        void main() { x[gl_GlobalInvocationID.x] = gl_LocalInvocationIndex; }\n";
    let toml = "target = \"gfx1100\"\n[[pipeline]]\nname = \"lanes\"\nfiles = [\"a.glsl\"]\nstage = \"comp\"\ndefines = [\"SIZE=64\"]\n";
    let (_folder, root) = folder(&[("a.glsl", comp), ("lanescope.toml", toml)]);
    let path = root.join("a.glsl");
    let commands = json!({ "commands": { "commands": ["lanescope.debug"] } });
    let mut editor = Editor::start(json!({ "experimental": commands }), Value::Null);
    editor.open(&path, 1);
    let found = lenses(&mut editor, &path);
    let titles: Vec<_> = found.iter().map(|one| one["command"]["title"].as_str().expect("a title")).collect();
    assert_eq!(titles, ["Run", "Debug", "Show in Lanescope", "Compile for gfx1100"]);
    assert!(found.iter().all(|one| one["range"]["start"]["line"] == 3), "{found:?}");
    let launch = &found[1]["command"]["arguments"][0];
    assert_eq!((&launch["program"][0], &launch["define"][0]), (&json!(path), &json!("SIZE=64")));
    let execute = |editor: &mut Editor, command: &str, argument: Value| {
        editor.request("workspace/executeCommand", json!({ "command": command, "arguments": [argument] }))
    };
    let answer = execute(&mut editor, "lanescope.run", json!({ "uri": uri(&path) }));
    let text = answer["result"]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
    assert!(text.contains("compute main  on interpreter"), "{text}");
    let shown = editor.until(|message| message["method"] == "window/showMessage");
    assert_eq!(shown["params"]["type"], 3, "{shown}");
    let answer = execute(&mut editor, "lanescope.compile", found[3]["command"]["arguments"][0].clone());
    let text = answer["result"]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
    assert!(text.starts_with("compute on gfx1100: ") && text.contains("VGPRs "), "{text}");
    // A second command ends the first, and each is answered for itself.
    let run = json!({ "command": "lanescope.run", "arguments": [{ "uri": uri(&path) }] });
    let first = editor.begin_request("workspace/executeCommand", run);
    let answer = execute(&mut editor, "lanescope.compile", found[3]["command"]["arguments"][0].clone());
    assert!(answer["result"]["text"].as_str().is_some_and(|text| text.starts_with("compute on gfx1100: ")), "{answer}");
    let answer = editor.answer(first);
    let ended = answer["error"]["message"].as_str().is_some_and(|why| why.contains("was ended"));
    assert!(ended || answer["result"]["text"].as_str().is_some_and(|text| text.contains("on interpreter")), "{answer}");
    // What fails, and what is not understood, is said.
    let answer = execute(&mut editor, "lanescope.compile", json!({ "uri": uri(&path), "chip": "voodoo" }));
    assert!(answer["error"]["message"].as_str().is_some_and(|why| why.contains("voodoo")), "{answer}");
    let answer = execute(&mut editor, "lanescope.show", json!({ "uri": uri(&path) }));
    assert!(answer["error"]["message"].as_str().is_some_and(|why| why.contains("no display")), "{answer}");
    for (command, argument) in
        [("lanescope.debug", json!({ "uri": uri(&path) })), ("lanescope.run", json!({ "file": 3 }))]
    {
        assert!(execute(&mut editor, command, argument).get("error").is_some(), "{command}");
    }
    editor.replace(&path, 2, &comp.replace("450", "460"));
    let answer = execute(&mut editor, "lanescope.run", json!({ "uri": uri(&path) }));
    assert!(answer["error"]["message"].as_str().is_some_and(|why| why.contains("a.glsl is not saved")), "{answer}");
    editor.shut_down();
    // An included file counts as well.
    let comp = "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"size.glsl\"\n\
        layout(local_size_x = N) in;\nvoid main() {}\n";
    let (_folder, root) = folder(&[("b.comp", comp), ("size.glsl", "#define N 8\n")]);
    let mut editor = Editor::start(json!({}), Value::Null);
    editor.open(&root.join("b.comp"), 1);
    editor.diagnostics(&root.join("b.comp"), 1);
    editor.open_text(&root.join("size.glsl"), 1, "#define N 16\n");
    let answer = execute(&mut editor, "lanescope.run", json!({ "uri": uri(&root.join("b.comp")) }));
    assert!(answer["error"]["message"].as_str().is_some_and(|why| why.contains("size.glsl is not saved")), "{answer}");
    editor.shut_down();
    // A client that starts no session has no lens for it.
    let mut editor = Editor::start(json!({}), Value::Null);
    editor.open(&path, 1);
    assert_eq!(lenses(&mut editor, &path).len(), 3);
    editor.shut_down();
}
