//! The sources that a container keeps: in SRCI, in PDBI, or in the metadata of a program with debug information.

use super::file::Dxil;
use super::metadata::Dx;
use super::module::Module;
use super::parts::{self, SourceFile, Sources};
use crate::findings;

/// Bytes of all texts together: metadata may name one string again and again.
const MOST: usize = 16 << 20;

impl Dxil {
    /// The sources that the container names, and the arguments of its compiler.
    pub fn source_list(&self) -> Option<Sources> {
        let newer = self.debug_info.as_ref().map(|(_, sources)| sources);
        let kept = self.sources.as_ref().or(newer).filter(|sources| !sources.files.is_empty());
        let own = kept.cloned().or_else(|| self.embedded().map(|(_, dx)| embedded(dx)));
        own.or_else(|| self.private.as_ref()?.source_list())
    }

    /// The sources themselves: name, and text with lines that end in `\n`.
    pub fn source_texts(&self) -> Vec<(String, String)> {
        let data = |name: &[u8; 4]| {
            let part = self.container.part(name)?;
            Some(self.container.data(self.file(), part, findings::BAD_SOURCES))
        };
        let mut files = data(b"SRCI").map(parts::source_texts).unwrap_or_default();
        if files.is_empty() {
            files = data(b"PDBI").map(parts::debug_info_texts).unwrap_or_default();
        }
        if files.is_empty() {
            files = self.embedded().map(|(module, _)| embedded_texts(module)).unwrap_or_default();
        }
        if let Some(private) = self.private.as_ref().filter(|_| files.is_empty()) {
            return private.source_texts();
        }
        let mut left = MOST;
        let mut out = Vec::new();
        for (name, contents) in files {
            let Some(less) = left.checked_sub(contents.len()) else { break };
            left = less;
            out.push((name, parts::lines(&contents)));
        }
        out
    }

    /// The kept source that debug information calls by a name: the same path, or the only one whose path ends with the
    /// other.
    pub fn source_named(&self, name: &str) -> Option<String> {
        let files = self.source_list()?.files;
        let parts = |path: &str| -> Vec<String> {
            let parts = path.split(['/', '\\']).filter(|part| !matches!(*part, "" | "."));
            parts.map(str::to_owned).collect()
        };
        let wanted = parts(name);
        let same = files.iter().find(|file| file.name == name || parts(&file.name) == wanted);
        let mut ends = files.iter().filter(|file| {
            let own = parts(&file.name);
            !own.is_empty() && (own.ends_with(&wanted) || wanted.ends_with(&own))
        });
        let only = ends.next().filter(|_| ends.next().is_none());
        same.or(only).map(|file| file.name.clone())
    }

    /// The program whose metadata holds sources.
    fn embedded(&self) -> Option<(&Module, &Dx)> {
        let mut programs = [&self.debug, &self.program].into_iter().flatten();
        programs.find(|program| !program.dx.sources.is_empty()).map(|program| (&program.module, &program.dx))
    }
}

fn embedded(dx: &Dx) -> Sources {
    let file = |(name, bytes): &(String, usize)| SourceFile { name: name.clone(), bytes: *bytes as u32 };
    Sources {
        main: dx.main_source.clone(),
        files: dx.sources.iter().map(file).collect(),
        arguments: dx.arguments.iter().map(|argument| (argument.clone(), String::new())).collect(),
        defines: dx.defines.clone(),
        contents_bytes: None,
        compressed: false,
    }
}

/// The contents that `dx.source.contents` holds.
fn embedded_texts(module: &Module) -> Vec<(String, Vec<u8>)> {
    let mut left = MOST;
    let mut out = Vec::new();
    for node in module.metadata.of_name("dx.source.contents").unwrap_or_default() {
        let Some(mut pair) = module.metadata.operands(*node).map(|operands| operands.flatten()) else { continue };
        let (Some(name), Some(contents)) = (pair.next(), pair.next()) else { continue };
        let (Some(name), Some(bytes)) = (module.metadata.text(name), module.metadata.bytes(contents)) else { continue };
        let Some(less) = left.checked_sub(bytes.len()) else { break };
        left = less;
        out.push((name, bytes.to_vec()));
    }
    out
}
