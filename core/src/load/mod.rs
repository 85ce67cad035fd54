//! Bytes to [`Program`]: what a file is, how it becomes SPIR-V, and which entry points make one pipeline.
//!
//! A program is whole, or there is none. Everything here is bounded by the file's size and the limits below; the C++
//! libraries it calls are not ours, so a caller with something to lose runs it in a child process.

mod dxil;
mod error;
mod file;
mod glsl;
mod hlsl;
mod pair;
mod sniff;
mod spirv;
mod spvasm;
mod validate;

use std::path::{Path, PathBuf};

pub use dxil::linked;
pub use error::{LoadError, Problem};
pub use file::MAX_FILE;
pub(crate) use glsl::compile_own;
pub use hlsl::{LIBRARY_VARIABLE as HLSL_LIBRARY_VARIABLE, compiler as hlsl_compiler, profile as hlsl_profile};
pub use sniff::stage_of_extension;
pub use spvasm::disassemble;
pub use validate::check;

use crate::dxil::Dxil;
use crate::options::Conversion;
use crate::program::{BrokenRule, Format, Input, LoadedModule, Program};
use crate::spirv::Module;

/// What a format's loader makes of one file.
enum Loaded {
    /// SPIR-V, and what it was made from.
    Module { words: Vec<u32>, source: Option<String>, includes: Vec<PathBuf> },
    /// A container that is converted together with the other files, and what it was compiled from.
    Dxil { dxil: Box<Dxil>, source: Option<String>, includes: Vec<PathBuf> },
}

/// What is wanted of the files.
struct Wanted<'a> {
    /// Names of entry points.
    entries: &'a [String],
    conversion: &'a Conversion,
}

/// One format: how to know it, how to read it.
struct Loader {
    format: Format,
    load: fn(&Path, Vec<u8>, &Wanted<'_>) -> Result<Loaded, Problem>,
}

/// Every format that can be opened.
const LOADERS: &[Loader] = &[
    Loader { format: Format::Spirv, load: spirv::load },
    Loader { format: Format::Spvasm, load: spvasm::load },
    Loader { format: Format::Glsl, load: glsl::load },
    Loader { format: Format::Hlsl, load: hlsl::load },
    Loader { format: Format::Dxil, load: dxil::load },
];

/// Loads files that make one pipeline.
///
/// `entries` names the entry points that are wanted: a file that has one of them keeps only those; empty keeps all.
///
/// Errors: the first file that cannot be used, with the place in it; files that do not fit together.
pub fn load(paths: &[PathBuf], entries: &[String]) -> Result<Program, LoadError> {
    load_with(paths, entries, &Conversion::default())
}

/// Loads files that make one pipeline, and says how HLSL and DXIL become SPIR-V.
///
/// Errors: as for [`load`].
pub fn load_with(paths: &[PathBuf], entries: &[String], conversion: &Conversion) -> Result<Program, LoadError> {
    if paths.is_empty() {
        return Err(LoadError { path: PathBuf::new(), problem: Problem::NoFiles });
    }
    let mut program =
        Program { inputs: Vec::with_capacity(paths.len()), modules: Vec::new(), dxil: Vec::new(), stages: Vec::new() };
    let wanted = Wanted { entries, conversion };
    for (index, path) in paths.iter().enumerate() {
        load_file(path, index, &wanted, &mut program).map_err(|problem| LoadError { path: path.clone(), problem })?;
    }
    convert(&mut program, conversion);
    program.stages = pair::pair(paths, &program, entries)?;
    Ok(program)
}

fn load_file(path: &Path, index: usize, wanted: &Wanted<'_>, program: &mut Program) -> Result<(), Problem> {
    let bytes = file::read(path)?;
    let size = bytes.len() as u64;
    let hash = xxhash_rust::xxh3::xxh3_64(&bytes);
    let format = sniff::sniff(path, &bytes)?;
    let loader = LOADERS
        .iter()
        .find(|loader| loader.format == format)
        .ok_or(Problem::NotAShader { why: "no loader".to_owned() })?;
    let texts = |includes: Vec<PathBuf>| includes.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    match (loader.load)(path, bytes, wanted)? {
        Loaded::Module { words, source, includes } => {
            let module = Module::parse(words).map_err(Problem::Parse)?;
            let broken_rule: Option<BrokenRule> = validate::validate(&module)?;
            let includes = texts(includes);
            program.modules.push(LoadedModule { input: index, module, source, includes, broken_rule });
        }
        Loaded::Dxil { dxil, source, includes } => {
            program.dxil.push(dxil::unconverted(index, *dxil, source, texts(includes)));
        }
    }
    program.inputs.push(Input {
        path: path.to_string_lossy().into_owned(),
        format,
        bytes: crate::ids::Bytes(size),
        hash: crate::ids::Hex(hash),
    });
    Ok(())
}

/// Converts what was read as DXIL: modules are added in the order of the inputs.
fn convert(program: &mut Program, conversion: &Conversion) {
    if program.dxil.is_empty() {
        return;
    }
    let all: Vec<&Dxil> = program.dxil.iter().map(|loaded| &loaded.dxil).collect();
    let registers: Vec<_> = all.iter().map(|dxil| dxil::registers(dxil)).collect();
    let bindings = dxil::Bindings::of(&registers, conversion);
    let converted: Vec<_> = all.iter().map(|dxil| dxil::convert(dxil, &all, &bindings, conversion)).collect();
    for (index, (loaded, converted)) in program.dxil.iter_mut().zip(converted).enumerate() {
        loaded.bindings = bindings.rows_of(index);
        for one in converted {
            let mut entry = one.entry;
            if let Some((module, broken_rule)) = one.module {
                let (source, includes) = (None, Vec::new());
                program.modules.push(LoadedModule { input: loaded.input, module, source, includes, broken_rule });
                entry.module = Some(program.modules.len() - 1);
            }
            loaded.entries.push(entry);
        }
    }
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
