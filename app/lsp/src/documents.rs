//! The documents that the editor has open, with their unsaved text.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lsp_types::{TextDocumentContentChangeEvent, TextDocumentItem, Uri};

use crate::position::{Encoding, Lines};
use crate::uri::path_of;

/// An open document.
#[derive(Debug, Clone)]
pub struct Document {
    /// Its name, as the client writes it.
    pub uri: Uri,
    /// The client's number of this text.
    pub version: i32,
    /// Its text.
    pub text: String,
    /// The lines of the text.
    pub lines: Lines,
}

impl Document {
    /// The document that a client opened.
    pub fn new(uri: Uri, version: i32, text: String) -> Document {
        let lines = Lines::of(&text);
        Document { uri, version, text, lines }
    }

    /// Applies changes one after the other: each refers to the text that the one before it leaves.
    pub fn change(&mut self, version: i32, changes: Vec<TextDocumentContentChangeEvent>, encoding: Encoding) {
        for change in changes {
            match change.range {
                Some(range) => {
                    let [start, end] = [range.start, range.end].map(|at| self.lines.offset(&self.text, at, encoding));
                    self.text.replace_range(start..end.max(start), &change.text);
                }
                None => self.text = change.text,
            }
            self.lines = Lines::of(&self.text);
        }
        self.version = version;
    }
}

/// The open documents that are files, by path.
#[derive(Debug, Default)]
pub struct Documents(BTreeMap<PathBuf, Document>);

impl Documents {
    /// Takes a document that was opened. Returns its path; none where it is not a file of this machine.
    pub fn open(&mut self, item: TextDocumentItem) -> Option<PathBuf> {
        let path = path_of(&item.uri)?;
        self.0.insert(path.clone(), Document::new(item.uri, item.version, item.text));
        Some(path)
    }

    /// Drops a document that was closed.
    pub fn close(&mut self, path: &Path) -> Option<Document> {
        self.0.remove(path)
    }

    /// An open document.
    pub fn get(&self, path: &Path) -> Option<&Document> {
        self.0.get(path)
    }

    /// An open document, to be changed.
    pub fn get_mut(&mut self, path: &Path) -> Option<&mut Document> {
        self.0.get_mut(path)
    }

    /// All of them, by path.
    pub fn iter(&self) -> impl Iterator<Item = (&PathBuf, &Document)> {
        self.0.iter()
    }

    /// Their paths.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.0.keys().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use std::str::FromStr as _;

    use lsp_types::{Position, Range};

    use super::*;

    /// A text as its characters, and edits by counting them: slower, and independent of [`Lines`].
    fn edited(text: &str, from: (usize, usize), to: (usize, usize), new: &str, encoding: Encoding) -> String {
        let place = |(line, character): (usize, usize)| {
            let (mut row, mut column, mut at) = (0, 0, 0);
            let chars: Vec<char> = text.chars().collect();
            while at < chars.len() {
                if (row, column) == (line, character) {
                    return at;
                }
                let is_end = chars[at] == '\n' || chars[at] == '\r';
                if is_end && row == line {
                    return at;
                }
                if is_end {
                    at += if chars[at] == '\r' && chars.get(at + 1) == Some(&'\n') { 2 } else { 1 };
                    (row, column) = (row + 1, 0);
                    continue;
                }
                let units = if encoding == Encoding::Utf8 { chars[at].len_utf8() } else { chars[at].len_utf16() };
                if row == line && column < character && character < column + units {
                    return at;
                }
                column += units;
                at += 1;
            }
            at
        };
        let (from, to) = (place(from), place(to));
        let chars: Vec<char> = text.chars().collect();
        let head: String = chars[..from].iter().collect();
        let tail: String = chars[to.max(from)..].iter().collect();
        head + new + &tail
    }

    #[test]
    fn some_hundred_random_edits_leave_the_text_of_a_model() {
        let pieces = ["\n", "\r\n", "\r", "x", "\u{e4}", "\u{20ac}", "\u{1f600}", "vec4 a;\n", ""];
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            let mut random = fastrand::Rng::with_seed(7);
            let uri = Uri::from_str("file:///a.frag").expect("a URI");
            let mut document = Document::new(uri, 0, "#version 450\nvoid main() {}\n".to_owned());
            let mut model = document.text.clone();
            for version in 1..=600 {
                let lines = document.lines.count();
                let mut place = || (random.usize(0..=lines), random.usize(0..12));
                let mut ends = [place(), place()];
                ends.sort_unstable();
                let new: String = (0..random.usize(0..4)).map(|_| pieces[random.usize(0..pieces.len())]).collect();
                model = edited(&model, ends[0], ends[1], &new, encoding);
                let [start, end] = ends.map(|(line, character)| Position::new(line as u32, character as u32));
                let change =
                    TextDocumentContentChangeEvent { range: Some(Range { start, end }), range_length: None, text: new };
                document.change(version, vec![change], encoding);
                assert_eq!(document.text, model, "after edit {version} of {encoding:?}");
                if model.len() > 4000 {
                    let whole = TextDocumentContentChangeEvent { range: None, range_length: None, text: String::new() };
                    document.change(version, vec![whole], encoding);
                    model.clear();
                }
            }
            assert_eq!(document.version, 600);
        }
    }

    #[test]
    fn changes_of_one_message_follow_each_other() {
        let uri = Uri::from_str("file:///a.frag").expect("a URI");
        let mut document = Document::new(uri, 1, "abc".to_owned());
        let change = |from: u32, to: u32, text: &str| TextDocumentContentChangeEvent {
            range: Some(Range { start: Position::new(0, from), end: Position::new(0, to) }),
            range_length: None,
            text: text.to_owned(),
        };
        document.change(2, vec![change(0, 1, "xyz"), change(3, 4, "\u{1f600}")], Encoding::Utf16);
        assert_eq!((document.text.as_str(), document.version), ("xyz\u{1f600}c", 2));
        // An end before its start is taken for the start.
        document.change(3, vec![change(2, 0, "-")], Encoding::Utf16);
        assert_eq!(document.text, "xy-z\u{1f600}c");
    }
}
