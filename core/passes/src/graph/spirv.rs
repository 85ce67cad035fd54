//! Nodes of SPIR-V modules that use `SPV_AMDX_shader_enqueue`.
//!
//! Revision 2 of the extension. A payload array's size counts from its base index, as compilers write it. There is no
//! thread launch: what compilers make of one broadcasts.

use std::ops::ControlFlow;

use super::Bound;
use super::model::{Access, GridField, Launch, Node, NodeId, NodeInput, NodeOutput, RecordType, TypeSource, UNBOUNDED};
use lanescope_base::ids::Id;
use lanescope_spirv::enums::{Capability, Decoration, ExecutionMode, Op, StorageClass};
use lanescope_spirv::shape::{Field, Scalar, Shape};
use lanescope_spirv::{EntryPoint, Module};

/// Payloads that are empty.
const NOTHING: u32 = 0;

/// The nodes of a module; none unless it declares the capability. They are not linked.
pub(super) fn nodes(module: &Module, input: usize) -> Vec<Node> {
    let enqueues = |inst: &lanescope_spirv::Inst<'_>| {
        inst.op() == Some(Op::Capability) && inst.word_at(1) == Capability::ShaderEnqueueAMDX as u32
    };
    if !module.insts().take_while(|inst| inst.op() != Some(Op::MemoryModel)).any(|inst| enqueues(&inst)) {
        return Vec::new();
    }
    module.entry_points().iter().map(|entry| node(module, entry, input)).collect()
}

/// The constants that a mode names.
fn constants(module: &Module, entry: &EntryPoint, mode: ExecutionMode) -> Option<Vec<u32>> {
    let operands = entry.mode(mode)?;
    Some(operands.iter().map(|id| number(module, *id).unwrap_or(0)).collect())
}

fn number(module: &Module, id: u32) -> Option<u32> {
    module.constant(Id(id))?.as_u32()
}

/// The text of `OpConstantStringAMDX`.
fn text(module: &Module, id: u32) -> String {
    let inst = module.def(Id(id));
    let is = |op: Option<Op>| matches!(op, Some(Op::ConstantStringAMDX | Op::SpecConstantStringAMDX));
    inst.filter(|inst| is(inst.op())).map(|inst| inst.string_at(2).0).unwrap_or_default()
}

fn node(module: &Module, entry: &EntryPoint, input: usize) -> Node {
    let mode = |mode| constants(module, entry, mode);
    let size = |numbers: Option<Vec<u32>>| numbers.and_then(|numbers| <[u32; 3]>::try_from(numbers).ok());
    let coalescing = entry.mode(ExecutionMode::CoalescingAMDX).is_some();
    let launch = match entry.stage {
        Some(lanescope_model::program::StageKind::Mesh) => Launch::Mesh,
        _ if coalescing => Launch::Coalescing,
        _ => Launch::Broadcasting,
    };
    let shares = entry.mode(ExecutionMode::SharesInputWithAMDX).map(|operands| {
        let index = operands.get(1).and_then(|id| number(module, *id)).unwrap_or(0);
        NodeId::new(operands.first().map(|id| text(module, *id)).unwrap_or_default(), index)
    });
    let is_entry = entry.mode(ExecutionMode::IsApiEntryAMDX).and_then(|operands| operands.first().copied());
    let is_entry = is_entry.map(|id| module.def(Id(id)).is_none_or(|inst| inst.op() != Some(Op::ConstantFalse)));
    let grid = size(mode(ExecutionMode::StaticNumWorkgroupsAMDX));
    let (mut outputs, mut payloads, mut finishes, mut asks) = (Vec::new(), Vec::new(), false, false);
    for function in module.reachable(entry) {
        for inst in module.insts_in(function.insts.clone()) {
            match inst.op() {
                Some(Op::AllocateNodePayloadsAMDX) => {
                    let array = inst.result_type().and_then(|pointer| module.pointee(pointer));
                    if let Some(array) = array.filter(|array| !payloads.contains(array)) {
                        payloads.push(array);
                    }
                }
                Some(Op::FinishWritingNodePayloadAMDX) => finishes = true,
                Some(Op::IsNodePayloadValidAMDX) => asks = true,
                _ => {}
            }
        }
    }
    payloads.sort();
    for array in &payloads {
        outputs.push(output(module, *array, &payloads));
    }
    Node {
        id: NodeId::new(
            &entry.name,
            mode(ExecutionMode::ShaderIndexAMDX).and_then(|n| n.first().copied()).unwrap_or(0),
        ),
        name: entry.name.clone(),
        function: entry.name.clone(),
        input,
        launch,
        entry: is_entry.unwrap_or(true) && shares.is_none(),
        promoted: false,
        threads: threads(module, entry),
        wave_size: None,
        grid,
        max_grid: size(mode(ExecutionMode::MaxNumWorkgroupsAMDX)),
        recursion: mode(ExecutionMode::MaxNodeRecursionAMDX).and_then(|n| n.first().copied()).unwrap_or(0),
        groupshared_bytes: groupshared(module, entry),
        local_root_table: None,
        local_root_signature: None,
        shares_input_of: shares,
        inputs: vec![node_input(module, entry, launch, grid.is_some())],
        outputs,
        finishes_sharing: finishes,
        asks_valid: asks,
        layer: 0,
        depth: 0,
        generations: Vec::new(),
        bound: Bound::default(),
    }
}

fn threads(module: &Module, entry: &EntryPoint) -> [u32; 3] {
    let axis = |operands: &[u32], at: usize| operands.get(at).copied().unwrap_or(1);
    if let Some(size) = entry.mode(ExecutionMode::LocalSize) {
        return [0, 1, 2].map(|at| axis(size, at));
    }
    match constants(module, entry, ExecutionMode::LocalSizeId) {
        Some(size) => [0, 1, 2].map(|at| axis(&size, at)),
        None => [1; 3],
    }
}

/// Bytes of workgroup variables of the interface.
fn groupshared(module: &Module, entry: &EntryPoint) -> u32 {
    let variables = entry.interface.iter().filter(|id| storage(module, **id) == Some(StorageClass::Workgroup as u32));
    let bytes = variables.filter_map(|id| module.pointee(module.type_of(*id)?)).map(|ty| Shape::of(module, ty).bytes());
    u32::try_from(bytes.fold(0u64, u64::saturating_add)).unwrap_or(u32::MAX)
}

fn storage(module: &Module, variable: Id) -> Option<u32> {
    module.def(variable).filter(|inst| inst.op() == Some(Op::Variable)).map(|inst| inst.word_at(3))
}

/// The payload of a type: of an array of payloads, that of one.
fn payload(module: &Module, ty: Id) -> Id {
    match module.def(ty).filter(|inst| inst.op() == Some(Op::TypeNodePayloadArrayAMDX)) {
        Some(inst) => inst.id_at(2),
        None => ty,
    }
}

fn node_input(module: &Module, entry: &EntryPoint, launch: Launch, fixed: bool) -> NodeInput {
    let is_payload = |id: &&Id| storage(module, **id) == Some(StorageClass::NodePayloadAMDX as u32);
    let found = entry
        .interface
        .iter()
        .find(is_payload)
        .and_then(|id| Some((*id, module.type_of(*id).and_then(|pointer| module.pointee(pointer))?)));
    let kind = match launch {
        Launch::Coalescing => "coalesced payloads",
        _ => "payload",
    };
    let mut out = NodeInput {
        kind: kind.to_owned(),
        name: None,
        access: Access::Empty,
        max_records: (launch == Launch::Coalescing).then_some(1),
        coherent: false,
        record: None,
    };
    let Some((variable, ty)) = found else {
        // Without a payload that is declared it is empty, or the grid alone.
        if !fixed && launch != Launch::Coalescing {
            out.access = Access::Read;
            out.record = Some(grid_alone());
        }
        return out;
    };
    let inner = payload(module, ty);
    out.name = module.name(variable).map(str::to_owned);
    if let Some(most) = module.decoration(ty, None, Decoration::NodeMaxPayloadsAMDX) {
        out.max_records = out.max_records.map(|_| number(module, most).unwrap_or(1).max(1));
    }
    out.record = record(module, inner);
    let tracked = out.record.as_ref().is_some_and(|record| record.tracked);
    let read_only = module.is_decorated(variable, None, Decoration::NonWritable)
        || module.is_decorated(inner, Some(0), Decoration::NonWritable);
    out.access = match (&out.record, read_only || !tracked) {
        (None, _) => Access::Empty,
        (Some(_), true) => Access::Read,
        (Some(_), false) => Access::ReadWrite,
    };
    out
}

/// The payload of a node that declares none and takes its grid from it.
fn grid_alone() -> RecordType {
    let shape = Shape::Vector { scalar: Scalar::WORD, count: 3 };
    let members = vec![Field { name: super::records::GRID.to_owned(), offset: 0, shape }];
    RecordType {
        name: None,
        bytes: 12,
        align: 4,
        tracked: false,
        grid: Some(GridField { offset: 0, scalar: Scalar::WORD, components: 3 }),
        shape: Shape::Struct { members },
        source: TypeSource::Code,
    }
}

fn output(module: &Module, array: Id, all: &[Id]) -> NodeOutput {
    let decoration = |kind| module.decoration(array, None, kind);
    let constant = |kind| decoration(kind).and_then(|id| number(module, id));
    let name = decoration(Decoration::PayloadNodeNameAMDX).map(|id| text(module, id)).unwrap_or_default();
    let size = constant(Decoration::PayloadNodeArraySizeAMDX);
    let shared = decoration(Decoration::NodeSharesPayloadLimitsWithAMDX);
    let shared = shared.and_then(|id| all.iter().position(|other| other.0 == id));
    NodeOutput {
        kind: "payload array".to_owned(),
        name: module.name(array).map(str::to_owned),
        target: NodeId::new(name, constant(Decoration::PayloadNodeBaseIndexAMDX).unwrap_or(0)),
        array: match size {
            Some(1) => None,
            Some(size) => Some(size),
            None => Some(UNBOUNDED),
        },
        sparse: module.is_decorated(array, None, Decoration::PayloadNodeSparseArrayAMDX),
        max_records: constant(Decoration::NodeMaxPayloadsAMDX).unwrap_or(0),
        shares_budget_of: shared.and_then(|at| u32::try_from(at).ok()),
        record: record(module, payload(module, array)),
        missing: Vec::new(),
        elements: 1,
    }
}

/// Whether a member's name is from the source: tools that know none number the members.
fn is_named(name: Option<&str>, index: u32) -> bool {
    name.is_some_and(|name| !name.is_empty() && name.trim_start_matches('_') != format!("m{index}"))
}

/// A payload's type; `None` for an empty one.
fn record(module: &Module, ty: Id) -> Option<RecordType> {
    let shape = Shape::of(module, ty);
    let Shape::Struct { members } = &shape else { return None };
    let mut align = 4u32;
    let mut leaves = 0usize;
    shape.visit(shape.bytes(), |_, leaf| {
        align = align.max(leaf.scalar.bits / 8);
        leaves += 1;
        // The first members say enough of a very long payload.
        if leaves < 1 << 16 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let bytes = u32::try_from(shape.bytes().next_multiple_of(u64::from(align))).unwrap_or(u32::MAX);
    let grid = members.iter().zip(0u32..).find_map(|(member, index)| {
        module.is_decorated(ty, Some(index), Decoration::PayloadDispatchIndirectAMDX).then_some(())?;
        let (scalar, components) = match member.shape {
            Shape::Scalar(scalar) => (scalar, 1),
            Shape::Vector { scalar, count } => (scalar, count.clamp(1, 3)),
            _ => return None,
        };
        Some(GridField { offset: member.offset, scalar, components })
    });
    let named = (0..members.len() as u32).any(|index| is_named(module.member_name(ty, index), index));
    if bytes == NOTHING {
        return None;
    }
    Some(RecordType {
        name: module.name(ty).map(str::to_owned),
        bytes,
        align,
        tracked: module.is_decorated(ty, None, Decoration::TrackFinishWritingAMDX),
        grid,
        source: if named { TypeSource::Debug } else { TypeSource::Code },
        shape,
    })
}

#[cfg(test)]
mod tests {
    use super::is_named;

    #[test]
    fn numbered_members_have_no_name() {
        for (name, index, named) in [
            (Some("mass"), 0, true),
            (Some("moment"), 1, true),
            (Some("m1"), 0, true),
            (Some("m0"), 0, false),
            (Some("_m12"), 12, false),
            (Some(""), 0, false),
            (None, 0, false),
        ] {
            assert_eq!(is_named(name, index), named, "{name:?} {index}");
        }
    }
}
