//! The loop: takes messages, begins analyses, and answers once results are about the text that the editor has.

mod actions;
mod answers;
mod capabilities;
mod client;
mod completing;
mod grouping;
mod inline_values;
mod lenses;
mod pipelines;
mod published;
mod refreshing;
mod registers;
mod renaming;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use crossbeam_channel::{Receiver, bounded, never, select};
use lanescope_core::foreign::plain_name;
use lanescope_host::watch::{Change, Watch};
use lanescope_host::workspace::is_manifest;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{self, Notification as _};
use lsp_types::request::{self, Request as _};
use lsp_types::{
    ClientCapabilities, ConfigurationItem, ConfigurationParams, DidChangeConfigurationParams,
    DidChangeTextDocumentParams, DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, InitializeParams, InitializeResult, MessageType, ServerInfo,
};
use serde::de::DeserializeOwned;

use crate::analysis::Analyst;
use crate::commands::Running;
use crate::documents::Documents;
use crate::project::siblings;
use crate::settings::{SECTION, Settings};
use crate::transport::{Connection, Incoming};
use crate::uri::path_of;
use answers::Waiting;
use capabilities::capabilities;
use client::{Abilities, Client};
use grouping::Grouping;
use pipelines::Pipelines;
use published::Published;
use refreshing::Refreshing;
use registers::Counting;

/// How long the loop waits where nothing is expected.
const IDLE: Duration = Duration::from_secs(3600);
/// How often the client's process is looked for.
const PARENT: Duration = Duration::from_secs(3);

/// How serving ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The client said to shut down, then to exit.
    AsAsked,
    /// The client said to exit without that, or has gone.
    Early,
}

/// How far the conversation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Nothing was said.
    New,
    /// Requests are answered.
    Serving,
    /// The client said to shut down.
    ShutDown,
}

/// A server and its one client.
pub struct Server {
    incoming: Receiver<Incoming>,
    client: Client,
    phase: Phase,
    abilities: Abilities,
    settings: Settings,
    /// The command of a lens that is performed.
    command: Running,
    /// The folders of the workspace.
    folders: Vec<PathBuf>,
    documents: Documents,
    /// Documents that were opened and are not grouped yet; absent where the groups are those of the open documents.
    ungrouped: Option<BTreeSet<PathBuf>>,
    grouping: Grouping,
    pipelines: Pipelines,
    analyst: Analyst,
    /// Registers at lines, by a chip's compiler.
    counting: Counting,
    waiting: Vec<Waiting>,
    published: Published,
    watch: Watch,
    changes: Receiver<()>,
    /// When the last analysis began to read files.
    begun: SystemTime,
    /// The client's process, if it has said which, and when it was looked for last.
    parent: Option<(PathBuf, Instant)>,
    /// The request for the settings that was sent last.
    asked_settings: Option<RequestId>,
    refreshing: Refreshing,
}

impl Server {
    /// A server for the client of a connection.
    ///
    /// # Errors
    /// The system starts no thread.
    pub fn new(connection: &Connection) -> std::io::Result<Server> {
        let (changed, changes) = bounded(1);
        let wake = move || {
            // One that waits says as much as two.
            let _ = changed.try_send(());
        };
        Ok(Server {
            incoming: connection.incoming.clone(),
            client: Client::new(connection.outgoing.clone()),
            phase: Phase::New,
            abilities: Abilities::of(&ClientCapabilities::default()),
            settings: Settings::default(),
            command: Running::default(),
            folders: Vec::new(),
            documents: Documents::default(),
            ungrouped: None,
            grouping: Grouping::default(),
            pipelines: Pipelines::default(),
            analyst: Analyst::start()?,
            counting: Counting::new()?,
            waiting: Vec::new(),
            published: Published::default(),
            watch: Watch::new(Arc::new(wake)),
            changes,
            begun: SystemTime::now(),
            parent: None,
            asked_settings: None,
            refreshing: Refreshing::default(),
        })
    }

    /// Serves until the client says to exit, or goes.
    pub fn run(mut self) -> Ended {
        loop {
            let wake_at = self.pipelines.wake_at().into_iter().chain(self.counting.wake_at()).min();
            let look_at = self.parent.as_ref().map(|(_, looked)| *looked + PARENT);
            let wake_at = wake_at.into_iter().chain(look_at).min();
            let wait = wake_at.map_or(IDLE, |at| at.saturating_duration_since(Instant::now()));
            let analyzed = if self.phase == Phase::Serving { self.analyst.results().clone() } else { never() };
            let counted = if self.phase == Phase::Serving { self.counting.compiler.results().clone() } else { never() };
            let mut ended = None;
            select! {
                recv(self.incoming) -> incoming => match incoming {
                    Ok(incoming) => ended = self.take(incoming),
                    Err(_) => ended = Some(self.ended()),
                },
                recv(analyzed) -> analyzed => match analyzed {
                    Ok(analyzed) => {
                        self.group();
                        if let Some((key, program)) = self.pipelines.take(analyzed, &self.documents) {
                            self.tell(&key);
                            if let Some(program) = program {
                                self.count_registers(&key, program);
                            }
                        }
                    }
                    Err(_) => ended = Some(Ended::Early),
                },
                recv(counted) -> counted => match counted {
                    Ok(counted) => self.take_registers(counted),
                    Err(_) => ended = Some(Ended::Early),
                },
                recv(self.changes) -> _ => self.look_at_changes(),
                default(wait) => {}
            }
            if self.is_orphan() {
                ended = ended.or(Some(Ended::Early));
            }
            if let Some(ended) = ended {
                return ended;
            }
            // What waits is taken first: several edits are one analysis.
            if self.phase == Phase::Serving && self.incoming.is_empty() {
                self.group();
                self.work();
            }
        }
    }

    /// Whether the client's process, which is looked for now and then, is gone.
    fn is_orphan(&mut self) -> bool {
        let Some((process, looked)) = self.parent.as_mut().filter(|(_, looked)| looked.elapsed() >= PARENT) else {
            return false;
        };
        *looked = Instant::now();
        !process.exists()
    }

    fn ended(&self) -> Ended {
        if self.phase == Phase::ShutDown { Ended::AsAsked } else { Ended::Early }
    }

    /// Begins what is due, and stops what is of no use any more.
    fn work(&mut self) {
        if self.pipelines.is_to_stop() {
            self.analyst.stop();
        }
        if let Some(job) = self.pipelines.next(&self.documents) {
            self.begun = SystemTime::now();
            self.analyst.begin(job);
        }
        self.counting.work();
    }

    /// Says what a result says.
    fn tell(&mut self, key: &pipelines::Key) {
        self.publish(Some(&self.pipelines.touched(key)));
        self.follow_files();
        self.answer_waiting();
        self.refresh();
        for file in &key.1 {
            self.say_how(file);
        }
    }

    /// What follows from a report changed: the client asks for it again.
    fn refresh(&mut self) {
        self.refreshing.report(&mut self.client, self.abilities.refreshes);
    }

    /// Takes what a client sent. Returns how serving ends, if it does.
    fn take(&mut self, incoming: Incoming) -> Option<Ended> {
        match incoming {
            Incoming::Message(Message::Request(request)) => {
                self.group();
                self.request(request);
            }
            Incoming::Message(Message::Notification(notification)) => return self.notification(notification),
            Incoming::Message(Message::Response(response)) => self.response(response),
            Incoming::Malformed(why) => self.client.log(MessageType::WARNING, &why),
        }
        None
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        match (self.phase, method.as_str()) {
            (Phase::New, request::Initialize::METHOD) => match serde_json::from_value(params) {
                Ok(params) => self.initialize(id, params),
                Err(error) => self.client.refuse(id, ErrorCode::InvalidParams, &format!("{method}: {error}")),
            },
            (Phase::New, _) => {
                self.client.refuse(id, ErrorCode::ServerNotInitialized, "`initialize` is the first request");
            }
            (Phase::ShutDown, _) => {
                self.client.refuse(id, ErrorCode::InvalidRequest, "the server is shut down; `exit` ends it");
            }
            (Phase::Serving, request::Initialize::METHOD) => {
                self.client.refuse(id, ErrorCode::InvalidRequest, "`initialize` was answered before");
            }
            (Phase::Serving, request::Shutdown::METHOD) => {
                self.phase = Phase::ShutDown;
                self.analyst.stop();
                self.client.answer(id, ());
            }
            (Phase::Serving, _) => self.ask_at_once(id, &method, params),
        }
    }

    /// Takes a notification; the end where it is `exit`.
    fn notification(&mut self, notification: Notification) -> Option<Ended> {
        let Notification { method, params } = notification;
        match (self.phase, method.as_str()) {
            (_, notification::Exit::METHOD) => return Some(self.ended()),
            (Phase::Serving, notification::DidOpenTextDocument::METHOD) => {
                self.with(&method, params, |server, DidOpenTextDocumentParams { text_document }| {
                    let uri = text_document.uri.clone();
                    match server.documents.open(text_document) {
                        Some(path) => server.opened(&path),
                        None => {
                            let why = format!("{}: not analyzed: not a file of this machine", plain_name(uri.as_str()));
                            server.client.log(MessageType::INFO, &why);
                        }
                    }
                });
            }
            (Phase::Serving, notification::DidChangeTextDocument::METHOD) => {
                self.with(&method, params, Server::change);
            }
            (Phase::Serving, notification::DidCloseTextDocument::METHOD) => {
                self.with(&method, params, |server, DidCloseTextDocumentParams { text_document }| {
                    let path = path_of(&text_document.uri);
                    if let Some(path) = path.filter(|path| server.documents.close(path).is_some()) {
                        server.closed(&path);
                    }
                });
            }
            (Phase::Serving, notification::DidChangeConfiguration::METHOD) => {
                self.with(&method, params, |server, DidChangeConfigurationParams { settings }| {
                    server.configure(&settings)
                });
            }
            (Phase::Serving, notification::Initialized::METHOD) => self.ask_settings(),
            (Phase::Serving, notification::DidChangeWorkspaceFolders::METHOD) => {
                self.with(&method, params, |server, DidChangeWorkspaceFoldersParams { event }| {
                    let paths = |folders: Vec<lsp_types::WorkspaceFolder>| -> Vec<PathBuf> {
                        folders.iter().filter_map(|folder| path_of(&folder.uri)).collect()
                    };
                    let gone = paths(event.removed);
                    server.folders.retain(|folder| !gone.contains(folder));
                    server.folders.extend(paths(event.added));
                });
            }
            (Phase::Serving, notification::Cancel::METHOD) => {
                self.with(&method, params, |server, params: lsp_types::CancelParams| server.cancel(&params));
            }
            // Notifications that are not known have no answer.
            _ => {}
        }
        None
    }

    /// Reads parameters, and does something with them.
    fn with<P: DeserializeOwned>(
        &mut self,
        method: &str,
        params: serde_json::Value,
        then: impl FnOnce(&mut Server, P),
    ) {
        match serde_json::from_value(params) {
            Ok(params) => then(self, params),
            Err(error) => self.client.log(MessageType::WARNING, &format!("{method}: {error}")),
        }
    }

    fn initialize(&mut self, id: RequestId, params: InitializeParams) {
        self.abilities = Abilities::of(&params.capabilities);
        self.phase = Phase::Serving;
        let capabilities = capabilities(self.abilities.encoding);
        let (name, version) = ("lanescope".to_owned(), Some(env!("CARGO_PKG_VERSION").to_owned()));
        self.client.answer(id, InitializeResult { capabilities, server_info: Some(ServerInfo { name, version }) });
        #[expect(deprecated, reason = "clients that know no folders of a workspace name its root")]
        let root = params.root_uri.as_ref().and_then(path_of);
        let folders = params.workspace_folders.unwrap_or_default();
        self.folders = folders.iter().filter_map(|folder| path_of(&folder.uri)).collect();
        if self.folders.is_empty() {
            self.folders.extend(root);
        }
        // One that is not seen from here says nothing when it is gone.
        let process = params.process_id.map(|id| PathBuf::from(format!("/proc/{id}")));
        self.parent = process.filter(|process| process.exists()).map(|process| (process, Instant::now()));
        if let Some(options) = params.initialization_options {
            self.configure(&options);
        }
    }

    /// Takes settings; where there are none, the client is asked for them.
    fn configure(&mut self, settings: &serde_json::Value) {
        match Settings::read(settings) {
            Ok(Some(settings)) => {
                let is_other = settings.counting_chip() != self.settings.counting_chip();
                self.settings = settings;
                self.regroup();
                if is_other && self.settings.counting_chip().is_some() {
                    // A program is not kept after its analysis.
                    self.pipelines.again();
                }
                self.refresh();
            }
            Ok(None) => self.ask_settings(),
            Err(why) => self.client.log(MessageType::WARNING, &why),
        }
    }

    fn ask_settings(&mut self) {
        if self.abilities.configuration {
            let item = ConfigurationItem { scope_uri: None, section: Some(SECTION.to_owned()) };
            let params = ConfigurationParams { items: vec![item] };
            self.asked_settings = Some(self.client.request::<request::WorkspaceConfiguration>(params));
        }
    }

    fn response(&mut self, response: Response) {
        self.refreshing.answered(&response.id, &mut self.client);
        if self.asked_settings.as_ref() != Some(&response.id) {
            return;
        }
        self.asked_settings = None;
        let first = response.response_result.ok().and_then(|value| value.get(0).cloned());
        // A client without settings for this server says null.
        if let Some(settings) = first.filter(|settings| !settings.is_null()) {
            self.configure(&settings);
        }
    }

    /// Documents that are opened together are grouped once.
    fn opened(&mut self, path: &Path) {
        self.ungrouped.get_or_insert_default().insert(path.to_owned());
    }

    /// Groups the documents that were opened since the last time.
    fn group(&mut self) {
        if let Some(opened) = self.ungrouped.take() {
            self.regroup();
            if !opened.is_empty() {
                self.pipelines.retry();
            }
            self.pipelines.changed(&opened, true);
            for path in opened {
                self.say_how(&path);
            }
        }
    }

    fn change(&mut self, params: DidChangeTextDocumentParams) {
        let DidChangeTextDocumentParams { text_document, content_changes } = params;
        let Some(path) = path_of(&text_document.uri) else { return };
        let Some(document) = self.documents.get_mut(&path) else {
            let name = plain_name(text_document.uri.as_str());
            return self.client.log(MessageType::WARNING, &format!("{name}: a document that is not open was changed"));
        };
        document.change(text_document.version, content_changes, self.abilities.encoding);
        self.pipelines.changed(&BTreeSet::from([path.clone()]), false);
        self.refuse_waiting(&path);
        if is_manifest(&path) {
            self.regroup();
        }
    }

    fn closed(&mut self, path: &Path) {
        self.refuse_waiting(path);
        self.grouping.forget(path);
        self.pipelines.changed(&BTreeSet::from([path.to_owned()]), true);
        self.ungrouped.get_or_insert_default();
    }

    /// Looks up which pipelines the open documents are part of.
    fn regroup(&mut self) {
        let (pipelines, faults) = self.grouping.pipelines(&self.documents, self.settings.target);
        self.published.set_manifests(faults);
        self.pipelines.set(pipelines);
        self.counting.keep(self.settings.counting_chip(), |key| self.pipelines.held(key).is_some());
        self.publish(None);
        self.follow_files();
        self.answer_waiting();
    }

    /// Writes to the log how the pipelines of a document were found, where that is new.
    fn say_how(&mut self, path: &Path) {
        if self.documents.get(path).is_some() {
            let how: Vec<String> = self.pipelines.how(path).collect();
            if let Some(text) = self.grouping.news(path, how) {
                self.client.log(MessageType::INFO, &text);
            }
        }
    }

    /// Watches the files on disk that results depend on. Those that are open count as the editor has them.
    fn follow_files(&mut self) {
        let involved = self.pipelines.involved();
        // Stages that may come.
        let paths = self.documents.paths();
        let siblings = paths.iter().flat_map(|path| siblings(path));
        let files = involved.into_iter().chain(self.grouping.manifests()).chain(siblings);
        let files: BTreeSet<PathBuf> = files.collect();
        let closed = files.into_iter().filter(|file| self.documents.get(file).is_none());
        self.watch.set(self.grouping.watched(closed, self.begun));
    }

    fn look_at_changes(&mut self) {
        for change in self.watch.poll() {
            match change {
                Change::Files(files) => {
                    self.pipelines.changed(&files, true);
                    // What comes or goes may be a stage of a pipeline.
                    let involved = self.pipelines.involved();
                    let moves = |file: &PathBuf| is_manifest(file) || file.is_file() != involved.contains(file);
                    if files.iter().any(moves) {
                        self.regroup();
                    }
                }
                Change::Unwatched(why) => {
                    self.client.log(MessageType::WARNING, &format!("changes on disk are not noticed: {why}"));
                }
            }
        }
    }
}
