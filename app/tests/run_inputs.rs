//! What a run takes from its user, on the software device under the validation layer and in the interpreter: both have to
//! give the same.

use crate::common::runs::{DEVICES, bytes, refused, run, words};
use crate::common::{file, outcome, samples};
use serde_json::json;

const PUSH: &str = "#version 450
layout(local_size_x = 1) in;
struct Light { vec3 color; float power; };
layout(push_constant) uniform Draw { float scale; uvec2 size; Light lights[2]; } draw;
layout(binding = 0) buffer Out { float scale; uvec2 size; vec4 light; } result;
void main() {
    result.scale = draw.scale;
    result.size = draw.size;
    result.light = vec4(draw.lights[1].color, draw.lights[0].power);
}
";

#[test]
fn push_constants_are_given_by_name() {
    let (_folder, shader) = file("push.comp", PUSH);
    let shader = shader.to_str().expect("UTF-8");
    let given = [shader, "--push", "float scale=2.5; uvec2 size=8,9", "--push", "lights[1].color.y=-1"];
    let out = words(&bytes(&given, "set0.binding0.bin"));
    assert_eq!((out[0], &out[2..4], out[5]), (2.5f32.to_bits(), &[8, 9][..], (-1f32).to_bits()));
    // The rest is what it is without them.
    let plain = words(&bytes(&[shader], "set0.binding0.bin"));
    assert_eq!((out[4], out[6], out[7]), (plain[4], plain[6], plain[7]));
    assert_ne!(out[0], plain[0]);

    let row = &run(&given, 0)["inputs"][0];
    assert_eq!((&row["name"], &row["source"]), (&json!("push constants"), &json!("partly")));
    let members: Vec<_> =
        row["members"].as_array().expect("members").iter().map(|row| (&row["path"], &row["given"])).collect();
    assert_eq!(members[0], (&json!("scale"), &json!(true)));
    assert_eq!(members[4], (&json!("lights[1].color"), &json!(false)), "one component is not all of it");
    assert_eq!(row["members"][1]["values"], json!([8, 9]));
    let rows = &run(&[shader], 0)["inputs"];
    assert_eq!((&rows[0]["source"], &rows[1]["source"]), (&json!("filled"), &json!("filled")));
}

#[test]
fn push_constants_are_given_as_bytes_and_from_a_file() {
    let (folder, shader) = file("push.comp", PUSH);
    let shader = shader.to_str().expect("UTF-8");
    let text = folder.path().join("draw.txt");
    std::fs::write(&text, "# the draw\nscale = 0x40000000\nsize = 1, 2\n").expect("writes");
    let text = format!("@{}", text.display());
    let out = words(&bytes(&[shader, "--push", &text, "--push-hex", "12:07000000"], "set0.binding0.bin"));
    assert_eq!((out[0], out[2], out[3]), (2f32.to_bits(), 1, 7));
    let missing = refused(&[shader, "--push", "@/nowhere/draw.txt"]);
    assert!(missing.contains("/nowhere/draw.txt: cannot be read"), "{missing}");
}

#[test]
fn push_constants_that_do_not_fit_are_refused() {
    let (folder, shader) = file("push.comp", PUSH);
    let shader = shader.to_str().expect("UTF-8");
    for (flag, text, why) in [
        ("--push", "scal=1", "no push constant `scal`; the nearest of 6 are scale"),
        ("--push", "size=1", "2 values expected, 1 found"),
        ("--push", "int scale=1", "`scale` is float32, not int"),
        ("--push-hex", "60:0000000000000000", "bytes 60 to 68: the push constant block has 48 bytes"),
        ("--push-hex", "0", "pairs of hexadecimal digits"),
    ] {
        let error = refused(&[shader, flag, text]);
        assert!(error.contains(why), "{text}: {error}");
    }
    let plain = folder.path().join("plain.comp");
    std::fs::write(&plain, "#version 450\nlayout(binding = 0) buffer B { uint x; };\nvoid main() { x = 1; }")
        .expect("writes");
    let error = refused(&[plain.to_str().expect("UTF-8"), "--push", "scale=1"]);
    assert!(error.contains("the program has no push constant block"), "{error}");
    let graph = samples().join("work_graphs/01_tile_classify.dxil");
    let (code, _, error) = outcome(["run", graph.to_str().expect("UTF-8"), "--push", "a=1"]);
    assert!(code == 2 && error.contains("--push cannot be used with a work graph"), "{error}");
}

const SAMPLED: &str = "#version 450
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) buffer Out { float seen[2]; };
void main() {
    seen[0] = textureLod(image, vec2(-0.25, 0.25), 0).r;
    seen[1] = textureLod(image, vec2(0.5, 0.25), 0).r;
}
";

#[test]
fn samplers_are_given() {
    let (folder, shader) = file("sampled.comp", SAMPLED);
    let shader = shader.to_str().expect("UTF-8");
    // The right half is white.
    let row = [[0u8; 128], [255; 128]].concat();
    let image = folder.path().join("half.bin");
    std::fs::write(&image, row.repeat(64)).expect("writes");
    let image = format!("0:0={}", image.display());
    let seen = |state: &str| {
        let state = format!("0:0={state}");
        let given = [shader, "--buffer", &image, "--sampler", &state];
        let out = words(&bytes(&given, "set0.binding1.bin"));
        [out[0], out[1]].map(f32::from_bits)
    };
    assert_eq!(seen("nearest"), [1.0, 1.0]);
    assert_eq!(seen("nearest,clamp-to-edge"), [0.0, 1.0]);
    assert_eq!(seen("u=clamp-to-border,border=float-opaque-white"), [1.0, 1.0]);
    assert_eq!(seen("u=clamp-to-border,border=float-opaque-black"), [0.0, 1.0]);
    assert_eq!(seen("mirrored-repeat"), [0.0, 1.0]);
    let row = &run(&[shader, "--buffer", &image, "--sampler", "0:0=nearest"], 0)["inputs"];
    assert!(row.as_array().is_some_and(|rows| rows.iter().any(|row| row["source"] == "given")), "{row}");
    for (given, why) in [
        ("0:0=compare=less,linear=2", "expected nearest, linear, repeat"),
        ("0:1=nearest", "set0.binding1: it is a storage buffer, and has no sampler"),
        ("0:7=nearest", "the shader does not use set0.binding7"),
        ("0:0[3]=nearest", "there is no element 3: it has 1 descriptor"),
        ("0:0=clamp-to-border,border=int-opaque-white", "the image has floating-point numbers"),
        ("0:0=unnormalized", "CLAMP_TO_EDGE or CLAMP_TO_BORDER"),
        ("0:0=linear,compare=less", "set0.binding0: the sampler compares, and the shader samples with no reference"),
    ] {
        let error = refused(&[shader, "--sampler", given]);
        assert!(error.contains(why), "{given}: {error}");
    }
    // Separate samplers: one that compares, one that does not.
    let shader = "#version 450
        layout(binding = 0) uniform texture2D image;
        layout(binding = 1) uniform samplerShadow compares;
        layout(binding = 2) uniform sampler samples;
        layout(binding = 3) buffer Out { float seen[2]; };
        void main() {
            seen[0] = textureLod(sampler2DShadow(image, compares), vec3(0.5), 0);
            seen[1] = textureLod(sampler2D(image, samples), vec2(0.5), 0).r;
        }";
    std::fs::write(folder.path().join("separate.comp"), shader).expect("writes");
    let shader = folder.path().join("separate.comp");
    let shader = shader.to_str().expect("UTF-8");
    for (given, why) in [
        ("0:1=nearest", "set0.binding1: the shader compares depths, and the sampler does not"),
        ("0:2=nearest,compare=less", "set0.binding2: the sampler compares, and the shader samples with no reference"),
    ] {
        let error = refused(&[shader, "--sampler", given]);
        assert!(error.contains(why), "{given}: {error}");
    }
    // The one that does not compare samples depths as they are.
    let out = words(&bytes(&[shader, "--seed", "3"], "set0.binding3.bin"))
        .iter()
        .map(|word| f32::from_bits(*word))
        .collect::<Vec<_>>();
    assert!([0.0, 1.0].contains(&out[0]) && out[1] > 0.0 && out[1] < 1.0, "{out:?}");
    let graph = samples().join("work_graphs/01_tile_classify.dxil");
    let (code, _, error) = outcome(["run", graph.to_str().expect("UTF-8"), "--sampler", "0:0=linear"]);
    assert!(code == 2 && error.contains("--sampler cannot be used with a work graph"), "{error}");
}

/// A depth comparison whose image type leaves it open whether it has depths.
const COMPARED: &str = "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %image DescriptorSet 0
OpDecorate %image Binding 0
OpDecorate %sampler DescriptorSet 0
OpDecorate %sampler Binding 1
OpDecorate %block BufferBlock
OpMemberDecorate %block 0 Offset 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 2
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%u0 = OpConstant %uint 0
%f0 = OpConstant %float 0
%half = OpConstant %float 0.5
%v2 = OpTypeVector %float 2
%uv = OpConstantComposite %v2 %half %half
%image_type = OpTypeImage %float 2D 2 0 0 1 Unknown
%image_pointer = OpTypePointer UniformConstant %image_type
%image = OpVariable %image_pointer UniformConstant
%sampler_type = OpTypeSampler
%sampler_pointer = OpTypePointer UniformConstant %sampler_type
%sampler = OpVariable %sampler_pointer UniformConstant
%both = OpTypeSampledImage %image_type
%block = OpTypeStruct %float
%block_pointer = OpTypePointer Uniform %block
%out = OpVariable %block_pointer Uniform
%float_pointer = OpTypePointer Uniform %float
%main = OpFunction %void None %fn
%label = OpLabel
%i = OpLoad %image_type %image
%s = OpLoad %sampler_type %sampler
%si = OpSampledImage %both %i %s
%seen = OpImageSampleDrefExplicitLod %float %si %uv %half Lod %f0
%place = OpAccessChain %float_pointer %out %u0
OpStore %place %seen
OpReturn
OpFunctionEnd
";

#[test]
fn images_have_depths_where_instructions_compare_them() {
    let (folder, shader) = file("compared.spvasm", COMPARED);
    let shader = shader.to_str().expect("UTF-8");
    let depths = folder.path().join("depths.bin");
    for (depth, seen) in [(0.25f32, 0f32), (0.75, 1.0)] {
        std::fs::write(&depths, depth.to_le_bytes().repeat(64 * 64)).expect("writes");
        let given = format!("0:0={}", depths.display());
        // 0.5 is less than or equal to the depth.
        let out = words(&bytes(&[shader, "--buffer", &given], "set0.binding2.bin"));
        assert_eq!(out, [seen.to_bits()], "{depth}");
    }
}

#[test]
fn stages_have_samplers_in_common() {
    let sampled = "layout(binding = 0) uniform texture2D image;
        layout(binding = 1) uniform sampler samples;
        vec4 sampled() { return textureLod(sampler2D(image, samples), vec2(0.25), 0); }";
    let vertex = "layout(location = 0) in vec3 position; layout(location = 0) flat out vec4 seen;
        void main() { gl_Position = vec4(position, 1); seen = sampled(); }";
    let fragment = "layout(location = 0) flat in vec4 seen; layout(location = 0) out vec4 same;
        void main() { same = vec4(equal(seen, sampled())); }";
    let (folder, _) = file("unused.txt", "");
    let [vertex, fragment] = [("common.vert", vertex), ("common.frag", fragment)].map(|(name, text)| {
        let path = folder.path().join(name);
        std::fs::write(&path, format!("#version 450\n{sampled}\n{text}\n")).expect("writes");
        path.to_string_lossy().into_owned()
    });
    // One triangle over the middle.
    let vertices = folder.path().join("vertices.csv");
    std::fs::write(&vertices, "position.x,position.y\n-4,-4\n4,-4\n0,8\n").expect("writes");
    let given = [&vertex, &fragment, "--vertices", vertices.to_str().expect("UTF-8"), "--size", "2x2"];
    let out = words(&bytes(&given, "color0.bin"));
    assert!(out.iter().all(|word| *word == 1f32.to_bits()), "{out:?}");
}

#[test]
fn push_constants_are_debugged() {
    let (_folder, shader) = file("push.comp", PUSH);
    let all = ["debug", shader.to_str().expect("UTF-8"), "--push", "scale=2.5; size=4,5", "--commands", "continue"];
    let (code, _, stderr) = outcome(all);
    assert_eq!(code, 0, "{stderr}");
    let (code, _, stderr) = outcome(["debug", shader.to_str().expect("UTF-8"), "--push", "nothing=1"]);
    assert!(code == 2 && stderr.contains("no push constant `nothing`"), "{stderr}");
}

#[test]
fn specialization_constants_are_named() {
    let shader = "#version 450
        layout(local_size_x = 1) in;
        layout(constant_id = 3) const uint width = 8;
        layout(constant_id = 4) const float gain = 1;
        layout(binding = 0) buffer Out { uint width_; float gain_; };
        void main() { width_ = width; gain_ = gain; }";
    let (_folder, shader) = file("named.comp", shader);
    let shader = shader.to_str().expect("UTF-8");
    let two = 2f32.to_bits();
    assert_eq!(words(&bytes(&[shader, "--spec", "width=16", "--spec", "gain=2"], "set0.binding0.bin")), [16, two]);
    assert_eq!(words(&bytes(&[shader, "--spec", "3=16", "--spec", "gain=2"], "set0.binding0.bin")), [16, two]);
    let error = refused(&[shader, "--spec", "wide=16"]);
    assert!(
        error.contains("--spec wide: no specialization constant has this name; there are gain (4), width (3)"),
        "{error}"
    );
    let error = refused(&[shader, "--spec", "width=x"]);
    assert!(error.contains("expected uint32, found `x`"), "{error}");
    let (code, _, error) = outcome(["corpus", shader, "--spec", "width=16"]);
    assert!(code == 2 && error.contains("by id"), "{error}");
}

#[test]
fn the_text_says_what_was_given_and_what_was_filled() {
    let (_folder, shader) = file("push.comp", PUSH);
    let shader = shader.to_str().expect("UTF-8");
    for on in DEVICES {
        let all = ["run", shader, "--push", "scale=2; size=8,8"].into_iter().chain(on.iter().copied());
        let (_, stdout, _) = outcome(all);
        assert!(stdout.contains("given: scale = 2.0; size = 8 8"), "{stdout}");
        assert!(stdout.contains("filled: lights[0].color = "), "{stdout}");
        let (_, stdout, _) = outcome(["run", shader].into_iter().chain(on.iter().copied()));
        assert!(!stdout.contains("given:") && stdout.contains("seed 0"), "{stdout}");
    }
}

const VERTEX: &str = "#version 450
layout(location = 0) in vec2 position;
layout(location = 2) in uvec2 tint;
layout(location = 0) flat out uvec2 color;
void main() {
    gl_Position = vec4(position.x + float(gl_InstanceIndex), position.y, 0.5, 1.0);
    color = tint + uvec2(gl_InstanceIndex, gl_VertexIndex);
}
";
const FRAGMENT: &str = "#version 450
layout(location = 0) flat in uvec2 color;
layout(location = 0) out uvec4 result;
void main() { result = uvec4(color, uvec2(gl_FragCoord.xy)); }
";

/// A pipeline, and a file beside it.
fn pipeline(name: &str, text: &str) -> (tempfile::TempDir, [String; 3]) {
    let (folder, vertex) = file("draw.vert", VERTEX);
    let fragment = folder.path().join("draw.frag");
    std::fs::write(&fragment, FRAGMENT).expect("writes");
    let other = folder.path().join(name);
    std::fs::write(&other, text).expect("writes");
    let paths = [vertex, fragment, other].map(|path| path.to_string_lossy().into_owned());
    (folder, paths)
}

/// The first sample of each pixel of a picture so wide: its first two components.
fn picture(bytes: &[u8], width: usize) -> Vec<Vec<[u32; 2]>> {
    let words = words(bytes);
    // Four components for each of four samples.
    let pixels: Vec<[u32; 2]> = words.chunks(16).map(|pixel| [pixel[0], pixel[1]]).collect();
    pixels.chunks(width).map(<[_]>::to_vec).collect()
}

/// A square over the left upper quarter of the picture as a strip.
const SQUARE: &str = "position.x, position.y, location2[0], location2[1]
-1, -1, 10, 0
0, -1, 10, 0
-1, 0, 10, 0
0, 0, 10, 0
";

#[test]
fn vertices_are_drawn_as_given() {
    let (_folder, [vertex, fragment, square]) = pipeline("square.csv", SQUARE);
    let draw = [&vertex, &fragment, "--vertices", &square, "--topology", "triangle-strip", "--size", "8x4"];
    let rows = picture(&bytes(&draw, "color0.bin"), 8);
    assert_eq!((rows.len(), rows[0].len()), (4, 8));
    // What the scene starts with elsewhere; the flat value is that of the first vertex of each triangle.
    assert_eq!((rows[0][4], rows[2][0]), ([1, 2], [1, 2]));
    assert_eq!((rows[0][0], rows[1][3]), ([10, 0], [10, 1]));
    // Two instances, the second one to the right.
    let two = [&draw[..], &["--instances", "2"]].concat();
    let rows = picture(&bytes(&two, "color0.bin"), 8);
    assert_eq!((rows[0][0], rows[0][4], rows[2][4]), ([10, 0], [11, 0], [1, 2]));
    let report = run(&two, 0);
    let inputs: Vec<_> = report["inputs"].as_array().expect("inputs").iter().collect();
    assert_eq!((&inputs[0]["name"], &inputs[0]["source"]), (&json!("vertices"), &json!("given")));
    assert_eq!(inputs[1]["kind"], "4 vertices in 2 instances, 8×4 pixels, TRIANGLE_STRIP");
    assert_eq!(report["attachments"][0]["size"], json!([8, 4]));
    // One triangle of it.
    let one = [&draw[..], &["--vertex-count", "3"]].concat();
    let rows = picture(&bytes(&one, "color0.bin"), 8);
    assert_eq!((rows[0][0], rows[1][3]), ([10, 0], [1, 2]));
}

#[test]
fn indices_choose_vertices() {
    let (folder, [vertex, fragment, square]) = pipeline("square.csv", SQUARE);
    let indices = folder.path().join("square.txt");
    std::fs::write(&indices, "1, 0, 2\n1, 2, 3\n").expect("writes");
    let indices = indices.to_string_lossy().into_owned();
    let draw = [&vertex, &fragment, "--vertices", &square, "--indices", &indices, "--size", "8x4"];
    let rows = picture(&bytes(&draw, "color0.bin"), 8);
    assert_eq!((rows[0][0], rows[1][3], rows[0][4]), ([10, 1], [10, 1], [1, 2]));
    std::fs::write(folder.path().join("square.txt"), "0 1 4").expect("writes");
    let error = refused(&draw);
    assert!(error.contains("vertex 4 ends at byte 144 of vertex binding 0, which has 128 bytes"), "{error}");
}

#[test]
fn draws_that_do_not_fit_are_refused() {
    let (folder, [vertex, fragment, square]) = pipeline("square.csv", SQUARE);
    let pair = [vertex.as_str(), fragment.as_str()];
    let refused = |flags: &[&str]| refused(&[&pair[..], flags].concat());
    let error = refused(&["--vertex-count", "19"]);
    assert!(error.contains("the scene has 18 vertices"), "{error}");
    let error = refused(&["--topology", "point-list"]);
    assert!(error.contains("the vertex shader does not write PointSize"), "{error}");
    let error = refused(&["--size", "9000x1"]);
    assert!(error.contains("each side is 1 to 4096"), "{error}");
    let error = refused(&["--size", "4096x4096"]);
    assert!(error.contains("read-back data"), "{error}");
    std::fs::write(folder.path().join("square.csv"), "position.x,tone\n1,2\n").expect("writes");
    let error = refused(&["--vertices", &square]);
    assert!(error.contains("square.csv:1: column `tone`: the vertex shader reads no such attribute"), "{error}");
    let (_folder, shader) = file("push.comp", PUSH);
    let error = self::refused(&[shader.to_str().expect("UTF-8"), "--instances", "2"]);
    assert!(error.contains("is not a graphics pipeline"), "{error}");
}

#[test]
fn buffers_take_typed_values() {
    let shader = "#version 450
        layout(local_size_x = 4) in;
        layout(set = 0, binding = 1) readonly buffer In { uint source[]; };
        layout(set = 0, binding = 2) buffer Out { uint sum[]; };
        layout(set = 1, binding = 0) uniform usamplerBuffer texels;
        void main() { uint i = gl_LocalInvocationIndex; sum[i] = source[i] + texelFetch(texels, int(i)).y; }";
    let (_folder, shader) = file("sum.comp", shader);
    let shader = shader.to_str().expect("UTF-8");
    let texels = "1.0=uvec4 0,10,0,0, 0,20,0,0, 0,30,0,0, 0,40,0,0";
    let given = [shader, "--buffer", "0.1=uint 1,2,3,4", "--buffer", texels, "--buffer", "0:2=16"];
    assert_eq!(words(&bytes(&given, "set0.binding2.bin")), [11, 22, 33, 44]);
    let report = run(&given, 0);
    let sources: Vec<_> = report["inputs"].as_array().expect("inputs").iter().map(|row| &row["source"]).collect();
    assert_eq!(sources, [&json!("given"), &json!("filled"), &json!("given")]);
    let (code, _, error) = outcome(["run", shader, "--buffer", "0.1=uint 1,x"]);
    assert!(code == 2 && error.contains("`x` is not a number of type uint32"), "{error}");
}

#[test]
fn images_take_pictures() {
    let shader = "#version 450
        layout(local_size_x = 1) in;
        layout(binding = 0) uniform sampler2D picture;
        layout(binding = 1, rgba32f) uniform readonly image2D store;
        layout(binding = 2) buffer Out { uvec4 texel; vec4 wide; ivec2 size; };
        void main() {
            texel = uvec4(texelFetch(picture, ivec2(2, 1), 0) * 255.0 + 0.5);
            wide = imageLoad(store, ivec2(0, 0));
            size = textureSize(picture, 0);
        }";
    let (folder, shader) = file("picture.comp", shader);
    let picture = folder.path().join("picture.png");
    let pixels: Vec<u8> = (0..3 * 2 * 4).map(|byte| byte * 10).collect();
    let mut encoder = png::Encoder::new(std::fs::File::create(&picture).expect("creates"), 3, 2);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header().and_then(|mut writer| writer.write_image_data(&pixels)).expect("encodes");
    let [first, second] = [0, 1].map(|binding| format!("0:{binding}={}", picture.display()));
    let shader = shader.to_str().expect("UTF-8");
    let out = words(&bytes(&[shader, "--buffer", &first, "--buffer", &second], "set0.binding2.bin"));
    assert_eq!((&out[..4], &out[8..10]), (&[200, 210, 220, 230][..], &[3, 2][..]));
    let shares: Vec<u32> =
        [0u8, 10, 20, 30].iter().map(|byte| (f64::from(*byte) / 255.0) as f32).map(f32::to_bits).collect();
    assert_eq!(out[4..8], shares[..]);
    std::fs::write(&picture, b"\x89PNG\r\n\x1a\nnothing").expect("writes");
    let error = refused(&[shader, "--buffer", &first]);
    assert!(error.contains("picture.png: the PNG file: "), "{error}");
}
