//! Files and the window: chained questions, failed reads, writing.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;

use lanescope_core::graph::{GraphSource, Overrides, link};
use lanescope_core::options::Options;
use lanescope_core::run::graph::{GraphMode, GraphRun, InputMode, file as saved};
use lanescope_inspector::view::ViewId;

use super::*;

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name)
}

/// Databases of the same many pipelines.
fn databases<const N: usize>(stage: &Stage, names: [&str; N]) -> [PathBuf; N] {
    names.map(|name| {
        let path = stage.folder.path().join(name);
        std::fs::copy(sample("effects.foz"), &path).expect("copies");
        path
    })
}

/// The databases that it is asked about.
fn asked(frame: &App) -> Option<&[PathBuf]> {
    match &frame.state.overlay {
        Overlay::Pipelines(chooser) => Some(&chooser.paths),
        _ => None,
    }
}

#[test]
fn asks_about_two_databases_one_after_the_other() {
    let mut stage = Stage::new(Session::default());
    let [shown, with] = databases(&stage, ["b.foz", "a.foz"]);
    stage.frame.begin(vec![shown.clone()], vec![with.clone()]);
    let mut both = Vec::new();
    for _ in 0..2 {
        stage.until("it asks", |frame| asked(frame).is_some());
        both.extend(asked(&stage.frame).expect("it asks").to_owned());
        stage.draw(Vec::new());
        stage.press(Modifiers::NONE, Key::Enter);
    }
    both.sort();
    assert_eq!(both, [with, shown.clone()]);
    stage.until("both are open", |frame| frame.state.programs.len() == 2);
    let program = stage.frame.state.program().expect("a program");
    assert!(program.paths == [shown] && program.against.is_some(), "and compared");
    stage.settle();
}

#[test]
fn compares_nothing_without_a_chosen_pipeline() {
    let mut stage = Stage::new(Session::default());
    let [shown, with] = databases(&stage, ["b.foz", "a.foz"]);
    stage.frame.begin(vec![shown], vec![with]);
    for _ in 0..2 {
        stage.until("it asks", |frame| asked(frame).is_some());
        stage.draw(Vec::new());
        stage.press(Modifiers::NONE, Key::Escape);
    }
    stage.settle();
    assert!(stage.frame.state.pairs.is_empty() && stage.frame.state.page == Page::Gallery);
}

#[test]
fn shows_a_page_when_a_list_fails() {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("gone.foz", "no database");
    stage.frame.state.page = Page::Program;
    stage.take(Tag::Samples, Outcome::Listed(vec![path.clone()], Err("no database".to_owned())));
    stage.until("the page of the failure", |frame| frame.state.failure.is_some());
    assert_eq!(stage.frame.state.failure.as_ref().map(|page| page.paths.as_slice()), Some(&[path][..]));
}

#[test]
fn retries_samples_that_failed_to_load() {
    let mut stage = Stage::new(Session::default());
    stage.frame.act(Command::Samples);
    stage.until("there are cards", |frame| frame.state.samples.iter().next().is_some());
    let all = stage.frame.state.samples.waiting().len();
    stage.frame.act(Command::CancelWork);
    stage.settle();
    assert!(all > 0 && stage.frame.state.samples.waiting().len() >= all, "reading them was cancelled");
    stage.frame.act(Command::Samples);
    stage.until("they are read", |frame| frame.state.samples.waiting().is_empty());
    stage.settle();
}

#[test]
fn cancelling_a_load_shows_the_samples() {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("lit.frag", FRAGMENT);
    stage.frame.begin(vec![path], Vec::new());
    stage.frame.act(Command::CancelWork);
    assert_eq!(stage.frame.state.page, Page::Gallery);
    stage.until("there are cards", |frame| frame.state.samples.iter().next().is_some());
}

#[test]
fn completes_all_concurrent_writes() {
    let mut stage = Stage::new(Session::default());
    let targets: Vec<_> = (0..6).map(|number| stage.folder.path().join(format!("{number}.csv"))).collect();
    for target in &targets {
        stage.frame.state.pending = Some(Pending::File(b"new".to_vec(), String::new()));
        stage.frame.act(Command::TakePaths(Purpose::Save, vec![target.clone()]));
    }
    // Neither does reading records take a write's place.
    stage.frame.act(Command::TakePaths(Purpose::Records(0), vec![targets[0].clone()]));
    stage.settle();
    for target in &targets {
        assert_eq!(std::fs::read(target).ok().as_deref(), Some(&b"new"[..]), "{}", target.display());
    }
}

#[test]
fn keeps_pending_saves_during_an_overwrite_question() {
    let mut stage = Stage::new(Session::default());
    let [first, second] = ["first.csv", "second.csv"].map(|name| stage.file(name, "mine"));
    for (target, text) in [(&first, "one"), (&second, "two")] {
        stage.frame.state.pending = Some(Pending::File(text.as_bytes().to_vec(), String::new()));
        stage.frame.act(Command::TakePaths(Purpose::Save, vec![target.clone()]));
    }
    // The user opens another file while both overwrite questions are open.
    stage.frame.state.pending = Some(Pending::File(b"three".to_vec(), String::new()));
    for _ in 0..2 {
        stage.until("it asks", |frame| matches!(frame.state.overlay, Overlay::Replace(_)));
        request::replace(&mut stage);
    }
    let third = stage.folder.path().join("third.csv");
    stage.frame.act(Command::TakePaths(Purpose::Save, vec![third.clone()]));
    stage.settle();
    let texts = [first, second, third].map(|path| std::fs::read_to_string(path).expect("it is there"));
    assert_eq!(texts, ["one", "two", "three"]);
}

#[test]
fn retries_a_failed_session_save() {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("lit.frag", FRAGMENT);
    let session = stage.folder.path().join("session.json");
    // A folder is in the way of the file.
    std::fs::create_dir(&session).expect("writable");
    stage.open(&[&path]);
    stage.until("it is reported", |frame| {
        frame.state.messages.texts().iter().any(|text| text.contains("cannot be saved"))
    });
    stage.settle();
    stage.frame.state.messages = Default::default();
    stage.frame.act(Command::SetTheme(Theme::Dark));
    stage.settle();
    assert_eq!(stage.frame.state.messages.texts(), Vec::<&str>::new(), "it was reported");
    std::fs::remove_dir(&session).expect("it is empty");
    stage.frame.act(Command::SetTheme(Theme::Light));
    stage.settle();
    assert_eq!(Store::at(session).load().0.theme, Theme::Light);
}

#[test]
fn watches_includes_in_a_folder_with_a_non_utf8_name() {
    let mut stage = Stage::new(Session::default());
    let folder = stage.folder.path().join(OsString::from_vec(b"odd \xff".to_vec()));
    let include = folder.join("one.glsl");
    std::fs::create_dir(&folder).expect("writable");
    std::fs::write(&include, "const float one = 1.0;\n").expect("writable");
    let path = folder.join("lit.frag");
    let extension = "#extension GL_GOOGLE_include_directive : require\n#include \"one.glsl\"\n";
    let text = FRAGMENT.replace("layout(location = 0) in", &format!("{extension}layout(location = 0) in"));
    std::fs::write(&path, text.replace("1.0)", "one)")).expect("writable");
    stage.open(&[&path]);
    stage.settle();
    let program = stage.frame.state.program().expect("it opens");
    assert!(program.watched().any(|watched| watched == include));
    let before = stage.revision();
    std::fs::write(&include, "const float one = 0.5;\n").expect("writable");
    stage.until("the change is seen", |frame| frame.state.program().is_some_and(|program| program.revision > before));
}

#[test]
fn reloads_a_changed_saved_run_in_the_background() {
    let mut stage = Stage::new(Session::default());
    let (other, whole) = (stage.file("lit.frag", FRAGMENT), saved::write(&run()).expect("writes"));
    let path = stage.folder.path().join("kept.lanescope-run");
    std::fs::write(&path, &whole).expect("writable");
    stage.open(&[&path]);
    assert_eq!(stage.frame.state.tabs.focus(), Some(ViewId::Graph), "it shows what it is");
    stage.open(&[&other]);
    stage.frame.act(Command::ShowTab(ViewId::Source));
    stage.settle();
    let revision = |frame: &App| frame.state.programs.first().map(|program| program.revision);
    let before = revision(&stage.frame);
    let again = String::from_utf8(whole.clone()).expect("JSON").replace("a device", "another device");
    std::fs::write(&path, again).expect("writable");
    stage.until("the change is seen", |frame| revision(frame) > before);
    let device = |frame: &App| frame.state.programs[0].results.graph.done().map(|run| run.device.clone());
    assert_eq!(device(&stage.frame).as_deref(), Some("another device"));
    let in_front = |frame: &App| (frame.state.active, frame.state.tabs.focus(), frame.state.failure.is_none());
    assert_eq!(in_front(&stage.frame), (1, Some(ViewId::Source), true));
    // Broken, it shows what it showed, and says so.
    std::fs::write(&path, &whole[..whole.len() / 2]).expect("writable");
    stage.until("the break is seen", |frame| frame.state.programs[0].stale.is_some());
    assert_eq!(device(&stage.frame).as_deref(), Some("another device"));
    assert_eq!(in_front(&stage.frame), (1, Some(ViewId::Source), true));
    std::fs::write(&path, &whole).expect("writable");
    stage.until("it is whole again", |frame| frame.state.programs[0].stale.is_none());
    assert_eq!(device(&stage.frame).as_deref(), Some("a device"));
    stage.settle();
}

/// A run in which nothing ran.
fn run() -> GraphRun {
    GraphRun {
        device: "a device".to_owned(),
        file: String::new(),
        counted: None,
        mode: GraphMode::Step,
        input_mode: InputMode::Cpu,
        entries: Vec::new(),
        ring: 0,
        graph: link(Vec::new(), GraphSource::Dxil, &Overrides::default()),
        refused: Vec::new(),
        generations: Vec::new(),
        pending: Vec::new(),
        stopped: None,
        findings: Vec::new(),
        buffers: Vec::new(),
        images: Vec::new(),
        start: BTreeMap::new(),
        left_out: Vec::new(),
        contents: BTreeMap::new(),
        nanoseconds: 0,
        wall_nanoseconds: 0,
        warnings: Vec::new(),
    }
}

#[test]
fn invalid_modules_open_without_validation() {
    let mut stage = Stage::new(Session::default());
    let text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n\
                OpExecutionMode %main LocalSize 8 8 1\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n\
                %uint = OpTypeInt 32 0\n%one = OpConstant %uint 1\n%main = OpFunction %void None %fn\n%l = OpLabel\n\
                %sum = OpIAdd %uint %one %void\nOpReturn\nOpFunctionEnd\n";
    let path = stage.file("sum.spvasm", text);
    stage.frame.act(Command::OpenFiles(vec![path.clone()]));
    stage.until("it is reported", |frame| frame.state.failure.is_some());
    assert!(stage.frame.state.failure.as_ref().is_some_and(|page| page.failure.invalid));
    // What the button of that page does.
    stage.frame.act(Command::OpenChanged(vec![path], OpenChange::NoValidation));
    stage.until("it opens", |frame| !frame.state.programs.is_empty());
    stage.settle();
    let program = stage.frame.state.program().expect("open");
    assert!(program.options.no_validate && stage.frame.state.failure.is_none());
    assert!(program.analysis.report.findings.iter().any(|finding| finding.code == "L006"));
    // The switch of the options puts it before the validator again.
    let options = Options { no_validate: false, ..program.options.clone() };
    stage.frame.act(Command::SetOptions(Box::new(options)));
    stage.until("it is refused", |frame| frame.state.program().is_some_and(|program| program.stale.is_some()));
}
