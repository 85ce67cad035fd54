//! Registers as a table: packed beside unpacked, fields below their register.

use super::pairs::{Change, Pair, Pairs, Row, changed_field, same_field};
use super::{Field, Register, ValueColumn};
use crate::table::{self, Cell, Column, Key, Meaning, Part, Table, Width};

impl Change {
    /// The sign of a change with its explanation; empty where nothing changed.
    pub fn part(self) -> Part {
        let (sign, about) = match self {
            Change::Same => return Part::default(),
            Change::Differs => ("≠", "Packing changes this value"),
            Change::Added => ("+", "Written only for the packed interface"),
            Change::Gone => ("−", "No longer written: the packed interface does not have this attribute slot"),
        };
        Part::of(Meaning::Changed, sign).help(about)
    }
}

impl Pairs {
    /// Rows as a table.
    pub fn table(&self, registers: &[Register], rows: &[Row]) -> Table {
        self.table_beside(registers, rows, None)
    }

    /// Rows as a table, with a column of other values after the computed ones.
    pub fn table_beside(&self, registers: &[Register], rows: &[Row], other: Option<&ValueColumn>) -> Table {
        let mut columns = vec![
            Column::left("Register"),
            Column::left("Byte address").help("As in Mesa's headers; for a field, its bits"),
        ];
        if self.entries {
            columns.push(Column::left("Entry point").help("The compute shader that determines this value"));
        }
        if self.two {
            let about = "For the original interface, with renumbered locations";
            columns.push(Column::left("Original").help(about));
            columns.push(Column::left("Changed").width(Width::Sign));
            columns.push(Column::left("Packed").help("For the packed interface"));
        } else {
            columns.push(Column::left("Value").help("Value that the compiler writes"));
        }
        columns.extend(other.map(|other| Column::left(&other.title).help(&other.about)));
        columns.push(Column::left("With driver").help("Value including the bits that the driver adds").optional());
        let about = "Fields that are not 0, or that packing changed; hover one for the reason";
        columns.push(Column::left("Fields").help(about));
        let mut out = Table::new(columns);
        for row in rows {
            let (Row::Register(index) | Row::Field(index, _)) = row;
            let Some((pair, register)) = self.pairs.get(*index).and_then(|p| Some((p, p.register(registers)?))) else {
                continue;
            };
            let sides = [pair.unpacked(registers), pair.packed(registers)];
            match row {
                Row::Register(_) => {
                    let mut cells = vec![Cell::code(&register.name), dimmed(register.byte_address())];
                    if self.entries {
                        cells.push(register.entry.as_deref().unwrap_or_default().into());
                    }
                    if self.two {
                        cells.extend([value(sides[0], false), pair.change.part().into()]);
                    }
                    cells.push(value(sides[1], pair.change != Change::Same));
                    cells.extend(other.map(|other| other.of_register(&register.name)));
                    cells.extend([with_driver(pair, registers), fields(pair, registers)]);
                    out.push(Key::Register(register.name.to_string()), cells);
                }
                Row::Field(_, field) => {
                    let Some(field) = register.fields.get(*field) else { continue };
                    let sides = sides.map(|register| same_field(register, field));
                    let changed = self.two && pair.packed.is_some() && pair.unpacked.is_some();
                    let changed = changed && sides[0].map(|field| field.value) != sides[1].map(|field| field.value);
                    let mut cells = vec![Cell::code(&field.name), dimmed(field.bits())];
                    if self.entries {
                        cells.push(Cell::default());
                    }
                    if self.two {
                        let change = if changed { Change::Differs } else { Change::Same };
                        cells.extend([field_value(sides[0], changed), change.part().into()]);
                    }
                    let why = Cell::from(field.why.to_string()).help(reason(sides[0], field));
                    cells.push(field_value(sides[1], changed));
                    cells.extend(other.map(|other| other.of_field(&register.name, &field.name)));
                    cells.extend([Cell::default(), why]);
                    out.rows.push(table::Row { cells, level: 1, key: Key::None });
                }
            }
        }
        out
    }
}

fn dimmed(text: impl ToString) -> Cell {
    Cell::code(text).meaning(Meaning::Dimmed)
}

fn value(register: Option<&Register>, changed: bool) -> Cell {
    match register {
        None => Cell::of(Meaning::Missing, "not written"),
        Some(register) if register.value.is_none() => Cell::of(Meaning::Missing, register.shown()),
        Some(register) => Cell::code(register.shown()).meaning(if changed { Meaning::Strong } else { Meaning::Plain }),
    }
}

fn field_value(field: Option<&Field>, changed: bool) -> Cell {
    let Some(field) = field else { return Cell::default() };
    if field.value == Some(0) && !changed { dimmed(field.shown()) } else { Cell::code(field.shown()) }
}

/// The value in the hardware register.
fn with_driver(pair: &Pair, registers: &[Register]) -> Cell {
    let Some(driver) = pair.register(registers).and_then(|register| register.driver_value) else {
        return Cell::default();
    };
    let about = "Value in the hardware register, after the driver has added its bits";
    let other = pair.unpacked(registers).and_then(|unpacked| unpacked.driver_value);
    Cell::code(driver).help(match other {
        Some(other) if other != driver => format!("{about} (original: {other})"),
        _ => about.to_owned(),
    })
}

/// The telling fields, each with its reason.
fn fields(pair: &Pair, registers: &[Register]) -> Cell {
    let telling = pair.telling(registers);
    let parts = telling.iter().map(|(before, field)| {
        let text = changed_field(*before, field);
        let part = match before.is_some_and(|before| before.value != field.value) {
            true => Part { meaning: Meaning::Changed, ..Part::code(format!("≠ {text}")) },
            false => Part::code(text),
        };
        part.help(reason(*before, field))
    });
    let parts: Vec<Part> = parts.collect();
    match (parts.is_empty(), pair.register(registers)) {
        (true, Some(Register { value: Some(_), .. })) => Cell::of(Meaning::Dimmed, "all 0"),
        _ => Cell { parts, list: true, ..Cell::default() },
    }
}

/// A field's reason, and the other interface's where that is another one.
fn reason(before: Option<&Field>, field: &Field) -> String {
    let first = format!("{} {} = {}", field.name, field.bits(), field.shown());
    match before.filter(|before| before.value != field.value || before.why != field.why) {
        Some(before) => {
            let packed = format!("packed, {}: {}", field.shown(), field.why);
            format!("{first}\n{packed}\noriginal, {}: {}", before.shown(), before.why)
        }
        None => format!("{first}\n{}", field.why),
    }
}
