//! Fixes of workgroup sizes that a derivative group does not allow.

use std::ops::Range;

use super::{Edit, Fix, Text};
use crate::diagnostics::{At, Diagnostic};
use crate::source::tokens::Token;
use crate::source::{Declared, Language};

/// What a derivative group asks of a size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// x and y are even.
    Quads,
    /// The product is a multiple of 4.
    Linear,
}

/// The largest size of an axis that is written.
const MOST: u32 = 1024;

impl Rule {
    /// The next larger size that the rule allows.
    fn allowed(self, [x, y, z]: [u32; 3]) -> Option<[u32; 3]> {
        let up = |value: u32, to: u32| value.checked_next_multiple_of(to);
        let size = match self {
            Rule::Quads => [up(x, 2)?, up(y, 2)?, z],
            Rule::Linear => {
                let rest = u64::from(y) * u64::from(z);
                let step = [1, 2, 4].into_iter().find(|step| u64::from(*step) * rest % 4 == 0)?;
                [up(x, step)?, y, z]
            }
        };
        (size != [x, y, z] && size.iter().all(|axis| (1..=MOST).contains(axis))).then_some(size)
    }
}

/// The only size that a text declares.
pub fn of_text(text: &Text, rule: Rule) -> Option<Fix> {
    let language = Language::of_name(&text.path)?;
    let all = language.declarations(&text.text);
    let mut sizes = all.iter().filter(|one| matches!(one.what, Declared::WorkgroupSize { .. }));
    let (only, None) = (sizes.next()?, sizes.next()) else { return None };
    fix(text, Some(language), &only.range, rule)
}

/// The size that a diagnostic is about.
pub fn at(text: &Text, diagnostic: &Diagnostic, rule: Rule) -> Option<Fix> {
    let At::Bytes(range) = &diagnostic.at else { return None };
    fix(text, Language::of_name(&text.path), range, rule)
}

/// Numbers of a size, as they are written: bytes and values; of those that are not, where they would be added.
fn fix(text: &Text, language: Option<Language>, range: &Range<usize>, rule: Rule) -> Option<Fix> {
    match language {
        Some(Language::Glsl) => of_layout(text, range, rule),
        Some(_) => None,
        None => of_mode(text, range, rule),
    }
}

/// `layout(local_size_x = 7, local_size_y = 3) in;`
fn of_layout(text: &Text, range: &Range<usize>, rule: Rule) -> Option<Fix> {
    let own = text.text.get(range.clone())?;
    let tokens = Language::Glsl.tokens(own);
    // A specialization constant, or a macro, has its value somewhere else.
    if tokens.iter().any(|token| token.text.ends_with("_id")) {
        return None;
    }
    let mut written: [Option<(Range<usize>, u32)>; 3] = [None, None, None];
    for (axis, name) in ["local_size_x", "local_size_y", "local_size_z"].iter().enumerate() {
        let mut found = (0..tokens.len()).filter(|at| tokens[*at].text == *name);
        let Some(at) = found.next() else { continue };
        if found.next().is_some() {
            return None;
        }
        let value = tokens.get(at + 2).filter(|_| tokens.get(at + 1).is_some_and(|sign| sign.text == "="))?;
        let ends = tokens.get(at + 3).is_some_and(|sign| [",", ")"].contains(&sign.text));
        let here = range.start + value.at..range.start + value.range().end;
        *written.get_mut(axis)? = Some((here, decimal(value)?)).filter(|_| ends);
        written.get(axis)?.as_ref()?;
    }
    let size = [0, 1, 2].map(|axis: usize| written[axis].as_ref().map_or(1, |(_, value)| *value));
    let new = rule.allowed(size)?;
    let mut edits: Vec<Edit> = Vec::new();
    for (axis, name) in ["local_size_x", "local_size_y", "local_size_z"].iter().enumerate() {
        match &written[axis] {
            Some((at, value)) if *value != new[axis] => edits.push(text.edit(at.clone(), new[axis].to_string())),
            None if new[axis] != 1 => {
                let (last, _) = written.iter().flatten().max_by_key(|(at, _)| at.start)?;
                edits.push(text.edit(last.end..last.end, format!(", {name} = {}", new[axis])));
            }
            _ => {}
        }
    }
    // An axis that is changed and the place after it would be one edit.
    let is_apart = edits.iter().all(|one| edits.iter().filter(|other| other.range.end == one.range.end).count() == 1);
    is_apart.then(|| titled(new, edits))
}

/// `OpExecutionMode %main LocalSize 7 3 1`
fn of_mode(text: &Text, range: &Range<usize>, rule: Rule) -> Option<Fix> {
    let line = text.lines.range(&text.text, text.lines.line_at(range.start));
    let code = text.text.get(line.clone())?.split(';').next()?;
    let words: Vec<&str> = code.split_whitespace().collect();
    let ["OpExecutionMode", _, "LocalSize", numbers @ ..] = words.as_slice() else { return None };
    let numbers: Vec<u32> = numbers.iter().map(|number| number.parse()).collect::<Result<_, _>>().ok()?;
    let new = rule.allowed(<[u32; 3]>::try_from(numbers).ok()?)?;
    let at = code.find("LocalSize")? + "LocalSize".len();
    let end = line.start + code.trim_end().len();
    let [x, y, z] = new;
    Some(titled(new, vec![text.edit(line.start + at..end, format!(" {x} {y} {z}"))]))
}

fn titled([x, y, z]: [u32; 3], edits: Vec<Edit>) -> Fix {
    Fix { title: format!("Change the workgroup size to {x}×{y}×{z}"), edits }
}

fn decimal(token: &Token<'_>) -> Option<u32> {
    token.text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_grow_to_what_a_rule_allows() {
        assert_eq!(Rule::Quads.allowed([7, 3, 1]), Some([8, 4, 1]));
        assert_eq!(Rule::Quads.allowed([8, 4, 1]), None);
        assert_eq!(Rule::Linear.allowed([7, 3, 1]), Some([8, 3, 1]));
        assert_eq!(Rule::Linear.allowed([7, 2, 1]), Some([8, 2, 1]));
        assert_eq!(Rule::Linear.allowed([5, 2, 2]), None);
        assert_eq!(Rule::Linear.allowed([1024, 1, 3]), None);
        assert_eq!(Rule::Quads.allowed([u32::MAX, 1, 1]), None);
    }
}
