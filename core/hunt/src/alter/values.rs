//! Other ways to compute a value.

use std::ops::Range;

use fastrand::Rng;
use lanescope_base::ids::Id;
use lanescope_spirv::enums::Op;

use super::code::{Block, Code, Line, Shape};

/// The words of an instruction that are values of its own to compute with: any value of the same type may stand there.
fn operands(line: &Line) -> Range<usize> {
    use Op::*;
    match line.op {
        ConvertFToU | ConvertFToS | ConvertSToF | ConvertUToF | UConvert | SConvert | FConvert | Bitcast | SNegate
        | FNegate | IAdd | FAdd | ISub | FSub | IMul | FMul | UDiv | SDiv | FDiv | UMod | SRem | SMod
        | LogicalEqual | LogicalNotEqual | LogicalOr | LogicalAnd | LogicalNot | Select | IEqual | INotEqual
        | UGreaterThan | SGreaterThan | UGreaterThanEqual | SGreaterThanEqual | ULessThan | SLessThan
        | ULessThanEqual | SLessThanEqual | FOrdEqual | FUnordNotEqual | FOrdLessThan | FOrdGreaterThan
        | FOrdLessThanEqual | FOrdGreaterThanEqual | ShiftRightLogical | ShiftRightArithmetic | ShiftLeftLogical
        | BitwiseOr | BitwiseXor | BitwiseAnd | Not | BitReverse | BitCount | CompositeConstruct => 3..line.words.len(),
        Store => 2..3,
        ReturnValue => 1..2,
        BranchConditional => 1..2,
        _ => 0..0,
    }
}

/// A use of a value: in which line, which word, where the code that computes another one goes, and the value's type.
struct Use {
    line: usize,
    word: usize,
    before: usize,
    value: Id,
    ty: Id,
}

impl Use {
    fn any(code: &Code, random: &mut Rng) -> Option<Use> {
        let blocks = code.blocks();
        let mut all: Vec<(usize, usize, usize)> = Vec::new();
        for block in &blocks {
            let terminator = (block.body.end..code.lines.len())
                .find(|at| lanescope_spirv::facts(code.lines[*at].op).is_terminator())?;
            for line in block.body.clone().chain([terminator]) {
                let before = if line == terminator { block.body.end } else { line };
                all.extend(operands(&code.lines[line]).map(|word| (line, word, before)));
            }
        }
        let (line, word, before) = random.choice(all)?;
        let value = code.lines[line].id(word);
        let ty = code.type_of(value)?;
        code.shape(ty)?;
        Some(Use { line, word, before, value, ty })
    }

    /// Declares something, after which the use stands elsewhere.
    fn declare<T>(&mut self, code: &mut Code, what: impl FnOnce(&mut Code) -> T) -> T {
        let before = code.lines.len();
        let out = what(code);
        let by = code.lines.len() - before;
        (self.line, self.before) = (self.line + by, self.before + by);
        out
    }

    /// Puts code before it, whose last result it uses from now on.
    fn give(&self, code: &mut Code, lines: Vec<Line>, value: Id) {
        if let Some(word) = code.lines.get_mut(self.line).and_then(|line| line.words.get_mut(self.word)) {
            *word = value.0;
        }
        code.lines.splice(self.before..self.before, lines);
    }
}

/// Uses a value instead of another one in the lines of a range, where any value of its type may stand.
pub(super) fn use_instead(code: &mut Code, range: Range<usize>, old: Id, new: Id) {
    let end = range.end.min(code.lines.len());
    for line in &mut code.lines[range.start.min(end)..end] {
        for word in operands(line) {
            if line.words[word] == old.0 {
                line.words[word] = new.0;
            }
        }
    }
}

/// A value computed from itself: `x + 0`, `~~x`, a vector of its components.
pub(super) fn same_number(code: &mut Code, random: &mut Rng) -> bool {
    let Some(mut of) = Use::any(code, random) else { return false };
    let (ty, value) = (of.ty, of.value);
    let Some((shape, count)) = code.shape(ty) else { return false };
    let mut lines = Vec::new();
    let one = |code: &mut Code, lines: &mut Vec<Line>, op: Op, ty: Id, operands: &[Id]| {
        let result = code.fresh();
        let all: Vec<u32> = [ty, result].iter().chain(operands).map(|id| id.0).collect();
        lines.push(Line::of(op, &all));
        result
    };
    let component = code.component(ty).filter(|_| count > 1);
    let new = match (shape, random.u32(..8)) {
        (_, 0) => one(code, &mut lines, Op::CopyObject, ty, &[value]),
        (_, 1 | 2) if component.is_some() => {
            let Some(component) = component else { return false };
            let mut parts = Vec::new();
            for at in 0..count {
                let part = code.fresh();
                lines.push(Line::of(Op::CompositeExtract, &[component.0, part.0, value.0, at]));
                parts.push(part);
            }
            one(code, &mut lines, Op::CompositeConstruct, ty, &parts)
        }
        (_, 3) if component.is_some() => {
            let result = code.fresh();
            let mut words = vec![ty.0, result.0, value.0, value.0];
            words.extend((0..count).map(|at| if random.bool() { at } else { at + count }));
            lines.push(Line::of(Op::VectorShuffle, &words));
            result
        }
        (_, 4) if count == 1 => {
            let truth = of.declare(code, |code| code.truth(true));
            one(code, &mut lines, Op::Select, ty, &[truth, value, value])
        }
        (Shape::Int { .. }, which) => {
            let (op, constant) = [
                (Op::IAdd, 0),
                (Op::ISub, 0),
                (Op::IMul, 1),
                (Op::BitwiseXor, 0),
                (Op::BitwiseOr, 0),
                (Op::ShiftLeftLogical, 0),
            ][which as usize % 6];
            if random.u32(..3) == 0 {
                let not = one(code, &mut lines, Op::Not, ty, &[value]);
                one(code, &mut lines, Op::Not, ty, &[not])
            } else {
                let Some(constant) = of.declare(code, |code| code.integer(ty, constant)) else { return false };
                one(code, &mut lines, op, ty, &[value, constant])
            }
        }
        (Shape::Bool, which) if count == 1 => {
            let truth = of.declare(code, |code| code.truth(true));
            match which {
                5 => one(code, &mut lines, Op::LogicalAnd, ty, &[value, truth]),
                6 => one(code, &mut lines, Op::LogicalEqual, ty, &[truth, value]),
                _ => {
                    let not = one(code, &mut lines, Op::LogicalNot, ty, &[value]);
                    one(code, &mut lines, Op::LogicalNot, ty, &[not])
                }
            }
        }
        (Shape::Float { .. } | Shape::Bool, _) => one(code, &mut lines, Op::CopyObject, ty, &[value]),
    };
    of.give(code, lines, new);
    true
}

/// A value that goes through a variable of its own.
pub(super) fn through_variable(code: &mut Code, random: &mut Rng) -> bool {
    let Some(mut of) = Use::any(code, random) else { return false };
    let ty = of.ty;
    // Narrower ones may be allowed in interfaces alone.
    if let Some((Shape::Int { bits } | Shape::Float { bits }, _)) = code.shape(ty)
        && bits < 32
    {
        return false;
    }
    let pointer = of.declare(code, |code| code.pointer(ty));
    let Some(function) = code.lines[..of.line].iter().rposition(|line| line.op == Op::Function) else { return false };
    let Some(label) = code.lines[function..].iter().position(|line| line.op == Op::Label) else { return false };
    let [variable, loaded] = [(); 2].map(|()| code.fresh());
    let class = lanescope_spirv::enums::StorageClass::Function as u32;
    code.lines.insert(function + label + 1, Line::of(Op::Variable, &[pointer.0, variable.0, class]));
    (of.line, of.before) = (of.line + 1, of.before + 1);
    let lines =
        vec![Line::of(Op::Store, &[variable.0, of.value.0]), Line::of(Op::Load, &[of.ty.0, loaded.0, variable.0])];
    of.give(code, lines, loaded);
    true
}

/// Operands in the other order.
pub(super) fn commuted(code: &mut Code, random: &mut Rng) -> bool {
    let other = |op: Op| {
        use Op::*;
        Some(match op {
            IAdd | IMul | FAdd | FMul | BitwiseAnd | BitwiseOr | BitwiseXor | LogicalAnd | LogicalOr | LogicalEqual
            | LogicalNotEqual | IEqual | INotEqual | FOrdEqual | FUnordNotEqual => op,
            ULessThan => UGreaterThan,
            UGreaterThan => ULessThan,
            SLessThan => SGreaterThan,
            SGreaterThan => SLessThan,
            ULessThanEqual => UGreaterThanEqual,
            SLessThanEqual => SGreaterThanEqual,
            FOrdLessThan => FOrdGreaterThan,
            FOrdGreaterThan => FOrdLessThan,
            _ => return None,
        })
    };
    let start = code.first_function();
    let all: Vec<usize> = (start..code.lines.len()).filter(|at| other(code.lines[*at].op).is_some()).collect();
    let Some(at) = random.choice(all) else { return false };
    let line = &code.lines[at];
    let Some(op) = other(line.op) else { return false };
    code.lines[at] = Line::of(op, &[line.word(1), line.word(2), line.word(4), line.word(3)]);
    true
}

/// Instructions that only compute a value from two, without decorations that a copy would have to have.
fn computing(code: &Code) -> Vec<usize> {
    let of = |block: Block| {
        block
            .body
            .filter(|at| {
                let line = &code.lines[*at];
                operands(line).len() == 2 && line.result().is_some() && line.op != Op::CompositeConstruct
            })
            .collect::<Vec<_>>()
    };
    code.blocks().into_iter().flat_map(of).collect()
}

/// A value that is computed again where it is used.
pub(super) fn computed_twice(code: &mut Code, random: &mut Rng) -> bool {
    let Some(at) = random.choice(computing(code)) else { return false };
    let line = code.lines[at].clone();
    let Some(old) = line.result() else { return false };
    let new = code.fresh();
    let mut again = line;
    again.words[2] = new.0;
    code.lines.insert(at + 1, again);
    let end = code.lines[at..].iter().position(|line| line.op == Op::Label || line.op == Op::FunctionEnd);
    let end = end.map_or(code.lines.len(), |end| at + end);
    // Half of its block uses the copy.
    let from = random.usize(at + 2..=end.max(at + 2));
    use_instead(code, from..end, old, new);
    code.decorate_like(new, old);
    true
}

/// An operation that a new function does.
pub(super) fn outlined(code: &mut Code, random: &mut Rng) -> bool {
    let Some(at) = random.choice(computing(code)) else { return false };
    let line = code.lines[at].clone();
    let (Some(ty), Some(result)) = (line.ty(), line.result()) else { return false };
    let [left, right] = [line.id(3), line.id(4)];
    let (Some(left_type), Some(right_type)) = (code.type_of(left), code.type_of(right)) else { return false };
    let before = code.lines.len();
    let function_type = code.function_type(ty, &[left_type, right_type]);
    let at = at + code.lines.len() - before;
    let [function, first, second, label, value] = [(); 5].map(|()| code.fresh());
    code.lines[at] = Line::of(Op::FunctionCall, &[ty.0, result.0, function.0, left.0, right.0]);
    code.lines.extend([
        Line::of(Op::Function, &[ty.0, function.0, 0, function_type.0]),
        Line::of(Op::FunctionParameter, &[left_type.0, first.0]),
        Line::of(Op::FunctionParameter, &[right_type.0, second.0]),
        Line::of(Op::Label, &[label.0]),
        Line::of(line.op, &[ty.0, value.0, first.0, second.0]),
        Line::of(Op::ReturnValue, &[value.0]),
        Line::of(Op::FunctionEnd, &[]),
    ]);
    code.decorate_instead(value, result);
    true
}
