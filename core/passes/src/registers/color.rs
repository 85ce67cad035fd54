//! The registers of colour and depth export.

use std::collections::BTreeMap;

use super::facts::{ColorOutput, ConservativeDepth, Numeric, PixelFacts};
use super::field::Field;
use super::fields::{CB_SHADER_MASK, DB_SHADER_CONTROL, SPI_SHADER_COL_FORMAT, SPI_SHADER_Z_FORMAT};
use super::tables::IpTable;
use super::word::{Draft, Origin, Word};
use super::{Graphics, Register, Why};
use crate::color_export::{Attachment, code, export_format};
use crate::findings::{Finding, Place, UNKNOWN_FORMAT};
use lanescope_base::ids::Location;
use lanescope_model::options::{ColorTarget, Options};
use lanescope_model::program::StageKind;

/// The attachments of the outputs that a shader writes, by location: as chosen, else the default for the output's type,
/// or none where the options say that all are chosen.
///
/// A name that is not a format is reported, and the default is used instead.
pub fn attachments(pixel: &PixelFacts, options: &Options, findings: &mut Vec<Finding>) -> BTreeMap<u32, Attachment> {
    let mut chosen = BTreeMap::new();
    for (&location, target) in &options.color {
        let attachment = Attachment::of(target);
        if attachment.format.is_some() || target.format == "UNDEFINED" {
            chosen.insert(location, attachment);
        } else {
            let message = format!("attachment {location}: `{}` is not a renderable color format", target.format);
            let place = Some(Place::Attachment { location: Location(location) });
            findings.push(UNKNOWN_FORMAT.at(Some(StageKind::Fragment), place, message));
        }
    }
    let guessed: &[ColorOutput] = if options.no_default_color { &[] } else { &pixel.colors };
    for output in guessed {
        let name = match output.numeric {
            Numeric::Float => "R8G8B8A8_UNORM",
            Numeric::Uint => "R32G32B32A32_UINT",
            Numeric::Sint => "R32G32B32A32_SINT",
        };
        let default = || Attachment { chosen: false, ..Attachment::of(&ColorTarget::new(name, false)) };
        chosen.entry(output.location).or_insert_with(default);
    }
    chosen
}

/// SPI_SHADER_COL_FORMAT to DB_SHADER_CONTROL.
pub(super) fn registers(graphics: &Graphics<'_>, table: &'static IpTable, origin: Origin) -> Vec<Register> {
    let exports = exports(graphics);
    let mut words: Vec<Draft> = Vec::new();
    words.extend(col_format(table, &exports));
    words.extend(shader_mask(table, &exports));
    words.extend(z_format(graphics, table));
    words.extend(db_shader_control(graphics, table));
    words.into_iter().map(|word| word.finish(origin)).collect()
}

/// One colour export.
struct Export {
    location: u32,
    format: u32,
    mask: u32,
    why: String,
}

/// The exports, in the order in which they happen.
fn exports(graphics: &Graphics<'_>) -> Vec<Export> {
    let pixel = graphics.pixel;
    let mut out = Vec::new();
    for output in pixel.colors.iter().filter(|output| output.index == 0 && output.mask != 0) {
        let (format, why) = export_of(graphics, output);
        if format == code::ZERO {
            continue;
        }
        let no_attachment = graphics.attachments.get(&output.location).is_none_or(|a| a.written().is_none());
        let mask = if format == code::AR32 && no_attachment { 0x9 } else { 0xf };
        out.push(Export { location: output.location, format, mask, why });
    }
    // Both sources of dual-source blending use the format of location 0.
    if pixel.colors.iter().any(|output| output.index == 1 && output.mask != 0)
        && let Some(first) = out.first().filter(|export| export.location == 0)
    {
        let second = Export {
            location: 1,
            format: first.format,
            mask: 0xf,
            why: format!("the second source of dual-source blending, like the first: {}", first.why),
        };
        out.insert(1, second);
    }
    let mrtz = pixel.depth || pixel.stencil_ref || pixel.sample_mask;
    if out.is_empty() && !mrtz && (pixel.discard || pixel.ordered) {
        let reason = if pixel.discard { "discards" } else { "is ordered" };
        let why = format!("nothing is exported, but the shader {reason}, which needs a dummy export");
        out.push(Export { location: 0, format: code::R32, mask: 1, why });
    }
    out
}

/// The export format of one output of the pipeline, and why.
fn export_of(graphics: &Graphics<'_>, output: &ColorOutput) -> (u32, String) {
    let none = Attachment { chosen: false, ..Attachment::of(&ColorTarget::default()) };
    let attachment = graphics.attachments.get(&output.location).unwrap_or(&none);
    let to_coverage = graphics.options.alpha_to_coverage && output.location == 0;
    let export = export_format(graphics.target, attachment, output.mask & 8 != 0, to_coverage);
    let Some(format) = attachment.format else { return (export.code, export.rule.to_owned()) };
    let default = if attachment.chosen { "" } else { " by default" };
    let blending = match (attachment.blend, attachment.blends_by_alpha) {
        (false, _) => "",
        (true, false) => ", blended",
        (true, true) => ", blended by its alpha",
    };
    (export.code, format!("location {}, {}{default}{blending}: {}", output.location, format.name, export.rule))
}

const COL_FIELDS: [Field<SPI_SHADER_COL_FORMAT>; 8] = [
    SPI_SHADER_COL_FORMAT::COL0_EXPORT_FORMAT,
    SPI_SHADER_COL_FORMAT::COL1_EXPORT_FORMAT,
    SPI_SHADER_COL_FORMAT::COL2_EXPORT_FORMAT,
    SPI_SHADER_COL_FORMAT::COL3_EXPORT_FORMAT,
    SPI_SHADER_COL_FORMAT::COL4_EXPORT_FORMAT,
    SPI_SHADER_COL_FORMAT::COL5_EXPORT_FORMAT,
    SPI_SHADER_COL_FORMAT::COL6_EXPORT_FORMAT,
    SPI_SHADER_COL_FORMAT::COL7_EXPORT_FORMAT,
];

/// Filled in export order: holes between locations are skipped.
fn col_format(table: &'static IpTable, exports: &[Export]) -> Option<Draft> {
    let mut word = Word::<SPI_SHADER_COL_FORMAT>::new(table)?;
    for name in COL_FIELDS {
        word.set(name, code::ZERO, "no further export");
    }
    for (name, export) in COL_FIELDS.into_iter().zip(exports) {
        word.set(name, export.format, export.why.clone());
    }
    Some(word.draft())
}

const MASK_FIELDS: [Field<CB_SHADER_MASK>; 8] = [
    CB_SHADER_MASK::OUTPUT0_ENABLE,
    CB_SHADER_MASK::OUTPUT1_ENABLE,
    CB_SHADER_MASK::OUTPUT2_ENABLE,
    CB_SHADER_MASK::OUTPUT3_ENABLE,
    CB_SHADER_MASK::OUTPUT4_ENABLE,
    CB_SHADER_MASK::OUTPUT5_ENABLE,
    CB_SHADER_MASK::OUTPUT6_ENABLE,
    CB_SHADER_MASK::OUTPUT7_ENABLE,
];

/// By location, unlike the formats.
fn shader_mask(table: &'static IpTable, exports: &[Export]) -> Option<Draft> {
    let mut word = Word::<CB_SHADER_MASK>::new(table)?;
    for (location, field) in (0..).zip(MASK_FIELDS) {
        let export = exports.iter().find(|export| export.location == location);
        let (mask, why): (u32, Why) = match export {
            None => (0, "no export to this location".into()),
            Some(export) if export.mask == 0x9 => (0x9, "red and alpha only, for alpha to coverage".into()),
            Some(export) => (export.mask, Why::around(location, &["exported to location ", ""])),
        };
        word.set(field, mask, why);
    }
    Some(word.draft())
}

fn z_format(graphics: &Graphics<'_>, table: &'static IpTable) -> Option<Draft> {
    let mut word = Word::<SPI_SHADER_Z_FORMAT>::new(table)?;
    let pixel = graphics.pixel;
    let four = pixel.colors.iter().any(|o| o.location == 0 && o.index == 0 && o.mask & 8 != 0);
    let moves = graphics.options.alpha_to_coverage && four && graphics.target.ip().exports_alpha_with_depth;
    let (format, why) = match (pixel.sample_mask, pixel.stencil_ref, pixel.depth) {
        (true, ..) => (code::ABGR32, "the sample mask is written"),
        (_, true, _) if moves => (code::ABGR32, "stencil is written, and alpha moves here for alpha to coverage"),
        (_, true, _) => (code::GR32, "stencil is written"),
        (.., true) if moves => (code::AR32, "depth is written, and alpha moves here for alpha to coverage"),
        (.., true) => (code::R32, "depth is written"),
        _ => (code::ZERO, "neither depth, stencil nor sample mask is written"),
    };
    word.set(SPI_SHADER_Z_FORMAT::Z_EXPORT_FORMAT, format, why);
    Some(word.draft())
}

fn db_shader_control(graphics: &Graphics<'_>, table: &'static IpTable) -> Option<Draft> {
    let mut word = Word::<DB_SHADER_CONTROL>::new(table)?;
    let pixel = graphics.pixel;
    let fact = |on: bool, yes: &'static str, no: &'static str| (u32::from(on), if on { yes } else { no });
    let (value, why) = fact(pixel.depth, "depth is written", "depth is not written");
    word.set(DB_SHADER_CONTROL::Z_EXPORT_ENABLE, value, why);
    let (value, why) = fact(pixel.stencil_ref, "a stencil reference is written", "no stencil reference is written");
    word.set(DB_SHADER_CONTROL::STENCIL_TEST_VAL_EXPORT_ENABLE, value, why);
    let late = !pixel.early_tests && pixel.resource_write;
    let (order, why) = match (pixel.early_tests, late) {
        (true, _) => (1, "early and late: early tests are requested"),
        (_, true) => (0, "late: memory is written, so the shader must run before the tests"),
        _ => (1, "early and late: nothing prevents it (depth export and discard do not)"),
    };
    word.set(DB_SHADER_CONTROL::Z_ORDER, order, why);
    let (value, why) = fact(pixel.discard, "the shader discards", "the shader never discards");
    word.set(DB_SHADER_CONTROL::KILL_ENABLE, value, why);
    let (value, why) = fact(pixel.sample_mask, "the sample mask is written", "the sample mask is not written");
    word.set(DB_SHADER_CONTROL::MASK_EXPORT_ENABLE, value, why);
    let (value, why) =
        fact(late, "memory is written without early tests", "only for memory writes without early tests");
    word.set(DB_SHADER_CONTROL::EXEC_ON_HIER_FAIL, value, why);
    let (value, why) = fact(
        pixel.early_tests && pixel.resource_write,
        "early tests, and memory is written",
        "only for memory writes with early tests",
    );
    word.set(DB_SHADER_CONTROL::EXEC_ON_NOOP, value, why);
    let (value, why) = fact(!graphics.options.alpha_to_coverage, "alpha to coverage is off", "alpha to coverage is on");
    word.set(DB_SHADER_CONTROL::ALPHA_TO_MASK_DISABLE, value, why);
    let (value, why) = fact(pixel.early_tests, "early tests are requested", "no early tests are requested");
    word.set(DB_SHADER_CONTROL::DEPTH_BEFORE_SHADER, value, why);
    let (value, why) = match pixel.conservative_depth {
        Some(ConservativeDepth::Less) => (1, "depth_less"),
        Some(ConservativeDepth::Greater) => (2, "depth_greater"),
        None => (0, "no conservative depth"),
    };
    word.set(DB_SHADER_CONTROL::CONSERVATIVE_Z_EXPORT, value, why);
    let (value, why) = fact(pixel.ordered, "ordered interlock", "no ordered interlock");
    word.set(DB_SHADER_CONTROL::PRIMITIVE_ORDERED_PIXEL_SHADER, value, why);
    let (value, why) = fact(pixel.post_depth_coverage, "post-depth coverage", "no post-depth coverage");
    word.set(DB_SHADER_CONTROL::PRE_SHADER_DEPTH_COVERAGE_ENABLE, value, why);
    if pixel.ordered {
        word.driver(DB_SHADER_CONTROL::OVERRIDE_INTRINSIC_RATE_ENABLE, 1, "ordered pixel shading");
    }
    Some(word.draft())
}
