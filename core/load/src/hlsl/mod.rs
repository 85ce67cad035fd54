//! HLSL source: by the DirectX shader compiler where that is installed, by glslang's HLSL front end where it is not.
//!
//! * `dxc`: libdxcompiler, loaded when it is needed. It makes a DXIL container, which is then read like all containers.
//! * `front_end`: glslang's front end, which is part of this program. It makes SPIR-V, of shader model 5 and some of 6.
//! * `blocks`: the layouts of constant and structured buffers as D3D has them, where the front end's differ.
//! * `registers`: which register a variable of that SPIR-V has, so that its descriptor is the one that DXIL would get.
//! * `beyond`: what the front end does not support.
//! * `names`, `messages`: what DXC calls files, and what it says. `encoding`: sources that are not UTF-8.

mod beyond;
mod blocks;
mod derivative_group;
mod dxc;
mod encoding;
mod front_end;
mod messages;
mod names;
mod registers;

use std::path::{Path, PathBuf};

pub(super) use beyond::without_comments;
pub use dxc::LIBRARY_VARIABLE;
pub use front_end::VERSION as BUILT_IN;
pub(super) use front_end::{Made, load_section};
pub(super) use registers::Resources;

use super::error::Problem;
use super::given::Given;
use super::sniff::stage_of_extension;
use super::{LoadOptions, Loaded, preceding};
use lanescope_model::options::{Conversion, ConversionSwitch, HlslCompiler};
use lanescope_model::program::StageKind;

/// The kinds of profiles, by what they are called in a file's name: `a.ps.hlsl`.
const KINDS: [&str; 9] = ["vs", "hs", "ds", "gs", "ps", "cs", "as", "ms", "lib"];
/// The default shader model.
const MODEL: &str = "6_6";
/// That of libraries with nodes, which came with it.
const MODEL_OF_NODES: &str = "6_8";

/// Checks that a text is a profile of shader model 4, 5 or 6.
///
/// # Errors
/// What was expected.
pub fn profile(text: &str) -> Result<(), String> {
    let mut parts = text.split('_');
    let kind = parts.next().is_some_and(|kind| KINDS.contains(&kind));
    let numbers: Vec<&str> = parts.collect();
    let model = match numbers.as_slice() {
        ["6", minor] => *minor == "x" || minor.parse::<u8>().is_ok(),
        ["4" | "5", minor] => matches!(*minor, "0" | "1"),
        _ => false,
    };
    match kind && model {
        true => Ok(()),
        false => {
            let kinds = KINDS.join(", ");
            Err(format!("`{text}` is not a profile; expected one of {kinds} with a shader model: ps_{MODEL}"))
        }
    }
}

/// The profile that a name says: `a.ps.hlsl` and `a.frag` are `ps_6_6`, nodes are in `lib_6_8`.
fn profile_of(path: &Path, text: &str) -> Option<String> {
    let inner = path.file_stem().and_then(|stem| Path::new(stem).extension()?.to_str());
    let inner = inner.map(str::to_ascii_lowercase).filter(|kind| KINDS.contains(&kind.as_str()));
    let kind = inner.or_else(|| stage_of_extension(path).map(|stage| kind_of(stage).to_owned()));
    // Nodes are in libraries only.
    let has_nodes = kind.as_ref().is_none_or(|kind| kind == "lib") && has_nodes(text);
    let kind = kind.or_else(|| has_nodes.then(|| "lib".to_owned()))?;
    Some(format!("{kind}_{}", if has_nodes { MODEL_OF_NODES } else { MODEL }))
}

/// Whether a text of HLSL has functions that are nodes of a work graph, so that it is a library. Attributes may be written in
/// any case.
pub fn has_nodes(text: &str) -> bool {
    let text = without_comments(text).to_ascii_lowercase();
    has_word(&text, "nodelaunch")
}

/// The kind of the profile that a stage is compiled for.
pub fn kind_of(stage: StageKind) -> &'static str {
    match stage {
        StageKind::Vertex => "vs",
        StageKind::TessControl => "hs",
        StageKind::TessEval => "ds",
        StageKind::Geometry => "gs",
        StageKind::Fragment => "ps",
        StageKind::Compute => "cs",
        StageKind::Task => "as",
        StageKind::Mesh => "ms",
        _ => "lib",
    }
}

/// The available compilers, by their own version texts.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct HlslCompilers {
    /// glslang, whose front end is part of this program, with its version.
    pub built_in: String,
    /// The DirectX shader compiler with its version and its file, or why there is none.
    pub dxc: Result<String, String>,
    /// The variable that names DXC's library is set, so that no other compiler is used.
    pub dxc_is_named: bool,
}

/// Looks for compilers.
pub fn compilers() -> HlslCompilers {
    let built_in = BUILT_IN.to_owned();
    HlslCompilers { built_in, dxc: dxc::version(), dxc_is_named: dxc::is_named() }
}

/// What is compiled.
struct Source<'a> {
    path: &'a Path,
    /// Where the files lie that it includes.
    folder: &'a Path,
    text: &'a str,
    entry: &'a str,
    profile: &'a str,
    /// 16-bit types are 16 bits wide.
    narrow: bool,
    /// Macros, folders and arguments.
    conversion: &'a Conversion,
    /// Files that are included before the text.
    first: &'a [PathBuf],
    /// What stands for contents on disk.
    given: Given<'a>,
}

pub(super) fn load(path: &Path, bytes: Vec<u8>, wanted: &LoadOptions) -> Result<Loaded, Problem> {
    let bytes = encoding::utf8(bytes).map_err(|offset| Problem::NotUtf16 { offset })?;
    let text = String::from_utf8(bytes).map_err(|e| Problem::NotUtf8 { offset: e.utf8_error().valid_up_to() })?;
    if let Some(offset) = text.bytes().position(|b| b == 0) {
        return Err(Problem::ZeroByte { offset });
    }
    let conversion = &wanted.conversion;
    let profile = conversion.profile.clone().filter(|chosen| profile(chosen).is_ok());
    let profile = profile.or_else(|| profile_of(path, &text)).ok_or(Problem::NoProfile)?;
    let entry = entry_of(&text, &profile, &wanted.entries);
    let narrow = conversion.has(ConversionSwitch::Native16Bit);
    let folder = wanted.folder_of(path);
    let first = &preceding::files(conversion)?;
    let given = Given::of(wanted);
    let source = Source { path, folder, text: &text, entry, profile: &profile, narrow, conversion, first, given };
    let dxc = match conversion.hlsl_compiler {
        HlslCompiler::Glslang => Err("excluded by --hlsl-compiler glslang".to_owned()),
        HlslCompiler::Dxc => Ok(dxc::open().map_err(|why| Problem::NoHlslCompiler { why })?),
        // Who names a library wants that one.
        HlslCompiler::Auto if dxc::is_named() => Ok(dxc::open().map_err(|why| Problem::NoHlslCompiler { why })?),
        HlslCompiler::Auto => dxc::open(),
    };
    match dxc {
        Ok(dxc) => {
            let dxc::Made { dxil, includes, warnings } = dxc::compile(&dxc, &source)?;
            Ok(Loaded::Dxil { dxil: Box::new(dxil), source: Some(text), includes, warnings })
        }
        Err(why) => front_end::load(&source, &why, wanted).map(|made| Loaded::Hlsl(Box::new(made))),
    }
}

/// The entry point: of those that are wanted the first one that the text has, or a usual one. One that the text does not
/// have may be in a file that it includes.
fn entry_of<'t>(text: &'t str, profile: &str, wanted: &'t [String]) -> &'t str {
    if let Some(entry) = wanted.iter().find(|name| has_word(text, name)) {
        return entry;
    }
    match (usual_entry(text, profile), wanted) {
        (usual, [only]) if !has_word(text, usual) => only.as_str(),
        (usual, _) => usual,
    }
}

/// The default entry point: `main`, or, where the text has no such word, one that is called after the profile's
/// kind (`ps`, or all of `ps_6_0`), as `PSMain` and `main_ps` are.
pub fn usual_entry<'t>(text: &'t str, profile: &str) -> &'t str {
    if has_word(text, "main") {
        return "main";
    }
    let kind = profile.split('_').next().unwrap_or_default();
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = text.split(|c: char| !joins(c));
    let usual = words.find(|word| {
        let word = word.replace('_', "").to_ascii_lowercase();
        let rest = word.strip_prefix(kind).or_else(|| word.strip_suffix(kind));
        rest == Some("main")
    });
    usual.unwrap_or("main")
}

/// Whether a text contains a name as a whole word.
pub(super) fn has_word(text: &str, name: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    !name.is_empty()
        && text.match_indices(name).any(|(at, _)| {
            let (before, after) = (text.get(..at), text.get(at + name.len()..));
            !before.unwrap_or("").ends_with(joins) && !after.unwrap_or("").starts_with(joins)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profile_is_set_or_follows_from_the_name() {
        let of = |name: &str| profile_of(Path::new(name), "");
        assert_eq!(of("a/lit.ps.hlsl").as_deref(), Some("ps_6_6"));
        assert_eq!(of("rays.LIB.hlsl").as_deref(), Some("lib_6_6"));
        assert_eq!(of("lit.vert").as_deref(), Some("vs_6_6"));
        assert_eq!(of("lit.frag.hlsl").as_deref(), Some("ps_6_6"));
        assert_eq!(of("lit.rgen").as_deref(), Some("lib_6_6"));
        assert_eq!((of("lit.hlsl"), of("lit.old.hlsl"), of("ps.hlsl")), (None, None, None));
        for right in ["cs_6_10", "lib_6_x", "ps_5_0", "vs_5_1", "gs_4_0"] {
            assert!(profile(right).is_ok(), "{right}");
        }
        for wrong in ["", "ps", "ps_6", "ps_3_0", "ps_5_x", "xs_6_0", "ps_6_6_6", "ps_6_-1"] {
            assert!(profile(wrong).is_err_and(|error| error.contains("ps_6_6")), "{wrong}");
        }
    }

    #[test]
    fn libraries_with_nodes_have_a_later_model() {
        let of = |name: &str, text: &str| profile_of(Path::new(name), text);
        let node = "[Shader(\"node\")][nodelaunch(\"thread\")] void A() {}";
        assert_eq!(of("a.lib.hlsl", node).as_deref(), Some("lib_6_8"));
        assert_eq!((of("a.hlsl", node).as_deref(), of("a.hlsl", "void main() {}")), (Some("lib_6_8"), None));
        assert_eq!(of("a.cs.hlsl", node).as_deref(), Some("cs_6_6"));
        assert_eq!(of("a.lib.hlsl", "// NodeLaunch\n").as_deref(), Some("lib_6_6"));
    }

    #[test]
    fn wanted_entry_points_may_be_included() {
        let of = |text, wanted: &[&str]| {
            let wanted: Vec<String> = wanted.iter().map(|&name| name.to_owned()).collect();
            entry_of(text, "cs_6_6", &wanted).to_owned()
        };
        assert_eq!(of("void main() {} void B() {}", &["A", "B"]), "B");
        assert_eq!(of("#include \"a\"", &["A"]), "A");
        assert_eq!(of("void main() {}", &["A"]), "main", "of another file");
        assert_eq!(of("#include \"a\"", &["A", "B"]), "main");
    }

    #[test]
    fn default_entry_point_has_a_usual_name() {
        let of = |text| usual_entry(text, "ps_6_6");
        assert_eq!(of("void VSMain() {} float4 PSMain() {}"), "PSMain");
        assert_eq!(of("float4 main_ps() {}"), "main_ps");
        assert_eq!(of("float4 PSMain() {} float4 main() {}"), "main");
        assert_eq!(of("float4 shade() {}"), "main");
    }

    #[test]
    fn entry_point_is_a_whole_word() {
        let text = "float4 PSMain(float4 p : SV_Position) { return Fog(p); } void VSMain2() {}";
        assert!(has_word(text, "PSMain") && has_word(text, "Fog"));
        assert!(!has_word(text, "VSMain") && !has_word(text, "SMain") && !has_word(text, ""));
    }
}
