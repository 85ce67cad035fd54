//! What channels are for, in small forms.

use super::*;

/// A stage before: `stores` are values with location and channel.
fn before(body: &str, stores: &[(&str, u32, u8)]) -> String {
    let mut out = format!(
        "shader: MESA_SHADER_VERTEX\n\
        con 32 %0 = load_const (0x00000000)\n\
        div 32 %1 = @load_vector_arg_amd (base=4)\n\
        con 32 %2 = @load_scalar_arg_amd (base=2)\n\
        div 32x4 %3 = @load_buffer_amd (%2, %0 (0x0), %0 (0x0), %1) (base=0)\n\
        @export_amd (%3) (target=12, enabled_channels=15, flags=2)\n{body}"
    );
    for (value, location, channel) in stores {
        out += &format!(
            "@store_output ({value}, %0 (0x0)) (base={}, wrmask=x, component={channel}, \
            io location=VARYING_SLOT_VAR{location} slots=1)\n",
            32 + location
        );
    }
    out
}

/// A fragment shader: `loads` are names with location and channel, and whether it is interpolated.
fn fragment(loads: &[(&str, u32, u8, bool)], body: &str) -> String {
    let mut out = "shader: MESA_SHADER_FRAGMENT\n\
        con 32 %0 = load_const (0x00000000)\n\
        div 32x2 %1 = @load_vector_arg_amd (base=5)\n"
        .to_owned();
    for (name, location, channel, is_interpolated) in loads {
        let (op, operands) = match is_interpolated {
            true => ("load_interpolated_input", "%1, %0 (0x0)"),
            false => ("load_input", "%0 (0x0)"),
        };
        out += &format!(
            "div 32 {name} = @{op} ({operands}) (base={location}, component={channel}, \
            io location=VARYING_SLOT_VAR{location} slots=1)\n"
        );
    }
    out + body
}

/// What is found of a pair's texts: the stage before and the fragment shader, linked and alone.
fn found(linked: [&str; 2], alone: [&str; 2]) -> Uses {
    let read = |text| Nir::read(text).expect("a form");
    let written = linked.map(|text| Written::of(read(text), &BTreeSet::new()));
    let own = alone.map(|text| Written::of(read(text), &BTreeSet::new()));
    let (linked, alone) = (read(linked[1]), read(alone[1]));
    let pair = Pair { fragment: &linked, before: Some(&written[0]) };
    uses(pair, Pair { fragment: &alone, before: Some(&own[0]) }).expect("both are understood")
}

fn set<T: Ord + Copy>(of: &[T]) -> BTreeSet<T> {
    of.iter().copied().collect()
}

const TUNING: &str = "con 32 %9 = @load_scalar_arg_amd (base=3)\n";

#[test]
fn equal_values_are_told_apart_by_use() {
    // Two varyings are w, and the third one z * tuning.
    let own =
        before(&format!("{TUNING}div 32 %10 = fmul %3.z, %9\n"), &[("%3.w", 0, 0), ("%3.w", 1, 0), ("%10", 2, 0)]);
    let alone = fragment(
        &[("%2", 0, 0, true), ("%3", 1, 0, true), ("%4", 2, 0, true)],
        "con 32 %5 = load_const (0x40e80000 = 7.250000)\ncon 32 %6 = load_const (0x40a80000 = 5.250000)\n\
        div 32 %7 = fmul %2, %5 (7.250000)\ndiv 32 %8 = fmul %3, %6 (5.250000)\ndiv 32 %9 = fadd %8, %4\n\
        div 32x2 %10 = vec2 %7, %9\n@export_amd (%10) (target=0, enabled_channels=3)\n",
    );
    let moved = before(
        &format!(
            "{TUNING}div 32 %10 = fmul %3.z, %9\n\
            con 32 %11 = load_const (0x40e80000 = 7.250000)\ncon 32 %12 = load_const (0x40a80000 = 5.250000)\n\
            div 32 %13 = fmul %3.w, %11 (7.250000)\ndiv 32 %14 = fmul %3.w, %12 (5.250000)\ndiv 32 %15 = fadd %14, %10\n"
        ),
        &[("%13", 0, 0), ("%15", 0, 1)],
    );
    let linked = fragment(
        &[("%2", 0, 0, true), ("%3", 0, 1, true)],
        "div 32x2 %4 = vec2 %2, %3\n@export_amd (%4) (target=0, enabled_channels=3)\n",
    );
    let found = found([&moved, &linked], [&own, &alone]);
    assert_eq!(found.made_of.get(&(0, 0, false)), Some(&set(&[(0, 0, false)])));
    assert_eq!(found.made_of.get(&(0, 1, false)), Some(&set(&[(1, 0, false), (2, 0, false)])));
    assert!(found.carries.is_empty() && found.folded.is_empty());
}

#[test]
fn a_value_that_is_passed_flat_is_carried() {
    let body = "con 32 %9 = @load_scalar_arg_amd (base=3)\n";
    let own = before(body, &[("%3.x", 0, 0), ("%9", 1, 0)]);
    let text = "div 32x2 %4 = vec2 %2, %3\n@export_amd (%4) (target=0, enabled_channels=3)\n";
    let alone = fragment(&[("%2", 0, 0, true), ("%3", 1, 0, true)], text);
    let moved = before(body, &[("%3.x", 0, 0), ("%9", 0, 1)]);
    let linked = fragment(&[("%2", 0, 0, true), ("%3", 0, 1, false)], text);
    let all = found([&moved, &linked], [&own, &alone]);
    assert_eq!(all.carries.get(&(0, 1, false)), Some(&set(&[(1, 0, false)])));
    assert!(all.made_of.is_empty());
    // Or the fragment shader has it by itself.
    let moved = before("", &[("%3.x", 0, 0)]);
    let linked = fragment(&[("%2", 0, 0, true)], &format!("con 32 %3 = @load_scalar_arg_amd (base=1)\n{text}"));
    let all = found([&moved, &linked], [&own, &alone]);
    assert_eq!(all.folded.get(&(1, 0, false)), Some(&Folded::Uniform));
}

#[test]
fn operands_are_told_apart_by_values() {
    let own = before("", &[("%3.x", 0, 0), ("%3.y", 0, 1), ("%3.z", 0, 2)]);
    let loads = [("%2", 0, 0, true), ("%3", 0, 1, true), ("%4", 0, 2, true)];
    let alone = fragment(
        &loads,
        "div 32 %5 = fadd %2, %3\ndiv 32 %6 = fadd %5, %4\n@export_amd (%6) (target=0, enabled_channels=1)\n",
    );
    // Swapped, and the sum is taken in another order.
    let moved = before("", &[("%3.z", 0, 0), ("%3.x", 0, 1), ("%3.y", 0, 2)]);
    let linked = fragment(
        &loads,
        "div 32 %5 = fadd %2, %3\ndiv 32 %6 = fadd %5, %4\n@export_amd (%6) (target=0, enabled_channels=1)\n",
    );
    let found = found([&moved, &linked], [&own, &alone]);
    for (channel, own) in [(0, 2), (1, 0), (2, 1)] {
        assert_eq!(found.carries.get(&(0, channel, false)), Some(&set(&[(0, own, false)])), "{channel}");
    }
}

#[test]
fn what_cannot_be_told_apart_is_left_open() {
    // Both are x, and are passed in two channels.
    let own = before("", &[("%3.x", 0, 0), ("%3.x", 1, 0)]);
    let text = "div 32 %4 = fadd %2, %3\n@export_amd (%4) (target=0, enabled_channels=1)\n";
    let alone = fragment(&[("%2", 0, 0, true), ("%3", 1, 0, true)], text);
    let moved = before("", &[("%3.x", 0, 0), ("%3.x", 0, 1)]);
    let linked = fragment(&[("%2", 0, 0, true), ("%3", 0, 1, true)], text);
    let found = found([&moved, &linked], [&own, &alone]);
    assert!(found.carries.is_empty() && found.made_of.is_empty());
}

#[test]
fn constants_are_folded_and_conversions_are_seen_through() {
    let body = "con 32 %9 = load_const (0x3f800000 = 1.000000)\ncon 32 %10 = load_const (0x41000000 = 8.000000)\n\
        div 32 %11 = fmul %3.x, %10 (8.000000)\n";
    let own = before(&format!("{body}div 32 %12 = f2i32 %11\n"), &[("%12", 0, 0), ("%9", 1, 0), ("%3.y", 2, 0)]);
    let alone = fragment(
        &[("%2", 0, 0, false), ("%3", 1, 0, true), ("%4", 2, 0, true)],
        "div 32 %5 = i2f32 %2\ndiv 32 %6 = fmul %4, %3\ndiv 32 %7 = fadd %5, %6\n\
        @export_amd (%7) (target=0, enabled_channels=1)\n",
    );
    let moved = before(&format!("{body}div 32 %12 = ftrunc %11\n"), &[("%12", 0, 0), ("%3.y", 0, 1)]);
    let linked = fragment(
        &[("%2", 0, 0, false), ("%3", 0, 1, true)],
        "div 32 %4 = fadd %3, %2\n@export_amd (%4) (target=0, enabled_channels=1)\n",
    );
    let found = found([&moved, &linked], [&own, &alone]);
    assert_eq!(found.made_of.get(&(0, 0, false)), Some(&set(&[(0, 0, false)])));
    assert_eq!(found.carries.get(&(0, 1, false)), Some(&set(&[(2, 0, false)])));
    assert_eq!(found.folded.get(&(1, 0, false)), Some(&Folded::Constant));
}
