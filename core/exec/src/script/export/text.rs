//! The texts of shaders in a script, and what a text cannot have.

use lanescope_amber::script::{ShaderFormat, ShaderStage};
use lanescope_base::ids::Id;
use lanescope_passes::workgroup::declared_size;
use lanescope_spirv::edit::Editor;
use lanescope_spirv::enums::{BuiltIn, Decoration, Op};
use lanescope_spirv::opcode::Section;
use lanescope_spirv::{Inst, Module, ParseError};

/// The word of a module that is its version.
const VERSION_WORD: usize = 1;
/// The targets that GLSL of a script is compiled for, of those that name a version of SPIR-V. Assembly has later ones too.
const GLSL_TARGETS: [&str; 6] = ["spv1.0", "spv1.1", "spv1.2", "spv1.3", "spv1.4", "spv1.5"];

/// A version of SPIR-V as the target of a shader.
fn target((major, minor): (u8, u8)) -> String {
    format!("spv{major}.{minor}")
}

/// Whether GLSL of a script can become a module of this one's version.
pub fn has_glsl_target(module: &Module) -> bool {
    GLSL_TARGETS.contains(&target(module.version()).as_str())
}

/// Whether a text has what ends the text of a shader in a script, wherever it is.
pub fn has_end(text: &str) -> bool {
    text.contains("END")
}

/// The text of a shader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShaderText {
    /// `GLSL` or `SPIRV-ASM`.
    pub format: ShaderFormat,
    /// The text.
    pub text: String,
    /// The version of SPIR-V that it becomes.
    pub version: (u8, u8),
    /// Values of specialization constants that the text leaves open.
    pub constants: Vec<(u32, ConstantType, u32)>,
}

/// The type of a specialization constant that a script sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConstantType {
    /// Signed.
    Int,
    /// Unsigned, and Booleans.
    Uint,
    /// Floating point.
    Float,
}

/// Specialization constants whose values were set, where a script can set them too: those of 32 bits. The bits are the values.
pub fn constants(before: &Module, after: &Module) -> Option<Vec<(u32, ConstantType, u32)>> {
    let mut out: Vec<(u32, ConstantType, u32)> = Vec::new();
    for (was, is) in before.spec_constants().into_iter().zip(after.spec_constants()) {
        if was.value == is.value || out.iter().any(|(id, ..)| *id == is.spec_id) {
            continue;
        }
        let ty = match is.type_name.as_str() {
            "int32" => ConstantType::Int,
            "uint32" | "bool" => ConstantType::Uint,
            "float32" => ConstantType::Float,
            _ => return None,
        };
        out.push((is.spec_id, ty, after.constant(is.id)?.bits as u32));
    }
    Some(out)
}

impl ShaderText {
    /// Its target; refuses what a script's shader cannot be.
    pub(super) fn target(&self, kind: ShaderStage) -> Result<String, String> {
        let target = target(self.version);
        if self.format == ShaderFormat::Glsl && !GLSL_TARGETS.contains(&target.as_str()) {
            return Err(format!("GLSL of the {kind} shader for {target}"));
        }
        match self.text.lines().zip(1..).find(|(line, _)| has_end(line)) {
            None => Ok(target),
            Some((_, line)) => Err(format!(
                "the {} text of the {kind} shader has `END` in line {line}, which ends a shader's text in a script",
                self.format
            )),
        }
    }
}

/// Whether two modules differ in nothing but their versions and what no device reads.
pub fn is_same_of_another_version(one: &Module, other: &Module) -> bool {
    let sizes = |module: &Module| -> Vec<Option<[u32; 3]>> {
        module.entry_points().iter().map(|entry| declared_size(module, entry)).collect()
    };
    let plain = |module: &Module| without(module, |inst| is_name(inst) || is_size_said_twice(module, inst));
    let (Ok(plain_one), Ok(plain_other)) = (plain(one), plain(other)) else { return false };
    let [words, others] = [&plain_one, &plain_other]
        .map(|module| module.words().iter().enumerate().filter(|(at, _)| *at != VERSION_WORD));
    sizes(one) == sizes(other) && words.eq(others)
}

/// The module without the names and sources that a program may have, but no device reads.
///
/// # Errors
/// Those of [`Module::parse`], which what is left of a module does not meet.
pub fn without_names(module: &Module) -> Result<Module, ParseError> {
    without(module, is_name)
}

fn without(module: &Module, what: impl Fn(&Inst<'_>) -> bool) -> Result<Module, ParseError> {
    let mut editor = Editor::new(module);
    for inst in module.insts().filter(what) {
        editor.replace(inst.index, Vec::new());
    }
    editor.finish()
}

fn is_name(inst: &Inst<'_>) -> bool {
    let is_string = inst.op() == Some(Op::String);
    matches!(inst.facts().section, Section::Source | Section::Name | Section::Processed) && !is_string
}

/// Whether an instruction makes a constant, which nothing can specialise, the size of workgroups: up to SPIR-V 1.5 a
/// compiler says it so beside the execution mode.
fn is_size_said_twice(module: &Module, inst: &Inst<'_>) -> bool {
    let says = [Decoration::BuiltIn as u32, BuiltIn::WorkgroupSize as u32];
    inst.op() == Some(Op::Decorate)
        && [2, 3].map(|at| inst.word_at(at)) == says
        && module.def(Id(inst.word_at(1))).is_some_and(|inst| inst.op() == Some(Op::ConstantComposite))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_model::program::StageKind;
    use lanescope_testing::glsl;

    fn of_version(minor: u32) -> Module {
        let module =
            glsl(StageKind::Compute, "layout(binding = 0) buffer B { uint BLEND; }; void main() { BLEND = 1; }");
        let mut words = module.words().to_vec();
        words[1] = 1 << 16 | minor << 8;
        Module::parse(words).expect("reads")
    }

    #[test]
    fn later_versions_than_the_reference_compiles_are_assembly() {
        let said = |format, version| {
            let text = "void main() {}\n".to_owned();
            ShaderText { format, text, version, constants: Vec::new() }.target(ShaderStage::Compute)
        };
        for minor in 0..=6 {
            let module = of_version(minor);
            let target = format!("spv1.{minor}");
            assert_eq!(has_glsl_target(&module), minor <= 5, "{minor}");
            let refused = Err(format!("GLSL of the compute shader for {target}"));
            let expected = if minor <= 5 { Ok(target.clone()) } else { refused };
            assert_eq!(said(ShaderFormat::Glsl, module.version()), expected);
            assert_eq!(said(ShaderFormat::SpirvAsm, module.version()), Ok(target));
            assert!(is_same_of_another_version(&module, &of_version(0)));
        }
        let other =
            glsl(StageKind::Compute, "layout(binding = 0) buffer B { uint BLEND; }; void main() { BLEND = 2; }");
        assert!(!is_same_of_another_version(&other, &of_version(6)));
    }

    #[test]
    fn a_size_that_is_said_twice_is_the_same_size() {
        let module = glsl(
            StageKind::Compute,
            "layout(local_size_x = 8) in; layout(binding = 0) buffer B { uvec3 v; }; void main() { v = gl_WorkGroupSize; }",
        );
        let constant = module.insts().find(|inst| inst.op() == Some(Op::ConstantComposite)).expect("a size");
        let constant = constant.result().expect("a result");
        let is_said = |inst: &Inst<'_>| is_size_said_twice(&module, inst);
        let plain = without(&module, is_said).expect("reads");
        let mut editor = Editor::new(&plain);
        editor.decorate(constant, Decoration::BuiltIn, &[BuiltIn::WorkgroupSize as u32]);
        let said = editor.finish().expect("reads");
        assert!(is_same_of_another_version(&plain, &said) && is_same_of_another_version(&said, &plain));
        // Another size than that of the mode counts.
        let mut words = said.words().to_vec();
        let mode = said.insts().find(|inst| inst.op() == Some(Op::ExecutionMode)).expect("a mode").words.to_vec();
        let at = words.windows(mode.len()).position(|all| all == mode).expect("is there");
        words[at + 3] = 4;
        let other = Module::parse(words).expect("reads");
        let mut words = plain.words().to_vec();
        let at = words.windows(mode.len()).position(|all| all == mode).expect("is there");
        words[at + 3] = 4;
        assert!(!is_same_of_another_version(&other, &Module::parse(words).expect("reads")));
    }

    #[test]
    fn what_ends_a_shader_is_named_with_its_line() {
        for (line, ends) in
            [("END", true), ("%7 = OpString \"a\nEND\"", true), ("APPENDED", true), ("End of it", false)]
        {
            let text = format!("void main() {{}}\n{line}\n");
            let text = ShaderText { format: ShaderFormat::SpirvAsm, text, version: (1, 0), constants: Vec::new() };
            let said = text.target(ShaderStage::Compute);
            assert_eq!(said.is_err(), ends, "{line}");
            if let Err(said) = said {
                let line = 2 + line.lines().position(has_end).unwrap_or(0);
                assert!(said.contains(&format!("`END` in line {line},")), "{said}");
            }
        }
    }

    #[test]
    fn names_can_be_left_out() {
        let module = of_version(3);
        let is_named = |module: &Module| module.insts().any(|inst| inst.facts().section == Section::Name);
        let without = without_names(&module).expect("reads");
        assert_eq!((is_named(&module), is_named(&without)), (true, false));
        assert_eq!((without.version(), without.entry_points().len()), (module.version(), 1));
    }
}
