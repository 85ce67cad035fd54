//! Several texts of GLSL that are one program, as OpenGL links them: names connect the stages, and what has no location or
//! binding gets one.

use std::ffi::{CStr, CString};

use glslang_sys as sys;
use lanescope_base::{StageKind, TargetEnv};

use super::handles::{Program, Shader};
use super::include::{Context, Includes, callbacks};
use super::{
    Language, c_string, input_of, is_started, preamble_of, stage_of, versions_of, with_main_text_named,
    wrapping_version,
};

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

/// How a program's texts are read.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    /// The rules.
    pub rules: Rules,
    /// Macros that are defined before each text: `NAME` or `NAME=VALUE`.
    pub macros: &'a [String],
    /// What they are compiled for.
    pub env: TargetEnv,
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
pub fn compile_linked(
    parts: &[Part<'_>],
    reading: &Reading<'_>,
    includes: &mut dyn Includes,
) -> Result<Linked, String> {
    if !is_started() {
        return Err("glslang could not be started".to_owned());
    }
    let mut linked = Linked::default();
    for part in parts {
        if !linked.stages.iter().any(|(stage, _)| *stage == part.stage) {
            linked.stages.push((part.stage, Ok(Vec::new())));
        }
    }
    let preamble = c_string("the value of a macro", &preamble_of(reading.macros)?)?;
    let preamble = Some(preamble.as_c_str()).filter(|_| !reading.macros.is_empty());
    let (client_version, target_language_version) = versions_of(reading.env);
    let mut context = Context::new(includes);
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
        client_version,
        target_language_version,
        callbacks: callbacks(),
        callbacks_ctx: context.pointer(),
        ..input_of(Language::Glsl, *stage, text)
    };
    let inputs: Vec<sys::glslang_input_t> = texts.iter().map(input).collect();
    let mut shaders: Vec<(StageKind, Shader<'_>)> = Vec::new();
    for ((stage, _), input) in texts.iter().zip(&inputs) {
        match parsed(input, reading.rules, preamble) {
            Ok(shader) => shaders.push((*stage, shader)),
            Err(why) => linked.fail(*stage, why),
        }
    }
    shaders.retain(|(stage, _)| linked.stages.iter().any(|(other, made)| other == stage && made.is_ok()));
    let Some((first, rest)) = shaders.split_first() else { return Ok(linked) };
    let program = Program::new(&first.1).ok_or("glslang could not make a program")?;
    rest.iter().for_each(|(_, shader)| program.add(shader));
    program.link()?;
    if reading.rules == Rules::OpenGl {
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

fn parsed<'i>(input: &'i sys::glslang_input_t, rules: Rules, preamble: Option<&CStr>) -> Result<Shader<'i>, String> {
    let shader = Shader::new(input).ok_or("glslang could not make a shader")?;
    if rules == Rules::OpenGl {
        shader.take_opengl();
    }
    preamble.iter().for_each(|preamble| shader.set_preamble(preamble));
    shader.preprocess()?;
    if preamble.is_some() {
        // The text after preprocessing is read once more.
        shader.set_preamble(c"");
    }
    if let Some(named) = with_main_text_named(&shader.preprocessed()) {
        shader.set_preprocessed(&c_string("the text after preprocessing", &named)?);
    }
    shader.parse()?;
    Ok(shader)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Include, NoIncludes};

    const VERTEX: &str = "#version 150\nin vec4 piglit_vertex;\nin vec2 at;\nuniform mat4 scale;\nout vec2 uv;\nout vec3 n;\n\
                          void main() { gl_Position = scale * piglit_vertex; uv = at; n = vec3(gl_VertexID); }\n";
    const FRAGMENT: &str = "#version 150\nin vec3 n;\nin vec2 uv;\nuniform sampler2D tex;\nuniform float gain;\n\
                            out vec4 color;\nvoid main() { color = texture(tex, uv) * gain + vec4(n, 1.0); }\n";

    fn parts<'t>(vertex: &'t str, fragment: &'t str) -> [Part<'t>; 2] {
        [Part { text: vertex, stage: StageKind::Vertex }, Part { text: fragment, stage: StageKind::Fragment }]
    }

    fn linked(parts: &[Part<'_>], rules: Rules) -> Result<Linked, String> {
        compile_linked(parts, &Reading { rules, macros: &[], env: TargetEnv::Vulkan13 }, &mut NoIncludes)
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
        let linked = linked(&parts(VERTEX, FRAGMENT), Rules::OpenGl).expect("links");
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
        let linked = linked(&parts(VERTEX, "#version 150\nvoid main() { x = 1; }\n"), Rules::OpenGl);
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
        let all = linked(&parts, Rules::Vulkan).expect("links");
        assert!(matches!(all.stages.as_slice(), [(StageKind::Fragment, Ok(words))] if !words.is_empty()));
        assert!(linked(&parts[..1], Rules::Vulkan).is_err_and(|why| why.contains("half_of")), "no body");
    }
    #[test]
    fn texts_have_macros_includes_and_an_environment() {
        struct One;
        impl Includes for One {
            fn include(&mut self, name: &str, _: &str, _: usize) -> Option<Include> {
                let text = "float one() {\n    return ONE;\n}\n".to_owned();
                (name == "one.glsl").then(|| Include { name: "/one.glsl".to_owned(), text })
            }
        }
        let vertex = "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"one.glsl\"\n\
                      void main() { gl_Position = vec4(one() * SIZE); }\n";
        let fragment = "#version 450\nlayout(location = 0) out float c;\nvoid main() { c = SIZE; }\n";
        let macros = ["ONE=1.0".to_owned(), "SIZE=2.0".to_owned()];
        for (env, version) in [(TargetEnv::Vulkan10, 0x1_0000), (TargetEnv::Vulkan12, 0x1_0500)] {
            let reading = Reading { rules: Rules::Vulkan, macros: &macros, env };
            let linked = compile_linked(&parts(vertex, fragment), &reading, &mut One).expect("links");
            for (stage, made) in &linked.stages {
                let words = made.as_ref().unwrap_or_else(|why| panic!("{stage}: {why}"));
                assert_eq!(words[1], version);
            }
            let without = compile_linked(&parts(vertex, fragment), &reading, &mut NoIncludes).expect("one compiles");
            assert!(matches!(&without.stages[0].1, Err(why) if why.contains("one.glsl")));
            let reading = Reading { macros: &macros[..1], ..reading };
            let without = compile_linked(&parts(vertex, fragment), &reading, &mut One).expect("nothing is linked");
            assert!(without.stages.iter().all(|(_, made)| made.as_ref().is_err_and(|why| why.contains("SIZE"))));
        }
    }
}
