//! From a text to words, by naga.

use std::borrow::Cow;

use naga::back::PipelineConstants;
use naga::back::pipeline_constants::{PipelineConstantError, process_overrides};
use naga::back::spv::{self, WriterFlags};
use naga::front::wgsl::{Frontend, Options};
use naga::proc::{BoundsCheckPolicies, BoundsCheckPolicy};
use naga::valid::{ModuleInfo, ValidationFlags, Validator};
use naga::{Module, Override};

use super::messages::Places;

/// SPIR-V of Vulkan 1.3, as for other sources.
const VERSION: (u8, u8) = (1, 6);

/// The largest text whose instructions get lines: for each statement naga counts the lines before it.
const MOST_WITH_LINES: usize = 1 << 20;

/// A module with all entry points. Macros give overrides their values.
///
/// Errors: naga's messages.
pub(super) fn translate(place: &Places<'_>, macros: &[String]) -> Result<Vec<u32>, String> {
    let capabilities = spv::supported_capabilities();
    let mut front_end = Frontend::new_with_options(Options { parse_doc_comments: false, capabilities });
    let module = front_end.parse(place.text).map_err(|error| place.parse_error(&error))?;
    let info = Validator::new(ValidationFlags::all(), capabilities).validate(&module);
    let info = info.map_err(|error| place.invalid(&error))?;
    if module.entry_points.is_empty() {
        return Err(
            place.error(None, "has no entry point: no function has the attribute @vertex, @fragment or @compute")
        );
    }
    let constants = values(&module, macros).map_err(|why| place.error(None, &why))?;
    let (module, info) = without_overrides(&module, &info, &constants, place)?;
    let words = spv::write_vec(&module, &info, &options(place.text), None);
    Ok(lines_that_are(words.map_err(|error| place.error(None, &error.to_string()))?))
}

/// The options of a plain translation: what the text says and nothing around it.
fn options(text: &str) -> spv::Options<'_> {
    let unchecked = BoundsCheckPolicy::Unchecked;
    let file = spv::DebugInfo { source_code: text, file_name: "", language: spv::SourceLanguage::WGSL };
    spv::Options {
        lang_version: VERSION,
        flags: WriterFlags::DEBUG | WriterFlags::LABEL_VARYINGS,
        bounds_check_policies: BoundsCheckPolicies {
            index: unchecked,
            buffer: unchecked,
            image_load: unchecked,
            binding_array: unchecked,
        },
        zero_initialize_workgroup_memory: spv::ZeroInitializeWorkgroupMemoryMode::None,
        force_loop_bounding: false,
        ray_query_initialization_tracking: false,
        trace_ray_argument_validation: false,
        debug_info: (text.len() <= MOST_WITH_LINES).then_some(file),
        mesh_shader_primitive_indices_clamp: false,
        emit_int_div_checks: false,
        ..spv::Options::default()
    }
}

/// The values that macros give overrides, by what naga calls those. Macros of other names say nothing.
fn values(module: &Module, macros: &[String]) -> Result<PipelineConstants, String> {
    let mut out = PipelineConstants::default();
    for (name, value) in macros.iter().map(|one| one.split_once('=').unwrap_or((one, "1"))) {
        let is_named = |one: &&Override| one.name.as_deref() == Some(name);
        let Some(found) = module.overrides.iter().map(|(_, one)| one).find(is_named) else { continue };
        let number = match value {
            "true" => Some(1.0),
            "false" => Some(0.0),
            other => number(other),
        };
        let number = number.ok_or_else(|| format!("the value `{value}` of the override `{name}` is not a number"))?;
        out.insert(found.id.map_or_else(|| name.to_owned(), |id| id.to_string()), number);
    }
    Ok(out)
}

fn number(text: &str) -> Option<f64> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16).ok().map(f64::from),
        None => text.parse().ok().filter(|number: &f64| number.is_finite()),
    }
}

/// The module with the values of its overrides in their place: naga writes no specialization constants.
fn without_overrides<'m>(
    module: &'m Module,
    info: &'m ModuleInfo,
    constants: &PipelineConstants,
    place: &Places<'_>,
) -> Result<(Cow<'m, Module>, Cow<'m, ModuleInfo>), String> {
    process_overrides(module, info, None, constants).map_err(|error| match error {
        PipelineConstantError::MissingValue(name) => {
            let named = |one: &&(_, &Override, _)| {
                let (_, one, _): &(_, &Override, naga::Span) = one;
                one.name.as_deref() == Some(&name) || one.id.is_some_and(|id| id.to_string() == name)
            };
            let spanned = module.overrides.iter().map(|(handle, one)| (handle, one, module.overrides.get_span(handle)));
            let spanned: Vec<_> = spanned.collect();
            let found = spanned.iter().find(named);
            let at = found.and_then(|(.., span)| span.to_range());
            let name = found.and_then(|(_, one, _)| one.name.clone()).unwrap_or(name);
            place.error(at, &format!("the override `{name}` has no value; give it one with -D {name}=VALUE"))
        }
        PipelineConstantError::ValidationError(error) => place.invalid(&error),
        other => place.error(None, &other.to_string()),
    })
}

/// Words before the first instruction.
const HEADER: usize = 5;
const OP_LINE: u32 = 8;
const OP_NO_LINE: u32 = 317;

/// The words with no line where naga has the text's first byte for one that it does not know: no statement begins there.
fn lines_that_are(words: Vec<u32>) -> Vec<u32> {
    let mut out = words.get(..HEADER).unwrap_or_default().to_vec();
    let mut rest = words.get(HEADER..).unwrap_or_default();
    while let [first, ..] = rest {
        let (inst, more) = rest.split_at(((first >> 16).max(1) as usize).min(rest.len()));
        match inst {
            [first, _, 1, 1] if first & 0xffff == OP_LINE => out.push(1 << 16 | OP_NO_LINE),
            _ => out.extend(inst),
        }
        rest = more;
    }
    out
}
