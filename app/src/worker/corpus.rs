//! Databases that stay open between requests: their programs are asked for one by one, and scanning a database of
//! thousands for each of them would take long.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use lanescope_core::load::Corpus;
use lanescope_core::pipeline::foz::Place;

use super::host::failure;
use super::{CorpusListing, CorpusProgramRequest, Failure, LoadRequest, Reply, fault};

/// Databases, and where their programs lie.
struct Open {
    corpus: Corpus,
    places: Vec<Place>,
}

/// What was opened last. Requests are answered one after the other.
static OPEN: Mutex<Option<Open>> = Mutex::new(None);

/// Opens databases.
pub(super) fn open(request: &LoadRequest) -> Reply {
    fault::happen_loading(request);
    let paths: Vec<PathBuf> = request.paths.iter().map(PathBuf::from).collect();
    let corpus = match Corpus::open(&paths, &request.wanted()) {
        Ok(corpus) => corpus,
        Err(error) => return Reply::Failed(failure(&error)),
    };
    let (names, places) = corpus.pipelines().unzip();
    let listing = CorpusListing { names, findings: corpus.findings().to_vec() };
    *OPEN.lock().unwrap_or_else(PoisonError::into_inner) = Some(Open { corpus, places });
    Reply::Corpus(Box::new(listing))
}

/// Reads a program.
pub(super) fn program(request: &CorpusProgramRequest) -> Reply {
    let open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    let place = open.as_ref().and_then(|open| Some((&open.corpus, open.places.get(request.number)?)));
    let Some((corpus, place)) = place else {
        return Reply::Failed(Failure::from("internal error: no such pipeline is open; please report it".to_owned()));
    };
    match corpus.program(place) {
        Ok(program) => Reply::CorpusProgram(program.map(Box::new)),
        Err(error) => Reply::Failed(failure(&error)),
    }
}
