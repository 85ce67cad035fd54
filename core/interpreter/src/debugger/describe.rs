//! Names and texts of what a debugger shows.

use std::collections::{BTreeMap, BTreeSet};

use crate::program::{Place, Program, Shown};
use lanescope_base::ids::Id;
use lanescope_spirv::enums::Op;
use lanescope_spirv::opcode::Effect;
use lanescope_spirv::{Inst, InstId, Module};

/// A value that has a name, or a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// The id.
    pub id: Id,
    /// Its name in the source, or `%12`.
    pub name: String,
    /// Its type.
    pub ty: String,
}

/// The name of an id: from debug information, else `%12`.
pub fn name(module: &Module, id: Id) -> String {
    match module.name(id).filter(|name| !name.is_empty()) {
        Some(name) => name.to_owned(),
        None => format!("%{id}"),
    }
}

/// An opcode, with set and instruction of an extended instruction: `OpExtInst GLSL.std.450 Sqrt`.
fn opcode(module: &Module, inst: &Inst<'_>) -> String {
    match module.extended_name(inst) {
        Some(extended) => format!("{} {extended}", inst.name()),
        None => inst.name(),
    }
}

/// An instruction's result and opcode: `%12 OpIAdd`.
pub fn instruction_name(program: &Program, place: Place) -> String {
    let opcode = opcode_name(program, place);
    match place.result {
        Some(id) => format!("%{id} {opcode}"),
        None => opcode,
    }
}

/// An instruction's opcode, with the name of an extended instruction.
pub fn opcode_name(program: &Program, place: Place) -> String {
    let module = program.module();
    opcode(module, &module.inst(place.inst))
}

/// The word of an `OpExtInst` that is its set.
const EXTENDED_SET: usize = 3;

/// The instructions that run right before one, and that are not stepped by themselves: their results are in the registers
/// of others (`OpBitcast`, `OpCopyObject`), or are chosen by a branch (`OpPhi`). `stepped` has those that are.
pub(super) fn unlisted(program: &Program, stepped: &BTreeSet<InstId>, place: Place) -> Vec<Place> {
    let module = program.module();
    let mut found = Vec::new();
    let mut inst = place.inst;
    let mut index = place.index;
    // Back to the instruction before that is stepped, or to the label.
    while let Some(before) = index.checked_sub(1) {
        (index, inst) = (before, InstId(inst.0.saturating_sub(1)));
        if stepped.contains(&inst) {
            break;
        }
        let at = module.inst(inst);
        if runs(&at) {
            found.push(Place { index, inst, result: at.result(), ..place });
        }
    }
    found.reverse();
    found
}

/// Whether an instruction computes something where it stands.
fn runs(inst: &Inst<'_>) -> bool {
    let other = [Op::ExtInst, Op::ExtInstWithForwardRefsKHR, Op::Undef];
    let is_other = inst.op().is_none_or(|op| other.contains(&op));
    inst.result().is_some() && !is_other && inst.facts().effect != Effect::Nothing
}

/// An instruction with its operands, named where they have names: `%12 = OpIAdd sum %9`.
pub fn instruction(program: &Program, place: Place) -> String {
    let module = program.module();
    let inst = module.inst(place.inst);
    let opcode = opcode(module, &inst);
    let mut text = match place.result {
        Some(id) => format!("{} = {opcode}", name(module, id)),
        None => opcode,
    };
    // The set is in the opcode.
    let set = module.extended_name(&inst).map(|_| EXTENDED_SET);
    // A broken instruction has the operands up to where it breaks.
    let _ = module.for_each_id_place(&inst, |at| {
        if Some(at) == set {
            return;
        }
        let id = inst.id_at(at);
        let is_type = module.type_of(id).is_none() && module.ty(id).is_some();
        if !is_type {
            text.push(' ');
            text.push_str(&name(module, id));
        }
    });
    text
}

/// Variables, and values that have a name, of a program: those of `function` and of the whole module.
pub fn variables(program: &Program, function: Id) -> Vec<Variable> {
    let module = program.module();
    let mut owner: BTreeMap<Id, Id> = BTreeMap::new();
    let mut now = None;
    for inst in module.insts() {
        match inst.op() {
            Some(Op::Function) => now = inst.result(),
            Some(Op::FunctionEnd) => now = None,
            _ => {
                if let (Some(function), Some(id)) = (now, inst.result()) {
                    owner.insert(id, function);
                }
            }
        }
    }
    let visible = |id: &Id| owner.get(id).is_none_or(|owner| *owner == function);
    let named = |id: Id| module.name(id).is_some_and(|name| !name.is_empty());
    let constant = |id: Id| module.constant(id).is_some();
    let of = |(&id, shown): (&Id, &Shown)| {
        let variable = matches!(shown, Shown::Variable(..));
        let ty = if variable { module.pointee(id) } else { module.type_of(id) };
        let keep = visible(&id) && !constant(id) && (variable || named(id));
        keep.then(|| Variable {
            id,
            name: name(module, id),
            ty: ty.map_or_else(String::new, |ty| module.type_name(ty)),
        })
    };
    program.values.iter().filter_map(of).collect()
}

/// Variables that lead to memory: buffers, workgroup variables, push constants. A block without a name has the name of
/// its type.
pub fn memory_variables(program: &Program) -> Vec<Variable> {
    let module = program.module();
    let of = |(id, ty): (Id, Id)| {
        let own = module.name(id).filter(|own| !own.is_empty());
        let name = own.map_or_else(|| name(module, ty), str::to_owned);
        Variable { id, name, ty: module.type_name(ty) }
    };
    super::memory::variables(program).map(of).collect()
}

/// The variable that leads to memory which a name means, and the index of its member where the name is that of a member
/// of a block: GLSL names the members of blocks without an instance name.
pub fn find_memory(program: &Program, text: &str) -> Option<(Id, Option<u32>)> {
    let all = memory_variables(program);
    let id = text.strip_prefix('%').and_then(|number| number.parse().ok()).map(Id);
    if let Some(found) = all.iter().find(|variable| Some(variable.id) == id || variable.name == text) {
        return Some((found.id, None));
    }
    let module = program.module();
    super::memory::variables(program).find_map(|(id, ty)| {
        let own = module.name(id).unwrap_or_default();
        let member = (0..64).find(|member| own.is_empty() && module.member_name(ty, *member) == Some(text))?;
        Some((id, Some(member)))
    })
}

/// The id that a name or `%12` means: a variable of the function first, then one of the module.
pub fn find(program: &Program, function: Id, text: &str) -> Option<Id> {
    if let Some(number) = text.strip_prefix('%') {
        if let Ok(number) = number.parse::<u32>() {
            let id = Id(number);
            return program.module().def(id).map(|_| id);
        }
        return find(program, function, number);
    }
    variables(program, function).into_iter().find(|variable| variable.name == text).map(|variable| variable.id)
}
