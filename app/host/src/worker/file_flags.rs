//! Flags of some files of a corpus alone: of a line in a list, of a command in a build log.

use lanescope_core::load::LoadOptions;
use lanescope_core::options::Conversion;
use lanescope_core::program::StageKind;
use serde::{Deserialize, Serialize};

/// How files are loaded, beyond what counts for all.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFlags {
    /// How their sources are compiled.
    pub conversion: Conversion,
    /// Their entry points.
    pub entries: Vec<String>,
    /// The stage of GLSL whose name says none.
    pub stage: Option<StageKind>,
}

impl FileFlags {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        *self == FileFlags::default()
    }

    /// These flags with those that another one adds or says differently.
    pub fn and(&self, more: &FileFlags) -> FileFlags {
        FileFlags {
            conversion: self.conversion.and(&more.conversion),
            entries: if more.entries.is_empty() { self.entries.clone() } else { more.entries.clone() },
            stage: more.stage.or(self.stage),
        }
    }

    /// Changes how files are loaded.
    pub fn apply(&self, wanted: &mut LoadOptions) {
        wanted.conversion = wanted.conversion.and(&self.conversion);
        wanted.stage = self.stage.or(wanted.stage);
        if !self.entries.is_empty() {
            wanted.entries.clone_from(&self.entries);
        }
    }
}

impl std::fmt::Display for FileFlags {
    /// As in rows: `define=A=1 entry=shade`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut parts = Vec::new();
        if !self.conversion.is_default() {
            parts.push(self.conversion.to_string());
        }
        parts.extend(self.entries.iter().map(|entry| format!("entry={entry}")));
        parts.extend(self.stage.map(|stage| format!("stage={stage}")));
        f.write_str(&parts.join(" "))
    }
}
