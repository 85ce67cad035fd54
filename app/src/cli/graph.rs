//! `lanescope graph`: a work graph's nodes, edges and violated rules, as text, data or picture.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lanescope_core::analyse;
use lanescope_core::findings::Finding;
use lanescope_core::graph::{Overrides, WorkGraph};
use lanescope_core::load::LoadOptions;
use lanescope_core::options::Options;
use lanescope_pictures::draw::{self, PictureKind};
use serde::Serialize;

use super::args::overrides;
use super::loading::Loading;
use super::sarif::{self, Located};
use super::workspace::WorkspaceArgs;
use super::{CliError, Verdict, json};
use crate::cli::streams;
use lanescope_host::flags::conversion::ConversionArgs;
use lanescope_text as text;

pub const EXAMPLES: &str = "\
Examples:
  lanescope graph work_graphs/07_wide_dag.dxil
                                        nodes, edges, records and violated rules
  lanescope graph work_graphs/07_wide_dag.dxil --format svg > graph.svg
                                        the drawing (lanescope draw --view graph writes PNG too)
  lanescope graph work_graphs/01_tile_classify.dxil --dot | dot -Tpdf > graph.pdf
                                        for Graphviz; --mermaid for Markdown
  lanescope graph work_graphs/07_wide_dag.dxil --overrides inputs/state_object.json
                                        with nodes renamed or promoted to entry points

The files are in the folder samples. Overrides name nodes by id or function, outputs by number or parameter name:
  { \"nodes\": { \"Leaf[2]\": { \"rename\": \"Leaf[3]\", \"entry\": true, \"grid\": [4,1,1],
      \"max_grid\": [8,1,1], \"local_root_table\": 1, \"share_input_of\": \"Owner\",
      \"outputs\": { \"0\": { \"rename\": \"Other\", \"max_records\": 8,
        \"max_records_shared_with\": \"1\", \"sparse\": true } } } },
    \"include_all\": true, \"allow_missing\": false }

Exit status: 0 no errors, 1 findings of severity error, 2 unusable input.";

/// Arguments of `graph`.
#[derive(Debug, Args)]
pub struct Graph {
    /// DXIL libraries, HLSL of such, or SPIR-V with SPV_AMDX_shader_enqueue; several make one graph
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// JSON file with changes to nodes and outputs before they are linked
    #[arg(long, value_name = "FILE", value_parser = overrides)]
    overrides: Option<Overrides>,

    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    /// Same as --format dot
    #[arg(long, conflicts_with_all = ["format", "mermaid"])]
    dot: bool,

    /// Same as --format mermaid
    #[arg(long, conflicts_with = "format")]
    mermaid: bool,

    #[command(flatten)]
    conversion: ConversionArgs,

    #[command(flatten)]
    workspace: WorkspaceArgs,

    #[command(flatten)]
    loading: Loading,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
    Sarif,
    Svg,
    Dot,
    Mermaid,
}

/// What `--format json` prints.
#[derive(Serialize)]
struct Page<'a> {
    schema: u32,
    graph: &'a WorkGraph,
    findings: Vec<&'a Finding>,
}

impl Graph {
    pub fn run(&self) -> Result<Verdict, CliError> {
        let options = Options {
            stage: self.conversion.stage(),
            dxil: self.conversion.conversion(),
            no_validate: self.conversion.no_validate(),
            validator: self.conversion.validator(),
            overrides: self.overrides.clone().unwrap_or_default(),
            ..Options::default()
        };
        let described = self.workspace.described(&self.files, None, self.loading.folders());
        let (files, described) = described.map_err(CliError::Unusable)?;
        let options = described.map_or_else(|| options.clone(), |described| described.beneath(&options));
        let wanted = LoadOptions::of(&options);
        let program = self.loading.loader().load(&files, &wanted)?.program;
        let options = program.options(&options);
        let report = analyse(&program, &options).map_err(|error| CliError::Unusable(error.to_string()))?;
        let Some(graph) = &report.graph else {
            let names: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
            return Err(CliError::Unusable(format!("{}: contains no work graph nodes", names.join(", "))));
        };
        let format = match (self.dot, self.mermaid) {
            (true, _) => Format::Dot,
            (_, true) => Format::Mermaid,
            _ => self.format,
        };
        let mut plain = io::BufWriter::new(io::stdout().lock());
        match format {
            Format::Text => {
                drop(plain);
                let (mut out, style) = streams::styled();
                text::write_graph(&report, &mut out, style)?;
                out.flush()?;
                return Ok(verdict(&report));
            }
            Format::Json => {
                let findings = report.findings.iter().filter(|finding| finding.code.starts_with('G')).collect();
                json::write(&Page { schema: 1, graph, findings }, &mut plain)?;
            }
            Format::Sarif => {
                let findings = report.findings.iter().filter(|finding| finding.code.starts_with('G'));
                sarif::write(findings.map(|finding| Located::of(&report, finding)), &mut plain)?;
            }
            Format::Svg => {
                let theme = lanescope_pictures::theme::Theme::light();
                if let Some(picture) = draw::picture(PictureKind::Graph, &report, &theme) {
                    plain.write_all(draw::svg(&picture).as_bytes())?;
                }
            }
            Format::Dot => plain.write_all(graph.dot().as_bytes())?,
            Format::Mermaid => plain.write_all(graph.mermaid().as_bytes())?,
        }
        plain.flush()?;
        Ok(verdict(&report))
    }
}

/// Whether a rule of work graphs is violated.
fn verdict(report: &lanescope_core::report::Report) -> Verdict {
    if report.has_errors() { Verdict::Findings } else { Verdict::Clean }
}
