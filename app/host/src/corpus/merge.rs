//! The shards of a run as one result.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use lanescope_core::corpus::Row;

use super::result::{Footer, Header, ReadError, Rows, Shard, Writer, difference};
use crate::worker::Filter;

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
    /// Checks that each file is whole and has the rows of its shard, that all are of one run with the same drivers, and
    /// that each shard is among them once.
    ///
    /// # Errors
    /// See [`MergeError`].
    pub fn new(paths: &[PathBuf]) -> Result<Merge, MergeError> {
        let mut first: Option<(&Path, Header)> = None;
        let mut shards: Vec<(u64, u64, &Path)> = Vec::new();
        let mut drivers = BTreeMap::new();
        for path in paths {
            let rows = Rows::open(path)?;
            let header = rows.header.clone();
            let Some(shard) = header.shard else {
                let why = format!("{}: result of a whole run: only shards are merged", path.display());
                return Err(MergeError::Apart(why));
            };
            check(rows, shard, &mut drivers)?;
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

/// The driver of each place, as rows name it, with the file that named it first.
type Drivers = BTreeMap<String, (String, PathBuf)>;

/// Reads the rows of a shard to the end: its own pipelines, in order, each once, as many as its footer states, compiled
/// by the drivers of the shards before.
fn check(rows: Rows, shard: Shard, drivers: &mut Drivers) -> Result<(), ReadError> {
    let (path, header) = (rows.path().to_owned(), rows.header.clone());
    let (mut next, mut found) = (0, Footer::default());
    let stated = rows.each(|row| {
        let number = row.number;
        if !shard.has(number) {
            let own = number % shard.of + 1;
            return Err(io::Error::other(format!("row {number} belongs to shard {own}/{}, not to {shard}", shard.of)));
        }
        if number >= header.pipelines {
            let why = format!("row {number} of a run with {} pipelines (the first row is 0)", header.pipelines);
            return Err(io::Error::other(why));
        }
        if number < next {
            return Err(io::Error::other(format!("row {number} after row {}: rows are not in order", next - 1)));
        }
        next = number + 1;
        found.rows += 1;
        found.failed += u64::from(row.has_failed());
        for driver in row.drivers.into_iter().filter(|driver| !driver.driver.is_empty()) {
            let (known, first) =
                drivers.entry(driver.place.clone()).or_insert_with(|| (driver.driver.clone(), path.clone()));
            if *known != driver.driver {
                let (place, own, first) = (driver.place, driver.driver, first.display());
                return Err(io::Error::other(format!("{place} was compiled by {own}, but in {first} by {known}")));
            }
        }
        Ok(())
    })?;
    let wrong = |what: String| Err(ReadError::new(&path, what));
    if stated != found {
        return wrong(format!(
            "the footer states {} rows and {} failures, but the file has {} and {}",
            stated.rows, stated.failed, found.rows, found.failed
        ));
    }
    let expected = shard.count(header.pipelines);
    match header.filter == Filter::default() && found.rows != expected {
        true => wrong(format!("{} rows; expected {expected}, one for each pipeline of shard {shard}", found.rows)),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use lanescope_core::corpus::DriverRow;
    use lanescope_core::driver::Version;

    use super::super::result::tests::{header, row, whole};
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
        rejects(&[one.clone(), whole(&[1, 4], Some("2/3"))], "shard 2/3 of a run with 2 shards");
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

    #[test]
    fn rejects_shards_without_their_own_rows() {
        let (one, two) = (whole(&[0, 2, 4], Some("1/2")), whole(&[1, 3], Some("2/2")));
        let rejects = |files: &[Vec<u8>], why: &str| {
            let error = merged(files).expect_err(why);
            assert!(error.contains(why), "{error}");
        };
        rejects(&[one.clone(), whole(&[1, 2], Some("2/2"))], "1.jsonl: line 3: row 2 belongs to shard 1/2, not to 2/2");
        rejects(&[whole(&[0, 2, 4, 6], Some("1/2")), two.clone()], "line 5: row 6 of a run with 5 pipelines");
        rejects(&[one.clone(), whole(&[3, 1], Some("2/2"))], "row 1 after row 3: rows are not in order");
        rejects(&[one.clone(), whole(&[1, 1], Some("2/2"))], "row 1 after row 1: rows are not in order");
        rejects(&[one.clone(), whole(&[3], Some("2/2"))], "1 rows; expected 2, one for each pipeline of shard 2/2");
        let text = String::from_utf8(two).expect("text").replace(r#""rows":2"#, r#""rows":3"#);
        rejects(&[one, text.into_bytes()], "the footer states 3 rows and 0 failures, but the file has 2 and 0");
    }

    /// A shard of one row, compiled by a driver.
    fn driven(number: u64, shard: &str, driver: &str) -> Vec<u8> {
        let header = Header { pipelines: 2, ..header(Some(shard)) };
        let driver = DriverRow { driver: driver.to_owned(), ..DriverRow::new("gfx1030".to_owned(), Version::Original) };
        let mut out = Vec::new();
        let mut writer = Writer::new(&mut out, &header).expect("memory");
        writer.rows(&[Row { drivers: vec![driver], ..row(number) }]).expect("memory");
        writer.end().expect("memory");
        out
    }

    #[test]
    fn rejects_shards_of_different_drivers() {
        let one = driven(0, "1/2", "radv Mesa 22.3.6");
        assert!(merged(&[one.clone(), driven(1, "2/2", "radv Mesa 22.3.6")]).is_ok());
        // A failure names no driver.
        assert!(merged(&[one.clone(), driven(1, "2/2", "")]).is_ok());
        let error = merged(&[one, driven(1, "2/2", "radv Mesa 25.0.7")]).expect_err("another driver");
        let expected = "1.jsonl: line 2: gfx1030 was compiled by radv Mesa 25.0.7, but in ";
        assert!(error.contains(expected) && error.ends_with("0.jsonl by radv Mesa 22.3.6"), "{error}");
    }
}
