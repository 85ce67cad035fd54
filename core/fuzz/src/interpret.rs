//! The interpreter: unvalidated SPIR-V decoded and run, with a debugger on it.

use std::sync::{Arc, OnceLock};

use lanescope_core::interpreter::debugger::Debugger;
use lanescope_core::interpreter::draw::{
    Attribute, Blend, BlendOp, ColorAttachment, DepthTest, Faces, Factor, FragmentCall, MeshCall, MeshLaunch, Raster,
    StageCall, Stream, Topology, VertexCall, VertexOrder,
};
use lanescope_core::interpreter::{
    Buffer, Checks, Compare, Dispatch, Image, Inputs, LaneMap, Machine, Options, Outcome, Program, Sampler,
};
use lanescope_core::program::StageKind;
use lanescope_core::spirv::Module;
use lanescope_core::spirv::enums::ImageFormat;

/// Instructions of a run. Memory bounds what one of them may take.
const STEPS: u64 = 2000;
/// Bytes of registers, buffers and race detection.
const MEMORY: u64 = 4 << 20;
/// Entry points that run.
const ENTRIES: usize = 4;
/// Width and height of a picture.
const SIDE: u32 = 8;

/// A word of options, then a module's words: each compute entry point runs, forwards and back; the first entry points of
/// graphics stages draw six vertices, or some workgroups.
pub fn words(data: &[u8]) {
    let (words, _) = data.as_chunks::<4>();
    let mut words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
    if words.is_empty() {
        return;
    }
    let chosen = words.remove(0);
    let Ok(module) = Module::parse(words) else { return };
    let wave = [4, 8, 32, 64][chosen as usize % 4];
    let has = |bit: u32| chosen >> bit & 1 == 0;
    let checks = Checks { races: has(2), uninitialized: has(3), nan: has(4) };
    let options = Options { max_steps: STEPS, max_memory: MEMORY, checks };
    let entries = module.entry_points();
    for entry in entries.iter().filter(|entry| entry.stage == Some(StageKind::Compute)).take(ENTRIES) {
        let Ok(program) = Program::decode(&module, entry) else { continue };
        let invocations = program.local_size().iter().map(|&side| u64::from(side)).fold(1, u64::saturating_mul);
        let lanes = LaneMap::linear(wave, u32::try_from(invocations).unwrap_or(u32::MAX).min(1 << 12));
        let dispatch = Dispatch { groups: [2, 1, 1], only: None, lanes };
        if let Ok(machine) = Machine::new(Arc::new(program), &inputs(), &dispatch, &options) {
            step(machine);
        }
    }
    let first = |kind| {
        let entry = entries.iter().find(|entry| entry.stage == Some(kind))?;
        Program::decode(&module, entry).ok().map(Arc::new)
    };
    let pipeline = Pipeline {
        vertex: first(StageKind::Vertex),
        control: first(StageKind::TessControl),
        evaluation: first(StageKind::TessEval),
        geometry: first(StageKind::Geometry),
        task: first(StageKind::Task),
        mesh: first(StageKind::Mesh),
        fragment: first(StageKind::Fragment),
    };
    let factor = |shift: u32| Factor::from_vulkan((chosen >> shift & 15) as i32).unwrap_or(Factor::One);
    let blend = Blend {
        color: [factor(12), factor(16)],
        color_op: BlendOp::Add,
        alpha: [factor(20), factor(24)],
        alpha_op: BlendOp::Max,
        constants: [0.5; 4],
    };
    let topology = TOPOLOGIES[(chosen >> 8) as usize % TOPOLOGIES.len()];
    let draw = Draw { wave, topology, blend: has(5).then_some(blend), options };
    _ = draw.vertices(&pipeline);
    _ = draw.workgroups(&pipeline);
}

/// Runs to the end, goes back, and comes to the same end again.
fn step(machine: Machine) {
    let mut debugger = Debugger::with_snapshots(machine, 64, 1 << 20);
    debugger.resume();
    let end = debugger.position();
    let state = (debugger.waves(), debugger.machine().events().to_vec());
    debugger.back(end / 2 + 1);
    debugger.seek(end);
    assert!(state == (debugger.waves(), debugger.machine().events().to_vec()), "going back changes the run");
}

/// What vertices form where no stage says it.
const TOPOLOGIES: [Topology; 6] = [
    Topology::TriangleList,
    Topology::TriangleStrip,
    Topology::TriangleFan,
    Topology::LineList,
    Topology::LineStrip,
    Topology::PointList,
];

/// The first entry point of each stage that can be decoded.
struct Pipeline {
    vertex: Option<Arc<Program>>,
    control: Option<Arc<Program>>,
    evaluation: Option<Arc<Program>>,
    geometry: Option<Arc<Program>>,
    task: Option<Arc<Program>>,
    mesh: Option<Arc<Program>>,
    fragment: Option<Arc<Program>>,
}

/// A draw of six vertices, or of some workgroups.
struct Draw {
    wave: u32,
    topology: Topology,
    blend: Option<Blend>,
    options: Options,
}

impl Draw {
    /// The stages from vertices on. Stages that are missing between those that are there are own ones.
    fn vertices(&self, pipeline: &Pipeline) -> Option<()> {
        let Pipeline { vertex, control, evaluation, geometry, fragment, .. } = pipeline;
        let any = [vertex, control, evaluation, geometry, fragment].into_iter().any(Option::is_some);
        if !any || (pipeline.mesh.is_some() && vertex.is_none()) {
            return None;
        }
        let tessellates = control.is_some() || evaluation.is_some();
        let topology = match geometry.as_ref().and_then(|geometry| geometry.input_topology()) {
            _ if tessellates => Topology::Patches(3),
            Some(topology) => topology,
            None => self.topology,
        };
        let corners = [[-1.0, -1.0], [1.0, -1.5], [0.5, 1.0], [0.0, 0.0], [3.0, 0.5], [-0.5, 0.75]];
        let values: Vec<[u32; 4]> =
            corners.iter().map(|[x, y]: &[f32; 2]| [*x, *y, 0.5, 1.0].map(f32::to_bits)).collect();
        let attributes = (0..4).map(|location| Attribute { location, values: values.clone() }).collect();
        let call = VertexCall {
            count: corners.len() as u32,
            topology,
            attributes,
            order: VertexOrder::default(),
            wave: self.wave,
            only: None,
        };
        let vertex = vertex.clone().unwrap_or_else(|| own("vert"));
        let mut stream = self.stream(Machine::vertices(vertex, &inputs(), call, &self.options).ok()?)?;
        if tessellates {
            let control = control.clone().unwrap_or_else(|| own("tesc"));
            stream = self.stream(Machine::control(control, &inputs(), self.call(stream), &self.options).ok()?)?;
            let evaluation = evaluation.clone().unwrap_or_else(|| own("tese"));
            stream = self.stream(Machine::evaluation(evaluation, &inputs(), self.call(stream), &self.options).ok()?)?;
        }
        if let Some(geometry) = geometry.clone() {
            stream = self.stream(Machine::geometry(geometry, &inputs(), self.call(stream), &self.options).ok()?)?;
        }
        self.fragments(stream, fragment)
    }

    /// Task and mesh shaders, and fragments.
    fn workgroups(&self, pipeline: &Pipeline) -> Option<()> {
        let lanes = |program: &Program| {
            let count = program.local_size().iter().map(|&side| u64::from(side)).fold(1, u64::saturating_mul);
            LaneMap::linear(self.wave, u32::try_from(count).unwrap_or(u32::MAX).min(1 << 12))
        };
        let mut launches = vec![MeshLaunch { groups: [2, 1, 1], payload: Vec::new() }];
        if let Some(task) = pipeline.task.clone() {
            let dispatch = Dispatch { groups: [2, 1, 1], only: None, lanes: lanes(&task) };
            let machine = Machine::tasks(task, &inputs(), &dispatch, &self.options).ok()?;
            launches = self.finished(machine)?.mesh_launches();
        }
        let mesh = pipeline.mesh.clone()?;
        let call = MeshCall { launches, lanes: lanes(&mesh) };
        let stream = self.stream(Machine::mesh(mesh, &inputs(), call, &self.options).ok()?)?;
        self.fragments(stream, &pipeline.fragment)
    }

    fn call(&self, input: Arc<Stream>) -> StageCall {
        StageCall { input, wave: self.wave, only: None }
    }

    /// Steps a machine, and runs it to its end.
    fn finished(&self, mut machine: Machine) -> Option<Machine> {
        step(machine.clone());
        (machine.run() == Outcome::Finished).then_some(machine)
    }

    fn stream(&self, machine: Machine) -> Option<Arc<Stream>> {
        Stream::of(&self.finished(machine)?).ok()
    }

    fn fragments(&self, stream: Arc<Stream>, fragment: &Option<Arc<Program>>) -> Option<()> {
        let fragment = fragment.clone().unwrap_or_else(|| own("frag"));
        for samples in [1, 4] {
            let raster = Raster::new(Arc::clone(&stream), &fragment, [SIDE; 2], samples, Faces::default()).ok()?;
            let colors = (0..2)
                .map(|location| ColorAttachment { blend: self.blend, ..ColorAttachment::plain(location, [0; 4]) });
            let test = Some(DepthTest { compare: Compare::LessOrEqual, write: samples == 4 });
            let (colors, depth, wave) = (colors.collect(), Some(1.0), self.wave);
            let call = FragmentCall {
                raster,
                colors,
                contents: Vec::new(),
                depth,
                bias: None,
                test,
                sample_mask: 13,
                wave,
                only: None,
            };
            if let Ok(machine) = Machine::fragments(Arc::clone(&fragment), &inputs(), call, &self.options) {
                step(machine);
            }
        }
        Some(())
    }
}

/// Shaders for stages that a module lacks: they pass on what they get.
const OWN: [(&str, &str); 4] = [
    (
        "vert",
        "layout(location = 0) in vec4 a; layout(location = 1) in vec4 b;
        layout(location = 0) out vec4 c; layout(location = 1) out vec4 d;
        void main() { gl_Position = a; c = b; d = a; }",
    ),
    (
        "tesc",
        "layout(vertices = 3) out; layout(location = 0) in vec4 a[]; layout(location = 0) out vec4 b[];
        void main() { b[gl_InvocationID] = a[gl_InvocationID];
        gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
        gl_TessLevelOuter[gl_InvocationID] = 2.0; gl_TessLevelOuter[3] = 2.0;
        gl_TessLevelInner[0] = 3.0; gl_TessLevelInner[1] = 2.0; }",
    ),
    (
        "tese",
        "layout(triangles) in; layout(location = 0) in vec4 a[]; layout(location = 0) out vec4 b;
        void main() { b = a[0]; gl_Position = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * gl_in[1].gl_Position
        + gl_TessCoord.z * gl_in[2].gl_Position; }",
    ),
    ("frag", "layout(location = 0) in vec4 a; layout(location = 0) out vec4 b; void main() { b = a + dFdx(a); }"),
];

/// The own shader of a stage.
fn own(stage: &str) -> Arc<Program> {
    static ALL: OnceLock<Vec<Arc<Program>>> = OnceLock::new();
    let all = ALL.get_or_init(|| OWN.iter().map(|(stage, text)| compiled(stage, text)).collect());
    let at = OWN.iter().position(|(name, _)| *name == stage).unwrap_or(0);
    Arc::clone(&all[at])
}

fn compiled(stage: &str, text: &str) -> Arc<Program> {
    let (name, text) = (format!("a.{stage}"), format!("#version 450\n{text}"));
    let program = crate::programs::program(&name, text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    let module = &program.modules[0].module;
    Arc::new(Program::decode(module, &module.entry_points()[0]).unwrap_or_else(|error| panic!("{error}")))
}

/// Small buffers, an image and a sampler at the first bindings of the first sets.
fn inputs() -> Inputs {
    let mut inputs = Inputs { push_constants: vec![3; 64], ..Inputs::default() };
    for set in 0..2 {
        for binding in 0..4 {
            let address = Some(u64::from(1 + set * 4 + binding) << 32);
            inputs.buffers.push(Buffer { set, binding, element: 0, bytes: vec![set as u8 + 1; 64], address });
        }
        for binding in 0..4 {
            let texels = vec![7; 4 * 4 * 4];
            let format = ImageFormat::Rgba8;
            let (size, layers, levels) = ([4, 4, 1], 1, 1);
            inputs.images.push(Image { set, binding, element: 0, format, size, layers, levels, texels });
            inputs.samplers.push(Sampler { set, binding, mag_linear: true, ..Sampler::default() });
        }
    }
    inputs
}
