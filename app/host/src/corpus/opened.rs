//! A result that is read to be looked at: its rows as a table, its sums, and the files of a row.

use std::path::{Path, PathBuf};

use lanescope_core::corpus::{Comparison, ResultTable, Row, Summary};

use super::result::{Header, ReadError, Rows};
use crate::files::head;
use crate::folders::is_database;

/// How the header of a result begins.
const BEGIN: &[u8] = b"{\"schema\":";

/// A result that was read.
#[derive(Debug)]
pub struct Opened {
    /// What was measured.
    pub header: Header,
    /// Its shaders.
    pub table: ResultTable,
    /// Its sums.
    pub summary: Summary,
    /// What is missing, as text.
    pub note: Option<String>,
}

/// The files of a row, and its key in them where they are a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowFiles {
    /// The files.
    pub paths: Vec<PathBuf>,
    /// The key of the pipeline.
    pub key: Option<String>,
}

/// The path, if it is one result: a regular file that begins as a header does.
pub fn only_result(paths: &[PathBuf]) -> Option<&Path> {
    let [path] = paths else { return None };
    // Other files of JSON begin in other ways; the reader says what is wrong with the rest of the line.
    let begins = head(path, BEGIN.len() as u64).is_some_and(|head| head == BEGIN);
    (begins && Rows::open(path).is_ok()).then_some(path)
}

/// Reads a result. `goes_on` gets the number of rows so far, and ends the reading where it returns false. A result whose
/// run did not end is read as far as it is.
///
/// # Errors
/// A file that is not a result, with its line.
pub fn read(path: &Path, mut goes_on: impl FnMut(u64) -> bool) -> Result<Opened, ReadError> {
    let mut rows = Rows::open(path)?;
    let (mut table, mut summary) = (ResultTable::default(), Summary::default());
    let mut notes = Vec::new();
    loop {
        let offset = rows.position();
        let Some(row) = rows.next_row()? else { break };
        if !table.push(&row, offset) {
            notes.push(format!("{} rows are shown: the table is full", table.len()));
            break;
        }
        summary.add(&row);
        if table.pipelines() % 1000 == 0 && !goes_on(table.pipelines() as u64) {
            break;
        }
    }
    if notes.is_empty() && rows.footer.is_none() {
        notes.push("The run did not end: these are its rows so far.".to_owned());
    }
    if table.left_out > 0 {
        notes.push(format!("{} numbers are not shown: too many statistics.", table.left_out));
    }
    let note = (!notes.is_empty()).then(|| notes.join(" "));
    Ok(Opened { header: rows.header, table, summary, note })
}

/// Compares two results, row by row: where both have the same pipelines, few rows are kept at a time.
///
/// # Errors
/// A file that is not a whole result.
pub fn compared(before: &Path, after: &Path) -> Result<Comparison, ReadError> {
    let (mut before, mut after) = (Rows::open(before)?, Rows::open(after)?);
    let mut out = Comparison::default();
    loop {
        let (old, new) = (before.next_row()?, after.next_row()?);
        if old.is_none() && new.is_none() {
            break;
        }
        old.into_iter().for_each(|row| out.add_before(row));
        new.into_iter().for_each(|row| out.add_after(row));
    }
    match [before, after].iter().find(|side| side.footer.is_none()) {
        Some(side) => Err(side.incomplete()),
        None => Ok(out),
    }
}

/// The files of a row of a result. Relative paths are those of the run's folder; where they do not exist, of the
/// result's folder.
///
/// # Errors
/// The files that do not exist, and where they were looked for.
pub fn files_of(row: &Row, result: &Path) -> Result<RowFiles, String> {
    let folder = result.parent().unwrap_or(Path::new(""));
    let mut paths = Vec::new();
    for name in std::iter::once(&row.database).chain(&row.more_files) {
        let beside = folder.join(name);
        let found = [Path::new(name), &beside].into_iter().find(|path| path.is_file()).map(std::path::absolute);
        match found {
            Some(Ok(path)) => paths.push(path),
            _ if Path::new(name).is_absolute() => return Err(format!("{}: {name} does not exist", row.pipeline)),
            _ => {
                let here = std::env::current_dir().unwrap_or_default();
                let (here, folder) = (here.display(), folder.display());
                return Err(format!("{}: {name} does not exist in {here} and in {folder}", row.pipeline));
            }
        }
    }
    let key = match paths.as_slice() {
        [only] if is_database(only) => row.pipeline.rsplit_once('@').map(|(_, key)| key.to_owned()),
        _ => None,
    };
    match key.as_deref().filter(|key| key.starts_with('#')) {
        Some(_) => Err(format!("{}: {}", row.pipeline, row.failure.as_deref().unwrap_or("was not read"))),
        None => Ok(RowFiles { paths, key }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::result::tests::{row, whole};
    use super::*;

    #[test]
    fn reads_whole_and_torn_results_and_rows_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.jsonl");
        let all = whole(&[0, 1, 2], None);
        std::fs::write(&path, &all).expect("writable");
        assert_eq!(only_result(std::slice::from_ref(&path)), Some(path.as_path()));
        let opened = read(&path, |_| true).expect("a result");
        assert_eq!((opened.table.len(), opened.summary.pipelines, opened.note), (3, 3, None));
        let again = Rows::row_at(&path, opened.table.offset(1).expect("an offset")).expect("a row");
        assert_eq!(again, row(1));
        let wrong = Rows::row_at(&path, 3).expect_err("no row").to_string();
        assert!(wrong.contains("no row at offset 3"), "{wrong}");
        std::fs::write(&path, &all[..all.len() - 30]).expect("writable");
        let torn = read(&path, |_| true).expect("a result");
        assert!(torn.note.is_some_and(|note| note.contains("did not end")));
        std::fs::write(&path, "{\"schema\":1}\n").expect("writable");
        assert_eq!(only_result(std::slice::from_ref(&path)), None);
        assert_eq!(only_result(&[path.clone(), path]), None);
    }

    #[test]
    fn finds_the_files_of_rows_beside_the_result() {
        let folder = tempfile::tempdir().expect("a folder");
        let result = folder.path().join("a.jsonl");
        let mut of_files = row(0);
        of_files.database = "a.vert".to_owned();
        of_files.more_files = vec!["a.frag".to_owned()];
        let missing = files_of(&of_files, &result).expect_err("no files");
        assert!(missing.contains("a.vert does not exist in "), "{missing}");
        for name in ["a.vert", "a.frag", "b.foz"] {
            std::fs::write(folder.path().join(name), "").expect("writable");
        }
        let paths = ["a.vert", "a.frag"].map(|name| folder.path().join(name)).to_vec();
        assert_eq!(files_of(&of_files, &result), Ok(RowFiles { paths, key: None }));
        let mut of_database = row(0);
        (of_database.database, of_database.pipeline) = ("b.foz".to_owned(), "b.foz@58dd".to_owned());
        let found = files_of(&of_database, &result).expect("it exists");
        assert_eq!((found.paths, found.key), (vec![folder.path().join("b.foz")], Some("58dd".to_owned())));
        of_database.pipeline = "b.foz@#3".to_owned();
        of_database.failure = Some("no memory".to_owned());
        assert_eq!(files_of(&of_database, &result), Err("b.foz@#3: no memory".to_owned()));
    }
}
