//! Which vertex attribute is the position.

use std::collections::BTreeSet;

use super::scene::{self, Slot};
use lanescope_base::ids::Id;
use lanescope_base::name::words_of;
use lanescope_model::program::{Program, StageKind};
use lanescope_passes::liveness::{Liveness, follow};
use lanescope_spirv::Module;
use lanescope_spirv::edit::Editor;
use lanescope_spirv::enums::{BuiltIn, Decoration, Op, StorageClass};
use lanescope_spirv::opcode::Memory;
use lanescope_spirv::shape::ScalarKind;

/// The location of the attribute that is a program's position: of the floating-point vectors that `Position` is made of
/// (of all, where none is), the one whose name has the word, else the one at the lowest location.
///
/// Two programs that are compared have to draw the same, so the first one decides for both: they may differ in their
/// names and still be one.
pub fn position_of(program: &Program) -> Option<u32> {
    let stage = program.stage(StageKind::Vertex)?;
    let module = program.module_of(stage);
    let entry = module.entry_points().get(stage.entry_index)?;
    let mut slots = scene::slots(module, entry, StorageClass::Input, &[32]).ok()?;
    slots.retain(can_be);
    let used = into_position(module, stage.entry_index);
    let location = |id: &Id| module.decoration(*id, None, Decoration::Location);
    let locations: BTreeSet<u32> = used.iter().filter_map(location).collect();
    if slots.iter().any(|slot| locations.contains(&slot.location)) {
        slots.retain(|slot| locations.contains(&slot.location));
    }
    let named = slots.iter().find(|slot| slot.name.as_deref().is_some_and(says_position));
    named.or(slots.first()).map(|slot| slot.location)
}

/// Whether an attribute can hold a position.
pub(super) fn can_be(slot: &Slot) -> bool {
    slot.kind == ScalarKind::Float && slot.components > 1
}

/// The inputs that `Position` depends on: those that are left where nothing else is written.
fn into_position(module: &Module, entry: usize) -> BTreeSet<Id> {
    let mut editor = Editor::new(module);
    for inst in module.functions().iter().flat_map(|function| module.insts_in(function.insts.clone())) {
        if matches!(inst.facts().memory, Memory::Store | Memory::Copy) && is_beside_position(module, inst.id_at(1)) {
            editor.replace(inst.index, Vec::new());
        }
    }
    let Ok(module) = editor.finish() else { return BTreeSet::new() };
    let Some(entry) = module.entry_points().get(entry) else { return BTreeSet::new() };
    Liveness::of(&module, entry).uses().leaves.keys().copied().collect()
}

/// Whether a pointer is to an output of the shader other than `Position`.
fn is_beside_position(module: &Module, pointer: Id) -> bool {
    let Some((base, path)) = follow(module, pointer, |index| index) else { return false };
    if base.op() != Some(Op::Variable) {
        return false;
    }
    let own = [StorageClass::Function, StorageClass::Private, StorageClass::Workgroup];
    if own.iter().any(|class| base.word_at(3) == *class as u32) {
        return false;
    }
    let Some(id) = base.result().filter(|_| base.word_at(3) == StorageClass::Output as u32) else { return true };
    let position = Some(BuiltIn::Position as u32);
    let of_block = || {
        let ty = module.pointee(id)?;
        // A block that is stored as a whole has a position among the rest.
        let Some(&index) = path.first() else {
            return (0..16).map(|m| built_in(module, ty, m)).find(|b| *b == position);
        };
        Some(built_in(module, ty, module.constant(index)?.as_u32()?))
    };
    module.decoration(id, None, Decoration::BuiltIn) != position && of_block() != Some(position)
}

fn built_in(module: &Module, ty: Id, member: u32) -> Option<u32> {
    module.decoration(ty, Some(member), Decoration::BuiltIn)
}

/// Whether a name has the word: `position`, `inPosition`, `a_pos`, `POSITION0`, and not `exposure`.
fn says_position(name: &str) -> bool {
    words_of(name).iter().any(|word| word == "pos" || word == "position")
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_testing::program;

    fn found(source: &str) -> Option<u32> {
        position_of(&program(&[("vert", source)]))
    }

    #[test]
    fn finds_the_position_by_data_flow_not_by_name() {
        let head = "layout(location = 0) in vec4 uv; layout(location = 1) in vec3 a; layout(location = 2) in float s;
            layout(location = 0) out vec4 o; layout(binding = 0) buffer B { mat4 m; vec4 sum; };";
        let with =
            |body: &str| found(&format!("{head} vec4 f(vec3 v) {{ vec4 w = vec4(v, 1); return m * w; }} {body}"));
        assert_eq!(with("void main() { gl_Position = f(a * s); gl_PointSize = uv.x; o = uv; sum = uv; }"), Some(1));
        assert_eq!(with("void main() { o = vec4(a, s); gl_Position = uv; }"), Some(0));
        assert_eq!(with("void main() { o = vec4(a, s) + uv; gl_Position = vec4(0); }"), Some(0));
        assert_eq!(with("void main() { gl_Position = uv + vec4(a, s); o = uv; }"), Some(0));
        assert_eq!(found("void main() { gl_Position = vec4(0); }"), None);
    }

    #[test]
    fn name_decides_between_several_positions() {
        let of = |first: &str, second: &str| {
            found(&format!(
                "layout(location = 0) in vec4 {first}; layout(location = 1) in vec4 {second};
                 void main() {{ gl_Position = {first} + {second}; }}"
            ))
        };
        assert_eq!(of("normal", "inPosition"), Some(1));
        assert_eq!(of("normal", "a_pos"), Some(1));
        assert_eq!(of("normal", "POSITION0"), Some(1));
        assert_eq!(of("normal", "exposure"), Some(0));
        assert_eq!(of("normal", "composed"), Some(0));
    }
}
