//! The sections of a test: their names, and what is in each.

use lanescope_base::StageKind;

/// In which form a section gives a shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// GLSL source, of OpenGL or of Vulkan.
    Glsl,
    /// SPIR-V assembly.
    Spvasm,
    /// The words of a SPIR-V module, as hexadecimal numbers.
    Words,
    /// A vertex shader that passes its first attribute on as the position.
    Passthrough,
    /// An assembly program of OpenGL.
    Program,
}

impl Form {
    /// The form in words.
    pub fn words(self, required: &[&str]) -> &'static str {
        match self {
            Form::Glsl if required.iter().any(|line| is_of_opengl(line)) => "OpenGL GLSL",
            Form::Glsl => "GLSL",
            Form::Spvasm => "SPIR-V text",
            Form::Words => "SPIR-V words",
            Form::Passthrough => "passthrough",
            Form::Program => "assembly program",
        }
    }
}

/// Contents of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// What the test requires.
    Require,
    /// A shader.
    Shader(StageKind, Form),
    /// Known, and not used.
    Ignored,
    Unknown,
}

const STAGES: [(&str, StageKind); 8] = [
    ("vertex", StageKind::Vertex),
    ("tessellation control", StageKind::TessControl),
    ("tessellation evaluation", StageKind::TessEval),
    ("geometry", StageKind::Geometry),
    ("fragment", StageKind::Fragment),
    ("compute", StageKind::Compute),
    ("task", StageKind::Task),
    ("mesh", StageKind::Mesh),
];

/// Sections that say what a test draws with, draws and expects, and what only other programs look at.
const IGNORED: [&str; 7] =
    ["test", "vertex data", "indices", "geometry layout", "shader include", "shader include paths", "buffer data"];

/// The stage of a name.
pub fn stage_of(name: &str) -> Option<StageKind> {
    STAGES.iter().find(|(own, _)| *own == name).map(|(_, stage)| *stage)
}

/// Contents of a section of that name.
pub fn kind_of(name: &str) -> Kind {
    if name == "require" {
        return Kind::Require;
    }
    for (own, stage) in STAGES {
        let Some(rest) = name.strip_prefix(own).and_then(|rest| rest.strip_prefix(' ')) else { continue };
        return match rest {
            "shader" => Kind::Shader(stage, Form::Glsl),
            "shader spirv" => Kind::Shader(stage, Form::Spvasm),
            "shader spirv hex" | "shader binary" => Kind::Shader(stage, Form::Words),
            "shader passthrough" if stage == StageKind::Vertex => Kind::Shader(stage, Form::Passthrough),
            "program" if matches!(stage, StageKind::Vertex | StageKind::Fragment | StageKind::Geometry) => {
                Kind::Shader(stage, Form::Program)
            }
            "shader specializations" => Kind::Ignored,
            _ if IGNORED.contains(&name) => Kind::Ignored,
            _ => Kind::Unknown,
        };
    }
    if IGNORED.contains(&name) { Kind::Ignored } else { Kind::Unknown }
}

/// Whether a line of `[require]` names a version or an extension of OpenGL.
pub fn is_of_opengl(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    matches!(word, "GL" | "GLSL") || word.starts_with("GL_")
}

/// The version of GLSL that a line of `[require]` states, as `#version` writes it: `GLSL >= 1.50` is `150`,
/// `GLSL ES >= 3.10` is `310 es`.
pub fn glsl_version(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (es, number) = match words.as_slice() {
        ["GLSL", ">=" | "=", number] => ("", number),
        ["GLSL", "ES", ">=" | "=", number] => (" es", number),
        _ => return None,
    };
    let (major, minor) = number.split_once('.')?;
    let is_number = |text: &str, digits: usize| text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    (is_number(major, 1) && is_number(minor, 2)).then(|| match (es, major) {
        // The first version for ES has no suffix.
        (" es", "1") => format!("{major}{minor}"),
        (es, _) => format!("{major}{minor}{es}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognises_sections_and_requirements() {
        assert_eq!(kind_of("tessellation control shader"), Kind::Shader(StageKind::TessControl, Form::Glsl));
        assert_eq!(kind_of("fragment shader passthrough"), Kind::Unknown);
        assert_eq!(kind_of("vertex shader specializations"), Kind::Ignored);
        assert_eq!((kind_of("geometry layout"), kind_of("geometry")), (Kind::Ignored, Kind::Unknown));
        assert_eq!(glsl_version("GLSL >= 1.50").as_deref(), Some("150"));
        assert_eq!(glsl_version("GLSL ES >= 3.10").as_deref(), Some("310 es"));
        assert_eq!(glsl_version("GLSL ES >= 1.00").as_deref(), Some("100"));
        assert_eq!([glsl_version("GL >= 3.2"), glsl_version("GLSL >= 1"), glsl_version("GLSL")], [None, None, None]);
        assert!(is_of_opengl("GL_ARB_gpu_shader5") && is_of_opengl("GLSL >= 1.10") && !is_of_opengl("shaderFloat64"));
    }
}
