//! `utils/hct/hctdb.py` of DXC: the statements that fill its op tables, by a restricted reader of Python.
//!
//! The number of an op is its place in its table, so that a statement that may add ops and is not understood is an error;
//! any other is a note.

use std::collections::BTreeMap;

use super::super::opcode::{TableKind, Version};
use super::super::symbol::TypeSymbol;
use super::super::table::{Attribute, Flag, Operand};
use super::draft::{Draft, MOST_SLOTS, Slot};
use super::python::{Expr, Line, Token, expression, lines};
use super::{Note, Text, Unreadable};
use crate::findings::Severity;

/// Statements that are followed: loops multiply them.
const MOST_STATEMENTS: usize = 1_000_000;

/// Loops and conditions inside others.
const MOST_NESTED: usize = 16;

/// Functions that add slots.
const ADDS: [&str; 3] = ["add_dxil_op", "add_dxil_op_reserved", "reserve_dxil_op_range"];

/// Methods that add ops, in the order in which they run.
const OPS: [&str; 2] = ["populate_CoreOps", "populate_ExperimentalOps"];

/// Methods that set what ops have.
const MODELS: [&str; 3] =
    ["finalize_dxil_operations", "populate_categories_and_models", "populate_categories_and_models_ExperimentalOps"];

/// The method of the form before December 2025.
const EARLIER: &str = "populate_dxil_operations";

/// Reads both tables.
///
/// # Errors
///
/// A method is missing, or a statement that adds ops is not understood.
pub fn read(text: &Text, notes: &mut Vec<Note>) -> Result<Draft, Unreadable> {
    let all = lines(&text.text);
    let mut reader = Reader {
        file: &text.name,
        notes,
        draft: Draft::default(),
        table: None,
        values: BTreeMap::new(),
        index: BTreeMap::new(),
        statements: 0,
    };
    for name in OPS {
        let Some(body) = method(&all, name) else {
            let line = all.iter().find(|line| is_method(line, EARLIER)).map(|line| line.number);
            let earlier = line.map_or("", |_| "; the form before December 2025 is not read");
            let why = format!("expected the method {name}{earlier}");
            return Err(Unreadable { file: text.name.clone(), line, why });
        };
        reader.values.clear();
        reader.block(body, true, 0)?;
    }
    reader.find_names();
    for name in MODELS {
        let Some(body) = method(&all, name) else {
            reader.note(Severity::Warning, None, format!("the method {name} was not found"));
            continue;
        };
        reader.values.clear();
        reader.block(body, false, 0)?;
    }
    Ok(reader.draft)
}

fn is_method(line: &Line, name: &str) -> bool {
    matches!(line.tokens.as_slice(), [Token::Name(def), Token::Name(found), ..] if def == "def" && found == name)
}

/// The lines of a method.
fn method<'l>(all: &'l [Line], name: &str) -> Option<&'l [Line]> {
    let start = all.iter().position(|line| is_method(line, name))?;
    Some(body(all.get(start..)?))
}

/// The lines that belong to the first one: those after it that are further to the right.
fn body(lines: &[Line]) -> &[Line] {
    let Some((head, rest)) = lines.split_first() else { return &[] };
    let length = rest.iter().position(|line| line.indent <= head.indent).unwrap_or(rest.len());
    rest.get(..length).unwrap_or_default()
}

/// The value of an expression.
#[derive(Debug, Clone, PartialEq)]
enum Value {
    Text(String),
    Number(u32),
    Bool(bool),
    List(Vec<Value>),
    Parameter(Box<Parameter>),
    Unknown,
}

/// `db_dxil_param(…)`.
#[derive(Debug, Clone, PartialEq)]
struct Parameter {
    position: u32,
    type_text: String,
    name: String,
    immediate: bool,
    enumeration: Option<String>,
    max: Option<u32>,
}

struct Reader<'t> {
    file: &'t str,
    notes: &'t mut Vec<Note>,
    draft: Draft,
    /// The table that ops are added to.
    table: Option<usize>,
    values: BTreeMap<String, Value>,
    /// Slots by name: table and index.
    index: BTreeMap<String, (usize, usize)>,
    statements: usize,
}

impl Reader<'_> {
    fn note(&mut self, severity: Severity, line: Option<usize>, text: String) {
        self.notes.push(Note { severity, file: self.file.to_owned(), line, text });
    }

    fn error(&self, line: &Line, why: impl Into<String>) -> Unreadable {
        Unreadable { file: self.file.to_owned(), line: Some(line.number), why: why.into() }
    }

    /// A statement that is not understood.
    fn unknown(&mut self, head: &Line, body: &[Line], adds: bool) -> Result<(), Unreadable> {
        if std::iter::once(head).chain(body).any(|line| line.has_name(&ADDS)) {
            return Err(self.error(head, "expected a known form of statement: numbers of ops depend on this one"));
        }
        let (severity, more) = match adds && head.tokens.contains(&Token::Sign('(')) {
            true => (Severity::Warning, "; if it adds ops, the numbers after it are wrong"),
            false => (Severity::Note, ""),
        };
        let text = format!("statement `{}` is not understood{more}", shown(head));
        self.note(severity, Some(head.number), text);
        Ok(())
    }

    /// Follows the statements of a method or a loop. `adds` is whether they add ops.
    fn block(&mut self, lines: &[Line], adds: bool, depth: usize) -> Result<(), Unreadable> {
        let mut at = 0;
        // Whether a branch of the condition at hand was taken; absent if the condition is not known.
        let mut taken: Option<bool> = None;
        while let Some(head) = lines.get(at) {
            let inner = body(lines.get(at..).unwrap_or_default());
            at += 1 + inner.len();
            self.statements += 1;
            if self.statements > MOST_STATEMENTS || depth > MOST_NESTED {
                return Err(self.error(head, "too many or too deeply nested statements"));
            }
            match head.first() {
                // The generator sorts its tables and checks them.
                _ if !adds && head.has_name(&["op_tables"]) => {}
                "for" => self.for_loop(head, inner, adds, depth)?,
                "if" | "elif" | "else" => {
                    let before = if head.first() == "if" { Some(false) } else { taken };
                    let holds = if head.first() == "else" { Some(true) } else { self.condition(head) };
                    match (before, holds) {
                        (Some(true), _) => {}
                        (Some(false), Some(holds)) => {
                            taken = Some(holds);
                            if holds {
                                self.block(inner, adds, depth + 1)?;
                            }
                        }
                        _ => {
                            taken = None;
                            self.unknown(head, inner, adds)?;
                        }
                    }
                }
                // A helper for counters, which say nothing about ops.
                "def" => {}
                "assert" => self.assert(head, adds)?,
                // The checks of the generator are made on the finished tables.
                "import" | "raise" => {}
                _ if matches!(head.tokens.as_slice(), [Token::Text(_)]) => {}
                _ if inner.is_empty() => self.simple(head, adds)?,
                _ => self.unknown(head, inner, adds)?,
            }
        }
        Ok(())
    }

    /// `i.name.startswith("Wave")`.
    fn condition(&self, head: &Line) -> Option<bool> {
        let (last, tokens) = head.tokens.get(1..)?.split_last()?;
        let Expr::Call(callee, arguments, _) = expression(tokens).filter(|_| *last == Token::Sign(':'))? else {
            return None;
        };
        let Expr::Member(of, method) = *callee else { return None };
        let of = match *of {
            Expr::Member(of, name) if name == "name" => *of,
            other => other,
        };
        match (self.value(&of), arguments.first().map(|argument| self.value(argument))) {
            (Value::Text(name), Some(Value::Text(start))) if method == "startswith" => Some(name.starts_with(&start)),
            _ => None,
        }
    }

    fn for_loop(&mut self, head: &Line, inner: &[Line], adds: bool, depth: usize) -> Result<(), Unreadable> {
        let names = self.items(head);
        // Loops of the generator's own checks change nothing.
        let Some((variable, names)) = names else {
            let is_check = !adds && !inner.iter().any(|line| line.tokens.contains(&Token::Sign('=')));
            return if is_check { Ok(()) } else { self.unknown(head, inner, adds) };
        };
        for name in names {
            self.values.insert(variable.clone(), Value::Text(name));
            self.block(inner, adds, depth + 1)?;
        }
        self.values.remove(&variable);
        Ok(())
    }

    /// The variable of a loop, and the names that it takes.
    fn items(&self, head: &Line) -> Option<(String, Vec<String>)> {
        let at = head.tokens.iter().position(|token| *token == Token::Name("in".to_owned()))?;
        let variable = match expression(head.tokens.get(1..at)?)? {
            Expr::Name(name) => name,
            _ => return None,
        };
        let (last, tokens) = head.tokens.get(at + 1..)?.split_last()?;
        let Expr::Call(callee, arguments, _) = expression(tokens).filter(|_| *last == Token::Sign(':'))? else {
            return None;
        };
        let names = match (&*callee, arguments.as_slice()) {
            (Expr::Member(of, method), [Expr::Text(comma)]) if method == "split" && comma == "," => {
                let Value::Text(text) = self.value(of) else { return None };
                text.split(',').map(str::to_owned).collect()
            }
            (callee, _) if matches!(callee.last_name(), "insts" | "get_insts_by_names") => {
                let texts = arguments.iter().map(|argument| match self.value(argument) {
                    Value::Text(text) => Some(text),
                    _ => None,
                });
                let texts: Vec<String> = texts.collect::<Option<_>>()?;
                texts.iter().flat_map(|text| text.split(',')).map(|name| name.trim().to_owned()).collect()
            }
            (callee, []) if callee.last_name() == "get_dxil_ops" => {
                self.draft.slots.iter().flatten().map(|slot| slot.name.clone()).collect()
            }
            _ => return None,
        };
        Some((variable, names))
    }

    /// `assert op_count == 312, …`.
    fn assert(&mut self, head: &Line, adds: bool) -> Result<(), Unreadable> {
        let [_, Token::Name(name), Token::Sign('='), Token::Sign('='), Token::Number(expected), ..] =
            head.tokens.as_slice()
        else {
            return if adds { self.unknown(head, &[], adds) } else { Ok(()) };
        };
        if let Some(Value::Number(found)) = self.values.get(name)
            && found != expected
        {
            let text = format!("expected {expected} slots, found {found}");
            self.note(Severity::Error, Some(head.number), text);
        }
        Ok(())
    }

    fn simple(&mut self, head: &Line, adds: bool) -> Result<(), Unreadable> {
        let assign = head.tokens.iter().position(|token| *token == Token::Sign('='));
        // An equals sign inside brackets names an argument.
        let assign = assign.filter(|at| expression(head.tokens.get(..*at).unwrap_or_default()).is_some());
        let right = expression(head.tokens.get(assign.map_or(0, |at| at + 1)..).unwrap_or_default());
        let left = assign.and_then(|at| expression(head.tokens.get(..at)?));
        let Some(right) = right else { return self.unknown(head, &[], adds) };
        if let Some(Expr::Member(of, field)) = &left
            && let Some(name) = self.op_of(of)
        {
            let value = self.value(&right);
            return self.field(head, &name, field, value);
        }
        let value = match &right {
            Expr::Call(callee, arguments, named) => match self.call(head, callee.last_name(), arguments, named)? {
                Some(value) => value,
                None => return self.unknown(head, &[], adds),
            },
            // Other names of functions and tables.
            Expr::Name(_) | Expr::Member(..) => return Ok(()),
            other => self.value(other),
        };
        match left {
            Some(Expr::Name(name)) => {
                if name == "experimental_sm" {
                    self.draft.experimental_model = version(&value);
                }
                self.values.insert(name, value);
                Ok(())
            }
            Some(Expr::Member(..)) | None => Ok(()),
            Some(_) => self.unknown(head, &[], adds),
        }
    }

    /// The op that a field is of: `self.name_idx[i]`, or `i`.
    fn op_of(&self, of: &Expr) -> Option<String> {
        let key = match of {
            Expr::Index(of, key) if of.last_name() == "name_idx" => key,
            Expr::Name(_) => of,
            _ => return None,
        };
        match self.value(key) {
            Value::Text(name) => Some(name),
            _ => None,
        }
    }

    /// A call as a statement, or on the right of an assignment; absent if it is not known.
    fn call(
        &mut self,
        head: &Line,
        name: &str,
        arguments: &[Expr],
        named: &[(String, Expr)],
    ) -> Result<Option<Value>, Unreadable> {
        let values: Vec<Value> = arguments.iter().map(|argument| self.value(argument)).collect();
        match (name, values.as_slice()) {
            ("add_dxil_op_table", [Value::Number(id), Value::Text(name), ..]) => {
                let known = TableKind::ALL.iter().position(|kind| u32::from(kind.feature().0) == *id);
                let table = known.ok_or_else(|| self.error(head, format!("table {id:#06x} is not known")))?;
                if let Some(taken) = self.draft.names.get_mut(table) {
                    name.clone_into(taken);
                }
                self.table = Some(table);
                Ok(Some(Value::Unknown))
            }
            (
                "add_dxil_op",
                [
                    Value::Text(name),
                    Value::Text(class),
                    _,
                    Value::Text(overloads),
                    Value::Text(attribute),
                    Value::List(list),
                ],
            ) => {
                let slot = self.op(head, [name, class, overloads, attribute], list)?;
                self.add(head, slot)?;
                Ok(Some(Value::Unknown))
            }
            ("add_dxil_op_reserved", [Value::Text(name)]) => {
                self.add(head, Slot::reserved(name.clone()))?;
                Ok(Some(Value::Unknown))
            }
            ("reserve_dxil_op_range", [Value::Text(group), Value::Number(count), first @ ..]) => {
                let first = match first {
                    [] => 0,
                    [Value::Number(first)] => *first,
                    _ => return Err(self.error(head, "expected a number as the first reserved id")),
                };
                if *count as usize > MOST_SLOTS {
                    return Err(self.error(head, format!("{count} reserved slots do not fit a table")));
                }
                for at in 0..*count {
                    self.add(head, Slot::reserved(format!("{group}{}", first.saturating_add(at))))?;
                }
                Ok(Some(Value::Unknown))
            }
            ("set_op_count_for_version", [Value::Number(major), Value::Number(minor)]) => {
                let count = self.table.and_then(|table| self.draft.slots.get(table)).map_or(0, Vec::len);
                let version = Version { major: *major, minor: *minor };
                self.draft.sizes.insert(version, u16::try_from(count).unwrap_or(u16::MAX));
                Ok(Some(Value::Number(count as u32)))
            }
            ("db_dxil_param", _) => Ok(parameter(&values, named)),
            ("add_enum_type" | "sort" | "add_inst" | "verify_dense" | "verify_dxil_op_classes", _) => {
                Ok(Some(Value::Unknown))
            }
            (name, _) if MODELS.contains(&name) => Ok(Some(Value::Unknown)),
            _ => Ok(None),
        }
    }

    fn add(&mut self, head: &Line, slot: Slot) -> Result<(), Unreadable> {
        let Some(slots) = self.table.and_then(|table| self.draft.slots.get_mut(table)) else {
            return Err(self.error(head, "expected add_dxil_op_table before the first op"));
        };
        if slots.len() >= MOST_SLOTS {
            return Err(self.error(head, "the table has more slots than an index has numbers"));
        }
        slots.push(slot);
        Ok(())
    }

    fn op(&mut self, head: &Line, texts: [&String; 4], list: &[Value]) -> Result<Slot, Unreadable> {
        let [name, class, overloads, attribute] = texts;
        let is_word = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        for text in [name, class] {
            if !is_word(text) {
                return Err(self.error(head, format!("expected a name of letters and digits, found `{text}`")));
            }
        }
        let mut slot = Slot { class: class.clone(), overloads: overloads.clone(), ..Slot::named(name.clone()) };
        let known = match attribute.as_str() {
            "" => Some(Attribute::None),
            "rn" => Some(Attribute::ReadNone),
            "ro" => Some(Attribute::ReadOnly),
            "nd" => Some(Attribute::NoDuplicate),
            "nr" => Some(Attribute::NoReturn),
            "amo" => Some(Attribute::ArgMemOnly),
            _ => None,
        };
        match known {
            Some(attribute) => slot.attribute = attribute,
            None => {
                let text = format!("attribute `{attribute}` of {name} is not known");
                self.note(Severity::Warning, Some(head.number), text);
            }
        }
        for (at, value) in list.iter().enumerate() {
            let Value::Parameter(parameter) = value else {
                return Err(self.error(head, format!("operand {at} of {name} is not a db_dxil_param")));
            };
            // The opcode is inserted as the second.
            let position = if at == 0 { 0 } else { at + 1 };
            if parameter.position as usize != position {
                let found = parameter.position;
                let text = format!("operand `{}` of {name}: expected place {position}, found {found}", parameter.name);
                self.note(Severity::Error, Some(head.number), text);
            }
            let type_symbol = parameter.type_text.parse().unwrap_or_else(|_| {
                let text = format!(
                    "type `{}` of operand {} of {name} is not known: it is not compared",
                    parameter.type_text, at
                );
                self.note(Severity::Warning, Some(head.number), text);
                TypeSymbol::Unknown
            });
            if at == 0 {
                slot.returns = type_symbol;
                continue;
            }
            slot.operands.push(Operand {
                position: u16::try_from(at).unwrap_or(u16::MAX),
                name: parameter.name.clone(),
                type_symbol,
                immediate: parameter.immediate,
                enumeration: parameter.enumeration.clone(),
                max: parameter.max,
            });
        }
        if list.is_empty() {
            return Err(self.error(head, format!("{name}: expected at least the result, found no operand")));
        }
        Ok(slot)
    }

    /// Finds slots by their names; a name that is there twice is the later one, as in Python.
    fn find_names(&mut self) {
        for (table, slots) in self.draft.slots.iter().enumerate() {
            for (index, slot) in slots.iter().enumerate() {
                self.index.insert(slot.name.clone(), (table, index));
            }
        }
    }

    fn field(&mut self, head: &Line, name: &str, field: &str, value: Value) -> Result<(), Unreadable> {
        let line = Some(head.number);
        let place = self.index.get(name).copied();
        let slot = place.and_then(|(table, index)| self.draft.slots.get_mut(table)?.get_mut(index));
        let Some(slot) = slot else {
            // Groups of the documentation are given to instructions of LLVM too.
            if field != "category" {
                self.note(Severity::Warning, line, format!("{field} of {name}, which is not an op"));
            }
            return Ok(());
        };
        let flag = match field {
            "is_wave" => Some(Flag::Wave),
            "is_gradient" => Some(Flag::Gradient),
            "is_deriv" => Some(Flag::Derivative),
            "is_convergent" => Some(Flag::Convergent),
            "is_barrier" => Some(Flag::Barrier),
            "is_feedback" => Some(Flag::SamplerFeedback),
            _ => None,
        };
        match (field, flag, value) {
            (_, Some(flag), Value::Bool(true)) => drop(slot.flags.insert(flag)),
            (_, Some(flag), Value::Bool(false)) => drop(slot.flags.remove(&flag)),
            ("category", _, Value::Text(category)) => slot.category = Some(category),
            ("shader_model", _, ref value) if version(value).is_some() => {
                slot.model = version(value).unwrap_or(slot.model);
            }
            ("shader_model_translated", _, ref value) if version(value).is_some() => slot.translated = version(value),
            ("shader_stages", _, Value::List(stages)) => {
                slot.stages.clear();
                let mut unknown = Vec::new();
                for stage in stages {
                    match &stage {
                        Value::Text(text) => match text.parse() {
                            Ok(kind) => slot.stages.push(kind),
                            Err(_) => unknown.push(text.clone()),
                        },
                        _ => unknown.push("?".to_owned()),
                    }
                }
                if !unknown.is_empty() {
                    let text = format!("stages of {name} that are not known: {}", unknown.join(", "));
                    self.note(Severity::Warning, line, text);
                }
            }
            (field, _, _) => {
                let text = format!("{field} of {name}: the statement `{}` is not understood", shown(head));
                self.note(Severity::Note, line, text);
            }
        }
        Ok(())
    }

    fn value(&self, expr: &Expr) -> Value {
        match expr {
            Expr::Text(text) => Value::Text(text.clone()),
            Expr::Number(number) => Value::Number(*number),
            Expr::Name(name) => match name.as_str() {
                "True" => Value::Bool(true),
                "False" => Value::Bool(false),
                _ => self.values.get(name).cloned().unwrap_or(Value::Unknown),
            },
            Expr::List(all) => Value::List(all.iter().map(|one| self.value(one)).collect()),
            Expr::Add(left, right) => match (self.value(left), self.value(right)) {
                (Value::Text(left), Value::Text(right)) => Value::Text(left + &right),
                _ => Value::Unknown,
            },
            Expr::Call(callee, arguments, named) if callee.last_name() == "db_dxil_param" => {
                let values: Vec<Value> = arguments.iter().map(|argument| self.value(argument)).collect();
                parameter(&values, named).unwrap_or(Value::Unknown)
            }
            _ => Value::Unknown,
        }
    }
}

fn parameter(values: &[Value], named: &[(String, Expr)]) -> Option<Value> {
    let [Value::Number(position), Value::Text(type_text), Value::Text(name), Value::Text(_)] = values else {
        return None;
    };
    let mut out = Parameter {
        position: *position,
        type_text: type_text.clone(),
        name: name.clone(),
        immediate: false,
        enumeration: None,
        max: None,
    };
    for (key, value) in named {
        match (key.as_str(), value) {
            ("is_const", Expr::Name(value)) => out.immediate = value == "True",
            ("enum_name", Expr::Text(value)) => out.enumeration = Some(value.clone()).filter(|text| !text.is_empty()),
            ("max_value", Expr::Number(value)) => out.max = Some(*value),
            _ => return None,
        }
    }
    Some(Value::Parameter(Box::new(out)))
}

/// `6, 10`.
fn version(value: &Value) -> Option<Version> {
    match value {
        Value::List(all) => match all.as_slice() {
            [Value::Number(major), Value::Number(minor)] => Some(Version { major: *major, minor: *minor }),
            _ => None,
        },
        _ => None,
    }
}

/// The start of a statement, for messages.
fn shown(line: &Line) -> String {
    let mut out = String::new();
    for token in line.tokens.iter().take(8) {
        let text = match token {
            Token::Name(text) => text.clone(),
            Token::Text(text) | Token::Other(text) => format!("\"{text}\""),
            Token::Number(number) => number.to_string(),
            Token::Sign(sign) => sign.to_string(),
        };
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        if is_word(out.chars().last()) && is_word(text.chars().next()) {
            out.push(' ');
        }
        out.push_str(&text);
    }
    let short: String = out.chars().take(60).collect();
    if line.tokens.len() > 8 || short.len() < out.len() { short + "…" } else { short }
}
