//! A module without the debug instructions of its lines, which are kept beside it.

use std::collections::BTreeSet;

use super::enums::Op;
use super::lines::Lines;
use super::module::{Inst, Module, ParseError};

/// Words of `OpSource` before its file: opcode, language, version.
const SOURCE_WORDS: usize = 3;

impl Module {
    /// The module as a compiler writes it without debug information, with the lines of its instructions beside it
    /// ([`Lines::of`]). Ids close the gaps that the names of files leave.
    ///
    /// # Errors
    /// Those of [`Module::parse`], which what is left of a module does not meet.
    pub fn with_lines_apart(&self) -> Result<Module, ParseError> {
        let lines = Lines::carried(self);
        if lines.is_empty() {
            return Ok(self.clone());
        }
        let names = names_of_files(self);
        // Those after the first are of included files.
        let source = self.insts().find(|inst| inst.op() == Some(Op::Source)).map(|inst| inst.index);
        let is_left = |inst: &Inst<'_>| match inst.op() {
            Some(Op::Source) => Some(inst.index) == source,
            Some(Op::Line | Op::NoLine | Op::ModuleProcessed | Op::SourceContinued) => false,
            Some(Op::String) => inst.result().is_none_or(|id| names.binary_search(&id.0).is_err()),
            _ => true,
        };
        let mut words = self.words().get(..HEADER_WORDS).unwrap_or_default().to_vec();
        let closed = |id: u32| id - names.partition_point(|name| *name < id) as u32;
        let mut is_closed = true;
        for inst in self.insts().filter(is_left) {
            let start = words.len();
            if inst.op() == Some(Op::Source) && inst.words.len() > SOURCE_WORDS {
                words.push((SOURCE_WORDS as u32) << 16 | Op::Source as u32);
                words.extend(&inst.words[1..SOURCE_WORDS]);
                continue;
            }
            words.extend(inst.words);
            if let Some(result) = inst.result() {
                let at = start + 1 + usize::from(inst.result_type().is_some());
                words[at] = closed(result.0);
            }
            let placed = self.for_each_id_place(&inst, |at| words[start + at] = closed(words[start + at]));
            is_closed &= placed.is_ok();
        }
        let left = lines.of_those_left(self.insts().filter(is_left).map(|inst| inst.index.0));
        if !is_closed {
            // Of an instruction that the grammar lacks, it is not known which words are ids.
            return Ok(self.clone());
        }
        if let Some(bound) = words.get_mut(BOUND_WORD) {
            *bound -= names.len() as u32;
        }
        Ok(Module::parse(words)?.with_lines(left))
    }
}

/// Words before the first instruction, and the place of the bound among them.
const HEADER_WORDS: usize = 5;
const BOUND_WORD: usize = 3;

/// Strings that no instruction but those of lines and sources uses, in order: names of files, even of those without
/// lines.
fn names_of_files(module: &Module) -> Vec<u32> {
    let mut strings: BTreeSet<u32> = BTreeSet::new();
    for inst in module.insts() {
        match inst.op() {
            Some(Op::String) => strings.extend(inst.result().map(|id| id.0)),
            // A string that is printed is used by an instruction of an extended set.
            Some(Op::ExtInst) => inst.words_from(5).iter().for_each(|word| _ = strings.remove(word)),
            _ => {}
        }
    }
    strings.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use lanescope_base::{StageKind, TargetEnv};
    use lanescope_glslang::{Language, NoIncludes, Source, compile};

    use super::*;
    use crate::testing::check;
    use crate::{SourceLine, source_files};

    fn compiled(text: &str, stage: StageKind, lines: bool) -> Module {
        let source = Source { text, language: Language::Glsl, stage, lines, macros: &[], env: TargetEnv::Vulkan13 };
        Module::parse(compile(&source, &mut NoIncludes).expect("compiles").words).expect("a module")
    }

    const TEXT: &str = "#version 460\nlayout(local_size_x = 4) in;\n\
        layout(set = 0, binding = 0) buffer B { uint b[]; };\n\
        uint twice(uint x) {\n    return 2 * x;\n}\n\
        void main() {\n    uint i = gl_LocalInvocationIndex;\n    if (i < 3)\n        b[i] = twice(i);\n}\n";

    #[test]
    fn is_what_the_compiler_writes_without_lines() {
        let (with, plain) = (compiled(TEXT, StageKind::Compute, true), compiled(TEXT, StageKind::Compute, false));
        let apart = with.with_lines_apart().expect("a module");
        assert_eq!(apart.words(), plain.words());
        check(&apart).expect("valid");
        assert!(source_files(&apart).is_empty() && !Lines::of(&apart).is_empty());
        assert_eq!(plain.with_lines_apart().expect("a module").words(), plain.words());
    }

    #[test]
    fn instructions_keep_their_lines() {
        let apart = compiled(TEXT, StageKind::Compute, true).with_lines_apart().expect("a module");
        let lines = Lines::of(&apart).with_file_named("", "a.comp");
        let of = |op: Op| apart.insts().filter(move |inst| inst.op() == Some(op));
        let line = |inst: Inst<'_>| lines.line(inst.index);
        let at = |line: u32| Some(SourceLine { file: "a.comp".to_owned(), line });
        assert_eq!(of(Op::IMul).map(line).collect::<Vec<_>>(), [at(5)]);
        assert_eq!(of(Op::ULessThan).map(line).collect::<Vec<_>>(), [at(9)]);
        assert_eq!(of(Op::FunctionCall).map(line).collect::<Vec<_>>(), [at(10)]);
        assert_eq!(of(Op::TypeVoid).map(line).collect::<Vec<_>>(), [None]);
    }

    #[test]
    fn a_printed_string_stays() {
        let text = "#version 460\n#extension GL_EXT_debug_printf : require\nlayout(local_size_x = 1) in;\n\
                    void main() {\n    debugPrintfEXT(\"lane %u\", gl_LocalInvocationIndex);\n}\n";
        let (with, plain) = (compiled(text, StageKind::Compute, true), compiled(text, StageKind::Compute, false));
        assert_eq!(with.with_lines_apart().expect("a module").words(), plain.words());
    }
}
