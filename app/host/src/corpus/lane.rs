//! A child that measures pipelines. One that dies is replaced, and only the pipeline at fault is lost.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::PoisonError;

use lanescope_core::corpus::{DriverRow, Row};
use lanescope_core::driver::Version;
use lanescope_core::driver::speculative::corpus::{LeftOut, Rows};

use super::Settings;
use crate::drivers::start;
use crate::worker::{
    Client, Compiling, Launch, LoadRequest, MeasureItem, MeasureRequest, Measured, OTHER_ANSWER, Reply, Request,
    WorkerError, answer,
};

/// What drivers leak ends with the child, which compiles this many pipelines.
const COMPILED: usize = 2048;

/// Settings of glibc's allocator; other allocators do not look at it.
const TUNABLES: &str = "GLIBC_TUNABLES";

/// A child, and how it is started.
#[derive(Debug)]
pub struct Lane<'s> {
    settings: &'s Settings,
    compiling: Option<&'s Compiling>,
    /// It fills whole rows; other lanes add the results of a further driver.
    is_first: bool,
    child: Option<Client>,
    compiled: usize,
}

impl<'s> Lane<'s> {
    /// The lanes of one job: one for each driver, at least one.
    pub fn all(settings: &'s Settings) -> Vec<Lane<'s>> {
        let started = std::mem::take(&mut *settings.started.lock().unwrap_or_else(PoisonError::into_inner));
        let mut started = started.into_iter();
        let mut lane =
            |(at, compiling)| Lane { settings, compiling, is_first: at == 0, child: started.next(), compiled: 0 };
        match settings.drivers.as_slice() {
            [] => vec![lane((0, None))],
            drivers => drivers.iter().map(Some).enumerate().map(lane).collect(),
        }
    }

    /// Starts the child of each driver, for the first job.
    ///
    /// # Errors
    /// A driver is not available, or the system does not start a child.
    pub fn start_all(settings: &Settings) -> Result<Vec<Client>, WorkerError> {
        let mut lanes = Lane::all(settings);
        lanes.iter_mut().try_for_each(Lane::start)?;
        Ok(lanes.into_iter().filter_map(|lane| lane.child).collect())
    }

    /// The rows of some pipelines, in their order.
    pub fn rows(&mut self, items: &[MeasureItem]) -> Vec<Row> {
        let (mut out, mut at, mut alone_until) = (Vec::with_capacity(items.len()), 0, 0);
        while let Some(rest) = items.get(at..).filter(|rest| !rest.is_empty()) {
            // After a crash each is requested alone, so that one at fault is the only one lost.
            let some = if at < alone_until { rest.get(..1).unwrap_or(rest) } else { rest };
            match self.measure(&self.request(some)) {
                Ok(measured) => {
                    out.extend(measured.rows);
                    at += measured.done;
                }
                Err(_) if some.len() > 1 => alone_until = items.len(),
                Err(error) => {
                    out.extend(some.iter().flat_map(|item| self.given_up(item, &error)));
                    at += some.len();
                }
            }
        }
        out
    }

    /// Starts the child, if it does not run.
    ///
    /// # Errors
    /// The driver is not available, or the system does not start the child.
    fn start(&mut self) -> Result<(), WorkerError> {
        if self.child.is_none() && !self.is_here() {
            let base = Launch { limits: self.settings.limits, ..Launch::default() };
            self.child = Some(match self.compiling {
                Some(compiling) => start(&compiling.with, &base, &|_| {})?.client,
                // The validator allocates much and small. A driver's child has the system's settings: its times are
                // those of an application.
                None if std::env::var_os(TUNABLES).is_none() => {
                    let environment = vec![(TUNABLES.into(), "glibc.malloc.tcache_count=2000".into())];
                    Client::start(&Launch { environment, ..base })?
                }
                None => Client::start(&base)?,
            });
            self.compiled = 0;
        }
        Ok(())
    }

    /// Whether it measures in this process.
    fn is_here(&self) -> bool {
        self.settings.in_process && self.compiling.is_none()
    }

    fn request(&self, items: &[MeasureItem]) -> MeasureRequest {
        let Settings { load, measures, options, own_options, filter, .. } = self.settings;
        // Contents of streams go with the files that they are of.
        let is_given = |path: &Path| items.iter().any(|item| item.files.iter().any(|file| file == path));
        let mut load = LoadRequest { paths: Vec::new(), ..load.clone() };
        // Nothing that is measured needs them.
        load.wanted.without_lines = true;
        load.wanted.given.retain(|path, _| is_given(path));
        let measures = if self.is_first {
            measures.clone()
        } else {
            measures.iter().copied().filter(|measure| measure.is_of_drivers()).collect()
        };
        MeasureRequest {
            items: items.to_vec(),
            load,
            measures,
            options: options.clone(),
            own_options: *own_options,
            filter: filter.clone(),
            compiling: self.compiling.cloned(),
            speculating: self.settings.speculating.clone().filter(|_| self.is_first),
            objects: self.settings.objects.clone().filter(|_| self.is_first),
            searching: if self.is_first { self.settings.searching.clone() } else { BTreeSet::new() },
            given_up: None,
        }
    }

    fn measure(&mut self, request: &MeasureRequest) -> Result<Measured, WorkerError> {
        let most = request.items.len();
        let request = Request::Measure(Box::new(request.clone()));
        if self.is_here() {
            return measured(answer(&request, &mut |_| None), &request, most);
        }
        if self.compiling.is_some() && self.compiled >= COMPILED {
            self.child = None;
        }
        self.start()?;
        let Some(mut child) = self.child.take() else { return Err(WorkerError::Failed(String::new().into())) };
        // A reply ends after the pipeline in hand.
        let limit = self.settings.limits.time.saturating_add(crate::worker::MEASURE_TIME);
        let reply = child.ask_within(&request, limit);
        if matches!(reply, Ok(_) | Err(WorkerError::Failed(_))) {
            self.child = Some(child);
        }
        let measured = measured(reply?, &request, most)?;
        self.compiled += measured.done;
        Ok(measured)
    }

    /// The row of a pipeline with which a child died, with as much as can be measured of it.
    fn given_up(&mut self, item: &MeasureItem, error: &WorkerError) -> Vec<Row> {
        let request = self.request(std::slice::from_ref(item));
        let why = error.to_string();
        if let Some(compiling) = self.compiling
            && let Ok(measured) =
                self.measure(&MeasureRequest { compiling: None, speculating: None, ..request.clone() })
        {
            let mut rows = measured.rows;
            for row in rows.iter_mut().filter(|row| row.failure.is_none()) {
                if request.speculating.is_some() {
                    let left_out = LeftOut { pipeline: row.pipeline.clone(), why: why.clone(), lacking: false };
                    row.speculation = Some(Box::new(Rows { left_out: vec![left_out], ..Rows::default() }));
                    continue;
                }
                let place = compiling.place.clone().unwrap_or_default();
                let variant = compiling.versions.first().copied().unwrap_or(Version::Original);
                row.drivers.push(DriverRow { failure: Some(why.clone()), ..DriverRow::new(place, variant) });
            }
            return rows;
        }
        let load = LoadRequest { paths: item.files.clone(), ..request.load.clone() };
        if let Some(load) = load.with_less_conversion(error)
            && let Ok(measured) = self.measure(&MeasureRequest { load, ..request.clone() })
        {
            return measured.rows;
        }
        // The child names the pipeline, and does not touch it.
        match self.measure(&MeasureRequest {
            given_up: Some(why.clone()),
            compiling: None,
            speculating: None,
            ..request
        }) {
            Ok(measured) => measured.rows,
            Err(_) => {
                let name = item.place.map_or(item.name.clone(), |place| format!("{}@#{place}", item.name));
                let file = item.files.first().map(|file| file.to_string_lossy().into_owned()).unwrap_or_default();
                vec![Row::failed(item.number, name, file, why)]
            }
        }
    }
}

fn measured(reply: Reply, request: &Request, most: usize) -> Result<Measured, WorkerError> {
    match reply {
        Reply::Measured(measured) if (1..=most).contains(&measured.done) => Ok(*measured),
        Reply::Failed(failure) => Err(WorkerError::Failed(failure)),
        _ => Err(WorkerError::Protocol { doing: request.doing(), what: OTHER_ANSWER.to_owned() }),
    }
}
