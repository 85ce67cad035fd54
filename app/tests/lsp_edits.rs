//! Edits that `lanescope lsp` offers: quick fixes and renaming. Each is applied, and its result analyzed again.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::common::editor_client::{Editor, edited, editing, place, uri};

/// A folder with files, as a client writes its path.
pub fn folder(files: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("is there");
    for (name, text) in files {
        std::fs::create_dir_all(root.join(name).parent().expect("a folder")).expect("writable");
        std::fs::write(root.join(name), text).expect("writable");
    }
    (folder, root)
}

fn has(found: &[Value], what: &str) -> bool {
    found.iter().any(|one| one["code"] == what || one["message"].as_str().is_some_and(|text| text.contains(what)))
}

/// Whether there are errors or warnings.
fn has_faults(found: &[Value]) -> bool {
    found.iter().any(|one| one["severity"].as_u64().is_some_and(|severity| severity <= 2))
}

/// Opens a file that has a diagnostic with a code or a text, applies its only fix, and sees that the diagnostic is gone.
/// Returns the title of the fix and the new text.
fn fixed(files: &[(&str, &str)], name: &str, what: &str) -> (String, String) {
    let (_folder, root) = folder(files);
    let path = root.join(name);
    let mut editor = Editor::start(editing(), Value::Null);
    let text = editor.open(&path, 1);
    let found = editor.diagnostics(&path, 1);
    let one = found.iter().find(|one| has(&[(*one).clone()], what)).unwrap_or_else(|| panic!("{what}: {found:?}"));
    let line = one["range"]["start"]["line"].as_u64().expect("a line") as usize;
    let fixes = editor.fixes(&path, line);
    let of_this: Vec<_> = fixes.iter().filter(|fix| fix["diagnostics"][0]["message"] == one["message"]).collect();
    assert_eq!(of_this.len(), 1, "{what}: {fixes:?}");
    assert_eq!((of_this[0]["kind"].as_str(), of_this[0]["isPreferred"].as_bool()), (Some("quickfix"), Some(true)));
    let new = edited(&of_this[0]["edit"], &path, Some(1), &text);
    editor.replace(&path, 2, &new);
    let left = editor.diagnostics(&path, 2);
    assert!(!has(&left, what), "{new}: {left:?}");
    let errors: Vec<_> = left.iter().filter(|one| one["severity"] == 1).collect();
    assert!(errors.is_empty(), "{new}: {errors:?}");
    editor.shut_down();
    (of_this[0]["title"].as_str().expect("a title").to_owned(), new)
}

/// Opens a file with a diagnostic that no fix is offered for.
fn not_fixed(files: &[(&str, &str)], name: &str, what: &str) {
    let (_folder, root) = folder(files);
    let path = root.join(name);
    let mut editor = Editor::start(editing(), Value::Null);
    editor.open(&path, 1);
    let found = editor.diagnostics(&path, 1);
    let one = found.iter().find(|one| has(&[(*one).clone()], what)).unwrap_or_else(|| panic!("{what}: {found:?}"));
    let line = one["range"]["start"]["line"].as_u64().expect("a line") as usize;
    assert_eq!(editor.fixes(&path, line), [] as [Value; 0]);
    editor.shut_down();
}

const VERT: &str = "#version 450\nlayout(location = 0) out vec2 a;\nlayout(location = 0, component = 2) out vec2 b;\n\
    layout(location = 3) flat out uint c;\nlayout(location = 4) out vec3 d;\n\
    void main() { a = vec2(1); b = vec2(2); c = 3u; d = vec3(4); gl_Position = vec4(0); }\n";

fn frag(declarations: &str, value: &str) -> String {
    format!(
        "#version 450\n{declarations}\nlayout(location = 0) out vec4 color;\nvoid main() {{ color = vec4({value}); }}\n"
    )
}

#[test]
fn inputs_get_the_place_of_the_output_of_their_name() {
    let with = |declarations: &str, value: &str, what: &str| {
        let text = frag(declarations, value);
        fixed(&[("a.vert", VERT), ("a.frag", &text)], "a.frag", what)
    };
    let (title, text) = with("in vec2 b;", "b, b", "SPIR-V requires location");
    assert_eq!(title, "Add `layout(location = 0, component = 2)` to `b`");
    assert!(text.contains("\nlayout(location = 0, component = 2) in vec2 b;\n"), "{text}");
    let both = "layout(location = 0) in vec2 a;\nlayout(location = 0) in vec2 b;";
    let (title, _) = with(both, "a, b", "overlapping use of location");
    assert_eq!(title, "Change `b` to `layout(location = 0, component = 2)`, as in the other stage");
    let (title, text) = with("layout(location = 7) in vec3 d;", "d, 1", "P002");
    assert_eq!(title, "Change `d` to `layout(location = 4)`, as in the other stage");
    assert!(text.contains("\nlayout(location = 4) in vec3 d;\n"), "{text}");
    let (title, text) = with("layout(location = 3) in uint c;", "c", "must be qualified as flat");
    assert_eq!(title, "Add `flat` to `c`");
    assert!(text.contains("layout(location = 3) flat in uint c;"), "{text}");
    // An output of another type, a place that is taken, two declarations in a line, a macro.
    for (declarations, value, what) in [
        ("layout(location = 7) in vec4 d;", "d", "P002"),
        ("layout(location = 7) in vec3 d;\nlayout(location = 4) in vec3 e;", "d + e, 1", "P002"),
        ("#define place 7\nlayout(location = place) in vec3 d;", "d, 1", "P002"),
        ("in vec2 a; in vec2 b;", "a, b", "SPIR-V requires location"),
        ("#define input in vec2 b\ninput;", "b, b", "SPIR-V requires location"),
        ("layout(location = 7) in vec3 other;", "other, 1", "P002"),
    ] {
        not_fixed(&[("a.vert", VERT), ("a.frag", &frag(declarations, value))], "a.frag", what);
    }
}

#[test]
fn outputs_get_a_location_that_is_free() {
    let vert = "#version 450\nlayout(location = 0) out vec2 a;\nout vec3 new;\n\
                void main() { a = vec2(1); new = vec3(1); gl_Position = vec4(0); }\n";
    let text = frag("layout(location = 0) in vec2 a;\nlayout(location = 1) in vec2 gone;", "a, gone");
    let (title, _) = fixed(&[("a.vert", vert), ("a.frag", &text)], "a.vert", "SPIR-V requires location");
    assert_eq!(title, "Add `layout(location = 2)` to `new`");
    let single = "#version 450\nout vec4 color;\nvoid main() { color = vec4(1); }\n";
    let (title, _) = fixed(&[("a.frag", single)], "a.frag", "SPIR-V requires location");
    assert_eq!(title, "Add `layout(location = 0)` to `color`");
    let two = "#version 450\nout vec4 color;\nlayout(location = 1) out vec4 other;\nvoid main() { color = other = vec4(1); }\n";
    not_fixed(&[("a.frag", two)], "a.frag", "SPIR-V requires location");
}

#[test]
fn workgroups_get_a_size_that_their_derivatives_allow() {
    let comp = |group: &str, size: &str| {
        format!(
            "#version 450\n#extension GL_NV_compute_shader_derivatives : require\nlayout(derivative_group_{group}NV) in;\n\
             layout({size}) in;\nlayout(binding = 0) buffer B {{ float x[]; }};\n\
             void main() {{ x[gl_LocalInvocationIndex] = dFdx(float(gl_LocalInvocationIndex)); }}\n"
        )
    };
    for (group, size, expected) in [
        ("quads", "local_size_x = 7, local_size_y = 3", "layout(local_size_x = 8, local_size_y = 4) in;"),
        ("quads", "local_size_x = 8", "layout(local_size_x = 8, local_size_y = 2) in;"),
        ("linear", "local_size_y = 3, local_size_x = 7", "layout(local_size_y = 3, local_size_x = 8) in;"),
    ] {
        let what = format!("derivative_group_{group}");
        let (_, text) = fixed(&[("a.comp", &comp(group, size))], "a.comp", &what);
        assert!(text.contains(expected), "{text}");
    }
    // What glslang does not see, the report does.
    let assembly = "; Version: 1.5\nOpCapability Shader\nOpCapability ComputeDerivativeGroupQuadsKHR\n\
        OpExtension \"SPV_NV_compute_shader_derivatives\"\nOpMemoryModel Logical GLSL450\n\
        OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 7 3 1 ; odd\n\
        OpExecutionMode %main DerivativeGroupQuadsKHR\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n\
        %main = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n";
    let (title, text) = fixed(&[("a.spvasm", assembly)], "a.spvasm", "W003");
    assert_eq!(title, "Change the workgroup size to 8×4×1");
    assert!(text.contains("OpExecutionMode %main LocalSize 8 4 1 ; odd\n"), "{text}");
    let (title, _) =
        fixed(&[("a.spvasm", &assembly.replace("; Version: 1.5\n", "").replace("7 3", "8 4"))], "a.spvasm", "L007");
    assert!(title.starts_with("Add `; Version: 1."), "{title}");
}

#[test]
fn lines_of_pipeline_files_are_fixed() {
    let start = "[CsGlsl]\n#version 450\nlayout(local_size_x = 8) in;\nvoid main() {}\n[CsInfo]\nentryPoint = main";
    for (rest, code, expected) in [
        ("\nvgprLimit = 3\n", "pipe.removed-key", "entryPoint = main\n"),
        (
            " ; note\noptions.waveSize = 32\n",
            "pipe.comment-join",
            "[CsInfo]\n; note\nentryPoint = main\noptions.waveSize",
        ),
        ("\n[Version\n", "pipe.header", "\n[Version]\n"),
    ] {
        let (_, text) = fixed(&[("a.pipe", &format!("{start}{rest}"))], "a.pipe", code);
        assert!(text.contains(expected), "{text}");
    }
    let (_, text) = fixed(&[("a.pipe", &format!("\u{feff}{start}\n"))], "a.pipe", "pipe.bom");
    assert!(text.starts_with("[CsGlsl]"), "{text}");
    let hlsl = "[VsGlsl]\n#version 450\nvoid main() { gl_Position = vec4(0); }\n[VsInfo]\n[FsHlsl]\n[earlydepthstencil]\n\
        float4 main() : SV_Target { return 1; }\n[FsInfo]\nentryPoint = main\n";
    let (_, text) = fixed(&[("a.pipe", hlsl)], "a.pipe", "pipe.bracket-in-source");
    assert!(text.contains("\n [earlydepthstencil]\n"), "{text}");
}

#[test]
fn integers_of_wgsl_become_flat() {
    let text = "struct V { @builtin(position) p: vec4f, @location(0) id: u32, @location(1) t: vec2f,\n @location(2) v: vec2<i32> }\n\
        @vertex fn v(@builtin(vertex_index) i: u32, @location(0) k: u32) -> V { var o: V; o.id = i + k; return o; }\n\
        @fragment fn f(v: V) -> @location(0) vec4f { return vec4f(f32(v.id) + v.t.x + f32(v.v.x)); }\n";
    let (title, text) = fixed(&[("a.wgsl", text)], "a.wgsl", "@interpolate(flat)");
    assert_eq!(title, "Add `@interpolate(flat)` to `id`, `v`");
    assert!(text.contains("@location(0) @interpolate(flat) id: u32") && text.contains("@location(0) k: u32"), "{text}");
}

#[test]
fn an_unused_macro_leaves_the_workspace_file() {
    let manifest = "defines = [\"ALL\"]\n[[pipeline]]\nfiles = [\"a.comp\"]\ndefines = [\"USED=1\", \"UNUSED=2\"]\n";
    let comp = "#version 450\nlayout(local_size_x = 8) in;\nvoid main() { int a = USED; }\n";
    let (_folder, root) = folder(&[("a.comp", comp), ("lanescope.toml", manifest)]);
    let (path, toml) = (root.join("a.comp"), root.join("lanescope.toml"));
    let mut editor = Editor::start(editing(), Value::Null);
    editor.open(&path, 1);
    let found = editor.diagnostics(&path, 1);
    assert!(has(&found, "the macro UNUSED") && has(&found, "the macro ALL"), "{found:?}");
    let fixes = editor.fixes(&path, 0);
    let titles: Vec<_> = fixes.iter().map(|fix| fix["title"].as_str().expect("a title")).collect();
    // Other pipelines may use one that is for all.
    assert_eq!(titles, ["Remove the macro `UNUSED` from lanescope.toml"]);
    let new = edited(&fixes[0]["edit"], &toml, None, manifest);
    assert_eq!(new, manifest.replace(", \"UNUSED=2\"", ""));
    editor.open_text(&toml, 1, &new);
    let expected = uri(&path);
    editor.until(|message| {
        let params = &message["params"];
        let left = params["diagnostics"].as_array().map(Vec::as_slice).unwrap_or_default();
        params["uri"] == expected && has(left, "the macro ALL") && !has(left, "the macro UNUSED")
    });
    editor.shut_down();
}

#[test]
fn outputs_that_nothing_reads_are_removed() {
    let vert = "#version 450\nlayout(location = 0) out vec2 a;\nlayout(location = 1) out vec2 unread; // why\n\
        layout(location = 2) out vec4 partly;\nvoid main() {\n    a = vec2(1);\n    unread = a * 2;\n    partly.x = a.x;\n    gl_Position = partly;\n}\n";
    let text = frag("layout(location = 0) in vec2 a;", "a, a");
    let (_folder, root) = folder(&[("a.vert", vert), ("a.frag", &text)]);
    let path = root.join("a.vert");
    let mut editor = Editor::start(editing(), Value::Null);
    editor.open(&path, 1);
    let hints = editor.hints(&path);
    assert_eq!(hints.iter().filter(|(_, label)| label == "not read").count(), 2, "{hints:?}");
    assert_eq!(editor.fixes(&path, 1), [] as [Value; 0], "it is read");
    let fix = &editor.fixes(&path, 2)[0];
    assert_eq!(fix["title"], "Remove the output `unread`, which nothing reads, and what writes it");
    let new = edited(&fix["edit"], &path, Some(1), vert);
    assert_eq!(
        new,
        vert.replace("layout(location = 1) out vec2 unread; // why\n", "").replace("    unread = a * 2;\n", "")
    );
    editor.replace(&path, 2, &new);
    assert!(!has_faults(&editor.diagnostics(&path, 2)));
    let line = place(&new, "partly;").0;
    let fix = &editor.fixes(&path, line)[0];
    assert_eq!(fix["title"], "Make `partly` a variable of the shader: nothing reads the output");
    let new = edited(&fix["edit"], &path, Some(2), &new);
    assert!(new.contains("\nvec4 partly;\n"), "{new}");
    editor.replace(&path, 3, &new);
    assert!(!has_faults(&editor.diagnostics(&path, 3)));
    let hints = editor.hints(&path);
    assert!(!hints.is_empty() && hints.iter().all(|(_, label)| label != "not read"), "{hints:?}");
    editor.shut_down();
}

/// The answer to a request to rename.
fn rename(editor: &mut Editor, path: &Path, (line, character): (usize, usize), name: &str) -> Value {
    let position = json!({ "line": line, "character": character });
    let params = json!({ "textDocument": { "uri": uri(path) }, "position": position, "newName": name });
    editor.request("textDocument/rename", params)
}

fn in_workspace(root: &Path) -> Editor {
    let mut editor = Editor::begin();
    let folders = json!([{ "uri": uri(root), "name": "shaders" }]);
    let params = json!({ "processId": null, "capabilities": editing(), "workspaceFolders": folders });
    let answer = editor.request("initialize", params);
    assert_eq!(answer["result"]["capabilities"]["renameProvider"]["prepareProvider"], true, "{answer}");
    editor.notify("initialized", json!({}));
    editor
}

#[test]
fn a_varying_is_renamed_in_the_stages_that_it_joins() {
    let vert = "#version 450\nlayout(location = 0) out vec2 out_uv;\nlayout(location = 1) out vec2 other;\n\
        void main() { out_uv = vec2(1); other = out_uv; gl_Position = vec4(0); }\n";
    let frag = "#version 450\n#extension GL_GOOGLE_include_directive : require\nlayout(location = 0) in vec2 in_uv;\n\
        layout(location = 1) in vec2 other;\nlayout(location = 0) out vec4 color;\n#include \"inc/part.glsl\"\n\
        void main() { color = vec4(in_uv, part()); /* in_uv */ }\n";
    let part = "vec2 part() { return in_uv + other; }\n";
    let (_folder, root) = folder(&[("a.vert", vert), ("a.frag", frag), ("inc/part.glsl", part)]);
    let [vert_path, frag_path, part_path] = ["a.vert", "a.frag", "inc/part.glsl"].map(|name| root.join(name));
    let mut editor = in_workspace(&root);
    editor.open(&frag_path, 4);
    let at = place(frag, "in_uv, part");
    let position = json!({ "line": at.0, "character": at.1 });
    let params = json!({ "textDocument": { "uri": uri(&frag_path) }, "position": position });
    let prepared = editor.request("textDocument/prepareRename", params);
    assert_eq!(prepared["result"]["placeholder"], "in_uv", "{prepared}");
    assert_eq!(prepared["result"]["range"]["start"], position);
    let answer = rename(&mut editor, &frag_path, at, "texcoord");
    let edit = &answer["result"];
    let new = edited(edit, &frag_path, Some(4), frag);
    assert_eq!(new.matches("texcoord").count(), 2, "{new}");
    assert!(new.contains("/* in_uv */"), "{new}");
    assert_eq!(edited(edit, &vert_path, None, vert), vert.replace("out_uv", "texcoord"));
    assert_eq!(edited(edit, &part_path, None, part), part.replace("in_uv", "texcoord"));
    // References are the same places.
    let places = editor.places("textDocument/references", &frag_path, at);
    assert_eq!(places.len(), 6, "{places:?}");
    // The renamed pipeline compiles, and joins the same.
    for (path, text) in [(&vert_path, vert), (&part_path, part)] {
        std::fs::write(path, edited(edit, path, None, text)).expect("writable");
    }
    editor.replace(&frag_path, 5, &new);
    assert!(editor.diagnostics(&frag_path, 5).iter().all(|one| one["severity"] != 1));
    let definition = editor.places("textDocument/definition", &frag_path, place(&new, "texcoord;"));
    assert_eq!(definition[0].0, "a.vert");
    editor.shut_down();
}

#[test]
fn names_that_cannot_be_renamed_are_refused_with_the_reason() {
    let vert = "#version 450\nlayout(location = 0) out vec2 uv;\nlayout(location = 1) out vec2 m;\nlayout(location = 2) out B { vec2 b; } blk;\n\
        layout(location = 3) out vec2 w;\nstruct S { vec2 m; };\nvoid main() { S s; s.m = vec2(1); uv = s.m; m = uv; w = m; blk.b = m; gl_Position = vec4(0); }\n";
    let frag = "#version 450\n#define twice (mac * 2)\nlayout(location = 0) in vec2 uv;\nlayout(location = 3) in vec2 mac;\nlayout(location = 1) in vec2 n;\n\
        layout(location = 2) in B { vec2 b; } blk;\nlayout(location = 0) out vec4 color;\nlayout(binding = 0) uniform U { vec4 u; };\n\
        void main() { float taken = 1; color = vec4(uv, twice) + u + taken + n.x + gl_FragCoord + blk.b.xyxy; }\n";
    let (_folder, root) = folder(&[("a.vert", vert), ("a.frag", frag)]);
    let [vert_path, frag_path] = ["a.vert", "a.frag"].map(|name| root.join(name));
    let mut editor = in_workspace(&root);
    editor.open(&frag_path, 1);
    editor.open(&vert_path, 1);
    let mut refused = |path: &Path, text: &str, part: &str, name: &str| {
        let answer = rename(&mut editor, path, place(text, part), name);
        assert_eq!(answer["error"]["code"], -32803, "{part} to {name}: {answer}");
        answer["error"]["message"].as_str().expect("a reason").to_owned()
    };
    for (part, name, why) in [
        ("gl_FragCoord", "x", "`gl_FragCoord` is a built-in"),
        ("uv, twice", "gl_x", "begins with `gl_`"),
        ("uv, twice", "vec3", "reserved word"),
        ("uv, twice", "a-b", "not an identifier"),
        ("uv, twice", "a__b", "two underscores"),
        ("uv, twice", "taken", "a.frag has the name `taken` already"),
        ("uv, twice", "s", "a.vert has the name `s` already"),
        ("mac;", "x", "is not the only variable of a statement, or a macro has its name"),
        ("n;", "x", "`m` is the name of a member in"),
        ("taken =", "x", "only varyings can be renamed"),
        ("b; }", "x", "is a member of a block"),
        ("color;", "x", "only varyings can be renamed"),
    ] {
        let reason = refused(&frag_path, frag, part, name);
        assert!(reason.contains(why), "{part} to {name}: {reason}");
    }
    editor.shut_down();
    // A file of several pipelines, and one outside of the workspace that is not open.
    let plain = frag.replace("twice", "mac").replace("#define mac (mac * 2)\n", "");
    let shared = "[[pipeline]]\nfiles = [\"a.vert\", \"a.frag\"]\n[[pipeline]]\nfiles = [\"a.vert\", \"b.frag\"]\n";
    let (_folder, root) =
        folder(&[("a.vert", vert), ("a.frag", &plain), ("b.frag", &plain), ("lanescope.toml", shared)]);
    let mut editor = in_workspace(&root);
    editor.open(&root.join("a.vert"), 1);
    let answer = rename(&mut editor, &root.join("a.vert"), place(vert, "uv;"), "x");
    let reason = answer["error"]["message"].as_str().expect("a reason");
    assert!(reason.contains("several pipelines: `a.vert + a.frag`, `a.vert + b.frag`"), "{reason}");
    editor.shut_down();
    let (_folder, root) = folder(&[("a.vert", vert), ("a.frag", &plain)]);
    let mut editor = in_workspace(&root.join("elsewhere"));
    editor.open(&root.join("a.frag"), 1);
    let answer = rename(&mut editor, &root.join("a.frag"), place(&plain, "uv;"), "x");
    let reason = answer["error"]["message"].as_str().expect("a reason");
    assert!(reason.contains("a.vert is neither open nor in the workspace"), "{reason}");
    editor.shut_down();
}

#[test]
fn names_that_a_macro_may_make_are_left_alone() {
    let vert = "#version 450\n#define SET(n) out_##n = vec2(1)\nlayout(location = 0) out vec2 out_uv;\n\
        layout(location = 1) out vec2 out_x;\nvoid main() { SET(uv); SET(x); gl_Position = vec4(0); }\n";
    let frag = "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"get.glsl\"\n\
        layout(location = 0) in vec2 in_uv;\nlayout(location = 0) out vec4 color;\nvoid main() { color = GET(uv).xyxy; }\n";
    let get = "#define GET(n) \\\n in_##n\n";
    let (_folder, root) = folder(&[("a.vert", vert), ("a.frag", frag), ("get.glsl", get)]);
    let [vert_path, frag_path] = ["a.vert", "a.frag"].map(|name| root.join(name));
    let mut editor = in_workspace(&root);
    editor.open(&frag_path, 1);
    editor.open(&vert_path, 1);
    let hints = editor.hints(&vert_path);
    assert!(hints.iter().any(|(_, label)| label == "not read"), "{hints:?}");
    let answer = rename(&mut editor, &frag_path, place(frag, "in_uv;"), "texcoord");
    let why = answer["error"]["message"].as_str().expect("a reason");
    assert!(why.contains("joins words (`##`)"), "{answer}");
    let fixes = editor.fixes(&vert_path, place(vert, "out_x;").0);
    assert!(fixes.is_empty(), "{fixes:?}");
    editor.shut_down();
}

/// Shaders in sections of a description have names of their own: a use in another one is not meant.
#[test]
fn varyings_in_sections_are_renamed_completed_and_removed() {
    let text = "[VsGlsl]\n#version 450\nlayout(location = 0) out vec2 uv;\nlayout(location = 1) out vec2 more;\n\
        void main() { uv = vec2(1); more = vec2(2); gl_Position = vec4(0); }\n\n[VsInfo]\nentryPoint = main\n\n\
        [FsGlsl]\n#version 450\nlayout(location = 0) in vec2 given;\nlayout(location = 0) out vec4 color;\n\
        void main() { vec2 uv = given; color = vec4(uv, given); }\n\n[FsInfo]\nentryPoint = main\n";
    let (_folder, root) = folder(&[("a.pipe", text)]);
    let path = root.join("a.pipe");
    let mut editor = in_workspace(&root);
    editor.open(&path, 1);
    let answer = rename(&mut editor, &path, place(text, "uv = vec2(1)"), "texel");
    let new = edited(&answer["result"], &path, Some(1), text);
    let [vertex, fragment] = ["[VsGlsl]", "[FsGlsl]"].map(|name| {
        let rest = new.split(name).nth(1).expect("a section");
        rest.split("\n[").next().expect("its text").to_owned()
    });
    assert_eq!((vertex.matches("texel").count(), vertex.matches("uv").count()), (2, 0), "{new}");
    assert_eq!((fragment.matches("texel").count(), fragment.matches("vec2 uv = texel").count()), (3, 1), "{new}");
    editor.replace(&path, 2, &new);
    assert!(editor.diagnostics(&path, 2).iter().all(|one| one["severity"] != 1));
    // A name of the other section can be taken, one of the same section cannot.
    let refused = rename(&mut editor, &path, place(&new, "texel = vec2(1)"), "more");
    assert!(refused["error"]["message"].as_str().is_some_and(|why| why.contains("`more` already")), "{refused}");
    // What nothing reads is removed from its section.
    let line = place(&new, "out vec2 more").0;
    let fixes = editor.fixes(&path, line);
    assert!(fixes.iter().any(|fix| fix["title"].as_str().is_some_and(|title| title.contains("`more`"))), "{fixes:?}");
    // The stages of the description are completed from each other.
    let begun = new.replacen("layout(location = 0) in vec2 texel;\n", "\n", 1);
    editor.replace(&path, 3, &begun);
    let line = place(&begun, "layout(location = 0) out vec4 color").0 - 1;
    let params = json!({ "textDocument": { "uri": uri(&path) }, "position": { "line": line, "character": 0 } });
    let proposed = editor.request("textDocument/completion", params);
    let labels: Vec<&str> =
        proposed["result"].as_array().expect("a list").iter().filter_map(|one| one["label"].as_str()).collect();
    assert!(labels.contains(&"layout(location = 0) in vec2 texel;"), "{labels:?}");
    editor.shut_down();
}
