//! The report as text for a terminal: tables, a drawn slot grid, a drawn lane map, in 100 columns.

#![forbid(unsafe_code)]

mod assignments;
mod capabilities;
mod code_object;
mod compare;
mod corpus;
mod cost;
mod cost_sheet;
mod debug;
mod driver;
mod driver_registers;
mod dxil;
mod foz;
mod graph;
mod graph_run;
mod guessed_layout;
mod labels;
mod layouts;
mod legend;
mod linkage;
mod listing;
pub mod markdown;
mod opcode_tables;
mod opcodes;
mod packing;
mod page;
mod panes;
mod pipeline;
mod probe;
mod registers;
mod run;
mod script;
mod slots;
mod sodb;
mod strip;
mod variants;
mod workgroup;

#[cfg(test)]
mod fixtures;

use std::io::{self, IsTerminal as _, Write};

use anstyle::{AnsiColor, Effects};
use lanescope_core::findings::{Finding, Severity};
use lanescope_core::options::{Difference, Options};
use lanescope_core::program::Format;
use lanescope_core::report::Report;
use lanescope_core::report_tables;
use lanescope_core::table::{Cell, Column, Meaning, Table};

pub use capabilities::{write_coverage, write_offered};
pub use code_object::{
    write as write_code_object, write_comparison as write_object_comparison, write_predicted, write_remap,
};
pub use compare::write as write_comparison;
pub use corpus::write as write_corpus_summary;
pub use cost::write as write_cost;
pub use cost_sheet::write as write_cost_sheet;
pub use debug::{write as write_debug, write_printed};
pub use driver::{Detail, lines_of, write as write_isa};
pub use foz::write as write_foz;
pub use graph_run::write as write_graph_run;
pub use guessed_layout::{
    write as write_guessed_layout, write_corpus, write_searched as write_searched_guesses,
    write_timelines as write_cache_timelines, write_variants as write_cache_variants,
};
pub use linkage::write as write_linkage;
pub use listing::write as write_listings;
pub use opcode_tables::{write_changes as write_op_changes, write_history as write_op_history, write_opcode};
pub use opcodes::write as write_ops;
use page::{Line, Page};
pub use page::{Printed, Target, WIDTH, plain, wrap};
pub use panes::Section;
pub use probe::write as write_probe;
pub use run::{FINDINGS_NOTE, write as write_run};
pub use script::problems;
pub use slots::write as write_slots;
pub use sodb::write as write_sodb;
pub use variants::write as write_variants;

/// Styles of the parts of the report. The caller decides whether colours are used.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    heading: anstyle::Style,
    strong: anstyle::Style,
    dim: anstyle::Style,
    good: anstyle::Style,
    warning: anstyle::Style,
    /// A number below its base; one above it is a warning's colour.
    lower: anstyle::Style,
    error: anstyle::Style,
    hues: [anstyle::Style; 6],
    /// Nothing is cut at the page's width: the reader is a program or a file.
    whole: bool,
    /// The page is a tab of the terminal form: keys apply, flags of the command line do not.
    keys: bool,
}

/// Where everything is that the text leaves out.
const IN_JSON: &str = "--format json has them all";
/// Included files that are listed.
const INCLUDED_AT_MOST: usize = 8;

impl Style {
    /// No colour, no emphasis: the same text.
    pub fn plain() -> Style {
        let plain = anstyle::Style::new();
        let hues = [plain; 6];
        let (whole, keys) = (false, false);
        Style {
            heading: plain,
            strong: plain,
            dim: plain,
            good: plain,
            warning: plain,
            lower: plain,
            error: plain,
            hues,
            whole,
            keys,
        }
    }

    /// The terminal's own sixteen colours, so that its theme decides how they look.
    pub fn colour() -> Style {
        let of = |colour: AnsiColor| colour.on_default();
        Style {
            heading: of(AnsiColor::Cyan).effects(Effects::BOLD),
            strong: anstyle::Style::new().effects(Effects::BOLD),
            dim: anstyle::Style::new().effects(Effects::DIMMED),
            good: of(AnsiColor::Green),
            warning: of(AnsiColor::Yellow),
            lower: of(AnsiColor::Cyan),
            error: of(AnsiColor::Red).effects(Effects::BOLD),
            hues: [
                of(AnsiColor::Cyan),
                of(AnsiColor::Yellow),
                of(AnsiColor::Green),
                of(AnsiColor::Magenta),
                of(AnsiColor::Blue),
                of(AnsiColor::Red),
            ],
            whole: false,
            keys: false,
        }
    }

    /// The style of a tab of the terminal form.
    pub fn with_keys(self) -> Style {
        Style { keys: true, ..self }
    }

    /// Nothing is cut at the page's width: the reader is a program.
    pub fn whole(self) -> Style {
        Style { whole: true, ..self }
    }

    /// How to see what a list leaves out: by flags on the command line, by keys in the terminal form, where any do.
    fn hint(self, flags: &str, keys: &str) -> String {
        let how = if self.keys { keys } else { flags };
        if how.is_empty() { String::new() } else { format!("; {how}") }
    }

    /// Colour where standard output takes it. Names and values are cut at the page's width on a terminal only.
    pub fn of(choice: anstream::ColorChoice) -> Style {
        let style = if choice == anstream::ColorChoice::Never { Style::plain() } else { Style::colour() };
        Style { whole: !io::stdout().is_terminal(), ..style }
    }

    /// The colour of item `index`. Colours repeat, so each item also has a name or a letter.
    fn hue(&self, index: usize) -> anstyle::Style {
        self.hues.get(index % self.hues.len()).copied().unwrap_or_default()
    }

    /// The style of a part of a table.
    pub fn meaning(&self, meaning: Meaning) -> anstyle::Style {
        match meaning {
            Meaning::Plain => anstyle::Style::new(),
            Meaning::Strong => self.strong,
            Meaning::Dimmed | Meaning::Missing => self.dim,
            Meaning::Changed | Meaning::Higher => self.warning,
            Meaning::Lower => self.lower,
            Meaning::Good => self.good,
            Meaning::Severity(severity) => self.severity(severity).0,
            Meaning::Item(index) => self.hue(index),
        }
    }

    fn severity(&self, severity: Severity) -> (anstyle::Style, &'static str) {
        match severity {
            Severity::Error => (self.error, "✗"),
            Severity::Warning => (self.warning, "!"),
            Severity::Note => (self.dim, "·"),
        }
    }
}

/// Writes the report. No line is wider than 100 columns.
///
/// # Errors
///
/// Those of `out`.
pub fn write(report: &Report, out: &mut dyn Write, style: Style) -> io::Result<()> {
    let page = &mut Page::new(out, style);
    header(page, report)?;
    pipeline::write(page, report)?;
    dxil::write(page, report)?;
    graph::write(page, report)?;
    if let Some(packing) = &report.packing {
        packing::write(page, packing)?;
    }
    for packing in &report.inner_packing {
        packing::write(page, packing)?;
    }
    for layout in &report.workgroup {
        workgroup::layout(page, layout)?;
    }
    if let Some(map) = &report.group_map {
        workgroup::groups(page, map)?;
    }
    spec_constants(page, report)?;
    for summary in report.dxil.iter().flat_map(lanescope_core::dxil::Summary::all) {
        opcodes::uses(page, report, summary)?;
    }
    registers::write(page, report)?;
    guessed_layout::section(page, report)?;
    driver::section(page, report)?;
    findings(page, report)
}

/// Writes `first`, then `text` wrapped after it, in 100 columns and without colour.
///
/// # Errors
///
/// Those of `out`.
pub fn write_prose(first: &str, text: &str, out: &mut dyn Write) -> io::Result<()> {
    write_prose_in(WIDTH, first, text, out)
}

/// The same in so many columns.
///
/// # Errors
///
/// Those of `out`.
pub fn write_prose_in(width: usize, first: &str, text: &str, out: &mut dyn Write) -> io::Result<()> {
    Page::in_columns(width, out, Style::plain()).prose(Line::from(first), text)
}

/// Writes the work graph and its findings.
///
/// # Errors
///
/// Those of `out`.
pub fn write_graph(report: &Report, out: &mut dyn Write, style: Style) -> io::Result<()> {
    let page = &mut Page::new(out, style);
    graph::write(page, report)?;
    // Registers are not part of a graph, and have their own notes.
    let findings: Vec<Finding> = report.findings.iter().filter(|found| !found.code.starts_with('R')).cloned().collect();
    listed_findings(page, &findings)
}

fn header(page: &mut Page<'_>, report: &Report) -> io::Result<()> {
    let style = page.style;
    let mut inputs = Table::new([Column::left(""), Column::left(""), Column::right(""), Column::left("")]);
    for input in &report.inputs {
        inputs.row([
            Cell::of(Meaning::Strong, &input.path),
            input.format.name().into(),
            format!("{} bytes", input.bytes).into(),
            Cell::of(Meaning::Dimmed, input.hash.to_string()),
        ]);
    }
    page.table(&inputs, 0)?;
    page.blank()?;
    for input in &report.inputs {
        let Some(compiler) = &input.compiler else { continue };
        let name = if report.inputs.len() > 1 { format!("{}: ", input.path) } else { String::new() };
        let bindings: Vec<_> = input.bindings.iter().map(|row| format!("{} {}", row.name(), row.place())).collect();
        let bindings = if bindings.is_empty() { String::new() } else { format!("; {}", bindings.join(", ")) };
        // The compiler of Slang says its language itself.
        let what = if input.format == Format::Slang { "compiler" } else { "HLSL" };
        page.prose(label(style, what), &format!("{name}{compiler}{bindings}"))?;
    }
    if !report.included.is_empty() {
        let more = report.included.len().saturating_sub(INCLUDED_AT_MOST);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let first: Vec<&str> = report.included.iter().take(INCLUDED_AT_MOST).map(String::as_str).collect();
        page.prose(label(style, "included"), &format!("{}{more}", first.join(", ")))?;
    }

    let mut stages = Vec::new();
    for stage in &report.stages {
        let size = stage.workgroup_size.map(|[x, y, z]| format!(" {x}×{y}×{z}")).unwrap_or_default();
        stages.push(format!("{} {}{size}", stage.stage, stage.entry));
    }
    let graphics = report.stages.iter().all(|stage| stage.stage.is_graphics());
    let stages = stages.join(if graphics { " → " } else { ", " });
    page.prose(label(style, "stages"), if stages.is_empty() { "none" } else { &stages })?;

    for stage in &report.stages {
        let Some(hashes) = &stage.driver_hashes else { continue };
        let name = if report.stages.len() > 1 { format!("{} {}: ", stage.stage, stage.entry) } else { String::new() };
        let text = format!("{name}{} (LLPC), {} (AMDVLK)", hashes.dump_name(), hashes.code);
        page.prose(label(style, "hashes"), &text)?;
    }

    if report.stages.iter().any(|stage| stage.stage.is_ray_tracing()) {
        let text = "packing, workgroup layouts and register values do not apply to ray tracing stages";
        page.prose(label(style, "passes"), text)?;
    }

    let target = report.options.target.info();
    page.prose(label(style, "target"), &format!("{} ({})", target.name, target.about))?;
    let options: Vec<_> = report.options.differences(&Options::default());
    let options = options.iter().filter(|option| option.name != "target");
    let options: Vec<_> = options.map(Difference::flags).collect();
    page.prose(label(style, "options"), &if options.is_empty() { "defaults".to_owned() } else { options.join(" ") })
}

fn label(style: Style, text: &str) -> Line {
    Line::of(style.dim, text).to(9)
}

fn spec_constants(page: &mut Page<'_>, report: &Report) -> io::Result<()> {
    if report.spec_constants.is_empty() {
        return Ok(());
    }
    page.heading("Specialization constants", "")?;
    page.table(&report_tables::constants(report), 1)
}

fn findings(page: &mut Page<'_>, report: &Report) -> io::Result<()> {
    listed_findings(page, &report.findings)
}

/// Writes the full output of tools that findings quote, or a line that says how to get it.
///
/// # Errors
///
/// Those of `out`.
pub fn write_details(findings: &[Finding], verbose: bool, out: &mut dyn Write, style: Style) -> io::Result<()> {
    let page = &mut Page::new(out, style);
    let detailed: Vec<(&Finding, &str)> =
        findings.iter().filter_map(|finding| Some((finding, finding.details.as_deref()?))).collect();
    if detailed.is_empty() {
        return Ok(());
    }
    if !verbose {
        return page.prose(Line::of(style.dim, " "), "--verbose prints the full output of the tools quoted above.");
    }
    for (finding, details) in detailed {
        let place = finding.place_text();
        page.heading(&format!("Details of {}", finding.code), &place)?;
        for line in details.lines() {
            page.prose(Line::from("  "), line)?;
        }
    }
    Ok(())
}

/// Writes findings, the worst first.
fn listed_findings(page: &mut Page<'_>, findings: &[Finding]) -> io::Result<()> {
    let mut counts = Vec::new();
    for severity in Severity::ALL {
        let count = findings.iter().filter(|finding| finding.severity == *severity).count();
        if count > 0 {
            counts.push(format!("{count} {severity}{}", if count == 1 { "" } else { "s" }));
        }
    }
    page.heading("Findings", &if counts.is_empty() { "none".to_owned() } else { counts.join(", ") })?;
    let style = page.style;
    for severity in Severity::ALL {
        for finding in findings.iter().filter(|finding| finding.severity == *severity) {
            let (colour, sign) = style.severity(*severity);
            let first = Line::from(" ")
                .styled(colour, format!("{sign} {severity:<7}"))
                .text(" ")
                .styled(style.strong, &finding.code)
                .text("  ");
            let stage = finding.stage.map(|stage| format!("{stage}: ")).unwrap_or_default();
            let place = finding.place.as_ref().map(|place| format!(" [{place}]")).unwrap_or_default();
            page.prose(first, &format!("{stage}{}{place}", finding.message))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr;

    use super::fixtures;
    use super::*;

    fn text(report: &Report, style: Style) -> String {
        let mut out = Vec::new();
        write(report, &mut out, style).expect("memory takes every write");
        String::from_utf8(out).expect("the report is UTF-8")
    }

    #[test]
    fn prints_the_design_notes_example() {
        insta::assert_snapshot!(text(&fixtures::design_note(), Style::plain()));
    }

    #[test]
    fn prints_a_square_group() {
        insta::assert_snapshot!(text(&fixtures::compute(), Style::plain()));
    }

    #[test]
    fn prints_findings_only() {
        insta::assert_snapshot!(text(&fixtures::findings_only(), Style::plain()));
    }

    #[test]
    fn prints_shaders_that_are_hard_to_draw() {
        insta::assert_snapshot!(text(&fixtures::hard_interface(), Style::plain()));
    }

    #[test]
    fn prints_maps_with_pages_or_letters() {
        for (name, report) in fixtures::all() {
            if ["5x6x7", "32x32", "few groups"].contains(&name) {
                let text = text(&report, Style::plain());
                let map = text.split("Specialization").next().and_then(|text| text.split_once("Workgroup"));
                insta::assert_snapshot!(format!("map_{}", name.replace(' ', "_")), map.map_or("", |(_, map)| map));
            }
        }
    }

    #[test]
    fn no_line_is_wider_than_the_page() {
        for (name, report) in fixtures::all() {
            for line in text(&report, Style::plain()).lines() {
                assert!(line.width() <= WIDTH, "{name}: {} columns: {line}", line.width());
                assert!(!line.ends_with(' '), "{name}: space at the end: {line:?}");
            }
        }
    }

    #[test]
    fn colour_does_not_change_the_text() {
        for (name, report) in fixtures::all() {
            let coloured = text(&report, Style::colour());
            assert!(coloured.contains('\u{1b}'), "{name}");
            let stripped = anstream::adapter::strip_str(&coloured).to_string();
            assert_eq!(stripped, text(&report, Style::plain()), "{name}");
        }
    }
}
