//! The user data that a shader loads, and the scalar registers that LLPC passes it in.
//!
//! A pipeline layout has root nodes at dword offsets. Only dwords that the shader loads take registers: in rising order,
//! those of one load together. What does not fit is read from a spill table, whose pointer takes one register more.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::sgprs::GLOBAL_TABLE;
use super::{Entry, Holds, Layout, RootItem, UserData, declared};
use crate::liveness::{Liveness, Step, resolve};
use lanescope_base::ids::Id;
use lanescope_model::options::Options;
use lanescope_model::program::StageKind;
use lanescope_pipeline::{NodeType, Pipeline};
use lanescope_spirv::InstId;
use lanescope_spirv::enums::{BuiltIn, Decoration, Op, StorageClass};
use lanescope_spirv::opcode::Chain;
use lanescope_spirv::shape::Shape;

/// Dwords of user data that are followed; LLPC takes fewer.
const MOST: u64 = 4096;
/// Work that the loads of one shader may take: parts looked at, and dwords added. Types can nest to any number of parts,
/// and of parts that take no space any number fits.
const WORK: u64 = 1 << 20;
/// Registers that a stage has, and those of them that other values than its layout's take.
#[derive(Debug, Clone)]
struct Room {
    available: u32,
    before: u32,
    /// What those after the layout's dwords hold.
    after: Vec<Holds>,
}

impl Room {
    /// Absent for stages other than fragment and compute, and where the pipeline may pass more than its shader says.
    fn of(live: &Liveness<'_>, options: &Options, pipeline: Option<&Pipeline>) -> Option<Room> {
        match live.entry().stage? {
            StageKind::Compute => {
                // A pointer to it.
                let count = if reads(live, BuiltIn::NumWorkgroups) { 2 } else { 0 };
                Some(Room { available: 16, before: GLOBAL_TABLE + count, after: Vec::new() })
            }
            StageKind::Fragment if pipeline.is_some_and(Pipeline::passes_dynamic_state) => None,
            StageKind::Fragment => {
                let view = options.multiview && reads(live, BuiltIn::ViewIndex);
                let after = view.then_some(Holds::ViewId).into_iter().collect();
                Some(Room { available: 32, before: GLOBAL_TABLE, after })
            }
            _ => None,
        }
    }
}

/// Whether a built-in is read.
pub(super) fn reads(live: &Liveness<'_>, built_in: BuiltIn) -> bool {
    let is_it = |id: &Id| live.module().decoration(*id, None, Decoration::BuiltIn) == Some(built_in as u32);
    live.uses().leaves.keys().any(is_it)
}

/// Why it is not known how a fragment or compute shader's user data is passed, where [`user_data`] gives nothing for a
/// pipeline that has a layout.
pub fn why_not_passed(stage: StageKind, pipeline: Option<&Pipeline>) -> &'static str {
    match stage {
        StageKind::Fragment if pipeline.is_some_and(Pipeline::passes_dynamic_state) => {
            "the pipeline's settings let the driver pass state in more of them"
        }
        StageKind::Fragment | StageKind::Compute => {
            "the layout lacks what the shader loads, or a load of user data cannot be followed"
        }
        _ => "which special values this stage is passed is not modeled",
    }
}

/// How a fragment or compute shader's user data is passed with this layout, in a pipeline of these options and of this
/// description. Absent for other stages, and where a load cannot be followed, or the layout lacks what is loaded.
pub fn user_data(
    live: &Liveness<'_>,
    layout: &Layout,
    options: &Options,
    pipeline: Option<&Pipeline>,
) -> Option<UserData> {
    passed_in(Room::of(live, options, pipeline)?, live, layout)
}

/// How a vertex shader's user data is passed with this layout, where these special values come after it: see
/// [`vertex_values`](super::vertex_values). Absent where a load cannot be followed, or the layout lacks what is loaded.
pub fn vertex_user_data(live: &Liveness<'_>, layout: &Layout, special: Vec<Holds>) -> Option<UserData> {
    passed_in(Room { available: 32, before: GLOBAL_TABLE, after: special }, live, layout)
}

fn passed_in(room: Room, live: &Liveness<'_>, layout: &Layout) -> Option<UserData> {
    let module = live.module();
    let mut loads = Loads::default();
    let mut blocks = BTreeMap::new();
    let mut place_block = |variable: Id, from: u64| {
        let shape = Shape::of(module, module.pointee(variable)?);
        blocks.insert(module.def(variable)?.index, Block { variable, shape, from });
        Some(())
    };
    let nodes = layout.by_place();
    for (variable, resource) in declared(module).into_iter().filter(|(variable, _)| live.names(*variable)) {
        let &(node, at_root) = nodes.get(&(resource.set, resource.binding))?;
        if !at_root {
            // Which of several tables of one set has the binding is not kept.
            let mut pointers = layout.root.iter().filter(|root| root.item == RootItem::Table { set: node.set });
            let (Some(pointer), None) = (pointers.next(), pointers.next()) else { return None };
            loads.add(pointer.offset, 1)?;
        } else if node.node == NodeType::InlineBuffer {
            place_block(variable, node.offset)?;
        } else {
            loads.add(node.offset, node.size.min(4))?;
        }
    }
    for variable in live.variables(StorageClass::PushConstant) {
        place_block(variable, layout.push_constants()?.offset)?;
    }
    add_blocks(live, &blocks, &mut loads)?;
    let mut data = loads.fit(room);
    for one in &mut data.entries {
        one.what = layout.entry(u64::from(one.entry)).unwrap_or_default();
    }
    Some(data)
}

/// A block that lies in the user data from a dword on.
struct Block {
    variable: Id,
    shape: Shape,
    from: u64,
}

/// Adds the loads of blocks, by the instructions that define their variables.
fn add_blocks(live: &Liveness<'_>, blocks: &BTreeMap<InstId, Block>, loads: &mut Loads) -> Option<()> {
    if blocks.is_empty() {
        return Some(());
    }
    let module = live.module();
    let into = |id: Id| {
        module.pointer_class(id)?;
        resolve(module, id).filter(|pointer| blocks.contains_key(&pointer.base))
    };
    // A place that is loaded again adds nothing; of one without a type, what is loaded counts.
    let mut met = BTreeSet::new();
    let mut types: BTreeMap<Id, Shape> = BTreeMap::new();
    for inst in live.insts() {
        match inst.op() {
            Some(Op::CopyObject) => {}
            _ if inst.is_access_chain() => {}
            _ if inst.facts().chain == Some(Chain::Untyped) => {
                let Some(pointer) = into(inst.id_at(4)) else { continue };
                let declared = blocks.get(&pointer.base)?.variable;
                // Another type may lie over the block, or over a part of it.
                if inst.id_at(4) != declared || module.pointee(declared) != Some(inst.id_at(3)) {
                    return None;
                }
            }
            Some(Op::Load) => {
                let Some(pointer) = into(inst.id_at(3)) else { continue };
                let block = blocks.get(&pointer.base)?;
                let ty = inst.id_at(1);
                let untyped = module.is_untyped_pointer(inst.id_at(3));
                if pointer.is_dynamic() {
                    loads.index(block.from);
                    continue;
                }
                if !met.insert((pointer.base, pointer.path.clone(), untyped.then_some(ty))) {
                    continue;
                }
                let (part, offset) = place(&block.shape, &pointer.path, &mut loads.left)?;
                if untyped {
                    let part = types.entry(ty).or_insert_with(|| Shape::of(module, ty));
                    expand(part, offset, block.from, loads)?;
                } else {
                    expand(&part, offset, block.from, loads)?;
                }
            }
            _ => {
                let mut leaks = false;
                if module.for_each_id_used(&inst, |id| leaks |= into(id).is_some()).is_err() || leaks {
                    return None;
                }
            }
        }
    }
    Some(())
}

/// Takes some work from what is left of it. Absent where there is too little.
fn spend(left: &mut u64, work: u64) -> Option<()> {
    *left = left.checked_sub(work)?;
    Some(())
}

/// The part of a block that a path of constants leads to, and its first byte. Absent where the block has no such part.
fn place<'s>(shape: &'s Shape, path: &[Step], left: &mut u64) -> Option<(Cow<'s, Shape>, u64)> {
    let (mut shape, mut offset) = (Cow::Borrowed(shape), 0u64);
    for step in path {
        let Step::At(index) = *step else { return None };
        spend(left, 1)?;
        let (part, at) = match shape {
            Cow::Borrowed(whole) => part(whole, index)?,
            // A column, whose elements are scalars.
            Cow::Owned(whole) => part(&whole, index).map(|(part, at)| (Cow::Owned(part.into_owned()), at))?,
        };
        (shape, offset) = (part, offset.saturating_add(at));
    }
    Some((shape, offset))
}

/// An element, member or column, and its first byte.
fn part(whole: &Shape, index: u32) -> Option<(Cow<'_, Shape>, u64)> {
    let at = u64::from(index);
    Some(match whole {
        Shape::Struct { members } => {
            let member = members.get(index as usize)?;
            (Cow::Borrowed(&member.shape), u64::from(member.offset))
        }
        Shape::Array { element, stride, .. } => (Cow::Borrowed(element), at.saturating_mul(u64::from(*stride))),
        Shape::Vector { scalar, .. } => (Cow::Owned(Shape::Scalar(*scalar)), at.saturating_mul(scalar.bytes())),
        Shape::Matrix { scalar, rows, stride, row_major: false, .. } => {
            (Cow::Owned(Shape::Vector { scalar: *scalar, count: *rows }), at.saturating_mul(u64::from(*stride)))
        }
        // A column's elements are a row apart.
        Shape::Matrix { scalar, rows, stride, row_major: true, .. } => {
            let element = Box::new(Shape::Scalar(*scalar));
            let column = Shape::Array { element, count: Some(*rows), stride: *stride };
            (Cow::Owned(column), at.saturating_mul(scalar.bytes()))
        }
        Shape::Scalar(_) | Shape::Words { .. } => return None,
    })
}

/// Adds the loads of a part of a block: one for each scalar and vector. Absent where there are too many.
fn expand(shape: &Shape, offset: u64, from: u64, loads: &mut Loads) -> Option<()> {
    spend(&mut loads.left, 1)?;
    let apart = |at: u32, stride: u32| offset.saturating_add(u64::from(at).saturating_mul(u64::from(stride)));
    match shape {
        Shape::Scalar(_) | Shape::Vector { .. } => loads.add_bytes(from, offset, shape.bytes()),
        Shape::Words { count } => (0..*count).try_for_each(|at| {
            spend(&mut loads.left, 1)?;
            loads.add_bytes(from, apart(at, 4), 4)
        }),
        Shape::Struct { members } => {
            members.iter().try_for_each(|m| expand(&m.shape, offset.saturating_add(u64::from(m.offset)), from, loads))
        }
        Shape::Array { element, count, stride } => {
            (0..(*count)?).try_for_each(|at| expand(element, apart(at, *stride), from, loads))
        }
        Shape::Matrix { scalar, columns, rows, stride, row_major } => {
            let (number, length) = if *row_major { (*rows, *columns) } else { (*columns, *rows) };
            let line = Shape::Vector { scalar: *scalar, count: length };
            (0..number).try_for_each(|at| expand(&line, apart(at, *stride), from, loads))
        }
    }
}

/// Loads by their first dword.
#[derive(Debug, Clone)]
struct Loads {
    /// Dwords of the load that begins there; 0 for none.
    sizes: Vec<u32>,
    /// The first dword of a block that is read with an index known only at run time.
    indexed: Option<u32>,
    /// Work that is left.
    left: u64,
}

impl Default for Loads {
    fn default() -> Loads {
        Loads { sizes: Vec::new(), indexed: None, left: WORK }
    }
}

impl Loads {
    fn add(&mut self, at: u64, size: u64) -> Option<()> {
        spend(&mut self.left, size)?;
        let end = at.checked_add(size).filter(|end| *end <= MOST)? as usize;
        if self.sizes.len() < end {
            self.sizes.resize(end, 0);
        }
        self.split(at as usize, size as u32);
        Some(())
    }

    /// Adds a load; where one begins there already, the longer one is split.
    fn split(&mut self, mut at: usize, mut size: u32) {
        while size > 0 {
            let Some(known) = self.sizes.get_mut(at) else { return };
            if *known == 0 {
                *known = size;
                return;
            }
            let (least, most) = (size.min(*known), size.max(*known));
            *known = least;
            at += least as usize;
            size = most - least;
        }
    }

    fn add_bytes(&mut self, from: u64, offset: u64, bytes: u64) -> Option<()> {
        if !offset.is_multiple_of(4) || !bytes.is_multiple_of(4) {
            // Parts of dwords are read from memory.
            self.index(from);
            return Some(());
        }
        self.add(from.checked_add(offset / 4)?, bytes / 4)
    }

    fn index(&mut self, from: u64) {
        let from = u32::try_from(from).unwrap_or(u32::MAX);
        self.indexed = Some(self.indexed.map_or(from, |known| known.min(from)));
    }

    /// Gives registers to as many loads as fit, as LLPC's `finalizeUserDataArgs` does.
    fn fit(mut self, Room { available, before, after: special }: Room) -> UserData {
        let after = special.len() as u32;
        let dynamic = self.indexed.is_some();
        let mut spills = dynamic;
        let mut threshold = self.indexed;
        let mut room = available - after - u32::from(spills);
        let mut end = before;
        let (mut last, mut last_size) = (0, 0);
        let mut entries = Vec::new();
        let loaded = self.covered();
        let mut at = 0;
        while let Some(&size) = self.sizes.get(at) {
            let spilled = |at: usize| Some(threshold.map_or(at as u32, |known| known.min(at as u32)));
            if size == 0 {
                at += 1;
            } else if end + size <= room {
                (last, last_size) = (at, size);
                end += size;
                let from = at as u32;
                entries.extend((from..from + size).map(|entry| Entry { entry, what: String::new() }));
                at = self.take(at, size);
            } else if !spills {
                // The pointer of the spill table may need the register of what was placed last.
                (room, spills) = (room - 1, true);
                if end > room {
                    end -= last_size;
                    entries.truncate(entries.len() - last_size as usize);
                    threshold = spilled(last);
                } else {
                    threshold = spilled(at);
                    at += 1;
                }
            } else {
                threshold = spilled(at);
                if end >= room {
                    break;
                }
                at += 1;
            }
        }
        UserData {
            loaded,
            in_registers: end - before,
            spilled_from: threshold,
            dynamic,
            before,
            after,
            special,
            registers: end + u32::from(spills) + after,
            available,
            entries,
        }
    }

    /// Passes a load; one that begins inside it and reaches further is split. Returns the dword after it.
    fn take(&mut self, at: usize, size: u32) -> usize {
        for inside in 1..size {
            let (index, left) = (at + inside as usize, size - inside);
            let known = self.sizes.get(index).copied().unwrap_or(0);
            if known > left {
                self.split(index + left as usize, known - left);
            }
        }
        at + size as usize
    }

    /// Different dwords of all loads.
    fn covered(&self) -> u32 {
        let (mut count, mut end) = (0, 0);
        for (at, &size) in self.sizes.iter().enumerate() {
            let (from, to) = (at.max(end), at + size as usize);
            count += to.saturating_sub(from) as u32;
            end = end.max(to);
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fitted(loads: &[(u64, u64)], before: u32) -> UserData {
        let mut all = Loads::default();
        loads.iter().for_each(|&(at, size)| all.add(at, size).expect("is small"));
        all.fit(Room { available: 16, before, after: Vec::new() })
    }

    /// A table and 15 push constants: 16 dwords beside the internal table. The last one that fitted makes room for the
    /// pointer of the spill table.
    #[test]
    fn the_spill_table_takes_a_register() {
        let single: Vec<(u64, u64)> = (0..16).map(|at| (at, 1)).collect();
        let data = fitted(&single, 1);
        assert_eq!((data.loaded, data.in_registers, data.registers, data.spilled_from), (16, 14, 16, Some(14)));
        assert!(data.spills());
        let data = fitted(&single[..15], 1);
        assert_eq!((data.in_registers, data.registers, data.spilled_from), (15, 16, None));
        let data = fitted(&single[..14], 3);
        assert_eq!((data.in_registers, data.registers, data.spilled_from), (12, 16, Some(12)));
        assert_eq!(fitted(&single[..13], 3).spilled_from, None);
    }

    #[test]
    fn loads_stay_together_and_smaller_ones_may_follow() {
        let data = fitted(&[(0, 4), (4, 4), (8, 4), (12, 4), (16, 1)], 1);
        // 12 dwords fit, the fourth vector does not, the single dword does.
        assert_eq!((data.in_registers, data.registers, data.spilled_from), (13, 15, Some(12)));
        // Of overlapping loads each dword counts once.
        let data = fitted(&[(0, 4), (2, 4), (0, 1)], 1);
        assert_eq!((data.loaded, data.in_registers), (6, 6));
    }

    /// The worked example of a table and 15 push constants, each loaded alone, and one with the number of workgroups.
    #[test]
    fn registers_hold_what_was_placed() {
        let single: Vec<(u64, u64)> = (0..16).map(|at| (at, 1)).collect();
        let map = |data: &UserData| data.sgprs().into_iter().map(Holds::mapped).collect::<Vec<_>>();
        let data = fitted(&single, 1);
        let mut expected = vec![0x1000_0000];
        expected.extend(0..14);
        expected.push(0x1000_0002);
        assert_eq!((map(&data), data.limit(16)), (expected, 16));
        let data = fitted(&[(2, 1)], 3);
        assert_eq!(map(&data), [0x1000_0000, 0x1000_0006, 0xffff_ffff, 2]);
        assert_eq!((data.limit(40), fitted(&[], 1).limit(40)), (3, 1));
        // A vector that does not fit leaves its place to what is smaller.
        let data = fitted(&[(0, 4), (4, 4), (8, 4), (12, 4), (16, 1)], 1);
        let entries: Vec<u32> = data.entries.iter().map(|one| one.entry).collect();
        assert_eq!(entries, (0..12).chain([16]).collect::<Vec<_>>());
        assert_eq!(data.sgprs().len(), data.registers as usize);
    }

    /// What comes after the loaded dwords leaves them less room.
    #[test]
    fn values_after_the_dwords_take_room() {
        let mut all = Loads::default();
        (0..31).for_each(|at| all.add(at, 1).expect("is small"));
        let data = all.clone().fit(Room { available: 32, before: 1, after: Vec::new() });
        assert_eq!((data.in_registers, data.registers, data.of_layout()), (31, 32, 31));
        let data = all.fit(Room { available: 32, before: 1, after: vec![Holds::ViewId] });
        assert_eq!((data.in_registers, data.registers, data.spilled_from), (29, 32, Some(29)));
        assert_eq!((data.of_special_values(), data.of_layout()), (1, 30));
    }

    /// Parts that take no space, and parts that lie over each other, are bounded by their number.
    #[test]
    fn work_is_bounded() {
        let array =
            |element: Shape, stride| Shape::Array { element: Box::new(element), count: Some(2_000_000), stride };
        let word = Shape::Words { count: 1 };
        for element in [Shape::Struct { members: Vec::new() }, word] {
            let nested = array(array(element, 0), 0);
            assert_eq!(expand(&nested, 0, 0, &mut Loads::default()), None);
        }
        assert_eq!(expand(&Shape::Words { count: u32::MAX }, 1, 0, &mut Loads::default()), None);
        assert_eq!(expand(&Shape::Words { count: 4096 }, 0, 0, &mut Loads::default()), Some(()));
    }

    #[test]
    fn an_index_known_only_at_run_time_needs_memory() {
        let mut all = Loads::default();
        all.add(0, 1).expect("is small");
        all.index(1);
        let data = all.fit(Room { available: 16, before: 1, after: Vec::new() });
        assert_eq!((data.registers, data.spilled_from, data.dynamic), (3, Some(1), true));
    }
}
