//! Samplers, files, mip levels and texel buffers of Amber scripts: on the software device under the validation layer and in
//! the interpreter, with the same outcome.

use std::fs;
use std::path::Path;

use crate::common::{file, outcome};

const DEVICES: [&[&str]; 2] = [&["--device", "llvmpipe", "--validate"], &["--device", "interpreter"]];

/// Status, output and errors of a run of a script with files beside it, from one device.
fn on_one(text: &str, beside: &dyn Fn(&Path), on: &[&str]) -> (i32, String, String) {
    let (folder, path) = file("a.amber", text);
    beside(path.parent().expect("a folder"));
    let path = path.to_string_lossy().into_owned();
    let (status, stdout, stderr) = outcome(["run", path.as_str()].into_iter().chain(on.iter().copied()));
    drop(folder);
    (status, stdout.replace(&path, "a.amber"), stderr.replace(&path, "a.amber"))
}

/// The same, equal from each device.
fn ran_beside(text: &str, beside: &dyn Fn(&Path)) -> (i32, String, String) {
    let [device, interpreter] = DEVICES.map(|on| on_one(text, beside, on));
    assert_eq!(device, interpreter);
    device
}

fn ran(text: &str) -> (i32, String, String) {
    ran_beside(text, &|_| ())
}

fn passes(text: &str) {
    let (status, stdout, stderr) = ran(text);
    assert!(status == 0 && stdout.contains("all passed"), "{status}: {stdout}{stderr}");
}

/// Looks at two texels, 1 and 3, and at a depth of 0.5.
const SAMPLED: &str = "#!amber
SHADER compute look GLSL
#version 450
layout(set = 0, binding = 0) uniform sampler2D whole;
layout(set = 0, binding = 1) uniform texture2D image;
layout(set = 0, binding = 2) uniform sampler own[2];
layout(set = 0, binding = 4) uniform sampler2DShadow depth;
layout(set = 0, binding = 5) buffer Seen { float seen[]; };
void main() {
  seen[0] = textureLod(whole, vec2(0.5), 0).r;
  seen[1] = textureLod(whole, vec2(-3, 0.5), 0).r;
  seen[2] = textureLod(sampler2D(image, own[0]), vec2(-0.5, 0.5), 0).r;
  seen[3] = textureLod(sampler2D(image, own[0]), vec2(-0.5, 0.5), 0).g;
  seen[4] = textureLod(sampler2D(image, own[1]), vec2(1.25, 0.5), 0).r;
  seen[5] = textureLod(sampler2D(image, own[1]), vec2(2.25, 0.5), 0).r;
  seen[6] = textureLod(depth, vec3(0.5, 0.5, 0.75), 0);
  seen[7] = textureLod(depth, vec3(0.5, 0.5, 0.25), 0);
}
END
IMAGE image FORMAT R32_SFLOAT DIM_2D WIDTH 2 HEIGHT 1 DATA 1.0 3.0 END
IMAGE depth FORMAT D32_SFLOAT DIM_2D WIDTH 1 HEIGHT 1 DATA 0.5 END
SAMPLER linear MAG_FILTER linear MIN_FILTER linear ADDRESS_MODE_U clamp_to_edge
SAMPLER white ADDRESS_MODE_U clamp_to_border BORDER_COLOR float_opaque_white
SAMPLER mirrored ADDRESS_MODE_U mirrored_repeat
SAMPLER above COMPARE on COMPARE_OP greater
BUFFER seen DATA_TYPE float SIZE 8 FILL 9
PIPELINE compute p
  ATTACH look
  BIND BUFFER image AS combined_image_sampler SAMPLER linear DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER image AS sampled_image DESCRIPTOR_SET 0 BINDING 1
  BIND SAMPLER_ARRAY white mirrored DESCRIPTOR_SET 0 BINDING 2
  BIND BUFFER depth AS combined_image_sampler SAMPLER above DESCRIPTOR_SET 0 BINDING 4
  BIND BUFFER seen AS storage DESCRIPTOR_SET 0 BINDING 5
END
RUN p 1 1 1
EXPECT seen IDX 0 EQ 2 1 1 0 3 1 1 0
";

#[test]
fn samplers_are_those_of_the_script() {
    passes(SAMPLED);
    // The number of the line is that of the sampler or of the run.
    for (from, to, expected, said) in [
        ("COMPARE on ", "", 2, "a.amber:35: set0.binding4: the shader compares depths, and the sampler does not"),
        ("float_opaque_white", "int_opaque_white", 2, "set0.binding2: the border color INT_OPAQUE_WHITE"),
        ("SAMPLER mirrored ", "SAMPLER mirrored UNNORMALIZED_COORDS ", 3, "a.amber:24: cannot be run here: SAMPLER"),
        (
            "  BIND SAMPLER_ARRAY white mirrored DESCRIPTOR_SET 0 BINDING 2\n",
            "",
            3,
            "nothing is bound to set0.binding2",
        ),
        ("SAMPLER_ARRAY white mirrored", "SAMPLER white", 3, "nothing is bound to set0.binding2"),
    ] {
        let text = SAMPLED.replacen(from, to, 1);
        assert_ne!(text, SAMPLED);
        let (status, stdout, stderr) = ran(&text);
        assert!(status == expected && stdout.is_empty() && stderr.contains(said), "{status}: {stdout}{stderr}");
    }
}

/// Texels of formats that SPIR-V has no name for, through a sampler that takes coordinates of texels.
#[test]
fn images_have_the_formats_of_the_script() {
    for (format, data, found) in [
        ("B8G8R8A8_UNORM", "255 0 51 255", "0.2 0 1 1"),
        ("R8G8B8A8_SRGB", "255 0 188 0", "1 0 0.5029 0"),
        ("A2R10G10B10_UNORM_PACK32", "0xC00FFC00", "0 1 0 1"),
        ("R5G6B5_UNORM_PACK16", "0xF800", "1 0 0 1"),
        ("D16_UNORM", "65535", "1 0 0 1"),
    ] {
        passes(&format!(
            "#!amber\nSHADER compute look GLSL\n#version 450\nlayout(binding = 0) uniform sampler2D image;\n\
             layout(binding = 1) buffer Seen {{ vec4 seen; }};\nvoid main() {{ seen = textureLod(image, vec2(0.5), 0); }}\n\
             END\nIMAGE image FORMAT {format} DIM_2D WIDTH 1 HEIGHT 1 DATA {data} END\n\
             SAMPLER s UNNORMALIZED_COORDS ADDRESS_MODE_U clamp_to_edge ADDRESS_MODE_V clamp_to_border\n\
             BUFFER seen DATA_TYPE float SIZE 4 FILL 9\nPIPELINE compute p\n  ATTACH look\n  \
             BIND BUFFER image AS combined_image_sampler SAMPLER s DESCRIPTOR_SET 0 BINDING 0\n  \
             BIND BUFFER seen AS storage DESCRIPTOR_SET 0 BINDING 1\nEND\nRUN p 1 1 1\n\
             EXPECT seen IDX 0 TOLERANCE 0.001 EQ {found}\n"
        ));
    }
}

/// Draws to two levels, and looks at them.
const LEVELS: &str = "#!amber
SHADER vertex corners PASSTHROUGH
SHADER fragment white GLSL
#version 450
layout(location = 0) out vec4 color;
void main() { color = vec4(1); }
END
SHADER compute look GLSL
#version 450
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) uniform sampler2D low;
layout(binding = 2) buffer Seen { float seen[]; };
void main() {
  seen[0] = textureLod(image, vec2(0.5), 0).r;
  seen[1] = textureLod(image, vec2(0.5), 1).r;
  seen[2] = textureLod(image, vec2(0.5), 9).r;
  seen[3] = textureLod(low, vec2(0.5), 0).r;
  seen[4] = float(textureQueryLevels(image));
  seen[5] = float(textureSize(low, 0).x);
}
END
BUFFER image FORMAT R32_SFLOAT MIP_LEVELS 3
SAMPLER s MAX_LOD 1.0
BUFFER seen DATA_TYPE float SIZE 6 FILL 9
PIPELINE graphics first
  ATTACH corners
  ATTACH white
  BIND BUFFER image AS color LOCATION 0
  FRAMEBUFFER_SIZE 8 8
END
PIPELINE graphics second
  ATTACH corners
  ATTACH white
  BIND BUFFER image AS color LOCATION 0 BASE_MIP_LEVEL 1
  FRAMEBUFFER_SIZE 4 4
END
PIPELINE compute p
  ATTACH look
  BIND BUFFER image AS combined_image_sampler SAMPLER s DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER image AS combined_image_sampler SAMPLER s DESCRIPTOR_SET 0 BINDING 1 BASE_MIP_LEVEL 1
  BIND BUFFER seen AS storage DESCRIPTOR_SET 0 BINDING 2
END
CLEAR_COLOR first 51 0 0 255
CLEAR first
RUN second DRAW_RECT POS 0 0 SIZE 4 4
RUN p 1 1 1
EXPECT seen IDX 0 TOLERANCE 0.001 EQ 0.2 1 1 1 3 4
";

/// An image that is drawn to is as large as the framebuffer.
#[test]
fn images_without_contents_are_attachments() {
    let text = "#!amber\nSHADER vertex corners PASSTHROUGH\nSHADER fragment white GLSL\n#version 450\n\
        layout(location = 0) out vec4 color;\nvoid main() { color = vec4(1); }\nEND\n\
        IMAGE image FORMAT B8G8R8A8_UNORM DIM_2D WIDTH 2 HEIGHT 2\nPIPELINE graphics p\n  ATTACH corners\n  \
        ATTACH white\n  BIND BUFFER image AS color LOCATION 0\n  FRAMEBUFFER_SIZE 8 4\nEND\nCLEAR p\n\
        RUN p DRAW_RECT POS 4 0 SIZE 4 4\nEXPECT image IDX 4 0 SIZE 4 4 EQ_RGBA 255 255 255 255\n\
        EXPECT image IDX 0 0 SIZE 4 4 EQ_RGBA 0 0 0 0\n";
    passes(text);
}

#[test]
fn levels_are_drawn_to_and_sampled() {
    passes(LEVELS);
    let (status, stdout, stderr) = ran(&format!("{LEVELS}EXPECT image IDX 0 EQ 1.0\n"));
    let said = "a.amber:48: cannot be run here: EXPECT of an image with MIP_LEVELS";
    assert!(status == 3 && stdout.is_empty() && stderr.contains(said), "{status}: {stdout}{stderr}");
    let (status, _, stderr) = ran(&LEVELS.replace("MIP_LEVELS 3", "MIP_LEVELS 5"));
    assert!(status == 3 && stderr.contains("5 mip levels, and an image of 8×8×1 has 4"), "{status}: {stderr}");
}

/// Contents from files.
const FILES: &str = "#!amber
VIRTUAL_FILE own.txt
7 8
END
SHADER compute look GLSL
#version 450
layout(binding = 0) uniform sampler2D picture;
layout(binding = 1) buffer Seen { vec4 seen; };
void main() { seen = textureLod(picture, vec2(0.75, 0.5), 0); }
END
BUFFER text DATA_TYPE vec2<float> SIZE 1 FILE TEXT data/numbers.txt
BUFFER binary DATA_TYPE uint16 SIZE 2 FILE BINARY bytes.bin
BUFFER own DATA_TYPE uint32 SIZE 2 FILE TEXT own.txt
BUFFER picture FORMAT R8G8B8A8_UNORM FILE PNG picture.png
SAMPLER s
BUFFER seen DATA_TYPE float SIZE 4 FILL 9
PIPELINE compute p
  ATTACH look
  BIND BUFFER picture AS combined_image_sampler SAMPLER s DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER seen AS storage DESCRIPTOR_SET 0 BINDING 1
END
RUN p 1 1 1
EXPECT text IDX 0 EQ 1 2.5 -3 4
EXPECT binary IDX 0 EQ 513 1027
EXPECT own IDX 0 EQ 7 8
EXPECT seen IDX 0 TOLERANCE 0.001 EQ 0.2 0.4 1 1
";

fn write_files(folder: &Path) {
    fs::create_dir(folder.join("data")).expect("a folder");
    fs::write(folder.join("data/numbers.txt"), "1 2.5\n# more\n-3 4\n").expect("writes");
    fs::write(folder.join("bytes.bin"), [1, 2, 3, 4]).expect("writes");
    let mut encoder = png::Encoder::new(fs::File::create(folder.join("picture.png")).expect("a file"), 2, 1);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(&[0, 0, 0, 51, 102, 255]).expect("pixels");
}

#[test]
fn contents_come_from_files_beside_the_script() {
    let (status, stdout, stderr) = ran_beside(FILES, &write_files);
    assert!(status == 0 && stdout.contains("4 checks: all passed"), "{status}: {stdout}{stderr}");
    for (from, to, said) in [
        (
            "data/numbers.txt",
            "../numbers.txt",
            "a.amber:11: cannot be run here: FILE TEXT ../numbers.txt: it leaves the folder",
        ),
        ("data/numbers.txt", "/etc/hostname", "it is an absolute path"),
        ("data/numbers.txt", "missing.txt", "FILE TEXT missing.txt: "),
        ("uint16 SIZE 2", "uint16 SIZE 3", "FILE BINARY bytes.bin: 4 bytes; 3 elements have 6"),
        (
            "FORMAT R8G8B8A8_UNORM FILE PNG picture.png",
            "FORMAT R8G8B8A8_UNORM FILE PNG bytes.bin",
            "FILE PNG bytes.bin: ",
        ),
        ("FORMAT R8G8B8A8_UNORM FILE", "FORMAT R32_UINT FILE", "a picture for a buffer of R32_UINT"),
    ] {
        let text = FILES.replacen(from, to, 1);
        assert_ne!(text, FILES);
        let (status, stdout, stderr) = ran_beside(&text, &write_files);
        assert!(status == 3 && stdout.is_empty() && stderr.contains(said), "{said}: {status}: {stdout}{stderr}");
    }
}

/// Texels in and out of buffers.
const TEXELS: &str = "#!amber
SHADER compute move GLSL
#version 450
layout(binding = 0) uniform samplerBuffer from;
layout(binding = 1, rgba32f) uniform imageBuffer to[2];
void main() {
  int at = int(gl_GlobalInvocationID.x);
  imageStore(to[1], at, texelFetch(from, at) + imageLoad(to[0], at));
}
END
BUFFER from DATA_TYPE FORMAT DATA NUMBERS END
BUFFER add DATA_TYPE R32G32B32A32_SFLOAT DATA 1 0 0 0  0 2 0 0 END
BUFFER to DATA_TYPE R32G32B32A32_SFLOAT SIZE 2 FILL 9
PIPELINE compute p
  ATTACH move
  BIND BUFFER from AS uniform_texel_buffer DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER_ARRAY add to AS storage_texel_buffer DESCRIPTOR_SET 0 BINDING 1
END
RUN p 2 1 1
EXPECT to IDX 0 TOLERANCE 0.001 EQ FOUND
";

#[test]
fn texel_buffers_have_the_formats_of_the_script() {
    let with = |format: &str, numbers: &str, found: &str| {
        TEXELS.replace("FORMAT", format).replace("NUMBERS", numbers).replace("FOUND", found)
    };
    for (format, numbers, found) in [
        ("R8G8B8A8_UNORM", "255 0 0 255  51 0 0 0", "2 0 0 1  0.2 2 0 0"),
        ("B8G8R8A8_UNORM", "0 0 255 255  255 0 0 0", "2 0 0 1  0 2 1 0"),
        ("R16G16_SNORM", "32767 -32767  0 0", "2 -1 0 1  0 2 0 1"),
        ("A2B10G10R10_UNORM_PACK32", "0xC00003FF 0", "2 0 0 1  0 2 0 0"),
    ] {
        passes(&with(format, numbers, found));
    }
    let (status, _, stderr) = ran(&with("R32_UINT", "1 2", "0"));
    assert!(status == 2 && stderr.contains("texels of format R32_UINT are not what the shader reads"), "{stderr}");
}

/// Writes of one value race, which is an error; the checks of a script hold, since they leave it.
#[test]
fn equal_writes_are_an_error_that_leaves_the_value() {
    let text = "#!amber\nSHADER compute one GLSL\n#version 450\nlayout(binding = 0) buffer B { uint d[]; };\n\
        void main() { d[0] = 7; }\nEND\nBUFFER b DATA_TYPE uint32 SIZE 1 FILL 0\nPIPELINE compute p\n  ATTACH one\n  \
        BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0\nEND\nRUN p 4 1 1\nEXPECT b IDX 0 EQ 7\n";
    let (status, stdout, stderr) = on_one(text, &|_| (), DEVICES[1]);
    let said = "RUN: error E015: two invocations write the same value without an order";
    assert!(status == 0 && stdout.contains(said), "{status}: {stdout}{stderr}");
    let code = text.split_once("GLSL\n").and_then(|(_, rest)| rest.split_once("END")).expect("a shader").0;
    let (_folder, path) = file("a.comp", code);
    let path = path.to_str().expect("UTF-8");
    for command in
        [&["run", path, "--device", "interpreter", "--groups", "4,1,1"][..], &["debug", path, "--groups", "4,1,1"]]
    {
        let (status, stdout, stderr) = outcome(command.iter().copied());
        assert!(status == 1 && stdout.contains("E015"), "{command:?}: {status}: {stdout}{stderr}");
    }
    let (status, stdout, _) = on_one(&text.replace("= 7;", "= gl_WorkGroupID.x;"), &|_| (), DEVICES[1]);
    assert!(status == 1 && stdout.contains("error E001"), "{status}: {stdout}");
}

/// A block of workgroup memory with an initializer makes what shares its bytes zero, if no instruction uses it.
#[test]
fn an_unused_block_zeroes_the_memory_that_it_shares() {
    let text = "#!amber
SHADER compute copies SPIRV-ASM
OpCapability Shader
OpCapability WorkgroupMemoryExplicitLayoutKHR
OpExtension \"SPV_KHR_workgroup_memory_explicit_layout\"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\" %out %zeroed %read
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %block Block
OpMemberDecorate %block 0 Offset FIRST
OpDecorate %array ArrayStride 4
OpDecorate %plain Block
OpMemberDecorate %plain 0 Offset 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
OpDecorate %zeroed Aliased
OpDecorate %read Aliased
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%four = OpConstant %uint 4
%array = OpTypeArray %uint %four
%block = OpTypeStruct %array
%plain = OpTypeStruct %array
%shared = OpTypePointer Workgroup %block
%seen = OpTypePointer Workgroup %plain
%stored = OpTypePointer StorageBuffer %plain
%null = OpConstantNull %block
%zeroed = OpVariable %shared Workgroup %null
%read = OpVariable %seen Workgroup
%out = OpVariable %stored StorageBuffer
%function = OpTypeFunction %void
%main = OpFunction %void None %function
%begin = OpLabel
OpCopyMemory %out %read
OpReturn
OpFunctionEnd
END
BUFFER b DATA_TYPE uint32 SIZE 4 FILL 9
PIPELINE compute p
  ATTACH copies
  BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0
END
RUN p 1 1 1
EXPECT b IDX 0 EQ 0 0 0 0
";
    let of = |first: &str| on_one(&text.replace("FIRST", first), &|_| (), DEVICES[1]);
    let (status, stdout, stderr) = of("0");
    assert!(status == 0 && !stdout.contains("E003"), "{status}: {stdout}{stderr}");
    // What is before the first member is as it was.
    let (_, stdout, stderr) = of("8");
    assert!(stdout.contains("warning E003"), "{stdout}{stderr}");
}

/// Depths of triangles, with what a bias adds.
const BIASED: &str = "#!amber
SHADER vertex sloped GLSL
#version 450
layout(location = 0) in vec2 at;
void main() { gl_Position = vec4(at, 0.5 + SLOPE * at.x, 1); }
END
SHADER fragment white GLSL
#version 450
layout(location = 0) out vec4 color;
void main() { color = vec4(1); }
END
BUFFER image FORMAT R8G8B8A8_UNORM
BUFFER depth FORMAT D32_SFLOAT
PIPELINE graphics p
  ATTACH sloped
  ATTACH white
  FRAMEBUFFER_SIZE 8 8
  BIND BUFFER image AS color LOCATION 0
  BIND BUFFER depth AS depth_stencil
  DEPTH
    TEST on
    WRITE on
    COMPARE_OP less
    BIAS BIASES
  END
END
CLEAR p
RUN p DRAW_RECT POS 0 0 SIZE 8 8
EXPECT depth IDX 0 EQ DEPTHS
";

#[test]
fn depths_are_biased() {
    for (slope, biases, depths) in [
        // Four of the least differences at an exponent of -1: 2^-22.
        ("0.0", "constant 4.0 clamp 0.0 slope 0.0", "0.50000023841858 0.50000023841858"),
        ("0.0", "constant -8.0 clamp 0.0 slope 0.0", "0.49999952316284"),
        ("0.0", "constant 1000000.0 clamp 0.25 slope 0.0", "0.5596046447754"),
        ("0.0", "constant 1000000.0 clamp 0.03125 slope 0.0", "0.53125"),
        ("0.25", "constant 0.0 clamp 0.0 slope 1.0", "0.34375 0.40625 0.46875"),
        ("0.25", "constant 0.0 clamp -0.125 slope -4.0", "0.15625 0.21875"),
    ] {
        passes(&BIASED.replace("SLOPE", slope).replace("BIASES", biases).replace("DEPTHS", depths));
    }
    // Beyond the viewport's range up to 1, and as the fragment shader sees it.
    let seen = BIASED
        .replace("void main() { color = vec4(1); }", "void main() { color = vec4(gl_FragCoord.z); }")
        .replace("  DEPTH\n", "  VIEWPORT 0 0 SIZE 8 8 MIN_DEPTH 0.0 MAX_DEPTH 0.5\n  DEPTH\n")
        .replace("SLOPE", "0.0")
        .replace("BIASES", "constant 16777216.0 clamp 0.0 slope 0.0")
        .replace("DEPTHS", "0.75 0.75");
    passes(&format!("{seen}EXPECT image IDX 0 0 SIZE 8 8 EQ_RGB 191 191 191 TOLERANCE 0.005\n"));
}
