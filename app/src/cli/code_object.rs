//! AMD code objects: what `inspect` and `diff` do with them.

use std::io::Write as _;
use std::path::Path;

use lanescope_core::codeobject::{CodeObject, Comparison, compare};
use lanescope_core::findings::Severity;
use lanescope_core::load::{NoDisassembly, disassemble_object};
use lanescope_core::object_assembly::AssemblyComparison;
use schemars::JsonSchema;
use serde::Serialize;

use super::{CliError, Verdict, json, streams};
use lanescope_host::code_objects::{is_object, read};
use lanescope_pictures::align::{PATIENCE, unified};
use lanescope_text as text;

/// What `inspect --format json` prints of a code object.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Page<'a> {
    /// The version of this form.
    schema: u32,
    /// The file.
    path: &'a str,
    /// The object.
    #[serde(flatten)]
    object: &'a CodeObject,
}

impl<'a> Page<'a> {
    /// An object of a file.
    pub(super) fn of(path: &'a str, object: &'a CodeObject) -> Page<'a> {
        Page { schema: 1, path, object }
    }
}

/// What `diff --format json` prints of two code objects.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Differences<'a> {
    /// The version of this form.
    schema: u32,
    /// The first file.
    left: &'a str,
    /// The second file.
    right: &'a str,
    /// What differs.
    #[serde(flatten)]
    comparison: &'a Comparison,
    /// The code, disassembled.
    assembly: &'a AssemblyComparison,
}

/// How an object is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Text,
    Json,
    /// Disassembly by LLVM.
    Listing,
}

/// Rejects flags that are about shaders.
pub fn no_flags(path: &Path, flags: &[String]) -> Result<(), CliError> {
    match flags.first() {
        None => Ok(()),
        Some(flag) => {
            Err(CliError::Unusable(format!("{}: is an AMD code object; {flag} has no effect on it", path.display())))
        }
    }
}

/// Prints an object.
pub fn print(path: &Path, form: Form) -> Result<Verdict, CliError> {
    let object = read(path).map_err(CliError::Unusable)?;
    let name = path.display().to_string();
    match form {
        Form::Text => {
            let (mut out, style) = streams::styled();
            text::write_code_object(&name, &object, &mut out, style)?;
            out.flush()?;
        }
        Form::Json => json::print(&Page::of(&name, &object))?,
        Form::Listing => {
            let (program, listing) =
                disassemble_object(path, object.header.chip.as_deref()).map_err(|why| match why {
                    NoDisassembly::Missing => CliError::Missing(why.to_string()),
                    NoDisassembly::Failed { .. } => CliError::Unusable(why.to_string()),
                })?;
            let mut out = streams::plain();
            writeln!(out, "; {name}, {}, by {}", object.chip(), program.display())?;
            out.write_all(listing.as_bytes())?;
            out.flush()?;
        }
    }
    Ok(if has_errors(&object) { Verdict::Findings } else { Verdict::Clean })
}

/// Whether a finding is an error.
pub(super) fn has_errors(object: &CodeObject) -> bool {
    object.findings.iter().any(|finding| finding.severity == Severity::Error)
}

/// The two objects of `diff`; none where neither side is one.
///
/// # Errors
/// Only one side is an object.
pub fn pair<'a>(left: &'a str, right: &'a str) -> Result<Option<[&'a Path; 2]>, CliError> {
    let paths = [Path::new(left), Path::new(right)];
    match paths.map(is_object) {
        [true, true] => Ok(Some(paths)),
        [false, false] => Ok(None),
        [is_left, _] => {
            let (object, other) = if is_left { (left, right) } else { (right, left) };
            Err(CliError::Unusable(format!("{object}: is an AMD code object; {other}: is not")))
        }
    }
}

/// Prints what differs between two objects.
pub fn print_differences(paths: [&Path; 2], all: bool, as_json: bool) -> Result<Verdict, CliError> {
    let [left, right] = paths.map(read);
    let objects = [left.map_err(CliError::Unusable)?, right.map_err(CliError::Unusable)?];
    let mut comparison = compare(&objects[0], &objects[1]);
    if !all {
        comparison.keep_changes();
    }
    let listings = [(paths[0], &objects[0]), (paths[1], &objects[1])].map(|(path, object)| {
        let listing = disassemble_object(path, object.header.chip.as_deref());
        listing.map(|(_, text)| text).map_err(|why| why.to_string())
    });
    let names = paths.map(|path| path.display().to_string());
    let [left, right] = [names[0].as_str(), names[1].as_str()];
    let listings = listings.each_ref().map(|listing| listing.as_deref().map_err(String::as_str));
    let assembly = AssemblyComparison::of(listings, |a, b| unified([left, right], a, b, PATIENCE));
    if as_json {
        json::print(&Differences { schema: 1, left, right, comparison: &comparison, assembly: &assembly })?;
    } else {
        let (mut out, style) = streams::styled();
        text::write_object_comparison(&comparison, &assembly, [left, right], &mut out, style)?;
        out.flush()?;
    }
    Ok(if comparison.equal { Verdict::Clean } else { Verdict::Findings })
}
