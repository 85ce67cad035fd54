//! The rules of work graphs, as findings. A rule's code ends in its number in the table of checks.

mod launch;
mod limits;
mod links;
mod running;
mod sharing;

use std::collections::BTreeMap;

pub use running::{Launched, is_of_run, why_not_run};

use super::model::{Node, WorkGraph};
use crate::findings::{Finding, Rule};

/// The most findings of one rule: a graph of many nodes can break it many times.
const MOST: usize = 2048;

/// Everything that is wrong with a graph before it runs, rule by rule.
pub fn check(graph: &WorkGraph) -> Vec<Finding> {
    let mut out = Out { graph, findings: Vec::new(), of_rule: BTreeMap::new() };
    links::check(&mut out);
    limits::check(&mut out);
    launch::check(&mut out);
    sharing::check(&mut out);
    let mut findings = out.findings;
    // Codes are in the order of the rules.
    findings.sort_by(|a, b| a.code.cmp(&b.code));
    findings
}

/// The findings so far, and what they are about.
struct Out<'g> {
    graph: &'g WorkGraph,
    findings: Vec<Finding>,
    /// How many there are of each rule, by its code.
    of_rule: BTreeMap<&'static str, usize>,
}

impl<'g> Out<'g> {
    fn add(&mut self, rule: &'static Rule, node: Option<&Node>, message: impl Into<String>) {
        let found = self.of_rule.entry(rule.code).or_default();
        if *found < MOST {
            *found += 1;
            self.findings.push(rule.at(None, node.map(Node::place), message));
        }
    }

    fn nodes(&self) -> impl Iterator<Item = (usize, &'g Node)> + use<'g> {
        self.graph.nodes.iter().enumerate()
    }
}

/// Names with arrows between them.
fn arrows<T: AsRef<str>>(names: impl Iterator<Item = T>) -> String {
    let mut out = String::new();
    for (at, name) in names.enumerate() {
        if at == 64 {
            out.push_str(" -> …");
            break;
        }
        out.push_str(if at > 0 { " -> " } else { "" });
        out.push_str(name.as_ref());
    }
    out
}
