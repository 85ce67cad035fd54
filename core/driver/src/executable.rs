//! What a driver's compiler returns of one program: plain data, the same for every driver.
//!
//! ```text
//! Compilation ── of a device (or of a chip that is not installed) and of one version of a program
//! └─ pipelines ── one a compute entry, one for the graphics stages (two where they are compiled apart)
//!    └─ executables ── what the driver made: mostly one a stage, sometimes one of several stages, or one of its own
//!       ├─ statistics ── VGPRs, SGPRs, code size …, under the driver's own names
//!       └─ texts ── assembly and intermediate forms, under the driver's own names
//! ```

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::table::is_hash;
use super::texts::Dialect;
use lanescope_base::ids::Hex;
use lanescope_base::named_enum;
use lanescope_model::chip::Chip;
use lanescope_model::program::StageKind;
use lanescope_passes::packing::PRODUCERS;

named_enum!(
    /// Which version of a program was compiled.
    Version {
        /// As it was loaded.
        Original = "original",
        /// Its fragment inputs packed ([`lanescope_passes::packing::rewrite`]).
        Packed = "packed",
        /// Its invocation ids remapped ([`lanescope_passes::workgroup::rewrite`]).
        Swizzled = "swizzled",
    }
);

named_enum!(
    /// What the compiler saw of a graphics pipeline at once.
    Link {
        /// All stages: it may move, merge and drop what passes between them.
        Whole = "whole",
        /// The stages before rasterisation and the fragment stage apart, as pipeline libraries.
        Apart = "apart",
    }
);

/// What one driver compiled one version of a program to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Compilation {
    /// The device's name, as the driver reports it: `Null hardware (RADV NAVI21)`.
    pub device: String,
    /// The driver's name and version: `radv Mesa 22.3.6`.
    pub driver: String,
    /// The chip, where it is one that is not installed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub chip: Option<Chip>,
    /// The manifest of the driver, where it was chosen by one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub icd: Option<PathBuf>,
    /// The version of the program.
    pub of: Version,
    /// What was compiled at once.
    pub link: Link,
    /// The pipelines, in the order of the program's stages.
    pub pipelines: Vec<CompiledPipeline>,
    /// The most memory in bytes that the process which hosted the compiler had resident by then, drivers' libraries
    /// included; absent where the system does not report it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub peak_memory: Option<u64>,
    /// Capabilities and execution modes of which is not known what enables them: no feature was checked or enabled for
    /// them.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub handed_on: Vec<String>,
    /// What was left out, or chosen for the program, and why: one sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
}

/// One pipeline that a driver made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CompiledPipeline {
    /// The program's stages in it, in pipeline order.
    pub stages: Vec<StageKind>,
    /// The entry points of those stages.
    pub entries: Vec<String>,
    /// Nanoseconds of its creation on the caller's clock, with what the driver keeps for its questions.
    pub nanoseconds: u64,
    /// What the driver made; empty for a driver without `VK_KHR_pipeline_executable_properties`.
    pub executables: Vec<Executable>,
}

/// One executable of a pipeline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Executable {
    /// The driver's name for it: `Vertex Shader`.
    pub name: String,
    /// What the driver says of it.
    pub description: String,
    /// The stages that it runs, in pipeline order. Several where a driver merges them; a driver's own helper
    /// carries the stage that it helps.
    pub stages: Vec<StageKind>,
    /// Lanes of its waves; 0 where the driver does not say.
    pub subgroup_size: u32,
    /// The driver's statistics, in its order.
    pub statistics: Vec<Statistic>,
    /// The driver's texts, in its order: intermediate forms first, as they were made.
    pub texts: Vec<Representation>,
}

/// A statistic that a driver reports for an executable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Statistic {
    /// Its name: `VGPRs`.
    pub name: String,
    /// What it counts, in the driver's words.
    pub description: String,
    /// Its value.
    pub value: Value,
}

/// A statistic's value.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Value {
    /// Yes or no.
    Bool(bool),
    /// A count.
    Uint(u64),
    /// A signed count.
    Int(i64),
    /// A number; finite.
    Float(f64),
    /// A hash: a name more than a count, and larger than many readers of JSON take numbers to be.
    Hash(Hex<8>),
}

/// A form of the program inside the compiler.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Representation {
    /// Its name: `NIR Shader(s)`, `ACO IR`, `Assembly`.
    pub name: String,
    /// What it is, in the driver's words.
    pub description: String,
    /// The text. A form that is not text is left out, with a note.
    pub text: String,
}

impl Value {
    /// A whole number under the driver's name for it: some names say that it is a hash.
    pub fn whole(name: &str, value: u64) -> Value {
        if is_hash(name) { Value::Hash(Hex(value)) } else { Value::Uint(value) }
    }

    /// The value as a number: a Boolean counts 0 or 1.
    pub fn number(self) -> f64 {
        match self {
            Value::Bool(value) => f64::from(u8::from(value)),
            Value::Uint(value) => value as f64,
            Value::Int(value) => value as f64,
            Value::Float(value) => value,
            Value::Hash(value) => value.0 as f64,
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Bool(value) => f.pad(if *value { "yes" } else { "no" }),
            Value::Uint(value) => f.pad(&value.to_string()),
            Value::Int(value) => f.pad(&value.to_string()),
            Value::Float(value) => f.pad(&format!("{value:.3}")),
            Value::Hash(value) => f.pad(&value.to_string()),
        }
    }
}

impl Compilation {
    /// Whether a layout can be read of it: the driver returns a fragment shader's assembly that is interpreted, and the
    /// stage before was compiled.
    pub fn passes_varyings(&self) -> bool {
        if Dialect::of(&self.driver).is_none() {
            return false;
        }
        let has_assembly = |stage| self.of_stage(stage).is_some_and(|executable| executable.assembly().is_some());
        has_assembly(StageKind::Fragment) && PRODUCERS.iter().any(|stage| has_assembly(*stage))
    }

    /// Every executable, in order.
    pub fn executables(&self) -> impl Iterator<Item = &Executable> {
        self.pipelines.iter().flat_map(|pipeline| &pipeline.executables)
    }

    /// The executable that runs a stage.
    pub fn of_stage(&self, stage: StageKind) -> Option<&Executable> {
        self.executables().find(|executable| executable.stages.contains(&stage))
    }
}

impl Executable {
    /// The assembly: what the hardware runs.
    ///
    /// RADV and ANV say `Assembly`, others something that starts with it or names the instruction set.
    pub fn assembly(&self) -> Option<&str> {
        let is = |text: &&Representation| {
            let name = text.name.to_ascii_lowercase();
            name.contains("assembl") || name == "isa"
        };
        self.texts.iter().rev().find(is).map(|text| text.text.as_str())
    }

    /// A statistic by the driver's name.
    pub fn statistic(&self, name: &str) -> Option<Value> {
        self.statistics.iter().find(|statistic| statistic.name == name).map(|statistic| statistic.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_their_kind_and_their_bits() {
        let hash = |value| Value::whole("Driver pipeline hash", value);
        let (count, long) = (Value::whole("Code size", u64::MAX), hash(u64::MAX - 1));
        let values = [Value::Bool(true), count, Value::Int(-3), Value::Float(0.5), hash(0xabc), long];
        let text = serde_json::to_string(&values).expect("values are JSON");
        assert_eq!(text, r#"[true,18446744073709551615,-3,0.5,"0x00000abc","0xfffffffffffffffe"]"#);
        assert_eq!(serde_json::from_str::<Vec<Value>>(&text).expect("reads"), values);
        let shown = ["yes", "18446744073709551615", "-3", "0.500", "0x00000abc", "0xfffffffffffffffe"];
        assert_eq!(values.map(|value| value.to_string()), shown);
    }
}
