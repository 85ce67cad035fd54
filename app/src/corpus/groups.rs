//! Files of a corpus, by the flags that they alone have.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::worker::FileFlags;

/// Files with the same flags.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Group {
    /// Files, folders, databases.
    pub paths: Vec<PathBuf>,
    /// Their flags.
    pub flags: FileFlags,
}

/// Groups of files, in the order in which their flags were met.
#[derive(Debug, Default)]
pub struct Groups {
    all: Vec<Group>,
    /// By their flags, as text: the place of a group.
    known: BTreeMap<String, usize>,
}

impl Groups {
    /// Adds a file.
    pub fn add(&mut self, path: PathBuf, flags: FileFlags) {
        let at = *self.known.entry(flags.to_string()).or_insert(self.all.len());
        if at == self.all.len() {
            self.all.push(Group { paths: Vec::new(), flags });
        }
        if let Some(group) = self.all.get_mut(at) {
            group.paths.push(path);
        }
    }

    /// The groups.
    pub fn into_groups(self) -> Vec<Group> {
        self.all
    }
}
