//! Completion and semantic tokens as the protocol has them.

use std::borrow::Cow;
use std::path::Path;

use lanescope_core::load::{stage_of_extension, stage_of_profile};
use lanescope_core::program::StageKind;
use lanescope_core::report::Report;
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionResponse, CompletionTextEdit, Position, SemanticTokens, TextEdit,
};
use serde_json::Value;

use super::Server;
use super::pipelines::{Held, Reported};
use crate::completion::{Other, Place, proposals};
use crate::project::Pipeline;
use crate::semantic::{encoded, names};
use crate::sites::{Source, only};
use crate::source::Language;
use crate::source::sections::{Section, sections};

impl Server {
    /// What can be inserted at a place of an open document. The text is enough: while one types, it seldom compiles.
    pub(super) fn completion(&self, path: &Path, at: Position) -> Value {
        let proposed = self.proposed(path, at).unwrap_or_default();
        serde_json::to_value(CompletionResponse::Array(proposed)).unwrap_or(Value::Null)
    }

    fn proposed(&self, path: &Path, at: Position) -> Option<Vec<CompletionItem>> {
        let document = self.documents.get(path)?;
        let offset = document.lines.offset(&document.text, at, self.abilities.encoding);
        let sections = sections(path, &document.text);
        let here = sections.iter().find(|one| one.bytes.start <= offset && offset <= one.bytes.end);
        let pipeline = self.pipelines.with(path).next();
        let (language, stage) = match here {
            Some(section) => (section.language, Some(section.stage)),
            None => (Language::of_name(path)?, stage_of(path, pipeline)),
        };
        let text = here.map_or(Cow::Borrowed(&document.text), |one| Cow::Owned(only(&document.text, &one.bytes)));
        let place = Place { language, stage: stage.filter(|_| language != Language::Wgsl), text: &text, offset };
        let texts: Vec<(String, StageKind, String)> = match here {
            Some(here) => {
                let others = sections.iter().filter(|other| *other != here && other.language == language);
                let name = |stage: StageKind| format!("the {} shader", stage.name());
                let text = |one: &Section| document.text.get(one.bytes.clone()).unwrap_or_default().to_owned();
                others.map(|one| (name(one.stage), one.stage, text(one))).collect()
            }
            None => pipeline
                .iter()
                .flat_map(|pipeline| &pipeline.files)
                .filter(|file| *file != path && Language::of_name(file) == Some(language))
                .filter_map(|file| {
                    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                    Some((name, stage_of_extension(file).or_else(|| stage_of_profile(file))?, self.text(file)?.0))
                })
                .collect(),
        };
        let stages: Vec<(StageKind, &str, &str)> = texts
            .iter()
            .filter(|(_, stage, _)| stage.is_graphics())
            .map(|(name, stage, text)| (*stage, name.as_str(), text.as_str()))
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
        let reported = held.iter().filter_map(|held| held.report.as_ref());
        let of_file = |reported: &&Reported| reported.sources.iter().any(|source| source.path == path);
        let reported = reported.into_iter().find(of_file);
        let sources = reported.iter().flat_map(|reported| {
            let own = reported.sources.iter().filter(|source| source.path == path);
            own.map(|source| (&*reported.report, source))
        });
        let sources: Vec<(&Report, &Source)> = sources.collect();
        // Where nothing compiles, a description has the shaders that its text has.
        let mut all = match sources.iter().any(|(_, source)| source.language.is_some()) {
            true => {
                let of = |(report, source): &(&Report, &Source)| {
                    source.language.map(|language| names(language, &source.text, Some((report, source))))
                };
                sources.iter().filter_map(of).flatten().collect()
            }
            false => match Language::of_name(path) {
                Some(language) => names(language, &text, None),
                None => {
                    let of = |one: Section| {
                        let own = names(one.language, text.get(one.bytes.clone()).unwrap_or_default(), None);
                        let start = one.bytes.start;
                        own.into_iter().map(move |(range, kind)| (range.start + start..range.end + start, kind))
                    };
                    sections(path, &text).into_iter().flat_map(of).collect()
                }
            },
        };
        all.sort_by_key(|(range, _)| range.start);
        all.dedup_by_key(|(range, _)| range.start);
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
