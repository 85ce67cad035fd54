//! From a text to words, by naga.

use std::borrow::Cow;

use naga::back::PipelineConstants;
use naga::back::pipeline_constants::{PipelineConstantError, process_overrides};
use naga::back::spv::{self, WriterFlags};
use naga::front::wgsl::{Frontend, Options};
use naga::proc::{BoundsCheckPolicies, BoundsCheckPolicy};
use naga::valid::{ModuleInfo, ValidationFlags, Validator};
use naga::{Module, Override};

use lanescope_model::options::{Conversion, TargetEnv};

use super::lines;
use super::messages::Places;

/// What naga makes of a text.
pub(super) struct Translated {
    pub words: Vec<u32>,
    /// Macros that name no override.
    pub unread_macros: Vec<String>,
}

/// A module with all entry points. Macros give overrides their values.
///
/// Errors: naga's messages.
pub(super) fn translate(place: &Places<'_>, conversion: &Conversion) -> Result<Translated, String> {
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
    let (constants, unread_macros) = values(&module, &conversion.macros()).map_err(|why| place.error(None, &why))?;
    let (module, info) = without_overrides(&module, &info, &constants, place)?;
    let mut module = module.into_owned();
    let numbered = lines::numbered(&mut module, place.text);
    let words = spv::write_vec(&module, &info, &options(numbered.as_deref(), conversion.env()), None);
    let words = lines::that_are(words.map_err(|error| place.error(None, &error.to_string()))?);
    Ok(Translated { words, unread_macros })
}

/// The options of a plain translation: what the text says and nothing around it.
fn options(numbered: Option<&str>, env: TargetEnv) -> spv::Options<'_> {
    let unchecked = BoundsCheckPolicy::Unchecked;
    let file = |source_code| spv::DebugInfo { source_code, file_name: "", language: spv::SourceLanguage::WGSL };
    spv::Options {
        lang_version: env.spirv(),
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
        debug_info: numbered.map(file),
        mesh_shader_primitive_indices_clamp: false,
        emit_int_div_checks: false,
        ..spv::Options::default()
    }
}

/// The values that macros give overrides, by what naga calls those, and the names of macros that no override has.
fn values(module: &Module, macros: &[String]) -> Result<(PipelineConstants, Vec<String>), String> {
    let (mut out, mut unread) = (PipelineConstants::default(), Vec::new());
    for (name, value) in macros.iter().map(|one| one.split_once('=').unwrap_or((one, "1"))) {
        let is_named = |one: &&Override| one.name.as_deref() == Some(name);
        let Some(found) = module.overrides.iter().map(|(_, one)| one).find(is_named) else {
            unread.push(name.to_owned());
            continue;
        };
        let number = match value {
            "true" => Some(1.0),
            "false" => Some(0.0),
            other => number(other),
        };
        let number = number.ok_or_else(|| format!("the value `{value}` of the override `{name}` is not a number"))?;
        out.insert(found.id.map_or_else(|| name.to_owned(), |id| id.to_string()), number);
    }
    Ok((out, unread))
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
