//! Compiler options that a database cannot store.

use crate::options::Options;
use crate::pipeline::Setting;
use crate::program::Program;

/// Names that are listed.
const NAMED: usize = 16;

/// Options of ours that change how shaders are compiled, by their fields' names.
const OF_COMPILERS: [&str; 8] = [
    "derivatives",
    "force_swizzle",
    "reconfig",
    "interleave",
    "group_size",
    "group_tile",
    "multiview",
    "optimize_point_size",
];

/// The options that are set and that no database can hold: the description's by their keys, then those that were given.
pub(super) fn left_out(program: &Program, options: &Options) -> Option<String> {
    let pipeline = program.pipeline.as_deref();
    // Multiview is the view mask of a graphics pipeline's attachments.
    let has_views = options.multiview && program.stages.iter().any(|stage| stage.stage.is_graphics());
    let settings: Vec<&Setting> = pipeline
        .into_iter()
        .flat_map(|pipeline| pipeline.settings.iter().chain(pipeline.stages.iter().flat_map(|stage| &stage.settings)))
        .filter(|setting| is_set(setting) && !is_written(&setting.key, has_views))
        .collect();
    let mut names: Vec<&str> = Vec::new();
    let of_keys = settings.iter().map(|setting| setting.key.as_str());
    let by_key = |name: &str| settings.iter().any(|setting| setting.sets.as_deref() == Some(name));
    let given = options.differences(&Options::default()).into_iter().map(|difference| difference.name);
    let held = |name: &str| name == "multiview" && has_views;
    for name in of_keys.chain(given.filter(|name| OF_COMPILERS.contains(name) && !by_key(name) && !held(name))) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() {
        return None;
    }
    let more = names.len().saturating_sub(NAMED);
    names.truncate(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    Some(format!("not written, because a database cannot store it: {}{more}", names.join(", ")))
}

/// Whether a setting differs from its default.
fn is_set(setting: &Setting) -> bool {
    setting.number() != Some(0) && !matches!(setting.value.as_str(), "" | "Auto" | "None" | "Default")
}

/// Whether it is written as what a stage requires, as how a target blends, or as the view mask if any.
fn is_written(key: &str, has_views: bool) -> bool {
    matches!(key, "options.waveSize" | "options.subgroupSize")
        || key.ends_with(".blendSrcAlphaToColor")
        || (has_views && key == "enableMultiView")
}
