//! What assembly texts of other vendors than AMD say, as data.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lanescope_base::ids::Component;
use lanescope_base::named_enum;

use super::Pressure;

named_enum!(
    /// A form of assembly text.
    Dialect {
        /// AMD's, as LLVM's disassembler prints it for RADV.
        Amd = "amd",
        /// NVIDIA's, as NVK's compiler NAK prints it.
        Nak = "nak",
        /// Qualcomm's, as Mesa's disassembler prints it for Turnip.
        Ir3 = "ir3",
        /// Intel's, as Mesa's disassembler prints it for ANV and HASVK.
        Gen = "gen",
    }
);

named_enum!(
    /// Something that a text may say nothing of, or not all.
    Topic {
        /// What the stage reads.
        Inputs = "inputs",
        /// What the stage writes.
        Outputs = "outputs",
        /// How an invocation's id is made.
        Ids = "ids",
        /// Which memory is read and written: some of it by no instruction.
        Memory = "memory",
        /// Moves between lanes: some of them are ordinary moves.
        LaneMoves = "lane moves",
        /// Derivatives: some of them are ordinary arithmetic.
        Derivatives = "derivatives",
        /// When an instruction waits: the hardware does it by itself.
        Waits = "waits",
    }
);

/// One read of an input or of a built-in value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Input {
    /// The instruction; absent for what is delivered in registers, and for the coordinates of a texture that is fetched
    /// before the code.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub instruction: Option<u32>,
    /// Where it is.
    pub slot: Slot,
    /// How many components in a row, from the slot's own on.
    pub components: u8,
    /// How it is read.
    pub kind: InputKind,
    /// At which point it is interpolated, where that is not the pixel's centre or the text's default.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub at: Option<Sampled>,
    /// The first register that holds it at the beginning: for what is delivered in registers, where the text declares it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub register: Option<String>,
}

/// One write of an output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The instruction; absent where the text names the register that holds the output at the end.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub instruction: Option<u32>,
    /// Where it is.
    pub slot: Slot,
    /// How many components in a row, from the slot's own on; absent where the text does not say.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub components: Option<u8>,
    /// The first register that holds it, as printed: absent where the text names none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub register: Option<String>,
}

/// A place of an interface, as the compiler numbers it after linking.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Slot {
    /// What it is a place of.
    pub what: SlotKind,
    /// The location; absent for built-in values, and where an address is computed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub location: Option<u32>,
    /// The component, 0 to 3; absent where it is the only one, and where it is not known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub component: Option<u8>,
    /// The name of a built-in value: `position`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
}

named_enum!(
    /// What a place is of.
    SlotKind {
        /// A value between stages.
        Varying = "varying",
        /// A value of a whole patch.
        Patch = "patch",
        /// A vertex attribute.
        Attribute = "attribute",
        /// A colour of a fragment shader: of an attachment, or the second one that is blended.
        Color = "color",
        /// A built-in value.
        BuiltIn = "built-in",
        /// Intel: an entry of the binding table that a fragment shader's colour goes to. Its number need not be the location.
        RenderTarget = "render target",
        /// Intel: four components of a vertex, a patch or a primitive in the URB. Its number is not a location.
        Urb = "URB row",
        /// The text does not say.
        Unknown = "unknown",
    }
);

named_enum!(
    /// How an input is read.
    InputKind {
        /// Interpolated, divided by the perspective.
        Perspective = "perspective",
        /// Interpolated on the screen.
        Linear = "linear",
        /// Interpolated; whether the perspective is divided out is not in the same instruction.
        Interpolated = "interpolated",
        /// The value of one vertex.
        Flat = "flat",
        /// The values of the primitive's vertices, apart.
        Vertices = "of the vertices",
        /// Loaded as it is.
        Loaded = "loaded",
    }
);

named_enum!(
    /// At which point an input is interpolated.
    Sampled {
        /// Inside the primitive.
        Centroid = "centroid",
        /// At the sample.
        Sample = "sample",
        /// At an offset.
        Offset = "offset",
    }
);

/// One instruction that is a derivative or a part of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Derivative {
    /// The instruction.
    pub instruction: u32,
    /// Along which axis.
    pub axis: Axis,
}

named_enum!(
    /// The axis of a derivative.
    Axis {
        /// Along x.
        X = "x",
        /// Along y.
        Y = "y",
        /// The instruction combines the quad's lanes in another way.
        Other = "other",
    }
);

impl Dialect {
    /// What the compiler of a driver prints; none where its texts are not read. `driver` is its name and version:
    /// `radv Mesa 22.3.6`.
    pub fn of(driver: &str) -> Option<Dialect> {
        let driver = driver.to_ascii_lowercase();
        let starts =
            |name: &str| driver.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
        match () {
            () if driver.contains("radv") => Some(Dialect::Amd),
            () if starts("nvk") => Some(Dialect::Nak),
            () if starts("turnip") => Some(Dialect::Ir3),
            // ANV and HASVK have one name.
            () if starts("intel open-source mesa driver") => Some(Dialect::Gen),
            () => None,
        }
    }

    /// Names of the registers that are counted in a text of which so many are live: those with a value a lane, and those
    /// with one a wave, where there are any: not each chip of another vendor than AMD has them.
    pub fn counted(self, most: Pressure) -> (&'static str, Option<&'static str>) {
        let (lane, wave) = match self {
            Dialect::Amd => ("VGPRs", Some("SGPRs")),
            Dialect::Nak => ("GPRs", Some("uniform GPRs")),
            Dialect::Ir3 => ("register components", Some("shared ones")),
            Dialect::Gen => ("GRFs", None),
        };
        (lane, wave.filter(|_| self.is_amd() || most.sgprs > 0))
    }

    /// How many registers are live, in words: `13 VGPRs and 5 SGPRs`.
    pub fn live(self, pressure: Pressure) -> String {
        let (lane, wave) = self.counted(pressure);
        let wave = wave.map(|wave| format!(" and {} {wave}", pressure.sgprs)).unwrap_or_default();
        format!("{} {lane}{wave}", pressure.vgprs)
    }

    /// Whether it is AMD's.
    pub fn is_amd(&self) -> bool {
        *self == Dialect::Amd
    }
}

impl Default for Dialect {
    /// Reports of before other dialects were read name none.
    fn default() -> Dialect {
        Dialect::Amd
    }
}

impl Slot {
    /// A location's component.
    pub fn at(what: SlotKind, location: u32, component: u8) -> Slot {
        Slot { what, location: Some(location), component: Some(component), name: None }
    }

    /// A built-in value.
    pub fn built_in(name: &str, component: Option<u8>) -> Slot {
        Slot { what: SlotKind::BuiltIn, location: None, component, name: Some(name.to_owned()) }
    }

    /// A place that the text does not say; of what it is may be known.
    pub fn unknown(what: SlotKind) -> Slot {
        Slot { what, location: None, component: None, name: None }
    }
}

impl fmt::Display for Slot {
    /// Without components: `varying 3`, `position`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match (&self.name, self.location) {
            (Some(name), _) => name.clone(),
            (None, Some(location)) => format!("{} {location}", self.what),
            (None, None) if self.what == SlotKind::Unknown => "an unknown place".to_owned(),
            (None, None) => format!("{} of unknown location", self.what),
        };
        f.pad(&text)
    }
}

/// Components in a row: `.xy`; empty where the first is not known.
pub(crate) fn slot_components(first: Option<u8>, count: Option<u8>) -> String {
    let Some(first) = first else { return String::new() };
    let end = first.saturating_add(count.unwrap_or(1)).min(4);
    let letters: String = (first..end).map(|component| Component(component).letter()).collect();
    let more = if count.is_none() { "…" } else { "" };
    format!(".{letters}{more}")
}
