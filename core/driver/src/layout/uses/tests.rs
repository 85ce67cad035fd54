//! What channels are for, in small forms.

use std::collections::BTreeSet;

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
    followed(linked, alone).expect("they are small")
}

fn followed(linked: [&str; 2], alone: [&str; 2]) -> Option<Uses> {
    let read = |text| Nir::read(text).expect("a form");
    let written = linked.map(|text| Written::of(read(text), &BTreeSet::new()));
    let own = alone.map(|text| Written::of(read(text), &BTreeSet::new()));
    let (linked, alone) = (read(linked[1]), read(alone[1]));
    let pair = Pair { fragment: &linked, before: Some(&written[0]) };
    uses(pair, Pair { fragment: &alone, before: Some(&own[0]) })
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

/// A pair whose scalars 0.x and 1.x, both passed flat, are written by two bodies, and used in one expression of `%2` and
/// `%3` that the driver moved: `%20` of the vertex shader is what the linked one passes.
fn moved(body: &str, [a, b]: [&str; 2], used: &str, moved_body: &str) -> Uses {
    let own = before(body, &[(a, 0, 0), (b, 1, 0)]);
    let loads = [("%2", 0, 0, false), ("%3", 1, 0, false)];
    let alone = fragment(&loads, &format!("{used}@export_amd (%9) (target=0, enabled_channels=1)\n"));
    let linked_before = before(&format!("{body}{moved_body}"), &[("%20", 0, 0)]);
    let linked = fragment(&loads[..1], "@export_amd (%2) (target=0, enabled_channels=1)\n");
    found([&linked_before, &linked], [&own, &alone])
}

const BOTH: [Scalar; 2] = [(0, 0, false), (1, 0, false)];

#[test]
fn only_what_the_stage_before_writes_as_a_constant_is_one() {
    for (body, a) in [
        // An operation of constants that is not known, and one that depends on the lanes that run.
        ("con 32 %8 = load_const (0x00000003)\ndiv 32 %9 = @load_scratch (%8) (align_mul=4)\n", "%9"),
        ("con 1 %8 = load_const (true)\ncon 64 %9 = @ballot (%8)\ncon 32 %10 = bit_count %9\n", "%10"),
        // A loop's count.
        (
            "con 32 %8 = load_const (0x00000001)\ndiv loop {\ndiv 32 %9 = phi b0: %0 (0x0), b2: %10\n\
            div 1 %11 = ilt %9, %3.z\nif %11 {\n} else {\nbreak\n}\ndiv 32 %10 = iadd %9, %8\n}\n",
            "%9",
        ),
    ] {
        let all = moved(body, [a, "%3.x"], "div 32 %9 = iadd %2, %3\n", &format!("div 32 %20 = iadd {a}, %3.x\n"));
        assert!(all.folded.is_empty(), "{body}");
        assert_eq!(all.made_of.get(&(0, 0, false)), Some(&set(&BOTH)), "{body}");
    }
}

#[test]
fn values_that_are_near_or_few_are_not_taken_for_scalars() {
    let numbers = "con 32 %7 = load_const (0x00000003)\ncon 32 %8 = load_const (0x00000001)\n";
    let small = format!("{numbers}div 32 %9 = iand %3.x, %7\ndiv 32 %10 = iand %3.y, %7\n");
    let truth =
        "div 1 %11 = flt %3.x, %3.y\ndiv 1 %12 = flt %3.z, %3.y\ndiv 32 %9 = b2i32 %11\ndiv 32 %10 = b2i32 %12\n";
    for body in [small.as_str(), truth] {
        let all = moved(body, ["%9", "%10"], "div 32 %9 = iadd %2, %3\n", "div 32 %20 = iadd %9, %10\n");
        assert_eq!(all.made_of.get(&(0, 0, false)), Some(&set(&BOTH)), "{body}");
        assert!(all.carries.is_empty() && all.folded.is_empty(), "{body}");
    }
    // A number that is added to, and one that is clamped.
    for (constant, op) in [("0x00000001", "iadd"), ("0x42c80000 = 100.000000", "fmin")] {
        let own = before("", &[("%3.x", 0, 0)]);
        let load = [("%2", 0, 0, false)];
        let limit = format!("con 32 %8 = load_const ({constant})\n");
        let export = "@export_amd (%9) (target=0, enabled_channels=1)\n";
        let alone = fragment(&load, &format!("{limit}div 32 %9 = {op} %2, %8\n{export}"));
        let moved = before(&format!("{limit}div 32 %20 = {op} %3.x, %8\n"), &[("%20", 0, 0)]);
        let linked = fragment(&load, "@export_amd (%2) (target=0, enabled_channels=1)\n");
        let all = found([&moved, &linked], [&own, &alone]);
        assert_eq!(all.made_of.get(&(0, 0, false)), Some(&set(&BOTH[..1])), "{op}");
        assert!(all.carries.is_empty(), "{op}");
    }
}

#[test]
fn what_an_operation_leaves_is_carried() {
    let one = "con 32 %8 = load_const (0x3f800000 = 1.000000)\n";
    // By one that the stage before writes; of two that are the same.
    let all = moved(one, ["%3.x", "%8"], "div 32 %9 = fmul %3, %2\n", "div 32 %20 = mov %3.x\n");
    assert_eq!(all.carries.get(&(0, 0, false)), Some(&set(&BOTH[..1])));
    assert_eq!(all.folded.get(&(1, 0, false)), Some(&Folded::Constant));
    let all = moved("", ["%3.x", "%3.x"], "div 32 %9 = fmax %3, %2\n", "div 32 %20 = mov %3.x\n");
    assert_eq!(all.carries.get(&(0, 0, false)), Some(&set(&BOTH)));
    assert!(all.made_of.is_empty());
    // Of one of two, where a constant decides.
    let body = "con 32 %8 = load_const (0x00000000)\n";
    let used = "con 32 %7 = load_const (0x00000000)\ndiv 1 %8 = ieq %3, %7\ndiv 32 %9 = bcsel %8, %2, %3\n";
    let all = moved(body, ["%3.x", "%8"], used, "div 32 %20 = mov %3.x\n");
    assert_eq!(all.carries.get(&(0, 0, false)), Some(&set(&BOTH[..1])));
}

#[test]
fn what_cannot_be_compared_is_not_said_to_be_computed() {
    // The stage before has more reductions when compiled alone: which of them is which is not known.
    let reduce = "div 32 %9 = @reduce (%3.x) (reduction_op=iadd)\n";
    let own = before(&format!("{reduce}div 32 %10 = @reduce (%3.y) (reduction_op=iadd)\n"), &[("%9", 0, 0)]);
    let moved = before(reduce, &[("%9", 0, 0)]);
    let load = [("%2", 0, 0, false)];
    let export = "@export_amd (%9) (target=0, enabled_channels=1)\n";
    let alone = fragment(&load, &format!("div 32 %8 = i2f32 %2\ndiv 32 %9 = fneg %8\n{export}"));
    let linked = fragment(&load, &format!("div 32 %8 = ineg %2\ndiv 32 %9 = i2f32 %8\n{export}"));
    let all = found([&moved, &linked], [&own, &alone]);
    assert!(all.made_of.is_empty() && all.carries.is_empty());
}

#[test]
fn operations_with_other_indices_are_not_alike() {
    let text = |mask: u32, load: &str| {
        format!(
            "div 32 %9 = @masked_swizzle_amd ({load}) (swizzle_mask={mask}, fetch_inactive=0)\n\
            div 32 %10 = fsub %9, %3\n@export_amd (%10) (target=0, enabled_channels=1)\n"
        )
    };
    // No values are known: only the operations tell.
    let form = |mask| fragment(&[("%2", 0, 0, true), ("%3", 1, 0, true)], &text(mask, "%2"));
    let alone = form(1);
    let carried = |mask| {
        let linked = form(mask);
        let [linked, alone] = [&linked, &alone].map(|text| Nir::read(text).expect("a form"));
        let [linked, alone] = [&linked, &alone].map(|fragment| Pair { fragment, before: None });
        uses(linked, alone).expect("they are small").carries.contains_key(&(0, 0, false))
    };
    assert_eq!([carried(1), carried(2)], [true, false]);
}

#[test]
fn what_decides_between_values_is_used_too() {
    // Both ways are constant; the varying says which one is taken.
    let text = |condition: &str| {
        format!(
            "con 32 %7 = load_const (0x40000000 = 2.000000)\ncon 32 %8 = load_const (0x40400000 = 3.000000)\n\
            {condition}if %9 {{\n}} else {{\n}}\ndiv 32 %10 = phi b1: %7, b2: %8\n\
            @export_amd (%10) (target=0, enabled_channels=1)\n"
        )
    };
    let own = before("", &[("%3.x", 0, 0), ("%3.y", 1, 0)]);
    // Another branch, which decides nothing: how often there is one does not tell which is which.
    let alone = text("div 1 %9 = flt %2, %3\nif %9 {\n}\ncon 32 %11 = load_const (0x00000007)\n");
    let alone = fragment(&[("%2", 0, 0, false), ("%3", 1, 0, false)], &alone);
    let moved = before("", &[("%3.y", 0, 0), ("%3.x", 0, 1)]);
    let linked = fragment(&[("%2", 0, 0, false), ("%3", 0, 1, false)], &text("div 1 %9 = flt %3, %2\n"));
    let all = found([&moved, &linked], [&own, &alone]);
    assert_eq!(all.carries.get(&(0, 0, false)), Some(&set(&BOTH[1..])));
    assert_eq!(all.carries.get(&(0, 1, false)), Some(&set(&BOTH[..1])));
}

#[test]
fn loops_are_known_again() {
    let count = |[n, next, is, limit]: [&str; 4]| {
        format!(
            "div loop {{\ndiv 32 {n} = phi b0: %0 (0x0), b2: {next}\ndiv 1 {is} = ilt {n}, {limit}\n\
            if {is} {{\n}} else {{\nbreak\n}}\ndiv 32 {next} = iadd {n}, %8\n}}\n"
        )
    };
    let one = "con 32 %8 = load_const (0x00000001)\n".to_owned();
    let body = one + &count(["%10", "%11", "%12", "%3.x"]) + &count(["%13", "%14", "%15", "%3.y"]);
    let own = before(&body, &[("%10", 0, 0), ("%13", 1, 0)]);
    let loads = [("%2", 0, 0, false), ("%3", 1, 0, false)];
    let alone = fragment(&loads, "div 32 %9 = iadd %2, %3\n@export_amd (%9) (target=0, enabled_channels=1)\n");
    // The counts differ in where they end only; they are exchanged.
    let moved = before(&body, &[("%13", 0, 0), ("%10", 0, 1)]);
    let linked = fragment(
        &[("%2", 0, 0, false), ("%3", 0, 1, false)],
        "div 32 %9 = iadd %3, %2\n@export_amd (%9) (target=0, enabled_channels=1)\n",
    );
    let all = found([&moved, &linked], [&own, &alone]);
    assert_eq!(all.carries.get(&(0, 0, false)), Some(&set(&BOTH[1..])));
    assert_eq!(all.carries.get(&(0, 1, false)), Some(&set(&BOTH[..1])));
}

#[test]
fn what_is_carried_round_a_loop_depends_on_its_varying() {
    let text = fragment(
        &[("%2", 0, 0, true)],
        "div loop {\ndiv 32 %3 = phi b0: %0 (0x0), b1: %4\ndiv 32 %4 = phi b0: %0 (0x0), b1: %5\n\
        div 32 %5 = phi b0: %0 (0x0), b1: %6\ndiv 32 %6 = phi b0: %0 (0x0), b1: %2\n}\n",
    );
    let nir = Nir::read(&text).expect("a form");
    let loads = loads(&nir).0.into_iter().collect();
    let depends = shape::depends(&nir, &loads);
    for name in ["%3", "%4", "%5", "%6"] {
        assert!(depends[nir.made(name).expect("is made").0], "{name}");
    }
}

#[test]
fn forms_that_take_too_many_steps_are_not_followed() {
    let many = |count: usize, op: &str| {
        let mut text = format!("div 32 %1000 = {op} %2, %3\n");
        for index in 1..count {
            text += &format!("div 32 %{} = {op} %{}, %3\n", 1000 + index, 999 + index);
        }
        for index in 0..count {
            text += &format!("@export_amd (%{}) (target={index}, enabled_channels=1)\n", 1000 + index);
        }
        text
    };
    let own = before("", &[("%3.x", 0, 0), ("%3.y", 1, 0)]);
    let loads = [("%2", 0, 0, true), ("%3", 1, 0, true)];
    let form = |count, op| fragment(&loads, &many(count, op));
    let follow = |count| followed([&own, &form(count, "fsub")], [&own, &form(count, "fadd")]);
    assert!(follow(20).is_some());
    assert!(follow(1500).is_none());
}

#[test]
fn without_marks_only_what_is_made_of_uniforms_is_the_same_for_a_wave() {
    let text = "div 32x2 %4 = vec2 %2, %3\n@export_amd (%4) (target=0, enabled_channels=3)\n";
    let folded = |value: &str| {
        let own = before(&format!("con 32 %9 = {value}\n"), &[("%3.x", 0, 0), ("%9", 1, 0)]);
        let alone = fragment(&[("%2", 0, 0, true), ("%3", 1, 0, true)], text);
        let moved = before("", &[("%3.x", 0, 0)]);
        let linked = fragment(&[("%2", 0, 0, true)], &format!("con 32 %3 = {value}\n{text}"));
        let [moved, linked, own, alone] = [moved, linked, own, alone].map(|text| {
            let lines = text.lines().map(|line| line.trim_start_matches("con ").trim_start_matches("div "));
            lines.collect::<Vec<_>>().join("\n")
        });
        let all = found([&moved, &linked], [&own, &alone]);
        assert!(all.made_of.is_empty());
        all.folded.get(&(1, 0, false)).copied()
    };
    assert_eq!(folded("@load_const_ir3 (%0 (0x0)) (base=3)"), Some(Folded::Uniform));
    assert_eq!(folded("@load_scalar_arg_amd (base=3)"), None, "nothing says that it is");
    assert_eq!(folded("@load_input (%0 (0x0)) (base=3)"), None);
}

#[test]
fn what_is_in_a_register_is_not_followed() {
    let own = before("", &[("%3.x", 0, 0), ("%3.y", 1, 0)]);
    let text = |value: &str| {
        format!(
            "con 32 %5 = @decl_reg () (num_components=1, bit_size=32, num_array_elems=0)\n\
            @store_reg (%2, %5) (base=0, wrmask=x)\ndiv 32 %6 = @load_reg (%5) (base=0)\n\
            div 32 %7 = {value}\n@export_amd (%7) (target=0, enabled_channels=1)\n"
        )
    };
    let alone = fragment(&[("%2", 0, 0, true), ("%3", 1, 0, true)], &text("fadd %6, %3"));
    let moved = before("", &[("%3.x", 0, 0), ("%3.y", 0, 1)]);
    let linked = fragment(&[("%2", 0, 0, true), ("%3", 0, 1, true)], &text("fadd %6, %3"));
    let all = found([&moved, &linked], [&own, &alone]);
    assert_eq!(all.carries, BTreeMap::from([((0, 1, false), set(&[(1, 0, false)]))]));
    // The sum was made before: of what else than this scalar is not known.
    let linked = fragment(&[("%2", 0, 0, true), ("%3", 0, 1, true)], &text("fneg %3"));
    let all = found([&moved, &linked], [&own, &alone]);
    assert!(all.carries.is_empty() && all.made_of.is_empty() && all.folded.is_empty(), "{all:?}");
}

#[test]
fn a_value_that_is_interpolated_by_arithmetic_is_one_load() {
    let body = |op: &str, locations: [(u32, u8); 2]| {
        let one = |(name, (location, component)): (u32, (u32, u8))| {
            format!(
                "div 32x3 %{name} = @load_fs_input_interp_deltas (%0 (0x0)) (base={location}, component={component}, \
                io location=VARYING_SLOT_VAR{location} slots=1)\n\
                div 32 %{name}1 = ffma %1.y, %{name}.y, %{name}.x\ndiv 32 %{name}2 = ffma %1.x, %{name}.z, %{name}1\n"
            )
        };
        let [a, b] = locations;
        one((2, a)) + &one((3, b)) + &format!("div 32 %9 = {op} %22, %32\n@export_amd (%9) (target=0)\n")
    };
    let own = before("", &[("%3.x", 0, 0), ("%3.y", 1, 0)]);
    let alone = fragment(&[], &body("fmax", [(0, 0), (1, 0)]));
    let linked = fragment(&[], &body("fmax", [(1, 0), (0, 0)]));
    let moved = before("", &[("%3.y", 0, 0), ("%3.x", 1, 0)]);
    let all = found([&moved, &linked], [&own, &alone]);
    let expected = [((0, 0, false), set(&[(1, 0, false)])), ((1, 0, false), set(&[(0, 0, false)]))];
    assert_eq!(all.carries, BTreeMap::from(expected));
    // A constant is one at every pixel.
    let own = before("con 32 %4 = load_const (0x3f800000 = 1.000000)\n", &[("%3.x", 0, 0), ("%4", 1, 0)]);
    let linked = fragment(
        &[],
        "div 32x3 %2 = @load_fs_input_interp_deltas (%0 (0x0)) (base=0, component=0, io location=VARYING_SLOT_VAR0 slots=1)\n\
        div 32 %21 = ffma %1.y, %2.y, %2.x\ndiv 32 %22 = ffma %1.x, %2.z, %21\n\
        con 32 %3 = load_const (0x3f800000 = 1.000000)\ndiv 32 %9 = fmax %22, %3\n@export_amd (%9) (target=0)\n",
    );
    let all = found([&before("", &[("%3.x", 0, 0)]), &linked], [&own, &alone]);
    assert_eq!(all.folded.get(&(1, 0, false)), Some(&Folded::Constant));
    assert_eq!(all.carries, BTreeMap::from([((0, 0, false), set(&[(0, 0, false)]))]));
}
