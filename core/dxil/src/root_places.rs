//! Where the resources that a shader declares are in its root signature.
//!
//! The rules are those of DXC's verifier (`lib/DxilRootSignature`): one range that the stage sees covers all registers of a
//! declaration; of one without an end, its first register counts.

use crate::names::Name;
use crate::parts::RootSignature;
use crate::psv::{Binding, Psv};

/// A place in a root signature.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum RootPlace {
    /// The constants themselves are root arguments, from this dword on.
    Constants {
        /// The root parameter's number.
        parameter: u32,
        /// Dword of the root arguments.
        dword: u32,
    },
    /// Its address is a root argument.
    Descriptor {
        /// The root parameter's number.
        parameter: u32,
        /// Dword of the root arguments.
        dword: u32,
    },
    /// Its descriptor is in a table.
    Table {
        /// The root parameter's number.
        parameter: u32,
        /// Dword of the root arguments that has the table's address.
        dword: u32,
        /// Descriptors from the table's start to its first one; absent where a range follows an unbounded one.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
        offset: Option<u32>,
    },
    /// It is part of the root signature.
    StaticSampler {
        /// Its number among the static samplers.
        number: u32,
    },
}

impl RootPlace {
    /// The place as a text: `parameter 1 (dword 2), descriptor 3 of the table`.
    pub fn text(&self) -> String {
        match self {
            RootPlace::Constants { parameter, dword } => {
                format!("parameter {parameter} (constants from dword {dword})")
            }
            RootPlace::Descriptor { parameter, dword } => format!("parameter {parameter} (address in dword {dword})"),
            RootPlace::Table { parameter, dword, offset } => {
                let offset = offset.map_or_else(|| "?".to_owned(), |offset| offset.to_string());
                format!("parameter {parameter} (dword {dword}), descriptor {offset} of the table")
            }
            RootPlace::StaticSampler { number } => format!("static sampler {number}"),
        }
    }
}

/// A declared resource with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlacedResource {
    /// `cbv`, `srv`, `uav` or `sampler`.
    pub class: Name,
    /// Register space.
    pub space: u32,
    /// The first register.
    pub lower: u32,
    /// The last register; absent if unbounded.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub upper: Option<u32>,
    /// Its place; absent where the root signature does not cover it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub place: Option<RootPlace>,
    /// Why it is not covered.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub why_not: Option<String>,
}

impl PlacedResource {
    /// `t0`, `u1 to u4`, `s0 and up`.
    pub fn registers(&self) -> String {
        let letter = letter(&self.class);
        match self.upper {
            Some(upper) if upper == self.lower => format!("{letter}{upper}"),
            Some(upper) => format!("{letter}{} to {letter}{upper}", self.lower),
            None => format!("{letter}{} and up", self.lower),
        }
    }
}

/// The resources of a shader in a root signature, in the order of PSV0. A kind that no root signature has is left out.
///
/// Nothing is placed where the tables of the root signature were not read, and of a library, whose functions may use other
/// root signatures.
pub fn placed(root: &RootSignature, psv: &Psv) -> Vec<PlacedResource> {
    if !root.is_read() || psv.stage == "library" {
        return Vec::new();
    }
    let place = |binding: &Binding| {
        let class = class_of(binding)?;
        let (place, why_not) = match place_of(root, &psv.stage, class, binding) {
            Ok(place) => (Some(place), None),
            Err(why) => (None, Some(why)),
        };
        let Binding { space, lower, upper, .. } = *binding;
        Some(PlacedResource { class: class.into(), space, lower, upper, place, why_not })
    };
    psv.resources.iter().filter_map(place).collect()
}

/// The class of descriptors that a binding takes, of those that a root signature has.
pub(crate) fn class_of(binding: &Binding) -> Option<&'static str> {
    match &*binding.binding {
        "sampler" => Some("sampler"),
        "cbv" => Some("cbv"),
        kind if kind.starts_with("srv_") => Some("srv"),
        kind if kind.starts_with("uav_") => Some("uav"),
        _ => None,
    }
}

/// Whether a stage sees what has this visibility.
pub(crate) fn sees(stage: &str, visibility: &str) -> bool {
    visibility == "all" || visibility == stage
}

/// The last register that counts.
pub(crate) fn end_of(binding: &Binding) -> u32 {
    binding.upper.unwrap_or(binding.lower)
}

/// The register letter of a class.
fn letter(class: &str) -> char {
    match class {
        "srv" => 't',
        "uav" => 'u',
        "cbv" => 'b',
        _ => 's',
    }
}

/// The place of a binding, or why it has none.
fn place_of(root: &RootSignature, stage: &str, class: &'static str, binding: &Binding) -> Result<RootPlace, String> {
    let (lower, upper) = (binding.lower, end_of(binding));
    let letter = letter(class);
    let registers =
        if lower == upper { format!("{letter}{lower}") } else { format!("{letter}{lower} to {letter}{upper}") };
    let what = format!("{registers}, space {}", binding.space);
    let covers = |space: u32, first: u32, count: Option<u32>| {
        let last = count.map_or(u32::MAX, |count| first.saturating_add(count.saturating_sub(1)));
        space == binding.space && first <= lower && upper <= last && count != Some(0)
    };
    let seen = (0u32..).zip(&root.parameters).filter(|(_, parameter)| sees(stage, &parameter.visibility));
    for (number, parameter) in seen {
        let dword = parameter.dword;
        let (Some(register), Some(space)) = (parameter.register, parameter.space) else {
            let mut ranges = parameter.ranges.iter().filter(|range| range.class == class);
            if let Some(range) = ranges.find(|range| covers(range.space, range.register, range.count)) {
                let offset = range.begin.and_then(|begin| begin.checked_add(lower - range.register));
                return Ok(RootPlace::Table { parameter: number, dword, offset });
            }
            continue;
        };
        let is_constants = parameter.kind == "constants" && class == "cbv";
        if (parameter.kind == class || is_constants) && covers(space, register, Some(1)) {
            let kind = match &*binding.binding {
                "srv_typed" => "a texture or a typed buffer",
                "uav_typed" => "a typed view",
                "uav_structured_counter" => "a structured buffer with a counter",
                _ if is_constants => return Ok(RootPlace::Constants { parameter: number, dword }),
                _ => return Ok(RootPlace::Descriptor { parameter: number, dword }),
            };
            return Err(format!("{what} is {kind}, but a root descriptor is of a raw or structured buffer"));
        }
    }
    if class == "sampler" {
        let of_sampler = |sampler: &crate::parts::StaticSampler| {
            sees(stage, &sampler.visibility) && covers(sampler.space, sampler.register, Some(1))
        };
        if let Some(number) = root.samplers.iter().position(of_sampler) {
            return Ok(RootPlace::StaticSampler { number: number as u32 });
        }
    }
    Err(format!("{what} of the {stage} shader is not covered by one range that it sees"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::file;

    #[test]
    fn each_resource_of_a_sample_has_its_place() {
        let dxil = file("signed_map.ps.dxil");
        let (root, psv) = (dxil.root_signature.as_ref().expect("has one"), dxil.psv.as_ref().expect("has one"));
        let text = |resource: &PlacedResource| {
            let place = resource.place.as_ref().map_or("none".to_owned(), RootPlace::text);
            format!("{}: {place}", resource.registers())
        };
        insta::assert_debug_snapshot!(placed(root, psv).iter().map(text).collect::<Vec<_>>());
    }

    #[test]
    fn unread_tables_place_nothing() {
        let mut dxil = file("signed_map.ps.dxil");
        let root = dxil.root_signature.as_mut().expect("has one");
        root.version = "1.2".to_owned();
        assert_eq!(placed(root, dxil.psv.as_ref().expect("has one")), []);
    }
}
