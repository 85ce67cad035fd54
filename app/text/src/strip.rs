//! A strip of memory as a line of letters, and what they stand for.

use std::io;

use lanescope_core::cost::strip::Strip;
use lanescope_core::table::Meaning;
use lanescope_core::text_format::size;

use super::labels::letters;
use super::page::{Line, Page};

/// Columns of a strip.
const CELLS: usize = 64;
/// Items that a strip has letters for.
const LETTERS: usize = 26;

/// Writes the title, the strip, and the items by letter; those without a letter are `+`.
pub(super) fn write(page: &mut Page<'_>, strip: &Strip) -> io::Result<()> {
    let items = strip.items();
    let letter = |item: usize| match items.iter().position(|(other, _)| *other == item) {
        Some(at) if at < LETTERS => letters(at),
        _ => "+".to_owned(),
    };
    page.line(Line::from(" ").text(&strip.title))?;
    let cells = strip.cells(CELLS.min(page.room().saturating_sub(2)));
    let mut line = Line::from(" ");
    for run in cells.chunk_by(|a, b| a == b) {
        let item = run.first().copied().flatten();
        let text = item.map_or(" ".to_owned(), letter).repeat(run.len());
        line = line.styled(page.style.meaning(item.map_or(Meaning::Plain, Meaning::Item)), text);
    }
    page.line(line)?;
    page.line(Line::from(" 0").to(cells.len().saturating_sub(size(strip.bytes).len()) + 1).text(size(strip.bytes)))?;
    let mut line = Line::default();
    for (item, label) in items.iter().take(LETTERS) {
        let entry =
            Line::from(" ").styled(page.style.meaning(Meaning::Item(*item)), letter(*item)).text(" ").text(label);
        if line.width() + entry.width() > page.room() {
            page.line(std::mem::take(&mut line))?;
        }
        line = line.join(entry).text(" ");
    }
    let more = items.len().saturating_sub(LETTERS);
    if more > 0 {
        line = line.text(format!(" + {more} others"));
    }
    page.line(line)
}
