//! The worked examples of input packing (E1 to E17), from interface lists and from GLSL.

mod examples;
mod halves;
pub(crate) mod shaders;

use std::fmt::Write as _;

use super::Packing;
use super::assign::{self, Assigned, Entry};
use super::class::Class;
use super::{Interpolation, Place};
use lanescope_base::ids::{Component, Location};
use lanescope_model::options::PackingOrder;

/// So many cases a property; a seed that fails is printed and kept in the tree, and tried first from then on.
pub(crate) fn kept_cases(cases: u32) -> proptest::test_runner::Config {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/packing/tests/failing_seeds.txt");
    proptest::test_runner::Config {
        failure_persistence: Some(Box::new(proptest::test_runner::FileFailurePersistence::Direct(file))),
        ..proptest::test_runner::Config::with_cases(cases)
    }
}

/// Reads `location[.component] [flat|custom] WIDTHxCOUNT`, separated by commas; 64-bit values become dwords.
fn entries(list: &str, require_dword: bool) -> Vec<Entry> {
    let mut out = Vec::new();
    for item in list.split(',').map(str::trim) {
        let mut words: Vec<&str> = item.split_whitespace().collect();
        let (width, count) = words.pop().and_then(|w| w.split_once('x')).expect("WIDTHxCOUNT");
        let (width, count): (u32, u32) = (width.parse().expect("width"), count.parse().expect("count"));
        let (location, component) = words[0].split_once('.').unwrap_or((words[0], "0"));
        let (location, component): (u32, u32) = (location.parse().expect("location"), component.parse().expect("comp"));
        let mode = match words.get(1) {
            Some(&"flat") => Interpolation::Flat,
            Some(&"custom") => Interpolation::Custom,
            _ => Interpolation::Smooth,
        };
        for dword in 0..count * width.div_ceil(32) {
            let at = component + dword;
            let from =
                Place { location: Location(location + at / 4), component: Component((at % 4) as u8), half: false };
            out.push(Entry { stream: 0, from, class: Class::of(width.min(32), mode, require_dword) });
        }
    }
    out
}

fn half(half: bool) -> &'static str {
    if half { "high" } else { "low" }
}

/// `(0, 1) -> (0, 1, low)` a line.
fn table(assigned: &Assigned) -> String {
    let mut out = String::new();
    for ((_, location, component), to) in &assigned.map {
        writeln!(out, "({location}, {component}) -> ({}, {}, {})", to.location, to.component, half(to.half))
            .expect("writes");
    }
    out
}

fn map_of(packing: &Packing) -> String {
    let line = |m: &super::Mapping| {
        let (from, to) = (m.from, m.to);
        format!("({}, {}) -> ({}, {}, {})\n", from.location, from.component, to.location, to.component, half(to.half))
    };
    packing.map.iter().map(line).collect()
}

fn trimmed(text: &str) -> String {
    text.lines().map(str::trim).filter(|l| !l.is_empty()).fold(String::new(), |all, line| all + line + "\n")
}

#[track_caller]
fn check(list: &str, order: PackingOrder, expected: &str) {
    assert_eq!(table(&assign::pack(&entries(list, false), order)), trimmed(expected), "{list} in {order}");
}
