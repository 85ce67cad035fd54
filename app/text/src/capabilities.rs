//! Capabilities of SPIR-V as text: what a device offers, and what is shown of them.

use std::io::{self, Write};

use lanescope_core::gpu::{Coverage, IsOffered, OfferedCapabilities, Requirement};
use lanescope_core::table::{Cell, Column, Meaning, Table};

use super::Style;
use super::page::Page;

/// Writes what a device offers of each capability.
///
/// # Errors
///
/// Those of `out`.
pub fn write_offered(all: &OfferedCapabilities, out: &mut dyn Write, style: Style) -> io::Result<()> {
    let page = &mut Page::new(out, style);
    let count = |wanted| all.capabilities.iter().filter(|row| row.offered == wanted).count();
    let [yes, no, unknown] = [IsOffered::Yes, IsOffered::No, IsOffered::Unknown].map(count);
    let note = format!("{} ({}): {yes} offered, {no} not, {unknown} unknown", all.device.name, all.device.driver);
    page.heading("Capabilities", &note)?;
    let mut table = Table::new([Column::left("capability"), Column::left("offered"), Column::left("needs")]);
    for row in &all.capabilities {
        let offered = match row.offered {
            IsOffered::Yes => Cell::of(Meaning::Good, "yes"),
            IsOffered::No => Cell::of(Meaning::Plain, "no"),
            IsOffered::Unknown => Cell::of(Meaning::Dimmed, "unknown"),
        };
        let needs: Vec<String> = row.needs.iter().map(needed).collect();
        let needs = if needs.is_empty() { "not known; left to the driver".to_owned() } else { needs.join(" or ") };
        table.row([Cell::of(Meaning::Strong, &row.capability), offered, needs.into()]);
    }
    page.table(&table, 1)
}

/// A requirement: `VK_KHR_ray_query: rayQuery`, `Vulkan 1.2: shaderFloat16`.
fn needed(one: &Requirement) -> String {
    let version = one.version.as_ref().map(|version| format!("Vulkan {version}"));
    let (from, what) = (version.or(one.extension.clone()), one.feature.as_ref().or(one.property.as_ref()));
    match (from, what) {
        (Some(from), Some(what)) => format!("{from}: {what}"),
        (from, what) => from.or(what.cloned()).unwrap_or_default(),
    }
}

/// Writes what is shown of each capability.
///
/// # Errors
///
/// Those of `out`.
pub fn write_coverage(all: &[Coverage], out: &mut dyn Write, style: Style) -> io::Result<()> {
    let page = &mut Page::new(out, style);
    let shown = all.iter().filter(|row| row.opens == "yes").count();
    page.heading("Capabilities", &format!("{} of {} have a sample", shown, all.len()))?;
    let columns = Coverage::COLUMNS.map(Column::left);
    let mut table = Table::new(std::iter::once(Column::left("capability")).chain(columns));
    for row in all {
        let cell = |text: &str| match text {
            "yes" => Cell::of(Meaning::Good, text),
            _ => Cell::of(Meaning::Plain, text),
        };
        let name = Cell::of(Meaning::Strong, &row.capability);
        table.row(std::iter::once(name).chain(row.columns().map(cell)));
    }
    page.table(&table, 1)
}
