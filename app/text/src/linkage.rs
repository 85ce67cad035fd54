//! The output linkage of partial graphics programs as text.

use std::io::{self, Write};

use lanescope_core::dxil::linkage::OutputLinkage;
use lanescope_core::dxil_tables::{late_link_table, linkage_table};
use lanescope_core::packing::Packing;
use lanescope_core::text_format::counted;

use super::Style;
use super::page::{Line, Page};

/// Writes what `link-desc` prints.
///
/// # Errors
/// Those of `out`.
pub fn write(linkage: &OutputLinkage, packing: Option<&Packing>, out: &mut dyn Write, style: Style) -> io::Result<()> {
    let page = &mut Page::new(out, style);
    page.heading("Output linkage", &format!("{} → pixel", linkage.producer))?;
    page.table(&linkage_table(linkage), 1)?;
    let text = match packing {
        Some(packing) => beside(linkage, packing),
        None => exported(linkage),
    };
    page.blank()?;
    page.prose(Line::from(" "), &text)?;
    if !linkage.unread.is_empty() {
        let unread = linkage.unread.join(", ");
        page.prose(Line::from(" "), &format!("Not declared by the pixel shader, so left out: {unread}."))?;
    }
    for why in &linkage.required {
        page.prose(Line::from(" · "), why)?;
    }
    if !linkage.late.is_empty() {
        page.blank()?;
        page.table(&late_link_table(linkage), 1)?;
    }
    Ok(())
}

/// `4 elements in 3 registers`.
fn exported(linkage: &OutputLinkage) -> String {
    format!("{} in {}", counted(linkage.elements.len(), "element"), counted(linkage.registers, "register"))
}

/// What a driver that has only the description exports, beside what the whole pair needs.
pub(super) fn beside(linkage: &OutputLinkage, packing: &Packing) -> String {
    format!(
        "With Direct3D 12's output linkage alone: {}. The whole pair: {}.",
        exported(linkage),
        counted(packing.slots.after, "packed slot")
    )
}
