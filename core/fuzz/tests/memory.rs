//! What the passes hold of modules with much of one thing: in proportion to the module.

use lanescope_core::analyse;
use lanescope_core::options::Options;
use lanescope_core::program::{LoadedModule, Program, Stage};
use lanescope_core::spirv::Module;
use lanescope_fuzz::hostile::Class;
use lanescope_fuzz::{Bound, held};

/// Analyses a module that is not validated.
fn read(bytes: &[u8]) {
    let (words, _) = bytes.as_chunks::<4>();
    let module = Module::parse(words.iter().map(|word| u32::from_le_bytes(*word)).collect()).expect("a module");
    let entries = module.entry_points().iter().enumerate();
    let stages = entries.map(|(entry_index, entry)| Stage {
        stage: entry.stage.expect("a shader"),
        entry: entry.name.clone(),
        module: 0,
        entry_index,
    });
    let program =
        Program { stages: stages.collect(), modules: vec![LoadedModule::new(0, module)], ..Program::default() };
    analyse(&program, &Options::default()).expect("analyses");
}

// One test, since memory is counted of the whole process.
#[test]
fn memory_of_the_passes_grows_with_the_module() {
    for (name, size) in [("spirv-private", 4_000), ("spirv-calls", 4_000), ("spirv-selections", 8_000)] {
        let input = Class::named(name).expect("a class").input(0, size);
        let (_, bytes) = input.files.into_iter().next().expect("a file");
        held(&bytes, &Bound { times: 128, beside: 8 << 20 }, read);
    }
}
