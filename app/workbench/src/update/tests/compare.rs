//! Comparing the shown program.

use lanescope_core::options::Options;
use lanescope_core::target::Target;
use lanescope_inspector::command::Purpose;
use lanescope_inspector::comparing::Partner;
use lanescope_inspector::mode::Mode;
use lanescope_inspector::settings::CompileSettings;
use lanescope_inspector::view::ViewId;

use super::super::effects::Dialog;
use super::*;
use crate::state::comparing::ComparisonNames;

/// Two programs, the second one shown.
fn two() -> Bench {
    let mut bench = Bench::opened("old.frag", &FRAGMENT.replace("location = 3", "location = 4"));
    let path = bench.file("new.frag", FRAGMENT);
    bench.open(&[&path]);
    bench
}

#[test]
pub fn compares_with_files() {
    let mut bench = Bench::opened("new.frag", FRAGMENT);
    let id = bench.program().id;
    bench.run(Command::Compare);
    let asks = |effect: &Effect| matches!(effect, Effect::Dialog(Dialog::Files(Purpose::Compare(of), _)) if *of == id);
    assert!(bench.had(asks));
    let old = bench.file("old.frag", FRAGMENT);
    bench.run(Command::CompareFiles(vec![old]));
    bench.until("it is compared", |state| state.compared_with().is_some());
    assert!(bench.program().id == id && bench.state.tabs.shows(ViewId::Compare), "the program stays in front");
    bench.run(Command::CompareFiles(bench.program().paths.clone()));
    assert_eq!(bench.message(), "A program cannot be compared with itself.");
}

#[test]
pub fn chooses_and_swaps_the_partner() {
    let mut bench = two();
    let (old, new) = (bench.state.programs[0].id, bench.program().id);
    bench.run(Command::CompareWith(Some(Partner::Program(old))));
    assert_eq!(bench.state.compared_with(), Some(Partner::Program(old)));
    bench.run(Command::SwapCompared);
    assert_eq!((bench.program().id, bench.state.compared_with()), (old, Some(Partner::Program(new))));
    bench.run(Command::CompareWith(None));
    assert_eq!(bench.state.compared_with(), None);
    bench.run(Command::CompareWith(Some(Partner::SecondSetting)));
    assert_eq!(bench.state.compared_with(), None, "it has no second setting");
}

#[test]
fn shaders_are_compared_with_a_code_object_by_their_registers() {
    let [pipe, object] = ["textured.pipe", "textured.elf"].map(|name| sample(&format!("code_objects/{name}")));
    let mut bench = Bench::new();
    bench.open(&[&pipe]);
    bench.run(Command::CompareFiles(vec![object.clone()]));
    bench.until("it is compared", |state| state.compared_with().is_some());
    let is_beside = |bench: &Bench| {
        let names = ComparisonNames::new(&bench.state);
        let comparing = names.comparing(&bench.state);
        let paths = &bench.program().paths;
        paths == std::slice::from_ref(&pipe)
            && comparing.names[0] == "textured.elf"
            && comparing.object.is_some()
            && comparing.sides.is_none()
            && bench.state.tabs.shows(ViewId::Registers)
    };
    assert!(is_beside(&bench));
    // Shaders have the registers, whichever is shown.
    bench.run(Command::SwapCompared);
    assert!(is_beside(&bench));
    let (shaders, of_object) = (bench.program().id, bench.state.programs[bench.state.partner().expect("open")].id);
    bench.run(Command::CompareWith(None));
    let index = bench.state.programs.iter().position(|program| program.id == of_object).expect("open");
    bench.run(Command::ShowProgram(index));
    bench.run(Command::CompareWith(Some(Partner::Program(shaders))));
    assert!(is_beside(&bench));
    bench.open(&[&sample("code_objects/fill.elf")]);
    bench.run(Command::CompareWith(Some(Partner::Program(of_object))));
    let names = ComparisonNames::new(&bench.state);
    let comparing = names.comparing(&bench.state);
    let [a, b] = comparing.objects.expect("two objects");
    assert_eq!((comparing.names, comparing.sides.is_none()), (["textured.elf", "fill.elf"], true));
    assert!(a.object.chip().contains("gfx1010") && b.object.chip().contains("gfx1030"));
    assert!(b.listing.is_ok_and(|text| text.contains("s_endpgm")), "{:?}", b.listing);
    assert!(bench.state.tabs.shows(ViewId::Compare));
}

#[test]
fn shaders_and_a_code_object_that_open_together_are_compared() {
    let [pipe, object] = ["textured.pipe", "textured.elf"].map(|name| sample(&format!("code_objects/{name}")));
    let mut bench = Bench::new();
    bench.run(Command::OpenFiles(vec![object, pipe.clone()]));
    bench.until("it is compared", |state| state.compared_with().is_some());
    assert_eq!((&bench.program().paths, bench.state.programs.len()), (&vec![pipe], 2));
}

#[test]
fn a_second_setting_is_compared_where_nothing_is() {
    let mut bench = Bench::new();
    bench.run(Command::SideBySide);
    assert_eq!(bench.message(), "Unavailable: no program is open (Ctrl+O opens one).");
    let mut bench = Bench::opened("new.frag", FRAGMENT);
    bench.run(Command::SetMode(Mode::Compare));
    bench.run(Command::SideBySide);
    bench.settle();
    assert_eq!(bench.state.compared_with(), Some(Partner::SecondSetting));
    assert!(bench.message().contains("a second program: Ctrl+Shift+D"), "{}", bench.message());
    bench.run(Command::SideBySide);
    bench.settle();
    assert!(bench.program().other.is_none() && bench.state.compared_with().is_none());
}

#[test]
fn a_target_adds_no_chip_where_only_devices_were_chosen() {
    let mut bench = Bench::opened("new.frag", FRAGMENT);
    bench.run(Command::SetOther(Some(Box::new(Options { target: Target::Gfx1100, ..Options::default() }))));
    bench.settle();
    let settings = |chips: &[Target], devices: &[&str]| CompileSettings {
        chips: chips.iter().copied().map(Into::into).collect(),
        devices: devices.iter().map(|device| (*device).to_owned()).collect(),
        icds: vec!["/lvp_icd.json".into()],
        ..CompileSettings::DEFAULT
    };
    let also = |settings| bench.program().own_target(true, &settings);
    assert_eq!(also(settings(&[Target::Gfx900], &[])), Some(Target::Gfx1100.into()));
    assert_eq!(also(settings(&[Target::Gfx900], &["llvmpipe"])), Some(Target::Gfx1100.into()));
    assert_eq!(also(settings(&[], &["llvmpipe"])), None);
}

#[test]
fn chosen_chips_do_not_make_two_targets_equal() {
    let mut bench = Bench::opened("new.frag", FRAGMENT);
    let chips = vec![Target::Gfx1030.into(), Target::Gfx1100.into()];
    bench.run(Command::SetCompileSettings(CompileSettings { chips, ..CompileSettings::DEFAULT }));
    bench.settle();
    bench.run(Command::SetMode(Mode::Compare));
    bench.run(Command::SideBySide);
    bench.run(Command::SetOther(Some(Box::new(Options { target: Target::Gfx1100, ..Options::default() }))));
    bench.settle();
    bench.run(Command::CompileCompared);
    bench.settle();
    let names = ComparisonNames::new(&bench.state);
    let [first, second] = names.comparing(&bench.state).sides.expect("both sides");
    for (side, target) in [(first, Target::Gfx1030), (second, Target::Gfx1100)] {
        assert!(!side.driver.is_empty());
        assert!(side.driver.iter().all(|stage| stage.target == Some(target.into())), "{target}");
    }
}

#[test]
pub fn compiles_both_sides() {
    let mut bench = two();
    bench.run(Command::CompareWith(Some(Partner::Program(bench.state.programs[0].id))));
    bench.run(Command::CompileCompared);
    bench.until("both are compiled", |state| {
        state.programs.iter().all(|program| program.results.compiled.done().is_some())
    });
}
