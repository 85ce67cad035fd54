//! The window.
//!
//! * [`app`]: the window's state and the drawing of a frame; [`chrome`]: menus, toolbar, status bar.
//! * [`command`]: all commands; [`dispatch`] runs them; [`palette`] finds them.
//! * [`jobs`]: what runs off the frame thread (loading, analysing, dialogs, saving) and its results; [`engine`],
//!   [`loading`]: that work.
//! * [`compare`]: comparison of the shown program with another one.
//! * [`tasks`]: rewriting, running, measuring and compiling, on request.
//! * [`save`]: saving files, with questions for the place and before replacing.
//! * [`help`]: the manual.
//! * [`dock`], [`gallery`], [`failure`], [`options_panel`], [`overlay`], [`toast`], [`dialog`]: the parts.
//!
//! Frames never block: they do not read files or compile. The window is drawn again only after input or when work has
//! results.

mod app;
mod chooser;
mod chrome;
mod command;
mod compare;
mod dialog;
mod dispatch;
mod dock;
mod engine;
mod failure;
mod gallery;
mod graph;
mod help;
mod jobs;
mod loading;
mod opening;
mod options_panel;
mod overlay;
mod palette;
mod program;
mod samples;
mod save;
mod tasks;
#[cfg(test)]
mod tests;
mod timings;
mod toast;

use std::path::PathBuf;

use app::App;
use engine::Engine;
use timings::Timings;

use crate::session::Store;

/// Opens the window, with these files as one program where there are any, compared with others where those are named.
/// Returns when it is closed. With `timings` each frame is reported on standard error.
///
/// # Errors
/// No window can be opened: no display or no OpenGL.
pub fn run(files: Vec<PathBuf>, against: Vec<PathBuf>, timings: bool) -> Result<(), String> {
    let timings = timings.then(Timings::new);
    // The session says how large the window is, so it is read before there is one.
    let store = Store::of_user();
    let (session, trouble) = store.as_ref().map(Store::load).unwrap_or_default();
    let size = session.size.map_or([1280.0, 820.0], |size| size.map(sensible_side));
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title("Lanescope")
            .with_app_id("lanescope")
            .with_inner_size(size)
            .with_min_inner_size([320.0, 240.0])
            .with_drag_and_drop(true),
        ..eframe::NativeOptions::default()
    };
    let make: eframe::AppCreator<'_> = Box::new(move |creation| {
        let mut frame = App::new(&creation.egui_ctx, Engine::isolated(), store, session);
        if let Some(trouble) = trouble {
            frame.toasts.error(trouble);
        }
        frame.timings = timings;
        frame.begin(files, against);
        Ok(Box::new(frame))
    });
    eframe::run_native("lanescope", options, make).map_err(|error| no_window(&error.to_string()))
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
