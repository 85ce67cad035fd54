//! The contents of records: from debug information, else from the code that touches them, else from their size.

use std::collections::BTreeMap;

use super::debug::{DebugTypes, Parameters};
use super::model::{GridField, RecordType, TypeSource};
use lanescope_dxil::module::{Body, Kind, Module, Operand, Type, TypeId, Types, ValueId, ValueKind};
use lanescope_dxil::op_calls::{OpCall, calls};
use lanescope_spirv::shape::{Field, Scalar, ScalarKind, Shape};

/// The name of the member that says how many groups a record starts.
pub(super) const GRID: &str = "SV_DispatchGrid";
/// Up to so many words without a type have names of their own.
const NAMED_WORDS: u32 = 64;
/// How deep types nest.
const MAX_DEPTH: usize = 16;
/// The most members of one record.
const MAX_MEMBERS: usize = 4096;

/// A structure that was found for a record.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Typed {
    pub name: Option<String>,
    pub shape: Shape,
    /// Its size, tail padding included.
    pub bytes: u64,
    pub source: TypeSource,
}

/// Where one node's types can be found.
pub(super) struct Known<'m> {
    pub function: &'m str,
    pub debug: &'m DebugTypes,
    pub code: &'m CodeTypes,
}

impl Known<'_> {
    pub fn input(&self, index: usize, parameters: &Parameters<'_>) -> Option<Typed> {
        let debug = parameters.input(index).and_then(|parameter| parameter.record.clone());
        debug.or_else(|| self.code.find(self.function, Io::Input(index as u32)))
    }

    pub fn output(&self, index: usize, parameters: &Parameters<'_>) -> Option<Typed> {
        let debug = parameters.output(index).and_then(|parameter| parameter.record.clone());
        debug.or_else(|| self.code.find(self.function, Io::Output(index as u32)))
    }
}

/// A record's type, with the members that fit its size.
pub(super) fn record(
    bytes: u32,
    align: u32,
    tracked: bool,
    grid: Option<GridField>,
    typed: Option<Typed>,
) -> RecordType {
    // Bit fields lie over each other: by such members records are not read.
    let within = |shape: &Shape| shape.bytes().max(shape.numbers(bytes.into())) <= u64::from(bytes);
    let fits = |typed: &Typed| {
        typed.bytes == u64::from(bytes) && matches!(typed.shape, Shape::Struct { .. }) && within(&typed.shape)
    };
    let (name, shape, source) = match typed {
        Some(typed) if fits(&typed) => (typed.name, typed.shape, typed.source),
        // What is known of the name is kept even where the members are not.
        other => (other.and_then(|typed| typed.name), words(bytes, grid), TypeSource::Size),
    };
    let mut out = RecordType { name, bytes, align, tracked, grid, shape, source };
    if source == TypeSource::Code {
        name_grid(&mut out);
    }
    out
}

/// The grid's member is called by its semantic where the code gave it no name, and reads as what it is.
fn name_grid(record: &mut RecordType) {
    let (Some(grid), Shape::Struct { members }) = (record.grid, &mut record.shape) else { return };
    if let Some(member) = members.iter_mut().find(|member| member.offset == grid.offset) {
        GRID.clone_into(&mut member.name);
    }
}

/// Words, with the grid in its place.
fn words(bytes: u32, grid: Option<GridField>) -> Shape {
    let mut members = Vec::new();
    let grid = grid.map(|grid| (grid, grid.scalar.bits / 8 * grid.components));
    let grid = grid.filter(|(grid, size)| grid.offset.checked_add(*size).is_some_and(|end| end <= bytes));
    let run = |from: u32, to: u32, members: &mut Vec<Field>| {
        let count = to.saturating_sub(from) / 4;
        match count {
            0 => {}
            // A name for each up to a few: beyond, an array.
            count if count <= NAMED_WORDS => {
                for word in 0..count {
                    let offset = from + 4 * word;
                    members.push(Field { name: String::new(), offset, shape: Shape::Scalar(Scalar::WORD) });
                }
            }
            count => members.push(Field { name: String::new(), offset: from, shape: Shape::Words { count } }),
        }
        // What is left of a word is 16-bit numbers.
        let half = Scalar { kind: ScalarKind::Uint, bits: 16 };
        let tail = from + 4 * count;
        if to.saturating_sub(tail) >= 2 {
            members.push(Field { name: String::new(), offset: tail, shape: Shape::Scalar(half) });
        }
    };
    match grid {
        None => run(0, bytes, &mut members),
        Some((grid, size)) => {
            run(0, grid.offset, &mut members);
            let shape = vector(grid.scalar, grid.components);
            members.push(Field { name: GRID.to_owned(), offset: grid.offset, shape });
            run((grid.offset + size).next_multiple_of(2), bytes, &mut members);
        }
    }
    for (number, member) in members.iter_mut().enumerate().filter(|(_, member)| member.name.is_empty()) {
        member.name = format!("f{number}");
    }
    Shape::Struct { members }
}

fn vector(scalar: Scalar, count: u32) -> Shape {
    if count == 1 { Shape::Scalar(scalar) } else { Shape::Vector { scalar, count } }
}

/// Which record of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Io {
    Input(u32),
    Output(u32),
}

/// Types that the code of a module gives to records.
#[derive(Debug, Default)]
pub(super) struct CodeTypes {
    found: BTreeMap<(String, Io), Typed>,
}

/// Opcodes that make handles.
mod op {
    pub const ALLOCATE: u32 = 238;
    pub const RECORD_POINTER: u32 = 239;
    pub const OUTPUT_HANDLE: u32 = 247;
    pub const INDEX_HANDLE: u32 = 248;
    pub const ANNOTATE_HANDLE: u32 = 249;
    pub const INPUT_HANDLE: u32 = 250;
    pub const ANNOTATE_RECORD: u32 = 251;
}

impl CodeTypes {
    /// Follows every pointer to a record back to the input or output it belongs to.
    pub fn of(module: &Module) -> CodeTypes {
        let mut out = CodeTypes::default();
        let calls = calls(module);
        let mut of_function: BTreeMap<usize, BTreeMap<usize, &OpCall<'_>>> = BTreeMap::new();
        for call in &calls {
            if call.opcode.is_some_and(|code| (op::ALLOCATE..=op::ANNOTATE_RECORD).contains(&code.0)) {
                of_function.entry(call.function).or_default().insert(call.instruction, call);
            }
        }
        for (function, calls) in &of_function {
            let Some(function) = module.functions.get(*function) else { continue };
            let Some(body) = &function.body else { continue };
            let name = module.function_name(function);
            for call in calls.values().filter(|call| call.opcode.is_some_and(|code| code.0 == op::RECORD_POINTER)) {
                let Some(io) = source(module, body, calls, call) else { continue };
                let key = (name.to_owned(), io);
                if !out.found.contains_key(&key)
                    && let Some(typed) = pointed(&module.types, call.call.function_type)
                {
                    out.found.insert(key, typed);
                }
            }
        }
        out
    }

    fn find(&self, function: &str, io: Io) -> Option<Typed> {
        self.found.get(&(function.to_owned(), io)).cloned()
    }
}

/// The input or output that a handle comes from.
fn source(module: &Module, body: &Body, calls: &BTreeMap<usize, &OpCall<'_>>, call: &OpCall<'_>) -> Option<Io> {
    let argument = |call: &OpCall<'_>| match call.call.arguments.get(1) {
        Some(Operand::Value(value)) => Some(*value),
        _ => None,
    };
    let mut handle: ValueId = argument(call)?;
    // Handles are made in a few steps; anything longer is not a handle.
    for _ in 0..16 {
        let ValueKind::Instruction(at) = module.value(Some(body), handle)?.kind else { return None };
        let Some(call) = calls.get(&(at as usize)) else {
            // Where two handles meet, both are of one type: the first is used for both.
            let Kind::Phi(incoming) = &body.instructions.get(at as usize)?.kind else { return None };
            handle = incoming.first()?.0;
            continue;
        };
        match call.opcode?.0 {
            op::INPUT_HANDLE => {
                let index = module.integer(Some(body), argument(call)?)?;
                return Some(Io::Input(u32::try_from(index).ok()?));
            }
            op::OUTPUT_HANDLE => {
                let index = module.integer(Some(body), argument(call)?)?;
                return Some(Io::Output(u32::try_from(index).ok()?));
            }
            op::ALLOCATE | op::INDEX_HANDLE | op::ANNOTATE_HANDLE | op::ANNOTATE_RECORD => handle = argument(call)?,
            _ => return None,
        }
    }
    None
}

/// The structure that a function's result points at.
fn pointed(types: &Types, function: TypeId) -> Option<Typed> {
    let Type::Function { result, .. } = types.get(function)? else { return None };
    let Type::Pointer(to, _) = types.get(*result)? else { return None };
    let Type::Struct { .. } = types.get(*to)? else { return None };
    let mut left = MAX_MEMBERS;
    let (shape, bytes, align) = layout(types, *to, MAX_DEPTH, &mut left)?;
    let name = types.struct_name(*to).map(plain_name);
    Some(Typed { name, shape, bytes: bytes.next_multiple_of(align), source: TypeSource::Code })
}

/// A type at natural alignment, as structured buffers and records have it: what it is, and its size.
pub fn natural_layout(types: &Types, ty: TypeId) -> Option<(Shape, u64)> {
    let (shape, bytes, align) = layout(types, ty, MAX_DEPTH, &mut { MAX_MEMBERS })?;
    Some((shape, bytes.checked_next_multiple_of(align)?))
}

/// A structure's name without what the compiler adds: `struct.Record.0` is `Record`.
fn plain_name(name: &str) -> String {
    let name = name.strip_prefix("struct.").or_else(|| name.strip_prefix("class.")).unwrap_or(name);
    match name.rsplit_once('.') {
        Some((before, digits)) if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => before.to_owned(),
        _ => name.to_owned(),
    }
}

/// A type at natural alignment: what it is, its size, its alignment.
fn layout(types: &Types, ty: TypeId, depth: usize, left: &mut usize) -> Option<(Shape, u64, u64)> {
    if depth == 0 || *left == 0 {
        return None;
    }
    *left -= 1;
    if let Some(scalar) = scalar(types, ty) {
        let bytes = scalar.bytes();
        return Some((Shape::Scalar(scalar), bytes, bytes));
    }
    match types.get(ty)? {
        Type::Vector(count, of) => {
            let scalar = scalar(types, *of)?;
            let bytes = scalar.bytes().checked_mul(u64::from(*count))?;
            Some((vector(scalar, *count), bytes, scalar.bytes()))
        }
        // Vectors lie in records as arrays: up to four numbers read as one.
        Type::Array(count, of) => match scalar(types, *of) {
            Some(scalar) if (2..=4).contains(count) => {
                Some((vector(scalar, u32::try_from(*count).ok()?), scalar.bytes() * count, scalar.bytes()))
            }
            _ => {
                let (element, bytes, align) = layout(types, *of, depth - 1, left)?;
                let stride = bytes.checked_next_multiple_of(align)?;
                let (length, stride32) = (u32::try_from(*count).ok()?, u32::try_from(stride).ok()?);
                let shape = Shape::Array { element: Box::new(element), count: Some(length), stride: stride32 };
                Some((shape, stride.checked_mul(*count)?, align))
            }
        },
        Type::Struct { members, packed, .. } => {
            let (mut at, mut widest) = (0u64, 1u64);
            let mut fields = Vec::new();
            for (number, member) in members.iter().enumerate() {
                let (shape, bytes, align) = layout(types, *member, depth - 1, left)?;
                let align = if *packed { 1 } else { align };
                at = at.checked_next_multiple_of(align)?;
                fields.push(Field { name: format!("f{number}"), offset: u32::try_from(at).ok()?, shape });
                at = at.checked_add(bytes)?;
                widest = widest.max(align);
            }
            Some((Shape::Struct { members: fields }, at.checked_next_multiple_of(widest)?, widest))
        }
        _ => None,
    }
}

fn scalar(types: &Types, ty: TypeId) -> Option<Scalar> {
    let (kind, bits) = match types.get(ty)? {
        Type::Half => (ScalarKind::Float, 16),
        Type::Float => (ScalarKind::Float, 32),
        Type::Double => (ScalarKind::Float, 64),
        Type::Integer(bits @ (8 | 16 | 32 | 64)) => (ScalarKind::Uint, *bits),
        _ => return None,
    };
    Some(Scalar { kind, bits })
}
