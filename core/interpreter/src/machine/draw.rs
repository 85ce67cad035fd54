//! Machines that run the vertices or the fragments of a draw.

use std::sync::Arc;

use super::Machine;
use super::placed::{Placed, expect_stage};
use crate::draw::{
    ColorAttachment, FragmentAt, FragmentCall, FragmentWork, Layout, Stream, VertexCall, VertexWork, Work,
};
use crate::error::LaunchError;
use crate::input::{Dispatch, Inputs, LaneMap, Options};
use crate::launch;
use crate::memory::{Object, Origin};
use crate::program::Program;
use crate::stages::Rate;
use lanescope_base::StageKind;

impl Machine {
    /// Places the vertices of a draw in waves, and the inputs in memory.
    ///
    /// # Errors
    /// Those of [`Machine::new`]; a program that is not a vertex shader.
    pub fn vertices(
        program: Arc<Program>,
        inputs: &Inputs,
        call: VertexCall,
        options: &Options,
    ) -> Result<Machine, LaunchError> {
        expect_stage(&program, StageKind::Vertex)?;
        let size = launch::subgroup_size(call.wave)?;
        let bytes = Layout::of(&program, Rate::Vertex).scalars as u64 * u64::from(call.count) * 8;
        let mut placed = Placed::new(&program, inputs, 1, size, bytes, options)?;
        let outputs = placed.object(Origin::StageOutputs, vec![0; bytes as usize]);
        let dispatch = draw_dispatch(call.count, size, call.only);
        let work = Work::Vertices(VertexWork { call, outputs });
        Ok(placed.machine(program, dispatch, work, options))
    }

    /// Places the fragments of a draw in waves, and the inputs in memory. Buffers and images have what the vertices left
    /// in them where `inputs` say so ([`Machine::contents`]).
    ///
    /// # Errors
    /// Those of [`Machine::new`]; a program that is not a fragment shader; waves without whole quads.
    pub fn fragments(
        program: Arc<Program>,
        inputs: &Inputs,
        call: FragmentCall,
        options: &Options,
    ) -> Result<Machine, LaunchError> {
        expect_stage(&program, StageKind::Fragment)?;
        let size = launch::subgroup_size(call.wave)?;
        if size < 4 {
            return Err(LaunchError::QuadSize { size });
        }
        let raster = &call.raster;
        let [width, height] = raster.size().map(u64::from);
        let samples = width.saturating_mul(height).saturating_mul(u64::from(raster.samples()));
        let count = call.colors.len() as u64 + u64::from(call.depth.is_some());
        let mut placed = Placed::new(&program, inputs, 1, size, samples.saturating_mul(16 * count), options)?;
        let texels = |location: Option<u32>, clear: [u32; 4]| {
            let given = call.contents.iter().find(|(of, _)| *of == location).map(|(_, bytes)| bytes);
            if let Some(given) = given.filter(|given| given.len() as u64 == samples.saturating_mul(16)) {
                return given.to_vec();
            }
            let one: Vec<u8> = clear.iter().flat_map(|word| word.to_le_bytes()).collect();
            one.repeat(samples as usize)
        };
        let color = |color: &ColorAttachment| {
            let location = Some(color.location);
            placed.object(Origin::Attachment(location), texels(location, color.clear))
        };
        let colors: Vec<usize> = call.colors.iter().map(color).collect();
        let clear = call.depth.map(|depth| [depth.to_bits(), 0, 0, 1f32.to_bits()]);
        let depth = clear.map(|clear| placed.object(Origin::Attachment(None), texels(None, clear)));
        let dispatch = draw_dispatch(raster.invocations(), size, call.only);
        let work = Work::Fragments(FragmentWork::new(&program, call, colors, depth));
        Ok(placed.machine(program, dispatch, work, options))
    }

    /// The samples of a colour attachment by its location, or of the depth: row by row, the samples of a pixel together,
    /// 16 bytes each. Absent where a draw has no such attachment.
    pub fn attachment(&self, location: Option<u32>) -> Option<&[u8]> {
        let origin = Origin::Attachment(location);
        let object = self.state.memory.objects.iter().find(|object| object.origin == origin);
        object.map(Object::bytes)
    }

    /// The fragment that a lane of the current wave is; absent in other stages.
    pub fn fragment(&self, lane: u32) -> Option<FragmentAt> {
        let Work::Fragments(work) = &self.setup.work else { return None };
        let group = self.wave_of_draw();
        work.at(group, lane as usize, self.state.waves.first()?)
    }

    /// The lanes of a lane's quad, in any wave of any workgroup: those that the wave has.
    pub fn quad_of(&self, group: u64, wave: u32, lane: u32) -> Vec<u8> {
        let all = self.setup.work.lanes(group, self.setup.dispatch.lanes.subgroup_size as usize);
        let quad = all.get(wave as usize).and_then(|wave| wave.quads.get(lane as usize));
        quad.into_iter().flatten().copied().filter(|lane| *lane != crate::exec::derivative::NO_LANE).collect()
    }

    /// The vertex that a lane of the current wave is; absent in other stages.
    pub fn vertex(&self, lane: u32) -> Option<u32> {
        let Work::Vertices(_) = &self.setup.work else { return None };
        let group = self.wave_of_draw();
        let first = u32::try_from(group).ok()?.checked_mul(self.setup.dispatch.lanes.subgroup_size)?;
        first.checked_add(lane)
    }

    /// The pixel and the primitive of a lane of any wave of fragments; absent in other stages.
    pub fn fragment_of(&self, wave: u64, lane: u32) -> Option<([u32; 2], u32)> {
        let Work::Fragments(work) = &self.setup.work else { return None };
        work.pixel(wave, lane as usize, self.setup.dispatch.lanes.subgroup_size as usize)
    }

    /// By wave of the current workgroup, then by lane: the local invocation index.
    pub fn lane_map(&self) -> Vec<Vec<Option<u32>>> {
        self.state.waves.iter().map(|wave| wave.lanes.invocations.clone()).collect()
    }

    /// Workgroups in each dimension; of a draw its waves.
    pub fn groups(&self) -> [u32; 3] {
        self.setup.dispatch.groups
    }

    /// Width, height and depth in which the invocations of a workgroup are shown: a compute shader's own size; a wave of
    /// fragments has its quads beside each other, eight in a row.
    pub fn size(&self) -> [u32; 3] {
        let lanes = self.setup.dispatch.lanes.subgroup_size;
        match &self.setup.work {
            Work::Dispatch(_) | Work::Control(_) | Work::Task(_) | Work::Mesh(_) => self.setup.program.local_size,
            Work::Vertices(_) | Work::Evaluation(_) | Work::Geometry(_) => [lanes, 1, 1],
            Work::Fragments(_) => {
                let width = (lanes / 2).clamp(2, 16);
                [width, lanes / width, 1]
            }
        }
    }
}

impl Stream {
    /// What the invocations of a machine have written: of vertex, tessellation, geometry or mesh shaders.
    ///
    /// # Errors
    /// A machine of another stage.
    pub fn of(machine: &Machine) -> Result<Arc<Stream>, LaunchError> {
        let program = machine.program();
        let stream = machine.setup.work.stream(program, &machine.state.memory.objects);
        stream.map(Arc::new).ok_or_else(|| {
            let (entry, found) = (program.entry().to_owned(), program.stage());
            LaunchError::Stage { entry, found, expected: StageKind::Vertex }
        })
    }
}

/// A draw as a dispatch: a workgroup for each wave.
pub(super) fn draw_dispatch(invocations: u32, size: u32, only: Option<u32>) -> Dispatch {
    Dispatch {
        groups: [invocations.div_ceil(size), 1, 1],
        only: only.map(|wave| [wave, 0, 0]),
        lanes: LaneMap { subgroup_size: size, waves: Vec::new() },
    }
}
