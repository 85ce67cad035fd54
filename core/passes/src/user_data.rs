//! The user data that a shader loads, and the scalar registers that LLPC passes it in.
//!
//! A pipeline layout has root nodes at dword offsets. Only dwords that the shader loads take registers: in rising order,
//! those of one load together. What does not fit is read from a spill table, whose pointer takes one register more.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::guessed_layout::{Layout, RootItem, resources};
use crate::liveness::{Liveness, Step, resolve};
use crate::run::types::Shape;
use lanescope_base::ids::Id;
use lanescope_model::program::StageKind;
use lanescope_pipeline::NodeType;
use lanescope_spirv::enums::{BuiltIn, Decoration, Op, StorageClass};

/// Dwords of user data that are followed; LLPC takes fewer.
const MOST: u64 = 4096;
/// The pointer to the driver's internal table, in the first register.
const GLOBAL_TABLE: u32 = 1;

/// How a shader's user data is passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UserData {
    /// Different dwords that the shader loads.
    pub loaded: u32,
    /// How many of them are in registers.
    pub in_registers: u32,
    /// The first dword that is read from the spill table, if any is.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub spilled_from: Option<u32>,
    /// Push constants are read with an index known only at run time, so their memory is needed whatever fits.
    pub dynamic: bool,
    /// Registers before those dwords: of the internal table, and of the number of workgroups.
    pub before: u32,
    /// Registers in all.
    pub registers: u32,
    /// Registers that the stage has.
    pub available: u32,
}

impl UserData {
    /// Whether a spill table is needed.
    pub fn spills(&self) -> bool {
        self.dynamic || self.spilled_from.is_some()
    }

    /// Which dwords spill, as a clause; none where all fit.
    pub fn why_spills(&self) -> Option<String> {
        let UserData { loaded, in_registers, before, available, .. } = self;
        let taken = format!("{available} registers, {before} of them taken before");
        match self.dynamic {
            _ if !self.spills() => None,
            true if in_registers == loaded => Some(
                "push constants are read with an index known only at run time, so they are read from memory".to_owned(),
            ),
            _ => {
                Some(format!("{in_registers} of the {loaded} dwords that the shader loads fit in registers ({taken})"))
            }
        }
    }
}

/// How a fragment or compute shader's user data is passed with this layout. Absent for other stages, and where a load
/// cannot be followed.
pub fn user_data(live: &Liveness<'_>, layout: &Layout) -> Option<UserData> {
    let (available, before) = match live.entry().stage? {
        StageKind::Compute if reads_workgroup_count(live) => (16, GLOBAL_TABLE + 2),
        StageKind::Compute => (16, GLOBAL_TABLE),
        StageKind::Fragment => (32, GLOBAL_TABLE),
        _ => return None,
    };
    let mut loads = Loads::default();
    for resource in resources(live).into_iter().filter(|resource| resource.used) {
        let Some((node, at_root)) = layout.find(resource.set, resource.binding) else { continue };
        if !at_root {
            loads.add(layout.pointer(node.set)?.offset, 1)?;
        } else if node.node == NodeType::InlineBuffer {
            let is_it = |id: &Id| {
                let number = |kind| live.module().decoration(*id, None, kind);
                (number(Decoration::DescriptorSet).unwrap_or(0), number(Decoration::Binding))
                    == (node.set, Some(node.binding))
            };
            for variable in live.variables(StorageClass::Uniform).iter().filter(|id| is_it(id)) {
                block(live, *variable, node.offset, &mut loads)?;
            }
        } else {
            loads.add(node.offset, node.size.min(4))?;
        }
    }
    let push = layout.root.iter().find(|root| root.item == RootItem::PushConstants);
    for variable in live.variables(StorageClass::PushConstant) {
        block(live, variable, push?.offset, &mut loads)?;
    }
    Some(loads.fit(available, before))
}

/// Whether the number of workgroups is read: its pointer takes two registers.
fn reads_workgroup_count(live: &Liveness<'_>) -> bool {
    let module = live.module();
    let is_count = |id: &Id| module.decoration(*id, None, Decoration::BuiltIn) == Some(BuiltIn::NumWorkgroups as u32);
    live.uses().leaves.keys().any(is_count)
}

/// Adds the loads of a block that lies in the user data from a dword on.
fn block(live: &Liveness<'_>, variable: Id, from: u64, loads: &mut Loads) -> Option<()> {
    let module = live.module();
    let base = module.def(variable)?.index;
    let shape = Shape::of(module, module.pointee(variable)?);
    for inst in live.insts() {
        match inst.op() {
            Some(Op::AccessChain | Op::InBoundsAccessChain | Op::CopyObject) => continue,
            Some(Op::UntypedAccessChainKHR | Op::UntypedInBoundsAccessChainKHR) => {
                // Another type may lie over the block.
                if inst.id_at(4) == variable && module.pointee(variable) != Some(inst.id_at(3)) {
                    return None;
                }
                continue;
            }
            Some(Op::Load) => {
                let Some(pointer) = resolve(module, inst.id_at(3)).filter(|pointer| pointer.base == base) else {
                    continue;
                };
                match place(&shape, &pointer.path) {
                    Some((shape, offset)) => {
                        let mut leaves = Vec::new();
                        expand(&shape, offset, &mut leaves)?;
                        for (offset, bytes) in leaves {
                            loads.add_bytes(from, offset, bytes)?;
                        }
                    }
                    None => loads.index(from),
                }
            }
            _ => {
                let mut leaks = false;
                let leads_in =
                    |id| module.pointer_class(id).is_some() && resolve(module, id).is_some_and(|p| p.base == base);
                if module.for_each_id_used(&inst, |id| leaks |= leads_in(id)).is_err() || leaks {
                    return None;
                }
            }
        }
    }
    Some(())
}

/// The part of a block that a path leads to, and its first byte. Absent after an index known only at run time.
fn place(shape: &Shape, path: &[Step]) -> Option<(Shape, u64)> {
    let (mut shape, mut offset) = (shape.clone(), 0u64);
    for step in path {
        let Step::At(index) = *step else { return None };
        let at = u64::from(index);
        (shape, offset) = match shape {
            Shape::Struct { members } => {
                let member = members.into_iter().nth(index as usize)?;
                (member.shape, offset.saturating_add(u64::from(member.offset)))
            }
            Shape::Array { element, stride, .. } => {
                (*element, offset.saturating_add(at.saturating_mul(u64::from(stride))))
            }
            Shape::Vector { scalar, .. } => {
                (Shape::Scalar(scalar), offset.saturating_add(at.saturating_mul(scalar.bytes())))
            }
            Shape::Matrix { scalar, rows, stride, row_major, .. } => match row_major {
                false => {
                    (Shape::Vector { scalar, count: rows }, offset.saturating_add(at.saturating_mul(u64::from(stride))))
                }
                // A column's elements are a row apart.
                true => {
                    let column = Shape::Array { element: Box::new(Shape::Scalar(scalar)), count: Some(rows), stride };
                    (column, offset.saturating_add(at.saturating_mul(scalar.bytes())))
                }
            },
            Shape::Scalar(_) | Shape::Words { .. } => return None,
        };
    }
    Some((shape, offset))
}

/// The loads of a part: one for each scalar and vector. Absent where there are too many.
fn expand(shape: &Shape, offset: u64, out: &mut Vec<(u64, u64)>) -> Option<()> {
    let apart = |at: u32, stride: u32| offset.saturating_add(u64::from(at).saturating_mul(u64::from(stride)));
    match shape {
        Shape::Scalar(_) | Shape::Vector { .. } => out.push((offset, shape.bytes())),
        Shape::Words { count } => (0..*count).try_for_each(|at| {
            out.push((apart(at, 4), 4));
            (out.len() as u64 <= MOST).then_some(())
        })?,
        Shape::Struct { members } => {
            members.iter().try_for_each(|m| expand(&m.shape, offset.saturating_add(u64::from(m.offset)), out))?;
        }
        Shape::Array { element, count, stride } => {
            (0..(*count)?).try_for_each(|at| expand(element, apart(at, *stride), out))?;
        }
        Shape::Matrix { scalar, columns, rows, stride, row_major } => {
            let (number, length) = if *row_major { (*rows, *columns) } else { (*columns, *rows) };
            let line = Shape::Vector { scalar: *scalar, count: length };
            (0..number).try_for_each(|at| expand(&line, apart(at, *stride), out))?;
        }
    }
    (out.len() as u64 <= MOST).then_some(())
}

/// Loads by their first dword.
#[derive(Debug, Clone, Default)]
struct Loads {
    /// Dwords of the load that begins there; 0 for none.
    sizes: Vec<u32>,
    /// The first dword of a block that is read with an index known only at run time.
    indexed: Option<u32>,
}

impl Loads {
    fn add(&mut self, at: u64, size: u64) -> Option<()> {
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
    fn fit(mut self, available: u32, before: u32) -> UserData {
        let dynamic = self.indexed.is_some();
        let mut spills = dynamic;
        let mut threshold = self.indexed;
        let mut room = available - u32::from(spills);
        let mut end = before;
        let (mut last, mut last_size) = (0, 0);
        let loaded = self.covered();
        let mut at = 0;
        while let Some(&size) = self.sizes.get(at) {
            let spilled = |at: usize| Some(threshold.map_or(at as u32, |known| known.min(at as u32)));
            if size == 0 {
                at += 1;
            } else if end + size <= room {
                (last, last_size) = (at, size);
                end += size;
                at = self.take(at, size);
            } else if !spills {
                // The pointer of the spill table may need the register of what was placed last.
                (room, spills) = (room - 1, true);
                if end > room {
                    end -= last_size;
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
            registers: end + u32::from(spills),
            available,
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
        all.fit(16, before)
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

    #[test]
    fn an_index_known_only_at_run_time_needs_memory() {
        let mut all = Loads::default();
        all.add(0, 1).expect("is small");
        all.index(1);
        let data = all.fit(16, 1);
        assert_eq!((data.registers, data.spilled_from, data.dynamic), (3, Some(1), true));
    }
}
