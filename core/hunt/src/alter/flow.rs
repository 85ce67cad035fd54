//! Control flow around instructions.

use fastrand::Rng;
use lanescope_base::ids::Id;
use lanescope_spirv::enums::{LoopControl, Op, SelectionControl};

use super::code::{Block, Code, Line, Shape};

/// A place in a block that may be split: not that of a loop's header, whose merge instruction has to stay in it.
fn place(code: &Code, random: &mut Rng) -> Option<(Block, usize)> {
    let all: Vec<Block> = code.blocks().into_iter().filter(|block| !block.is_loop_header).collect();
    let block = random.choice(all)?;
    let at = random.usize(block.body.start..=block.body.end);
    Some((block, at))
}

/// A value that is never true at a place, and the instructions that compute it.
fn never(code: &mut Code, random: &mut Rng, block: &Block, at: usize) -> (Vec<Line>, Id) {
    let squares: Vec<(Id, Id)> = code
        .in_scope(block, at)
        .into_iter()
        .filter(|(_, ty)| code.shape(*ty) == Some((Shape::Int { bits: 32 }, 1)))
        .collect();
    let Some((of, ty)) = random.choice(squares).filter(|_| random.u32(..4) > 0) else {
        return (Vec::new(), code.truth(false));
    };
    let (Some(two), Some(zero)) = (code.integer(ty, 2), code.integer(ty, 0)) else {
        return (Vec::new(), code.truth(false));
    };
    let bool_type = code.bool_type();
    let [square, bit, is_set] = [(); 3].map(|()| code.fresh());
    let lines = vec![
        Line::of(Op::IMul, &[ty.0, square.0, of.0, of.0]),
        Line::of(Op::BitwiseAnd, &[ty.0, bit.0, square.0, two.0]),
        Line::of(Op::INotEqual, &[bool_type.0, is_set.0, bit.0, zero.0]),
    ];
    (lines, is_set)
}

/// As [`never`], after which the place has moved by what was declared.
fn never_at(code: &mut Code, random: &mut Rng, block: &mut Block, at: &mut usize) -> (Vec<Line>, Id) {
    let before = code.lines.len();
    let out = never(code, random, block, *at);
    moved(block, at, code.lines.len() - before);
    out
}

/// The same place after declarations were added before all functions.
fn moved(block: &mut Block, at: &mut usize, by: usize) {
    block.body = block.body.start + by..block.body.end + by;
    block.function += by;
    *at += by;
}

const NO_SELECTION_CONTROL: u32 = SelectionControl::NONE.bits();
const NO_LOOP_CONTROL: u32 = LoopControl::NONE.bits();

/// A branch to a block that is never run: it does nothing, computes something, or leaves the function.
pub(super) fn never_taken(code: &mut Code, random: &mut Rng) -> bool {
    let Some((mut block, mut at)) = place(code, random) else { return false };
    let (mut between, never) = never_at(code, random, &mut block, &mut at);
    let [dead, rest] = [(); 2].map(|()| code.fresh());
    between.push(Line::of(Op::SelectionMerge, &[rest.0, NO_SELECTION_CONTROL]));
    if random.bool() {
        between.push(Line::of(Op::BranchConditional, &[never.0, dead.0, rest.0]));
    } else {
        let before = code.lines.len();
        let bool_type = code.bool_type();
        moved(&mut block, &mut at, code.lines.len() - before);
        let not = code.fresh();
        between.insert(between.len() - 1, Line::of(Op::LogicalNot, &[bool_type.0, not.0, never.0]));
        between.push(Line::of(Op::BranchConditional, &[not.0, rest.0, dead.0]));
    }
    between.push(Line::of(Op::Label, &[dead.0]));
    let leaves = random.u32(..4) == 0 && returns_nothing(code, &block) && !code.is_in_continue(&block);
    if !leaves {
        let scope = code.in_scope(&block, at);
        if let Some((value, ty)) =
            random.choice(scope).filter(|(_, ty)| matches!(code.shape(*ty), Some((Shape::Int { .. }, _))))
        {
            let unused = code.fresh();
            between.push(Line::of(Op::IMul, &[ty.0, unused.0, value.0, value.0]));
        }
    }
    match leaves {
        true if random.bool() => between.push(Line::of(Op::Return, &[])),
        true => between.push(Line::of(Op::Unreachable, &[])),
        false => between.push(Line::of(Op::Branch, &[rest.0])),
    }
    between.push(Line::of(Op::Label, &[rest.0]));
    code.split(&block, at, between, rest);
    true
}

/// Whether the function of a block gives no value.
fn returns_nothing(code: &Code, block: &Block) -> bool {
    let ty = code.lines.get(block.function).and_then(Line::ty);
    code.lines.iter().any(|line| line.op == Op::TypeVoid && line.result() == ty)
}

/// A loop around some instructions that turns once.
pub(super) fn turned_once(code: &mut Code, random: &mut Rng) -> bool {
    let Some((mut block, mut at)) = place(code, random) else { return false };
    let last = (at + random.usize(..8)).min(block.body.end);
    let mut end = last;
    let [header, body, next, rest] = [(); 4].map(|()| code.fresh());
    let before = code.lines.len();
    let (computed, never) = never(code, random, &block, last);
    let by = code.lines.len() - before;
    moved(&mut block, &mut at, by);
    end += by;
    let inside: Vec<Line> = code.lines.drain(at..end).collect();
    let mut between = vec![
        Line::of(Op::Branch, &[header.0]),
        Line::of(Op::Label, &[header.0]),
        Line::of(Op::LoopMerge, &[rest.0, next.0, NO_LOOP_CONTROL]),
        Line::of(Op::Branch, &[body.0]),
        Line::of(Op::Label, &[body.0]),
    ];
    between.extend(inside);
    between.extend(computed);
    between.extend([
        Line::of(Op::Branch, &[next.0]),
        Line::of(Op::Label, &[next.0]),
        Line::of(Op::BranchConditional, &[never.0, header.0, rest.0]),
        Line::of(Op::Label, &[rest.0]),
    ]);
    code.split(&block, at, between, rest);
    true
}

/// A selection both of whose ways lead to the same value, which then is used.
pub(super) fn either_way(code: &mut Code, random: &mut Rng) -> bool {
    let Some((mut block, mut at)) = place(code, random) else { return false };
    let scope = code.in_scope(&block, at);
    let is_plain = |(_, ty): &(Id, Id)| code.shape(*ty).is_some();
    let Some((value, ty)) = random.choice(scope.iter().copied().filter(is_plain).collect::<Vec<_>>()) else {
        return false;
    };
    let truths: Vec<(Id, Id)> =
        scope.iter().copied().filter(|(_, ty)| code.shape(*ty) == Some((Shape::Bool, 1))).collect();
    let (mut between, condition) = match random.choice(truths) {
        Some((condition, _)) => (Vec::new(), condition),
        None => never_at(code, random, &mut block, &mut at),
    };
    let [taken, rest, same] = [(); 3].map(|()| code.fresh());
    between.extend([
        Line::of(Op::SelectionMerge, &[rest.0, NO_SELECTION_CONTROL]),
        Line::of(Op::BranchConditional, &[condition.0, taken.0, rest.0]),
        Line::of(Op::Label, &[taken.0]),
        Line::of(Op::Branch, &[rest.0]),
        Line::of(Op::Label, &[rest.0]),
        Line::of(Op::Phi, &[ty.0, same.0, value.0, block.label.0, value.0, taken.0]),
    ]);
    let count = between.len();
    let end = block.body.end;
    code.split(&block, at, between, rest);
    super::values::use_instead(code, at + count..end + count, value, same);
    true
}

/// A switch all of whose cases do nothing.
pub(super) fn switched_nowhere(code: &mut Code, random: &mut Rng) -> bool {
    let Some((block, at)) = place(code, random) else { return false };
    let is_selector = |(_, ty): &(Id, Id)| code.shape(*ty) == Some((Shape::Int { bits: 32 }, 1));
    let selectors: Vec<(Id, Id)> = code.in_scope(&block, at).into_iter().filter(is_selector).collect();
    let Some((selector, _)) = random.choice(selectors) else { return false };
    let [first, second, rest] = [(); 3].map(|()| code.fresh());
    let otherwise = if random.bool() { rest } else { second };
    let between = vec![
        Line::of(Op::SelectionMerge, &[rest.0, NO_SELECTION_CONTROL]),
        Line::of(Op::Switch, &[selector.0, otherwise.0, random.u32(..4), first.0, 7, second.0]),
        Line::of(Op::Label, &[first.0]),
        // The first case falls through now and then.
        Line::of(Op::Branch, &[if random.bool() { rest } else { second }.0]),
        Line::of(Op::Label, &[second.0]),
        Line::of(Op::Branch, &[rest.0]),
        Line::of(Op::Label, &[rest.0]),
    ];
    code.split(&block, at, between, rest);
    true
}
