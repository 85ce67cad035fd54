//! Runs with given inputs, in the interpreter and on the software device: every byte has to be the same.

use super::draw_tests::interpreted;
use crate::gpu::{Content, DeviceOptions, Given, Inputs, run_program, testing};
use lanescope_model::program::{Format, Program};
use lanescope_pipeline::vulkan::{CompareOp, InputRate, Topology, VkFormat};
use lanescope_pipeline::{
    Attachments, Blend, ColorAttachment, DepthStencil, Multisample, Pipeline, PipelineKind, State, StencilFace,
    VertexAttribute, VertexBinding, VertexInput,
};
use lanescope_run::inputs::{
    AttachmentContents, ClearValue, DrawInputs, ImageContents, IndexBits, Indices, PushBytes, VertexBuffer, Vertices,
    Viewport,
};
use lanescope_run::{Blob, Execution};
use lanescope_testing::program;

fn options() -> DeviceOptions {
    // An installed layer may not know what a newer device offers.
    DeviceOptions { validate: testing::other().is_none(), ..testing::device() }
}

/// A run on each; what it wrote and its inputs are the same.
fn both(program: &Program, inputs: &Inputs) -> Execution {
    both_within(program, inputs, 0.0)
}

/// The same, where floats may differ by so much: devices round some conversions another way.
fn both_within(program: &Program, inputs: &Inputs, most: f32) -> Execution {
    let device = run_program(&options(), program, None, inputs).unwrap_or_else(|why| panic!("{why}"));
    let interpreted = interpreted(program, inputs);
    assert_eq!(device.run.warnings, Vec::<String>::new());
    assert_eq!(device.run.inputs, interpreted.run.inputs);
    for (name, bytes) in &device.data {
        let (found, other) = (words(&bytes.0), words(interpreted.contents(name)));
        assert_eq!(found.len(), other.len(), "{name}");
        let near = |(a, b): (&u32, &u32)| a == b || (f32::from_bits(*a) - f32::from_bits(*b)).abs() <= most;
        let differs = found.iter().zip(&other).position(|pair| !near(pair));
        let at = differs.map(|at| (at, f32::from_bits(found[at]), f32::from_bits(other[at])));
        assert!(at.is_none(), "{name} differs at {at:?}");
    }
    device
}

fn refused(program: &Program, inputs: &Inputs, why: &str) {
    let device = run_program(&options(), program, None, inputs);
    let interpreted = super::run(program, &super::Waves::row_major(32, [0; 3]), None, inputs, options().timeout);
    for found in [device, interpreted] {
        let error = found.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(why), "{error}");
    }
}

fn described(sources: [&str; 2], state: State) -> Program {
    let mut program = program(&[("vert", sources[0]), ("frag", sources[1])]);
    let mut pipeline = Pipeline::new(Format::Fossilize, PipelineKind::Graphics);
    pipeline.state = state;
    program.pipeline = Some(Box::new(pipeline));
    program
}

/// One target of a format with so many samples.
fn target(format: &str, samples: u32) -> State {
    let color = ColorAttachment {
        location: 0,
        format: VkFormat::named(format),
        write_mask: 15,
        blend: false,
        blends_by_alpha: false,
        equation: None,
    };
    State {
        attachments: Some(Attachments { colors: vec![color], ..Attachments::default() }),
        multisample: Some(Multisample { samples: Some(samples), ..Multisample::default() }),
        ..State::default()
    }
}

fn bytes(words: impl IntoIterator<Item = u32>) -> Vec<u8> {
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

fn floats(values: &[f32]) -> Vec<u8> {
    bytes(values.iter().map(|value| value.to_bits()))
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

fn attribute(location: u32, binding: u32, format: &str, offset: u32) -> VertexAttribute {
    VertexAttribute { location, binding, format: VkFormat::named(format).expect("a format"), offset }
}

fn binding(binding: u32, stride: u32, rate: i32) -> VertexBinding {
    VertexBinding { binding, stride, rate: InputRate(rate), divisor: None }
}

/// Positions of two floats at location 0, and what else there is of them.
fn positions(places: &[[f32; 2]]) -> Vertices {
    let input = VertexInput {
        from: "a test".to_owned(),
        bindings: vec![binding(0, 8, 0)],
        attributes: vec![attribute(0, 0, "R32G32_SFLOAT", 0)],
    };
    Vertices { input, buffers: vec![VertexBuffer { binding: 0, bytes: Blob(floats(places.as_flattened())) }] }
}

/// The whole view volume as two triangles.
const ALL: [[f32; 2]; 6] = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];

const PLAIN: &str = "layout(location = 0) in vec2 position;
    void main() { gl_Position = vec4(position, 0.5, 1.0); }";

#[test]
fn buffers_images_and_push_constants_are_as_given() {
    let shader = "layout(local_size_x = 5, local_size_y = 3) in;
        layout(push_constant) uniform P { uint a; uint b; uint c; };
        layout(binding = 0) uniform sampler2D half_floats;
        layout(binding = 1, rgba8ui) uniform uimage2D store;
        layout(binding = 2) buffer Out { vec4 texels[15]; uvec4 words; };
        void main() {
            ivec2 at = ivec2(gl_LocalInvocationID.xy);
            texels[gl_LocalInvocationIndex] = texelFetch(half_floats, at, 0);
            words = uvec4(a, b, c, textureQueryLevels(half_floats));
            imageStore(store, at, imageLoad(store, at) + 1u);
        }";
    let image = |size, levels, format: Option<&str>, texels: Vec<u8>| {
        let format = format.map(|name| VkFormat::named(name).expect("a format"));
        Content::Image(ImageContents { size, layers: 1, levels, format, texels: Blob(texels) })
    };
    let given = |binding, content| Given { set: 0, binding, element: None, content };
    // 5x3 and 2x1 texels of 8 bytes.
    let half: Vec<u8> =
        (0..17u16).flat_map(|at| [0x3c00 + at, 0x4000 + at, 0, 0x3800]).flat_map(u16::to_le_bytes).collect();
    let inputs = Inputs {
        buffers: vec![
            given(0, image([5, 3, 1], 2, Some("R16G16B16A16_SFLOAT"), half)),
            given(1, image([5, 3, 1], 1, None, (0..60).collect())),
        ],
        push_constants: vec![PushBytes { offset: 4, bytes: Blob(bytes([7])) }],
        fill: 5,
        ..Inputs::default()
    };
    let program = program(&[("comp", shader)]);
    let ran = both(&program, &inputs);
    let out = words(ran.contents("set0.binding2"));
    assert_eq!((out[4], f32::from_bits(out[5])), ((1.0f32 + 1.0 / 1024.0).to_bits(), 2.0 + 2.0 / 1024.0));
    assert_eq!((out[61], out[63]), (7, 2));
    assert_eq!(ran.contents("set0.binding1")[..4], [1, 2, 3, 4]);
    assert_eq!(ran.run.images[0].size, [5, 3, 1]);
    for (binding, content, why) in [
        (1, image([5, 3, 1], 2, None, vec![0; 68]), "there are 1 to 1"),
        (1, image([5, 3, 1], 1, Some("R8G8B8A8_UNORM"), vec![0; 60]), "the shader declares R8G8B8A8_UINT"),
        (0, image([5, 3, 1], 1, Some("R8G8B8A8_UINT"), vec![0; 60]), "are not what the shader reads"),
        (0, image([5, 3, 2], 1, None, vec![0; 120]), "two dimensions"),
        (0, image([5, 3, 1], 1, None, vec![0; 59]), "59 bytes of texels; an image of this size has 60"),
        (0, image([0, 3, 1], 1, None, vec![]), "each side is 1 to 4096"),
        (2, image([1, 1, 1], 1, None, vec![0; 4]), "is a buffer"),
    ] {
        refused(&program, &Inputs { buffers: vec![given(binding, content)], ..Inputs::default() }, why);
    }
    let push = |offset| vec![PushBytes { offset, bytes: Blob(bytes([1, 2])) }];
    refused(&program, &Inputs { push_constants: push(8), ..Inputs::default() }, "the block has 12 bytes");
}

#[test]
fn vertex_buffers_are_read_by_format_and_rate() {
    let vertex =
        "layout(location = 0) in vec2 position; layout(location = 1) in uvec4 tint; layout(location = 2) in vec4 shade;
        layout(location = 0) flat out uvec4 color; layout(location = 1) flat out vec4 other;
        void main() { gl_Position = vec4(position * 0.5 + vec2(gl_InstanceIndex - 3, 0.0), 0.5, 1.0);
            color = tint + uint(gl_VertexIndex); other = shade; }";
    let fragment = "layout(location = 0) flat in uvec4 color; layout(location = 1) flat in vec4 other;
        layout(location = 0) out uvec4 a; layout(location = 1) out vec4 b; void main() { a = color; b = other; }";
    let program = program(&[("vert", vertex), ("frag", fragment)]);
    let mut vertices = positions(&ALL);
    vertices.input.bindings.extend([binding(1, 4, 1), binding(5, 8, 0)]);
    vertices.input.attributes.extend([attribute(1, 1, "R8G8B8A8_UINT", 0), attribute(2, 5, "R16G16_SNORM", 2)]);
    let shade = (0..6u8).flat_map(|at| [9, 9, at * 40, 0x7f, 0, 0x80, 9, 9]).collect();
    vertices.buffers.push(VertexBuffer { binding: 5, bytes: Blob(shade) });
    vertices.buffers.push(VertexBuffer { binding: 1, bytes: Blob((0..20).collect()) });
    let draw = DrawInputs {
        size: Some([16, 8]),
        vertices: Some(vertices),
        first_instance: 3,
        instances: Some(2),
        ..DrawInputs::default()
    };
    let ran = both(&program, &Inputs { draw: draw.clone(), ..Inputs::default() });
    // The middle of the picture is of instance 3, with the first vertex of each triangle.
    let pixel = words(ran.contents("color0"));
    let at = |x: usize, y: usize| pixel[(y * 16 + x) * 16..][..4].to_vec();
    assert_eq!((at(5, 2), at(10, 5), at(15, 2)), (vec![12, 13, 14, 15], vec![15, 16, 17, 18], vec![16, 17, 18, 19]));
    let few = DrawInputs { instances: Some(3), ..draw.clone() };
    refused(&program, &Inputs { draw: few, ..Inputs::default() }, "instance 5 ends at byte 24 of vertex binding 1");
    // From the fourth vertex on.
    let half = DrawInputs { first: 3, instances: Some(1), ..draw };
    let ran = both(&program, &Inputs { draw: half, ..Inputs::default() });
    let pixel = words(ran.contents("color0"));
    assert_eq!((pixel[(2 * 16 + 5) * 16], pixel[(5 * 16 + 10) * 16]), (1, 15));
}

#[test]
fn indices_restart_strips_where_the_description_says_so() {
    let vertex = "layout(location = 0) in vec2 position; layout(location = 0) flat out uint n;
        void main() { gl_Position = vec4(position, 0.5, 1.0); n = uint(gl_VertexIndex); }";
    let fragment = "layout(location = 0) flat in uint n; layout(location = 0) out uvec4 o;
        void main() { o = uvec4(n, gl_PrimitiveID, 0, 0); }";
    let program = |restart| {
        let topology = Topology::named("TRIANGLE_STRIP");
        let state = State { topology, primitive_restart: Some(restart), ..target("R32G32B32A32_UINT", 1) };
        described([vertex, fragment], state)
    };
    // Two strips: the left and the right half.
    let places = [[-1.0, -1.0], [0.0, -1.0], [-1.0, 1.0], [0.0, 1.0], [0.0, -1.0], [1.0, -1.0], [0.0, 1.0], [1.0, 1.0]];
    let values = vec![9, 1, 2, 3, 4, 0xffff, 5, 6, 7, 8];
    let mut all = vec![[5.0, 5.0]];
    all.extend(places);
    let mut draw = DrawInputs {
        size: Some([8, 8]),
        vertices: Some(positions(&all)),
        indices: Some(Indices { bits: IndexBits::Short, values: values.clone() }),
        first: 1,
        ..DrawInputs::default()
    };
    let ran = both(&program(true), &Inputs { draw: draw.clone(), ..Inputs::default() });
    let pixel = words(ran.contents("color0"));
    let at = |x: usize, y: usize| [pixel[(y * 8 + x) * 4], pixel[(y * 8 + x) * 4 + 1]];
    assert_eq!((at(0, 0), at(4, 0), at(7, 7)), ([1, 0], [5, 2], [6, 3]));
    refused(&program(false), &Inputs { draw: draw.clone(), ..Inputs::default() }, "vertex 65535");
    // An offset instead of indices that are one larger.
    let values = values.iter().map(|value| if *value == 0xffff { *value } else { value - 1 }).collect();
    draw.indices = Some(Indices { bits: IndexBits::Short, values });
    draw.vertex_offset = 1;
    assert_eq!(words(both(&program(true), &Inputs { draw, ..Inputs::default() }).contents("color0")), pixel);
}

#[test]
fn viewports_place_and_turn_the_picture() {
    let fragment = "layout(location = 0) out vec4 o;
        void main() { o = vec4(gl_FragCoord.xyz, gl_FrontFacing ? 1.0 : 0.5); }";
    let vertex = "layout(location = 0) in vec2 position;
        void main() { gl_Position = vec4(position, 0.25, 1.0); }";
    let program = program(&[("vert", vertex), ("frag", fragment)]);
    let viewport = |at, size, depth| Some(Viewport { at, size, depth });
    let draw = |viewport| DrawInputs {
        size: Some([16, 8]),
        vertices: Some(positions(&ALL)),
        viewport,
        ..DrawInputs::default()
    };
    let turned = viewport([4.0, 6.0], [8.0, -4.0], [0.25, 0.75]);
    let ran = both(&program, &Inputs { draw: draw(turned), ..Inputs::default() });
    let clear = ran.contents("color0")[..16].to_vec();
    let is_drawn = |x: usize, y: usize| ran.contents("color0")[(y * 16 + x) * 64..][..16] != clear[..];
    let drawn: Vec<_> =
        [(3, 3), (4, 2), (11, 5), (12, 5), (4, 1), (4, 6)].iter().map(|(x, y)| is_drawn(*x, *y)).collect();
    assert_eq!(drawn, [false, true, true, false, false, false]);
    // Over the edge of the picture.
    both(&program, &Inputs { draw: draw(viewport([-8.0, 0.0], [16.0, 16.0], [0.0, 1.0])), ..Inputs::default() });
}

#[test]
fn attachments_hold_what_is_given() {
    let fragment = "layout(location = 0) out vec4 o; void main() { o = vec4(51.0, 102.0, 0.0, 255.0) / 255.0; }";
    let small = [[-1.0, -1.0], [0.0, -1.0], [-1.0, 0.0], [0.0, -1.0], [0.0, 0.0], [-1.0, 0.0]];
    for (format, samples) in [("R8G8B8A8_UNORM", 1), ("R32G32B32A32_SFLOAT", 4), ("R16G16B16A16_SFLOAT", 1)] {
        let mut state = target(format, samples);
        let added = Blend {
            color: [1, 1].map(lanescope_pipeline::vulkan::BlendFactor),
            color_op: lanescope_pipeline::vulkan::BlendOp(0),
            alpha: [1, 1].map(lanescope_pipeline::vulkan::BlendFactor),
            alpha_op: lanescope_pipeline::vulkan::BlendOp(0),
        };
        for color in state.attachments.iter_mut().flat_map(|all| &mut all.colors) {
            (color.blend, color.equation) = (true, Some(added));
        }
        let program = described([PLAIN, fragment], state);
        let count = 8 * 4 * samples as usize * 4;
        // Either of the two nearest halves is right.
        let most = match format {
            "R8G8B8A8_UNORM" => 1e-7,
            "R16G16B16A16_SFLOAT" => 1.0 / 1024.0,
            _ => 0.0,
        };
        let share = |at: usize| (at % 8) as f32 / 8.0;
        let held: Vec<f32> = match format {
            "R8G8B8A8_UNORM" => (0..count).map(|at| (share(at) * 255.0).round() / 255.0).collect(),
            _ => (0..count).map(share).collect(),
        };
        let mut draw = DrawInputs { size: Some([8, 4]), vertices: Some(positions(&small)), ..DrawInputs::default() };
        draw.attachments =
            vec![AttachmentContents { location: Some(0), bytes: Blob(floats(&held)), ..AttachmentContents::default() }];
        let ran = both_within(&program, &Inputs { draw: draw.clone(), ..Inputs::default() }, most);
        let shown: Vec<f32> = words(ran.contents("color0")).into_iter().map(f32::from_bits).collect();
        let last = count - 4;
        assert!(shown[last..].iter().zip(&held[last..]).all(|(a, b)| (a - b).abs() < 1.0 / 1024.0), "{format}");
        assert!((shown[0] - held[0] - 0.2).abs() < 1.0 / 128.0, "{format}: {}", shown[0]);
        // What a run has written is what the next one begins with.
        draw.attachments = vec![AttachmentContents {
            location: Some(0),
            bytes: ran.data["color0"].clone(),
            ..AttachmentContents::default()
        }];
        draw.count = Some(3);
        both_within(&program, &Inputs { draw: draw.clone(), ..Inputs::default() }, most);
        draw.attachments[0].bytes.0.pop();
        refused(&program, &Inputs { draw, ..Inputs::default() }, "color0: ");
    }
}

#[test]
fn depths_are_tested_against_what_is_given() {
    let fragment = "layout(location = 0) out vec4 o; void main() { o = vec4(1.0); }";
    let test = DepthStencil {
        depth_test: true,
        depth_write: true,
        depth_compare: CompareOp::named("LESS").expect("a comparison"),
        ..DepthStencil::default()
    };
    let program = described([PLAIN, fragment], State { depth_stencil: Some(test), ..target("R32G32B32A32_SFLOAT", 1) });
    let mut draw = DrawInputs { size: Some([8, 4]), vertices: Some(positions(&ALL)), ..DrawInputs::default() };
    let word = |value: f32| value.to_bits();
    draw.clear = vec![
        ClearValue { location: Some(0), words: [word(0.5), word(0.0), word(1.0), word(0.25)] },
        ClearValue { location: None, words: [word(0.25), 0, 0, 0] },
    ];
    let ran = both(&program, &Inputs { draw: draw.clone(), ..Inputs::default() });
    assert_eq!(words(ran.contents("color0"))[..4], [word(0.5), 0, word(1.0), word(0.25)], "nothing passes");
    assert_eq!(words(ran.contents("depth"))[0], word(0.25));
    let depths: Vec<f32> = (0..32).flat_map(|at| [if at % 2 == 0 { 0.75 } else { 0.125 }, 0.0, 0.0, 0.0]).collect();
    draw.attachments = vec![AttachmentContents { bytes: Blob(floats(&depths)), ..AttachmentContents::default() }];
    let ran = both(&program, &Inputs { draw, ..Inputs::default() });
    let (color, depth) = (words(ran.contents("color0")), words(ran.contents("depth")));
    assert_eq!((color[0], color[4]), (word(1.0), word(0.5)));
    assert_eq!((depth[0], depth[4]), (word(0.5), word(0.125)));
}

#[test]
fn depths_stay_where_stencils_alone_are_tested() {
    let fragment = "layout(location = 0) out vec4 o; void main() { o = vec4(1.0); }";
    let stencil = Some([StencilFace { compare: CompareOp(7), compare_mask: 255, ..StencilFace::default() }; 2]);
    let state = |depth_test| {
        let mut state = target("R32G32B32A32_SFLOAT", 1);
        if let Some(attachments) = &mut state.attachments {
            attachments.stencil = VkFormat::named("D32_SFLOAT_S8_UINT");
        }
        let (depth_write, depth_compare) = (true, CompareOp(7));
        let tests = DepthStencil { depth_test, depth_write, depth_compare, stencil, ..DepthStencil::default() };
        State { depth_stencil: Some(tests), ..state }
    };
    let held = floats(&[0.25, 0.0, 0.0, 1.0].repeat(32));
    let draw = DrawInputs {
        size: Some([8, 4]),
        vertices: Some(positions(&ALL)),
        attachments: vec![AttachmentContents { bytes: Blob(held.clone()), ..AttachmentContents::default() }],
        ..DrawInputs::default()
    };
    for (depth_test, depth) in [(false, 0.25), (true, 0.5)] {
        let program = described([PLAIN, fragment], state(depth_test));
        let ran = both(&program, &Inputs { draw: draw.clone(), ..Inputs::default() });
        assert_eq!(ran.contents("depth"), floats(&[depth, 0.0, 0.0, 1.0].repeat(32)));
        assert_eq!(words(ran.contents("color0"))[0], 1f32.to_bits());
    }
    // Nothing is given: the depth that the picture starts with.
    let plain = DrawInputs { attachments: Vec::new(), ..draw };
    let program = described([PLAIN, fragment], state(false));
    let ran = run_program(&options(), &program, None, &Inputs { draw: plain, ..Inputs::default() }).expect("runs");
    assert_eq!(words(ran.contents("depth"))[0], crate::gpu::attachments::CLEAR_DEPTH.to_bits());
}

#[test]
fn vertices_without_buffers_are_numbered() {
    let vertex = "layout(location = 0) flat out uvec2 n; void main() {
            gl_Position = vec4((gl_VertexIndex & 1) * 4 - 1, (gl_VertexIndex & 2) * 2 - 1, 0.5, 1.0);
            n = uvec2(gl_InstanceIndex, gl_VertexIndex); }";
    let fragment = "layout(location = 0) flat in uvec2 n; layout(location = 0) out uvec4 o;
        void main() { o = uvec4(n, 7, gl_PrimitiveID); }";
    let program = program(&[("vert", vertex), ("frag", fragment)]);
    let draw = DrawInputs { count: Some(3), first: 4, instances: Some(3), size: Some([4, 4]), ..DrawInputs::default() };
    let ran = both(&program, &Inputs { draw, ..Inputs::default() });
    assert_eq!(words(ran.contents("color0"))[..4], [2, 4, 7, 0]);
}
