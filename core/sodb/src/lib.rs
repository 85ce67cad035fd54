//! State Object Databases of D3D12 (`.sodb`): SQLite files with the descriptions and the DXIL containers of pipelines and
//! state objects, each under a key that the application chose.
//!
//! A database is untrusted: it is opened read-only and as immutable, SQLite's limits are set, only reads of the published
//! tables run, and the work is bounded. Rows are addressed by the published names of their columns ([`Record`]); what a
//! column means is said by D3D12.
//!
//! Facts are those of `StateObjectDatabase.md` of DirectX-Specs (2025-10-23), which publishes user_version 2.
//!
//! ```
//! use lanescope_sodb::{Database, looks_like};
//!
//! let bytes = b"SQLite format 3\0 and nothing else";
//! assert!(!looks_like(bytes));
//! let fault = Database::of_bytes(bytes, "a.sodb").expect_err("is not a database");
//! assert_eq!(fault.rule.code, "sodb.damaged");
//! ```
//!
//! # Features
//!
//! `serde`: `Serialize` and `Deserialize` for lists.

#![forbid(unsafe_code)]

mod connection;
mod content;
mod copy;
mod database;
pub mod findings;
mod list;
mod notes;
mod schema;
mod tables;

#[cfg(test)]
mod tests;

pub use copy::copy;
pub use database::{Application, Database, Group, Record};
pub use list::{GroupKind, Listing, Row, RowShader, STAGES, kind, libraries, nested};

use crate::findings::Rule;

/// The bytes that SQLite files start with.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// The application_id in the header of a state object database.
pub const APPLICATION_ID: u32 = 0x0d3d_50db;
/// The version whose tables are published.
pub const USER_VERSION: u32 = 2;
/// The bytes of a file that [`looks_like`] needs.
pub const HEAD: usize = 72;

/// Whether bytes begin like a state object database.
pub fn looks_like(head: &[u8]) -> bool {
    head.starts_with(MAGIC) && head.get(68..HEAD).is_some_and(|id| id == APPLICATION_ID.to_be_bytes())
}

/// Whether bytes begin like a SQLite file.
pub fn is_sqlite(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// Why a database, or something in it, cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct Fault {
    /// The rule that is broken.
    pub rule: &'static Rule,
    /// Where: a table, a group.
    pub place: String,
    /// What was expected, and what was found.
    pub message: String,
}

impl Fault {
    pub(crate) fn new(rule: &'static Rule, place: &str, message: impl Into<String>) -> Fault {
        Fault { rule, place: place.to_owned(), message: message.into() }
    }
}

/// Bytes as one hexadecimal number: `0x0123`.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold("0x".to_owned(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
