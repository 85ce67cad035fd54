//! From a guessed layout to the application's: the new place of each entry of an object that was compiled ahead.

use std::collections::BTreeMap;

use lanescope_model::program::StageKind;
use lanescope_passes::guessed_layout::{self as guess, GuessedStage};

use crate::CodeObject;
use crate::metadata::HardwareStage;
use crate::user_data::Holds;

/// Why the code of an object does not fit an application that its layout was guessed for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotGuessed {
    /// A stage for which no layout is guessed.
    #[error(
        "{stage} s{sgpr} holds entry {entry}; layouts are guessed for fragment and compute shaders, of which {given}"
    )]
    NoGuess {
        /// The hardware stage.
        stage: HardwareStage,
        /// The user SGPR.
        sgpr: usize,
        /// The entry.
        entry: u64,
        /// What the files have: `these files have fragment`.
        given: String,
    },
    /// The guess does not fit: a driver would compile anew.
    #[error("the guess is a miss: {0}")]
    Miss(String),
    /// How user data is passed is not known.
    #[error("which SGPR holds what in the guessed code is not known: {0}")]
    NotKnown(&'static str),
    /// The object has another mapping than code for the guess.
    #[error("{stage} s{sgpr} holds {found}; in code for the guessed layout it holds {expected}")]
    Other {
        /// The hardware stage.
        stage: HardwareStage,
        /// The user SGPR.
        sgpr: usize,
        /// What the object has.
        found: String,
        /// What the guess has.
        expected: String,
    },
    /// The application has no such dword.
    #[error("entry {entry} ({what}) is not in the application's layout")]
    NotInApplication {
        /// The entry.
        entry: u64,
        /// What it is in the guess.
        what: String,
    },
}

/// The API's stage that a hardware stage runs alone.
fn api_stage(stage: HardwareStage) -> Option<StageKind> {
    match stage {
        HardwareStage::Ps => Some(StageKind::Fragment),
        HardwareStage::Cs => Some(StageKind::Compute),
        _ => None,
    }
}

/// The entries that an object maps, each with its place in the application's layout, by the guesses for its shaders.
///
/// # Errors
/// The object is not code for the guess, or the guess does not fit the application.
pub fn guessed_places(object: &CodeObject, stages: &[GuessedStage]) -> Result<BTreeMap<u64, u64>, NotGuessed> {
    let mut out = BTreeMap::new();
    for data in object.pipelines.iter().flat_map(|pipeline| &pipeline.user_data) {
        let stage = data.stage;
        let of_stage = |one: &&GuessedStage| api_stage(stage) == Some(one.stage);
        let Some(guessed) = stages.iter().find(of_stage) else {
            let entry = data.sgprs.iter().find_map(|sgpr| match sgpr.holds {
                Holds::Entry { entry } => Some((sgpr.sgpr, entry)),
                _ => None,
            });
            let Some((sgpr, entry)) = entry else { continue };
            let names: Vec<&str> = stages.iter().map(|one| one.stage.name()).collect();
            let given = match names.as_slice() {
                [] => "these files have none".to_owned(),
                names => format!("these files have {}", names.join(", ")),
            };
            return Err(NotGuessed::NoGuess { stage, sgpr, entry, given });
        };
        of_guess(stage, &data.sgprs, guessed, &mut out)?;
    }
    Ok(out)
}

fn of_guess(
    stage: HardwareStage,
    sgprs: &[crate::UserSgpr],
    guessed: &GuessedStage,
    out: &mut BTreeMap<u64, u64>,
) -> Result<(), NotGuessed> {
    let Some(against) = &guessed.against else {
        return Err(NotGuessed::NotKnown("there is no application to compare with"));
    };
    if let Some(broken) = against.breaks.first() {
        return Err(NotGuessed::Miss(broken.message()));
    }
    let Some(data) = &guessed.user_data else {
        return Err(NotGuessed::NotKnown(guess::why_not_passed(guessed.stage, None)));
    };
    let expected = data.sgprs();
    let last = sgprs.iter().map(|sgpr| sgpr.sgpr + 1).max().unwrap_or(0).max(expected.len());
    for sgpr in 0..last {
        let unmapped = || "nothing".to_owned();
        let found = sgprs.iter().find(|own| own.sgpr == sgpr).map_or_else(unmapped, |own| own.holds.text());
        let wanted = expected.get(sgpr).and_then(|holds| Holds::of(u64::from(holds.mapped())));
        let wanted = wanted.map_or_else(unmapped, Holds::text);
        if found != wanted {
            return Err(NotGuessed::Other { stage, sgpr, found, expected: wanted });
        }
    }
    for moved in &against.sgprs {
        let guess::Holds::Entry { entry } = moved.guessed else { continue };
        let entry = u64::from(entry);
        let Some(guess::Holds::Entry { entry: to }) = moved.moved else {
            let what = moved.what.clone().unwrap_or_default();
            return Err(NotGuessed::NotInApplication { entry, what });
        };
        out.insert(entry, u64::from(to));
    }
    Ok(())
}
