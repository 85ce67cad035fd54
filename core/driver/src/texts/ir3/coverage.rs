//! Whether the facts of a text cover it: a scan of the raw text that shares no table with the reader.

use std::collections::{BTreeMap, BTreeSet};

use super::super::super::isa::{IsaFacts, MAX_LINES, Unread, unread as at};
use super::super::{Input, InputKind, SlotKind, UNREAD_AT_MOST};

/// Names that are known, up to the first dot.
const KNOWN: &str = "\
    absneg add addr alias and andg any ashr atomic ball bany bar bary bfrev bkt br braa brac brao brcst call cbits ccinv \
    ceil chmask chsh clz cmps cmpv cmpvf cov dp2acc dp4acc dsx dsxpp dsy dsypp dsypp end endif exp2 fence flat floor fract \
    gat gather4a gather4b gather4g gather4r getbuf getfiberid getinfo getlast getlod getone getpos getsize getspid \
    getwid hexp2 hlog2 hrsq if isam isaml isamm jump kill ldc ldg ldib ldl ldlv ldlw ldp lock log2 mad madsh madsu max \
    mgen min mov mova mova1 movmsk movs msad mul mull nop not or prede predf predt quad_shuffle ray_intersection rcp rcprsqrt \
    resinfo ret rgetinfo rgetpos rndne rsq sad sam samb samgp0 samgp1 samgp2 samgp3 samgq saml scan sct sel sfu shb shfl \
    shl shlg shlm shpe shps shr shrg shrm sign sin sqrt stc stg stib stl stlw stomp stp stsc sub swz tcinv trunc umul unlock \
    wrmask xor cos dcinv bfi rndaz setrm clz subu rotate rol mbcnt";

/// Bits that may stand in front of an instruction, without numbers.
const BITS: [&str; 13] = ["ss", "sy", "jp", "rpt", "nop", "ul", "eq", "eogm", "eolm", "sat", "eostsc", "ei", "last"];

/// What remarks begin with, after the semicolon.
const REMARKS: [&str; 9] = [
    "streamout ",
    "num_ubos:",
    "num_driver_params:",
    "offsets:",
    "ubo_state:",
    "pos",
    "data",
    "fragcoord",
    "fragdepth",
];

/// Every line of which the facts may miss something, up to a number of them.
pub(in super::super) fn unread(text: &str, facts: &IsaFacts) -> Vec<Unread> {
    let index = Index::of(text, facts);
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
    labels: BTreeSet<u32>,
    interface: BTreeSet<u32>,
    memory: BTreeSet<u32>,
    waits: BTreeSet<u32>,
    barriers: BTreeSet<u32>,
    branches: BTreeSet<u32>,
    /// Lines that fetch a texture, of which both inputs are facts.
    fetches: BTreeSet<u32>,
    lanes: BTreeSet<u32>,
    /// How many names of registers stand in a line for what `alias` gives.
    renamed: BTreeMap<u32, usize>,
}

impl<'f> Index<'f> {
    fn of(text: &str, facts: &'f IsaFacts) -> Index<'f> {
        let known = |kind: SlotKind| kind != SlotKind::Unknown;
        let inputs = facts.inputs.iter().filter(|input| known(input.slot.what)).filter_map(|input| input.instruction);
        let outputs = facts.outputs.iter().filter(|output| known(output.slot.what)).filter_map(|o| o.instruction);
        let moves = facts.lane_moves.iter().map(|found| found.instruction);
        Index {
            facts,
            labels: facts.blocks.iter().filter(|block| block.label.is_some()).map(|block| block.line).collect(),
            interface: inputs.chain(outputs).collect(),
            memory: facts.memory.iter().map(|memory| memory.instruction).collect(),
            waits: facts.waits.iter().map(|wait| wait.instruction).collect(),
            barriers: facts.barriers.iter().map(|barrier| barrier.instruction).collect(),
            fetches: fetches(text, facts),
            renamed: renamed(text),
            branches: facts.branches.iter().filter(|b| b.block.is_some()).map(|branch| branch.instruction).collect(),
            lanes: moves.chain(facts.derivatives.iter().map(|found| found.instruction)).collect(),
        }
    }

    /// Why a line is not understood.
    fn why(&self, number: u32, line: &str) -> Option<&'static str> {
        let line = line.trim();
        if let Some(remark) = line.strip_prefix(';') {
            return (!self.is_known_remark(remark)).then_some("an unknown remark");
        }
        if line.starts_with('@') {
            if line.starts_with("@tex") {
                return (!self.fetches.contains(&number)).then_some("an unknown texture fetch");
            }
            let kinds = ["@in(", "@out(", "@const(", "@localsize ", "@buf ", "@invocationid(", "@wgid(", "@numwg("];
            let other = !kinds.iter().any(|kind| line.starts_with(kind));
            return other.then_some("an unknown declaration");
        }
        if line.is_empty() || line.starts_with("Native code for ") && line.ends_with(':') {
            return None;
        }
        if line.ends_with(':') {
            return (!self.labels.contains(&number)).then_some("an unknown label");
        }
        let Some(index) = self.facts.at_line(number) else { return Some("not an instruction, a label or a remark") };
        let (bits, code) = split(line);
        let name = code.split_ascii_whitespace().next().unwrap_or_default();
        let family = name.split('.').next().unwrap_or_default();
        let starts = |all: &[&str]| all.iter().any(|start| family.starts_with(start));
        let is = |all: &[&str]| all.contains(&family);
        let memory = starts(&[
            "ldg", "ldl", "ldp", "ldc", "ldib", "st", "atomic", "sam", "isam", "gather", "ccinv", "resinfo", "ray",
        ]) && !is(&["ldlv", "stomp"])
            || is(&["getsize", "getinfo", "getlod", "getbuf"]);
        let waits = bits.iter().any(|bit| ["ss", "sy"].contains(bit)) || is(&["fence"]);
        let checks = [
            (
                !KNOWN.split_ascii_whitespace().any(|known| known == family),
                false,
                "an instruction of an unknown family",
            ),
            (
                is(&["bary", "flat", "ldlv"]) || name.starts_with("alias.rt"),
                self.interface.contains(&index),
                "an unknown input or output",
            ),
            (memory, self.memory.contains(&index), "an unknown memory access"),
            (waits, self.waits.contains(&index), "an unknown wait"),
            (is(&["bar"]), self.barriers.contains(&index), "an unknown barrier"),
            (
                code.contains('#') && !code.contains("s#") && !code.contains("t#"),
                self.branches.contains(&index),
                "a branch to an unknown target",
            ),
            (
                starts(&["shfl", "quad", "brcst", "dsx", "dsy"]),
                self.lanes.contains(&index),
                "an unknown cross-lane move",
            ),
        ];
        if let Some((_, _, why)) = checks.into_iter().find(|(is, read, _)| *is && !*read) {
            return Some(why);
        }
        let letters = |bit: &&str| bit.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
        if bits.iter().any(|bit| !BITS.contains(&letters(bit).as_str())) {
            return Some("an unknown bit in front");
        }
        let named = self.facts.instructions.get(index as usize).map_or(0, |i| i.registers().count());
        let operands = code.get(name.len()..).unwrap_or_default();
        let renamed = self.renamed.get(&number).copied().unwrap_or_default();
        (named + renamed != registers_named(operands).count()).then_some("an unknown register")
    }

    /// Whether a remark is one of those that are known: the counts and the lists of registers.
    fn is_known_remark(&self, text: &str) -> bool {
        let inner = text.trim();
        // What stands under a heading has more spaces before it.
        let listed = text.starts_with("   ");
        let counts = inner.split_ascii_whitespace().nth(1).is_some_and(|word| word.starts_with("preamble-instr"));
        let stage = inner.split([' ', ':']).next().unwrap_or_default();
        let of_stage = !stage.is_empty() && stage.bytes().all(|b| b.is_ascii_uppercase());
        let of_stage = of_stage && [": outputs:", ": inputs:", " prog "].iter().any(|part| inner.contains(part));
        listed || counts || of_stage || REMARKS.iter().any(|known| inner.starts_with(known)) || is_register(inner)
    }
}

/// The lines that fetch a texture before the code, of which both inputs are known: in the order of the facts.
fn fetches(text: &str, facts: &IsaFacts) -> BTreeSet<u32> {
    let of_none = |input: &&Input| input.instruction.is_none() && input.kind == InputKind::Interpolated;
    let inputs: Vec<&Input> = facts.inputs.iter().filter(of_none).collect();
    let is =
        |(number, line): &(u32, &str)| line.trim().starts_with("@tex") && facts.unknown.binary_search(number).is_err();
    let lines = (0u32..).zip(text.split('\n').take(MAX_LINES)).filter(is).map(|(number, _)| number);
    let known = |pair: &&[&Input]| pair.len() == 2 && pair.iter().all(|input| input.slot.what != SlotKind::Unknown);
    lines.zip(inputs.chunks(2)).filter(|(_, pair)| known(pair)).map(|(number, _)| number).collect()
}

/// The lines with names for what `alias` gives to the next instruction, and how many each has: those that `alias` lines
/// have first, and what that instruction reads.
fn renamed(text: &str) -> BTreeMap<u32, usize> {
    let mut out = BTreeMap::new();
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for (number, line) in (0u32..).zip(text.split('\n').take(MAX_LINES)) {
        let (_, code) = split(line.trim());
        let (first, rest) = code.split_once(',').unwrap_or((code, ""));
        if let Some(first) = first.strip_prefix("alias.") {
            names.extend(registers_named(first));
            out.extend(registers_named(first).next().map(|_| (number, 1)));
        } else if !names.is_empty() && !code.is_empty() && !code.starts_with("nop") {
            out.insert(number, registers_named(rest).filter(|name| names.contains(name)).count());
            names.clear();
        }
    }
    out
}

/// `point-size: r2.x`: what a register holds at the end.
fn is_register(text: &str) -> bool {
    let register = text.rsplit_once(": ").map(|(_, register)| register);
    register.is_some_and(|register| registers_named(register).count() == 1 || register.contains("r63."))
}

/// The bits in front of an instruction, and the rest.
fn split(line: &str) -> (Vec<&str>, &str) {
    let (mut bits, mut rest) = (Vec::new(), line);
    while let Some((bit, after)) = rest.strip_prefix('(').and_then(|inner| inner.split_once(')')) {
        bits.push(bit);
        rest = after.trim_start();
    }
    (bits, rest)
}

/// The registers that operands name: a file, a number, a dot and a component. `r63` says that there is none.
fn registers_named(operands: &str) -> impl Iterator<Item = &str> {
    let words = operands.split(|c: char| !(c.is_ascii_alphanumeric() || c == '.'));
    let is = |word: &&str| {
        let Some((name, component)) = word.rsplit_once('.') else { return false };
        let number = name.trim_start_matches(|c: char| c.is_ascii_lowercase());
        let file = name.strip_suffix(number).unwrap_or_default();
        let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        digits
            && ["x", "y", "z", "w"].contains(&component)
            && ["r", "hr", "p", "up", "a"].contains(&file)
            && !(number == "63" && file != "a")
    };
    words.filter(is)
}
