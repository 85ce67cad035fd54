//! Annotations of types, and the view-id state.

use super::cursor::Cursor;
use crate::error::Fault;
use crate::module::{Constant, Type};
use crate::names::{self, Name};

/// The most annotations that are kept.
const MOST: usize = 4096;

/// Annotation of a structure, from the source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct TypeAnnotation {
    /// The structure's name.
    pub name: String,
    /// Its bytes in a constant buffer.
    pub bytes: u32,
    /// Its members.
    pub fields: Vec<Field>,
}

/// A member of a structure.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Offset in a constant buffer.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub offset: Option<u32>,
    /// Component type.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub component_type: Option<Name>,
    /// Components of a vector, where they are annotated.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub components: Option<u32>,
    /// Of a matrix: rows, columns, `row_major` or `column_major`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub matrix: Option<(u32, u32, Name)>,
    /// The semantic it belongs to.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub semantic: Option<String>,
}

/// Reads a node of annotations. Those of functions say nothing that signatures do not.
pub(super) fn read(node: &Cursor<'_>, out: &mut Vec<TypeAnnotation>) -> Result<(), Fault> {
    if node.number(0)? != 0 {
        return Ok(());
    }
    for index in (1..node.len()).step_by(2) {
        if out.len() >= MOST {
            break;
        }
        let Some(value) = node.value(index)? else { continue };
        let ty = node.module.value(None, value).map(|value| value.ty);
        let name = ty.and_then(|ty| node.module.types.struct_name(ty)).unwrap_or_default();
        let name = node.owned(name)?;
        let annotation = node.some_tuple(index + 1)?;
        let members = match ty.and_then(|ty| node.module.types.get(ty)) {
            Some(Type::Struct { members, .. }) => members.len(),
            _ => 0,
        };
        let mut described = TypeAnnotation { name, bytes: annotation.number(0)?, fields: Vec::new() };
        for index in 1..=members.min(annotation.len().saturating_sub(1)).min(MOST) {
            described.fields.push(field(&annotation.some_tuple(index)?)?);
        }
        out.push(described);
    }
    Ok(())
}

fn field(node: &Cursor<'_>) -> Result<Field, Fault> {
    let mut out = Field::default();
    node.tags(|tag, at| {
        match tag {
            2 => {
                let matrix = node.some_tuple(at)?;
                let order = names::of(&["undefined", "row_major", "column_major"], matrix.number(2)?);
                out.matrix = Some((matrix.number(0)?, matrix.number(1)?, order));
            }
            3 => out.offset = Some(node.number(at)?),
            4 => out.semantic = Some(node.text(at)?),
            6 => out.name = node.text(at)?,
            7 => out.component_type = Some(names::of(names::COMPONENT_TYPE, node.number(at)?)),
            13 => out.components = Some(node.number(at)?),
            _ => {}
        }
        Ok(())
    })?;
    Ok(out)
}

/// The numbers of the view-id state: an array constant.
pub(super) fn view_id(node: &Cursor<'_>) -> Result<Vec<u32>, Fault> {
    let id = node.value(0)?.ok_or_else(|| node.bad("expected a constant"))?;
    let numbers = match node.module.constant(None, id) {
        Some(Constant::Data(numbers)) => Some(numbers.iter().map(|number| *number as u32).collect()),
        Some(Constant::Aggregate(parts)) => {
            parts.iter().map(|id| node.module.integer(None, *id).map(|number| number as u32)).collect()
        }
        Some(Constant::Null) => {
            let ty = node.module.value(None, id).and_then(|value| node.module.types.get(value.ty));
            match ty {
                Some(Type::Array(count, _)) if *count <= MOST as u64 => Some(vec![0; *count as usize]),
                _ => None,
            }
        }
        _ => None,
    };
    numbers.ok_or_else(|| node.bad("expected an array of integers"))
}
