//! Variants of a source: what differs from the first one, and which macro does it.

use std::path::Path;

use crate::common::lanescope;
use serde_json::{Value, json};

const VERTEX: &str = "#version 450\nlayout(location = 0) in vec4 position;\nlayout(location = 0) out vec3 normal;\n\
    layout(location = 1) out vec2 uv;\n#ifdef FOG\nlayout(location = 2) out vec4 fog;\n#endif\n\
    void main() {\n    gl_Position = position;\n    normal = position.xyz;\n    uv = position.xy;\n\
    #ifdef FOG\n    fog = position;\n#endif\n}\n";
/// FOG adds a varying, LIGHTS changes code alone, more than eight of them do not compile; TINT is not used.
const FRAGMENT: &str = "#version 450\nlayout(location = 0) in vec3 normal;\nlayout(location = 1) in vec2 uv;\n\
    layout(location = 0) out vec4 color;\n#ifdef FOG\nlayout(location = 2) in vec4 fog;\n#endif\n\
    #if LIGHTS > 8\n#error at most eight lights\n#endif\n\
    void main() {\n    color = vec4(normal, uv.x);\n    for (int i = 0; i < LIGHTS; ++i) color.xy += uv * float(i);\n\
    #ifdef FOG\n    color += fog;\n#endif\n}\n";

/// A folder with the pipeline and a file of variants.
fn pipeline(variants: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [("a.vert", VERTEX), ("a.frag", FRAGMENT), ("list", variants)] {
        std::fs::write(folder.path().join(name), text).expect("writable");
    }
    folder
}

/// Status, standard output and standard error of a command line in a folder.
fn within(folder: &Path, line: &[&str]) -> (i32, String, String) {
    let output = lanescope().current_dir(folder).args(line).output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code().expect("it exits by itself"), text(output.stdout), text(output.stderr))
}

/// The differences of the variants, as JSON and as text.
fn diff(variants: &str, more: &[&str]) -> (i32, Value, String) {
    let folder = pipeline(variants);
    let mut line = vec!["diff", "a.vert", "a.frag", "--variants", "list"];
    line.extend(more);
    let (_, text, _) = within(folder.path(), &line);
    line.extend(["--format", "json"]);
    let (status, json, stderr) = within(folder.path(), &line);
    assert!(status < 2, "{stderr}");
    (status, serde_json::from_str(&json).expect("JSON"), text)
}

#[test]
fn each_macro_has_its_effect() {
    let (status, page, text) = diff("FOG=|1\nLIGHTS=1|4\nTINT=0|1\n", &[]);
    assert_eq!((status, &page["equal"]), (1, &json!(false)));
    let rows = page["variants"].as_array().expect("variants");
    assert_eq!(rows.len(), 8);
    assert_eq!(rows[0]["name"], "-U FOG -D LIGHTS=1 -D TINT=0");
    assert_eq!(rows[5]["macros"], json!({"FOG": "1", "LIGHTS": "1", "TINT": "1"}));
    let slots: Vec<_> = rows.iter().map(|row| row["slots"][0].as_u64().expect("a number")).collect();
    assert_eq!(slots, [2, 2, 2, 2, 3, 3, 3, 3]);
    // The unused macro makes no other program.
    let same: Vec<_> = rows.iter().map(|row| row["same_as"].as_u64()).collect();
    assert_eq!(same, [None, Some(0), None, Some(2), None, Some(4), None, Some(6)]);
    assert_eq!(rows[2]["difference"], json!({}), "code alone differs");
    assert_eq!(
        rows[4]["difference"]["slots"],
        json!([{"of": "fragment inputs", "before": "2", "after": "3"}]),
        "{text}"
    );
    assert_eq!(rows[4]["difference"]["moved"], json!(["fog.x", "fog.y", "fog.z", "fog.w"]));
    assert!(rows[4]["comparison"]["sections"].is_array() && rows[5]["comparison"].is_null());
    assert_eq!(rows[5]["unread_macros"], json!(["TINT"]));

    let macros = page["macros"].as_array().expect("macros");
    let fog = &macros[0]["values"][0];
    assert_eq!((&macros[0]["name"], &fog["before"], &fog["after"]), (&json!("FOG"), &Value::Null, &json!("1")));
    assert_eq!((&fog["pairs"], &fog["equal"], &fog["differ"]), (&json!(4), &json!(0), &json!(4)));
    let registers = fog["difference"]["registers"].as_array().expect("registers");
    assert!(registers.contains(&json!("SPI_PS_IN_CONTROL")), "{registers:?}");
    let lights = &macros[1]["values"][0];
    assert_eq!((&lights["pairs"], &lights["equal"], &lights["differ"]), (&json!(4), &json!(0), &json!(0)));
    assert_eq!(lights["difference"], json!({}));
    assert_eq!((&macros[2]["unread"], &macros[2]["values"][0]["equal"]), (&json!(true), &json!(4)));
    for line in [
        "FOG  undefined → 1  packed slots 2 → 3, scalars fog.x, fog.y, fog.z, fog.w, ",
        "LIGHTS  1 → 4  code only: nothing of the layout",
        "TINT  0 → 1  nothing: no source file uses the macro",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

#[test]
fn what_does_not_compile_is_a_row() {
    let (status, page, text) = diff("# lights\n-D LIGHTS=1\n-D LIGHTS=9\n-D LIGHTS=2\n", &[]);
    assert_eq!((status, &page["macros"]), (1, &json!([])));
    let rows = page["variants"].as_array().expect("variants");
    let failure = rows[1]["failure"].as_str().expect("it does not compile");
    assert!(failure.contains("at most eight lights"), "{failure}");
    assert!(rows[1]["difference"].is_null() && rows[1]["slots"].is_null());
    assert_eq!(rows[2]["difference"], json!({}));
    let has = |line: &str| line.contains("2    -D LIGHTS=9  cannot be used");
    assert!(text.lines().any(has) && text.contains("2  a.frag: GLSL does not compile"), "{text}");
    let (_, page, text) = diff("FOG=|1\nLIGHTS=1|9\n", &[]);
    assert_eq!(page["macros"][1]["values"][0]["failed"], json!([0, 2, 0]));
    assert_eq!(page["macros"][0]["values"][0]["failed"], json!([0, 0, 1]));
    // Lines are wrapped.
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("LIGHTS 1 → 9 cannot be used with this value in 2 of 2 pairs"), "{text}");
    assert!(text.contains("(in 1 of 2 pairs); cannot be used with either value in 1 of 2 pairs"), "{text}");
    // Nothing is said of variants whose base does not compile.
    let (status, page, text) = diff("LIGHTS=9|1|2\n", &[]);
    assert!(status == 1 && page["equal"] == false && page["variants"][1]["difference"].is_null());
    assert!(text.contains("no base") && !text.contains("nothing of the layout"), "{text}");
}

#[test]
fn equal_variants_have_no_differences() {
    let (status, page, text) = diff("TINT=0|1|2\n", &["-D", "LIGHTS=2"]);
    assert_eq!((status, &page["equal"]), (0, &json!(true)), "{text}");
    assert_eq!(page["variants"][2]["same_as"], 0);
    // A macro of the file replaces the one of the command.
    let (_, page, _) = diff("FOG=|1\n", &["-D", "LIGHTS=2", "-D", "FOG=3"]);
    assert_eq!(page["variants"][0]["slots"], json!([2]));
}

#[test]
fn wrong_files_are_errors() {
    for (variants, why) in [
        ("-D A\nFOG\n", "list, line 2: expected flags (-D NAME=VALUE), or a macro with its values"),
        ("--target gfx1100\n", "list, line 1: unexpected argument '--target' found"),
        ("LIGHTS=9|10\n", "none of the 2 variants can be used; the first one: a.frag: "),
        ("# none\n", "list: no variants"),
    ] {
        let folder = pipeline(variants);
        let (status, stdout, stderr) = within(folder.path(), &["diff", "a.vert", "a.frag", "--variants", "list"]);
        assert!(status == 2 && stdout.is_empty() && stderr.contains(why), "{variants}: {stderr}");
    }
    let folder = pipeline("FOG=|1\n");
    for (line, why) in [
        (&["diff", "a.vert", "--variants", "list", "--format", "svg", "-o", "d"][..], "pictures are of two programs"),
        (&["diff", "a.json", "--variants", "list"], "a report is not compiled"),
        (&["diff", "a.vert"], "required arguments were not provided"),
        (&["diff", "a.vert", "a.frag", "b.frag"], "--variants"),
    ] {
        let (status, _, stderr) = within(folder.path(), line);
        assert!(status == 2 && stderr.contains(why), "{line:?}: {stderr}");
    }
}

#[test]
fn a_corpus_has_each_input_with_each_variant() {
    let folder = pipeline("-D LIGHTS=1\n-D LIGHTS=9\nFOG=|1\n");
    let (status, stdout, stderr) =
        within(folder.path(), &["corpus", "a.vert", "a.frag", "--variants", "list", "--format", "jsonl"]);
    assert_eq!(status, 2, "some do not compile: {stderr}");
    let lines = stdout.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let rows: Vec<String> = lines
        .filter(|line| line["pipeline"].is_string())
        .map(|row| {
            let failed = if row["failure"].is_null() { "" } else { " failed" };
            format!("{}{failed}", row["pipeline"].as_str().expect("a name"))
        })
        .collect();
    assert_eq!(
        rows,
        [
            "a.vert + a.frag [define=LIGHTS=1 undefine=FOG]",
            "a.vert + a.frag [define=LIGHTS=1 define=FOG=1]",
            "a.vert + a.frag [define=LIGHTS=9 undefine=FOG] failed",
            "a.vert + a.frag [define=LIGHTS=9 define=FOG=1] failed",
        ]
    );
    // What is left out is named once.
    let path = folder.path().join("c.frag");
    std::fs::create_dir(&path).expect("writable");
    std::fs::write(folder.path().join("list"), "A=1|2\n").expect("writable");
    let (_, stdout, stderr) =
        within(folder.path(), &["corpus", ".", "--variants", "list", "--format", "jsonl", "-D", "LIGHTS=1"]);
    assert!(stdout.contains("[define=A=2]") && stderr.matches("skipped").count() <= 1, "{stdout}{stderr}");
}
