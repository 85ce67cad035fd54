//! Registers that are alive at source lines, by a chip's compiler: one job at a time, off the main loop.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, unbounded};
use lanescope_core::chip::Chip;
use lanescope_core::driver::isa::Peak;
use lanescope_core::driver::origin::live::{LiveAt, live_by_place};
use lanescope_core::driver::{CompileOptions, DriverStage, Version};
use lanescope_core::program::{LoadedModule, Program};
use lanescope_core::report::Report;
use lanescope_core::spirv::{InstId, Lines};
use lanescope_host::drivers::{self, Ask, Cache, Chosen, Stop};
use lanescope_host::jobs::caught;
use lanescope_host::worker::Limits;

use crate::analysis::{Versions, internal_error};
use crate::project::Pipeline;

/// A program to compile.
#[derive(Debug)]
pub struct Job {
    /// The pipeline.
    pub pipeline: Pipeline,
    /// The versions of open documents that the program is of.
    pub versions: Versions,
    /// The program as loaded.
    pub program: Arc<Program>,
    /// Its report.
    pub report: Arc<Report>,
    /// The chip.
    pub chip: Chip,
    /// Ends the job.
    pub stop: Stop,
}

/// What a chip's compiler says of the lines of a pipeline's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registers {
    /// The chip.
    pub chip: Chip,
    /// The versions of open documents that it is about.
    pub versions: Versions,
    /// By file: what stands at the ends of lines, in their order.
    pub files: BTreeMap<PathBuf, Vec<LineLabel>>,
}

/// What stands at the end of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineLabel {
    /// The line, from 0.
    pub line: usize,
    /// `VGPR 24 ▲3`.
    pub label: String,
    /// What that means.
    pub tooltip: String,
}

/// The result of a job.
#[derive(Debug)]
pub struct Counted {
    /// The pipeline.
    pub pipeline: Pipeline,
    /// What there is, or why there is nothing. A job that was stopped has an error too.
    pub result: Result<Registers, String>,
}

/// The thread. Dropping it ends the thread.
pub struct Compiler {
    jobs: Sender<Job>,
    results: Receiver<Counted>,
}

impl Compiler {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system does not start it.
    pub fn start() -> std::io::Result<Compiler> {
        let (jobs, to_do) = unbounded::<Job>();
        let (done, results) = unbounded();
        std::thread::Builder::new().name("registers".to_owned()).spawn(move || {
            for job in to_do {
                let pipeline = job.pipeline.clone();
                let result = caught(|| counted(&job)).unwrap_or_else(|panic| Err(internal_error(&panic).message));
                if done.send(Counted { pipeline, result }).is_err() {
                    return;
                }
            }
        })?;
        Ok(Compiler { jobs, results })
    }

    /// Begins a job, after those that were begun before.
    pub fn begin(&self, job: Job) {
        // Without the thread nothing is compiled; a panic is a result, so it does not end by itself.
        let _ = self.jobs.send(job);
    }

    /// What has been compiled, in the order of the jobs.
    pub fn results(&self) -> &Receiver<Counted> {
        &self.results
    }
}

/// Compiles the program of a job for its chip.
///
/// # Errors
/// Why the compiler returned nothing that can be read.
fn counted(job: &Job) -> Result<Registers, String> {
    let Job { pipeline, versions, program, report, chip, stop } = job;
    let chosen = Chosen { chips: &[*chip], devices: &[], icds: &[], default: None };
    let ask = Ask {
        drivers: chosen.compilers(&CompileOptions::default()),
        versions: vec![Version::Original],
        limits: Limits { time: drivers::TIME, ..Limits::default() },
        cache: Cache::of_user(),
        save_repro: None,
        command: Vec::new(),
        stop: stop.clone(),
    };
    let answer = drivers::compile(program, &program.options(&pipeline.options), &ask);
    let sections = answer.sections(program, report);
    if sections.stages.is_empty() {
        let messages: Vec<&str> = sections.findings.iter().map(|finding| finding.message.as_str()).collect();
        return Err(if messages.is_empty() { format!("nothing was compiled for {chip}") } else { messages.join("; ") });
    }
    Ok(Registers {
        chip: *chip,
        versions: versions.clone(),
        files: labels(program, &pipeline.files, *chip, &sections.stages),
    })
}

/// A line of a file, from 0.
type Line = (PathBuf, usize);

/// What stands at the lines of files that instructions of the rows are known to come from. A line of several stages has
/// what each of them says.
fn labels(program: &Program, files: &[PathBuf], chip: Chip, rows: &[DriverStage]) -> BTreeMap<PathBuf, Vec<LineLabel>> {
    let stages: BTreeSet<_> = rows.iter().map(|row| row.stage).collect();
    let mut lines: BTreeMap<Line, Vec<(String, String)>> = BTreeMap::new();
    for row in rows {
        let Some(facts) = row.read_text() else { continue };
        let Some(stage) = program.stages.iter().find(|stage| stage.stage == row.stage) else { continue };
        let Some(module) = program.modules.get(stage.module) else { continue };
        let of_module = Lines::of(&module.module);
        let place = |inst: u32| {
            let at = of_module.line(InstId(inst))?;
            let own_name = module.source_place.as_ref().map(|place| place.file.as_str());
            let file = file(&at.file, module.input, own_name, &module.includes, files)?;
            Some((file, at.line.checked_sub(1)? as usize))
        };
        let Some(peak) = facts.peak else { continue };
        let (lane, _) = facts.dialect.counted(Default::default());
        let unit = lane.trim_end_matches('s');
        let mut before: Option<(PathBuf, u16)> = None;
        for ((file, line), at) in live_by_place(&row.origins, &facts, place) {
            let last = before.as_ref().filter(|(other, _)| *other == file).map(|(_, most)| *most);
            let is_named = stages.len() > 1 && is_shared(&file, program, module, files);
            let name = if is_named { format!("{} ", row.stage) } else { String::new() };
            let label = format!("{name}{unit} {}{}", at.most.vgprs, change(last, at.most.vgprs));
            let tooltip = tooltip(chip, row, &at, facts.dialect.live(at.most), (&peak, lane), last);
            before = Some((file.clone(), at.most.vgprs));
            lines.entry((file, line)).or_default().push((label, tooltip));
        }
    }
    let mut out: BTreeMap<PathBuf, Vec<LineLabel>> = BTreeMap::new();
    for ((file, line), all) in lines {
        let (labels, tooltips): (Vec<String>, Vec<String>) = all.into_iter().unzip();
        out.entry(file).or_default().push(LineLabel { line, label: labels.join(", "), tooltip: tooltips.join("\n") });
    }
    out
}

/// Whether a file may have lines of several stages: one that is included, or one with several modules.
fn is_shared(file: &Path, program: &Program, module: &LoadedModule, files: &[PathBuf]) -> bool {
    let of_file = |other: &&LoadedModule| other.input == module.input;
    let entries = |other: &LoadedModule| other.module.entry_points().len();
    let is_own = files.get(module.input).is_some_and(|own| own == file);
    !is_own || program.modules.iter().filter(of_file).map(entries).sum::<usize>() > 1
}

/// How a count differs from the one before: ` ▲3`.
fn change(before: Option<u16>, now: u16) -> String {
    match before.map(|before| i32::from(now) - i32::from(before)) {
        Some(more) if more > 0 => format!(" ▲{more}"),
        Some(less) if less < 0 => format!(" ▼{}", -less),
        _ => String::new(),
    }
}

fn tooltip(
    chip: Chip,
    row: &DriverStage,
    at: &LiveAt,
    live: String,
    (peak, lane): (&Peak, &str),
    before: Option<u16>,
) -> String {
    let plural = if at.instructions == 1 { "instruction" } else { "instructions" };
    let least = if peak.at_least { "at least " } else { "" };
    let peak = format!("the peak of the shader is {least}{} {lane}", peak.most.vgprs);
    let rules: Vec<&str> = at.by.iter().map(|rule| rule.name()).collect();
    let mut text = format!(
        "{chip}, {} shader: {live}, the highest count of live registers at {} {plural} known to come from this line ({}); {peak}.",
        row.stage,
        at.instructions,
        rules.join(", "),
    );
    if before.is_some() {
        text.push_str(" ▲ and ▼ compare with the line above that has a count.");
    }
    format!("{text} {}", row.driver)
}

/// The file that a module of an input calls so: its own source, which it may have a name for, or one that this included.
fn file(name: &str, input: usize, own_name: Option<&str>, includes: &[OsString], files: &[PathBuf]) -> Option<PathBuf> {
    let own = files.get(input)?;
    let folder = own.parent().unwrap_or(Path::new("/"));
    let named = folder.join(name);
    if own_name == Some(name) || named == *own {
        return Some(own.clone());
    }
    includes.iter().map(|include| folder.join(include)).find(|include| *include == named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_marked() {
        assert_eq!(change(None, 5), "");
        assert_eq!([3, 5, 9].map(|before| change(Some(before), 5)), [" ▲2", "", " ▼4"]);
    }

    #[test]
    fn files_are_those_of_the_module() {
        let includes = ["inc/a.glsl".into(), "/b.glsl".into()];
        let of = |name: &str| file(name, 0, None, &includes, &["/w/x.frag".into()]);
        assert_eq!(of("/w/x.frag"), Some("/w/x.frag".into()));
        assert_eq!(of("inc/a.glsl"), Some("/w/inc/a.glsl".into()));
        assert_eq!((of("/b.glsl"), of("c.glsl")), (Some("/b.glsl".into()), None));
    }
}
