//! A result of 700,000 shaders that is looked at: reading it, its first rows by a new filter and by another order, and
//! frames of the window and of the terminal form.

use std::fs::File;
use std::io::{self, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use lanescope_core::corpus::{ResultTable, Row, RowFilter};

use lanescope_testing::display::Display;
use lanescope_testing::terminal::Terminal;

/// Pipelines, with two shaders each.
const PIPELINES: u64 = 350_000;
/// The most that a frame may take: half of a sixtieth of a second.
const FRAME: f64 = 1000.0 / 120.0;
/// Presses of a key, each of which draws a frame.
const PRESSES: usize = 120;

/// All of it.
pub fn shown(folder: &Path) -> io::Result<()> {
    let path = super::result(folder, "shown.jsonl", PIPELINES, 4)?;
    table(&path)?;
    window(&path)?;
    terminal(&path);
    Ok(())
}

/// The table, without a front end.
fn table(path: &str) -> io::Result<()> {
    let mut text = String::new();
    File::open(path)?.read_to_string(&mut text)?;
    let mut table = ResultTable::default();
    let begin = Instant::now();
    let mut offset = 0;
    for line in text.lines() {
        if let Ok(row) = serde_json::from_str::<Row>(line) {
            table.push(&row, offset);
        }
        offset += line.len() as u64 + 1;
    }
    let read = begin.elapsed();
    println!("shown: {} shaders read in {:.2} s", table.len(), read.as_secs_f64());
    let order = |title: &str| {
        let begin = Instant::now();
        let order = table.column(title).map(|column| table.order(column, true)).unwrap_or_default();
        (order, begin.elapsed())
    };
    let (by_vgprs, sorted) = order("VGPRs");
    let (_, by_name) = order("Pipeline");
    println!("shown: in the order of a number after {:.1} ms, of the names after {:.1} ms", ms(sorted), ms(by_name));
    for text in ["fragment", "VGPRs >= 90", "ffff", "fragment & VGPRs = 91 & Latency > 5", "no such name"] {
        let filter = RowFilter::parse(text, &table).map_err(|error| io::Error::other(error.to_string()))?;
        for (how, order) in [("file", None), ("VGPRs", Some(by_vgprs.as_slice()))] {
            let (begin, mut first, mut count) = (Instant::now(), None, 0);
            table.filtered(&filter, order, |rows| {
                count += rows.len();
                if !rows.is_empty() {
                    first.get_or_insert(begin.elapsed());
                }
                true
            });
            let (all, first) = (begin.elapsed(), first.unwrap_or(begin.elapsed()));
            println!(
                "shown: `{text}` in the order of {how}: first rows after {:.2} ms, all {count} after {:.1} ms; goal 100 ms",
                ms(first),
                ms(all)
            );
        }
    }
    Ok(())
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The window on a display in memory: processor time of its frames while rows are scrolled, and while a filter is typed.
fn window(path: &str) -> io::Result<()> {
    let display = Display::start()?;
    let home = tempfile::tempdir()?;
    let log = home.path().join("frames.txt");
    let mut child = Command::new(lanescope_testing::executable(env!("CARGO_BIN_EXE_lanescope")))
        .args(["--timings", path])
        .env("DISPLAY", &display.name)
        .env("LIBGL_ALWAYS_SOFTWARE", "1")
        .env_remove("WAYLAND_DISPLAY")
        .envs(["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"].map(|name| (name, home.path())))
        .stdout(Stdio::null())
        .stderr(File::create(&log)?)
        .spawn()?;
    let frames = || -> io::Result<Vec<f64>> {
        let mut text = String::new();
        BufReader::new(File::open(&log)?).read_to_string(&mut text)?;
        let work = |line: &str| line.strip_suffix(" ms")?.rsplit_once(", ")?.1.parse().ok();
        Ok(text.lines().filter_map(work).collect())
    };
    let keys = |words: &[&str]| -> io::Result<()> {
        let status =
            Command::new("xdotool").args(words).env("DISPLAY", &display.name).stdout(Stdio::null()).status()?;
        if status.success() { Ok(()) } else { Err(io::Error::other(format!("xdotool {words:?}: {status}"))) }
    };
    // Reading draws its progress; after that the window rests.
    let mut before = 0;
    loop {
        std::thread::sleep(Duration::from_secs(2));
        let now = frames()?.len();
        if now > 0 && now == before {
            break;
        }
        before = now;
    }
    keys(&["search", "--sync", "--name", "Lanescope", "windowfocus", "--sync"])?;
    for (what, words) in [
        ("scrolled", vec!["key", "--delay", "25", "--repeat", "X", "Next"]),
        ("filtered", vec!["key", "ctrl+f"]),
        ("filtered", vec!["type", "--delay", "120", "fragment & VGPRs >= 90"]),
    ] {
        let (begin, presses) = (frames()?.len(), PRESSES.to_string());
        keys(&words.into_iter().map(|word| if word == "X" { presses.as_str() } else { word }).collect::<Vec<_>>())?;
        std::thread::sleep(Duration::from_secs(1));
        let mut all: Vec<f64> = frames()?.split_off(begin);
        all.sort_by(f64::total_cmp);
        let at = |part: usize| all.get((all.len() * part / 100).min(all.len().saturating_sub(1))).copied();
        if let (Some(middle), Some(high), Some(most)) = (at(50), at(99), at(100)) {
            println!(
                "shown: window, {what}: {} frames: median {middle:.2} ms, 99 % {high:.2} ms, longest {most:.2} ms; \
                 goal {FRAME:.2} ms",
                all.len()
            );
        }
    }
    child.kill()?;
    child.wait()?;
    Ok(())
}

/// The terminal form: its own report of frames while rows are scrolled.
fn terminal(path: &str) {
    let mut terminal = Terminal::start(env!("CARGO_BIN_EXE_lanescope"), &["--timings", path]);
    terminal.resize(160, 50);
    terminal.until("shaders; / filters");
    for at in 0..PRESSES {
        terminal.press(if at % 2 == 0 { "j" } else { " " });
        std::thread::sleep(Duration::from_millis(8));
    }
    terminal.press("q");
    terminal.until("frames: median");
    terminal.end();
    let screen = terminal.screen().replace('\n', " ");
    let report = screen.split("frames: ").nth(1).unwrap_or(&screen);
    println!("shown: terminal, scrolled: {}; goal {FRAME:.2} ms", report.trim());
    let _ = io::stdout().flush();
}
