//! Amber scripts: opened as pipelines, and run on the software device under the validation layer and in the interpreter,
//! with the same outcome.

use crate::common::{file, json, outcome};
use serde_json::Value;

const DEVICES: [&[&str]; 2] = [&["--device", "llvmpipe", "--validate"], &["--device", "interpreter"]];

/// Status, output and errors of a run of a script, the same from each device.
fn ran(text: &str) -> (i32, String, String) {
    let [device, interpreter] = DEVICES.map(|on| on_one(text, on));
    assert_eq!(device, interpreter);
    device
}

/// The same from one device.
fn on_one(text: &str, on: &[&str]) -> (i32, String, String) {
    let (_folder, path) = file("a.amber", text);
    let path = path.to_string_lossy().into_owned();
    let (status, stdout, stderr) = outcome(["run", path.as_str()].into_iter().chain(on.iter().copied()));
    (status, stdout.replace(&path, "a.amber"), stderr.replace(&path, "a.amber"))
}

/// Adds a push constant to numbers, in a part of a buffer.
const COMPUTE: &str = "#!amber
SHADER compute add GLSL
#version 450
layout(constant_id = 1) const uint factor = 1;
layout(set = 0, binding = 1) buffer Numbers { uint number[]; };
layout(set = 1, binding = 0) uniform Offset { uint offset; };
layout(push_constant) uniform Push { uint more; };
void main() { number[gl_GlobalInvocationID.x] += (more + offset) * factor; }
END
BUFFER numbers DATA_TYPE uint32 SIZE 4 SERIES_FROM 1 INC_BY 1
BUFFER kept DATA_TYPE uint32 SIZE 4 FILL 0
BUFFER more DATA_TYPE uint32 DATA 10 99 END
BUFFER offset DATA_TYPE uint32 DATA 5 END
PIPELINE compute plain
  ATTACH add
  BIND BUFFER numbers AS storage DESCRIPTOR_SET 0 BINDING 1
  BIND BUFFER offset AS uniform DESCRIPTOR_SET 1 BINDING 0
  BIND BUFFER more AS push_constant
END
DERIVE_PIPELINE twice FROM plain
  BIND BUFFER kept AS storage DESCRIPTOR_SET 0 BINDING 1
END
PIPELINE compute tripled
  ATTACH add SPECIALIZE 1 AS uint32 3
  BIND BUFFER numbers AS storage DESCRIPTOR_SET 0 BINDING 1
  BIND BUFFER offset AS uniform DESCRIPTOR_SET 1 BINDING 0
  BIND BUFFER more AS push_constant
END
";

#[test]
fn buffers_live_from_run_to_run() {
    let text = format!(
        "{COMPUTE}RUN plain 4 1 1\nEXPECT numbers IDX 0 EQ 16 17 18 19\nCOPY numbers TO kept\nRUN twice 2 1 1\n\
         EXPECT kept IDX 0 EQ 31 32 18 19\nREPEAT 2\nRUN tripled 1 1 1\nEND\nEXPECT numbers IDX 0 EQ 106 17\n\
         EXPECT numbers IDX 4 EQ_BUFFER kept\n"
    );
    // What does not read names its line.
    let (status, _, stderr) = ran(&text);
    assert_eq!((status, stderr.contains("a.amber: line 38: expected")), (2, true), "{stderr}");
    let text = text.replace("IDX 4 EQ_BUFFER", "EQ_BUFFER");
    let (status, stdout, _) = ran(&text);
    let said = "a.amber:38: EXPECT numbers: byte 0: expected 0x1f, found 0x6a (2 differ)\n\
                a.amber: 9 commands, 4 runs, 4 checks: 1 failed\n";
    assert_eq!((status, stdout.as_str()), (1, said));
    let (status, stdout, _) = ran(&text.replace("EXPECT numbers EQ_BUFFER kept\n", ""));
    let passed = "a.amber: 8 commands, 4 runs, 3 checks: all passed\n";
    assert_eq!((status, stdout.as_str()), (0, passed));
    // What a device must have is no part of that.
    let text = text.replace("EXPECT numbers EQ_BUFFER kept\n", "").replacen('\n', "\nDEVICE_FEATURE shaderInt8\n", 1);
    let (status, stdout, _) = ran(&text);
    let unchecked = "requirements that were not checked: DEVICE_FEATURE shaderInt8\n";
    assert_eq!((status, stdout), (0, format!("{passed}{unchecked}")));
}

/// Draws with a color that vertices carry, over a color that clears.
const DRAW: &str = "#!amber
SHADER vertex through GLSL
#version 450
layout(location = 0) in vec2 at;
layout(location = 1) in vec3 tint;
layout(location = 0) out vec3 color;
void main() { gl_Position = vec4(at, 0.5, 1); color = tint; }
END
SHADER vertex corners PASSTHROUGH
SHADER fragment tinted GLSL
#version 450
layout(location = 0) in vec3 tint;
layout(location = 0) out vec4 color;
void main() { color = vec4(tint, 1); }
END
SHADER fragment green GLSL
#version 450
layout(location = 0) out vec4 color;
void main() { color = vec4(0, 1, 0, 0.2); }
END
BUFFER image FORMAT B8G8R8A8_UNORM
BUFFER at DATA_TYPE vec2<float> DATA
-1 -1   0 -1   0 1   -1 1
END
BUFFER tint DATA_TYPE vec3<float> DATA
1 0 0  1 0 0  1 0 0  1 0 0
END
BUFFER order DATA_TYPE uint16 DATA 0 1 2 2 3 0 END
PIPELINE graphics array
  ATTACH through
  ATTACH tinted
  FRAMEBUFFER_SIZE 8 4
  VERTEX_DATA at LOCATION 0
  VERTEX_DATA tint LOCATION 1
  INDEX_DATA order
  BIND BUFFER image AS color LOCATION 0
END
PIPELINE graphics rect
  ATTACH corners
  ATTACH green
  FRAMEBUFFER_SIZE 8 4
  BIND BUFFER image AS color LOCATION 0
END
CLEAR_COLOR array 0 0 51 255
CLEAR array
RUN array DRAW_ARRAY AS TRIANGLE_LIST INDEXED
EXPECT image IDX 0 0 SIZE 4 4 EQ_RGBA 255 0 0 255
EXPECT image IDX 4 0 SIZE 4 4 EQ_RGBA 0 0 51 255
RUN rect DRAW_RECT POS 2 1 SIZE 4 2
EXPECT image IDX 2 1 SIZE 4 2 EQ_RGBA 0 255 0 51
EXPECT image IDX 0 0 SIZE 8 1 EQ_RGB 255 0 0
";

#[test]
fn draws_leave_pixels_for_the_next_command() {
    let (status, stdout, stderr) = ran(DRAW);
    let said = "a.amber:51: EXPECT image: pixel 4, 0: expected R 255, G 0, B 0, found R 0, G 0, B 51, A 255 (4 differ)\n\
                a.amber: 8 commands, 2 runs, 4 checks: 1 failed\n";
    assert_eq!((status, stdout.as_str()), (1, said), "{stderr}");
}

#[test]
fn what_cannot_be_run_names_its_line_and_passes_nothing() {
    let sampled = COMPUTE.replace(
        "PIPELINE compute plain\n",
        "SAMPLER s UNNORMALIZED_COORDS\nPIPELINE compute plain\n  BIND SAMPLER s DESCRIPTOR_SET 2 BINDING 0\n",
    );
    let (status, stdout, stderr) = ran(&format!("{sampled}RUN plain 1 1 1\n"));
    assert_eq!((status, stdout.as_str()), (3, ""));
    assert!(stderr.contains("a.amber:14: cannot be run here: SAMPLER s: coordinates that count texels"), "{stderr}");
    let (status, _, stderr) = ran(&SAMPLED.replace("texels DATA_TYPE float", "texels DATA_TYPE vec2<float>"));
    let said = "a.amber:17: cannot be run here: storage_texel_buffer of R32G32_SFLOAT: a run of this shader has texels of R32_SFLOAT";
    assert!(status == 3 && stderr.contains(said), "{stderr}");
    let unbound = COMPUTE.replace("  BIND BUFFER offset AS uniform DESCRIPTOR_SET 1 BINDING 0\n", "");
    let (status, stdout, stderr) = ran(&format!("{unbound}RUN plain 1 1 1\n"));
    assert_eq!((status, stdout.as_str()), (3, ""));
    assert!(stderr.contains("cannot be run here: RUN: nothing is bound to set1.binding0"), "{stderr}");
    let (status, _, stderr) = ran(&format!("{}RUN plain 1 1 1\n", COMPUTE.replace("factor; }", "nothing; }")));
    assert!(status == 2 && stderr.contains("a.amber:29: ") && stderr.contains("'nothing'"), "{stderr}");
}

/// Samples an image, and writes texels of a buffer.
const SAMPLED: &str = "#!amber
SHADER compute fetch GLSL
#version 450
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(set = 0, binding = 1, r32f) uniform writeonly imageBuffer texels;
void main() {
    uint at = gl_GlobalInvocationID.x;
    imageStore(texels, int(at), textureLod(picture, vec2(0.25 + 0.25 * float(at), 0.5), 0.0));
}
END
SAMPLER s MAG_FILTER linear MIN_FILTER linear ADDRESS_MODE_U repeat
IMAGE picture FORMAT R8G8B8A8_UNORM DIM_2D WIDTH 2 HEIGHT 1 DATA 255 0 0 255 0 255 0 255 END
BUFFER texels DATA_TYPE float SIZE 4 FILL 9
PIPELINE compute all
  ATTACH fetch
  BIND BUFFER picture AS combined_image_sampler SAMPLER s DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER texels AS storage_texel_buffer DESCRIPTOR_SET 0 BINDING 1
END
RUN all 4 1 1
EXPECT texels IDX 0 TOLERANCE 0.01 EQ 1.0 0.5 0.0 0.5
";

#[test]
fn samplers_and_texel_buffers_are_those_of_a_run() {
    let (status, stdout, stderr) = ran(SAMPLED);
    assert_eq!((status, stdout.as_str()), (0, "a.amber: 2 commands, 1 run, 1 check: all passed\n"), "{stderr}");
}

#[test]
fn what_is_bound_is_what_the_shader_declares() {
    for (bind, line, said) in [
        (
            "numbers AS uniform DESCRIPTOR_SET 0 BINDING 1",
            16,
            "numbers AS uniform: the shader declares a storage buffer at set 0, binding 1",
        ),
        (
            "offset AS storage DESCRIPTOR_SET 1 BINDING 0",
            17,
            "offset AS storage: the shader declares a uniform buffer at set 1, binding 0",
        ),
        (
            "offset AS uniform_texel_buffer DESCRIPTOR_SET 1 BINDING 0",
            17,
            "offset AS uniform_texel_buffer: the shader declares a uniform buffer",
        ),
    ] {
        let name = bind.split(' ').next().expect("a name");
        let old = if name == "numbers" {
            "numbers AS storage DESCRIPTOR_SET 0 BINDING 1"
        } else {
            "offset AS uniform DESCRIPTOR_SET 1 BINDING 0"
        };
        let (status, stdout, stderr) = ran(&format!("{}RUN plain 1 1 1\n", COMPUTE.replacen(old, bind, 1)));
        assert_eq!((status, stdout.as_str()), (2, ""), "{stderr}");
        assert!(stderr.contains(&format!("a.amber:{line}: BIND BUFFER {said}")), "{stderr}");
    }
    // A pipeline that does not run is not looked at, and one that binds more than its shader uses is fine.
    let spare =
        COMPUTE.replacen("BINDING 0\n", "BINDING 0\n  BIND BUFFER kept AS uniform DESCRIPTOR_SET 3 BINDING 7\n", 1);
    let (status, stdout, stderr) = ran(&format!("{spare}RUN plain 1 1 1\n"));
    assert_eq!((status, stdout.as_str()), (0, "a.amber: 1 command, 1 run, 0 checks: nothing is checked\n"), "{stderr}");
}

#[test]
fn a_script_ends_when_its_time_is_up() {
    let text = format!("{COMPUTE}REPEAT 60000\nRUN plain 4 1 1\nEND\n");
    for on in DEVICES {
        let mut flags = on.to_vec();
        flags.extend(["--timeout", "2"]);
        let begin = std::time::Instant::now();
        let (status, stdout, stderr) = on_one(&text, &flags);
        assert_eq!((status, stdout.as_str()), (2, ""), "{stderr}");
        let said = "a.amber:30: the script has not ended within 2 s\n--timeout SECONDS allows more time\n";
        assert!(stderr.ends_with(said), "{stderr}");
        assert!(begin.elapsed().as_secs() < 40, "{:?}", begin.elapsed());
    }
}

#[test]
fn a_run_of_a_script_is_stepped_with_what_came_before() {
    let text = format!("{COMPUTE}RUN plain 4 1 1\nCOPY numbers TO kept\nREPEAT 2\nRUN twice 3 1 1\nEND\n");
    let (_folder, path) = file("a.amber", &text);
    let path = path.to_str().expect("UTF-8");
    let debug = |flags: &[&str]| outcome(["debug", path].into_iter().chain(flags.iter().copied()));
    let numbers = |run: &str| {
        let commands =
            ["--run", run, "--group", "2,0,0", "--format", "json", "--commands", "continue; print number[2]"];
        let (status, stdout, stderr) = debug(&commands);
        assert_eq!(status, 0, "{stderr}");
        let value: Value = serde_json::from_str(&stdout).expect("one JSON object");
        (value["groups"][0].as_u64(), value["commands"][1]["value"]["value"].as_str().map(str::to_owned))
    };
    // 3 + 15, then another 15 each time.
    assert_eq!(numbers("1"), (Some(4), Some("18".to_owned())));
    assert_eq!(numbers("2"), (Some(3), Some("33".to_owned())));
    assert_eq!(numbers("3"), (Some(3), Some("48".to_owned())));
    for (flags, said) in [
        (&["--run", "4"][..], "a.amber: run 4 does not exist: the script has 3"),
        (&["--run", "0"], "--run: expected the number of a run, from 1, found `0`"),
        (&["--run", "saved.lanescope-run"], "found `saved.lanescope-run`"),
        (&["--define", "A"], "a.amber: --define cannot be used with an Amber script"),
        (&["--no-validate", "--stage", "comp"], "a.amber: --stage, --no-validate cannot be used with an Amber script"),
        (&["--zeros"], "a.amber: --zeros cannot be used with an Amber script"),
        (&["--groups", "1,1,1"], "a.amber: --groups cannot be used with an Amber script"),
    ] {
        let (status, _, stderr) = debug(flags);
        assert!(status == 2 && stderr.contains(said), "{flags:?}: {stderr}");
    }
    let (_folder, shader) = file("a.comp", "#version 450\nvoid main() {}\n");
    let (status, _, stderr) = outcome(["debug", shader.to_str().expect("UTF-8"), "--run", "1"]);
    assert!(
        status == 2 && stderr.contains("--run is the saved run of --record, or the run of an Amber script"),
        "{stderr}"
    );
    // A draw is stepped where draws are.
    let (_folder, path) = file("draw.amber", DRAW);
    let path = path.to_str().expect("UTF-8");
    let pixel = ["debug", path, "--run", "2", "--pixel", "3,2", "--commands", "continue; print color"];
    let (status, stdout, stderr) = outcome(pixel);
    assert!(status == 0 && stdout.contains("color = (0, 1, 0, 0.2)"), "{stdout}{stderr}");
}

/// What came before the stepped run is not forgotten: the run takes what it left.
#[test]
fn failed_checks_and_findings_before_a_stepped_run_come_first() {
    let racy = COMPUTE.replace("number[gl_GlobalInvocationID.x] +=", "number[0] = gl_GlobalInvocationID.x +");
    let text = format!("{racy}RUN plain 4 1 1\nEXPECT kept IDX 0 EQ 7\nRUN twice 1 1 1\n");
    let (_folder, path) = file("a.amber", &text);
    let path = path.to_str().expect("UTF-8");
    let (status, stdout, stderr) = outcome(["debug", path, "--run", "2"]);
    let stdout = stdout.replace(path, "a.amber");
    let lines: Vec<&str> = stdout.lines().take(3).collect();
    assert_eq!(status, 1, "{stdout}{stderr}");
    assert_eq!(lines[0], "a.amber:30: EXPECT kept: byte 0, number 0: expected 7, found 0", "{stdout}");
    assert!(lines[1].starts_with("a.amber:29: RUN: error E001: "), "{stdout}");
    assert!(lines[2].contains("in the interpreter"), "{stdout}");
    let (_, stdout, _) = outcome(["debug", path, "--run", "2", "--format", "json"]);
    let value: Value = serde_json::from_str(&stdout).expect("one JSON object");
    assert_eq!(value["before"]["failures"][0]["line"], 30);
    assert_eq!(value["before"]["findings"][0]["finding"]["code"], "E001");
    let (status, stdout, _) = outcome(["debug", path, "--run", "2", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&stdout).expect("one JSON object");
    let result = &log["runs"][0]["results"][0];
    let line = &result["locations"][0]["physicalLocation"]["region"]["startLine"];
    assert_eq!((status, &result["ruleId"], line), (1, &Value::from("E001"), &Value::from(29)), "{log}");
    // Nothing came before the first one.
    let (_, stdout, _) = outcome(["debug", path, "--run", "1", "--format", "json"]);
    let value: Value = serde_json::from_str(&stdout).expect("one JSON object");
    assert!(value.get("before").is_none(), "{value}");
}

/// Names of a script do not reach the terminal as commands.
#[test]
fn names_cannot_control_the_terminal() {
    let text = "#!amber\nDEVICE_EXTENSION VK_\u{1b}[31m\nBUFFER n\u{1b}[2J DATA_TYPE uint32 DATA 1 END\nEXPECT n\u{1b}[2J IDX 0 EQ 2\n";
    let (status, stdout, stderr) = on_one(text, DEVICES[1]);
    assert_eq!(status, 1, "{stderr}");
    let said = "a.amber:4: EXPECT n\u{fffd}[2J: byte 0, number 0: expected 2, found 1\n\
                a.amber: 1 command, 0 runs, 1 check: 1 failed\n\
                requirements that were not checked: DEVICE_EXTENSION VK_\u{fffd}[31m\n";
    assert_eq!(stdout, said);
    let (status, _, stderr) = on_one(&text.replace("uint32 DATA 1 END", "float DATA 1 END\nCOPY x TO n"), DEVICES[1]);
    assert!(status == 2 && !stderr.contains('\u{1b}'), "{stderr}");
    let (status, _, stderr) = on_one("#!amber\nBUFFER a DATA_TYPE n\u{1b}[2J SIZE 1\n", DEVICES[1]);
    assert!(status == 2 && !stderr.contains('\u{1b}'), "{stderr}");
}

#[test]
fn scripts_open_as_pipelines_by_name() {
    let (_folder, path) = file("a.amber", COMPUTE);
    let path = path.to_str().expect("UTF-8");
    let (status, _, stderr) = outcome(["inspect", path]);
    assert!(status == 2 && stderr.contains("3 pipelines (plain, twice, tripled)"), "{stderr}");
    let report: Value = json([path, "--pipeline", "tripled"]);
    assert_eq!(report["inputs"][0]["format"], "amber");
    let stage = &report["pipeline"]["stages"][0];
    assert_eq!((&stage["constants"][0]["value"], &stage["from"]), (&Value::from("3"), &Value::from("line 24")));
    let (status, _, stderr) = outcome(["run", path, "--device", "interpreter", "--groups", "1,1,1"]);
    assert!(status == 2 && stderr.contains("--groups cannot be used with an Amber script"), "{stderr}");
    let (status, stdout, _) = outcome(["run", path, "--device", "interpreter", "--format", "json"]);
    assert_eq!(status, 0);
    let run: Value = serde_json::from_str(&stdout).expect("standard output is one JSON object");
    assert_eq!((&run["commands"], &run["failures"]), (&Value::from(0), &Value::Array(Vec::new())));
}

/// A script that does not do what it states is never a pass.
#[test]
fn nothing_passes_that_was_not_done() {
    let shader = "#!amber\nSHADER compute one GLSL\n#version 450\nlayout(local_size_x = 64) in;\n\
        layout(binding = 0) buffer B { uint d[]; };\nvoid main() { d[0] = gl_GlobalInvocationID.x; }\nEND\n\
        BUFFER b DATA_TYPE uint32 SIZE 4 FILL 0\nPIPELINE compute p\n  ATTACH one\n  \
        BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0\nEND\n";
    // A device does not say that its result was one of several.
    let (status, stdout, _) = on_one(&format!("{shader}RUN p 1 1 1\nEXPECT b IDX 0 EQ 63\n"), DEVICES[1]);
    assert!(status == 1 && stdout.contains("a.amber:13: RUN: error E001"), "{status}: {stdout}");
    let depth = "PIPELINE graphics q\n  ATTACH corners\n  ATTACH green\n  BIND BUFFER image AS color LOCATION 0\n  \
        BIND BUFFER depth AS depth_stencil\n  FRAMEBUFFER_SIZE 4 4\n  DEPTH\n    TEST on\n    STATE\n  END\nEND\n";
    let drawn = |format: &str, state: &str| {
        let head = DRAW.split("PIPELINE").next().expect("shaders");
        let depth = depth.replace("STATE", state);
        format!("{head}BUFFER depth FORMAT {format}\n{depth}CLEAR q\nRUN q DRAW_RECT POS 0 0 SIZE 4 4\n")
    };
    let copied = "#!amber\nBUFFER a DATA_TYPE float STD140 SIZE 2 FILL 1\nBUFFER b DATA_TYPE float STD140 SIZE 3 FILL 1\nCOPY a TO b\n";
    for (text, said) in [
        (drawn("D32_SFLOAT", "BOUNDS min 0.9 max 0.95"), "depth bounds"),
        (drawn("D16_UNORM", "COMPARE_OP less"), "the depth test of D16_UNORM"),
        (copied.to_owned(), "COPY between buffers of different types, layouts or sizes"),
        (format!("{shader}REPEAT 4294967295\nEND\n"), "more than 65536 commands or repetitions"),
        (
            shader.replace("ATTACH one", "ATTACH one\n    SUBGROUP one\n    REQUIRED_SIZE 16\n    END")
                + "RUN p 1 1 1\n",
            "REQUIRED_SIZE",
        ),
    ] {
        for (status, stdout, stderr) in DEVICES.map(|on| on_one(&text, on)) {
            assert!(status == 3 && stderr.contains(said), "{said}: {status}: {stdout}{stderr}");
        }
    }
}
