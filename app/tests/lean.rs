//! What the build does not have: crates of the window in one without it, checks of a library's own state in any.

use std::path::Path;
use std::process::Command;

/// Crates that need a display or GL libraries, or that only the window uses.
const HEAVY: [&str; 8] = ["egui", "eframe", "egui_extras", "rfd", "resvg", "winit", "glow", "lanescope-views"];

/// The crates of a build with these features.
fn crates(features: &[&str]) -> Vec<String> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    command.args(["tree", "--offline", "--package", "lanescope", "--edges", "normal,build", "--prefix", "none"]);
    command.args(["--format", "{p}"]).args(features);
    let output = command.output().expect("cargo starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut names: Vec<String> = text.lines().filter_map(|line| Some(line.split(' ').next()?.to_owned())).collect();
    names.sort();
    names.dedup();
    names
}

#[test]
fn the_terminal_needs_no_toolkit() {
    let lean = crates(&["--no-default-features", "--features", "tui"]);
    for name in HEAVY {
        assert!(!lean.iter().any(|other| other == name), "{name} is in the build for terminals");
    }
    assert!(lean.iter().any(|name| name == "ratatui") && lean.iter().any(|name| name == "syntect"));
    let whole = crates(&[]);
    for name in HEAVY {
        assert!(whole.iter().any(|other| other == name), "{name} is not in the build with the window");
    }
    println!("{} packages with the window, {} without", whole.len(), lean.len());
}

#[test]
fn the_command_line_needs_neither() {
    let least = crates(&["--no-default-features"]);
    for name in HEAVY.iter().chain(&["ratatui", "crossterm"]) {
        assert!(!least.iter().any(|other| other == name), "{name} is in the build without front ends");
    }
}

/// SPIRV-Tools compares its tables with new ones after each pass if `SPIRV_CHECK_CONTEXT` is defined, and prints this.
#[test]
fn the_optimizer_does_not_check_itself() {
    let program = std::fs::read(lanescope_testing::executable(env!("CARGO_BIN_EXE_lanescope"))).expect("reads");
    let has = |text: &[u8]| program.windows(text.len()).any(|window| window == text);
    assert!(has(b"eliminate-dead-branches"), "the optimizer is in it");
    assert!(!has(b"Diff in id_to_def"), "`SPIRV_CHECK_CONTEXT` is defined");
}
