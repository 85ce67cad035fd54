//! How Direct3D 12 sees a shader: its resources in the root signature, and what a part of a partial program knows.

use std::collections::BTreeMap;

use lanescope_dxil::Summary;
use lanescope_dxil::partial_program::PartialProgram;
use lanescope_dxil::root_places::RootPlace;
use lanescope_passes::findings::Severity;
use lanescope_passes::guessed_layout::Layout;
use lanescope_passes::table::{Cell, Column, Meaning, Table};

/// The declared resources with their places in the root signature; with a guessed layout also the descriptor that each was
/// bound to, and where the guess has it.
pub fn root_place_table(summary: &Summary, guess: Option<&Layout>) -> Table {
    let mut columns = vec![Column::left("Register"), Column::right("Space"), Column::left("Class")];
    if guess.is_some() {
        columns.extend([Column::left("Descriptor"), Column::left("Guessed")]);
    }
    columns.push(Column::left("Root signature"));
    let mut out = Table::new(columns);
    out.title = "Declared resources".to_owned();
    let rows = summary.bindings.iter().rev().filter(|row| !row.counter);
    let bound: BTreeMap<(&str, u32, u32), _> =
        rows.map(|row| ((row.class.as_str(), row.space, row.lower), row)).collect();
    let guessed = guess.map(Layout::by_place);
    for resource in &summary.root_places {
        let mut row = vec![
            Cell::code(resource.registers()),
            resource.space.to_string().into(),
            resource.class.to_string().into(),
        ];
        if let Some(guessed) = &guessed {
            let bound = bound.get(&(&*resource.class, resource.space, resource.lower));
            let node = bound.filter(|bound| bound.address.is_none());
            let node = node.and_then(|bound| guessed.get(&(bound.set, bound.binding)));
            let dword = node.map_or_else(String::new, |(node, at_root)| {
                format!("{}dword {}", if *at_root { "root " } else { "" }, node.offset)
            });
            row.extend([bound.map_or_else(String::new, |bound| bound.place()).into(), dword.into()]);
        }
        row.push(match (&resource.place, &resource.why_not) {
            (Some(place), _) => RootPlace::text(place).into(),
            (None, why) => {
                Cell::of(Meaning::Severity(Severity::Error), format!("not covered: {}", why.as_deref().unwrap_or("")))
            }
        });
        out.row(row);
    }
    out
}

/// What is known of a shader when it is compiled as a part, and when the rest becomes known.
pub fn partial_program_table(known: &PartialProgram) -> Table {
    let mut out = Table::new([Column::left("Known"), Column::left("What"), Column::left("Here")]).with_words();
    out.title = format!("Direct3D 12 partial program: {} part", known.part);
    for fact in &known.facts {
        out.row([fact.when.name().into(), Cell::of(Meaning::Strong, &fact.what), fact.text.as_str().into()]);
    }
    out
}
