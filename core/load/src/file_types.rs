//! The files that can be opened: one table for the loader, folders, dialogs and packages.

use std::path::Path;

use lanescope_model::program::StageKind;

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
    /// WGSL.
    Wgsl,
    /// Slang.
    Slang,
    /// A description of a pipeline, or a database of them.
    Pipeline,
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
    /// Extensions, in lower case.
    pub extensions: &'static [&'static str],
}

const fn row(name: &'static str, kind: FileKind, extensions: &'static [&'static str]) -> FileType {
    FileType { name, kind, extensions }
}

/// Every type of file that can be opened.
pub const FILE_TYPES: &[FileType] = &[
    row("SPIR-V", FileKind::Spirv, &["spv"]),
    row("SPIR-V assembly", FileKind::Assembly, &["spvasm"]),
    row("DXIL", FileKind::Dxil, &["dxil", "cso", "dxbc"]),
    row("DXIL bitcode", FileKind::Dxil, &["bc"]),
    row("GLSL", FileKind::Glsl, &STAGE_EXTENSIONS),
    row("HLSL", FileKind::Hlsl, &["hlsl"]),
    row("WGSL", FileKind::Wgsl, &["wgsl"]),
    row("Slang", FileKind::Slang, &["slang"]),
    row("LLPC pipeline", FileKind::Pipeline, &["pipe"]),
    row("shader test", FileKind::Pipeline, &["shader_test", "vk_shader_test"]),
    row("Amber script", FileKind::Pipeline, &["amber"]),
    row("Fossilize database", FileKind::Pipeline, &["foz"]),
    row("report", FileKind::Saved, &["json"]),
    row("saved run", FileKind::Saved, &["lanescope-run"]),
    row("corpus", FileKind::Saved, &["jsonl"]),
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
            test (.shader_test, .vk_shader_test), Amber script (.amber) or Fossilize database (.foz)";
        assert_eq!(super::expected(), expected);
        assert_eq!(expected_in_folders(), expected.replace("DXIL bitcode (.bc), ", ""));
        assert!(!is_looked_for(Path::new("a.BC")) && is_looked_for(Path::new("a.ps.dxil")));
    }

    /// The MIME types of packages: a pattern for each extension of shaders' and pipelines' own formats.
    #[test]
    fn packages_know_the_extensions() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/packaging/lanescope-mime.xml");
        let text = std::fs::read_to_string(path).expect("reads");
        // Text that other programs own.
        let skipped = ["json", "jsonl", "hlsl"];
        let own = FILE_TYPES.iter().filter(|row| row.kind != FileKind::Glsl).flat_map(|row| row.extensions);
        for extension in own.filter(|own| !skipped.contains(own) && !NAMED_ONLY.contains(own)) {
            assert!(text.contains(&format!("<glob pattern=\"*.{extension}\"/>")), "{extension}");
        }
    }
}
