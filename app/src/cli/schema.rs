//! `lanescope schema`: JSON Schema of what the commands print for scripts.

use clap::{Args, ValueEnum};
use lanescope_core::driver::speculative::corpus::Summary;
use lanescope_core::findings::Finding;
use lanescope_core::report::Report;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};

use super::{
    CliError, Verdict, capabilities, code_object, diff, doctor, graph_json, guess_layout, json, link_desc, predicted,
    run, sodb, watch,
};
use lanescope_host::corpus::Line;
use lanescope_host::scripts::ScriptReport;

pub const EXAMPLES: &str = "\
Examples:
  lanescope schema report > report.schema.json
                                        what `inspect --format json` prints
  lanescope schema corpus               a line of a corpus result

Schemas are those of JSON Schema 2020-12. `lanescope help json-report` lists what each version of a form changed.";

/// Arguments of `schema`.
#[derive(Debug, Args)]
pub struct SchemaOf {
    /// The form to describe
    #[arg(value_enum, value_name = "FORM")]
    form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// The report: `inspect`, `isa`, `guess-layout`
    Report,
    /// The report with a run: `run`
    Run,
    /// A run of a work graph: `run`, `inspect` of a saved run
    GraphRun,
    /// A run of an Amber script: `run`
    ScriptRun,
    /// Differences: `diff`
    Diff,
    /// Variants of a program: `diff --variants`
    Variants,
    /// A line of a result: `corpus --format jsonl`
    Corpus,
    /// Sums of speculative compiles: `guess-layout --corpus`
    GuessCorpus,
    /// The guesses that fit an application: `guess-layout --search`
    GuessSearch,
    /// Location maps of vertex shaders: `guess-layout --vary`
    GuessVariants,
    /// What caches serve: `guess-layout --timeline`
    GuessTimeline,
    /// The groups of a state object database: `sodb`
    Sodb,
    /// An AMD code object: `inspect` of one
    CodeObject,
    /// Differences of AMD code objects: `diff` of two
    CodeObjectDiff,
    /// Predicted and real values: `inspect --object`
    CodeObjectPredicted,
    /// The output linkage of partial graphics programs: `link-desc`
    LinkDesc,
    /// Memory accesses by workgroup layout: `cost`
    Cost,
    /// Groups, lists and memory of a work graph: `cost`
    GraphCost,
    /// What an addition to a work graph changes: `cost --add-to`
    GraphAddition,
    /// Attribute slots, exports, LDS and memory accesses of a graphics pipeline: `cost`
    InterfaceCost,
    /// The findings of a report
    Findings,
    /// A line for each change: `watch --format json`
    Watch,
    /// Capabilities that a device offers: `doctor --features`
    Features,
    /// Capabilities that this program supports: `doctor --capabilities`
    Capabilities,
    /// What a machine offers: `doctor`
    Doctor,
}

impl SchemaOf {
    pub fn run(&self) -> Result<Verdict, CliError> {
        let schema = match self.form {
            Form::Report => of::<Report>(),
            Form::Run => of::<run::RunReport<'_>>(),
            Form::GraphRun => of::<graph_json::Page<'_>>(),
            Form::ScriptRun => of::<ScriptReport>(),
            Form::Diff => of::<diff::Differences<'_>>(),
            Form::Variants => of::<lanescope_host::variants::OfVariants>(),
            Form::Corpus => of::<Line>(),
            Form::GuessCorpus => of::<json::Versioned<'_, Summary<'_>>>(),
            Form::GuessSearch => of::<json::Versioned<'_, guess_layout::SearchPage<'_>>>(),
            Form::GuessVariants => of::<json::Versioned<'_, guess_layout::VariantsPage<'_>>>(),
            Form::GuessTimeline => of::<json::Versioned<'_, guess_layout::TimelinePage<'_>>>(),
            Form::Sodb => of::<sodb::Page<'_>>(),
            Form::CodeObject => of::<code_object::Page<'_>>(),
            Form::CodeObjectDiff => of::<code_object::Differences<'_>>(),
            Form::CodeObjectPredicted => of::<predicted::Page<'_>>(),
            Form::LinkDesc => of::<link_desc::Page<'_>>(),
            Form::Cost => of::<json::Versioned<'_, lanescope_core::cost::Cost>>(),
            Form::GraphCost => of::<json::Versioned<'_, lanescope_core::cost::graph::GraphCost>>(),
            Form::GraphAddition => of::<json::Versioned<'_, lanescope_core::cost::graph::GraphAddition>>(),
            Form::InterfaceCost => of::<json::Versioned<'_, lanescope_core::cost::interface::InterfaceCost>>(),
            Form::Findings => of::<Vec<Finding>>(),
            Form::Watch => of::<watch::Line<'_>>(),
            Form::Features => of::<capabilities::Features>(),
            Form::Capabilities => of::<capabilities::Shown>(),
            Form::Doctor => of::<json::Versioned<'_, doctor::Findings>>(),
        };
        json::print(&schema)?;
        Ok(Verdict::Clean)
    }
}

/// The schema of what is written: members that are left out where they are empty are not required.
pub(super) fn of<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}
