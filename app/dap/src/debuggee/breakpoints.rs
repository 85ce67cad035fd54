//! Breakpoints as a client sets them: of a source, of functions, at instructions.

use std::collections::BTreeMap;

use lanescope_core::interpreter::debugger::Location;
use lanescope_core::interpreter::debugger::describe;
use lanescope_core::interpreter::debugger::session::{BreakpointKind, Command, NamedCondition, Output, Stopped};
use lanescope_core::spirv::InstId;
use serde::Deserialize;
use serde_json::{Value, json};

use super::Debuggee;
use crate::sources::{self, Found, SourceArgument};

/// Breakpoints that are set, by who set them: each request replaces those of its list.
#[derive(Debug, Default)]
pub(super) struct Breakpoints {
    lists: BTreeMap<List, Vec<usize>>,
    /// Messages that are written where a breakpoint is hit, which does not stop then.
    logs: BTreeMap<usize, String>,
}

/// A list of breakpoints that a request replaces.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum List {
    /// Those of a file of the module.
    File(String),
    /// Those in the disassembly.
    Disassembly,
    /// Those of functions.
    Functions,
    /// Those at instructions.
    Instructions,
    /// Those on data.
    Data,
}

/// A breakpoint that a client asks for.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Asked {
    /// The line, from 1.
    pub line: u32,
    /// The name of a function.
    pub name: String,
    /// The address of an instruction.
    pub instruction_reference: String,
    /// An offset to it.
    pub offset: i64,
    /// When it counts.
    pub condition: Option<String>,
    /// How many hits are passed over.
    pub hit_condition: Option<String>,
    /// What is written instead of stopping.
    pub log_message: Option<String>,
}

/// The most breakpoints of a list: each is looked for in the whole program.
const MOST: usize = 1024;

/// A breakpoint that could not be set: why.
type Refused = String;

impl Debuggee {
    /// Replaces the breakpoints of a source.
    pub fn set_breakpoints(&mut self, source: &SourceArgument, asked: &[Asked]) -> Value {
        let found = match self.sources.find(source) {
            Some(Found::File(name, lines)) => Some((List::File(name.to_owned()), lines.clone())),
            Some(Found::Disassembly) => Some((List::Disassembly, Default::default())),
            None => None,
        };
        let Some((list, lines)) = found else {
            let what = source.path.as_deref().unwrap_or("the source");
            let why = format!("no instruction of this shader is from {what}");
            return answer(asked.iter().map(|_| refused(&why)));
        };
        self.replace(list.clone(), asked, |debuggee, asked| match &list {
            List::File(name) => {
                // A line without an instruction stands for the next one that has one.
                let line = *lines.range(asked.line..).next().ok_or("no instruction is there, nor after it")?;
                let location = Location::Line { file: name.clone(), line };
                let short = name.rsplit(['/', '\\']).next().unwrap_or(name);
                debuggee.set(location, &format!("{short}:{line}"), asked).map(|number| (number, Some(line)))
            }
            _ => {
                let inst = asked.line.checked_sub(1).ok_or("lines are counted from 1")?;
                let text = format!("instruction {inst}");
                debuggee.set(Location::Inst(InstId(inst)), &text, asked).map(|number| (number, Some(asked.line)))
            }
        })
    }

    /// Replaces the breakpoints of functions.
    pub fn set_function_breakpoints(&mut self, asked: &[Asked]) -> Value {
        self.replace(List::Functions, asked, |debuggee, asked| {
            let program = debuggee.program();
            let is = |name: &str| name == asked.name || name.split('(').next() == Some(&asked.name);
            let mut functions = program.functions();
            let found = functions.find(|(id, _)| is(&describe::name(program.module(), *id)));
            let (_, inst) = found.ok_or_else(|| format!("no function `{}` runs", asked.name))?;
            drop(functions);
            debuggee.set(Location::Inst(inst), &format!("function {}", asked.name), asked).map(|number| (number, None))
        })
    }

    /// Replaces the breakpoints at instructions.
    pub fn set_instruction_breakpoints(&mut self, asked: &[Asked]) -> Value {
        self.replace(List::Instructions, asked, |debuggee, asked| {
            let number = sources::number_at(&asked.instruction_reference)?.saturating_add(asked.offset);
            let end = i64::from(sources::instructions(debuggee.program()));
            let inst = u32::try_from(number).ok().filter(|inst| i64::from(*inst) < end);
            let inst = inst.ok_or("no instruction is there")?;
            debuggee
                .set(Location::Inst(InstId(inst)), &format!("instruction {inst}"), asked)
                .map(|number| (number, None))
        })
    }

    /// Replaces a list of breakpoints by what `set` sets: each with its number, and the line where it is.
    pub(super) fn replace<Given>(
        &mut self,
        list: List,
        asked: &[Given],
        set: impl Fn(&mut Debuggee, &Given) -> Result<(usize, Option<u32>), Refused>,
    ) -> Value {
        for number in self.breakpoints.lists.remove(&list).unwrap_or_default() {
            self.breakpoints.logs.remove(&number);
            // It is there: only this removes it.
            let _ = self.session.run(&Command::Delete(number));
        }
        let mut numbers = Vec::new();
        let mut rows = Vec::new();
        for (at, asked) in asked.iter().enumerate() {
            let result =
                if at < MOST { set(self, asked) } else { Err(format!("at most {MOST} breakpoints of a list are set")) };
            rows.push(match result {
                Ok((number, line)) => {
                    numbers.push(number);
                    self.verified(number, line)
                }
                Err(why) => refused(&why),
            });
        }
        self.breakpoints.lists.insert(list, numbers);
        answer(rows.into_iter())
    }

    fn verified(&self, number: usize, line: Option<u32>) -> Value {
        let mut row = json!({ "id": number, "verified": true });
        let Some(members) = row.as_object_mut() else { return row };
        if let Some(inst) = self.session.instruction_of(number) {
            members.insert("instructionReference".to_owned(), json!(sources::address(inst)));
            let shown = self.sources.shown(self.program().line(inst).as_ref(), inst);
            members.insert("line".to_owned(), json!(line.unwrap_or(shown.line)));
            if line.is_none() {
                members.insert("source".to_owned(), shown.source);
            }
        }
        row
    }

    /// Sets a breakpoint at a place.
    fn set(&mut self, location: Location, text: &str, asked: &Asked) -> Result<usize, Refused> {
        let given = asked.condition.as_deref().map(str::trim).filter(|condition| !condition.is_empty());
        let condition = given.map(|text| {
            NamedCondition::parse(text)
                .ok_or_else(|| format!("condition `{text}`: expected a comparison with a number, such as `i == 3`"))
        });
        let condition = condition.transpose()?;
        let ignored = hits_passed(asked.hit_condition.as_deref())?;
        let text = given.map_or_else(|| text.to_owned(), |given| format!("{text} if {given}"));
        let kind = BreakpointKind::Place { location, condition };
        let output = self.session.set_breakpoint(&kind, &text).map_err(|why| why.to_string())?;
        let Output::Breakpoint { number, .. } = output else { return Err("no breakpoint was set".to_owned()) };
        self.session.set_ignored(number, ignored);
        if let Some(message) = asked.log_message.as_ref().filter(|message| !message.is_empty()) {
            self.breakpoints.logs.insert(number, message.clone());
        }
        Ok(number)
    }

    /// The message of the breakpoint at which the run stopped, if it is one that writes instead: expressions in braces are
    /// replaced by their values.
    pub fn log_message(&self) -> Option<String> {
        let Stopped::Breakpoint(number) = self.session.stopped() else { return None };
        let message = self.breakpoints.logs.get(&number)?;
        let lane = self.session.chosen();
        let function = self.session.place().map(|place| place.function);
        let value = |expression: &str| match function.map(|function| self.session.find(expression, function)) {
            Some(Ok(target)) => self.session.text_of(&target, lane),
            Some(Err(why)) => format!("<{why}>"),
            None => String::new(),
        };
        Some(interpolated(message, value))
    }

    /// Why the run stopped, as the body of the event.
    pub fn stopped_body(&self, stopped: Stopped) -> Value {
        let thread = self.thread();
        let mut body = json!({ "threadId": thread, "allThreadsStopped": true, "description": self.why });
        let (reason, number, text) = match stopped {
            Stopped::Step => ("step", None, None),
            Stopped::Start => ("entry", None, None),
            Stopped::End => ("end", None, None),
            Stopped::Interrupted => ("pause", None, None),
            Stopped::Breakpoint(number) => (self.reason_of(number), Some(number), None),
            Stopped::Watchpoint(number) => ("data breakpoint", Some(number), Some(self.why.clone())),
            Stopped::Finding(at) => ("exception", None, self.finding_text(at)),
        };
        let Some(members) = body.as_object_mut() else { return body };
        members.insert("reason".to_owned(), json!(reason));
        if let Some(number) = number {
            members.insert("hitBreakpointIds".to_owned(), json!([number]));
        }
        if let Stopped::Finding(at) = stopped {
            members.insert("description".to_owned(), json!(self.finding_code(at)));
        }
        if let Some(text) = text {
            members.insert("text".to_owned(), json!(text));
        }
        body
    }

    fn reason_of(&self, number: usize) -> &'static str {
        let of = self.breakpoints.lists.iter().find(|(_, numbers)| numbers.contains(&number));
        match of.map(|(list, _)| list) {
            Some(List::Functions) => "function breakpoint",
            Some(List::Instructions) => "instruction breakpoint",
            _ => "breakpoint",
        }
    }
}

fn answer(rows: impl Iterator<Item = Value>) -> Value {
    json!({ "breakpoints": rows.collect::<Vec<Value>>() })
}

fn refused(why: &str) -> Value {
    json!({ "verified": false, "message": why })
}

/// Hits that are passed over: `3` and `>= 3` stop from the third hit on, `> 3` from the fourth one on.
pub(super) fn hits_passed(text: Option<&str>) -> Result<u64, Refused> {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else { return Ok(0) };
    let (digits, is_after) = match (text.strip_prefix(">="), text.strip_prefix('>')) {
        (Some(digits), _) => (digits, false),
        (None, Some(digits)) => (digits, true),
        (None, None) => (text, false),
    };
    let number: Option<u64> = digits.trim().parse().ok();
    let number = number.ok_or_else(|| format!("hit condition `{text}`: expected N, `>= N` or `> N`"))?;
    Ok(if is_after { number } else { number.saturating_sub(1) })
}

/// A text whose parts in braces are replaced.
fn interpolated(text: &str, value: impl Fn(&str) -> String) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let Some((expression, after)) = after.split_once('}') else {
            rest = &rest[before.len()..];
            break;
        };
        out.push_str(&value(expression.trim()));
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hit_conditions_pass_over_hits() {
        for (text, hits) in [("", 0), ("1", 0), ("3", 2), (">= 3", 2), (" > 3", 3), ("0", 0)] {
            assert_eq!(hits_passed(Some(text)), Ok(hits), "{text}");
        }
        assert_eq!(hits_passed(None), Ok(0));
        for text in ["== 3", "% 2", "x", "-1", "1e3"] {
            assert!(hits_passed(Some(text)).is_err(), "{text}");
        }
    }

    #[test]
    fn messages_have_values_in_braces() {
        let value = |expression: &str| format!("<{expression}>");
        assert_eq!(interpolated("i is { i }, {v[2]}!", value), "i is <i>, <v[2]>!");
        assert_eq!(interpolated("a { b", value), "a { b");
        assert_eq!(interpolated("} {}", value), "} <>");
    }
}
