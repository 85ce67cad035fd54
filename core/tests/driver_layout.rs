//! Our locations and a shipping compiler's, for every sample pair and four chips: each difference has a named rule.
//!
//! Snapshots are of one version of Mesa each: 22.3, and those with a suffix of the version that it names.
//!
//! A chip is chosen by a process's environment, so this executable starts itself once a chip.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use lanescope_core::analyse;
use lanescope_core::driver::isa::{QuadPurpose, read};
use lanescope_core::driver::layout::{LayoutRule, LayoutTable, Reason, Unknown, varying_accesses};
use lanescope_core::driver::origin::{QuadVerdict, fill};
use lanescope_core::driver::registers::Choice;
use lanescope_core::driver::{CompileOptions, DriverStage, Link, Version, Way, compile, environment, versions};
use lanescope_core::driver::{layouts_of, registers_of};
use lanescope_core::load::{disassemble, load};
use lanescope_core::options::Options;
use lanescope_core::packing::Place;
use lanescope_core::program::{Program, StageKind};
use lanescope_core::report::Report;
use lanescope_core::spirv::InstId;
use lanescope_core::target::Target;

const CHIPS: [Target; 4] = [Target::Gfx900, Target::Gfx1010, Target::Gfx1030, Target::Gfx1100];

const PAIRS: [&str; 7] = [
    "design_note",
    "dynamic_index",
    "flat_and_smooth",
    "half_precision",
    "lit_surface",
    "matrix_and_array",
    "missing_input",
];

/// Pairs that the samples do not have: each bends the driver's packing in another way.
const MORE: [(&str, &str, &str); 7] = [
    (
        "kinds",
        "layout(location = 0) out vec3 a; layout(location = 1) noperspective out vec2 b; layout(location = 2) out float c;
         layout(location = 3) flat out uvec2 d; layout(location = 4) out vec2 e; layout(location = 5) flat out float f;
         void main() { gl_Position = p; a = p.xyz; b = p.yx * p.w; c = p.x * p.z; d = uvec2(p.zw); e = p.ww + p.xy; f = p.y / p.z; }",
        "layout(location = 0) in vec3 a; layout(location = 1) noperspective in vec2 b; layout(location = 2) sample in float c;
         layout(location = 3) flat in uvec2 d; layout(location = 4) centroid in vec2 e; layout(location = 5) flat in float f;
         void main() { o = a.xyzx + b.xyxy + c + vec4(d.xyxy) + e.yxyx + f; }",
    ),
    (
        "reduced",
        "layout(location = 0) out mediump vec3 a; layout(location = 1) out vec2 b; layout(location = 2) out mediump float c;
         void main() { gl_Position = p; a = p.xyz; b = p.yx * p.w; c = p.x * p.z; }",
        "layout(location = 0) in mediump vec3 a; layout(location = 1) in vec2 b; layout(location = 2) in mediump float c;
         void main() { o = a.xyzx + b.xyxy + c; }",
    ),
    (
        "removed",
        "layout(location = 0) out vec4 a; layout(location = 1) out vec4 b; layout(location = 2) out vec3 c;
         layout(location = 3) flat out float d; layout(location = 4) out float e;
         void main() { gl_Position = p; a = vec4(p.x, 1, p.y, 0.25); b = p.yxzw; c = p.zxw * 2.0; d = p.z; e = p.z; }",
        "layout(location = 0) in vec4 a; layout(location = 1) in vec4 b; layout(location = 2) in vec3 c;
         layout(location = 3) flat in float d; layout(location = 4) in float e;
         void main() { o = a + b * 0.5 + c.xyzx + d * e; }",
    ),
    (
        "widths",
        "layout(location = 0) out vec3 a; layout(location = 1) flat out dvec3 b; layout(location = 3) out float16_t c;
         layout(location = 4) out vec2 d; layout(location = 5) flat out uint16_t e; layout(location = 6) out vec4 f;
         void main() { gl_Position = p; a = p.xyz; b = dvec3(p.xyw) * 3.0lf; c = float16_t(p.x + p.y); d = p.yx * p.w;
             e = uint16_t(uint(p.w)); f = p * p.yxzw; }",
        "layout(location = 0) in vec3 a; layout(location = 1) flat in dvec3 b; layout(location = 3) in float16_t c;
         layout(location = 4) in vec2 d; layout(location = 5) flat in uint16_t e; layout(location = 6) in vec4 f;
         void main() { o = a.xyzx + vec4(b.xyzx) + float(c) + d.xyxy + float(uint(e)) + f; }",
    ),
    (
        "indexed",
        "layout(location = 0) out vec2 a[3]; layout(location = 3) out vec3 b; layout(location = 4) flat out int i;
         void main() { gl_Position = p; a[0] = p.xy; a[1] = p.zw + p.xy; a[2] = p.yz * p.x; b = p.xzw * p.y; i = int(p.w) & 1; }",
        "layout(location = 0) in vec2 a[3]; layout(location = 3) in vec3 b; layout(location = 4) flat in int i;
         void main() { o = vec4(a[i], a[i + 1]) + b.xyzx; }",
    ),
    (
        "components",
        "layout(location = 2, component = 1) out vec2 a; layout(location = 2, component = 3) out float b;
         layout(location = 5, component = 2) out float c; layout(location = 7) out mat2x3 m;
         void main() { gl_Position = p; a = p.xy; b = p.z * p.x; c = p.w + p.y; m = mat2x3(p.xyz + p.w, p.zwx * p.y); }",
        "layout(location = 2, component = 1) in vec2 a; layout(location = 2, component = 3) in float b;
         layout(location = 5, component = 2) in float c; layout(location = 7) in mat2x3 m;
         void main() { o = vec4(a, b, c) + m[0].xyzx + m[1].zyxz; }",
    ),
    (
        "structures",
        "struct S { vec2 a; float b; }; struct T { vec2 a; vec3 b; };
         layout(location = 0) out S s; layout(location = 2) out float f; layout(location = 4) out T t[2];
         layout(location = 8) out mat4 m;
         void main() { gl_Position = p; s = S(p.xy * 2.0, p.z + p.w); f = p.x * p.y; t[0] = T(p.yx, p.xyz * 3.0);
             t[1] = T(p.zw * 2.0, p.wzy + 1.0); m = mat4(p, p * 2.0, p + 1.0, p.wzyx); }",
        "struct S { vec2 a; float b; }; struct T { vec2 a; vec3 b; };
         layout(location = 0) in S s; layout(location = 2) in float f; layout(location = 4) in T t[2];
         layout(location = 8) in mat4 m;
         void main() { o = vec4(s.a, s.b, f) + vec4(t[1].b, t[0].a.y) + m[3]; }",
    ),
];

/// Several derivatives along each axis, each of another varying.
const SEVERAL_DERIVATIVES: [&str; 2] = [
    "layout(location = 0) out vec2 uv; layout(location = 1) out vec3 at; layout(location = 2) out float h;
     void main() { gl_Position = p; uv = p.xy * p.z; at = p.zxy; h = p.w + p.x; }",
    "layout(location = 0) in vec2 uv; layout(location = 1) in vec3 at; layout(location = 2) in float h;
     void main() {
         vec2 width = fwidthCoarse(uv);
         o = vec4(cross(dFdxFine(at), dFdyFine(at)) + dFdx(h * h), width.x * width.y);
     }",
];

/// The arguments of the child, and where it answers.
const CHIP: &str = "LANESCOPE_TEST_CHIP";
const ANSWER: &str = "LANESCOPE_TEST_ANSWER";

fn samples(files: &[String]) -> Program {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let files: Vec<PathBuf> = files.iter().map(|file| folder.join(file)).collect();
    load(&files, &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn pair(name: &str) -> Program {
    let Some((_, vertex, fragment)) = MORE.iter().find(|(other, ..)| *other == name) else {
        return samples(&[format!("{name}.vert"), format!("{name}.frag")]);
    };
    written(name, [vertex, fragment])
}

/// A vertex shader and a fragment shader.
fn written(name: &str, [vertex, fragment]: [&str; 2]) -> Program {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let head = "#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n";
    let texts = [
        ("vert", format!("{head}layout(location = 0) in vec4 p;\n{vertex}")),
        ("frag", format!("{head}layout(location = 0) out vec4 o;\n{fragment}")),
    ];
    let files = texts.map(|(stage, text)| {
        let path = folder.path().join(format!("{name}.{stage}"));
        std::fs::write(&path, text).expect("writes");
        path
    });
    load(&files, &[]).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The names of all pairs.
fn pairs() -> impl Iterator<Item = &'static str> {
    PAIRS.into_iter().chain(MORE.iter().map(|(name, ..)| *name))
}

/// Everything that is compiled for a chip, by sample.
type Made = BTreeMap<String, Vec<DriverStage>>;

#[test]
#[ignore = "runs in a process whose environment names a chip"]
fn child() {
    let chip: Target = std::env::var(CHIP).expect("a chip is named").parse().expect("is a chip");
    let mut made = Made::new();
    let mut all = |name: &str, program: &Program, options: &Options, wanted: &[Version], apart: &[bool]| {
        for version in versions(program, options, wanted) {
            let program = version.program.unwrap_or_else(|why| panic!("{name}: {why}"));
            for &apart in apart {
                let with = CompileOptions { chip: Some(chip.into()), apart, ..CompileOptions::default() };
                let done = compile(&program, options, version.of, &with).unwrap_or_else(|e| panic!("{name}: {e}"));
                made.entry(name.to_owned()).or_default().extend(DriverStage::rows([&done]));
            }
        }
    };
    for name in pairs() {
        all(name, &pair(name), &Options::default(), &[Version::Original, Version::Packed], &[false, true]);
    }
    // RADV has derivatives in linear groups only: the layout makes these from the quads that the sample requests.
    for (name, wanted) in [("quad_derivatives", Version::Swizzled), ("tile_16x16", Version::Original)] {
        all(name, &samples(&[format!("{name}.comp")]), &Options::default(), &[wanted], &[false]);
    }
    all(
        "several_derivatives",
        &written("several_derivatives", SEVERAL_DERIVATIVES),
        &Options::default(),
        &[Version::Original],
        &[false, true],
    );
    let text = serde_json::to_string(&made).expect("rows are JSON");
    std::fs::write(std::env::var(ANSWER).expect("a place is named"), text).expect("writes");
}

/// The results of one chip's compiler, compiled once.
fn ask(target: Target) -> &'static Made {
    static MADE: [OnceLock<Made>; CHIPS.len()] = [const { OnceLock::new() }; CHIPS.len()];
    let index = CHIPS.iter().position(|chip| *chip == target).expect("one of the four");
    MADE[index].get_or_init(|| ask_child(target))
}

fn ask_child(target: Target) -> Made {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let answer = folder.path().join("answer.json");
    let mut said = String::new();
    // A name that the installed version does not know ends the process.
    for way in Way::to(target.into(), None) {
        let output = Command::new(std::env::current_exe().expect("this executable"))
            .args(["driver_layout::child", "--exact", "--ignored", "--nocapture"])
            .envs(environment(Some(&way)))
            .env(CHIP, target.name())
            .env(ANSWER, &answer)
            .output()
            .expect("it starts");
        if output.status.success() {
            return serde_json::from_slice(&std::fs::read(&answer).expect("it answered")).expect("is JSON");
        }
        said.push_str(&String::from_utf8_lossy(&output.stderr));
    }
    panic!("{target}: {said}")
}

/// Whether the installed version's linker is replayed, so that every place has a rule.
fn is_replayed() -> bool {
    ask(CHIPS[0]).values().flatten().all(|row| row.driver.contains("Mesa 22.3."))
}

/// Compares with the snapshot of the installed version.
macro_rules! assert_of_version {
    ($report:expr) => {{
        let mut settings = insta::Settings::clone_current();
        if !is_replayed() {
            let driver = ask(CHIPS[0]).values().flatten().next().expect("rows").driver.clone();
            let version = driver.split_once("Mesa ").expect("a version").1;
            let minor: Vec<&str> = version.split('.').take(2).collect();
            settings.set_snapshot_suffix(format!("mesa-{}", minor.join(".")));
        }
        settings.bind(|| insta::assert_snapshot!($report));
    }};
}

fn report_of(program: &Program) -> Report {
    analyse(program, &Options::default()).expect("is analysed")
}

fn table(name: &str, rows: &[DriverStage]) -> LayoutTable {
    let mut tables = layouts_of(&pair(name), &report_of(&pair(name)), rows);
    assert_eq!(tables.len(), 1, "{name}: one device");
    tables.remove(0)
}

fn text(table: &LayoutTable) -> String {
    let mut out = String::new();
    for column in &table.columns {
        let slots = column.slots.map_or(String::new(), |slots| format!(", {slots} slots"));
        let _ = writeln!(out, "{} {}: {} attributes{slots}", column.of, column.link, column.attributes);
    }
    for row in &table.rows {
        let half = if row.packed.half { "h" } else { "" };
        let place = |place: &Place| format!("{}.{}", place.location, place.component);
        let _ = write!(out, "{:<18} {} -> {}{half}", row.variable, place(&row.from), place(&row.packed));
        for place in &row.driver {
            let at = match (place.attribute, place.channel) {
                (Some(attribute), Some(channel)) => {
                    format!("{attribute}.{channel}{}", if place.high { "h" } else { "" })
                }
                _ => "-".to_owned(),
            };
            let more: String = place.channels().skip(1).map(|at| format!(" {}.{}", at.attribute, at.channel)).collect();
            let rule = place.rule.map_or(String::new(), |rule| format!(" {rule}"));
            let reason = place.reason.map_or(String::new(), |reason| format!(" ({reason})"));
            let _ = write!(out, " | {at}{more}{rule}{reason}");
        }
        let _ = writeln!(out);
    }
    out
}

/// Places that differ where the stages were compiled apart: each with its rule. All others are exact.
const EXCEPTIONS: [(&str, &str, LayoutRule); 7] = [
    // Only the low half of the 64-bit value is needed for what it is converted to.
    ("design_note", "v3", LayoutRule::ValueUnneeded),
    // One component of an array that is indexed at run time.
    ("dynamic_index", "layers[0]", LayoutRule::ValueUnneeded),
    ("dynamic_index", "layers[1]", LayoutRule::ValueUnneeded),
    ("dynamic_index", "layers[2]", LayoutRule::ValueUnneeded),
    ("dynamic_index", "layers[3]", LayoutRule::ValueUnneeded),
    // The array's second element is not read, and keeps its slot.
    ("matrix_and_array", "*", LayoutRule::ArrayWhole),
    ("structures", "*", LayoutRule::ArrayWhole),
];

#[test]
fn every_difference_of_every_sample_has_a_rule_on_every_chip() {
    let mut report = String::new();
    let mut tables: Vec<(&str, String, Vec<String>)> = Vec::new();
    let mut wrong: Vec<String> = Vec::new();
    for chip in CHIPS {
        let made = ask(chip);
        for name in pairs() {
            let table = table(name, &made[name]);
            let columns: Vec<_> = table.columns.iter().map(|column| (column.of, column.link)).collect();
            use Version::{Original, Packed};
            let all = [(Original, Link::Apart), (Original, Link::Whole), (Packed, Link::Apart), (Packed, Link::Whole)];
            assert_eq!(columns, all, "{chip} {name}");
            let shown = text(&table);
            for row in &table.rows {
                for (place, (of, link)) in row.driver.iter().zip(&columns) {
                    // A linker that is not replayed leaves places open, each with a reason.
                    let is_open = *link == Link::Whole && !is_replayed() && place.reason == Some(Reason::NoMatch);
                    if place.rule == Some(LayoutRule::Unattributed) && !is_open {
                        wrong.push(format!("{chip} {name} {of} {link} {}: no rule", row.variable));
                    }
                    if let (Link::Apart, Some(rule)) = (link, place.rule) {
                        let listed = EXCEPTIONS.iter().any(|(sample, variable, known)| {
                            (*sample, *known) == (name, rule) && (*variable == "*" || *variable == row.variable)
                        });
                        if !listed {
                            wrong.push(format!("{chip} {name} {of} {link} {}: {rule} is not listed", row.variable));
                        }
                    }
                }
            }
            // Nobody puts two values into one place, unless they are the same one, or one is computed from both.
            for (index, column) in columns.iter().enumerate() {
                let places = table.rows.iter().filter_map(|row| {
                    let place = row.driver.get(index)?;
                    let is_shared = matches!(place.rule, Some(LayoutRule::Duplicate | LayoutRule::Computed));
                    Some((place.attribute?, place.channel?, place.high)).filter(|_| !is_shared)
                });
                let places: Vec<_> = places.collect();
                let different: BTreeSet<_> = places.iter().collect();
                if different.len() != places.len() {
                    wrong.push(format!("{chip} {name} {column:?}: two values in one place"));
                }
            }
            let title = chip.to_string();
            let known = tables.iter_mut().find(|(other, text, _)| (*other, text) == (name, &shown));
            match known {
                Some((.., chips)) => chips.push(title),
                None => tables.push((name, shown, vec![title])),
            }
        }
    }
    for (name, shown, chips) in &tables {
        let _ = writeln!(report, "== {name} {}\n{shown}", chips.join(" "));
    }
    assert_of_version!(report);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn instructions_name_the_varyings_that_they_read_and_write() {
    for chip in CHIPS {
        let made = ask(chip);
        for name in pairs() {
            let rows = &made[name];
            let tables = [table(name, rows)];
            let packing = analyse(&pair(name), &Options::default()).expect("analyses").packing.expect("it packs");
            for row in rows {
                let facts = read(row.isa.as_deref().expect("it has assembly"), row.stage);
                let found = varying_accesses(&tables, rows, row, &facts);
                let title = format!("{chip} {name} {} {} {}", row.of, row.link, row.stage);
                let column = tables[0].columns.iter().position(|c| (c.of, c.link) == (row.of, row.link));
                let column = column.expect("it is a column");
                // The texts of Mesa 22 do not say how large a structure is that is passed on.
                let is_structure = (name, row.stage, row.of) == ("structures", StageKind::Vertex, Version::Original);
                let is_open = is_structure && is_replayed();
                let mut places = tables[0].rows.iter().map(|row| &row.driver[column]);
                let unattributed = places.any(|place| place.rule == Some(LayoutRule::Unattributed));
                let unknown = is_open.then_some(Unknown::Structure);
                let unknown = unknown.or(unattributed.then_some(Unknown::Unattributed));
                assert_eq!(found.unknown, unknown, "{title}");
                if is_open {
                    continue;
                }
                let named: BTreeSet<_> = found.instructions.iter().flat_map(|by| &by.scalars).copied().collect();
                // A scalar with a place is read there, and was written there if any stage writes it.
                let written = |from: &Place| packing.map.iter().any(|scalar| scalar.from == *from && scalar.written);
                let placed = tables[0].rows.iter().filter(|row| row.driver[column].attribute.is_some());
                let placed =
                    placed.map(|row| row.from).filter(|from| row.stage == StageKind::Fragment || written(from));
                let placed: BTreeSet<_> = placed.collect();
                let missing: Vec<_> = placed.difference(&named).collect();
                assert!(missing.is_empty(), "{title}: {missing:?} of {placed:?}\n{}", text(&tables[0]));
            }
        }
    }
}

/// A program whose instructions carry their own number as their line.
fn with_lines(program: &Program) -> Program {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let files: Vec<PathBuf> = (0..program.stages.len())
        .map(|index| {
            let text = disassemble(program.module_of(&program.stages[index])).expect("disassembles");
            let mut lined = String::new();
            let (mut named, mut inside, mut merges) = (false, false, false);
            for (number, line) in text.lines().enumerate() {
                let op = line.split_once('=').map_or(line, |(_, right)| right).trim();
                if !named && (op.starts_with("OpSource") || op.starts_with("OpName")) {
                    lined.push_str("%file = OpString \"here.glsl\"\n");
                    named = true;
                }
                // A merge and its branch stay together, and variables at their function's begin.
                let bare = ["OpLabel", "OpVariable", "OpFunctionParameter", "OpFunctionEnd", "OpPhi"];
                if inside && !merges && !bare.iter().any(|bare| op.starts_with(bare)) {
                    let _ = writeln!(lined, "OpLine %file {number} 0");
                }
                inside = (inside || op.starts_with("OpFunction ")) && !op.starts_with("OpFunctionEnd");
                merges = op.contains("Merge");
                let _ = writeln!(lined, "{line}");
            }
            let path = folder.path().join(format!("{index}.spvasm"));
            std::fs::write(&path, lined).expect("writes");
            path
        })
        .collect();
    load(&files, &[]).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn instructions_lead_back_to_the_lines_that_they_come_from() {
    let mut report = String::new();
    for (chip, name, version) in [
        (Target::Gfx1030, "lit_surface", Version::Original),
        (Target::Gfx1100, "kinds", Version::Packed),
        (Target::Gfx900, "tile_16x16", Version::Original),
    ] {
        let mut rows = ask(chip)[name].clone();
        let program = if name == "tile_16x16" { samples(&["tile_16x16.comp".to_owned()]) } else { pair(name) };
        let program = with_lines(&program);
        let tables = layouts_of(&program, &report_of(&program), &rows);
        fill(&program, &mut rows, &tables, &[]);
        for row in rows.iter().filter(|row| row.of == version) {
            let facts = read(row.isa.as_deref().expect("it has assembly"), row.stage);
            let stage = program.stages.iter().find(|stage| stage.stage == row.stage).expect("it was loaded");
            let module = program.module_of(stage);
            let _ = writeln!(report, "== {name} {chip} {} {} {}", row.of, row.link, row.stage);
            assert!(!row.origins.is_empty(), "{name} {chip} {}", row.stage);
            for origin in &row.origins {
                assert_eq!(origin.lines.len(), origin.spirv.len(), "{name} {chip}: {origin:?}");
                let instruction = &facts.instructions[origin.instruction as usize];
                let from = origin.spirv.iter().zip(&origin.lines).map(|(index, line)| {
                    let inst = module.inst(InstId(*index));
                    format!("{} {}:{}", inst.name(), line.file, line.line)
                });
                let from: Vec<_> = from.collect();
                let text = row.isa.as_deref().and_then(|isa| isa.lines().nth(instruction.line as usize));
                let text = text.and_then(|text| text.split(';').next()).unwrap_or_default().trim();
                let _ = writeln!(report, "{text:<50} {} {}", origin.by, from.join(", "));
            }
        }
    }
    assert_of_version!(report);
}

#[test]
fn registers_agree_or_name_the_choice_that_differs() {
    let mut reported: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for chip in CHIPS {
        let made = ask(chip);
        let computes = ["quad_derivatives", "tile_16x16"].map(|name| (name, samples(&[format!("{name}.comp")])));
        for (name, program) in pairs().map(|name| (name, pair(name))).chain(computes) {
            let rows = registers_of(&program, &report_of(&program), &made[name]);
            assert_eq!(rows.is_empty(), chip == Target::Gfx900, "{chip} {name}");
            for row in rows {
                let agrees = row.ours == Some(row.driver);
                assert_eq!(agrees, row.choice.is_none(), "{name}: {row:?}");
                assert_eq!(row.ours.is_none(), row.choice == Some(Choice::BackEnd), "{name}: {row:?}");
                let Some(choice) = row.choice.filter(|choice| *choice != Choice::BackEnd) else { continue };
                let ours = row.ours.unwrap_or_default();
                let line = format!("{} {choice}: ours {ours}, driver {}: {}", row.field, row.driver, row.told);
                reported.entry(line).or_default().insert(format!("{name} {} {}", row.of, row.link));
            }
        }
    }
    let mut report = String::new();
    for (line, places) in &reported {
        let places: Vec<&str> = places.iter().map(String::as_str).collect();
        let _ = writeln!(report, "{line}\n    {}", places.join(", "));
    }
    assert_of_version!(report);
}

#[test]
fn quads_are_differentiated_by_the_permutes_of_their_lanes() {
    for chip in CHIPS {
        let made = ask(chip);
        for row in &made["quad_derivatives"] {
            let facts = read(row.isa.as_deref().expect("it has assembly"), StageKind::Compute);
            let lanes = |purpose| {
                let all = facts.quad_permutes.iter().filter(move |permute| permute.purpose == purpose);
                all.map(|permute| permute.lanes).collect::<BTreeSet<_>>()
            };
            // Lanes 4n to 4n+3 hold (0,0), (1,0), (0,1), (1,1): coarse x is lane 1 less lane 0, y lane 2 less lane 0.
            let x = BTreeSet::from([[0; 4], [1; 4]]);
            let y = BTreeSet::from([[0; 4], [2; 4]]);
            assert_eq!(lanes(QuadPurpose::DerivativeX), x, "{chip} {}", row.of);
            assert_eq!(lanes(QuadPurpose::DerivativeY), y, "{chip} {}", row.of);
        }
        // The shader takes one derivative along each axis: all moves of the quad come from these two.
        let program = samples(&["quad_derivatives.comp".to_owned()]);
        let mut rows = made["quad_derivatives"].clone();
        let tables = layouts_of(&program, &report_of(&program), &rows);
        fill(&program, &mut rows, &tables, &[]);
        for row in &rows {
            let facts = read(row.isa.as_deref().expect("it has assembly"), StageKind::Compute);
            let module = program.module_of(&program.stages[0]);
            let of = |instruction: u32| {
                let origin = row.origins.iter().find(|origin| origin.instruction == instruction);
                let names = origin.map(|origin| origin.spirv.iter().map(|at| module.inst(InstId(*at)).name()));
                names.into_iter().flatten().collect::<Vec<_>>()
            };
            for permute in &facts.quad_permutes {
                let names: &[&str] = match permute.purpose {
                    QuadPurpose::DerivativeX => &["OpDPdx"],
                    QuadPurpose::DerivativeY => &["OpDPdy"],
                    QuadPurpose::DerivativeXY => &["OpDPdx", "OpDPdy"],
                    _ => continue,
                };
                assert_eq!(of(permute.instruction), names, "{chip}");
            }
            assert!(!row.derivatives.is_empty(), "{chip}");
            assert!(
                row.derivatives.iter().all(|found| found.verdict == Some(QuadVerdict::Agree)),
                "{:?}",
                row.derivatives
            );
        }
        // Without derivatives there is nothing to permute.
        for row in &made["tile_16x16"] {
            let facts = read(row.isa.as_deref().expect("it has assembly"), StageKind::Compute);
            assert!(facts.quad_permutes.is_empty(), "{chip} {}", row.of);
        }
    }
}

#[test]
fn several_derivatives_are_told_apart_by_what_they_depend_on() {
    let program = written("several_derivatives", SEVERAL_DERIVATIVES);
    for chip in CHIPS {
        let mut rows = ask(chip)["several_derivatives"].clone();
        let tables = layouts_of(&program, &report_of(&program), &rows);
        fill(&program, &mut rows, &tables, &[]);
        let fragments: Vec<_> = rows.iter().filter(|row| row.stage == StageKind::Fragment).collect();
        assert_eq!(fragments.len(), 2, "{chip}: apart and whole");
        for row in fragments {
            let mut found: BTreeMap<&str, u32> = BTreeMap::new();
            for derivative in &row.derivatives {
                let words = derivative.words();
                assert_eq!(derivative.verdict, Some(QuadVerdict::Agree), "{chip} {} {words}", row.link);
                *found.entry(derivative.opcode.as_deref().unwrap_or("not certain")).or_default() += 1;
            }
            // Components: three of `at`, two of `uv` along both axes, and `h`.
            let expected = [("OpDPdx", 1), ("OpDPdxFine", 3), ("OpDPdyFine", 3), ("OpFwidthCoarse", 4)];
            assert_eq!(found, BTreeMap::from(expected), "{chip} {}: {:?}", row.link, row.derivatives);
        }
    }
}
