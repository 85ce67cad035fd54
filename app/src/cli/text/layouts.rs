//! Driver places of varyings beside the computed ones: rows are scalars, columns compilations.

use std::collections::BTreeSet;
use std::io;

use lanescope_core::driver::Link;
use lanescope_core::driver::layout::{DriverPlace, LayoutRule, LayoutTable, Reason, agreeing};
use lanescope_core::text_format::counted;

use super::page::{Align, Line, Page, Table};

/// Writes the tables, once for devices that agree, then the rules that they refer to.
pub fn write(page: &mut Page<'_>, tables: &[LayoutTable]) -> io::Result<()> {
    let groups = agreeing(tables);
    for (places, table) in &groups {
        page.heading("Driver: varyings", &places.join(", "))?;
        one(page, table)?;
    }
    let used: BTreeSet<LayoutRule> = groups.iter().flat_map(|(_, table)| table.rules()).collect();
    for rule in used {
        page.prose(Line::of(page.style.dim, format!(" {rule}: ")), rule.why())?;
    }
    let reasons: BTreeSet<Reason> = groups.iter().flat_map(|(_, table)| table.reasons()).collect();
    for reason in reasons {
        page.prose(Line::of(page.style.dim, format!(" unattributed, {reason}: ")), reason.why())?;
    }
    Ok(())
}

fn one(page: &mut Page<'_>, table: &LayoutTable) -> io::Result<()> {
    let style = page.style;
    let mut titles = vec![("", Align::Left), ("written", Align::Left), ("packed", Align::Left)];
    titles.extend(table.columns.iter().map(|column| (column.of.name(), Align::Left)));
    let mut lines = Table::new(&titles);
    let link = |link: Link| if link == Link::Apart { "apart" } else { "together" };
    let second = table
        .columns
        .iter()
        .map(|column| Line::of(style.dim, format!("{}, {}", link(column.link), counted(column.attributes, "slot"))));
    lines.row((0..3).map(|_| Line::default()).chain(second));
    for row in &table.rows {
        let driver = row.driver.iter().map(|place| driver(style, place));
        let ours: [Line; 3] =
            [row.variable.as_str().into(), row.from.to_string().into(), row.packed.to_string().into()];
        lines.row(ours.into_iter().chain(driver));
    }
    page.table(lines, 1)
}

fn driver(style: super::Style, place: &DriverPlace) -> Line {
    let at = place.to_string();
    match place.rule {
        None => at.into(),
        Some(rule) => {
            let colour = if rule == LayoutRule::Unattributed { style.error } else { style.dim };
            Line::from(at).text(" ").styled(colour, rule.name())
        }
    }
}
