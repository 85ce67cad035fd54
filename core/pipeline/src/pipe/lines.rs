//! The text of a `.pipe` file, cut into sections and key lines.

use super::section::{Form, Kind, kind_of};
use crate::findings;
use crate::notes::Notes;

/// The longest line, in bytes.
const MAX_LINE: usize = 1 << 20;
/// Key lines that are read.
const MAX_KEYS: usize = 200_000;
/// Sections that are read.
const MAX_SECTIONS: usize = 4096;

/// A section.
#[derive(Debug)]
pub struct Section {
    pub name: String,
    pub kind: Kind,
    /// The line of its header, from 1.
    pub line: u32,
    /// Its key lines; none where it is text.
    pub keys: Vec<KeyLine>,
    /// Its text, as it is; empty where it has keys.
    pub text: String,
}

/// `key = value`.
#[derive(Debug)]
pub struct KeyLine {
    pub line: u32,
    pub key: String,
    pub value: String,
}

/// Cuts a file into its sections.
pub fn sections(bytes: &[u8], notes: &mut Notes<'_>) -> Vec<Section> {
    let bytes = match bytes.strip_prefix(b"\xef\xbb\xbf") {
        Some(rest) => {
            notes.add(findings::PIPE_BOM, 1, "the file starts with a byte order mark, which hides the first section");
            rest
        }
        None => bytes,
    };
    let mut reader = Reader { notes, sections: Vec::new(), keys: 0, stray: false, comment: None, full: false };
    for (number, line) in (1u32..).zip(bytes.split(|byte| *byte == b'\n')) {
        if reader.full {
            break;
        }
        reader.line(number, line);
    }
    reader.sections
}

struct Reader<'n, 'f> {
    notes: &'n mut Notes<'f>,
    sections: Vec<Section>,
    keys: usize,
    /// Text before the first section was met.
    stray: bool,
    /// The last key line ended in a comment: its number.
    comment: Option<u32>,
    /// Nothing more is read.
    full: bool,
}

impl Reader<'_, '_> {
    fn line(&mut self, number: u32, line: &[u8]) {
        if line.len() > MAX_LINE {
            let message = format!("the line has {} bytes, expected at most {MAX_LINE}; it is skipped", line.len());
            self.notes.add(findings::PIPE_LINE_LIMIT, number, message);
            return;
        }
        let line = String::from_utf8_lossy(line);
        if let Some(rest) = line.strip_prefix('[')
            && self.header(number, rest)
        {
            return;
        }
        let Some(section) = self.sections.last_mut() else {
            let blank = line.trim().is_empty() || line.trim_start().starts_with(';');
            if !blank && !std::mem::replace(&mut self.stray, true) {
                let message = "text before the first section is not read";
                self.notes.add(findings::PIPE_TEXT_BEFORE_SECTION, number, message);
            }
            return;
        };
        if section.kind.is_text() {
            section.text.push_str(&line);
            section.text.push('\n');
        } else {
            self.key_line(number, &line);
        }
    }

    /// Starts a section. False where the line is none after all.
    fn header(&mut self, number: u32, rest: &str) -> bool {
        let in_hlsl = self.sections.last().is_some_and(|section| matches!(section.kind, Kind::Source(_, Form::Hlsl)));
        let Some((name, _)) = rest.split_once(']') else {
            self.notes.add(findings::PIPE_HEADER, number, format!("`[{}` has no `]`; the line is skipped", clip(rest)));
            return true;
        };
        let name = name.split_once(',').map_or(name, |(name, _)| name);
        let kind = kind_of(name);
        if in_hlsl && kind == Kind::Unknown {
            let message =
                format!("`[{name}]` in the first column of HLSL ends the shader for LLPC; it is kept as source");
            self.notes.add(findings::PIPE_BRACKET_IN_SOURCE, number, message);
            return false;
        }
        if self.sections.len() >= MAX_SECTIONS {
            let message = format!("there are more than {MAX_SECTIONS} sections; the rest is not read");
            self.notes.add(findings::PIPE_LINE_LIMIT, number, message);
            self.full = true;
            return true;
        }
        let first = self.sections.iter().find(|section| section.kind == kind && !kind.may_repeat());
        if let Some(first) = first {
            let message = format!("[{name}] is defined twice; the one at line {} is used", first.line);
            self.notes.add(findings::PIPE_DUPLICATE_SECTION, number, message);
        }
        if kind == Kind::Unknown {
            let message = format!("[{name}] is not a known section; its lines are kept as written");
            self.notes.add(findings::PIPE_UNKNOWN_SECTION, number, message);
        }
        self.comment = None;
        let (name, text) = (name.to_owned(), String::new());
        self.sections.push(Section { name, kind, line: number, keys: Vec::new(), text });
        true
    }

    fn key_line(&mut self, number: u32, line: &str) {
        let (code, has_comment) = line.split_once(';').map_or((line, false), |(code, _)| (code, true));
        let code = code.trim();
        if code.is_empty() {
            return;
        }
        if let Some(before) = self.comment.take() {
            let message = format!("the comment at the end of line {before} makes LLPC lose this line");
            self.notes.add(findings::PIPE_COMMENT_JOIN, number, message);
        }
        if has_comment {
            self.comment = Some(number);
        }
        let Some((key, value)) = code.split_once('=') else {
            let message = format!("`{}` has no `=`; the line is skipped", clip(code));
            self.notes.add(findings::PIPE_NO_EQUALS, number, message);
            return;
        };
        let (key, value) = (key.trim(), value.trim());
        if value.is_empty() {
            let message = format!("`{}` has no value and is ignored", clip(key));
            self.notes.add(findings::PIPE_NO_VALUE, number, message);
            return;
        }
        if self.keys >= MAX_KEYS {
            let message = format!("there are more than {MAX_KEYS} keys; the rest is not read");
            self.notes.add(findings::PIPE_LINE_LIMIT, number, message);
            self.full = true;
            return;
        }
        self.keys += 1;
        if let Some(section) = self.sections.last_mut() {
            section.keys.push(KeyLine { line: number, key: key.to_owned(), value: value.to_owned() });
        }
    }
}

/// The start of a text, short enough for a message.
pub fn clip(text: &str) -> String {
    let mut out: String = text.chars().take(60).collect();
    if out.len() < text.len() {
        out.push('…');
    }
    out
}
