//! From one text of a program to another one, a group of lines at a time.

use std::path::{Path, PathBuf};

use lanescope_core::run::Blob;
use lanescope_core::text_format::counted;
use similar::{DiffOp, TextDiff};

use super::{Place, Steps};
use crate::files::text_at_most;

/// The largest text, in bytes.
const MAX_TEXT: u64 = 4 << 20;

/// What is the same at each place.
pub type Base = Box<dyn Fn() -> Place>;

/// The groups of lines in which the files of two programs differ, in order.
pub struct Hunks {
    files: Vec<Pair>,
    /// By step: the file, and the group of its lines.
    steps: Vec<(usize, Hunk)>,
    base: Base,
}

struct Pair {
    path: PathBuf,
    before: Vec<String>,
    after: Vec<String>,
    hunks: Vec<Hunk>,
}

/// Lines of the first text, and the lines of the second one in their place.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Hunk {
    before: std::ops::Range<usize>,
    after: std::ops::Range<usize>,
}

impl Hunks {
    /// Those of files paired in order.
    ///
    /// # Errors
    /// A file that is no text, other numbers of files, texts that are equal.
    pub fn of(before: &[PathBuf], after: &[PathBuf], base: Base) -> Result<Hunks, String> {
        if before.len() != after.len() {
            return Err(format!(
                "{} and {}: expected as many, in the same order",
                counted(before.len() as u64, "file"),
                counted(after.len() as u64, "file")
            ));
        }
        let mut files = Vec::new();
        let mut steps = Vec::new();
        for (at, (before, after)) in before.iter().zip(after).enumerate() {
            if before.extension() != after.extension() {
                let why = "are of different types: lines of one would stand in the other";
                return Err(format!("{} and {} {why}", before.display(), after.display()));
            }
            let pair = Pair::of(before, after)?;
            steps.extend(pair.hunks.iter().map(|hunk| (at, hunk.clone())));
            files.push(pair);
        }
        if steps.is_empty() { Err("the texts are equal".to_owned()) } else { Ok(Hunks { files, steps, base }) }
    }
}

impl Pair {
    fn of(before: &Path, after: &Path) -> Result<Pair, String> {
        let read = |path: &Path| text_at_most(path, MAX_TEXT).map_err(|error| error.to_string());
        let (one, other) = (read(before)?, read(after)?);
        let diff = TextDiff::from_lines(&one, &other);
        let changed = diff.ops().iter().filter(|op| !matches!(op, DiffOp::Equal { .. }));
        let hunks = changed.map(|op| Hunk { before: op.old_range(), after: op.new_range() }).collect();
        let lines = |text: &str| text.split_inclusive('\n').map(str::to_owned).collect();
        Ok(Pair { path: before.to_owned(), before: lines(&one), after: lines(&other), hunks })
    }

    /// The first text with the first `count` groups of the second one.
    fn with(&self, count: usize) -> String {
        let (mut out, mut at) = (String::new(), 0);
        for hunk in self.hunks.iter().take(count) {
            out.extend(self.before.get(at..hunk.before.start).unwrap_or_default().iter().map(String::as_str));
            out.extend(self.after.get(hunk.after.clone()).unwrap_or_default().iter().map(String::as_str));
            at = hunk.before.end;
        }
        out.extend(self.before.get(at..).unwrap_or_default().iter().map(String::as_str));
        out
    }
}

impl Steps for Hunks {
    fn last(&self) -> usize {
        self.steps.len()
    }

    fn name(&self, at: usize) -> String {
        match at {
            0 => "the first program".to_owned(),
            _ if at == self.last() => "the second program".to_owned(),
            _ => format!("with {} of the second", counted(at as u64, "group")),
        }
    }

    fn step(&self, before: usize, after: usize) -> String {
        let mut out = String::new();
        for (file, hunk) in self.steps.get(before..after).unwrap_or_default() {
            let pair = &self.files[*file];
            out.push_str(&format!("{}:{}", pair.path.display(), hunk.before.start + 1));
            for (sign, lines, range) in [('-', &pair.before, &hunk.before), ('+', &pair.after, &hunk.after)] {
                for line in lines.get(range.clone()).unwrap_or_default() {
                    out.push_str(&format!("\n  {sign} {}", line.trim_end()));
                }
            }
            out.push('\n');
        }
        out.trim_end().to_owned()
    }

    fn place(&self, at: usize) -> Result<Place, String> {
        let mut place = (self.base)();
        for (file, pair) in self.files.iter().enumerate() {
            let count = self.steps.iter().take(at).filter(|(of, _)| *of == file).count();
            in_place(&pair.path, pair.with(count).into_bytes(), &mut place);
        }
        Ok(place)
    }
}

/// Gives a place the text of a file, as if it stood in the file.
fn in_place(path: &Path, text: Vec<u8>, place: &mut Place) {
    place.wanted.given.insert(path.to_owned(), Blob(text));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_lines_come_one_after_the_other() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("writes");
            path
        };
        let (one, other) = (write("a.frag", "1\n2\n3\n4\n5\n"), write("b.frag", "1\ntwo\n3\n5\nsix\n"));
        let pair = Pair::of(&one, &other).expect("texts");
        assert_eq!(pair.hunks.len(), 3);
        let all: Vec<String> = (0..4).map(|count| pair.with(count)).collect();
        assert_eq!(all, ["1\n2\n3\n4\n5\n", "1\ntwo\n3\n4\n5\n", "1\ntwo\n3\n5\n", "1\ntwo\n3\n5\nsix\n"]);
        let base = Box::new(|| unreachable!("no place is asked"));
        let equal = Hunks::of(std::slice::from_ref(&one), std::slice::from_ref(&one), base);
        assert_eq!(equal.err().as_deref(), Some("the texts are equal"));
    }
}
