//! Many pipelines at once: what is measured, the processes that measure it, and the file of rows.
//!
//! ```text
//! files, folders, lists ── Sources ──▶ items ── pool (lanes: a child each) ──▶ rows, in order ──▶ result file
//! ```
//!
//! Memory does not grow with the number of pipelines: items are made when they are handed out, rows leave when their
//! turn comes, and everything else is a second pass over the file.

mod build_log;
mod groups;
mod lane;
mod merge;
mod opened;
mod pool;
mod progress;
mod result;
pub mod slots;
mod sources;
mod survey;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::sync::{Arc, Mutex, PoisonError};

use lanescope_core::corpus::Measure;
use lanescope_core::options::Options;

pub use build_log::BuildLog;
pub use groups::{Group, Groups};
use lane::Lane;
pub use merge::{Merge, MergeError};
pub use opened::{Opened, RowFiles, compared, files_of, only_result, read};
pub use pool::measure_all;
pub use progress::Progress;
pub use result::{Footer, Header, Line, ReadError, Rows, SCHEMA, Shard, Start, Writer, start};
pub use sources::{Sources, list};
pub use survey::Survey;

use crate::worker::{Client, Compiling, Filter, Limits, LoadRequest, Searching, Speculating, WorkerError};

/// What is measured of all pipelines, and with what.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How files are loaded. Its paths are set for each pipeline.
    pub load: LoadRequest,
    /// What is measured.
    pub measures: BTreeSet<Measure>,
    /// The options.
    pub options: Options,
    /// Options in pipeline files do not count.
    pub own_options: bool,
    /// Which pipelines have a row.
    pub filter: Filter,
    /// The drivers that compile each pipeline.
    pub drivers: Vec<Compiling>,
    /// Compile stages speculatively too, with the first driver.
    pub speculating: Option<Speculating>,
    /// Folder with AMD code objects that are compared with the predictions.
    pub objects: Option<OsString>,
    /// What is found out about the cache of an application.
    pub searching: BTreeSet<Searching>,
    /// Children that were started already, one for each driver: the first job takes them.
    pub started: Arc<Mutex<Vec<Client>>>,
    /// Limits of a child: the time is that of one pipeline.
    pub limits: Limits,
    /// Measure in this process, without limits. A driver has a child in any case.
    pub in_process: bool,
    /// How many pipelines are measured at the same time.
    pub jobs: usize,
}

impl Settings {
    /// Starts each driver once, for the first job: one that is not available ends the run before it begins.
    ///
    /// # Errors
    /// A driver is not available, or the system does not start its child.
    pub fn start_drivers(&self) -> Result<(), WorkerError> {
        if !self.drivers.is_empty() {
            let started = Lane::start_all(self)?;
            *self.started.lock().unwrap_or_else(PoisonError::into_inner) = started;
        }
        Ok(())
    }
}
