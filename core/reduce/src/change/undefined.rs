//! Undefined behaviour that a module's text alone shows.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_base::ids::Id;
use lanescope_spirv::enums::{BuiltIn, Decoration, Op, StorageClass};

use super::lines::{Line, Lines};

/// What is certain to be undefined, if it runs.
#[derive(Debug, Default)]
pub(super) struct Certain {
    /// Variables that are read and that nothing writes.
    unwritten: BTreeSet<Id>,
    /// Integer divisions and remainders by zero.
    divisions: usize,
    /// Instructions that use an undefined value.
    undefined: usize,
    /// Outputs that are declared, by what the next stage sees of each, with whether something writes them.
    outputs: BTreeMap<Output, bool>,
}

/// An output, or a member of an output block.
type Output = (Id, Option<u32>);

impl Certain {
    /// What a module shows.
    pub fn of(lines: &Lines) -> Certain {
        let definitions = lines.definitions();
        let line = |id: Id| definitions.get(&id).and_then(|&at| lines.all.get(at));
        let mut reads: BTreeSet<Id> = BTreeSet::new();
        let mut written: BTreeSet<Id> = BTreeSet::new();
        let mut certain = Certain::default();
        for each in &lines.all {
            let variables: Vec<(usize, Id)> = each
                .ids()
                .enumerate()
                .filter_map(|(at, id)| Some((at, variable(id, &line)?)))
                .collect();
            match each.op {
                Op::Load => reads.extend(variables.iter().map(|(_, id)| *id)),
                Op::AccessChain | Op::InBoundsAccessChain | Op::EntryPoint | Op::Name => {}
                op if each.is_about() || op == Op::Variable => {}
                // Whatever else has a pointer may write through it.
                _ => written.extend(variables.iter().map(|(_, id)| *id)),
            }
            match each.op {
                Op::UDiv | Op::SDiv | Op::UMod | Op::SMod | Op::SRem if is_zero(each.id(4), &line, 0) => {
                    certain.divisions += 1;
                }
                _ => {}
            }
            let takes_undefined = |id: Id| line(id).is_some_and(|line| line.op == Op::Undef);
            certain.undefined += usize::from(!each.is_about() && each.ids().any(takes_undefined));
        }
        certain.unwritten = reads.difference(&written).copied().collect();
        certain.outputs = outputs(lines, &line);
        certain
    }

    /// Whether it shows no more than another.
    pub fn is_within(&self, other: &Certain) -> bool {
        self.unwritten.is_subset(&other.unwritten)
            && self.divisions <= other.divisions
            && self.undefined <= other.undefined
            && other.outputs.iter().all(|(output, written)| !written || self.keeps(*output))
    }

    /// Whether an output that was written is written, or is gone. A position is not gone: what is drawn would be undefined.
    fn keeps(&self, output: Output) -> bool {
        match (self.outputs.get(&output), output) {
            (Some(written), _) => *written,
            (None, (_, member)) => member.is_none(),
        }
    }
}

/// The outputs of the module: variables with a location, and the position, alone or as a member of a block.
fn outputs<'l>(lines: &Lines, line: &impl Fn(Id) -> Option<&'l Line>) -> BTreeMap<Output, bool> {
    let writes = writes(lines, line);
    let is_written = |output: Id, member: Option<u32>| {
        let all = writes.get(&output);
        all.is_some_and(|all| member.is_none() || all.contains(&member) || all.contains(&None))
    };
    // The id 0, which no variable has, stands for the position however it is declared.
    let (position, built_in) = (BuiltIn::Position as u32, Decoration::BuiltIn as u32);
    let mut out = BTreeMap::new();
    for each in &lines.all {
        match each.op {
            Op::Decorate if each.word(2) == built_in && each.word(3) == position => {
                *out.entry((Id(0), Some(0))).or_default() |= is_written(each.id(1), None);
            }
            Op::MemberDecorate if each.word(3) == built_in && each.word(4) == position => {
                for variable in variables_of(lines, each.id(1), line) {
                    *out.entry((Id(0), Some(0))).or_default() |= is_written(variable, Some(each.word(2)));
                }
            }
            Op::Variable if StorageClass::from_u32(each.word(3)) == Some(StorageClass::Output) => {
                out.extend(each.result().map(|id| ((id, None), is_written(id, None))));
            }
            _ => {}
        }
    }
    out
}

/// The variables that something may write: with the members of a block that it may be.
fn writes<'l>(lines: &Lines, line: &impl Fn(Id) -> Option<&'l Line>) -> BTreeMap<Id, BTreeSet<Option<u32>>> {
    let mut out: BTreeMap<Id, BTreeSet<Option<u32>>> = BTreeMap::new();
    for each in &lines.all {
        match each.op {
            Op::AccessChain | Op::InBoundsAccessChain | Op::Load | Op::EntryPoint | Op::Variable => continue,
            _ if each.is_about() => continue,
            _ => {}
        }
        for mut at in each.ids().filter_map(line) {
            let mut members = BTreeSet::new();
            while matches!(at.op, Op::AccessChain | Op::InBoundsAccessChain) {
                let indices = at.words.get(4..).unwrap_or_default().iter().filter_map(|&index| line(Id(index)));
                // Which of the indices is the member's depends on what is an array: any of them may be.
                members.extend(indices.filter(|index| index.op == Op::Constant).map(|index| Some(index.word(3))));
                let Some(next) = line(at.id(3)) else { break };
                at = next;
            }
            if let (Op::Variable, Some(variable)) = (at.op, at.result()) {
                members.extend(members.is_empty().then_some(None));
                out.entry(variable).or_default().append(&mut members);
            }
        }
    }
    out
}

/// Output variables whose type is a block, or an array of it.
fn variables_of<'l>(lines: &Lines, block: Id, line: &impl Fn(Id) -> Option<&'l Line>) -> Vec<Id> {
    let is_of = |variable: &&Line| {
        let pointee = line(variable.id(1)).map(|pointer| pointer.id(3));
        let element = pointee.and_then(line).filter(|ty| ty.op == Op::TypeArray).map(|array| array.id(2));
        element.or(pointee) == Some(block)
    };
    let class = |variable: &&Line| StorageClass::from_u32(variable.word(3)) == Some(StorageClass::Output);
    let variables = lines.all.iter().filter(|line| line.op == Op::Variable);
    variables.filter(class).filter(is_of).filter_map(Line::result).collect()
}

/// The variable without initial contents that a pointer leads into.
fn variable<'l>(pointer: Id, line: &impl Fn(Id) -> Option<&'l Line>) -> Option<Id> {
    let mut at = line(pointer)?;
    // As deep as accesses may be chained in any real module.
    for _ in 0..64 {
        match at.op {
            Op::AccessChain | Op::InBoundsAccessChain | Op::CopyObject => at = line(at.id(3))?,
            Op::Variable => break,
            _ => return None,
        }
    }
    let class = StorageClass::from_u32(at.word(3))?;
    let is_own = matches!(
        class,
        StorageClass::Function | StorageClass::Private | StorageClass::Workgroup | StorageClass::Output
    );
    (at.op == Op::Variable && is_own && at.words.len() == 4).then(|| at.result()).flatten()
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

