//! One entry point through dxil-spirv.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use dxil_spirv::binding::D3dBinding;
use dxil_spirv::options::ConverterOption;
use dxil_spirv::{Converter, ParsedBlob};

use super::bindings::{self, Bindings, Register};
use super::failure::Failure;
use super::interface;
use super::lines::{lines, marked_source};
use super::{rename, repair, unsupported};
use crate::{LoadOptions, validate};
use lanescope_dxil::adapt::{widened_bytes, without_library_model};
use lanescope_dxil::mark::Marked;
use lanescope_dxil::metadata::EntryPoint;
use lanescope_dxil::op_calls::calls;
use lanescope_dxil::ops::Opcode;
use lanescope_dxil::strip::{has_debug_information, without_debug_information};
use lanescope_dxil::{Dxil, escaped};
use lanescope_model::dxil_interface::{Linked, Outputs, linked};
use lanescope_model::options::{Conversion, ConversionSwitch};
use lanescope_model::program::{ConvertedEntry, LoadedModule, WaveSize};
use lanescope_spirv::{Lines, Module};

/// A converted entry point: its module, or why there is none.
pub(crate) struct Converted {
    pub entry: ConvertedEntry,
    /// The entry point whose outputs it reads.
    pub before: Option<Linked>,
    pub module: Option<LoadedModule>,
}

thread_local! {
    /// What the converter says while it works; it has no other way to say why it fails.
    static LOGGED: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// Runs `work` and returns what the converter logged meanwhile.
pub(super) fn listening<T>(work: impl FnOnce() -> T) -> (T, Vec<String>) {
    let first = LOGGED.with_borrow_mut(|logged| logged.replace(Vec::new()).is_none());
    if first {
        dxil_spirv::set_thread_log_callback(Some(|_, message: &str| {
            LOGGED.with_borrow_mut(|logged| {
                if let Some(logged) = logged.as_mut().filter(|logged| logged.len() < 16) {
                    logged.push(escaped(message.trim_end().as_bytes()));
                }
            });
        }));
    }
    let done = work();
    let logged = LOGGED.with_borrow_mut(|logged| logged.as_mut().map(std::mem::take).unwrap_or_default());
    (done, logged)
}

/// Converts every entry point of a container. `all` are the containers of the pipeline, in the order of the files.
pub(crate) fn convert(dxil: &Dxil, all: &[&Dxil], bindings: &Bindings, wanted: &LoadOptions) -> Vec<Converted> {
    let entries: Vec<EntryPoint> = match &dxil.program {
        Some(program) => program.dx.entries.clone(),
        // Bytecode has one entry point, and no name for it.
        None => match dxil.bytecode() {
            Some(old) => vec![EntryPoint { name: "main".to_owned(), kind: old.kind, ..EntryPoint::default() }],
            None => return Vec::new(),
        },
    };
    let (parsed, logged) = match (&wanted.unconverted, dxil.is_sound()) {
        (Some(why), _) => (Err(why.clone()), Vec::new()),
        // The converter does not survive it.
        (None, true) if dxil.program.as_ref().is_some_and(|program| program.module.defined().next().is_none()) => {
            (Err("no function of the program has a body".to_owned()), Vec::new())
        }
        // It reads beyond the record.
        (None, true) if dxil.program.as_ref().is_some_and(|program| program.module.attributes.has_open_text()) => {
            (Err("an attribute of a function is a text without an end".to_owned()), Vec::new())
        }
        (None, true) => match stripped(dxil) {
            Ok(None) => listening(|| parse(dxil, dxil)),
            Ok(Some(other)) => listening(|| parse(&other, dxil)),
            Err(why) => (Err(why), Vec::new()),
        },
        (None, false) => (Err("the container has invalid parts, see the other findings".to_owned()), Vec::new()),
    };
    let parsed = parsed.map_err(|why| Failure::of_converter(&why, &logged));
    let blobs = Blobs::new(dxil, parsed, wanted);
    let mut links: BTreeMap<&str, Option<Linked>> = BTreeMap::new();
    let converted = entries.iter().map(|entry| {
        let before = *links.entry(&entry.kind).or_insert_with(|| linked(&entry.kind, all, &wanted.entries));
        let (converted, place) = one(dxil, entry, &blobs, before.and_then(|before| before.of(all)), bindings, wanted);
        (Converted { before, ..converted }, place)
    });
    let (mut converted, places): (Vec<Converted>, Vec<Option<(usize, usize)>>) = converted.unzip();
    if places.iter().any(Option::is_some)
        && let Some(listing) = dxil.disassembly()
    {
        let lines = dxil.source_lines();
        for (converted, place) in converted.iter_mut().zip(places) {
            converted.entry.stopped_at = place.and_then(|(function, instruction)| listing.line(function, instruction));
            let source = place.and_then(|(function, instruction)| lines.line(function, instruction));
            converted.entry.stopped_at_source = source.cloned();
        }
    }
    converted
}

/// The program without debug information in its functions, which the converter does not read; `None` where it has none.
pub(super) fn stripped(dxil: &Dxil) -> Result<Option<Dxil>, String> {
    let Some(program) = dxil.program.as_ref().filter(|program| has_debug_information(program)) else { return Ok(None) };
    let why = "the converter does not read the debug information of functions";
    match without_debug_information(dxil, program) {
        Ok(Some(other)) => Ok(Some(other)),
        Ok(None) => Err(format!("{why}, and the program differs without it")),
        Err(fault) => Err(format!("{why}; without it: {fault}")),
    }
}

/// What entry points are converted from.
struct Blobs {
    parsed: Result<Parsed, Failure>,
    /// The same with marks of source lines. `None` where it has no source lines.
    with_marks: Option<Option<(Parsed, Marked)>>,
}

impl Blobs {
    fn new(dxil: &Dxil, parsed: Result<Parsed, Failure>, wanted: &LoadOptions) -> Blobs {
        let parsed_too = |marked: Marked| Some((listening(|| parse(&marked.dxil, dxil)).0.ok()?, marked));
        let marked = parsed.is_ok().then(|| marked_source(dxil, wanted)).flatten();
        Blobs { with_marks: marked.map(|marked| marked.and_then(parsed_too)), parsed }
    }

    /// The lines of a converted module's instructions, where they are known. `run` converts the entry point.
    fn lines_of(&self, module: &Module, run: impl FnOnce(&Parsed) -> Result<Vec<u32>, String>) -> Option<Lines> {
        let (parsed, marked) = self.with_marks.as_ref()?.as_ref()?;
        let (words, _) = listening(|| run(parsed));
        let other = Module::parse(words.ok()?).ok()?;
        lines(module, &other, marked)
    }
}

/// The program, and the reflection part, which has the names that the program lacks.
struct Parsed {
    program: ParsedBlob,
    /// A library with another shader model, which the compute shaders are converted from: those of a library the converter
    /// takes for nodes.
    compute: Option<ParsedBlob>,
    reflection: Option<ParsedBlob>,
    is_library: bool,
}

impl Parsed {
    /// The blob that an entry point is converted from.
    fn of(&self, entry: &EntryPoint) -> Result<&ParsedBlob, String> {
        if !self.is_library || !is_plain_compute(entry) {
            return Ok(&self.program);
        }
        self.compute
            .as_ref()
            .ok_or_else(|| "the compute shader cannot be distinguished from a node of the library".to_owned())
    }
}

/// Whether an entry point is a compute shader that is not a node.
fn is_plain_compute(entry: &EntryPoint) -> bool {
    entry.kind == "compute" && entry.properties.node.is_none()
}

/// Parses a program, with the reflection of the file that it is from.
fn parse(dxil: &Dxil, of: &Dxil) -> Result<Parsed, String> {
    let program = match widened(dxil) {
        Some(file) => parsed(dxil, &file)?,
        None => parsed(dxil, dxil.file())?,
    };
    // The converter does not check what it decodes. Without the reflection, the program's own names are used.
    let reflection = if of.has_whole_reflection() { ParsedBlob::parse_reflection(of.file()).ok() } else { None };
    let library = dxil.program.as_ref().filter(|_| dxil.is_library());
    let other = library.filter(|program| program.dx.entries.iter().any(is_plain_compute));
    let other = other.and_then(|program| without_library_model(dxil, program).ok().flatten());
    let compute = other.map(|file| parsed(dxil, &file)).transpose()?;
    Ok(Parsed { program, compute, reflection, is_library: library.is_some() })
}

/// The op that reads an input at a vertex of its primitive, whose number is a constant of type `i8`. The converter has no
/// such type, and writes the id 0 where the constant is met here first.
const ATTRIBUTE_AT_VERTEX: u32 = 137;

/// The file with its `i8` constants widened, where the converter needs it.
fn widened(dxil: &Dxil) -> Option<Vec<u8>> {
    let program = dxil.program.as_ref()?;
    let mut calls = calls(&program.module).into_iter();
    let needs_it = calls.any(|call| call.opcode == Some(Opcode(ATTRIBUTE_AT_VERTEX)));
    needs_it.then(|| widened_bytes(dxil, program).ok().flatten())?
}

/// A file, or what was made of it, as the converter reads it.
pub(super) fn parsed(dxil: &Dxil, file: &[u8]) -> Result<ParsedBlob, String> {
    let parsed = match &dxil.program {
        _ if dxil.is_bare() => dxil_spirv::parse_dxil(file),
        // It looks for the part DXIL alone.
        Some(program) if program.part.0 != *b"DXIL" => {
            let start = program.header.bitcode as usize;
            let bitcode = file.get(start..start.saturating_add(program.header.size as usize));
            dxil_spirv::parse_dxil(bitcode.unwrap_or_default())
        }
        _ => ParsedBlob::parse(file),
    };
    parsed.map_err(|error| error.to_string())
}

/// Converts one entry point, which reads the outputs of the one before it. Also returns the instruction that stops it, where there is one: indices of its function
/// and of itself.
fn one(
    dxil: &Dxil,
    entry: &EntryPoint,
    blobs: &Blobs,
    before: Option<&EntryPoint>,
    bindings: &Bindings,
    wanted: &LoadOptions,
) -> (Converted, Option<(usize, usize)>) {
    let conversion = &wanted.conversion;
    let function = entry.function.as_deref().unwrap_or(&entry.name);
    let name = dxil.entry_name(entry).to_owned();
    let refused = dxil.program.as_ref().and_then(|program| unsupported::refused(&program.module, entry, function));
    let place = refused.as_ref().and_then(|refused| refused.at);
    let module = match (refused, &blobs.parsed) {
        (Some(refused), _) => Err(refused.why.into()),
        (None, Err(why)) => Err(why.clone()),
        (None, Ok(parsed)) => {
            let (result, logged) = listening(|| run(entry, parsed, before, bindings, conversion));
            let words = result.map_err(|why| Failure::of_converter(&why, &logged));
            words.and_then(|words| checked(&words, &name, wanted).map_err(Failure::from))
        }
    };
    let (mut module, why, details) = match module {
        Ok(module) => (Some(module), None, None),
        Err(failure) => (None, Some(failure.why), failure.details),
    };
    let mut has_source_lines = None;
    if let Some(loaded) = module.as_mut().filter(|_| blobs.with_marks.is_some()) {
        let lines = blobs.lines_of(&loaded.module, |parsed| run(entry, parsed, before, bindings, conversion));
        has_source_lines = Some(lines.is_some());
        if let Some(lines) = lines {
            loaded.module = loaded.module.clone().with_lines(lines);
        }
    }
    let own = entry.properties.wave_size.map(|[least, most, preferred]| match most {
        0 => WaveSize { least, most: least, preferred: least },
        most => WaveSize { least, most, preferred },
    });
    let forced = conversion.wave_size.map(|size| WaveSize { least: size, most: size, preferred: size });
    let (kind, wave_size) = (entry.kind.to_string(), forced.or(own));
    let registers_agree = before.is_none_or(|before| Outputs::of(before).agree(entry));
    let entry = ConvertedEntry {
        name,
        kind,
        module: None,
        why,
        details,
        stopped_at: None,
        stopped_at_source: None,
        has_source_lines,
        registers_agree,
        wave_size,
    };
    (Converted { entry, before: None, module }, place)
}

/// A converter for one entry point, and how the blob calls it.
fn converter(parsed: &Parsed, entry: &EntryPoint) -> Result<Converter, String> {
    let text = |error: dxil_spirv::Error| error.to_string();
    let blob = parsed.of(entry)?;
    let count = blob.num_entry_points().map_err(text)?;
    let wanted = [Some(entry.name.as_str()), entry.function.as_deref()];
    let names = (0..count).filter_map(|index| blob.entry_point_name(index).ok());
    let names: Vec<String> = names.collect();
    let found = names.iter().find(|name| wanted.contains(&Some(escaped(name.as_bytes()).as_str())));
    let only = if let [only] = names.as_slice() { Some(only) } else { None };
    let name = found.or(only).ok_or("dxil-spirv did not find the entry point")?;
    let mut converter = match &parsed.reflection {
        Some(reflection) => Converter::new_with_reflection(blob, reflection),
        None => Converter::new(blob),
    }
    .map_err(text)?;
    converter.set_entry_point(name).map_err(text)?;
    Ok(converter)
}

fn run(
    entry: &EntryPoint,
    parsed: &Parsed,
    before: Option<&EntryPoint>,
    bindings: &Bindings,
    conversion: &Conversion,
) -> Result<Vec<u32>, String> {
    let text = |error: dxil_spirv::Error| error.to_string();
    let mut converter = converter(parsed, entry)?;
    for option in options(entry, conversion) {
        converter.add_option(&option).map_err(text)?;
    }
    bindings.apply(&mut converter);
    if let Some(before) = before {
        interface::set_inputs(Outputs::of(before), entry, &mut converter);
    }
    if entry.function.is_some() {
        interface::set_outputs(Outputs::of(entry), entry, &mut converter);
    }
    converter.run().map_err(text)?;
    converter.compiled_spirv().map(repair::access_chains).map_err(text)
}

/// The registers that a container uses: as its metadata lists them, or, of bytecode, as the converter meets them.
pub(crate) fn registers(dxil: &Dxil) -> Vec<Register> {
    if dxil.bytecode().is_none() || !dxil.is_sound() {
        return bindings::registers(dxil);
    }
    let met: Arc<Mutex<Vec<Register>>> = Arc::default();
    let note = |class: &'static str| {
        let met = Arc::clone(&met);
        move |binding: &D3dBinding, counter: bool| {
            if let Ok(mut met) = met.lock() {
                met.push(Register::met(class, binding, counter));
            }
        }
    };
    let (srv, uav, cbv, sampler) = (note("srv"), note("uav"), note("cbv"), note("sampler"));
    // The result is ignored: the conversion that counts follows, and says why if there is none.
    let _ = listening(|| {
        // A converter looks into the blob as long as it lives, though its type does not say so.
        let parsed = parse(dxil, dxil)?;
        let mut converter = converter(&parsed, &EntryPoint::default())?;
        converter.set_srv_remapper(move |binding| {
            srv(binding, false);
            None
        });
        converter.set_uav_remapper(move |found| {
            uav(&found.binding, false);
            if found.has_counter {
                uav(&found.binding, true);
            }
            None
        });
        converter.set_cbv_remapper(move |binding| {
            cbv(binding, false);
            None
        });
        converter.set_sampler_remapper(move |binding| {
            sampler(binding, false);
            None
        });
        converter.run().map_err(|error| error.to_string())
    });
    met.lock().map(|met| met.clone()).unwrap_or_default()
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
    use ConversionSwitch as Switch;
    let has = |switch| conversion.has(switch);
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
        ConverterOption::MinPrecisionNative16Bit { enabled: has(Switch::Native16Bit) },
        ConverterOption::PhysicalStorageBuffer { enable: has(Switch::PhysicalBuffers) },
        ConverterOption::PreciseControl { force_precise: has(Switch::Precise), propagate_precise: false },
        ConverterOption::ArithmeticRelaxedPrecision { enabled: has(Switch::RelaxedPrecision) },
        ConverterOption::InvariantPosition { enabled: has(Switch::InvariantPosition) },
        ConverterOption::VulkanMemoryModel { enabled: has(Switch::VulkanMemoryModel) },
        ConverterOption::DualSourceBlending { enabled: has(Switch::DualSource) },
    ];
    if has(Switch::MaximalReconvergence) {
        out.push(ConverterOption::QuadControlReconvergence {
            supports_quad_control: false,
            supports_maximal_reconvergence: true,
            force_maximal_reconvergence: true,
        });
    }
    if let Some(size) = conversion.wave_size {
        out.push(ConverterOption::ForceSubgroupSize { forced_value: size, wave_size_enable: true });
    }
    out
}

/// The set of a node's root parameters, after those that registers are given.
const NODE_SET: u32 = 3;

fn checked(words: &[u32], name: &str, wanted: &LoadOptions) -> Result<LoadedModule, String> {
    validate::loaded(rename::entry_point(words, name), wanted).map_err(|problem| problem.to_string())
}
