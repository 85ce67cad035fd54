//! Standard output and standard error as text: what a terminal would obey in foreign text is replaced on the way.

use std::io::{self, IsTerminal as _, StderrLock, StdoutLock, Write};

use anstream::AutoStream;
use lanescope_core::foreign::Screen;
use lanescope_text::Style;

/// Standard output for styled text, with the styles that it takes.
pub fn styled() -> (Screen<AutoStream<StdoutLock<'static>>>, Style) {
    let out = AutoStream::auto(io::stdout().lock());
    let style = Style::of(out.current_choice());
    (Screen::styled(out), style)
}

/// Standard output for text without styles.
pub fn plain() -> Screen<StdoutLock<'static>> {
    Screen::plain(io::stdout().lock())
}

/// Writes a file's text to standard output: exact where a program reads it, as [`plain`] on a terminal.
///
/// # Errors
/// What of it could not be written.
pub fn put(bytes: &[u8]) -> io::Result<()> {
    if io::stdout().is_terminal() {
        let mut out = plain();
        out.write_all(bytes)?;
        return out.flush();
    }
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

/// Standard error for text without styles.
pub fn errors() -> Screen<StderrLock<'static>> {
    Screen::plain(io::stderr().lock())
}

/// Writes lines to standard error, which may be closed.
pub fn tell(lines: &str) {
    let _ = writeln!(errors(), "{lines}");
}

/// Writes why a command failed to standard error, which may be closed.
pub fn error(why: &str) {
    let mut err = AutoStream::auto(io::stderr().lock());
    let style = super::help::ERROR;
    let why = lanescope_core::foreign::plain_lines(why);
    let _ = writeln!(err, "{}error:{} {why}", style.render(), style.render_reset());
}

/// Prints what the parser of the command line says: an error, help or the version.
pub fn parsed(error: &clap::Error) {
    let rendered = error.render();
    if !error.use_stderr() {
        let _ = write!(styled().0, "{}", rendered.ansi());
        return;
    }
    // Words of the command line are quoted; one with sequences of its own cannot be told from the styles.
    let is_foreign = |word: std::ffi::OsString| word.to_string_lossy().contains(lanescope_core::foreign::is_obeyed);
    let mut err = Screen::styled(AutoStream::auto(io::stderr().lock()));
    let _ = match std::env::args_os().any(is_foreign) {
        true => write!(errors(), "{rendered}"),
        false => write!(err, "{}", rendered.ansi()),
    };
}
