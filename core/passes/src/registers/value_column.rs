//! Values of registers from elsewhere, as a column beside those that were computed.

use std::collections::{BTreeMap, BTreeSet};

use crate::table::Cell;

/// Cells by register and field.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ValueColumn {
    /// The title: where the values are from.
    pub title: String,
    /// The explanation of the title.
    pub about: String,
    registers: BTreeMap<String, Cell>,
    fields: BTreeMap<(String, String), Cell>,
    differing: BTreeSet<String>,
}

impl ValueColumn {
    /// A column without cells.
    pub fn new(title: impl Into<String>, about: impl Into<String>) -> ValueColumn {
        ValueColumn { title: title.into(), about: about.into(), ..ValueColumn::default() }
    }

    /// Sets the cell of a register; `differs` where one of its values differs from the computed one.
    pub fn set_register(&mut self, register: &str, cell: Cell, differs: bool) {
        self.registers.insert(register.to_owned(), cell);
        if differs {
            self.differing.insert(register.to_owned());
        }
    }

    /// Sets the cell of a register's field.
    pub fn set_field(&mut self, register: &str, field: &str, cell: Cell) {
        self.fields.insert((register.to_owned(), field.to_owned()), cell);
    }

    /// The cell of a register; empty where none was set.
    pub fn of_register(&self, register: &str) -> Cell {
        self.registers.get(register).cloned().unwrap_or_default()
    }

    /// The cell of a register's field; empty where none was set.
    pub fn of_field(&self, register: &str, field: &str) -> Cell {
        self.fields.get(&(register.to_owned(), field.to_owned())).cloned().unwrap_or_default()
    }

    /// Whether a value of the register differs from the computed one.
    pub fn differs(&self, register: &str) -> bool {
        self.differing.contains(register)
    }

    /// How many registers have a value that differs.
    pub fn differing(&self) -> usize {
        self.differing.len()
    }
}
