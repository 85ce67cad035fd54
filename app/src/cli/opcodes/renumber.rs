//! Renumbers ops in a whole tree of tests: prints a diff, or writes the files and a patch that undoes the change.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use lanescope_core::dxil::ops::text::{self, Renumbering, Rewritten};
use lanescope_core::dxil::ops::{CALLEE_PREFIX, Opcode, op};
use lanescope_core::text_format::counted;

use super::super::CliError;
use super::translate::new_file;
use super::{LARGEST, patch};
use crate::cli::streams;
use lanescope_host::files::all_of;
use lanescope_host::safe_write::put;

/// Extensions of files that contain lines of other files.
const PATCHES: [&str; 4] = ["patch", "diff", "orig", "rej"];
/// Bytes of all files that change, as they are: old and new contents are kept in memory until all are known.
const LARGEST_TREE: u64 = 1 << 30;
/// Largest number of places that are listed.
const LISTED: usize = 20;

/// A file that changes.
struct Changed {
    path: PathBuf,
    /// The path as the diff names it.
    name: PathBuf,
    old: Vec<u8>,
    rewritten: Rewritten,
}

/// What was skipped, and why.
#[derive(Default)]
struct Left {
    files: usize,
    notes: Vec<String>,
    clashes: Vec<String>,
    patterns: Vec<String>,
}

/// Prints the diff, or writes the files and the diff if a patch file is named.
pub fn run(map: &[(Opcode, Opcode)], paths: &[PathBuf], patch_file: Option<&Path>) -> Result<(), CliError> {
    let map = Renumbering::new(map).map_err(CliError::Unusable)?;
    let mut left = Left::default();
    let mut changed = Vec::new();
    let mut bytes = 0_u64;
    for path in files(paths, &mut left)? {
        if let Some(file) = read(path, &map, &mut left)? {
            bytes = bytes.saturating_add(file.old.len() as u64);
            if bytes > LARGEST_TREE {
                let (path, count) = (file.path.display(), counted(changed.len(), "file"));
                let message =
                    format!("{path}: this file and {count} before it have more than {LARGEST_TREE} bytes in total");
                return Err(CliError::Unusable(format!(
                    "{message}; nothing was written: renumber one folder at a time"
                )));
            }
            changed.push(file);
        }
    }
    let mut diff = Vec::new();
    for file in &changed {
        diff.extend(patch::unified(file.name.as_os_str().as_encoded_bytes(), &file.old, &file.rewritten.text));
    }
    let written = match patch_file {
        Some(patch_file) if !changed.is_empty() => {
            write(&changed, &diff, patch_file)?;
            Some(patch_file)
        }
        _ => {
            streams::put(&diff)?;
            None
        }
    };
    Ok(say(&map, &changed, &left, written)?)
}

/// Every file to look at, in order.
fn files(paths: &[PathBuf], left: &mut Left) -> Result<Vec<PathBuf>, CliError> {
    let mut out = Vec::new();
    for path in paths {
        let is_folder = std::fs::metadata(path).map_err(|error| unreadable(path, &error))?.is_dir();
        if is_folder { walk(path, &mut out, left)? } else { out.push(path.clone()) }
    }
    // A file that is named twice, or through a link, is one file.
    for path in &mut out {
        *path = path.canonicalize().map_err(|error| unreadable(path, &error))?;
    }
    out.sort();
    out.dedup();
    Ok(out)
}

fn walk(root: &Path, out: &mut Vec<PathBuf>, left: &mut Left) -> Result<(), CliError> {
    let mut work = vec![root.to_owned()];
    while let Some(folder) = work.pop() {
        for entry in std::fs::read_dir(&folder).map_err(|error| unreadable(&folder, &error))? {
            let entry = entry.map_err(|error| unreadable(&folder, &error))?;
            let (path, kind) = (entry.path(), entry.file_type().map_err(|error| unreadable(&folder, &error))?);
            let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            let is_patch = path.extension().and_then(OsStr::to_str).is_some_and(|e| PATCHES.contains(&e));
            if kind.is_dir() && !hidden {
                work.push(path);
            } else if kind.is_file() && !hidden && !is_patch {
                out.push(path);
            } else {
                left.files += 1;
            }
        }
    }
    Ok(())
}

/// Places of words in text files: `file:line: the line`.
pub fn places_of(paths: &[PathBuf], words: &[&str]) -> Result<Vec<String>, CliError> {
    let mut out = Vec::new();
    for path in files(paths, &mut Left::default())? {
        let Ok(bytes) = File::open(&path).and_then(|file| all_of(file, LARGEST)) else { continue };
        // Bytes that are not text have no names.
        let Ok(text) = std::str::from_utf8(&bytes) else { continue };
        for (number, line) in (1..).zip(text.lines()) {
            if words.iter().any(|word| has_word(line, word)) {
                let shown: String = line.trim().chars().take(100).collect();
                out.push(format!("{}:{number}: {shown}", path.display()));
            }
        }
    }
    Ok(out)
}

/// Whether a line has a word, and not as a part of a longer one.
fn has_word(line: &str, word: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    line.match_indices(word).any(|(at, _)| {
        let (before, after) = (line.get(..at).unwrap_or_default(), line.get(at + word.len()..).unwrap_or_default());
        !is_part(before.chars().next_back()) && !is_part(after.chars().next())
    })
}

/// A file with the map applied, if that changes it.
fn read(path: PathBuf, map: &Renumbering, left: &mut Left) -> Result<Option<Changed>, CliError> {
    let old = match File::open(&path).and_then(|file| all_of(file, LARGEST)) {
        Ok(old) => old,
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
            left.notes.push(format!("{}: skipped: larger than {LARGEST} bytes", path.display()));
            return Ok(None);
        }
        Err(error) => return Err(unreadable(&path, &error)),
    };
    if old.contains(&0) {
        left.files += 1;
        return Ok(None);
    }
    let rewritten = text::renumber(&old, map);
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).unwrap_or_default();
    let name = path.strip_prefix(&here).unwrap_or(&path).to_owned();
    for kept in &rewritten.kept {
        let place = format!("{}:{}", name.display(), kept.line);
        if kept.token.starts_with(CALLEE_PREFIX) && kept.opcode.is_some_and(|old| map.pairs().any(|p| p.0 == old)) {
            left.notes.push(format!("{place}: {} skipped: a name needs no renumbering", kept.token));
        } else if kept.opcode.is_some_and(|number| map.clashes(number)) {
            left.clashes.push(place);
        } else if kept.opcode.is_none() {
            left.patterns.push(place);
        }
    }
    Ok((!rewritten.edits.is_empty()).then_some(Changed { path, name, old, rewritten }))
}

/// Writes the patch, then every file; all or none of them.
fn write(changed: &[Changed], diff: &[u8], patch_file: &Path) -> Result<(), CliError> {
    if let Some(outside) = changed.iter().find(|file| file.name.is_absolute()) {
        let path = outside.path.display();
        return Err(CliError::Unusable(format!("{path}: is outside the current folder, in which the patch applies")));
    }
    new_file(patch_file, diff)?;
    for (done, file) in changed.iter().enumerate() {
        let unchanged = std::fs::read(&file.path).is_ok_and(|now| now == file.old);
        let result = match unchanged {
            true => put(&file.path, &file.rewritten.text, true),
            false => Err(io::Error::other("changed while it was read")),
        };
        if let Err(error) = result {
            let mut message = format!("{}: cannot be written: {error}; ", file.path.display());
            // Restores every file, even if one fails.
            let back = changed.iter().take(done);
            let stuck: Vec<_> = back.filter(|file| put(&file.path, &file.old, true).is_err()).collect();
            if stuck.is_empty() {
                message.push_str("nothing was changed");
                std::fs::remove_file(patch_file)?;
            } else {
                let names: Vec<_> = stuck.iter().map(|file| file.path.display().to_string()).collect();
                message.push_str(&format!("changed, and in {}: {}", patch_file.display(), names.join(", ")));
            }
            return Err(CliError::Unusable(message));
        }
    }
    Ok(())
}

fn say(map: &Renumbering, changed: &[Changed], left: &Left, written: Option<&Path>) -> io::Result<()> {
    let mut err = streams::errors();
    for (old, new) in map.pairs() {
        let is = |number: Opcode| op(number).map_or_else(|_| "(not in the op tables)".to_owned(), |op| op.name.clone());
        let edits = changed.iter().flat_map(|file| &file.rewritten.edits);
        let count = edits.filter(|edit| Opcode::parse(&edit.from) == Some(old)).count();
        writeln!(err, "{} {} -> {} {}: {}", old.shown(), is(old), new.shown(), is(new), counted(count, "call"))?;
        if let (Ok(from), Ok(to)) = (op(old), op(new))
            && from.function_prefix != to.function_prefix
        {
            let name = |prefix: &Option<String>| prefix.clone().unwrap_or_default();
            writeln!(err, "  the callee is still {}, not {}", name(&from.function_prefix), name(&to.function_prefix))?;
        }
    }
    list(&mut err, "already had the new number, and cannot be distinguished from renumbered calls", &left.clashes)?;
    list(&mut err, "with a pattern as opcode, skipped", &left.patterns)?;
    for note in &left.notes {
        writeln!(err, "{note}")?;
    }
    match left.files {
        0 => {}
        1 => writeln!(err, "1 file skipped: hidden, a link, a patch or not text")?,
        files => writeln!(err, "{files} files skipped: hidden, links, patches or not text")?,
    }
    let files = counted(changed.len(), "file");
    match written {
        Some(patch) => writeln!(err, "{files} written; patch -R -p1 < {} undoes it", patch.display()),
        None if changed.is_empty() => writeln!(err, "nothing to change"),
        None => writeln!(err, "{files} would change; --write changes them"),
    }
}

fn list(err: &mut impl Write, what: &str, places: &[String]) -> io::Result<()> {
    if places.is_empty() {
        return Ok(());
    }
    writeln!(err, "{} {what}:", counted(places.len(), "call"))?;
    for place in places.iter().take(LISTED) {
        writeln!(err, "  {place}")?;
    }
    match places.len().saturating_sub(LISTED) {
        0 => Ok(()),
        more => writeln!(err, "  and {more} more"),
    }
}

fn unreadable(path: &Path, error: &io::Error) -> CliError {
    CliError::Unusable(format!("{}: cannot be read: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_changes_nothing() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let map = Renumbering::new(&[(Opcode(4), Opcode(5))]).expect("a pair");
        let text = b"@dx.op.a(i32 4)";
        let changed: Vec<_> = ["a", "b"]
            .map(|name| {
                let path = folder.path().join(name);
                std::fs::write(&path, text).expect("writes");
                Changed { path, name: name.into(), old: text.to_vec(), rewritten: text::renumber(text, &map) }
            })
            .into();
        std::fs::write(&changed[1].path, "another hand was here").expect("writes");
        let patch_file = folder.path().join("p");
        let error = write(&changed, b"", &patch_file).expect_err("the second file is not what was read").to_string();
        assert!(error.contains("changed while it was read; nothing was changed"), "{error}");
        assert_eq!(std::fs::read(&changed[0].path).expect("there"), text);
        assert_eq!(std::fs::read(&changed[1].path).expect("there"), b"another hand was here");
        assert!(!patch_file.exists());

        std::fs::write(&changed[1].path, text).expect("writes");
        write(&changed, b"", &patch_file).expect("writes");
        assert_eq!(std::fs::read(&changed[1].path).expect("there"), b"@dx.op.a(i32 5)");
    }
}
