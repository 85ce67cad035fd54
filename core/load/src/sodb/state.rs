//! The state of a pipeline, from the structures of D3D12 to those of Vulkan. What has no equal is kept as written.

use lanescope_base::foreign::plain_name;
use lanescope_pipeline::vulkan::{BlendFactor, BlendOp, CompareOp, DynamicState, FrontFace, LogicOp};
use lanescope_pipeline::vulkan::{PolygonMode, StencilOp, Topology, VkFormat};
use lanescope_pipeline::{
    Attachments, Blend, ColorAttachment, DepthStencil, Kept, Multisample, Raster, State, StencilFace,
};
use lanescope_sodb::{Fault, Record};

/// Formats of DXGI that Vulkan has, by their numbers.
const FORMATS: &[(u32, &str)] = &[
    (2, "R32G32B32A32_SFLOAT"),
    (3, "R32G32B32A32_UINT"),
    (4, "R32G32B32A32_SINT"),
    (6, "R32G32B32_SFLOAT"),
    (7, "R32G32B32_UINT"),
    (8, "R32G32B32_SINT"),
    (10, "R16G16B16A16_SFLOAT"),
    (11, "R16G16B16A16_UNORM"),
    (12, "R16G16B16A16_UINT"),
    (13, "R16G16B16A16_SNORM"),
    (14, "R16G16B16A16_SINT"),
    (16, "R32G32_SFLOAT"),
    (17, "R32G32_UINT"),
    (18, "R32G32_SINT"),
    (20, "D32_SFLOAT_S8_UINT"),
    (24, "A2B10G10R10_UNORM_PACK32"),
    (25, "A2B10G10R10_UINT_PACK32"),
    (26, "B10G11R11_UFLOAT_PACK32"),
    (28, "R8G8B8A8_UNORM"),
    (29, "R8G8B8A8_SRGB"),
    (30, "R8G8B8A8_UINT"),
    (31, "R8G8B8A8_SNORM"),
    (32, "R8G8B8A8_SINT"),
    (34, "R16G16_SFLOAT"),
    (35, "R16G16_UNORM"),
    (36, "R16G16_UINT"),
    (37, "R16G16_SNORM"),
    (38, "R16G16_SINT"),
    (40, "D32_SFLOAT"),
    (41, "R32_SFLOAT"),
    (42, "R32_UINT"),
    (43, "R32_SINT"),
    (45, "D24_UNORM_S8_UINT"),
    (49, "R8G8_UNORM"),
    (50, "R8G8_UINT"),
    (51, "R8G8_SNORM"),
    (52, "R8G8_SINT"),
    (54, "R16_SFLOAT"),
    (55, "D16_UNORM"),
    (56, "R16_UNORM"),
    (57, "R16_UINT"),
    (58, "R16_SNORM"),
    (59, "R16_SINT"),
    (61, "R8_UNORM"),
    (62, "R8_UINT"),
    (63, "R8_SNORM"),
    (64, "R8_SINT"),
    (67, "E5B9G9R9_UFLOAT_PACK32"),
    (85, "R5G6B5_UNORM_PACK16"),
    (86, "A1R5G5B5_UNORM_PACK16"),
    (87, "B8G8R8A8_UNORM"),
    (91, "B8G8R8A8_SRGB"),
    (115, "A4R4G4B4_UNORM_PACK16"),
];

/// Factors of D3D12 from 1 on, as Vulkan's; 12 and 13 do not exist.
const FACTORS: [i32; 22] = [-1, 0, 1, 2, 3, 6, 7, 8, 9, 4, 5, 14, -1, -1, 10, 11, 15, 16, 17, 18, 12, 13];
/// Logic operations of D3D12, as Vulkan's.
const LOGIC_OPS: [i32; 16] = [0, 15, 3, 12, 5, 10, 1, 14, 7, 8, 6, 9, 2, 4, 11, 13];
/// What command lists of D3D12 set.
const DYNAMIC: [&str; 4] = ["VIEWPORT", "SCISSOR", "BLEND_CONSTANTS", "STENCIL_REFERENCE"];

/// What was read of a state.
#[derive(Debug, Default)]
pub(super) struct Described {
    pub state: State,
    /// What has no equal.
    pub kept: Vec<Kept>,
    /// Rows that are missing.
    pub faults: Vec<Fault>,
}

/// Reads the state columns of a pipeline state or of a generic program.
pub(super) fn read(object: &Record<'_>) -> Described {
    let mut out = Described::default();
    let from = object.place();
    out.state.primitive_restart = object.number("IBStripCutValue").map(|value| value != 0);
    topology(object, &mut out);
    if let Some(desc) = out.row(object, "RasterizerDesc") {
        out.state.raster = Some(raster(&desc, &mut out.kept));
    }
    let mut samples = Multisample { from: from.clone(), ..Multisample::default() };
    samples.samples = object.word("SampleDesc_Count").filter(|count| *count > 0);
    samples.mask.extend(object.word("SampleMask"));
    let blend = out.row(object, "BlendDesc");
    samples.alpha_to_coverage = blend.as_ref().and_then(|blend| flag(blend, "AlphaToCoverageEnable"));
    if samples != (Multisample { from: from.clone(), ..Multisample::default() }) {
        out.state.multisample = Some(samples);
    }
    if let Some(desc) = out.row(object, "DepthStencilDesc") {
        out.state.depth_stencil = depth_stencil(&desc, &mut out);
    }
    attachments(object, blend.as_ref(), from, &mut out);
    keep_rest(object, &mut out);
    if !object.has("ByteCode_CS") {
        out.state.dynamic = DYNAMIC.iter().filter_map(|name| DynamicState::named(name)).collect();
    }
    out
}

impl Described {
    /// The row that a column names; one that is missing is noted.
    fn row<'d>(&mut self, object: &Record<'d>, column: &str) -> Option<Record<'d>> {
        match object.named_row(column) {
            Ok(row) => row,
            Err(fault) => {
                self.faults.push(fault);
                None
            }
        }
    }

    fn keep(&mut self, record: &Record<'_>, name: &str, text: String) {
        self.kept.push(Kept { from: record.place(), name: name.to_owned(), text });
    }
}

fn flag(record: &Record<'_>, column: &str) -> Option<bool> {
    record.number(column).map(|value| value != 0)
}

/// D3D12 says the type of primitives; lists and strips differ in the command list.
fn topology(object: &Record<'_>, out: &mut Described) {
    match object.number("PrimitiveTopology") {
        Some(1) => out.state.topology = Topology::named("POINT_LIST"),
        Some(4) => out.state.topology = Topology::named("PATCH_LIST"),
        Some(2) => out.keep(object, "PrimitiveTopology", "lines".to_owned()),
        Some(3) => out.keep(object, "PrimitiveTopology", "triangles".to_owned()),
        Some(0) | None => {}
        Some(other) => out.keep(object, "PrimitiveTopology", other.to_string()),
    }
}

fn raster(desc: &Record<'_>, kept: &mut Vec<Kept>) -> Raster {
    let mut out = Raster { from: desc.place(), ..Raster::default() };
    out.polygon_mode = match desc.number("FillMode") {
        Some(2) => Some(PolygonMode(1)),
        Some(3) => Some(PolygonMode(0)),
        _ => None,
    };
    out.cull_mode =
        desc.number("CullMode").and_then(|mode| [1, 2, 3].iter().position(|own| *own == mode)).map(|c| c as u32);
    out.front_face = flag(desc, "FrontCounterClockwise").map(|is_counter| FrontFace(i32::from(!is_counter)));
    out.depth_clip = flag(desc, "DepthClipEnable");
    let bias = ["DepthBias", "DepthBiasClamp", "SlopeScaledDepthBias"].map(|column| desc.real(column).unwrap_or(0.0));
    out.depth_bias = (bias[0] != 0.0 || bias[2] != 0.0).then_some(bias);
    for column in ["LineRasterizationMode", "ForcedSampleCount", "ConservativeRaster"] {
        if let Some(value) = desc.number(column).filter(|value| *value != 0) {
            kept.push(Kept { from: desc.place(), name: column.to_owned(), text: value.to_string() });
        }
    }
    out
}

fn depth_stencil(desc: &Record<'_>, out: &mut Described) -> Option<DepthStencil> {
    let depth_test = flag(desc, "DepthEnable")?;
    let compare = |record: &Record<'_>, column: &str| {
        record.number(column).filter(|op| (1..=8).contains(op)).map(|op| CompareOp(op as i32 - 1))
    };
    let depth_compare = match compare(desc, "DepthFunc") {
        Some(op) => op,
        // It does not count.
        None if !depth_test => CompareOp::default(),
        None => {
            out.keep(desc, "DepthFunc", desc.number("DepthFunc").map_or("NULL".to_owned(), |op| op.to_string()));
            return None;
        }
    };
    let face = |out: &mut Described, column: &str| -> Option<StencilFace> {
        let face = out.row(desc, column)?;
        let op = |column| face.number(column).filter(|op| (1..=8).contains(op)).map(|op| StencilOp(op as i32 - 1));
        Some(StencilFace {
            fail: op("StencilFailOp")?,
            pass: op("StencilPassOp")?,
            depth_fail: op("StencilDepthFailOp")?,
            compare: compare(&face, "StencilFunc")?,
            compare_mask: face.word("StencilReadMask")?,
            write_mask: face.word("StencilWriteMask")?,
            reference: 0,
        })
    };
    let mut stencil = None;
    if flag(desc, "StencilEnable") == Some(true) {
        stencil = face(out, "FrontFace").zip(face(out, "BackFace")).map(|(front, back)| [front, back]);
        if stencil.is_none() {
            out.keep(desc, "StencilEnable", "1, with a face that cannot be read".to_owned());
        }
    }
    if flag(desc, "DepthBoundsTestEnable") == Some(true) {
        out.keep(desc, "DepthBoundsTestEnable", "1; command lists set the bounds".to_owned());
    }
    Some(DepthStencil {
        from: desc.place(),
        depth_test,
        depth_write: depth_test && desc.number("DepthWriteMask") == Some(1),
        depth_compare,
        depth_bounds: None,
        stencil,
    })
}

/// The format of a number of DXGI; 0 is none, and so is one that Vulkan does not have.
fn format(number: u32) -> Option<VkFormat> {
    let (_, name) = FORMATS.iter().find(|(own, _)| *own == number)?;
    VkFormat::named(name)
}

fn attachments(object: &Record<'_>, blend: Option<&Record<'_>>, from: String, out: &mut Described) {
    let formats = out.row(object, "RenderTargetFormats");
    let mut all = Attachments { from, ..Attachments::default() };
    let count = formats.as_ref().and_then(|formats| formats.word("NumRenderTargets")).unwrap_or(0).min(8);
    let is_independent = blend.and_then(|blend| flag(blend, "IndependentBlendEnable")) == Some(true);
    for location in 0..count {
        let number = formats.as_ref().and_then(|formats| formats.word(&format!("RTFormat{location}"))).unwrap_or(0);
        if number == 0 {
            continue;
        }
        if format(number).is_none() {
            out.keep(object, &format!("RTFormat{location}"), format!("DXGI format {number}"));
        }
        let of = if is_independent { location } else { 0 };
        let target = blend.and_then(|blend| out.row(blend, &format!("RenderTarget{of}")));
        all.colors.push(color(location, format(number), target.as_ref()));
        let logic_op = target.filter(|target| flag(target, "LogicOpEnable") == Some(true));
        let logic_op = logic_op.and_then(|target| usize::try_from(target.number("LogicOp")?).ok());
        all.logic_op = all.logic_op.or_else(|| Some(LogicOp(*LOGIC_OPS.get(logic_op?)?)));
    }
    // The factors of the second output of a pixel shader.
    all.dual_source = all
        .colors
        .iter()
        .filter_map(|color| color.equation)
        .any(|equation| equation.color.iter().chain(&equation.alpha).any(|factor| (15..=18).contains(&factor.0)));
    if let Some(number) = object.word("DSVFormat").filter(|number| *number != 0) {
        match format(number) {
            Some(format) => {
                let name = format.name().unwrap_or_default();
                all.depth = name.starts_with('D').then_some(format);
                all.stencil = name.contains("S8").then_some(format);
            }
            None => out.keep(object, "DSVFormat", format!("DXGI format {number}")),
        }
    }
    if !all.colors.is_empty() || all.depth.is_some() || all.stencil.is_some() {
        out.state.attachments = Some(all);
    }
}

fn color(location: u32, format: Option<VkFormat>, target: Option<&Record<'_>>) -> ColorAttachment {
    let number = |column: &str| target.and_then(|target| target.number(column));
    let factor = |column: &str| {
        let number = usize::try_from(number(column)?).ok()?;
        FACTORS.get(number).filter(|factor| **factor >= 0).map(|factor| BlendFactor(*factor))
    };
    let op = |column: &str| number(column).filter(|op| (1..=5).contains(op)).map(|op| BlendOp(op as i32 - 1));
    let equation = || {
        Some(Blend {
            color: [factor("SrcBlend")?, factor("DestBlend")?],
            color_op: op("BlendOp")?,
            alpha: [factor("SrcBlendAlpha")?, factor("DestBlendAlpha")?],
            alpha_op: op("BlendOpAlpha")?,
        })
    };
    let blend = number("BlendEnable").is_some_and(|value| value != 0);
    let write_mask = target.and_then(|target| target.word("RenderTargetWriteMask")).unwrap_or(15) & 15;
    let equation = if blend { equation() } else { None };
    ColorAttachment { location, format, write_mask, blend, blends_by_alpha: false, equation }
}

/// Keeps the input layout, whose strides are not in the database, and what else has no equal.
fn keep_rest(object: &Record<'_>, out: &mut Described) {
    for row in object.list_of("InputLayout", "input_layout_to_input_element_associations") {
        let Some(element) = out.row(&row, "InputElementKey") else { continue };
        let number = |column: &str| element.number(column).map_or("?".to_owned(), |number| number.to_string());
        let form = element.word("Format").unwrap_or(0);
        let form = format(form).map_or_else(|| format!("DXGI format {form}"), |format| format.to_string());
        let rate = if element.number("InputSlotClass") == Some(1) { "instance" } else { "vertex" };
        let offset = match element.word("AlignedByteOffset") {
            Some(u32::MAX) => "appended".to_owned(),
            _ => number("AlignedByteOffset"),
        };
        let name = format!("{}{}", plain_name(element.text("SemanticName").unwrap_or("?")), number("SemanticIndex"));
        out.keep(object, &name, format!("{form}, slot {}, offset {offset}, per {rate}", number("InputSlot")));
    }
    if let Some(views) = out.row(object, "ViewInstancingDesc")
        && let Some(count) = views.number("ViewInstanceCount").filter(|count| *count > 0)
    {
        out.keep(object, "ViewInstanceCount", count.to_string());
    }
    if let Some(streams) = out.row(object, "StreamOutDesc") {
        let declared = streams.list("stream_output_desc_to_stream_output_decl_associations").len();
        if declared > 0 {
            out.keep(object, "StreamOutDesc", format!("{declared} declarations"));
            let stream = streams.word("RasterizedStream");
            let raster = out.state.raster.get_or_insert_with(|| Raster { from: streams.place(), ..Raster::default() });
            match stream {
                // D3D12_SO_NO_RASTERIZED_STREAM.
                Some(u32::MAX) => raster.discard = Some(true),
                stream => raster.stream = stream.filter(|stream| *stream < 4),
            }
        }
    }
    for column in ["NodeMask", "Flags"] {
        if let Some(value) = object.number(column).filter(|value| *value != 0) {
            out.keep(object, column, format!("{value:#x}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_a_number_of_vulkan() {
        for (number, name) in FORMATS {
            assert!(format(*number).is_some(), "{number} {name}");
        }
        assert!(FORMATS.is_sorted_by_key(|row| row.0));
        assert_eq!(format(0), None);
    }

    #[test]
    fn factors_and_operations_have_the_meaning_of_vulkan() {
        let factor = |number: usize| BlendFactor(FACTORS[number]).name();
        let names = [
            (1, "ZERO"),
            (2, "ONE"),
            (3, "SRC_COLOR"),
            (5, "SRC_ALPHA"),
            (6, "ONE_MINUS_SRC_ALPHA"),
            (7, "DST_ALPHA"),
            (9, "DST_COLOR"),
            (11, "SRC_ALPHA_SATURATE"),
            (14, "CONSTANT_COLOR"),
            (17, "ONE_MINUS_SRC1_COLOR"),
            (20, "CONSTANT_ALPHA"),
        ];
        for (number, name) in names {
            assert_eq!(factor(number), Some(name), "{number}");
        }
        let logic = |number: usize| LogicOp(LOGIC_OPS[number]).name();
        assert_eq!(
            [logic(1), logic(3), logic(7), logic(13)],
            ["SET", "COPY_INVERTED", "NAND", "AND_INVERTED"].map(Some)
        );
    }
}
