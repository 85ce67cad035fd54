//! The packing as text: the original interface beside the packed slots, then the place of each scalar.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use lanescope_core::ids::Component;
use lanescope_core::packing::{Dword, Fallback, Interpolation, Mapping, OutputMapping, Packing, Part, Place, Stored};
use lanescope_core::program::StageKind;
use lanescope_core::table::{self, Column, Meaning, Table};
use unicode_width::UnicodeWidthStr;

use super::labels::Labels;
use super::legend::{beside, legend, signs};
use super::linkage;
use super::page::{Line, Page, Target, elide};

/// Columns of one component's cell: two halves and the line between them.
const CELL: usize = 9;
/// Columns of one half.
const HALF: usize = 4;

pub fn write(page: &mut Page<'_>, packing: &Packing) -> io::Result<()> {
    let producer = packing.producer.map_or("no previous stage".to_owned(), |stage| stage.to_string());
    page.heading("Packing", &format!("{producer} → {}, {}", packing.reader(), packing.order.words()))?;
    if let Some(fallback) = packing.fallback {
        page.line(Line::of(page.style.warning, " ! ").text(match fallback {
            Fallback::DynamicIndex => "Not packed: an input is indexed dynamically. Locations are only renumbered.",
            Fallback::Option => "Not packed: packing is disabled (--no-pack). Locations are only renumbered.",
            Fallback::Mesh if packing.producer.is_none() => {
                "Not packed: only mesh shaders write per-primitive inputs. Locations are renumbered; variables stay whole."
            }
            Fallback::Mesh => {
                "Not packed: the previous stage is a mesh shader. Locations are renumbered; variables stay whole."
            }
            Fallback::TransformFeedback => {
                "Not packed: transform feedback is done in software on this chip. Locations are only renumbered."
            }
            Fallback::Tessellation => "Not packed between the tessellation stages. Locations are only renumbered.",
        }))?;
    }
    let labels = Labels::within(packing, CELL, HALF);
    let signs = signs(packing);
    if grids(page, packing, &labels, &signs)? {
        legend(page, &labels, signs)?;
    }
    map(page, packing)?;
    lists(page, packing)?;
    if let Some(stored) = &packing.stored {
        arrays(page, stored)?;
    }
    savings(page, packing)?;
    match &packing.output_linkage {
        Some(linkage) => page.prose(Line::from(" "), &linkage::beside(linkage, packing)),
        None => Ok(()),
    }
}

/// Whether the interface is interpolated: only before the fragment shader.
pub(super) fn interpolates(packing: &Packing) -> bool {
    packing.consumer == StageKind::Fragment
}

/// The mark of outputs that are kept although the consumer does not read them: for transform feedback, because the
/// tessellation control shader reads them itself, or for their locations.
pub(super) const KEPT: &str = "»";

/// The label of a scalar in a cell: with its half of 64 bits if that fits.
fn named(sign: &str, label: &str, part: Part) -> String {
    let short = format!("{sign}{label}.{}", part.component.letter());
    let half = match part.dword {
        None => return short,
        Some(Dword::Low) => " lo",
        Some(Dword::High) => " hi",
    };
    if short.width() + half.len() <= CELL { short + half } else { short }
}

pub(super) fn mark(interpolation: Interpolation) -> char {
    match interpolation {
        Interpolation::Smooth => '~',
        Interpolation::NoPerspective => '/',
        Interpolation::Flat => '=',
        Interpolation::Custom => '*',
        Interpolation::PerPrimitive => '#',
        Interpolation::Uninterpolated => ' ',
    }
}

/// One location or slot of a grid.
#[derive(Default)]
struct Row {
    number: Option<u32>,
    cells: [Cell; 4],
    marks: String,
    /// A built-in uses the whole slot.
    whole: Option<String>,
}

/// What is written into a component or a half of it, and what it selects.
#[derive(Clone)]
struct Half {
    style: anstyle::Style,
    text: String,
    target: Option<Target>,
}

/// One component of a row.
#[derive(Default, Clone)]
struct Cell {
    low: Option<Half>,
    high: Option<Half>,
    halves: bool,
}

impl Row {
    fn numbered(number: u32) -> Row {
        Row { number: Some(number), ..Row::default() }
    }

    fn mark(&mut self, interpolation: Interpolation) {
        let mark = mark(interpolation);
        if !self.marks.contains(mark) {
            self.marks.push(mark);
        }
    }

    fn draw(&self, dim: anstyle::Style) -> Line {
        let number = self.number.map_or("⋮".to_owned(), |number| number.to_string());
        let mut line = Line::of(dim, format!("{number:>3} "));
        let edge = |line: Line| line.styled(dim, "│");
        line = edge(line);
        if let Some(whole) = &self.whole {
            let wide = CELL * 4 + 3;
            return edge(line.text(centred(whole, wide)));
        }
        for cell in &self.cells {
            let part = |line: Line, half: &Option<Half>, width: usize| match half {
                Some(Half { style, text, target }) => line.targeted(*style, centred(text, width), target.clone()),
                None => line.styled(dim, centred(if self.number.is_some() { "·" } else { " " }, width)),
            };
            line = if cell.halves {
                edge(part(edge(part(line, &cell.low, HALF)), &cell.high, HALF))
            } else {
                edge(part(line, &cell.low, CELL))
            };
        }
        line.text(" ").styled(dim, elide(&self.marks, 2))
    }
}

pub(super) fn centred(text: &str, width: usize) -> String {
    let text = elide(text, width);
    let left = (width - text.width()) / 2;
    format!("{}{text}{}", " ".repeat(left), " ".repeat(width - text.width() - left))
}

/// Draws both grids, and at their right the legend where there is room. True where the legend is still to be written.
fn grids(page: &mut Page<'_>, packing: &Packing, labels: &Labels, signs: &[(String, String)]) -> io::Result<bool> {
    let style = page.style;
    let before = with_gaps(before(page, packing, labels));
    let after = with_gaps(after(page, packing, labels));
    let side = 4 + CELL * 4 + 5 + 3;
    let joined = |left: Line, arrow: &str, right: Line| {
        Line::from(" ").join(left).to(1 + side).styled(style.dim, arrow).to(1 + side + 3).join(right)
    };
    let title = |text: &str, count: u32, what: &str| {
        let plural = if count == 1 { "" } else { "s" };
        Line::from("    ").styled(style.strong, format!("{text}: {count} {what}{plural}"))
    };
    let letters = || {
        let line = ["x", "y", "z", "w"].iter().fold(Line::from("    "), |line, c| line.text(centred(c, CELL + 1)));
        Line::default().styled(style.dim, "").join(line)
    };
    let rule = |left: char, cross: char, right: char| {
        let cell = "─".repeat(CELL);
        let text = format!("    {left}{cell}{cross}{cell}{cross}{cell}{cross}{cell}{right}");
        Line::of(style.dim, text)
    };
    let grid = |title: Line, rows: &[Row]| {
        let head = [title, letters(), rule('┌', '┬', '┐')];
        let rows = rows.iter().map(|row| row.draw(style.dim));
        head.into_iter().chain(rows).chain([rule('└', '┴', '┘')]).collect::<Vec<_>>()
    };
    let before = grid(title("Original", packing.slots.before, "location"), &before);
    let packed = if packing.fallback.is_some() { "Renumbered" } else { "Packed" };
    let after = grid(title(packed, packing.slots.after, "slot"), &after);
    if page.room() < 1 + side + 3 + side - 3 {
        // The second grid is below the first one.
        let lines = before.into_iter().chain(after).map(|line| Line::from(" ").join(line)).collect();
        return beside(page, lines, 1 + side, labels, signs);
    }
    let line = |index: usize| {
        let part = |grid: &[Line]| grid.get(index).cloned().unwrap_or_default();
        joined(part(&before), if index == 3 { " → " } else { "" }, part(&after))
    };
    let lines = (0..before.len().max(after.len())).map(line).collect();
    beside(page, lines, 1 + side + 3 + side, labels, signs)
}

/// A row of dots where numbers are left out.
fn with_gaps(rows: BTreeMap<u32, Row>) -> Vec<Row> {
    let mut all = Vec::new();
    let mut next = 0;
    for (number, row) in rows {
        if number > next {
            all.push(Row::default());
        }
        all.push(row);
        next = number.saturating_add(1);
    }
    all
}

fn before(page: &Page<'_>, packing: &Packing, labels: &Labels) -> BTreeMap<u32, Row> {
    let mut rows: BTreeMap<u32, Row> = BTreeMap::new();
    let mut set = |location: u32, place: u8, bits: u32, interpolation: Option<Interpolation>, text, colour| {
        let row = rows.entry(location).or_insert_with(|| Row::numbered(location));
        if let Some(interpolation) = interpolation.filter(|_| interpolates(packing)) {
            row.mark(interpolation);
        }
        if let Some(cell) = row.cells.get_mut(usize::from(place)) {
            let text = if bits < 32 { format!("{text} ½") } else { text };
            cell.low.get_or_insert(Half { style: colour, text, target: Some(Target::Varying(location, place)) });
        }
    };
    for mapping in &packing.map {
        let (hue, label) = labels.of(&mapping.variable);
        let place = mapping.from;
        let missing = if mapping.written { "" } else { "?" };
        let text = named(missing, label, mapping.part());
        let colour = if mapping.written { page.style.hue(hue) } else { page.style.warning };
        set(place.location.0, place.component.0, mapping.bits, Some(mapping.interpolation), text, colour);
    }
    let kept: BTreeSet<Place> = packing.kept().map(|output| output.from).collect();
    for scalar in packing.interface.iter().filter(|scalar| !scalar.used) {
        let (_, label) = labels.of(&scalar.variable);
        let place = Place { location: scalar.location, component: scalar.component, half: false };
        let text = named(if kept.contains(&place) { KEPT } else { "✗" }, label, scalar.part());
        set(scalar.location.0, scalar.component.0, scalar.bits, None, text, page.style.dim);
    }
    rows
}

fn after(page: &Page<'_>, packing: &Packing, labels: &Labels) -> BTreeMap<u32, Row> {
    let mut rows: BTreeMap<u32, Row> = BTreeMap::new();
    for mapping in &packing.map {
        let (hue, label) = labels.of(&mapping.variable);
        let place = mapping.to;
        let row = rows.entry(place.location.0).or_insert_with(|| Row::numbered(place.location.0));
        if interpolates(packing) {
            row.mark(mapping.interpolation);
        }
        let Some(cell) = row.cells.get_mut(usize::from(place.component.0)) else { continue };
        let text = match (mapping.written, mapping.bits < 32) {
            (true, _) => named("", label, mapping.part()),
            (false, false) => named("?", label, mapping.part()),
            (false, true) => format!("?{label}{}", mapping.part().component.letter()),
        };
        let colour = if mapping.written { page.style.hue(hue) } else { page.style.warning };
        cell.halves |= mapping.bits < 32;
        let target = Target::Varying(mapping.from.location.0, mapping.from.component.0);
        *(if place.half { &mut cell.high } else { &mut cell.low }) =
            Some(Half { style: colour, text, target: Some(target) });
    }
    for builtin in &packing.builtins {
        let number = builtin.location.0;
        let row = rows.entry(number).or_insert_with(|| Row::numbered(number));
        row.whole = Some(builtin.built_in.to_string());
    }
    rows
}

/// Joins entries of a legend with two spaces, so that lines break only between entries.
fn tied(entries: Vec<String>) -> String {
    entries.into_iter().map(|entry| format!("{}\u{a0}", entry.replace(' ', "\u{a0}"))).collect::<Vec<_>>().join(" ")
}

fn map(page: &mut Page<'_>, packing: &Packing) -> io::Result<()> {
    if packing.map.is_empty() {
        return page.line(" No input is read.".into());
    }
    page.blank()?;
    let (interpolation, at) = if interpolates(packing) { ("interpolation", "at") } else { ("", "") };
    let mut table = Table::new([
        Column::right("original"),
        Column::left("variable"),
        Column::right("bits"),
        Column::left(interpolation),
        Column::left(at),
        Column::left("  packed"),
        Column::left(""),
    ]);
    let mark = |mapping: &Mapping| match interpolates(packing) {
        true => {
            let at = if mapping.per_primitive { String::new() } else { mapping.at.to_string() };
            (format!("{} {}", mark(mapping.interpolation), mapping.interpolation), at)
        }
        false => (String::new(), String::new()),
    };
    let digits = packing.map.iter().map(|mapping| mapping.to.location.to_string().len()).max().unwrap_or(0);
    for mapping in &packing.map {
        let Mapping { from, to, .. } = mapping;
        let half = if mapping.bits < 32 { if to.half { "high" } else { "low" } } else { "" };
        let moved = (from.location, from.component) != (to.location, to.component) || to.half;
        let place = format!("{:>digits$}.{}", to.location, to.component.letter());
        let place = table::Cell::of(Meaning::Dimmed, "→")
            .and(table::Part::of(Meaning::Plain, place))
            .and(table::Part::of(Meaning::Dimmed, half));
        let note = if !mapping.written {
            table::Cell::of(Meaning::Changed, "? never written")
        } else if moved {
            table::Cell::default()
        } else {
            table::Cell::of(Meaning::Dimmed, "stays")
        };
        let (interpolation, at) = mark(mapping);
        let key = table::Key::Varying { location: from.location.0, component: from.component.0 };
        table.push(
            key,
            [
                format!("{}.{}", from.location, from.component.letter()).into(),
                table::Cell::from(mapping.variable.as_str())
                    .and(table::Part::of(Meaning::Dimmed, semantic(packing, mapping))),
                mapping.bits.to_string().into(),
                interpolation.into(),
                at.into(),
                place,
                note,
            ],
        );
    }
    page.table(&table, 1)
}

/// The semantic of a scalar and its registers on both sides, if a stage was converted from DXIL.
fn semantic(packing: &Packing, mapping: &Mapping) -> String {
    let place = packing.semantic(mapping.from.location, mapping.from.component);
    place.map(|place| format!(" {} {}", place.semantic, place.registers())).unwrap_or_default()
}

fn lists(page: &mut Page<'_>, packing: &Packing) -> io::Result<()> {
    let style = page.style;
    let captured = packing.captured();
    let read_back = packing.read_back();
    let reserved = packing.reserved();
    if [packing.dropped.len(), packing.missing.len(), captured.len(), read_back.len(), reserved.len()] == [0; 5] {
        return Ok(());
    }
    page.blank()?;
    for stream in captured.chunk_by(|a, b| a.stream == b.stream) {
        let of = stream.first().map_or(0, |output| output.stream);
        let of = if of == 0 { String::new() } else { format!(", stream {of}") };
        let first = Line::from(" ").styled(style.dim, format!("{KEPT} outputs captured, not read{of}: "));
        page.prose(first, &moves(stream))?;
    }
    if !read_back.is_empty() {
        let first = Line::from(" ").styled(style.dim, format!("{KEPT} outputs that tess_control reads itself: "));
        page.prose(first, &moves(&read_back))?;
    }
    if !reserved.is_empty() {
        let first = Line::from(" ").styled(style.dim, format!("{KEPT} outputs not read, locations kept: "));
        page.prose(first, &moves(&reserved))?;
    }
    let mut reasons: BTreeMap<&str, Vec<Scalar<'_>>> = BTreeMap::new();
    for dropped in &packing.dropped {
        let (location, component) = (dropped.location.0, dropped.component);
        let place = Scalar { variable: dropped.variable.as_str(), location, component };
        reasons.entry(&dropped.reason).or_default().push(place);
    }
    for (reason, places) in reasons {
        let first = Line::from(" ").styled(style.dim, "✗ outputs dropped, ").text(reason).text(": ");
        page.prose(first, &gathered(&places))?;
    }
    let missing = packing.missing.iter().map(|missing| {
        let (location, component) = (missing.location.0, missing.component);
        Scalar { variable: missing.variable.as_str(), location, component }
    });
    let missing: Vec<_> = missing.collect();
    if !missing.is_empty() {
        page.prose(Line::from(" ").styled(style.warning, "? inputs never written: "), &gathered(&missing))?;
    }
    Ok(())
}

/// A scalar of the interface.
struct Scalar<'v> {
    variable: &'v str,
    location: u32,
    component: Component,
}

/// Scalars by variable and location: `normal (2.xyz), fog (3.w)`.
fn gathered(places: &[Scalar<'_>]) -> String {
    let mut groups: Vec<(&str, u32, String)> = Vec::new();
    for Scalar { variable, location, component } in places {
        match groups.last_mut() {
            Some((last, at, letters)) if last == variable && at == location => letters.push(component.letter()),
            _ => groups.push((variable, *location, component.letter().to_string())),
        }
    }
    let all = groups.iter().map(|(variable, location, letters)| format!("{variable}\u{a0}({location}.{letters})"));
    all.collect::<Vec<_>>().join(", ")
}

/// Outputs by variable and both locations: `tint (0.xyz → 2.xyz), tint (0.w → 3.x)`.
fn moves(outputs: &[&OutputMapping]) -> String {
    let together = |a: &&OutputMapping, b: &&OutputMapping| {
        (&a.variable, a.from.location, a.to.location) == (&b.variable, b.from.location, b.to.location)
    };
    let letters = |run: &[&OutputMapping], place: fn(&OutputMapping) -> Place| -> String {
        run.iter().map(|output| place(output).component.letter()).collect()
    };
    let runs = outputs.chunk_by(together).filter_map(|run| Some((run.first()?, run)));
    let all = runs.map(|(first, run)| {
        let (from, to) = (letters(run, |output| output.from), letters(run, |output| output.to));
        let (at, now) = (first.from.location, first.to.location);
        format!("{}\u{a0}({at}.{from}\u{a0}→\u{a0}{now}.{to})", first.variable)
    });
    all.collect::<Vec<_>>().join(", ")
}

/// The arrays that a part-pipeline's fragment half stores, pair by pair.
fn arrays(page: &mut Page<'_>, stored: &Stored) -> io::Result<()> {
    page.blank()?;
    let dim = page.style.dim;
    let count = stored.bytes().len() / 4;
    page.line(Line::of(dim, " stored for the stages before: ").text(format!("{count} integers")))?;
    let place = |place: Place| {
        let half = if place.half { " high" } else { "" };
        format!("{}.{}{half}", place.location, place.component.letter())
    };
    let words = stored.locations.as_chunks::<2>().0;
    let pairs = words.iter().zip(stored.places().unwrap_or_default()).map(|([from, to], (original, packed))| {
        format!("0x{from:x} → 0x{to:x} ({} → {})", place(original), place(packed))
    });
    let prose = |all: Vec<String>| if all.is_empty() { "none".to_owned() } else { tied(all) };
    page.prose(Line::from("   ").styled(dim, "locations "), &prose(pairs.collect()))?;
    let builtins = stored.builtins.as_chunks::<2>().0.iter();
    let pairs = builtins.map(|[id, slot]| format!("{id} → slot {slot}"));
    page.prose(Line::from("   ").styled(dim, "built-ins "), &prose(pairs.collect()))?;
    let [clip, cull] = stored.distances;
    page.line(Line::from("   ").styled(dim, "distances ").text(format!("{clip} clip, {cull} cull")))
}

fn savings(page: &mut Page<'_>, packing: &Packing) -> io::Result<()> {
    page.blank()?;
    let mut table = Table::new([
        Column::left(""),
        Column::right("original"),
        Column::right("packed"),
        Column::right("saved"),
        Column::left(""),
    ]);
    let mut row = |name: &str, [before, after]: [u64; 2], unit: &str, per: &str| {
        let saved = i128::from(before) - i128::from(after);
        let colour = if saved > 0 { Meaning::Good } else { Meaning::Plain };
        let percent = if before == 0 { 0 } else { saved * 100 / i128::from(before) };
        table.row([
            table::Cell::from(name),
            format!("{before}{unit}").into(),
            format!("{after}{unit}").into(),
            table::Cell::of(colour, format!("{saved}{unit} ({percent} %)")),
            table::Cell::of(Meaning::Dimmed, per),
        ]);
    };
    let slots = [u64::from(packing.slots.before), u64::from(packing.slots.after)];
    if !interpolates(packing) {
        row("locations", slots, "", if packing.per_patch { "of a patch" } else { "of a vertex" });
        return page.table(&table, 1);
    }
    let of_primitives = packing.slots.per_primitive;
    // What per-primitive slots take of LDS is not known.
    let (among, lds) = match of_primitives {
        0 => (String::new(), "LDS"),
        _ => (format!(", {of_primitives} of them per primitive"), "LDS of vertices"),
    };
    row("attribute slots", slots, "", &format!("generic inputs{among}"));
    let bytes = |pair: [lanescope_core::ids::Bytes; 2]| pair.map(|bytes| bytes.0);
    let saving = &packing.saving;
    row(saving.stored_in.name(), bytes(saving.parameter_cache_per_vertex), " B", "per vertex");
    for (primitives, per) in [(1, "a pixel wave with 1 primitive"), (16, "a wave64 with 16, the most")] {
        if let Some(allocated) = saving.lds_of_wave(primitives) {
            row(lds, bytes(allocated), " B", &format!("allocated to {per}"));
        }
    }
    page.table(&table, 1)
}

#[cfg(test)]
mod tests {
    use lanescope_core::ids::{Component, Id, Location};

    use super::*;

    #[test]
    fn lists_scalars_of_one_place_together() {
        let places = [("n", 2, 0), ("n", 2, 1), ("n", 3, 0), ("fog", 3, 3)]
            .map(|(variable, location, component)| Scalar { variable, location, component: Component(component) });
        assert_eq!(gathered(&places).replace('\u{a0}', " "), "n (2.xy), n (3.x), fog (3.w)");
    }

    #[test]
    fn scalars_are_named_by_their_own_component_and_half() {
        let part = |component, dword| Part { component: Component(component), dword };
        assert_eq!(named("", "uv", part(1, None)), "uv.y");
        assert_eq!(named("✗", "d", part(2, Some(Dword::High))), "✗d.z hi");
        assert_eq!(named("?", "wide", part(0, Some(Dword::Low))), "?wide.x", "no room for the half");
    }

    #[test]
    fn lists_captured_outputs_with_both_places() {
        let place =
            |location, component| Place { location: Location(location), component: Component(component), half: false };
        let output = |variable: &str, from, to| OutputMapping {
            variable: variable.into(),
            variable_id: Id(1),
            part: None,
            stream: 0,
            from,
            to,
            per_primitive: false,
            captured: true,
            reserved: false,
        };
        let all = [
            output("a[0]", place(1, 0), place(2, 2)),
            output("a[0]", place(1, 1), place(2, 3)),
            output("a[0]", place(1, 2), place(3, 0)),
            output("b", place(4, 3), place(3, 1)),
        ];
        let text = moves(&all.each_ref()).replace('\u{a0}', " ");
        assert_eq!(text, "a[0] (1.xy → 2.zw), a[0] (1.z → 3.x), b (4.w → 3.y)");
    }
}
