//! A handle on op tables: those of the program itself, or those that were read at run time.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{LazyLock, Mutex, PoisonError};

use super::opcode::{FeatureId, Opcode, TableKind, Version};
use super::private::{self, PrivateFeature};
use super::table::{Database, Op, OpTable, database};
use super::{CALLEE_PREFIX, Callee, NoOp};

static BUNDLED: LazyLock<Tables> = LazyLock::new(|| Tables(Box::leak(Box::new(Loaded::new(database())))));

/// Tables that were read. Equal ones are kept once, so that reading a file again costs no memory.
static READ: Mutex<Vec<Tables>> = Mutex::new(Vec::new());

/// The op tables that numbers are looked up in.
#[derive(Clone, Copy)]
pub struct Tables(&'static Loaded);

/// A database with its names.
struct Loaded {
    database: &'static Database,
    tables: [&'static OpTable; 2],
    names: BTreeMap<&'static str, &'static Op>,
    classes: BTreeMap<&'static str, Vec<&'static Op>>,
    prefixes: BTreeMap<&'static str, Vec<&'static Op>>,
}

impl Loaded {
    /// `database` has both tables in their order.
    fn new(database: &'static Database) -> Loaded {
        let table = |kind: TableKind| {
            database.tables.iter().find(|table| table.feature_id == kind.feature()).expect("both tables are there")
        };
        let tables = [table(TableKind::Stable), table(TableKind::Experimental)];
        let (names, classes, prefixes) = Default::default();
        let mut loaded = Loaded { database, tables, names, classes, prefixes };
        for op in tables.into_iter().flat_map(|table| &table.ops) {
            loaded.names.entry(&op.name).or_insert(op);
            loaded.classes.entry(&op.class).or_default().push(op);
            if let Some(prefix) = &op.function_prefix {
                loaded.prefixes.entry(prefix).or_default().push(op);
            }
        }
        loaded
    }
}

impl Tables {
    /// The tables of the program itself.
    pub fn bundled() -> Tables {
        *BUNDLED
    }

    /// A handle on tables that were read. They stay in memory until the process ends, equal ones once.
    ///
    /// # Errors
    ///
    /// What is not as the format demands: a table is missing, or a number is not that of its place.
    pub fn of(database: Database) -> Result<Tables, String> {
        check_form(&database)?;
        if database == *BUNDLED.0.database {
            return Ok(*BUNDLED);
        }
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = read.iter().find(|known| *known.0.database == database) {
            return Ok(*known);
        }
        let tables = Tables(Box::leak(Box::new(Loaded::new(Box::leak(Box::new(database))))));
        read.push(tables);
        Ok(tables)
    }

    /// The tables as a text for [`Tables::from_json`]; absent for those of the program itself.
    pub fn to_json(self) -> Option<String> {
        // What was read can be written.
        (!self.is_bundled()).then(|| serde_json::to_string(self.0.database).unwrap_or_default())
    }

    /// Reads tables in the form of `core/dxil/assets/dxil-opcodes.json`.
    ///
    /// # Errors
    ///
    /// What is not as the form demands, and where.
    pub fn from_json(text: &str) -> Result<Tables, String> {
        Tables::of(serde_json::from_str(text).map_err(|error| error.to_string())?)
    }

    /// Whether they are those of the program itself.
    pub fn is_bundled(self) -> bool {
        self == *BUNDLED
    }

    /// The tables as data.
    pub fn database(self) -> &'static Database {
        self.0.database
    }

    /// A table.
    pub fn table(self, kind: TableKind) -> &'static OpTable {
        let [stable, experimental] = self.0.tables;
        match kind {
            TableKind::Stable => stable,
            TableKind::Experimental => experimental,
        }
    }

    /// Every slot of both tables, reserved ones included, by number.
    pub fn all(self) -> impl Iterator<Item = &'static Op> {
        self.0.tables.into_iter().flat_map(|table| &table.ops)
    }

    /// The slot of a number, reserved or not.
    pub fn slot(self, opcode: Opcode) -> Option<&'static Op> {
        self.table(opcode.table()?).ops.get(usize::from(opcode.index()))
    }

    /// The op of a number.
    ///
    /// # Errors
    ///
    /// The reason why there is none.
    pub fn op(self, opcode: Opcode) -> Result<&'static Op, NoOp> {
        if opcode == Opcode::INVALID {
            return Err(NoOp::Invalid);
        }
        let kind = opcode.table().ok_or_else(|| self.of_no_table(opcode))?;
        let count = self.table(kind).ops.len();
        match self.slot(opcode) {
            Some(op) if op.reserved => Err(NoOp::Reserved { opcode }),
            Some(op) => Ok(op),
            None if kind == TableKind::Stable => Err(NoOp::PastStable { opcode, count }),
            None => Err(NoOp::PastExperimental { opcode, count }),
        }
    }

    fn of_no_table(self, opcode: Opcode) -> NoOp {
        let private = &self.database().private;
        match private.iter().find(|private| private.feature_id == opcode.feature()) {
            Some(private) => {
                let op = private.ops.get(&opcode.index()).map(String::as_str);
                NoOp::Private { opcode, feature: &private.name, op }
            }
            None => NoOp::Feature { opcode },
        }
    }

    /// The same tables with the names of private partitions, instead of those that they had.
    ///
    /// # Errors
    ///
    /// A FeatureID or a name that is not allowed.
    pub fn with_private(self, private: Vec<PrivateFeature>) -> Result<Tables, String> {
        Tables::of(Database { private, ..self.database().clone() })
    }

    /// The op of that name (`LoadInput`), reserved slots included.
    pub fn by_name(self, name: &str) -> Option<&'static Op> {
        self.0.names.get(name).copied()
    }

    /// The ops of a class (`Unary`): they share one callee.
    pub fn by_class(self, class: &str) -> &'static [&'static Op] {
        self.0.classes.get(class).map_or(&[], Vec::as_slice)
    }

    /// The ops that a function (`dx.op.loadInput.f32`) serves, if its name is that of an op's callee.
    pub fn by_callee(self, name: &str) -> Option<Callee<'_>> {
        let class = name.strip_prefix(CALLEE_PREFIX)?;
        let (class, overload) = match class.split_once('.') {
            Some((class, overload)) => (class, Some(overload)),
            None => (class, None),
        };
        let prefix = name.get(..CALLEE_PREFIX.len() + class.len())?;
        self.0.prefixes.get(prefix).map(|ops| Callee { ops, overload })
    }

    /// Whether a shader model is a preview for the compiler of the tables.
    pub fn is_preview(self, model: Version) -> bool {
        let source = &self.database().source;
        model > source.released_shader_model && model <= source.highest_shader_model
    }
}

/// Checks what lookups rely on.
fn check_form(database: &Database) -> Result<(), String> {
    let ids: Vec<FeatureId> = database.tables.iter().map(|table| table.feature_id).collect();
    let expected: Vec<FeatureId> = TableKind::ALL.iter().map(|kind| kind.feature()).collect();
    if ids != expected {
        let ids: Vec<String> = ids.iter().map(FeatureId::to_string).collect();
        return Err(format!("expected the tables 0x0000 and 0x8000, found [{}]", ids.join(", ")));
    }
    for table in &database.tables {
        for (index, op) in table.ops.iter().enumerate() {
            if op.opcode.feature() != table.feature_id || usize::from(op.opcode.index()) != index {
                let found = op.opcode.shown();
                return Err(format!(
                    "{}: expected index {index} of table {}, found {found}",
                    op.name, table.feature_id
                ));
            }
            if op.operands.is_empty() {
                return Err(format!("{}: expected the opcode as first operand, found no operand", op.name));
            }
        }
    }
    private::check(&database.private)
}

impl Default for Tables {
    fn default() -> Self {
        Tables::bundled()
    }
}

impl PartialEq for Tables {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Tables {}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tables({})", self.0.database.source.short())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_tables_are_one_and_changed_ones_are_others() {
        let mut changed = database().clone();
        assert!(Tables::of(changed.clone()).expect("the same").is_bundled());
        changed.tables[1].ops[1].name = "Renamed".to_owned();
        let first = Tables::of(changed.clone()).expect("is read");
        assert_eq!(first, Tables::of(changed).expect("is read again"));
        assert!(!first.is_bundled() && first != Tables::bundled());
        assert_eq!(first.by_name("Renamed").map(|op| op.opcode), Some(Opcode(0x8000_0001)));
        assert_eq!(Tables::bundled().by_name("Renamed"), None);
        let text = first.to_json().expect("it is not the bundled one");
        assert_eq!(Tables::from_json(&text), Ok(first));
        assert_eq!(Tables::bundled().to_json(), None);
    }

    #[test]
    fn rejects_tables_that_lookups_cannot_rely_on() {
        let change = |change: &dyn Fn(&mut Database)| {
            let mut database = database().clone();
            change(&mut database);
            Tables::of(database).expect_err("is refused")
        };
        assert!(change(&|data| drop(data.tables.pop())).contains("found [0x0000]"));
        assert!(change(&|data| data.tables.reverse()).contains("found [0x8000, 0x0000]"));
        assert!(change(&|data| drop(data.tables[0].ops.remove(4))).contains("StoreOutput: expected index 4"));
        assert!(change(&|data| data.tables[0].ops[4].operands.clear()).contains("LoadInput: expected the opcode"));
    }
}
