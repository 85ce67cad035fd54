//! Op tables of other compilers: read, compared, and used to check containers.

use std::path::{Path, PathBuf};

use lanescope_core::dxil::ops::database;
use serde_json::Value;

use crate::common::outcome;

/// From the root of the sources, where commands run.
const SAMPLE: &str = "samples/dxil/experimental_ops.cs.dxil";

fn run(arguments: &[&str]) -> (i32, String, String) {
    outcome(arguments.to_vec())
}

/// The tables of this build as a file, changed.
fn changed(folder: &Path, change: impl FnOnce(&mut Value)) -> PathBuf {
    let mut tables = serde_json::to_value(database()).expect("serializes");
    change(&mut tables);
    let path = folder.join("table.json");
    std::fs::write(&path, tables.to_string()).expect("writes");
    path
}

fn experimental(tables: &mut Value, index: usize) -> &mut Value {
    &mut tables["tables"][1]["ops"][index]
}

/// A small table in the form of DXC's source.
const HCTDB: &str = r#"
class db_dxil(object):
    def populate_CoreOps(self):
        self.core_table = self.add_dxil_op_table(0, "CoreOps", "stable")
        add_dxil_op = self.core_table.add_dxil_op
        for i in "First,Second".split(","):
            add_dxil_op(
                i, "Pair", "one of " + "two", "hf<", "rn",
                [db_dxil_param(0, "$o", "", "result"), db_dxil_param(2, "$o", "value", "input")],
            )
        self.core_table.set_op_count_for_version(1, 9)

    def populate_ExperimentalOps(self):
        op_table = self.add_dxil_op_table(0x8000, "ExperimentalOps", "new")
        add_dxil_op = op_table.add_dxil_op
        op_table.reserve_dxil_op_range("Hole", 1)
        add_dxil_op("TileRow", "TileRow", "a row", "i", "rn", [
            db_dxil_param(0, "$o", "", "row"),  # the result
            db_dxil_param(2, "i32", "tile", "which", is_const=True),
        ])
        self.colour = "green" - 1

    def finalize_dxil_operations(self):
        self.op_tables.sort(key=lambda t: t.id)

    def populate_categories_and_models(self):
        for i in self.get_dxil_ops():
            if i.name.startswith("Fi"):
                i.is_wave = True
        self.populate_categories_and_models_ExperimentalOps()

    def populate_categories_and_models_ExperimentalOps(self):
        experimental_sm = 6, 10
        insts = self.get_insts_by_names
        for i in insts("TileRow"):
            i.category = "Tiles"
            i.shader_model = experimental_sm
            i.shader_stages = ("compute", "mesh")
"#;

fn sources() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = folder.path().join("utils/hct");
    std::fs::create_dir_all(&place).expect("makes");
    std::fs::write(place.join("hctdb.py"), HCTDB).expect("writes");
    folder
}

#[test]
fn explains_a_number_in_each_spelling() {
    let (status, text, _) = run(&["opcodes", "explain", "-2147483615"]);
    assert_eq!(status, 0);
    insta::assert_snapshot!("explained", text);
    for other in ["0x80000021", "2147483681"] {
        assert_eq!(run(&["opcodes", "explain", other]).1, text);
    }
    let (_, none, _) = run(&["opcodes", "explain", "0x01000007"]);
    assert!(
        none.contains("experimental, index 7") && none.contains("none: opcode 0x01000007: unknown FeatureID 0x0100")
    );
    let (status, _, stderr) = run(&["opcodes", "explain", "LoadInput"]);
    assert!(status == 2 && stderr.contains("expected a number of 32 bits"), "{stderr}");
}

#[test]
fn reads_the_source_of_a_compiler() {
    let folder = sources();
    let path = folder.path().to_str().expect("UTF-8");
    let (status, text, notes) = run(&["opcodes", "--opcode-table", path, "0x80000001"]);
    assert_eq!(status, 0, "{notes}");
    assert!(text.contains("TileRow  0x80000001 (-2147483647)") && text.contains("compute mesh"), "{text}");
    assert!(text.contains("dx.op.tileRow") && text.contains("constant"), "{text}");
    let line = "utils/hct/hctdb.py:21: note: statement `self.colour=\"green\"-1` is not understood";
    assert!(notes.contains(line) && notes.lines().count() == 1, "{notes}");
    let (_, text, _) = run(&["opcodes", "explain", "--opcode-table", path, "-2147483648"]);
    assert!(text.contains("is reserved (hole): reserved in the given table"), "{text}");
    let (_, text, _) = run(&["opcodes", "--opcode-table", path]);
    assert!(text.contains("FeatureID 0x8000, 1, 1 reserved") && text.contains("Second"), "{text}");
}

#[test]
fn sources_that_are_not_understood_are_refused() {
    let folder = sources();
    let file = folder.path().join("utils/hct/hctdb.py");
    let of = |path: &Path| run(&["opcodes", "--opcode-table", path.to_str().expect("UTF-8")]);
    std::fs::write(&file, HCTDB.replace("for i in \"First,Second\".split(\",\")", "for i in names")).expect("writes");
    let (status, _, stderr) = of(folder.path());
    assert!(status == 2 && stderr.contains("hctdb.py:6: expected a known form of statement"), "{stderr}");
    for (name, bytes, why) in [
        ("a.json", &b"{\"format\": 1}"[..], "not op tables in JSON"),
        ("b.py", b"\xff\xfe", "byte 0: not UTF-8"),
        ("c.cpp", b"int main() {}", "expected the array CoreOps_OpCodeProps"),
        ("d.td", b"def A : DXILOp<1, a> {\n}", "no names of operands"),
        ("e.txt", b"", "expected a folder, or a file .json"),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("writes");
        let (status, _, stderr) = of(&path);
        assert!(status == 2 && stderr.contains(why), "{name}: {stderr}");
    }
    assert_eq!(of(&folder.path().join("none.json")).0, 2);
    let (status, _, stderr) = of(&folder.path().join("utils"));
    assert!(status == 2 && stderr.contains("expected one of these files in the folder"), "{stderr}");
}

#[test]
fn a_container_is_read_with_the_given_table() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = changed(folder.path(), |tables| {
        experimental(tables, 1)["name"] = "TileIndex".into();
        experimental(tables, 1)["shader_stages"] = serde_json::json!(["pixel"]);
        // Shader model 6.10 is released, so that its experimental ops are none any more.
        tables["source"]["released_shader_model"] = "6.10".into();
        tables["source"]["highest_shader_model"] = "6.11".into();
    });
    let path = path.to_str().expect("UTF-8");
    let arguments = ["inspect", SAMPLE, "--listing", "--opcode-table", path];
    let (_, text, _) = run(&arguments);
    assert!(text.contains("dx.op TileIndex()") && !text.contains("GetGroupWaveIndex"), "{text}");
    let (status, report, found) = run(&["inspect", SAMPLE, "--opcode-table", path]);
    assert_eq!(status, 1, "{found}");
    assert!(report.contains(" op table ") && report.contains("table.json"), "{report}");
    // The stage and the released model are those of the given table.
    for code in ["X15", "X08", "D007"] {
        assert!(report.contains(code), "{code}: {report}");
    }
    let (_, json, _) = run(&["inspect", SAMPLE, "--opcode-table", path, "--format", "json"]);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["dxil"]["op_table"]["highest_shader_model"], "6.11");
    assert_eq!(json["dxil"]["op_table"]["stable"], 312);
    // A child reads the files, or this process.
    let (_, here, _) = run(&["inspect", SAMPLE, "--opcode-table", path, "--in-process"]);
    assert_eq!(here, report);
    let (_, own, _) = run(&["inspect", SAMPLE]);
    assert!(own.contains("GetGroupWaveIndex") && !own.contains("op table") && !own.contains("X15"), "{own}");

    let (status, _, stderr) = run(&["inspect", SAMPLE, "--opcode-table", "no such file.json"]);
    assert!(status == 2 && stderr.contains("opcode table") && stderr.contains("no such file.json"), "{stderr}");
}

#[test]
fn corpus_takes_a_table() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = changed(folder.path(), |tables| experimental(tables, 1)["shader_stages"] = serde_json::json!(["pixel"]));
    let container = folder.path().join("a.dxil");
    std::fs::copy(Path::new("..").join(SAMPLE), &container).expect("copies");
    let container = container.to_str().expect("UTF-8");
    let (_, own, _) = run(&["corpus", container]);
    let (_, given, _) = run(&["corpus", container, "--opcode-table", path.to_str().expect("UTF-8")]);
    assert!(given.contains("X15") && !own.contains("X15"), "{own}\n{given}");
}

#[test]
fn differences_name_their_rules() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = changed(folder.path(), |tables| {
        experimental(tables, 33)["name"] = "Stop".into();
        tables["tables"][0]["ops"][4]["shader_stages"] = serde_json::json!(["vertex"]);
    });
    let path = path.to_str().expect("UTF-8");
    let (status, text, _) = run(&["opcodes", "diff", path]);
    assert_eq!(status, 0, "the old one is the narrower one: {text}");
    assert!(text.contains("T9") && text.contains("gained all other stages"), "{text}");
    assert!(text.contains("T4") && text.contains("name DebugBreak, was Stop"), "{text}");
    // The other way round a stage was lost.
    let whole = tempfile::tempdir().expect("a temporary folder");
    let own = changed(whole.path(), |_| {});
    let (status, json, _) = run(&["opcodes", "diff", own.to_str().expect("UTF-8"), path, "--format", "json"]);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let rules: Vec<_> = json["changes"].as_array().expect("a list").iter().map(|row| row["rule"].clone()).collect();
    assert_eq!((status, rules), (1, vec!["T1".into(), "T4".into()]));
    assert_eq!(json["changes"][1]["hex"], "0x80000021");
    let (status, text, _) = run(&["opcodes", "diff", own.to_str().expect("UTF-8")]);
    assert!(status == 0 && text.contains("the tables do not differ"), "{text}");
}

#[test]
fn table_of_llvm_is_checked_by_number() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("DXIL.td");
    let text = "def Abs : DXILOp<6, unary> {\n  let arguments = [OverloadTy];\n}\n\
        def Stop : DXILOp<0x80000021, debugStop> {\n}\n";
    std::fs::write(&path, text).expect("writes");
    let (status, text, _) = run(&["opcodes", "diff", path.to_str().expect("UTF-8")]);
    assert_eq!(status, 1);
    assert!(
        text.contains("DXIL.td:4: error: Stop (0x80000021 (-2147483615)): class debugStop, DebugBreak has debugBreak")
    );
    assert!(text.contains("2 ops of DXIL.td compared by number") && text.contains("not compared: names"), "{text}");
    std::fs::write(&path, "nothing").expect("writes");
    assert_eq!(run(&["opcodes", "diff", path.to_str().expect("UTF-8")]).0, 2);
}

#[test]
fn history_is_found_by_number_and_by_each_name() {
    let (status, by_name, _) = run(&["opcodes", "history", "CreateMatrix"]);
    assert_eq!(status, 0);
    insta::assert_snapshot!("history", by_name);
    for other in ["0x8000000B", "-2147483637", "LinAlgMatrixMultiplyAccumulate"] {
        assert_eq!(run(&["opcodes", "history", other]).1, by_name, "{other}");
    }
    let (_, hole, _) = run(&["opcodes", "history", "305"]);
    assert!(hole.contains("MatVecMul") && hole.contains("from shader model 6.11 on: not yet"), "{hole}");
    let (_, hole, _) = run(&["opcodes", "history", "230"]);
    assert!(hole.contains("from shader model 6.10 on: it may, but it is discouraged"), "{hole}");
    let (_, same, _) = run(&["opcodes", "history", "LoadInput"]);
    assert!(same.contains("none: one name"), "{same}");
    let (_, json, _) = run(&["opcodes", "history", "IsDebuggerPresent", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["ops"][0]["states"][1]["name"], "IsDebuggingEnabled");
    for none in ["NoSuchOp", "312", "0x80010000"] {
        assert_eq!(run(&["opcodes", "history", none]).0, 2, "{none}");
    }
}

/// A folder as the current one: plans name its files, and write a patch there.
fn run_in(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = crate::common::lanescope().current_dir(folder).args(arguments).output().expect("starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("exits"), text(output.stdout), text(output.stderr))
}

#[test]
fn a_plan_makes_ops_stable() {
    let (status, plan, _) = run(&["opcodes", "stabilise", "GetGroupWaveCount", "GetGroupWaveIndex"]);
    assert_eq!(status, 0);
    assert!(
        plan.contains("0x80000001 (-2147483647) = 312  GetGroupWaveIndex, callee dx.op.getGroupWaveIndex"),
        "{plan}"
    );
    assert!(plan.contains("0x80000002 (-2147483646) = 313  GetGroupWaveCount"), "{plan}");
    assert!(plan.contains("`assert op_count == 314`") && plan.contains("from shader model 6.11 on"), "{plan}");
    assert!(plan.ends_with("calls: lanescope opcodes --map 0x80000001=312 --map 0x80000002=313 DIR\n"), "{plan}");

    let folder = tempfile::tempdir().expect("a temporary folder");
    let test = folder.path().join("t.ll");
    let call = "  %1 = call i32 @dx.op.getGroupWaveIndex(i32 -2147483647)  ; GetGroupWaveIndex()\n";
    std::fs::write(&test, call).expect("writes");
    std::fs::write(folder.path().join("a.cpp"), "case OpCode::GetGroupWaveIndex: GetGroupWaveIndexes();\n")
        .expect("writes");
    let arguments = ["opcodes", "stabilise", "GetGroupWaveIndex", "--at", "312", "--in", "."];
    let (status, dry, _) = run_in(folder.path(), &arguments);
    assert!(status == 0 && dry.contains("2 places of the names") && dry.contains("a.cpp:1: case OpCode::"), "{dry}");
    assert!(dry.contains("+  %1 = call i32 @dx.op.getGroupWaveIndex(i32 312)"), "{dry}");
    assert_eq!(std::fs::read_to_string(&test).expect("reads"), call);
    assert_eq!(run_in(folder.path(), &[&arguments[..], &["--write"]].concat()).0, 0);
    assert_eq!(std::fs::read_to_string(&test).expect("reads"), call.replace("-2147483647", "312"));
    assert!(folder.path().join("opcodes.patch").is_file());

    for (arguments, why) in [
        (&["LoadInput"][..], "is stable already"),
        (&["NoSuchOp"], "no op has this name"),
        (&["DebugBreak", "--at", "313"], "the next free stable number is 312"),
        (&["DebugBreak", "--write"], "--in"),
    ] {
        let (status, _, stderr) = run(&[&["opcodes", "stabilise"], arguments].concat());
        assert!(status == 2 && stderr.contains(why), "{stderr}");
    }
}

#[test]
fn a_merge_finds_numbers_that_both_took() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let side = |name: &str, op: &str, intrinsic: &str| {
        let root = folder.path().join(name).join("utils/hct");
        std::fs::create_dir_all(&root).expect("makes");
        let added = format!(
            "        add_dxil_op(\"{op}\", \"{op}\", \"x\", \"v\", \"\", [db_dxil_param(0, \"v\", \"\", \"\")])\n"
        );
        let text = match op {
            "" => HCTDB.to_owned(),
            _ => HCTDB.replace("        self.colour = \"green\" - 1\n", &added),
        };
        std::fs::write(root.join("hctdb.py"), text).expect("writes");
        let numbers = format!("{{\"IntrinsicOpCodes\": {{\"IOP_a\": 0, {intrinsic}}}}}");
        std::fs::write(root.join("hlsl_intrinsic_opcodes.json"), numbers).expect("writes");
        folder.path().join(name).to_str().expect("UTF-8").to_owned()
    };
    let base = side("base", "", "\"Num_Intrinsics\": 1");
    let ours = side("ours", "TileColumn", "\"IOP_b\": 1, \"Num_Intrinsics\": 2");
    let theirs = side("theirs", "TileCount", "\"IOP_c\": 1, \"Num_Intrinsics\": 2");
    let (status, text, _) = run(&["opcodes", "merge", &base, &ours, &theirs]);
    assert_eq!(
        (status, text.as_str()),
        (
            1,
            "error: 0x80000002 (-2147483646): both add it: ours TileColumn (), theirs TileCount ()\n\
             error: intrinsics: 1: ours is IOP_b, theirs IOP_c; theirs can be 2\n\
             tests of theirs: lanescope opcodes --map 0x80000002=0x80000003 DIR\n"
        )
    );
    let (status, text, _) = run(&["opcodes", "merge", &base, &ours, &base]);
    assert_eq!((status, text.as_str()), (0, "no number and no name has two ops\n"));
}

#[test]
fn private_ops_have_the_names_that_a_file_gives() {
    let names = r#"{"features": [{"feature_id": "0x8001", "name": "acme", "ops": {"3": "TileMask"}}]}"#;
    let (_folder, file) = crate::common::file("names.json", names);
    let file = file.to_str().expect("UTF-8");
    let (status, text, stderr) = run(&["opcodes", "explain", "0x80010003", "--feature-names", file]);
    assert!(status == 0 && text.contains("TileMask of acme (FeatureID 0x8001)"), "{text}{stderr}");
    let (status, text, stderr) = run(&["inspect", SAMPLE, "--feature-names", file]);
    assert!(status == 0 && text.contains("feature_names="), "{text}{stderr}");
    let (_folder, wrong) = crate::common::file("wrong.json", names.replace("0x8001", "0x8000"));
    let wrong = wrong.to_str().expect("UTF-8");
    for arguments in [["opcodes", "--feature-names", wrong].as_slice(), &["inspect", SAMPLE, "--feature-names", wrong]]
    {
        let (status, _, stderr) = run(arguments);
        let said = "FeatureID 0x8000 is that of the experimental table, expected another one";
        assert!(status == 2 && stderr.contains(said) && stderr.contains("wrong.json"), "{stderr}");
    }
}
