//! Calls of ops by name.

use super::resource::{Handles, semantic};
use super::value::Scope;
use crate::metadata::{EntryPoint, SignatureElement};
use crate::module::{Call, Operand, ValueId};
use crate::op_calls::{OpCall, decode};
use crate::ops::meaning;

/// An operand's name as the text has it: `row` for `rowIndex`.
pub fn operand_name(name: &str) -> &str {
    name.strip_suffix("Index").filter(|short| !short.is_empty()).unwrap_or(name)
}

/// Writes a call of an op, if it is one; operands that are undefined are left out. Returns what there is to say
/// about it.
pub fn write(
    out: &mut String,
    scope: &Scope<'_>,
    call: &Call,
    handles: &Handles<'_>,
    entry: Option<&EntryPoint>,
    result: Option<u32>,
) -> Option<Option<String>> {
    let decoded = decode(scope.module, scope.body?, call)?;
    let overload = decoded.overload().map(|overload| format!(".{overload}")).unwrap_or_default();
    match (decoded.op(), decoded.opcode) {
        (Some(op), _) => out.push_str(&format!("dx.op {}{overload}(", op.name)),
        // A call that is not of an op keeps its callee and its number.
        (None, Some(opcode)) => out.push_str(&format!("dx.op <{}> {}(", opcode.shown(), decoded.callee)),
        (None, None) => out.push_str(&format!("dx.op <no opcode> {}(", decoded.callee)),
    }
    let mut written = 0;
    for (name, operand) in decoded.operands() {
        let text = match operand {
            Operand::Value(id) if scope.is_undefined(id) && name.is_some() => continue,
            Operand::Value(id) => match (handles.of(id), name) {
                (Some(resource), _) => format!("{} [{resource}]", scope.value(id)),
                (None, None) => scope.typed(id),
                (None, Some(name)) => {
                    let number = decoded.op().zip(scope.module.integer(scope.body, id));
                    number.and_then(|(op, number)| meaning(op, name, number)).unwrap_or_else(|| scope.value(id))
                }
            },
            other => scope.operand(&other),
        };
        out.push_str(if written > 0 { ", " } else { "" });
        match name {
            Some(name) => out.push_str(&format!("{} {text}", operand_name(name))),
            None => out.push_str(&text),
        }
        written += 1;
    }
    out.push(')');
    Some(comment(scope, &decoded, handles, entry, result))
}

fn comment(
    scope: &Scope<'_>,
    call: &OpCall<'_>,
    handles: &Handles<'_>,
    entry: Option<&EntryPoint>,
    result: Option<u32>,
) -> Option<String> {
    let op = match (call.op(), &call.op) {
        (Some(op), _) => op,
        (None, Some(Err(error))) => return Some(error.to_string()),
        (None, _) => return Some("the first operand is not a constant i32".to_owned()),
    };
    let signatures = entry.map(|entry| &entry.signatures);
    let elements: Option<&[SignatureElement]> = match op.name.as_str() {
        "LoadInput" | "AttributeAtVertex" | "EvalSnapped" | "EvalSampleIndex" | "EvalCentroid" => {
            signatures.map(|all| all.input.as_slice())
        }
        "StoreOutput" | "StoreVertexOutput" | "LoadOutputControlPoint" => signatures.map(|all| all.output.as_slice()),
        "LoadPatchConstant" | "StorePatchConstant" | "StorePrimitiveOutput" => {
            signatures.map(|all| all.patch.as_slice())
        }
        _ => None,
    };
    if let Some(elements) = elements {
        let constant = |at: usize| match call.call.arguments.get(at) {
            Some(Operand::Value(id)) => scope.module.integer(scope.body, *id).and_then(|n| u32::try_from(n).ok()),
            _ => None,
        };
        let id = constant(1)?;
        let element = elements.iter().find(|element| element.id == id)?;
        let column = constant(3).and_then(|column| "xyzw".chars().nth(column as usize));
        let column = column.map(|column| format!(".{column}")).unwrap_or_default();
        return Some(format!("{}{column}", semantic(element, constant(2).unwrap_or(0))));
    }
    if op.is_experimental() {
        let until = call.fit.as_ref().and_then(|fit| fit.until).map(|until| format!(", operands before {until}"));
        return Some(format!("experimental {:#}{}", op.opcode, until.unwrap_or_default()));
    }
    let handle = result.and_then(|id| handles.described(ValueId(id)));
    handle.filter(|_| op.name.contains("Handle"))
}
