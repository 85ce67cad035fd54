//! The tables of other vendors' texts: Intel's of three versions, Qualcomm's of one.

use super::*;
use crate::layout::Channel;

/// Texts of one driver and chip.
struct Texts {
    folder: &'static str,
    driver: &'static str,
    chip: &'static str,
    pairs: &'static [(&'static str, &'static str)],
}

const FLAT: (&str, &str) = ("flat", "flat_and_smooth");
const LIT: (&str, &str) = ("lit_surface", "lit_surface");
const TURNIP: Texts = Texts {
    folder: "mesa-26.2.6",
    driver: "turnip Mesa driver Mesa 26.2.6-1",
    chip: "adreno750",
    pairs: &[FLAT, LIT, ("dynamic", "dynamic_index")],
};
/// Versions 22.3, 25.0 and 26.2. The first one compiles no stages apart.
const INTEL: [Texts; 3] = [
    Texts {
        folder: "mesa-22.3.6",
        driver: "Intel open-source Mesa driver Mesa 22.3.6",
        chip: "tgl",
        pairs: &[FLAT, LIT],
    },
    Texts {
        folder: "mesa-25.0.7",
        driver: "Intel open-source Mesa driver Mesa 25.0.7-2+deb13u1",
        chip: "tgl",
        pairs: &[FLAT, LIT],
    },
    Texts {
        folder: "mesa-26.2.6",
        driver: "Intel open-source Mesa driver Mesa 26.2.6-1",
        chip: "tgl",
        pairs: &[FLAT, LIT, ("half", "half_precision")],
    },
];

/// The rows of one pair, with its program.
struct Set {
    title: String,
    program: Program,
    rows: Vec<DriverStage>,
}

impl Texts {
    fn set(&self, (pair, sample): (&str, &str)) -> Set {
        let Texts { folder, driver, chip, .. } = self;
        let mut rows = rows(&(folder, driver), chip, pair);
        rows.iter_mut().flat_map(|row| &mut row.texts).for_each(|text| text.name = "Final NIR".to_owned());
        assert!(rows.len() >= 2, "{folder} {chip} {pair}");
        Set { title: format!("{pair} {folder} {chip}"), program: program(sample), rows }
    }
}

fn sets() -> impl Iterator<Item = Set> {
    let all = INTEL.iter().chain([&TURNIP]);
    all.flat_map(|texts| texts.pairs.iter().map(|pair| texts.set(*pair)))
}

impl Set {
    fn table(&self) -> LayoutTable {
        table_of(&self.program, &self.rows)
    }

    /// The places of the stages that were compiled together, by name.
    fn together(&self) -> Vec<(String, DriverPlace)> {
        let table = self.table();
        let column = table.columns.iter().position(|column| column.link == Link::Whole).expect("a column");
        table.rows.iter().map(|row| (row.name(), row.driver[column].clone())).collect()
    }

    fn fragment(&mut self) -> &mut DriverStage {
        let is = |row: &&mut DriverStage| (row.stage, row.link) == (StageKind::Fragment, Link::Whole);
        self.rows.iter_mut().find(is).expect("a fragment shader")
    }

    /// With other words in the form of the linked fragment shader.
    fn with(mut self, here: &str, there: &str) -> Set {
        let text = &mut self.fragment().texts[0].text;
        assert!(text.contains(here), "{here}: {text}");
        *text = text.replace(here, there);
        self
    }
}

/// Why nothing is stated of any scalar.
fn only_reason(set: &Set) -> Option<Reason> {
    let places = set.together();
    let reason = places.first()?.1.reason;
    places.iter().all(|(_, place)| place.attribute.is_none() && place.reason == reason).then_some(reason)?
}

#[test]
fn other_vendors_have_their_tables() {
    let mut report = String::new();
    for set in sets() {
        let _ = writeln!(report, "== {}\n{}", set.title, text(&set.table()));
    }
    insta::assert_snapshot!(report);
}

/// Each channel that the form loads is stated of a scalar, and none else is.
#[test]
fn every_channel_of_other_vendors_is_attributed() {
    for mut set in sets() {
        let form = set.fragment().texts[0].text.clone();
        let nir = Nir::numbered(&form, reads::Numbering::Locations).expect("a form");
        let read = Reads::of(&nir).channels();
        let places = set.together();
        let placed: BTreeSet<(u32, u8)> = places
            .iter()
            .flat_map(|(_, place)| place.channels())
            .map(|Channel { attribute, channel }| (attribute, channel))
            .collect();
        assert_eq!(placed, read, "{}", set.title);
        // Turnip's form does not mark what is the same for all invocations of a wave.
        assert!(places.iter().all(|(_, place)| place.rule != Some(LayoutRule::Uniform)), "{}", set.title);
    }
}

#[test]
fn turnips_form_is_its_final_one_and_the_stage_before_is_not_the_binning_one() {
    let set = TURNIP.set(FLAT);
    let expected = set.table();
    let mut other = TURNIP.set(FLAT);
    // Each stage has another form first, and bins have a vertex shader of their own.
    let alone = other.rows.iter().find(|row| row.link == Link::Apart && row.stage == StageKind::Fragment);
    let first = Representation { name: "NIR from SPIRV".to_owned(), ..alone.expect("a form").texts[0].clone() };
    other.rows.iter_mut().for_each(|row| row.texts.insert(0, first.clone()));
    let binning = |row: &DriverStage| DriverStage { name: "Binning VS".to_owned(), texts: Vec::new(), ..row.clone() };
    let vertex: Vec<DriverStage> = other.rows.iter().filter(|r| r.stage == StageKind::Vertex).map(binning).collect();
    other.rows.extend(vertex);
    assert_eq!(other.table(), expected);
    // Without it there is no form.
    other.rows.iter_mut().for_each(|row| row.texts.truncate(1));
    let report = lanescope_report::analyse(&other.program, &Options::default()).expect("is analysed");
    let packing = report.packing.expect("an interface");
    assert_eq!(layouts_of(&other.program, &report.options, &packing, &other.rows), []);
}

#[test]
fn nothing_is_stated_of_turnip_where_its_texts_differ() {
    let set = TURNIP.set(LIT);
    let texts_differ = set.with(
        "component=0, dest_type=float32, io location=VARYING_SLOT_VAR2",
        "component=1, dest_type=float32, io location=VARYING_SLOT_VAR2",
    );
    assert_eq!(only_reason(&texts_differ), Some(Reason::TextsDiffer));
    let slots = TURNIP.set(LIT).with("VARYING_SLOT_VAR1 slots", "VARYING_SLOT_VAR1_16BIT slots");
    assert_eq!(only_reason(&slots), Some(Reason::TextsDiffer));
    let mut code = TURNIP.set(LIT);
    let isa = code.fragment().isa.as_mut().expect("assembly");
    isa.push_str("new words\n");
    assert_eq!(only_reason(&code), Some(Reason::NotUnderstood));
    assert!(code.table().columns.iter().any(|column| column.at_least));
}

#[test]
fn the_executables_of_intels_widths_have_one_form() {
    for texts in &INTEL {
        let set = texts.set(FLAT);
        let expected = set.table();
        let mut other = texts.set(FLAT);
        let wide = DriverStage { name: "SIMD16 fragment".to_owned(), ..other.fragment().clone() };
        other.rows.push(wide);
        assert_eq!(other.table(), expected, "it is one compilation");
        let last = other.rows.last_mut().expect("a row");
        last.texts[0].text.push_str("    div 32 %9999 = mov %9998\n");
        assert_eq!(only_reason(&other), Some(Reason::FormsDiffer));
    }
}

/// Without the stages' forms alone, a scalar is where its own variable is declared and loaded.
#[test]
fn intels_scalars_are_where_they_are_declared_and_loaded() {
    for texts in &INTEL {
        let lone = || {
            let mut set = texts.set(FLAT);
            set.rows.retain(|row| row.link == Link::Whole);
            set
        };
        let places = lone().together();
        assert!(places.iter().all(|(_, place)| place.attribute.is_some()), "{places:?}");
        let stated = |set: Set| set.together().into_iter().filter(|(_, place)| place.attribute.is_some()).count();
        let name = lone().with(" screen", " other");
        assert_eq!(stated(name), places.len() - 2, "another variable is declared there");
        // A load that is read otherwise, or that is of none of the program's scalars, may be any: what follows is known of
        // one that names its variable of one scalar alone.
        let stated = |set: Set| {
            let all = set.together().into_iter().filter(|(_, place)| place.attribute.is_some());
            all.map(|(name, _)| name).collect::<Vec<_>>()
        };
        assert_eq!(stated(lone().with("io location=34", "io location=41")), ["layer.x"]);
        assert_eq!(stated(lone().with("load_fs_input_interp_deltas", "load_input")), [""; 0]);
        assert_eq!(only_reason(&lone().with("load_input", "load_new_input")), Some(Reason::FormNotUnderstood));
    }
}

/// Mesa 22.3 compiles no stages apart: that nothing is passed for a constant, the shader before shows.
#[test]
fn a_constant_that_intel_does_not_pass_is_one_of_the_module() {
    for texts in &INTEL {
        let mut set = texts.set(LIT);
        set.rows.retain(|row| row.link == Link::Whole);
        let places = set.together();
        let color = places.iter().filter(|(name, _)| name.starts_with("vertex_color"));
        let rules: BTreeSet<_> = color.map(|(_, place)| place.rule).collect();
        assert_eq!(rules, BTreeSet::from([Some(LayoutRule::Constant)]));
    }
}

#[test]
fn reasons_of_saved_reports_are_read() {
    let read = |text: &str| serde_json::from_str::<Reason>(&format!("{text:?}")).ok();
    assert_eq!(read("may-move"), Some(Reason::NoMatch));
    for reason in Reason::ALL {
        assert_eq!(read(reason.name()), Some(*reason));
    }
}

/// NVK's form names no location: its rows have none here.
#[test]
fn what_nvk_reads_neither_linked_nor_alone_is_unneeded() {
    let path = crate_folder().join("tests/data/texts/nak/mesa-26.2.6/flat_and_smooth.fragment.nv170.s");
    let all = std::fs::read_to_string(path).expect("a text");
    let less: Vec<&str> = all.lines().filter(|line| !line.contains("ipa.pass a[0xa4]")).collect();
    let less = less.join("\n");
    assert_ne!(all, less);
    let place = |alone: Option<&str>, linked: &str| {
        let mut set = TURNIP.set(FLAT);
        set.rows.retain(|row| row.stage == StageKind::Fragment && (row.link == Link::Whole || alone.is_some()));
        for row in &mut set.rows {
            row.driver = "NVK Mesa 26.2.6-1".to_owned();
            row.texts = Vec::new();
            row.isa = if row.link == Link::Apart { alone } else { Some(linked) }.map(str::to_owned);
        }
        let (_, place) = set.together().into_iter().find(|(name, _)| name == "screen.y").expect("a scalar");
        place
    };
    assert_eq!(place(Some(&all), &all), DriverPlace::at(2, 1, false, Some(LayoutRule::Kept)));
    assert_eq!(place(Some(&less), &less), DriverPlace::gone(LayoutRule::ValueUnneeded));
    assert_eq!(place(Some(&all), &less), DriverPlace::unattributed(Reason::NoMatch));
    assert_eq!(place(None, &less), DriverPlace::unattributed(Reason::NoMatch));
}
