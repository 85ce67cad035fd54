//! The files that can be opened: one table for the loader, folders, dialogs and packages. A type is a row; what opens its
//! files is a row of the loaders in `core/load/src/lib.rs`.

use std::path::Path;

use crate::program::{Format, StageKind};

/// The contents of files of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A SPIR-V module.
    Spirv,
    /// SPIR-V assembly.
    Assembly,
    /// DXIL: a container, or bitcode without one.
    Dxil,
    /// GLSL whose extension says the stage, or that follows one: `a.frag`, `a.frag.glsl`.
    Glsl,
    /// HLSL.
    Hlsl,
    /// A language whose files hold a whole program by themselves.
    Source,
    /// A description of a pipeline.
    Pipeline,
    /// A database of pipelines.
    Database,
    /// What Lanescope wrote: a report, a saved run, rows of a corpus.
    Saved,
}

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub struct FileType {
    /// What it is.
    pub name: &'static str,
    /// Its kind.
    pub kind: FileKind,
    /// What a loader reads it as; `None` for what Lanescope wrote.
    pub format: Option<Format>,
    /// The extension says the format where the content says no other one. Else the content has to.
    pub by_name: bool,
    /// Extensions, in lower case.
    pub extensions: &'static [&'static str],
}

type Extensions = &'static [&'static str];

/// A type that its content tells.
const fn content(name: &'static str, kind: FileKind, format: Format, extensions: Extensions) -> FileType {
    FileType { name, kind, format: Some(format), by_name: false, extensions }
}

/// A type that its extension tells too.
const fn named(name: &'static str, kind: FileKind, format: Format, extensions: Extensions) -> FileType {
    FileType { by_name: true, ..content(name, kind, format, extensions) }
}

const fn saved(name: &'static str, extensions: Extensions) -> FileType {
    FileType { name, kind: FileKind::Saved, format: None, by_name: false, extensions }
}

impl FileKind {
    /// Whether it is a source that is compiled here.
    pub fn is_source(self) -> bool {
        matches!(self, FileKind::Glsl | FileKind::Hlsl | FileKind::Source)
    }
}

/// Every type of file that can be opened.
pub const FILE_TYPES: &[FileType] = &[
    content("SPIR-V", FileKind::Spirv, Format::Spirv, &["spv"]),
    named("SPIR-V assembly", FileKind::Assembly, Format::Spvasm, &["spvasm"]),
    content("DXIL", FileKind::Dxil, Format::Dxil, &["dxil", "cso", "dxbc"]),
    content("DXIL bitcode", FileKind::Dxil, Format::Dxil, &["bc"]),
    content("GLSL", FileKind::Glsl, Format::Glsl, &STAGE_EXTENSIONS),
    named("HLSL", FileKind::Hlsl, Format::Hlsl, &["hlsl"]),
    named("WGSL", FileKind::Source, Format::Wgsl, &["wgsl"]),
    named("Slang", FileKind::Source, Format::Slang, &["slang"]),
    named("LLPC pipeline", FileKind::Pipeline, Format::Pipe, &["pipe"]),
    named("shader test", FileKind::Pipeline, Format::ShaderTest, &["shader_test", "vk_shader_test"]),
    named("Amber script", FileKind::Pipeline, Format::Amber, &["amber"]),
    content("Fossilize database", FileKind::Database, Format::Fossilize, &["foz"]),
    content("state object database", FileKind::Database, Format::StateObjects, &["sodb"]),
    saved("report", &["json"]),
    saved("saved run", &["lanescope-run"]),
    saved("corpus", &["jsonl"]),
];

/// Extensions of which most files are no shader: they open where they are named, and are not looked for in folders.
const NAMED_ONLY: &[&str] = &["bc"];

/// The extensions that say a stage.
pub const STAGES: &[(&str, StageKind)] = &[
    ("vert", StageKind::Vertex),
    ("frag", StageKind::Fragment),
    ("comp", StageKind::Compute),
    ("geom", StageKind::Geometry),
    ("tesc", StageKind::TessControl),
    ("tese", StageKind::TessEval),
    ("task", StageKind::Task),
    ("mesh", StageKind::Mesh),
    ("rgen", StageKind::RayGeneration),
    ("rint", StageKind::Intersection),
    ("rahit", StageKind::AnyHit),
    ("rchit", StageKind::ClosestHit),
    ("rmiss", StageKind::Miss),
    ("rcall", StageKind::Callable),
];

/// Those of [`STAGES`], and the one that may follow them.
const STAGE_EXTENSIONS: [&str; STAGES.len() + 1] = {
    let mut out = ["glsl"; STAGES.len() + 1];
    let mut at = 0;
    while at < STAGES.len() {
        out[at] = STAGES[at].0;
        at += 1;
    }
    out
};

/// The type of a file by its extension, in any case.
pub fn file_type(path: &Path) -> Option<&'static FileType> {
    let extension = path.extension()?.to_str()?;
    let has = |row: &&FileType| row.extensions.iter().any(|own| own.eq_ignore_ascii_case(extension));
    FILE_TYPES.iter().find(has)
}

/// The kind of a file by its extension.
pub fn file_kind(path: &Path) -> Option<FileKind> {
    file_type(path).map(|row| row.kind)
}

/// The format that the extension says of a file whose content says no other one.
pub fn format_by_name(path: &Path) -> Option<Format> {
    file_type(path).filter(|row| row.by_name)?.format
}

/// Whether files of a format are sources that are compiled here.
pub fn is_source(format: Format) -> bool {
    FILE_TYPES.iter().any(|row| row.format == Some(format) && row.kind.is_source())
}

/// The stage of files with an extension: `frag`.
pub fn stage_of_name(extension: &str) -> Option<StageKind> {
    STAGES.iter().find(|(own, _)| own.eq_ignore_ascii_case(extension)).map(|(_, stage)| *stage)
}

/// Whether a source's extension says its language alone, so that one that says a stage may come before it:
/// `a.frag.glsl`.
pub fn says_language_only(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    file_kind(path).is_some_and(FileKind::is_source) && stage_of_name(extension).is_none()
}

/// Whether folders are searched for files of this extension, if it is known.
pub fn is_looked_for(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    !NAMED_ONLY.iter().any(|own| own.eq_ignore_ascii_case(extension))
}

/// What opens as a shader or a pipeline, as a list for messages: `SPIR-V (.spv), …`.
pub fn expected() -> String {
    list(FILE_TYPES.iter().filter(|row| row.kind != FileKind::Saved))
}

/// What is looked for in folders: of these, the types that are mostly shaders.
pub fn expected_in_folders() -> String {
    let named_only = |row: &FileType| row.extensions.iter().all(|own| NAMED_ONLY.contains(own));
    list(FILE_TYPES.iter().filter(|row| row.kind != FileKind::Saved && !named_only(row)))
}

fn list<'r>(rows: impl Iterator<Item = &'r FileType>) -> String {
    let row = |row: &FileType| {
        let shown: Vec<String> = row.extensions.iter().take(3).map(|own| format!(".{own}")).collect();
        let more = if row.extensions.len() > shown.len() { " and others" } else { "" };
        format!("{} ({}{more})", row.name, shown.join(", "))
    };
    let rows: Vec<String> = rows.map(row).collect();
    let (last, rest) = rows.split_last().map_or((String::new(), &[][..]), |(last, rest)| (last.clone(), rest));
    format!("{} or {last}", rest.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_extension_is_listed_once() {
        let mut all: Vec<&str> = FILE_TYPES.iter().flat_map(|row| row.extensions).copied().collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        assert!(all.iter().all(|own| *own == own.to_ascii_lowercase()));
        assert_eq!(file_kind(Path::new("a.ps.DXBC")), Some(FileKind::Dxil));
        assert_eq!(file_kind(Path::new("a.frag")), Some(FileKind::Glsl));
        assert_eq!(file_kind(Path::new("README")), None);
    }

    #[test]
    fn lists_what_opens() {
        let expected = "SPIR-V (.spv), SPIR-V assembly (.spvasm), DXIL (.dxil, .cso, .dxbc), DXIL bitcode (.bc), \
            GLSL (.vert, .frag, .comp and others), HLSL (.hlsl), WGSL (.wgsl), Slang (.slang), LLPC pipeline (.pipe), shader \
            test (.shader_test, .vk_shader_test), Amber script (.amber), Fossilize database (.foz) or state object database (.sodb)";
        assert_eq!(super::expected(), expected);
        assert_eq!(expected_in_folders(), expected.replace("DXIL bitcode (.bc), ", ""));
        assert!(!is_looked_for(Path::new("a.BC")) && is_looked_for(Path::new("a.ps.dxil")));
    }

    #[test]
    fn every_format_has_a_type() {
        for format in Format::ALL {
            assert!(FILE_TYPES.iter().any(|row| row.format == Some(*format)), "{format}");
        }
        assert!(is_source(Format::Wgsl) && !is_source(Format::Spvasm) && !is_source(Format::Pipe));
        assert_eq!(format_by_name(Path::new("a.VK_SHADER_TEST")), Some(Format::ShaderTest));
        assert_eq!([format_by_name(Path::new("a.spv")), format_by_name(Path::new("a.foz"))], [None; 2]);
        let only = |name: &str| says_language_only(Path::new(name));
        assert_eq!(
            [only("a.frag.glsl"), only("a.slang"), only("a.frag"), only("a.spvasm")],
            [true, true, false, false]
        );
    }

    /// The MIME types of packages: a pattern for each extension of shaders' and pipelines' own formats.
    #[test]
    fn packages_know_the_extensions() {
        let packaging = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/packaging");
        let text = std::fs::read_to_string(packaging.join("lanescope-mime.xml")).expect("reads");
        // Text that other programs own.
        let skipped = ["json", "jsonl", "hlsl"];
        let own = FILE_TYPES.iter().filter(|row| row.kind != FileKind::Glsl).flat_map(|row| row.extensions);
        for extension in own.filter(|own| !skipped.contains(own) && !NAMED_ONLY.contains(own)) {
            assert!(text.contains(&format!("<glob pattern=\"*.{extension}\"/>")), "{extension}");
        }
        // Desktops offer the program for each of them.
        let entry = std::fs::read_to_string(packaging.join("lanescope.desktop")).expect("reads");
        let offered = entry.lines().find_map(|line| line.strip_prefix("MimeType=")).expect("the types");
        let declared = text.split("<mime-type type=\"").skip(1).filter_map(|rest| rest.split('"').next());
        for own in declared {
            assert!(offered.split(';').any(|offered| offered == own), "{own}");
        }
    }
}
