//! Instructions as LLVM writes them.

use super::op;
use super::resource::Handles;
use super::value::Scope;
use crate::metadata::EntryPoint;
use crate::module::{Atomic, BinaryOp, Call, Instruction, Kind, Operand, Type, ValueId};

/// The operation of an atomic read-modify-write, by its record's number.
const ATOMICS: [&str; 11] = ["xchg", "add", "sub", "and", "nand", "or", "xor", "max", "min", "umax", "umin"];
const ORDERINGS: [&str; 7] = ["notatomic", "unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst"];

/// Writes what an instruction does, and returns a comment on it.
pub fn write(
    out: &mut String,
    scope: &Scope<'_>,
    is: &Instruction,
    handles: &Handles<'_>,
    entry: Option<&EntryPoint>,
) -> Option<String> {
    if let Kind::Call(call) = &is.kind {
        return match op::write(out, scope, call, handles, entry, is.result.map(|id| id.0)) {
            Some(comment) => comment,
            None => {
                out.push_str(&call_text(scope, call));
                None
            }
        };
    }
    out.push_str(&text(scope, is));
    None
}

fn text(scope: &Scope<'_>, is: &Instruction) -> String {
    let value = |id: &ValueId| scope.value(*id);
    let typed = |id: &ValueId| scope.typed(*id);
    let block = |id| scope.local.block(id);
    let ty = || scope.module.types.name(is.ty);
    match &is.kind {
        Kind::Binary { op, left, right, flags } => {
            format!("{op}{} {}, {}", arithmetic(*op, *flags), typed(left), value(right))
        }
        Kind::Cast { op, value } => format!("{op} {} to {}", typed(value), ty()),
        Kind::Gep { inbounds, element, operands } => {
            let inbounds = if *inbounds { " inbounds" } else { "" };
            format!("getelementptr{inbounds} {}, {}", scope.module.types.name(*element), list(operands, typed))
        }
        Kind::Select { condition, yes, no } => format!("select {}", list(&[*condition, *yes, *no], typed)),
        Kind::ExtractElement { vector, index } => format!("extractelement {}", list(&[*vector, *index], typed)),
        Kind::InsertElement { vector, value, index } => {
            format!("insertelement {}", list(&[*vector, *value, *index], typed))
        }
        Kind::ShuffleVector { left, right, mask } => format!("shufflevector {}", list(&[*left, *right, *mask], typed)),
        Kind::Compare { predicate, left, right, flags } => {
            let (name, flags) = if predicate.is_float() { ("fcmp", fast(*flags)) } else { ("icmp", String::new()) };
            format!("{name}{flags} {} {}, {}", predicate.name(), typed(left), value(right))
        }
        Kind::Return(None) => "ret void".to_owned(),
        Kind::Return(Some(id)) => format!("ret {}", typed(id)),
        Kind::Branch(to) => format!("br label {}", block(*to)),
        Kind::ConditionalBranch { condition, yes, no } => {
            format!("br {}, label {}, label {}", typed(condition), block(*yes), block(*no))
        }
        Kind::Switch { value, default, cases } => {
            let cases: Vec<String> =
                cases.iter().map(|(case, to)| format!("{}: {}", scope.value(*case), block(*to))).collect();
            format!("switch {}, label {} [ {} ]", typed(value), block(*default), cases.join(", "))
        }
        Kind::Unreachable => "unreachable".to_owned(),
        Kind::Phi(incoming) => {
            let incoming: Vec<String> =
                incoming.iter().map(|(id, from)| format!("[ {}, {} ]", value(id), block(*from))).collect();
            format!("phi {} {}", ty(), incoming.join(", "))
        }
        Kind::Alloca { element, count, align } => {
            let count = match scope.module.integer(scope.body, *count) {
                Some(1) => String::new(),
                _ => format!(", {}", typed(count)),
            };
            format!("alloca {}{count}{}", scope.module.types.name(*element), aligned(*align))
        }
        Kind::Load { pointer, align, volatile, atomic } => {
            let volatile = volatile_text(*volatile);
            format!(
                "load {}{volatile}{}, {}{}{}",
                atomic_text(atomic),
                ty(),
                typed(pointer),
                ordering(atomic),
                aligned(*align)
            )
        }
        Kind::Store { pointer, value, align, volatile, atomic } => {
            let volatile = volatile_text(*volatile);
            let (value, pointer) = (typed(value), typed(pointer));
            format!("store {}{volatile}{value}, {pointer}{}{}", atomic_text(atomic), ordering(atomic), aligned(*align))
        }
        Kind::ExtractValue { aggregate, indices } => format!("extractvalue {}{}", typed(aggregate), numbers(indices)),
        Kind::InsertValue { aggregate, value, indices } => {
            format!("insertvalue {}{}", list(&[*aggregate, *value], typed), numbers(indices))
        }
        Kind::Call(call) => call_text(scope, call),
        Kind::Fence(atomic) => format!("fence{}", ordering(&Some(*atomic))),
        Kind::AtomicRmw { pointer, value, operation, volatile, atomic } => {
            let name = ATOMICS.get(usize::from(*operation)).copied().unwrap_or("?");
            let operands = list(&[*pointer, *value], typed);
            format!("atomicrmw {}{name} {operands}{}", volatile_text(*volatile), ordering(&Some(*atomic)))
        }
        Kind::CompareExchange { pointer, expected, new, volatile, atomic, failure } => {
            let operands = list(&[*pointer, *expected, *new], typed);
            let failure = ORDERINGS.get(usize::from(*failure)).copied().unwrap_or("?");
            format!("cmpxchg {}{operands}{} {failure}", volatile_text(*volatile), ordering(&Some(*atomic)))
        }
    }
}

fn call_text(scope: &Scope<'_>, call: &Call) -> String {
    let argument = |argument: &Operand| match argument {
        Operand::Value(id) => scope.typed(*id),
        Operand::Block(_) => format!("label {}", scope.operand(argument)),
        Operand::Metadata(_) => scope.operand(argument),
    };
    let arguments: Vec<String> = call.arguments.iter().map(argument).collect();
    let result = match scope.module.types.get(call.function_type) {
        Some(Type::Function { result, .. }) => scope.module.types.name(*result),
        _ => "<bad type>".to_owned(),
    };
    let tail = if call.flags & 1 == 1 { "tail " } else { "" };
    format!("{tail}call {result} {}({})", scope.value(call.callee), arguments.join(", "))
}

fn list(ids: &[ValueId], one: impl Fn(&ValueId) -> String) -> String {
    ids.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn numbers(indices: &[u32]) -> String {
    indices.iter().map(|index| format!(", {index}")).collect()
}

/// The flags of an arithmetic operation.
fn arithmetic(op: BinaryOp, flags: u8) -> String {
    use BinaryOp::{AShr, Add, FAdd, FDiv, FMul, FRem, FSub, LShr, Mul, SDiv, Shl, Sub, UDiv};
    match op {
        FAdd | FSub | FMul | FDiv | FRem => fast(flags),
        Add | Sub | Mul | Shl => named(flags, &[(1, "nuw"), (2, "nsw")]),
        UDiv | SDiv | LShr | AShr => named(flags, &[(1, "exact")]),
        _ => String::new(),
    }
}

fn fast(flags: u8) -> String {
    if flags & 1 == 1 {
        " fast".to_owned()
    } else {
        named(flags, &[(2, "nnan"), (4, "ninf"), (8, "nsz"), (16, "arcp")])
    }
}

fn named(flags: u8, names: &[(u8, &str)]) -> String {
    names.iter().filter(|(bit, _)| flags & bit != 0).map(|(_, name)| format!(" {name}")).collect()
}

fn aligned(align: u32) -> String {
    if align > 0 { format!(", align {align}") } else { String::new() }
}

fn volatile_text(volatile: bool) -> &'static str {
    if volatile { "volatile " } else { "" }
}

fn atomic_text(atomic: &Option<Atomic>) -> &'static str {
    if atomic.is_some() { "atomic " } else { "" }
}

fn ordering(atomic: &Option<Atomic>) -> String {
    let Some(atomic) = atomic else { return String::new() };
    let scope = if atomic.scope == 0 { " singlethread" } else { "" };
    format!("{scope} {}", ORDERINGS.get(usize::from(atomic.ordering)).copied().unwrap_or("?"))
}
