//! The workgroup-id swizzle: a dispatch's groups, permuted in Morton tiles. It moves groups, never invocations.

use super::GroupMap;
use crate::findings::{self, Finding};
use lanescope_model::options::Options;

/// The sides that a tile may have, in groups (`threadGroupSwizzleMode`).
pub const TILE_SIDES: [u32; 5] = [4, 8, 16, 32, 64];

/// The most groups of one z slice that are listed.
pub const MAX_LISTED: u64 = 65_536;

/// The map of the dispatch that the options describe; none where they set no tile.
///
/// The swizzle needs more than one full tile in x and in y; without, the ids are those of the launch order and a
/// finding says so. Slices of more than [`MAX_LISTED`] groups are not listed (`ids` is empty); [`group_id`] answers
/// for each of them. Source: LLPC.
pub fn group_map(options: &Options, findings: &mut Vec<Finding>) -> Option<GroupMap> {
    let tile = options.group_tile?;
    let mut report = |rule: &findings::Rule, message: String| findings.push(rule.at(None, None, message));
    if !TILE_SIDES.contains(&tile) {
        report(findings::GROUP_TILE, format!("tile side is {tile}, expected 4, 8, 16, 32 or 64"));
        return None;
    }
    let Some(groups) = options.groups else {
        report(findings::GROUP_TILE, format!("tiles of {tile}×{tile} need the size of the dispatch in groups"));
        return None;
    };
    let [x, y, z] = groups;
    let applies = applies(tile, groups);
    if !applies {
        let [full_x, full_y] = [x / tile, y / tile];
        report(
            findings::GROUP_TILE,
            format!(
                "{x}×{y}×{z} groups contain {full_x} full tiles of {tile} in x, {full_y} in y; both need more than one"
            ),
        );
    }
    let slice = u64::from(x) * u64::from(y);
    let ids = if slice > MAX_LISTED {
        report(
            findings::GROUPS_NOT_LISTED,
            format!("{x}×{y} = {slice} groups in a z slice; at most {MAX_LISTED} are listed"),
        );
        Vec::new()
    } else {
        (0..slice).filter_map(|f| group_id(tile, groups, f)).collect()
    };
    Some(GroupMap { tile, groups, applies, ids })
}

/// The id that group `f` of a z slice gets (`f = gy·Gx + gx` in launch order; z is unchanged); none past the slice's
/// end or for a tile of 0.
pub fn group_id(tile: u32, groups: [u32; 3], f: u64) -> Option<[u32; 2]> {
    let [width, height, _] = groups.map(u64::from);
    if tile == 0 || f >= width * height {
        return None;
    }
    let side = u64::from(tile);
    let id = if applies(tile, groups) {
        let tiles_x = width / side;
        let [tiled_x, tiled_y] = [tiles_x * side, height / side * side];
        let tiled = tiled_x * tiled_y;
        let right = (width - tiled_x) * tiled_y;
        if f < tiled {
            let (tile, inside) = (f / (side * side), f % (side * side));
            [tile % tiles_x * side + even_bits(inside), tile / tiles_x * side + even_bits(inside >> 1)]
        } else if f < tiled + right {
            let f = f - tiled;
            [tiled_x + f % (width - tiled_x), f / (width - tiled_x)]
        } else {
            let f = f - tiled - right;
            [f / (height - tiled_y), tiled_y + f % (height - tiled_y)]
        }
    } else {
        [f % width, f / width]
    };
    // Both lie below the dispatch's own sizes, which are 32-bit.
    Some(id.map(|v| v as u32))
}

/// Whether a dispatch has more than one full tile in x and in y.
pub(super) fn applies(tile: u32, [x, y, _]: [u32; 3]) -> bool {
    tile != 0 && x / tile > 1 && y / tile > 1
}

/// Bits 0, 2, 4 and so on, moved together. Tiles have at most 64·64 groups: 12 bits.
fn even_bits(v: u64) -> u64 {
    (0..6).map(|bit| (v >> (2 * bit) & 1) << bit).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn map(tile: Option<u32>, groups: Option<[u32; 3]>) -> (Option<GroupMap>, Vec<String>) {
        let mut findings = Vec::new();
        let map = group_map(&Options { group_tile: tile, groups, ..Options::default() }, &mut findings);
        (map, findings.into_iter().map(|f| f.code).collect())
    }

    fn is_permutation(map: &GroupMap) -> bool {
        let [width, height, _] = map.groups.map(|g| g as usize);
        let mut seen = vec![false; width * height];
        map.ids.len() == seen.len()
            && map.ids.iter().all(|&[x, y]| {
                let [x, y] = [x as usize, y as usize];
                x < width && y < height && !std::mem::replace(&mut seen[y * width + x], true)
            })
    }

    /// 9x9 groups in tiles of 4: four Morton tiles, a column to the right, a row below.
    #[test]
    fn orders_tiles_then_right_then_bottom() {
        let (map, findings) = map(Some(4), Some([9, 9, 3]));
        let map = map.expect("asked for");
        let mut grid = vec![String::new(); 9];
        for (y, row) in grid.iter_mut().enumerate() {
            for x in 0..9 {
                let f = map.ids.iter().position(|&id| id == [x, y as u32]).expect("every group is somewhere");
                row.push_str(&format!("{f:3}"));
            }
        }
        let expected = [
            "  0  1  4  5 16 17 20 21 64",
            "  2  3  6  7 18 19 22 23 65",
            "  8  9 12 13 24 25 28 29 66",
            " 10 11 14 15 26 27 30 31 67",
            " 32 33 36 37 48 49 52 53 68",
            " 34 35 38 39 50 51 54 55 69",
            " 40 41 44 45 56 57 60 61 70",
            " 42 43 46 47 58 59 62 63 71",
            " 72 73 74 75 76 77 78 79 80",
        ];
        assert_eq!(grid, expected);
        assert!(map.applies && findings.is_empty());
    }

    #[test]
    fn remainders_use_their_own_width_and_height() {
        let ids = |f: std::ops::Range<u64>| f.map(|f| group_id(4, [10, 10, 1], f).expect("inside")).collect::<Vec<_>>();
        assert_eq!(ids(64..68), [[8, 0], [9, 0], [8, 1], [9, 1]], "right: row-major, 2 wide");
        assert_eq!(ids(78..84), [[8, 7], [9, 7], [0, 8], [0, 9], [1, 8], [1, 9]], "bottom: column-major, 2 tall");
    }

    #[test]
    fn needs_more_than_one_full_tile_in_x_and_y() {
        for (groups, applies) in
            [([8, 8, 1], true), ([7, 8, 1], false), ([8, 7, 1], false), ([64, 4, 1], false), ([0, 0, 0], false)]
        {
            let (map, findings) = map(Some(4), Some(groups));
            let map = map.expect("asked for");
            assert_eq!(map.applies, applies, "{groups:?}");
            assert_eq!(findings, if applies { vec![] } else { vec!["W006"] }, "{groups:?}");
            if !applies {
                let rows = (0..groups[1]).flat_map(|y| (0..groups[0]).map(move |x| [x, y]));
                assert_eq!(map.ids, rows.collect::<Vec<_>>(), "launch order is kept");
            }
        }
    }

    #[test]
    fn handles_absent_and_impossible_requests() {
        assert_eq!(map(None, Some([16, 16, 1])), (None, vec![]), "no tile, no swizzle");
        assert_eq!(map(Some(5), Some([16, 16, 1])), (None, vec!["W006".to_owned()]));
        assert_eq!(map(Some(0), Some([16, 16, 1])), (None, vec!["W006".to_owned()]));
        assert_eq!(map(Some(4), None), (None, vec!["W006".to_owned()]));
    }

    #[test]
    fn huge_dispatch_is_computed_but_not_listed() {
        let (map, findings) = map(Some(64), Some([u32::MAX, u32::MAX, 1]));
        let map = map.expect("asked for");
        assert!(map.applies && map.ids.is_empty());
        assert_eq!(findings, ["W008"]);
        let last = u64::from(u32::MAX) * u64::from(u32::MAX) - 1;
        assert_eq!(group_id(64, map.groups, last), Some([u32::MAX - 1, u32::MAX - 1]));
        assert_eq!(group_id(64, map.groups, last + 1), None);
    }

    proptest! {
        #[test]
        fn assigns_each_group_one_id(tile in 0usize..5, x in 0u32..200, y in 0u32..200) {
            let (map, _) = map(Some(TILE_SIDES[tile]), Some([x, y, 2]));
            prop_assert!(is_permutation(&map.expect("asked for")));
        }
    }
}
