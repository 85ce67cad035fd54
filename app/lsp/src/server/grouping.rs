//! The pipelines of the open documents, by workspace files and by names; and what was said of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use lanescope_core::findings::Severity;
use lanescope_core::foreign::plain_name;
use lanescope_core::target::Target;
use lanescope_host::files::text_at_most;
use lanescope_host::folders::Neighbours;
use lanescope_host::workspace::manifest::{self, Manifest};
use lanescope_host::workspace::{MAX_MANIFEST, is_manifest};

use crate::diagnostics::{At, ByFile, Diagnostic};
use crate::documents::Documents;
use crate::project::{Pipeline, Unanalyzed, pipelines_of};

/// How documents are grouped.
#[derive(Debug, Default)]
pub struct Grouping {
    /// Where workspace files are, or would be looked for first.
    manifests: Vec<PathBuf>,
    /// Why documents are not analysed by themselves.
    unanalyzed: BTreeMap<PathBuf, Unanalyzed>,
    /// What the log says of each document.
    said: BTreeMap<PathBuf, String>,
    /// Watched files, each with the time since when.
    watched: BTreeMap<PathBuf, SystemTime>,
}

impl Grouping {
    /// The pipelines of all open documents, and what is wrong with workspace files. Files that cannot be read as such count as
    /// if they were not there.
    pub fn pipelines(&mut self, documents: &Documents, target: Option<Target>) -> (Vec<Pipeline>, ByFile) {
        let (mut out, mut faults) = (Vec::new(), ByFile::new());
        let mut read: BTreeMap<PathBuf, Option<Manifest>> = BTreeMap::new();
        let open = documents.paths();
        let mut neighbours = Neighbours::new(&open);
        self.manifests.clear();
        self.unanalyzed.clear();
        for path in open.iter().filter(|path| !is_manifest(path)) {
            let exists = |file: &Path| documents.get(file).is_some() || file.is_file();
            let found = manifest::find(path, exists);
            let beside = path.parent().map(|folder| folder.join(manifest::NAME));
            self.manifests.extend(found.clone().into_iter().chain(beside));
            let manifest = found.and_then(|found| {
                read.entry(found.clone())
                    .or_insert_with(|| {
                        let (manifest, own) = match read_manifest(&found, documents) {
                            Ok((manifest, text)) => {
                                let missing = missing(&manifest, &text, exists);
                                (Some(manifest), missing)
                            }
                            Err(fault) => (None, vec![fault]),
                        };
                        if !own.is_empty() {
                            faults.insert(found.clone(), own);
                        }
                        manifest
                    })
                    .clone()
            });
            let text = documents.get(path).map_or("", |document| document.text.as_str());
            match pipelines_of(path, text, &mut neighbours, manifest.as_ref(), target) {
                Ok(pipelines) => out.extend(pipelines),
                Err(why) => drop(self.unanalyzed.insert(path.clone(), why)),
            }
        }
        (out, faults)
    }

    /// The workspace files of open documents, and where one would be found first.
    pub fn manifests(&self) -> Vec<PathBuf> {
        self.manifests.clone()
    }

    /// A line for the log: how the pipelines of a document were found. None where it was said already.
    pub fn news(&mut self, path: &Path, how: Vec<String>) -> Option<String> {
        let what = match (how.as_slice(), self.unanalyzed.get(path)) {
            ([], Some(why)) => why.why().to_owned(),
            ([], None) => return None,
            (how, _) => format!("analyzed as {}", how.join(", ")),
        };
        let text = format!("{}: {what}", path.display());
        let before = self.said.insert(path.to_owned(), text.clone());
        (before.as_ref() != Some(&text)).then_some(text)
    }

    /// Forgets what was said of a document.
    pub fn forget(&mut self, path: &Path) {
        self.said.remove(path);
    }

    /// These files, each with the time from which it is watched: that of the first call with it.
    pub fn watched(
        &mut self,
        files: impl Iterator<Item = PathBuf>,
        since: SystemTime,
    ) -> BTreeMap<PathBuf, SystemTime> {
        self.watched = files
            .map(|file| {
                let first = self.watched.get(&file).copied().unwrap_or(since);
                (file, first)
            })
            .collect();
        self.watched.clone()
    }
}

fn wrong(at: At, message: String) -> Diagnostic {
    Diagnostic { at, severity: Severity::Error, code: None, message, related: Vec::new() }
}

/// Files of pipelines that do not exist, where the text names them.
fn missing(manifest: &Manifest, text: &str, exists: impl Fn(&Path) -> bool) -> Vec<Diagnostic> {
    let folder = manifest.path.parent().unwrap_or(Path::new("/"));
    let all = manifest.missing(exists).into_iter().map(|(entry, file)| {
        let name = file.strip_prefix(folder).unwrap_or(file).display().to_string();
        let quoted = text.find(&format!("\"{name}\"")).map(|at| At::Bytes(at + 1..at + 1 + name.len()));
        let (name, pipeline) = (plain_name(&name), plain_name(&entry.name));
        wrong(quoted.unwrap_or(At::File), format!("there is no file {name}: pipeline `{pipeline}` is not analyzed"))
    });
    all.collect()
}

/// Reads a workspace file, as the editor has it or from disk.
fn read_manifest(path: &Path, documents: &Documents) -> Result<(Manifest, String), Diagnostic> {
    let text = match documents.get(path) {
        Some(document) => document.text.clone(),
        None => text_at_most(path, MAX_MANIFEST).map_err(|why| wrong(At::File, why))?,
    };
    let read = Manifest::read(path, &text).map_err(|error| {
        let at =
            error.offset.filter(|offset| *offset < text.len()).map_or(At::File, |offset| At::Bytes(offset..offset));
        wrong(at, format!("{}; the file is not used", error.message))
    })?;
    Ok((read, text))
}
