//! The folders that may be read and written. Links are followed before a path is judged.

use std::path::{Component, Path, PathBuf};

use lanescope_core::foreign::plain;

/// The most files of a folder that is written to.
const MOST_ENTRIES: usize = 1 << 16;

/// The folders.
#[derive(Debug, Clone)]
pub struct Roots {
    root: PathBuf,
    readable: Vec<PathBuf>,
}

impl Roots {
    /// The workspace, where files are read and written, and folders that are only read.
    ///
    /// # Errors
    /// One that is not a folder.
    pub fn new(root: &Path, readable: &[PathBuf]) -> Result<Roots, String> {
        let folder = |path: &Path| match path.canonicalize() {
            Ok(real) if real.is_dir() => Ok(real),
            Ok(_) => Err(format!("{}: is not a folder", path.display())),
            Err(error) => Err(format!("{}: {error}", path.display())),
        };
        Ok(Roots { root: folder(root)?, readable: readable.iter().map(|path| folder(path)).collect::<Result<_, _>>()? })
    }

    /// The workspace: paths are relative to it.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// All folders that may be read.
    pub fn folders(&self) -> impl Iterator<Item = &Path> {
        std::iter::once(self.root.as_path()).chain(self.readable.iter().map(PathBuf::as_path))
    }

    /// Checks a file or folder that is to be read.
    ///
    /// # Errors
    /// It is outside of the folders.
    pub fn check_read(&self, path: &str) -> Result<(), String> {
        if path == "-" {
            return Err("`-` cannot be used: standard input has the messages of the protocol".to_owned());
        }
        // `a.foz@5b1e` is a pipeline of a database, where no file has that name.
        let whole = Path::new(path);
        let of_database = path.rsplit_once('@').map(|(file, _)| Path::new(file));
        for path in std::iter::once(whole).chain(of_database) {
            let real = self.real(path);
            if !real.as_ref().is_some_and(|real| self.folders().any(|folder| real.starts_with(folder))) {
                let why = "outside of the workspace root; the server reads other folders where --allow-read names them";
                return Err(format!("{}: {why}", plain(&path.display().to_string())));
            }
        }
        Ok(())
    }

    /// Checks a file or folder that is to be written, and what is in the folder: a link there may be written through.
    ///
    /// # Errors
    /// It is outside of the workspace, or a link in it leads there; a folder with too many files to tell.
    pub fn check_write(&self, path: &str) -> Result<(), String> {
        let outside = |path: &str| format!("{path}: outside of the workspace root; files are written below it only");
        let Some(real) = self.real(Path::new(path)).filter(|real| real.starts_with(&self.root)) else {
            return Err(outside(&plain(path)));
        };
        let (mut folders, mut seen) = (vec![real], 0);
        while let Some(folder) = folders.pop() {
            // A file, or what does not exist yet.
            let Ok(entries) = std::fs::read_dir(&folder) else { continue };
            for entry in entries.flatten() {
                seen += 1;
                if seen > MOST_ENTRIES {
                    return Err(format!("{}: has more than {MOST_ENTRIES} files; name a new folder", plain(path)));
                }
                let entry = entry.path();
                let Some(real) = self.real(&entry).filter(|real| real.starts_with(&self.root)) else {
                    return Err(outside(&plain(&entry.display().to_string())));
                };
                folders.extend(real.is_dir().then_some(real));
            }
        }
        Ok(())
    }

    /// The path with all links followed; of one that does not exist, the part that exists. None where that cannot be said.
    fn real(&self, path: &Path) -> Option<PathBuf> {
        let path = self.root.join(path);
        for part in path.ancestors() {
            if let Ok(real) = part.canonicalize() {
                let rest = path.strip_prefix(part).ok()?;
                let is_plain = rest.components().all(|one| matches!(one, Component::Normal(_)));
                return is_plain.then(|| real.join(rest));
            }
            // A link to nothing: what is created through it is somewhere else.
            if part.symlink_metadata().is_ok() {
                return None;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_leave_the_root_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        for name in ["root/in", "beside", "allowed"] {
            std::fs::create_dir_all(at(name)).expect("writable");
        }
        for name in ["root/a.comp", "root/in/b.foz", "beside/c.comp", "beside/d.foz", "allowed/e.comp"] {
            std::fs::write(at(name), "x").expect("writable");
        }
        let link = |to: &str, name: &str| std::os::unix::fs::symlink(at(to), at(name)).expect("writable");
        link("beside/c.comp", "root/out.comp");
        link("beside/d.foz", "root/out.foz");
        link("beside", "root/folder");
        link("beside/new", "root/dangling");
        link("root/a.comp", "root/back.comp");
        let roots = Roots::new(&at("root"), &[at("allowed")]).expect("folders");
        let absolute = |name: &str| at(name).display().to_string();
        for path in [
            "a.comp",
            "in/../a.comp",
            "back.comp",
            "missing.comp",
            "in/b.foz@12",
            &absolute("root/a.comp"),
            &absolute("allowed/e.comp"),
        ] {
            assert_eq!(roots.check_read(path), Ok(()), "{path}");
        }
        for path in [
            "../beside/c.comp",
            "in/../../beside/c.comp",
            "missing/../../beside/c.comp",
            "out.comp",
            "out.foz@12",
            "folder/c.comp",
            "folder/new.comp",
            "dangling",
            "-",
            "/etc/passwd",
            &absolute("beside/c.comp"),
        ] {
            assert!(roots.check_read(path).is_err(), "{path}");
        }
        // A file that is written may be a link in its folder.
        std::fs::create_dir_all(at("root/results/deep")).expect("writable");
        link("root/a.comp", "root/results/deep/own.json");
        assert_eq!(roots.check_write("results"), Ok(()));
        link("beside/c.comp", "root/results/deep/run.json");
        assert!(roots.check_write("results").is_err_and(|why| why.contains("run.json: outside")));
        for path in ["new", "in/new/deep", &absolute("root/new")] {
            assert_eq!(roots.check_write(path), Ok(()), "{path}");
        }
        for path in ["..", "../new", "folder/new", "dangling", "dangling/x", "new/../../x", &absolute("allowed/new")] {
            assert!(roots.check_write(path).is_err(), "{path}");
        }
    }

    #[test]
    fn a_root_is_a_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("a"), "x").expect("writable");
        assert!(Roots::new(&folder.path().join("a"), &[]).is_err_and(|why| why.contains("is not a folder")));
        assert!(Roots::new(folder.path(), &[folder.path().join("b")]).is_err());
    }
}
