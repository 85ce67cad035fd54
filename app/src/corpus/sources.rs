//! What a corpus is made of: files, folders and databases, and the pipelines of each by number.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use lanescope_core::pipeline::foz::{Tag, text_hash};

use super::Shard;
use crate::files::text_at_most;
use crate::folders::{self, PipelineFiles, Prefer, Skipped};
use crate::worker::MeasureItem;

/// The largest list of files, in bytes.
const MAX_LIST: u64 = 256 << 20;

/// The pipelines of a corpus, in order.
#[derive(Debug, Default)]
pub struct Sources {
    all: Vec<Source>,
    total: u64,
    digest: u64,
    /// Number of findings of databases as such.
    pub damages: usize,
    /// Files and folders that were left out.
    pub skipped: Vec<Skipped>,
}

/// Files of one pipeline, or a database. A corpus may have a million of them.
#[derive(Debug)]
struct Source {
    /// The name and the files, with a zero byte before each file: neither has one.
    texts: Box<[u8]>,
    /// Number of pipelines of a database.
    pipelines: Option<u64>,
}

impl Source {
    fn new(name: &str, files: &[PathBuf], pipelines: Option<u64>) -> Source {
        let files = files.iter().map(|file| file.as_os_str().as_bytes());
        let texts = std::iter::once(name.as_bytes()).chain(files).collect::<Vec<_>>().join(&0);
        Source { texts: texts.into(), pipelines }
    }

    fn name(&self) -> String {
        String::from_utf8_lossy(self.texts().next().unwrap_or_default()).into_owned()
    }

    fn files(&self) -> Vec<OsString> {
        self.texts().skip(1).map(|file| OsString::from_vec(file.to_vec())).collect()
    }

    fn texts(&self) -> impl Iterator<Item = &[u8]> {
        self.texts.split(|byte| *byte == 0)
    }
}

/// Reads `@FILE` as a list of paths, one in each line; `@-` is standard input. Empty lines and lines that start with
/// `#` do not count. Other inputs are kept.
///
/// # Errors
/// A list that cannot be read, or that names nothing.
pub fn list(inputs: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut out = Vec::new();
    for input in inputs {
        let Some(file) = input.to_str().and_then(|text| text.strip_prefix('@')) else {
            out.push(input.clone());
            continue;
        };
        let text = text_at_most(Path::new(file), MAX_LIST)?;
        let before = out.len();
        out.extend(
            text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).map(PathBuf::from),
        );
        if out.len() == before {
            return Err(format!("{file}: a list without paths (expected one path in each line)"));
        }
    }
    Ok(out)
}

impl Sources {
    /// Finds the pipelines of files and folders. `count` says how many pipelines a database has; one that it cannot
    /// read has one, whose row will say why.
    ///
    /// # Errors
    /// A folder that cannot be read; files and folders without a shader.
    pub fn find(
        paths: &[PathBuf],
        prefer: Prefer,
        mut count: impl FnMut(&Path, &str) -> Option<u64>,
    ) -> Result<Sources, String> {
        let mut found = folders::find_all(paths)?;
        let mut out = Sources { skipped: std::mem::take(&mut found.skipped), ..Sources::default() };
        for PipelineFiles { name, files } in found.into_pipelines(prefer) {
            let pipelines = match files.as_slice() {
                [only] if folders::is_database(only) => count(only, &name),
                _ => None,
            };
            let size = |file: &PathBuf| std::fs::metadata(file).map_or(0, |there| there.len()).to_string();
            let sizes: Vec<String> = files.iter().map(size).collect();
            let count = pipelines.unwrap_or_default();
            let own = text_hash(Tag::Bucket, &format!("{name} {} {count}", sizes.join(" ")));
            out.digest = out.digest.rotate_left(1) ^ own;
            out.total += pipelines.unwrap_or(1);
            out.all.push(Source::new(&name, &files, pipelines));
        }
        Ok(out)
    }

    /// Number of pipelines.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// A digest of names and sizes: whether two runs are of the same pipelines.
    pub fn digest(&self) -> String {
        format!("{:016x}", self.digest)
    }

    /// Number of pipelines of a shard from a number on.
    pub fn count(&self, shard: Option<Shard>, from: u64) -> u64 {
        match shard {
            None => self.total.saturating_sub(from),
            Some(shard) => shard.count(self.total).saturating_sub(shard.count(from)),
        }
    }

    /// The pipelines of a shard from a number on.
    pub fn items(&self, shard: Option<Shard>, from: u64) -> impl Iterator<Item = MeasureItem> + Send + '_ {
        let mut first = 0;
        let numbered = self.all.iter().map(move |source| {
            let start = first;
            first += source.pipelines.unwrap_or(1);
            (start, first, source)
        });
        let each = numbered.filter(move |(_, end, _)| *end > from).flat_map(move |(start, end, source)| {
            (start.max(from)..end).map(move |number| MeasureItem {
                number,
                name: source.name(),
                files: source.files(),
                place: source.pipelines.map(|_| number - start),
            })
        });
        each.filter(move |item| shard.is_none_or(|shard| shard.has(item.number)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two files of one pipeline, a database of five, another file.
    fn sources() -> Sources {
        let source = |name: &str, pipelines| Source::new(name, &[name.into()], pipelines);
        let all = vec![source("a.vert", None), source("b.foz", Some(5)), source("c.comp", None)];
        Sources { all, total: 7, ..Sources::default() }
    }

    #[test]
    fn numbers_pipelines_and_continues_inside_a_database() {
        let sources = sources();
        let of = |shard, from| -> Vec<(u64, Option<u64>)> {
            sources.items(shard, from).map(|item| (item.number, item.place)).collect()
        };
        let all = [(0, None), (1, Some(0)), (2, Some(1)), (3, Some(2)), (4, Some(3)), (5, Some(4)), (6, None)];
        assert_eq!(of(None, 0), all);
        assert_eq!(of(None, 4), all[4..]);
        assert_eq!(of(None, 7), []);
        let shards: Vec<Shard> = ["1/3", "2/3", "3/3"].iter().map(|text| text.parse().expect("a shard")).collect();
        assert_eq!(of(Some(shards[1]), 0), [all[1], all[4]]);
        let mut together: Vec<_> = shards.iter().flat_map(|shard| of(Some(*shard), 0)).collect();
        together.sort_unstable();
        assert_eq!(together, all);
        for (shard, from) in [(None, 2), (Some(shards[0]), 0), (Some(shards[0]), 3), (Some(shards[2]), 4)] {
            assert_eq!(sources.count(shard, from), of(shard, from).len() as u64, "{shard:?} from {from}");
        }
    }

    #[test]
    fn keeps_names_and_files_in_one_text() {
        let files = [PathBuf::from("/a/lit.vert"), PathBuf::from(OsString::from_vec(vec![b'/', 0xff]))];
        let source = Source::new("lit.vert + \u{fffd}", &files, None);
        assert_eq!(
            (source.name().as_str(), source.files()),
            ("lit.vert + \u{fffd}", files.map(OsString::from).to_vec())
        );
    }

    #[test]
    fn reads_lists_and_keeps_other_inputs() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("list.txt");
        std::fs::write(&path, "# shaders\n\n a.spv \nb c.foz\n").expect("writable");
        let inputs = [PathBuf::from(format!("@{}", path.display())), PathBuf::from("d")];
        assert_eq!(list(&inputs), Ok(["a.spv", "b c.foz", "d"].map(PathBuf::from).to_vec()));
        std::fs::write(&path, "# none\n").expect("writable");
        assert!(list(&inputs).is_err_and(|why| why.contains("a list without paths")));
        assert!(list(&["@/nowhere".into()]).is_err_and(|why| why.starts_with("/nowhere: ")));
    }
}
