//! Op tables of other compilers, read from their sources.
//!
//! DXC's tables are written in `utils/hct/hctdb.py` and generated into `lib/DXIL/DxilOperations.cpp` and
//! `include/dxc/DXIL/DxilInstructions.h`. Both forms are read without running anything: what is not understood is a note
//! with its line, and an error where it decides the numbers of ops.

mod check;
mod cpp;
mod draft;
mod hctdb;
pub mod llvm;
#[cfg(test)]
mod next_tests;
mod python;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

use std::fmt;

pub use check::check_table;
pub(crate) use draft::coarse;

use super::table::Database;
use super::tables::Tables;
use crate::findings::Severity;
use draft::Draft;

/// Notes that are kept; a file with more is not of the form.
const MOST_NOTES: usize = 200;

/// A source's text and its name in messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The file.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// The files that tables are read from. The first in the order of the fields that has ops decides.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Texts {
    /// Tables in the form of `core/dxil/assets/dxil-opcodes.json`.
    pub json: Option<Text>,
    /// `utils/hct/hctdb.py`.
    pub hctdb: Option<Text>,
    /// `lib/DXIL/DxilOperations.cpp`.
    pub operations: Option<Text>,
    /// `include/dxc/DXIL/DxilInstructions.h`, which has the names of operands.
    pub instructions: Option<Text>,
    /// `include/dxc/DXIL/DxilShaderModel.h`, which has the released shader model.
    pub shader_model: Option<Text>,
    /// `include/dxc/DXIL/DxilConstants.h`, which has the sizes of the stable table.
    pub constants: Option<Text>,
}

/// Something that a source says and that was not understood, or a rule that a table breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Its severity: an error is a table that no compiler accepts.
    pub severity: Severity,
    /// The file; empty for the tables as a whole.
    pub file: String,
    /// The line, from 1.
    pub line: Option<usize>,
    /// What is to be said.
    pub text: String,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = crate::escaped(self.file.as_bytes());
        let place = match self.line {
            Some(line) => format!("{file}:{line}: "),
            None if file.is_empty() => String::new(),
            None => format!("{file}: "),
        };
        // Texts quote their sources.
        write!(f, "{place}{}: {}", self.severity, crate::escaped(self.text.as_bytes()))
    }
}

/// A source that is not of a form that can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: Option<usize>,
    /// What was expected, and what was found.
    pub why: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = crate::escaped(self.file.as_bytes());
        let line = self.line.map(|line| format!(":{line}")).unwrap_or_default();
        write!(f, "{file}{line}: {}", crate::escaped(self.why.as_bytes()))
    }
}

impl std::error::Error for Unreadable {}

/// Tables, and what is to be said about them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The tables.
    pub tables: Tables,
    /// Notes, in the order of the files.
    pub notes: Vec<Note>,
}

/// Reads tables and checks them.
///
/// # Errors
///
/// No text has tables, or one has a statement that decides numbers and is not understood.
pub fn read(texts: &Texts) -> Result<Reading, Unreadable> {
    let (database, notes) = parse(texts)?;
    let file = database.source.file.clone().unwrap_or_default();
    let tables = Tables::of(database).map_err(|why| Unreadable { file, line: None, why })?;
    Ok(Reading { tables, notes })
}

/// Reads tables as data, with what is to be said about them. Lookups need [`read`], which keeps them in memory.
///
/// # Errors
///
/// Those of [`read`], but for tables that lookups cannot rely on.
pub fn parse(texts: &Texts) -> Result<(Database, Vec<Note>), Unreadable> {
    let mut notes = Vec::new();
    let mut database = match texts {
        Texts { json: Some(json), .. } => of_json(json)?,
        Texts { hctdb: Some(hctdb), .. } => {
            let mut draft = hctdb::read(hctdb, &mut notes)?;
            draft.models(texts, &mut notes);
            if let Some(generated) = generated(texts, &mut Vec::new())? {
                draft::compare_generated(&draft, &generated, &mut notes);
            }
            draft.finish(&hctdb.name)
        }
        _ => {
            let Some(mut draft) = generated(texts, &mut notes)? else {
                let why = "expected a JSON table, hctdb.py or DxilOperations.cpp".to_owned();
                return Err(Unreadable { file: String::new(), line: None, why });
            };
            draft.models(texts, &mut notes);
            let name = texts.operations.as_ref().map_or("", |text| &text.name);
            draft.finish(name)
        }
    };
    let file = database.source.file.clone().unwrap_or_default();
    notes.extend(check_table(&database));
    if notes.len() > MOST_NOTES {
        let more = notes.len() - MOST_NOTES;
        notes.truncate(MOST_NOTES);
        let text = format!("{more} more notes are not shown");
        notes.push(Note { severity: Severity::Note, file, line: None, text });
    }
    if database.source.file.is_some() {
        database.source.remarks = notes.iter().map(Note::to_string).collect();
    }
    Ok((database, notes))
}

fn of_json(json: &Text) -> Result<Database, Unreadable> {
    let database: Result<Database, _> = serde_json::from_str(&json.text);
    let mut database = database.map_err(|error| Unreadable {
        file: json.name.clone(),
        line: Some(error.line()),
        why: format!("not op tables in JSON: {error}"),
    })?;
    if database != *Tables::bundled().database() {
        database.source.file = Some(json.name.clone());
    }
    Ok(database)
}

fn generated(texts: &Texts, notes: &mut Vec<Note>) -> Result<Option<Draft>, Unreadable> {
    let Some(operations) = &texts.operations else { return Ok(None) };
    Ok(Some(cpp::read(operations, texts.instructions.as_ref(), notes)?))
}
