//! Where drivers put varyings, beside where our packing does: rows are scalars, columns compilations.

use std::io;

use lanescope_core::driver::Link;
use lanescope_core::driver::layout::{DriverPlace, LayoutRule, LayoutTable};
use lanescope_core::packing::Place;

use super::page::{Align, Line, Page, Table};

/// Writes the tables, once for the devices that agree, then the rules that they name.
pub fn write(page: &mut Page<'_>, tables: &[LayoutTable]) -> io::Result<()> {
    let mut groups: Vec<(Vec<&str>, &LayoutTable)> = Vec::new();
    for table in tables {
        let place = table.target.map_or(table.device.as_str(), |target| target.name());
        // GFX11 exports no slots: that alone makes no other table.
        let alike = |other: &LayoutTable| {
            let columns = |table: &LayoutTable| -> Vec<_> {
                table.columns.iter().map(|column| (column.of, column.link, column.attributes)).collect()
            };
            other.rows == table.rows && columns(other) == columns(table)
        };
        match groups.iter_mut().find(|(_, other)| alike(other)) {
            Some((places, _)) => places.push(place),
            None => groups.push((vec![place], table)),
        }
    }
    for (places, table) in &groups {
        page.heading("Driver: varyings", &places.join(", "))?;
        one(page, table)?;
    }
    let used: Vec<LayoutRule> = LayoutRule::ALL
        .iter()
        .copied()
        .filter(|rule| groups.iter().any(|(_, table)| rules(table).any(|used| used == *rule)))
        .collect();
    for rule in used {
        page.prose(Line::of(page.style.dim, format!(" {rule}: ")), rule.why())?;
    }
    Ok(())
}

fn rules(table: &LayoutTable) -> impl Iterator<Item = LayoutRule> {
    table.rows.iter().flat_map(|row| &row.driver).filter_map(|place| place.rule)
}

fn one(page: &mut Page<'_>, table: &LayoutTable) -> io::Result<()> {
    let style = page.style;
    let mut titles = vec![("", Align::Left), ("written", Align::Left), ("packed", Align::Left)];
    titles.extend(table.columns.iter().map(|column| (column.of.name(), Align::Left)));
    let mut lines = Table::new(&titles);
    let link = |link: Link| if link == Link::Apart { "apart" } else { "together" };
    let second = table.columns.iter().map(|column| {
        let plural = if column.attributes == 1 { "" } else { "s" };
        Line::of(style.dim, format!("{}, {} slot{plural}", link(column.link), column.attributes))
    });
    lines.row((0..3).map(|_| Line::default()).chain(second));
    for row in &table.rows {
        let driver = row.driver.iter().map(|place| driver(style, place));
        let ours: [Line; 3] = [row.variable.as_str().into(), at(&row.from).into(), at(&row.packed).into()];
        lines.row(ours.into_iter().chain(driver));
    }
    page.table(lines, 1)
}

fn at(place: &Place) -> String {
    let half = if place.half { " high" } else { "" };
    format!("{}{half}", slot(place.location.0, place.component.0))
}

fn slot(slot: u32, channel: u8) -> String {
    format!("{slot}.{}", ['x', 'y', 'z', 'w'].get(usize::from(channel)).copied().unwrap_or('?'))
}

fn driver(style: super::Style, place: &DriverPlace) -> Line {
    let at = match (place.attribute, place.channel) {
        (Some(attribute), Some(channel)) => slot(attribute, channel),
        _ => "–".to_owned(),
    };
    match place.rule {
        None => at.into(),
        Some(rule) => {
            let colour = if rule == LayoutRule::Unattributed { style.error } else { style.dim };
            Line::from(at).text(" ").styled(colour, rule.name())
        }
    }
}
