//! Bug reports for compilers, one folder each: modules, pipeline description if any, command, versions, the failure.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use lanescope_core::driver::{self, CompileOptions, Failure, Version};
use lanescope_core::options::{Options, WaveChoice};
use lanescope_core::pipeline::foz::{Writer, make};
use lanescope_core::program::{Program, StageKind};
use lanescope_core::run::Blob;
use lanescope_core::spirv::Module;

use crate::safe_write::write_files;
use crate::worker::{Client, DisassembleRequest, Launch, Limits, Reply, Request, WorkerError};

/// The most failures of one name that are kept.
const MOST: u32 = 99;

/// Writes modules as text in a child of its own: the disassembler is foreign code, and this module ended a compiler.
/// `on_start` sees each child before it is asked anything.
pub fn in_child(base: Launch, on_start: impl Fn(&Client)) -> impl FnMut(&Module) -> Result<String, String> {
    let mut child: Option<Client> = None;
    move |module| {
        let mut client = match child.take() {
            Some(client) => client,
            None => Client::start(&base).inspect(&on_start).map_err(|error| error.to_string())?,
        };
        let request = DisassembleRequest { module: module.clone(), name: "a module".to_owned(), held_to: None };
        let reply = client.ask(&Request::Disassemble(Box::new(request)));
        if matches!(reply, Ok(_) | Err(WorkerError::Failed(_))) {
            child = Some(client);
        }
        match reply {
            Ok(Reply::Disassembled(text)) => Ok(text),
            Ok(_) => Err(crate::worker::OTHER_ANSWER.to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// A failure of a compiler, with what repeats it.
#[derive(Clone, Copy)]
pub struct Repro<'r> {
    /// What was compiled.
    pub program: &'r Program,
    /// Its options.
    pub options: &'r Options,
    /// Which version of the program it is.
    pub of: Version,
    /// How it failed.
    pub failure: &'r Failure,
    /// The driver.
    pub with: &'r CompileOptions,
    /// The limits of its child.
    pub limits: Limits,
    /// The command that compiled it.
    pub command: &'r [String],
}

/// Writes the folder `VERSION-STAGES-DRIVER` under `parent` and returns it. What another failure of that name left
/// stays, and this one's folder has a number after its name; the same failure again is written once. `text` writes a
/// module as text (see [`in_child`]).
///
/// # Errors
/// Errors of the file system, with the file's name.
pub fn save(
    parent: &Path,
    repro: &Repro<'_>,
    mut text: impl FnMut(&Module) -> Result<String, String>,
) -> Result<PathBuf, String> {
    let Repro { program, options, of, with, .. } = *repro;
    let options = &Options { wave: wave(program, options), ..options.clone() };
    let stages: Vec<_> = program.stages.iter().map(|stage| stage.stage.name()).collect();
    let place = with.chip.map_or_else(|| with.device.clone().unwrap_or_default(), |chip| chip.to_string());
    let name = format!("{of}-{}-{place}", stages.join("-"));
    // A device's name may hold anything.
    let name: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect();
    let (mut files, mut modules) = (Vec::new(), Vec::new());
    for (index, loaded) in program.modules.iter().enumerate() {
        let own = program.stages.iter().filter(|stage| stage.module == index);
        let kinds: Vec<_> = own.map(|stage| stage.stage.name()).collect();
        if kinds.is_empty() {
            continue;
        }
        let file = format!("{index}.{}.spv", kinds.join("-"));
        let bytes: Vec<u8> = loaded.module.words().iter().flat_map(|word| word.to_le_bytes()).collect();
        let text = text(&loaded.module).unwrap_or_else(|why| format!("; cannot be disassembled: {}\n", line_of(&why)));
        files.push((file.clone(), Blob(bytes)));
        files.push((format!("{file}asm"), Blob(text.into_bytes())));
        modules.push(file);
    }
    // State that no option says goes with a description.
    let described = program.pipeline.as_ref().and_then(|_| database(program, options));
    let inputs = match described {
        Some(bytes) => {
            files.push((DATABASE.to_owned(), Blob(bytes)));
            DATABASE.to_owned()
        }
        None => modules.join(" ") + &arguments(program, options),
    };
    files.push(("README.txt".to_owned(), Blob(about(&inputs, repro).into_bytes())));
    let mut folders =
        std::iter::once(parent.join(&name)).chain((2..=MOST).map(|number| parent.join(format!("{name}-{number}"))));
    let holds = |folder: &Path| {
        files.iter().all(|(name, Blob(bytes))| fs::read(folder.join(name)).is_ok_and(|there| there == *bytes))
    };
    let folder = folders.find(|folder| !folder.exists() || holds(folder));
    let folder = folder
        .ok_or_else(|| format!("{}: already contains {MOST} failures of that name", parent.join(&name).display()))?;
    if !folder.exists() {
        write_files(&folder, &files, false).map_err(|error| error.to_string())?;
    }
    Ok(folder)
}

/// A text in one line: a comment of assembly ends with its line.
fn line_of(text: &str) -> String {
    text.lines().collect::<Vec<_>>().join(" ")
}

/// This process's command.
pub fn this_command() -> Vec<String> {
    std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect()
}

/// The file of a pipeline with its description.
const DATABASE: &str = "pipeline.foz";

/// The program with its description, as a database; `None` if it makes no pipeline.
fn database(program: &Program, options: &Options) -> Option<Vec<u8>> {
    let mut writer = Writer::new(Vec::new(), false).ok()?;
    make(program, options, &mut writer).ok()?;
    writer.finish().ok()
}

/// The wave size that a compute shader is compiled with. What was converted says of itself what a module does not.
fn wave(program: &Program, options: &Options) -> WaveChoice {
    let made_for = program.stage(StageKind::Compute).and_then(|stage| program.wave_size_of(stage));
    let Some(made_for) = made_for.filter(|_| options.wave == WaveChoice::Auto) else { return options.wave };
    let fits = |lanes: u32| (made_for.least..=made_for.most).contains(&lanes);
    match (made_for.preferred, fits(32), fits(64)) {
        (32, true, _) | (_, true, false) => WaveChoice::Wave32,
        (64, _, true) | (_, false, true) => WaveChoice::Wave64,
        _ => WaveChoice::Auto,
    }
}

/// The options that reach a driver's compiler, as they are typed: each with a space before it.
fn arguments(program: &Program, options: &Options) -> String {
    let mut all: Vec<String> = Vec::new();
    // A module may have entry points that were not compiled.
    if program.modules.iter().any(|loaded| loaded.module.entry_points().len() > 1) {
        let names: BTreeSet<&str> = program.stages.iter().map(|stage| stage.entry.as_str()).collect();
        all.extend(names.into_iter().map(|name| format!("--entry {}", typed(name))));
    }
    let flags = [
        (options.wave != WaveChoice::Auto, format!("--wave {}", options.wave)),
        (options.alpha_to_coverage, "--alpha-to-coverage".to_owned()),
        (options.sample_shading, "--sample-shading".to_owned()),
        (options.no_default_color, "--no-default-color".to_owned()),
    ];
    all.extend(flags.into_iter().filter(|(on, _)| *on).map(|(_, flag)| flag));
    all.extend(options.spec.iter().map(|(id, value)| format!("--spec {}", typed(&format!("{id}={value}")))));
    all.extend(options.color.iter().map(|(at, target)| format!("--color {}", typed(&format!("{at}={target}")))));
    all.into_iter().map(|argument| format!(" {argument}")).collect()
}

/// A word as a shell reads it.
fn typed(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

fn about(inputs: &str, repro: &Repro<'_>) -> String {
    let Repro { failure, with, limits, command, .. } = *repro;
    let way = with.chip.and_then(|chip| super::start::way_to(with, chip));
    let set = driver::environment(way.as_ref()).into_iter();
    let set = set.map(|(name, value)| format!("{name}={}", value.to_string_lossy()));
    let inherited = driver::inherited(with.chip).into_iter().map(|(name, value)| typed(&format!("{name}={value}")));
    let variables: Vec<_> = set.chain(inherited).collect();
    let on = match (with.chip, &with.device) {
        (Some(chip), _) => format!(" --chip {chip}"),
        (None, Some(device)) => format!(" --device {}", typed(device)),
        (None, None) => " --device 0".to_owned(),
    };
    let icd = with.icd.as_ref().map_or(String::new(), |icd| format!(" --icd {}", typed(&icd.display().to_string())));
    let apart = if with.apart { " --pipeline-libraries" } else { "" };
    let validate = if with.validate { " --validate" } else { "" };
    let memory = match limits.memory == Limits::default().memory {
        true => String::new(),
        false => format!(" --memory {}M", limits.memory >> 20),
    };
    let timeout = match limits.time == super::TIME {
        true => String::new(),
        false => format!(" --timeout {}", limits.time.as_secs_f64()),
    };
    let command: Vec<_> = command.iter().map(|word| typed(word)).collect();
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(text, "{}\n", failure.finding().message);
    let _ = writeln!(text, "Compiler     {}", failure.compiler);
    let _ = writeln!(text, "Lanescope    {}", env!("CARGO_PKG_VERSION"));
    let _ = writeln!(text, "Environment  {}", variables.join(" "));
    let _ = writeln!(text, "Command      {}", command.join(" "));
    let _ = writeln!(text, "Again        lanescope isa {inputs}{on}{icd}{apart}{validate}{timeout}{memory} --no-cache");
    text
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;
    use std::time::Duration;

    use lanescope_core::driver::Outcome;
    use lanescope_core::load::{disassemble, load};
    use lanescope_core::program::WaveSize;
    use lanescope_core::target::Target;

    use super::*;

    /// Default limits.
    fn usual() -> Limits {
        Limits { time: crate::drivers::TIME, ..Limits::default() }
    }

    #[test]
    fn quotes_words_for_a_shell() {
        for (word, expected) in [
            ("a-b_c/d.e=1,2:3@4%5+6", "a-b_c/d.e=1,2:3@4%5+6"),
            ("a b", "'a b'"),
            ("", "''"),
            ("$x", "'$x'"),
            ("it's", r"'it'\''s'"),
        ] {
            assert_eq!(typed(word), expected);
        }
    }

    /// A failure under the usual options and limits.
    fn repro<'r>(program: &'r Program, failure: &'r Failure, with: &'r CompileOptions) -> Repro<'r> {
        static OPTIONS: LazyLock<Options> = LazyLock::new(Options::default);
        Repro { program, options: &OPTIONS, of: Version::Original, failure, with, limits: usual(), command: &[] }
    }

    #[test]
    fn a_folder_has_modules_command_and_versions() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let shader = folder.path().join("a.comp");
        fs::write(&shader, "#version 450\nvoid main() {}").expect("writable");
        let program = load(&[shader], &[]).expect("a shader");
        let failure = Failure {
            compiler: "RADV for gfx900 (radv 1)".to_owned(),
            of: Version::Original,
            stages: vec![program.stages[0].stage],
            fate: Outcome::Died("SIGSEGV".to_owned()),
            place: String::new(),
            icd: None,
            missing: false,
            repro: None,
        };
        let with = CompileOptions { chip: Some(Target::Gfx900.into()), ..CompileOptions::default() };
        let command = ["lanescope".to_owned(), "isa".to_owned(), "a.comp".to_owned()];
        let save = |failure: &Failure| {
            let parent = folder.path().join("r");
            save(&parent, &Repro { command: &command, ..repro(&program, failure, &with) }, disassemble)
                .expect("writable")
        };
        let made = save(&failure);
        assert_eq!(save(&failure), made, "the same is kept once");
        let other = Failure { fate: Outcome::Died("SIGBUS".to_owned()), ..failure.clone() };
        assert!(save(&other).ends_with("original-compute-gfx900-2"), "what is there stays");
        assert!(made.ends_with("original-compute-gfx900"), "{}", made.display());
        let again = load(&[made.join("0.compute.spv")], &[]).expect("the module reads again");
        assert_eq!(again.modules[0].module, program.modules[0].module);
        let asm = fs::read_to_string(made.join("0.compute.spvasm")).expect("written");
        assert!(asm.contains("OpEntryPoint GLCompute"), "{asm}");
        let about = fs::read_to_string(made.join("README.txt")).expect("written");
        for words in [
            "crashed on the original compute shader: SIGSEGV",
            "RADV for gfx900 (radv 1)",
            "RADV_FORCE_FAMILY=vega10",
            "lanescope isa a.comp",
            "lanescope isa 0.compute.spv --chip gfx900 --no-cache",
        ] {
            assert!(about.contains(words), "{words}: {about}");
        }
    }

    #[test]
    fn the_command_repeats_what_reaches_a_compiler() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let module = folder.path().join("two.spvasm");
        let entry = |name: &str, id: &str| format!("OpEntryPoint GLCompute {id} \"{name}\"\n");
        let modes = "OpExecutionMode %a LocalSize 8 8 1\nOpExecutionMode %b LocalSize 8 8 1\n";
        let body = |id: &str| format!("{id} = OpFunction %void None %fn\n{id}l = OpLabel\nOpReturn\nOpFunctionEnd\n");
        let text = format!(
            "OpCapability Shader\nOpMemoryModel Logical GLSL450\n{}{}{modes}%void = OpTypeVoid\n\
             %fn = OpTypeFunction %void\n{}{}",
            entry("first", "%a"),
            entry("it's", "%b"),
            body("%a"),
            body("%b")
        );
        fs::write(&module, text).expect("writable");
        let program = load(&[module], &["it's".to_owned()]).expect("a shader");
        let mut options = Options { wave: WaveChoice::Wave64, alpha_to_coverage: true, ..Options::default() };
        options.spec.insert(3, "0x10".parse().expect("any text"));
        options.color.insert(1, "R8G8B8A8_UNORM:blend".parse().expect("a target"));
        assert_eq!(
            arguments(&program, &options),
            r" --entry 'it'\''s' --wave 64 --alpha-to-coverage --spec 3=0x10 --color 1=R8G8B8A8_UNORM:blend"
        );
        assert_eq!(arguments(&program, &Options::default()), r" --entry 'it'\''s'");
    }

    #[test]
    fn the_command_repeats_conversion_and_limits() {
        let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/dxil");
        let mut program = load(&[samples.join("prefix_sum.cs.dxil")], &[]).expect("a container");
        let failure = Failure {
            compiler: "RADV".to_owned(),
            of: Version::Original,
            stages: vec![StageKind::Compute],
            fate: Outcome::Died("SIGSEGV".to_owned()),
            place: String::new(),
            icd: None,
            missing: false,
            repro: None,
        };
        let with = CompileOptions { chip: Some(Target::Gfx1030.into()), ..CompileOptions::default() };
        let short = Limits { time: Duration::from_millis(1500), memory: 512 << 20 };
        for (least, most, preferred, wave, limits, expected) in [
            (32, 32, 32, WaveChoice::Auto, usual(), " --wave 32 --chip gfx1030 --no-cache"),
            (64, 64, 64, WaveChoice::Auto, usual(), " --wave 64 --chip gfx1030 --no-cache"),
            (4, 32, 8, WaveChoice::Auto, usual(), " --wave 32 --chip gfx1030 --no-cache"),
            (32, 64, 32, WaveChoice::Auto, usual(), " --wave 32 --chip gfx1030 --no-cache"),
            // The device's own choice, as it was.
            (16, 64, 0, WaveChoice::Auto, usual(), "spv --chip gfx1030 --no-cache"),
            (32, 32, 32, WaveChoice::Wave64, usual(), " --wave 64 --chip gfx1030 --no-cache"),
            (16, 64, 0, WaveChoice::Auto, short, "spv --chip gfx1030 --timeout 1.5 --memory 512M --no-cache"),
        ] {
            program.dxil[0].entries[0].wave_size = Some(WaveSize { least, most, preferred });
            let options = Options { wave, ..Options::default() };
            let folder = tempfile::tempdir().expect("a temporary folder");
            let repro = Repro { options: &options, limits, ..repro(&program, &failure, &with) };
            let made = save(folder.path(), &repro, disassemble);
            let about = fs::read_to_string(made.expect("writable").join("README.txt")).expect("written");
            assert!(about.contains(expected), "{least} to {most}: {expected}: {about}");
        }
    }

    #[test]
    fn keeps_a_pipeline_with_its_description() {
        let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
        let program = load(&[samples.join("textured_quad.pipe")], &[]).expect("a pipeline");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let failure = Failure {
            compiler: "RADV".to_owned(),
            of: Version::Original,
            stages: program.stages.iter().map(|stage| stage.stage).collect(),
            fate: Outcome::Hung(30_000),
            place: String::new(),
            icd: None,
            missing: false,
            repro: None,
        };
        let (with, options) = (CompileOptions::default(), program.options(&Options::default()));
        let repro = Repro { options: &options, ..repro(&program, &failure, &with) };
        let made = save(folder.path(), &repro, disassemble);
        let made = made.expect("writable");
        let again = load(&[made.join("pipeline.foz")], &[]).expect("the pipeline reads again");
        let words = |program: &Program| -> Vec<_> {
            program.stages.iter().map(|stage| (stage.stage, program.module_of(stage).words().to_vec())).collect()
        };
        assert_eq!(words(&again), words(&program));
        let colors = |program: &Program| program.options(&Options::default()).color;
        assert_eq!(colors(&again), colors(&program), "attachments come back too");
        let about = fs::read_to_string(made.join("README.txt")).expect("written");
        assert!(about.contains("lanescope isa pipeline.foz --device 0 --no-cache"), "{about}");
    }
}
