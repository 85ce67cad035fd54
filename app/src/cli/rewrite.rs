//! `lanescope rewrite`: modules with the packing and the workgroup layout put into them.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anstream::AutoStream;
use clap::Args;
use lanescope_core::load::{check, disassemble};
use lanescope_core::options::Options;
use lanescope_core::packing::rewrite::{self as packing, Map};
use lanescope_core::program::{Input, Program, StageKind};
use lanescope_core::spirv::Module;
use lanescope_core::workgroup::rewrite::{self as workgroup, SwizzledStage};
use serde::Serialize;

use super::args::Analysis;
use super::{CliError, Verdict, files, json};

pub const EXAMPLES: &str = "\
Examples:
  lanescope rewrite lit.vert lit.frag --out packed            lit.vert.packed.spv, lit.frag.packed.spv, map.json
  lanescope rewrite half.vert half.frag --widen --out wide    16-bit varyings carried as 32-bit ones
  lanescope rewrite blur.comp --reconfig --out swizzled       blur.comp.swizzled.spv, computing its ids as laid out

Each module is written as a binary (.spv) and as assembly (.spvasm); what the layout leaves as it is, is not written.
Exit status: 0 written, 1 written and findings of severity error, 2 unusable input or an existing file.";

/// What `rewrite` takes.
#[derive(Debug, Args)]
pub struct Rewrite {
    #[command(flatten)]
    analysis: Analysis,

    /// Folder to write to; made where it does not exist
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,

    /// Carry 8- and 16-bit varyings as 32-bit ones, converted at both ends
    #[arg(long, help_heading = "Packing")]
    widen: bool,

    /// Overwrite files that exist
    #[arg(long)]
    force: bool,
}

/// The name of the file that says what was done.
const MAP: &str = "map.json";

/// What `map.json` holds.
#[derive(Serialize)]
struct Written<'a> {
    schema: u32,
    inputs: &'a [Input],
    options: &'a Options,
    #[serde(skip_serializing_if = "Option::is_none")]
    packing: Option<&'a Map>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    workgroup: &'a [SwizzledStage],
    files: Vec<Row<'a>>,
}

/// One module that is written.
#[derive(Serialize)]
struct Row<'a> {
    /// Index of its file in `inputs`.
    input: usize,
    stages: Vec<StageKind>,
    /// `packed`, `swizzled`, `packed.swizzled` or `widened`.
    kind: &'static str,
    spv: &'a str,
    spvasm: &'a str,
}

/// A module with the names of its files.
struct File {
    input: usize,
    stages: Vec<StageKind>,
    kind: &'static str,
    names: [String; 2],
    module: Module,
}

/// What both passes made of a program.
pub struct Passes {
    packed: Option<packing::Rewritten>,
    swizzled: Option<workgroup::Swizzled>,
}

impl Passes {
    /// Packs where there is a fragment shader, and swizzles where there is a workgroup.
    pub fn run(given: &Program, options: &Options) -> Result<Passes, CliError> {
        let has = |wanted: fn(StageKind) -> bool| given.stages.iter().any(|stage| wanted(stage.stage));
        let (packs, swizzles) = (has(|stage| stage == StageKind::Fragment), has(StageKind::has_workgroup));
        if !packs && !swizzles {
            let message = "there is nothing to rewrite: a fragment, compute, task or mesh shader was expected";
            return Err(CliError::Unusable(message.to_owned()));
        }
        let packed = packs.then(|| packing::rewrite(given, options)).transpose().map_err(unusable)?;
        let base = packed.as_ref().map_or(given, |packed| &packed.program);
        let swizzled = swizzles.then(|| workgroup::rewrite(base, options)).transpose().map_err(unusable)?;
        Ok(Passes { packed, swizzled })
    }

    /// The rewritten program.
    pub fn program<'p>(&'p self, given: &'p Program) -> &'p Program {
        let packed = self.packed.as_ref().map_or(given, |packed| &packed.program);
        self.swizzled.as_ref().map_or(packed, |swizzled| &swizzled.program)
    }

    /// What the rewritten program is to be compared with: the given one, with varyings as wide as in the rewritten one.
    pub fn base<'p>(&'p self, given: &'p Program) -> &'p Program {
        self.packed.as_ref().and_then(|packed| packed.widened.as_ref()).unwrap_or(given)
    }
}

impl Rewrite {
    pub fn run(&self) -> Result<Verdict, CliError> {
        let given = self.analysis.program()?;
        let options = Options { widen: self.widen, ..self.analysis.options() };
        let report = lanescope_core::analyse(&given, &options).map_err(unusable)?;
        let passes = Passes::run(&given, &options)?;
        let Passes { packed, swizzled } = &passes;
        let map = packed.as_ref().map(|packed| &packed.map);
        let rows = swizzled.as_ref().map(|swizzled| swizzled.stages.as_slice()).unwrap_or_default();
        let mut files = changed(&given, passes.program(&given), map, rows);
        files.extend(packed.as_ref().and_then(|p| p.widened.as_ref()).into_iter().flat_map(|w| widened(&given, w)));
        let written = Written {
            schema: 1,
            inputs: &given.inputs,
            options: &options,
            packing: map,
            workgroup: rows,
            files: files.iter().map(File::row).collect(),
        };
        self.write(&files, &written)?;
        self.print(&files, map, rows)?;
        Ok(if report.has_errors() { Verdict::Findings } else { Verdict::Clean })
    }

    /// Writes all files, or none where one cannot be written.
    fn write(&self, files: &[File], written: &Written<'_>) -> Result<(), CliError> {
        let mut contents: Vec<(PathBuf, Vec<u8>)> = Vec::new();
        for file in files {
            // What is not valid would only fail later, and further away.
            check(&file.module).map_err(|error| {
                CliError::Unusable(format!("{}: the rewritten module breaks a rule of SPIR-V: {error}", file.names[0]))
            })?;
            let binary = file.module.words().iter().flat_map(|word| word.to_le_bytes()).collect();
            let (major, minor) = file.module.version();
            let text = disassemble(&file.module).map_err(CliError::Unusable)?;
            // The comment says which version the text is to be assembled for.
            let text = format!("; SPIR-V\n; Version: {major}.{minor}\n{text}");
            let [spv, spvasm] = &file.names;
            contents.push((self.out.join(spv), binary));
            contents.push((self.out.join(spvasm), text.into_bytes()));
        }
        let mut text = Vec::new();
        json::write(written, &mut text)?;
        contents.push((self.out.join(MAP), text));
        files::write_all(&self.out, self.force, &contents)
    }

    fn print(&self, files: &[File], map: Option<&Map>, rows: &[SwizzledStage]) -> io::Result<()> {
        let mut out = AutoStream::auto(io::stdout().lock());
        if let Some(map) = map {
            let slots = map.slots;
            let widened = if map.widened { ", narrow varyings widened" } else { "" };
            writeln!(
                out,
                "Packing    {} slots as written, {} in hardware, {} rewritten{widened}",
                slots.before, slots.hardware, slots.after
            )?;
            let all = map.carried.len() + map.not_carried.len();
            writeln!(out, "           {} of {all} scalars at the hardware's place", map.carried.len())?;
            for row in &map.not_carried {
                let place = |place: lanescope_core::packing::Place| {
                    format!("{}.{}{}", place.location, place.component, if place.half { " high" } else { "" })
                };
                let (hardware, rewritten) = (place(row.hardware), place(row.rewritten));
                writeln!(out, "             {}: {hardware} in hardware, {rewritten} here ({})", row.variable, row.why)?;
            }
        }
        for row in rows {
            writeln!(out, "Workgroup  {} {}: {}", row.stage, row.entry, row.why)?;
        }
        for name in files.iter().flat_map(|file| &file.names).map(String::as_str).chain([MAP]) {
            writeln!(out, "wrote      {}", self.out.join(name).display())?;
        }
        out.flush()
    }
}

fn unusable(error: impl std::fmt::Display) -> CliError {
    CliError::Unusable(error.to_string())
}

impl File {
    fn new(program: &Program, index: usize, kind: &'static str, module: Module) -> File {
        let input = program.modules.get(index).map_or(0, |loaded| loaded.input);
        let base = |input: &Input| Path::new(&input.path).file_name().map(|name| name.to_string_lossy().into_owned());
        let name = program.inputs.get(input).and_then(base).unwrap_or_default();
        // Files of one name from several folders are told apart by their number.
        let alike = program.inputs.iter().filter(|other| base(other).as_deref() == Some(name.as_str())).count();
        let name = if alike > 1 { format!("{input}.{name}") } else { name };
        let stages = program.stages.iter().filter(|stage| stage.module == index).map(|stage| stage.stage).collect();
        let names = ["spv", "spvasm"].map(|extension| format!("{name}.{kind}.{extension}"));
        File { input, stages, kind, names, module }
    }

    fn row(&self) -> Row<'_> {
        let [spv, spvasm] = &self.names;
        Row { input: self.input, stages: self.stages.clone(), kind: self.kind, spv, spvasm }
    }
}

/// The modules of stages that were rewritten.
fn changed(given: &Program, last: &Program, map: Option<&Map>, rows: &[SwizzledStage]) -> Vec<File> {
    let mut out = Vec::new();
    for (index, loaded) in last.modules.iter().enumerate() {
        let stages = || given.stages.iter().filter(|stage| stage.module == index);
        let packed = stages().any(|stage| map.is_some_and(|map| map.changed.contains(&stage.stage)));
        let is = |stage: &lanescope_core::program::Stage, row: &SwizzledStage| {
            row.changed && row.stage == stage.stage && row.entry == stage.entry
        };
        let swizzled = stages().any(|stage| rows.iter().any(|row| is(stage, row)));
        let kind = match (packed, swizzled) {
            (true, false) => "packed",
            (false, true) => "swizzled",
            (true, true) => "packed.swizzled",
            (false, false) => continue,
        };
        out.push(File::new(given, index, kind, loaded.module.clone()));
    }
    out
}

/// The modules that widening changed: what a packed one is to be compared with.
fn widened(given: &Program, widened: &Program) -> Vec<File> {
    let modules = given.modules.iter().zip(&widened.modules).enumerate();
    let differ = modules.filter(|(_, (before, after))| before.module != after.module);
    differ.map(|(index, (_, after))| File::new(given, index, "widened", after.module.clone())).collect()
}
