//! The result over many pipelines: rows in view, histograms, sums, the comparison.

use lanescope_core::corpus::{Histogram, ResultColumn};
use lanescope_core::table::{Meaning, Table, elide};
use lanescope_core::text_format::counted;
use lanescope_inspector::command::Command;
use lanescope_inspector::corpus::{CorpusCommand, CorpusPart};
use unicode_width::UnicodeWidthStr as _;

use super::super::look::Look;
use super::super::pane::{Link, Row};
use super::super::printable::line;
use super::{Rows, Section, linked};
use lanescope_workbench::state::corpus::CorpusPage;

/// Rows that the widths of columns are taken of.
const SAMPLED: usize = 64;
/// The widest column, in columns of the terminal; names may be wider.
const WIDEST: usize = 28;
const WIDEST_NAME: usize = 48;
/// Columns between two columns of the table.
const GAP: usize = 2;
/// Bars of a histogram.
const BARS: usize = 16;

/// The widths of the table's columns: those of some of the shown rows.
pub fn widths(page: &CorpusPage) -> Vec<usize> {
    let table = &page.result.table;
    let step = page.rows.len().div_ceil(SAMPLED).max(1);
    let width = |column: &ResultColumn| {
        let cells = page.rows.iter().step_by(step).map(|row| table.text(*row as usize, *column).width());
        // A sign of the order is beside the title.
        let wide = cells.chain([table.title(*column).width() + 2]).max().unwrap_or(0);
        wide.min(if *column == ResultColumn::Pipeline { WIDEST_NAME } else { WIDEST })
    };
    page.columns.iter().map(width).collect()
}

/// The title of a column of the table.
pub struct Title {
    /// The column of the screen that it begins in.
    pub column: usize,
    pub text: String,
    /// Sorts by the column.
    pub sorts: Command,
}

/// The titles of the table.
pub fn titles(page: &CorpusPage, widths: &[usize], look: Look) -> Vec<Title> {
    let mut at = 0;
    let mut out = Vec::new();
    for (index, (column, width)) in page.columns.iter().zip(widths).enumerate() {
        let here = page.sort.filter(|sort| sort.column == index);
        let sign = here.map_or("", |sort| match (look.ascii, sort.descending) {
            (false, _) => sort.sign(),
            (true, true) => "v",
            (true, false) => "^",
        });
        let title = format!("{}{}{sign}", page.result.table.title(*column), if sign.is_empty() { "" } else { " " });
        let text = aligned(&line(&title), *width, *column);
        let sort = lanescope_core::table::Sort::after_click(page.sort, index);
        out.push(Title { column: at, text, sorts: Command::Corpus(CorpusCommand::Sort(sort)) });
        at += width + GAP;
    }
    out
}

/// A row of the table, by its place among the shown ones.
pub fn row(page: &CorpusPage, widths: &[usize], at: usize) -> Row {
    let Some(index) = page.rows.get(at).copied() else { return Row::default() };
    let mut out = Row::default();
    for (number, (column, width)) in page.columns.iter().zip(widths).enumerate() {
        let text = aligned(&line(&page.result.table.text(index as usize, *column)), *width, *column);
        let link = (number == 0).then(|| Link::Do(vec![Command::Corpus(CorpusCommand::OpenRow(index))]));
        out = out.with(anstyle::Style::new(), text, link);
        out = out.with(anstyle::Style::new(), " ".repeat(GAP), None);
    }
    out
}

fn aligned(text: &str, width: usize, column: ResultColumn) -> String {
    let text = elide(text, width);
    let pad = " ".repeat(width.saturating_sub(text.width()));
    if matches!(column, ResultColumn::Number(_)) { pad + &text } else { text + &pad }
}

/// The lines of the other parts.
pub fn part(page: &CorpusPage, look: Look, width: usize) -> Vec<Row> {
    let mut out = Rows::new(look, width);
    match page.part {
        CorpusPart::Rows => {}
        CorpusPart::Histograms => {
            if page.histograms.is_empty() {
                out.prose("The shown rows have no numbers.");
            }
            page.histograms.iter().for_each(|(name, values)| histogram(&mut out, name, values));
        }
        CorpusPart::Summary => {
            out.prose(&page.summed());
            page.sums.iter().for_each(|sums| table(&mut out, sums));
        }
        CorpusPart::Comparison => match &page.comparison {
            None => out.prose("= compares with another result, which is the side before."),
            Some(comparison) => {
                out.prose(&format!("Before: {}", line(&comparison.before.display().to_string())));
                for text in &comparison.lines {
                    out.rows.push(Row::default().with(anstyle::Style::new(), format!(" {}", line(text)), None));
                }
                comparison.tables.iter().for_each(|shown| table(&mut out, shown));
            }
        },
    }
    // A heading has an empty line above it: not at the top.
    if out.rows.first().is_some_and(|row| row.text().trim().is_empty()) {
        out.rows.remove(0);
    }
    out.rows
}

/// A bar for each range, which is before it. Enter shows the rows of a range.
fn histogram(out: &mut Rows, name: &str, values: &Histogram) {
    let bars = values.joined(BARS);
    let total: u64 = bars.iter().map(|(_, count)| count).sum();
    let most = bars.iter().map(|(_, count)| *count).max().unwrap_or(1).max(1);
    out.section(Section::Heading(name, &counted(total, "shader")));
    let room = out.width.saturating_sub(30).clamp(10, 60);
    let sign = if out.look.ascii { "#" } else { "█" };
    let dim = out.style.meaning(Meaning::Dimmed);
    for (at, (from, count)) in bars.iter().enumerate() {
        let range = (*from, bars.get(at + 1).map(|(bound, _)| *bound));
        let filter = CorpusCommand::Filter(CorpusPage::range_filter(name, range.0, range.1));
        let show = vec![Command::Corpus(filter), Command::Corpus(CorpusCommand::Part(CorpusPart::Rows))];
        // Every bar can be seen.
        let length = usize::try_from(count.saturating_mul(room as u64) / most).unwrap_or(room).max(1);
        let range_text = lanescope_pictures::corpus::range_text(range.0, range.1);
        let range_text = if out.look.ascii { range_text.replace('–', "-") } else { range_text };
        let row = Row::default().with(dim, format!(" {range_text:>12} "), None);
        let row = row.with(anstyle::Style::new(), sign.repeat(length), Some(Link::Do(show)));
        out.rows.push(row.with(dim, format!(" {count}"), None));
    }
}

/// A table under its title. Enter opens the pipeline that a row names.
fn table(out: &mut Rows, shown: &Table) {
    out.section(Section::Heading(&shown.title, ""));
    let names = shown.columns.first().is_some_and(|column| column.title == "Pipeline");
    linked(out, shown, |row| {
        let name = row.cell(0).filter(|_| names)?.text().into_owned();
        Some(Command::Corpus(CorpusCommand::OpenPipeline(name)))
    });
}
