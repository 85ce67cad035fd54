//! Modules whose decorations come from groups, and whose entry points share variables and functions.

use super::cases::variables;
use super::*;
use crate::packing::rewrite::rewrite_inner;
use lanescope_base::ids::Location;
use lanescope_spirv::Module;
use lanescope_spirv::enums::{Decoration, Op};
use lanescope_testing::program_of;

/// Two fragment shaders, `first` and `second`, that share their input and the function that reads it.
fn two_entry_points(annotations: &str) -> String {
    let entry = |name: &str| {
        format!(
            "%{name} = OpFunction %void None %fn\n%{name}l = OpLabel\n%{name}x = OpFunctionCall %vec4 %read\n
             OpStore %o %{name}x\nOpReturn\nOpFunctionEnd\n"
        )
    };
    let (first, second) = (entry("first"), entry("second"));
    format!(
        "; Version: 1.3\nOpCapability Shader\nOpMemoryModel Logical GLSL450
         OpEntryPoint Fragment %first \"first\" %a %o\nOpEntryPoint Fragment %second \"second\" %a %o
         OpExecutionMode %first OriginUpperLeft\nOpExecutionMode %second OriginUpperLeft\nOpName %a \"a\"
         OpDecorate %o Location 0\n{annotations}
         %void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n%vec2 = OpTypeVector %float 2
         %vec4 = OpTypeVector %float 4\n%in = OpTypePointer Input %vec2\n%out = OpTypePointer Output %vec4
         %give = OpTypeFunction %vec4\n%a = OpVariable %in Input\n%o = OpVariable %out Output
         %read = OpFunction %vec4 None %give\n%rl = OpLabel\n%x = OpLoad %vec2 %a
         %y = OpVectorShuffle %vec4 %x %x 0 1 0 1\nOpReturnValue %y\nOpFunctionEnd\n{first}{second}"
    )
}

/// The program of one of the entry points of an assembly.
fn only(text: &str, entry: &str) -> Program {
    let out = program_of(&[("spvasm", text)], &[entry.to_owned()]);
    assert_eq!(out.stages.len(), 1, "{entry}");
    out
}

/// The locations of an entry point's varyings, and how their variables are named.
fn locations(module: &Module, entry: &str) -> Vec<(u32, String)> {
    let point = module.entry_points().iter().find(|point| point.name == entry).expect("the entry point stays");
    let row =
        |&id: &_| Some((module.decoration(id, None, Decoration::Location)?, module.name(id).unwrap_or("").to_owned()));
    point.interface.iter().filter_map(row).collect()
}

#[test]
fn duplicates_variables_that_another_entry_point_uses() {
    let both = two_entry_points("OpDecorate %a Location 3\nOpDecorate %a Centroid");
    for (entry, other) in [("first", "second"), ("second", "first")] {
        let done = rewritten(&only(&both, entry), &Options::default());
        assert_eq!(variables(&done.map), "0.0 float32x2 smooth centroid");
        let module = &done.program.modules[0].module;
        assert!(locations(module, entry).contains(&(0, "packed0".to_owned())), "{:?}", locations(module, entry));
        assert_eq!(locations(module, other), [(3, "a".to_owned()), (0, String::new())], "keeps its interface");
        let of = |name: &str| module.entry_points().iter().find(|point| point.name == name).expect("stays");
        let [own, theirs] = [entry, other].map(|name| module.reachable(of(name)).into_iter().map(|f| f.id));
        let theirs: Vec<_> = theirs.collect();
        assert!(own.into_iter().all(|function| !theirs.contains(&function)), "each has a function of its own");
        let input = *of(other).interface.iter().find(|id| module.name(**id) == Some("a")).expect("is listed");
        assert!(module.is_decorated(input, None, Decoration::Centroid), "all decorations are duplicated");
        let loads: Vec<_> = module.insts().filter(|inst| inst.op() == Some(Op::Load)).collect();
        assert_eq!(loads.iter().filter(|load| load.id_at(3) == input).count(), 1, "the other one reads its own");
    }
}

/// A function that is two entry points is duplicated too, with its execution modes.
#[test]
fn takes_one_function_of_two_entry_points_apart() {
    let mut given = only(&two_entry_points("OpDecorate %a Location 3"), "second");
    let points = given.modules[0].module.clone();
    let mut words = points.words().to_vec();
    let [first, second] = [0, 1].map(|at| points.entry_points()[at].function);
    let at = points.insts().filter(|inst| inst.op() == Some(Op::EntryPoint)).nth(1);
    words[at.expect("two entry points").word as usize + 2] = first.0;
    let mut modes = points.insts().filter(|inst| inst.op() == Some(Op::ExecutionMode));
    let mode = modes.next_back().filter(|inst| inst.id_at(1) == second).expect("the second one's").word as usize;
    words.drain(mode..mode + 3);
    given.modules[0].module = Module::parse(words).expect("a module");
    let done = rewritten(&given, &Options::default());
    let module = &done.program.modules[0].module;
    let [first, second] = [0, 1].map(|at| &module.entry_points()[at]);
    assert!(first.function != second.function && first.modes == second.modes, "{first:?} {second:?}");
    assert_eq!(locations(module, "first")[0], (3, "a".to_owned()));
}

#[test]
fn expands_decoration_groups() {
    let grouped = "OpDecorate %group Centroid\nOpDecorate %group Location 3\nOpDecorate %group RelaxedPrecision
        %group = OpDecorationGroup\nOpGroupDecorate %group %a %a";
    let plain = rewritten(&only(&two_entry_points("OpDecorate %a Location 3"), "first"), &Options::default());
    let done = rewritten(&only(&two_entry_points(grouped), "first"), &Options::default());
    assert_eq!(variables(&done.map), "0.0 float32x2 smooth centroid");
    assert_eq!(done.map.slots, plain.map.slots);
    let module = &done.program.modules[0].module;
    assert_eq!(locations(module, "second"), [(3, "a".to_owned()), (0, String::new())]);
    let group = |inst: lanescope_spirv::Inst<'_>| inst.op() == Some(Op::DecorationGroup);
    assert!(!module.insts().any(group));
}

/// A module that only its preparation would change stays as it is.
#[test]
fn keeps_modules_that_are_packed_already() {
    let grouped = "OpDecorate %group Location 0\n%group = OpDecorationGroup\nOpGroupDecorate %group %a";
    let given = only(&two_entry_points(grouped), "first");
    let done = rewritten(&given, &Options::default());
    assert_eq!(done.map.changed, []);
    assert_eq!(done.program, given);
}

/// Without a fragment shader, the interface between the stages before is packed all the same.
#[test]
fn packs_tessellation_without_a_fragment_shader() {
    let vertex = "layout(location = 2) out vec4 a; layout(location = 5) out float unread;
        void main() { gl_Position = vec4(0); a = vec4(1); unread = 2; }";
    let control = "layout(vertices = 3) out; layout(location = 2) in vec4 a[]; layout(location = 1) out vec4 b[];
        void main() { b[gl_InvocationID] = a[gl_InvocationID]; gl_TessLevelOuter[0] = 1; }";
    let evaluation = "layout(triangles) in; layout(location = 1) in vec4 b[]; layout(location = 4) out vec4 c;
        void main() { c = b[0]; gl_Position = c; }";
    let given = program(&[("vert", vertex), ("tesc", control), ("tese", evaluation)]);
    let done = rewrite_inner(&given, &Options::default()).expect("rewrites");
    done.program.stages.iter().for_each(|stage| check(done.program.module_of(stage)).expect("is valid"));
    let [map] = &done.inner[..] else { panic!("{:?}", done.inner) };
    check_map(map);
    assert_eq!((map.producer, map.consumer), (Some(StageKind::Vertex), StageKind::TessControl));
    assert_eq!(map.changed, [StageKind::Vertex, StageKind::TessControl]);
    assert!(map.variables.iter().all(|variable| variable.location == Location(0)), "{:?}", map.variables);
    let again = rewrite_inner(&done.program, &Options::default()).expect("rewrites again");
    assert_eq!(again.inner[0].changed, []);
    let none = program(&[("vert", vertex)]);
    assert_eq!(rewrite_inner(&none, &Options::default()).expect("has nothing to do").inner, []);
}
