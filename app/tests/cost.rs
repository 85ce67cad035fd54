//! `lanescope cost`: memory accesses of each workgroup layout.

use crate::common::{file, outcome, samples};
use serde_json::{Value, json};

fn sample(name: &str) -> String {
    samples().join(name).to_string_lossy().into_owned()
}

fn cost(arguments: &[&str]) -> Value {
    let all = ["cost"].into_iter().chain(arguments.iter().copied()).chain(["--format", "json"]);
    let (status, stdout, stderr) = outcome(all);
    assert_eq!(status, 0, "{stderr}");
    serde_json::from_str(&stdout).expect("one JSON object")
}

/// Costs of a compute shader with this text.
fn of(source: &str, arguments: &[&str]) -> Value {
    let (_folder, path) = file("shader.comp", format!("#version 460\n{source}"));
    let path = path.to_string_lossy().into_owned();
    cost(&[&[path.as_str()], arguments].concat())
}

/// A figure of all layouts: row-major, quads, strips, strips of quads.
fn totals(cost: &Value, figure: &str) -> Vec<Value> {
    let layouts = cost["layouts"].as_array().expect("layouts");
    layouts.iter().map(|layout| layout["total"][figure].clone()).collect()
}

/// The same of an access.
fn of_access(cost: &Value, access: usize, figure: &str) -> Vec<Value> {
    let layouts = cost["layouts"].as_array().expect("layouts");
    layouts.iter().map(|layout| layout["accesses"][access][figure].clone()).collect()
}

#[test]
fn blocks_halve_the_lines_of_a_tiled_image_in_waves_of_32() {
    let tile = sample("tile_16x16.comp");
    // 16 workgroups of 8 waves, a load and a store.
    let tiled = cost(&[&tile, "--wave", "32"]);
    assert_eq!(tiled["groups"], json!([4, 4, 1]));
    let lines = totals(&tiled, "lines_128");
    assert_eq!([&lines[0], &lines[2]], [&json!(2 * 16 * 8 * 2), &json!(16 * 8 * 2)]);
    assert_eq!((&tiled["advice"]["verdict"], &tiled["advice"]["figure"]), (&json!("change"), &json!("lines")));
    assert_eq!(tiled["advice"]["layout"], "8×N strips");
    // A linear image is read in rows.
    let linear = cost(&[&tile, "--wave", "32", "--tiling", "linear", "--pitch", "4096"]);
    let lines = totals(&linear, "lines_128");
    assert_eq!([&lines[0], &lines[2]], [&json!(2 * 16 * 8 * 2), &json!(4 * 16 * 8 * 2)]);
    assert_eq!((&linear["advice"]["verdict"], &linear["advice"]["layout"]), (&json!("keep"), &json!("row-major")));
    // A wave of 64 touches as many lines in a strip as in a block.
    let wide = cost(&[&tile, "--wave", "64"]);
    let lines = totals(&wide, "lines_128");
    assert_eq!([&lines[0], &lines[2]], [&json!(2 * 16 * 4 * 2); 2]);
}

/// A tile of shared memory with a pitch, read by its own invocation.
fn shared_tile(ty: &str, pitch: u32) -> Value {
    let source = format!(
        "layout(local_size_x = 16, local_size_y = 16) in; layout(binding = 0) buffer Out {{ {ty} o[]; }};
         shared {ty} tile[16][{pitch}];
         void main() {{
             uvec2 at = gl_LocalInvocationID.xy;
             tile[at.y][at.x] = {ty}(1.0); barrier();
             o[gl_LocalInvocationIndex] = tile[at.y][at.x];
         }}"
    );
    of(&source, &["--wave", "32", "--buffer", "0:0=65536"])
}

/// The worked table of conflicts: passes of a wave of 32, in rows and in strips of 8×4.
#[test]
fn conflicts_of_shared_memory_are_those_of_the_worked_table() {
    for (ty, pitch, passes) in [
        ("float", 16, [1, 2]),
        ("float", 17, [2, 2]),
        ("float", 24, [2, 1]),
        ("vec2", 16, [2, 4]),
        ("vec4", 17, [4, 4]),
    ] {
        let found = shared_tile(ty, pitch);
        let of = totals(&found, "lds_passes");
        // A store and a load, 8 waves each.
        let expected = passes.map(|passes| json!(passes * 2 * 8));
        assert_eq!([&of[0], &of[2]], [&expected[0], &expected[1]], "{ty}, pitch {pitch}");
    }
}

#[test]
fn accesses_have_their_instruction_variable_and_line() {
    let found = of(
        "layout(local_size_x = 64) in; layout(binding = 3) readonly buffer In { uint u[]; } source;
         layout(binding = 4) buffer Out { uint u[]; } target; shared uint bins[8];
         void main() {
             uint i = gl_GlobalInvocationID.x;
             atomicAdd(bins[source.u[i] & 7u], 1u);
             target.u[i * 16u] = source.u[i];
         }",
        &["--buffer", "0:3=4096", "--buffer", "0:4=65536"],
    );
    let rows = found["accesses"].as_array().expect("rows");
    let rows: Vec<[&Value; 4]> =
        rows.iter().map(|row| [&row["kind"], &row["memory"], &row["resource"], &row["bytes"]]).collect();
    let expected = [
        [json!("load"), json!("buffer"), json!("source"), json!(4)],
        [json!("atomic"), json!("shared"), json!("bins"), json!(4)],
        [json!("load"), json!("buffer"), json!("source"), json!(4)],
        [json!("store"), json!("buffer"), json!("target"), json!(4)],
    ];
    assert_eq!(rows, expected.each_ref().map(|row| row.each_ref()));
    assert!(found["accesses"][3]["line"].as_str().is_some_and(|line| line.ends_with("shader.comp:7")), "{found}");
    // 64 lanes of 4 bytes side by side, and 64 bytes apart.
    assert_eq!(of_access(&found, 0, "lines_128")[0], 2);
    assert_eq!(of_access(&found, 3, "lines_128")[0], 32);
    assert_eq!(
        (&of_access(&found, 3, "bytes")[0], &of_access(&found, 3, "bytes_moved")[0]),
        (&json!(256), &json!(2048))
    );
    // All lanes add to one word: a pass for each.
    assert_eq!(of_access(&found, 1, "lds_passes")[0], 64);
}

const GATHER: &str = "layout(local_size_x = 64) in; layout(binding = 0) readonly buffer Index { uint at[]; } index;
     layout(binding = 1) buffer Data { uint u[]; } data; layout(push_constant) uniform Push { uint limit; } push;
     void main() {
         uint i = gl_GlobalInvocationID.x;
         if (i >= push.limit) data.u[index.at[i] * 32u] = 1u;
     }";

#[test]
fn addresses_that_depend_on_inputs_are_named() {
    let zeros = of(GATHER, &["--buffer", "0:0=256", "--buffer", "0:1=65536"]);
    assert_eq!(zeros["contents"], "zeros");
    let depends = zeros["depends"].as_array().expect("two");
    let row = |at: usize| [&depends[at]["resource"], &depends[at]["given"], &depends[at]["branches"]];
    assert_eq!(depends.len(), 2, "{depends:?}");
    let names: Vec<&Value> = depends.iter().map(|one| &one["resource"]).collect();
    let index = names.iter().position(|name| **name == "index").expect("the index buffer");
    assert_eq!(row(index), [&json!("index"), &json!(false), &json!(false)]);
    assert_eq!(row(1 - index), [&json!("push constants"), &json!(false), &json!(true)]);
    assert_eq!(depends[index]["descriptor"], json!([0, 0]));
    // All lanes store to one word.
    assert_eq!(of_access(&zeros, 1, "lines_128")[0], 1);
    let list: Vec<String> = (0..64).map(|at: u32| at.to_string()).collect();
    let indices = format!("0:0=uint {}", list.join(","));
    let given = of(GATHER, &["--buffer", &indices, "--buffer", "0:1=65536", "--push", "limit=32"]);
    assert!(given["depends"].as_array().expect("two").iter().all(|one| one["given"] == true));
    assert_eq!(of_access(&given, 1, "lines_128")[0], 32);
    let (_folder, path) = file("gather.comp", format!("#version 460\n{GATHER}"));
    let (status, text, _) = outcome(["cost", &path.to_string_lossy()]);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(status, 0);
    assert!(text.contains("may depend on the contents of index (set 0, binding 0), which are zeros"), "{text}");
    assert!(text.contains("branches may depend on the contents of push constants, which are zeros"), "{text}");
}

#[test]
fn unusable_shaders_and_flags_are_errors() {
    let endless = "layout(local_size_x = 8) in; layout(binding = 0) buffer B { uint u[]; };
         void main() { while (u[0] == 0u) { atomicAdd(u[1], 1u); } }";
    let (_folder, path) = file("endless.comp", format!("#version 460\n{endless}"));
    let path = path.to_string_lossy().into_owned();
    let (vertex, tile) = (sample("lit_surface.vert"), sample("tile_16x16.comp"));
    for (arguments, expected) in [
        (&[path.as_str(), "--max-steps", "100000"][..], "does not end within 100000 steps: workgroup 0,0,0"),
        (&[&path, "--max-steps", "100000"], "its last access to memory is #"),
        (&[&vertex], "memory accesses are counted of one compute shader; found vertex"),
        (&[&tile, "--pitch", "4096"], "--pitch is of linear images"),
        (&[&tile, "--group-size", "8,8,1"], "runs workgroups of the shader's 16×16×1; the options ask for 8×8×1"),
        (&[&tile, "--sample", "0"], "--sample"),
        (&[&tile, "--tiling", "other"], "--tiling"),
    ] {
        let (status, stdout, stderr) = outcome(["cost"].iter().chain(arguments));
        assert_eq!((status, stdout.as_str()), (2, ""), "{arguments:?}: {stderr}");
        assert!(stderr.contains(expected), "{arguments:?}: {stderr}");
    }
}

#[test]
fn large_dispatches_are_sampled() {
    let found = of(
        "layout(local_size_x = 64) in; layout(binding = 0) buffer B { uint u[]; };
         void main() { u[gl_LocalInvocationIndex] = gl_WorkGroupID.x; }",
        &["--groups", "1000,1000,1000", "--buffer", "0:0=256"],
    );
    assert_eq!((&found["counted"], &found["orders"]), (&json!(256), &Value::Null));
    assert!(found["notes"][0].as_str().is_some_and(|note| note.contains("256 of 1000000000 workgroups")), "{found}");
    assert_eq!(totals(&found, "runs")[0], 256);
}

/// Workgroups that read a row and a column of blocks share more lines in tiles than row by row.
#[test]
fn orders_of_workgroups_are_compared() {
    let source = "layout(local_size_x = 32) in; layout(binding = 0) readonly buffer In { uint u[]; } rows;
         layout(binding = 1) readonly buffer Other { uint u[]; } columns; layout(binding = 2) buffer Out { uint u[]; };
         void main() {
             uvec2 group = gl_WorkGroupID.xy;
             uint sum = rows.u[group.y * 32u + gl_LocalInvocationID.x] + columns.u[group.x * 32u + gl_LocalInvocationID.x];
             if (sum == 12345u) u[0] = sum;
         }";
    let found = of(
        source,
        &["--groups", "16,16,1", "--window", "16", "--buffer", "0:0=2048", "--buffer", "0:1=2048", "--group-tile", "8"],
    );
    let orders = found["orders"]["orders"].as_array().expect("orders");
    let lines: Vec<&Value> = orders.iter().map(|order| &order["lines"]).collect();
    assert_eq!(lines[..3], [&json!(16 * 17), &json!(16 * 8), &json!(16 * 8)]);
    assert_eq!((&lines[3], &orders[2]["selected"]), (&&Value::Null, &json!(true)));
}

#[test]
fn results_that_depend_on_waves_run_once_for_each_layout() {
    let found = of(
        "#extension GL_KHR_shader_subgroup_basic : require
         layout(local_size_x = 16, local_size_y = 4) in; layout(binding = 0) buffer B { uint u[]; };
         void main() { u[gl_SubgroupID * 32u + gl_SubgroupInvocationID] = 1u; }",
        &["--wave", "32", "--buffer", "0:0=256"],
    );
    // Lane by lane, whichever invocation that is.
    assert_eq!(totals(&found, "lines_128"), [2, 2, 2, 2]);
    assert!(found["notes"].to_string().contains("ran once for each layout"), "{found}");
    assert_eq!(found["advice"]["verdict"], "no-difference");
}

#[test]
fn layouts_that_a_workgroup_cannot_have_say_why() {
    let odd = cost(&[&sample("odd_size.comp")]);
    let layouts = odd["layouts"].as_array().expect("layouts");
    assert_eq!(layouts[2]["unavailable"], "X = 5 is not a multiple of 8");
    assert_eq!((&layouts[1]["total"], &odd["advice"]["verdict"]), (&Value::Null, &json!("nothing")));
    let quads = cost(&[&sample("quad_derivatives.comp")]);
    assert!(quads["layouts"][0]["unavailable"].to_string().contains("derivatives are quads"), "{quads}");
}

/// 1,024 lanes with a million accesses, in all layouts.
#[test]
fn a_million_accesses_take_seconds_at_most() {
    let source = "layout(local_size_x = 32, local_size_y = 32) in; layout(binding = 0) buffer B { uint u[]; };
         void main() {
             uint sum = 0u;
             for (uint n = 0u; n < 1000u; ++n) sum += u[gl_LocalInvocationIndex + n * 32u];
             u[gl_LocalInvocationIndex] = sum;
         }";
    let start = std::time::Instant::now();
    let found = of(source, &["--buffer", "0:0=262144"]);
    assert_eq!(totals(&found, "lanes")[0], 1_025_024);
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}

/// On a software device the times say little of layouts; what stands beside them is exact.
#[test]
fn layouts_are_timed_beside_counts_in_waves_of_the_device() {
    let tile = sample("tile_16x16.comp");
    let timed = cost(&[&tile, "--measure", "--device", "llvmpipe", "--validate", "--rounds", "5"]);
    let measured = &timed["measured"];
    assert!(measured["device"].as_str().is_some_and(|name| name.contains("llvmpipe")), "{measured}");
    assert_eq!((&timed["wave"], &measured["clock"]), (&measured["subgroup"], &json!("device")));
    let layouts = measured["layouts"].as_array().expect("layouts");
    let (lines, lds) = (totals(&timed, "lines_128"), totals(&timed, "lds_passes"));
    for (at, layout) in layouts.iter().enumerate() {
        assert_eq!(layout["samples"].as_array().map(Vec::len), Some(5), "{layout}");
        let predicted = lines[at].as_u64().zip(lds[at].as_u64()).map(|(lines, lds)| lines + lds);
        assert_eq!(layout["predicted"].as_u64(), predicted);
        assert_eq!(layout["layout"], timed["layouts"][at]["layout"]);
    }
    assert!(layouts.iter().any(|layout| layout["place"] == 1), "{measured}");
    assert!(layouts.len() == 4 && measured["agreement"] != "nothing", "{measured}");
    assert!(measured["notes"].to_string().contains("lanes run invocations row by row: measured"), "{measured}");
    // Waves of that many lanes are counted without a device too, where the chip has them.
    let (status, stdout, stderr) = outcome(["cost", &tile, "--measure", "--device", "llvmpipe", "--rounds", "1"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stdout.contains("Measured  llvmpipe") && stdout.contains("1 sample of"), "{stdout}");
    // One sample decides nothing.
    assert!(stdout.contains("Nothing is compared") && stdout.contains("steady is not known"), "{stdout}");
    let odd = cost(&[&sample("odd_size.comp"), "--measure", "--device", "llvmpipe", "--rounds", "1"]);
    let layouts = &odd["measured"]["layouts"];
    assert_eq!(layouts[2]["not_timed"], "X = 5 is not a multiple of 8");
    assert_eq!((&odd["measured"]["agreement"], &layouts[2]["samples"]), (&json!("nothing"), &Value::Null));
}

#[test]
fn what_is_not_timed_says_why() {
    let says = |arguments: &[&str], status: i32, said: &str| {
        let (found, _, stderr) = outcome(["cost"].iter().chain(arguments));
        assert_eq!(found, status, "{stderr}");
        assert!(stderr.contains(said), "{stderr}");
    };
    let tile = sample("tile_16x16.comp");
    says(&[&tile, "--device", "llvmpipe"], 2, "--device needs --measure: layouts are counted without a device");
    says(&[&tile, "--measure", "--device", "interpreter"], 2, "the interpreter's time says nothing of layouts");
    says(&[&tile, "--measure", "--device", "no such device"], 3, "no such device");
    says(&[&tile, "--measure", "--chip", "gfx1030"], 2, "--chip is of graphics pipelines");
    says(&[&tile, "--rounds", "3"], 2, "--measure");
    says(&[&tile, "--measure", "--wave", "32"], 2, "--wave cannot be used with --measure");
    let lit = [sample("lit_surface.vert"), sample("lit_surface.frag")];
    says(&[&lit[0], &lit[1], "--measure"], 2, "--measure is of compute shaders");
    says(
        &[&sample("work_graphs/04_broadcast_grids.dxil"), "--measure"],
        2,
        "--measure cannot be used with a work graph",
    );
}
