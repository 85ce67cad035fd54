//! `lanescope mcp`, asked as an agent asks: what the tools answer is what the command line prints.

use std::path::Path;

use serde_json::{Value, json};

use crate::common::mcp_client::Client;
use crate::common::{copy_samples, outcome, samples};

fn client() -> Client {
    Client::initialized(&samples(), &[])
}

/// The parts of an explanation, by what they are about.
fn part<'v>(answer: &'v Value, about: &str) -> &'v Value {
    let parts = answer["result"]["parts"].as_array().expect("parts");
    let found = parts.iter().find(|part| part["about"].as_str().is_some_and(|text| text.starts_with(about)));
    found.unwrap_or_else(|| panic!("nothing about {about}: {answer}"))
}

/// The values of the facts of a name.
fn facts(part: &Value, name: &str) -> Vec<String> {
    let facts = part["facts"].as_array().into_iter().flatten().filter(|fact| fact["name"] == name);
    facts.map(|fact| fact["value"].as_str().expect("a text").to_owned()).collect()
}

fn sample(name: &str) -> String {
    samples().join(name).to_string_lossy().into_owned()
}

/// What a command prints as JSON in the folder of the samples.
fn command(arguments: &[&str]) -> Value {
    let files = arguments.iter().map(|word| match samples().join(word).is_file() {
        true => sample(word),
        false => (*word).to_owned(),
    });
    let (_, stdout, stderr) = outcome(files.chain(["--format".to_owned(), "json".to_owned()]));
    serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {stderr}"))
}

/// Ten questions about layouts, with answers that are known, and are those of the report.
#[test]
fn ten_questions_have_the_answers_of_the_report() {
    let mut client = client();
    let surface = json!(["lit_surface.vert", "lit_surface.frag"]);
    let report = command(&["inspect", "lit_surface.vert", "lit_surface.frag"]);

    // 1. In which slot is a varying?
    let answer = client.call("why", json!({ "files": surface, "varying": "texcoord" }));
    let slot = part(&answer, "texcoord (3.x as written)");
    assert_eq!((facts(slot, "original"), facts(slot, "packed")), (vec!["3.x".to_owned()], vec!["1.z".to_owned()]));
    let mapped = report["packing"]["map"].as_array().expect("a map");
    let mapped = mapped.iter().find(|one| one["location"] == 3 && one["component"] == 0).expect("is mapped");
    assert_eq!((&mapped["to"]["location"], &mapped["to"]["component"]), (&json!(1), &json!(2)));

    // 2. How many slots does packing save?
    let answer = client.call("open", json!({ "files": surface }));
    let packing = answer["result"]["packing"].as_str().expect("packing");
    assert!(packing.starts_with("5 → 4 slots, −16 B per vertex"), "{packing}");
    assert_eq!((&report["packing"]["slots"]["before"], &report["packing"]["slots"]["after"]), (&json!(5), &json!(4)));

    // 3. Why is the invocation of lane 13 there?
    let tile = json!(["tile_16x16.comp"]);
    let answer = client.call("why", json!({ "files": tile, "lane": "0.13", "reconfig": true }));
    let notes = &part(&answer, "Invocation (5, 1, 0) of compute main")["notes"];
    assert!(notes.to_string().contains("x = 8·(q div Y) + t mod 8 = 8·0 + 5 = 5"), "{notes}");
    let reconfigured = command(&["inspect", "tile_16x16.comp", "--reconfig"]);
    assert_eq!(reconfigured["workgroup"][0]["lanes"][13], json!([5, 1, 0]));

    // 4. What is the value of a register's field, and why?
    let arguments = json!({ "files": surface, "register": "spi_ps_in_control", "field": "NUM_INTERP" });
    let answer = client.call("why", arguments);
    let field = part(&answer, "NUM_INTERP");
    assert_eq!((facts(field, "original"), facts(field, "packed")), (vec!["5".to_owned()], vec!["4".to_owned()]));
    let registers = report["registers"].as_array().expect("registers");
    let register = registers.iter().find(|one| one["name"] == "SPI_PS_IN_CONTROL" && one["from"] == "packed");
    let fields = register.expect("is there")["fields"].as_array().expect("fields");
    let known = fields.iter().find(|field| field["name"] == "NUM_INTERP").expect("is there");
    assert_eq!((&known["value"], &field["notes"][0]), (&json!(4), &known["why"]));

    // 5. At which offset is a descriptor?
    let answer = client.call("why", json!({ "files": ["textured_quad.pipe"], "descriptor": "pages" }));
    let notes = part(&answer, "pages: guessed layout of fragment main")["notes"].to_string();
    assert!(notes.contains("at dword 12 (byte 48), 12 dwords"), "{notes}");
    assert!(notes.contains("another offset: dword 12 guessed, dword 4 in the application"), "{notes}");

    // 6. How many waves has a workgroup?
    let answer = client.call("open", json!({ "files": ["odd_size.comp"], "wave": "32" }));
    let workgroup = answer["result"]["workgroups"][0].as_str().expect("a workgroup");
    assert!(workgroup.contains("5×6×7 row-major: 7 waves of 32, last wave 18 of 32 lanes"), "{workgroup}");

    // 7. What does a compiler's statistic say? No GPU is required.
    let answer = client.call("isa", json!({ "files": tile, "chip": "gfx1030", "stat": true, "structured": true }));
    let same = command(&["isa", "tile_16x16.comp", "--chip", "gfx1030"]);
    let statistics = &answer["result"]["driver"][0]["statistics"];
    assert!(statistics.as_array().is_some_and(|all| all.len() > 5), "{statistics}");
    assert_eq!(statistics, &same["driver"][0]["statistics"]);
    let lds = statistics.as_array().into_iter().flatten().find(|one| one["name"] == "LDS size").expect("is there");
    assert_eq!(lds["value"], 4096);

    // 8. Which nodes feed a node?
    let answer = client.call("why", json!({ "files": ["work_graphs/07_wide_dag.dxil"], "node": "D" }));
    let mut from = facts(part(&answer, "D"), "fed by");
    from.iter_mut().for_each(|fed| fed.truncate(2));
    assert_eq!(from, ["B0", "B1", "B2", "B3", "B4", "B5"]);
    let graph = command(&["inspect", "work_graphs/07_wide_dag.dxil"]);
    let edges = graph["graph"]["edges"].as_array().expect("edges");
    let nodes = graph["graph"]["nodes"].as_array().expect("nodes");
    let is_to_d = |edge: &&Value| nodes[edge["to"].as_u64().expect("a node") as usize]["name"] == "D";
    assert_eq!(edges.iter().filter(is_to_d).count(), 6);

    // 9. What differs between two programs?
    let answer = client.call("compare", json!({ "left": ["tile_16x16.comp"], "right": ["odd_size.comp"] }));
    assert_eq!(answer["status"], "findings");
    assert!(answer["text"].as_str().is_some_and(|text| text.contains("registers   differs: 4 rows")), "{answer}");
    let same = command(&["diff", "tile_16x16.comp", "odd_size.comp"]);
    assert_eq!(answer["result"]["sections"].as_array().map(Vec::len), same["sections"].as_array().map(Vec::len));
    assert_eq!(answer["result"]["sections"][1]["rows"], same["sections"][1]["rows"]);

    // 10. What does a run write?
    let arguments = json!({
        "files": ["dxil/prefix_sum.cs.dxil"],
        "buffer": ["t0=uint 3,5,8,13"],
        "zeros": true,
        "original_only": true,
    });
    let answer = client.call("run", arguments);
    assert_eq!(answer["result"]["run"]["device"], "interpreter");
    let text = answer["text"].as_str().expect("a text");
    for (offset, sum) in [(0, 3), (4, 8), (8, 16), (12, 29)] {
        let row = format!("{offset:7}  data[{}]   {sum}\n", offset / 4);
        assert!(text.contains(&row), "{row}: {text}");
    }
    client.close();
}

#[test]
fn a_shader_is_stepped_and_reduced_without_a_device() {
    let folder = copy_samples();
    let mut client = Client::initialized(folder.path(), &[]);
    let commands = ["break race.comp:13", "continue", "print i", "info waves"];
    let answer = client.call("debug_step", json!({ "files": ["race.comp"], "commands": commands }));
    let done = answer["result"]["commands"].as_array().expect("commands");
    assert_eq!((done.len(), &answer["result"]["state"]["line"]["line"]), (4, &json!(13)), "{answer}");
    assert_eq!(done[2]["value"]["name"], "i");
    // The race is an error, and a finding with a code that a resource explains.
    let answer = client.call("debug_step", json!({ "files": ["race.comp"] }));
    assert_eq!((&answer["status"], &answer["result"]["findings"][0]["code"]), (&json!("findings"), &json!("E001")));
    let explained = client.ask("resources/read", json!({ "uri": "lanescope://findings/E001" }));
    let text = explained["contents"][0]["text"].as_str().expect("a text");
    assert!(text.starts_with("E001  error") && text.contains("What to do:"), "{text}");
    // The least program that has it, in the workspace.
    let arguments = json!({ "files": ["race.comp"], "while": "finding E001", "output": "least" });
    let answer = client.call("reduce", arguments.clone());
    assert_eq!((&answer["result"]["folder"], &answer["result"]["complete"]), (&json!("least"), &json!(true)));
    assert!(folder.path().join("least/README.md").is_file());
    let why = client.fails("reduce", arguments);
    assert!(why.contains("--force") || why.contains("exists"), "{why}");
    client.close();
}

#[test]
fn what_the_tools_accept_and_answer_has_schemas() {
    let mut client = client();
    let tools = client.ask("tools/list", json!({}));
    // A client reads all of it when it starts.
    assert!(tools.to_string().len() < 400 << 10, "{} KiB", tools.to_string().len() >> 10);
    let tools = tools["tools"].as_array().expect("tools");
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().expect("a name")).collect();
    let all = ["open", "inspect", "why", "isa", "compare", "run", "debug_step", "graph_run", "reduce", "doctor"];
    assert_eq!(names, all);
    let schema = |name: &str, member: &str| {
        let tool = tools.iter().find(|tool| tool["name"] == name).expect("is there");
        let schema = jsonschema::options().with_draft(jsonschema::Draft::Draft202012).build(&tool[member]);
        schema.unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    let surface = json!(["lit_surface.vert", "lit_surface.frag"]);
    for (tool, arguments) in [
        ("open", json!({ "files": surface })),
        ("open", json!({ "files": ["work_graphs/07_wide_dag.dxil"] })),
        ("inspect", json!({ "files": surface, "structured": true, "no_pack": true, "target": "gfx1100" })),
        ("inspect", json!({ "files": ["work_graphs/07_wide_dag.dxil"] })),
        ("inspect", json!({ "files": ["code_objects/fill.elf"], "structured": true })),
        ("why", json!({ "files": surface, "slot": 1 })),
        ("isa", json!({ "files": ["tile_16x16.comp"], "chip": ["gfx1030", "gfx1100"], "structured": true })),
        ("compare", json!({ "left": ["tile_16x16.comp"], "right": ["odd_size.comp"], "all": true })),
        ("run", json!({ "files": ["tile_16x16.comp"], "structured": true })),
        ("run", json!({ "files": ["inputs/two_passes.txt"], "structured": true })),
        ("debug_step", json!({ "files": ["race.comp"], "commands": "stepi 4" })),
        ("doctor", json!({})),
    ] {
        let (accepts, answers) = (schema(tool, "inputSchema"), schema(tool, "outputSchema"));
        let wrong: Vec<String> = accepts.iter_errors(&arguments).map(|error| error.to_string()).collect();
        assert!(wrong.is_empty(), "{tool} {arguments}: {wrong:?}");
        let answer = client.call(tool, arguments.clone());
        // An error quotes the value that it is about.
        let short = |error: jsonschema::ValidationError<'_>| {
            let text: String = error.to_string().chars().take(300).collect();
            format!("{}: {text}", error.instance_path())
        };
        let wrong: Vec<String> = answers.iter_errors(&answer).map(short).take(3).collect();
        assert!(wrong.is_empty(), "{tool} {arguments}: {wrong:?}");
        assert!(answer["result"].is_object() || answer["result_bytes"].is_u64(), "{tool} {arguments}");
    }
    client.close();
}

#[test]
fn long_texts_come_page_by_page_and_parts_by_their_pointer() {
    let mut client = client();
    let files = json!(["work_graphs/07_wide_dag.dxil"]);
    let whole = client.call("inspect", json!({ "files": files, "limit": 200_000 }));
    let whole = whole["text"].as_str().expect("a text");
    let (mut all, mut next, mut pages) = (String::new(), json!(0), 0);
    while !next.is_null() {
        let page = client.call("inspect", json!({ "files": files, "offset": next }));
        assert_eq!((&page["offset"], page["total"].as_u64()), (&next, Some(whole.chars().count() as u64)));
        all.push_str(page["text"].as_str().expect("a text"));
        next = page["next_offset"].clone();
        pages += 1;
    }
    assert!(pages > 2 && all == whole, "{pages}");
    let part = client.call("inspect", json!({ "files": files, "part": "/graph/nodes/0/id" }));
    let id: Value = serde_json::from_str(part["text"].as_str().expect("a text")).expect("JSON");
    assert_eq!((&id["name"], part["result"].is_null()), (&json!("A0"), true), "{part}");
    let why = client.fails("inspect", json!({ "files": files, "part": "/graph/nods" }));
    assert!(why.contains("`/graph/nods` does not exist; /graph has") && why.contains("nodes"), "{why}");
    assert!(client.fails("inspect", json!({ "files": files, "offset": 10_000_000 })).contains("the text has"));
    client.close();
}

#[test]
fn the_manual_is_there_as_resources() {
    let mut client = client();
    let listed = client.ask("resources/list", json!({}));
    let uris =
        listed["resources"].as_array().expect("resources").iter().map(|one| one["uri"].as_str().expect("a text"));
    let uris: Vec<&str> = uris.collect();
    for uri in ["lanescope://manual/packing", "lanescope://manual/agents", "lanescope://findings"] {
        assert!(uris.contains(&uri), "{uri}: {uris:?}");
    }
    let page = client.ask("resources/read", json!({ "uri": "lanescope://manual/packing" }));
    assert_eq!(page["contents"][0]["mimeType"], "text/markdown");
    assert!(page["contents"][0]["text"].as_str().is_some_and(|text| text.starts_with("# Packing")));
    let templates = client.ask("resources/templates/list", json!({}));
    assert_eq!(templates["resourceTemplates"][0]["uriTemplate"], "lanescope://findings/{code}");
    let error = client.refused("resources/read", json!({ "uri": "file:///etc/passwd" }));
    assert!(error["message"].as_str().is_some_and(|text| text.contains("no resource")), "{error}");
    client.close();
}

/// The flags that a tool lists are those of the command line, and an answer is the text of the command line.
#[test]
fn texts_are_those_of_the_command_line() {
    let folder = copy_samples();
    let mut client = Client::initialized(folder.path(), &[]);
    for (tool, arguments, line) in [
        ("inspect", json!({ "files": ["odd_size.comp"], "wave": "32" }), "inspect odd_size.comp --wave 32"),
        (
            "inspect",
            json!({ "files": ["spec_size.comp"], "spec": "0=16", "groupSize": [8, 4, 1] }),
            "inspect spec_size.comp --spec 0=16 --group-size 8,4,1",
        ),
        (
            "compare",
            json!({ "left": ["design_note.vert", "design_note.frag"], "right": ["lit_surface.vert", "lit_surface.frag"] }),
            "diff design_note.vert,design_note.frag lit_surface.vert,lit_surface.frag",
        ),
        (
            "debug_step",
            json!({ "files": ["tile_16x16.comp"], "lane": "1.5", "commands": ["stepi 4", "info locals", "back 2"] }),
            "debug tile_16x16.comp --lane 1.5 --commands|stepi 4; info locals; back 2",
        ),
    ] {
        let answer = client.call(tool, arguments);
        let (words, last) = line.split_once('|').map_or((line, None), |(words, last)| (words, Some(last)));
        let words = words.split(' ').chain(last);
        let output = crate::common::lanescope().current_dir(folder.path()).args(words).output().expect("starts");
        let (own, same) = (answer["text"].as_str().expect("a text"), String::from_utf8_lossy(&output.stdout));
        let differs = own.lines().zip(same.lines()).find(|(own, same)| own != same);
        assert!(own == same, "{line}: {differs:?}, {} and {} lines", own.lines().count(), same.lines().count());
    }
    client.close();
}

/// A file of a folder.
fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("writable");
}

#[test]
fn nothing_outside_of_the_root_is_read_or_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    for name in ["root", "secret", "shared"] {
        std::fs::create_dir(at(name)).expect("writable");
    }
    let shader = "#version 450\nlayout(local_size_x = 8) in;\nvoid main() {}\n";
    let including = |name: &str| {
        let directive = "#extension GL_GOOGLE_include_directive : require\n";
        format!("#version 450\n{directive}#include \"{name}\"\nlayout(local_size_x = SIZE) in;\nvoid main() {{}}\n")
    };
    write(&at("root"), "own.comp", shader);
    write(&at("root"), "includes.comp", &including("../secret/size.glsl"));
    write(&at("root"), "shares.comp", &including("../shared/size.glsl"));
    write(&at("secret"), "other.comp", shader);
    write(&at("secret"), "size.glsl", "#define SIZE 16 // hush\n");
    write(&at("shared"), "size.glsl", "#define SIZE 32\n");
    std::os::unix::fs::symlink(at("secret/other.comp"), at("root/link.comp")).expect("writable");
    std::os::unix::fs::symlink(at("secret"), at("root/out")).expect("writable");
    let shared = at("shared").display().to_string();
    let mut client = Client::initialized(&at("root"), &["-I", &shared]);
    let absolute = |name: &str| at(name).display().to_string();
    for path in ["own.comp", "./own.comp", &absolute("root/own.comp")] {
        assert_eq!(client.call("open", json!({ "files": [path] }))["status"], "ok", "{path}");
    }
    let outside = "outside of the workspace root";
    for path in ["../secret/other.comp", "link.comp", "out/other.comp", &absolute("secret/other.comp"), "/etc/passwd"] {
        let why = client.fails("open", json!({ "files": [path] }));
        assert!(why.contains(outside) && why.contains("--allow-read"), "{path}: {why}");
    }
    assert!(client.fails("open", json!({ "files": ["-"] })).contains("standard input"));
    // Files that sources include, too; those of a folder that is named are read.
    let why = client.fails("open", json!({ "files": ["includes.comp"] }));
    assert!(why.contains("outside of the folders that may be read") && !why.contains("hush"), "{why}");
    assert!(client.call("open", json!({ "files": ["shares.comp"] }))["text"].to_string().contains("32×1×1"));
    // By flags that name files among other things.
    for (tool, member, value) in [
        ("run", "buffer", json!(["0:0=../secret/size.glsl"])),
        ("run", "push", json!("@../secret/size.glsl")),
        ("run", "vertices", json!("out/size.glsl")),
        ("inspect", "overrides", json!("../secret/size.glsl")),
        ("inspect", "includeDir", json!("../secret")),
        ("run", "output", json!("../written")),
        ("isa", "output", json!("out/written")),
        ("graph_run", "save", json!("/tmp/lanescope-mcp-saved.lanescope-run")),
        ("reduce", "output", json!(absolute("shared/written"))),
    ] {
        let mut arguments = json!({ "files": ["own.comp"], "while": "finding E001" });
        if tool != "reduce" {
            arguments = json!({ "files": ["own.comp"] });
        }
        arguments[member] = value;
        let why = client.fails(tool, arguments);
        assert!(why.contains(outside) && why.contains(member), "{tool} {member}: {why}");
    }
    for name in ["written", "secret/written", "shared/written"] {
        assert!(!at(name).exists(), "{name}");
    }
    // What is written is below the root.
    let answer = client.call("run", json!({ "files": ["own.comp"], "output": "results" }));
    assert!(at("root/results/run.json").is_file(), "{answer}");
    client.close();
}

#[test]
fn nothing_runs_on_a_device_unless_that_is_allowed() {
    let mut client = client();
    let allow = "--allow-run";
    for (tool, arguments) in [
        ("run", json!({ "files": ["tile_16x16.comp"], "device": "0" })),
        ("isa", json!({ "files": ["tile_16x16.comp"], "device": ["0"] })),
        ("inspect", json!({ "files": ["tile_16x16.comp"], "device": "llvmpipe" })),
        ("compare", json!({ "left": ["tile_16x16.comp"], "right": ["tile_16x16.comp"], "device": "0" })),
        ("graph_run", json!({ "files": ["work_graphs/01_tile_classify.dxil"] })),
        ("graph_run", json!({ "files": ["work_graphs/01_tile_classify.dxil"], "device": "interpreter" })),
        ("debug_step", json!({ "files": ["work_graphs/02_quadtree_recursion.dxil"], "record": "Split:2" })),
        (
            "debug_step",
            json!({ "files": ["work_graphs/02_quadtree_recursion.dxil"], "record": "Split:2", "run": null }),
        ),
        ("reduce", json!({ "files": ["tile_16x16.comp"], "while": "results-differ on 0", "output": "reduced" })),
    ] {
        let why = client.fails(tool, arguments.clone());
        assert!(why.contains(allow), "{tool} {arguments}: {why}");
    }
    // A work graph does not run by another tool either.
    let why = client.fails("run", json!({ "files": ["work_graphs/01_tile_classify.dxil"] }));
    assert!(why.contains("use `graph_run`"), "{why}");
    let why =
        client.fails("reduce", json!({ "files": ["race.comp"], "while": "exec \"/bin/true\"", "output": "reduced" }));
    assert!(why.contains("starts a program"), "{why}");
    let machine = client.call("doctor", json!({}));
    for device in machine["result"]["devices"].as_array().expect("devices") {
        assert!(device["why_not"].as_str().is_some_and(|text| text.contains(allow)), "{device}");
    }
    client.close();
    // Where it is, the first device runs it: llvmpipe at least.
    let mut client = Client::initialized(&samples(), &["--allow-run"]);
    let answer =
        client.call("run", json!({ "files": ["tile_16x16.comp"], "original_only": true, "part": "/run/device" }));
    assert!(!answer["text"].to_string().contains("interpreter"), "{answer}");
    let arguments = json!({ "files": ["work_graphs/01_tile_classify.dxil"], "structured": true });
    let answer = client.call("graph_run", arguments);
    let generations = answer["result"]["run"]["generations"].as_array().map(Vec::len);
    assert!(generations.is_some_and(|count| count > 1), "{answer}");
    client.close();
}
