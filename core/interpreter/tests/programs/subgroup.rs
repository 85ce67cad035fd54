//! Subgroup operations against reference models, at several wave sizes and with inactive lanes.

use lanescope_interpreter::EventKind;

use crate::harness::run;
use crate::support::Shader;

const SIZES: [u32; 3] = [8, 32, 64];

/// Lanes for which `pattern` has a set bit run the body; it leaves `%r`, which is stored at the lane.
fn masked(body: &str, result: &str) -> Shader {
    Shader::new(
        64,
        &format!(
            "%value = fetch %index
             %pattern = fetch %u:64
             %pattern2 = fetch %u:65
             %high = OpUGreaterThanEqual %bool %index %u:32
             %half_pattern = OpSelect %uint %high %pattern2 %pattern
             %bit = OpBitwiseAnd %uint %index %u:31
             %shifted = OpShiftRightLogical %uint %half_pattern %bit
             %own = OpBitwiseAnd %uint %shifted %u:1
             %active = OpINotEqual %bool %own %u:0
             OpSelectionMerge %merge None
             OpBranchConditional %active %then %merge
             %then = OpLabel
             {body}
             {result}
             OpBranch %merge
             %merge = OpLabel"
        ),
    )
}

/// A deterministic sequence of words.
fn random(seed: u32) -> impl Iterator<Item = u32> {
    let mut state = u64::from(seed) * 2 + 1;
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32
    })
}

/// Runs a body at each size with several sets of active lanes, and compares `store %index %r` with a model. The model
/// gets a lane and the values of its wave's active lanes, and nothing is compared where it gives nothing.
fn check(body: &str, model: impl Fn(usize, &[Option<u32>]) -> Option<u32>) {
    let shader = masked(body, "store %index %r");
    for size in SIZES {
        for seed in 0..12 {
            let mut words: Vec<u32> = random(seed).take(66).collect();
            match seed {
                0 => (words[64], words[65]) = (u32::MAX, u32::MAX),
                1 => (words[64], words[65]) = (0x8000_0001, 0x0000_0100),
                _ => {}
            }
            let active = |at: usize| words[64 + at / 32] >> (at % 32) & 1 != 0;
            let out = run(&shader, size, 1, 64, &words).out();
            for first in (0..64).step_by(size as usize) {
                let wave: Vec<Option<u32>> =
                    (first..first + size as usize).map(|at| active(at).then_some(words[at])).collect();
                for lane in 0..size as usize {
                    let expected = if wave[lane].is_some() { model(lane, &wave) } else { Some(0) };
                    if let Some(expected) = expected {
                        assert_eq!(out[first + lane], expected, "size {size}, seed {seed}, lane {lane}: {body}");
                    }
                }
            }
        }
    }
}

fn values(wave: &[Option<u32>]) -> impl Iterator<Item = u32> {
    wave.iter().copied().flatten()
}

#[test]
fn reductions_and_scans_match_the_model() {
    type Combine = fn(u32, u32) -> u32;
    let operations: [(&str, Combine, u32); 8] = [
        ("IAdd", u32::wrapping_add, 0),
        ("IMul", u32::wrapping_mul, 1),
        ("UMin", u32::min, u32::MAX),
        ("UMax", u32::max, 0),
        ("SMin", |a, b| (a as i32).min(b as i32) as u32, i32::MAX as u32),
        ("SMax", |a, b| (a as i32).max(b as i32) as u32, i32::MIN as u32),
        ("BitwiseXor", |a, b| a ^ b, 0),
        ("BitwiseAnd", |a, b| a & b, u32::MAX),
    ];
    for (name, combine, identity) in operations {
        let body = |operation: &str| format!("%r = OpGroupNonUniform{name} %uint %u:3 {operation} %value");
        check(&body("Reduce"), |_, wave| Some(values(wave).fold(identity, combine)));
        check(&body("InclusiveScan"), |lane, wave| Some(values(&wave[..=lane]).fold(identity, combine)));
        check(&body("ExclusiveScan"), |lane, wave| Some(values(&wave[..lane]).fold(identity, combine)));
        for cluster in [1, 4, 8] {
            let body = format!("%r = OpGroupNonUniform{name} %uint %u:3 ClusteredReduce %value %u:{cluster}");
            check(&body, |lane, wave| {
                let first = lane / cluster * cluster;
                Some(values(&wave[first..first + cluster]).fold(identity, combine))
            });
        }
    }
}

#[test]
fn exchanges_match_the_model() {
    let at = |wave: &[Option<u32>], lane: usize| wave.get(lane).copied().flatten();
    check("%r = OpGroupNonUniformBroadcastFirst %uint %u:3 %value", |_, wave| values(wave).next());
    check("%r = OpGroupNonUniformBroadcast %uint %u:3 %value %u:3", |_, wave| at(wave, 3));
    check(
        "%target = OpBitwiseAnd %uint %value %u:7
         %r = OpGroupNonUniformShuffle %uint %u:3 %value %target",
        |lane, wave| at(wave, wave[lane].unwrap_or(0) as usize & 7),
    );
    check("%r = OpGroupNonUniformShuffleXor %uint %u:3 %value %u:5", |lane, wave| at(wave, lane ^ 5));
    check("%r = OpGroupNonUniformShuffleUp %uint %u:3 %value %u:2", |lane, wave| {
        lane.checked_sub(2).and_then(|lane| at(wave, lane))
    });
    check("%r = OpGroupNonUniformShuffleDown %uint %u:3 %value %u:3", |lane, wave| at(wave, lane + 3));
    check("%r = OpGroupNonUniformRotateKHR %uint %u:3 %value %u:5", |lane, wave| at(wave, (lane + 5) % wave.len()));
    check("%r = OpGroupNonUniformRotateKHR %uint %u:3 %value %u:3 %u:4", |lane, wave| {
        at(wave, lane / 4 * 4 + (lane + 3) % 4)
    });
    check("%r = OpGroupNonUniformQuadBroadcast %uint %u:3 %value %u:2", |lane, wave| at(wave, lane / 4 * 4 + 2));
    for (direction, xor) in [(0, 1), (1, 2), (2, 3)] {
        let body = format!("%r = OpGroupNonUniformQuadSwap %uint %u:3 %value %u:{direction}");
        check(&body, |lane, wave| at(wave, lane ^ xor));
    }
}

#[test]
fn votes_and_ballots_match_the_model() {
    let ballot = |wave: &[Option<u32>], test: fn(u32) -> bool| {
        (0..).zip(wave).filter(|(_, v)| v.is_some_and(test)).fold(0u64, |all, (at, _)| all | 1 << at)
    };
    let odd: fn(u32) -> bool = |value| value & 1 != 0;
    let test = "%low = OpBitwiseAnd %uint %value %u:1
                %odd = OpINotEqual %bool %low %u:0\n";
    let bool_result =
        |name: &str| format!("{test} %b = OpGroupNonUniform{name} %bool %u:3 %odd\n%r = OpSelect %uint %b %u:1 %u:0");
    check(&bool_result("All"), |_, wave| Some(u32::from(values(wave).all(odd))));
    check(&bool_result("Any"), |_, wave| Some(u32::from(values(wave).any(odd))));
    check(&bool_result("AllEqual"), |_, wave| Some(u32::from(values(wave).all(odd) || !values(wave).any(odd))));
    check("%b = OpGroupNonUniformElect %bool %u:3\n%r = OpSelect %uint %b %u:1 %u:0", |lane, wave| {
        Some(u32::from(wave[..lane].iter().all(Option::is_none)))
    });
    let with = |rest: &str| format!("{test} %v = OpGroupNonUniformBallot %v4uint %u:3 %odd\n{rest}");
    for word in 0..2 {
        check(&with(&format!("%r = OpCompositeExtract %uint %v {word}")), |_, wave| {
            Some((ballot(wave, odd) >> (32 * word)) as u32)
        });
    }
    for (operation, below) in [("Reduce", 64), ("InclusiveScan", 1), ("ExclusiveScan", 0)] {
        let body = with(&format!("%r = OpGroupNonUniformBallotBitCount %uint %u:3 {operation} %v"));
        check(&body, |lane, wave| {
            let counted = if below == 64 { u64::MAX } else { ((1u64 << lane) - 1) | ((below as u64) << lane) };
            Some((ballot(wave, odd) & counted).count_ones())
        });
    }
    check(&with("%r = OpGroupNonUniformBallotFindLSB %uint %u:3 %v"), |_, wave| {
        Some(ballot(wave, odd)).filter(|&bits| bits != 0).map(u64::trailing_zeros)
    });
    check(&with("%r = OpGroupNonUniformBallotFindMSB %uint %u:3 %v"), |_, wave| {
        Some(ballot(wave, odd)).filter(|&bits| bits != 0).map(|bits| 63 - bits.leading_zeros())
    });
    check(
        &with("%b = OpGroupNonUniformInverseBallot %bool %u:3 %v\n%r = OpSelect %uint %b %u:1 %u:0"),
        |lane, wave| wave[lane].map(|value| value & 1),
    );
    check(
        &with("%b = OpGroupNonUniformBallotBitExtract %bool %u:3 %v %u:6\n%r = OpSelect %uint %b %u:1 %u:0"),
        |_, wave| Some((ballot(wave, odd) >> 6 & 1) as u32),
    );
}

/// A sum over the workgroup by subgroup sums and shared memory: the same at every wave size.
#[test]
fn workgroup_sums_do_not_depend_on_the_wave_size() {
    let shader = Shader::new(
        64,
        "%value = fetch %index
         %sum = OpGroupNonUniformIAdd %uint %u:3 Reduce %value
         %elected = OpGroupNonUniformElect %bool %u:3
         share %index %u:0
         barrier
         OpSelectionMerge %merge None
         OpBranchConditional %elected %first %merge
         %first = OpLabel
         %place = OpAccessChain %ptr_Workgroup_uint %shared %u:0
         %old = OpAtomicIAdd %uint %place %u:2 %u:0 %sum
         OpBranch %merge
         %merge = OpLabel
         barrier
         %total = shared %u:0
         store %index %total",
    );
    let words: Vec<u32> = random(7).take(64).collect();
    let expected = words.iter().copied().fold(0, u32::wrapping_add);
    for size in SIZES {
        let run = run(&shader, size, 1, 64, &words);
        assert_eq!(run.out(), [expected; 64]);
        assert_eq!(run.kinds(), []);
    }
}

#[test]
fn reports_reads_of_inactive_lanes_and_of_the_wave_size() {
    let shader = masked("%r = OpGroupNonUniformBroadcast %uint %u:3 %value %u:1", "store %index %r");
    let mut words = vec![0; 66];
    words[64] = 0b0100;
    let events = run(&shader, 8, 1, 64, &words).machine.events().to_vec();
    assert_eq!(events.len(), 1);
    assert_eq!((events[0].kind, events[0].lanes), (EventKind::InactiveLane, 0b0100));
    let shader = Shader::new(8, "%size = OpLoad %uint %v_size\nstore %index %size");
    let run = run(&shader, 8, 1, 8, &[]);
    assert_eq!((run.out(), run.kinds()), (vec![8; 8], vec![EventKind::WaveSizeDependence]));
}

#[test]
fn derivatives_are_differences_within_quads() {
    let mut shader = Shader::new(
        8,
        "%x = OpConvertUToF %float %index
         %square = OpFMul %float %x %x
         %dx = OpDPdx %float %square
         %dy = OpDPdyCoarse %float %square
         %sum = OpFAdd %float %dx %dy
         %u = OpConvertFToU %uint %sum
         store %index %u",
    );
    shader.local_size = [4, 2, 1];
    shader.modes = "OpExecutionMode %main DerivativeGroupQuadsKHR".to_owned();
    // Rows 0 1 2 3 and 4 5 6 7; squares 0 1 4 9 and 16 25 36 49.
    let run = run(&shader, 8, 1, 8, &[]);
    assert_eq!(run.out(), [1 + 16, 1 + 16, 5 + 32, 5 + 32, 9 + 16, 9 + 16, 13 + 32, 13 + 32]);
    assert_eq!(run.kinds(), []);
    let mut part = Shader { body: shader.body.clone(), ..Shader::new(6, "") };
    // Without a derivative group there are no quads.
    let run = crate::harness::run(&part, 8, 1, 8, &[]);
    assert_eq!((run.out(), run.kinds()), (vec![0; 8], vec![]));
    part.modes = "OpExecutionMode %main DerivativeGroupLinearKHR".to_owned();
    let run = crate::harness::run(&part, 8, 1, 8, &[]);
    assert_eq!(run.kinds(), [EventKind::DivergentDerivative; 2], "both derivatives of the incomplete quad");
}
