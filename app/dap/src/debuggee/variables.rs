//! Scopes and variables. What is shown is asked for part by part: an array of millions of elements is never listed whole.

use std::collections::BTreeMap;

use lanescope_core::ids::Id;
use lanescope_core::interpreter::debugger::Children;
use lanescope_core::interpreter::debugger::session::{Chosen, Group, Target};
use serde::Deserialize;
use serde_json::{Value, json};

use super::Debuggee;
use super::frames::Frame;

/// The most variables of an answer.
const MOST: u64 = 4096;
/// Characters of a value in a list.
const MAX_TEXT: usize = 1000;
/// References that are kept while the session stands.
const MAX_HANDLES: usize = 1 << 20;

/// What a reference stands for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Held {
    /// A scope of a frame.
    Scope { wave: u32, lane: u32, function: Id, group: Group },
    /// A value with parts; the expression that names it.
    Value { wave: u32, lane: u32, function: Id, target: Target, expression: String },
}

/// References to scopes and values, numbered from 1, until the session moves.
#[derive(Debug, Default)]
pub(super) struct Handles {
    held: Vec<Held>,
    numbers: BTreeMap<Held, i64>,
}

impl Handles {
    pub fn clear(&mut self) {
        self.held.clear();
        self.numbers.clear();
    }

    /// The reference; 0, which stands for none, where there are too many.
    fn number(&mut self, held: Held) -> i64 {
        if let Some(number) = self.numbers.get(&held) {
            return *number;
        }
        if self.held.len() >= MAX_HANDLES {
            return 0;
        }
        self.held.push(held.clone());
        let number = self.held.len() as i64;
        self.numbers.insert(held, number);
        number
    }

    fn get(&self, number: i64) -> Option<&Held> {
        self.held.get(usize::try_from(number.checked_sub(1)?).ok()?)
    }
}

/// Which of the variables of a reference are asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Page {
    /// The first one.
    pub start: Option<u64>,
    /// How many; absent or 0 for all.
    pub count: Option<u64>,
    /// Those with a name, or those with an index.
    pub filter: Option<Filter>,
}

/// Parts of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Filter {
    /// Members.
    Named,
    /// Elements.
    Indexed,
}

/// A value as a client shows it.
pub(super) struct Shown {
    pub ty: String,
    pub reference: i64,
    pub named: u64,
    pub indexed: u64,
}

impl Shown {
    /// Adds its parts to an answer.
    pub fn add_to(&self, answer: &mut Value) {
        let Some(members) = answer.as_object_mut() else { return };
        members.insert("type".to_owned(), json!(self.ty));
        members.insert("variablesReference".to_owned(), json!(self.reference));
        for (name, count) in [("namedVariables", self.named), ("indexedVariables", self.indexed)] {
            if count > 0 {
                members.insert(name.to_owned(), json!(count));
            }
        }
    }
}

impl Debuggee {
    /// The scopes of a frame.
    ///
    /// # Errors
    /// A number that no frame has.
    pub fn scopes(&mut self, frame: i64) -> Result<Value, String> {
        const ALL: [(Group, &str, &str); 8] = [
            (Group::Local, "Locals", "locals"),
            (Group::Input, "Inputs", "arguments"),
            (Group::BuiltIn, "Built-ins", "arguments"),
            (Group::Output, "Outputs", "globals"),
            (Group::Private, "Module variables", "globals"),
            (Group::Workgroup, "Workgroup memory", "globals"),
            (Group::PushConstants, "Push constants", "globals"),
            (Group::Buffer, "Buffers", "globals"),
        ];
        let Frame { lane: Chosen { wave, lane }, function } = self.frame(Some(frame))?;
        let all = self.session.variables(function);
        let mut scopes = Vec::new();
        for (group, name, hint) in ALL {
            let count = all.iter().filter(|variable| variable.group == group).count();
            if count == 0 && group != Group::Local {
                continue;
            }
            let reference = self.handles.number(Held::Scope { wave, lane, function, group });
            scopes.push(json!({
                "name": name, "presentationHint": hint, "variablesReference": reference, "namedVariables": count,
                "expensive": false,
            }));
        }
        Ok(json!({ "scopes": scopes }))
    }

    /// The variables of a scope, or the parts of a value.
    ///
    /// # Errors
    /// A reference of nothing: the session has moved since.
    pub fn variables(&mut self, reference: i64, page: Page) -> Result<Value, String> {
        let held = self.handles.get(reference).cloned();
        let held = held.ok_or_else(|| format!("variables: no reference {reference}: the session has moved since"))?;
        let variables = match held {
            Held::Scope { wave, lane, function, group } => {
                let listed = self.session.variables(function).into_iter().filter(|variable| variable.group == group);
                let wanted = page_of(page, listed.clone().count() as u64, Filter::Named);
                let frame = Frame { lane: Chosen { wave, lane }, function };
                let listed: Vec<_> = listed.skip(wanted.start as usize).take(wanted.count as usize).collect();
                let rows = listed.into_iter().map(|variable| {
                    let expression = self.expression(&variable.name, &variable.target, function);
                    self.row(frame, &variable.name, variable.target, expression)
                });
                with_more(rows.collect(), wanted.more)
            }
            Held::Value { wave, lane, function, target, expression } => {
                let frame = Frame { lane: Chosen { wave, lane }, function };
                let parts = self.session.shape(&target).map(|shape| shape.children);
                let (names, count, kind) = match parts {
                    None | Some(Children::None) => (Vec::new(), 0, Filter::Named),
                    Some(Children::Named(names)) => {
                        let count = names.len() as u64;
                        (names, count, Filter::Named)
                    }
                    Some(Children::Indexed(count)) => (Vec::new(), count, Filter::Indexed),
                };
                let wanted = page_of(page, count, kind);
                let rows = (wanted.start..wanted.start + wanted.count).map(|at| {
                    // Indices are of 32 bits.
                    let index = u32::try_from(at).unwrap_or(u32::MAX);
                    let name = names.get(at as usize).cloned().unwrap_or_else(|| format!("[{at}]"));
                    self.row(frame, &name, target.child(index), format!("{expression}[{at}]"))
                });
                with_more(rows.collect(), wanted.more)
            }
        };
        Ok(json!({ "variables": variables }))
    }

    /// The expression that means a variable: its name, or its id where another one has the name.
    fn expression(&self, name: &str, target: &Target, function: Id) -> String {
        match self.session.find(name, function) {
            Ok(found) if found == *target => name.to_owned(),
            _ => format!("%{}", target.id_and_path().0),
        }
    }

    fn row(&mut self, frame: Frame, name: &str, target: Target, expression: String) -> Value {
        let text = self.session.short_text_of(&target, frame.lane);
        // An array of descriptors has parts, and no value itself.
        let text = cut(text.unwrap_or_default());
        let shown = self.shown(frame, target, &expression);
        let mut row = json!({ "name": name, "value": text, "evaluateName": expression });
        shown.add_to(&mut row);
        row
    }

    /// The parts of a value.
    pub(super) fn shown(&mut self, frame: Frame, target: Target, expression: &str) -> Shown {
        let Frame { lane: Chosen { wave, lane }, function } = frame;
        let Some(shape) = self.session.shape(&target) else {
            return Shown { ty: String::new(), reference: 0, named: 0, indexed: 0 };
        };
        let (named, indexed) = match &shape.children {
            Children::None => (0, 0),
            Children::Named(names) => (names.len() as u64, 0),
            Children::Indexed(count) => (0, *count),
        };
        let expression = expression.to_owned();
        let reference = match named + indexed {
            0 => 0,
            _ => self.handles.number(Held::Value { wave, lane, function, target, expression }),
        };
        Shown { ty: shape.ty, reference, named, indexed }
    }

    /// The frame and the expression of a part of a reference.
    ///
    /// # Errors
    /// A reference of nothing, or a name that it does not have.
    pub(super) fn named_part(&self, reference: i64, name: &str) -> Result<(Frame, String), String> {
        let none = || format!("no variable `{name}` in reference {reference}");
        match self.handles.get(reference).ok_or_else(none)? {
            Held::Scope { wave, lane, function, group } => {
                let all = self.session.variables(*function);
                let found = all.iter().find(|variable| variable.group == *group && variable.name == name);
                let found = found.ok_or_else(none)?;
                let frame = Frame { lane: Chosen { wave: *wave, lane: *lane }, function: *function };
                Ok((frame, self.expression(name, &found.target, *function)))
            }
            Held::Value { wave, lane, function, target, expression } => {
                let index = match self.session.shape(target).map(|shape| shape.children) {
                    Some(Children::Named(names)) => names.iter().position(|own| own == name).map(|at| at as u64),
                    Some(Children::Indexed(count)) => {
                        let digits = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
                        digits.and_then(|digits| digits.parse().ok()).filter(|index| *index < count)
                    }
                    _ => None,
                };
                let index = index.ok_or_else(none)?;
                let frame = Frame { lane: Chosen { wave: *wave, lane: *lane }, function: *function };
                Ok((frame, format!("{expression}[{index}]")))
            }
        }
    }
}

/// A part of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Wanted {
    start: u64,
    count: u64,
    /// How many that were asked for are left out.
    more: u64,
}

/// What of a list of so many parts of a kind is asked for.
fn page_of(page: Page, all: u64, kind: Filter) -> Wanted {
    if page.filter.is_some_and(|filter| filter != kind) {
        return Wanted { start: 0, count: 0, more: 0 };
    }
    let start = page.start.unwrap_or(0).min(all);
    let asked = page.count.filter(|count| *count > 0).unwrap_or(u64::MAX).min(all - start);
    let count = asked.min(MOST);
    Wanted { start, count, more: asked - count }
}

/// A row that says how many variables are left out.
fn with_more(mut rows: Vec<Value>, more: u64) -> Vec<Value> {
    if more > 0 {
        rows.push(json!({ "name": "…", "value": format!("{more} more"), "variablesReference": 0 }));
    }
    rows
}

/// A text for a list.
fn cut(text: String) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_parts_of_the_list() {
        let page = |start, count, filter| Page { start, count, filter };
        let of = |page, all| page_of(page, all, Filter::Indexed);
        assert_eq!(of(page(None, None, None), 10), Wanted { start: 0, count: 10, more: 0 });
        assert_eq!(of(page(Some(4), Some(3), Some(Filter::Indexed)), 10), Wanted { start: 4, count: 3, more: 0 });
        assert_eq!(of(page(Some(8), Some(9), None), 10), Wanted { start: 8, count: 2, more: 0 });
        assert_eq!(of(page(Some(99), Some(0), None), 10), Wanted { start: 10, count: 0, more: 0 });
        assert_eq!(of(page(Some(u64::MAX), Some(u64::MAX), None), u64::MAX).count, 0);
        assert_eq!(of(page(None, None, None), MOST + 5), Wanted { start: 0, count: MOST, more: 5 });
        assert_eq!(of(page(None, None, Some(Filter::Named)), 10).count, 0);
    }

    #[test]
    fn long_texts_are_cut_at_a_character() {
        assert_eq!(cut("é".repeat(MAX_TEXT)).chars().count(), MAX_TEXT);
        assert_eq!(cut("é".repeat(MAX_TEXT + 1)), format!("{}…", "é".repeat(MAX_TEXT)));
    }

    #[test]
    fn references_are_given_once() {
        let scope = |lane| Held::Scope { wave: 0, lane, function: Id(4), group: Group::Local };
        let mut handles = Handles::default();
        assert_eq!([handles.number(scope(1)), handles.number(scope(2)), handles.number(scope(1))], [1, 2, 1]);
        assert_eq!(handles.get(2), Some(&scope(2)));
        assert!(handles.get(0).is_none() && handles.get(3).is_none() && handles.get(i64::MIN).is_none());
        handles.clear();
        assert!(handles.get(1).is_none());
    }
}
