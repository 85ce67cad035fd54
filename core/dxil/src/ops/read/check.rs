//! The rules inside one table: what DXC's own generator checks, and what its shader models promise.

use std::collections::BTreeMap;

use super::super::opcode::{TableKind, Version};
use super::super::symbol::TypeSymbol;
use super::super::table::{Database, Op};
use super::draft::{coarse, overloads};
use super::{MOST_NOTES, Note};
use crate::findings::Severity;

/// The op whose operands may differ from the others of its class.
const EXCUSED: &str = "WavePrefixBitCount";

/// Checks tables by themselves; notes have no line.
pub fn check_table(database: &Database) -> Vec<Note> {
    let mut checker = Checker { notes: Vec::new() };
    let slots = || database.tables.iter().flat_map(|table| &table.ops);
    let live = || slots().filter(|op| !op.reserved);
    for op in live() {
        checker.overloads(op);
    }
    checker.models(live(), database);
    checker.classes(live());
    let mut names: BTreeMap<&str, &Op> = BTreeMap::new();
    for op in slots() {
        if let Some(first) = names.insert(&op.name, op) {
            let (first, second) = (first.opcode.shown(), op.opcode.shown());
            checker.say(Severity::Error, format!("{} is the name of {first} and of {second}", op.name));
        }
    }
    checker.sizes(database);
    checker.notes.truncate(MOST_NOTES);
    checker.notes
}

struct Checker {
    notes: Vec<Note>,
}

impl Checker {
    fn say(&mut self, severity: Severity, text: String) {
        self.notes.push(Note { severity, file: String::new(), line: None, text });
    }

    /// Letters are known, and types of the prototype use each dimension.
    fn overloads(&mut self, op: &Op) {
        let name = &op.name;
        let dimensions = match overloads(&op.overload_string) {
            Ok((_, dimensions)) => dimensions.len(),
            Err(why) => return self.say(Severity::Error, format!("{name}: {why}")),
        };
        let types: Vec<TypeSymbol> =
            std::iter::once(op.returns).chain(op.operands.iter().skip(1).map(|operand| operand.type_symbol)).collect();
        if types.contains(&TypeSymbol::Unknown) {
            return;
        }
        let uses = types.iter().any(|symbol| symbol.name().starts_with('$'));
        let extended = types.iter().filter_map(|symbol| extended(*symbol));
        let extended: Vec<usize> = extended.collect();
        let in_order = extended.iter().enumerate().all(|(at, dimension)| at == *dimension);
        let message = match dimensions {
            0 if uses => "has an overloaded type but no overload (`v`)".to_owned(),
            1.. if !uses => format!("has overloads `{}` but no overloaded type", op.overload_string),
            2.. if !in_order || extended.len() != dimensions => {
                format!("expected the types $x0 to $x{} in this order", dimensions - 1)
            }
            _ => return,
        };
        self.say(Severity::Error, format!("{name}: {message}"));
    }

    /// Experimental ops are of a model that is not released, stable ones of a released one.
    fn models<'o>(&mut self, ops: impl Iterator<Item = &'o Op>, database: &Database) {
        let released = database.source.released_shader_model;
        let (mut early, mut late) = (Vec::new(), Vec::new());
        for op in ops {
            let Some(since) = op.since else { continue };
            if op.is_experimental() && since <= released {
                early.push((op, since));
            }
            // A slot after the last size, or of a DXIL in work, is in work itself.
            if !op.is_experimental() && since > released && op.dxil_version.is_some() && !is_in_work(op, database) {
                late.push((op, since));
            }
        }
        for (kind, found) in [("experimental", early), ("stable", late)] {
            let Some((first, since)) = found.first() else { continue };
            let more = if found.len() > 1 { format!(" and {} more", found.len() - 1) } else { String::new() };
            let name = &first.name;
            let text = format!("{name}{more}: {kind}, of shader model {since}, but {released} is the newest released");
            self.say(Severity::Warning, text);
        }
    }

    /// All ops of a class have one attribute and one prototype, and all of them are overloaded or none.
    fn classes<'o>(&mut self, ops: impl Iterator<Item = &'o Op>) {
        let mut first: BTreeMap<&str, &Op> = BTreeMap::new();
        for op in ops.filter(|op| op.name != EXCUSED) {
            let Some(other) = first.get(op.class.as_str()) else {
                first.insert(&op.class, op);
                continue;
            };
            let (name, class) = (&op.name, &op.class);
            if other.attribute != op.attribute {
                let (theirs, ours) = (other.attribute, op.attribute);
                let text = format!("class {class}: {} is {theirs}, {name} is {ours}", other.name);
                self.say(Severity::Error, text);
            }
            if prototype(other) != prototype(op) {
                let text = format!("class {class}: {} and {name} have other operand types", other.name);
                self.say(Severity::Error, text);
            }
            if other.overloads.is_empty() != op.overloads.is_empty() {
                let text = format!("class {class}: only one of {} and {name} is overloaded", other.name);
                self.say(Severity::Error, text);
            }
        }
    }

    /// Sizes ascend with versions, and the table does not end before the last.
    fn sizes(&mut self, database: &Database) {
        let sizes = &database.core_table_size_by_dxil_version;
        if !sizes.values().is_sorted() {
            self.say(Severity::Error, "the sizes of the stable table do not ascend with the DXIL versions".to_owned());
        }
        let Some((version, size)) = sizes.last_key_value() else { return };
        let stable = database.tables.iter().find(|table| table.feature_id == TableKind::Stable.feature());
        let count = stable.map_or(0, |table| table.ops.len());
        if count < usize::from(*size) {
            let text = format!("the stable table has {count} slots, but {size} for DXIL {version}");
            self.say(Severity::Error, text);
        }
        if count > usize::from(*size) {
            let more = count - usize::from(*size);
            let text = format!("{more} stable slots from {size} on are in no DXIL version: they are in work");
            self.say(Severity::Note, text);
        }
    }
}

/// Whether the slot's DXIL is newer than the released one.
fn is_in_work(op: &Op, database: &Database) -> bool {
    op.dxil_version.is_some_and(|version: Version| version > database.source.released_dxil_version)
}

/// The dimension of an extended overload.
fn extended(symbol: TypeSymbol) -> Option<usize> {
    match symbol {
        TypeSymbol::Dimension0 => Some(0),
        TypeSymbol::Dimension1 | TypeSymbol::Groupshared1 => Some(1),
        TypeSymbol::Dimension2 => Some(2),
        TypeSymbol::Dimension3 => Some(3),
        _ => None,
    }
}

fn prototype(op: &Op) -> Vec<TypeSymbol> {
    let operands = op.operands.iter().map(|operand| operand.type_symbol);
    std::iter::once(op.returns).chain(operands).map(coarse).collect()
}
