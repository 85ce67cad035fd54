//! Files that wait for a place, and writing them.

use std::path::{Path, PathBuf};

use lanescope_core::run::graph::{GraphRun, file};
use lanescope_core::text_format::counted;
use lanescope_inspector::ProgramId;
use lanescope_inspector::command::PictureFile;

use lanescope_host::rewriting::NamedFile;
use lanescope_host::safe_write::{NotWritten, write_file, write_files};

/// Containers with another digest, and what the digests are.
pub type SignedFiles = (Vec<NamedFile>, String);

/// What waits for a place to be written to, as it was when it was requested.
#[derive(Debug, Clone)]
pub enum Pending {
    /// A picture, with the name that is proposed for its file.
    Picture(PictureFile, String),
    /// A file's contents, with the name that is proposed.
    File(Vec<u8>, String),
    /// Files for a folder.
    Files(Vec<NamedFile>),
    /// Files of a program that became smaller, for a folder; of which program.
    Reduced(ProgramId, Vec<NamedFile>),
    /// A work graph's run, with the name that is proposed.
    Run(Box<GraphRun>, String),
}

/// The outcome.
#[derive(Debug)]
pub enum Saved {
    /// It was written.
    Done(String),
    /// A smaller program was written: of which program, where, and its modules.
    Reduced(ProgramId, String, Vec<PathBuf>),
    /// Files exist already: the place, those files, and what waits.
    WouldReplace(PathBuf, Vec<PathBuf>, Box<Pending>),
    /// It was not written.
    Failed(String),
}

impl Pending {
    /// The file's name that is proposed; `None` for a folder.
    pub fn proposed(&self) -> Option<String> {
        match self {
            Pending::Picture(_, name) | Pending::File(_, name) | Pending::Run(_, name) => Some(name.clone()),
            Pending::Files(_) | Pending::Reduced(..) => None,
        }
    }

    /// Writes it. Blocks: for job threads only.
    pub fn write(self, path: PathBuf, may_replace: bool) -> Saved {
        let one = |bytes: &[u8]| write_file(&path, bytes, may_replace).map(|()| path.display().to_string());
        let written = match &self {
            Pending::Files(files) | Pending::Reduced(_, files) => Ok(write_files(&path, files, may_replace)
                .map(|()| format!("{} in {}", counted(files.len(), "file"), path.display()))),
            Pending::Picture(picture, _) => encoded(picture, &path).map(|bytes| one(&bytes)),
            Pending::File(bytes, _) => Ok(one(bytes)),
            Pending::Run(run, _) => file::write(run).map(|bytes| one(&bytes)).map_err(|error| error.to_string()),
        };
        match written {
            Ok(Ok(what)) => match &self {
                Pending::Reduced(id, files) => {
                    let modules = files.iter().filter(|(name, _)| name.ends_with(".spv"));
                    Saved::Reduced(*id, what, modules.map(|(name, _)| path.join(name)).collect())
                }
                _ => Saved::Done(what),
            },
            Ok(Err(NotWritten::Exist(existing))) => Saved::WouldReplace(path, existing, Box::new(self)),
            Ok(Err(error)) => Saved::Failed(error.to_string()),
            Err(why) => Saved::Failed(why),
        }
    }
}

fn encoded(picture: &PictureFile, path: &Path) -> Result<Vec<u8>, String> {
    let encoded = picture.encode(&path.extension().unwrap_or_default().to_string_lossy());
    encoded.ok_or_else(|| format!("{}: unknown extension (expected .svg or .png)", path.display()))?
}
