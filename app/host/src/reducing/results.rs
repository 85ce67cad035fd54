//! What a reduction leaves in a folder.

use std::fmt::Write as _;
use std::path::Path;

use lanescope_core::load::file_types::STAGES;
use lanescope_core::program::{Program, StageKind};
use lanescope_core::run::Blob;

use super::{Definedness, Given, Outcome};
use crate::rewriting::{NamedFile, text_of};
use crate::safe_write::{NotWritten, write_files};

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
        program.stages.iter().filter(|stage| stage.module == other).map(|stage| extension(stage.stage)).eq(names.iter().copied())
    });
    match same.count() {
        0 if is_alone => name,
        count => format!("{name}.{}", count + 1),
    }
}

/// Writes the reduced program: each module as SPIR-V and as assembly, the script if there is one, and a README with the
/// command and what was seen before and after.
///
/// # Errors
/// A file that exists, or cannot be written.
pub fn write(
    given: &Given,
    outcome: &Outcome,
    (command, script): (&[String], Result<String, String>),
    (folder, may_replace): (&Path, bool),
) -> Result<Written, NotWritten> {
    let mut files: Vec<NamedFile> = Vec::new();
    for (index, (name, bytes)) in module_files(&outcome.program).into_iter().enumerate() {
        let module = &outcome.program.modules[index].module;
        if let Ok(text) = text_of(module, &name, None) {
            files.push((name.replace(".spv", ".spvasm"), Blob(text.into_bytes())));
        }
        files.push((name, Blob(bytes)));
    }
    if let Ok(script) = &script {
        files.push(("reduced.amber".to_owned(), Blob(script.clone().into_bytes())));
    }
    let readme = readme(given, outcome, command, script.as_ref().err().map(String::as_str));
    files.push(("README.md".to_owned(), Blob(readme.into_bytes())));
    write_files(folder, &files, may_replace)?;
    Ok(Written { files: files.into_iter().map(|(name, _)| name).collect() })
}

fn readme(given: &Given, outcome: &Outcome, command: &[String], no_script: Option<&str>) -> String {
    let [before, after] = outcome.size;
    let mut out = String::from("# Reduced program\n\n");
    let inputs: Vec<&str> = given.program.inputs.iter().map(|input| input.path.as_str()).collect();
    // Writing to a string does not fail.
    let _ = write!(
        out,
        "From {}.\n\n- Condition: `{}`\n- Instructions in functions: {} before, {} after (all instructions: {}, {})\n",
        inputs.join(", "),
        given.condition,
        before.code,
        after.code,
        before.instructions,
        after.instructions,
    );
    let state = if outcome.is_complete { "nothing smaller was found" } else { "stopped before the end" };
    let _ = writeln!(
        out,
        "- Tries: {}, of which {} were accepted, in {} rounds; {state}",
        outcome.progress.tries, outcome.progress.accepted, outcome.progress.round
    );
    let _ = writeln!(out, "- Undefined behaviour: {}", defined(outcome));
    if !command.is_empty() {
        let _ = write!(out, "\n## Command\n\n    {}\n", command.join(" "));
    }
    for (title, lines) in [("Before", &outcome.before), ("After", &outcome.after)] {
        let _ = write!(out, "\n## {title}\n\n");
        out.extend(lines.iter().map(|line| format!("- {line}\n")));
    }
    if let Some(why) = no_script {
        let _ = write!(out, "\n## No Amber script\n\n{why}\n");
    }
    let _ = write!(out, "\nlanescope {}\n", env!("CARGO_PKG_VERSION"));
    out
}

/// How undefined behaviour was looked for, as a sentence.
fn defined(outcome: &Outcome) -> String {
    match &outcome.definedness {
        Definedness::Interpreted if outcome.known.is_empty() => {
            "the interpreter reports none before, and none after any accepted step".to_owned()
        }
        Definedness::Interpreted => {
            let codes: Vec<&str> = outcome.known.iter().map(String::as_str).collect();
            format!("the interpreter reports {} before, and no other after any accepted step", codes.join(", "))
        }
        Definedness::ByText(why) => {
            format!("looked for in each module's text alone, since the interpreter does not run the program ({why})")
        }
        Definedness::NotAsked => "not looked for (--allow-undefined)".to_owned(),
    }
}
