//! Results of drivers' compilers: statistics side by side, assembly, intermediate representations.

use std::collections::BTreeMap;
use std::io::{self, Write};

use lanescope_core::driver::isa::{Instruction, IsaFacts};
use lanescope_core::driver::origin::line_costs::{costliest, line_cost_table};
use lanescope_core::driver::origin::nearest::{Nearest, nearest, of_lines};
use lanescope_core::driver::{Column, DriverStage, Link, StatisticsTable, Titles, common_tables, is_hash, tables};
use lanescope_core::findings::SourceLine;
use lanescope_core::report::Report;
use lanescope_core::table::Table;
use lanescope_core::text_format::duration;

use super::page::{Line, Page, plain};
use super::{Style, assignments, driver_registers, findings, header, layouts};

/// What is said where no source line is known.
const NO_LINES: &str = "No source line is known of any instruction: the module has none (glslang writes them with -g), or \
                        the assembly is not interpreted.";

/// How much is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// Where varyings are.
    Varyings,
    /// What each source line costs.
    Lines,
    /// The statistics.
    Statistics,
    /// Also the assembly.
    Assembly,
    /// Also the intermediate representations.
    Everything,
}

/// Writes the output of `isa`. Tables have at most 100 columns; the compilers' own lines are as wide as they are.
///
/// # Errors
///
/// Those of `out`.
pub fn write(report: &Report, detail: Detail, out: &mut dyn Write, style: Style) -> io::Result<()> {
    {
        let page = &mut Page::new(out, style);
        header(page, report)?;
        made(page, report)?;
        match detail {
            Detail::Varyings => varyings(page, report)?,
            Detail::Lines => lines(page, &report.driver)?,
            _ => section(page, report)?,
        }
    }
    if matches!(detail, Detail::Assembly | Detail::Everything) {
        for row in &report.driver {
            texts(row, detail, out, style)?;
        }
    }
    findings(&mut Page::new(out, style), report)
}

/// Where the original and each compiler have each varying: grids, then tables.
fn varyings(page: &mut Page<'_>, report: &Report) -> io::Result<()> {
    let Some(packing) = report.packing.as_ref().filter(|_| !report.driver_layouts.is_empty()) else {
        return page.prose(Line::from(" "), "No compiler returned where the varyings of a fragment shader are.");
    };
    assignments::write(page, packing, &report.driver_layouts)?;
    verified(page, &report.driver)?;
    layouts::write(page, &report.driver_layouts)
}

/// Writes what each source line costs in each assembly, the most live registers first.
pub fn lines(page: &mut Page<'_>, rows: &[DriverStage]) -> io::Result<()> {
    if let Some(costliest) = costliest(rows) {
        page.blank()?;
        page.prose(Line::from(" "), &costliest)?;
    }
    let mut any = false;
    for row in rows {
        let costs = row.line_costs();
        if costs.is_empty() {
            continue;
        }
        any = true;
        let table = line_cost_table(row, &costs);
        page.heading(&format!("Source lines: {}", table.title), "")?;
        pieces(page, &table)?;
    }
    if !any {
        page.blank()?;
        page.prose(Line::from(" "), NO_LINES)?;
    }
    Ok(())
}

/// Writes the report's section: the statistics, and the notes.
pub fn section(page: &mut Page<'_>, report: &Report) -> io::Result<()> {
    for table in common_tables(&report.driver) {
        page.heading(&format!("Driver: {}", table.title), "")?;
        pieces(page, &table)?;
    }
    for table in tables(&report.driver, &report.driver_failures) {
        page.heading(&format!("Driver: {}", table.title()), "")?;
        statistics(page, &table)?;
        against(page, &table)?;
    }
    verified(page, &report.driver)?;
    layouts::write(page, &report.driver_layouts)?;
    driver_registers::write(page, &report.driver_registers)?;
    let mut notes: Vec<(&str, &str)> = Vec::new();
    for row in &report.driver {
        notes.extend(row.notes.iter().map(|note| (row.place(), note.as_str())));
    }
    let mut known: Vec<&str> = Vec::new();
    for (_, note) in &notes {
        if !known.contains(note) {
            known.push(note);
            let mut places: Vec<&str> =
                notes.iter().filter(|(_, other)| other == note).map(|(place, _)| *place).collect();
            places.dedup();
            page.prose(Line::of(page.style.dim, format!(" {}: ", places.join(", "))), note)?;
        }
    }
    Ok(())
}

/// Places whose assembly is not verified or not interpreted, with the reason; places with the same reason share a line.
fn verified(page: &mut Page<'_>, rows: &[DriverStage]) -> io::Result<()> {
    let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
    for row in rows {
        let Some(verified) = row.verified.as_ref().filter(|verified| !verified.is_yes()) else { continue };
        let text = verified.text();
        match reasons.iter_mut().find(|(known, _)| *known == text) {
            Some((_, places)) if places.contains(&row.place()) => {}
            Some((_, places)) => places.push(row.place()),
            None => reasons.push((text, vec![row.place()])),
        }
    }
    for (text, places) in reasons {
        page.prose(Line::of(page.style.dim, format!(" {}: ", places.join(", "))), &format!("assembly {text}"))?;
    }
    Ok(())
}

/// One line per compilation: driver, time and memory.
fn made(page: &mut Page<'_>, report: &Report) -> io::Result<()> {
    page.blank()?;
    for cost in &report.driver_costs {
        // A stub device has the name of its chip.
        let (place, who) = match cost.target {
            Some(chip) => (format!("{chip} "), cost.driver.clone()),
            None => (String::new(), format!("{} ({})", cost.device, cost.driver)),
        };
        let time = duration(cost.nanoseconds);
        let time = if cost.kept { format!("cached (compiled in {time})") } else { time };
        let memory = cost.peak_memory.map_or(String::new(), |bytes| format!(", {} MiB", bytes >> 20));
        let mut stages = cost.stages.iter().map(|stage| stage.name()).collect::<Vec<_>>().join(" + ");
        stages.extend(cost.entry.iter().flat_map(|entry| [" ", entry]));
        let what = format!("{} {stages}{}", cost.of, link(cost.link));
        page.prose(
            Line::of(page.style.strong, format!("{place}{what}")).text("  "),
            &format!("{who}, {time}{memory}"),
        )?;
    }
    Ok(())
}

fn link(link: Link) -> &'static str {
    if link == Link::Apart { " apart" } else { "" }
}

/// A table of statistics, in as many pieces as the page width needs.
fn statistics(page: &mut Page<'_>, statistics: &StatisticsTable) -> io::Result<()> {
    let table = statistics.table(Titles::Short);
    if table.rows.is_empty() {
        return page.line(Line::from(" no statistics"));
    }
    pieces(page, &table)
}

/// A table, in as many pieces as the page width needs.
fn pieces(page: &mut Page<'_>, table: &Table) -> io::Result<()> {
    for (number, piece) in table.pieces(page.width() - 1).iter().enumerate() {
        if number > 0 {
            page.blank()?;
        }
        page.table(piece, 1)?;
    }
    Ok(())
}

/// Which driver each column is of, where several compiled for the same place; how many statistics went down and up
/// against the first of them; and why a driver made nothing.
fn against(page: &mut Page<'_>, table: &StatisticsTable) -> io::Result<()> {
    for (index, column) in table.columns.iter().enumerate() {
        let (Some(driver), true) = (&column.driver, is_first_of_driver(table, index)) else { continue };
        let number = table.driver_number(index);
        let what = match (&column.failed, table.base(column).and_then(|base| table.columns.get(base))) {
            (Some(why), _) => why.clone(),
            (None, Some(base)) => {
                let base = base.driver.as_deref().unwrap_or_default();
                let changes = table.rows.iter().filter(|row| !is_hash(&row.name));
                let changes: Vec<f64> = changes.filter_map(|row| Some((*row.cells.get(index)?)?.change?.by)).collect();
                let down = changes.iter().filter(|by| **by < 0.0).count();
                let up = changes.iter().filter(|by| **by > 0.0).count();
                format!("against {base}: {down} of {} statistics lower, {up} higher", table.rows.len())
            }
            (None, None) => "the others are compared with it".to_owned(),
        };
        page.prose(Line::of(page.style.dim, format!(" [{number}] {} {driver}: ", column.place)), &what)?;
    }
    Ok(())
}

fn is_first_of_driver(table: &StatisticsTable, index: usize) -> bool {
    let who = |column: &Column| (column.place.clone(), column.driver.clone());
    let of = table.columns.get(index).map(who);
    table.columns.iter().take(index).all(|column| Some(who(column)) != of)
}

fn texts(row: &DriverStage, detail: Detail, out: &mut dyn Write, style: Style) -> io::Result<()> {
    let who = format!("{} {}{}", row.place(), row.of, link(row.link));
    let forms = row.texts.iter().filter(|_| detail == Detail::Everything).map(|t| (t.name.as_str(), t.text.as_str()));
    let assembly = row.isa.as_deref().map(|isa| ("Assembly", isa));
    for (name, text) in forms.chain(assembly) {
        Page::new(out, style).heading(&format!("{}: {name}", row.title()), &who)?;
        let is_assembly = Some((name, text)) == assembly;
        let mut sources = BTreeMap::new();
        let facts = row.read_text().filter(|_| is_assembly);
        if is_assembly && !row.is_interpreted() {
            let page = &mut Page::new(out, style);
            page.prose(Line::of(style.dim, " "), "not interpreted")?;
            page.blank()?;
        } else if let Some(facts) = facts {
            let page = &mut Page::new(out, style);
            for (about, what) in row.summary(&facts) {
                page.prose(Line::of(style.dim, format!(" {about:10}  ")), &what)?;
            }
            page.blank()?;
            sources = lines_of(row, &facts);
        }
        for (number, line) in (0u32..).zip(text.trim_end().lines()) {
            // What a terminal would obey is replaced; tabs are the compilers' own.
            let line = plain(line);
            let line = line.trim_end();
            match sources.get(&number) {
                Some(source) => writeln!(out, "{line}  {}{source}{:#}", style.dim, style.dim)?,
                None => writeln!(out, "{line}")?,
            }
        }
    }
    Ok(())
}

/// The source lines of each assembly line by number, if the module has source lines: `<- a.frag:12`, or `<~ a.frag:12` for
/// an estimate ([`nearest`]).
pub fn lines_of(row: &DriverStage, facts: &IsaFacts) -> BTreeMap<u32, String> {
    let place = |line: &SourceLine| {
        let file = line.file.rsplit(['/', '\\']).next().unwrap_or(&line.file);
        format!("{}:{}", plain(file), line.line)
    };
    let found = nearest(row.origins.iter().filter(of_lines), facts).into_iter().zip(&facts.instructions);
    let text = |(found, instruction): (Option<Nearest<'_>>, &Instruction)| {
        let Nearest { origin, certain } = found?;
        let lines: Vec<_> = origin.lines.iter().map(place).collect();
        Some((instruction.line, format!("{} {}", if certain { "<-" } else { "<~" }, lines.join(", "))))
    };
    found.filter_map(text).collect()
}
