//! SPIRV-Tools' validator, before any pass sees a module.

use spirv_tools::TargetEnv;
use spirv_tools::val::{self, Validator, ValidatorOptions};

use super::error::{InstructionPlace, Problem};
use super::{LoadOptions, Validation, accepted, effort, nesting};
use crate::findings;
use lanescope_model::program::{BrokenRule, LoadedModule, SourcePlace};
use lanescope_spirv::enums::{BuiltIn, Decoration, ExecutionMode, Op};
use lanescope_spirv::{Lines, Module, Type};

/// A rule of the validator that a module may break and still be read.
struct Tolerated {
    /// All that the validator's message contains.
    words: &'static [&'static str],
    /// The finding that it becomes.
    rule: &'static findings::Rule,
    /// Why it is tolerated; empty where the finding's own line says so.
    reason: &'static str,
    /// Whether this module breaks it in the way that is tolerated.
    applies: fn(&Module) -> bool,
    /// How the rest of the module is validated.
    rest: Rest,
}

/// How the rest of a module is validated, once the validator has stopped at a rule.
#[derive(Clone, Copy)]
enum Rest {
    /// With workgroup sizes that break no rule, and without the rules that are Vulkan's alone.
    Universal,
    /// By all rules, with the instructions that break this one replaced.
    Replaced(fn(&Module) -> Vec<u32>),
}

impl Tolerated {
    /// Whether a broken rule is this one.
    fn is(&self, broken: &BrokenRule) -> bool {
        broken.code == self.rule.code && self.words.first().is_some_and(|words| broken.message.contains(words))
    }
}

const ANY: fn(&Module) -> bool = |_| true;

/// Vulkan's specification wants 32-bit integers here, of either sign.
const EITHER_SIGN: &str = "Vulkan allows any 32-bit integer, the validator only a signed one";

const TOLERATED: &[Tolerated] = &[
    Tolerated {
        words: &["call graph with cycles"],
        rule: findings::RECURSION,
        reason: "",
        applies: ANY,
        rest: Rest::Universal,
    },
    Tolerated {
        words: &["must not have a product of zero"],
        rule: findings::SIZE_ZERO,
        reason: "",
        applies: ANY,
        rest: Rest::Universal,
    },
    Tolerated {
        words: &["BuiltIn PrimitiveId variable needs to be"],
        rule: findings::PRIMITIVE_ID_TYPE,
        reason: "",
        applies: ANY,
        rest: Rest::Universal,
    },
    Tolerated {
        words: &["VUID-Layer-Layer-10592", "is not a signed integer scalar"],
        rule: findings::TOLERATED_RULE,
        reason: EITHER_SIGN,
        applies: |module| holds_integers(module, BuiltIn::Layer),
        rest: Rest::Universal,
    },
    Tolerated {
        words: &["VUID-ViewportIndex-ViewportIndex-10601", "is not a signed integer scalar"],
        rule: findings::TOLERATED_RULE,
        reason: EITHER_SIGN,
        applies: |module| holds_integers(module, BuiltIn::ViewportIndex),
        rest: Rest::Universal,
    },
    Tolerated {
        words: &["VUID-StandaloneSpirv-None-10684", "Invalid explicit layout decorations"],
        rule: findings::TOLERATED_RULE,
        reason: "array strides and offsets of memory without a layout, such as workgroup memory, have no effect; \
                 compilers emitted them before the rule existed",
        applies: ANY,
        rest: Rest::Universal,
    },
    Tolerated {
        words: &["VUID-RuntimeSpirv-Offset-10213"],
        rule: findings::TOLERATED_RULE,
        reason: "devices with VK_KHR_maintenance8 take offsets that are not constant",
        applies: ANY,
        rest: Rest::Universal,
    },
    Tolerated {
        words: &["has not been defined", "OpSource "],
        rule: findings::TOLERATED_RULE,
        reason: "OpSource is debug information, and Slang emits it before the strings that it references",
        applies: ANY,
        rest: Rest::Replaced(with_plain_sources),
    },
    Tolerated {
        words: &["VUID-StandaloneSpirv-Flat-04744"],
        rule: findings::TOLERATED_RULE,
        reason: "inputs of SPV_AMD_shader_explicit_vertex_parameter are not interpolated, so integers need no Flat",
        applies: ANY,
        rest: Rest::Replaced(with_flat_explicit_inputs),
    },
];

/// Reads words as a module of input 0, and validates it.
///
/// Errors: words that are not a module; a module that is invalid, unless those are wanted too.
pub(super) fn loaded(words: Vec<u32>, wanted: &LoadOptions) -> Result<LoadedModule, Problem> {
    validated(Module::parse(words).map_err(Problem::Parse)?, wanted)
}

/// A module of input 0 that a compiler made of a source, with the source's lines beside it.
///
/// Errors: those of [`loaded`].
pub(super) fn compiled(
    words: Vec<u32>,
    source: String,
    place: SourcePlace,
    wanted: &LoadOptions,
) -> Result<LoadedModule, Problem> {
    let module = Module::parse(words).and_then(|module| module.with_lines_apart()).map_err(Problem::Parse)?;
    // The compiler does not name the main text.
    let lines = Lines::of(&module).with_file_named("", &place.file);
    let module = validated(module.with_lines(lines), wanted)?;
    Ok(LoadedModule { source: Some(source), source_place: Some(place), ..module })
}

fn validated(module: Module, wanted: &LoadOptions) -> Result<LoadedModule, Problem> {
    let broken_rules = match wanted.validation {
        Validation::Off => {
            limited(&module)?;
            Vec::new()
        }
        Validation::Required => validate(&module)?,
        Validation::Reported => match validate(&module) {
            Err(problem) if problem.is_invalid() => {
                let message = problem.to_string().lines().collect::<Vec<_>>().join(" ");
                vec![BrokenRule { code: findings::NOT_VALID.code.to_owned(), message, stopped: true }]
            }
            validated => validated?,
        },
    };
    Ok(LoadedModule { broken_rules, ..LoadedModule::new(0, module) })
}

/// Validates for Vulkan. Broken rules that are tolerated are returned; anything else is an error.
///
/// The validator stops at the first broken rule, so the module is then looked at again with that rule out of the way:
/// nothing that is unreadable slips through after it. What it would take too long for is not given to it.
pub(super) fn validate(module: &Module) -> Result<Vec<BrokenRule>, Problem> {
    if accepted::has(module.words()) {
        return Ok(Vec::new());
    }
    let broken = validate_anew(module)?;
    if broken.is_empty() {
        accepted::keep(module.words());
    }
    Ok(broken)
}

fn validate_anew(module: &Module) -> Result<Vec<BrokenRule>, Problem> {
    limited(module)?;
    broken_rules(module, module.words().to_vec(), |_| true)
}

/// Errors: a module that the validator, or what comes after it, would take too long or too deep a stack for.
fn limited(module: &Module) -> Result<(), Problem> {
    nesting::check(module)?;
    effort::check(module)
}

/// Validates the words that stand for a module. Broken rules that `may_break` allows are returned.
///
/// Errors: any other broken rule.
fn broken_rules(
    module: &Module,
    mut words: Vec<u32>,
    may_break: impl Fn(&Tolerated) -> bool,
) -> Result<Vec<BrokenRule>, Problem> {
    let mut broken: Vec<BrokenRule> = Vec::new();
    let mut env = TargetEnv::Vulkan_1_4;
    loop {
        let Err(error) = run(&words, env) else { return Ok(broken) };
        let message = message_of(&error);
        let is_tolerated = |row: &&Tolerated| {
            row.words.iter().all(|words| message.contains(words)) && (row.applies)(module) && may_break(row)
        };
        let row = TOLERATED.iter().find(is_tolerated).ok_or_else(|| problem(module, &error))?;
        let had_stopped = broken.iter().any(|known| known.stopped);
        if !broken.iter().any(|known| row.is(known)) {
            let first_line = message.lines().next().unwrap_or_default();
            let message =
                if row.reason.is_empty() { first_line.to_owned() } else { format!("{first_line} ({})", row.reason) };
            let stopped = matches!(row.rest, Rest::Universal) && !had_stopped;
            broken.push(BrokenRule { code: row.rule.code.to_owned(), message, stopped });
        }
        if had_stopped {
            return Ok(broken);
        }
        words = match row.rest {
            Rest::Universal => {
                env = TargetEnv::Universal_1_6;
                Module::parse(words).map(|module| with_some_size(&module)).map_err(Problem::Parse)?
            }
            Rest::Replaced(replace) => {
                let replaced = Module::parse(words.clone()).map(|module| replace(&module)).map_err(Problem::Parse)?;
                if replaced == words {
                    return Err(problem(module, &error));
                }
                replaced
            }
        };
    }
}

/// Whether all variables and members with a built-in hold 32-bit integers.
fn holds_integers(module: &Module, built_in: BuiltIn) -> bool {
    let is = |value: u32| value == built_in as u32;
    module.globals().filter_map(|inst| inst.result()).all(|id| {
        let own = module.decoration(id, None, Decoration::BuiltIn).is_some_and(is);
        let ty = module.type_of(id).and_then(|ty| module.pointee(ty));
        let members = match module.ty(id) {
            Some(Type::Struct { members }) => members,
            _ => &[],
        };
        let mut of_members = members
            .iter()
            .zip(0..)
            .filter(|(_, member)| module.decoration(id, Some(*member), Decoration::BuiltIn).is_some_and(is));
        (!own || ty.is_some_and(|ty| is_integer(module, ty)))
            && of_members.all(|(ty, _)| is_integer(module, lanescope_base::ids::Id(*ty)))
    })
}

/// Whether a type is a 32-bit integer or an array of such.
fn is_integer(module: &Module, ty: lanescope_base::ids::Id) -> bool {
    let ty = match module.ty(ty) {
        Some(Type::Array { element, .. }) => module.ty(element),
        other => other,
    };
    matches!(ty, Some(Type::Int { bits: 32, .. }))
}

/// The words with every `OpSource` reduced to its language and version, which name no id.
fn with_plain_sources(module: &Module) -> Vec<u32> {
    const PLAIN: usize = 3;
    let mut words = module.words().get(..5).unwrap_or_default().to_vec();
    for inst in module.insts() {
        match inst.op() {
            Some(Op::Source) if inst.words.len() > PLAIN => {
                words.push((PLAIN as u32) << 16 | Op::Source as u32);
                words.extend(&inst.words[1..PLAIN]);
            }
            _ => words.extend(inst.words),
        }
    }
    words
}

/// The words with `Flat` beside each `ExplicitInterpAMD` without it.
fn with_flat_explicit_inputs(module: &Module) -> Vec<u32> {
    let mut words = module.words().get(..5).unwrap_or_default().to_vec();
    for inst in module.insts() {
        words.extend(inst.words);
        let is_explicit = inst.op() == Some(Op::Decorate) && inst.word_at(2) == Decoration::ExplicitInterpAMD as u32;
        if is_explicit && !module.is_decorated(inst.id_at(1), None, Decoration::Flat) {
            words.extend([3 << 16 | Op::Decorate as u32, inst.word_at(1), Decoration::Flat as u32]);
        }
    }
    words
}

/// Validates a module that was made here: any broken rule is an error.
///
/// # Errors
/// The validator's message.
pub fn check(module: &Module) -> Result<(), String> {
    check_rewritten(module, &[])
}

/// Validates a module that a pass made of a loaded one, whose broken rules it may still break.
///
/// # Errors
/// The validator's message for any other rule.
pub fn check_rewritten(module: &Module, of_loaded: &[BrokenRule]) -> Result<(), String> {
    // Packed inputs with explicit interpolation stay so, whether or not they hold integers.
    let words = with_flat_explicit_inputs(module);
    match broken_rules(module, words, |row| of_loaded.iter().any(|broken| row.is(broken))) {
        Ok(_) => Ok(()),
        Err(Problem::Invalid { message, .. }) => Err(message),
        Err(problem) => Err(problem.to_string()),
    }
}

fn run(words: &[u32], env: TargetEnv) -> Result<(), spirv_tools::Error> {
    if lanescope_glslang::is_valid(words, env) {
        return Ok(());
    }
    // Again, for the message. What a module may assume of its pipeline is the pipeline's to say: take the widest block
    // layout.
    let options = ValidatorOptions { scalar_block_layout: true, ..ValidatorOptions::default() };
    val::create(Some(env)).validate(words, Some(options))
}

/// The words with every literal workgroup size replaced by one that breaks no rule.
fn with_some_size(module: &Module) -> Vec<u32> {
    let mut words = module.words().to_vec();
    for inst in module.insts() {
        let is_size = inst.word_at(2) == ExecutionMode::LocalSize as u32 && inst.words.len() == 6;
        if inst.op() == Some(Op::ExecutionMode) && is_size {
            let at = inst.word as usize;
            words[at + 3..at + 6].copy_from_slice(&[4, 2, 1]);
        }
    }
    words
}

fn problem(module: &Module, error: &spirv_tools::Error) -> Problem {
    let message = message_of(error);
    if let Some(opcode) = message.strip_prefix("Invalid opcode: ").and_then(|number| number.parse::<u16>().ok())
        && let Some(inst) = module.insts().find(|inst| inst.opcode() == opcode)
    {
        return Problem::UnknownOpcode { opcode, word: inst.word as usize };
    }
    // The validator counts from 1; 0 is the whole module.
    let number = error.diagnostic.as_ref().and_then(|diagnostic| diagnostic.index.checked_sub(1));
    let inst = number.and_then(|instruction| Some((instruction, module.insts().nth(instruction)?)));
    let place = inst.map(|(instruction, inst)| InstructionPlace { instruction, word: inst.word as usize });
    Problem::Invalid { place, message }
}

/// The message and, below it, what it quotes.
pub(super) fn message_of(error: &spirv_tools::Error) -> String {
    match &error.diagnostic {
        Some(diagnostic) if diagnostic.notes.trim().is_empty() => diagnostic.message.clone(),
        Some(diagnostic) => format!("{}\n{}", diagnostic.message, diagnostic.notes.trim_end()),
        None => format!("SPIRV-Tools: {}", error.inner),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spirv_tools::assembler::{Assembler, AssemblerOptions, create};

    fn words(text: &str) -> Vec<u32> {
        let assembler = create(Some(TargetEnv::Universal_1_6));
        assembler.assemble(text, AssemblerOptions::default()).expect("assembles").as_words().to_vec()
    }

    /// The codes of the rules that a text breaks, with what stopped the validator marked.
    fn broken(text: &str) -> Result<Vec<String>, String> {
        let module = Module::parse(words(text)).expect("a module");
        let broken = validate(&module).map_err(|problem| problem.to_string())?;
        Ok(broken.iter().map(|rule| format!("{}{}", rule.code, if rule.stopped { " stopped" } else { "" })).collect())
    }

    /// A compute shader with debug instructions before its types, more types, and code.
    fn compute(debug: &str, types: &str, code: &str) -> String {
        format!(
            "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" %shared\n\
             OpExecutionMode %main LocalSize 8 1 1\n{debug}%void = OpTypeVoid\n%fn = OpTypeFunction %void\n\
             %uint = OpTypeInt 32 0\n%four = OpConstant %uint 4\n%array = OpTypeArray %uint %four\n{types}\
             %p = OpTypePointer Workgroup %array\n%shared = OpVariable %p Workgroup\n\
             %main = OpFunction %void None %fn\n%l = OpLabel\n{code}OpReturn\nOpFunctionEnd\n"
        )
    }

    #[test]
    fn tolerates_layouts_of_workgroup_memory() {
        assert_eq!(broken(&compute("", "", "")), Ok(Vec::new()));
        let stride = "OpDecorate %array ArrayStride 4\n";
        assert_eq!(broken(&compute(stride, "", "")), Ok(vec!["L008 stopped".to_owned()]));
        // Nothing else slips through.
        let error = broken(&compute(stride, "", "%x = OpIAdd %uint %four %void\n")).expect_err("adds a type");
        assert!(error.contains("OpIAdd"), "{error}");
    }

    #[test]
    fn tolerates_sources_before_the_strings_that_they_name() {
        let late = "OpSource Slang 1 %file\n%file = OpString \"a.slang\"\n";
        assert_eq!(broken(&compute(late, "", "")), Ok(vec!["L008".to_owned()]));
        let both = format!("{late}OpDecorate %array ArrayStride 4\n");
        assert_eq!(broken(&compute(&both, "", "")), Ok(vec!["L008".to_owned(), "L008 stopped".to_owned()]));
        let error = broken(&compute(late, "", "%x = OpIAdd %uint %four %void\n")).expect_err("adds a type");
        assert!(error.contains("OpIAdd"), "{error}");
    }

    /// A mesh shader whose output for a layer holds that type.
    fn layers(scalar: &str) -> String {
        format!(
            "OpCapability MeshShadingEXT\nOpExtension \"SPV_EXT_mesh_shader\"\nOpMemoryModel Logical GLSL450\n\
             OpEntryPoint MeshEXT %main \"main\" %layer\nOpExecutionMode %main LocalSize 1 1 1\n\
             OpExecutionMode %main OutputVertices 3\nOpExecutionMode %main OutputPrimitivesEXT 1\n\
             OpExecutionMode %main OutputTrianglesEXT\nOpDecorate %layer BuiltIn Layer\nOpDecorate %layer PerPrimitiveEXT\n\
             %void = OpTypeVoid\n%fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%t = {scalar}\n\
             %one = OpConstant %uint 1\n%array = OpTypeArray %t %one\n%p = OpTypePointer Output %array\n\
             %layer = OpVariable %p Output\n%main = OpFunction %void None %fn\n%l = OpLabel\n\
             OpSetMeshOutputsEXT %one %one\nOpReturn\nOpFunctionEnd\n"
        )
    }

    #[test]
    fn tolerates_unsigned_layers_of_mesh_shaders_and_no_other_type() {
        assert_eq!(broken(&layers("OpTypeInt 32 1")), Ok(Vec::new()));
        let unsigned = layers("OpTypeInt 32 1").replace("%t = OpTypeInt 32 1\n", "").replace("%t ", "%uint ");
        assert_eq!(broken(&unsigned), Ok(vec!["L008 stopped".to_owned()]));
        let error = broken(&layers("OpTypeFloat 32")).expect_err("floats are not layers");
        assert!(error.contains("10592"), "{error}");
    }

    #[test]
    fn a_rewritten_module_breaks_only_what_the_loaded_one_breaks() {
        let stride = "OpDecorate %array ArrayStride 4\n";
        let module = |code: &str| Module::parse(words(&compute(stride, "", code))).expect("a module");
        let loaded = module("");
        let broken = validate(&loaded).expect("is tolerated");
        assert_eq!(check_rewritten(&loaded, &broken), Ok(()));
        let error = check(&loaded).expect_err("nothing is tolerated");
        assert!(error.contains("10684"), "{error}");
        let other = [BrokenRule { code: findings::SIZE_ZERO.code.to_owned(), ..broken[0].clone() }];
        assert_eq!(check_rewritten(&loaded, &other), Err(error));
        let error = check_rewritten(&module("%x = OpIAdd %uint %four %void\n"), &broken).expect_err("adds a type");
        assert!(error.contains("OpIAdd"), "{error}");
    }

    #[test]
    fn tolerates_offsets_that_are_not_constant() {
        let sampled = |offset: &str| {
            format!(
                "OpCapability Shader\nOpCapability ImageGatherExtended\nOpMemoryModel Logical GLSL450\n\
                 OpEntryPoint Fragment %main \"main\" %at %t\nOpExecutionMode %main OriginUpperLeft\n\
                 OpDecorate %at Location 0\nOpDecorate %at Flat\nOpDecorate %t DescriptorSet 0\n\
                 OpDecorate %t Binding 0\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n\
                 %float = OpTypeFloat 32\n%v2 = OpTypeVector %float 2\n%v4 = OpTypeVector %float 4\n\
                 %int = OpTypeInt 32 1\n%i2 = OpTypeVector %int 2\n%pi = OpTypePointer Input %i2\n\
                 %at = OpVariable %pi Input\n%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n\
                 %sampled = OpTypeSampledImage %image\n%pt = OpTypePointer UniformConstant %sampled\n\
                 %t = OpVariable %pt UniformConstant\n%half = OpConstant %float 0.5\n\
                 %uv = OpConstantComposite %v2 %half %half\n%main = OpFunction %void None %fn\n%l = OpLabel\n\
                 %o = OpLoad %i2 %at\n%s = OpLoad %sampled %t\n%x = OpImageSampleImplicitLod {offset}\n\
                 OpReturn\nOpFunctionEnd\n"
            )
        };
        assert_eq!(broken(&sampled("%v4 %s %uv Offset %o")), Ok(vec!["L008 stopped".to_owned()]));
        let error = broken(&sampled("%v4 %s %half Offset %o")).expect_err("one coordinate is too few");
        assert!(error.contains("Coordinate"), "{error}");
    }

    /// A fragment shader with an integer input.
    fn integer_input(decoration: &str) -> String {
        format!(
            "OpCapability Shader\nOpExtension \"SPV_AMD_shader_explicit_vertex_parameter\"\n\
             OpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\" %in\n\
             OpExecutionMode %main OriginUpperLeft\nOpDecorate %in Location 0\n{decoration}%void = OpTypeVoid\n\
             %fn = OpTypeFunction %void\n%int = OpTypeInt 32 1\n%p = OpTypePointer Input %int\n\
             %in = OpVariable %p Input\n%main = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n"
        )
    }

    #[test]
    fn tolerates_integers_with_explicit_interpolation_and_no_others() {
        assert_eq!(broken(&integer_input("OpDecorate %in Flat\n")), Ok(Vec::new()));
        assert_eq!(broken(&integer_input("OpDecorate %in ExplicitInterpAMD\n")), Ok(vec!["L008".to_owned()]));
        let error = broken(&integer_input("")).expect_err("interpolates an integer");
        assert!(error.contains("04744"), "{error}");
    }

    #[test]
    fn accepts_a_module_again_but_not_a_changed_one() {
        let text = compute("", "", "%x = OpIAdd %uint %four %four\n");
        assert_eq!((broken(&text), broken(&text)), (Ok(Vec::new()), Ok(Vec::new())));
        assert!(accepted::has(&words(&text)));
        let mut changed = words(&text);
        let at = changed.iter().rposition(|word| *word == 5 << 16 | Op::IAdd as u32).expect("an addition");
        changed[at + 3] = 0;
        assert!(!accepted::has(&changed));
        assert!(validate(&Module::parse(changed).expect("a module")).is_err());
    }

    #[test]
    fn opens_invalid_modules_only_on_request() {
        let text = compute("", "", "%x = OpIAdd %uint %four %void\n");
        let wanted = |validation| LoadOptions { validation, ..LoadOptions::default() };
        let loaded = |validation| loaded(words(&text), &wanted(validation));
        assert!(matches!(loaded(Validation::Required), Err(Problem::Invalid { .. })));
        let unvalidated = loaded(Validation::Off).expect("opens");
        assert_eq!(unvalidated.broken_rules, []);
        let module = loaded(Validation::Reported).expect("opens");
        assert_eq!(module.module, unvalidated.module);
        assert!(module.is_invalid());
        assert_eq!(module.broken_rules.len(), 1);
        let BrokenRule { code, message, stopped } = &module.broken_rules[0];
        assert!(code == "L006" && message.contains("OpIAdd") && *stopped, "{message}");
        // What cannot be read, and what would take too long, is still refused.
        for validation in [Validation::Reported, Validation::Off] {
            let words = vec![0x0723_0203, 0, 0, 5, 0, 0];
            assert!(matches!(super::loaded(words, &wanted(validation)), Err(Problem::Parse(_))));
        }
    }
}
