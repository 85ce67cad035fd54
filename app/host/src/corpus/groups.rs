//! Files of a corpus, by the flags that they alone have.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::folders::PipelineFiles;
use crate::worker::FileFlags;

/// Files with the same flags.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Group {
    /// Files, folders, databases.
    pub paths: Vec<PathBuf>,
    /// Their flags.
    pub flags: FileFlags,
    /// The files are one pipeline of this name, as a workspace file says.
    pub pipeline: Option<String>,
}

/// Groups of files, in the order in which their flags were met.
#[derive(Debug, Default)]
pub struct Groups {
    all: Vec<Group>,
    /// By their flags, as they go to a worker: the place of a group.
    known: BTreeMap<String, usize>,
}

impl Groups {
    /// Adds a file.
    pub fn add(&mut self, path: PathBuf, flags: FileFlags) {
        // What is displayed may read alike for flags that differ.
        let key = serde_json::to_string(&flags).unwrap_or_else(|_| flags.to_string());
        let at = *self.known.entry(key).or_insert(self.all.len());
        if at == self.all.len() {
            self.all.push(Group { flags, ..Group::default() });
        }
        if let Some(group) = self.all.get_mut(at) {
            group.paths.push(path);
        }
    }

    /// Adds the files of one pipeline.
    pub fn add_pipeline(&mut self, pipeline: PipelineFiles, flags: FileFlags) {
        let PipelineFiles { name, files } = pipeline;
        self.all.push(Group { paths: files, flags, pipeline: Some(name) });
    }

    /// The groups.
    pub fn into_groups(self) -> Vec<Group> {
        self.all
    }
}

#[cfg(test)]
mod tests {
    use lanescope_core::options::Conversion;

    use super::*;

    #[test]
    fn flags_that_differ_are_groups() {
        let of = |defines: &[&str]| {
            let defines = defines.iter().map(|&one| one.to_owned()).collect();
            FileFlags { conversion: Conversion { defines, ..Conversion::default() }, ..FileFlags::default() }
        };
        let mut groups = Groups::default();
        for defines in [&["A=1", "B=1"] as &[&str], &["A=1 define=B=1"], &["A=1", "B=1"]] {
            groups.add("a.frag".into(), of(defines));
        }
        let groups = groups.into_groups();
        assert_eq!(groups.iter().map(|group| group.paths.len()).collect::<Vec<_>>(), [2, 1]);
        assert_ne!(groups[0].flags.to_string(), groups[1].flags.to_string());
    }
}
