//! Guessed layouts: tables, root, targets, keys, mismatches, and the speculative compile.

use std::io::{self, Write};

use lanescope_core::codeobject::{falls, growth, metadata_changes, metadata_table};
use lanescope_core::driver::speculative::corpus::{
    self, Rows, Searched, Summary, Timeline, Variants, search_table, timeline_table, variants_table,
};
use lanescope_core::driver::speculative::{Lane, SpeculativeCompile};
use lanescope_core::dxil::partial_program::PartialProgram;
use lanescope_core::dxil_tables::{partial_program_table, root_place_table};
use lanescope_core::guess_tables::{MAX_VARIANTS, application_name, best_guess, several_maps, variant_facts, waits};
use lanescope_core::guessed_layout::{Against, GuessedStage, Ingredient, Key, Layout};
use lanescope_core::options::AutoLayoutRule;
use lanescope_core::registers::sgpr_table;
use lanescope_core::report::Report;
use lanescope_core::run::Ran;
use lanescope_core::table::{Cell, Column, Meaning, Table};
use lanescope_core::text_format::{counted, duration};

use super::page::{Line, Page};
use super::{Style, findings, header, label};

/// Largest number of words of two keys that are listed.
const MAX_LISTED: usize = 24;

/// Writes a report's header, its guessed layouts in full, a run with both layouts, and its findings.
/// With `all_words` every word of every key is listed, else those that differ.
pub fn write(report: &Report, ran: Option<&Ran>, all_words: bool, out: &mut dyn Write, style: Style) -> io::Result<()> {
    let page = &mut Page::new(out, style);
    header(page, report)?;
    for stage in &report.partial {
        layout(page, stage)?;
        if let Some(against) = &stage.against {
            compared(page, stage, against)?;
        }
        sgprs(page, report, stage)?;
        direct3d(page, report, stage)?;
        if all_words {
            words(page, stage)?;
        }
        if let Some(ahead) = &stage.ahead {
            compiled(page, ahead)?;
        } else if stage.stage.is_ray_tracing() {
            page.blank()?;
            page.prose(" ".into(), "No speculative compile: drivers compile ray tracing stages with their pipeline.")?;
        }
    }
    if let Some(ran) = ran {
        both(page, ran)?;
    }
    findings(page, report)
}

/// The section of the whole report: the layouts, and whether they match.
pub fn section(page: &mut Page<'_>, report: &Report) -> io::Result<()> {
    for stage in &report.partial {
        layout(page, stage)?;
        if let Some(against) = &stage.against {
            verdict(page, against)?;
        }
    }
    Ok(())
}

/// How Direct3D 12 sees the shader of a DXIL container: where its root signature has the resources, and what is known when
/// it is compiled as a part of a partial program.
fn direct3d(page: &mut Page<'_>, report: &Report, stage: &GuessedStage) -> io::Result<()> {
    let all = report.dxil.iter().flat_map(lanescope_core::dxil::Summary::all);
    let Some(container) = all.into_iter().find(|container| container.input == stage.input) else { return Ok(()) };
    if !container.root_places.is_empty() {
        page.heading("In the root signature", "of the container, beside the guess")?;
        page.table(&root_place_table(container, Some(&stage.layout)), 1)?;
    }
    if let Some(known) = PartialProgram::of(container) {
        page.heading("Partial program of Direct3D 12", &format!("{} part: what is known when", known.part))?;
        page.table(&partial_program_table(&known), 1)?;
    }
    Ok(())
}

fn layout(page: &mut Page<'_>, stage: &GuessedStage) -> io::Result<()> {
    let style = page.style;
    page.heading("Guessed layout", &format!("{} {}: {}", stage.stage, stage.entry, stage.rule.words()))?;
    if stage.layout.nodes().next().is_some() {
        let (other, title) = match stage.rule {
            AutoLayoutRule::Note => (stage.other_layout.by_place(), "dword if sequential"),
            AutoLayoutRule::Sequential => (stage.other_layout.by_place(), "dword in the design note"),
        };
        let mut table = Table::new([
            Column::right("set"),
            Column::right("binding"),
            Column::left("name"),
            Column::left("kind"),
            Column::left("type"),
            Column::right("count"),
            Column::right("dword"),
            Column::right("byte"),
            Column::right("dwords"),
            Column::right(title),
        ]);
        for (node, at_root) in stage.layout.nodes() {
            let elsewhere = other.get(&node.at());
            table.row([
                node.set.to_string().into(),
                node.binding.to_string().into(),
                Cell::of(Meaning::Strong, node.name.as_deref().unwrap_or("")),
                node.kind.map_or_else(String::new, |kind| words_of(kind.name())).into(),
                Cell::of(Meaning::Dimmed, node.node.name()),
                node.array_size.to_string().into(),
                format!("{}{}", if at_root { "root " } else { "" }, node.offset).into(),
                Cell::of(Meaning::Dimmed, node.offset.saturating_mul(4).to_string()),
                node.size.to_string().into(),
                elsewhere.map_or_else(String::new, |(node, _)| node.offset.to_string()).into(),
            ]);
        }
        page.table(&table, 1)?;
    }
    let unused: Vec<String> = stage
        .resources
        .iter()
        .filter(|resource| !resource.used)
        .map(|resource| format!("set {} binding {}", resource.set, resource.binding))
        .collect();
    if !unused.is_empty() {
        page.prose(label(style, "unused"), &unused.join(", "))?;
    }
    let sizes = |layout: &Layout| -> String {
        let size = |table: &lanescope_core::guessed_layout::Table| {
            format!("set {} {} dwords ({} bytes)", table.set, table.dwords, table.dwords.saturating_mul(4))
        };
        layout.tables.iter().map(size).collect::<Vec<_>>().join(", ")
    };
    if !stage.layout.tables.is_empty() {
        page.prose(label(style, "tables"), &sizes(&stage.layout))?;
    }
    page.prose(label(style, "root"), &root(&stage.layout))?;
    if let Some(push) = &stage.push_constants {
        let mut text = format!("{} bytes used of {}", push.bytes, push.block_bytes);
        if push.summed_bytes != push.bytes {
            text.push_str(&format!("; {} without padding, as LLPC's tool counts", push.summed_bytes));
        }
        page.prose(label(style, "push"), &text)?;
    }
    for output in &stage.outputs {
        let name = output.name.as_deref().unwrap_or("");
        let index = if output.index > 0 { format!(" index {}", output.index) } else { String::new() };
        let export = stage.colors.iter().find(|color| color.location == output.location);
        let export = export.map_or_else(String::new, |color| format!(", exported as {}", color.export_name));
        let text = format!(
            "location {}{index} {name}: {} x {}, guessed {}, mask {:#x}{export}",
            output.location, output.basic_type, output.components, output.format, output.write_mask
        );
        page.prose(label(style, "output"), &text)?;
    }
    let usage = &stage.usage;
    let flags = [
        (usage.subgroup_size, "subgroup operations"),
        (usage.helper_invocations, "helper invocations participate"),
        (usage.spec_constants, "specialization constants"),
        (usage.unused_functions, "unused functions are kept"),
    ];
    let mut flags: Vec<&str> = flags.iter().filter(|(on, _)| *on).map(|(_, name)| *name).collect();
    if usage.variable_pointers.name() != "none" {
        flags.push("variable pointers");
    }
    page.prose(
        label(style, "module"),
        &if flags.is_empty() { "no special features".to_owned() } else { flags.join(", ") },
    )?;
    for why in &stage.ineligible {
        page.prose(label(style, "no guess"), why)?;
    }
    listed_keys(page, &stage.keys)
}

/// What the user SGPRs of the guessed code hold, and what a remap changes in its metadata.
fn sgprs(page: &mut Page<'_>, report: &Report, stage: &GuessedStage) -> io::Result<()> {
    let Some(data) = &stage.user_data else { return Ok(()) };
    let (style, target) = (page.style, report.options.target);
    // Code for a guess that does not fit is compiled anew.
    let against = stage.against.as_ref().filter(|against| against.hit);
    page.heading("User SGPRs", &format!("of the guessed code on {target}"))?;
    page.table(&sgpr_table(data, against, stage.stage, target), 1)?;
    if let Some(why) = data.why_spills() {
        page.prose(label(style, "spills"), &why)?;
    }
    let Some(against) = against else { return Ok(()) };
    match metadata_changes(stage.stage, (data, stage.layout.root_dwords), against) {
        Ok(changes) if changes.is_empty() => {
            page.prose(label(style, "remap"), "no change: the application has these dwords where they were guessed")?;
        }
        Ok(changes) => {
            page.blank()?;
            page.table(&metadata_table(&changes), 1)?;
            let grown = match growth(&changes) {
                0 => "as many bytes as before".to_owned(),
                more @ 1.. => format!("{} longer", counted(more as usize, "byte")),
                less => format!("{} shorter", counted(less.unsigned_abs() as usize, "byte")),
            };
            let values = counted(changes.len(), "value");
            page.prose(label(style, "remap"), &format!("changes {values} of the metadata, {grown}; no code"))?;
        }
        Err(why) => page.prose(label(style, "remap"), &format!("not possible: {why}"))?,
    }
    if let Some(falls) = falls(target, &against.sgprs) {
        page.prose(label(style, "note"), &falls)?;
    }
    Ok(())
}

/// The keys, one a row.
fn listed_keys(page: &mut Page<'_>, keys: &[Key]) -> io::Result<()> {
    for key in keys {
        let text = format!("{} ({}, {})", key.hash, key.rule.words(), counted(key.ingredients.len(), "word"));
        page.prose(label(page.style, "key"), &text)?;
    }
    Ok(())
}

/// A name of the report as words: `combined image`.
fn words_of(name: &str) -> String {
    name.replace('_', " ")
}

fn root(layout: &Layout) -> String {
    let one = |root: &lanescope_core::guessed_layout::RootNode| {
        let name = root.item.what();
        let last = root.offset.saturating_add(root.size).saturating_sub(1);
        if last > root.offset {
            format!("dwords {}–{last}: {name}", root.offset)
        } else {
            format!("dword {}: {name}", root.offset)
        }
    };
    let all: Vec<String> = layout.root.iter().map(one).collect();
    if all.is_empty() { "empty".to_owned() } else { all.join(", ") }
}

fn verdict(page: &mut Page<'_>, against: &Against) -> io::Result<()> {
    let style = page.style;
    let origin = &against.application.origin;
    let (sign, text) = match (against.hit, against.usable) {
        (true, true) => (Line::of(style.good, "✓ hit").to(9), format!("the guess matches {origin}")),
        (true, false) => {
            let why = against.gaps.join("; ");
            (Line::of(style.warning, "✓ hit,").to(9), format!("not usable by the design note: {why}"))
        }
        (false, _) => (Line::of(style.warning, "✗ miss").to(9), format!("the guess does not match {origin}")),
    };
    page.prose(sign, &text)?;
    for broken in &against.breaks {
        page.prose(Line::from("").to(9).styled(style.warning, "· "), &broken.message())?;
    }
    Ok(())
}

fn compared(page: &mut Page<'_>, stage: &GuessedStage, against: &Against) -> io::Result<()> {
    let style = page.style;
    page.heading("Compared with the application", &against.application.origin)?;
    verdict(page, against)?;
    page.prose(label(style, "root"), &root(&against.application.layout))?;
    for color in &against.application.colors {
        let blend = if color.blend { ", blended" } else { "" };
        let text =
            format!("{}: {}{blend}, exported as {} ({})", color.location, color.format, color.export_name, color.why);
        page.prose(label(style, "target"), &text)?;
    }
    for row in &against.remap {
        let [from, size] = row.automatic;
        let text = match row.application {
            Some([to, theirs]) => format!(
                "{}: {from} to {to}{}{}",
                row.what,
                if row.moves() { "" } else { ", unchanged" },
                if size == theirs { String::new() } else { format!(" ({size} of {theirs} dwords)") }
            ),
            None => format!("{}: {from}, not in the application's layout", row.what),
        };
        page.prose(label(style, "remap"), &text)?;
    }
    for gap in against.gaps.iter().filter(|_| !against.hit) {
        page.prose(label(style, "gap"), gap)?;
    }
    listed_keys(page, &against.keys)?;
    for (mine, theirs) in stage.keys.iter().zip(&against.keys) {
        let difference = mine.difference(theirs);
        if difference.is_empty() {
            continue;
        }
        let mut table = Table::new([Column::left(""), Column::right("guess"), Column::right("application")]);
        for (label, a, b) in difference.iter().take(MAX_LISTED) {
            table.row([label.to_string().into(), word(*a).into(), word(*b).into()]);
        }
        let left = difference.len().saturating_sub(MAX_LISTED);
        let more = if left > 0 { format!(", {left} more") } else { String::new() };
        let text = format!("{}: {}{more}", mine.rule.words(), counted(difference.len(), "word"));
        page.prose(label(style, "differs"), &text)?;
        page.table(&table, 9)?;
    }
    Ok(())
}

fn word(one: Option<&Ingredient>) -> String {
    one.map_or_else(|| "-".to_owned(), |one| one.value.to_string())
}

/// Every word of every key with its byte offset in the hashed data: first the guess, then the application.
fn words(page: &mut Page<'_>, stage: &GuessedStage) -> io::Result<()> {
    let sides = [("the guess", Some(&stage.keys)), ("the application", stage.against.as_ref().map(|one| &one.keys))];
    for (side, keys) in sides {
        for key in keys.into_iter().flatten() {
            page.heading("Words of the key", &format!("{side}, {}: {}", key.rule.words(), key.hash))?;
            let mut table = Table::new([Column::right("byte"), Column::right("word"), Column::left("")]);
            for (at, one) in key.ingredients.iter().enumerate() {
                let place = Cell::of(Meaning::Dimmed, format!("{:#06x}", at * 4));
                table.row([place, word(Some(one)).into(), one.label.to_string().into()]);
            }
            page.table(&table, 1)?;
        }
    }
    Ok(())
}

pub(crate) fn compiled(page: &mut Page<'_>, ahead: &SpeculativeCompile) -> io::Result<()> {
    let style = page.style;
    page.heading("Speculative compile", &format!("{} ({})", ahead.device, ahead.driver))?;
    let (ink, sign, but) = match (ahead.hit, ahead.usable()) {
        (true, true) => (style.good, "✓ hit", String::new()),
        (true, false) => {
            (style.warning, "✓ hit,", format!("not usable by the design note: {}; ", ahead.gaps.join("; ")))
        }
        (false, _) => (style.warning, "✗ miss", String::new()),
    };
    page.prose(Line::of(ink, sign).to(9), &format!("{but}cached object: {}", words_of(ahead.form.name())))?;
    for why in &ahead.why {
        page.prose(Line::from("").to(9).styled(style.warning, "· "), why)?;
    }
    for lookup in &ahead.lookups {
        let found = if lookup.found { "hit" } else { "miss" };
        page.prose(label(style, "lookup"), &format!("{}, key {}: {found}", lookup.cache, lookup.key))?;
    }
    page.prose(label(style, "waits"), &ahead.waits())?;
    if !ahead.worker.is_empty() {
        let kept = if ahead.kept { "compiling, with the disk cache" } else { "compiling" };
        let wasted = if ahead.wasted() { ", wasted" } else { "" };
        page.prose(
            label(style, "worker"),
            &format!("{} {kept}{wasted}", duration(SpeculativeCompile::median(&ahead.worker))),
        )?;
    }
    if let Some(bytes) = ahead.bytes {
        let code = ahead.code.map_or_else(String::new, |code| format!("{code} bytes of code, "));
        page.prose(label(style, "cache"), &format!("{code}{bytes} bytes from the driver's cache"))?;
    }
    for (what, text) in ahead.alternatives() {
        page.prose(label(style, "standard"), &format!("{what}: {text}"))?;
    }
    let mut table = Table::new([
        Column::right("begin"),
        Column::right("duration"),
        Column::left("thread"),
        Column::left("event"),
        Column::left("").optional(),
    ]);
    for event in &ahead.events {
        let [begin, end] = event.span;
        let thread = match event.lane {
            Lane::Application => "application",
            Lane::Worker => "worker",
        };
        table.row([
            duration(begin).into(),
            duration(end.saturating_sub(begin)).into(),
            thread.into(),
            event.what.as_str().into(),
            Cell::of(Meaning::Strong, if event.critical { "the application waits" } else { "" }),
        ]);
    }
    page.blank()?;
    page.table(&table, 1)?;
    for note in &ahead.notes {
        page.prose(label(style, "note"), note)?;
    }
    Ok(())
}

fn both(page: &mut Page<'_>, ran: &Ran) -> io::Result<()> {
    let run = &ran.execution.run;
    let style = page.style;
    page.heading("Run with both layouts", &run.device)?;
    let Some(compare) = &run.compare else { return Ok(()) };
    for output in &compare.outputs {
        let (colour, text) = match (output.differing, output.unlike) {
            (_, Some(unlike)) => (style.error, unlike.sentence().to_owned()),
            (0, None) => (style.good, "the same".to_owned()),
            (count, None) => (style.error, format!("{count} places differ")),
        };
        let first = output
            .first
            .as_ref()
            .map(|first| format!("; the first at byte {}: {} and {}", first.offset, first.original, first.rewritten));
        page.prose(
            Line::from(" ").styled(colour, &output.name).to(20),
            &format!("{text}{}", first.unwrap_or_default()),
        )?;
    }
    for why in &run.order_dependent {
        page.prose(label(style, "but"), why)?;
    }
    for what in &run.adapted {
        page.prose(label(style, "note"), what)?;
    }
    Ok(())
}

/// Writes one row per stage, and the sums.
pub fn write_corpus(all: &Rows, out: &mut dyn Write, style: Style) -> io::Result<()> {
    corpus(&mut Page::new(out, style), all)
}

pub(crate) fn corpus(page: &mut Page<'_>, all: &Rows) -> io::Result<()> {
    let style = page.style;
    page.table(&corpus::table(&all.rows), 0)?;
    page.blank()?;
    let sum = Summary::of(all);
    for (what, text) in sum.figures() {
        page.prose(label(style, what), &text)?;
    }
    for one in sum.left_out {
        page.prose(label(style, "left out"), &format!("{}: {}", one.pipeline, one.why))?;
    }
    Ok(())
}

/// Writes what each combination of guesses achieves for each application.
pub fn write_searched(all: &[Searched], out: &mut dyn Write, style: Style) -> io::Result<()> {
    searched(&mut Page::new(out, style), all)
}

pub(crate) fn searched(page: &mut Page<'_>, all: &[Searched]) -> io::Result<()> {
    for searched in all {
        page.heading(application_name(&searched.application), &best_guess(searched))?;
        page.table(&search_table(searched), 1)?;
    }
    Ok(())
}

/// Writes which cache serves the shaders of each application.
pub fn write_timelines(all: &[Timeline], out: &mut dyn Write, style: Style) -> io::Result<()> {
    timelines(&mut Page::new(out, style), all)
}

pub(crate) fn timelines(page: &mut Page<'_>, all: &[Timeline]) -> io::Result<()> {
    for timeline in all {
        page.heading(application_name(&timeline.application), &waits(timeline))?;
        page.table(&timeline_table(timeline), 1)?;
    }
    Ok(())
}

/// Writes how many location maps the stages before the rasterizer have.
pub fn write_variants(all: &[Variants], out: &mut dyn Write, style: Style) -> io::Result<()> {
    variants(&mut Page::new(out, style), all)
}

pub(crate) fn variants(page: &mut Page<'_>, all: &[Variants]) -> io::Result<()> {
    let style = page.style;
    for (what, text) in variant_facts(all) {
        page.prose(label(style, what), &text)?;
    }
    let several = several_maps(all);
    if several > 0 {
        page.blank()?;
        page.table(&variants_table(all, MAX_VARIANTS), 0)?;
        if several > MAX_VARIANTS {
            page.prose(label(style, ""), &format!("{} more", several - MAX_VARIANTS))?;
        }
    }
    Ok(())
}
