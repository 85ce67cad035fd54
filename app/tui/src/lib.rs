//! The terminal form: the state and the updates of the window, drawn as text.
//!
//! * `app`: messages → commands → update → drawing. `events`: what it waits for. `terminal`: taken over and given back.
//! * `draw`: the screen; `pane`: a view; `contents`: what each view shows; `overlay`: dialogs; `prompt`: what
//!   is typed at the bottom, `typed`: what that leads to; `compilers`, `sources`: the options of compilers; `field`: a
//!   line that is typed; `divider`: lines that the mouse drags; `follow`: what Enter does.
//! * `keys`: keys and letters; `mouse`; `look`: colours and characters; `views`: how panes are looked at; `timings`.
//! * `graphics`: images as the terminal draws them; `printable`: foreign text as it can.
//! * `order`: records, filtered and sorted.
//!
//! Nothing blocks input: files are read, compilers run and devices work in jobs.

#![forbid(unsafe_code)]

mod app;
mod compilers;
mod contents;
mod divider;
mod draw;
mod events;
mod field;
mod follow;
mod graphics;
mod keys;
mod look;
mod mouse;
mod order;
mod overlay;
mod pane;
mod pane_id;
mod printable;
mod prompt;
mod sources;
mod terminal;
#[cfg(test)]
mod tests;
mod timings;
mod typed;
mod views;

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::time::Instant;

use app::App;
use events::{Events, Message};
use lanescope_core::chip::Chip;
use lanescope_core::target::Target;
use lanescope_inspector::source::Language;
use lanescope_pictures::highlight::Highlighter;
use look::Look;
use terminal::Screen;
use timings::Timings;

use lanescope_host::session::{Claim, Folder};
use lanescope_workbench::engine::Engine;

/// Why the terminal form did not run.
#[derive(Debug, thiserror::Error)]
pub enum TuiError {
    /// Standard input or output is a file or a pipe.
    #[error("standard {0} is not a terminal: `lanescope inspect FILE` prints the report as text")]
    NotATerminal(&'static str),
    /// The terminal failed.
    #[error("the terminal cannot be used: {0}")]
    Terminal(#[from] io::Error),
}

/// What the terminal form begins with.
#[derive(Debug, Clone, Default)]
pub struct Begin {
    /// Files of one program; the last session or the start page if there are none.
    pub files: Vec<PathBuf>,
    /// Files of a program that it is compared with.
    pub against: Vec<PathBuf>,
    /// Chips to compile for; those of the session if there are none. The session does not keep them.
    pub chips: Vec<Chip>,
    /// Manifests of drivers to compile with; those of the session if there are none. The session does not keep them.
    pub icds: Vec<PathBuf>,
    /// The target of the files. The session does not keep it.
    pub target: Option<Target>,
}

/// Runs the terminal form. Returns when it is closed. With `timings` those of drawings are reported on standard error at
/// the end.
///
/// # Errors
/// There is no terminal, or it failed.
pub fn run(begin: Begin, timings: bool) -> Result<(), TuiError> {
    if !io::stdin().is_terminal() {
        return Err(TuiError::NotATerminal("input"));
    }
    if !io::stdout().is_terminal() {
        return Err(TuiError::NotATerminal("output"));
    }
    let claim = Folder::of_user().map(|folder| folder.claim(begin.files.is_empty())).unwrap_or_default();
    let Claim { store, session, earlier, trouble } = claim;
    let events = Events::new();
    let look = Look::of_environment(session.terminal_theme);
    let mut app = App::new(Engine::isolated(), store, session, look, events.wake());
    app.state.earlier = earlier;
    for trouble in trouble {
        app.state.messages.error(trouble);
    }
    // Definitions of languages take longer to read than a screen to draw: they are read while files are.
    std::thread::spawn(|| Highlighter::default().spans(Language::Glsl, 0, "x", false).map(Vec::len));
    let mut screen = Screen::take()?;
    let asked = graphics::ask(look)?;
    events.listen(asked)?;
    app.begin(begin);
    let mut timed = Timings::default();
    let end = follow(&mut app, &events, &mut screen, &mut timed);
    drop(screen);
    app.end();
    if timings {
        eprintln!("lanescope: {}", timed.summary());
    }
    let signal = end?;
    if let Some(signal) = signal {
        // The terminal is given back, so the program can end as the signal says.
        signal_hook::low_level::emulate_default_handler(signal)?;
    }
    Ok(())
}

/// Draws and waits until the program is to end. Returns the signal that ended it.
fn follow(app: &mut App, events: &Events, screen: &mut Screen, timings: &mut Timings) -> io::Result<Option<i32>> {
    loop {
        let begin = Instant::now();
        screen.terminal.draw(|frame| app.draw(frame.area(), frame.buffer_mut()))?;
        timings.drawn(begin.elapsed());
        if let Some(at) = app.caret() {
            screen.terminal.set_cursor_position(at)?;
            screen.terminal.show_cursor()?;
        } else {
            screen.terminal.hide_cursor()?;
        }
        for message in events.wait(app.next_wait()) {
            match message {
                Message::Input(event) => app.input(event),
                Message::Wake => {}
                Message::End(signal) => return Ok(Some(signal)),
                Message::Continued => {
                    app.images.clear();
                    screen.again()?;
                }
                Message::Answer(answer) => app.answered(&answer),
                Message::Closed => return Ok(None),
            }
            if std::mem::take(&mut app.suspends) {
                app.images.clear();
                screen.suspend()?;
            }
        }
        app.poll();
        if !app.state.programs.is_empty() {
            timings.loaded();
        }
        for text in std::mem::take(&mut app.copied) {
            screen.copy(&text)?;
        }
        if let Some(title) = app.title.take() {
            screen.title(&title)?;
        }
        if std::mem::take(&mut app.redraws) {
            app.images.clear();
            screen.redraw()?;
        }
        if app.quits {
            return Ok(None);
        }
    }
}
