//! Draws: vertices, coverage, quads with helper invocations, attachments.

use std::sync::Arc;

use lanescope_interpreter::debugger::Debugger;
use lanescope_interpreter::draw::{
    Attribute, ColorAttachment, Faces, FragmentCall, Raster, Stream, Topology, VertexCall, VertexOrder,
};
use lanescope_interpreter::{
    Buffer, DecodeError, EventKind, Inputs, LaunchError, LoggedKind, Machine, Options, Outcome, Program,
};

use crate::support::assemble;
use lanescope_spirv::Module;

pub(crate) const SIDE: u32 = 8;
const CLEAR: [u32; 4] = [7, 7, 7, 7];

pub(crate) const TYPES: &str = "%void = OpTypeVoid
    %bool = OpTypeBool
    %uint = OpTypeInt 32 0
    %int = OpTypeInt 32 1
    %float = OpTypeFloat 32
    %v2float = OpTypeVector %float 2
    %v3float = OpTypeVector %float 3
    %v4float = OpTypeVector %float 4
    %in_v4float = OpTypePointer Input %v4float
    %in_v3float = OpTypePointer Input %v3float
    %in_v2float = OpTypePointer Input %v2float
    %in_uint = OpTypePointer Input %uint
    %out_v4float = OpTypePointer Output %v4float
    %out_v2float = OpTypePointer Output %v2float
    %out_uint = OpTypePointer Output %uint
    %fn_void = OpTypeFunction %void";

/// Copies the position and a vector, and writes the number of the vertex.
pub(crate) fn vertex() -> Module {
    let text = format!(
        "OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint Vertex %main \"main\" %position %given %number %to %varying %flat
        OpDecorate %position Location 0
        OpDecorate %given Location 1
        OpDecorate %number BuiltIn VertexIndex
        OpDecorate %to BuiltIn Position
        OpDecorate %varying Location 0
        OpDecorate %flat Location 1
        {TYPES}
        %position = OpVariable %in_v4float Input
        %given = OpVariable %in_v2float Input
        %number = OpVariable %in_uint Input
        %to = OpVariable %out_v4float Output
        %varying = OpVariable %out_v2float Output
        %flat = OpVariable %out_uint Output
        %main = OpFunction %void None %fn_void
        %entry = OpLabel
        %a = OpLoad %v4float %position
        OpStore %to %a
        %b = OpLoad %v2float %given
        OpStore %varying %b
        %c = OpLoad %uint %number
        OpStore %flat %c
        OpReturn
        OpFunctionEnd"
    );
    assemble(&text)
}

fn decoded(module: &Module) -> Arc<Program> {
    Arc::new(Program::decode(module, &module.entry_points()[0]).unwrap_or_else(|error| panic!("{error}")))
}

/// A fragment shader with the input `%v` (two floats), the flat `%number`, the pixel's `%x` and `%y`, and the output
/// `%color`.
fn fragment(body: &str) -> Arc<Program> {
    decoded(&fragment_module(body))
}

fn fragment_module(body: &str) -> Module {
    let text = format!(
        "OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint Fragment %main \"main\" %varying %flat %coord %color
        OpExecutionMode %main OriginUpperLeft
        OpDecorate %varying Location 0
        OpDecorate %flat Location 1
        OpDecorate %flat Flat
        OpDecorate %coord BuiltIn FragCoord
        OpDecorate %color Location 0
        OpDecorate %words ArrayStride 4
        OpMemberDecorate %block 0 Offset 0
        OpDecorate %block Block
        OpDecorate %out DescriptorSet 0
        OpDecorate %out Binding 0
        {TYPES}
        %varying = OpVariable %in_v2float Input
        %flat = OpVariable %in_uint Input
        %coord = OpVariable %in_v4float Input
        %color = OpVariable %out_v4float Output
        %words = OpTypeRuntimeArray %uint
        %block = OpTypeStruct %words
        %ptr_block = OpTypePointer StorageBuffer %block
        %ptr_word = OpTypePointer StorageBuffer %uint
        %out = OpVariable %ptr_block StorageBuffer
        %main = OpFunction %void None %fn_void
        %entry = OpLabel
        %v = OpLoad %v2float %varying
        %number = OpLoad %uint %flat
        %at = OpLoad %v4float %coord
        %x = OpCompositeExtract %float %at 0
        %y = OpCompositeExtract %float %at 1
        {body}
        OpReturn
        OpFunctionEnd"
    );
    assemble(&text)
}

/// The picture's square, and a triangle over its left lower half; the vector is the position.
pub(crate) fn vertices() -> Vec<[f32; 4]> {
    let at = |x: f32, y: f32| [x, y, 0.5, 1.0];
    let (a, b, c, d) = (at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0));
    vec![a, b, c, a, c, d]
}

fn drawn(vertices: &[[f32; 4]], wave: u32) -> (Machine, Inputs) {
    let bits = |values: Vec<[f32; 4]>| values.iter().map(|v| v.map(f32::to_bits)).collect::<Vec<_>>();
    let attributes = vec![
        Attribute { location: 0, values: bits(vertices.to_vec()) },
        Attribute { location: 1, values: bits(vertices.iter().map(|v| [v[0], v[1], 0.0, 1.0]).collect()) },
    ];
    let inputs = Inputs { buffers: vec![Buffer { bytes: vec![0; 256], ..Buffer::default() }], ..Inputs::default() };
    let call = VertexCall {
        count: vertices.len() as u32,
        topology: Topology::TriangleList,
        attributes,
        order: VertexOrder::default(),
        wave,
        only: None,
    };
    let mut machine = Machine::vertices(decoded(&vertex()), &inputs, call, &Options::default()).expect("a machine");
    assert_eq!(machine.run(), Outcome::Finished);
    (machine, inputs)
}

fn launch(vertices: &[[f32; 4]], program: &Arc<Program>, wave: u32, samples: u32) -> Result<Machine, LaunchError> {
    let (machine, inputs) = drawn(vertices, wave);
    let raster = Raster::new(Stream::of(&machine)?, program, [SIDE; 2], samples, Faces::default())?;
    let colors = vec![ColorAttachment::plain(0, CLEAR)];
    let call = FragmentCall {
        raster,
        colors,
        contents: Vec::new(),
        depth: None,
        bias: None,
        test: None,
        sample_mask: u32::MAX,
        wave,
        only: None,
    };
    Machine::fragments(Arc::clone(program), &inputs, call, &Options::default())
}

pub(crate) fn run(vertices: &[[f32; 4]], program: &Arc<Program>, wave: u32) -> Machine {
    let mut machine = launch(vertices, program, wave, 1).expect("a machine");
    assert_eq!(machine.run(), Outcome::Finished);
    machine
}

/// By pixel: the components of the attachment.
pub(crate) fn pixels(machine: &Machine) -> Vec<[u32; 4]> {
    let (words, _) = machine.attachment(Some(0)).expect("an attachment").as_chunks::<4>();
    let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
    words.as_chunks::<4>().0.to_vec()
}

const WRITES: &str = "%a = OpCompositeExtract %float %v 0
    %b = OpCompositeExtract %float %v 1
    %n = OpConvertUToF %float %number
    %all = OpCompositeConstruct %v4float %a %b %n %x
    OpStore %color %all";

#[test]
fn every_pixel_has_its_interpolated_values_at_every_wave_size() {
    let program = fragment(WRITES);
    for wave in [4, 8, 32, 64] {
        let machine = run(&vertices(), &program, wave);
        for (at, found) in (0u32..).zip(pixels(&machine)) {
            let center = |at: u32| at as f32 + 0.5;
            let (x, y) = (center(at % SIDE), center(at / SIDE));
            // The diagonal is the second triangle's left edge.
            let first = if y < x { 0.0 } else { 3.0 };
            let expected = [x / 4.0 - 1.0, y / 4.0 - 1.0, first, x].map(f32::to_bits);
            let found = if x == y { [found[0], found[1], expected[2], found[3]] } else { found };
            assert_eq!(found, expected, "pixel {x},{y}, waves of {wave}");
        }
        assert!(machine.events().is_empty());
    }
}

#[test]
fn discarded_fragments_and_helper_invocations_write_nothing() {
    let body = "%left = OpFOrdLessThan %bool %x %f:4.0
        OpSelectionMerge %merge None
        OpBranchConditional %left %gone %merge
        %gone = OpLabel
        END
        %merge = OpLabel
        %p = OpAccessChain %ptr_word %out %u:0 %u:0
        %old = OpAtomicIAdd %uint %p %u:1 %u:0 %u:1
        %dx = OpDPdx %float %x
        %all = OpCompositeConstruct %v4float %dx %x %y %f:1.0
        OpStore %color %all";
    let triangle = [[-1.0, -1.0, 0.5, 1.0], [1.0, -1.0, 0.5, 1.0], [1.0, 1.0, 0.5, 1.0]];
    let count = |machine: &Machine| {
        let bytes = machine.contents(0, 0, 0).expect("a buffer");
        u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
    };
    for (end, demoted) in [("OpKill", false), ("OpDemoteToHelperInvocation\nOpBranch %merge", true)] {
        let machine = run(&triangle, &fragment(&body.replace("END", end)), 32);
        let written: Vec<usize> = (0..64).filter(|at| pixels(&machine)[*at] != CLEAR).collect();
        let covered: Vec<usize> = (0..64).filter(|at| at % 8 >= 4 && at % 8 >= at / 8).collect();
        // The diagonal is a left edge: it is the triangle's own.
        assert_eq!(written, covered, "{end}");
        assert_eq!(count(&machine) as usize, covered.len(), "{end}");
        // Quads are whole on either side of the line: no derivative is taken across it.
        let divergent = machine.events().iter().any(|event| event.kind == EventKind::DivergentDerivative);
        assert!(!divergent, "{end}");
        let one = 1f32.to_bits();
        assert!(written.iter().all(|at| pixels(&machine)[*at][0] == one), "{end}: helper invocations have values");
        assert_eq!(demoted, end.contains("Demote"));
    }
    // A line through quads.
    let machine = run(&triangle, &fragment(&body.replace("END", "OpKill").replace("%f:4.0", "%f:5.0")), 32);
    assert!(machine.events().iter().any(|event| event.kind == EventKind::DivergentDerivative));
}

#[test]
fn logged_accesses_say_which_are_of_helper_invocations() {
    let body = "%p = OpAccessChain %ptr_word %out %u:0 %u:0
        %old = OpLoad %uint %p
        OpStore %p %number";
    let triangle = [[-1.0, -1.0, 0.5, 1.0], [1.0, -1.0, 0.5, 1.0], [1.0, 1.0, 0.5, 1.0]];
    let mut machine = launch(&triangle, &fragment(body), 32, 1).expect("a machine");
    machine.log_accesses(1000);
    assert_eq!(machine.run(), Outcome::Finished);
    let mut rows = Vec::new();
    assert!(machine.take_accesses(&mut rows));
    let count = |kind, helper| rows.iter().filter(|row| row.kind == kind && row.helper == helper).count();
    // Each of the four quads on the diagonal has one pixel beyond it.
    assert_eq!([count(LoggedKind::Load, false), count(LoggedKind::Load, true)], [36, 4]);
    assert_eq!([count(LoggedKind::Store, false), count(LoggedKind::Store, true)], [36, 0]);
}

#[test]
fn the_last_triangle_stays() {
    let mut all = vertices();
    all.extend(vertices().into_iter().take(3));
    let machine = run(&all, &fragment(WRITES), 64);
    let number = |x: usize, y: usize| f32::from_bits(pixels(&machine)[y * 8 + x][2]);
    assert_eq!((number(6, 1), number(1, 6)), (6.0, 3.0));
}

#[test]
fn a_debugger_goes_back_in_a_wave_of_fragments() {
    let machine = launch(&vertices(), &fragment(WRITES), 16, 1).expect("a machine");
    let mut debugger = Debugger::with_snapshots(machine, 8, 1 << 20);
    debugger.seek(5);
    let early = (debugger.waves(), pixels(debugger.machine()), debugger.machine().fragment(3));
    debugger.resume();
    assert!(debugger.machine().is_finished());
    assert_ne!(pixels(debugger.machine()), early.1);
    debugger.seek(5);
    assert_eq!((debugger.waves(), pixels(debugger.machine()), debugger.machine().fragment(3)), early);
}

#[test]
fn sampled_fragments_cover_their_samples() {
    let mut machine = launch(&vertices(), &fragment(WRITES), 32, 4).expect("a machine");
    machine.run();
    assert_eq!(machine.attachment(Some(0)).map(<[u8]>::len), Some(64 * 4 * 16));
    let (samples, _) = machine.attachment(Some(0)).expect("an attachment").as_chunks::<16>();
    let clear: Vec<u8> = CLEAR.iter().flat_map(|word| word.to_le_bytes()).collect();
    assert!(samples.iter().all(|sample| sample.as_slice() != clear), "both triangles cover all samples");
    // On the diagonal each triangle has some.
    let own: Vec<f32> =
        samples[..4].iter().map(|s| f32::from_bits(u32::from_le_bytes([s[8], s[9], s[10], s[11]]))).collect();
    assert!(own.contains(&0.0) && own.contains(&3.0), "{own:?}");
}

#[test]
fn wrong_launches_are_errors() {
    let program = fragment(WRITES);
    let error = |wave, samples| launch(&vertices(), &program, wave, samples).expect_err("an error");
    assert_eq!(error(2, 1), LaunchError::QuadSize { size: 2 });
    assert_eq!(error(32, 3), LaunchError::Samples { samples: 3 });
    let (machine, inputs) = drawn(&vertices(), 32);
    let call = VertexCall {
        count: 3,
        topology: Topology::TriangleList,
        attributes: Vec::new(),
        order: VertexOrder::default(),
        wave: 32,
        only: None,
    };
    let wrong = Machine::vertices(Arc::clone(&program), &inputs, call, &Options::default());
    assert!(matches!(wrong, Err(LaunchError::Stage { .. })));
    let fragments = launch(&vertices(), &program, 32, 1).expect("a machine");
    assert!(matches!(Stream::of(&fragments), Err(LaunchError::Stage { .. })));
    drop(machine);
    let module = assemble(
        "OpCapability Geometry
        OpMemoryModel Logical GLSL450
        OpEntryPoint Geometry %main \"main\"
        %void = OpTypeVoid
        %fn_void = OpTypeFunction %void
        %main = OpFunction %void None %fn_void
        %entry = OpLabel
        OpReturn
        OpFunctionEnd",
    );
    let wrong = Program::decode(&module, &module.entry_points()[0]).expect_err("an error");
    assert!(matches!(wrong, DecodeError::Mode { .. }));
}

/// Draws with the modules of words, if they are supported. Returns whether fragments ran.
fn attempt(vertex: &[u32], fragment: &[u32]) -> bool {
    let program = |words: &[u32]| {
        let module = Module::parse(words.to_vec()).ok()?;
        Program::decode(&module, module.entry_points().first()?).ok().map(Arc::new)
    };
    let Some((vertex, fragment)) = program(vertex).zip(program(fragment)) else { return false };
    let options = Options { max_steps: 2000, max_memory: 16 << 20, ..Options::default() };
    let values: Vec<[u32; 4]> = vertices().iter().map(|v| v.map(f32::to_bits)).collect();
    let attributes = (0..2).map(|location| Attribute { location, values: values.clone() }).collect();
    let call = VertexCall {
        count: 6,
        topology: Topology::TriangleList,
        attributes,
        order: VertexOrder::default(),
        wave: 8,
        only: None,
    };
    let inputs = Inputs { buffers: vec![Buffer { bytes: vec![0; 64], ..Buffer::default() }], ..Inputs::default() };
    let Ok(mut machine) = Machine::vertices(vertex, &inputs, call, &options) else { return false };
    machine.run();
    let Ok(stream) = Stream::of(&machine) else { return false };
    let Ok(raster) = Raster::new(stream, &fragment, [SIDE; 2], 4, Faces::default()) else { return false };
    let colors = vec![ColorAttachment::plain(0, CLEAR)];
    let call = FragmentCall {
        raster,
        colors,
        contents: Vec::new(),
        depth: Some(0.5),
        bias: None,
        test: None,
        sample_mask: u32::MAX,
        wave: 8,
        only: None,
    };
    let Ok(mut machine) = Machine::fragments(fragment, &inputs, call, &options) else { return false };
    machine.run();
    true
}

#[test]
fn single_words_of_either_stage_may_be_anything() {
    let stages = [vertex(), fragment_module(WRITES)].map(|module| module.words().to_vec());
    let mut ran = 0;
    for stage in 0..2 {
        for at in 5..stages[stage].len() {
            let word = stages[stage][at];
            for value in [word.wrapping_add(1), word.wrapping_sub(1), word ^ 0x10, 0, 3, u32::MAX] {
                let mut changed = stages.clone();
                changed[stage][at] = value;
                ran += u32::from(attempt(&changed[0], &changed[1]));
            }
        }
    }
    assert!(ran > 200, "only {ran} ran");
}
