//! The row of a pipeline: what was measured of it, as plain data.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use lanescope_base::named_enum;
use lanescope_driver::{Value, Version};
use lanescope_model::options::PackingOrder;
use lanescope_model::program::StageKind;
use lanescope_passes::guessed_layout::BreakKind;
use lanescope_passes::packing::Fallback;
use lanescope_passes::speculative_corpus::{Lookup, Rows, Tally, Variant};

named_enum!(
    /// Kinds of pipelines.
    Kind {
        /// Vertex, tessellation, geometry, mesh and fragment stages.
        Graphics = "graphics",
        /// A compute shader.
        Compute = "compute",
        /// Ray tracing stages.
        RayTracing = "ray_tracing",
        /// Nothing that a pipeline is made of: a library of nodes, or what was not read.
        Other = "other",
    }
);

/// One pipeline of a corpus. Parts that were not measured are absent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Row {
    /// Position in the corpus, from 0. Rows of a result are in this order.
    pub number: u64,
    /// The name: files of the pipeline, or its database with its hash (`game.foz@58dd3e41aad4d928`).
    pub pipeline: String,
    /// The file; the first one where a pipeline has several.
    pub database: String,
    /// The other files, where the pipeline has several.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub more_files: Vec<String>,
    /// Hash of the pipeline in its database; of the files (XXH3), where it is not in one. Empty if it was not read.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub hash: String,
    /// The kind.
    pub kind: Kind,
    /// The stages, in pipeline order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub stages: Vec<StageRow>,
    /// Fragment inputs. Absent without any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub packing: Option<PackingRow>,
    /// Number of findings, by code.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub findings: BTreeMap<String, u64>,
    /// Results of drivers' compilers, in the order in which they were requested.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub drivers: Vec<DriverRow>,
    /// Results of speculative compiles, with their times.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub speculation: Option<Box<Rows>>,
    /// The AMD code object of the pipeline, beside what is predicted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub object: Option<Box<ObjectRow>>,
    /// What workgroup layouts do to the memory accesses of a compute shader.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub accesses: Option<AccessRow>,
    /// What each combination of guesses achieves, where the pipeline is described.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub guesses: Vec<Tally>,
    /// The stages before the rasterizer, and the map that the fragment shader gives them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub variant: Option<Box<Variant>>,
    /// The keys that its shaders are looked up by, where the pipeline is described.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub lookups: Vec<Lookup>,
    /// Times. They differ between runs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub times: Option<Times>,
    /// Why the pipeline was not measured.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub failure: Option<String>,
}

/// One stage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StageRow {
    /// The stage.
    pub stage: StageKind,
    /// The entry point.
    pub entry: String,
    /// Workgroup layout of a compute, task or mesh stage.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub workgroup: Option<GroupRow>,
    /// Layout that is guessed from the stage alone.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub layout: Option<GuessRow>,
    /// Register values by name: hexadecimal.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub registers: BTreeMap<String, String>,
}

/// Attribute slots of a fragment shader's inputs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PackingRow {
    /// Slots as written.
    pub before: u32,
    /// Slots after packing.
    pub after: u32,
    /// Bytes of attributes that packing saves for each vertex; negative where it takes more.
    pub saved: i64,
    /// Number of scalars of each class: `32-bit interpolated`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub classes: BTreeMap<String, u64>,
    /// Why inputs are only renumbered.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fallback: Option<Fallback>,
    /// Slots in each order of the classes, where they were requested.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub orders: BTreeMap<PackingOrder, u32>,
    /// Slots of the rewritten modules, where they were requested and the program can be rewritten.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rewritten: Option<u32>,
}

/// An AMD code object beside the prediction for its shaders: how many register fields have each result.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ObjectRow {
    /// The object's file.
    pub file: String,
    /// Equal values.
    pub agrees: u64,
    /// Values that differ.
    pub differs: u64,
    /// Values of the object alone.
    pub not_predicted: u64,
    /// Predicted values alone.
    pub not_in_object: u64,
    /// The fields that differ: `SPI_PS_IN_CONTROL.PS_W32_EN`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub differing: Vec<String>,
    /// Why nothing was compared.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub failure: Option<String>,
}

/// The memory accesses of a compute shader by workgroup layout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AccessRow {
    /// What was counted.
    Counted(AccessCounts),
    /// Why nothing was.
    NotCounted(String),
}

/// Lines of the chip's size and passes of LDS, summed over the waves of the workgroups that ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AccessCounts {
    /// The layout that the options select.
    pub layout: String,
    /// What is recommended: `keep`, `change`, `no-difference`, `trade-off`, `nothing`, as `lanescope cost` says.
    pub verdict: String,
    /// The recommended layout, if there is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub recommended: Option<String>,
    /// Bytes of a line.
    pub line: u32,
    /// Whether addresses or branches may depend on inputs, which are zero.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub depends: bool,
    /// Whether that is not known: the shader is too large to follow its values.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub not_followed: bool,
    /// Lines, and passes of LDS, in the selected layout.
    pub passes: [u64; 2],
    /// The same in the recommended layout, if there is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub best: Option<[u64; 2]>,
    /// Workgroups that ran.
    pub groups: u64,
}

/// Layout of a workgroup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GroupRow {
    /// X, Y, Z in invocations.
    pub size: [u32; 3],
    /// Tiles that were chosen: `8×N strips of 2×2 quads`.
    pub tiles: String,
    /// Rules of the decision that held.
    pub rules: Vec<String>,
    /// Lanes of a wave.
    pub wave: u32,
    /// Waves of a workgroup. Absent without a lane map.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub waves: Option<u64>,
    /// Waves with idle lanes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub partial_waves: Option<u64>,
    /// Groups of four lanes that run a 2×2 quad.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub quads: Option<u64>,
}

/// Layout that is guessed from a stage, against the application's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GuessRow {
    /// A layout is guessed.
    pub guessed: bool,
    /// Code that is compiled with it serves the pipeline. Absent without a description of the pipeline.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub hit: Option<bool>,
    /// It is a hit with a documented rewrite.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub usable: Option<bool>,
    /// The first difference that breaks a hit.
    #[serde(rename = "break", skip_serializing_if = "Option::is_none", default)]
    pub broken: Option<BreakKind>,
}

/// What one driver's compiler made of one version of a pipeline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DriverRow {
    /// The chip, or the device.
    pub place: String,
    /// Name and version of the driver. Empty where it failed.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub driver: String,
    /// The version of the program.
    pub variant: Version,
    /// The executables, in the driver's order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub executables: Vec<ExecutableRow>,
    /// Register fields and slots that the driver has other than predicted: `SPI_PS_IN_CONTROL.NUM_INTERP`; `slots` for
    /// another number of slots, `slots.RULE` for each reason of another place.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub disagreements: Vec<String>,
    /// The slots of the fragment shader's inputs, where they were requested and the compiler's output shows them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub slots: Option<SlotsRow>,
    /// Nanoseconds of pipeline creation.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub nanoseconds: Option<u64>,
    /// Why there is no result.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub failure: Option<String>,
}

/// Where a compiler puts the inputs of a fragment shader, in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SlotsRow {
    /// Slots that the fragment shader reads. Absent where a line of its assembly is not understood.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub read: Option<u32>,
    /// Slots that the stage before exports. Absent where it does not say.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub exported: Option<u32>,
    /// Scalars of the interface as the program reads it.
    pub scalars: u32,
    /// Those whose place, or whose absence, the compiler's output does not show.
    pub unattributed: u32,
}

/// One executable of a pipeline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExecutableRow {
    /// The driver's name: `Fragment Shader`.
    pub name: String,
    /// Lanes of its waves; 0 where the driver does not say.
    pub subgroup_size: u32,
    /// Its statistics, in the driver's order.
    pub statistics: Named,
}

/// Values by name, in an order of their own.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Named(pub Vec<(String, Value)>);

/// Nanoseconds that were taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Times {
    /// Reading and validating the files.
    pub load: u64,
    /// All passes.
    pub passes: u64,
}

/// A number of a row, with what it belongs to.
#[derive(Debug, Clone, PartialEq)]
pub struct Valued<'r> {
    /// Index of the result in [`Row::drivers`]; `None` for what is computed without a driver.
    pub driver: Option<usize>,
    /// What has the value: the stage, or the driver's executable.
    pub of: &'r str,
    /// The name of the statistic.
    pub name: &'r str,
    /// The value.
    pub value: Value,
}

impl DriverRow {
    /// A row of a compilation of which nothing is known yet.
    pub fn new(place: String, variant: Version) -> DriverRow {
        DriverRow {
            place,
            driver: String::new(),
            variant,
            executables: Vec::new(),
            disagreements: Vec::new(),
            slots: None,
            nanoseconds: None,
            failure: None,
        }
    }

    /// The numbers of its slots, with their names.
    pub(super) fn slot_values(&self) -> impl Iterator<Item = (&'static str, Value)> {
        let slots = self.slots;
        let all = slots.map(|slots| {
            let known = [(SLOTS_READ, slots.read), (SLOTS_EXPORTED, slots.exported)];
            let scalars = [(SCALARS, Some(slots.scalars)), (UNATTRIBUTED, Some(slots.unattributed))];
            known.into_iter().chain(scalars)
        });
        all.into_iter().flatten().filter_map(|(name, value)| Some((name, Value::Uint(value?.into()))))
    }

    /// The executable of the fragment shader, by its name; the first one where none has it.
    pub(super) fn fragment(&self) -> usize {
        let is = |one: &ExecutableRow| one.name.to_ascii_lowercase().contains(StageKind::Fragment.name());
        self.executables.iter().position(is).unwrap_or(0)
    }
}

/// A statistic's name after the compiler that it is of, where one is given.
pub(super) fn title(place: &str, name: &str) -> String {
    if place.is_empty() { name.to_owned() } else { format!("{place}: {name}") }
}

impl AccessRow {
    /// The recommended layout; else the verdict, or that nothing was counted.
    pub fn advice(&self) -> String {
        match self {
            AccessRow::NotCounted(_) => "not counted".to_owned(),
            AccessRow::Counted(counts) => {
                let advice = counts.recommended.as_ref().unwrap_or(&counts.verdict);
                counts.with_dependence(advice)
            }
        }
    }
}

impl AccessCounts {
    /// A verdict or a layout, with what is known of inputs: `8×N strips, depends on inputs`.
    pub(super) fn with_dependence(&self, advice: &str) -> String {
        match self {
            AccessCounts { not_followed: true, .. } => format!("{advice}, {NOT_FOLLOWED}"),
            AccessCounts { depends: true, .. } => format!("{advice}, {DEPENDS}"),
            _ => advice.to_owned(),
        }
    }
}

impl Row {
    /// A row of a pipeline that was not measured.
    pub fn failed(number: u64, pipeline: String, database: String, why: String) -> Row {
        Row { failure: Some(why), ..Row::new(number, pipeline, database) }
    }

    /// A row of which nothing is known yet.
    pub fn new(number: u64, pipeline: String, database: String) -> Row {
        Row {
            number,
            pipeline,
            database,
            more_files: Vec::new(),
            hash: String::new(),
            kind: Kind::Other,
            stages: Vec::new(),
            packing: None,
            findings: BTreeMap::new(),
            drivers: Vec::new(),
            speculation: None,
            object: None,
            accesses: None,
            guesses: Vec::new(),
            variant: None,
            lookups: Vec::new(),
            times: None,
            failure: None,
        }
    }

    /// What the compilation of that index in [`Row::drivers`] is called: the place, with the version of the program unless
    /// it is the original; with its number among those that are called so, where two drivers compile for one chip.
    pub fn label(&self, at: usize) -> String {
        let Some(own) = self.drivers.get(at) else { return String::new() };
        let name = match own.variant {
            Version::Original => own.place.clone(),
            variant => format!("{} {variant}", own.place),
        };
        let alike = |other: &&DriverRow| (&other.place, other.variant) == (&own.place, own.variant);
        let number = self.drivers.iter().take(at + 1).filter(alike).count();
        if self.drivers.iter().filter(alike).count() > 1 { format!("{name} [{number}]") } else { name }
    }

    /// Whether the pipeline, or a driver with it, failed.
    pub fn has_failed(&self) -> bool {
        self.failure.is_some() || self.drivers.iter().any(|driver| driver.failure.is_some())
    }

    /// The reasons of all failures.
    pub fn failures(&self) -> impl Iterator<Item = &str> {
        self.failure.as_deref().into_iter().chain(self.drivers.iter().filter_map(|driver| driver.failure.as_deref()))
    }

    /// All numbers of the row: those that are computed, then those of each driver. Hashes are left out.
    pub fn values(&self) -> Vec<Valued<'_>> {
        let own = self.own_values().into_iter();
        let mut out: Vec<Valued<'_>> = own.map(|(of, name, value)| Valued { driver: None, of, name, value }).collect();
        for (at, driver) in self.drivers.iter().enumerate() {
            let of = driver.executables.get(driver.fragment()).map_or("", |executable| &executable.name);
            out.extend(driver.slot_values().map(|(name, value)| Valued { driver: Some(at), of, name, value }));
            for executable in &driver.executables {
                for (name, value) in &executable.statistics.0 {
                    if !matches!(value, Value::Hash(_)) {
                        out.push(Valued { driver: Some(at), of: &executable.name, name, value: *value });
                    }
                }
            }
        }
        out
    }

    /// The numbers that are computed: stage (empty for the whole pipeline), name, value.
    pub(super) fn own_values(&self) -> Vec<(&'static str, &'static str, Value)> {
        let mut out = Vec::new();
        if let Some(packing) = &self.packing {
            let fragment = StageKind::Fragment.name();
            out.push((fragment, ORIGINAL_SLOTS, Value::Uint(packing.before.into())));
            out.push((fragment, SLOTS, Value::Uint(packing.after.into())));
            out.push((fragment, SAVED, Value::Int(packing.saved)));
        }
        for stage in &self.stages {
            let Some(group) = &stage.workgroup else { continue };
            let values = [(WAVES, group.waves), (PARTIAL_WAVES, group.partial_waves), (QUADS, group.quads)];
            let values = values.into_iter().filter_map(|(name, value)| Some((name, value?)));
            out.extend(values.map(|(name, value)| (stage.stage.name(), name, Value::Uint(value))));
        }
        let findings: u64 = self.findings.values().sum();
        if findings > 0 {
            out.push(("", FINDINGS, Value::Uint(findings)));
        }
        if let Some(AccessRow::Counted(counts)) = &self.accesses {
            let compute = StageKind::Compute.name();
            let [lines, lds] = counts.passes;
            let best = counts.best.map(|[lines, lds]| [(BEST_LINES, lines), (BEST_LDS_PASSES, lds)]);
            let own = [(LINES, lines), (LDS_PASSES, lds)].into_iter().chain(best.into_iter().flatten());
            out.extend(own.map(|(name, value)| (compute, name, Value::Uint(value))));
        }
        if let Some(object) = self.object.as_ref().filter(|object| object.failure.is_none()) {
            out.push(("", OBJECT_AGREES, Value::Uint(object.agrees)));
            out.push(("", OBJECT_DIFFERS, Value::Uint(object.differs)));
        }
        out
    }
}

/// What is said of accesses that may be others with other inputs.
const DEPENDS: &str = "depends on inputs";

/// What is said of accesses of which that is not known.
const NOT_FOLLOWED: &str = "dependence on inputs not followed";

/// Names of what is computed.
const ORIGINAL_SLOTS: &str = "Original slots";
const SLOTS: &str = "Slots";
const SAVED: &str = "Attribute bytes saved";
const WAVES: &str = "Waves";
const PARTIAL_WAVES: &str = "Partial waves";
const QUADS: &str = "Quads";
const FINDINGS: &str = "Findings";
const LINES: &str = "Lines";
const BEST_LINES: &str = "Lines, recommended";
const LDS_PASSES: &str = "LDS passes";
const BEST_LDS_PASSES: &str = "LDS passes, recommended";
const OBJECT_AGREES: &str = "Object fields that agree";
const OBJECT_DIFFERS: &str = "Object fields that differ";
/// Names of what is read of a compiler's slots.
const SLOTS_READ: &str = "Slots read";
const SLOTS_EXPORTED: &str = "Slots exported";
const SCALARS: &str = "Varying scalars";
const UNATTRIBUTED: &str = "Unattributed scalars";

impl Serialize for Named {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl JsonSchema for Named {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Named".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        BTreeMap::<String, Value>::json_schema(generator)
    }
}

impl<'de> Deserialize<'de> for Named {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Named, D::Error> {
        struct Values;
        impl<'de> Visitor<'de> for Values {
            type Value = Named;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of statistics")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Named, A::Error> {
                let mut all = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    all.push(entry);
                }
                Ok(Named(all))
            }
        }
        from.deserialize_map(Values)
    }
}
