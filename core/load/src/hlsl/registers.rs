//! The register of a variable of the front end's module, and where its descriptor goes.
//!
//! The front end writes a register's number as the binding and its space as the set, so that `b0` and `t0` collide. The
//! class follows from the variable; the descriptors are then those that the same registers get from a DXIL container.

use std::collections::BTreeMap;

use crate::dxil::{Bindings, Register};
use lanescope_base::ids::Id;
use lanescope_spirv::edit::Editor;
use lanescope_spirv::enums::{Decoration, Dim, Op, StorageClass};
use lanescope_spirv::{InstId, Lines, Module, ParseError, Type};

/// How the front end names the hidden counter of a buffer: the buffer's name with this after it.
const COUNTER: &str = "@count";

/// The variables of a module that have registers.
#[derive(Debug, Default)]
pub(crate) struct Resources {
    variables: Vec<(Id, Register)>,
}

/// A variable whose register is not known yet.
struct Found {
    variable: Id,
    class: &'static str,
    space: u32,
    /// Its number, where one is known.
    number: Option<u32>,
    /// How many registers it takes; absent for all that follow.
    count: Option<u32>,
}

impl Found {
    /// Its number, where the source gives one.
    fn number_in(&self, module: &Module, text: &str) -> Option<u32> {
        let block = || module.name(stripped(module, module.pointee(self.variable)?).0);
        let name = module.name(self.variable).filter(|name| !name.is_empty()).or_else(block)?;
        self.number.filter(|number| *number != 0 || has_register(text, name))
    }
}

impl Resources {
    /// The registers of a module whose bindings are the numbers of its source. A variable without one gets the lowest
    /// numbers of its class that are free in space 0, in the order of the module, as DXC gives them.
    ///
    /// `text` is the source: the front end gives number 0 to what has none.
    pub fn of(module: &Module, text: &str) -> Resources {
        let found = |id: Id| found(module, id).map(|found| Found { number: found.number_in(module, text), ..found });
        let found: Vec<Found> = module.globals().filter_map(|inst| found(inst.result()?)).collect();
        let mut taken: BTreeMap<&str, Vec<(u32, Option<u32>)>> = BTreeMap::new();
        for one in found.iter().filter(|one| one.space == 0) {
            if let Some(number) = one.number {
                taken.entry(one.class).or_default().push((number, one.count));
            }
        }
        let mut numbers: BTreeMap<Id, (u32, u32)> = BTreeMap::new();
        let mut variables = Vec::new();
        for one in &found {
            let taken = taken.entry(one.class).or_default();
            let number = one.number.unwrap_or_else(|| {
                let number = lowest_free(taken, one.count);
                taken.push((number, one.count));
                number
            });
            numbers.insert(one.variable, (one.space, number));
            variables.push((one.variable, Register::of(one.class, one.space, number, false)));
        }
        // A counter has the register of its buffer.
        let by_name = |name: &str| variables.iter().find(|(id, _)| module.name(*id) == Some(name)).map(|(id, _)| *id);
        let counters: Vec<(Id, Register)> = module
            .globals()
            // Its type has the same name.
            .filter(|inst| inst.op() == Some(Op::Variable))
            .filter_map(|inst| {
                let id = inst.result()?;
                let buffer = by_name(module.name(id)?.strip_suffix(COUNTER)?)?;
                let (space, number) = *numbers.get(&buffer)?;
                Some((id, Register::of("uav", space, number, true)))
            })
            .collect();
        variables.extend(counters);
        Resources { variables }
    }

    /// The registers.
    pub fn registers(&self) -> Vec<Register> {
        self.variables.iter().map(|(_, register)| *register).collect()
    }

    /// The module with its descriptors where that table has their registers.
    pub fn placed(&self, module: &Module, bindings: &Bindings) -> Result<Module, ParseError> {
        let mut editor = Editor::new(module);
        for (variable, register) in &self.variables {
            let Some((set, binding)) = bindings.place(register) else { continue };
            for (decoration, value) in [(Decoration::DescriptorSet, set), (Decoration::Binding, binding)] {
                match decorated(module, *variable, decoration) {
                    Some(inst) => {
                        let mut words = module.inst(inst).words.to_vec();
                        words[3] = value;
                        editor.replace(inst, words);
                    }
                    None => editor.decorate(*variable, decoration, &[value]),
                }
            }
        }
        let placed = editor.finish()?;
        // What is added is in front of all that comes from a line.
        let added = placed.len().saturating_sub(module.len()) as u32;
        Ok(placed.with_lines(Lines::of(module).moved_on(added)))
    }
}

/// Whether a text declares that name with a register: `name : register(`, `name[2] : register(`.
fn has_register(text: &str, name: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (text.get(..at).unwrap_or(""), text.get(at + name.len()..).unwrap_or(""));
        let mut rest = after.trim_start();
        while let Some((_, tail)) = rest.strip_prefix('[').and_then(|inner| inner.split_once(']')) {
            rest = tail.trim_start();
        }
        let register = rest.strip_prefix(':').is_some_and(|rest| rest.trim_start().starts_with("register"));
        register && !before.ends_with(joins) && !after.starts_with(joins)
    })
}

/// The instruction that gives a variable a decoration with one operand.
fn decorated(module: &Module, variable: Id, decoration: Decoration) -> Option<InstId> {
    let insts = module.globals().zip(0..);
    insts
        .filter(|(inst, _)| inst.op() == Some(Op::Decorate) && inst.words.len() == 4)
        .find(|(inst, _)| inst.id_at(1) == variable && inst.word_at(2) == decoration as u32)
        .map(|(_, index)| InstId(index))
}

/// The lowest number from which on so many registers are free.
fn lowest_free(taken: &[(u32, Option<u32>)], count: Option<u32>) -> u32 {
    let end = |from: u32, count: Option<u32>| count.map_or(u32::MAX, |count| from.saturating_add(count));
    let mut number = 0u32;
    while let Some((other, others)) =
        taken.iter().find(|(other, others)| number < end(*other, *others) && *other < end(number, count))
    {
        let next = end(*other, *others);
        if next == u32::MAX {
            break;
        }
        number = next;
    }
    number
}

/// A variable with a register, counters apart.
fn found(module: &Module, variable: Id) -> Option<Found> {
    module.def(variable).filter(|inst| inst.op() == Some(Op::Variable))?;
    if module.name(variable).is_some_and(|name| name.ends_with(COUNTER)) {
        return None;
    }
    let Some(Type::Pointer { class: Some(storage), pointee }) = module.ty(module.type_of(variable)?) else {
        return None;
    };
    let (inner, count) = stripped(module, pointee);
    let writable = || {
        let read_only = module.is_decorated(variable, None, Decoration::NonWritable)
            || module.is_decorated(inner, Some(0), Decoration::NonWritable);
        if read_only { "srv" } else { "uav" }
    };
    let class = match storage {
        StorageClass::Uniform if module.is_decorated(inner, None, Decoration::BufferBlock) => writable(),
        StorageClass::Uniform => "cbv",
        StorageClass::StorageBuffer => writable(),
        StorageClass::UniformConstant => match module.def(inner)?.op()? {
            Op::TypeSampler => "sampler",
            Op::TypeImage => {
                let image = module.def(inner)?;
                // An input attachment has no register.
                if image.word_at(3) == Dim::DimSubpassData as u32 {
                    return None;
                }
                if image.word_at(7) == 2 { "uav" } else { "srv" }
            }
            _ => "srv",
        },
        _ => return None,
    };
    let number = module.decoration(variable, None, Decoration::Binding);
    let space = module.decoration(variable, None, Decoration::DescriptorSet).unwrap_or(0);
    Some(Found { variable, class, space, number, count })
}

/// A type without its arrays, and how many there are of it; absent where there is no end to them.
fn stripped(module: &Module, mut ty: Id) -> (Id, Option<u32>) {
    let mut count = Some(1u32);
    loop {
        match module.ty(ty) {
            Some(Type::Array { element, length }) => {
                let length = module.array_length(length).unwrap_or(1);
                (ty, count) = (element, count.map(|count| count.saturating_mul(length)));
            }
            Some(Type::RuntimeArray { element }) => (ty, count) = (element, None),
            _ => return (ty, count),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_register_after_the_name() {
        let text = "cbuffer Frame : register(b0) {} Texture2D all[2] [3]:register(t0); Texture2D none; int a : b;";
        assert!(has_register(text, "Frame") && has_register(text, "all"));
        assert!(!has_register(text, "none") && !has_register(text, "rame") && !has_register(text, "a"));
    }

    #[test]
    fn registers_without_a_number_take_the_lowest_that_are_free() {
        assert_eq!(lowest_free(&[], Some(1)), 0);
        assert_eq!(lowest_free(&[(0, Some(1)), (3, Some(1))], Some(2)), 1);
        assert_eq!(lowest_free(&[(0, Some(1)), (2, Some(1))], Some(2)), 3);
        assert_eq!(lowest_free(&[(1, Some(1))], None), 2);
        assert_eq!(lowest_free(&[(0, None)], Some(1)), 0);
    }
}
