//! A client of `lanescope dap`, as an editor is one.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::lanescope;

/// More than an answer takes on a slow machine.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// An editor with one adapter.
pub struct Client {
    pub child: Child,
    pub stdin: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Events and answers that no one looked at yet.
    kept: VecDeque<Value>,
    next: i64,
}

impl Client {
    /// Starts an adapter.
    pub fn begin() -> Client {
        let mut child = lanescope().arg("dap").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, messages) = mpsc::channel();
        std::thread::spawn(move || {
            loop {
                let (mut length, mut line) = (0, String::new());
                loop {
                    line.clear();
                    if stdout.read_line(&mut line).unwrap_or(0) == 0 {
                        return;
                    }
                    if line == "\r\n" {
                        break;
                    }
                    let number = line.strip_prefix("Content-Length: ").map(|number| number.trim().parse());
                    length = number.map_or(length, |number| number.expect("a number"));
                }
                let mut body = vec![0; length];
                stdout.read_exact(&mut body).expect("a whole message");
                if sender.send(serde_json::from_slice(&body).expect("JSON")).is_err() {
                    return;
                }
            }
        });
        Client { stdin: child.stdin.take(), child, messages, kept: VecDeque::new(), next: 0 }
    }

    /// Starts an adapter that knows its client.
    pub fn initialized() -> Client {
        let mut client = Client::begin();
        let body = client.ask("initialize", json!({ "adapterID": "lanescope", "linesStartAt1": true }));
        assert_eq!(body["supportsStepBack"], true);
        client
    }

    /// Launches a shader, with the filters of exceptions that are on at first.
    pub fn launched(arguments: Value) -> Client {
        let mut client = Client::initialized();
        client.ask("launch", arguments);
        client.event("initialized");
        client.ask("setExceptionBreakpoints", json!({ "filters": ["error"] }));
        client
    }

    /// Launches a shader, and stops at its start.
    pub fn at_start(mut arguments: Value) -> Client {
        arguments["stopOnEntry"] = json!(true);
        let mut client = Client::launched(arguments);
        client.ask("configurationDone", Value::Null);
        assert_eq!(client.stopped()["reason"], "entry");
        client
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("is open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the adapter reads");
    }

    pub fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.send_bytes(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    /// Sends a request; returns its number.
    pub fn request(&mut self, command: &str, arguments: Value) -> i64 {
        self.next += 1;
        let seq = self.next;
        self.send(&json!({ "seq": seq, "type": "request", "command": command, "arguments": arguments }));
        seq
    }

    /// The answer to a request.
    pub fn answer(&mut self, seq: i64) -> Value {
        self.until(|message| message["type"] == "response" && message["request_seq"] == seq)
    }

    /// The body of the answer to a request.
    pub fn ask(&mut self, command: &str, arguments: Value) -> Value {
        let seq = self.request(command, arguments);
        let answer = self.answer(seq);
        assert_eq!(answer["success"], true, "{answer}");
        assert_eq!(answer["command"], command);
        answer["body"].clone()
    }

    /// Why a request fails.
    pub fn refused(&mut self, command: &str, arguments: Value) -> String {
        let seq = self.request(command, arguments);
        let answer = self.answer(seq);
        assert_eq!(answer["success"], false, "{answer}");
        assert_eq!(answer["body"]["error"]["format"], answer["message"], "{answer}");
        answer["message"].as_str().expect("a text").to_owned()
    }

    /// The next message that is of interest; others are kept.
    pub fn until(&mut self, is: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.kept.iter().position(&is) {
            return self.kept.remove(at).expect("is there");
        }
        let begin = Instant::now();
        loop {
            match self.messages.recv_timeout(PATIENCE.saturating_sub(begin.elapsed())) {
                Ok(message) if is(&message) => return message,
                Ok(message) => self.kept.push_back(message),
                Err(RecvTimeoutError::Timeout) => panic!("nothing came; there were {:#?}", self.kept),
                Err(RecvTimeoutError::Disconnected) => panic!("the adapter has ended; there were {:#?}", self.kept),
            }
        }
    }

    /// The body of the next event of a name.
    pub fn event(&mut self, name: &str) -> Value {
        self.until(|message| message["type"] == "event" && message["event"] == name)["body"].clone()
    }

    /// The body of the next stop.
    pub fn stopped(&mut self) -> Value {
        let body = self.event("stopped");
        assert_eq!(body["allThreadsStopped"], true);
        body
    }

    /// The text of the console that contains something.
    pub fn output(&mut self, part: &str) -> String {
        let text = |message: &Value| message["body"]["output"].as_str().unwrap_or_default().to_owned();
        let message = self.until(|message| message["event"] == "output" && text(message).contains(part));
        text(&message)
    }

    /// Begins the run; returns where it stops first.
    pub fn run(&mut self) -> Value {
        self.ask("configurationDone", Value::Null);
        self.stopped()
    }

    /// Moves a thread; returns where it stops.
    pub fn go(&mut self, command: &str, thread: i64) -> Value {
        self.ask(command, json!({ "threadId": thread }));
        self.stopped()
    }

    /// The same by an instruction.
    pub fn step_instruction(&mut self, command: &str, thread: i64) -> Value {
        self.ask(command, json!({ "threadId": thread, "granularity": "instruction" }));
        self.stopped()
    }

    /// The frames of a thread.
    pub fn frames(&mut self, thread: i64) -> Vec<Value> {
        let body = self.ask("stackTrace", json!({ "threadId": thread }));
        let frames = body["stackFrames"].as_array().expect("frames").clone();
        assert_eq!(body["totalFrames"], frames.len());
        frames
    }

    /// The line of the innermost frame.
    pub fn line(&mut self, thread: i64) -> u64 {
        self.frames(thread)[0]["line"].as_u64().expect("a line")
    }

    /// The variables of a scope of a frame.
    pub fn scope(&mut self, frame: &Value, name: &str) -> Vec<Value> {
        let scopes = self.ask("scopes", json!({ "frameId": frame["id"] }));
        let scopes = scopes["scopes"].as_array().expect("scopes");
        let Some(scope) = scopes.iter().find(|scope| scope["name"] == name) else { return Vec::new() };
        let rows = self.variables(json!({ "variablesReference": scope["variablesReference"] }));
        assert_eq!(scope["namedVariables"], rows.len());
        rows
    }

    pub fn variables(&mut self, arguments: Value) -> Vec<Value> {
        self.ask("variables", arguments)["variables"].as_array().expect("variables").clone()
    }

    /// The text of an expression in the chosen lane.
    pub fn evaluate(&mut self, expression: &str) -> String {
        let body = self.ask("evaluate", json!({ "expression": expression, "context": "watch" }));
        body["result"].as_str().expect("a text").to_owned()
    }

    /// Sets breakpoints of a file: each line with more members.
    pub fn set_breakpoints(&mut self, path: &Path, asked: Value) -> Vec<Value> {
        let body = self.ask("setBreakpoints", json!({ "source": { "path": path }, "breakpoints": asked }));
        body["breakpoints"].as_array().expect("a list").clone()
    }

    /// Ends the session as an editor does.
    pub fn disconnect(mut self) {
        self.ask("disconnect", json!({ "terminateDebuggee": true }));
        assert_eq!(self.ended().code(), Some(0));
    }

    /// Waits for the end of the process.
    pub fn ended(&mut self) -> ExitStatus {
        let begin = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("can be asked") {
                return status;
            }
            assert!(begin.elapsed() < PATIENCE, "the adapter does not end");
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
