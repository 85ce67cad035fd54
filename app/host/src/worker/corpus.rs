//! Databases that stay open between requests: their pipelines are measured a few at a time, and scanning a database of
//! thousands for each of them would take long.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use lanescope_core::load::{Corpus, CorpusPlace};

use super::host::failure;
use super::{CorpusListing, Failure, LoadRequest, Reply, fault};

/// Databases, and where their programs lie.
pub(super) struct Open {
    /// What they were opened for.
    request: LoadRequest,
    /// The databases.
    pub(super) corpus: Corpus,
    /// The key of each program.
    pub(super) names: Vec<String>,
    /// Where it lies.
    pub(super) places: Vec<CorpusPlace>,
}

/// What was opened last. Requests are answered one after the other.
static OPEN: Mutex<Option<Open>> = Mutex::new(None);

/// Opens databases.
pub(super) fn open(request: &LoadRequest) -> Reply {
    match opened(request) {
        Ok(open) => {
            let (names, findings) = (open.names.clone(), open.corpus.findings().to_vec());
            let listing = CorpusListing { names, findings };
            *OPEN.lock().unwrap_or_else(PoisonError::into_inner) = Some(open);
            Reply::Corpus(Box::new(listing))
        }
        Err(failure) => Reply::Failed(failure),
    }
}

fn opened(request: &LoadRequest) -> Result<Open, Failure> {
    fault::happen_loading(request);
    let paths: Vec<PathBuf> = request.paths.iter().map(PathBuf::from).collect();
    let corpus = Corpus::open(&paths, &request.wanted).map_err(|error| failure(&error))?;
    let (names, places) = corpus.pipelines().unzip();
    Ok(Open { request: request.clone(), corpus, names, places })
}

/// Does something with databases: those that are open, where they were opened for the same request.
///
/// # Errors
/// Those of opening them.
pub(super) fn with<T>(request: &LoadRequest, act: impl FnOnce(&Open) -> T) -> Result<T, Failure> {
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    let there = match open.take().filter(|there| there.request == *request) {
        Some(there) => there,
        None => opened(request)?,
    };
    Ok(act(open.insert(there)))
}
