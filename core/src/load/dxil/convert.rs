//! One entry point through dxil-spirv.

use std::cell::RefCell;

use dxil_spirv::options::ConverterOption;
use dxil_spirv::{Converter, ParsedBlob};

use super::bindings::Bindings;
use super::interface::{Outputs, linked};
use super::{Conversion, refuse, rename};
use crate::dxil::metadata::EntryPoint;
use crate::dxil::{Dxil, escaped};
use crate::load::validate;
use crate::program::{BrokenRule, ConvertedEntry};
use crate::spirv::Module;

/// A converted entry point: its module, or why there is none.
pub(in crate::load) struct Converted {
    pub entry: ConvertedEntry,
    pub module: Option<(Module, Option<BrokenRule>)>,
}

thread_local! {
    /// What the converter says while it works; it has no other way to say why it fails.
    static SAID: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// Runs `work` and hands back what the converter said meanwhile.
pub(super) fn listening<T>(work: impl FnOnce() -> T) -> (T, Vec<String>) {
    let first = SAID.with_borrow_mut(|said| said.replace(Vec::new()).is_none());
    if first {
        dxil_spirv::set_thread_log_callback(Some(|_, message: &str| {
            SAID.with_borrow_mut(|said| {
                if let Some(said) = said.as_mut().filter(|said| said.len() < 16) {
                    said.push(escaped(message.trim_end().as_bytes()));
                }
            });
        }));
    }
    let done = work();
    let said = SAID.with_borrow_mut(|said| said.as_mut().map(std::mem::take).unwrap_or_default());
    (done, said)
}

/// Converts every entry point of a container. `all` are the containers of the pipeline, in the order of the files.
pub(in crate::load) fn convert(
    dxil: &Dxil,
    all: &[&Dxil],
    bindings: &Bindings,
    conversion: &Conversion,
) -> Vec<Converted> {
    let entries: Vec<EntryPoint> = match &dxil.program {
        Some(program) => program.dx.entries.clone(),
        // Old bytecode has one entry point, whose name only the converter knows.
        None if dxil.is_old_bytecode() => vec![EntryPoint { name: "main".to_owned(), ..EntryPoint::default() }],
        None => return Vec::new(),
    };
    let (parsed, said) = match dxil.is_sound() {
        true => listening(|| parse(dxil)),
        false => (Err("its parts are broken, as the findings say".to_owned()), Vec::new()),
    };
    let parsed = parsed.map_err(|why| with(why, &said));
    entries.iter().map(|entry| one(dxil, entry, &parsed, all, bindings, conversion)).collect()
}

/// The program, and the reflection part, which has the names that the program lacks.
struct Parsed {
    program: ParsedBlob,
    reflection: Option<ParsedBlob>,
}

fn parse(dxil: &Dxil) -> Result<Parsed, String> {
    let program = ParsedBlob::parse(dxil.file()).map_err(|error| error.to_string())?;
    let reflection = dxil.reflection.as_ref().and_then(|_| ParsedBlob::parse_reflection(dxil.file()).ok());
    Ok(Parsed { program, reflection })
}

/// An error with what the converter said before it.
pub(super) fn with(error: String, said: &[String]) -> String {
    if said.is_empty() { error } else { format!("{error}: {}", said.join(" ")) }
}

fn one(
    dxil: &Dxil,
    entry: &EntryPoint,
    parsed: &Result<Parsed, String>,
    all: &[&Dxil],
    bindings: &Bindings,
    conversion: &Conversion,
) -> Converted {
    let function = entry.function.as_deref().unwrap_or(&entry.name);
    let plain = dxil.rdat.as_ref().and_then(|rdat| rdat.functions.iter().find(|other| other.name == function));
    let name = plain.map_or(&entry.name, |plain| &plain.unmangled).clone();
    let refused = dxil.program.as_ref().and_then(|program| refuse::refused(&program.module, function));
    let module = match (refused, parsed) {
        (Some(why), _) => Err(why),
        (None, Err(why)) => Err(why.clone()),
        (None, Ok(parsed)) => {
            let (result, said) = listening(|| run(entry, parsed, all, bindings, conversion));
            result.map_err(|why| with(why, &said)).and_then(|words| checked(&words, &name))
        }
    };
    let (module, why) = match module {
        Ok(module) => (Some(module), None),
        Err(why) => (None, Some(why)),
    };
    let linked = linked(&entry.kind, all).is_none_or(|before| Outputs::of(before).agree(entry));
    let entry = ConvertedEntry { name, kind: entry.kind.to_string(), module: None, why, registers_agree: linked };
    Converted { entry, module }
}

fn run(
    entry: &EntryPoint,
    parsed: &Parsed,
    all: &[&Dxil],
    bindings: &Bindings,
    conversion: &Conversion,
) -> Result<Vec<u32>, String> {
    let text = |error: dxil_spirv::Error| error.to_string();
    let count = parsed.program.num_entry_points().map_err(text)?;
    let wanted = [Some(entry.name.as_str()), entry.function.as_deref()];
    let names = (0..count).filter_map(|index| parsed.program.entry_point_name(index).ok());
    let names: Vec<String> = names.collect();
    let found = names.iter().find(|name| wanted.contains(&Some(escaped(name.as_bytes()).as_str())));
    let only = if let [only] = names.as_slice() { Some(only) } else { None };
    let name = found.or(only).ok_or("dxil-spirv does not find the entry point")?;
    let mut converter = match &parsed.reflection {
        Some(reflection) => Converter::new_with_reflection(&parsed.program, reflection),
        None => Converter::new(&parsed.program),
    }
    .map_err(text)?;
    converter.set_entry_point(name).map_err(text)?;
    for option in options(entry, conversion) {
        converter.add_option(&option).map_err(text)?;
    }
    bindings.apply(&mut converter);
    if let Some(before) = linked(&entry.kind, all) {
        Outputs::of(before).apply(entry, &mut converter);
    }
    Outputs::of(entry).apply_to_own(entry, &mut converter);
    converter.run().map_err(text)?;
    converter.compiled_spirv().map_err(text)
}

fn options(entry: &EntryPoint, conversion: &Conversion) -> Vec<ConverterOption> {
    if entry.properties.node.is_some() { node_options(conversion) } else { general_options(conversion) }
}

/// Nodes reach their records by address, and their root parameters as a uniform block.
pub(super) fn node_options(conversion: &Conversion) -> Vec<ConverterOption> {
    let mut out = general_options(conversion);
    out.push(ConverterOption::PhysicalStorageBuffer { enable: true });
    out.push(ConverterOption::RootConstantInlineUniformBlock { desc_set: NODE_SET, binding: 0, enable: true });
    out
}

fn general_options(conversion: &Conversion) -> Vec<ConverterOption> {
    let mut out = vec![
        ConverterOption::ScalarBlockLayout { supported: true, supports_per_component_robustness: false },
        // Buffers are bound at their start: none needs an offset beside its descriptor.
        ConverterOption::SsboAlignment { alignment: 1 },
        ConverterOption::StorageInputOutput16Bit { supported: true },
        ConverterOption::BarycentricKhr { supported: true },
        ConverterOption::TypedUavReadWithoutFormat { supported: true },
        ConverterOption::ShaderDemoteToHelper { supported: true },
        ConverterOption::ComputeShaderDerivatives { supports_nv: false, supports_khr: true },
        ConverterOption::ComputeShaderDerivativesQuad { supports_quad: true },
        ConverterOption::MinPrecisionNative16Bit { enabled: conversion.native_16bit },
        ConverterOption::PhysicalStorageBuffer { enable: conversion.physical_buffers },
    ];
    if let Some(size) = conversion.wave_size {
        out.push(ConverterOption::ForceSubgroupSize { forced_value: size, wave_size_enable: true });
    }
    out
}

/// The set of a node's root parameters, behind those that registers are given.
const NODE_SET: u32 = 3;

fn checked(words: &[u32], name: &str) -> Result<(Module, Option<BrokenRule>), String> {
    let module = Module::parse(rename::entry_point(words, name)).map_err(|error| format!("SPIR-V, {error}"))?;
    let broken = validate::validate(&module).map_err(|problem| problem.to_string())?;
    Ok((module, broken))
}
