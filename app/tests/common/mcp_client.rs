//! A client of `lanescope mcp`, as an agent's program is one.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::lanescope;

/// More than an answer takes on a slow machine.
pub const PATIENCE: Duration = Duration::from_secs(240);

/// A client with one server.
pub struct Client {
    pub child: Child,
    pub stdin: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Answers that no one looked at yet.
    kept: VecDeque<Value>,
    next: i64,
}

impl Client {
    /// Starts a server of a folder, with more flags.
    pub fn begin(root: &Path, flags: &[&str]) -> Client {
        let mut command = lanescope();
        command.arg("mcp").arg("--root").arg(root).args(flags).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("starts");
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, messages) = mpsc::channel();
        std::thread::spawn(move || {
            for line in stdout.lines() {
                let Ok(line) = line else { return };
                if sender.send(serde_json::from_str(&line).expect("a line is JSON")).is_err() {
                    return;
                }
            }
        });
        Client { stdin: child.stdin.take(), child, messages, kept: VecDeque::new(), next: 0 }
    }

    /// Starts a server that knows its client.
    pub fn initialized(root: &Path, flags: &[&str]) -> Client {
        let mut client = Client::begin(root, flags);
        let capabilities = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
        let answer = client.ask("initialize", capabilities);
        assert_eq!(
            (&answer["protocolVersion"], &answer["serverInfo"]["name"]),
            (&json!("2025-06-18"), &json!("lanescope"))
        );
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("is open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the server reads");
    }

    pub fn send(&mut self, message: &Value) {
        self.send_bytes(format!("{message}\n").as_bytes());
    }

    /// Sends a request; returns its number.
    pub fn request(&mut self, method: &str, params: Value) -> i64 {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// The answer to a request.
    pub fn answer(&mut self, id: &Value) -> Value {
        if let Some(at) = self.kept.iter().position(|message| &message["id"] == id) {
            return self.kept.remove(at).expect("is there");
        }
        loop {
            let message = self.messages.recv_timeout(PATIENCE).expect("an answer");
            if &message["id"] == id {
                return message;
            }
            self.kept.push_back(message);
        }
    }

    /// The result of a request.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        let answer = self.answer(&json!(id));
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// The error of a request.
    pub fn refused(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        let answer = self.answer(&json!(id));
        assert!(answer["error"].is_object(), "{method}: {answer}");
        answer["error"].clone()
    }

    /// The structured content of a call that succeeds.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert_eq!(result["isError"], false, "{tool}: {result}");
        let text = result["content"][0]["text"].as_str().expect("a text");
        let data = result["structuredContent"].clone();
        assert!(text.starts_with(data["text"].as_str().expect("a text")), "{tool}: {text}");
        data
    }

    /// Why a call fails.
    pub fn fails(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert_eq!(result["isError"], true, "{tool}: {result}");
        let text = result["content"][0]["text"].as_str().expect("a text").to_owned();
        assert!(!text.contains('\u{1b}'), "{text:?}");
        text
    }

    /// Ends the session as a client does.
    pub fn close(mut self) {
        self.stdin = None;
        assert_eq!(self.ended().code(), Some(0));
    }

    /// Waits for the end of the process.
    pub fn ended(&mut self) -> ExitStatus {
        let begin = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("can be asked") {
                return status;
            }
            assert!(begin.elapsed() < PATIENCE, "the server does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // A test that failed leaves no process.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
