//! Undefined behaviour that a module's text alone shows, or cannot rule out where the one before could.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_base::ids::Id;
use lanescope_spirv::enums::{BuiltIn, Decoration, Op, StorageClass};
use lanescope_spirv::{facts, grammar};

use super::assigned::{Part, covers, of_entry_points};
use super::lines::{Line, Lines};

/// What is undefined, if it runs.
#[derive(Debug, Clone, Default)]
pub(super) struct ByText {
    /// Variables of functions and private ones of which a read can be reached without a write.
    maybe_unwritten: BTreeSet<Id>,
    /// Shared variables that are read and that nothing writes.
    unwritten: BTreeSet<Id>,
    /// Counts of single instructions: divisions by zero, undefined values, indices out of bounds, ray queries that nothing
    /// initialises, outputs of a mesh shader without a number.
    counts: [usize; 5],
    /// What of the outputs is written whenever an entry point returns.
    outputs: BTreeSet<Part>,
    /// Outputs that are declared.
    declared: BTreeSet<Id>,
    /// Blocks of built-in outputs: what of them is not needed may go.
    blocks: BTreeSet<Id>,
    /// Built-in outputs that what follows needs: they may not go. By variable, or the member of one.
    needed: BTreeSet<Part>,
}

/// Built-in outputs without which what follows is undefined.
const NEEDED: [BuiltIn; 3] = [BuiltIn::Position, BuiltIn::TessLevelOuter, BuiltIn::TessLevelInner];

impl ByText {
    /// What a module shows.
    pub fn of(lines: &Lines) -> ByText {
        let definitions = lines.definitions();
        let line = |id: Id| definitions.get(&id).and_then(|&at| lines.all.get(at));
        let summary = of_entry_points(lines);
        let is_output = |line: &&Line| {
            line.op == Op::Variable && StorageClass::from_u32(line.word(3)) == Some(StorageClass::Output)
        };
        let declared: BTreeSet<Id> = lines.all.iter().filter(is_output).filter_map(Line::result).collect();
        let outputs: BTreeSet<Part> = summary.written.into_iter().filter(|(id, _)| declared.contains(id)).collect();
        let mut found = ByText {
            maybe_unwritten: summary.reads,
            unwritten: unwritten(lines),
            needed: needed(lines, &line, &declared),
            blocks: built_in_blocks(lines, &line, &declared),
            outputs,
            declared,
            ..ByText::default()
        };
        let (mut initialised, mut set_outputs) = (false, false);
        let (mut queries, mut stores) = (0, 0);
        for each in &lines.all {
            match each.op {
                Op::UDiv | Op::SDiv | Op::UMod | Op::SMod | Op::SRem if is_zero(each.id(4), &line, 0) => {
                    found.counts[0] += 1;
                }
                Op::AccessChain | Op::InBoundsAccessChain => {
                    found.counts[2] += usize::from(is_out_of_bounds(each, &line));
                }
                Op::RayQueryInitializeKHR => initialised = true,
                Op::SetMeshOutputsEXT => set_outputs = true,
                Op::Store => stores += 1,
                op if grammar::info(op as u16).is_some_and(|info| info.name.starts_with("RayQuery")) => queries += 1,
                _ => {}
            }
            let takes_undefined = |id: Id| line(id).is_some_and(|line| line.op == Op::Undef);
            found.counts[1] += usize::from(!each.is_about() && each.ids().any(takes_undefined));
        }
        let is_mesh = lines.all.iter().any(|line| line.op == Op::EntryPoint && [5268, 5365].contains(&line.word(1)));
        found.counts[3] = if initialised { 0 } else { queries };
        found.counts[4] = if is_mesh && !set_outputs { stores } else { 0 };
        found
    }

    /// Whether it shows no more than another of the same module before.
    pub fn is_within(&self, other: &ByText) -> bool {
        let gone = |id: &Id| !self.declared.contains(id) || self.blocks.contains(id);
        let is_kept = |part: &Part| {
            let may_go = gone(&part.0) && !other.needed.iter().any(|needed| touches(needed, part));
            may_go || covers(&self.outputs, part)
        };
        self.maybe_unwritten.is_subset(&other.maybe_unwritten)
            && self.unwritten.is_subset(&other.unwritten)
            && self.counts.iter().zip(&other.counts).all(|(count, before)| count <= before)
            && other.outputs.iter().all(is_kept)
    }

    /// The same by numbers, for modules with other ids: of each kind how much there is.
    pub fn numbers(&self) -> Vec<usize> {
        let missing = self.declared.iter().filter(|id| !self.outputs.iter().any(|(of, _)| of == *id)).count();
        let needed = self.needed.iter().filter(|part| covers(&self.outputs, part)).count();
        let unneeded = NEEDED.len().saturating_sub(needed);
        [self.maybe_unwritten.len(), self.unwritten.len(), missing, unneeded].into_iter().chain(self.counts).collect()
    }
}

/// Whether one part is of the other, or the other of it.
fn touches((id, path): &Part, (other, longer): &Part) -> bool {
    id == other && path.iter().zip(longer).all(|(one, other)| one == other)
}

/// The built-in outputs of [`NEEDED`] that are declared.
fn needed<'l>(lines: &Lines, line: &impl Fn(Id) -> Option<&'l Line>, declared: &BTreeSet<Id>) -> BTreeSet<Part> {
    let is_needed = |word: u32| NEEDED.iter().any(|built_in| *built_in as u32 == word);
    let mut out = BTreeSet::new();
    for each in &lines.all {
        let built_in = Decoration::BuiltIn as u32;
        match each.op {
            Op::Decorate if each.word(2) == built_in && is_needed(each.word(3)) && declared.contains(&each.id(1)) => {
                out.insert((each.id(1), Vec::new()));
            }
            Op::MemberDecorate if each.word(3) == built_in && is_needed(each.word(4)) => {
                for &variable in declared {
                    let pointee = line(variable).and_then(|variable| line(variable.id(1))).map(|pointer| pointer.id(3));
                    if pointee == Some(each.id(1)) {
                        out.insert((variable, vec![each.word(2)]));
                    }
                }
            }
            _ => {}
        }
    }
    out
}

/// Output variables that are blocks of built-in outputs, or arrays of them.
fn built_in_blocks<'l>(lines: &Lines, line: &impl Fn(Id) -> Option<&'l Line>, declared: &BTreeSet<Id>) -> BTreeSet<Id> {
    let is_built_in = |line: &&Line| line.op == Op::MemberDecorate && line.word(3) == Decoration::BuiltIn as u32;
    let types: BTreeSet<Id> = lines.all.iter().filter(is_built_in).map(|line| line.id(1)).collect();
    let of_block = |id: &&Id| {
        let pointee = line(**id).and_then(|variable| line(variable.id(1))).map(|pointer| pointer.id(3));
        let element = pointee.and_then(line).filter(|ty| ty.op == Op::TypeArray).map(|array| array.id(2));
        pointee.is_some_and(|ty| types.contains(&ty)) || element.is_some_and(|ty| types.contains(&ty))
    };
    declared.iter().filter(of_block).copied().collect()
}

/// Shared variables that are read and that nothing writes: an access through a function's parameter counts as both.
fn unwritten(lines: &Lines) -> BTreeSet<Id> {
    let mut roots: BTreeMap<Id, Id> = BTreeMap::new();
    for each in &lines.all {
        let Some(id) = each.result() else { continue };
        match each.op {
            Op::Variable
                if StorageClass::from_u32(each.word(3)) == Some(StorageClass::Workgroup) && each.words.len() == 4 =>
            {
                roots.insert(id, id);
            }
            Op::AccessChain | Op::InBoundsAccessChain | Op::CopyObject => {
                roots.extend(roots.get(&each.id(3)).copied().map(|root| (id, root)));
            }
            _ => {}
        }
    }
    let (mut reads, mut written) = (BTreeSet::new(), BTreeSet::new());
    for each in lines.all.iter().filter(|line| !line.is_about() && line.op != Op::EntryPoint) {
        let of = each.ids().filter_map(|id| roots.get(&id).copied());
        match each.op {
            Op::Load => reads.extend(of),
            _ if facts(each.op).chain.is_some() || each.op == Op::CopyObject => {}
            _ => written.extend(of),
        }
    }
    reads.difference(&written).copied().collect()
}

/// Whether a constant index of an access leads out of an array, a vector or a matrix.
fn is_out_of_bounds<'l>(chain: &Line, line: &impl Fn(Id) -> Option<&'l Line>) -> bool {
    let base = line(chain.id(3)).and_then(Line::ty).and_then(line).filter(|ty| ty.op == Op::TypePointer);
    let Some(mut ty) = base.and_then(|pointer| line(pointer.id(3))) else { return false };
    for &index in chain.words.get(4..).unwrap_or_default() {
        let index = line(Id(index)).filter(|index| index.op == Op::Constant).map(|index| index.word(3));
        let (count, next) = match ty.op {
            Op::TypeArray => {
                (line(ty.id(3)).filter(|length| length.op == Op::Constant).map(|length| length.word(3)), ty.id(2))
            }
            Op::TypeVector | Op::TypeMatrix => (Some(ty.word(3)), ty.id(2)),
            Op::TypeRuntimeArray => (None, ty.id(2)),
            Op::TypeStruct => (None, ty.id(2 + index.unwrap_or(0) as usize)),
            _ => return false,
        };
        if index.zip(count).is_some_and(|(index, count)| index >= count) {
            return true;
        }
        let Some(next) = line(next) else { return false };
        ty = next;
    }
    false
}

/// Whether a value is a constant with a component that is zero.
fn is_zero<'l>(id: Id, line: &impl Fn(Id) -> Option<&'l Line>, depth: u32) -> bool {
    let Some(value) = line(id) else { return false };
    match value.op {
        Op::ConstantNull => true,
        Op::Constant => value.words.get(3..).unwrap_or_default().iter().all(|&word| word == 0),
        Op::ConstantComposite if depth == 0 => {
            value.words.get(3..).unwrap_or_default().iter().any(|&part| is_zero(Id(part), line, 1))
        }
        _ => false,
    }
}
