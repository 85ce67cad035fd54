//! Whether the facts of a text cover it: a scan of the raw text that shares no table with the reader.

use std::collections::BTreeSet;

use super::super::super::isa::{IsaFacts, MAX_LINES, Unread, unread as at};
use super::super::{SlotKind, UNREAD_AT_MOST};

/// Names that are known, up to the first dot.
const KNOWN: &str = "\
    al2p ald ast atom atoms b2i bar bclear bfe bfi bmov bmsk bra break brev brk brx bssy bsync ccctl cctl cont \
    copy cs2r dadd depbar dfma dmnmx dmul dp4a dset dsetp exit f2f f2fp f2i fadd ffma flo fmnmx fmul frnd fset \
    fsetp fswz fswzadd hadd2 hfma2 hmma hmnmx2 hmul2 hset2 hsetp2 i2f i2i iabs iadd2 iadd3 iaddp idp4 igmma imad \
    imad64 imadsp imma imnmx imul ipa isberd isetp kill ld ldc ldcu ldsm ldtram lea lop2 lop3 match membar mov movm \
    mufu nop out p2r pbk pcnt pixld plop3 popc prmt pset psetp r2p r2ur red redux rro s2r s2ur sel sgxt shf shfl \
    shl shr srcbar ssy st suatom subfm suclamp sueau suld suldga suq sured sust sustga swap sync tex texdepbar \
    tld tld4 tmml txd txq uclea ulop3 umov vabsdiff viadd viaddmnmx vild vimnmx vote voteu vset warpsync xmad \
    yield";

/// Words that say how an instruction is scheduled.
const SCHEDULE: [&str; 6] = ["delay=", "wt=", "rd:", "wr:", "yld", "reuse"];

/// Every line of which the facts may miss something, up to a number of them.
pub(in super::super) fn unread(text: &str, facts: &IsaFacts) -> Vec<Unread> {
    let index = Index::of(facts);
    let lines = (0u32..).zip(text.split('\n').take(MAX_LINES));
    let why = lines.filter_map(|(number, line)| Some(at(number, line, index.why(number, line)?)));
    let mut out: Vec<Unread> = why.take(UNREAD_AT_MOST).collect();
    if facts.cut {
        let number = u32::try_from(MAX_LINES).unwrap_or(u32::MAX);
        out.push(at(number, text.split('\n').nth(MAX_LINES).unwrap_or_default(), "beyond the last line that is read"));
    }
    out
}

/// The instructions that have a fact of each kind.
struct Index<'f> {
    facts: &'f IsaFacts,
    blocks: BTreeSet<u32>,
    interface: BTreeSet<u32>,
    memory: BTreeSet<u32>,
    waits: BTreeSet<u32>,
    barriers: BTreeSet<u32>,
    branches: BTreeSet<u32>,
    lanes: BTreeSet<u32>,
}

impl<'f> Index<'f> {
    fn of(facts: &'f IsaFacts) -> Index<'f> {
        let known = |kind: SlotKind| kind != SlotKind::Unknown;
        let inputs = facts.inputs.iter().filter(|input| known(input.slot.what)).filter_map(|input| input.instruction);
        let outputs = facts.outputs.iter().filter(|output| known(output.slot.what)).filter_map(|o| o.instruction);
        let moves = facts.lane_moves.iter().map(|found| found.instruction);
        Index {
            facts,
            blocks: facts.blocks.iter().map(|block| block.line).collect(),
            interface: inputs.chain(outputs).collect(),
            memory: facts.memory.iter().map(|memory| memory.instruction).collect(),
            waits: facts.waits.iter().map(|wait| wait.instruction).collect(),
            barriers: facts.barriers.iter().map(|barrier| barrier.instruction).collect(),
            branches: facts.branches.iter().filter(|b| b.block.is_some()).map(|branch| branch.instruction).collect(),
            lanes: moves.chain(facts.derivatives.iter().map(|found| found.instruction)).collect(),
        }
    }

    /// Why a line is not understood.
    fn why(&self, number: u32, line: &str) -> Option<&'static str> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('}') && !self.facts.unknown.contains(&number) {
            return None;
        }
        if line.starts_with("block") {
            return (!self.blocks.contains(&number)).then_some("an unknown block");
        }
        let Some(index) = self.facts.at_line(number) else {
            return Some("not an instruction or a block");
        };
        let (code, schedule) = line.split_once("//").unwrap_or((line, ""));
        let right = code.split_once(" = ").map_or(code, |(_, right)| right);
        let mut words = right.split_ascii_whitespace().skip_while(|word| word.starts_with('@'));
        let name = words.next().unwrap_or_default();
        let family = name.split('.').next().unwrap_or_default();
        let is = |all: &[&str]| all.contains(&family);
        let starts = |all: &[&str]| all.iter().any(|start| family.starts_with(start));
        let checks = [
            (
                !KNOWN.split_ascii_whitespace().any(|known| known == family),
                false,
                "an instruction of an unknown family",
            ),
            (
                is(&["ipa", "ald", "ast", "s2r", "s2ur", "cs2r", "pixld"]) || code.contains(" a["),
                self.interface.contains(&index) || is(&["al2p"]),
                "an unknown input or output",
            ),
            (
                is(&["ld", "st", "red"])
                    || starts(&[
                        "atom", "ldc", "lds", "tex", "tld", "txd", "txq", "tmml", "suld", "sust", "suat", "sured",
                        "cctl", "ccctl",
                    ]) && !is(&["texdepbar"]),
                self.memory.contains(&index),
                "an unknown memory access",
            ),
            (
                is(&["membar", "depbar", "texdepbar"]) || schedule.contains("wt="),
                self.waits.contains(&index),
                "an unknown wait",
            ),
            (is(&["bar"]), self.barriers.contains(&index), "an unknown barrier"),
            (
                is(&["bra", "brk", "brx", "cont", "sync"]),
                self.branches.contains(&index),
                "a branch to an unknown target",
            ),
            (starts(&["shfl", "fswz"]), self.lanes.contains(&index), "an unknown cross-lane move"),
        ];
        if let Some((_, _, why)) = checks.into_iter().find(|(is, read, _)| *is && !*read) {
            return Some(why);
        }
        if schedule.split_ascii_whitespace().any(|word| !SCHEDULE.iter().any(|known| word.starts_with(known))) {
            return Some("scheduled in an unknown way");
        }
        let named = self.facts.instructions.get(index as usize).map_or(0, |i| i.registers().count());
        (named != registers_named(code, name)).then_some("an unknown register")
    }
}

/// How many registers, or runs of them, a line names beside its mnemonic.
fn registers_named(code: &str, mnemonic: &str) -> usize {
    let at = code.find(mnemonic).unwrap_or(0);
    let (before, after) = (code.get(..at).unwrap_or_default(), code.get(at + mnemonic.len()..).unwrap_or_default());
    [before, after].into_iter().map(of_text).sum()
}

fn of_text(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut count = 0;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        if !byte.is_ascii_alphanumeric() {
            at += 1;
            continue;
        }
        let end =
            (at..bytes.len()).find(|i| !bytes.get(*i).is_some_and(u8::is_ascii_alphanumeric)).unwrap_or(bytes.len());
        let word = text.get(at..end).unwrap_or_default();
        let digits = word.trim_start_matches(|c: char| c.is_ascii_lowercase());
        let prefix = word.get(..word.len() - digits.len()).unwrap_or_default();
        let number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        // The end of `r4..8`, and what selects a part (`.x4`), are no registers.
        let part = at.checked_sub(1).and_then(|before| bytes.get(before)) == Some(&b'.');
        count += usize::from(number && !part && ["r", "ur", "p", "up", "b", "c"].contains(&prefix));
        at = end;
    }
    count
}
