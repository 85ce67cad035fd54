//! WGSL source, by naga: one module with every entry point of the file.
//!
//! * `translate`: naga's front end, validator and SPIR-V writer, with the options of a plain translation.
//! * `depth`: how deep a text nests, since naga recurses over what it reads.
//! * `lines`: where instructions come from.
//! * `messages`: what naga says, with the file, the line and the column.

mod depth;
mod lines;
mod messages;
mod translate;

use std::path::Path;

use super::error::Problem;
use super::{LoadOptions, Loaded, activity, validate};
use lanescope_model::program::{LoadedModule, SourcePlace};
use translate::Translated;

/// The stack that naga gets: more than it needs for a text that is as deep as any may be.
const STACK: usize = 64 << 20;

pub(super) fn load(path: &Path, bytes: Vec<u8>, wanted: &LoadOptions) -> Result<Loaded, Problem> {
    let text = String::from_utf8(bytes).map_err(|e| Problem::NotUtf8 { offset: e.utf8_error().valid_up_to() })?;
    if let Some(offset) = text.bytes().position(|b| b == 0) {
        return Err(Problem::ZeroByte { offset });
    }
    let Translated { words, unread_macros } = compile(path, &text, wanted)?;
    let place = SourcePlace { file: path.display().to_string(), after: 0 };
    let module = validate::compiled(words, text, place, wanted)?;
    Ok(Loaded::Module(Box::new(LoadedModule { unread_macros, ..module })))
}

/// Compiles a text on a thread of its own, whose panic is an error.
fn compile(path: &Path, text: &str, wanted: &LoadOptions) -> Result<Translated, Problem> {
    let log = |mut log: String| {
        if let Some(hint) = messages::directive(text) {
            log.push('\n');
            log.push_str(&hint);
        }
        Problem::Wgsl { log }
    };
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let place = messages::Places { name: &name, text };
    depth::check(text).map_err(|(at, what)| log(place.error(Some(at..at), &what)))?;
    let _doing = activity::begin(|| format!("compiling {} with naga", path.display()));
    let made = std::thread::scope(|scope| {
        let work = || translate::translate(&place, &wanted.conversion);
        let thread = std::thread::Builder::new().name("naga".to_owned()).stack_size(STACK).spawn_scoped(scope, work);
        match thread.map(|thread| thread.join()) {
            Ok(Ok(made)) => made,
            Ok(Err(panic)) => Err(place.error(None, &format!("naga panicked: {}", said(&*panic)))),
            Err(error) => Err(place.error(None, &format!("no thread for naga: {error}"))),
        }
    });
    made.map_err(log)
}

/// What a panic said.
fn said(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

#[cfg(test)]
mod tests;
