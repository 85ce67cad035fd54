//! The lines of a source that compilers' messages name: what is shown of a file that did not open.

use std::path::{Path, PathBuf};

use crate::files::text_at_most;

/// How many places are shown.
const PLACES: usize = 4;
/// Lines before and after the one that is named.
const AROUND: usize = 2;
/// The largest source that is looked into, in bytes.
const MAX_BYTES: u64 = 4 << 20;
/// The longest line that is shown, in characters.
const LONGEST: usize = 400;

/// Some lines of a source around one that a message names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: usize,
    /// The number of the first shown line.
    pub first: usize,
    /// The shown lines.
    pub lines: Vec<String>,
}

/// The lines that a message names of these files, each once, in the order of the message. Files that are not text have
/// none.
pub fn excerpts(paths: &[PathBuf], message: &str) -> Vec<Excerpt> {
    let mut found: Vec<Excerpt> = Vec::new();
    for (path, line) in message.lines().filter_map(|text| place(paths, text)) {
        if found.len() == PLACES {
            break;
        }
        if !found.iter().any(|excerpt| excerpt.path == *path && excerpt.line == line) {
            found.extend(excerpt(path, line));
        }
    }
    found
}

/// The file and the line that a line of a message names: `NAME:LINE:` of compilers, `line N` of an assembler.
fn place<'p>(paths: &'p [PathBuf], text: &str) -> Option<(&'p Path, usize)> {
    let number = |rest: &str| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok().filter(|line| *line > 0);
    for path in paths {
        let name = path.file_name()?.to_str()?;
        if let Some((_, rest)) = text.split_once(&format!("{name}:"))
            && let Some(line) = number(rest)
        {
            return Some((path, line));
        }
    }
    match paths {
        [only] => Some((only, number(text.strip_prefix("line ")?)?)),
        _ => None,
    }
}

fn excerpt(path: &Path, line: usize) -> Option<Excerpt> {
    let text = text_at_most(path, MAX_BYTES).ok()?;
    let first = line.saturating_sub(AROUND).max(1);
    let cut = |line: &str| line.chars().take(LONGEST).collect::<String>().replace('\t', "    ");
    let lines: Vec<_> = text.lines().skip(first - 1).take(line + AROUND + 1 - first).map(cut).collect();
    (first + lines.len() > line).then(|| Excerpt { path: path.to_owned(), line, first, lines })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, message: &str) -> Vec<(usize, usize, Vec<String>)> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join(name);
        std::fs::write(&path, "one\ntwo\n\tthree\nfour\nfive\nsix\n").expect("writable");
        let all = excerpts(&[path], message).into_iter();
        all.map(|excerpt| (excerpt.line, excerpt.first, excerpt.lines)).collect()
    }

    #[test]
    fn shows_the_lines_around_the_one_that_is_named() {
        let lines = |all: &[&str]| all.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
        let message = "GLSL does not compile:\nERROR: a.frag:3: 'x' : undeclared\nERROR: a.frag:3: again\na.frag:6: y";
        let expected =
            [(3, 1, lines(&["one", "two", "    three", "four", "five"])), (6, 4, lines(&["four", "five", "six"]))];
        assert_eq!(found("a.frag", message), expected);
        assert_eq!(
            found("a.spvasm", "line 1, column 1: Invalid Opcode name"),
            [(1, 1, lines(&["one", "two", "    three"]))]
        );
    }

    #[test]
    fn lines_that_do_not_exist_and_other_files_have_no_excerpt() {
        for message in ["", "a.frag:0: x", "a.frag:99: x", "b.frag:1: x", "a.frag:99999999999999999999: x", "line x"] {
            assert_eq!(found("a.frag", message), [], "{message}");
        }
    }
}
