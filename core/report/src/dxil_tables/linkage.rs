//! The output linkage of partial graphics programs as tables.

use lanescope_dxil::linkage::OutputLinkage;
use lanescope_passes::table::{Cell, Column, Meaning, Table};

/// The elements of the description, with the registers of its driver's form.
pub fn linkage_table(linkage: &OutputLinkage) -> Table {
    let mut table = Table::new([
        Column::left("semantic"),
        Column::right("index"),
        Column::right("start"),
        Column::right("count"),
        Column::left("per primitive"),
        Column::right("register"),
        Column::right("mask"),
    ]);
    for element in &linkage.elements {
        table.row([
            Cell::of(Meaning::Strong, &element.semantic),
            element.index.to_string().into(),
            element.start.to_string().into(),
            element.count.to_string().into(),
            if element.is_primitive { "yes" } else { "no" }.into(),
            element.register.map_or("none".to_owned(), |register| register.to_string()).into(),
            format!("{:#x}", element.mask).into(),
        ]);
    }
    table
}

/// State that the shaders use: the flag that links it late, why it is needed, what is compiled in otherwise.
pub fn late_link_table(linkage: &OutputLinkage) -> Table {
    let columns = ["inside the part, or", "because", "else"];
    let mut table = Table::new(columns.map(Column::left)).with_words();
    for late in &linkage.late {
        table.row([
            Cell::of(Meaning::Strong, &late.flag),
            Cell::from(late.why.as_str()),
            Cell::of(Meaning::Dimmed, &late.default),
        ]);
    }
    table
}
