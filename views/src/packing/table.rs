//! A packing as tables of text.

use lanescope_core::packing::{Export, Packing, Stored};
use lanescope_core::table::{Cell, Column, Table};

use crate::picture::clean;

/// The map, one scalar a row; of DXIL with its semantic and its registers.
pub(super) fn scalars(packing: &Packing) -> Table {
    let dxil = !packing.semantics.is_empty();
    let columns = [
        "variable",
        "location",
        "component",
        "slot",
        "slot component",
        "half",
        "bits",
        "interpolation",
        "at",
        "written",
    ];
    let of_dxil = ["semantic", "registers"].into_iter().filter(|_| dxil);
    let mut out = Table::new(columns.into_iter().chain(of_dxil).map(Column::left));
    for mapping in &packing.map {
        let cells = [
            clean(&mapping.variable),
            mapping.from.location.to_string(),
            mapping.from.component.to_string(),
            mapping.to.location.to_string(),
            mapping.to.component.to_string(),
            if mapping.to.half { "high" } else { "low" }.to_owned(),
            mapping.bits.to_string(),
            mapping.interpolation.to_string(),
            mapping.at.to_string(),
            if mapping.written { "yes" } else { "no" }.to_owned(),
        ];
        let place = packing.semantic(mapping.from.location, mapping.from.component).filter(|_| dxil);
        let place = place.map(|place| [clean(&place.semantic), place.registers().to_string()]);
        out.row(cells.into_iter().chain(place.into_iter().flatten()).map(Cell::code));
    }
    out
}

/// What the producer exports, one slot a row.
pub(super) fn exports(packing: &Packing) -> Table {
    let columns = ["Slot", "Written", "First channel", "Read but never written"];
    let mut out = Table::new(columns.map(Column::left)).with_words();
    for export in &packing.exports {
        let undefined = if export.undefined == 0 { String::new() } else { channels(export.undefined) };
        out.row([export.slot.to_string(), channels(export.mask), first(export), undefined].map(Cell::code));
    }
    out
}

/// The pairs of a stored map, array by array.
fn stored_rows(stored: &Stored) -> Vec<[String; 4]> {
    let words = stored.locations.as_chunks::<2>().0.iter();
    let locations = words.zip(stored.places().unwrap_or_default()).map(|([from, to], (original, packed))| {
        let stands_for = format!("{original} → {packed}");
        ["locations".to_owned(), format!("0x{from:x}"), format!("0x{to:x}"), stands_for]
    });
    let builtins = stored.builtins.as_chunks::<2>().0.iter().map(|[id, slot]| {
        ["built-ins".to_owned(), id.to_string(), slot.to_string(), format!("SPIR-V built-in {id} → slot {slot}")]
    });
    let [clip, cull] = stored.distances;
    let count = format!("{clip} clip and {cull} cull distances");
    let distances = ["distances".to_owned(), clip.to_string(), cull.to_string(), count];
    locations.chain(builtins).chain([distances]).collect()
}

/// A stored map, one pair a row.
pub(super) fn stored(stored: &Stored) -> Table {
    let mut out = Table::new(["Array", "Key", "Value", "Meaning"].map(Column::left)).with_words();
    stored_rows(stored).into_iter().for_each(|row| out.row(row.map(Cell::code)));
    out
}

/// A mask of channels in letters: `xy·w`, and `none` for none.
pub(super) fn channels(mask: u8) -> String {
    if mask & 0xF == 0 {
        return "none".to_owned();
    }
    "xyzw".chars().enumerate().map(|(bit, letter)| if mask >> bit & 1 == 1 { letter } else { '·' }).collect()
}

/// The first channel of an export, if it has one.
pub(super) fn first(export: &Export) -> String {
    if export.mask & 0xF == 0 { "–".to_owned() } else { export.first.to_string() }
}

#[cfg(test)]
mod tests {
    use lanescope_core::packing::SemanticPlace;

    use super::*;
    use crate::gallery;

    #[test]
    fn the_table_has_one_line_for_each_scalar() {
        let text = scalars(&gallery::note_example()).to_tabs();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 13);
        assert_eq!(lines[8], "materialId\t3\t1\t3\t0\thigh\t16\tflat\tcenter\tyes");
        assert!(lines.iter().all(|line| line.split('\t').count() == 10));
    }

    #[test]
    fn scalars_from_dxil_have_their_semantic_and_registers() {
        let mut packing = gallery::note_example();
        packing.semantics = vec![SemanticPlace {
            location: packing.map[0].from.location,
            component: packing.map[0].from.component,
            columns: 1,
            semantic: "NORMAL0".to_owned(),
            output: Some("o2.x".to_owned()),
            input: Some("v1.x".to_owned()),
        }];
        let text = scalars(&packing).to_tabs();
        let lines: Vec<_> = text.lines().collect();
        assert!(lines[0].ends_with("\tsemantic\tregisters") && lines[1].ends_with("\tNORMAL0\to2.x → v1.x"), "{text}");
        assert!(lines.iter().all(|line| line.split('\t').count() == 12));
    }

    #[test]
    fn names_cannot_break_the_table() {
        let mut packing = gallery::note_example();
        packing.map[0].variable = "a\tb\nc".into();
        assert!(scalars(&packing).to_tabs().lines().all(|line| line.split('\t').count() == 10));
    }

    #[test]
    fn a_stored_map_explains_its_integers() {
        let map = Stored { locations: vec![0x2A, 9], builtins: vec![7, 2], distances: [5, 0] };
        let text = stored(&map).to_tabs();
        let expected = "Array\tKey\tValue\tMeaning\nlocations\t0x2a\t0x9\t5.y → 1.x high\n\
            built-ins\t7\t2\tSPIR-V built-in 7 → slot 2\ndistances\t5\t0\t5 clip and 0 cull distances\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn exports_name_their_channels() {
        let text = exports(&gallery::every_case()).to_tabs();
        assert_eq!(text.lines().nth(2), Some("1\txy··\t0\t··zw"));
        assert_eq!(channels(0), "none");
        assert_eq!(channels(0b1010), "·y·w");
    }
}
