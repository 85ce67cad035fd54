//! Saved runs of work graphs as files: what `run --save` and the window wrote, read back without a device.

use std::path::{Path, PathBuf};

use lanescope_core::load::MAX_FILE;
use lanescope_core::run::graph::{GraphRun, file};

use crate::files::{head, read_at_most};

/// The one saved run that these files are, where they are one: by its name, or by how its content begins.
pub fn only_run(files: &[PathBuf]) -> Option<&Path> {
    let [only] = files else { return None };
    (is_named_so(only) || begins_so(only)).then_some(only.as_path())
}

/// Whether a file's name is a saved run's.
pub fn is_named_so(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(file::EXTENSION))
}

fn begins_so(path: &Path) -> bool {
    head(path, 64).is_some_and(|head| file::is_saved_run(&head))
}

/// Reads a saved run.
///
/// # Errors
/// What is wrong with the file, with its name.
pub fn read(path: &Path) -> Result<GraphRun, String> {
    let bytes = read_at_most(path, MAX_FILE)?;
    file::read(&bytes).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognises_a_saved_run_by_name_or_content() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("writes");
            path
        };
        for (name, text, is) in [
            ("a.lanescope-run", "", true),
            ("b", "{ \"lanescope_run\" : 1, \"run\": {} }", true),
            ("c.json", "{\"schema\": 1}", false),
            ("d.dxil", "DXBC", false),
        ] {
            assert_eq!(only_run(&[path(name, text)]).is_some(), is, "{name}");
        }
        assert_eq!(only_run(&[folder.path().join("a.lanescope-run"), folder.path().join("b")]), None);
    }

    #[test]
    fn rejects_files_that_are_not_runs_by_name() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("odd.lanescope-run");
        for (text, words) in [
            ("", "not a saved run"),
            ("{\"lanescope_run\": 1}", "missing field `run`"),
            ("{\"lanescope_run\": 7, \"run\": {}}", "version 7; expected 1 to 2"),
        ] {
            std::fs::write(&path, text).expect("writes");
            let error = read(&path).expect_err("it is none");
            assert!(error.contains("odd.lanescope-run: ") && error.contains(words), "{error}");
        }
        assert!(read(&folder.path().join("nowhere")).expect_err("no file").contains("cannot be read"));
    }
}
