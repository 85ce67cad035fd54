//! Every table of the worked examples, value for value.

use super::*;
use lanescope_model::options::PackingOrder::{DesignNote, Llpc, NoteUnion};

pub(super) const E1: &str = "0 32x3, 1 32x1, 2 flat 64x1, 3 flat 16x2, 4 16x1, 5 16x1, 6 16x1, 7 16x1";

#[test]
fn e1() {
    check(
        E1,
        Llpc,
        "
        (0, 0) -> (0, 0, low)
        (0, 1) -> (0, 1, low)
        (0, 2) -> (0, 2, low)
        (1, 0) -> (0, 3, low)
        (2, 0) -> (2, 0, low)
        (2, 1) -> (2, 1, low)
        (3, 0) -> (3, 0, low)
        (3, 1) -> (3, 0, high)
        (4, 0) -> (1, 0, low)
        (5, 0) -> (1, 0, high)
        (6, 0) -> (1, 1, low)
        (7, 0) -> (1, 1, high)
        ",
    );
}

#[test]
fn e1_in_the_notes_order() {
    check(
        E1,
        DesignNote,
        "
        (0, 0) -> (0, 0, low)
        (0, 1) -> (0, 1, low)
        (0, 2) -> (0, 2, low)
        (1, 0) -> (0, 3, low)
        (2, 0) -> (2, 0, low)
        (2, 1) -> (2, 1, low)
        (3, 0) -> (2, 2, low)
        (3, 1) -> (2, 2, high)
        (4, 0) -> (1, 0, low)
        (5, 0) -> (1, 0, high)
        (6, 0) -> (1, 1, low)
        (7, 0) -> (1, 1, high)
        ",
    );
}

#[test]
fn e1_in_the_literal_union() {
    check(
        E1,
        NoteUnion,
        "
        (0, 0) -> (0, 0, low)
        (0, 1) -> (0, 1, low)
        (0, 2) -> (0, 2, low)
        (1, 0) -> (0, 3, low)
        (2, 0) -> (1, 0, low)
        (2, 1) -> (1, 1, low)
        (3, 0) -> (3, 0, low)
        (3, 1) -> (3, 0, high)
        (4, 0) -> (2, 0, low)
        (5, 0) -> (2, 0, high)
        (6, 0) -> (2, 1, low)
        (7, 0) -> (2, 1, high)
        ",
    );
}

pub(super) const E2: &str = "7 32x2, 8 32x2, 9 16x4, 10 16x4, 11 flat 64x3, 13 flat 32x1, 14 flat 8x2, 15 flat 16x2, 16 flat 16x4, 17 custom 32x3";

#[test]
fn e2() {
    check(
        E2,
        Llpc,
        "
        (7, 0) -> (0, 0, low)
        (7, 1) -> (0, 1, low)
        (8, 0) -> (0, 2, low)
        (8, 1) -> (0, 3, low)
        (9, 0) -> (1, 0, low)
        (9, 1) -> (1, 0, high)
        (9, 2) -> (1, 1, low)
        (9, 3) -> (1, 1, high)
        (10, 0) -> (1, 2, low)
        (10, 1) -> (1, 2, high)
        (10, 2) -> (1, 3, low)
        (10, 3) -> (1, 3, high)
        (11, 0) -> (2, 0, low)
        (11, 1) -> (2, 1, low)
        (11, 2) -> (2, 2, low)
        (11, 3) -> (2, 3, low)
        (12, 0) -> (3, 0, low)
        (12, 1) -> (3, 1, low)
        (13, 0) -> (3, 2, low)
        (14, 0) -> (4, 0, low)
        (14, 1) -> (4, 0, high)
        (15, 0) -> (4, 1, low)
        (15, 1) -> (4, 1, high)
        (16, 0) -> (4, 2, low)
        (16, 1) -> (4, 2, high)
        (16, 2) -> (4, 3, low)
        (16, 3) -> (4, 3, high)
        (17, 0) -> (5, 0, low)
        (17, 1) -> (5, 1, low)
        (17, 2) -> (5, 2, low)
        ",
    );
}

pub(super) const E4: &str = "1 32x4, 2 flat 16x4, 4 32x2";

#[test]
fn e4() {
    let packed = assign::pack(&entries(E4, true), Llpc);
    let expected = "
        (1, 0) -> (0, 0, low)
        (1, 1) -> (0, 1, low)
        (1, 2) -> (0, 2, low)
        (1, 3) -> (0, 3, low)
        (2, 0) -> (2, 0, low)
        (2, 1) -> (2, 1, low)
        (2, 2) -> (2, 2, low)
        (2, 3) -> (2, 3, low)
        (4, 0) -> (1, 0, low)
        (4, 1) -> (1, 1, low)
    ";
    assert_eq!(table(&packed), trimmed(expected));
}

pub(super) const E6: &str = "0 32x2, 1 32x3, 2 32x1";

#[test]
fn e6() {
    check(
        E6,
        Llpc,
        "
        (0, 0) -> (0, 0, low)
        (0, 1) -> (0, 1, low)
        (1, 0) -> (0, 2, low)
        (1, 1) -> (0, 3, low)
        (1, 2) -> (1, 0, low)
        (2, 0) -> (1, 1, low)
        ",
    );
}

pub(super) const E7: &str = "0 32x3, 1 32x3, 2 32x2";

#[test]
fn e7() {
    check(
        E7,
        Llpc,
        "
        (0, 0) -> (0, 0, low)
        (0, 1) -> (0, 1, low)
        (0, 2) -> (0, 2, low)
        (1, 0) -> (0, 3, low)
        (1, 1) -> (1, 0, low)
        (1, 2) -> (1, 1, low)
        (2, 0) -> (1, 2, low)
        (2, 1) -> (1, 3, low)
        ",
    );
}

pub(super) const E8: &str = "0 32x3, 1 32x3, 2 32x3, 3 32x1";

#[test]
fn e8() {
    check(
        E8,
        Llpc,
        "
        (0, 0) -> (0, 0, low)
        (0, 1) -> (0, 1, low)
        (0, 2) -> (0, 2, low)
        (1, 0) -> (0, 3, low)
        (1, 1) -> (1, 0, low)
        (1, 2) -> (1, 1, low)
        (2, 0) -> (1, 2, low)
        (2, 1) -> (1, 3, low)
        (2, 2) -> (2, 0, low)
        (3, 0) -> (2, 1, low)
        ",
    );
}

pub(super) const E9: &str = "7 flat 64x3, 10 flat 64x1";

#[test]
fn e9() {
    check(
        E9,
        Llpc,
        "
        (7, 0) -> (0, 0, low)
        (7, 1) -> (0, 1, low)
        (7, 2) -> (0, 2, low)
        (7, 3) -> (0, 3, low)
        (8, 0) -> (1, 0, low)
        (8, 1) -> (1, 1, low)
        (10, 0) -> (1, 2, low)
        (10, 1) -> (1, 3, low)
        ",
    );
}

pub(super) const E10: &str = "0 16x1, 2.0 16x1, 2.2 16x1, 5 flat 16x1, 6 flat 32x2";

#[test]
fn e10() {
    check(
        E10,
        Llpc,
        "
        (0, 0) -> (0, 0, low)
        (2, 0) -> (0, 0, high)
        (2, 2) -> (0, 1, low)
        (5, 0) -> (2, 0, low)
        (6, 0) -> (1, 0, low)
        (6, 1) -> (1, 1, low)
        ",
    );
}

#[test]
fn e10_in_the_notes_order() {
    check(
        E10,
        DesignNote,
        "
        (0, 0) -> (0, 0, low)
        (2, 0) -> (0, 0, high)
        (2, 2) -> (0, 1, low)
        (5, 0) -> (1, 2, low)
        (6, 0) -> (1, 0, low)
        (6, 1) -> (1, 1, low)
        ",
    );
}

#[test]
fn e10_in_the_literal_union() {
    check(
        E10,
        NoteUnion,
        "
        (0, 0) -> (1, 0, low)
        (2, 0) -> (1, 0, high)
        (2, 2) -> (1, 1, low)
        (5, 0) -> (2, 0, low)
        (6, 0) -> (0, 0, low)
        (6, 1) -> (0, 1, low)
        ",
    );
}

pub(super) const E11: &str = "0.0 32x1, 0.1 32x2, 1.3 32x1";

#[test]
fn e11() {
    check(
        E11,
        Llpc,
        "
        (0, 0) -> (0, 0, low)
        (0, 1) -> (0, 1, low)
        (0, 2) -> (0, 2, low)
        (1, 3) -> (0, 3, low)
        ",
    );
}

pub(super) const E12: &str = "0 32x2, 1 32x1, 2 32x2, 3 flat 32x1";

#[test]
fn e12() {
    check(
        E12,
        Llpc,
        "
        (0, 0) -> (0, 0, low)
        (0, 1) -> (0, 1, low)
        (1, 0) -> (0, 2, low)
        (2, 0) -> (0, 3, low)
        (2, 1) -> (1, 0, low)
        (3, 0) -> (2, 0, low)
        ",
    );
}

pub(super) const E13: &str = "0 custom 32x3, 1 custom 16x1, 2 flat 32x2, 3 32x1";

#[test]
fn e13() {
    check(
        E13,
        Llpc,
        "
        (0, 0) -> (2, 0, low)
        (0, 1) -> (2, 1, low)
        (0, 2) -> (2, 2, low)
        (1, 0) -> (3, 0, low)
        (2, 0) -> (1, 0, low)
        (2, 1) -> (1, 1, low)
        (3, 0) -> (0, 0, low)
        ",
    );
}

pub(super) const E14: &str = "0 flat 32x1, 1 32x2, 2 32x2, 3 32x2, 4 32x2";

#[test]
fn e14() {
    check(
        E14,
        Llpc,
        "
        (0, 0) -> (2, 0, low)
        (1, 0) -> (0, 0, low)
        (1, 1) -> (0, 1, low)
        (2, 0) -> (0, 2, low)
        (2, 1) -> (0, 3, low)
        (3, 0) -> (1, 0, low)
        (3, 1) -> (1, 1, low)
        (4, 0) -> (1, 2, low)
        (4, 1) -> (1, 3, low)
        ",
    );
}

pub(super) const E15: &str = "0 flat 16x1, 1 flat 32x1, 2 16x1, 3 32x1";

#[test]
fn e15() {
    let packed = assign::pack(&entries(E15, true), Llpc);
    let expected = "
        (0, 0) -> (1, 0, low)
        (1, 0) -> (1, 1, low)
        (2, 0) -> (0, 0, low)
        (3, 0) -> (0, 1, low)
    ";
    assert_eq!(table(&packed), trimmed(expected));
}

#[test]
fn e3_ten_floats_of_component_0() {
    let list: Vec<String> = (0..10).map(|n| format!("{n} 32x1")).collect();
    let packed = assign::pack(&entries(&list.join(","), false), Llpc);
    for n in 0..10 {
        let to = packed.map[&(0, Location(n), Component(0))];
        assert_eq!((to.location.0, to.component.0, to.half), (n / 4, (n % 4) as u8, false));
    }
}

#[test]
fn e15_without_a_geometry_shader_needs_four_locations() {
    let expected = "
        (0, 0) -> (3, 0, low)
        (1, 0) -> (2, 0, low)
        (2, 0) -> (1, 0, low)
        (3, 0) -> (0, 0, low)
    ";
    check(E15, Llpc, expected);
}

#[test]
fn e1_counts_locations_in_each_order() {
    for (order, locations) in [(Llpc, 4), (DesignNote, 3), (NoteUnion, 4)] {
        assert_eq!(assign::pack(&entries(E1, false), order).locations(0), locations, "{order}");
    }
}

#[test]
fn off_means_ascending_locations_and_unchanged_components() {
    let packed = assign::renumber(&entries("3 16x2, 5 32x4, 9.2 32x1", false), 0);
    let expected = "
        (3, 0) -> (0, 0, low)
        (3, 1) -> (0, 1, low)
        (5, 0) -> (1, 0, low)
        (5, 1) -> (1, 1, low)
        (5, 2) -> (1, 2, low)
        (5, 3) -> (1, 3, low)
        (9, 2) -> (2, 2, low)
    ";
    assert_eq!(table(&packed), trimmed(expected));
}
