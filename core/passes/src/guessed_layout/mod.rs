//! Guessed layouts: the layout that can be guessed when a shader module is created, and whether code compiled
//! with it serves the pipeline that is created later.
//!
//! ```text
//! SPIR-V ──resources, outputs, usage──▶ automatic layout ──┬─▶ key ┐
//!                                                          │       ├─▶ hit, or what breaks it; remapped user data
//! description of a pipeline ──application──▶ its layout ───┴─▶ key ┘
//! ```
//!
//! * [`resources`], [`fragment_outputs`], [`usage()`]: the facts of an entry point that follow from SPIR-V alone.
//! * [`Layout`]: tables and root; [`automatic`] guesses one. Under the design note's rule each binding has a slot of
//!   its own in its set's table, so that bindings of other stages move nothing; LLPC's tool today places them in
//!   sequence.
//! * [`Application`]: what a description of a pipeline says of the same stage; [`breaks`]: what keeps the two apart.
//! * [`Key`]: what a compiled stage is kept under, word by word, by the note's rule and by today's, which takes a
//!   layout as LLPC is given one: [`Mapping`].
//! * [`UserData`]: which user SGPR holds which dword of the root ([`Holds`]), by [`user_data()`].
//! * [`Remap`]: where the automatic root lies among the application's user data; [`MovedSgpr`]: what that changes.
//!
//! Only fragment, compute and ray tracing shaders: other stages depend on too much of a pipeline's state. What is
//! chosen here, since neither the note nor LLPC says it: a binding counts as used when code names it that is left once
//! dead code is gone; descriptors that do not fit their slot make a shader ineligible; push constants enter a key by
//! their presence.

mod application;
mod check;
mod compat;
mod key;
mod label;
mod layout;
mod mapping;
mod outputs;
mod remap;
mod resources;
mod sgprs;
#[cfg(test)]
mod tests;
mod usage;
mod user_data;
mod vertex;

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use application::of_nodes;
pub use application::{Application, Color};
pub use compat::{Break, BreakKind, breaks};
pub use key::{Difference, Ingredient, Key, Subject, key, module_hash};
pub use label::Label;
pub use layout::{Layout, Node, Placed, RootItem, RootNode, Table, automatic, ineligible, nodes, place};
pub use mapping::Mapping;
pub use outputs::{BasicType, FragmentOutput, fragment_outputs};
pub use remap::{MovedSgpr, Remap, gaps, moved_sgprs, remap};
pub use resources::declared;
pub use resources::{PushConstants, RUNTIME_LENGTH, Resource, ResourceKind, push_constants, resources};
pub use sgprs::{Entry, Holds, UserData};
pub use usage::{ModuleUsage, VariablePointers, usage};
pub use user_data::{user_data, vertex_user_data, why_not_passed};
pub use vertex::vertex_values;

use crate::findings::Finding;
use crate::liveness::{Liveness, Stages};
use crate::speculative::SpeculativeCompile;
use lanescope_base::ids::Hash64;
use lanescope_model::options::{AutoLayoutRule, ColorTarget, KeyRule, Options, WaveChoice};
use lanescope_model::program::{Format, Program, Stage, StageKind};
use lanescope_pipeline::{NodeType, Pipeline, StageMask};

/// Dwords of one slot of a table: those of the largest descriptor, an image with its sampler.
pub const SLOT: u64 = 12;

/// The report's `partial` section: one entry point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GuessedStage {
    /// Its stage.
    pub stage: StageKind,
    /// Its name.
    pub entry: String,
    /// Index of its file in the report's `inputs`.
    pub input: usize,
    /// Variables with a binding, in the order of their declaration.
    pub resources: Vec<Resource>,
    /// Push constants.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub push_constants: Option<PushConstants>,
    /// How LLPC passes the user data that the shader loads, with the automatic layout. Absent for stages other than fragment
    /// and compute, and where a load cannot be followed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub user_data: Option<UserData>,
    /// Colour outputs of a fragment shader.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub outputs: Vec<FragmentOutput>,
    /// The module's flags.
    pub usage: ModuleUsage,
    /// The rule of `layout`.
    pub rule: AutoLayoutRule,
    /// The automatic layout.
    pub layout: Layout,
    /// The automatic layout by the other rule.
    pub other_layout: Layout,
    /// Why no speculative compile is done; empty where one is.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub ineligible: Vec<String>,
    /// The targets that are taken for the outputs.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub colors: Vec<Color>,
    /// The keys of the automatic layout, in the order of [`KeyRule::ALL`].
    pub keys: [Key; 3],
    /// The application's side, where there is a description of a pipeline.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub against: Option<Against>,
    /// Result of the speculative compile, where a driver was used.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ahead: Option<Box<SpeculativeCompile>>,
}

/// An automatic layout against an application's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Against {
    /// The application's side.
    pub application: Application,
    /// Its keys, in the order of [`KeyRule::ALL`].
    pub keys: [Key; 3],
    /// Whether the speculatively compiled code can be used: nothing breaks it. The keys by the note's rule are equal
    /// then.
    pub hit: bool,
    /// Whether a driver could use it by the note: a hit without gaps.
    #[serde(default)]
    pub usable: bool,
    /// The differences that break a hit.
    pub breaks: Vec<Break>,
    /// Mapping of the guessed root to the application's.
    pub remap: Vec<Remap>,
    /// How LLPC passes the user data that the shader loads, with the application's layout. Absent for stages other than
    /// fragment and compute, and where a load cannot be followed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub user_data: Option<UserData>,
    /// The user SGPRs of the code that was compiled with the automatic layout, before and after the remap. Empty where it is
    /// not known how they are passed.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub sgprs: Vec<MovedSgpr>,
    /// Open questions of the design note about that.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub gaps: Vec<String>,
}

/// The type that automatic layouts and keys have for a node: sampled and storage images, uniform and storage buffers
/// are one each.
pub fn coarse(ty: NodeType) -> NodeType {
    match ty {
        NodeType::ConstBuffer => NodeType::Buffer,
        NodeType::ConstBufferCompact => NodeType::BufferCompact,
        NodeType::Image => NodeType::Resource,
        NodeType::ConstTexelBuffer => NodeType::TexelBuffer,
        other => other,
    }
}

/// Dwords of one descriptor as LLPC's tool counts them: 8 for a buffer of texels, of which the hardware needs 4.
pub fn dwords(ty: NodeType) -> u64 {
    match ty {
        NodeType::TexelBuffer | NodeType::ConstTexelBuffer => 8,
        other => other.dwords().map_or(4, u64::from),
    }
}

/// The application's side of a comparison.
#[derive(Debug, Clone, Copy)]
pub enum Side<'a> {
    /// A description, and what it is called.
    Described(&'a Pipeline, &'a str),
    /// None is known: every binding that any stage declares. What breaks a hit then is not a finding.
    Reflected,
    /// Nothing to compare with.
    None,
}

impl<'p> Side<'p> {
    /// The application's side by a program's files: their description of a pipeline, if any.
    pub fn of(program: &'p Program) -> Side<'p> {
        match &program.pipeline {
            // Root signatures are not layouts.
            Some(pipeline) if pipeline.origin.format != Format::StateObjects => {
                let file = program.inputs.get(pipeline.origin.input);
                Side::Described(pipeline, file.map_or("the description", |file| file.path.as_str()))
            }
            _ => Side::Reflected,
        }
    }
}

/// The fragment and compute entry points of a program, each against the application's side.
///
/// Modules are used as they are, without values for specialization constants: these are not known yet.
pub fn stages(program: &Program, options: &Options, side: Side<'_>, findings: &mut Vec<Finding>) -> Vec<GuessedStage> {
    stages_of(program, &Stages::of(program), options, side, findings)
}

/// The same where the program's stages are analysed already.
pub fn stages_of(
    program: &Program,
    live: &Stages<'_>,
    options: &Options,
    side: Side<'_>,
    findings: &mut Vec<Finding>,
) -> Vec<GuessedStage> {
    let mut out = Vec::new();
    let all = match side {
        Side::Reflected => Declared {
            // Of a module with many entry points once.
            resources: {
                let mut seen = BTreeSet::new();
                let modules = live.iter().filter(|(stage, _)| seen.insert(stage.module));
                modules.flat_map(|(_, live)| declared(live.module())).map(|(_, resource)| resource).collect()
            },
            stages: live.iter().map(|(stage, _)| stage.stage).collect(),
        },
        Side::Described(..) | Side::None => Declared::default(),
    };
    let mut hashes: BTreeMap<usize, Hash64> = BTreeMap::new();
    for (stage, live) in live.iter() {
        if stage.stage.is_graphics() && stage.stage != StageKind::Fragment {
            continue;
        }
        let input = program.modules.get(stage.module).map_or(0, |module| module.input);
        let hash = *hashes.entry(stage.module).or_insert_with(|| module_hash(live.module()));
        let options = program.options_of_stage(options, stage.stage);
        let partial = one(stage, (input, hash), live, &options, (side, &all));
        let path = program.inputs.get(input).map(|input| input.path.as_str()).unwrap_or_default();
        let converted = program.dxil.iter().any(|loaded| loaded.input == input);
        check::stage(&partial, path, matches!(side, Side::Described(..)), converted, findings);
        out.push(partial);
    }
    out
}

/// What is used as the application's pipeline where there is no description.
#[derive(Default)]
struct Declared {
    /// Every binding that a stage of the program declares.
    resources: Vec<Resource>,
    /// The program's stages.
    stages: StageMask,
}

/// Facts collected when a module is created, and the layout that is guessed from them.
struct Collected {
    resources: Vec<Resource>,
    push: Option<PushConstants>,
    outputs: Vec<FragmentOutput>,
    layout: Layout,
    colors: Vec<Color>,
}

impl Collected {
    fn of(stage: StageKind, live: &Liveness<'_>, options: &Options) -> Collected {
        let resources = resources(live);
        let push = push_constants(live);
        let outputs = match stage {
            StageKind::Fragment => fragment_outputs(live, options.guessed_color),
            _ => Vec::new(),
        };
        let layout = automatic(&resources, push.as_ref(), options);
        let firsts = outputs.iter().filter(|output| output.index == 0);
        let colors = firsts
            .map(|output| application::color(options, output, ColorTarget::new(&output.format, false), false))
            .collect();
        Collected { resources, push, outputs, layout, colors }
    }
}

/// A stage's options as known to a driver when a module is created: without state of a pipeline, and without the wave
/// size that the pipeline requires.
pub fn of_creation(options: &Options, stage: StageKind, pipeline: Option<&Pipeline>) -> Options {
    let required = pipeline.and_then(|pipeline| pipeline.wave_of(stage));
    let wave = if required == Some(options.wave) { WaveChoice::Auto } else { options.wave };
    Options { alpha_to_coverage: false, sample_shading: false, wave, ..options.clone() }
}

/// The key by the note's rule of what is guessed for an entry point: all that a driver has to work out when a module is
/// created.
pub fn guessed_key(stage: StageKind, live: &Liveness<'_>, options: &Options) -> Hash64 {
    let Collected { push, layout, colors, .. } = Collected::of(stage, live, options);
    let active: Vec<(u32, u32)> = layout.nodes().map(|(node, _)| node.at()).collect();
    let subject = Subject {
        hash: module_hash(live.module()),
        entry: live.entry(),
        stage,
        options,
        active: &active,
        hidden: &[],
        fixed: &[],
        push: push.is_some(),
        layout: &layout,
        // The note's rule does not look at it.
        mapping: &Mapping::default(),
        colors: &colors,
        spec: &[],
    };
    key(&subject, KeyRule::Note).hash
}

fn one(
    stage: &Stage,
    (input, hash): (usize, Hash64),
    live: &Liveness<'_>,
    options: &Options,
    (side, declared): (Side<'_>, &Declared),
) -> GuessedStage {
    let (module, entry) = (live.module(), live.entry());
    let Collected { resources, push, outputs, layout, colors } = Collected::of(stage.stage, live, options);
    let rule = options.auto_layout;
    let other = match rule {
        AutoLayoutRule::Note => AutoLayoutRule::Sequential,
        AutoLayoutRule::Sequential => AutoLayoutRule::Note,
    };
    let other_layout = layout::by_rule(&resources, push.as_ref(), options, other);
    // Under the sequential rule nothing has slots.
    let large = if rule == AutoLayoutRule::Note { ineligible(&layout) } else { Vec::new() };
    let why = |node: &&Node| format!("{} needs {} dwords, but a binding has {SLOT}", node.place(), node.size);
    let active: Vec<(u32, u32)> = layout.nodes().map(|(node, _)| node.at()).collect();
    let keys = |application: &Application, mapping: &Mapping<'_>, options: &Options| {
        let Application { layout, hidden, fixed, colors, spec, .. } = application;
        let (stage, active, push) = (stage.stage, active.as_slice(), push.is_some());
        let subject =
            Subject { hash, entry, stage, options, active, hidden, fixed, push, layout, mapping, colors, spec };
        [KeyRule::Note, KeyRule::Llpc, KeyRule::LlpcPipeline].map(|rule| key(&subject, rule))
    };
    let application = match side {
        Side::Described(pipeline, origin) => {
            let module = (stage.module, module);
            let application = Application::described(pipeline, origin, stage.stage, module, &outputs, options);
            let stages = pipeline.stages.iter().map(|one| one.stage).chain([stage.stage]).collect();
            let mapping = Mapping::described(pipeline, &application.layout, stages);
            Some((application, mapping))
        }
        Side::Reflected => {
            let bytes = push.as_ref().map(|push| push.block_bytes);
            let application = Application::reflected(&declared.resources, bytes, module, &outputs, options);
            let stages = declared.stages.iter().filter(|one| one.is_graphics() == stage.stage.is_graphics()).collect();
            let mapping = Mapping::of(&application.layout, stages);
            Some((application, mapping))
        }
        Side::None => None,
    };
    let described = match side {
        Side::Described(pipeline, _) => Some(pipeline),
        Side::Reflected | Side::None => None,
    };
    let knows = of_creation(options, stage.stage, described);
    let passed = user_data(live, &layout, &knows, described);
    let against = application.map(|(application, mapping)| {
        let mut breaks = breaks(&layout, &colors, &application);
        if knows.wave != options.wave {
            breaks.push(Break {
                kind: BreakKind::WaveSize,
                place: "wave size".to_owned(),
                binding: None,
                automatic: knows.wave.to_string(),
                application: options.wave.to_string(),
            });
        }
        if rule == AutoLayoutRule::Sequential {
            breaks.retain(|one| one.kind != BreakKind::TooLarge);
        }
        let remap = remap(&layout, &application.layout);
        let user_data = user_data(live, &application.layout, options, described);
        // The code is that of the guess: what it spills cannot move.
        let gaps = gaps(stage.stage, passed.as_ref().or(user_data.as_ref()), &remap);
        let sgprs = passed.as_ref().map_or_else(Vec::new, |data| moved_sgprs(data, &remap));
        Against {
            keys: keys(&application, &mapping, options),
            hit: breaks.is_empty(),
            usable: breaks.is_empty() && gaps.is_empty(),
            breaks,
            user_data,
            sgprs,
            gaps,
            remap,
            application,
        }
    });
    let guessed = Application {
        origin: String::new(),
        layout: layout.clone(),
        placed: false,
        hidden: Vec::new(),
        fixed: Vec::new(),
        colors: colors.clone(),
        spec: Vec::new(),
    };
    GuessedStage {
        stage: stage.stage,
        entry: stage.entry.clone(),
        input,
        ineligible: large.iter().map(why).collect(),
        keys: keys(&guessed, &Mapping::of(&guessed.layout, [stage.stage].into_iter().collect()), &knows),
        resources,
        push_constants: push,
        user_data: passed,
        outputs,
        usage: usage(live),
        rule,
        layout,
        other_layout,
        colors,
        against,
        ahead: None,
    }
}
