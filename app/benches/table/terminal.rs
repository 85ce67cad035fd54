//! The terminal form in a pseudo-terminal: the first screen, a frame of a large map and of many records, rest.

use std::io;
use std::time::Duration;

use super::{Row, median, time};
use lanescope_testing::terminal::Terminal;

/// Starts of the program.
const STARTS: usize = 5;
/// Movements of the cursor, each a frame.
const MOVES: usize = 200;
/// The key, as a terminal sends it.
const PAGE_DOWN: &str = "\u{1b}[6~";
/// How long the program is watched at rest.
const REST: Duration = Duration::from_secs(10);

const GROUP: &str = "#version 450
layout(local_size_x = 32, local_size_y = 32) in;
layout(binding = 0) buffer Out { uint at[]; };
void main() { at[gl_LocalInvocationIndex] = gl_LocalInvocationIndex; }
";

/// The number after a word in what the program reports at its end.
fn number(text: &str, after: &str) -> io::Result<f64> {
    let found = text.split(after).nth(1).and_then(|rest| rest.trim_start().split(' ').next()?.parse().ok());
    found.ok_or_else(|| io::Error::other(format!("no number after `{after}` in {text}")))
}

/// Opens files, moves the cursor so often, and quits. Returns what the program reports.
fn session(files: &[&str], shows: &str, moves: usize) -> String {
    let mut arguments = vec!["--timings"];
    arguments.extend(files);
    let mut terminal = Terminal::start(env!("CARGO_BIN_EXE_lanescope"), &arguments);
    terminal.resize(160, 50);
    terminal.until(shows);
    for at in 0..moves {
        terminal.press(if at % 60 < 30 { "j" } else { "k" });
        std::thread::sleep(Duration::from_millis(5));
    }
    terminal.press("q");
    terminal.until("frames: median");
    terminal.end();
    terminal.screen().replace('\n', "")
}

/// Runs a graph of a million records, sorts them, and scrolls through them. Returns what the program reports.
fn records() -> String {
    let mut terminal =
        Terminal::start(env!("CARGO_BIN_EXE_lanescope"), &["--timings", "work_graphs/08_million_records.dxil"]);
    terminal.resize(160, 50);
    terminal.until("3 nodes");
    terminal.press("3");
    terminal.press("r");
    terminal.until("Records  of Consume[0], 1048576 records");
    // Down from the line that says which are listed: the titles. Enter sorts.
    for (keys, shows) in [("/cursor scrolls\r", "▌ 1–400 of"), ("j", "▌     #"), ("\r", "▲")] {
        terminal.press(keys);
        terminal.until(shows);
    }
    for _ in 0..MOVES {
        terminal.press(PAGE_DOWN);
        std::thread::sleep(Duration::from_millis(5));
    }
    terminal.press("q");
    terminal.until("frames: median");
    terminal.end();
    terminal.screen().replace('\n', "")
}

/// First screen, frame, rest.
pub fn rows() -> io::Result<Vec<Row>> {
    let pair = ["lit_surface.vert", "lit_surface.frag"];
    let first: io::Result<Vec<f64>> =
        (0..STARTS).map(|_| number(&session(&pair, "Original: 5 locations", 0), "first screen")).collect();
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("group.comp");
    std::fs::write(&path, GROUP)?;
    let path = path.display().to_string();
    let frame = number(&session(&[&path], "32×32×1", MOVES), "median")?;
    let scrolled = number(&records(), "median")?;
    let mut rows = Vec::new();
    for (what, ms, beside, most) in [
        ("terminal: a pair is loaded until it is on the screen", median(first?), "100 ms", 100.0),
        ("terminal: a frame of the map of 1,024 lanes, 160x50, median", frame, "2 ms", 2.0),
        ("terminal: a frame of a million sorted records that scroll, median", scrolled, "2 ms", 2.0),
    ] {
        let (ours, beside) = (time(ms / 1e3), beside.to_owned());
        rows.push(Row { what: what.to_owned(), ours, beside, ratio: ms / most, goal: Some(1.0) });
    }
    let mut terminal = Terminal::start(env!("CARGO_BIN_EXE_lanescope"), &pair);
    terminal.until("Original: 5 locations");
    std::thread::sleep(Duration::from_secs(4));
    let before = terminal.ticks();
    std::thread::sleep(REST);
    let used = (terminal.ticks() - before) as f64 / 100.0;
    terminal.press("q");
    terminal.end();
    let (what, beside) = ("terminal: time of the processor in ten seconds at rest".to_owned(), "10 ms".to_owned());
    rows.push(Row { what, ours: time(used), beside, ratio: used / 0.01, goal: Some(1.0) });
    Ok(rows)
}
