//! A machine in the making: inputs in memory, then the work.

use std::sync::Arc;

use super::{Machine, Setup};
use crate::draw::Work;
use crate::error::LaunchError;
use crate::exec::access::Memory;
use crate::input::{Dispatch, Inputs, Options};
use crate::memory::{Object, Origin};
use crate::objects::{self, Objects};
use crate::program::Program;
use crate::race::Order;
use lanescope_base::{StageKind, grid};

/// A program's inputs in memory, before its work is known.
pub(crate) struct Placed(Objects);

impl Placed {
    /// `more` bytes are needed besides registers and inputs.
    pub fn new(
        program: &Program,
        inputs: &Inputs,
        waves: usize,
        size: u32,
        more: u64,
        options: &Options,
    ) -> Result<Placed, LaunchError> {
        let invocations = waves as u64 * u64::from(size);
        let registers = invocations * u64::from(program.slots) * 8;
        let needed = registers.saturating_add(objects::bytes(program, inputs)).saturating_add(more);
        let limit = options.max_memory;
        if needed > limit {
            return Err(LaunchError::Memory { needed, limit });
        }
        objects::place(program, inputs, limit - needed).map(Placed)
    }

    /// Adds an object that nothing points to.
    pub fn object(&mut self, origin: Origin, bytes: Vec<u8>) -> usize {
        self.0.all.push(Object::new(bytes, origin, None));
        self.0.all.len() - 1
    }

    /// The object of a resource.
    pub fn object_of(&self, program: &Program, resource: u32) -> usize {
        let slot = program.resources.get(resource as usize).map_or(0, |resource| resource.slot);
        let pointer = self.0.constants.get(slot as usize).copied().unwrap_or(0);
        (pointer >> crate::memory::OFFSET_BITS) as usize
    }

    /// The machine at its start.
    pub fn machine(self, program: Arc<Program>, dispatch: Dispatch, work: Work, options: &Options) -> Machine {
        let Placed(Objects { all: objects, shadows, addresses, descriptors, constants, workgroup, images }) = self;
        let (first, groups) = match dispatch.only {
            Some(only) => (grid::linear_index(dispatch.groups, only), u64::from(grid::contains(dispatch.groups, only))),
            None => (0, grid::saturating_volume(dispatch.groups)),
        };
        let options = *options;
        let (lanes, invocations) = (dispatch.lanes.subgroup_size, work.invocations());
        let order = Order::new(objects.len(), lanes, &program.model, invocations);
        let memory = Memory { objects, shadows, order, addresses, descriptors, log: None };
        let setup = Setup { program, dispatch, options, work, constants, workgroup, first, groups, images };
        Machine::at_start(setup, memory)
    }
}

/// Refuses a program of another stage.
pub(crate) fn expect_stage(program: &Program, expected: StageKind) -> Result<(), LaunchError> {
    match program.stage {
        found if found == expected => Ok(()),
        found => Err(LaunchError::Stage { entry: program.entry.clone(), found, expected }),
    }
}
