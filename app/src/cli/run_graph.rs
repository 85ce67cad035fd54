//! `lanescope run` of a work graph: its first records, stepped or GPU-driven mode, and the results.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use lanescope_core::gpu::Inputs;
use lanescope_core::graph::{GraphSource, NO_EXTENSION, Overrides, WorkGraph, why_not_run};
use lanescope_core::run::Blob;
use lanescope_core::run::graph::{
    CountedAs, Cut, DEFAULT_RING, GraphInput, GraphMode, GraphRequest, GraphRun, Growing, LOCAL_BUFFER, MAX_RING,
    Resume, file,
};

use super::graph_start::{FirstRecordArgs, Library, local_roots, read};
use super::on_device::{Device, Format};
use super::stepper::Stepper;
use super::{CliError, Verdict, graph_json, json, size};
use crate::cli::streams;
use lanescope_host::flags::choices::one_of;
use lanescope_host::rewriting::NamedFile;
use lanescope_host::safe_write::{may_write, write_file, write_files};
use lanescope_host::saved_runs;
use lanescope_host::worker::{Client, GraphRunRequest, Request};
use lanescope_text as text;

/// Arguments of work graphs only.
#[derive(Debug, Args)]
pub struct GraphArguments {
    #[command(flatten)]
    first: FirstRecordArgs,

    /// The device schedules all generations. Without this flag the host does, and reads all records after each generation.
    /// (Generation 0 runs on the first records, each later one on the records that the one before wrote)
    #[arg(long, conflicts_with = "mode", help_heading = "Work graphs")]
    gpu_driven: bool,

    /// Dispatch each generation after the first as vkd3d-proton does, and count its workgroups; `lanescope cost` shows the
    /// counters of the saved run
    #[arg(long, requires = "gpu_driven", help_heading = "Work graphs")]
    count_groups: bool,

    /// The earlier spelling: `free` is --gpu-driven
    #[arg(long, hide = true, help_heading = "Work graphs", value_parser = one_of(GraphMode::ALL, GraphMode::name))]
    mode: Option<GraphMode>,

    /// Memory for records in flight, in bytes or with K, M or G
    #[arg(long, value_name = "SIZE", value_parser = ring, default_value = "256M", help_heading = "Work graphs")]
    ring: u64,

    /// Last generation to run (0 runs on the first records)
    #[arg(long, value_name = "GENERATION", help_heading = "Work graphs")]
    until: Option<u32>,

    /// Stop before a node gets records, or a record that meets the condition (may be repeated)
    #[arg(long = "break", value_name = "NODE[: CONDITION]", help_heading = "Work graphs")]
    breakpoints: Vec<String>,

    /// JSON file with records to change before their generation runs
    #[arg(long, value_name = "FILE", help_heading = "Work graphs")]
    edit: Option<PathBuf>,

    /// Saved run to resume, before the generation that it is paused at or that of --from
    #[arg(
        long,
        value_name = "FILE.lanescope-run",
        conflicts_with_all = ["input", "input_mode", "stride", "records", "gpu_input"],
        help_heading = "Work graphs"
    )]
    resume: Option<PathBuf>,

    /// Generation of the saved run to resume from, in the last dispatch that has it
    #[arg(long, value_name = "GENERATION", requires = "resume", help_heading = "Work graphs")]
    from: Option<u32>,

    /// File to save the run to; it opens without a device
    #[arg(long, value_name = "FILE.lanescope-run", help_heading = "Work graphs")]
    save: Option<PathBuf>,

    /// Records to print for each node; a saved run has all of them
    #[arg(long, value_name = "N", default_value_t = 8, help_heading = "Work graphs")]
    show: u64,

    /// Largest number of records in a batch
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Work graphs")]
    batch: Option<u64>,

    /// Vulkan workgroups that execute the dispatch grid of one record [default: one per group of the grid]; ignored for
    /// nodes that would lose groups
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Work graphs")]
    width: Option<u32>,

    /// Largest number of records in a coalescing group, if less than the node declares
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Work graphs")]
    coalesce: Option<u32>,

    /// Count groups as on a device that takes fewer workgroups along X than vkd3d-proton needs for one row.
    #[arg(skip)]
    rows: bool,
}

/// Reads the size of a ring.
fn ring(text: &str) -> Result<u64, String> {
    size::bytes_within(text, [(0, "0"), (MAX_RING, "64G")])
}

/// A saved run to continue.
struct Before {
    /// The run up to the generation that runs next.
    run: GraphRun,
    /// The state to restore before that generation.
    resume: Resume,
    /// The first records, if more starts follow.
    first: Vec<GraphInput>,
}

/// Destination of a graph's run.
pub struct Where<'w> {
    pub child: &'w mut Client,
    pub on: &'w Device,
    /// The folder for buffers and images.
    pub out: Option<&'w Path>,
    /// Whether existing files are overwritten.
    pub force: bool,
}

/// Prints a run, with at most `shown` records of each node.
pub fn print(run: &GraphRun, show: u64, format: Format) -> Result<Verdict, CliError> {
    match format {
        Format::Text => {
            let (mut out, style) = streams::styled();
            text::write_graph_run(run, show, &mut out, style)?;
            out.flush()?;
        }
        Format::Json => json::print(&graph_json::Page::of(run, show))?,
    }
    Ok(if run.has_errors() { Verdict::Findings } else { Verdict::Clean })
}

impl GraphArguments {
    /// Whether the run is saved to a file.
    pub fn saves(&self) -> bool {
        self.save.is_some()
    }

    fn mode(&self) -> GraphMode {
        if self.gpu_driven { GraphMode::Free } else { self.mode.unwrap_or(GraphMode::Step) }
    }

    /// Runs a program's work graph.
    pub fn run(
        &self,
        library: Library<'_>,
        overrides: &Overrides,
        entry: Option<&str>,
        inputs: Inputs,
        to: Where<'_>,
    ) -> Result<GraphRun, CliError> {
        let Library { program, graph, findings } = library;
        if graph.source == GraphSource::Spirv {
            return Err(CliError::Missing(NO_EXTENSION.to_owned()));
        }
        let [library] = program.dxil.as_slice() else {
            return Err(CliError::Unusable("expected one DXIL library with the work graph".to_owned()));
        };
        if let Some(why) = why_not_run(&findings) {
            return Err(CliError::Unusable(format!("{why}; `lanescope graph` lists all violated rules")));
        }
        let before = self.resume.as_deref().map(|path| self.resumed(path, &graph, entry)).transpose()?;
        let edits = self.edit.as_deref().map(|path| Ok::<_, CliError>((path, read(path)?))).transpose()?;
        let from = before.as_ref().map(|before| (before.resume.dispatch, before.resume.number));
        let edits = edits.as_ref().map(|(path, text)| (*path, text.as_str()));
        let mut lead = Stepper::new(&graph, &self.breakpoints, edits, from)?;
        for path in self.save.iter().chain(&to.out.map_or(Vec::new(), exports_in)) {
            may_write(path, to.force)?;
        }
        let input_mode = before.as_ref().map_or(self.first.input_mode, |before| before.run.input_mode);
        let (growing, resume, first) = match before {
            Some(before) => (Growing::going_on_from(before.run), Some(Box::new(before.resume)), before.first),
            None => (Growing::default(), None, self.first.inputs(&graph, entry)?),
        };
        let request = GraphRequest {
            mode: self.mode(),
            input_mode,
            inputs: first,
            dispatches: self.first.dispatches,
            ring: self.ring,
            until: self.until,
            led: lead.start(self.mode())?,
            resume,
            timed: true,
            local_roots: local_roots(self.first.local_root.as_deref())?,
            cut: Cut { batch: self.batch, width: self.width, coalesce: self.coalesce },
            counted: self.count_groups.then_some(CountedAs { rows: self.rows }),
        };
        let request = Request::RunGraph(Box::new(GraphRunRequest {
            dxil: library.dxil.clone(),
            overrides: overrides.clone(),
            request,
            device: to.on.options(),
            inputs,
        }));
        let mut run = to.on.run_graph(to.child, growing, &request, |growing| lead.next(growing))?;
        if let Some(place) = lead.end(&run)? {
            streams::tell(&format!("stopped by a breakpoint {place}"));
        }
        run.file = program.inputs.first().map(|input| input.path.clone()).unwrap_or_default();
        run.findings.splice(0..0, findings);
        if let Some(path) = &self.save {
            save(path, &run, to.force)?;
        }
        if let Some(folder) = to.out {
            export(folder, &run, self.show, to.force)?;
        }
        Ok(run)
    }

    /// Prints a run.
    pub(super) fn print(&self, run: &GraphRun, format: Format) -> Result<(), CliError> {
        print(run, self.show, format).map(|_| ())
    }

    /// Records that are shown of each node.
    pub(super) fn shown(&self) -> u64 {
        self.show
    }

    /// Reads the saved run to continue.
    fn resumed(&self, path: &Path, graph: &WorkGraph, entry: Option<&str>) -> Result<Before, CliError> {
        let wrong = |why: &str| CliError::Unusable(format!("{}: {why}", path.display()));
        if entry.is_some() {
            return Err(wrong("--entry cannot be used with --resume: the saved run has its entry nodes"));
        }
        if self.mode() == GraphMode::Free {
            return Err(wrong("--resume cannot be used with --gpu-driven: such a run cannot start at a generation"));
        }
        let run = saved_runs::read(path).map_err(CliError::Unusable)?;
        if !graph.is_as_saved(&run.graph) {
            let (its, here) = (nodes_of(&run.graph), nodes_of(graph));
            let why = format!("is a run of a different graph: its nodes are {its}; the nodes of this file are {here}");
            return Err(wrong(&why));
        }
        let at = match self.from {
            None if run.pending.is_empty() => {
                let there = generations_of(&run);
                let why = format!("the run is complete; use --from to choose a generation: {there}");
                return Err(wrong(&why));
            }
            None => run.generations.len(),
            Some(number) => {
                let ran = run.generations.iter().rposition(|generation| generation.number == number);
                let waits = !run.pending.is_empty() && run.waits_for().1 == number;
                let waiting = waits.then_some(run.generations.len());
                let there = || format!("generation {number} does not exist: expected {}", generations_of(&run));
                waiting.or(ran).ok_or_else(|| wrong(&there()))?
            }
        };
        let resume = run.resume(at).map_err(|why| wrong(&why))?;
        let more = self.first.dispatches > resume.dispatch.saturating_add(1);
        let first = if more { run.first_inputs().map_err(|why| wrong(&why))? } else { Vec::new() };
        Ok(Before { run: run.before_generation(at), resume, first })
    }

    /// A stepped run of these records with the default of each other flag.
    pub(super) fn stepped(first: FirstRecordArgs) -> GraphArguments {
        GraphArguments {
            first,
            gpu_driven: false,
            count_groups: false,
            mode: None,
            ring: DEFAULT_RING,
            until: None,
            breakpoints: Vec::new(),
            edit: None,
            resume: None,
            from: None,
            save: None,
            show: 0,
            batch: None,
            width: None,
            coalesce: None,
            rows: false,
        }
    }

    /// A GPU-driven run of these records that counts groups, in `rows` where every device needs them.
    pub(super) fn counting(first: FirstRecordArgs, rows: bool) -> GraphArguments {
        GraphArguments { gpu_driven: true, count_groups: true, rows, ..GraphArguments::stepped(first) }
    }
}

/// Nodes that a message names.
const NAMED: usize = 8;

/// The nodes of a graph as text. If the names agree, the code of the functions differs.
fn nodes_of(graph: &WorkGraph) -> String {
    let names: Vec<String> = graph.nodes.iter().take(NAMED).map(|node| node.id.to_string()).collect();
    let more = graph.nodes.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", names.join(", "))
}

/// The generations that a run can continue from, as text.
fn generations_of(run: &GraphRun) -> String {
    let last = run.generations.iter().map(|generation| generation.number).max();
    let waits = (!run.pending.is_empty()).then(|| run.waits_for().1);
    last.max(waits).map_or_else(|| "none".to_owned(), |last| format!("0 to {last}"))
}

/// Writes contents as `NAME.bin`, buffers as typed `NAME.json` too, and the report as `run.json`. Writes nothing if
/// one of the files exists, unless `force` is set.
fn export(folder: &Path, run: &GraphRun, show: u64, force: bool) -> Result<(), CliError> {
    let mut files: Vec<NamedFile> = Vec::new();
    for (name, blob) in &run.contents {
        let typed = run.buffers.iter().find(|buffer| buffer.name == *name);
        // Buffers of local root arguments have names of their own, of which two may become one.
        let mut name = name.replace(|c: char| !c.is_ascii_alphanumeric() && !"._-".contains(c), "_");
        while files.iter().any(|(file, _)| file.eq_ignore_ascii_case(&format!("{name}.bin"))) {
            name.push('_');
        }
        files.push((format!("{name}.bin"), blob.clone()));
        if let Some(buffer) = typed {
            let mut text = Vec::new();
            json::write(&buffer.shape.json(&blob.0), &mut text)?;
            files.push((format!("{name}.json"), Blob(text)));
        }
    }
    let mut text = Vec::new();
    json::write(&graph_json::Page::of(run, show), &mut text)?;
    files.push(("run.json".to_owned(), Blob(text)));
    Ok(write_files(folder, &files, force)?)
}

/// Whether a file's name starts as those of a run's buffers and images do: `set0.`, `u0.`, `local.`.
fn is_resource_name(name: &str) -> bool {
    let base = name.split('.').next().unwrap_or(name);
    let numbered = |letters: &str| {
        let digits = base.strip_prefix(letters).unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    name.starts_with(LOCAL_BUFFER) || ["set", "address", "u", "t", "b", "s"].into_iter().any(numbered)
}

/// Files of a folder that are named like those of [`export`]: which buffers a graph writes is known only once it runs.
fn exports_in(folder: &Path) -> Vec<PathBuf> {
    let is_one = |name: &str| {
        let contents = name.ends_with(".bin") || name.ends_with(".json");
        name == "run.json" || contents && is_resource_name(name)
    };
    let there = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> =
        there.filter(|file| file.file_name().to_str().is_some_and(is_one)).map(|file| file.path()).collect();
    paths.sort();
    paths
}

fn save(path: &Path, run: &GraphRun, force: bool) -> Result<(), CliError> {
    let bytes = file::write(run).map_err(|error| CliError::Unusable(format!("{}: {error}", path.display())))?;
    Ok(write_file(path, &bytes, force)?)
}

#[cfg(test)]
mod tests {
    use lanescope_core::run::BufferRun;
    use lanescope_core::run::graph::Generation;
    use lanescope_pictures::gallery;
    use serde_json::json;

    use super::*;

    /// A run's text and its JSON.
    fn told(run: &GraphRun) -> (String, serde_json::Value) {
        let mut out = Vec::new();
        text::write_graph_run(run, 8, &mut out, lanescope_text::Style::plain()).expect("writes");
        (String::from_utf8(out).expect("UTF-8"), serde_json::to_value(graph_json::short(run, 8)).expect("JSON"))
    }

    #[test]
    fn corrupt_saved_runs_are_rejected_with_the_place_or_printed() {
        let mut refused = Vec::new();
        for graph in [2, 5] {
            let report = gallery::work_graph(graph);
            let run = gallery::full_run(report.graph.as_ref().expect("a graph"));
            let (text, _) = told(&run);
            assert!(text.contains("Stopped") && text.contains("Waiting"), "{text}");
            for (what, opened) in gallery::hostile_runs(&run) {
                match opened {
                    Ok(run) => drop(told(&run)),
                    Err(error) => refused.push(format!("{what}: {error}")),
                }
            }
        }
        let (most, largest) = (1u64 << 48, u64::MAX);
        for words in [
            "/run/graph/edges/0/from = 999: not a saved run: graph.edges[0].from is 999; there are 4 nodes",
            "graph.arrays[0].nodes[0] is 999; there are 4 nodes",
            "generations[0].nodes[0].node is 999; there are 4 nodes",
            "nodes[0].remaining is 999; expected at most",
            "generations[0].number is 999; expected at most 32",
            "generations[0].dispatch is 4294967295; expected at most 65535",
            &format!("generations[0].nodes[0].count is {largest}; expected at most {most}"),
            &format!("generations[0].edges[0].records is {largest}; expected at most"),
            &format!("generations[0].nodes[0].batches[0].used is {largest}; expected at most"),
        ] {
            assert!(refused.iter().any(|refusal| refusal.contains(words)), "{words}");
        }
    }

    #[test]
    fn saved_runs_with_inconsistent_sizes_are_rejected_with_the_place() {
        let report = gallery::work_graph(5);
        let run = gallery::full_run(report.graph.as_ref().expect("a graph"));
        let saved: serde_json::Value = serde_json::from_slice(&file::write(&run).expect("writes")).expect("JSON");
        let node = run.generations[1].nodes.iter().position(|node| node.after.is_some()).expect("it has records");
        let is = &run.generations[1].nodes[node];
        assert!(is.count > 1 && is.records.stride > 3 && !is.records.origins.is_empty());
        let (count, bytes) = (is.count, is.records.bytes.0.len());
        let matrix = |stride: u32, row_major: bool| {
            let scalar = json!({"kind": "uint", "bits": 8});
            let (columns, rows) = (1024, 512);
            json!({"matrix": {"scalar": scalar, "columns": columns, "rows": rows, "stride": stride, "row_major": row_major}})
        };
        let vector = json!({"vector": {"scalar": {"kind": "uint", "bits": 32}, "count": 32}});
        let member = |name: &str| json!({"name": name, "offset": 0, "type": vector});
        let members = ["a", "b", "c", "d", "e"].map(member);
        let members = json!({"struct": {"members": members}});
        let open = |element: serde_json::Value| json!({"array": {"element": element, "stride": 128}});
        for (place, value, words) in [
            ("records/stride", json!(3), "records.stride is 3; ".to_owned()),
            (
                "count",
                json!(1),
                format!("the size of NODE.records.bytes is {bytes}; expected at most {}", is.records.stride),
            ),
            ("records/bytes", json!("00"), "NODE.records.bytes has 1 bytes; expected a multiple of ".to_owned()),
            ("records/origins/0/run", json!(99), "records.origins[0].run is 99; there are".to_owned()),
            ("records/origins/0/entry", json!(99), "records.origins[0].entry is 99; expected at most".to_owned()),
            ("records/origins/0/record", json!(99), "records.origins[0].record is 99; expected at most 0".to_owned()),
            (
                "records/origins/0/count",
                json!(count + 1),
                format!("origins[0].count is {}; expected at most {count}", count + 1),
            ),
            ("after", json!("00"), "NODE.after has 1 bytes; expected a multiple of ".to_owned()),
            ("after", json!(""), format!("NODE.after has 0 bytes; expected {bytes}")),
            ("edited/0/was", json!("00"), "NODE.edited[0].was has 1 bytes; ".to_owned()),
            ("edited/0/record", json!(count), format!("edited[0].record is {count}; expected at most {}", count - 1)),
            (
                "batches/0/which",
                json!([[u32::MAX, 5]]),
                format!("batches[0].which[0] is 4294967300; expected at most {count}"),
            ),
            ("batches/0/which", json!([[0, 1]]), format!("NODE.batches[0].records is {count}; expected 1")),
            (
                "batches/0/records",
                json!(count + 1),
                format!("the records of NODE.batches[0] is {}; expected at", count + 1),
            ),
            (
                "/run/buffers/0/type",
                matrix(0, false),
                "the size of a column of buffers[0].type is 512; expected at most 0".to_owned(),
            ),
            (
                "/run/buffers/0/type",
                matrix(512, true),
                "the size of a row of buffers[0].type is 1024; expected at most".to_owned(),
            ),
            (
                "/run/buffers/0/type",
                matrix(1024, true),
                "the size of buffers[0].type is 524288; expected at most 128".to_owned(),
            ),
            ("/run/buffers/0/type", members, "numbers of buffers[0].type is 160; expected at most 128".to_owned()),
            ("/run/buffers/0/type", open(open(vector.clone())), "is an array of unknown length in another".to_owned()),
        ] {
            let mut saved = saved.clone();
            let node = format!("generations[1].nodes[{node}]");
            let pointer = format!("/run/{}/{place}", node.replace('[', "/").replace(']', "").replace('.', "/"));
            let (parent, name) =
                if place.starts_with('/') { place } else { &pointer }.rsplit_once('/').expect("a path");
            match saved.pointer_mut(parent).expect(parent) {
                serde_json::Value::Object(members) => drop(members.insert(name.to_owned(), value)),
                other => panic!("{parent}: {other}"),
            }
            let bytes = serde_json::to_vec(&saved).expect("JSON");
            let error = file::read(&bytes).expect_err(place).to_string();
            assert!(error.contains(&words.replace("NODE", &node)), "{place}: {error}");
        }
    }

    #[test]
    fn names_contents_that_were_not_kept() {
        let report = gallery::work_graph(7);
        let mut run = gallery::graph_run(report.graph.as_ref().expect("a graph"));
        let (text, page) = told(&run);
        assert!(!text.contains("not kept") && page["left_out"] == serde_json::json!([]), "{text}");
        assert_eq!(page["buffers"][0]["hash"], serde_json::json!(run.buffers[0].hash));
        let name = run.buffers[0].name.clone();
        run.left_out.push(name.clone());
        for Generation { changed, left_out, .. } in &mut run.generations {
            left_out.extend(std::mem::take(changed).into_keys());
        }
        run.hold_last();
        let (text, page) = told(&run);
        for words in [&format!("not kept before the run: {name}"), &format!("changed here: {name}"), NOT_KNOWN] {
            assert!(text.contains(words), "{words}: {text}");
        }
        assert_eq!(
            (&page["left_out"][0], &page["generations"][0]["left_out"][0]),
            (&name.as_str().into(), &name.as_str().into())
        );
        assert_eq!(page["buffers"][0]["hash"], serde_json::Value::Null);
    }

    const NOT_KNOWN: &str = "final contents unknown";

    #[test]
    fn buffers_with_colliding_file_names_get_their_own_files() {
        let report = gallery::work_graph(7);
        let mut run = gallery::graph_run(report.graph.as_ref().expect("a graph"));
        let first = run.buffers[0].clone();
        for name in ["local.a b", "local.a_b", "local.A_b"] {
            run.buffers.push(BufferRun { name: name.to_owned(), ..first.clone() });
            run.contents.insert(name.to_owned(), Blob(name.as_bytes().to_vec()));
        }
        let folder = tempfile::tempdir().expect("a temporary folder");
        export(folder.path(), &run, 8, false).expect("writes");
        let read = |name: &str| std::fs::read(folder.path().join(name)).expect("it is there");
        let names = ["local.A_b.bin", "local.a_b_.bin", "local.a_b__.bin"];
        assert_eq!(names.map(read), [&b"local.A_b"[..], b"local.a b", b"local.a_b"]);
        std::fs::remove_file(folder.path().join("run.json")).expect("it is there");
        assert!(exports_in(folder.path()).contains(&folder.path().join("local.a_b_.json")));
    }

    #[test]
    fn parses_sizes_with_units() {
        assert_eq!((ring("4096"), ring("1M"), ring("2g")), (Ok(4096), Ok(1 << 20), Ok(2 << 30)));
        for wrong in ["", "M", "1T", "-1", "99999999G"] {
            assert!(ring(wrong).is_err(), "{wrong}");
        }
        assert_eq!(ring("256M"), Ok(DEFAULT_RING));
    }
}
