//! Many pipelines at once, without a driver: what guesses achieve, and what is measured of each.

use std::collections::BTreeSet;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use lanescope_core::corpus::Measure;
use lanescope_core::load::LoadOptions;
use lanescope_core::options::Options;
use lanescope_host::corpus::{Group, Header, Settings, Sources, Survey, Writer, measure_all};
use lanescope_host::drivers::folder_of_user;
use lanescope_host::folders::Prefer;
use lanescope_host::jobs::Control;
use lanescope_host::safe_write::Unfinished;
use lanescope_host::worker::{Filter, Limits, LoadRequest, Searching};
use lanescope_inspector::survey::{GuessSurvey, SurveyQuestion};

use super::{Engine, milliseconds};

/// Reasons that are kept of pipelines that cannot be read.
const MAX_REASONS: usize = 100;

impl Engine {
    /// Guesses the layouts of all pipelines of databases. Blocks: for job threads only.
    ///
    /// # Errors
    /// The error in the files, as text; the job was stopped.
    pub fn survey_guesses<T>(
        &self,
        paths: &[PathBuf],
        question: SurveyQuestion,
        job: &Control<T>,
    ) -> Result<GuessSurvey, String> {
        let begin = Instant::now();
        let sources = self.sources(paths, Prefer::Binary, job)?;
        let count = sources.count(None, 0);
        let settings = Settings {
            searching: [Searching::Guesses, Searching::Lookups, Searching::Variants].into(),
            ..self.corpus_settings(question.guess.clone())
        };
        let (mut survey, mut failures, mut done) = (Survey::default(), Vec::new(), 0u64);
        measure_all(&settings, sources.items(None, 0), |some, rows| {
            if job.is_cancelled() {
                return Err(io::Error::other("stopped"));
            }
            done += some as u64;
            job.progress(format!("{done} of {count}"));
            for row in rows {
                match &row.failure {
                    Some(why) if failures.len() < MAX_REASONS => failures.push(format!("{}: {why}", row.pipeline)),
                    Some(_) => {}
                    None => survey.take(row),
                }
            }
            Ok(())
        })
        .map_err(|error| error.to_string())?;
        let Survey { search, timelines, variants } = survey;
        let named = |application: &mut String| {
            if let Some(name) = Path::new(application.as_str()).file_name() {
                *application = name.to_string_lossy().into_owned();
            }
        };
        let (mut searched, mut timelines) = (search.done(), timelines.done());
        searched.iter_mut().for_each(|one| named(&mut one.application));
        timelines.iter_mut().for_each(|one| named(&mut one.application));
        Ok(GuessSurvey {
            question,
            searched,
            timelines,
            variants: variants.done(),
            failures,
            milliseconds: milliseconds(begin.elapsed()),
        })
    }

    /// Measures all pipelines of folders and databases without a driver. Returns the file of the result, which is in the
    /// cache folder of the user. Blocks: for job threads only.
    ///
    /// # Errors
    /// The error in the files or of writing, as text; the job was stopped.
    pub fn measure_corpus<T>(
        &self,
        paths: &[PathBuf],
        prefer: Prefer,
        options: Options,
        job: &Control<T>,
    ) -> Result<PathBuf, String> {
        let sources = self.sources(paths, prefer, job)?;
        let settings = Settings { measures: Measure::USUAL.into_iter().collect(), ..self.corpus_settings(options) };
        // Tests leave nothing in the folders of the user.
        let folder = folder_of_user("corpus").filter(|_| self.launch.is_some());
        let folder = folder.unwrap_or_else(std::env::temp_dir);
        let name = paths.first().and_then(|path| path.file_name()).unwrap_or_default().to_string_lossy().into_owned();
        let path = folder.join(format!("{name}-{}.jsonl", sources.digest()));
        let failed = |error: io::Error| format!("{}: cannot be written: {error}", path.display());
        std::fs::create_dir_all(&folder).map_err(failed)?;
        let mut file = Unfinished::beside(&path, true).map_err(failed)?;
        let header = Header::of(&settings, &sources, None);
        let mut writer = Writer::new(BufWriter::new(&mut file.file), &header).map_err(failed)?;
        let (count, mut done) = (sources.count(None, 0), 0u64);
        measure_all(&settings, sources.items(None, 0), |some, rows| {
            if job.is_cancelled() {
                return Err(io::Error::other("stopped"));
            }
            done += some as u64;
            job.progress(format!("{done} of {count}"));
            writer.rows(&rows)
        })
        .map_err(failed)?;
        writer.end().map_err(failed)?;
        file.finish().map_err(failed)?;
        Ok(path)
    }

    /// The pipelines of folders and databases.
    fn sources<T>(&self, paths: &[PathBuf], prefer: Prefer, job: &Control<T>) -> Result<Sources, String> {
        let mut loader = self.loader(job);
        let count_of = |file: &Path, _: &str| {
            loader.open_corpus(file, &LoadOptions::default()).ok().map(|listing| listing.names.len() as u64)
        };
        Sources::find(&[Group { paths: paths.to_vec(), ..Group::default() }], prefer, count_of)
    }

    /// How many pipelines are measured, without a driver and without measures.
    fn corpus_settings(&self, options: Options) -> Settings {
        Settings {
            load: LoadRequest { texts: false, ..LoadRequest::default() },
            measures: BTreeSet::new(),
            options,
            own_options: false,
            filter: Filter::default(),
            drivers: Vec::new(),
            speculating: None,
            objects: None,
            searching: BTreeSet::new(),
            started: Arc::default(),
            limits: Limits::default(),
            in_process: self.launch.is_none(),
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}
