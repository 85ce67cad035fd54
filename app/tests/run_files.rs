//! Files that a run takes, on the software device under the validation layer and in the interpreter: both have to give the
//! same.

use crate::common::runs::{DEVICES, bytes, refused, run, words};
use crate::common::{file, outcome, samples};
use serde_json::json;

/// A DDS file with levels and layers, whose texels count up.
fn dds(format: ddsfile::DxgiFormat, [width, height]: [u32; 2], levels: u32, layers: u32) -> Vec<u8> {
    let mut dds = ddsfile::Dds::new_dxgi(ddsfile::NewDxgiParams {
        height,
        width,
        depth: None,
        format,
        mipmap_levels: Some(levels),
        array_layers: Some(layers),
        caps2: None,
        is_cubemap: false,
        resource_dimension: ddsfile::D3D10ResourceDimension::Texture2D,
        alpha_mode: ddsfile::AlphaMode::Unknown,
    })
    .expect("a header");
    (0u8..).zip(&mut dds.data).for_each(|(at, byte)| *byte = at);
    let mut out = Vec::new();
    dds.write(&mut out).expect("writes");
    out
}

#[test]
fn images_take_dds_files() {
    let shader = "#version 450
        layout(binding = 0) uniform usampler2DArray picture;
        layout(binding = 1) buffer Out { uvec4 texel[3]; ivec3 size; int levels; };
        void main() {
            texel[0] = texelFetch(picture, ivec3(1, 0, 0), 0);
            texel[1] = texelFetch(picture, ivec3(0, 1, 1), 0);
            texel[2] = texelFetch(picture, ivec3(0, 0, 1), 1);
            size = textureSize(picture, 0);
            levels = textureQueryLevels(picture);
        }";
    let (folder, shader) = file("picture.comp", shader);
    let shader = shader.to_str().expect("UTF-8");
    let path = folder.path().join("picture.dds");
    let given = format!("0:0={}", path.display());
    let whole = dds(ddsfile::DxgiFormat::R8G8B8A8_UInt, [2, 2], 2, 2);
    std::fs::write(&path, &whole).expect("writes");
    let out = words(&bytes(&[shader, "--buffer", &given], "set0.binding1.bin"));
    // A layer has 16 bytes of the first level, then 4 of the second.
    assert_eq!(out[..12], [4, 5, 6, 7, 28, 29, 30, 31, 36, 37, 38, 39]);
    assert_eq!(out[12..], [2, 2, 2, 2]);
    let refused_file = |bytes: &[u8]| {
        std::fs::write(&path, bytes).expect("writes");
        refused(&[shader, "--buffer", &given])
    };
    let error = refused_file(&whole[..whole.len() - 5]);
    assert!(error.contains("picture.dds: the DDS file: 35 bytes of texels; its header states 40"), "{error}");
    let error = refused_file(&dds(ddsfile::DxgiFormat::BC7_UNorm, [4, 4], 1, 1));
    assert!(error.contains("the DDS file: texels of format BC7_UNORM_BLOCK are not supported"), "{error}");
    let error = refused_file(&dds(ddsfile::DxgiFormat::R8G8B8A8_UNorm, [2, 2], 1, 2));
    assert!(error.contains("texels of format R8G8B8A8_UNORM are not what the shader reads"), "{error}");
    let error = refused_file(&whole[..100]);
    assert!(error.contains("picture.dds: the DDS file: "), "{error}");
}

/// A square over the left half of the picture, at a depth of 0.5.
const MESH: &str = "mtllib /nowhere/square.mtl
v -1 -1 0.5
v 0 -1 0.5
v 0 1 0.5
v -1 1 0.5
vt 0.75 0.5
vn 0 0 1
f 1/1/1 2/1/1 3/1/1 4/1/1
";
const MESH_VERTEX: &str = "#version 450
layout(location = 0) in vec3 position;
layout(location = 1) in vec2 uv;
layout(location = 3) in vec4 normal;
layout(location = 0) flat out vec4 seen;
void main() {
    gl_Position = vec4(position, 1.0);
    seen = vec4(uv, normal.zw);
}
";
const MESH_FRAGMENT: &str = "#version 450
layout(location = 0) flat in vec4 seen;
layout(location = 0) out vec4 result;
void main() { result = seen; }
";

/// The pipeline of meshes, and a file beside it.
fn mesh(name: &str, contents: &[u8]) -> (tempfile::TempDir, [String; 4]) {
    let (folder, vertex) = file("mesh.vert", MESH_VERTEX);
    let paths = ["mesh.frag", "square.obj", name].map(|name| folder.path().join(name));
    std::fs::write(&paths[0], MESH_FRAGMENT).expect("writes");
    std::fs::write(&paths[1], MESH).expect("writes");
    std::fs::write(&paths[2], contents).expect("writes");
    let [fragment, square, other] = paths;
    (folder, [vertex, fragment, square, other].map(|path| path.to_string_lossy().into_owned()))
}

#[test]
fn meshes_are_drawn() {
    let (folder, [vertex, fragment, square, other]) = mesh("other.obj", b"v 0 0 0\nf 1 1 1\n");
    let draw = [vertex.as_str(), &fragment, "--size", "8x4", "--vertices"];
    let with = |file: &'static str| [&draw[..], &[file]].concat();
    let given = [&draw[..], &[square.as_str()]].concat();
    let out = words(&bytes(&given, "color0.bin"));
    let pixel = |at: usize| [0, 1, 2, 3].map(|part| f32::from_bits(out[at * 16 + part]));
    assert_eq!((out.len(), pixel(0), pixel(3)), (8 * 4 * 16, [0.75, 0.5, 1.0, 1.0], [0.75, 0.5, 1.0, 1.0]));
    assert_ne!(pixel(4), pixel(0));
    let inputs = &run(&given, 0)["inputs"];
    let from = inputs[0]["from"].as_str().expect("a text");
    let bound = "square.obj: position (location0) = positions, uv (location1) = texture coordinates, \
                 normal (location3) = normals";
    assert!(from.ends_with(bound), "{from}");
    assert_eq!((&inputs[1]["name"], &inputs[1]["kind"]), (&json!("indices"), &json!("index buffer, 6 indices")));
    let error = refused(&[&draw[..], &[other.as_str()]].concat());
    assert!(error.contains("other.obj: the faces of an object have no texture coordinates, which uv"), "{error}");
    let error = refused(&[&given[..], &["--indices", &other]].concat());
    assert!(error.contains("an OBJ file has indices of its own"), "{error}");
    let error = refused(&with("/nowhere/a.obj"));
    assert!(error.contains("--vertices: /nowhere/a.obj: cannot be read"), "{error}");
    std::fs::write(folder.path().join("other.obj"), "v 0 0 0\nf 1 2 99999999999999999999\n").expect("writes");
    let error = refused(&[&draw[..], &[other.as_str()]].concat());
    assert!(error.contains("other.obj:2: `999999999…`: an index has at most 9 digits"), "{error}");
    // Attributes that a mesh has nothing for.
    let tint = MESH_VERTEX.replace("vec4 normal;", "uvec4 tint;").replace("normal.zw", "tint.zw");
    std::fs::write(folder.path().join("mesh.vert"), tint).expect("writes");
    let error = refused(&given);
    assert!(error.contains("square.obj: tint (location3) has integers"), "{error}");
}

#[test]
fn depths_are_given() {
    let mut picture = Vec::new();
    let mut encoder = png::Encoder::new(&mut picture, 4, 2);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Sixteen);
    let row = [0x3333u16, 0xcccc, 0x3333, 0xcccc].map(u16::to_be_bytes).concat();
    encoder.write_header().and_then(|mut writer| writer.write_image_data(&row.repeat(2))).expect("encodes");
    let (folder, [vertex, fragment, square, depth]) = mesh("depth.png", &picture);
    let draw = [vertex.as_str(), &fragment, "--vertices", &square, "--depth", &depth];
    let tested = [&draw[..], &["--depth-test", "less"]].concat();
    let drawn = |name: &str, given: &[&str]| {
        let words = words(&bytes(given, name));
        // The first component of the first sample of each pixel of the first row.
        (0..4).map(|pixel| f32::from_bits(words[pixel * 16])).collect::<Vec<f32>>()
    };
    // Of the first sample of each pixel; a depth is followed by 0, 0 and 1.
    let depths = |given: &[&str]| {
        let samples: Vec<[f32; 4]> =
            words(&bytes(given, "depth.bin")).as_chunks().0.iter().map(|four| four.map(f32::from_bits)).collect();
        assert!(samples.iter().all(|sample| sample[1..] == [0.0, 0.0, 1.0]), "{samples:?}");
        samples.iter().step_by(4).map(|sample| sample[0]).take(4).collect::<Vec<f32>>()
    };
    let color = drawn("color0.bin", &tested);
    // The square covers two pixels of four; at the first one something is nearer.
    assert!(color[0] != 0.75 && color[1] == 0.75 && color[2] != 0.75, "{color:?}");
    assert_eq!(depths(&tested), [0.2, 0.5, 0.2, 0.8]);
    // Without a test no depth is written either.
    assert_eq!((drawn("color0.bin", &draw)[0], depths(&draw)), (0.75, vec![0.2, 0.8, 0.2, 0.8]));
    let report = run(&tested, 0);
    assert_eq!(report["attachments"][1]["size"], json!([4, 2]), "the size is that of the depths");
    let inputs = report["inputs"].as_array().expect("inputs");
    let kind = "6 indices in 1 instance, 4×2 pixels, depth test LESS, written";
    assert!(inputs.iter().any(|input| input["kind"] == kind), "{inputs:?}");
    assert!(inputs.iter().any(|input| input["name"] == "depth" && input["source"] == "given"), "{inputs:?}");

    let out = folder.path().join("out.amber");
    let export = ["export", "--amber", "-o", out.to_str().expect("UTF-8"), &vertex, &fragment, "--depth-test", "less"];
    let (code, _, error) = outcome(export);
    assert!(code != 0 && error.contains("a depth test that is not the pipeline description's"), "{error}");

    let error = refused(&[&draw[..], &["--size", "8x8"]].concat());
    assert!(error.contains("depth.png: 4×2 depths; the attachments have 8×8 pixels"), "{error}");
    let put = |bytes: &[u8]| std::fs::write(folder.path().join("depth.png"), bytes).expect("writes");
    put(&[0.25f32, 0.5, 0.75, 1.0].map(f32::to_le_bytes).concat());
    assert_eq!(depths(&[&draw[..], &["--size", "4x1", "--vertex-count", "0"]].concat()), [0.25, 0.5, 0.75, 1.0]);
    let error = refused(&draw);
    assert!(error.contains("depth.png: 4 depths; the attachments have 64×64 pixels"), "{error}");
    put(&(-1f32).to_le_bytes());
    let error = refused(&[&draw[..], &["--size", "1x1"]].concat());
    assert!(error.contains("depth 0 is -1, which is not within 0 to 1"), "{error}");
    put(&picture[..picture.len() - 30]);
    let error = refused(&draw);
    assert!(error.contains("depth.png: the PNG file: "), "{error}");
    put(&dds(ddsfile::DxgiFormat::R8G8B8A8_UNorm, [4, 2], 1, 1));
    let error = refused(&draw);
    assert!(error.contains("depth.png: the DDS file: it has R8G8B8A8_UNORM: depths are D32_SFLOAT"), "{error}");
    let plain = "#version 450\nlayout(binding = 0) buffer B { uint x; };\nvoid main() { x = 1; }";
    let (_folder, shader) = file("plain.comp", plain);
    let error = refused(&[shader.to_str().expect("UTF-8"), "--depth", &depth]);
    assert!(error.contains("is not a graphics pipeline"), "{error}");
}

#[test]
fn texels_of_buffers_have_a_format() {
    let shader = "#version 450
        layout(local_size_x = 4) in;
        layout(binding = 0) uniform usamplerBuffer narrow;
        layout(binding = 1) uniform samplerBuffer shares;
        layout(binding = 2, rg16i) uniform iimageBuffer stored;
        layout(binding = 3) buffer Out { uint a[4]; float b[4]; int c[4]; int sizes[3]; };
        void main() {
            int i = int(gl_LocalInvocationIndex);
            a[i] = texelFetch(narrow, i).x;
            b[i] = texelFetch(shares, i % 2).y;
            c[i] = imageLoad(stored, i).y;
            // By one invocation: two of them would race.
            if (i == 0) {
                sizes[0] = textureSize(narrow);
                sizes[1] = textureSize(shares);
                sizes[2] = imageSize(stored);
            }
        }";
    let (folder, shader) = file("texels.comp", shader);
    let shader = shader.to_str().expect("UTF-8");
    let raw = folder.path().join("shares.bin");
    std::fs::write(&raw, [0, 255, 255, 0]).expect("writes");
    let shares = format!("0:1=R8G8_UNORM:{}", raw.display());
    let given = [shader, "--buffer", "0:0=R16_UINT:uint16_t 7,8,9,65535", "--buffer", &shares];
    let stored = ["--buffer", "0:2=int16_t 0,1, 0,-2, 0,3, 0,-4"];
    let out = words(&bytes(&[&given[..], &stored].concat(), "set0.binding3.bin"));
    assert_eq!(out[..4], [7, 8, 9, 65535]);
    assert_eq!(out[4..8], [1f32, 0.0, 1.0, 0.0].map(f32::to_bits));
    assert_eq!(out[8..12], [1, -2, 3, -4].map(i32::cast_unsigned));
    assert_eq!(out[12..], [4, 2, 4]);
    // What is given of one that the shader may write is listed, with all that follows the last word.
    let listed = |shape: &serde_json::Value| run(&[&given[..], &stored].concat(), 0)["buffers"][0]["type"] == *shape;
    assert!(listed(&json!({ "words": { "count": 4 } })));
    for (wrong, why) in [
        ("0:0=R8G8_UNORM:uint8_t 1,2", "set0.binding0: texels of format R8G8_UNORM are not what the shader reads"),
        ("0:2=R32_SINT:int 1", "set0.binding2: texels of format R32_SINT; the shader declares R16G16_SINT"),
        ("0:3=R32_UINT:uint 1", "0:3: a format of texels is stated for what is not a texel buffer: storage buffer"),
        ("0:0=D16_UNORM:uint16_t 1", "set0.binding0: texels of format D16_UNORM are not what the shader reads"),
        ("0:1=D16_UNORM:uint16_t 1", "set0.binding1: a buffer has no depths"),
    ] {
        let error = refused(&[shader, "--buffer", wrong]);
        assert!(error.contains(why), "{wrong}: {error}");
    }
    std::fs::write(&raw, [0; 3]).expect("writes");
    let error = refused(&[shader, "--buffer", &shares]);
    assert!(error.contains("shares.bin: 3 bytes of texels: expected a multiple of 2"), "{error}");
    let (code, _, error) = outcome(["run", shader, "--buffer", "0:0=R8_UINT:64"]);
    assert!(code == 2 && error.contains("expected a file or numbers, not a size"), "{error}");
}

#[test]
fn draws_of_files_are_debugged() {
    let (_folder, [vertex, fragment, square, _]) = mesh("unused", b"");
    let draw = ["debug", &vertex, &fragment, "--vertices", &square, "--size", "8x4", "--pixel", "1,1"];
    let (code, stdout, stderr) = outcome(draw.into_iter().chain(["--commands", "continue; print seen"]));
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(stdout.contains("pixel 1,1") && stdout.contains("seen = (0.75, 0.5, 1, 1)"), "{stdout}");
    // The triangles of the file cover the left half, in a picture of the size that is given.
    for (pixel, why) in [("5,1", "pixel 5,1: no fragment covers it"), ("8,1", "the picture has 8×4 pixels")] {
        let (code, _, error) = outcome(draw[..8].iter().copied().chain([pixel]));
        assert!(code == 2 && error.contains(why), "{pixel}: {error}");
    }
    let (code, _, error) = outcome(["probe", "--size", "8,8,1", "--buffer", "0:0=4"]);
    assert!(code == 2 && error.contains("--buffer"), "{error}");
}

#[test]
fn narrow_texels_of_buffers_are_listed_one_by_one() {
    let shader = "#version 450
        layout(local_size_x = 3) in;
        layout(binding = 0, r8ui) uniform uimageBuffer stored;
        void main() {
            int i = int(gl_LocalInvocationIndex);
            imageStore(stored, i, imageLoad(stored, i) + 1u);
        }";
    let (_folder, shader) = file("narrow.comp", shader);
    let shader = shader.to_str().expect("UTF-8");
    let given = [shader, "--buffer", "0:0=uint8_t 7,8,9,10,255"];
    let report = run(&given, 0);
    assert_eq!(report["findings"], serde_json::Value::Null, "texels that share a word do not race");
    for on in DEVICES {
        let all = ["run"].into_iter().chain(given).chain(on.iter().copied());
        let (code, stdout, _) = outcome(all.chain(["--original-only"]));
        let rows: Vec<Vec<&str>> = stdout.lines().map(|line| line.split_whitespace().collect()).collect();
        let listed = |row: [&str; 3]| rows.iter().any(|found| found[..] == row);
        assert!(code == 0 && listed(["0", "[0]", "8"]) && listed(["2", "[2]", "10"]), "{stdout}");
        assert!(listed(["3", "[3]", "10"]) && listed(["4", "[4]", "255"]), "{stdout}");
    }
    // A size has the usual texels.
    let [sized, usual] =
        [&["--buffer", "0:0=5"][..], &[]].map(|more| bytes(&[&[shader][..], more].concat(), "set0.binding0.bin"));
    assert_eq!((sized.len(), &sized[..]), (5, &usual[..5]));
}

#[test]
fn formats_of_images_without_one_are_the_given_ones() {
    let shader = "#version 450
        #extension GL_EXT_shader_image_load_formatted : require
        layout(local_size_x = 4) in;
        layout(binding = 0) uniform imageBuffer texels;
        layout(binding = 1) buffer Out { float seen[4]; };
        void main() { seen[gl_LocalInvocationIndex] = imageLoad(texels, int(gl_LocalInvocationIndex)).y; }";
    let (_folder, shader) = file("texels.comp", shader);
    let shader = shader.to_str().expect("UTF-8");
    let wide = ["--buffer", "0:0=R32G32B32A32_SFLOAT:float 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16"];
    let out = words(&bytes(&[&[shader][..], &wide].concat(), "set0.binding1.bin"));
    assert_eq!(out, [2f32, 6.0, 10.0, 14.0].map(f32::to_bits));
    let [device, interpreter] = DEVICES.map(|on| {
        let all = ["run", shader, "--buffer", "0:0=R8G8_UNORM:uint8_t 0,255,0,51,0,0,0,255"];
        outcome(all.into_iter().chain(on.iter().copied()).chain(["--original-only"]))
    });
    assert!(interpreter.0 == 0 && interpreter.1.contains("0.2"), "{interpreter:?}");
    // A device without the feature cannot have the format, and the shader declares none.
    let lacks = "required by set0.binding0, which is given in format R8G8_UNORM and has none in the shader";
    assert!(device.0 == 0 || device.2.contains(lacks), "{device:?}");
}

#[test]
fn draws_of_no_instance_draw_nothing() {
    let (_folder, [vertex, fragment, square, _]) = mesh("unused", b"");
    let drawn = |more: &[&str]| {
        let draw = [vertex.as_str(), &fragment, "--size", "8x4"];
        words(&bytes(&[&draw[..], more].concat(), "color0.bin"))
    };
    let nothing = drawn(&["--vertices", &square, "--instances", "0"]);
    assert!(nothing.chunks(4).all(|sample| *sample == nothing[..4]), "all is clear");
    assert_eq!(drawn(&["--instances", "0"]), nothing);
    assert_eq!(drawn(&["--vertices", &square, "--vertex-count", "0"]), nothing);
    let none = ["debug", &vertex, &fragment, "--instances", "0"];
    let (code, _, error) = outcome(none);
    assert!(code == 2 && error.contains("no fragment covers a pixel: the draw has no primitives"), "{error}");
}

#[test]
fn mesh_pipelines_have_no_vertex_input() {
    let shaders = ["tile_rows.task", "tile_rows.mesh", "tile_rows.frag"].map(|name| samples().join(name));
    let shaders = shaders.each_ref().map(|path| path.to_str().expect("UTF-8"));
    let (folder, [_, fragment, square, _]) = mesh("unused", b"");
    let depth = folder.path().join("depth.bin");
    std::fs::write(&depth, 0.75f32.to_le_bytes().repeat(8)).expect("writes");
    let run_with = |more: &[&str]| {
        let on = ["--device", "interpreter", "--original-only"];
        outcome(["run"].into_iter().chain(shaders).chain(on).chain(more.iter().copied()))
    };
    for given in [
        ["--vertices", &square],
        ["--indices", &square],
        ["--vertex-count", "1"],
        ["--instances", "1"],
        ["--topology", "point-list"],
    ] {
        let (code, _, error) = run_with(&given);
        let why = format!("{} cannot be used with a mesh shader: the pipeline has no vertex input", given[0]);
        assert!((code == 2 || given[0] == "--indices") && error.contains(&why), "{given:?}: {error}");
    }
    let depth = depth.to_str().expect("UTF-8");
    let (code, stdout, stderr) = run_with(&["--size", "4x2", "--depth", depth, "--depth-test", "less"]);
    assert!(code == 0 && stdout.contains("given: 4×2 pixels, depth test LESS, written; depth"), "{stdout}{stderr}");
    // Without a vertex shader and a mesh shader there is no draw.
    let (code, _, error) = outcome(["run", &fragment, "--vertices", &square, "--device", "interpreter"]);
    assert!(code == 2 && error.contains("--vertices needs a vertex shader"), "{error}");
}

#[test]
fn storage_images_have_64_bits() {
    let shader = "#version 450
        #extension GL_EXT_shader_image_int64 : require
        #extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
        layout(local_size_x = 4) in;
        layout(binding = 0, r64ui) uniform u64image2D wide;
        layout(binding = 1, r64i) uniform i64imageBuffer signed_;
        layout(binding = 2) buffer Out { uint64_t before[4]; int64_t read[4]; };
        void main() {
            int i = int(gl_LocalInvocationIndex);
            before[i] = imageAtomicAdd(wide, ivec2(i, 0), uint64_t(1) << 40);
            read[i] = imageLoad(signed_, i).x;
        }";
    let (_folder, shader) = file("wide.comp", shader);
    let shader = shader.to_str().expect("UTF-8");
    let given = ["--buffer", "0:1=int64_t -1, 2, -3000000000000, 4", "--groups", "1,1,1"];
    let ran = |device: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("out");
        let all = ["run", shader, "--device", device, "--original-only", "-o", out.to_str().expect("UTF-8")];
        let (code, _, stderr) = outcome(all.into_iter().chain(given));
        let read = |name: &str| words(&std::fs::read(out.join(name)).expect("written"));
        // Not every version of the device has such images.
        let lacks = code == 3 && stderr.contains("VK_EXT_shader_image_atomic_int64");
        assert!(code == 0 || lacks, "{device}: {stderr}");
        (code == 0).then(|| [read("set0.binding0.bin"), read("set0.binding2.bin")])
    };
    let [image, out] = ran("interpreter").expect("it has all features");
    assert_eq!(out[8..], [u32::MAX, u32::MAX, 2, 0, 0x8210_d000, 0xffff_fd45, 4, 0]);
    for at in 0..4 {
        assert_eq!([image[at * 2], image[at * 2 + 1]], [out[at * 2], out[at * 2 + 1] + (1 << 8)], "texel {at}");
    }
    if let Some(device) = ran("llvmpipe") {
        assert_eq!(device, [image, out]);
    }
    let wrong = ["run", shader, "--device", "interpreter", "--buffer", "0:1=R32_SINT:int 1"];
    let (code, _, error) = outcome(wrong);
    assert!(code == 2 && error.contains("texels of format R32_SINT; the shader declares R64_SINT"), "{error}");
}
