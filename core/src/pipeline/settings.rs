//! Options of a description, and those that set ours.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{ColorAttachment, Pipeline, PipelineKind, StageDescription};
use crate::options::{ColorTarget, Options, WaveChoice};
use crate::program::{Format, Program, StageKind};

/// An option of a description, as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    /// Where it stands: `line 12`.
    pub from: String,
    /// Its key.
    pub key: String,
    /// Its value.
    pub value: String,
    /// Our option that it sets.
    #[serde(skip_serializing_if = "Option::is_none", default)]
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

/// What a description says about our options. Absent members are left as they are.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Described {
    /// The wave size, where all stages that name one name the same.
    pub wave: Option<WaveChoice>,
    /// Thread ids are swizzled wherever the size allows it.
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

impl Program {
    /// The options of one stage (see [`Pipeline::options_of_stage`]).
    pub fn options_of_stage<'o>(&self, options: &'o Options, stage: StageKind) -> Cow<'o, Options> {
        match &self.pipeline {
            Some(pipeline) => Cow::Owned(pipeline.options_of_stage(options, stage)),
            None => Cow::Borrowed(options),
        }
    }

    /// The options with what the program's description says, if it has one (see [`Pipeline::options`]).
    pub fn options(&self, given: &Options) -> Options {
        self.pipeline.as_ref().map_or_else(|| given.clone(), |pipeline| pipeline.options(given))
    }
}

impl Pipeline {
    /// What the description says about our options.
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

    /// The options with what the description says; what `given` has changed from the default stays as it is given.
    pub fn options(&self, given: &Options) -> Options {
        let plain = Options::default();
        let described = self.described();
        let mut out = given.clone();
        fn take<T: PartialEq>(mine: &mut T, plain: &T, described: Option<T>) {
            if let Some(value) = described
                && mine == plain
            {
                *mine = value;
            }
        }
        take(&mut out.wave, &plain.wave, described.wave);
        take(&mut out.force_swizzle, &plain.force_swizzle, described.force_swizzle);
        take(&mut out.reconfig, &plain.reconfig, described.reconfig);
        take(&mut out.group_size, &plain.group_size, described.group_size.map(Some));
        take(&mut out.group_tile, &plain.group_tile, described.group_tile.map(Some));
        take(&mut out.alpha_to_coverage, &plain.alpha_to_coverage, described.alpha_to_coverage);
        take(&mut out.sample_shading, &plain.sample_shading, described.sample_shading);
        take(&mut out.multiview, &plain.multiview, described.multiview);
        take(&mut out.optimize_point_size, &plain.optimize_point_size, described.optimize_point_size);
        out.no_default_color |= described.no_default_color;
        for (location, target) in described.color {
            out.color.entry(location).or_insert(target);
        }
        out
    }

    /// The options of one stage: where they are what the description says of all stages, they become what it says of
    /// this one.
    pub fn options_of_stage(&self, options: &Options, stage: StageKind) -> Options {
        let mut out = options.clone();
        let (all, own) = (self.described(), self.stage(stage));
        // Where stages name different sizes, nothing is said of all of them.
        if out.wave == all.wave.unwrap_or(WaveChoice::Auto) {
            out.wave = own.and_then(wave_of).unwrap_or(WaveChoice::Auto);
        }
        if all.group_size.is_some() && out.group_size == all.group_size {
            // Of a mesh shader only its own size counts.
            let pipelines = || self.size_of_all().filter(|_| stage != StageKind::Mesh);
            out.group_size = own.and_then(size_of).or_else(pipelines);
        }
        if Some(out.force_swizzle) == all.force_swizzle {
            let forced = own.is_some_and(|own| number_of(&own.settings, FORCE_OF_STAGE) == Some(1));
            out.force_swizzle = forced || number_of(&self.settings, FORCE_OF_ALL).is_some_and(|on| on != 0);
        }
        out
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

/// The last number that is given for a key.
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
    use crate::pipeline::vulkan::VkFormat;
    use crate::pipeline::{Attachments, Library, Multisample};

    fn stage(stage: StageKind, settings: &[(&str, &str)]) -> StageDescription {
        StageDescription {
            stage,
            entry: "main".to_owned(),
            entry_assumed: false,
            module: Some(0),
            shader: "GLSL".to_owned(),
            from: "line 1".to_owned(),
            subgroup_size: None,
            flags: Vec::new(),
            constants: Vec::new(),
            settings: settings.iter().map(|(key, value)| Setting::new("line 2", *key, *value)).collect(),
        }
    }

    #[test]
    fn options_of_a_description_set_ours_unless_they_were_given() {
        let mut pipeline = Pipeline::new(Format::Spirv, PipelineKind::Compute);
        pipeline.stages.push(stage(StageKind::Compute, &[("options.waveSize", "64")]));
        pipeline.settings = [
            ("options.reconfigWorkgroupLayout", "1"),
            ("options.forceCsThreadIdSwizzling", "true"),
            ("options.overrideThreadGroupSizeX", "0x10"),
            ("options.threadGroupSwizzleMode", "_8x8"),
            ("options.optimizationLevel", "2"),
        ]
        .map(|(key, value)| Setting::new("line 9", key, value))
        .into();
        let options = pipeline.options(&Options::default());
        assert!(options.reconfig && options.force_swizzle);
        assert_eq!((options.group_size, options.group_tile), (Some([16, 1, 1]), Some(8)));
        assert_eq!(options.wave, WaveChoice::Wave64);
        let given = Options { group_size: Some([4, 4, 1]), wave: WaveChoice::Wave32, ..Options::default() };
        let options = pipeline.options(&given);
        assert_eq!((options.group_size, options.wave), (Some([4, 4, 1]), WaveChoice::Wave32));
        let sets: Vec<_> = pipeline.settings.iter().map(|s| s.sets.as_deref().unwrap_or("-")).collect();
        assert_eq!(sets, ["reconfig", "force_swizzle", "group_size", "group_tile", "-"]);
    }

    #[test]
    fn a_stage_goes_before_its_pipeline_and_stages_that_differ_decide_nothing() {
        let mut pipeline = Pipeline::new(Format::Spirv, PipelineKind::Graphics);
        let own = [("options.overrideShaderThreadGroupSizeY", "2"), ("options.waveSize", "32")];
        pipeline.stages.push(stage(StageKind::Mesh, &own));
        pipeline.stages.push(stage(StageKind::Fragment, &[("options.waveSize", "64")]));
        pipeline.settings.push(Setting::new("line 9", "options.overrideThreadGroupSizeX", "8"));
        let described = pipeline.described();
        assert_eq!((described.group_size, described.wave), (Some([1, 2, 1]), None));
        pipeline.stages.push(stage(StageKind::Task, &[]));
        let of = |options: &Options, stage| {
            let options = pipeline.options_of_stage(&pipeline.options(options), stage);
            (options.group_size, options.wave)
        };
        let plain = Options::default();
        assert_eq!(of(&plain, StageKind::Mesh), (Some([1, 2, 1]), WaveChoice::Wave32), "each stage has its own");
        assert_eq!(of(&plain, StageKind::Fragment).1, WaveChoice::Wave64);
        assert_eq!(of(&plain, StageKind::Task), (Some([8, 1, 1]), WaveChoice::Auto));
        let given = Options { group_size: Some([4, 4, 1]), wave: WaveChoice::Wave32, ..plain };
        assert_eq!(of(&given, StageKind::Mesh), (Some([4, 4, 1]), WaveChoice::Wave32));
        pipeline.stages[0].settings.clear();
        let mesh = pipeline.options_of_stage(&pipeline.options(&Options::default()), StageKind::Mesh);
        assert_eq!(mesh.group_size, None, "the pipeline's size is not a mesh shader's");
        let waves = [StageKind::Fragment, StageKind::Task]
            .map(|stage| pipeline.options_of_stage(&pipeline.options(&Options::default()), stage).wave);
        assert_eq!(waves, [WaveChoice::Wave64, WaveChoice::Auto], "a stage that names none has the compiler's choice");
    }

    #[test]
    fn attachments_and_samples_become_options() {
        let mut pipeline = Pipeline::new(Format::Spirv, PipelineKind::Graphics);
        let color = |location, format, blend| ColorAttachment {
            location,
            format,
            write_mask: 15,
            blend,
            blends_by_alpha: false,
            equation: None,
        };
        let colors = vec![
            color(0, Some(VkFormat(44)), true),
            color(1, Some(VkFormat(0)), false),
            color(2, None, false),
            color(3, Some(VkFormat(97)), false),
        ];
        pipeline.state.attachments = Some(Attachments { colors, ..Attachments::default() });
        pipeline.state.multisample = Some(Multisample { alpha_to_coverage: Some(true), ..Multisample::default() });
        let options = pipeline.options(&Options::default());
        let colors: Vec<_> = options.color.iter().map(|(location, target)| format!("{location}={target}")).collect();
        assert_eq!(colors, ["0=B8G8R8A8_UNORM:blend", "1=UNDEFINED", "3=R16G16B16A16_SFLOAT"]);
        assert!(!options.no_default_color, "the format of target 2 is left out");
        let by_alpha = ColorAttachment { blends_by_alpha: true, ..color(0, None, true) };
        let unwritten = ColorAttachment { write_mask: 0, ..color(0, None, false) };
        let texts = [by_alpha, unwritten].map(|color| color.target("R8_UNORM".to_owned()).to_string());
        assert_eq!(texts, ["R8_UNORM:blend-by-alpha", "R8_UNORM:unwritten"]);
        assert!(options.alpha_to_coverage && !options.sample_shading);
    }

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
