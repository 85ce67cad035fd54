//! What is made from DXIL containers: other digests, and the linkage of D3D12's partial graphics programs.

use std::path::Path;

use serde_json::Value;

use crate::common::outcome;
use crate::dxc;

#[test]
fn sign_says_the_digest_before_and_after_and_who_accepts_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (given, out) = ("samples/dxil/lit_surface.ps.dxil", path("bypass.dxil"));
    let (status, stdout, stderr) = outcome(["sign", "--bypass", given, "-o", &out]);
    assert_eq!((status, stderr.as_str()), (0, ""), "{stdout}");
    let expected = [
        "digest before  valid 0x060d7e2004d8980488942f02dbbbdf34",
        "digest now     bypass 0x01010101010101010101010101010101",
        "runtime        D3D12 runs it without the check, from AgilitySDK 1.615 on",
    ];
    assert_eq!(stdout.lines().take(3).collect::<Vec<_>>(), expected);
    let retail = path("retail.dxil");
    assert_eq!(outcome(["sign", &out, "-o", &retail]).0, 0);
    let [signed, before] = [Path::new(&retail), &crate::common::samples().join("dxil/lit_surface.ps.dxil")]
        .map(|path| std::fs::read(path).expect("reads"));
    assert!(signed == before, "the same file again");
}

#[test]
fn sign_refuses_what_its_digest_would_not_say() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out.dxil").to_string_lossy().into_owned();
    let refused = |arguments: &[&str]| {
        let (status, _, stderr) = outcome([&["sign"], arguments, &["-o", &out]].concat());
        assert!(status == 2 && !Path::new(&out).exists(), "{stderr}");
        stderr
    };
    let preview = "samples/dxil/preview_debugging.cs.dxil";
    assert!(refused(&["--retail", preview]).contains("shader model 6.10 is not released"));
    assert!(refused(&["samples/tile_16x16.comp"]).contains("expected `DXBC`"));
    let (status, _, stderr) = outcome(["sign", "--retail", "--unchecked", preview, "-o", &out]);
    assert!(status == 1 && stderr.contains("X09"), "{stderr}");
}

/// Members of the interface of a vertex and of a pixel shader, and the elements worked out by hand from the pixel shader's
/// declarations; the codes of what cannot be linked.
const PAIRS: [(&str, &str, &str, &[&str]); 10] = [
    ("float3 n : NORMAL; float f : FOG;", "float3 n : NORMAL; float f : FOG;", "NORMAL0 0+3, FOG0 3+1", &[]),
    (
        "float2 a : TEXCOORD0; float2 b : TEXCOORD1;",
        "float2 a : TEXCOORD0; float2 b : TEXCOORD1;",
        "TEXCOORD0 0+2, TEXCOORD1 2+2",
        &[],
    ),
    (
        "nointerpolation uint m : MATERIAL; float2 a : TEXCOORD;",
        "nointerpolation uint m : MATERIAL; float2 a : TEXCOORD;",
        "MATERIAL0 0+1, TEXCOORD0 0+2",
        &[],
    ),
    ("float4x4 m : WORLD;", "float4x4 m : WORLD;", "WORLD0 0+4, WORLD1 0+4, WORLD2 0+4, WORLD3 0+4", &[]),
    ("float2 a[3] : UV;", "float2 a[3] : UV;", "UV0 0+2, UV1 0+2, UV2 0+2", &[]),
    ("float3 n : NORMAL; float4 c : COLOR;", "float3 n : NORMAL;", "NORMAL0 0+3", &[]),
    ("float4 c : COLOR0;", "float4 c : COLOR0; float4 d : COLOR1;", "COLOR0 0+4, COLOR1 0+4", &["D011"]),
    ("float2 a : A; float4 b : B;", "float4 b : B; float2 a : A;", "B0 0+4, A0 0+2", &["D012", "D012"]),
    ("float4 c : color;", "float4 c : COLOR;", "COLOR0 0+4", &[]),
    (
        "centroid float s : S; float c : SV_ClipDistance;",
        "centroid float s : S; bool front : SV_IsFrontFace;",
        "S0 0+1",
        &[],
    ),
];

#[test]
fn the_linkage_is_that_of_the_declarations() {
    let Some(library) = dxc::library() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (vertex, pixel, expected, codes) in PAIRS {
        let vertex = format!("struct V {{ float4 p : SV_Position; {vertex} }}; V main() {{ return (V)0; }}");
        let pixel =
            format!("struct V {{ float4 p : SV_Position; {pixel} }}; float4 main(V v) : SV_Target {{ return v.p; }}");
        let files = [("a.vs.hlsl", &vertex), ("a.ps.hlsl", &pixel)].map(|(name, text)| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("is written");
            path.to_string_lossy().into_owned()
        });
        let arguments = ["link-desc", &files[0], &files[1], "--hlsl-compiler", "dxc", "--format", "json"];
        let (status, stdout, stderr) = dxc::outcome(&library, arguments);
        let linkage: Value = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{stderr}"));
        let elements = linkage["elements"].as_array().expect("a list").iter().map(|element| {
            let semantic = element["semantic"].as_str().expect("a name");
            format!("{semantic}{} {}+{}", element["index"], element["start"], element["count"])
        });
        assert_eq!(elements.collect::<Vec<_>>().join(", "), expected, "{pixel}");
        let found: Vec<&str> = stderr.lines().filter_map(|line| line.strip_prefix("error ")?.get(..4)).collect();
        assert_eq!((found.as_slice(), status), (codes, i32::from(!codes.is_empty())), "{stderr}");
    }
}

#[test]
fn the_linkage_of_a_pair_is_in_its_report() {
    let pair = ["dxil/lit_surface.vs.dxil", "dxil/lit_surface.ps.dxil"].map(|name| format!("samples/{name}"));
    let (status, stdout, _) = outcome(["link-desc", &pair[0], &pair[1]]);
    assert_eq!(status, 0);
    insta::assert_snapshot!("link_desc_lit_surface", stdout);
    let (_, cpp, _) = outcome(["link-desc", &pair[0], &pair[1], "--format", "cpp"]);
    insta::assert_snapshot!("link_desc_lit_surface_cpp", cpp);
    let report = crate::common::json(pair);
    let linkage = &report["packing"]["output_linkage"];
    assert_eq!((&linkage["registers"], linkage["elements"].as_array().map(Vec::len)), (&Value::from(3), Some(4)));
    let (status, _, stderr) = outcome(["link-desc", "samples/dxil/lit_surface.ps.dxil"]);
    assert!(status == 2 && stderr.contains("no DXIL vertex, domain, geometry or mesh shader"), "{stderr}");
}

/// The validator of the compiler refuses such shaders too, so it is left out (`-Vd`).
#[test]
fn groupshared_memory_above_the_limit_is_found() {
    let Some(library) = dxc::library() else { return };
    let source = |count: u32| {
        format!(
            "RWStructuredBuffer<float> result; groupshared float data[{count}];\n\
             [numthreads(64, 1, 1)] void main(uint at : SV_GroupIndex) {{\n\
             data[at * 16] = at; GroupMemoryBarrierWithGroupSync(); result[at] = data[{count} - 1 - at]; }}\n"
        )
    };
    for (count, expected) in [(8192, None), (9000, Some("main uses 36000 bytes of groupshared memory"))] {
        let (_folder, file) = crate::common::file("a.cs.hlsl", source(count));
        let file = file.to_str().expect("UTF-8");
        let arguments = ["inspect", file, "--hlsl-compiler", "dxc", "--dxc-arg=-Vd", "--format", "json"];
        let (_, stdout, stderr) = dxc::outcome(&library, arguments);
        let report: serde_json::Value =
            serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stderr}"));
        let findings = report["findings"].as_array().expect("a list");
        let found = findings.iter().find(|finding| finding["code"] == "D013");
        let message = found.map(|found| found["message"].as_str().expect("a text"));
        match expected {
            None => assert_eq!(message, None),
            Some(words) => assert!(message.is_some_and(|message| message.starts_with(words)), "{report:#}"),
        }
    }
}
