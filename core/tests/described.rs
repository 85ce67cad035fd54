//! Runs with the state of a description, on the software device and under the validation layer: state that is taken
//! over changes the results, and the rest is reported.

use crate::drawing;
use lanescope_core::pipeline::vulkan::{
    BlendFactor, BlendOp, CompareOp, DynamicState, FrontFace, LogicOp, PolygonMode, StencilOp, VkFormat,
};
use lanescope_core::pipeline::{
    Attachments, Blend, ColorAttachment, DepthStencil, Multisample, Pipeline, PipelineKind, Raster, State, StencilFace,
};
use lanescope_core::program::Format;
use lanescope_core::run::Execution;

const VERTEX: &str = "#version 450
layout(location = 0) in vec4 position;
layout(location = 0) out vec3 n;
void main() { gl_Position = position; n = abs(position.xyz) * 0.5 + 0.1; }
";
const FRAGMENT: &str = "#version 450
layout(location = 0) in vec3 n;
layout(location = 0) out vec4 color;
layout(location = 1) out vec4 other;
void main() { color = vec4(n, n.x); other = vec4(n.zyx, 0.25); }
";

const PAIR: [(&str, &str); 2] = [("a.vert", VERTEX), ("a.frag", FRAGMENT)];

fn draw(state: State) -> Execution {
    draw_with(&PAIR, state)
}

fn draw_with(files: &[(&str, &str)], state: State) -> Execution {
    let mut program = drawing::program(files);
    let mut pipeline = Pipeline::new(Format::Fossilize, PipelineKind::Graphics);
    pipeline.state = state;
    program.pipeline = Some(Box::new(pipeline));
    drawing::try_draw(&program).unwrap_or_else(|error| panic!("{error}"))
}

fn format(name: &str) -> Option<VkFormat> {
    Some(VkFormat::named(name).expect("a format"))
}

fn target(location: u32) -> ColorAttachment {
    ColorAttachment {
        location,
        format: format("R8G8B8A8_UNORM"),
        write_mask: 15,
        blend: false,
        blends_by_alpha: false,
        equation: None,
    }
}

/// Two targets of 8 bits, depth and stencil, and nothing that a test looks at.
fn plain() -> State {
    State {
        attachments: Some(Attachments {
            colors: vec![target(0), target(1)],
            depth: format("D32_SFLOAT_S8_UINT"),
            stencil: format("D32_SFLOAT_S8_UINT"),
            ..Attachments::default()
        }),
        multisample: Some(Multisample { samples: Some(4), ..Multisample::default() }),
        ..State::default()
    }
}

fn raster(raster: Raster) -> State {
    State { raster: Some(raster), ..plain() }
}

fn multisample(multisample: Multisample) -> State {
    State { multisample: Some(Multisample { samples: Some(4), ..multisample }), ..plain() }
}

fn depth_stencil(depth_stencil: DepthStencil) -> State {
    State { depth_stencil: Some(depth_stencil), ..plain() }
}

fn attachments(change: impl FnOnce(&mut Attachments)) -> State {
    let mut state = plain();
    change(state.attachments.as_mut().expect("just made"));
    state
}

/// What each fragment leaves as the stencil is one more, up to two: the third one at a sample is not drawn.
fn two_layers() -> DepthStencil {
    let face = StencilFace {
        pass: StencilOp::named("INCREMENT_AND_CLAMP").expect("an operation"),
        compare: CompareOp::named("GREATER").expect("a comparison"),
        compare_mask: 0xff,
        write_mask: 0xff,
        reference: 2,
        ..StencilFace::default()
    };
    DepthStencil { stencil: Some([face; 2]), ..DepthStencil::default() }
}

#[test]
fn state_that_is_taken_over_changes_the_result() {
    let base = draw(plain());
    let less = CompareOp::named("LESS").expect("a comparison");
    let tested = DepthStencil { depth_test: true, depth_write: true, depth_compare: less, ..DepthStencil::default() };
    let biased = [1.0e9, 0.0, 4.0];
    let add = Blend {
        color: [BlendFactor::named("ONE").expect("a factor"); 2],
        color_op: BlendOp::named("ADD").expect("an operation"),
        alpha: [BlendFactor::named("ONE").expect("a factor"); 2],
        alpha_op: BlendOp::named("ADD").expect("an operation"),
    };
    let cases: [(&str, State); 12] = [
        ("polygon mode LINE", raster(Raster { polygon_mode: PolygonMode::named("LINE"), ..Raster::default() })),
        (
            "cull mode back; front face CLOCKWISE",
            raster(Raster { cull_mode: Some(2), front_face: FrontFace::named("CLOCKWISE"), ..Raster::default() }),
        ),
        ("depth clamping", raster(Raster { depth_clamp: Some(true), ..Raster::default() })),
        ("depth test LESS, written", depth_stencil(tested.clone())),
        (
            "depth bias: constant 1000000000, slope 4, clamp 0",
            State {
                raster: Some(Raster { depth_bias: Some(biased), ..Raster::default() }),
                ..depth_stencil(tested.clone())
            },
        ),
        ("stencil test: GREATER 0x2, compare mask 0xff, cleared to 0", depth_stencil(two_layers())),
        ("sample mask 0x5", multisample(Multisample { mask: vec![5], ..<_>::default() })),
        (
            "sample shading: at least 1 of the samples",
            multisample(Multisample { sample_shading: Some(true), ..Multisample::default() }),
        ),
        ("alpha to coverage", multisample(Multisample { alpha_to_coverage: Some(true), ..Multisample::default() })),
        ("alpha to one", multisample(Multisample { alpha_to_one: Some(true), ..Multisample::default() })),
        ("logic operation XOR, not for floating-point targets", attachments(|a| a.logic_op = LogicOp::named("XOR"))),
        (
            "color1 is R8G8B8A8_UNORM, blended as described",
            attachments(|a| a.colors[1] = ColorAttachment { blend: true, equation: Some(add), ..target(1) }),
        ),
    ];
    let mut seen = vec![base.data.clone()];
    for (words, state) in cases {
        let done = draw(state);
        let reported = done.run.described.clone().unwrap_or_default();
        assert!(reported.taken.iter().any(|what| what == words), "{words}: {reported:?}");
        assert_eq!(reported.left, Vec::<String>::new(), "{words}");
        // Where a pixel's inputs are interpolated is the device's own choice however often the shader runs. The biased run
        // is one of the depth test, and differs from that too.
        let may_be_alike = words.starts_with("sample shading");
        assert!(may_be_alike || !seen.contains(&done.data), "{words}: nothing differs");
        seen.push(done.data);
    }
}

#[test]
fn stencil_without_an_attachment_passes() {
    let mut state = depth_stencil(two_layers());
    state.attachments.as_mut().expect("just made").stencil = None;
    let done = draw(state);
    let reported = done.run.described.clone().unwrap_or_default();
    assert!(reported.taken.iter().any(|what| what.contains("no stencil attachment")), "{reported:?}");
    assert_eq!(done.data["color0"], draw(plain()).data["color0"]);
}

#[test]
fn reports_state_that_is_not_taken_over() {
    let base = draw(plain());
    let mut state = plain();
    state.primitive_restart = Some(true);
    state.raster = Some(Raster {
        discard: Some(true),
        polygon_mode: Some(PolygonMode(1_000_153_000)),
        depth_clip: Some(false),
        line_width: Some(4.0),
        ..Raster::default()
    });
    state.depth_stencil = Some(DepthStencil { depth_bounds: Some([0.25, 7.0]), ..two_layers() });
    state.dynamic = vec![DynamicState::named("STENCIL_REFERENCE").expect("a state")];
    if let Some(multisample) = &mut state.multisample {
        multisample.samples = Some(3);
        multisample.mask = vec![1];
    }
    let done = draw(state);
    let reported = done.run.described.clone().unwrap_or_default();
    for words in [
        "primitive restart",
        "rasterizer discard",
        "needs an extension",
        "VK_EXT_depth_clip_enable",
        "line width",
        "depth bounds test",
        "stencil test: dynamic state",
        "3 samples per pixel",
        "sample mask: the sample count",
    ] {
        assert!(reported.left.iter().any(|what| what.contains(words)), "{words}: {reported:?}");
    }
    assert_eq!(done.data["color0"], base.data["color0"]);
}

#[test]
fn reports_a_different_depth_format() {
    let less = CompareOp::named("LESS").expect("a comparison");
    let tested = DepthStencil { depth_test: true, depth_write: true, depth_compare: less, ..DepthStencil::default() };
    let reported = |depth: &str, stencil: Option<&str>, state: DepthStencil| {
        let mut state = depth_stencil(state);
        let attachments = state.attachments.as_mut().expect("just made");
        (attachments.depth, attachments.stencil) = (format(depth), stencil.and_then(format));
        let reported = draw(state).run.described.unwrap_or_default();
        reported.taken.into_iter().find(|what| what.starts_with("depth test")).expect("it is tested")
    };
    let plain = "depth test LESS, written";
    assert_eq!(reported("D32_SFLOAT", None, tested.clone()), plain);
    assert_eq!(reported("D16_UNORM", None, tested.clone()), format!("{plain}; with D32_SFLOAT instead of D16_UNORM"));
    // With stencils the format is one of both.
    let both = DepthStencil { stencil: two_layers().stencil, ..tested };
    let stencils = "D32_SFLOAT_S8_UINT";
    assert_eq!(reported(stencils, Some(stencils), both.clone()), plain);
    let other = "D24_UNORM_S8_UINT";
    assert_eq!(reported(other, Some(other), both), format!("{plain}; with {stencils} instead of {other}"));
}

#[test]
fn depth_bounds_test_needs_device_support() {
    let done = draw(depth_stencil(DepthStencil { depth_bounds: Some([0.25, 0.75]), ..DepthStencil::default() }));
    let reported = done.run.described.clone().unwrap_or_default();
    assert_eq!(reported.left, ["depth bounds test: the device does not support depthBounds"]);
    assert_eq!(done.data["color0"], draw(plain()).data["color0"]);
}

#[test]
fn patches_have_the_described_vertex_count() {
    let control = "#version 450
        layout(vertices = 3) out;
        layout(location = 0) in vec3 n[]; layout(location = 0) out vec3 o[];
        void main() {
            int from = min(gl_InvocationID, gl_PatchVerticesIn - 1);
            gl_out[gl_InvocationID].gl_Position = gl_in[from].gl_Position;
            o[gl_InvocationID] = n[from] * float(gl_PatchVerticesIn) / 8.0;
            gl_TessLevelOuter[0] = 2.0; gl_TessLevelOuter[1] = 3.0; gl_TessLevelOuter[2] = 4.0; gl_TessLevelInner[0] = 2.0;
        }";
    let files = [("a.vert", VERTEX), ("a.tesc", control), ("a.tese", drawing::EVALUATION), ("a.frag", FRAGMENT)];
    let patches = |points: Option<u32>| {
        let done = draw_with(&files, State { patch_control_points: points, ..plain() });
        (done.run.described.clone().unwrap_or_default(), done.data["color0"].clone())
    };
    let (_, three) = patches(None);
    let (reported, six) = patches(Some(6));
    assert!(reported.taken.iter().any(|what| what == "patches of 6 vertices"), "{reported:?}");
    assert_ne!(three, six, "half as many patches");
    let (reported, many) = patches(Some(4000));
    assert_eq!(reported.left, ["patches of 4000 vertices: not supported by the device"]);
    assert_eq!(three, many);
}
