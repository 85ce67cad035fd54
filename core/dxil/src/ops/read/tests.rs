//! Tables that are written in the forms of DXC's files read back equal; what is wrong in them is said.

use proptest::prelude::*;

use super::super::opcode::{Opcode, Version};
use super::super::symbol::{Scalar, ShaderKind, TypeSymbol};
use super::super::table::{Attribute, Database, Flag, Op, Operand, database};
use super::super::tables::Tables;
use super::draft::{callee_of, coarse, overloads};
use super::{Reading, Text, Texts, read, testing};

/// All forms of a table.
fn texts(database: &Database) -> [Texts; 3] {
    let headers = Texts {
        shader_model: Some(testing::shader_model(database)),
        constants: Some(testing::constants(database)),
        ..Texts::default()
    };
    let json = Text { name: "t.json".to_owned(), text: serde_json::to_string(database).expect("serializes") };
    [
        Texts { json: Some(json), ..Texts::default() },
        Texts { hctdb: Some(testing::hctdb(database)), ..headers.clone() },
        Texts {
            operations: Some(testing::operations(database)),
            instructions: Some(testing::instructions(database)),
            ..headers
        },
    ]
}

fn reading(texts: &Texts) -> Reading {
    read(texts).unwrap_or_else(|error| panic!("{error}"))
}

/// What the generated files have of an op: no groups, no constants among operands, LLVM's types.
fn generated(op: &Op) -> Op {
    let operand = |operand: &Operand| Operand {
        type_symbol: coarse(operand.type_symbol),
        immediate: operand.position == 0,
        enumeration: None,
        max: None,
        ..operand.clone()
    };
    let operands = op.operands.iter().map(operand).collect();
    Op { category: None, returns: coarse(op.returns), operands, ..op.clone() }
}

fn all(tables: Tables) -> Vec<Op> {
    tables.all().cloned().collect()
}

#[track_caller]
fn reads_back(database: &Database) {
    let own: Vec<Op> = database.tables.iter().flat_map(|table| table.ops.clone()).collect();
    let [json, hctdb, generated_files] = texts(database).map(|texts| reading(&texts));
    assert_eq!(all(json.tables), own);
    assert_eq!(all(hctdb.tables), own);
    assert_eq!(all(generated_files.tables), own.iter().map(generated).collect::<Vec<_>>());
    for found in [hctdb, generated_files] {
        assert_eq!(found.notes, [], "nothing is wrong with it");
        let (own, found) = (&database.source, &found.tables.database());
        assert_eq!(found.source.highest_shader_model, own.highest_shader_model);
        assert_eq!(found.source.released_shader_model, own.released_shader_model);
        assert_eq!(found.core_table_size_by_dxil_version, database.core_table_size_by_dxil_version);
    }
}

/// The bundled tables without what their sources have twice: groups of ops that have none.
#[test]
fn bundled_tables_read_back_equal_in_each_form() {
    reads_back(database());
}

/// Both forms in one folder agree, and a change in one of them is said.
#[test]
fn stale_generated_files_are_reported() {
    let [_, hctdb, generated] = texts(database());
    let mut both = Texts { hctdb: hctdb.hctdb, ..generated };
    assert_eq!(reading(&both).notes, []);
    let mut changed = database().clone();
    changed.tables[1].ops[33].class = "Stop".to_owned();
    changed.tables[1].ops[33].function_prefix = Some("dx.op.stop".to_owned());
    changed.tables[1].ops.pop();
    both.operations = Some(testing::operations(&changed));
    let notes: Vec<String> = reading(&both).notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "error: the experimental table has 35 slots in hctdb.py and 34 in DxilOperations.cpp: generated files are stale",
            "error: experimental slot 33, DebugBreak: class in DxilOperations.cpp differ: generated files are stale",
        ]
    );
}

/// A made-up op in an otherwise empty pair of tables.
fn small(statements: &str, models: &str) -> String {
    format!(
        "class db_dxil(object):\n    def populate_CoreOps(self):\n        \
         self.core_table = self.add_dxil_op_table(0, \"CoreOps\", \"x\")\n{statements}    \
         def populate_ExperimentalOps(self):\n        op_table = self.add_dxil_op_table(0x8000, \"E\", \"x\")\n    \
         def finalize_dxil_operations(self):\n        pass = 1\n    def populate_categories_and_models(self):\n{models}    \
         def populate_categories_and_models_ExperimentalOps(self):\n        experimental_sm = 6, 10\n"
    )
}

fn read_small(statements: &str, models: &str) -> Result<Reading, String> {
    let hctdb = Some(Text { name: "h.py".to_owned(), text: small(statements, models) });
    read(&Texts { hctdb, ..Texts::default() }).map_err(|error| error.to_string())
}

fn notes(statements: &str, models: &str) -> Vec<String> {
    let found = read_small(statements, models).unwrap_or_else(|error| panic!("{error}"));
    found.notes.iter().map(ToString::to_string).collect()
}

const OP: &str = "        add_dxil_op(\"A\", \"A\", \"t\", \"i\", \"rn\", [db_dxil_param(0, \"$o\", \"\", \"r\")])\n";

#[test]
fn loops_and_conditions_are_followed() {
    let statements = "        for i in \"B,C\".split(\",\"):\n            add_dxil_op(i, \"Both\", \"the \" + i, \"hf<\", \"\", \
         [db_dxil_param(0, \"$o\", \"\", \"r\"), db_dxil_param(2, \"$o\", \"x\", \"x\")], counters=(UFI(i),))\n        \
         reserve_dxil_op_range(\"R\", 2, 7)\n";
    let models = "        for i in self.get_dxil_ops():\n            if i.name.startswith(\"B\"):\n                \
         i.is_wave = True\n            elif i.name.startswith(\"C\"):\n                i.is_barrier = True\n            \
         else:\n                i.is_gradient = True\n";
    let found = read_small(&(OP.to_owned() + statements), models).expect("reads");
    let rows: Vec<_> = found.tables.all().map(|op| (op.name.as_str(), op.opcode.0, op.flags.clone())).collect();
    let expected = [
        ("A", 0, vec![Flag::Gradient]),
        ("B", 1, vec![Flag::Wave]),
        ("C", 2, vec![Flag::Barrier]),
        ("R7", 3, vec![Flag::Gradient]),
        ("R8", 4, vec![Flag::Gradient]),
    ];
    assert_eq!(rows, expected);
    assert_eq!(found.tables.by_name("B").map(|op| op.overload_string.as_str()), Some("hf<hf"));
    assert_eq!(found.notes, []);
}

#[test]
fn statements_that_decide_numbers_must_be_understood() {
    for (statements, why) in [
        ("        if LATER:\n            add_dxil_op()\n", "h.py:4: expected a known form of statement"),
        ("        for i in names():\n            add_dxil_op_reserved(i)\n", "h.py:4: expected a known form"),
        ("        add_dxil_op(\"A\", CLASS, \"t\", \"v\", \"\", [])\n", "h.py:4: expected a known form"),
        ("        add_dxil_op(\"A\", \"A\", \"t\", \"v\", \"\", [])\n", "h.py:4: A: expected at least the result"),
        (
            "        add_dxil_op(\"A\", \"A\", \"t\", \"v\", \"\", [x])\n",
            "h.py:4: operand 0 of A is not a db_dxil_param",
        ),
        ("        add_dxil_op(\"A\\e[\", \"A\", \"t\", \"v\", \"\", [])\n", "expected a name of letters and digits"),
        ("        reserve_dxil_op_range(\"R\", 70000)\n", "h.py:4: 70000 reserved slots do not fit"),
        ("        self.add_dxil_op_table(0x1234, \"T\", \"x\")\n", "h.py:4: table 0x1234 is not known"),
    ] {
        let error = read_small(statements, "").expect_err(statements);
        assert!(error.contains(why), "{error}");
    }
    let old = "    def populate_dxil_operations(self):\n        pass\n";
    let hctdb = Some(Text { name: "h.py".to_owned(), text: old.to_owned() });
    let error = read(&Texts { hctdb, ..Texts::default() }).expect_err("is old").to_string();
    assert_eq!(error, "h.py:1: expected the method populate_CoreOps; the form before December 2025 is not read");
}

#[test]
fn what_is_not_understood_is_a_note_with_its_line() {
    assert_eq!(
        notes(
            &format!("{OP}        self.more_ops(1)\n"),
            "        for i in \"A\".split(\",\"):\n            self.name_idx[i].colour = 1\n"
        ),
        [
            "h.py:5: warning: statement `self.more_ops(1)` is not understood; if it adds ops, the numbers after it are wrong",
            "h.py:12: note: colour of A: the statement `self.name_idx[i].colour…` is not understood",
        ]
    );
    let odd = "        add_dxil_op(\"A\", \"A\", \"t\", \"i\", \"xx\", [db_dxil_param(0, \"$o\", \"\", \"r\"), \
         db_dxil_param(3, \"quux\", \"x\", \"x\")])\n        op_count = set_op_count_for_version(1, 0)\n        \
         assert op_count == 2, \"odd\"\n";
    assert_eq!(
        notes(
            odd,
            "        for i in \"A,Z\".split(\",\"):\n            self.name_idx[i].shader_stages = (\"pixel\", \"ray\")\n"
        ),
        [
            "h.py:4: warning: attribute `xx` of A is not known",
            "h.py:4: error: operand `x` of A: expected place 2, found 3",
            "h.py:4: warning: type `quux` of operand 1 of A is not known: it is not compared",
            "h.py:6: error: expected 2 slots, found 1",
            "h.py:13: warning: stages of A that are not known: ray",
            "h.py:13: warning: shader_stages of Z, which is not an op",
        ]
    );
}

#[test]
fn rules_inside_a_table_are_checked() {
    let op = |name: &str, class: &str, overload: &str, attribute: &str, parameters: &str| {
        format!(
            "        add_dxil_op(\"{name}\", \"{class}\", \"t\", \"{overload}\", \"{attribute}\", [{parameters}])\n"
        )
    };
    let result = "db_dxil_param(0, \"$o\", \"\", \"r\")";
    let void = "db_dxil_param(0, \"v\", \"\", \"r\")";
    for (statements, expected) in [
        (op("A", "A", "v", "", result), "error: A: has an overloaded type but no overload (`v`)"),
        (op("A", "A", "i", "", void), "error: A: has overloads `i` but no overloaded type"),
        (op("A", "A", "q", "", result), "error: A: overload letter `q` in `q` is not known"),
        (op("A", "A", "ii", "", result), "error: A: overload letter `i` is twice in `ii`"),
        (op("A", "A", "h,f", "", result), "error: A: expected the types $x0 to $x1 in this order"),
        (
            op("A", "C", "i", "rn", result) + &op("B", "C", "i", "ro", result),
            "error: class C: A is readnone, B is readonly",
        ),
        (
            op("A", "C", "i", "", result) + &op("B", "C", "v", "", void),
            "error: class C: A and B have other operand types",
        ),
        (op("A", "A", "v", "", void) + &op("A", "B", "v", "", void), "error: A is the name of 0 and of 1"),
        (
            OP.to_owned() + "        set_op_count_for_version(1, 0)\n" + &op("B", "B", "v", "", void),
            "note: 1 stable slots from 1 on are in no DXIL version: they are in work",
        ),
    ] {
        let found = notes(&statements, "");
        assert!(found.iter().any(|note| note == expected), "{expected}: {found:?}");
    }
    let mut early = database().clone();
    early.tables[1].ops[33].min_shader_model = Some(Version { major: 6, minor: 0 });
    early.tables[1].ops[33].since = Some(Version { major: 6, minor: 0 });
    let notes = super::check_table(&early);
    let text = "warning: DebugBreak: experimental, of shader model 6.0, but 6.9 is the newest released";
    assert_eq!(notes.iter().map(ToString::to_string).collect::<Vec<_>>(), [text]);
}

fn scalars() -> impl Strategy<Value = String> {
    proptest::sample::subsequence("hfd18wil".chars().collect::<Vec<_>>(), 1..=8)
        .prop_shuffle()
        .prop_map(|letters| letters.into_iter().collect())
}

/// An op of any form that rules allow: one or no overload, any other types.
fn slot() -> impl Strategy<Value = (Op, bool)> {
    let types: Vec<TypeSymbol> = TypeSymbol::ALL
        .iter()
        .copied()
        .filter(|symbol| !symbol.name().starts_with('$') && !matches!(symbol, TypeSymbol::Void | TypeSymbol::Unknown))
        .collect();
    let overload = prop_oneof![
        Just("v".to_owned()),
        scalars(),
        scalars().prop_map(|letters| format!("{letters}<{letters}")),
        scalars().prop_map(|letters| format!("<{letters}")),
    ];
    let attributes = proptest::sample::select(Attribute::ALL);
    let operand = (proptest::sample::select(types), any::<bool>(), proptest::option::of(0u32..9));
    let stages = proptest::sample::subsequence(ShaderKind::ALL.to_vec(), 0..=16);
    let flags =
        proptest::sample::subsequence(vec![Flag::Wave, Flag::Gradient, Flag::Barrier, Flag::SamplerFeedback], 0..=4);
    let operands = proptest::collection::vec(operand, 0..5);
    (overload, attributes, operands, stages, flags, 0u32..10, any::<bool>(), 0u32..8).prop_map(
        |(overload, attribute, operands, stages, flags, minor, translated, hole)| {
            let mut op = database().tables[0].ops[0].clone();
            let (full, dimensions) = overloads(&overload).expect("is well formed");
            op.returns = if dimensions.is_empty() { TypeSymbol::Void } else { TypeSymbol::Overload };
            (op.overload_string, op.overloads, op.attribute) = (full, dimensions, attribute);
            op.operands.truncate(1);
            op.operands.extend(operands.into_iter().enumerate().map(|(at, (type_symbol, immediate, max))| Operand {
                position: at as u16 + 1,
                name: format!("value{at}"),
                type_symbol,
                immediate,
                enumeration: immediate.then(|| "Kind".to_owned()),
                max,
            }));
            (op.stages, op.flags) = (stages, flags);
            op.min_shader_model = Some(Version { major: 6, minor });
            op.since_translated = translated.then_some(Version { major: 6, minor: 0 });
            (op, hole == 0)
        },
    )
}

fn tables() -> impl Strategy<Value = Database> {
    let slots = || proptest::collection::vec(slot(), 1..12);
    (slots(), slots(), 10u32..12).prop_map(|(stable, experimental, highest)| {
        let mut out = database().clone();
        let size = stable.len() as u16;
        out.core_table_size_by_dxil_version = [(Version { major: 1, minor: 0 }, size)].into();
        out.source.highest_shader_model = Version { major: 6, minor: highest };
        out.source.released_shader_model = Version { major: 6, minor: highest - 1 };
        out.source.highest_dxil_version = Version { major: 1, minor: highest };
        out.source.released_dxil_version = Version { major: 1, minor: highest - 1 };
        for (table, slots) in out.tables.iter_mut().zip([stable, experimental]) {
            let feature = u32::from(table.feature_id.0) << 16;
            let is_experimental = table.experimental;
            table.ops = slots
                .into_iter()
                .enumerate()
                .map(|(index, (mut op, is_hole))| {
                    op.opcode = Opcode(feature | index as u32);
                    op.name = format!("{}{index}", if is_experimental { "New" } else { "Old" });
                    op.class = format!("Class{}", op.name);
                    op.function_prefix = Some(format!("dx.op.{}", callee_of(&op.class)));
                    op.dxil_version = (!is_experimental).then_some(Version { major: 1, minor: 0 });
                    op.category = Some("A group".to_owned());
                    if is_experimental {
                        op.min_shader_model = Some(Version { major: 6, minor: highest });
                    }
                    op.since = op.min_shader_model;
                    if is_hole {
                        hole(&mut op);
                    }
                    op
                })
                .collect();
            table.count = table.ops.len() as u16;
            table.reserved_count = table.ops.iter().filter(|op| op.reserved).count() as u16;
        }
        out.op_count = out.tables.iter().map(|table| table.count).sum();
        out.reserved_count = out.tables.iter().map(|table| table.reserved_count).sum();
        out
    })
}

fn hole(op: &mut Op) {
    op.reserved = true;
    op.class = "Reserved".to_owned();
    (op.function_prefix, op.category, op.min_shader_model, op.since) = (None, None, None, None);
    (op.since_translated, op.attribute, op.returns) = (None, Attribute::None, TypeSymbol::Void);
    (op.overload_string, op.overloads) = ("v".to_owned(), Vec::new());
    op.operands.truncate(1);
    op.stages.clear();
    op.flags.clear();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn tables_read_back_equal_in_each_form(database in tables()) {
        reads_back(&database);
    }

    /// Any text gives tables or an error; none hangs or ends the process.
    #[test]
    fn broken_sources_are_refused_or_read(cuts in proptest::collection::vec((0usize..40_000, "[(){}\\[\\]\"'#,=\\\\a0 \n]{0,3}"), 1..6)) {
        let [_, hctdb, generated] = texts(database());
        let change = |text: Option<Text>| {
            let mut text = text.expect("is written");
            for (at, piece) in &cuts {
                if text.text.is_char_boundary(*at) && text.text.is_char_boundary(at + 2) {
                    text.text.replace_range(*at..at + 2, piece);
                }
            }
            Some(text)
        };
        let _ = read(&Texts { hctdb: change(hctdb.hctdb), ..Texts::default() });
        let instructions = change(generated.instructions);
        let _ = read(&Texts { operations: change(generated.operations), instructions, ..Texts::default() });
    }
}

#[test]
fn overload_letters_are_read_in_all_forms() {
    let (full, dimensions) = overloads("hf<,<fd,i<1").expect("is well formed");
    assert_eq!(full, "hf<hf,<fd,i<1");
    assert_eq!(dimensions[1].vector_of, [Scalar::F32, Scalar::F64]);
    for wrong in ["", "h,,f", "<", "hv", "h<o", "h,h,h,h,h", "h<f<d"] {
        assert!(overloads(wrong).is_err(), "{wrong}");
    }
}
