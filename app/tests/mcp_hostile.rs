//! `lanescope mcp` with clients that do not keep to the protocol, with arguments that are none, and with shaders that do
//! not end.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::mcp_client::{Client, PATIENCE};
use crate::common::{file, samples};

/// A loop that never ends.
const ENDLESS: &str = "#version 460\nlayout(local_size_x = 8) in;\nlayout(set = 0, binding = 0) buffer B { uint x; } b;\n\
                       void main() {\n    uint i = 0;\n    do {\n        i += 1;\n        b.x = i;\n    } while (i == b.x || i >= 0);\n}\n";

#[test]
fn what_is_not_a_message_is_answered_and_the_server_goes_on() {
    let mut client = Client::initialized(&samples(), &[]);
    for (line, code) in [
        (&b"{\"jsonrpc\":\n"[..], -32700),
        (b"\xff\xfe\x00\x1b\n", -32700),
        (b"{\"\x1b[2J\":\n", -32700),
        (b"[1, 2]\n", -32600),
        (b"\"text\"\n", -32600),
        (b"{\"jsonrpc\":\"1.0\",\"id\":null,\"method\":\"ping\"}\n", -32600),
    ] {
        client.send_bytes(line);
        let answer = client.answer(&Value::Null);
        assert_eq!(answer["error"]["code"], code, "{answer}");
        assert!(!answer.to_string().contains("\\u001b[2J"));
    }
    // Empty lines are nothing, and an answer to what was never asked is passed over.
    client.send_bytes(b"\n  \n");
    client.send(&json!({ "jsonrpc": "2.0", "id": 99, "result": {} }));
    // Longer than a message may be.
    let chunk = vec![b' '; 1 << 20];
    for _ in 0..65 {
        client.send_bytes(&chunk);
    }
    client.send_bytes(b"{}\n");
    let answer = client.answer(&Value::Null);
    assert!(answer["error"]["message"].as_str().is_some_and(|text| text.contains("the limit is 64 MiB")), "{answer}");
    for method in ["tools/lst", "prompts/list", "\u{1b}[2J", ""] {
        let error = client.refused(method, json!({}));
        assert_eq!(error["code"], -32601, "{method}: {error}");
    }
    assert_eq!(client.ask("ping", json!({})), json!({}));
    client.close();
}

#[test]
fn a_request_before_the_first_one_is_refused_and_the_server_goes_on() {
    let mut client = Client::begin(&samples(), &[]);
    let error = client.refused("tools/list", json!({}));
    assert!(error["code"].is_i64(), "{error}");
    let params =
        json!({ "protocolVersion": "1999-01-01", "capabilities": {}, "clientInfo": { "name": "x", "version": "1" } });
    let version = client.ask("initialize", params)["protocolVersion"].clone();
    assert!(version.as_str().is_some_and(|text| text.starts_with("20")), "{version}");
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    assert_eq!(client.ask("tools/list", json!({}))["tools"].as_array().map(Vec::len), Some(10));
    client.close();
}

#[test]
fn arguments_that_are_none_are_named_with_the_nearest() {
    let mut client = Client::initialized(&samples(), &[]);
    for (tool, arguments, why) in [
        ("open", json!({ "fils": ["race.comp"] }), "`fils` is not an argument of `open`; did you mean `files`?"),
        ("inspect", json!({ "files": ["race.comp"], "reconfg": true }), "did you mean `reconfig`?"),
        ("inspect", json!({ "files": ["race.comp"], "\u{1b}[2J": true }), "is not an argument of `inspect`"),
        ("inspect", json!({}), "`files` is missing"),
        ("inspect", json!({ "files": [] }), "`files` is missing"),
        ("inspect", json!({ "files": { "a": 1 } }), "`files`: expected a text"),
        ("inspect", json!({ "files": ["race.comp"], "reconfig": "yes" }), "`reconfig`: expected true or false"),
        ("inspect", json!({ "files": ["race.comp"], "wave": "48" }), "'48'"),
        ("inspect", json!({ "files": ["race.comp"], "target": "gfx9999" }), "gfx9999"),
        ("inspect", json!({ "files": ["race.comp"], "limit": 0 }), "`limit` is 0"),
        ("inspect", json!({ "files": ["race.comp"], "offset": -1 }), "`offset`: expected a number"),
        ("inspect", json!({ "files": ["race.comp"], "part": "packing" }), "expected a JSON pointer"),
        ("inspect", json!({ "files": ["race.comp"], "format": "json" }), "`format` cannot be used"),
        ("inspect", json!({ "files": ["race.comp"], "timeout": 99999 }), "`timeout` cannot be used"),
        ("inspect", json!({ "files": ["race.comp"], "validator": "/bin/sh" }), "it names a program to start"),
        ("isa", json!({ "files": ["race.comp"], "icd": "x.json" }), "it names a library to load"),
        ("inspect", json!({ "files": ["race.comp"], "read_within": "/" }), "is not an argument"),
        ("inspect", json!({ "files": ["missing.comp"] }), "missing.comp"),
        ("why", json!({ "files": ["race.comp"] }), "expected exactly one of"),
        ("why", json!({ "files": ["race.comp"], "lane": "0.1", "slot": 1 }), "expected exactly one of"),
        ("why", json!({ "files": ["race.comp"], "lane": "9.9" }), "lane 9 of wave 9 has no invocation"),
        ("why", json!({ "files": ["race.comp"], "lane": "0.99" }), "a wave has 64 lanes"),
        ("why", json!({ "files": ["race.comp"], "invocation": "1,2" }), "expected X,Y,Z"),
        ("why", json!({ "files": ["race.comp"], "register": "COMPUTE_NUM_TREAD_X" }), "COMPUTE_NUM_THREAD_X"),
        ("why", json!({ "files": ["race.comp"], "field": "X" }), "`field` needs `register`"),
        ("why", json!({ "files": ["race.comp"], "node": "A" }), "no work graph"),
        ("why", json!({ "files": ["lit_surface.frag"], "varying": "texcoords" }), "the varyings are texcoord"),
        ("compare", json!({ "left": ["race.comp"] }), "`right` is missing"),
        ("compare", json!({ "left": ["a,b"], "right": ["race.comp"] }), "a name with a comma"),
        ("reduce", json!({ "files": ["race.comp"], "output": "x" }), "`while` is missing"),
        ("debug_step", json!({ "files": ["race.comp"], "commands": "jump 3" }), "jump"),
        ("doctor", json!({ "files": ["race.comp"] }), "is not an argument of `doctor`"),
    ] {
        let text = client.fails(tool, arguments.clone());
        assert!(text.contains(why), "{tool} {arguments}: {text}");
        assert!(!text.contains("Usage"), "{text}");
    }
    let error = client.refused("tools/call", json!({ "name": "delete", "arguments": {} }));
    assert!(error["message"].as_str().is_some_and(|text| text.contains("the tools are open, inspect")), "{error}");
    client.close();
}

/// Processes that a server started and that still run.
fn children(parent: u32) -> Vec<u32> {
    let of = |entry: std::fs::DirEntry| {
        let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
        let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        let rest = stat.rsplit_once(')')?.1;
        let mut fields = rest.split_whitespace();
        let (state, ppid) = (fields.next()?, fields.next()?.parse::<u32>().ok()?);
        (ppid == parent && state != "Z").then_some(pid)
    };
    std::fs::read_dir("/proc").expect("is there").flatten().filter_map(of).collect()
}

fn runs(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

fn until(what: &str, is: impl Fn() -> bool) {
    let begin = Instant::now();
    while !is() {
        assert!(begin.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A server with a call that does not end, and the processes of the call.
fn endless(client: &mut Client) -> (i64, Vec<u32>) {
    let arguments = json!({ "files": ["endless.comp"], "max_steps": 1_000_000_000_000_u64 });
    let id = client.request("tools/call", json!({ "name": "debug_step", "arguments": arguments }));
    let server = client.child.id();
    until("no call is carried out", || !children(server).is_empty());
    // The process that loads is below that of the call.
    let own = children(server);
    until("nothing is loaded", || own.iter().any(|pid| !children(*pid).is_empty()));
    let below: Vec<u32> = own.iter().flat_map(|pid| children(*pid)).collect();
    (id, own.into_iter().chain(below).collect())
}

#[test]
fn a_client_that_disappears_leaves_no_process() {
    let (folder, _) = file("endless.comp", ENDLESS);
    let mut client = Client::initialized(folder.path(), &[]);
    let (_, processes) = endless(&mut client);
    client.stdin = None;
    assert_eq!(client.ended().code(), Some(0));
    until("a process goes on", || !processes.iter().any(|pid| runs(*pid)));
    // Killed without a word.
    let mut client = Client::initialized(folder.path(), &[]);
    let (_, processes) = endless(&mut client);
    client.child.kill().expect("runs");
    client.ended();
    until("a process goes on", || !processes.iter().any(|pid| runs(*pid)));
}

#[test]
fn a_cancelled_call_ends_and_others_are_answered_meanwhile() {
    let (folder, _) = file("endless.comp", ENDLESS);
    let mut client = Client::initialized(folder.path(), &[]);
    let (id, processes) = endless(&mut client);
    assert_eq!(client.call("open", json!({ "files": ["endless.comp"] }))["status"], "ok");
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } }));
    until("a process goes on", || !processes.iter().any(|pid| runs(*pid)));
    assert_eq!(client.ask("ping", json!({})), json!({}));
    client.close();
}

#[test]
fn limits_of_the_command_line_end_a_call_and_the_server_goes_on() {
    let (folder, _) = file("endless.comp", ENDLESS);
    let mut client = Client::initialized(folder.path(), &["--timeout", "2"]);
    let arguments = json!({ "files": ["endless.comp"], "max_steps": 1_000_000_000_000_u64 });
    let why = client.fails("debug_step", arguments);
    assert!(why.contains("not finished within 2.0 s, the limit"), "{why}");
    let steps = client.call("debug_step", json!({ "files": ["endless.comp"], "max_steps": 5000 }));
    assert!(steps["text"].as_str().is_some_and(|text| text.contains("limit of steps: 5000")), "{steps}");
    let why = client.fails("run", json!({ "files": ["endless.comp"], "original_only": true }));
    assert!(why.contains("within 2000 ms"), "{why}");
    assert_eq!(client.call("open", json!({ "files": ["endless.comp"] }))["status"], "ok");
    client.close();
}

#[test]
fn a_folder_that_is_not_one_is_refused_at_the_start() {
    let (_folder, path) = file("a.comp", ENDLESS);
    for flags in [["--root".to_owned(), path.display().to_string()], ["-I".to_owned(), "/nowhere".to_owned()]] {
        let output = crate::common::lanescope().arg("mcp").args(&flags).output().expect("starts");
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
    }
}
