//! Programs by number: generated, or of a corpus; some of them altered.

use std::path::PathBuf;

use lanescope_core::hunt::alter::altered;
use lanescope_core::hunt::generate::Generated;
use lanescope_core::load::LoadOptions;
use lanescope_core::load::file_types::STAGES;
use lanescope_core::program::{LoadedModule, Program};
use lanescope_core::run::Blob;
use lanescope_core::run::inputs::{Content, Given, Inputs};

use super::Hunt;

/// A program before it is loaded.
pub(super) struct Source {
    /// Its files.
    pub files: Vec<PathBuf>,
    /// How they are loaded: with their contents, where they are generated.
    pub wanted: LoadOptions,
    /// What it runs with.
    pub inputs: Inputs,
    /// How often it is altered.
    pub changes: u32,
    /// It is generated: nothing may refuse it but for what is lacking.
    pub is_generated: bool,
}

/// The folder that generated files are named in: nothing is there.
const GENERATED: &str = "generated";

impl Source {
    /// The program of a number.
    pub fn of(hunt: &Hunt, number: u64) -> Source {
        let mut random = fastrand::Rng::with_seed(number ^ 0x5851_f42d_4c95_7f2d);
        // Every other one is asked as it is: what only an altered one shows is worth to be known.
        let changes = if hunt.corpus.is_empty() && random.bool() { 0 } else { random.u32(0..=hunt.changes) };
        match hunt.corpus.as_slice() {
            [] => Source { changes, ..Source::generated(hunt, number) },
            corpus => {
                let of = &corpus[(number % corpus.len() as u64) as usize];
                let inputs = Inputs { fill: number, ..Inputs::default() };
                Source { files: of.files.clone(), wanted: hunt.wanted.clone(), inputs, changes, is_generated: false }
            }
        }
    }

    fn generated(hunt: &Hunt, number: u64) -> Source {
        let kind = hunt.kinds[(number % hunt.kinds.len() as u64) as usize];
        let program = Generated::of(kind, number);
        let mut wanted = LoadOptions::default();
        let mut files = Vec::new();
        for (stage, text) in program.stages {
            let extension = STAGES.iter().find(|(_, own)| *own == stage).map_or("glsl", |(extension, _)| extension);
            let path = PathBuf::from(GENERATED).join(format!("{number}.{extension}"));
            wanted.given.insert(path.clone(), Blob(text.into_bytes()));
            files.push(path);
        }
        // A kernel may not read what it is given.
        let mut inputs = Inputs { zeros: true, spare: true, ..Inputs::default() };
        if !program.input.is_empty() {
            let content = Content::Bytes(Blob(program.input));
            inputs.buffers.push(Given { set: 0, binding: 0, element: None, content });
        }
        Source { files, wanted, inputs, changes: 0, is_generated: true }
    }
}

/// A shader that nothing has to lack anything for.
pub(super) fn least() -> (Vec<PathBuf>, LoadOptions) {
    let path = PathBuf::from(GENERATED).join("least.comp");
    let mut wanted = LoadOptions::default();
    wanted.given.insert(path.clone(), Blob(b"#version 450\nvoid main() {}\n".to_vec()));
    (vec![path], wanted)
}

/// A program whose modules mean the same; `None` where one of them cannot be altered.
pub(super) fn changed(program: &Program, number: u64, changes: u32) -> Option<Program> {
    let mut random = fastrand::Rng::with_seed(number.wrapping_add(1));
    let mut out = program.clone();
    for loaded in &mut out.modules {
        let module = altered(&loaded.module, &mut random, changes)?;
        *loaded = LoadedModule::new(loaded.input, module);
    }
    out.dxil.clear();
    for stage in &mut out.stages {
        let entries = out.modules.get(stage.module)?.module.entry_points();
        stage.entry_index =
            entries.iter().position(|entry| entry.stage == Some(stage.stage) && entry.name == stage.entry)?;
    }
    Some(out)
}
