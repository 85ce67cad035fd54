//! The parts of a container, and its signatures.

use lanescope_dxil::Summary;
use lanescope_dxil::signature::Element;

use lanescope_passes::table::{Cell, Column, Meaning, Table};

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
