//! Opens hostile inputs with the program beside this one and prints a table: for each class how many opened,
//! how many were refused, the slowest, and the most memory. Inputs that crash it or that time out are kept.
//!
//! `hostile [--seeds N] [--size small|large|NUMBER] [--limit SECONDS] [--keep FOLDER] [CLASS…]`

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lanescope_fuzz::hostile::{CLASSES, Class, Ending, trial};

/// Command line options.
struct Arguments {
    seeds: u64,
    size: String,
    limit: Duration,
    keep: PathBuf,
    classes: Vec<&'static Class>,
}

fn arguments() -> Result<Arguments, Box<dyn Error>> {
    let mut out = Arguments {
        seeds: 8,
        size: "small".to_owned(),
        // The child that opens files has a minute of its own.
        limit: Duration::from_secs(90),
        keep: "artifacts".into(),
        classes: Vec::new(),
    };
    let mut words = std::env::args_os().skip(1);
    while let Some(word) = words.next() {
        let word = word.to_string_lossy().into_owned();
        let mut value = || words.next().map(|value| value.to_string_lossy().into_owned()).ok_or("a value is missing");
        match word.as_str() {
            "--seeds" => out.seeds = value()?.parse()?,
            "--size" => out.size = value()?,
            "--limit" => out.limit = Duration::from_secs(value()?.parse()?),
            "--keep" => out.keep = value()?.into(),
            name => out.classes.push(Class::named(name).ok_or_else(|| {
                let names: Vec<&str> = CLASSES.iter().map(|class| class.name).collect();
                format!("`{name}` is not a class; expected {}", names.join(", "))
            })?),
        }
    }
    if out.classes.is_empty() {
        out.classes = CLASSES.iter().collect();
    }
    Ok(out)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = arguments()?;
    let program = std::env::current_exe()?.with_file_name("lanescope");
    println!(
        "{:<24} {:>6} {:>6} {:>7} {:>4} {:>7} {:>9} {:>9}",
        "class", "inputs", "opened", "refused", "hung", "crashed", "slowest", "memory"
    );
    let mut bad = 0;
    for class in &arguments.classes {
        let size = match arguments.size.as_str() {
            "small" => class.small,
            "large" => class.large,
            number => number.parse()?,
        };
        let mut counts = [0u64; 4];
        let (mut slowest, mut memory) = (Duration::ZERO, 0);
        for seed in 0..arguments.seeds {
            let folder = std::env::temp_dir().join(format!("lanescope-hostile.{}", std::process::id()));
            let file = class.input(seed, size).write(&folder)?;
            let outcome = trial(&program, &file, arguments.limit)?;
            counts[outcome.ending as usize] += 1;
            slowest = slowest.max(outcome.time);
            memory = memory.max(outcome.memory);
            if matches!(outcome.ending, Ending::Hung | Ending::Crashed) {
                keep(&folder, &arguments.keep.join(format!("{}.{seed}.{size}", class.name)))?;
            } else {
                std::fs::remove_dir_all(&folder)?;
            }
        }
        let [opened, refused, hung, crashed] = counts;
        bad += hung + crashed;
        println!(
            "{:<24} {:>6} {opened:>6} {refused:>7} {hung:>4} {crashed:>7} {:>7.2} s {:>6} MB",
            class.name,
            arguments.seeds,
            slowest.as_secs_f64(),
            memory >> 20
        );
    }
    if bad > 0 {
        Err(format!("{bad} inputs hung or crashed the program; they are in {}", arguments.keep.display()).into())
    } else {
        Ok(())
    }
}

/// Moves an input to where finds are kept.
fn keep(folder: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        // Another file system may lie between the two.
        if entry.file_type()?.is_file() {
            std::fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    std::fs::remove_dir_all(folder)
}
