//! Packing of fragment inputs into attribute slots, and its effect on the previous stage.
//!
//! Terms: a *location* is one attribute slot of four 32-bit components; a 16-bit value takes one *half* of a component.
//! After scalarisation every span is one scalar.
//!
//! [`rewrite`] applies the packing to the modules.

use std::borrow::Cow;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod assign;
mod check;
mod class;
pub mod interface;
mod kept;
mod link;
mod optimum;
mod producer;
pub mod rewrite;
mod saving;
mod semantics;
mod stored_layout;
mod tessellation;
#[cfg(test)]
pub(crate) mod tests;
pub mod written;

pub use interface::MAX_LOCATIONS;
pub use link::Linkage;
pub use optimum::{ClassCount, Optimum, SharingSet};
pub use saving::{AttributeStorage, Saving};
pub use semantics::SemanticPlace;
pub use stored_layout::{Stored, StoredError};

use lanescope_base::ids::{Component, Id, Location};
use lanescope_base::name::Name;
use lanescope_base::named_enum;
use lanescope_dxil::linkage::OutputLinkage;
use lanescope_model::options::PackingOrder;
use lanescope_model::program::StageKind;

named_enum!(
    /// Interpolation mode of a scalar.
    Interpolation {
        /// Perspective-correct.
        Smooth = "smooth",
        /// Linear in screen space.
        NoPerspective = "noperspective",
        /// From the provoking vertex.
        Flat = "flat",
        /// Explicitly, per vertex.
        Custom = "custom",
        /// Not at all: a mesh shader writes one value for each primitive.
        PerPrimitive = "per primitive",
        /// Not at all: it passes between two stages before the rasteriser.
        Uninterpolated = "none",
    }
);

named_enum!(
    /// Where in the pixel a scalar is interpolated.
    At {
        /// At the pixel's centre.
        Center = "center",
        /// At a covered place.
        Centroid = "centroid",
        /// At each sample.
        Sample = "sample",
        /// At an offset that the shader computes, or at the sample that it names.
        Offset = "offset",
        /// Nothing is evaluated.
        Nowhere = "none",
    }
);

impl Interpolation {
    /// Value of absent words.
    fn none() -> Interpolation {
        Interpolation::Uninterpolated
    }

    /// Whether there is no mode, since nothing interpolates between these stages.
    pub fn is_none(&self) -> bool {
        *self == Interpolation::Uninterpolated
    }
}

impl At {
    /// Value of absent words.
    fn none() -> At {
        At::Nowhere
    }

    /// Whether nothing is evaluated.
    pub fn is_none(&self) -> bool {
        *self == At::Nowhere
    }
}

/// Where in the pixel a scalar is evaluated: functions may read it elsewhere than its qualifier says, and more than one
/// of them. In words, all are joined: `center+offset`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(into = "String", try_from = "String")]
pub struct Evaluated(u8);

impl Evaluated {
    /// The places, in the order of [`At::ALL`].
    pub fn iter(self) -> impl Iterator<Item = At> {
        At::ALL.iter().copied().filter(move |at| self.contains(*at))
    }

    /// Whether one of the places is this.
    pub fn contains(self, at: At) -> bool {
        self.0 & 1 << at as u8 != 0
    }

    /// Whether nothing is evaluated.
    pub fn is_none(&self) -> bool {
        self.0 == 0
    }
}

impl FromIterator<At> for Evaluated {
    fn from_iter<I: IntoIterator<Item = At>>(places: I) -> Evaluated {
        let places = places.into_iter().filter(|at| !at.is_none());
        Evaluated(places.fold(0, |bits, at| bits | 1 << at as u8))
    }
}

impl From<At> for Evaluated {
    fn from(at: At) -> Evaluated {
        [at].into_iter().collect()
    }
}

impl fmt::Display for Evaluated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.iter().map(At::name).collect();
        f.pad(&if names.is_empty() { At::Nowhere.name().to_owned() } else { names.join("+") })
    }
}

impl From<Evaluated> for String {
    fn from(at: Evaluated) -> String {
        at.to_string()
    }
}

impl TryFrom<String> for Evaluated {
    type Error = String;

    fn try_from(text: String) -> Result<Evaluated, String> {
        text.split('+').map(str::parse::<At>).collect()
    }
}

/// The stages whose inputs pack as dwords, with those that may be before them, the one that wins first.
pub const INNER: [(StageKind, &[StageKind]); 2] =
    [(StageKind::TessControl, &[StageKind::Vertex]), (StageKind::Geometry, &[StageKind::TessEval, StageKind::Vertex])];

/// The stages that may be before the fragment shader, the one that wins first.
pub const PRODUCERS: [StageKind; 4] = [StageKind::Geometry, StageKind::TessEval, StageKind::Vertex, StageKind::Mesh];

/// A place in the interface: as written, or after packing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// The location.
    pub location: Location,
    /// The component in it.
    pub component: Component,
    /// The high half of the component. Always false for a place as written.
    pub half: bool,
}

impl fmt::Display for Place {
    /// Location and letter: `3.x`, `0.w high`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}{}", self.location, self.component.letter(), if self.half { " high" } else { "" })
    }
}

/// Which part of its variable a scalar is. Its place does not say: a vector may start at any component, and a component
/// of 64 bits is two scalars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    /// The component of the variable's vector.
    pub component: Component,
    /// The half of its 64 bits.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub dword: Option<Dword>,
}

named_enum!(
    /// A half of 64 bits.
    Dword {
        /// The low 32 bits.
        Low = "low",
        /// The high 32 bits.
        High = "high",
    }
);

impl Part {
    /// The part that a place's own component names, unless it is another one.
    fn or_of(part: Option<Part>, component: Component) -> Part {
        part.unwrap_or(Part { component, dword: None })
    }
}

impl fmt::Display for Part {
    /// The component's letter: `y`, `z low`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.component.letter())?;
        self.dword.map_or(Ok(()), |dword| write!(f, " {dword}"))
    }
}

/// The packing artifact: one interface between two stages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Packing {
    /// The stage before the consumer, if it was loaded and is looked at.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub producer: Option<StageKind>,
    /// The stage whose inputs are packed (fragment, tessellation control, geometry) or only renumbered (tessellation
    /// evaluation). Nothing interpolates between the producer and any but the first of these.
    pub consumer: StageKind,
    /// The order that was used.
    pub order: PackingOrder,
    /// Each used scalar and its new place, by original place.
    pub map: Vec<Mapping>,
    /// The spans, in the order in which they were placed.
    pub spans: Vec<Span>,
    /// Outputs of the producer that are not read.
    pub dropped: Vec<Dropped>,
    /// Inputs that the producer does not write.
    pub missing: Vec<Missing>,
    /// Every scalar of either side's interface as written, by place: what the left grid shows.
    pub interface: Vec<InterfaceScalar>,
    /// Semantics and registers of the interface as written, by place, of the stages that were converted from DXIL.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub semantics: Vec<SemanticPlace>,
    /// What Direct3D 12 is told of the inputs where the two stages are compiled apart, of a pixel shader and a stage before
    /// it that are DXIL.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub output_linkage: Option<OutputLinkage>,
    /// Built-ins that take an attribute slot, after the generic inputs.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub builtins: Vec<BuiltInSlot>,
    /// Outputs of the producer that are kept, by original place: read by the consumer, or captured.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub outputs: Vec<OutputMapping>,
    /// The vertex stream of the outputs that the consumer reads: another than 0 where a geometry shader has several.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub raster_stream: u32,
    /// Exports of the producer, by slot.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub exports: Vec<Export>,
    /// Slots of generic inputs before and after.
    pub slots: Slots,
    /// What packing saves, against the interface as written. Zeros where the consumer is not a fragment shader: the
    /// driver lays out the memory between the other stages.
    pub saving: Saving,
    /// The arrays that the fragment shader's compile stores for the stages before it (`part_pipeline` only).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stored: Option<Stored>,
    /// The reason why packing was not done.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fallback: Option<Fallback>,
    /// What there is one of for a patch, between the tessellation stages: its locations are numbered apart from those
    /// of the vertices.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub per_patch: bool,
}

/// An interface that is only renumbered, as far as interpolants go, beside what it was packed to.
#[derive(Debug, Clone, PartialEq)]
pub struct Unpacked {
    /// The destination of each scalar of [`Packing::map`].
    pub places: Vec<Place>,
    /// As [`Packing::builtins`].
    pub builtins: Vec<BuiltInSlot>,
    /// The slots that the producer exports, up to the last one for transform feedback alone; 0 if there is none.
    pub captured: u32,
}

named_enum!(
    /// The reason why inputs were only renumbered, not packed.
    Fallback {
        /// An input is indexed dynamically (design-note order, and inputs of tessellation control shaders in any).
        DynamicIndex = "dynamic-index",
        /// `--no-pack`.
        Option = "no-pack",
        /// A mesh shader comes before the fragment shader: it was loaded, or per-primitive inputs are read.
        Mesh = "mesh",
        /// From GFX11 on, transform feedback in a geometry shader, or in any stage before a part-pipeline's fragment
        /// shader.
        TransformFeedback = "transform-feedback",
        /// Between the tessellation stages nothing is packed.
        Tessellation = "tessellation",
    }
);

/// One used scalar and where it goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Mapping {
    /// Its variable's name, with member, element or column if any.
    pub variable: Name,
    /// The variable's id in the consumer.
    pub variable_id: Id,
    /// Which part of its variable it is, where that is not the component of its place.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub part: Option<Part>,
    /// As written.
    #[serde(flatten)]
    pub from: Place,
    /// After packing.
    pub to: Place,
    /// 16 or 32: what it takes in the interface.
    pub bits: u32,
    /// Its interpolation mode; absent before other stages than the fragment shader.
    #[serde(skip_serializing_if = "Interpolation::is_none", default = "Interpolation::none")]
    pub interpolation: Interpolation,
    /// Where it is interpolated, for all reads; absent likewise.
    #[serde(skip_serializing_if = "Evaluated::is_none", default)]
    pub at: Evaluated,
    /// A mesh shader writes one for each primitive, not for each vertex: nothing interpolates it.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub per_primitive: bool,
    /// The producer writes it. True where no producer was loaded.
    pub written: bool,
}

/// One placed scalar, in sorted order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Span {
    /// Original location.
    pub location: Location,
    /// Original component.
    pub component: Component,
    /// 1 for 16-bit, 2 for 32-bit.
    pub half_components: u8,
    /// The class, in words: `32-bit interpolated`.
    pub class: Cow<'static, str>,
    /// The compatibility key under the order that was used, as in the driver's debug output.
    pub key: u16,
}

/// An output scalar that is not exported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Dropped {
    /// Its variable in the producer.
    pub variable: Name,
    /// The variable's id in the producer.
    pub variable_id: Id,
    /// Its location.
    pub location: Location,
    /// Its component.
    pub component: Component,
    /// Which part of its variable it is, where that is not the component of its place.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub part: Option<Part>,
    /// The reason: `unread`, `undefined`.
    pub reason: Cow<'static, str>,
}

/// An input scalar that is read and never written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Missing {
    /// Its variable in the consumer; empty where only its place was stored.
    #[serde(skip_serializing_if = "str::is_empty", default)]
    pub variable: Name,
    /// The variable's id in the consumer; absent where only its place was stored.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub variable_id: Option<Id>,
    /// Its location.
    pub location: Location,
    /// Its component.
    pub component: Component,
}

/// One scalar of the interface as written, whichever side declares it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InterfaceScalar {
    /// The consumer's variable name, else the producer's.
    pub variable: Name,
    /// Id of the consumer's variable.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub input_id: Option<Id>,
    /// Id of the producer's variable.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub output_id: Option<Id>,
    /// Its location.
    pub location: Location,
    /// Its component.
    pub component: Component,
    /// Which part of its variable it is, where that is not the component of its place.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub part: Option<Part>,
    /// Its width as written: 8, 16 or 32 (64-bit values are two scalars of 32).
    pub bits: u32,
    /// The consumer's interpolation mode; absent where nothing reads it.
    #[serde(skip_serializing_if = "Interpolation::is_none", default = "Interpolation::none")]
    pub interpolation: Interpolation,
    /// The consumer uses it.
    pub used: bool,
    /// The producer writes it. True where no producer was loaded.
    pub written: bool,
}

named_enum!(
    /// A built-in that is passed as an attribute.
    AttributeBuiltIn {
        /// `gl_PointCoord`.
        PointCoord = "PointCoord",
        /// `gl_PrimitiveID`.
        PrimitiveId = "PrimitiveId",
        /// `gl_Layer`.
        Layer = "Layer",
        /// `gl_ViewportIndex`.
        ViewportIndex = "ViewportIndex",
        /// `gl_ClipDistance` and `gl_CullDistance`.
        ClipCullDistance = "ClipCullDistance",
    }
);

impl AttributeBuiltIn {
    /// Whether a mesh shader writes it for each primitive.
    pub fn is_of_primitive(self) -> bool {
        matches!(self, AttributeBuiltIn::PrimitiveId | AttributeBuiltIn::Layer | AttributeBuiltIn::ViewportIndex)
    }
}

/// One attribute slot of a built-in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BuiltInSlot {
    /// The built-in.
    pub built_in: AttributeBuiltIn,
    /// Its slot.
    pub location: Location,
    /// It has a value: the producer writes it, or need not. True where no producer was loaded.
    #[serde(skip_serializing_if = "is_true", default = "written")]
    pub written: bool,
}

/// One output scalar that is kept and where it goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OutputMapping {
    /// Its variable's name in the producer.
    pub variable: Name,
    /// The variable's id in the producer.
    pub variable_id: Id,
    /// Which part of its variable it is, where that is not the component of its place.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub part: Option<Part>,
    /// Its vertex stream.
    pub stream: u32,
    /// As written.
    #[serde(flatten)]
    pub from: Place,
    /// After packing.
    pub to: Place,
    /// A mesh shader writes one for each primitive, not for each vertex.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub per_primitive: bool,
    /// Captured by transform feedback.
    pub captured: bool,
    /// Not read, but its location is kept: its stage indexes the array with a value known only at run time, or the
    /// consumer imports the variable whole.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub reserved: bool,
}

/// One parameter export of the producer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Export {
    /// The parameter slot.
    pub slot: Location,
    /// Components that are written, as bits 0 to 3.
    pub mask: u8,
    /// The first channel.
    pub first: Component,
    /// Components that the consumer reads and no stage writes.
    pub undefined: u8,
}

/// Counts of attribute slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Slots {
    /// Locations used as written.
    pub before: u32,
    /// Locations used after packing.
    pub after: u32,
    /// How many of them, the last ones, a mesh shader fills for each primitive.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub per_primitive: u32,
}

fn is_true(flag: &bool) -> bool {
    *flag
}

/// Value of absent flags.
fn written() -> bool {
    true
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Packing {
    /// Whether a mesh shader comes before, loaded or not.
    pub fn is_after_mesh(&self) -> bool {
        self.producer == Some(StageKind::Mesh) || self.fallback == Some(Fallback::Mesh)
    }

    /// The stage that reads, and whether it reads of the patch: `fragment`, `tess_eval per patch`.
    pub fn reader(&self) -> String {
        format!("{}{}", self.consumer, if self.per_patch { " per patch" } else { "" })
    }

    /// The slots that the producer exports, up to the last one for transform feedback alone; 0 if there is none.
    pub fn captured_slots(&self) -> u32 {
        producer::slots(self.raster_stream, self.captured().into_iter())
    }
}

impl Mapping {
    /// Which part of its variable it is.
    pub fn part(&self) -> Part {
        Part::or_of(self.part, self.from.component)
    }
}

impl InterfaceScalar {
    /// Which part of its variable it is.
    pub fn part(&self) -> Part {
        Part::or_of(self.part, self.component)
    }
}

impl OutputMapping {
    /// Which part of its variable it is.
    pub fn part(&self) -> Part {
        Part::or_of(self.part, self.from.component)
    }
}

impl Dropped {
    /// Which part of its variable it is.
    pub fn part(&self) -> Part {
        Part::or_of(self.part, self.component)
    }
}
