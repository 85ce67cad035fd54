//! Objects that LLVM assembles: every value that `llvm-readelf --notes` prints is shown, none is invented, and a repacked
//! object has another mapping of user data and nothing else.
//!
//! `llvm-mc` writes the generated metadata, in both forms, for every chip that it knows; `llc` writes its own. Tests need
//! `llvm-mc`, `llc` and `llvm-readelf` on `PATH`, of version 14 or later; graphics IP 12 needs version 18.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::sync::LazyLock;

use lanescope_codeobject::{CodeObject, Content, Form as RegisterForm, Holds, Layout, Part, compare, repack};
use rmpv::Value;

use crate::generate::{CHIPS, Form, Pipeline, pipelines};

/// The oldest version whose tools are looked for by name.
const OLDEST: u32 = 14;

/// The tools of one version.
struct Llvm {
    suffix: String,
    folder: tempfile::TempDir,
}

impl Llvm {
    /// The newest version on `PATH`; tools without a version in their name are those of the distribution.
    fn newest() -> Llvm {
        let numbered = (OLDEST..40).rev().map(|version| format!("-{version}"));
        let all = |suffix: &String| {
            ["llvm-mc", "llc", "llvm-readelf"].iter().all(|tool| {
                Command::new(format!("{tool}{suffix}")).arg("--version").output().is_ok_and(|out| out.status.success())
            })
        };
        let suffix = numbered.chain([String::new()]).find(all);
        let suffix = suffix.expect("llvm-mc, llc and llvm-readelf are on PATH: install llvm-19");
        Llvm { suffix, folder: tempfile::tempdir().expect("a temporary folder") }
    }

    fn run(&self, tool: &str, arguments: &[&str]) -> String {
        let out = Command::new(format!("{tool}{}", self.suffix)).args(arguments).output().expect("starts");
        let errors = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "{tool} {arguments:?}: {errors}");
        String::from_utf8_lossy(&out.stdout).into_owned() + &errors
    }

    /// The chips of ours that it knows.
    fn chips(&self) -> BTreeSet<&'static str> {
        let known = self.run("llvm-mc", &["-triple=amdgcn", "-mcpu=help", "/dev/null"]);
        let known: BTreeSet<&str> = known.split_whitespace().collect();
        CHIPS.iter().map(|chip| chip.1).filter(|chip| known.contains(chip)).collect()
    }

    /// The object of a source for a chip.
    fn object(&self, tool: &str, source: &str, chip: &str) -> Vec<u8> {
        let path = |name: &str| self.folder.path().join(name).display().to_string();
        let (from, to) = (path("source"), path("object"));
        std::fs::write(&from, source).expect("writes");
        let triple = if tool == "llc" { "-mtriple=amdgcn--amdpal" } else { "-triple=amdgcn--amdpal" };
        self.run(tool, &[triple, &format!("-mcpu={chip}"), "-filetype=obj", &from, "-o", &to]);
        std::fs::read(to).expect("was written")
    }

    /// What it prints of the notes.
    fn notes(&self, name: &str, object: &[u8]) -> String {
        let path = self.folder.path().join(name);
        std::fs::write(&path, object).expect("writes");
        self.run("llvm-readelf", &["--notes", &path.display().to_string()])
    }
}

/// Metadata as YAML on one line.
fn yaml(value: &Value) -> String {
    match value {
        Value::Map(entries) => {
            let entries = entries.iter().map(|(key, value)| format!("{}: {}", yaml(key), yaml(value)));
            format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => format!("[ {} ]", items.iter().map(yaml).collect::<Vec<_>>().join(", ")),
        Value::String(text) => text.as_str().expect("UTF-8").to_owned(),
        other => other.to_string(),
    }
}

/// A source with the code symbols and the metadata of a pipeline.
fn assembly(pipeline: &Pipeline, ip: Option<&str>, form: Form) -> String {
    let code = pipeline.stages.iter().map(|stage| {
        let symbol = format!("_amdgpu_{}_main", stage.name);
        format!("\t.globl {symbol}\n\t.p2align 8\n\t.type {symbol},@function\n{symbol}:\n\ts_endpgm\n")
    });
    let code: String = code.collect();
    let Value::Map(root) = pipeline.metadata(ip, form) else { panic!("is a map") };
    let root = root.iter().map(|(key, value)| format!("{}: {}\n", yaml(key), yaml(value))).collect::<String>();
    format!("\t.text\n{code}\t.amdgpu_pal_metadata\n---\n{root}...\n\t.end_amdgpu_pal_metadata\n")
}

/// Shaders of five hardware stages for `llc`, which writes their registers.
const SHADERS: &str = "
define amdgpu_cs void @_amdgpu_cs_main(i32 inreg %a, <3 x i32> %id) { ret void }
define amdgpu_ps void @_amdgpu_ps_main(i32 inreg %a, float %b) {
  call void @llvm.amdgcn.exp.f32(i32 0, i32 15, float %b, float %b, float %b, float %b, i1 true, i1 true)
  ret void
}
define amdgpu_vs void @_amdgpu_vs_main(i32 inreg %a, float %b) { ret void }
define amdgpu_gs void @_amdgpu_gs_main(i32 inreg %a, float %b) { ret void }
define amdgpu_hs void @_amdgpu_hs_main(i32 inreg %a, float %b) { ret void }
declare void @llvm.amdgcn.exp.f32(i32, i32, float, float, float, float, i1, i1)
";

/// An object with its name.
type Named = (String, Vec<u8>);

/// The tools, and every object that they make with its name: made once for all tests.
static MADE: LazyLock<(Llvm, Vec<Named>)> = LazyLock::new(|| {
    let llvm = Llvm::newest();
    let objects = objects(&llvm);
    (llvm, objects)
});

/// Every object, with its name.
fn objects(llvm: &Llvm) -> Vec<Named> {
    let chips = llvm.chips();
    let mut out = Vec::new();
    for chip in CHIPS.iter().filter(|chip| chips.contains(chip.1)) {
        for (at, pipeline) in pipelines(*chip).iter().enumerate() {
            for form in [Form::Words, Form::Named] {
                let name = format!("{} {at} {} {form:?}", chip.1, pipeline.kind);
                out.push((name, llvm.object("llvm-mc", &assembly(pipeline, chip.2, form), chip.1)));
            }
        }
        out.push((format!("{} llc", chip.1), llvm.object("llc", SHADERS, chip.1)));
    }
    out
}

/// The values of a text, in their order: numbers as such, however they are written.
fn values(text: &str) -> Vec<String> {
    let is_between = |c: char| c.is_whitespace() || ",[]{}".contains(c);
    let words = text.split(is_between).map(|word| word.trim_end_matches(':').trim_matches(['\'', '"']));
    let words = words.filter(|word| !["", "-", "---", "..."].contains(word));
    let number = |word: &str| match word.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => word.parse::<u64>().ok(),
    };
    words.map(|word| number(word).map_or_else(|| word.to_owned(), |number| number.to_string())).collect()
}

/// The contents of the notes that `llvm-readelf` prints, each with its owner.
fn printed(text: &str) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = Vec::new();
    for line in text.lines().skip_while(|line| !line.contains("Data size")).skip(1) {
        let mut words = line.split_whitespace();
        match (line.starts_with("  AMD"), words.next()) {
            (true, Some(owner)) => out.push((owner.to_owned(), String::new())),
            // The title of the contents, and a remark on metadata of another ABI than HSA's.
            _ if line.trim_end().ends_with("Metadata:") || line.contains("Invalid AMDGPU Metadata") => {}
            _ if line.contains("AMD HSA ISA Name:") || line.contains("AMD HSA ISA Version:") => {}
            // Fields with their names: `[Vendor: AMD, Major: 10]`.
            _ if line.trim_start().starts_with("[Vendor:") => {
                let fields = line.trim().trim_matches(['[', ']']).split(", ");
                let values: Vec<&str> = fields.filter_map(|field| Some(field.split_once(": ")?.1)).collect();
                out.last_mut().expect("has an owner").1 = values.join(" ");
            }
            _ => {
                if let Some((_, text)) = out.last_mut() {
                    text.push_str(line);
                    text.push('\n');
                }
            }
        }
    }
    out
}

/// What is shown of the notes, each with its owner.
fn shown(object: &CodeObject) -> Vec<(String, String)> {
    let content = |content: &Content| match content {
        Content::Metadata { tree } => tree.lines(98).into_iter().map(|(_, line)| line + "\n").collect(),
        Content::Text { text } => text.clone(),
        Content::Fields { fields } => fields.iter().map(|field| format!("{}\n", field.value)).collect(),
        other => format!("{other:?}"),
    };
    object.notes.iter().map(|note| (note.name.clone(), content(&note.content))).collect()
}

#[test]
fn shows_every_value_that_llvm_prints_and_no_other() {
    let (llvm, objects) = &*MADE;
    let is_new = llvm.chips().contains("gfx1201");
    assert!(objects.len() >= if is_new { 60 } else { 36 }, "{} objects", objects.len());
    let mut stages = BTreeSet::new();
    let mut forms = Vec::new();
    for (name, bytes) in objects {
        let object = CodeObject::read(name, bytes).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(object.findings, [], "{name}");
        assert_eq!(object.header.chip.as_deref(), name.split(' ').next(), "{name}");
        let of = |notes: Vec<(String, String)>| -> Vec<_> {
            notes.into_iter().map(|(owner, text)| (owner, values(&text))).collect()
        };
        let (expected, found) = (of(printed(&llvm.notes("shown", bytes))), of(shown(&object)));
        assert!(expected.iter().any(|(_, values)| values.len() > 10), "{name}: {expected:?}");
        assert_eq!(found, expected, "{name}");
        stages.extend(object.symbols.iter().filter_map(|symbol| symbol.stage).map(|stage| stage.name()));
        forms.extend(object.registers.iter().map(|register| register.form));
    }
    assert!(["cs", "ps", "vs", "gs", "hs"].iter().all(|stage| stages.contains(stage)), "{stages:?}");
    assert!(
        [RegisterForm::Numbers, RegisterForm::Graphics, RegisterForm::Compute].iter().all(|own| forms.contains(own))
    );
}

/// What each user SGPR holds, where it is an entry.
fn entries(object: &CodeObject) -> Vec<Option<u64>> {
    let sgprs = object.pipelines.iter().flat_map(|pipeline| &pipeline.user_data).flat_map(|data| &data.sgprs);
    sgprs.map(|sgpr| if let Holds::Entry { entry } = sgpr.holds { Some(entry) } else { None }).collect()
}

#[test]
fn repacked_objects_have_another_mapping_and_nothing_else() {
    let (llvm, objects) = &*MADE;
    let mut count = 0;
    for (name, bytes) in objects {
        let before = CodeObject::read(name, bytes).expect("is an object");
        let held: BTreeSet<u64> = entries(&before).into_iter().flatten().collect();
        if held.is_empty() {
            continue;
        }
        count += 1;
        let layouts: [fn(u64) -> u64; 3] = [|entry| entry + 3, |entry| 20 - entry, |entry| 7 * entry + 100];
        for layout in layouts {
            let moves: BTreeMap<u64, u64> = held.iter().map(|entry| (*entry, layout(*entry))).collect();
            let wanted = Layout { entries: moves.clone(), hash: None };
            let repacked = repack(name, bytes, &wanted).unwrap_or_else(|why| panic!("{name}: {why}"));
            let expected: Vec<_> = entries(&before).iter().map(|entry| entry.map(|entry| moves[&entry])).collect();
            assert_eq!(entries(&repacked.object), expected, "{name}");
            let limit = moves.values().max().map(|highest| highest + 1);
            assert_eq!(repacked.object.pipelines[0].user_data_limit, limit, "{name}");
            let differing: BTreeSet<&str> = compare(&before, &repacked.object)
                .sections
                .iter()
                .filter(|section| !section.equal)
                .map(|section| section.name.name())
                .collect();
            assert_eq!(differing, BTreeSet::from([Part::Pipeline.name(), Part::UserData.name()]), "{name}");
            // LLVM reads the same: values that differ are entries and the limit.
            let [old, new] = [bytes, &repacked.bytes].map(|bytes| values(&llvm.notes("repacked", bytes)));
            let changed: Vec<_> = old.iter().zip(&new).filter(|(old, new)| old != new).collect();
            let is_note_size = |text: &str| text.parse::<u64>().is_ok_and(|size| size > 200);
            let of_layout = |old: &str, new: &str| {
                let [old, new] = [old, new].map(|text| text.parse::<u64>().ok());
                old.is_some_and(|old| moves.get(&old).copied() == new) || new == limit
            };
            assert!(old.len() == new.len(), "{name}");
            assert!(changed.iter().all(|(old, new)| of_layout(old, new) || is_note_size(old)), "{name}: {changed:?}");
        }
    }
    assert!(count >= 36, "{count} objects with user data");
}
