//! DXIL that must not reach the converter: it would misread it, end the process, or stop without a place.
//!
//! The converter compares the whole opcode with one upper limit, and keeps ops of its own after the stable ones. At
//! vectors that SPIR-V does not have it ends the process.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_dxil::metadata::{EntryPoint, SignatureElement, Signatures};
use lanescope_dxil::module::{Body, Call, Function, Kind, Module, Operand, Type, TypeId, Types, ValueKind};
use lanescope_dxil::op_calls::decode;
use lanescope_dxil::ops::{Op, Opcode, SpirvConversion, op};

/// How deep types are looked into.
const MAX_DEPTH: u32 = 64;

/// Why an entry point cannot be converted.
pub(super) struct Refusal {
    /// What stops the converter, by name.
    pub why: String,
    /// Where it is, if that is one instruction: indices of the function, and of the instruction in it.
    pub at: Option<(usize, usize)>,
}

/// The first thing in the functions that an entry point reaches that stops the converter. `function` is the entry
/// point's own.
pub(super) fn refused(module: &Module, entry: &EntryPoint, function: &str) -> Option<Refusal> {
    if let Some(element) = all_elements(&entry.signatures).find(|element| !has_component_type(element)) {
        let SignatureElement { semantic, component_type, .. } = element;
        let why = format!("element {semantic} has component type {component_type}, which DXIL does not have");
        return Some(Refusal { why, at: None });
    }
    let patch = entry.properties.hull.as_ref().map(|hull| hull.patch_function.as_str());
    let starts: Vec<&str> = [Some(function), patch].into_iter().flatten().collect();
    // It takes the first block of each. Where no function has any, nothing is converted.
    if module.defined().next().is_some()
        && let Some(empty) = without_blocks(module, &starts)
    {
        // Metadata may name no function at all.
        let name = if empty.is_empty() { &entry.name } else { empty };
        return Some(Refusal { why: format!("{name} has no body, which the converter needs"), at: None });
    }
    let mut vectors = Vectors::default();
    for (number, function, body) in reached(module, &starts) {
        for (index, instruction) in body.instructions.iter().enumerate() {
            let place = || format!("instruction {index} of {}", module.function_name(function));
            let here = |why: String| Some(Refusal { why, at: Some((number, index)) });
            let call = if let Kind::Call(call) = &instruction.kind { Some(call) } else { None };
            let decoded = call.and_then(|call| decode(module, body, call));
            if let Some(decoded) = &decoded {
                let why = match (&decoded.opcode, &decoded.op) {
                    (Some(opcode), Some(Ok(op))) if !op.is_experimental() => other_op(*opcode, op),
                    (Some(opcode), Some(Ok(op))) => Some(format!("is {}, experimental op {}", op.name, opcode.shown())),
                    (_, Some(Err(no_op))) => Some(format!("calls {}: {no_op}", decoded.callee)),
                    _ => Some(format!("calls {} without a constant opcode", decoded.callee)),
                };
                if let Some(why) = why {
                    return here(format!("{} {why}, which the converter does not support", place()));
                }
            }
            if let Some((op, id)) = call.zip(decoded.as_ref()).and_then(|(call, decoded)| {
                let op = decoded.op.as_ref()?.as_ref().ok()?;
                Some((op.name.as_str(), missing_element(&entry.signatures, op, module, (body, call))?))
            }) {
                return here(format!("{} ({op}) names element {id} of a signature that does not have it", place()));
            }
            let mut types = vec![instruction.ty];
            instruction.kind.values(|id| types.extend(module.value(Some(body), id).map(|value| value.ty)));
            if let Kind::Alloca { element, .. } | Kind::Gep { element, .. } = &instruction.kind {
                types.push(*element);
            }
            if let Some(vector) = types.into_iter().find_map(|ty| vectors.odd(&module.types, ty, 0)) {
                let op = decoded.as_ref().and_then(|decoded| decoded.op.as_ref()?.as_ref().ok());
                let what = op.map_or(String::new(), |op| format!(" ({})", named(op.opcode)));
                let vector = module.types.name(vector);
                let why = "the converter supports vectors of 2 to 4 components";
                return here(format!("{}{what} works on {vector}: {why}", place()));
            }
        }
    }
    None
}

/// What a stable op of another table is, where the converter knows another op by its number or none.
fn other_op(opcode: Opcode, given: &Op) -> Option<String> {
    let is_other = SpirvConversion::of(given) == SpirvConversion::OtherOp;
    is_other.then(|| format!("is {}, op {} of the given table", given.name, opcode.shown()))
}

fn all_elements(signatures: &Signatures) -> impl Iterator<Item = &SignatureElement> {
    signatures.input.iter().chain(&signatures.output).chain(&signatures.patch)
}

/// Whether an element's components have one of DXIL's types: others have no name.
fn has_component_type(element: &SignatureElement) -> bool {
    !element.component_type.starts_with(|letter: char| letter.is_ascii_digit())
}

/// The element that an op names, where its signature does not have it. The converter reads from nothing then.
fn missing_element(signatures: &Signatures, op: &Op, module: &Module, (body, call): (&Body, &Call)) -> Option<i64> {
    let elements = match op.name.as_str() {
        "LoadInput" | "AttributeAtVertex" => &signatures.input,
        "StoreOutput" | "LoadOutputControlPoint" | "StoreVertexOutput" => &signatures.output,
        "LoadPatchConstant" | "StorePatchConstant" | "StorePrimitiveOutput" => &signatures.patch,
        _ => return None,
    };
    let Some(Operand::Value(id)) = call.arguments.get(1) else { return None };
    let id = module.integer(Some(body), *id)?;
    (!elements.iter().any(|element| i64::from(element.id) == id)).then_some(id)
}

/// An op by its name and its number: `RawBufferVectorLoad, op 303`.
fn named(opcode: Opcode) -> String {
    let name = op(opcode).map_or_else(|no_op| no_op.to_string(), |op| op.name.clone());
    format!("{name}, op {}", opcode.shown())
}

/// What the converter says, with the names of the ops that it names by number.
pub(super) fn with_names(said: &str) -> String {
    const START: &str = "DXIL opcode ";
    let mut out = String::new();
    let mut rest = said;
    while let Some((before, after)) = rest.split_once(START) {
        let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, tail) = after.split_at(digits);
        out.push_str(before);
        match number.parse::<u32>() {
            Ok(number) => out.push_str(&named(Opcode(number))),
            Err(_) => out.push_str(&format!("{START}{number}")),
        }
        rest = tail;
    }
    out + rest
}

/// Which types have vectors in them that SPIR-V does not have.
#[derive(Default)]
struct Vectors(BTreeMap<TypeId, Option<TypeId>>);

impl Vectors {
    fn odd(&mut self, types: &Types, ty: TypeId, depth: u32) -> Option<TypeId> {
        if let Some(known) = self.0.get(&ty) {
            return *known;
        }
        // A type that holds itself finds this.
        self.0.insert(ty, None);
        if depth > MAX_DEPTH {
            return None;
        }
        let found = match types.get(ty)? {
            Type::Vector(length, _) if !(2..=4).contains(length) => Some(ty),
            Type::Pointer(inner, _) | Type::Array(_, inner) | Type::Vector(_, inner) => {
                self.odd(types, *inner, depth + 1)
            }
            // Resources as the source types them; only their handles are converted.
            Type::Struct { name: Some(name), .. } if name.starts_with("class.") => None,
            Type::Struct { members, .. } => members.iter().find_map(|member| self.odd(types, *member, depth + 1)),
            _ => None,
        };
        self.0.insert(ty, found);
        found
    }
}

/// The name of the first function without a block among those that some functions reach by calls, themselves included.
/// Ops and intrinsics of LLVM have none.
fn without_blocks<'m>(module: &'m Module, starts: &[&'m str]) -> Option<&'m str> {
    let is_known = |name: &str| ["dx.op", "llvm."].iter().any(|start| name.starts_with(start));
    let is_empty = |function: &Function| function.body.as_ref().is_none_or(|body| body.blocks.is_empty());
    let named = |name: &str| module.functions.get(position(module, name)?);
    let own = starts.iter().copied().filter(|name| named(name).is_none_or(is_empty));
    let calls = reached(module, starts).into_iter().flat_map(|(_, _, body)| callees(module, body));
    let called = calls.filter_map(|callee| module.functions.get(callee)).filter(|callee| is_empty(callee));
    own.chain(called.map(|callee| module.function_name(callee)).filter(|name| !is_known(name))).next()
}

fn position(module: &Module, name: &str) -> Option<usize> {
    module.functions.iter().position(|function| module.function_name(function) == name)
}

/// The functions that a body calls, as indices: one for each call.
fn callees(module: &Module, body: &Body) -> Vec<usize> {
    let calls = body.instructions.iter().filter_map(|instruction| match &instruction.kind {
        Kind::Call(call) => module.value(None, call.callee),
        _ => None,
    });
    let functions = calls.filter_map(|value| match value.kind {
        ValueKind::Function(callee) => Some(callee as usize),
        _ => None,
    });
    functions.collect()
}

/// The functions with a body that some functions reach by calls, themselves first, with their indices.
fn reached<'m>(module: &'m Module, starts: &[&str]) -> Vec<(usize, &'m Function, &'m Body)> {
    let mut work: Vec<usize> = starts.iter().rev().filter_map(|start| position(module, start)).collect();
    let mut seen: BTreeSet<usize> = work.iter().copied().collect();
    let mut out = Vec::new();
    while let Some(index) = work.pop() {
        let Some((function, body)) = module.functions.get(index).and_then(|f| Some((f, f.body.as_deref()?))) else {
            continue;
        };
        out.push((index, function, body));
        work.extend(callees(module, body).into_iter().filter(|callee| seen.insert(*callee)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ops_that_the_converter_numbers_are_named() {
        let said = "dxil-spirv error: -2: Failed DXIL opcode 303. Failed to emit instruction.";
        let named = with_names(said);
        assert!(named.contains("Failed RawBufferVectorLoad, op 303. "), "{named}");
        assert!(named.ends_with(". Failed to emit instruction."), "{named}");
        assert_eq!(with_names("nothing of it"), "nothing of it");
        assert_eq!(with_names("DXIL opcode x"), "DXIL opcode x");
        assert!(with_names("DXIL opcode 4000").contains("4000"), "{}", with_names("DXIL opcode 4000"));
    }

    #[test]
    fn elements_that_a_signature_lacks_are_refused() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/dxil/lit_surface.ps.dxil");
        let dxil = lanescope_dxil::Dxil::read(std::fs::read(path).expect("the sample is there")).expect("is DXIL");
        let program = dxil.program.as_ref().expect("has a program");
        let mut entry = program.dx.entries[0].clone();
        let function = entry.name.clone();
        let why = |entry: &EntryPoint| refused(&program.module, entry, &function).map(|refusal| refusal.why);
        assert_eq!(why(&entry), None);
        entry.signatures.input.clear();
        let why = why(&entry).expect("is refused");
        assert!(why.contains("(LoadInput) names element "), "{why}");
    }
}
