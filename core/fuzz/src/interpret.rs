//! The interpreter: unvalidated SPIR-V decoded and run, with a debugger on it.

use std::sync::{Arc, OnceLock};

use lanescope_core::interpreter::debugger::Debugger;
use lanescope_core::interpreter::draw::{
    Attribute, ColorAttachment, FragmentCall, Raster, Stream, Topology, VertexCall,
};
use lanescope_core::interpreter::{
    Buffer, Checks, Dispatch, Image, Inputs, LaneMap, Machine, Options, Outcome, Program, Sampler,
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

/// A word of options, then a module's words: each compute entry point runs, forwards and back; the first vertex and
/// fragment entry points draw two triangles.
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
    if let Some(vertex) = first(StageKind::Vertex) {
        draw(vertex, first(StageKind::Fragment), wave, &options);
    } else if let Some(fragment) = first(StageKind::Fragment) {
        draw(own_vertex(), Some(fragment), wave, &options);
    }
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

fn draw(vertex: Arc<Program>, fragment: Option<Arc<Program>>, wave: u32, options: &Options) {
    let corners = [[-1.0, -1.0], [1.0, -1.5], [0.5, 1.0], [0.0, 0.0], [3.0, 0.5], [-0.5, 0.75]];
    let values: Vec<[u32; 4]> = corners.iter().map(|[x, y]: &[f32; 2]| [*x, *y, 0.5, 1.0].map(f32::to_bits)).collect();
    let attributes = (0..4).map(|location| Attribute { location, values: values.clone() }).collect();
    let call =
        VertexCall { count: corners.len() as u32, topology: Topology::TriangleList, attributes, wave, only: None };
    let Ok(mut machine) = Machine::vertices(vertex, &inputs(), call, options) else { return };
    let ended = machine.run() == Outcome::Finished;
    let Some(fragment) = fragment.filter(|_| ended) else { return };
    for samples in [1, 4] {
        let Ok(stream) = Stream::of(&machine) else { return };
        let Ok(raster) = Raster::new(stream, &fragment, [SIDE; 2], samples) else { continue };
        let colors = (0..2).map(|location| ColorAttachment { location, clear: [0; 4] }).collect();
        let call = FragmentCall { raster, colors, depth: Some(1.0), wave, only: None };
        if let Ok(machine) = Machine::fragments(Arc::clone(&fragment), &inputs(), call, options) {
            step(machine);
        }
    }
}

/// A vertex shader that passes its attributes on.
fn own_vertex() -> Arc<Program> {
    static OWN: OnceLock<Arc<Program>> = OnceLock::new();
    Arc::clone(OWN.get_or_init(compiled_vertex))
}

fn compiled_vertex() -> Arc<Program> {
    let text = b"#version 450\nlayout(location = 0) in vec4 a; layout(location = 1) in vec4 b;\n\
        layout(location = 0) out vec4 c; layout(location = 1) out vec4 d;\n\
        void main() { gl_Position = a; c = b; d = a; }";
    let program = crate::programs::program("a.vert", text).unwrap_or_else(|error| panic!("{error}"));
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
