//! An open program: the loaded files, the report under its options, and the selection.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use lanescope_core::findings::Severity;
use lanescope_core::gpu::Fillable;
use lanescope_core::options::Options;
use lanescope_core::program::Program;
use lanescope_core::run::Place;
use lanescope_core::run::graph::GraphRequest;
use lanescope_inspector::comparing::Comparing;
use lanescope_inspector::selection::Selection;
use lanescope_inspector::settings::{CompileSettings, Devices};
use lanescope_inspector::source::SourceText;
use lanescope_inspector::tasks::{RunInput, TaskResults};
use lanescope_views::context::ViewCx;

use super::compare::Against;
use super::engine::Analysis;
use super::graph::Stepper;
use crate::rewriting::NamedFile;
use crate::session::Remembered;
use crate::worker::{Failure, Loaded};

/// Names a program for as long as the window lives.
pub type ProgramId = u64;

/// A program that is open. Whole: it has a report.
pub struct OpenProgram {
    /// Its number.
    pub id: ProgramId,
    /// Its files; absolute.
    pub paths: Vec<PathBuf>,
    /// The loaded program.
    pub program: Arc<Program>,
    /// The texts that show it.
    pub texts: Vec<SourceText>,
    /// Its reports.
    pub analysis: Analysis,
    /// The first setting as requested; the report follows.
    pub options: Options,
    /// The second setting as requested.
    pub other: Option<Options>,
    /// The selection.
    pub selection: Selection,
    /// Files that fill buffers and images of its runs.
    pub contents: BTreeMap<Place, PathBuf>,
    /// What its runs fill, with those files.
    pub inputs: Vec<RunInput>,
    /// What was made of it on request.
    pub made: TaskResults,
    /// How its work graph was run last.
    pub graph_request: Option<GraphRequest>,
    /// The way to the child that runs it, where it is led.
    pub graph_lead: Option<Stepper>,
    /// The last compile request of each setting: revision and settings.
    pub compiling: [Option<(u64, CompileSettings)>; 2],
    /// The revision that its files were read for.
    pub loaded_at: u64,
    /// The revision since which its work graph is as it is.
    pub graph_revision: u64,
    /// When its files were begun to be read.
    pub read_since: SystemTime,
    /// The files of its rewritten modules.
    pub rewritten_files: Vec<NamedFile>,
    /// Counts up with every change of what is shown, over all programs.
    pub revision: u64,
    /// The program that it is compared with.
    pub against: Option<Against>,
    /// A report that was read from a file, without a program.
    pub frozen: bool,
    /// Why the files as they are now do not load; what is shown is older.
    pub stale: Option<Failure>,
    /// Why the options as requested do not fit; the report is older, or leaves out what does not.
    pub misfit: Option<String>,
}

impl OpenProgram {
    /// The part that is saved in the session.
    pub fn remembered(&self) -> Remembered {
        Remembered {
            paths: self.paths.clone(),
            options: self.options.clone(),
            other: self.other.clone(),
            selection: self.selection.clone(),
            contents: self.contents.clone(),
            against: self.against.as_ref().and_then(|against| against.paths.clone()),
        }
    }

    /// Lists what runs fill, once the program, its report or the files have changed.
    pub fn list_inputs(&mut self) {
        let one = |fillable: &Fillable| {
            let place = Place::of(&self.program, fillable.set, fillable.binding);
            let (variable, file) = (fillable.variable.clone(), self.contents.get(&place).cloned());
            RunInput { place, variable, kind: fillable.kind, file }
        };
        self.inputs = self.analysis.fillable.iter().map(one).collect();
    }

    /// Inputs of its views.
    pub fn cx<'a>(&'a self, devices: &'a Devices) -> ViewCx<'a> {
        ViewCx {
            report: &self.analysis.report,
            other: self.analysis.other.as_ref(),
            texts: &self.texts,
            containers: &self.program.dxil,
            selection: &self.selection,
            revision: self.revision,
            program: self.id,
            graph_revision: self.graph_revision,
            made: &self.made,
            devices,
            inputs: &self.inputs,
            comparing: Comparing::NOTHING,
            frozen: self.frozen,
            ask: None,
        }
    }

    /// Name: `lit.vert + lit.frag`, `game.foz@5b1e0c44`.
    pub fn title(&self) -> String {
        let digits = self.options.pipeline.as_ref().and_then(|name| name.rsplit(':').next());
        match digits.and_then(|digits| digits.get(..8)) {
            Some(digits) => format!("{}@{digits}", title(&self.paths)),
            None => title(&self.paths),
        }
    }

    /// The files whose change changes it.
    pub fn watched(&self) -> impl Iterator<Item = PathBuf> {
        let folder = |module: &lanescope_core::program::LoadedModule| {
            self.paths.get(module.input).and_then(|path| path.parent()).unwrap_or(Path::new("/")).to_owned()
        };
        let includes = self.program.modules.iter().flat_map(move |module| {
            let folder = folder(module);
            module.includes.iter().map(move |include| folder.join(include))
        });
        let of_hlsl = self.program.dxil.iter().flat_map(|loaded| loaded.includes.iter().map(PathBuf::from));
        self.paths.iter().cloned().chain(includes).chain(of_hlsl)
    }

    /// Handles the result of a reload. The selection is kept, except for instructions, which have changed.
    pub fn renew(&mut self, loaded: Loaded, analysis: Analysis, revision: u64) {
        self.selection.code = None;
        self.program = Arc::new(loaded.program);
        self.texts = loaded.texts;
        self.misfit.clone_from(&analysis.left_out);
        self.analysis = analysis;
        self.revision = revision;
        self.loaded_at = revision;
        self.graph_revision = revision;
        self.stale = None;
        self.list_inputs();
    }

    /// How many findings there are of each severity, the worst first; with what compilers say of it as it is.
    pub fn findings(&self, compile: &CompileSettings) -> [(Severity, usize); 3] {
        let of_compilers = self.made.compiled.findings(self.revision, compile);
        let all = || self.analysis.report.findings.iter().chain(&of_compilers);
        let count = |severity| all().filter(|f| f.severity == severity).count();
        [Severity::Error, Severity::Warning, Severity::Note].map(|severity| (severity, count(severity)))
    }

    /// The names of all entry points of its modules.
    pub fn entry_names(&self) -> BTreeSet<String> {
        let modules = self.program.modules.iter();
        modules.flat_map(|loaded| loaded.module.entry_points().iter().map(|entry| entry.name.clone())).collect()
    }
}

/// What files are called together: `lit.vert + lit.frag`.
pub fn title(paths: &[PathBuf]) -> String {
    let name = |path: &PathBuf| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    paths.iter().map(name).collect::<Vec<_>>().join(" + ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_programs_by_their_files() {
        for (paths, expected) in
            [(&["/a/lit.vert", "/a/lit.frag"][..], "lit.vert + lit.frag"), (&["/a/x.comp"], "x.comp"), (&["/"], "/")]
        {
            let paths: Vec<_> = paths.iter().map(PathBuf::from).collect();
            assert_eq!(title(&paths), expected);
        }
    }
}
