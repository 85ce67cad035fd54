//! Work on request: rewriting, saving, running, measuring; on the first device of this machine.

use lanescope_core::driver::{Link, Version};
use lanescope_core::target::Target;
use lanescope_inspector::command::{Output, OutputFile};
use lanescope_inspector::settings::{CompileSettings, Passes, RunSettings};
use lanescope_inspector::tasks::{Compiled, Work};

use super::*;
use lanescope_inspector::view::ViewId;
use lanescope_workbench::outcome::Picked;

const VERTEX: &str = "#version 450
layout(location = 0) in vec4 position;
layout(location = 0) out vec2 uv;
layout(location = 3) out float gloss;
void main() { gl_Position = position; uv = position.xy; gloss = position.z; }
";

fn pair() -> Stage {
    pair_with(Session::default())
}

fn pair_with(session: Session) -> Stage {
    let mut stage = Stage::new(session);
    let (vertex, fragment) = (stage.file("lit.vert", VERTEX), stage.file("lit.frag", FRAGMENT));
    stage.open(&[&vertex, &fragment]);
    stage
}

fn made(frame: &App) -> &lanescope_inspector::tasks::TaskResults {
    &frame.state.program().expect("a program").results
}

#[test]
fn rewrites_modules_when_the_tab_is_shown_and_again_under_other_passes() {
    let mut stage = pair();
    stage.settle();
    assert_eq!(made(&stage.frame).rewriting.answer, None, "nothing was requested");
    stage.frame.act(Command::ShowTab(ViewId::Rewritten));
    stage.until("it is rewritten", |frame| made(frame).rewriting.done().is_some());
    let modules = &made(&stage.frame).rewriting.done().expect("done").modules;
    let changed: Vec<_> =
        modules.iter().map(|module| (module.name.as_str(), module.original != module.rewritten)).collect();
    assert_eq!(changed, [("lit.vert", true), ("lit.frag", true)]);
    let settings = RunSettings { passes: Passes::NONE, ..RunSettings::DEFAULT };
    stage.frame.act(Command::SetRunSettings(settings.clone()));
    stage.until("it is rewritten again", |frame| {
        made(frame).rewriting.done().is_some_and(|now| now.modules.iter().all(|m| m.original == m.rewritten))
    });
    stage.settle();
    let (session, _) = Store::at(stage.folder.path().join("session.json")).load();
    assert_eq!(session.run, settings, "the session keeps it");
}

/// Says that files may be replaced.
pub fn replace(stage: &mut Stage) {
    stage.frame.act(Command::Replace(true));
}

#[test]
fn saves_rewritten_modules_and_replaces_only_if_confirmed() {
    let mut stage = pair();
    stage.frame.act(Command::Begin(Work::Rewrite));
    stage.until("it is rewritten", |frame| made(frame).rewriting.done().is_some());
    let files = stage.frame.state.program().expect("a program").rewritten_files.clone();
    let names: Vec<_> = files.iter().map(|(name, _)| name.as_str()).collect();
    let expected =
        ["lit.vert.packed.spv", "lit.vert.packed.spvasm", "lit.frag.packed.spv", "lit.frag.packed.spvasm", "map.json"];
    assert_eq!(names, expected);
    let target = stage.folder.path().join("packed");
    let save = |stage: &mut Stage| {
        stage.frame.state.pending = Some(Pending::Files(files.clone()));
        stage.take(Tag::Dialog, Outcome::PickedSave(Picked::Chosen(target.clone())));
    };
    save(&mut stage);
    stage.settle();
    let map = target.join("map.json");
    assert!(map.exists() && target.join("lit.vert.packed.spv").exists());
    std::fs::write(&map, "mine").expect("writable");
    save(&mut stage);
    stage.until("it asks", |frame| matches!(frame.state.overlay, Overlay::Replace(_)));
    stage.press(Modifiers::NONE, Key::Escape);
    stage.settle();
    assert!(matches!(stage.frame.state.overlay, Overlay::None) && stage.frame.state.pending.is_none());
    assert_eq!(std::fs::read_to_string(&map).expect("it is there"), "mine");
    save(&mut stage);
    stage.until("it asks", |frame| matches!(frame.state.overlay, Overlay::Replace(_)));
    replace(&mut stage);
    stage.settle();
    assert!(std::fs::read_to_string(&map).expect("it is there").contains("\"packing\""));
}

#[test]
fn replaces_one_file_only_if_confirmed() {
    let mut stage = pair();
    let target = stage.file("table.csv", "mine");
    let save = |stage: &mut Stage| {
        stage.frame.state.pending = Some(Pending::File(b"new".to_vec(), "table.csv".to_owned()));
        stage.frame.act(Command::TakePaths(Purpose::Save, vec![target.clone()]));
        stage.until("it asks", |frame| matches!(frame.state.overlay, Overlay::Replace(_)));
    };
    let text = || std::fs::read_to_string(&target).expect("it is there");
    save(&mut stage);
    stage.press(Modifiers::NONE, Key::Escape);
    stage.settle();
    assert_eq!((text().as_str(), stage.frame.state.pending.is_none()), ("mine", true));
    save(&mut stage);
    // What nothing is lost by has the keyboard.
    stage.draw(Vec::new());
    stage.press(Modifiers::NONE, Key::Enter);
    stage.settle();
    assert_eq!((text().as_str(), matches!(stage.frame.state.overlay, Overlay::None)), ("mine", true));
    save(&mut stage);
    replace(&mut stage);
    stage.settle();
    assert_eq!(text(), "new");
}

#[test]
fn runs_a_pair_and_saves_its_pictures() {
    let mut stage = pair();
    stage.frame.act(Command::Run);
    assert!(made(&stage.frame).run.underway);
    stage.until("it ran", |frame| made(frame).run.answer.is_some());
    let ran = made(&stage.frame).run.done().unwrap_or_else(|| panic!("{:?}", made(&stage.frame).run.failed()));
    let compare = ran.execution.run.compare.as_ref().expect("two runs");
    assert!(compare.equal, "{compare:?}");
    assert!(stage.frame.state.tabs.shows(ViewId::Run));
    stage.settle();
    let outputs = [OutputFile::Binary, OutputFile::Png, OutputFile::DifferencePng];
    for (number, what) in outputs.into_iter().enumerate() {
        let ran = made(&stage.frame).run.done().expect("it ran");
        let output = Output { name: "color0".to_owned(), what, rewritten: number == 0, plane: 0 };
        let (name, bytes) = lanescope_host::outputs::file(ran, &output).expect("color0 was drawn");
        let target = stage.folder.path().join(&name);
        stage.frame.state.pending = Some(Pending::File(bytes.clone(), name));
        stage.frame.act(Command::TakePaths(Purpose::Save, vec![target.clone()]));
        stage.settle();
        assert_eq!(std::fs::read(target).expect("it was written"), bytes);
    }
}

#[test]
fn measures_a_workgroup_and_reports_a_missing_device() {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("group.comp", COMPUTE);
    stage.open(&[&path]);
    stage.frame.act(Command::Measure);
    stage.until("it is measured", |frame| made(frame).probe.answer.is_some());
    let probe = made(&stage.frame).probe.done().unwrap_or_else(|| panic!("{:?}", made(&stage.frame).probe.failed()));
    assert_eq!((probe.size, probe.lanes.len()), ([8, 8, 1], 64));
    stage.settle();
    let device = Some("a device that nobody has".to_owned());
    stage.frame.act(Command::SetRunSettings(RunSettings { device, ..RunSettings::DEFAULT }));
    stage.frame.act(Command::Run);
    stage.until("it did not run", |frame| made(frame).run.answer.is_some());
    let why = made(&stage.frame).run.failed().expect("there is no such device");
    assert!(why.contains("a device that nobody has"), "{why}");
    stage.settle();
}

#[test]
fn cancelled_work_is_no_longer_in_progress() {
    let mut stage = pair();
    for work in [Work::Devices, Work::Rewrite, Work::Run] {
        stage.frame.act(Command::Begin(work));
        stage.frame.act(Command::CancelWork);
    }
    let made = made(&stage.frame);
    assert!(!made.run.underway && !made.rewriting.underway && !stage.frame.state.settings.devices.underway);
    stage.settle();
}

fn compiled(frame: &App) -> Option<&Compiled> {
    made(frame).compiled.done()
}

#[test]
fn compiles_on_request_and_again_when_a_file_changes() {
    let compile = CompileSettings { automatic: false, ..CompileSettings::DEFAULT };
    let mut stage = pair_with(Session { compile, ..Session::default() });
    stage.frame.act(Command::ShowTab(ViewId::Isa));
    stage.settle();
    assert_eq!(made(&stage.frame).compiled.answer, None, "nothing was requested");
    stage.frame.act(Command::Compile);
    stage.until("it compiles", |frame| compiled(frame).is_some());
    stage.frame.act(Command::SetCompileSettings(CompileSettings::DEFAULT));
    let first = compiled(&stage.frame).expect("done").clone();
    let rows: Vec<_> = first.sections.stages.iter().map(|row| (row.target, row.of, row.stage.name())).collect();
    let chip = Some(Target::Gfx1030.into());
    assert_eq!(rows, [(chip, Version::Original, "vertex"), (chip, Version::Original, "fragment")]);
    assert_eq!((first.failures.len(), first.since_saved), (1, None), "the crash is reported beside it");

    stage.file("lit.frag", &FRAGMENT.replace("gloss, 1.0", "gloss, gloss"));
    stage.until("the change is compiled", |frame| {
        made(frame).compiled.answer.as_ref().is_some_and(|answer| answer.number == 1)
    });
    let since = compiled(&stage.frame).expect("done").since_saved.expect("it was the change that asked");
    assert!(since < 30_000, "{since} ms");

    let settings = CompileSettings {
        chips: vec![Target::Gfx900.into(), Target::Gfx1100.into()],
        link: Link::Apart,
        ..CompileSettings::DEFAULT
    };
    stage.frame.act(Command::SetCompileSettings(settings.clone()));
    stage.until("other chips are asked", |frame| compiled(frame).is_some_and(|now| now.settings == settings));
    assert_eq!(compiled(&stage.frame).expect("done").since_saved, None);
    let places: Vec<_> = compiled(&stage.frame).expect("done").sections.stages.iter().map(|row| row.place()).collect();
    assert_eq!(places, ["gfx900", "gfx900", "gfx1100", "gfx1100"]);
    stage.settle();
    let (session, _) = Store::at(stage.folder.path().join("session.json")).load();
    assert_eq!(session.compile, settings, "the session keeps it");
}
