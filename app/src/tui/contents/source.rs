//! Texts: the source, listings of DXIL, rewritten modules.

use std::collections::BTreeMap;

use lanescope_core::table::Meaning;
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::Varying;
use lanescope_inspector::source::{Language, SourceText, TextRole};
use lanescope_inspector::tasks::Work;
use lanescope_pictures::index::Index;

use super::super::pane::{Link, Row, Text};
use super::{Rows, Section};
use crate::state::program::OpenProgram;

/// Columns of a tab.
const TAB: usize = 4;

/// A line of a text as it is drawn: tabs as spaces, and what a terminal would obey replaced.
pub fn line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => out.extend(std::iter::repeat_n(' ', TAB)),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// The source of each file, its listing or its bytes, and its modules.
pub fn texts(out: &mut Rows, program: &OpenProgram) {
    let has = |role: TextRole, input| program.texts.iter().any(|text| text.input == input && text.role == role);
    let shown = program.texts.iter().filter(|text| match text.role {
        TextRole::Source | TextRole::Module(_) => true,
        TextRole::Listing => !has(TextRole::Source, text.input),
        TextRole::Bytes => !has(TextRole::Source, text.input) && !has(TextRole::Listing, text.input),
    });
    shown.for_each(|shown| text(out, shown));
}

/// The listings of DXIL containers.
pub fn listings(out: &mut Rows, program: &OpenProgram) {
    program.texts.iter().filter(|text| text.role == TextRole::Listing).for_each(|listing| text(out, listing));
}

/// A text with line numbers; a line with a varying or an instruction selects it.
fn text(out: &mut Rows, shown: &SourceText) {
    out.section(Section::Heading(&shown.title, ""));
    let marks: BTreeMap<usize, Varying> = shown.marks.iter().rev().map(|(varying, line)| (*line, *varying)).collect();
    let digits = shown.text.lines().count().to_string().len().max(3);
    let (dim, plain) = (out.style.meaning(Meaning::Dimmed), anstyle::Style::new());
    let index = Index::whole(shown.language, &shown.text);
    for (number, contents) in shown.text.lines().enumerate() {
        let code = || shown.instructions.as_ref().and_then(|all| all.code(number)).map(Link::Code);
        let link = marks.get(&number).map(|varying| Link::Varying(*varying)).or_else(code);
        let row = Row::default().with(dim, format!("{:>digits$}  ", number + 1), None);
        let code = Text { language: shown.language, open: index.begins_open(number), from: 1 };
        out.rows.push(Row { code: Some(code), ..row.with(plain, line(contents), link) });
    }
}

/// The rewritten modules; lines that are not in the original are marked.
pub fn rewritten(out: &mut Rows, program: &OpenProgram) {
    let task = &program.results.rewriting;
    if task.answer.is_none() && !task.underway {
        let go = Link::Do(vec![Command::Begin(Work::Rewrite)]);
        let text = "Rewrite the modules with the packing and the workgroup layout (Enter)";
        out.rows.push(Row::default().with(anstyle::Style::new(), " ", None).with(
            anstyle::Style::new(),
            text,
            Some(go),
        ));
        return;
    }
    if !out.task(task, "Rewriting", "") {
        return;
    }
    let Some(rewriting) = task.done() else { return };
    for module in &rewriting.modules {
        let same = module.original == module.rewritten;
        out.section(Section::Heading(&module.name, if same { "unchanged" } else { "rewritten" }));
        let known: std::collections::BTreeSet<&str> = module.original.lines().collect();
        for text in module.rewritten.lines() {
            let is_new = !same && !known.contains(text);
            let style = if is_new { out.style.meaning(Meaning::Good) } else { anstyle::Style::new() };
            let sign = if is_new { "+ " } else { "  " };
            let row = Row::default().with(style, sign, None).with(anstyle::Style::new(), line(text), None);
            out.rows.push(Row { code: Some(Text { language: Language::Spvasm, open: false, from: 1 }), ..row });
        }
    }
    for stage in &rewriting.unchanged {
        out.prose(&format!("{} {}: unchanged: {}", stage.stage, stage.entry, stage.why));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_cannot_control_the_terminal() {
        assert_eq!(line("a\tb\u{1b}[31m\r"), "a    b\u{fffd}[31m\u{fffd}");
    }
}
