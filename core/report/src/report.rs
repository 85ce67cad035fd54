//! Every artifact of one `(Program, Options)`: the only thing that the command line and the views read.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lanescope_driver::layout::LayoutTable;
use lanescope_driver::registers::RegisterRow;
use lanescope_driver::{DriverCost, DriverFailure, DriverStage};
use lanescope_dxil as dxil;
use lanescope_model::driver_hashes::DriverHashes;
use lanescope_model::options::Options;
use lanescope_model::program::{Input, StageKind};
use lanescope_passes::findings::{Finding, NOT_CONVERTED, Severity};
use lanescope_passes::graph::WorkGraph;
use lanescope_passes::guessed_layout::GuessedStage;
use lanescope_passes::packing::Packing;
use lanescope_passes::registers::Register;
use lanescope_passes::workgroup::{GroupMap, Layout};
use lanescope_pipeline::Pipeline;
use lanescope_spirv::is_value_of;

/// The report. Field names are a contract: `schema` changes when one changes its meaning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The files.
    pub inputs: Vec<Input>,
    /// Paths of the other files that were read: those that sources include and descriptions name.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub included: Vec<String>,
    /// Every option that shaped this report.
    pub options: Options,
    /// The entry points.
    pub stages: Vec<StageReport>,
    /// What a file describes of the pipeline in addition to its shaders; its findings are among the report's.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pipeline: Option<Box<Pipeline>>,
    /// Specialization constants, with defaults and what was set.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub spec_constants: Vec<SpecConstant>,
    /// How fragment inputs pack.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub packing: Option<Packing>,
    /// How inputs of tessellation control and geometry shaders pack, where the stage before was loaded too.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub inner_packing: Vec<Packing>,
    /// One layout per compute, task or mesh entry.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub workgroup: Vec<Layout>,
    /// The workgroup-id swizzle of a dispatch, where one was requested.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub group_map: Option<GroupMap>,
    /// The DXIL container; further ones of the same pipeline are in its `others`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub dxil: Option<dxil::Summary>,
    /// The work graph that the nodes of all libraries make.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub graph: Option<WorkGraph>,
    /// The register values of the options' target.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub registers: Vec<Register>,
    /// The layouts that are guessed from fragment and compute shaders alone, against an application's.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub partial: Vec<GuessedStage>,
    /// What drivers' compilers compiled the stages to, where they were run.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub driver: Vec<DriverStage>,
    /// What asking them took: time and memory, one row a compilation.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub driver_costs: Vec<DriverCost>,
    /// Drivers that made nothing of a version of the program.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub driver_failures: Vec<DriverFailure>,
    /// Where those drivers put varyings, compared with our packing: one table a compiler whose varyings are read.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub driver_layouts: Vec<LayoutTable>,
    /// Our register values, compared with what those drivers reveal of theirs: one row a field, for chips whose
    /// registers are known.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub driver_registers: Vec<RegisterRow>,
    /// Rules that did not hold.
    pub findings: Vec<Finding>,
}

/// One entry point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StageReport {
    /// Its stage.
    pub stage: StageKind,
    /// Its name.
    pub entry: String,
    /// Index of its file in `inputs`.
    pub input: usize,
    /// Its workgroup size, for stages that have one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub workgroup_size: Option<[u32; 3]>,
    /// The hashes by which AMD's drivers name it. Absent where its file is not SPIR-V: drivers see other bytes than those that
    /// were compiled here.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub driver_hashes: Option<DriverHashes>,
}

/// A specialization constant of one of the modules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SpecConstant {
    /// Its SpecId.
    pub id: u32,
    /// Index of its file in `inputs`.
    pub input: usize,
    /// Its debug name, if it has one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
    /// `bool`, `int32`, `uint32`, `float32` and so on.
    #[serde(rename = "type")]
    pub type_name: String,
    /// The module's own value.
    pub default: String,
    /// The value that this report was made with.
    pub value: String,
}

impl SpecConstant {
    /// Whether a text is a value of its type.
    pub fn takes(&self, text: &str) -> bool {
        is_value_of(&self.type_name, text)
    }
}

/// Why a report cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// No JSON, or not the JSON of a report.
    #[error("not a report: {0}")]
    NotAReport(#[from] serde_json::Error),
    /// A report of a newer program.
    #[error("unsupported report schema {found}; expected {OLDEST_SCHEMA} to {SCHEMA}")]
    Schema {
        /// What it says.
        found: u32,
    },
}

/// The schema of reports as they are written now, and the newest that is read.
///
/// | schema | changes |
/// |---|---|
/// | 1 | the first |
/// | 2 | `dxil.ops[].opcode` is unsigned; buffers and images of `run` are named by register (`u0`) for DXIL and HLSL |
/// | 3 | `used` of outputs in `dxil.signatures` has the columns that can be written; `shader_hash.matches` may be absent |
pub const SCHEMA: u32 = 3;
/// The first one whose outputs list the columns that can be written.
const WRITTEN_COLUMNS: u32 = 3;
/// The oldest schema that is read.
const OLDEST_SCHEMA: u32 = 1;

impl Report {
    /// Why there is nothing to compile: of a program without a stage, the finding that says why its first entry point is
    /// not converted to SPIR-V.
    pub fn not_converted(&self) -> Option<&Finding> {
        let mut found = self.findings.iter().filter(|finding| finding.code == NOT_CONVERTED.code);
        found.next().filter(|_| self.stages.is_empty())
    }

    /// Reads a report back from the JSON that `inspect --format json` prints.
    ///
    /// # Errors
    /// Bytes that are something else, and a report of a newer schema.
    pub fn from_json(bytes: &[u8]) -> Result<Report, ReportError> {
        let Schema { schema } = serde_json::from_slice(bytes)?;
        match schema {
            OLDEST_SCHEMA..=SCHEMA => {
                let mut report: Report = serde_json::from_slice(bytes)?;
                if let Some(dxil) = report.dxil.as_mut().filter(|_| schema < WRITTEN_COLUMNS) {
                    dxil.list_written_columns();
                }
                Ok(Report { schema: SCHEMA, ..report })
            }
            _ => Err(ReportError::Schema { found: schema }),
        }
    }

    /// The default options of this program: those of its pipeline description.
    pub fn untouched_options(&self) -> Options {
        let plain = Options { pipeline: self.options.pipeline.clone(), ..Options::default() };
        self.pipeline.as_ref().map_or_else(|| plain.clone(), |pipeline| plain.with_pipeline(pipeline))
    }

    /// Whether a finding of severity error was raised.
    pub fn has_errors(&self) -> bool {
        self.findings.iter().any(|finding| finding.severity == Severity::Error)
    }
}

/// What every report starts with, in any schema.
#[derive(Deserialize)]
struct Schema {
    schema: u32,
}
