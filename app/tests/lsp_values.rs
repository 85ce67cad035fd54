//! What `lanescope lsp` shows at the ends of lines: registers that are alive, and the names whose values a debugger shows.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::common::copy_samples;
use crate::common::editor_client::{Editor, place, uri};

fn sample(name: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = copy_samples();
    let path = folder.path().canonicalize().expect("is there").join(name);
    (folder, path)
}

/// A client that asks for hints again where the server says so.
fn refreshing() -> Value {
    json!({ "workspace": { "inlayHint": { "refreshSupport": true } } })
}

/// The hints once some match.
fn awaited(editor: &mut Editor, path: &Path, is: impl Fn(&str) -> bool) -> Vec<(u64, String)> {
    let begin = std::time::Instant::now();
    loop {
        let hints = editor.hints(path);
        if hints.iter().any(|(_, label)| is(label)) || begin.elapsed() > lanescope_testing::framed::PATIENCE {
            return hints;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

#[test]
fn lines_have_the_registers_that_a_chips_compiler_keeps_alive() {
    let (_folder, path) = sample("lit_surface.frag");
    let mut editor = Editor::start(refreshing(), json!({ "chip": "gfx1100" }));
    let text = editor.open(&path, 1);
    let hints = awaited(&mut editor, &path, |label| label.starts_with("VGPR "));
    let counts: Vec<(u64, &str)> =
        hints.iter().filter_map(|(line, label)| Some((*line, label.strip_prefix("VGPR ")?))).collect();
    assert!(!counts.is_empty(), "{hints:?}");
    // They stand at lines of code, with how they differ from the one above.
    let main = place(&text, "void main()").0 as u64;
    let mut before: Option<i32> = None;
    for (line, count) in counts {
        assert!(line > main, "{line}: {count}");
        let mut words = count.split(' ');
        let now: i32 = words.next().expect("a count").parse().expect("a number");
        let change = words.next().map(|word| match word.split_at('▲'.len_utf8()) {
            ("▲", more) => more.parse::<i32>().expect("a number"),
            ("▼", less) => -less.parse::<i32>().expect("a number"),
            other => panic!("{other:?}"),
        });
        assert_eq!(change.unwrap_or(0), before.map_or(0, |before| now - before), "{line}: {count}");
        before = Some(now);
    }
    // They are those of the assembly: none is above the peak of the stage.
    let peak = before.expect("a count");
    assert!(peak > 0);
    // An edit takes them away until the new text is compiled.
    let longer = text.replace("void main()", "// A comment.\nvoid main()");
    editor.replace(&path, 2, &longer);
    let moved = awaited(&mut editor, &path, |label| label.starts_with("VGPR "));
    let lines = |hints: &[(u64, String)]| -> Vec<u64> {
        hints.iter().filter(|(_, label)| label.starts_with("VGPR ")).map(|(line, _)| *line).collect()
    };
    assert_eq!(lines(&moved), lines(&hints).iter().map(|line| line + 1).collect::<Vec<_>>());
    // Each kind can be switched off.
    let off = json!({ "settings": { "lanescope": { "chip": "gfx1100", "hints": { "registers": false } } } });
    editor.notify("workspace/didChangeConfiguration", off);
    assert!(editor.hints(&path).iter().all(|(_, label)| !label.starts_with("VGPR ")));
    editor.shut_down();
}

#[test]
fn a_chip_without_a_compiler_is_named_in_the_log() {
    let (_folder, path) = sample("tile_16x16.comp");
    let mut editor = Editor::start(refreshing(), json!({ "chip": "gfx9999x" }));
    editor.open(&path, 1);
    let said = editor.log("no register counts");
    assert!(said.contains("tile_16x16.comp") && said.contains("gfx9999x"), "{said}");
    editor.shut_down();
}

#[test]
fn variables_have_values_up_to_the_line_where_a_session_stopped() {
    let (_folder, path) = sample("tile_16x16.comp");
    let mut editor = Editor::start(json!({}), Value::Null);
    let text = editor.open(&path, 1);
    let lines: Vec<&str> = text.lines().collect();
    let stopped = lines.iter().rposition(|line| line.contains(';') && !line.contains("//")).expect("a statement");
    let at = |line: usize| json!({ "line": line, "character": 0 });
    let ask = |editor: &mut Editor, stopped: usize| {
        let params = json!({
            "textDocument": { "uri": uri(&path) },
            "range": { "start": at(0), "end": at(lines.len()) },
            "context": { "frameId": 1, "stoppedLocation": { "start": at(stopped), "end": at(stopped) } },
        });
        let answer = editor.request("textDocument/inlineValue", params);
        let all = answer["result"].as_array().unwrap_or_else(|| panic!("{answer}")).clone();
        let of = |value: &Value| {
            let range = &value["range"];
            let (line, from) =
                (range["start"]["line"].as_u64()? as usize, range["start"]["character"].as_u64()? as usize);
            let name = value["variableName"].as_str()?.to_owned();
            // The range is that of the name.
            assert_eq!(lines[line].get(from..from + name.len()), Some(name.as_str()));
            assert_eq!(value["caseSensitiveLookup"], true);
            Some((line, name))
        };
        all.iter().map(|value| of(value).unwrap_or_else(|| panic!("{value}"))).collect::<Vec<_>>()
    };
    let all = ask(&mut editor, stopped);
    assert!(!all.is_empty() && all.iter().all(|(line, _)| *line <= stopped), "{all:?}");
    assert!(all.iter().all(|(_, name)| name != "main" && name != "uint" && name != "vec4"), "{all:?}");
    assert_eq!(ask(&mut editor, 0), []);
    editor.shut_down();
}

#[test]
fn a_window_that_does_not_open_is_reported() {
    let (_folder, path) = sample("tile_16x16.comp");
    let mut editor = Editor::with(&[("DISPLAY", ":4711")]).initialized(json!({}), Value::Null);
    editor.open(&path, 1);
    let argument = json!({ "uri": uri(&path) });
    let params = json!({ "command": "lanescope.show", "arguments": [argument] });
    let answer = editor.request("workspace/executeCommand", params);
    assert_eq!(answer["result"]["text"], "", "{answer}");
    let shown = editor.until(|message| message["method"] == "window/showMessage");
    let text = shown["params"]["message"].as_str().unwrap_or_default();
    // The files and flags are those that the window takes: what it lacks is the display.
    assert!(text.starts_with("the window ended: ") && !text.contains("unexpected argument"), "{text}");
    assert_eq!(shown["params"]["type"], 1);
    editor.shut_down();
}
