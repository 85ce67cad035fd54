//! The part-pipeline: the fragment shader first and alone, then the stages before it from what was stored.

use proptest::prelude::*;

use super::examples::*;
use super::shaders::{COLOUR, linkage};
use super::*;
use crate::liveness::Stages;
use crate::packing::link::Linkage;
use crate::packing::{Fallback, Stored};
use lanescope_model::options::{Options, ProducerChoice};
use lanescope_model::target::Target;
use lanescope_testing::program;

/// Each example's list, and whether a geometry shader is known of.
const EXAMPLES: [(&str, bool); 14] = [
    (E1, false),
    (E2, false),
    (E4, true),
    (E6, false),
    (E7, false),
    (E8, false),
    (E9, false),
    (E10, false),
    (E11, false),
    (E12, false),
    (E13, false),
    (E14, false),
    (E15, true),
    (E15, false),
];

#[test]
fn every_example_round_trips_through_its_arrays() {
    for order in PackingOrder::ALL {
        for (list, require_dword) in EXAMPLES {
            let packed = assign::pack(&entries(list, require_dword), *order);
            let stored = Stored::of(&packed, &[], [0, 0]);
            let words = stored.locations.as_chunks::<2>().0;
            assert_eq!(words.len(), packed.map.len(), "{list}");
            assert!(words.is_sorted_by(|a, b| a[0] < b[0]), "{list}: in the order of the keys");
            let read = stored.assigned().expect("what was stored reads back");
            assert_eq!(table(&read), table(&packed), "{list} in {order}");
        }
    }
}

/// The fragment half alone stores what it stores with the other half at hand, and the other half does the same with it
/// as in a whole pipeline. Returns what is stored.
#[track_caller]
pub(super) fn check_both_modes(linkage: &Linkage, alone: &Linkage, options: &Options) -> Stored {
    let part = Options { part_pipeline: true, ..options.clone() };
    let (whole, half, lone) = (linkage.pack(options), linkage.pack(&part), alone.pack(&part));
    assert_eq!(whole.stored, None);
    let stored = half.stored.clone().expect("a half stores its map");
    assert_eq!(lone.stored.as_ref(), Some(&stored), "the fragment shader alone stores the same");
    assert_eq!(map_of(&lone), map_of(&whole));
    assert_eq!(Packing { stored: None, ..half }, whole, "but for the arrays both modes are alike");
    stored
}

#[track_caller]
fn check_sources(sources: &[(&str, &str)], hint: ProducerChoice) -> Stored {
    let all = program(sources);
    let fragment: Vec<_> = sources.iter().copied().filter(|(stage, _)| *stage == "frag").collect();
    let (whole, alone) = (linkage(sources), program(&fragment));
    let mut stored = None;
    for order in PackingOrder::ALL {
        let options = Options { order: *order, ..Options::default() };
        let alone = Linkage::of(&Stages::of(&alone), hint).expect("there is a fragment shader");
        let found = check_both_modes(&whole, &alone, &options);
        if *order == PackingOrder::Llpc {
            stored = Some(found);
        }
    }
    assert_eq!(all.stages.len(), sources.len());
    stored.expect("each order was packed")
}

#[test]
fn e3_stores_ten_floats_and_the_vertex_shader_finds_its_three() {
    let reads = (0..10).map(|n| format!("layout(location = {n}) in float v{n};")).collect::<String>();
    let sum = (0..10).map(|n| format!("v{n}")).collect::<Vec<_>>().join(" + ");
    let fragment = format!("{COLOUR}{reads} void main() {{ colour = vec4({sum}); }}");
    let vertex = "layout(location = 7) out float a; layout(location = 8) out float b; layout(location = 9) out float c;
        void main() { gl_Position = vec4(0); a = 1; b = 2; c = 3; }";
    let stored = check_sources(&[("vert", vertex), ("frag", &fragment)], ProducerChoice::None);
    let expected: Vec<u32> = (0..10).flat_map(|n| [8 * n, 8 * (n / 4) + 2 * (n % 4)]).collect();
    assert_eq!((stored.locations, stored.builtins, stored.distances), (expected, vec![], [0, 0]));
}

#[test]
fn e4_needs_the_geometry_shader_option() {
    let geometry = "layout(points) in; layout(triangle_strip, max_vertices = 3) out;
        layout(location = 1) out vec4 a; layout(location = 2) out u16vec4 b; layout(location = 3) out vec2 c;
        layout(location = 4) out vec2 d;
        layout(location = 5, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 8) out vec2 e;
        void main() { a = vec4(1); b = u16vec4(1); c = vec2(1); d = vec2(2); e = vec2(3); EmitVertex(); }";
    let fragment = format!(
        "{COLOUR} layout(location = 1) in vec4 a; layout(location = 2) flat in u16vec4 b; layout(location = 4) in vec2 d;
        void main() {{ colour = a + vec4(b) + d.xyxy; }}"
    );
    let sources = [("geom", geometry), ("frag", fragment.as_str())];
    let stored = check_sources(&sources, ProducerChoice::Geometry);
    // 16-bit values after one take dwords: (2, 0) goes to (2, 0), where (4, 0) would be otherwise.
    assert_eq!(stored.locations[8..12], [0x10, 0x10, 0x12, 0x12]);
    let alone = program(&sources[1..]);
    let untold = Linkage::of(&Stages::of(&alone), ProducerChoice::None).expect("there is a fragment shader");
    let part = Options { part_pipeline: true, ..Options::default() };
    assert_ne!(untold.pack(&part).stored, Some(stored), "without the hint the map is another");
}

#[test]
fn e6_a_tessellation_evaluation_shader_reads_the_arrays() {
    let evaluation = "layout(triangles) in; layout(location = 0) out vec2 a; layout(location = 1) out vec3 b;
        layout(location = 2) out float c;
        void main() { gl_Position = vec4(0); a = gl_TessCoord.xy; b = gl_TessCoord; c = 1; }";
    let fragment = format!(
        "{COLOUR} layout(location = 0) in vec2 a; layout(location = 1) in vec3 b; layout(location = 2) in float c;
        void main() {{ colour = vec4(a + b.xy, b.z, c); }}"
    );
    let stored = check_sources(&[("tese", evaluation), ("frag", &fragment)], ProducerChoice::None);
    assert_eq!(stored.locations, [0, 0, 2, 2, 8, 4, 10, 6, 12, 8, 16, 10]);
}

#[test]
fn e17_built_ins_are_stored_by_their_numbers() {
    let body = "layout(location = 0) in vec3 a; layout(location = 1) in vec3 b; layout(location = 2) in vec2 c;
        in float gl_ClipDistance[5];
        void main() { colour = vec4(a + b, c.x + c.y) + gl_PrimitiveID + gl_Layer + gl_ClipDistance[4]; }";
    let stored = check_sources(&[("frag", &format!("{COLOUR}{body}"))], ProducerChoice::None);
    // ClipDistance is 3, PrimitiveId 7, Layer 9.
    assert_eq!((stored.builtins, stored.distances), (vec![3, 4, 7, 2, 9, 3], [5, 0]));
    let body = "in float gl_ClipDistance[4]; in float gl_CullDistance[2];
        void main() { colour = vec4(gl_ClipDistance[3], gl_CullDistance[1], gl_PointCoord) + gl_ViewportIndex; }";
    let stored = check_sources(&[("frag", &format!("{COLOUR}{body}"))], ProducerChoice::None);
    // Four clip distances fill a location: cull distances are in the next one.
    assert_eq!((stored.builtins, stored.distances), (vec![3, 2, 4, 3, 10, 1, 16, 0], [4, 2]));
}

#[test]
fn transform_feedback_in_software_turns_packing_off() {
    let xfb = "layout(location = 3, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 8) out vec2 x;
        layout(location = 5) out vec2 a;";
    let vertex = format!("{xfb} void main() {{ gl_Position = vec4(0); x = vec2(1); a = vec2(2); }}");
    let geometry = format!(
        "layout(points) in; layout(points, max_vertices = 1) out; {xfb} void main() {{ x = a = vec2(1); EmitVertex(); }}"
    );
    let fragment = format!("{COLOUR} layout(location = 5) in vec2 a; void main() {{ colour = a.xyxy; }}");
    let off = Some(Fallback::TransformFeedback);
    for (stage, source) in [("vert", &vertex), ("geom", &geometry)] {
        let linkage = linkage(&[(stage, source), ("frag", &fragment)]);
        for (target, part_pipeline, expected) in [
            (Target::Gfx1030, true, None),
            (Target::Gfx1100, false, if stage == "geom" { off } else { None }),
            (Target::Gfx1100, true, off),
        ] {
            let packing = linkage.pack(&Options { target, part_pipeline, ..Options::default() });
            assert_eq!(packing.fallback, expected, "{stage} on {target}, part-pipeline {part_pipeline}");
        }
    }
}

fn any_entry() -> impl Strategy<Value = Entry> {
    let modes = prop::sample::select(&Interpolation::ALL[..4]);
    (0..1100u32, 0..4u8, prop::sample::select(vec![8u32, 16, 32]), modes, any::<bool>()).prop_map(
        |(location, component, bits, mode, require_dword)| Entry {
            stream: 0,
            from: Place { location: Location(location), component: Component(component), half: false },
            class: Class::of(bits, mode, require_dword),
        },
    )
}

proptest! {
    #![proptest_config(kept_cases(256))]

    /// Locations of 10 bits; what lies beyond has no word.
    #[test]
    fn stored_maps_read_back(entries in prop::collection::vec(any_entry(), 0..200)) {
        for &order in PackingOrder::ALL {
            for assigned in [assign::pack(&entries, order), assign::renumber(&entries, 0)] {
                let stored = Stored::of(&assigned, &[], [0, 0]);
                let read = stored.assigned().expect("what was stored reads back");
                let fits = |(key, to): &(&assign::Key, &Place)| key.1.0 < 1024 && to.location.0 < 1024;
                let expected = assigned.map.iter().filter(fits).map(|(key, to)| (*key, *to)).collect();
                prop_assert_eq!(read.map, expected);
            }
        }
    }

    /// A hostile file of integers is refused or read, and never ends the program.
    #[test]
    fn reads_or_rejects_any_integers(locations in prop::collection::vec(any::<u32>(), 0..32)) {
        let stored = Stored { locations, ..Stored::default() };
        if let Ok(read) = stored.assigned() {
            prop_assert!(read.map.keys().all(|key| key.1.0 < 1024));
        }
    }
}
