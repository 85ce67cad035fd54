//! Orders of workgroups: which lines consecutive ones have in common.

use crate::advise::advise_order;
use crate::count::{FxHashMap, FxHashSet};
use crate::report::{OrderCost, Orders};
use lanescope_passes::workgroup::{TILE_SIDES, group_id};

/// Compares the orders of all workgroups of a dispatch, by their lines. `selected` is the side of the options' tile.
pub(crate) fn orders(
    groups: [u32; 3],
    lines: &[(u64, Vec<u64>)],
    window: u32,
    selected: Option<u32>,
    line: u32,
) -> Orders {
    let by_group: FxHashMap<u64, &[u64]> = lines.iter().map(|(group, lines)| (*group, lines.as_slice())).collect();
    let sides = [None].into_iter().chain(TILE_SIDES.map(Some));
    let applies = |side: Option<u32>| side.is_none_or(|side| groups[0] / side > 1 && groups[1] / side > 1);
    let in_use = selected.filter(|side| applies(Some(*side)));
    let orders = sides.map(|tile| OrderCost {
        tile,
        selected: tile == in_use,
        lines: applies(tile).then(|| of_windows(groups, tile, &by_group, window)),
    });
    let orders: Vec<OrderCost> = orders.collect();
    let advice = advise_order(&orders, line);
    Orders { window, orders, advice }
}

/// Different lines of each window, summed.
fn of_windows(groups: [u32; 3], tile: Option<u32>, lines: &FxHashMap<u64, &[u64]>, window: u32) -> u64 {
    let [width, height, depth] = groups.map(u64::from);
    let slice = width * height;
    let order = (0..depth).flat_map(|z| (0..slice).map(move |f| (z, f)));
    let order = order.filter_map(|(z, f)| {
        // A tile of 0 leaves the order as it is: no tile.
        let [x, y] = match tile {
            Some(side) => group_id(side, groups, f)?.map(u64::from),
            None => [f % width, f / width],
        };
        Some(z * slice + y * width + x)
    });
    let (mut sum, mut taken) = (0, 0);
    let mut found = FxHashSet::default();
    for group in order {
        found.extend(lines.get(&group).copied().unwrap_or(&[]).iter().copied());
        taken += 1;
        if taken == window.max(1) {
            sum += found.len() as u64;
            found.clear();
            taken = 0;
        }
    }
    sum + found.len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each workgroup reads the lines of its row and of its column: a window of 16 reads 16 + 1 in rows, 4 + 4 in tiles.
    #[test]
    fn tiles_share_lines_of_rows_and_columns() {
        let groups = [16, 16, 1];
        let lines: Vec<(u64, Vec<u64>)> = (0..256).map(|at| (at, vec![at % 16, 100 + at / 16])).collect();
        let Orders { orders, advice, .. } = orders(groups, &lines, 16, Some(8), 128);
        let sums: Vec<Option<u64>> = orders.iter().map(|order| order.lines).collect();
        assert_eq!(sums[..4], [Some(16 * 17), Some(16 * 8), Some(16 * 8), None]);
        assert!(orders[2].selected && advice.text.contains("tiles of 8×8"), "{}", advice.text);
    }

    #[test]
    fn a_window_of_all_is_the_same_in_each_order() {
        let lines: Vec<(u64, Vec<u64>)> = (0..128).map(|at| (at, vec![at / 3, at % 7])).collect();
        let Orders { orders, .. } = orders([8, 8, 2], &lines, 1000, None, 64);
        let sums: Vec<u64> = orders.iter().filter_map(|order| order.lines).collect();
        assert!(sums.len() == 2 && sums[0] == sums[1], "{sums:?}");
    }
}
