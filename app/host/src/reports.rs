//! Reports as files: what `inspect --format json` wrote, read back.

use std::path::{Path, PathBuf};

use lanescope_core::report::Report;

use crate::files::{head, read_at_most};

/// The largest report that is read, in bytes.
const MAX_BYTES: u64 = 256 << 20;
/// Bytes at the start of a file that identify its format.
const HEAD: u64 = 256;

/// The one report that these files are, where they are one: its name says JSON, or its content begins as reports do.
pub fn only_report(files: &[PathBuf]) -> Option<&Path> {
    let [only] = files else { return None };
    let named = only.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    (named || begins_as_a_report(only)).then_some(only.as_path())
}

fn begins_as_a_report(path: &Path) -> bool {
    let head = head(path, HEAD);
    let head = head.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
    let inside = head.trim_start().strip_prefix('{').map(str::trim_start);
    inside.is_some_and(|rest| rest.starts_with("\"schema\""))
}

/// Reads a report.
///
/// # Errors
/// What is wrong with the file, with its name.
pub fn read(path: &Path) -> Result<Report, String> {
    let bytes = read_at_most(path, MAX_BYTES)?;
    Report::from_json(&bytes).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognises_a_report_by_name_or_content() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("writes");
            path
        };
        for (name, text, is) in [
            ("a.json", "", true),
            ("b.JSON", "[]", true),
            ("c", " {\n \"schema\": 1 }", true),
            ("d.txt", "{\"version\": 6}", false),
            ("e.frag", "#version 450", false),
        ] {
            assert_eq!(only_report(&[file(name, text)]).is_some(), is, "{name}");
        }
        assert_eq!(only_report(&[file("a.json", ""), file("b.json", "")]), None, "two files are a pipeline");
        assert_eq!(only_report(&[folder.path().join("nowhere")]), None);
    }

    #[test]
    fn rejects_other_files_by_name() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("odd.json");
        for (text, words) in [
            ("", "not a report"),
            ("{\"schema\": 1}", "missing field"),
            ("{\"schema\": 9, \"more\": []}", "unsupported report schema 9; expected 1 to 3"),
            ("[[[[", "not a report"),
        ] {
            std::fs::write(&path, text).expect("writes");
            let error = read(&path).expect_err("it is none");
            assert!(error.contains("odd.json: ") && error.contains(words), "{error}");
        }
        assert!(read(folder.path()).expect_err("a folder").contains("is a folder"));
    }
}
