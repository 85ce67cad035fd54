//! The window: draws the state, and turns input into commands.
//!
//! * `app`: a frame: results of jobs → panels and views → commands → update.
//! * `panels`: the parts around the views; `dock`: the views in tabs.
//! * `keys`: keys of commands.
//! * `testing`: the window without a screen, driven by pointer and keys.
//! * `focus`: the focused widget; `file_dialogs`: dialogs of the system; `timings`.
//!
//! Frames never block: they do not read files or compile. The window is drawn again only after input or when jobs have
//! results.

#![forbid(unsafe_code)]

mod app;
mod dock;
mod file_dialogs;
mod focus;
mod keys;
mod panels;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
mod timings;

use std::path::PathBuf;

use app::App;
use timings::Timings;

use lanescope_host::session::{Claim, Folder};
use lanescope_workbench::engine::Engine;

/// Opens the window, with these files as one program if any, compared with others where those are named.
/// Returns when it is closed. With `timings` each frame is reported on standard error.
///
/// # Errors
/// No window can be opened: no display or no OpenGL.
pub fn run(files: Vec<PathBuf>, against: Vec<PathBuf>, timings: bool) -> Result<(), String> {
    let timings = timings.then(Timings::new);
    // The session says how large the window is, so it is read before there is one.
    let folder = Folder::of_user();
    let claim = folder.map(|folder| folder.claim(files.is_empty())).unwrap_or_default();
    let Claim { store, session, earlier, trouble } = claim;
    let size = session.size.map_or([1280.0, 820.0], |size| size.map(sensible_side));
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title("Lanescope")
            .with_app_id("lanescope")
            .with_icon(icon())
            .with_inner_size(size)
            .with_min_inner_size([320.0, 240.0])
            .with_drag_and_drop(true),
        ..eframe::NativeOptions::default()
    };
    let make: eframe::AppCreator<'_> = Box::new(move |creation| {
        let mut frame = App::new(&creation.egui_ctx, Engine::isolated(), store, session);
        frame.state.earlier = earlier;
        for trouble in trouble {
            frame.state.messages.error(trouble);
        }
        frame.timings = timings;
        frame.begin(files, against);
        Ok(Box::new(frame))
    });
    eframe::run_native("lanescope", options, make).map_err(|error| no_window(&error.to_string()))
}

/// The icon for window managers that do not find the one of the desktop file.
fn icon() -> egui::IconData {
    eframe::icon_data::from_png_bytes(include_bytes!("../../../assets/icon/lanescope-64.png")).unwrap_or_default()
}

fn no_window(error: &str) -> String {
    // The window system's library puts a source line of its own before what went wrong.
    let why =
        error.rsplit_once(".rs:").map_or(error, |(_, rest)| rest.trim_start_matches(|c: char| !c.is_alphabetic()));
    format!("no window can be opened: {why}\n`lanescope inspect FILE` prints the report as text; it needs no display")
}

/// A side of the window in points, clamped to a sensible range.
fn sensible_side(side: f32) -> f32 {
    if side.is_finite() { side.clamp(320.0, 8192.0) } else { 900.0 }
}
