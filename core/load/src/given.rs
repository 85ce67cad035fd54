//! Contents that stand for those of files: what was read already, or what an editor holds unsaved. In JSON they are a
//! list: a path is not always UTF-8, so it is not a key.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use lanescope_base::Blob;
use serde::{Deserialize as _, Deserializer, Serializer};

use super::LoadOptions;
use super::error::Problem;
use super::file;
use super::included::Bounds;

/// The given contents, for what a source includes or a description names, and where other contents may come from.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Given<'w> {
    contents: Option<&'w BTreeMap<PathBuf, Blob>>,
    within: Option<&'w [PathBuf]>,
}

impl<'w> Given<'w> {
    /// The contents that these options give.
    pub fn of(wanted: &'w LoadOptions) -> Given<'w> {
        let contents = Some(&wanted.given).filter(|given| !given.is_empty());
        Given { contents, within: wanted.within.as_deref() }
    }

    /// Whether a file on disk may be read.
    fn may_read(self, path: &Path) -> bool {
        let Some(folders) = self.within else { return true };
        Bounds::new(folders.iter().map(PathBuf::as_path)).contain(path)
    }

    /// The contents given for a file, by any of its names.
    fn get(self, path: &Path) -> Option<&'w Blob> {
        let given = self.contents?;
        let by_real_name = || {
            let real = path.canonicalize().ok()?;
            given.iter().find(|(other, _)| other.canonicalize().is_ok_and(|other| other == real))
        };
        given.get(path).or_else(|| by_real_name().map(|(_, contents)| contents))
    }

    /// Whether a file has contents: given ones, or on disk.
    pub fn is_file(self, path: &Path) -> bool {
        path.is_file() || self.get(path).is_some()
    }

    /// Reads a file of one byte or more.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(self, path: &Path) -> Result<Vec<u8>, Problem> {
        match self.get(path) {
            Some(contents) => file::filled(contents.0.clone()),
            None if !self.may_read(path) => Err(Problem::Outside),
            None => file::read(path),
        }
    }
}

pub(super) fn serialize<S: Serializer>(given: &BTreeMap<PathBuf, Blob>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(given.iter().map(|(path, contents)| (path.as_os_str(), contents)))
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<PathBuf, Blob>, D::Error> {
    let list = Vec::<(OsString, Blob)>::deserialize(deserializer)?;
    Ok(list.into_iter().map(|(path, contents)| (PathBuf::from(path), contents)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where folders are named, nothing else is included: by a path, or through a link.
    #[test]
    fn files_outside_of_the_folders_are_not_included() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        for name in ["inside", "outside", "other"] {
            std::fs::create_dir(path(name)).expect("writable");
        }
        std::fs::write(path("outside/size.glsl"), "#define SIZE 8\n").expect("writable");
        std::fs::write(path("other/size.glsl"), "#define SIZE 8\n").expect("writable");
        std::os::unix::fs::symlink(path("outside/size.glsl"), path("inside/link.glsl")).expect("writable");
        let load = |name: &str, within: &[&str]| {
            let text = "#version 450\n#extension GL_GOOGLE_include_directive : require\n";
            let main = "layout(local_size_x = SIZE) in;\nvoid main() {}\n";
            std::fs::write(path("inside/a.comp"), format!("{text}#include \"{name}\"\n{main}")).expect("writable");
            let within = Some(within.iter().map(|name| path(name)).collect());
            let wanted = LoadOptions { within, ..LoadOptions::default() };
            crate::load_with_options(&[path("inside/a.comp")], &wanted).map(|_| ()).map_err(|error| error.to_string())
        };
        for name in ["../outside/size.glsl", "link.glsl"] {
            let refused = load(name, &["inside", "other"]).expect_err(name);
            assert!(refused.contains("outside of the folders that may be read"), "{refused}");
            assert_eq!(load(name, &["inside", "outside"]), Ok(()), "{name}");
        }
        assert_eq!(load("../other/size.glsl", &["inside", "other"]), Ok(()));
    }

    /// Text of an editor counts instead of the files, for a shader and for what it includes, by any name of the file.
    #[test]
    fn unsaved_text_is_compiled() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        std::fs::create_dir(path("inner")).expect("writable");
        std::fs::write(path("a.comp"), "on disk it is nothing").expect("writable");
        std::fs::write(path("size.glsl"), "#define SIZE 1\n").expect("writable");
        let text = "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"inner/../size.glsl\"\n\
                    #include \"new.glsl\"\nlayout(local_size_x = SIZE, local_size_y = NEW) in;\nvoid main() {}\n";
        let contents = |text: &str| Blob(text.as_bytes().to_vec());
        let mut wanted = LoadOptions::default();
        wanted.given.insert(path("a.comp"), contents(text));
        let size = |wanted: &LoadOptions| {
            let program = crate::load_with_options(&[path("a.comp")], wanted).map_err(|error| error.to_string())?;
            let entry = &program.modules[0].module.entry_points()[0];
            let size = entry.mode(lanescope_spirv::enums::ExecutionMode::LocalSize);
            size.map(<[u32]>::to_vec).ok_or_else(|| "no size".to_owned())
        };
        assert!(size(&wanted).expect_err("new.glsl does not exist").contains("new.glsl"));
        // A file that was never saved.
        wanted.given.insert(path("new.glsl"), contents("#define NEW 4\n"));
        assert_eq!(size(&wanted), Ok(vec![1, 4, 1]));
        wanted.given.insert(path("size.glsl"), contents("#define SIZE 8\n"));
        assert_eq!(size(&wanted), Ok(vec![8, 4, 1]));
    }
}
