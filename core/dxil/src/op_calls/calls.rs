//! Every call of a `dx.op.*` function in a module, with its op.

use super::shape::{Fit, fit};
use crate::module::{Body, Call, Function, Kind, Module, Operand, Type, ValueId};
use crate::ops::{CALLEE_PREFIX, Callee, NoOp, Op, Opcode, Tables};

/// One call.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct OpCall<'m> {
    /// The function that it is in: index into [`Module::functions`].
    pub function: usize,
    /// Its index among the function's instructions.
    pub instruction: usize,
    /// Name of the callee: `dx.op.loadInput.f32`.
    pub callee: &'m str,
    /// The call.
    pub call: &'m Call,
    /// Its number; absent where the first operand is not a constant `i32`.
    pub opcode: Option<Opcode>,
    /// The op of that number.
    pub op: Option<Result<&'static Op, NoOp>>,
    /// The tables that its number was looked up in.
    pub tables: Tables,
    /// How the callee's type matches the op.
    pub(crate) fit: Option<Fit>,
}

impl<'m> OpCall<'m> {
    /// The live op.
    pub fn op(&self) -> Option<&'static Op> {
        self.op.as_ref()?.as_ref().ok().copied()
    }

    /// The overloads as the callee's name has them.
    pub fn overload(&self) -> Option<&'m str> {
        overload(self.callee)
    }

    /// The meaning of the callee's name.
    pub fn served(&self) -> Option<Callee<'m>> {
        self.tables.by_callee(self.callee)
    }

    /// The arguments after the opcode with their names: the database's, or those of the earlier list that fits; a
    /// number where neither does.
    pub fn operands(&self) -> impl Iterator<Item = (Option<&'static str>, Operand)> + '_ {
        let names = self.fit.and_then(|fit| fit.operands);
        let arguments = self.call.arguments.iter().skip(1).copied().enumerate();
        arguments.map(move |(at, argument)| (names.and_then(|names| names.get(at)), argument))
    }
}

/// The overloads in a callee's name.
pub fn overload(callee: &str) -> Option<&str> {
    callee.strip_prefix(CALLEE_PREFIX)?.split_once('.').map(|(_, overload)| overload)
}

/// Every call of a function whose name starts with `dx.op.`, in the order of the module.
pub fn calls(module: &Module) -> Vec<OpCall<'_>> {
    // Nearly all calls are of ops.
    let called = module.functions.iter().flat_map(|function| &function.body).flat_map(|body| &body.instructions);
    let mut out = Vec::with_capacity(called.filter(|is| matches!(is.kind, Kind::Call(_))).count());
    for (index, function) in module.functions.iter().enumerate() {
        let Some(body) = &function.body else { continue };
        for (instruction, is) in body.instructions.iter().enumerate() {
            if let Kind::Call(call) = &is.kind
                && let Some(decoded) = decode(module, body, call)
            {
                out.push(OpCall { function: index, instruction, ..decoded });
            }
        }
    }
    out
}

/// Decodes one call, if it is one of an op. Its place is not filled in.
pub fn decode<'m>(module: &'m Module, body: &Body, call: &'m Call) -> Option<OpCall<'m>> {
    let callee = op_name(module, module.function(call.callee)?)?;
    let opcode = call.arguments.first().and_then(|first| match first {
        Operand::Value(id) => constant(module, body, *id),
        _ => None,
    });
    let tables = module.tables;
    let op = opcode.map(|opcode| tables.op(opcode));
    let fit = op.as_ref().and_then(|op| op.as_ref().ok()).map(|op| fit(&module.types, call.function_type, op));
    Some(OpCall { function: 0, instruction: 0, callee, call, opcode, op, tables, fit })
}

/// A function's name, if it is that of an op.
fn op_name<'m>(module: &'m Module, function: &Function) -> Option<&'m str> {
    Some(module.function_name(function)).filter(|name| name.starts_with(CALLEE_PREFIX))
}

/// A constant of exactly 32 bits: its number, cut to them.
fn constant(module: &Module, body: &Body, id: ValueId) -> Option<Opcode> {
    let value = module.value(Some(body), id)?;
    if module.types.get(value.ty) != Some(&Type::Integer(32)) {
        return None;
    }
    // The bits above the 32nd are ignored: an experimental number is a negative one.
    module.integer(Some(body), id).map(|number| Opcode(number as u32))
}
