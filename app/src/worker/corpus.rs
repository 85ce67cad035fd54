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
