//! What guesses achieve over all pipelines of a database, without a driver.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use lanescope_core::load::LoadOptions;
use lanescope_host::corpus::{Group, Settings, Sources, Survey, measure_all};
use lanescope_host::folders::Prefer;
use lanescope_host::jobs::Control;
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
        let mut loader = self.loader(job);
        let count_of = |file: &Path, _: &str| {
            loader.open_corpus(file, &LoadOptions::default()).ok().map(|listing| listing.names.len() as u64)
        };
        let groups = [Group { paths: paths.to_vec(), ..Group::default() }];
        let sources = Sources::find(&groups, Prefer::Binary, count_of)?;
        let count = sources.count(None, 0);
        let settings = Settings {
            load: LoadRequest { texts: false, ..LoadRequest::default() },
            measures: BTreeSet::new(),
            options: question.guess.clone(),
            own_options: false,
            filter: Filter::default(),
            drivers: Vec::new(),
            speculating: None,
            objects: None,
            searching: [Searching::Guesses, Searching::Lookups, Searching::Variants].into(),
            started: Arc::default(),
            limits: Limits::default(),
            in_process: self.launch.is_none(),
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
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
}
