//! The texts that show a program, with the lines that name its varyings.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_core::dxil::hex_text;
use lanescope_core::ids::Id;
use lanescope_core::load::file_types::is_source;
use lanescope_core::pipeline::StageDescription;
use lanescope_core::program::{Format, LoadedDxil, LoadedModule, Program, StageKind};
use lanescope_core::spirv::enums::{Decoration, Op, StorageClass};
use lanescope_core::spirv::{Lines, Module, SourceFile, SourceLine, Type, source_files};
use lanescope_inspector::selection::Varying;
use lanescope_inspector::source::{Instructions, Language, SourceText, TextRole};

/// The most locations that one variable is marked for; more than any device has.
const MAX_LOCATIONS: u32 = 256;
/// The most sources of one module that are shown.
const MAX_SOURCES: usize = 64;

/// The texts of a program: for every module its source, where it was text, and its disassembly.
///
/// `disassemble` writes one instruction a line.
pub fn texts(program: &Program, disassemble: impl Fn(&Module) -> String) -> Vec<SourceText> {
    let mut texts: Vec<SourceText> = program.dxil.iter().flat_map(|loaded| container(program, loaded)).collect();
    for (index, loaded) in program.modules.iter().enumerate() {
        let (at, name) = (loaded.input, name_of(program, index, loaded));
        let varyings = Varyings::of(program, index, &loaded.module);
        if let (Some(source), Some(input)) = (&loaded.source, program.inputs.get(at)) {
            let language = described(program, index).map_or(input.format, |stage| match stage.shader.as_str() {
                "SPIR-V text" => Format::Spvasm,
                _ => Format::Glsl,
            });
            let (language, marks) = match language {
                Format::Wgsl => (Language::Wgsl, glsl_marks(source, &varyings)),
                // Comments and words of HLSL and Slang read as GLSL's do.
                format if is_source(format) => (Language::Glsl, glsl_marks(source, &varyings)),
                _ => (Language::Spvasm, spirv_marks(source, &loaded.module, &varyings)),
            };
            let lines = if language == Language::Spvasm { listed(source, &loaded.module) } else { compiled(loaded) };
            let source = text(name.clone(), language, (at, TextRole::Source), source.clone(), marks);
            texts.push(SourceText { instructions: instructions(program, index, lines), ..source });
        }
        let listing = disassemble(&loaded.module);
        let marks = spirv_marks(&listing, &loaded.module, &varyings);
        let lines = listed(&listing, &loaded.module);
        let (title, role) = (format!("{name} (SPIR-V)"), TextRole::Module(index));
        let listing = text(title, Language::Spvasm, (at, role), listing, marks);
        texts.push(SourceText { instructions: instructions(program, index, lines), ..listing });
        for (source, lines) in carried(&loaded.module) {
            let title = if source.file.is_empty() { "source" } else { base_name(&source.file) };
            let marks = glsl_marks(&source.text, &varyings);
            let shown = text(format!("{title} in {name}"), Language::Glsl, (at, TextRole::Source), source.text, marks);
            texts.push(SourceText { instructions: instructions(program, index, lines), ..shown });
        }
    }
    texts
}

/// The texts of a module that is not one of a program's: its listing, then the sources that it carries. Their
/// instructions are those of module 0.
pub fn module_texts(module: &Module, stage: StageKind, title: &str, listing: String) -> Vec<SourceText> {
    let place = |mut lines: Vec<(usize, u32)>| {
        lines.sort_unstable();
        (!lines.is_empty()).then(|| Instructions { module: 0, stages: vec![stage], lines })
    };
    let lines = listed(&listing, module);
    let own = text(format!("{title} (SPIR-V)"), Language::Spvasm, (0, TextRole::Module(0)), listing, BTreeSet::new());
    let mut texts = vec![SourceText { instructions: place(lines), ..own }];
    for (source, lines) in carried(module) {
        let name = if source.file.is_empty() { "source" } else { base_name(&source.file) };
        let place_in = (0, TextRole::Source);
        let shown = text(format!("{name} in {title}"), Language::Glsl, place_in, source.text, BTreeSet::new());
        texts.push(SourceText { instructions: place(lines), ..shown });
    }
    texts
}

/// Where a module's instructions are in one of its texts.
fn instructions(program: &Program, module: usize, mut lines: Vec<(usize, u32)>) -> Option<Instructions> {
    let stages = program.stages.iter().filter(|stage| stage.module == module).map(|stage| stage.stage).collect();
    lines.sort_unstable();
    (!lines.is_empty()).then_some(Instructions { module, stages, lines })
}

/// The instructions of a listing, by line; `None` if it is of another module.
fn listed(listing: &str, module: &Module) -> Vec<(usize, u32)> {
    let lines = instruction_lines(listing);
    if lines.len() == module.len() { lines.into_iter().zip(0u32..).collect() } else { Vec::new() }
}

/// The instructions of a compiled source's lines.
fn compiled(loaded: &LoadedModule) -> Vec<(usize, u32)> {
    let Some(place) = &loaded.source_place else { return Vec::new() };
    let lines = Lines::of(&loaded.module);
    let here = loaded.module.insts().filter_map(|inst| {
        let at = lines.line(inst.index).filter(|at| at.file == place.file)?;
        Some((at.line.checked_sub(1 + place.after)? as usize, inst.index.0))
    });
    here.collect()
}

/// The sources that a module carries, with the instructions of their lines.
fn carried(module: &Module) -> Vec<(SourceFile, Vec<(usize, u32)>)> {
    let files = source_files(module);
    if files.is_empty() {
        return Vec::new();
    }
    let lines = Lines::of(module);
    let of: Vec<(SourceLine, u32)> =
        module.insts().filter_map(|inst| Some((lines.line(inst.index)?, inst.index.0))).collect();
    let with_lines = |source: SourceFile| {
        let here = of.iter().filter(|(line, _)| line.file == source.file);
        let here = here.filter_map(|(line, inst)| Some((line.line.checked_sub(1)? as usize, *inst))).collect();
        (source, here)
    };
    files.into_iter().take(MAX_SOURCES).map(with_lines).collect()
}

/// The stage of a description that a module was made for.
fn described(program: &Program, module: usize) -> Option<&StageDescription> {
    program.pipeline.as_ref()?.stages.iter().find(|stage| stage.module == Some(module))
}

/// What a module's texts are called: by its file, or by its stage or its entry point where a file has several.
fn name_of(program: &Program, index: usize, loaded: &LoadedModule) -> String {
    let file = file_name(program, loaded.input);
    match described(program, index) {
        Some(stage) if stage.entry == "main" => format!("{} of {file}", stage.stage),
        Some(stage) => format!("{} {} of {file}", stage.stage, stage.entry),
        None => {
            let several = program.modules.iter().filter(|other| other.input == loaded.input).count() > 1;
            let entry = loaded.module.entry_points().first().filter(|_| several);
            entry.map_or_else(|| file.to_owned(), |entry| format!("{} of {file}", entry.name))
        }
    }
}

fn file_name(program: &Program, input: usize) -> &str {
    let path = program.inputs.get(input).map_or("", |input| input.path.as_str());
    base_name(path)
}

fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// A container's source, its program, with debug information where it has that too, its bytes, and the sources that it
/// keeps.
fn container(program: &Program, loaded: &LoadedDxil) -> Vec<SourceText> {
    let name = file_name(program, loaded.input);
    let shown = |title: String, language, role, shown: String| {
        text(title, language, (loaded.input, role), shown, BTreeSet::new())
    };
    // Comments and words of HLSL and Slang read as GLSL's do.
    let source = loaded.source.clone();
    let source = source.map(|source| shown(name.to_owned(), Language::Glsl, TextRole::Source, source));
    let listing = loaded.dxil.disassembly();
    let listing = listing.map(|it| shown(format!("{name} (DXIL)"), Language::Dxil, TextRole::Listing, it.text));
    let debug = loaded.dxil.debug_disassembly();
    let title = format!("{name} (DXIL with debug information)");
    let debug = debug.map(|it| shown(title, Language::Dxil, TextRole::Source, it.text));
    let bytes = shown(format!("{name} (bytes)"), Language::Dxil, TextRole::Bytes, hex_text(loaded.dxil.file()));
    let sources = loaded.dxil.source_texts().into_iter();
    let sources = sources.map(|(file, source)| {
        let instructions = of_file(program, loaded.input, &file);
        let text = shown(format!("{name}: {file}"), Language::Glsl, TextRole::Source, source);
        SourceText { instructions, ..text }
    });
    source.into_iter().chain(listing).chain([bytes]).chain(debug).chain(sources).collect()
}

/// The instructions of the lines of a source that a container keeps: those of its first module that has some.
fn of_file(program: &Program, input: usize, file: &str) -> Option<Instructions> {
    let own = program.modules.iter().enumerate().filter(|(_, module)| module.input == input);
    own.into_iter().find_map(|(index, loaded)| {
        let lines = Lines::of(&loaded.module);
        let here = loaded.module.insts().filter_map(|inst| {
            let at = lines.line(inst.index).filter(|at| at.file == file)?;
            Some((at.line.checked_sub(1)? as usize, inst.index.0))
        });
        instructions(program, index, here.collect())
    })
}

fn text(
    title: String,
    language: Language,
    (input, role): (usize, TextRole),
    text: String,
    marks: BTreeSet<(usize, Varying)>,
) -> SourceText {
    let marks = marks.into_iter().map(|(line, varying)| (varying, line)).collect();
    SourceText { title, language, input, role, text, marks, instructions: None }
}

/// Which ids and which names represent which places.
#[derive(Default)]
struct Varyings {
    by_id: BTreeMap<Id, Vec<Varying>>,
    /// By structure type and member.
    by_member: BTreeMap<(Id, u32), Vec<Varying>>,
    /// Variables whose structure is in `by_member`.
    blocks: BTreeMap<Id, Id>,
    by_name: BTreeMap<String, Vec<Varying>>,
}

impl Varyings {
    fn of(program: &Program, index: usize, module: &Module) -> Varyings {
        let mut out = Varyings::default();
        for stage in program.stages.iter().filter(|stage| stage.module == index) {
            let Some(entry) = module.entry_points().get(stage.entry_index) else { continue };
            for &variable in &entry.interface {
                out.add(module, stage.stage, variable);
            }
        }
        out
    }

    fn add(&mut self, module: &Module, stage: StageKind, variable: Id) {
        let Some(Type::Pointer { class: Some(class), pointee }) = module.type_of(variable).and_then(|id| module.ty(id))
        else {
            return;
        };
        // Attributes of vertices and colours of attachments lie outside: they connect no two stages.
        let between_stages = match class {
            StorageClass::Input => stage != StageKind::Vertex,
            StorageClass::Output => stage != StageKind::Fragment,
            _ => false,
        };
        if !between_stages {
            return;
        }
        let patch = module.is_decorated(variable, None, Decoration::Patch);
        let value = if per_vertex(stage, class) && !patch { element(module, pointee) } else { pointee };
        let own = module.decoration(variable, None, Decoration::Location);
        let component = component(module, variable, None);
        let mut known = BTreeMap::new();

        if let Some(Type::Struct { members }) = module.ty(value) {
            let mut next = own;
            for (member, &member_type) in (0u32..).zip(members) {
                let at = module.decoration(value, Some(member), Decoration::Location).or(next);
                let Some(location) = at else { continue };
                let count = locations(module, Id(member_type), &mut known);
                next = Some(location.saturating_add(count));
                let places = places(location, count, self::component(module, value, Some(member)));
                if let Some(name) = module.member_name(value, member) {
                    self.by_name.entry(name.to_owned()).or_default().extend(&places);
                }
                self.by_id.entry(variable).or_default().extend(&places);
                self.by_member.insert((value, member), places);
                self.blocks.insert(variable, value);
            }
        } else if let Some(location) = own {
            let places = places(location, locations(module, value, &mut known), component);
            if let Some(name) = module.name(variable) {
                self.by_name.entry(name.to_owned()).or_default().extend(&places);
            }
            self.by_id.entry(variable).or_default().extend(places);
        }
    }
}

/// Whether a stage's inputs or outputs are arrays over vertices.
fn per_vertex(stage: StageKind, class: StorageClass) -> bool {
    match stage {
        StageKind::TessControl => true,
        StageKind::TessEval | StageKind::Geometry => class == StorageClass::Input,
        StageKind::Mesh => class == StorageClass::Output,
        _ => false,
    }
}

fn element(module: &Module, id: Id) -> Id {
    match module.ty(id) {
        Some(Type::Array { element, .. } | Type::RuntimeArray { element }) => element,
        _ => id,
    }
}

fn component(module: &Module, target: Id, member: Option<u32>) -> Option<u8> {
    module.decoration(target, member, Decoration::Component).and_then(|c| u8::try_from(c).ok())
}

fn places(location: u32, count: u32, component: Option<u8>) -> Vec<Varying> {
    (0..count.min(MAX_LOCATIONS))
        .filter_map(|i| location.checked_add(i))
        .map(|location| Varying { location, component })
        .collect()
}

/// How many locations a type takes (Vulkan specification, 'Location Assignment').
///
/// `known` holds what was counted before: structures that share members would else be walked once a path.
fn locations(module: &Module, id: Id, known: &mut BTreeMap<Id, u32>) -> u32 {
    if let Some(&count) = known.get(&id) {
        return count;
    }
    // SPIR-V has no recursive types; a broken module may, and then finds this.
    known.insert(id, 1);
    let mut inner = |id| locations(module, id, known);
    let count = match module.ty(id) {
        Some(Type::Vector { component, count }) => {
            let wide = matches!(module.ty(component), Some(Type::Float { bits: 64 } | Type::Int { bits: 64, .. }));
            if wide && count > 2 { 2 } else { 1 }
        }
        Some(Type::Matrix { column, count }) => inner(column).saturating_mul(count),
        Some(Type::Array { element, length }) => {
            inner(element).saturating_mul(module.array_length(length).unwrap_or(1))
        }
        Some(Type::Struct { members }) => {
            members.iter().fold(0u32, |sum, &member| sum.saturating_add(inner(Id(member))))
        }
        _ => 1,
    };
    known.insert(id, count);
    count
}

/// Marks instructions that name a varying's variable, its member, or a pointer into it.
fn spirv_marks(listing: &str, module: &Module, varyings: &Varyings) -> BTreeSet<(usize, Varying)> {
    let lines = instruction_lines(listing);
    let mut marks = BTreeSet::new();
    if lines.len() != module.len() {
        return marks;
    }
    let mut pointers = varyings.by_id.clone();
    for (inst, line) in module.insts().zip(lines) {
        let mut mark = |places: &[Varying]| marks.extend(places.iter().map(|&place| (line, place)));
        match inst.op() {
            // Names the whole interface at once.
            Some(Op::EntryPoint) => {}
            Some(Op::MemberName | Op::MemberDecorate) => {
                if let Some(places) = varyings.by_member.get(&(inst.id_at(1), inst.word_at(2))) {
                    mark(places);
                }
            }
            _ if inst.is_access_chain() => {
                let base = inst.id_at(3);
                let Some(places) = pointers.get(&base) else { continue };
                let member = inst.words_from(4).first().and_then(|&index| module.constant(Id(index)));
                let structure = varyings.blocks.get(&base);
                let of_member = structure
                    .zip(member.and_then(|constant| constant.as_u32()))
                    .and_then(|(&structure, member)| varyings.by_member.get(&(structure, member)));
                let places = of_member.unwrap_or(places).clone();
                mark(&places);
                if let Some(result) = inst.result() {
                    pointers.insert(result, places);
                }
            }
            _ => {
                let mut named: Vec<Id> = inst.result().into_iter().collect();
                // An instruction of unknown shape may name anything; it is not marked.
                let _ = module.for_each_id_used(&inst, |id| named.push(id));
                for id in named {
                    if let Some(places) = pointers.get(&id) {
                        mark(places);
                    }
                }
            }
        }
    }
    marks
}

/// The line on which each instruction of a listing begins, from 0. A string may hold line breaks.
pub fn instruction_lines(listing: &str) -> Vec<usize> {
    let mut lines = Vec::new();
    let mut in_string = false;
    for (number, line) in listing.lines().enumerate() {
        let code = line.trim_start();
        if !in_string {
            if code.is_empty() || code.starts_with(';') {
                continue;
            }
            lines.push(number);
        }
        let mut escaped = false;
        for c in line.chars() {
            match c {
                _ if escaped => escaped = false,
                '\\' if in_string => escaped = true,
                '"' => in_string = !in_string,
                ';' if !in_string => break,
                _ => {}
            }
        }
    }
    lines
}

/// Marks lines whose code has the name of a varying or of a block's member.
fn glsl_marks(source: &str, varyings: &Varyings) -> BTreeSet<(usize, Varying)> {
    let mut marks = BTreeSet::new();
    let mut in_comment = false;
    for (number, line) in source.lines().enumerate() {
        let code = without_comments(line, &mut in_comment);
        for word in code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
            if let Some(places) = varyings.by_name.get(word) {
                marks.extend(places.iter().map(|&place| (number, place)));
            }
        }
    }
    marks
}

fn without_comments(line: &str, in_comment: &mut bool) -> String {
    let mut code = String::with_capacity(line.len());
    let mut rest = line;
    loop {
        if *in_comment {
            let Some((_, after)) = rest.split_once("*/") else { return code };
            *in_comment = false;
            rest = after;
        }
        let block = rest.find("/*");
        let line_comment = rest.find("//");
        match (block, line_comment) {
            (Some(block), end) if end.is_none_or(|end| block < end) => {
                code.push_str(&rest[..block]);
                code.push(' ');
                rest = &rest[block + 2..];
                *in_comment = true;
            }
            (_, Some(end)) => {
                code.push_str(&rest[..end]);
                return code;
            }
            _ => {
                code.push_str(rest);
                return code;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instruction_has_its_line() {
        let listing = "; SPIR-V\n; Bound: 3\n               OpCapability Shader\n          %1 = OpString \"one \\\" ;\n\
                       two\"\n\n               OpName %2 \"a\" ; why\n";
        assert_eq!(instruction_lines(listing), [2, 3, 6]);
    }

    #[test]
    fn names_in_comments_are_not_uses() {
        let varyings = Varyings {
            by_name: BTreeMap::from([("uv".to_owned(), vec![Varying { location: 1, component: None }])]),
            ..Varyings::default()
        };
        let source = "in vec2 uv; // uv\n// uv\nuvw /* uv\nuv */ x;\na = texture(t, uv.xy);";
        let lines: Vec<_> = glsl_marks(source, &varyings).into_iter().map(|(line, _)| line).collect();
        assert_eq!(lines, [0, 4]);
    }

    #[test]
    fn shows_the_source_in_a_module_with_the_instructions_of_its_lines() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a.spvasm");
        let listing = "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n\
             OpExecutionMode %main LocalSize 1 1 1\n%file = OpString \"/src/a.comp\"\n\
             OpSource GLSL 450 %file \"void main()\n{\n  x;\n}\"\n%void = OpTypeVoid\n%uint = OpTypeInt 32 0\n\
             %c1 = OpConstant %uint 1\n%type = OpTypeFunction %void\n%main = OpFunction %void None %type\n\
             %entry = OpLabel\nOpLine %file 3 1\n%a = OpIAdd %uint %c1 %c1\n%b = OpIMul %uint %a %a\nOpNoLine\n\
             OpReturn\nOpFunctionEnd\n";
        std::fs::write(&path, listing).expect("writes");
        let program = lanescope_core::load::load(&[path], &[]).expect("it loads");
        let disassemble = |module: &Module| lanescope_core::load::disassemble(module).expect("disassembles");
        let texts = texts(&program, disassemble);
        let titles: Vec<_> = texts.iter().map(|text| text.title.as_str()).collect();
        assert_eq!(titles, ["a.spvasm", "a.spvasm (SPIR-V)", "a.comp in a.spvasm"]);
        let instructions = |index: usize| texts[index].instructions.as_ref().expect("it has some");
        let code = instructions(2).code(2).expect("line 3");
        assert_eq!((code.module, code.instructions.len()), (0, 2));
        assert_eq!(instructions(2).code(1), None);
        assert_eq!(instructions(2).stages, [StageKind::Compute]);
        for (index, text) in texts.iter().take(2).enumerate() {
            let line = instructions(index).first_line(&code).expect("it is listed");
            assert!(text.text.lines().nth(line).is_some_and(|line| line.contains("OpIAdd")), "{}", text.title);
        }
    }
}
