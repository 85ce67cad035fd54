//! Whether code compiled with the guessed layout can be used for a pipeline of the application.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::application::{Application, Color};
use super::layout::{Layout, Node, ineligible};
use super::{SLOT, coarse};
use lanescope_base::named_enum;
use lanescope_base::text_format::counted;
use lanescope_pipeline::NodeType;

named_enum!(
    /// Kinds of differences that break a hit.
    BreakKind {
        /// Descriptors do not fit into their slot: nothing was compiled.
        TooLarge = "too_large",
        /// The application's layout has no such binding.
        Missing = "missing",
        /// The application hides the binding from the stage.
        Visibility = "visibility",
        /// The application's descriptor is part of its layout.
        Fixed = "fixed",
        /// One has it at the root, the other in a table.
        Dynamic = "dynamic",
        /// The node types differ.
        Type = "type",
        /// The sizes differ: another number of descriptors.
        ArraySize = "array_size",
        /// The offsets in the table differ.
        Offset = "offset",
        /// The distances between descriptors differ.
        Stride = "stride",
        /// The application has no push constants.
        PushConstants = "push_constants",
        /// An output is exported in another format.
        ExportFormat = "export_format",
        /// The pipeline requires a wave size.
        WaveSize = "wave_size",
        /// A specialization constant has another value than the module's own.
        Specialization = "specialization",
    }
);

impl BreakKind {
    /// The difference in words.
    pub fn words(self) -> &'static str {
        match self {
            BreakKind::TooLarge => "larger than the stride",
            BreakKind::Missing => "not in the layout",
            BreakKind::Visibility => "not visible to the stage",
            BreakKind::Fixed => "immutable sampler",
            BreakKind::Dynamic => "dynamic on one side only",
            BreakKind::Type => "another type",
            BreakKind::ArraySize => "another size",
            BreakKind::Offset => "another offset",
            BreakKind::WaveSize => "required wave size",
            BreakKind::Stride => "another stride",
            BreakKind::PushConstants => "no push constants",
            BreakKind::ExportFormat => "another export format",
            BreakKind::Specialization => "another specialization constant",
        }
    }
}

/// One thing that keeps the two apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Break {
    /// Kind of the difference.
    pub kind: BreakKind,
    /// Location: `set 0 binding 2`, `target 1`.
    pub place: String,
    /// Descriptor set and binding, where it is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub binding: Option<(u32, u32)>,
    /// Value in the guessed layout.
    pub automatic: String,
    /// Value in the application's layout.
    pub application: String,
}

impl Break {
    /// The break in a sentence.
    pub fn message(&self) -> String {
        let Break { place, kind, automatic, application, .. } = self;
        match kind {
            BreakKind::TooLarge => format!("{place}: {}: {automatic}: {application}", kind.words()),
            // The place is the kind.
            BreakKind::WaveSize | BreakKind::PushConstants => {
                format!("{place}: {automatic} guessed, {application} in the application")
            }
            _ => format!("{place}: {}: {automatic} guessed, {application} in the application", kind.words()),
        }
    }
}

/// Everything that keeps an automatic layout and an application's apart, in the order of the bindings.
pub fn breaks(auto: &Layout, colors: &[Color], application: &Application) -> Vec<Break> {
    let mut out = Vec::new();
    let large: BTreeSet<(u32, u32)> = ineligible(auto).into_iter().map(Node::at).collect();
    let mut nodes: Vec<(&Node, bool)> = auto.nodes().collect();
    nodes.sort_by_key(|(node, _)| node.at());
    let theirs = Theirs {
        nodes: application.layout.by_place(),
        hidden: application.hidden.iter().copied().collect(),
        fixed: application.fixed.iter().copied().collect(),
    };
    for (node, at_root) in nodes {
        if large.contains(&node.at()) {
            let words = [format!("{} dwords, but a binding has {SLOT}", node.size), "not compiled".to_owned()];
            out.push(at(node, BreakKind::TooLarge, words));
        }
        binding(node, at_root, &theirs, &mut out);
    }
    if auto.push_constants().is_some() && application.layout.push_constants().is_none() {
        out.push(Break {
            kind: BreakKind::PushConstants,
            place: "push constants".to_owned(),
            binding: None,
            automatic: "a node at the root".to_owned(),
            application: "none".to_owned(),
        });
    }
    for color in colors {
        let theirs = application.colors.iter().find(|other| other.location == color.location);
        if theirs.map_or(0, |theirs| theirs.export) == color.export {
            continue;
        }
        let named = |color: &Color| format!("{} ({})", color.export_name, color.format);
        out.push(Break {
            kind: BreakKind::ExportFormat,
            place: format!("target {}", color.location),
            binding: None,
            automatic: named(color),
            application: theirs.map_or_else(|| "no target".to_owned(), named),
        });
    }
    for (id, value) in &application.spec {
        out.push(Break {
            kind: BreakKind::Specialization,
            place: format!("constant {id}"),
            binding: None,
            automatic: "the module's own value".to_owned(),
            application: value.clone(),
        });
    }
    out
}

/// An application's side by set and binding: there may be thousands.
struct Theirs<'a> {
    nodes: BTreeMap<(u32, u32), (&'a Node, bool)>,
    hidden: BTreeSet<(u32, u32)>,
    fixed: BTreeSet<(u32, u32)>,
}

fn binding(node: &Node, at_root: bool, application: &Theirs<'_>, out: &mut Vec<Break>) {
    let place = node.at();
    let Some(&(theirs, their_root)) = application.nodes.get(&place) else {
        let kind = if application.hidden.contains(&place) { BreakKind::Visibility } else { BreakKind::Missing };
        return out.push(at(node, kind, [node.node.to_string(), "no such binding for this stage".to_owned()]));
    };
    if application.hidden.contains(&place) {
        out.push(at(node, BreakKind::Visibility, ["used".to_owned(), "not visible to this stage".to_owned()]));
    }
    if application.fixed.contains(&place) {
        out.push(at(node, BreakKind::Fixed, ["a descriptor".to_owned(), "an immutable sampler".to_owned()]));
    }
    if at_root != their_root {
        let name = |root: bool| if root { "dynamic, at the root" } else { "in its set's table" }.to_owned();
        return out.push(at(node, BreakKind::Dynamic, [name(at_root), name(their_root)]));
    }
    if coarse(node.node) != coarse(theirs.node) {
        out.push(at(node, BreakKind::Type, [node.node.to_string(), theirs.node.to_string()]));
    }
    if node.size != theirs.size {
        let words = |node: &Node| match node.node {
            NodeType::InlineBuffer => format!("{} dwords (an inline block of {} bytes)", node.size, node.size * 4),
            _ => format!("{} dwords ({})", node.size, counted(node.array_size, "descriptor")),
        };
        out.push(at(node, BreakKind::ArraySize, [words(node), words(theirs)]));
    }
    if !at_root && node.offset != theirs.offset {
        out.push(at(node, BreakKind::Offset, [format!("dword {}", node.offset), format!("dword {}", theirs.offset)]));
    }
    if node.stride != theirs.stride {
        let words = |stride| if stride == 0 { "natural".to_owned() } else { format!("{stride} dwords") };
        out.push(at(node, BreakKind::Stride, [words(node.stride), words(theirs.stride)]));
    }
}

fn at(node: &Node, kind: BreakKind, [automatic, application]: [String; 2]) -> Break {
    Break { kind, place: node.place(), binding: Some((node.set, node.binding)), automatic, application }
}
