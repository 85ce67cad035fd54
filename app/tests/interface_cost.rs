//! `lanescope cost` of graphics pipelines: slots, exports, LDS, and what RADV makes of them.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::{outcome, samples};

fn sample(name: &str) -> String {
    samples().join(name).to_string_lossy().into_owned()
}

/// Both shaders of a sample pipeline.
fn pair(name: &str) -> [String; 2] {
    ["vert", "frag"].map(|stage| sample(&format!("{name}.{stage}")))
}

fn cost(files: &[String], arguments: &[&str]) -> Value {
    let all = ["cost"].into_iter().chain(files.iter().map(String::as_str)).chain(arguments.iter().copied());
    let (status, stdout, stderr) = outcome(all.chain(["--format", "json"]));
    assert_eq!(status, 0, "{stderr}");
    serde_json::from_str(&stdout).expect("one JSON object")
}

/// Slots of the rows: as written by the stage before, as read, of each order, at least.
fn slots(cost: &Value) -> Vec<u64> {
    let rows = cost["slots"]["rows"].as_array().expect("rows");
    rows.iter().map(|row| row["generic"].as_u64().expect("a number")).collect()
}

/// A figure of a part, as written and selected.
fn figure(part: &Value, name: &str) -> [Value; 2] {
    let found = part.as_array().expect("figures").iter().find(|row| row["figure"] == name);
    let found = found.unwrap_or_else(|| panic!("no {name} in {part}"));
    [found["original"].clone(), found["selected"].clone()]
}

fn numbers(pair: [u64; 2]) -> [Value; 2] {
    pair.map(|number| json!({ "number": number }))
}

#[test]
fn sample_has_the_figures_of_the_worked_sheet() {
    let lit = cost(&pair("lit_surface"), &[]);
    assert_eq!(slots(&lit), [6, 5, 4, 4, 4, 4]);
    assert_eq!((&lit["producer"], &lit["chip"], &lit["wave"]), (&json!("vertex"), &json!("gfx1030"), &json!(64)));
    assert_eq!(figure(&lit["previous"], "bytes per vertex"), numbers([80, 64]));
    assert_eq!(figure(&lit["previous"], "exp param per wave"), numbers([5, 4]));
    assert_eq!(
        figure(&lit["previous"], "parameter cache lines"),
        [json!({ "ratio": [5, 5] }), json!({ "ratio": [4, 5] })]
    );
    assert!(figure(&lit["previous"], "vertices in flight")[0]["unknown"].is_string());
    assert_eq!(lit["lds"]["bytes_per_primitive"], json!([240, 192, 192]));
    assert_eq!(
        lit["lds"]["sentences"][0],
        "5 to 4 slots saves none at 1 to 4 primitives on any chip: no wave is gained"
    );
    let last = &lit["lds"]["rows"][4];
    assert_eq!((&last["primitives"], &last["granule"]), (&json!(16), &json!(1024)));
    assert_eq!([&last["cases"][0]["waves"], &last["cases"][1]["waves"]], [&json!(4), &json!(5)]);
    assert_eq!(figure(&lit["interpolation"], "interpolation instructions"), numbers([23, 23]));
    assert_eq!(figure(&lit["draw"]["figures"], "attribute bytes written"), numbers([80_000_000, 64_000_000]));
    assert_eq!(figure(&lit["draw"]["figures"], "exports of waves of 64"), numbers([78_125, 62_500]));
    assert_eq!(figure(&lit["draw"]["figures"], "LDS bytes filled"), numbers([120_000_000, 96_000_000]));
    assert_eq!(figure(&lit["vendors"], "Intel: bytes of a URB entry"), numbers([128, 128]));
    assert_eq!(figure(&lit["vendors"], "Intel: read length"), numbers([3, 2]));
    assert_eq!(figure(&lit["vendors"], "Adreno: bytes per vertex"), numbers([48, 48]));
    let ring = cost(&pair("lit_surface"), &["--target", "gfx1100"]);
    assert_eq!(figure(&ring["interpolation"], "interpolation instructions"), numbers([35, 35]));
    let gcn = cost(&pair("lit_surface"), &["--target", "gfx906", "--draw-size", "64,2"]);
    assert_eq!(figure(&gcn["draw"]["figures"], "export clocks"), numbers([80, 64]));
}

#[test]
fn sheet_names_the_class_that_starts_a_slot() {
    let note = cost(&pair("design_note"), &[]);
    assert_eq!(note["slots"]["sentence"], "LLPC 4, optimum 3: class 16-bit flat starts a slot of its own");
    let other = cost(&pair("design_note"), &["--order", "design-note"]);
    assert!(other["slots"]["sentence"].as_str().is_some_and(|text| text.starts_with("Design note 3, optimum 3")));
    // Containers of DXIL, and a pipeline of a database.
    let dxil = ["dxil/lit_surface.vs.dxil", "dxil/lit_surface.ps.dxil"].map(sample);
    assert_eq!(slots(&cost(&dxil, &[]))[1..3], [2, 2]);
    let database = cost(&[sample("effects.foz")], &["--pipeline", "13252914961fad61"]);
    assert_eq!((&database["producer"], database["measured"].is_null()), (&json!("vertex"), true));
}

#[test]
fn flags_without_an_effect_are_rejected() {
    let [vertex, fragment] = pair("lit_surface");
    let (status, _, stderr) = outcome(["cost", &vertex, &fragment, "--window", "16"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("--window is of compute shaders; the files are a graphics pipeline"), "{stderr}");
    for (flags, expected) in [
        (&["--groups", "2,2,1"][..], "--groups is of compute shaders"),
        (&["--reconfig"], "--reconfig is of compute shaders"),
        (&["--variant", "packed"], "--variant needs --driver, --chip, --device or --icd"),
    ] {
        let (status, _, stderr) = outcome([&["cost", &vertex, &fragment][..], flags].concat());
        assert_eq!(status, 2, "{flags:?}");
        assert!(stderr.contains(expected), "{stderr}");
    }
    let (status, _, stderr) = outcome(["cost", &sample("tile_16x16.comp"), "--driver"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("--driver is of graphics pipelines with a fragment shader"), "{stderr}");
    let (status, _, stderr) = outcome(["cost", &vertex]);
    assert_eq!(status, 2);
    assert!(stderr.contains("memory accesses are counted of one compute shader; found vertex"), "{stderr}");
}

/// A figure of a driver's stage.
struct Measured {
    chip: String,
    stage: String,
    figure: String,
    predicted: Option<u64>,
    driver: Option<u64>,
    note: String,
}

fn measured(cost: &Value) -> Vec<Measured> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut out = Vec::new();
    for stage in cost["measured"].as_array().expect("stages") {
        out.extend(stage["figures"].as_array().expect("figures").iter().map(|row| Measured {
            chip: text(&stage["chip"]),
            stage: text(&stage["stage"]),
            figure: text(&row["figure"]),
            predicted: row["predicted"].as_u64(),
            driver: row["driver"].as_u64(),
            note: text(&row["note"]),
        }));
    }
    out
}

const CHIPS: &str = "gfx906,gfx1010,gfx1030,gfx1100";

#[test]
fn driver_is_shown_beside_the_prediction() {
    let lit = cost(&pair("lit_surface"), &["--chip", CHIPS]);
    let rows = measured(&lit);
    let of = |chip: &str, figure: &str| {
        let found = rows.iter().find(|row| row.chip == chip && row.figure == figure);
        found.map(|row| (row.predicted, row.driver)).unwrap_or_else(|| panic!("no {figure} of {chip}"))
    };
    // Mesa's linker moves the constant color into the fragment shader.
    assert_eq!(of("gfx1030", "exp param"), (Some(4), Some(3)));
    assert_eq!(of("gfx1100", "attribute stores"), (Some(4), Some(3)));
    assert_eq!(of("gfx1030", "slots read"), (Some(4), Some(3)));
    assert_eq!(of("gfx1030", "position exports"), (None, Some(1)));
    assert_eq!(of("gfx1030", "interpolation instructions"), (Some(23), Some(17)));
    assert_eq!(of("gfx1030", "waves per SIMD"), (Some(16), Some(16)));
    assert_eq!(of("gfx906", "waves per SIMD"), (Some(10), Some(10)));
}

/// A pipeline whose fragment shader keeps many values.
fn heavy(folder: &Path, values: u32) -> [String; 2] {
    let vertex = "#version 460\nlayout(location = 0) out vec2 uv;\n\
        void main() { uv = vec2(gl_VertexIndex); gl_Position = vec4(uv, 0.0, 1.0); }";
    let sampled: String = (0..values).map(|at| format!("vec4 v{at} = texture(image, uv * {at}.5);\n")).collect();
    let sum: String = (0..values).map(|at| format!(" + v{at}")).collect();
    let used: String = (0..values).map(|at| format!(" + v{at} * fract(sum * {at}.25)")).collect();
    let fragment = format!(
        "#version 460\nlayout(location = 0) in vec2 uv; layout(location = 0) out vec4 color;\n\
         layout(binding = 0) uniform sampler2D image;\n\
         void main() {{ {sampled} vec4 sum = vec4(0){sum}; color = vec4(0){used}; }}"
    );
    [("vert", vertex.to_owned()), ("frag", fragment)].map(|(stage, text)| {
        let path = folder.join(format!("heavy{values}.{stage}"));
        std::fs::write(&path, text).expect("writes");
        path.to_string_lossy().into_owned()
    })
}

/// Waves by registers, LDS and slots are RADV's own statistic: of sample pipelines and of shaders with many registers, on
/// a chip of each generation.
#[test]
fn occupancy_is_that_of_the_driver() {
    let folder = TempDir::new().expect("a folder");
    let names = ["design_note", "half_precision", "lit_surface", "matrix_and_array", "rotated_halves"];
    let mut pipelines: Vec<Vec<String>> = names.iter().map(|name| pair(name).to_vec()).collect();
    pipelines.push(["vert", "tesc", "tese", "frag"].map(|stage| sample(&format!("bent_patch.{stage}"))).to_vec());
    pipelines.extend([16, 24, 32].map(|values| heavy(folder.path(), values).to_vec()));
    let (mut all, mut differ, mut limiters) = (0, Vec::new(), BTreeSet::new());
    for files in &pipelines {
        let rows = measured(&cost(files, &["--chip", CHIPS]));
        for row in rows.into_iter().filter(|row| row.figure == "waves per SIMD") {
            let Measured { chip, stage, predicted, driver, note, .. } = row;
            all += 1;
            limiters.extend(note.split(';').next().map(str::to_owned));
            if predicted != driver {
                differ.push(format!("{files:?} {chip} {stage}: {predicted:?}, {driver:?}: {note}"));
            }
        }
    }
    assert!(differ.is_empty(), "{} of {all} differ:\n{}", differ.len(), differ.join("\n"));
    assert_eq!(all, pipelines.len() * 8, "two stages on four chips");
    assert!(limiters.contains("limited by VGPRs") && limiters.contains("limited by wave slots"), "{limiters:?}");
}
