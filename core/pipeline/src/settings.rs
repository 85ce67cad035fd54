//! Options of a description, and those that set Lanescope's.

use std::collections::BTreeMap;

use super::{ColorAttachment, Pipeline, PipelineKind, StageDescription};
use crate::ColorTarget;
use lanescope_base::{Format, StageKind, WaveChoice};

/// An option of a description, as written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Setting {
    /// Location in the file: `line 12`.
    pub from: String,
    /// Its key.
    pub key: String,
    /// Its value.
    pub value: String,
    /// Our option that it sets.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub sets: Option<String>,
}

/// Keys that set an option of ours, and which.
const SETS: &[(&str, &str)] = &[
    ("options.reconfigWorkgroupLayout", "reconfig"),
    ("options.forceCsThreadIdSwizzling", "force_swizzle"),
    ("options.overrideForceThreadIdSwizzling", "force_swizzle"),
    ("options.overrideThreadGroupSizeX", "group_size"),
    ("options.overrideThreadGroupSizeY", "group_size"),
    ("options.overrideThreadGroupSizeZ", "group_size"),
    ("options.overrideShaderThreadGroupSizeX", "group_size"),
    ("options.overrideShaderThreadGroupSizeY", "group_size"),
    ("options.overrideShaderThreadGroupSizeZ", "group_size"),
    ("options.threadGroupSwizzleMode", "group_tile"),
    ("options.waveSize", "wave"),
    ("options.optimizePointSizeWrite", "optimize_point_size"),
    ("enableMultiView", "multiview"),
];

impl Setting {
    /// A setting; whether it sets an option of ours follows from its key.
    pub fn new(from: impl Into<String>, key: impl Into<String>, value: impl Into<String>) -> Setting {
        let (from, key, value) = (from.into(), key.into(), value.into());
        let sets = SETS.iter().find(|row| row.0 == key).map(|row| row.1.to_owned());
        Setting { from, key, value, sets }
    }

    /// Its value as a number: decimal or hexadecimal, `true` and `false` as 1 and 0.
    pub fn number(&self) -> Option<u64> {
        number(&self.value)
    }
}

fn number(text: &str) -> Option<u64> {
    match text {
        "true" => Some(1),
        "false" => Some(0),
        _ => match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        },
    }
}

/// Options of Lanescope that a description sets. Absent members are left unchanged.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Described {
    /// The wave size, where all stages that name one name the same.
    pub wave: Option<WaveChoice>,
    /// Thread ids are swizzled where the size allows it.
    pub force_swizzle: Option<bool>,
    /// The workgroup layout is reconfigured.
    pub reconfig: Option<bool>,
    /// Workgroup size, instead of the module's.
    pub group_size: Option<[u32; 3]>,
    /// Side of the workgroup-id swizzle's tile.
    pub group_tile: Option<u32>,
    /// Colour attachments by location.
    pub color: BTreeMap<u32, ColorTarget>,
    /// Alpha to coverage.
    pub alpha_to_coverage: Option<bool>,
    /// Per-sample shading.
    pub sample_shading: Option<bool>,
    /// Multiview rendering.
    pub multiview: Option<bool>,
    /// Writes of 1.0 to PointSize are left out.
    pub optimize_point_size: Option<bool>,
    /// Locations that are not in `color` have no attachment.
    pub no_default_color: bool,
}

/// Options of Lanescope that a description sets for one stage.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DescribedStage {
    /// The wave size; absent where none is named.
    pub wave: Option<WaveChoice>,
    /// Workgroup size, instead of the module's.
    pub group_size: Option<[u32; 3]>,
    /// Thread ids are swizzled where the size allows it.
    pub force_swizzle: bool,
}

impl Pipeline {
    /// Options of Lanescope that the description sets.
    pub fn described(&self) -> Described {
        let of_all = |key: &str| number_of(&self.settings, key);
        let forces = |stage: &StageDescription| number_of(&stage.settings, FORCE_OF_STAGE) == Some(1);
        let force_shader = self.stages.iter().any(forces).then_some(true);
        let force_all = of_all(FORCE_OF_ALL).map(|on| on != 0);
        let tile = self.settings.iter().rev().find(|s| s.key == "options.threadGroupSwizzleMode");
        let multisample = self.state.multisample.as_ref();
        Described {
            wave: self.wave(),
            force_swizzle: force_shader.or(force_all),
            reconfig: of_all("options.reconfigWorkgroupLayout").map(|on| on != 0),
            group_size: self.group_size(),
            group_tile: tile.and_then(|setting| tile_of(&setting.value)),
            color: self.colors(),
            alpha_to_coverage: multisample.and_then(|state| state.alpha_to_coverage),
            sample_shading: multisample.and_then(|state| state.sample_shading),
            multiview: of_all("enableMultiView").map(|on| on != 0).or_else(|| self.view_mask().map(|_| true)),
            optimize_point_size: of_all("options.optimizePointSizeWrite").map(|on| on != 0),
            no_default_color: self.lists_color_targets(),
        }
    }

    /// What the description says of one stage.
    pub fn described_of_stage(&self, stage: StageKind) -> DescribedStage {
        let own = self.stage(stage);
        // For a mesh shader only its own size is used.
        let pipelines = || self.size_of_all().filter(|_| stage != StageKind::Mesh);
        let forced = own.is_some_and(|own| number_of(&own.settings, FORCE_OF_STAGE) == Some(1));
        DescribedStage {
            wave: own.and_then(wave_of),
            group_size: own.and_then(size_of).or_else(pipelines),
            force_swizzle: forced || number_of(&self.settings, FORCE_OF_ALL).is_some_and(|on| on != 0),
        }
    }

    /// Whether a setting makes LLPC pass state to fragment shaders in registers of their own, if they depend on it:
    /// samples, blending, the topology; or anything that only linking tells.
    pub fn passes_dynamic_state(&self) -> bool {
        let keys = ["dynamicSampleInfo", "dualSourceBlendDynamic", "dynamicTopology", "unlinked"];
        keys.iter().any(|key| number_of(&self.settings, key).is_some_and(|on| on != 0))
    }

    /// Whether a setting of this key is on, for the whole pipeline.
    pub fn has_setting(&self, key: &str) -> bool {
        number_of(&self.settings, key).is_some_and(|on| on != 0)
    }

    /// The wave size that is named for a stage.
    pub fn wave_of(&self, stage: StageKind) -> Option<WaveChoice> {
        self.stage(stage).and_then(wave_of)
    }

    fn wave(&self) -> Option<WaveChoice> {
        let mut sizes = self.stages.iter().filter_map(wave_of);
        let first = sizes.next()?;
        sizes.all(|size| size == first).then_some(first)
    }

    /// A stage's own size goes before the pipeline's.
    fn group_size(&self) -> Option<[u32; 3]> {
        let workgroups = self.stages.iter().filter(|stage| stage.stage.has_workgroup());
        workgroups.into_iter().find_map(size_of).or_else(|| self.size_of_all())
    }

    fn size_of_all(&self) -> Option<[u32; 3]> {
        size(&self.settings, "options.overrideThreadGroupSize")
    }

    /// Whether the description says of every colour target what it is, so that a location which it leaves out has none.
    ///
    /// The text of LLPC always does: what it does not mention is off. A database does where a pipeline has attachments.
    /// Libraries do where the part with the outputs is one of them.
    pub fn lists_color_targets(&self) -> bool {
        let colors = self.state.attachments.as_ref().map(|attachments| &attachments.colors[..]);
        let are_known = |colors: &[ColorAttachment]| colors.iter().all(|color| color.format.is_some());
        let libraries = &self.origin.libraries;
        let has_outputs = |part: &String| matches!(part.as_str(), "colorExport" | "fragment_output");
        if !libraries.is_empty() && !libraries.iter().flat_map(|library| &library.parts).any(has_outputs) {
            return false;
        }
        match (self.kind, self.origin.format) {
            (PipelineKind::Graphics, Format::Pipe) => are_known(colors.unwrap_or_default()),
            (PipelineKind::Graphics, _) => {
                colors.is_some_and(|colors| are_known(colors) && !(colors.is_empty() && self.is_library()))
            }
            _ => false,
        }
    }

    fn view_mask(&self) -> Option<u32> {
        self.state.attachments.as_ref()?.view_mask.filter(|mask| *mask != 0)
    }

    fn colors(&self) -> BTreeMap<u32, ColorTarget> {
        let Some(attachments) = &self.state.attachments else { return BTreeMap::new() };
        let target = |color: &ColorAttachment| {
            let format = color.format?.name()?.to_owned();
            Some((color.location, color.target(format)))
        };
        attachments.colors.iter().filter_map(target).collect()
    }
}

const FORCE_OF_STAGE: &str = "options.overrideForceThreadIdSwizzling";
const FORCE_OF_ALL: &str = "options.forceCsThreadIdSwizzling";

/// The last number of a key.
fn number_of(settings: &[Setting], key: &str) -> Option<u64> {
    settings.iter().rev().find(|setting| setting.key == key).and_then(Setting::number)
}

/// The wave size that a stage's options name, or its required subgroup size.
fn wave_of(stage: &StageDescription) -> Option<WaveChoice> {
    let setting = number_of(&stage.settings, "options.waveSize").filter(|size| *size != 0);
    match setting.or(stage.subgroup_size.map(u64::from))? {
        32 => Some(WaveChoice::Wave32),
        64 => Some(WaveChoice::Wave64),
        _ => None,
    }
}

/// A stage's own workgroup size.
fn size_of(stage: &StageDescription) -> Option<[u32; 3]> {
    size(&stage.settings, "options.overrideShaderThreadGroupSize")
}

/// The size of three settings; where one of them is not 0, a 0 counts as 1.
fn size(settings: &[Setting], prefix: &str) -> Option<[u32; 3]> {
    let axis = |axis| {
        let found = number_of(settings, &format!("{prefix}{axis}")).unwrap_or(0);
        u32::try_from(found).unwrap_or(u32::MAX)
    };
    let size = ["X", "Y", "Z"].map(axis);
    size.iter().any(|side| *side != 0).then(|| size.map(|side| side.max(1)))
}

/// The tile side of a swizzle mode, by name or by number.
fn tile_of(mode: &str) -> Option<u32> {
    match mode {
        "_4x4" | "1" => Some(4),
        "_8x8" | "2" => Some(8),
        "_16x16" | "3" => Some(16),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Attachments, Library};

    #[test]
    fn colour_targets_are_listed_where_a_pipeline_has_attachments() {
        let mut pipeline = Pipeline::new(Format::Fossilize, PipelineKind::Graphics);
        assert!(!pipeline.lists_color_targets(), "nothing is said of attachments");
        pipeline.state.attachments = Some(Attachments::default());
        assert!(pipeline.lists_color_targets(), "it has none");
        pipeline.state.flags = Some(0x800);
        assert!(!pipeline.lists_color_targets(), "a library leaves them to another one");
        pipeline.state.flags = None;
        let part = |part: &str| Library { hash: None, name: None, parts: vec![part.to_owned()] };
        pipeline.origin.libraries = vec![part("pre_rasterization"), part("fragment_shader")];
        assert!(!pipeline.lists_color_targets(), "the part with the outputs is missing");
        pipeline.origin.libraries.push(part("fragment_output"));
        assert!(pipeline.lists_color_targets());
        let text = Pipeline::new(Format::Pipe, PipelineKind::Graphics);
        assert!(text.lists_color_targets(), "what a text does not mention is off");
        assert!(!Pipeline::new(Format::Pipe, PipelineKind::Compute).lists_color_targets());
    }
}
