//! A session of the debugger. Jobs carry out its commands: nothing else waits for its lock.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use lanescope_core::gpu::interpret::{Launch, findings};
use lanescope_core::interpreter::debugger::Location;
use lanescope_core::interpreter::debugger::session::{
    BreakpointKind, BreakpointState, Chosen, Command, CommandError, Output, Session, Strip,
};
use lanescope_core::program::StageKind;
use lanescope_core::run::ResourceNames;
use lanescope_core::spirv::{InstId, SourceLine};
use lanescope_inspector::debugging::{BreakpointRow, DebugCommand, DebugStop, OtherGroups};
use lanescope_inspector::source::{SourceText, TextRole};

use super::debugged_record::Record;

/// Ranges of bytes whose last writers are named, at most.
const WRITERS: usize = 3;
/// Parts of the strip of active lanes, at most.
const STRIP_ROWS: usize = 256;
/// Instructions of all waves that the strip shows, at most.
const STRIP_STEPS: u64 = 1 << 20;

/// A session of the debugger, shared with the job that carries out a command.
#[derive(Clone)]
pub struct DebugSession {
    /// Revision of the program that it runs.
    pub revision: u64,
    inner: Arc<Mutex<Inner>>,
}

/// What a command of the debugger led to.
pub struct Debugged {
    /// The session.
    pub session: DebugSession,
    /// Where it is.
    pub stop: DebugStop,
    /// Why the command was refused.
    pub refused: Option<String>,
}

struct Inner {
    session: Session,
    names: ResourceNames,
    facts: Facts,
    /// The program beside: the rewritten one, or the original where that one is stepped.
    other: Option<OtherProgram>,
    is_rewritten: bool,
    /// The launch of a work graph's record, where the session is of one.
    record: Option<Record>,
    /// The strip, and the wave that it is of.
    strip: Option<(u32, Arc<Strip>)>,
    stops: u64,
}

/// What a session begins with.
pub struct Begun {
    /// The launch at its start.
    pub launch: Launch,
    /// The lane that is chosen.
    pub chosen: Chosen,
    /// Index of the module.
    pub module: usize,
    /// The texts of the module, where it is not one of the program's.
    pub texts: Vec<SourceText>,
    /// The launch of a work graph's record, where it is one.
    pub record: Option<Record>,
}

/// Which program is stepped, where the rewritten one is there too.
#[derive(Debug, Clone, Copy, Default)]
pub struct Stepped {
    /// The rewritten one.
    pub is_rewritten: bool,
    /// The values of the other one are compared.
    pub beside: bool,
}

/// The program that is not stepped, at the same point.
struct OtherProgram {
    session: Session,
    names: ResourceNames,
    facts: Facts,
}

/// What does not change during a session.
struct Facts {
    revision: u64,
    number: u64,
    module: usize,
    texts: Arc<[SourceText]>,
    stage: StageKind,
    entry: String,
    groups: [u32; 3],
    size: [u32; 3],
    lane_map: String,
}

impl DebugSession {
    /// A session at the start of a launch, with these breakpoints where they still are in the program.
    pub fn new(revision: u64, number: u64, begun: Begun, breakpoints: &[BreakpointRow]) -> Self {
        let facts = Facts::of(&begun, revision, number);
        let Begun { launch, chosen, record, .. } = begun;
        let lanes = launch.waves.lanes.waves.get(chosen.wave as usize);
        let exists = lanes.is_some_and(|lanes| (chosen.lane as usize) < lanes.len());
        let chosen = if exists { chosen } else { Chosen { wave: 0, lane: 0 } };
        let mut session = Session::new(launch.machine, chosen);
        for row in breakpoints {
            // One that the program does not have any more is dropped.
            let set = match (row.instruction, &row.kind) {
                (Some(inst), BreakpointKind::Place { condition: None, .. }) => {
                    session.break_at(InstId(inst), row.kind.clone(), &row.text).map(|_| ())
                }
                (_, kind) => session.set_breakpoint(kind, &row.text).map(|_| ()),
            };
            if let (Ok(()), Some(state)) = (set, session.breakpoints().last()) {
                session.set_ignored(state.number, row.ignored);
            }
        }
        let inner = Inner {
            session,
            names: launch.names,
            facts,
            other: None,
            is_rewritten: false,
            record,
            strip: None,
            stops: 0,
        };
        DebugSession { revision, inner: Arc::new(Mutex::new(inner)) }
    }

    /// Whether the rewritten program is there too.
    pub fn has_rewritten(&self) -> bool {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).other.is_some()
    }

    /// Adds the rewritten program at its start, with the breakpoints that it has too.
    pub fn add_rewritten(&self, begun: Begun) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let facts = Facts::of(&begun, self.revision, inner.facts.number);
        let mut session = Session::new(begun.launch.machine, inner.session.chosen());
        for state in inner.session.breakpoints() {
            // Another program numbers its instructions differently. What it does not have is dropped.
            if !matches!(state.kind, BreakpointKind::Place { location: Location::Inst(_), .. }) {
                let _ = session.set_breakpoint(&state.kind, &state.at);
            }
        }
        inner.other = Some(OtherProgram { session, names: begun.launch.names, facts });
    }

    /// Carries out a command, until it ends or the flag is set. `map` is the variable that is shown in all lanes.
    pub fn carry_out(&self, command: &DebugCommand, map: &str, of: Stepped, interrupt: &Arc<AtomicBool>) -> Debugged {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.session.set_interrupt(Some(Arc::clone(interrupt)));
        if let Some(other) = &mut inner.other {
            other.session.set_interrupt(Some(Arc::clone(interrupt)));
        }
        if inner.is_rewritten != of.is_rewritten {
            inner.switch();
        }
        let done = inner.run(command);
        let (why, refused) = match done {
            Ok(why) => (why, None),
            Err(error) => (String::new(), Some(error.to_string())),
        };
        let stop = inner.stop(why, map, of.beside);
        drop(inner);
        Debugged { session: self.clone(), stop, refused }
    }
}

impl Facts {
    fn of(begun: &Begun, revision: u64, number: u64) -> Facts {
        let Begun { launch, module, texts, .. } = begun;
        Facts {
            revision,
            number,
            module: *module,
            texts: texts.clone().into(),
            stage: launch.machine.program().stage(),
            entry: launch.entry.clone(),
            groups: launch.dispatch.groups,
            size: launch.machine.size(),
            lane_map: launch.waves.how.clone(),
        }
    }
}

impl Inner {
    /// Steps the other program from now on, from the same point.
    fn switch(&mut self) {
        let Some(mut other) = self.other.take() else { return };
        self.session.beside(&mut other.session);
        std::mem::swap(&mut self.session, &mut other.session);
        std::mem::swap(&mut self.names, &mut other.names);
        std::mem::swap(&mut self.facts, &mut other.facts);
        self.other = Some(other);
        self.is_rewritten = !self.is_rewritten;
        self.strip = None;
    }

    fn run(&mut self, command: &DebugCommand) -> Result<String, CommandError> {
        let session = &mut self.session;
        let command = match command {
            DebugCommand::Restart | DebugCommand::Launch => Command::Restart,
            DebugCommand::StepInto => Command::Step(1),
            DebugCommand::StepOver => Command::Next(1),
            DebugCommand::StepOut => Command::Finish,
            DebugCommand::StepBack => Command::ReverseStep(1),
            DebugCommand::Continue => Command::Continue,
            DebugCommand::ContinueBack => Command::ReverseContinue,
            DebugCommand::AddBreakpoint(text) => Command::Break(text.clone()),
            DebugCommand::Watch(name) => Command::Watch(name.clone()),
            DebugCommand::RemoveBreakpoint(number) => Command::Delete(*number),
            DebugCommand::Ignore(number, count) => Command::Ignore(*number, *count),
            DebugCommand::RunTo(code) => {
                let first = code.instructions.first().copied().unwrap_or_default();
                return session.run_to(InstId(first), "run to the caret");
            }
            DebugCommand::Seek(step) => return Ok(session.seek(*step)),
            DebugCommand::ToggleBreakpoint(code, role) => {
                let set = session.breakpoints().into_iter().find(|state| {
                    let at = session.instruction_of(state.number);
                    at.is_some_and(|at| code.instructions.contains(&at.0))
                });
                if let Some(state) = set {
                    Command::Delete(state.number)
                } else {
                    // The first instruction of the line that is run.
                    let mut refused = None;
                    for inst in &code.instructions {
                        let line = session.debugger().machine().program().line(InstId(*inst));
                        let (kind, text) = place(line, InstId(*inst), *role == TextRole::Source);
                        match session.break_at(InstId(*inst), kind, &text) {
                            Ok(_) => return Ok(String::new()),
                            Err(error) => refused = refused.or(Some(error)),
                        }
                    }
                    return refused.map_or(Ok(String::new()), Err);
                }
            }
            DebugCommand::Choose(chosen) => {
                session.choose(*chosen);
                return Ok(String::new());
            }
            DebugCommand::Stop
            | DebugCommand::Group(_)
            | DebugCommand::Target(_)
            | DebugCommand::Map(_)
            | DebugCommand::SwitchProgram
            | DebugCommand::ToggleBeside => return Ok(String::new()),
        };
        if let (Command::Break(_) | Command::Watch(_), Some(other)) = (&command, &mut self.other) {
            // Where the other program has the place too.
            let _ = other.session.run(&command);
        }
        Ok(match session.run(&command)? {
            Output::Stopped(why) => why,
            _ => String::new(),
        })
    }

    fn stop(&mut self, why: String, map: &str, beside: bool) -> DebugStop {
        self.stops += 1;
        let session = &mut self.session;
        let beside = self.other.as_mut().filter(|_| beside).map(|other| session.beside(&mut other.session));
        let wave = self.session.chosen().wave;
        let strip = match &self.strip {
            Some((of, strip)) if *of == wave => Arc::clone(strip),
            _ => {
                let strip = Arc::new(self.session.strip(STRIP_ROWS, STRIP_STEPS));
                self.strip = Some((wave, Arc::clone(&strip)));
                strip
            }
        };
        let session = &self.session;
        let row = |state: BreakpointState| BreakpointRow {
            number: state.number,
            text: state.at,
            kind: state.kind,
            instruction: session.instruction_of(state.number).map(|inst| inst.0),
            hits: state.hits,
            ignored: state.ignored,
        };
        let lanes = Some(map).filter(|map| !map.is_empty()).and_then(|map| session.lanes(map).ok());
        let writers = Some(map).filter(|map| !map.is_empty()).and_then(|map| session.writers(map).ok());
        DebugStop {
            writers: writers.map(|writers| writers.lines(WRITERS)).unwrap_or_default(),
            revision: self.facts.revision,
            number: self.stops,
            why,
            session: self.facts.number,
            module: self.facts.module,
            texts: Arc::clone(&self.facts.texts),
            stage: self.facts.stage,
            entry: self.facts.entry.clone(),
            groups: self.facts.groups,
            others: OtherGroups::of(session.debugger().machine()),
            size: self.facts.size,
            lane_map: self.facts.lane_map.clone(),
            state: session.state(),
            instruction: session.place().map_or(0, |place| place.inst.0),
            breakpoints: session.breakpoints().into_iter().map(row).collect(),
            variables: session.locals().into_iter().chain(session.memory()).collect(),
            fragments: (0..64).map_while(|lane| session.debugger().machine().fragment(lane)).collect(),
            lanes: lanes.unwrap_or_else(|| session.bare_lanes()),
            strip,
            findings: findings(session.debugger().machine(), &self.names),
            launch: self.record.as_ref().map(|record| record.stop(session.debugger().machine())),
            is_rewritten: self.is_rewritten,
            beside,
        }
    }
}

/// What a breakpoint stops at, and what it is called: `race.comp:13` where it was set on a line of the source, else the
/// instruction too.
fn place(line: Option<SourceLine>, inst: InstId, in_source: bool) -> (BreakpointKind, String) {
    let (kind, instruction) = (BreakpointKind::instruction(inst), format!("instruction {}", inst.0));
    let Some(line) = line else { return (kind, instruction) };
    let file = line.file.rsplit(['/', '\\']).next().unwrap_or(&line.file);
    let text = format!("{file}:{}", line.line);
    if !in_source {
        return (kind, format!("{text}, {instruction}"));
    }
    let location = Location::Line { file: file.to_owned(), line: line.line };
    (BreakpointKind::Place { location, condition: None }, text)
}
