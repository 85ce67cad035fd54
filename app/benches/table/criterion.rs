//! What Criterion keeps of its last run: `target/criterion/**/new`.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use super::{Row, time};

/// Two benchmarks of one group whose medians make a ratio.
struct Pair {
    /// How the group's name begins.
    group: &'static str,
    /// Name of the row, before the rest of the group's name.
    what: &'static str,
    ours: &'static str,
    theirs: &'static str,
    goal: Option<f64>,
}

const PAIRS: &[Pair] = &[
    Pair {
        group: "small: ",
        what: "load and all passes, small: ",
        ours: "load and all passes",
        theirs: "SPIRV-Tools validates",
        goal: None,
    },
    Pair {
        group: "middle: ",
        what: "load and all passes, middle: ",
        ours: "load and all passes",
        theirs: "SPIRV-Tools validates",
        goal: None,
    },
    Pair {
        group: "large: ",
        what: "load and all passes, large: ",
        ours: "load and all passes",
        theirs: "SPIRV-Tools validates",
        goal: None,
    },
    Pair {
        group: "rewriting, ",
        what: "rewriting, ",
        ours: "packing, rewritten",
        theirs: "three of spirv-opt's passes",
        goal: None,
    },
    Pair {
        group: "beside a driver, ",
        what: "load and all passes, ",
        ours: "load and all passes",
        theirs: "RADV creates the pipeline",
        goal: Some(0.05),
    },
    Pair {
        group: "dxil: ",
        what: "reading DXIL, ",
        ours: "container, all parts, ours",
        theirs: "container, both programs, dxil-spirv",
        goal: Some(0.5),
    },
    Pair {
        group: "work_graphs: ",
        what: "reading DXIL of work graphs, ",
        ours: "container, all parts, ours",
        theirs: "container, both programs, dxil-spirv",
        goal: Some(0.5),
    },
];

/// The drawing of a large work graph, in `views`.
const LAID_OUT: &str = "graph of 500 nodes: laid out and drawn";

/// A frame of a screen that shows sixty a second, in seconds.
const FRAME: f64 = 1.0 / 60.0;

/// Runs older than this are another day's: they are left out.
const FRESH: Duration = Duration::from_secs(6 * 3600);

/// What Criterion calls a benchmark.
#[derive(Deserialize)]
struct Named {
    group_id: String,
    function_id: Option<String>,
    value_str: Option<String>,
}

#[derive(Deserialize)]
struct Estimates {
    median: Estimate,
}

#[derive(Deserialize)]
struct Estimate {
    point_estimate: f64,
}

/// One benchmark's median.
struct Measured {
    group: String,
    name: String,
    seconds: f64,
}

/// Where Criterion keeps its results: beside the folder of the profile that this was built in.
fn folder() -> io::Result<PathBuf> {
    let program = std::env::current_exe()?;
    let target = program.ancestors().nth(3).ok_or_else(|| io::Error::other("the program is in no target folder"))?;
    Ok(target.join("criterion"))
}

/// Every fresh benchmark below a folder.
fn measured(folder: &Path, all: &mut Vec<Measured>) -> io::Result<()> {
    let mut entries = std::fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(std::fs::DirEntry::path);
    for entry in entries.into_iter().filter(|entry| entry.path().is_dir()) {
        let path = entry.path();
        if entry.file_name() != "new" {
            measured(&path, all)?;
            continue;
        }
        let of = path.join("estimates.json");
        if of.metadata().and_then(|is| is.modified())?.elapsed().is_ok_and(|age| age > FRESH) {
            continue;
        }
        let named: Named = serde_json::from_slice(&std::fs::read(path.join("benchmark.json"))?)?;
        let estimates: Estimates = serde_json::from_slice(&std::fs::read(of)?)?;
        let name = named.function_id.or(named.value_str).unwrap_or_default();
        all.push(Measured { group: named.group_id, name, seconds: estimates.median.point_estimate * 1e-9 });
    }
    Ok(())
}

/// What no row was measured for.
fn missing(what: &str) -> io::Error {
    io::Error::other(format!("no measurement of the last hours is of \"{what}\": `make bench` makes them all"))
}

/// The ratios of the last run.
///
/// # Errors
/// What was not measured.
pub fn rows() -> io::Result<Vec<Row>> {
    let (folder, mut all) = (folder()?, Vec::new());
    if !folder.is_dir() {
        return Err(io::Error::other(format!("{} is not there: `make bench` fills it", folder.display())));
    }
    measured(&folder, &mut all)?;
    let mut rows = Vec::new();
    for pair in PAIRS {
        let before = rows.len();
        for ours in all.iter().filter(|one| one.name == pair.ours && one.group.starts_with(pair.group)) {
            let theirs = all.iter().find(|one| one.name == pair.theirs && one.group == ours.group);
            let theirs = theirs.ok_or_else(|| missing(&format!("{}, {}", ours.group, pair.theirs)))?;
            rows.push(Row {
                what: format!("{}{}", pair.what, &ours.group[pair.group.len()..]),
                ours: time(ours.seconds),
                beside: format!("{}: {}", pair.theirs, time(theirs.seconds)),
                ratio: ours.seconds / theirs.seconds,
                goal: pair.goal,
            });
        }
        if rows.len() == before {
            return Err(missing(&format!("{}{}", pair.group, pair.ours)));
        }
    }
    let laid_out = all.iter().find(|one| one.group == LAID_OUT).ok_or_else(|| missing(LAID_OUT))?;
    rows.push(Row {
        what: LAID_OUT.to_owned(),
        ours: time(laid_out.seconds),
        beside: "a second".to_owned(),
        ratio: laid_out.seconds,
        goal: Some(1.0),
    });
    let before = rows.len();
    for frame in &all {
        let Some(what) = frame.group.strip_prefix("frame/") else { continue };
        rows.push(Row {
            what: format!("a frame of the window: {what}"),
            ours: time(frame.seconds),
            beside: format!("60 frames a second: {}", time(FRAME)),
            ratio: frame.seconds / FRAME,
            goal: Some(0.5),
        });
    }
    match rows.len() > before {
        true => Ok(rows),
        false => Err(missing("frame/")),
    }
}
