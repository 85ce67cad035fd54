//! What the names of one pipeline's files have in common.

use std::cmp::Ordering;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use lanescope_core::load::file_types::{FileKind, file_kind, says_language_only};
use lanescope_core::load::{stage_of_extension, stage_of_profile};

/// A part of a file's name, and what stands for the rest.
#[derive(Debug, Clone, Copy)]
pub struct CommonName<'n> {
    /// The part.
    pub stem: &'n OsStr,
    /// What follows it.
    pub suffix: &'static str,
}

impl CommonName<'_> {
    /// The name.
    pub fn bytes(&self) -> impl Iterator<Item = u8> {
        self.stem.as_bytes().iter().chain(self.suffix.as_bytes()).copied()
    }
}

impl PartialEq for CommonName<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for CommonName<'_> {}

impl PartialOrd for CommonName<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for CommonName<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.suffix, other.suffix) {
            ("", "") => self.stem.as_bytes().cmp(other.stem.as_bytes()),
            _ => self.bytes().cmp(other.bytes()),
        }
    }
}

/// What the files of one pipeline have in common; `None` if the name is not a shader's.
pub fn common_name(name: &OsStr) -> Option<CommonName<'_>> {
    let whole = |stem| Some(CommonName { stem, suffix: "" });
    if stage_of_profile(Path::new(name)).is_some() {
        // `lit.vs.hlsl` and `lit.vs.dxil` are one shader, other than `lit.vert`.
        return Some(CommonName { stem: shorter(shorter(name)), suffix: ".hlsl" });
    }
    let source = without_compiled(name);
    match stage_of_extension(Path::new(source)) {
        // `lit.frag.glsl` has two extensions.
        Some(_) if says_language_only(Path::new(source)) => whole(shorter(shorter(source))),
        Some(_) => whole(shorter(source)),
        None => {
            // Files that are a pipeline by themselves.
            let is_alone = matches!(
                file_kind(Path::new(name)),
                Some(FileKind::Dxil | FileKind::Source | FileKind::Pipeline | FileKind::Database)
            );
            if source != name || is_alone { whole(name) } else { None }
        }
    }
}

/// A name without the extension that compiled SPIR-V adds to it.
pub fn without_compiled(name: &OsStr) -> &OsStr {
    let is_compiled = matches!(file_kind(Path::new(name)), Some(FileKind::Spirv | FileKind::Assembly));
    if is_compiled { shorter(name) } else { name }
}

/// A name without its last extension.
fn shorter(name: &OsStr) -> &OsStr {
    Path::new(name).file_stem().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_files_whose_names_differ_in_the_stage_only() {
        let name = |file: &'static str| {
            let common = common_name(OsStr::new(file));
            common.map(|common| String::from_utf8(common.bytes().collect()).expect("UTF-8"))
        };
        assert_eq!(name("lit.vert").as_deref(), Some("lit"));
        assert_eq!(name("lit.frag.glsl"), name("lit.vert"));
        assert_eq!(name("lit.frag.wgsl"), name("lit.vert.wgsl"));
        assert_eq!(name("lit.frag.slang"), name("lit.vert"));
        assert_eq!(name("lit.slang").as_deref(), Some("lit.slang"));
        assert_eq!(name("lit.wgsl").as_deref(), Some("lit.wgsl"));
        assert_eq!(name("lit.frag.spv"), name("lit.vert"));
        assert_eq!(name("lit.spvasm").as_deref(), Some("lit.spvasm"));
        assert_eq!(name("quad.pipe").as_deref(), Some("quad.pipe"));
        assert_eq!(name("game.foz").as_deref(), Some("game.foz"));
        assert_eq!(name("lit.ps.dxil"), name("lit.vs.dxil"));
        assert_eq!(name("lit.ps.hlsl"), name("lit.vs.dxil"));
        assert_ne!(name("lit.ps.hlsl"), name("lit.vert"));
        assert_eq!(name("nodes.lib.dxil").as_deref(), Some("nodes.lib.dxil"));
        // HLSL that says no stage is mostly there to be included.
        assert_eq!(name("lit.hlsl"), None);
        assert_eq!(name("lit.ps.dxbc"), name("lit.vs.dxil"));
        assert_eq!(name("lit.bc").as_deref(), Some("lit.bc"));
        assert_eq!(name("README.md"), None);
    }
}
