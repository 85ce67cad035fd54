//! Where the two rule sets of workgroup layouts differ: how many sizes under each set of options, and which.

use lanescope_core::foreign::plain_name;
use lanescope_core::table::{Key, Meaning};
use lanescope_core::workgroup::{RuleMap, RuleVerdict, rule_sets_table};

use super::super::pane::{Change, Link, Row};
use super::super::views::Views;
use super::{Rows, Section, linked_to};
use lanescope_workbench::state::program::{Analysis, OpenProgram};

/// The rule sets of the chosen workgroup of a report: the first one unless it has several.
pub fn rule_sets(out: &mut Rows, program: &OpenProgram, views: &Views) {
    let Analysis { report, other, .. } = &program.analysis;
    // A program that changes may have fewer.
    let chosen = views.workgroup.min(report.workgroup.len().saturating_sub(1));
    let Some(layout) = report.workgroup.get(chosen) else { return };
    let mut made = views.rule_maps.borrow_mut();
    let (own, maps) = made.get((program.revision, chosen), |_| {
        let facts = layout.facts(&report.options);
        (RuleMap::of(&facts), RuleMap::all(&facts))
    });
    let setting = if other.is_some() { ", first setting" } else { "" };
    let entry = plain_name(&layout.entry);
    let note = format!("{} {entry}{setting}, sizes up to {1}×{1}", layout.stage, RuleMap::SIDE);
    out.section(Section::Heading("LLPC's code and its design note", &note));
    if report.workgroup.len() > 1 {
        let next = (chosen + 1) % report.workgroup.len();
        let plain = anstyle::Style::new();
        let link = Link::Change(Change::Workgroup(next));
        out.rows.push(Row::default().with(plain, " Entry point: ", None).with(plain, entry, Some(link)));
    }
    linked_to(out, &rule_sets_table(maps), |row| match row.key {
        Key::Item(at) => Some(Link::Change(Change::RuleSet(at))),
        _ => None,
    });
    let map = views.rule_set.and_then(|at| maps.get(at)).unwrap_or(own);
    let walks = map.facts.hardware_walks();
    out.section(Section::Heading("Sizes", &map.options()));
    if map.count(RuleVerdict::Differ) + map.count(RuleVerdict::SameIds) == 0 {
        out.prose(match walks {
            true => "Both program the same interleave for every size that is allowed.",
            false => "Both lay out every size alike, where it is allowed.",
        });
        return;
    }
    let [x, y, _] = layout.size;
    draw(out, map, [x, y]);
    let differ = if walks { "another interleave" } else { "other invocation ids" };
    let equal = if walks { "" } else { ", =: other tiles with the same ids" };
    out.prose(&format!("X to the right, Y down. #: {differ}{equal}, x: not allowed."));
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
