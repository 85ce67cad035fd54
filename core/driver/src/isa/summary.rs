//! Summaries of an assembly text: the facts that are shorter than the text, and descriptions of them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::vendor_facts::{Derivative, Dialect, Input, Output, Topic};
use super::{
    AttributeRead, Barrier, BarrierPart, Branch, Export, ExportTarget, IdPart, IdRebuild, Interpolation, IsaFacts,
    LaneMove, MAX_LINES, Memory, Peak, QuadDifference, QuadPermute, QuadPurpose, Wait,
};
use lanescope_base::ids::Component;
use lanescope_base::text_format::counted;

/// The facts of an assembly text without instructions and register ranges, which are as long as the text.
/// Instructions are counted from 0, labels apart.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Digest {
    /// The form of the text; absent for AMD's.
    #[serde(skip_serializing_if = "Dialect::is_amd", default)]
    pub dialect: Dialect,
    /// How many instructions there are, each once that is repeated without a line of its own.
    pub instructions: u32,
    /// How many more there are with these repetitions.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub repeated: u32,
    /// Where the most registers are live.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub peak: Option<Peak>,
    /// Reads of attributes.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub interpolations: Vec<Interpolation>,
    /// Exports, in order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub exports: Vec<Export>,
    /// Moves between the lanes of a quad.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub quad_permutes: Vec<QuadPermute>,
    /// Differences between the lanes of a quad that these moves are part of.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub quad_differences: Vec<QuadDifference>,
    /// Moves between lanes that are not named as those of a quad.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub lane_moves: Vec<LaneMove>,
    /// Instructions that make a part of an invocation's id.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub ids: Vec<IdRebuild>,
    /// Every branch.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub branches: Vec<Branch>,
    /// Instructions that read or write memory.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub memory: Vec<Memory>,
    /// Instructions that wait.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub waits: Vec<Wait>,
    /// Barriers of the workgroup, whole or in parts.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub barriers: Vec<Barrier>,
    /// Inputs that are read, where the text is not AMD's.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub inputs: Vec<Input>,
    /// Outputs that are written, where the text is not AMD's.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub outputs: Vec<Output>,
    /// Derivatives, where the text is not AMD's.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub derivatives: Vec<Derivative>,
    /// What the text says nothing of, or not all: what its list lacks means nothing.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub not_known: Vec<Topic>,
    /// The text was longer than is read: all this is of its first [`MAX_LINES`] lines.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub cut: bool,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// Lines that one fact of a summary names; the others are counted.
const LINES_AT_MOST: usize = 6;
/// Branches that a summary names; the others are counted.
const BRANCHES_AT_MOST: usize = 16;

impl IsaFacts {
    /// The facts that are shorter than the text.
    pub fn digest(&self) -> Digest {
        Digest {
            dialect: self.dialect,
            instructions: u32::try_from(self.instructions.len()).unwrap_or(u32::MAX),
            repeated: self.instructions.iter().fold(0, |sum, i| sum.saturating_add(i.repeated)),
            peak: self.peak,
            interpolations: self.interpolations.clone(),
            exports: self.exports.clone(),
            quad_permutes: self.quad_permutes.clone(),
            quad_differences: self.quad_differences.clone(),
            lane_moves: self.lane_moves.clone(),
            ids: self.ids.clone(),
            branches: self.branches.clone(),
            memory: self.memory.clone(),
            waits: self.waits.clone(),
            barriers: self.barriers.clone(),
            inputs: self.inputs.clone(),
            outputs: self.outputs.clone(),
            derivatives: self.derivatives.clone(),
            not_known: self.not_known.clone(),
            cut: self.cut,
        }
    }

    /// Descriptions of instructions, by index: only those that add to the text.
    pub fn words(&self) -> BTreeMap<u32, String> {
        let mut out = self.interface_words();
        for read in &self.interpolations {
            let at = slot(read.attribute, read.channel);
            let half = match (read.low, read.high) {
                (true, true) => ", both 16-bit halves",
                (true, false) => ", the low half",
                (false, true) => ", the high half",
                (false, false) => "",
            };
            out.insert(read.instruction, format!("reads attribute {at}{half}: {}", how(read.read)));
        }
        for export in &self.exports {
            let form = if export.compressed { ", two 16-bit values per register" } else { "" };
            let last = if export.done { "; done" } else { "" };
            let what = match export.target {
                ExportTarget::Parameter => format!("parameter {}, {}", export.index, channels(export.mask)),
                ExportTarget::Position => format!("position {}, {}", export.index, channels(export.mask)),
                ExportTarget::Color => format!("color {}, {}", export.index, exported(export)),
                ExportTarget::DualSource => format!("dual-source color {}, {}", export.index, exported(export)),
                ExportTarget::Depth => "depth, stencil reference or coverage".to_owned(),
                ExportTarget::Primitive => "vertex indices of the primitive".to_owned(),
                ExportTarget::Null => "nothing".to_owned(),
                ExportTarget::Other => "to an unknown target".to_owned(),
            };
            out.insert(export.instruction, format!("exports {what}{form}{last}"));
        }
        for permute in &self.quad_permutes {
            let [a, b, c, d] = permute.lanes;
            let why = match permute.purpose {
                QuadPurpose::DerivativeX => ": part of a derivative in x",
                QuadPurpose::DerivativeY => ": part of a derivative in y",
                QuadPurpose::DerivativeXY => ": part of a derivative in x and of one in y",
                QuadPurpose::FlatInput => ": broadcast of one vertex's value to the quad",
                QuadPurpose::Interpolation => ": second step of an interpolation",
                QuadPurpose::Other => "",
            };
            out.insert(permute.instruction, format!("lanes of the quad read lanes {a}, {b}, {c}, {d}{why}"));
        }
        for found in &self.lane_moves {
            out.insert(found.instruction, format!("cross-lane move: {}", found.how));
        }
        out.extend(self.ids.iter().map(|id| (id.instruction, format!("computes {}", part(id.what)))));
        for branch in &self.branches {
            let when = if branch.conditional { "may branch" } else { "branches" };
            let target = branch.block.and_then(|block| self.blocks.get(block as usize));
            let line = target.map_or("to an unknown label".to_owned(), |block| format!("to line {}", block.line + 1));
            // Intel's name two labels.
            let known = out.entry(branch.instruction).or_default();
            let first = known.is_empty();
            known.push_str(&if first { format!("{when} {line}") } else { format!(" or {line}") });
        }
        for memory in &self.memory {
            out.entry(memory.instruction).or_insert_with(|| format!("memory: {} {}", memory.space, memory.does));
        }
        for barrier in self.barriers.iter().filter(|barrier| barrier.part == BarrierPart::Signal) {
            out.insert(barrier.instruction, "signals the barrier".to_owned());
        }
        for wait in &self.waits {
            let known = out.entry(wait.instruction).or_default();
            let and = if known.is_empty() { "" } else { "; " };
            known.push_str(&format!("{and}waits for {}", wait.until));
        }
        out
    }

    /// Summary rows: the topic and the facts, with lines counted from 1. Topics without facts
    /// are omitted.
    pub fn summary(&self) -> Vec<(&'static str, String)> {
        let mut out = Vec::new();
        if self.cut {
            out.push(("cut", format!("only the first {MAX_LINES} lines are analyzed")));
        }
        if let Some(peak) = self.peak {
            let [vgprs, sgprs] = [peak.vgprs_at, peak.sgprs_at].map(|at| self.line(at));
            let most = peak.most;
            let least = if peak.at_least { "at least " } else { "" };
            let (lane, wave) = self.dialect.counted(most);
            let wave = wave.map(|wave| format!(" and {} {wave} (line {sgprs})", most.sgprs)).unwrap_or_default();
            out.push(("peak", format!("{least}{} {lane} (line {vgprs}){wave} live", most.vgprs)));
        }
        out.push(("attributes", self.attributes()));
        out.extend(self.interface_summary());
        let export = |export: &Export| match export.target {
            ExportTarget::Depth | ExportTarget::Primitive | ExportTarget::Null | ExportTarget::Other => {
                export.target.to_string()
            }
            target => format!("{target}{} {}", export.index, exported(export)),
        };
        out.push(("exports", self.exports.iter().map(export).collect::<Vec<_>>().join(", ")));
        let ids = self.ids.iter().map(|id| (part(id.what).to_owned(), id.instruction));
        out.push(("ids", self.listed(ids)));
        let quads = self.quad_permutes.iter().map(|permute| (permute.purpose.to_string(), permute.instruction));
        out.push(("quads", self.listed(quads)));
        let branch = |branch: &Branch| {
            let block = branch.block.and_then(|block| self.blocks.get(block as usize));
            let to = block.map(|block| format!(" (line {})", block.line.saturating_add(1))).unwrap_or_default();
            format!("line {} to {}{to}", self.line(branch.instruction), branch.target)
        };
        let shown: Vec<_> = self.branches.iter().take(BRANCHES_AT_MOST).map(branch).collect();
        let more = self.branches.len().saturating_sub(BRANCHES_AT_MOST);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        out.push(("branches", shown.join(", ") + &more));
        let moves = self.lane_moves.iter().map(|found| (found.how.to_string(), self.times(found.instruction)));
        out.push(("lane moves", counts(moves)));
        let memory = |memory: &Memory| (format!("{} {}", memory.space, memory.does), self.times(memory.instruction));
        out.push(("memory", counts(self.memory.iter().map(memory))));
        let wait = |wait: &Wait| (wait.until.clone(), self.times(wait.instruction));
        out.push(("waits", counts(self.waits.iter().map(wait))));
        let barrier = |barrier: &Barrier| (barrier.part.to_string(), self.times(barrier.instruction));
        if !self.dialect.is_amd() {
            out.push(("barriers", counts(self.barriers.iter().map(barrier))));
        }
        let axes = self.derivatives.iter().map(|found| (found.axis.to_string(), found.instruction));
        out.push(("derivatives", self.listed(axes)));
        out.push(("not known", self.not_known_summary()));
        out.retain(|(_, text)| !text.is_empty());
        out
    }

    /// The attributes with their channels, those that are read alike together: with their halves, if they are read as
    /// 16-bit values. An attribute whose channels are read in several ways is named for each of them.
    fn attributes(&self) -> String {
        #[derive(Default)]
        struct Read {
            channels: u8,
            low: u8,
            high: u8,
        }
        let mut attributes: BTreeMap<(u32, How), Read> = BTreeMap::new();
        for read in &self.interpolations {
            let how = match read.read {
                AttributeRead::First | AttributeRead::Second => How::Interpolated,
                AttributeRead::Quad => How::Quad,
                AttributeRead::Vertex => How::Vertex,
            };
            let known = attributes.entry((read.attribute, how)).or_default();
            let bit = 1u8.checked_shl(u32::from(read.channel)).unwrap_or(0);
            known.channels |= bit;
            known.low |= if read.low { bit } else { 0 };
            known.high |= if read.high { bit } else { 0 };
        }
        let ways = |index: u32| attributes.keys().filter(|(other, _)| *other == index).count();
        let attribute = |((index, how), read): (&(u32, How), &Read)| {
            let halves = [("low", read.low), ("high", read.high)].into_iter().filter(|(_, mask)| *mask != 0);
            let halves: Vec<_> = halves.map(|(name, mask)| format!("{name} {}", channels(mask))).collect();
            let halves = if halves.is_empty() { String::new() } else { format!(" ({})", halves.join(", ")) };
            let how = match how {
                How::Vertex => " of one vertex",
                How::Interpolated if ways(*index) > 1 => " interpolated",
                How::Interpolated | How::Quad => "",
            };
            format!("{index}.{}{halves}{how}", channels(read.channels))
        };
        attributes.iter().map(attribute).collect::<Vec<_>>().join(", ")
    }

    /// How many times in a row an instruction is executed.
    fn times(&self, instruction: u32) -> usize {
        self.instructions.get(instruction as usize).map_or(1, |found| found.times() as usize)
    }

    /// The line of an instruction, from 1.
    fn line(&self, instruction: u32) -> u32 {
        self.instructions.get(instruction as usize).map_or(0, |found| found.line.saturating_add(1))
    }

    /// Facts with their lines.
    pub(crate) fn listed(&self, facts: impl Iterator<Item = (String, u32)>) -> String {
        let mut lines: Vec<(String, Vec<u32>)> = Vec::new();
        for (fact, instruction) in facts {
            let line = self.line(instruction);
            match lines.iter_mut().find(|(known, _)| *known == fact) {
                Some((_, known)) => known.push(line),
                None => lines.push((fact, vec![line])),
            }
        }
        let one = |(fact, lines): (String, Vec<u32>)| {
            let shown: Vec<_> = lines.iter().take(LINES_AT_MOST).map(u32::to_string).collect();
            let more = lines.len().saturating_sub(LINES_AT_MOST);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("{fact}: {} {}{more}", if lines.len() == 1 { "line" } else { "lines" }, shown.join(", "))
        };
        lines.into_iter().map(one).collect::<Vec<_>>().join("; ")
    }
}

/// Each once, with how often: `image sample 3, buffer load 1`.
fn counts(facts: impl Iterator<Item = (String, usize)>) -> String {
    let mut out: Vec<(String, usize)> = Vec::new();
    for (fact, times) in facts {
        match out.iter_mut().find(|(known, _)| *known == fact) {
            Some((_, count)) => *count = count.saturating_add(times),
            None => out.push((fact, times)),
        }
    }
    out.into_iter().map(|(fact, count)| format!("{fact} {count}×")).collect::<Vec<_>>().join(", ")
}

/// How a channel of an attribute is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum How {
    Interpolated,
    /// From all vertices; what is made of them is not known here.
    Quad,
    Vertex,
}

fn slot(attribute: u32, channel: u8) -> String {
    format!("{attribute}.{}", Component(channel).letter())
}

fn channels(mask: u8) -> String {
    let written = (0u8..4).filter(|channel| mask >> channel & 1 == 1).map(|channel| Component(channel).letter());
    let text: String = written.collect();
    if text.is_empty() { "no channel".to_owned() } else { text }
}

/// What an export writes: channels, else registers.
fn exported(export: &Export) -> String {
    if export.is_unclear() { counted(export.mask.count_ones(), "register") } else { channels(export.mask) }
}

fn how(read: AttributeRead) -> &'static str {
    match read {
        AttributeRead::First => "first step of an interpolation",
        AttributeRead::Second => "second step of an interpolation",
        AttributeRead::Vertex => "value of one vertex, not interpolated",
        AttributeRead::Quad => "values of all three vertices, into the lanes of the quad",
    }
}

fn part(id: IdPart) -> &'static str {
    match id {
        IdPart::UnpackX => "invocation id x",
        IdPart::UnpackY => "invocation id y",
        IdPart::UnpackZ => "invocation id z",
        IdPart::Lane => "lane index",
        IdPart::Linear => "thread index in the workgroup",
        IdPart::Remap => "coordinate of a remapped invocation id",
    }
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;
    use lanescope_model::program::StageKind;

    #[test]
    fn summarises_a_text_with_line_numbers() {
        let text = "BB0:\n\ts_mov_b32 m0, s2\n\tv_interp_p1_f32_e32 v2, v0, attr1.x\n\
            \tv_interp_p2_f32_e32 v2, v1, attr1.x\n\tv_interp_mov_f32_e32 v3, p0, attr2.y\n\
            \tv_mov_b32_dpp v4, v2 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1\n\
            \tv_sub_f32_dpp v4, v2, v4 quad_perm:[1,1,1,1] row_mask:0xf bank_mask:0xf bound_ctrl:1\n\
            \ts_cbranch_scc0 BB2\nBB1:\n\timage_sample v[4:5], v[2:3], s[8:15], s[4:7] dmask:0x3\n\
            \ts_waitcnt vmcnt(0)\nBB2:\n\texp mrt0 v4, v4, off, off done compr vm\n\ts_endpgm\n";
        let facts = read(text, StageKind::Fragment);
        let summary: Vec<String> =
            facts.summary().into_iter().map(|(about, text)| format!("{about}: {text}")).collect();
        assert_eq!(
            summary,
            [
                // v2 and v3 for the image, and v4; the image's twelve scalars, and s2.
                "peak: 3 VGPRs (line 6) and 13 SGPRs (line 2) live",
                "attributes: 1.x, 2.y of one vertex",
                "exports: mrt0 xy",
                "quads: derivative-x: lines 6, 7",
                "branches: line 8 to BB2 (line 12)",
                "memory: image sample 1×",
                "waits: vmcnt(0) 1×",
            ]
        );
        let words: Vec<String> = facts.words().into_values().collect();
        assert_eq!(
            words,
            [
                "reads attribute 1.x: first step of an interpolation",
                "reads attribute 1.x: second step of an interpolation",
                "reads attribute 2.y: value of one vertex, not interpolated",
                "lanes of the quad read lanes 0, 0, 0, 0: part of a derivative in x",
                "lanes of the quad read lanes 1, 1, 1, 1: part of a derivative in x",
                "may branch to line 12",
                "memory: image sample",
                "waits for vmcnt(0)",
                "exports color 0, xy, two 16-bit values per register; done",
            ]
        );
        let digest = facts.digest();
        let text = serde_json::to_string(&digest).expect("it is JSON");
        assert_eq!(serde_json::from_str::<Digest>(&text).expect("reads"), digest);
    }

    #[test]
    fn channels_of_one_attribute_may_be_read_in_several_ways() {
        let text = "\tv_interp_p1_f32_e32 v2, v0, attr0.x\n\tv_interp_p2_f32_e32 v2, v1, attr0.x\n\
            \tv_interp_p1_f32_e32 v3, v0, attr0.y\n\tv_interp_mov_f32_e32 v4, p0, attr0.z\n\
            \tv_interp_mov_f32_e32 v5, p0, attr1.w\n\tv_interp_p1_f32_e32 v6, v0, attr2.x\n\
            \tv_interp_mov_f32_e32 v7, p10, attr2.x\n\tlds_param_load v8, attr3.x\n";
        let summary = read(text, StageKind::Fragment).summary();
        let attributes = summary.iter().find(|(about, _)| *about == "attributes").map(|(_, text)| text.as_str());
        let expected =
            "0.xy interpolated, 0.z of one vertex, 1.w of one vertex, 2.x interpolated, 2.x of one vertex, 3.x";
        assert_eq!(attributes, Some(expected));
    }

    #[test]
    fn describes_exports_by_channels_or_registers() {
        let text = "\tv_mov_b32_e32 v0, 0x38003c00\n\tv_cvt_pk_rtz_f16_f32_e32 v2, v3, v4\n\texp mrt1 v2, v128, off, \
                    off\n\
            \texp mrt0 v0, v1, off, off\n\texp dual_src_blend0 v2, v2, off, off\n\texp null off, off, off, off\n\
            \texp unheard4 v0, off, off, off done\n\ts_endpgm\n";
        let facts = read(text, StageKind::Fragment);
        let words: Vec<String> = facts.words().into_values().collect();
        assert_eq!(
            words,
            [
                "exports color 1, xy, two 16-bit values per register",
                "exports color 0, 2 registers",
                "exports dual-source color 0, xyzw, two 16-bit values per register",
                "exports nothing",
                "exports to an unknown target; done",
            ]
        );
        let summary = facts.summary();
        let exports = summary.iter().find(|(about, _)| *about == "exports").map(|(_, text)| text.as_str());
        assert_eq!(exports, Some("mrt1 xy, mrt0 2 registers, dual_src_blend0 xyzw, null, other"));
    }

    #[test]
    fn text_without_instructions_has_no_summary() {
        let facts = read("nothing of that kind", StageKind::Vertex);
        assert!(facts.summary().is_empty() && facts.words().is_empty());
    }

    #[test]
    fn many_lines_of_one_fact_are_counted() {
        let text = "\tv_mbcnt_lo_u32_b32 v0, -1, 0\n".repeat(9);
        let summary = read(&text, StageKind::Compute).summary();
        let ids = summary.iter().find(|(about, _)| *about == "ids").map(|(_, text)| text.as_str());
        assert_eq!(ids, Some("lane index: lines 1, 2, 3, 4, 5, 6 and 3 more"));
    }
}
