//! Registers for both interfaces: packed paired with unpacked, filtered by a search, opened into fields.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::{Field, From, Register};
use lanescope_base::text_format::counted;
use lanescope_model::program::StageKind;
use lanescope_model::target::Target;

/// Dword address of the first context register.
const CONTEXT_FROM: u64 = 0xa000;

/// A register's identity across both interfaces.
pub type Key = (StageKind, Option<String>, String);

/// Where a register is in the table: by stage and entry point, the context's first, by address and name.
type Place<'a> = (StageKind, Option<&'a str>, bool, u64, &'a str);

/// How a value of the packed interface compares with the one as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// The same, or there is only one interface (compute).
    Same,
    /// Another value.
    Differs,
    /// Written only for the packed interface.
    Added,
    /// Written only for the interface as written.
    Gone,
}

/// One register: its place in the report for each interface.
#[derive(Debug)]
pub struct Pair {
    /// Index of the register for the interface as written.
    pub unpacked: Option<usize>,
    /// Index of the register for the packed interface, or of a compute shader's.
    pub packed: Option<usize>,
    /// What packing did to it.
    pub change: Change,
    /// The slot that an interpolant's register feeds.
    pub slot: Option<u32>,
    text: String,
    fields: Vec<String>,
}

/// One row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row {
    /// A register, by index of its pair.
    Register(usize),
    /// A field: index of the pair, index of the field.
    Field(usize, usize),
}

/// The shown contents.
#[derive(Debug, Default)]
pub struct Filter<'a> {
    /// Each must be found, in lower case.
    pub words: &'a [String],
    /// Only what packing changed.
    pub changed_only: bool,
}

/// Every register of a registers, paired.
#[derive(Debug, Default)]
pub struct Pairs {
    /// By stage; the context's registers first, since the interface is there; then by address.
    pub pairs: Vec<Pair>,
    /// Two interfaces are compared.
    pub two: bool,
    /// Several compute entry points have registers.
    pub entries: bool,
    /// A driver adds bits to some value.
    pub driver: bool,
}

impl Pairs {
    /// Pairs the registers of a report.
    pub fn new(registers: &[Register]) -> Pairs {
        let mut found: BTreeMap<Place<'_>, [Option<usize>; 2]> = BTreeMap::new();
        for (index, register) in registers.iter().enumerate() {
            let address = register.address.0;
            let entry = register.entry.as_deref();
            let key = (register.stage, entry, address < CONTEXT_FROM, address, register.name.as_ref());
            let [unpacked, packed] = found.entry(key).or_default();
            *(if register.from == From::Unpacked { unpacked } else { packed }) = Some(index);
        }
        let get = |index: Option<usize>| index.and_then(|index| registers.get(index));
        let two = registers.iter().any(|register| register.from == From::Unpacked);
        let pairs = found.into_iter().map(|((stage, entry, _, _, name), [unpacked, packed])| {
            let change = match (get(unpacked), get(packed)) {
                (Some(before), Some(after)) if before.value != after.value => Change::Differs,
                (Some(_), None) => Change::Gone,
                (None, Some(after)) if two && after.from == From::Packed => Change::Added,
                _ => Change::Same,
            };
            let either = get(packed).or(get(unpacked));
            let values = [unpacked, packed].map(get).into_iter().flatten();
            let values: Vec<_> = values.map(Register::shown).collect();
            let address = either.map(|register| register.address).unwrap_or_default();
            let stage = stage.with_entry(entry);
            let bytes = either.map(Register::byte_address).unwrap_or_default();
            let text = format!("{name} {address} {bytes} {stage} {}", values.join(" ")).to_lowercase();
            let fields = either.map(|register| register.fields.as_slice()).unwrap_or_default();
            let fields = fields.iter().map(|field| {
                let before = same_field(get(unpacked), field).map(|field| (field.shown(), &field.why));
                let (value, why) = before.unwrap_or((Cow::Borrowed(""), &field.why));
                format!("{} {} {} {value} {why}", field.name, field.shown(), field.why).to_lowercase()
            });
            let slot = name.strip_prefix("SPI_PS_INPUT_CNTL_").and_then(|index| index.parse().ok());
            Pair { unpacked, packed, change, slot, text, fields: fields.collect() }
        });
        let driver = registers.iter().any(|register| register.driver_value.is_some());
        let entries = registers.iter().any(|register| register.entry.is_some());
        Pairs { pairs: pairs.collect(), two, entries, driver }
    }

    /// Says of how many registers there are, for which target, and how many of them packing changed.
    pub fn note(&self, target: Target) -> String {
        let note = format!("{target}, {}", counted(self.pairs.len(), "register"));
        let changed = self.pairs.iter().filter(|pair| pair.change != Change::Same).count();
        if self.two { format!("{note}, {changed} changed by packing") } else { note }
    }

    /// The pairs of each stage and entry point, in their order: what it is called, and each pair with the register that
    /// [`Pair::register`] gives.
    pub fn by_stage<'a>(&'a self, registers: &'a [Register]) -> Vec<(String, Vec<(&'a Pair, &'a Register)>)> {
        let known: Vec<_> = self.pairs.iter().filter_map(|pair| Some((pair, pair.register(registers)?))).collect();
        let of_one = known.chunk_by(|(_, one), (_, next)| (one.stage, &one.entry) == (next.stage, &next.entry));
        let titled = of_one.filter_map(|all| {
            let (_, first) = all.first()?;
            Some((first.stage.with_entry(first.entry.as_deref()), all.to_vec()))
        });
        titled.collect()
    }

    /// The rows under a filter. A register that only its fields match is opened to those.
    pub fn rows(&self, registers: &[Register], filter: &Filter<'_>, open: &BTreeSet<Key>) -> Vec<Row> {
        let mut rows = Vec::new();
        for (index, pair) in self.pairs.iter().enumerate() {
            if filter.changed_only && pair.change == Change::Same {
                continue;
            }
            let plain = filter.words.iter().all(|word| pair.text.contains(word.as_str()));
            let mut fields = Vec::new();
            if is_open(registers, pair, open) {
                fields.extend(0..pair.fields.len());
            } else if !plain {
                let matches = |text: &String| {
                    filter.words.iter().all(|word| text.contains(word.as_str()) || pair.text.contains(word.as_str()))
                };
                fields.extend(pair.fields.iter().enumerate().filter(|(_, text)| matches(text)).map(|(index, _)| index));
            }
            let by_field = || {
                pair.fields.iter().any(|text| {
                    filter.words.iter().all(|word| text.contains(word.as_str()) || pair.text.contains(word.as_str()))
                })
            };
            if plain || by_field() {
                rows.push(Row::Register(index));
                rows.extend(fields.into_iter().map(|field| Row::Field(index, field)));
            }
        }
        rows
    }
}

impl Pair {
    /// The register under either interface, the packed one first.
    pub fn register<'a>(&self, registers: &'a [Register]) -> Option<&'a Register> {
        self.packed(registers).or(self.unpacked(registers))
    }

    /// The register for the packed interface, or a compute shader's.
    pub fn packed<'a>(&self, registers: &'a [Register]) -> Option<&'a Register> {
        self.packed.and_then(|index| registers.get(index))
    }

    /// The register for the interface as written.
    pub fn unpacked<'a>(&self, registers: &'a [Register]) -> Option<&'a Register> {
        self.unpacked.and_then(|index| registers.get(index))
    }

    /// The fields worth listing: those that are not 0, and those that packing changed.
    pub fn telling<'a>(&self, registers: &'a [Register]) -> Vec<(Option<&'a Field>, &'a Field)> {
        let Some(register) = self.register(registers) else { return Vec::new() };
        let unpacked = self.packed.and(self.unpacked(registers));
        let fields = register.fields.iter().map(|field| (same_field(unpacked, field), field));
        let listed = fields.filter(|(before, field)| match before {
            Some(before) if before.value != field.value => true,
            _ if field.is_mapping() => true,
            // A register that needs someone else's facts says so once, in its value.
            _ => field.value != Some(0) && (register.value.is_some() || field.value.is_some()),
        });
        listed.collect()
    }

    /// The same fields as text, in their order.
    pub fn telling_texts(&self, registers: &[Register]) -> Vec<String> {
        self.telling(registers).into_iter().map(|(before, field)| changed_field(before, field)).collect()
    }

    /// What names it in the set of opened registers.
    pub fn key(&self, registers: &[Register]) -> Option<Key> {
        self.register(registers).map(|register| (register.stage, register.entry.clone(), register.name.to_string()))
    }
}

fn is_open(registers: &[Register], pair: &Pair, open: &BTreeSet<Key>) -> bool {
    !open.is_empty() && pair.key(registers).is_some_and(|key| open.contains(&key))
}

/// A field with its value, and with the one before it where that is another: `OFFSET 1`, `OFFSET 2→1`.
pub(super) fn changed_field(before: Option<&Field>, field: &Field) -> String {
    if field.is_mapping() {
        return field.why.to_string();
    }
    match before.filter(|before| before.value != field.value) {
        Some(before) => format!("{} {}→{}", field.name, before.shown(), field.shown()),
        None => format!("{} {}", field.name, field.shown()),
    }
}

/// The field of the same name and place in another register.
pub fn same_field<'a>(register: Option<&'a Register>, field: &Field) -> Option<&'a Field> {
    register?.fields.iter().find(|other| other.lsb == field.lsb && other.name == field.name)
}
