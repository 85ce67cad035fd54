//! Databases that are made here, whole and broken.

use std::path::Path;

use proptest::prelude::*;
use rusqlite::Connection;

use super::*;
use crate::schema::{APP_ID, TABLES};

/// A container of a header alone, with a digest of equal bytes.
fn container(digest: u8, body: u8) -> Vec<u8> {
    let mut out = b"DXBC".to_vec();
    out.extend([digest; 16]);
    out.extend([1, 0, 0, 0]);
    out.extend(36u32.to_le_bytes());
    out.extend([0; 4]);
    out.extend([body; 4]);
    out
}

/// An empty database of the published schema, and statements that fill it.
fn database(file: &Path, sql: &str) {
    let connection = Connection::open(file).expect("opens");
    let begin = format!(
        "PRAGMA foreign_keys = OFF; PRAGMA page_size = 512; PRAGMA user_version = 2; PRAGMA application_id = {APPLICATION_ID};"
    );
    connection.execute_batch(&begin).expect("runs");
    for table in TABLES {
        connection.execute_batch(&table.sql()).expect("creates");
    }
    connection.execute_batch(APP_ID).expect("creates");
    connection.execute_batch(sql).expect(sql);
}

fn blob(bytes: &[u8]) -> String {
    format!("x'{}'", hex(bytes).trim_start_matches("0x"))
}

/// Two pipelines with equal contents, a library, and a state object that was added to another.
fn filled() -> String {
    let shaders: String = [(1, 7), (2, 8), (3, 9)]
        .map(|(key, body)| {
            format!("INSERT INTO shader_bytecode VALUES (x'0{key}', 'DXIL', {});", blob(&container(9, body)))
        })
        .concat();
    shaders
        + "INSERT INTO app_id VALUES (1, 'a.exe', 'A', NULL, 281483566645248, 0);
        INSERT INTO input_element_descs VALUES (x'e1', 'POSITION', 0, 6, 0, 0, 0, 0), (x'e0', 'UV', 0, 16, 0, 12, 0, 0);
        INSERT INTO input_layout_to_input_element_associations VALUES (x'aa', x'e1'), (x'aa', x'e0');
        INSERT INTO pipeline_states (Key, InputLayout, ByteCode_VS, ByteCode_PS) VALUES
            (x'10', x'aa', x'01', x'02'), (x'11', x'aa', x'01', x'02');
        INSERT INTO pipeline_states (Key, ByteCode_CS) VALUES (x'12', x'03');
        INSERT INTO state_objects VALUES (x'20', 0, 0, 0, NULL), (x'21', 4, 0, 0, x'20');
        INSERT INTO so_to_dxil_lib_associations VALUES (x'20', x'03', NULL);
        INSERT INTO work_graphs VALUES (x'30', 'Graph', 1);
        INSERT INTO so_to_work_graph_associations VALUES (x'21', x'30');
        INSERT INTO groups VALUES (CAST('lit' || x'00' AS BLOB), 3, x'10', NULL), (x'6c697432', 1, x'11', NULL),
            (x'ff00', 1, x'12', NULL), (x'67', 0, NULL, x'21');"
}

fn listed(sql: &str) -> Result<Listing, Fault> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a b.sodb");
    database(&file, sql);
    let bytes = std::fs::read(&file).expect("reads");
    assert!(looks_like(&bytes));
    let listing = Database::open(&file)?.list("");
    assert_eq!(listing, Database::of_bytes(&bytes, &file.to_string_lossy())?.list(""));
    listing
}

fn codes(listing: &Listing) -> Vec<&str> {
    listing.findings.iter().map(|finding| finding.code.as_str()).collect()
}

#[test]
fn lists_groups_with_keys_kinds_and_containers() {
    let listing = listed(&filled()).expect("opens");
    let rows: Vec<_> =
        listing.groups.iter().map(|row| (row.key.as_str(), row.kind, row.summary(), row.bytes.0)).collect();
    let hash = |body| format!("{:08x}", xxhash_rust::xxh3::xxh3_64(&container(9, body)) >> 32);
    let stages = format!("vertex {} + fragment {}", hash(7), hash(8));
    assert_eq!(
        rows,
        [
            ("lit", GroupKind::Graphics, stages.clone(), 72),
            ("lit2", GroupKind::Graphics, stages, 72),
            ("0xff00", GroupKind::Compute, format!("compute {}", hash(9)), 36),
            ("g", GroupKind::WorkGraph, format!("library {}, work graph Graph, added to another", hash(9)), 36),
        ]
    );
    assert_eq!(codes(&listing), ["sodb.equal-groups", "sodb.version"]);
    assert_eq!((listing.groups[0].hash, listing.total), (listing.groups[1].hash, 4));
    assert_eq!(listing.application.expect("an application").version, "1.2.0.0");
    let finds = |text: &str| listing.groups.iter().filter(|row| row.matches(text)).count();
    assert_eq!(["LIT", "fragment", "work graph", "ff00", "nothing"].map(finds), [2, 2, 1, 1, 0]);
}

#[test]
fn groups_are_named_by_text_and_by_digits() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.sodb");
    let more =
        "INSERT INTO groups VALUES (CAST('a@b' AS BLOB), 1, x'12', NULL), (CAST('twin' AS BLOB), 1, x'12', NULL),
        (CAST('twin' || x'00' AS BLOB), 1, x'12', NULL), (x'', 1, x'12', NULL), (x'1b5b', 1, x'12', NULL)";
    database(&file, &(filled() + more));
    let database = Database::open(&file).expect("opens");
    let names: Vec<&str> = database.groups().iter().map(|group| group.name.as_str()).collect();
    assert_eq!(names[4..], ["0x614062", "0x7477696e", "0x7477696e00", "0x", "0x1b5b"]);
    let named = |text: &str| database.named(text).iter().map(|group| group.name.clone()).collect::<Vec<_>>();
    assert_eq!(named("lit"), ["lit"]);
    assert_eq!(named("li"), ["lit", "lit2"]);
    assert_eq!(named("0xFF"), ["0xff00"]);
    assert_eq!(named("0x6c697432"), ["lit2"]);
    assert!(named("it").is_empty());
}

#[test]
fn broken_rows_are_findings_and_the_rest_is_listed() {
    let wrong = [
        ("UPDATE pipeline_states SET ByteCode_PS = x'99' WHERE Key = x'10'", "sodb.missing-row"),
        ("UPDATE groups SET PSOKey = x'99' WHERE Key = x'ff00'", "sodb.missing-row"),
        ("UPDATE groups SET PSOKey = NULL WHERE Key = x'ff00'", "sodb.group"),
        ("UPDATE groups SET SOKey = x'21' WHERE Key = x'ff00'", "sodb.group"),
        ("UPDATE groups SET Version = 'one' WHERE Key = x'ff00'", "sodb.value"),
        ("UPDATE shader_bytecode SET Bytecode = 'float4 main()' WHERE Key = x'01'", "sodb.value"),
        ("UPDATE shader_bytecode SET Bytecode = x'00' WHERE Key = x'01'", "sodb.not-dxil"),
        ("UPDATE shader_bytecode SET Bytecode = NULL WHERE Key = x'01'", "sodb.not-dxil"),
        ("UPDATE state_objects SET AddToStateObjectParent = x'21' WHERE Key = x'20'", "sodb.cycle"),
        ("DROP TABLE view_instancing_descs", "sodb.schema"),
        ("ALTER TABLE exports DROP COLUMN Flags", "sodb.schema"),
        ("DROP TABLE exports; CREATE VIEW exports AS SELECT * FROM exports", "sodb.schema"),
        ("PRAGMA user_version = 3", "sodb.user-version"),
    ];
    for (sql, code) in wrong {
        let listing = listed(&(filled() + sql)).expect(sql);
        assert!(codes(&listing).contains(&code), "{sql}: {:?}", listing.findings);
        assert_eq!(listing.groups.len(), 4, "{sql}");
    }
    for (digest, code) in [(0, true), (1, true), (2, true), (3, false)] {
        let sql = format!("UPDATE shader_bytecode SET Bytecode = {}", blob(&container(digest, 1)));
        let listing = listed(&(filled() + &sql)).expect("opens");
        assert_eq!(codes(&listing).contains(&"sodb.digest"), code, "{digest}");
    }
}

#[test]
fn other_files_are_refused() {
    for (sql, code) in
        [("PRAGMA application_id = 5", "sodb.application"), ("CREATE VIRTUAL TABLE v USING fts5(a)", "sodb.damaged")]
    {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.sodb");
        database(&file, sql);
        assert_eq!(Database::open(&file).expect_err(sql).rule.code, code, "{sql}");
    }
    assert_eq!(Database::open(Path::new("/nowhere.sodb")).expect_err("no file").rule.code, "sodb.damaged");
    assert!(Database::of_bytes(&[], "a").is_err() && Database::of_bytes(MAGIC, "a").is_err());
}

#[test]
fn values_above_the_limit_are_refused() {
    let sql = "UPDATE shader_bytecode SET Bytecode = zeroblob(70000000) WHERE Key = x'03'";
    assert_eq!(listed(&(filled() + sql)).expect_err("is large").rule.code, "sodb.limit");
}

#[test]
fn what_runs_in_a_schema_does_not_run() {
    let hostile = [
        "CREATE VIEW v AS WITH RECURSIVE r(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM r) SELECT x FROM r;
         DROP TABLE app_id; CREATE VIEW app_id AS SELECT x AS id FROM v",
        "DROP TABLE exports; CREATE TABLE exports (Key BLOB PRIMARY KEY, Name TEXT AS (hex(zeroblob(1000000))),
            ExportToRename TEXT, Flags INTEGER); INSERT INTO exports (Key) VALUES (x'01')",
        "CREATE TRIGGER t AFTER INSERT ON groups BEGIN DELETE FROM groups; END",
        "DROP TABLE exports; CREATE TABLE exports (Key BLOB PRIMARY KEY, Name TEXT, ExportToRename TEXT, Flags INTEGER)
            WITHOUT ROWID; INSERT INTO exports VALUES (x'01', 'a', 'b', 0)",
    ];
    for sql in hostile {
        // A fault or a list: what the schema says is not run.
        if let Ok(listing) = listed(&(filled() + sql)) {
            assert_eq!(listing.groups.len(), 4, "{sql}");
        }
    }
}

#[test]
fn long_chains_of_state_objects_are_listed() {
    let chain = "WITH RECURSIVE n(i) AS (VALUES(0) UNION ALL SELECT i + 1 FROM n WHERE i < 49999)
        INSERT INTO state_objects SELECT CAST(printf('s%d', i) AS BLOB), 0, 0, 0,
            CASE WHEN i > 0 THEN CAST(printf('s%d', i - 1) AS BLOB) END FROM n;
        INSERT INTO groups VALUES (x'77', 1, NULL, CAST('s49999' AS BLOB));";
    let listing = listed(&(filled() + chain)).expect("opens");
    assert_eq!(listing.groups.len(), 5);
    assert!(!codes(&listing).contains(&"sodb.cycle"), "{:?}", listing.findings);
}

#[test]
fn copies_a_selection_that_passes_sqlites_checks() {
    let folder = tempfile::tempdir().expect("a folder");
    let (from, to) = (folder.path().join("a.sodb"), folder.path().join("b.sodb"));
    database(&from, &filled());
    let whole = Database::open(&from).expect("opens");
    let chosen: Vec<&Group> = ["lit", "g"].iter().flat_map(|name| whole.named(name)).collect();
    std::fs::write(&to, "").expect("writable");
    assert!(copy(&whole, &chosen[..2], &to).expect("copies") > 10);
    let connection = Connection::open(&to).expect("opens");
    let check = |pragma: &str| -> Vec<String> {
        let mut statement = connection.prepare(&format!("PRAGMA {pragma}")).expect("prepares");
        let rows = statement.query_map([], |row| row.get(0)).expect("runs");
        rows.collect::<Result<_, _>>().expect("reads")
    };
    assert_eq!((check("integrity_check"), check("foreign_key_check")), (vec!["ok".to_owned()], vec![]));
    let copied = Database::open(&to).expect("opens");
    let (before, after) = (whole.list("").expect("lists"), copied.list("").expect("lists"));
    let rows = |listing: &Listing, names: &[&str]| -> Vec<Row> {
        listing.groups.iter().filter(|row| names.contains(&row.key.as_str())).cloned().collect()
    };
    assert_eq!(after.groups, rows(&before, &["lit", "g"]));
    assert_eq!((after.application, after.user_version), (before.application, 2));
    // A layout keeps its order.
    let object = copied.object(copied.named("lit")[0]).expect("an object");
    let layout = object.list_of("InputLayout", "input_layout_to_input_element_associations");
    let names: Vec<_> =
        layout.iter().map(|row| row.named_row("InputElementKey").expect("a row").expect("a row")).collect();
    assert_eq!(names.iter().map(|row| row.text("SemanticName")).collect::<Vec<_>>(), [Some("POSITION"), Some("UV")]);
    assert!(copy(&whole, &chosen, &to).is_err(), "the file is not empty");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn changed_bytes_end_in_a_list_or_a_fault(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
                                              cut in prop::option::of(any::<prop::sample::Index>())) {
        use std::sync::LazyLock;
        static WHOLE: LazyLock<Vec<u8>> = LazyLock::new(|| {
            let folder = tempfile::tempdir().expect("a folder");
            let file = folder.path().join("a.sodb");
            database(&file, &filled());
            std::fs::read(&file).expect("reads")
        });
        let mut bytes = WHOLE.clone();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Ok(database) = Database::of_bytes(&bytes, "a.sodb") {
            let _ = database.list("");
            for group in database.groups() {
                if let Ok(object) = database.object(group) {
                    let _ = (kind(&object), libraries(&object).len());
                }
            }
        }
    }
}
