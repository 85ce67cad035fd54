//! What a corpus is made of: files, folders and databases, and the pipelines of each by number.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lanescope_core::pipeline::foz::{Tag, text_hash};

use super::{Group, Groups, Shard};
use crate::files::text_at_most;
use crate::flags;
use crate::folders::{self, Names, PipelineFiles, Prefer, Skipped};
use crate::worker::{FileFlags, MeasureItem};
use crate::workspace;

/// The largest list of files, in bytes.
const MAX_LIST: u64 = 256 << 20;

/// The pipelines of a corpus, in order.
#[derive(Debug, Default)]
pub struct Sources {
    /// The folders that were named: pipelines have names from there on.
    tops: Vec<PathBuf>,
    /// The folders with files.
    folders: Vec<PathBuf>,
    all: Vec<Source>,
    total: u64,
    digest: u64,
    /// Number of findings of databases as such.
    pub damages: usize,
    /// Files and folders that were left out.
    pub skipped: Vec<Skipped>,
    known_skipped: BTreeSet<PathBuf>,
    known_tops: BTreeSet<PathBuf>,
}

/// Files of one pipeline, or a database. A corpus may have a million of them.
#[derive(Debug)]
struct Source {
    folder: u32,
    /// Pipelines of a database, plus one; 0 where the files make one pipeline.
    pipelines: u32,
    files: Names,
    /// Flags of these files alone.
    flags: Option<Arc<FileFlags>>,
}

impl Source {
    fn pipelines(&self) -> Option<u64> {
        self.pipelines.checked_sub(1).map(u64::from)
    }
}

/// Reads `@FILE` as a list of paths, one in each line; `@-` is standard input. Empty lines and lines that start with
/// `#` do not count. Flags may follow a path ([`flags::parse`]). A workspace file means its pipelines. Other inputs are kept.
///
/// # Errors
/// A list or workspace file that cannot be read, or that names nothing; flags that are wrong, with their line.
pub fn list(inputs: &[PathBuf]) -> Result<Vec<Group>, String> {
    let mut out = Groups::default();
    for input in inputs {
        if workspace::is_manifest(input) {
            for (pipeline, described) in workspace::all(input)? {
                out.add_pipeline(pipeline, described.flags);
            }
            continue;
        }
        let Some(file) = input.to_str().and_then(|text| text.strip_prefix('@')) else {
            out.add(input.clone(), FileFlags::default());
            continue;
        };
        let text = text_at_most(Path::new(file), MAX_LIST)?;
        let lines = text.lines().map(str::trim).zip(1..);
        let mut lines = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#')).peekable();
        if lines.peek().is_none() {
            return Err(format!("{file}: a list without paths (expected one path in each line)"));
        }
        for (line, number) in lines {
            let (path, flags) = with_flags(line);
            let flags = if flags.is_empty() { Ok(FileFlags::default()) } else { flags::parse(flags) };
            out.add(PathBuf::from(path), flags.map_err(|why| format!("{file}, line {number}: {why}"))?);
        }
    }
    Ok(out.into_groups())
}

/// A line of a list: its path, and the flags from the first word on that begins with `-`. A file may be named so.
fn with_flags(line: &str) -> (&str, &str) {
    let start = line.match_indices([' ', '\t']).map(|(at, _)| at).find(|at| line[at + 1..].starts_with('-'));
    match start.and_then(|at| line.split_at_checked(at)) {
        Some((path, flags)) if !Path::new(line).exists() => (path.trim_end(), flags.trim_start()),
        _ => (line, ""),
    }
}

impl Sources {
    /// Finds the pipelines of files and folders. `count` says how many pipelines a database has; one that it cannot
    /// read has one, whose row will say why.
    ///
    /// # Errors
    /// A folder that cannot be read; files and folders without a shader.
    pub fn find(
        groups: &[Group],
        prefer: Prefer,
        mut count: impl FnMut(&Path, &str) -> Option<u64>,
    ) -> Result<Sources, String> {
        let mut out = Sources::default();
        groups.iter().try_for_each(|group| out.add(group, prefer, &mut count))?;
        out.all.shrink_to_fit();
        Ok(out)
    }

    /// Adds the pipelines of files with the same flags.
    fn add(
        &mut self,
        group: &Group,
        prefer: Prefer,
        count: &mut impl FnMut(&Path, &str) -> Option<u64>,
    ) -> Result<(), String> {
        let flags = (!group.flags.is_empty()).then(|| Arc::new(group.flags.clone()));
        if let Some(name) = &group.pipeline {
            self.add_pipeline(name, &group.paths, None, flags);
            return Ok(());
        }
        let mut found = folders::find_all(&group.paths)?;
        // Files may have several groups, each with other flags.
        for skipped in std::mem::take(&mut found.skipped) {
            if self.known_skipped.insert(skipped.path.clone()) {
                self.skipped.push(skipped);
            }
        }
        for top in &found.tops {
            if self.known_tops.insert(top.clone()) {
                self.tops.push(top.clone());
            }
        }
        for PipelineFiles { name, files } in found.into_pipelines(prefer) {
            let pipelines = match files.as_slice() {
                [only] if folders::is_database(only) => count(only, &name),
                _ => None,
            };
            self.add_pipeline(&name, &files, pipelines, flags.clone());
        }
        Ok(())
    }

    /// Adds the files of a pipeline, or a database with its pipelines.
    fn add_pipeline(&mut self, name: &str, files: &[PathBuf], pipelines: Option<u64>, flags: Option<Arc<FileFlags>>) {
        let size = |file: &PathBuf| std::fs::metadata(file).map_or(0, |there| there.len()).to_string();
        let sizes: Vec<String> = files.iter().map(size).collect();
        let count = pipelines.unwrap_or_default();
        let flags_text = flags.as_ref().map(|flags| format!(" {flags}")).unwrap_or_default();
        let own = text_hash(Tag::Bucket, &format!("{name} {} {count}{flags_text}", sizes.join(" ")));
        self.digest = self.digest.rotate_left(1) ^ own;
        self.push(files, pipelines, flags);
    }

    /// Keeps the files of a pipeline, or a database with its pipelines. Those of several folders have absolute paths.
    fn push(&mut self, files: &[PathBuf], pipelines: Option<u64>, flags: Option<Arc<FileFlags>>) {
        let folder = files.first().map_or(Path::new(""), |file| folders::folder_of(file));
        if self.folders.last().is_none_or(|last| last != folder) {
            self.folders.push(folder.to_owned());
        }
        let number = |count: u64| u32::try_from(count.saturating_add(1)).unwrap_or(u32::MAX);
        let source = Source {
            folder: u32::try_from(self.folders.len().saturating_sub(1)).unwrap_or(u32::MAX),
            pipelines: pipelines.map_or(0, number),
            files: Names::of(files, folder),
            flags,
        };
        self.total += source.pipelines().unwrap_or(1);
        self.all.push(source);
    }

    fn files(&self, source: &Source) -> Vec<PathBuf> {
        let folder = self.folders.get(source.folder as usize).map_or(Path::new(""), PathBuf::as_path);
        source.files.paths(folder)
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
            first += source.pipelines().unwrap_or(1);
            (start, first, source)
        });
        let each = numbered.filter(move |(_, end, _)| *end > from).flat_map(move |(start, end, source)| {
            (start.max(from)..end).map(move |number| {
                let files = self.files(source);
                let title = folders::title(&self.tops, &files);
                MeasureItem {
                    number,
                    name: source.flags.as_ref().map_or(title.clone(), |flags| format!("{title} [{flags}]")),
                    flags: source.flags.as_deref().cloned(),
                    files: files.into_iter().map(OsString::from).collect(),
                    place: source.pipelines().map(|_| number - start),
                }
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
        let mut out = Sources::default();
        for (name, pipelines) in [("x/a.vert", None), ("x/b.foz", Some(5)), ("y/c.comp", None)] {
            out.push(&[name.into()], pipelines, None);
        }
        out
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
        let names: Vec<_> = sources.items(None, 5).map(|item| (item.name, item.files)).collect();
        assert_eq!(
            names,
            [("b.foz", "x/b.foz"), ("c.comp", "y/c.comp")].map(|(name, file)| (name.into(), vec![file.into()]))
        );
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
    fn reads_lists_and_keeps_other_inputs() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("list.txt");
        std::fs::write(&path, "# shaders\n\n a.spv \nb c.foz\n").expect("writable");
        let inputs = [PathBuf::from(format!("@{}", path.display())), PathBuf::from("d")];
        let plain = |inputs: &[PathBuf]| {
            let groups = list(inputs)?;
            Ok::<_, String>(groups.into_iter().flat_map(|group| group.paths).collect::<Vec<_>>())
        };
        assert_eq!(plain(&inputs), Ok(["a.spv", "b c.foz", "d"].map(PathBuf::from).to_vec()));
        std::fs::write(&path, "# none\n").expect("writable");
        assert!(plain(&inputs).is_err_and(|why| why.contains("a list without paths")));
        assert!(plain(&["@/nowhere".into()]).is_err_and(|why| why.starts_with("/nowhere: ")));
    }

    #[test]
    fn a_workspace_file_means_its_pipelines() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        std::fs::create_dir(path("in")).expect("writable");
        let text = "defines = [\"A\"]\n[[pipeline]]\nname = \"x\"\nfiles = [\"x.vert\", \"in/x.frag\"]\n\
                    [[pipeline]]\nname = \"y\"\nfiles = [\"in/y.comp\"]\ndefines = [\"B\"]\n";
        std::fs::write(path("lanescope.toml"), text).expect("writable");
        let groups = list(&[path("lanescope.toml")]).expect("reads");
        let sources = Sources::find(&groups, Prefer::Source, |_, _| None).expect("finds them");
        let items: Vec<MeasureItem> = sources.items(None, 0).collect();
        let names: Vec<&str> = items.iter().map(|item| item.name.as_str()).collect();
        assert_eq!(names, ["x.vert + x.frag [define=A]", "y.comp [define=A define=B]"]);
        assert_eq!(items[0].files, [path("x.vert"), path("in/x.frag")].map(OsString::from));
        assert_eq!(items[1].files, [OsString::from(path("in/y.comp"))]);
    }

    #[test]
    fn lines_of_a_list_have_flags() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, odd) = (folder.path().join("list.txt"), folder.path().join("a -b.frag"));
        std::fs::write(&odd, "").expect("writable");
        let text = format!("a b.frag  -DX --entry y\nc.frag\n{}\nd.frag -DX --entry y\n", odd.display());
        std::fs::write(&path, text).expect("writable");
        let inputs = [PathBuf::from(format!("@{}", path.display()))];
        let group = |paths: &[&Path], flags: &str| Group {
            paths: paths.iter().map(|path| path.to_path_buf()).collect(),
            flags: flags::parse(flags).expect("reads"),
            pipeline: None,
        };
        let flagged = group(&["a b.frag".as_ref(), "d.frag".as_ref()], "-DX --entry y");
        assert_eq!(list(&inputs), Ok(vec![flagged, group(&["c.frag".as_ref(), &odd], "")]));
        std::fs::write(&path, "a.frag --wrong\n").expect("writable");
        let error = list(&inputs).expect_err("are wrong");
        assert!(error.contains("list.txt, line 1: ") && error.contains("--wrong"), "{error}");
    }
}
