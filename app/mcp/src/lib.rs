//! The server of the Model Context Protocol: what the inspector knows of shaders, as tools of an agent.
//!
//! ```text
//! client ── transport ──▶ server ── tools: arguments, roots ──▶ calls ──▶ a child process: the command line's functions
//!                           │                                     │
//!                           └── resources (manual, findings)      └──▶ answer: a page of text, and the result as data
//! ```
//!
//! * [`transport`]: messages, one a line; [`server`]: what is answered to them.
//! * [`tools`]: the tools, what they accept, and their schemas. A member of their arguments is a flag of the command line.
//! * [`roots`]: the folders that may be read and written.
//! * [`calls`]: a call, carried out in a child process of its own that ends with the call or the client.
//! * [`paging`]: a long text, part by part. [`resources`]: the pages of the manual and the findings.
//! * [`why`]: explanations, as the window shows them.

#![forbid(unsafe_code)]

pub mod calls;
pub mod paging;
pub mod resources;
pub mod roots;
pub mod server;
pub mod tools;
pub mod transport;
pub mod why;

use std::io::{self, Read, Write};

use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;

use server::Server;
use transport::Connection;

/// Serves a client until it closes its stream.
///
/// # Errors
/// The system starts no thread; the client and the server have no version of the protocol in common.
pub fn serve(input: impl Read + Send + 'static, output: impl Write + Send + 'static, server: Server) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let mut connection = Connection::new(input, output)?;
    let written = connection.written();
    let served = runtime.block_on(async {
        match server.serve(connection).await {
            Ok(running) => running.waiting().await.map(|_| ()).map_err(io::Error::other),
            // A client that only looks whether the server starts.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(io::Error::other(error)),
        }
    });
    // Calls that still run are of no use any more: their processes end with this one.
    runtime.shutdown_background();
    written.wait();
    served
}
