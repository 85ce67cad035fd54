//! Texts: the source, listings of DXIL, rewritten modules.

use std::collections::BTreeMap;

use lanescope_core::report::Report;
use lanescope_core::table::Meaning;
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::Varying;
use lanescope_inspector::source::{Language, SourceText, TextRole};
use lanescope_inspector::tasks::Work;
use lanescope_pictures::align::Alignment;
use lanescope_pictures::assembly::Tints;
use lanescope_pictures::index::Index;

use super::super::pane::{Link, Origin, Row, Spot, Text};
use super::super::printable::line;
use super::{Rows, Section};
use lanescope_workbench::state::program::OpenProgram;

/// The source of each file, its listing or its bytes, and its modules.
pub fn texts(out: &mut Rows, program: &OpenProgram, tints: bool) {
    let compiled = program.results.compiled.done().filter(|_| tints);
    let tints = compiled.map(|compiled| Tints::of(&compiled.sections.stages, &program.texts)).unwrap_or_default();
    let has = |role: TextRole, input| program.texts.iter().any(|text| text.input == input && text.role == role);
    let shown = program.texts.iter().filter(|text| match text.role {
        TextRole::Source | TextRole::Module(_) => true,
        TextRole::Listing => !has(TextRole::Source, text.input),
        TextRole::Bytes => !has(TextRole::Source, text.input) && !has(TextRole::Listing, text.input),
    });
    shown.for_each(|shown| text(out, shown, &program.analysis.report, &tints));
}

/// The listings of DXIL containers.
pub fn listings(out: &mut Rows, program: &OpenProgram) {
    let listings = program.texts.iter().filter(|text| text.role == TextRole::Listing);
    listings.for_each(|listing| text(out, listing, &program.analysis.report, &Tints::default()));
}

/// A text with line numbers; a line selects its varyings and its instructions.
fn text(out: &mut Rows, shown: &SourceText, report: &Report, tints: &Tints) {
    out.section(Section::Heading(&shown.title, ""));
    let title = out.rows.len().saturating_sub(1);
    out.spots.push((Spot::Text(None), title));
    out.spots.extend(shown.stages(report).into_iter().map(|stage| (Spot::Text(Some(stage)), title)));
    let mut marks: BTreeMap<usize, Vec<Varying>> = BTreeMap::new();
    for (varying, line) in &shown.marks {
        marks.entry(*line).or_default().push(*varying);
    }
    let digits = shown.text.lines().count().to_string().len().max(3);
    let (dim, plain) = (out.style.meaning(Meaning::Dimmed), anstyle::Style::new());
    let index = Index::whole(shown.language, &shown.text);
    for (number, contents) in shown.text.lines().enumerate() {
        let code = shown.instructions.as_ref().and_then(|all| all.code(number));
        let link = Origin { varyings: marks.remove(&number).unwrap_or_default(), code }.link();
        let numbered = out.look.tint(tints.of_line(shown, number), false).unwrap_or(dim);
        let row = Row::default().with(numbered, format!("{:>digits$}  ", number + 1), None);
        let code = Text { language: shown.language, open: index.begins_open(number), parts: [1, 2] };
        out.rows.push(Row { code: Some(code), ..row.with(plain, line(contents), link) });
    }
}

/// The rewritten modules against their originals, as `diff` writes them, with every line.
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
        let first = out.rows.len();
        difference(out, &module.original, &module.rewritten);
        if let Some(stage) = module.stages.first() {
            out.rows.iter_mut().skip(first).for_each(|row| row.also.push(Link::Stage(*stage)));
        }
    }
    for stage in &rewriting.unchanged {
        out.prose(&format!("{} {}: unchanged: {}", stage.stage, stage.entry, stage.why));
    }
}

/// Two modules in one text: `-` marks lines of the first one only, `+` of the second one only. The first line of a
/// change is one to go to.
fn difference(out: &mut Rows, original: &str, rewritten: &str) {
    let (left, right): (Vec<&str>, Vec<&str>) = (original.lines().collect(), rewritten.lines().collect());
    let all = Alignment::of(&left, &right);
    let (good, bad) = (out.style.meaning(Meaning::Good), out.style.meaning(Meaning::Changed));
    let plain = anstyle::Style::new();
    let mut push = |style, sign: &str, text: Option<&&str>, change| {
        let Some(text) = text else { return };
        let row = Row::default().with(style, sign, None).with(plain, line(text), None);
        let code = Some(Text { language: Language::Spvasm, open: false, parts: [1, 2] });
        out.rows.push(Row { code, change, ..row });
    };
    let mut at = 0;
    let end = all.pairs.len();
    // After the last change the rest is the same.
    for change in all.changes.iter().cloned().chain(std::iter::once(end..end)) {
        for pair in all.pairs.get(at..change.start).unwrap_or_default() {
            push(plain, "  ", pair.right.and_then(|number| right.get(number)), false);
        }
        let changed = all.pairs.get(change.clone()).unwrap_or_default();
        let removed = changed.iter().filter_map(|pair| Some((bad, "- ", left.get(pair.left?))));
        let added = changed.iter().filter_map(|pair| Some((good, "+ ", right.get(pair.right?))));
        for (number, (style, sign, text)) in removed.chain(added).enumerate() {
            push(style, sign, text, number == 0);
        }
        at = change.end;
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::look::{Colors, Look};
    use super::*;

    #[test]
    fn modules_are_compared_with_every_line() {
        let mut out = Rows::new(Look { colors: Colors::None, light: false, ascii: false }, 60);
        let (original, rewritten) = ("head\nOpA 3\nOpB\nmiddle\ntail\n", "head\nOpA 0\nmiddle\nOpC\ntail\n");
        difference(&mut out, original, rewritten);
        let text: Vec<String> = out.rows.iter().map(Row::text).collect();
        assert_eq!(text, ["  head", "- OpA 3", "- OpB", "+ OpA 0", "  middle", "+ OpC", "  tail"]);
        let changes: Vec<usize> = (0..text.len()).filter(|at| out.rows[*at].change).collect();
        assert_eq!(changes, [1, 5]);
    }
}
