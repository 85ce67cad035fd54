//! The variants of a program: a row for each, and what each macro changes.

use lanescope_core::table::{Key, Meaning};
use lanescope_inspector::command::Command;
use lanescope_inspector::comparing::Partner;
use lanescope_inspector::tasks::{ComparedVariants, Task, Work};

use super::super::pane::{Link, Row};
use super::{Rows, linked};
use lanescope_text::Section;
use lanescope_workbench::state::State;
use lanescope_workbench::state::program::OpenProgram;

/// Says so where the variants are of another state of the program.
pub(super) fn say_old(out: &mut Rows, program: &OpenProgram) {
    if program.results.variants.is_old(program.revision) {
        out.prose(Task::<ComparedVariants>::OLD);
    }
}

pub(super) fn variants(out: &mut Rows, state: &State) {
    let Some(program) = state.program() else { return };
    let task = &program.results.variants;
    let plain = anstyle::Style::new();
    let again = Link::Do(vec![Command::Begin(Work::Variants)]);
    out.rows.push(match task.underway {
        true => Row::default().with(out.style.meaning(Meaning::Dimmed), " compiling variants", None),
        false => Row::default().with(plain, " ", None).with(plain, "Compile again", Some(again)),
    });
    if let Some(why) = task.failed().filter(|_| !task.underway) {
        out.prose(why);
    }
    let Some(done) = task.done() else { return };
    say_old(out, program);
    out.section(Section::Heading("variants", &done.summary));
    linked(out, &done.rows, |row| match row.key {
        Key::Item(number) => Some(Command::CompareWith(Some(Partner::Variant(number)))),
        _ => None,
    });
    for (numbers, text) in &done.failures {
        out.prose(&format!("{numbers}  {text}"));
    }
    if !done.macros.rows.is_empty() {
        out.section(Section::Heading("macros", "where one alone differs"));
        linked(out, &done.macros, |_| None);
    }
}
