//! Inlay hints: the answers of the report at the declarations that they are about.

use lanescope_core::report::Report;
use lanescope_inspector::strip;
use lanescope_pictures::guessed_layout::describe;

use crate::nodes;
use crate::settings::HintSettings;
use crate::sites::{Role, Source, interfaces};
use crate::slots;

/// A hint of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    /// The byte after which it stands.
    pub at: usize,
    /// The text.
    pub label: String,
    /// What is shown at it.
    pub tooltip: String,
}

/// The hints of a source, in its order.
pub fn hints(report: &Report, source: &Source, shown: &HintSettings) -> Vec<Hint> {
    let mut out: Vec<Hint> = Vec::new();
    for site in &source.sites {
        let Some((label, tooltip)) = hint(report, &site.role, shown) else { continue };
        let hint = Hint { at: site.range.end, label, tooltip };
        // Of one declaration for both stages there is one.
        if !out.iter().any(|other| (other.at, &other.label) == (hint.at, &hint.label)) {
            out.push(hint);
        }
    }
    out
}

fn hint(report: &Report, role: &Role, shown: &HintSettings) -> Option<(String, String)> {
    match role {
        Role::Varying { interface, scalars, .. } if shown.varyings => {
            let packing = *interfaces(report).get(*interface)?;
            let (text, about) = slots::summary(packing);
            Some((slots::in_words(packing, scalars)?, format!("{text}. {about}")))
        }
        Role::Workgroup(index) if shown.workgroups => {
            let facts = strip::workgroup(report.workgroup.get(*index)?);
            let text = |all: Vec<String>, between: &str| all.join(between);
            let label = text(facts.iter().map(|fact| fact.text.clone()).collect(), ", ");
            Some((label, text(facts.into_iter().map(|fact| fact.about).collect(), "\n")))
        }
        Role::Descriptor { stage, set, binding } if shown.descriptors => {
            let guessed = report.partial.get(*stage)?;
            let (node, at_root) = guessed.layout.find(*set, *binding)?;
            let root = if at_root { "root " } else { "" };
            let label = format!("guessed {root}dword {}", node.offset);
            Some((label, describe(guessed, *set, *binding).join("\n")))
        }
        Role::Node(node) if shown.nodes => nodes::of_node(report.graph.as_ref()?, *node),
        Role::NodeOutput { node, output, targets } if shown.nodes => {
            nodes::of_output(report.graph.as_ref()?, *node, *output, targets)
        }
        _ => None,
    }
}
