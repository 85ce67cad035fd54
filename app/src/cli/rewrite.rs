//! `lanescope rewrite`: modules rewritten with the packing and the workgroup layout.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use lanescope_core::options::{DerivativesBy, Options};
use lanescope_core::packing::Missing;
use lanescope_core::packing::rewrite::StoredHalf;
use lanescope_core::program::{Program, Validity};
use lanescope_core::spirv::Module;
use lanescope_core::text_format::counted;
use lanescope_core::workgroup::rewrite::Emulated;
use lanescope_inspector::settings::Passes;
use lanescope_inspector::tasks::UnchangedStage;

use super::args::{Analysis, some_stage};
use super::loading::text_of;
use super::{CliError, Verdict, serious, tell_findings};
use crate::cli::streams;
use lanescope_host::files::read_at_most;
use lanescope_host::flags::choices::one_of;
use lanescope_host::rewriting::{NamedFile, Rewritten};
use lanescope_host::safe_write::write_files;

pub const EXAMPLES: &str = "\
Examples:
  lanescope rewrite lit_surface.vert lit_surface.frag -o packed
                                        both modules packed (NAME.packed.spv), and map.json
  lanescope rewrite half_precision.vert half_precision.frag --widen -o wide
                                        16-bit varyings carried as 32-bit ones
  lanescope rewrite tile_16x16.comp --reconfig -o swizzled
                                        tile_16x16.comp.swizzled.spv, with the ids of its layout
  lanescope rewrite quad_derivatives.comp --derivatives-by quad -o quad
                                        derivatives computed with subgroup operations
  lanescope rewrite lit_surface.frag --part-pipeline -o half
                                        the fragment half of a part-pipeline, and stored.json
  lanescope rewrite lit_surface.vert --stored half/stored.json -o before
                                        the vertex half, from that file alone

The files are in the folder samples.
Each changed module is written as a binary (.spv) and as assembly (.spvasm). Every other stage is listed with the reason.

Exit status: 0 written, 1 written with findings of severity error (printed to stderr), 2 unusable input or an existing file.";

/// Arguments of `rewrite`.
#[derive(Debug, Args)]
pub struct Rewrite {
    #[command(flatten)]
    analysis: Analysis,

    /// Folder to write to; created if it does not exist
    #[arg(short, long, alias = "out", value_name = "DIR")]
    output: PathBuf,

    /// Carry 8- and 16-bit varyings as 32-bit ones, converted at both ends
    #[arg(long, help_heading = "Packing")]
    widen: bool,

    /// How derivatives in compute shaders are computed; auto is native
    #[arg(
        long,
        value_name = "auto|native|quad|shuffle",
        default_value = "auto",
        help_heading = "Workgroup",
        value_parser = one_of(DerivativesBy::ALL, DerivativesBy::name),
        hide_possible_values = true,
    )]
    derivatives_by: DerivativesBy,

    /// Rewrite the stages before the fragment shader of a part-pipeline, from the stored.json of the fragment half
    #[arg(long, value_name = "FILE", help_heading = "Packing")]
    stored: Option<PathBuf>,

    /// Overwrite existing files
    #[arg(long)]
    force: bool,
}

impl Rewrite {
    pub fn run(&self) -> Result<Verdict, CliError> {
        let mut loader = self.analysis.loading().loader();
        let given = self.analysis.program(&mut loader)?;
        let (widen, derivatives_by) = (self.widen, self.derivatives_by);
        let options = Options { widen, derivatives_by, ..self.analysis.options_for(&given) };
        let report = lanescope_core::analyse(&given, &options).map_err(unusable)?;
        some_stage(&given, &report)?;
        let stored = self.stored.as_deref().map(read_stored).transpose()?;
        let rewritten = Rewritten::new(&given, &options, Passes::ALL, stored.as_ref()).map_err(CliError::Unusable)?;
        let text =
            |module: &Module, name: &str, held_to: Option<&Validity>| text_of(&mut loader, module, name, held_to);
        let files = rewritten.files_with(&given, &options, text).map_err(CliError::Unusable)?;
        write_files(&self.output, &files, self.force)?;
        self.print(&files, &rewritten, &given)?;
        tell_findings(serious(&report.findings));
        Ok(if report.has_errors() { Verdict::Findings } else { Verdict::Clean })
    }

    fn print(&self, files: &[NamedFile], rewritten: &Rewritten, given: &Program) -> io::Result<()> {
        let mut out = streams::plain();
        for map in rewritten.inner().iter().chain(rewritten.map()) {
            let slots = map.slots;
            let widened = if map.widened { ", narrow varyings widened" } else { "" };
            let before = map.producer.map_or(String::new(), |producer| format!("{producer} → "));
            writeln!(
                out,
                "Packing    {before}{}: {}, {}, {}{widened}",
                map.consumer,
                counted(slots.before, "original location"),
                counted(slots.hardware, "packed slot"),
                counted(slots.after, "rewritten location")
            )?;
            let all = map.carried.len() + map.not_carried.len();
            if all > 0 {
                writeln!(out, "           {} of {all} scalars at the packed location", map.carried.len())?;
            }
            for row in &map.not_carried {
                let place = |place: lanescope_core::packing::Place| {
                    format!(
                        "{}.{}{}",
                        place.location,
                        place.component.letter(),
                        if place.half { " high half" } else { "" }
                    )
                };
                let (hardware, rewritten) = (place(row.hardware), place(row.rewritten));
                writeln!(
                    out,
                    "             {}: {hardware} in hardware, {rewritten} in SPIR-V ({})",
                    row.variable, row.why
                )?;
            }
            let place = |Missing { variable, location, component, .. }: &Missing| {
                format!("{variable} {location}.{}", component.letter()).trim_start().to_owned()
            };
            let missing: Vec<String> = map.missing.iter().map(place).collect();
            if !missing.is_empty() {
                writeln!(out, "           read, but never written by the previous stage: {}", missing.join(", "))?;
            }
        }
        for row in rewritten.rows() {
            writeln!(out, "Workgroup  {} {}: {}", row.stage, row.entry, row.why)?;
            for Emulated { instruction, opcode, quad_rule, caveats } in &row.derivatives {
                writeln!(out, "             #{instruction} {opcode}: {quad_rule}")?;
                for caveat in caveats {
                    writeln!(out, "               {caveat}")?;
                }
            }
        }
        // A workgroup's row has said it of the stage.
        let is_listed = |stage: &UnchangedStage| {
            rewritten.rows().iter().any(|row| row.stage == stage.stage && row.entry == stage.entry)
        };
        for UnchangedStage { stage, entry, why } in rewritten.unchanged(given).iter().filter(|stage| !is_listed(stage))
        {
            writeln!(out, "unchanged  {stage} {entry}: {why}")?;
        }
        for (name, _) in files {
            writeln!(out, "wrote      {}", self.output.join(name).display())?;
        }
        out.flush()
    }
}

/// The largest file of stored arrays that is read, in bytes.
const MAX_STORED: u64 = 16 << 20;

/// Reads the arrays that the fragment half of a part-pipeline stored.
fn read_stored(path: &Path) -> Result<StoredHalf, CliError> {
    let failed = |error: &dyn std::fmt::Display| CliError::Unusable(format!("{}: {error}", path.display()));
    let text = read_at_most(path, MAX_STORED).map_err(CliError::Unusable)?;
    let stored: StoredHalf = serde_json::from_slice(&text)
        .map_err(|error| failed(&format!("not a stored.json written by --part-pipeline: {error}")))?;
    if stored.schema != 1 {
        return Err(failed(&format!("unknown schema {}: expected 1", stored.schema)));
    }
    Ok(stored)
}

fn unusable(error: impl std::fmt::Display) -> CliError {
    CliError::Unusable(error.to_string())
}
