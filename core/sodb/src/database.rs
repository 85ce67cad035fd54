//! An open database: its groups, and the rows that they refer to.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::types::ValueRef;

use crate::connection::{Guarded, MAX_VALUE};
use crate::findings::{self, Finding};
use crate::notes::Notes;
use crate::schema::{self, Kind, TABLES};
use crate::tables::{KeyId, Tables, Value, fault};
use crate::{APPLICATION_ID, Fault, USER_VERSION, hex};

/// The longest key that is shown as text, in bytes.
const MAX_NAME: usize = 256;

/// An open database. Its tables are in memory; containers and root signatures are read on demand.
#[derive(Debug)]
pub struct Database {
    guarded: Guarded,
    pub(crate) tables: Tables,
    pub(crate) file: String,
    groups: Vec<Group>,
    /// The version of the schema, from the header.
    pub user_version: i64,
    /// The application that the objects are of.
    pub application: Option<Application>,
    /// Findings about the file as such.
    pub findings: Vec<Finding>,
}

/// The row of `app_id`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Application {
    /// Name of the executable.
    pub exe: String,
    /// Its name.
    pub name: String,
    /// Its version: four numbers.
    pub version: String,
    /// The engine's name.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub engine: Option<String>,
    /// The engine's version: four numbers.
    pub engine_version: String,
}

/// A group: what the application stored under one key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Its key, as the application chose it.
    pub key: Vec<u8>,
    /// Its key in lists and selectors, unique in the database: text if it is printable ASCII, else `0x` and hexadecimal
    /// digits. A zero at the end of a text is left out.
    pub name: String,
    /// Its version; absent where it cannot be read.
    pub version: Option<i64>,
    row: usize,
}

/// A row of a table, by the published names of its columns.
#[derive(Debug, Clone, Copy)]
pub struct Record<'d> {
    database: &'d Database,
    pub(crate) table: usize,
    pub(crate) row: usize,
}

impl Database {
    /// Opens a file. It is read as if nothing wrote it: a journal or a log beside it is not read.
    ///
    /// # Errors
    /// A file that is not a state object database, or that SQLite cannot read; more than the most that is read.
    pub fn open(path: &Path) -> Result<Database, Fault> {
        let name = path.to_string_lossy();
        Database::of(Guarded::open(path).map_err(|error| unopened(&error))?, &name)
    }

    /// Opens the bytes of a file. Findings call it by this name.
    ///
    /// # Errors
    /// As [`Database::open`].
    pub fn of_bytes(bytes: &[u8], name: &str) -> Result<Database, Fault> {
        Database::of(Guarded::of_bytes(bytes).map_err(|error| unopened(&error))?, name)
    }

    fn of(guarded: Guarded, name: &str) -> Result<Database, Fault> {
        let number = |pragma: &str| -> Result<i64, Fault> {
            let fail = |error: rusqlite::Error| fault(&guarded, "header", &error);
            guarded.connection.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get(0)).map_err(fail)
        };
        let application_id = number("application_id")?;
        if application_id != i64::from(APPLICATION_ID) {
            let found = u32::try_from(application_id).unwrap_or((application_id as i32).cast_unsigned());
            let message = format!("application_id is {found:#010x}; expected {APPLICATION_ID:#010x}");
            return Err(Fault::new(findings::SODB_APPLICATION, "header", message));
        }
        let user_version = number("user_version")?;
        let mut notes = Notes::of(name);
        let is_known = user_version == i64::from(USER_VERSION);
        if !is_known {
            let message = format!("user_version is {user_version}; the tables of version {USER_VERSION} are read");
            notes.add(findings::SODB_USER_VERSION, "header", message);
        }
        let tables = Tables::read(&guarded, is_known, &mut notes)?;
        let application = application(&guarded);
        let groups = groups(&tables);
        let findings = notes.done();
        Ok(Database { guarded, tables, file: name.to_owned(), groups, user_version, application, findings })
    }

    /// The groups, by version and in the order in which they were stored.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The groups that a text names: the one of that name, else those whose name starts with it; hexadecimal digits name
    /// keys that are shown as text too.
    pub fn named(&self, text: &str) -> Vec<&Group> {
        if let Some(exact) = self.groups.iter().find(|group| group.name == text) {
            return vec![exact];
        }
        let digits = text.to_ascii_lowercase();
        let starts = |group: &&Group| {
            group.name.starts_with(text) || (digits.starts_with("0x") && hex(&group.key).starts_with(&digits))
        };
        self.groups.iter().filter(starts).collect()
    }

    /// The number of rows of each table that has some.
    pub fn counts(&self) -> BTreeMap<&'static str, usize> {
        let counts = TABLES.iter().zip(&self.tables.all).map(|(table, rows)| (table.name, rows.len()));
        counts.filter(|(_, count)| *count > 0).collect()
    }

    /// The row of `groups`.
    pub fn record(&self, group: &Group) -> Record<'_> {
        Record { database: self, table: schema::table("groups").unwrap_or_default(), row: group.row }
    }

    /// The object of a group: a row of `pipeline_states` or `state_objects`.
    ///
    /// # Errors
    /// A group that does not name exactly one row that exists.
    pub fn object(&self, group: &Group) -> Result<Record<'_>, Fault> {
        let place = format!("group {}", group.name);
        let record = self.record(group);
        match (record.has("PSOKey"), record.has("SOKey")) {
            (true, false) => record.named_row("PSOKey"),
            (false, true) => record.named_row("SOKey"),
            (both, _) => {
                let found = if both { "both" } else { "neither" };
                let message = format!("expected a pipeline state or a state object, found {found}");
                Err(Fault::new(findings::SODB_GROUP, &place, message))
            }
        }?
        .ok_or_else(|| Fault::new(findings::SODB_GROUP, &place, "its object cannot be read"))
    }

    /// Every row of a table.
    pub(crate) fn rows_of(&self, table: usize) -> impl Iterator<Item = Record<'_>> {
        let count = self.tables.all.get(table).map_or(0, crate::tables::Rows::len);
        (0..count).map(move |row| Record { database: self, table, row })
    }

    /// One row of a table.
    pub(crate) fn rows_of_one(&self, table: usize, row: usize) -> Record<'_> {
        Record { database: self, table, row }
    }

    /// The row of `app_id`, as it is.
    pub(crate) fn application_row(&self) -> Result<Option<Vec<rusqlite::types::Value>>, Fault> {
        if self.application.is_none() {
            return Ok(None);
        }
        let sql = "SELECT id, exe, app_name, engine_name, app_version, engine_version FROM app_id LIMIT 1";
        let row = self.guarded.connection.query_row(sql, [], |row| (0..6).map(|at| row.get(at)).collect());
        row.map(Some).map_err(|error| fault(&self.guarded, "app_id", &error))
    }

    /// Reads the bytes of a column that holds data.
    pub(crate) fn data(&self, table: usize, column: &str, rowid: i64) -> Result<Vec<u8>, Fault> {
        let name = TABLES.get(table).map_or("", |table| table.name);
        let fail = |error: rusqlite::Error| fault(&self.guarded, name, &error);
        let sql = format!("SELECT {column} FROM {name} WHERE rowid = ?1");
        let mut statement = self.guarded.connection.prepare(&sql).map_err(fail)?;
        let mut rows = statement.query([rowid]).map_err(fail)?;
        match rows.next().map_err(fail)?.map(|row| row.get_ref(0)) {
            Some(Ok(ValueRef::Blob(bytes))) => Ok(bytes.to_vec()),
            _ => Err(Fault::new(findings::SODB_DAMAGED, name, format!("row {rowid} has no {column} any more"))),
        }
    }

    /// Reads the bytes of a column that holds data, of all rows in the order of the file. Rows without are left out.
    pub(crate) fn each_data(&self, table: usize, column: &str, mut take: impl FnMut(i64, &[u8])) -> Result<(), Fault> {
        let name = TABLES.get(table).map_or("", |table| table.name);
        if !self.tables.all.get(table).is_some_and(|rows| rows.exists) {
            return Ok(());
        }
        let fail = |error: rusqlite::Error| fault(&self.guarded, name, &error);
        let sql = format!("SELECT rowid, {column} FROM {name} NOT INDEXED ORDER BY rowid");
        let mut statement = self.guarded.connection.prepare(&sql).map_err(fail)?;
        let mut rows = statement.query([]).map_err(fail)?;
        while let Some(row) = rows.next().map_err(fail)? {
            let rowid = row.get_ref(0).map_err(fail)?.as_i64().unwrap_or_default();
            if let ValueRef::Blob(bytes) = row.get_ref(1).map_err(fail)? {
                take(rowid, bytes);
            }
        }
        Ok(())
    }
}

/// What SQLite said of a file that it does not open.
fn unopened(error: &rusqlite::Error) -> Fault {
    let text = lanescope_base::foreign::plain(&error.to_string());
    Fault::new(findings::SODB_DAMAGED, "file", format!("SQLite: {text}"))
}

/// The application, where its row can be read.
fn application(guarded: &Guarded) -> Option<Application> {
    let version = |number: i64| -> String {
        let parts = (0..4).rev().map(|at| (number.cast_unsigned() >> (16 * at) & 0xffff).to_string());
        parts.collect::<Vec<_>>().join(".")
    };
    let sql = "SELECT exe, app_name, engine_name, app_version, engine_version FROM app_id LIMIT 1";
    let read = guarded.connection.query_row(sql, [], |row| {
        Ok(Application {
            exe: row.get(0)?,
            name: row.get(1)?,
            engine: row.get(2)?,
            version: version(row.get(3)?),
            engine_version: version(row.get(4)?),
        })
    });
    // A name of a megabyte is not one.
    read.ok().filter(|one| [&one.exe, &one.name].iter().all(|name| name.len() < 4096))
}

/// The key as text, if it is printable and cannot be taken for a key in hexadecimal digits.
fn text_of(key: &[u8]) -> Option<String> {
    let text = key.strip_suffix(&[0]).unwrap_or(key);
    let is_printable = text.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' ');
    let is_trimmed = text.first() != Some(&b' ') && text.last() != Some(&b' ');
    let is_name = !text.is_empty() && text.len() <= MAX_NAME && is_printable && is_trimmed;
    let is_special = text.starts_with(b"0x") || text.starts_with(b"#") || text.contains(&b'@');
    (is_name && !is_special).then(|| String::from_utf8_lossy(text).into_owned())
}

fn groups(tables: &Tables) -> Vec<Group> {
    let Some((index, rows)) = schema::table("groups").and_then(|at| Some((at, tables.all.get(at)?))) else {
        return Vec::new();
    };
    let version = TABLES[index].column("Version").unwrap_or_default();
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    let mut out: Vec<Group> = Vec::new();
    for (row, key) in rows.keys.iter().enumerate() {
        let key = tables.keys.bytes(*key).to_vec();
        let name = text_of(&key).unwrap_or_else(|| hex(&key));
        *times.entry(name.clone()).or_default() += 1;
        let version = match rows.row(row).get(version) {
            Some(Value::Integer(version)) => Some(*version),
            _ => None,
        };
        out.push(Group { key, name, version, row });
    }
    // With and without a zero at its end.
    for group in &mut out {
        if times.get(&group.name).is_some_and(|times| *times > 1) {
            group.name = hex(&group.key);
        }
    }
    out
}

impl<'d> Record<'d> {
    /// The name of its table.
    pub fn table(&self) -> &'static str {
        TABLES.get(self.table).map_or("", |table| table.name)
    }

    /// Table and key, for messages: `pipeline_states 0x12ab…`.
    pub fn place(&self) -> String {
        match self.key_id() {
            Some(key) => format!("{} {}", self.table(), self.database.tables.shown(key)),
            None => format!("{} row {}", self.table(), self.row + 1),
        }
    }

    pub(crate) fn key_id(&self) -> Option<KeyId> {
        self.database.tables.all.get(self.table)?.keys.get(self.row).copied()
    }

    /// Its key; empty where rows of its table have none.
    pub fn key(&self) -> &'d [u8] {
        self.key_id().map_or(&[], |key| self.database.tables.keys.bytes(key))
    }

    pub(crate) fn values(&self) -> &'d [Value] {
        self.database.tables.all.get(self.table).map_or(&[], |rows| rows.row(self.row))
    }

    fn value(&self, column: &str) -> Option<&'d Value> {
        let index = TABLES.get(self.table)?.column(column)?;
        self.values().get(index).filter(|value| **value != Value::Null)
    }

    /// Whether the column has a value.
    pub fn has(&self, column: &str) -> bool {
        self.value(column).is_some()
    }

    /// The number in a column of whole numbers.
    pub fn number(&self, column: &str) -> Option<i64> {
        match self.value(column)? {
            Value::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// The same, as the 32-bit numbers of D3D12; absent where it is out of their range.
    pub fn word(&self, column: &str) -> Option<u32> {
        let number = self.number(column)?;
        u32::try_from(number).ok().or_else(|| i32::try_from(number).ok().map(i32::cast_unsigned))
    }

    /// The number in a column of numbers with a fraction.
    pub fn real(&self, column: &str) -> Option<f64> {
        match self.value(column)? {
            Value::Real(number) => Some(*number),
            _ => None,
        }
    }

    /// The text in a column.
    pub fn text(&self, column: &str) -> Option<&'d str> {
        match self.value(column)? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The row that a column names; none where the column has no value.
    ///
    /// # Errors
    /// A key without a row.
    pub fn named_row(&self, column: &str) -> Result<Option<Record<'d>>, Fault> {
        let Some(Value::Key(key)) = self.value(column) else { return Ok(None) };
        let kind = TABLES.get(self.table).and_then(|table| table.columns.get(table.column(column)?)).map(|c| c.kind);
        let Some(Kind::Key(Some(name))) = kind else { return Ok(None) };
        let table = schema::table(name).unwrap_or_default();
        let row = self.database.tables.all.get(table).and_then(|rows| rows.find(*key));
        match row {
            Some(row) => Ok(Some(Record { database: self.database, table, row })),
            None => {
                let message =
                    format!("{column} names {}, which {name} does not have", self.database.tables.shown(*key));
                Err(Fault::new(findings::SODB_MISSING_ROW, &self.place(), message))
            }
        }
    }

    /// Size of the data in a column, in bytes.
    pub fn data_size(&self, column: &str) -> Option<u64> {
        match self.value(column)? {
            Value::Data { bytes, .. } => Some(*bytes),
            _ => None,
        }
    }

    pub(crate) fn data_row(&self, column: &str) -> Option<i64> {
        match self.value(column)? {
            Value::Data { rowid, .. } => Some(*rowid),
            _ => None,
        }
    }

    /// The data in a column: a container, a root signature. None where the column has no value.
    ///
    /// # Errors
    /// Data that SQLite cannot read, or of more than 64 MiB.
    pub fn data(&self, column: &str) -> Result<Option<Vec<u8>>, Fault> {
        let Some(rowid) = self.data_row(column) else { return Ok(None) };
        let size = self.data_size(column).unwrap_or_default();
        if size > MAX_VALUE.cast_unsigned().into() {
            let message = format!("{column} has {size} bytes; at most {MAX_VALUE} are read");
            return Err(Fault::new(findings::SODB_LIMIT, &self.place(), message));
        }
        self.database.data(self.table, column, rowid).map(Some)
    }

    /// The rows of an association table that belong to this row, in their order.
    pub fn list(&self, table: &str) -> Vec<Record<'d>> {
        self.key_id().map(|key| self.rows_of_key(table, key)).unwrap_or_default()
    }

    /// The rows of an association table that belong to the key in a column: those of an input layout.
    pub fn list_of(&self, column: &str, table: &str) -> Vec<Record<'d>> {
        match self.value(column) {
            Some(Value::Key(key)) => self.rows_of_key(table, *key),
            _ => Vec::new(),
        }
    }

    fn rows_of_key(&self, table: &str, key: KeyId) -> Vec<Record<'d>> {
        let table = schema::table(table).unwrap_or(usize::MAX);
        let rows = self.database.tables.all.get(table).map_or(&[][..], |rows| rows.rows_of(key));
        rows.iter().map(|row| Record { database: self.database, table, row: *row as usize }).collect()
    }
}
