//! A module whose descriptor sets have other numbers.

use super::GpuError;
use lanescope_base::ids::Id;
use lanescope_spirv::Module;
use lanescope_spirv::edit::{Editor, push, ungrouped};
use lanescope_spirv::enums::{Decoration, Op};

/// The module with every descriptor set's number raised.
///
/// # Errors
/// Sets whose numbers are too high; decoration groups that cannot be expanded; a module that does not read afterwards.
pub fn above(module: &Module, by: u32) -> Result<Module, GpuError> {
    let ungrouped = ungrouped(module).map_err(|error| GpuError::NotRun(format!("the module's sets: {error}")))?;
    let module = ungrouped.as_ref().unwrap_or(module);
    let mut editor = Editor::new(module);
    let mut moved: Vec<Id> = Vec::new();
    for inst in module.globals() {
        if inst.op() == Some(Op::Decorate) && inst.word_at(2) == Decoration::DescriptorSet as u32 {
            let set = inst.word_at(3);
            if set >= by {
                let limit = u64::from(by.saturating_sub(1));
                return Err(GpuError::TooLarge { what: "a descriptor set".to_owned(), needed: u64::from(set), limit });
            }
            let mut words = Vec::new();
            push(&mut words, Op::Decorate, &[inst.word_at(1), Decoration::DescriptorSet as u32, set + by]);
            editor.replace(inst.index, words);
            moved.push(inst.id_at(1));
        }
    }
    // A binding without a set is one of set 0.
    let bare = module.globals().filter(|inst| inst.op() == Some(Op::Decorate));
    let bare = bare.filter(|inst| inst.word_at(2) == Decoration::Binding as u32 && !moved.contains(&inst.id_at(1)));
    for inst in bare.collect::<Vec<_>>() {
        editor.decorate(inst.id_at(1), Decoration::DescriptorSet, &[by]);
    }
    editor.finish().map_err(|error| GpuError::NotRun(format!("the module with moved sets: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_model::program::StageKind;
    use lanescope_testing::glsl;

    #[test]
    fn moves_every_set_and_nothing_else() {
        let module = glsl(
            StageKind::Fragment,
            "layout(set = 0, binding = 1) uniform U { vec4 u; }; layout(set = 3, binding = 2) uniform sampler2D t;
            layout(location = 0) out vec4 o; void main() { o = texture(t, u.xy); }",
        );
        let moved = above(&module, 4).expect("moves");
        let sets = |module: &Module| -> Vec<u32> {
            let all = module.insts().filter(|inst| inst.op() == Some(Op::Decorate));
            all.filter(|inst| inst.word_at(2) == Decoration::DescriptorSet as u32).map(|i| i.word_at(3)).collect()
        };
        let before = sets(&module);
        assert_eq!(sets(&moved), before.iter().map(|set| set + 4).collect::<Vec<_>>());
        assert_eq!(module.words().len(), moved.words().len());
        assert!(above(&module, 3).is_err(), "set 3 would meet set 3");
    }
}
