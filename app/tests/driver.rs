//! Real driver compilers: Mesa's AMD compiler compiles the samples for chips that are not installed.

use std::path::{Path, PathBuf};

use lanescope_core::driver::{Compilation, CompileOptions, Version, Way, choose, environment, versions};
use lanescope_core::load::{check, load};
use lanescope_core::options::Options;
use lanescope_core::program::{Program, StageKind};
use lanescope_core::target::Target;
use lanescope_host::worker::{Client, CompileRequest, Launch, Limits, Reply, Request, WorkerError};

/// The chips that every program is compiled for.
const CHIPS: [Target; 4] = [Target::Gfx900, Target::Gfx1010, Target::Gfx1030, Target::Gfx1100];

fn child(chip: Option<Target>) -> Client {
    let start = |way: Option<&Way>| {
        let environment = environment(way).into_iter().map(|(name, value)| (name.into(), value)).collect();
        let program = Some(PathBuf::from(lanescope_testing::executable(env!("CARGO_BIN_EXE_lanescope"))));
        Client::start(&Launch { program, limits: Limits::default(), environment }).expect("the executable starts")
    };
    let Some(chip) = chip else { return start(None) };
    let with = CompileOptions { chip: Some(chip.into()), ..CompileOptions::default() };
    let found = Way::to(chip.into(), None).into_iter().find_map(|way| {
        let mut client = start(Some(&way));
        let Ok(Reply::Devices(devices)) = client.ask(&Request::Devices) else { return None };
        choose(&devices, Some(&way), &with).map(|_| client)
    });
    found.unwrap_or_else(|| panic!("no installed driver compiles for {chip}: see `lanescope doctor`"))
}

fn compile(child: &mut Client, request: CompileRequest) -> Result<Compilation, WorkerError> {
    match child.ask(&Request::Compile(Box::new(request)))? {
        Reply::Compiled(compilation) => Ok(*compilation),
        other => panic!("a compilation is answered by {other:?}"),
    }
}

fn samples(files: &[&str]) -> Program {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let files: Vec<PathBuf> = files.iter().map(|file| folder.join(file)).collect();
    load(&files, &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// Every version of a program for a chip: what was made, or what the chip lacks.
fn all_versions(
    child: &mut Client,
    chip: Target,
    program: &Program,
    options: &Options,
) -> Vec<(Version, Result<Compilation, String>)> {
    let mut out = Vec::new();
    for version in versions(program, options, Version::ALL) {
        let program = version.program.unwrap_or_else(|why| panic!("{chip} {}: {why}", version.of));
        for loaded in &program.modules {
            check(&loaded.module).unwrap_or_else(|why| panic!("{chip} {}: {why}", version.of));
        }
        let with = CompileOptions { chip: Some(chip.into()), ..CompileOptions::default() };
        let request = CompileRequest { program, of: version.of, options: options.clone(), with };
        let made = match compile(child, request) {
            Ok(made) => Ok(made),
            Err(WorkerError::Failed(failure)) if failure.missing => Err(failure.message),
            Err(error) => panic!("{chip} {}: {error}", version.of),
        };
        out.push((version.of, made));
    }
    out
}

/// A program of GLSL texts, by stage extension.
fn program(texts: &[(&str, &str)]) -> Program {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let header = "#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n";
    let write = |(extension, text): &(&str, &str)| {
        let path = folder.path().join(format!("a.{extension}"));
        std::fs::write(&path, format!("{header}{text}")).expect("writes");
        path
    };
    let files: Vec<PathBuf> = texts.iter().map(write).collect();
    load(&files, &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// Compiles every version of a program for every chip. A chip outside of `must` may lack what `may_lack` names: then
/// all versions lack it alike, since rewriting asks for nothing that the original does not.
#[track_caller]
fn check_program(program: &Program, options: &Options, wanted: &[Version], must: &[Target], may_lack: &str) {
    for chip in CHIPS {
        let made = all_versions(&mut child(Some(chip)), chip, program, options);
        assert_eq!(made.iter().map(|(of, _)| *of).collect::<Vec<_>>(), wanted);
        for (of, made) in made {
            match made {
                Ok(made) => {
                    let stage = |stage: &StageKind| made.of_stage(*stage).and_then(|executable| executable.assembly());
                    let kinds: Vec<_> = program.stages.iter().map(|stage| stage.stage).collect();
                    let ends = |text: &str| text.contains("s_endpgm");
                    assert!(kinds.iter().all(|kind| stage(kind).is_some_and(ends)), "{chip} {of}: {made:?}");
                }
                Err(lacks) => assert!(!must.contains(&chip) && lacks.contains(may_lack), "{chip} {of}: {lacks}"),
            }
        }
    }
}

const PACKED: [Version; 2] = [Version::Original, Version::Packed];
const SWIZZLED: [Version; 2] = [Version::Original, Version::Swizzled];

#[test]
fn every_sample_compiles_as_written_and_rewritten() {
    let names = [
        "design_note",
        "dynamic_index",
        "flat_and_smooth",
        "half_precision",
        "lit_surface",
        "matrix_and_array",
        "missing_input",
    ];
    for name in names {
        let pair = samples(&[&format!("{name}.vert"), &format!("{name}.frag")]);
        // 16-bit varyings are not widened: every one of these chips takes them as they are.
        check_program(&pair, &Options::default(), &PACKED, &CHIPS, "");
    }
    // Fragment shaders without the stage before are compiled as libraries.
    let alone = names.map(|name| format!("{name}.frag"));
    for lone in alone.iter().map(String::as_str).chain(["depth_and_discard.frag", "shared_location.spvasm"]) {
        check_program(&samples(&[lone]), &Options::default(), &PACKED, &CHIPS, "");
    }
    let reconfig = Options { reconfig: true, ..Options::default() };
    for name in ["odd_size", "particles_1024", "spec_size", "tile_16x16"] {
        check_program(&samples(&[&format!("{name}.comp")]), &reconfig, &SWIZZLED, &CHIPS, "");
    }
    // RADV has derivatives in linear groups only, which the layout makes of quads.
    for chip in CHIPS {
        for (of, made) in all_versions(&mut child(Some(chip)), chip, &samples(&["quad_derivatives.comp"]), &reconfig) {
            match (of, made) {
                (Version::Original, Err(lacks)) => {
                    assert!(lacks.contains("computeDerivativeGroupQuads"), "{chip} {lacks}")
                }
                (_, made) => assert!(made.is_ok_and(|made| made.of_stage(StageKind::Compute).is_some()), "{chip} {of}"),
            }
        }
    }
}

#[test]
fn compiles_packed_custom_interpolation_if_supported() {
    let vertex = "layout(location = 0) in vec4 p; layout(location = 0) out vec3 a; layout(location = 1) out vec2 b;
        layout(location = 2) out vec2 c; layout(location = 3) out float d;
        void main() { gl_Position = p; a = p.xyz; b = p.zy; c = p.xw; d = p.w; }";
    let explicit = "#extension GL_AMD_shader_explicit_vertex_parameter : require
        layout(location = 0) __explicitInterpAMD in vec3 a; layout(location = 1) __explicitInterpAMD in vec2 b;
        layout(location = 2) in vec2 c; layout(location = 3) flat in float d; layout(location = 0) out vec4 colour;
        void main() { colour = vec4(interpolateAtVertexAMD(a, 1).zx, interpolateAtVertexAMD(b, 2)) + c.xyxy + d; }";
    let must = [Target::Gfx900, Target::Gfx1010, Target::Gfx1030];
    let lacks = "VK_AMD_shader_explicit_vertex_parameter";
    check_program(&program(&[("vert", vertex), ("frag", explicit)]), &Options::default(), &PACKED, &must, lacks);
    // Mesa 22.3 has this on no chip.
    let barycentric = "#extension GL_EXT_fragment_shader_barycentric : require
        layout(location = 0) pervertexEXT in vec3 a[3]; layout(location = 1) pervertexEXT in vec2 b[3];
        layout(location = 2) flat in vec2 c; layout(location = 3) in float d; layout(location = 0) out vec4 colour;
        void main() { colour = vec4(a[2], 1) + b[1].xyxy + c.xyxy + d; }";
    let lacks = "VK_KHR_fragment_shader_barycentric";
    check_program(&program(&[("vert", vertex), ("frag", barycentric)]), &Options::default(), &PACKED, &[], lacks);
}

#[test]
fn compiles_rewritten_mesh_pairs_if_supported() {
    // Mesa 22.3 offers mesh shaders on devices that are there, from GFX10.3 on, and on no null device.
    let mesh = "#extension GL_EXT_mesh_shader : require
        layout(local_size_x = 8, local_size_y = 4) in; layout(triangles, max_vertices = 32, max_primitives = 8) out;
        layout(location = 3) out vec2 a[]; layout(location = 5) out vec4 b[];
        layout(location = 1) perprimitiveEXT out int c[];
        void main() {
            uint i = gl_LocalInvocationIndex;
            SetMeshOutputsEXT(32, 8);
            gl_MeshVerticesEXT[i].gl_Position = vec4(i);
            a[i] = vec2(gl_LocalInvocationID.xy);
            b[i] = vec4(i, 1, 2, 3);
            if (i < 8) { c[i] = int(i); gl_PrimitiveTriangleIndicesEXT[i] = uvec3(i, i + 1, i + 2); }
        }";
    let fragment = "#extension GL_EXT_mesh_shader : require
        layout(location = 0) out vec4 colour; layout(location = 3) in vec2 a; layout(location = 5) in vec4 b;
        layout(location = 1) perprimitiveEXT flat in int c; void main() { colour = b + a.xyxy + float(c); }";
    let program = program(&[("mesh", mesh), ("frag", fragment)]);
    let options = Options { reconfig: true, ..Options::default() };
    check_program(&program, &options, Version::ALL, &[], "VK_EXT_mesh_shader");
}

#[test]
fn compiles_native_compute_derivatives_swizzled() {
    let shader = |group: &str| {
        let text = format!(
            "#extension GL_NV_compute_shader_derivatives : require
            layout(derivative_group_{group}NV) in; layout(local_size_x = 16, local_size_y = 8) in;
            layout(binding = 0) buffer B {{ float f[]; }};
            void main() {{
                float x = f[gl_LocalInvocationIndex];
                f[gl_LocalInvocationIndex] = dFdxFine(x) + 2.0 * dFdyCoarse(x) + fwidth(x);
            }}"
        );
        program(&[("comp", &text)])
    };
    let options = Options { reconfig: true, force_swizzle: true, ..Options::default() };
    check_program(&shader("linear"), &options, &SWIZZLED, &CHIPS, "");
    for chip in CHIPS {
        let quads = |made: &Compilation| {
            let text = made.of_stage(StageKind::Compute).and_then(|e| e.assembly()).expect("assembly");
            text.contains("quad_perm") || text.contains("v_mov_b32_dpp")
        };
        for (of, made) in all_versions(&mut child(Some(chip)), chip, &shader("linear"), &options) {
            assert!(quads(&made.expect("compiles")), "{chip} {of}: derivatives are differences within quads");
        }
        // RADV has linear groups only: the layout makes linear groups of quads, so the swizzled shader compiles.
        for (of, made) in all_versions(&mut child(Some(chip)), chip, &shader("quads"), &options) {
            match made {
                Ok(made) => assert!(quads(&made), "{chip} {of}"),
                Err(lacks) => {
                    assert!(of == Version::Original && lacks.contains("computeDerivativeGroupQuads"), "{chip} {lacks}");
                }
            }
        }
    }
}

#[test]
fn every_combination_of_graphics_stages_compiles() {
    let vertex = "layout(location = 0) in vec4 p; layout(location = 1) in dvec3 w; layout(location = 0) out vec4 a;
        void main() { gl_Position = p; a = p.wzyx + float(w.z); }";
    let control = "layout(vertices = 4) out; layout(location = 0) in vec4 a[]; layout(location = 0) out vec4 b[];
        void main() {
            gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
            b[gl_InvocationID] = a[gl_InvocationID] * 2.0;
            gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelOuter[3] = 3.0;
            gl_TessLevelInner[0] = gl_TessLevelInner[1] = 2.0;
        }";
    let evaluation = "layout(quads) in; layout(location = 0) in vec4 b[]; layout(location = 0) out vec4 a;
        void main() { gl_Position = mix(gl_in[0].gl_Position, gl_in[3].gl_Position, gl_TessCoord.x); a = b[1] + b[2]; }";
    let geometry = "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;
        layout(location = 0) in vec4 a[]; layout(location = 0) out vec4 c;
        void main() {
            for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position; c = a[i].yxzw; EmitVertex(); }
            EndPrimitive();
        }";
    let fragment = "layout(location = 0) in vec4 c; layout(location = 0) out vec4 o; layout(location = 2) out uvec2 u;
        void main() { o = c; u = uvec2(c.xy); gl_FragDepth = c.z; }";
    let two_sources = "layout(location = 0, index = 0) out vec4 o; layout(location = 0, index = 1) out vec4 o1;
        layout(location = 0) in vec4 c; void main() { o = c; o1 = c.yyyy; }";
    let (v, c, e) = (("vert", vertex), ("tesc", control), ("tese", evaluation));
    let (g, f) = (("geom", geometry), ("frag", fragment));
    for stages in [
        vec![v, f],
        vec![v, ("frag", two_sources)],
        vec![v, g, f],
        vec![v, c, e, f],
        vec![v, c, e, g, f],
        vec![v],
        vec![f],
        vec![v, g],
        vec![v, c, e],
    ] {
        assembles(&stages, false);
    }
}

/// Compiles stages for every chip, together and apart, under the validation layer where it is wanted: each has its
/// assembly.
fn assembles(stages: &[(&str, &str)], validate: bool) {
    let names: Vec<_> = stages.iter().map(|(name, _)| *name).collect();
    let program = program(stages);
    for chip in CHIPS {
        let mut child = child(Some(chip));
        for apart in [false, true] {
            let with = CompileOptions { chip: Some(chip.into()), apart, validate, ..CompileOptions::default() };
            let (of, options) = (Version::Original, Options::default());
            let made = compile(&mut child, CompileRequest { program: program.clone(), of, options, with })
                .unwrap_or_else(|error| panic!("{chip} {names:?} apart {apart}: {error}"));
            for stage in &program.stages {
                let found = made.of_stage(stage.stage).and_then(|executable| executable.assembly());
                assert!(found.is_some(), "{chip} {names:?} apart {apart}: no {}: {made:?}", stage.stage);
            }
        }
    }
}

/// No run binds them; dynamic rendering has none.
#[test]
fn input_attachments_compile() {
    let vertex = "layout(location = 0) in vec4 p; void main() { gl_Position = p; }";
    let fragment = "layout(input_attachment_index = 0, binding = 0) uniform subpassInput a;
        layout(input_attachment_index = 2, binding = 1) uniform usubpassInput b[2];
        layout(input_attachment_index = 5, binding = 2) uniform subpassInputMS c;
        layout(location = 0) out vec4 o; layout(location = 2) out vec4 second;
        void main() { o = subpassLoad(a) + vec4(subpassLoad(b[1])); second = subpassLoad(c, 1); gl_FragDepth = o.x; }";
    for stages in [vec![("vert", vertex), ("frag", fragment)], vec![("frag", fragment)]] {
        assembles(&stages, true);
    }
}

#[test]
fn reports_a_real_compiler_abort_as_a_crash() {
    let environment = vec![("RADV_FORCE_FAMILY".into(), "voodoo2".into())];
    let program = Some(PathBuf::from(lanescope_testing::executable(env!("CARGO_BIN_EXE_lanescope"))));
    let mut client = Client::start(&Launch { program, limits: Limits::default(), environment }).expect("it starts");
    let error = client.ask(&Request::Devices).expect_err("Mesa ends its process over an unknown chip");
    let WorkerError::Crashed { last_words, .. } = &error else { panic!("{error:?}") };
    assert!(last_words.to_lowercase().contains("unknown family"), "{error}");
}

#[test]
fn compiling_twice_gives_the_same_text() {
    let options = Options { reconfig: true, ..Options::default() };
    let programs = [
        samples(&["lit_surface.vert", "lit_surface.frag"]),
        samples(&["matrix_and_array.vert", "matrix_and_array.frag"]),
        samples(&["half_precision.vert", "half_precision.frag"]),
        samples(&["depth_and_discard.frag"]),
        samples(&["particles_1024.comp"]),
        samples(&["tile_16x16.comp"]),
    ];
    for chip in CHIPS {
        let mut child = child(Some(chip));
        for program in &programs {
            let mut once = || {
                let mut all = all_versions(&mut child, chip, program, &options);
                let made = all.iter_mut().filter_map(|(_, made)| made.as_mut().ok());
                for made in made {
                    made.peak_memory = None;
                    made.pipelines.iter_mut().for_each(|pipeline| pipeline.nanoseconds = 0);
                }
                all
            };
            let (first, second) = (once(), once());
            assert!(first.len() == 2 && first.iter().all(|(_, made)| made.is_ok()), "{first:?}");
            assert_eq!(first, second, "{chip}");
        }
    }
}
