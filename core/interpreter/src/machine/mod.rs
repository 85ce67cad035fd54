//! The machine: a program, its inputs, and a state that goes on instruction by instruction.

mod draw;
mod focus;
mod logged;
mod placed;
mod stages;

use std::sync::Arc;

pub use focus::{NotReached, Others};

use focus::Focus;
use placed::{Placed, expect_stage};

use crate::code::{Code, Pc};
use crate::draw::Work;
use crate::error::LaunchError;
use crate::event::{Event, EventKind, EventLog, Site};
use crate::exec::access::{self, Context, Found, Memory};
use crate::exec::wave::{Frame, Status, Wave};
use crate::exec::{self, Done};
use crate::input::{Dispatch, Inputs, Options};
use crate::kernels::lanes_of;
use crate::launch::{self, Invocation};
use crate::memory::{Object, Origin};
use crate::program::Program;
use crate::race::{Reached, SUBGROUP, WORKGROUP};
use lanescope_base::{StageKind, grid};

/// Instructions that a wave runs before the next one has its turn.
const SLICE: u32 = 1 << 14;

/// What a run came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All workgroups have ended.
    Finished,
    /// The limit of steps was reached first.
    StepLimit,
}

/// What never changes during a run.
#[derive(Debug)]
pub(crate) struct Setup {
    pub program: Arc<Program>,
    pub dispatch: Dispatch,
    pub options: Options,
    pub work: Work,
    /// Constants, with the pointers of resources filled in.
    pub constants: Vec<u64>,
    /// Objects that are workgroup memory.
    pub workgroup: Vec<crate::objects::WorkgroupMemory>,
    /// Linear index of the first workgroup, and their number.
    pub first: u64,
    pub groups: u64,
    pub images: Vec<crate::image::ImageObject>,
}

/// All that changes during a run.
#[derive(Debug, Clone)]
pub(crate) struct State {
    pub waves: Vec<Wave>,
    pub memory: Memory,
    pub events: EventLog,
    /// Instructions run by all waves together; where one workgroup is stepped, by its waves.
    pub steps: u64,
    /// Those of the workgroups before and after the one that is stepped.
    pub earlier: u64,
    pub later: u64,
    /// While workgroups after the one that is stepped run: its waves, and which was current. Between two runs of them:
    /// theirs, with which they go on.
    pub kept: Option<(Vec<Wave>, usize)>,
    /// Whether the workgroups after it had too much to run.
    pub is_cut: bool,
    /// Instructions run times active lanes.
    pub lane_steps: u64,
    /// Workgroups that have ended.
    pub done: u64,
    /// The wave that runs next.
    pub current: usize,
    pub slice: u32,
}

/// A program on its inputs. Runs are deterministic: workgroups run one after the other in order, waves of a workgroup
/// take turns.
#[derive(Debug, Clone)]
pub struct Machine {
    pub(crate) setup: Arc<Setup>,
    pub(crate) state: State,
    pub(crate) focus: Option<Focus>,
    /// Buffers that instructions use while they run.
    scratch: Vec<u64>,
    found: Vec<Found>,
}

impl Machine {
    /// Places a program's invocations in waves, and its inputs in memory.
    ///
    /// # Errors
    /// A lane map that does not place each invocation once, inputs that contradict themselves, a program that is not a
    /// compute shader, or a run that needs more memory than allowed.
    pub fn new(
        program: Arc<Program>,
        inputs: &Inputs,
        dispatch: &Dispatch,
        options: &Options,
    ) -> Result<Machine, LaunchError> {
        expect_stage(&program, StageKind::Compute)?;
        let lanes = launch::waves(&dispatch.lanes, program.local_size, program.derivatives)?;
        let work = Work::Dispatch(lanes.into_iter().map(Arc::new).collect());
        let placed = Placed::new(&program, inputs, work.waves(), dispatch.lanes.subgroup_size, 0, options)?;
        Ok(placed.machine(program, dispatch.clone(), work, options))
    }

    /// A machine at its start.
    pub(crate) fn at_start(setup: Setup, memory: Memory) -> Machine {
        let state = State {
            waves: Vec::new(),
            memory,
            events: EventLog::default(),
            steps: 0,
            earlier: 0,
            later: 0,
            kept: None,
            is_cut: false,
            lane_steps: 0,
            done: 0,
            current: 0,
            slice: 0,
        };
        let mut machine =
            Machine { setup: Arc::new(setup), state, focus: None, scratch: Vec::new(), found: Vec::new() };
        machine.start_group();
        machine
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.setup.program
    }

    /// Runs until the end, or until the limit of steps.
    pub fn run(&mut self) -> Outcome {
        while self.step() {}
        self.outcome()
    }

    /// Whether the run has ended, and how.
    fn outcome(&self) -> Outcome {
        if self.is_finished() { Outcome::Finished } else { Outcome::StepLimit }
    }

    /// Whether all workgroups have ended.
    pub fn is_finished(&self) -> bool {
        self.state.done >= self.setup.groups || self.has_ended_alone()
    }

    /// Instructions run so far by all waves together.
    pub fn steps(&self) -> u64 {
        self.state.earlier + self.state.steps + self.state.later
    }

    /// The position in time: instructions of the workgroup that is stepped, or of all.
    pub(crate) fn position(&self) -> u64 {
        self.state.steps
    }

    /// Instructions run so far, counted once for each active lane.
    pub fn lane_steps(&self) -> u64 {
        self.state.lane_steps
    }

    /// What was found so far, in the order in which it was found first.
    pub fn events(&self) -> &[Event] {
        &self.state.events.events
    }

    /// Whether some findings are missing: there were more kinds and places than are kept, or more memory was accessed
    /// than is watched for races.
    pub fn events_truncated(&self) -> bool {
        self.state.events.full || self.state.memory.shadows.full
    }

    /// The contents of a buffer, or of an image as texels; absent where the program has no such descriptor.
    pub fn contents(&self, set: u32, binding: u32, element: u32) -> Option<&[u8]> {
        let origin = Origin::Descriptor { set, binding, element };
        let object = self.state.memory.objects.iter().find(|object| object.origin == origin);
        object.map(Object::bytes)
    }

    /// The workgroup that runs; the one that is stepped also after its end, else after the end of all the last one.
    pub fn group(&self) -> [u32; 3] {
        let done = self.state.done.min(self.setup.groups.saturating_sub(1));
        let index = self.focused_group().unwrap_or(self.setup.first.saturating_add(done));
        grid::place(self.setup.dispatch.groups, index)
    }

    /// The linear index of the workgroup that runs; the one after the last at the end.
    pub fn group_index(&self) -> u64 {
        self.setup.first.saturating_add(self.state.done)
    }

    /// Runs one instruction of one wave; false where the run has ended or is at its limit. With the last instruction of
    /// the workgroup that is stepped the ones after it run, too.
    #[inline]
    pub fn step(&mut self) -> bool {
        let is_past = self.is_past_focus();
        if (self.state.steps >= self.setup.options.max_steps && !is_past) || self.state.is_cut {
            return false;
        }
        if self.focus.is_none() {
            return self.advance();
        }
        let ran = !self.is_finished() && (is_past || self.advance());
        if self.is_past_focus() {
            if !is_past {
                self.swap_kept();
            }
            self.run_rest();
        }
        ran
    }

    /// Runs one instruction of one wave; false where the run has ended.
    #[inline]
    pub(crate) fn advance(&mut self) -> bool {
        if self.is_finished() {
            return false;
        }
        self.execute();
        let state = &mut self.state;
        state.slice += 1;
        let status = state.waves.get(state.current).map(|wave| wave.status);
        if status != Some(Status::Running) || state.slice >= SLICE {
            self.schedule();
        }
        true
    }

    /// Chooses the wave that runs next: the next one that is not waiting, from the current one on.
    fn schedule(&mut self) {
        self.state.slice = 0;
        let count = self.state.waves.len();
        for step in 1..=count {
            let at = (self.state.current + step) % count;
            if self.state.waves[at].status == Status::Running {
                self.state.current = at;
                return;
            }
        }
        if self.state.waves.iter().any(|wave| matches!(wave.status, Status::Barrier { .. })) {
            self.release();
            return;
        }
        self.finish_group();
        self.keep_waves();
        self.state.done += 1;
        if !self.is_finished() {
            self.start_group();
        }
    }

    /// All waves of the workgroup wait or have ended: they go on.
    fn release(&mut self) {
        let barrier = |wave: &Wave| match wave.status {
            Status::Barrier { pc, semantics } => Some((pc, semantics)),
            _ => None,
        };
        let first = self.state.waves.iter().find_map(barrier).map_or(0, |(pc, _)| pc);
        // Waves that ended without it, or that wait at another place.
        let missing = self.state.waves.iter().position(|wave| barrier(wave).is_none_or(|(pc, _)| pc != first));
        if let Some(wave) = missing {
            let lanes = self.state.waves[wave].lanes.bits;
            self.report(first, wave, EventKind::BarrierNotReached, lanes);
        }
        if self.setup.options.checks.races {
            let reached = (0..).zip(&self.state.waves).filter_map(|(at, wave)| {
                let (_, semantics) = barrier(wave)?;
                Some(Reached { wave: at, mask: wave.mask, semantics })
            });
            let reached: Vec<Reached> = reached.collect();
            self.state.memory.order.control_barrier(&reached, true);
            self.state.memory.settle();
        }
        let mut next = None;
        for (at, wave) in self.state.waves.iter_mut().enumerate() {
            if matches!(wave.status, Status::Barrier { .. }) {
                wave.status = Status::Running;
                next = next.or(Some(at));
            }
        }
        self.state.current = next.unwrap_or(0);
    }

    /// Reports lanes of a wave.
    fn report(&mut self, pc: Pc, wave: usize, kind: EventKind, lanes: u64) {
        let site = Site { pc, group: self.group_index(), wave: wave as u32, step: self.steps() };
        self.state.events.add(&self.setup.program, site, kind, lanes, None, None);
    }

    /// Fills registers and workgroup memory for the next workgroup.
    fn start_group(&mut self) {
        if self.is_finished() {
            return;
        }
        let setup = self.setup.clone();
        let program = &setup.program;
        let size = setup.dispatch.lanes.subgroup_size as usize;
        self.state.current = 0;
        self.state.slice = 0;
        for own in &setup.workgroup {
            let memory = &mut self.state.memory;
            memory.shadows.forget(own.object as usize);
            memory.order.forget(own.object as usize);
            let object = &mut memory.objects[own.object as usize];
            object.clear(own.size as usize);
            object.written = Some(vec![0; (own.size as usize).div_ceil(64)]);
            own.zeroed.iter().for_each(|range| object.mark_written(range.clone()));
        }
        let index = self.group_index();
        self.state.memory.order.begin(self.state.done);
        setup.work.begin(index, &mut self.state.memory.objects);
        let place = setup.work.place(index);
        let groups = setup.dispatch.groups;
        let (groups, group) = place.unwrap_or_else(|| (groups, grid::place(groups, index)));
        let all = setup.work.lanes(index, size);
        let count = all.len();
        self.state.waves.truncate(count);
        for (at, lanes) in all.iter().enumerate() {
            let mut regs = self.state.waves.get_mut(at).map(|wave| std::mem::take(&mut wave.regs)).unwrap_or_default();
            regs.reset(program.slots as usize * size);
            for (values, &constant) in regs.chunks_exact_mut(size).zip(&setup.constants) {
                values.fill(constant);
            }
            for (lane, index) in lanes.invocations.iter().enumerate() {
                let Some(index) = *index else { continue };
                let invocation = Invocation {
                    groups,
                    group,
                    local_size: program.local_size,
                    index,
                    wave: at as u32,
                    waves: count as u32,
                    lane: lane as u32,
                    subgroup_size: size as u32,
                };
                for input in &program.inputs {
                    let values = invocation.builtin(input.builtin);
                    for (slot, value) in (input.slot..input.slot + input.n).zip(values) {
                        regs[slot as usize * size + lane] = value;
                    }
                }
            }
            setup.work.fill(program, index, lanes, &mut regs);
            let mut written = vec![0; program.variables.len()];
            for &(dst, src, n) in &program.initializers {
                exec::move_slots(&mut regs, dst, src, n, crate::kernels::Mask::all(size));
                let first = (dst - program.variables.start) as usize;
                written.iter_mut().skip(first).take(n as usize).for_each(|lanes| *lanes = u64::MAX);
            }
            let entry = &program.functions[program.entry_function as usize];
            let alive = lanes.bits;
            let frame =
                Frame { function: program.entry_function, waiting: Vec::new(), returned: 0, return_pc: 0, call: None };
            let wave = Wave {
                lanes: lanes.clone(),
                regs,
                written,
                frames: vec![frame],
                pc: entry.start,
                mask: alive,
                alive,
                helpers: lanes.helpers,
                killed: 0,
                status: if alive == 0 { Status::Done } else { Status::Running },
            };
            match self.state.waves.get_mut(at) {
                Some(slot) => *slot = wave,
                None => self.state.waves.push(wave),
            }
        }
        if self.state.waves.first().is_none_or(|wave| wave.status != Status::Running) {
            self.schedule();
        }
    }

    /// Takes the outputs of a draw's wave.
    fn finish_group(&mut self) {
        let group = self.group_index();
        let Machine { setup, state, .. } = self;
        if let Some(wave) = state.waves.first() {
            setup.work.finish(&setup.program, group, wave, &mut state.memory.objects);
        }
    }

    /// Runs the next instruction of the current wave.
    #[inline]
    fn execute(&mut self) {
        let Machine { setup, state, scratch, found, .. } = self;
        let program = &*setup.program;
        let current = state.current;
        let Some(wave) = state.waves.get_mut(current) else { return };
        let pc = wave.pc;
        let Some(code) = program.code.get(pc as usize) else {
            wave.status = Status::Done;
            return;
        };
        state.steps += 1;
        state.lane_steps += u64::from(wave.mask.count_ones());
        let mask = wave.exec();
        let mut fault = None;
        match exec::registers(code, &program.tables, &mut wave.regs, mask, setup.options.checks.nan) {
            Done::Ran => {
                wave.pc += 1;
                return;
            }
            Done::Fault(kind, lanes) => {
                wave.pc += 1;
                fault = Some((kind, lanes));
            }
            Done::NotHere => {
                if code.is_control() {
                    if matches!(code, Code::Unreachable) {
                        fault = Some((EventKind::Unreachable, wave.mask));
                    }
                    exec::control::control(wave, program, code, scratch);
                    if fault.is_none() {
                        return;
                    }
                } else {
                    wave.pc += 1;
                    let context = Context {
                        pc,
                        group: setup.first.saturating_add(state.done),
                        wave: current as u32,
                        first: setup.first,
                        races: setup.options.checks.races,
                        uninitialized: setup.options.checks.uninitialized,
                    };
                    effect(wave, &mut state.memory, setup, code, &context, found);
                    if matches!(code, Code::LoadVariable { .. }) && program.size_dependent.contains_key(&pc) {
                        fault = Some((EventKind::WaveSizeDependence, mask.bits));
                    }
                    if let Code::ControlBarrier { execution: WORKGROUP, .. } = code
                        && mask.bits != wave.alive
                    {
                        fault = Some((EventKind::BarrierNotReached, wave.alive & !mask.bits));
                    }
                }
            }
        }
        if fault.is_none() && found.is_empty() {
            return;
        }
        let step = state.earlier + state.steps + state.later;
        let site = Site { pc, group: setup.first.saturating_add(state.done), wave: current as u32, step };
        if let Some((kind, lanes)) = fault {
            state.events.add(program, site, kind, lanes, None, None);
        }
        for found in found.drain(..) {
            state.events.add(program, site, found.kind, 1 << found.lane, found.address, found.other);
        }
    }
}

/// Runs an instruction that reaches beyond the wave's registers, or is between lanes.
fn effect(wave: &mut Wave, memory: &mut Memory, setup: &Setup, code: &Code, context: &Context, found: &mut Vec<Found>) {
    let program = &*setup.program;
    let tables = &program.tables;
    match *code {
        Code::Chain { chain } => access::chain(wave, memory, &tables.chains[chain as usize]),
        Code::Load { dst, pointer, access } => {
            let access = &tables.accesses[access as usize];
            access::load(wave, memory, program, context, (dst, pointer, access), found);
        }
        Code::Store { pointer, src, access } => {
            let access = &tables.accesses[access as usize];
            access::store(wave, memory, program, context, (pointer, src, access), found);
        }
        Code::Atomic { atomic } => {
            exec::atomic::atomic(wave, memory, program, context, &tables.atomics[atomic as usize], found);
        }
        Code::ArrayLength { dst, pointer, offset, stride } => {
            access::array_length(wave, memory, (dst, pointer, offset, stride), found);
        }
        Code::Subgroup { op } => exec::subgroup::subgroup(wave, &tables.subgroup_ops[op as usize], found),
        Code::Derivative { op } => exec::derivative::derivative(wave, &tables.derivatives[op as usize], found),
        Code::Image { op } => {
            let images = exec::image::Images { program, all: &setup.images };
            exec::image::run(wave, memory, images, context, &tables.image_ops[op as usize], found);
        }
        Code::ControlBarrier { execution: WORKGROUP, semantics } => {
            wave.status = Status::Barrier { pc: context.pc, semantics };
        }
        Code::ControlBarrier { execution: SUBGROUP, semantics } if context.races => {
            memory.order.control_barrier(&[Reached { wave: context.wave, mask: wave.mask, semantics }], false);
            memory.settle();
        }
        Code::Interpolate { op } => {
            setup.work.interpolate(program, context.group, wave, &tables.interpolations[op as usize]);
        }
        Code::HandOver { what } => {
            let beyond = setup.work.hand_over(program, context.group, wave, &mut memory.objects, what);
            found.extend(lanes_of(beyond).map(|lane| Found::new(EventKind::OutOfBounds, lane, None)));
        }
        Code::Demote { helper } => {
            wave.helpers |= wave.mask;
            if let Some(slot) = helper {
                let mask = wave.exec();
                mask.iter().for_each(|lane| wave.regs[slot as usize * mask.lanes + lane] = 1);
            }
        }
        Code::IsHelper { dst } => {
            let mask = wave.exec();
            for lane in mask.iter() {
                wave.regs[dst as usize * mask.lanes + lane] = u64::from(wave.is_helper(lane));
            }
        }
        Code::MemoryBarrier { semantics } | Code::ControlBarrier { semantics, .. } if context.races => {
            memory.order.memory_barrier(context.wave, wave.mask, &semantics);
            memory.settle();
        }
        Code::MemoryBarrier { .. } | Code::ControlBarrier { .. } => {}
        _ => _ = access::variables(wave, program, code, context, found),
    }
}
