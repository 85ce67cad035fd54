//! Compares RDAT with the metadata.

use std::collections::BTreeMap;

use super::{add, differs, number, numbers};
use crate::file::{Dxil, Program};
use crate::findings::{self, Finding, Place};
use crate::metadata::Resource;
use crate::rdat::{Function, Node, NodeIo};

/// The part with the runtime data.
const PART: &str = "RDAT";

pub(super) fn check(dxil: &Dxil, program: &Program, out: &mut Vec<Finding>) {
    let rule = findings::RDAT_DIFFERS;
    let Some(rdat) = &dxil.rdat else {
        if program.header.kind == 6 {
            add(out, rule.at(None, None, "the library has no RDAT"));
        }
        return;
    };
    // The first of a name, or of a number, counts.
    let functions: BTreeMap<&str, &Function> =
        rdat.functions.iter().rev().map(|function| (function.name.as_str(), function)).collect();
    for entry in &program.dx.entries {
        let name = entry.function.as_ref().unwrap_or(&entry.name);
        let Some(function) = functions.get(name.as_str()) else {
            let message = format!("entry point {} is in the metadata, but not in RDAT", entry.name);
            add(out, rule.at(None, Some(Place::part(PART)), message));
            continue;
        };
        let place = Place::entry_point(&entry.name).in_part(PART);
        // A compute shader that is also a node is there as a node.
        if function.kind != entry.kind && !(function.kind == "node" && entry.properties.node.is_some()) {
            differs(out, rule, &place, "the kind", &function.kind, &entry.kind);
        }
        if let (Some(here), Some(there)) = (&function.node, &entry.properties.node) {
            node(&place, here, there, out);
        }
    }
    let all = program.dx.resources.0.iter().rev();
    let all: BTreeMap<(&str, u32), &Resource> = all.map(|other| ((&*other.class, other.id), other)).collect();
    for resource in &rdat.resources {
        let found = all.get(&(&*resource.class, resource.id));
        let place = Place::Record { name: resource.name.clone() }.in_part(PART);
        match found {
            None => {
                let message = format!("{} {} is in RDAT, but not in the metadata", resource.class, resource.id);
                add(out, rule.at(None, Some(place), message));
            }
            Some(other) => {
                // A register that is not assigned has the number that also says "unbounded": numbers are compared.
                let here = (resource.space, resource.lower, resource.upper.unwrap_or(u32::MAX));
                let there = (other.space, other.lower, other.upper_number());
                if here != there {
                    let range = |(space, lower, upper): (u32, u32, u32)| {
                        let upper = if upper == u32::MAX { "∞".to_owned() } else { upper.to_string() };
                        format!("{lower}..{upper} of space {space}")
                    };
                    differs(out, rule, &place, "the binding", range(here), range(there));
                }
                if resource.kind != other.kind {
                    differs(out, rule, &place, "the kind", &resource.kind, &other.kind);
                }
            }
        }
    }
}

fn node(place: &Place, here: &Node, there: &Node, out: &mut Vec<Finding>) {
    let rule = findings::RDAT_DIFFERS;
    let mut same = |what: &str, here: String, there: String| {
        if here != there {
            differs(out, rule, place, what, here, there);
        }
    };
    let id = |node: &Node| format!("{}[{}]", node.name, node.index);
    same("the node id", id(here), id(there));
    same("the launch type", here.launch.to_string(), there.launch.to_string());
    same("the program entry flag", here.program_entry.to_string(), there.program_entry.to_string());
    let size = |size: Option<[u32; 3]>| numbers(size.as_ref().map_or(&[], |size| size));
    same("the group size", size(here.threads), size(there.threads));
    same("the grid", size(here.grid), size(there.grid));
    same("the maximum grid", size(here.max_grid), size(there.max_grid));
    same("the recursion depth", number(here.max_recursion), number(there.max_recursion));
    let shares = |node: &Node| node_of(node.shares_input_of.as_ref());
    same("the node whose input is shared", shares(here), shares(there));
    for (what, here, there) in [("input", &here.inputs, &there.inputs), ("output", &here.outputs, &there.outputs)] {
        same(&format!("the number of {what}s"), here.len().to_string(), there.len().to_string());
        for (index, (here, there)) in here.iter().zip(there).enumerate() {
            same(&format!("{what} {index}"), io(here), io(there));
        }
    }
}

/// `name[0]`, or `none`.
fn node_of(id: Option<&(String, u32)>) -> String {
    id.map_or_else(|| "none".to_owned(), |(name, index)| format!("{name}[{index}]"))
}

/// What both say about an input or output; some numbers are left out where they are what a reader would assume.
fn io(io: &NodeIo) -> String {
    format!(
        "{} of {}, records {} of {} bytes, grid {}, array {}, sparse {}",
        io.kind,
        node_of(io.target.as_ref()),
        io.max_records.unwrap_or(0),
        io.record_bytes.unwrap_or(0),
        io.grid.as_ref().map_or("none".to_owned(), |(at, kind, count)| format!("{kind}[{count}] at byte {at}")),
        io.array_size.unwrap_or(0),
        io.sparse
    )
}
