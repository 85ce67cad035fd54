//! Facts from shaders, and the registers of whole programs.

use super::super::{ComputeFacts, ProducerFacts, Register, collect, registers};
use super::fixtures::{glsl, packing, pixel, smooth, value, vertex};
use crate::findings::Finding;
use crate::liveness::{Liveness, Stages};
use crate::packing::{AttributeBuiltIn, Interpolation, Linkage, Packing, Unpacked};
use crate::workgroup::{Layout, Macro, Micro};
use lanescope_base::ids::{Bytes, Hex};
use lanescope_model::options::{ColorTarget, Derivatives, LayoutRules, Options, ProducerChoice};
use lanescope_model::program::{Format, Input, LoadedModule, Program, Stage, StageKind};
use lanescope_model::target::Target::{self, Gfx1100};
use lanescope_spirv::Module;

fn compute_facts(source: &str) -> ComputeFacts {
    let module = glsl(StageKind::Compute, source);
    collect::compute(&Liveness::of(&module, &module.entry_points()[0]), [1, 1, 1], 64)
}

/// WorkgroupId by component, directly or through GlobalInvocationId; dead reads do not count.
#[test]
fn compute_built_ins() {
    let rows = [
        ("b.x = gl_WorkGroupID.y;", 0b010),
        ("b.x = gl_GlobalInvocationID.z;", 0b100),
        ("b.xyz = gl_WorkGroupID;", 0b111),
        ("b.xy = gl_WorkGroupID.xy + gl_WorkGroupID.xx;", 0b011),
        ("uvec3 v = gl_WorkGroupID; b.x = v.z;", 0b100),
        ("uvec3 v = gl_WorkGroupID * 4u + 1u; b.x = v.x;", 0b001),
        ("uvec3 v = gl_WorkGroupID; v.x = 7; b.xy = v.xy;", 0b010),
        ("b.x = gl_WorkGroupID[b.y];", 0b111),
        ("uint dead = gl_WorkGroupID.x; b.x = 1;", 0),
        ("b.x = gl_LocalInvocationIndex;", 0),
        ("b.x = f(gl_WorkGroupID);", 0b001),
    ];
    for (body, expected) in rows {
        let source = format!(
            "layout(set=0, binding=0) buffer B {{ uvec4 b; }};
             uint f(uvec3 v) {{ return v.x; }} void main() {{ {body} }}"
        );
        assert_eq!(compute_facts(&source).workgroup_id, expected, "{body}");
    }
}

#[test]
fn workgroup_memory_and_images() {
    let source = "shared vec3 a[3]; shared uint b; shared vec4 unused[64];
        layout(set=0, binding=0) buffer B { uvec4 o; };
        void main() { a[1] = vec3(1); b = 2; o.x = b + uint(a[0].x); }";
    let facts = compute_facts(source);
    assert_eq!((facts.lds_bytes, facts.images), (Some(3 * 16 + 4), false));
    let source = "layout(binding=0, rgba8) uniform image2D i; layout(binding=1, rgba8) uniform imageBuffer t;
        void main() { STORE }";
    let images = |store| compute_facts(&source.replace("STORE", store)).images;
    assert!(images("imageStore(i, ivec2(0), vec4(1));"));
    assert!(!images("imageStore(t, 0, vec4(1));"));
}

/// Facts of fragment shaders in GLSL.
#[test]
fn pixel_facts() {
    let out = "layout(location=0) out vec4 o;";
    let facts =
        |body: &str| pixel(&format!("{out} layout(binding=0) buffer B {{ uint b[]; }}; void main() {{ {body} }}"));
    assert_eq!(facts("o = vec4(gl_FragCoord.xz, 0, 1);").frag_coord, 0b0101);
    assert_eq!(facts("vec4 c = gl_FragCoord; o = vec4(c.w);").frag_coord, 0b1000);
    assert_eq!(facts("vec4 c = gl_FragCoord; o = vec4(1);").frag_coord, 0);
    let dead = facts("int dead = gl_SampleID; o = vec4(1);");
    assert_eq!((dead.sample_id, dead.sample_id_met), (false, true));
    assert!(facts("o = vec4(gl_SamplePosition, 0, 1);").sample_id);
    assert!(facts("o = vec4(gl_FrontFacing ? 1 : 0);").front_facing);
    let mask = facts("o = vec4(gl_SampleMaskIn[0]);");
    assert_eq!((mask.sample_mask_in, mask.sample_mask), (true, false));
    assert!(facts("gl_SampleMask[0] = 1;").sample_mask);
    assert!(facts("gl_FragStencilRefARB = 1;").stencil_ref);
    assert!(facts("b[0] = 1;").resource_write);
    assert!(facts("atomicAdd(b[0], 1);").resource_write);
    assert!(!facts("o = vec4(b[0]);").resource_write);
    assert!(facts("o = vec4(gl_ShadingRateEXT);").shading_rate);
    assert_eq!(facts("o = vec4(gl_BaryCoordEXT, 1);").barycentrics, 0b10);
    assert_eq!(facts("o = vec4(gl_BaryCoordNoPerspEXT, 1);").barycentrics, 0b10_0000);
    assert_eq!(facts("o = vec4(gl_BaryCoordSmoothCentroidAMD, 0, 1);").barycentrics, 0b100);
    assert!(facts("if (b[0] == 1) { discard; } o = vec4(1);").discard);
    let modes = pixel(
        "layout(early_fragment_tests, post_depth_coverage) in; layout(location=0) out vec4 o; void main() { o = vec4(1); }",
    );
    assert!(modes.early_tests && modes.post_depth_coverage);
    let ordered = pixel(
        "layout(pixel_interlock_ordered) in;
         void main() { beginInvocationInterlockARB(); endInvocationInterlockARB(); }",
    );
    assert!(ordered.ordered);
}

#[test]
fn distinguishes_interpolation_functions_from_qualifiers() {
    // The body, the pairs that are requested and enabled, and whether the shader runs once per sample.
    let rows = [
        ("", "o = a + interpolateAtCentroid(a) + interpolateAtOffset(a, vec2(.1));", 0xe, false),
        ("", "o = interpolateAtCentroid(a) + interpolateAtOffset(a, vec2(.1));", 0xe, false),
        ("centroid", "o = a + interpolateAtOffset(a, vec2(.1));", 0xe, false),
        ("", "o = interpolateAtSample(a, 2);", 0x8, false),
        ("", "o = interpolateAtSample(a, 2) + a;", 0xa, false),
        ("", "o = interpolateAtSample(a, 2); o.x += a.y;", 0xa, false),
        ("centroid", "o = interpolateAtSample(a, 2) + a;", 0xe, false),
        ("noperspective", "o = interpolateAtSample(a, 2) + a;", 0x20, false),
        ("centroid noperspective", "o = interpolateAtSample(a, 2) + a;", 0x60, false),
        ("sample", "o = a + interpolateAtOffset(a, vec2(.1)) + interpolateAtCentroid(a);", 0xf, true),
        ("sample", "o = interpolateAtCentroid(a);", 0x6, false),
        ("sample", "o = interpolateAtSample(a, 2);", 0x8, false),
        ("sample", "o = a;", 0x1, true),
    ];
    for (qualifier, body, pairs, at_sample_rate) in rows {
        let source = format!(
            "layout(location=0) {qualifier} in vec4 a; layout(location=0) out vec4 o; void main() {{ {body} }}"
        );
        let program = program(&[VERTEX, (StageKind::Fragment, &source)]);
        let options = Options { target: Gfx1100, ..Options::default() };
        let linkage = Linkage::of(&Stages::of(&program), ProducerChoice::Auto).expect("there is a fragment shader");
        let packing = linkage.pack(&options);
        let (registers, _) = run(&program, Some((&packing, &linkage.unpacked(&packing))), &options);
        let found = ["SPI_PS_INPUT_ADDR", "SPI_PS_INPUT_ENA", "SPI_BARYC_CNTL"].map(|name| value(&registers, name));
        let rate = if at_sample_rate { 0x0102_0000 } else { 0x0100_0000 };
        assert_eq!(found, [Some(pairs), Some(pairs), Some(rate)], "{qualifier} {body}");
    }
    let per_vertex =
        pixel("layout(location=0) pervertexEXT in vec4 a[]; layout(location=0) out vec4 o; void main() { o = a[1]; }");
    assert!(per_vertex.provoking_vertex);
}

/// FLOAT_MODE follows the execution modes.
#[test]
fn float_modes() {
    let facts = |modes: &str| {
        let text = format!(
            "OpCapability Shader\nOpCapability Float16\nOpCapability DenormPreserve\nOpCapability DenormFlushToZero\n
             OpCapability RoundingModeRTZ\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\"\n
             OpExecutionMode %main OriginUpperLeft\n{modes}\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n
             %main = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n"
        );
        use spirv_tools::assembler::{Assembler, AssemblerOptions, create};
        let assembler = create(Some(spirv_tools::TargetEnv::Universal_1_5));
        let binary = assembler.assemble(&text, AssemblerOptions::default()).expect("assembles");
        let words: &[u32] = binary.as_ref();
        let module = Module::parse(words.to_vec()).expect("a module");
        collect::pixel(&Liveness::of(&module, &module.entry_points()[0])).float_mode.bits
    };
    assert_eq!(facts(""), 0xc0);
    assert_eq!(facts("OpExecutionMode %main DenormPreserve 32"), 0xf0);
    assert_eq!(facts("OpExecutionMode %main DenormFlushToZero 16"), 0x00);
    assert_eq!(facts("OpExecutionMode %main RoundingModeRTZ 32"), 0xc3);
    assert_eq!(facts("OpExecutionMode %main RoundingModeRTZ 16"), 0xcc);
}

fn program(shaders: &[(StageKind, &str)]) -> Program {
    let mut program = Program::default();
    for (i, &(stage, source)) in shaders.iter().enumerate() {
        let input = Input::new(String::new(), Format::Glsl, Bytes(0), Hex(0));
        let module = glsl(stage, source);
        program.inputs.push(input);
        program.modules.push(LoadedModule::new(i, module));
        program.stages.push(Stage { stage, entry: "main".to_owned(), module: i, entry_index: 0 });
    }
    program
}

fn run(program: &Program, packing: Option<(&Packing, &Unpacked)>, options: &Options) -> (Vec<Register>, Vec<Finding>) {
    let layout = Layout {
        entry: "main".to_owned(),
        stage: StageKind::Compute,
        size: [4, 4, 1],
        declared_size: [4, 4, 1],
        derivatives: Derivatives::None,
        micro: Micro::None,
        macro_tile: Macro::None,
        layout_rules: LayoutRules::Llpc,
        force_swizzle: None,
        other_rules: None,
        folded: false,
        rules: Vec::new(),
        lanes: None,
        interleave: None,
        wave: 32,
        derivative_uses: Vec::new(),
    };
    let mut findings = Vec::new();
    let registers = registers(&Stages::of(program), packing, &[layout], options, &mut findings);
    (registers, findings)
}

const VERTEX: (StageKind, &str) = (StageKind::Vertex, "void main() { gl_Position = vec4(0); }");

const FRAGMENT: (StageKind, &str) =
    (StageKind::Fragment, "layout(location=0) out vec4 o; void main() { o = vec4(1); }");

/// Packed rows, then unpacked ones, for the same registers where the slots agree; then the findings.
#[test]
fn a_program_has_rows_for_both_interfaces() {
    let packed = packing(vec![smooth((3, 0), (0, 0)), smooth((5, 0), (1, 0)).unwritten()], &[]);
    let places = packed.map.iter().map(|mapping| mapping.to).collect();
    let unpacked = Unpacked { places, builtins: Vec::new(), captured: 0 };
    let program = program(&[VERTEX, FRAGMENT]);
    let options = Options { target: Gfx1100, ..Options::default() };
    let (registers, findings) = run(&program, Some((&packed, &unpacked)), &options);
    let of = |from| -> Vec<_> { registers.iter().filter(|r| r.from == from).map(|r| (&r.name, r.value)).collect() };
    assert_eq!(of(super::super::From::Packed), of(super::super::From::Unpacked));
    assert!(of(super::super::From::Compute).is_empty());
    let codes: Vec<_> = findings.iter().map(|f| (f.code.as_str(), f.place.as_ref().map(ToString::to_string))).collect();
    assert_eq!(codes, [("R001", Some("SPI_PS_INPUT_CNTL_1".to_owned())), ("R002", None)]);
    for unknown in ["compiler back end: SPI_SHADER_PGM_RSRC1_PS", "pipeline layout: SPI_SHADER_PGM_RSRC2_PS"] {
        assert!(findings[1].message.contains(unknown), "{findings:?}");
    }
}

/// What a mesh shader does not write is reported as after a vertex shader: of the interface and of its slot.
#[test]
fn reports_unwritten_inputs_after_every_stage() {
    let fragment = "layout(location = 0) in vec4 a; layout(location = 1) in vec4 b; layout(location = 0) out vec4 o;
        void main() { o = a + b; }";
    let vertex = "layout(location = 0) out vec4 a; void main() { gl_Position = a = vec4(0); }";
    let mesh = "#extension GL_EXT_mesh_shader : require
        layout(local_size_x = 1) in; layout(triangles, max_vertices = 3, max_primitives = 1) out;
        layout(location = 0) out vec4 a[];
        void main() { SetMeshOutputsEXT(3, 1); a[0] = a[1] = a[2] = vec4(1); }";
    for (stage, before) in [("vert", vertex), ("mesh", mesh)] {
        let program = lanescope_testing::program(&[(stage, before), ("frag", fragment)]);
        let report = lanescope_report::analyse(&program, &Options { target: Gfx1100, ..Options::default() })
            .expect("is analysed");
        let count = |code: &str| report.findings.iter().filter(|finding| finding.code.as_str() == code).count();
        assert_eq!((count("P002"), count("R001")), (1, 1), "{stage}: {:?}", report.findings);
    }
}

/// LLPC's slots after a mesh shader: inputs and built-ins of vertices, then inputs and built-ins of primitives.
#[test]
fn built_ins_of_vertices_come_before_inputs_of_primitives() {
    let mesh = "#extension GL_EXT_mesh_shader : require
        layout(local_size_x = 1) in; layout(triangles, max_vertices = 3, max_primitives = 1) out;
        out gl_MeshPerVertexEXT { vec4 gl_Position; float gl_ClipDistance[2]; } gl_MeshVerticesEXT[];
        layout(location = 0) out vec4 a[]; layout(location = 1) perprimitiveEXT out vec4 b[];
        void main() {
            SetMeshOutputsEXT(3, 1);
            for (int i = 0; i < 3; i++) {
                gl_MeshVerticesEXT[i].gl_Position = vec4(1);
                gl_MeshVerticesEXT[i].gl_ClipDistance[0] = gl_MeshVerticesEXT[i].gl_ClipDistance[1] = 1.0;
                a[i] = vec4(1);
            }
            b[0] = vec4(2); gl_MeshPrimitivesEXT[0].gl_PrimitiveID = 3; gl_MeshPrimitivesEXT[0].gl_Layer = 4;
        }";
    let fragment = "#extension GL_EXT_mesh_shader : require
        in float gl_ClipDistance[2];
        layout(location = 0) in vec4 a; layout(location = 1) perprimitiveEXT in vec4 b; layout(location = 0) out vec4 o;
        void main() { o = (a + b) * gl_ClipDistance[1] * float(gl_PrimitiveID + gl_Layer); }";
    let program = lanescope_testing::program(&[("mesh", mesh), ("frag", fragment)]);
    let report =
        lanescope_report::analyse(&program, &Options { target: Gfx1100, ..Options::default() }).expect("is analysed");
    let packing = report.packing.as_ref().expect("a packing");
    let slots = |variable: &str| {
        let of = packing.map.iter().filter(|mapping| &*mapping.variable == variable);
        of.map(|mapping| mapping.to.location.0).collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!([slots("a"), slots("b")], [[0].into(), [2].into()]);
    assert_eq!((packing.slots.after, packing.slots.per_primitive), (2, 1), "built-ins aside");
    let built_ins: Vec<_> = packing.builtins.iter().map(|slot| (slot.built_in.name(), slot.location.0)).collect();
    assert_eq!(built_ins, [("ClipCullDistance", 1), ("PrimitiveId", 3), ("Layer", 4)]);
    let holds = |slot: u32| {
        let name = format!("SPI_PS_INPUT_CNTL_{slot}");
        let register = report.registers.iter().find(|register| register.name == name).expect("a register");
        let field = |name: &str| register.fields.iter().find(|field| field.name == name).and_then(|field| field.value);
        (field("OFFSET"), field("PRIM_ATTR"))
    };
    assert_eq!(holds(1), (Some(1), Some(0)));
    assert_eq!([2, 3, 4].map(holds), [2, 3, 4].map(|slot| (Some(slot), Some(1))));
    let counts = report.registers.iter().find(|register| register.name == "SPI_PS_IN_CONTROL").expect("a register");
    let interpolated = counts.fields.iter().find(|field| field.name == "NUM_INTERP").and_then(|field| field.value);
    assert_eq!(interpolated, Some(5), "from GFX11 on those of primitives count too");
}

#[test]
fn reports_unknown_format_once_and_uses_the_default() {
    let none = packing(Vec::new(), &[]);
    let color = [(0, ColorTarget::new("R9_UNORM", false))].into();
    let options = Options { color, ..Options::default() };
    let (registers, findings) = run(
        &program(&[VERTEX, FRAGMENT]),
        Some((&none, &Unpacked { places: Vec::new(), builtins: Vec::new(), captured: 0 })),
        &options,
    );
    assert_eq!(findings.iter().filter(|f| f.code == "R003").count(), 1);
    assert_eq!(value(&registers, "SPI_SHADER_COL_FORMAT"), Some(4));
}

#[test]
fn old_chips_have_no_registers() {
    let none = packing(Vec::new(), &[]);
    for target in [Target::Gfx803, Target::Gfx900] {
        let options = Options { target, ..Options::default() };
        let (registers, findings) = run(
            &program(&[VERTEX, FRAGMENT]),
            Some((&none, &Unpacked { places: Vec::new(), builtins: Vec::new(), captured: 0 })),
            &options,
        );
        assert!(registers.is_empty());
        assert_eq!(findings.iter().map(|f| f.code.as_str()).collect::<Vec<_>>(), ["R004"]);
    }
}

#[test]
fn compute_program_uses_size_and_wave_of_its_layout() {
    let (registers, _) = run(&program(&[(StageKind::Compute, "void main() {}")]), None, &Options::default());
    assert!(registers.iter().all(|r| r.from == super::super::From::Compute && r.stage == StageKind::Compute));
    assert_eq!(value(&registers, "COMPUTE_NUM_THREAD_Y"), Some(4));
    assert_eq!(value(&registers, "COMPUTE_DISPATCH_INITIATOR"), Some(0x8045));
}

/// A vertex shader in GLSL: a built-in block that declares more than is written.
#[test]
fn producer_facts() {
    let facts = vertex(
        "out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[3]; float gl_CullDistance[2]; };
         void main() { gl_Position = vec4(0); gl_CullDistance[0] = 1; gl_Layer = 2; }",
    );
    let mut expected = ProducerFacts::of(StageKind::Vertex);
    (expected.cull, expected.layer) = (2, true);
    assert_eq!(facts, expected);
}

/// Every field that a rule decides, with its reason, as a reader meets it.
#[test]
fn reasons() {
    let scalars = vec![
        smooth((0, 0), (0, 0)),
        smooth((1, 0), (1, 0)).narrow(false),
        smooth((2, 0), (2, 0)).mode(Interpolation::Flat),
        smooth((3, 0), (3, 0)).mode(Interpolation::Custom),
    ];
    let packing = packing(scalars, &[(AttributeBuiltIn::PointCoord, 4), (AttributeBuiltIn::PrimitiveId, 5)]);
    let fragment = "layout(location=0) out vec4 o; layout(location=2) out uint u;
        void main() { if (gl_FragCoord.x > 4) discard; o = vec4(gl_SampleID); u = 1; gl_FragDepth = 0.5; }";
    let graphics = program(&[VERTEX, (StageKind::Fragment, fragment)]);
    let options = Options { target: Gfx1100, ..Options::default() };
    let unpacked = Unpacked { places: Vec::new(), builtins: Vec::new(), captured: 0 };
    let (mut rows, _) = run(&graphics, Some((&packing, &unpacked)), &options);
    rows.retain(|register| register.from == super::super::From::Packed);
    let compute = "shared uint s[9]; layout(binding=0) buffer B { uint b; };
        void main() { s[0] = 1; b = s[1] + gl_GlobalInvocationID.x + gl_NumWorkGroups.x; }";
    rows.extend(run(&program(&[(StageKind::Compute, compute)]), None, &options).0);
    let mut text = String::new();
    for register in rows {
        let value = register.value.map_or("open      ".to_owned(), |value| value.to_string());
        let driver = register.driver_value.map_or(String::new(), |value| format!(", driver {value}"));
        text += &format!("{} {} {value}{driver} ({})\n", register.address, register.name, register.stage);
        for field in register.fields.iter().filter(|field| field.why.to_string() != "never set; always 0") {
            let value = field.value.map_or("?".to_owned(), |value| value.to_string());
            text += &format!("    {} = {value}: {}\n", field.name, field.why);
        }
    }
    insta::assert_snapshot!(text);
}
