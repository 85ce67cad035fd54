use lanescope_base::StageKind;

use super::*;
use crate::change::applied;
use crate::testing::{check, disassemble, glsl};

/// A program with a bit of everything.
const EVERYTHING: &str = "
    layout(local_size_x = 8) in;
    layout(binding = 0) buffer B { uint n; uint b[]; };
    layout(binding = 1) uniform U { vec4 scale; mat4 m; int count; };
    shared uint total[8];
    float twice(float x) { return x * 2.0; }
    uint chosen(uint x) { switch (x) { case 0u: return 1u; case 1u: return n; default: return x + 3u; } }
    void main() {
        uint at = gl_GlobalInvocationID.x;
        vec4 sum = vec4(0.0);
        for (int i = 0; i < count; i++) {
            if ((i & 3) == 1) continue;
            sum += m * scale * twice(float(i));
            if (sum.x > 100.0) break;
        }
        total[gl_LocalInvocationIndex] = uint(sum.y);
        barrier();
        uint other = at < n ? total[7u - gl_LocalInvocationIndex] : 3u;
        if (other > 2u) { b[at] = chosen(other); } else { atomicAdd(b[at], 7u); }
        do { b[at + 1u] += other; other /= 2u; } while (other > 0u);
    }";

#[test]
fn every_pass_finds_changes_that_leave_valid_modules() {
    let module = glsl(StageKind::Compute, EVERYTHING);
    check(&module).expect("valid");
    for pass in &PASSES {
        let changes = (pass.find)(&module);
        let left: Vec<_> = changes.iter().filter_map(|change| applied(&module, &[change])).collect();
        let valid = left.iter().filter(|left| check(left).is_ok()).count();
        // Of one entry point without debug information there is nothing to take, nor of a loop that was not shortened.
        let none = [
            "entry-points",
            "debug-information",
            "straight-loops",
            "forwarded-loads",
            "repeated",
            "unused",
            "unused-alone",
        ];
        assert!(
            none.contains(&pass.name) || valid > 0,
            "{}: {} changes, {} modules",
            pass.name,
            changes.len(),
            left.len()
        );
        // Annotations, branches and constants in types are tried, and the validator decides.
        if !["annotations", "branches", "constructs", "zeros", "ones", "operands", "straight-loops"]
            .contains(&pass.name)
        {
            for left in &left {
                check(left).unwrap_or_else(|error| panic!("{}: {error}\n{}", pass.name, disassemble(left)));
            }
        }
    }
}

#[test]
fn a_loop_of_one_pass_becomes_straight_code() {
    let module = glsl(
        StageKind::Compute,
        "layout(binding = 0) buffer B { uint n; uint b[]; };
         void main() { uint i = 0; do { b[i] = i; i++; } while (i < n); }",
    );
    let has = |module: &Module, name: &str| module.insts().any(|inst| inst.name() == name);
    let mut best = module;
    for _ in 0..3 {
        for pass in PASSES.iter().filter(|pass| ["branches", "loops", "straight-loops", "blocks"].contains(&pass.name))
        {
            for change in (pass.find)(&best) {
                if let Some(left) =
                    applied(&best, &[&change]).filter(|left| check(left).is_ok() && has(left, "OpStore"))
                {
                    best = left;
                    break;
                }
            }
        }
    }
    assert!(!has(&best, "OpLoopMerge"), "{}", disassemble(&best));
}

#[test]
fn a_stored_value_is_used_instead_of_a_load() {
    let module = glsl(
        StageKind::Compute,
        "layout(binding = 0) buffer B { uint b[]; };
         void main() { uint x = b[0]; x += 2u; uint y[2]; y[b[1]] = x; y[0] = 3u; b[2] = x + y[b[1]]; }",
    );
    let changes = memory::forwarded(&module);
    // Each load of x is one, but y may have another index.
    assert_eq!(changes.len(), 3, "{}", disassemble(&module));
    let left = applied(&module, &changes.iter().collect::<Vec<_>>()).expect("smaller");
    check(&left).unwrap_or_else(|error| panic!("{error}\n{}", disassemble(&left)));
}

#[test]
fn functions_are_put_in_place_of_their_calls() {
    let module = glsl(
        StageKind::Compute,
        "layout(binding = 0) buffer B { uint n; uint b[]; };
         uint most(uint x, uint y) { uint z; if (x > y) z = x; else z = y; return z; }
         uint next(uint x) { return x + n; }
         void main() { b[0] = b[5] > 1u ? most(b[1], b[2]) : next(b[3]); }",
    );
    let changes = calls::inlined(&module);
    assert_eq!(changes.len(), 2);
    let left = applied(&module, &changes.iter().collect::<Vec<_>>()).expect("changed");
    check(&left).unwrap_or_else(|error| panic!("{error}\n{}", disassemble(&left)));
    assert_eq!(left.functions().len(), 1, "{}", disassemble(&left));
}

#[test]
fn equal_values_of_a_block_are_one() {
    let module =
        glsl(StageKind::Compute, "layout(binding = 0) buffer B { uint b[]; }; void main() { b[3] = b[3] + b[3]; }");
    let changes = values::repeated(&module);
    assert_eq!(changes.len(), 2, "{}", disassemble(&module));
    let left = applied(&module, &changes.iter().collect::<Vec<_>>()).expect("smaller");
    check(&left).unwrap_or_else(|error| panic!("{error}\n{}", disassemble(&left)));
}

#[test]
fn an_array_becomes_as_long_as_it_is_used() {
    let module = glsl(
        StageKind::Compute,
        "shared uint s[65]; layout(binding = 0) buffer B { uint b[]; }; void main() { s[0] = b[1]; b[0] = s[0]; }",
    );
    let length = module.insts().find(|inst| inst.name() == "OpTypeArray").expect("an array").id_at(3);
    let left = applied(&module, &[&Change::instead(length, crate::change::Instead::One)]).expect("smaller");
    check(&left).unwrap_or_else(|error| panic!("{error}\n{}", disassemble(&left)));
}
