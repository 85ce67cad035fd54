//! Databases that stay open between requests: their programs are requested by number, and scanning a database of
//! thousands for each of them would take long.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use lanescope_core::load::Corpus;
use lanescope_core::pipeline::foz::Place;

use super::host::failure;
use super::{CorpusListing, CorpusProgramsRequest, Failure, LoadRequest, Reply, fault};

/// Databases, and where their programs lie.
pub(super) struct Open {
    /// What they were opened for.
    request: LoadRequest,
    /// The databases.
    pub(super) corpus: Corpus,
    /// The key of each program.
    pub(super) names: Vec<String>,
    /// Where it lies.
    pub(super) places: Vec<Place>,
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
    let corpus = Corpus::open(&paths, &request.wanted()).map_err(|error| failure(&error))?;
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

/// A reply ends after this many words of SPIR-V.
const WORDS: usize = 1 << 18;

/// A reply ends after this long: the parent works on what it has meanwhile.
const TIME: Duration = Duration::from_millis(100);

/// Reads programs, as far as they are small and quick.
pub(super) fn programs(request: &CorpusProgramsRequest) -> Reply {
    let open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    let places = open.as_ref().and_then(|open| Some((&open.corpus, open.places.get(request.first..)?)));
    let Some((corpus, places)) = places.filter(|(_, places)| !places.is_empty()) else {
        return Reply::Failed(Failure::from("internal error: no such pipeline is open; please report it".to_owned()));
    };
    let (start, mut words, mut out) = (Instant::now(), 0, Vec::new());
    for (place, number) in places.iter().zip(request.first..).take(request.most.max(1)) {
        fault::happen_reading(number);
        let program = corpus.program(place).map(|program| program.map(Box::new)).map_err(|error| failure(&error));
        let modules = program.iter().flatten().flat_map(|program| &program.modules);
        words += modules.map(|loaded| loaded.module.words().len()).sum::<usize>();
        out.push(program);
        if words > WORDS || start.elapsed() > TIME {
            break;
        }
    }
    Reply::CorpusPrograms(out)
}
