//! `lanescope inspect SHADERS --object FILE`: what is predicted for shaders, beside what an AMD code object has.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use lanescope_core::codeobject::{CodeObject, Predicted};
use lanescope_core::driver_hashes::DriverHashes;
use lanescope_core::findings::{Finding, Severity};
use lanescope_core::object_prediction::{NotCompared, object_target, predicted};
use lanescope_core::target::Target;
use lanescope_host::code_objects::{paired, read};
use lanescope_text as text;
use schemars::JsonSchema;
use serde::Serialize;

use super::args::Analysis;
use super::sarif::Format;
use super::{CliError, Verdict, json, serious, streams, tell_findings};

/// What `inspect --object --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Page<'a> {
    /// The version of this form.
    schema: u32,
    /// The files of the shaders.
    files: Vec<&'a str>,
    /// The file of the object.
    object: &'a str,
    /// The results.
    #[serde(flatten)]
    predicted: &'a Predicted,
    /// What is damaged in the object, and which rules it breaks.
    findings: &'a [Finding],
}

/// Compares the prediction for the files with an object, and prints the result. `has_target` says whether a target was
/// named.
pub fn print(analysis: &Analysis, has_target: bool, path: &Path, format: Format) -> Result<Verdict, CliError> {
    let as_json = match format {
        Format::Text => false,
        Format::Json => true,
        Format::Sarif => {
            return Err(CliError::Unusable("--format sarif writes findings; --object compares values".to_owned()));
        }
    };
    let paired = path.is_dir().then(|| object_of(analysis, path)).transpose()?;
    let path = paired.as_deref().unwrap_or(path);
    let object = read(path).map_err(CliError::Unusable)?;
    let target = target_of(&object, path, has_target.then(|| analysis.target()))?;
    let (_, report) = analysis.for_target(target).load()?;
    let predicted = predicted(&report, &object).map_err(|why| not_compared(path, &why))?;
    let name = path.display().to_string();
    let files: Vec<&str> = report.inputs.iter().map(|input| input.path.as_str()).collect();
    if as_json {
        let findings = &object.findings;
        json::print(&Page { schema: 1, files, object: &name, predicted: &predicted, findings })?;
    } else {
        let (mut out, style) = streams::styled();
        text::write_predicted([&name, &files.join(" ")], &object, &predicted, &mut out, style)?;
        out.flush()?;
        tell_findings(serious(&report.findings));
    }
    let is_damaged = object.findings.iter().any(|finding| finding.severity == Severity::Error);
    Ok(if predicted.agrees() && !is_damaged { Verdict::Clean } else { Verdict::Findings })
}

/// The object of a folder that was compiled from the files, by the hashes of its shaders.
fn object_of(analysis: &Analysis, folder: &Path) -> Result<PathBuf, CliError> {
    let program = analysis.program(&mut analysis.loading().loader())?;
    let of = |stage: &lanescope_core::program::Stage| program.driver_hashes(stage.module, &stage.entry);
    let shaders: Vec<DriverHashes> = program.stages.iter().filter_map(of).collect();
    if shaders.is_empty() {
        let message = "objects of a folder are found by the hashes of SPIR-V; none of the files is SPIR-V";
        return Err(CliError::Unusable(format!("{}: {message}", folder.display())));
    }
    paired(folder, &shaders).map_err(CliError::Unusable)
}

/// The target to model: the object's chip.
///
/// # Errors
/// A chip without register tables, and another one than was named.
fn target_of(object: &CodeObject, path: &Path, named: Option<Target>) -> Result<Target, CliError> {
    let target = object_target(object).map_err(|why| not_compared(path, &why))?;
    match named.filter(|named| *named != target) {
        Some(named) => Err(CliError::Unusable(format!("{}: is for {target}; --target is {named}", path.display()))),
        None => Ok(target),
    }
}

fn not_compared(path: &Path, why: &NotCompared) -> CliError {
    let message = match why {
        NotCompared::SeveralEntries(..) => format!("{why}: select one with --entry"),
        _ => format!("{}: {why}", path.display()),
    };
    match why {
        NotCompared::NoTables(_) => CliError::Missing(message),
        _ => CliError::Unusable(message),
    }
}
