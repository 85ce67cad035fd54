//! The tables in memory: every row but the containers and root signatures, which are read on demand.

use std::collections::HashMap;

use rusqlite::types::ValueRef;

use crate::connection::{Guarded, MAX_VALUE};
use crate::findings;
use crate::notes::Notes;
use crate::schema::{Kind, TABLES, Table};
use crate::{Fault, hex};

/// Rows of all tables together.
const MAX_ROWS: usize = 4 << 20;
/// Bytes of keys and texts of all tables together.
const MAX_BYTES: usize = 256 << 20;
/// The longest key of a row, in bytes.
const MAX_KEY: usize = 4096;
/// The longest text of a row, in bytes.
const MAX_TEXT: usize = 1 << 20;

/// A key of a row, by its number in [`Keys`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct KeyId(u32);

/// The keys that occur, each once.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    ids: HashMap<Box<[u8]>, KeyId>,
    all: Vec<Box<[u8]>>,
}

impl Keys {
    fn id(&mut self, bytes: &[u8]) -> KeyId {
        if let Some(id) = self.ids.get(bytes) {
            return *id;
        }
        // There are fewer than rows and columns.
        let id = KeyId(u32::try_from(self.all.len()).unwrap_or(u32::MAX));
        self.ids.insert(bytes.into(), id);
        self.all.push(bytes.into());
        id
    }

    /// The bytes of a key.
    pub fn bytes(&self, id: KeyId) -> &[u8] {
        self.all.get(id.0 as usize).map_or(&[], |bytes| bytes)
    }
}

/// A value of a row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Null,
    Integer(i64),
    Real(f64),
    Text(Box<str>),
    Key(KeyId),
    /// Bytes that stay in the file, by their row.
    Data {
        rowid: i64,
        bytes: u64,
    },
}

/// The rows of one table, in the order of their rowids: for lists it is the only order.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    /// The table is in the file, with at least its key.
    pub exists: bool,
    /// The key of each row, where rows have one.
    pub keys: Vec<KeyId>,
    /// The values of all rows, row by row.
    values: Vec<Value>,
    width: usize,
    count: usize,
    /// The row of a key; of a list the rows whose first column has it.
    by_key: HashMap<KeyId, Vec<u32>>,
}

impl Rows {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.count
    }

    /// The values of a row.
    pub fn row(&self, index: usize) -> &[Value] {
        self.values.get(index * self.width..(index + 1) * self.width).unwrap_or_default()
    }

    /// The row of a key.
    pub fn find(&self, key: KeyId) -> Option<usize> {
        self.rows_of(key).first().map(|row| *row as usize)
    }

    /// The rows that begin with a key.
    pub fn rows_of(&self, key: KeyId) -> &[u32] {
        self.by_key.get(&key).map_or(&[], Vec::as_slice)
    }
}

/// All tables, in the order of [`TABLES`].
#[derive(Debug, Default)]
pub(crate) struct Tables {
    pub keys: Keys,
    pub all: Vec<Rows>,
    rows: usize,
    bytes: usize,
}

impl Tables {
    /// Reads every table that matches.
    pub fn read(guarded: &Guarded, is_known_version: bool, notes: &mut Notes<'_>) -> Result<Tables, Fault> {
        refuse_virtual(guarded)?;
        let mut out = Tables::default();
        for table in TABLES {
            let rows = out.table(guarded, table, is_known_version, notes)?;
            out.all.push(rows);
        }
        Ok(out)
    }

    fn table(
        &mut self,
        guarded: &Guarded,
        table: &'static Table,
        is_known_version: bool,
        notes: &mut Notes<'_>,
    ) -> Result<Rows, Fault> {
        let fail = |error: rusqlite::Error| fault(guarded, table.name, &error);
        let found = columns(guarded, table.name).map_err(fail)?;
        let has = |name: &str| found.iter().any(|own| own.eq_ignore_ascii_case(name));
        let mut rows = Rows { width: table.columns.len(), ..Rows::default() };
        if found.is_empty() || (table.keyed && !has("Key")) {
            // A table that another version lacks says nothing.
            if is_known_version {
                let what = if found.is_empty() { "is missing" } else { "has no column Key" };
                notes.add(findings::SODB_SCHEMA, table.name, format!("table {} {what}", table.name));
            }
            return Ok(rows);
        }
        for column in table.columns.iter().filter(|column| is_known_version && !has(column.name)) {
            let message = format!("table {} has no column {}", table.name, column.name);
            notes.add(findings::SODB_SCHEMA, table.name, message);
        }
        rows.exists = true;
        let cell = |column: &crate::schema::Column| match column.kind {
            _ if !has(column.name) => "NULL".to_owned(),
            Kind::Data => format!("typeof({0}) = 'blob', length({0})", column.name),
            _ => column.name.to_owned(),
        };
        let mut cells: Vec<String> = vec!["rowid".to_owned()];
        cells.extend(table.keyed.then(|| "Key".to_owned()));
        cells.extend(table.columns.iter().map(cell));
        let sql = format!("SELECT {} FROM {} NOT INDEXED ORDER BY rowid", cells.join(", "), table.name);
        let mut statement = guarded.connection.prepare(&sql).map_err(fail)?;
        let mut result = statement.query([]).map_err(fail)?;
        while let Some(row) = result.next().map_err(fail)? {
            self.rows += 1;
            if self.rows > MAX_ROWS {
                let message = format!("the tables have more than {MAX_ROWS} rows, the most that is read");
                return Err(Fault::new(findings::SODB_LIMIT, table.name, message));
            }
            let mut at = 0;
            let mut next = || {
                at += 1;
                row.get_ref(at - 1)
            };
            let rowid = next().map_err(fail)?.as_i64().unwrap_or_default();
            let place = |name: &str| format!("{} row {rowid}, {name}", table.name);
            let own = if table.keyed {
                match next().map_err(fail)? {
                    ValueRef::Blob(bytes) if bytes.len() <= MAX_KEY => Some(self.key(bytes)),
                    value => {
                        notes.add(findings::SODB_VALUE, &place("Key"), wrong("a blob", MAX_KEY, value));
                        continue;
                    }
                }
            } else {
                None
            };
            for column in table.columns {
                let value = next().map_err(fail)?;
                let wrong = match (column.kind, value) {
                    (Kind::Data, ValueRef::Integer(is_blob)) => {
                        let bytes = next().map_err(fail)?.as_i64().unwrap_or_default();
                        if is_blob == 1 {
                            rows.values.push(Value::Data { rowid, bytes: bytes.try_into().unwrap_or(0) });
                            continue;
                        }
                        (column.required || bytes > 0).then(|| "expected a blob, found another type".to_owned())
                    }
                    (Kind::Data, ValueRef::Null) => {
                        // `typeof` never is: the column does not exist.
                        None
                    }
                    (_, ValueRef::Null) if !column.required || !has(column.name) => None,
                    (Kind::Integer, ValueRef::Integer(number)) => {
                        rows.values.push(Value::Integer(number));
                        continue;
                    }
                    (Kind::Real, ValueRef::Integer(number)) => {
                        rows.values.push(Value::Real(number as f64));
                        continue;
                    }
                    (Kind::Real, ValueRef::Real(number)) => {
                        rows.values.push(Value::Real(number));
                        continue;
                    }
                    (Kind::Text, ValueRef::Text(text)) if text.len() <= MAX_TEXT => {
                        self.bytes += text.len();
                        rows.values.push(Value::Text(String::from_utf8_lossy(text).into()));
                        continue;
                    }
                    (Kind::Key(_), ValueRef::Blob(bytes)) if bytes.len() <= MAX_KEY => {
                        let key = self.key(bytes);
                        rows.values.push(Value::Key(key));
                        continue;
                    }
                    (Kind::Integer, value) => Some(wrong("an integer", 8, value)),
                    (Kind::Real, value) => Some(wrong("a number", 8, value)),
                    (Kind::Text, value) => Some(wrong("a text", MAX_TEXT, value)),
                    (Kind::Key(_) | Kind::Data, value) => Some(wrong("a blob", MAX_KEY, value)),
                };
                if let Some(wrong) = wrong {
                    notes.add(findings::SODB_VALUE, &place(column.name), wrong);
                }
                rows.values.push(Value::Null);
            }
            if self.bytes > MAX_BYTES {
                let message = format!("keys and texts have more than {MAX_BYTES} bytes, the most that is read");
                return Err(Fault::new(findings::SODB_LIMIT, table.name, message));
            }
            let index = u32::try_from(rows.count).unwrap_or(u32::MAX);
            rows.count += 1;
            rows.keys.extend(own);
            let first = match rows.row(index as usize).first() {
                Some(Value::Key(key)) if !table.keyed => Some(*key),
                _ => own,
            };
            if let Some(key) = first {
                rows.by_key.entry(key).or_default().push(index);
            }
        }
        Ok(rows)
    }

    fn key(&mut self, bytes: &[u8]) -> KeyId {
        self.bytes += bytes.len();
        self.keys.id(bytes)
    }

    /// A key as it is shown: hexadecimal, the first bytes of a long one.
    pub fn shown(&self, key: KeyId) -> String {
        let bytes = self.keys.bytes(key);
        let more = if bytes.len() > 8 { "…" } else { "" };
        format!("{}{more}", hex(bytes.get(..8).unwrap_or(bytes)))
    }
}

/// What SQLite said of a table.
pub(crate) fn fault(guarded: &Guarded, place: &str, error: &rusqlite::Error) -> Fault {
    if guarded.is_exhausted() {
        return Fault::new(findings::SODB_LIMIT, place, "reading takes more steps than the most that are done");
    }
    if error.sqlite_error_code() == Some(rusqlite::ErrorCode::TooBig) {
        let message = format!("a value has more than {MAX_VALUE} bytes, the most that is read");
        return Fault::new(findings::SODB_LIMIT, place, message);
    }
    let text = lanescope_base::foreign::plain(&error.to_string());
    Fault::new(findings::SODB_DAMAGED, place, format!("SQLite: {text}"))
}

fn wrong(expected: &str, most: usize, found: ValueRef<'_>) -> String {
    let found = match found {
        ValueRef::Null => "NULL".to_owned(),
        ValueRef::Integer(_) => "an integer".to_owned(),
        ValueRef::Real(_) => "a real number".to_owned(),
        ValueRef::Text(text) => format!("a text of {} bytes", text.len()),
        ValueRef::Blob(bytes) => format!("a blob of {} bytes", bytes.len()),
    };
    format!("expected {expected} of at most {most} bytes, found {found}")
}

/// Virtual tables would run other code than that of tables.
fn refuse_virtual(guarded: &Guarded) -> Result<(), Fault> {
    let fail = |error: rusqlite::Error| fault(guarded, "schema", &error);
    let mut statement = guarded.connection.prepare("SELECT sql FROM sqlite_schema").map_err(fail)?;
    let mut rows = statement.query([]).map_err(fail)?;
    while let Some(row) = rows.next().map_err(fail)? {
        let ValueRef::Text(sql) = row.get_ref(0).map_err(fail)? else { continue };
        if sql.windows(7).any(|word| word.eq_ignore_ascii_case(b"virtual")) {
            let message = "the schema has a virtual table; expected tables only";
            return Err(Fault::new(findings::SODB_DAMAGED, "schema", message));
        }
    }
    Ok(())
}

/// The names of a table's columns that are stored; none where there is no such table.
fn columns(guarded: &Guarded, table: &str) -> rusqlite::Result<Vec<String>> {
    let is_table = "SELECT type = 'table' FROM sqlite_schema WHERE name = ?1 AND type IN ('table', 'view')";
    let mut statement = guarded.connection.prepare(is_table)?;
    let mut found = statement.query([table])?;
    if !found.next()?.is_some_and(|row| row.get_ref(0).is_ok_and(|value| value.as_i64() == Ok(1))) {
        return Ok(Vec::new());
    }
    // The name is one of ours.
    let mut statement = guarded.connection.prepare(&format!("PRAGMA table_xinfo({table})"))?;
    let mut rows = statement.query([])?;
    let mut out = Vec::new();
    while let Some(row) = rows.next()? {
        // 2 and 3 are generated columns.
        if row.get::<_, i64>("hidden")? == 0 {
            out.push(row.get::<_, String>("name")?);
        }
    }
    Ok(out)
}
