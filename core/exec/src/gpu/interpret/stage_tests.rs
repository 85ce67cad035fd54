//! Geometry shaders in the interpreter against the software device, away from the edges of triangles.

use std::time::Duration;

use super::draw_tests::{agrees_over, interpreted};
use super::{DrawCall, DrawPlace, Launch};
use crate::gpu::Inputs;
use lanescope_interpreter::Options;
use lanescope_model::program::Program;
use lanescope_testing::program;

const LIMIT: Duration = Duration::from_secs(60);

const VERTEX: &str = "layout(location = 0) in vec4 position;
    layout(location = 0) out vec2 uv;
    layout(location = 1) flat out uint number;
    void main() { gl_Position = position; uv = position.xy * 0.5; number = uint(gl_VertexIndex); }";

const FRAGMENT: &str = "layout(location = 0) in vec2 uv;
    layout(location = 1) flat in uint number;
    layout(location = 2) in vec4 more;
    layout(location = 0) out vec4 result;
    layout(location = 1) out uvec4 numbers;
    void main() { result = vec4(uv, more.xy); numbers = uvec4(number, gl_PrimitiveID, gl_FrontFacing, uint(more.w + 0.5)); }";

/// What a geometry shader has around its body: `input` are its layouts.
fn geometry(input: &str, output: &str, body: &str) -> Program {
    let text = format!(
        "layout({input}) in; layout({output}) out;
        layout(location = 0) in vec2 uv[]; layout(location = 1) flat in uint number[];
        layout(location = 0) out vec2 to_uv; layout(location = 1) flat out uint to_number;
        layout(location = 2) out vec4 more;
        void main() {{ {body} }}"
    );
    program(&[("vert", VERTEX), ("geom", &text), ("frag", FRAGMENT)])
}

/// Emits the vertices of a triangle, moved and turned by a number.
const TWICE: &str = "for (int turn = 0; turn < 2; turn++) {
        for (int at = 0; at < 3; at++) {
            int from = (at + turn) % 3;
            gl_Position = gl_in[from].gl_Position * vec4(0.75, 0.75, 1.0, 1.0) + vec4(float(turn) * 0.25, 0.0, 0.0, 0.0);
            to_uv = uv[from]; to_number = number[from] * 2u + uint(turn);
            more = vec4(float(gl_PrimitiveIDIn), gl_in[from].gl_Position.z, 0.0, float(gl_InvocationID));
            gl_PrimitiveID = gl_PrimitiveIDIn * 10 + turn;
            EmitVertex();
        }
        EndPrimitive();
    }";

#[test]
fn geometry_shaders_agree_with_the_software_device() {
    let strip = "for (int at = 0; at < 3; at++) {
            gl_Position = gl_in[at].gl_Position; to_uv = uv[at]; to_number = number[at]; more = vec4(1.0, 2.0, 3.0, 4.0);
            gl_PrimitiveID = 3;
            EmitVertex();
        }
        // A second triangle on the first one's last edge.
        gl_Position = gl_in[1].gl_Position + gl_in[2].gl_Position - gl_in[0].gl_Position;
        gl_Position.w = max(gl_Position.w, 0.5);
        to_uv = uv[0] + 1.0; to_number = 77u; more = vec4(0.5); gl_PrimitiveID = 4;
        EmitVertex();";
    let points = "vec4 middle = gl_in[0].gl_Position;
        for (int at = 0; at < 4; at++) {
            gl_Position = middle + vec4(float(at & 1) - 0.5, float(at >> 1) - 0.5, 0.0, 0.0) * 0.5 * middle.w;
            to_uv = uv[0]; to_number = number[0]; more = vec4(float(at), 0.0, 0.0, float(gl_PrimitiveIDIn));
            gl_PrimitiveID = gl_PrimitiveIDIn;
            EmitVertex();
        }";
    let lines = "for (int at = 0; at < 3; at++) {
            gl_Position = at < 2 ? gl_in[at].gl_Position : vec4(0.0, 0.9, 0.5, 1.0);
            to_uv = uv[at & 1]; to_number = number[0] + number[1]; more = vec4(0.0);
            gl_PrimitiveID = 5;
            EmitVertex();
        }";
    let adjacent = "for (int at = 0; at < 3; at++) {
            gl_Position = gl_in[at * 2].gl_Position; to_uv = uv[at * 2 + 1]; to_number = number[5]; more = vec4(at); gl_PrimitiveID = 9;
            EmitVertex();
        }
        EndPrimitive();";
    let cases = [
        ("twice", "triangles", "triangle_strip, max_vertices = 6", TWICE),
        ("invocations", "triangles, invocations = 3", "triangle_strip, max_vertices = 6", TWICE),
        ("strip", "triangles", "triangle_strip, max_vertices = 4", strip),
        ("points", "points", "triangle_strip, max_vertices = 4", points),
        ("lines", "lines", "triangle_strip, max_vertices = 3", lines),
        ("adjacency", "triangles_adjacency", "triangle_strip, max_vertices = 3", adjacent),
    ];
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(name, input, output, body)| {
            agrees_over(name, &geometry(input, output, body), 1e-5, (true, 100)).err()
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// How many samples of the first attachment were drawn to.
pub(super) fn drawn(execution: &lanescope_run::Execution) -> usize {
    let clear: Vec<u8> = crate::gpu::scene::CLEAR.0.iter().flat_map(|part| part.to_le_bytes()).collect();
    execution.contents("color0").as_chunks::<16>().0.iter().filter(|sample| sample.as_slice() != clear).count()
}

#[test]
fn emitted_points_and_lines_are_rasterised() {
    let one = |output: &str, body: &str| {
        let body =
            format!("if (gl_PrimitiveIDIn == 0) {{ to_uv = vec2(3.0); to_number = 1u; more = vec4(0.0); {body} }}");
        interpreted(&geometry("triangles", output, &body), &Inputs::default())
    };
    let point = "gl_Position = vec4(0.0, 0.0, 0.5, 1.0); gl_PointSize = 4.0; EmitVertex();";
    assert_eq!(drawn(&one("points, max_vertices = 1", point)), 4 * 4 * 4);
    let line = "gl_Position = vec4(-0.5, 0.015625, 0.5, 1.0); EmitVertex();
        gl_Position = vec4(0.5, 0.015625, 0.5, 1.0); EmitVertex();";
    assert_eq!(drawn(&one("line_strip, max_vertices = 2", line)), 32 * 4);
    let alone = "gl_Position = vec4(-0.5, 0.0, 0.5, 1.0); EmitVertex();";
    assert_eq!(drawn(&one("line_strip, max_vertices = 2", alone)), 0);
}

#[test]
fn vertices_beyond_the_most_are_dropped_and_reported() {
    let body = "for (int at = 0; at < 5; at++) { gl_Position = gl_in[at % 3].gl_Position; to_uv = vec2(0.0);
        to_number = 0u; more = vec4(0.0); EmitVertex(); }";
    let run = interpreted(&geometry("triangles", "triangle_strip, max_vertices = 3", body), &Inputs::default()).run;
    assert!(run.findings.iter().any(|found| found.message.contains("max_vertices")), "{:?}", run.findings);
}

#[test]
fn a_place_names_an_invocation_of_a_primitive() {
    let program = geometry("triangles, invocations = 3", "triangle_strip, max_vertices = 6", TWICE);
    let launch = |primitive, invocation| {
        let place = DrawPlace::Primitive { primitive, invocation };
        let call = DrawCall { wave: 8, place, groups: None };
        Launch::draw(&program, call, &Inputs::default(), Options::default(), LIMIT)
    };
    let at = launch(4, 2).expect("an invocation");
    assert_eq!(at.machine.primitive(at.chosen.1), Some((4, 2)));
    let why = launch(6, 0).expect_err("not there").to_string();
    assert!(why.contains("primitive 6: there are 6"), "{why}");
}
