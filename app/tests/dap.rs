//! `lanescope dap`, driven as an editor drives it: stepping, breakpoints, lanes, values.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::common::debug_client::Client;
use crate::common::{file, outcome, samples};

fn sample(name: &str) -> PathBuf {
    samples().join(name).canonicalize().expect("a sample")
}

/// What commands of `lanescope debug` print, as JSON.
fn debugged(arguments: &[&str], commands: &str) -> Value {
    let flags = ["--format", "json", "--commands", commands];
    let (_, stdout, stderr) = outcome(["debug"].iter().chain(arguments).chain(&flags));
    serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stderr}"))
}

/// Names and values of variables, as `info locals` lists them.
fn locals(debugged: &Value) -> Vec<(String, String, String)> {
    let commands = debugged["commands"].as_array().expect("commands");
    let rows = commands.iter().rev().find_map(|done| done["locals"].as_array()).expect("variables");
    rows.iter().map(|row| (text(&row["name"]), text(&row["type"]), text(&row["value"]))).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value}")).to_owned()
}

/// Names, types and values in all scopes of registers.
fn all_locals(client: &mut Client, thread: i64) -> Vec<(String, String, String)> {
    let frame = client.frames(thread)[0].clone();
    let mut out = Vec::new();
    for scope in ["Locals", "Inputs", "Built-ins", "Outputs", "Module variables"] {
        let rows = client.scope(&frame, scope);
        out.extend(rows.iter().map(|row| (text(&row["name"]), text(&row["type"]), text(&row["value"]))));
    }
    out.sort();
    out
}

#[test]
fn a_compute_shader_is_stepped_forwards_and_backwards() {
    let path = sample("race.comp");
    let mut client = Client::launched(json!({ "program": path }));
    let set = client.set_breakpoints(&path, json!([{ "line": 13 }]));
    assert!(set[0]["verified"] == true && set[0]["line"] == 13, "{set:?}");
    let stop = client.run();
    assert_eq!((&stop["reason"], &stop["hitBreakpointIds"]), (&json!("breakpoint"), &json!([set[0]["id"]])));
    assert_eq!(stop["description"], "breakpoint 1: race.comp:13");
    let thread = stop["threadId"].as_i64().expect("a thread");
    let frames = client.frames(thread);
    assert_eq!((&frames[0]["name"], &frames[0]["line"]), (&json!("main"), &json!(13)));
    assert_eq!(frames[0]["source"]["path"], path.to_string_lossy().as_ref());
    // The same values as on the command line.
    let same = debugged(
        &[&path.to_string_lossy()],
        "break race.comp:13; continue; info locals; print i; print values; print values[3]; print sums",
    );
    let mut expected = locals(&same);
    expected.sort();
    assert_eq!(all_locals(&mut client, thread), expected);
    for done in same["commands"].as_array().expect("commands") {
        if let Some(name) = done["value"]["name"].as_str() {
            assert_eq!(client.evaluate(name), text(&done["value"]["value"]), "{name}");
        }
    }
    assert_eq!(client.evaluate("values[99]"), "no value: an index is out of bounds");
    assert!(client.refused("evaluate", json!({ "expression": "missing" })).contains("no variable `missing`"));
    // Back by a line, and to the start.
    assert_eq!(client.go("stepBack", thread)["reason"], "step");
    assert_eq!(client.line(thread), 11);
    let start = client.go("reverseContinue", thread);
    assert_eq!((&start["reason"], &start["description"]), (&json!("entry"), &json!("start of the run")));
    assert_eq!(client.line(thread), 9);
    assert_eq!(client.go("next", thread)["reason"], "step");
    assert_eq!(client.line(thread), 10);
    // The race stops the run, at the instruction after it.
    client.set_breakpoints(&path, json!([]));
    let race = client.go("continue", thread);
    assert_eq!((&race["reason"], &race["description"]), (&json!("exception"), &json!("finding E001")));
    assert!(text(&race["text"]).starts_with("error E001"), "{race}");
    let info = client.ask("exceptionInfo", json!({ "threadId": race["threadId"] }));
    assert_eq!((&info["exceptionId"], &info["breakMode"]), (&json!("E001"), &json!("always")));
    assert!(client.output("E001").contains("race.comp:13"));
    // The end is a stop, too: values are those at the end.
    let end = client.go("continue", thread);
    assert_eq!((&end["reason"], &end["description"]), (&json!("end"), &json!("end of the run")));
    let same = debugged(&[&path.to_string_lossy()], "continue; print sums");
    assert_eq!(client.evaluate("sums"), text(&same["commands"][1]["value"]["value"]));
    client.ask("continue", json!({ "threadId": thread }));
    assert_eq!(client.event("exited")["exitCode"], 1, "a race is an error");
    client.event("terminated");
    assert!(client.refused("threads", Value::Null).contains("the session is over"));
    client.disconnect();
}

#[test]
fn values_are_those_of_the_command_line_after_every_step() {
    let path = sample("tile_16x16.comp");
    let line = path.to_string_lossy().into_owned();
    let mut client = Client::at_start(json!({ "program": path, "lane": "1.5", "seed": 3 }));
    let thread = 64 + 5 + 1;
    for step in 1..=12 {
        let stop = client.step_instruction("stepIn", thread);
        assert_eq!((&stop["reason"], &stop["threadId"]), (&json!("step"), &json!(thread)));
        if step % 4 != 0 {
            continue;
        }
        let flags = [&line, "--lane", "1.5", "--seed", "3"];
        let same = debugged(&flags, &format!("stepi {step}; info locals; print tile[0]; lanes at[0]"));
        let mut expected = locals(&same);
        expected.sort();
        assert_eq!(all_locals(&mut client, thread), expected, "step {step}");
        assert_eq!(client.evaluate("tile[0]"), text(&same["commands"][2]["value"]["value"]));
        // The heat map has the values of all lanes.
        let map = client.ask("lanescope/heatMap", json!({ "expression": "at[0]" }));
        assert_eq!(map["size"], json!([16, 16, 1]));
        for cell in map["lanes"].as_array().expect("lanes") {
            let [wave, lane] = ["wave", "lane"].map(|name| cell[name].as_u64().expect("a number") as usize);
            assert_eq!(cell["value"], same["commands"][3]["lanes"]["values"][wave][lane]);
            let position = lane + 64 * wave;
            assert_eq!(cell["position"], json!([position % 16, position / 16, 0]));
        }
    }
    client.disconnect();
}

#[test]
fn breakpoints_move_have_conditions_and_count_hits() {
    let (_folder, path) = file(
        "loop.comp",
        "#version 460\nlayout(local_size_x = 4) in;\nlayout(set = 0, binding = 0) buffer B { uint x[4]; } b;\n\n\
         void main() {\n    uint i = 0;\n    // Nothing is here.\n    for (i = 0; i < 10; ++i) {\n        \
         b.x[gl_LocalInvocationIndex] += i;\n    }\n}\n",
    );
    let path = path.canonicalize().expect("is there");
    let mut client = Client::launched(json!({ "program": path, "zeros": true }));
    let set = client.set_breakpoints(
        &path,
        json!([{ "line": 7 }, { "line": 99 }, { "line": 9, "condition": "i == 3" }, { "line": 9, "condition": "i +" },
               { "line": 9, "hitCondition": "% 2" }]),
    );
    assert_eq!((&set[0]["verified"], &set[0]["line"]), (&json!(true), &json!(8)), "moved to the next line with code");
    assert_eq!(set[1], json!({ "verified": false, "message": "no instruction is there, nor after it" }));
    assert_eq!(set[2]["verified"], true);
    assert!(text(&set[3]["message"]).contains("expected a comparison"), "{set:?}");
    assert!(text(&set[4]["message"]).contains("hit condition `% 2`"), "{set:?}");
    let elsewhere = client.set_breakpoints(Path::new("/nowhere/other.comp"), json!([{ "line": 1 }]));
    assert!(text(&elsewhere[0]["message"]).contains("no instruction of this shader is from /nowhere"), "{elsewhere:?}");
    let places = client.ask("breakpointLocations", json!({ "source": { "path": path }, "line": 6, "endLine": 9 }));
    assert_eq!(places["breakpoints"], json!([{ "line": 6 }, { "line": 8 }, { "line": 9 }]));
    client.run();
    assert_eq!(client.line(1), 8);
    let set = client.set_breakpoints(&path, json!([{ "line": 9, "condition": "i == 3" }]));
    assert_eq!(client.go("continue", 1)["hitBreakpointIds"], json!([set[0]["id"]]));
    assert_eq!(client.evaluate("i"), "3");
    assert_eq!(client.evaluate("b[0][0]"), "3", "0 + 1 + 2");
    // From the second hit on; the first request's breakpoints are gone.
    client.set_breakpoints(&path, json!([{ "line": 9, "hitCondition": "2" }]));
    client.go("continue", 1);
    assert_eq!(client.evaluate("i"), "5");
    // Messages instead of stops.
    client.set_breakpoints(&path, json!([{ "line": 9, "logMessage": "i is {i}, x[0] {b[0][0]}" }]));
    assert_eq!(client.go("continue", 1)["reason"], "end");
    for (i, sum) in [(6, 15), (7, 21), (8, 28), (9, 36)] {
        assert_eq!(client.output("i is"), format!("i is {i}, x[0] {sum}\n"));
    }
    // A breakpoint on the first line stops before anything has run.
    let mut client = Client::launched(json!({ "program": path }));
    client.set_breakpoints(&path, json!([{ "line": 6 }]));
    assert_eq!(client.run()["reason"], "breakpoint");
    assert_eq!(client.evaluate("i"), "unwritten");
    client.disconnect();
}

#[test]
fn breakpoints_are_at_functions_and_instructions_too() {
    let [vert, frag] = ["lit_surface.vert", "lit_surface.frag"].map(sample);
    let mut client = Client::launched(json!({ "program": [vert, frag], "pixel": [30, 20] }));
    let set = client.ask("setFunctionBreakpoints", json!({ "breakpoints": [{ "name": "lambert" }, { "name": "x" }] }));
    assert_eq!(set["breakpoints"][0]["verified"], true, "{set}");
    assert_eq!(set["breakpoints"][1], json!({ "verified": false, "message": "no function `x` runs" }));
    let stop = client.run();
    assert_eq!(stop["reason"], "function breakpoint");
    let thread = stop["threadId"].as_i64().expect("a thread");
    // The name of a lane says which fragment it is.
    let threads = client.ask("threads", Value::Null);
    let own = threads["threads"].as_array().expect("threads").iter().find(|row| row["id"] == thread).cloned();
    assert!(text(&own.expect("is listed")["name"]).contains("(pixel 30,20, triangle "), "{threads}");
    let frames = client.frames(thread);
    let names: Vec<String> = frames.iter().map(|frame| text(&frame["name"])).collect();
    assert!(names.len() == 2 && names[0].starts_with("lambert") && names[1] == "main", "{names:?}");
    assert_eq!(frames[0]["source"]["name"], "lighting.glsl");
    assert_eq!(frames[1]["source"]["path"], frag.to_string_lossy().as_ref());
    assert_eq!(frames[1]["line"], 18);
    // The values of the outer frame are its own.
    let base = client.ask("evaluate", json!({ "expression": "base", "frameId": frames[1]["id"], "context": "hover" }));
    let line = [vert, frag].map(|path| path.to_string_lossy().into_owned());
    let same = debugged(&[&line[0], &line[1], "--pixel", "30,20"], "break lit_surface.frag:18; continue; print base");
    assert_eq!(base["result"], same["commands"][2]["value"]["value"]);
    let inner = client.refused("evaluate", json!({ "expression": "base", "frameId": frames[0]["id"] }));
    assert!(inner.contains("no variable `base`"), "{inner}");
    client.go("stepOut", thread);
    assert_eq!(client.frames(thread).len(), 1);
    // The next instruction by its address.
    let address = client.frames(thread)[0]["instructionPointerReference"].clone();
    let rows = client
        .ask("disassemble", json!({ "memoryReference": address, "instructionOffset": -1, "instructionCount": 4 }));
    let rows = rows["instructions"].as_array().expect("instructions");
    assert_eq!((rows.len(), &rows[1]["address"]), (4, &address));
    assert!(text(&rows[1]["instruction"]).contains("Op"), "{rows:?}");
    let next = json!({ "instructionReference": address, "offset": 2 });
    let set = client.ask("setInstructionBreakpoints", json!({ "breakpoints": [next] }));
    assert_eq!(set["breakpoints"][0]["verified"], true, "{set}");
    assert_eq!(client.go("continue", thread)["reason"], "instruction breakpoint");
    let before = client.ask(
        "disassemble",
        json!({ "memoryReference": "0x100000000", "instructionOffset": -3, "instructionCount": 4 }),
    );
    let hints: Vec<bool> = before["instructions"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| row["presentationHint"] == "invalid")
        .collect();
    assert_eq!(hints, [true, true, true, false], "before the module there is nothing");
    client.disconnect();
}

#[test]
fn data_breakpoints_stop_at_changes_in_both_directions() {
    let path = sample("race.comp");
    let mut client = Client::launched(json!({ "program": path }));
    client.ask("setExceptionBreakpoints", json!({ "filters": [] }));
    client.set_breakpoints(&path, json!([{ "line": 11 }]));
    let thread = client.run()["threadId"].as_i64().expect("a thread");
    let frame = client.frames(thread)[0].clone();
    let values = client.scope(&frame, "Workgroup memory")[0].clone();
    let reference = values["variablesReference"].clone();
    let info = client.ask("dataBreakpointInfo", json!({ "variablesReference": reference, "name": "[4]" }));
    assert_eq!(info["description"], "values[4]");
    let own = client.ask("dataBreakpointInfo", json!({ "name": "i", "frameId": frame["id"] }));
    assert_eq!(own["description"], "i in wave 0 lane 0");
    for (name, why) in [("[99]", "no variable `[99]`"), ("x", "no variable `x`")] {
        let none = client.ask("dataBreakpointInfo", json!({ "variablesReference": reference, "name": name }));
        assert!(none["dataId"].is_null() && text(&none["description"]).contains(why), "{none}");
    }
    let asked = json!([{ "dataId": info["dataId"], "accessType": "write" }, { "dataId": "x" },
                       { "dataId": info["dataId"], "accessType": "read" }]);
    let set = client.ask("setDataBreakpoints", json!({ "breakpoints": asked }))["breakpoints"].clone();
    assert_eq!([&set[0]["verified"], &set[1]["verified"], &set[2]["verified"]], [true, false, false]);
    client.set_breakpoints(&path, json!([]));
    let stop = client.go("continue", thread);
    assert_eq!((&stop["reason"], &stop["hitBreakpointIds"]), (&json!("data breakpoint"), &json!([set[0]["id"]])));
    assert!(text(&stop["text"]).contains("unwritten to 9"), "{stop}");
    assert_eq!(client.evaluate("values[4]"), "9");
    assert_eq!(client.go("continue", thread)["reason"], "end");
    // Backwards it stops before the instruction that writes.
    let back = client.go("reverseContinue", thread);
    assert_eq!((&back["reason"], &back["hitBreakpointIds"]), (&json!("data breakpoint"), &json!([set[0]["id"]])));
    assert_eq!(client.evaluate("values[4]"), "unwritten");
    assert_eq!(client.line(thread), 11);
    client.step_instruction("stepIn", thread);
    assert_eq!(client.evaluate("values[4]"), "9");
    client.step_instruction("stepBack", thread);
    assert_eq!(client.go("reverseContinue", thread)["reason"], "entry");
    client.disconnect();
}

#[test]
fn lanes_are_threads_with_their_state() {
    let (_folder, path) = file(
        "two.comp",
        "#version 460\nlayout(local_size_x = 8, local_size_y = 16) in;\n\
         layout(set = 0, binding = 0) buffer B { uint x[]; } b;\nvoid main() {\n    \
         if (gl_LocalInvocationID.y == 9) {\n        b.x[0] = gl_LocalInvocationIndex;\n    }\n    b.x[1] = 2;\n}\n",
    );
    let path = path.canonicalize().expect("is there");
    let mut client = Client::launched(json!({ "program": path, "wave": 64 }));
    client.ask("setExceptionBreakpoints", json!({ "filters": [] }));
    client.set_breakpoints(&path, json!([{ "line": 6 }]));
    // The lanes are in the second wave: a breakpoint stops any.
    let stop = client.run();
    let thread = stop["threadId"].as_i64().expect("a thread");
    let threads = client.ask("threads", Value::Null)["threads"].as_array().expect("threads").clone();
    assert_eq!(threads.len(), 128);
    let name = |id: i64| text(&threads.iter().find(|row| row["id"] == id).expect("is listed")["name"]);
    assert_eq!(thread, 64 + 8 + 1, "the first lane that runs the line");
    assert_eq!(name(thread), "wave 1 lane 8 (invocation 0,9,0)");
    assert_eq!(name(thread - 1), "wave 1 lane 7 (invocation 7,8,0), inactive");
    assert_eq!(client.frames(thread - 1)[0]["name"], "main (lane is inactive)");
    assert_eq!(client.frames(thread)[0]["name"], "main");
    assert!(name(1).starts_with("wave 0 lane 0 (invocation 0,0,0)"));
    // Another lane is stepped once a client asks for it.
    assert_eq!(client.go("next", 1)["threadId"], 1);
    assert!(client.refused("next", json!({ "threadId": 0 })).contains("no lane has the thread number 0"));
    assert!(client.refused("stackTrace", json!({ "threadId": 1_000_000 })).contains("no lane"));
    client.disconnect();
    // A lane that was chosen stops only its own wave.
    let mut client = Client::launched(json!({ "program": path, "wave": 64, "lane": "0.0", "maxThreads": 70 }));
    assert!(client.output("listed as threads").starts_with("70 of 128 lanes"));
    client.ask("setExceptionBreakpoints", json!({ "filters": [] }));
    client.set_breakpoints(&path, json!([{ "line": 6 }]));
    assert_eq!(client.run()["reason"], "end");
    let threads = client.ask("threads", Value::Null)["threads"].as_array().expect("threads").clone();
    assert_eq!(threads.len(), 70);
    assert_eq!(threads[0]["name"], "wave 0 lane 0 (invocation 0,0,0), ended");
    assert_eq!(client.frames(1)[0]["name"], "main (lane has ended)");
    client.disconnect();
}

#[test]
fn large_arrays_are_read_in_parts() {
    let (_folder, path) = file(
        "large.comp",
        "#version 460\nlayout(local_size_x = 1) in;\nstruct S { vec2 at; uint n; };\n\
         layout(set = 0, binding = 0) buffer B { uint count; S all[]; } b;\n\
         void main() {\n    uint own[3000];\n    own[2999] = 7;\n    b.all[70000].n = own[2999];\n    b.count = 1;\n}\n",
    );
    let mut client = Client::launched(json!({ "program": path, "zeros": true, "buffer": "0:0=1600008" }));
    assert_eq!(client.run()["reason"], "end");
    let frame = client.frames(1)[0].clone();
    let own = client.scope(&frame, "Locals").into_iter().find(|row| row["name"] == "own").expect("is listed");
    assert_eq!(own["indexedVariables"], 3000);
    assert!(text(&own["value"]).contains("more"), "{own}");
    let block = client.scope(&frame, "Buffers")[0].clone();
    assert_eq!((&block["name"], &block["namedVariables"]), (&json!("b"), &json!(2)));
    let members = client.variables(json!({ "variablesReference": block["variablesReference"] }));
    assert_eq!((&members[0]["name"], &members[0]["value"]), (&json!("count"), &json!("1")));
    let all = &members[1];
    assert_eq!(
        (&all["name"], &all["indexedVariables"], &all["evaluateName"]),
        (&json!("all"), &json!(100_000), &json!("b[1]"))
    );
    assert!(text(&all["value"]).chars().count() <= 1001);
    let page =
        json!({ "variablesReference": all["variablesReference"], "filter": "indexed", "start": 69_999, "count": 2 });
    let rows = client.variables(page);
    assert_eq!(rows.len(), 2);
    assert_eq!((&rows[1]["name"], &rows[1]["value"]), (&json!("[70000]"), &json!("((0, 0), 7)")));
    assert_eq!(client.evaluate(&text(&rows[1]["evaluateName"])), "((0, 0), 7)");
    let parts = client.variables(json!({ "variablesReference": rows[1]["variablesReference"] }));
    assert_eq!((&parts[0]["name"], &parts[0]["indexedVariables"]), (&json!("at"), &json!(2)));
    assert_eq!((&parts[1]["name"], &parts[1]["evaluateName"]), (&json!("n"), &json!("b[1][70000][1]")));
    let none = client.variables(json!({ "variablesReference": all["variablesReference"], "filter": "named" }));
    assert!(none.is_empty());
    // A client without pages gets the first ones, and how many follow.
    let first = client.variables(json!({ "variablesReference": all["variablesReference"] }));
    assert_eq!(first.len(), 4097);
    assert_eq!(first[4096]["value"], "95904 more");
    // References are of one stop.
    client.go("stepBack", 1);
    let gone = client.refused("variables", json!({ "variablesReference": all["variablesReference"] }));
    assert!(gone.contains("the session has moved since"), "{gone}");
    client.disconnect();
}

#[test]
fn a_module_without_lines_is_shown_as_disassembly() {
    let path = sample("shared_location.spvasm");
    let vert = "#version 460\nlayout(location = 0) in vec3 p;\nlayout(location = 0) out float d;\n\
                layout(location = 0, component = 1) out vec3 n;\n\
                void main() { d = 1; n = vec3(2); gl_Position = vec4(p, 1); }\n";
    let (_folder, vert) = file("shared.vert", vert);
    let mut client = Client::at_start(json!({ "files": [vert, path], "vertex": null }));
    let thread = client.ask("threads", Value::Null)["threads"][0]["id"].as_i64().expect("a thread");
    let frame = client.frames(thread)[0].clone();
    let reference = frame["source"]["sourceReference"].clone();
    assert!(frame["source"]["path"].is_null() && text(&frame["source"]["name"]).contains("SPIR-V"), "{frame}");
    let listed = client.ask("loadedSources", Value::Null);
    assert!(listed["sources"].as_array().expect("a list").contains(&frame["source"]), "{listed}");
    let content = client.ask("source", json!({ "sourceReference": reference, "source": frame["source"] }));
    let content = text(&content["content"]);
    let at =
        |line: &Value| content.lines().nth(line.as_u64().expect("a line") as usize - 1).expect("is there").to_owned();
    assert!(at(&frame["line"]).contains("OpLoad depth"), "{}", at(&frame["line"]));
    // A breakpoint in the disassembly.
    let store = content.lines().position(|line| line.contains("OpStore color")).expect("is there") + 1;
    let asked = json!({ "source": { "sourceReference": reference }, "breakpoints": [{ "line": store }, { "line": 1_000_000 }] });
    let set = client.ask("setBreakpoints", asked)["breakpoints"].clone();
    assert_eq!(
        (&set[0]["verified"], &set[0]["line"], &set[1]["verified"]),
        (&json!(true), &json!(store), &json!(false))
    );
    let stop = client.go("continue", thread);
    assert_eq!(stop["reason"], "breakpoint");
    let thread = stop["threadId"].as_i64().expect("a thread");
    assert_eq!(client.line(thread), store as u64);
    assert!(client.refused("source", json!({ "sourceReference": 77 })).contains("no text has the reference 77"));
    client.disconnect();
}

#[test]
fn the_console_takes_commands_of_the_debugger() {
    let path = sample("race.comp");
    let mut client = Client::at_start(json!({ "program": path }));
    let say =
        |client: &mut Client, text: &str| client.ask("evaluate", json!({ "expression": text, "context": "repl" }));
    assert!(text(&say(&mut client, "info waves")["result"]).contains("wave 0   ####"));
    assert_eq!(text(&say(&mut client, "gl_LocalInvocationIndex")["result"]), "0");
    say(&mut client, "stepi 4");
    client.event("continued");
    assert_eq!(client.stopped()["reason"], "step");
    assert!(text(&say(&mut client, "lanes i")["result"]).contains("63"));
    say(&mut client, "reverse-stepi 2");
    client.stopped();
    let refused = client.refused("evaluate", json!({ "expression": "break 13", "context": "repl" }));
    assert!(refused.contains("breakpoints are set in the editor"), "{refused}");
    client.disconnect();
}

#[test]
fn a_script_and_a_record_are_stepped_too() {
    let script = sample("inputs/two_passes.txt");
    let mut client = Client::at_start(json!({ "program": script, "run": 2, "group": [1, 0, 0] }));
    client.step_instruction("stepIn", 1);
    let line = script.to_string_lossy().into_owned();
    let same = debugged(&[&line, "--run", "2", "--group", "1,0,0"], "stepi; info locals");
    let mut expected = locals(&same);
    expected.sort();
    assert_eq!(all_locals(&mut client, 1), expected);
    client.disconnect();
}

#[test]
fn a_launch_takes_the_flags_of_debug_and_gives_its_errors() {
    let path = sample("race.comp");
    let folder = path.parent().expect("a folder");
    let mut client = Client::initialized();
    let line = path.to_string_lossy().into_owned();
    for (arguments, flags) in [
        (json!({ "lane": "7.0" }), &["--lane", "7.0"][..]),
        (json!({ "invocation": [64, 0, 0] }), &["--invocation", "64,0,0"]),
        (json!({ "pixel": "1,2" }), &["--pixel", "1,2"]),
        (json!({ "break": "race.comp:99" }), &["--break", "race.comp:99"]),
        (json!({ "group": [9, 9, 9] }), &["--group", "9,9,9"]),
        (json!({ "entry": "other" }), &["--entry", "other"]),
    ] {
        let mut arguments = arguments;
        arguments["program"] = json!(line);
        let why = client.refused("launch", arguments);
        let (_, _, stderr) = outcome(["debug", &line].iter().chain(flags));
        assert_eq!(stderr.trim(), format!("error: {why}"), "{flags:?}");
    }
    let why = client.refused("launch", json!({ "program": line, "lane": "x" }));
    assert_eq!(why, "invalid value 'x' for '--lane <W.L>': invalid lane `x`: expected WAVE.LANE");
    assert!(client.refused("launch", json!({ "program": "race.comp", "cwd": "/nowhere" })).contains("`cwd`: /nowhere"));
    // After these errors a launch still works, relative to a folder; what is unknown is reported.
    client.ask("launch", json!({ "program": "race.comp", "cwd": folder, "noDebug": true, "pixels": [1, 2] }));
    assert_eq!(client.output("unknown"), "launch: `pixels` is unknown and was ignored\n");
    client.event("initialized");
    client.set_breakpoints(&path, json!([{ "line": 11 }]));
    client.ask("configurationDone", Value::Null);
    assert_eq!(client.event("exited")["exitCode"], 1);
    client.event("terminated");
    // A client need not disconnect from a session that is over.
    client.stdin.take();
    assert_eq!(client.ended().code(), Some(0));
}
