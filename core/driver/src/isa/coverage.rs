//! Whether the facts of a text cover it: a scan of the raw text that shares no code and no table with the reader.
//!
//! The scan looks for pieces of text (`attr2.x`, `exp`, `load`, `wait`, `barrier`, `branch`, `dpp`) and checks whether
//! the facts cover that line. So a line of a kind that the reader does not know becomes visible, where the reader alone
//! would leave it out silently. What it cannot see is a new instruction of a known family that only calculates: `v_`
//! and `s_` names are not listed here.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ExportTarget, File, Instruction, IsaFacts, MAX_LINES};

/// How many lines of each kind a text has, and how many of them the facts cover.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Coverage {
    /// Lines that name an attribute.
    pub attributes: Count,
    /// Exports.
    pub exports: Count,
    /// Loads, stores, atomics, samples and cache operations.
    pub memory: Count,
    /// Waits.
    pub waits: Count,
    /// Barriers, or parts of them.
    pub barriers: Count,
    /// Branches and calls.
    pub branches: Count,
    /// Moves between lanes.
    pub lane_moves: Count,
    /// The first line that is not understood, of any kind.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub first_unread: Option<Unread>,
}

/// Lines of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Count {
    /// In the text.
    pub found: u32,
    /// Of these, covered by a fact.
    pub read: u32,
}

/// A line that is not understood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unread {
    /// The line, from 0.
    pub line: u32,
    /// Its text, without spaces around it, at most 160 characters.
    pub text: String,
    /// What about it is not understood.
    pub why: String,
}

/// The first line of a text of which its facts may miss something: a line that is not an instruction, a label or a known
/// annotation; an instruction of an unknown family; a register that does not exist; or an attribute read, export, memory
/// access, wait, barrier, branch or move between lanes without a fact. `facts` are those that [`super::read`] gives for
/// the same text. Numbers that are counts of lines (exported slots, attributes) are facts only where this is none.
pub fn not_understood(text: &str, facts: &IsaFacts) -> Option<Unread> {
    coverage(text, facts).first_unread
}

/// Counts the lines of each kind in a text, and how many of them its facts cover.
pub fn coverage(text: &str, facts: &IsaFacts) -> Coverage {
    let index = Index::of(facts);
    let mut out = Coverage::default();
    let mut in_data = false;
    for (number, line) in (0u32..).zip(text.split('\n').take(MAX_LINES)) {
        in_data |= line.trim() == "/* constant data */";
        let code = stripped(line);
        let words: Vec<&str> = code.split_ascii_whitespace().collect();
        let Some(first) = words.first().copied() else { continue };
        if in_data && first.starts_with('[') {
            continue;
        }
        let why = index.why_unread(number, &code, first, &words, &mut out);
        if let (Some(why), None) = (why, &out.first_unread) {
            out.first_unread = Some(unread(number, line, why));
        }
    }
    if facts.cut && out.first_unread.is_none() {
        let number = u32::try_from(MAX_LINES).unwrap_or(u32::MAX);
        let line = text.split('\n').nth(MAX_LINES).unwrap_or_default();
        out.first_unread = Some(unread(number, line, "beyond the last line that is read"));
    }
    out
}

/// A line that is not understood.
pub(in super::super) fn unread(line: u32, text: &str, why: &str) -> Unread {
    Unread { line, text: text.trim().chars().take(160).collect(), why: why.to_owned() }
}

/// A line without its comments.
fn stripped(line: &str) -> String {
    let code = line.split(';').next().unwrap_or_default();
    let mut pieces = code.split("/*");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        out.push(' ');
        out.push_str(piece.split_once("*/").map_or(piece, |(_, after)| after));
    }
    out
}

/// Families of instructions, by the beginning of their names.
const FAMILIES: [&str; 11] = [
    "v_",
    "s_",
    "ds_",
    "buffer_",
    "tbuffer_",
    "image_",
    "global_",
    "flat_",
    "scratch_",
    "lds_param_load",
    "lds_direct_load",
];

/// What makes a name one of a memory access: its beginning, or a part of it.
const MEMORY: [&str; 13] = [
    "buffer_",
    "tbuffer_",
    "image_",
    "global_",
    "flat_",
    "scratch_",
    "ds_",
    "lds_direct",
    "s_load",
    "s_store",
    "s_buffer",
    "s_scratch",
    "s_atomic",
];
const MEMORY_PARTS: [&str; 5] = ["_load", "_store", "_atomic", "_sample", "_gather"];
/// What makes a name, or a word after it, one of a move between lanes.
const LANE_NAMES: [&str; 5] = ["dpp", "permlane", "swizzle", "_permute", "_bpermute"];
const LANE_WORDS: [&str; 14] = [
    "quad_perm:",
    "dpp8:",
    "row_shl",
    "row_shr",
    "row_ror",
    "row_mirror",
    "row_half_mirror",
    "row_bcast",
    "row_newbcast",
    "row_share",
    "row_xmask",
    "wave_s",
    "wave_r",
    "row_broadcast",
];

/// The instructions that have a fact of each kind.
struct Index<'f> {
    facts: &'f IsaFacts,
    labels: BTreeSet<&'f str>,
    attributes: BTreeMap<u32, (u32, u8)>,
    exports: BTreeMap<u32, String>,
    memory: BTreeSet<u32>,
    waits: BTreeSet<u32>,
    barriers: BTreeSet<u32>,
    branches: BTreeSet<u32>,
    moves: BTreeSet<u32>,
}

impl<'f> Index<'f> {
    fn of(facts: &'f IsaFacts) -> Index<'f> {
        let target = |export: &super::Export| match export.target {
            ExportTarget::Depth | ExportTarget::Primitive | ExportTarget::Null => export.target.to_string(),
            ExportTarget::Other => String::new(),
            target => format!("{target}{}", export.index),
        };
        let quads = facts.quad_permutes.iter().map(|permute| permute.instruction);
        Index {
            labels: facts.blocks.iter().filter_map(|block| block.label.as_deref()).collect(),
            attributes: facts.interpolations.iter().map(|i| (i.instruction, (i.attribute, i.channel))).collect(),
            exports: facts.exports.iter().map(|export| (export.instruction, target(export))).collect(),
            memory: facts.memory.iter().map(|memory| memory.instruction).collect(),
            waits: facts.waits.iter().filter(|wait| !wait.until.is_empty()).map(|wait| wait.instruction).collect(),
            barriers: facts.barriers.iter().map(|barrier| barrier.instruction).collect(),
            branches: facts.branches.iter().filter(|b| b.block.is_some()).map(|branch| branch.instruction).collect(),
            moves: quads.chain(facts.lane_moves.iter().map(|found| found.instruction)).collect(),
            facts,
        }
    }

    /// Why a line is not understood; counts it on the way.
    fn why_unread(
        &self,
        number: u32,
        code: &str,
        first: &str,
        words: &[&str],
        out: &mut Coverage,
    ) -> Option<&'static str> {
        if let ([label], Some(name)) = (words, first.strip_suffix(':'))
            && !label.is_empty()
        {
            return (!self.labels.contains(name)).then_some("an unknown label");
        }
        if first.starts_with("(then") {
            let above = number.checked_sub(1).and_then(|above| self.at(above));
            return above.is_none_or(|(_, i)| i.repeated == 0).then_some("a repeat of an unknown line");
        }
        let Some((index, instruction)) = self.at(number) else {
            self.count_unknown(first, code, out);
            return Some("not an instruction, a label or a known annotation");
        };
        let export = first.starts_with("exp");
        let known = FAMILIES.iter().any(|family| first.starts_with(family)) || ["exp", "export"].contains(&first);
        let mut why = (!known).then_some("an instruction of an unknown family");
        let mut check = |count: &mut Count, is: bool, read: bool, reason: &'static str| {
            if is {
                count.found += 1;
                count.read += u32::from(read);
                if !read {
                    why.get_or_insert(reason);
                }
            }
        };
        let attribute = words.iter().find_map(|word| attribute(word));
        let read = self.attributes.get(&index).map(|(number, channel)| (*number, *channel));
        check(&mut out.attributes, attribute.is_some(), attribute == read.map(Some), "an unknown attribute read");
        let target = words.get(1).map(|word| word.trim_end_matches(','));
        let exported = self.exports.get(&index).map(String::as_str);
        check(&mut out.exports, export, target.is_some() && target == exported, "an unknown export");
        check(&mut out.memory, is_memory(first), self.memory.contains(&index), "an unknown memory access");
        check(&mut out.waits, first.contains("wait"), self.waits.contains(&index), "an unknown wait");
        let barrier = first.contains("barrier");
        check(&mut out.barriers, barrier, self.barriers.contains(&index), "an unknown barrier");
        let branches = ["branch", "s_call", "s_swappc", "subvector_loop"].iter().any(|part| first.contains(part));
        check(&mut out.branches, branches, self.branches.contains(&index), "a branch to an unknown target");
        let moves = is_lane_move(first, words);
        check(&mut out.lane_moves, moves, self.moves.contains(&index), "an unknown cross-lane move");
        if words.contains(&"+") {
            why.get_or_insert("the disassembler prints no operands");
        }
        let named = registers_named(code.split_at_checked(code.find(first)? + first.len())?.1);
        let vector_or_scalar =
            |i: &Instruction| i.registers().filter(|(r, _)| matches!(r.file, File::Vector | File::Scalar)).count();
        if named != vector_or_scalar(instruction) {
            why.get_or_insert("an unknown register");
        }
        why
    }

    fn at(&self, line: u32) -> Option<(u32, &'f Instruction)> {
        let index = self.facts.at_line(line)?;
        Some((index, self.facts.instructions.get(index as usize)?))
    }

    /// Counts what a line that is not an instruction seems to be.
    fn count_unknown(&self, first: &str, code: &str, out: &mut Coverage) {
        let words: Vec<&str> = code.split_ascii_whitespace().collect();
        out.attributes.found += u32::from(words.iter().any(|word| attribute(word).is_some()));
        out.exports.found += u32::from(first.starts_with("exp"));
        out.memory.found += u32::from(is_memory(first));
        out.lane_moves.found += u32::from(is_lane_move(first, &words));
    }
}

fn is_memory(name: &str) -> bool {
    let others = ["swizzle", "permute", "param_load", "ds_nop", "wait"].iter().any(|part| name.contains(part));
    let is = MEMORY.iter().any(|start| name.starts_with(start)) || MEMORY_PARTS.iter().any(|part| name.contains(part));
    is && !others
}

fn is_lane_move(name: &str, words: &[&str]) -> bool {
    let by_word = |word: &&str| LANE_WORDS.iter().any(|start| word.starts_with(start));
    LANE_NAMES.iter().any(|part| name.contains(part)) || words.iter().skip(1).any(by_word)
}

/// The attribute and channel of `attr12.x`; the inner value is none where a word only starts like one.
fn attribute(word: &str) -> Option<Option<(u32, u8)>> {
    let rest = word.trim_end_matches(',').strip_prefix("attr")?;
    let parts = rest.split_once('.').and_then(|(number, channel)| {
        let channel = match channel {
            "x" => 0,
            "y" => 1,
            "z" => 2,
            "w" => 3,
            _ => return None,
        };
        Some((number.parse().ok()?, channel))
    });
    Some(parts)
}

/// How many vector and scalar registers, or runs of them, operands name: `v3`, `s[4:7]`.
fn registers_named(operands: &str) -> usize {
    let bytes = operands.as_bytes();
    let named = |at: &usize| {
        let is = matches!(bytes.get(*at), Some(b'v' | b's'));
        let before = at.checked_sub(1).and_then(|at| bytes.get(at));
        let starts = before.is_none_or(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b':')));
        let next = bytes.get(at + 1);
        let range = next == Some(&b'[') && bytes.get(at + 2).is_some_and(u8::is_ascii_digit);
        is && starts && (range || next.is_some_and(u8::is_ascii_digit))
    };
    (0..bytes.len()).filter(named).count()
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;
    use lanescope_model::program::StageKind;

    fn first(text: &str) -> Option<(u32, String)> {
        let unread = not_understood(text, &read(text, StageKind::Fragment))?;
        Some((unread.line, unread.why))
    }

    #[test]
    fn finds_unknown_lines() {
        for (line, why) in [
            ("\texp_new mrt0 v0, v1, off, off", "an instruction of an unknown family"),
            ("\texp mrt9x v0, v1, off, off", "an unknown export"),
            ("\texport", "an unknown export"),
            ("\ts_barrier_sideways -1", "an unknown barrier"),
            ("\ts_wait_newcnt 0x0", "an unknown wait"),
            ("\ts_wait_loadcnt soon", "an unknown wait"),
            ("\ts_cbranch_execz BB7", "a branch to an unknown target"),
            ("\ts_swappc_b64 s[0:1], s[2:3]", "a branch to an unknown target"),
            ("\ttensor_load_to_lds s[0:3], s[4:11]", "an instruction of an unknown family"),
            ("\tv_interp_new_f32 v0, v1, attr2.x", "an unknown attribute read"),
            ("\tv_interp_p1_f32_e32 v0, v1, attr2.q", "an unknown attribute read"),
            ("\tv_mov_b32_dpp v0, v1 row_sideways:3 row_mask:0xf", "an unknown cross-lane move"),
            ("\tv_add_f32_e32 v0, v1, v99999", "an unknown register"),
            ("\tv_add_f32_e32 v0, v1, neg(v2)", "an unknown register"),
            ("\tv_cndmask_b32 + sdwa", "the disassembler prints no operands"),
            ("\tinteger addition + clamp", "not an instruction, a label or a known annotation"),
            ("(invalid instruction)", "not an instruction, a label or a known annotation"),
            ("[000000] 3f800000", "not an instruction, a label or a known annotation"),
            ("Nothing of that kind.", "not an instruction, a label or a known annotation"),
        ] {
            let text = format!("BB0:\n\ts_nop 0 ; bf800000\n{line}\n\ts_endpgm\n");
            assert_eq!(first(&text), Some((2, why.to_owned())), "{line}");
        }
        let again = "BB0:\n\t(then repeated 2 times)\n\ts_endpgm\n";
        assert_eq!(first(again).map(|(line, _)| line), Some(1));
    }

    #[test]
    fn annotations_are_understood() {
        let text = "BB0:\n\ts_nop 0 ; bf800000\n\t(then repeated 12 times)\n; a comment\n\n\
            \tv_mov_b32_e32 v0, /* why not */ v1\n\ts_endpgm\nBB1:\n\n/* constant data */\n[000000] 3f800000 00000000\n\
            [000032] 3f800000\n";
        let facts = read(text, StageKind::Vertex);
        assert_eq!((not_understood(text, &facts), facts.unknown.len(), facts.instructions.len()), (None, 0, 3));
        assert_eq!((facts.instructions[0].repeated, facts.instructions[0].times()), (12, 13));
    }

    #[test]
    fn reports_a_truncated_text_as_not_understood() {
        let text = "\ts_nop 0\n".repeat(MAX_LINES + 5);
        assert_eq!(first(&text), Some((131_072, "beyond the last line that is read".to_owned())));
    }

    #[test]
    fn lines_of_each_kind_are_counted() {
        let text = "BB0:\n\tlds_param_load v2, attr0.x wait_vdst:15\n\ts_wait_kmcnt 0x0\n\ts_barrier_signal -1\n\
            \ts_barrier_wait 0xffff\n\ts_cbranch_execz BB0\n\texport mrt0 v2, off, off, off done\n\ts_wait_newcnt 0x0\n\
            \tv_mov_b32_dpp v2, v2 row_mirror row_mask:0xf\n\tbuffer_load_b32 v1, v0, s[4:7], null offen\n";
        let facts = read(text, StageKind::Fragment);
        let found = coverage(text, &facts);
        let counts = [
            found.attributes,
            found.exports,
            found.memory,
            found.waits,
            found.barriers,
            found.branches,
            found.lane_moves,
        ];
        let counts = counts.map(|count| (count.found, count.read));
        assert_eq!(counts, [(1, 1), (1, 1), (1, 1), (3, 2), (2, 2), (1, 1), (1, 1)]);
        assert_eq!(found.first_unread.map(|unread| unread.line), Some(7));
    }
}
