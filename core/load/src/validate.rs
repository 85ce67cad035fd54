//! SPIRV-Tools' validator, before any pass sees a module.

use spirv_tools::TargetEnv;
use spirv_tools::val::{self, Validator as _, ValidatorOptions};

use super::error::{InstructionPlace, Problem};
use super::spirv_val::{Said, Validator};
use super::tolerated::{Replaced, Rest, TOLERATED, Tolerated, with_flat_explicit_inputs, with_some_size};
use super::{LoadOptions, Validation, accepted, effort, nesting};
use crate::findings;
use lanescope_model::program::{BrokenRule, LoadedModule, SourcePlace, Validity};
use lanescope_spirv::{Lines, Module};

/// Reads words as a module of input 0, and validates it.
///
/// Errors: words that are not a module; a module that is invalid or takes the validator too long, unless those are wanted
/// too.
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
    let by = Validator::of(wanted.validator.as_deref())?;
    let broken_rules = match wanted.validation {
        Validation::Off => {
            nesting::check(&module)?;
            Vec::new()
        }
        Validation::Required => validate(&module, &by)?,
        Validation::Reported => match validate(&module, &by) {
            Err(problem) if problem.is_invalid() => {
                let message = problem.to_string().lines().collect::<Vec<_>>().join(" ");
                vec![BrokenRule { code: findings::NOT_VALID.code.to_owned(), message, stopped: true }]
            }
            Err(problem) if problem.is_effort() => {
                let message = format!("not validated: {problem}");
                vec![BrokenRule { code: findings::NOT_VALID.code.to_owned(), message, stopped: false }]
            }
            validated => validated?,
        },
    };
    let validator = by.path().filter(|_| wanted.validation != Validation::Off);
    Ok(LoadedModule { broken_rules, validator, ..LoadedModule::new(0, module) })
}

/// Validates for Vulkan. Broken rules that are tolerated are returned; anything else is an error.
///
/// The validator stops at the first broken rule, so the module is then looked at again with that rule out of the way:
/// nothing that is unreadable slips through after it. What it would take too long for is not given to it.
pub(super) fn validate(module: &Module, by: &Validator) -> Result<Vec<BrokenRule>, Problem> {
    let identity = by.identity();
    if accepted::has(module.words(), &identity) {
        return Ok(Vec::new());
    }
    let broken = validate_anew(module, by)?;
    if broken.is_empty() {
        accepted::keep(module.words(), identity);
    }
    Ok(broken)
}

fn validate_anew(module: &Module, by: &Validator) -> Result<Vec<BrokenRule>, Problem> {
    nesting::check(module)?;
    effort::check(module)?;
    broken_rules(module, Replaced::nothing(module), by, |_| true)
}

/// Validates the words that stand for a module. Broken rules that `may_break` allows are returned.
///
/// Errors: any other broken rule.
fn broken_rules(
    module: &Module,
    replaced: Replaced,
    by: &Validator,
    may_break: impl Fn(&Tolerated) -> bool,
) -> Result<Vec<BrokenRule>, Problem> {
    let mut broken: Vec<BrokenRule> = Vec::new();
    // The words, and whether the validator has stopped at a rule of Vulkan's before.
    let mut work = vec![(replaced, false)];
    while let Some((replaced, had_stopped)) = work.pop() {
        let Err(error) = run(&replaced.words, !had_stopped, by)? else { continue };
        let message = &error.message;
        let is_tolerated = |row: &&Tolerated| {
            row.words.iter().all(|words| message.contains(words)) && (row.applies)(module) && may_break(row)
        };
        let problem = || problem(module, &replaced, &error, by);
        let row = TOLERATED.iter().find(is_tolerated).ok_or_else(problem)?;
        let parsed = Module::parse(replaced.words.clone()).map_err(Problem::Parse)?;
        let parts = match row.rest {
            Rest::Universal => Vec::new(),
            Rest::Replaced(replace) => replace(&parsed),
        };
        let stops = parts.is_empty() && !had_stopped;
        if !broken.iter().any(|known| row.is(known)) {
            let code = row.rule.code.to_owned();
            let message = row.message(message);
            let message = by.about().map(|about| format!("{about}: {message}")).unwrap_or(message);
            broken.push(BrokenRule { code, message, stopped: stops });
        }
        if had_stopped {
            continue;
        }
        let parts = if stops { vec![with_some_size(&parsed)] } else { parts };
        if !stops && parts.iter().any(|part| part.words == replaced.words) {
            return Err(problem());
        }
        // The first one is validated first.
        work.extend(parts.into_iter().rev().map(|part| (part.of(&replaced), stops)));
    }
    Ok(broken)
}

/// Validates a module that was made here: any broken rule is an error.
///
/// # Errors
/// The validator's message.
pub fn check(module: &Module) -> Result<(), String> {
    check_rewritten(module, &Validity::default())
        .map_err(|(NotAccepted::Invalid(why) | NotAccepted::NotValidated(why))| why)
}

/// Why a module that a pass made is not used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotAccepted {
    /// It breaks a rule; the validator's message.
    #[error("internal error: the rewritten module is not valid SPIR-V: {0}")]
    Invalid(String),
    /// The validator cannot be used any more, or would take too long; and why.
    #[error("the rewritten module is not validated: {0}")]
    NotValidated(String),
}

/// Validates a module that a pass made of a loaded one, by the same validator. It may still break the rules that the
/// loaded one breaks.
///
/// # Errors
/// Any other broken rule; a validator that cannot be used any more; a module that would take it too long.
pub fn check_rewritten(module: &Module, of_loaded: &Validity) -> Result<(), NotAccepted> {
    // Packed inputs with explicit interpolation stay so, whether or not they hold integers.
    let replaced = with_flat_explicit_inputs(module);
    let may_break = |row: &Tolerated| of_loaded.broken_rules.iter().any(|broken| row.is(broken));
    let by = Validator::of(of_loaded.validator.as_deref());
    let by = by.map_err(|problem| NotAccepted::NotValidated(problem.to_string()))?;
    effort::check(module).map_err(|problem| NotAccepted::NotValidated(problem.to_string()))?;
    broken_rules(module, replaced, &by, may_break).map(|_| ()).map_err(|problem| match problem {
        Problem::Invalid { message, .. } => NotAccepted::Invalid(message),
        problem if problem.is_of_validator() => NotAccepted::NotValidated(problem.to_string()),
        problem => NotAccepted::Invalid(problem.to_string()),
    })
}

/// Runs a validator, by Vulkan's rules too where they are wanted.
///
/// Errors: an executable that does not say whether the words are valid.
fn run(words: &[u32], of_vulkan: bool, by: &Validator) -> Result<Result<(), Said>, Problem> {
    match by {
        Validator::BuiltIn => Ok(run_built_in(words, of_vulkan)),
        Validator::Tool(tool) => tool.validate(words, of_vulkan),
    }
}

fn run_built_in(words: &[u32], of_vulkan: bool) -> Result<(), Said> {
    let env = if of_vulkan { TargetEnv::Vulkan_1_4 } else { TargetEnv::Universal_1_6 };
    if lanescope_glslang::is_valid(words, env) {
        return Ok(());
    }
    // Again, for the message. What a module may assume of its pipeline is the pipeline's to say: take the widest block
    // layout.
    let options = ValidatorOptions { scalar_block_layout: true, ..ValidatorOptions::default() };
    val::create(Some(env)).validate(words, Some(options)).map_err(|error| Said {
        number: error.diagnostic.as_ref().map_or(0, |diagnostic| diagnostic.index),
        message: message_of(&error),
    })
}

/// What the validator says of the words that stand for a module, at the module's own instruction.
fn problem(module: &Module, replaced: &Replaced, error: &Said, by: &Validator) -> Problem {
    let message = error.message.clone();
    if let Some(opcode) = message.strip_prefix("Invalid opcode: ").and_then(|number| number.parse::<u16>().ok())
        && let Some(inst) = module.insts().find(|inst| inst.opcode() == opcode)
    {
        return Problem::UnknownOpcode { opcode, word: inst.word as usize };
    }
    // The validator counts from 1; 0 is the whole module.
    let number = error.number.checked_sub(1);
    let inst = number.and_then(|number| module.insts().nth(*replaced.origin.get(number)? as usize));
    let place = inst.map(|inst| InstructionPlace { instruction: inst.index.0 as usize, word: inst.word as usize });
    Problem::Invalid { by: by.about().map(str::to_owned), place, message }
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
    use lanescope_spirv::enums::Op;
    use spirv_tools::assembler::{Assembler, AssemblerOptions, create};

    fn words(text: &str) -> Vec<u32> {
        let assembler = create(Some(TargetEnv::Universal_1_6));
        assembler.assemble(text, AssemblerOptions::default()).expect("assembles").as_words().to_vec()
    }

    /// The codes of the rules that a text breaks, with what stopped the validator marked.
    fn broken(text: &str) -> Result<Vec<String>, String> {
        let module = Module::parse(words(text)).expect("a module");
        let broken = validate(&module, &Validator::BuiltIn).map_err(|problem| problem.to_string())?;
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
        let broken_rules = validate(&loaded, &Validator::BuiltIn).expect("is tolerated");
        let broken = Validity { broken_rules, validator: None };
        assert_eq!(check_rewritten(&loaded, &broken), Ok(()));
        let error = check(&loaded).expect_err("nothing is tolerated");
        assert!(error.contains("10684"), "{error}");
        let other = BrokenRule { code: findings::SIZE_ZERO.code.to_owned(), ..broken.broken_rules[0].clone() };
        let other = Validity { broken_rules: vec![other], validator: None };
        assert_eq!(check_rewritten(&loaded, &other), Err(NotAccepted::Invalid(error)));
        let error = check_rewritten(&module("%x = OpIAdd %uint %four %void\n"), &broken).expect_err("adds a type");
        assert!(matches!(&error, NotAccepted::Invalid(why) if why.contains("OpIAdd")), "{error}");
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

    /// A mesh shader with indices of triangles in an array of so many, more entry points with their modes, and the code of
    /// a fragment shader in the same module.
    fn mesh_and_more(modes: &str, more: &str, code: &str) -> String {
        format!(
            "OpCapability MeshShadingEXT\nOpExtension \"SPV_EXT_mesh_shader\"\nOpMemoryModel Logical GLSL450\n\
             OpEntryPoint MeshEXT %main \"main\" %indices\nOpEntryPoint Fragment %fs \"fs\"\n{more}\
             OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %main OutputVertices 3\n\
             {modes}OpExecutionMode %fs OriginUpperLeft\n\
             OpDecorate %indices BuiltIn PrimitiveTriangleIndicesEXT\n\
             OpDecorate %two_indices BuiltIn PrimitiveTriangleIndicesEXT\n\
             OpDecorate %lines BuiltIn PrimitiveLineIndicesEXT\n\
             %void = OpTypeVoid\n%fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%v3uint = OpTypeVector %uint 3\n\
             %v2uint = OpTypeVector %uint 2\n%one = OpConstant %uint 1\n%two = OpConstant %uint 2\n\
             %array = OpTypeArray %v3uint %one\n%p = OpTypePointer Output %array\n\
             %indices = OpVariable %p Output\n%two_array = OpTypeArray %v3uint %two\n\
             %two_p = OpTypePointer Output %two_array\n%two_indices = OpVariable %two_p Output\n\
             %line_array = OpTypeArray %v2uint %one\n%line_p = OpTypePointer Output %line_array\n\
             %lines = OpVariable %line_p Output\n\
             %main = OpFunction %void None %fn\n%l = OpLabel\nOpSetMeshOutputsEXT %one %one\nOpReturn\nOpFunctionEnd\n\
             %other = OpFunction %void None %fn\n%k = OpLabel\nOpSetMeshOutputsEXT %one %one\nOpReturn\nOpFunctionEnd\n\
             %fs = OpFunction %void None %fn\n%m = OpLabel\n{code}OpReturn\nOpFunctionEnd\n"
        )
    }

    const TRIANGLES: &str = "OpExecutionMode %main OutputPrimitivesEXT 1\nOpExecutionMode %main OutputTrianglesEXT\n";

    /// A second mesh entry point: its variable, and the modes that it does not share.
    fn other_mesh(variable: &str, [first, second]: [&str; 2]) -> (String, String) {
        let modes = format!(
            "{TRIANGLES}OpExecutionMode %other LocalSize 1 1 1\nOpExecutionMode %other OutputVertices 3\n\
             OpExecutionMode %other {first}\nOpExecutionMode %other {second}\n"
        );
        (format!("OpEntryPoint MeshEXT %other \"other\" {variable}\n"), modes)
    }

    #[test]
    fn tolerates_mesh_shaders_beside_other_entry_points() {
        let tolerated = Ok(vec!["L008".to_owned()]);
        assert_eq!(broken(&mesh_and_more(TRIANGLES, "", "")), tolerated);
        let (entry, modes) = other_mesh("%lines", ["OutputPrimitivesEXT 1", "OutputLinesEXT"]);
        assert_eq!(broken(&mesh_and_more(&modes, &entry, "")), tolerated, "of two forms");
        let (entry, modes) = other_mesh("%two_indices", ["OutputPrimitivesEXT 2", "OutputTrianglesEXT"]);
        assert_eq!(broken(&mesh_and_more(&modes, &entry, "")), tolerated, "of two sizes");
        // Those that break the rule themselves.
        let points = TRIANGLES.replace("OutputTrianglesEXT", "OutputPoints");
        let error = broken(&mesh_and_more(&points, "", "")).expect_err("another mode");
        assert!(error.contains("07054"), "{error}");
        let two = TRIANGLES.replace("OutputPrimitivesEXT 1", "OutputPrimitivesEXT 2");
        assert!(broken(&mesh_and_more(&two, "", "")).is_err(), "another size");
        let (entry, modes) = other_mesh("%lines", ["OutputPrimitivesEXT 1", "OutputTrianglesEXT"]);
        assert!(broken(&mesh_and_more(&modes, &entry, "")).is_err(), "the other one has another mode");
    }

    /// Where the module's instruction with an opcode is, and where the validator's error is.
    fn places(text: &str, op: Op) -> [Option<usize>; 2] {
        let module = Module::parse(words(text)).expect("a module");
        let Err(Problem::Invalid { place, .. }) = validate(&module, &Validator::BuiltIn) else { panic!("it is valid") };
        [module.insts().position(|inst| inst.op() == Some(op)), place.map(|place| place.instruction)]
    }

    #[test]
    fn an_error_after_a_tolerated_rule_is_at_its_own_instruction() {
        let [expected, found] = places(&mesh_and_more(TRIANGLES, "", "%x = OpIAdd %uint %one %void\n"), Op::IAdd);
        assert!(expected.is_some() && expected == found, "{expected:?} {found:?}");
        let late = "OpSource Slang 1 %file\n%file = OpString \"a.slang\"\n";
        let [expected, found] = places(&compute(late, "", "%x = OpIAdd %uint %four %void\n"), Op::IAdd);
        assert!(expected.is_some() && expected == found, "{expected:?} {found:?}");
    }

    #[test]
    fn tolerates_derivatives_without_a_group_where_no_extension_requires_one() {
        let text = |extensions: &[&str], code: &str| {
            let types = "%float = OpTypeFloat 32\n%half = OpConstant %float 0.5\n";
            let extensions: String = extensions.iter().map(|name| format!("OpExtension \"{name}\"\n")).collect();
            let all = compute("", types, &format!("%d = OpDPdx %float %half\n{code}"));
            all.replacen("OpMemoryModel", &format!("{extensions}OpMemoryModel"), 1)
        };
        let (nv, khr) = ("SPV_NV_compute_shader_derivatives", "SPV_KHR_compute_shader_derivatives");
        for extensions in [&[nv][..], &[]] {
            assert_eq!(broken(&text(extensions, "")), Ok(vec!["L008".to_owned()]), "{extensions:?}");
        }
        for extensions in [&[khr][..], &[nv, khr]] {
            let error = broken(&text(extensions, "")).expect_err("a group is required");
            assert!(error.contains("DerivativeGroupQuadsKHR"), "{error}");
        }
        let error = broken(&text(&[nv], "%w = OpFwidth %uint %four\n")).expect_err("an integer");
        assert!(error.contains("Fwidth"), "{error}");
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
        assert!(accepted::has(&words(&text), &None));
        let mut changed = words(&text);
        let at = changed.iter().rposition(|word| *word == 5 << 16 | Op::IAdd as u32).expect("an addition");
        changed[at + 3] = 0;
        assert!(!accepted::has(&changed, &None));
        assert!(validate(&Module::parse(changed).expect("a module"), &Validator::BuiltIn).is_err());
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
        // What cannot be read is still refused.
        for validation in [Validation::Reported, Validation::Off] {
            let words = vec![0x0723_0203, 0, 0, 5, 0, 0];
            assert!(matches!(super::loaded(words, &wanted(validation)), Err(Problem::Parse(_))));
        }
    }

    #[test]
    fn the_effort_of_the_validator_refuses_nothing_that_is_not_validated() {
        // As many functions that each call the next as are too many to follow.
        let function = |at: u32| {
            format!(
                "%f{at} = OpFunction %void None %fn\n%l{at} = OpLabel\n%c{at} = OpFunctionCall %void %f{}\nOpReturn\n\
                 OpFunctionEnd\n",
                at + 1
            )
        };
        let functions: String = (0..4200).map(function).collect();
        let last = "%f4200 = OpFunction %void None %fn\n%last = OpLabel\nOpReturn\nOpFunctionEnd\n";
        let text = format!("{}{functions}{last}", compute("", "", "%call = OpFunctionCall %void %f0\n"));
        let loaded = |validation| loaded(words(&text), &LoadOptions { validation, ..LoadOptions::default() });
        assert!(matches!(loaded(Validation::Required), Err(Problem::Effort { .. })));
        assert_eq!(loaded(Validation::Off).expect("opens").broken_rules, []);
        let module = loaded(Validation::Reported).expect("opens");
        assert!(module.is_invalid(), "not known to be valid");
        let [BrokenRule { code, message, stopped: false }] = &module.broken_rules[..] else { panic!("one reason") };
        assert!(
            code == "L006" && message.starts_with("not validated: ") && message.contains("4202 functions"),
            "{message}"
        );
        // Nor is it validated after a pass.
        let checked = check_rewritten(&module.module, &module.validity());
        assert!(matches!(checked, Err(NotAccepted::NotValidated(_))), "{checked:?}");
    }
}
