//! A module for each capability, and how far it gets: opened, analysed, rewritten, interpreted, compiled by Mesa's RADV and
//! lavapipe, run by lavapipe. What is measured is the table of `doctor --capabilities`
//! (`core/exec/src/gpu/coverage.tsv`, written with `UPDATE_CAPABILITIES=1`). What a plain Vulkan program compiles, this
//! library compiles too; `capabilities.sh` looks at the drivers of other systems.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use ash::vk::DriverId;
use lanescope_core::analyse;
use lanescope_core::chip::{Chip, Vendor};
use lanescope_core::driver::{CompileOptions, Version, Way, compile, environment};
use lanescope_core::gpu::interpret::{self, Waves};
use lanescope_core::gpu::{Coverage, DeviceOptions, GpuError, Inputs, all_capabilities, coverage, run_program};
use lanescope_core::load::{LoadOptions, Validation, load, load_with_options};
use lanescope_core::options::Options;
use lanescope_core::packing::rewrite::rewrite as pack;
use lanescope_core::program::{Program, StageKind};
use lanescope_core::target::Target;
use lanescope_core::workgroup::rewrite::rewrite as swizzle;

#[path = "capabilities/plain.rs"]
mod plain;

/// The modules' folder, where it is not that of the sources, and the drivers of another system: chips, or `llvmpipe`.
const SAMPLES: &str = "LANESCOPE_CAPABILITY_SAMPLES";
const DRIVERS: &str = "LANESCOPE_CAPABILITY_DRIVERS";
/// Prints the results of all modules.
const ALL_RESULTS: &str = "LANESCOPE_CAPABILITY_RESULTS";
/// The arguments of the child: a chip, where it is not lavapipe; where it answers; the first task.
const CHIP: &str = "LANESCOPE_TEST_CHIP";
const ANSWER: &str = "LANESCOPE_TEST_ANSWER";
const FIRST: &str = "LANESCOPE_TEST_FIRST";
/// Writes the table.
const UPDATE: &str = "UPDATE_CAPABILITIES";

/// The validation layer repeats a rule ten times only, and is silent then; older and newer ones have other names for that.
const ALL_MESSAGES: [(&str, &str); 4] = [
    ("VK_LAYER_ENABLE_MESSAGE_LIMIT", "false"),
    ("VK_LAYER_DUPLICATE_MESSAGE_LIMIT", "1000000"),
    ("VK_KHRONOS_VALIDATION_ENABLE_MESSAGE_LIMIT", "false"),
    ("VK_KHRONOS_VALIDATION_DUPLICATE_MESSAGE_LIMIT", "1000000"),
];
const CHIP_OF_RADV: Target = Target::Gfx1030;
const SOFTWARE: &str = "llvmpipe";
const YES: &str = "yes";
/// A plain program compiled it, and no layer says whether it may.
const UNCHECKED: &str = "compiles, without validation";

/// What a child does with a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
enum Task {
    Compile,
    /// With a plain program.
    Plain,
    Run,
}

/// Results by capability and task.
type Answers = BTreeMap<(String, Task), String>;

/// The result of a task: `yes`, or why not.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
struct Line {
    at: usize,
    result: String,
}

fn folder() -> PathBuf {
    let own = || Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/capabilities");
    std::env::var_os(SAMPLES).map_or_else(own, PathBuf::from)
}

/// The driver of a chip, as Vulkan numbers them.
fn driver_of(chip: Option<Chip>) -> DriverId {
    match chip.map(Chip::vendor) {
        None => DriverId::MESA_LLVMPIPE,
        Some(Vendor::Amd) => DriverId::MESA_RADV,
        Some(Vendor::Nvidia) => DriverId::MESA_NVK,
        Some(Vendor::Qualcomm) => DriverId::MESA_TURNIP,
        // `VK_DRIVER_ID_MESA_HONEYKRISP`.
        Some(Vendor::Apple) => DriverId::from_raw(26),
        Some(other) => panic!("no driver of {other:?}"),
    }
}

/// The modules by the capabilities that they are for.
fn samples() -> BTreeMap<String, PathBuf> {
    let files = std::fs::read_dir(folder()).expect("a folder").map(|file| file.expect("a file").path());
    let modules = files.filter(|path| path.extension().is_some_and(|extension| extension == "spvasm"));
    modules.map(|path| (path.file_stem().expect("a name").to_string_lossy().into_owned(), path)).collect()
}

/// Whether the validator that is built in knows a module's capability, and the module, which is valid.
fn opened_with(path: &Path) -> Result<(Program, bool), String> {
    let error = match load(&[path.to_owned()], &[]) {
        Ok(program) => return Ok((program, true)),
        Err(error) => error.to_string(),
    };
    if !error.contains("Invalid capability operand") {
        return Err(error);
    }
    let anyway = LoadOptions { validation: Validation::Reported, ..LoadOptions::default() };
    let program = load_with_options(&[path.to_owned()], &anyway).map_err(|error| error.to_string())?;
    Ok((program, false))
}

fn opened(path: &Path) -> Result<Program, String> {
    opened_with(path).map(|(program, _)| program)
}

fn tasks() -> Vec<(String, PathBuf, Task)> {
    let of = |(name, path): (String, PathBuf)| {
        [Task::Compile, Task::Plain, Task::Run].map(|task| (name.clone(), path.clone(), task))
    };
    samples().into_iter().flat_map(of).collect()
}

fn text(result: Result<(), String>) -> String {
    result.map_or_else(|why| why, |()| YES.to_owned())
}

/// An error in a few words.
fn brief(error: GpuError) -> String {
    match error {
        GpuError::Lacks { what, .. } => format!("needs {what}"),
        GpuError::Unsupported(what) if what.ends_with(" cannot be run") => "modules with it are not run".to_owned(),
        other => without_place(&other.to_string()).to_owned(),
    }
}

/// A reason without the descriptor's number in front.
fn without_place(text: &str) -> &str {
    match text.split_once(": ") {
        Some((place, why)) if place.starts_with("set") => why,
        _ => text,
    }
}

fn rewritten(program: &Program) -> String {
    let options = Options { reconfig: true, ..Options::default() };
    let has = |wanted: fn(StageKind) -> bool| program.stages.iter().any(|stage| wanted(stage.stage));
    let changed = |after: &Program| {
        let mut pairs = program.modules.iter().zip(&after.modules);
        pairs.any(|(before, after)| before.module != after.module)
    };
    if has(StageKind::has_workgroup) {
        return match swizzle(program, &options) {
            Ok(done) if changed(&done.program) => YES.to_owned(),
            Ok(done) => done.stages.first().map_or("no".to_owned(), |stage| stage.why.clone()),
            Err(error) => error.to_string(),
        };
    }
    match pack(program, &options) {
        Ok(done) if changed(&done.program) => YES.to_owned(),
        Ok(_) => "no".to_owned(),
        Err(error) => error.to_string(),
    }
}

fn interpreted(program: &Program) -> String {
    let waves = Waves::predicted(program, &Options::default());
    let inputs = Inputs { fill: 3, ..Inputs::default() };
    let done = interpret::run(program, &waves, Some([1; 3]), &inputs, Duration::from_secs(20));
    text(done.map(|_| ()).map_err(|error| {
        let error = error.to_string();
        // `OpX %5 at word 80 (byte 0x140): not supported: why`
        match (error.split_once(" at word "), error.split_once("not supported: ")) {
            (Some((op, _)), Some((_, "this instruction"))) => opcode(op).to_owned(),
            (Some((op, _)), Some((_, why))) => format!("{}: {}", opcode(op), without_id(why)),
            _ => without_place(&error).to_owned(),
        }
    }))
}

/// `a value of type %24` without the id.
fn without_id(why: &str) -> &str {
    why.split(" of type %").next().unwrap_or(why)
}

/// The instruction's name in `interpreter: OpX %5`.
fn opcode(text: &str) -> &str {
    text.split(' ').find(|word| word.starts_with("Op")).unwrap_or_default()
}

/// What a driver's child answers, by capability and task, with the driver's version; none where there is no such device.
fn ask(way: Option<&Way>, chip: Option<Chip>) -> Option<(Answers, String)> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let answer = folder.path().join("answer.jsonl");
    let all = tasks();
    let mut out = BTreeMap::new();
    let mut first = 0;
    let mut driver = String::new();
    while first < all.len() {
        let mut child = Command::new(std::env::current_exe().expect("this executable"));
        child.args(["capabilities::child", "--exact", "--ignored", "--nocapture"]);
        child.envs(environment(way)).env(ANSWER, &answer).env(FIRST, first.to_string());
        child.envs(ALL_MESSAGES);
        if let Some(chip) = chip {
            child.env(CHIP, chip.name());
        }
        let output = child.output().expect("it starts");
        let lines = std::fs::read_to_string(&answer).unwrap_or_default();
        let mut lines = lines.lines();
        driver = lines.next().map_or(driver, str::to_owned);
        for line in lines {
            let line: Line = serde_json::from_str(line).expect("is JSON");
            let (name, _, task) = &all[line.at];
            out.insert((name.clone(), *task), line.result);
            first = line.at + 1;
        }
        if driver.is_empty() {
            return None;
        }
        if output.status.success() {
            break;
        }
        if let Some((name, _, task)) = all.get(first) {
            out.insert((name.clone(), *task), format!("the driver's process ended: {}", output.status));
            first += 1;
        }
    }
    Some((out, driver))
}

#[test]
#[ignore = "runs in a process whose environment names a chip"]
fn child() {
    let chip: Option<Chip> = std::env::var(CHIP).ok().map(|chip| chip.parse().expect("is a chip"));
    let first: usize = std::env::var(FIRST).expect("a number").parse().expect("a number");
    let answer = PathBuf::from(std::env::var(ANSWER).expect("a place is named"));
    let with =
        CompileOptions { chip, device: chip.is_none().then(|| SOFTWARE.to_owned()), ..CompileOptions::default() };
    // Without an answer, this way does not lead to the chip.
    let Some(plain) = plain::Plain::open(driver_of(chip)) else {
        return;
    };
    let mut written = format!("{}\n", plain.driver);
    std::fs::write(&answer, &written).expect("writes");
    for (at, (_, path, task)) in tasks().iter().enumerate().skip(first) {
        let result = opened(path).and_then(|program| one(&program, *task, &with, &plain));
        let line = serde_json::to_string(&Line { at, result: text(result) }).expect("is JSON");
        writeln!(written, "{line}").expect("memory");
        std::fs::write(&answer, &written).expect("writes");
    }
}

fn one(program: &Program, task: Task, with: &CompileOptions, plain: &plain::Plain) -> Result<(), String> {
    match task {
        Task::Compile => compile(program, &Options::default(), Version::Original, with).map(|_| ()).map_err(brief),
        Task::Plain => {
            plain.compiles(program.modules[0].module.words())?;
            // It may have compiled what the device does not offer.
            if plain.is_validated { Ok(()) } else { Err(UNCHECKED.to_owned()) }
        }
        Task::Run if with.chip.is_some() => Err("a chip runs nothing".to_owned()),
        Task::Run => {
            let device = DeviceOptions { device: with.device.clone(), ..DeviceOptions::default() };
            let inputs = Inputs { fill: 3, ..Inputs::default() };
            run_program(&device, program, Some([1; 3]), &inputs).map(|_| ()).map_err(brief)
        }
    }
}

/// What two drivers do with the modules.
struct Measured {
    rows: BTreeMap<String, [String; 6]>,
    /// What a plain program compiles and this library does not.
    behind: Vec<String>,
    drivers: [String; 2],
}

/// What this library does with a module, without a driver.
fn without_driver(path: &Path) -> [String; 4] {
    let (program, is_known) = opened_with(path).unwrap_or_else(|why| panic!("{why}"));
    let opens = if is_known { YES } else { "needs a newer validator, or --no-validate" };
    let analysed = analyse(&program, &Options::default()).map(|_| ()).map_err(|error| error.to_string());
    [opens.to_owned(), text(analysed), rewritten(&program), interpreted(&program)]
}

/// Whether this library refuses what a plain program compiles with a driver that offers it.
fn is_behind(own: &str, plain: &str) -> bool {
    let is_valid = plain == YES || plain == UNCHECKED && !is_unchecked(own, plain);
    own != YES && is_valid
}

/// Whether nothing says that the driver offers what this library says it lacks: there is no validation.
fn is_unchecked(own: &str, plain: &str) -> bool {
    plain == UNCHECKED && own.starts_with("needs ")
}

/// What a driver's child answers, for a chip or lavapipe; none where there is no such driver.
fn ask_driver(chip: Option<Chip>) -> Option<(Answers, String)> {
    match chip {
        Some(chip) => Way::to(chip, None).iter().find_map(|way| ask(Some(way), Some(chip))),
        None => ask(None, None),
    }
}

fn measure() -> Measured {
    let samples = samples();
    let (radv, software, own) = std::thread::scope(|scope| {
        let radv = scope.spawn(|| ask_driver(Some(CHIP_OF_RADV.into())));
        let software = scope.spawn(|| ask_driver(None).expect("lavapipe"));
        let own: Vec<_> = samples.values().map(|path| without_driver(path)).collect();
        let radv = radv.join().expect("it ends").expect("RADV compiles for the chip");
        (radv, software.join().expect("it ends"), own)
    });
    let mut rows = BTreeMap::new();
    let mut behind = Vec::new();
    for (name, [opens, analysed, rewritten, interpreted]) in samples.into_keys().zip(own) {
        let of = |driver: &Answers, task| driver[&(name.clone(), task)].clone();
        for (driver, which) in [(&radv.0, "RADV"), (&software.0, "lavapipe")] {
            let (own, plain) = (of(driver, Task::Compile), of(driver, Task::Plain));
            println!("{name} {which}: {own} | plain: {plain}");
            if is_behind(&own, &plain) {
                behind.push(format!("{name}, {which}: {own}"));
            }
        }
        let compiled = [&radv.0, &software.0].map(|driver| of(driver, Task::Compile));
        let compiled = compiled.iter().find(|result| *result == YES).unwrap_or(&compiled[0]).clone();
        let row = [opens, analysed, rewritten, interpreted, compiled, of(&software.0, Task::Run)];
        rows.insert(name, row.map(|column| column.replace(['\n', '\t'], " ")));
    }
    Measured { rows, behind, drivers: [radv.1, software.1] }
}

#[test]
fn the_table_says_what_happens_and_nothing_that_a_plain_program_compiles_is_refused() {
    let measured = measure();
    let of = |row: &(&String, &[String; 6])| format!("{}\t{}\n", row.0, row.1.join("\t"));
    if std::env::var_os(UPDATE).is_some() {
        let table: String = measured.rows.iter().map(|row| of(&row)).collect();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("exec/src/gpu/coverage.tsv");
        std::fs::write(path, table).expect("writes");
        println!("behind: {:#?}", measured.behind);
        return;
    }
    assert!(measured.behind.is_empty(), "{:#?}", measured.behind);
    let table: BTreeMap<String, Coverage> = coverage().into_iter().map(|row| (row.capability.clone(), row)).collect();
    // The drivers that the table is of.
    let is_same = measured.drivers.iter().all(|driver| driver.contains("Mesa 22.3"));
    for (name, found) in &measured.rows {
        let said = table[name].columns();
        assert_eq!(found[..4], said[..4], "{name}: {UPDATE}=1 writes the table");
        for (found, said) in found.iter().zip(said).skip(4) {
            // Another version may lack what a capability needs, or offer more.
            let may_differ = if said == YES { found.starts_with("needs ") } else { true };
            assert!(found == said || (may_differ && !is_same), "{name}: {found}, in the table: {said}");
        }
    }
}

#[test]
fn samples_declare_their_capabilities_and_the_table_has_all_of_the_grammar() {
    let names: Vec<String> = all_capabilities().into_iter().map(|named| named.name).collect();
    let table: Vec<String> = coverage().into_iter().map(|row| row.capability).collect();
    assert_eq!(table, names, "a line for every capability of the grammar");
    let samples = samples();
    assert!(samples.len() > 60, "{}", samples.len());
    for (name, path) in &samples {
        assert!(names.contains(name), "{name} is no capability");
        let program = opened(path).unwrap_or_else(|why| panic!("{why}"));
        let number = all_capabilities().iter().find(|named| named.name == *name).expect("named").number;
        let insts = program.modules[0].module.insts();
        let declares = insts.filter(|inst| inst.name() == "OpCapability").any(|inst| inst.word_at(1) == number);
        assert!(declares, "{name}");
    }
    for row in coverage() {
        assert!(
            samples.contains_key(&row.capability) || !row.columns().contains(&YES),
            "{}: no sample",
            row.capability
        );
    }
}

/// Prints a line for each driver of this system that is named, and below the table what is refused.
#[test]
#[ignore = "measures the drivers of another system: capabilities.sh"]
fn nothing_that_a_plain_program_compiles_is_refused_with_these_drivers() {
    let named = std::env::var(DRIVERS).expect("drivers are named");
    let mut behind = Vec::new();
    for name in named.split(',') {
        let chip: Option<Chip> = (name != SOFTWARE).then(|| name.parse().expect("a chip"));
        let Some((answers, driver)) = ask_driver(chip) else { panic!("{name}: no driver compiles for it") };
        let names = || samples().into_keys();
        let of = |name: &String, task| answers.get(&(name.clone(), task)).map_or("no answer", String::as_str);
        let compiles = |task| names().filter(|name| [YES, UNCHECKED].contains(&of(name, task))).count();
        let refused: Vec<_> =
            names().filter(|name| is_behind(of(name, Task::Compile), of(name, Task::Plain))).collect();
        let unchecked = names().filter(|name| is_unchecked(of(name, Task::Compile), of(name, Task::Plain))).count();
        let columns = [names().count(), compiles(Task::Plain), compiles(Task::Compile), refused.len(), unchecked];
        println!("| {name} | {driver} | {} |", columns.map(|count| count.to_string()).join(" | "));
        for sample in names() {
            let (own, plain) = (of(&sample, Task::Compile), of(&sample, Task::Plain));
            let differs = (own == YES) != [YES, UNCHECKED].contains(&plain);
            if differs || std::env::var_os(ALL_RESULTS).is_some() {
                println!("    {sample}: {own}; plain program: {plain}");
            }
        }
        behind.extend(refused.into_iter().map(|sample| format!("{name}: {sample}")));
    }
    assert!(behind.is_empty(), "{behind:#?}");
}
