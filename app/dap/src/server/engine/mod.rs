//! The thread that carries out requests, one after the other. While the shader runs, a request interrupts it, is answered if
//! it can be, and the run goes on.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use lanescope_core::interpreter::debugger::session::{Command, Stopped};
use lanescope_core::text_format::milliseconds;
use lanescope_host::jobs::caught;
use lanescope_host::watchdog::{Limits, Watchdog};
use serde_json::{Value, json};

use super::Shared;
use crate::arguments::{self, Options};
use crate::debuggee::Debuggee;
use crate::launched::{Guard, Launched, Launcher};
use crate::protocol::{Outgoing, Request};
use crate::transport::Client;

mod requests;

use requests::Answer;

/// Messages of breakpoints that one command writes, at most.
const MAX_LOGGED: u64 = 10_000;

/// What a request leads to after its answer.
#[derive(Debug, PartialEq)]
pub(super) enum Then {
    /// Nothing.
    Nothing,
    /// The shader is loaded: the client may set breakpoints.
    Launched,
    /// The run begins.
    Start,
    /// A command that moves.
    Move(Command),
    /// The same from the console: the client does not know that it moves.
    MoveFromConsole(Command),
}

/// How far a session is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Nothing is launched.
    New,
    /// The client sets breakpoints.
    Launched,
    /// The shader is stopped.
    Stopped,
    /// It runs.
    Running,
    /// It has ended.
    Over,
}

/// The thread.
pub(super) struct Engine {
    queue: Receiver<Request>,
    client: Client,
    shared: Arc<Shared>,
    launcher: Box<dyn Launcher>,
    debuggee: Option<Debuggee>,
    options: Options,
    limits: Option<Limits>,
    phase: Phase,
}

/// Ends the process with a message for the client.
struct EndsProcess(Client);

impl Guard for EndsProcess {
    fn watch(&self, limits: Limits, doing: &str) -> Watchdog {
        let client = self.0.clone();
        Watchdog::start(limits, doing, move |why| {
            client.send_soon(Outgoing::output("stderr", &format!("error: {why}")));
            client.send_soon(Outgoing::Event { event: "exited", body: json!({ "exitCode": 2 }) });
            client.send_soon(Outgoing::Event { event: "terminated", body: json!({}) });
            client.flush();
        })
    }
}

impl Engine {
    pub fn new(queue: Receiver<Request>, client: Client, shared: Arc<Shared>, launcher: Box<dyn Launcher>) -> Engine {
        let (debuggee, options, limits) = (None, Options::default(), None);
        Engine { queue, client, shared, launcher, debuggee, options, limits, phase: Phase::New }
    }

    /// Carries out requests until no more can come.
    pub fn run(mut self) {
        while let Ok(request) = self.queue.recv() {
            if self.is_over() {
                self.end_session();
            }
            let then = self.answer(&request);
            let done = caught(|| self.follow(then));
            if let Err(panic) = done {
                self.broke_down(&panic);
            }
            self.shared.pending.fetch_sub(1, Ordering::SeqCst);
        }
    }

    fn is_over(&self) -> bool {
        self.shared.quit.load(Ordering::SeqCst)
    }

    fn end_session(&mut self) {
        self.debuggee = None;
        self.phase = Phase::Over;
    }

    fn event(&self, event: &'static str, body: Value) {
        self.client.send(Outgoing::Event { event, body });
    }

    /// Answers a request. A panic is an answer too, and ends the session.
    fn answer(&mut self, request: &Request) -> Then {
        let answer = caught(|| self.carry_out(request));
        let (result, then) = match answer {
            Ok(Answer { result, then }) => (result, then),
            Err(panic) => (Err(internal_error(&panic)), Then::Nothing),
        };
        let broke_down = answer_is_internal_error(&result);
        self.client.send(Outgoing::Response { to: request.seq, command: request.command.clone(), result });
        if broke_down && self.phase != Phase::New {
            self.over(2);
        }
        then
    }

    fn broke_down(&mut self, panic: &str) {
        self.shared.set_running(None);
        self.client.send(Outgoing::output("stderr", &internal_error(panic)));
        self.over(2);
    }

    /// Ends the session.
    fn over(&mut self, code: i32) {
        if !self.shared.over.swap(true, Ordering::SeqCst) {
            self.event("exited", json!({ "exitCode": code }));
            self.event("terminated", json!({}));
        }
        self.end_session();
    }

    fn follow(&mut self, then: Then) {
        match then {
            Then::Nothing => {}
            Then::Launched => self.event("initialized", Value::Null),
            Then::Start => self.start(),
            Then::Move(command) => self.advance(&command),
            Then::MoveFromConsole(command) => {
                let thread = self.debuggee.as_ref().map(Debuggee::thread);
                self.event("continued", json!({ "threadId": thread, "allThreadsContinued": true }));
                self.advance(&command);
            }
        }
    }

    /// Loads and launches.
    fn launch(&mut self, arguments: &Value) -> Result<(), String> {
        let wanted = arguments::read(arguments, &self.launcher.flags())?;
        if let Some(folder) = &wanted.options.cwd {
            std::env::set_current_dir(folder).map_err(|error| format!("launch: `cwd`: {folder}: {error}"))?;
        }
        let guard = EndsProcess(self.client.clone());
        let mut launched = self.launcher.launch(&wanted.words, &guard)?;
        for name in &wanted.unknown {
            let text = format!("launch: `{name}` is unknown and was ignored");
            self.client.send(Outgoing::output("important", &text));
        }
        for line in std::mem::take(&mut launched.before) {
            self.client.send(Outgoing::output("console", &line));
        }
        let Launched { limits, .. } = &launched;
        self.limits = *limits;
        let mut debuggee = Debuggee::new(launched, &wanted.options);
        debuggee.session_mut().set_interrupt(Some(Arc::clone(&self.shared.interrupt)));
        if let Some(text) = debuggee.threads_left_out() {
            self.client.send(Outgoing::output("console", &text));
        }
        self.options = wanted.options;
        self.debuggee = Some(debuggee);
        self.phase = Phase::Launched;
        Ok(())
    }

    /// Begins the run.
    fn start(&mut self) {
        let Some(debuggee) = &mut self.debuggee else { return };
        if self.options.stop_on_entry && !self.options.no_debug {
            return self.stopped(Stopped::Start, Some("start of the run"));
        }
        if !self.options.no_debug
            && let Some(stopped) = debuggee.stop_at_start()
            && !self.log()
        {
            return self.stopped(stopped, None);
        }
        self.advance(&Command::Continue);
    }

    /// Writes the message of a breakpoint, if the run stopped at one that writes instead.
    fn log(&self) -> bool {
        let message = self.debuggee.as_ref().and_then(Debuggee::log_message);
        message.is_some_and(|message| {
            self.client.send(Outgoing::output("console", &message));
            true
        })
    }

    /// Moves the run, until it stops.
    fn advance(&mut self, command: &Command) {
        let Some(debuggee) = &self.debuggee else { return };
        if debuggee.is_at_end() && !command.is_backwards() {
            return self.over(debuggee.exit_code());
        }
        let position = debuggee.position();
        let guard = EndsProcess(self.client.clone());
        let doing = format!("debug, {}", name_of(command));
        let _watchdog = self.limits.map(|limits| guard.watch(Limits { time: Duration::MAX, ..limits }, &doing));
        let time = self.limits.map_or(Duration::MAX, |limits| limits.time);
        for flag in [&self.shared.pause, &self.shared.timed_out] {
            flag.store(false, Ordering::SeqCst);
        }
        self.shared.set_running(Some((Instant::now(), time)));
        self.phase = Phase::Running;
        let stopped = self.run_to_stop(command, position, time);
        self.shared.set_running(None);
        if let Some((stopped, why)) = stopped {
            self.stopped(stopped, why.as_deref());
        }
    }

    /// Runs a command. None where the session is over.
    fn run_to_stop(&mut self, command: &Command, start: u64, time: Duration) -> Option<(Stopped, Option<String>)> {
        let mut again = false;
        let mut logged = 0;
        loop {
            self.shared.interrupt.store(false, Ordering::SeqCst);
            while let Ok(request) = self.queue.try_recv() {
                self.answer(&request);
                self.shared.pending.fetch_sub(1, Ordering::SeqCst);
            }
            if self.is_over() {
                self.end_session();
            }
            if self.shared.pause.swap(false, Ordering::SeqCst) {
                return Some((Stopped::Interrupted, Some("interrupted".to_owned())));
            }
            if self.shared.timed_out.swap(false, Ordering::SeqCst) {
                let limit = milliseconds(u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
                let why = format!("not finished within {limit}, the limit (`timeout` sets another)");
                self.client.send(Outgoing::output("important", &format!("{}: {why}", name_of(command))));
                return Some((Stopped::Interrupted, Some(why)));
            }
            let stopped = match self.debuggee.as_mut()?.advance(command, again) {
                Ok(stopped) => stopped,
                Err(why) => return Some((Stopped::Step, Some(why.to_string()))),
            };
            match stopped {
                Stopped::Interrupted if command.is_backwards() => {
                    again = false;
                    // A step back counts from where it began; a run back goes on from any place.
                    if *command != Command::ReverseContinue {
                        self.debuggee.as_mut()?.seek(start);
                    }
                }
                Stopped::Interrupted => again = true,
                Stopped::End => return Some((stopped, None)),
                _ if self.options.no_debug => again = false,
                Stopped::Breakpoint(_) if self.is_logged(&mut logged) => {
                    let goes_on = matches!(command, Command::Continue | Command::ReverseContinue);
                    if !goes_on {
                        return Some((Stopped::Step, None));
                    }
                    again = false;
                }
                _ => return Some((stopped, None)),
            }
        }
    }

    /// Whether the run stopped at a breakpoint that writes a message, which is done.
    fn is_logged(&self, logged: &mut u64) -> bool {
        if *logged > MAX_LOGGED {
            return self.debuggee.as_ref().and_then(Debuggee::log_message).is_some();
        }
        let is_logged = self.log();
        *logged += u64::from(is_logged);
        if *logged > MAX_LOGGED {
            let text = format!("{MAX_LOGGED} messages were written; the next ones of this command are not");
            self.client.send(Outgoing::output("important", &text));
        }
        is_logged
    }

    /// Says that the shader is stopped, and what was found meanwhile.
    fn stopped(&mut self, stopped: Stopped, why: Option<&str>) {
        let Some(debuggee) = &mut self.debuggee else { return };
        if let Some(why) = why {
            debuggee.set_why(why);
        }
        for finding in debuggee.new_findings() {
            self.client.send(finding);
        }
        let stops = self.options.stop_at_end.unwrap_or(true) && !self.options.no_debug;
        if stopped == Stopped::End && !stops {
            let code = debuggee.exit_code();
            return self.over(code);
        }
        let body = debuggee.stopped_body(stopped);
        self.phase = Phase::Stopped;
        self.event("stopped", body);
    }
}

/// A command as it is typed.
fn name_of(command: &Command) -> &'static str {
    match command {
        Command::Step(_) => "`step`",
        Command::Next(_) => "`next`",
        Command::StepInstruction(_) => "`stepi`",
        Command::NextInstruction(_) => "`nexti`",
        Command::Finish => "`finish`",
        Command::Continue => "`continue`",
        Command::ReverseStep(_) => "`reverse-step`",
        Command::ReverseStepInstruction(_) => "`reverse-stepi`",
        Command::ReverseContinue => "`reverse-continue`",
        _ => "`restart`",
    }
}

/// What a panic is called.
const INTERNAL: &str = "internal error: ";

fn internal_error(panic: &str) -> String {
    format!("{INTERNAL}{panic}; please report it")
}

fn answer_is_internal_error(result: &Result<Value, String>) -> bool {
    result.as_ref().is_err_and(|why| why.starts_with(INTERNAL))
}
