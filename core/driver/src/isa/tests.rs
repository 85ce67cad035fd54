//! The facts of real texts, and of hostile ones.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::*;

/// A text that a driver returned.
struct Sample {
    name: String,
    text: String,
    stage: StageKind,
    statistics: BTreeMap<String, u64>,
}

impl Sample {
    fn facts(&self) -> IsaFacts {
        read(&self.text, self.stage)
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/isa_samples")
}

fn samples() -> Vec<Sample> {
    let json = std::fs::read_to_string(folder().join("statistics.json")).expect("there are statistics");
    let json: serde_json::Value = serde_json::from_str(&json).expect("they are JSON");
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder()).expect("there are samples") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|n| n.to_str()).expect("a name").to_owned();
        let Some(parts) = name.strip_suffix(".s") else { continue };
        let stage = parts.split('.').nth(3).expect("a stage").parse().expect("is one");
        let statistics = json[&name]["statistics"].as_object().expect("each has statistics");
        let statistics = statistics.iter().filter_map(|(k, v)| Some((k.clone(), v.as_u64()?))).collect();
        let text = std::fs::read_to_string(&path).expect("is text");
        out.push(Sample { name, text, stage, statistics });
    }
    out.sort_by(|a, b| a.name.cmp(&b.name));
    assert_eq!(out.len(), 80, "four chips, twenty texts each");
    out
}

fn named(name: &str) -> Sample {
    samples().into_iter().find(|sample| sample.name == name).expect("there is this sample")
}

#[test]
fn every_line_of_every_sample_is_understood() {
    for sample in samples() {
        let facts = sample.facts();
        assert!(facts.unknown.is_empty(), "{}: {:?}", sample.name, facts.unknown);
        assert_eq!(facts.instructions.len() as u64, sample.statistics["Instructions"], "{}", sample.name);
        let bytes: usize = facts.instructions.iter().map(|i| i.words.split(' ').count() * 4).sum();
        assert!(bytes as u64 <= sample.statistics["Code size"], "{}", sample.name);
        for instruction in &facts.instructions {
            let line = sample.text.lines().nth(instruction.line as usize).expect("the line is there");
            assert!(line.trim_start().starts_with(&instruction.mnemonic), "{}: {line}", sample.name);
            for operand in &instruction.operands {
                let [from, to] = operand.columns.map(|column| column as usize);
                let text = line.get(from..to).expect("columns are inside of the line");
                assert!(!text.is_empty() && !text.contains([' ', ',']), "{}: `{text}`", sample.name);
            }
        }
    }
}

#[test]
fn no_more_registers_are_live_than_the_compiler_allocated() {
    for sample in samples() {
        let peak = sample.facts().peak.expect("there are instructions").most;
        let [vgprs, sgprs] = ["VGPRs", "SGPRs"].map(|name| sample.statistics[name]);
        assert!(u64::from(peak.vgprs) <= vgprs, "{}: {} of {vgprs} VGPRs", sample.name, peak.vgprs);
        assert!(u64::from(peak.sgprs) <= sgprs, "{}: {} of {sgprs} SGPRs", sample.name, peak.sgprs);
    }
}

#[test]
fn blocks_partition_instructions_and_branches_find_labels() {
    for sample in samples() {
        let facts = sample.facts();
        let mut next = 0;
        for block in &facts.blocks {
            assert_eq!(block.first, next, "{}", sample.name);
            next += block.count;
        }
        assert_eq!(next as usize, facts.instructions.len(), "{}", sample.name);
        for branch in &facts.branches {
            let block = branch.block.and_then(|block| facts.blocks.get(block as usize)).expect("the label is there");
            assert_eq!(block.label.as_deref(), Some(branch.target.as_str()));
        }
        for index in 0..next {
            let block = facts.block_of(index).expect("it has a block");
            let block = &facts.blocks[block as usize];
            assert!((block.first..block.first + block.count).contains(&index), "{}", sample.name);
        }
        // Code that cannot be reached would be a branch that was not understood.
        let mut reached = BTreeSet::from([0]);
        let mut waiting = vec![0u32];
        while let Some(block) = waiting.pop() {
            waiting.extend(facts.blocks[block as usize].successors.iter().filter(|next| reached.insert(**next)));
        }
        assert_eq!(reached.len(), facts.blocks.len(), "{}", sample.name);
    }
}

#[test]
fn ranges_and_pressure_say_the_same() {
    for sample in samples() {
        let facts = sample.facts();
        for file in [File::Vector, File::Scalar] {
            for (index, pressure) in (0u32..).zip(&facts.pressure) {
                let of_file = facts.ranges.iter().filter(|range| range.register.file == file);
                let at = of_file.filter(|range| range.from <= index && index <= range.to).count();
                let counted = if file == File::Vector { pressure.vgprs } else { pressure.sgprs };
                // Ranges count a register that is read and one that is written in its place at one instruction.
                assert!(usize::from(counted) <= at + 16, "{} at {index}: {counted} of {at}", sample.name);
            }
        }
        assert!(facts.ranges.iter().all(|range| range.from <= range.to), "{}", sample.name);
    }
}

/// The facts in short: one line each.
fn summary(facts: &IsaFacts) -> String {
    let mut out = String::new();
    let mut reads: BTreeMap<(u32, AttributeRead), String> = BTreeMap::new();
    for read in &facts.interpolations {
        reads.entry((read.attribute, read.read)).or_default().push(['x', 'y', 'z', 'w'][usize::from(read.channel)]);
    }
    for ((attribute, read), channels) in reads {
        let _ = writeln!(out, "attribute {attribute} {read}: {channels}");
    }
    for export in &facts.exports {
        let flags = [(export.compressed, " compressed"), (export.done, " done")];
        let flags: String = flags.iter().filter(|(on, _)| *on).map(|(_, name)| *name).collect();
        let _ = writeln!(out, "export {} {} mask {:04b}{flags}", export.target, export.index, export.mask);
    }
    for permute in &facts.quad_permutes {
        let _ = writeln!(out, "quad {:?} {} at {}", permute.lanes, permute.purpose, permute.instruction);
    }
    for id in &facts.ids {
        let _ = writeln!(out, "id {} at {}", id.what, id.instruction);
    }
    for branch in &facts.branches {
        let _ = writeln!(out, "branch at {} to {}", branch.instruction, branch.target);
    }
    let waits: Vec<&str> = facts.waits.iter().map(|wait| wait.until.as_str()).collect();
    let _ = writeln!(out, "waits {}", waits.join(", "));
    let memory: Vec<String> = facts.memory.iter().map(|memory| format!("{} {}", memory.space, memory.does)).collect();
    let _ = writeln!(out, "memory {}", memory.join(", "));
    if let Some(peak) = facts.peak {
        let most = peak.most;
        let _ =
            writeln!(out, "peak {} VGPRs at {}, {} SGPRs at {}", most.vgprs, peak.vgprs_at, most.sgprs, peak.sgprs_at);
    }
    let _ = writeln!(out, "{} instructions in {} blocks", facts.instructions.len(), facts.blocks.len());
    out
}

#[test]
fn the_facts_of_each_sample() {
    let mut all = String::new();
    for sample in samples() {
        let _ = writeln!(all, "== {}\n{}", sample.name, summary(&sample.facts()));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn matches_hand_counted_pressure() {
    let text = "BB0:\n\ts_mov_b32 m0, s2\n\tv_interp_p1_f32_e32 v2, v0, attr1.x\n\tv_interp_p2_f32_e32 v2, v1, attr1.x\n\
        \tv_mov_b32_e32 v7, 0\n\tv_add_f32_e32 v0, v2, v2\n\texp mrt0 v0, v0, off, v128 done vm\n\ts_endpgm\n";
    let facts = read(text, StageKind::Fragment);
    let vgprs: Vec<u16> = facts.pressure.iter().map(|row| row.vgprs).collect();
    // v0 and v1 are live on entry; v7 is written and never read; v128 means no value.
    assert_eq!(vgprs, [2, 2, 2, 2, 1, 1, 0]);
    let sgprs: Vec<u16> = facts.pressure.iter().map(|row| row.sgprs).collect();
    assert_eq!(sgprs, [1, 0, 0, 0, 0, 0, 0]);
    let v2 = Registers { file: File::Vector, first: 2, count: 1 };
    let uses: Vec<_> = facts.uses(v2).collect();
    assert_eq!(uses, [(1, Access::Write), (2, Access::Both), (4, Access::Read)]);
    assert_eq!(facts.exports[0].mask, 0b1011);
}

#[test]
fn a_pair_of_instructions_writes_two_registers() {
    let text = "\tv_dual_mul_f32 v0, v1, v2 :: v_dual_mov_b32 v3, v4\n\
        \tv_dual_fmac_f32 v5, v0, s1 :: v_dual_fmac_f32 v6, v3, v0\n\ts_sendmsg_rtn_b32 s2, sendmsg(MSG_RTN_GET_DDID)\n";
    let facts = read(text, StageKind::Fragment);
    let access = |at: usize| -> String {
        let all = facts.instructions[at].registers().map(|(registers, access)| format!("{registers} {access}"));
        all.collect::<Vec<_>>().join(", ")
    };
    assert_eq!(access(0), "v0 write, v1 read, v2 read, v3 write, v4 read");
    assert_eq!(access(1), "v5 both, v0 read, s1 read, v6 both, v3 read, v0 read");
    assert_eq!(access(2), "s2 write");
}

/// What each register of the first instruction of a text is to it.
fn access(text: &str) -> String {
    let facts = read(text, StageKind::Compute);
    let all = facts.instructions[0].registers().map(|(registers, access)| format!("{registers} {access}"));
    all.collect::<Vec<_>>().join(", ")
}

#[test]
fn accumulated_and_partly_written_registers_are_read() {
    for (text, expected) in [
        ("\tv_dot2acc_f32_f16 v0, v1, v2\n", "v0 both, v1 read, v2 read"),
        (
            "\tv_dual_dot2acc_f32_f16 v0, v1, v2 :: v_dual_mov_b32 v3, v4\n",
            "v0 both, v1 read, v2 read, v3 write, v4 read",
        ),
        (
            "\tv_dual_mov_b32 v3, v4 :: v_dual_dot2acc_f32_f16 v0, v1, v2\n",
            "v3 write, v4 read, v0 both, v1 read, v2 read",
        ),
        // A lane without a partner keeps its value: there is none without, or it is masked off.
        ("\tv_mov_b32_dpp v4, v2 dpp8:[1,0,3,2,5,4,7,6] fi:1\n", "v4 write, v2 read"),
        ("\tv_mov_b32_dpp v4, v2 dpp8:[1,0,3,2,5,4,7,6]\n", "v4 both, v2 read"),
        ("\tv_mov_b32_dpp v4, v2 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf fi:1\n", "v4 write, v2 read"),
        ("\tv_mov_b32_dpp v4, v2 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf\n", "v4 both, v2 read"),
        ("\tv_mov_b32_dpp v4, v2 row_shr:1 row_mask:0xf bank_mask:0xf fi:1\n", "v4 both, v2 read"),
        ("\tv_mov_b32_dpp v4, v2 row_shr:1 row_mask:0xa bank_mask:0xf bound_ctrl:1\n", "v4 both, v2 read"),
    ] {
        assert_eq!(access(text), expected, "{text}");
    }
}

#[test]
fn an_atomic_returns_the_old_value_where_the_new_one_came_from_or_in_a_destination_of_its_own() {
    for (text, expected) in [
        ("\tbuffer_atomic_add v2, v0, s[4:7], 0 offen glc\n", "v2 both, v0 read, s[4:7] read"),
        ("\tbuffer_atomic_add v2, v0, s[4:7], 0 offen\n", "v2 read, v0 read, s[4:7] read"),
        ("\tbuffer_atomic_cmpswap v[2:3], off, s[4:7], 0 glc\n", "v[2:3] both, s[4:7] read"),
        (
            "\timage_atomic_add v3, v[0:1], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm glc\n",
            "v3 both, v[0:1] read, s[8:15] read",
        ),
        ("\tglobal_atomic_add v1, v0, v2, s[2:3] glc\n", "v1 write, v0 read, v2 read, s[2:3] read"),
        ("\tflat_atomic_add v1, v[4:5], v2 glc\n", "v1 write, v[4:5] read, v2 read"),
        ("\tds_add_rtn_u32 v1, v0, v2\n", "v1 write, v0 read, v2 read"),
    ] {
        assert_eq!(access(text), expected, "{text}");
    }
    let text = "\tbuffer_load_dword v2, v0, s[4:7], 0 offen\n\ts_waitcnt vmcnt(0)\n\
        \tbuffer_atomic_add v2, v0, s[4:7], 0 offen glc\n\tbuffer_store_dword v2, v0, s[4:7], 0 offen\n\ts_endpgm\n";
    let facts = read(text, StageKind::Compute);
    let lives = |index| Registers { file: File::Vector, first: index, count: 1 };
    let of = facts.ranges.iter().filter(|range| range.register == lives(2));
    let of: Vec<_> = of.map(|range| (range.from, range.to)).collect();
    assert_eq!(of, [(0, 2), (2, 3)], "what was read is needed on the way");
}

#[test]
fn either_instruction_of_a_pair_reads_vcc_unnamed() {
    for pair in [
        "v_dual_cndmask_b32 v0, v1, v2 :: v_dual_mov_b32 v3, v4",
        "v_dual_mov_b32 v3, v4 :: v_dual_cndmask_b32 v0, v1, v2",
    ] {
        let text = format!("\tv_cmp_lt_f32_e32 vcc_lo, v1, v2\n\ts_nop 0\n\t{pair}\n\ts_nop 0\n");
        let facts = read(&text, StageKind::Compute);
        let vcc = Registers { file: File::Vcc, first: 0, count: 1 };
        let live: Vec<_> = facts.ranges.iter().filter(|range| range.register == vcc).collect();
        assert_eq!(live, [&LiveRange { register: vcc, from: 0, to: 2 }], "{pair}");
    }
}

#[test]
fn ids_and_differences_are_found_in_either_instruction_of_a_pair() {
    let ids = |text: &str| -> Vec<IdPart> { read(text, StageKind::Compute).ids.iter().map(|id| id.what).collect() };
    let first = "\tv_dual_and_b32 v1, 0x3ff, v0 :: v_dual_mov_b32 v3, v4\n";
    let second = "\tv_dual_mov_b32 v3, v4 :: v_dual_and_b32 v1, 0x3ff, v0\n";
    assert_eq!([ids(first), ids(second)], [[IdPart::UnpackX], [IdPart::UnpackX]]);
    let threads = "\tv_bfe_u32 v2, v0, 10, 10\n\tv_mad_u32_u24 v5, v2, 8, v1\n";
    let fields = "\tv_dual_mov_b32 v3, v4 :: v_dual_and_b32 v6, 7, v5\n\tv_dual_mov_b32 v3, v4 :: v_dual_add_nc_u32 v7, v5, v6\n";
    let made = [IdPart::UnpackX, IdPart::UnpackY, IdPart::Linear, IdPart::Remap, IdPart::Remap];
    assert_eq!(ids(&format!("{second}{threads}{fields}")), made);
    let permutes = "\tv_mov_b32_dpp v0, v4 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1\n\
        \tv_mov_b32_dpp v1, v4 quad_perm:[1,1,1,1] row_mask:0xf bank_mask:0xf bound_ctrl:1\n";
    let purposes = |after: &str| {
        let facts = read(&format!("{permutes}{after}"), StageKind::Compute);
        let all: BTreeSet<&str> = facts.quad_permutes.iter().map(|permute| permute.purpose.name()).collect();
        all.into_iter().collect::<Vec<_>>().join(" ")
    };
    for difference in [
        "\tv_dual_subrev_f32 v2, v1, v0 :: v_dual_mov_b32 v3, v5\n",
        "\tv_dual_mov_b32 v3, v5 :: v_dual_sub_f32 v2, v1, v0\n",
    ] {
        assert_eq!(purposes(difference), "derivative-x", "{difference}");
    }
    // The value that was permuted is another one after a write, whichever register of it comes first.
    let fresh = "\tv_mov_b32_dpp v1, v4 quad_perm:[1,1,1,1] row_mask:0xf bank_mask:0xf bound_ctrl:1\n";
    let mixed = format!("\tv_dual_mov_b32 v3, v5 :: v_dual_mov_b32 v4, v6\n{fresh}\tv_sub_f32_e32 v2, v1, v0\n");
    assert_eq!(purposes(&mixed), "other");
}

#[test]
fn finds_export_channels_from_the_writing_instructions() {
    let exports = |text: &str| -> Vec<String> {
        let facts = read(text, StageKind::Fragment);
        let form = |export: &Export| export.form.map_or("unclear".to_owned(), |form| form.name().to_owned());
        facts.exports.iter().map(|export| format!("{:04b} {}", export.mask, form(export))).collect()
    };
    let pack = "\tv_cvt_pk_rtz_f16_f32_e32 v2, v2, v4\n";
    for (text, expected) in [
        (format!("{pack}\texp mrt0 v2, v0, off, off done\n"), "1111 fp16"),
        (format!("{pack}\texp mrt0 v2, v128, off, off done\n"), "0011 fp16"),
        (format!("{pack}\texp mrt0 v128, v2, off, off done\n"), "1100 fp16"),
        (format!("{pack}\texp mrt0 v0, v2, off, off done\n"), "1111 fp16"),
        ("\tv_pk_mul_f16 v2, v2, v4\n\texp mrt0 v2, v0, off, off done\n".to_owned(), "1111 16-bit"),
        // A pack as the bits of a float, beside a float.
        (format!("{pack}\tv_mul_f32_e32 v0, v1, v1\n\texp mrt0 v2, v0, off, off done\n"), "0011 32-bit"),
        (format!("{pack}\tv_mov_b32_e32 v2, 1.0\n\texp mrt0 v2, v0, off, off done\n"), "0011 unclear"),
        (format!("{pack}\tv_mov_b32_e32 v6, v2\n\texp mrt0 v6, v0, off, off done\n"), "1111 fp16"),
        (format!("{pack}\texp mrt0 v2, v2, v2, v2 done\n"), "1111 32-bit"),
        // The block is entered from two others.
        (format!("\ts_cbranch_scc0 BB1\n{pack}BB1:\n\texp mrt0 v2, v0, off, off done\n"), "0011 unclear"),
        // It is left on the way.
        (format!("{pack}\ts_cbranch_scc0 BB1\n\texp mrt0 v2, v0, off, off done\nBB1:\n\ts_endpgm\n"), "1111 fp16"),
        // Before GFX11 the export says it.
        (format!("{pack}\texp mrt0 v2, v0, off, off done vm\n"), "0011 32-bit"),
        ("\texp mrt0 v2, v2, off, off done compr vm\n".to_owned(), "0011 16-bit"),
        ("\tv_cvt_pk_u16_u32 v2, v2, v4\n\texp mrt0 v2, v2, off, off done compr vm\n".to_owned(), "0011 uint16"),
        (format!("{pack}\texp dual_src_blend1 v2, v0, off, off done\n"), "1111 fp16"),
    ] {
        assert_eq!(exports(&text), [expected], "{text}");
    }
}

#[test]
fn loop_carried_values_stay_live() {
    let text = "BB0:\n\tv_mov_b32_e32 v1, 0\nBB1:\n\tv_add_f32_e32 v1, v1, v0\n\ts_cbranch_scc1 BB1\n\
        \tv_mov_b32_e32 v3, v1\n\texp mrt0 v3, off, off, off done vm\n\ts_endpgm\n";
    let facts = read(text, StageKind::Fragment);
    let successors: Vec<&[u32]> = facts.blocks.iter().map(|block| block.successors.as_slice()).collect();
    assert_eq!(successors, [&[1][..], &[2, 1], &[]]);
    let vgprs: Vec<u16> = facts.pressure.iter().map(|row| row.vgprs).collect();
    assert_eq!(vgprs, [2, 2, 2, 1, 1, 0]);
}

#[test]
fn an_export_without_its_first_channel_keeps_the_others_in_place() {
    let text = "\texp param1 off, v4, v5, v3\n\texp mrt0 off, off, v1, off done\n\texp param0 v2, off, off, off\n";
    let facts = read(text, StageKind::Vertex);
    let masks: Vec<_> = facts.exports.iter().map(|export| (export.index, export.mask)).collect();
    assert_eq!(masks, [(1, 0b1110), (0, 0b0100), (0, 0b0001)]);
    assert!(facts.exports[1].done);
}

#[test]
fn keeps_lines_that_are_not_instructions() {
    let text =
        "\n; a comment\nNot an instruction.\n\ts_endpgm ; bf810000\nv_bogus v99999\n\tv_x y v[5:2], s[0:9999]\r\n";
    let facts = read(text, StageKind::Vertex);
    assert_eq!(facts.unknown, [2]);
    let lines: Vec<u32> = facts.instructions.iter().map(|i| i.line).collect();
    assert_eq!(lines, [3, 4, 5]);
    let plain = |i: usize| facts.instructions[i].registers().count();
    assert_eq!((plain(1), plain(2)), (0, 0), "registers that cannot be are words");
    assert_eq!(facts.instructions[0].words, "bf810000");
}

#[test]
fn differences_in_the_quad_are_derivatives() {
    let text = |a: &str, b: &str| {
        format!(
            "\tv_mov_b32_dpp v0, v4 quad_perm:[{a}] row_mask:0xf bank_mask:0xf bound_ctrl:1\n\
             \tv_sub_f32_dpp v0, v4, v0 quad_perm:[{b}] row_mask:0xf bank_mask:0xf bound_ctrl:1\n"
        )
    };
    let cases = [
        ("0,0,0,0", "1,1,1,1", QuadPurpose::DerivativeX),
        ("0,0,2,2", "1,1,3,3", QuadPurpose::DerivativeX),
        ("0,0,0,0", "2,2,2,2", QuadPurpose::DerivativeY),
        ("0,1,0,1", "2,3,2,3", QuadPurpose::DerivativeY),
        ("0,0,0,0", "3,3,3,3", QuadPurpose::Other),
        ("0,1,2,3", "1,0,3,2", QuadPurpose::Other),
    ];
    for (a, b, purpose) in cases {
        let facts = read(&text(a, b), StageKind::Compute);
        let purposes: Vec<_> = facts.quad_permutes.iter().map(|permute| permute.purpose).collect();
        assert_eq!(purposes, [purpose; 2], "{a} and {b}");
    }
    let other = text("0,0,0,0", "1,1,1,1").replacen("v4", "v5", 1);
    let facts = read(&other, StageKind::Compute);
    assert!(facts.quad_permutes.iter().all(|permute| permute.purpose == QuadPurpose::Other), "of two values");
}

#[test]
fn marks_long_texts_as_truncated() {
    let text = "\ts_nop 0\n".repeat(MAX_LINES + 5);
    let facts = read(&text, StageKind::Compute);
    assert!(facts.cut && facts.digest().cut);
    assert_eq!(facts.instructions.len(), MAX_LINES);
    let said = ("cut", "only the first 131072 lines are analyzed".to_owned());
    assert_eq!(facts.summary().first(), Some(&said));
}

#[test]
fn liveness_of_many_branches_finishes_or_gives_up() {
    let mut text = String::new();
    for block in 0..20_000u32 {
        let target = block.wrapping_mul(7919) % 20_000;
        let _ = writeln!(
            text,
            "BB{block}:\n\tv_add_f32_e32 v{}, v{}, v{target}\n\ts_cbranch_scc1 BB{target}",
            block % 256,
            target % 256
        );
    }
    let facts = read(&text, StageKind::Compute);
    assert_eq!(facts.blocks.len(), 20_000);
    assert!(facts.pressure.is_empty() || facts.pressure.len() == facts.instructions.len());
}

#[test]
fn facts_survive_json() {
    for name in ["lit_surface.original.whole.vertex.gfx1030.s", "quad_derivatives.swizzled.whole.compute.gfx1100.s"] {
        let facts = named(name).facts();
        let text = serde_json::to_string(&facts).expect("facts are JSON");
        assert_eq!(serde_json::from_str::<IsaFacts>(&text).expect("reads"), facts);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Any text gives facts that fit together.
    #[test]
    fn any_text_is_read(text in "[ -~\n\t]{0,400}|\\PC{0,200}") {
        check(&text)?;
    }

    /// So does a real text with bytes changed, lines moved or cut.
    #[test]
    fn a_changed_text_is_read(
        which in 0usize..80,
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0u8..5, "[ -~\n]"), 1..20),
    ) {
        let sample = samples().swap_remove(which);
        let mut bytes = sample.text.into_bytes();
        for (at, kind, byte) in changes {
            if bytes.is_empty() {
                break;
            }
            let at = at.index(bytes.len());
            match kind {
                0 => bytes[at] = byte.as_bytes()[0],
                1 => _ = bytes.remove(at),
                2 => bytes.insert(at, byte.as_bytes()[0]),
                3 => bytes.truncate(at),
                _ => bytes.rotate_left(at),
            }
        }
        check(&String::from_utf8_lossy(&bytes))?;
    }
}

fn check(text: &str) -> Result<(), TestCaseError> {
    for stage in [StageKind::Compute, StageKind::Fragment] {
        let facts = read(text, stage);
        let count = facts.instructions.len();
        prop_assert!(facts.pressure.len() == count);
        let mut lines: Vec<u32> =
            facts.instructions.iter().map(|i| i.line).chain(facts.unknown.iter().copied()).collect();
        let found = lines.len();
        lines.sort_unstable();
        lines.dedup();
        prop_assert_eq!(lines.len(), found, "a line is one thing");
        prop_assert_eq!(facts.blocks.iter().map(|block| block.count as usize).sum::<usize>(), count);
        for block in &facts.blocks {
            prop_assert!(block.successors.iter().all(|next| (*next as usize) < facts.blocks.len()));
        }
        prop_assert!(facts.ranges.iter().all(|range| range.from <= range.to && (range.to as usize) < count));
        for operand in facts.instructions.iter().flat_map(|i| &i.operands) {
            prop_assert!(operand.columns[0] < operand.columns[1]);
        }
    }
    Ok(())
}
