//! Rows of the tables of functions, resources and subobjects.

use super::nodes::{self, Node};
use super::signatures::{self, Entry};
use super::{Rdat, Tables};
use crate::bytes::Bytes;
use crate::names::model;
use crate::names::{self, Name};

/// A function of the library.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Function {
    /// Its name in the bitcode.
    pub name: String,
    /// Its name in the source.
    pub unmangled: String,
    /// Its shader kind; `library` for one that is not an entry point.
    pub kind: Name,
    /// Indices of the resources it uses, in this part's table.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub resources: Vec<u32>,
    /// Functions outside the library that it calls.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub calls: Vec<String>,
    /// Bytes of its payload, or of its parameters.
    pub payload_bytes: u32,
    /// Bytes of its attributes.
    pub attribute_bytes: u32,
    /// Features that it needs.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub features: Vec<Name>,
    /// Bits of the stages it may run in: 1 << kind.
    pub stages: u32,
    /// The shader model that it needs.
    pub minimum_model: String,
    /// Fewest and most lanes of a wave; absent where any number will do.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub wave_lanes: Option<[u8; 2]>,
    /// Properties as a node.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub node: Option<Node>,
    /// Properties as a shader of another kind, if the part has them.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub entry: Option<Entry>,
}

/// A resource of the library.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Resource {
    /// `srv`, `uav`, `cbv` or `sampler`.
    pub class: Name,
    /// Its kind.
    pub kind: Name,
    /// Its number in its class.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// Register space.
    pub space: u32,
    /// The first register.
    pub lower: u32,
    /// The last register; absent if unbounded.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub upper: Option<u32>,
    /// Its flags.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub flags: Vec<Name>,
}

/// A subobject.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Subobject {
    /// Its kind.
    pub kind: Name,
    /// Its name.
    pub name: String,
    /// Contents, as name and value.
    pub values: Vec<(Name, String)>,
    /// A root signature, serialised.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub data: Vec<u8>,
}

/// The longest root signature that is kept.
const MAX_ROOT_SIGNATURE: usize = 1 << 12;

const RESOURCE_FLAGS: &[&str] =
    &["globally_coherent", "counter", "rasterizer_ordered", "dynamic_indexing", "atomic64", "reorder_coherent"];

const SUBOBJECTS: &[&str] = &[
    "state_object_config",
    "global_root_signature",
    "local_root_signature",
    "",
    "",
    "",
    "",
    "",
    "subobject_to_exports_association",
    "raytracing_shader_config",
    "raytracing_pipeline_config",
    "hit_group",
    "raytracing_pipeline_config1",
];

pub(super) fn read(tables: &mut Tables<'_, '_>, out: &mut Rdat) {
    for row in tables.table(3).into_iter().flat_map(|table| table.all()) {
        let resource = resource(tables, &row);
        out.resources.push(resource);
    }
    for row in tables.table(4).into_iter().flat_map(|table| table.all()) {
        let function = function(tables, &row);
        out.functions.push(function);
    }
    for row in tables.table(6).into_iter().flat_map(|table| table.all()) {
        let subobject = subobject(tables, &row);
        out.subobjects.push(subobject);
    }
}

fn resource(tables: &mut Tables<'_, '_>, row: &Bytes<'_>) -> Resource {
    let name = tables.text(row, 24);
    let word = |at: usize| tables.word(row, at);
    let upper = word(20);
    Resource {
        class: names::of(names::CLASS, word(0)),
        kind: names::of(names::RESOURCE, word(4)),
        id: word(8),
        name,
        space: word(12),
        lower: word(16),
        upper: (upper != u32::MAX).then_some(upper),
        flags: names::of_bits(RESOURCE_FLAGS, u64::from(word(28))).0,
    }
}

fn function(tables: &mut Tables<'_, '_>, row: &Bytes<'_>) -> Function {
    let (name, unmangled) = (tables.text(row, 0), tables.text(row, 4));
    let resources = tables.array(row, 8);
    let rows = tables.table(3).map_or(0, |table| table.len());
    if let Some(outside) = resources.iter().find(|index| **index >= rows) {
        tables.bad(row, 8, "resource", *outside);
    }
    let calls = tables.texts(row, 12);
    let kind = tables.word(row, 16);
    // Only the longer rows, from 1.8 on, say more about the entry point.
    let longer = row.len() >= 52;
    let node = if longer && kind == 15 { tables.row(row, 48, 11).map(|info| nodes::node(tables, &info)) } else { None };
    let entry = if longer { signatures::entry(tables, row, kind) } else { None };
    let word = |at: usize| tables.word(row, at);
    let byte = |at: usize| row.u8(at, "row").unwrap_or(0);
    let (least, most) = (byte(44), byte(45));
    let target = word(40);
    Function {
        name,
        unmangled,
        kind: names::of(names::KIND, kind),
        resources,
        calls,
        payload_bytes: word(20),
        attribute_bytes: word(24),
        features: names::of_bits(names::FEATURES, u64::from(word(28)) | u64::from(word(32)) << 32).0,
        stages: word(36),
        minimum_model: model(target >> 4 & 15, target & 15),
        wave_lanes: (longer && (least, most) != (0, 0)).then_some([least, most]),
        node: node.map(|mut node| {
            node.program_entry = row.u16(46, "row").unwrap_or(0) & 1 != 0;
            node
        }),
        entry,
    }
}

fn subobject(tables: &mut Tables<'_, '_>, row: &Bytes<'_>) -> Subobject {
    let kind = tables.word(row, 0);
    let name = tables.text(row, 4);
    let number = |tables: &Tables<'_, '_>, index: usize| tables.word(row, 8 + 4 * index);
    let mut values = Vec::new();
    let mut data = Vec::new();
    let mut add = |name: &'static str, value: String| values.push((name.into(), value));
    match kind {
        0 => add("flags", format!("{:#x}", number(tables, 0))),
        1 | 2 => {
            let (offset, size) = (number(tables, 0), number(tables, 1));
            let raw = tables.raw.map_or(0, |raw| raw.len());
            if (offset as usize).saturating_add(size as usize) > raw {
                tables.bad(row, 8, "raw bytes", offset);
            }
            add("bytes", size.to_string());
            let bytes = tables.raw.and_then(|raw| raw.sub(offset as usize, size as usize, "root signature").ok());
            // Many subobjects may name the same bytes.
            if let Some(bytes) = bytes.filter(|bytes| bytes.len() <= MAX_ROOT_SIGNATURE && tables.step()) {
                data = bytes.all().to_vec();
            }
        }
        8 => {
            add("subobject", tables.text(row, 8));
            add("exports", tables.texts(row, 12).join(", "));
        }
        9 => {
            add("payload_bytes", number(tables, 0).to_string());
            add("attribute_bytes", number(tables, 1).to_string());
        }
        10 => add("max_recursion", number(tables, 0).to_string()),
        11 => {
            add("type", names::of(&["triangles", "procedural"], number(tables, 0)).into_owned());
            add("any_hit", tables.text(row, 12));
            add("closest_hit", tables.text(row, 16));
            add("intersection", tables.text(row, 20));
        }
        12 => {
            add("max_recursion", number(tables, 0).to_string());
            add("flags", format!("{:#x}", number(tables, 1)));
        }
        _ => {}
    }
    Subobject { kind: names::of(SUBOBJECTS, kind), name, values, data }
}
