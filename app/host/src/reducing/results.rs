//! What a reduction leaves in a folder.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lanescope_core::foreign::plain_lines;
use lanescope_core::load::file_types::STAGES;
use lanescope_core::program::{Program, StageKind};
use lanescope_core::reduce::condition::Condition;
use lanescope_core::reduce::search::Progress;
use lanescope_core::run::Blob;
use lanescope_core::text_format::counted;

use super::sources::name_of;
use super::{Definedness, Given, Outcome, SourcesOutcome};
use crate::rewriting::{NamedFile, text_of};
use crate::safe_write::{NotWritten, write_files};

/// The file that says what was reduced, which every result has.
pub const README: &str = "README.md";

/// What was written.
#[derive(Debug, Clone)]
pub struct Written {
    /// The names of the files.
    pub files: Vec<String>,
}

/// The modules of a program, each under the name of its stages: `vert.spv`.
pub(super) fn module_files(program: &Program) -> Vec<(String, Vec<u8>)> {
    let mut out = Vec::new();
    for (index, loaded) in program.modules.iter().enumerate() {
        let bytes = loaded.module.words().iter().flat_map(|word| word.to_le_bytes()).collect();
        out.push((format!("{}.spv", stem(program, index)), bytes));
    }
    out
}

/// The modules of a program, each as SPIR-V and, where it can be disassembled, as assembly.
pub(crate) fn modules_and_texts(program: &Program) -> Vec<NamedFile> {
    let mut files: Vec<NamedFile> = Vec::new();
    for ((name, bytes), loaded) in module_files(program).into_iter().zip(&program.modules) {
        if let Ok(text) = text_of(&loaded.module, &name, None) {
            files.push((name.replace(".spv", ".spvasm"), Blob(text.into_bytes())));
        }
        files.push((name, Blob(bytes)));
    }
    files
}

/// A stage as the extension of a file.
fn extension(stage: StageKind) -> &'static str {
    STAGES.iter().find(|(_, own)| *own == stage).map_or("module", |(extension, _)| extension)
}

/// The name of a module: that of its stages.
fn stem(program: &Program, module: usize) -> String {
    let stages = program.stages.iter().filter(|stage| stage.module == module);
    let names: Vec<&str> = stages.map(|stage| extension(stage.stage)).collect();
    let name = if names.is_empty() { "module".to_owned() } else { names.join(".") };
    let is_alone = program.modules.len() == 1 || !names.is_empty();
    let same = (0..module).filter(|&other| {
        program
            .stages
            .iter()
            .filter(|stage| stage.module == other)
            .map(|stage| extension(stage.stage))
            .eq(names.iter().copied())
    });
    match same.count() {
        0 if is_alone => name,
        count => format!("{name}.{}", count + 1),
    }
}

/// Writes the files of a reduced program.
///
/// # Errors
/// A file that exists, or cannot be written.
pub fn write(files: Vec<NamedFile>, folder: &Path, may_replace: bool) -> Result<Written, NotWritten> {
    write_files(folder, &files, may_replace)?;
    Ok(Written { files: files.into_iter().map(|(name, _)| name).collect() })
}

/// The files of a reduced program: each module as SPIR-V and as assembly, the script if there is one, and a README with
/// the command and what was seen before and after.
pub fn files(given: &Given, outcome: &Outcome, command: &[String], script: Result<String, String>) -> Vec<NamedFile> {
    let mut files = modules_and_texts(&outcome.program);
    if let Ok(script) = &script {
        files.push(("reduced.amber".to_owned(), Blob(script.clone().into_bytes())));
    }
    let [before, after] = outcome.size;
    let readme = Readme {
        from: given.program.inputs.iter().map(|input| input.path.clone()).collect(),
        condition: &given.condition,
        sizes: format!(
            "Instructions in functions: {} before, {} after (all instructions: {}, {})",
            before.code, after.code, before.instructions, after.instructions
        ),
        progress: (&outcome.progress, outcome.is_complete),
        defined: defined(&outcome.definedness, &outcome.known),
        command,
        seen: [&outcome.before, &outcome.after],
        no_script: script.as_ref().err().map(String::as_str),
    };
    files.push((README.to_owned(), Blob(readme.text().into_bytes())));
    files
}

/// Writes the reduced sources, and a README with the command and what was seen before and after.
///
/// # Errors
/// A file that exists, or cannot be written.
pub fn write_sources(
    given: &Given,
    (outcome, paths): (&SourcesOutcome, &[PathBuf]),
    command: &[String],
    (folder, may_replace): (&Path, bool),
) -> Result<Written, NotWritten> {
    let texts = paths.iter().zip(&outcome.sources.0);
    let mut files: Vec<NamedFile> =
        texts.map(|(path, text)| (name_of(path), Blob(text.clone().into_bytes()))).collect();
    let [before, after] = outcome.bytes;
    let readme = Readme {
        from: paths.iter().map(|path| path.display().to_string()).collect(),
        condition: &given.condition,
        sizes: format!("Bytes: {before} before, {after} after"),
        progress: (&outcome.progress, outcome.is_complete),
        defined: defined(&outcome.definedness, &outcome.known),
        command,
        seen: [&outcome.before, &outcome.after],
        no_script: None,
    };
    files.push((README.to_owned(), Blob(readme.text().into_bytes())));
    write(files, folder, may_replace)
}

/// What a README says.
struct Readme<'o> {
    from: Vec<String>,
    condition: &'o Condition,
    sizes: String,
    /// How far the search came, and whether it ended by itself.
    progress: (&'o Progress, bool),
    defined: String,
    command: &'o [String],
    /// Before and after.
    seen: [&'o [String]; 2],
    no_script: Option<&'o str>,
}

impl Readme<'_> {
    fn text(&self) -> String {
        let (progress, is_complete) = self.progress;
        let state = if is_complete { "nothing smaller was found" } else { "stopped before the end" };
        let mut out = format!(
            "# Reduced program\n\nFrom {}.\n\n- Condition: `{}`\n- {}\n- Tries: {}, of which {} were accepted, in {}; \
             {state}\n- Undefined behaviour: {}\n",
            self.from.join(", "),
            self.condition,
            self.sizes,
            progress.tries,
            progress.accepted,
            counted(progress.round, "round"),
            self.defined,
        );
        if !self.command.is_empty() {
            out.push_str(&format!("\n## Command\n\n    {}\n", shell_line(self.command)));
        }
        for (title, lines) in ["Before", "After"].iter().zip(self.seen) {
            out.push_str(&format!("\n## {title}\n\n"));
            out.extend(lines.iter().map(|line| format!("- {line}\n")));
        }
        if let Some(why) = self.no_script {
            out.push_str(&format!("\n## No Amber script\n\n{why}\n"));
        }
        out.push_str(&format!("\nlanescope {}\n", env!("CARGO_PKG_VERSION")));
        // Paths and messages are foreign: a terminal that shows the file must not obey them.
        plain_lines(&out)
    }
}

/// A command as a shell reads it. What no shell can be given is left as it is.
fn shell_line(command: &[String]) -> String {
    shlex::try_join(command.iter().map(String::as_str)).unwrap_or_else(|_| command.join(" "))
}

/// How undefined behaviour was looked for, as a sentence.
fn defined(definedness: &Definedness, known: &BTreeSet<String>) -> String {
    match definedness {
        Definedness::Interpreted if known.is_empty() => {
            "the interpreter reports none before, and none after any accepted step".to_owned()
        }
        Definedness::Interpreted => {
            let codes: Vec<&str> = known.iter().map(String::as_str).collect();
            format!("the interpreter reports {} before, and no other after any accepted step", codes.join(", "))
        }
        Definedness::ByText(why) => {
            format!("looked for in each module's text alone, since the interpreter does not run the program ({why})")
        }
        Definedness::NotAsked => "the interpreter was not asked".to_owned(),
    }
}
