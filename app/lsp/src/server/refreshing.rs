//! Asking the client to ask again: one request of each kind at a time, however often results change.

use lsp_server::RequestId;
use lsp_types::request::{CodeLensRefresh, InlayHintRefreshRequest, SemanticTokensRefresh};

use super::client::{Client, Refreshes};

/// What a client was asked to ask for again.
#[derive(Debug, Default)]
pub struct Refreshing {
    hints: Asked,
    tokens: Asked,
    lenses: Asked,
}

/// A request that the client has not answered yet.
#[derive(Debug, Default)]
struct Asked {
    waiting: Option<RequestId>,
    /// More has changed since.
    again: bool,
}

impl Asked {
    fn ask(&mut self, send: impl FnOnce() -> RequestId) {
        match self.waiting {
            Some(_) => self.again = true,
            None => self.waiting = Some(send()),
        }
    }

    /// Takes an answer; whether the client is to be asked once more.
    fn answered(&mut self, id: &RequestId) -> bool {
        let is_own = self.waiting.as_ref() == Some(id);
        if is_own {
            self.waiting = None;
        }
        is_own && std::mem::take(&mut self.again)
    }
}

impl Refreshing {
    /// What follows from a report has changed.
    pub fn report(&mut self, client: &mut Client, can: Refreshes) {
        self.hints(client, can);
        if can.tokens {
            self.tokens.ask(|| client.request::<SemanticTokensRefresh>(()));
        }
        if can.lenses {
            self.lenses.ask(|| client.request::<CodeLensRefresh>(()));
        }
    }

    /// Hints have changed.
    pub fn hints(&mut self, client: &mut Client, can: Refreshes) {
        if can.hints {
            self.hints.ask(|| client.request::<InlayHintRefreshRequest>(()));
        }
    }

    /// Takes the client's answer to a request.
    pub fn answered(&mut self, id: &RequestId, client: &mut Client) {
        if self.hints.answered(id) {
            self.hints.ask(|| client.request::<InlayHintRefreshRequest>(()));
        }
        if self.tokens.answered(id) {
            self.tokens.ask(|| client.request::<SemanticTokensRefresh>(()));
        }
        if self.lenses.answered(id) {
            self.lenses.ask(|| client.request::<CodeLensRefresh>(()));
        }
    }
}

#[cfg(test)]
mod tests {
    use lsp_server::Message;

    use super::*;
    use crate::transport::Outgoing;

    #[test]
    fn one_request_of_each_kind_waits() {
        let (outgoing, sent) = crossbeam_channel::unbounded();
        let mut client = Client::new(outgoing);
        let mut asked = Refreshing::default();
        let can = Refreshes { hints: true, tokens: true, lenses: false };
        for _ in 0..5 {
            asked.report(&mut client, can);
        }
        let requests = || {
            let message = |one| match one {
                Outgoing::Message(Message::Request(request)) => (request.id, request.method),
                other => panic!("{other:?}"),
            };
            sent.try_iter().map(message).collect::<Vec<_>>()
        };
        let first = requests();
        let methods: Vec<&str> = first.iter().map(|(_, method)| method.as_str()).collect();
        assert_eq!(methods, ["workspace/inlayHint/refresh", "workspace/semanticTokens/refresh"]);
        // What changed meanwhile is asked for once.
        asked.answered(&first[0].0, &mut client);
        let second = requests();
        assert_eq!(second.len(), 1);
        asked.answered(&second[0].0, &mut client);
        assert!(requests().is_empty());
    }
}
