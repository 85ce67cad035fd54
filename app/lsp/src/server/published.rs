//! Diagnostics as the client has them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use lanescope_core::findings::Severity;
use lanescope_host::files::text_at_most;
use lsp_types::notification::PublishDiagnostics;
use lsp_types::{
    DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Position, PublishDiagnosticsParams, Uri,
};

use super::Server;
use super::pipelines::MAX_DOCUMENT;
use crate::diagnostics::{At, ByFile, Diagnostic, MOST};
use crate::position::{Encoding, Lines};
use crate::source::tokens::word_at;
use crate::uri::uri_of;

/// What was sent.
#[derive(Debug, Default)]
pub struct Published {
    /// The diagnostics of each file that has some, with the version that they are about.
    sent: BTreeMap<PathBuf, (Option<i32>, Vec<lsp_types::Diagnostic>)>,
    /// What is wrong with workspace files.
    manifests: ByFile,
}

impl Published {
    /// Takes what is wrong with workspace files.
    pub fn set_manifests(&mut self, faults: ByFile) {
        self.manifests = faults;
    }
}

impl Server {
    /// Sends the diagnostics of all files for which they changed; where some are given, of these alone.
    pub(super) fn publish(&mut self, only: Option<&BTreeSet<PathBuf>>) {
        let (mut all, open) = self.pipelines.diagnostics(&self.documents);
        for (file, faults) in &self.published.manifests {
            all.entry(file.clone()).or_default().extend(faults.iter().cloned());
        }
        // Documents that are open and analysed are said to be without fault too, for their version.
        let involved = self.pipelines.involved();
        let documents = self.documents.paths().into_iter().filter(|path| involved.contains(path));
        let files: BTreeSet<PathBuf> =
            all.keys().cloned().chain(self.published.sent.keys().cloned()).chain(documents).collect();
        let is_asked = |file: &PathBuf| !open.contains(file) && only.is_none_or(|only| only.contains(file));
        for file in files.into_iter().filter(is_asked) {
            let version = self.documents.get(&file).map(|document| document.version);
            let shown = self.shown(&file, all.get(&file).map(Vec::as_slice).unwrap_or_default());
            let now = (version, shown);
            if self.published.sent.get(&file) == Some(&now) {
                continue;
            }
            let Some(uri) = self.uri(&file) else { continue };
            let (version, diagnostics) = now.clone();
            self.client.notify::<PublishDiagnostics>(PublishDiagnosticsParams { uri, diagnostics, version });
            // A closed file without diagnostics is as one that was never mentioned.
            if now.1.is_empty() && version.is_none() {
                self.published.sent.remove(&file);
            } else {
                self.published.sent.insert(file, now);
            }
        }
    }

    /// The name of a file, as the client writes it where it is open.
    pub(super) fn uri(&self, file: &Path) -> Option<Uri> {
        self.documents.get(file).map(|document| document.uri.clone()).or_else(|| uri_of(file))
    }

    /// Diagnostics of a file as the protocol has them.
    pub(super) fn shown(&self, file: &Path, all: &[Diagnostic]) -> Vec<lsp_types::Diagnostic> {
        if all.is_empty() {
            return Vec::new();
        }
        let text = self.text(file);
        let encoding = self.abilities.encoding;
        all.iter()
            .take(MOST)
            .map(|one| {
                let range = text
                    .as_ref()
                    .map_or_else(|| without_text(&one.at), |(text, lines)| range(text, lines, &one.at, encoding));
                let related = one.related.iter().filter_map(|(path, bytes, message)| {
                    let (text, lines) = self.text(path)?;
                    let range = lines.range_of(&text, bytes, encoding);
                    let (location, message) = (Location { uri: self.uri(path)?, range }, message.clone());
                    Some(DiagnosticRelatedInformation { location, message })
                });
                let related: Vec<_> = related.collect();
                lsp_types::Diagnostic {
                    range,
                    severity: Some(severity(one.severity)),
                    code: one.code.clone().map(NumberOrString::String),
                    source: Some("lanescope".to_owned()),
                    message: one.message.clone(),
                    related_information: (self.abilities.related && !related.is_empty()).then_some(related),
                    ..lsp_types::Diagnostic::default()
                }
            })
            .collect()
    }

    /// The text of a file: the editor's, or that on disk.
    pub(super) fn text(&self, file: &Path) -> Option<(String, Lines)> {
        match self.documents.get(file) {
            Some(document) => Some((document.text.clone(), document.lines.clone())),
            None => {
                let text = text_at_most(file, MAX_DOCUMENT as u64).ok()?;
                let lines = Lines::of(&text);
                Some((text, lines))
            }
        }
    }
}

fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Note => DiagnosticSeverity::HINT,
    }
}

/// The range of a place: of a line its code, of a column the word there.
fn range(text: &str, lines: &Lines, at: &At, encoding: Encoding) -> lsp_types::Range {
    let code = |line: usize| {
        let range = lines.range(text, line);
        let whole = text.get(range.clone()).unwrap_or_default();
        range.start + (whole.len() - whole.trim_start().len())
            ..range.start + whole.trim_end().len().max(whole.len() - whole.trim_start().len())
    };
    let bytes: Range<usize> = match at {
        At::Bytes(range) if range.is_empty() => word_at(text, range.start).unwrap_or(range.clone()),
        At::Bytes(range) => range.clone(),
        At::File => code(0),
        At::Line(line, column) => {
            let code = code((*line as usize).saturating_sub(1));
            let start = lines.range(text, (*line as usize).saturating_sub(1)).start;
            // Compilers count characters or bytes: the same before anything that is not ASCII.
            let from = column.map(|column| start + column.saturating_sub(1) as usize);
            match from.filter(|from| code.contains(from) && text.is_char_boundary(*from)) {
                Some(from) => from..word_at(text, from).map_or(code.end, |word| word.end),
                None => code,
            }
        }
    };
    lines.range_of(text, &bytes, encoding)
}

/// The same where the text cannot be read.
fn without_text(at: &At) -> lsp_types::Range {
    let line = if let At::Line(line, _) = at { line.saturating_sub(1) } else { 0 };
    let start = Position { line, character: 0 };
    lsp_types::Range { start, end: start }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_words_or_the_code_of_a_line() {
        let text = "int a;\n  vec3 b\u{e4}r = c;  \n";
        let lines = Lines::of(text);
        let of = |at: At| {
            let range = range(text, &lines, &at, Encoding::Utf16);
            assert_eq!(range.start.line, range.end.line);
            (range.start.line, range.start.character, range.end.character)
        };
        assert_eq!(of(At::File), (0, 0, 6));
        assert_eq!(of(At::Line(2, None)), (1, 2, 15));
        assert_eq!(of(At::Line(2, Some(3))), (1, 2, 6));
        assert_eq!(of(At::Line(2, Some(99))), (1, 2, 15));
        assert_eq!(of(At::Line(99, Some(1))), (2, 0, 0));
        assert_eq!(of(At::Bytes(4..4)), (0, 4, 5));
        assert_eq!(without_text(&At::Line(7, None)).start.line, 6);
    }
}
