//! Sections of bundled samples under two settings, and of sides that lack something.

use std::path::{Path, PathBuf};

use super::*;
use lanescope_driver::{Link, Statistic, Value, Version};
use lanescope_model::options::{Options, WaveChoice};
use lanescope_model::program::StageKind;
use lanescope_model::target::Target;

fn report(files: &[&str], options: &Options) -> Report {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let paths: Vec<PathBuf> = files.iter().map(|file| folder.join(file)).collect();
    let program = lanescope_load::load(&paths, &[]).expect("a bundled sample loads");
    crate::analyse(&program, options).expect("the options fit")
}

fn differences(comparison: &Comparison) -> Vec<(Part, usize)> {
    comparison.sections.iter().map(|section| (section.name, section.differences())).collect()
}

fn row<'a>(comparison: &'a Comparison, part: Part, name: &str) -> &'a Row {
    let rows = &comparison.section(part).expect("a section").rows;
    rows.iter().find(|row| row.name == name).unwrap_or_else(|| panic!("{name} is in {rows:#?}"))
}

const PAIR: [&str; 2] = ["lit_surface.vert", "lit_surface.frag"];

#[test]
fn report_equals_itself() {
    let options = Options { group_tile: Some(8), groups: Some([20, 12, 1]), ..Options::default() };
    for files in [&PAIR[..], &["quad_derivatives.comp"], &["shared_location.spvasm"]] {
        let mut one = report(files, &options);
        one.driver = vec![compiled(Target::Gfx1030, Version::Original, 16, "s_endpgm")];
        let found = compare(Side::from(&one), Side::from(&one));
        assert!(found.equal && found.options.is_empty(), "{found:#?}");
        assert!(found.sections.iter().all(|section| section.equal && section.differences() == 0));
        assert_eq!(found.sections.len(), Part::ALL.len());
    }
}

#[test]
fn ignores_spirv_ids() {
    let one = report(&PAIR, &Options::default());
    let mut other = one.clone();
    for mapping in &mut other.packing.as_mut().expect("packs").map {
        mapping.variable_id.0 += 100;
    }
    assert!(compare(Side::from(&one), Side::from(&other)).equal);
}

#[test]
fn without_packing_each_moved_scalar_is_a_row() {
    let (packed, plain) =
        (report(&PAIR, &Options::default()), report(&PAIR, &Options { no_pack: true, ..Options::default() }));
    let found = compare(Side::from(&packed), Side::from(&plain));
    assert!(!found.equal);
    assert_eq!(found.options.len(), 1);
    assert_eq!((found.options[0].left.as_deref(), found.options[0].right.as_deref()), (Some("false"), Some("true")));
    let slots = row(&found, Part::Packing, "slots");
    assert_eq!((slots.left.as_deref(), slots.right.as_deref()), (Some("4"), Some("5")), "{found:#?}");
    assert_eq!(slots.change.map(|change| change.to_string()), Some("+1 (+25%)".to_owned()));
    let section = found.section(Part::Packing).expect("there");
    let (old, new) = (packed.packing.as_ref().expect("packs"), plain.packing.as_ref().expect("renumbers"));
    let moved = old.map.iter().zip(&new.map).filter(|(old, new)| old.to != new.to).count();
    let scalars = section.rows.iter().filter(|row| row.source[0].is_some());
    assert_eq!(scalars.clone().filter(|row| row.kind == Kind::Changed).count(), moved);
    for row in scalars {
        let [left, right] = row.source.map(|index| index.expect("both have it"));
        assert_eq!(old.map[left].variable, new.map[right].variable);
    }
    let registers = found.section(Part::Registers).expect("there");
    let control = registers.rows.iter().find(|row| row.name == "SPI_PS_IN_CONTROL" && row.of == "fragment, packed");
    let control = control.expect("the number of interpolants");
    assert_eq!(control.kind, Kind::Changed);
    let field = control.rows.iter().find(|field| field.name.starts_with("NUM_INTERP")).expect("its field");
    assert_eq!((field.left.as_deref(), field.right.as_deref()), (Some("4"), Some("5")));
    assert!(!field.why.is_empty(), "it says why");
}

#[test]
fn pairs_moved_varyings_by_name_and_renamed_ones_by_location() {
    let one = report(&PAIR, &Options::default());
    let mut other = one.clone();
    let packing = other.packing.as_mut().expect("packs");
    let name = packing.map[0].variable.clone();
    for mapping in &mut packing.map {
        if mapping.variable == name {
            mapping.variable = "renamed".into();
        } else {
            mapping.from.location.0 += 10;
        }
    }
    let found = compare(Side::from(&one), Side::from(&other));
    let section = found.section(Part::Packing).expect("there");
    let scalars: Vec<_> = section.rows.iter().filter(|row| row.source != [None, None]).collect();
    assert!(scalars.iter().all(|row| row.source[0] == row.source[1]), "{scalars:#?}");
    assert!(scalars[0].name.contains(" → renamed."), "{}", scalars[0].name);
    assert_eq!(scalars[0].kind, Kind::Same, "it lands where it did");
}

#[test]
fn lists_the_lane_decision_and_moved_invocations() {
    let plain = report(&["tile_16x16.comp"], &Options::default());
    let strips = report(
        &["tile_16x16.comp"],
        &Options { reconfig: true, force_swizzle: true, wave: WaveChoice::Wave64, ..Options::default() },
    );
    let found = compare(Side::from(&plain), Side::from(&strips));
    assert_eq!(row(&found, Part::Lanes, "tiles").kind, Kind::Changed);
    assert_eq!(row(&found, Part::Lanes, "size").kind, Kind::Same);
    let section = found.section(Part::Lanes).expect("there");
    let (old, new) = (plain.workgroup[0].lanes.as_ref(), strips.workgroup[0].lanes.as_ref());
    let (old, new) = (old.expect("laid out"), new.expect("laid out"));
    let elsewhere = new.iter().zip(old).filter(|(new, old)| new != old).count();
    let moved = &section.layouts[0].moved;
    assert_eq!(moved.len(), elsewhere);
    assert!(moved.windows(2).all(|pair| pair[0] < pair[1]), "in order, each once");
    let map = row(&found, Part::Lanes, "lane map");
    assert!(map.why.starts_with(&format!("{elsewhere} of 256 invocations run on a different thread")), "{}", map.why);
}

#[test]
fn marks_rows_of_one_side_only() {
    let (pair, group) = (report(&PAIR, &Options::default()), report(&["odd_size.comp"], &Options::default()));
    let found = compare(Side::from(&pair), Side::from(&group));
    let present: Vec<_> = found.sections.iter().map(|section| section.present).collect();
    assert_eq!(present, [[true, false], [false, true], [true, true], [false, false], [false, false]]);
    let packing = found.section(Part::Packing).expect("there");
    assert!(packing.rows.iter().all(|row| row.kind == Kind::Removed), "{packing:#?}");
    let lanes = found.section(Part::Lanes).expect("there");
    assert!(lanes.rows.iter().all(|row| row.kind == Kind::Added), "{lanes:#?}");
    let mut changes = found.clone();
    changes.keep_changes();
    assert_eq!(differences(&changes), differences(&found));
}

fn compiled(target: Target, of: Version, vgprs: u64, isa: &str) -> DriverStage {
    let statistic =
        |name: &str, value| Statistic { name: name.to_owned(), description: String::new(), value: Value::Uint(value) };
    DriverStage {
        device: format!("null {target}"),
        driver: "radv".to_owned(),
        target: Some(target.into()),
        icd: None,
        of,
        link: Link::Whole,
        stage: StageKind::Fragment,
        entry: None,
        merged: Vec::new(),
        name: "Fragment Shader".to_owned(),
        subgroup_size: Some(64),
        statistics: vec![statistic("Driver pipeline hash", vgprs * 77), statistic("VGPRs", vgprs)],
        common: Vec::new(),
        isa: Some(isa.to_owned()),
        verified: None,
        attributes: Vec::new(),
        facts: None,
        origins: Vec::new(),
        lines: Vec::new(),
        derivatives: Vec::new(),
        texts: Vec::new(),
        notes: Vec::new(),
    }
}

#[test]
fn two_targets_are_compared_by_what_each_was_compiled_to() {
    let of = |target| report(&["odd_size.comp"], &Options { target, ..Options::default() });
    let reports = [Target::Gfx1030, Target::Gfx1100].map(of);
    let rows =
        [compiled(Target::Gfx1030, Version::Original, 24, "a"), compiled(Target::Gfx1100, Version::Original, 12, "b")];
    let found = |drivers: [&[DriverStage]; 2]| {
        let [one, other] = [0, 1].map(|at: usize| Side { report: &reports[at], driver: drivers[at] });
        let found = compare(one, other);
        let statistics = found.section(Part::Statistics).expect("there");
        let isa = found.section(Part::Isa).expect("there");
        let rows = statistics.rows.iter().map(|row| (row.of.clone(), row.source)).collect::<Vec<_>>();
        (rows, statistics.equal, isa.equal)
    };
    // Both were compiled for both chips.
    let expected = vec![("fragment, gfx1030 to gfx1100 original".to_owned(), [Some(0), Some(1)])];
    assert_eq!(found([&rows, &rows]), (expected, false, false));
    // Chips beside their own, which both were compiled for too, are compared as well; the order does not matter.
    let beside = compiled(Target::Gfx900, Version::Original, 32, "c");
    let all = [[beside.clone(), rows[0].clone()], [rows[1].clone(), beside]];
    let (names, _, _) = found([&all[0], &all[1]]);
    let expected = [
        ("fragment, gfx900 original", [Some(0), Some(1)]),
        ("fragment, gfx1030 to gfx1100 original", [Some(1), Some(0)]),
    ];
    assert_eq!(names, expected.map(|(name, source)| (name.to_owned(), source)));
    // Compiled for its own in another way, a row has no partner, and is no equal one.
    let mut apart = rows[1].clone();
    apart.link = Link::Apart;
    let packed = compiled(Target::Gfx1030, Version::Packed, 20, "d");
    let (names, equal, isa) = found([&[rows[0].clone(), packed], &[apart]]);
    let sources: Vec<_> = names.iter().map(|(_, source)| *source).collect();
    assert_eq!(sources, [[None, Some(0)], [Some(0), None], [Some(1), None]], "{names:?}");
    assert!(!equal && !isa);
    // One was not compiled for its own: what is left is named.
    let (rows, equal, _) = found([&rows, &rows[..1]]);
    assert!(rows[0].0.contains("gfx1030") && !equal, "{rows:?}");
}

#[test]
fn pairs_compiler_rows_by_chip_and_version() {
    let empty = report(&["odd_size.comp"], &Options::default());
    let old = [
        compiled(Target::Gfx900, Version::Original, 16, "a"),
        compiled(Target::Gfx1030, Version::Original, 16, "a"),
        compiled(Target::Gfx1030, Version::Packed, 12, "b"),
    ];
    let new = [
        compiled(Target::Gfx1030, Version::Original, 8, "a"),
        compiled(Target::Gfx1100, Version::Original, 20, "c\nd"),
    ];
    let sides = [&old[..], &new[..]].map(|driver| Side { report: &empty, driver });
    let mut found = compare(sides[0], sides[1]);
    let rows: Vec<_> = found
        .section(Part::Statistics)
        .expect("there")
        .rows
        .iter()
        .map(|row| {
            let change = row.change.map(|change| change.to_string()).unwrap_or_default();
            format!("{} {}: {:?} {:?} {change}", row.of, row.name, row.left, row.right)
        })
        .collect();
    assert_eq!(
        rows,
        [
            "fragment, gfx900 to gfx1100 original VGPRs: Some(\"16\") Some(\"20\") +4 (+25%)",
            "fragment, gfx1030 original VGPRs: Some(\"16\") Some(\"8\") -8 (-50%)",
            "fragment, gfx1030 packed VGPRs: Some(\"12\") None ",
        ]
    );
    found.fill_diffs(sides, |name, [left, right]| format!("{name}: {left:?} {right:?}"));
    let texts: Vec<_> =
        found.section(Part::Isa).expect("there").texts.iter().map(|t| (t.equal, t.diff.as_str())).collect();
    assert_eq!(
        texts,
        [
            (false, "fragment, gfx900 to gfx1100 original: \"a\" \"c\\nd\""),
            (true, ""),
            (false, "fragment, gfx1030 packed: \"b\" \"\""),
        ]
    );
}

#[test]
fn comparison_survives_json() {
    let (one, other) = (
        report(&["tile_16x16.comp"], &Options::default()),
        report(&["tile_16x16.comp"], &Options { reconfig: true, target: Target::Gfx1100, ..Options::default() }),
    );
    let mut found = compare(Side::from(&one), Side::from(&other));
    found.keep_changes();
    for row in found.sections.iter_mut().flat_map(|section| &mut section.rows) {
        row.source = [None, None];
    }
    let text = serde_json::to_string(&found).expect("writes");
    assert_eq!(serde_json::from_str::<Comparison>(&text).expect("reads"), found);
}
