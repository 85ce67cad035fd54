//! SQLite, kept within bounds: nothing but the statements of this crate runs, on tables alone, for a bounded time.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};

use crate::schema;

/// The largest value of a row, in bytes: a container, a text.
pub(crate) const MAX_VALUE: i32 = 64 << 20;
/// Instructions of SQLite's machine between two looks at the work done.
const STEP: i32 = 1000;
/// Instructions for one database: ten million rows take less.
const MAX_WORK: u64 = 600_000_000;

/// A connection that only reads.
#[derive(Debug)]
pub(crate) struct Guarded {
    pub connection: Connection,
    /// Instructions so far.
    work: Arc<AtomicU64>,
}

impl Guarded {
    /// Opens a file. No other file is read, neither a journal nor a log.
    pub fn open(path: &Path) -> rusqlite::Result<Guarded> {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_URI
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_EXRESCODE;
        let connection = Connection::open_with_flags(uri(&path), flags)?;
        Guarded::of(connection)
    }

    /// Opens a database in memory.
    pub fn of_bytes(bytes: &[u8]) -> rusqlite::Result<Guarded> {
        let mut connection = Connection::open_in_memory()?;
        connection.deserialize_read_exact(c"main", bytes, bytes.len(), true)?;
        Guarded::of(connection)
    }

    fn of(mut connection: Connection) -> rusqlite::Result<Guarded> {
        for (limit, most) in [
            (Limit::SQLITE_LIMIT_LENGTH, MAX_VALUE),
            // Statements of the file's schema are bounded by it too.
            (Limit::SQLITE_LIMIT_SQL_LENGTH, 100_000),
            (Limit::SQLITE_LIMIT_COLUMN, 100),
            (Limit::SQLITE_LIMIT_EXPR_DEPTH, 20),
            (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 2),
            (Limit::SQLITE_LIMIT_VDBE_OP, 25_000),
            (Limit::SQLITE_LIMIT_FUNCTION_ARG, 8),
            (Limit::SQLITE_LIMIT_ATTACHED, 0),
            (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100),
            (Limit::SQLITE_LIMIT_VARIABLE_NUMBER, 100),
            (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 1),
            (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
        ] {
            connection.set_limit(limit, most)?;
        }
        for (config, on) in [
            (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
            (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
            (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
            (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
            (DbConfig::SQLITE_DBCONFIG_WRITABLE_SCHEMA, false),
            (DbConfig::SQLITE_DBCONFIG_DQS_DDL, false),
            (DbConfig::SQLITE_DBCONFIG_DQS_DML, false),
        ] {
            connection.set_db_config(config, on)?;
        }
        let work = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&work);
        let is_too_much = move || counted.fetch_add(STEP as u64, Ordering::Relaxed) > MAX_WORK;
        connection.progress_handler(STEP, Some(is_too_much))?;
        // Sorting and journals stay in memory, where there is none to begin with.
        connection.execute_batch("PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")?;
        connection.authorizer(Some(authorize))?;
        Ok(Guarded { connection, work })
    }

    /// Whether SQLite was stopped for the work it took.
    pub fn is_exhausted(&self) -> bool {
        self.work.load(Ordering::Relaxed) > MAX_WORK
    }
}

/// What a statement may do: read columns, and ask for the size and the type of a value.
fn authorize(context: AuthContext<'_>) -> Authorization {
    match context.action {
        AuthAction::Select => Authorization::Allow,
        AuthAction::Read { table_name, .. } if is_read(table_name) => Authorization::Allow,
        AuthAction::Function { function_name: "length" | "typeof" } => Authorization::Allow,
        AuthAction::Pragma { pragma_name: "user_version" | "application_id" | "table_xinfo", .. } => {
            Authorization::Allow
        }
        _ => Authorization::Deny,
    }
}

/// Whether a table is one of the format, or the schema.
fn is_read(name: &str) -> bool {
    matches!(name, "sqlite_master" | "sqlite_schema" | "app_id") || schema::table(name).is_some()
}

/// A file as SQLite takes it, to be read as if nothing else could write it.
fn uri(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt as _;
    let mut out = "file:".to_owned();
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' => out.push(char::from(*byte)),
            byte if byte.is_ascii_alphanumeric() => out.push(char::from(*byte)),
            byte => out += &format!("%{byte:02x}"),
        }
    }
    out + "?mode=ro&immutable=1"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_special_characters_are_files() {
        assert_eq!(uri(Path::new("/a b?c#d%e/f-g.sodb")), "file:/a%20b%3fc%23d%25e/f-g.sodb?mode=ro&immutable=1");
    }

    #[test]
    fn only_reads_of_tables_run() {
        let guarded = Guarded::of(Connection::open_in_memory().expect("opens")).expect("opens");
        for sql in [
            "ATTACH '/tmp/other' AS other",
            "CREATE TABLE t (a)",
            "SELECT hex(1)",
            "PRAGMA writable_schema = ON",
            "WITH RECURSIVE r(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM r) SELECT x FROM r",
        ] {
            guarded.connection.prepare(sql).expect_err(sql);
        }
        guarded.connection.prepare("SELECT name FROM sqlite_schema").expect("reads");
    }
}
