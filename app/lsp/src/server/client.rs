//! The client: what it can do, and messages to it.

use crossbeam_channel::Sender;
use lanescope_core::foreign::plain_lines;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{Notification as _, ShowMessage};
use lsp_types::{ClientCapabilities, LogMessageParams, MarkupKind, MessageType, ShowMessageParams};
use serde::Serialize;

use crate::commands::DEBUG;
use crate::position::Encoding;
use crate::transport::Outgoing;

/// Which answers a client asks for again.
#[derive(Debug, Clone, Copy)]
pub struct Refreshes {
    /// Inlay hints.
    pub hints: bool,
    /// Semantic tokens.
    pub tokens: bool,
    /// Code lenses.
    pub lenses: bool,
}

/// What a client can do.
#[derive(Debug, Clone, Copy)]
pub struct Abilities {
    /// The unit of positions.
    pub encoding: Encoding,
    /// It shows Markdown at the pointer.
    pub markdown: bool,
    /// It shows other places of a diagnostic.
    pub related: bool,
    /// What it asks for again where the server says that it changed.
    pub refreshes: Refreshes,
    /// It takes actions with edits, not commands alone.
    pub actions: bool,
    /// It takes edits of several documents with the versions that they are about.
    pub versioned_edits: bool,
    /// It starts debug sessions: its experimental capability `commands` lists the command.
    pub debugs: bool,
    /// It says its settings when asked.
    pub configuration: bool,
}

impl Abilities {
    /// Those that a client names.
    pub fn of(client: &ClientCapabilities) -> Abilities {
        let (text, workspace) = (client.text_document.as_ref(), client.workspace.as_ref());
        let general = client.general.as_ref();
        let hover = text.and_then(|text| text.hover.as_ref()?.content_format.as_ref());
        let published = text.and_then(|text| text.publish_diagnostics.as_ref());
        let actions = text.and_then(|text| text.code_action.as_ref()?.code_action_literal_support.as_ref());
        let edits = workspace.and_then(|workspace| workspace.workspace_edit.as_ref());
        let performed = client.experimental.as_ref().and_then(|more| more.get("commands")?.get("commands")?.as_array());
        let refreshes = Refreshes {
            hints: workspace.and_then(|workspace| workspace.inlay_hint.as_ref()?.refresh_support) == Some(true),
            tokens: workspace.and_then(|workspace| workspace.semantic_tokens.as_ref()?.refresh_support) == Some(true),
            lenses: workspace.and_then(|workspace| workspace.code_lens.as_ref()?.refresh_support) == Some(true),
        };
        Abilities {
            encoding: Encoding::negotiated(general.and_then(|general| general.position_encodings.as_deref())),
            markdown: hover.is_some_and(|formats| formats.contains(&MarkupKind::Markdown)),
            related: published.and_then(|published| published.related_information) == Some(true),
            refreshes,
            actions: actions.is_some(),
            versioned_edits: edits.and_then(|edits| edits.document_changes) == Some(true),
            debugs: performed.is_some_and(|all| all.iter().any(|one| one == DEBUG)),
            configuration: workspace.and_then(|workspace| workspace.configuration) == Some(true),
        }
    }
}

/// A client, as a destination of messages.
pub struct Client {
    outgoing: Sender<Outgoing>,
    requests: i32,
}

impl Client {
    /// A client that takes messages from a channel.
    pub fn new(outgoing: Sender<Outgoing>) -> Client {
        Client { outgoing, requests: 0 }
    }

    /// A client that does not read any more is noticed by the end of its stream.
    fn send(&self, message: impl Into<Message>) {
        let _ = self.outgoing.send(Outgoing::Message(message.into()));
    }

    /// Answers a request.
    pub fn answer(&self, id: RequestId, result: impl Serialize) {
        match serde_json::to_value(result) {
            Ok(value) => self.send(Response { id, response_result: Ok(value) }),
            Err(error) => self.refuse(id, ErrorCode::InternalError, &error.to_string()),
        }
    }

    /// Refuses a request.
    pub fn refuse(&self, id: RequestId, code: ErrorCode, why: &str) {
        self.send(Response::new_err(id, code as i32, plain_lines(why)));
    }

    /// The answer to a request, to be given later.
    pub fn reply(&self, id: RequestId) -> Reply {
        Reply { outgoing: self.outgoing.clone(), id }
    }

    /// Sends a notification.
    pub fn notify<N: lsp_types::notification::Notification>(&self, params: N::Params) {
        self.send(Notification::new(N::METHOD.to_owned(), params));
    }

    /// Sends a request; returns its number.
    pub fn request<R: lsp_types::request::Request>(&mut self, params: R::Params) -> RequestId {
        self.requests = self.requests.wrapping_add(1);
        let id = RequestId::from(format!("lanescope {}", self.requests));
        self.send(Request::new(id.clone(), R::METHOD.to_owned(), params));
        id
    }

    /// Writes to the client's log of this server.
    pub fn log(&self, typ: MessageType, text: &str) {
        let message = plain_lines(text);
        self.notify::<lsp_types::notification::LogMessage>(LogMessageParams { typ, message });
    }
}

/// The answer to one request, given later, from another thread.
pub struct Reply {
    outgoing: Sender<Outgoing>,
    id: RequestId,
}

impl Reply {
    /// A client that does not read any more is noticed by the end of its stream.
    fn send(&self, message: impl Into<Message>) {
        let _ = self.outgoing.send(Outgoing::Message(message.into()));
    }

    /// Shows a message to the user.
    pub fn show(&self, typ: MessageType, text: &str) {
        let params = ShowMessageParams { typ, message: plain_lines(text) };
        self.send(Notification::new(ShowMessage::METHOD.to_owned(), params));
    }

    /// Answers the request.
    pub fn answer(&self, result: serde_json::Value) {
        self.send(Response { id: self.id.clone(), response_result: Ok(result) });
    }

    /// Refuses the request.
    pub fn refuse(&self, why: &str) {
        self.send(Response::new_err(self.id.clone(), ErrorCode::RequestFailed as i32, plain_lines(why)));
    }
}
