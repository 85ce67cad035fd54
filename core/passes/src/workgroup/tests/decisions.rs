//! The decision of both rule sets, over every size up to 64x32.

use super::*;
use crate::workgroup::{LaneMap, decide, row_major_index};
use lanescope_base::ids::Thread;
use lanescope_model::target::Target;

fn sizes() -> impl Iterator<Item = [u32; 3]> {
    (1..=64).flat_map(|x| (1..=32).map(move |y| [x, y, 1]))
}

fn decided(
    rules: LayoutRules,
    derivatives: Derivatives,
    force: bool,
    reconfig: bool,
    interleave: [u32; 2],
    size: [u32; 3],
) -> &'static str {
    let options = Options { layout_rules: rules, force_swizzle: force, reconfig, interleave, ..Options::default() };
    let decision = decide(&Facts::new(StageKind::Compute, size, derivatives, &options));
    tiles(decision.micro, decision.macro_tile)
}

/// Derivatives, force, reconfig; then X ≥ 16 with X mod 8 = Y mod 4 = 0; X mod 8 = 0 and both even; both even; else.
const LLPC: &str = "
none   0 0  -        -        -    -
none   1 0  8xN      -        -    -
none   0 1  8xN      8xN      2x2  -
none   1 1  8xN      8xN      2x2  -
linear 0 0  -        -        -    -
linear 1 0  8xN      -        -    -
linear 0 1  8xN      8xN      -    -
linear 1 1  8xN      8xN      -    -
quads  0 0  2x2      2x2      2x2  invalid
quads  1 0  8xN+2x2  2x2      2x2  invalid
quads  0 1  8xN+2x2  8xN+2x2  2x2  invalid
quads  1 1  8xN+2x2  8xN+2x2  2x2  invalid
";

/// Derivatives, force, reconfig; then X mod 8 = 0 and Y even; X mod 8 = 0 and Y odd; both even; else.
const DESIGN_NOTE: &str = "
none   0 0  -        -        -    -
none   1 0  8xN      8xN      -    -
none   0 1  8xN      8xN      2x2  -
none   1 1  8xN      8xN      2x2  -
linear 0 0  -        -        -    -
linear 1 0  -        -        -    -
linear 0 1  -        -        -    -
linear 1 1  -        -        -    -
quads  0 0  2x2      invalid  2x2  invalid
quads  1 0  8xN+2x2  invalid  2x2  invalid
quads  0 1  8xN+2x2  invalid  2x2  invalid
quads  1 1  8xN+2x2  invalid  2x2  invalid
";

/// Reads one table and asks `decide` for each of its cells at every size of the column.
fn check_table(table: &str, rules: LayoutRules, column: fn([u32; 3]) -> usize) {
    let mut seen = [0u32; 4];
    for row in table.trim().lines() {
        let cells: Vec<&str> = row.split_whitespace().collect();
        let derivatives: Derivatives = cells[0].parse().expect("a derivative group");
        let [force, reconfig] = [cells[1] == "1", cells[2] == "1"];
        for size in sizes() {
            let column = column(size);
            seen[column] += 1;
            let expected = cells[3 + column];
            let found = decided(rules, derivatives, force, reconfig, [0, 0], size);
            if expected == "invalid" {
                assert!(size[0] % 2 != 0 || size[1] % 2 != 0, "{size:?}");
            } else {
                assert_eq!(found, expected, "{row} at {size:?}");
            }
        }
    }
    assert!(seen.iter().all(|&n| n > 0));
}

#[test]
fn matches_the_table_of_llpc() {
    check_table(LLPC, LayoutRules::Llpc, |[x, y, _]| match x % 2 == 0 && y % 2 == 0 {
        _ if x >= 16 && x % 8 == 0 && y % 4 == 0 => 0,
        true if x % 8 == 0 => 1,
        true => 2,
        false => 3,
    });
}

#[test]
fn matches_the_table_of_the_design_note() {
    check_table(DESIGN_NOTE, LayoutRules::DesignNote, |[x, y, _]| match (x % 8 == 0, y % 2 == 0) {
        (true, true) => 0,
        (true, false) => 1,
        (false, true) if x % 2 == 0 => 2,
        _ => 3,
    });
}

#[test]
fn design_note_and_llpc_differ() {
    use Derivatives::{Linear, None, Quads};
    type Row = (Derivatives, bool, bool, [u32; 2], [u32; 3], &'static str, &'static str);
    // Derivatives, force, reconfig, interleave, size: today's layout, the note's.
    let rows: &[Row] = &[
        // Force: the note needs only X mod 8 = 0.
        (None, true, false, [0, 0], [8, 8, 1], "-", "8xN"),
        (None, true, false, [0, 0], [8, 16, 1], "-", "8xN"),
        (None, true, false, [0, 0], [24, 2, 1], "-", "8xN"),
        (None, true, false, [0, 0], [16, 6, 1], "-", "8xN"),
        (None, true, false, [0, 0], [16, 4, 1], "8xN", "8xN"),
        // Linear derivatives: nothing may move under the note.
        (Linear, true, false, [0, 0], [16, 16, 1], "8xN", "-"),
        (Linear, false, true, [0, 0], [8, 8, 1], "8xN", "-"),
        // Quads and force: 2x2 where strips would not be one-to-one.
        (Quads, true, false, [0, 0], [6, 4, 1], "2x2", "2x2"),
        (Quads, true, false, [0, 0], [8, 8, 1], "2x2", "8xN+2x2"),
        (Quads, true, false, [0, 0], [16, 16, 1], "8xN+2x2", "8xN+2x2"),
        // Reconfig with an odd Y.
        (None, false, true, [0, 0], [24, 3, 1], "-", "8xN"),
        // Force and reconfig, X no multiple of 8: no difference.
        (None, true, true, [0, 0], [12, 6, 1], "2x2", "2x2"),
        // Interleave 3, 3 acts like force in the code only; other values do not.
        (None, false, false, [3, 3], [16, 16, 1], "8xN", "-"),
        (Quads, false, false, [3, 3], [16, 16, 1], "8xN+2x2", "2x2"),
        (None, false, false, [3, 3], [8, 8, 1], "-", "-"),
        (None, false, false, [3, 2], [16, 16, 1], "-", "-"),
    ];
    for &(derivatives, force, reconfig, interleave, size, llpc, note) in rows {
        let under = |rules| decided(rules, derivatives, force, reconfig, interleave, size);
        let found = [under(LayoutRules::Llpc), under(LayoutRules::DesignNote)];
        assert_eq!(found, [llpc, note], "{derivatives} {force} {reconfig} {interleave:?} {size:?}");
    }
}

#[test]
fn interleave_3_3_acts_as_force_in_llpc() {
    for size in sizes() {
        for &derivatives in Derivatives::ALL {
            for reconfig in [false, true] {
                let by = |force, interleave| decided(LayoutRules::Llpc, derivatives, force, reconfig, interleave, size);
                assert_eq!(by(false, [3, 3]), by(true, [0, 0]), "{derivatives} {reconfig} {size:?}");
            }
        }
    }
}

#[test]
fn stage_and_z_have_no_effect_where_the_shader_computes() {
    for size in sizes() {
        for facts in all_facts(size) {
            let expected = decide(&facts);
            for stage in ALL_STAGES {
                let other = decide(&Facts { stage, size: [size[0], size[1], 5], ..facts });
                assert_eq!((other.micro, other.macro_tile), (expected.micro, expected.macro_tile), "{facts:?}");
            }
        }
    }
}

#[test]
fn last_rule_that_sets_a_tile_wins() {
    for size in sizes() {
        for facts in all_facts(size) {
            let decision = decide(&facts);
            let held = |end: &str| decision.rules.iter().any(|r| r.held && r.rule.ends_with(end));
            assert_eq!(decision.macro_tile == Macro::Block8, held("-8xN"), "{facts:?}");
            let quads = facts.derivatives == Derivatives::Quads || held("-2x2");
            assert_eq!(decision.micro == Micro::Quads, quads, "{facts:?}");
            assert_eq!(held("remap"), tiles(decision.micro, decision.macro_tile) != "-", "{facts:?}");
        }
    }
}

/// Every decision at a valid size is one-to-one, and its derivative groups hold what the extension demands.
#[test]
fn valid_decisions_are_injective_and_keep_derivative_groups() {
    let (mut quads, mut linear) = (0, 0);
    for [x, y, _] in sizes() {
        let size = [x, y, 3];
        for facts in all_facts(size) {
            let decision = decide(&facts);
            let valid = facts.derivatives != Derivatives::Quads || (x % 2 == 0 && y % 2 == 0);
            let map = LaneMap::new(decision.micro, decision.macro_tile, size);
            assert!(map.is_some() || !valid, "{facts:?}");
            let Some(map) = map.filter(|_| valid) else { continue };
            let ids = map.invocations();
            let mut seen = vec![false; ids.len()];
            for (h, &id) in ids.iter().enumerate() {
                let index = row_major_index(size, id) as usize;
                assert!(!std::mem::replace(&mut seen[index], true), "{facts:?}");
                assert_eq!(map.thread(id), Some(Thread(h as u32)), "{facts:?}");
            }
            if facts.derivatives == Derivatives::Quads {
                for quad in ids.chunks(4) {
                    let [i, j, z] = quad[0];
                    assert_eq!(quad, [[i, j, z], [i + 1, j, z], [i, j + 1, z], [i + 1, j + 1, z]], "{facts:?}");
                    assert!(i % 2 == 0 && j % 2 == 0, "{facts:?}");
                    quads += 1;
                }
            }
            if facts.derivatives == Derivatives::Linear && ids.len() % 4 == 0 {
                for quad in ids.chunks(4) {
                    let first = row_major_index(size, quad[0]);
                    let indices: Vec<_> = quad.iter().map(|&id| row_major_index(size, id)).collect();
                    assert_eq!(indices, [first, first + 1, first + 2, first + 3], "{facts:?}");
                    assert_eq!(first % 4, 0, "{facts:?}");
                    linear += 1;
                }
            }
        }
    }
    assert!(quads > 0 && linear > 0);
}

#[test]
fn hardware_walks_tiles_from_graphics_ip_12() {
    use Derivatives::{Linear, None, Quads};
    type Row = (Derivatives, bool, [u32; 2], [u32; 3], Option<[u32; 2]>);
    // Derivatives, reconfig, the options' interleave, size: what is written.
    let rows: &[Row] = &[
        (None, false, [0, 0], [16, 16, 1], Option::None),
        (Linear, false, [0, 0], [16, 16, 1], Option::None),
        (Quads, false, [0, 0], [16, 16, 1], Some([1, 1])),
        (None, true, [0, 0], [16, 16, 1], Some([3, 3])),
        (None, true, [0, 0], [6, 6, 1], Some([1, 1])),
        (Linear, true, [0, 0], [16, 16, 1], Some([3, 3])),
        // The large tile takes the small one's place.
        (Quads, true, [0, 0], [16, 16, 1], Some([3, 3])),
        // The options' numbers win, both of them, over any decision.
        (None, false, [3, 3], [16, 16, 1], Some([3, 3])),
        (None, true, [0, 2], [16, 16, 1], Some([0, 2])),
        (Quads, true, [1, 0], [16, 16, 1], Some([1, 0])),
    ];
    for &(derivatives, reconfig, interleave, size, written) in rows {
        let options = Options { interleave, ..switches(derivatives, false, reconfig) };
        for stage in ALL_STAGES {
            for &target in &[Target::Gfx900, Target::Gfx1030, Target::Gfx1100, Target::Gfx1200] {
                let options = Options { target, ..options.clone() };
                let decision = decide(&Facts::new(stage, size, derivatives, &options));
                let hardware = target == Target::Gfx1200 && stage != StageKind::Mesh;
                let expected = if hardware { written } else { Option::None };
                assert_eq!(decision.interleave, expected, "{stage} {target} {derivatives} {reconfig} {interleave:?}");
                let remap = decision.rules.iter().find(|r| r.rule == "remap").expect("always asked");
                assert!(!(remap.held && hardware), "no arithmetic where the hardware walks");
            }
        }
    }
}

#[test]
fn lists_rules_in_order_with_numbers() {
    let text = |rules, force, reconfig| {
        let options = Options { layout_rules: rules, ..switches(Derivatives::Quads, force, reconfig) };
        let decision = decide(&Facts::new(StageKind::Compute, [24, 6, 1], Derivatives::Quads, &options));
        let lines = decision.rules.iter().map(|r| format!("{:18} {:5} {}", r.rule, r.held, r.why));
        lines.collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!("rules_llpc", text(LayoutRules::Llpc, true, true));
    insta::assert_snapshot!("rules_design_note", text(LayoutRules::DesignNote, true, true));
}
