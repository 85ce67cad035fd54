//! Where descriptions have the text of shaders: what an editor completes while a description does not read.

use std::ops::Range;

use lanescope_base::StageKind;

use crate::{pipe, shader_test};

/// The text of a shader in a description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceSection {
    /// Its stage.
    pub stage: StageKind,
    /// Whether it is HLSL; else GLSL.
    pub is_hlsl: bool,
    /// Its bytes in the description.
    pub bytes: Range<usize>,
}

/// The sections of a `.pipe` file or a shader test that are GLSL or HLSL, in the order of the text.
pub fn source_sections(text: &str) -> Vec<SourceSection> {
    let mut out: Vec<SourceSection> = Vec::new();
    let mut open: Option<(StageKind, bool, usize)> = None;
    let mut at = 0;
    let close = |open: Option<(StageKind, bool, usize)>, end: usize| {
        open.map(|(stage, is_hlsl, start)| SourceSection { stage, is_hlsl, bytes: start..end })
    };
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        let name = line.trim_end().strip_prefix('[').and_then(|line| line.strip_suffix(']'));
        // A line of source may begin with a bracket.
        if let Some(kind) = name.and_then(kind) {
            out.extend(close(open.take(), at));
            open = kind.map(|(stage, is_hlsl)| (stage, is_hlsl, end));
        }
        at = end;
    }
    out.extend(close(open, at));
    out
}

/// What a section of a name has; none where no description has such a section.
fn kind(name: &str) -> Option<Option<(StageKind, bool)>> {
    match (pipe::section_kind(name), shader_test::section_kind(name)) {
        (pipe::Kind::Source(stage, pipe::Form::Glsl), _)
        | (_, shader_test::Kind::Shader(stage, shader_test::Form::Glsl)) => Some(Some((stage, false))),
        (pipe::Kind::Source(stage, pipe::Form::Hlsl), _) => Some(Some((stage, true))),
        (pipe::Kind::Unknown, shader_test::Kind::Unknown) => None,
        _ => Some(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(StageKind, bool, &str)> {
        source_sections(text).into_iter().map(|one| (one.stage, one.is_hlsl, &text[one.bytes])).collect()
    }

    #[test]
    fn sections_are_those_with_source() {
        let pipe =
            "[Version]\nversion = 40\n[VsGlsl]\nvoid a();\n[0]\n[VsInfo]\nentryPoint = main\n[FsHlsl]\nfloat4 b;";
        let expected = [(StageKind::Vertex, false, "void a();\n[0]\n"), (StageKind::Fragment, true, "float4 b;")];
        assert_eq!(found(pipe), expected);
        let test = "[require]\nGLSL >= 4.50\n[vertex shader]\r\nx\n[tessellation control shader]\n[test]\nclear\n";
        assert_eq!(found(test), [(StageKind::Vertex, false, "x\n"), (StageKind::TessControl, false, "")]);
        assert_eq!(found("[VsGlsl"), []);
    }
}
