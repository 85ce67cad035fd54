//! What a compilation depends on, as one number.

use schemars::JsonSchema;
use serde::Serialize;
use xxhash_rust::xxh3::Xxh3;

use super::compile::CompileOptions;
use super::executable::Version;
use crate::gpu::DeviceInfo;
use lanescope_model::options::Options;
use lanescope_model::program::{Program, WaveSize};

/// Changes where the meaning of a kept compilation, or how pipelines are made, does.
const FORMAT: u32 = 7;

/// Everything of the options that reaches a driver.
#[derive(Serialize, JsonSchema)]
struct KeyParts<'a> {
    format: u32,
    options: (lanescope_model::options::WaveChoice, bool, bool, bool),
    spec: &'a std::collections::BTreeMap<u32, lanescope_model::options::SpecValue>,
    color: &'a std::collections::BTreeMap<u32, lanescope_model::options::ColorTarget>,
    described: Option<&'a lanescope_pipeline::Pipeline>,
    with: &'a CompileOptions,
    of: Version,
    device: &'a str,
    driver: &'a str,
    build: &'a str,
    inherited: Vec<(String, String)>,
    /// Of each stage: the modules of two conversions may be the same.
    made_for: Vec<Option<WaveSize>>,
}

/// Two compilations with one fingerprint give the same: XXH3 (128 bits) of the modules' words, the entry points, the
/// options and the description that reach a driver, the wave sizes that stages are made for, the device with its driver's
/// version and build, and the variables that compilers look at. 32 hexadecimal digits.
pub fn fingerprint(
    program: &Program,
    of: Version,
    options: &Options,
    with: &CompileOptions,
    device: &DeviceInfo,
) -> String {
    let mut hasher = Xxh3::new();
    let mut part = |bytes: &[u8]| {
        // With its length, so that no two lists of parts read alike.
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    for stage in &program.stages {
        part(stage.stage.name().as_bytes());
        part(stage.entry.as_bytes());
        let words: Vec<u8> = program.module_of(stage).words().iter().flat_map(|word| word.to_le_bytes()).collect();
        part(&words);
    }
    let knobs = KeyParts {
        format: FORMAT,
        options: (options.wave, options.alpha_to_coverage, options.sample_shading, options.no_default_color),
        spec: &options.spec,
        color: &options.color,
        described: program.pipeline.as_deref(),
        with,
        of,
        device: &device.name,
        driver: &device.driver,
        build: &device.build,
        inherited: super::inherited(with.chip),
        made_for: program.stages.iter().map(|stage| program.wave_size_of(stage)).collect(),
    };
    // Plain data with text keys: it always writes.
    part(&serde_json::to_vec(&knobs).unwrap_or_default());
    format!("{:032x}", hasher.digest128())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_load::load;
    use lanescope_model::options::WaveChoice;
    use lanescope_model::target::Target;

    #[test]
    fn fingerprint_depends_only_on_what_reaches_the_driver() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("writes");
            load(&[path], &[]).expect("a shader")
        };
        let one = file("a.comp", "#version 450\nvoid main() {}");
        let other = file("b.comp", "#version 450\nshared int x; void main() { x = 1; }");
        let device = DeviceInfo {
            name: "d".to_owned(),
            kind: "other".to_owned(),
            api_version: "1.3.0".to_owned(),
            driver: "r 1".to_owned(),
            subgroup_size: 32,
            subgroup_range: [32, 64],
            subgroup_quads: true,
            subgroup_required: true,
            executable_properties: true,
            compute_derivatives: false,
            pipeline_libraries: true,
            build: "00".to_owned(),
            ..DeviceInfo::default()
        };
        let (options, with) = (Options::default(), CompileOptions::default());
        let base = fingerprint(&one, Version::Original, &options, &with, &device);
        assert_eq!(base.len(), 32);
        // The options of our own passes reach a driver through the modules only.
        let ours = Options { no_pack: true, target: Target::Gfx1100, reconfig: true, ..options.clone() };
        assert_eq!(fingerprint(&one, Version::Original, &ours, &with, &device), base);
        let wave = Options { wave: WaveChoice::Wave64, ..options.clone() };
        let described = |state: &str| {
            let text = format!(
                "{{\"origin\":{{\"format\":\"pipe\",\"input\":0}},\"kind\":\"graphics\",\"stages\":[],\
                 \"layout\":{{}},\"state\":{state}}}"
            );
            let pipeline = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
            Program { pipeline: Some(pipeline), ..one.clone() }
        };
        let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/dxil");
        let converted = load(&[samples.join("prefix_sum.cs.dxil")], &[]).expect("a container");
        let made_for = |lanes: u32| {
            let mut program = converted.clone();
            program.dxil[0].entries[0].wave_size = Some(WaveSize { least: lanes, most: lanes, preferred: lanes });
            fingerprint(&program, Version::Original, &options, &with, &device)
        };
        let apart = CompileOptions { apart: true, ..with.clone() };
        let newer = DeviceInfo { driver: "r 2".to_owned(), ..device.clone() };
        let rebuilt = DeviceInfo { build: "01".to_owned(), ..device.clone() };
        let all = [
            base,
            fingerprint(&other, Version::Original, &options, &with, &device),
            fingerprint(&one, Version::Swizzled, &options, &with, &device),
            fingerprint(&described("{}"), Version::Original, &options, &with, &device),
            fingerprint(&described("{\"patch_control_points\":4}"), Version::Original, &options, &with, &device),
            fingerprint(&one, Version::Original, &wave, &with, &device),
            fingerprint(&one, Version::Original, &options, &apart, &device),
            fingerprint(&one, Version::Original, &options, &with, &newer),
            fingerprint(&one, Version::Original, &options, &with, &rebuilt),
            fingerprint(&converted, Version::Original, &options, &with, &device),
            made_for(32),
            made_for(64),
        ];
        let unique: std::collections::BTreeSet<_> = all.iter().collect();
        assert_eq!(unique.len(), all.len());
    }
}
