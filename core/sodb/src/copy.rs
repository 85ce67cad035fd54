//! A selection of groups as a new database.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::types::Value as SqlValue;
use rusqlite::{Connection, OpenFlags, params_from_iter};

use crate::database::{Database, Group, Record};
use crate::findings;
use crate::schema::{self, APP_ID, INDEXES, Kind, TABLES};
use crate::tables::{KeyId, Value};
use crate::{APPLICATION_ID, Fault, USER_VERSION};

/// Writes groups, with everything that they refer to, as a database into an empty file. Rows keep their keys and their
/// order; the number of rows is returned.
///
/// # Errors
/// A database of another user_version; a row that a key names but does not exist, or that has a value of another type; a
/// file that cannot be written.
pub fn copy(database: &Database, groups: &[&Group], path: &Path) -> Result<usize, Fault> {
    if database.user_version != i64::from(USER_VERSION) {
        let message = format!(
            "its user_version is {}; only databases of user_version {USER_VERSION} are copied",
            database.user_version
        );
        return Err(Fault::new(findings::SODB_USER_VERSION, "header", message));
    }
    let rows = reached(database, groups)?;
    let fail = |error: rusqlite::Error| Fault::new(findings::SODB_DAMAGED, "copy", format!("SQLite: {error}"));
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags).map_err(fail)?;
    connection
        .execute_batch("PRAGMA page_size = 1024; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        .and_then(|()| connection.pragma_update(None, "user_version", USER_VERSION))
        .and_then(|()| connection.pragma_update(None, "application_id", APPLICATION_ID))
        .map_err(fail)?;
    let transaction = connection.transaction().map_err(fail)?;
    for table in TABLES {
        transaction.execute_batch(&table.sql()).map_err(fail)?;
    }
    transaction.execute_batch(APP_ID).map_err(fail)?;
    for [table, columns, null] in INDEXES {
        let sql = format!("CREATE UNIQUE INDEX {table}_partial_index ON {table}({columns}) WHERE {null} IS NULL");
        transaction.execute_batch(&sql).map_err(fail)?;
    }
    if let Some(row) = database.application_row()? {
        transaction.execute("INSERT INTO app_id VALUES (?, ?, ?, ?, ?, ?)", params_from_iter(row)).map_err(fail)?;
    }
    for (index, row) in &rows {
        let Some(table) = TABLES.get(*index) else { continue };
        let record = database.rows_of_one(*index, *row);
        let mut values: Vec<SqlValue> = Vec::with_capacity(table.columns.len() + 1);
        if table.keyed {
            values.push(SqlValue::Blob(record.key().to_vec()));
        }
        for (column, value) in table.columns.iter().zip(record.values()) {
            values.push(match value {
                Value::Null if column.required => {
                    let message = format!("{} has no value", column.name);
                    return Err(Fault::new(findings::SODB_VALUE, &record.place(), message));
                }
                Value::Null => SqlValue::Null,
                Value::Integer(number) => SqlValue::Integer(*number),
                Value::Real(number) => SqlValue::Real(*number),
                Value::Text(text) => SqlValue::Text(text.to_string()),
                Value::Key(key) => SqlValue::Blob(database.tables.keys.bytes(*key).to_vec()),
                Value::Data { .. } => SqlValue::Blob(record.data(column.name)?.unwrap_or_default()),
            });
        }
        let marks = vec!["?"; values.len()].join(", ");
        let sql = format!("INSERT INTO {} ({}) VALUES ({marks})", table.name, table.names());
        let mut statement = transaction.prepare(&sql).map_err(fail)?;
        statement.execute(params_from_iter(values)).map_err(fail)?;
    }
    transaction.commit().map_err(fail)?;
    connection.close().map_err(|(_, error)| fail(error))?;
    Ok(rows.len())
}

/// The rows that groups refer to, by table and in the order of the file.
fn reached(database: &Database, groups: &[&Group]) -> Result<BTreeSet<(usize, usize)>, Fault> {
    let mut rows = BTreeSet::new();
    let mut keys: BTreeSet<KeyId> = BTreeSet::new();
    let mut work: Vec<Record<'_>> = Vec::new();
    for group in groups {
        database.object(group)?;
        work.push(database.record(group));
    }
    while let Some(record) = work.pop() {
        if !rows.insert((record.table, record.row)) {
            continue;
        }
        let columns = TABLES.get(record.table).map_or(&[][..], |table| table.columns);
        for (column, value) in columns.iter().zip(record.values()) {
            let Value::Key(key) = value else { continue };
            if let Kind::Key(Some(_)) = column.kind {
                work.extend(record.named_row(column.name)?);
            } else if keys.insert(*key) {
                // A key of any table, or of none: an input layout.
                work.extend(database.of_key(*key));
            }
        }
        if let Some(key) = record.key_id()
            && keys.insert(key)
        {
            work.extend(database.lists_of(key));
        }
    }
    Ok(rows)
}

impl Database {
    /// The rows of lists that belong to a key.
    fn lists_of(&self, key: KeyId) -> Vec<Record<'_>> {
        let mut out = Vec::new();
        for (index, _) in TABLES.iter().enumerate().filter(|(_, table)| !table.keyed) {
            let rows = self.tables.all.get(index).map_or(&[][..], |rows| rows.rows_of(key));
            out.extend(rows.iter().map(|row| self.rows_of_one(index, *row as usize)));
        }
        out
    }

    /// The rows of a key in every table.
    fn of_key(&self, key: KeyId) -> Vec<Record<'_>> {
        let mut out = self.lists_of(key);
        for (index, _) in TABLES.iter().enumerate().filter(|(_, table)| table.keyed) {
            let row = self.tables.all.get(index).and_then(|rows| rows.find(key));
            // The group of the same key is another matter.
            let is_group = schema::table("groups") == Some(index);
            out.extend(row.filter(|_| !is_group).map(|row| self.rows_of_one(index, row)));
        }
        out
    }
}
