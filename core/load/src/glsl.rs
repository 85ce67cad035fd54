//! GLSL source, by glslang, with includes relative to the including file.

use lanescope_base::text_format::size;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use lanescope_glslang::{Include, Includes as FindsIncludes, Language, NoIncludes, Source};
use xxhash_rust::xxh3::xxh3_64;

use super::error::Problem;
use super::given::Given;
use super::included::{Bounds, MAX_INCLUDED, MAX_INCLUDES, SourceOrigin};
use super::reads::Reads;
use super::sniff::stage_of_extension;
use super::{LoadOptions, Loaded, preceding, validate};
use lanescope_model::options::Conversion;
use lanescope_model::program::{LoadedModule, SourcePlace, StageKind};
use lanescope_spirv::Module;

/// How deep includes nest.
const MAX_DEPTH: usize = 32;

/// Bytes of the longest file name that is passed to the compiler.
const LONGEST_NAME: usize = 900;

pub(super) fn load(path: &Path, bytes: Vec<u8>, wanted: &LoadOptions) -> Result<Loaded, Problem> {
    let stage = stage_of_extension(path).or(wanted.stage).ok_or(Problem::StageUnknown)?;
    let text = String::from_utf8(bytes).map_err(|e| Problem::NotUtf8 { offset: e.utf8_error().valid_up_to() })?;
    if let Some(offset) = text.bytes().position(|b| b == 0) {
        return Err(Problem::ZeroByte { offset });
    }
    compile_text(text, stage, 0, SourceOrigin::opened(wanted.folder_of(path), path), wanted)
}

/// Compiles a text that begins after the line `after` of its file.
pub(super) fn compile_text(
    text: String,
    stage: StageKind,
    after: u32,
    origin: SourceOrigin<'_>,
    wanted: &LoadOptions,
) -> Result<Loaded, Problem> {
    let conversion = &wanted.conversion;
    let path = origin.path;
    let mut includes = Includes::new(origin, wanted)?;
    let lines = preceding::glsl(&text, conversion, &includes.first, after);
    let (macros, env) = (conversion.macros(), conversion.env());
    let source = Source { text: &lines, language: Language::Glsl, stage, lines: true, macros: &macros, env };
    let result = lanescope_glslang::compile(&source, &mut includes).map(|compiled| compiled.words);
    match result {
        Ok(words) => {
            includes.reads.read(&text);
            let unread_macros = includes.reads.unread();
            let includes = includes.met.into_iter().map(PathBuf::into_os_string).collect();
            let place = SourcePlace { file: path.display().to_string(), after };
            let module = validate::compiled(words, text, place, wanted)?;
            let module = LoadedModule { includes, unread_macros, ..module };
            Ok(Loaded::Module(Box::new(module)))
        }
        Err(log) => {
            let mut log = includes.with_refused(tidy(&log, path));
            // What the compiler then takes the text for, and says, is about another language.
            if !preceding::has_version(&text) && conversion.std.is_none() {
                log.push_str(
                    "\nthe file has no #version line before its code; add `#version 460` as the first line for Vulkan GLSL, or use --std 460",
                );
            }
            Err(Problem::Glsl { stage, log })
        }
    }
}

/// A shader of this program's own, without includes.
pub fn compile_own(text: &str, stage: StageKind) -> Result<Module, String> {
    let words = compile(text, stage, &mut NoIncludes, false)?;
    Module::parse(words).map_err(|error| error.to_string())
}

fn compile(text: &str, stage: StageKind, includes: &mut dyn FindsIncludes, lines: bool) -> Result<Vec<u32>, String> {
    let source = Source { text, language: Language::Glsl, stage, lines, macros: &[], env: Conversion::default().env() };
    lanescope_glslang::compile(&source, includes).map(|compiled| compiled.words)
}

/// The compiler's messages without those that count them; `0:7:`, after an include `:7:`, becomes `a.frag:7:`.
pub(super) fn tidy(log: &str, path: &Path) -> String {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let lines: Vec<String> = log
        .lines()
        .map(|line| line.trim_end())
        .filter(|line| {
            !line.is_empty() && !line.ends_with("compilation terminated") && !line.contains("compilation errors.")
        })
        .map(|line| {
            match line.strip_prefix("ERROR: ").and_then(|rest| rest.strip_prefix('0').unwrap_or(rest).strip_prefix(':'))
            {
                Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit()) => format!("ERROR: {name}:{rest}"),
                _ => line.to_owned(),
            }
        })
        .collect();
    if lines.is_empty() { log.trim().to_owned() } else { lines.join("\n") }
}

/// Serves `#include`, and remembers what was met and what was refused.
#[derive(Default)]
pub(super) struct Includes<'w> {
    /// What stands for contents on disk.
    given: Given<'w>,
    /// Where names are looked up that are not beside the including file.
    folder: PathBuf,
    /// Where else, in this order.
    more: Vec<PathBuf>,
    /// Of a document: where its files are.
    bounds: Option<Bounds>,
    /// What the files are called that are included before the source.
    pub first: Vec<String>,
    /// These files, in the same order.
    first_files: Vec<PathBuf>,
    /// Which macros the texts use.
    pub reads: Reads,
    /// Files that were included, in the order in which they were met.
    pub met: Vec<PathBuf>,
    /// The files of `met`.
    known: BTreeSet<PathBuf>,
    /// By what the compiler calls a file: its place in `met`.
    names: BTreeMap<String, usize>,
    /// What could not be included, and why.
    pub refused: Vec<String>,
    /// How many were served.
    count: usize,
    bytes: usize,
}

impl<'w> Includes<'w> {
    /// Of a source in a folder, and in those that are looked through; of one in a document from these folders only.
    ///
    /// # Errors
    /// A file to include before the source that does not exist.
    pub fn new(origin: SourceOrigin<'_>, wanted: &'w LoadOptions) -> Result<Includes<'w>, Problem> {
        let conversion = &wanted.conversion;
        let more: Vec<PathBuf> = conversion.include_dirs.iter().map(PathBuf::from).collect();
        let first_files = preceding::files(conversion)?;
        // What the user includes before a source is of no document.
        let own = first_files.iter().filter_map(|file| file.parent());
        let folders = more.iter().map(PathBuf::as_path).chain(own);
        let bounds = origin.bounds.map(|folder| Bounds::new(std::iter::once(folder).chain(folders)));
        let first = first_files.iter().map(|path| Includes::first_name(path)).collect();
        let reads = Reads::of(&conversion.macros());
        let folder = origin.folder.to_owned();
        let given = Given::of(wanted);
        Ok(Includes { given, folder, more, bounds, first, first_files, reads, ..Includes::default() })
    }

    /// Messages with what could not be included.
    pub fn with_refused(&self, log: String) -> String {
        self.refused.iter().fold(log, |log, reason| format!("{log}\n{reason}"))
    }

    /// What a file is called that is included before the source: as it stands in `#include "…"`.
    fn first_name(path: &Path) -> String {
        let name = path.to_string_lossy();
        match name.len() > LONGEST_NAME || name.contains(['"', '\\', '\n', '\r', '\u{fffd}']) {
            true => format!("{:016x}", xxh3_64(path.as_os_str().as_encoded_bytes())),
            false => name.into_owned(),
        }
    }

    fn find(&self, name: &str, includer: &str) -> PathBuf {
        let first = self.first.iter().position(|first| includer.is_empty() && first == name);
        if let Some(file) = first.and_then(|at| self.first_files.get(at)) {
            return file.clone();
        }
        // glslang names the outermost file with an empty string; others by the name that was returned.
        let file = self.names.get(includer).and_then(|at| self.met.get(*at));
        let beside = file.and_then(|file| file.parent()).unwrap_or(&self.folder);
        let folders = [beside, &self.folder].into_iter().chain(self.more.iter().map(PathBuf::as_path));
        let mut files = folders.map(|folder| folder.join(name));
        files.find(|path| self.given.is_file(path) && self.may_read(path)).unwrap_or_else(|| self.folder.join(name))
    }

    /// Whether the source may include a file.
    fn may_read(&self, path: &Path) -> bool {
        self.bounds.as_ref().is_none_or(|bounds| bounds.contain(path))
    }

    /// What the compiler calls a file. It takes text alone, and cuts words of more than a thousand bytes.
    fn name(&self, path: &Path) -> String {
        let name = path.to_string_lossy();
        if name.len() <= LONGEST_NAME {
            return name.into_owned();
        }
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        format!("{:016x}/{file}", xxh3_64(path.as_os_str().as_encoded_bytes()))
    }

    fn text(&mut self, path: &Path, depth: usize) -> Result<String, String> {
        if depth > MAX_DEPTH {
            return Err(format!("includes are nested more than {MAX_DEPTH} deep"));
        }
        if self.count >= MAX_INCLUDES {
            return Err(format!("more than {MAX_INCLUDES} includes, which is the limit"));
        }
        self.count += 1;
        if path.exists() && !self.may_read(path) {
            return Err("is outside the folder of the file that includes it, and of the folders of -I".to_owned());
        }
        let bytes = self.given.read(path).or_else(|problem| match problem {
            Problem::Empty => Ok(Vec::new()),
            other => Err(other.to_string()),
        })?;
        self.bytes = self.bytes.saturating_add(bytes.len());
        if self.bytes > MAX_INCLUDED {
            return Err(format!("the includes have more than {} in total", size(MAX_INCLUDED as u64)));
        }
        let text = String::from_utf8(bytes).map_err(|_| "is not UTF-8".to_owned())?;
        self.reads.read(&text);
        if text.contains('\0') { Err("contains a zero byte".to_owned()) } else { Ok(text) }
    }
}

impl FindsIncludes for Includes<'_> {
    fn include(&mut self, name: &str, includer: &str, depth: usize) -> Option<Include> {
        let path = self.find(name, includer);
        match self.text(&path, depth) {
            Ok(text) => {
                let name = self.name(&path);
                if self.known.insert(path.clone()) {
                    // Of several that the compiler calls the same the first counts.
                    self.names.entry(name.clone()).or_insert(self.met.len());
                    self.met.push(path);
                }
                Some(Include { name, text })
            }
            Err(why) => {
                // The compiler retries includes that it does not get.
                let reason = format!("include \"{name}\": {}: {why}", path.display());
                if !self.refused.contains(&reason) {
                    self.refused.push(reason);
                }
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_that_do_not_become_spirv_are_named_by_the_compiler() {
        for (version, why) in
            [("110", "version 140 or higher"), ("100 es", "version 310 or higher"), ("435", "not supported")]
        {
            let error = compile_own(&format!("#version {version}\nvoid main() {{}}\n"), StageKind::Vertex);
            let error = error.expect_err(version);
            assert!(error.contains(why), "{version}: {error}");
        }
        for version in ["140", "330 core", "460", "310 es", "320 es"] {
            let text = format!("#version {version}\nvoid main() {{ gl_Position = vec4(0.0); }}\n");
            compile_own(&text, StageKind::Vertex).unwrap_or_else(|error| panic!("{version}: {error}"));
        }
    }

    #[test]
    fn errors_after_an_include_name_the_main_text() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("half.glsl"), "float half_of(float x) { return x / 2.0; }\n")
            .expect("writes");
        let text = "#version 460\n#extension GL_GOOGLE_include_directive : require\n#include \"half.glsl\"\n\
                    void main() {\n    float x = halve(1.0);\n}\n";
        let main = folder.path().join("a.frag");
        let origin = SourceOrigin::opened(folder.path(), &main);
        let made = compile_text(text.to_owned(), StageKind::Fragment, 0, origin, &LoadOptions::default());
        let Err(Problem::Glsl { log, .. }) = made else { panic!("does not compile") };
        assert!(log.starts_with("ERROR: a.frag:5: 'halve'"), "{log}");
    }

    /// After an included text the lines are those of the main text again.
    #[test]
    fn instructions_come_from_lines_of_the_main_text_and_of_included_ones() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("half.glsl"), "float half_of(float x) {\n    return x / 2.0;\n}\n")
            .expect("writes");
        let text = "#version 460\n#extension GL_GOOGLE_include_directive : require\n#include \"half.glsl\"\n\
                    layout(location = 0) in float a;\nlayout(location = 0) out float color;\n\
                    void main() {\n    color = half_of(a) * a;\n}\n";
        let main = folder.path().join("a.frag");
        let origin = SourceOrigin::opened(folder.path(), &main);
        let loaded = compile_text(text.to_owned(), StageKind::Fragment, 0, origin, &LoadOptions::default());
        let Ok(Loaded::Module(loaded)) = loaded else { panic!("compiles") };
        let lines = lanescope_spirv::Lines::of(&loaded.module);
        let line = |op| {
            let inst = loaded.module.insts().find(|inst| inst.op() == Some(op)).expect("is there");
            let at = lines.line(inst.index).expect("a line");
            (at.file.rsplit('/').next().unwrap_or_default().to_owned(), at.line)
        };
        use lanescope_spirv::enums::Op;
        assert_eq!(line(Op::FDiv), ("half.glsl".to_owned(), 2));
        assert_eq!(line(Op::FMul), ("a.frag".to_owned(), 7));
        let wanted = LoadOptions::default();
        let mut includes = Includes::new(origin, &wanted).expect("nothing is missing");
        let words = compile(text, StageKind::Fragment, &mut includes, false).expect("compiles");
        assert_eq!(loaded.module.words(), words);
    }
}
