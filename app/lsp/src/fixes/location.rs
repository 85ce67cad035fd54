//! Fixes of interface variables of GLSL: `flat`, and the place that the other stage's variable of the same name has.

use super::{Context, Fix, Text, variable_at};
use crate::diagnostics::Diagnostic;
use crate::source::plain::{Plain, directive_words};
use lanescope_core::program::StageKind;

/// Locations that are tried for an output that has none.
const MOST_LOCATIONS: u32 = 32;

/// `flat` for an integer input of a fragment shader.
pub fn flat(text: &Text, diagnostic: &Diagnostic) -> Option<Fix> {
    let one = variable_at(text, diagnostic)?;
    let is_plain = !one.is_output && !["flat", "smooth", "noperspective"].iter().any(|word| one.has(word));
    is_plain.then(|| Fix {
        title: format!("Add `flat` to `{}`", one.name),
        edits: vec![text.edit(one.direction..one.direction, "flat ")],
    })
}

/// The location of a variable that has none: that of the other stage's variable of the same name, else a free one for an
/// output.
pub fn missing(context: &Context<'_>, text: &Text, diagnostic: &Diagnostic) -> Option<Fix> {
    let one = variable_at(text, diagnostic).filter(|one| one.layout.is_none())?;
    let layout = match partner(context, text, &one) {
        Some((location, component)) => layout(location, component),
        None => layout(free(context, text, &one)?, None),
    };
    let at = one.statement.start;
    Some(Fix { title: format!("Add `{layout}` to `{}`", one.name), edits: vec![text.edit(at..at, layout + " ")] })
}

/// The place of the other stage's variable of the same name, for a variable that has another one.
pub fn moved(context: &Context<'_>, text: &Text, diagnostic: &Diagnostic) -> Option<Fix> {
    let one = variable_at(text, diagnostic)?;
    let (location, component) = partner(context, text, &one)?;
    if (one.location, one.component.unwrap_or(0)) == (Some(location), component.unwrap_or(0)) {
        return None;
    }
    // Several groups may have other qualifiers between them.
    let written = one.layout.clone()?;
    if text.text.get(written.clone())?.matches("layout").count() != 1 {
        return None;
    }
    let layout = layout(location, component);
    let title = format!("Change `{}` to `{layout}`, as in the other stage", one.name);
    Some(Fix { title, edits: vec![text.edit(written, layout)] })
}

fn layout(location: u32, component: Option<u32>) -> String {
    let component = component.map_or(String::new(), |component| format!(", component = {component}"));
    format!("layout(location = {location}{component})")
}

/// The place of the variable of the same name and type on the other side of the interface, where this file has it free.
fn partner(context: &Context<'_>, text: &Text, one: &Plain) -> Option<(u32, Option<u32>)> {
    let other = context.other_stage(text, one.is_output)?;
    let all = other.plain();
    if !is_understood(other, !one.is_output) {
        return None;
    }
    let found = all.iter().find(|other| {
        (&other.name, &other.type_name, other.is_output) == (&one.name, &one.type_name, !one.is_output)
    })?;
    let (location, taken) = found.taken()?;
    one.components()?;
    is_free(text, one, location, &taken).then_some((location, found.component))
}

/// Whether other variables of a file's side leave components of a location. Those whose places the text does not say may not.
fn is_free(text: &Text, one: &Plain, location: u32, components: &std::ops::Range<u32>) -> bool {
    is_understood(text, one.is_output)
        && text.plain().iter().filter(|other| other.is_output == one.is_output && other.name != one.name).all(|other| {
            other.taken().is_none_or(|(own, taken)| {
                own != location || taken.end <= components.start || components.end <= taken.start
            })
        })
}

/// Whether all variables of a file on one side are plain, with known sizes: then those that have a location are known.
fn is_understood(text: &Text, is_output: bool) -> bool {
    use crate::source::{Declared, Language};
    let plain = text.plain();
    // What an include declares, or a macro, and which part of a condition counts, the text does not say.
    let words = directive_words(&text.text);
    let decides = |word: &&str| ["include", "if", "ifdef", "ifndef"].contains(word);
    if words.iter().any(decides) || has_macro(&text.text, &words) {
        return false;
    }
    Language::Glsl.declarations(&text.text).iter().all(|declaration| match &declaration.what {
        Declared::Varying { of, name, is_output: side, .. } => {
            // Built-in blocks take no locations.
            let is_built_in = of.iter().any(|of| of.starts_with("gl_")) || name.starts_with("gl_");
            let known = plain.iter().any(|one| one.name_range == declaration.range && one.components().is_some());
            is_built_in || *side != Some(is_output) || known
        }
        _ => true,
    })
}

/// Whether a word of the preprocessor's lines stands outside of functions and blocks.
fn has_macro(text: &str, words: &[&str]) -> bool {
    let mut depth = 0u32;
    crate::source::Language::Glsl.tokens(text).iter().any(|token| {
        match token.text {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && words.contains(&token.text)
    })
}

/// The lowest location that no variable of either side takes, for an output that nothing else says a place of.
fn free(context: &Context<'_>, text: &Text, one: &Plain) -> Option<u32> {
    if !one.is_output || one.components().is_none() || !is_understood(text, true) {
        return None;
    }
    let own = text.plain();
    let outputs = || own.iter().filter(|other| other.is_output && other.name != one.name);
    // Which attachment a color goes to, only a single one leaves no doubt of.
    if text.stage()? == StageKind::Fragment {
        return outputs().next().is_none().then_some(0);
    }
    let next = context.other_stage(text, true);
    if next.is_some_and(|next| !is_understood(next, false)) {
        return None;
    }
    let inputs = next.map(Text::plain).unwrap_or_default();
    let read = inputs.iter().filter(|other| !other.is_output);
    let taken: Vec<u32> = outputs().chain(read).filter_map(|other| other.location).collect();
    (0..MOST_LOCATIONS).find(|location| !taken.contains(location))
}
