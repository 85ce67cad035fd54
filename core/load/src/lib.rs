//! Bytes to [`Program`]: what a file is, how it becomes SPIR-V, and which entry points make one pipeline.
//!
//! A program is complete, or there is none. Everything here is bounded by the file's size and the limits below; the C++
//! libraries it calls are not ours, so a caller with something to lose runs it in a child process.

#![forbid(unsafe_code)]

mod accepted;
pub mod activity;
mod amber;
mod corpus;
mod described;
mod dxil;
mod effort;
mod error;
mod file;
mod findings;
mod foz;
mod given;
mod glsl;
mod hlsl;
mod included;
mod limited;
mod nesting;
mod objdump;
mod opcode_table;
mod pair;
mod pipe;
mod preceding;
mod reads;
mod search_path;
mod shader_test;
mod slang;
mod sniff;
mod sodb;
mod spirv;
mod spirv_val;
mod spvasm;
mod tolerated;
mod validate;
mod wgsl;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub use dxil::{ConversionFailure, NodeFunction, NodeModules, node_modules};
pub use error::{LoadError, Problem};
pub use lanescope_base::files::MAX_FILE;
pub use lanescope_glslang::heap;

pub use corpus::{Corpus, CorpusPlace};
pub use file::{MAX_WAIT, STANDARD_INPUT, in_folder, is_stream, open as open_regular, read_file, special_file};
pub use foz::{database, listing};
pub use glsl::compile_own;
pub use hlsl::{
    BUILT_IN as BUILT_IN_HLSL_COMPILER, HlslCompilers, LIBRARY_VARIABLE as HLSL_LIBRARY_VARIABLE,
    compilers as hlsl_compilers, has_nodes, kind_of as hlsl_kind, profile as hlsl_profile, usual_entry as hlsl_entry,
};
pub use lanescope_model::file_types;
pub use lanescope_model::file_types::stage_of_name;
pub use objdump::{NoDisassembly, disassemble_object};
pub use opcode_table::{read_opcode_table, text as opcode_table_text, with_feature_names};
pub use slang::{LIBRARY_VARIABLE as SLANG_LIBRARY_VARIABLE, compiler as slang_compiler};
pub use sniff::{stage_of_extension, stage_of_profile};
pub use sodb::{is_state_objects, list_state_objects, of_database, state_objects};
pub use spirv_val::{Validators, validators};
pub use spvasm::disassemble;
pub use validate::{NotAccepted, check, check_rewritten};

use described::Described;
use spirv_val::Validator;

use lanescope_base::Blob;
use lanescope_dxil::Dxil;
use lanescope_model::options::{Conversion, Options};
use lanescope_model::program::{CompilerMessage, Format, Input, LoadedDxil, LoadedModule, Program, StageKind};
use lanescope_pipeline::Pipeline;
use serde::{Deserialize, Serialize};

/// What a format's loader makes of one file.
enum Loaded {
    /// SPIR-V that was put before the validator, and what it was made from. Its input is for the caller to set.
    Module(Box<LoadedModule>),
    /// A container that is converted together with the other files, and what it was compiled from.
    Dxil { dxil: Box<Dxil>, source: Option<String>, includes: Vec<PathBuf>, warnings: Vec<CompilerMessage> },
    /// SPIR-V of a source, and the compiler that made it, where that is no part of this program.
    Compiled { module: Box<LoadedModule>, compiler: String },
    /// SPIR-V of HLSL, whose descriptors are placed together with those of the other files.
    Hlsl(Box<hlsl::Made>),
    /// A description of a pipeline, with its shaders.
    Described(Box<Described>),
}

/// One format: how to know it, how to read it.
struct Loader {
    format: Format,
    load: fn(&Path, Vec<u8>, &LoadOptions) -> Result<Loaded, Problem>,
}

/// Every format that can be opened.
const LOADERS: &[Loader] = &[
    Loader { format: Format::Spirv, load: |_, bytes, wanted| spirv::load(bytes, wanted) },
    Loader { format: Format::Spvasm, load: |_, bytes, wanted| spvasm::load(bytes, wanted) },
    Loader { format: Format::Glsl, load: glsl::load },
    Loader { format: Format::Hlsl, load: hlsl::load },
    Loader { format: Format::Wgsl, load: wgsl::load },
    Loader { format: Format::Slang, load: slang::load },
    Loader { format: Format::Dxil, load: |_, bytes, _| dxil::load(bytes) },
    Loader { format: Format::Pipe, load: pipe::load },
    Loader { format: Format::ShaderTest, load: shader_test::load },
    Loader { format: Format::Amber, load: amber::load },
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
    let wanted = LoadOptions { entries: entries.to_vec(), conversion: conversion.clone(), ..LoadOptions::default() };
    load_with_options(paths, &wanted)
}

/// What becomes of modules that the validator rejects.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Validation {
    /// They are an error.
    #[default]
    Required,
    /// They are loaded, and [`LoadedModule::broken_rules`](lanescope_model::program::LoadedModule) has the reason.
    Reported,
    /// The validator does not run.
    Off,
}

/// What of some files is wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadOptions {
    /// Names of entry points; empty for all.
    pub entries: Vec<String>,
    /// The first digits of a pipeline's key, where a file has many pipelines.
    pub pipeline: Option<String>,
    /// How HLSL and DXIL become SPIR-V.
    pub conversion: Conversion,
    /// What becomes of modules that the validator rejects.
    pub validation: Validation,
    /// The validator in place of the one that is built in: a path, or `auto`.
    pub validator: Option<String>,
    /// Why DXIL is not converted at all: how the converter failed the last time.
    pub unconverted: Option<String>,
    /// Whether converted modules do not get the lines of the source: they take a second conversion.
    pub without_lines: bool,
    /// The stage of GLSL whose name says none.
    pub stage: Option<StageKind>,
    /// Contents that stand for those of files: what was read already since that can be done only once (standard input,
    /// FIFOs), and unsaved text of an editor. By the names that the files are loaded by; included files by any name.
    #[serde(with = "given")]
    pub given: BTreeMap<PathBuf, Blob>,
    /// The folders below which sources may include files and descriptions may name them, with all links followed; any
    /// file where absent.
    #[serde(default)]
    pub within: Option<Vec<PathBuf>>,
}

impl LoadOptions {
    /// What these options want.
    pub fn of(options: &Options) -> LoadOptions {
        let Options { entry, pipeline, stage, dxil, no_validate, validator, .. } = options;
        LoadOptions {
            entries: entry.clone(),
            pipeline: pipeline.clone(),
            conversion: dxil.clone(),
            validation: if *no_validate { Validation::Reported } else { Validation::Required },
            validator: validator.clone(),
            stage: *stage,
            ..LoadOptions::default()
        }
    }

    /// Where the files lie that one names: beside it, or in the working directory where it is a stream.
    fn folder_of<'p>(&self, path: &'p Path) -> &'p Path {
        let is_read_stream = self.given.contains_key(path) && is_stream(path);
        path.parent().filter(|_| !is_read_stream).unwrap_or(Path::new(""))
    }

    /// The contents of a file that was named.
    fn bytes_of(&self, path: &Path) -> Result<Vec<u8>, Problem> {
        match self.given.get(path) {
            Some(given) => file::filled(given.0.clone()),
            None => file::read_named(path),
        }
    }
}

/// Loads what is wanted of files that make one pipeline. Databases of pipelines make one set.
///
/// Errors: as for [`load`]; a database of which it is not said which pipeline is wanted.
pub fn load_with_options(paths: &[PathBuf], wanted: &LoadOptions) -> Result<Program, LoadError> {
    let (paths, wanted) = selected(paths, wanted)?;
    let mut program = unpaired(&paths, &wanted)?;
    program.stages = pair::pair(&paths, &program, &wanted.entries)?;
    Ok(program)
}

/// Reads what a file says of a pipeline, whether or not its shaders can be used; none where it describes none.
///
/// Errors: as for [`load_with_options`].
pub fn load_description(path: &Path, wanted: &LoadOptions) -> Result<Option<(Box<Pipeline>, Input)>, LoadError> {
    let (paths, wanted) = selected(&[path.to_owned()], wanted)?;
    let Program { pipeline, inputs, .. } = unpaired(&paths, &wanted)?;
    Ok(pipeline.and_then(|pipeline| {
        let input = inputs.into_iter().nth(pipeline.origin.input)?;
        Some((pipeline, input))
    }))
}

/// Takes the key from a path that names a pipeline of a database: `a.sodb@lit`.
fn selected(paths: &[PathBuf], wanted: &LoadOptions) -> Result<(Vec<PathBuf>, LoadOptions), LoadError> {
    let (mut out, mut wanted) = (Vec::with_capacity(paths.len()), wanted.clone());
    for path in paths {
        let of_database = if wanted.given.contains_key(path) { None } else { of_database(path) };
        let Some((file, key)) = of_database else {
            out.push(path.clone());
            continue;
        };
        if let Some(other) = wanted.pipeline.replace(key).filter(|other| wanted.pipeline.as_ref() != Some(other)) {
            let why = format!("two pipelines are chosen: this one and {}", lanescope_base::foreign::plain_name(&other));
            return Err(LoadError { path: path.clone(), problem: Problem::GroupMissing { why } });
        }
        out.push(file);
    }
    Ok((out, wanted))
}

/// The files' modules and descriptions, without stages.
fn unpaired(paths: &[PathBuf], wanted: &LoadOptions) -> Result<Program, LoadError> {
    if paths.is_empty() {
        return Err(LoadError { path: PathBuf::new(), problem: Problem::NoFiles });
    }
    // One that cannot be used is not ignored, whether or not a module is validated.
    Validator::of(wanted.validator.as_deref())
        .map_err(|problem| LoadError { path: paths.first().cloned().unwrap_or_default(), problem })?;
    let mut program = Program::default();
    if let Some((path, _)) =
        wanted.given.iter().find(|(path, given)| paths.contains(path) && foz::begins_as_one(&given.0))
    {
        return Err(LoadError { path: path.clone(), problem: Problem::DatabaseStream });
    }
    let mut unplaced = Vec::new();
    let is_database = |path: &&PathBuf| !wanted.given.contains_key(*path) && foz::is_database(path);
    let databases: Vec<PathBuf> = paths.iter().filter(is_database).cloned().collect();
    let mut placed = sodb::Placed::default();
    for (index, path) in paths.iter().enumerate() {
        let of_path = |problem| LoadError { path: path.clone(), problem };
        let is_state_objects = match wanted.given.get(path) {
            Some(given) => lanescope_sodb::looks_like(&given.0),
            None => is_state_objects(path),
        };
        if is_state_objects {
            let opened = sodb::load(path, wanted).map_err(of_path)?;
            placed = sodb::take(opened, index, paths.len(), &mut program).map_err(of_path)?;
            program.inputs.push(sodb::input(path, wanted).map_err(of_path)?);
            continue;
        }
        if !databases.contains(path) {
            load_file(path, index, wanted, &mut program, &mut unplaced).map_err(of_path)?;
            continue;
        }
        if databases.first() == Some(path) {
            let described = foz::load(&databases, wanted)?;
            take(described, index, &mut program).map_err(of_path)?;
        }
        program.inputs.push(foz::input(path).map_err(of_path)?);
    }
    sodb::add_inputs(&mut placed, &mut program);
    convert(&mut program, &unplaced, wanted)?;
    sodb::set_stages(&placed, &mut program);
    Ok(program)
}

/// A module of HLSL whose descriptors are not placed yet: its index, and its registers.
struct Unplaced {
    module: usize,
    resources: hlsl::Resources,
}

fn load_file(
    path: &Path,
    index: usize,
    wanted: &LoadOptions,
    program: &mut Program,
    unplaced: &mut Vec<Unplaced>,
) -> Result<(), Problem> {
    let bytes = wanted.bytes_of(path)?;
    let size = bytes.len() as u64;
    let hash = xxhash_rust::xxh3::xxh3_64(&bytes);
    let format = sniff::sniff(path, &bytes, wanted)?;
    let loader = LOADERS
        .iter()
        .find(|loader| loader.format == format)
        .ok_or(Problem::NotAShader { why: "no loader".to_owned() })?;
    let mut compiler = None;
    match (loader.load)(path, bytes, wanted)? {
        Loaded::Module(module) => program.modules.push(LoadedModule { input: index, ..*module }),
        Loaded::Compiled { module, compiler: name } => {
            compiler = Some(name);
            program.modules.push(LoadedModule { input: index, ..*module });
        }
        Loaded::Dxil { dxil, source, includes, warnings } => {
            let includes = includes.into_iter().map(PathBuf::into_os_string).collect();
            compiler = source.as_ref().and_then(|_| dxil.program.as_ref()?.dx.compiler.clone());
            let dxil = dxil.with_tables(opcode_table::wanted(&wanted.conversion)?);
            program.dxil.push(LoadedDxil { warnings, ..dxil::unconverted(index, dxil, source, includes) });
        }
        Loaded::Hlsl(made) => {
            let hlsl::Made { module, resources, compiler: name } = *made;
            compiler = Some(name.to_owned());
            program.modules.push(LoadedModule { input: index, ..module });
            unplaced.push(Unplaced { module: program.modules.len() - 1, resources });
        }
        Loaded::Described(described) => take(*described, index, program)?,
    }
    program.inputs.push(Input {
        path: path.to_string_lossy().into_owned(),
        format,
        bytes: lanescope_base::ids::Bytes(size),
        hash: lanescope_base::ids::Hex(hash),
        compiler,
        bindings: Vec::new(),
    });
    Ok(())
}

/// Puts a description and its modules into the program.
fn take(described: Described, index: usize, program: &mut Program) -> Result<(), Problem> {
    if let Some(first) = &program.pipeline {
        let first = program.inputs.get(first.origin.input).map(|input| input.path.clone()).unwrap_or_default();
        return Err(Problem::SecondDescription { first });
    }
    let Described { mut pipeline, modules, .. } = described;
    pipeline.origin.input = index;
    let first = program.modules.len();
    for stage in &mut pipeline.stages {
        stage.module = stage.module.map(|module| module + first);
    }
    program.modules.extend(modules.into_iter().map(|module| LoadedModule { input: index, ..module }));
    program.pipeline = Some(Box::new(pipeline));
    Ok(())
}

/// Converts what was read as DXIL: modules are added in the order of the inputs. The descriptors of HLSL are placed with
/// theirs.
fn convert(program: &mut Program, unplaced: &[Unplaced], wanted: &LoadOptions) -> Result<(), LoadError> {
    if program.dxil.is_empty() && unplaced.is_empty() {
        return Ok(());
    }
    let all: Vec<&Dxil> = program.dxil.iter().map(|loaded| &loaded.dxil).collect();
    let mut registers: Vec<_> = all.iter().map(|dxil| dxil::registers(dxil)).collect();
    registers.extend(unplaced.iter().map(|one| one.resources.registers()));
    let bindings = dxil::Bindings::of(&registers, &wanted.conversion);
    let containers = all.len();
    let converted: Vec<_> = all.iter().map(|dxil| dxil::convert(dxil, &all, &bindings, wanted)).collect();
    for (index, (loaded, converted)) in program.dxil.iter_mut().zip(converted).enumerate() {
        loaded.bindings = bindings.rows_of(index);
        for one in converted {
            let mut entry = one.entry;
            if let Some(module) = one.module {
                program.modules.push(LoadedModule { input: loaded.input, ..module });
                entry.module = Some(program.modules.len() - 1);
            }
            loaded.entries.push(entry);
            loaded.before.push(one.before);
        }
    }
    for (index, one) in unplaced.iter().enumerate() {
        let Some(loaded) = program.modules.get_mut(one.module) else { continue };
        let Some(input) = program.inputs.get_mut(loaded.input) else { continue };
        loaded.module = one
            .resources
            .placed(&loaded.module, &bindings)
            .map_err(|error| LoadError { path: PathBuf::from(&input.path), problem: Problem::Parse(error) })?;
        input.bindings = bindings.rows_of(containers + index);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_one_loader() {
        // Databases are not read whole, so they have no row.
        let is_database = |format: &Format| matches!(format, Format::Fossilize | Format::StateObjects);
        for format in Format::ALL.iter().filter(|format| !is_database(format)) {
            assert_eq!(LOADERS.iter().filter(|loader| loader.format == *format).count(), 1, "{format}");
        }
    }
}
