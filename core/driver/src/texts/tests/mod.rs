//! What drivers print for chips of other vendors, in `tests/data/texts`: `DIALECT/VERSION/SHADER.STAGE.CHIP.s`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use proptest::prelude::*;

use super::super::isa::{OperandKind, Registers};
use super::*;

mod intel;
mod interface;

/// The dialects, with their folders and how many listings they have.
const FOLDERS: [(Dialect, &str, usize); 6] = [
    (Dialect::Nak, "nak/mesa-26.2.6", 36),
    (Dialect::Ir3, "ir3/mesa-26.2.6", 57),
    (Dialect::Gen, "gen/mesa-22.3.6", 8),
    (Dialect::Gen, "gen/mesa-25.0.7", 3),
    (Dialect::Gen, "gen/mesa-26.1.6", 3),
    (Dialect::Gen, "gen/mesa-26.2.6", 10),
];

/// A listing.
struct Listing {
    dialect: Dialect,
    name: String,
    stage: StageKind,
    text: String,
}

impl Listing {
    fn facts(&self) -> IsaFacts {
        read(self.dialect, &self.text, self.stage)
    }
}

fn listings() -> Vec<Listing> {
    let mut out = Vec::new();
    for (dialect, folder, count) in FOLDERS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/texts").join(folder);
        let files = std::fs::read_dir(&folder).expect("there are texts");
        let mut names: Vec<String> =
            files.map(|file| file.expect("is read").file_name().into_string().expect("a plain name")).collect();
        names.sort();
        assert_eq!(names.len(), count, "{}", folder.display());
        out.extend(names.into_iter().map(|name| {
            let text = std::fs::read_to_string(folder.join(&name)).expect("a text");
            let stage = name.split('.').nth(1).expect("a stage").parse().expect("is one");
            Listing { dialect, name, stage, text }
        }));
    }
    out
}

fn named(name: &str) -> Listing {
    listings().into_iter().find(|listing| listing.name == name).unwrap_or_else(|| panic!("no {name}"))
}

/// A line of a listing, from 1.
fn line(listing: &Listing, number: u32) -> &str {
    listing.text.lines().nth(number as usize).expect("a line").trim()
}

#[test]
fn every_line_of_every_listing_is_covered_by_a_fact() {
    for listing in listings() {
        let facts = listing.facts();
        let unread = unread(&listing.text, &facts);
        assert_eq!(unread, [], "{}", listing.name);
        assert!(facts.unknown.is_empty() && !facts.instructions.is_empty(), "{}", listing.name);
        assert!(facts.branches.iter().all(|branch| branch.block.is_some()), "{}", listing.name);
        assert!(facts.interpolations.is_empty() && facts.exports.is_empty() && facts.quad_permutes.is_empty());
        // Some of Intel's do not show how large a register is, or which one is written.
        let none = facts.pressure.is_empty() && listing.dialect == Dialect::Gen;
        assert!(none || facts.pressure.len() == facts.instructions.len(), "{}", listing.name);
    }
}

#[test]
fn a_line_that_is_not_understood_is_named() {
    for listing in listings() {
        let lines = listing.text.trim_end().lines().count();
        let text = format!("{}\nsome words of another text\n", listing.text.trim_end());
        let found = unread(&text, &listing.facts_of(&text));
        assert_eq!(found.iter().map(|unread| unread.line as usize).collect::<Vec<_>>(), [lines], "{}", listing.name);
    }
}

impl Listing {
    fn facts_of(&self, text: &str) -> IsaFacts {
        read(self.dialect, text, self.stage)
    }
}

/// A fact that is taken out is missed.
#[test]
fn detects_a_line_missing_from_the_facts() {
    for listing in listings() {
        let whole = listing.facts();
        type Clear = fn(&mut IsaFacts) -> Vec<u32>;
        let clear: [Clear; 7] = [
            |facts| std::mem::take(&mut facts.inputs).iter().filter_map(|input| input.instruction).collect(),
            |facts| std::mem::take(&mut facts.outputs).iter().filter_map(|output| output.instruction).collect(),
            |facts| std::mem::take(&mut facts.memory).iter().map(|memory| memory.instruction).collect(),
            |facts| std::mem::take(&mut facts.barriers).iter().map(|barrier| barrier.instruction).collect(),
            |facts| std::mem::take(&mut facts.branches).iter().map(|branch| branch.instruction).collect(),
            |facts| std::mem::take(&mut facts.derivatives).iter().map(|found| found.instruction).collect(),
            |facts| std::mem::take(&mut facts.waits).iter().map(|wait| wait.instruction).collect(),
        ];
        for (kind, clear) in clear.into_iter().enumerate() {
            let mut facts = whole.clone();
            let taken: BTreeSet<u32> = clear(&mut facts).into_iter().collect();
            // Inputs that no instruction reads, and whose line says which.
            let fetches = listing.text.lines().filter(|line| kind == 0 && line.starts_with("@tex")).count();
            let missed = unread(&listing.text, &facts).len();
            assert_eq!(missed, taken.len() + fetches, "{}: {kind}", listing.name);
        }
    }
}

#[test]
fn the_facts_of_each_listing() {
    let mut all = String::new();
    for listing in listings() {
        let facts = listing.facts();
        let _ = writeln!(all, "== {}: {} instructions", listing.name, facts.instructions.len());
        for (about, what) in facts.summary() {
            // Which waits there are is a line for each of them.
            if about != "waits" {
                let _ = writeln!(all, "{about}: {what}");
            }
        }
    }
    insta::assert_snapshot!(all);
}

#[test]
fn facts_survive_json() {
    for listing in listings() {
        let (facts, digest) = (listing.facts(), listing.facts().digest());
        let text = serde_json::to_string(&facts).expect("facts are JSON");
        assert_eq!(serde_json::from_str::<IsaFacts>(&text).expect("reads"), facts);
        assert_eq!(
            serde_json::from_str::<super::super::isa::Digest>(&serde_json::to_string(&digest).expect("is JSON"))
                .expect("reads"),
            digest
        );
        assert!(text.contains(&format!("\"dialect\":\"{}\"", listing.dialect)));
    }
}

/// The registers of a line, as text, with what is done to them.
fn registers(text: &str, dialect: Dialect) -> Vec<String> {
    let facts = read(dialect, text, StageKind::Compute);
    let of = |(registers, access): (Registers, super::super::isa::Access)| format!("{registers} {access}");
    facts.instructions.iter().flat_map(|i| i.registers()).map(of).collect()
}

#[test]
fn registers_of_nak_are_read_and_written() {
    let of = |line: &str| registers(&format!("block.u 0 L0 [] -> {{\n {line} // delay=1\n}} -> []\n"), Dialect::Nak);
    assert_eq!(of("r4..8 = ald a[r1][0x80]"), ["r4..8 write", "r1 read"]);
    assert_eq!(of("@!p0 r1 = mov -r2"), ["p0 read", "r1 both", "r2 read"]);
    assert_eq!(of("p0 null = plop3 p1 !up2 pT LUT[0xfc] LUT[0x0]"), ["p0 write", "p1 read", "up2 read"]);
    assert_eq!(of("st.shared.strong.cta.b32 [r4.x4+ur5+0x10] r5"), ["r4 read", "ur5 read", "r5 read"]);
    assert_eq!(of("r1 = ldc.b32 cx[ur4..6][r2+0x10]"), ["r1 write", "ur4..6 read", "r2 read"]);
    assert_eq!(of("out.final { r0 }"), ["r0 read"]);
    assert_eq!(of("r7 = iadd2.x rZ c[0x1][0x4].abs c0"), ["r7 write", "c0 read"]);
}

#[test]
fn a_register_of_nak_is_live_from_its_first_write() {
    let text = "block.u 0 L0 [] -> {\n r0 = mov 0x0 // delay=1\n @!p0 r1 = mov r0 // delay=1\n \
                r2 = iadd2 r1 r0 // delay=1\n} -> []\n";
    let facts = read(Dialect::Nak, text, StageKind::Compute);
    assert_eq!(facts.pressure.iter().map(|row| row.vgprs).collect::<Vec<_>>(), [1, 2, 2]);
}

#[test]
fn the_interface_of_nak_is_by_addresses() {
    let fragment = named("plain.fragment.ga102.s");
    let facts = fragment.facts();
    let varyings = facts.inputs.iter().filter(|input| input.slot.what == SlotKind::Varying);
    let places: Vec<_> = varyings.map(|i| (i.slot.location, i.slot.component, i.kind)).collect();
    // As they are written: locations 0, 3 and 5, the last from component 1 on.
    let smooth = InputKind::Interpolated;
    let expected = [
        (Some(3), Some(0), InputKind::Flat),
        (Some(0), Some(0), smooth),
        (Some(5), Some(1), smooth),
        (Some(5), Some(2), smooth),
    ];
    assert_eq!(places, expected);
    assert_eq!(facts.not_known, [Topic::Ids, Topic::Outputs]);
    let vertex = named("plain.vertex.ga102.s").facts();
    let written: Vec<_> = vertex.outputs.iter().map(|o| (o.slot.to_string(), o.slot.component, o.components)).collect();
    // The last location is written though nothing reads it.
    let at = |slot: &str, first, count| (slot.to_owned(), Some(first), Some(count));
    let expected = [
        at("varying 0", 0, 2),
        at("varying 3", 0, 1),
        at("varying 5", 1, 1),
        at("varying 5", 2, 1),
        at("varying 6", 0, 4),
        at("position", 0, 4),
    ];
    assert_eq!(written, expected);
    // Maxwell divides by the perspective in the same instruction.
    let perspective = named("every.fragment.gm204.s").facts();
    let kinds = |kind| perspective.inputs.iter().filter(|input| input.kind == kind).count();
    assert!(kinds(InputKind::Perspective) > 5 && kinds(InputKind::Flat) > 1);
    assert!(perspective.inputs.iter().any(|input| input.at == Some(Sampled::Offset)));
}

#[test]
fn a_branch_of_nak_goes_to_a_block_or_to_where_lanes_meet() {
    let listing = named("flow.fragment.gm204.s");
    let facts = listing.facts();
    let text = |branch: &super::super::isa::Branch| {
        let from = line(&listing, facts.instructions[branch.instruction as usize].line);
        let to = branch.block.map(|block| line(&listing, facts.blocks[block as usize].line).to_owned());
        (from.split("//").next().expect("code").trim().to_owned(), to, branch.conditional)
    };
    let all: Vec<_> = facts.branches.iter().map(text).collect();
    assert!(
        all.contains(&("@!p0            bra pT L4".to_owned(), Some("block 4 L4 [1] -> {".to_owned()), true)),
        "{all:#?}"
    );
    assert!(all.contains(&("brk L0".to_owned(), Some("block.u 3 L0 [2] -> {".to_owned()), false)), "{all:#?}");
    assert_eq!(facts.blocks[1].successors, [2, 4]);
}

#[test]
fn there_are_as_many_instructions_as_ir3_counts() {
    for listing in listings().into_iter().filter(|listing| listing.dialect == Dialect::Ir3) {
        let facts = listing.facts();
        let number = |i: &super::super::isa::Instruction, bit| i.modifier(bit).and_then(|n| n.parse::<u32>().ok());
        let times = |i: &super::super::isa::Instruction| {
            let lanes = i.mnemonic.strip_prefix("movmsk.w").and_then(|lanes| lanes.parse::<u32>().ok());
            lanes.map_or(1, |lanes| lanes / 32) + number(i, "rpt").unwrap_or(0) + number(i, "nop").unwrap_or(0)
        };
        // What is behind the end fills the last cache line.
        let end = facts.instructions.iter().rposition(|i| matches!(i.mnemonic.as_str(), "end" | "chsh"));
        let preamble = facts.instructions.iter().position(|i| i.mnemonic == "shpe").map_or(0, |at| at + 1);
        let counted = facts.instructions[preamble..=end.expect("an end")].iter().map(times).sum::<u32>();
        let said = listing.text.lines().find_map(|line| line.split_once(": ")?.1.split_once(" instr, "));
        assert_eq!(said.map(|(count, _)| count), Some(counted.to_string().as_str()), "{}", listing.name);
    }
}

#[test]
fn registers_of_ir3_are_read_and_written() {
    let of = |line: &str| registers(&format!("{line}\nend\n"), Dialect::Ir3);
    assert_eq!(of("(rpt2)mul.f r4.w, (r)c510.x, r1.y"), ["r4.w-r5.y write", "r1.y read"]);
    assert_eq!(
        of("(sy)(rpt2)mad.f32 r1.y, (last)(r)r0.z, (neg)r2.z, h(1)"),
        ["r1.y-r1.w write", "r0.z-r1.x read", "r2.z read"]
    );
    assert_eq!(of("sam.base0 (f32)(xyzw)r4.w, r2.y, s#2, t#1"), ["r4.w-r5.z write", "r2.y read"]);
    assert_eq!(of("getinfo.base0 (s32)(z)r5.x, t#1"), ["r5.z write"]);
    assert_eq!(of("stl.u32 l[r0.w+16], r1.y, 2"), ["r0.w read", "r1.y-r1.z read"]);
    assert_eq!(of("ldg.a.u32 r1.x, g[r0.z+(r1.z<<2)], 4"), ["r1.x-r1.w write", "r0.z read", "r1.z read"]);
    assert_eq!(of("cmps.s.eq hr2.x, 0, (last)r0.x"), ["hr2.x write", "r0.x read"]);
    assert_eq!(of("atomic.b.add.untyped.1d.u32.1.imm.base0 r3.w, r1.x, 0"), ["r3.w both", "r1.x read"]);
    assert_eq!(of("sam.base0 (f32)(xyzw)r63.x, r48.x, s#4, t#3"), ["r48.x read"]);
}

#[test]
fn numbers_beyond_any_register_are_read() {
    for line in [
        "(rpt4294967295)bary.f r0.x, (r)4294967295, r0.x",
        "(rpt4)mul.f r62.w, (r)r62.w, hr16383.w",
        "ldlv.u32 r0.x, l[4294967295], 4294967295",
        "movmsk.w65535 r0.x",
    ] {
        let facts = read(Dialect::Ir3, &format!("{line}\nend\n"), StageKind::Fragment);
        assert_eq!(facts.instructions.len(), 2, "{line}");
        let _ = unread(line, &facts);
    }
    let text =
        "block.u 4294967295 L99999999999 [4294967295] -> {\n r65535..65536 = ald a[0xffffffff] // wt=1\n} -> [9]\n";
    let facts = read(Dialect::Nak, text, StageKind::Vertex);
    assert_eq!((facts.instructions.len(), facts.inputs.len()), (1, 1));
}

#[test]
fn half_registers_share_full_ones() {
    let of = |line: &str| {
        let facts = read(Dialect::Ir3, &format!("{line}\nend\n"), StageKind::Compute);
        facts.instructions[0].registers().next().expect("one").0
    };
    let full = of("mov.u32u32 r1.x, 0");
    for (half, shares) in [("hr1.w", false), ("hr2.x", true), ("hr2.y", true), ("hr2.z", false)] {
        assert_eq!(of(&format!("mov.u16u16 {half}, 0")).overlaps(&full), shares, "{half}");
    }
}

#[test]
fn the_interface_of_ir3_is_by_its_remarks() {
    let facts = named("flat_and_smooth.fragment.adreno750.s").facts();
    let text: Vec<_> = facts.interface_summary().into_iter().map(|(_, text)| text).collect();
    insta::assert_snapshot!(text.join("\n"));
    let binning = named("lit_surface-binning.vertex.adreno750.s").facts();
    let outputs: Vec<_> = binning.outputs.iter().map(|output| output.slot.to_string()).collect();
    assert_eq!(outputs, ["position"], "the positions alone, in an executable of its own");
    // Without its remarks a text does not say which varying an input is.
    let text = named("plain.fragment.adreno750.s").text;
    let bare: String = text.lines().filter(|line| !line.starts_with(';')).map(|line| line.to_owned() + "\n").collect();
    let facts = read(Dialect::Ir3, &bare, StageKind::Fragment);
    assert!(
        facts.inputs.iter().all(|input| input.slot.what == SlotKind::Unknown)
            && facts.not_known.contains(&Topic::Outputs)
    );
    assert!(unread(&bare, &facts).iter().all(|unread| unread.why == "an unknown input or output"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Any text gives facts that fit together.
    #[test]
    fn any_text_is_read(text in "[ -~\n\t]{0,400}|\\PC{0,200}") {
        for dialect in Dialect::ALL {
            check(*dialect, &text)?;
        }
    }

    /// So does a real text with bytes changed, lines moved or cut.
    #[test]
    fn a_changed_text_is_read(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0u8..5, "[ -~\n]"), 1..20),
    ) {
        let mut all = listings();
        let listing = all.swap_remove(which.index(all.len()));
        let mut bytes = listing.text.into_bytes();
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
        check(listing.dialect, &String::from_utf8_lossy(&bytes))?;
    }
}

fn check(dialect: Dialect, text: &str) -> Result<(), TestCaseError> {
    for stage in [StageKind::Compute, StageKind::Vertex, StageKind::Fragment] {
        let facts = read(dialect, text, stage);
        let count = facts.instructions.len();
        prop_assert!(facts.pressure.len() == count || facts.pressure.is_empty() && dialect == Dialect::Gen);
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
        let all: Vec<&str> = text.split('\n').collect();
        for instruction in &facts.instructions {
            for operand in &instruction.operands {
                let [from, to] = operand.columns.map(|column| column as usize);
                prop_assert!(from < to && all[instruction.line as usize].get(from..to).is_some());
                prop_assert!(!matches!(operand.kind, OperandKind::Registers(r) if r.count == 0));
            }
        }
        // What is described, and what is not understood, can be said of any text.
        let (_, _, _) = (unread(text, &facts), facts.summary(), facts.words());
    }
    Ok(())
}
