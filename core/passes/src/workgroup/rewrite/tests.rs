//! Swizzled modules: valid, and their arithmetic run for every thread against the lane map.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::workgroup::{Macro, row_major_index};
use lanescope_base::ids::Thread;
use lanescope_load::{check, disassemble};
use lanescope_model::options::{Derivatives, SpecValue};
use lanescope_testing::program;

fn on(derivatives: Option<Derivatives>, force_swizzle: bool, reconfig: bool) -> Options {
    Options { derivatives, force_swizzle, reconfig, ..Options::default() }
}

const BODY: &str = "layout(binding = 0) buffer B { uint b[]; };
    uvec2 low() { return gl_LocalInvocationID.xy; }
    void main() { b[gl_GlobalInvocationID.x] = gl_LocalInvocationIndex + low().y + gl_LocalInvocationID.z; }";

fn compute(size: &str, body: &str) -> Program {
    program(&[("comp", &format!("layout({size}) in; {body}"))])
}

#[track_caller]
fn swizzled(program: &Program, options: &Options) -> Swizzled {
    let done = rewrite(program, options).unwrap_or_else(|error| panic!("{error}"));
    for loaded in &done.program.modules {
        check(&loaded.module).unwrap_or_else(|message| panic!("{message}"));
    }
    done
}

/// The values that the entry point's start stores into the built-ins' variables, for one thread of group (3, 5, 7).
fn run(module: &Module, size: [u32; 3], thread: u32) -> BTreeMap<String, Vec<u32>> {
    let [x, y, _] = size;
    let local = [thread % x, thread / x % y, thread / (x * y)];
    let global = [3 * x + local[0], 5 * y + local[1], 7 * size[2] + local[2]];
    let entry = &module.entry_points()[0];
    let function = module.functions().iter().find(|f| f.id == entry.function).expect("the entry point's function");
    let mut values: BTreeMap<Id, Vec<u32>> = BTreeMap::new();
    let mut out = BTreeMap::new();
    for inst in module.insts_in(function.insts.clone()) {
        let Some(op) = inst.op() else { continue };
        let value = |id: Id| match values.get(&id) {
            Some(known) => known.clone(),
            None => vec![module.constant(id).and_then(|c| c.as_u32()).unwrap_or_default()],
        };
        let pairs = |f: fn(u32, u32) -> u32| {
            let (a, b) = (value(inst.id_at(3)), value(inst.id_at(4)));
            a.into_iter().zip(b).map(|(a, b)| f(a, b)).collect::<Vec<u32>>()
        };
        let result = match op {
            Op::Load => match module.name(inst.id_at(3)) {
                Some("hardware_local_id") => local.to_vec(),
                Some("hardware_global_id") => global.to_vec(),
                // The shader's own code starts.
                _ => return out,
            },
            Op::CompositeExtract => vec![value(inst.id_at(3))[inst.word_at(4) as usize]],
            Op::CompositeConstruct => inst.words_from(3).iter().flat_map(|&id| value(Id(id))).collect(),
            Op::IAdd => pairs(u32::wrapping_add),
            Op::ISub => pairs(u32::wrapping_sub),
            Op::IMul => pairs(u32::wrapping_mul),
            Op::UDiv => pairs(|a, b| a / b),
            Op::UMod => pairs(|a, b| a % b),
            Op::Store => {
                let name = module.name(inst.id_at(1)).expect("the variable is named").to_owned();
                if name.starts_with("gl_") {
                    out.insert(name, value(inst.id_at(2)));
                }
                continue;
            }
            _ => continue,
        };
        values.insert(inst.result().expect("has a result"), result);
    }
    out
}

#[track_caller]
fn check_every_thread(size: [u32; 3], options: &Options) {
    let program = of_size(size);
    let Ok(done) = rewrite(&program, options) else { return };
    let mut findings = Vec::new();
    let given = program.module_of(&program.stages[0]);
    let layout = layout(given, &given.entry_points()[0], options, &mut findings).expect("a layout");
    check_map(&program, &done, layout.lane_map().expect("a map"));
}

fn of_size([x, y, z]: [u32; 3]) -> Program {
    compute(&format!("local_size_x = {x}, local_size_y = {y}, local_size_z = {z}"), BODY)
}

fn check_map(program: &Program, done: &Swizzled, map: LaneMap) {
    let (size, given) = (map.size(), program.module_of(&program.stages[0]));
    let module = done.program.module_of(&done.program.stages[0]);
    check(module).unwrap_or_else(|message| panic!("{message}"));
    assert_eq!(done.stages[0].changed, map.form() != Form::RowMajor);
    if !done.stages[0].changed {
        return assert!(module == given);
    }
    for thread in 0..map.len() {
        let [x, y, z] = map.invocation(Thread(thread)).expect("in the group");
        let found = run(module, size, thread);
        assert_eq!(found["gl_LocalInvocationID"], [x, y, z], "thread {thread}");
        assert_eq!(u64::from(found["gl_LocalInvocationIndex"][0]), row_major_index(size, [x, y, z]));
        assert_eq!(found["gl_GlobalInvocationID"], [3 * size[0] + x, 5 * size[1] + y, 7 * size[2] + z]);
    }
}

#[test]
fn computes_each_form() {
    for (size, options) in [
        ([6, 4, 2], on(None, false, true)),
        ([16, 16, 1], on(None, true, false)),
        ([8, 6, 3], on(Some(Derivatives::Quads), false, true)),
        ([8, 8, 1], on(Some(Derivatives::Quads), false, false)),
        ([2, 2, 1], on(None, false, true)),
        ([5, 6, 7], on(None, true, true)),
        ([16, 4, 1], on(Some(Derivatives::Linear), true, false)),
    ] {
        check_every_thread(size, &options);
    }
}

/// Tiles that are asked for do not depend on the chip: gfx12 walks tiles itself, and its modules compute these all the same.
#[test]
fn computes_the_tiles_that_are_asked_for() {
    let old = Options::default();
    let new = Options { target: lanescope_model::target::Target::Gfx1200, ..on(None, true, true) };
    let size = [16, 8, 2];
    let program = of_size(size);
    for options in [old, new] {
        for (micro, macro_tile) in [
            (Micro::None, Macro::None),
            (Micro::Quads, Macro::None),
            (Micro::None, Macro::Block8),
            (Micro::Quads, Macro::Block8),
        ] {
            let done = rewrite_as(&program, &options, micro, macro_tile).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!((done.stages[0].micro, done.stages[0].macro_tile), (micro, macro_tile));
            check_map(&program, &done, LaneMap::new(micro, macro_tile, size).expect("a map"));
        }
    }
    let error = rewrite_as(&of_size([6, 5, 1]), &Options::default(), Micro::Quads, Macro::None);
    assert!(matches!(error, Err(RewriteError::NoLayout { .. })), "{error:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn rewrites_any_size_and_options(
        size in [1u32..40, 1u32..17, 1u32..4], derivatives in 0usize..4, force in any::<bool>(), reconfig in any::<bool>(),
        design_note in any::<bool>(),
    ) {
        let layout_rules = lanescope_model::options::LayoutRules::ALL[usize::from(design_note)];
        let derivatives = Derivatives::ALL.get(derivatives).copied();
        if size.iter().product::<u32>() <= 1024 {
            check_every_thread(size, &Options { layout_rules, ..on(derivatives, force, reconfig) });
        }
    }
}

#[test]
fn disassembles_a_swizzled_shader() {
    let source = "uint n() { return gl_LocalInvocationID.y; }
        layout(binding = 0) buffer B { uint b[]; }; void main() { b[gl_LocalInvocationIndex] = n(); }";
    let program = compute("local_size_x = 16, local_size_y = 4", source);
    let done = swizzled(&program, &on(None, true, false));
    insta::assert_snapshot!(disassemble(&done.program.modules[0].module).expect("disassembles"));
    assert_eq!(done.stages[0].built_ins, ["LocalInvocationId", "LocalInvocationIndex"]);
    assert_eq!(done.stages[0].why, "computes its ids: 8×N strips");
}

#[test]
fn uses_set_values_of_size_constants() {
    let program = compute("local_size_x_id = 0, local_size_y = 4", BODY);
    assert!(!swizzled(&program, &on(None, true, false)).stages[0].changed, "1 wide");
    let spec = BTreeMap::from([(0, SpecValue("16".to_owned()))]);
    let done = swizzled(&program, &Options { spec, ..on(None, true, false) });
    assert_eq!((done.stages[0].changed, done.stages[0].size), (true, [16, 4, 1]));
    assert_eq!(run(&done.program.modules[0].module, [16, 4, 1], 9)["gl_LocalInvocationID"], [1, 1, 0]);
}

#[test]
fn mesh_shader_remaps_only_its_local_id() {
    let mesh = "#extension GL_EXT_mesh_shader : require
        layout(local_size_x = 16, local_size_y = 4) in;
        layout(triangles, max_vertices = 64, max_primitives = 1) out;
        void main() {
            SetMeshOutputsEXT(64, 0);
            gl_MeshVerticesEXT[gl_LocalInvocationIndex].gl_Position = vec4(gl_LocalInvocationID, gl_GlobalInvocationID.x);
        }";
    let done = swizzled(&program(&[("mesh", mesh)]), &on(None, true, false));
    assert_eq!(done.stages[0].built_ins, ["LocalInvocationId"]);
    let module = &done.program.modules[0].module;
    let text = disassemble(module).expect("disassembles");
    assert!(text.contains("OpDecorate %gl_LocalInvocationIndex BuiltIn LocalInvocationIndex"), "{text}");
    assert!(text.contains("OpDecorate %gl_GlobalInvocationID BuiltIn GlobalInvocationId"), "{text}");
    assert!(text.contains("OpStore %gl_LocalInvocationID "), "{text}");
}

#[test]
fn leaves_unmoved_ids_unchanged() {
    let size = "local_size_x = 16, local_size_y = 16";
    let program = compute(size, BODY);
    for (options, why) in [
        (Options::default(), "the layout does not change the ids"),
        (
            Options { target: lanescope_model::target::Target::Gfx1200, ..on(None, true, false) },
            "gfx1200 assigns the ids",
        ),
    ] {
        let done = swizzled(&program, &options);
        assert!(done.program == program && !done.stages[0].changed && done.stages[0].why.starts_with(why));
    }
    let options = Options { group_size: Some([8, 1, 1]), group_tile: Some(4), ..Options::default() };
    let why = "the layout does not change the ids; the workgroup keeps the module's own size, 16×16×1; the swizzle of \
               workgroup ids is not part of the module";
    assert_eq!(swizzled(&program, &options).stages[0].why, why);
    let without = compute(size, "layout(binding = 0) buffer B { uint b[]; }; void main() { b[gl_WorkGroupID.x] = 1; }");
    let done = swizzled(&without, &on(None, true, false));
    assert!(done.program == without && done.stages[0].why.starts_with("reads none"));
}

#[test]
fn native_derivative_groups_follow_computed_ids() {
    let body = "layout(derivative_group_quadsNV) in; layout(binding = 0) buffer B { float b[]; };
        void main() { b[gl_LocalInvocationIndex] = dFdx(float(gl_LocalInvocationID.x)); }";
    let header = "#extension GL_NV_compute_shader_derivatives : require\n";
    let source = format!("{header}layout(local_size_x = 8, local_size_y = 8) in; {body}");
    let given = program(&[("comp", &source)]);
    assert_eq!(native_groups(&given), [Derivatives::Quads]);
    let linear = program(&[("comp", &source.replace("quadsNV", "linearNV"))]);
    assert_eq!(native_groups(&linear), [Derivatives::Linear]);
    let without = program(&[("comp", &source.replace("dFdx(", "("))]);
    assert_eq!(native_groups(&without), []);
    let done = swizzled(&given, &on(None, false, false));
    let text = disassemble(&done.program.modules[0].module).expect("disassembles");
    assert!(
        done.stages[0].changed && text.contains("DerivativeGroupLinear") && !text.contains("DerivativeGroupQuads"),
        "{text}"
    );
}

#[test]
fn names_what_cannot_be_swizzled() {
    let program = compute("local_size_x = 16, local_size_y = 16", BODY);
    let other = Options { group_size: Some([32, 8, 1]), ..on(None, true, false) };
    let error = rewrite(&program, &other).expect_err("another size").to_string();
    assert_eq!(
        error,
        "main: the workgroup size is 32x8x1 in the layout and 16x16x1 in the module; ids cannot be remapped to \
         another size"
    );
    let odd = rewrite(&compute("local_size_x = 3", BODY), &on(Some(Derivatives::Quads), false, false));
    assert!(matches!(odd, Err(RewriteError::NoLayout { .. })), "{odd:?}");
    let vertex = lanescope_testing::program(&[("vert", "void main() { gl_Position = vec4(0); }")]);
    assert_eq!(rewrite(&vertex, &Options::default()), Err(RewriteError::NoWorkgroup));
}

#[test]
fn duplicates_variable_of_two_entry_points() {
    let entry = |name: &str| {
        format!(
            "%{name} = OpFunction %void None %fn\n%{name}l = OpLabel\n%{name}i = OpLoad %uvec3 %id\nOpReturn\nOpFunctionEnd\n"
        )
    };
    let text = format!(
        "; Version: 1.3\nOpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %a \"a\" %id
         OpEntryPoint GLCompute %b \"b\" %id\nOpExecutionMode %a LocalSize 16 4 1\nOpExecutionMode %b LocalSize 16 4 1
         OpDecorate %id BuiltIn LocalInvocationId\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0
         %uvec3 = OpTypeVector %uint 3\n%in = OpTypePointer Input %uvec3\n%id = OpVariable %in Input\n{}{}",
        entry("a"),
        entry("b")
    );
    let given = program(&[("spvasm", &text)]);
    let mut alone = given.clone();
    alone.stages.truncate(1);
    for (program, changed) in [(alone, 1), (given, 2)] {
        let done = rewrite(&program, &on(None, true, false)).expect("rewrites");
        assert_eq!(done.stages.iter().filter(|stage| stage.changed).count(), changed);
        let module = &done.program.modules[0].module;
        check(module).expect("is valid");
        let is_private = |inst: &lanescope_spirv::Inst<'_>| {
            inst.op() == Some(Op::Variable) && inst.word_at(3) == StorageClass::Private as u32
        };
        assert_eq!(module.globals().filter(is_private).count(), changed, "one for each entry point that is rewritten");
    }
}
