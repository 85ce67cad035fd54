//! The shaders of a description, by its text alone.

use std::ops::Range;
use std::path::Path;

use lanescope_core::amber::script::{ShaderFormat, ShaderStage};
use lanescope_core::load::file_types::format_by_name;
use lanescope_core::program::{Format, StageKind};
use lanescope_core::source_sections;

use super::Language;

/// A shader in a description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Its bytes.
    pub bytes: Range<usize>,
    /// Its language.
    pub language: Language,
    /// Its stage.
    pub stage: StageKind,
}

/// The shaders in GLSL and HLSL of a file, in the order of the text; none of a file that is no description.
pub fn sections(path: &Path, text: &str) -> Vec<Section> {
    match format_by_name(path) {
        Some(Format::Pipe | Format::ShaderTest) => {
            let section = |one: lanescope_core::SourceSection| Section {
                bytes: one.bytes,
                language: if one.is_hlsl { Language::Hlsl } else { Language::Glsl },
                stage: one.stage,
            };
            source_sections(text).into_iter().map(section).collect()
        }
        Some(Format::Amber) => of_script(text),
        _ => Vec::new(),
    }
}

/// The shaders of an Amber script: from `SHADER stage name format` to `END`.
fn of_script(text: &str) -> Vec<Section> {
    let mut out = Vec::new();
    let mut open: Option<(Language, StageKind, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        let words: Vec<&str> = line.split_whitespace().take(5).collect();
        match (open, words.as_slice()) {
            (None, ["SHADER", stage, _, format, ..]) => {
                open = stage_of(stage).zip(language_of(format)).map(|(stage, language)| (language, stage, end));
            }
            (Some((language, stage, start)), ["END", ..]) => {
                out.push(Section { bytes: start..at, language, stage });
                open = None;
            }
            _ => {}
        }
        at = end;
    }
    out
}

fn language_of(format: &str) -> Option<Language> {
    match ShaderFormat::ALL.iter().find(|one| one.name() == format)? {
        ShaderFormat::Glsl => Some(Language::Glsl),
        ShaderFormat::Hlsl => Some(Language::Hlsl),
        _ => None,
    }
}

fn stage_of(name: &str) -> Option<StageKind> {
    Some(match ShaderStage::ALL.iter().find(|one| one.name() == name)? {
        ShaderStage::Vertex => StageKind::Vertex,
        ShaderStage::Fragment => StageKind::Fragment,
        ShaderStage::Geometry => StageKind::Geometry,
        ShaderStage::TessEval => StageKind::TessEval,
        ShaderStage::TessControl => StageKind::TessControl,
        ShaderStage::Compute => StageKind::Compute,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_have_shaders_up_to_their_end() {
        let text = "#!amber\nSHADER vertex v PASSTHROUGH\nSHADER fragment f GLSL\nvoid main() {}\nEND\n\
                    SHADER compute c SPIRV-ASM\nOpCapability Shader\nEND\nSHADER vertex h HLSL\nx";
        let found = sections(Path::new("a.amber"), text);
        let shown: Vec<_> = found.iter().map(|one| (one.stage, one.language, &text[one.bytes.clone()])).collect();
        assert_eq!(shown, [(StageKind::Fragment, Language::Glsl, "void main() {}\n")]);
        assert_eq!(sections(Path::new("a.frag"), text), []);
        assert_eq!(sections(Path::new("a.pipe"), "[FsHlsl]\nx")[0].language, Language::Hlsl);
    }
}
