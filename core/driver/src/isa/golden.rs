//! The facts of what Mesa 22.3.6, 25.0.7 and 26.2.6 print for chips from GFX8 to GFX12.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::*;

/// The versions, each a folder of `tests/data/isa_samples`, with how many listings it has.
const VERSIONS: [(&str, usize); 3] = [("mesa-22.3.6", 15), ("mesa-25.0.7", 49), ("mesa-26.2.6", 51)];

/// A listing: `SHADER.LINK.STAGE.CHIP`.
struct Listing {
    name: String,
    text: String,
    facts: IsaFacts,
    statistics: serde_json::Value,
}

fn listings(version: &str) -> Vec<Listing> {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/isa_samples").join(version);
    let json = std::fs::read_to_string(folder.join("statistics.json")).expect("there are statistics");
    let json: BTreeMap<String, serde_json::Value> = serde_json::from_str(&json).expect("they are JSON");
    let of = |(name, statistics): (String, serde_json::Value)| {
        let text = std::fs::read_to_string(folder.join(format!("{name}.s"))).expect("each has a text");
        let stage = name.split('.').nth(2).expect("a stage").parse().expect("is one");
        let facts = read(&text, stage);
        Listing { name, text, facts, statistics }
    };
    json.into_iter().map(of).collect()
}

fn all() -> Vec<Listing> {
    VERSIONS.iter().flat_map(|(version, _)| listings(version)).collect()
}

#[test]
fn each_version_has_its_listings() {
    for (version, count) in VERSIONS {
        assert_eq!(listings(version).len(), count, "{version}");
    }
}

#[test]
fn every_line_is_covered_by_a_fact() {
    let mut counts = [[0; 2]; 7];
    for listing in all() {
        let found = coverage(&listing.text, &listing.facts);
        assert_eq!(found.first_unread, None, "{} {}", listing.statistics["driver"], listing.name);
        assert!(listing.facts.unknown.is_empty(), "{}: {:?}", listing.name, listing.facts.unknown);
        let kinds = [
            found.attributes,
            found.exports,
            found.memory,
            found.waits,
            found.barriers,
            found.branches,
            found.lane_moves,
        ];
        for (sum, count) in counts.iter_mut().zip(kinds) {
            *sum = [sum[0] + count.found, sum[1] + count.read];
        }
    }
    assert!(counts.iter().all(|[found, read]| found == read && *found > 20), "each kind occurs: {counts:?}");
}

#[test]
fn detects_a_line_missing_from_the_facts() {
    for listing in all() {
        let mut facts = listing.facts.clone();
        let lost = if facts.exports.pop().is_some() {
            "an unknown export"
        } else if facts.waits.pop().is_some() {
            "an unknown wait"
        } else {
            continue;
        };
        let unread = not_understood(&listing.text, &facts).expect("it is seen");
        assert_eq!(unread.why, lost, "{}", listing.name);
    }
}

#[test]
fn there_are_as_many_instructions_as_the_driver_counts() {
    for Listing { name, facts, statistics, .. } in all() {
        let digest = facts.digest();
        let instructions = u64::from(digest.instructions + digest.repeated);
        // What aligns a loop is put in after the driver has counted.
        let loops = facts.blocks.iter().zip(0u32..).any(|(block, at)| block.successors.iter().any(|next| *next <= at));
        let aligns = |i: &&Instruction| ["s_nop", "s_set_inst_prefetch_distance"].contains(&i.mnemonic.as_str());
        let aligning: u64 = facts.instructions.iter().filter(aligns).map(|i| u64::from(i.times())).sum();
        let counted = statistics["Instructions"].as_u64().expect("is a number");
        let exact = counted == instructions || loops && (counted..=counted + aligning).contains(&instructions);
        assert!(exact, "{} {name}: {instructions}, {aligning} of them align, not {counted}", statistics["driver"]);
        let words = |i: &Instruction| i.words.split(' ').count() as u64 * 4 * u64::from(i.times());
        let bytes: u64 = facts.instructions.iter().map(words).sum();
        assert!(Some(bytes) <= statistics["Code size"].as_u64(), "{name}: {bytes}");
    }
}

#[test]
fn no_more_registers_are_live_than_the_compiler_allocated() {
    for Listing { name, facts, statistics, .. } in all() {
        let peak = facts.peak.expect("there are instructions").most;
        let [vgprs, sgprs] = ["VGPRs", "SGPRs"].map(|name| statistics[name].as_u64().expect("is told"));
        assert!(u64::from(peak.vgprs) <= vgprs, "{name}: {} of {vgprs} VGPRs", peak.vgprs);
        assert!(u64::from(peak.sgprs) <= sgprs, "{name}: {} of {sgprs} SGPRs", peak.sgprs);
    }
}

#[test]
fn every_branch_finds_its_label_and_every_block_is_reached() {
    for Listing { name, facts, .. } in all() {
        assert!(facts.branches.iter().all(|branch| branch.block.is_some()), "{name}");
        assert_eq!(facts.blocks.iter().map(|block| block.count as usize).sum::<usize>(), facts.instructions.len());
    }
}

/// The facts in short: one line each.
fn summary(facts: &IsaFacts) -> String {
    let mut out = String::new();
    let mut reads: BTreeMap<(u32, AttributeRead), Vec<String>> = BTreeMap::new();
    for read in &facts.interpolations {
        let halves = match (read.low, read.high) {
            (false, false) => "",
            (true, false) => ".l",
            (false, true) => ".h",
            (true, true) => ".lh",
        };
        let channel = ["x", "y", "z", "w"][usize::from(read.channel)];
        reads.entry((read.attribute, read.read)).or_default().push(format!("{channel}{halves}"));
    }
    for ((attribute, read), channels) in reads {
        let _ = writeln!(out, "attribute {attribute} {read}: {}", channels.join(" "));
    }
    for export in &facts.exports {
        let form = export.form.map_or(String::new(), |form| format!(" {form}"));
        let unclear = if export.is_unclear() { " unclear" } else { "" };
        let flags = [(export.compressed, " compressed"), (export.done, " done")];
        let flags: String = flags.iter().filter(|(on, _)| *on).map(|(_, name)| *name).collect();
        let _ =
            writeln!(out, "export {} {} mask {:04b}{form}{unclear}{flags}", export.target, export.index, export.mask);
    }
    if let Some(slots) = crate::layout::slots_written(facts).filter(|slots| !slots.is_empty()) {
        let _ = writeln!(out, "slots {}", slots.iter().map(u32::to_string).collect::<Vec<_>>().join(" "));
    }
    for permute in &facts.quad_permutes {
        let _ = writeln!(out, "quad {:?} {} at {}", permute.lanes, permute.purpose, permute.instruction);
    }
    for found in &facts.quad_differences {
        let QuadDifference { instruction, axis, lanes, permutes } = found;
        let _ = writeln!(out, "difference {axis} {lanes:?} at {instruction} of {permutes:?}");
    }
    for found in &facts.lane_moves {
        let _ = writeln!(out, "lanes {} at {}", found.how, found.instruction);
    }
    for id in &facts.ids {
        let _ = writeln!(out, "id {} at {}", id.what, id.instruction);
    }
    for branch in &facts.branches {
        let _ = writeln!(out, "branch at {} to {}", branch.instruction, branch.target);
    }
    for (name, all) in [
        ("waits", count(facts.waits.iter().map(|wait| wait.until.clone()))),
        ("barriers", count(facts.barriers.iter().map(|barrier| barrier.part.to_string()))),
        ("memory", count(facts.memory.iter().map(|memory| format!("{} {}", memory.space, memory.does)))),
    ] {
        if !all.is_empty() {
            let _ = writeln!(out, "{name} {all}");
        }
    }
    if let Some(Peak { most, vgprs_at, sgprs_at, .. }) = facts.peak {
        let _ = writeln!(out, "peak {} VGPRs at {vgprs_at}, {} SGPRs at {sgprs_at}", most.vgprs, most.sgprs);
    }
    let digest = facts.digest();
    let more = if digest.repeated > 0 { format!(" and {} repeated", digest.repeated) } else { String::new() };
    let _ = writeln!(out, "{} instructions{more} in {} blocks", digest.instructions, facts.blocks.len());
    out
}

fn count(all: impl Iterator<Item = String>) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    all.for_each(|one| *counts.entry(one).or_default() += 1);
    counts.into_iter().map(|(name, count)| format!("{name} {count}×")).collect::<Vec<_>>().join(", ")
}

fn facts_of(version: &str) -> String {
    let mut out = String::new();
    for listing in listings(version) {
        let _ = writeln!(out, "== {}\n{}", listing.name, summary(&listing.facts));
    }
    out
}

#[test]
fn the_facts_of_mesa_22_3() {
    insta::assert_snapshot!(facts_of("mesa-22.3.6"));
}

#[test]
fn the_facts_of_mesa_25_0() {
    insta::assert_snapshot!(facts_of("mesa-25.0.7"));
}

#[test]
fn the_facts_of_mesa_26_2() {
    insta::assert_snapshot!(facts_of("mesa-26.2.6"));
}
