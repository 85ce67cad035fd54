//! What is written on every way through a function: which variables may be read before, and which outputs are written at
//! the end.
//!
//! Conditions are not looked at, but for constant ones. A call does what the function does: functions are summed up, the
//! called ones first.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_base::ids::Id;
use lanescope_spirv::enums::{Op, StorageClass};

use super::lines::{Line, Lines};

/// A variable, or a part of one by constant indices; `ANY` stands for an index that is not constant.
pub(super) type Part = (Id, Vec<u32>);

/// An index that is not constant.
const ANY: u32 = u32::MAX;

/// What a function does with variables: its own, global ones, and those that its parameters point to.
#[derive(Debug, Clone, Default)]
pub(super) struct Summary {
    /// Variables and parameters that may be read before anything of them is written.
    pub reads: BTreeSet<Id>,
    /// What is written at every return.
    pub written: BTreeSet<Part>,
}

/// The sums of all entry points' functions: reads of any of them, and what each of them writes.
pub(super) fn of_entry_points(lines: &Lines) -> Summary {
    let context = Context::of(lines);
    let mut known: BTreeMap<Id, Summary> = BTreeMap::new();
    let entries = lines.all.iter().filter(|line| line.op == Op::EntryPoint).map(|line| line.id(2));
    let mut out = Summary::default();
    for entry in entries {
        let summary = context.summary(entry, &mut known, 0);
        out.reads.extend(summary.reads.iter().copied());
        out.written.extend(summary.written.iter().cloned());
    }
    out.reads.retain(|id| context.uninitialised.contains(id));
    out
}

/// What lookups need.
struct Context<'l> {
    lines: &'l Lines,
    definitions: BTreeMap<Id, usize>,
    functions: BTreeMap<Id, std::ops::Range<usize>>,
    /// Variables of functions and private ones, without initial contents.
    uninitialised: BTreeSet<Id>,
}

/// One step of a block.
enum Step {
    Read(Id),
    Write(u32),
}

/// A block by the numbers of what it writes.
struct Block {
    steps: Vec<Step>,
    next: Vec<usize>,
    is_return: bool,
}

/// A set of small numbers.
#[derive(Clone, PartialEq)]
struct Bits(Vec<u64>);

impl Bits {
    fn has(&self, at: u32) -> bool {
        self.0.get(at as usize / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    fn add(&mut self, at: u32) {
        let word = at as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (at % 64);
    }

    fn keep(&mut self, other: &Bits) {
        self.0.truncate(other.0.len());
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= other);
    }
}

/// How deep calls are followed: SPIR-V has no recursion, a broken module may.
const MAX_CALLS: u32 = 64;

impl<'l> Context<'l> {
    fn of(lines: &'l Lines) -> Context<'l> {
        let is_own = |line: &&Line| {
            let class = StorageClass::from_u32(line.word(3));
            let is_own = matches!(class, Some(StorageClass::Function | StorageClass::Private));
            line.op == Op::Variable && line.words.len() == 4 && is_own
        };
        let functions = lines.functions().into_iter();
        Context {
            lines,
            definitions: lines.definitions(),
            functions: functions.filter_map(|body| Some((lines.all.get(body.start)?.result()?, body))).collect(),
            uninitialised: lines.all.iter().filter(is_own).filter_map(Line::result).collect(),
        }
    }

    fn line(&self, id: Id) -> Option<&'l Line> {
        self.definitions.get(&id).and_then(|&at| self.lines.all.get(at))
    }

    /// The variable or parameter that a pointer leads into, and by which indices.
    fn part(&self, pointer: Id) -> Option<Part> {
        let mut at = self.line(pointer)?;
        let mut path: Vec<u32> = Vec::new();
        // As deep as accesses may be chained in any real module.
        for _ in 0..64 {
            match at.op {
                Op::AccessChain | Op::InBoundsAccessChain => {
                    let index = |&index: &u32| match self.line(Id(index)) {
                        Some(constant) if constant.op == Op::Constant => constant.word(3),
                        _ => ANY,
                    };
                    let mut longer: Vec<u32> = at.words.get(4..).unwrap_or_default().iter().map(index).collect();
                    longer.append(&mut path);
                    path = longer;
                    at = self.line(at.id(3))?;
                }
                Op::CopyObject => at = self.line(at.id(3))?,
                Op::Variable | Op::FunctionParameter => return Some((at.result()?, path)),
                _ => return None,
            }
        }
        None
    }

    fn summary(&self, function: Id, known: &mut BTreeMap<Id, Summary>, depth: u32) -> Summary {
        if let Some(summary) = known.get(&function) {
            return summary.clone();
        }
        let Some(body) = self.functions.get(&function).filter(|_| depth < MAX_CALLS) else { return Summary::default() };
        let body = self.lines.all.get(body.clone()).unwrap_or_default();
        let mut parts = Parts::default();
        let mut blocks: Vec<Block> = Vec::new();
        let mut labels: BTreeMap<Id, usize> = BTreeMap::new();
        for line in body {
            if let (Op::Label, Some(label)) = (line.op, line.result()) {
                labels.insert(label, blocks.len());
                blocks.push(Block { steps: Vec::new(), next: Vec::new(), is_return: false });
            }
            let Some(block) = blocks.last_mut() else { continue };
            self.steps(line, known, depth, &mut parts, block);
        }
        let labels_of = |line: &Line| -> Vec<usize> {
            self.successors(line).iter().filter_map(|label| labels.get(label).copied()).collect()
        };
        let mut at = 0;
        for line in body.iter().filter(|line| line.op == Op::Label || line.successors().is_some()) {
            match line.op {
                Op::Label => at = line.result().and_then(|label| labels.get(&label).copied()).unwrap_or(0),
                _ => blocks[at].next = labels_of(line),
            }
        }
        let summary = solved(&blocks, &parts);
        known.insert(function, summary.clone());
        summary
    }

    /// The blocks that may follow: of a branch on a constant, the one that does.
    fn successors(&self, line: &Line) -> Vec<Id> {
        let all = line.successors().unwrap_or_default();
        match (line.op, self.line(line.id(1)).map(|line| line.op)) {
            (Op::BranchConditional, Some(Op::ConstantTrue)) => vec![line.id(2)],
            (Op::BranchConditional, Some(Op::ConstantFalse)) => vec![line.id(3)],
            _ => all,
        }
    }

    /// What an instruction reads and writes, in that order.
    fn steps(&self, line: &Line, known: &mut BTreeMap<Id, Summary>, depth: u32, parts: &mut Parts, block: &mut Block) {
        match line.op {
            Op::Return | Op::ReturnValue => block.is_return = true,
            Op::Load => block.steps.extend(self.part(line.id(3)).map(|(id, _)| Step::Read(id))),
            Op::AccessChain | Op::InBoundsAccessChain | Op::CopyObject | Op::Variable | Op::Label => {}
            Op::FunctionCall => {
                let callee = self.summary(line.id(3), known, depth + 1);
                let arguments = self.arguments(line);
                for id in &callee.reads {
                    let (id, _) = arguments.get(id).cloned().unwrap_or((*id, Vec::new()));
                    block.steps.push(Step::Read(id));
                }
                for (id, path) in &callee.written {
                    let (id, mut longer) = arguments.get(id).cloned().unwrap_or((*id, Vec::new()));
                    longer.extend(path);
                    block.steps.push(Step::Write(parts.number((id, longer))));
                }
            }
            // Whatever else has a pointer may write through it.
            _ => {
                let written: Vec<Part> = match line.op {
                    Op::Store => self.part(line.id(1)).into_iter().collect(),
                    _ => line.ids().filter_map(|id| self.part(id)).collect(),
                };
                block.steps.extend(written.into_iter().map(|part| Step::Write(parts.number(part))));
            }
        }
    }

    /// The parameters of a called function, with what the arguments point to.
    fn arguments(&self, call: &Line) -> BTreeMap<Id, Part> {
        let Some(body) = self.functions.get(&call.id(3)) else { return BTreeMap::new() };
        let lines = self.lines.all.get(body.clone()).unwrap_or_default();
        let parameters = lines.iter().filter(|line| line.op == Op::FunctionParameter).filter_map(Line::result);
        let given = call.words.get(4..).unwrap_or_default();
        parameters.zip(given).filter_map(|(parameter, &given)| Some((parameter, self.part(Id(given))?))).collect()
    }
}

/// Numbers of parts, and of the variable that each is of.
#[derive(Default)]
struct Parts {
    numbers: BTreeMap<Part, u32>,
    of_variable: BTreeMap<Id, Vec<u32>>,
}

impl Parts {
    fn number(&mut self, part: Part) -> u32 {
        let next = self.numbers.len() as u32;
        let variable = part.0;
        *self.numbers.entry(part).or_insert_with(|| {
            self.of_variable.entry(variable).or_default().push(next);
            next
        })
    }

    /// Whether anything of a variable is written.
    fn has(&self, written: &Bits, variable: Id) -> bool {
        self.of_variable.get(&variable).is_some_and(|all| all.iter().any(|&part| written.has(part)))
    }
}

/// What is written at the start of each block on every way, until nothing changes; then what is read there, and what is
/// written at every return.
fn solved(blocks: &[Block], parts: &Parts) -> Summary {
    let mut before: Vec<Option<Bits>> = vec![None; blocks.len()];
    if let Some(first) = before.first_mut() {
        *first = Some(Bits(Vec::new()));
    }
    let after = |block: &Block, mut written: Bits| {
        for step in &block.steps {
            if let Step::Write(part) = step {
                written.add(*part);
            }
        }
        written
    };
    let mut is_changed = true;
    while std::mem::take(&mut is_changed) {
        for (at, block) in blocks.iter().enumerate() {
            let Some(written) = before[at].clone() else { continue };
            let written = after(block, written);
            for &next in &block.next {
                let both = match &before[next] {
                    Some(known) => {
                        let mut both = known.clone();
                        both.keep(&written);
                        both
                    }
                    None => written.clone(),
                };
                if before[next].as_ref() != Some(&both) {
                    before[next] = Some(both);
                    is_changed = true;
                }
            }
        }
    }
    let mut summary = Summary::default();
    let mut at_return: Option<Bits> = None;
    for (block, before) in blocks.iter().zip(before) {
        let Some(mut written) = before else { continue };
        for step in &block.steps {
            match step {
                Step::Read(id) if !parts.has(&written, *id) => drop(summary.reads.insert(*id)),
                Step::Read(_) => {}
                Step::Write(part) => written.add(*part),
            }
        }
        if block.is_return {
            match &mut at_return {
                Some(known) => known.keep(&written),
                None => at_return = Some(written),
            }
        }
    }
    let is_written = |number: u32| at_return.as_ref().is_some_and(|written| written.has(number));
    summary.written =
        parts.numbers.iter().filter(|(_, number)| is_written(**number)).map(|(part, _)| part.clone()).collect();
    summary
}

/// Whether something that is written covers a part: the part itself, or what it is a part of.
pub(super) fn covers(written: &BTreeSet<Part>, (id, path): &Part) -> bool {
    (0..=path.len()).any(|length| written.contains(&(*id, path[..length].to_vec())))
}
