//! Rewriting a program, and the resulting files, for the command line and the window.

use std::path::Path;

use lanescope_core::load::{check_rewritten, disassemble};
use lanescope_core::options::Options;
use lanescope_core::packing::rewrite::{self as packing, Map, StoredHalf};
use lanescope_core::program::{Input, LoadedModule, Program, Stage, StageKind, Validity};
use lanescope_core::run::Blob;
use lanescope_core::spirv::Module;
use lanescope_core::workgroup::rewrite::{self as workgroup, SwizzledStage};
use lanescope_inspector::settings::Passes;
use lanescope_inspector::tasks::{Rewriting, RewrittenModule, UnchangedStage};
use serde::{Deserialize, Serialize};

use crate::json;

/// The name of the file that says what was done.
pub const MAP: &str = "map.json";

/// The name of the file for the half before a part-pipeline's fragment shader.
pub const STORED: &str = "stored.json";

/// The rewritten program.
pub struct Rewritten {
    packed: Option<Packed>,
    swizzled: Option<workgroup::Swizzled>,
}

/// What packing did.
struct Packed {
    program: Program,
    widened: Option<Program>,
    /// Of the interface before the fragment shader, if any.
    map: Option<Map>,
    inner: Vec<Map>,
    stored: Option<StoredHalf>,
}

impl From<packing::Rewritten> for Packed {
    fn from(packing::Rewritten { program, widened, map, inner, stored }: packing::Rewritten) -> Packed {
        Packed { program, widened, map: Some(map), inner, stored }
    }
}

impl From<packing::RewrittenInner> for Packed {
    fn from(packing::RewrittenInner { program, widened, inner }: packing::RewrittenInner) -> Packed {
        Packed { program, widened, map: None, inner, stored: None }
    }
}

/// The most stages that a message lists.
const MAX_ROWS: usize = 16;

/// A file to write: its name, its contents.
pub type NamedFile = (String, Blob);

/// The texts that show a rewritten program, and its files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rewrote {
    /// The texts.
    pub shown: Rewriting,
    /// The files: see [`Rewritten::files`].
    pub files: Vec<NamedFile>,
}

/// What [`MAP`] holds.
#[derive(Serialize)]
struct Written<'a> {
    schema: u32,
    inputs: &'a [Input],
    options: &'a Options,
    #[serde(skip_serializing_if = "Option::is_none")]
    packing: Option<&'a Map>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    inner_packing: &'a [Map],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    workgroup: &'a [SwizzledStage],
    /// The stages whose module is not among the files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unchanged: Vec<UnchangedStage>,
    files: Vec<Row<'a>>,
}

/// One module that is written.
#[derive(Serialize)]
struct Row<'a> {
    /// Index of its file in `inputs`.
    input: usize,
    stages: Vec<StageKind>,
    /// `packed`, `swizzled`, `packed.swizzled` or `widened`.
    kind: &'static str,
    spv: &'a str,
    spvasm: &'a str,
}

/// A module with the names of its files.
struct File {
    input: usize,
    stages: Vec<StageKind>,
    kind: &'static str,
    names: [String; 2],
    module: Module,
    /// How the given module was validated; `None` where a given module is invalid altogether.
    validity: Option<Validity>,
}

impl Rewritten {
    /// Packs where there is an interface to pack (before a fragment shader or what its half stored, a tessellation
    /// control or a geometry shader), and swizzles where there is a workgroup, as far as `passes` wants it.
    ///
    /// # Errors
    /// Why the program cannot be rewritten, or that there is nothing to rewrite in any of its stages.
    pub fn new(
        given: &Program,
        options: &Options,
        passes: Passes,
        stored: Option<&StoredHalf>,
    ) -> Result<Rewritten, String> {
        let has = |wanted: fn(StageKind) -> bool| given.stages.iter().any(|stage| wanted(stage.stage));
        let has_fragment = has(|stage| stage == StageKind::Fragment);
        let has_inner = has(|stage| matches!(stage, StageKind::TessControl | StageKind::Geometry));
        let packs = stored.is_some() || has_fragment || has_inner;
        let swizzles = has(StageKind::has_workgroup);
        let pack = || match stored {
            Some(stored) => packing::rewrite_half(given, stored, options).map(Packed::from),
            None if has_fragment => packing::rewrite(given, options).map(Packed::from),
            None => packing::rewrite_inner(given, options).map(Packed::from),
        };
        let packed = (packs && passes.pack).then(pack).transpose().map_err(|error| error.to_string())?;
        let packed = packed.filter(|packed| packed.map.is_some() || !packed.inner.is_empty());
        if packed.is_none() && !swizzles && (passes.pack || !packs) {
            return Err(nothing_to_rewrite(given));
        }
        let base = packed.as_ref().map_or(given, |packed| &packed.program);
        let swizzled = (swizzles && passes.swizzle).then(|| workgroup::rewrite(base, options)).transpose();
        Ok(Rewritten { packed, swizzled: swizzled.map_err(|error| error.to_string())? })
    }

    /// The rewritten program.
    pub fn program<'p>(&'p self, given: &'p Program) -> &'p Program {
        let packed = self.packed.as_ref().map_or(given, |packed| &packed.program);
        self.swizzled.as_ref().map_or(packed, |swizzled| &swizzled.program)
    }

    /// What the rewritten program is to be compared with: the given one, with varyings as wide as in the rewritten one.
    pub fn base<'p>(&'p self, given: &'p Program) -> &'p Program {
        self.packed.as_ref().and_then(|packed| packed.widened.as_ref()).unwrap_or(given)
    }

    /// Why the rewritten program is the one that it is compared with, where it is.
    pub fn why_same(&self, given: &Program) -> Option<String> {
        let modules = self.base(given).modules.iter().zip(&self.program(given).modules);
        if modules.into_iter().any(|(before, after)| before.module != after.module) {
            return None;
        }
        let rows: Vec<String> =
            self.rows().iter().map(|row| format!("{} {}: {}", row.stage, row.entry, row.why)).collect();
        Some(if rows.is_empty() { "no varying moves".to_owned() } else { rows.join("; ") })
    }

    /// What packing did, where it ran.
    pub fn map(&self) -> Option<&Map> {
        self.packed.as_ref().and_then(|packed| packed.map.as_ref())
    }

    /// What packing did between the stages before the fragment shader.
    pub fn inner(&self) -> &[Map] {
        self.packed.as_ref().map(|packed| packed.inner.as_slice()).unwrap_or_default()
    }

    /// What the swizzle did, one a stage with a workgroup.
    pub fn rows(&self) -> &[SwizzledStage] {
        self.swizzled.as_ref().map(|swizzled| swizzled.stages.as_slice()).unwrap_or_default()
    }

    /// The stages that no pass changed, whose modules are not written.
    pub fn unchanged(&self, given: &Program) -> Vec<UnchangedStage> {
        let stays = given.stages.iter().filter(|stage| kind(given, self, stage.module).is_none());
        let row = |stage: &Stage| UnchangedStage {
            stage: stage.stage,
            entry: stage.entry.clone(),
            why: self.why_unchanged(given, stage),
        };
        stays.map(row).collect()
    }

    fn why_unchanged(&self, given: &Program, stage: &Stage) -> String {
        if let Some(row) = self.rows().iter().find(|row| row.stage == stage.stage && row.entry == stage.entry) {
            return row.why.clone();
        }
        let of_interface = |map: &Map| map.consumer == stage.stage || map.producer == Some(stage.stage);
        let is_first = given.stage(stage.stage).is_some_and(|first| first.entry == stage.entry);
        let why = if self.inner().iter().chain(self.map()).any(of_interface) {
            if is_first { "its interface is already packed" } else { "the interface of another entry point is packed" }
        } else if stage.stage.is_graphics() && self.map().is_some() {
            "none of its interfaces is packed"
        } else {
            without_fragment(stage.stage)
        };
        why.to_owned()
    }

    /// The files to write: modules, then [`MAP`], then [`STORED`] where a half of a part-pipeline stored something.
    ///
    /// # Errors
    /// Where a rewritten module breaks a rule of SPIR-V.
    pub fn files(&self, given: &Program, options: &Options) -> Result<Vec<NamedFile>, String> {
        self.files_with(given, options, text_of)
    }

    /// Like the above; `text` writes a module as text: see [`text_of`].
    ///
    /// # Errors
    /// Those of `text`.
    pub fn files_with(
        &self,
        given: &Program,
        options: &Options,
        mut text: impl FnMut(&Module, &str, Option<&Validity>) -> Result<String, String>,
    ) -> Result<Vec<NamedFile>, String> {
        let mut files = changed(given, self);
        files.extend(self.packed.iter().filter_map(|p| p.widened.as_ref()).flat_map(|w| widened(given, w)));
        let mut out = Vec::new();
        for file in &files {
            let [spv, spvasm] = &file.names;
            // What is not valid would only fail later, and further away; what never was is known to be so.
            let listing = text(&file.module, spv, file.validity.as_ref())?;
            let binary = file.module.words().iter().flat_map(|word| word.to_le_bytes()).collect();
            let (major, minor) = file.module.version();
            // The comment says which version the text is to be assembled for.
            let text = format!("; SPIR-V\n; Version: {major}.{minor}\n{listing}");
            out.push((spv.clone(), Blob(binary)));
            out.push((spvasm.clone(), Blob(text.into_bytes())));
        }
        let written = Written {
            schema: 1,
            inputs: &given.inputs,
            options,
            packing: self.map(),
            inner_packing: self.inner(),
            workgroup: self.rows(),
            unchanged: self.unchanged(given),
            files: files.iter().map(File::row).collect(),
        };
        let mut text = Vec::new();
        json::write(&written, &mut text).map_err(|error| error.to_string())?;
        out.push((MAP.to_owned(), Blob(text)));
        if let Some(half) = self.packed.as_ref().and_then(|packed| packed.stored.as_ref()) {
            let mut text = Vec::new();
            json::write(half, &mut text).map_err(|error| error.to_string())?;
            out.push((STORED.to_owned(), Blob(text)));
        }
        Ok(out)
    }
}

/// A module as text. With how the one was validated that it was made of ([`check_rewritten`]), it is validated first. `name`
/// is its name in messages.
///
/// # Errors
/// The rule of SPIR-V that the module breaks, or why it is not validated.
pub fn text_of(module: &Module, name: &str, held_to: Option<&Validity>) -> Result<String, String> {
    if let Some(validity) = held_to {
        check_rewritten(module, validity).map_err(|why| format!("{name}: {why}"))?;
    }
    disassemble(module)
}

/// Why nothing of a stage is rewritten where there is no fragment shader.
fn without_fragment(stage: StageKind) -> &'static str {
    match stage {
        StageKind::TessEval => "the interface before it is not packed, and the one after it needs a fragment shader",
        StageKind::TessControl => "packing the interface before it needs a vertex shader",
        stage if stage.is_graphics() => "packing needs a fragment shader",
        _ => "no pass applies to this stage",
    }
}

/// Says of each stage why it is not rewritten.
fn nothing_to_rewrite(given: &Program) -> String {
    let row = |stage: &Stage| format!("\n  {} {}: {}", stage.stage, stage.entry, without_fragment(stage.stage));
    let rows: String = given.stages.iter().take(MAX_ROWS).map(row).collect();
    let more = given.stages.len().saturating_sub(MAX_ROWS);
    let more = if more > 0 { format!("\n  and {more} more") } else { String::new() };
    format!(
        "nothing to rewrite: expected a fragment, compute, task or mesh shader, or an interface before a \
        tessellation control or geometry shader{rows}{more}"
    )
}

/// Rewrites a program and shows it. Modules are disassembled by foreign code.
///
/// # Errors
/// Those of [`Rewritten::new`] and [`Rewritten::files`].
pub fn rewrite(given: &Program, options: &Options, passes: Passes) -> Result<Rewrote, String> {
    let rewritten = Rewritten::new(given, options, passes, None)?;
    let modules = given.modules.iter().zip(&rewritten.program(given).modules).enumerate();
    let modules = modules.map(|(index, (before, after))| {
        let original = disassemble(&before.module)?;
        let same = before.module == after.module;
        let rewritten = if same { original.clone() } else { disassemble(&after.module)? };
        Ok(RewrittenModule {
            name: name(given, before.input, index),
            stages: stages(given, index),
            original,
            rewritten,
        })
    });
    let shown = Rewriting {
        modules: modules.collect::<Result<_, String>>()?,
        packing: rewritten.inner().iter().chain(rewritten.map()).cloned().collect(),
        workgroup: rewritten.rows().to_vec(),
        unchanged: rewritten.unchanged(given),
    };
    Ok(Rewrote { shown, files: rewritten.files(given, options)? })
}

impl File {
    fn new(program: &Program, index: usize, kind: &'static str, module: Module) -> File {
        let input = program.modules.get(index).map_or(0, |loaded| loaded.input);
        let name = name(program, input, index);
        let names = ["spv", "spvasm"].map(|extension| format!("{name}.{kind}.{extension}"));
        let of_given = || program.modules.get(index).map(|loaded| loaded.validity()).unwrap_or_default();
        let validity = (!program.modules.iter().any(LoadedModule::is_invalid)).then(of_given);
        File { input, stages: stages(program, index), kind, names, module, validity }
    }

    fn row(&self) -> Row<'_> {
        let [spv, spvasm] = &self.names;
        Row { input: self.input, stages: self.stages.clone(), kind: self.kind, spv, spvasm }
    }
}

/// Name of a module: by its file, and by its stage or entry point where its file has several modules.
fn name(program: &Program, input: usize, module: usize) -> String {
    let file = file_name(program, input);
    let of_file = |index: &usize| program.modules.get(*index).is_some_and(|loaded| loaded.input == input);
    let others: Vec<usize> = (0..program.modules.len()).filter(of_file).filter(|index| *index != module).collect();
    if others.is_empty() {
        return file;
    }
    let stage = |index: usize| program.stages.iter().find(|stage| stage.module == index);
    let Some(own) = stage(module) else { return format!("{file}.{module}") };
    let alone = |same: &dyn Fn(&Stage) -> bool| !others.iter().filter_map(|index| stage(*index)).any(same);
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    let entry = |stage: &Stage| stage.entry.chars().map(plain).collect::<String>();
    if alone(&|other| other.stage == own.stage) {
        format!("{file}.{}", own.stage)
    } else if alone(&|other| entry(other) == entry(own)) {
        format!("{file}.{}", entry(own))
    } else {
        format!("{file}.{}.{module}", own.stage)
    }
}

/// What a file is called; files of one name from several folders are distinguished by their number.
fn file_name(program: &Program, input: usize) -> String {
    let base = |input: &Input| Path::new(&input.path).file_name().map(|name| name.to_string_lossy().into_owned());
    let name = program.inputs.get(input).and_then(base).unwrap_or_default();
    let alike = program.inputs.iter().filter(|other| base(other).as_deref() == Some(name.as_str())).count();
    if alike > 1 { format!("{input}.{name}") } else { name }
}

/// The stages of a module.
fn stages(program: &Program, module: usize) -> Vec<StageKind> {
    program.stages.iter().filter(|stage| stage.module == module).map(|stage| stage.stage).collect()
}

/// The modules of stages that were rewritten.
fn changed(given: &Program, rewritten: &Rewritten) -> Vec<File> {
    let modules = rewritten.program(given).modules.iter().enumerate();
    let file = |(index, loaded): (usize, &LoadedModule)| {
        Some(File::new(given, index, kind(given, rewritten, index)?, loaded.module.clone()))
    };
    modules.filter_map(file).collect()
}

/// What was done to a module; `None` if it stays as it is.
fn kind(given: &Program, rewritten: &Rewritten, module: usize) -> Option<&'static str> {
    let stages = || given.stages.iter().filter(|stage| stage.module == module);
    // Which of several entry points of a stage was packed, the modules themselves say.
    let differs = |packed: &Packed| {
        let modules = [given, &packed.program].map(|program| program.modules.get(module));
        matches!(modules, [Some(before), Some(after)] if before.module != after.module)
    };
    let maps = || rewritten.inner().iter().chain(rewritten.map());
    let is_changed = |stage: &Stage| maps().any(|map| map.changed.contains(&stage.stage));
    let packed = rewritten.packed.as_ref().is_some_and(differs) && stages().any(is_changed);
    let is = |stage: &Stage, row: &SwizzledStage| row.changed && row.stage == stage.stage && row.entry == stage.entry;
    let swizzled = stages().any(|stage| rewritten.rows().iter().any(|row| is(stage, row)));
    match (packed, swizzled) {
        (true, false) => Some("packed"),
        (false, true) => Some("swizzled"),
        (true, true) => Some("packed.swizzled"),
        (false, false) => None,
    }
}

/// The modules that widening changed: what a packed one is to be compared with.
fn widened(given: &Program, widened: &Program) -> Vec<File> {
    let modules = given.modules.iter().zip(&widened.modules).enumerate();
    let differ = modules.filter(|(_, (before, after))| before.module != after.module);
    differ.map(|(index, (_, after))| File::new(given, index, "widened", after.module.clone())).collect()
}
