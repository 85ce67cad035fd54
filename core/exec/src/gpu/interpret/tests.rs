//! The interpreter against the software device: generated programs whose results SPIR-V defines exactly.

use std::time::Duration;

use super::{Waves, run};
use crate::gpu::{Content, Given, GpuError, Inputs, Needs, probe, run_compute, testing, with_kept_device};
use lanescope_model::options::Derivatives;

/// Programs; `LANESCOPE_PROGRAMS` asks for another number.
const PROGRAMS: u64 = 500;
/// A workgroup.
const SIZE: [u32; 3] = [8, 4, 1];

/// A generator of numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ word >> 31) % n
    }

    fn of<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.below(all.len() as u64) as usize]
    }

    /// A variable that is in scope.
    fn variable(&mut self, kind: &str) -> String {
        format!("{kind}{}", self.below(4))
    }

    /// A `uint`.
    fn unsigned(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.below(3) {
                0 => format!("{}u", self.below(70)),
                _ => self.variable("u"),
            };
        }
        let (a, b) = (self.unsigned(depth - 1), self.unsigned(depth - 1));
        match self.below(12) {
            0 => format!("({a} / ({b} | 1u))"),
            1 => format!("({a} % ({b} | 1u))"),
            2 => format!("({a} << ({b} & 31u))"),
            3 => format!("({a} >> ({b} & 31u))"),
            4 => format!("bitfieldExtract({a}, 3, 17)"),
            5 => format!("(bitfieldReverse({a}) + bitCount({b}))"),
            6 => format!("uint({})", self.signed(depth - 1)),
            7 => format!("(({a} < {b}) ? {a} : {b})"),
            8 => format!("bits({})", self.float(depth - 1)),
            _ => format!("({a} {} {b})", self.of(&["+", "-", "*", "^", "&", "|"])),
        }
    }

    /// An `int`.
    fn signed(&mut self, depth: u32) -> String {
        if depth == 0 {
            return if self.below(3) == 0 { format!("{}", self.below(40)) } else { self.variable("i") };
        }
        let (a, b) = (self.signed(depth - 1), self.signed(depth - 1));
        match self.below(7) {
            0 => format!("(({a} & 0xffff) / (({b} & 15) + 1))"),
            1 => format!("({a} >> ({b} & 31))"),
            2 => format!("{}({a}, {b})", self.of(&["min", "max"])),
            3 => format!("clamp({a}, -9, 99)"),
            4 => format!("(abs({a} >> 1) - sign({b}))"),
            _ => format!("({a} {} {b})", self.of(&["+", "-", "*", "^"])),
        }
    }

    /// A finite `float` of operations that are rounded correctly.
    fn float(&mut self, depth: u32) -> String {
        if depth == 0 {
            return if self.below(3) == 0 { format!("{}.25", self.below(9)) } else { self.variable("f") };
        }
        let (a, b) = (self.float(depth - 1), self.float(depth - 1));
        match self.below(6) {
            0 => format!("{}({a}, {b})", self.of(&["min", "max"])),
            1 => format!("floor({a})"),
            2 => format!("abs(-{a})"),
            3 => format!("clamp({a}, -64.0, 64.0)"),
            _ => format!("({a} {} {b})", self.of(&["+", "-", "*"])),
        }
    }

    /// A `uint64_t`.
    fn wide(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.below(4) {
                0 => format!("{}ul", self.below(1 << 40)),
                1 => format!("uint64_t({})", self.unsigned(0)),
                _ => self.variable("w"),
            };
        }
        let (a, b) = (self.wide(depth - 1), self.wide(depth - 1));
        match self.below(9) {
            0 => format!("({a} / ({b} | 1ul))"),
            1 => format!("({a} % ({b} | 1ul))"),
            2 => format!("({a} << ({b} & 63ul))"),
            3 => format!("({a} >> ({b} & 63ul))"),
            4 => format!("uint64_t(int64_t({a}) >> ({b} & 63ul))"),
            5 => format!("(({a} < {b}) ? {a} : {b})"),
            _ => format!("({a} {} {b})", self.of(&["+", "-", "*", "^", "&", "|"])),
        }
    }

    /// A signed or unsigned integer of 8 or 16 bits.
    fn narrow(&mut self, ty: &str, name: &str, depth: u32) -> String {
        if depth == 0 {
            return match self.below(4) {
                0 => format!("{ty}({})", self.below(100)),
                1 => format!("{ty}({})", self.signed(0)),
                _ => self.variable(name),
            };
        }
        let (a, b) = (self.narrow(ty, name, depth - 1), self.narrow(ty, name, depth - 1));
        match self.below(8) {
            0 => format!("{ty}({a} / ({b} | {ty}(1)))"),
            1 => format!("{ty}({a} << ({b} & {ty}(7)))"),
            2 => format!("{ty}({a} >> ({b} & {ty}(7)))"),
            3 => format!("{}({a}, {b})", self.of(&["min", "max"])),
            _ => format!("{ty}({a} {} {b})", self.of(&["+", "-", "*", "^", "&", "|"])),
        }
    }

    /// A finite `double` of operations that are rounded correctly.
    fn double(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.below(4) {
                0 => format!("{}.125lf", self.below(9)),
                1 => format!("double({})", self.signed(0)),
                _ => self.variable("d"),
            };
        }
        let (a, b) = (self.double(depth - 1), self.double(depth - 1));
        match self.below(5) {
            0 => format!("{}({a}, {b})", self.of(&["min", "max"])),
            1 => format!("abs(-{a})"),
            _ => format!("({a} {} {b})", self.of(&["+", "-", "*"])),
        }
    }

    fn statement(&mut self, at: u64, depth: u32) -> String {
        let subgroup = |value: String, function: &str| format!("{function}({value})");
        match self.below(13) {
            9 => format!("{} = {};\n", self.variable("w"), self.wide(2)),
            // A division that overflows is undefined: only unsigned ones divide.
            10 => {
                let value = self.narrow("int16_t", "s", 2);
                let value = if value.contains('/') { value.replace('/', "-") } else { value };
                format!("{} = {value};\n", self.variable("s"))
            }
            11 => format!("{} = {};\n", self.variable("b"), self.narrow("uint8_t", "b", 2)),
            12 => format!("{} = clamp({}, -1e6lf, 1e6lf);\n", self.variable("d"), self.double(2)),
            0 | 1 => format!("{} = {};\n", self.variable("u"), self.unsigned(3)),
            2 => format!("{} = {};\n", self.variable("i"), self.signed(3)),
            3 => format!("{} = clamp({}, -1000.0, 1000.0);\n", self.variable("f"), self.float(2)),
            4 if depth > 0 => {
                let condition = format!("{} < {}", self.unsigned(1), self.unsigned(1));
                let (a, b) = (self.statement(at, depth - 1), self.statement(at, depth - 1));
                format!("if ({condition}) {{\n{a}}} else {{\n{b}}}\n")
            }
            5 if depth > 0 => {
                let count = format!("({} & 7u)", self.variable("u"));
                let body = self.statement(at, depth - 1);
                format!(
                    "for (uint n{at}{depth} = 0u, e{at}{depth} = {count}; n{at}{depth} < e{at}{depth}; n{at}{depth}++) {{\n{body}}}\n"
                )
            }
            // In uniform control flow: all lanes of the wave take part.
            6 if depth == 2 => {
                let function = self.of(&[
                    "subgroupAdd",
                    "subgroupMin",
                    "subgroupXor",
                    "subgroupExclusiveAdd",
                    "subgroupBroadcastFirst",
                ]);
                format!("{} = {};\n", self.variable("u"), subgroup(self.variable("u"), function))
            }
            7 if depth == 2 => {
                let mask = 1 << self.below(3);
                format!("{} = subgroupShuffleXor({}, {mask}u);\n", self.variable("u"), self.variable("u"))
            }
            8 if depth == 2 => {
                let (to, from) = (self.variable("u"), self.variable("u"));
                format!(
                    "barrier();\nshare[gl_LocalInvocationIndex] = {from};\nbarrier();\n\
                     {to} = share[(gl_LocalInvocationIndex * 5u + 3u) % 32u];\n"
                )
            }
            _ => format!("{} ^= {};\n", self.variable("u"), self.unsigned(2)),
        }
    }

    fn program(&mut self) -> String {
        let body: String = (0..8).map(|at| self.statement(at, 2)).collect();
        format!(
            "#extension GL_KHR_shader_subgroup_arithmetic : require
            #extension GL_KHR_shader_subgroup_ballot : require
            #extension GL_KHR_shader_subgroup_shuffle : require
            #extension GL_EXT_shader_explicit_arithmetic_types : require
            layout(local_size_x = 8, local_size_y = 4) in;
            layout(binding = 0) readonly buffer In {{ uint words[64]; float floats[64]; }};
            layout(binding = 1) writeonly buffer Out {{ uint result[]; }};
            shared uint share[32];
            // Without SignedZeroInfNanPreserve the sign of a zero is not defined.
            uint bits(float value) {{
            uint all = floatBitsToUint(value);
            return all == 0x80000000u ? 0u : all;
            }}
            uint halves(double value) {{
            uvec2 both = unpackDouble2x32(value);
            return both.x ^ (both == uvec2(0u, 0x80000000u) ? 0u : both.y);
            }}
            void main() {{
            uint at = gl_LocalInvocationIndex;
            uint u0 = words[at], u1 = at, u2 = words[at + 32u] * 2654435761u, u3 = gl_WorkGroupID.x + 7u;
            int i0 = int(words[at]) - 32, i1 = int(at), i2 = -5, i3 = int(u3);
            precise float f0 = floats[at], f1 = float(at), f2 = -1.5, f3 = floats[at + 32u];
            uint64_t w0 = uint64_t(words[at]) << 32, w1 = uint64_t(at) * 0x9e3779b97f4a7c15ul, w2 = 1ul, w3 = uint64_t(u2);
            int16_t s0 = int16_t(words[at]), s1 = int16_t(at), s2 = int16_t(-7), s3 = int16_t(u2);
            uint8_t b0 = uint8_t(words[at]), b1 = uint8_t(at), b2 = uint8_t(200), b3 = uint8_t(u2);
            precise double d0 = double(floats[at]), d1 = double(at), d2 = -1.5lf, d3 = double(floats[at + 32u]);
            {body}
            uint to = (gl_WorkGroupID.x * 32u + at) * 28u;
            uvec2 low = unpackUint2x32(w0 ^ w1), high = unpackUint2x32(w2 ^ w3);
            result[to + 12u] = low.x; result[to + 13u] = low.y; result[to + 14u] = high.x; result[to + 15u] = high.y;
            result[to + 16u] = uint(int(s0)); result[to + 17u] = uint(int(s1));
            result[to + 18u] = uint(int(s2)); result[to + 19u] = uint(int(s3));
            result[to + 20u] = uint(b0) | uint(b1) << 8; result[to + 21u] = uint(b2) | uint(b3) << 8;
            result[to + 22u] = halves(d0); result[to + 23u] = halves(d1);
            result[to + 24u] = halves(d2); result[to + 25u] = halves(d3);
            result[to] = u0; result[to + 1u] = u1; result[to + 2u] = u2; result[to + 3u] = u3;
            result[to + 4u] = uint(i0); result[to + 5u] = uint(i1); result[to + 6u] = uint(i2); result[to + 7u] = uint(i3);
            result[to + 8u] = bits(f0); result[to + 9u] = bits(f1);
            result[to + 10u] = bits(f2); result[to + 11u] = bits(f3);
            }}"
        )
    }
}

/// Parts of the programs: tests run beside each other.
const PARTS: u64 = 4;

#[test]
fn the_first_generated_programs_agree_with_the_software_device() {
    agree(0);
}

#[test]
fn the_second_generated_programs_agree_with_the_software_device() {
    agree(1);
}

#[test]
fn the_third_generated_programs_agree_with_the_software_device() {
    agree(2);
}

#[test]
fn the_last_generated_programs_agree_with_the_software_device() {
    agree(3);
}

/// Runs a part of the programs on both, with the lanes of the device: every byte is the same.
fn agree(part: u64) {
    let options = testing::device();
    let measured = probe(&options, SIZE, Derivatives::None).expect("a lane map");
    let waves = Waves::measured(&measured);
    assert_eq!(waves.lanes.waves.len() as u32 * waves.lanes.subgroup_size, SIZE.iter().product::<u32>());
    let count = std::env::var("LANESCOPE_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(PROGRAMS);
    let (mut differing, mut refused) = (Vec::new(), 0);
    for seed in (part..count).step_by(PARTS as usize) {
        let text = Random(seed).program();
        let program = lanescope_testing::program(&[("comp", &text)]);
        let module = program.module_of(&program.stages[0]).clone();
        let size = Content::Size(28 * 4 * 64);
        let result = Given { set: 0, binding: 1, element: None, content: size };
        let inputs = Inputs { fill: seed, buffers: vec![result], ..Inputs::default() };
        let ours = run(&program, &waves, Some([2, 1, 1]), &inputs, Duration::from_secs(60));
        let ours = ours.unwrap_or_else(|why| panic!("{why}\n{text}"));
        let wrong: Vec<_> = ours.run.findings.iter().filter(|found| !matches!(found.code.as_str(), "E009")).collect();
        assert!(wrong.is_empty(), "seed {seed}: {wrong:?}\n{text}");
        let theirs = with_kept_device(&Needs::of([&module]), &options, |device| {
            let entry = module.entry_points().first().expect("an entry point");
            run_compute(device, &module, entry, Some([2, 1, 1]), &inputs, None)
        });
        let theirs = match theirs {
            Ok(theirs) => theirs.value,
            // Other drivers' compilers may fail on a program that is valid.
            Err(GpuError::Call { call, result }) if testing::other().is_some() => {
                println!("seed {seed}: {call}: {result}");
                refused += 1;
                continue;
            }
            Err(error) => panic!("seed {seed}: {error}\n{text}"),
        };
        if ours.data != theirs.data {
            let words = |data: &lanescope_run::Execution| data.contents("set0.binding1").to_vec();
            let (ours, theirs) = (words(&ours), words(&theirs));
            let mut words = ours.chunks(4).zip(theirs.chunks(4)).enumerate();
            let first = words.find(|(_, (a, b))| a != b);
            differing.push((seed, first.map(|(at, (a, b))| format!("word {at}: {a:02x?}, {b:02x?}")), text));
        }
    }
    assert!(refused <= count / 50, "the driver fails on {refused} of {count}");
    let seeds: Vec<_> = differing.iter().map(|(seed, first, _)| (seed, first)).collect();
    let texts: Vec<&str> = differing.iter().take(3).map(|(_, _, text)| text.as_str()).collect();
    assert!(differing.is_empty(), "{} of {count} differ: {seeds:?}\n{}", seeds.len(), texts.join("\n"));
}
