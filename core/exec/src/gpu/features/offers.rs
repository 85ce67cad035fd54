//! Every capability of SPIR-V's grammar: what it requires, and whether a device offers that.

use std::collections::BTreeSet;
use std::ffi::CStr;

use ash::vk;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::registry::{self, Enabling};
use super::{Features, Field, Need, Needs, Offer, RUN, core_version, culling_in_pipelines, need};
use crate::gpu::{DeviceInfo, GpuError};
use lanescope_spirv::enums::Capability;

/// Capabilities of SPIR-V that the grammar of this version does not have: number and name. Source: SPIRV-Headers,
/// `spirv.core.grammar.json`.
const NEWER: &[(u32, &str)] = &[
    (4228, "Float6EXT"),
    (4229, "Float4EXT"),
    (4230, "Float8UnsignedE8M0EXT"),
    (4231, "MXInt8EXT"),
    (4232, "BitcastExtractEXT"),
    (4539, "MultipleWaitQueuesQCOM"),
    (4543, "ImageGatherLinearQCOM"),
    (4544, "ImageGatherExtendedModesQCOM"),
    (5120, "AbortKHR"),
    (5146, "ConstantDataKHR"),
    (5156, "PoisonFreezeKHR"),
    (5181, "WeakLinkageAMD"),
    (5429, "CooperativeMatrixConversionsEXT"),
    (5438, "CooperativeMatrixGetCoordinateEXT"),
    (5447, "CooperativeMatrixDecodeVectorNV"),
    (6032, "RayTracingOpacityMicromapExecutionModeKHR"),
    (6257, "PredicatedIOINTEL"),
    (6265, "RoundedDivideSqrtINTEL"),
    (6912, "DotProductFloat16AccFloat32VALVE"),
    (6913, "DotProductFloat16AccFloat16VALVE"),
    (6914, "DotProductBFloat16AccVALVE"),
    (6915, "DotProductFloat8AccFloat32VALVE"),
    (7041, "IntrinsicSAMSUNG"),
];

/// A capability of SPIR-V.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Its number.
    pub number: u32,
    /// Its name.
    pub name: String,
    /// The grammar here has it: a module that declares it is read by the name.
    pub in_grammar: bool,
}

/// All capabilities, by number: those of the grammar here, and newer ones.
pub fn all_capabilities() -> Vec<Named> {
    let known = |number| Capability::from_u32(number).map(|capability| (number, format!("{capability:?}")));
    let grammar = (0..=u32::from(u16::MAX)).filter_map(known);
    let mut all: Vec<Named> = grammar.map(|(number, name)| Named { number, name, in_grammar: true }).collect();
    let newer = NEWER.iter().map(|(number, name)| Named { number: *number, name: (*name).into(), in_grammar: false });
    all.extend(newer);
    all.sort_by_key(|named| named.number);
    all
}

/// Whether a device offers what a capability requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum IsOffered {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// It is not known what enables the capability.
    Unknown,
}

/// What is enough for a capability, and whether the device has it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Requirement {
    /// The Vulkan version that has it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub version: Option<String>,
    /// An extension.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub extension: Option<String>,
    /// A feature: of the extension, where one is named.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub feature: Option<String>,
    /// A property of the device, as text.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub property: Option<String>,
    /// The device has it.
    pub offered: bool,
}

/// A capability, and what a device offers of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OfferedCapability {
    /// Its name.
    pub capability: String,
    /// Its number.
    pub number: u32,
    /// Any of these enables it; empty where that is not known.
    pub needs: Vec<Requirement>,
    /// Whether a module with it compiles on the device as far as the device's own list says.
    pub offered: IsOffered,
    /// What the device lacks.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub lacks: Option<String>,
}

/// A device, and every capability.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OfferedCapabilities {
    /// The device.
    pub device: DeviceInfo,
    /// By number.
    pub capabilities: Vec<OfferedCapability>,
}

/// Whether it is known what enables a capability.
pub fn is_known(number: u32) -> bool {
    Capability::from_u32(number).is_some_and(|one| need(one).is_some() || registry::enabling(one).is_some())
}

/// Why no module with a capability is run, whatever the device has; none where one may be.
pub fn not_run(number: u32) -> Option<String> {
    let Some(capability) = Capability::from_u32(number) else { return Some("unknown capability".to_owned()) };
    let runs = need(capability).is_some() || RUN.contains(&capability);
    (!runs).then(|| "modules with it are not run".to_owned())
}

/// The version of Vulkan whose features have a field; none for one of an extension.
fn version_of(field: Field) -> Option<&'static str> {
    let mut features = Features::default();
    let at = std::ptr::from_mut(field(&mut features)).addr();
    let parts = [
        (std::ptr::from_ref(&features.core).addr(), size_of_val(&features.core), "1.0"),
        (std::ptr::from_ref(&features.v11).addr(), size_of_val(&features.v11), "1.1"),
        (std::ptr::from_ref(&features.v12).addr(), size_of_val(&features.v12), "1.2"),
        (std::ptr::from_ref(&features.v13).addr(), size_of_val(&features.v13), "1.3"),
    ];
    parts.into_iter().find(|(start, size, _)| (*start..start + size).contains(&at)).map(|part| part.2)
}

impl Offer {
    /// What the device offers of each capability.
    pub(in crate::gpu) fn capabilities(&mut self) -> Vec<OfferedCapability> {
        all_capabilities().into_iter().map(|named| self.capability(named)).collect()
    }

    fn capability(&mut self, named: Named) -> OfferedCapability {
        let Named { number, name: capability, .. } = named;
        let Some(own) = Capability::from_u32(number).filter(|_| is_known(number)) else {
            return OfferedCapability {
                capability,
                number,
                needs: Vec::new(),
                offered: IsOffered::Unknown,
                lacks: None,
            };
        };
        let mut needs = match need(own) {
            Some(Need::Nothing) => {
                vec![Requirement { version: Some(core_version(own).into()), offered: true, ..Requirement::default() }]
            }
            Some(need) => self.requirements(&need),
            None => self.registered(registry::enabling(own).unwrap_or_default()),
        };
        let in_pipelines = own == Capability::RayTraversalPrimitiveCullingKHR;
        if in_pipelines {
            needs.extend(self.requirements(&culling_in_pipelines()));
        }
        let alone = |capabilities| Needs { capabilities, ..Needs::default() }.compiling(false);
        let own = BTreeSet::from([own]);
        let chosen = self.choose(&alone(own.clone())).or_else(|error| match in_pipelines {
            true => self.choose(&alone(&own | &BTreeSet::from([Capability::RayTracingKHR]))).map_err(|_| error),
            false => Err(error),
        });
        let (offered, lacks) = match chosen {
            Ok(_) => (IsOffered::Yes, None),
            Err(GpuError::Lacks { what, .. }) => (IsOffered::No, Some(what)),
            Err(error) => (IsOffered::No, Some(error.to_string())),
        };
        OfferedCapability { capability, number, needs, offered, lacks }
    }

    fn requirements(&mut self, need: &Need) -> Vec<Requirement> {
        let text = |name: &CStr| name.to_string_lossy().into_owned();
        match need {
            // Without more than a version; of a stage's uses, not of a capability.
            Need::Nothing | Need::SubgroupStage(_) | Need::QuadStage(_) => Vec::new(),
            Need::Feature(name, field) => vec![self.feature(name, *field, None)],
            Need::Formats(name, field) => {
                let property = "formats that have it".to_owned();
                vec![self.feature(name, *field, None), property_of("1.3", property, true)]
            }
            Need::Extension(name, field, extensions) => {
                extensions.iter().map(|extension| self.feature(name, *field, Some(extension))).collect()
            }
            Need::AnyOf(features, []) => {
                features.iter().map(|(name, field)| self.feature(name, *field, None)).collect()
            }
            Need::AnyOf(features, extensions) => {
                let all = extensions.iter().flat_map(|extension| features.iter().map(move |one| (extension, one)));
                all.map(|(extension, (name, field))| self.feature(name, *field, Some(extension))).collect()
            }
            Need::Registered(row) => self.registered(std::slice::from_ref(*row)),
            Need::Bare(extensions) => {
                let one = |name: &&CStr| Requirement {
                    extension: Some(text(name)),
                    offered: self.has(name),
                    ..Requirement::default()
                };
                extensions.iter().map(one).collect()
            }
            Need::Subgroup(flags) => {
                let property = format!("subgroup operations {flags:?}");
                vec![property_of("1.1", property, self.subgroup.contains(*flags))]
            }
            Need::FloatControl(widths) => {
                let offered = widths(&self.float_controls).contains(&vk::TRUE);
                vec![property_of("1.2", "this float control at any width".to_owned(), offered)]
            }
        }
    }

    fn feature(&mut self, name: &str, field: Field, extension: Option<&CStr>) -> Requirement {
        let is_on = *field(&mut self.features) == vk::TRUE;
        Requirement {
            version: extension.is_none().then(|| version_of(field)).flatten().map(str::to_owned),
            extension: extension.map(|name| name.to_string_lossy().into_owned()),
            feature: Some(name.to_owned()),
            property: None,
            offered: is_on && extension.is_none_or(|name| self.has(name)),
        }
    }

    fn registered(&self, rows: &[Enabling]) -> Vec<Requirement> {
        let one = |row: &Enabling| {
            let is_on = row.feature.is_none_or(|feature| self.features.registered.has(&feature));
            Requirement {
                version: None,
                extension: Some(row.extension.to_string_lossy().into_owned()),
                feature: row.feature.map(|feature| feature.name.to_owned()),
                property: None,
                offered: is_on && self.has(row.extension),
            }
        };
        rows.iter().map(one).collect()
    }
}

fn property_of(version: &str, property: String, offered: bool) -> Requirement {
    Requirement { version: Some(version.to_owned()), property: Some(property), offered, ..Requirement::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newer_capabilities_are_not_in_the_grammar_and_numbers_are_unique() {
        let all = all_capabilities();
        assert!(
            NEWER.iter().all(|(number, _)| Capability::from_u32(*number).is_none()),
            "now in the grammar: remove it"
        );
        assert!(all.windows(2).all(|pair| pair[0].number < pair[1].number));
        assert_eq!(all.iter().filter(|named| !named.in_grammar).count(), NEWER.len());
    }

    #[test]
    fn offers_agree_with_what_a_compilation_is_given() {
        let mut offer = super::super::tests::offer();
        offer.features.core.shader_float64 = vk::TRUE;
        offer.features.v12.shader_float16 = vk::TRUE;
        let all = offer.capabilities();
        let of = |name: &str| all.iter().find(|row| row.capability == name).expect("a row");
        assert_eq!(of("Float64").offered, IsOffered::Yes);
        assert_eq!(of("Float64").needs[0].version.as_deref(), Some("1.0"));
        assert_eq!(of("Float16").needs[0].version.as_deref(), Some("1.2"));
        assert_eq!(of("Int64").offered, IsOffered::No);
        assert_eq!(of("Int64").lacks.as_deref(), Some("the feature shaderInt64"));
        assert_eq!(of("Kernel").offered, IsOffered::Unknown);
        assert_eq!(of("Float6EXT").offered, IsOffered::Unknown);
        let clock = &of("ShaderClockKHR").needs;
        assert!(clock.len() == 2 && clock.iter().all(|need| need.extension.as_deref() == Some("VK_KHR_shader_clock")));
        for row in &all {
            let any = row.needs.iter().any(|need| need.offered);
            assert_eq!(any, row.offered == IsOffered::Yes, "{row:?}");
            assert_eq!(row.needs.is_empty(), row.offered == IsOffered::Unknown, "{row:?}");
            assert_eq!(row.lacks.is_some(), row.offered == IsOffered::No, "{row:?}");
        }
    }
}
