//! What a file is: by its content first, by its extension second.

use std::path::Path;

use super::LoadOptions;
use super::error::Problem;
use super::file_types::{self, FileKind, file_kind, file_type, format_by_name, says_language_only, stage_of_name};
use super::hlsl;
use lanescope_base::files::{is_code_object, is_saved_run};
use lanescope_model::program::{Format, StageKind};
use lanescope_pipeline::{pipe, shader_test};
use serde::Deserialize;
use serde::de::IgnoredAny;

/// The stage that a file's name says: `a.frag`, also `a.frag.glsl`, `a.frag.hlsl`, `a.frag.wgsl` and `a.frag.slang`.
pub fn stage_of_extension(path: &Path) -> Option<StageKind> {
    let extension = path.extension()?.to_str()?;
    let before = || says_language_only(path).then(|| stage_of_extension(Path::new(path.file_stem()?))).flatten();
    stage_of_name(extension).or_else(before)
}

/// The stage that the name of a DXIL container or an HLSL file says before its extension, as profiles call it:
/// `a.ps.dxil`. A library has none.
pub fn stage_of_profile(path: &Path) -> Option<StageKind> {
    if !matches!(file_kind(path), Some(FileKind::Dxil | FileKind::Hlsl)) {
        return None;
    }
    Some(match Path::new(path.file_stem()?).extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "vs" => StageKind::Vertex,
        "hs" => StageKind::TessControl,
        "ds" => StageKind::TessEval,
        "gs" => StageKind::Geometry,
        "ps" => StageKind::Fragment,
        "cs" => StageKind::Compute,
        "as" => StageKind::Task,
        "ms" => StageKind::Mesh,
        _ => return None,
    })
}

pub(super) fn sniff(path: &Path, bytes: &[u8], wanted: &LoadOptions) -> Result<Format, Problem> {
    if let Some(magic) = bytes.first_chunk::<4>() {
        if matches!(u32::from_le_bytes(*magic), 0x0723_0203 | 0x0302_2307) {
            return Ok(Format::Spirv);
        }
        if magic == b"DXBC" || *magic == lanescope_dxil::BITCODE_MAGIC {
            return Ok(Format::Dxil);
        }
    }
    if bytes.starts_with(&lanescope_dxil::pdb::MAGIC) {
        return Ok(Format::Dxil);
    }
    if is_code_object(bytes) {
        let why = "it is an AMD code object, which has no SPIR-V; show it with `lanescope inspect`, or compare two \
            with `lanescope diff`";
        return Err(Problem::NotAShader { why: why.to_owned() });
    }
    let named = format_by_name(path);
    let is_text = !bytes.contains(&0) && std::str::from_utf8(bytes).is_ok();
    // Its shaders may be assembly or GLSL.
    if is_text && lanescope_amber::looks_like(bytes) {
        return Ok(Format::Amber);
    }
    if is_text && looks_like_assembly(bytes) {
        return Ok(Format::Spvasm);
    }
    // Its text may have bytes of any encoding in it.
    if named == Some(Format::Pipe) || (is_text && pipe::looks_like(bytes)) {
        return Ok(Format::Pipe);
    }
    if named == Some(Format::ShaderTest) || (is_text && shader_test::looks_like(bytes)) {
        return Ok(Format::ShaderTest);
    }
    let is_glsl = file_kind(path) == Some(FileKind::Glsl) && says_language_only(path);
    match file_kind(path) {
        _ if let Some(format) = named => Ok(format),
        _ if is_text && text_is_wgsl(bytes) => Ok(Format::Wgsl),
        Some(FileKind::Spirv | FileKind::Dxil) => by_extension(path, bytes, is_text, wanted),
        _ if is_glsl => by_extension(path, bytes, is_text, wanted),
        // Who names a profile says that it is HLSL.
        _ if is_text && wanted.conversion.profile.is_some() && own_json(bytes).is_none() && !begins_as_glsl(bytes) => {
            Ok(Format::Hlsl)
        }
        _ => by_extension(path, bytes, is_text, wanted),
    }
}

/// What a file is whose content does not say so.
fn by_extension(path: &Path, bytes: &[u8], is_text: bool, wanted: &LoadOptions) -> Result<Format, Problem> {
    // No source begins as JSON does, whatever is quoted in it.
    let may_be_source = is_text && !bytes.trim_ascii_start().starts_with(b"{");
    match file_kind(path) {
        _ if stage_of_extension(path).is_some() => {
            Ok(if is_text && text_is_hlsl(bytes, WORDS) { Format::Hlsl } else { Format::Glsl })
        }
        _ if is_text && wanted.stage.is_some() && own_json(bytes).is_none() => {
            Ok(if text_is_hlsl(bytes, WORDS) { Format::Hlsl } else { Format::Glsl })
        }
        _ if may_be_source && bytes.windows(8).any(|w| w == b"#version") => Err(Problem::StageUnknown),
        _ if may_be_source && text_is_hlsl(bytes, CERTAIN) => Ok(Format::Hlsl),
        Some(FileKind::Glsl) if is_text => Err(Problem::StageUnknown),
        // Whatever it starts with, the reader says what was expected.
        Some(FileKind::Dxil) => Ok(Format::Dxil),
        Some(FileKind::Spirv) => Err(Problem::Parse(lanescope_spirv::ParseError::Magic { found: first_word(bytes) })),
        _ => Err(Problem::NotAShader {
            why: match own_json(bytes) {
                Some(why) => why.to_owned(),
                None if is_text => {
                    let what = match file_type(path) {
                        None => "text without a known extension that is not SPIR-V assembly",
                        Some(_) => "text that is neither SPIR-V assembly, a report nor a saved run",
                    };
                    format!("{what}; expected {}", file_types::expected())
                }
                None => {
                    let first: Vec<String> = bytes.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
                    let first = first.join(" ");
                    format!("it starts with {first}; expected {}", file_types::expected())
                }
            },
        }),
    }
}

/// Words that HLSL has and GLSL does not: system values, registers, attributes.
const CERTAIN: &[&str] = &["cbuffer", "tbuffer", "register", "numthreads", "ConstantBuffer", "ByteAddressBuffer"];
/// More of them, that a macro of GLSL could be called too.
const WORDS: &[&str] = &[
    "float2",
    "float3",
    "float4",
    "float3x3",
    "float4x4",
    "uint2",
    "uint3",
    "uint4",
    "Texture2D",
    "SamplerState",
    "StructuredBuffer",
    "RWStructuredBuffer",
    "RWTexture2D",
];
/// What only GLSL has: its names of built-ins begin so, its qualifiers.
const OF_GLSL: &[&str] = &["#version", "#extension", "gl_", "layout(", "layout ("];
/// How much of a text is looked at.
const LOOKED_AT: usize = 1 << 20;

/// The beginning of a text, without its comments.
fn looked_at(bytes: &[u8]) -> String {
    hlsl::without_comments(&String::from_utf8_lossy(&bytes[..bytes.len().min(LOOKED_AT)]))
}

/// Whether a line of a text is a directive that only GLSL has.
fn begins_as_glsl(bytes: &[u8]) -> bool {
    let directive = |line: &str| {
        let word = line.trim_start().strip_prefix('#').map(str::trim_start);
        word.is_some_and(|word| word.starts_with("version") || word.starts_with("extension"))
    };
    looked_at(bytes).lines().any(directive)
}

/// Whether a text is HLSL: it has a word of `words`, or one that is certain, and nothing that only GLSL has.
fn text_is_hlsl(bytes: &[u8], words: &[&str]) -> bool {
    let text = looked_at(bytes);
    if OF_GLSL.iter().any(|mark| text.contains(mark)) {
        return false;
    }
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    text.split(|c: char| !joins(c))
        .any(|word| word.starts_with("SV_") || CERTAIN.contains(&word) || words.contains(&word))
}

/// What declarations of WGSL begin with.
const OF_WGSL: &[&str] =
    &["struct", "fn", "var", "const", "override", "alias", "enable", "requires", "diagnostic", "const_assert"];
/// Attributes that only WGSL has, of functions that are entry points.
const WGSL_STAGES: &[&str] = &["@vertex", "@fragment", "@compute"];

/// Whether a text is WGSL: it begins with a declaration, and has a function with the attribute of a stage.
fn text_is_wgsl(bytes: &[u8]) -> bool {
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    let has_mark = bytes.contains(&b'@') && !begins_as_glsl(bytes);
    let text = if has_mark { looked_at(bytes) } else { return false };
    let begin = text.trim_start();
    let first = begin.split(|c: char| !joins(c)).next().unwrap_or_default();
    let is_word = |mark: &&str, at: usize| !text.get(at + mark.len()..).unwrap_or_default().starts_with(joins);
    (begin.starts_with('@') || OF_WGSL.contains(&first))
        && WGSL_STAGES.iter().any(|mark| text.match_indices(mark).any(|(at, _)| is_word(mark, at)))
        && text.split_whitespace().any(|word| word == "fn")
}

/// Members that every report has.
#[derive(Deserialize)]
struct ReportHead {
    #[serde(rename = "schema")]
    _schema: u32,
    #[serde(rename = "inputs")]
    _inputs: Vec<IgnoredAny>,
    #[serde(rename = "stages")]
    _stages: Vec<IgnoredAny>,
}

/// What this program wrote for others to open than those that load shaders.
fn own_json(bytes: &[u8]) -> Option<&'static str> {
    if is_saved_run(bytes) {
        Some("it is a saved run of a work graph; open it with `lanescope inspect` or in the window")
    } else if bytes.trim_ascii_start().starts_with(b"{") && serde_json::from_slice::<ReportHead>(bytes).is_ok() {
        Some("it is a report; open it with `lanescope diff` or in the window")
    } else {
        None
    }
}

fn first_word(bytes: &[u8]) -> u32 {
    let mut word = [0; 4];
    for (to, from) in word.iter_mut().zip(bytes) {
        *to = *from;
    }
    u32::from_le_bytes(word)
}

/// Whether the first line that is not a comment starts with an instruction: `OpX …` or `%id = OpX …`.
fn looks_like_assembly(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(&text[..text.len().min(1 << 16)]);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with(';'));
    let Some(line) = line else { return text.trim_start().starts_with("; SPIR-V") };
    let instruction = match line.split_once('=') {
        Some((id, rest)) if id.trim().starts_with('%') => rest.trim_start(),
        _ => line,
    };
    let opcode = instruction.split_whitespace().next().unwrap_or("");
    opcode.strip_prefix("Op").is_some_and(|name| {
        name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().all(|c| c.is_ascii_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_model::options::Conversion;

    #[test]
    fn content_comes_before_the_extension() {
        let is = |name: &str, bytes: &[u8]| {
            sniff(Path::new(name), bytes, &LoadOptions::default()).map_err(|e| e.to_string())
        };
        assert_eq!(is("a.frag", &[3, 2, 0x23, 7, 0]), Ok(Format::Spirv));
        assert_eq!(is("a.frag", &[7, 0x23, 2, 3, 0]), Ok(Format::Spirv));
        assert_eq!(is("a.frag", b"; c\n  OpCapability Shader\n"), Ok(Format::Spvasm));
        assert_eq!(is("a", b"%1 = OpTypeVoid"), Ok(Format::Spvasm));
        assert_eq!(is("a.frag", b"#version 450\nvoid main() {}"), Ok(Format::Glsl));
        assert_eq!(is("a.vert.glsl", b"void main() {}"), Ok(Format::Glsl));
        assert_eq!(is("a.spvasm", b"nonsense"), Ok(Format::Spvasm));
        let hlsl = b"float4 main(float4 p : SV_Position) : SV_Target { return p; }";
        assert_eq!((is("a.frag", hlsl), is("a.frag.hlsl", hlsl)), (Ok(Format::Hlsl), Ok(Format::Hlsl)));
        assert_eq!(is("a.glsl", hlsl), Ok(Format::Hlsl));
        assert_eq!(is("a.frag", b"Texture2D t;\nint main() { return 1; }"), Ok(Format::Hlsl));
        assert_eq!(is("a.fx", b"cbuffer C { int a; };"), Ok(Format::Hlsl));
        for glsl in [
            "// float4 of HLSL\nvoid main() { gl_Position = vec4(0); }",
            "#define float4 vec4\nlayout(location = 0) out float4 c;\nvoid main() { c = float4(0); }",
            "#version 450\n#define SV_Target 0\n",
            "void main() {}",
        ] {
            assert_eq!(is("a.vert", glsl.as_bytes()), Ok(Format::Glsl), "{glsl}");
        }
        assert_eq!(is("a.rchit", b"#version 460\n"), Ok(Format::Glsl));
        assert_eq!(is("a.bin", b"BC\xc0\xde...."), Ok(Format::Dxil));
        assert_eq!(is("a.ps.hlsl", b"float4 main() : SV_Target0 { return 1; }"), Ok(Format::Hlsl));
        assert!(is("a.txt", b"#version 450").is_err_and(|e| e.contains(".vert")));
        assert_eq!(is("a.pipe", b"anything"), Ok(Format::Pipe));
        assert_eq!(is("a.txt", b"; dumped\n[Version]\nversion = 75\n"), Ok(Format::Pipe));
        assert!(is("a.txt", b"[section]\n").is_err());
        assert_eq!(is("a.shader_test", b"\xff"), Ok(Format::ShaderTest));
        assert_eq!(is("a.txt", b"# x\n[vertex shader]\n#version 450\n"), Ok(Format::ShaderTest));
        assert_eq!(is("a.txt", b"#!amber\nSHADER compute a SPIRV-ASM\nOpCapability Shader\n"), Ok(Format::Amber));
        assert_eq!(is("a.amber", b"BUFFER"), Ok(Format::Amber));
        // Scripts of VkRunner have this extension too.
        assert_eq!(is("a.amber", b"[vertex shader passthrough]\n"), Ok(Format::ShaderTest));
        assert_eq!(is("a.bin", b"DXBC...."), Ok(Format::Dxil));
        assert_eq!(is("a.pdb", b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0...."), Ok(Format::Dxil));
        assert_eq!(is("a.dxil", &[0, 1]), Ok(Format::Dxil));
        assert!(is("a.spv", &[1, 2, 3, 4]).is_err_and(|e| e.contains("0x04030201")));
        assert!(is("a.bin", &[0xff]).is_err());
        assert!(
            is("a.png", b"\x89PNG\r\n\x1a\n\0").is_err_and(|e| e.contains("starts with 89 50 4e 47; expected SPIR-V"))
        );
        // Nothing is promised that is not opened here.
        let promises = |name: &str, bytes: &[u8]| is(name, bytes).is_err_and(|e| e.contains("report (.json)"));
        assert!(
            ![("a.png", &b"\x89PNG"[..]), ("a.json", b"{}"), ("a", b"x")].iter().any(|(name, b)| promises(name, b))
        );
        assert!(is("a.json", b"{}").is_err_and(|e| e.contains("neither SPIR-V assembly, a report nor a saved run")));
        assert!(is("a.glsl", b"void main() {}").is_err_and(|e| e.contains("GLSL without a known stage")));
        assert!(is("a.json", b"{\"lanescope_run\": 1}").is_err_and(|e| e.contains("saved run")));
        assert!(is("a.json", b"{\"schema\": 1}").is_err_and(|e| e.contains("expected SPIR-V (.spv)")));
        // What it quotes of a shader makes no shader of it.
        for quoted in ["SV_Position", "cbuffer", "#version 450"] {
            let report = format!("{{\"schema\": 2, \"inputs\": [], \"stages\": [\"{quoted}\"]}}");
            let found = is("a.json", report.as_bytes());
            assert!(found.as_ref().is_err_and(|e| e.contains("it is a report")), "{quoted}: {found:?}");
            let cut = is("a.json", &report.as_bytes()[..report.len() - 1]);
            assert!(cut.as_ref().is_err_and(|e| e.contains("neither SPIR-V assembly, a report")), "{quoted}: {cut:?}");
        }
    }

    #[test]
    fn wgsl_has_its_extension_or_attributes_of_stages() {
        let is = |name: &str, text: &str| {
            sniff(Path::new(name), text.as_bytes(), &LoadOptions::default()).map_err(|e| e.to_string())
        };
        let pair = "// vs\nstruct V { @location(0) a: f32 }\n@vertex fn vs() -> V { return V(1.0); }\n";
        for name in ["a.wgsl", "a.frag.wgsl", "-", "a.txt", "a", "a.vert"] {
            assert_eq!(is(name, pair), Ok(Format::Wgsl), "{name}");
        }
        assert_eq!(is("a", "@compute\n@workgroup_size(8)\nfn main() {}"), Ok(Format::Wgsl));
        assert_eq!(is("a.wgsl", "nonsense"), Ok(Format::Wgsl));
        assert_eq!(is("a.comp", "#version 450\n// @compute fn\nvoid main() {}"), Ok(Format::Glsl));
        assert_eq!(is("a.hlsl", pair), Ok(Format::Hlsl));
        for other in ["// @vertex fn\nstruct A;", "@computed fn f() {}", "{\"a\": \"@vertex fn vs\"}", "mail@vertex fn"]
        {
            assert!(is("a.txt", other).is_err(), "{other}");
        }
        assert_eq!(stage_of_extension(Path::new("a.vert.wgsl")), Some(StageKind::Vertex));
    }

    #[test]
    fn text_with_a_profile_is_hlsl() {
        let conversion = Conversion { profile: Some("lib_6_3".to_owned()), ..Conversion::default() };
        let wanted = LoadOptions { conversion, ..LoadOptions::default() };
        let is = |name: &str, bytes: &[u8]| sniff(Path::new(name), bytes, &wanted).map_err(|e| e.to_string());
        let bell = b"struct D { uint v; };\n[shader(\"callable\")] void Bell(inout D d) { d.v += 3; }";
        for name in ["a.rcall", "a.frag", "a.hlsl", "a.fx", "a.txt", "a", "-", "/dev/fd/63"] {
            assert_eq!(is(name, bell), Ok(Format::Hlsl), "{name}");
        }
        assert_eq!(is("a.comp", b"void main() { image_layout(gl_x); }"), Ok(Format::Hlsl));
        // Of another file of the pipeline.
        assert_eq!(is("a.vert", b"// x\n # version 450\nvoid main() {}"), Ok(Format::Glsl));
        assert_eq!(is("a.vert.glsl", b"void main() {}"), Ok(Format::Glsl));
        assert_eq!(is("a.frag", b"; c\n  OpCapability Shader\n"), Ok(Format::Spvasm));
        assert_eq!(is("a.frag", &[3, 2, 0x23, 7, 0]), Ok(Format::Spirv));
        for name in ["a.dxil", "a.cso", "a.dxbc", "a.bc"] {
            assert_eq!(is(name, b"text"), Ok(Format::Dxil), "{name}");
        }
        assert!(is("a.glsl", b"void main() {}").is_err_and(|e| e.contains("GLSL without a known stage")));
        assert!(is("a.bin", &[0xff]).is_err() && is("a.spv", b"text").is_err());
        assert!(is("a.json", b"{\"lanescope_run\": 1}").is_err_and(|e| e.contains("saved run")));
    }

    #[test]
    fn text_with_an_explicit_stage_is_glsl() {
        let wanted = LoadOptions { stage: Some(StageKind::Fragment), ..LoadOptions::default() };
        let is = |name: &str, bytes: &[u8]| sniff(Path::new(name), bytes, &wanted).map_err(|e| e.to_string());
        assert_eq!(is("-", b"#version 450\nvoid main() {}"), Ok(Format::Glsl));
        assert_eq!(is("-", b"OpCapability Shader\n"), Ok(Format::Spvasm));
        assert_eq!(is("-", &[3, 2, 0x23, 7]), Ok(Format::Spirv));
        assert!(is("-", &[0xff]).is_err());
    }

    #[test]
    fn container_names_give_the_stage() {
        let stage = |name: &str| stage_of_profile(Path::new(name));
        assert_eq!(stage("a/lit.vs.dxil"), Some(StageKind::Vertex));
        assert_eq!(stage("a.b.PS.HLSL"), Some(StageKind::Fragment));
        assert_eq!([stage("a.lib.dxil"), stage("a.dxil"), stage("a.vs.spv"), stage("vs")], [None; 4]);
    }
}
