//! The language server: from a key to hints and diagnostics of the text with it, and its memory with many documents.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use lanescope_testing::framed::Framed;
use serde_json::{Value, json};

use super::{Row, time};

/// Keys for each document.
const KEYS: usize = 40;
/// Between keys: longer than the server waits for the next one.
const PAUSE: Duration = Duration::from_millis(50);

/// Documents that are open at once, and the most memory for them.
const DOCUMENTS: usize = 1000;
const MOST_MIB: f64 = 300.0;

/// The samples of each language, and stages that follow each other.
const SAMPLES: [&str; 12] = [
    "lit_surface.frag",
    "lit_surface.vert",
    "design_note.frag",
    "bent_patch.tese",
    "rotated_halves.geom",
    "tile_16x16.comp",
    "particles_1024.comp",
    "tile_rows.mesh",
    "striped_ring.wgsl",
    "row_sums.comp.wgsl",
    "shared_location.spvasm",
    "textured_quad.pipe",
];

fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// Opens a document, and types at its end; seconds from each key to both answers.
fn typed(path: &Path) -> io::Result<Vec<f64>> {
    let mut command = Command::new(lanescope_testing::executable(env!("CARGO_BIN_EXE_lanescope")));
    command.arg("lsp");
    let mut server = Framed::start(command);
    let send = |server: &mut Framed, mut message: Value| {
        message["jsonrpc"] = json!("2.0");
        server.send(&message);
    };
    let params = json!({ "processId": null, "capabilities": {} });
    send(&mut server, json!({ "id": 0, "method": "initialize", "params": params }));
    server.until(|message| message["id"] == 0);
    send(&mut server, json!({ "method": "initialized", "params": {} }));
    let text = fs::read_to_string(path)?;
    let end = json!({ "line": text.matches('\n').count(), "character": 0 });
    let document = json!({ "uri": uri(path), "languageId": "shader", "version": 0, "text": text });
    send(&mut server, json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }));
    let is_published = |message: &Value, version: usize| {
        message["method"] == "textDocument/publishDiagnostics" && message["params"]["version"] == version
    };
    server.until(|message| is_published(message, 0));
    let mut all = Vec::new();
    for key in 1..=KEYS {
        std::thread::sleep(PAUSE);
        let change = json!({ "range": { "start": end, "end": end }, "text": "\n" });
        let document = json!({ "uri": uri(path), "version": key });
        let changed = json!({ "textDocument": document, "contentChanges": [change] });
        let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99_999, "character": 0 } });
        let asked = json!({ "textDocument": { "uri": uri(path) }, "range": whole });
        let begin = Instant::now();
        send(&mut server, json!({ "method": "textDocument/didChange", "params": changed }));
        send(&mut server, json!({ "id": key, "method": "textDocument/inlayHint", "params": asked }));
        server.until(|message| is_published(message, key));
        let answer = server.until(|message| message["id"] == key);
        all.push(begin.elapsed().as_secs_f64());
        if answer["result"].as_array().is_none_or(Vec::is_empty) {
            return Err(io::Error::other(format!("no hints of {}: {answer}", path.display())));
        }
    }
    Ok(all)
}

/// Opens a thousand documents of five hundred pipelines; MiB of the server and its child once all are analyzed.
fn many() -> io::Result<f64> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples").canonicalize()?;
    let folder = tempfile::tempdir()?;
    let root = folder.path().canonicalize()?;
    let mut command = Command::new(lanescope_testing::executable(env!("CARGO_BIN_EXE_lanescope")));
    command.arg("lsp");
    let mut server = Framed::start(command);
    let send = |server: &mut Framed, mut message: Value| {
        message["jsonrpc"] = json!("2.0");
        server.send(&message);
    };
    send(&mut server, json!({ "id": 0, "method": "initialize", "params": { "processId": null, "capabilities": {} } }));
    server.until(|message| message["id"] == 0);
    send(&mut server, json!({ "method": "initialized", "params": {} }));
    for (number, stage) in (0..DOCUMENTS / 2).flat_map(|number| ["vert", "frag"].map(|stage| (number, stage))) {
        let text = fs::read_to_string(samples.join(format!("lit_surface.{stage}")))?;
        // No two are the same.
        let text = format!("{text}// {number}\n");
        let path = root.join(format!("p{number}.{stage}"));
        fs::write(&path, &text)?;
        let document = json!({ "uri": uri(&path), "languageId": "shader", "version": 0, "text": text });
        send(&mut server, json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }));
    }
    let mut analyzed = BTreeSet::new();
    while analyzed.len() < DOCUMENTS {
        let message = server.until(|message| message["method"] == "textDocument/publishDiagnostics");
        analyzed.insert(message["params"]["uri"].to_string());
    }
    let id = server.child.id();
    let mut all = vec![id.to_string()];
    for task in fs::read_dir(format!("/proc/{id}/task"))? {
        let children = fs::read_to_string(task?.path().join("children")).unwrap_or_default();
        all.extend(children.split_whitespace().map(str::to_owned));
    }
    all.iter().map(|id| resident(id)).sum()
}

/// MiB of a process that are in memory.
fn resident(id: &str) -> io::Result<f64> {
    let status = fs::read_to_string(format!("/proc/{id}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kib.map(|kib| kib / 1024.0).ok_or_else(|| io::Error::other(format!("/proc/{id}/status has no VmRSS")))
}

/// What 95 of 100 are not above.
fn p95(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[(all.len() * 95).div_ceil(100) - 1]
}

/// Samples, and larger shaders.
pub fn rows() -> io::Result<Vec<Row>> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples").canonicalize()?;
    let mut of_samples = Vec::new();
    for name in SAMPLES {
        of_samples.extend(typed(&samples.join(name))?);
    }
    let folder = tempfile::tempdir()?;
    let root = folder.path().canonicalize()?;
    let write = |name: &str, text: &str| -> io::Result<PathBuf> {
        fs::create_dir_all(root.join(name).parent().unwrap_or(&root))?;
        fs::write(root.join(name), text)?;
        Ok(root.join(name))
    };
    let [(vertex, vertex_text), (fragment, fragment_text)] = super::pipeline::pipeline(5000);
    let alone = typed(&write(&format!("alone/{fragment}"), &fragment_text)?)?;
    write(vertex, &vertex_text)?;
    let pair = typed(&write(fragment, &fragment_text)?)?;
    let mut rows = Vec::new();
    for (what, all, most) in [
        ("samples", of_samples, 0.15),
        ("a shader of 5,000 instructions", alone, 0.4),
        ("a pair of such shaders", pair, 0.4),
    ] {
        let p95 = p95(all);
        let what = format!("editor: a key until hints and diagnostics, {what}, p95");
        rows.push(Row { what, ours: time(p95), beside: time(most), ratio: p95 / most, goal: Some(1.0) });
    }
    let mib = many()?;
    let what = format!("editor: memory with {DOCUMENTS} open documents");
    let beside = format!("{MOST_MIB} MiB");
    rows.push(Row { what, ours: format!("{mib:.0} MiB"), beside, ratio: mib / MOST_MIB, goal: Some(1.0) });
    Ok(rows)
}
