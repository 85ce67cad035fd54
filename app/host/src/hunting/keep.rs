//! A failure reduced, and kept in a folder of its own.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use lanescope_core::load::file_types::STAGES;
use lanescope_core::program::Program;
use lanescope_core::run::Blob;
use lanescope_core::run::inputs::{Content, Inputs};
use lanescope_core::spirv::enums::Op;

use super::ask::{Answer, given};
use super::found::{Finding, Suspect, What};
use super::programs::Source;
use super::state::StateError;
use super::{Hunt, ScriptOf};
use crate::drivers::{Stop, place};
use crate::reducing::{Given, Outcome, ReduceError, files, reduced};
use crate::rewriting::{NamedFile, text_of};
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
    let Suspect { what, on, message } = suspect;
    let folder =
        format!("{number}-{}-{}", what.name().replace(' ', "-"), on.replace(|c: char| !c.is_ascii_alphanumeric(), "-"));
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
    // A hunt that was killed after it wrote this finds it again.
    write_files(&place, &small, true)?;
    write_files(&place.join(ORIGINAL), &original, true)?;
    Ok(finding)
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
    given.compilers.retain(|with| matches!(suspect.what, What::Crash | What::Refusal) && place(with) == suspect.on);
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
        out.extend(modules(program));
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

fn modules(program: &Program) -> Vec<NamedFile> {
    let mut out = Vec::new();
    for (at, loaded) in program.modules.iter().enumerate() {
        let stage = program.stages.iter().find(|stage| stage.module == at).map(|stage| stage.stage);
        let name = STAGES.iter().find(|(_, own)| Some(*own) == stage).map_or("module", |(extension, _)| extension);
        let name = if out.iter().any(|(other, _): &NamedFile| other.starts_with(name)) {
            format!("{name}.{at}")
        } else {
            name.to_owned()
        };
        let bytes = loaded.module.words().iter().flat_map(|word| word.to_le_bytes()).collect();
        if let Ok(text) = text_of(&loaded.module, &name, None) {
            out.push((format!("{name}.spvasm"), Blob(text.into_bytes())));
        }
        out.push((format!("{name}.spv"), Blob(bytes)));
    }
    out
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
    for with in hunt.compilers.iter().filter(|with| place(with) == suspect.on) {
        match (with.chip, &with.device) {
            (Some(chip), _) => out.extend(["--chip".to_owned(), chip.to_string()]),
            (None, Some(device)) => out.extend(["--device".to_owned(), device.clone()]),
            (None, None) => {}
        }
        out.extend(with.icd.iter().flat_map(|icd: &PathBuf| ["--icd".to_owned(), icd.display().to_string()]));
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
