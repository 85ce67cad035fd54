//! Saved runs of work graphs as files: what `run --save` and the window wrote, read back without a device.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use lanescope_core::run::graph::{GraphRun, file};

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
    // A pipe can be read only once, so it is left to who reads it.
    let head = std::fs::metadata(path).ok().filter(|about| about.is_file()).and_then(|_| {
        let mut head = Vec::new();
        File::open(path).ok()?.take(64).read_to_end(&mut head).ok()?;
        Some(head)
    });
    head.is_some_and(|head| file::is_saved_run(&head))
}

/// Reads a saved run.
///
/// # Errors
/// What is wrong with the file, with its name.
pub fn read(path: &Path) -> Result<GraphRun, String> {
    let bytes = read_file(path, file::MAX_FILE)?;
    file::read(&bytes).map_err(|error| format!("{}: {error}", path.display()))
}

/// Reads a file of at most `most` bytes.
///
/// # Errors
/// What is wrong with the file, with its name.
pub fn read_file(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let name = path.display();
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(most + 1).read_to_end(&mut bytes));
    read.map_err(|error| format!("{name}: cannot be read: {error}"))?;
    match bytes.len() as u64 > most {
        true => Err(format!("{name}: is larger than {most} bytes, the most that is read")),
        false => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saved_run_is_told_by_its_name_or_its_begin() {
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
    fn what_is_no_run_is_told_with_its_name() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("odd.lanescope-run");
        for (text, words) in [
            ("", "no saved run"),
            ("{\"lanescope_run\": 1}", "missing field `run`"),
            ("{\"lanescope_run\": 7, \"run\": {}}", "of version 7; this program reads version 1"),
        ] {
            std::fs::write(&path, text).expect("writes");
            let error = read(&path).expect_err("it is none");
            assert!(error.contains("odd.lanescope-run: ") && error.contains(words), "{error}");
        }
        assert!(read(&folder.path().join("nowhere")).expect_err("no file").contains("cannot be read"));
        std::fs::write(&path, [b' '; 9]).expect("writes");
        assert!(read_file(&path, 8).expect_err("too long").contains("larger than 8 bytes"));
    }
}
