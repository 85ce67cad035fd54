//! SPIR-V modules as other compilers than ours write them: several entry points, initializers, names of any bytes.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::common::{bytes, file, outcome, outcome_with, spirv};
use serde_json::Value;

/// A vertex shader with two outputs that have initializers: one is stored to in part, one not at all.
const INITIALIZED: &str = r#"OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %index %position %part %whole
OpDecorate %index BuiltIn VertexIndex
OpDecorate %position BuiltIn Position
OpDecorate %part Location 0
OpDecorate %whole Location 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%v4 = OpTypeVector %float 4
%pin = OpTypePointer Input %int
%pout = OpTypePointer Output %v4
%pfloat = OpTypePointer Output %float
%zero = OpConstant %int 0
%mask = OpConstant %int 1
%two = OpConstant %int 2
%f1 = OpConstant %float 1
%f4 = OpConstant %float 4
%fm1 = OpConstant %float -1
%f10 = OpConstant %float 10
%start = OpConstantComposite %v4 %f1 %f4 %f10 %f4
%index = OpVariable %pin Input
%position = OpVariable %pout Output
%part = OpVariable %pout Output %start
%whole = OpVariable %pout Output %start
%main = OpFunction %void None %fn
%l = OpLabel
%i = OpLoad %int %index
%low = OpBitwiseAnd %int %i %mask
%high = OpShiftRightArithmetic %int %i %mask
%high1 = OpBitwiseAnd %int %high %mask
%x = OpConvertSToF %float %low
%y = OpConvertSToF %float %high1
%x4 = OpFMul %float %x %f4
%y4 = OpFMul %float %y %f4
%xm = OpFAdd %float %x4 %fm1
%ym = OpFAdd %float %y4 %fm1
%pos = OpCompositeConstruct %v4 %xm %ym %f1 %f4
OpStore %position %pos
%first = OpAccessChain %pfloat %part %zero
OpStore %first %x
OpReturn
OpFunctionEnd
"#;

const READS: &str = "#version 450
layout(location = 0) in vec4 part;
layout(location = 1) in vec4 whole;
layout(location = 0) out vec4 color;
void main() { color = vec4(part.x, part.z, whole.z, whole.w); }
";

#[test]
fn outputs_with_initializers_keep_them_through_the_rewriter() {
    let (_vertex, vertex) = file("initialized.vert.spvasm", INITIALIZED);
    let (_fragment, fragment) = file("reads.frag", READS);
    let files = [vertex.to_str().expect("UTF-8"), fragment.to_str().expect("UTF-8")];
    // What each device drew, as numbers.
    let drawn = |device: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().to_str().expect("UTF-8");
        let all = ["run"].into_iter().chain(files);
        let (code, stdout, stderr) = outcome(all.chain(["--device", device, "--format", "json", "--output", out]));
        assert_eq!(code, 0, "{device}: {stderr}");
        let run: Value = serde_json::from_str(&stdout).expect("JSON");
        assert_eq!(run["run"]["compare"]["equal"], true, "{run}");
        let bytes = std::fs::read(folder.path().join("color0.bin")).expect("written");
        bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect::<Vec<_>>()
    };
    let [ours, theirs] = ["interpreter", "llvmpipe"].map(drawn);
    assert_eq!(ours.len(), theirs.len());
    // The vertex shader's number varies, the initializers do not.
    let is_drawn = |texel: &&[f32]| texel[1..] == [10.0, 10.0, 4.0];
    assert!(ours.chunks(4).filter(is_drawn).count() > 1000, "the initializers arrive");
    for (at, (ours, theirs)) in ours.chunks(4).zip(theirs.chunks(4)).enumerate() {
        assert_eq!(ours[1..], theirs[1..], "{at}");
        assert!((ours[0] - theirs[0]).abs() < 1e-5, "{at}: {} {}", ours[0], theirs[0]);
    }
}

/// A compute shader whose entry point's name is `ma`, two bytes that are not UTF-8, and the rest of `main`.
fn named() -> (Vec<u8>, Vec<u8>) {
    let words = spirv(
        "named.comp",
        "#version 450\nlayout(local_size_x = 4) in; layout(binding = 0) buffer B { uint b[]; };\n\
         void main() { b[gl_LocalInvocationIndex] = gl_LocalInvocationIndex * 3u; }",
    );
    let name = b"m\xf6\xffn";
    let mut module = bytes(&words);
    // OpEntryPoint GLCompute %main "main": the model is 5.
    let at = module.windows(4).position(|found| found == b"main").expect("a name");
    module[at..at + 4].copy_from_slice(name);
    (module, name.to_vec())
}

#[test]
fn names_of_entry_points_that_are_not_utf8_reach_the_driver() {
    let (module, name) = named();
    let (_folder, path) = file("named.spv", module);
    let path = path.to_str().expect("UTF-8");
    let (code, stdout, stderr) = outcome(["inspect", path]);
    assert!(code == 0 && stdout.contains(r"m\xf6\xffn"), "{stdout}{stderr}");
    for device in ["llvmpipe", "interpreter"] {
        let (code, stdout, stderr) = outcome(["run", path, "--device", device, "--format", "json"]);
        assert_eq!(code, 0, "{device}: {stderr}");
        let run: Value = serde_json::from_str(&stdout).expect("JSON");
        assert_eq!(run["run"]["entries"][0], r"m\xf6\xffn");
    }
    let cache = tempfile::tempdir().expect("a folder");
    let report = isa(cache.path().to_str().expect("UTF-8"), &[path]);
    assert!(report["driver"][0]["isa"].as_str().is_some_and(|isa| isa.contains("s_endpgm")), "{report}");
    // By its bytes, and as it is printed.
    let run = |name: &OsStr| {
        let all = ["run", path, "--device", "llvmpipe", "--entry"].into_iter().map(OsStr::new).chain([name]);
        outcome(all)
    };
    for name in [OsStr::from_bytes(&name), OsStr::new(r"m\xf6\xffn")] {
        let (code, _, stderr) = run(name);
        assert_eq!(code, 0, "{stderr}");
    }
}

#[test]
fn derivatives_without_a_group_are_zero() {
    let source = "#version 460
        #extension GL_NV_compute_shader_derivatives : require
        layout(local_size_x = 8, local_size_y = 8) in;
        layout(binding = 0) buffer A { float a[64]; };
        layout(binding = 1) buffer B { uint zeros; };
        void main() {
            float d = dFdx(float(gl_LocalInvocationID.x) + 1.0) + fwidth(float(gl_LocalInvocationID.y));
            a[gl_LocalInvocationIndex] = d;
            if (d == 0.0) atomicAdd(zeros, 1u);
        }";
    let (_folder, path) = file("derivatives.comp", source);
    let path = path.to_str().expect("UTF-8");
    let (code, stdout, stderr) = outcome(["inspect", path]);
    assert!(code == 0 && stdout.contains("L008"), "{stdout}{stderr}");
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_str().expect("UTF-8");
    let all = ["run", path, "--device", "interpreter", "--zeros", "--groups", "1,1,1", "--output", out];
    let (code, _, stderr) = outcome(all);
    assert_eq!(code, 0, "{stderr}");
    let zeros = std::fs::read(folder.path().join("set0.binding1.bin")).expect("written");
    assert_eq!(zeros[..4], 64u32.to_le_bytes());
    assert!(!stderr.contains("E004"), "{stderr}");
}

#[test]
fn the_debugger_names_instructions_of_extended_sets() {
    let source = "#version 450
        #extension GL_EXT_debug_printf : require
        layout(local_size_x = 4) in; layout(binding = 0) buffer B { float b[]; };
        void main() {
            b[gl_LocalInvocationIndex] = sqrt(float(gl_LocalInvocationIndex));
            debugPrintfEXT(\"%f\", b[0]);
        }";
    let words = spirv("sets.comp", source);
    let (_folder, path) = file("sets.spv", bytes(&words));
    let (code, stdout, stderr) = outcome(["debug", path.to_str().expect("UTF-8"), "--commands", "stepi 6"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("OpExtInst GLSL.std.450 Sqrt %"), "{stdout}");
    assert!(stdout.contains("OpExtInst NonSemantic.DebugPrintf DebugPrintf %"), "{stdout}");
}

/// What RADV compiles for gfx1030, as JSON.
fn isa(cache: &str, files: &[&str]) -> Value {
    let all = ["isa"].into_iter().chain(files.iter().copied()).chain(["--chip", "gfx1030", "--format", "json"]);
    let (code, stdout, stderr) = outcome_with(&[("XDG_CACHE_HOME", cache)], all);
    assert_eq!(code, 0, "{stderr}");
    serde_json::from_str(&stdout).expect("standard output is one JSON object")
}

#[test]
fn compiles_what_a_run_refuses() {
    let sources = [
        (
            "query.comp",
            "#version 460
             #extension GL_EXT_ray_query : require
             layout(local_size_x = 8) in;
             layout(binding = 0) uniform accelerationStructureEXT world;
             layout(binding = 1) buffer B { uint b[]; };
             void main() {
                 rayQueryEXT query;
                 rayQueryInitializeEXT(query, world, 0u, 255u, vec3(0.0), 0.0, vec3(1.0, 0.0, 0.0), 10.0);
                 while (rayQueryProceedEXT(query)) {}
                 b[gl_LocalInvocationIndex] = rayQueryGetIntersectionTypeEXT(query, true);
             }",
            Some("RayQueryKHR"),
        ),
        (
            "texels.comp",
            "#version 460
             #extension GL_EXT_nonuniform_qualifier : require
             layout(local_size_x = 8) in;
             layout(binding = 0) uniform samplerBuffer texels[4];
             layout(binding = 1, r32ui) uniform uimageBuffer stores[4];
             void main() {
                 uint k = gl_LocalInvocationIndex & 3u;
                 vec4 v = texelFetch(texels[nonuniformEXT(k)], 0);
                 imageStore(stores[nonuniformEXT(k)], 1, uvec4(v));
             }",
            None,
        ),
    ];
    let [cache, place] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let cache = cache.path().to_str().expect("is UTF-8");
    for (name, source, refused) in sources {
        let path = place.path().join(name);
        std::fs::write(&path, source).expect("writes");
        let path = path.to_str().expect("is UTF-8");
        let report = isa(cache, &[path]);
        assert!(report["driver"][0]["isa"].as_str().is_some_and(|isa| isa.contains("s_endpgm")), "{report}");
        let (code, _, stderr) = outcome(["run", path, "--device", "llvmpipe", "--original-only"]);
        match refused {
            Some(capability) => assert!(code == 3 && stderr.contains(capability), "{stderr}"),
            // llvmpipe of Mesa 22.3 lacks descriptor indexing.
            None => assert!(code == 0 || stderr.contains("llvmpipe") && stderr.contains("feature"), "{stderr}"),
        }
    }
    let vertex = "#version 460
        #extension GL_EXT_fragment_shading_rate : require
        void main() { gl_Position = vec4(0.0); gl_PrimitiveShadingRateEXT = gl_ShadingRateFlag2VerticalPixelsEXT; }";
    let fragment = "#version 460
        #extension GL_EXT_fragment_shading_rate : require
        layout(location = 0) out vec4 color; void main() { color = vec4(gl_ShadingRateEXT); }";
    let paths = [("rate.vert", vertex), ("rate.frag", fragment)].map(|(name, source)| {
        let path = place.path().join(name);
        std::fs::write(&path, source).expect("writes");
        path.to_str().expect("is UTF-8").to_owned()
    });
    let report = isa(cache, &[&paths[0], &paths[1]]);
    assert_eq!(report["driver"].as_array().map(Vec::len), Some(2));
}
