//! The resource of a handle, and the signature element of a number.

use crate::metadata::{Dx, Resource, SignatureElement};
use crate::module::{Body, Constant, Kind, Module, Operand, ValueId, ValueKind};
use crate::op_calls::decode;

/// The resources of a function's handles.
pub struct Handles<'d> {
    first: usize,
    known: Vec<Option<&'d Resource>>,
}

/// `t0.space1 StructuredBuffer "Lights", stride 16`.
pub fn description(resource: &Resource) -> String {
    let writable = if resource.class == "uav" { "RW" } else { "" };
    let mut out = format!("{} {writable}{}", range(resource), resource.kind);
    if !resource.name.is_empty() {
        out.push_str(&format!(" \"{}\"", resource.name.replace('"', "\\22")));
    }
    if let Some(element) = &resource.element_type {
        out.push_str(&format!(", of {element}"));
    }
    if let Some(stride) = resource.stride {
        out.push_str(&format!(", stride {stride}"));
    }
    if let Some(bytes) = resource.bytes {
        out.push_str(&format!(", {bytes} bytes"));
    }
    for flag in &resource.flags {
        out.push_str(&format!(", {flag}"));
    }
    out
}

/// `t0`, `t0.space1`, `t0[4]`, `t0[]`.
fn range(resource: &Resource) -> String {
    let space = if resource.space == 0 { String::new() } else { format!(".space{}", resource.space) };
    let count = match resource.count {
        Some(1) => String::new(),
        Some(count) => format!("[{count}]"),
        None => "[]".to_owned(),
    };
    format!("{}{space}{count}", resource.register)
}

/// `TEXCOORD3`: the semantic of a row of an element.
pub fn semantic(element: &SignatureElement, row: u32) -> String {
    let index = element.indices.get(row as usize).copied().unwrap_or(0);
    let bare = index == 0 && element.rows < 2 && element.semantic.starts_with("SV_");
    let index = if bare { String::new() } else { index.to_string() };
    format!("{}{index}", element.semantic)
}

impl<'d> Handles<'d> {
    /// Follows handles from where they are made to where they are annotated.
    pub fn new(module: &Module, body: &Body, dx: &'d Dx) -> Handles<'d> {
        let first = module.values.len();
        let mut out = Handles { first, known: vec![None; body.values.len()] };
        for is in &body.instructions {
            let (Kind::Call(call), Some(result)) = (&is.kind, is.result) else { continue };
            let Some(op) = decode(module, body, call).and_then(|decoded| decoded.op()) else { continue };
            let argument = |at: usize| match call.arguments.get(at) {
                Some(Operand::Value(id)) => Some(*id),
                _ => None,
            };
            let number = |at: usize| argument(at).and_then(|id| module.integer(Some(body), id));
            let found = match op.name.as_str() {
                "CreateHandle" => {
                    class(number(1)).and_then(|class| dx.resources.get(class, u32::try_from(number(2)?).ok()?))
                }
                "CreateHandleFromBinding" => argument(1).and_then(|bind| bound(module, body, dx, bind)),
                "CreateHandleForLib" => argument(1).and_then(|loaded| variable(module, body, dx, loaded)),
                "AnnotateHandle" => argument(1).and_then(|handle| out.resource(handle)),
                _ => None,
            };
            if let Some(slot) = (result.0 as usize).checked_sub(first).and_then(|at| out.known.get_mut(at)) {
                *slot = found;
            }
        }
        out
    }

    /// The resource of a handle.
    pub fn resource(&self, handle: ValueId) -> Option<&'d Resource> {
        self.known.get((handle.0 as usize).checked_sub(self.first)?).copied().flatten()
    }

    /// Label of a handle's resource.
    pub fn of(&self, handle: ValueId) -> Option<String> {
        self.resource(handle).map(|resource| match resource.name.as_str() {
            "" => range(resource),
            name => format!("{} {name}", range(resource)),
        })
    }

    /// The resource of a handle, in words.
    pub fn described(&self, handle: ValueId) -> Option<String> {
        self.resource(handle).map(description)
    }
}

fn class(number: Option<i64>) -> Option<&'static str> {
    ["srv", "uav", "cbv", "sampler"].get(usize::try_from(number?).ok()?).copied()
}

/// The resource of a `dx.types.ResBind`: first register, last register, space, class.
fn bound<'d>(module: &Module, body: &Body, dx: &'d Dx, bind: ValueId) -> Option<&'d Resource> {
    let numbers: Vec<i64> = match module.constant(Some(body), bind)? {
        Constant::Null => vec![0; 4],
        Constant::Aggregate(parts) => {
            parts.iter().map(|part| module.integer(Some(body), *part)).collect::<Option<Vec<_>>>()?
        }
        _ => return None,
    };
    let [lower, _, space, kind] = numbers.as_slice() else { return None };
    let class = class(Some(*kind))?;
    // Registers are unsigned, and constants are not.
    let (lower, space) = (*lower as u32, *space as u32);
    dx.resources.0.iter().find(|resource| {
        let end = resource.count.map(|count| resource.lower.saturating_add(count));
        resource.class == class
            && resource.space == space
            && lower >= resource.lower
            && end.is_none_or(|end| lower < end)
    })
}

/// The resource whose variable is loaded.
fn variable<'d>(module: &Module, body: &Body, dx: &'d Dx, loaded: ValueId) -> Option<&'d Resource> {
    let found = base(module, Some(body), loaded)?;
    dx.resources.0.iter().find(|resource| resource.value.and_then(|id| base(module, None, id)) == Some(found))
}

/// The variable at the root of loads, addresses and casts.
fn base(module: &Module, body: Option<&Body>, mut id: ValueId) -> Option<ValueId> {
    // A load, an address, a cast: more is not a compiler's.
    for _ in 0..8 {
        id = match module.value(body, id)?.kind {
            ValueKind::Global(_) => return Some(id),
            ValueKind::Instruction(index) => match &body?.instructions.get(index as usize)?.kind {
                Kind::Load { pointer, .. } => *pointer,
                Kind::Gep { operands, .. } => *operands.first()?,
                Kind::Cast { value, .. } => *value,
                _ => return None,
            },
            ValueKind::Constant(_) => match module.constant(body, id)? {
                Constant::Cast(_, of) => *of,
                Constant::Gep { operands, .. } => *operands.first()?,
                _ => return None,
            },
            _ => return None,
        };
    }
    None
}
