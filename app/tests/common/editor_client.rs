//! A client of `lanescope lsp`, as an editor is one.

use std::ops::{Deref, DerefMut};
use std::path::Path;

use lanescope_testing::framed::Framed;
use serde_json::{Value, json};

use super::lanescope;

/// An editor with one server.
pub struct Editor {
    server: Framed,
    next: i64,
}

impl Deref for Editor {
    type Target = Framed;

    fn deref(&self) -> &Framed {
        &self.server
    }
}

impl DerefMut for Editor {
    fn deref_mut(&mut self) -> &mut Framed {
        &mut self.server
    }
}

impl Editor {
    /// Starts a server, and initializes it.
    pub fn start(capabilities: Value, options: Value) -> Editor {
        Editor::begin().initialized(capabilities, options)
    }

    /// Initializes a server.
    pub fn initialized(mut self, capabilities: Value, options: Value) -> Editor {
        let editor = &mut self;
        let params = json!({ "processId": null, "rootUri": null, "capabilities": capabilities, "initializationOptions": options });
        let answer = editor.request("initialize", params);
        assert_eq!(answer["result"]["capabilities"]["textDocumentSync"]["change"], 2, "{answer}");
        editor.notify("initialized", json!({}));
        self
    }

    /// Starts a server.
    pub fn begin() -> Editor {
        Editor::with(&[])
    }

    /// Starts a server with variables of the environment.
    pub fn with(variables: &[(&str, &str)]) -> Editor {
        let mut command = lanescope();
        command.arg("lsp").envs(variables.iter().copied());
        Editor { server: Framed::start(command), next: 0 }
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request; returns its number.
    pub fn begin_request(&mut self, method: &str, params: Value) -> i64 {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// The answer to a request.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin_request(method, params);
        self.answer(id)
    }

    pub fn answer(&mut self, id: i64) -> Value {
        self.until(|message| message.get("method").is_none() && message["id"] == id)
    }

    /// The diagnostics of a version of a document.
    pub fn diagnostics(&mut self, path: &Path, version: i64) -> Vec<Value> {
        let uri = uri(path);
        let message = self.until(|message| {
            let params = &message["params"];
            message["method"] == "textDocument/publishDiagnostics"
                && params["uri"] == uri
                && params["version"] == version
        });
        message["params"]["diagnostics"].as_array().expect("a list").clone()
    }

    pub fn open(&mut self, path: &Path, version: i64) -> String {
        let text = std::fs::read_to_string(path).expect("a text");
        self.open_text(path, version, &text);
        text
    }

    pub fn open_text(&mut self, path: &Path, version: i64, text: &str) {
        let document = json!({ "uri": uri(path), "languageId": "glsl", "version": version, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub fn replace(&mut self, path: &Path, version: i64, text: &str) {
        let document = json!({ "uri": uri(path), "version": version });
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": [{ "text": text }] }),
        );
    }

    /// The labels of a document's hints, each with its line.
    pub fn hints(&mut self, path: &Path) -> Vec<(u64, String)> {
        let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9999, "character": 0 } });
        let answer =
            self.request("textDocument/inlayHint", json!({ "textDocument": { "uri": uri(path) }, "range": range }));
        let hints = answer["result"].as_array().unwrap_or_else(|| panic!("{answer}"));
        let of = |hint: &Value| {
            (hint["position"]["line"].as_u64().expect("a line"), hint["label"].as_str().expect("a text").to_owned())
        };
        hints.iter().map(of).collect()
    }

    /// The quick fixes that are offered from the begin of a line to that of the next.
    pub fn fixes(&mut self, path: &Path, line: usize) -> Vec<Value> {
        let range = json!({ "start": { "line": line, "character": 0 }, "end": { "line": line, "character": 999 } });
        let context = json!({ "diagnostics": [] });
        let params = json!({ "textDocument": { "uri": uri(path) }, "range": range, "context": context });
        let answer = self.request("textDocument/codeAction", params);
        answer["result"].as_array().unwrap_or_else(|| panic!("{answer}")).clone()
    }

    /// The places that a request at a place of a document leads to.
    pub fn places(&mut self, method: &str, path: &Path, (line, character): (usize, usize)) -> Vec<(String, u64, u64)> {
        let params = json!({
            "textDocument": { "uri": uri(path) }, "position": { "line": line, "character": character },
            "context": { "includeDeclaration": true },
        });
        let answer = self.request(method, params);
        let of = |place: &Value| {
            let start = &place["range"]["start"];
            let name = place["uri"].as_str().and_then(|uri| uri.rsplit('/').next()).expect("a name");
            (name.to_owned(), start["line"].as_u64().expect("a line"), start["character"].as_u64().expect("a column"))
        };
        answer["result"].as_array().unwrap_or_else(|| panic!("{answer}")).iter().map(of).collect()
    }

    pub fn hover(&mut self, path: &Path, (line, character): (usize, usize)) -> String {
        let position = json!({ "line": line, "character": character });
        let answer =
            self.request("textDocument/hover", json!({ "textDocument": { "uri": uri(path) }, "position": position }));
        answer["result"]["contents"]["value"].as_str().unwrap_or_default().to_owned()
    }

    /// The text of the log that contains something.
    pub fn log(&mut self, part: &str) -> String {
        let message = self.until(|message| {
            let text = message["params"]["message"].as_str().unwrap_or_default();
            message["method"] == "window/logMessage" && text.contains(part)
        });
        message["params"]["message"].as_str().expect("a text").to_owned()
    }

    pub fn shut_down(mut self) {
        assert_eq!(self.request("shutdown", Value::Null)["result"], Value::Null);
        self.notify("exit", Value::Null);
        assert_eq!(self.ended().code(), Some(0));
    }
}

/// The URI of a file.
pub fn uri(path: &Path) -> String {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    format!("file://{}", path.display())
}

/// Line and column of a part of a text, in ASCII.
pub fn place(text: &str, part: &str) -> (usize, usize) {
    let at = text.find(part).unwrap_or_else(|| panic!("{part} is not there"));
    let line = text[..at].matches('\n').count();
    (line, at - text[..at].rfind('\n').map_or(0, |end| end + 1))
}

/// The text after the edits of a workspace edit with versions, which has to name this version of a document. Positions are
/// in units of UTF-16.
pub fn edited(edit: &Value, path: &Path, version: Option<i64>, text: &str) -> String {
    let all = edit["documentChanges"].as_array().unwrap_or_else(|| panic!("{edit}"));
    let own = all.iter().find(|one| one["textDocument"]["uri"] == uri(path)).unwrap_or_else(|| panic!("{edit}"));
    assert_eq!(own["textDocument"]["version"].as_i64(), version, "{edit}");
    let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let offset = |at: &Value| {
        let number = |name: &str| at[name].as_u64().expect("a number") as usize;
        let Some(start) = starts.get(number("line")) else { return text.len() };
        let (mut left, mut at) = (number("character"), *start);
        for c in text[*start..].chars() {
            if left == 0 {
                break;
            }
            left -= c.len_utf16();
            at += c.len_utf8();
        }
        at
    };
    let mut edits: Vec<(usize, usize, String)> = own["edits"]
        .as_array()
        .expect("edits")
        .iter()
        .map(|one| {
            let new = one["newText"].as_str().expect("a text").to_owned();
            (offset(&one["range"]["start"]), offset(&one["range"]["end"]), new)
        })
        .collect();
    edits.sort();
    let mut text = text.to_owned();
    for (start, end, new) in edits.into_iter().rev() {
        text.replace_range(start..end, &new);
    }
    text
}

/// What an editor says of itself that takes edits with versions, and actions.
pub fn editing() -> Value {
    json!({
        "textDocument": {
            "codeAction": { "codeActionLiteralSupport": { "codeActionKind": { "valueSet": ["quickfix"] } } },
        },
        "workspace": { "workspaceEdit": { "documentChanges": true } },
    })
}
