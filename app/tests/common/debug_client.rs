//! A client of `lanescope dap`, as an editor is one.

use std::ops::{Deref, DerefMut};
use std::path::Path;

use lanescope_testing::framed::Framed;
use serde_json::{Value, json};

use super::lanescope;

/// An editor with one adapter.
pub struct Client {
    adapter: Framed,
    next: i64,
}

impl Deref for Client {
    type Target = Framed;

    fn deref(&self) -> &Framed {
        &self.adapter
    }
}

impl DerefMut for Client {
    fn deref_mut(&mut self) -> &mut Framed {
        &mut self.adapter
    }
}

impl Client {
    /// Starts an adapter.
    pub fn begin() -> Client {
        let mut command = lanescope();
        command.arg("dap");
        Client { adapter: Framed::start(command), next: 0 }
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
}
