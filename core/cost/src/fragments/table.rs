//! Tables of a draw's accesses.

use lanescope_passes::table::{Cell, Column, Key, Table};

use super::report::{FragmentCost, FragmentCounts, FragmentVariant};
use super::sources::by_wave;
use crate::sources::Marks;
use crate::table::{column, target};

/// A row for each wave size and tiling, with its totals.
pub fn variants_table(cost: &FragmentCost) -> Table {
    let (line, marks) = (cost.line, Marks::of(cost.chip));
    // Those of the chip's size are documented.
    let mark = |size: u32| if size == line { by_wave(marks.lines) } else { "C, G".to_owned() };
    let of_chip = by_wave(marks.lines);
    let mut table = Table::new([
        Column::left("waves of fragments"),
        column("lines 64 B", &mark(64), "Different lines of 64 bytes, for each access of a wave"),
        column("lines 128 B", &mark(128), "Different lines of 128 bytes, for each access of a wave"),
        column("sectors", marks.sectors, "Different sectors of 32 bytes, for each access of a wave"),
        column("moved", marks.sectors, "Bytes of the sectors"),
        column("by wave", &of_chip, &format!("Different lines of {line} bytes in all accesses of a wave")),
        column("no helpers", &of_chip, &format!("Lines of {line} bytes if helper invocations access nothing")),
        column("quads", &by_wave(marks.quads), "Different 2×2 blocks of texels that four consecutive lanes access"),
    ]);
    for (at, variant) in cost.variants.iter().enumerate() {
        let total = &variant.total;
        let selected = if variant.selected { " (selected)" } else { "" };
        let quads = if total.texel_quads == 0 { String::new() } else { total.texel_quads.to_string() };
        let numbers = [total.lines_64, total.lines_128, total.sectors, total.bytes_moved, total.wave_lines];
        let numbers = numbers.into_iter().chain([total.lines_without_helpers]);
        let cells = [format!("{}{selected}", name(cost, variant))].into_iter();
        table.push(Key::Item(at), cells.chain(numbers.map(|count| count.to_string())).chain([quads]).map(Cell::from));
    }
    table
}

/// `wave64, tiled`; without the tiling where images are not accessed.
fn name(cost: &FragmentCost, variant: &FragmentVariant) -> String {
    let tilings: std::collections::BTreeSet<_> = cost.variants.iter().map(|one| one.tiling).collect();
    match tilings.len() {
        0 | 1 => format!("wave{}", variant.wave),
        _ => format!("wave{}, {}", variant.wave, variant.tiling),
    }
}

/// A row for each instruction that accesses memory: what it does in the selected waves and tiling.
pub fn fragment_accesses_table(cost: &FragmentCost) -> Table {
    let (line, marks) = (cost.line, Marks::of(cost.chip));
    let mut table = Table::new([
        Column::left("access"),
        Column::left("to"),
        Column::left("line"),
        column("waves", "C, G", "Times that waves run it"),
        column("lanes", "C", "Times that lanes run it, helper invocations included"),
        column("helpers", "C, G", "The share of helper invocations among them"),
        column("asked", "C", "Bytes that lanes ask for: of each texel that a filter reads"),
        column("moved", marks.sectors, "Bytes of the sectors"),
        column("sectors", marks.sectors, "Different sectors of 32 bytes, for each access of a wave"),
        column(
            &format!("lines {line} B"),
            &by_wave(marks.lines),
            &format!("Different lines of {line} bytes, for each access of a wave"),
        ),
        column("quads", &by_wave(marks.quads), "Different 2×2 blocks of texels that four consecutive lanes access"),
    ]);
    for (at, site) in cost.accesses.iter().enumerate() {
        let counts = cost.selected().and_then(|one| one.accesses.get(at)).copied().unwrap_or_default();
        let quads = if counts.texel_quads == 0 { String::new() } else { counts.texel_quads.to_string() };
        let cells = [
            format!("#{} {}", site.instruction, site.name),
            target(site),
            site.place().to_owned(),
            counts.runs.to_string(),
            counts.lanes.to_string(),
            format!("{} %", counts.helper_share()),
            counts.bytes.to_string(),
            counts.bytes_moved.to_string(),
            counts.sectors.to_string(),
            counts.lines(line).to_string(),
            quads,
        ];
        table.push(Key::Item(at), cells.map(Cell::from));
    }
    table
}

/// A row for each instruction that accesses memory: its lines in each of several wave sizes and tilings. None where there
/// is one only.
pub fn fragment_lines_table(cost: &FragmentCost) -> Option<Table> {
    if cost.variants.len() < 2 {
        return None;
    }
    let help = format!("Different lines of {} bytes, for each access of a wave", cost.line);
    let mark = by_wave(Marks::of(cost.chip).lines);
    let mut columns = vec![Column::left(format!("lines {} B", cost.line)), Column::left("to")];
    columns.extend(cost.variants.iter().map(|variant| column(&name(cost, variant), &mark, &help)));
    let mut table = Table::new(columns);
    for (at, site) in cost.accesses.iter().enumerate() {
        let of = |variant: &FragmentVariant| {
            let counts: FragmentCounts = variant.accesses.get(at).copied().unwrap_or_default();
            counts.lines(cost.line).to_string()
        };
        let first = [format!("#{} {}", site.instruction, site.name), target(site)];
        table.push(Key::Item(at), first.into_iter().chain(cost.variants.iter().map(of)).map(Cell::from));
    }
    Some(table)
}

/// A row for each level of an image that is read.
pub fn footprints_table(cost: &FragmentCost) -> Table {
    let mut table = Table::new([
        Column::left("image"),
        column("level", "C", "The level of detail, as the interpreter chose it"),
        Column::right("size"),
        column("reads", "C", "Reads of lanes, helper invocations included"),
        Column::left("filter"),
        column("texels", "C", "Texels that these read, each as often as it is read"),
        column("different", "C", "Different texels among them"),
        column("of the level", "C", "The share of the level's texels, in all layers"),
    ]);
    for (at, one) in cost.footprints.iter().enumerate() {
        let [width, height, depth] = one.size;
        let depth = if depth > 1 { format!("×{depth}") } else { String::new() };
        let layers = if one.layers > 1 { format!(", {} layers", one.layers) } else { String::new() };
        let element = if one.element > 0 { format!("[{}]", one.element) } else { String::new() };
        let all: u64 = one.reads.iter().map(|of| of.reads).sum();
        let filters: Vec<String> = match one.reads.as_slice() {
            [only] => vec![only.filter.name().to_owned()],
            several => several.iter().map(|of| format!("{} {}", of.reads, of.filter)).collect(),
        };
        let share = one.different.and_then(|count| (count * 1000).checked_div(one.all()));
        let cells = [
            format!("{}{element}", one.image),
            one.level.to_string(),
            format!("{width}×{height}{depth}{layers}"),
            all.to_string(),
            filters.join(", "),
            one.texels.to_string(),
            one.different.map_or("unknown".to_owned(), |count| count.to_string()),
            share.map_or("unknown".to_owned(), |share| format!("{}.{} %", share / 10, share % 10)),
        ];
        table.push(Key::Item(at), cells.map(Cell::from));
    }
    table
}
