//! The op tables as they are in their file, typed.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::opcode::{FeatureId, Opcode, Version, feature_text};
use super::private::PrivateFeature;
use super::symbol::{Scalar, ShaderKind, TypeSymbol};
use lanescope_base::named_enum;

static DATABASE: LazyLock<Database> = LazyLock::new(|| {
    // The text is part of the program, and a test reads all of it.
    serde_json::from_str(include_str!("../../assets/dxil-opcodes.json")).expect("the bundled op tables")
});

/// The last shader model with work graphs: DXIL 1.10 has no nodes.
pub(crate) const LAST_WITH_NODES: Version = Version { major: 6, minor: 9 };

/// The bundled tables.
pub fn database() -> &'static Database {
    &DATABASE
}

/// Both tables, and where they come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Database {
    /// 1.
    pub format: u32,
    /// The compiler that the tables describe.
    pub source: Source,
    /// Notes on the fields.
    pub notes: Vec<String>,
    /// Meaning of each type in a prototype.
    pub type_legend: BTreeMap<TypeSymbol, String>,
    /// Number of stable slots in each version of DXIL.
    pub core_table_size_by_dxil_version: BTreeMap<Version, u16>,
    /// Slots of both tables.
    pub op_count: u16,
    /// Reserved slots of both tables.
    pub reserved_count: u16,
    /// Stable, then experimental.
    pub tables: Vec<OpTable>,
    /// Names of ops in other partitions.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub private: Vec<PrivateFeature>,
}

impl Database {
    /// The first DXIL version whose stable table covers an index, for an index that some version covers.
    pub fn dxil_version_of(&self, index: u16) -> Option<Version> {
        self.core_table_size_by_dxil_version.iter().find(|(_, size)| index < **size).map(|(version, _)| *version)
    }
}

/// One state of a compiler's sources.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Source {
    /// Owner and name.
    pub project: String,
    /// The commit.
    pub commit: String,
    /// Year, month and day.
    pub commit_date: String,
    /// The newest DXIL version in the table.
    pub highest_dxil_version: Version,
    /// The newest DXIL that is released.
    pub released_dxil_version: Version,
    /// The newest shader model in the table.
    pub highest_shader_model: Version,
    /// The newest shader model that is released.
    pub released_shader_model: Version,
    /// The file that the tables were read from; absent for the bundled ones.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub file: Option<String>,
    /// What was not understood in the file, and rules that the tables break.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub remarks: Vec<String>,
}

impl Source {
    /// The commit as a short text, with its date; of tables that were read without one, their file.
    pub fn short(&self) -> String {
        if let Some(file) = &self.file {
            return crate::escaped(file.as_bytes());
        }
        format!("{} of {}", self.commit.get(..9).unwrap_or(&self.commit), self.commit_date)
    }
}

/// One table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct OpTable {
    /// The FeatureID that chooses it.
    #[serde(with = "feature_text")]
    pub feature_id: FeatureId,
    /// Its name in the compiler.
    pub name: String,
    /// Whether its ops may still change.
    pub experimental: bool,
    /// Its slots.
    pub count: u16,
    /// Slots that are holes.
    pub reserved_count: u16,
    /// The slots by index.
    pub ops: Vec<Op>,
}

named_enum!(
    /// Effects of a call on memory and control.
    #[non_exhaustive]
    Attribute {
        /// No attribute.
        None = "none",
        /// Reads and writes nothing.
        ReadNone = "readnone",
        /// Writes nothing.
        ReadOnly = "readonly",
        /// Must not be duplicated.
        NoDuplicate = "noduplicate",
        /// Does not return.
        NoReturn = "noreturn",
        /// Accesses memory through its pointer arguments only.
        ArgMemOnly = "argmemonly",
    }
);

named_enum!(
    /// How an op depends on neighbouring lanes.
    #[non_exhaustive]
    Flag {
        /// Communicates with other lanes of the wave.
        Wave = "wave",
        /// Is a derivative.
        Derivative = "derivative",
        /// Takes differences over a quad, explicitly or inside a sample.
        Gradient = "gradient",
        /// Must not move into or out of control flow.
        Convergent = "convergent",
        /// Is a barrier.
        Barrier = "barrier",
        /// Writes a feedback map.
        SamplerFeedback = "sampler_feedback",
    }
);

/// One slot of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Row", into = "Row")]
#[non_exhaustive]
pub struct Op {
    /// Its number.
    pub opcode: Opcode,
    /// Its name: `LoadInput`. That of a reserved slot has no meaning.
    pub name: String,
    /// Whether the slot is a hole.
    pub reserved: bool,
    /// The class, which names the callee: ops of one class share it.
    pub class: String,
    /// The callee's name before its overloads: `dx.op.loadInput`.
    pub function_prefix: Option<String>,
    /// The group that the compiler's documentation puts it in.
    pub category: Option<String>,
    /// The shader model that the compiler's table asks for.
    pub min_shader_model: Option<Version>,
    /// The shader model that brought it: `min_shader_model`, unless its slot came later.
    pub since: Option<Version>,
    /// The shader model that it can be linked down to.
    pub since_translated: Option<Version>,
    /// The first DXIL whose table covers the slot.
    pub dxil_version: Option<Version>,
    /// Stages in which it may be called; any if empty.
    pub stages: Vec<ShaderKind>,
    /// Effects on memory and control.
    pub attribute: Attribute,
    /// The overloads in the compiler's short form.
    pub overload_string: String,
    /// The overload dimensions.
    pub overloads: Vec<Overload>,
    /// How it depends on neighbouring lanes.
    pub flags: Vec<Flag>,
    /// Return type.
    pub returns: TypeSymbol,
    /// Its operands; the first is the opcode.
    pub operands: Vec<Operand>,
}

impl Op {
    /// Its table.
    pub fn is_experimental(&self) -> bool {
        self.opcode.feature() != FeatureId(0)
    }

    /// Whether it may be called there. No node may call what is newer than the last shader model with nodes, whatever
    /// the compiler's table lists.
    pub fn allowed_in(&self, stage: ShaderKind) -> bool {
        let is_too_new = self.since.is_some_and(|since| since > LAST_WITH_NODES);
        let is_lost = stage == ShaderKind::Node && is_too_new;
        !is_lost && (self.stages.is_empty() || self.stages.contains(&stage))
    }
}

/// Allowed types of one dimension of the overload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Overload {
    /// Alone.
    pub scalar: Vec<Scalar>,
    /// As a vector.
    pub vector_of: Vec<Scalar>,
}

/// One operand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Operand {
    /// Its place in the call.
    pub position: u16,
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub type_symbol: TypeSymbol,
    /// Whether the table asks for a constant. It does not always say so.
    pub immediate: bool,
    /// The enumeration that its values come from.
    #[serde(rename = "enum", skip_serializing_if = "Option::is_none", default)]
    pub enumeration: Option<String>,
    /// Its largest value.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub max: Option<u32>,
}

/// A slot as the file has it: the number is there in five forms.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    opcode: Opcode,
    opcode_hex: String,
    opcode_i32: i32,
    #[serde(with = "feature_text")]
    feature_id: FeatureId,
    index: u16,
    name: String,
    reserved: bool,
    class: String,
    function_prefix: Option<String>,
    category: Option<String>,
    min_shader_model: Option<Version>,
    effective_min_shader_model: Option<Version>,
    min_shader_model_with_translation: Option<Version>,
    dxil_version_of_slot: Option<Version>,
    shader_stages: Vec<ShaderKind>,
    attribute: Attribute,
    overload_string: String,
    overload_dims: Vec<Overload>,
    flags: Vec<Flag>,
    return_type: TypeSymbol,
    operands: Vec<Operand>,
}

impl TryFrom<Row> for Op {
    type Error = String;

    fn try_from(row: Row) -> Result<Op, String> {
        let op = Op {
            opcode: row.opcode,
            name: row.name,
            reserved: row.reserved,
            class: row.class,
            function_prefix: row.function_prefix,
            category: row.category,
            min_shader_model: row.min_shader_model,
            since: row.effective_min_shader_model,
            since_translated: row.min_shader_model_with_translation,
            dxil_version: row.dxil_version_of_slot,
            stages: row.shader_stages,
            attribute: row.attribute,
            overload_string: row.overload_string,
            overloads: row.overload_dims,
            flags: row.flags,
            returns: row.return_type,
            operands: row.operands,
        };
        let number = op.opcode;
        let agree = row.opcode_hex == format!("{number:#}")
            && row.opcode_i32 == number.signed()
            && row.feature_id == number.feature()
            && row.index == number.index();
        if agree { Ok(op) } else { Err(format!("the forms of opcode {} disagree", number.shown())) }
    }
}

impl From<Op> for Row {
    fn from(op: Op) -> Row {
        Row {
            opcode: op.opcode,
            opcode_hex: format!("{:#}", op.opcode),
            opcode_i32: op.opcode.signed(),
            feature_id: op.opcode.feature(),
            index: op.opcode.index(),
            name: op.name,
            reserved: op.reserved,
            class: op.class,
            function_prefix: op.function_prefix,
            category: op.category,
            min_shader_model: op.min_shader_model,
            effective_min_shader_model: op.since,
            min_shader_model_with_translation: op.since_translated,
            dxil_version_of_slot: op.dxil_version,
            shader_stages: op.stages,
            attribute: op.attribute,
            overload_string: op.overload_string,
            overload_dims: op.overloads,
            flags: op.flags,
            return_type: op.returns,
            operands: op.operands,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_file_round_trips() {
        let text = include_str!("../../assets/dxil-opcodes.json");
        let file: serde_json::Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(serde_json::to_value(database()).expect("serializes"), file);
    }

    #[test]
    fn counts_match_those_in_the_file() {
        let database = database();
        let (mut slots, mut holes) = (0, 0);
        for table in &database.tables {
            let reserved = table.ops.iter().filter(|op| op.reserved).count();
            assert_eq!(
                (table.ops.len(), reserved),
                (table.count.into(), table.reserved_count.into()),
                "{}",
                table.name
            );
            assert_eq!(table.experimental, table.feature_id == FeatureId(0x8000));
            for (index, op) in table.ops.iter().enumerate() {
                assert_eq!(op.opcode.feature(), table.feature_id, "{}", op.name);
                assert_eq!(usize::from(op.opcode.index()), index, "{}", op.name);
            }
            slots += table.ops.len();
            holes += reserved;
        }
        assert_eq!((slots, holes), (database.op_count.into(), database.reserved_count.into()));
        assert_eq!((database.tables.len(), slots, holes), (2, 347, 33));
    }

    #[test]
    fn every_type_of_a_prototype_is_in_the_legend() {
        let legend: Vec<_> = database().type_legend.keys().copied().collect();
        let known = TypeSymbol::ALL.iter().copied().filter(|symbol| *symbol != TypeSymbol::Unknown);
        assert_eq!(legend, known.collect::<Vec<_>>());
    }

    #[test]
    fn operands_are_numbered_and_start_with_the_opcode() {
        for op in database().tables.iter().flat_map(|table| &table.ops) {
            let first = op.operands.first().expect("at least the opcode");
            assert_eq!((first.name.as_str(), first.type_symbol), ("opcode", TypeSymbol::I32), "{}", op.name);
            assert!(op.operands.iter().enumerate().all(|(at, operand)| usize::from(operand.position) == at));
            assert_eq!(op.since.is_none(), op.reserved, "{}", op.name);
        }
    }

    #[test]
    fn slots_have_the_version_that_introduced_them() {
        let database = database();
        for op in &database.tables[0].ops {
            assert_eq!(database.dxil_version_of(op.opcode.index()), op.dxil_version, "{}", op.name);
        }
        assert_eq!(database.dxil_version_of(312), None);
    }

    #[test]
    fn rejects_row_with_inconsistent_numbers() {
        let mut row = serde_json::to_value(&database().tables[0].ops[4]).expect("serializes");
        row["opcode_hex"] = "0x00000005".into();
        let error = serde_json::from_value::<Op>(row).expect_err("disagrees").to_string();
        assert!(error.contains("opcode 4"), "{error}");
    }
}
