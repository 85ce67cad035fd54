//! Properties of nodes of work graphs.

use super::cursor::Cursor;
use crate::error::Fault;
use crate::names;
use crate::rdat::{Node, NodeIo};

/// A property of an entry point that is a node.
pub(super) fn property(list: &Cursor<'_>, tag: u32, at: usize, out: &mut Node) -> Result<(), Fault> {
    let id = || -> Result<(String, u32), Fault> {
        let id = list.some_tuple(at)?;
        Ok((id.text(0)?, id.number(1)?))
    };
    let size = || list.some_tuple(at)?.size();
    match tag {
        13 => out.launch = names::of(names::LAUNCH, list.number(at)?),
        14 => out.program_entry = list.flag(at)?,
        15 => (out.name, out.index) = id()?,
        16 => out.local_root_arguments = u32::try_from(list.integer(at)?).ok(),
        17 => out.shares_input_of = Some(id()?),
        18 => out.grid = Some(size()?),
        19 => out.max_recursion = Some(list.number(at)?),
        20 => out.inputs = ios(list, at)?,
        21 => out.outputs = ios(list, at)?,
        _ => out.max_grid = Some(size()?),
    }
    Ok(())
}

fn ios(list: &Cursor<'_>, at: usize) -> Result<Vec<NodeIo>, Fault> {
    match list.tuple(at)? {
        Some(ios) => ios.tuples().map(|node| io(&node?)).collect(),
        None => Ok(Vec::new()),
    }
}

fn io(node: &Cursor<'_>) -> Result<NodeIo, Fault> {
    let mut out = NodeIo::default();
    node.tags(|tag, at| {
        match tag {
            0 => {
                let id = node.some_tuple(at)?;
                out.target = Some((id.text(0)?, id.number(1)?));
            }
            1 => out.flags = node.number(at)?,
            2 => {
                let record = node.some_tuple(at)?;
                record.tags(|tag, at| record_property(&record, tag, at, &mut out))?;
            }
            3 => out.max_records = Some(node.number(at)?),
            4 => out.shares_max_with = Some(node.number(at)?),
            5 => out.array_size = Some(node.number(at)?),
            6 => out.sparse = node.flag(at)?,
            _ => return Err(node.bad("it has no meaning")),
        }
        Ok(())
    })?;
    out.kind = names::node_io(out.flags);
    Ok(out)
}

fn record_property(record: &Cursor<'_>, tag: u32, at: usize, out: &mut NodeIo) -> Result<(), Fault> {
    match tag {
        0 => out.record_bytes = Some(record.number(at)?),
        1 => {
            let grid = record.some_tuple(at)?;
            let kind = names::of(names::COMPONENT_TYPE, grid.number(1)?);
            out.grid = Some((grid.number(0)?, kind, grid.number(2)?));
        }
        2 => out.record_align = Some(record.number(at)?),
        _ => return Err(record.bad("it has no meaning")),
    }
    Ok(())
}
