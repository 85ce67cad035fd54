//! SPIR-V: as unvalidated words, and as assembly that SPIRV-Tools assembles and validates.

use lanescope_core::analyse;
use lanescope_core::ids::{Bytes, Hex};
use lanescope_core::options::{Derivatives, LayoutRules, Options, PackingOrder, SpecValue};
use lanescope_core::packing::rewrite as packing;
use lanescope_core::program::{Format, Input, LoadedModule, Program, Stage, StageKind};
use lanescope_core::spirv::Module;
use lanescope_core::target::Target;
use lanescope_core::workgroup::rewrite as workgroup;

/// The options that a word selects.
fn options(bits: u32) -> Options {
    let of = |all: usize, shift: u32| (bits >> shift) as usize % all;
    let mut options = Options {
        order: PackingOrder::ALL[of(PackingOrder::ALL.len(), 0)],
        layout_rules: LayoutRules::ALL[of(LayoutRules::ALL.len(), 2)],
        target: [Target::Gfx1030, Target::Gfx1010, Target::Gfx1100, Target::Gfx1200][of(4, 4)],
        no_pack: bits & 1 << 6 != 0,
        reconfig: bits & 1 << 7 != 0,
        force_swizzle: bits & 1 << 8 != 0,
        ..Options::default()
    };
    if bits & 1 << 9 != 0 {
        options.derivatives = Some(Derivatives::ALL[of(Derivatives::ALL.len(), 10)]);
    }
    if bits & 1 << 12 != 0 {
        let value = ["0", "-1", "7", "4294967295", "1.5", "true"][of(6, 13)];
        options.spec.insert(bits >> 24 & 7, SpecValue(value.to_owned()));
    }
    options
}

/// A word of options, then a module's words: read, then every pass of the analysis, though no validator saw it.
pub fn words(data: &[u8]) {
    let (words, _) = data.as_chunks::<4>();
    let mut words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
    if words.is_empty() {
        return;
    }
    let chosen = words.remove(0);
    let Ok(module) = Module::parse(words) else { return };
    let entries = module.entry_points().iter().enumerate().take(8);
    let stages = entries.map(|(entry_index, entry)| {
        let stage = entry.stage.unwrap_or(StageKind::Compute);
        Stage { stage, entry: entry.name.clone(), module: 0, entry_index }
    });
    let program = Program {
        stages: stages.collect(),
        inputs: vec![Input::new("a.spv".to_owned(), Format::Spirv, Bytes(0), Hex(0))],
        modules: vec![LoadedModule::new(0, module)],
        ..Program::default()
    };
    let _ = analyse(&program, &options(chosen));
}

/// Text through the loader (assembler and validator), and what passes that through every pass, the rewriting ones too.
pub fn assembly(data: &[u8]) {
    let Ok(program) = crate::programs::program("a.spvasm", data) else { return };
    let options = options(u32::from(data.last().copied().unwrap_or_default()));
    let _ = analyse(&program, &options);
    if program.stages.iter().any(|stage| stage.stage == StageKind::Fragment) {
        let _ = packing::rewrite(&program, &options);
    }
    if program.stages.iter().any(|stage| stage.stage.has_workgroup()) {
        let _ = workgroup::rewrite(&program, &options);
    }
}
