//! Several texts of GLSL that are one program, as OpenGL links them: names connect the stages, and what has no location or
//! binding gets one.

use std::ffi::CString;

use glslang_sys as sys;
use lanescope_base::StageKind;

use super::handles::{Program, Shader};
use super::include::{Context, NoIncludes, callbacks};
use super::{Language, c_string, input_of, is_started, stage_of, wrapping_version};

/// One text. Several of one stage are linked.
#[derive(Debug, Clone, Copy)]
pub struct Part<'a> {
    /// The text. The main text is named by an empty string in lines of instructions.
    pub text: &'a str,
    /// Its stage.
    pub stage: StageKind,
}

/// The rules that a program's texts follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rules {
    /// GLSL for Vulkan.
    Vulkan,
    /// GLSL for OpenGL, as far as it can be read as GLSL for Vulkan: uniforms outside of blocks are members of one block,
    /// locations and bindings are given where the text has none.
    OpenGl,
}

/// What became of a program.
#[derive(Debug, Clone, Default)]
pub struct Linked {
    /// The stages with their modules, or the compiler's messages: each stage once, in the order of the texts.
    pub stages: Vec<(StageKind, Result<Vec<u32>, String>)>,
}

/// Compiles the texts of one program.
///
/// # Errors
/// The messages of the linker, where each text compiles; a compiler that does not start.
pub fn compile_linked(parts: &[Part<'_>], rules: Rules) -> Result<Linked, String> {
    if !is_started() {
        return Err("glslang could not be started".to_owned());
    }
    let mut linked = Linked::default();
    for part in parts {
        if !linked.stages.iter().any(|(stage, _)| *stage == part.stage) {
            linked.stages.push((part.stage, Ok(Vec::new())));
        }
    }
    let mut none = NoIncludes;
    let mut context = Context::new(&mut none);
    let mut texts: Vec<(StageKind, CString)> = Vec::new();
    for part in parts {
        let text = match wrapping_version(part.text) {
            Some((line, number)) => Err(format!("ERROR: 0:{line}: '#version' : {number} is not a version")),
            None => c_string("the text", part.text),
        };
        match text {
            Ok(text) => texts.push((part.stage, text)),
            Err(why) => linked.fail(part.stage, why),
        }
    }
    let input = |(stage, text): &(StageKind, CString)| sys::glslang_input_t {
        callbacks: callbacks(),
        callbacks_ctx: context.pointer(),
        ..input_of(Language::Glsl, *stage, text)
    };
    let inputs: Vec<sys::glslang_input_t> = texts.iter().map(input).collect();
    let mut shaders: Vec<(StageKind, Shader<'_>)> = Vec::new();
    for ((stage, _), input) in texts.iter().zip(&inputs) {
        match parsed(input, rules) {
            Ok(shader) => shaders.push((*stage, shader)),
            Err(why) => linked.fail(*stage, why),
        }
    }
    shaders.retain(|(stage, _)| linked.stages.iter().any(|(other, made)| other == stage && made.is_ok()));
    let Some((first, rest)) = shaders.split_first() else { return Ok(linked) };
    let program = Program::new(&first.1).ok_or("glslang could not make a program")?;
    rest.iter().for_each(|(_, shader)| program.add(shader));
    program.link()?;
    if rules == Rules::OpenGl {
        program.map_io(stage_of(first.0)).map_err(|why| match why.as_str() {
            "" => "glslang could not give locations and bindings to all that has none".to_owned(),
            _ => why,
        })?;
    }
    for (stage, made) in linked.stages.iter_mut().filter(|(_, made)| made.is_ok()) {
        *made = Ok(program.words(stage_of(*stage), true));
    }
    Ok(linked)
}

impl Linked {
    /// Adds messages about a stage.
    fn fail(&mut self, stage: StageKind, why: String) {
        let Some((_, made)) = self.stages.iter_mut().find(|(other, _)| *other == stage) else { return };
        match made {
            Err(known) => *known = format!("{known}\n{why}"),
            Ok(_) => *made = Err(why),
        }
    }
}

fn parsed(input: &sys::glslang_input_t, rules: Rules) -> Result<Shader<'_>, String> {
    let shader = Shader::new(input).ok_or("glslang could not make a shader")?;
    if rules == Rules::OpenGl {
        shader.take_opengl();
    }
    shader.preprocess()?;
    shader.parse()?;
    Ok(shader)
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERTEX: &str = "#version 150\nin vec4 piglit_vertex;\nin vec2 at;\nuniform mat4 scale;\nout vec2 uv;\nout vec3 n;\n\
                          void main() { gl_Position = scale * piglit_vertex; uv = at; n = vec3(gl_VertexID); }\n";
    const FRAGMENT: &str = "#version 150\nin vec3 n;\nin vec2 uv;\nuniform sampler2D tex;\nuniform float gain;\n\
                            out vec4 color;\nvoid main() { color = texture(tex, uv) * gain + vec4(n, 1.0); }\n";

    fn parts<'t>(vertex: &'t str, fragment: &'t str) -> [Part<'t>; 2] {
        [Part { text: vertex, stage: StageKind::Vertex }, Part { text: fragment, stage: StageKind::Fragment }]
    }

    /// Instructions of a module: the words of each.
    fn insts(words: &[u32]) -> Vec<&[u32]> {
        let mut rest = words.get(5..).unwrap_or_default();
        let mut out = Vec::new();
        while let [first, ..] = rest {
            let (inst, more) = rest.split_at(((first >> 16).max(1) as usize).min(rest.len()));
            out.push(inst);
            rest = more;
        }
        out
    }

    /// The location of the variable of a name.
    fn location(words: &[u32], name: &str) -> Option<u32> {
        let text = |words: &[u32]| {
            let bytes: Vec<u8> =
                words.iter().flat_map(|word| word.to_le_bytes()).take_while(|byte| *byte != 0).collect();
            String::from_utf8(bytes).unwrap_or_default()
        };
        let insts = insts(words);
        let id = insts.iter().find(|inst| inst[0] & 0xffff == 5 && text(&inst[2..]) == name)?[1];
        insts.iter().find(|inst| inst[0] & 0xffff == 71 && inst[1] == id && inst[2] == 30).map(|inst| inst[3])
    }

    #[test]
    fn names_connect_the_stages_of_opengl() {
        let linked = compile_linked(&parts(VERTEX, FRAGMENT), Rules::OpenGl).expect("links");
        let [(_, Ok(vertex)), (_, Ok(fragment))] = linked.stages.as_slice() else { panic!("{linked:?}") };
        for name in ["uv", "n"] {
            assert!(location(vertex, name).is_some(), "{name}");
            assert_eq!(location(vertex, name), location(fragment, name), "{name}");
        }
        assert_ne!(location(vertex, "uv"), location(vertex, "n"));
        assert!(location(vertex, "at").is_some() && location(fragment, "color").is_some());
    }

    #[test]
    fn a_text_that_is_wrong_spares_the_others() {
        let linked = compile_linked(&parts(VERTEX, "#version 150\nvoid main() { x = 1; }\n"), Rules::OpenGl);
        let linked = linked.expect("one stage compiles");
        let [(_, Ok(vertex)), (_, Err(why))] = linked.stages.as_slice() else { panic!("{linked:?}") };
        assert!(!vertex.is_empty() && why.contains("0:2: 'x'"), "{why}");
    }

    #[test]
    fn several_texts_of_a_stage_are_linked() {
        let [first, second] = ["float half_of(float x);\n", "float half_of(float x) { return x / 2.0; }\n"];
        let main =
            format!("#version 450\n{first}layout(location = 0) out float c;\nvoid main() {{ c = half_of(1.0); }}\n");
        let more = format!("#version 450\n{second}");
        let parts = [&main, &more].map(|text| Part { text, stage: StageKind::Fragment });
        let linked = compile_linked(&parts, Rules::Vulkan).expect("links");
        assert!(matches!(linked.stages.as_slice(), [(StageKind::Fragment, Ok(words))] if !words.is_empty()));
        assert!(compile_linked(&parts[..1], Rules::Vulkan).is_err_and(|why| why.contains("half_of")), "no body");
    }
}
