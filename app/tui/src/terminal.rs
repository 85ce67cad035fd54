//! The terminal: taken over at the start, given back at the end, after a panic, and while the program is suspended.

use std::io::{self, Stdout, Write as _, stdout};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use lanescope_core::foreign::plain_name;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

/// The longest text that goes to the clipboard, in bytes: terminals ignore longer ones.
pub const COPIED_AT_MOST: usize = 74_994;

/// The terminal while it is taken over.
pub struct Screen {
    /// What is drawn on.
    pub terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Screen {
    /// Takes the terminal over. A panic of this thread gives it back before the message is printed; those of jobs are
    /// shown as messages and print nothing.
    ///
    /// # Errors
    /// Those of the terminal.
    pub fn take() -> io::Result<Screen> {
        let drawing = std::thread::current().id();
        let print = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if std::thread::current().id() == drawing {
                leave();
                print(panic);
            }
        }));
        enter()?;
        match Terminal::new(CrosstermBackend::new(stdout())) {
            Ok(terminal) => Ok(Screen { terminal }),
            Err(error) => {
                leave();
                Err(error)
            }
        }
    }

    /// Takes the terminal over again, after the program was suspended.
    ///
    /// # Errors
    /// Those of the terminal.
    pub fn again(&mut self) -> io::Result<()> {
        enter()?;
        self.redraw()
    }

    /// Draws everything anew at the next drawing. Ratatui's own way asks the terminal for its cursor, and the answer goes
    /// to the thread that reads keys.
    ///
    /// # Errors
    /// Those of the terminal.
    pub fn redraw(&mut self) -> io::Result<()> {
        execute!(stdout(), Clear(ClearType::All))?;
        self.terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
        Ok(())
    }

    /// Gives the terminal back and stops, until the user continues the program.
    ///
    /// # Errors
    /// Those of the terminal.
    pub fn suspend(&mut self) -> io::Result<()> {
        leave();
        rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::TSTP)?;
        self.again()
    }

    /// Puts text on the clipboard of the terminal that the user sits at, over any number of connections (OSC 52).
    ///
    /// # Errors
    /// Those of the terminal.
    pub fn copy(&mut self, text: &str) -> io::Result<()> {
        let mut out = stdout();
        out.write_all(copy_sequence(text).as_bytes())?;
        out.flush()
    }

    /// Sets the terminal's title.
    ///
    /// # Errors
    /// Those of the terminal.
    pub fn title(&mut self, title: &str) -> io::Result<()> {
        let plain = plain_name(title);
        let mut out = stdout();
        write!(out, "\u{1b}]2;{plain}\u{7}")?;
        out.flush()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        leave();
    }
}

fn copy_sequence(text: &str) -> String {
    format!("\u{1b}]52;c;{}\u{7}", STANDARD.encode(text))
}

fn enter() -> io::Result<()> {
    enable_raw_mode()?;
    let entered = execute!(stdout(), EnterAlternateScreen, EnableMouseCapture, EnableBracketedPaste);
    if entered.is_err() {
        leave();
    }
    entered
}

/// Gives the terminal back. What fails here cannot be shown anywhere.
fn leave() {
    let _ = execute!(stdout(), DisableBracketedPaste, DisableMouseCapture, LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copied_text_is_encoded() {
        assert_eq!(copy_sequence("a\u{1b}b"), "\u{1b}]52;c;YRti\u{7}");
    }
}
