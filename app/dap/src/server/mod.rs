//! The loop: what must not wait for the debugger is answered here, all else by the engine, in order.

mod capabilities;
mod engine;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TrySendError, bounded};
use serde_json::{Value, json};

use crate::launched::Launcher;
use crate::protocol::{Incoming, Outgoing, Request};
use crate::transport::{Client, Connection};
use engine::Engine;

/// Requests that may wait for the engine.
const WAITING: usize = 1024;
/// Time between two looks at a command's time limit.
const EVERY: Duration = Duration::from_millis(100);

/// How a session with a client ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// It disconnected.
    AsAsked,
    /// It went without that.
    Early,
}

/// What the loop and the engine share.
#[derive(Debug, Default)]
struct Shared {
    /// Stops what runs: a request waits.
    interrupt: Arc<AtomicBool>,
    /// The client wants the shader to stop.
    pause: AtomicBool,
    /// The session is over.
    quit: AtomicBool,
    /// The client knows that the session is over.
    over: AtomicBool,
    /// The running command has needed all its time.
    timed_out: AtomicBool,
    /// Requests that the engine has not carried out yet, with what they move.
    pending: AtomicUsize,
    /// When the running command began, and its time limit.
    running: Mutex<Option<(Instant, Duration)>>,
}

impl Shared {
    fn running(&self) -> Option<(Instant, Duration)> {
        *self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_running(&self, since: Option<(Instant, Duration)>) {
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = since;
    }

    /// Stops what runs, for a reason.
    fn interrupt_for(&self, reason: &AtomicBool) {
        reason.store(true, Ordering::SeqCst);
        self.interrupt.store(true, Ordering::SeqCst);
    }
}

/// The loop of a client.
pub struct Server {
    incoming: Receiver<Incoming>,
    client: Client,
    queue: Sender<Request>,
    shared: Arc<Shared>,
    is_initialized: bool,
}

impl Server {
    /// Starts the engine.
    ///
    /// # Errors
    /// The system starts no thread.
    pub fn start(connection: &Connection, launcher: impl Launcher + 'static) -> std::io::Result<Server> {
        let (queue, requests) = bounded(WAITING);
        let shared = Arc::<Shared>::default();
        let engine = Engine::new(requests, connection.client.clone(), Arc::clone(&shared), Box::new(launcher));
        std::thread::Builder::new().name("dap engine".to_owned()).spawn(move || engine.run())?;
        let (incoming, client) = (connection.incoming.clone(), connection.client.clone());
        Ok(Server { incoming, client, queue, shared, is_initialized: false })
    }

    /// Serves the client until it disconnects, or goes.
    pub fn run(mut self) -> Ended {
        // Whether a command may be running, whose time is limited.
        let mut watches = false;
        loop {
            let incoming = match watches {
                true => self.incoming.recv_timeout(EVERY),
                false => self.incoming.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match incoming {
                Ok(Incoming::Malformed(why)) => {
                    self.client.send(Outgoing::output("stderr", &format!("a message was ignored: {why}")));
                }
                Ok(Incoming::Request(request)) => {
                    watches = true;
                    if self.take(request) {
                        return Ended::AsAsked;
                    }
                }
                Err(RecvTimeoutError::Timeout) => watches = self.look_at_time(),
                Err(RecvTimeoutError::Disconnected) => {
                    self.shared.interrupt_for(&self.shared.quit);
                    // A client need not disconnect from a session that is over.
                    let is_over = self.shared.over.load(Ordering::SeqCst);
                    return if is_over { Ended::AsAsked } else { Ended::Early };
                }
            }
        }
    }

    /// Stops a command that has needed all its time. Returns whether one may be running, or about to.
    fn look_at_time(&self) -> bool {
        if self.shared.running().is_some_and(|(since, limit)| since.elapsed() >= limit) {
            self.shared.interrupt_for(&self.shared.timed_out);
        }
        self.shared.pending.load(Ordering::SeqCst) > 0
    }

    fn respond(&self, request: &Request, result: Result<Value, String>) {
        self.client.send(Outgoing::Response { to: request.seq, command: request.command.clone(), result });
    }

    /// Answers a request, or leaves it to the engine. Returns whether it was the last one.
    fn take(&mut self, request: Request) -> bool {
        match request.command.as_str() {
            "initialize" if self.is_initialized => {
                self.respond(&request, Err("initialize: this was requested before".to_owned()));
            }
            "initialize" => {
                let answer = capabilities::initialize(&request);
                self.is_initialized = answer.is_ok();
                self.respond(&request, answer);
            }
            "disconnect" => {
                self.shared.interrupt_for(&self.shared.quit);
                self.respond(&request, Ok(Value::Null));
                return true;
            }
            command if !self.is_initialized => {
                let why = format!("{command}: the first request must be `initialize`");
                self.respond(&request, Err(why));
            }
            "terminate" => {
                self.shared.interrupt_for(&self.shared.quit);
                self.respond(&request, Ok(Value::Null));
                if !self.shared.over.swap(true, Ordering::SeqCst) {
                    self.client.send(Outgoing::Event { event: "terminated", body: json!({}) });
                }
            }
            "pause" => {
                if self.shared.running().is_some() {
                    self.shared.interrupt_for(&self.shared.pause);
                }
                self.respond(&request, Ok(Value::Null));
            }
            _ => {
                self.shared.pending.fetch_add(1, Ordering::SeqCst);
                match self.queue.try_send(request) {
                    // The engine looks at what waits before it goes on.
                    Ok(()) => self.shared.interrupt.store(true, Ordering::SeqCst),
                    Err(TrySendError::Full(request) | TrySendError::Disconnected(request)) => {
                        self.shared.pending.fetch_sub(1, Ordering::SeqCst);
                        let why = format!("{}: {WAITING} requests wait already", request.command);
                        self.respond(&request, Err(why));
                    }
                }
            }
        }
        false
    }
}
