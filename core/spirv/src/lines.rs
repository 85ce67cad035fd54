//! Source lines of instructions: `OpLine`, and `DebugLine` of `NonSemantic.Shader.DebugInfo.100`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::enums::Op;
use super::module::{Inst, InstId, Module};
use lanescope_base::ids::Id;

pub use lanescope_base::findings::SourceLine;

/// The lines that a module's instructions come from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Lines {
    /// Names of files.
    files: Vec<String>,
    /// By first instruction: the place in `files` and the line, up to the next run. Line 0 stands for none.
    runs: Vec<(u32, u32, u32)>,
}

/// The text of a source file that a module carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// The file, as the module names it.
    pub file: String,
    /// Its text: lines count as those of [`SourceLine`] do.
    pub text: String,
}

/// Instructions of the extended set.
const DEBUG_SOURCE: u32 = 35;
const DEBUG_SOURCE_CONTINUED: u32 = 102;
const DEBUG_LINE: u32 = 103;
const DEBUG_NO_LINE: u32 = 104;

impl Lines {
    /// The lines of a module: those that it was given ([`Module::with_lines`]), else those that its instructions carry.
    /// Empty if there are none.
    pub fn of(module: &Module) -> Lines {
        module.given_lines().cloned().unwrap_or_else(|| Lines::carried(module))
    }

    /// The lines that a module's instructions carry.
    pub(super) fn carried(module: &Module) -> Lines {
        let mut out = Builder::default();
        // By debug source: its file's string.
        let mut files: BTreeMap<Id, Id> = BTreeMap::new();
        let mut now: Option<(Id, u32)> = None;
        for inst in module.insts() {
            // What says where others come from has no line itself.
            let is_about_lines = match inst.op() {
                Some(Op::Line) => {
                    now = Some((inst.id_at(1), inst.word_at(2)));
                    true
                }
                Some(Op::NoLine) => {
                    now = None;
                    true
                }
                Some(Op::ExtInst) if is_debug(module, &inst) => {
                    match inst.word_at(4) {
                        DEBUG_SOURCE => _ = inst.result().map(|id| files.insert(id, inst.id_at(5))),
                        DEBUG_LINE => {
                            let line = module.constant(inst.id_at(6)).and_then(|line| line.as_u32());
                            now = files.get(&inst.id_at(5)).copied().zip(line);
                        }
                        DEBUG_NO_LINE => now = None,
                        _ => {}
                    }
                    true
                }
                _ => false,
            };
            out.add(module, inst.index.0, now.filter(|_| !is_about_lines));
            // A line lasts to the end of its block.
            if inst.is_terminator() || inst.op() == Some(Op::FunctionEnd) {
                now = None;
            }
        }
        out.lines
    }

    /// Lines of a module's instructions, in their order, up to the next one: where a compiler keeps them elsewhere.
    pub fn given<'l>(lines: impl IntoIterator<Item = (InstId, Option<&'l SourceLine>)>) -> Lines {
        let mut out = Lines::default();
        let mut places: BTreeMap<&str, u32> = BTreeMap::new();
        for (inst, line) in lines {
            let (file, line) = line.map_or((0, 0), |line| {
                let place = *places.entry(&line.file).or_insert_with(|| {
                    out.files.push(line.file.clone());
                    out.files.len() as u32 - 1
                });
                (place, line.line)
            });
            if out.runs.last().map_or((0, 0), |(_, file, line)| (*file, *line)) != (file, line) {
                out.runs.push((inst.0, file, line));
            }
        }
        out
    }

    /// The same lines of a module without some instructions. `left` are the indices of those that are left, in order.
    pub(super) fn of_those_left(&self, left: impl IntoIterator<Item = u32>) -> Lines {
        let mut runs: Vec<(u32, u32, u32)> = Vec::new();
        let mut at = 0;
        for (new, old) in (0u32..).zip(left) {
            while self.runs.get(at + 1).is_some_and(|next| next.0 <= old) {
                at += 1;
            }
            let (file, line) = match self.runs.get(at) {
                Some((first, file, line)) if *first <= old => (*file, *line),
                _ => (0, 0),
            };
            if runs.last().map_or((0, 0), |(_, file, line)| (*file, *line)) != (file, line) {
                runs.push((new, file, line));
            }
        }
        Lines { files: self.files.clone(), runs }
    }

    /// The same lines with another name for a file.
    #[must_use]
    pub fn with_file_named(mut self, file: &str, name: &str) -> Lines {
        self.files.iter_mut().filter(|known| *known == file).for_each(|known| name.clone_into(known));
        self
    }

    /// The same lines of instructions so many places further on.
    #[must_use]
    pub fn moved_on(mut self, by: u32) -> Lines {
        self.runs.iter_mut().for_each(|(first, ..)| *first = first.saturating_add(by));
        self
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// The line of an instruction.
    pub fn line(&self, inst: InstId) -> Option<SourceLine> {
        let at = self.runs.partition_point(|(first, ..)| *first <= inst.0).checked_sub(1)?;
        let (_, file, line) = *self.runs.get(at)?;
        let file = self.files.get(file as usize).filter(|_| line > 0)?;
        Some(SourceLine { file: file.clone(), line })
    }
}

/// Collects lines in the order of instructions.
#[derive(Default)]
struct Builder {
    lines: Lines,
    /// By a file's string: its place.
    places: BTreeMap<Id, u32>,
}

impl Builder {
    fn add(&mut self, module: &Module, inst: u32, at: Option<(Id, u32)>) {
        let (file, line) = at.map_or((0, 0), |(file, line)| (self.place(module, file), line));
        let last = self.lines.runs.last().map_or((0, 0), |(_, file, line)| (*file, *line));
        if last != (file, line) {
            self.lines.runs.push((inst, file, line));
        }
    }

    fn place(&mut self, module: &Module, file: Id) -> u32 {
        *self.places.entry(file).or_insert_with(|| {
            let name = module.def(file).filter(|inst| inst.op() == Some(Op::String));
            self.lines.files.push(name.map(|inst| inst.string_at(2).0).unwrap_or_default());
            self.lines.files.len() as u32 - 1
        })
    }
}

/// The source files that a module carries whole: `OpSource`, and `DebugSource` of `NonSemantic.Shader.DebugInfo.100`.
pub fn source_files(module: &Module) -> Vec<SourceFile> {
    let mut out: Vec<SourceFile> = Vec::new();
    let name = |id: Id| module.def(id).filter(|inst| inst.op() == Some(Op::String)).map(|inst| inst.string_at(2).0);
    // Continuations of a text follow it.
    let mut open = false;
    for inst in module.insts() {
        match inst.op() {
            Some(Op::Source) => {
                open = inst.words.len() > 4;
                if open {
                    let file = name(inst.id_at(3)).unwrap_or_default();
                    out.push(SourceFile { file, text: inst.string_at(4).0 });
                }
            }
            Some(Op::SourceContinued) if open => {
                out.last_mut().into_iter().for_each(|last| last.text.push_str(&inst.string_at(1).0));
            }
            Some(Op::ExtInst) if is_debug(module, &inst) => match inst.word_at(4) {
                DEBUG_SOURCE => {
                    let text = name(inst.id_at(6)).filter(|_| inst.words.len() > 6);
                    open = text.is_some();
                    let file = name(inst.id_at(5)).unwrap_or_default();
                    out.extend(text.map(|text| SourceFile { file, text }));
                }
                DEBUG_SOURCE_CONTINUED if open => {
                    let more = name(inst.id_at(5)).unwrap_or_default();
                    out.last_mut().into_iter().for_each(|last| last.text.push_str(&more));
                }
                _ => {}
            },
            _ => {}
        }
    }
    out.iter_mut().for_each(|source| source.text = without_preamble(&source.text).to_owned());
    out
}

/// A text without the comments that glslang puts before it: how it was called, then `#line 1`.
fn without_preamble(text: &str) -> &str {
    let mut rest = text;
    while let Some((line, after)) = rest.split_once('\n') {
        match line.trim_end() {
            "#line 1" => return after,
            comment if comment.starts_with("// OpModuleProcessed ") => rest = after,
            _ => break,
        }
    }
    text
}

fn is_debug(module: &Module, inst: &Inst<'_>) -> bool {
    let import = module.def(inst.id_at(3)).filter(|import| import.op() == Some(Op::ExtInstImport));
    import.is_some_and(|import| import.string_at(2).0.starts_with("NonSemantic.Shader.DebugInfo."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assembled;

    #[test]
    fn reads_both_forms_of_lines() {
        let text = |lines: [&str; 3], debug: &str| {
            format!(
                "OpCapability Shader\n{debug}OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n\
                 OpExecutionMode %main LocalSize 1 1 1\n%file = OpString \"a.comp\"\n%void = OpTypeVoid\n\
                 %uint = OpTypeInt 32 0\n%c7 = OpConstant %uint 7\n%c1 = OpConstant %uint 1\n{}\n\
                 %type = OpTypeFunction %void\n%main = OpFunction %void None %type\n%entry = OpLabel\n{}\n\
                 %a = OpIAdd %uint %c1 %c7\n{}\n%b = OpIAdd %uint %a %c7\nOpReturn\nOpFunctionEnd\n",
                lines[0], lines[1], lines[2]
            )
        };
        let plain = text(["", "OpLine %file 3 1", "OpNoLine"], "");
        let debug = text(
            [
                "%source = OpExtInst %void %set 35 %file",
                "%l1 = OpExtInst %void %set 103 %source %c7 %c7 %c1 %c1",
                "%l2 = OpExtInst %void %set 104",
            ],
            "OpExtension \"SPV_KHR_non_semantic_info\"\n\
             %set = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"\n",
        );
        for (text, line) in [(plain, 3), (debug, 7)] {
            let module = assembled(&text);
            let lines = Lines::of(&module);
            let adds = module.insts().filter(|inst| inst.op() == Some(Op::IAdd));
            let found: Vec<_> = adds.map(|inst| lines.line(inst.index)).collect();
            assert_eq!(found, [Some(SourceLine { file: "a.comp".to_owned(), line }), None]);
        }
        assert!(Lines::of(&assembled(&text(["", "", ""], ""))).is_empty());
    }

    #[test]
    fn joins_embedded_source_texts() {
        let text = "OpCapability Shader\nOpExtension \"SPV_KHR_non_semantic_info\"\n\
             %set = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"\nOpMemoryModel Logical GLSL450\n\
             OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n\
             %a = OpString \"a.comp\"\n%b = OpString \"b.hlsl\"\n%t = OpString \"one\"\n%u = OpString \"two\"\n\
             OpSource GLSL 450 %a \"// OpModuleProcessed entry-point main\n#line 1\nvoid \"\n\
             OpSourceContinued \"main() {}\"\nOpSource GLSL 450\nOpSourceContinued \"of nothing\"\n\
             %void = OpTypeVoid\n%s = OpExtInst %void %set 35 %b %t\n%c = OpExtInst %void %set 102 %u\n\
             %n = OpExtInst %void %set 35 %a\n%type = OpTypeFunction %void\n%main = OpFunction %void None %type\n\
             %entry = OpLabel\nOpReturn\nOpFunctionEnd\n";
        let file = |file: &str, text: &str| SourceFile { file: file.to_owned(), text: text.to_owned() };
        assert_eq!(source_files(&assembled(text)), [file("a.comp", "void main() {}"), file("b.hlsl", "onetwo")]);
        assert_eq!(without_preamble("// mine\n#line 1\nx"), "// mine\n#line 1\nx");
    }
}
