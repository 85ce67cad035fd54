//! The system's file dialogs, on their own thread.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use lanescope_inspector::command::Purpose;

use lanescope_core::load::file_types::FILE_TYPES;

use lanescope_workbench::outcome::{Outcome, Picked};
use lanescope_workbench::update::effects::Dialog;

/// A dialog that ends sooner than this was never shown: the system has no dialog, and rfd does not report that.
const SEEN: Duration = Duration::from_millis(400);

/// Extensions that AMD code objects have; they open under any name.
const OBJECTS: [&str; 2] = ["elf", "isabin"];

/// Extensions of what can be opened.
fn filter() -> Vec<&'static str> {
    FILE_TYPES.iter().flat_map(|row| row.extensions).copied().chain(OBJECTS).collect()
}

/// Opens a dialog, and waits for its answer. Blocks: for job threads only.
pub fn ask(dialog: Dialog) -> Outcome {
    match dialog {
        Dialog::Files(purpose, folder) => Outcome::PickedFiles(purpose, pick_files(purpose, folder)),
        Dialog::Contents(id, place, folder) => {
            Outcome::PickedContents(id, place, pick_contents(folder, &place.to_string()))
        }
        Dialog::Save(name) => Outcome::PickedSave(pick_save(&name)),
        Dialog::Folder => Outcome::PickedSave(pick_folder()),
        Dialog::Records(id) => Outcome::PickedRecords(id, pick_records()),
    }
}

/// Asks for files to open, or to compare with.
fn pick_files(purpose: Purpose, folder: Option<PathBuf>) -> Picked<Vec<PathBuf>> {
    let begin = Instant::now();
    let compare = matches!(purpose, Purpose::Compare(_));
    let title = match purpose {
        Purpose::CompareResult => "Compare with a corpus result",
        Purpose::Variants(_) => "Compare variants of a file",
        _ if compare => "Compare with shaders or a report",
        _ => "Open shaders as one pipeline",
    };
    let mut dialog = rfd::FileDialog::new().set_title(title);
    // A file of variants may have any name.
    if !matches!(purpose, Purpose::Variants(_)) {
        dialog = dialog.add_filter("Shaders, reports and saved runs", &filter());
    }
    dialog = dialog.add_filter("All files", &["*"]);
    if let Some(folder) = folder {
        dialog = dialog.set_directory(folder);
    }
    let files = dialog.pick_files().filter(|files| !files.is_empty());
    picked(files, begin)
}

/// Asks for a file that fills a buffer or an image.
fn pick_contents(folder: Option<PathBuf>, of: &str) -> Picked<PathBuf> {
    let begin = Instant::now();
    let mut dialog = rfd::FileDialog::new().set_title(format!("Contents of {of}")).add_filter("All files", &["*"]);
    if let Some(folder) = folder {
        dialog = dialog.set_directory(folder);
    }
    picked(dialog.pick_file(), begin)
}

/// Asks for a folder to save into.
fn pick_folder() -> Picked<PathBuf> {
    let begin = Instant::now();
    picked(rfd::FileDialog::new().set_title("Save rewritten modules to").pick_folder(), begin)
}

/// Asks where to save. The dialog itself asks before a file is replaced.
fn pick_save(name: &str) -> Picked<PathBuf> {
    let begin = Instant::now();
    let dialog = rfd::FileDialog::new().set_title("Save").set_file_name(name);
    let dialog = match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("svg") => dialog.add_filter("SVG", &["svg"]).add_filter("PNG", &["png"]),
        Some(extension) => dialog.add_filter(extension.to_ascii_uppercase(), &[extension]),
        None => dialog,
    };
    picked(dialog.save_file(), begin)
}

/// Asks for a file of records.
fn pick_records() -> Picked<PathBuf> {
    let begin = Instant::now();
    let dialog = rfd::FileDialog::new()
        .set_title("Load records")
        .add_filter("Records", &["json", "csv", "bin"])
        .add_filter("All files", &["*"]);
    picked(dialog.pick_file(), begin)
}

fn picked<T>(found: Option<T>, begin: Instant) -> Picked<T> {
    match found {
        Some(found) => Picked::Chosen(found),
        None if begin.elapsed() < SEEN => Picked::Unavailable,
        None => Picked::Nothing,
    }
}
