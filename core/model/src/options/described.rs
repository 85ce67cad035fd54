//! Options that a pipeline description sets.

use lanescope_base::{StageKind, WaveChoice};
use lanescope_pipeline::Pipeline;

use super::Options;

impl Options {
    /// The options with those of the description; options that `self` changed from the default stay.
    pub fn with_pipeline(&self, pipeline: &Pipeline) -> Options {
        let plain = Options::default();
        let described = pipeline.described();
        let mut out = self.clone();
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
    pub fn of_stage(&self, pipeline: &Pipeline, stage: StageKind) -> Options {
        let (all, own) = (pipeline.described(), pipeline.described_of_stage(stage));
        let mut out = self.clone();
        // If stages have different sizes, no common size is set.
        if out.wave == all.wave.unwrap_or(WaveChoice::Auto) {
            out.wave = own.wave.unwrap_or(WaveChoice::Auto);
        }
        if all.group_size.is_some() && out.group_size == all.group_size {
            out.group_size = own.group_size;
        }
        if Some(out.force_swizzle) == all.force_swizzle {
            out.force_swizzle = own.force_swizzle;
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use lanescope_base::Format;
    use lanescope_pipeline::vulkan::VkFormat;
    use lanescope_pipeline::{Attachments, ColorAttachment, Multisample, PipelineKind, Setting, StageDescription};

    use super::*;

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
    fn explicit_options_override_the_description() {
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
        let options = Options::default().with_pipeline(&pipeline);
        assert!(options.reconfig && options.force_swizzle);
        assert_eq!((options.group_size, options.group_tile), (Some([16, 1, 1]), Some(8)));
        assert_eq!(options.wave, WaveChoice::Wave64);
        let given = Options { group_size: Some([4, 4, 1]), wave: WaveChoice::Wave32, ..Options::default() };
        let options = given.with_pipeline(&pipeline);
        assert_eq!((options.group_size, options.wave), (Some([4, 4, 1]), WaveChoice::Wave32));
        let sets: Vec<_> = pipeline.settings.iter().map(|s| s.sets.as_deref().unwrap_or("-")).collect();
        assert_eq!(sets, ["reconfig", "force_swizzle", "group_size", "group_tile", "-"]);
    }

    #[test]
    fn stage_options_override_pipeline_and_must_agree() {
        let mut pipeline = Pipeline::new(Format::Spirv, PipelineKind::Graphics);
        let own = [("options.overrideShaderThreadGroupSizeY", "2"), ("options.waveSize", "32")];
        pipeline.stages.push(stage(StageKind::Mesh, &own));
        pipeline.stages.push(stage(StageKind::Fragment, &[("options.waveSize", "64")]));
        pipeline.settings.push(Setting::new("line 9", "options.overrideThreadGroupSizeX", "8"));
        let described = pipeline.described();
        assert_eq!((described.group_size, described.wave), (Some([1, 2, 1]), None));
        pipeline.stages.push(stage(StageKind::Task, &[]));
        let of = |options: &Options, stage| {
            let options = options.with_pipeline(&pipeline).of_stage(&pipeline, stage);
            (options.group_size, options.wave)
        };
        let plain = Options::default();
        assert_eq!(of(&plain, StageKind::Mesh), (Some([1, 2, 1]), WaveChoice::Wave32), "each stage has its own");
        assert_eq!(of(&plain, StageKind::Fragment).1, WaveChoice::Wave64);
        assert_eq!(of(&plain, StageKind::Task), (Some([8, 1, 1]), WaveChoice::Auto));
        let given = Options { group_size: Some([4, 4, 1]), wave: WaveChoice::Wave32, ..plain };
        assert_eq!(of(&given, StageKind::Mesh), (Some([4, 4, 1]), WaveChoice::Wave32));
        pipeline.stages[0].settings.clear();
        let mesh = Options::default().with_pipeline(&pipeline).of_stage(&pipeline, StageKind::Mesh);
        assert_eq!(mesh.group_size, None, "the pipeline's size is not a mesh shader's");
        let waves = [StageKind::Fragment, StageKind::Task]
            .map(|stage| Options::default().with_pipeline(&pipeline).of_stage(&pipeline, stage).wave);
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
        let options = Options::default().with_pipeline(&pipeline);
        let colors: Vec<_> = options.color.iter().map(|(location, target)| format!("{location}={target}")).collect();
        assert_eq!(colors, ["0=B8G8R8A8_UNORM:blend", "1=UNDEFINED", "3=R16G16B16A16_SFLOAT"]);
        assert!(!options.no_default_color, "the format of target 2 is left out");
        let by_alpha = ColorAttachment { blends_by_alpha: true, ..color(0, None, true) };
        let unwritten = ColorAttachment { write_mask: 0, ..color(0, None, false) };
        let texts = [by_alpha, unwritten].map(|color| color.target("R8_UNORM".to_owned()).to_string());
        assert_eq!(texts, ["R8_UNORM:blend-by-alpha", "R8_UNORM:unwritten"]);
        assert!(options.alpha_to_coverage && !options.sample_shading);
    }
}
