//! A register word composed of named fields, each with its reason.

use std::borrow::Cow;

use super::tables::{FieldRow, IpTable, Row};
use super::{Field, From, Register, Unknown, Why};
use lanescope_base::ids::Hex;
use lanescope_model::program::StageKind;
use lanescope_model::target::Target;

/// The reason of a field that no rule mentions.
const UNTOUCHED: &str = "never set; always 0";

/// A word in the making. Every field of the table is there, with value 0 until it is set.
#[derive(Debug)]
pub(super) struct Word {
    row: &'static Row,
    name: &'static str,
    address: u32,
    fields: Vec<Field>,
    /// After the field that was found last: rules go through most registers in the order of the table.
    next: usize,
    /// Values that the driver puts instead of the compiler's, by index of the field.
    overlay: Vec<(usize, u32)>,
    unknown: Option<Unknown>,
}

/// Common properties of the registers of one list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Origin {
    pub target: Target,
    pub stage: StageKind,
    pub from: From,
}

impl Word {
    /// A register, if the IP has it.
    pub fn new(table: &'static IpTable, name: &str) -> Option<Word> {
        let (name, row) = table.named(name)?;
        Some(Word::of(row, name, row.address))
    }

    /// The elements of an array of registers, as many as the IP has.
    pub fn elements(table: &'static IpTable, name: &str) -> impl Iterator<Item = Word> + use<> {
        let element = |row: &'static Row| (0..).zip(&row.elements).map(move |(n, name)| (row, name, n));
        let elements = table.register(name).into_iter().flat_map(element);
        elements.map(|(row, name, n)| Word::of(row, name, row.address.saturating_add(n)))
    }

    fn of(row: &'static Row, name: &'static str, address: u32) -> Word {
        let fields = row.fields.iter().map(|field| Field {
            name: Cow::Borrowed(field.name.as_str()),
            lsb: field.lsb,
            width: field.width,
            value: Some(0),
            why: Why::from(UNTOUCHED),
        });
        let fields = fields.collect();
        Word { row, name, address, fields, next: 0, overlay: Vec::new(), unknown: None }
    }

    /// Sets a field that this IP's register must have. A value that does not fit becomes the largest that does.
    pub fn set(&mut self, field: &str, value: u32, why: impl Into<Why>) -> &mut Self {
        let at = self.find(field);
        self.set_at(at, value, why)
    }

    /// Sets a field on the IPs that have it.
    pub fn set_if_there(&mut self, field: &str, value: u32, why: impl Into<Why>) -> &mut Self {
        let at = self.position(field);
        self.set_at(at, value, why)
    }

    fn set_at(&mut self, at: Option<usize>, value: u32, why: impl Into<Why>) -> &mut Self {
        if let Some(at) = at {
            let (why, max) = (why.into(), self.row.fields[at].max());
            self.fields[at].value = Some(value.min(max));
            self.fields[at].why = if value > max { format!("{why}; {value} does not fit").into() } else { why };
        }
        self
    }

    /// Leaves a field open: its value needs facts that are not here.
    pub fn open(&mut self, field: &str, needs: Unknown, why: impl Into<Why>) -> &mut Self {
        if let Some(at) = self.find(field) {
            self.fields[at].value = None;
            self.fields[at].why = why.into();
            self.unknown.get_or_insert(needs);
        }
        self
    }

    /// Says what the driver puts into a field instead of the compiler's value.
    pub fn driver(&mut self, field: &str, value: u32, why: &'static str) -> &mut Self {
        if let Some(at) = self.find(field) {
            self.fields[at].why.driven(value, why);
            self.overlay.push((at, value.min(self.row.fields[at].max())));
        }
        self
    }

    /// Whether this IP's register has the field.
    pub fn has(&self, field: &str) -> bool {
        self.row.fields.iter().any(|f| f.name == field)
    }

    /// Index of a field, if this IP's register has it.
    fn position(&mut self, field: &str) -> Option<usize> {
        let (before, behind) = self.row.fields.split_at_checked(self.next)?;
        let found = |fields: &[FieldRow]| fields.iter().position(|f| f.name == field);
        let at = found(behind).map(|at| before.len() + at).or_else(|| found(before))?;
        self.next = at + 1;
        Some(at)
    }

    /// Index of a field that this IP's register must have.
    fn find(&mut self, field: &str) -> Option<usize> {
        let at = self.position(field);
        // A rule that names a field which the register lacks is a mistake here, not in the input: tests must see it.
        assert!(at.is_some() || !cfg!(test), "{} has no field {field}", self.name);
        at
    }

    /// The register.
    pub fn finish(mut self, origin: Origin) -> Register {
        for (field, row) in self.fields.iter_mut().zip(&self.row.fields) {
            if let Some(meaning) = field.value.and_then(|value| row.values.get(&value)) {
                field.why.called(meaning);
            }
        }
        let value = self.value(&[]);
        // A field keeps the compiler's value; its reason names the driver's.
        let driver = if self.overlay.is_empty() { None } else { self.value(&self.overlay) };
        let driver = driver.filter(|driver| Some(*driver) != value);
        Register {
            target: origin.target,
            stage: origin.stage,
            entry: None,
            name: Cow::Borrowed(self.name),
            address: Hex(u64::from(self.address)),
            value: value.map(|word| Hex(u64::from(word))),
            from: origin.from,
            unknown: self.unknown,
            driver_value: driver.map(|word| Hex(u64::from(word))),
            fields: self.fields,
        }
    }

    /// The word that the fields make, with the later values instead of theirs; absent where one is unknown.
    fn value(&self, overlay: &[(usize, u32)]) -> Option<u32> {
        let mut word = 0;
        for (at, field) in self.fields.iter().enumerate() {
            let over = overlay.iter().rev().find(|(index, _)| *index == at).map(|(_, value)| *value);
            word |= over.or(field.value)?.checked_shl(field.lsb).unwrap_or(0);
        }
        Some(word)
    }
}
