//! All targets: the name of the executable, or the variable `FUZZ_TARGET`, selects one.
#![no_main]

use std::path::Path;
use std::sync::OnceLock;

use lanescope_fuzz::{TARGETS, Target};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    static CHOSEN: OnceLock<&Target> = OnceLock::new();
    CHOSEN.get_or_init(chosen).run(data);
});

fn chosen() -> &'static Target {
    let called = std::env::args_os().next().unwrap_or_default();
    let called = Path::new(&called).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let named = Target::named(&called).or_else(|| Target::named(&std::env::var("FUZZ_TARGET").ok()?));
    named.unwrap_or_else(|| {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        panic!("`{called}` names no target, and FUZZ_TARGET does not either; there are {}", names.join(", "))
    })
}
