//! Hashes of contents: equal rows have equal hashes, whichever keys they have and in whichever database they are.

use std::collections::HashMap;

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::Fault;
use crate::database::{Database, Record};
use crate::findings;
use crate::notes::Notes;
use crate::schema::{self, Kind, TABLES};
use crate::tables::Value;

/// The list of input layouts, which are no rows.
const LAYOUTS: &str = "input_layout_to_input_element_associations";

/// What a blob of the file is.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Blob {
    /// XXH3 of its bytes.
    pub hash: u64,
    /// The first bytes and the size are those of a container.
    pub is_container: bool,
    /// The digest of a container: the byte that all bytes of it are, where that is 0, 1 or 2.
    pub plain_digest: Option<u8>,
}

impl Blob {
    fn of(bytes: &[u8]) -> Blob {
        let size = bytes.get(24..28).and_then(|size| size.try_into().ok()).map(u32::from_le_bytes);
        let is_container = bytes.starts_with(b"DXBC") && size.is_some_and(|size| size as usize == bytes.len());
        let digest = bytes.get(4..20).filter(|_| is_container).unwrap_or_default();
        let plain_digest = (0..=2).find(|byte| !digest.is_empty() && digest.iter().all(|own| own == byte));
        Blob { hash: xxh3_64(bytes), is_container, plain_digest }
    }
}

/// Hashes of the rows of one database, each computed once.
pub(crate) struct Contents<'d> {
    database: &'d Database,
    /// By table and rowid.
    pub blobs: HashMap<(usize, i64), Blob>,
    rows: HashMap<(usize, usize), u64>,
    state_objects: usize,
    /// The tables of lists, by the table of their owner.
    lists: Vec<Vec<usize>>,
    layouts: usize,
    strings: usize,
}

impl<'d> Contents<'d> {
    /// Reads every blob of the database once.
    pub fn of(database: &'d Database) -> Result<Contents<'d>, Fault> {
        let mut blobs = HashMap::new();
        for (index, table) in TABLES.iter().enumerate() {
            for column in table.columns.iter().filter(|column| column.kind == Kind::Data) {
                database.each_data(index, column.name, |rowid, bytes| {
                    blobs.insert((index, rowid), Blob::of(bytes));
                })?;
            }
        }
        let mut lists = vec![Vec::new(); TABLES.len()];
        for (index, table) in TABLES.iter().enumerate().filter(|(_, table)| !table.keyed) {
            if let Some(Kind::Key(Some(owner))) = table.columns.first().map(|column| column.kind)
                && let Some(of_owner) = schema::table(owner).and_then(|owner| lists.get_mut(owner))
            {
                of_owner.push(index);
            }
        }
        let index = |name| schema::table(name).unwrap_or(usize::MAX);
        Ok(Contents {
            database,
            blobs,
            rows: HashMap::new(),
            state_objects: index("state_objects"),
            lists,
            layouts: index(LAYOUTS),
            strings: index("string_associations"),
        })
    }

    /// The blob in a column of a row.
    pub fn blob(&self, record: &Record<'_>, column: &str) -> Option<Blob> {
        self.blobs.get(&(record.table, record.data_row(column)?)).copied()
    }

    /// The hash of an object with all rows that it refers to. State objects that contain themselves are noted.
    pub fn hash(&mut self, object: &Record<'d>, notes: &mut Notes<'_>) -> u64 {
        if object.table != self.state_objects {
            return self.row(object);
        }
        // Others may be nested in any depth: those inside are hashed first.
        let mut stack = vec![(*object, false)];
        let mut under_way = std::collections::BTreeSet::new();
        while let Some((record, is_ready)) = stack.pop() {
            if self.rows.contains_key(&(record.table, record.row)) {
                continue;
            }
            if is_ready {
                under_way.remove(&record.row);
                self.row(&record);
                continue;
            }
            if !under_way.insert(record.row) {
                continue;
            }
            stack.push((record, true));
            for inner in inner(&record) {
                if under_way.contains(&inner.row) {
                    notes.add(findings::SODB_CYCLE, &record.place(), format!("contains {} again", inner.place()));
                } else {
                    stack.push((inner, false));
                }
            }
        }
        self.row(object)
    }

    /// The hash of a row. State objects inside have theirs already, or are around this one.
    fn row(&mut self, record: &Record<'d>) -> u64 {
        let at = (record.table, record.row);
        if let Some(hash) = self.rows.get(&at) {
            return *hash;
        }
        let mut hasher = Xxh3::new();
        hasher.update(record.table().as_bytes());
        self.values(record, 0, &mut hasher);
        for list in self.lists.get(record.table).cloned().unwrap_or_default() {
            self.list(record, list, &mut hasher);
        }
        if record.key_id().is_some() {
            self.list(record, self.strings, &mut hasher);
        }
        let hash = hasher.digest();
        self.rows.insert(at, hash);
        hash
    }

    /// The values of a row from a column on.
    fn values(&mut self, record: &Record<'d>, from: usize, hasher: &mut Xxh3) {
        let columns = TABLES.get(record.table).map_or(&[][..], |table| table.columns);
        for (column, value) in columns.iter().zip(record.values()).skip(from) {
            match value {
                Value::Null => hasher.update(&[0]),
                Value::Integer(number) => {
                    hasher.update(&[1]);
                    hasher.update(&number.to_le_bytes());
                }
                Value::Real(number) => {
                    hasher.update(&[2]);
                    hasher.update(&number.to_bits().to_le_bytes());
                }
                Value::Text(text) => {
                    hasher.update(&[3]);
                    hasher.update(&(text.len() as u64).to_le_bytes());
                    hasher.update(text.as_bytes());
                }
                Value::Data { rowid, .. } => {
                    let blob = self.blobs.get(&(record.table, *rowid)).copied().unwrap_or_default();
                    hasher.update(&[4]);
                    hasher.update(&blob.hash.to_le_bytes());
                }
                Value::Key(_) if column.name == "InputLayout" => {
                    hasher.update(&[5]);
                    for element in record.list_of(column.name, LAYOUTS) {
                        self.values(&element, 1, hasher);
                    }
                }
                Value::Key(key) => {
                    let named = record.named_row(column.name).ok().flatten();
                    let known = named.as_ref().and_then(|named| self.rows.get(&(named.table, named.row)).copied());
                    let hash = match (known, &named) {
                        (Some(hash), _) => hash,
                        // It is around this one.
                        (None, Some(named)) if named.table == self.state_objects => 0,
                        (None, Some(named)) => self.row(named),
                        (None, None) => xxh3_64(self.database.tables.keys.bytes(*key)),
                    };
                    hasher.update(&[6]);
                    hasher.update(&hash.to_le_bytes());
                }
            }
        }
    }

    fn list(&mut self, record: &Record<'d>, list: usize, hasher: &mut Xxh3) {
        let Some(table) = TABLES.get(list).filter(|_| list != self.layouts) else { return };
        let rows = record.list(table.name);
        if rows.is_empty() {
            return;
        }
        hasher.update(table.name.as_bytes());
        hasher.update(&(rows.len() as u64).to_le_bytes());
        for row in rows {
            self.values(&row, 1, hasher);
        }
    }
}

/// The state objects inside one: what it is added to, and its collections. Missing ones are noted elsewhere.
pub(crate) fn inner<'d>(record: &Record<'d>) -> Vec<Record<'d>> {
    let parent = record.named_row("AddToStateObjectParent").ok().flatten();
    let existing = record.list("so_to_existing_so_associations").into_iter();
    let existing = existing.filter_map(|row| row.named_row("ExistingStateObjectKey").ok().flatten());
    parent.into_iter().chain(existing).collect()
}
