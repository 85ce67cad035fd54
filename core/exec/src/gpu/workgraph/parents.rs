//! Which launch wrote a record: noted by the node itself, beside what it writes.
//!
//! The converter's allocations say where a record was put, not who put it there. After each of them every thread that
//! got room notes the number of its launch's first record, in a word that stands for the place of the first record that
//! it got: the payload's place divided by what all of the node's records are multiples of. Records after it without a
//! word of their own are the same thread's. What has no word there (see [`OutputBlock`](super::block::OutputBlock))
//! goes to the word after the last one, and its launch stays unknown.

use super::block::{HEADER_PARENT_WORDS, HEADER_PARENTS};
use crate::gpu::memory::{Buffer, Near};
use crate::gpu::{Device, GpuError};
use lanescope_base::ids::Id;
use lanescope_passes::graph::Node;
use lanescope_spirv::edit::{Editor, push};
use lanescope_spirv::enums::{Decoration, Op, StorageClass};
use lanescope_spirv::{Inst, InstId, Module};

/// The operand that says how an access through an address is aligned.
const ALIGNED: u32 = 2;
/// The push constant that says where the first record's number is, by its offset.
const FIRST_OFFSET: u32 = 8;
/// Functions that allocate records; the last one calls the one before.
const ALLOCATIONS: [&str; 3] =
    ["AllocateGroupNodeRecords", "AllocateThreadNodeRecords", "AllocateThreadNodeRecordsWaterfall"];
/// Payload is allocated in units of so many bytes, as a power of two.
const MAX_SHIFT: u32 = 4;
/// The most bytes of words: launches of what is written after them stay unknown.
const MAX_BYTES: u64 = 256 << 20;

/// How far places of a node's records are shifted to find their words; none where it writes no record.
pub(super) fn shift(node: &Node) -> Option<u32> {
    let strides = node.outputs.iter().filter_map(|output| output.record.as_ref()).map(|record| record.stride());
    let shifts = strides.filter(|stride| *stride > 0).map(|stride| stride.trailing_zeros().min(MAX_SHIFT));
    shifts.min()
}

/// Lets a module note its launches. False where it has another shape than the converter's, and nothing is noted.
pub(super) fn note(module: &Module, editor: &mut Editor<'_>, shift: u32) -> bool {
    let Some(number) = launch(module) else { return false };
    let Some(result) = number.result() else { return false };
    let word = editor.int(32, false);
    let kept = editor.variable(StorageClass::Private, word);
    editor.change_interface(0, |_| false, &[(kept, StorageClass::Private)]);
    let mut code = Vec::new();
    editor.store(&mut code, kept, result);
    editor.insert_before(next(&number), &code);
    let name = |function: Id| module.name(function).filter(|name| ALLOCATIONS.contains(name));
    for function in module.functions().iter().filter(|function| name(function.id).is_none()) {
        for call in module.insts_in(function.insts.clone()).filter(|inst| inst.op() == Some(Op::FunctionCall)) {
            if name(call.id_at(3)).is_some() {
                let code = noting(editor, &call, kept, shift);
                editor.insert_before(next(&call), &code);
            }
        }
    }
    true
}

/// The instruction after another one: neither an allocation nor an addition ends its block.
fn next(inst: &Inst<'_>) -> InstId {
    InstId(inst.index.0 + 1)
}

/// Stores the launch's number where an allocation put its first record.
fn noting(editor: &mut Editor<'_>, call: &Inst<'_>, kept: Id, shift: u32) -> Vec<u32> {
    let (word, long, boolean) = (editor.int(32, false), editor.int(64, false), editor.bool());
    let [words_at, longs_at] = [word, long].map(|ty| editor.pointer(StorageClass::PhysicalStorageBuffer, ty));
    let (counters, count) = (call.id_at(4), call.id_at(6));
    let mut code = Vec::new();
    let load = |editor: &mut Editor<'_>, code: &mut Vec<u32>, header: u64, pointer: Id, ty: Id, align: u32| {
        let back = editor.u64(header);
        let address = editor.value(code, Op::ISub, long, &[counters.0, back.0]);
        let place = editor.value(code, Op::ConvertUToPtr, pointer, &[address.0]);
        editor.value(code, Op::Load, ty, &[place.0, ALIGNED, align])
    };
    let base = load(editor, &mut code, HEADER_PARENTS, longs_at, long, 8);
    let words = load(editor, &mut code, HEADER_PARENT_WORDS, words_at, word, 4);
    let launch = editor.load(&mut code, word, kept);
    let (zero, one, two, shift) = (editor.u32(0), editor.u32(1), editor.u32(2), editor.u32(shift));
    // 0 stands for nothing noted.
    let number = editor.value(&mut code, Op::IAdd, word, &[launch.0, one.0]);
    let place = call.result().unwrap_or(Id(0));
    let at = editor.value(&mut code, Op::ShiftRightLogical, word, &[place.0, shift.0]);
    let inside = editor.value(&mut code, Op::ULessThan, boolean, &[at.0, words.0]);
    let some = editor.value(&mut code, Op::INotEqual, boolean, &[count.0, zero.0]);
    let noted = editor.value(&mut code, Op::LogicalAnd, boolean, &[inside.0, some.0]);
    let at = editor.value(&mut code, Op::Select, word, &[noted.0, at.0, words.0]);
    let at = editor.value(&mut code, Op::UConvert, long, &[at.0]);
    let bytes = editor.value(&mut code, Op::ShiftLeftLogical, long, &[at.0, two.0]);
    let address = editor.value(&mut code, Op::IAdd, long, &[base.0, bytes.0]);
    let place = editor.value(&mut code, Op::ConvertUToPtr, words_at, &[address.0]);
    push(&mut code, Op::Store, &[place.0, number.0, ALIGNED, 4]);
    code
}

/// The sum of which one part is the first record's number: what the dispatcher makes of its workgroup's and its thread's.
fn launch(module: &Module) -> Option<Inst<'_>> {
    let is_push =
        |inst: &Inst<'_>| inst.op() == Some(Op::Variable) && inst.word_at(3) == StorageClass::PushConstant as u32;
    let push = module.insts().find(is_push)?.result()?;
    let block = module.pointee(push)?;
    let is_of = |id: Id, op: Op| module.def(id).filter(|inst| inst.op() == Some(op));
    let is_first = |id: Id| -> Option<()> {
        let chain = is_of(is_of(id, Op::Load)?.id_at(3), Op::AccessChain)?;
        let chain = is_of(is_of(chain.id_at(3), Op::Load)?.id_at(3), Op::AccessChain)?;
        let member = module.constant(chain.id_at(4))?.as_u32()?;
        let offset = module.decoration(block, Some(member), Decoration::Offset)?;
        (chain.id_at(3) == push && offset == FIRST_OFFSET).then_some(())
    };
    let is_sum = |inst: &Inst<'_>| {
        inst.op() == Some(Op::IAdd) && [3, 4].into_iter().any(|at| is_first(inst.id_at(at)).is_some())
    };
    let mut sums = module.insts().filter(is_sum);
    sums.next().filter(|_| sums.next().is_none())
}

/// The words of one batch, in device memory.
pub(super) struct Parents<'d> {
    memory: Buffer<'d>,
    address: u64,
    /// How many words there are, one for what has none aside.
    words: u32,
    /// So many words were 0 at some time.
    known: u32,
    /// Words that may have been written since.
    dirty: u32,
}

impl<'d> Parents<'d> {
    /// Words for so many bytes of payload, whose places are shifted so far at least. None where there is no memory for them.
    pub fn new(device: &'d Device, payload: u64, shift: u32) -> Option<Parents<'d>> {
        let bytes = (4 * (payload >> shift)).min(MAX_BYTES);
        let memory = Buffer::arena(device, bytes + 4, Near::Host, "launches of records").ok()?;
        let (address, words) = (memory.address(), u32::try_from(bytes / 4).ok()?);
        Some(Parents { memory, address, words, known: 0, dirty: 0 })
    }

    /// Where the words are, and how many: what a batch reads in front of its counters.
    pub fn header(&self) -> (u64, u32) {
        (self.address, self.words)
    }

    /// How many words stand for so many bytes of payload.
    fn words_of(&self, payload: u64, shift: u32) -> u32 {
        (payload >> shift).saturating_add(1).min(u64::from(self.words)) as u32
    }

    /// Nothing is noted of so many bytes of payload. What was never written is not touched.
    pub fn clear(&mut self, payload: u64, shift: u32) -> Result<(), GpuError> {
        let (known, dirty, wanted) = (self.known, self.dirty, self.words_of(payload, shift));
        let bytes = self.memory.bytes_mut()?;
        for (from, to) in [(0, dirty), (known, wanted)] {
            bytes.get_mut(4 * from as usize..4 * to as usize).unwrap_or_default().fill(0);
        }
        (self.known, self.dirty) = (known.max(wanted), 0);
        Ok(())
    }

    /// What was noted of so many bytes of payload.
    pub fn noted(&mut self, payload: u64, shift: u32) -> Result<Noted, GpuError> {
        let used = self.words_of(payload, shift);
        self.dirty = used;
        let bytes = self.memory.contents()?.get(..4 * used as usize).unwrap_or_default();
        let words = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        Ok(Noted { words, shift })
    }
}

/// What a batch noted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Noted {
    words: Vec<u32>,
    shift: u32,
}

impl Noted {
    /// Records of an allocation as runs of those that one thread wrote: how many, and the number of its launch's first
    /// record in the batch.
    pub fn runs(&self, offset: u32, stride: u32, count: u32) -> Vec<(u32, Option<u32>)> {
        let mut out: Vec<(u32, Option<u32>)> = Vec::new();
        for record in 0..count {
            let place = u64::from(offset) + u64::from(record) * u64::from(stride);
            let word = usize::try_from(place >> self.shift).ok().and_then(|at| self.words.get(at));
            match (word.map(|word| word.checked_sub(1)), out.last_mut()) {
                // After the last word nothing is known; a word that is 0 is that of the record before.
                (None, Some((length, None))) | (Some(None), Some((length, _))) => *length += 1,
                (number, _) => out.push((1, number.flatten())),
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_without_a_note_belong_to_the_previous_launch() {
        let noted = Noted { words: vec![5, 0, 0, 9, 0, 0], shift: 3 };
        assert_eq!(noted.runs(0, 8, 5), [(3, Some(4)), (2, Some(8))]);
        assert_eq!(noted.runs(16, 8, 2), [(1, None), (1, Some(8))]);
        assert_eq!(noted.runs(48, 8, 2), [(2, None)], "no words stand for it");
        assert_eq!(Noted::default().runs(0, 4, 3), [(3, None)]);
        let noted = Noted { words: vec![5], shift: 3 };
        assert_eq!(noted.runs(0, 8, 3), [(1, Some(4)), (2, None)], "after the last word");
    }
}
