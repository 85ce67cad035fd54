//! The shards of a run as one result.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use lanescope_core::corpus::Row;

use super::result::{Footer, Header, ReadError, Rows, Writer, difference};

/// Why results are not merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A file that cannot be read, or that is not whole.
    #[error("{0}")]
    Read(#[from] ReadError),
    /// Files that do not belong together.
    #[error("{0}")]
    Apart(String),
    /// The output.
    #[error("{0}")]
    Write(#[from] io::Error),
}

/// Results that belong together.
#[derive(Debug)]
pub struct Merge {
    paths: Vec<PathBuf>,
    header: Header,
}

impl Merge {
    /// Checks that each file is whole, that all are of one run, and that each shard is among them once.
    ///
    /// # Errors
    /// See [`MergeError`].
    pub fn new(paths: &[PathBuf]) -> Result<Merge, MergeError> {
        let mut first: Option<(&Path, Header)> = None;
        let mut shards: Vec<(u64, u64, &Path)> = Vec::new();
        for path in paths {
            let rows = Rows::open(path)?;
            let header = rows.header.clone();
            let Some(shard) = header.shard else {
                let why = format!("{}: result of a whole run: only shards are merged", path.display());
                return Err(MergeError::Apart(why));
            };
            rows.each(|_| Ok(()))?;
            let header = Header { shard: None, ..header };
            match &first {
                None => first = Some((path, header)),
                Some((other, known)) if *known != header => {
                    let what = difference(known, &header);
                    let (path, other) = (path.display(), other.display());
                    let why = format!("{path} and {other} are results of different runs ({what} differs)");
                    return Err(MergeError::Apart(why));
                }
                Some(_) => {}
            }
            if let Some((_, _, other)) = shards.iter().find(|(index, of, _)| (*index, *of) == (shard.index, shard.of)) {
                let why = format!("{} and {} are both shard {shard}", other.display(), path.display());
                return Err(MergeError::Apart(why));
            }
            shards.push((shard.index, shard.of, path));
        }
        let Some((_, header)) = first else { return Err(MergeError::Apart("no files to merge".to_owned())) };
        let of = shards.first().map_or(0, |(_, of, _)| *of);
        if let Some((index, other, path)) = shards.iter().find(|(_, other, _)| *other != of) {
            let why = format!("{}: shard {index}/{other} of a run with {of} shards", path.display());
            return Err(MergeError::Apart(why));
        }
        let missing = (1..=of).filter(|index| !shards.iter().any(|(own, ..)| own == index));
        let missing: Vec<String> = missing.take(8).map(|index| format!("{index}/{of}")).collect();
        if !missing.is_empty() {
            return Err(MergeError::Apart(format!("shards are missing: {}", missing.join(", "))));
        }
        Ok(Merge { paths: paths.to_vec(), header })
    }

    /// Writes the result that one run without shards would have written.
    ///
    /// # Errors
    /// See [`MergeError`].
    pub fn write(&self, out: impl Write) -> Result<Footer, MergeError> {
        let mut all = self.paths.iter().map(|path| Rows::open(path)).collect::<Result<Vec<_>, _>>()?;
        let mut heads: Vec<Option<Row>> = all.iter_mut().map(Rows::next_row).collect::<Result<_, _>>()?;
        let mut writer = Writer::new(out, &self.header)?;
        loop {
            let numbers = heads.iter().enumerate().filter_map(|(at, row)| Some((row.as_ref()?.number, at)));
            let Some((_, at)) = numbers.min() else { break };
            let (Some(head), Some(rows)) = (heads.get_mut(at), all.get_mut(at)) else { break };
            let row = std::mem::replace(head, rows.next_row()?);
            writer.rows(row.as_slice())?;
        }
        Ok(writer.end()?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::result::tests::whole;
    use super::*;

    /// Files of these contents, merged: the bytes, or the error.
    fn merged(files: &[Vec<u8>]) -> Result<Vec<u8>, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |(at, bytes): (usize, &Vec<u8>)| {
            let path = folder.path().join(format!("{at}.jsonl"));
            std::fs::write(&path, bytes).expect("writable");
            path
        };
        let paths: Vec<PathBuf> = files.iter().enumerate().map(write).collect();
        let mut out = Vec::new();
        Merge::new(&paths).and_then(|merge| merge.write(&mut out)).map_err(|error| error.to_string())?;
        Ok(out)
    }

    #[test]
    fn shards_in_any_order_are_one_result() {
        let (one, two) = (whole(&[0, 2, 4], Some("1/2")), whole(&[1, 3], Some("2/2")));
        let all = whole(&[0, 1, 2, 3, 4], None);
        assert_eq!(merged(&[one.clone(), two.clone()]), Ok(all.clone()));
        assert_eq!(merged(&[two, one]), Ok(all));
    }

    #[test]
    fn rejects_files_that_do_not_make_one_run() {
        let (one, two) = (whole(&[0, 2, 4], Some("1/2")), whole(&[1, 3], Some("2/2")));
        let rejects = |files: &[Vec<u8>], why: &str| {
            let error = merged(files).expect_err(why);
            assert!(error.contains(why), "{error}");
        };
        rejects(std::slice::from_ref(&one), "shards are missing: 2/2");
        rejects(&[one.clone(), one.clone()], "are both shard 1/2");
        rejects(&[one.clone(), whole(&[1], Some("2/3"))], "shard 2/3 of a run with 2 shards");
        rejects(&[whole(&[0, 1], None)], "only shards are merged");
        for shard in [r#""index":1,"of":0"#, r#""index":0,"of":2"#, r#""index":1,"of":9999999"#] {
            let text = String::from_utf8(one.clone()).expect("text").replace(r#""index":1,"of":2"#, shard);
            rejects(&[text.into_bytes()], "expected K/N with K from 1 to N");
        }
        let torn = two[..two.len() - 3].to_vec();
        rejects(&[one.clone(), torn], "incomplete result");
        let other = String::from_utf8(two).expect("text").replace("0123456789abcdef", "1123456789abcdef");
        rejects(&[one, other.into_bytes()], "different runs (inputs differs)");
    }
}
