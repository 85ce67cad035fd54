//! The lists of what sources are compiled with, as the window and the terminal change them.

use std::path::{Path, PathBuf};

use lanescope_core::load::file_types::{self, FileKind, file_kind};
use lanescope_core::options::{Conversion, macro_definition};
use lanescope_core::program::{Format, Program};

/// A list of the options of sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SourceList {
    /// Macros that are defined.
    Macros,
    /// Folders that are looked through for included files.
    IncludeDirs,
}

impl SourceList {
    /// All of them.
    pub const ALL: [SourceList; 2] = [SourceList::Macros, SourceList::IncludeDirs];

    /// What stands before the list.
    pub fn label(self) -> &'static str {
        match self {
            SourceList::Macros => "Macros",
            SourceList::IncludeDirs => "Include folders",
        }
    }

    /// One of its entries.
    pub fn one(self) -> &'static str {
        match self {
            SourceList::Macros => "Macro",
            SourceList::IncludeDirs => "Include folder",
        }
    }

    /// What is typed.
    pub fn hint(self) -> &'static str {
        match self {
            SourceList::Macros => "NAME=VALUE",
            SourceList::IncludeDirs => "/path/of/folder",
        }
    }

    /// What it does.
    pub fn about(self) -> &'static str {
        match self {
            SourceList::Macros => {
                "Defined before GLSL, HLSL and Slang sources, values of WGSL overrides; 1 without a value (-D)"
            }
            SourceList::IncludeDirs => "Looked through for included files, after the folder of the source (-I)",
        }
    }

    /// The list of a conversion.
    pub fn of(self, conversion: &Conversion) -> &Vec<String> {
        match self {
            SourceList::Macros => &conversion.defines,
            SourceList::IncludeDirs => &conversion.include_dirs,
        }
    }

    /// The list of a conversion, to change it.
    pub fn of_mut(self, conversion: &mut Conversion) -> &mut Vec<String> {
        match self {
            SourceList::Macros => &mut conversion.defines,
            SourceList::IncludeDirs => &mut conversion.include_dirs,
        }
    }

    /// A typed entry as it is kept: folders from the root, so that a session means the same from every folder.
    ///
    /// # Errors
    /// What was expected.
    pub fn checked(self, text: &str) -> Result<String, String> {
        match self {
            SourceList::Macros => {
                macro_definition(text).map(|()| text.to_owned()).map_err(|why| format!("`{text}`: {why}"))
            }
            SourceList::IncludeDirs if Path::new(text).is_dir() => {
                Ok(std::path::absolute(text)
                    .map_or_else(|_| text.to_owned(), |path| path.to_string_lossy().into_owned()))
            }
            SourceList::IncludeDirs => Err(format!("`{text}` is not a folder")),
        }
    }
}

/// Whether the options of sources change what a program is made of.
pub fn has_sources(program: &Program) -> bool {
    let holds_sources =
        |format: Format| file_types::is_source(format) || matches!(format, Format::Pipe | Format::ShaderTest);
    program.inputs.iter().any(|input| holds_sources(input.format))
}

/// Whether the options of sources may change how files open.
pub fn may_have_sources(paths: &[PathBuf]) -> bool {
    // A database has SPIR-V only.
    let is_source = |kind: FileKind| kind.is_source() || kind == FileKind::Pipeline;
    paths.iter().any(|path| file_kind(path).is_some_and(is_source))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_with_sources_have_their_options() {
        let has = |name: &str| may_have_sources(&[PathBuf::from(name)]);
        for name in ["a.frag", "a.ps.hlsl", "a.wgsl", "a.slang", "a.pipe", "a.shader_test", "a.VK_SHADER_TEST"] {
            assert!(has(name), "{name}");
        }
        for name in ["a.spv", "a.spvasm", "a.dxil", "a.foz", "a.FOZ", "a.json", "a"] {
            assert!(!has(name), "{name}");
        }
    }
}
