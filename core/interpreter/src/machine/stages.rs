//! Machines that run the stages between vertices and fragments.

use std::sync::Arc;

use super::Machine;
use super::draw::draw_dispatch;
use super::placed::{Placed, expect_stage};
use crate::draw::{
    ControlWork, EvaluationWork, GeometryWork, Layout, Links, MeshCall, MeshLaunch, MeshWork, PatchPoint, Shared,
    StageCall, TaskWork, Work,
};
use crate::error::LaunchError;
use crate::input::{Dispatch, Inputs, LaneMap, Options};
use crate::launch;
use crate::memory::Origin;
use crate::program::Program;
use crate::stages::Rate;
use lanescope_base::StageKind;

/// Bytes of the indices of a tessellated point: it has about two triangles, each with its patch.
const BYTES_OF_INDICES: u64 = 8 * 4;

impl Machine {
    /// Places the invocations of a geometry shader in waves, and the inputs in memory.
    ///
    /// # Errors
    /// Those of [`Machine::new`]; a program that is not a geometry shader, or one for other primitives.
    pub fn geometry(
        program: Arc<Program>,
        inputs: &Inputs,
        call: StageCall,
        options: &Options,
    ) -> Result<Machine, LaunchError> {
        expect_stage(&program, StageKind::Geometry)?;
        let size = launch::subgroup_size(call.wave)?;
        let (expected, found) = (program.modes.input.map_or(0, |topology| topology.vertices()), call.input.corners());
        if expected as usize != found {
            return Err(LaunchError::Vertices { entry: program.entry.clone(), expected, found: found as u32 });
        }
        let bytes = GeometryWork::bytes(&program, &call.input);
        let mut placed = Placed::new(&program, inputs, 1, size, bytes, options)?;
        let outputs = placed.object(Origin::StageOutputs, vec![0; bytes as usize]);
        let only = call.only;
        let work = GeometryWork::new(&program, call, outputs);
        let dispatch = draw_dispatch(work.count(), size, only);
        Ok(placed.machine(program, dispatch, Work::Geometry(work), options))
    }

    /// Places the patches of a tessellation control shader, each a workgroup, and the inputs in memory.
    ///
    /// # Errors
    /// Those of [`Machine::new`]; a program that is not a tessellation control shader.
    pub fn control(
        program: Arc<Program>,
        inputs: &Inputs,
        call: StageCall,
        options: &Options,
    ) -> Result<Machine, LaunchError> {
        expect_stage(&program, StageKind::TessControl)?;
        let size = launch::subgroup_size(call.wave)?;
        let waves = waves_of(&program, &LaneMap::linear(size, program.modes.vertices))?;
        let count = call.input.primitives();
        let words = Shared::words(&program, program.modes.vertices, 1);
        let bytes = u64::from(count).saturating_mul(words * 8);
        let mut placed = Placed::new(&program, inputs, waves.len(), size, bytes, options)?;
        let outputs = placed.object(Origin::StageOutputs, vec![0; bytes as usize]);
        let shared = Shared::new(&program, |resource| placed.object_of(&program, resource));
        let links = Links::new(&program, &call.input);
        let dispatch = Dispatch {
            groups: [count, 1, 1],
            only: call.only.map(|patch| [patch, 0, 0]),
            lanes: LaneMap { subgroup_size: size, waves: Vec::new() },
        };
        let work = ControlWork { call, outputs, waves, links, shared };
        Ok(placed.machine(program, dispatch, Work::Control(work), options))
    }

    /// Tessellates patches, places their points in waves of an evaluation shader, and the inputs in memory.
    ///
    /// # Errors
    /// Those of [`Machine::new`]; a program that is not a tessellation evaluation shader; no domain; too many points.
    pub fn evaluation(
        program: Arc<Program>,
        inputs: &Inputs,
        call: StageCall,
        options: &Options,
    ) -> Result<Machine, LaunchError> {
        expect_stage(&program, StageKind::TessEval)?;
        let size = launch::subgroup_size(call.wave)?;
        let only = call.only;
        let row = Layout::of(&program, Rate::Vertex).scalars as u64 * 8;
        let each = size_of::<PatchPoint>() as u64 + BYTES_OF_INDICES;
        let mut work = EvaluationWork::new(&program, call, options.max_memory / (row + each))?;
        let count = work.points.len() as u64;
        let (bytes, kept) = (count * row, count * each);
        let mut placed = Placed::new(&program, inputs, 1, size, bytes + kept, options)?;
        work.outputs = placed.object(Origin::StageOutputs, vec![0; bytes as usize]);
        let dispatch = draw_dispatch(count as u32, size, only);
        Ok(placed.machine(program, dispatch, Work::Evaluation(work), options))
    }

    /// Places the workgroups of a task shader in waves, and the inputs in memory.
    ///
    /// # Errors
    /// Those of [`Machine::new`]; a program that is not a task shader.
    pub fn tasks(
        program: Arc<Program>,
        inputs: &Inputs,
        dispatch: &Dispatch,
        options: &Options,
    ) -> Result<Machine, LaunchError> {
        expect_stage(&program, StageKind::Task)?;
        let size = launch::subgroup_size(dispatch.lanes.subgroup_size)?;
        let waves = waves_of(&program, &dispatch.lanes)?;
        let payload = program.payload.and_then(|at| program.resources.get(at as usize));
        let bytes = payload.map_or(0, |resource| resource.kind.output_bytes());
        let count = MeshLaunch { groups: dispatch.groups, payload: Vec::new() }.count();
        let all = count.saturating_mul(TaskWork::words(bytes) * 8);
        let mut placed = Placed::new(&program, inputs, waves.len(), size, all, options)?;
        let outputs = placed.object(Origin::StageOutputs, vec![0; all as usize]);
        let payload = program.payload.map(|resource| placed.object_of(&program, resource));
        let work = TaskWork { waves, payload, bytes, outputs };
        Ok(placed.machine(program, dispatch.clone(), Work::Task(work), options))
    }

    /// What the workgroups of a task shader have launched so far; nothing in other stages.
    pub fn mesh_launches(&self) -> Vec<MeshLaunch> {
        let Work::Task(work) = &self.setup.work else { return Vec::new() };
        self.state.memory.objects.get(work.outputs).map_or_else(Vec::new, |object| work.launches(object))
    }

    /// Places the workgroups of a mesh shader in waves, and the inputs in memory.
    ///
    /// # Errors
    /// Those of [`Machine::new`]; a program that is not a mesh shader.
    pub fn mesh(
        program: Arc<Program>,
        inputs: &Inputs,
        call: MeshCall,
        options: &Options,
    ) -> Result<Machine, LaunchError> {
        expect_stage(&program, StageKind::Mesh)?;
        let size = launch::subgroup_size(call.lanes.subgroup_size)?;
        let waves = waves_of(&program, &call.lanes)?;
        let mut firsts = Vec::new();
        let mut count = 0u64;
        for launch in &call.launches {
            firsts.push(count);
            count = count.saturating_add(launch.count());
        }
        let bytes = count.saturating_mul(MeshWork::words(&program) * 8);
        let mut placed = Placed::new(&program, inputs, waves.len(), size, bytes, options)?;
        let outputs = placed.object(Origin::StageOutputs, vec![0; bytes as usize]);
        let payload = program.payload.map(|resource| placed.object_of(&program, resource));
        let shared = Shared::new(&program, |resource| placed.object_of(&program, resource));
        // Memory bounds the count.
        let groups = match call.launches.as_slice() {
            [one] => one.groups,
            _ => [count as u32, 1, 1],
        };
        let dispatch = Dispatch { groups, only: None, lanes: call.lanes };
        let work = MeshWork { launches: call.launches, firsts, waves, payload, outputs, shared };
        Ok(placed.machine(program, dispatch, Work::Mesh(work), options))
    }

    /// The primitive and the invocation of a lane of a geometry shader's wave; absent in other stages.
    pub fn primitive(&self, lane: u32) -> Option<(u32, u32)> {
        let Work::Geometry(work) = &self.setup.work else { return None };
        work.at(self.wave_of_draw(), lane as usize, self.setup.dispatch.lanes.subgroup_size as usize)
    }

    /// The number of the tessellated point of a lane of an evaluation shader's wave, its patch and its `TessCoord`;
    /// absent in other stages.
    pub fn tessellated(&self, lane: u32) -> Option<(u32, u32, [f32; 3])> {
        let Work::Evaluation(work) = &self.setup.work else { return None };
        let size = self.setup.dispatch.lanes.subgroup_size as usize;
        let (number, point) = work.at(self.wave_of_draw(), lane as usize, size)?;
        Some((number, point.patch, point.coordinate))
    }

    /// How many points an evaluation shader runs for; 0 in other stages.
    pub fn tessellated_points(&self) -> u32 {
        if let Work::Evaluation(work) = &self.setup.work { work.points.len() as u32 } else { 0 }
    }

    /// The current workgroup, or the last one after the end.
    pub(super) fn wave_of_draw(&self) -> u64 {
        self.setup.first.saturating_add(self.state.done.min(self.setup.groups.saturating_sub(1)))
    }
}

/// The waves of a workgroup.
fn waves_of(program: &Program, map: &LaneMap) -> Result<Vec<Arc<crate::exec::wave::Lanes>>, LaunchError> {
    let waves = launch::waves(map, program.local_size, program.derivatives)?;
    Ok(waves.into_iter().map(Arc::new).collect())
}
