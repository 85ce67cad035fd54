//! Hostile inputs from seeds: opening one ends soon, with a report or with an error that names the file.

use std::path::Path;
use std::time::Duration;

use lanescope_fuzz::hostile::{CLASSES, Class, Ending, Outcome, trial};

/// How long one may take: the child that opens files has a minute of its own, and most take far less.
const LIMIT: Duration = Duration::from_secs(90);

fn open(class: &Class, seed: u64, size: usize) -> Outcome {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = class.input(seed, size).write(folder.path()).expect("writes");
    let outcome = trial(Path::new(&lanescope_testing::executable(env!("CARGO_BIN_EXE_lanescope"))), &file, LIMIT)
        .expect("starts");
    let what = format!("{} of seed {seed} and size {size}: {:?}, {}", class.name, outcome.ending, outcome.errors);
    assert!(matches!(outcome.ending, Ending::Opened | Ending::Refused), "{what}");
    if outcome.ending == Ending::Refused {
        // Odd names are shown with their odd characters replaced.
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_named = outcome.errors.contains(&name) || class.name == "names";
        assert!(is_named && outcome.errors.starts_with("error: "), "{what}");
    }
    outcome
}

#[test]
fn small_hostile_inputs_give_a_report_or_an_error() {
    for class in CLASSES {
        for seed in 0..3 {
            open(class, seed, class.small);
        }
    }
}

/// What would take a compiler or the validator minutes is refused by a limit, or opens soon.
#[test]
fn large_modules_end_soon() {
    for (name, size, words) in [
        ("spirv-entry-points", 60_000, "which is the limit"),
        ("spirv-entry-points", 5_000, "choose entry points with --entry"),
        ("spirv-calls", 100_000, "which is the limit"),
        ("spirv-selections", 100_000, "which is the limit"),
        ("spirv-nested-selections", 20_000, "which is the limit"),
        ("spirv-constants", 20_000, ""),
    ] {
        let outcome = open(Class::named(name).expect("a class"), 0, size);
        let expected = if words.is_empty() { Ending::Opened } else { Ending::Refused };
        assert_eq!(outcome.ending, expected, "{name}: {}", outcome.errors);
        assert!(outcome.errors.contains(words), "{name}: {}", outcome.errors);
    }
}
