//! Deliberate faults, set by an environment variable, to test what happens when a compiler crashes or hangs. The
//! product never sets the variable.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use lanescope_core::driver::CompileOptions;
use lanescope_core::program::Program;

use super::LoadRequest;

/// `crash`, `abort`, `exit`, `quit`, `hang` or `memory`; `:STAGE` keeps it to requests with that stage,
/// `:instruction=NAME` to those with that instruction, `@CHIP` to one chip;
/// `:loading` is for loaders and their compilers, `:converting` for loading with the converter from DXIL
/// (`:loading=NAME` and `:converting=NAME` where a file of that name is among the files), `:generation=N` for a work
/// graph in that generation, `:pipeline=N` for the pipeline of databases with that number.
pub const FAULT_VARIABLE: &str = "LANESCOPE_WORKER_FAULT";

/// Does what the variable says, where it means this compile.
pub fn happen(program: &Program, with: &CompileOptions) {
    let Ok(text) = std::env::var(FAULT_VARIABLE) else { return };
    let (text, chip) = text.split_once('@').map_or((text.as_str(), None), |(text, chip)| (text, Some(chip)));
    let (kind, stage) = text.split_once(':').map_or((text, None), |(kind, stage)| (kind, Some(stage)));
    let has =
        |name: &str| program.modules.iter().flat_map(|loaded| loaded.module.insts()).any(|inst| inst.name() == name);
    let is_of = |stage: &str| match stage.strip_prefix("instruction=") {
        Some(name) => has(name),
        None => program.stages.iter().any(|own| own.stage.name() == stage),
    };
    let meant = stage.is_none_or(is_of) && chip.is_none_or(|chip| with.chip.is_some_and(|own| own.name() == chip));
    if meant {
        fault(kind);
    }
}

/// Does what the variable says, where it means loading, with the converter from DXIL or without.
pub fn happen_loading(request: &LoadRequest) {
    let text = std::env::var(FAULT_VARIABLE).unwrap_or_default();
    let Some((kind, when)) = text.split_once(':') else { return };
    let (when, name) = when.split_once('=').map_or((when, None), |(when, name)| (when, Some(name)));
    let is_named = |name: &str| request.paths.iter().any(|path| Path::new(path).file_name().is_some_and(|n| n == name));
    let meant = match when {
        "loading" => name.is_none_or(is_named),
        "converting" => request.wanted.unconverted.is_none() && name.is_none_or(is_named),
        _ => false,
    };
    if meant {
        fault(kind);
    }
}

/// Does what the variable says, where it means this generation of a work graph.
pub fn happen_in(number: u32) {
    happen_at(":generation=", u64::from(number));
}

/// Does what the variable says, where it means the pipeline of databases with this number.
pub fn happen_reading(number: usize) {
    happen_at(":pipeline=", number as u64);
}

fn happen_at(which: &str, number: u64) {
    let text = std::env::var(FAULT_VARIABLE).unwrap_or_default();
    if let Some((kind, meant)) = text.split_once(which)
        && meant.parse() == Ok(number)
    {
        fault(kind);
    }
}

/// Whether this process is a child: another one has no faults.
static ALLOWED: AtomicBool = AtomicBool::new(false);

/// Lets this process have faults.
pub fn allow() {
    ALLOWED.store(true, Ordering::SeqCst);
}

fn fault(kind: &str) {
    if !ALLOWED.load(Ordering::SeqCst) {
        return;
    }
    match kind {
        // The signal that a stray pointer brings; sent, for safe code has none. The first one only takes off the
        // handler that looks for overflown stacks.
        "crash" => loop {
            let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::SEGV);
            std::thread::sleep(Duration::from_millis(10));
        },
        "abort" => std::process::abort(),
        "exit" => std::process::exit(3),
        "quit" => std::process::exit(0),
        "hang" => loop {
            std::thread::sleep(Duration::from_secs(1));
        },
        "memory" => {
            let mut all: Vec<Vec<u8>> = Vec::new();
            // Until the limit of the address space ends the process. Written to, so that it counts.
            loop {
                all.push(vec![1; 16 << 20]);
            }
        }
        _ => {}
    }
}
