//! A workgroup's layout as text: the decision, the lane map drawn page by page, what each wave covers.

use std::io;

use lanescope_core::table::{Cell, Column, Meaning, Part, Table};
use lanescope_core::workgroup::{GroupMap, Layout, tiles};

use super::IN_JSON;
use super::page::{Line, Page, Target};

/// Largest number of waves in a drawn map: there is one letter for each.
const DRAWN_WAVES_AT_MOST: u64 = 62;
/// Pages (z slices, or pieces of a wide slice) that are drawn.
const PAGES_AT_MOST: usize = 64;
/// Waves whose extents are listed.
const WAVES_AT_MOST: usize = 64;
/// Derivative instructions that are listed.
const DERIVATIVES_AT_MOST: usize = 24;
/// Invocations in a row of a map that is too wide for the page.
const PIECE: usize = 64;
/// Groups drawn along x and along y.
const GROUPS_AT_MOST: [usize; 2] = [20, 32];

pub fn layout(page: &mut Page<'_>, layout: &Layout) -> io::Result<()> {
    facts(page, layout)?;
    decisions(page, layout)?;
    page.blank()?;
    let count = layout.size.iter().try_fold(1u64, |product, n| product.checked_mul(u64::from(*n)));
    let waves = count.map(|count| count.div_ceil(u64::from(layout.wave.max(1))));
    let (Some(lanes), Some(count)) = (&layout.lanes, count) else { return no_map(page, layout) };
    if waves.is_none_or(|waves| waves > DRAWN_WAVES_AT_MOST) || usize::try_from(count) != Ok(lanes.len()) {
        page.line(format!(" {count} invocations are too many to draw.").into())?;
        return extents(page, layout, lanes, None);
    }
    let lettered = map(page, layout, lanes)?;
    let letters = |wave: usize| letter(wave).to_string();
    extents(page, layout, lanes, lettered.then_some(&letters))
}

/// Why there is no map.
fn no_map(page: &mut Page<'_>, layout: &Layout) -> io::Result<()> {
    match layout.interleave {
        Some([x, y]) => page.prose(
            " ".into(),
            &format!(
                "The hardware walks tiles of 2^{x} by 2^{y} invocations (interleave {x}, {y}). The compiler does \
                 not define the map, so it is not drawn."
            ),
        ),
        None => page.line(" No lane map: it depends on more than the shader.".into()),
    }
}

/// What each wave covers, by the letters that a map has; why there is no map.
pub fn waves(page: &mut Page<'_>, layout: &Layout, letters: &dyn Fn(usize) -> String) -> io::Result<()> {
    match &layout.lanes {
        Some(lanes) => extents(page, layout, lanes, Some(letters)),
        None => no_map(page, layout),
    }
}

/// The size and the tiles.
pub fn facts(page: &mut Page<'_>, layout: &Layout) -> io::Result<()> {
    let [x, y, z] = layout.size;
    let count = layout.size.iter().try_fold(1u64, |product, n| product.checked_mul(u64::from(*n)));
    let wave = u64::from(layout.wave.max(1));
    let waves = count.map(|count| count.div_ceil(wave));
    page.heading("Workgroup", &format!("{} {}, {x}×{y}×{z}, wave{}", layout.stage, layout.entry, layout.wave))?;
    let style = page.style;
    if let (Some(count), Some(waves)) = (count, waves) {
        let idle = (waves * wave).saturating_sub(count);
        let plural = |n: u64, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let mut text = format!("{} in {}", plural(count, "invocation"), plural(waves, "wave"));
        if idle > 0 {
            text.push_str(&format!(", {} of the last wave idle", plural(idle, "lane")));
        }
        page.line(Line::from(" ").text(text))?;
    }
    if layout.size != layout.declared_size {
        let [x, y, z] = layout.declared_size;
        page.line(Line::from(format!(" The module declares {x}×{y}×{z}.")))?;
    }
    let tile = tiles(layout.micro, layout.macro_tile);
    let rest = format!("{}, {}", layout.derivatives.words(), layout.layout_rules.words());
    page.line(Line::from(" ").styled(style.strong, tile).text(format!("   {rest}")))?;

    Ok(())
}

/// The decisions, and the derivatives.
pub fn decisions(page: &mut Page<'_>, layout: &Layout) -> io::Result<()> {
    page.blank()?;
    let style = page.style;
    let width = layout.rules.iter().map(|rule| rule.rule.chars().count()).max().unwrap_or(0).min(30);
    for rule in &layout.rules {
        let (colour, sign) = if rule.held { (style.good, "✓") } else { (style.dim, "·") };
        let first = Line::from(" ").styled(colour, sign).text(" ").text(&rule.rule).to(3 + width).text("  ");
        page.prose(if style.whole { first } else { first.cut(page.width() / 2) }, &rule.reason())?;
    }
    if let Some(other) = &layout.other_rules {
        page.prose(Line::from(" ").styled(style.strong, "≠").text(" "), &other.sentence())?;
    }

    derivatives(page, layout)
}

/// The instructions that take derivatives.
fn derivatives(page: &mut Page<'_>, layout: &Layout) -> io::Result<()> {
    if layout.derivative_uses.is_empty() {
        return Ok(());
    }
    page.blank()?;
    let mut table = Table::new([Column::right("instruction"), Column::left("derivative"), Column::left("quad")]);
    for row in layout.derivative_uses.iter().take(DERIVATIVES_AT_MOST) {
        table.row([format!("#{}", row.instruction).into(), row.opcode.as_str().into(), row.quad_rule.as_str().into()]);
    }
    page.table(&table, 1)?;
    let left = layout.derivative_uses.len().saturating_sub(DERIVATIVES_AT_MOST);
    if left > 0 {
        let style = page.style;
        page.line(Line::of(style.dim, format!(" … and {left} more{}", style.hint(IN_JSON, ""))))?;
    }
    Ok(())
}

/// A wave's letter on maps too wide for numbers.
fn letter(wave: usize) -> char {
    let letters = ('0'..='9').chain('a'..='z').chain('A'..='Z');
    letters.into_iter().nth(wave).unwrap_or('#')
}

/// Draws the map and says whether it was drawn in letters.
fn map(page: &mut Page<'_>, layout: &Layout, lanes: &[[u32; 3]]) -> io::Result<bool> {
    let style = page.style;
    let [x, y, z] = layout.size.map(|n| usize::try_from(n).unwrap_or(usize::MAX));
    let wave = usize::try_from(layout.wave.max(1)).unwrap_or(usize::MAX);
    // Which thread runs the invocation at (z * Y + y) * X + x. The product is the number of lanes, checked before.
    let mut threads = vec![None; lanes.len()];
    for (thread, at) in lanes.iter().enumerate() {
        let [ix, iy, iz] = at.map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        if ix < x
            && iy < y
            && let Some(slot) =
                threads.get_mut(iz.saturating_mul(y).saturating_add(iy).saturating_mul(x).saturating_add(ix))
        {
            *slot = Some(thread);
        }
    }
    let digits = |n: usize| n.to_string().len();
    let cell = digits(lanes.len().saturating_sub(1)) + 1;
    let margin = digits(y.saturating_sub(1)).max(1);
    let lettered = 1 + margin + x * cell > page.width();
    let (cell, piece) = if lettered { (1, if x + margin + 2 > page.width() { PIECE } else { x }) } else { (cell, x) };
    page.line(Line::of(
        style.dim,
        if lettered {
            " The wave that runs each invocation (x to the right, y down):"
        } else {
            " The hardware thread that runs each invocation (x to the right, y down):"
        },
    ))?;

    let mut pages = Vec::new();
    let pieces = x.div_ceil(piece.max(1));
    for slice in 0..z {
        for start in (0..x).step_by(piece.max(1)) {
            if pages.len() == PAGES_AT_MOST {
                break;
            }
            let columns = start..x.min(start + piece);
            let mut lines = Vec::new();
            let title = match (z > 1, pieces > 1) {
                (false, false) => None,
                (true, false) => Some(format!("z {slice}")),
                (false, true) => Some(format!("x {}–{}", columns.start, columns.end - 1)),
                (true, true) => Some(format!("z {slice}, x {}–{}", columns.start, columns.end - 1)),
            };
            lines.extend(title.map(|title| Line::default().to(margin + 1).styled(style.strong, title)));
            lines.push(ruler(columns.clone(), cell, margin, lettered, style.dim));
            for row in 0..y {
                let mut line = Line::of(style.dim, format!("{row:>margin$}"));
                line = if lettered { line.text(" ") } else { line };
                for column in columns.clone() {
                    let thread = threads.get((slice * y + row) * x + column).copied().flatten();
                    let number = thread.map(|thread| thread / wave);
                    let text = match (thread, number) {
                        (Some(_), Some(wave)) if lettered => letter(wave).to_string(),
                        (Some(thread), _) => format!("{thread:>cell$}"),
                        _ => format!("{:>cell$}", "·"),
                    };
                    let at = [column, row, slice].map(u32::try_from);
                    let target = match (thread, at) {
                        (Some(_), [Ok(x), Ok(y), Ok(z)]) => Some(Target::Invocation([x, y, z])),
                        _ => None,
                    };
                    line = line.targeted(number.map_or(style.dim, |wave| style.hue(wave)), text, target);
                }
                lines.push(line);
            }
            pages.push(lines);
        }
    }
    let all = z.saturating_mul(pieces);
    let drawn = pages.len();
    side_by_side(page, pages)?;
    if drawn < all {
        let how = style.hint(IN_JSON, "");
        page.line(Line::of(style.dim, format!(" … and {} more pages{how}", all - drawn)))?;
    }
    Ok(lettered)
}

/// The numbers of the columns: over each where numbers are drawn, over every eighth where letters are.
fn ruler(columns: std::ops::Range<usize>, cell: usize, margin: usize, lettered: bool, dim: anstyle::Style) -> Line {
    let mut line = Line::default().to(margin + usize::from(lettered));
    for (index, column) in columns.enumerate() {
        if !lettered {
            line = line.styled(dim, format!("{column:>cell$}"));
        } else if index % 8 == 0 {
            line = line.to(margin + 1 + index).styled(dim, column.to_string());
        }
    }
    line
}

/// Writes blocks of lines side by side, as many as fit the page.
fn side_by_side(page: &mut Page<'_>, blocks: Vec<Vec<Line>>) -> io::Result<()> {
    const GAP: usize = 3;
    let width = blocks.iter().flatten().map(Line::width).max().unwrap_or(0);
    let beside = ((page.width() - 1 + GAP) / (width + GAP)).max(1);
    for (index, group) in blocks.chunks(beside).enumerate() {
        if index > 0 {
            page.blank()?;
        }
        for row in 0..group.iter().map(Vec::len).max().unwrap_or(0) {
            let mut line = Line::from(" ");
            for (place, block) in group.iter().enumerate() {
                line = line.to(1 + place * (width + GAP));
                line = line.join(block.get(row).cloned().unwrap_or_default());
            }
            page.line(line)?;
        }
    }
    Ok(())
}

/// What each wave covers.
fn extents(
    page: &mut Page<'_>,
    layout: &Layout,
    lanes: &[[u32; 3]],
    letters: Option<&dyn Fn(usize) -> String>,
) -> io::Result<()> {
    page.blank()?;
    let style = page.style;
    let mut table = Table::new([
        Column::right("wave"),
        Column::left(if letters.is_some() { "drawn" } else { "" }),
        Column::right("threads"),
        Column::right("x"),
        Column::right("y"),
        Column::right("z"),
        Column::left("box"),
    ]);
    let wave = usize::try_from(layout.wave.max(1)).unwrap_or(usize::MAX);
    let waves = lanes.len().div_ceil(wave);
    for (index, members) in lanes.chunks(wave).take(WAVES_AT_MOST).enumerate() {
        let range = |axis: usize| {
            let of = |at: &[u32; 3]| at.get(axis).copied().unwrap_or(0);
            (members.iter().map(of).min().unwrap_or(0), members.iter().map(of).max().unwrap_or(0))
        };
        let show = |(low, high): (u32, u32)| if low == high { low.to_string() } else { format!("{low}–{high}") };
        let wide = |(low, high): (u32, u32)| u64::from(high) - u64::from(low) + 1;
        let extent = [wide(range(0)), wide(range(1)), wide(range(2))];
        let volume = extent.iter().fold(1u64, |product, n| product.saturating_mul(*n));
        let [x, y, z] = extent;
        let full = if volume == members.len() as u64 { "full" } else { "in part" };
        let depth = if layout.size[2] > 1 { format!("×{z}") } else { String::new() };
        let first = index * wave;
        table.row([
            Cell::of(Meaning::Item(index), index.to_string()),
            Cell::of(Meaning::Item(index), letters.map(|letter| letter(index)).unwrap_or_default()),
            format!("{first}–{}", first + members.len() - 1).into(),
            show(range(0)).into(),
            show(range(1)).into(),
            show(range(2)).into(),
            Cell::from(format!("{x}×{y}{depth}")).and(Part::of(Meaning::Dimmed, full)),
        ]);
    }
    page.table(&table, 1)?;
    if waves > WAVES_AT_MOST {
        page.line(Line::of(style.dim, format!(" … and {} more waves", waves - WAVES_AT_MOST)))?;
    }
    Ok(())
}

/// The workgroup-id swizzle: which group, in launch order, gets each id.
pub fn groups(page: &mut Page<'_>, map: &GroupMap) -> io::Result<()> {
    let style = page.style;
    let [x, y, z] = map.groups;
    page.heading("Groups", &format!("dispatch of {x}×{y}×{z}, tiles of {0}×{0}", map.tile))?;
    if !map.applies {
        page.line(" The swizzle does not apply: it needs more than one full tile in x and in y.".into())?;
    }
    let [wide, tall] = [x, y].map(|n| usize::try_from(n).unwrap_or(usize::MAX));
    let shown = [wide.min(GROUPS_AT_MOST[0]), tall.min(GROUPS_AT_MOST[1])];
    let mut order = vec![None; shown[0] * shown[1]];
    let mut largest = 0;
    for (launch, id) in map.ids.iter().enumerate() {
        let [gx, gy] = id.map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        if gx < shown[0] && gy < shown[1] {
            largest = largest.max(launch);
            if let Some(slot) = order.get_mut(gy * shown[0] + gx) {
                *slot = Some(launch);
            }
        }
    }
    let margin = shown[1].saturating_sub(1).to_string().len();
    let cell = largest.to_string().len() + 1;
    let columns = shown[0].min((page.width() - 1 - margin) / cell.max(1));
    page.line(Line::of(style.dim, " Launch order of the workgroups (x to the right, y down):"))?;
    page.line(Line::from(" ").join(ruler(0..columns, cell, margin, false, style.dim)))?;
    let tile = usize::try_from(map.tile.max(1)).unwrap_or(usize::MAX);
    for row in 0..shown[1] {
        let mut line = Line::from(" ").styled(style.dim, format!("{row:>margin$}"));
        for column in 0..columns {
            let launch = order.get(row * shown[0] + column).copied().flatten();
            let text = launch.map_or("·".to_owned(), |launch| launch.to_string());
            line = line.styled(style.hue(column / tile + row / tile), format!("{text:>cell$}"));
        }
        page.line(line)?;
    }
    if columns < wide || shown[1] < tall {
        let how = style.hint(IN_JSON, "");
        let text = format!(" … the first {columns}×{} of {x}×{y} groups{how}", shown[1]);
        page.line(Line::of(style.dim, text))?;
    }
    Ok(())
}
