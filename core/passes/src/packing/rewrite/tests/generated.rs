//! Random interfaces, both sides written as GLSL from one list.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::*;
use crate::packing::Interpolation;
use crate::packing::tests::kept_cases;

/// One varying as it was drawn.
#[derive(Debug, Clone)]
struct Varying {
    kind: usize,
    qualifier: usize,
    /// 0 for none.
    array: u32,
    /// Locations left free before it.
    gap: u32,
    read: usize,
    written: bool,
}

/// Type, locations, whether it must be flat, components, whether it is a matrix.
const KINDS: &[(&str, u32, bool, u32, bool)] = &[
    ("float", 1, false, 1, false),
    ("vec2", 1, false, 2, false),
    ("vec3", 1, false, 3, false),
    ("vec4", 1, false, 4, false),
    ("int", 1, true, 1, false),
    ("uvec2", 1, true, 2, false),
    ("ivec3", 1, true, 3, false),
    ("uvec4", 1, true, 4, false),
    ("double", 1, true, 1, false),
    ("dvec2", 1, true, 2, false),
    ("dvec3", 2, true, 3, false),
    ("i64vec2", 1, true, 2, false),
    ("u64vec4", 2, true, 4, false),
    ("float16_t", 1, false, 1, false),
    ("f16vec3", 1, false, 3, false),
    ("i16vec2", 1, true, 2, false),
    ("u16vec4", 1, true, 4, false),
    ("mat2", 2, false, 2, true),
    ("mat3x2", 3, false, 2, true),
];

const QUALIFIERS: &[&str] =
    &["", "", "", "centroid", "sample", "noperspective", "noperspective centroid", "flat", "flat"];

fn any_varying() -> impl Strategy<Value = Varying> {
    (0..KINDS.len(), 0..QUALIFIERS.len(), 0u32..4, 0u32..3, 0usize..7, 0..8u32).prop_map(
        |(kind, qualifier, array, gap, read, written)| Varying {
            kind,
            qualifier,
            array: array.saturating_sub(1),
            gap: gap.saturating_sub(1),
            read,
            written: written > 0,
        },
    )
}

/// The stage before (`vert`, `tese` or `geom`) and the fragment shader of a list.
fn shaders(stage: &str, varyings: &[Varying]) -> (String, String) {
    let (mut vertex, mut fragment) = (String::new(), COLOUR.to_owned());
    let (mut writes, mut reads) = (String::new(), String::new());
    let mut location = 1;
    fragment.push_str("layout(location = 0) flat in int pick;\n");
    vertex.push_str("layout(location = 0) flat out int pick;\n");
    for (n, varying) in varyings.iter().enumerate() {
        let (ty, locations, must_be_flat, components, matrix) = KINDS[varying.kind];
        let all = locations * varying.array.max(1);
        location += varying.gap;
        if location + all > 32 {
            break;
        }
        let flat = must_be_flat || QUALIFIERS[varying.qualifier] == "flat";
        let qualifier = if flat { "flat" } else { QUALIFIERS[varying.qualifier] };
        let array = if varying.array > 0 { format!("[{}]", varying.array) } else { String::new() };
        // A whole vector fits at component 0; smaller ones are pushed to the end every second time.
        let width = if must_be_flat && ty.contains("64") || ty.starts_with('d') { 2 } else { 1 };
        let free = 4u32.saturating_sub(components * width);
        let component = if n % 2 == 1 && locations == 1 && free > 0 {
            format!(", component = {}", free / width * width)
        } else {
            String::new()
        };
        writeln!(vertex, "layout(location = {location}{component}) {qualifier} out {ty} v{n}{array};").expect("writes");
        writeln!(fragment, "layout(location = {location}{component}) {qualifier} in {ty} v{n}{array};")
            .expect("writes");
        location += all;
        let last = varying.array.saturating_sub(1);
        let element = |index: &str| if varying.array > 0 { format!("v{n}[{index}]") } else { format!("v{n}") };
        if varying.written {
            for index in 0..varying.array.max(1) {
                writeln!(writes, "{} = {ty}(s + {index});", element(&index.to_string())).expect("writes");
            }
        }
        let column = if matrix { "[1]" } else { "" };
        let scalar = |value: String, at: u32| {
            if components == 1 { format!("float({value})") } else { format!("float({value}[{at}])") }
        };
        let value = |index: &str| format!("{}{column}", element(index));
        let narrow = ty.contains("16");
        let interpolable = !must_be_flat && !narrow;
        let expression = match varying.read {
            0 => continue,
            1 => scalar(value(&last.to_string()), components - 1),
            2 => scalar(value("pick"), 0),
            3 if interpolable => scalar(format!("interpolateAtOffset({}, vec2(0.25))", value("pick")), components - 1),
            4 if interpolable => scalar(format!("interpolateAtCentroid({})", value("0")), 0),
            5 if components > 1 => format!("float({}[pick & 1])", value(&last.to_string())),
            _ => (0..components).map(|at| scalar(value("0"), at)).collect::<Vec<_>>().join(" + "),
        };
        writeln!(reads, "sum += {expression};").expect("writes");
    }
    let (layout, end) = match stage {
        "tese" => ("layout(triangles) in;\n", ""),
        "geom" => ("layout(points) in; layout(points, max_vertices = 1) out;\n", "EmitVertex();"),
        _ => ("", ""),
    };
    write!(vertex, "void main() {{ float s = 2; gl_Position = vec4(s); pick = 1;\n{writes}{end} }}").expect("writes");
    let vertex = format!("{layout}{vertex}");
    write!(fragment, "void main() {{ float sum = pick;\n{reads}colour = vec4(sum); }}").expect("writes");
    (vertex, fragment)
}

proptest! {
    #![proptest_config(kept_cases(160))]

    /// `rewritten` checks the rest: valid modules, an injective map, no more locations than before, idempotence.
    #[test]
    fn random_interfaces_are_rewritten(
        varyings in prop::collection::vec(any_varying(), 1..20), widen in any::<bool>(), no_pack in any::<bool>(),
        stage in prop::sample::select(vec!["vert", "tese", "geom"]),
    ) {
        let (vertex, fragment) = shaders(stage, &varyings);
        let program = program(&[(stage, &vertex), ("frag", &fragment)]);
        let done = rewritten(&program, &Options { widen, no_pack, ..Options::default() });
        let rows = done.map.carried.len() + done.map.not_carried.len();
        let hardware = lanescope_report::analyse(&program, &Options { no_pack, ..Options::default() }).expect("is analysed");
        let packing = hardware.packing.expect("there is a fragment shader");
        let halves = lanescope_report::analyse(&program, &Options { no_pack, part_pipeline: true, ..Options::default() });
        let mut halves = halves.expect("is analysed").packing.expect("there is a fragment shader");
        prop_assert!(halves.stored.take().is_some_and(|stored| stored.locations.len() == 2 * packing.map.len()));
        prop_assert_eq!(&halves, &packing, "both modes give the same map");
        prop_assert_eq!(rows, packing.map.len(), "every used scalar travels");
        for variable in &done.map.variables {
            let custom = variable.interpolation == Interpolation::Custom;
            prop_assert!(!custom && variable.components <= 4);
        }
        // Before a geometry shader's dwords narrow values sort among wide ones.
        if stage != "geom" {
            let options = Options { widen, no_pack, ..Options::default() };
            let alone = rewritten(&super::program(&[("frag", &fragment)]), &options);
            prop_assert_eq!(alone.map.variables, done.map.variables, "the stage before has no say");
        }
    }

    /// The interfaces before a geometry and a tessellation control shader.
    #[test]
    fn random_inner_interfaces_are_rewritten(
        varyings in prop::collection::vec(any_varying(), 1..20), widen in any::<bool>(), no_pack in any::<bool>(),
        stage in prop::sample::select(vec!["geom", "tesc"]),
    ) {
        let sources = inner_shaders(stage, &varyings);
        let program = program(&sources.iter().map(|(stage, source)| (*stage, source.as_str())).collect::<Vec<_>>());
        let options = Options { widen, no_pack, ..Options::default() };
        let report = lanescope_report::analyse(&program, &options).expect("is analysed");
        let [packing, ..] = &report.inner_packing[..] else { panic!("an inner interface: {sources:?}") };
        prop_assert!(packing.map.iter().all(|row| row.bits == 32 && !row.to.half));
        let places: BTreeSet<_> = packing.map.iter().map(|row| row.to).collect();
        prop_assert_eq!(places.len(), packing.map.len(), "the map is injective");
        prop_assert!(packing.slots.after <= packing.slots.before);
        prop_assert!(packing.fallback.is_some() || packing.slots.after == (packing.map.len() as u32).div_ceil(4));
        let done = rewritten(&program, &options);
        let map = &done.inner[0];
        prop_assert_eq!(map.carried.len() + map.not_carried.len(), packing.map.len(), "every used scalar travels");
    }
}

/// A vertex shader, and a geometry or tessellation control shader that reads parts of its outputs; whole pipelines.
fn inner_shaders(stage: &'static str, varyings: &[Varying]) -> Vec<(&'static str, String)> {
    let (mut vertex, mut inner, mut writes, mut reads) = (String::new(), String::new(), String::new(), String::new());
    let mut location = 0;
    for (n, varying) in varyings.iter().enumerate() {
        let (ty, locations, must_be_flat, components, matrix) = KINDS[varying.kind];
        let all = locations * varying.array.max(1);
        location += varying.gap;
        if location + all > 32 {
            break;
        }
        let flat = if must_be_flat { "flat" } else { "" };
        let array = if varying.array > 0 { format!("[{}]", varying.array) } else { String::new() };
        writeln!(vertex, "layout(location = {location}) {flat} out {ty} v{n}{array};").expect("writes");
        writeln!(inner, "layout(location = {location}) {flat} in {ty} v{n}[]{array};").expect("writes");
        location += all;
        for index in 0..varying.array.max(1) {
            let element = if varying.array > 0 { format!("[{index}]") } else { String::new() };
            writeln!(writes, "v{n}{element} = {ty}(s + {index});").expect("writes");
        }
        // Dynamic indices end packing before tessellation control shaders, and would do so in nearly all cases.
        let at = if stage == "tesc" { "0" } else { "pick" };
        let element = |index: &str| if varying.array > 0 { format!("[{index}]") } else { String::new() };
        let column = if matrix { "[1]" } else { "" };
        let whole = |vertex: &str, index: &str| format!("v{n}[{vertex}]{}{column}", element(index));
        let scalar = |value: String, at: u32| {
            if components == 1 { format!("float({value})") } else { format!("float({value}[{at}])") }
        };
        let expression = match varying.read {
            0 => continue,
            1 => scalar(whole("pick", "0"), components - 1),
            2 => scalar(whole("0", at), 0),
            3 => {
                // A copy of everything that a vertex has.
                writeln!(reads, "{ty} c{n}{array} = v{n}[pick];").expect("writes");
                scalar(format!("c{n}{}{column}", element("0")), 0)
            }
            _ => (0..components).map(|at| scalar(whole("1", "0"), at)).collect::<Vec<_>>().join(" + "),
        };
        writeln!(reads, "sum += {expression};").expect("writes");
    }
    let vertex = format!("{vertex}void main() {{ float s = 2; gl_Position = vec4(s);\n{writes} }}");
    let main =
        |end: &str| format!("{inner}void main() {{ float sum = 0; int pick = gl_InvocationID & 1;\n{reads}{end} }}");
    let fragment = format!("{COLOUR}layout(location = 0) in float c; void main() {{ colour = vec4(c); }}");
    match stage {
        "geom" => {
            let layout = "layout(triangles, invocations = 2) in; layout(points, max_vertices = 1) out;
                layout(location = 0) out float c;\n";
            vec![("vert", vertex), ("geom", format!("{layout}{}", main("c = sum; EmitVertex();"))), ("frag", fragment)]
        }
        _ => {
            let layout = "layout(vertices = 3) out; layout(location = 0) out float c[];\n";
            let evaluation = "layout(triangles) in; layout(location = 0) in float c[];
                layout(location = 0) out float o; void main() { gl_Position = vec4(1); o = c[0]; }";
            let control = format!("{layout}{}", main("c[gl_InvocationID] = sum;"));
            vec![("vert", vertex), ("tesc", control), ("tese", evaluation.to_owned()), ("frag", fragment)]
        }
    }
}
