//! SPIR-V assembly text, by SPIRV-Tools: in, and out again for reading.

use spirv_tools::TargetEnv;
use spirv_tools::assembler::{self, Assembler, AssemblerOptions, DisassembleOptions};

use super::error::Problem;
use super::{LoadOptions, Loaded, Validation, validate};
use lanescope_model::program::LoadedModule;
use lanescope_spirv::Module;

/// The longest line that is quoted, in characters.
const LONGEST_LINE: usize = 200;

/// Each SPIR-V version, in ascending order, as disassemblers write it.
const VERSIONS: [(&str, TargetEnv); 7] = [
    ("1.0", TargetEnv::Universal_1_0),
    ("1.1", TargetEnv::Universal_1_1),
    ("1.2", TargetEnv::Universal_1_2),
    ("1.3", TargetEnv::Universal_1_3),
    ("1.4", TargetEnv::Universal_1_4),
    ("1.5", TargetEnv::Universal_1_5),
    ("1.6", TargetEnv::Universal_1_6),
];

/// How ids whose names are numbers are numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbers {
    /// As they are named: `%7` is id 7.
    Kept,
    /// Anew, as assemblers do by default.
    New,
}

/// Loads the assembly that stands in a file after a line: errors have the lines of the file.
pub(super) fn load_part(text: String, after: u32, wanted: &LoadOptions) -> Result<Loaded, Problem> {
    load(text.into_bytes(), wanted).map_err(|problem| match problem {
        Problem::Assembly { line, column, message } => {
            Problem::Assembly { line: line + after as usize, column, message }
        }
        problem => problem,
    })
}

/// Assembles text as the version that it states, otherwise as the lowest version that assembles and validates.
///
/// Ids that are named by numbers have these numbers, as findings and the text then agree. Where that makes no valid
/// module (`%0` and `%9999999` are legal names but not legal ids, `%7` and `%07` are two names), all ids are numbered
/// anew.
pub(super) fn load(bytes: Vec<u8>, wanted: &LoadOptions) -> Result<Loaded, Problem> {
    let text = String::from_utf8(bytes).map_err(|e| Problem::NotUtf8 { offset: e.utf8_error().valid_up_to() })?;
    let module = match numbered(&text, Numbers::Kept, wanted) {
        Ok(module) if module.broken_rules.iter().all(|broken| !broken.stopped) => Ok(module),
        kept if !has_numeric_ids(&text) => kept,
        Err(problem) if problem.is_of_validator() => Err(problem),
        Err(problem) => numbered(&text, Numbers::New, wanted).map_err(|_| problem),
        Ok(kept) => {
            let strict = LoadOptions { validation: Validation::Required, ..wanted.clone() };
            numbered(&text, Numbers::New, &strict).or(Ok(kept))
        }
    };
    let module = module.map_err(|problem| at_line(problem, &text))?;
    Ok(Loaded::Module(Box::new(LoadedModule { source: Some(text), ..module })))
}

/// Whether an id may be named by a number. Strings and comments count, too: ids are then numbered anew in vain.
fn has_numeric_ids(text: &str) -> bool {
    text.as_bytes().windows(2).any(|pair| pair[0] == b'%' && pair[1].is_ascii_digit())
}

fn numbered(text: &str, numbers: Numbers, wanted: &LoadOptions) -> Result<LoadedModule, Problem> {
    match stated_version(text) {
        Some(version) => assemble(text, version, numbers).and_then(|words| validate::loaded(words, wanted)),
        None => of_lowest_version(text, numbers, wanted).map(|module| LoadedModule { version_assumed: true, ..module }),
    }
}

/// A problem with a line of the text, where it is one of an instruction: the validator has numbers where the text has
/// names.
fn at_line(problem: Problem, text: &str) -> Problem {
    match problem {
        Problem::Invalid { by, place: Some(place), message } => {
            let line = line_of(text, place.instruction).and_then(|at| Some((at, text.lines().nth(at)?.trim())));
            let line = line.map(|(at, line)| {
                format!("\nline {}: {}", at + 1, line.chars().take(LONGEST_LINE).collect::<String>())
            });
            Problem::Invalid { by, place: Some(place), message: message + &line.unwrap_or_default() }
        }
        other => other,
    }
}

/// The line, from 0, of an instruction, from 0. An instruction may go over several lines; operands never begin with `Op`.
fn line_of(text: &str, instruction: usize) -> Option<usize> {
    let mut left = instruction;
    let mut in_string = false;
    for (number, line) in text.lines().enumerate() {
        let (mut escaped, mut starts_word) = (false, true);
        for (at, c) in line.char_indices() {
            match c {
                _ if in_string && escaped => escaped = false,
                '\\' if in_string => escaped = true,
                '"' => in_string = !in_string,
                _ if in_string => {}
                ';' => break,
                'O' if starts_word && is_opcode(line.get(at..).unwrap_or_default()) => {
                    if left == 0 {
                        return Some(number);
                    }
                    left -= 1;
                }
                _ => {}
            }
            starts_word = c.is_whitespace() || c == '=';
        }
    }
    None
}

fn is_opcode(word: &str) -> bool {
    word.strip_prefix("Op").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
}

pub(super) fn assemble(text: &str, version: TargetEnv, numbers: Numbers) -> Result<Vec<u32>, Problem> {
    let binary = assembler::create(Some(version))
        .assemble(text, AssemblerOptions { preserve_numeric_ids: numbers == Numbers::Kept })
        .map_err(|error| {
            let message = validate::message_of(&error);
            let at = error.diagnostic.map_or((0, 0), |d| (d.line, d.column));
            Problem::Assembly { line: at.0 + 1, column: at.1 + 1, message }
        })?;
    Ok(binary.as_words().to_vec())
}

/// The version of the first `; Version: 1.N` comment before the first instruction.
fn stated_version(text: &str) -> Option<TargetEnv> {
    let lines = text.lines().map(str::trim_start);
    let comments = lines.take_while(|line| line.is_empty() || line.starts_with(';'));
    let version = comments.map(|line| line.trim_start_matches(';').trim()).find_map(|l| l.strip_prefix("Version:"))?;
    VERSIONS.iter().find(|(name, _)| *name == version.trim()).map(|(_, version)| *version)
}

/// Where none validates, what is wrong with the version that reads furthest counts, of several the lowest.
fn of_lowest_version(text: &str, numbers: Numbers, wanted: &LoadOptions) -> Result<LoadedModule, Problem> {
    let strict = LoadOptions { validation: Validation::Required, ..wanted.clone() };
    let attempt = |version| assemble(text, version, numbers).and_then(|words| validate::loaded(words, &strict));
    let [(_, lowest), higher @ ..] = VERSIONS;
    let (mut furthest, mut furthest_version) = match attempt(lowest) {
        Ok(module) => return Ok(module),
        Err(problem) if problem.is_of_validator() => return Err(problem),
        Err(problem) => (problem, lowest),
    };
    for (_, version) in higher {
        match attempt(version) {
            Ok(module) => return Ok(module),
            Err(problem) if problem.is_of_validator() => return Err(problem),
            Err(problem) if reach(&problem) > reach(&furthest) => (furthest, furthest_version) = (problem, version),
            Err(_) => {}
        }
    }
    match wanted.validation {
        Validation::Required => Err(furthest),
        Validation::Reported | Validation::Off => validate::loaded(assemble(text, furthest_version, numbers)?, wanted),
    }
}

/// How far a text was read before its problem was found: sorts.
fn reach(problem: &Problem) -> (bool, usize, usize) {
    match problem {
        Problem::Assembly { line, column, .. } => (false, *line, *column),
        Problem::Invalid { place, .. } => (true, place.map_or(usize::MAX, |place| place.instruction), 0),
        _ => (true, 0, 0),
    }
}

/// The module as text: no header, one line an instruction (but for strings that hold line breaks), friendly names.
///
/// Fails with SPIRV-Tools' message where the module was changed into something it cannot read.
pub fn disassemble(module: &Module) -> Result<String, String> {
    let options = DisassembleOptions {
        print: false,
        color: false,
        indent: true,
        show_byte_offset: false,
        no_header: true,
        use_friendly_names: true,
        comment: false,
    };
    assembler::create(Some(TargetEnv::Universal_1_6))
        .disassemble(module.words(), options)
        .map_err(|error| validate::message_of(&error))
        .map(Option::unwrap_or_default)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A compute shader whose storage buffer has a given decoration and storage class.
    fn shader(comments: &str, block: &str, class: &str, interface: &str) -> String {
        format!(
            "{comments}OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"{interface}\n\
             OpExecutionMode %main LocalSize 8 1 1\nOpDecorate %s {block}\nOpMemberDecorate %s 0 Offset 0\n\
             OpDecorate %v DescriptorSet 0\nOpDecorate %v Binding 0\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n\
             %uint = OpTypeInt 32 0\n%s = OpTypeStruct %uint\n%p = OpTypePointer {class} %s\n%v = OpVariable %p {class}\n\
             %main = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n"
        )
    }

    fn loaded(text: String) -> Result<LoadedModule, Problem> {
        match load(text.into_bytes(), &LoadOptions::default())? {
            Loaded::Module(module) => Ok(*module),
            _ => Err(Problem::NoFiles),
        }
    }

    #[test]
    fn finds_the_stated_version_before_the_first_instruction() {
        for comments in [
            "; SPIR-V\n; Version: 1.0\n; Bound: 9\n",
            "\n\n; RUN: something %s\n\n  ; Version: 1.0\n",
            ";; Version: 1.0 \r\n\r\n",
            "; Version: 1.0\n; Version: 1.6\n",
        ] {
            let module = loaded(shader(comments, "BufferBlock", "Uniform", "")).expect("opens");
            assert_eq!((module.module.version(), module.version_assumed), ((1, 0), false), "{comments:?}");
        }
        // After an instruction, or of a version that no one knows, it states nothing.
        for comments in ["OpCapability Shader\n; Version: 1.5\n", "; Version: 1.9\n", "; Version: one\n", ""] {
            let module = loaded(shader(comments, "BufferBlock", "Uniform", "")).expect("opens");
            assert_eq!((module.module.version(), module.version_assumed), ((1, 0), true), "{comments:?}");
        }
        // What is stated is what is assembled.
        let error = loaded(shader("; Version: 1.5\n", "BufferBlock", "Uniform", "")).expect_err("1.5 has none");
        assert!(error.to_string().contains("BufferBlock"), "{error}");
    }

    #[test]
    fn text_without_a_version_has_the_lowest_that_assembles_and_validates() {
        let version = |text: String| loaded(text).map(|module| module.module.version()).expect("opens");
        assert_eq!(version(shader("", "BufferBlock", "Uniform", "")), (1, 0));
        // Assembles as any version; storage buffers are of 1.3, and resources in an interface of 1.4.
        assert_eq!(version(shader("", "Block", "StorageBuffer", "")), (1, 3));
        assert_eq!(version(shader("", "Block", "StorageBuffer", " %v")), (1, 4));
        let text = shader("OpCapability ShaderLayer\n", "Block", "StorageBuffer", " %v");
        assert_eq!(version(text), (1, 5));
    }

    #[test]
    fn text_that_is_wrong_in_every_version_is_refused_where_it_reads_furthest() {
        let text = shader("", "BufferBlock", "Uniform", "").replace("OpReturn\n", "OpStore %v %v\nOpReturn\n");
        let error = loaded(text).expect_err("stores a pointer").to_string();
        assert!(error.contains("OpStore"), "{error}");
        let text = shader("", "Block", "StorageBuffer", " %v").replace("OpReturn\n", "OpNonsense\n");
        assert!(matches!(loaded(text), Err(Problem::Assembly { line: 17, .. })));
    }

    #[test]
    fn names_that_are_no_ids_are_numbered_anew() {
        let text = shader("", "BufferBlock", "Uniform", "");
        let named = |main: &str, void: &str| text.replace("%main", main).replace("%void", void);
        let function = |text: String| {
            let module = loaded(text).expect("opens").module;
            module.entry_points()[0].function.0
        };
        assert_eq!(function(named("%70", "%71")), 70, "kept where it is an id");
        for (main, void) in [("%0", "%1"), ("%1", "%0"), ("%9999999", "%1"), ("%7", "%07"), ("%4294967295", "%0")] {
            assert!((1..100).contains(&function(named(main, void))), "{main} {void}");
        }
        // What is wrong in either way is described in the numbers of the text.
        let error =
            loaded(named("%70", "%71").replace("OpReturn\n", "OpStore %v %v\nOpReturn\n")).expect_err("invalid");
        assert!(error.to_string().contains("OpStore"), "{error}");
    }

    #[test]
    fn finds_the_lines_of_instructions() {
        let text = "; OpNop\nOpCapability Shader\n  OpName %a \"OpNop \\\" OpNop\"\n\n%b\n = OpTypeInt ; OpNop\n  32 0\n%OpX =OpTypeVoid\n";
        let lines: Vec<_> = (0..6).map(|at| line_of(text, at)).collect();
        assert_eq!(lines, [Some(1), Some(2), Some(5), Some(7), None, None]);
    }

    #[test]
    fn an_invalid_instruction_is_quoted_with_its_line() {
        let text =
            "OpCapability Shader\nOpMemoryModel Logical GLSL450\n%void = OpTypeVoid\n\n%f = OpTypeFunction %nothing\n";
        let Err(error) = load(text.as_bytes().to_vec(), &LoadOptions::default()) else { panic!("%nothing is defined") };
        let error = error.to_string();
        assert!(
            error.contains("instruction #3 (byte 0x30): ") && error.contains("\nline 5: %f = OpTypeFunction %nothing"),
            "{error}"
        );
    }
}
