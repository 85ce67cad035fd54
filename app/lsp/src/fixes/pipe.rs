//! Fixes of lines of `.pipe` files.

use super::{Fix, Text};
use crate::diagnostics::{At, Diagnostic};

/// The fix of a finding by its code and its line.
pub fn fix(text: &Text, code: &str, diagnostic: &Diagnostic) -> Option<Fix> {
    let At::Line(number, _) = diagnostic.at else { return None };
    let line = (number as usize).checked_sub(1)?;
    let range = text.lines.range(&text.text, line);
    let own = text.text.get(range.clone())?;
    match code {
        "pipe.bom" => {
            let mark = text.text.starts_with('\u{feff}').then_some('\u{feff}')?;
            let edits = vec![text.edit(0..mark.len_utf8(), "")];
            Some(Fix { title: "Remove the byte order mark".to_owned(), edits })
        }
        "pipe.header" => {
            let end = range.start + own.trim_end().len();
            let is_name = own.trim_end().strip_prefix('[')?.chars().all(char::is_alphanumeric);
            is_name.then(|| Fix { title: "Add `]`".to_owned(), edits: vec![text.edit(end..end, "]")] })
        }
        "pipe.removed-key" => {
            let key = own.split('=').next().unwrap_or_default().trim();
            let title = format!("Remove `{key}`, which LLPC does not read");
            Some(Fix { title, edits: vec![text.edit(text.whole_line(line), "")] })
        }
        "pipe.bracket-in-source" => {
            let edits = vec![text.edit(range.start..range.start, " ")];
            Some(Fix { title: "Indent the line by a blank".to_owned(), edits })
        }
        "pipe.comment-join" => {
            // The comment is at the end of the last line before that has code.
            let is_code = |line: &usize| {
                let own = text.text.get(text.lines.range(&text.text, *line)).unwrap_or_default();
                !own.split(';').next().unwrap_or_default().trim().is_empty()
            };
            let before = (0..line).rev().find(is_code)?;
            let range = text.lines.range(&text.text, before);
            let (code, comment) = text.text.get(range.clone())?.split_once(';')?;
            let edits = vec![text.edit(range, format!(";{comment}\n{}", code.trim_end()))];
            Some(Fix { title: "Put the comment on a line of its own".to_owned(), edits })
        }
        _ => None,
    }
}
