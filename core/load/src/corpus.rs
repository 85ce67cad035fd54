//! All pipelines of databases, each read on demand. The files are opened and scanned once.

use std::fs::File;
use std::path::PathBuf;

use super::error::{LoadError, Problem};
use super::pair::pair;
use super::{LoadOptions, convert, foz, is_state_objects, sodb, state_objects, take};
use crate::findings::Finding;
use lanescope_model::program::{Input, Program};
use lanescope_pipeline::foz::{Database, PIPELINES, Place, names_of_places};

/// An open set of databases.
pub struct Corpus {
    databases: Databases,
    paths: Vec<PathBuf>,
    inputs: Vec<Input>,
    wanted: LoadOptions,
}

/// Databases of one form.
enum Databases {
    /// Fossilize databases, opened as one set.
    Fossilize(Database<File>),
    /// A state object database.
    StateObjects(Box<lanescope_sodb::Database>),
}

/// Where a pipeline of a corpus lies.
#[derive(Debug, Clone, Copy)]
pub enum CorpusPlace {
    /// In Fossilize databases.
    Fossilize(Place),
    /// The group of that index.
    Group(usize),
}

impl Corpus {
    /// Opens databases: several of Fossilize as one set, or one state object database.
    ///
    /// # Errors
    /// A file that is none; a state object database among others.
    pub fn open(paths: &[PathBuf], wanted: &LoadOptions) -> Result<Corpus, LoadError> {
        let of_path = |path: &PathBuf, problem| LoadError { path: path.clone(), problem };
        let (databases, inputs) = match paths {
            [only] if is_state_objects(only) => {
                let input = sodb::input(only, wanted).map_err(|problem| of_path(only, problem))?;
                (Databases::StateObjects(Box::new(state_objects(only)?)), vec![input])
            }
            paths => {
                let database = foz::database(paths)?;
                let input = |path: &PathBuf| foz::input(path).map_err(|problem| of_path(path, problem));
                (Databases::Fossilize(database), paths.iter().map(input).collect::<Result<_, _>>()?)
            }
        };
        Ok(Corpus { databases, paths: paths.to_vec(), inputs, wanted: wanted.clone() })
    }

    /// What is wrong with the files.
    pub fn findings(&self) -> &[Finding] {
        match &self.databases {
            Databases::Fossilize(database) => &database.findings,
            Databases::StateObjects(database) => &database.findings,
        }
    }

    /// Its pipelines, each with its lookup key. Of Fossilize: graphics, compute, ray tracing, of each kind by key. Groups
    /// as they are stored.
    pub fn pipelines(&self) -> Box<dyn Iterator<Item = (String, CorpusPlace)> + '_> {
        match &self.databases {
            Databases::Fossilize(database) => {
                let places: Vec<Place> = PIPELINES.iter().flat_map(|tag| database.of(*tag)).copied().collect();
                Box::new(names_of_places(&places).into_iter().zip(places.into_iter().map(CorpusPlace::Fossilize)))
            }
            Databases::StateObjects(database) => {
                let groups = database.groups().iter().enumerate();
                Box::new(groups.map(|(index, group)| (group.name.clone(), CorpusPlace::Group(index))))
            }
        }
    }

    /// The program of one of its pipelines; none where it is a part of others that has no shader.
    ///
    /// # Errors
    /// A pipeline that has no stage that can be used.
    pub fn program(&self, place: &CorpusPlace) -> Result<Option<Program>, LoadError> {
        let fail = |problem| LoadError { path: self.paths.first().cloned().unwrap_or_default(), problem };
        let mut program = Program { inputs: self.inputs.clone(), ..Program::default() };
        match (&self.databases, place) {
            (Databases::Fossilize(database), CorpusPlace::Fossilize(place)) => {
                let described = foz::described(database, place, &self.wanted).map_err(fail)?;
                if described.pipeline.is_part_without_shaders() {
                    return Ok(None);
                }
                take(described, 0, &mut program).map_err(fail)?;
            }
            (Databases::StateObjects(database), CorpusPlace::Group(index)) => {
                let missing = || Problem::GroupMissing { why: format!("there is no group {index}") };
                let group = database.groups().get(*index).ok_or_else(missing).map_err(fail)?;
                let file = self.paths.first().map(|path| path.to_string_lossy().into_owned()).unwrap_or_default();
                let opened = sodb::open(database, group, &file).map_err(fail)?;
                // A state object that adds to another may have no library of its own.
                if opened.containers.is_empty() && opened.stages.is_empty() {
                    return Ok(None);
                }
                let mut placed = sodb::take(opened, 0, 1, &mut program).map_err(fail)?;
                sodb::add_inputs(&mut placed, &mut program);
                convert(&mut program, &[], &self.wanted)?;
                sodb::set_stages(&placed, &mut program);
            }
            _ => return Err(fail(Problem::GroupMissing { why: "the database is of another form".to_owned() })),
        }
        program.stages = pair(&self.paths, &program, &[])?;
        Ok(Some(program))
    }
}
