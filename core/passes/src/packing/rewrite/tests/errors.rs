//! What cannot be rewritten is reported with its instruction; broken modules do not panic.

use super::*;
use crate::packing::rewrite::RewriteError;
use lanescope_base::ids::{Bytes, Hex};
use lanescope_model::program::{Format, Input, LoadedModule, Stage};
use lanescope_spirv::Module;
use lanescope_spirv::enums::Decoration;
use proptest::prelude::*;

/// A program of modules that no validator has seen.
fn unchecked(modules: Vec<Module>) -> Program {
    let mut program = Program::default();
    for (index, module) in modules.into_iter().enumerate() {
        let path = String::new();
        program.inputs.push(Input::new(path, Format::Spirv, Bytes(0), Hex(0)));
        for (entry_index, entry) in module.entry_points().iter().enumerate().take(1) {
            let stage = entry.stage.unwrap_or(StageKind::Fragment);
            program.stages.push(Stage { stage, entry: entry.name.clone(), module: index, entry_index });
        }
        program.modules.push(LoadedModule::new(index, module));
    }
    program
}

fn assembled(text: &str) -> Vec<u32> {
    use spirv_tools::assembler::{Assembler, AssemblerOptions, create};
    let assembler = create(Some(spirv_tools::TargetEnv::Universal_1_5));
    assembler.assemble(text, AssemblerOptions::default()).expect("assembles").as_words().to_vec()
}

/// A fragment shader with an input `%a`, an output `%o`, and what is given.
fn fragment(entries: &str, annotations: &str, body: &str) -> String {
    format!(
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\" %a %o\n{entries}
         OpExecutionMode %main OriginUpperLeft\nOpName %a \"a\"\nOpDecorate %o Location 0\n{annotations}
         %void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n%vec2 = OpTypeVector %float 2
         %in = OpTypePointer Input %vec2\n%out = OpTypePointer Output %vec2\n%take = OpTypeFunction %vec2 %in
         %a = OpVariable %in Input\n%o = OpVariable %out Output\n%main = OpFunction %void None %fn\n%l = OpLabel
         {body}\nOpReturn\nOpFunctionEnd\n%f = OpFunction %vec2 None %take\n%v = OpFunctionParameter %in\n%m = OpLabel
         %x = OpLoad %vec2 %v\nOpReturnValue %x\nOpFunctionEnd\n"
    )
}

const LOCATED: &str = "OpDecorate %a Location 3";

fn error_of(words: Vec<u32>) -> String {
    let program = unchecked(vec![Module::parse(words).expect("a module")]);
    rewrite(&program, &Options::default()).expect_err("cannot be taken along").to_string()
}

#[test]
fn names_what_cannot_be_rewritten() {
    let call = error_of(assembled(&fragment("", LOCATED, "%r = OpFunctionCall %vec2 %f %a\nOpStore %o %r")));
    assert!(call.contains("OpFunctionCall") && call.contains("unsupported way"), "{call}");
    let mut opaque = assembled(&fragment("", LOCATED, "OpNop"));
    let nop = opaque.iter().position(|&word| word == 0x0001_0000).expect("the OpNop");
    opaque[nop] = 0x0001_fff0;
    let opaque = error_of(opaque);
    assert!(
        opaque.contains("fragment shader, instruction #") && opaque.contains("not in the SPIR-V grammar"),
        "{opaque}"
    );
}

#[test]
fn programs_without_a_fragment_shader_have_nothing_to_pack() {
    let vertex = program(&[("vert", "void main() { gl_Position = vec4(0); }")]);
    assert_eq!(rewrite(&vertex, &Options::default()), Err(RewriteError::NoFragment));
}

/// Without the mesh shader locations get the numbers that they have with it, and variables stay whole.
#[test]
fn per_primitive_inputs_are_rewritten_without_their_mesh_shader() {
    let body = format!(
        "#extension GL_EXT_mesh_shader : require
        {COLOUR} layout(location = 1) perprimitiveEXT flat in int c; layout(location = 2) in vec3 a;
        layout(location = 4) in float b; void main() {{ colour = vec4(a.xy, b, c); }}"
    );
    let done = rewrite(&program(&[("frag", &body)]), &Options::default()).expect("it has a place");
    let places: Vec<String> = done.map.carried.iter().map(|row| format!("{} {}", row.variable, row.to)).collect();
    assert_eq!(places, ["c 2.x", "a 0.x", "a 0.y", "b 1.x"]);
    assert!(done.map.not_carried.is_empty() && done.stored.is_none());
    let module = &done.program.modules[0].module;
    let per_primitive: Vec<_> = module.entry_points()[0]
        .interface
        .iter()
        .filter(|id| module.is_decorated(**id, None, Decoration::PerPrimitiveEXT))
        .map(|id| module.decoration(*id, None, Decoration::Location))
        .collect();
    assert_eq!(per_primitive, [Some(2)]);
}

#[test]
fn captured_narrow_outputs_are_not_widened() {
    let vertex = "layout(location = 0, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 4) out f16vec2 a;
        void main() { gl_Position = vec4(0); a = f16vec2(1); }";
    let body = format!("{COLOUR} layout(location = 0) in f16vec2 a; void main() {{ colour = vec4(a, a); }}");
    let error = rewrite(&program(&[("vert", vertex), ("frag", &body)]), &widening()).expect_err("is captured");
    assert_eq!(error, RewriteError::Captured { variable: "a".to_owned() });
}

/// What is captured moves after what is packed, as far as there are locations.
#[test]
fn captured_outputs_do_not_move_past_the_last_location() {
    let pair = |count: u32| {
        let each = |text: &dyn Fn(u32) -> String| (0..count).map(text).collect::<String>();
        let outputs = each(&|n| {
            let (buffer, offset) = (n / 10, n % 10 * 16);
            let captured = format!("xfb_buffer = {buffer}, xfb_stride = 160, xfb_offset = {offset}");
            format!("layout(location = {n}, {captured}) out vec4 v{n};")
        });
        let stores = each(&|n| format!("v{n} = vec4({n});"));
        let inputs = each(&|n| format!("layout(location = {n}) in vec4 v{n};"));
        let reads = each(&|n| format!("colour += v{n};"));
        let vertex = format!("{outputs} void main() {{ gl_Position = vec4(0); {stores} }}");
        let body = format!("{COLOUR} {inputs} void main() {{ colour = vec4(0); {reads} }}");
        program(&[("vert", &vertex), ("frag", &body)])
    };
    let fits = rewrite(&pair(16), &Options::default()).expect("16 and 16 fit");
    assert_eq!(fits.map.kept.last().map(|kept| kept.to.0), Some(31));
    let error = rewrite(&pair(17), &Options::default()).expect_err("17 and 17 do not");
    assert_eq!(error, RewriteError::NoRoom { variable: "v15".to_owned(), location: 32 });
}

const VERTEX: &str = "layout(location = 0) out vec4 a; layout(location = 1) out B { mat2x3 m; flat int i; } b;
    void main() { a = gl_Position = vec4(1); a[gl_VertexIndex] = 2; b.m[1].z = 1; b.i = 3; }";
const FRAGMENT: &str = "layout(location = 0) in vec4 a; layout(location = 1) in B { mat2x3 m; flat int i; } b;
    layout(location = 5) in f16vec2 arr[3]; layout(location = 0) out vec4 o;
    void main() { o = interpolateAtSample(a, b.i) + vec4(arr[b.i], b.m[1].xy) + interpolateAtCentroid(a)[b.i]; }";

thread_local! {
    static WORDS: [Vec<u32>; 2] = {
        let program = program(&[("vert", VERTEX), ("frag", FRAGMENT)]);
        [0, 1].map(|module| program.modules[module].module.words().to_vec())
    };
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    /// Words that are not a valid module neither panic nor hang.
    #[test]
    fn rewrites_or_rejects_broken_modules(
        changes in prop::collection::vec(any::<(u32, u32, bool)>(), 1..8), side in 0usize..2, widen in any::<bool>(),
    ) {
        let mut words = WORDS.with(Clone::clone);
        for (at, value, by_bit) in changes {
            let at = 5 + at as usize % (words[side].len() - 5);
            let word = words[side][at];
            words[side][at] = if by_bit { word ^ 1 << (value & 31) } else { value & 0x1ff };
        }
        let modules: Result<Vec<Module>, _> = words.into_iter().map(Module::parse).collect();
        if let Ok(modules) = modules {
            let program = unchecked(modules);
            if let Ok(done) = rewrite(&program, &Options { widen, ..Options::default() }) {
                prop_assert_eq!(done.program.modules.len(), program.modules.len());
            }
        }
    }
}
