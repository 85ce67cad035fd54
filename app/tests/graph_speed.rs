//! GPU-driven work graphs against hand-written pipelines of plain indirect dispatches that do the same work:
//! `make test-device`, with `LANESCOPE_DEVICE` naming another device than the first.
//!
//! Times are the device's own, the shortest of several runs. Both sides do the same shading with the same atomics on
//! the same buffers; results are compared with the closed forms.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use lanescope_core::dxil::Dxil;
use lanescope_core::gpu::{By, Chain, DeviceOptions, Inputs, Link, run_chain, run_graph};
use lanescope_core::graph::{GraphSource, Overrides, link, nodes};
use lanescope_core::run::graph::input::{self, InputOptions};
use lanescope_core::run::graph::{GraphMode, GraphRequest, GraphRun};

/// How often each is run; the shortest counts.
const RUNS: u32 = 12;
/// Free run may take this many times as long.
const AT_MOST: f64 = 1.5;

/// A graph, the number of starts, and the same work with hand-written dispatches.
struct Case {
    file: &'static str,
    records: u64,
    chain: Chain,
    /// The words at the start of the first buffer after one start, of which every start adds as much again.
    expected: Vec<u32>,
}

fn main() -> ExitCode {
    let device = std::env::var("LANESCOPE_DEVICE").unwrap_or_else(|_| "0".to_owned());
    let timeout = Duration::from_secs(120);
    let options = DeviceOptions { device: Some(device), timeout, ..DeviceOptions::default() };
    let mut failed = false;
    println!("{:28} {:>10} {:>12} {:>12} {:>7} {:>12}", "graph", "records", "free", "by hand", "ratio", "stepped");
    for case in [million(), classify(1), classify(64), classify(8192)] {
        match one(&options, &case) {
            Ok(line) => println!("{line}"),
            Err(why) => {
                failed = true;
                println!("{:28} {:>10} FAILED {why}", case.file, case.records);
            }
        }
    }
    println!(
        "Free run may take {AT_MOST} times as long as the work by hand. Stepping's time is the whole of it, host included."
    );
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn one(options: &DeviceOptions, case: &Case) -> Result<String, String> {
    let text = |error: lanescope_core::gpu::GpuError| error.to_string();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples/work_graphs").join(case.file);
    let path = std::env::var("LANESCOPE_SAMPLES").map_or(path, |folder| Path::new(&folder).join(case.file));
    let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let dxil = Dxil::read(bytes).map_err(|fault| fault.to_string())?;
    let graph = link(nodes(&dxil, 0), GraphSource::Dxil, &Overrides::default());
    let entry = graph.nodes.iter().find(|node| node.starts()).map(|node| node.id.to_string());
    let named = InputOptions { entry: entry.as_deref(), ..InputOptions::default() };
    let inputs = input::counted(case.records, &graph, named).map_err(|error| error.to_string())?;
    let request = GraphRequest { inputs, ring: 512 << 20, timed: false, ..GraphRequest::default() };
    let check = |bytes: &[u8], what: &str| {
        let found: Vec<u32> = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        match found.get(..case.expected.len()) == Some(&case.expected[..]) {
            true => Ok(()),
            false => Err(format!("{what} wrote {:?}, {:?} expected", found.get(..case.expected.len()), case.expected)),
        }
    };
    let run = |mode: GraphMode, dispatches: u32, timed: bool| {
        let request = GraphRequest { mode, dispatches, timed, ..request.clone() };
        let run = run_graph(options, &dxil, &graph, &request, &Inputs::default()).map_err(text)?;
        match &run.stopped {
            Some(stopped) => Err(stopped.why.clone()),
            None => Ok(run),
        }
    };
    let first = run(GraphMode::Free, 1, false)?;
    check(&first.contents.values().next().map_or_else(Vec::new, |blob| blob.0.clone()), "the free run")?;
    let many = run(GraphMode::Free, RUNS, false)?;
    let of_start = |dispatch: u32| {
        let of = many.generations.iter().filter(|generation| generation.dispatch == dispatch);
        of.map(|generation| generation.nanoseconds).sum::<u64>()
    };
    let free = (0..RUNS).map(of_start).min().unwrap_or(0) as f64;
    let shares = shares(&run(GraphMode::Free, RUNS, true)?);
    let stepped = run(GraphMode::Step, 1, false)?;
    check(&stepped.contents.values().next().map_or_else(Vec::new, |blob| blob.0.clone()), "stepping")?;
    let by_hand = run_chain(options, &case.chain, 1).map_err(text)?;
    check(&by_hand.result, "the work by hand")?;
    let by_hand = run_chain(options, &case.chain, RUNS).map_err(text)?;
    let plain = by_hand.times.iter().min().map_or(0, Duration::as_nanos) as f64;
    let ratio = free / plain;
    let word = if ratio <= AT_MOST { "" } else { "  above the limit" };
    Ok(format!(
        "{:28} {:>10} {:>9.3} ms {:>9.3} ms {:>7.2} {:>9.1} ms{word}\n    {shares}",
        case.file,
        case.records,
        free / 1e6,
        plain / 1e6,
        ratio,
        stepped.wall_nanoseconds as f64 / 1e6
    ))
}

/// Where the shortest start spent its time, by the device's clock: which is read between generations, and costs a
/// little itself.
fn shares(run: &GraphRun) -> String {
    let of_start = |dispatch: u32| run.generations.iter().filter(move |generation| generation.dispatch == dispatch);
    let time = |dispatch: &u32| of_start(*dispatch).map(|is| is.nanoseconds + is.leading_nanoseconds).sum::<u64>();
    let shortest = (0..RUNS).min_by_key(time).unwrap_or(0);
    let parts = of_start(shortest).map(|is| {
        let micro = |nanoseconds: u64| nanoseconds as f64 / 1e3;
        format!("{}: {:.1} + {:.1}", is.number, micro(is.nanoseconds), micro(is.leading_nanoseconds))
    });
    format!("generation: nodes + leading, µs   {}", parts.collect::<Vec<_>>().join("   "))
}

fn source(size: u32, body: &str) -> String {
    format!("#version 460\nlayout(local_size_x = {size}) in;\n{body}")
}

/// A thread of a grid whose lines have 32768 groups.
const INDEX: &str = "(gl_WorkGroupID.y * 32768 + gl_WorkGroupID.x)";

/// Sample 8: 2^17 records of a producer, 2^20 of a consumer.
fn million() -> Case {
    let buffers = "
layout(set = 0, binding = 0) buffer Result { uint result[]; };
layout(set = 0, binding = 1) buffer Counts { uint x0, y0, z0, blocks, x1, y1, z1, items; };
layout(set = 0, binding = 2) buffer Blocks { uint block_of[]; };
layout(set = 0, binding = 3) buffer Items { uint item_of[]; };
";
    let link = |size, body: &str, by| Link { source: source(size, &format!("{buffers}{body}")), by, beside: false };
    let turn = |count: &str, x: &str, y: &str, z: &str| {
        format!(
            "void main() {{ uint g = ({count} + 31) / 32; {x} = min(g, 32768); {y} = (g + 32767) / 32768; {z} = 1; }}"
        )
    };
    let consume = format!(
        "void main() {{ uint i = {INDEX} * 32 + gl_LocalInvocationID.x; if (i >= items) return;
            uint index = item_of[i]; atomicAdd(result[0], 1); atomicAdd(result[1], index);
            atomicAdd(result[2 + (index & 7)], 1); atomicMax(result[11], index); }}"
    );
    let produce = format!(
        "void main() {{ uint i = {INDEX} * 32 + gl_LocalInvocationID.x; if (i >= blocks) return;
            uint block = block_of[i]; atomicAdd(result[10], 1); uint at = atomicAdd(items, 8);
            for (uint k = 0; k < 8; k++) item_of[at + k] = block * 8 + k; }}"
    );
    let seed = "void main() { uint at = atomicAdd(blocks, 1); block_of[at] = gl_GlobalInvocationID.x; }";
    let links = vec![
        link(1, "void main() { blocks = 0; items = 0; }", By::Groups([1, 1, 1])),
        link(256, seed, By::Groups([512, 1, 1])),
        link(1, &turn("blocks", "x0", "y0", "z0"), By::Groups([1, 1, 1])),
        link(32, &produce, By::Buffer(1, 0)),
        link(1, &turn("items", "x1", "y1", "z1"), By::Groups([1, 1, 1])),
        link(32, &consume, By::Buffer(1, 16)),
    ];
    let mut expected = vec![1 << 20, 4_294_443_008];
    expected.extend([131_072; 9]);
    expected.push((1 << 20) - 1);
    Case {
        file: "08_million_records.dxil",
        records: 1,
        chain: Chain { links, buffers: vec![4096, 64, 4 << 17, 4 << 20] },
        expected,
    }
}

/// Sample 1, so many times: tiles by material, shading by material, one list of results.
fn classify(times: u32) -> Case {
    let tiles = 128 * times;
    let buffers = format!(
        "
layout(set = 0, binding = 0) buffer Result {{ uint result[]; }};
layout(set = 0, binding = 1) buffer Counts {{ uint count[8]; uint resolved; uint unused; uint args[]; }};
layout(set = 0, binding = 2) buffer Tiles {{ uint tile_of[]; }};
layout(set = 0, binding = 3) buffer Resolve {{ uvec2 resolve_of[]; }};
const uint TILES = {tiles};
"
    );
    let link = |size, body: &str, by| Link { source: source(size, &format!("{buffers}{body}")), by, beside: false };
    let groups = 8 * times;
    let (x, y) = (groups.min(32768), groups.div_ceil(32768));
    let classify = format!(
        "void main() {{ uint group = {INDEX}; if (group >= {groups}) return;
            uint wg = group & 7; uint t = gl_LocalInvocationID.x;
            uint tile = ((wg >> 2) * 4 + (t >> 2)) * 16 + (wg & 3) * 4 + (t & 3);
            uint material = tile % 5; uint at = atomicAdd(count[material], 1); tile_of[material * TILES + at] = tile; }}"
    );
    let turn = "void main() { for (uint m = 0; m < 5; m++) { args[4 * m] = min(count[m], 32768);
        args[4 * m + 1] = (count[m] + 32767) / 32768; args[4 * m + 2] = 1; } }";
    let shade = |material: u32| {
        format!(
            "shared uint sum; void main() {{ uint i = {INDEX}; if (i >= count[{material}]) return;
                uint tile = tile_of[{material} * TILES + i]; uint t = gl_LocalInvocationID.x;
                if (t == 0) sum = 0; barrier(); uint material = tile % 5; uint part = 0;
                for (uint k = 0; k < 2; k++) part += (material + 1) * (k * 32 + t + 1);
                atomicAdd(sum, part); barrier();
                if (t == 0) {{ uint at = atomicAdd(resolved, 1); resolve_of[at] = uvec2(material, sum); }} }}"
        )
    };
    let last = "void main() { uint g = (resolved + 7) / 8; args[20] = min(g, 32768); args[21] = (g + 32767) / 32768; args[22] = 1; }";
    let resolve = format!(
        "void main() {{ uint i = {INDEX} * 8 + gl_LocalInvocationID.x; if (i >= resolved) return;
            uvec2 r = resolve_of[i]; atomicAdd(result[r.x], r.y); atomicAdd(result[8 + r.x], 1); }}"
    );
    let clear = "void main() { for (uint m = 0; m < 8; m++) count[m] = 0; resolved = 0; }";
    let mut links = vec![
        link(1, clear, By::Groups([1, 1, 1])),
        link(16, &classify, By::Groups([x, y, 1])),
        link(1, turn, By::Groups([1, 1, 1])),
    ];
    let shades =
        (0..5).map(|material| (material, link(32, &shade(material), By::Buffer(1, 40 + 16 * u64::from(material)))));
    links.extend(shades.map(|(material, link)| Link { beside: material > 0, ..link }));
    links.push(link(1, last, By::Groups([1, 1, 1])));
    links.push(link(8, &resolve, By::Buffer(1, 120)));
    let counts = [26u32, 26, 26, 25, 25];
    let mut expected: Vec<u32> = (0u32..).zip(counts).map(|(m, n)| (n * (m + 1) * 2080).wrapping_mul(times)).collect();
    expected.extend([0, 0, 0]);
    expected.extend(counts.map(|n| n * times));
    let bytes = u64::from(tiles);
    Case {
        file: "01_tile_classify.dxil",
        records: u64::from(times),
        chain: Chain { links, buffers: vec![4096, 256, 4 * 5 * bytes, 8 * bytes] },
        expected,
    }
}
