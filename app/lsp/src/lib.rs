//! The language server: what the inspector knows of a shader, in an editor.
//!
//! ```text
//! client ── transport ──▶ server ── documents, project ──▶ analysis (a thread, and a child process that compiles)
//!                           ▲                                   │
//!                           └── sources, sites ◀── report ──────┘ ──▶ diagnostics, hints, hover, navigation
//! ```
//!
//! * [`transport`]: messages of the protocol; [`position`], [`uri`]: places and names of it.
//! * [`documents`]: the text that the editor holds, which is compiled instead of the files on disk.
//! * [`project`]: which files form a pipeline.
//! * [`analysis`]: loading and analysis, as the window and the terminal form do it.
//! * [`source`], [`sites`]: what a text declares, and what of it a report is about.
//! * [`messages`], [`diagnostics`], [`slots`], [`hints`], [`hover`], [`navigation`], [`markdown`]: what is said at these places.
//! * [`fixes`], [`rename`], [`completion`]: what is changed at them; [`semantic`]: how names are shown.
//! * [`commands`]: what code lenses begin.
//! * [`server`]: the loop. Answers are about the versions of documents that the client has, never about earlier ones.

#![forbid(unsafe_code)]

pub mod analysis;
pub mod commands;
pub mod completion;
pub mod diagnostics;
pub mod documents;
pub mod fixes;
pub mod hints;
pub mod hover;
pub mod markdown;
pub mod messages;
pub mod navigation;
mod nodes;
pub mod position;
pub mod project;
pub mod registers;
pub mod rename;
pub mod semantic;
pub mod server;
pub mod settings;
pub mod sites;
pub mod slots;
pub mod source;
pub mod transport;
pub mod uri;

use std::io::{Read, Write};

use server::{Ended, Server};
use transport::Connection;

/// Serves a client until it says to exit, or goes.
///
/// # Errors
/// The system starts no thread.
pub fn serve(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> std::io::Result<Ended> {
    let connection = Connection::new(input, output)?;
    let ended = Server::new(&connection)?.run();
    connection.finish();
    Ok(ended)
}
