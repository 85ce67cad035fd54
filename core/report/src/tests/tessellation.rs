//! From tessellation control to evaluation: locations renumbered, separately for vertices and for the patch. The values
//! are those that LLPC prints for shaders of these interfaces.

use crate::analyse;
use lanescope_model::options::Options;
use lanescope_model::program::StageKind;
use lanescope_passes::packing::{Fallback, Packing};
use lanescope_testing::program;

const VERTEX: &str = "void main() { gl_Position = vec4(1); }";

/// The interfaces between these two stages: of the vertices, then of the patch.
fn interfaces(control: &str, evaluation: &str) -> Vec<Packing> {
    let control = format!("layout(vertices = 3) out; {control}");
    let evaluation = format!("layout(triangles) in; {evaluation}");
    let sources =
        [("vert", VERTEX), ("tesc", control.as_str()), ("tese", evaluation.as_str()), ("frag", "void main() {}")];
    let report = analyse(&program(&sources), &Options::default()).expect("analyses");
    let of = |packing: &Packing| packing.consumer == StageKind::TessEval;
    let found: Vec<_> = report.inner_packing.into_iter().filter(of).collect();
    assert!(found.iter().all(|packing| packing.fallback == Some(Fallback::Tessellation)));
    assert!(found.iter().all(|packing| packing.producer == Some(StageKind::TessControl)));
    found
}

fn inputs(packing: &Packing) -> String {
    let row = |row: &lanescope_passes::packing::Mapping| format!("{} > {}", row.from, row.to);
    packing.map.iter().map(row).collect::<Vec<_>>().join(", ")
}

fn outputs(packing: &Packing) -> String {
    let row = |row: &lanescope_passes::packing::OutputMapping| format!("{} > {}", row.from, row.to);
    packing.outputs.iter().map(row).collect::<Vec<_>>().join(", ")
}

#[test]
fn numbers_vertices_and_patches_separately() {
    let found = interfaces(
        "layout(location = 0) out vec4 unused[]; layout(location = 1) out float importOut[];
         layout(location = 2) out float outColor[]; layout(location = 3) patch out float patchDynIdx[3];
         void main() {
             outColor[gl_InvocationID] = gl_in[gl_InvocationID].gl_Position.x;
             unused[gl_InvocationID] = vec4(6.0);
             importOut[gl_InvocationID] += 3.0;
             gl_TessLevelInner[1] = 1.0; gl_TessLevelOuter[1] = 2.0;
             for (int i = 0; i < 3; ++i) patchDynIdx[i] = float(i);
         }",
        "layout(location = 2) in float inColor[]; layout(location = 3) patch in float inPatch[3];
         layout(location = 0) out vec4 c;
         void main() { gl_Position = vec4(1); c = vec4(inColor[0] + inColor[1] + inColor[2] + inPatch[1]); }",
    );
    let [vertices, patch] = &found[..] else { panic!("two interfaces") };
    assert_eq!((inputs(vertices), vertices.per_patch), ("2.x > 0.x".to_owned(), false));
    // What the control shader reads itself stays, after all that the evaluation shader reads.
    assert_eq!(outputs(vertices), "1.x > 1.x, 2.x > 0.x");
    let kept: Vec<_> = vertices.read_back().iter().map(|output| output.variable.as_str()).collect();
    assert_eq!((kept, patch.read_back().len(), vertices.captured().len()), (vec!["importOut"], 0, 0));
    let dropped: Vec<u32> = vertices.dropped.iter().map(|dropped| dropped.location.0).collect();
    assert_eq!(dropped, [0; 4]);
    assert_eq!((inputs(patch), patch.per_patch), ("3.x > 0.x, 4.x > 1.x, 5.x > 2.x".to_owned(), true));
    assert_eq!(outputs(patch), "3.x > 0.x, 4.x > 1.x, 5.x > 2.x");
    assert!(patch.missing.is_empty() && vertices.missing.is_empty());
}

#[test]
fn keeps_locations_read_by_the_control_shader() {
    let found = interfaces(
        "layout(location = 0) out float f0[]; layout(location = 1) out float f1[];
         layout(location = 2, component = 0) out float f2_0[]; layout(location = 2, component = 1) out float f2_1[];
         void main() {
             f0[gl_InvocationID] = 0.0; f1[gl_InvocationID] = 1.0;
             f2_0[gl_InvocationID] = 2.0; f2_1[gl_InvocationID] = 3.0;
             barrier();
             f2_0[gl_InvocationID] += f2_0[gl_InvocationID + 1];
         }",
        "layout(location = 0) in float f0[]; layout(location = 1) in float f1[];
         layout(location = 2, component = 1) in float f2_1[]; layout(location = 0) out vec4 c;
         void main() { c = vec4(f0[0] + f1[1] + f2_1[2]); }",
    );
    let [vertices] = &found[..] else { panic!("nothing is of the patch") };
    assert_eq!(inputs(vertices), "0.x > 0.x, 1.x > 1.x, 2.y > 2.y");
    assert_eq!(outputs(vertices), "0.x > 0.x, 1.x > 1.x, 2.x > 2.x, 2.y > 2.y");
    assert_eq!(vertices.slots.after, 3);
}

#[test]
fn handles_array_elements_separately() {
    let found = interfaces(
        "layout(location = 0) out float outColor[]; layout(location = 3) out float outData[][4];
         layout(location = 9) patch out P { float a; vec2 b; } p;
         void main() {
             outColor[gl_InvocationID] = 1.0;
             outData[gl_InvocationID][1] = 1.5; outData[gl_InvocationID][3] = 3.0;
             p.a = 1.0; p.b = vec2(2.0);
         }",
        "layout(location = 0) in float inColor[]; layout(location = 3) in float inData[][4];
         layout(location = 9) patch in P { float a; vec2 b; } p; layout(location = 0) out vec4 c;
         void main() { c = vec4(inColor[0] + inData[0][3] + p.b.y); }",
    );
    let [vertices, patch] = &found[..] else { panic!("two interfaces") };
    assert_eq!(inputs(vertices), "0.x > 0.x, 6.x > 1.x");
    assert_eq!(outputs(vertices), "0.x > 0.x, 6.x > 1.x");
    let dropped: Vec<u32> = vertices.dropped.iter().map(|dropped| dropped.location.0).collect();
    assert_eq!(dropped, [4]);
    assert_eq!(inputs(patch), "10.x > 0.x, 10.y > 0.y");
}
