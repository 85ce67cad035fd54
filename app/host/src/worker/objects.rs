//! AMD code objects of a folder beside the predictions for the pipelines of a corpus.

use std::cell::RefCell;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use lanescope_core::analyse;
use lanescope_core::codeobject::Verdict;
use lanescope_core::corpus::ObjectRow;
use lanescope_core::object_prediction::{object_target, predicted};
use lanescope_core::options::Options;
use lanescope_core::program::Program;

use crate::code_objects::{Indexed, index, read};

/// The most fields of one object that are named.
const MAX_NAMED: usize = 32;

/// The objects of a folder, or why it cannot be read.
struct Asked {
    folder: OsString,
    objects: Result<Vec<Indexed>, String>,
}

thread_local! {
    /// The folder that was asked last.
    static ASKED: RefCell<Option<Asked>> = const { RefCell::new(None) };
}

/// The row of a program's object, by the hashes of its shaders. None where the folder has no object of them.
pub fn row(folder: &OsStr, program: &Program, options: &Options) -> Option<ObjectRow> {
    let of = |stage: &lanescope_core::program::Stage| program.driver_hashes(stage.module, &stage.entry);
    let shaders: Vec<_> = program.stages.iter().filter_map(of).collect();
    let found = ASKED.with_borrow_mut(|asked| {
        if asked.as_ref().is_none_or(|asked| asked.folder != folder) {
            *asked = Some(Asked { folder: folder.to_owned(), objects: index(Path::new(folder)) });
        }
        let objects = asked.as_ref().map_or(Ok(&[][..]), |asked| asked.objects.as_deref().map_err(String::clone))?;
        Ok::<_, String>(objects.iter().filter(|one| one.is_of(&shaders)).cloned().collect::<Vec<_>>())
    });
    let failed = |file: String, why: String| ObjectRow { file, failure: Some(why), ..ObjectRow::default() };
    match found {
        Err(why) => Some(failed(folder.to_string_lossy().into_owned(), why)),
        Ok(found) => match found.as_slice() {
            [] => None,
            [only] => {
                let file = only.path.to_string_lossy().into_owned();
                let compared = compared(&only.path, program, options);
                Some(match compared {
                    Ok(row) => ObjectRow { file, ..row },
                    Err(why) => failed(file, why),
                })
            }
            [first, more @ ..] => {
                let file = first.path.to_string_lossy().into_owned();
                Some(failed(file, format!("{} more objects are of these shaders", more.len())))
            }
        },
    }
}

fn compared(path: &Path, program: &Program, options: &Options) -> Result<ObjectRow, String> {
    let object = read(path)?;
    let target = object_target(&object).map_err(|why| why.to_string())?;
    let report = analyse(program, &Options { target, ..options.clone() }).map_err(|error| error.to_string())?;
    let found = predicted(&report, &object).map_err(|why| why.to_string())?;
    let counts = found.field_counts;
    let number = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
    let differing = found.fields.iter().filter(|field| field.verdict == Verdict::Differs);
    Ok(ObjectRow {
        file: String::new(),
        agrees: number(counts.agrees),
        differs: number(counts.differs),
        not_predicted: number(counts.not_predicted),
        not_in_object: number(counts.not_in_object),
        differing: differing.map(|field| format!("{}.{}", field.register, field.field)).take(MAX_NAMED).collect(),
        failure: None,
    })
}
