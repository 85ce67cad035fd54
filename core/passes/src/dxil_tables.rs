//! A DXIL container as tables: parts, signatures, resources, functions, ops.

use lanescope_base::findings::Severity;
use lanescope_base::text_format::counted;
use lanescope_dxil::ops::{OpUse, TableKind};
use lanescope_dxil::rdat::Rdat;
use lanescope_dxil::signature::Element;
use lanescope_dxil::{Name, Summary};

use crate::table::{Cell, Column, Key, Meaning, Table};

/// Lines of the disassembly that are listed for an op.
const LINES: usize = 6;
/// The parts of a container.
pub fn part_table(dxil: &Summary) -> Table {
    let mut table =
        Table::new([Column::left("part"), Column::right("offset"), Column::right("bytes"), Column::left("")]);
    for part in &dxil.container.parts {
        table.row([
            part.fourcc.as_str().into(),
            format!("{:#x}", part.offset).into(),
            part.bytes.to_string().into(),
            Cell::of(Meaning::Dimmed, &part.about),
        ]);
    }
    table
}

/// The elements of a signature.
pub fn signature_table(elements: &[Element]) -> Table {
    let streams = elements.iter().any(|element| element.stream > 0);
    let mut table = Table::new([
        Column::left("semantic"),
        Column::right("index"),
        Column::right("register"),
        Column::left("mask"),
        Column::left("used"),
        Column::left("type"),
        Column::left("system value"),
        Column::right(if streams { "stream" } else { "" }),
    ]);
    for element in elements {
        let precision = element.precision.as_ref().map(|least| format!(" (at least {least})")).unwrap_or_default();
        table.row([
            Cell::of(Meaning::Strong, &element.semantic),
            element.index.to_string().into(),
            element.register.map_or("none".to_owned(), |register| register.to_string()).into(),
            (&*element.mask).into(),
            Cell::of(Meaning::Dimmed, &element.used),
            format!("{}{precision}", element.component_type).into(),
            Cell::of(Meaning::Dimmed, if element.system_value == "none" { "" } else { &element.system_value }),
            if streams { element.stream.to_string() } else { String::new() }.into(),
        ]);
    }
    table
}

/// The resources, each with the descriptor that it was bound to.
pub fn resource_table(dxil: &Summary) -> Table {
    let mut table = Table::new([
        Column::left("register"),
        Column::right("space"),
        Column::right("count"),
        Column::left("kind"),
        Column::left("name"),
        Column::left("of"),
        Column::left("descriptor"),
    ]);
    for resource in &dxil.resources {
        let bytes = resource.stride.or(resource.bytes).map(|bytes| counted(bytes, "byte"));
        let of = resource.element_type.clone().or(bytes.map(Name::from)).into_iter();
        let of: Vec<Name> = of.chain(resource.sampler.clone()).chain(resource.flags.iter().cloned()).collect();
        let binding = dxil.bindings.iter().find(|binding| {
            (binding.class.as_str(), binding.space, binding.lower, binding.counter)
                == (&*resource.class, resource.space, resource.lower, false)
        });
        table.row([
            Cell::of(Meaning::Strong, &resource.register),
            resource.space.to_string().into(),
            resource.count.map_or("∞".to_owned(), |count| count.to_string()).into(),
            (&*resource.kind).into(),
            resource.name.as_str().into(),
            of.join(", ").into(),
            binding.map(|binding| binding.place()).unwrap_or_default().into(),
        ]);
    }
    table
}

/// The functions that runtime data lists.
pub fn function_table(rdat: &Rdat) -> Table {
    let mut table = Table::new([
        Column::left("function"),
        Column::left("kind"),
        Column::left("model"),
        Column::right("payload"),
        Column::right("attributes"),
        Column::left("features"),
    ]);
    for function in &rdat.functions {
        table.row([
            Cell::of(Meaning::Strong, &function.unmangled),
            (&*function.kind).into(),
            function.minimum_model.as_str().into(),
            function.payload_bytes.to_string().into(),
            function.attribute_bytes.to_string().into(),
            function.features.join(", ").into(),
        ]);
    }
    table
}

/// The ops that a program calls.
pub fn op_use_table(ops: &[OpUse]) -> Table {
    let mut table = Table::new([
        Column::left("table"),
        Column::left("op"),
        Column::right("opcode"),
        Column::left("hex"),
        Column::left("class"),
        Column::right("since"),
        Column::right("calls"),
        Column::left("at line"),
    ]);
    for (index, op) in ops.iter().enumerate() {
        let kind = match op.table {
            Some(TableKind::Stable) => Cell::of(Meaning::Dimmed, "stable"),
            Some(TableKind::Experimental) => Cell::of(Meaning::Changed, "experimental"),
            None => Cell::of(Meaning::Severity(Severity::Error), "unknown table"),
        };
        let lines: Vec<String> =
            op.sites.iter().take(LINES).filter_map(|site| site.line).map(|line| line.to_string()).collect();
        let more = if op.sites.len() > LINES { ", …" } else { "" };
        let cells = [
            kind,
            Cell::of(Meaning::Strong, op.name.as_deref().unwrap_or("none")),
            op.opcode.map(|opcode| opcode.to_string()).unwrap_or_default().into(),
            Cell::of(Meaning::Dimmed, op.hex.as_deref().unwrap_or_default()),
            Cell::of(Meaning::Dimmed, op.class.as_deref().unwrap_or_default()),
            op.since.map(|since| since.to_string()).unwrap_or_default().into(),
            op.count.to_string().into(),
            Cell::of(Meaning::Dimmed, format!("{}{more}", lines.join(", "))),
        ];
        table.push(Key::Item(index), cells);
    }
    table
}
