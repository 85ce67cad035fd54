//! What declarations and instructions are, by the report.

use lanescope_core::graph::{Edge, WorkGraph};
use lanescope_core::ids::{Component, Id, Location};
use lanescope_core::program::{LoadedModule, Stage};
use lanescope_core::report::Report;
use lanescope_core::spirv::Module;
use lanescope_core::spirv::enums::{Decoration, ExecutionMode, Op, StorageClass};
use lanescope_inspector::selection::Varying;

use super::{Role, interfaces};
use crate::source::{Declared, Semantic, Sides};

/// What a declaration of a module's source is.
pub(super) fn roles(report: &Report, module: &LoadedModule, stages: &[&Stage], declared: &Declared) -> Vec<Role> {
    let mut out = Vec::new();
    for stage in stages {
        match declared {
            Declared::Varying { of, name, is_output, .. } => {
                // Where the text says the side, it says whether a name is that of a variable or of a member.
                let is_named = |full: &str| is_named(full, of, name, is_output.is_none());
                let sides = [false, true].into_iter().filter(|side| is_output.is_none_or(|own| own == *side));
                out.extend(sides.flat_map(|side| varyings(report, stage, side, &|_, full| is_named(full))));
            }
            Declared::WorkgroupSize { entry } => {
                let of_entry = |own: &str| entry.as_ref().is_none_or(|entry| entry == own);
                out.extend(workgroups(report, stage).filter(|_| of_entry(&stage.entry)));
            }
            Declared::Descriptor { names, place } => {
                let is_named = |own: Option<&str>| own.is_some_and(|own| names.iter().any(|name| name == own));
                out.extend(descriptors(report, module.input, stage, |at, own| {
                    place.map_or_else(|| is_named(own), |place| place == at)
                }));
            }
            Declared::Node { .. } | Declared::NodeOutput { .. } => {}
        }
    }
    out.dedup();
    out
}

/// What a declaration of a source is that was compiled to DXIL.
pub(super) fn roles_of_dxil(
    report: &Report,
    module: &LoadedModule,
    stages: &[(&Stage, Option<Sides>)],
    declared: &Declared,
) -> Vec<Role> {
    let mut out = Vec::new();
    for (stage, sides) in stages {
        match declared {
            Declared::Varying { semantic: Some(semantic), .. } => {
                let is_on = |side: &bool| sides.as_ref().is_none_or(|sides| sides.has(&semantic.holder, *side));
                let own = [false, true].into_iter().filter(is_on);
                out.extend(own.flat_map(|side| of_semantic(report, stage, side, semantic)));
            }
            Declared::Varying { .. } | Declared::Node { .. } | Declared::NodeOutput { .. } => {}
            Declared::WorkgroupSize { .. } | Declared::Descriptor { .. } => {
                out.extend(roles(report, module, &[*stage], declared));
            }
        }
    }
    out.dedup();
    out
}

/// What a declaration of a source is in a work graph: a function may be several nodes.
pub(super) fn of_nodes(graph: &WorkGraph, input: usize, declared: &Declared) -> Vec<Role> {
    let nodes = |function: &str| {
        let all = graph.nodes.iter().enumerate().filter(|(_, node)| node.input == input && node.name == function);
        all.map(|(index, _)| index).collect::<Vec<usize>>()
    };
    match declared {
        Declared::Node { function } => nodes(function).into_iter().map(Role::Node).collect(),
        Declared::NodeOutput { function, output } => {
            let has = |node: &usize| graph.nodes[*node].outputs.get(*output).is_some();
            let role = |node: usize| {
                let is_its = |edge: &&Edge| edge.from == node && edge.slot.is_some_and(|slot| slot.output == *output);
                let targets = graph.edges.iter().filter(is_its).map(|edge| edge.to).collect();
                Role::NodeOutput { node, output: *output, targets }
            };
            nodes(function).into_iter().filter(has).map(role).collect()
        }
        _ => Vec::new(),
    }
}

/// The varyings of a stage on one side that have a semantic.
fn of_semantic(report: &Report, stage: &Stage, is_output: bool, semantic: &Semantic) -> Vec<Role> {
    let all = varyings(report, stage, is_output, &|_, _| true);
    let kept = all.into_iter().filter_map(|role| {
        let Role::Varying { interface, is_output, mut scalars } = role else { return None };
        let packing = *interfaces(report).get(interface)?;
        scalars.retain(|scalar| {
            let at = packing.semantic(Location(scalar.location), Component(scalar.component.unwrap_or(0)));
            at.is_some_and(|place| semantic.has_row(&place.semantic))
        });
        (!scalars.is_empty()).then_some(Role::Varying { interface, is_output, scalars })
    });
    kept.collect()
}

/// Whether the full name of a scalar, `block.member[1]`, is that of a declaration; of any variable's member where `may_be_of_any`.
fn is_named(full: &str, of: &[String], name: &str, may_be_of_any: bool) -> bool {
    let mut parts = full.split('.').map(|part| part.split('[').next().unwrap_or_default());
    let (root, member) = (parts.next().unwrap_or_default(), parts.next());
    match of {
        [] => root == name || may_be_of_any && member == Some(name),
        of => (root.is_empty() || of.iter().any(|own| own == root)) && member == Some(name),
    }
}

/// The varyings of a stage on one side whose variable and full name are of interest.
fn varyings(report: &Report, stage: &Stage, is_output: bool, is: &dyn Fn(Id, &str) -> bool) -> Vec<Role> {
    let mut out = Vec::new();
    for (interface, packing) in interfaces(report).into_iter().enumerate() {
        let at = |location: u32, component: u8| Varying { location, component: Some(component) };
        let mut scalars: Vec<Varying> = match is_output {
            false if packing.consumer == stage.stage => packing
                .interface
                .iter()
                .filter(|scalar| scalar.input_id.is_some_and(|id| is(id, &scalar.variable)))
                .map(|scalar| at(scalar.location.0, scalar.component.0))
                .collect(),
            true if packing.producer == Some(stage.stage) => {
                let kept = packing.outputs.iter().filter(|output| is(output.variable_id, &output.variable));
                let kept = kept.map(|output| at(output.from.location.0, output.from.component.0));
                let dropped = packing.dropped.iter().filter(|output| is(output.variable_id, &output.variable));
                kept.chain(dropped.map(|output| at(output.location.0, output.component.0))).collect()
            }
            _ => continue,
        };
        scalars.sort_unstable();
        scalars.dedup();
        if !scalars.is_empty() {
            out.push(Role::Varying { interface, is_output, scalars });
        }
    }
    out
}

fn workgroups(report: &Report, stage: &Stage) -> impl Iterator<Item = Role> {
    let is = |layout: &lanescope_core::workgroup::Layout| layout.entry == stage.entry && layout.stage == stage.stage;
    report.workgroup.iter().position(is).map(Role::Workgroup).into_iter()
}

/// The descriptors of a stage whose place, or name, is of interest.
fn descriptors(
    report: &Report,
    input: usize,
    stage: &Stage,
    is: impl Fn((u32, u32), Option<&str>) -> bool,
) -> Vec<Role> {
    let mut out = Vec::new();
    for (index, guessed) in report.partial.iter().enumerate() {
        if (guessed.input, guessed.stage, &guessed.entry) != (input, stage.stage, &stage.entry) {
            continue;
        }
        let found = guessed.layout.nodes().filter(|(node, _)| is(node.at(), node.name.as_deref()));
        out.extend(found.map(|(node, _)| Role::Descriptor { stage: index, set: node.set, binding: node.binding }));
    }
    out
}

/// What the instructions of an assembly declare, by their index.
pub(super) fn of_instructions(report: &Report, module: &Module, stages: &[&Stage]) -> Vec<(u32, Vec<Role>)> {
    let mut out = Vec::new();
    for inst in module.globals() {
        let mut found = Vec::new();
        for stage in stages {
            match (inst.op(), inst.result()) {
                (Some(Op::Variable), Some(id)) => {
                    let is_output = module.pointer_class(id) == Some(StorageClass::Output);
                    found.extend(varyings(report, stage, is_output, &|own, _| own == id));
                    let decorated = |kind| module.decoration(id, None, kind);
                    if let Some(binding) = decorated(Decoration::Binding) {
                        let place = (decorated(Decoration::DescriptorSet).unwrap_or(0), binding);
                        let input =
                            report.partial.iter().find(|one| one.entry == stage.entry).map_or(0, |one| one.input);
                        found.extend(descriptors(report, input, stage, |at, _| at == place));
                    }
                }
                (Some(Op::ExecutionMode), _) if is_size(inst.word_at(2)) => {
                    let entry = module.entry_points().get(stage.entry_index);
                    let is_its = entry.is_some_and(|entry| entry.function == inst.id_at(1));
                    found.extend(workgroups(report, stage).filter(|_| is_its));
                }
                _ => {}
            }
        }
        if !found.is_empty() {
            out.push((inst.index.0, found));
        }
    }
    out
}

fn is_size(mode: u32) -> bool {
    mode == ExecutionMode::LocalSize as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_scalars_are_those_of_declarations() {
        let block = ["inst".to_owned(), "Block".to_owned()];
        for (full, of, name, any, is) in [
            ("a", &[][..], "a", false, true),
            ("a[1]", &[], "a", false, true),
            ("s.a", &[], "a", false, false),
            ("v.uv", &[], "uv", true, true),
            ("v.inner.uv", &[], "uv", true, false),
            ("inst.d[0]", &block, "d", false, true),
            ("Block.d", &block, "d", false, true),
            ("other.d", &block, "d", false, false),
            (".d", &block, "d", false, true),
            ("d", &block, "d", false, false),
        ] {
            assert_eq!(is_named(full, of, name, any), is, "{full} {name}");
        }
    }
}
