//! One table of ratios: what Criterion's benchmarks of `core` and `views` measured in their last run, and whole
//! processes, the language server, the terminal form and the window, measured here. `make bench` runs them all in order.
//!
//! `cargo bench --bench table -- window` makes one part alone; the others are `criterion`, `processes`, `compiler`,
//! `editor` and `terminal`.
//!
//! A ratio has both sides measured on the same inputs in one run; a goal is the largest ratio that is good enough.

#[path = "../shared/bare.rs"]
mod bare;
mod compiler;
mod criterion;
mod editor;
#[path = "../../../core/benches/passes/pipeline.rs"]
mod pipeline;
mod processes;
mod terminal;
mod window;

use std::io::{self, Write as _};
use std::process::ExitCode;

/// A part of the table.
type Part = fn() -> io::Result<Vec<Row>>;

/// The parts, each under the name that chooses it.
const PARTS: [(&str, Part); 6] = [
    ("criterion", criterion::rows),
    ("processes", processes::rows),
    ("compiler", compiler::rows),
    ("editor", editor::rows),
    ("terminal", terminal::rows),
    ("window", window::rows),
];

/// One line of the table.
#[derive(Debug)]
pub struct Row {
    /// The measurement.
    pub what: String,
    /// Ours, with its unit.
    pub ours: String,
    /// What it is beside.
    pub beside: String,
    /// Ours over the other.
    pub ratio: f64,
    /// The largest ratio that is good enough, where one is set.
    pub goal: Option<f64>,
}

/// Time as text, in the unit that suits it.
pub fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.1} µs", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

/// The middle one, or the upper of the two in the middle.
///
/// # Panics
/// Where there is none.
pub fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

fn main() -> ExitCode {
    if let Some(code) = compiler::child() {
        return code;
    }
    match table() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn table() -> io::Result<()> {
    // Cargo adds flags of its own.
    let chosen: Vec<_> = std::env::args_os().skip(1).filter_map(|word| word.into_string().ok()).collect();
    let chosen: Vec<_> = chosen.iter().filter(|word| !word.starts_with("--")).collect();
    if let Some(unknown) = chosen.iter().find(|word| PARTS.iter().all(|(name, _)| name != *word)) {
        return Err(io::Error::other(format!("no part of the table is called {unknown}")));
    }
    let mut out = io::stdout().lock();
    writeln!(out, "| what | ours | beside | ratio | goal |\n|---|---|---|---|---|")?;
    for (_, part) in PARTS.iter().filter(|(name, _)| chosen.is_empty() || chosen.iter().any(|word| word == name)) {
        for Row { what, ours, beside, ratio, goal } in part()? {
            let goal = match goal {
                Some(goal) if ratio <= goal => format!("{goal}"),
                Some(goal) => format!("{goal}: **missed**"),
                None => String::new(),
            };
            writeln!(out, "| {what} | {ours} | {beside} | {ratio:.3} | {goal} |")?;
            out.flush()?;
        }
    }
    Ok(())
}
