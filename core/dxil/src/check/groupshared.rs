//! Groupshared memory against what an entry point may have.
//!
//! Source: hlsl-specs 0049 (`GroupSharedLimit`, shader model 6.10), and the limits that DXC's validator has for all models.

use super::add;
use crate::container::FourCc;
use crate::file::{Dxil, Program};
use crate::findings::{self, Finding, Place};
use crate::metadata::EntryPoint;
use crate::module::{DataLayout, Module};
use crate::ops::Version;

/// The address space of groupshared memory.
const GROUPSHARED: u32 = 3;
/// The first shader model with a limit of its own for each entry point.
const WITH_LIMIT: Version = Version { major: 6, minor: 10 };
/// Kinds of shader with groupshared memory.
const KINDS: [&str; 4] = ["compute", "mesh", "amplification", "node"];

pub(super) fn check(dxil: &Dxil, program: &Program, out: &mut Vec<Finding>) {
    let header = &program.header;
    let model = Version { major: header.major, minor: header.minor };
    for entry in &program.dx.entries {
        for finding in of_entry(entry, model, used(dxil, program, entry), program.part) {
            add(out, finding);
        }
    }
}

/// Bytes that an entry point uses, where they are known: of a library what RDAT says, of another program the sum of its
/// variables, as the validator counts them.
fn used(dxil: &Dxil, program: &Program, entry: &EntryPoint) -> Option<u64> {
    if !dxil.is_library() {
        return total(&program.module);
    }
    let name = entry.function.as_ref().unwrap_or(&entry.name);
    let function = dxil.rdat.as_ref()?.functions.iter().find(|function| function.name == *name)?;
    let as_node = function.node.as_ref().map(|node| node.groupshared_bytes);
    as_node.or_else(|| function.entry.as_ref()?.groupshared_bytes).map(u64::from)
}

/// Bytes of all groupshared variables of a module.
fn total(module: &Module) -> Option<u64> {
    let layout = DataLayout::parse(&module.data_layout);
    let shared = module.globals.iter().filter(|global| global.address_space == GROUPSHARED);
    shared.map(|global| layout.alloc_size(&module.types, global.ty)).try_fold(0u64, |sum, size| sum.checked_add(size?))
}

/// The findings about one entry point that uses so many bytes.
fn of_entry(entry: &EntryPoint, model: Version, used: Option<u64>, part: FourCc) -> Vec<Finding> {
    let name = &entry.name;
    let place = || Some(Place::entry_point(name).in_part(part.to_string()));
    let mut out = Vec::new();
    let limit = entry.properties.groupshared_limit.map(u64::from);
    if let Some(limit) = limit {
        let mut refuse = |why: String| {
            let message = format!("{name} has a groupshared limit of {limit} bytes: {why}");
            out.push(findings::GROUPSHARED_LIMIT.at(None, place(), message));
        };
        if model < WITH_LIMIT {
            refuse(format!("shader model {model} has none, 6.10 is the first"));
        }
        if !KINDS.contains(&&*entry.kind) {
            refuse(format!("a {} shader has no groupshared memory", entry.kind));
        }
        if limit % 4 != 0 {
            refuse("it is not a multiple of 4".to_owned());
        }
    }
    let Some(used) = used.filter(|_| KINDS.contains(&&*entry.kind)) else { return out };
    let guaranteed = if entry.kind == "mesh" { 28672 } else { 32768 };
    if used > limit.unwrap_or(guaranteed) {
        let whose = match limit {
            Some(limit) => format!("its limit is {limit}"),
            None => format!("{guaranteed} are allowed to a {} shader without a limit of its own", entry.kind),
        };
        let message = format!("{name} uses {used} bytes of groupshared memory, {whose}");
        out.push(findings::GROUPSHARED_EXCEEDED.at(None, place(), message));
    } else if used > guaranteed {
        let message = format!("{name} uses {used} bytes of groupshared memory, each device has {guaranteed}");
        out.push(findings::GROUPSHARED_LARGE.at(None, place(), message));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::Properties;
    use crate::testing::{modules, sample};

    #[track_caller]
    fn says(kind: &'static str, model: &str, limit: Option<u32>, used: u64, expected: &[(&str, &str)]) {
        let entry = EntryPoint {
            name: "main".to_owned(),
            kind: kind.into(),
            properties: Properties { groupshared_limit: limit, ..Properties::default() },
            ..EntryPoint::default()
        };
        let found = of_entry(&entry, model.parse().expect("a version"), Some(used), FourCc(*b"DXIL"));
        let found: Vec<(&str, &str)> =
            found.iter().map(|found| (found.code.as_str(), found.message.as_str())).collect();
        assert_eq!(found, expected);
    }

    /// The cases of the proposal, and those of DXC's own tests.
    #[test]
    fn limits_are_those_of_the_proposal() {
        says("compute", "6.10", None, 32768, &[]);
        says(
            "compute",
            "6.10",
            Some(36864),
            36864,
            &[("D015", "main uses 36864 bytes of groupshared memory, each device has 32768")],
        );
        says(
            "amplification",
            "6.10",
            Some(0),
            4,
            &[("D013", "main uses 4 bytes of groupshared memory, its limit is 0")],
        );
        says("amplification", "6.10", Some(0), 0, &[]);
        says(
            "mesh",
            "6.6",
            None,
            28676,
            &[(
                "D013",
                "main uses 28676 bytes of groupshared memory, 28672 are allowed to a mesh shader without a limit of its own",
            )],
        );
        says(
            "pixel",
            "6.9",
            Some(6),
            0,
            &[
                ("D014", "main has a groupshared limit of 6 bytes: shader model 6.9 has none, 6.10 is the first"),
                ("D014", "main has a groupshared limit of 6 bytes: a pixel shader has no groupshared memory"),
                ("D014", "main has a groupshared limit of 6 bytes: it is not a multiple of 4"),
            ],
        );
    }

    #[test]
    fn variables_are_counted_as_the_compiler_does() {
        assert_eq!(total(&sample("prefix_sum.cs.dxil")), Some(1024));
        // The payload's structure, and a counter.
        assert!(total(&sample("brick_wall.as.dxil")).is_some_and(|bytes| bytes > 4));
        for (name, module) in modules() {
            assert!(total(&module).is_some(), "{name}");
        }
    }
}
