//! Programs written as Amber scripts: each runs again with the results that it states, in the interpreter and on the
//! software device.

use std::path::{Path, PathBuf};

use crate::common::{file, outcome, samples};
use tempfile::TempDir;

/// Status, output and errors of an export, and the script that it wrote.
struct Exported {
    folder: TempDir,
    status: i32,
    said: String,
    path: PathBuf,
}

impl Exported {
    fn of(files: &[&str], flags: &[&str]) -> Exported {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("out.amber");
        let out = path.to_str().expect("UTF-8");
        let arguments = [&["export", "--amber"][..], files, flags, &["-o", out]].concat();
        let (status, stdout, stderr) = outcome(arguments);
        let said = format!("{stdout}{stderr}").replace(out, "out.amber");
        Exported { said, status, path, folder }
    }

    fn text(&self) -> String {
        std::fs::read_to_string(&self.path).expect("is written")
    }

    /// The status of a run of the script, and the last line but for what it requires of a device.
    fn ran(&self, device: &str) -> (i32, String) {
        let path = self.path.to_str().expect("UTF-8");
        let (status, stdout, stderr) = outcome(["run", path, "--device", device]);
        let about = |line: &&str| !line.starts_with("requirements that were not checked: ");
        let last = stdout.lines().rfind(about).unwrap_or(&stderr).replace(path, "out.amber");
        (status, last)
    }

    /// It runs with the same results on both.
    fn runs_everywhere(&self) {
        for device in ["interpreter", "llvmpipe"] {
            let (status, last) = self.ran(device);
            assert_eq!((status, last.ends_with("all passed")), (0, true), "{device}: {last}\n{}", self.text());
        }
    }
}

fn sample(name: &str) -> String {
    samples().join(name).to_string_lossy().into_owned()
}

/// A shader in a folder of its own.
fn source(name: &str, text: &str) -> (TempDir, String) {
    let (folder, path) = file(name, text);
    (folder, path.to_string_lossy().into_owned())
}

/// What becomes of each sample's script on the software device.
#[derive(Clone, Copy, PartialEq)]
enum Elsewhere {
    Passes,
    /// Its results are those of subgroups of a size, or undefined: the output or the findings say so.
    Differs(&'static str),
    /// The device lacks something.
    Lacks,
}

#[test]
fn every_sample_that_can_run_runs_from_its_script() {
    use Elsewhere::{Differs, Lacks, Passes};
    let all: &[(&[&str], i32, Elsewhere)] = &[
        (&["bent_patch.vert", "bent_patch.tesc", "bent_patch.tese", "bent_patch.frag"], 0, Differs("the tessellator")),
        (&["design_note.vert", "design_note.frag"], 0, Lacks),
        (&["divergent_derivative.comp"], 0, Differs("E004")),
        (&["divergent_sample.vert", "divergent_sample.frag"], 0, Passes),
        (&["dynamic_index.vert", "dynamic_index.frag"], 0, Passes),
        // The device interpolates `noperspective` of a clipped triangle to NaN.
        (&["flat_and_smooth.vert", "flat_and_smooth.frag"], 0, Differs("")),
        (&["half_precision.vert", "half_precision.frag"], 0, Lacks),
        (&["lit_surface.vert", "lit_surface.frag"], 0, Passes),
        (&["matrix_and_array.vert", "matrix_and_array.frag"], 0, Passes),
        (&["missing_input.vert", "missing_input.frag"], 0, Passes),
        (&["odd_size.comp"], 0, Differs("the results may not be the same everywhere")),
        (&["packing_sensitive.vert", "packing_sensitive.frag"], 0, Differs("")),
        (&["particles_1024.comp"], 0, Passes),
        (&["quad_derivatives.comp"], 0, Passes),
        (&["race.comp"], 1, Passes),
        (&["rotated_halves.vert", "rotated_halves.geom", "rotated_halves.frag"], 0, Passes),
        (&["row_sums.comp.wgsl"], 0, Passes),
        (&["spec_size.comp"], 0, Passes),
        (&["striped_ring.wgsl"], 0, Passes),
        (&["tile_16x16.comp"], 0, Passes),
        (&["wave_size.comp"], 0, Differs("E014")),
        (&["dxil/prefix_sum.cs.dxil"], 0, Passes),
        (&["dxil/lit_surface.vs.dxil", "dxil/lit_surface.ps.dxil"], 0, Passes),
    ];
    for (names, status, elsewhere) in all {
        let files: Vec<String> = names.iter().map(|name| sample(name)).collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let exported = Exported::of(&files, &["--first-level"]);
        assert_eq!(exported.status, *status, "{names:?}: {}", exported.said);
        let (own, last) = exported.ran("interpreter");
        assert!(own == *status || own == 0, "{names:?}: {own}: {last}");
        assert!(last.ends_with(" checks: all passed") || last.ends_with(" check: all passed"), "{names:?}: {last}");
        let (other, last) = exported.ran("llvmpipe");
        match elsewhere {
            Passes => assert_eq!((other, last.ends_with("all passed")), (0, true), "{names:?}: {last}"),
            Differs(why) => assert!(other == 1 && exported.said.contains(why), "{names:?}: {other}: {}", exported.said),
            Lacks => assert_eq!(other, 3, "{names:?}: {last}"),
        }
    }
}

#[test]
fn inputs_are_those_of_a_run() {
    let text = "#version 450
layout(constant_id = 3) const uint factor = 2;
layout(constant_id = 4) const double wide = 0.5;
layout(set = 1, binding = 0) uniform Scale { vec3 by; float more; } scale;
layout(set = 0, binding = 2) buffer Items { uint count; float sums[]; } items;
layout(push_constant) uniform Push { int from; vec2 offset; };
void main() {
    uint at = gl_GlobalInvocationID.x;
    items.sums[at] = scale.by[at % 3] * scale.more + offset.y + float(factor) * float(wide) + float(from);
    if (at == 0) items.count = factor;
}
";
    let (_folder, path) = source("a.comp", text);
    let buffers = ["--buffer", "1:0=float 1,2,3,4", "--buffer", "0:2=uint 9; float 0,0,0,0,0,0,0"];
    let push = ["--push", "int from=-3; vec2 offset=0,0.25", "--groups", "7,1,1", "--spec", "factor=5"];
    let exported = Exported::of(&[&path], &[&buffers[..], &push[..]].concat());
    assert_eq!(exported.status, 0, "{}", exported.said);
    let script = exported.text();
    for line in [
        "SHADER compute compute_shader GLSL TARGET_ENV \"spv1.5\"",
        "layout(constant_id = 3) const uint factor = 2;",
        "  ATTACH compute_shader SPECIALIZE 3 AS uint32 5",
        "STRUCT type_of_items STRIDE 32\n  uint32 count OFFSET 0\n  float sums_0 OFFSET 4",
        "BUFFER scale DATA_TYPE vec4<float> DATA\n 1.0 2.0 3.0 4.0\nEND",
        "BUFFER push_constants DATA_TYPE type_of_push_constants DATA\n -3 0.0 0.25\nEND",
        "RUN program 7 1 1",
        "EXPECT items IDX 0 TOLERANCE 0.002 EQ 5 3.75 7.75 11.75 3.75 7.75 11.75 3.75",
    ] {
        assert!(script.contains(line), "{line}\n{script}");
    }
    exported.runs_everywhere();
    // A constant that no script sets is set in the assembly.
    let exported = Exported::of(&[&path], &[&buffers[..], &push[..], &["--spec", "wide=1.5"]].concat());
    assert_eq!(exported.status, 0, "{}", exported.said);
    let script = exported.text();
    assert!(script.contains("SHADER compute compute_shader SPIRV-ASM") && !script.contains("SPECIALIZE"), "{script}");
    assert!(script.contains("EQ 5 8.75 12.75"), "{script}");
    exported.runs_everywhere();
    // Another tolerance.
    let exported = Exported::of(&[&path], &[&buffers[..], &push[..], &["--tolerance", "0.125"]].concat());
    assert!(exported.text().contains("EXPECT items IDX 0 TOLERANCE 0.125 EQ"), "{}", exported.text());
    // What the device computes instead.
    let exported = Exported::of(&[&path], &[&buffers[..], &push[..], &["--device", "llvmpipe"]].concat());
    assert!(exported.status == 0 && exported.said.contains("of what device llvmpipe computes"), "{}", exported.said);
    assert!(exported.text().contains("What is expected was computed by: device llvmpipe"), "{}", exported.text());
    exported.runs_everywhere();
}

#[test]
fn draws_have_their_vertices_state_and_pixels() {
    let vertex = "#version 450
layout(location = 0) in vec2 at;
layout(location = 3) in vec4 tint;
layout(location = 0) out vec4 color;
void main() { gl_Position = vec4(at, 0.5, 1); color = tint + gl_InstanceIndex * vec4(0, 0, 0.5, 0); }
";
    let fragment = "#version 450
layout(location = 0) in vec4 tint;
layout(location = 0) out vec4 color;
layout(location = 1) out uvec2 place;
layout(set = 0, binding = 0, r32ui) uniform uimage2D seen;
void main() {
    color = tint;
    place = uvec2(gl_FragCoord.xy);
    gl_FragDepth = 0.25;
    imageAtomicAdd(seen, ivec2(gl_FragCoord.xy), 7);
}
";
    let (_vertex, vertex) = source("a.vert", vertex);
    let (_fragment, fragment) = source("a.frag", fragment);
    let rows = "at.x,at.y,tint.x,tint.y\n-1,-1,1,0\n1,-1,1,0\n-1,1,0,1\n1,1,0,1\n";
    let (_rows, rows) = source("rows.csv", rows);
    let (_order, order) = source("order.txt", "0 1 2 3");
    let flags = [
        "--vertices",
        &rows,
        "--indices",
        &order,
        "--topology",
        "triangle-strip",
        "--size",
        "8x4",
        "--instances",
        "2",
        "--zeros",
    ];
    let exported = Exported::of(&[&vertex, &fragment], &flags);
    assert_eq!(exported.status, 0, "{}", exported.said);
    let script = exported.text();
    for line in [
        "  FRAMEBUFFER_SIZE 8 4",
        "  VERTEX_DATA attribute0 LOCATION 0",
        "  VERTEX_DATA attribute3 LOCATION 3",
        "  INDEX_DATA indices",
        "BUFFER color0 FORMAT R32G32B32A32_SFLOAT",
        "BUFFER color1 FORMAT R32G32_UINT",
        "  BIND BUFFER depth AS depth_stencil",
        "TEST on WRITE on COMPARE_OP always",
        "IMAGE seen FORMAT R32_UINT DIM_2D WIDTH 64 HEIGHT 64",
        "RUN program DRAW_ARRAY AS TRIANGLE_STRIP INDEXED START_IDX 0 COUNT 4 INSTANCE_COUNT 2",
        "EXPECT color1 IDX 0 EQ 0 0 1 0 2 0 ",
        "EXPECT depth IDX 0 TOLERANCE",
        "EXPECT seen IDX 0 EQ 14 14 14 14 14 14 14 14 0 ",
    ] {
        assert!(script.contains(line), "{line}\n{script}");
    }
    exported.runs_everywhere();
}

/// The reference compiles GLSL for SPIR-V up to 1.5, and assembles later versions too.
#[test]
fn what_glsl_of_a_script_cannot_become_is_assembly() {
    let vertex = "#version 450\nvoid main() { gl_Position = vec4(vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4 - 1, 0.5, 1); }\n";
    // It ends invocations, which 1.6 has another instruction for.
    let fragment = "#version 450\nlayout(location = 0) out vec4 color;\n\
        void main() { if (gl_FragCoord.x < 2.0) discard; color = vec4(0.25); }\n";
    let (_vertex, vertex) = source("a.vert", vertex);
    let (_fragment, fragment) = source("a.frag", fragment);
    let exported = Exported::of(&[&vertex, &fragment], &["--size", "4x4"]);
    assert_eq!(exported.status, 0, "{}", exported.said);
    let script = exported.text();
    for line in [
        "SHADER vertex vertex_shader GLSL TARGET_ENV \"spv1.5\"",
        "SHADER fragment fragment_shader SPIRV-ASM TARGET_ENV \"spv1.6\"",
    ] {
        assert!(script.contains(line), "{line}\n{script}");
    }
    exported.runs_everywhere();
    // `END` anywhere ends a shader's text: the names that have it are left out, and code that has it is refused.
    let text = "#version 450\nlayout(binding = 0) buffer B { uint BLEND[]; };\nvoid main() { BLEND[0] = 5; }\n";
    let (_folder, path) = source("a.comp", text);
    let exported = Exported::of(&[&path], &[]);
    assert_eq!(exported.status, 0, "{}", exported.said);
    let script = exported.text();
    assert!(script.contains("SPIRV-ASM") && !script.contains("OpName"), "{script}");
    exported.runs_everywhere();
    let assembly = "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"WEEKEND\"\n\
        OpExecutionMode %main LocalSize 1 1 1\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n\
        %main = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n";
    let (_folder, path) = source("a.spvasm", assembly);
    let exported = Exported::of(&[&path], &[]);
    let said = "the SPIRV-ASM text of the compute shader has `END` in line ";
    assert!(exported.status == 3 && exported.said.contains(said), "{}: {}", exported.status, exported.said);
}

/// A great number does not make the tolerance of the small ones beside it, and nothing passes unchecked.
#[test]
fn each_check_tolerates_a_part_of_its_own_numbers() {
    let text = "#version 450\nlayout(local_size_x = 8) in;\nlayout(binding = 0) buffer B { float d[]; };\n\
        void main() { uint at = gl_GlobalInvocationID.x; d[at] = at == 0u ? 1e30 : float(at); }\n";
    let (_folder, path) = source("a.comp", text);
    let exported = Exported::of(&[&path], &[]);
    assert_eq!(exported.status, 0, "{}", exported.said);
    let script = exported.text();
    assert!(script.contains("EXPECT B IDX 4 TOLERANCE 0.0007 EQ 1.0 2.0 3.0"), "{script}");
    std::fs::write(&exported.path, script.replace("float(at)", "0.0")).expect("writable");
    let (status, last) = exported.ran("interpreter");
    assert!(status == 1 && last.ends_with(" checks: 1 failed"), "{last}");
    let (_folder, path) = source("a.comp", "#version 450\nvoid main() {}\n");
    let exported = Exported::of(&[&path], &[]);
    let said = "out.amber: 0 checks of what the interpreter computes; read back and run\n  nothing is checked: the program writes nothing\n";
    assert_eq!((exported.status, exported.said.as_str()), (1, said));
    let (status, last) = exported.ran("interpreter");
    assert_eq!((status, last.as_str()), (0, "out.amber: 1 command, 1 run, 0 checks: nothing is checked"));
}

#[test]
fn what_a_script_cannot_state_is_named() {
    let refused = |files: &[&str], flags: &[&str], said: &str| {
        let exported = Exported::of(files, flags);
        assert!(exported.status == 3 && exported.said.contains(said), "{said}: {}: {}", exported.status, exported.said);
        assert!(!exported.path.exists() && exported.folder.path().exists(), "nothing is written");
    };
    let lit = [sample("lit_surface.vert"), sample("lit_surface.frag")];
    let lit: Vec<&str> = lit.iter().map(String::as_str).collect();
    refused(&lit, &[], "combined image sampler at set 0, binding 0: 7 mip levels");
    refused(&[&sample("tile_16x16.comp")], &["--wave", "64"], "--wave: the device chooses the wave size");
    let mesh = [sample("tile_rows.task"), sample("tile_rows.mesh"), sample("tile_rows.frag")];
    let mesh: Vec<&str> = mesh.iter().map(String::as_str).collect();
    refused(&mesh, &[], "a task shader");
    refused(&[&sample("work_graphs/01_tile_classify.dxil")], &[], "a work graph");
    let text = "#version 450\nlayout(binding = 0, r32f) uniform image2DArray a;\nvoid main() { imageStore(a, ivec3(0), vec4(1)); }\n";
    let (_folder, layers) = source("a.comp", text);
    refused(&[&layers], &[], "storage image at set 0, binding 0: 4 layers");
    let described = |state: &str| {
        let vertex = "#version 450\nlayout(location = 0) in vec4 a;\nvoid main() { gl_Position = a; }\n";
        let fragment = "#version 450\nlayout(location = 0) out vec4 a;\nvoid main() { a = vec4(1); }\n";
        format!(
            "[VsGlsl]\n{vertex}\n[VsInfo]\nentryPoint = main\n\n[FsGlsl]\n{fragment}\n[FsInfo]\nentryPoint = main\n\n[GraphicsPipelineState]\n{state}\n"
        )
    };
    for (state, said) in [
        ("numSamples = 4", "an Amber script cannot be written: several samples for each pixel"),
        ("alphaToCoverageEnable = 1", "alpha to coverage"),
        (
            "colorBuffer[0].format = VK_FORMAT_R8G8B8A8_UNORM\ncolorBuffer[0].channelWriteMask = 7",
            "the write mask of a color",
        ),
    ] {
        let (_folder, path) = source("a.pipe", &described(state));
        refused(&[&path], &[], said);
    }
    let text = "[CsGlsl]\n#version 450\nlayout(binding = 0) buffer B { uint d[]; };\nvoid main() { d[0] = 1; }\n\n\
        [CsInfo]\nentryPoint = main\noptions.waveSize = 64\n";
    let (_folder, path) = source("a.pipe", text);
    refused(
        &[&path],
        &[],
        "the wave size of the compute shader in the pipeline file: the device chooses the wave size",
    );
    // An unusable input is one as everywhere.
    let exported = Exported::of(&[lit[0]], &[]);
    assert_eq!(exported.status, 2, "{}", exported.said);
    let (status, _, stderr) = outcome(["export", &sample("tile_16x16.comp"), "-o", "a.amber"]);
    assert!(status == 2 && stderr.contains("--amber"), "{stderr}");
    assert!(!Path::new("a.amber").exists());
}

#[test]
fn features_that_a_shader_needs_are_required() {
    let shader = "#version 450\n\
        #extension GL_EXT_shader_explicit_arithmetic_types : require\n#extension GL_EXT_shader_16bit_storage : require\n\
        #extension GL_EXT_shader_atomic_int64 : require\n\
        layout(local_size_x = 1) in;\nlayout(set = 0, binding = 0) buffer B { uint64_t wide; uint16_t small[2]; } b;\n\
        void main() { atomicAdd(b.wide, 2ul); b.small[0] = uint16_t(3); }\n";
    let (_folder, path) = file("wide.comp", shader);
    let exported = Exported::of(&[path.to_str().expect("UTF-8")], &[]);
    let text = exported.text();
    let required: Vec<&str> = text.lines().filter(|line| line.starts_with("DEVICE_FEATURE")).collect();
    assert_eq!(
        required,
        [
            "DEVICE_FEATURE shaderInt64",
            "DEVICE_FEATURE shaderInt16",
            "DEVICE_FEATURE Storage16BitFeatures.storageBuffer16BitAccess"
        ],
        "{text}"
    );
    let unnamed = "no DEVICE_FEATURE names what the capability Int64Atomics needs of a device";
    assert!(exported.status == 0 && exported.said.contains(unnamed), "{}", exported.said);
    let (status, said) = exported.ran("interpreter");
    assert!(status == 0 && said.ends_with("all passed"), "{said}");
}
