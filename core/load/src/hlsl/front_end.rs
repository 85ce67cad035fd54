//! glslang's HLSL front end: compiles HLSL of shader model 5, and a part of 6, to SPIR-V without a library.

use std::path::PathBuf;

use lanescope_glslang::{Compiled, Language};
use spirv_tools::TargetEnv;
use spirv_tools::opt::{self, Optimizer, Options};
use spirv_tools::val::ValidatorOptions;

use super::derivative_group::with_derivative_group;
use super::registers::Resources;
use super::{Source, beyond, blocks};
use crate::error::Problem;
use crate::given::Given;
use crate::glsl::{Includes, tidy};
use crate::included::SourceOrigin;
use crate::{LoadOptions, Loaded, preceding, validate};
use lanescope_model::options::ConversionSwitch;
use lanescope_model::program::{LoadedModule, SourcePlace, StageKind};
use lanescope_spirv::Module;

/// The compiler's name, and the commit of it that is built in; the library says an older version of itself.
pub const VERSION: &str = "glslang 16.6.0 (commit e1b562a)";

/// A module of HLSL whose descriptors are not placed yet: registers of all files are numbered together.
pub(crate) struct Made {
    /// The module, with the numbers of its registers as bindings.
    pub module: LoadedModule,
    /// Its registers; empty where the source places its descriptors itself (`[[vk::binding]]`).
    pub resources: Resources,
    /// What made it.
    pub compiler: &'static str,
}

/// The stage that a profile is for, where the front end has it.
fn stage_of(profile: &str) -> Option<StageKind> {
    Some(match profile.split('_').next()? {
        "vs" => StageKind::Vertex,
        "hs" => StageKind::TessControl,
        "ds" => StageKind::TessEval,
        "gs" => StageKind::Geometry,
        "ps" => StageKind::Fragment,
        "cs" => StageKind::Compute,
        _ => return None,
    })
}

/// Compiles a source. `without` says why the DirectX shader compiler is not used.
///
/// Errors: a profile or a feature that the front end does not know; source that does not compile.
pub(super) fn load(source: &Source<'_>, without: &str, wanted: &LoadOptions) -> Result<Made, Problem> {
    let needs_dxc = |what: String| Problem::HlslNeedsDxc { what, why: without.to_owned() };
    let mut includes = Includes::new(SourceOrigin::opened(source.folder, source.path), wanted)?;
    let advice = Advice {
        lacks: &needs_dxc,
        entry: "choose one with --entry",
        compiler: "; install the DirectX shader compiler for all of HLSL",
    };
    let Compiled { words, preprocessed: text } = legalized(source, &mut includes, &advice)?;
    let place = SourcePlace { file: source.path.display().to_string(), after: 0 };
    let module = loaded(words, (source.text.to_owned(), place), includes, &needs_dxc, wanted)?;
    let resources = match squeezed(&text).contains("vk::binding") {
        true => Resources::default(),
        false => Resources::of(&module.module, &text),
    };
    Ok(Made { module, resources, compiler: VERSION })
}

/// Compiles a text of a `.pipe` description for a stage. It begins after the line `after` of its file. Descriptors have
/// the numbers of their registers, to which the description refers.
///
/// # Errors
/// As of a file; where that would name the DirectX shader compiler, which LLPC does not use for descriptions either,
/// what the front end lacks.
pub(crate) fn load_section(
    text: String,
    (stage, entry): (StageKind, &str),
    after: u32,
    origin: SourceOrigin<'_>,
    wanted: &LoadOptions,
) -> Result<Loaded, Problem> {
    if let Some(offset) = text.bytes().position(|byte| byte == 0) {
        return Err(Problem::ZeroByte { offset });
    }
    let profile = format!("{}_{}", super::kind_of(stage), super::MODEL);
    let lacks = |what: String| {
        let log = format!("{VERSION}: its HLSL front end cannot compile {what}");
        Problem::Hlsl { profile: profile.clone(), log }
    };
    let narrow = wanted.conversion.has(ConversionSwitch::Native16Bit);
    // Messages name the lines of the file.
    let lines = format!("{}{text}", "\n".repeat(after as usize));
    let (conversion, SourceOrigin { folder, path, .. }) = (&wanted.conversion, origin);
    let given = Given::of(wanted);
    let source = Source { path, folder, text: &lines, entry, profile: &profile, narrow, conversion, first: &[], given };
    let mut includes = Includes::new(origin, wanted)?;
    let advice = Advice { lacks: &lacks, entry: "entryPoint of the stage names it", compiler: "" };
    let Compiled { words, .. } = legalized(&source, &mut includes, &advice)?;
    let place = SourcePlace { file: path.display().to_string(), after };
    Ok(Loaded::Module(Box::new(loaded(words, (text, place), includes, &lacks, wanted)?)))
}

/// What a message says of the remedy.
struct Advice<'a> {
    /// Makes an error of what the front end lacks.
    lacks: &'a dyn Fn(String) -> Problem,
    /// How the entry point is chosen.
    entry: &'static str,
    /// Which compiler may know more.
    compiler: &'static str,
}

/// A source's module as Vulkan takes it, with D3D's layouts of blocks.
fn legalized(source: &Source<'_>, includes: &mut Includes<'_>, advice: &Advice<'_>) -> Result<Compiled, Problem> {
    let lacks = advice.lacks;
    let Some(stage) = stage_of(source.profile) else {
        return Err(lacks(format!("profile {}", source.profile)));
    };
    let refused = |log: String| Problem::Hlsl { profile: source.profile.to_owned(), log };
    if let Some(attribute) = missing_attribute(source, stage) {
        return Err(refused(format!(
            "`{}` has no attribute [{attribute}], which {} needs",
            source.entry, source.profile
        )));
    }
    let Compiled { words, preprocessed: text } = compile(source, stage, includes).map_err(|log| {
        if let Some(feature) = beyond::feature(source.text) {
            return lacks(feature);
        }
        let mut log = tidy(&log, source.path);
        for reason in &includes.refused {
            log.push('\n');
            log.push_str(reason);
        }
        let more = advice.compiler;
        log.push_str(&format!("\n({VERSION}: its HLSL front end supports shader model 5 and parts of 6{more})"));
        refused(log)
    })?;
    // The front end makes an empty shader of what it does not find, and leaves out attributes that it does not know.
    if head(&text, source.entry).is_none() {
        return Err(refused(format!("no entry point is named `{}`; {}", source.entry, advice.entry)));
    }
    let squeezed = squeezed(&text);
    if let Some(feature) = beyond::attribute(&squeezed) {
        return Err(lacks(feature));
    }
    let words = legal(&with_derivative_group(words, source.profile)).map_err(lacks)?;
    let module = Module::parse(words).map_err(Problem::Parse)?;
    // Who gives offsets in the source gives all of a block's.
    let places_members = super::has_word(&text, "packoffset") || squeezed.contains("vk::offset");
    let words = match places_members {
        true => module.words().to_vec(),
        false => blocks::with_d3d_layout(&module),
    };
    Ok(Compiled { words, preprocessed: text })
}

/// A text without blanks: the preprocessor puts them between tokens.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The module of the words of `text`, validated.
fn loaded(
    words: Vec<u32>,
    (text, place): (String, SourcePlace),
    includes: Includes<'_>,
    lacks: &dyn Fn(String) -> Problem,
    wanted: &LoadOptions,
) -> Result<LoadedModule, Problem> {
    let module = validate::compiled(words, text, place, wanted).map_err(|problem| match problem {
        invalid if invalid.is_invalid() => lacks(format!("code that compiles to {invalid}")),
        other => other,
    })?;
    let unread_macros = includes.reads.unread();
    let includes = includes.met.into_iter().map(PathBuf::into_os_string).collect();
    Ok(LoadedModule { includes, unread_macros, ..module })
}

/// What precedes a function's name since the end of the previous declaration: attributes and the type. None where no
/// such function is defined.
fn head<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).find_map(|(at, _)| {
        let (before, after) = (text.get(..at)?, text.get(at + name.len()..)?);
        let is_function = after.trim_start().starts_with('(') && !before.ends_with(joins);
        // A call follows an operator, a statement's end or a word of one.
        let is_type = before.trim_end().ends_with(|c: char| joins(c) || c == '>');
        let start = before.rfind([';', '}', '{']).map_or(0, |end| end + 1);
        let head = before.get(start..)?;
        (is_function && is_type && !super::has_word(head, "return")).then_some(head)
    })
}

/// An attribute that the stage's entry point needs and does not have: the front end ends the process without it.
fn missing_attribute(source: &Source<'_>, stage: StageKind) -> Option<&'static str> {
    let attribute = match stage {
        StageKind::TessControl => "outputcontrolpoints",
        StageKind::Geometry => "maxvertexcount",
        _ => return None,
    };
    let text = beyond::without_comments(source.text);
    // A macro or an included file may have it.
    let known = text.contains("#define") || text.contains("#include") || !source.conversion.includes.is_empty();
    let head = head(&text, source.entry)?;
    (!known && !super::has_word(head, attribute)).then_some(attribute)
}

fn compile(source: &Source<'_>, stage: StageKind, includes: &mut Includes<'_>) -> Result<Compiled, String> {
    let language = Language::Hlsl { entry: source.entry, narrow: source.narrow };
    let (macros, env) = (source.conversion.macros(), source.conversion.env());
    includes.reads.read(source.text);
    let text = preceding::hlsl(source.text, &includes.first);
    let source = lanescope_glslang::Source { text: &text, language, stage, lines: true, macros: &macros, env };
    lanescope_glslang::compile(&source, includes)
}

/// The module as Vulkan takes it: the front end passes textures and samplers to functions, and keeps them in
/// structures.
fn legal(words: &[u32]) -> Result<Vec<u32>, String> {
    let mut optimizer = opt::compiled::CompiledOptimizer::with_env(TargetEnv::Vulkan_1_3);
    optimizer.register_hlsl_legalization_passes();
    let mut said = Vec::new();
    let mut listen = |message: spirv_tools::error::Message| said.push(message.message);
    // What is invalid even so would not be safe with the optimizer.
    let validator = ValidatorOptions {
        before_legalization: true,
        scalar_block_layout: true,
        skip_block_layout: true,
        ..ValidatorOptions::default()
    };
    let options = Options { validator_options: Some(validator), ..Options::default() };
    let made = optimizer.optimize(words, &mut listen, Some(options));
    made.map(|made| made.as_words().to_vec()).map_err(|error| {
        // The error itself is a status; the optimizer says before it what the module violates.
        let why = said.into_iter().find(|line| !line.is_empty()).unwrap_or_else(|| validate::message_of(&error));
        format!("code that spirv-opt cannot legalize ({why})")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_model::options::{Conversion, HlslCompiler};
    use lanescope_model::program::Program;
    use lanescope_spirv::enums::{Decoration, ExecutionMode, Op};

    /// A file of HLSL, compiled here.
    fn program(name: &str, text: &str) -> Result<Program, Problem> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("writes");
        let conversion = Conversion { hlsl_compiler: HlslCompiler::Glslang, ..Conversion::default() };
        crate::load_with(&[path], &[], &conversion).map_err(|error| error.problem)
    }

    #[test]
    fn the_version_is_that_of_the_lock_file() {
        let lock = include_str!("../../../../Cargo.lock");
        let package =
            lock.split("[[package]]").find(|package| package.contains("name = \"glslang-sys\"")).expect("a row");
        let commit = package.lines().find_map(|line| line.split_once('+')).expect("a version with a commit").1;
        assert!(VERSION.contains(commit.trim_end_matches('"')), "{commit}");
    }

    #[test]
    fn textures_can_be_passed_to_functions() {
        let text = "Texture2D a : register(t3); SamplerState s;\n\
                    float4 f(Texture2D t, float2 at) { return t.Sample(s, at); }\n\
                    float4 main(float2 at : TEXCOORD) : SV_Target { return f(a, at); }\n";
        let program = program("a.ps.hlsl", text).expect("compiles");
        let places: Vec<_> =
            program.inputs[0].bindings.iter().map(|row| format!("{} {}", row.name(), row.place())).collect();
        assert_eq!(places, ["t3 set0.binding0", "s0 set0.binding1"]);
        assert_eq!(program.inputs[0].compiler.as_deref(), Some(VERSION));
    }

    #[test]
    fn hidden_counters_have_descriptors_of_their_own() {
        let text = "RWStructuredBuffer<uint> a : register(u2);\n\
                    [numthreads(1, 1, 1)] void main() { a[a.IncrementCounter()] = 1; }\n";
        let program = program("a.cs.hlsl", text).expect("compiles");
        let places: Vec<_> =
            program.inputs[0].bindings.iter().map(|row| format!("{} {}", row.name(), row.place())).collect();
        assert_eq!(places, ["u2 set0.binding0", "u2 counter set0.binding1"]);
        assert_eq!(validate::check(&program.modules[0].module), Ok(()));
    }

    #[test]
    fn keeps_explicit_descriptor_bindings() {
        let text = "[[vk::binding(4, 2)]] RWStructuredBuffer<uint> a : register(u1);\n\
                    [numthreads(1, 1, 1)] void main() { a[0] = 1; }\n";
        let program = program("a.cs.hlsl", text).expect("compiles");
        assert!(program.inputs[0].bindings.is_empty());
        let module = &program.modules[0].module;
        let of = |kind| {
            let variables = module.globals().filter(|inst| inst.op() == Some(Op::Variable));
            variables.filter_map(|inst| module.decoration(inst.result()?, None, kind)).collect::<Vec<_>>()
        };
        assert_eq!((of(Decoration::DescriptorSet), of(Decoration::Binding)), (vec![2], vec![4]));
    }

    #[test]
    fn texture_buffers_have_rows_as_constant_buffers_have() {
        let text = "tbuffer T : register(t0) { float3 a; float2 b; float c[2]; float d; };\n\
                    float4 main() : SV_Target { return a.xyzz + b.xyxy + c[1] + d; }\n";
        let program = program("a.ps.hlsl", text).expect("compiles");
        let module = &program.modules[0].module;
        let block = module.globals().find(|inst| inst.op() == Some(Op::TypeStruct)).and_then(|inst| inst.result());
        let offset = |member| module.decoration(block.expect("a block"), Some(member), Decoration::Offset);
        assert_eq!([offset(0), offset(1), offset(2), offset(3)], [Some(0), Some(16), Some(32), Some(52)]);
        assert_eq!(program.inputs[0].bindings[0].name(), "t0");
    }

    #[test]
    fn keeps_explicit_offsets() {
        let text = "cbuffer C { float a[2] : packoffset(c0); float b : packoffset(c3.y); };\n\
                    float4 main() : SV_Target { return a[1] + b; }\n";
        let program = program("a.ps.hlsl", text).expect("compiles");
        let module = &program.modules[0].module;
        let block = module.globals().find(|inst| inst.op() == Some(Op::TypeStruct)).and_then(|inst| inst.result());
        assert_eq!(module.decoration(block.expect("a block"), Some(1), Decoration::Offset), Some(52));
    }

    #[test]
    fn reports_a_missing_entry_point() {
        let text = "float4 shade() : SV_Target { return 1; }\n";
        let Err(Problem::Hlsl { log, .. }) = program("a.ps.hlsl", text) else { panic!("has no `main`") };
        assert!(log.contains("--entry"), "{log}");
        let text = "float4 main() : SV_Target { return 1; }\n";
        let Err(Problem::Hlsl { log, .. }) = program("a.gs.hlsl", text) else { panic!("emits nothing") };
        assert!(log.contains("[maxvertexcount]"), "{log}");
    }

    /// Legalization moves instructions, which keep their lines.
    #[test]
    fn instructions_come_from_lines_of_the_source() {
        let text = "StructuredBuffer<uint> from : register(t0);\nRWStructuredBuffer<uint> to : register(u0);\n\
                    uint twice(uint x)\n{\n    return 2 * x;\n}\n[numthreads(4, 1, 1)]\nvoid main(uint i : SV_GroupIndex)\n{\n\
                    \n    to[i] = twice(from[i]);\n}\n";
        let program = program("a.cs.hlsl", text).unwrap_or_else(|problem| panic!("{problem}"));
        let module = &program.modules[0].module;
        let lines = lanescope_spirv::Lines::of(module);
        let line = |op| {
            let inst = module.insts().rfind(|inst| inst.op() == Some(op)).expect("is there");
            lines.line(inst.index).filter(|at| at.file.ends_with("a.cs.hlsl")).map(|at| at.line)
        };
        assert_eq!(line(Op::IMul), Some(5));
        assert_eq!(line(Op::Store), Some(11));
    }

    /// What spirv-opt refuses is named by the rule that is broken, not by the optimizer's status.
    #[test]
    fn names_why_code_cannot_be_legalized() {
        let text = "struct S { float a : SV_ClipDistance0; float b : SV_ClipDistance1; float c : SV_CullDistance0;\n\
                    float d : SV_CullDistance1; int i : SV_InstanceID; };\nS main(S given) { S s; return s; }\n";
        let Err(Problem::HlslNeedsDxc { what, .. }) = program("a.vs.hlsl", text) else { panic!("is legalized") };
        assert!(what.contains("cannot legalize (") && !what.contains("SPIRV-Tools: "), "{what}");
    }

    #[test]
    fn compute_shaders_have_the_derivative_group_of_their_size() {
        let entry = |size: &str, profile: &str, body: &str| {
            let text = format!(
                "RWStructuredBuffer<float> o;\n\
                 [numthreads({size})] void main(uint3 id : SV_DispatchThreadID) {{ {body} }}\n"
            );
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("a.hlsl");
            std::fs::write(&path, text).expect("writes");
            let conversion = Conversion {
                hlsl_compiler: HlslCompiler::Glslang,
                profile: Some(profile.to_owned()),
                ..Conversion::default()
            };
            let program = crate::load_with(&[path], &[], &conversion).map_err(|error| error.to_string())?;
            let modes = program.modules[0].module.entry_points()[0].modes.iter().map(|(mode, _)| *mode);
            let group = |mode: &u32| {
                [ExecutionMode::DerivativeGroupQuadsKHR, ExecutionMode::DerivativeGroupLinearKHR]
                    .into_iter()
                    .find(|group| *group as u32 == *mode)
            };
            Ok::<_, String>(modes.filter_map(|mode| group(&mode)).collect::<Vec<_>>())
        };
        let taken = "o[id.x] = ddx(float(id.x) * 0.5);";
        assert_eq!(entry("8, 8, 1", "cs_6_6", taken), Ok(vec![ExecutionMode::DerivativeGroupQuadsKHR]));
        assert_eq!(entry("64, 1, 1", "cs_6_7", taken), Ok(vec![ExecutionMode::DerivativeGroupLinearKHR]));
        assert_eq!(entry("8, 8, 1", "cs_6_6", "o[id.x] = 1.0;"), Ok(vec![]));
        // Sizes without quads, and earlier shader models, have no derivatives.
        assert!(entry("3, 1, 1", "cs_6_6", taken).is_err() && entry("8, 8, 1", "cs_6_5", taken).is_err());
    }

    #[test]
    fn attributes_that_would_be_ignored_need_dxc() {
        let text = "[WaveSize(32)] [numthreads(1, 1, 1)] void main() {}\n";
        assert!(matches!(program("a.cs.hlsl", text), Err(Problem::HlslNeedsDxc { .. })));
    }

    /// A `.pipe` description whose fragment stage is this HLSL, loaded.
    fn section(text: &str) -> Result<Program, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.pipe");
        std::fs::write(&path, format!("[FsHlsl]\n{text}[FsInfo]\nentryPoint = main\n")).expect("writes");
        let program = crate::load(&[path], &[]).map_err(|error| error.to_string())?;
        let findings = program.pipeline.iter().flat_map(|pipeline| &pipeline.findings);
        let unusable: Vec<_> = findings.filter(|finding| finding.code.as_str() == "pipe.stage-unusable").collect();
        unusable.first().map_or(Ok(program.clone()), |finding| Err(finding.message.clone()))
    }

    /// HLSL of a description becomes the module that a file of it becomes, but for the numbers of its descriptors.
    #[test]
    fn legalizes_sections_of_descriptions() {
        let text = "Texture2D a : register(t3); SamplerState s : register(s4);\n\
                    cbuffer C : register(b1) { float3 x; float2 y; };\n\
                    float4 f(Texture2D t, float2 at) { return t.Sample(s, at); }\n\
                    float4 main(float2 at : TEXCOORD) : SV_Target { return f(a, at + y) + x.xyzz; }\n";
        let (described, file) = (section(text).expect("compiles"), program("a.ps.hlsl", text).expect("compiles"));
        let module = &described.modules[0].module;
        assert_eq!(validate::check(module), Ok(()));
        assert_eq!(module.insts().filter(|inst| inst.op() == Some(Op::FunctionCall)).count(), 0);
        let offsets = |module: &Module| {
            let blocks = module.globals().filter(|inst| inst.op() == Some(Op::TypeStruct));
            let offsets = blocks.filter_map(|inst| module.decoration(inst.result()?, Some(1), Decoration::Offset));
            offsets.collect::<Vec<_>>()
        };
        assert_eq!((offsets(module), offsets(&file.modules[0].module)), (vec![16], vec![16]));
        let bindings = module.globals().filter(|inst| inst.op() == Some(Op::Variable));
        let bindings = bindings.filter_map(|inst| module.decoration(inst.result()?, None, Decoration::Binding));
        let mut bindings: Vec<u32> = bindings.collect();
        bindings.sort_unstable();
        assert_eq!(bindings, [1, 3, 4], "the registers' numbers");
        assert_eq!(described.modules[0].source.as_deref().map(str::trim_end), Some(text.trim_end()));
    }

    #[test]
    fn names_lines_and_lacks_of_sections() {
        let error = section("float4 main() : SV_Target {\n return nothing; }\n").expect_err("does not compile");
        assert!(error.contains("a.pipe:3") && !error.contains("install"), "{error}");
        let error = section("float4 shade() : SV_Target { return 1; }\n").expect_err("has no `main`");
        assert!(error.contains("entryPoint"), "{error}");
    }
}
