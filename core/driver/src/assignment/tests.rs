use super::*;
use crate::layout::Channel;
use crate::layout::tests::packing;
use lanescope_model::target::Target;

/// The places of a surface on GFX10.3, apart and together, of the original and of the packed program.
fn table() -> LayoutTable {
    let text = include_str!("../../tests/data/isa_samples/lit_surface.layouts.json");
    let tables: Vec<LayoutTable> = serde_json::from_str(text).expect("a bundled sample reads back");
    tables.into_iter().next().expect("a table")
}

/// The packing whose scalars are a table's rows.
fn packing_of(table: &LayoutTable) -> Packing {
    let mut packing = packing("lit_surface");
    packing.map.truncate(table.rows.len());
    for (mapping, row) in packing.map.iter_mut().zip(&table.rows) {
        mapping.variable = row.variable.as_str().into();
        (mapping.from, mapping.to, mapping.part) = (row.from, row.packed, row.part);
    }
    packing
}

#[test]
fn a_compiler_has_the_places_of_the_original_compiled_together() {
    let table = table();
    let packing = packing_of(&table);
    assert_eq!(packing.map.len(), table.rows.len());
    let all = assignments(&packing, std::slice::from_ref(&table));
    let names: Vec<String> = all.iter().map(|own| own.title(&packing)).collect();
    assert_eq!(names, ["original", "Lanescope, packed", "RADV gfx1030"]);
    let [program, ours, driver] = all.as_slice() else { panic!("three") };
    let at = |slot, channel| SlotChannel { slot, channel, high: false };
    for (scalar, row) in table.rows.iter().enumerate() {
        let has = |own: &SlotAssignment, place: Place| {
            let here = own.channels.get(&at(place.location.0, place.component.0));
            here.is_some_and(|all| all.iter().any(|one| one.scalar == scalar))
        };
        assert!(has(program, row.from) && has(ours, row.packed), "{row:?}");
        // The column of the original together is the second one.
        let place = &row.driver[1];
        let here = place.attribute.zip(place.channel).map(|(slot, channel)| at(slot, channel));
        let carried = here.and_then(|at| driver.channels.get(&at)).into_iter().flatten();
        let unplaced = driver.unplaced.iter().filter(|one| one.scalar == scalar).count();
        assert_eq!(carried.filter(|one| one.scalar == scalar).count() + unplaced, 1, "{row:?}");
    }
    assert_eq!((driver.slots.read, driver.slots.exported, driver.link()), (3, Some(3), Some(Link::Whole)));
}

#[test]
fn compilers_that_agree_are_one() {
    let table = table();
    let packing = packing_of(&table);
    let mut other = LayoutTable { target: Some(Target::Gfx1100.into()), ..table.clone() };
    // What the stage before exports is no difference of places.
    other.columns.iter_mut().for_each(|column| column.slots = None);
    let same = assignments(&packing, &[table.clone(), other.clone()]);
    assert_eq!(same.last().map(|own| own.title(&packing)).as_deref(), Some("RADV gfx1030, RADV gfx1100"));
    assert_eq!(same.last().and_then(|own| own.slots.exported), None, "one of them does not say");
    let another = LayoutTable {
        columns: table.columns.iter().map(|column| LayoutColumn { slots: Some(9), ..column.clone() }).collect(),
        ..other.clone()
    };
    assert_eq!(assignments(&packing, &[table.clone(), another]).len(), 4, "they export other numbers of slots");
    other.rows[0].driver[1] = DriverPlace { channel: Some(3), ..other.rows[0].driver[1].clone() };
    assert_eq!(assignments(&packing, &[table.clone(), other]).len(), 4);
    // A table of another program is not of this one.
    let mut foreign = table;
    foreign.rows[0].variable.push('_');
    assert_eq!(assignments(&packing, &[foreign]).len(), 2);
}

#[test]
fn a_scalar_is_in_each_channel_that_is_made_of_it() {
    let mut table = table();
    let packing = packing_of(&table);
    let place = &mut table.rows[0].driver[1];
    place.rule = Some(LayoutRule::Computed);
    place.more = vec![Channel { attribute: 7, channel: 2 }];
    let all = assignments(&packing, &[table.clone()]);
    let driver = all.last().expect("the compiler's");
    let found: Vec<_> = driver.channels.iter().filter(|(_, all)| all.iter().any(|one| one.scalar == 0)).collect();
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|(_, all)| all.iter().any(|one| one.computed)), "{found:?}");
    assert_eq!(driver.numbers().last(), Some(7));
}

#[test]
fn names_without_a_slot_are_joined_by_variable_and_rule() {
    let mut table = table();
    let packing = packing_of(&table);
    for row in &mut table.rows {
        let rule = if row.from.component.0 < 2 { LayoutRule::Constant } else { LayoutRule::Unattributed };
        let reason = (rule == LayoutRule::Unattributed).then_some(Reason::NoMatch);
        row.driver[1] =
            DriverPlace { attribute: None, channel: None, rule: Some(rule), reason, ..row.driver[1].clone() };
    }
    let all = assignments(&packing, &[table]);
    let driver = all.last().expect("the compiler's");
    assert!(driver.channels.is_empty());
    let names = driver.unplaced_names(&packing);
    assert_eq!(names.len(), 2, "one for each rule");
    assert!(names[0].text().starts_with("constant: world_position.xy, "), "{names:?}");
    assert!(names[1].text().starts_with("unattributed, no-match: world_position.z, "), "{names:?}");
}

#[test]
fn values_are_one_row_for_each_scalar_and_compilation() {
    let table = table();
    let csv = varyings_values(std::slice::from_ref(&table)).to_csv().replace('\r', "");
    assert_eq!(csv.lines().count(), 1 + table.rows.len() * table.columns.len());
    let first = csv.lines().nth(1).expect("a row");
    assert!(first.starts_with("gfx1030,"), "{first}");
    insta::assert_snapshot!(
        csv.lines().filter(|line| !line.contains(",packed,")).take(24).collect::<Vec<_>>().join("\n")
    );
}
