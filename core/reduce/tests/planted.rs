//! Twenty compilers with a planted fault each: what they die of is found in programs of hundreds of instructions.

use std::fmt::Write as _;
use std::hash::DefaultHasher;

use lanescope_base::StageKind;
use lanescope_base::ids::Id;
use lanescope_glslang::{Language, NoIncludes, Source};
use lanescope_reduce::search::{Judge, Progress, Reducible as _, Stopped, reduce};
use lanescope_reduce::subject::Subject;
use lanescope_spirv::edit::ungrouped;
use lanescope_spirv::{Inst, Module};
use spirv_tools::TargetEnv;
use spirv_tools::val::{self, Validator};

/// Most instructions in functions that may be left.
const LEFT: usize = 30;

/// Numbers without a pattern that matters.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// A kernel of many functions with loops, branches, switches, shared memory and atomic operations.
fn kernel(seed: u64, functions: u64) -> String {
    let mut random = Random(seed);
    let mut text = String::from(
        "layout(local_size_x = 64) in;
         layout(binding = 0) buffer B { uint n; uint total; float b[]; };
         layout(binding = 1) uniform U { vec4 scale; mat4 m; int count; };
         layout(binding = 2, rgba8) uniform image2D image;
         shared float tile[64];\n",
    );
    for function in 0..functions {
        let _ = writeln!(text, "float f{function}(float x, float y) {{");
        let mut names = vec!["x".to_owned(), "y".to_owned()];
        for value in 0..4 + random.below(6) {
            let (a, b) = (random.below(names.len() as u64), random.below(names.len() as u64));
            let (a, b) = (&names[a as usize], &names[b as usize]);
            let expression = match random.below(7) {
                0 => format!("{a} * {b} + {value}.5"),
                1 => format!("sin({a}) * {b}"),
                2 => format!("mix({a}, {b}, 0.{})", value + 1),
                3 => format!("max({a}, {b}) - min({a}, {b})"),
                4 => format!("sqrt(abs({a})) + {b}"),
                5 => format!("mod({a}, 3.0) + fract({b})"),
                _ => format!("uintBitsToFloat(floatBitsToUint({a}) >> 3) - {b}"),
            };
            let _ = writeln!(text, "  float v{value} = {expression};");
            names.push(format!("v{value}"));
        }
        let last = &names[names.len() - 1];
        let _ = match random.below(5) {
            0 => writeln!(text, "  for (int i = 0; i < count; i++) {{ if ({last} > 3.0) x += y; else y *= 1.5; }}"),
            1 => writeln!(text, "  if ({last} > y) x += scale.x; else x -= scale.y * {last};"),
            2 => writeln!(
                text,
                "  switch (int({last}) & 3) {{ case 0: x += 1.0; break; case 1: x *= y; default: x -= y; }}"
            ),
            3 => writeln!(text, "  if ({last} > 1.0) {{ atomicAdd(total, uint(x)); }}"),
            _ => writeln!(text, "  imageStore(image, ivec2(int(x), 1), m * vec4({last}));"),
        };
        let call = if function > 0 { format!(" + f{}(y, x)", function - 1) } else { String::new() };
        let _ = writeln!(text, "  return x + y{};\n}}", if random.below(2) == 0 { call.as_str() } else { "" });
    }
    text.push_str("void main() { uint id = gl_GlobalInvocationID.x; float s = b[id];\n");
    for function in 0..functions {
        let _ = writeln!(text, "  s += f{function}(s, b[id + {function}u]);");
    }
    text.push_str(
        "  tile[gl_LocalInvocationIndex] = s; barrier(); s += tile[63u - gl_LocalInvocationIndex]; b[id] = s; }",
    );
    text
}

fn compiled(text: &str) -> Module {
    let text = format!("#version 460\n{text}");
    let env = lanescope_base::TargetEnv::Vulkan13;
    let (language, stage) = (Language::Glsl, StageKind::Compute);
    let source = Source { text: &text, language, stage, lines: false, macros: &[], env };
    let words = lanescope_glslang::compile(&source, &mut NoIncludes).expect("GLSL that compiles").words;
    let module = Module::parse(words).expect("a module");
    ungrouped(&module).expect("groups are expanded").unwrap_or(module)
}

fn is_valid(module: &Module) -> bool {
    val::create(Some(TargetEnv::Vulkan_1_4)).validate(module.words(), None).is_ok()
}

fn has(module: &Module, name: &str) -> bool {
    count(module, name) > 0
}

fn count(module: &Module, name: &str) -> usize {
    module.insts().filter(|inst| inst.name() == name).count()
}

fn calls(module: &Module, name: &str) -> bool {
    module.insts().any(|inst| module.extended_name(&inst).is_some_and(|own| own == format!("GLSL.std.450 {name}")))
}

/// Whether an instruction takes the result of one of that name.
fn takes(module: &Module, user: &str, of: &str) -> bool {
    let takes_it = |inst: &Inst<'_>| {
        let mut found = false;
        module.for_each_possible_id(inst, |id: Id| found |= module.def(id).is_some_and(|def| def.name() == of));
        found
    };
    module.insts().filter(|inst| inst.name() == user).any(|inst| takes_it(&inst))
}

/// The faults: what a module must have for the compiler to die.
type Fault = (&'static str, fn(&Module) -> bool);

const FAULTS: [Fault; 20] = [
    ("a remainder", |m| has(m, "OpFMod")),
    ("a sine and a loop", |m| calls(m, "Sin") && has(m, "OpLoopMerge")),
    ("a switch", |m| has(m, "OpSwitch")),
    ("a switch in a program with a barrier", |m| has(m, "OpSwitch") && has(m, "OpControlBarrier")),
    ("an atomic operation on what was converted", |m| takes(m, "OpAtomicIAdd", "OpConvertFToU")),
    ("an image written with a product of a matrix", |m| takes(m, "OpImageWrite", "OpMatrixTimesVector")),
    ("two loops", |m| count(m, "OpLoopMerge") >= 2),
    ("three functions", |m| m.functions().len() >= 3),
    ("a root of an absolute value", |m| calls(m, "Sqrt") && calls(m, "FAbs")),
    ("a shift of the bits of a float", |m| takes(m, "OpShiftRightLogical", "OpBitcast")),
    ("a mixture beside a fraction", |m| calls(m, "FMix") && calls(m, "Fract")),
    ("a store of a sum after a barrier", |m| has(m, "OpControlBarrier") && takes(m, "OpStore", "OpFAdd")),
    ("shared memory and an image that is written", |m| {
        has(m, "OpImageWrite") && m.insts().any(|inst| inst.name() == "OpVariable" && inst.word_at(3) == 4)
    }),
    ("a difference of a maximum and a minimum", |m| calls(m, "FMax") && calls(m, "FMin") && has(m, "OpFSub")),
    ("five selections", |m| count(m, "OpSelectionMerge") >= 5),
    ("a call with a loaded argument", |m| has(m, "OpFunctionCall") && takes(m, "OpStore", "OpLoad")),
    ("a comparison of a product", |m| {
        takes(m, "OpFOrdGreaterThan", "OpFMul") || takes(m, "OpFOrdGreaterThan", "OpLoad")
    }),
    ("a loop with a condition on a uniform", |m| has(m, "OpLoopMerge") && takes(m, "OpSLessThan", "OpLoad")),
    ("ten loads", |m| count(m, "OpLoad") >= 10),
    ("a conversion and a branch", |m| has(m, "OpConvertFToS") && has(m, "OpBranchConditional")),
];

/// Dies of one fault; the validator refuses the rest.
struct Compiler {
    dies: fn(&Module) -> bool,
    tries: u64,
}

impl Judge<Subject> for Compiler {
    fn at_once(&self) -> usize {
        2
    }

    fn first(&mut self, tries: &[Subject]) -> Result<Option<usize>, Stopped> {
        self.tries += tries.len() as u64;
        Ok(tries.iter().position(|subject| (self.dies)(&subject.modules[0]) && is_valid(&subject.modules[0])))
    }

    fn is_stopped(&self) -> bool {
        false
    }

    fn at(&mut self, _: &Progress, _: &Subject) {}
}

#[test]
fn planted_faults_are_found_with_little_around_them() {
    let mut sizes = Vec::new();
    for (number, (name, dies)) in FAULTS.into_iter().enumerate() {
        let kernels = (0..).map(|again| compiled(&kernel(100 * again + number as u64 + 1, 8 + number as u64)));
        let module = kernels.take(20).find(&dies).unwrap_or_else(|| panic!("{name}: no kernel has it"));
        let subject = Subject::new(vec![module], None, Vec::new());
        let before = subject.size().code;
        assert!((300..3000).contains(&before) && dies(&subject.modules[0]), "{name}: {before} instructions");
        let found = reduce(subject, &mut Compiler { dies, tries: 0 });
        let left = &found.best.modules[0];
        assert!(found.is_complete && is_valid(left) && dies(left), "{name}");
        assert!(!has(left, "OpUndef"), "{name}");
        let after = found.best.size().code;
        assert!(after <= LEFT, "{name}: {before} to {after} instructions");
        println!("{name}: {before} to {after} instructions, {} tries", found.progress.tries);
        sizes.push(after);
    }
    sizes.sort_unstable();
    assert!(sizes[sizes.len() / 2] <= 10, "half of them have at most ten: {sizes:?}");
}

#[test]
fn a_subject_is_what_its_edits_say() {
    let subject = Subject::new(vec![compiled(&kernel(3, 2))], Some([4, 1, 1]), vec!["0:0".to_owned()]);
    let mut hasher = DefaultHasher::new();
    subject.hash_into(&mut hasher);
    for step in subject.steps() {
        for edit in subject.edits(step) {
            if let Some(changed) = subject.with(std::slice::from_ref(&edit)) {
                assert_ne!(changed, subject, "{edit:?}");
            }
        }
    }
}
