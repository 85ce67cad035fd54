//! What drivers' compilers made: statistics, and assembly with the pressure of registers beside each line.

use std::collections::BTreeMap;

use lanescope_core::driver::DriverStage;
use lanescope_core::driver::isa::{Branch, IsaFacts, Operand, OperandKind};
use lanescope_core::driver::origin::line_costs::costliest;
use lanescope_core::table::Meaning;
use lanescope_inspector::source::Language;
use lanescope_inspector::tasks::Compiled;
use lanescope_pictures::assembly::{Tints, origins, varyings};
use unicode_width::UnicodeWidthStr as _;

use super::super::pane::{Link, Origin, Row, Text};
use super::super::printable::line;
use super::{GAP, Rows, Section, TWO, beside};
use lanescope_text::lines_of;
use lanescope_workbench::state::program::OpenProgram;

/// Columns of the bar of vector registers.
const BAR: usize = 8;

/// What a view of compilers' results says before there are any.
const HOW: &str = "x compiles with drivers' compilers; no GPU is required for those of Mesa.";

/// Says how far compilers are; true where there is a result.
fn compiled(out: &mut Rows, program: &OpenProgram) -> bool {
    if let Some(finding) = program.analysis.report.not_converted() {
        out.prose(&format!("Not compiled: {}", finding.message));
        return false;
    }
    out.task(&program.results.compiled, "Compiling", HOW)
}

/// The statistics, layouts and registers of all compilers, and what source lines cost.
pub fn statistics(out: &mut Rows, program: &OpenProgram) {
    let has = compiled(out, program);
    let report = &program.analysis.report;
    match program.results.compiled.done().filter(|_| has) {
        Some(compiled) => {
            let mut report = report.clone();
            report.set_drivers(compiled.sections.clone());
            if let Some(costliest) = costliest(&compiled.sections.stages) {
                out.prose(&costliest);
            }
            out.section(Section::Driver(&report));
            if compiled.sections.stages.iter().any(|row| !row.origins.is_empty()) {
                out.section(Section::LineCosts(&compiled.sections.stages));
            }
        }
        None => out.section(Section::Driver(report)),
    }
}

/// Where each compiler puts the varyings, where one was asked.
pub fn assignments(out: &mut Rows, program: &OpenProgram) {
    let report = &program.analysis.report;
    let compiled = program.results.compiled.done().map(|compiled| compiled.sections.layouts.as_slice());
    let tables = compiled.unwrap_or(&report.driver_layouts);
    if let Some(packing) = report.packing.as_ref().filter(|_| !tables.is_empty()) {
        out.section(Section::Assignments(packing, tables));
    }
}

/// The assembly of each stage and compiler.
pub fn assembly(out: &mut Rows, program: &OpenProgram, tints: bool) {
    let task = &program.results.compiled;
    let has = compiled(out, program);
    let compiled = task.done().filter(|_| has).map(|compiled| compiled.sections.stages.as_slice());
    let rows = compiled.unwrap_or(&program.analysis.report.driver);
    if has && rows.iter().all(|row| row.isa.is_none()) {
        out.prose("No compiler returned assembly.");
    }
    let compiled = task.done().filter(|_| has);
    let tints = if tints { Tints::of(rows, &program.texts) } else { Tints::default() };
    let mut left: Vec<&DriverStage> = rows.iter().filter(|row| row.isa.is_some()).collect();
    while !left.is_empty() {
        let row = left.remove(0);
        // The same stage of another chip is beside it where there is room.
        let partner = left.iter().position(|other| {
            out.width >= TWO && (other.stage, other.of) == (row.stage, row.of) && other.place() != row.place()
        });
        let Some(partner) = partner.map(|at| left.remove(at)) else {
            listing(out, row, program, (compiled, &tints), 0);
            continue;
        };
        let (base, width) = (out.rows.len(), (out.width - GAP) / 2);
        let [a, b] = [row, partner].map(|row| {
            let mut half = out.narrower(width);
            listing(&mut half, row, program, (compiled, &tints), base);
            half.rows
        });
        out.rows.extend(beside(a, b, width, out.style.meaning(Meaning::Dimmed)));
    }
}

/// An assembly with its title; `base` is the number of the line before it.
fn listing(
    out: &mut Rows,
    row: &DriverStage,
    program: &OpenProgram,
    (compiled, tints): (Option<&Compiled>, &Tints),
    base: usize,
) {
    let Some(text) = &row.isa else { return };
    out.section(Section::Heading(&row.title(), &format!("{} {}", row.place(), row.of)));
    let Some(facts) = row.read_text() else {
        out.prose("not interpreted");
        for text in text.lines() {
            let also = vec![Link::Stage(row.stage)];
            out.rows.push(Row { also, ..Row::default().with(anstyle::Style::new(), line(text), None) });
        }
        return;
    };
    let origins = origins(row, &facts, &program.texts);
    let sources = lines_of(row, &facts);
    let varyings = compiled.map(|compiled| varyings(compiled, row, &facts)).unwrap_or_default();
    for (about, what) in row.summary(&facts) {
        out.prose(&format!("{about}: {what}"));
    }
    let most = facts.pressure.iter().map(|pressure| pressure.vgprs).max().unwrap_or(0);
    let first = base + out.rows.len();
    let labels = labels(&facts);
    let dim = out.style.meaning(Meaning::Dimmed);
    let stage = row.stage;
    let digits = text.lines().count().to_string().len();
    for (number, text) in (0u32..).zip(text.trim_end().lines()) {
        let at = facts.at_line(number);
        let pressure = at.and_then(|at| facts.pressure.get(at as usize));
        let (count, bar) = match pressure {
            Some(pressure) => (format!("{:>4} ", pressure.vgprs), bar(pressure.vgprs, most)),
            None => (" ".repeat(5), " ".repeat(BAR)),
        };
        let shown = format!("{:>digits$} ", number + 1);
        let code = origins.code(number as usize);
        let tint = code.as_ref().and_then(|code| tints.of_code(code));
        let numbered = out.look.tint(tint, origins.is_estimate(number as usize)).unwrap_or(dim);
        let mut row = Row::default().with(numbered, shown, None).with(dim, count, None).with(
            out.style.meaning(Meaning::Item(0)),
            bar,
            None,
        );
        row = row.with(anstyle::Style::new(), "  ", None);
        let from = row.spans.len();
        let room = out.width.saturating_sub(row.width());
        let (text, source) = sources.get(&number).map_or((text, None), |source| fitted(text, source, room));
        let place = number as usize;
        let varyings = varyings.of_line.get(&place).cloned().unwrap_or_default();
        let origin = Origin { varyings, code }.link();
        row.also.extend(origin.clone());
        row.also.push(Link::Stage(stage));
        let to = |label: &str| labels.get(label).map(|line| Link::Line(first + line));
        row = match at.and_then(|at| facts.instructions.get(at as usize)) {
            Some(instruction) => operands(row, text, &instruction.operands, origin.clone(), &to),
            None => row.with(anstyle::Style::new(), line(text), None),
        };
        row.code = Some(Text { language: Language::Isa, open: false, parts: [from, row.spans.len()] });
        if let Some(source) = source {
            row = row.with(dim, "  ", None).with(dim, source, origin);
        }
        out.rows.push(row);
    }
}

/// An instruction and its source line (`<- a.frag:17`) in so many columns: without the encoding after the instruction,
/// then without the file's name, then without the source line where the width does not suffice.
fn fitted<'t>(text: &'t str, source: &str, width: usize) -> (&'t str, Option<String>) {
    let bare = text.split_once(';').map_or(text, |(bare, _)| bare.trim_end());
    let source = line(source);
    // `<-`, or `<~` for an estimate.
    let (sign, _) = source.split_once(' ').unwrap_or(("<-", ""));
    let short =
        source.rsplit_once(':').map(|(_, number)| format!("{sign} :{number}")).filter(|_| !source.contains(", "));
    let choices = [(text, Some(source.clone())), (bare, Some(source)), (bare, short)];
    let fits = |(text, source): &(&str, Option<String>)| {
        source.as_ref().is_some_and(|source| line(text).width() + 2 + source.width() <= width)
    };
    choices.into_iter().find(fits).unwrap_or((text, None))
}

/// An instruction: its name leads to what it comes from, registers are marked wherever they are used, labels lead to
/// their line.
fn operands(mut row: Row, text: &str, all: &[Operand], origin: Option<Link>, to: &dyn Fn(&str) -> Option<Link>) -> Row {
    let none = anstyle::Style::new();
    let start = text.len() - text.trim_start().len();
    let mut from = text[start..].find(char::is_whitespace).map_or(text.len(), |end| start + end);
    // Other vendors than AMD write results, or a predicate, first.
    let first = all.first().map_or(from, |operand| operand.columns[0] as usize);
    if first < from {
        from = start;
    }
    row = row.with(none, line(&text[..start]), None).with(none, line(&text[start..from]), origin);
    for operand in all {
        let link = match &operand.kind {
            OperandKind::Registers(registers) => Some(Link::Machine(*registers)),
            OperandKind::Label(label) => to(label),
            _ => None,
        };
        let [start, end] = operand.columns.map(|column| column as usize);
        let (Some(link), Some(before), Some(own)) = (link, text.get(from..start), text.get(start..end)) else {
            continue;
        };
        row = row.with(none, line(before), None).with(none, line(own), Some(link));
        from = end;
    }
    row.with(none, line(text.get(from..).unwrap_or_default()), None)
}

/// The lines of the labels that branches name.
fn labels(facts: &IsaFacts) -> BTreeMap<&str, usize> {
    let line = |branch: &Branch| Some(facts.blocks.get(branch.block? as usize)?.line as usize);
    facts.branches.iter().filter_map(|branch| Some((branch.target.as_str(), line(branch)?))).collect()
}

/// A bar as long as this is of the most, in eighths of a column.
fn bar(of: u16, most: u16) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = usize::from(of) * BAR * 8 / usize::from(most.max(1));
    let (whole, rest) = (eighths / 8, eighths % 8);
    let mut bar = "█".repeat(whole);
    bar.push_str(EIGHTHS[rest]);
    let used = whole + usize::from(rest > 0);
    bar.extend(std::iter::repeat_n(' ', BAR.saturating_sub(used)));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_share() {
        assert_eq!(bar(4, 4), "████████");
        assert_eq!(bar(1, 16), "▌       ");
        assert_eq!(bar(0, 0), "        ");
    }

    #[test]
    fn source_lines_are_shown_where_they_fit() {
        let (text, source) = ("\tv_mov_b32 v0, v1   ; 7e000301", "<- lit.frag:17");
        let shown = |width| {
            let (text, source) = fitted(text, source, width);
            (text.contains(';'), source)
        };
        assert_eq!(shown(60), (true, Some(source.to_owned())));
        assert_eq!(shown(40), (false, Some(source.to_owned())));
        assert_eq!(shown(30), (false, Some("<- :17".to_owned())));
        assert_eq!(shown(24), (true, None));
        assert_eq!(fitted(text, "<~ lit.frag:17", 30).1.as_deref(), Some("<~ :17"), "an estimate stays one");
    }

    #[test]
    fn operands_lead_to_registers_and_labels() {
        let text = "\tv_add_f32_e32 v2, v0, v1\n\ts_cbranch_execz BB1\nBB1:\n\ts_endpgm\n";
        let facts = lanescope_core::driver::isa::read(text, lanescope_core::program::StageKind::Fragment);
        let to = |label: &str| (label == "BB1").then_some(Link::Line(2));
        let lines: Vec<&str> = text.lines().collect();
        let links = |line: u32| -> Vec<(String, Link)> {
            let at = facts.at_line(line).expect("an instruction");
            let all = &facts.instructions[at as usize].operands;
            let row = operands(Row::default(), lines[line as usize], all, None, &to);
            row.spans.into_iter().filter_map(|span| Some((span.text, span.link?))).collect()
        };
        let names: Vec<String> = links(0).into_iter().map(|(text, _)| text).collect();
        assert_eq!(names, ["v2", "v0", "v1"]);
        assert_eq!(links(1), [("BB1".to_owned(), Link::Line(2))]);
    }

    #[test]
    fn finds_labels() {
        let facts = lanescope_core::driver::isa::read(
            "BB0:\n\ts_branch BB1\nBB1: ; note\n\ts_endpgm\n",
            lanescope_core::program::StageKind::Compute,
        );
        assert_eq!(labels(&facts), BTreeMap::from([("BB1", 2)]));
    }
}
