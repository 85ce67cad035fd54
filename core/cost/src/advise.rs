//! Which layout has the least, and by which figure.

use crate::names::order_name;
use crate::report::{Advice, Counts, Figure, LayoutCost, OrderCost, Verdict};

/// The figures that count on a chip with lines of that size: quads of texels are documented of GCN alone.
fn figures(line: u32) -> impl Iterator<Item = Figure> {
    Figure::ALL.iter().copied().filter(move |figure| *figure != Figure::TexelQuads || line == 64)
}

/// Compares layouts: lines and passes of LDS first; where these are equal, sectors, then quads of texels.
pub(crate) fn advise(layouts: &[LayoutCost], line: u32) -> Advice {
    let all: Vec<(&LayoutCost, &Counts)> =
        layouts.iter().filter_map(|one| one.total.as_ref().map(|total| (one, total))).collect();
    let plain = |verdict, text: String| Advice { verdict, layout: None, figure: None, text };
    let Some((first, _)) = all.first() else {
        return plain(Verdict::Nothing, "the workgroup has no layout that can be counted".to_owned());
    };
    if all.iter().all(|(_, total)| total.runs == 0) {
        return plain(Verdict::Nothing, "no invocation accesses memory that is counted".to_owned());
    }
    if all.len() == 1 {
        return plain(Verdict::Nothing, format!("{} is the only layout of the workgroup", first.layout));
    }
    let value = |total: &Counts, figure| total.figure(figure, line);
    let differs = |figure| all.iter().any(|(_, total)| value(total, figure) != value(all[0].1, figure));
    let differing: Vec<Figure> = figures(line).filter(|figure| differs(*figure)).collect();
    let Some(&decisive) = differing.first() else {
        return plain(Verdict::NoDifference, "no difference between the layouts".to_owned());
    };
    let least = |figure| all.iter().map(|(_, total)| value(total, figure)).min().unwrap_or(0);
    let is_least = |total: &Counts, figure| value(total, figure) == least(figure);
    let both = [Figure::Lines, Figure::LdsPasses];
    let mut best: Vec<&(&LayoutCost, &Counts)> =
        all.iter().filter(|(_, total)| both.iter().all(|figure| is_least(total, *figure))).collect();
    if best.is_empty() {
        return trade_off(&all, line);
    }
    for figure in figures(line).filter(|figure| !both.contains(figure)) {
        let least = best.iter().map(|(_, total)| value(total, figure)).min().unwrap_or(0);
        best.retain(|(_, total)| value(total, figure) == least);
    }
    let chosen = best.iter().find(|(one, _)| one.selected).or(best.first()).copied();
    let Some((one, total)) = chosen else { return plain(Verdict::Nothing, String::new()) };
    let selected = all.iter().find(|(other, _)| other.selected);
    // What the selected layout is worse in, else what any other is worse in.
    let against = selected.filter(|(other, _)| other.layout != one.layout);
    let figure = match against {
        Some((_, other)) => differing.iter().copied().find(|figure| value(other, *figure) != value(total, *figure)),
        None => Some(decisive),
    };
    let figure = figure.unwrap_or(decisive);
    let words = figure.words(line);
    let (verdict, text) = match against {
        Some((other, counts)) => {
            let (from, to) = (value(counts, figure), value(total, figure));
            (Verdict::Change, format!("{} by {words}: {to}, {} has {from}", one.layout, other.layout))
        }
        None => {
            let most = all.iter().map(|(_, total)| value(total, figure)).max().unwrap_or(0);
            let least = value(total, figure);
            (Verdict::Keep, format!("{} by {words}: {least}, others have up to {most}", one.layout))
        }
    };
    Advice { verdict, layout: Some(one.layout.clone()), figure: Some(figure), text }
}

/// The layouts with the fewest lines are others than those with the fewest passes.
fn trade_off(all: &[(&LayoutCost, &Counts)], line: u32) -> Advice {
    let best = |figure: Figure| {
        let least = all.iter().min_by_key(|(_, total)| total.figure(figure, line));
        least.map(|(one, total)| (one.layout.as_str(), total.figure(figure, line))).unwrap_or_default()
    };
    let other = |name: &str, figure: Figure| {
        let found = all.iter().find(|(one, _)| one.layout == name);
        found.map_or(0, |(_, total)| total.figure(figure, line))
    };
    let (lines, passes) = (best(Figure::Lines), best(Figure::LdsPasses));
    let text = format!(
        "no layout has the least of both: {} has {} {} and {} {}, {} has {} and {}",
        lines.0,
        lines.1,
        Figure::Lines.words(line),
        other(lines.0, Figure::LdsPasses),
        Figure::LdsPasses.words(line),
        passes.0,
        other(passes.0, Figure::Lines),
        passes.1,
    );
    Advice { verdict: Verdict::TradeOff, layout: None, figure: None, text }
}

/// Compares orders of workgroups by the lines of their windows.
pub(crate) fn advise_order(orders: &[OrderCost], line: u32) -> Advice {
    let name = |order: &OrderCost| order_name(order.tile);
    let all: Vec<(&OrderCost, u64)> = orders.iter().filter_map(|order| Some((order, order.lines?))).collect();
    let plain = |verdict, text: &str| Advice { verdict, layout: None, figure: None, text: text.to_owned() };
    let Some(&(best, least)) = all.iter().min_by_key(|(order, lines)| (*lines, !order.selected)) else {
        return plain(Verdict::Nothing, "no order of the workgroups can be counted");
    };
    let most = all.iter().map(|(_, lines)| *lines).max().unwrap_or(0);
    match all.len() {
        1 => plain(Verdict::Nothing, "the dispatch has too few workgroups for tiles of workgroup ids"),
        _ if most == least => plain(Verdict::NoDifference, "no difference between the orders of workgroups"),
        _ => {
            let verdict = if best.selected { Verdict::Keep } else { Verdict::Change };
            let words = Figure::Lines.words(line);
            let text = format!("{} by {words} of a window: {least}, others have up to {most}", name(best));
            Advice { verdict, layout: Some(name(best)), figure: Some(Figure::Lines), text }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_passes::workgroup::{Macro, Micro};

    fn layout(name: &str, selected: bool, figures: [u64; 4]) -> LayoutCost {
        let [lines_128, lds_passes, sectors, texel_quads] = figures;
        let total = Counts { runs: 1, lines_128, lds_passes, sectors, texel_quads, ..Counts::default() };
        LayoutCost {
            layout: name.to_owned(),
            micro: Micro::None,
            macro_tile: Macro::None,
            options: Vec::new(),
            selected,
            unavailable: None,
            total: Some(total),
            accesses: Vec::new(),
        }
    }

    fn verdict(figures: &[[u64; 4]]) -> (Verdict, Option<String>, Option<Figure>) {
        let names = ["rows", "quads", "strips"];
        let all: Vec<LayoutCost> =
            names.iter().zip(figures).enumerate().map(|(at, (name, row))| layout(name, at == 0, *row)).collect();
        let Advice { verdict, layout, figure, .. } = advise(&all, 128);
        (verdict, layout, figure)
    }

    #[test]
    fn recommends_by_the_first_figure_that_differs() {
        let named = |name: &str| Some(name.to_owned());
        let equal = [4, 2, 8, 1];
        assert_eq!(verdict(&[equal, equal, equal]), (Verdict::NoDifference, None, None));
        assert_eq!(verdict(&[equal, [3, 2, 8, 1]]), (Verdict::Change, named("quads"), Some(Figure::Lines)));
        assert_eq!(verdict(&[equal, [5, 2, 8, 1]]), (Verdict::Keep, named("rows"), Some(Figure::Lines)));
        assert_eq!(verdict(&[equal, [4, 1, 8, 1]]), (Verdict::Change, named("quads"), Some(Figure::LdsPasses)));
        assert_eq!(verdict(&[equal, [4, 2, 7, 1]]), (Verdict::Change, named("quads"), Some(Figure::Sectors)));
        assert_eq!(verdict(&[equal, [3, 4, 8, 1]]), (Verdict::TradeOff, None, None));
        assert_eq!(verdict(&[equal]), (Verdict::Nothing, None, None));
        // Quads of texels count on chips with lines of 64 bytes alone.
        assert_eq!(verdict(&[equal, [4, 2, 8, 0]]), (Verdict::NoDifference, None, None));
        // The best of two that are equal is the selected one.
        assert_eq!(verdict(&[equal, equal, [9, 2, 8, 1]]), (Verdict::Keep, named("rows"), Some(Figure::Lines)));
    }

    #[test]
    fn orders_are_compared_by_lines() {
        let order = |tile, lines| OrderCost { tile, selected: tile.is_none(), lines };
        let verdict = |orders: &[OrderCost]| advise_order(orders, 128).verdict;
        assert_eq!(verdict(&[order(None, Some(9)), order(Some(4), None)]), Verdict::Nothing);
        assert_eq!(verdict(&[order(None, Some(9)), order(Some(4), Some(9))]), Verdict::NoDifference);
        assert_eq!(verdict(&[order(None, Some(9)), order(Some(4), Some(8))]), Verdict::Change);
    }
}
