//! Quick fixes as the protocol has them.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use lsp_types::{
    CodeAction, CodeActionKind, DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier, TextDocumentEdit,
    TextEdit, WorkspaceEdit,
};
use serde_json::Value;

use super::Server;
use super::pipelines::Held;
use crate::fixes::{Context, Edit, Fix, Text, of_diagnostic, of_places};
use crate::position::Lines;

impl Server {
    /// The fixes at a range of a document.
    pub(super) fn actions(&self, path: &Path, range: &lsp_types::Range, held: &[&Held]) -> Value {
        let mut out: Vec<CodeAction> = Vec::new();
        if !self.abilities.actions {
            return Value::Array(Vec::new());
        }
        let is_only = held.len() == 1;
        for held in held {
            let mut paths: Vec<&Path> = held.pipeline.files.iter().map(PathBuf::as_path).collect();
            if !paths.contains(&path) {
                paths.push(path);
            }
            let read = |path: &Path| Some(Text::new(path, self.text(path)?.0));
            let texts: Vec<Text> = paths.into_iter().filter_map(read).collect();
            let manifest = held.pipeline.manifest.as_deref().and_then(read);
            let context = Context { pipeline: &held.pipeline, texts: &texts, manifest: manifest.as_ref(), is_only };
            let diagnostics = held.diagnostics.get(path).map(Vec::as_slice).unwrap_or_default();
            for (diagnostic, shown) in diagnostics.iter().zip(self.shown(path, diagnostics)) {
                if shown.range.end < range.start || range.end < shown.range.start {
                    continue;
                }
                for fix in of_diagnostic(&context, path, diagnostic) {
                    self.add(&mut out, fix, Some(&shown));
                }
            }
        }
        // What one pipeline does not read another one may.
        if let [only] = held
            && only.pipeline.files.iter().any(|file| file == path)
            && let Some(reported) = &only.report
        {
            for source in reported.sources.iter().filter(|source| source.path == path) {
                let bytes = self.offset(source, range.start)..self.offset(source, range.end);
                for fix in of_places(&reported.report, &reported.sources, source, &bytes) {
                    self.add(&mut out, fix, None);
                }
            }
        }
        serde_json::to_value(out).unwrap_or(Value::Null)
    }

    /// Adds a fix; one that is there for another diagnostic already is that of both.
    fn add(&self, out: &mut Vec<CodeAction>, fix: Fix, diagnostic: Option<&lsp_types::Diagnostic>) {
        let Some(edit) = self.workspace_edit(&fix.edits) else { return };
        if let Some(known) = out.iter_mut().find(|one| one.title == fix.title && one.edit.as_ref() == Some(&edit)) {
            known.diagnostics.get_or_insert_default().extend(diagnostic.cloned());
            return;
        }
        out.push(CodeAction {
            title: fix.title,
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: diagnostic.map(|one| vec![one.clone()]),
            edit: Some(edit),
            is_preferred: diagnostic.map(|_| true),
            ..CodeAction::default()
        });
    }

    /// Edits of files, with the versions of those that are open; none where a file cannot be read.
    pub(super) fn workspace_edit(&self, edits: &[Edit]) -> Option<WorkspaceEdit> {
        let mut by_file: BTreeMap<&Path, Vec<TextEdit>> = BTreeMap::new();
        let mut texts: BTreeMap<&Path, (String, Lines)> = BTreeMap::new();
        for edit in edits {
            if !texts.contains_key(edit.path.as_path()) {
                texts.insert(&edit.path, self.text(&edit.path)?);
            }
            let (text, lines) = texts.get(edit.path.as_path())?;
            let range = lines.range_of(text, &edit.range, self.abilities.encoding);
            by_file.entry(&edit.path).or_default().push(TextEdit { range, new_text: edit.text.clone() });
        }
        if self.abilities.versioned_edits {
            let edits = by_file.into_iter().map(|(path, edits)| {
                let version = self.documents.get(path).map(|document| document.version);
                let text_document = OptionalVersionedTextDocumentIdentifier { uri: self.uri(path)?, version };
                Some(TextDocumentEdit { text_document, edits: edits.into_iter().map(OneOf::Left).collect() })
            });
            let document_changes = Some(DocumentChanges::Edits(edits.collect::<Option<_>>()?));
            return Some(WorkspaceEdit { document_changes, ..WorkspaceEdit::default() });
        }
        let changes: Option<HashMap<_, _>> =
            by_file.into_iter().map(|(path, edits)| Some((self.uri(path)?, edits))).collect();
        Some(WorkspaceEdit { changes: Some(changes?), ..WorkspaceEdit::default() })
    }
}
