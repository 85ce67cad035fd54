//! Completion of a path that is typed: what the last part can become, by the names in its folder.

use std::path::{Path, PathBuf};

use crate::state::overlay::PathQuestion;

/// How many names are offered.
pub const OFFERED: usize = 8;

/// The path that is being typed: the last one of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partial<'t> {
    /// The text before it, with an open quote.
    pub before: &'t str,
    /// Its folder as typed, with the slash: `shaders/`.
    pub folder: &'t str,
    /// The beginning of a name in that folder.
    pub name: &'t str,
}

impl<'t> Partial<'t> {
    /// Of a text with several paths apart at spaces.
    pub fn of(text: &'t str) -> Partial<'t> {
        let mut quote = None;
        let mut start = 0;
        for (at, c) in text.char_indices() {
            let next = at + c.len_utf8();
            match quote {
                Some(end) if c == end => (quote, start) = (None, next),
                Some(_) => {}
                None if c == '"' || c == '\'' => (quote, start) = (Some(c), next),
                None if c.is_whitespace() => start = next,
                None => {}
            }
        }
        let (before, path) = text.split_at(start);
        let (folder, name) = path.rfind('/').map_or(("", path), |slash| path.split_at(slash + 1));
        Partial { before, folder, name }
    }

    /// The folder whose names can follow: absolute, `~/` read as the home folder.
    pub fn lookup(&self) -> PathBuf {
        let folder = home(if self.folder.is_empty() { "." } else { self.folder });
        std::path::absolute(&folder).unwrap_or(folder)
    }

    /// The names that begin as typed; in either case where none does as typed.
    pub fn matching<'n>(&self, names: &'n [String]) -> Vec<&'n str> {
        let all = |begins: &dyn Fn(&str) -> bool| -> Vec<&'n str> {
            // A hidden name is offered once its dot is typed.
            let shown = |name: &&str| self.name.starts_with('.') || !name.starts_with('.');
            names.iter().map(String::as_str).filter(|name| begins(name)).filter(shown).collect()
        };
        let exact = all(&|name| name.starts_with(self.name));
        let lower = self.name.to_lowercase();
        if exact.is_empty() { all(&|name| name.to_lowercase().starts_with(&lower)) } else { exact }
    }

    /// The text with this name instead of its beginning. A name with blanks gets quotes.
    pub fn with(&self, name: &str) -> String {
        let Partial { before, folder, .. } = self;
        let is_quoted = before.ends_with(['"', '\'']);
        let quote = if !is_quoted && name.contains(char::is_whitespace) { "\"" } else { "" };
        format!("{before}{quote}{folder}{name}")
    }

    /// The text completed as far as all these names agree; none where that adds nothing.
    pub fn common(&self, names: &[&str]) -> Option<String> {
        let (first, rest) = names.split_first()?;
        let agrees = |end: usize| rest.iter().all(|name| name.get(..end) == first.get(..end));
        let ends = first.char_indices().map(|(at, c)| at + c.len_utf8());
        let end = ends.take_while(|end| agrees(*end)).last()?;
        let text = self.with(first.get(..end)?);
        (end > self.name.len() || first.get(..end) != Some(self.name)).then_some(text)
    }
}

/// A path with `~/` read as the home folder.
pub fn home(path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), etcetera::home_dir()) {
        (Some(rest), Ok(home)) => home.join(rest),
        _ => Path::new(path).to_owned(),
    }
}

/// The names in a folder, folders with a slash, sorted: at most `most`. Empty where it cannot be read.
pub fn names_in(folder: &Path, most: usize) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().take(most);
    let mut names: Vec<String> = entries
        .filter_map(|entry| {
            let mut name = entry.file_name().into_string().ok()?;
            if entry.path().is_dir() {
                name.push('/');
            }
            Some(name)
        })
        .collect();
    names.sort();
    names
}

/// What is typed as the answer of a question: its paths, or the whole text where it is not for paths.
pub fn typed(question: &PathQuestion, text: &str) -> Vec<PathBuf> {
    match question.purpose.is_of_paths() {
        true => split(text),
        false => Some(text.trim()).filter(|text| !text.is_empty()).map(PathBuf::from).into_iter().collect(),
    }
}

/// Paths apart at spaces; quotes hold them together, `~/` is the home folder.
pub fn split(text: &str) -> Vec<PathBuf> {
    let mut paths: Vec<String> = Vec::new();
    let mut open = false;
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(end) if c == end => quote = None,
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                if !std::mem::replace(&mut open, true) {
                    paths.push(String::new());
                }
            }
            None if c.is_whitespace() => open = false,
            _ => {
                if !std::mem::replace(&mut open, true) {
                    paths.push(String::new());
                }
                if let Some(path) = paths.last_mut() {
                    path.push(c);
                }
            }
        }
    }
    paths.into_iter().filter(|path| !path.is_empty()).map(|path| home(&path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_path_is_the_one_being_typed() {
        for (text, before, folder, name) in [
            ("", "", "", ""),
            ("a.fr", "", "", "a.fr"),
            ("a.vert sub/b", "a.vert ", "sub/", "b"),
            ("\"my dir/x y", "\"", "my dir/", "x y"),
            ("'a b' /c/", "'a b' ", "/c/", ""),
        ] {
            assert_eq!(Partial::of(text), Partial { before, folder, name }, "{text:?}");
        }
    }

    #[test]
    fn completes_as_far_as_names_agree() {
        let names = ["lit.frag", "lit.vert", "Mesh/", ".git/", "a b.frag"].map(str::to_owned);
        let complete = |text: &str| {
            let partial = Partial::of(text);
            partial.common(&partial.matching(&names))
        };
        assert_eq!(complete("x/l"), Some("x/lit.".to_owned()));
        assert_eq!(complete("lit."), None, "both go on differently");
        assert_eq!(complete("lit.v"), Some("lit.vert".to_owned()));
        assert_eq!(complete("mes"), Some("Mesh/".to_owned()), "in either case where none fits as typed");
        assert_eq!(complete("a"), Some("\"a b.frag".to_owned()), "blanks need a quote");
        assert_eq!(complete("zz"), None);
        assert_eq!(Partial::of("").matching(&names).len(), 4, "hidden names are not offered");
    }

    #[test]
    fn lists_names_of_a_folder() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::create_dir(folder.path().join("sub")).expect("writable");
        std::fs::write(folder.path().join("a.frag"), "").expect("writable");
        assert_eq!(names_in(folder.path(), 10), ["a.frag", "sub/"]);
        assert_eq!(names_in(&folder.path().join("none"), 10), [""; 0]);
    }

    #[test]
    fn splits_typed_paths() {
        for (text, expected) in [
            ("", &[][..]),
            ("  a.frag ", &["a.frag"]),
            ("a.vert b.frag", &["a.vert", "b.frag"]),
            ("\"my shader.frag\" 'b c'.vert", &["my shader.frag", "b c.vert"]),
            ("\"open end", &["open end"]),
        ] {
            let expected: Vec<_> = expected.iter().map(PathBuf::from).collect();
            assert_eq!(split(text), expected, "{text}");
        }
    }
}
