//! The window on a display in memory: start to first frame, rest, and memory with a hundred programs open.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::{Row, median, time};
use lanescope_testing::display::{Display, QUIET, Window};

/// Starts of the window.
const STARTS: usize = 9;
/// How long the window is watched at rest.
const REST: Duration = Duration::from_secs(10);
/// Programs that are open at once.
const PROGRAMS: usize = 100;

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples")
}

/// Copies of sample pipelines, each in files of its own, as the session that had them open.
fn hundred(home: &Path) -> io::Result<()> {
    // What they include.
    std::fs::copy(samples().join("lighting.glsl"), home.join("lighting.glsl"))?;
    let mut open = Vec::new();
    for index in 0..PROGRAMS {
        let mut paths = Vec::new();
        for stage in ["vert", "frag"] {
            let path = home.join(format!("lit_{index}.{stage}"));
            std::fs::copy(samples().join(format!("lit_surface.{stage}")), &path)?;
            paths.push(path);
        }
        open.push(serde_json::json!({ "paths": paths }));
    }
    let folder = home.join("lanescope");
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("session.json"), serde_json::json!({ "open": open }).to_string())
}

/// The longest that they may take to open.
const LONGEST: Duration = Duration::from_secs(600);

/// How many programs the session that the window keeps has open.
fn open_now(home: &Path) -> io::Result<usize> {
    let session: serde_json::Value = serde_json::from_slice(&std::fs::read(home.join("lanescope/session.json"))?)?;
    Ok(session["open"].as_array().map_or(0, Vec::len))
}

/// Start, rest and memory.
pub fn rows() -> io::Result<Vec<Row>> {
    let display = Display::start().map_err(|error| io::Error::new(error.kind(), format!("Xvfb: {error}")))?;
    let pair = ["vert", "frag"].map(|stage| samples().join(format!("lit_surface.{stage}")));
    let mut rows = Vec::new();
    let (mut first, mut whole) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        let home = tempfile::tempdir()?;
        let (one, all) = Window::open(env!("CARGO_BIN_EXE_lanescope"), &display, home.path(), &pair)?.rests()?;
        first.push(one);
        whole.push(all);
    }
    // The last frame keeps the session, a second after the last change.
    for (what, seconds, beside, most) in [
        ("start to the first frame", median(first), "a second", 1.0),
        ("start until a pair is shown, and the session kept a second later", median(whole), "two seconds", 2.0),
    ] {
        rows.push(Row {
            what: what.to_owned(),
            ours: time(seconds),
            beside: beside.to_owned(),
            ratio: seconds / most,
            goal: Some(1.0),
        });
    }

    let home = tempfile::tempdir()?;
    let window = Window::open(env!("CARGO_BIN_EXE_lanescope"), &display, home.path(), &pair)?;
    window.rests()?;
    let (one, own, before) = (window.memory()?, window.own_memory()?, window.ticks()?);
    let frames = window.frames_within(REST);
    let busy = (window.ticks()? - before) as f64 / 100.0;
    rows.push(Row {
        what: format!("at rest for ten seconds: {frames} frames; processor time"),
        ours: time(busy),
        beside: "ten seconds".to_owned(),
        ratio: busy / REST.as_secs_f64(),
        goal: Some(0.001),
    });
    // Software rendering maps LLVM and llvmpipe into the process; a GPU's driver takes their place elsewhere.
    let mib = |bytes: f64| bytes / f64::from(1 << 20);
    rows.push(Row {
        what: format!("memory at rest, {:.0} MiB of it not shared with files", mib(own)),
        ours: format!("{:.0} MiB", mib(one)),
        beside: "100 MiB".to_owned(),
        ratio: mib(one) / 100.0,
        goal: Some(1.0),
    });
    drop(window);

    let home = tempfile::tempdir()?;
    hundred(home.path())?;
    let window = Window::open(env!("CARGO_BIN_EXE_lanescope"), &display, home.path(), &[])?;
    window.rests()?;
    // Without a window manager, no one sets the keyboard focus.
    let keys = ["search", "--sync", "--name", "Lanescope", "windowfocus", "--sync", "key", "ctrl+shift+t"];
    let status = Command::new("xdotool").args(keys).env("DISPLAY", &display.name).stdout(Stdio::null()).status()?;
    let began = Instant::now();
    let opened = status.success() && window.frames.recv_timeout(Duration::from_secs(10)).is_ok();
    if !opened {
        return Err(io::Error::other("the window does not take the key that opens the last session"));
    }
    let mut last = began;
    // A second after the last one is open, the session says so.
    loop {
        while let Ok(frame) = window.frames.recv_timeout(QUIET) {
            last = frame;
        }
        let open = open_now(home.path()).unwrap_or_default();
        if open == PROGRAMS {
            break;
        }
        if began.elapsed() > LONGEST {
            return Err(io::Error::other(format!("{open} of {PROGRAMS} programs are open after {LONGEST:?}")));
        }
    }
    let many = window.memory()?;
    rows.push(Row {
        what: format!("memory with {PROGRAMS} pipelines open, opened in {}", time((last - began).as_secs_f64())),
        ours: format!("{:.0} MiB", mib(many)),
        beside: format!("one open: {:.0} MiB", mib(one)),
        ratio: many / one,
        goal: None,
    });
    Ok(rows)
}
