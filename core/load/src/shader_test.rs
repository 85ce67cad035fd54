//! Tests of shaders in sections (piglit's shader_runner, shader-db, VkRunner): their shaders become modules.

use std::path::Path;

use super::described::{Described, Origin};
use super::error::Problem;
use super::included::SourceOrigin;
use super::{LoadOptions, Loaded, glsl, preceding, spirv, spvasm, validate};
use crate::findings;
use lanescope_glslang::{Linked, Part, Reading, Rules, compile_linked};
use lanescope_model::options::Conversion;
use lanescope_model::program::{LoadedModule, SourcePlace, StageKind};
use lanescope_pipeline::shader_test::{self, Form, Shader, ShaderTest};

/// The vertex shader of `[vertex shader passthrough]`: both programs that run tests pass one attribute on.
const PASSTHROUGH: &str = "#version 430\nlayout(location = 0) in vec4 piglit_vertex;\n\
                           void main() { gl_Position = piglit_vertex; }\n";

pub(super) fn load(path: &Path, bytes: Vec<u8>, wanted: &LoadOptions) -> Result<Loaded, Problem> {
    let name = path.to_string_lossy().into_owned();
    let ShaderTest { pipeline, shaders, opengl, version } =
        shader_test::read(&name, &bytes).map_err(Problem::Description)?;
    drop(bytes);
    let kinds: Vec<StageKind> = pipeline.stages.iter().map(|stage| stage.stage).collect();
    let mut described = Described::of(pipeline);
    let sources: Vec<(StageKind, &Shader)> = kinds.iter().copied().zip(&shaders).collect();
    let glsl = Glsl::of(&sources, opengl, version.as_deref(), path, wanted)?;
    for (stage, (kind, shader)) in sources.into_iter().enumerate() {
        let made = match shader.form {
            Form::Glsl => glsl.module(kind, shader, path, wanted),
            Form::Spvasm => assembled(shader, wanted),
            Form::Words => words(shader).and_then(|words| spirv::load(words, wanted)),
            Form::Passthrough => passthrough(wanted),
            Form::Program => Err(Problem::NotAShader { why: "an assembly program".to_owned() }),
        };
        let origin = Origin::Part(stage);
        described.made(origin.clone(), made.map_err(|problem| problem.to_string()));
        described.give(stage, &origin, &[], findings::SHADER_TEST_STAGE_UNUSABLE, &name);
    }
    Ok(Loaded::Described(Box::new(described)))
}

/// What is GLSL of a test, compiled as one program.
#[derive(Default)]
struct Glsl<'w> {
    linked: Linked,
    /// What the linker says.
    failed: Option<String>,
    includes: glsl::Includes<'w>,
}

impl<'w> Glsl<'w> {
    fn of(
        sources: &[(StageKind, &Shader)],
        opengl: bool,
        version: Option<&str>,
        path: &Path,
        wanted: &'w LoadOptions,
    ) -> Result<Glsl<'w>, Problem> {
        let sources = sources.iter().filter(|(_, shader)| shader.form == Form::Glsl);
        let sections: Vec<_> =
            sources.flat_map(|(stage, shader)| shader.parts.iter().map(|part| (*stage, part))).collect();
        if sections.is_empty() {
            return Ok(Glsl::default());
        }
        let conversion = &wanted.conversion;
        let mut includes = glsl::Includes::new(SourceOrigin::in_document(wanted.folder_of(path), path), wanted)?;
        sections.iter().for_each(|(_, part)| includes.reads.read(&part.text));
        let text = |(stage, part): &(StageKind, &shader_test::Part)| {
            (*stage, text_of(part, version, conversion, &includes.first))
        };
        let texts: Vec<(StageKind, String)> = sections.iter().map(text).collect();
        let parts: Vec<Part<'_>> = texts.iter().map(|(stage, text)| Part { text, stage: *stage }).collect();
        let rules = if opengl { Rules::OpenGl } else { Rules::Vulkan };
        let reading = Reading { rules, macros: &conversion.macros(), env: conversion.env() };
        let (linked, failed) = match compile_linked(&parts, &reading, &mut includes) {
            Ok(linked) => (linked, None),
            Err(log) => (Linked::default(), Some(log)),
        };
        Ok(Glsl { linked, failed, includes })
    }

    /// The module of a stage.
    fn module(&self, stage: StageKind, shader: &Shader, path: &Path, wanted: &LoadOptions) -> Result<Loaded, Problem> {
        let problem = |log: &String| Problem::Glsl { stage, log: self.includes.with_refused(glsl::tidy(log, path)) };
        if let Some(log) = &self.failed {
            return Err(problem(log));
        }
        let made = self.linked.stages.iter().find(|(other, _)| *other == stage).map(|(_, made)| made);
        let words = made.ok_or_else(|| problem(&"glslang returned no module".to_owned()))?.as_ref().map_err(problem)?;
        let text = shader.text();
        let place = SourcePlace { file: path.display().to_string(), after: text.line };
        let module = validate::compiled(words.clone(), text.text, place, wanted)?;
        // Of the whole test: a macro may be another stage's.
        let unread_macros = self.includes.reads.clone().unread();
        let includes = self.includes.met.iter().map(|path| path.clone().into_os_string()).collect();
        Ok(Loaded::Module(Box::new(LoadedModule { includes, unread_macros, ..module })))
    }
}

/// A section's text with what precedes it, whose lines are those of the file. Where neither it nor the options state a
/// version, that of the test counts.
fn text_of(part: &shader_test::Part, version: Option<&str>, conversion: &Conversion, names: &[String]) -> String {
    // A zero byte ends a text of C; a space is as wrong to the compiler.
    let text = part.text.replace('\0', " ");
    match version.filter(|_| part.line > 0 && !preceding::has_version(&text)) {
        // Its first line is that of the section's name.
        Some(version) => {
            let text = format!("#version {version}\n{text}");
            preceding::glsl(&text, conversion, names, part.line - 1).into_owned()
        }
        None => preceding::glsl(&text, conversion, names, part.line).into_owned(),
    }
}

fn assembled(shader: &Shader, wanted: &LoadOptions) -> Result<Loaded, Problem> {
    let text = shader.text();
    spvasm::load_part(text.text, text.line, wanted)
}

/// The bytes of a module that is written as numbers.
fn words(shader: &Shader) -> Result<Vec<u8>, Problem> {
    let part = shader.text();
    let mut out = Vec::new();
    for (text, line) in part.text.lines().zip(part.line as usize + 1..) {
        let code = text.split('#').next().unwrap_or_default();
        for word in code.split_whitespace() {
            let word = u32::from_str_radix(word.trim_start_matches("0x"), 16).map_err(|_| {
                let column = text.find(word).unwrap_or(0) + 1;
                let message =
                    format!("expected a word in hexadecimal, found `{}`", word.chars().take(20).collect::<String>());
                Problem::Assembly { line, column, message }
            })?;
            out.extend(word.to_le_bytes());
        }
    }
    Ok(out)
}

/// The vertex shader that a test has which names none. It is not of the file, so it has no source.
fn passthrough(wanted: &LoadOptions) -> Result<Loaded, Problem> {
    let stage = StageKind::Vertex;
    let module = glsl::compile_own(PASSTHROUGH, stage).map_err(|log| Problem::Glsl { stage, log })?;
    let module: LoadedModule = validate::loaded(module.words().to_vec(), wanted)?;
    Ok(Loaded::Module(Box::new(module)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_spirv::Lines;
    use lanescope_spirv::enums::Op;

    fn described(text: &str) -> Described {
        match load(Path::new("some/a.shader_test"), text.as_bytes().to_vec(), &LoadOptions::default()) {
            Ok(Loaded::Described(described)) => *described,
            Ok(_) => panic!("is a description"),
            Err(problem) => panic!("{problem}"),
        }
    }

    const OPENGL: &str = "[require]\nGLSL >= 1.50\n\n[vertex shader]\nin vec4 at;\nuniform mat4 scale;\nout vec2 uv;\n\
                          void main() {\n    gl_Position = scale * at;\n    uv = at.xy;\n}\n\
                          [fragment shader]\n#version 150\nin vec2 uv;\nuniform sampler2D tex;\nout vec4 color;\n\
                          void main() {\n    color = texture(tex, uv) / 2.0;\n}\n[test]\ndraw rect -1 -1 2 2\n";

    #[test]
    fn opengl_becomes_modules_with_lines_of_the_file() {
        let described = described(OPENGL);
        let modules: Vec<_> = described.pipeline.stages.iter().map(|stage| stage.module).collect();
        assert_eq!(modules, [Some(0), Some(1)], "{:#?}", described.pipeline.findings);
        let line = |module: &LoadedModule, op| {
            let inst = module.module.insts().find(|inst| inst.op() == Some(op)).expect("is there");
            Lines::of(&module.module).line(inst.index).map(|at| (at.file, at.line))
        };
        let file = "some/a.shader_test".to_owned();
        assert_eq!(line(&described.modules[0], Op::MatrixTimesVector), Some((file.clone(), 9)));
        assert_eq!(line(&described.modules[1], Op::FDiv), Some((file, 18)));
        let source = described.modules[1].source_file().expect("has its source");
        assert_eq!(source.text.lines().nth(17), Some("    color = texture(tex, uv) / 2.0;"));
    }

    #[test]
    fn options_of_sources_count() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str, text: &str| {
            std::fs::write(folder.path().join(name), text).expect("writable");
            folder.path().join(name).to_string_lossy().into_owned()
        };
        let before = file("before.glsl", "#define GAIN gain()\nfloat gain() { return SIZE; }\n");
        file("after.glsl", "float half_of(float x) { return x / 2.0; }\n");
        let text = "[vertex shader passthrough]\n[fragment shader]\n#version 430\n#include \"after.glsl\"\n\
                    layout(location = 0) out vec4 color;\nvoid main() {\n    color = vec4(half_of(GAIN) * SIZE);\n}\n";
        let path = folder.path().join("a.shader_test");
        let loaded = |conversion: Conversion| {
            let wanted = LoadOptions { conversion, ..LoadOptions::default() };
            match load(&path, text.as_bytes().to_vec(), &wanted) {
                Ok(Loaded::Described(described)) => *described,
                Ok(_) => panic!("is a description"),
                Err(problem) => panic!("{problem}"),
            }
        };
        let conversion = Conversion {
            defines: vec!["SIZE=2.0".to_owned(), "UNUSED".to_owned()],
            includes: vec![before],
            target_env: Some(lanescope_model::options::TargetEnv::Vulkan11),
            std: Some("450".to_owned()),
            ..Conversion::default()
        };
        let made = loaded(conversion.clone());
        let [_, fragment] = made.modules.as_slice() else { panic!("{:#?}", made.pipeline.findings) };
        assert_eq!(
            (fragment.module.version(), fragment.unread_macros.as_slice()),
            ((1, 3), &["UNUSED".to_owned()][..])
        );
        assert_eq!(fragment.includes.len(), 2, "{:?}", fragment.includes);
        let source = fragment.module.insts().find(|inst| inst.op() == Some(Op::Source)).expect("is there");
        assert_eq!(source.words[2], 450, "the version");
        let inst = fragment.module.insts().find(|inst| inst.op() == Some(Op::FMul)).expect("is there");
        let line = Lines::of(&fragment.module).line(inst.index).map(|at| (at.file, at.line));
        assert_eq!(line, Some((path.display().to_string(), 7)));
        let messages = |conversion: Conversion| {
            let findings = loaded(conversion).pipeline.findings;
            findings.iter().map(|one| one.message.clone()).collect::<Vec<_>>().join("\n")
        };
        let without = messages(Conversion { defines: Vec::new(), ..conversion.clone() });
        assert!(without.contains("'SIZE'"), "{without}");
        let without = messages(Conversion { includes: Vec::new(), ..conversion });
        assert!(without.contains("a.shader_test:4: '#include'"), "{without}");
    }

    /// Sections far down in a file are not padded with lines.
    #[test]
    fn many_sections_far_down_are_small() {
        let names = [];
        let part = shader_test::Part { text: "void f();\n".to_owned(), line: 1 << 30 };
        for version in [None, Some("150")] {
            assert!(text_of(&part, version, &Conversion::default(), &names).len() < 99);
        }
    }

    #[test]
    fn a_wrong_shader_is_a_finding_with_its_line() {
        let described = described(&OPENGL.replace("uv = at.xy", "uv = nothing"));
        let stages: Vec<_> = described.pipeline.stages.iter().map(|stage| stage.module).collect();
        assert_eq!(stages, [None, Some(0)]);
        let codes: Vec<_> = described.pipeline.findings.iter().map(|one| one.code.as_str()).collect();
        assert_eq!(codes, ["shader-test.ignored", "shader-test.stage-unusable"]);
        assert!(described.pipeline.findings[1].message.contains("a.shader_test:10: 'nothing'"));
    }

    #[test]
    fn spirv_is_text_or_numbers() {
        let text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %red \"red\"\n\
                    OpExecutionMode %red OriginUpperLeft\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n\
                    %red = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n";
        let test =
            format!("[vertex shader passthrough]\n[fragment shader spirv]\n{text}[test]\nfragment entrypoint red\n");
        let made = described(&test);
        assert_eq!(made.modules.len(), 2, "{:#?}", made.pipeline.findings);
        let words: Vec<String> = made.modules[1].module.words().iter().map(|word| format!("{word:08x}")).collect();
        for name in ["shader spirv hex", "shader binary"] {
            let numbers = format!("[fragment {name}]\n{}\n# end\n[test]\nfragment entrypoint red\n", words.join("\n"));
            assert_eq!(described(&numbers).modules[0].module.words(), made.modules[1].module.words());
        }
        let wrong = described(&test.replace("OpReturn\n", "OpNonsense\n"));
        assert!(
            wrong.pipeline.findings.iter().any(|one| one.message.contains("line 11, column")),
            "{wrong:?}",
            wrong = wrong.pipeline.findings
        );
        let wrong = described("[fragment shader binary]\n07230203\n 0723020g\n");
        assert!(wrong.pipeline.findings[0].message.contains("line 3, column 2"), "{:?}", wrong.pipeline.findings);
    }
}
