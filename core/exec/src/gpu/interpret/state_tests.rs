//! Draws with the state of a description, against the software device, which applies the same state.

use super::draw_tests::{agrees_over, interpreted};
use crate::gpu::Inputs;
use lanescope_model::program::{Format, Program};
use lanescope_pipeline::vulkan::{BlendFactor, BlendOp, CompareOp, FrontFace, PolygonMode, Topology, VkFormat};
use lanescope_pipeline::{
    Attachments, Blend, ColorAttachment, DepthStencil, Multisample, Pipeline, PipelineKind, Raster, State,
};
use lanescope_testing::program;

const VERTEX: &str = "layout(location = 0) in vec4 position; layout(location = 0) out vec4 n;
    void main() { gl_Position = position; n = abs(position) * 0.375 + 0.0625; }";
const FRAGMENT: &str = "layout(location = 0) in vec4 n;
    layout(location = 0) out vec4 color; layout(location = 1) out vec4 other;
    void main() { color = vec4(n.xyz * 0.5, 0.5); other = vec4(n.zyx, gl_FrontFacing ? 1.0 : 0.25); }";

fn described(state: State) -> Program {
    let mut program = program(&[("vert", VERTEX), ("frag", FRAGMENT)]);
    let mut pipeline = Pipeline::new(Format::Fossilize, PipelineKind::Graphics);
    pipeline.state = state;
    program.pipeline = Some(Box::new(pipeline));
    program
}

fn target(location: u32, format: &str) -> ColorAttachment {
    let format = VkFormat::named(format);
    ColorAttachment { location, format, write_mask: 15, blend: false, blends_by_alpha: false, equation: None }
}

fn plain() -> State {
    State {
        attachments: Some(Attachments {
            colors: vec![target(0, "R32G32B32A32_SFLOAT"), target(1, "R16G16B16A16_SFLOAT")],
            depth: VkFormat::named("D32_SFLOAT"),
            ..Attachments::default()
        }),
        multisample: Some(Multisample { samples: Some(4), ..Multisample::default() }),
        ..State::default()
    }
}

fn raster(cull: u32, front: &str) -> State {
    let raster = Raster { cull_mode: Some(cull), front_face: FrontFace::named(front), ..Raster::default() };
    State { raster: Some(raster), ..plain() }
}

fn depth(compare: &str, write: bool) -> State {
    let test = DepthStencil {
        depth_test: true,
        depth_write: write,
        depth_compare: CompareOp::named(compare).expect("a comparison"),
        ..DepthStencil::default()
    };
    State { depth_stencil: Some(test), ..plain() }
}

fn blended(format: &str, factors: [&str; 4], ops: [&str; 2], mask: u32) -> State {
    let factor = |at: usize| BlendFactor::named(factors[at]).expect("a factor");
    let op = |at: usize| BlendOp::named(ops[at]).expect("an operation");
    let blend =
        Blend { color: [factor(0), factor(1)], color_op: op(0), alpha: [factor(2), factor(3)], alpha_op: op(1) };
    let mut state = plain();
    let attachments = state.attachments.as_mut().expect("just made");
    attachments.blend_constants = Some([0.25, 0.5, 0.75, 0.625]);
    attachments.colors[0] =
        ColorAttachment { blend: true, equation: Some(blend), write_mask: mask, ..target(0, format) };
    state
}

/// Compares a state; half floats and 8 bits round in their last place.
fn check(name: &str, state: State, bound: f64, taken: &str) -> Option<String> {
    let program = described(state);
    let run = interpreted(&program, &Inputs::default()).run;
    let said = run.described.expect("a description");
    assert!(said.taken.iter().any(|text| text.contains(taken)), "{name}: {said:?}");
    agrees_over(name, &program, bound, (true, 100)).err()
}

/// A unit in the last place of 8 bits, and of a half float.
const EIGHT_BITS: f64 = 1.01 / 255.0;
const HALF_FLOAT: f64 = 1.0 / 1024.0;

#[test]
fn culling_depth_tests_samples_and_topologies_agree_with_the_software_device() {
    let samples = |count, mask: u32| {
        let multisample = Multisample { samples: Some(count), mask: vec![mask], ..Multisample::default() };
        State { multisample: Some(multisample), ..plain() }
    };
    let topology = |name: &str| State { topology: Topology::named(name), ..plain() };
    let cases = [
        ("plain", plain(), "4 samples"),
        ("cull back", raster(2, "COUNTER_CLOCKWISE"), "cull mode back"),
        ("cull front", raster(1, "COUNTER_CLOCKWISE"), "cull mode front"),
        ("cull back, clockwise", raster(2, "CLOCKWISE"), "front face CLOCKWISE"),
        ("less", depth("LESS", true), "depth test LESS, written"),
        ("greater", depth("GREATER", true), "depth test GREATER"),
        ("not written", depth("LESS_OR_EQUAL", false), "not written"),
        ("mask", samples(4, 5), "sample mask 0x5"),
        ("one sample", samples(1, 1), "1 sample"),
        ("strip", topology("TRIANGLE_STRIP"), "topology TRIANGLE_STRIP"),
        ("fan", topology("TRIANGLE_FAN"), "topology TRIANGLE_FAN"),
    ];
    let wrong: Vec<String> =
        cases.into_iter().filter_map(|(name, state, taken)| check(name, state, HALF_FLOAT, taken)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn blending_and_formats_agree_with_the_software_device() {
    let over = ["SRC_ALPHA", "ONE_MINUS_SRC_ALPHA", "ONE", "ZERO"];
    let constant = ["CONSTANT_COLOR", "ONE_MINUS_DST_ALPHA", "DST_COLOR", "ONE_MINUS_CONSTANT_ALPHA"];
    let saturated = ["SRC_ALPHA_SATURATE", "ONE_MINUS_SRC_COLOR", "ONE", "ONE"];
    let add = ["ADD", "ADD"];
    let cases = [
        ("over", blended("R32G32B32A32_SFLOAT", over, add, 15), HALF_FLOAT),
        ("constant", blended("R32G32B32A32_SFLOAT", constant, ["SUBTRACT", "REVERSE_SUBTRACT"], 15), HALF_FLOAT),
        ("min and max", blended("R32G32B32A32_SFLOAT", saturated, ["MIN", "MAX"], 7), HALF_FLOAT),
        ("8 bits", blended("R8G8B8A8_UNORM", over, add, 15), EIGHT_BITS * 3.0),
        ("8 bits, saturated", blended("B8G8R8A8_UNORM", saturated, add, 11), EIGHT_BITS * 3.0),
        ("two channels", blended("R16G16_SFLOAT", over, add, 15), HALF_FLOAT * 2.0),
    ];
    let wrong: Vec<String> = cases
        .into_iter()
        .filter_map(|(name, state, bound)| check(name, state, bound, "blended as described"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn state_that_the_interpreter_lacks_is_named() {
    let mut state = raster(0, "CLOCKWISE");
    let lines = PolygonMode::named("LINE");
    state.raster = Some(Raster { polygon_mode: lines, depth_clamp: Some(true), ..Raster::default() });
    state.attachments.as_mut().expect("just made").colors[1] = target(1, "R8G8B8A8_SRGB");
    let run = interpreted(&described(state), &Inputs::default()).run;
    let left = run.described.expect("a description").left;
    for expected in ["polygon mode: not supported", "depth clamping: not supported", "format of color1: R8G8B8A8_SRGB"]
    {
        assert!(left.iter().any(|text| text.starts_with(expected)), "{expected}: {left:?}");
    }
}
