//! The registers as text: one row per register, its relevant fields after it.

use std::io;

use lanescope_core::registers::pairs::{Change, Pair, Pairs};
use lanescope_core::registers::{From, Register};
use lanescope_core::report::Report;
use unicode_width::UnicodeWidthStr;

use super::page::{Line, Page, Target};

/// Columns of a value: `0x00000000`.
const VALUE: usize = 10;
/// Columns of a byte address: as many as its title has.
const ADDRESS: usize = 9;
/// Columns of a page that shows addresses.
const ROOM_FOR_ADDRESSES: usize = 96;

/// Writes the section, where there are registers.
pub fn write(page: &mut Page<'_>, report: &Report) -> io::Result<()> {
    if report.registers.is_empty() {
        return Ok(());
    }
    let all = Pairs::new(&report.registers);
    page.heading("Registers", &all.note(report.options.target))?;

    let style = page.style;
    let stages = all.by_stage(&report.registers);
    let name_width = stages
        .iter()
        .flat_map(|(_, pairs)| pairs)
        .map(|(_, register)| register.name.width())
        .max()
        .unwrap_or(0)
        .clamp(4, if page.style.whole { usize::MAX } else { 32 });
    // A narrow page has no room for addresses.
    let has_addresses = page.room() >= ROOM_FOR_ADDRESSES;
    let address = if has_addresses { ADDRESS + 2 } else { 0 };
    let columns = Columns { name: 1, value: 1 + name_width + 2 + address, two: all.two };
    for (title, pairs) in &stages {
        // A name may be longer than the columns before the values.
        let title = page.elide(title, name_width + 2);
        let values = Line::of(style.dim, title).to(1 + name_width + 2);
        let values = if has_addresses { values.styled(style.dim, "byte addr") } else { values };
        let values = values.to(columns.value);
        let values = if all.two {
            values.styled(style.dim, "original").to(columns.value + VALUE + 4).styled(style.dim, "packed")
        } else {
            values.styled(style.dim, "value")
        };
        page.line(values.to(columns.fields()).styled(style.dim, "nonzero fields"))?;
        for (pair, register) in pairs {
            let line = Line::default()
                .to(columns.name)
                .targeted(
                    anstyle::Style::new(),
                    page.elide(&register.name, name_width),
                    Some(Target::Register(register.name.to_string())),
                )
                .to(columns.value - address);
            let line = match has_addresses {
                true => line.styled(style.dim, register.byte_address().to_string()).to(columns.value),
                false => line,
            };
            one(page, report, pair, line, &columns)?;
        }
    }
    Ok(())
}

/// Writes a register's values and fields after its name, and the values with the driver's bits below.
fn one(page: &mut Page<'_>, report: &Report, pair: &Pair, line: Line, columns: &Columns) -> io::Result<()> {
    let style = page.style;
    let sides = [pair.unpacked(&report.registers), pair.packed(&report.registers)];
    let line = if columns.two {
        let mark = if pair.change != Change::Same { Line::of(style.warning, "≠") } else { " ".into() };
        line.join(value(page, sides[0]))
            .to(columns.value + VALUE + 1)
            .join(mark)
            .to(columns.value + VALUE + 4)
            .join(value(page, sides[1]))
    } else {
        line.join(value(page, sides[1]))
    };
    page.prose(line.to(columns.fields()), &fields(report, pair))?;
    let mut drivers: Vec<_> = sides.into_iter().flatten().collect();
    drivers.dedup_by_key(|register| register.driver_value);
    for register in &drivers {
        if let Some(driver) = register.driver_value {
            let side = if register.from == From::Unpacked { "original" } else { "packed" };
            let side = if drivers.len() > 1 { format!(" ({side})") } else { String::new() };
            let text = format!("with the bits that PAL adds{side}: {driver}");
            page.line(Line::default().to(columns.value).styled(style.dim, text))?;
        }
    }
    Ok(())
}

struct Columns {
    name: usize,
    value: usize,
    two: bool,
}

impl Columns {
    fn fields(&self) -> usize {
        self.value + if self.two { 2 * VALUE + 4 } else { VALUE } + 2
    }
}

fn value(page: &Page<'_>, register: Option<&Register>) -> Line {
    let dim = page.style.dim;
    match register {
        None => Line::of(dim, "—"),
        Some(Register { value: Some(value), .. }) => Line::from(value.to_string()),
        Some(_) => Line::of(dim, "unknown"),
    }
}

/// The fields that are not 0, and the fields that packing changed as `OFFSET 2→1`.
fn fields(report: &Report, pair: &Pair) -> String {
    let Some(register) = pair.register(&report.registers) else { return String::new() };
    let parts = pair.telling_texts(&report.registers);
    let needs = register.unknown.filter(|_| register.value.is_none()).map(|unknown| format!("needs {unknown}"));
    let parts = needs.into_iter().chain(parts).map(|part| part.replace(' ', "\u{a0}"));
    let text = parts.collect::<Vec<_>>().join(", ");
    if pair.change == Change::Gone { format!("was {text}") } else { text }
}
