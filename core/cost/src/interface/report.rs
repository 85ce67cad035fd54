//! What an interface costs, as plain data.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fragment::LdsSheet;
use super::measured::MeasuredStage;
use crate::fragments::DrawAccesses;
use crate::report::Source;
use lanescope_base::named_enum;
use lanescope_model::options::PackingOrder;
use lanescope_model::program::StageKind;
use lanescope_model::target::Target;
use lanescope_passes::packing::{Fallback, Optimum};

/// What the interface between the previous stage and the fragment shader costs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InterfaceCost {
    /// The stage before the rasterizer; absent where none was loaded.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub producer: Option<StageKind>,
    /// The chip.
    pub chip: Target,
    /// Lanes of a wave of the fragment shader.
    pub wave: u32,
    /// Who decided them: `S` where a driver's default is taken, empty where an option was given.
    pub wave_mark: Cow<'static, str>,
    /// Slots as written, packed, and at least.
    pub slots: SlotSheet,
    /// What the stage before does, by figure.
    pub previous: Vec<CostFigure>,
    /// LDS of the fragment shader.
    pub lds: LdsSheet,
    /// Instructions that read inputs.
    pub interpolation: Vec<CostFigure>,
    /// A draw.
    pub draw: DrawSheet,
    /// The same interface on chips of other vendors.
    pub vendors: Vec<CostFigure>,
    /// Whether the stage before may store to memory, or is captured: its stores are not those of attributes alone.
    #[serde(skip)]
    pub(crate) stores_of_its_own: bool,
    /// What drivers' compilers made, beside what is predicted.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub measured: Vec<MeasuredStage>,
    /// What limits the result.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
    /// What the figures are based on.
    pub sources: Vec<Source>,
    /// Memory accesses of shaders of the pipeline; absent where a draw was not run.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub accesses: Option<DrawAccesses>,
}

/// Slots of the interface, by how they are given out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SlotSheet {
    /// Rows: as declared, as read, each order, the optimum.
    pub rows: Vec<SlotRow>,
    /// The least number of slots of generic inputs.
    pub optimum: Optimum,
    /// The selected packing against the optimum, in a sentence.
    pub sentence: String,
}

named_enum!(
    /// How slots are given out.
    SlotsBy {
        /// The locations that the previous stage writes, read or not.
        Written = "written",
        /// The locations that the fragment shader reads, as the shader numbers them.
        Original = "original",
        /// An order of packing.
        Order = "order",
        /// No packing has fewer.
        Optimum = "optimum",
    }
);

/// Slots under one way to give them out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SlotRow {
    /// The way.
    pub by: SlotsBy,
    /// The order, of an order.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub order: Option<PackingOrder>,
    /// Whether the options select it.
    pub selected: bool,
    /// Slots of generic inputs: of vertices, and of primitives after a mesh shader.
    pub generic: u32,
    /// More than `generic` where the search for the optimum was given up: then no packing has fewer than `generic`, and
    /// one has this many.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub at_most: Option<u32>,
    /// Slots of built-ins that are passed as attributes; absent where they do not belong to the row.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub built_ins: Option<u32>,
    /// Slots of a vertex, with built-ins: what figures by vertex count. Absent likewise.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub of_vertex: Option<u32>,
    /// Why the order only renumbers.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fallback: Option<Fallback>,
    /// The mark of the numbers.
    pub mark: Cow<'static, str>,
}

/// The value of a figure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// A number.
    Number(u64),
    /// At least and at most.
    Range(u64, u64),
    /// A share of what the original takes: numerator and denominator.
    Ratio(u32, u32),
    /// Not known, and why.
    Unknown(String),
}

/// One figure, before and after packing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CostFigure {
    /// What is counted.
    pub figure: Cow<'static, str>,
    /// Of the interface as the shader declares it.
    pub original: Value,
    /// Of the selected packing.
    pub selected: Value,
    /// Of the optimum; absent where it does not follow from the number of slots.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub optimum: Option<Value>,
    /// The mark: D documented by the vendor, S read in driver source, M measured by others, C computed here from the formula,
    /// H seen here, G a guess.
    pub mark: Cow<'static, str>,
    /// The formula or the reason.
    pub rule: Cow<'static, str>,
}

/// A draw with this interface.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DrawSheet {
    /// Vertices that the previous stage runs for, each once.
    pub vertices: u64,
    /// Triangles that are rasterized.
    pub triangles: u64,
    /// The figures.
    pub figures: Vec<CostFigure>,
}

impl Value {
    /// A number that is not known, for this reason.
    pub(crate) fn unknown(why: &str) -> Value {
        Value::Unknown(why.to_owned())
    }

    /// The value as text: `5`, `1 to 3`, `4/5`, `unknown`.
    pub fn text(&self) -> String {
        match self {
            Value::Number(number) => number.to_string(),
            Value::Range(low, high) if low == high => low.to_string(),
            Value::Range(low, high) => format!("{low} to {high}"),
            Value::Ratio(above, below) => format!("{above}/{below}"),
            Value::Unknown(_) => "unknown".to_owned(),
        }
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Value {
        Value::Number(number)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Value {
        Value::Number(number.into())
    }
}
