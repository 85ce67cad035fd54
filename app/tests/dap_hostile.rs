//! `lanescope dap` with clients that do not keep to the protocol, and shaders that do not end.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::debug_client::Client;
use crate::common::{file, samples};
use lanescope_testing::framed::PATIENCE;

/// A loop that never ends.
const ENDLESS: &str = "#version 460\nlayout(local_size_x = 8) in;\nlayout(set = 0, binding = 0) buffer B { uint x; } b;\n\
                       void main() {\n    uint i = 0;\n    do {\n        i += 1;\n        b.x = i;\n    } while (i == b.x || i >= 0);\n}\n";

#[test]
fn a_shader_that_runs_can_be_paused_and_everything_is_answered() {
    let (_folder, path) = file("endless.comp", ENDLESS);
    let path = path.canonicalize().expect("is there");
    let mut client = Client::launched(json!({ "program": path, "maxSteps": 1_000_000_000_000_u64 }));
    client.ask("setExceptionBreakpoints", json!({ "filters": [] }));
    client.ask("configurationDone", Value::Null);
    // Answers come while it runs.
    assert_eq!(client.ask("threads", Value::Null)["threads"].as_array().map(Vec::len), Some(8));
    for command in ["stackTrace", "continue", "stepBack"] {
        let why = client.refused(command, json!({ "threadId": 1 }));
        assert!(why.contains("the shader is running"), "{why}");
    }
    client.ask("pause", json!({ "threadId": 1 }));
    let stop = client.stopped();
    assert_eq!((&stop["reason"], &stop["description"]), (&json!("pause"), &json!("interrupted")));
    let i: u64 = client.evaluate("i").parse().expect("a number");
    assert!(i > 0);
    // A breakpoint that is set while it runs is hit.
    client.ask("continue", json!({ "threadId": 1 }));
    let set = client.set_breakpoints(&path, json!([{ "line": 8 }]));
    let stop = client.stopped();
    assert_eq!(stop["hitBreakpointIds"], json!([set[0]["id"]]));
    client.set_breakpoints(&path, json!([]));
    // A step that does not end, interrupted by other requests, is paused, too.
    client.ask("stepOut", json!({ "threadId": 1 }));
    for _ in 0..20 {
        client.ask("threads", Value::Null);
    }
    client.ask("pause", json!({ "threadId": 1 }));
    assert_eq!(client.stopped()["reason"], "pause");
    // The way back is long, and can be stopped.
    client.ask("reverseContinue", json!({ "threadId": 1 }));
    client.ask("pause", json!({ "threadId": 1 }));
    let back = client.stopped();
    assert!(back["reason"] == "pause" || back["reason"] == "entry", "{back}");
    // It ends while it runs.
    client.ask("continue", json!({ "threadId": 1 }));
    client.disconnect();
}

#[test]
fn a_command_has_a_time_limit_and_the_session_goes_on() {
    let (_folder, path) = file("endless.comp", ENDLESS);
    let arguments = json!({ "program": path, "maxSteps": 1_000_000_000_000_u64, "timeout": 1 });
    let mut client = Client::launched(arguments);
    client.ask("setExceptionBreakpoints", json!({ "filters": [] }));
    let stop = client.run();
    assert_eq!(stop["reason"], "pause");
    assert!(stop["description"].as_str().is_some_and(|text| text.contains("not finished within 1.0 s")), "{stop}");
    client.output("`timeout` sets another");
    assert_eq!(client.step_instruction("stepIn", 1)["reason"], "step");
    client.disconnect();
    // A shader that reaches its limit of steps is at an end.
    let mut client = Client::launched(json!({ "program": path, "maxSteps": 5000 }));
    client.ask("setExceptionBreakpoints", json!({ "filters": [] }));
    let stop = client.run();
    assert_eq!((&stop["reason"], &stop["description"]), (&json!("end"), &json!("limit of steps: 5000")));
    client.disconnect();
}

#[test]
fn messages_that_are_not_requests_are_reported_and_the_adapter_goes_on() {
    let mut client = Client::begin();
    let why = client.refused("threads", Value::Null);
    assert!(why.contains("the first request must be `initialize`"), "{why}");
    for (body, why) in [
        (&b"{\"type\":\"r"[..], "not JSON"),
        (b"[]", "expected a `type`"),
        (br#"{"seq":"x","type":"request","command":"next"}"#, "not a request"),
        (b"\xff\xfe\x00\x1b", "not JSON"),
    ] {
        client.send_bytes(format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes());
        client.send_bytes(body);
        let text = client.output("a message was ignored");
        assert!(text.contains(why) && !text.contains('\u{1b}'), "{text}");
    }
    // An answer to a request that was never sent is passed over.
    client.send(&json!({ "seq": 9, "type": "response", "request_seq": 4, "success": true, "command": "x" }));
    // Longer than a message may be.
    let long = (64 << 20) + 1;
    client.send_bytes(format!("Content-Length: {long}\r\n\r\n").as_bytes());
    for _ in 0..64 {
        client.send_bytes(&vec![b' '; 1 << 20]);
    }
    client.send_bytes(b" ");
    assert!(client.output("a message was ignored").contains("the limit is 64 MiB"));
    client.ask("initialize", json!({ "adapterID": "lanescope" }));
    assert!(client.refused("initialize", Value::Null).contains("requested before"));
    client.disconnect();
}

#[test]
fn requests_in_another_order_are_refused() {
    let path = samples().join("race.comp").canonicalize().expect("a sample");
    let mut client = Client::initialized();
    for command in
        ["stackTrace", "variables", "setBreakpoints", "threads", "configurationDone", "evaluate", "disassemble"]
    {
        let why = client.refused(command, Value::Null);
        assert!(why.contains("no shader is launched"), "{why}");
    }
    for command in ["attach", "goto", "setVariable", "\u{1b}[2J", ""] {
        let why = client.refused(command, Value::Null);
        assert!(why.contains("is not a request that this adapter has") && !why.contains('\u{1b}'), "{why}");
    }
    client.ask("pause", json!({ "threadId": 1 }));
    client.ask("launch", json!({ "program": path }));
    client.event("initialized");
    assert!(client.refused("launch", json!({ "program": path })).contains("launched already"));
    assert!(client.refused("continue", json!({ "threadId": 1 })).contains("`configurationDone` is expected first"));
    client.ask("configurationDone", Value::Null);
    client.stopped();
    assert!(client.refused("configurationDone", Value::Null).contains("requested before"));
    for (command, arguments, why) in [
        ("stackTrace", json!({}), "`threadId` is missing"),
        ("stackTrace", json!({ "threadId": "one" }), "invalid arguments"),
        ("stackTrace", json!([1, 2]), "invalid"),
        ("stackTrace", json!({ "threadId": i64::MIN }), "no lane"),
        ("stackTrace", json!({ "threadId": i64::MAX }), "no lane"),
        ("scopes", json!({ "frameId": i64::MIN }), "no frame"),
        ("scopes", json!({ "frameId": 4097 }), "no frame"),
        ("variables", json!({ "variablesReference": -1 }), "no reference"),
        ("variables", json!({ "variablesReference": 1, "start": -1 }), "invalid arguments"),
        ("evaluate", json!({ "expression": "" }), "no variable"),
        ("evaluate", json!({ "expression": "%99999" }), "no variable"),
        ("evaluate", json!({ "expression": "i", "frameId": 7 }), "no frame"),
        ("disassemble", json!({ "memoryReference": "x", "instructionCount": 1 }), "invalid address"),
        ("disassemble", json!({ "memoryReference": "0x0", "instructionCount": u64::MAX }), "at most"),
        ("exceptionInfo", json!({ "threadId": 1 }), "did not stop at a finding"),
        ("lanescope/heatMap", json!({ "expression": "missing" }), "no variable"),
        ("setBreakpoints", json!({ "source": { "path": 3 } }), "invalid arguments"),
        ("setDataBreakpoints", json!({ "breakpoints": [3] }), "invalid arguments"),
    ] {
        let found = client.refused(command, arguments.clone());
        assert!(found.contains(why), "{command} {arguments}: {found}");
    }
    // As many breakpoints as fit into a message: those beyond the limit are refused, and the adapter still answers.
    let many: Vec<Value> = (0..200_000).map(|_| json!({ "line": 13 })).collect();
    let set = client.ask("setBreakpoints", json!({ "source": { "path": path }, "breakpoints": many }));
    let set = set["breakpoints"].as_array().expect("a list");
    assert_eq!((set.len(), &set[1023]["verified"], &set[1024]["verified"]), (200_000, &json!(true), &json!(false)));
    client.ask("setBreakpoints", json!({ "source": { "path": path }, "breakpoints": [] }));
    let far = client.ask("stackTrace", json!({ "threadId": 1, "startFrame": 1_000_000, "levels": 1_000_000 }));
    assert_eq!(far["stackFrames"], json!([]));
    client.disconnect();
}

#[test]
fn a_client_that_goes_ends_the_adapter_and_what_it_runs() {
    // While the shader runs.
    let (_folder, path) = file("endless.comp", ENDLESS);
    let mut client = Client::launched(json!({ "program": path, "maxSteps": 1_000_000_000_000_u64 }));
    client.ask("setExceptionBreakpoints", json!({ "filters": [] }));
    client.ask("configurationDone", Value::Null);
    client.stdin.take();
    assert_eq!(client.ended().code(), Some(1));
    // In the midst of a message.
    let mut client = Client::initialized();
    client.send_bytes(b"Content-Length: 100\r\n\r\n{");
    client.stdin.take();
    assert_eq!(client.ended().code(), Some(1));
    // After a header that is not one: where the next message would begin is unknown.
    let mut client = Client::initialized();
    client.send_bytes(b"GET / HTTP/1.1\r\n\r\n");
    client.output("is not a header field");
    assert_eq!(client.ended().code(), Some(1));
    // While a file is loaded in a child process.
    let mut client = Client::initialized();
    client.request("launch", json!({ "program": samples().join("tiled_blur.foz") }));
    let begin = Instant::now();
    let workers = loop {
        let workers = children(client.child.id());
        if !workers.is_empty() || begin.elapsed() > Duration::from_secs(5) {
            break workers;
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    client.stdin.take();
    assert_eq!(client.ended().code(), Some(1));
    let begin = Instant::now();
    while workers.iter().any(|id| Path::new(&format!("/proc/{id}")).exists()) {
        assert!(begin.elapsed() < PATIENCE, "the child process does not end");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The child processes of a process.
fn children(id: u32) -> Vec<u32> {
    let tasks = std::fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
    let all = tasks.map(|task| std::fs::read_to_string(task.path().join("children")).unwrap_or_default());
    all.flat_map(|text| text.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>()).collect()
}

#[test]
fn a_session_that_needs_too_much_memory_ends_with_a_message() {
    // The registers alone fit into half of the memory; together with an earlier state they do not fit into all of it.
    let (_folder, path) = file(
        "array.comp",
        "#version 460\nlayout(local_size_x = 64) in;\nlayout(set = 0, binding = 0) buffer B { uint x[]; } b;\nvoid main() {\n    \
         uint a[60000];\n    uint at = gl_LocalInvocationIndex;\n    \
         for (uint i = 0; i >= 0; ++i) {\n        a[i % 60000] = i;\n    }\n    b.x[at] = a[at];\n}\n",
    );
    let mut client = Client::initialized();
    client.request("launch", json!({ "program": path, "memory": "64M", "maxSteps": 1_000_000_000_000_u64 }));
    client.request("configurationDone", Value::Null);
    assert!(client.output("more memory than 64 MiB").contains("--memory sets another"));
    assert_eq!(client.event("exited")["exitCode"], 2);
    client.event("terminated");
    assert_eq!(client.ended().code(), Some(2));
}
