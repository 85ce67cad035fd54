//! Small programs by construct, in `data/constructs`, each with expected facts from the specification. `manifest.jsonl`
//! there has one line a program, whose members are those of [`Line`].

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use lanescope_core::analyse;
use lanescope_core::findings::Severity;
use lanescope_core::load::{LoadError, LoadOptions, load_with_options};
use lanescope_core::options::Options;
use lanescope_core::packing::{Mapping, Packing};
use lanescope_core::report::Report;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// One program.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    /// Its files, below the folder.
    files: Vec<String>,
    /// `opens`; `opens with CODE, CODE`, which are all findings of severity error or warning; or `refused: TEXT`, where
    /// the text is a part of the message.
    outcome: String,
    /// Options by their names in the report; `own_options` takes none from a description.
    #[serde(default)]
    options: Map<String, Value>,
    /// What holds of the report, by the names in [`found`].
    #[serde(default)]
    facts: BTreeMap<String, Value>,
    /// Where the outcome and the facts are from.
    why: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/constructs")
}

fn manifest() -> Vec<Line> {
    let text = std::fs::read_to_string(folder().join("manifest.jsonl")).expect("the manifest is there");
    let line =
        |(n, line): (usize, &str)| serde_json::from_str(line).unwrap_or_else(|error| panic!("line {}: {error}", n + 1));
    text.lines().enumerate().map(line).collect()
}

/// The options of a line over the defaults, and whether those of a description stay out.
fn options(line: &Line) -> (Options, bool) {
    let mut all = serde_json::to_value(Options::default()).expect("options are JSON");
    let own = line.options.get("own_options") == Some(&Value::Bool(true));
    for (name, value) in line.options.iter().filter(|(name, _)| *name != "own_options") {
        all[name] = value.clone();
    }
    let options: Options = serde_json::from_value(all).unwrap_or_else(|error| panic!("{:?}: {error}", line.files));
    let kept = serde_json::to_value(&options).expect("options are JSON");
    for name in line.options.keys().filter(|name| *name != "own_options") {
        assert!(kept.get(name).is_some(), "{:?}: no option `{name}`, or its default", line.files);
    }
    (options, own)
}

fn report(line: &Line) -> Result<Report, LoadError> {
    let (given, own) = options(line);
    let paths: Vec<PathBuf> = line.files.iter().map(|file| folder().join(file)).collect();
    let program = load_with_options(&paths, &LoadOptions::of(&given))?;
    let options = if own { given } else { program.options(&given) };
    Ok(analyse(&program, &options).unwrap_or_else(|error| panic!("{:?}: {error}", line.files)))
}

/// What of a report a fact compares with the manifest.
struct Found<'r> {
    report: &'r Report,
    json: Value,
}

fn moved(from: String, to: &Value) -> String {
    let high = if to["half"] == true { "h" } else { "" };
    format!("{from}>{}.{}{high}", to["location"], to["component"])
}

/// The members of an object that the manifest names.
fn named(wanted: &Value, find: impl Fn(&str) -> Value) -> Value {
    let wanted = wanted.as_object().expect("the fact is an object");
    Value::Object(wanted.keys().map(|name| (name.clone(), find(name))).collect())
}

fn strings<T: ToString>(of: impl IntoIterator<Item = T>) -> Vec<String> {
    of.into_iter().map(|text| text.to_string()).collect()
}

/// The words of a fact that is one text.
fn words(wanted: &Value) -> Vec<String> {
    strings(wanted.as_str().expect("the fact is a text").split_whitespace())
}

impl Found<'_> {
    fn packing(&self) -> &Packing {
        self.report.packing.as_ref().expect("the report has a packing")
    }

    fn codes(&self) -> impl Iterator<Item = (&str, Severity)> {
        self.report.findings.iter().map(|finding| (finding.code.as_str(), finding.severity))
    }

    /// A register of the packed interface, or of a workgroup.
    fn register(&self, name: &str) -> Option<&Value> {
        let all = self.json["registers"].as_array()?;
        all.iter().find(|register| register["name"] == name && register["from"] != "unpacked")
    }

    /// Places as written with where they went, of one of the packing's lists.
    fn moves(&self, list: &str) -> Vec<String> {
        let all = self.json["packing"][list].as_array().cloned().unwrap_or_default();
        let from = |row: &Value| format!("{}.{}", row["location"], row["component"]);
        all.iter().map(|row| moved(from(row), &row["to"])).collect()
    }

    /// `SET.BINDING KIND xCOUNT`, in the order of set and binding.
    fn bindings(&self) -> Vec<String> {
        let resources = self.report.partial.first().map(|stage| stage.resources.as_slice()).unwrap_or_default();
        let row = |r: &lanescope_core::guessed_layout::Resource| {
            let runtime = if r.runtime { " runtime" } else { "" };
            let unused = if r.used { "" } else { " unused" };
            format!("{}.{} {} x{}{runtime}{unused}", r.set, r.binding, r.kind, r.array_size)
        };
        let mut rows: Vec<String> = resources.iter().map(row).collect();
        rows.sort();
        rows
    }

    /// Interpolation of places; without a place in the pixel where the manifest says none.
    fn interpolation(&self, wanted: &Value) -> Value {
        named(wanted, |name| {
            let is_named = |m: &&Mapping| format!("{}.{}", m.from.location.0, m.from.component.0) == name;
            let found = self.packing().map.iter().find(is_named);
            let Some(found) = found else { return Value::Null };
            match wanted[name].as_str().is_some_and(|text| text.contains(' ')) {
                true => json!(format!("{} {}", found.interpolation, found.at)),
                false => json!(found.interpolation.to_string()),
            }
        })
    }

    fn workgroup(&self) -> Value {
        self.json["workgroup"].as_array().and_then(|all| all.last()).cloned().unwrap_or_default()
    }

    fn inner(&self) -> Vec<String> {
        let row = |packing: &Packing| {
            let producer = packing.producer.map(|stage| stage.to_string()).unwrap_or_default();
            let patch = if packing.per_patch { " patch" } else { "" };
            let slots = &packing.slots;
            format!("{producer} > {}{patch} {} {}", packing.consumer, slots.before, slots.after)
        };
        self.report.inner_packing.iter().map(row).collect()
    }

    /// What a fact says, and what the manifest wants of it in the same form.
    fn fact(&self, name: &str, wanted: &Value) -> (Value, Value) {
        let partial = &self.json["partial"][0];
        // The wanted ones of a list, of which there may be more.
        let among = |all: Vec<String>, wanted: Vec<String>| {
            let kept: Vec<&String> = wanted.iter().filter(|one| all.contains(one)).collect();
            (json!(kept), json!(wanted))
        };
        let same = |found: Value| (found, wanted.clone());
        match name {
            // Stages and entry points, in order.
            "stages" => same(json!(strings(self.report.stages.iter().map(|stage| stage.stage)))),
            "entries" => same(json!(strings(self.report.stages.iter().map(|stage| &stage.entry)))),
            // Attribute slots before and after packing.
            "slots" => same(json!([self.packing().slots.before, self.packing().slots.after])),
            // Scalars of the fragment inputs or of the outputs before, `LOCATION.COMPONENT>SLOT.COMPONENT`, `h` for
            // high.
            "moves" => among(self.moves("map"), words(wanted)),
            "outputs_moved" => among(self.moves("outputs"), words(wanted)),
            "missing" | "dropped" => {
                let all = self.json["packing"][name].as_array().cloned().unwrap_or_default();
                let found: Vec<String> =
                    all.iter().map(|row| format!("{}.{}", row["location"], row["component"])).collect();
                (json!(found), json!(words(wanted)))
            }
            // The mask of each export.
            "exports" => same(json!(self.packing().exports.iter().map(|export| export.mask).collect::<Vec<_>>())),
            "interpolation" => same(self.interpolation(wanted)),
            // `PRODUCER > CONSUMER` of the fragment's interface; of the inner ones with their slots.
            "packing" => {
                let producer = self.packing().producer.map_or("nothing".to_owned(), |stage| stage.to_string());
                same(json!(format!("{producer} > {}", self.packing().consumer)))
            }
            "inner" => same(json!(self.inner())),
            // The last workgroup: members, and the invocation of a hardware thread.
            "workgroup" => same(named(wanted, |member| self.workgroup()[member].clone())),
            "lanes" => same(named(wanted, |lane| {
                self.workgroup()["lanes"][lane.parse::<usize>().expect("a lane is a number")].clone()
            })),
            // Of the first fragment or compute stage.
            "bindings" => {
                let mut sorted = strings(wanted.as_array().expect("a list").iter().filter_map(Value::as_str));
                sorted.sort();
                (json!(self.bindings()), json!(sorted))
            }
            "push" => same(partial["push_constants"]["bytes"].clone()),
            "outputs" => {
                let row = |row: &Value| {
                    let index = if row["index"] == 0 { "" } else { "/1" };
                    let basic = row["basic_type"].as_str().unwrap_or_default();
                    format!("{}{index} {basic} x{}", row["location"], row["components"])
                };
                let all = partial["outputs"].as_array().cloned().unwrap_or_default();
                same(json!(all.iter().map(row).collect::<Vec<_>>()))
            }
            "usage" => same(named(wanted, |flag| partial["usage"][flag].clone())),
            // Register values, and fields as `REGISTER.FIELD`.
            "registers" => {
                same(named(wanted, |name| self.register(name).map(|row| row["value"].clone()).unwrap_or_default()))
            }
            "fields" => same(named(wanted, |name| {
                let (register, field) = name.split_once('.').expect("a register and a field");
                let fields = self.register(register).and_then(|row| row["fields"].as_array());
                let found = fields.and_then(|fields| fields.iter().find(|row| row["name"] == field));
                found.map(|row| row["value"].clone()).unwrap_or_default()
            })),
            // All specialization constants with their types and values.
            "constants" => {
                let row = |c: &lanescope_core::report::SpecConstant| {
                    (c.id.to_string(), json!(format!("{} {}", c.type_name, c.value)))
                };
                same(Value::Object(self.report.spec_constants.iter().map(row).collect()))
            }
            // Codes of notes that are raised, of findings that are not, and how often.
            "notes" | "no_notes" => {
                let wanted: Vec<&str> = wanted.as_array().expect("a list").iter().filter_map(Value::as_str).collect();
                let raised = |code: &&str| self.codes().any(|(known, s)| known == *code && s == Severity::Note);
                let kept: Vec<&str> = wanted.iter().copied().filter(|code| raised(code) == (name == "notes")).collect();
                (json!(kept), json!(wanted))
            }
            "counts" => same(named(wanted, |code| json!(self.codes().filter(|(known, _)| *known == code).count()))),
            // Anything else, by JSON pointers into the report.
            "at" => same(named(wanted, |pointer| self.json.pointer(pointer).cloned().unwrap_or_default())),
            _ => panic!("no fact is called `{name}`"),
        }
    }
}

/// What the manifest says and does not hold of a program.
fn disagreements(line: &Line) -> Vec<String> {
    let report = match (report(line), line.outcome.strip_prefix("refused: ")) {
        (Err(error), Some(text)) if error.to_string().contains(text) => return Vec::new(),
        (Err(error), _) => return vec![format!("outcome: expected {}, found: {error}", line.outcome)],
        (Ok(_), Some(_)) => return vec![format!("outcome: expected {}, but it opens", line.outcome)],
        (Ok(report), None) => report,
    };
    let found = Found { json: serde_json::to_value(&report).expect("a report is JSON"), report: &report };
    let codes = line.outcome.strip_prefix("opens with ").map(|codes| codes.split(", ").collect()).unwrap_or_default();
    let wanted: BTreeSet<&str> = codes;
    assert!(!wanted.is_empty() || line.outcome == "opens", "{:?}: outcome `{}`", line.files, line.outcome);
    let raised: BTreeSet<&str> = found.codes().filter(|(_, s)| *s != Severity::Note).map(|(code, _)| code).collect();
    let mut out = Vec::new();
    if raised != wanted {
        let messages = report.findings.iter().map(|finding| format!("{} {}", finding.code, finding.message));
        out.push(format!("findings: expected {wanted:?}, found {:#?}", messages.collect::<Vec<_>>()));
    }
    for (name, wanted) in &line.facts {
        let (found, wanted) = found.fact(name, wanted);
        if found != wanted {
            out.push(format!("{name}: expected {wanted}, found {found}"));
        }
    }
    out
}

#[test]
fn programs_have_the_facts_of_the_specification() {
    let lines = manifest();
    assert!(lines.len() >= 200, "{} programs", lines.len());
    let next = std::sync::atomic::AtomicUsize::new(0);
    let work = || {
        let mut wrong = Vec::new();
        while let Some(line) = lines.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
            let of_line = disagreements(line);
            wrong
                .extend(of_line.into_iter().map(|text| format!("{} ({})\n    {text}", line.files.join(" "), line.why)));
        }
        wrong
    };
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("the thread ends")).collect()
    });
    assert!(wrong.is_empty(), "{} disagreements\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_manifest_names_each_program_with_facts_and_reasons() {
    let lines = manifest();
    let mut named: BTreeSet<String> = BTreeSet::from(["manifest.jsonl".to_owned()]);
    for line in &lines {
        assert!(!line.why.is_empty() && line.facts.len() <= 5, "{:?}", line.files);
        let refused = line.outcome.starts_with("refused: ");
        assert!(refused == line.facts.is_empty(), "{:?}: facts are of programs that open", line.files);
        named.extend(line.files.iter().cloned());
    }
    let mut work = vec![folder()];
    while let Some(below) = work.pop() {
        for entry in std::fs::read_dir(&below).expect("the folder is there") {
            let path = entry.expect("reads").path();
            let name = path.strip_prefix(folder()).expect("below the folder").to_string_lossy().into_owned();
            // What other files include.
            let is_part = ["shared", "parts"].iter().any(|part| name.split('/').any(|word| word == *part));
            if path.is_dir() {
                work.push(path);
            } else {
                assert!(is_part || named.contains(&name), "no line names {name}");
            }
        }
    }
}
