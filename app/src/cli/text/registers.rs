//! The registers as text: one row per register, its relevant fields after it.

use std::collections::BTreeMap;
use std::io;

use lanescope_core::program::StageKind;
use lanescope_core::registers::{From, Register};
use lanescope_core::report::Report;
use lanescope_core::text_format::counted;
use unicode_width::UnicodeWidthStr;

use super::page::{Line, Page, elide};

/// Columns of a value: `0x00000000`.
const VALUE: usize = 10;
/// Dword address of the first context register.
const CONTEXT_FROM: u64 = 0xa000;

/// One register under both interfaces.
#[derive(Default)]
struct Pair<'a> {
    unpacked: Option<&'a Register>,
    packed: Option<&'a Register>,
}

pub fn write(page: &mut Page<'_>, report: &Report) -> io::Result<()> {
    if report.registers.is_empty() {
        return Ok(());
    }
    // By stage; the context's registers first, since the interface is there; then by address.
    let mut pairs: BTreeMap<(StageKind, Option<&str>, bool, u64, &str), Pair<'_>> = BTreeMap::new();
    for register in &report.registers {
        let address = register.address.0;
        let key = (register.stage, register.entry.as_deref(), address < CONTEXT_FROM, address, register.name.as_ref());
        let pair = pairs.entry(key).or_default();
        match register.from {
            From::Unpacked => pair.unpacked = Some(register),
            From::Packed | From::Compute => pair.packed = Some(register),
        }
    }
    let two = pairs.values().any(|pair| pair.unpacked.is_some());
    let changed = pairs.values().filter(|pair| two && pair.is_changed()).count();
    let note = format!("{}, {}", report.options.target, counted(pairs.len(), "register"));
    page.heading("Registers", &if two { format!("{note}, {changed} changed by packing") } else { note })?;

    let style = page.style;
    let name_width = pairs.keys().map(|(.., name)| name.width()).max().unwrap_or(0).clamp(4, 32);
    let columns = Columns { name: 1, value: 1 + name_width + 2 + 6 + 2, two };
    let mut stage = None;
    for ((this, entry, _, address, name), pair) in &pairs {
        if stage != Some((*this, *entry)) {
            stage = Some((*this, *entry));
            // A name may be longer than the columns before the values.
            let title = elide(&this.with_entry(*entry), name_width + 2);
            let values = Line::of(style.dim, title).to(1 + name_width + 2).styled(style.dim, "addr").to(columns.value);
            let values = if two {
                values.styled(style.dim, "unpacked").to(columns.value + VALUE + 4).styled(style.dim, "packed")
            } else {
                values.styled(style.dim, "value")
            };
            page.line(values.to(columns.fields()).styled(style.dim, "nonzero fields"))?;
        }
        let mark = if two && pair.is_changed() { Line::of(style.warning, "≠") } else { " ".into() };
        let line = Line::default()
            .to(columns.name)
            .text(elide(name, name_width))
            .to(columns.value - 8)
            .styled(style.dim, format!("0x{address:04x}"))
            .to(columns.value);
        let line = if two {
            let side = |register: Option<&Register>| value(page, register);
            line.join(side(pair.unpacked))
                .to(columns.value + VALUE + 1)
                .join(mark)
                .to(columns.value + VALUE + 4)
                .join(side(pair.packed))
        } else {
            line.join(value(page, pair.packed))
        };
        let line = line.to(columns.fields());
        page.prose(line, &pair.fields())?;
        let mut drivers: Vec<_> = [pair.unpacked, pair.packed].into_iter().flatten().collect();
        drivers.dedup_by_key(|register| register.driver_value);
        for register in &drivers {
            if let Some(driver) = register.driver_value {
                let side = if drivers.len() > 1 { format!(" ({})", register.from) } else { String::new() };
                let text = format!("with the bits that PAL adds{side}: {driver}");
                page.line(Line::default().to(columns.value).styled(style.dim, text))?;
            }
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

impl Pair<'_> {
    fn is_changed(&self) -> bool {
        let value = |register: Option<&Register>| register.map(|register| register.value);
        self.packed.is_none_or(|register| register.from != From::Compute) && value(self.unpacked) != value(self.packed)
    }

    /// The nonzero fields, and the fields that packing changed as `OFFSET 2→1`.
    fn fields(&self) -> String {
        let (Some(register), other) = (self.packed.or(self.unpacked), self.packed.and(self.unpacked)) else {
            return String::new();
        };
        let mut parts = Vec::new();
        for (index, field) in register.fields.iter().enumerate() {
            let before = other.and_then(|other| other.fields.get(index)).filter(|before| before.name == field.name);
            match (before.map(|before| before.value), field.value) {
                (Some(before), now) if before != now => {
                    parts.push(format!("{} {}→{}", field.name, number(before), number(now)));
                }
                (_, Some(0)) => {}
                // A register that needs someone else's facts says so once, in its value.
                (_, None) if register.value.is_none() => {}
                (_, now) => parts.push(format!("{} {}", field.name, number(now))),
            }
        }
        if let (None, Some(unknown)) = (register.value, register.unknown) {
            parts.insert(0, format!("needs {unknown}"));
        }
        let text: Vec<_> = parts.iter().map(|part| part.replace(' ', "\u{a0}")).collect();
        match (other, register.from) {
            (None, From::Unpacked) => format!("was {}", text.join(", ")),
            (None, _) | (Some(_), _) => text.join(", "),
        }
    }
}

/// A field's value: decimal if it is short.
fn number(value: Option<u32>) -> String {
    match value {
        None => "?".to_owned(),
        Some(value) if value > 0xfff => format!("0x{value:x}"),
        Some(value) => value.to_string(),
    }
}
