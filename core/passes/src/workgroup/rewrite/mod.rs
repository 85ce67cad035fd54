//! The swizzled modules: SPIR-V that computes its ids as the layout says.
//!
//! `LocalInvocationId` and what follows from it become variables of the invocation. The entry point's start fills them
//! from the hardware's ids with the closed form (`form`); everything after reads them as before.
//!
//! | built-in | compute, task | mesh | mesh, derivatives computed |
//! |---|---|---|---|
//! | LocalInvocationId | remapped | remapped | remapped |
//! | LocalInvocationIndex | of the remapped id | stays | of the remapped id |
//! | GlobalInvocationId | moved as the local id is | stays | moved as the local id is |
//!
//! LLPC leaves two ids of mesh shaders as they are. A module that runs in place of the given one, because the device takes no
//! derivatives, must not: SPIR-V defines them by the local id.
//!
//! [`DerivativesBy`] says how derivatives are taken: by the device (`Native`, `Auto`), in whose derivative groups the
//! lanes then follow the computed index, or computed with subgroup operations (`emulate`), for which the group is made
//! one row wide (`fold`).

mod emulate;
#[cfg(test)]
mod emulate_tests;
mod fold;
mod form;
mod groups;
mod input;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use emulate::Emulated;
pub use groups::rewrite_groups;
use input::{input, new_input};

use super::{Form, LaneMap, Layout, Micro, layout};
use lanescope_base::ids::Id;
use lanescope_model::options::{Derivatives, DerivativesBy, Options};
use lanescope_model::program::{Program, Stage, StageKind};
use lanescope_spirv::edit::{Editor, Escape, IsolateError, isolated, push, ungrouped};
use lanescope_spirv::enums::{BuiltIn, Capability, Decoration, ExecutionMode, Op, StorageClass};
use lanescope_spirv::{EntryPoint, Module, ParseError, Type};

/// A program whose workgroup stages compute the ids of their layouts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Swizzled {
    /// The program (with the options' specialization constants set: sizes depend on them).
    pub program: Program,
    /// The results, one per compute, task or mesh stage.
    pub stages: Vec<SwizzledStage>,
}

/// The result of a rewrite for one entry point: plain data, without the module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SwizzledStage {
    /// The stage.
    pub stage: StageKind,
    /// The entry point.
    pub entry: String,
    /// X, Y, Z.
    pub size: [u32; 3],
    /// The small tile.
    pub micro: Micro,
    /// The large tile.
    #[serde(rename = "macro")]
    pub macro_tile: super::Macro,
    /// Whether the module was changed.
    pub changed: bool,
    /// What was done, or why nothing was done.
    pub why: String,
    /// The built-ins that are computed now.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub built_ins: Vec<String>,
    /// The derivatives that are computed now, in module order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub derivatives: Vec<Emulated>,
}

/// `16x16x1`.
fn size([x, y, z]: [u32; 3]) -> String {
    format!("{x}x{y}x{z}")
}

/// Why a program cannot be swizzled. The program is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RewriteError {
    /// There is no compute, task or mesh shader.
    #[error("no compute, task or mesh shader whose ids could be swizzled")]
    NoWorkgroup,
    /// A value that does not fit its specialization constant.
    #[error("{0}")]
    Spec(String),
    /// The layout has no map.
    #[error("{entry}: no workgroup layout: {findings}")]
    NoLayout {
        /// The entry point.
        entry: String,
        /// The findings.
        findings: String,
    },
    /// The layout is of another size than the module's.
    #[error(
        "{entry}: the workgroup size is {} in the layout and {} in the module; ids cannot be remapped to another size",
        size(*used), size(*declared)
    )]
    Size {
        /// The entry point.
        entry: String,
        /// The size of the layout.
        used: [u32; 3],
        /// The module's own.
        declared: [u32; 3],
    },
    /// A dispatch that has too few groups for tiles, or too many to number.
    #[error(
        "tiles of {tile}×{tile} workgroups need more than one full tile in x and in y, and no more than 2^32 − 1 workgroups of \
         one z: the dispatch has {}", size(*groups)
    )]
    Groups {
        /// The side of a tile.
        tile: u32,
        /// The size of the dispatch.
        groups: [u32; 3],
    },
    /// A built-in that another entry point uses too, and that a module has once.
    #[error("{entry}: its {built_in} is also used by the entry point {other}, which is not rewritten")]
    SharedEntry {
        /// The entry point.
        entry: String,
        /// The built-in.
        built_in: String,
        /// The other entry point.
        other: String,
    },
    /// A built-in variable of a type that no built-in of that name has.
    #[error("%{variable}: {built_in} has an unexpected type")]
    Type {
        /// The variable.
        variable: Id,
        /// The built-in.
        built_in: String,
    },
    /// An instruction that cannot be taken along.
    #[error("{0}")]
    Instruction(#[from] Escape),
    /// Entry points that share a built-in variable and cannot be taken apart.
    #[error("{0}")]
    Isolate(#[from] IsolateError),
    /// The changed module has more ids than SPIR-V allows.
    #[error("internal error: the rewritten module is invalid; please report it: {0}")]
    Module(#[from] ParseError),
}

/// Swizzles every compute, task and mesh stage of a program as its layout says.
///
/// A stage that the layout does not remap is left unchanged, and the result says why. Unlike packing, a second rewrite
/// would swizzle again: nothing in a module says that its ids are computed.
pub fn rewrite(program: &Program, options: &Options) -> Result<Swizzled, RewriteError> {
    rewrite_with(program, options, None)
}

/// Like [`rewrite`], with these tiles instead of those that the layout rules decide: the module computes them on every chip.
///
/// # Errors
/// Those of [`rewrite`]; [`RewriteError::NoLayout`] where the workgroup has no such tiles.
pub fn rewrite_as(
    program: &Program,
    options: &Options,
    micro: Micro,
    macro_tile: super::Macro,
) -> Result<Swizzled, RewriteError> {
    rewrite_with(program, options, Some((micro, macro_tile)))
}

fn rewrite_with(
    program: &Program,
    options: &Options,
    wanted: Option<(Micro, super::Macro)>,
) -> Result<Swizzled, RewriteError> {
    let given =
        lanescope_model::specialised::specialised(program, options).map_err(|e| RewriteError::Spec(e.to_string()))?;
    let mut program = given.into_owned();
    let stages: Vec<Stage> = program.stages.iter().filter(|s| s.stage.has_workgroup()).cloned().collect();
    if stages.is_empty() {
        return Err(RewriteError::NoWorkgroup);
    }
    let mut done = Vec::new();
    for stage in stages {
        let options = &program.options_of_stage(options, stage.stage).into_owned();
        let Some(loaded) = program.modules.get_mut(stage.module) else { continue };
        let Some(entry) = loaded.module.entry_points().get(stage.entry_index) else { continue };
        let mut findings = Vec::new();
        let layout = layout(&loaded.module, entry, options, &mut findings);
        let no_layout = || RewriteError::NoLayout {
            entry: stage.entry.clone(),
            findings: findings.iter().map(|f| format!("{} {}", f.code, f.message)).collect::<Vec<_>>().join("; "),
        };
        let mut layout = layout.ok_or_else(no_layout)?;
        if let Some((micro, macro_tile)) = wanted {
            (layout.micro, layout.macro_tile) = (micro, macro_tile);
        }
        let layout = layout;
        let mut row = SwizzledStage {
            stage: stage.stage,
            entry: stage.entry.clone(),
            size: layout.size,
            micro: layout.micro,
            macro_tile: layout.macro_tile,
            changed: false,
            why: String::new(),
            built_ins: Vec::new(),
            derivatives: Vec::new(),
        };
        let facts = super::Facts::new(stage.stage, layout.size, layout.derivatives, options);
        let emulates = matches!(options.derivatives_by, DerivativesBy::Quad | DerivativesBy::Shuffle)
            && !emulate::instructions(&loaded.module, entry).is_empty();
        let map = match facts.hardware_walks() {
            _ if wanted.is_some() => LaneMap::new(layout.micro, layout.macro_tile, layout.size),
            false => layout.lane_map(),
            // The device that runs the module has no such walk: its quads are those of the small tile.
            true if emulates => LaneMap::new(layout.micro, super::Macro::None, layout.size),
            true => {
                row.why = format!("{} assigns the ids in tiles itself", options.target);
                done.push(row);
                continue;
            }
        };
        let map = map.ok_or_else(no_layout)?;
        let form = map.form();
        if form == Form::RowMajor && !emulates {
            row.why = left_as_they_are(&layout, options);
            done.push(row);
            continue;
        }
        if layout.size != layout.declared_size {
            let (entry, used, declared) = (stage.entry.clone(), layout.size, layout.declared_size);
            return Err(RewriteError::Size { entry, used, declared });
        }
        let by = emulates.then_some(options.derivatives_by);
        let stay = match stage.stage {
            StageKind::Mesh if map.moves() && !emulates => super::mesh::ids_that_stay(&loaded.module, entry),
            _ => Vec::new(),
        };
        let changes = swizzle(&loaded.module, stage.entry_index, &layout, form, by)?;
        row.changed = changes.module.is_some();
        row.why = match changes.built_ins.is_empty() {
            true => "reads none of the ids that the layout remaps".to_owned(),
            false => format!("computes its ids: {}", super::tiles(layout.micro, layout.macro_tile)),
        };
        if !stay.is_empty() && row.changed {
            row.why.push_str(&format!("; {} stays (W009)", stay.join(" and ")));
        }
        if let Some(by) = by {
            row.why.push_str(&format!("; derivatives computed with {by} operations"));
        }
        row.built_ins = changes.built_ins;
        row.derivatives = changes.derivatives;
        if let Some(module) = changes.module {
            loaded.module = module;
            loaded.source = None;
            loaded.includes.clear();
        }
        done.push(row);
    }
    Ok(Swizzled { program, stages: done })
}

/// Reasons why ids stay, and options that have no effect on the rewritten module.
fn left_as_they_are(layout: &Layout, options: &Options) -> String {
    let mut why = "the layout does not change the ids".to_owned();
    if layout.size != layout.declared_size {
        let [x, y, z] = layout.declared_size;
        why.push_str(&format!("; the workgroup keeps the module's own size, {x}×{y}×{z}"));
    }
    if options.group_tile.is_some() {
        why.push_str("; the swizzle of workgroup ids is not part of the module");
    }
    why
}

/// A program's derivatives computed, and its ids moved as far as derivative groups ask for it: what a device without
/// derivatives in compute can run instead of the program.
///
/// # Errors
/// Errors of [`rewrite`].
pub fn without_native_derivatives(program: &Program, options: &Options) -> Result<Swizzled, RewriteError> {
    let plain = Options { force_swizzle: false, reconfig: false, interleave: [0, 0], ..options.clone() };
    rewrite(program, &plain)
}

/// Whether a program takes derivatives in compute.
pub fn takes_derivatives(program: &Program) -> bool {
    program.stages.iter().filter(|stage| stage.stage == StageKind::Compute).any(|stage| {
        let module = program.module_of(stage);
        module
            .entry_points()
            .get(stage.entry_index)
            .is_some_and(|entry| !emulate::instructions(module, entry).is_empty())
    })
}

/// The groups in which the compute shaders of a program take their derivatives, as their modules ask the device for them:
/// those of shaders without derivatives are left out.
pub fn native_groups(program: &Program) -> Vec<Derivatives> {
    let compute = program.stages.iter().filter(|stage| stage.stage == StageKind::Compute);
    let groups = compute.filter_map(|stage| {
        let module = program.module_of(stage);
        let entry = module.entry_points().get(stage.entry_index)?;
        // No option changes what the module asks for.
        let group = || super::size::derivatives(entry, StageKind::Compute, &Options::default()).0;
        (!emulate::instructions(module, entry).is_empty()).then(group)
    });
    groups.collect()
}

/// The built-ins that a stage computes once its ids are remapped; `emulates` says that its derivatives are computed.
fn moved(stage: StageKind, emulates: bool) -> &'static [BuiltIn] {
    match stage {
        StageKind::Mesh if !emulates => &[BuiltIn::LocalInvocationId],
        _ => &[BuiltIn::LocalInvocationId, BuiltIn::LocalInvocationIndex, BuiltIn::GlobalInvocationId],
    }
}

/// A built-in's variable: what it is, and its type.
struct Variable {
    id: Id,
    built_in: BuiltIn,
    ty: Id,
    signed: bool,
}

/// The result for an entry point.
#[derive(Default)]
struct Changes {
    /// The module, where it changed.
    module: Option<Module>,
    /// The built-ins that are computed now.
    built_ins: Vec<String>,
    /// The derivatives that are computed now.
    derivatives: Vec<Emulated>,
}

/// An entry point's ids remapped, and its derivatives computed where `by` says how; unchanged where it has neither.
fn swizzle(
    module: &Module,
    index: usize,
    layout: &Layout,
    form: Form,
    by: Option<DerivativesBy>,
) -> Result<Changes, RewriteError> {
    let Some(entry) = module.entry_points().get(index) else { return Ok(Changes::default()) };
    let [x, y, z] = layout.size;
    let folded = by.is_some() && (y > 1 || z > 1);
    let variables = if form == Form::RowMajor && !folded {
        Vec::new()
    } else {
        variables(module, entry, moved(layout.stage, by.is_some()))?
    };
    if variables.is_empty() && by.is_none() {
        return Ok(Changes::default());
    }
    let ids: BTreeSet<Id> = variables.iter().map(|variable| variable.id).collect();
    // The entry point keeps its ids, and other entry points get variables of their own.
    let ungrouped = ungrouped(module)?;
    let module = ungrouped.as_ref().unwrap_or(module);
    let apart = isolated(module, index, &ids)?;
    let module = apart.as_ref().unwrap_or(module);
    let Some(entry) = module.entry_points().get(index) else { return Ok(Changes::default()) };
    let mut editor = Editor::new(module);
    editor.privatise(&ids, &BTreeSet::new())?;
    let (mut derivatives, mut enter) = (Vec::new(), Vec::new());
    if let Some(by) = by {
        derivatives = emulate::emulate(&mut editor, index, layout.derivatives, by, &mut enter)?;
        if folded {
            // A layout has at most `MAX_INVOCATIONS`.
            fold::fold(&mut editor, index, x * y * z)?;
        }
    } else if layout.micro == Micro::Quads {
        group_by_index(&mut editor, entry, index);
    }
    if !variables.is_empty() {
        fill(&mut editor, entry, (layout.size, form, folded), &variables, &mut enter);
    }
    editor.change_interface(index, |id| ids.contains(&id), &enter);
    let mut built_ins: Vec<String> = variables.iter().map(|variable| format!("{:?}", variable.built_in)).collect();
    built_ins.sort();
    built_ins.dedup();
    Ok(Changes { module: Some(editor.finish()?), built_ins, derivatives })
}

/// Groups the lanes of a quad by the index that the remapped ids are computed from.
///
/// A device with derivative groups of its own hands out ids in quads when quads are requested, and would take its
/// derivatives across those. Asked for linear groups it puts four consecutive indices into one: the quads of the
/// layout.
fn group_by_index(editor: &mut Editor<'_>, entry: &EntryPoint, index: usize) {
    let module = editor.module();
    let quads = ExecutionMode::DerivativeGroupQuadsKHR;
    if entry.mode(quads).is_none() {
        return;
    }
    let others = module.entry_points().iter().enumerate();
    let shared = others.filter(|(other, _)| *other != index).any(|(_, other)| other.mode(quads).is_some());
    for inst in module.globals() {
        match inst.op() {
            Some(Op::ExecutionMode) if inst.id_at(1) == entry.function && inst.word_at(2) == quads as u32 => {
                let mut words = Vec::new();
                push(
                    &mut words,
                    Op::ExecutionMode,
                    &[entry.function.0, ExecutionMode::DerivativeGroupLinearKHR as u32],
                );
                editor.replace(inst.index, words);
            }
            Some(Op::Capability) if inst.word_at(1) == Capability::ComputeDerivativeGroupQuadsKHR as u32 => {
                let mut words = Vec::new();
                push(&mut words, Op::Capability, &[Capability::ComputeDerivativeGroupLinearKHR as u32]);
                if shared {
                    words.splice(0..0, inst.words.iter().copied());
                }
                editor.replace(inst.index, words);
            }
            _ => {}
        }
    }
}

/// The entry point's inputs that are among these built-ins.
fn variables(module: &Module, entry: &EntryPoint, moved: &[BuiltIn]) -> Result<Vec<Variable>, RewriteError> {
    let mut out = Vec::new();
    for &id in &entry.interface {
        let is_input = module
            .def(id)
            .is_some_and(|inst| inst.op() == Some(Op::Variable) && inst.word_at(3) == StorageClass::Input as u32);
        let number = module.decoration(id, None, Decoration::BuiltIn).filter(|_| is_input);
        let Some(&built_in) = moved.iter().find(|&&built_in| number == Some(built_in as u32)) else { continue };
        if out.iter().any(|known: &Variable| known.id == id) {
            continue;
        }
        let wrong = || RewriteError::Type { variable: id, built_in: format!("{built_in:?}") };
        let ty = module.pointee(id).ok_or_else(wrong)?;
        let scalar = match (module.ty(ty), built_in) {
            (Some(Type::Int { .. }), BuiltIn::LocalInvocationIndex) => ty,
            (
                Some(Type::Vector { component, count: 3 }),
                BuiltIn::LocalInvocationId | BuiltIn::GlobalInvocationId | BuiltIn::WorkgroupId,
            ) => component,
            _ => return Err(wrong()),
        };
        let Some(Type::Int { bits: 32, signed }) = module.ty(scalar) else { return Err(wrong()) };
        out.push(Variable { id, built_in, ty, signed });
    }
    Ok(out)
}

/// Puts the closed form at the entry point's start, and its values into the variables. New inputs are added to `enter`.
fn fill(
    editor: &mut Editor<'_>,
    entry: &EntryPoint,
    (size, form, folded): ([u32; 3], Form, bool),
    variables: &[Variable],
    enter: &mut Vec<(Id, StorageClass)>,
) {
    let Some(start) = editor.function_start(entry.function) else { return };
    let uint = editor.int(32, false);
    let uvec3 = editor.vector(uint, 3);
    let mut code = Vec::new();
    let local = new_input(editor, BuiltIn::LocalInvocationId, "hardware_local_id", enter);
    let hardware = local.load(editor, &mut code);
    let id = form::remapped(editor, &mut code, hardware, size, form, folded);
    let remapped = editor.compose(&mut code, uvec3, &id);
    for variable in variables {
        let value = match variable.built_in {
            BuiltIn::LocalInvocationIndex => form::index(editor, &mut code, id, size),
            BuiltIn::GlobalInvocationId => {
                let first = if folded {
                    // The hardware's global id counts rows of the folded size.
                    let group = input(editor, entry, BuiltIn::WorkgroupId, "workgroup_id", enter);
                    let group = group.load(editor, &mut code);
                    let size = size.map(|side| editor.u32(side));
                    let size = editor.compose(&mut code, uvec3, &size);
                    editor.value(&mut code, Op::IMul, uvec3, &[group.0, size.0])
                } else {
                    let global = new_input(editor, BuiltIn::GlobalInvocationId, "hardware_global_id", enter);
                    let global = global.load(editor, &mut code);
                    editor.value(&mut code, Op::ISub, uvec3, &[global.0, hardware.0])
                };
                editor.value(&mut code, Op::IAdd, uvec3, &[first.0, remapped.0])
            }
            _ => remapped,
        };
        let value = if variable.signed { editor.value(&mut code, Op::Bitcast, variable.ty, &[value.0]) } else { value };
        editor.store(&mut code, variable.id, value);
    }
    editor.insert_before(start, &code);
}
