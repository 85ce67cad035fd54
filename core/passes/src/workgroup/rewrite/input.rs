//! Built-in inputs that computed code reads.

use lanescope_base::ids::Id;
use lanescope_spirv::edit::Editor;
use lanescope_spirv::enums::{BuiltIn, Decoration, Op, StorageClass};
use lanescope_spirv::{EntryPoint, Type};

/// A built-in input of integers: one, or a vector of three.
pub(super) struct Input {
    variable: Id,
    ty: Id,
    /// Number of integers.
    count: u32,
    signed: bool,
}

/// An entry point's variable for a built-in: its own, or a new one, which is added to `enter`. No built-in may have
/// two.
///
/// A new one holds a number for the lane, three for ids.
pub(super) fn input(
    editor: &mut Editor<'_>,
    entry: &EntryPoint,
    built_in: BuiltIn,
    name: &str,
    enter: &mut Vec<(Id, StorageClass)>,
) -> Input {
    let module = editor.module();
    for &id in &entry.interface {
        let is_input = module
            .def(id)
            .is_some_and(|inst| inst.op() == Some(Op::Variable) && inst.word_at(3) == StorageClass::Input as u32);
        if !is_input || module.decoration(id, None, Decoration::BuiltIn) != Some(built_in as u32) {
            continue;
        }
        let Some(ty) = module.pointee(id) else { continue };
        let (scalar, count) = match module.ty(ty) {
            Some(Type::Vector { component, count }) => (component, count),
            _ => (ty, 1),
        };
        let signed = module.ty(scalar) == Some(Type::Int { bits: 32, signed: true });
        return Input { variable: id, ty, count, signed };
    }
    new_input(editor, built_in, name, enter)
}

/// A new variable for a built-in, where the entry point's own became one of the invocation.
pub(super) fn new_input(
    editor: &mut Editor<'_>,
    built_in: BuiltIn,
    name: &str,
    enter: &mut Vec<(Id, StorageClass)>,
) -> Input {
    let count = if built_in == BuiltIn::SubgroupLocalInvocationId { 1 } else { 3 };
    let uint = editor.int(32, false);
    let ty = editor.vector(uint, count);
    let variable = editor.variable(StorageClass::Input, ty);
    editor.name(variable, name);
    editor.decorate(variable, Decoration::BuiltIn, &[built_in as u32]);
    enter.push((variable, StorageClass::Input));
    Input { variable, ty, count, signed: false }
}

impl Input {
    /// Its value, as unsigned integers.
    pub fn load(&self, editor: &mut Editor<'_>, code: &mut Vec<u32>) -> Id {
        let value = editor.load(code, self.ty, self.variable);
        if !self.signed {
            return value;
        }
        let uint = editor.int(32, false);
        let unsigned = editor.vector(uint, self.count);
        editor.value(code, Op::Bitcast, unsigned, &[value.0])
    }
}
