//! Entry points: function, signatures, properties.

use super::cursor::Cursor;
use super::{ShaderModel, node};
use crate::error::Fault;
use crate::names::{self, Name};
use crate::rdat::Node;

/// An entry point.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EntryPoint {
    /// Its name.
    pub name: String,
    /// Its function's name in the bitcode, where that is another one.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub function: Option<String>,
    /// Its shader kind.
    pub kind: Name,
    /// Its signatures.
    pub signatures: Signatures,
    /// Its properties.
    pub properties: Properties,
}

/// Signatures as the metadata has them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Signatures {
    /// Inputs.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub input: Vec<SignatureElement>,
    /// Outputs.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub output: Vec<SignatureElement>,
    /// Patch constants, or outputs of each primitive.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub patch: Vec<SignatureElement>,
}

/// An element of a signature: one or more rows of registers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SignatureElement {
    /// Its number, by which `LoadInput` and `StoreOutput` name it.
    pub id: u32,
    /// The semantic's name.
    pub semantic: String,
    /// The semantic's index of each row.
    pub indices: Vec<u32>,
    /// Its system-value kind; `none` for a user semantic.
    pub kind: Name,
    /// `float32`, `uint32` and so on.
    pub component_type: Name,
    /// Its interpolation mode.
    pub interpolation: Name,
    /// Number of rows.
    pub rows: u32,
    /// Number of columns.
    pub columns: u32,
    /// The first register; absent where none was allocated.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub register: Option<u32>,
    /// The first column.
    pub column: u32,
    /// The stream of a geometry shader's output.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_zero", default))]
    pub stream: u32,
    /// Columns of the register that are read or written, where they are known: `xy--`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub used: Option<Name>,
}

#[cfg(feature = "serde")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Properties of an entry point. What does not apply is absent.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs, reason = "the fields are the format's own")]
#[non_exhaustive]
pub struct Properties {
    /// The word of shader flags.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub flags: u64,
    /// The shader flags by name.
    #[cfg_attr(feature = "serde", serde(rename = "flags", skip_serializing_if = "Vec::is_empty", default))]
    pub flag_names: Vec<Name>,
    /// Threads of a group.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub threads: Option<[u32; 3]>,
    /// Lanes of a wave: least, greatest, preferred (0 for none).
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub wave_size: Option<[u32; 3]>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub geometry: Option<Geometry>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub domain: Option<Domain>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub hull: Option<Hull>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub mesh: Option<Mesh>,
    /// Bytes of the payload of a ray or of an amplification shader.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub payload_bytes: Option<u32>,
    /// Bytes of a ray's attributes.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub attribute_bytes: Option<u32>,
    /// Space in which bindings are given out by the compiler.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub binding_space: Option<u32>,
    /// Bytes that groupshared memory may have.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub groupshared_limit: Option<u32>,
    /// Bytes of a serialised root signature.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub root_signature_bytes: Option<u32>,
    /// Its properties as a node.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub node: Option<Node>,
}

#[allow(missing_docs, reason = "the fields are the format's own")]
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
/// Properties of geometry shaders.
#[non_exhaustive]
pub struct Geometry {
    pub input: Name,
    pub max_vertices: u32,
    pub streams: u32,
    pub topology: Name,
    pub instances: u32,
}

#[allow(missing_docs, reason = "the fields are the format's own")]
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
/// Properties of domain shaders.
#[non_exhaustive]
pub struct Domain {
    pub domain: Name,
    pub input_points: u32,
}

#[allow(missing_docs, reason = "the fields are the format's own")]
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
/// Properties of hull shaders.
#[non_exhaustive]
pub struct Hull {
    pub patch_function: String,
    pub input_points: u32,
    pub output_points: u32,
    pub domain: Name,
    pub partitioning: Name,
    pub output: Name,
    pub max_factor: f64,
}

#[allow(missing_docs, reason = "the fields are the format's own")]
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
/// Properties of mesh shaders.
#[non_exhaustive]
pub struct Mesh {
    pub max_vertices: u32,
    pub max_primitives: u32,
    pub topology: Name,
    pub payload_bytes: u32,
}

pub(super) fn read(node: &Cursor<'_>, model: Option<ShaderModel>) -> Result<EntryPoint, Fault> {
    let name = node.text(1)?;
    let function = node.value(0)?.map(|id| node.owned(node.module.name(id))).transpose()?;
    let mut out = EntryPoint {
        function: function.filter(|function| *function != name),
        kind: names::of(names::KIND, model.map_or(16, |model| model.kind)),
        name,
        ..EntryPoint::default()
    };
    if let Some(signatures) = node.tuple(2)? {
        let list = |index: usize| -> Result<Vec<SignatureElement>, Fault> {
            match signatures.tuple(index)? {
                Some(elements) => elements.tuples().map(|node| element(&node?)).collect(),
                None => Ok(Vec::new()),
            }
        };
        out.signatures = Signatures { input: list(0)?, output: list(1)?, patch: list(2)? };
    }
    if let Some(properties) = node.tuple(4)? {
        properties.tags(|tag, at| property(&properties, tag, at, &mut out))?;
    }
    out.properties.flag_names = names::shader_flags(out.properties.flags);
    if let Some(node) = &mut out.properties.node {
        node.threads = out.properties.threads;
    }
    Ok(out)
}

fn element(node: &Cursor<'_>) -> Result<SignatureElement, Fault> {
    let rows = node.number(6)?;
    let start = node.integer(8)?;
    let mut out = SignatureElement {
        id: node.number(0)?,
        semantic: node.text(1)?,
        indices: node.some_tuple(4)?.numbers()?,
        kind: names::of(names::SEMANTIC, node.number(3)?),
        component_type: names::of(names::COMPONENT_TYPE, node.number(2)?),
        interpolation: names::of(names::INTERPOLATION, node.number(5)?),
        rows,
        columns: node.number(7)?,
        register: u32::try_from(start).ok(),
        column: node.integer(9)?.max(0) as u32,
        stream: 0,
        used: None,
    };
    if node.len() > 10
        && let Some(tags) = node.tuple(10)?
    {
        tags.tags(|tag, at| {
            match tag {
                0 => out.stream = tags.number(at)?,
                // It counts from the element's own first column.
                3 => out.used = Some(names::mask(((tags.number(at)? & 15) << out.column.min(3)) as u8 & 15)),
                _ => {}
            }
            Ok(())
        })?;
    }
    Ok(out)
}

fn property(list: &Cursor<'_>, tag: u32, at: usize, entry: &mut EntryPoint) -> Result<(), Fault> {
    let out = &mut entry.properties;
    let tuple = || list.some_tuple(at);
    match tag {
        0 => out.flags = list.integer(at)? as u64,
        1 => {
            let gs = tuple()?;
            out.geometry = Some(Geometry {
                input: names::input_primitive(gs.number(0)?),
                max_vertices: gs.number(1)?,
                streams: gs.number(2)?,
                topology: names::of(names::TOPOLOGY, gs.number(3)?),
                instances: gs.number(4)?,
            });
        }
        2 => {
            let ds = tuple()?;
            let domain = names::of(names::DOMAIN, ds.number(0)?);
            out.domain = Some(Domain { domain, input_points: ds.number(1)? });
        }
        3 => {
            let hs = tuple()?;
            out.hull = Some(Hull {
                patch_function: hs.value(0)?.map(|id| hs.owned(hs.module.name(id))).transpose()?.unwrap_or_default(),
                input_points: hs.number(1)?,
                output_points: hs.number(2)?,
                domain: names::of(names::DOMAIN, hs.number(3)?),
                partitioning: names::of(names::PARTITIONING, hs.number(4)?),
                output: names::of(names::TESS_OUTPUT, hs.number(5)?),
                max_factor: hs.float(6)?,
            });
        }
        4 => out.threads = Some(tuple()?.size()?),
        5 => out.binding_space = Some(tuple()?.number(0)?),
        6 => out.payload_bytes = Some(list.number(at)?),
        7 => out.attribute_bytes = Some(list.number(at)?),
        8 => entry.kind = names::of(names::KIND, list.number(at)?),
        9 => {
            let ms = tuple()?;
            out.threads = Some(ms.some_tuple(0)?.size()?);
            out.mesh = Some(Mesh {
                max_vertices: ms.number(1)?,
                max_primitives: ms.number(2)?,
                topology: names::of(names::MESH_TOPOLOGY, ms.number(3)?),
                payload_bytes: ms.number(4)?,
            });
        }
        10 => {
            let amplification = tuple()?;
            out.threads = Some(amplification.some_tuple(0)?.size()?);
            out.payload_bytes = Some(amplification.number(1)?);
        }
        11 => {
            let size = tuple()?.number(0)?;
            out.wave_size = Some([size, size, size]);
        }
        12 => out.root_signature_bytes = Some(list.bytes_of_data(at)?),
        13..=22 => node::property(list, tag, at, out.node.get_or_insert_default())?,
        23 => out.wave_size = Some(tuple()?.size()?),
        24 => out.groupshared_limit = Some(list.number(at)?),
        _ => return Err(list.bad("it has no meaning")),
    }
    Ok(())
}
