//! Registers: one line each, packed against unpacked; the selected one with its fields and their reasons. Beside them what
//! the code object has that the program is compared with.

use lanescope_core::codeobject::Predicted;
use lanescope_core::object_prediction::{NotCompared, predicted};
use lanescope_core::options::Options;
use lanescope_core::registers::pairs::{Change, Pair, Pairs, same_field};
use lanescope_core::registers::{Register, ValueColumn};
use lanescope_core::report::Report;
use lanescope_core::table::{Cell, Meaning, elide};
use lanescope_inspector::command::Command;
use lanescope_inspector::comparing::Comparing;
use lanescope_inspector::selection::Selection;
use lanescope_pictures::packing::varying_of;
use unicode_width::UnicodeWidthStr as _;

use super::super::pane::{Link, Row, Spot};
use super::super::printable::line;
use super::{Rows, Section, wrap};

/// Columns of a value.
const VALUE: usize = 14;
/// Columns of a name, at most.
const NAME: usize = 34;

/// Columns of an object's value.
const OBJECT: usize = 24;

/// The registers of a report.
pub fn registers(out: &mut Rows, report: &Report, selection: &Selection, comparing: &Comparing<'_>) {
    let found = beside(out, report, comparing);
    let object = found.as_ref().map(Predicted::column);
    if report.registers.is_empty() {
        return out.prose("No registers: the target's table has none for these stages.");
    }
    let all = Pairs::new(&report.registers);
    out.section(Section::Heading("Registers", &all.note(report.options.target)));
    let stages = all.by_stage(&report.registers);
    let known = stages.iter().flat_map(|(_, pairs)| pairs);
    let name_width = known.map(|(_, register)| register.name.width()).max().unwrap_or(0).clamp(8, NAME);
    let dim = out.style.meaning(Meaning::Dimmed);
    let values =
        if all.two { format!("{:<VALUE$}  {:<VALUE$}", "original", "packed") } else { format!("{:<VALUE$}", "value") };
    let values = if object.is_some() { format!("{values}  {:<OBJECT$}", "object") } else { values };
    for (title, pairs) in &stages {
        let title = Row::default().with(dim, format!("   {:<name_width$} ", line(title)), None);
        let heading = title.with(dim, format!("{values}  nonzero fields"), None);
        out.rows.push(Row { heading: true, ..heading });
        for (pair, register) in pairs {
            let is_open = selection.register.as_deref() == Some(register.name.as_ref());
            let shown = Head { pair, register, two: all.two, wide: name_width, is_open, object: object.as_ref() };
            let mut row = head(out, report, shown);
            row.also = varyings(report, pair);
            out.rows.push(row);
            if is_open {
                fields(out, report, pair, register, object.as_ref());
                out.spots.push((Spot::Unfolded, out.rows.len().saturating_sub(1)));
            }
        }
    }
    if let Some(found) = &found {
        only_in_object(out, found);
    }
}

/// The registers that are not predicted at all.
fn only_in_object(out: &mut Rows, found: &Predicted) {
    let own = found.only_in_object();
    if own.rows.is_empty() {
        return;
    }
    out.prose("Only in the object:");
    for text in own.lines(out.width.saturating_sub(2)) {
        let indent = Row::default().with(anstyle::Style::new(), "  ", None);
        let row = text
            .parts
            .into_iter()
            .fold(indent, |row, (meaning, text)| row.with(out.style.meaning(meaning), text, None));
        out.rows.push(row);
    }
}

/// Says how the program compares with the object that it is beside, or why nothing is compared.
fn beside(out: &mut Rows, report: &Report, comparing: &Comparing<'_>) -> Option<Predicted> {
    let object = comparing.object?;
    let name = comparing.names[1 - comparing.shown.min(1)];
    match predicted(report, object) {
        Ok(found) => {
            out.section(Section::Heading("Code object", name));
            out.prose(&format!("{}.", found.counts_text()));
            Some(found)
        }
        Err(why) => {
            out.prose(&format!("Code object {name}: {why}."));
            if let NotCompared::OtherTarget { object, .. } = why {
                let options = Options { target: object, ..report.options.clone() };
                let go = Link::Do(vec![Command::SetOptions(Box::new(options))]);
                out.rows.push(Row::default().with(anstyle::Style::new(), format!(" Set target {object}"), Some(go)));
            }
            None
        }
    }
}

/// A cell of the object's column, with a style for its most telling part.
fn of_object(out: &Rows, cell: &Cell) -> (anstyle::Style, String) {
    let meaning = cell.parts.iter().map(|part| part.meaning).find(|meaning| *meaning == Meaning::Changed);
    let meaning = meaning.unwrap_or(Meaning::Dimmed);
    (out.style.meaning(meaning), line(&cell.text()))
}

/// The varyings that a register's slot holds.
fn varyings(report: &Report, pair: &Pair) -> Vec<Link> {
    let Some((slot, packing)) = pair.slot.zip(report.packing.as_ref()) else { return Vec::new() };
    let held = packing.map.iter().filter(|mapping| mapping.to.location.0 == slot);
    held.map(|mapping| Link::Varying(varying_of(mapping))).collect()
}

/// What the line of a register shows.
struct Head<'a> {
    pair: &'a Pair,
    register: &'a Register,
    /// Both interfaces.
    two: bool,
    /// Columns of the name.
    wide: usize,
    is_open: bool,
    object: Option<&'a ValueColumn>,
}

fn head(out: &Rows, report: &Report, shown: Head<'_>) -> Row {
    let Head { pair, register, two, wide, is_open, object } = shown;
    let (plain, dim) = (anstyle::Style::new(), out.style.meaning(Meaning::Dimmed));
    let changed = out.style.meaning(Meaning::Changed);
    let is_changed = pair.change != Change::Same;
    let row = Row::default().with(dim, if is_open { " ▼ " } else { " ▶ " }, None);
    let name = elide(&register.name, wide);
    let row = row.with(plain, name.clone(), Some(Link::Register(register.name.to_string())));
    let row = row.with(plain, " ".repeat(wide.saturating_sub(name.width()) + 1), None);
    let shown = |of: Option<&Register>| of.map_or_else(|| "—".to_owned(), Register::shown);
    let row = if two {
        let sign = if is_changed { "≠ " } else { "  " };
        let row = row.with(plain, format!("{:<VALUE$}", shown(pair.unpacked(&report.registers))), None);
        let style = if is_changed { changed } else { plain };
        row.with(style, format!("{sign}{:<VALUE$}", shown(pair.packed(&report.registers))), None)
    } else {
        row.with(plain, format!("{:<VALUE$}", shown(pair.packed(&report.registers))), None)
    };
    let row = match object {
        None => row,
        Some(object) => {
            let (style, text) = of_object(out, &object.of_register(&register.name));
            row.with(style, format!("  {:<OBJECT$}", elide(&text, OBJECT)), None)
        }
    };
    let used = row.text().width() + 2;
    let was = if pair.change == Change::Gone { "was " } else { "" };
    let text = line(&format!("{was}{}", pair.telling_texts(&report.registers).join(", ")));
    let room = out.width.saturating_sub(used).max(10);
    row.with(dim, format!("  {}", elide(&text, room)), None)
}

/// Every field with its value for both interfaces and the reason.
fn fields(out: &mut Rows, report: &Report, pair: &Pair, register: &Register, object: Option<&ValueColumn>) {
    let (plain, dim) = (anstyle::Style::new(), out.style.meaning(Meaning::Dimmed));
    let changed = out.style.meaning(Meaning::Changed);
    let address = format!("      address {}, byte address {}", register.address, register.byte_address());
    out.rows.push(Row::default().with(dim, address, None));
    let wide = register.fields.iter().map(|field| field.name.width()).max().unwrap_or(0);
    for field in &register.fields {
        let before = pair.packed(&report.registers).and(same_field(pair.unpacked(&report.registers), field));
        let differs = before.filter(|before| before.value != field.value);
        let value = match differs {
            Some(before) => format!("{} → {}", before.shown(), field.shown()),
            None => field.shown().into_owned(),
        };
        let bits = field.bits();
        let bits = bits.trim_matches(['[', ']']);
        let style = if differs.is_some() { changed } else { plain };
        let start = format!("      {bits:>5}  {:<wide$}  ", field.name);
        let value = format!("{:<14} ", line(&value));
        let (of_object_style, of_object) = match object {
            None => (plain, String::new()),
            Some(object) => {
                let (style, text) = of_object(out, &object.of_field(&register.name, &field.name));
                (style, format!("{:<OBJECT$}  ", elide(&text, OBJECT)))
            }
        };
        let indent = start.width() + value.width() + of_object.width();
        let why = line(&field.why.to_string());
        let mut pieces = wrap(&why, out.width.saturating_sub(indent).max(20)).into_iter();
        let first = pieces.next().unwrap_or_default();
        let row = Row::default().with(dim, start, None).with(style, value, None);
        let row = row.with(of_object_style, of_object, None).with(dim, first, None);
        out.rows.push(row);
        out.rows.extend(pieces.map(|piece| Row::default().with(dim, format!("{:indent$}{piece}", ""), None)));
    }
}
