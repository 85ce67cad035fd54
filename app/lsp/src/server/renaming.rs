//! Renaming as the protocol has it.

use std::collections::BTreeSet;
use std::path::Path;

use lanescope_core::foreign::plain_name;
use lsp_types::{Position, PrepareRenameResponse};
use serde_json::Value;

use super::Server;
use super::pipelines::{Answer, Held};
use crate::fixes::Edit;
use crate::rename::{Asked, renamed, varying_at};
use crate::sites::source_at;

impl Server {
    /// The name at a place, if it can be renamed.
    pub(super) fn prepare_rename(&self, path: &Path, at: Position, held: &[&Held]) -> Result<Value, String> {
        let asked = self.asked(path, at, held)?;
        let (source, range) = varying_at(&asked)?;
        let shown = source.lines.range_of(&source.text, &range, self.abilities.encoding);
        let placeholder = source.text.get(range).unwrap_or_default().to_owned();
        let response = PrepareRenameResponse::RangeWithPlaceholder { range: shown, placeholder };
        Ok(serde_json::to_value(response).unwrap_or(Value::Null))
    }

    /// The edits that rename a varying in its stages.
    pub(super) fn rename(&self, path: &Path, at: Position, name: &str, held: &[&Held]) -> Result<Value, String> {
        let asked = self.asked(path, at, held)?;
        let is_editable = |path: &Path| {
            let is_open = self.documents.get(path).is_some();
            is_open || self.folders.iter().any(|folder| path.starts_with(folder))
        };
        let defined = |define: &String| define.split('=').next() == Some(name);
        if let Some(only) = held.first().filter(|held| held.pipeline.options.dxil.defines.iter().any(defined)) {
            let (name, pipeline) = (plain_name(name), &only.pipeline.name);
            return Err(format!("`{name}` is a macro of the pipeline `{pipeline}`"));
        }
        let spots = renamed(&asked, name, &is_editable)?;
        for path in spots.iter().map(|spot| spot.path.as_path()).collect::<BTreeSet<_>>() {
            let shown = plain_name(&path.display().to_string());
            // Another pipeline may have the old name for something else.
            match self.pipelines.about(path, &self.documents) {
                Answer::Current(of) if of.len() == 1 => {}
                Answer::Current(_) => return Err(format!("{shown} is part of several pipelines")),
                _ => return Err(format!("a pipeline with {shown} is not analyzed yet")),
            }
            let mut analyzed = asked.sources.iter().filter(|source| source.path == path).peekable();
            let now = self.text(path).filter(|_| analyzed.peek().is_some());
            if !now.is_some_and(|(text, _)| analyzed.all(|source| source.is_of(&text))) {
                return Err(format!("{shown} has changed since it was analyzed"));
            }
        }
        let edit = |spot: crate::navigation::Spot| Edit {
            path: spot.path,
            range: spot.bytes.0..spot.bytes.1,
            text: name.to_owned(),
        };
        let edits: Vec<Edit> = spots.into_iter().map(edit).collect();
        let edit = self.workspace_edit(&edits).ok_or("a file of the pipeline cannot be read any more")?;
        Ok(serde_json::to_value(edit).unwrap_or(Value::Null))
    }

    /// What a place is asked of: the one pipeline that the document is part of.
    fn asked<'h>(&self, path: &Path, at: Position, held: &[&'h Held]) -> Result<Asked<'h>, String> {
        let held = match held {
            [] => return Err("the file is not part of a pipeline".to_owned()),
            [only] => *only,
            several => {
                let names: Vec<String> = several.iter().map(|held| format!("`{}`", held.pipeline.name)).collect();
                return Err(format!("the file is part of several pipelines: {}", names.join(", ")));
            }
        };
        let reported = held.report.as_ref().ok_or("the pipeline does not compile")?;
        let source = reported.sources.iter().find(|source| source.path == path);
        let source = source.ok_or("the pipeline does not compile this file")?;
        let offset = self.offset(source, at);
        let source = source_at(&reported.sources, path, offset).unwrap_or(source);
        Ok(Asked { report: &reported.report, sources: &reported.sources, files: &held.pipeline.files, source, offset })
    }
}
