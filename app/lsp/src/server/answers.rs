//! Requests about documents. They are answered from results about the text that the editor has; until there are some, they
//! wait.

use std::path::{Path, PathBuf};

use lanescope_host::jobs::caught;
use lsp_server::{ErrorCode, RequestId};
use lsp_types::request::{
    CodeActionRequest, CodeLensRequest, Completion, DocumentSymbolRequest, ExecuteCommand, GotoDefinition,
    HoverRequest, InlayHintRequest, InlineValueRequest, PrepareRenameRequest, References, Rename, Request as _,
    SemanticTokensFullRequest, SemanticTokensRangeRequest,
};
use lsp_types::{
    CancelParams, CodeActionParams, CodeLensParams, CompletionParams, DocumentSymbolParams, DocumentSymbolResponse,
    GotoDefinitionParams, GotoDefinitionResponse, Hover, HoverContents, HoverParams, InlayHint, InlayHintLabel,
    InlayHintParams, InlayHintTooltip, InlineValueParams, Location, NumberOrString, Position, ReferenceParams,
    RenameParams, SemanticTokensParams, SemanticTokensRangeParams, SymbolInformation, SymbolKind,
    TextDocumentPositionParams, Uri,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::Server;
use super::pipelines::{Answer, Held, Reported};
use crate::analysis::internal_error;
use crate::hints::{Hint, hints};
use crate::hover;
use crate::navigation::{Spot, definitions, references};
use crate::registers::LineLabel;
use crate::sites::{Role, Source, source_at};
use crate::uri::path_of;

/// The most requests that wait; a client that asks for more is refused.
const MOST: usize = 256;

/// A request that waits for a result.
pub(super) struct Waiting {
    id: RequestId,
    /// The document that it is about.
    path: PathBuf,
    question: Question,
}

/// What is asked.
enum Question {
    Hints(lsp_types::Range),
    /// Up to the line where a session stopped.
    InlineValues(lsp_types::Range, Position),
    Hover(Position),
    Definition(Position),
    References(Position, bool),
    Symbols,
    /// Where; absent where no kind is wanted that there is.
    Actions(Option<lsp_types::Range>),
    PrepareRename(Position),
    Rename(Position, String),
    /// All of them, or those of a range.
    Tokens(Option<lsp_types::Range>),
    Lenses,
}

impl Server {
    /// Takes a request that needs no result: what the text alone says, and commands; any other one waits for a
    /// result.
    pub(super) fn ask_at_once(&mut self, id: RequestId, method: &str, params: Value) {
        let invalid = |error: serde_json::Error| format!("{method}: {error}");
        match method {
            Completion::METHOD => match serde_json::from_value::<CompletionParams>(params) {
                Ok(CompletionParams { text_document_position: at, .. }) => {
                    let path = path_of(&at.text_document.uri).unwrap_or_default();
                    let result = caught(|| self.completion(&path, at.position));
                    match result {
                        Ok(result) => self.client.answer(id, result),
                        Err(panic) => {
                            self.client.refuse(id, ErrorCode::InternalError, &internal_error(&panic).message);
                        }
                    }
                }
                Err(error) => self.client.refuse(id, ErrorCode::InvalidParams, &invalid(error)),
            },
            ExecuteCommand::METHOD => match serde_json::from_value(params) {
                Ok(params) => self.execute(id, params),
                Err(error) => self.client.refuse(id, ErrorCode::InvalidParams, &invalid(error)),
            },
            _ => self.ask(id, method, params),
        }
    }

    /// Takes a request about a document.
    fn ask(&mut self, id: RequestId, method: &str, params: Value) {
        let (uri, question) = match question(method, params) {
            Ok(Some(asked)) => asked,
            Ok(None) => {
                return self.client.refuse(id, ErrorCode::MethodNotFound, &format!("`{method}` is not supported"));
            }
            Err(error) => return self.client.refuse(id, ErrorCode::InvalidParams, &format!("{method}: {error}")),
        };
        let path = path_of(&uri).filter(|path| self.documents.get(path).is_some());
        let Some(path) = path else {
            return self.client.refuse(id, ErrorCode::InvalidParams, &format!("{method}: the document is not open"));
        };
        if self.waiting.len() >= MOST {
            return self.client.refuse(id, ErrorCode::RequestFailed, &format!("more than {MOST} requests wait"));
        }
        self.waiting.push(Waiting { id, path, question });
        self.answer_waiting();
    }

    /// Answers the requests whose results are there.
    pub(super) fn answer_waiting(&mut self) {
        for waiting in std::mem::take(&mut self.waiting) {
            let held = match self.pipelines.about(&waiting.path, &self.documents) {
                Answer::Coming => {
                    self.waiting.push(waiting);
                    continue;
                }
                Answer::Current(held) => held,
                Answer::None => Vec::new(),
            };
            match caught(|| self.result(&waiting, &held)) {
                Ok(Ok(result)) => self.client.answer(waiting.id, result),
                Ok(Err(why)) => self.client.refuse(waiting.id, ErrorCode::RequestFailed, &why),
                Err(panic) => {
                    let why = internal_error(&panic).message;
                    self.client.refuse(waiting.id, ErrorCode::InternalError, &why);
                }
            }
        }
    }

    /// Refuses the requests about a document that was changed: they were about its earlier text.
    pub(super) fn refuse_waiting(&mut self, path: &Path) {
        let (gone, kept) = std::mem::take(&mut self.waiting).into_iter().partition(|waiting| waiting.path == path);
        self.waiting = kept;
        for waiting in gone {
            self.client.refuse(waiting.id, ErrorCode::ContentModified, "the document was changed");
        }
    }

    /// Cancels a request that waits.
    pub(super) fn cancel(&mut self, params: &CancelParams) {
        let id = match &params.id {
            NumberOrString::Number(number) => RequestId::from(*number),
            NumberOrString::String(text) => RequestId::from(text.clone()),
        };
        if let Some(at) = self.waiting.iter().position(|waiting| waiting.id == id) {
            let waiting = self.waiting.remove(at);
            self.client.refuse(waiting.id, ErrorCode::RequestCanceled, "cancelled");
        }
    }

    /// The answer from results, which are about the text that the editor has; or why it is refused.
    fn result(&self, waiting: &Waiting, held: &[&Held]) -> Result<Value, String> {
        match &waiting.question {
            Question::Actions(range) => {
                Ok(range.map_or_else(|| json!([]), |range| self.actions(&waiting.path, &range, held)))
            }
            Question::PrepareRename(at) => self.prepare_rename(&waiting.path, *at, held),
            Question::Rename(at, name) => self.rename(&waiting.path, *at, name, held),
            Question::Tokens(range) => Ok(self.tokens(&waiting.path, range.as_ref(), held)),
            Question::Lenses => Ok(self.lenses(&waiting.path, held)),
            _ => Ok(self.reported(waiting, held)),
        }
    }

    /// The answer from reports alone.
    fn reported(&self, waiting: &Waiting, held: &[&Held]) -> Value {
        // Of several pipelines with the document the first one that loads counts, as the log says.
        let reported = held.iter().filter_map(|held| Some((*held, held.report.as_ref()?)));
        let of_source =
            |(_, reported): &(&Held, &Reported)| reported.sources.iter().any(|source| source.path == waiting.path);
        let Some((held, reported)) = reported.into_iter().find(of_source) else {
            return match waiting.question {
                Question::Hints(_) | Question::InlineValues(..) | Question::Symbols => Value::Array(Vec::new()),
                _ => Value::Null,
            };
        };
        let of_file = || reported.sources.iter().filter(|source| source.path == waiting.path);
        let Some(first) = of_file().next() else { return Value::Null };
        // Of a description with several shaders it is the one at the place.
        let at = |at: Position| {
            let offset = self.offset(first, at);
            (source_at(&reported.sources, &waiting.path, offset).unwrap_or(first), offset)
        };
        let value = match &waiting.question {
            Question::Hints(range) => serde_json::to_value(self.hints(held, reported, &waiting.path, range)),
            Question::InlineValues(range, stopped) => {
                let all = of_file().flat_map(|source| self.inline_values(source, range, *stopped));
                serde_json::to_value(all.collect::<Vec<_>>())
            }
            Question::Hover(place) => {
                let (source, offset) = at(*place);
                serde_json::to_value(self.hover(reported, source, offset))
            }
            Question::Definition(place) => {
                let (source, offset) = at(*place);
                let found = definitions(&reported.sources, &source.at(offset), source, offset);
                let found = self.locations(reported, &found);
                serde_json::to_value(GotoDefinitionResponse::Array(found))
            }
            Question::References(place, with_declarations) => {
                let (source, offset) = at(*place);
                let found = references(&reported.sources, &source.at(offset), *with_declarations);
                serde_json::to_value(self.locations(reported, &found))
            }
            Question::Symbols => {
                let all = of_file().flat_map(|source| self.symbols(reported, source));
                serde_json::to_value(DocumentSymbolResponse::Flat(all.collect()))
            }
            // They are not answered from a report alone.
            _ => Ok(Value::Null),
        };
        // Structures of the protocol always become JSON.
        value.unwrap_or(Value::Null)
    }

    pub(super) fn offset(&self, source: &Source, at: Position) -> usize {
        source.lines.offset(&source.text, at, self.abilities.encoding)
    }

    fn hints(&self, held: &Held, reported: &Reported, path: &Path, range: &lsp_types::Range) -> Vec<InlayHint> {
        let of_file = || reported.sources.iter().filter(|source| source.path == path);
        let Some(first) = of_file().next() else { return Vec::new() };
        let [start, end] = [range.start, range.end].map(|at| self.offset(first, at));
        let of_report = of_file().flat_map(|source| hints(&reported.report, source, &self.settings.hints));
        let counts = self.counting.labels(held, path).iter();
        let all = of_report.chain(counts.map(|count| at_line(first, count)));
        let mut shown: Vec<Hint> = all.filter(|hint| (start..=end).contains(&hint.at)).collect();
        shown.sort_by_key(|hint| hint.at);
        let mut positions = first.lines.positions(&first.text, self.abilities.encoding);
        let hint = |hint: Hint| InlayHint {
            position: positions.at(hint.at),
            label: InlayHintLabel::String(hint.label),
            kind: None,
            text_edits: None,
            tooltip: Some(InlayHintTooltip::String(hint.tooltip)),
            padding_left: Some(true),
            padding_right: Some(true),
            data: None,
        };
        shown.into_iter().map(hint).collect()
    }

    fn hover(&self, reported: &Reported, source: &Source, offset: usize) -> Option<Hover> {
        let sites = source.at(offset);
        let page = hover::page(&reported.report, &sites, self.abilities.markdown);
        (!page.is_empty()).then(|| Hover { contents: HoverContents::Markup(page.content()), range: None })
    }

    fn locations(&self, reported: &Reported, spots: &[Spot]) -> Vec<Location> {
        let location = |spot: &Spot| {
            let source = reported.sources.iter().find(|source| source.path == spot.path)?;
            let range = source.lines.range_of(&source.text, &(spot.bytes.0..spot.bytes.1), self.abilities.encoding);
            Some(Location { uri: self.uri(&spot.path)?, range })
        };
        spots.iter().filter_map(location).collect()
    }

    #[expect(deprecated, reason = "a field of the protocol's structure that has to be given")]
    fn symbols(&self, reported: &Reported, source: &Source) -> Vec<SymbolInformation> {
        let mut out: Vec<SymbolInformation> = Vec::new();
        for site in &source.sites {
            let (kind, name, container) = match &site.role {
                Role::Varying { is_output, .. } => {
                    let side = if *is_output { "output" } else { "input" };
                    (SymbolKind::VARIABLE, site.name.clone(), side.to_owned())
                }
                Role::Workgroup(index) => {
                    let entry = reported.report.workgroup.get(*index).map(|layout| layout.entry.clone());
                    (SymbolKind::CONSTANT, "workgroup size".to_owned(), entry.unwrap_or_default())
                }
                Role::Descriptor { set, binding, .. } => {
                    (SymbolKind::VARIABLE, site.name.clone(), format!("set {set} binding {binding}"))
                }
                Role::Node(node) => {
                    let of = reported.report.graph.as_ref().and_then(|graph| graph.nodes.get(*node));
                    let launch = of.map_or(String::new(), |node| format!("{} node", node.launch.name()));
                    (SymbolKind::FUNCTION, site.name.clone(), launch)
                }
                Role::NodeOutput { node, .. } => {
                    let of = reported.report.graph.as_ref().and_then(|graph| graph.nodes.get(*node));
                    (SymbolKind::VARIABLE, site.name.clone(), of.map_or(String::new(), |node| node.label()))
                }
            };
            let Some(uri) = self.uri(&source.path) else { continue };
            let range = source.lines.range_of(&source.text, &site.range, self.abilities.encoding);
            let location = Location { uri, range };
            // Of a declaration for both stages there is one.
            if !out.iter().any(|other| other.location == location) {
                let container_name = Some(container);
                out.push(SymbolInformation { name, kind, tags: None, deprecated: None, location, container_name });
            }
        }
        out
    }
}

/// A count at the end of its line.
fn at_line(source: &Source, count: &LineLabel) -> Hint {
    let line = source.lines.range(&source.text, count.line);
    let text = source.text.get(line.clone()).unwrap_or_default();
    Hint { at: line.start + text.trim_end().len(), label: count.label.clone(), tooltip: count.tooltip.clone() }
}

/// The question of a request and its document; none where it is not one of these.
fn question(method: &str, params: Value) -> Result<Option<(Uri, Question)>, serde_json::Error> {
    fn read<P: DeserializeOwned>(params: Value) -> Result<P, serde_json::Error> {
        serde_json::from_value(params)
    }
    let of = |at: TextDocumentPositionParams, question: fn(Position) -> Question| {
        (at.text_document.uri, question(at.position))
    };
    Ok(Some(match method {
        InlayHintRequest::METHOD => {
            let InlayHintParams { text_document, range, .. } = read(params)?;
            (text_document.uri, Question::Hints(range))
        }
        InlineValueRequest::METHOD => {
            let InlineValueParams { text_document, range, context, .. } = read(params)?;
            (text_document.uri, Question::InlineValues(range, context.stopped_location.start))
        }
        HoverRequest::METHOD => of(read::<HoverParams>(params)?.text_document_position_params, Question::Hover),
        GotoDefinition::METHOD => {
            of(read::<GotoDefinitionParams>(params)?.text_document_position_params, Question::Definition)
        }
        References::METHOD => {
            let ReferenceParams { text_document_position: at, context, .. } = read(params)?;
            (at.text_document.uri, Question::References(at.position, context.include_declaration))
        }
        DocumentSymbolRequest::METHOD => {
            let DocumentSymbolParams { text_document, .. } = read(params)?;
            (text_document.uri, Question::Symbols)
        }
        CodeActionRequest::METHOD => {
            let CodeActionParams { text_document, range, context, .. } = read(params)?;
            // A client that asks for other kinds gets none.
            let kinds = context.only.unwrap_or_default();
            let is_wanted = kinds.is_empty() || kinds.iter().any(|kind| ["", "quickfix"].contains(&kind.as_str()));
            (text_document.uri, Question::Actions(is_wanted.then_some(range)))
        }
        PrepareRenameRequest::METHOD => of(read::<TextDocumentPositionParams>(params)?, Question::PrepareRename),
        Rename::METHOD => {
            let RenameParams { text_document_position: at, new_name, .. } = read(params)?;
            (at.text_document.uri, Question::Rename(at.position, new_name))
        }
        SemanticTokensFullRequest::METHOD => {
            (read::<SemanticTokensParams>(params)?.text_document.uri, Question::Tokens(None))
        }
        SemanticTokensRangeRequest::METHOD => {
            let SemanticTokensRangeParams { text_document, range, .. } = read(params)?;
            (text_document.uri, Question::Tokens(Some(range)))
        }
        CodeLensRequest::METHOD => (read::<CodeLensParams>(params)?.text_document.uri, Question::Lenses),
        _ => return Ok(None),
    }))
}
