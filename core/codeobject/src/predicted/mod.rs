//! What the model predicts for shaders, beside what an object has: registers by field, and the slots of inputs and exports.
//!
//! ```text
//! registers of the model ──┐
//!                          ├─▶ FieldResult, one for each field of either side
//! object ──values──────────┘
//! packed interface ────────┬─▶ PlaceResult, one for each location of either side (objects that are not linked)
//! object: semantics ───────┘
//! ```
//!
//! Fields are compared only where both sides have a value. A field that named registers leave out is 0 where PAL metadata has
//! a key for it: PAL reads such fields as 0.

mod column;
mod places;
mod table;
mod values;

use std::collections::BTreeSet;

use lanescope_base::named_enum;
use lanescope_model::program::StageKind;
use lanescope_model::target::Target;
use lanescope_passes::packing::Packing;
use lanescope_passes::registers as model;
use schemars::JsonSchema;
use serde::Serialize;

use crate::CodeObject;
use crate::user_data::UNMAPPED;
use crate::value::Value;
use values::{Found, Values};

named_enum!(
    /// The result for one value.
    Verdict {
        /// Both sides have the same value.
        Agrees = "agrees",
        /// Both sides have a value, and these differ.
        Differs = "differs",
        /// The model has no value.
        NotPredicted = "not predicted",
        /// The object has no value.
        NotInObject = "not in the object",
        /// The object has something that is not a number of the field: a text that is not known.
        NotComparable = "not comparable",
    }
);

named_enum!(
    /// What a difference follows from, where that is known.
    Cause {
        /// The object was compiled for another wave size.
        Wave = "wave size",
        /// The object has the value of the interface as written, without packing.
        NotPacked = "not packed",
        /// The object has the value that the driver writes.
        Driver = "driver value",
    }
);

impl Cause {
    /// The cause in a sentence.
    pub fn why(self) -> &'static str {
        match self {
            Cause::Wave => "the object was compiled for another wave size than the one that is modeled: see --wave",
            Cause::NotPacked => "the object has the value of the interface without packing: see --no-pack",
            Cause::Driver => "the object has the value that the driver writes, not the compiler's",
        }
    }
}

named_enum!(
    /// A side of the interface before the fragment shader.
    Side {
        /// Exports of the stage before the rasterizer.
        Export = "export",
        /// Inputs of the fragment shader.
        Input = "input",
    }
);

/// A field on both sides.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FieldResult {
    /// The register; the key in the metadata where no table has it.
    pub register: String,
    /// The field; empty for a value without fields.
    pub field: String,
    /// The result.
    pub verdict: Verdict,
    /// The model's value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub predicted: Option<u32>,
    /// The reason for the model's value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The object's value, as the field holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<Value>,
    /// Where the object has it, if that is not a register of this name: `.hardware_stages.ps.float_mode`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The metadata leaves the field out, so it is 0.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub left_out: bool,
    /// What the difference follows from, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
}

/// A location of the interface on both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PlaceResult {
    /// The side of the interface.
    pub side: Side,
    /// The location before packing; the number in the metadata for a built-in.
    pub semantic: u64,
    /// The result.
    pub verdict: Verdict,
    /// The attribute slots that the model gives to the scalars of the location, ascending.
    pub predicted: Vec<u32>,
    /// The slot in the object: the element, for an input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<u64>,
}

/// How many values have each result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Counts {
    /// Equal values.
    pub agrees: usize,
    /// Values that differ.
    pub differs: usize,
    /// Values of the object that the model does not have.
    pub not_predicted: usize,
    /// Values of the model that the object does not have.
    pub not_in_object: usize,
    /// Values that cannot be compared.
    pub not_comparable: usize,
}

/// The prediction for shaders, compared with an object.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Predicted {
    /// The chip that is modeled.
    pub target: Target,
    /// The API's shaders of the object that were not loaded, as the metadata names them: what they change is not predicted.
    pub not_loaded: Vec<String>,
    /// Results of fields.
    pub field_counts: Counts,
    /// Results of locations; none where the object is linked.
    pub place_counts: Counts,
    /// The fields: those of the model in its order, then those that only the object has.
    pub fields: Vec<FieldResult>,
    /// The locations: exports, then inputs.
    pub places: Vec<PlaceResult>,
}

/// What the model says of shaders.
#[derive(Debug, Clone, Copy)]
pub struct Prediction<'a> {
    /// The chip.
    pub target: Target,
    /// Register values, packed and unpacked.
    pub registers: &'a [model::Register],
    /// The interface before the fragment shader.
    pub packing: Option<&'a Packing>,
    /// The stages that were loaded.
    pub loaded: &'a [StageKind],
}

impl Counts {
    fn of(verdicts: impl Iterator<Item = Verdict>) -> Counts {
        let mut out = Counts::default();
        for verdict in verdicts {
            let count = match verdict {
                Verdict::Agrees => &mut out.agrees,
                Verdict::Differs => &mut out.differs,
                Verdict::NotPredicted => &mut out.not_predicted,
                Verdict::NotInObject => &mut out.not_in_object,
                Verdict::NotComparable => &mut out.not_comparable,
            };
            *count += 1;
        }
        out
    }

    /// Values that were compared.
    pub fn compared(&self) -> usize {
        self.agrees + self.differs
    }
}

impl Predicted {
    /// Compares a prediction with an object.
    pub fn of(prediction: Prediction<'_>, object: &CodeObject) -> Predicted {
        let fields = fields(prediction, object);
        let places = places::places(prediction.packing, object);
        let shaders = object.pipelines.iter().flat_map(|pipeline| &pipeline.shaders).map(|shader| &shader.stage);
        let not_loaded: BTreeSet<&String> = shaders
            .filter(|stage| !prediction.loaded.iter().any(|kind| api_stage(*kind) == Some(stage.as_str())))
            .collect();
        Predicted {
            target: prediction.target,
            not_loaded: not_loaded.into_iter().cloned().collect(),
            field_counts: Counts::of(fields.iter().map(|field| field.verdict)),
            place_counts: Counts::of(places.iter().map(|place| place.verdict)),
            fields,
            places,
        }
    }

    /// Whether nothing differs.
    pub fn agrees(&self) -> bool {
        self.field_counts.differs == 0 && self.place_counts.differs == 0
    }
}

/// The name of a stage in `.shaders`.
fn api_stage(stage: StageKind) -> Option<&'static str> {
    Some(match stage {
        StageKind::Vertex => "vertex",
        StageKind::TessControl => "hull",
        StageKind::TessEval => "domain",
        StageKind::Geometry => "geometry",
        StageKind::Fragment => "pixel",
        StageKind::Compute => "compute",
        StageKind::Task => "task",
        StageKind::Mesh => "mesh",
        _ => return None,
    })
}

/// Every field of either side.
fn fields(prediction: Prediction<'_>, object: &CodeObject) -> Vec<FieldResult> {
    let mut values = Values::of(object, prediction.target);
    let is_compared = |register: &&model::Register| register.from != model::From::Unpacked;
    let unpacked = |name: &str| {
        let is_it = |own: &&model::Register| own.from == model::From::Unpacked && own.name == name;
        prediction.registers.iter().find(is_it)
    };
    let mut out = Vec::new();
    for register in prediction.registers.iter().filter(is_compared) {
        for field in &register.fields {
            let found = values.take(&register.name, field);
            if found.is_none() && field.value.is_none() {
                continue;
            }
            let (verdict, cause) = match (field.value, found.as_ref().map(Found::number)) {
                (Some(_), None) => (Verdict::NotInObject, None),
                (None, Some(_) | None) => (Verdict::NotPredicted, None),
                (Some(_), Some(None)) => (Verdict::NotComparable, None),
                (Some(predicted), Some(Some(number))) if u64::from(predicted) == number => (Verdict::Agrees, None),
                (Some(_), Some(Some(number))) => {
                    (Verdict::Differs, cause(register, unpacked(&register.name), field, number))
                }
            };
            let (object, key, left_out) = match found {
                Some(found) => (Some(found.value), found.key, found.left_out),
                None => (None, None, false),
            };
            out.push(FieldResult {
                register: register.name.to_string(),
                field: field.name.to_string(),
                verdict,
                predicted: field.value,
                why: Some(field.why.to_string()).filter(|why| !why.is_empty()),
                object,
                key,
                left_out,
                cause,
            });
        }
    }
    out.extend(values.more_user_data().into_iter().map(|(register, found)| FieldResult {
        register,
        field: model::DATA.to_owned(),
        verdict: Verdict::Differs,
        predicted: Some(UNMAPPED as u32),
        why: Some("nothing that the shader needs".to_owned()),
        object: Some(found.value),
        key: found.key,
        left_out: false,
        cause: None,
    }));
    out.extend(values.rest().map(|(register, field, found)| FieldResult {
        register,
        field,
        verdict: Verdict::NotPredicted,
        predicted: None,
        why: None,
        object: Some(found.value),
        key: found.key,
        left_out: false,
        cause: None,
    }));
    out
}

/// What a difference follows from.
fn cause(
    register: &model::Register,
    unpacked: Option<&model::Register>,
    field: &model::Field,
    number: u64,
) -> Option<Cause> {
    let is_it = |other: &&model::Field| other.name == field.name && other.lsb == field.lsb;
    let of_unpacked = unpacked.and_then(|unpacked| unpacked.fields.iter().find(is_it)?.value);
    let bits = |word: u64| word.checked_shr(field.lsb).unwrap_or(0) & ((1u64 << field.width.min(32)) - 1);
    if matches!(&*field.name, "PS_W32_EN" | "CS_W32_EN") {
        Some(Cause::Wave)
    } else if of_unpacked.is_some_and(|value| u64::from(value) == number && Some(value) != field.value) {
        Some(Cause::NotPacked)
    } else {
        register.driver_value.filter(|word| bits(word.0) == number).map(|_| Cause::Driver)
    }
}
