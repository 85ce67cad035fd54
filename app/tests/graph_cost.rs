//! `lanescope cost` of work graphs: declarations, and the records of runs on the software device.

use crate::common::{outcome, samples};
use serde_json::{Value, json};

fn sample(name: &str) -> String {
    samples().join("work_graphs").join(name).to_string_lossy().into_owned()
}

fn cost(arguments: &[&str]) -> Value {
    let all = ["cost"].into_iter().chain(arguments.iter().copied()).chain(["--format", "json"]);
    let (status, stdout, stderr) = outcome(all);
    assert_eq!(status, 0, "{stderr}");
    serde_json::from_str(&stdout).expect("one JSON object")
}

fn ran(arguments: &[&str]) -> Value {
    cost(&[arguments, &["--run", "--device", "llvmpipe"]].concat())
}

/// A node of a run by its id.
fn of<'c>(cost: &'c Value, node: &str) -> &'c Value {
    let nodes = cost["measured"]["nodes"].as_array().expect("nodes");
    nodes.iter().find(|is| is["node"] == node).unwrap_or_else(|| panic!("{node}: {cost}"))
}

fn figures(node: &Value, names: &[&str]) -> Vec<Value> {
    names.iter().map(|name| node[name].clone()).collect()
}

/// The worked table: 78 groups are asked for in 100 passes, 448 are launched, 17 % are useful.
#[test]
fn dynamic_grids_cost_what_the_worked_table_says() {
    let grids = sample("04_broadcast_grids.dxil");
    let cost = ran(&[&grids]);
    let names = ["records", "non_empty", "asked", "groups", "passes", "walked", "idle", "useful"];
    let dynamic = of(&cost, "DynamicGrid[0]");
    assert_eq!(json!(figures(dynamic, &names)), json!([8, 7, 78, 448, 100, 22, 348, 17.4]));
    assert_eq!(dynamic["dispatches"], json!([[7, 1, 64]]));
    let fixed = of(&cost, "FixedGrid[0]");
    assert_eq!(json!(figures(fixed, &names)), json!([8, 8, 48, 24, 48, 0, 0, 100.0]));
    assert_eq!(fixed["dispatches"], json!([[8, 1, 3]]));
    // One allocation each: 8 records of 28 bytes and of 4, and the offsets of those that run.
    let lists = ["allocations", "payload", "list", "offsets"];
    assert_eq!(json!(figures(dynamic, &lists)), json!([1, 224, 8, 28]));
    assert_eq!(json!(figures(fixed, &lists)), json!([1, 32, 8, 32]));
    let walks: Vec<Value> = cost["measured"]["walks"].as_array().expect("walks").clone();
    let walk = |at: usize| json!(figures(&walks[at], &["walk", "groups", "passes", "useful"]));
    assert_eq!(walk(0), json!(["declared maximum", 1024, 1024, 7.6]));
    assert_eq!(walk(1), json!(["rounded passes", 448, 100, 17.4]));
    assert_eq!(walk(2), json!(["exact", 78, 78, 100.0]));
    // The host's one record is its grid.
    let plan = of(&cost, "Plan[0]");
    assert_eq!(json!([plan["groups"], plan["dispatches"], plan["payload"]]), json!([1, [[1, 1, 1]], null]));
    let finding = &cost["findings"][0];
    assert_eq!((&finding["code"], &finding["severity"]), (&json!("G54"), &json!("note")));
    assert!(finding["message"].as_str().is_some_and(|text| text.contains("7×2×2 (28 groups)")), "{finding}");
    let levels = |cost: &Value| {
        let all = cost["measured"]["levels"].as_array().expect("levels").iter();
        json!(all.map(|level| json!(figures(level, &["level", "issued", "empty"]))).collect::<Vec<_>>())
    };
    assert_eq!(levels(&cost), json!([[0, 1, 0], [1, 2, 0]]));
    // In each level of a recursion it is known which are empty.
    let quads = ran(&[&sample("02_quadtree_recursion.dxil")]);
    assert!(quads["measured"]["levels"].as_array().is_some_and(|all| all.iter().all(|level| level["empty"].is_u64())));
    // A device with rows issues two dispatches for each node.
    let rows = ran(&[&grids, "--rows"]);
    assert_eq!(of(&rows, "DynamicGrid[0]")["dispatches"], json!([[32768, 0, 64], [7, 1, 64]]));
    assert_eq!(rows["declared"]["levels"][1]["node_dispatches"], 4);
    // Of each of these pairs the whole rows are empty.
    assert_eq!(levels(&rows), json!([[0, 1, 0], [1, 4, 2]]));
}

#[test]
fn classified_tiles_cost_what_the_worked_text_says() {
    let tiles = sample("01_tile_classify.dxil");
    let cost = ran(&[&tiles]);
    assert_eq!(of(&cost, "ClassifyTiles[0]")["groups"], 8);
    let material = |index: u32| of(&cost, &format!("Material[{index}]"))["records"].clone();
    assert_eq!(json!([0, 1, 2, 3, 4].map(material)), json!([26, 26, 26, 25, 25]));
    let nodes = cost["measured"]["nodes"].as_array().expect("nodes");
    let level = |generation: u32, figure: &str| {
        let all = nodes.iter().filter(|node| node["generation"] == generation);
        all.map(|node| node[figure].as_u64().expect("a number")).sum::<u64>()
    };
    assert_eq!([level(1, "groups"), level(2, "groups"), level(2, "records")], [128, 16, 128]);
    // Allocations of level 0 are those of the device's waves; of level 1 each group makes one of 16 bytes.
    assert_eq!([level(2, "allocations"), level(2, "payload"), level(2, "list")], [128, 2048, 1024]);
    assert_eq!(level(1, "list"), 8 * level(1, "allocations"));
    // 2 levels after the first, with 2 dispatches and 3 barriers each.
    let levels = cost["declared"]["levels"].as_array().expect("levels");
    let meta: Vec<[&Value; 2]> = levels.iter().map(|level| [&level["meta_dispatches"], &level["barriers"]]).collect();
    assert_eq!(json!(meta), json!([[0, 1], [2, 3], [2, 3]]));
    assert_eq!(cost["compacts"], false);
    assert_eq!(cost["findings"], Value::Null);
    let formats = cost["measured"]["formats"].as_array().expect("formats");
    assert_eq!((&formats[0]["entries"], &formats[0]["bytes"]), (&json!(256), &json!(1024)));
    let allocations = level(1, "allocations") + 128;
    assert_eq!((&formats[1]["entries"], &formats[1]["bytes"]), (&json!(allocations), &json!(8 * allocations)));
    // Offsets need room in each of five nodes for what any of them may get: (8 × 16 × 5 + 128) × 4 bytes.
    assert_eq!(formats[0]["reserved"], (8 * 16 * 5 + 128) * 4);
    assert_eq!(formats[1]["reserved"], (8 * 16 + 128) * 8);
}

#[test]
fn declarations_bound_each_generation_without_a_device() {
    let cost = cost(&[&sample("02_quadtree_recursion.dxil")]);
    let generations = cost["declared"]["generations"].as_array().expect("generations");
    let records: Vec<&Value> = generations.iter().map(|is| &is["total"]["records"]).collect();
    assert_eq!(json!(records), json!([1, 1, 4, 16, 64, 256, 1024]));
    assert_eq!(cost["measured"], Value::Null);
    // 7 levels, 6 of them with 3 barriers.
    let levels = cost["declared"]["levels"].as_array().expect("levels");
    let barriers: u64 = levels.iter().filter_map(|level| level["barriers"].as_u64()).sum();
    assert_eq!((levels.len(), barriers), (7, 19));
    let many = self::cost(&[&sample("02_quadtree_recursion.dxil"), "--records", "1000"]);
    assert_eq!(many["declared"]["generations"][6]["total"]["records"], 1_024_000);
    assert_eq!(many["declared"]["memory"]["smallest_ring"], 2 * 4_096_000 * 16);
}

#[test]
fn cycles_and_spirv_graphs_have_sheets() {
    let (status, text, errors) = outcome(["cost", &sample("rules/g06_ring_of_three.dxil")]);
    assert_eq!(status, 1, "{errors}");
    assert!(text.contains("unbounded") && text.contains("G06") && !text.contains("Levels"), "{text}");
    let spirv = cost(&[&sample("enqueue.spvasm")]);
    assert!(spirv["declared"]["nodes"].as_array().is_some_and(|nodes| nodes.len() > 1), "{spirv}");
    let (status, _, errors) = outcome(["cost", &sample("enqueue.spvasm"), "--run", "--device", "llvmpipe"]);
    assert!(status == 3 && errors.contains("SPV_AMDX_shader_enqueue"), "{errors}");
}

#[test]
fn a_saved_run_has_the_costs_of_the_run() {
    let grids = sample("04_broadcast_grids.dxil");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("grids.lanescope-run");
    let path = path.to_str().expect("UTF-8");
    let (status, _, errors) = outcome(["run", &grids, "--save", path, "--device", "llvmpipe"]);
    assert_eq!(status, 0, "{errors}");
    let (saved, now) = (cost(&[path]), ran(&[&grids]));
    assert_eq!(saved["measured"]["nodes"], now["measured"]["nodes"]);
    assert_eq!(saved["declared"], now["declared"]);
    // The host's records are known to both; the contents of a GPU-driven run are not kept.
    let path = folder.path().join("free.lanescope-run");
    let path = path.to_str().expect("UTF-8");
    let (status, _, errors) = outcome(["run", &grids, "--gpu-driven", "--save", path, "--device", "llvmpipe"]);
    assert_eq!(status, 0, "{errors}");
    let free = cost(&[path]);
    let dynamic = of(&free, "DynamicGrid[0]");
    assert_eq!(json!(figures(dynamic, &["records", "groups", "payload"])), json!([8, null, null]));
    let (_, text, _) = outcome(["cost", path]);
    assert!(text.contains("unknown"), "{text}");
}

/// Two demonstrations of work graphs, dispatched by a device as they are predicted: its counters are the predicted groups.
#[test]
fn counters_of_a_device_are_the_predicted_groups() {
    for (file, nodes, useful) in [
        // 32768 pixels on 32 thread nodes, in groups of 32: few places are empty.
        ("09_pixel_classify.dxil", 32, [95.0, 100.0]),
        // Split, Raster and Raster again: most of what is launched does nothing.
        ("10_binned_triangles.dxil", 3, [5.0, 60.0]),
        ("04_broadcast_grids.dxil", 2, [10.0, 100.0]),
    ] {
        let cost = ran(&[&sample(file), "--count-groups"]);
        // The software device takes fewer than 2^24 - 1 workgroups along X.
        assert_eq!(cost["rows"], true, "{file}");
        let all = cost["measured"]["nodes"].as_array().expect("nodes");
        let counted: Vec<&Value> = all.iter().filter(|node| !node["counted"].is_null()).collect();
        assert_eq!(counted.len(), nodes, "{file}");
        let (mut asked, mut slots) = (0, 0);
        for node in &counted {
            let counters = &node["counted"];
            assert_eq!(counters["agrees"], true, "{file}: {node}");
            assert_eq!(counters["dispatched"], node["groups"], "{file}: {node}");
            let (predicted, found) = (node["useful"].as_f64().expect("a share"), counters["useful"].as_f64());
            assert!((predicted - found.expect("a share")).abs() < 5.0, "{file}: {node}");
            let number = |name: &str| counters[name].as_u64().expect("a number");
            let is_thread = file.starts_with("09");
            asked += if is_thread { node["records"].as_u64().expect("a number") } else { number("asked") };
            slots += if is_thread { 32 * number("dispatched") } else { number("passes") + number("idle") };
        }
        let share = 100.0 * asked as f64 / slots as f64;
        assert!(useful[0] <= share && share <= useful[1], "{file}: {share} %");
    }
    // The groups that the shader itself counts are those that its records ask for.
    let triangles = ran(&[&sample("10_binned_triangles.dxil"), "--count-groups"]);
    let asked = |node: &str| {
        let all = triangles["measured"]["nodes"].as_array().expect("nodes").iter().filter(|is| is["node"] == node);
        all.map(|is| is["counted"]["asked"].as_u64().expect("a number")).sum::<u64>()
    };
    let (status, stdout, stderr) =
        outcome(["run", &sample("10_binned_triangles.dxil"), "--device", "llvmpipe", "--format", "json"]);
    assert_eq!(status, 0, "{stderr}");
    let run: Value = serde_json::from_str(&stdout).expect("JSON");
    let words = &run["run"]["buffers"][0]["values"]["data"];
    assert_eq!(json!([asked("Raster[0]"), asked("Split[0]")]), json!([words[1], words[2]]));
}

/// A saved run with counters has them without a prediction: the records are not kept.
#[test]
fn counters_are_saved_with_a_run() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("counted.lanescope-run");
    let path = path.to_str().expect("UTF-8");
    let grids = sample("04_broadcast_grids.dxil");
    let arguments = ["run", &grids, "--gpu-driven", "--count-groups", "--save", path, "--device", "llvmpipe"];
    let (status, _, errors) = outcome(arguments);
    assert_eq!(status, 0, "{errors}");
    let counters = of(&cost(&[path]), "DynamicGrid[0]")["counted"].clone();
    let expected =
        json!({ "non_empty": 7, "asked": 78, "dispatched": 448, "passes": 100, "idle": 348, "useful": 17.4 });
    assert_eq!(counters, expected);
    let (_, text, _) = outcome(["cost", path]);
    assert!(text.contains("Counters") && text.contains("not compared"), "{text}");
}

#[test]
fn flags_that_have_no_effect_are_errors() {
    let (grids, tile) = (sample("04_broadcast_grids.dxil"), samples().join("tile_16x16.comp"));
    let tile = tile.to_string_lossy().into_owned();
    let lit = |stage: &str| samples().join(format!("lit_surface.{stage}")).to_string_lossy().into_owned();
    let (vertex, pixel) = (lit("vert"), lit("frag"));
    for (arguments, expected) in [
        (&[tile.as_str(), "--run"][..], "tile_16x16.comp: not a work graph, so --run cannot be used"),
        (&[&tile, "--rows", "--device", "llvmpipe"], "so --rows cannot be used"),
        (&[&tile, "--device", "llvmpipe"], "--device needs --measure: layouts are counted without a device"),
        (&[&grids, "--run", "--device", "a", "--device", "b"], "a run has one device; 2 are given"),
        (&[&grids, "--wave", "32"], "--wave cannot be used with a work graph"),
        (&[&grids, "--tiling", "linear"], "--tiling cannot be used with a work graph"),
        (&[&grids, "--device", "llvmpipe"], "--device needs --run"),
        (&[&grids, "--zeros"], "--zeros needs --run"),
        (&[&grids, "--count-groups"], "--run"),
        (&[&grids, "--dispatches", "2"], "--dispatches needs --run"),
        (&[&grids, "--entry", "Nothing"], "Nothing"),
        (&[&grids, "--add-to", &tile], "duplicate compute shader"),
        (&[&pixel, "--add-to", &pixel], "a pipeline has at most one"),
        (&[&vertex, "--add-to", &pixel], "lit_surface.vert: not a work graph, so --add-to cannot be used"),
        (&[&grids, "--add-to", &grids, "--run"], "cannot be used with"),
        (&[&grids, "--add-to", &grids, "--zeros"], "--zeros needs --run"),
        (&[&grids, "--add-to", "nothing.dxil"], "nothing.dxil"),
    ] {
        let (status, stdout, stderr) = outcome(["cost"].iter().chain(arguments));
        assert_eq!((status, stdout.as_str()), (2, ""), "{arguments:?}: {stderr}");
        assert!(stderr.contains(expected), "{arguments:?}: {stderr}");
    }
}

fn addition(file: &str, expected: i32) -> Value {
    let (file, base) = (sample(&format!("additions/{file}.dxil")), sample("05_sparse_array.dxil"));
    let (status, stdout, stderr) = outcome(["cost", &file, "--add-to", &base, "--format", "json"]);
    assert_eq!(status, expected, "{stderr}");
    serde_json::from_str(&stdout).expect("one JSON object")
}

/// Two bins fill gaps of a sparse output, and a new entry point feeds an old bin and a new one.
#[test]
fn an_addition_is_compared_with_its_base() {
    let all = addition("more_bins", 0);
    let ids = |list: &str, names: &[&str]| -> Vec<Value> {
        all[list].as_array().expect(list).iter().map(|one| json!(figures(one, names))).collect()
    };
    assert_eq!(
        ids("nodes", &["node", "entry", "existing_writers", "existing_targets"]),
        [json!(["Bin[3]", false, 1, 0]), json!(["Bin[6]", false, 1, 0]), json!(["Refill[0]", true, 0, 1]),]
    );
    assert_eq!(
        ids("links", &["node", "kind", "targets", "reached_before", "elements"]),
        [
            json!(["Scatter[0]", "gap-filled", ["Bin[3]", "Bin[6]"], 3, 8]),
            json!(["Refill[0]", "to-existing", ["Bin[1]"], 0, 1]),
            json!(["Refill[0]", "within", ["Bin[6]"], 0, 1]),
        ]
    );
    assert_eq!(
        ids("entries", &["index", "node", "added"]),
        [json!([0, "Scatter[0]", false]), json!([1, "Refill[0]", true]),]
    );
    assert_eq!((&all["changed"], &all["findings"]), (&json!([]), &Value::Null));
    // Each side is the sheet of its own graph.
    let figure = |name: &str| {
        let all = all["figures"].as_array().expect("figures");
        let is = all.iter().find(|figure| figure["figure"] == name).unwrap_or_else(|| panic!("{name}"));
        [is["before"].clone(), is["after"].clone()]
    };
    let base = cost(&[&sample("05_sparse_array.dxil")]);
    let whole = cost(&[&sample("05_sparse_array.dxil"), &sample("additions/more_bins.dxil")]);
    let memory = |name: &str| [&base, &whole].map(|cost| cost["declared"]["memory"][name].clone());
    assert_eq!(figure("scratch"), memory("scratch"));
    assert_eq!(figure("smallest ring of two halves"), memory("smallest_ring"));
    assert_eq!(figure("nodes"), [json!(4), json!(7)]);
    assert_eq!(figure("dispatches of nodes, all levels"), [json!(4), json!(7)]);
    let generations = all["generations"].as_array().expect("generations");
    let side = |cost: &Value, of: &str| {
        let total = |name: &str| {
            cost["declared"]["generations"]
                .as_array()
                .expect("generations")
                .iter()
                .map(|is| is["total"][name].clone())
                .collect::<Vec<_>>()
        };
        let ours: Vec<Value> =
            generations.iter().filter(|is| is["figure"] == "records in").map(|is| is[of].clone()).collect();
        assert_eq!(ours, total("records"), "{of}");
    };
    side(&base, "before");
    side(&whole, "after");
}

#[test]
fn additions_that_the_specification_does_not_allow_are_found() {
    let all = addition("late_bins", 1);
    let found = all["findings"].as_array().expect("findings").iter();
    let codes: Vec<&str> =
        found.filter(|one| one["severity"] == "error").filter_map(|one| one["code"].as_str()).collect();
    assert_eq!(codes, ["G08", "G55", "G56"], "{all}");
    // The base has a warning of its own, which is not one of the addition.
    assert_eq!(all["base_findings"][0]["code"], "G10");
    let (status, text, _) =
        outcome(["cost", &sample("additions/late_bins.dxil"), "--add-to", &sample("05_sparse_array.dxil")]);
    assert!(status == 1 && text.contains("Findings of the addition") && text.contains("G55"), "{text}");
}
