//! Makes a converted node ready to run: its allocations are checked, its IsValid() calls replaced.
//!
//! *Allocations.* The converter's functions add to counters at raw addresses and believe every limit to hold. Here each
//! checks payload, list and slot first, against words in front of the counters (see [`super::block`]). What does not
//! fit goes to a sink: the record after the payload, its entry after the list, its count to a slot after the slots,
//! which so is the flag that something did not fit. In a GPU-driven run on a device with 64-bit atomics, payload and
//! entry are taken together and the limits are constants: a cache line that every group of a large graph needs is
//! accessed once.
//!
//! *IsValid.* The converter answers `IsValid` with `true`. The call arrives here as `OpIsNan` of a slot's number (see
//! [`lanescope_load::node_modules`]) and becomes a comparison with the elements that exist; of a node's own id, with
//! the levels of recursion that are left.

use super::block::{HEADER_LIST, HEADER_PAYLOAD, HEADER_SINK, HEADER_SLOTS, MAX_ALLOCATION};
use super::parents;
use lanescope_base::ids::Id;
use lanescope_spirv::edit::{Editor, push};
use lanescope_spirv::enums::{Capability, Decoration, Op, StorageClass};
use lanescope_spirv::{Inst, Module, Type};

/// Members of the converter's push constants, by their offsets.
const REMAINING_OFFSET: u32 = 60;
/// The operand that says how a load through an address is aligned.
const ALIGNED: u32 = 2;

/// What a node's output can reach.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Reach {
    /// Elements that have a node: first and last of each run.
    pub present: Vec<[u32; 2]>,
    /// The element that is the node itself.
    pub own: Option<u32>,
}

/// How an allocation takes its place in payload and list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StateSupport {
    /// One after the other, within limits in front of the counters.
    Apart,
    /// Both by one change of 64 bits, within limits that are specialization constants.
    Together,
}

/// Specialization constants of limits: payload, list, sink, slots. The converter has none between its own and the slots'.
pub(super) const LIMIT_SPECS: [(u64, u32); 4] =
    [(HEADER_PAYLOAD, 90), (HEADER_LIST, 91), (HEADER_SINK, 92), (HEADER_SLOTS, 93)];

/// The first specialization constant that says where an output's slots begin.
pub(super) const FIRST_SLOT_SPEC: u32 = 100;

/// The module with both changes, and whether it notes its launches as well (see [`super::parents`]), which `shift` asks
/// for. `outputs` are in the order of the node's metadata.
///
/// # Errors
/// A module that is not as the converter writes it.
pub(super) fn rewritten(
    module: &Module,
    outputs: &[Reach],
    taking: StateSupport,
    shift: Option<u32>,
) -> Result<(Module, bool), String> {
    let mut editor = Editor::new(module);
    questions(module, outputs, &mut editor)?;
    for function in module.functions() {
        let all: Vec<Inst<'_>> = module.insts_in(function.insts.clone()).collect();
        let insts = || all.iter().copied();
        match module.name(function.id) {
            Some("AllocateGroupNodeRecords" | "AllocateThreadNodeRecords") => {
                let found = Allocation::find(module, &all).ok_or("unexpected code for a record allocation")?;
                found.check(&mut editor, taking);
            }
            Some("IncrementGroupNodeCount" | "IncrementThreadNodeCount") => {
                let parameters = parameters(insts());
                let chain = insts().find(|inst| is_slot_chain(inst));
                let (Some(chain), [base, slot, ..]) = (chain, parameters.as_slice()) else {
                    return Err("unexpected code for a count of empty records".to_owned());
                };
                let mut code = Vec::new();
                let limits = Limits::load(&mut editor, &mut code, *base, &[HEADER_SLOTS], taking);
                let (boolean, word) = (editor.bool(), editor.int(32, false));
                let fits = editor.value(&mut code, Op::ULessThan, boolean, &[slot.0, limits[0].0]);
                let safe = editor.value(&mut code, Op::Select, word, &[fits.0, slot.0, limits[0].0]);
                slot_chain(&mut code, &chain, safe);
                editor.replace(chain.index, code);
            }
            _ => {}
        }
    }
    let noted = shift.is_some_and(|shift| parents::note(module, &mut editor, shift));
    let module = editor.finish().map_err(|error| error.to_string())?;
    Ok((retyped(&module)?.unwrap_or(module), noted))
}

/// Whether a module allocates per thread with a target that differs from thread to thread.
pub(super) fn allocates_divergently(module: &Module) -> bool {
    module.functions().iter().any(|f| module.name(f.id) == Some("AllocateThreadNodeRecordsWaterfall"))
}

fn parameters<'m>(insts: impl Iterator<Item = Inst<'m>>) -> Vec<Id> {
    insts.filter(|inst| inst.op() == Some(Op::FunctionParameter)).filter_map(|inst| inst.result()).collect()
}

/// Whether an instruction points at a slot's counter: member 2, then the slot.
fn is_slot_chain(inst: &Inst<'_>) -> bool {
    inst.op() == Some(Op::InBoundsAccessChain) && inst.words.len() == 6
}

/// The chain to another slot, under the same id.
fn slot_chain(code: &mut Vec<u32>, chain: &Inst<'_>, slot: Id) {
    let mut words = chain.words_from(1).to_vec();
    if let Some(last) = words.last_mut() {
        *last = slot.0;
    }
    push(code, Op::InBoundsAccessChain, &words);
}

/// Words in front of the counters.
struct Limits;

impl Limits {
    fn load(editor: &mut Editor<'_>, code: &mut Vec<u32>, base: Id, headers: &[u64], taking: StateSupport) -> Vec<Id> {
        if taking == StateSupport::Together {
            let spec = |header: &u64| LIMIT_SPECS.iter().find(|(is, _)| is == header);
            return headers.iter().filter_map(spec).map(|(_, spec)| editor.spec_u32(*spec)).collect();
        }
        let (word, long) = (editor.int(32, false), editor.int(64, false));
        let pointer = editor.pointer(StorageClass::PhysicalStorageBuffer, word);
        let mut out = Vec::new();
        for header in headers {
            let back = editor.u64(*header);
            let address = editor.value(code, Op::ISub, long, &[base.0, back.0]);
            let place = editor.value(code, Op::ConvertUToPtr, pointer, &[address.0]);
            out.push(editor.value(code, Op::Load, word, &[place.0, ALIGNED, 4]));
        }
        out
    }
}

/// The parts of an allocation that change.
struct Allocation<'m> {
    /// Address of the counters, and the slot.
    base: Id,
    slot: Id,
    /// Adds to the payload: what it gives is the offset of the first record.
    payload: Inst<'m>,
    /// Takes an entry of the list.
    entry: Inst<'m>,
    /// Points at the slot's total.
    chain: Inst<'m>,
    /// Bytes and records.
    bytes: Id,
    count: Id,
}

impl<'m> Allocation<'m> {
    fn find(module: &'m Module, insts: &[Inst<'m>]) -> Option<Allocation<'m>> {
        let parameters = parameters(insts.iter().copied());
        let adds: Vec<_> = insts.iter().filter(|inst| inst.op() == Some(Op::AtomicIAdd)).collect();
        let entry = *insts.iter().find(|inst| inst.op() == Some(Op::AtomicIIncrement))?;
        let pointer = |inst: &Inst<'_>| module.def(inst.id_at(3));
        let payload = adds.iter().find(|inst| pointer(inst).is_some_and(|chain| chain.words.len() == 5))?;
        let total = adds.iter().find(|inst| pointer(inst).is_some_and(|chain| is_slot_chain(&chain)))?;
        let chain = pointer(total)?;
        // Everything that must be known is computed before the entry is taken; its uses come after.
        let in_order = payload.index < entry.index && chain.index < entry.index && entry.index < total.index;
        in_order.then_some(Allocation {
            base: *parameters.first()?,
            slot: *parameters.get(1)?,
            payload: **payload,
            entry,
            chain,
            bytes: payload.id_at(6),
            count: total.id_at(6),
        })
    }

    fn check(&self, editor: &mut Editor<'_>, taking: StateSupport) {
        let (boolean, word) = (editor.bool(), editor.int(32, false));
        let (Some(offset), Some(entry)) = (self.payload.result(), self.entry.result()) else { return };
        let renamed = |inst: &Inst<'_>, id: Id| {
            let mut words = inst.words.to_vec();
            if let Some(result) = words.get_mut(2) {
                *result = id.0;
            }
            words
        };
        let (wanted, taken) = (editor.fresh(), editor.fresh());
        editor.replace(self.chain.index, Vec::new());
        let mut code = match taking {
            StateSupport::Apart => {
                editor.replace(self.payload.index, renamed(&self.payload, wanted));
                renamed(&self.entry, taken)
            }
            StateSupport::Together => {
                editor.replace(self.payload.index, Vec::new());
                self.together(editor, wanted, taken)
            }
        };
        let headers = [HEADER_PAYLOAD, HEADER_LIST, HEADER_SINK, HEADER_SLOTS];
        let limits = Limits::load(editor, &mut code, self.base, &headers, taking);
        let [payload, list, sink, slots] = [0, 1, 2, 3].map(|i| limits.get(i).copied().unwrap_or(Id(0)));
        let most = editor.u32(MAX_ALLOCATION);
        let end = editor.value(&mut code, Op::IAdd, word, &[wanted.0, self.bytes.0]);
        let mut fits = editor.value(&mut code, Op::ULessThanEqual, boolean, &[wanted.0, payload.0]);
        for (op, left, right) in [
            (Op::ULessThanEqual, end, payload),
            (Op::ULessThan, taken, list),
            (Op::ULessThan, self.slot, slots),
            (Op::ULessThanEqual, self.count, most),
        ] {
            let one = editor.value(&mut code, op, boolean, &[left.0, right.0]);
            fits = editor.value(&mut code, Op::LogicalAnd, boolean, &[fits.0, one.0]);
        }
        editor.value_as(&mut code, offset, Op::Select, word, &[fits.0, wanted.0, sink.0]);
        editor.value_as(&mut code, entry, Op::Select, word, &[fits.0, taken.0, list.0]);
        let slot = editor.value(&mut code, Op::Select, word, &[fits.0, self.slot.0, slots.0]);
        slot_chain(&mut code, &self.chain, slot);
        editor.replace(self.entry.index, code);
    }
}

impl Allocation<'_> {
    /// Bytes of payload and an entry, by one addition: they are the two halves of the counters' first eight bytes. Payload
    /// that runs over carries into the entries, which are too many then as well.
    fn together(&self, editor: &mut Editor<'_>, wanted: Id, taken: Id) -> Vec<u32> {
        editor.capability(Capability::Int64Atomics);
        let (word, long) = (editor.int(32, false), editor.int(64, false));
        let pointer = editor.pointer(StorageClass::PhysicalStorageBuffer, long);
        let (entry, half) = (editor.u64(1 << 32), editor.u32(32));
        let mut code = Vec::new();
        let place = editor.value(&mut code, Op::ConvertUToPtr, pointer, &[self.base.0]);
        let bytes = editor.value(&mut code, Op::UConvert, long, &[self.bytes.0]);
        let both = editor.value(&mut code, Op::BitwiseOr, long, &[bytes.0, entry.0]);
        let how = [place.0, self.payload.id_at(4).0, self.payload.id_at(5).0, both.0];
        let old = editor.value(&mut code, Op::AtomicIAdd, long, &how);
        editor.value_as(&mut code, wanted, Op::UConvert, word, &[old.0]);
        let high = editor.value(&mut code, Op::ShiftRightLogical, long, &[old.0, half.0]);
        editor.value_as(&mut code, taken, Op::UConvert, word, &[high.0]);
        code
    }
}

/// Pointers into records with structures in them say the type that they point at.
///
/// The converter declares such a structure once for the record and once more for pointers into it: the same members under
/// another id, which a validator refuses. None where every pointer says what it should.
fn retyped(module: &Module) -> Result<Option<Module>, String> {
    let mut editor = Editor::new(module);
    // What a pointer really points at, where that is not what it says.
    let mut points: std::collections::BTreeMap<Id, Id> = std::collections::BTreeMap::new();
    for inst in module.insts().filter(Inst::is_access_chain) {
        let base = inst.id_at(3);
        let (Some(result), Some(stated)) = (inst.result(), inst.result_type().and_then(|ty| pointee(module, ty)))
        else {
            continue;
        };
        let start = points.get(&base).copied().or_else(|| module.pointee(base));
        let mut indices = inst.words_from(4).iter().map(|index| Id(*index));
        let Some(real) = start.and_then(|start| indices.try_fold(start, |ty, index| part(module, ty, index))) else {
            continue;
        };
        if real != stated && class_of(module, &inst) == Some(StorageClass::PhysicalStorageBuffer as u32) {
            points.insert(result, real);
            let pointer = editor.pointer(StorageClass::PhysicalStorageBuffer, real);
            let mut words = inst.words_from(1).to_vec();
            if let Some(ty) = words.first_mut() {
                *ty = pointer.0;
            }
            let mut code = Vec::new();
            push(&mut code, inst.op().unwrap_or(Op::AccessChain), &words);
            editor.replace(inst.index, code);
        }
    }
    if points.is_empty() {
        return Ok(None);
    }
    editor.finish().map(Some).map_err(|error| error.to_string())
}

/// What a pointer type points at.
fn pointee(module: &Module, ty: Id) -> Option<Id> {
    module.def(ty).filter(|inst| inst.op() == Some(Op::TypePointer)).map(|inst| inst.id_at(3))
}

fn class_of(module: &Module, inst: &Inst<'_>) -> Option<u32> {
    module.def(inst.result_type()?).map(|ty| ty.word_at(2))
}

/// The type of a part.
fn part(module: &Module, ty: Id, index: Id) -> Option<Id> {
    let inst = module.def(ty)?;
    match inst.op()? {
        Op::TypeStruct => {
            let member = module.constant(index)?.as_u32()?;
            inst.words_from(2).get(member as usize).map(|member| Id(*member))
        }
        Op::TypeArray | Op::TypeRuntimeArray | Op::TypeVector | Op::TypeMatrix => Some(inst.id_at(2)),
        _ => None,
    }
}

/// Replaces every question whether an output is valid.
fn questions(module: &Module, outputs: &[Reach], editor: &mut Editor<'_>) -> Result<(), String> {
    let is_question = |inst: &Inst<'_>| {
        inst.op() == Some(Op::IsNan)
            && matches!(module.type_of(inst.id_at(3)).and_then(|ty| module.ty(ty)), Some(Type::Int { .. }))
    };
    for inst in module.insts().filter(is_question) {
        let slot = inst.id_at(3);
        let base = base_of(module, slot).ok_or("IsValid() without an output")?;
        let spec = module.decoration(base, None, Decoration::SpecId);
        let output = spec.and_then(|spec| spec.checked_sub(FIRST_SLOT_SPEC));
        let reach = output
            .and_then(|output| outputs.get(output as usize))
            .ok_or("IsValid() of an output that the node does not have")?;
        let Some(result) = inst.result() else { continue };
        let mut code = Vec::new();
        let answer = reach.answer(module, editor, &mut code, slot, base)?;
        let boolean = editor.bool();
        editor.value_as(&mut code, result, Op::CopyObject, boolean, &[answer.0]);
        editor.replace(inst.index, code);
    }
    Ok(())
}

/// The specialization constant that a slot's number starts with.
fn base_of(module: &Module, slot: Id) -> Option<Id> {
    let is_base = |id: Id| module.decoration(id, None, Decoration::SpecId).is_some_and(|spec| spec >= FIRST_SLOT_SPEC);
    if is_base(slot) {
        return Some(slot);
    }
    let inst = module.def(slot).filter(|inst| inst.op() == Some(Op::IAdd))?;
    [inst.id_at(3), inst.id_at(4)].into_iter().find(|id| is_base(*id))
}

impl Reach {
    /// Whether the element of a slot exists.
    fn answer(
        &self,
        module: &Module,
        editor: &mut Editor<'_>,
        code: &mut Vec<u32>,
        slot: Id,
        base: Id,
    ) -> Result<Id, String> {
        let (boolean, word) = (editor.bool(), editor.int(32, false));
        let element = editor.value(code, Op::ISub, word, &[slot.0, base.0]);
        let mut answer = editor.null(boolean);
        for [first, last] in &self.present {
            let (first, length) = (editor.u32(*first), editor.u32(last - first));
            let from = editor.value(code, Op::ISub, word, &[element.0, first.0]);
            let inside = editor.value(code, Op::ULessThanEqual, boolean, &[from.0, length.0]);
            answer = editor.value(code, Op::LogicalOr, boolean, &[answer.0, inside.0]);
        }
        let Some(own) = self.own else { return Ok(answer) };
        let left = remaining(module, editor, code).ok_or("the recursion level is not in its push constants")?;
        let (own, zero) = (editor.u32(own), editor.u32(0));
        let other = editor.value(code, Op::INotEqual, boolean, &[element.0, own.0]);
        let more = editor.value(code, Op::INotEqual, boolean, &[left.0, zero.0]);
        let may = editor.value(code, Op::LogicalOr, boolean, &[other.0, more.0]);
        Ok(editor.value(code, Op::LogicalAnd, boolean, &[answer.0, may.0]))
    }
}

/// Loads the levels of recursion that are left.
fn remaining(module: &Module, editor: &mut Editor<'_>, code: &mut Vec<u32>) -> Option<Id> {
    let is_push =
        |inst: &Inst<'_>| inst.op() == Some(Op::Variable) && inst.word_at(3) == StorageClass::PushConstant as u32;
    let variable = module.insts().find(is_push)?.result()?;
    let block = module.pointee(variable)?;
    let Some(Type::Struct { members }) = module.ty(block) else { return None };
    let count = members.len() as u32;
    let at = |member: &u32| module.decoration(block, Some(*member), Decoration::Offset) == Some(REMAINING_OFFSET);
    let member = (0..count).find(at)?;
    let word = editor.int(32, false);
    let pointer = editor.part(code, StorageClass::PushConstant, variable, &[member], word);
    Some(editor.load(code, word, pointer))
}
