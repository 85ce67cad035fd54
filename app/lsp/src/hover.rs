//! Explanations at a name: what the window shows of a varying, a workgroup or a descriptor.

use lanescope_core::graph::tables_of;
use lanescope_core::report::Report;
use lanescope_inspector::strip;
use lanescope_pictures::guessed_layout;
use lanescope_pictures::packing::{Described, describe, flags};

use crate::markdown::Page;
use crate::nodes;
use crate::sites::{Role, Site, interfaces};
use crate::slots;

/// Scalars of a varying that are listed.
const SCALARS_AT_MOST: usize = 16;

/// What a report says of sites; empty where it says nothing.
pub fn page(report: &Report, sites: &[&Site], markdown: bool) -> Page {
    let mut page = Page::new(markdown);
    let mut seen: Vec<&Role> = Vec::new();
    for site in sites {
        // Both sides of an interface have the same explanation.
        let is_known = seen.iter().any(|role| match (role, &site.role) {
            (Role::Varying { interface: a, scalars: b, .. }, Role::Varying { interface, scalars, .. }) => {
                (a, b) == (interface, scalars)
            }
            (one, other) => *one == other,
        });
        if !is_known {
            seen.push(&site.role);
            explain(&mut page, report, site);
        }
    }
    page
}

fn explain(page: &mut Page, report: &Report, site: &Site) {
    match &site.role {
        Role::Varying { interface, scalars, .. } => {
            let Some(packing) = interfaces(report).get(*interface).copied() else { return };
            let (text, about) = slots::summary(packing);
            page.heading(&site.name, &text);
            let shown = scalars.iter().take(SCALARS_AT_MOST);
            let described: Vec<Described> = shown.flat_map(|scalar| describe(packing, *scalar)).collect();
            varyings(page, &described);
            if scalars.len() > SCALARS_AT_MOST {
                page.text(&format!("… and {} more scalars", scalars.len() - SCALARS_AT_MOST));
            }
            let found = flags(report, packing);
            let is_here = |flag: &&lanescope_pictures::packing::Flag| {
                scalars.iter().any(|scalar| flag.is_at(scalar.location, scalar.component.unwrap_or(0)))
            };
            let found: Vec<String> = found.iter().filter(is_here).map(|flag| flag.text.clone()).collect();
            page.list(&found);
            page.text(&about);
        }
        Role::Workgroup(index) => {
            let Some(layout) = report.workgroup.get(*index) else { return };
            for (number, fact) in strip::workgroup(layout).into_iter().enumerate() {
                match number {
                    0 => page.heading(&fact.text, &fact.about),
                    _ => page.text(&format!("{}: {}", fact.text, fact.about)),
                }
            }
            let sign = |held: bool| if held { "✓" } else { "·" };
            let rules =
                layout.rules.iter().map(|rule| vec![sign(rule.held).to_owned(), rule.rule.clone(), rule.reason()]);
            page.table(&["", "rule", "why"], &rules.collect::<Vec<_>>());
        }
        Role::Descriptor { stage, set, binding } => {
            let Some(guessed) = report.partial.get(*stage) else { return };
            page.heading(&site.name, &format!("guessed layout of {} {}", guessed.stage, guessed.entry));
            page.list(&guessed_layout::describe(guessed, *set, *binding));
        }
        Role::Node(node) => {
            let Some(graph) = &report.graph else { return };
            let Some(of) = graph.nodes.get(*node) else { return };
            page.heading(&of.label(), &format!("{} node", of.launch.name()));
            for table in tables_of(graph, *node).iter().filter(|table| !table.rows.is_empty()) {
                nodes::table(page, table);
            }
        }
        Role::NodeOutput { node, output, targets } => {
            let Some(graph) = &report.graph else { return };
            let Some((label, all)) = nodes::of_output(graph, *node, *output, targets) else { return };
            page.heading(&site.name, &label);
            let [_, mut outputs] = tables_of(graph, *node);
            outputs.rows = outputs.rows.into_iter().skip(*output).take(1).collect();
            nodes::table(page, &outputs);
            page.text(&all);
        }
    }
}

/// Scalars as a table, then what is said of them in sentences, each once.
fn varyings(page: &mut Page, described: &[Described]) {
    let mut columns: Vec<&str> = Vec::new();
    for (name, _) in described.iter().flat_map(|one| &one.facts) {
        if !columns.contains(name) {
            columns.push(name);
        }
    }
    let cell = |one: &Described, column: &str| {
        let found = one.facts.iter().find(|(name, _)| *name == column);
        found.map_or(String::new(), |(_, value)| value.clone())
    };
    let rows: Vec<Vec<String>> = described
        .iter()
        .filter(|one| !one.facts.is_empty())
        .map(|one| columns.iter().map(|column| cell(one, column)).collect())
        .collect();
    if !rows.is_empty() {
        page.table(&columns, &rows);
    }
    let mut said: Vec<String> = Vec::new();
    for one in described {
        let about = one.name.as_ref().filter(|_| one.facts.is_empty());
        let about = about.map_or(String::new(), |name| format!("{name}: "));
        let sentences =
            one.warning.map(str::to_owned).into_iter().chain(one.notes.iter().map(|note| format!("{about}{note}")));
        for sentence in sentences {
            if !said.contains(&sentence) {
                said.push(sentence);
            }
        }
    }
    page.list(&said);
}
