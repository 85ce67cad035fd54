//! Variables of functions that may be read before anything is written to them.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_base::ids::Id;
use lanescope_spirv::enums::{Op, StorageClass};

use super::lines::{Line, Lines};

/// What a block does with variables.
#[derive(Default)]
struct Block {
    /// Those that it reads before it writes them.
    reads: BTreeSet<Id>,
    /// Those that it writes: in part, or through a function that is given a pointer, counts too.
    writes: BTreeSet<Id>,
    /// The blocks that may follow.
    next: Vec<Id>,
}

/// The variables of functions of which a read can be reached without any write: by the branches alone, whether or not
/// their conditions ever allow it.
pub(super) fn maybe_unwritten(lines: &Lines) -> BTreeSet<Id> {
    let own: BTreeSet<Id> = lines
        .all
        .iter()
        .filter(|line| line.op == Op::Variable && line.words.len() == 4)
        .filter(|line| StorageClass::from_u32(line.word(3)) == Some(StorageClass::Function))
        .filter_map(Line::result)
        .collect();
    // Pointers into them.
    let mut into: BTreeMap<Id, Id> = own.iter().map(|id| (*id, *id)).collect();
    for line in lines.all.iter().filter(|line| matches!(line.op, Op::AccessChain | Op::InBoundsAccessChain)) {
        if let (Some(result), Some(&variable)) = (line.result(), into.get(&line.id(3))) {
            into.insert(result, variable);
        }
    }
    let mut out = BTreeSet::new();
    for function in lines.functions() {
        out.extend(of_function(lines.all.get(function).unwrap_or_default(), &own, &into));
    }
    out
}

fn of_function(body: &[Line], own: &BTreeSet<Id>, into: &BTreeMap<Id, Id>) -> BTreeSet<Id> {
    let mut blocks: BTreeMap<Id, Block> = BTreeMap::new();
    let mut first = None;
    let mut label = Id(0);
    for line in body {
        if let (Op::Label, Some(id)) = (line.op, line.result()) {
            label = id;
            first.get_or_insert(id);
        }
        let block = blocks.entry(label).or_default();
        let variables: Vec<Id> = line.ids().filter_map(|id| into.get(&id).copied()).collect();
        match line.op {
            Op::Load => block.reads.extend(variables.iter().filter(|id| !block.writes.contains(id))),
            Op::AccessChain | Op::InBoundsAccessChain | Op::Variable => {}
            _ => block.writes.extend(variables),
        }
        block.next.extend(line.successors().unwrap_or_default());
    }
    // What is written on every way to a block: at first everything, then less until nothing changes.
    let mut written: BTreeMap<Id, BTreeSet<Id>> = BTreeMap::new();
    let mut left: Vec<Id> = first.into_iter().collect();
    first.map(|first| written.insert(first, BTreeSet::new()));
    while let Some(at) = left.pop() {
        let (Some(block), Some(before)) = (blocks.get(&at), written.get(&at).cloned()) else { continue };
        let after: BTreeSet<Id> = before.union(&block.writes).copied().collect();
        for next in &block.next {
            let both = match written.get(next) {
                Some(known) => known.intersection(&after).copied().collect(),
                None => after.clone(),
            };
            if written.get(next) != Some(&both) {
                written.insert(*next, both);
                left.push(*next);
            }
        }
    }
    let unwritten = |(id, before): (&Id, &BTreeSet<Id>)| -> Vec<Id> {
        let reads = blocks.get(id).map(|block| &block.reads);
        reads.into_iter().flatten().filter(|id| own.contains(id) && !before.contains(id)).copied().collect()
    };
    written.iter().flat_map(unwritten).collect()
}
