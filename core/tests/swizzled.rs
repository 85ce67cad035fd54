//! Swizzled compute shaders and computed derivatives on the software device, which has no derivatives in compute.
//!
//! A failing case of the property tests is printed, and kept in `core/tests/seeds`.

use std::time::Duration;

use lanescope_core::gpu::interpret::{self, Waves};
use lanescope_core::gpu::{DeviceOptions, Inputs, run_program};
use lanescope_core::ids::Thread;
use lanescope_core::load::load;
use lanescope_core::options::{Derivatives, DerivativesBy, LayoutRules, Options};
use lanescope_core::program::Program;
use lanescope_core::run::compare;
use lanescope_core::workgroup::rewrite::{RewriteError, Swizzled, rewrite, rewrite_groups, without_native_derivatives};
use lanescope_core::workgroup::{
    Axis, LaneMap, Layout, Macro, Micro, Precision, difference, group_id, layout, quad_of, row_major_index,
};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

fn run(program: &Program, groups: [u32; 3]) -> lanescope_core::run::Execution {
    let device = DeviceOptions {
        device: Some("llvmpipe".to_owned()),
        validate: true,
        timeout: Duration::from_secs(20),
        ..DeviceOptions::default()
    };
    let inputs = Inputs { fill: 5, ..Inputs::default() };
    run_program(&device, program, Some(groups), &inputs).unwrap_or_else(|error| panic!("{error}"))
}

fn program(source: &str) -> Program {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.comp");
    std::fs::write(&path, source).expect("writes");
    load(&[path], &[]).unwrap_or_else(|error| panic!("{error}\n{source}"))
}

fn rewritten(program: &Program, options: &Options) -> Swizzled {
    rewrite(program, options).unwrap_or_else(|error| panic!("{error}"))
}

fn header([x, y, z]: [u32; 3], group: Derivatives) -> String {
    let group = match group {
        Derivatives::None => "",
        Derivatives::Linear => "layout(derivative_group_linearNV) in;\n",
        Derivatives::Quads => "layout(derivative_group_quadsNV) in;\n",
    };
    format!(
        "#version 460\n#extension GL_NV_compute_shader_derivatives : enable\n\
         layout(local_size_x = {x}, local_size_y = {y}, local_size_z = {z}) in;\n{group}"
    )
}

/// Every derivative of a function whose differences are all different, at its invocation's place.
fn derivatives_shader(size: [u32; 3], group: Derivatives) -> String {
    format!(
        "{}layout(set = 0, binding = 0, std430) buffer Out {{ float f[]; }};
        void main() {{
            uvec3 g = gl_GlobalInvocationID;
            uvec3 all = gl_NumWorkGroups * gl_WorkGroupSize;
            float v = float(3u * g.x * g.x + 5u * g.y * g.y + 7u * g.x * g.y + 11u * g.z);
            uint at = ((g.z * all.y + g.y) * all.x + g.x) * 12u;
            f[at] = dFdx(v); f[at + 1u] = dFdy(v); f[at + 2u] = fwidth(v);
            f[at + 3u] = dFdxFine(v); f[at + 4u] = dFdyFine(v); f[at + 5u] = fwidthFine(v);
            f[at + 6u] = dFdxCoarse(v); f[at + 7u] = dFdyCoarse(v); f[at + 8u] = fwidthCoarse(v);
            vec3 two = dFdyCoarse(vec3(v, -v, 2.0 * v)); f[at + 9u] = two.y; f[at + 10u] = two.z;
            f[at + 11u] = float(gl_LocalInvocationIndex);
        }}",
        header(size, group)
    )
}

/// What [`derivatives_shader`] has to write for one workgroup whose quads are a map's.
fn expected(map: &LaneMap) -> Vec<f32> {
    let size = map.size();
    let value = |[x, y, z]: [u32; 3]| (3 * x * x + 5 * y * y + 7 * x * y + 11 * z) as f32;
    let mut out = vec![0.0; map.len() as usize * 12];
    for thread in 0..map.len() {
        let id = map.invocation(Thread(thread)).expect("in the group");
        let (quad, place) = quad_of(Thread(thread));
        let slope = |axis, precision| {
            let (to, from) = difference(axis, precision, place);
            let [to, from] = [to, from].map(|p| value(map.invocation(Thread(quad * 4 + p)).expect("a whole quad")));
            to - from
        };
        let (fine, coarse) = (Precision::Fine, Precision::Coarse);
        let [fx, fy] = [slope(Axis::X, fine), slope(Axis::Y, fine)];
        let [cx, cy] = [slope(Axis::X, coarse), slope(Axis::Y, coarse)];
        let row = row_major_index(size, id) as usize;
        let (fine_width, coarse_width) = (fx.abs() + fy.abs(), cx.abs() + cy.abs());
        let values = [fx, fy, fine_width, fx, fy, fine_width, cx, cy, coarse_width, -cy, 2.0 * cy, row as f32];
        out[row * 12..row * 12 + 12].copy_from_slice(&values);
    }
    out
}

fn floats(done: &lanescope_core::run::Execution) -> Vec<f32> {
    let words = done.contents("set0.binding0").chunks_exact(4);
    words.map(|word| f32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
}

fn laid_out(program: &Program, options: &Options) -> Layout {
    let module = &program.modules[0].module;
    layout(module, &module.entry_points()[0], options, &mut Vec::new()).expect("a layout")
}

#[track_caller]
fn check_derivatives(size: [u32; 3], group: Derivatives, options: &Options) {
    let given = program(&derivatives_shader(size, group));
    let done = rewritten(&given, options);
    assert_eq!(done.stages[0].derivatives.len(), 10, "{:?}", done.stages);
    let wanted = expected(&laid_out(&given, options).lane_map().expect("a map"));
    let found = floats(&run(&done.program, [1, 1, 1]));
    assert!(found.len() >= wanted.len());
    for (at, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
        assert_eq!(found.to_bits(), wanted.to_bits(), "{size:?} {options:?} value {at}: {found} for {wanted}");
    }
}

#[test]
fn computed_derivatives_are_exact() {
    for derivatives_by in [DerivativesBy::Quad, DerivativesBy::Shuffle] {
        for (size, group) in [
            ([8, 8, 1], Derivatives::Quads),
            ([16, 4, 1], Derivatives::Quads),
            ([6, 4, 2], Derivatives::Quads),
            ([2, 2, 3], Derivatives::Quads),
            ([8, 2, 1], Derivatives::Linear),
            ([6, 2, 1], Derivatives::Linear),
            ([1, 4, 3], Derivatives::Linear),
            ([4, 1, 1], Derivatives::Linear),
        ] {
            for reconfig in [false, true] {
                check_derivatives(size, group, &Options { derivatives_by, reconfig, ..Options::default() });
            }
        }
    }
}

#[test]
fn without_a_group_derivatives_are_zero() {
    let given = program(&derivatives_shader([8, 2, 1], Derivatives::Quads));
    let derivatives_by = DerivativesBy::Quad;
    let options = Options { derivatives: Some(Derivatives::None), derivatives_by, ..Options::default() };
    let found = floats(&run(&rewritten(&given, &options).program, [1, 1, 1]));
    let slopes = found.chunks(12).take(16).flat_map(|row| &row[..9]);
    assert!(slopes.copied().all(|slope| slope == 0.0), "{found:?}");
}

#[test]
fn implicit_levels_of_detail_are_those_of_the_coarse_gradients() {
    let shader = |sample: &dyn Fn(&str) -> String| {
        format!(
            "{}layout(set = 0, binding = 0, std430) buffer Out {{ vec4 f[]; }};
            layout(set = 0, binding = 1) uniform sampler2D flat_image;
            layout(set = 0, binding = 2) uniform sampler3D deep;
            layout(set = 0, binding = 3) uniform samplerCubeArray cubes;
            layout(set = 0, binding = 4) uniform sampler2DShadow shadow;
            layout(set = 0, binding = 5) uniform sampler1D row;
            void main() {{
                vec2 g = vec2(gl_GlobalInvocationID.xy);
                vec2 p = (g * g + g.yx) * 0.0078125;
                uint at = gl_GlobalInvocationID.y * 16u + gl_GlobalInvocationID.x;
                {}
            }}",
            header([16, 4, 1], Derivatives::Quads),
            ["flat_image", "deep", "cubes", "shadow", "row", "bias", "proj", "offset"].map(sample).join("\n")
        )
    };
    // Coarse gradients with operations of the shader's own.
    let gradients = |value: &str| {
        let of = |place| format!("subgroupQuadBroadcast({value}, {place}u)");
        format!("{} - {}, {} - {}", of(1), of(0), of(2), of(0))
    };
    let store = |at: u32, value: String| format!("f[at * 8u + {at}u] = vec4({value});");
    let implicit = shader(&|what| match what {
        "flat_image" => store(0, "texture(flat_image, p)".to_owned()),
        "deep" => store(1, "texture(deep, p.xyx)".to_owned()),
        "cubes" => store(2, "texture(cubes, vec4(p.xy, 1.0, 1.0))".to_owned()),
        "shadow" => store(3, "texture(shadow, vec3(p, 0.5))".to_owned()),
        "row" => store(4, "texture(row, p.x)".to_owned()),
        "bias" => store(5, "texture(flat_image, p, 1.0)".to_owned()),
        "proj" => store(6, "textureProj(flat_image, vec4(p * 2.0, 0.0, 2.0))".to_owned()),
        _ => store(7, "textureOffset(flat_image, p, ivec2(1, 2))".to_owned()),
    });
    let explicit = shader(&|what| match what {
        "flat_image" => store(0, format!("textureGrad(flat_image, p, {})", gradients("p"))),
        "deep" => store(1, format!("textureGrad(deep, p.xyx, {})", gradients("p.xyx"))),
        "cubes" => store(2, format!("textureGrad(cubes, vec4(p.xy, 1.0, 1.0), {})", gradients("vec3(p.xy, 1.0)"))),
        "shadow" => store(3, format!("textureGrad(shadow, vec3(p, 0.5), {})", gradients("p"))),
        "row" => store(4, format!("textureGrad(row, p.x, {})", gradients("p.x"))),
        "bias" => store(5, format!("textureGrad(flat_image, p, {})", gradients("(p * 2.0)"))),
        "proj" => store(6, format!("textureProjGrad(flat_image, vec4(p * 2.0, 0.0, 2.0), {})", gradients("p"))),
        _ => store(7, format!("textureGradOffset(flat_image, p, {}, ivec2(1, 2))", gradients("p"))),
    });
    let explicit = explicit
        .replace("layout(derivative_group_quadsNV) in;\n", "")
        .replace("#version 460\n", "#version 460\n#extension GL_KHR_shader_subgroup_quad : require\n");
    // The layout for quads is a swizzle of its own, with or without instructions that need it.
    let options =
        |derivatives_by| Options { derivatives: Some(Derivatives::Quads), derivatives_by, ..Options::default() };
    let wanted = run(&rewritten(&program(&explicit), &options(DerivativesBy::Auto)).program, [1, 1, 1]);
    for by in [DerivativesBy::Quad, DerivativesBy::Shuffle] {
        let done = rewritten(&program(&implicit), &options(by));
        assert_eq!(done.stages[0].derivatives.len(), 8);
        let found = run(&done.program, [1, 1, 1]);
        let compared = compare(&wanted, &found);
        assert!(compared.equal, "{by}: {compared:?}");
    }
    assert!(floats(&wanted).iter().any(|&value| value != 0.0));
}

/// A shader that writes what every kind of id says, through functions, branches and loops.
fn ids_shader(size: [u32; 3], group: Derivatives, variant: u32) -> String {
    let body = match variant {
        0 => "v += uvec4(gl_LocalInvocationID, gl_LocalInvocationIndex);",
        1 => "for (uint i = 0u; i < gl_LocalInvocationID.x; ++i) { v.xy += gl_LocalInvocationID.yz + i; }",
        2 => "if ((gl_LocalInvocationIndex & 1u) == 0u) { v.z = twice().x; return_early(); } else { v.w = twice().y; }",
        _ => {
            "kept[gl_LocalInvocationIndex] = gl_GlobalInvocationID.x; barrier();
             v.x = kept[(gl_LocalInvocationIndex + 1u) % (gl_WorkGroupSize.x * gl_WorkGroupSize.y * gl_WorkGroupSize.z)];"
        }
    };
    format!(
        "{}layout(set = 0, binding = 0, std430) buffer Out {{ uvec4 u[]; }};
        shared uint kept[gl_WorkGroupSize.x * gl_WorkGroupSize.y * gl_WorkGroupSize.z];
        uvec2 twice() {{ return gl_LocalInvocationID.yx * 2u; }}
        uint calls; void return_early() {{ if (gl_LocalInvocationID.y > 1u) return; calls += 1u; }}
        void main() {{
            calls = 0u;
            uvec3 g = gl_GlobalInvocationID;
            uvec3 all = gl_NumWorkGroups * gl_WorkGroupSize;
            uvec4 v = uvec4(gl_WorkGroupID, {});
            {body}
            v.w += calls;
            u[(g.z * all.y + g.y) * all.x + g.x] = v;
        }}",
        header(size, group),
        if group == Derivatives::None {
            "1u"
        } else {
            "uint(int(dFdxFine(float(g.x * g.x)) + dFdyCoarse(float(g.y))))"
        },
    )
}

/// Notes its ids in the order in which workgroups run.
const IN_ORDER: &str = "#version 460
    layout(local_size_x = 2, local_size_y = 3, local_size_z = 1) in;
    layout(set = 0, binding = 0, std430) buffer Out { uint next; uvec4 ids[]; };
    void main() {
        uvec3 group = gl_WorkGroupID;
        uvec3 of_global = gl_GlobalInvocationID / gl_WorkGroupSize;
        uvec3 local = gl_GlobalInvocationID % gl_WorkGroupSize;
        if (gl_LocalInvocationIndex == 5u)
            ids[atomicAdd(next, 1u)] = uvec4(group, uint(of_global == group && local == gl_LocalInvocationID));
    }";

#[test]
fn workgroups_run_in_the_order_of_tiles() {
    let given = program(IN_ORDER);
    // Whole tiles alone, with a column to the right, with a row below, with both.
    for (tile, groups) in
        [(4, [8, 8, 1]), (4, [9, 8, 1]), (4, [8, 11, 2]), (8, [19, 17, 2]), (16, [33, 35, 1]), (4, [64, 13, 1])]
    {
        let made = rewrite_groups(&given, tile, groups).unwrap_or_else(|error| panic!("{error}"));
        // The interpreter runs them one after the other.
        let waves = Waves::row_major(32, [2, 3, 1]);
        let limit = Duration::from_secs(60);
        let run = interpret::run(&made, &waves, Some(groups), &Inputs { zeros: true, ..Inputs::default() }, limit);
        let run = run.unwrap_or_else(|error| panic!("{error}"));
        let (_, name) = run.data.keys().map(|name| (name.len(), name.clone())).max().expect("a buffer");
        let words: Vec<u32> =
            run.contents(&name).chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("4"))).collect();
        let count = groups.iter().product::<u32>();
        assert_eq!(words[0], count);
        let [width, height, depth] = groups.map(u64::from);
        let expected = (0..depth).flat_map(|z| (0..width * height).map(move |f| (z, f)));
        for ((z, f), ids) in expected.zip(words[4..].chunks_exact(4)) {
            let [x, y] = group_id(tile, groups, f).expect("inside");
            assert_eq!(ids, [x, y, z as u32, 1], "{tile} {groups:?}: {f}");
        }
    }
    let error = rewrite_groups(&given, 8, [15, 16, 1]).expect_err("one tile in x");
    assert!(matches!(error, RewriteError::Groups { .. }) && error.to_string().contains("the dispatch has 15x16x1"));
}

fn seeds() -> ProptestConfig {
    ProptestConfig {
        cases: 48,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct("tests/seeds/swizzled.txt"))),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(seeds())]

    /// The lane map is one-to-one, its quads obey the rules, and the rewritten shader writes the same bytes.
    #[test]
    fn any_size_and_options(
        (x, y, z) in (1u32..25, 1u32..9, 1u32..4), wide in any::<bool>(), group in 0usize..3, force_swizzle in any::<bool>(),
        reconfig in any::<bool>(), note in any::<bool>(), shuffle in any::<bool>(), variant in 0u32..4,
    ) {
        let group = Derivatives::ALL[group];
        let x = if wide { x * 8 } else { x };
        // Sizes that the group allows.
        let size = match group {
            Derivatives::None => [x, y, z],
            Derivatives::Linear => [x, y.next_multiple_of(4), z],
            Derivatives::Quads => [x.next_multiple_of(2), y.next_multiple_of(2), z],
        };
        prop_assume!(size.iter().product::<u32>() <= 1024);
        let options = Options {
            force_swizzle,
            reconfig,
            layout_rules: LayoutRules::ALL[usize::from(note)],
            derivatives_by: if shuffle { DerivativesBy::Shuffle } else { DerivativesBy::Quad },
            ..Options::default()
        };
        let given = program(&ids_shader(size, group, variant));
        let layout = laid_out(&given, &options);
        let map = layout.lane_map().expect("the size is allowed");
        let mut ids = map.invocations();
        for quad in ids.chunks_exact(4) {
            let [x, y, z] = quad[0];
            match group {
                Derivatives::Quads => {
                    prop_assert!(x % 2 == 0 && y % 2 == 0);
                    prop_assert_eq!(quad, [[x, y, z], [x + 1, y, z], [x, y + 1, z], [x + 1, y + 1, z]]);
                }
                Derivatives::Linear => {
                    let first = row_major_index(size, quad[0]);
                    prop_assert_eq!(first % 4, 0);
                    let indices: Vec<u64> = quad.iter().map(|&id| row_major_index(size, id)).collect();
                    prop_assert_eq!(indices, (first..first + 4).collect::<Vec<_>>());
                }
                Derivatives::None => {}
            }
        }
        ids.sort_unstable();
        ids.dedup();
        prop_assert_eq!(ids.len() as u32, size.iter().product::<u32>());

        let base = if group == Derivatives::None {
            given.clone()
        } else {
            without_native_derivatives(&given, &options).map_err(|error| TestCaseError::fail(error.to_string()))?.program
        };
        let done = rewrite(&given, &options).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let moved = (layout.micro == Micro::Quads || layout.macro_tile == Macro::Block8) || group != Derivatives::None;
        prop_assert_eq!(done.stages[0].changed, moved);
        let compared = compare(&run(&base, [2, 1, 2]), &run(&done.program, [2, 1, 2]));
        prop_assert!(compared.equal, "{:?}", compared);
    }
}
