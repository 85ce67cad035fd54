//! The fixed scene in the interpreter: vertices, triangles, fragments, attachments.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::super::GpuError;
use super::super::attachments::CLEAR_DEPTH;
use super::super::dispatch::dispatch_of;
use super::super::pipeline::{GRAPHICS, Stages};
use super::super::position;
use super::super::raster::{gives_depth, writes_depth};
use super::super::resources::Resources;
use super::super::scene::{self, SIDE, Slot, VERTICES};
use super::super::{contents, given_vertices};
use super::inputs::{AllFilled, fill};
use super::state::DrawState;
use super::targets::{attachment, attachments, held};
use super::{Before, Launch, Waves, decode, expect_workgroup, findings, finish, focus, not_launched};
use crate::gpu::addressed::takes_addresses;
use crate::gpu::stage_order::check_order;
use lanescope_base::grid;
use lanescope_base::text_format::counted;
use lanescope_interpreter::draw::{
    Attribute, FragmentCall, MeshCall, MeshLaunch, Picture, Raster, StageCall, Stream, Topology, VertexCall,
    VertexOrder, View,
};
use lanescope_interpreter::{self as interpreter, LaneMap, Machine};
use lanescope_model::program::{Program, StageKind};
use lanescope_run::inputs::{Inputs, Viewport, no_vertex_input};
use lanescope_run::{Dispatch, order_dependence};
use lanescope_spirv::enums::StorageClass;
use lanescope_spirv::shape::ScalarKind;

/// Widths of components that attributes and outputs may have: 16-bit ones have 32 bits outside of the shaders.
const BITS: [u32; 2] = [16, 32];

/// What of a draw runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DrawPlace {
    /// All fragments, after all stages before them.
    All,
    /// The wave with the last fragment that covers a pixel, after all stages before it. Without a pixel the one in the
    /// middle of the picture, or the first one that is covered.
    Pixel(Option<[u32; 2]>),
    /// The wave of a vertex.
    Vertex(u32),
    /// The wave of a geometry shader's invocation of a primitive.
    Primitive {
        /// The primitive.
        primitive: u32,
        /// The invocation.
        invocation: u32,
    },
    /// The patch of a tessellation control shader, at an invocation.
    Patch {
        /// The patch.
        patch: u32,
        /// The invocation.
        invocation: u32,
    },
    /// The wave of a tessellated point, counted over all patches.
    Point(u32),
    /// A workgroup of the task shader.
    Task([u32; 3]),
    /// A workgroup of the mesh shader. After a task shader they are counted in x, over all that it launches.
    Mesh([u32; 3]),
    /// All of the task or the mesh shader, after all stages before it.
    Workgroups(StageKind),
}

impl DrawPlace {
    /// The first invocation of each stage that can be stepped, in pipeline order; fragments are last.
    pub const FIRST: [DrawPlace; 7] = [
        DrawPlace::Vertex(0),
        DrawPlace::Patch { patch: 0, invocation: 0 },
        DrawPlace::Point(0),
        DrawPlace::Primitive { primitive: 0, invocation: 0 },
        DrawPlace::Task([0; 3]),
        DrawPlace::Mesh([0; 3]),
        DrawPlace::Pixel(None),
    ];

    /// The stage that is asked for; absent for fragments.
    pub fn stage(self) -> Option<StageKind> {
        match self {
            DrawPlace::All | DrawPlace::Pixel(_) => None,
            DrawPlace::Vertex(_) => Some(StageKind::Vertex),
            DrawPlace::Primitive { .. } => Some(StageKind::Geometry),
            DrawPlace::Patch { .. } => Some(StageKind::TessControl),
            DrawPlace::Point(_) => Some(StageKind::TessEval),
            DrawPlace::Task(_) => Some(StageKind::Task),
            DrawPlace::Mesh(_) => Some(StageKind::Mesh),
            DrawPlace::Workgroups(stage) => Some(stage),
        }
    }
}

/// The waves of a draw, as text.
pub(super) fn map(before: &[Before], fragments: u32) -> String {
    let mut parts: Vec<String> = before
        .iter()
        .map(|stage| {
            let count = usize::try_from(stage.waves).unwrap_or(usize::MAX);
            match stage.stage {
                StageKind::TessControl => counted(count, "patch"),
                StageKind::Task => counted(count, "task workgroup"),
                StageKind::Mesh => counted(count, "mesh workgroup"),
                kind => format!("{} of {}", counted(count, "wave"), invocations_of(kind)),
            }
        })
        .collect();
    parts.push(format!("{} of fragments in 2×2 quads", counted(fragments as usize, "wave")));
    format!("{}, in the order of triangles", parts.join(", "))
}

/// What the invocations of a stage are.
fn invocations_of(stage: StageKind) -> &'static str {
    match stage {
        StageKind::Geometry => "primitives",
        StageKind::TessEval => "tessellated points",
        _ => "vertices",
    }
}

/// How a draw runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawCall {
    /// Lanes of a wave.
    pub wave: u32,
    /// What runs.
    pub place: DrawPlace,
    /// The workgroups of a task or mesh shader. Without them they are chosen as those of a compute shader.
    pub groups: Option<[u32; 3]>,
}

/// A stage that has been decoded.
struct Decoded<'p> {
    kind: StageKind,
    entry: &'p str,
    program: Arc<interpreter::Program>,
}

/// The vertices of a draw.
struct Vertices {
    attributes: Vec<Attribute>,
    order: VertexOrder,
    /// Invocations of the vertex shader.
    count: u32,
}

/// A draw in the making: what is left to run, and what has run.
struct Draw<'p> {
    stages: Stages<'p>,
    decoded: Vec<Decoded<'p>>,
    filled: AllFilled,
    vertices: Vertices,
    outputs: Vec<Slot>,
    state: DrawState,
    before: Vec<Before>,
    call: DrawCall,
    options: interpreter::Options,
    limit: Duration,
}

/// A stage of a draw at its start, and the lane that was asked for.
type Started = (Machine, (u32, u32));

/// What a stage hands to the next one.
enum Passed {
    Nothing,
    Stream(Arc<Stream>),
    Launches(Vec<MeshLaunch>),
}

impl Launch {
    /// Places the shaders of a graphics pipeline on the fixed scene (see [`super::super::scene`]): four samples for each
    /// pixel, without culling, depth test and blending, where no description says otherwise. The stages before the one that is asked for run here. The program
    /// has its specialization constants set.
    ///
    /// # Errors
    /// [`GpuError::Unsupported`] with the stage or the instruction that the interpreter does not implement; a pixel that
    /// no fragment covers; what [`Launch::new`] fails with; stages that do not end within `limit` or the steps of the
    /// options.
    pub fn draw(
        program: &Program,
        call: DrawCall,
        inputs: &Inputs,
        options: interpreter::Options,
        limit: Duration,
    ) -> Result<Launch, GpuError> {
        let mut draw = Draw::new(program, call, inputs, options, limit)?;
        let mut passed = Passed::Nothing;
        for at in 0..draw.decoded.len() {
            let Decoded { kind, entry, program } = &draw.decoded[at];
            let (kind, entry, program) = (*kind, (*entry).to_owned(), Arc::clone(program));
            if kind == StageKind::Fragment {
                break;
            }
            let before = std::mem::replace(&mut passed, Passed::Nothing);
            let (machine, chosen) = draw.stage(program, before, inputs)?;
            if call.place.stage() == Some(kind) {
                return Ok(draw.launched(machine, entry, inputs, chosen));
            }
            let ran = draw.finish(&machine, kind, entry, inputs)?;
            passed = match kind {
                StageKind::Task => Passed::Launches(ran.mesh_launches()),
                _ => Passed::Stream(Stream::of(&ran).map_err(not_launched)?),
            };
        }
        draw.fragments(passed, inputs)
    }
}

impl<'p> Draw<'p> {
    fn new(
        program: &'p Program,
        call: DrawCall,
        inputs: &Inputs,
        options: interpreter::Options,
        limit: Duration,
    ) -> Result<Draw<'p>, GpuError> {
        let all = Stages::of(program, &GRAPHICS)?;
        let present = |kind| all.get(kind).is_some();
        let kinds: Vec<StageKind> = all.all.iter().map(|(kind, ..)| *kind).collect();
        check_order(&kinds)?;
        let needed = call.place.stage().unwrap_or(StageKind::Fragment);
        let first = if present(StageKind::Mesh) { StageKind::Mesh } else { StageKind::Vertex };
        for needed in [first, needed] {
            if !present(needed) {
                let why = match call.place.stage() {
                    Some(_) => format!("a {needed} shader is needed"),
                    None => format!("drawing needs a {needed} shader: load one together with the other stages"),
                };
                return Err(GpuError::Unusable(why));
            }
        }
        // In the order of the pipeline.
        let mut stages = Stages { all: Vec::new() };
        for kind in GRAPHICS {
            stages.all.extend(all.all.iter().filter(|(stage, ..)| *stage == kind));
        }
        if let Some((_, _, entry)) = stages.all.iter().find(|(_, module, _)| takes_addresses(module)) {
            let why =
                format!("`{}` uses buffer device addresses from its inputs, which a run cannot provide", entry.name);
            return Err(GpuError::NotRun(why));
        }
        // An instruction that is not implemented is an error before anything runs.
        let mut decoded = Vec::new();
        for (kind, module, entry) in stages.all.iter().copied() {
            decoded.push(Decoded { kind, entry: &entry.name, program: decode(module, entry)? });
        }
        let mut filled = fill(&Resources::of(&stages.entries())?, inputs)?;
        let slots = stages.slots(StageKind::Vertex, StorageClass::Input, &BITS)?;
        let can_be = |location: &u32| slots.iter().any(|slot| slot.location == *location && position::can_be(slot));
        let position = inputs.position.filter(can_be).or_else(|| position::position_of(program));
        let outputs = stages.slots(StageKind::Fragment, StorageClass::Output, &BITS)?;
        let draw = &inputs.draw;
        let reads_vertices = stages.get(StageKind::Vertex).is_some();
        if let Some(given) = draw.of_vertex_input().filter(|_| !reads_vertices) {
            return Err(GpuError::Unusable(no_vertex_input(given)));
        }
        filled.listed.extend(draw.rows(reads_vertices.then_some(given_vertices::SCENE), SIDE));
        let state = DrawState::of(program.pipeline.as_deref(), &stages, &outputs, draw)?;
        let restarts = given_vertices::restarts(draw, program.pipeline.as_deref(), state.is_strip());
        given_vertices::check(draw, &slots, restarts)?;
        let order = given_vertices::order(draw, restarts);
        let count = given_vertices::invocations(draw, &order);
        let attribute = |slot: &Slot| match &draw.vertices {
            Some(vertices) => given_vertices::attribute(vertices, slot, &order, count),
            None => attribute(slot, position, inputs.fill, &order),
        };
        let attributes = slots.iter().map(attribute).collect();
        let vertices = Vertices { attributes, order, count };
        Ok(Draw { stages, decoded, filled, vertices, outputs, state, before: Vec::new(), call, options, limit })
    }

    /// A stage at its start.
    fn stage(
        &mut self,
        program: Arc<interpreter::Program>,
        before: Passed,
        given: &Inputs,
    ) -> Result<Started, GpuError> {
        let (wave, place) = (self.call.wave, self.call.place);
        // A wave by the number of an invocation, and the lane.
        let placed = |number: u32| (Some(number / wave.max(1)), (0, number % wave.max(1)));
        let (inputs, options) = (&self.filled.inputs, &self.options);
        let (machine, chosen) = match program.stage() {
            StageKind::Vertex => {
                let count = self.vertices.count;
                let (only, chosen) = match place {
                    DrawPlace::Vertex(at) if at >= count => {
                        return Err(GpuError::Unusable(format!(
                            "vertex {at}: the {} has {count} vertices",
                            if given.draw.is_scene() { "scene" } else { "draw" }
                        )));
                    }
                    DrawPlace::Vertex(at) => placed(at),
                    _ => (None, (0, 0)),
                };
                let attributes = std::mem::take(&mut self.vertices.attributes);
                let order = std::mem::take(&mut self.vertices.order);
                let call = VertexCall { count, topology: self.topology(), attributes, order, wave, only };
                (Machine::vertices(program, inputs, call, options), chosen)
            }
            StageKind::Task | StageKind::Mesh => return self.workgroups(program, before, given),
            stage => {
                let Passed::Stream(input) = before else {
                    return Err(GpuError::Unusable("a vertex shader is needed".to_owned()));
                };
                let primitives = input.primitives();
                let within = |what: &str, number: u32, count: u32| match number < count {
                    true => Ok(()),
                    false => Err(GpuError::Unusable(format!("{what} {number}: there are {count}"))),
                };
                let (only, chosen) = match place {
                    DrawPlace::Primitive { primitive, invocation } if stage == StageKind::Geometry => {
                        within("primitive", primitive, primitives)?;
                        within("invocation", invocation, program.invocations())?;
                        let number = primitive.checked_mul(program.invocations());
                        let number = number.and_then(|first| first.checked_add(invocation)).ok_or_else(|| {
                            GpuError::Unusable(format!("primitive {primitive}: more than 2^32 invocations before it"))
                        })?;
                        placed(number)
                    }
                    DrawPlace::Patch { patch, invocation } if stage == StageKind::TessControl => {
                        within("patch", patch, primitives)?;
                        within("invocation", invocation, program.local_size()[0])?;
                        (Some(patch), (invocation / wave.max(1), invocation % wave.max(1)))
                    }
                    DrawPlace::Point(point) if stage == StageKind::TessEval => placed(point),
                    _ => (None, (0, 0)),
                };
                let call = StageCall { input, wave, only };
                let machine = match stage {
                    StageKind::TessControl => Machine::control(program, inputs, call, options),
                    StageKind::TessEval => Machine::evaluation(program, inputs, call, options),
                    _ => Machine::geometry(program, inputs, call, options),
                };
                if let (DrawPlace::Point(point), Ok(machine)) = (place, &machine)
                    && stage == StageKind::TessEval
                {
                    within("tessellated point", point, machine.tessellated_points())?;
                }
                (machine, chosen)
            }
        };
        Ok((machine.map_err(not_launched)?, chosen))
    }

    /// A task or mesh shader at its start.
    fn workgroups(
        &self,
        program: Arc<interpreter::Program>,
        before: Passed,
        given: &Inputs,
    ) -> Result<Started, GpuError> {
        let stage = program.stage();
        let (module, entry) =
            self.stages.get(stage).ok_or_else(|| GpuError::Unusable(format!("a {stage} shader is needed")))?;
        let lanes = Waves::row_major(self.call.wave, program.local_size()).lanes;
        let (inputs, options) = (&self.filled.inputs, &self.options);
        let of_draw = || {
            let resources = Resources::of(&[(module, entry)])?;
            Ok::<_, GpuError>(dispatch_of((module, entry), self.call.groups, &resources, given).groups)
        };
        if stage == StageKind::Task {
            let groups = of_draw()?;
            let dispatch = interpreter::Dispatch { groups, only: None, lanes };
            let mut machine = Machine::tasks(program, inputs, &dispatch, options).map_err(not_launched)?;
            if let DrawPlace::Task(group) = self.call.place {
                expect_workgroup("task workgroup", group, groups)?;
                focus(&mut machine, group, &entry.name)?;
            }
            return Ok((machine, (0, 0)));
        }
        let launches = match before {
            Passed::Launches(launches) => launches,
            _ => vec![MeshLaunch { groups: of_draw()?, payload: Vec::new() }],
        };
        let groups = match launches.as_slice() {
            [one] => one.groups,
            all => {
                let count =
                    all.iter().map(|launch| grid::saturating_volume(launch.groups)).fold(0, u64::saturating_add);
                [u32::try_from(count).unwrap_or(u32::MAX), 1, 1]
            }
        };
        let stepped = match self.call.place {
            DrawPlace::Mesh(group) => Some(group),
            _ => None,
        };
        if let Some(group) = stepped {
            expect_workgroup("mesh workgroup", group, groups)?;
        }
        let machine = Machine::mesh(program, inputs, MeshCall { launches, lanes }, options);
        let mut machine = machine.map_err(not_launched)?;
        if let Some(group) = stepped {
            focus(&mut machine, group, &entry.name)?;
        }
        Ok((machine, (0, 0)))
    }

    /// What the vertices form.
    fn topology(&self) -> Topology {
        if self.stages.get(StageKind::TessControl).is_some() {
            return Topology::Patches(self.state.patch_vertices);
        }
        let geometry = self.decoded.iter().find_map(|stage| stage.program.input_topology());
        geometry.or(self.state.topology).unwrap_or(Topology::TriangleList)
    }

    /// Runs a stage to its end, and keeps what it has found and written.
    fn finish(
        &mut self,
        machine: &Machine,
        stage: StageKind,
        entry: String,
        inputs: &Inputs,
    ) -> Result<Machine, GpuError> {
        let ran = finish(machine, &entry, Instant::now(), self.limit)?;
        if !ran.is_finished() {
            let steps = self.options.max_steps;
            return Err(GpuError::NotRun(format!("`{entry}`: the {stage} shader does not end within {steps} steps")));
        }
        self.before.push(Before {
            stage,
            entry,
            findings: findings(&ran, &inputs.names),
            waves: grid::saturating_volume(ran.groups()),
            steps: ran.steps(),
            lane_steps: ran.lane_steps(),
        });
        self.filled.take(&ran);
        Ok(ran)
    }

    /// The fragments at their start.
    fn fragments(mut self, before: Passed, inputs: &Inputs) -> Result<Launch, GpuError> {
        let last = self.decoded.pop().filter(|stage| stage.kind == StageKind::Fragment);
        let (Some(Decoded { entry, program, .. }), Passed::Stream(stream)) = (last, before) else {
            return Err(GpuError::Unusable("a fragment shader is needed".to_owned()));
        };
        let (samples, sample_mask) = (self.state.samples, self.state.sample_mask);
        let draw = &inputs.draw;
        let size = draw.size(SIDE);
        let view = draw.viewport.map(|Viewport { at, size, depth }| View { at, size, depth });
        let (bias, test) = (self.state.bias, self.state.test);
        let clear_depth = draw.clear(None).map_or(CLEAR_DEPTH, |[depth, ..]| f32::from_bits(depth));
        let depth = (writes_depth(&self.stages) || test.is_some() || gives_depth(draw)).then_some(clear_depth);
        let rows = attachments(&self.outputs, depth.is_some(), (size, samples));
        contents::check_read_back(rows.iter().map(|row| row.bytes).sum())?;
        let contents = held(draw, &rows, &self.state)?;
        let picture = Picture { size, view };
        let primitives = stream.primitives();
        let raster = Raster::within(stream, &program, picture, samples, self.state.faces).map_err(not_launched)?;
        let wave = self.call.wave;
        let (only, lane) = match self.call.place {
            DrawPlace::Pixel(pixel) => {
                let number = covering(&raster, pixel, primitives)?;
                (Some(number / wave.max(1)), number % wave.max(1))
            }
            _ => (None, 0),
        };
        let color =
            |slot: &Slot| attachment(slot, self.state.colors.get(&slot.location), draw.clear(Some(slot.location)));
        let colors = self.outputs.iter().map(color).collect();
        let raster_of = Arc::clone(&raster);
        let call = FragmentCall { raster: raster_of, colors, contents, depth, bias, test, sample_mask, wave, only };
        let machine = Machine::fragments(program, &self.filled.inputs, call, &self.options).map_err(not_launched)?;
        let launch = self.launched(machine, entry.to_owned(), inputs, (0, lane));
        Ok(Launch { attachments: rows, raster: Some(raster), ..launch })
    }

    fn launched(self, machine: Machine, entry: String, inputs: &Inputs, chosen: (u32, u32)) -> Launch {
        let waves = machine.lane_map();
        let lanes = LaneMap { subgroup_size: waves.first().map_or(1, Vec::len) as u32, waves };
        let how = match machine.program().stage() {
            StageKind::Fragment => "2×2 quads in the order of triangles".to_owned(),
            StageKind::TessControl | StageKind::Task | StageKind::Mesh => "row-major".to_owned(),
            stage => format!("consecutive {}", invocations_of(stage)),
        };
        let mut order_dependent = Vec::new();
        for why in self.stages.all.iter().flat_map(|(_, module, entry)| order_dependence(module, entry)) {
            if !order_dependent.contains(&why) {
                order_dependent.push(why);
            }
        }
        Launch {
            entry,
            dispatch: Dispatch { groups: machine.groups(), reason: "the waves of a draw".to_owned() },
            waves: Waves { lanes, how },
            names: inputs.names.clone(),
            raster: None,
            chosen,
            buffers: self.filled.buffers,
            images: self.filled.images,
            listed: self.filled.listed,
            attachments: Vec::new(),
            order_dependent,
            before: self.before,
            carried: Arc::new(self.filled.inputs),
            described: self.state.described,
            machine,
        }
    }
}

/// The values of an attribute, as its format gives them to the shader.
fn attribute(slot: &Slot, position: Option<u32>, seed: u64, order: &VertexOrder) -> Attribute {
    let place = (Some(slot.location) == position).then_some(slot.components == 4);
    let one = match slot.kind {
        ScalarKind::Float => 1f32.to_bits(),
        _ => 1,
    };
    let of = |vertex: usize| {
        let values = scene::values(vertex, slot.location, slot.kind, place, seed);
        let mut out = [0, 0, 0, one];
        for (out, value) in out.iter_mut().zip(values).take(slot.components as usize) {
            *out = scene::word(slot.kind, value);
        }
        out
    };
    let values = match order.places.as_slice() {
        [] => (0..VERTICES.len()).map(of).collect(),
        places => places.iter().map(|[vertex, _]| of(*vertex as usize)).collect(),
    };
    Attribute { location: slot.location, values }
}

/// The number of the last fragment that covers a pixel.
fn covering(raster: &Raster, pixel: Option<[u32; 2]>, primitives: u32) -> Result<u32, GpuError> {
    let nothing = || {
        let why = match primitives {
            0 => "the draw has no primitives".to_owned(),
            1 => "the primitive of the draw is culled, outside of the picture or between the samples".to_owned(),
            all => {
                format!("all {all} primitives of the draw are culled, outside of the picture or between the samples")
            }
        };
        GpuError::Unusable(format!("no fragment covers a pixel: {why}"))
    };
    let [width, height] = raster.size();
    let middle = [width / 2, height / 2];
    let chosen = match pixel {
        Some(pixel) => pixel,
        None if raster.at(middle).is_empty() => raster.first_pixel().ok_or_else(nothing)?,
        None => middle,
    };
    let [x, y] = chosen;
    if x >= width || y >= height {
        return Err(GpuError::Unusable(format!("pixel {x},{y}: the picture has {width}×{height} pixels")));
    }
    if let Some(last) = raster.at(chosen).last() {
        return Ok(last.number);
    }
    let [fx, fy] = raster.first_pixel().ok_or_else(nothing)?;
    let count = raster.covered_pixels();
    Err(GpuError::Unusable(format!(
        "pixel {x},{y}: no fragment covers it; {} covered, the first one is {fx},{fy}",
        if count == 1 { "1 pixel is".to_owned() } else { format!("{count} pixels are") }
    )))
}
