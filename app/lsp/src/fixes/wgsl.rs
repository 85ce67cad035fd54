//! `@interpolate(flat)` for integers between stages of WGSL.

use super::{Edit, Fix, Text};
use crate::source::Language;
use crate::source::tokens::{Token, after_group};

/// Adds the attribute to all integers that the text passes from the vertex to the fragment stage and that have none. The
/// compiler names the entry point, not the variable.
pub fn flat(text: &Text, message: &str) -> Option<Fix> {
    if Language::of_name(&text.path) != Some(Language::Wgsl) || !message.contains("integer") {
        return None;
    }
    let tokens = Language::Wgsl.tokens(&text.text);
    let mut found: Vec<(String, Edit)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let after = |by: usize| tokens.get(at + by).map_or("", |token| token.text);
        match token.text {
            // A structure with the position is the interface between the stages.
            "struct" if after(2) == "{" => {
                let members = tokens.get(at + 3..after_group(&tokens, at + 2)).unwrap_or_default();
                if members.windows(5).any(|five| matches!(five.map_text(), ["@", "builtin", "(", "position", ")"])) {
                    found.extend(integers(text, members));
                }
            }
            "fn" if after(2) == "(" && is_fragment(&tokens, at) => {
                let members = tokens.get(at + 3..after_group(&tokens, at + 2)).unwrap_or_default();
                found.extend(integers(text, members));
            }
            _ => {}
        }
    }
    let names: Vec<String> = found.iter().map(|(name, _)| format!("`{name}`")).collect();
    let edits: Vec<Edit> = found.into_iter().map(|(_, edit)| edit).collect();
    (!edits.is_empty()).then(|| Fix { title: format!("Add `@interpolate(flat)` to {}", names.join(", ")), edits })
}

/// Whether attributes before a `fn` say that it is a fragment shader.
fn is_fragment(tokens: &[Token<'_>], at: usize) -> bool {
    let before = tokens.get(..at).unwrap_or_default();
    let begin = before.iter().rposition(|token| ["}", ";"].contains(&token.text)).map_or(0, |end| end + 1);
    before.get(begin..).unwrap_or_default().windows(2).any(|two| two[0].text == "@" && two[1].text == "fragment")
}

/// The members of integers with a location and without an interpolation: each name, and the edit.
fn integers(text: &Text, members: &[Token<'_>]) -> Vec<(String, Edit)> {
    let mut out = Vec::new();
    for (colon, _) in members.iter().enumerate().filter(|(_, token)| token.text == ":") {
        let Some(name) = colon.checked_sub(1).and_then(|at| members.get(at)) else { continue };
        let type_: String = members
            .get(colon + 1..)
            .unwrap_or_default()
            .iter()
            .take(4)
            .take_while(|token| ![",", "}", ")"].contains(&token.text))
            .map(|token| token.text)
            .collect();
        let begin = members.get(..colon).unwrap_or_default().iter().rposition(|token| [",", "{"].contains(&token.text));
        let attributes = members.get(begin.map_or(0, |at| at + 1)..colon - 1).unwrap_or_default();
        let has = |name: &str| attributes.iter().any(|token| token.text == name);
        if is_integer(&type_) && has("location") && !has("interpolate") {
            out.push((name.text.to_owned(), text.edit(name.at..name.at, "@interpolate(flat) ")));
        }
    }
    out
}

fn is_integer(type_: &str) -> bool {
    let vector = |rest: &str| {
        ["2", "3", "4"]
            .iter()
            .any(|size| rest.strip_prefix(size).is_some_and(|kind| ["i", "u", "<i32>", "<u32>"].contains(&kind)))
    };
    ["i32", "u32"].contains(&type_) || type_.strip_prefix("vec").is_some_and(vector)
}

/// The texts of tokens, to be compared with a pattern.
trait Texts<'t> {
    fn map_text(&self) -> [&'t str; 5];
}

impl<'t> Texts<'t> for [Token<'t>] {
    fn map_text(&self) -> [&'t str; 5] {
        [0, 1, 2, 3, 4].map(|at| self.get(at).map_or("", |token| token.text))
    }
}
