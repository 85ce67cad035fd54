//! Places in sources that a report says something about: declarations of varyings, descriptors, workgroup sizes and work
//! graph nodes.
//!
//! The text says where a name is declared, the module what has that name. A declaration that could be of several
//! variables, or a variable that could have several declarations in a file, has no site.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use lanescope_core::graph::{Edge, WorkGraph};
use lanescope_core::ids::{Component, Id, Location};
use lanescope_core::packing::Packing;
use lanescope_core::program::{Format, LoadedModule, Program, Stage};
use lanescope_core::report::Report;
use lanescope_core::spirv::Module;
use lanescope_core::spirv::enums::{Decoration, ExecutionMode, Op, StorageClass};
use lanescope_host::worker::instruction_lines;
use lanescope_inspector::selection::Varying;

use crate::position::Lines;
use crate::source::{Declaration, Declared, Language, Semantic, Sides};

/// A source, and its sites in the order of the text.
#[derive(Debug, Clone)]
pub struct Source {
    /// The file.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// The lines of the text.
    pub lines: Lines,
    /// The language; none where it is assembly.
    pub language: Option<Language>,
    /// What is declared in it.
    pub sites: Vec<Site>,
    /// The program's modules that it is compiled for.
    pub modules: BTreeSet<usize>,
    /// Names of variables and parameters of those modules.
    pub variables: BTreeSet<String>,
}

/// A declaration that a report says something about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// The bytes of the name; of a workgroup size those of all of it.
    pub range: Range<usize>,
    /// The name.
    pub name: String,
    /// What it is.
    pub role: Role,
}

/// What is declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// A varying.
    Varying {
        /// Index of its interface: the fragment shader's is 0 where there is one, then the inner ones.
        interface: usize,
        /// Whether the previous stage writes it.
        is_output: bool,
        /// Its scalars, by their places as written.
        scalars: Vec<Varying>,
    },
    /// The workgroup size of an entry point: its index among the report's layouts.
    Workgroup(usize),
    /// A descriptor of a stage.
    Descriptor {
        /// Index among the stages whose layout is guessed.
        stage: usize,
        /// Descriptor set.
        set: u32,
        /// Binding.
        binding: u32,
    },
    /// A node of the work graph: its index.
    Node(usize),
    /// An output of a node.
    NodeOutput {
        /// Index of the node.
        node: usize,
        /// Index of the output.
        output: usize,
        /// The nodes that it reaches.
        targets: BTreeSet<usize>,
    },
}

/// The interfaces of a report.
pub fn interfaces(report: &Report) -> Vec<&Packing> {
    report.packing.iter().chain(&report.inner_packing).collect()
}

/// The sources of a program, with their sites. `files` are the pipeline's, and `read` gives the text of a file.
pub fn sources(
    program: &Program,
    report: &Report,
    files: &[PathBuf],
    read: &dyn Fn(&Path) -> Option<String>,
) -> Vec<Source> {
    let mut all = Sources { read, list: Vec::new() };
    // A file that did not become a module is one of the program too.
    for (input, path) in program.inputs.iter().zip(files) {
        all.get(path, Language::of(input.format));
    }
    for (index, module) in program.modules.iter().enumerate() {
        let Some(path) = files.get(module.input) else { continue };
        let stages: Vec<&Stage> = program.stages.iter().filter(|stage| stage.module == index).collect();
        match language(program, index, module) {
            Some(Some(language)) => {
                all.add_section(path, module, language, |declared| roles(report, module, &stages, declared));
                all.note(path, index);
                for include in &module.includes {
                    let include = path.parent().unwrap_or(Path::new("/")).join(include);
                    all.add(&include, language, |declared| roles(report, module, &stages, declared));
                    all.note(&include, index);
                }
            }
            Some(None) => all.add_assembly(path, module, |module| of_instructions(report, module, &stages)),
            None => {}
        }
        // A module that was converted from DXIL has the semantics of the source, not its names.
        let compiled = program.dxil.iter().find(|one| one.input == module.input);
        if let Some((compiled, text)) = compiled.and_then(|one| Some((one, one.source.as_ref()?))) {
            let includes = compiled.includes.iter().map(|one| path.parent().unwrap_or(Path::new("/")).join(one));
            let includes: Vec<PathBuf> = includes.collect();
            let texts: Vec<String> = includes.iter().filter_map(|one| read(one)).chain([text.clone()]).collect();
            let tokens: Vec<_> = texts.iter().map(|text| Language::Hlsl.tokens(text)).collect();
            let sides = stages.iter().map(|stage| (*stage, Sides::of(&tokens, &stage.entry)));
            let sides: Vec<(&Stage, Option<Sides>)> = sides.collect();
            let roles = |declared: &Declared| roles_of_dxil(report, module, &sides, declared);
            all.add_same(path, text, Language::Hlsl, roles);
            all.note(path, index);
            for include in includes {
                all.add(&include, Language::Hlsl, roles);
                all.note(&include, index);
            }
        }
    }
    for compiled in &program.dxil {
        let (Some(graph), Some(text), Some(path)) = (&report.graph, &compiled.source, files.get(compiled.input)) else {
            continue;
        };
        let roles = |declared: &Declared| of_nodes(graph, compiled.input, declared);
        all.add_same(path, text, Language::Hlsl, roles);
        for include in &compiled.includes {
            all.add(&path.parent().unwrap_or(Path::new("/")).join(include), Language::Hlsl, roles);
        }
    }
    let variables: Vec<BTreeSet<String>> = program.modules.iter().map(|module| variables(&module.module)).collect();
    for source in &mut all.list {
        let of_source = source.modules.iter().filter_map(|index| variables.get(*index));
        source.variables = of_source.flatten().cloned().collect();
        source.sites.sort_by_key(|site| (site.range.start, site.range.end));
        source.sites.dedup();
        drop_ambiguous(&mut source.sites);
    }
    all.list
}

/// Names of the variables and parameters of a module.
fn variables(module: &Module) -> BTreeSet<String> {
    let has_value = |inst: &lanescope_core::spirv::Inst<'_>| {
        matches!(inst.op(), Some(Op::Variable | Op::FunctionParameter | Op::UntypedVariableKHR))
    };
    let names = module.insts().filter(has_value).filter_map(|inst| module.name(inst.result()?));
    names.filter(|name| !name.is_empty()).map(|name| name.to_string()).collect()
}

/// The language of a module's source, none inside where it is assembly; none where there is no source.
fn language(program: &Program, index: usize, module: &LoadedModule) -> Option<Option<Language>> {
    module.source.as_ref()?;
    let described =
        program.pipeline.as_ref().and_then(|one| one.stages.iter().find(|stage| stage.module == Some(index)));
    let format = program.inputs.get(module.input)?.format;
    match described.map(|stage| stage.shader.as_str()) {
        Some("SPIR-V text") => Some(None),
        Some("HLSL") => Some(Some(Language::Hlsl)),
        Some("GLSL") => Some(Some(Language::Glsl)),
        Some(_) => None,
        None if format == Format::Spvasm => Some(None),
        None => Language::of(format).map(Some),
    }
}

/// Sources that are met.
struct Sources<'a> {
    read: &'a dyn Fn(&Path) -> Option<String>,
    list: Vec<Source>,
}

impl Sources<'_> {
    /// A source, read where it was not yet.
    fn get(&mut self, path: &Path, language: Option<Language>) -> Option<&mut Source> {
        let known = self.list.iter().position(|source| source.path == path);
        let at = match known {
            Some(at) => at,
            None => {
                let text = (self.read)(path)?;
                let lines = Lines::of(&text);
                self.list.push(Source {
                    path: path.to_owned(),
                    text,
                    lines,
                    language,
                    sites: Vec::new(),
                    modules: BTreeSet::new(),
                    variables: BTreeSet::new(),
                });
                self.list.len() - 1
            }
        };
        self.list.get_mut(at)
    }

    /// Notes that a source is compiled for a module.
    fn note(&mut self, path: &Path, module: usize) {
        for source in self.list.iter_mut().filter(|source| source.path == path) {
            source.modules.insert(module);
        }
    }

    /// Adds the sites of a whole file.
    fn add(&mut self, path: &Path, language: Language, roles: impl Fn(&Declared) -> Vec<Role>) {
        if let Some(source) = self.get(path, Some(language)) {
            let all = language.declarations(&source.text);
            source.add(all, 0, roles);
        }
    }

    /// Adds the sites of a whole file, whose text has to be the one that was compiled.
    fn add_same(&mut self, path: &Path, text: &str, language: Language, roles: impl Fn(&Declared) -> Vec<Role>) {
        if let Some(source) = self.get(path, Some(language)).filter(|source| source.text.trim_end() == text.trim_end())
        {
            source.add(language.declarations(text), 0, roles);
        }
    }

    /// Adds the sites of a module's own text, which may be a part of its file.
    fn add_section(
        &mut self,
        path: &Path,
        module: &LoadedModule,
        language: Language,
        roles: impl Fn(&Declared) -> Vec<Role>,
    ) {
        let Some(text) = &module.source else { return };
        let after = module.source_place.as_ref().map_or(0, |place| place.after as usize);
        let Some(source) = self.get(path, Some(language)) else { return };
        let begin = source.lines.range(&source.text, after).start;
        // The text of another state of the file, or one that was put together, has other places.
        if source.text.get(begin..).is_some_and(|rest| rest.starts_with(text.trim_end())) {
            source.language = Some(language);
            source.add(language.declarations(text), begin, roles);
        }
    }

    /// Adds the sites of an assembly, by its instructions.
    fn add_assembly(&mut self, path: &Path, module: &LoadedModule, roles: impl Fn(&Module) -> Vec<(u32, Vec<Role>)>) {
        let Some(text) = &module.source else { return };
        let Some(source) = self.get(path, None) else { return };
        let Some(begin) = source.text.find(text.trim_end()) else { return };
        let lines = instruction_lines(text);
        if lines.len() != module.module.len() {
            return;
        }
        let own = Lines::of(text);
        for (instruction, roles) in roles(&module.module) {
            let Some(&line) = lines.get(instruction as usize) else { continue };
            let range = own.range(text, line);
            let code = text.get(range.clone()).unwrap_or_default();
            let start = range.start + (code.len() - code.trim_start().len());
            let word = code.trim_start().split(char::is_whitespace).next().unwrap_or_default();
            let range = begin + start..begin + start + word.len();
            let name = word.trim_start_matches('%').to_owned();
            let sites = roles.into_iter().map(|role| Site { range: range.clone(), name: name.clone(), role });
            source.sites.extend(sites);
        }
    }
}

impl Source {
    fn add(&mut self, all: Vec<Declaration>, begin: usize, roles: impl Fn(&Declared) -> Vec<Role>) {
        for Declaration { range, what } in all {
            let range = begin + range.start..begin + range.end;
            let name = self.text.get(range.clone()).unwrap_or_default().to_owned();
            let sites = roles(&what).into_iter().map(|role| Site { range: range.clone(), name: name.clone(), role });
            self.sites.extend(sites);
        }
    }

    /// The sites that a name at an offset refers to: the one that is declared there, else all of that name.
    pub fn at(&self, offset: usize) -> Vec<&Site> {
        let here: Vec<&Site> =
            self.sites.iter().filter(|site| site.range.start <= offset && offset <= site.range.end).collect();
        if !here.is_empty() {
            return here;
        }
        let is_code = |word: &Range<usize>| match self.language {
            Some(language) => language.tokens(&self.text).iter().any(|token| token.range() == *word),
            None => true,
        };
        let Some(word) = crate::source::tokens::word_at(&self.text, offset).filter(is_code) else { return Vec::new() };
        let name = self.text.get(word).unwrap_or_default();
        let named = self.sites.iter().filter(|site| site.name == name && !matches!(site.role, Role::Workgroup(_)));
        // A parameter is that of the function around: the last one before.
        let is_output = |site: &&Site| matches!(site.role, Role::NodeOutput { .. });
        let last = named.clone().filter(is_output).map(|site| site.range.start).filter(|at| *at <= offset).max();
        named.filter(|site| !is_output(site) || Some(site.range.start) == last).collect()
    }

    /// Whether both are compiled for one module: a name of one may be that of the other.
    pub fn is_compiled_with(&self, other: &Source) -> bool {
        self.path == other.path || !self.modules.is_disjoint(&other.modules)
    }

    /// The variables that a range of bytes names, outside of comments. A name after a dot is that of a member.
    pub fn variables_in(&self, range: Range<usize>) -> Vec<(&str, Range<usize>)> {
        let Some(language) = self.language else { return Vec::new() };
        let tokens = language.tokens(&self.text);
        let mut before = "";
        let mut out = Vec::new();
        for token in tokens {
            let is_variable = token.is_word() && before != "." && self.variables.contains(token.text);
            if is_variable && range.contains(&token.at) {
                out.push((token.text, token.range()));
            }
            before = token.text;
        }
        out
    }

    /// The places where a name is used or declared, outside of comments.
    pub fn uses(&self, name: &str) -> Vec<Range<usize>> {
        match self.language {
            Some(language) => {
                let tokens = language.tokens(&self.text);
                tokens.iter().filter(|token| token.text == name).map(|token| token.range()).collect()
            }
            None => {
                let joins = |c: char| c.is_alphanumeric() || c == '_';
                let own = format!("%{name}");
                let all = self.text.match_indices(&own).map(|(at, own)| at..at + own.len());
                all.filter(|range| !self.text.get(range.end..).unwrap_or_default().starts_with(joins)).collect()
            }
        }
    }
}

/// Leaves out declarations of one thing that has several in a file: one of them is left out by a condition.
fn drop_ambiguous(sites: &mut Vec<Site>) {
    let mut ranges: BTreeMap<String, Vec<Range<usize>>> = BTreeMap::new();
    let key = |role: &Role| match role {
        Role::Varying { interface, is_output, scalars } => {
            let places: Vec<String> =
                scalars.iter().map(|one| format!("{}.{}", one.location, one.component.unwrap_or(0))).collect();
            format!("varying {interface} {is_output} {}", places.join(" "))
        }
        Role::Workgroup(index) => format!("workgroup {index}"),
        Role::Descriptor { stage, set, binding } => format!("descriptor {stage} {set} {binding}"),
        Role::Node(node) => format!("node {node}"),
        Role::NodeOutput { node, output, .. } => format!("node {node} output {output}"),
    };
    for site in sites.iter() {
        let ranges = ranges.entry(key(&site.role)).or_default();
        if !ranges.contains(&site.range) {
            ranges.push(site.range.clone());
        }
    }
    sites.retain(|site| ranges.get(&key(&site.role)).is_none_or(|ranges| ranges.len() == 1));
}

/// What a declaration of a module's source is.
fn roles(report: &Report, module: &LoadedModule, stages: &[&Stage], declared: &Declared) -> Vec<Role> {
    let mut out = Vec::new();
    for stage in stages {
        match declared {
            Declared::Varying { of, name, is_output, .. } => {
                // Where the text says the side, it says whether a name is that of a variable or of a member.
                let is_named = |full: &str| is_named(full, of, name, is_output.is_none());
                let sides = [false, true].into_iter().filter(|side| is_output.is_none_or(|own| own == *side));
                out.extend(sides.flat_map(|side| varyings(report, stage, side, &|_, full| is_named(full))));
            }
            Declared::WorkgroupSize { entry } => {
                let of_entry = |own: &str| entry.as_ref().is_none_or(|entry| entry == own);
                out.extend(workgroups(report, stage).filter(|_| of_entry(&stage.entry)));
            }
            Declared::Descriptor { names, place } => {
                let is_named = |own: Option<&str>| own.is_some_and(|own| names.iter().any(|name| name == own));
                out.extend(descriptors(report, module.input, stage, |at, own| {
                    place.map_or_else(|| is_named(own), |place| place == at)
                }));
            }
            Declared::Node { .. } | Declared::NodeOutput { .. } => {}
        }
    }
    out.dedup();
    out
}

/// What a declaration of a source is that was compiled to DXIL.
fn roles_of_dxil(
    report: &Report,
    module: &LoadedModule,
    stages: &[(&Stage, Option<Sides>)],
    declared: &Declared,
) -> Vec<Role> {
    let mut out = Vec::new();
    for (stage, sides) in stages {
        match declared {
            Declared::Varying { semantic: Some(semantic), .. } => {
                let is_on = |side: &bool| sides.as_ref().is_none_or(|sides| sides.has(&semantic.holder, *side));
                let own = [false, true].into_iter().filter(is_on);
                out.extend(own.flat_map(|side| of_semantic(report, stage, side, semantic)));
            }
            Declared::Varying { .. } | Declared::Node { .. } | Declared::NodeOutput { .. } => {}
            Declared::WorkgroupSize { .. } | Declared::Descriptor { .. } => {
                out.extend(roles(report, module, &[*stage], declared));
            }
        }
    }
    out.dedup();
    out
}

/// What a declaration of a source is in a work graph: a function may be several nodes.
fn of_nodes(graph: &WorkGraph, input: usize, declared: &Declared) -> Vec<Role> {
    let nodes = |function: &str| {
        let all = graph.nodes.iter().enumerate().filter(|(_, node)| node.input == input && node.name == function);
        all.map(|(index, _)| index).collect::<Vec<usize>>()
    };
    match declared {
        Declared::Node { function } => nodes(function).into_iter().map(Role::Node).collect(),
        Declared::NodeOutput { function, output } => {
            let has = |node: &usize| graph.nodes[*node].outputs.get(*output).is_some();
            let role = |node: usize| {
                let is_its = |edge: &&Edge| edge.from == node && edge.slot.is_some_and(|slot| slot.output == *output);
                let targets = graph.edges.iter().filter(is_its).map(|edge| edge.to).collect();
                Role::NodeOutput { node, output: *output, targets }
            };
            nodes(function).into_iter().filter(has).map(role).collect()
        }
        _ => Vec::new(),
    }
}

/// The varyings of a stage on one side that have a semantic.
fn of_semantic(report: &Report, stage: &Stage, is_output: bool, semantic: &Semantic) -> Vec<Role> {
    let all = varyings(report, stage, is_output, &|_, _| true);
    let kept = all.into_iter().filter_map(|role| {
        let Role::Varying { interface, is_output, mut scalars } = role else { return None };
        let packing = *interfaces(report).get(interface)?;
        scalars.retain(|scalar| {
            let at = packing.semantic(Location(scalar.location), Component(scalar.component.unwrap_or(0)));
            at.is_some_and(|place| semantic.has_row(&place.semantic))
        });
        (!scalars.is_empty()).then_some(Role::Varying { interface, is_output, scalars })
    });
    kept.collect()
}

/// Whether the full name of a scalar, `block.member[1]`, is that of a declaration; of any variable's member where `may_be_of_any`.
fn is_named(full: &str, of: &[String], name: &str, may_be_of_any: bool) -> bool {
    let mut parts = full.split('.').map(|part| part.split('[').next().unwrap_or_default());
    let (root, member) = (parts.next().unwrap_or_default(), parts.next());
    match of {
        [] => root == name || may_be_of_any && member == Some(name),
        of => (root.is_empty() || of.iter().any(|own| own == root)) && member == Some(name),
    }
}

/// The varyings of a stage on one side whose variable and full name are of interest.
fn varyings(report: &Report, stage: &Stage, is_output: bool, is: &dyn Fn(Id, &str) -> bool) -> Vec<Role> {
    let mut out = Vec::new();
    for (interface, packing) in interfaces(report).into_iter().enumerate() {
        let at = |location: u32, component: u8| Varying { location, component: Some(component) };
        let mut scalars: Vec<Varying> = match is_output {
            false if packing.consumer == stage.stage => packing
                .interface
                .iter()
                .filter(|scalar| scalar.input_id.is_some_and(|id| is(id, &scalar.variable)))
                .map(|scalar| at(scalar.location.0, scalar.component.0))
                .collect(),
            true if packing.producer == Some(stage.stage) => {
                let kept = packing.outputs.iter().filter(|output| is(output.variable_id, &output.variable));
                let kept = kept.map(|output| at(output.from.location.0, output.from.component.0));
                let dropped = packing.dropped.iter().filter(|output| is(output.variable_id, &output.variable));
                kept.chain(dropped.map(|output| at(output.location.0, output.component.0))).collect()
            }
            _ => continue,
        };
        scalars.sort_unstable();
        scalars.dedup();
        if !scalars.is_empty() {
            out.push(Role::Varying { interface, is_output, scalars });
        }
    }
    out
}

fn workgroups(report: &Report, stage: &Stage) -> impl Iterator<Item = Role> {
    let is = |layout: &lanescope_core::workgroup::Layout| layout.entry == stage.entry && layout.stage == stage.stage;
    report.workgroup.iter().position(is).map(Role::Workgroup).into_iter()
}

/// The descriptors of a stage whose place, or name, is of interest.
fn descriptors(
    report: &Report,
    input: usize,
    stage: &Stage,
    is: impl Fn((u32, u32), Option<&str>) -> bool,
) -> Vec<Role> {
    let mut out = Vec::new();
    for (index, guessed) in report.partial.iter().enumerate() {
        if (guessed.input, guessed.stage, &guessed.entry) != (input, stage.stage, &stage.entry) {
            continue;
        }
        let found = guessed.layout.nodes().filter(|(node, _)| is(node.at(), node.name.as_deref()));
        out.extend(found.map(|(node, _)| Role::Descriptor { stage: index, set: node.set, binding: node.binding }));
    }
    out
}

/// What the instructions of an assembly declare, by their index.
fn of_instructions(report: &Report, module: &Module, stages: &[&Stage]) -> Vec<(u32, Vec<Role>)> {
    let mut out = Vec::new();
    for inst in module.globals() {
        let mut found = Vec::new();
        for stage in stages {
            match (inst.op(), inst.result()) {
                (Some(Op::Variable), Some(id)) => {
                    let is_output = module.pointer_class(id) == Some(StorageClass::Output);
                    found.extend(varyings(report, stage, is_output, &|own, _| own == id));
                    let decorated = |kind| module.decoration(id, None, kind);
                    if let Some(binding) = decorated(Decoration::Binding) {
                        let place = (decorated(Decoration::DescriptorSet).unwrap_or(0), binding);
                        let input =
                            report.partial.iter().find(|one| one.entry == stage.entry).map_or(0, |one| one.input);
                        found.extend(descriptors(report, input, stage, |at, _| at == place));
                    }
                }
                (Some(Op::ExecutionMode), _) if is_size(inst.word_at(2)) => {
                    let entry = module.entry_points().get(stage.entry_index);
                    let is_its = entry.is_some_and(|entry| entry.function == inst.id_at(1));
                    found.extend(workgroups(report, stage).filter(|_| is_its));
                }
                _ => {}
            }
        }
        if !found.is_empty() {
            out.push((inst.index.0, found));
        }
    }
    out
}

fn is_size(mode: u32) -> bool {
    mode == ExecutionMode::LocalSize as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_scalars_are_those_of_declarations() {
        let block = ["inst".to_owned(), "Block".to_owned()];
        for (full, of, name, any, is) in [
            ("a", &[][..], "a", false, true),
            ("a[1]", &[], "a", false, true),
            ("s.a", &[], "a", false, false),
            ("v.uv", &[], "uv", true, true),
            ("v.inner.uv", &[], "uv", true, false),
            ("inst.d[0]", &block, "d", false, true),
            ("Block.d", &block, "d", false, true),
            ("other.d", &block, "d", false, false),
            (".d", &block, "d", false, true),
            ("d", &block, "d", false, false),
        ] {
            assert_eq!(is_named(full, of, name, any), is, "{full} {name}");
        }
    }

    #[test]
    fn what_is_declared_twice_has_no_site() {
        let site = |start: usize, role: Role| Site { range: start..start + 1, name: "a".to_owned(), role };
        let workgroup = |start| site(start, Role::Workgroup(0));
        let descriptor = |start, stage| site(start, Role::Descriptor { stage, set: 0, binding: 1 });
        let mut sites = vec![workgroup(0), workgroup(9), descriptor(20, 0), descriptor(20, 1)];
        drop_ambiguous(&mut sites);
        assert_eq!(sites, [descriptor(20, 0), descriptor(20, 1)]);
    }
}
