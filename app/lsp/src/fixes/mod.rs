//! Quick fixes: edits after which a diagnostic is gone, where the text leaves no doubt.

mod defines;
mod location;
mod pipe;
mod unread;
mod wgsl;
mod workgroup;

use std::ops::Range;
use std::path::{Path, PathBuf};

use lanescope_core::load::stage_of_extension;
use lanescope_core::program::StageKind;
use lanescope_core::report::Report;

use crate::diagnostics::{At, Diagnostic};
use crate::position::Lines;
use crate::project::Pipeline;
use crate::sites::{Role, Source, interfaces};
use crate::slots;
use crate::source::Language;
use crate::source::plain::{Plain, directive_words, pastes, plain};

/// An edit of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The file.
    pub path: PathBuf,
    /// The bytes that are replaced.
    pub range: Range<usize>,
    /// What replaces them.
    pub text: String,
}

/// A fix of a diagnostic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What it does, for a menu.
    pub title: String,
    /// Its edits, which do not overlap.
    pub edits: Vec<Edit>,
}

/// A text of a pipeline.
#[derive(Debug, Clone)]
pub struct Text {
    /// The file.
    pub path: PathBuf,
    /// The text.
    pub text: String,
    /// The lines of the text.
    pub lines: Lines,
}

impl Text {
    /// A text of a file.
    pub fn new(path: &Path, text: String) -> Text {
        let lines = Lines::of(&text);
        Text { path: path.to_owned(), text, lines }
    }

    /// The stage that the name of the file says.
    fn stage(&self) -> Option<StageKind> {
        stage_of_extension(&self.path)
    }

    /// The plain variables, where the name says that the text is GLSL.
    fn plain(&self) -> Vec<Plain> {
        if Language::of_name(&self.path) == Some(Language::Glsl) { plain(&self.text) } else { Vec::new() }
    }

    fn edit(&self, range: Range<usize>, text: impl Into<String>) -> Edit {
        Edit { path: self.path.clone(), range, text: text.into() }
    }

    /// The bytes of the line of a place, and of the line end after it.
    fn whole_line(&self, line: usize) -> Range<usize> {
        let start = self.lines.range(&self.text, line).start;
        let next =
            if line + 1 < self.lines.count() { self.lines.range(&self.text, line + 1).start } else { self.text.len() };
        start..next
    }

    /// A statement with its line, where nothing but a comment follows it and nothing precedes it; else the statement alone.
    fn with_line(&self, statement: &Range<usize>) -> Range<usize> {
        let (first, last) = (self.lines.line_at(statement.start), self.lines.line_at(statement.end));
        let whole = self.whole_line(first).start..self.whole_line(last).end;
        let before = self.text.get(whole.start..statement.start).unwrap_or("x");
        let after = self.text.get(statement.end..whole.end).unwrap_or("x").trim();
        if before.trim().is_empty() && (after.is_empty() || after.starts_with("//")) {
            whole
        } else {
            statement.clone()
        }
    }
}

/// What fixes look at: a pipeline with its texts.
pub struct Context<'a> {
    /// The pipeline.
    pub pipeline: &'a Pipeline,
    /// The texts of its files, in their order, and of others that diagnostics are about.
    pub texts: &'a [Text],
    /// Its workspace file.
    pub manifest: Option<&'a Text>,
    /// No other pipeline has the file.
    pub is_only: bool,
}

impl Context<'_> {
    fn text(&self, path: &Path) -> Option<&Text> {
        self.texts.iter().find(|text| text.path == path)
    }

    /// The file of the stage before or after the one of a file, by the files' names.
    fn other_stage(&self, of: &Text, is_next: bool) -> Option<&Text> {
        let own = of.stage()?;
        let files = self.pipeline.files.iter().filter_map(|file| self.text(file));
        let with_stages = files.filter_map(|text| Some((text.stage()?, text)));
        let beside =
            with_stages.filter(|(stage, _)| stage.is_graphics() && if is_next { *stage > own } else { *stage < own });
        let found =
            if is_next { beside.min_by_key(|(stage, _)| *stage) } else { beside.max_by_key(|(stage, _)| *stage) };
        found.map(|(_, text)| text)
    }
}

/// The fixes of a diagnostic of a file.
pub fn of_diagnostic(context: &Context<'_>, file: &Path, diagnostic: &Diagnostic) -> Vec<Fix> {
    let Some(text) = context.text(file) else { return Vec::new() };
    let message = diagnostic.message.as_str();
    let fixes = match diagnostic.code.as_deref() {
        None if message.contains("must be qualified as flat in") => location::flat(text, diagnostic),
        // Another pipeline may have another place for the variable.
        None if context.is_only && message.contains("SPIR-V requires location for user input/output") => {
            location::missing(context, text, diagnostic)
        }
        None if context.is_only && message.contains("overlapping use of location") => {
            location::moved(context, text, diagnostic)
        }
        None if message.contains("requires local_size_x and local_size_y to be multiple of two") => {
            workgroup::of_text(text, workgroup::Rule::Quads)
        }
        None if message.contains("requires total group size to be multiple of four") => {
            workgroup::of_text(text, workgroup::Rule::Linear)
        }
        None if message.contains("@interpolate(flat) must be explicitly specified") => wgsl::flat(text, message),
        Some("P002") if context.is_only => location::moved(context, text, diagnostic),
        Some("W003") => workgroup::at(text, diagnostic, workgroup::Rule::Quads),
        Some("W004") => workgroup::at(text, diagnostic, workgroup::Rule::Linear),
        Some("L007") => version(text, message),
        Some("L010") => context.manifest.and_then(|manifest| defines::unused(context, manifest, message)),
        Some(code) if code.starts_with("pipe.") => pipe::fix(text, code, diagnostic),
        _ => None,
    };
    fixes.into_iter().collect()
}

/// The fixes at a place of a source that has no diagnostic there: outputs that nothing reads.
pub fn of_places(report: &Report, sources: &[Source], source: &Source, range: &Range<usize>) -> Vec<Fix> {
    if source.language != Some(Language::Glsl) || Language::of_name(&source.path) == Some(Language::Hlsl) {
        return Vec::new();
    }
    // A macro that joins words may make any name.
    if sources.iter().any(|other| other.is_compiled_with(source) && pastes(&other.text)) {
        return Vec::new();
    }
    let text = Text { path: source.path.clone(), text: source.text.clone(), lines: source.lines.clone() };
    let all = plain(&text.text);
    let interfaces = interfaces(report);
    // Of a declaration that is one of several stages all have to agree.
    let is_unread = |one: &Plain| {
        let mut roles =
            source.sites.iter().filter(|site| site.range == one.name_range).map(|site| &site.role).peekable();
        roles.peek().is_some()
            && roles.all(|role| match role {
                Role::Varying { interface, is_output: true, scalars } => {
                    interfaces.get(*interface).is_some_and(|packing| slots::is_unread(packing, scalars))
                }
                _ => false,
            })
    };
    let touches = |one: &Plain| {
        let lines = text.lines.range(&text.text, text.lines.line_at(one.statement.start)).start
            ..text.lines.range(&text.text, text.lines.line_at(one.statement.end)).end;
        range.start <= lines.end && lines.start <= range.end
    };
    // A file that is compiled with this one may use the name too.
    let is_elsewhere = |one: &Plain| {
        let with = sources.iter().filter(|other| !other.is(source) && other.is_compiled_with(source));
        with.into_iter()
            .any(|other| !other.uses(&one.name).is_empty() || directive_words(&other.text).contains(&one.name.as_str()))
    };
    // The report knows what is read with the macros of now. An input that is declared, also in an inactive part, may be meant,
    // and asks for the output.
    let is_declared = |one: &Plain| {
        // All of a description is no shader: its sections are.
        let is_shader = |other: &&Source| other.path != source.path || other.section.is_some();
        let others = sources.iter().filter(|other| !other.is_compiled_with(source)).filter(is_shader);
        others.into_iter().any(|other| {
            let has_name = Language::Glsl.tokens(&other.text).iter().any(|token| token.text == one.name);
            has_name || plain(&other.text).iter().any(|input| !input.is_output && input.location == one.location)
        })
    };
    let fixed = all
        .iter()
        .filter(|one| one.is_output && touches(one) && is_unread(one) && !is_elsewhere(one) && !is_declared(one));
    fixed.filter_map(|one| unread::fix(&text, one)).collect()
}

/// The version that SPIR-V assembly is read as, written into it.
fn version(text: &Text, message: &str) -> Option<Fix> {
    let version = message.split("SPIR-V ").nth(1)?.split(' ').next()?;
    let is_version = version.split_once('.').is_some_and(|(major, minor)| {
        [major, minor].iter().all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit()))
    });
    let line = format!("; Version: {version}");
    is_version.then(|| Fix { title: format!("Add `{line}`"), edits: vec![text.edit(0..0, line + "\n")] })
}

/// The plain variable at the place of a diagnostic: whose name is there, or the only one that begins in its line.
fn variable_at(text: &Text, diagnostic: &Diagnostic) -> Option<Plain> {
    let all = text.plain();
    match &diagnostic.at {
        At::Bytes(range) => all.into_iter().find(|one| one.name_range == *range),
        At::Line(line, _) => {
            let line = (*line as usize).checked_sub(1)?;
            let lines = |range: &Range<usize>| {
                (text.lines.line_at(range.start), text.lines.line_at(range.end.saturating_sub(1)))
            };
            // Another statement in the line may be the one that is meant.
            let tokens = Language::Glsl.tokens(text.text.get(text.lines.range(&text.text, line))?);
            let is_single = tokens.iter().filter(|token| token.text == ";").count() == 1;
            let mut here = all.into_iter().filter(|one| lines(&one.statement) == (line, line));
            here.next().filter(|_| is_single)
        }
        At::File => None,
    }
}
