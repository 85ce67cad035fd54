//! The instructions of a module while it is altered.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use lanescope_base::ids::Id;
use lanescope_spirv::edit::push;
use lanescope_spirv::enums::{Op, StorageClass};
use lanescope_spirv::{Module, grammar};

/// One instruction.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub op: Op,
    pub words: Vec<u32>,
    has_type: bool,
    has_result: bool,
}

impl Line {
    fn new(words: Vec<u32>) -> Option<Line> {
        let info = grammar::info((words.first()? & 0xffff) as u16)?;
        Some(Line { op: info.op, has_type: info.has_type, has_result: info.has_result, words })
    }

    /// An instruction with operands, its result and type among them.
    pub fn of(op: Op, operands: &[u32]) -> Line {
        let mut words = Vec::new();
        push(&mut words, op, operands);
        let (has_type, has_result) =
            grammar::info(op as u32 as u16).map_or((false, false), |info| (info.has_type, info.has_result));
        Line { op, words, has_type, has_result }
    }

    pub fn result(&self) -> Option<Id> {
        self.has_result.then(|| self.id(1 + usize::from(self.has_type)))
    }

    pub fn ty(&self) -> Option<Id> {
        self.has_type.then(|| self.id(1))
    }

    /// Word `at`, or 0 where the instruction is shorter.
    pub fn word(&self, at: usize) -> u32 {
        self.words.get(at).copied().unwrap_or(0)
    }

    /// Word `at` as an id.
    pub fn id(&self, at: usize) -> Id {
        Id(self.word(at))
    }

    /// The labels that a terminator may go to; of a switch those whose literals are one word.
    fn successors(&self) -> Vec<Id> {
        match self.op {
            Op::Branch => vec![self.id(1)],
            Op::BranchConditional => vec![self.id(2), self.id(3)],
            Op::Switch => std::iter::once(2).chain((4..self.words.len()).step_by(2)).map(|at| self.id(at)).collect(),
            _ => Vec::new(),
        }
    }

    fn is_merge(&self) -> bool {
        matches!(self.op, Op::SelectionMerge | Op::LoopMerge)
    }
}

/// A block of a function, by the indices of its lines.
#[derive(Debug, Clone)]
pub(super) struct Block {
    pub label: Id,
    /// From the first line that is neither a label nor a phi nor a variable, to that of the merge instruction or, without
    /// one, of the terminator, exclusive.
    pub body: Range<usize>,
    pub is_loop_header: bool,
    /// The first line of its function.
    pub function: usize,
}

/// What kind of number, truth value or vector of them a type is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Bool,
    Int { bits: u32 },
    Float { bits: u32 },
}

/// A module's instructions.
#[derive(Debug, Clone)]
pub(super) struct Code {
    head: Vec<u32>,
    pub lines: Vec<Line>,
    next: u32,
}

impl Code {
    /// Those of a module; `None` if it has an instruction that the grammar does not know.
    pub fn of(module: &Module) -> Option<Code> {
        let lines: Option<Vec<Line>> = module.insts().map(|inst| Line::new(inst.words.to_vec())).collect();
        Some(Code { head: module.words().get(..5)?.to_vec(), lines: lines?, next: module.bound() })
    }

    /// The module.
    pub fn module(&self) -> Option<Module> {
        let mut words = self.head.clone();
        *words.get_mut(3)? = self.next;
        words.extend(self.lines.iter().flat_map(|line| &line.words));
        Module::parse(words).ok()
    }

    /// A new id.
    pub fn fresh(&mut self) -> Id {
        self.next += 1;
        Id(self.next - 1)
    }

    fn definition(&self, id: Id) -> Option<&Line> {
        self.lines.iter().find(|line| line.result() == Some(id))
    }

    /// Where declarations end and functions begin.
    pub fn first_function(&self) -> usize {
        self.lines.iter().position(|line| line.op == Op::Function).unwrap_or(self.lines.len())
    }

    /// The blocks of all functions.
    pub fn blocks(&self) -> Vec<Block> {
        let mut out = Vec::new();
        let (mut function, mut open) = (0, None);
        for (at, line) in self.lines.iter().enumerate() {
            match line.op {
                Op::Function => function = at,
                Op::Label => open = Some((line.id(1), at + 1)),
                Op::Phi | Op::Variable => {
                    if let Some((_, start)) = &mut open {
                        *start = at + 1;
                    }
                }
                _ if line.op == Op::FunctionEnd => open = None,
                _ => {
                    let ends = lanescope_spirv::facts(line.op).is_terminator();
                    if let Some((label, start)) = open.filter(|_| ends) {
                        let merge = self.lines[..at].last().filter(|before| before.is_merge());
                        let end = if merge.is_some() { at - 1 } else { at };
                        let is_loop_header = merge.is_some_and(|merge| merge.op == Op::LoopMerge);
                        out.push(Block { label, body: start..end.max(start), is_loop_header, function });
                        open = None;
                    }
                }
            }
        }
        out
    }

    /// Whether a block is in the continue construct of a loop, which no block may leave (specification, section 2.16.1).
    pub fn is_in_continue(&self, block: &Block) -> bool {
        let end = self.lines[block.function..].iter().position(|line| line.op == Op::FunctionEnd);
        let lines = &self.lines[block.function..end.map_or(self.lines.len(), |end| block.function + end)];
        let (mut after, mut open) = (BTreeMap::new(), None);
        for line in lines {
            if line.op == Op::Label {
                open = Some(line.id(1));
            }
            if let Some(label) = open {
                after.entry(label).or_insert_with(Vec::new).extend(line.successors());
            }
        }
        let merges = lines.iter().enumerate().filter(|(_, line)| line.op == Op::LoopMerge);
        let mut loops = merges.map(|(at, merge)| {
            let header = lines[..at].iter().rfind(|line| line.op == Op::Label).map(|label| label.id(1));
            (header, merge.id(1), merge.id(2))
        });
        loops.any(|(header, merge, from)| {
            let (mut reached, mut left) = (BTreeSet::new(), vec![from]);
            while let Some(label) = left.pop() {
                if Some(label) != header && label != merge && reached.insert(label) {
                    left.extend(after.get(&label).into_iter().flatten());
                }
            }
            reached.contains(&block.label)
        })
    }

    /// A declaration with these operands behind its result, made if there is none. For types and constants.
    fn declared(&mut self, op: Op, ty: Option<Id>, operands: &[u32]) -> Id {
        let skip = if ty.is_some() { 3 } else { 2 };
        let is_it = |line: &&Line| {
            line.op == op && ty.is_none_or(|ty| line.ty() == Some(ty)) && line.words.get(skip..) == Some(operands)
        };
        let decorated = |id: Id| self.lines.iter().any(|line| line.op == Op::Decorate && line.id(1) == id);
        let known = self.lines.iter().filter(is_it).filter_map(Line::result).find(|id| !decorated(*id));
        if let Some(known) = known {
            return known;
        }
        let result = self.fresh();
        let all: Vec<u32> = ty.into_iter().chain([result]).map(|id| id.0).chain(operands.iter().copied()).collect();
        let at = self.first_function();
        self.lines.insert(at, Line::of(op, &all));
        result
    }

    /// The type of truth values.
    pub fn bool_type(&mut self) -> Id {
        self.declared(Op::TypeBool, None, &[])
    }

    /// A truth value.
    pub fn truth(&mut self, value: bool) -> Id {
        let ty = self.bool_type();
        self.declared(if value { Op::ConstantTrue } else { Op::ConstantFalse }, Some(ty), &[])
    }

    /// An integer of a scalar type of at most 64 bits, or a vector of it.
    pub fn integer(&mut self, ty: Id, value: u32) -> Option<Id> {
        let line = self.definition(ty)?.clone();
        match line.op {
            Op::TypeInt => {
                let words: &[u32] = if line.word(2) == 64 { &[value, 0] } else { &[value] };
                Some(self.declared(Op::Constant, Some(ty), words))
            }
            Op::TypeVector => {
                let one = self.integer(line.id(2), value)?;
                let parts = vec![one.0; line.word(3) as usize];
                Some(self.declared(Op::ConstantComposite, Some(ty), &parts))
            }
            _ => None,
        }
    }

    /// The type of pointers to variables of functions.
    pub fn pointer(&mut self, to: Id) -> Id {
        self.declared(Op::TypePointer, None, &[StorageClass::Function as u32, to.0])
    }

    /// The type of a function.
    pub fn function_type(&mut self, returns: Id, parameters: &[Id]) -> Id {
        let operands: Vec<u32> = std::iter::once(returns).chain(parameters.iter().copied()).map(|id| id.0).collect();
        self.declared(Op::TypeFunction, None, &operands)
    }

    /// What a type's numbers are, and how many it has; `None` for what is neither a number nor a truth value nor a vector.
    pub fn shape(&self, ty: Id) -> Option<(Shape, u32)> {
        let line = self.definition(ty)?;
        match line.op {
            Op::TypeBool => Some((Shape::Bool, 1)),
            Op::TypeInt => Some((Shape::Int { bits: line.word(2) }, 1)),
            Op::TypeFloat => Some((Shape::Float { bits: line.word(2) }, 1)),
            Op::TypeVector => Some((self.shape(line.id(2))?.0, line.word(3))),
            _ => None,
        }
    }

    /// The component type of a vector.
    pub fn component(&self, ty: Id) -> Option<Id> {
        self.definition(ty).filter(|line| line.op == Op::TypeVector).map(|line| line.id(2))
    }

    /// The type of a value.
    pub fn type_of(&self, id: Id) -> Option<Id> {
        self.definition(id)?.ty()
    }

    /// Values that are computed in a block before a line, the results of its phis too, and constants never.
    pub fn in_scope(&self, block: &Block, before: usize) -> Vec<(Id, Id)> {
        let start = self.lines[..block.body.start].iter().rposition(|line| line.op == Op::Label).unwrap_or(0);
        let values = self.lines[start..before].iter().filter(|line| line.op != Op::Variable);
        values.filter_map(|line| Some((line.result()?, line.ty()?))).collect()
    }

    /// Says of a value what is said of another one: that it is precise, or may be less so.
    pub fn decorate_like(&mut self, new: Id, old: Id) {
        let own = |line: &&Line| line.op == Op::Decorate && line.id(1) == old;
        let more: Vec<Line> = self.lines.iter().filter(own).cloned().collect();
        let Some(at) = self.lines.iter().position(|line| line.op == Op::Decorate) else { return };
        for mut line in more {
            line.words[1] = new.0;
            self.lines.insert(at, line);
        }
    }

    /// Says of a value what was said of another one, which is not what it was any more.
    pub fn decorate_instead(&mut self, new: Id, old: Id) {
        for line in self.lines.iter_mut().filter(|line| line.op == Op::Decorate && line.id(1) == old) {
            line.words[1] = new.0;
        }
    }

    /// Splits a block before a line. What is put between ends the block, and has a block `label` last, which goes on with
    /// the rest.
    pub fn split(&mut self, block: &Block, at: usize, between: Vec<Line>, label: Id) {
        let function_end =
            self.lines[at..].iter().position(|line| line.op == Op::FunctionEnd).map_or(at, |end| at + end);
        for line in &mut self.lines[block.function..function_end] {
            if line.op == Op::Phi {
                for parent in line.words.iter_mut().skip(4).step_by(2) {
                    if *parent == block.label.0 {
                        *parent = label.0;
                    }
                }
            }
        }
        self.lines.splice(at..at, between);
    }
}
