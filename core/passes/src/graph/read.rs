//! Nodes from a DXIL container.

use std::collections::{BTreeMap, BTreeSet};

use super::Bound;
use super::debug::DebugTypes;
use super::model::{Access, GridField, Launch, Node, NodeId, NodeInput, NodeOutput, RecordType};
use super::records::{CodeTypes, Known};
use lanescope_dxil::metadata::EntryPoint;
use lanescope_dxil::op_calls::calls;
use lanescope_dxil::rdat::{self, NodeIo};
use lanescope_dxil::{Dxil, Program};
use lanescope_spirv::shape::{Scalar, ScalarKind};

/// Flags of what goes in and comes out.
const READ_WRITE: u32 = 0x4;
const EMPTY: u32 = 0x8;
const ARRAY: u32 = 0x10;
const TRACKED: u32 = 0x100;
const COHERENT: u32 = 0x200;

/// Opcodes that say how a node treats its records.
const FINISHED_CROSS_GROUP_SHARING: u32 = 243;
const IS_VALID: u32 = 252;

/// The nodes of a container, in the order of its metadata. They are not linked: layers and generations are empty.
pub fn nodes(dxil: &Dxil, input: usize) -> Vec<Node> {
    let Some(program) = &dxil.program else { return Vec::new() };
    if program.dx.entries.iter().all(|entry| entry.properties.node.is_none()) {
        return Vec::new();
    }
    let code = CodeTypes::of(&program.module);
    let debug = dxil.debug_program().unwrap_or(program);
    let debug = DebugTypes::of(&debug.module);
    let (finishing, asking) = (callers(program, FINISHED_CROSS_GROUP_SHARING), callers(program, IS_VALID));
    let functions: BTreeMap<&str, &rdat::Function> =
        dxil.rdat.iter().flat_map(|rdat| &rdat.functions).map(|function| (function.name.as_str(), function)).collect();
    let signatures = local_root_signatures(dxil);
    let mut out = Vec::new();
    for entry in &program.dx.entries {
        let Some(node) = &entry.properties.node else { continue };
        let function = entry.function.as_deref().unwrap_or(&entry.name);
        let rdat = functions.get(function).copied();
        let name = rdat.map_or(entry.name.as_str(), |rdat| rdat.unmangled.as_str());
        let known = Known { function, debug: &debug, code: &code };
        out.push(Node {
            finishes_sharing: finishing.contains(function),
            asks_valid: asking.contains(function),
            local_root_signature: signatures.get(name).or_else(|| signatures.get(function)).cloned(),
            ..one(entry, node, rdat, name, input, &known)
        });
    }
    out
}

fn one(
    entry: &EntryPoint,
    node: &rdat::Node,
    rdat: Option<&rdat::Function>,
    name: &str,
    input: usize,
    known: &Known<'_>,
) -> Node {
    let launch = match &*node.launch {
        "coalescing" => Launch::Coalescing,
        "thread" => Launch::Thread,
        "reserved" => Launch::Mesh,
        // One that says nothing is broadcasting.
        _ => Launch::Broadcasting,
    };
    // Without an id a node has its function's name.
    let id = match node.name.is_empty() {
        true => NodeId::new(name, 0),
        false => NodeId::new(&node.name, node.index),
    };
    let in_rdat = rdat.and_then(|rdat| rdat.node.as_ref());
    let parameters = known.debug.parameters(known.function);
    let inputs = node.inputs.iter().enumerate().map(|(index, io)| NodeInput {
        kind: io.kind.to_string(),
        name: parameters.input(index).map(|parameter| parameter.name.clone()).filter(|name| !name.is_empty()),
        access: match io.flags {
            flags if flags & EMPTY != 0 => Access::Empty,
            flags if flags & READ_WRITE != 0 => Access::ReadWrite,
            _ => Access::Read,
        },
        max_records: (launch == Launch::Coalescing).then_some(io.max_records.filter(|most| *most > 0).unwrap_or(1)),
        coherent: io.flags & COHERENT != 0,
        record: record(io, || known.input(index, &parameters)),
    });
    let mut outputs: Vec<NodeOutput> = Vec::new();
    for (index, io) in node.outputs.iter().enumerate() {
        let parameter = parameters.output(index);
        outputs.push(NodeOutput {
            kind: io.kind.to_string(),
            name: parameter.map(|parameter| parameter.name.clone()).filter(|name| !name.is_empty()),
            target: io.target.as_ref().map_or_else(|| NodeId::new("", 0), |(name, base)| NodeId::new(name, *base)),
            // RDAT writes 0 for what is not an array.
            array: io.array_size.filter(|size| *size > 0 || io.flags & ARRAY != 0),
            sparse: io.sparse,
            max_records: io.max_records.unwrap_or(0),
            shares_budget_of: io.shares_max_with,
            record: record(io, || known.output(index, &parameters)),
            missing: Vec::new(),
            elements: 1,
        });
    }
    Node {
        id,
        name: name.to_owned(),
        function: known.function.to_owned(),
        input,
        launch,
        entry: node.program_entry,
        promoted: false,
        threads: entry.properties.threads.unwrap_or([1; 3]),
        wave_size: entry.properties.wave_size,
        grid: node.grid,
        max_grid: node.max_grid,
        recursion: node.max_recursion.unwrap_or(0),
        groupshared_bytes: in_rdat.map_or(node.groupshared_bytes, |rdat| rdat.groupshared_bytes),
        local_root_table: node.local_root_arguments,
        local_root_signature: None,
        shares_input_of: node.shares_input_of.as_ref().map(|(name, index)| NodeId::new(name, *index)),
        inputs: inputs.collect(),
        outputs,
        finishes_sharing: false,
        asks_valid: false,
        layer: 0,
        depth: 0,
        generations: Vec::new(),
        bound: Bound::default(),
    }
}

/// The record of an input or output; `None` for an empty one.
fn record(io: &NodeIo, typed: impl FnOnce() -> Option<super::records::Typed>) -> Option<RecordType> {
    let bytes = io.record_bytes.unwrap_or(0);
    if io.flags & EMPTY != 0 || bytes == 0 {
        return None;
    }
    let grid = io.grid.as_ref().map(|(offset, component, components)| GridField {
        offset: *offset,
        scalar: Scalar { kind: ScalarKind::Uint, bits: if component.ends_with("16") { 16 } else { 32 } },
        components: (*components).clamp(1, 3),
    });
    let align = io.record_align.unwrap_or(4);
    Some(super::records::record(bytes, align, io.flags & TRACKED != 0, grid, typed()))
}

/// The functions that call an op, with those that their callers reach them through left out: entry points are inlined.
fn callers(program: &Program, opcode: u32) -> BTreeSet<String> {
    let module = &program.module;
    let calls = calls(module).into_iter().filter(|call| call.opcode.is_some_and(|op| op.0 == opcode));
    calls
        .filter_map(|call| module.functions.get(call.function))
        .map(|function| module.function_name(function).to_owned())
        .collect()
}

/// Serialised local root signatures by the export that they are associated with.
fn local_root_signatures(dxil: &Dxil) -> BTreeMap<String, Vec<u8>> {
    let mut out = BTreeMap::new();
    let Some(rdat) = &dxil.rdat else { return out };
    let local: BTreeMap<&str, &Vec<u8>> = rdat
        .subobjects
        .iter()
        .filter(|subobject| subobject.kind == "local_root_signature")
        .map(|subobject| (subobject.name.as_str(), &subobject.data))
        .collect();
    for association in rdat.subobjects.iter().filter(|s| s.kind == "subobject_to_exports_association") {
        let value =
            |name: &str| association.values.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
        let Some(signature) = value("subobject").and_then(|name| local.get(name)) else { continue };
        for export in value("exports").unwrap_or_default().split(", ").take(4096) {
            out.insert(export.to_owned(), (*signature).clone());
        }
    }
    out
}
