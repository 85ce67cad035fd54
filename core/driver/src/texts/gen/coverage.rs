//! Whether the facts of a text cover it: a scan of the raw text that shares no table with the reader.

use std::collections::BTreeSet;

use super::super::super::isa::{IsaFacts, MAX_LINES, Unread, unread as at};
use super::super::{SlotKind, UNREAD_AT_MOST};

/// Names that are known, up to the first dot, blank or bracket.
const KNOWN: &str = "\
    add add3 addc and asr avg bfe bfi1 bfi2 bfn bfrev break cbit cmp cmpn cont csel dp4a dpas else endif f16to32 f32to16 fbh \
    fbl frc goto halt if join lzd mac mach macl mad madm math mov mul movi nop not or pln rndd rnde rndu rndz rol ror sad2 \
    sada2 sel send sendc sends sendsc shl shr smov srnd subb sync wait while xor";

/// Units that memory is accessed through, in both forms.
const MEMORY: [&str; 14] = [
    "sampler",
    "smpl",
    "data",
    "dp data 1",
    "hdc0",
    "hdc1",
    "const",
    "hdc:ro",
    "hdc_ro",
    "slm",
    "tgm",
    "ugm",
    "rt accel",
    "rtaccel",
];

/// What the gateway does beside barriers, in both forms.
const NO_BARRIER: [&str; 6] = ["open", "close", "forward", "timestamp", "update", "mmio"];

/// Units without a fact of memory.
const OTHERS: [&str; 10] =
    ["gateway", "gtwy", "render", "urb", "thread_spawner", "ts/btd", "ts", "btd", "pixel interp", "pi"];

/// Words of an instruction's control without numbers.
const CONTROL: &str = "\
    align1 align16 WE_all compacted Compacted NoDDClr NoDDChk EOT AccWrEnable AccWrEn BranchCtrl FusionCtrl ExBSO Serialize \
    Align16 atomic switch Atomic Switch";

/// Every line of which the facts may miss something, up to a number of them.
pub(in super::super) fn unread(text: &str, facts: &IsaFacts) -> Vec<Unread> {
    let index = Index::of(text, facts);
    let lines: Vec<&str> = text.split('\n').take(MAX_LINES).collect();
    let why = (0u32..).zip(&lines).filter_map(|(number, line)| {
        let next = lines.get(number as usize + 1).copied().unwrap_or_default();
        let before = number.checked_sub(1).and_then(|before| lines.get(before as usize)).copied().unwrap_or_default();
        Some(at(number, line, index.why(number, line, next, before)?))
    });
    let mut out: Vec<Unread> = why.take(UNREAD_AT_MOST).collect();
    if !facts.cut && !facts.instructions.is_empty() && !lines.iter().any(|line| line.contains("EOT")) {
        let last = lines.iter().rposition(|line| !line.trim().is_empty()).unwrap_or(0);
        let number = u32::try_from(last).unwrap_or(u32::MAX);
        if out.last().is_none_or(|unread| unread.line != number) && out.len() < UNREAD_AT_MOST {
            out.push(at(number, lines.get(last).copied().unwrap_or_default(), "not the end of a thread"));
        }
    }
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
    derivatives: BTreeSet<u32>,
    /// Instructions name what they wait for.
    scoreboards: bool,
}

impl<'f> Index<'f> {
    fn of(text: &str, facts: &'f IsaFacts) -> Index<'f> {
        let known = |kind: SlotKind| kind != SlotKind::Unknown;
        let inputs = facts.inputs.iter().filter(|input| known(input.slot.what)).filter_map(|input| input.instruction);
        let outputs = facts.outputs.iter().filter(|output| known(output.slot.what)).filter_map(|o| o.instruction);
        let lost: BTreeSet<u32> =
            facts.branches.iter().filter(|branch| branch.block.is_none()).map(|branch| branch.instruction).collect();
        let branches = facts.branches.iter().map(|branch| branch.instruction);
        Index {
            facts,
            labels: facts.blocks.iter().filter(|block| block.label.is_some()).map(|block| block.line).collect(),
            interface: inputs.chain(outputs).collect(),
            memory: facts.memory.iter().map(|memory| memory.instruction).collect(),
            waits: facts.waits.iter().map(|wait| wait.instruction).collect(),
            barriers: facts.barriers.iter().map(|barrier| barrier.instruction).collect(),
            branches: branches.filter(|branch| !lost.contains(branch)).collect(),
            derivatives: facts.derivatives.iter().map(|found| found.instruction).collect(),
            scoreboards: text.contains('@') || text.contains('$'),
        }
    }

    /// Why a line is not understood.
    fn why(&self, number: u32, line: &str, next: &str, before: &str) -> Option<&'static str> {
        let trimmed = line.trim();
        let heading = trimmed == "Push constant ranges:" || trimmed.starts_with("RANGE");
        if trimmed.is_empty() || heading && !self.facts.unknown.contains(&number) {
            // A send without its second line is that line's.
            return None;
        }
        if trimmed.ends_with(':') {
            return (!self.labels.contains(&number)).then_some("an unknown label");
        }
        if line.contains("MsgDesc:") {
            let send = number.checked_sub(1).and_then(|before| self.facts.at_line(before));
            let read = send.is_some() && before.contains("send") && !self.facts.unknown.contains(&number);
            return (!read).then_some("a message of no instruction");
        }
        let Some(index) = self.facts.at_line(number) else {
            return Some("not an instruction or a label");
        };
        // The second line of a send belongs to its first one.
        let line = Text::of(line, next);
        self.kind(index, &line).or_else(|| self.registers(index, &line))
    }

    fn kind(&self, index: u32, line: &Text<'_>) -> Option<&'static str> {
        let is = |all: &[&str]| all.contains(&line.family);
        let sends = is(&["send", "sendc", "sends", "sendsc"]);
        let fence = line.message.contains("fence");
        let unit = |all: &[&str]| sends && all.contains(&line.unit);
        let urb = unit(&["urb"]) && !fence;
        let written = urb && ["write", "store"].iter().any(|verb| line.message.contains(verb));
        let waits = line.control().any(|word| word.contains('@') || word.starts_with('$') && word.contains('.'));
        // What does not say that it is something else may be a barrier.
        let barrier = unit(&["gateway", "gtwy"]) && !NO_BARRIER.iter().any(|name| line.message.contains(name));
        let checks = [
            (
                !KNOWN.split_ascii_whitespace().any(|known| known == line.family),
                false,
                "an instruction of an unknown family",
            ),
            (
                sends && !MEMORY.contains(&line.unit) && !OTHERS.contains(&line.unit),
                false,
                "a message to an unknown unit",
            ),
            (unit(&MEMORY) && !fence || urb, self.memory.contains(&index), "an unknown memory access"),
            (
                unit(&["render", "pi", "pixel interp"]) || written,
                self.interface.contains(&index) || self.memory.contains(&index) && !written,
                "an unknown input or output",
            ),
            (
                waits || sends && fence || is(&["sync"]) && line.name.contains("all"),
                self.waits.contains(&index),
                "an unknown wait",
            ),
            (
                barrier || is(&["wait"]) || is(&["sync"]) && line.name.ends_with("bar"),
                self.barriers.contains(&index),
                "an unknown barrier",
            ),
            (
                is(&["if", "else", "endif", "while", "break", "cont", "halt", "goto", "join"]),
                self.branches.contains(&index),
                "a branch to an unknown target",
            ),
            (
                is(&["mad", "madm", "add3", "bfe", "bfi2", "bfn", "csel", "dp4a"]),
                line.writes_general(self.scoreboards),
                "an unknown result",
            ),
            (line.subtracts_in_quad(), self.derivatives.contains(&index), "an unknown derivative"),
            (line.control().any(|word| !is_control(word)), false, "controlled in an unknown way"),
        ];
        checks.into_iter().find(|(is, read, _)| *is && !*read).map(|(_, _, why)| why)
    }

    fn registers(&self, index: u32, line: &Text<'_>) -> Option<&'static str> {
        let named = self.facts.instructions.get(index as usize).map_or(0, |i| i.registers().count());
        (named != line.named()).then_some("an unknown register")
    }
}

/// The parts of an instruction.
struct Text<'l> {
    /// Up to its control or remark.
    code: &'l str,
    name: &'l str,
    family: &'l str,
    /// The unit that a send goes to.
    unit: &'l str,
    /// What it says.
    message: &'l str,
    control: &'l str,
}

impl<'l> Text<'l> {
    fn of(line: &'l str, next: &'l str) -> Text<'l> {
        let (before, remark) = line.split_once("//").unwrap_or((line, ""));
        let code = before.split_once('{').map_or(before, |(code, _)| code);
        let (said, two) = if next.contains("MsgDesc:") && !line.contains('{') { (next, true) } else { (before, false) };
        let control = said.rsplit_once('{').map_or("", |(_, control)| control.split('}').next().unwrap_or_default());
        let mut rest = code.trim_start();
        if rest.starts_with('(') {
            rest = rest.split_once(')').map_or(rest, |(_, rest)| rest).trim_start();
        }
        let end = if rest.starts_with("bfn.") {
            rest.find(") (").map_or(rest.len(), |end| end + 1)
        } else {
            rest.find('(').unwrap_or(rest.len())
        };
        let name = rest.get(..end).unwrap_or_default().trim_end().trim_end_matches(';').trim_end();
        let family = name.split(['.', ' ', '[']).next().unwrap_or_default();
        let (unit, message) = match two {
            true => next.split_once("MsgDesc:").map_or(("", ""), |(unit, rest)| (unit.trim(), rest)),
            false => (name.split_once('.').map_or("", |(_, unit)| unit), remark),
        };
        Text { code, name, family, unit, message: message.split('{').next().unwrap_or_default(), control }
    }

    fn control(&self) -> impl Iterator<Item = &'l str> {
        self.control.split([' ', ',']).filter(|word| !word.is_empty())
    }

    /// Whether its result is a general register; an accumulator where the hardware has scoreboards in the text.
    fn writes_general(&self, scoreboards: bool) -> bool {
        let at = self.code.find(self.name).unwrap_or(0) + self.name.len();
        let words = self.code.get(at..).unwrap_or_default().split_ascii_whitespace();
        // The lanes, and a condition.
        let mut words = words.skip_while(|word| word.starts_with('('));
        words.next().is_some_and(|word| word.starts_with(['g', 'r']) || scoreboards && word.starts_with("acc"))
    }

    /// Whether it subtracts lanes of a quad from each other, by its regions.
    fn subtracts_in_quad(&self) -> bool {
        if self.family != "add" {
            return false;
        }
        let words: Vec<&str> = self.code.split_ascii_whitespace().collect();
        let regions = ["<4,4,0>", "<4;4,0>", "<2,2,0>", "<2;2,0>", "<0,2,1>", "<0;2,1>", "zwzw", "yyww"];
        let quads: Vec<&str> =
            words.into_iter().filter(|word| regions.iter().any(|region| word.contains(region))).collect();
        let register = |word: &&str| {
            let bare = word.trim_start_matches('-');
            bare.split(['.', '<']).next().unwrap_or_default().to_owned()
        };
        let swizzled = |word: &&str| word.contains("zwzw") || word.contains("yyww");
        match quads.as_slice() {
            [one, other] => {
                register(one) == register(other)
                    && one.starts_with('-') != other.starts_with('-')
                    && part(one) != part(other)
            }
            [one] if swizzled(one) => {
                let other = if one.contains("zwzw") { "xyxy" } else { "xxzz" };
                let other = self.code.split_ascii_whitespace().find(|word| word.contains(other));
                other.is_some_and(|other| {
                    register(one) == register(&other) && one.starts_with('-') != other.starts_with('-')
                })
            }
            _ => false,
        }
    }

    /// How many registers it names beside those in brackets of other registers.
    fn named(&self) -> usize {
        let mut code = self.code;
        if self.name.starts_with("bfn.(") {
            code = code.split_once(") (").map_or(code, |(_, rest)| rest);
        }
        // A selection compares without its flag.
        let unused = matches!(self.family, "sel" | "csel" | "if" | "while") && code.contains(")f");
        let mut count = 0usize;
        let bytes = code.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            if code.get(at..).is_some_and(|rest| rest.starts_with("/*")) {
                at += code.get(at..).and_then(|rest| rest.find("*/")).map_or(code.len(), |end| end + 2);
                continue;
            }
            if !bytes.get(at).is_some_and(u8::is_ascii_alphanumeric) {
                at += 1;
                continue;
            }
            let end = (at..bytes.len()).find(|i| !bytes.get(*i).is_some_and(u8::is_ascii_alphanumeric));
            let end = end.unwrap_or(bytes.len());
            count += usize::from(is_register(code.get(at..end).unwrap_or_default()));
            at = end;
        }
        let flags = usize::from(unused && is_register_after(code));
        count.saturating_sub(flags)
    }
}

/// The flag that stands behind a condition in parentheses.
fn is_register_after(code: &str) -> bool {
    code.match_indices(")f")
        .any(|(at, _)| code.get(at + 2..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())))
}

/// The number after the dot of a register.
fn part(word: &str) -> &str {
    word.split('<').next().and_then(|word| word.split_once('.')).map_or("0", |(_, part)| part)
}

/// `g12`, `r3`, `acc0`, `f1`, `a0`, with a type behind it in the older form: `g12UD`.
fn is_register(word: &str) -> bool {
    let prefix = word.len() - word.trim_start_matches(|c: char| c.is_ascii_lowercase()).len();
    let (prefix, rest) = word.split_at_checked(prefix).unwrap_or_default();
    let digits = rest.trim_end_matches(|c: char| c.is_ascii_uppercase());
    let number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    number && ["g", "r", "acc", "f", "a"].contains(&prefix)
}

/// `@3`, `F@7`, `$2`, `$2.dst`, `1Q`, `M8`, and words.
fn is_control(word: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let token = word.strip_prefix('$').map(|rest| rest.split_once('.').unwrap_or((rest, "dst")));
    let waits = token.is_some_and(|(set, how)| number(set) && matches!(how, "dst" | "src"));
    let distance = word.split_once('@').is_some_and(|(pipe, count)| {
        number(count) && (pipe.is_empty() || ["F", "I", "L", "M", "A", "S"].contains(&pipe))
    });
    let part = word.strip_suffix(['Q', 'H', 'N']).is_some_and(number);
    waits || distance || part || CONTROL.split_ascii_whitespace().any(|known| known == word)
}
