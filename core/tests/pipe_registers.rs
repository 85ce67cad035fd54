//! Registers of LLPC's pipeline descriptions: what their state changes, with the values that LLPC writes.

use lanescope_core::analyse;
use lanescope_core::load::load;
use lanescope_core::options::Options;
use lanescope_core::program::StageKind;
use lanescope_core::registers::{From, Register};
use lanescope_core::report::Report;

/// A description of a vertex and a fragment shader; `middle` are sections between them.
fn description(vertex: &str, middle: &str, fragment: &str, state: &str) -> String {
    format!(
        "[Version]\nversion = 75\n[VsGlsl]\n#version 450\n{vertex}\n[VsInfo]\nentryPoint = main\n{middle}\
         [FsGlsl]\n#version 450\n{fragment}\n[FsInfo]\nentryPoint = main\n[GraphicsPipelineState]\n{state}"
    )
}

fn report(text: &str, given: &Options) -> Report {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.pipe");
    std::fs::write(&path, text).expect("writes");
    let program = load(&[path], &[]).unwrap_or_else(|error| panic!("{error}\n{text}"));
    analyse(&program, &program.options(given)).expect("analyses")
}

/// The value of a register of the packed interface on gfx10.3.
fn value(report: &Report, name: &str) -> u64 {
    let found = report.registers.iter().find(|register| register.name == name).unwrap_or_else(|| panic!("no {name}"));
    found.value.unwrap_or_else(|| panic!("{name} is open")).0
}

const POSITION: &str = "void main() { gl_Position = vec4(1.0); }";
const COLOR: &str = "layout(location = 0) out vec4 color; void main() { color = vec4(1.0); }";
const TARGET: &str = "colorBuffer[0].format = VK_FORMAT_R8G8B8A8_UNORM\n";

#[test]
fn multiview_exports_the_layer() {
    let of = |state: &str, vertex: &str| {
        let report = report(&description(vertex, "", COLOR, &format!("{TARGET}{state}")), &Options::default());
        [value(&report, "SPI_SHADER_POS_FORMAT"), value(&report, "PA_CL_VS_OUT_CNTL")]
    };
    let sized = "void main() { gl_Position = vec4(1.0); gl_PointSize = 2.0; }";
    assert_eq!(of("enableMultiView = 0\n", POSITION), [0x4, 0]);
    assert_eq!(of("", POSITION), [0x4, 0]);
    // USE_VTX_RENDER_TARGET_INDX (18), VS_OUT_MISC_VEC_ENA (21), VS_OUT_MISC_SIDE_BUS_ENA (24); point size is bit 16.
    assert_eq!(of("enableMultiView = 1\n", POSITION), [0x44, 0x0124_0000]);
    assert_eq!(of("enableMultiView = 1\n", sized), [0x44, 0x0125_0000]);
    assert_eq!(of("", sized), [0x44, 0x0121_0000]);
}

#[test]
fn drops_point_size_one_on_request() {
    let of = |state: &str, vertex: &str| {
        let report = report(&description(vertex, "", COLOR, &format!("{TARGET}{state}")), &Options::default());
        [value(&report, "SPI_SHADER_POS_FORMAT"), value(&report, "PA_CL_VS_OUT_CNTL")]
    };
    let on = "options.optimizePointSizeWrite = 1\n";
    let writes =
        |body: &str| format!("layout(location = 0) in float a; void main() {{ gl_Position = vec4(1.0); {body} }}");
    let (kept, gone) = ([0x44, 0x0121_0000], [0x4, 0]);
    assert_eq!(of(on, &writes("gl_PointSize = 1.0;")), gone);
    assert_eq!(of("", &writes("gl_PointSize = 1.0;")), kept);
    assert_eq!(of(on, &writes("gl_PointSize = 2.0;")), kept);
    assert_eq!(of(on, &writes("gl_PointSize = a;")), kept);
    assert_eq!(of(on, &writes("if (a > 0.0) gl_PointSize = 1.0; else gl_PointSize = 1.0;")), gone);
    assert_eq!(of(on, &writes("if (a > 0.0) gl_PointSize = 1.0; else gl_PointSize = 2.0;")), kept);
    // A geometry shader that emits points of both sizes.
    let geometry = "[GsGlsl]\n#version 450\nlayout(points) in; layout(points, max_vertices = 2) out;\n\
        void main() { gl_Position = vec4(1.0); gl_PointSize = 1.0; EmitVertex(); gl_Position = vec4(0.5); \
        gl_PointSize = SIZE; EmitVertex(); }\n[GsInfo]\nentryPoint = main\n";
    for (size, expected) in [("1.0", gone), ("2.0", kept)] {
        let text = description(POSITION, &geometry.replace("SIZE", size), COLOR, &format!("{TARGET}{on}"));
        let report = report(&text, &Options::default());
        assert_eq!([value(&report, "SPI_SHADER_POS_FORMAT"), value(&report, "PA_CL_VS_OUT_CNTL")], expected, "{size}");
    }
}

#[test]
fn a_description_without_color_targets_exports_no_color() {
    let two = "layout(location = 0) out vec4 a; layout(location = 1) out vec4 b; void main() { a = b = vec4(1.0); }";
    let discards = "layout(location = 0) out vec4 a; layout(location = 1) flat in int i;
        void main() { if (i == 0) discard; a = vec4(1.0); }";
    let rows = [
        ("", COLOR, 0x0, 0x0),
        ("topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST\n", two, 0x0, 0x0),
        (TARGET, two, 0x4, 0xf),
        ("colorBuffer[1].format = VK_FORMAT_R32_SFLOAT\n", two, 0x1, 0xf0),
        ("colorBuffer[0].channelWriteMask = 15\n", two, 0x0, 0x0),
        // Nothing is exported, so a dummy carries that pixels are discarded.
        ("", discards, 0x1, 0x1),
    ];
    for (state, fragment, formats, mask) in rows {
        let report = report(&description(POSITION, "", fragment, state), &Options::default());
        let found = [value(&report, "SPI_SHADER_COL_FORMAT"), value(&report, "CB_SHADER_MASK")];
        assert_eq!(found, [formats, mask], "{state} {fragment}");
    }
    // What is given goes before what the description says.
    let given = Options { color: [(0, "R32_SFLOAT".parse().expect("a target"))].into(), ..Options::default() };
    let report = report(&description(POSITION, "", COLOR, ""), &given);
    assert_eq!([value(&report, "SPI_SHADER_COL_FORMAT"), value(&report, "CB_SHADER_MASK")], [0x1, 0xf]);
}

#[test]
fn a_target_of_alpha_alone_is_known() {
    for name in ["A8_UNORM", "A8_UNORM_KHR"] {
        let state = format!("colorBuffer[0].format = VK_FORMAT_{name}\ncolorBuffer[0].channelWriteMask = 15\n");
        let report = report(&description(POSITION, "", COLOR, &state), &Options::default());
        assert_eq!(report.options.color[&0].format, "A8_UNORM");
        assert_eq!([value(&report, "SPI_SHADER_COL_FORMAT"), value(&report, "CB_SHADER_MASK")], [0x4, 0xf], "{name}");
        let unknown: Vec<_> = report.findings.iter().filter(|finding| finding.code == "R003").collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }
}

/// What USER_SGPR of the fragment shader still needs, and its reason.
#[test]
fn user_data_of_a_layout_that_is_there_is_open_for_its_own_reason() {
    let fragment = "layout(push_constant) uniform Push { vec4 tint; }; layout(location = 0) out vec4 color; \
        void main() { color = tint; }";
    let node = "[ResourceMapping]\nuserDataNode[0].type = PushConst\nuserDataNode[0].visibility = 64\n\
        userDataNode[0].offsetInDwords = 0\nuserDataNode[0].sizeInDwords = 4\n";
    let of = |mapping: &str, state: &str| {
        let text = description(POSITION, mapping, fragment, &format!("{TARGET}{state}"));
        let report = report(&text, &Options::default());
        let name = "SPI_SHADER_PGM_RSRC2_PS";
        let register = report.registers.iter().find(|register| register.name == name).expect("a register");
        let field = register.fields.iter().find(|field| field.name == "USER_SGPR").expect("a field");
        let note = report.findings.iter().find(|finding| finding.code == "R002").map(|note| note.message.clone());
        (field.value, register.shown(), field.why.to_string(), note.unwrap_or_default())
    };
    let (value, ..) = of(node, "");
    assert_eq!(value, Some(5), "the internal table and four dwords");
    let (value, shown, why, _) = of("", "");
    assert_eq!((value, shown.as_str()), (None, "needs layout"), "{why}");
    let (value, shown, why, note) = of(node, "dynamicSampleInfo = 1\n");
    assert_eq!((value, shown.as_str()), (None, "needs user data"));
    assert!(why.contains("settings let the driver pass state"), "{why}");
    assert!(note.contains("unknown without knowing how the user data is passed: SPI_SHADER_PGM_RSRC2_PS"), "{note}");
    let smaller = node.replace("sizeInDwords = 4", "sizeInDwords = 0");
    let (_, shown, why, _) = of(&smaller.replace("PushConst", "DescriptorTableVaPtr"), "");
    assert_eq!(shown, "needs user data", "{why}");
    assert!(why.contains("the layout lacks what the shader loads"), "{why}");
}

/// What user SGPRs hold follows from the description's root layout.
#[test]
fn user_data_registers_say_what_sgprs_hold() {
    let fragment = "layout(set = 1, binding = 0) uniform U { vec4 tint; };
        layout(push_constant) uniform P { layout(offset = 4) float scale; };
        layout(location = 0) out vec4 color; void main() { color = tint * scale; }";
    let layout = "[ResourceMapping]
        userDataNode[0].visibility = 64
        userDataNode[0].type = PushConst
        userDataNode[0].offsetInDwords = 3
        userDataNode[0].sizeInDwords = 4
        userDataNode[1].visibility = 64
        userDataNode[1].type = DescriptorTableVaPtr
        userDataNode[1].offsetInDwords = 9
        userDataNode[1].sizeInDwords = 1
        userDataNode[1].next[0].type = DescriptorConstBuffer
        userDataNode[1].next[0].offsetInDwords = 0
        userDataNode[1].next[0].sizeInDwords = 4
        userDataNode[1].next[0].set = 1
        userDataNode[1].next[0].binding = 0
        ";
    let text = description(POSITION, "", fragment, TARGET)
        .replace("[GraphicsPipelineState]", &format!("{layout}[GraphicsPipelineState]"));
    let found = report(&text, &Options::default());
    let held = |from: From| {
        let of = |register: &&Register| register.from == from && register.name.starts_with("SPI_SHADER_USER_DATA_PS_");
        let row = |register: &Register| {
            (register.address.0, register.value.map(|value| value.0), register.fields[0].why.to_string())
        };
        found.registers.iter().filter(of).map(row).collect::<Vec<_>>()
    };
    let expected = [
        (0x2c0c, Some(0x1000_0000), "GlobalTable: the driver's internal table".to_owned()),
        (0x2c0d, Some(4), "entry 4: push constants, byte 4".to_owned()),
        (0x2c0e, Some(9), "entry 9: table of set 1".to_owned()),
    ];
    assert_eq!(held(From::Packed), expected);
    assert_eq!(held(From::Unpacked), expected);
    // Without a root layout nothing is said of what loads from it; what a vertex shader always has is known.
    let found = report(&description(POSITION, "", fragment, TARGET), &Options::default());
    let of = |stage| found.registers.iter().filter(move |register| register.stage == stage);
    let user_data = |stage| of(stage).filter(|register| register.name.contains("USER_DATA"));
    assert_eq!(user_data(StageKind::Fragment).count(), 0);
    let held: Vec<String> = user_data(StageKind::Vertex).map(|register| register.fields[0].why.to_string()).collect();
    assert!(held.iter().all(|why| !why.starts_with("entry ")), "{held:?}");
}
