//! Resources of the module.

use super::cursor::Cursor;
use crate::error::Fault;
use crate::module::ValueId;
use crate::names::{self, Name};

/// A resource.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Resource {
    /// `srv`, `uav`, `cbv` or `sampler`.
    pub class: Name,
    /// Its number in its class.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: Name,
    /// `t0`, `u3`, `b1`, `s2`.
    pub register: String,
    /// Register space.
    pub space: u32,
    /// The first register.
    pub lower: u32,
    /// Number of registers; absent if unbounded.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub count: Option<u32>,
    /// Component type of its elements, for typed ones.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub element_type: Option<Name>,
    /// Bytes of an element, for structured ones.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub stride: Option<u32>,
    /// Bytes, for constant buffers.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub bytes: Option<u32>,
    /// Samples, where it is multisampled.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub samples: Option<u32>,
    /// `comparison` and so on, for samplers that are not plain.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub sampler: Option<Name>,
    /// `globally_coherent`, `counter`, `rasterizer_ordered`, `atomic64`, `reorder_coherent`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub flags: Vec<Name>,
    /// The variable that stands for it.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub value: Option<ValueId>,
}

impl Resource {
    /// The last register; absent if unbounded.
    pub fn upper(&self) -> Option<u32> {
        self.count.map(|count| self.lower.saturating_add(count.saturating_sub(1)))
    }

    /// The number that parts have for the last register: all bits also for an unbounded range. A register that is not
    /// assigned has all bits as its first number, from which compilers count on without a check.
    pub(crate) fn upper_number(&self) -> u32 {
        self.count.map_or(u32::MAX, |count| self.lower.wrapping_add(count).wrapping_sub(1))
    }
}

/// The resources, class by class, in the order of their numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Resources(pub Vec<Resource>);

impl Resources {
    /// The resource of a class and number.
    pub fn get(&self, class: &str, id: u32) -> Option<&Resource> {
        self.0.iter().find(|resource| resource.class == class && resource.id == id)
    }
}

pub(super) fn read(node: &Cursor<'_>) -> Result<Resources, Fault> {
    let mut out = Vec::new();
    for class in 0..4u32 {
        let Some(list) = node.tuple(class as usize)? else { continue };
        for resource in list.tuples() {
            out.push(one(&resource?, class)?);
        }
    }
    Ok(Resources(out))
}

fn one(node: &Cursor<'_>, class: u32) -> Result<Resource, Fault> {
    let (lower, count) = (node.number(4)?, node.number(5)?);
    let letter = ["t", "u", "b", "s"][class as usize & 3];
    let kind = match class {
        2 => 13,
        3 => 14,
        _ => node.number(6)?,
    };
    let mut out = Resource {
        class: names::of(names::CLASS, class),
        id: node.number(0)?,
        name: node.text(2)?,
        kind: names::of(names::RESOURCE, kind),
        register: format!("{letter}{lower}"),
        space: node.number(3)?,
        lower,
        count: (count != u32::MAX).then_some(count),
        element_type: None,
        stride: None,
        bytes: None,
        samples: None,
        sampler: None,
        flags: Vec::new(),
        value: node.value(1)?,
    };
    let mut flag = |on: bool, name: &'static str| {
        if on {
            out.flags.push(name.into());
        }
    };
    let tags = match class {
        0 => {
            out.samples = Some(node.number(7)?).filter(|samples| *samples > 0 && matches!(kind, 3 | 8));
            8
        }
        1 => {
            flag(node.flag(7)?, "globally_coherent");
            flag(node.flag(8)?, "counter");
            flag(node.flag(9)?, "rasterizer_ordered");
            10
        }
        2 => {
            out.bytes = Some(node.number(6)?);
            7
        }
        _ => {
            let sampler = node.number(6)?;
            out.sampler = (sampler != 0).then(|| names::of(names::SAMPLER, sampler));
            7
        }
    };
    if node.len() > tags
        && let Some(list) = node.tuple(tags)?
    {
        list.tags(|tag, at| {
            match tag {
                0 => out.element_type = Some(names::of(names::COMPONENT_TYPE, list.number(at)?)),
                1 => out.stride = Some(list.number(at)?),
                3 if list.flag(at)? => out.flags.push("atomic64".into()),
                4 if list.flag(at)? => out.flags.push("reorder_coherent".into()),
                _ => {}
            }
            Ok(())
        })?;
    }
    Ok(out)
}
