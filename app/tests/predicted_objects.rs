//! Predicted registers and slots beside those of AMD code objects.

use std::path::{Path, PathBuf};

use crate::common::{bytes, file, json, outcome, samples, spirv};
use serde_json::Value;

fn data(name: &str) -> String {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/llpc").join(name);
    path.to_string_lossy().into_owned()
}

fn sample(name: &str) -> String {
    samples().join("code_objects").join(name).to_string_lossy().into_owned()
}

/// The exit status, and what `--format json` prints.
fn compared(files: &[&str], object: &str, flags: &[&str]) -> (i32, Value) {
    let of_object = ["--object", object, "--format", "json"];
    let line = ["inspect"].iter().chain(files).chain(&of_object).chain(flags).copied();
    let (status, stdout, stderr) = outcome(line);
    assert!(status < 2, "{files:?}: {stderr}");
    (status, serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{files:?}: {error}: {stderr}")))
}

/// Register and field of the fields with a result, with their values.
fn fields(value: &Value, verdict: &str) -> Vec<String> {
    let all = value["fields"].as_array().expect("fields");
    let of = all.iter().filter(|field| field["verdict"] == verdict);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    of.map(|field| {
        let sides = [&field["predicted"], &field["object"]].map(Value::to_string);
        format!("{}.{} {} {}", text(&field["register"]), text(&field["field"]), sides[0], sides[1])
    })
    .collect()
}

/// Shaders with the interface of those of public tests of LLPC, beside objects with the values that these tests expect: the
/// name, its extension, flags, and how many fields both sides have.
const LLPC: &[(&str, &str, &[&str], u64)] = &[
    ("a8_target", "pipe", &[], 85),
    ("clip_distance", "pipe", &[], 118),
    ("no_fragment", "pipe", &[], 8),
    ("multiview", "pipe", &[], 131),
    ("padded_pixel", "pipe", &[], 102),
    ("tables", "pipe", &[], 5),
    ("padded_compute", "pipe", &[], 18),
    ("num_workgroups", "pipe", &[], 14),
    ("workgroup_id", "pipe", &[], 14),
    ("task", "task", &["--wave", "32"], 16),
    ("lone_input", "frag", &["--producer", "none"], 46),
    ("first_slot", "pipe", &[], 8),
    ("no_input", "pipe", &[], 6),
    ("viewport_index", "pipe", &[], 8),
    ("local_size", "comp", &[], 3),
    ("odd_size", "comp", &[], 3),
];

#[test]
fn predicts_what_tests_of_llpc_expect() {
    for (name, ending, flags, compared_fields) in LLPC {
        let (status, value) = compared(&[&data(&format!("{name}.{ending}"))], &data(&format!("{name}.elf")), flags);
        let differing = [fields(&value, "differs"), fields(&value, "not comparable")].concat();
        assert_eq!((status, differing), (0, Vec::new()), "{name}");
        assert_eq!(value["field_counts"]["agrees"], *compared_fields, "{name}");
    }
}

/// The side, the location, both slots and the result of each location.
fn places(value: &Value) -> Vec<String> {
    let all = value["places"].as_array().expect("places");
    let of = |place: &Value| {
        let text = |key: &str| place[key].as_str().unwrap_or_default().to_owned();
        format!("{} {} {} {} {}", text("side"), place["semantic"], place["predicted"], place["object"], text("verdict"))
    };
    all.iter().map(of).collect()
}

#[test]
fn compares_slots_of_an_object_that_is_not_linked() {
    let path = |name: &str| data(&format!("../objects/library.{name}"));
    let files = [path("vert"), path("frag")];
    let files = [files[0].as_str(), files[1].as_str()];
    let (status, value) = compared(&files, &path("elf"), &["--no-pack"]);
    assert_eq!(status, 1);
    let expected = ["3 [0] 0 agrees", "7 [1] 1 agrees", "9 [2] null not in the object"];
    let of_side = |side: &str, rows: [&str; 3]| rows.map(|row| format!("{side} {row}"));
    assert_eq!(places(&value), [of_side("export", expected), of_side("input", expected)].concat());
    // Both locations in one slot: the object has them apart.
    let (_, value) = compared(&files, &path("elf"), &[]);
    let packed = places(&value);
    assert!(packed.contains(&"input 7 [0] 1 differs".to_owned()), "{packed:?}");
}

#[test]
fn finds_what_differs_with_the_cause() {
    let (status, value) = compared(&[&sample("textured.pipe")], &sample("textured.elf"), &["--wave", "32"]);
    assert_eq!((status, value["target"].as_str()), (1, Some("gfx1010")));
    assert_eq!(fields(&value, "differs"), ["SPI_PS_IN_CONTROL.PS_W32_EN 1 0"]);
    let all = value["fields"].as_array().expect("fields");
    let wave = all.iter().find(|field| field["field"] == "PS_W32_EN").expect("is compared");
    assert_eq!(
        (&wave["cause"], &wave["why"]),
        (&"wave size".into(), &"the fragment shader runs in waves of 32".into())
    );
    let (status, stdout, stderr) = outcome(["inspect", &sample("textured.pipe"), "--object", &sample("textured.elf")]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert!(stdout.contains("gfx1010 (Navi 10), the object's chip") && !stdout.contains("Differ"), "{stdout}");
}

#[test]
fn says_which_stages_of_the_object_are_not_loaded() {
    let frag = samples().join("lit_surface.frag").to_string_lossy().into_owned();
    let (_, value) = compared(&[&frag], &sample("textured.elf"), &[]);
    assert_eq!(value["not_loaded"], serde_json::json!(["vertex"]));
}

#[test]
fn refuses_what_cannot_be_compared() {
    let tile = samples().join("tile_16x16.comp").to_string_lossy().into_owned();
    let object = sample("textured.elf");
    let (_folder, unknown) = file("unknown.elf", unknown_chip(&object));
    let unknown = unknown.to_string_lossy().into_owned();
    for (line, status, words) in [
        (
            vec![&*tile, "--object", &object],
            2,
            "no value to compare: the object has pixel, vertex, the files have compute",
        ),
        (vec![&tile, "--object", &object, "--target", "gfx1100"], 2, "is for gfx1010; --target is gfx1100"),
        (vec![&tile, "--object", &tile], 2, "not an AMD code object"),
        (vec![&tile, "--object", "nowhere.elf"], 2, "nowhere.elf"),
        (vec![&tile, "--object", &unknown], 3, "no register tables for chip 0xff; available: gfx1010"),
        (vec![&tile, "--object", &object, "--format", "sarif"], 2, "--format sarif writes findings"),
        (vec![&tile, "--object", &object, "--listing"], 2, "cannot be used with"),
        (vec![&tile, "--object", &object, "--chip", "gfx1030"], 2, "cannot be used with"),
        (vec![&object, "--object", &object], 2, "it is an AMD code object"),
    ] {
        let (found, _, stderr) = outcome(["inspect"].into_iter().chain(line.iter().copied()));
        assert!(found == status && stderr.contains(words), "{line:?}: {found} {stderr}");
    }
    // The chip may be named where it is the object's.
    let (status, _, stderr) =
        outcome(["inspect", &sample("textured.pipe"), "--object", &object, "--target", "gfx1010"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
}

/// An object for a chip that is not known.
fn unknown_chip(path: &str) -> Vec<u8> {
    let mut bytes = std::fs::read(path).expect("a sample");
    bytes[0x30] = 0xff;
    bytes
}

/// Objects of a folder are found by `.api_shader_hash`: LLPC's hash of the module, or AMDVLK's of the code.
#[test]
fn the_object_of_a_folder_is_found_by_hash() {
    let shader = "#version 450
        layout(local_size_x = 16, local_size_y = 16) in;
        layout(set = 0, binding = 0) writeonly buffer Values { uint value[]; };
        void main() { value[gl_LocalInvocationIndex] = 1; }";
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (module, objects) = (path("fill.spv"), path("objects"));
    std::fs::write(&module, bytes(&spirv("fill.comp", shader))).expect("writes");
    std::fs::create_dir(&objects).expect("a folder");
    let report = json([&module]);
    let hashes = &report["stages"][0]["driver_hashes"];
    let number = |text: &Value| u64::from_str_radix(&text.as_str().expect("a hash")[2..], 16).expect("digits");
    let llpc = number(&hashes["llpc"]);

    let (status, _, stderr) = outcome(["inspect", &module, "--object", &objects]);
    assert!(status == 2 && stderr.contains("none of 0 code objects has .api_shader_hash of Shader_0x"), "{stderr}");
    let original = std::fs::read(sample("fill.elf")).expect("a sample");
    // The lower half is a number of 64 bits, the upper one 0.
    let old = [&[0x92, 0xcf][..], &0x0123_4567_89ab_cdef_u64.to_be_bytes(), &[0]].concat();
    let at = original.windows(old.len()).position(|bytes| bytes == old).expect("the hash of the shader");
    let mut of_shader = original.clone();
    of_shader[at + 2..at + 10].copy_from_slice(&llpc.to_be_bytes());
    let put =
        |name: &str, object: &[u8]| std::fs::write(folder.path().join("objects").join(name), object).expect("writes");
    put("other.elf", &original);
    put("notes.txt", b"not an object");
    let (status, _, stderr) = outcome(["inspect", &module, "--object", &objects]);
    assert!(status == 2 && stderr.contains("none of 1 code object has"), "{stderr}");
    put("llpc.elf", &of_shader);
    let (status, found) = compared(&[&module], &objects, &[]);
    assert!(status == 1 && found["object"].as_str().is_some_and(|name| name.ends_with("llpc.elf")), "{found}");
    // The same over a corpus.
    let corpus = |flags: &[&str]| outcome([&["corpus", &*module, "--objects", &objects][..], flags].concat());
    let (status, stdout, stderr) = corpus(&["--format", "jsonl"]);
    assert_eq!(status, 0, "{stderr}");
    let lines: Vec<Value> = stdout.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let row = lines.iter().find(|row| row["number"] == 0).expect("a row");
    let counts = &found["field_counts"];
    assert_eq!([&row["object"]["agrees"], &row["object"]["differs"]], [&counts["agrees"], &counts["differs"]], "{row}");
    let differing: Vec<String> =
        fields(&found, "differs").iter().filter_map(|text| text.split(' ').next()).map(str::to_owned).collect();
    assert_eq!(row["object"]["differing"], serde_json::json!(differing));
    let (_, stdout, _) = corpus(&[]);
    assert!(stdout.contains("Object fields that agree") && stdout.contains("pipelines with one"), "{stdout}");
    let (status, _, stderr) = outcome(["corpus", &*module, "--objects", &module]);
    assert!(status == 2 && stderr.contains("not a folder with code objects"), "{stderr}");
    put("twice.elf", &of_shader);
    let (status, _, stderr) = outcome(["inspect", &module, "--object", &objects]);
    assert!(status == 2 && stderr.contains("2 code objects are of these shaders: "), "{stderr}");
    // Of a source, drivers see other bytes.
    let (_kept, source) = file("fill.comp", shader);
    let (status, _, stderr) = outcome(["inspect", &source.to_string_lossy(), "--object", &objects]);
    assert!(status == 2 && stderr.contains("none of the files is SPIR-V"), "{stderr}");
}

/// `corpus` finds a module by its name in a dump, and by the hash of a profile.
#[test]
fn a_corpus_is_filtered_by_hashes_of_drivers() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, size: u32| {
        let source = format!("#version 450\nlayout(local_size_x = {size}) in; void main() {{}}");
        std::fs::write(folder.path().join(name), bytes(&spirv("a.comp", &source))).expect("writes");
    };
    write("a.spv", 32);
    write("b.spv", 64);
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let hashes = &json([path("b.spv")])["stages"][0]["driver_hashes"].clone();
    let text = |value: &Value| value.as_str().expect("a hash")[2..].to_owned();
    let name = format!("Shader_0x{}.spv", text(&hashes["llpc"]).to_uppercase());
    let code = format!("{} {}", text(&hashes["code"]["upper"]), text(&hashes["code"]["lower"]));
    for hash in [name.as_str(), &name[..16], &code] {
        let line = ["corpus", &path("."), "--format", "jsonl", "--only-hash", hash];
        let (status, stdout, stderr) = outcome(line);
        assert_eq!(status, 0, "{stderr}");
        let rows: Vec<Value> = stdout.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let names: Vec<&str> = rows.iter().filter_map(|row| row["pipeline"].as_str()).collect();
        assert!(matches!(names[..], [only] if only.ends_with('b') || only.ends_with("b.spv")), "{hash}: {names:?}");
    }
}
