//! Findings of a shader's resources and an application's layout.

use std::collections::BTreeMap;

use super::UserData;
use super::application::Application;
use super::layout::{Layout, Node};
use super::resources::{Resource, ResourceKind};
use super::{GuessedStage, Table};
use crate::findings::{
    AUTO_LAYOUT_BREAKS, AUTO_LAYOUT_NONE, BINDING_CLASH, BINDING_SHARED, DESCRIPTOR_STAGE, DESCRIPTORS_TOO_MANY,
    Finding, LAYOUT_KIND, PUSH_PADDING, Place, ROOT_SPILLS, RUNTIME_ARRAY, SLOTS_OVERLAP,
};
use lanescope_base::text_format::{counted, with_article};
use lanescope_model::program::StageKind;
use lanescope_pipeline::NodeType;

/// More elements than any device has descriptors.
const MAX_ARRAY: u64 = 1 << 24;
/// The most overlaps of one table that are listed.
const MAX_LISTED: usize = 16;

/// Findings about one stage.
///
/// A shader that was `converted` from DXIL has a variable for each type that a buffer is read as: those at one place
/// are the converter's way to write one register, and no more is said of them. Descriptors of several types at one
/// place are a heap's, whose binding is of a mutable type: the converter's, arrays whose length only the layout says,
/// and what the layout says to be mutable.
pub fn stage(partial: &GuessedStage, path: &str, described: bool, converted: bool, findings: &mut Vec<Finding>) {
    let stage = Some(partial.stage);
    let named = |resource: &Resource| {
        let Resource { set, binding, .. } = *resource;
        Some(Place::Descriptor { variable: resource.name.clone(), set, binding }.in_file(path))
    };
    let used: Vec<&Resource> = partial.resources.iter().filter(|resource| resource.used).collect();
    let mut by_place: BTreeMap<(u32, u32), Vec<&Resource>> = BTreeMap::new();
    let mut before: Vec<usize> = Vec::new();
    for resource in &used {
        let same = by_place.entry((resource.set, resource.binding)).or_default();
        before.push(same.len());
        same.push(resource);
    }
    let layout = partial.against.as_ref().filter(|_| described).map(|against| &against.application.layout);
    let nodes = layout.map(Layout::by_place).unwrap_or_default();
    let is_mutable = |at| nodes.get(&at).is_some_and(|(node, _)| node.node == NodeType::Mutable);
    for (resource, before) in used.iter().zip(before) {
        let place = || named(resource);
        let same = by_place.get(&(resource.set, resource.binding)).map_or(&[][..], Vec::as_slice);
        if let Some(first) = same.first().filter(|_| before > 0) {
            let is_buffer = |node: NodeType| node == NodeType::Buffer;
            let is_heap =
                converted || first.runtime && resource.runtime || is_mutable((resource.set, resource.binding));
            if !is_heap && first.node != resource.node && (is_buffer(first.node) || is_buffer(resource.node)) {
                let words = format!("{} and {} share the binding", resource.kind, first.kind);
                findings.push(BINDING_CLASH.at(stage, place(), words));
            } else if before == 1 && (!converted || same.iter().any(|other| other.kind != first.kind)) {
                // The second one speaks for all that follow.
                findings.push(BINDING_SHARED.at(stage, place(), shared(same)));
            }
        }
        if resource.array_size > MAX_ARRAY {
            let words = format!("{} descriptors, expected at most {MAX_ARRAY}", resource.array_size);
            findings.push(DESCRIPTORS_TOO_MANY.at(stage, place(), words));
        }
        if resource.runtime {
            let words = format!("the guessed layout has {} descriptors for it", resource.array_size);
            findings.push(RUNTIME_ARRAY.at(stage, place(), words));
        }
        if resource.kind == ResourceKind::InputAttachment && partial.stage != StageKind::Fragment {
            let words = format!("an input attachment in a {} shader", partial.stage);
            findings.push(DESCRIPTOR_STAGE.at(stage, place(), words));
        }
    }
    for why in &partial.ineligible {
        findings.push(AUTO_LAYOUT_NONE.at(stage, Some(Place::file(path)), why.clone()));
    }
    // DXIL has no push constants: what a converted shader has is the converter's own.
    let push = partial.push_constants.as_ref().filter(|_| !converted);
    if let Some(push) = push.filter(|push| push.summed_bytes != push.bytes) {
        let words = format!(
            "{} of {} bytes used; {} bytes without padding, as LLPC's tool counts",
            push.bytes, push.block_bytes, push.summed_bytes
        );
        findings.push(PUSH_PADDING.at(stage, Some(Place::PushConstants.in_file(path)), words));
    }
    let Some(against) = partial.against.as_ref().filter(|_| described) else { return };
    for broken in &against.breaks {
        let place = match broken.binding {
            Some((set, binding)) => Place::Descriptor { variable: None, set, binding },
            None => Place::LayoutItem { name: broken.place.clone() },
        };
        findings.push(AUTO_LAYOUT_BREAKS.at(stage, Some(place.in_file(path)), broken.message()));
    }
    application(partial, &against.application, findings);
    if let Some(why) = against.user_data.as_ref().and_then(UserData::why_spills) {
        findings.push(ROOT_SPILLS.at(stage, Some(Place::file(&against.application.origin)), why));
    }
}

fn application(partial: &GuessedStage, application: &Application, findings: &mut Vec<Finding>) {
    let stage = Some(partial.stage);
    let origin = &application.origin;
    let place = |node: &Node| {
        let Node { set, binding, .. } = *node;
        Some(Place::Descriptor { variable: None, set, binding }.in_file(origin))
    };
    let mut listed = 0;
    // A description that places nodes itself has findings of its own for that.
    let tables: &[Table] = if application.placed { &[] } else { &application.layout.tables };
    for table in tables {
        // By offset, so a node meets those before it that reach the furthest.
        let mut furthest: Option<&Node> = None;
        for node in &table.nodes {
            if let Some(before) = furthest.filter(|before| before.end() > node.offset && listed < MAX_LISTED) {
                listed += 1;
                let words = format!(
                    "dwords {} to {} overlap {}, dwords {} to {}",
                    node.offset,
                    node.end().saturating_sub(1),
                    before.place(),
                    before.offset,
                    before.end().saturating_sub(1)
                );
                findings.push(SLOTS_OVERLAP.at(stage, place(node), words));
            }
            if furthest.is_none_or(|before| node.end() > before.end()) {
                furthest = Some(node);
            }
        }
    }
    let theirs = application.layout.by_place();
    for resource in partial.resources.iter().filter(|resource| resource.used) {
        let Some((node, _)) = theirs.get(&(resource.set, resource.binding)) else { continue };
        // A DescriptorImage holds input attachments, too.
        let image = [ResourceKind::StorageImage, ResourceKind::InputAttachment];
        let same = |kind| application.placed && image.contains(&kind) && image.contains(&resource.kind);
        let other = |kind: &ResourceKind| *kind != resource.kind && kind.node_type() == resource.node && !same(*kind);
        if let Some(theirs) = node.kind.filter(other) {
            let [own, theirs] = [resource.kind, theirs].map(|kind| with_article(kind.name()));
            let words = format!("the shader declares {own}, the layout has {theirs}");
            findings.push(LAYOUT_KIND.at(stage, place(node), words));
        }
    }
}

/// ``2 variables: storage_block `a`, storage_block `b` ``: what shares a place.
fn shared(all: &[&Resource]) -> String {
    let named = |resource: &&Resource| match &resource.name {
        Some(name) => format!("{} `{name}`", resource.kind),
        None => resource.kind.to_string(),
    };
    let mut names: Vec<String> = all.iter().take(MAX_LISTED).map(named).collect();
    if all.len() > MAX_LISTED {
        names.push(format!("{} more", all.len() - MAX_LISTED));
    }
    format!("{}: {}", counted(all.len(), "variable"), names.join(", "))
}
