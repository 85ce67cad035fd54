//! A failure reduced, and kept in a folder of its own.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use lanescope_core::driver::Version;
use lanescope_core::program::Program;
use lanescope_core::run::Blob;
use lanescope_core::run::inputs::{Content, Inputs};
use lanescope_core::spirv::enums::Op;

use super::ask::{Answer, LAYOUTS, given};
use super::found::{Finding, Suspect, What};
use super::programs::Source;
use super::state::StateError;
use super::{Hunt, ScriptOf};
use crate::drivers::Stop;
use crate::reducing::results::modules_and_texts;
use crate::reducing::{Given, Outcome, ReduceError, files, reduced};
use crate::rewriting::NamedFile;
use crate::safe_write::write_files;

/// The folder of the program as it was found, in that of a finding.
const ORIGINAL: &str = "original";

/// Reduces a failure where that is wanted, and writes it.
///
/// # Errors
/// A folder that cannot be written.
pub(super) fn keep(
    hunt: &Hunt,
    number: u64,
    answer: &Answer,
    suspect: &Suspect,
    (script_of, wants_less): (ScriptOf<'_>, bool),
) -> Result<Finding, StateError> {
    let Suspect { what, on, message, .. } = suspect;
    let of = |text: &str| text.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let folder = free(&hunt.folder, &format!("{number}-{}-{}", of(what.name()), of(on)));
    let mut finding = Finding {
        signature: suspect.signature(),
        message: message.clone(),
        number,
        programs: 1,
        size: None,
        not_reduced: None,
        folder: folder.clone(),
    };
    let place = hunt.folder.join(&folder);
    let original = originals(answer);
    let command = command(hunt, (suspect, &answer.inputs), (&place.join(ORIGINAL), &original));
    let mut small = Vec::new();
    match reduce(hunt, answer, suspect, wants_less) {
        Ok((given, outcome)) => {
            if matches!(what, What::Results | What::Rewritten) {
                finding.signature.how = construct(&outcome.program);
            }
            finding.size = Some([outcome.size[0].code, outcome.size[1].code]);
            let script = script_of(&given, &outcome);
            small = files(&given, &outcome, &command, script);
        }
        Err(why) => {
            let readme = format!("# {what} on {on}\n\nProgram {number}. {message}\n\nIt was not reduced: {why}\n");
            let readme = readme.replace(|c: char| c.is_control() && c != '\n', "\u{fffd}");
            small.push((crate::reducing::README.to_owned(), Blob(readme.into_bytes())));
            finding.not_reduced = Some(why);
        }
    }
    write_files(&place, &small, false)?;
    write_files(&place.join(ORIGINAL), &original, false)?;
    Ok(finding)
}

/// A name that nothing in a folder has: one program may show several failures, and a hunt that was killed finds again what
/// it had written.
fn free(folder: &Path, name: &str) -> String {
    let others = (2..).map(|at| format!("{name}-{at}"));
    let mut all = std::iter::once(name.to_owned()).chain(others);
    all.find(|name| !folder.join(name).exists()).unwrap_or_else(|| name.to_owned())
}

/// Removes the folder of a failure that is one of another finding.
///
/// # Errors
/// It cannot be removed.
pub(super) fn remove(hunt: &Hunt, folder: &str) -> Result<(), StateError> {
    let place = hunt.folder.join(folder);
    std::fs::remove_dir_all(&place).map_err(|error| StateError::Read(format!("{}: {error}", place.display())))
}

fn reduce(hunt: &Hunt, answer: &Answer, suspect: &Suspect, wants_less: bool) -> Result<(Given, Outcome), String> {
    let limit = hunt.reduction.ok_or("that was not wanted")?;
    let condition = suspect.condition().ok_or("no condition says what would have to stay")?;
    let program = answer.program.clone().ok_or("there is no module")?;
    if !wants_less {
        return Err("enough of its kind were reduced".to_owned());
    }
    let mut given = given(hunt, program, answer.inputs.clone(), condition);
    // Only who shows it is asked.
    let compiler = suspect.compiler.and_then(|at| hunt.compilers.get(at));
    given.compilers = compiler.into_iter().cloned().collect();
    given.stop = Stop::default();
    let (begun, stop, outer) = (Instant::now(), given.stop.clone(), hunt.stop.clone());
    let outcome = reduced(&given, &mut |_, _| {
        if begun.elapsed() > limit || outer.is_stopped() {
            stop.stop();
        }
    });
    match outcome {
        Ok(outcome) => Ok((given, outcome)),
        Err(error @ (ReduceError::DoesNotHold { .. } | ReduceError::NotSteady { .. })) => {
            Err(format!("it is not steady: {error}"))
        }
        Err(error) => Err(error.to_string()),
    }
}

/// The files of a program as it was found: its sources, where it is generated, its modules, and what it runs with.
fn originals(answer: &Answer) -> Vec<NamedFile> {
    let mut out: Vec<NamedFile> = Vec::new();
    if let Some(Source { files, wanted, .. }) = &answer.source {
        for file in files {
            if let (Some(contents), Some(name)) = (wanted.given.get(file), file.file_name()) {
                out.push((format!("source-{}", name.to_string_lossy()), contents.clone()));
            }
        }
    }
    if let Some(program) = &answer.program {
        out.extend(modules_and_texts(program));
    }
    for input in &answer.inputs.buffers {
        if let Content::Bytes(bytes) = &input.content {
            out.push((input_name(input.set, input.binding), bytes.clone()));
        }
    }
    out
}

/// The file of a buffer.
fn input_name(set: u32, binding: u32) -> String {
    format!("input-{set}-{binding}.bin")
}

/// The command that reduces a program as it was found.
fn command(
    hunt: &Hunt,
    (suspect, inputs): (&Suspect, &Inputs),
    (folder, original): (&Path, &[NamedFile]),
) -> Vec<String> {
    let Some(condition) = suspect.condition() else { return Vec::new() };
    let modules = original.iter().filter(|(name, _)| name.ends_with(".spv"));
    let files = modules.map(|(name, _)| folder.join(name).display().to_string());
    let mut out = vec!["lanescope".to_owned(), "reduce".to_owned()];
    out.extend(files);
    out.extend(["--while".to_owned(), condition.to_string()]);
    if let Some(with) = suspect.compiler.and_then(|at| hunt.compilers.get(at)) {
        match (with.chip, &with.device) {
            (Some(chip), _) => out.extend(["--chip".to_owned(), chip.to_string()]),
            (None, Some(device)) => out.extend(["--device".to_owned(), device.clone()]),
            (None, None) => {}
        }
        if with.apart {
            out.push("--pipeline-libraries".to_owned());
        }
        out.extend(with.icd.iter().flat_map(|icd: &PathBuf| ["--icd".to_owned(), icd.display().to_string()]));
    }
    if hunt.versions != [Version::Original] {
        let all: Vec<&str> = hunt.versions.iter().map(|version| version.name()).collect();
        out.extend(["--variant".to_owned(), all.join(",")]);
    }
    if suspect.what == What::Rewritten || hunt.versions != [Version::Original] {
        out.extend(LAYOUTS.map(str::to_owned));
    }
    let Inputs { zeros, fill, buffers, .. } = inputs;
    match zeros {
        true => out.push("--zeros".to_owned()),
        false => out.extend(["--seed".to_owned(), fill.to_string()]),
    }
    for input in buffers {
        let file = folder.join(input_name(input.set, input.binding));
        out.extend(["--buffer".to_owned(), format!("{}:{}={}", input.set, input.binding, file.display())]);
    }
    out.extend(["-o".to_owned(), "reduced".to_owned()]);
    out
}

/// The instructions of a program's functions that tell what it is about, by name.
fn construct(program: &Program) -> String {
    let mut out = BTreeSet::new();
    for loaded in &program.modules {
        let module = &loaded.module;
        let code = module.insts().skip_while(|inst| inst.op() != Some(Op::Function));
        for inst in code {
            use Op::*;
            match inst.op() {
                Some(
                    Function | FunctionEnd | Label | Variable | Load | Store | AccessChain | Return | Branch | Line
                    | NoLine | Phi,
                ) => {}
                Some(ExtInst) => out.extend(module.extended_name(&inst)),
                _ => drop(out.insert(inst.name())),
            }
        }
    }
    out.into_iter().collect::<Vec<_>>().join(" ")
}
