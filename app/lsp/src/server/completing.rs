//! Completion and semantic tokens as the protocol has them.

use std::path::{Path, PathBuf};

use lanescope_core::load::{stage_of_extension, stage_of_profile};
use lanescope_core::program::StageKind;
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionResponse, CompletionTextEdit, Position, SemanticTokens, TextEdit,
};
use serde_json::Value;

use super::Server;
use super::pipelines::Held;
use crate::completion::{Other, Place, proposals};
use crate::project::Pipeline;
use crate::semantic::{encoded, names};
use crate::source::Language;

impl Server {
    /// What can be inserted at a place of an open document. The text is enough: while one types, it seldom compiles.
    pub(super) fn completion(&self, path: &Path, at: Position) -> Value {
        let proposed = self.proposed(path, at).unwrap_or_default();
        serde_json::to_value(CompletionResponse::Array(proposed)).unwrap_or(Value::Null)
    }

    fn proposed(&self, path: &Path, at: Position) -> Option<Vec<CompletionItem>> {
        let document = self.documents.get(path)?;
        let pipeline = self.pipelines.with(path).next();
        let language = Language::of_name(path)?;
        let stage = stage_of(path, pipeline);
        let offset = document.lines.offset(&document.text, at, self.abilities.encoding);
        let place =
            Place { language, stage: stage.filter(|_| language != Language::Wgsl), text: &document.text, offset };
        let texts: Vec<(PathBuf, StageKind, String)> = pipeline
            .iter()
            .flat_map(|pipeline| &pipeline.files)
            .filter(|file| *file != path && Language::of_name(file) == Some(language))
            .filter_map(|file| Some((file.clone(), stage_of_extension(file)?, self.text(file)?.0)))
            .filter(|(_, stage, _)| stage.is_graphics())
            .collect();
        let stages: Vec<(StageKind, String, &str)> = texts
            .iter()
            .map(|(file, stage, text)| {
                (*stage, file.file_name().unwrap_or_default().to_string_lossy().into_owned(), text.as_str())
            })
            .collect();
        let before =
            stages.iter().filter(|(other, ..)| stage.is_some_and(|stage| *other < stage)).max_by_key(|one| one.0);
        let after =
            stages.iter().filter(|(other, ..)| stage.is_some_and(|stage| *other > stage)).min_by_key(|one| one.0);
        let [previous, next] =
            [before, after].map(|found| found.map(|(stage, name, text)| Other { name, stage: *stage, text }));
        let (word, all) = proposals(&place, previous, next);
        let range = document.lines.range_of(&document.text, &word, self.abilities.encoding);
        let item = |one: crate::completion::Proposal| CompletionItem {
            label: one.text.clone(),
            kind: Some(if one.is_declaration { CompletionItemKind::SNIPPET } else { CompletionItemKind::VARIABLE }),
            detail: Some(one.detail),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit { range, new_text: one.text })),
            ..CompletionItem::default()
        };
        Some(all.into_iter().map(item).collect())
    }

    /// The tokens of a document, or of a part of it. What no report says, the text does.
    pub(super) fn tokens(&self, path: &Path, within: Option<&lsp_types::Range>, held: &[&Held]) -> Value {
        let Some((text, lines)) = self.text(path) else { return Value::Null };
        let reported = held.iter().filter_map(|held| held.report.as_ref()).find_map(|reported| {
            let source = reported.sources.iter().find(|source| source.path == path)?;
            Some((&*reported.report, source))
        });
        let language = reported.and_then(|(_, source)| source.language).or_else(|| Language::of_name(path));
        let all = language.map(|language| names(language, &text, reported)).unwrap_or_default();
        let within = within.map_or(0..text.len(), |range| {
            let [start, end] = [range.start, range.end].map(|at| lines.offset(&text, at, self.abilities.encoding));
            start..end.max(start)
        });
        let data = encoded(&all, &text, &lines, &within, self.abilities.encoding);
        serde_json::to_value(SemanticTokens { result_id: None, data }).unwrap_or(Value::Null)
    }
}

/// The stage of a file, as far as its name or the workspace file says it.
fn stage_of(path: &Path, pipeline: Option<&Pipeline>) -> Option<StageKind> {
    let listed = || pipeline?.options.stage;
    stage_of_extension(path).or_else(|| stage_of_profile(path)).or_else(listed)
}
