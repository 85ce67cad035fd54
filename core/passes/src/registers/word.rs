//! A register word composed of named fields, each with its reason.

use std::borrow::Cow;
use std::marker::PhantomData;

use super::field::Field as TypedField;
use super::field::{FieldOf, Named, OptionalField};
use super::tables::{IpTable, Row};
use super::{Field, From, Register, Unknown, Why};
use lanescope_base::ids::Hex;
use lanescope_model::program::StageKind;
use lanescope_model::target::Target;

/// The reason of a field that no rule mentions.
const UNTOUCHED: &str = "never set; always 0";

/// A register under composition. Every field of the table is there, with value 0 until it is set.
#[derive(Debug)]
pub(super) struct Draft {
    row: &'static Row,
    name: &'static str,
    address: u32,
    fields: Vec<Field>,
    /// Values that the driver puts instead of the compiler's, by index of the field.
    overlay: Vec<(usize, u32)>,
    unknown: Option<Unknown>,
}

/// The draft of register `R`: only fields of `R` can be set.
pub(super) struct Word<R> {
    draft: Draft,
    /// Index of the graphics IP.
    ip: usize,
    register: PhantomData<fn() -> R>,
}

/// Common properties of the registers of one list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Origin {
    pub target: Target,
    pub stage: StageKind,
    pub from: From,
}

impl<R: Named> Word<R> {
    /// The register, if the IP has it.
    pub fn new(table: &'static IpTable) -> Option<Word<R>> {
        let (name, row) = table.named(R::NAME)?;
        Some(Word::of(table, row, name, row.address))
    }

    /// The elements of an array of registers, as many as the IP has.
    pub fn elements(table: &'static IpTable) -> impl Iterator<Item = Word<R>> + use<R> {
        let element = |row: &'static Row| (0..).zip(&row.elements).map(move |(n, name)| (row, name, n));
        let elements = table.register(R::NAME).into_iter().flat_map(element);
        elements.map(move |(row, name, n)| Word::of(table, row, name, row.address.saturating_add(n)))
    }

    fn of(table: &'static IpTable, row: &'static Row, name: &'static str, address: u32) -> Word<R> {
        let fields = row.fields.iter().map(|field| Field {
            name: Cow::Borrowed(field.name.as_str()),
            lsb: field.lsb,
            width: field.width,
            value: Some(0),
            why: Why::from(UNTOUCHED),
        });
        let fields = fields.collect();
        let draft = Draft { row, name, address, fields, overlay: Vec::new(), unknown: None };
        Word { draft, ip: table.index, register: PhantomData }
    }

    /// Sets a field. A value that does not fit becomes the largest that does.
    pub fn set(&mut self, field: TypedField<R>, value: u32, why: impl Into<Why>) -> &mut Self {
        self.set_if_present(field.optional(), value, why)
    }

    /// Sets a field on the IPs that have it.
    pub fn set_if_present(&mut self, field: OptionalField<R>, value: u32, why: impl Into<Why>) -> &mut Self {
        if let Some((at, max)) = self.find(field) {
            let (why, set) = (why.into(), &mut self.draft.fields[at]);
            set.value = Some(value.min(max));
            set.why = if value > max { format!("{why}; {value} does not fit").into() } else { why };
        }
        self
    }

    /// Leaves a field open where the IP has it: its value needs facts that are not here.
    pub fn open(&mut self, field: impl FieldOf<R>, needs: Unknown, why: impl Into<Why>) -> &mut Self {
        if let Some((at, _)) = self.find(field) {
            self.draft.fields[at].value = None;
            self.draft.fields[at].why = why.into();
            self.draft.unknown.get_or_insert(needs);
        }
        self
    }

    /// Notes the driver's value of a field, where the IP has it, if it is not the compiler's.
    pub fn driver(&mut self, field: impl FieldOf<R>, value: u32, why: &'static str) -> &mut Self {
        if let Some((at, max)) = self.find(field) {
            self.draft.fields[at].why.driven(value, why);
            self.draft.overlay.push((at, value.min(max)));
        }
        self
    }

    /// The draft, to be finished with those of other registers.
    pub fn draft(self) -> Draft {
        self.draft
    }

    /// Index and largest value of a field.
    fn find(&self, field: impl FieldOf<R>) -> Option<(usize, u32)> {
        let at = field.index(self.ip)?;
        Some((at, self.draft.row.fields.get(at)?.max()))
    }
}

impl Draft {
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
