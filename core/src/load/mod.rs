//! Bytes to [`Program`]: what a file is, how it becomes SPIR-V, and which entry points make one pipeline.
//!
//! A program is whole, or there is none. Everything here is bounded by the file's size and the limits below; the C++
//! libraries it calls are not ours, so a caller with something to lose runs it in a child process.

mod error;
mod file;
mod glsl;
mod pair;
mod sniff;
mod spirv;
mod spvasm;
mod validate;

use std::path::{Path, PathBuf};

pub use error::{LoadError, Problem};
pub use file::MAX_FILE;
pub(crate) use glsl::compile_own;
pub use sniff::stage_of_extension;
pub use spvasm::disassemble;
pub use validate::check;

use crate::program::{BrokenRule, Format, Input, LoadedModule, Program};
use crate::spirv::Module;

/// What a format's loader makes of one file.
struct Loaded {
    words: Vec<u32>,
    source: Option<String>,
    includes: Vec<PathBuf>,
}

/// One format: how to know it, how to read it.
struct Loader {
    format: Format,
    load: fn(&Path, Vec<u8>) -> Result<Loaded, Problem>,
}

/// Every format that can be opened.
const LOADERS: &[Loader] = &[
    Loader { format: Format::Spirv, load: spirv::load },
    Loader { format: Format::Spvasm, load: spvasm::load },
    Loader { format: Format::Glsl, load: glsl::load },
];

/// Loads files that make one pipeline.
///
/// `entries` names the entry points that are wanted: a file that has one of them keeps only those; empty keeps all.
///
/// Errors: the first file that cannot be used, with the place in it; files that do not fit together.
pub fn load(paths: &[PathBuf], entries: &[String]) -> Result<Program, LoadError> {
    if paths.is_empty() {
        return Err(LoadError { path: PathBuf::new(), problem: Problem::NoFiles });
    }
    let mut inputs = Vec::with_capacity(paths.len());
    let mut modules = Vec::with_capacity(paths.len());
    for (index, path) in paths.iter().enumerate() {
        let (input, module) = load_file(path, index).map_err(|problem| LoadError { path: path.clone(), problem })?;
        inputs.push(input);
        modules.push(module);
    }
    let stages = pair::pair(paths, &modules, entries)?;
    Ok(Program { inputs, modules, stages })
}

fn load_file(path: &Path, index: usize) -> Result<(Input, LoadedModule), Problem> {
    let bytes = file::read(path)?;
    let size = bytes.len() as u64;
    let hash = xxhash_rust::xxh3::xxh3_64(&bytes);
    let format = sniff::sniff(path, &bytes)?;
    let loader = LOADERS
        .iter()
        .find(|loader| loader.format == format)
        .ok_or(Problem::NotAShader { why: "no loader".to_owned() })?;
    let Loaded { words, source, includes } = (loader.load)(path, bytes)?;
    let module = Module::parse(words).map_err(Problem::Parse)?;
    let broken_rule: Option<BrokenRule> = validate::validate(&module)?;
    let input = Input {
        path: path.to_string_lossy().into_owned(),
        format,
        bytes: crate::ids::Bytes(size),
        hash: crate::ids::Hex(hash),
    };
    let includes = includes.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    Ok((input, LoadedModule { input: index, module, source, includes, broken_rule }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_one_loader() {
        for format in Format::ALL {
            assert_eq!(LOADERS.iter().filter(|loader| loader.format == *format).count(), 1, "{format}");
        }
    }
}
