//! A fragment shader's colour outputs, and the formats that are assumed while the real ones are unknown.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::liveness::Liveness;
use lanescope_base::ids::Id;
use lanescope_base::named_enum;
use lanescope_model::options::GuessedColor;
use lanescope_spirv::enums::{Decoration, Op, StorageClass};
use lanescope_spirv::{Module, Type};

/// More than any device has: a broken module may claim any length.
const MAX_OUTPUTS: usize = 64;

named_enum!(
    /// The type of an output's components.
    BasicType {
        /// Signed, 8 bits.
        Int8 = "int8",
        /// Unsigned, 8 bits.
        Uint8 = "uint8",
        /// Signed, 16 bits.
        Int16 = "int16",
        /// Unsigned, 16 bits.
        Uint16 = "uint16",
        /// Signed, 32 bits.
        Int32 = "int32",
        /// Unsigned, 32 bits.
        Uint32 = "uint32",
        /// Floating point, 16 bits.
        Float16 = "float16",
        /// Floating point, 32 bits.
        Float32 = "float32",
    }
);

impl BasicType {
    fn of(module: &Module, ty: Id) -> Option<BasicType> {
        Some(match module.ty(ty)? {
            Type::Float { bits: 16 } => BasicType::Float16,
            Type::Float { bits: 32 } => BasicType::Float32,
            Type::Int { bits: 8, signed } => [BasicType::Uint8, BasicType::Int8][usize::from(signed)],
            Type::Int { bits: 16, signed } => [BasicType::Uint16, BasicType::Int16][usize::from(signed)],
            Type::Int { bits: 32, signed } => [BasicType::Uint32, BasicType::Int32][usize::from(signed)],
            _ => return None,
        })
    }

    fn bits(self) -> u32 {
        match self {
            BasicType::Int8 | BasicType::Uint8 => 8,
            BasicType::Int16 | BasicType::Uint16 | BasicType::Float16 => 16,
            BasicType::Int32 | BasicType::Uint32 | BasicType::Float32 => 32,
        }
    }

    fn suffix(self) -> &'static str {
        match self {
            BasicType::Float16 | BasicType::Float32 => "SFLOAT",
            BasicType::Int8 | BasicType::Int16 | BasicType::Int32 => "SINT",
            BasicType::Uint8 | BasicType::Uint16 | BasicType::Uint32 => "UINT",
        }
    }
}

/// One colour output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FragmentOutput {
    /// The variable.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
    /// Its location: the attachment.
    pub location: u32,
    /// 1 for the second source of dual-source blending.
    pub index: u32,
    /// The type of its components.
    pub basic_type: BasicType,
    /// Components, from the first.
    pub components: u32,
    /// The format that the automatic layout takes it to have.
    pub format: String,
    /// The channels that are written, as bits 0 to 3.
    pub write_mask: u32,
}

/// The outputs with a location, by location and index. Built-ins have none.
pub fn fragment_outputs(live: &Liveness<'_>, guess: GuessedColor) -> Vec<FragmentOutput> {
    let (module, entry) = (live.module(), live.entry());
    let mut out: BTreeMap<(u32, u32), FragmentOutput> = BTreeMap::new();
    for &id in &entry.interface {
        let Some(inst) = module.def(id).filter(|inst| inst.op() == Some(Op::Variable)) else { continue };
        let Some(pointee) = module.pointee(id).filter(|_| inst.word_at(3) == StorageClass::Output as u32) else {
            continue;
        };
        let Some(first) = module.decoration(id, None, Decoration::Location) else { continue };
        let index = module.decoration(id, None, Decoration::Index).unwrap_or(0);
        let from = module.decoration(id, None, Decoration::Component).unwrap_or(0);
        let (element, length) = match module.ty(pointee) {
            Some(Type::Array { element, length }) => (element, module.array_length(length).unwrap_or(1)),
            _ => (pointee, 1),
        };
        let (scalar, count) = match module.ty(element) {
            Some(Type::Vector { component, count }) => (component, count),
            _ => (element, 1),
        };
        let Some(basic_type) = BasicType::of(module, scalar) else { continue };
        for location in (0..length).map_while(|at| first.checked_add(at)).take(MAX_OUTPUTS) {
            let components = from.saturating_add(count).min(4);
            let known = out.entry((location, index)).or_insert_with(|| FragmentOutput {
                name: module.name(id).filter(|name| !name.is_empty()).map(str::to_owned),
                location,
                index,
                basic_type,
                components,
                format: String::new(),
                write_mask: 0,
            });
            known.components = known.components.max(components);
        }
    }
    let mut out: Vec<_> = out.into_values().take(MAX_OUTPUTS).collect();
    for output in &mut out {
        output.format = guessed(output.basic_type, output.components, guess);
        output.write_mask = (1 << output.components) - 1;
    }
    out
}

/// The assumed format of an unknown attachment.
fn guessed(ty: BasicType, components: u32, guess: GuessedColor) -> String {
    let channels = components.clamp(1, 4) as usize;
    let (bits, suffix) = match (guess, ty) {
        (GuessedColor::Unorm8, BasicType::Float16 | BasicType::Float32) => (8, "UNORM"),
        _ => (ty.bits(), ty.suffix()),
    };
    let names: String = ["R", "G", "B", "A"][..channels].iter().map(|name| format!("{name}{bits}")).collect();
    format!("{names}_{suffix}")
}
