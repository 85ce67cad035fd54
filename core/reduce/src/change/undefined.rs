//! Undefined behaviour that a module's text alone shows.

use std::collections::BTreeSet;

use lanescope_base::ids::Id;
use lanescope_spirv::enums::{Op, StorageClass};

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
}

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
        certain
    }

    /// Whether it shows no more than another.
    pub fn is_within(&self, other: &Certain) -> bool {
        self.unwritten.is_subset(&other.unwritten)
            && self.divisions <= other.divisions
            && self.undefined <= other.undefined
    }
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

