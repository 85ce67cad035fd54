//! The legend of the grids of slots: signs, and the letters of variables.

use std::collections::BTreeSet;
use std::io;

use lanescope_core::packing::{InterfaceScalar, Interpolation, Packing};
use lanescope_core::table::{self, Column, Meaning, Table};

use super::labels::{Labels, Letter};
use super::packing::{KEPT, interpolates, mark};
use super::page::{Line, Page};

/// Writes lines, and the legend from this column on if it is wide enough for that. True where it is not.
pub(super) fn beside(
    page: &mut Page<'_>,
    lines: Vec<Line>,
    column: usize,
    labels: &Labels,
    signs: &[(String, String)],
) -> io::Result<bool> {
    let style = page.style;
    let signs = signs.iter().map(|(sign, meaning)| Line::from(sign.as_str()).to(3).text(meaning));
    let letters = labels.letters();
    let letters = letters.into_iter().map(|Letter { letter, name, hue }| {
        let named = Line::of(style.meaning(Meaning::Item(hue)), letter);
        named.to(3).text(name)
    });
    let legend: Vec<Line> = letters.chain(signs).collect();
    let width = legend.iter().map(Line::width).max().unwrap_or(0);
    if column + width > page.width() {
        lines.into_iter().try_for_each(|line| page.line(line))?;
        return Ok(true);
    }
    let mut legend = legend.into_iter();
    for line in lines {
        match legend.next() {
            Some(entry) => page.line(line.to(column).join(entry))?,
            None => page.line(line)?,
        }
    }
    legend.try_for_each(|entry| page.line(Line::default().to(column).join(entry)))?;
    Ok(false)
}

/// The signs of the grids with what each means.
pub(super) fn signs(packing: &Packing) -> Vec<(String, String)> {
    let why = packing.kept_why();
    let mut signs: Vec<(String, &str)> = Vec::new();
    for interpolation in Interpolation::ALL.iter().filter(|_| interpolates(packing)) {
        if packing.map.iter().any(|mapping| mapping.interpolation == *interpolation) {
            signs.push((mark(*interpolation).to_string(), interpolation.name()));
        }
    }
    if packing.map.iter().any(|mapping| mapping.bits < 32) {
        signs.push(("½".to_owned(), "16-bit"));
        signs.push(("│".to_owned(), "low half on the left, high half on the right"));
    }
    let kept: BTreeSet<_> = packing.kept().map(|o| (o.from.location, o.from.component)).collect();
    let is_kept = |scalar: &&InterfaceScalar| kept.contains(&(scalar.location, scalar.component));
    let unread = || packing.interface.iter().filter(|scalar| !scalar.used);
    if unread().any(|scalar| !is_kept(&scalar)) {
        signs.push(("✗".to_owned(), "never read"));
    }
    if unread().any(|scalar| is_kept(&scalar)) {
        signs.push((KEPT.to_owned(), &why));
    }
    if packing.map.iter().any(|mapping| !mapping.written) {
        signs.push(("?".to_owned(), "never written"));
    }
    if !signs.is_empty() {
        signs.push(("·".to_owned(), "empty"));
    }
    signs.into_iter().map(|(sign, meaning)| (sign, meaning.to_owned())).collect()
}

pub(super) fn legend(page: &mut Page<'_>, labels: &Labels, signs: Vec<(String, String)>) -> io::Result<()> {
    let mut table = Table::new([Column::left(""), Column::left("")]);
    signs.into_iter().for_each(|(sign, meaning)| table.row([table::Cell::from(sign), meaning.into()]));
    for Letter { letter, name, hue } in labels.letters() {
        table.row([table::Cell::of(Meaning::Item(hue), letter), name.into()]);
    }
    page.table(&table, 5)
}
