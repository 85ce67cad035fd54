//! The debug adapter: the debugger of the interpreter in an editor.
//!
//! ```text
//! client ── transport ──▶ server ── requests ──▶ engine (a thread) ──▶ debuggee: a session of the interpreter's debugger
//!    ▲                      └── pause, disconnect: at once ──▲             │
//!    └──────────── answers, events ◀─────────────────────────┴─────────────┘
//! ```
//!
//! * [`protocol`], [`transport`]: messages, and how they come and go.
//! * [`arguments`]: what a client launches, as the command line of `lanescope debug`. [`launched`]: what that leads to.
//! * [`sources`]: files that lines name, and the disassembly.
//! * [`debuggee`]: lanes as threads, frames, variables, breakpoints of a session.
//! * [`server`]: the loop, and the thread that carries out requests.

#![forbid(unsafe_code)]

pub mod arguments;
pub mod debuggee;
pub mod launched;
pub mod protocol;
pub mod server;
pub mod sources;
pub mod transport;

use std::io::{Read, Write};

use launched::Launcher;
use server::{Ended, Server};
use transport::Connection;

/// Serves a client until it disconnects, or goes.
///
/// # Errors
/// The system starts no thread.
pub fn serve(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    launcher: impl Launcher + 'static,
) -> std::io::Result<Ended> {
    let connection = Connection::new(input, output)?;
    let ended = Server::start(&connection, launcher)?.run();
    connection.finish();
    Ok(ended)
}
