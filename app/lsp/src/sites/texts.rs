//! The sources that a program is made of, as they are met.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use lanescope_core::program::LoadedModule;
use lanescope_core::spirv::Module;
use lanescope_host::worker::instruction_lines;

use super::{Role, Site, Source, only};
use crate::position::Lines;
use crate::source::{Declared, Language};

/// Sources that are met.
pub struct Sources<'a> {
    read: &'a dyn Fn(&Path) -> Option<String>,
    pub list: Vec<Source>,
}

impl<'a> Sources<'a> {
    /// None yet; `read` gives the text of a file.
    pub fn new(read: &'a dyn Fn(&Path) -> Option<String>) -> Sources<'a> {
        Sources { read, list: Vec::new() }
    }

    /// A source, read where it was not yet.
    pub fn get(&mut self, path: &Path, language: Option<Language>) -> Option<&mut Source> {
        let known = self.list.iter().position(|source| source.path == path && source.section.is_none());
        let at = match known {
            Some(at) => at,
            None => {
                let text = (self.read)(path)?;
                let lines = Lines::of(&text);
                self.list.push(Source {
                    path: path.to_owned(),
                    text,
                    section: None,
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

    /// A section of a source.
    fn section(&mut self, path: &Path, bytes: Range<usize>, language: Language) -> Option<&mut Source> {
        let is_it = |source: &Source| source.path == path && source.section.as_ref() == Some(&bytes);
        if let Some(at) = self.list.iter().position(is_it) {
            return self.list.get_mut(at);
        }
        let whole = self.get(path, None)?;
        let (text, lines) = (only(&whole.text, &bytes), whole.lines.clone());
        self.list.push(Source {
            path: path.to_owned(),
            text,
            section: Some(bytes),
            lines,
            language: Some(language),
            sites: Vec::new(),
            modules: BTreeSet::new(),
            variables: BTreeSet::new(),
        });
        self.list.last_mut()
    }

    /// Notes that a source is compiled for a module.
    pub fn note(&mut self, path: &Path, module: usize) {
        for source in self.list.iter_mut().filter(|source| source.path == path && source.section.is_none()) {
            source.modules.insert(module);
        }
    }

    /// Adds the sites of a whole file.
    pub fn add(&mut self, path: &Path, language: Language, roles: impl Fn(&Declared) -> Vec<Role>) {
        if let Some(source) = self.get(path, Some(language)) {
            let all = language.declarations(&source.text);
            source.add(all, 0, roles);
        }
    }

    /// Adds the sites of a whole file, whose text has to be the one that was compiled.
    pub fn add_same(&mut self, path: &Path, text: &str, language: Language, roles: impl Fn(&Declared) -> Vec<Role>) {
        if let Some(source) = self.get(path, Some(language)).filter(|source| source.text.trim_end() == text.trim_end())
        {
            source.add(language.declarations(text), 0, roles);
        }
    }

    /// Adds the sites of a module's own text, which may be a section of its file.
    pub fn add_module(
        &mut self,
        path: &Path,
        index: usize,
        module: &LoadedModule,
        language: Language,
        roles: impl Fn(&Declared) -> Vec<Role>,
    ) {
        let Some(text) = &module.source else { return };
        let after = module.source_place.as_ref().map_or(0, |place| place.after as usize);
        let Some(source) = self.get(path, Some(language)) else { return };
        let begin = source.lines.range(&source.text, after).start;
        let is_there = source.text.get(begin..).is_some_and(|rest| rest.starts_with(text.trim_end()));
        if begin == 0 && source.text.trim_end() == text.trim_end() {
            source.language = Some(language);
            source.modules.insert(index);
            source.add(language.declarations(text), 0, roles);
        } else if is_there {
            // Of a description, no language is that of all.
            source.language = None;
            let bytes = begin..begin + text.trim_end().len();
            if let Some(section) = self.section(path, bytes, language) {
                section.modules.insert(index);
                let all = language.declarations(&section.text);
                section.add(all, 0, roles);
            }
        } else {
            // The text of another state of the file, or one that was put together, has other places.
            source.modules.insert(index);
        }
    }

    /// Adds the sites of an assembly, by its instructions.
    pub fn add_assembly(
        &mut self,
        path: &Path,
        module: &LoadedModule,
        roles: impl Fn(&Module) -> Vec<(u32, Vec<Role>)>,
    ) {
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
