//! Tables of a cost report.

use lanescope_passes::table::{Cell, Column, Key, Table};

use crate::names::order_name;
use crate::report::{AccessSite, Cost, Counts, LayoutCost, MemoryKind, Source};
use crate::sources::Marks;

/// A row for each layout, with its totals.
pub fn layouts_table(cost: &Cost) -> Table {
    let (line, marks) = (cost.line, Marks::of(cost.chip));
    // Those of the chip's size are documented.
    let mark = |size: u32| if size == line { marks.lines } else { "C" };
    let mut table = Table::new([
        Column::left("layout"),
        column("lines 64 B", mark(64), "Different lines of 64 bytes, for each access of a wave"),
        column("lines 128 B", mark(128), "Different lines of 128 bytes, for each access of a wave"),
        column("sectors", marks.sectors, "Different sectors of 32 bytes, for each access of a wave"),
        column("moved", marks.sectors, "Bytes of the sectors"),
        column("asked", "C", "Bytes that lanes ask for"),
        column("by wave", marks.lines, &format!("Different lines of {line} bytes in all accesses of a wave")),
        column("by group", marks.lines, &format!("Different lines of {line} bytes in all accesses of a workgroup")),
        column("quads", marks.quads, "Different 2×2 blocks of texels that four consecutive lanes access"),
        column("LDS passes", marks.lds, "Passes of LDS: 32 banks of 4 bytes"),
        column("at least", marks.lds, "Passes of LDS without bank conflicts"),
        Column::left("flags"),
    ]);
    for (at, one) in cost.layouts.iter().enumerate() {
        let flags = one.unavailable.clone().unwrap_or_else(|| one.options.join(", "));
        let numbers = match &one.total {
            Some(total) => figures(total),
            None => Default::default(),
        };
        let numbers = numbers.into_iter().map(Cell::from);
        table.push(Key::Item(at), [Cell::from(name(one))].into_iter().chain(numbers).chain([Cell::from(flags)]));
    }
    table
}

/// The name of a layout, with a mark for the selected one.
fn name(layout: &LayoutCost) -> String {
    if layout.selected { format!("{} (selected)", layout.layout) } else { layout.layout.clone() }
}

/// Numbers of a row; empty where there are none of that kind.
fn figures(total: &Counts) -> [String; 10] {
    let lds = |count: u64| if total.lds_least == 0 { String::new() } else { count.to_string() };
    let memory = |count: u64| if total.lanes > 0 && total.bytes == 0 { String::new() } else { count.to_string() };
    let quads = if total.texel_quads == 0 { String::new() } else { total.texel_quads.to_string() };
    [
        memory(total.lines_64),
        memory(total.lines_128),
        memory(total.sectors),
        memory(total.bytes_moved),
        memory(total.bytes),
        memory(total.wave_lines),
        memory(total.group_lines),
        quads,
        lds(total.lds_passes),
        lds(total.lds_least),
    ]
}

pub(crate) fn column(title: &str, mark: &str, help: &str) -> Column {
    Column { note: mark.to_owned(), help: help.to_owned(), ..Column::right(title) }
}

/// A row for each instruction that accesses memory: lines, or passes of LDS, in each layout.
pub fn accesses_table(cost: &Cost) -> Table {
    let there: Vec<&LayoutCost> = cost.layouts.iter().filter(|one| one.total.is_some()).collect();
    let mut columns = vec![
        Column::left("access"),
        Column::left("to"),
        Column::left("line"),
        Column::right("bytes"),
        column("waves", "C", "Times that waves run it, in the first layout"),
        Column::left("figure"),
    ];
    columns.extend(there.iter().map(|one| column(&one.layout, "C", "The figure in this layout")));
    let mut table = Table::new(columns);
    for (at, site) in cost.accesses.iter().enumerate() {
        let of = |layout: &LayoutCost| layout.accesses.get(at).copied().unwrap_or_default();
        let (figure, value): (String, fn(&Counts, u32) -> u64) = match site.memory {
            MemoryKind::Shared => ("LDS passes".to_owned(), |counts, _| counts.lds_passes),
            _ => (format!("lines {} B", cost.line), |counts, line| counts.lines(line)),
        };
        let runs = there.first().map_or(0, |one| of(one).runs);
        let cells = [
            Cell::from(format!("#{} {}", site.instruction, site.name)),
            Cell::from(target(site)),
            Cell::from(site.place()),
            Cell::from(site.bytes.to_string()),
            Cell::from(runs.to_string()),
            Cell::from(figure),
        ];
        let values = there.iter().map(|one| Cell::from(value(&of(one), cost.line).to_string()));
        table.push(Key::Item(at), cells.into_iter().chain(values));
    }
    table
}

/// What an access is to, as text.
pub(crate) fn target(site: &AccessSite) -> String {
    let beyond = match site.beyond {
        0 => String::new(),
        count => format!(", {count} beyond"),
    };
    format!("{} {}{beyond}", site.memory, site.resource)
}

/// A row for each order of workgroups.
pub fn orders_table(cost: &Cost) -> Option<Table> {
    let orders = cost.orders.as_ref()?;
    let help = format!("Different lines of {} bytes of {} consecutive workgroups", cost.line, orders.window);
    let mut table = Table::new([
        Column::left("order of workgroups"),
        column(&format!("lines {} B by window", cost.line), "C, G", &help),
    ]);
    for (at, order) in orders.orders.iter().enumerate().filter(|(_, order)| order.lines.is_some()) {
        let name = order_name(order.tile);
        let name = if order.selected { format!("{name} (selected)") } else { name };
        let lines = order.lines.map(|lines| lines.to_string()).unwrap_or_default();
        table.push(Key::Item(at), [Cell::from(name), Cell::from(lines)]);
    }
    Some(table)
}

/// A row for each source.
pub fn sources_table(cost: &Cost) -> Table {
    marked_sources_table(&cost.sources)
}

/// A row for each of some sources.
pub fn marked_sources_table(sources: &[Source]) -> Table {
    let mut table = Table::new([Column::left("figure"), Column::left("mark"), Column::left("rule")]);
    for source in sources {
        let Source { figure, mark, rule } = source;
        table.row([figure, mark, rule].map(|text| Cell::from(text.as_str())));
    }
    table
}
