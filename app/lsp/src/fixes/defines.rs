//! A macro of the workspace file that no source uses.

use serde::Deserialize;
use toml::Spanned;

use super::{Context, Fix, Text};

/// The macros of a workspace file, with their places.
#[derive(Deserialize)]
struct Places {
    #[serde(default)]
    pipeline: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    name: Option<String>,
    #[serde(default)]
    files: Vec<String>,
    #[serde(default)]
    defines: Vec<Spanned<String>>,
}

/// Removes a macro of the pipeline's own. One for all pipelines may be used by others.
pub fn unused(context: &Context<'_>, manifest: &Text, message: &str) -> Option<Fix> {
    let places: Places = toml::from_str(&manifest.text).ok()?;
    let name_of = |define: &Spanned<String>| define.as_ref().split('=').next().unwrap_or_default().to_owned();
    let line = message.lines().next()?;
    let own = places
        .pipeline
        .iter()
        .filter(|entry| entry.name.clone().unwrap_or_else(|| entry.files.join(" + ")) == context.pipeline.name);
    let mut found =
        own.flat_map(|entry| &entry.defines).filter(|define| line.ends_with(&format!(" {}", name_of(define))));
    let (define, None) = (found.next()?, found.next()) else { return None };
    let span = define.span();
    let text = manifest.text.as_str();
    // With the comma after it, else with the one before it.
    let after = text.get(span.end..)?;
    let blank = |text: &str| text.len() - text.trim_start_matches([' ', '\t']).len();
    let range = match after.get(blank(after)..).and_then(|rest| rest.strip_prefix(',')) {
        Some(rest) => span.start..span.end + blank(after) + 1 + blank(rest),
        None => {
            let before = text.get(..span.start)?.trim_end();
            if before.ends_with(',') { before.len() - 1..span.end } else { span }
        }
    };
    let title = format!("Remove the macro `{}` from {}", name_of(define), lanescope_host::workspace::manifest::NAME);
    Some(Fix { title, edits: vec![manifest.edit(range, "")] })
}
