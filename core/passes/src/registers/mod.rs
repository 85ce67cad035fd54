//! The register values that follow from a shader, one table per graphics IP.
//!
//! ```text
//! SPIR-V ──collect────────▶ facts ─┐
//! Packing ──interpolants──▶ slots ─┼─▶ fields, each with its reason ──word──▶ Register
//! Options ─────────────────────────┘
//! ```
//!
//! Three layers are kept apart: what the compiler writes ([`Register::value`]), what needs a back end or a pipeline
//! layout ([`Register::unknown`]), and what the driver adds ([`Register::driver_value`]). The rules are those of LLPC
//! and of PAL, which puts LLPC's fields together into words.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::findings::{Finding, NEEDS_BACK_END, NO_REGISTERS, NOT_EXPORTED, Place};
use crate::guessed_layout::{of_nodes, user_data as passed, vertex_user_data, vertex_values, why_not_passed};
use crate::liveness::{Liveness, Stages};
use crate::packing::{AttributeBuiltIn, Linkage, Packing, Unpacked};
use crate::workgroup::Layout;
use lanescope_base::ids::{Address, Hex, RegisterValue};
use lanescope_base::named_enum;
use lanescope_model::options::{Options, ProducerChoice, WaveChoice};
use lanescope_model::program::StageKind;
use lanescope_model::target::Target;

mod collect;
mod color;
mod compute;
pub mod encode;
mod export;
mod facts;
mod field;
mod fields;
mod interpolants;
pub mod pairs;
mod pixel;
mod sgpr_table;
mod shader;
mod sizes;
mod table;
pub mod tables;
#[cfg(test)]
pub(crate) mod tests;
mod user_data;
mod value_column;
mod why;
mod word;

pub use crate::color_export::{Attachment, ExportFormat, FORMATS, Format, Kind as FormatKind, export_format, format};
pub use collect::workgroup_axes;
pub use color::attachments;
pub use compute::compute;
pub use facts::{ColorOutput, ComputeFacts, ConservativeDepth, FloatMode, Known, Numeric, PixelFacts, ProducerFacts};
pub use sgpr_table::sgpr_table;
pub use sizes::workgroup_bytes;
pub use user_data::{DATA, UserDataRegisters};
pub use value_column::ValueColumn;
pub use why::Why;

use interpolants::{Interpolants, Kind};
use word::Origin;

/// The registers of a program: packed and unpacked for a pipeline with a fragment shader, else those of the stage
/// before the rasteriser; then each compute and task shader's.
///
/// `packing` is the packed interface and the one that is only renumbered; `layouts` holds the sizes and wave sizes of
/// compute and task shaders.
pub fn registers(
    stages: &Stages<'_>,
    packing: Option<(&Packing, &Unpacked)>,
    layouts: &[Layout],
    options: &Options,
    findings: &mut Vec<Finding>,
) -> Vec<Register> {
    let target = options.target;
    if tables::table(target).is_none() {
        let known: Vec<_> = Target::with_registers().map(Target::name).collect();
        let message = format!("{target} has no register tables; the targets with tables are {}", known.join(", "));
        findings.push(NO_REGISTERS.at(None, None, message));
        return Vec::new();
    }
    let mut out = Vec::new();
    if let (Some((packed, unpacked)), Some(fragment)) = (packing, stages.first(StageKind::Fragment)) {
        let pixel = collect::pixel(fragment);
        let before = last_before_rasteriser(stages).filter(|_| options.producer == ProducerChoice::Auto);
        let producer = before.map(|(kind, stage)| collect::producer(stage, kind).in_pipeline(options));
        let attachments = attachments(&pixel, options, findings);
        let known = known(stages, StageKind::Fragment, fragment, options);
        let graphics = Graphics {
            target,
            pixel: &pixel,
            producer: producer.as_ref(),
            attachments: &attachments,
            options,
            known: &known,
        };
        let slots = graphics.interpolants(packed);
        findings.extend(not_exported(&graphics, &slots));
        let mut fixed = graphics.fixed();
        fixed[0].extend(vertex_user_data_registers(stages, options));
        out.extend(graphics.with(&slots, fixed.clone(), From::Packed));
        let map = packed.map.iter().zip(unpacked.places.iter().copied());
        let mut slots = Interpolants::of(map, &unpacked.builtins, packed, &graphics);
        slots.captured = unpacked.captured;
        out.extend(graphics.with(&slots, fixed, From::Unpacked));
    }
    if stages.first(StageKind::Fragment).is_none() {
        out.extend(without_fragment(stages, options, &Known::default()));
        out.extend(vertex_user_data_registers(stages, options));
    }
    // The first of several with one name is used.
    let layouts: BTreeMap<_, _> = layouts.iter().rev().map(|l| ((l.stage, l.entry.as_str()), l)).collect();
    for (stage, live) in stages.of_kind(StageKind::Compute).chain(stages.of_kind(StageKind::Task)) {
        let Some(layout) = layouts.get(&(stage.stage, stage.entry.as_str())) else { continue };
        let entry = stages.of_kind(stage.stage).nth(1).map(|_| stage.entry.clone());
        let of_entry = |register| Register { entry: entry.clone(), ..register };
        let known = known(stages, stage.stage, live, options);
        let facts = collect::compute(live, layout.size, layout.wave);
        let words = compute(target, &facts, &known).into_iter();
        out.extend(words.chain(user_data::registers(target, stage.stage, &known)).map(of_entry));
    }
    findings.extend(needs_more(&out));
    out
}

/// What the pipeline's description says of a stage: the registers of its user data, where it has LLPC's user data nodes.
fn known(stages: &Stages<'_>, stage: StageKind, live: &Liveness<'_>, options: &Options) -> Known {
    let pipeline = stages.program().pipeline.as_deref();
    let nodes = pipeline.map(|pipeline| &pipeline.layout);
    let layout = nodes.filter(|layout| !layout.nodes.is_empty()).map(|layout| of_nodes(layout, stage, &mut Vec::new()));
    let user_data = layout.map(|layout| passed(live, &layout, options, pipeline));
    let not_passed = user_data.as_ref().is_some_and(|data| data.is_none()).then(|| why_not_passed(stage, pipeline));
    Known { user_data: user_data.flatten(), not_passed, ..Known::default() }
}

/// The registers that fill the user SGPRs of the vertex shader of a described pipeline, where it is known what they hold.
fn vertex_user_data_registers(stages: &Stages<'_>, options: &Options) -> Vec<Register> {
    let stage = StageKind::Vertex;
    let pipeline =
        stages.program().pipeline.as_deref().filter(|pipeline| pipeline.origin.format == lanescope_base::Format::Pipe);
    let (Some(pipeline), Some(live), Some(special)) = (pipeline, stages.first(stage), vertex_values(stages, options))
    else {
        return Vec::new();
    };
    let layout = of_nodes(&pipeline.layout, stage, &mut Vec::new());
    let known = Known { user_data: vertex_user_data(live, &layout, special), ..Known::default() };
    user_data::registers(options.target, stage, &known)
}

/// The registers of the stage before the rasteriser, where no fragment shader follows: it reads no parameter, so those
/// alone are exported that transform feedback captures.
fn without_fragment(stages: &Stages<'_>, options: &Options, known: &Known) -> Vec<Register> {
    let Some((kind, stage)) = last_before_rasteriser(stages) else { return Vec::new() };
    let target = options.target;
    let Some(table) = tables::table(target) else { return Vec::new() };
    let producer = collect::producer(stage, kind).in_pipeline(options);
    let (pixel, attachments) = (PixelFacts::default(), BTreeMap::new());
    let graphics =
        Graphics { target, pixel: &pixel, producer: Some(&producer), attachments: &attachments, options, known };
    let mut slots = Interpolants::default();
    slots.captured = Linkage::captured_alone(stages);
    let origin = Origin { target, stage: kind, from: From::Packed };
    let mut out = export::registers(&graphics, table, &slots, origin);
    out.extend(export::fixed(&graphics, table, origin));
    out
}

/// The facts of the first fragment shader and its colour attachments: what a pipeline is made for.
pub fn outputs(
    stages: &Stages<'_>,
    options: &Options,
    findings: &mut Vec<Finding>,
) -> Option<(PixelFacts, BTreeMap<u32, Attachment>)> {
    let pixel = collect::pixel(stages.first(StageKind::Fragment)?);
    let attachments = attachments(&pixel, options, findings);
    Some((pixel, attachments))
}

/// The stage whose outputs the rasteriser takes. Mesh shaders export per primitive too, which has no rules here.
fn last_before_rasteriser<'s, 'p>(stages: &'s Stages<'p>) -> Option<(StageKind, &'s Liveness<'p>)> {
    let order = [StageKind::Geometry, StageKind::TessEval, StageKind::Vertex];
    order.into_iter().find_map(|kind| Some((kind, stages.first(kind)?)))
}

/// The inputs of a graphics pipeline's registers, apart from the interpolants.
#[derive(Debug, Clone, Copy)]
pub struct Graphics<'a> {
    /// The chip.
    pub target: Target,
    /// The fragment shader's facts.
    pub pixel: &'a PixelFacts,
    /// The facts of the stage before it, if one was loaded.
    pub producer: Option<&'a ProducerFacts>,
    /// Colour attachments by location: see [`attachments`].
    pub attachments: &'a BTreeMap<u32, Attachment>,
    /// Wave size, alpha to coverage, sample shading.
    pub options: &'a Options,
    /// Facts of a back end and a layout, where known.
    pub known: &'a Known,
}

impl Graphics<'_> {
    /// The registers with the slots of one packing artifact: the previous stage's, then the fragment shader's.
    ///
    /// Empty for a target without tables.
    pub fn registers(&self, packing: &Packing, from: From) -> Vec<Register> {
        self.with(&self.interpolants(packing), self.fixed(), from)
    }

    /// The registers that no packing changes: those of the stage before, and those of the fragment shader.
    fn fixed(&self) -> [Vec<Register>; 2] {
        let Some(table) = tables::table(self.target) else { return [Vec::new(), Vec::new()] };
        let origin = Origin { target: self.target, stage: StageKind::Fragment, from: From::Packed };
        let mut pixel = color::registers(self, table, origin);
        pixel.extend(shader::registers(self, table, origin));
        pixel.extend(user_data::registers(self.target, StageKind::Fragment, self.known));
        [export::fixed(self, table, origin), pixel]
    }

    /// The registers of these slots, with those that no packing changes between them.
    fn with(&self, inputs: &Interpolants, [before, pixel]: [Vec<Register>; 2], from: From) -> Vec<Register> {
        let Some(table) = tables::table(self.target) else { return Vec::new() };
        let origin = Origin { target: self.target, stage: StageKind::Fragment, from };
        let fixed = |register| Register { from, ..register };
        let mut out = Vec::with_capacity(before.len() + pixel.len() + inputs.count() as usize + 8);
        out.extend(export::registers(self, table, inputs, origin));
        out.extend(before.into_iter().map(fixed));
        out.extend(pixel::registers(self, table, inputs, origin));
        out.extend(pixel.into_iter().map(fixed));
        out
    }

    /// Whether each pixel runs once per sample (PS_ITER_SAMPLE of PA_SC_MODE_CNTL_1).
    pub fn iterates_samples(&self, packing: &Packing) -> bool {
        self.pixel.frag_coord_is_sample || pixel::sample_rate(self, &self.interpolants(packing)).is_some()
    }

    fn interpolants(&self, packing: &Packing) -> Interpolants {
        let map = packing.map.iter().map(|mapping| (mapping, mapping.to));
        let mut slots = Interpolants::of(map, &packing.builtins, packing, self);
        slots.captured = packing.captured_slots();
        slots
    }

    /// Lanes of a wave of the fragment shader: 64 unless another size is requested.
    fn wave(&self) -> u32 {
        if self.options.wave == WaveChoice::Wave32 { 32 } else { 64 }
    }
}

/// Slots that the fragment shader reads and nothing fills.
fn not_exported(graphics: &Graphics<'_>, inputs: &Interpolants) -> Vec<Finding> {
    // A mesh shader has no facts here, but what it writes for the slots is known.
    if graphics.producer.is_none() && !inputs.behind_mesh() {
        return Vec::new();
    }
    // PointCoord comes from the rasteriser; an unwritten ViewportIndex reads as 0 by DEFAULT_VAL.
    let filled = [AttributeBuiltIn::PointCoord, AttributeBuiltIn::ViewportIndex].map(Kind::BuiltIn);
    let empty = inputs.slots().filter(|(_, slot)| !slot.exported && !filled.contains(&slot.kind));
    empty
        .map(|(n, slot)| {
            let message =
                format!("attribute slot {n} ({}) is read but never exported: its value is undefined", slot.holds);
            NOT_EXPORTED.at(
                Some(StageKind::Fragment),
                Some(Place::Register { name: format!("SPI_PS_INPUT_CNTL_{n}") }),
                message,
            )
        })
        .collect()
}

/// One note for every register that stays open.
fn needs_more(registers: &[Register]) -> Option<Finding> {
    let missing = |needs: Unknown, what: &str| {
        let mut open: Vec<&str> = Vec::new();
        for register in registers.iter().filter(|register| register.unknown == Some(needs)) {
            if !open.contains(&register.name.as_ref()) {
                open.push(&register.name);
            }
        }
        (!open.is_empty()).then(|| format!("unknown without {what}: {}", open.join(", ")))
    };
    let parts = [
        missing(Unknown::BackEnd, "a compiler back end"),
        missing(Unknown::Layout, "a pipeline layout"),
        missing(Unknown::UserData, "knowing how the user data is passed"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| NEEDS_BACK_END.at(None, None, parts.join("; ")))
}

named_enum!(
    /// The inputs of a register's value.
    From {
        /// The packed interface.
        Packed = "packed",
        /// The interface as written, only renumbered.
        Unpacked = "unpacked",
        /// A compute or task shader.
        Compute = "compute",
    }
);

named_enum!(
    /// Whose facts a register's value still needs.
    Unknown {
        /// The compiler's back end: register counts, scratch, code size.
        BackEnd = "back end",
        /// The pipeline layout.
        Layout = "layout",
        /// How the user data of a layout that is there is passed.
        UserData = "user data",
    }
);

/// One register.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Register {
    /// The chip.
    pub target: Target,
    /// The stage whose facts decide it.
    pub stage: StageKind,
    /// The entry point, where the program has several of the stage.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub entry: Option<String>,
    /// Its name, with the index where it is one of an array: `SPI_PS_INPUT_CNTL_0`.
    pub name: Cow<'static, str>,
    /// Its dword address.
    pub address: Address,
    /// The compiler's value; absent where it is unknown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub value: Option<RegisterValue>,
    /// The inputs of the value.
    pub from: From,
    /// Whose facts are missing.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unknown: Option<Unknown>,
    /// The value with the bits that the driver adds, where it adds any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub driver_value: Option<RegisterValue>,
    /// Its fields, from the lowest bit.
    pub fields: Vec<Field>,
}

/// One field of a register.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Field {
    /// Its name.
    pub name: Cow<'static, str>,
    /// Its lowest bit.
    pub lsb: u32,
    /// Its width in bits.
    pub width: u32,
    /// Its value; absent where that is unknown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub value: Option<u32>,
    /// The reason for the value.
    pub why: Why,
}

impl Register {
    /// Its byte address, as Mesa's headers and dumps have it (`0x28644`): 4 times the dword address.
    pub fn byte_address(&self) -> Hex<4> {
        Hex(self.address.0.saturating_mul(4))
    }

    /// Its value as written in hexadecimal, or what it still needs.
    pub fn shown(&self) -> String {
        match (self.value, self.unknown) {
            (Some(value), _) => value.to_string(),
            (None, Some(Unknown::BackEnd)) => "needs back end".to_owned(),
            (None, Some(Unknown::Layout)) => "needs layout".to_owned(),
            (None, Some(Unknown::UserData)) => "needs user data".to_owned(),
            (None, None) => "unknown".to_owned(),
        }
    }
}

impl Field {
    /// Whether it says what a user SGPR holds: then its reason is what its number means.
    pub fn is_mapping(&self) -> bool {
        self.name == DATA
    }

    /// Its value, large ones in hexadecimal, or a question mark.
    pub fn shown(&self) -> Cow<'static, str> {
        match self.value {
            None => "?".into(),
            Some(value) if value > 0xfff => format!("0x{value:x}").into(),
            Some(value) => value.to_string().into(),
        }
    }

    /// Its bits: `[5:0]`, `[10]`.
    pub fn bits(&self) -> String {
        match self.width {
            0 | 1 => format!("[{}]", self.lsb),
            width => format!("[{}:{}]", self.lsb.saturating_add(width - 1), self.lsb),
        }
    }
}
