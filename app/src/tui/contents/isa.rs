//! What drivers' compilers made: statistics, and assembly with the pressure of registers beside each line.

use std::collections::BTreeMap;

use lanescope_core::driver::DriverStage;
use lanescope_core::driver::isa::{IsaFacts, OperandKind};
use lanescope_core::table::Meaning;

use super::super::pane::{Link, Row};
use super::source::line;
use super::{Rows, Section};
use crate::state::program::OpenProgram;

/// Columns of the bar of vector registers.
const BAR: usize = 8;

/// What a view of compilers' results says before there are any.
const HOW: &str = "x compiles with drivers' compilers; no GPU is required for those of Mesa.";

/// The statistics, layouts and registers of all compilers.
pub fn statistics(out: &mut Rows, program: &OpenProgram) {
    let has = out.task(&program.results.compiled, "Compiling", HOW);
    let report = &program.analysis.report;
    match program.results.compiled.done().filter(|_| has) {
        Some(compiled) => {
            let mut report = report.clone();
            report.set_drivers(compiled.sections.clone());
            out.section(Section::Driver(&report));
        }
        None => out.section(Section::Driver(report)),
    }
}

/// The assembly of each stage and compiler.
pub fn assembly(out: &mut Rows, program: &OpenProgram) {
    let task = &program.results.compiled;
    let has = out.task(task, "Compiling", HOW);
    let compiled = task.done().filter(|_| has).map(|compiled| compiled.sections.stages.as_slice());
    let rows = compiled.unwrap_or(&program.analysis.report.driver);
    if has && rows.iter().all(|row| row.isa.is_none()) {
        out.prose("No compiler returned assembly.");
    }
    for row in rows {
        let Some(text) = &row.isa else { continue };
        out.section(Section::Heading(&row.title(), &format!("{} {}", row.place(), row.of)));
        listing(out, row, text);
    }
}

fn listing(out: &mut Rows, row: &DriverStage, text: &str) {
    let Some(facts) = row.read_isa().filter(|_| row.is_interpreted()) else {
        for text in text.lines() {
            out.rows.push(Row::default().with(anstyle::Style::new(), line(text), None));
        }
        return;
    };
    for (about, what) in facts.summary() {
        out.prose(&format!("{about}: {what}"));
    }
    let most = facts.pressure.iter().map(|pressure| pressure.vgprs).max().unwrap_or(0);
    let first = out.rows.len();
    let labels = labels(text);
    let dim = out.style.meaning(Meaning::Dimmed);
    for (number, text) in (0u32..).zip(text.trim_end().lines()) {
        let at = facts.at_line(number);
        let pressure = at.and_then(|at| facts.pressure.get(at as usize));
        let (count, bar) = match pressure {
            Some(pressure) => (format!("{:>4} ", pressure.vgprs), bar(pressure.vgprs, most)),
            None => (" ".repeat(5), " ".repeat(BAR)),
        };
        let to = at.and_then(|at| target(&facts, at)).and_then(|label| labels.get(label));
        let link = to.map(|line| Link::Line(first + line));
        let row = Row::default().with(dim, count, None).with(out.style.meaning(Meaning::Item(0)), bar, None);
        out.rows.push(row.with(anstyle::Style::new(), format!("  {}", line(text)), link));
    }
}

/// The label that an instruction jumps to.
fn target(facts: &IsaFacts, at: u32) -> Option<&str> {
    let operands = &facts.instructions.get(at as usize)?.operands;
    operands.iter().find_map(|operand| match &operand.kind {
        OperandKind::Label(label) => Some(label.as_str()),
        _ => None,
    })
}

/// The lines of labels: `BB3:`.
fn labels(text: &str) -> BTreeMap<&str, usize> {
    let mut out = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        if let Some((name, _)) = line.trim().split_once(':').filter(|(name, _)| !name.contains(char::is_whitespace)) {
            out.entry(name).or_insert(number);
        }
    }
    out
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
    fn finds_labels() {
        assert_eq!(labels("BB0:\n  s_branch BB1\nBB1: ; note\n"), BTreeMap::from([("BB0", 0), ("BB1", 2)]));
    }
}
