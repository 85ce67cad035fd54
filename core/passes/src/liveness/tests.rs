//! Liveness of GLSL shaders, and of broken modules, which must not panic.

use proptest::prelude::*;

use super::{Liveness, Stages};
use crate::packing::Linkage;
use lanescope_base::ids::{Bytes, Hex};
use lanescope_model::options::{Options, PackingOrder};
use lanescope_model::program::{Format, Input, LoadedModule, Program, Stage, StageKind};
use lanescope_spirv::Module;
use lanescope_spirv::enums::{Op, StorageClass};
use lanescope_testing::glsl;

const HEAD: &str = "
    layout(location = 0) in vec4 a; layout(location = 1) in vec4 b; layout(location = 2) in mat2x3 m;
    layout(location = 4) flat in int i; layout(location = 5) in vec2 arr[3];
    layout(location = 0) out vec4 o; layout(location = 1) out vec4 p;
    layout(constant_id = 0) const bool on = false; layout(constant_id = 1) const int which = -2;
    float pick(vec4 v, out float second) { second = v.w; return v.y; }
    vec4 even(vec4 v, int n) { return n == 0 ? v : v.yxwz; }
    void turn(inout vec4 v) { v = v.yzwx; }
    void clear(inout vec4 v, float by) { if (i > 0) { v.y = by; return; } v.y = 0.0; }
    vec4 kept;
    void store() { if (i > 0) { kept.z = b.z; } else { kept.z = 0.0; } }
    vec4 twice(vec4 v) { turn(v); return even(v, 1).yxwz; }
    void kill() { discard; }
    void main() {";

/// Uses of the inputs: `name: leaves`, by name.
fn used(body: &str) -> String {
    let module = glsl(StageKind::Fragment, &format!("{HEAD} {body} }}"));
    let live = Liveness::of(&module, &module.entry_points()[0]);
    let name = |id| module.name(id).unwrap_or("?").to_owned();
    let leaves = live.uses().leaves.iter();
    let mut out: Vec<String> =
        leaves.map(|(&id, set)| format!("{}: {:?}", name(id), set.iter().collect::<Vec<_>>())).collect();
    out.sort();
    out.join(", ")
}

#[test]
fn follows_inputs_leaf_by_leaf() {
    let rows = [
        ("o = a.xxzz;", "a: [0, 2]"),
        ("o = vec4(m[1].y);", "m: [4]"),
        ("o = vec4((m * vec2(1)).z);", "m: [2, 5]"),
        ("o = vec4(cross(a.xyz, vec3(1)).x);", "a: [1, 2]"),
        ("vec4 dead = a; o = b;", "b: [0, 1, 2, 3]"),
        ("o = vec4(1); p = a; p = vec4(1);", "a: [0, 1, 2, 3]"),
        // Through calls, values and memory.
        ("float w; o = vec4(pick(a, w)); ", "a: [1]"),
        ("float w; pick(a, w); o = vec4(w);", "a: [3]"),
        ("o = vec4(even(a, i).x);", "a: [0, 1], i: [0]"),
        // Through locals: with constants by element, else as a whole; an index counts where its store does.
        ("vec2 l[2]; l[0] = a.xy; l[1] = b.xy; o = vec4(l[1].x);", "b: [0]"),
        ("vec2 l[2]; l[0] = a.xy; l[1] = b.xy; o = vec4(l[i].x);", "a: [0, 1], b: [0, 1], i: [0]"),
        ("vec2 l[2]; l[i] = a.xy; o = vec4(l[1].x);", "a: [0, 1], i: [0]"),
        ("vec2 l[2]; l[i] = a.xy; o = vec4(1);", ""),
        ("o = vec4(arr[i].x);", "arr: [0, 1, 2, 3, 4, 5], i: [0]"),
        ("o = vec4(interpolateAtOffset(arr[i], vec2(0)).y);", "arr: [1, 3, 5], i: [0]"),
        // Blocks that cannot run give nothing, not even to a phi.
        ("o = b; if (on) { o = a; }", "b: [0, 1, 2, 3]"),
        ("o = on ? a : b;", "a: [0, 1, 2, 3], b: [0, 1, 2, 3]"),
        ("o = vec4(on && a.x > 0.0 ? 1 : 0);", ""),
        ("switch (which) { case -2: o = a; break; case 3: o = b; break; default: o = vec4(i); }", "a: [0, 1, 2, 3]"),
        // Each call for itself, as if it were inlined.
        ("o = vec4(even(a, 0).x, even(b, 0).w, 0, 0);", "a: [0, 1], b: [2, 3]"),
        ("vec4 s = a; turn(s); vec4 t = b; turn(t); o = vec4(s.x, t.y, 0, 0);", "a: [1], b: [2]"),
        ("o = vec4(twice(a).x, twice(b).z, 0, 0);", "a: [1, 2], b: [0, 3]"),
        ("vec4 v = a; clear(v, 1); o = v;", "a: [0, 2, 3], i: [0]"),
        ("kept = a; kept.x = 1; store(); o = vec4(kept.xyz, 1);", "a: [1], b: [2], i: [0]"),
        // A load sees the stores before it, on whichever way it is reached.
        ("vec4 v = a; v.w = 1; o = v;", "a: [0, 1, 2]"),
        ("vec4 v = a; o = v; v = b; p = v.xxxx;", "a: [0, 1, 2, 3], b: [0]"),
        ("vec4 v = a; if (i > 0) { v.x = b.x; } else { v.xy = b.zw; } o = v;", "a: [1, 2, 3], b: [0, 2, 3], i: [0]"),
        ("vec4 v = a; for (int n = 0; n < 3; ++n) { o += v.x; v.x = b.y; }", "a: [0], b: [1]"),
        ("vec4 v = a; for (int n = 0; n < 3; ++n) { v.x = b.y; o += v.x; }", "b: [1]"),
        ("vec4 v; if (i > 0) { v = a; o = v; return; } v = b; o = v.yyyy;", "a: [0, 1, 2, 3], b: [1], i: [0]"),
        ("vec2 l[2]; l[0] = a.xy; l[1] = b.xy; l[0].x = 1; o = vec4(l[0], l[i]);", "a: [0, 1], b: [0, 1], i: [0]"),
        ("if (a.w > 0) { o = b; }", "a: [3], b: [0, 1, 2, 3]"),
    ];
    for (body, expected) in rows {
        assert_eq!(used(body), expected, "{body}");
    }
}

/// A case's literal is a number, whichever id has the same one: a dead load's, a dead resource's.
#[test]
fn switch_literals_are_not_uses() {
    let cases: String = (0..400).map(|literal| format!("case {literal}: ")).collect();
    assert_eq!(used(&format!("vec4 dead = b; switch (i) {{ {cases} o = a.xxxx; }}")), "a: [0], i: [0]");
    let source = format!(
        "layout(binding = 0) uniform U {{ float dead; }} u; layout(binding = 1) buffer B {{ int i; }} b;
         void main() {{ float dead = u.dead; switch (b.i) {{ {cases} b.i = 1; }} }}"
    );
    let module = glsl(StageKind::Compute, &source);
    let live = Liveness::of(&module, &module.entry_points()[0]);
    assert_eq!(live.variables(StorageClass::Uniform), [].into());
    assert_eq!(live.variables(StorageClass::StorageBuffer).len(), 1);
}

/// Calls that would be inlined 2^24 times over share frames: an answer on the safe side, at once.
#[test]
fn repeated_calls_share_frames() {
    let mut source = "layout(location = 0) in vec4 a; layout(location = 1) in vec4 b; layout(location = 0) out vec4 o;
        vec4 f0(vec4 v) { return v.yxzw; }"
        .to_owned();
    for n in 1..=24 {
        source += &format!("vec4 f{n}(vec4 v) {{ vec4 s = f{0}(v); s.w = 0.0; return s + f{0}(v.zwxy); }}", n - 1);
    }
    let body = "void main() { o = vec4(f0(a).x, f24(b).w, 0, 0); }";
    let module = glsl(StageKind::Fragment, &format!("{source} {body}"));
    let live = Liveness::of(&module, &module.entry_points()[0]);
    let leaves: Vec<Vec<u32>> = live.uses().leaves.values().map(|set| set.iter().collect()).collect();
    assert_eq!((leaves.len(), &leaves[0][..]), (2, &[1][..]), "a call of its own is exact");
    assert!(leaves[1].contains(&3), "exact would be 3 alone: {leaves:?}");
}

/// `discard`, images and workgroup memory that cannot run or that nothing depends on are gone.
#[test]
fn finds_remaining_instructions() {
    let ops = |body: &str| {
        let module = glsl(StageKind::Fragment, &format!("layout(binding = 0) uniform sampler2D s; {HEAD} {body} }}"));
        let live = Liveness::of(&module, &module.entry_points()[0]);
        let any = |wanted: &[Op]| live.insts().any(|inst| inst.op().is_some_and(|op| wanted.contains(&op)));
        let kills = any(&[Op::Kill, Op::TerminateInvocation, Op::DemoteToHelperInvocation]);
        (kills, any(&[Op::ImageSampleImplicitLod]))
    };
    assert_eq!(ops("kill(); o = texture(s, a.xy);"), (true, true));
    assert_eq!(ops("if (on) { kill(); } o = vec4(1);"), (false, false));
    assert_eq!(ops("vec4 dead = texture(s, a.xy); o = vec4(1);"), (false, false));
    let shared = |body: &str| {
        let source = format!(
            "shared uint kept[2]; shared uint gone[4]; layout(constant_id = 0) const bool on = false;
             layout(binding = 0) buffer B {{ uint b; }}; void main() {{ {body} }}"
        );
        let module = glsl(StageKind::Compute, &source);
        let live = Liveness::of(&module, &module.entry_points()[0]);
        live.variables(StorageClass::Workgroup).len()
    };
    assert_eq!(shared("kept[b] = 1; b = kept[0]; gone[b] = 2;"), 2);
    assert_eq!(shared("kept[b] = 1; b = kept[0]; uint dead = gone[0]; if (on) { gone[b] = 2; }"), 1);
}

#[test]
fn counts_writes_in_reachable_blocks_and_loads_in_all() {
    let source = format!("{HEAD} if (on) {{ o = vec4(gl_SampleID); }} p.x = 1; p[i] = 2; }}");
    let module = glsl(StageKind::Fragment, &source);
    let live = Liveness::of(&module, &module.entry_points()[0]);
    let writes = live.writes();
    let writes: Vec<_> = writes.iter().map(|w| (module.name(w.variable).unwrap_or("?"), &w.path[..])).collect();
    assert_eq!(writes, [("p", &[super::Step::At(0)][..]), ("p", &[super::Step::Any][..])]);
    let met = live.met_inputs();
    let mut met: Vec<&str> = met.keys().filter_map(|&id| module.name(id)).collect();
    met.sort_unstable();
    assert_eq!(met, ["gl_SampleID", "i"]);
}

/// The input of an interpolation function is read plainly only where a load reads it too.
#[test]
fn distinguishes_plain_reads_from_interpolation() {
    let source = "layout(location = 0) in vec4 a; layout(location = 0) out vec4 o;
        void main() { o = interpolateAtCentroid(a).xyzz; o.x += a.w; vec4 dead = a; }";
    let module = glsl(StageKind::Fragment, source);
    let live = Liveness::of(&module, &module.entry_points()[0]);
    let leaves = |sets: &std::collections::BTreeMap<lanescope_base::ids::Id, super::LeafSet>| {
        sets.values().flat_map(|set| set.iter().collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    assert_eq!(leaves(&live.uses().plain), [3]);
    assert_eq!(leaves(&live.uses().at_centroid), [0, 1, 2]);
    assert_eq!(leaves(&live.uses().leaves), [0, 1, 2, 3]);
}

fn assembled(text: &str) -> Vec<u32> {
    use spirv_tools::assembler::{Assembler, AssemblerOptions, create};
    let assembler = create(Some(spirv_tools::TargetEnv::Universal_1_5));
    assembler.assemble(text, AssemblerOptions::default()).expect("assembles").as_words().to_vec()
}

/// A composite of many parts, at once and part by part, of which every second part is used one after the other: the
/// parts between them are not, and nothing is looked at again for each part.
#[test]
fn follows_large_composites_by_part_in_linear_time() {
    const PARTS: usize = 4000;
    let part = |at: usize| if at.is_multiple_of(2) { "%x" } else { "%y" };
    let parts: Vec<&str> = (0..PARTS).map(part).collect();
    let whole = format!("%c{PARTS} = OpCompositeConstruct %many {}\n", parts.join(" "));
    let insert = |at: usize| format!("%c{} = OpCompositeInsert %many {} %c{at} {at}\n", at + 1, part(at));
    let inserted = format!("%c0 = OpUndef %many\n{}", (0..PARTS).map(insert).collect::<String>());
    for made in [whole, inserted] {
        let used = |at: usize| format!("%e{at} = OpCompositeExtract %float %c{PARTS} {at}\nOpStore %o %e{at}\n");
        let used: String = (0..PARTS).step_by(2).map(used).collect();
        let module = Module::parse(assembled(&format!(
            "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\" %a %o
             OpExecutionMode %main OriginUpperLeft\n%void = OpTypeVoid\n%fn = OpTypeFunction %void
             %float = OpTypeFloat 32\n%vec2 = OpTypeVector %float 2\n%uint = OpTypeInt 32 0
             %length = OpConstant %uint {PARTS}\n%many = OpTypeArray %float %length
             %in = OpTypePointer Input %vec2\n%out = OpTypePointer Output %float\n%a = OpVariable %in Input
             %o = OpVariable %out Output\n%main = OpFunction %void None %fn\n%l = OpLabel
             %v = OpLoad %vec2 %a\n%x = OpCompositeExtract %float %v 0\n%y = OpCompositeExtract %float %v 1
             {made}{used}OpReturn\nOpFunctionEnd\n"
        )));
        let module = module.expect("a module");
        let live = Liveness::of(&module, &module.entry_points()[0]);
        let leaves: Vec<Vec<u32>> = live.uses().leaves.values().map(|set| set.iter().collect()).collect();
        assert_eq!(leaves, [[0]]);
    }
}

/// An input that is passed as a pointer parameter, and an instruction without grammar: readable, but not valid.
#[test]
fn is_conservative_for_odd_modules() {
    let text = |body: &str| {
        let text = format!(
            "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\" %a %o
             OpExecutionMode %main OriginUpperLeft\n%void = OpTypeVoid\n%fn = OpTypeFunction %void
             %float = OpTypeFloat 32\n%vec2 = OpTypeVector %float 2\n%in = OpTypePointer Input %vec2
             %out = OpTypePointer Output %vec2\n%take = OpTypeFunction %vec2 %in\n%a = OpVariable %in Input
             %o = OpVariable %out Output\n%main = OpFunction %void None %fn\n%l = OpLabel\n{body}
             OpReturn\nOpFunctionEnd\n%f = OpFunction %vec2 None %take\n%v = OpFunctionParameter %in\n%m = OpLabel
             %x = OpLoad %vec2 %v\nOpReturnValue %x\nOpFunctionEnd\n"
        );
        assembled(&text)
    };
    let leaves = |words: Vec<u32>| {
        let module = Module::parse(words).expect("a module");
        let live = Liveness::of(&module, &module.entry_points()[0]);
        let uses = live.uses();
        (uses.leaves.values().map(|set| set.iter().count()).collect::<Vec<_>>(), uses.opaque.is_some())
    };
    assert_eq!(leaves(text("%r = OpFunctionCall %vec2 %f %a\nOpStore %o %r")), (vec![2], false));
    assert_eq!(leaves(text("%r = OpFunctionCall %vec2 %f %a")), (vec![], false));
    let mut opaque = text("OpNop");
    let nop = opaque.iter().position(|&word| word == 0x0001_0000).expect("the OpNop");
    opaque[nop] = 0x0001_fff0;
    assert_eq!(leaves(opaque), (vec![2], true));
}

fn program(modules: [(StageKind, Module); 2]) -> Program {
    let mut program = Program::default();
    for (input, (stage, module)) in modules.into_iter().enumerate() {
        let file = Input::new(String::new(), Format::Spirv, Bytes(0), Hex(0));
        let entry = module.entry_points().first().map(|entry| entry.name.clone()).unwrap_or_default();
        program.inputs.push(file);
        program.modules.push(LoadedModule::new(input, module));
        program.stages.push(Stage { stage, entry, module: input, entry_index: 0 });
    }
    program
}

thread_local! {
    static FRAGMENT: Vec<u32> = glsl(StageKind::Fragment, &format!(
        "{HEAD} vec2 l[2]; l[i] = a.xy; l[1] = m[0].yz; float w = 0;
         for (int n = 0; n < i; n++) {{ w += pick(even(b, n), w) + modf(a.x, w); }}
         switch (which) {{ case 1: o = mat4(w)[i]; break; default: o = vec4(transpose(m)[1], l[i]); }}
         p = interpolateAtSample(a, i) + vec4(interpolateAtOffset(arr[i], l[0]), arr[2]); if (on) {{ kill(); }} }}"
    )).words().to_vec();
    static VERTEX: Vec<u32> = glsl(StageKind::Vertex,
        "layout(location = 0) out vec4 a; layout(location = 1) out B { mat2x3 m; flat int i; } b;
         void main() { a = gl_Position = vec4(1); a[gl_VertexIndex] = 2; b.m[1].z = 1; b.i = 3; }").words().to_vec();
}

/// Overwrites words: with small numbers, which are ids, opcodes or counts, or by one bit.
fn broken(mut words: Vec<u32>, changes: &[(u32, u32, bool)]) -> Option<Module> {
    for &(at, value, by_bit) in changes {
        let at = 5 + at as usize % (words.len() - 5);
        words[at] = if by_bit { words[at] ^ 1 << (value & 31) } else { value & 0x1ff };
    }
    Module::parse(words).ok()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    /// Words that are not a valid module neither panic nor hang, alone or as a pipeline.
    #[test]
    fn broken_modules_do_not_panic(
        changes in prop::collection::vec(any::<(u32, u32, bool)>(), 1..8), of_vertex in any::<bool>(),
    ) {
        let (vertex, fragment) = (VERTEX.with(Clone::clone), FRAGMENT.with(Clone::clone));
        let changed = broken(if of_vertex { vertex.clone() } else { fragment.clone() }, &changes);
        if let Some(changed) = changed {
            for entry in changed.entry_points() {
                let live = Liveness::of(&changed, entry);
                prop_assert!(live.insts().count() <= changed.len());
                live.writes();
                live.met_inputs();
                live.variables(StorageClass::Uniform);
            }
            let whole = |words| Module::parse(words).expect("a whole module");
            let (vertex, fragment) =
                if of_vertex { (changed, whole(fragment)) } else { (whole(vertex), changed) };
            let program = program([(StageKind::Vertex, vertex), (StageKind::Fragment, fragment)]);
            let options = Options::default();
            if let Some(linkage) = Linkage::of(&Stages::of(&program), options.producer) {
                let packing = linkage.pack(&options);
                linkage.findings(&options, &packing);
                linkage.unpacked(&packing);
                linkage.pack(&Options { order: PackingOrder::DesignNote, ..options.clone() });
            }
        }
    }
}
