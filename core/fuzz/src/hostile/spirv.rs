//! SPIR-V that is valid, or nearly so, with a large amount of one thing.

use lanescope_core::spirv::enums::{Decoration, ExecutionMode, ExecutionModel, Op, StorageClass};

use super::{Input, Random};

const VOID: u32 = 1;
const FUNCTION_TYPE: u32 = 2;
const FIRST: u32 = 3;

/// A module in the making.
struct Words(Vec<u32>);

impl Words {
    /// With capability and memory model.
    fn new() -> Words {
        let mut words = Words(vec![0x0723_0203, 0x0001_0300, 0, 0, 0]);
        words.op(Op::Capability, &[1]);
        words.op(Op::MemoryModel, &[0, 1]);
        words
    }

    fn op(&mut self, op: Op, operands: &[u32]) {
        self.0.push((operands.len() as u32 + 1) << 16 | op as u32);
        self.0.extend(operands);
    }

    /// A compute entry point with a size of 1.
    fn entry(&mut self, function: u32, name: &str) {
        let mut operands = vec![ExecutionModel::GLCompute as u32, function];
        let bytes = format!("{name}\0\0\0\0").into_bytes();
        let (whole, _) = bytes.as_chunks::<4>();
        operands.extend(whole.iter().map(|word| u32::from_le_bytes(*word)));
        self.op(Op::EntryPoint, &operands);
    }

    fn size(&mut self, function: u32) {
        self.op(Op::ExecutionMode, &[function, ExecutionMode::LocalSize as u32, 1, 1, 1]);
    }

    /// The type of functions, and what it needs.
    fn function_type(&mut self) {
        self.op(Op::TypeVoid, &[VOID]);
        self.op(Op::TypeFunction, &[FUNCTION_TYPE, VOID]);
    }

    fn function(&mut self, id: u32, label: u32) {
        self.op(Op::Function, &[VOID, id, 0, FUNCTION_TYPE]);
        self.op(Op::Label, &[label]);
    }

    fn end(&mut self) {
        self.op(Op::Return, &[]);
        self.op(Op::FunctionEnd, &[]);
    }

    fn input(mut self, name: &str, bound: u32) -> Input {
        self.0[3] = bound;
        Input::one(name, self.0.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())
    }
}

/// A module with one entry point that does nothing, so many `OpNop` long.
pub fn no_ops(_: &mut Random, count: usize) -> Input {
    let mut words = Words::new();
    words.entry(FIRST, "main");
    words.size(FIRST);
    words.function_type();
    words.function(FIRST, FIRST + 1);
    words.0.extend(std::iter::repeat_n(0x0001_0000, count));
    words.end();
    words.input("no_ops.spv", FIRST + 2)
}

/// Entry points, each with a function of its own.
pub fn entry_points(_: &mut Random, count: usize) -> Input {
    let mut words = Words::new();
    let ids = || (0..count as u32).map(|at| FIRST + 2 * at);
    ids().for_each(|id| words.entry(id, &format!("e{id}")));
    ids().for_each(|id| words.size(id));
    words.function_type();
    for id in ids() {
        words.function(id, id + 1);
        words.end();
    }
    words.input("entry_points.spv", FIRST + 2 * count as u32)
}

/// Functions that the entry point calls, one after the other.
pub fn functions(_: &mut Random, count: usize) -> Input {
    let mut words = Words::new();
    words.entry(FIRST, "main");
    words.size(FIRST);
    words.function_type();
    let first = FIRST + 2;
    words.function(FIRST, FIRST + 1);
    (0..count as u32).for_each(|at| words.op(Op::FunctionCall, &[VOID, first + 3 * at + 2, first + 3 * at]));
    words.end();
    for at in 0..count as u32 {
        words.function(first + 3 * at, first + 3 * at + 1);
        words.end();
    }
    words.input("functions.spv", first + 3 * count as u32)
}

/// Functions that each call the next; now and then the last calls the second.
pub fn calls(random: &mut Random, count: usize) -> Input {
    let circle = random.below(4) == 3;
    let mut words = Words::new();
    words.entry(FIRST, "main");
    words.size(FIRST);
    words.function_type();
    for at in 0..count as u32 {
        let id = FIRST + 3 * at;
        words.function(id, id + 1);
        if at + 1 < count as u32 {
            words.op(Op::FunctionCall, &[VOID, id + 2, id + 3]);
        } else if circle {
            words.op(Op::FunctionCall, &[VOID, id + 2, FIRST + 3]);
        }
        words.end();
    }
    words.input("calls.spv", FIRST + 3 * count as u32)
}

/// Functions that each call the next, and store to a private variable of their own.
pub fn private(_: &mut Random, count: usize) -> Input {
    let (boolean, pointer, constant, first) = (4, 5, 6, 7);
    let mut words = Words::new();
    words.entry(FIRST, "main");
    words.size(FIRST);
    words.function_type();
    words.op(Op::TypeBool, &[boolean]);
    words.op(Op::TypePointer, &[pointer, StorageClass::Private as u32, boolean]);
    words.op(Op::ConstantTrue, &[boolean, constant]);
    let of = |at: usize| first + 4 * at as u32;
    (0..count).for_each(|at| words.op(Op::Variable, &[pointer, of(at), StorageClass::Private as u32]));
    for at in 0..count {
        words.function(if at == 0 { FIRST } else { of(at) + 1 }, of(at) + 2);
        words.op(Op::Store, &[of(at), constant]);
        if at + 1 < count {
            words.op(Op::FunctionCall, &[VOID, of(at) + 3, of(at + 1) + 1]);
        }
        words.end();
    }
    words.input("private.spv", of(count))
}

/// What selections need: a condition that is not known, and the function's start. The next free id.
fn with_condition(words: &mut Words) -> u32 {
    let (boolean, pointer, variable) = (4, 5, 6);
    words.entry(FIRST, "main");
    words.size(FIRST);
    words.function_type();
    words.op(Op::TypeBool, &[boolean]);
    words.op(Op::TypePointer, &[pointer, StorageClass::Private as u32, boolean]);
    words.op(Op::Variable, &[pointer, variable, StorageClass::Private as u32]);
    words.function(FIRST, 7);
    words.op(Op::Load, &[boolean, 8, variable]);
    9
}

/// Selections, one after the other.
pub fn selections(_: &mut Random, count: usize) -> Input {
    let mut words = Words::new();
    let mut next = with_condition(&mut words);
    for _ in 0..count {
        let (taken, merge) = (next, next + 1);
        next += 2;
        words.op(Op::SelectionMerge, &[merge, 0]);
        words.op(Op::BranchConditional, &[8, taken, merge]);
        words.op(Op::Label, &[taken]);
        words.op(Op::Branch, &[merge]);
        words.op(Op::Label, &[merge]);
    }
    words.end();
    words.input("selections.spv", next)
}

/// Selections, each in the one before.
pub fn nested(_: &mut Random, count: usize) -> Input {
    let mut words = Words::new();
    let first = with_condition(&mut words);
    let merge = |at: u32| first + 2 * at + 1;
    for at in 0..count as u32 {
        words.op(Op::SelectionMerge, &[merge(at), 0]);
        words.op(Op::BranchConditional, &[8, first + 2 * at, merge(at)]);
        words.op(Op::Label, &[first + 2 * at]);
    }
    for at in (0..count as u32).rev() {
        words.op(Op::Branch, &[merge(at)]);
        words.op(Op::Label, &[merge(at)]);
    }
    words.end();
    words.input("nested.spv", first + 2 * count as u32)
}

/// Uniform blocks, each with a set and a binding.
pub fn variables(random: &mut Random, count: usize) -> Input {
    let (float, block, pointer, first) = (5, 6, 7, 8);
    let sets = 1 + random.below(4) as u32;
    let mut words = Words::new();
    words.entry(FIRST, "main");
    words.size(FIRST);
    for at in 0..count as u32 {
        words.op(Op::Decorate, &[first + at, Decoration::Binding as u32, at]);
        words.op(Op::Decorate, &[first + at, Decoration::DescriptorSet as u32, at % sets]);
    }
    words.op(Op::Decorate, &[block, Decoration::Block as u32]);
    words.op(Op::MemberDecorate, &[block, 0, Decoration::Offset as u32, 0]);
    words.function_type();
    words.op(Op::TypeFloat, &[float, 32]);
    words.op(Op::TypeStruct, &[block, float]);
    words.op(Op::TypePointer, &[pointer, StorageClass::Uniform as u32, block]);
    (0..count as u32).for_each(|at| words.op(Op::Variable, &[pointer, first + at, StorageClass::Uniform as u32]));
    words.function(FIRST, FIRST + 1);
    words.end();
    words.input("variables.spv", first + count as u32)
}

/// Specialization constants.
pub fn constants(_: &mut Random, count: usize) -> Input {
    let (float, first) = (5, 6);
    let mut words = Words::new();
    words.entry(FIRST, "main");
    words.size(FIRST);
    (0..count as u32).for_each(|at| words.op(Op::Decorate, &[first + at, Decoration::SpecId as u32, at]));
    words.function_type();
    words.op(Op::TypeFloat, &[float, 32]);
    (0..count as u32).for_each(|at| words.op(Op::SpecConstant, &[float, first + at, 0]));
    words.function(FIRST, FIRST + 1);
    words.end();
    words.input("constants.spv", first + count as u32)
}

/// Structures that contain the one before once or twice, or themselves.
pub fn types(random: &mut Random, levels: usize) -> Input {
    let (float, first) = (5, 6);
    let kind = random.below(3);
    let mut words = Words::new();
    words.entry(FIRST, "main");
    words.size(FIRST);
    words.function_type();
    words.op(Op::TypeFloat, &[float, 32]);
    let mut inner = float;
    for at in 0..levels as u32 {
        let id = first + at;
        match kind {
            0 => words.op(Op::TypeStruct, &[id, inner]),
            1 => words.op(Op::TypeStruct, &[id, inner, inner]),
            _ => words.op(Op::TypeStruct, &[id, id, inner]),
        }
        inner = id;
    }
    let (pointer, variable) = (first + levels as u32, first + levels as u32 + 1);
    words.op(Op::TypePointer, &[pointer, StorageClass::Private as u32, inner]);
    words.op(Op::Variable, &[pointer, variable, StorageClass::Private as u32]);
    words.function(FIRST, FIRST + 1);
    words.end();
    words.input("types.spv", variable + 1)
}

/// A small module with words replaced by numbers near the limits of ids, lengths and counts.
pub fn ids(random: &mut Random, count: usize) -> Input {
    let mut input = selections(random, 20);
    let bytes = &mut input.files[0].1;
    for _ in 0..1 + random.below(count) {
        // After the magic number.
        let at = 4 * (1 + random.below(bytes.len() / 4 - 1));
        let word: u32 = *random.one_of(&[0, 1, 0x3f_ffff, 0x40_0000, 0x7fff_ffff, u32::MAX, 0xffff_0000, 0x0001_0038]);
        bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
    }
    input.files[0].0 = "ids.spv".into();
    input
}
