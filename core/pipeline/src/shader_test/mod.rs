//! Tests of shaders in sections, as piglit's shader_runner, Mesa's shader-db and VkRunner have them: the shaders of one
//! pipeline. What a test draws and expects is not read.
//!
//! A section begins with its name in brackets at the start of a line. Shaders are GLSL for OpenGL where `[require]` names a
//! version of OpenGL or of its language, else GLSL for Vulkan, or SPIR-V as text or as numbers.

mod section;

use crate::findings;
use crate::notes::Notes;
use crate::{Fault, Kept, Pipeline, PipelineKind, StageDescription};
use lanescope_base::{Format, StageKind};

pub use section::Form;
use section::kind_of;
pub(crate) use section::{Kind, kind_of as section_kind};

/// The longest line, in bytes.
const MAX_LINE: usize = 1 << 20;
/// Sections that are read.
const MAX_SECTIONS: usize = 4096;

/// A test, read.
#[derive(Debug)]
pub struct ShaderTest {
    /// The description; stages have no module yet.
    pub pipeline: Pipeline,
    /// The shaders of its stages, in their order.
    pub shaders: Vec<Shader>,
    /// Its GLSL is that of OpenGL.
    pub opengl: bool,
    /// The version of GLSL that a shader has which does not name one: `150`, `310 es`.
    pub version: Option<String>,
}

/// The shader of a stage.
#[derive(Debug)]
#[non_exhaustive]
pub struct Shader {
    /// Its form.
    pub form: Form,
    /// Its texts: several are linked.
    pub parts: Vec<Part>,
}

/// The text of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The line of the section's name; the text begins after it.
    pub line: u32,
    /// The text.
    pub text: String,
}

impl Shader {
    /// The lines that its texts have in the file, from the first one on: lines between them are empty.
    pub fn text(&self) -> Part {
        let line = self.parts.first().map_or(0, |part| part.line);
        let mut text = String::new();
        let mut at = line;
        for part in &self.parts {
            while at < part.line {
                text.push('\n');
                at += 1;
            }
            text.push_str(&part.text);
            at += part.text.matches('\n').count() as u32;
        }
        Part { line, text }
    }
}

/// A section as it is written.
struct Section {
    name: String,
    kind: Kind,
    line: u32,
    text: String,
}

/// Whether a text looks like one: a line that is the name of a shader's section.
pub fn looks_like(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(1 << 16)];
    head.split(|byte| *byte == b'\n').any(|line| {
        let name = line.trim_ascii_end().strip_prefix(b"[").and_then(|line| line.strip_suffix(b"]"));
        let name = name.and_then(|name| std::str::from_utf8(name).ok());
        name.is_some_and(|name| matches!(kind_of(name), Kind::Shader(..)))
    })
}

/// Reads a test. `name` is what findings call it.
///
/// # Errors
/// A file that contains no section at all, or that is no text.
pub fn read(name: &str, bytes: &[u8]) -> Result<ShaderTest, Fault> {
    let fault = |rule, place: &str, message: &str| Fault { rule, place: place.to_owned(), message: message.to_owned() };
    if let Some(at) = bytes.iter().take(1 << 16).position(|byte| *byte == 0) {
        let message = "found a zero byte, expected text";
        return Err(fault(findings::SHADER_TEST_NOT_TEXT, &format!("byte {at:#x}"), message));
    }
    let mut notes = Notes::of(name);
    let sections = sections(bytes, &mut notes);
    if sections.is_empty() {
        let message =
            "no section found: expected `[vertex shader]`, `[require]` or another section at the start of a line";
        return Err(fault(findings::SHADER_TEST_EMPTY, "line 1", message));
    }
    let required = sections.iter().filter(|section| section.kind == Kind::Require);
    let required: Vec<&str> = required.flat_map(|section| section.text.lines()).map(str::trim).collect();
    let (stages, shaders) = stages(&sections, &required, &mut notes).into_iter().unzip();
    ignored(&sections, &mut notes);
    let is_compute = sections.iter().any(|section| matches!(section.kind, Kind::Shader(StageKind::Compute, _)));
    let kind = if is_compute { PipelineKind::Compute } else { PipelineKind::Graphics };
    let mut pipeline = Pipeline::new(Format::ShaderTest, kind);
    pipeline.stages = stages;
    (pipeline.findings, pipeline.kept) = notes.done();
    let kept = sections.iter().filter(|section| section.kind == Kind::Require && !section.text.trim().is_empty());
    pipeline.kept.extend(kept.map(|section| Kept {
        from: format!("line {}", section.line),
        name: format!("[{}]", section.name),
        text: section.text.trim().to_owned(),
    }));
    let opengl = required.iter().any(|line| section::is_of_opengl(line));
    let version = required.iter().find_map(|line| section::glsl_version(line));
    Ok(ShaderTest { pipeline, shaders, opengl, version })
}

/// Cuts a file into its sections.
fn sections(bytes: &[u8], notes: &mut Notes<'_>) -> Vec<Section> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut out: Vec<Section> = Vec::new();
    for (number, line) in (1u32..).zip(bytes.split_inclusive(|byte| *byte == b'\n')) {
        if line.len() > MAX_LINE {
            let message = format!("the line has {} bytes, expected at most {MAX_LINE}; it is skipped", line.len());
            notes.add(findings::SHADER_TEST_LIMIT, number, message);
            // The lines after it keep their numbers.
            out.last_mut().into_iter().for_each(|section| section.text.push('\n'));
            continue;
        }
        let line = String::from_utf8_lossy(line);
        let name = line.trim_end().strip_prefix('[').and_then(|line| line.split_once(']'));
        match (name, out.last_mut()) {
            (Some((name, _)), _) => {
                if out.len() >= MAX_SECTIONS {
                    let message = format!("there are more than {MAX_SECTIONS} sections; the rest is not read");
                    notes.add(findings::SHADER_TEST_LIMIT, number, message);
                    break;
                }
                let name = name.to_owned();
                out.push(Section { kind: kind_of(&name), name, line: number, text: String::new() });
            }
            (None, Some(section)) => section.text.push_str(&line),
            // What precedes the first section is a comment.
            (None, None) => {}
        }
    }
    out
}

/// The stages with their shaders, in pipeline order.
fn stages(sections: &[Section], required: &[&str], notes: &mut Notes<'_>) -> Vec<(StageDescription, Shader)> {
    let mut out: Vec<(StageDescription, Shader)> = Vec::new();
    for section in sections {
        let Kind::Shader(stage, form) = section.kind else { continue };
        if form == Form::Program {
            let message = format!("[{}] is an assembly program of OpenGL, which does not become SPIR-V", section.name);
            notes.add(findings::SHADER_TEST_PROGRAM, section.line, message);
            notes.keep(section.line, format!("[{}]", section.name), section.text.trim_end());
            continue;
        }
        let part = Part { line: section.line, text: section.text.clone() };
        match out.iter_mut().find(|(known, _)| known.stage == stage) {
            // Several texts of GLSL are linked.
            Some((_, shader)) if shader.form == Form::Glsl && form == Form::Glsl => shader.parts.push(part),
            Some((known, _)) => {
                let message = format!("second {stage} shader; the one at {} is used", known.from);
                notes.add(findings::SHADER_TEST_SECOND, section.line, message);
            }
            None => {
                let entry = entry(sections, stage);
                let description = StageDescription {
                    stage,
                    entry_assumed: false,
                    entry: entry.unwrap_or("main").to_owned(),
                    module: None,
                    shader: form.words(required).to_owned(),
                    from: format!("line {}", section.line),
                    subgroup_size: None,
                    flags: Vec::new(),
                    constants: Vec::new(),
                    settings: Vec::new(),
                };
                out.push((description, Shader { form, parts: vec![part] }));
            }
        }
    }
    out.sort_by_key(|(description, _)| description.stage);
    out
}

/// The entry point that a test draws with first: `fragment entrypoint red`.
fn entry(sections: &[Section], stage: StageKind) -> Option<&str> {
    let tests = sections.iter().filter(|section| section.name == "test").flat_map(|section| section.text.lines());
    let mut named = tests.filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [of @ .., "entrypoint", name] if section::stage_of(&of.join(" ")) == Some(stage) => Some(*name),
            _ => None,
        }
    });
    named.next()
}

/// One finding for all sections that are known and not used, one for each that is unknown.
fn ignored(sections: &[Section], notes: &mut Notes<'_>) {
    let mut names: Vec<String> = Vec::new();
    let mut first = None;
    for section in sections {
        match section.kind {
            Kind::Ignored => {
                let name = format!("[{}]", section.name);
                first.get_or_insert(section.line);
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            Kind::Unknown => {
                let message = format!("[{}] is not a section of a shader test", section.name);
                notes.add(findings::SHADER_TEST_UNKNOWN_SECTION, section.line, message);
                notes.keep(section.line, format!("[{}]", section.name), section.text.trim_end());
            }
            _ => {}
        }
    }
    if let Some(line) = first {
        let message = format!("not read: {}", names.join(", "));
        notes.add(findings::SHADER_TEST_IGNORED, line, message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEST: &str = "# a comment\n[require]\nGL >= 3.2\nGLSL >= 1.50\n\n[vertex shader passthrough]\n\n\
                        [fragment shader]\nout vec4 c;\nfloat f();\nvoid main() { c = vec4(f()); }\n\
                        [test]\ndraw rect -1 -1 2 2\n[fragment shader]\nfloat f() { return 1.0; }\n[vertex data]\n0/float\n";

    #[test]
    fn reads_stages_with_their_lines() {
        let test = read("a.shader_test", TEST.as_bytes()).expect("reads");
        assert_eq!((test.opengl, test.version.as_deref()), (true, Some("150")));
        let stages: Vec<_> =
            test.pipeline.stages.iter().map(|s| (s.stage, s.shader.as_str(), s.from.as_str())).collect();
        let fragment = (StageKind::Fragment, "OpenGL GLSL", "line 8");
        assert_eq!(stages, [(StageKind::Vertex, "passthrough", "line 6"), fragment]);
        let lines: Vec<u32> = test.shaders[1].parts.iter().map(|part| part.line).collect();
        assert_eq!(lines, [8, 14]);
        // Line 15 of the file is the seventh after line 8.
        let text = test.shaders[1].text();
        assert_eq!((text.line, text.text.lines().nth(6)), (8, Some("float f() { return 1.0; }")));
        let codes: Vec<_> = test.pipeline.findings.iter().map(|finding| finding.code.as_str()).collect();
        assert_eq!(codes, ["shader-test.ignored"]);
        assert!(test.pipeline.findings[0].message.contains("[test], [vertex data]"));
        assert_eq!(test.pipeline.kept[0].text, "GL >= 3.2\nGLSL >= 1.50");
    }

    #[test]
    fn distinguishes_vulkan_and_forms() {
        let text = "[require]\nshaderFloat64\nframebuffer R32G32B32A32_SFLOAT\n[vertex shader]\nvoid main() {}\n\
                    [fragment shader spirv]\nOpCapability Shader\n[geometry shader spirv hex]\n07230203\n[vertex shader binary]\n\
                    07230203\n[tessellation control shader]\n[tessellation evaluation shader]\n[other]\nx\n\
                    [fragment program]\nEND\n[test]\nfragment entrypoint red\nfragment entrypoint green\n\
                    tessellation control entrypoint one\n";
        let test = read("a.shader_test", text.as_bytes()).expect("reads");
        assert_eq!((test.opengl, test.version), (false, None));
        let of = |s: &StageDescription| format!("{} {} {}", s.stage.name(), s.shader, s.entry);
        let stages: Vec<_> = test.pipeline.stages.iter().map(of).collect();
        let expected = [
            "vertex GLSL main",
            "tess_control GLSL one",
            "tess_eval GLSL main",
            "geometry SPIR-V words main",
            "fragment SPIR-V text red",
        ];
        assert_eq!(stages, expected);
        let codes: Vec<_> = test.pipeline.findings.iter().map(|finding| finding.code.as_str()).collect();
        let expected =
            ["shader-test.second", "shader-test.program", "shader-test.unknown-section", "shader-test.ignored"];
        assert_eq!(codes, expected);
    }

    #[test]
    fn refuses_what_is_no_test() {
        let rule = |bytes: &[u8]| read("a", bytes).expect_err("is none").rule.code;
        assert_eq!(rule(b"nothing\n"), "shader-test.empty");
        assert_eq!(rule(b"[test]\n\0"), "shader-test.not-text");
        let long = format!("[fragment shader]\n{}\nvoid main() {{}}\n", "x".repeat(MAX_LINE + 1));
        let test = read("a", long.as_bytes()).expect("reads");
        assert_eq!(test.pipeline.findings[0].code, "shader-test.limit");
        assert_eq!(test.shaders[0].parts[0].text, "\nvoid main() {}\n");
        assert!(looks_like(b"x\n[vertex shader]\r\n") && !looks_like(b"[vertex shaders]\n [vertex shader]\n[test]\n"));
    }
}
