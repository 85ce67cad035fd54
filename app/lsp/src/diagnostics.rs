//! Diagnostics: what compilers say of sources that do not compile, and the findings of those that do.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use lanescope_core::findings::{Finding, Place, Severity, SourceLine, rule};
use lanescope_core::foreign::plain_lines;
use lanescope_core::program::Program;
use lanescope_core::report::Report;
use lanescope_core::spirv::{InstId, Lines as InstructionLines};
use lanescope_host::worker::Failure;
use lanescope_inspector::destination::varying;
use lanescope_inspector::selection::Varying;

use crate::messages::{Message, messages};
use crate::sites::{Role, Site, Source, interfaces};

/// The most diagnostics of one file that are sent.
pub const MOST: usize = 500;

/// Something wrong in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Where.
    pub at: At,
    /// How serious it is.
    pub severity: Severity,
    /// The code of a finding.
    pub code: Option<String>,
    /// The message.
    pub message: String,
    /// Other places that it is about: a file, bytes of its text, and what is there.
    pub related: Vec<(PathBuf, Range<usize>, String)>,
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum At {
    /// These bytes.
    Bytes(Range<usize>),
    /// A line, from 1, and in it a column, from 1.
    Line(u32, Option<u32>),
    /// The file as a whole: the first line.
    File,
}

/// The diagnostics of each file.
pub type ByFile = BTreeMap<PathBuf, Vec<Diagnostic>>;

/// The diagnostics of a compiler's messages.
pub fn of_messages(messages: Vec<Message>) -> ByFile {
    let mut out = ByFile::new();
    for Message { file, line, column, severity, text } in messages {
        let at = line.map_or(At::File, |line| At::Line(line, column));
        let diagnostic = Diagnostic { at, severity, code: None, message: text, related: Vec::new() };
        out.entry(file).or_default().push(diagnostic);
    }
    out
}

/// The diagnostics of a report's findings.
pub fn of_findings(program: &Program, report: &Report, files: &[PathBuf], sources: &[Source]) -> ByFile {
    let places = Places { program, report, files, sources };
    let mut out = ByFile::new();
    for finding in &report.findings {
        let (file, at) = places.of(finding);
        // What the place does not show, the text names.
        let place = match (&at, &finding.place) {
            (At::File, Some(place)) => format!(" [{place}]"),
            _ => String::new(),
        };
        if let Some(parts) = places.of_compiler(finding, &file) {
            for (file, diagnostic) in parts {
                out.entry(file).or_default().push(diagnostic);
            }
            continue;
        }
        let about = rule(&finding.code).map_or(String::new(), |rule| format!("\n{}", rule.about));
        let message = format!("{}{place}{about}\n`lanescope help {}` explains it.", finding.message, finding.code);
        let related = places.related(finding, &file, &at);
        let (severity, code) = (finding.severity, Some(finding.code.clone()));
        let diagnostic = Diagnostic { at, severity, code, message: plain_lines(&message), related };
        out.entry(file).or_default().push(diagnostic);
    }
    out
}

/// What places of findings are looked up in.
struct Places<'a> {
    program: &'a Program,
    report: &'a Report,
    files: &'a [PathBuf],
    sources: &'a [Source],
}

impl Places<'_> {
    /// The file and the place of a finding.
    fn of(&self, finding: &Finding) -> (PathBuf, At) {
        let stage = self.report.stages.iter().find(|stage| Some(stage.stage) == finding.stage);
        let input = finding.line.map(|line| line.input).or(stage.map(|stage| stage.input)).unwrap_or(0);
        let file = self.files.get(input).or(self.files.first()).cloned().unwrap_or_default();
        let found = finding.place.as_ref().and_then(|place| self.place(finding, &file, place));
        found.unwrap_or((file, At::File))
    }

    /// A shader of a description that does not compile: the messages of its compiler, where these name lines.
    fn of_compiler(&self, finding: &Finding, file: &Path) -> Option<Vec<(PathBuf, Diagnostic)>> {
        if !finding.code.ends_with(".stage-unusable") {
            return None;
        }
        let failure = Failure { file: Some(file.display().to_string()), ..Failure::from(finding.message.clone()) };
        let all = messages(&failure, self.files, Path::is_file);
        let diagnostic = |message: Message| {
            let text = format!("{}\n`lanescope help {}` explains it.", message.text, finding.code);
            let diagnostic = Diagnostic {
                at: At::Line(message.line?, message.column),
                severity: message.severity,
                code: Some(finding.code.clone()),
                message: plain_lines(&text),
                related: Vec::new(),
            };
            Some((message.file, diagnostic))
        };
        // Without a line the place of the section says more.
        all.into_iter().map(diagnostic).collect()
    }

    fn place(&self, finding: &Finding, file: &Path, place: &Place) -> Option<(PathBuf, At)> {
        match place {
            Place::File { path, inside } => {
                let file = self.file(path)?;
                match inside {
                    Some(inside) => Some(self.place(finding, &file, inside).unwrap_or((file, At::File))),
                    None => Some((file, At::File)),
                }
            }
            Place::Line { line, column } => Some((file.to_owned(), At::Line(*line, *column))),
            Place::Description { from } => {
                Some((file.to_owned(), At::Line(from.strip_prefix("line ")?.parse().ok()?, None)))
            }
            Place::Operation { source: Some(SourceLine { file, line }), .. } => {
                Some((self.file(file)?, At::Line(*line, None)))
            }
            Place::Instruction { index, .. } => {
                let stage = self.program.stages.iter().find(|stage| Some(stage.stage) == finding.stage)?;
                let SourceLine { file, line } =
                    InstructionLines::of(self.program.module_of(stage)).line(InstId(*index))?;
                Some((self.file(&file)?, At::Line(line, None)))
            }
            Place::Slot { .. } | Place::Variable { .. } => self.site(file, &|role| self.is_of(finding, role)),
            Place::Descriptor { set, binding, .. } => self.site(
                file,
                &|role| matches!(role, Role::Descriptor { set: a, binding: b, .. } if (a, b) == (set, binding)),
            ),
            Place::EntryPoint { name, .. } => self.site(file, &|role| match role {
                Role::Workgroup(index) => {
                    let layout = self.report.workgroup.get(*index);
                    layout.is_some_and(|layout| layout.entry == *name && finding.stage == Some(layout.stage))
                }
                _ => false,
            }),
            Place::Node { function: Some(function), .. } => {
                let is_it = |site: &Site| matches!(site.role, Role::Node(_)) && site.name == *function;
                self.first(file, self.sites(&|_| true).filter(|(_, site)| is_it(site)))
            }
            _ => None,
        }
    }

    /// Whether a finding about an interface is about a varying of the side that the finding's stage has.
    fn is_of(&self, finding: &Finding, role: &Role) -> bool {
        let Role::Varying { interface, is_output, scalars } = role else { return false };
        let Some(packing) = interfaces(self.report).get(*interface).copied() else { return false };
        let stage = if *is_output { packing.producer } else { Some(packing.consumer) };
        let Some(Varying { location, component }) = varying(finding, self.report) else { return false };
        let is_here =
            |scalar: &Varying| scalar.location == location && (component.is_none() || component == scalar.component);
        stage == finding.stage && scalars.iter().any(is_here)
    }

    /// The first site that is of interest: of the file, or of one that it includes.
    fn site(&self, file: &Path, is: &dyn Fn(&Role) -> bool) -> Option<(PathBuf, At)> {
        self.first(file, self.sites(is))
    }

    fn first<'s>(&self, file: &Path, sites: impl Iterator<Item = (&'s Path, &'s Site)>) -> Option<(PathBuf, At)> {
        let (path, site) = sites.into_iter().min_by_key(|(path, _)| *path != file)?;
        Some((path.to_owned(), At::Bytes(site.range.clone())))
    }

    fn sites<'s>(&'s self, is: &'s dyn Fn(&Role) -> bool) -> impl Iterator<Item = (&'s Path, &'s Site)> {
        let all = self.sources.iter().flat_map(|source| source.sites.iter().map(|site| (source.path.as_path(), site)));
        all.filter(move |(_, site)| is(&site.role))
    }

    /// The declarations on the other side of the interface that a finding is about.
    fn related(&self, finding: &Finding, file: &Path, at: &At) -> Vec<(PathBuf, Range<usize>, String)> {
        let At::Bytes(range) = at else { return Vec::new() };
        let here = self.sources.iter().filter(|source| source.path == file).flat_map(|source| &source.sites);
        let own = here.into_iter().find(|site| site.range == *range && self.is_of(finding, &site.role));
        let Some(Role::Varying { interface, is_output, scalars }) = own.map(|site| &site.role) else {
            return Vec::new();
        };
        let other_side = |role: &Role| match role {
            Role::Varying { interface: a, is_output: side, scalars: all } => {
                a == interface && side != is_output && all.iter().any(|scalar| scalars.contains(scalar))
            }
            _ => false,
        };
        let what = if *is_output { "read here" } else { "written here" };
        self.sites(&other_side)
            .map(|(path, site)| (path.to_owned(), site.range.clone(), format!("`{}` is {what}", site.name)))
            .collect()
    }

    /// The file that a module or a compiler names.
    fn file(&self, name: &str) -> Option<PathBuf> {
        let path = Path::new(name);
        if path.is_absolute() {
            return Some(path.to_owned());
        }
        let known = self.files.iter().chain(self.sources.iter().map(|source| &source.path));
        known.into_iter().find(|file| file.ends_with(path)).cloned()
    }
}
