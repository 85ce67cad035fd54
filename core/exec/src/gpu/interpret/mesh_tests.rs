//! Mesh and task shaders in the interpreter. The software device has none: pictures are compared with what the shaders
//! are written to draw.

use super::draw_tests::interpreted;
use super::{DrawCall, DrawPlace, Launch, Waves, run};
use crate::gpu::Inputs;
use lanescope_interpreter::Options;
use lanescope_model::options::DerivativesBy;
use lanescope_model::program::Program;
use lanescope_passes::workgroup::rewrite::rewrite;
use lanescope_testing::program;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);

const EXTENSION: &str = "#extension GL_EXT_mesh_shader : require\n";

const FRAGMENT: &str = "layout(location = 0) in vec2 place; layout(location = 1) perprimitiveEXT flat in uvec2 cell;
    layout(location = 0) out vec4 result; layout(location = 1) out uvec4 numbers;
    void main() { result = vec4(place, 0.0, 1.0); numbers = uvec4(cell, gl_PrimitiveID, 1u); }";

/// A mesh shader whose workgroup draws a row of 4 cells of 16x16 pixels: a strip of 10 vertices, 8 triangles.
const MESH: &str = "layout(local_size_x = 10) in;
    layout(triangles, max_vertices = 10, max_primitives = 8) out;
    layout(location = 0) out vec2 place[]; layout(location = 1) perprimitiveEXT flat out uvec2 cell[];
    PAYLOAD
    void main() {
        uint row = ROW;
        SetMeshOutputsEXT(10u, 8u);
        uint i = gl_LocalInvocationIndex;
        vec2 at = vec2(float(i / 2u) * 0.5, float(row + (i & 1u)) * 0.5) - 1.0;
        gl_MeshVerticesEXT[i].gl_Position = vec4(at, 0.5, 1.0);
        place[i] = (at + 1.0) * 32.0;
        if (i < 8u) {
            gl_PrimitiveTriangleIndicesEXT[i] = uvec3(i, i + 1u, i + 2u);
            gl_MeshPrimitivesEXT[i].gl_PrimitiveID = int(100u + i);
            gl_MeshPrimitivesEXT[i].gl_CullPrimitiveEXT = CULL;
            cell[i] = uvec2(i / 2u, row);
        }
    }";

fn mesh(row: &str, cull: &str, payload: &str) -> String {
    let text = MESH.replace("ROW", row).replace("CULL", cull).replace("PAYLOAD", payload);
    format!("{EXTENSION}{text}")
}

fn fragment() -> String {
    format!("{EXTENSION}{FRAGMENT}")
}

fn of_mesh(row: &str, cull: &str) -> Program {
    program(&[("mesh", &mesh(row, cull, "")), ("frag", &fragment())])
}

/// By pixel: its place, and its cell, primitive and whether it was drawn, of the first sample.
fn pixels(program: &Program, groups: [u32; 3]) -> Vec<([f32; 2], [u32; 4])> {
    let inputs = Inputs::default();
    let run =
        run(program, &Waves::row_major(32, [0; 3]), Some(groups), &inputs, LIMIT).unwrap_or_else(|why| panic!("{why}"));
    let words = |name: &str| {
        let (words, _) = run.contents(name).as_chunks::<4>();
        words.iter().map(|word| u32::from_le_bytes(*word)).collect::<Vec<_>>()
    };
    let (places, numbers) = (words("color0"), words("color1"));
    let pixel = |at: usize| {
        let four = |all: &[u32]| [all[at * 16], all[at * 16 + 1], all[at * 16 + 2], all[at * 16 + 3]];
        let [x, y, ..] = four(&places).map(f32::from_bits);
        ([x, y], four(&numbers))
    };
    (0..64 * 64).map(pixel).collect()
}

/// Pixels away from the diagonals of cells have what the shader gives them, in these rows of cells; others are clear.
fn check(program: &Program, groups: [u32; 3], drawn: impl Fn(u32, u32) -> bool) {
    for (at, (place, numbers)) in (0u32..).zip(pixels(program, groups)) {
        let (x, y) = (at % 64, at / 64);
        let (cx, cy) = (x / 16, y / 16);
        let (ix, iy) = (x % 16, y % 16);
        if ix + iy == 15 || ix + iy == 16 || ix + iy == 14 {
            continue;
        }
        // Odd triangles have the lower right half of a cell.
        let number = cx * 2 + u32::from(ix + iy > 15);
        if drawn(cy, number) {
            assert_eq!(numbers, [cx, cy, 100 + number, 1], "pixel {x},{y}");
            // The first sample's fragment is shaded at the centre.
            let near = |at: usize, pixel: u32| (place[at] - (pixel as f32 + 0.5)).abs() < 1e-4;
            assert!(near(0, x) && near(1, y), "pixel {x},{y}: {place:?}");
        } else {
            assert_eq!(numbers, [1, 2, 3, 4], "pixel {x},{y}");
        }
    }
}

#[test]
fn mesh_workgroups_draw_their_cells() {
    check(&of_mesh("gl_WorkGroupID.y * 2u + gl_WorkGroupID.x", "false"), [2, 2, 1], |_, _| true);
    check(&of_mesh("gl_WorkGroupID.x", "false"), [3, 1, 1], |row, _| row < 3);
    check(&of_mesh("gl_WorkGroupID.x", "(i % 3u) == 1u"), [4, 1, 1], |_, number| number % 3 != 1);
}

#[test]
fn task_workgroups_launch_mesh_workgroups_with_a_payload() {
    let payload = "struct Rows { uint rows[4]; uvec2 pad; }; taskPayloadSharedEXT Rows payload;";
    let task = format!(
        "{EXTENSION}layout(local_size_x = 32) in; {payload}
        void main() {{
            uint i = gl_LocalInvocationIndex;
            if (i < 4u) payload.rows[i] = 3u - (gl_WorkGroupID.x * 2u + i);
            EmitMeshTasksEXT(gl_WorkGroupID.x == 0u ? 2u : 1u, 1, 1);
        }}"
    );
    let shader = mesh("payload.rows[gl_WorkGroupID.x]", "false", payload);
    let program = program(&[("task", &task), ("mesh", &shader), ("frag", &fragment())]);
    // Rows 3 and 2 of the first task workgroup, row 1 of the second.
    check(&program, [2, 1, 1], |row, _| row >= 1);
    let launch = |place, groups| {
        let call = DrawCall { wave: 8, place, groups: Some(groups) };
        Launch::draw(&program, call, &Inputs::default(), Options::default(), LIMIT)
    };
    let task = launch(DrawPlace::Task([1, 0, 0]), [2, 1, 1]).expect("a task");
    assert_eq!((task.machine.group(), task.waves.lanes.waves.len()), ([1, 0, 0], 4));
    let mesh = launch(DrawPlace::Mesh([2, 0, 0]), [2, 1, 1]).expect("a mesh");
    assert_eq!(mesh.machine.group(), [2, 0, 0]);
    let why = launch(DrawPlace::Mesh([3, 0, 0]), [2, 1, 1]).expect_err("not there").to_string();
    assert!(why.contains("mesh workgroup 3,0,0: there are 3×1×1 workgroups"), "{why}");
}

#[test]
fn lines_and_points_of_mesh_shaders_are_rasterised() {
    let text = |kind: &str, body: &str| {
        let shader = format!(
            "{EXTENSION}layout(local_size_x = 2) in; layout({kind}, max_vertices = 2, max_primitives = 2) out;
            layout(location = 0) out vec2 place[]; layout(location = 1) perprimitiveEXT flat out uvec2 cell[];
            void main() {{
                uint i = gl_LocalInvocationIndex; SetMeshOutputsEXT(2u, COUNT);
                gl_MeshVerticesEXT[i].gl_Position = vec4(float(i) - 0.5, 0.015625, 0.5, 1.0);
                gl_MeshVerticesEXT[i].gl_PointSize = 2.0; place[i] = vec2(i); cell[i] = uvec2(5u, 6u); {body} }}"
        );
        let shader = shader.replace("COUNT", if kind == "lines" { "1u" } else { "2u" });
        program(&[("mesh", &shader), ("frag", &fragment())])
    };
    let drawn = |program: &Program| super::stage_tests::drawn(&interpreted(program, &Inputs::default()));
    let lines = text("lines", "if (i == 0u) gl_PrimitiveLineIndicesEXT[0] = uvec2(0u, 1u);");
    assert_eq!(drawn(&lines), 32 * 4);
    assert_eq!(drawn(&text("points", "gl_PrimitivePointIndicesEXT[i] = i;")), 2 * 4 * 4);
    // An index beyond the vertices: not drawn.
    assert_eq!(drawn(&text("points", "gl_PrimitivePointIndicesEXT[i] = i * 2u;")), 4 * 4);
}

#[test]
fn counts_beyond_what_is_declared_are_reported() {
    let shader = mesh("0u", "false", "").replace("SetMeshOutputsEXT(10u, 8u)", "SetMeshOutputsEXT(11u, 8u)");
    let program = program(&[("mesh", &shader), ("frag", &fragment())]);
    let findings = interpreted(&program, &Inputs::default()).run.findings;
    assert!(findings.iter().any(|found| found.message.contains("max_primitives")), "{findings:?}");
}

#[test]
fn too_many_workgroups_are_refused() {
    let program = of_mesh("0u", "false");
    let waves = Waves::row_major(32, [0; 3]);
    let why = run(&program, &waves, Some([1 << 16, 1 << 16, 1]), &Inputs::default(), LIMIT).expect_err("refused");
    assert!(why.to_string().contains("bytes"), "{why}");
}

/// A mesh or task shader that writes its derivatives and ids to a buffer.
fn derivatives_of(stage: &str, group: &str, size: [u32; 3]) -> Program {
    let [x, y, z] = size;
    let (model, modes, end) = match stage {
        "Mesh" => (
            "MeshEXT",
            "OpExecutionMode %main OutputVertices 3\nOpExecutionMode %main OutputPrimitivesEXT 1\n\
             OpExecutionMode %main OutputTrianglesEXT\n",
            "OpSetMeshOutputsEXT %u0 %u0\nOpReturn",
        ),
        _ => ("TaskEXT", "", "OpEmitMeshTasksEXT %u1 %u1 %u1"),
    };
    let text = format!(
        "OpCapability MeshShadingEXT\nOpCapability DerivativeControl\nOpCapability ComputeDerivativeGroup{group}KHR
         OpExtension \"SPV_EXT_mesh_shader\"\nOpExtension \"SPV_KHR_compute_shader_derivatives\"
         OpMemoryModel Logical GLSL450\nOpEntryPoint {model} %main \"main\" %local %index %global %out
         OpExecutionMode %main LocalSize {x} {y} {z}\nOpExecutionMode %main DerivativeGroup{group}KHR\n{modes}
         OpName %out \"out\"\nOpDecorate %local BuiltIn LocalInvocationId\nOpDecorate %index BuiltIn LocalInvocationIndex
         OpDecorate %global BuiltIn GlobalInvocationId\nOpDecorate %all ArrayStride 16\nOpDecorate %block Block
         OpMemberDecorate %block 0 Offset 0\nOpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 0
         %void = OpTypeVoid\n%to = OpTypeFunction %void\n%float = OpTypeFloat 32\n%uint = OpTypeInt 32 0
         %v2 = OpTypeVector %float 2\n%v4 = OpTypeVector %float 4\n%u3 = OpTypeVector %uint 3\n%all = OpTypeRuntimeArray %v4
         %block = OpTypeStruct %all\n%pb = OpTypePointer StorageBuffer %block\n%pv = OpTypePointer StorageBuffer %v4
         %pi = OpTypePointer Input %uint\n%pi3 = OpTypePointer Input %u3
         %u0 = OpConstant %uint 0\n%u1 = OpConstant %uint 1\n%three = OpConstant %float 3
         %group = OpConstant %uint {invocations}\n%width = OpConstant %uint {x}
         %local = OpVariable %pi3 Input\n%index = OpVariable %pi Input\n%global = OpVariable %pi3 Input
         %out = OpVariable %pb StorageBuffer
         %main = OpFunction %void None %to\n%start = OpLabel
         %l = OpLoad %u3 %local\n%i = OpLoad %uint %index\n%g = OpLoad %u3 %global
         %lx = OpCompositeExtract %uint %l 0\n%ly = OpCompositeExtract %uint %l 1\n%gx = OpCompositeExtract %uint %g 0
         %fx = OpConvertUToF %float %lx\n%fy = OpConvertUToF %float %ly\n%fg = OpConvertUToF %float %gx
         %xx = OpFMul %float %fx %fx\n%yy = OpFMul %float %fy %three\n%xy = OpFMul %float %xx %yy
         %sum = OpFAdd %float %xy %fg\n%a = OpDPdxFine %float %sum\n%b = OpDPdyFine %float %sum
         %c = OpFwidthCoarse %float %sum\n%d = OpConvertUToF %float %gx
         %of = OpUDiv %uint %gx %width\n%first = OpIMul %uint %of %group\n%at = OpIAdd %uint %first %i
         %v = OpCompositeConstruct %v4 %a %b %c %d\n%p = OpAccessChain %pv %out %u0 %at\nOpStore %p %v
         {end}\nOpFunctionEnd",
        invocations = x * y * z,
    );
    // A task shader alone launches nothing.
    let mesh = mesh("0u", "true", "");
    let plain = "layout(location = 0) out vec4 result; void main() { result = vec4(1); }";
    let (last, all) = (("frag", plain), ("frag", fragment()));
    match stage {
        "Mesh" => program(&[("spvasm", &text), last]),
        _ => program(&[("spvasm", &text), ("mesh", &mesh), (all.0, &all.1)]),
    }
}

#[test]
fn computed_derivatives_of_mesh_and_task_shaders_are_those_of_their_groups() {
    let written = |program: &Program, size: [u32; 3]| {
        let waves = Waves::row_major(32, size);
        let inputs = Inputs::default();
        let run = run(program, &waves, Some([2, 1, 1]), &inputs, LIMIT).unwrap_or_else(|why| panic!("{why}"));
        run.contents("set0.binding0").to_vec()
    };
    for (stage, group, size) in [
        ("Mesh", "Quads", [6, 4, 1]),
        ("Mesh", "Linear", [6, 2, 3]),
        ("Task", "Quads", [8, 2, 2]),
        ("Mesh", "Quads", [2, 2, 1]),
    ] {
        let given = derivatives_of(stage, group, size);
        let native = written(&given, size);
        assert!(native.chunks(16).filter(|row| row[..12].iter().any(|byte| *byte != 0)).count() > 8, "{stage} {group}");
        for derivatives_by in [DerivativesBy::Quad, DerivativesBy::Shuffle] {
            let options = lanescope_model::options::Options { derivatives_by, ..Default::default() };
            let done = rewrite(&given, &options).unwrap_or_else(|error| panic!("{stage} {group}: {error}"));
            let computed: usize = done.stages.iter().map(|row| row.derivatives.len()).sum();
            assert_eq!(computed, 3, "{stage} {group}");
            let [x, y, z] = size;
            lanescope_load::check(&done.program.modules[0].module).unwrap_or_else(|why| panic!("{stage}: {why}"));
            assert_eq!(written(&done.program, [x * y * z, 1, 1]), native, "{stage} {group} {derivatives_by}");
        }
    }
}
