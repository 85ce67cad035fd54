//! The special values that LLPC passes a vertex shader in user SGPRs, after the dwords of the layout.
//!
//! Known for a vertex shader that no other stage before the rasterizer follows: those are merged into one hardware stage,
//! whose values are those of both. The order is that of LLPC's `addSpecialUserDataArgs`: ViewId in a multiview pipeline, the
//! vertex buffer table, base vertex and base instance, draw index.

use std::collections::BTreeSet;

use super::Holds;
use super::user_data::reads;
use crate::liveness::{Liveness, Stages};
use lanescope_base::ids::Id;
use lanescope_model::options::Options;
use lanescope_model::program::StageKind;
use lanescope_pipeline::Pipeline;
use lanescope_spirv::enums::{BuiltIn, Decoration, ExecutionMode, StorageClass};
use lanescope_spirv::{Module, Type};

/// Bindings from here on are LLPC's own, with other rules.
const OWN_BINDINGS: u32 = 48;

/// Settings with which LLPC passes other values than these, or from which on this depends on linking.
const OTHER_RULES: [&str; 6] = [
    "enableUberFetchShader",
    "useVertexBufferDescArray",
    "useSoftwareVertexBufferDescriptors",
    "dynamicVertexStride",
    "options.enablePrimGeneratedQuery",
    "nggState.forceCullingMode",
];

/// The values of the vertex shader of a described pipeline, in their order. Absent where other stages, settings, transform
/// feedback or an output that is not read may change them.
pub fn vertex_values(stages: &Stages<'_>, options: &Options) -> Option<Vec<Holds>> {
    let pipeline = stages.program().pipeline.as_deref()?;
    let live = stages.first(StageKind::Vertex)?;
    let is_alone = |kind: StageKind| matches!(kind, StageKind::Vertex | StageKind::Fragment);
    let primitive_shader = options.target.ip().always_primitive_shaders;
    let other = pipeline.passes_dynamic_state()
        || OTHER_RULES.iter().any(|key| pipeline.has_setting(key))
        || pipeline.has_setting("nggState.enableNgg") && !primitive_shader
        || live.entry().mode(ExecutionMode::Xfb).is_some()
        || stages.iter().any(|(stage, _)| !is_alone(stage.stage))
        || pipeline.stages.iter().any(|stage| !is_alone(stage.stage))
        || stages.of_kind(StageKind::Vertex).nth(1).is_some()
        || !reads_all_outputs(stages, live);
    if other {
        return None;
    }
    let fetches = fetches(live, pipeline)?;
    let mut out = Vec::new();
    out.extend(options.multiview.then_some(Holds::ViewId));
    out.extend(fetches.then_some(Holds::VertexBufferTable));
    // PAL expects both, whether they are used or not.
    out.extend([Holds::BaseVertex, Holds::BaseInstance]);
    out.extend(reads(live, BuiltIn::DrawIndex).then_some(Holds::DrawIndex));
    Some(out)
}

/// The location of a variable that has one.
fn location(live: &Liveness<'_>, variable: Id) -> Option<u32> {
    live.module().decoration(variable, None, Decoration::Location)
}

/// The locations of used inputs. Absent where an input has neither a location nor a built-in: a block.
fn inputs(live: &Liveness<'_>) -> Option<BTreeSet<u32>> {
    let mut out = BTreeSet::new();
    for variable in live.variables(StorageClass::Input) {
        match location(live, variable) {
            Some(location) => _ = out.insert(location),
            None => _ = live.module().decoration(variable, None, Decoration::BuiltIn)?,
        }
    }
    Some(out)
}

/// Whether vertex buffers are read: an input is read that is described. Absent where that is not certain, since an input
/// takes several locations, of which some are described.
fn fetches(live: &Liveness<'_>, pipeline: &Pipeline) -> Option<bool> {
    let read = inputs(live)?;
    let attributes = pipeline.state.vertex_input.iter().flat_map(|input| &input.attributes);
    let mut described = BTreeSet::new();
    for attribute in attributes {
        if attribute.binding >= OWN_BINDINGS {
            return None;
        }
        described.insert(attribute.location);
    }
    match (read.iter().any(|location| described.contains(location)), read.is_empty() || described.is_empty()) {
        (true, _) => Some(true),
        (false, true) => Some(false),
        (false, false) => None,
    }
}

/// Whether the fragment shader reads every output with a location: LLPC removes others, with what they alone need.
fn reads_all_outputs(stages: &Stages<'_>, live: &Liveness<'_>) -> bool {
    let read = match stages.first(StageKind::Fragment) {
        Some(fragment) => inputs(fragment),
        None => Some(BTreeSet::new()),
    };
    let Some(read) = read else { return false };
    live.variables(StorageClass::Output).into_iter().all(|variable| match location(live, variable) {
        Some(location) => read.contains(&location),
        None => !has_member_locations(live.module(), variable),
    })
}

/// Whether members of a block have locations: unlike those of gl_PerVertex.
fn has_member_locations(module: &Module, variable: Id) -> bool {
    let Some(ty) = module.pointee(variable) else { return true };
    match module.ty(ty) {
        Some(Type::Struct { members }) => {
            let is_located = |member: u32| module.decoration(ty, Some(member), Decoration::Location).is_some();
            (0..members.len() as u32).any(is_located)
        }
        _ => false,
    }
}
