//! What a compiler asks for while it reads a source: files, of which those that were there are remembered, and those
//! that could not be read.

use std::path::{Path, PathBuf};

use super::error::Problem;
use super::given::Given;
use lanescope_base::text_format::size;

/// How many files one source may include, counting repeated ones.
pub(super) const MAX_INCLUDES: usize = 4096;
/// How much the files that one source includes may hold in all.
pub(super) const MAX_INCLUDED: usize = 64 << 20;

/// Where a source is, and which files it may include.
#[derive(Debug, Clone, Copy)]
pub(super) struct SourceOrigin<'a> {
    /// Where its includes are looked for first.
    pub folder: &'a Path,
    /// What messages call it.
    pub path: &'a Path,
    /// Of a source that is part of a document: the folder below which it may include files. Documents travel, and are
    /// opened where others' files are; a source that a user opens may include what compilers let it.
    pub bounds: Option<&'a Path>,
}

impl<'a> SourceOrigin<'a> {
    /// Of a source that a user opens.
    pub fn opened(folder: &'a Path, path: &'a Path) -> Self {
        SourceOrigin { folder, path, bounds: None }
    }

    /// Of a source in a document that is in a folder.
    pub fn in_document(folder: &'a Path, path: &'a Path) -> Self {
        SourceOrigin { folder, path, bounds: Some(folder) }
    }
}

/// The folders below which the sources of a document may include files: real paths.
#[derive(Debug, Clone)]
pub(super) struct Bounds(Vec<PathBuf>);

impl Bounds {
    /// The folder of a document, and those that a user names.
    pub fn new<'f>(folders: impl Iterator<Item = &'f Path>) -> Bounds {
        let real = |folder: &Path| match folder.as_os_str().is_empty() {
            true => Path::new(".").canonicalize(),
            false => folder.canonicalize(),
        };
        // A folder that does not exist has no files.
        Bounds(folders.filter_map(|folder| real(folder).ok()).collect())
    }

    /// Whether a file is in one of the folders, with all links followed. One that does not exist is in none.
    pub fn contain(&self, path: &Path) -> bool {
        path.canonicalize().is_ok_and(|real| self.0.iter().any(|folder| real.starts_with(folder)))
    }
}

/// The files of one source.
#[derive(Debug, Default)]
pub(super) struct Included<'w> {
    /// What stands for contents on disk.
    given: Given<'w>,
    /// Files that were read, from the root, in the order in which they were met.
    pub met: Vec<PathBuf>,
    /// What is there and could not be read, and why.
    pub refused: Vec<String>,
    bytes: usize,
    count: usize,
}

impl<'w> Included<'w> {
    /// None yet; these contents stand for those on disk.
    pub fn new(given: Given<'w>) -> Included<'w> {
        Included { given, ..Included::default() }
    }

    /// The contents of a file, as `decode` makes text of its bytes; `None` if there is none, and where it cannot be used,
    /// which is then remembered.
    pub fn read(&mut self, path: &Path, decode: fn(Vec<u8>) -> Result<Vec<u8>, String>) -> Option<Vec<u8>> {
        // Compilers look through several folders, and ask for some folders too.
        if !self.given.is_file(path) && (!path.exists() || path.is_dir()) {
            return None;
        }
        match self.bytes_of(path).and_then(decode) {
            Ok(bytes) => {
                // Those who watch files know them from the folder of the one that includes them, or from the root.
                let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
                if !self.met.contains(&path) {
                    self.met.push(path);
                }
                Some(bytes)
            }
            Err(why) => {
                let reason = format!("include {}: {why}", path.display());
                if !self.refused.contains(&reason) {
                    self.refused.push(reason);
                }
                None
            }
        }
    }

    fn bytes_of(&mut self, path: &Path) -> Result<Vec<u8>, String> {
        let bytes = self.given.read(path).or_else(|problem| match problem {
            Problem::Empty => Ok(Vec::new()),
            other => Err(other.to_string()),
        })?;
        self.count += 1;
        if self.count > MAX_INCLUDES {
            return Err(format!("more than {MAX_INCLUDES} includes, which is the limit"));
        }
        self.bytes = self.bytes.saturating_add(bytes.len());
        match self.bytes > MAX_INCLUDED {
            true => Err(format!("the includes have more than {} in total", size(MAX_INCLUDED as u64))),
            false => Ok(bytes),
        }
    }
}
