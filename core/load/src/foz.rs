//! Fossilize databases: the requested pipeline with its modules.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::described::{Described, Origin};
use super::error::{LoadError, Problem};
use super::file_types::file_type;
use super::{LoadOptions, Loaded, file, validate};
use crate::findings;
use lanescope_base::ids::{Bytes, Hex};
use lanescope_model::program::{Format, Input};
use lanescope_pipeline::foz::{self, Database, Key, Listing, Opened, Place};

/// Pipelines that a message names.
const NAMED: usize = 3;

/// Whether a file is a database: by its first bytes, or by its name where those are not there.
pub(super) fn is_database(path: &Path) -> bool {
    let mut head = [0u8; 16];
    // Of a FIFO nothing is read here: what is read once is gone.
    let got = file::open(path).ok().and_then(|mut file| file.read(&mut head).ok()).unwrap_or(0);
    let named = file_type(path).is_some_and(|row| row.format == Some(Format::Fossilize));
    foz::looks_like(&head[..got]) || (named && path.is_file())
}

/// Whether these bytes begin a database.
pub(super) fn begins_as_one(bytes: &[u8]) -> bool {
    foz::looks_like(bytes)
}

/// Opens databases as one set.
///
/// # Errors
/// A file that is none.
pub fn database(paths: &[PathBuf]) -> Result<Database<File>, LoadError> {
    let mut files = Vec::with_capacity(paths.len());
    for path in paths {
        let file = file::open(path).map_err(|problem| LoadError { path: path.clone(), problem })?;
        files.push((path.to_string_lossy().into_owned(), file));
    }
    Database::open(files).map_err(|(at, fault)| {
        let path = paths.get(at).cloned().unwrap_or_default();
        LoadError { path, problem: Problem::Description(fault) }
    })
}

/// Lists the pipelines of databases that match a text; all where it is empty.
///
/// # Errors
/// A file that is not a database.
pub fn listing(paths: &[PathBuf], text: &str) -> Result<Listing, LoadError> {
    Ok(database(paths)?.list(text, |_| true))
}

/// Reads the pipeline whose key is wanted; the only one where none is.
pub(super) fn load(paths: &[PathBuf], wanted: &LoadOptions) -> Result<Described, LoadError> {
    let key = wanted.pipeline.as_deref();
    let database = database(paths)?;
    let first = paths.first().cloned().unwrap_or_default();
    let fail = |problem| LoadError { path: first.clone(), problem };
    if let Some(key) = key
        && let Err(why) = key.split_once(':').map_or(key, |(_, digits)| digits).parse::<Key>()
    {
        return Err(fail(Problem::PipelineMissing { why }));
    }
    let found = database.pipelines(key.unwrap_or_default());
    let place = match (found.as_slice(), key) {
        ([only], _) => *only,
        ([], Some(key)) => {
            let why = format!("no pipeline hash starts with {key}");
            return Err(fail(Problem::PipelineMissing { why }));
        }
        ([], None) => {
            return Err(fail(Problem::PipelineMissing { why: "the database contains no pipelines".to_owned() }));
        }
        (many, _) => {
            let names: Vec<String> = foz::names_of_places(many).into_iter().take(NAMED).collect();
            let more = if many.len() > NAMED { ", …" } else { "" };
            return Err(fail(Problem::ManyPipelines { count: many.len(), names: names.join(", ") + more }));
        }
    };
    let mut described = described(&database, &place, wanted).map_err(fail)?;
    described.pipeline.findings.splice(0..0, database.findings.iter().cloned());
    Ok(described)
}

/// A pipeline with the modules of its stages.
pub(super) fn described(database: &Database<File>, place: &Place, wanted: &LoadOptions) -> Result<Described, Problem> {
    let Opened { pipeline, stages, modules } = foz::open(database, place).map_err(Problem::Description)?;
    let name = database.file_name(place).to_owned();
    let mut described = Described::of(pipeline);
    for (number, words) in modules.into_iter().enumerate() {
        let made = words.and_then(|words| validate::loaded(words, wanted).map_err(|problem| problem.to_string()));
        described.made(Origin::Part(number), made.map(|module| Loaded::Module(Box::new(module))));
    }
    for (stage, opened) in stages.into_iter().enumerate() {
        described.give(stage, &Origin::Part(opened.module), &opened.constants, findings::FOZ_STAGE_UNUSABLE, &name);
    }
    Ok(described)
}

/// A database as an input of a program.
pub(super) fn input(path: &Path) -> Result<Input, Problem> {
    let (size, hash) = hash(path)?;
    let path = path.to_string_lossy().into_owned();
    Ok(Input::new(path, Format::Fossilize, Bytes(size), Hex(hash)))
}

/// XXH3 of a database's bytes; of the first [`lanescope_base::files::MAX_FILE`] where it is larger.
pub(super) fn hash(path: &Path) -> Result<(u64, u64), Problem> {
    let file = file::open(path)?;
    let size = file.metadata()?.len();
    let mut hasher = xxhash_rust::xxh3::Xxh3::new();
    let mut rest = file.take(lanescope_base::files::MAX_FILE);
    let mut buffer = vec![0; 1 << 20];
    loop {
        match rest.read(&mut buffer)? {
            0 => return Ok((size, hasher.digest())),
            got => hasher.update(&buffer[..got]),
        }
    }
}
