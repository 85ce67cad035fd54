//! Lists of what sources are compiled with, typed as words of a shell: of the shown program, or of files that did not open.

use lanescope_core::options::{Conversion, Options};
use lanescope_inspector::command::{Command, OpenChange};

use super::typed::Typed;
use lanescope_workbench::state::State;
use lanescope_workbench::state::sources::{SourceList, has_sources, may_have_sources};

/// The conversion whose lists are shown, where it has any.
fn conversion(state: &State) -> Option<&Conversion> {
    if let Some(page) = &state.failure {
        return may_have_sources(&page.paths).then_some(&page.conversion);
    }
    let program = state.program()?;
    (!program.frozen && has_sources(&program.program)).then_some(&program.options.dxil)
}

/// Whether there is such a list.
pub fn applies(state: &State) -> bool {
    conversion(state).is_some()
}

/// A list as it is typed.
pub fn text(state: &State, list: SourceList) -> String {
    let values = conversion(state).map(|conversion| list.of(conversion)).into_iter().flatten();
    shlex::try_join(values.map(String::as_str)).unwrap_or_default()
}

/// What a typed list does.
pub fn typed(state: &State, list: SourceList, text: &str) -> Typed {
    let Some(before) = conversion(state) else { return Typed::Do(Vec::new()) };
    let Some(words) = shlex::split(text) else {
        return Typed::Wrong(format!("A quotation mark is missing in `{text}`."));
    };
    let mut conversion = before.clone();
    match words.iter().map(|word| list.checked(word)).collect() {
        Ok(values) => *list.of_mut(&mut conversion) = values,
        Err(why) => return Typed::Wrong(why),
    }
    let command = match (&state.failure, state.program()) {
        (Some(page), _) => Command::OpenChanged(page.paths.clone(), OpenChange::Sources(Box::new(conversion))),
        (None, Some(program)) => Command::SetOptions(Box::new(Options { dxil: conversion, ..program.options.clone() })),
        (None, None) => return Typed::Do(Vec::new()),
    };
    Typed::Do(vec![command])
}
