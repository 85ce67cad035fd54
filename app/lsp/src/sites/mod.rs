//! Places in sources that a report says something about: declarations of varyings, descriptors, workgroup sizes and work
//! graph nodes.
//!
//! The text says where a name is declared, the module what has that name. A declaration that could be of several
//! variables, or a variable that could have several declarations in a file, has no site.

mod roles;
mod texts;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use lanescope_core::packing::Packing;
use lanescope_core::program::{Format, LoadedModule, Program, Stage};
use lanescope_core::report::Report;
use lanescope_core::spirv::Module;
use lanescope_core::spirv::enums::Op;
use lanescope_inspector::selection::Varying;

use crate::position::Lines;
use crate::source::{Declaration, Declared, Language, Sides};
use roles::{of_instructions, of_nodes, roles, roles_of_dxil};
use texts::Sources;

/// A source, and its sites in the order of the text.
#[derive(Debug, Clone)]
pub struct Source {
    /// The file.
    pub path: PathBuf,
    /// Its text; of a section all of the file's, in which only the section is not blank.
    pub text: String,
    /// The bytes of a shader in a description of several; absent where the file is one source.
    pub section: Option<Range<usize>>,
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
    let mut all = Sources::new(read);
    // A file that did not become a module is one of the program too.
    for (input, path) in program.inputs.iter().zip(files) {
        all.get(path, Language::of(input.format));
    }
    for (index, module) in program.modules.iter().enumerate() {
        let Some(path) = files.get(module.input) else { continue };
        let stages: Vec<&Stage> = program.stages.iter().filter(|stage| stage.module == index).collect();
        match language(program, index, module) {
            Some(Some(language)) => {
                all.add_module(path, index, module, language, |declared| roles(report, module, &stages, declared));
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
        self.is(other) || !self.modules.is_disjoint(&other.modules)
    }

    /// Whether both are the same file, or the same section of one.
    pub fn is(&self, other: &Source) -> bool {
        self.path == other.path && self.section == other.section
    }

    /// Whether a text is the one of its file, as far as this source is of it.
    pub fn is_of(&self, file: &str) -> bool {
        match &self.section {
            None => self.text == file,
            Some(bytes) => self.text.len() == file.len() && self.text.get(bytes.clone()) == file.get(bytes.clone()),
        }
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

/// The source of a file at an offset: the section there, else all of the file.
pub fn source_at<'s>(sources: &'s [Source], path: &Path, offset: usize) -> Option<&'s Source> {
    let of_file = || sources.iter().filter(|source| source.path == path);
    let is_there =
        |source: &&Source| source.section.as_ref().is_some_and(|bytes| bytes.start <= offset && offset <= bytes.end);
    of_file().find(is_there).or_else(|| of_file().find(|source| source.section.is_none()))
}

/// A text of which all but some bytes are blank. Lines stay as they are.
pub fn only(text: &str, bytes: &Range<usize>) -> String {
    let blank = |part: &str| -> String {
        let signs = part.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { ' ' });
        signs.collect()
    };
    let [before, own, after] = [0..bytes.start, bytes.clone(), bytes.end..text.len()];
    let part = |range: Range<usize>| text.get(range).unwrap_or_default();
    format!("{}{}{}", blank(part(before)), part(own), blank(part(after)))
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

#[cfg(test)]
mod tests {
    use super::*;

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
