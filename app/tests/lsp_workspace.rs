//! The language server and what is around it: files that come and go, folders of the workspace, the client's process.

use std::process::{Command, Stdio};
use std::time::Instant;

use crate::common::editor_client::{Editor, editing, place, uri};
use crate::lsp_edits::folder;
use lanescope_testing::framed::PATIENCE;
use serde_json::{Value, json};

const VERTEX: &str =
    "#version 450\nlayout(location = 0) out vec2 uv;\nvoid main() { uv = vec2(1); gl_Position = vec4(0); }\n";
const FRAGMENT: &str = "#version 450\nlayout(location = 0) in vec2 uv;\nlayout(location = 0) out vec4 color;\n\
    void main() { color = uv.xyxy; }\n";

/// A stage that appears on disk joins the pipeline of the open one, and one that vanishes leaves it.
#[test]
fn stages_come_and_go_on_disk() {
    let (_folder, root) = folder(&[("a.frag", FRAGMENT)]);
    let path = root.join("a.frag");
    let mut editor = Editor::start(json!({}), Value::Null);
    editor.open(&path, 1);
    editor.log("analyzed as a.frag");
    let input = place(FRAGMENT, "uv;");
    assert_eq!(editor.places("textDocument/definition", &path, input)[0].0, "a.frag", "itself");
    std::fs::write(root.join("a.vert"), VERTEX).expect("writable");
    editor.log("analyzed as a.vert + a.frag");
    assert_eq!(editor.places("textDocument/definition", &path, input)[0].0, "a.vert");
    std::fs::remove_file(root.join("a.vert")).expect("is there");
    editor.log("analyzed as a.frag (");
    assert_eq!(editor.places("textDocument/definition", &path, input)[0].0, "a.frag");
    editor.shut_down();
}

/// A folder that joins the workspace may be edited by a rename, one that left may not.
#[test]
fn folders_of_the_workspace_change() {
    let (_folder, root) = folder(&[("a.vert", VERTEX), ("a.frag", FRAGMENT)]);
    let path = root.join("a.frag");
    let mut editor = Editor::start(editing(), Value::Null);
    editor.open(&path, 1);
    let (line, character) = place(FRAGMENT, "uv;");
    let rename = |editor: &mut Editor| {
        let position = json!({ "line": line, "character": character });
        let params = json!({ "textDocument": { "uri": uri(&path) }, "position": position, "newName": "texel" });
        editor.request("textDocument/rename", params)["result"].is_object()
    };
    assert!(!rename(&mut editor), "a.vert is not in the workspace");
    let own = json!([{ "uri": uri(&root), "name": "shaders" }]);
    for (added, removed, expected) in [(own.clone(), json!([]), true), (json!([]), own, false)] {
        let event = json!({ "added": added, "removed": removed });
        editor.notify("workspace/didChangeWorkspaceFolders", json!({ "event": event }));
        assert_eq!(rename(&mut editor), expected);
    }
    editor.shut_down();
}

/// The server ends some seconds after the process that its client named, although nobody closes its input.
#[test]
fn a_server_whose_client_is_gone_ends() {
    let mut client = Command::new("sleep").arg("600").stdin(Stdio::null()).spawn().expect("starts");
    let mut editor = Editor::begin();
    let answer = editor.request("initialize", json!({ "processId": client.id(), "capabilities": {} }));
    let folders = &answer["result"]["capabilities"]["workspace"]["workspaceFolders"];
    assert_eq!((&folders["supported"], &folders["changeNotifications"]), (&json!(true), &json!(true)));
    editor.notify("initialized", json!({}));
    client.kill().expect("runs");
    client.wait().expect("ends");
    let begin = Instant::now();
    while editor.child.try_wait().expect("is a child").is_none() {
        assert!(begin.elapsed() < PATIENCE, "the server is still there");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}
