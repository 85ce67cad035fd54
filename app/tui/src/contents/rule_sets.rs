//! Where the two rule sets of workgroup layouts differ: how many sizes under each set of options, and which.

use lanescope_core::report::Report;
use lanescope_core::table::{Key, Meaning};
use lanescope_core::workgroup::{RuleMap, RuleVerdict, rule_sets_table};

use super::super::pane::{Change, Link, Row};
use super::super::views::Views;
use super::{Rows, Section, linked_to};

/// The rule sets of the first workgroup of a report.
pub fn rule_sets(out: &mut Rows, report: &Report, views: &Views) {
    let Some(layout) = report.workgroup.first() else { return };
    let facts = layout.facts(&report.options);
    let maps = RuleMap::all(&facts);
    let note = format!("sizes up to {0}×{0} by derivatives and options", RuleMap::SIDE);
    out.section(Section::Heading("LLPC's code and its design note", &note));
    linked_to(out, &rule_sets_table(&maps), |row| match row.key {
        Key::Item(at) => Some(Link::Change(Change::RuleSet(at))),
        _ => None,
    });
    let own = RuleMap::of(&facts);
    let map = views.rule_set.and_then(|at| maps.get(at)).unwrap_or(&own);
    out.section(Section::Heading("Sizes", &map.options()));
    if map.count(RuleVerdict::Differ) + map.count(RuleVerdict::SameIds) == 0 {
        out.prose("Both lay out every size alike, where it is allowed.");
        return;
    }
    let [x, y, _] = layout.size;
    draw(out, map, [x, y]);
    out.prose("X to the right, Y down. #: other invocation ids, =: other tiles with the same ids, x: not allowed.");
}

/// A sign for each size, a row for each Y. The own size is highlighted.
fn draw(out: &mut Rows, map: &RuleMap, own: [u32; 2]) {
    let dim = out.style.meaning(Meaning::Dimmed);
    let mut head = "    ".to_owned();
    for x in (1..=RuleMap::SIDE).step_by(4) {
        head.push_str(&format!("{x:<8}"));
    }
    out.rows.push(Row::default().with(dim, head.trim_end(), None));
    for y in 1..=RuleMap::SIDE {
        let mut row = Row::default().with(dim, format!(" {y:2} "), None);
        for x in 1..=RuleMap::SIDE {
            let Some(sets) = map.at([x, y]) else { continue };
            let (sign, style) = match sets.verdict {
                RuleVerdict::Differ => ("#", out.style.meaning(Meaning::Changed)),
                RuleVerdict::SameIds => ("=", out.style.meaning(Meaning::Good)),
                RuleVerdict::Same => ("·", dim),
                RuleVerdict::NotAllowed => ("x", dim),
            };
            let style = if [x, y] == own { out.style.meaning(Meaning::Strong).invert() } else { style };
            row = row.with(style, sign, None).with(dim, " ", None);
        }
        out.rows.push(row);
    }
}
