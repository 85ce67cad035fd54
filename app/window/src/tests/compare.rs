//! Comparing: with another program, with a report, with the second setting; and reports opened on their own.

use lanescope_core::compare::{Comparison, Part, compare};
use lanescope_core::options::Options;
use lanescope_inspector::comparing::Partner;
use lanescope_inspector::settings::CompileSettings;
use lanescope_inspector::tasks::Work;

use super::*;
use lanescope_inspector::view::ViewId;
use lanescope_workbench::state::comparing::ComparisonNames;

/// What the tab would show.
fn compared(frame: &App) -> Option<(Comparison, [String; 2])> {
    let told = ComparisonNames::new(&frame.state);
    let comparing = told.comparing(&frame.state);
    let [left, right] = comparing.sides?;
    Some((compare(left, right), comparing.names.map(str::to_owned)))
}

fn other(stage: &Stage) -> PathBuf {
    stage.file("old.frag", &FRAGMENT.replace("location = 3", "location = 4"))
}

/// The report of a file, as `inspect --format json` writes it.
fn report(stage: &Stage, path: &Path) -> PathBuf {
    let program = lanescope_core::load::load(&[path.to_owned()], &[]).expect("it loads");
    let report = lanescope_core::analyse(&program, &Options::default()).expect("fits");
    let json = serde_json::to_string(&report).expect("writes");
    stage.file("kept.json", &json)
}

#[test]
fn opens_compared_files_beside_the_shown_program() {
    let mut stage = Stage::new(Session::default());
    let (new, old) = (stage.file("new.frag", FRAGMENT), other(&stage));
    stage.open(&[&new]);
    stage.frame.act(Command::CompareFiles(vec![old.clone()]));
    stage.until("both are open and compared", |frame| compared(frame).is_some());
    assert_eq!(stage.frame.state.program().expect("a program").paths, std::slice::from_ref(&new), "it stays in front");
    assert_eq!(stage.frame.state.tabs.focus(), Some(ViewId::Compare));
    let (found, names) = compared(&stage.frame).expect("compared");
    assert_eq!(names, ["old.frag", "new.frag"], "what it is held against comes first");
    let packing = found.section(Part::Packing).expect("there");
    assert!(!packing.equal && packing.rows.iter().any(|row| row.name == "gloss.x"), "{packing:?}");

    stage.frame.act(Command::SwapCompared);
    assert_eq!(compared(&stage.frame).expect("compared").1, ["new.frag", "old.frag"]);
    stage.frame.act(Command::CloseProgram);
    assert!(compared(&stage.frame).is_none(), "its partner is gone");
    stage.frame.act(Command::CompareFiles(vec![new]));
    stage.settle();
    assert!(compared(&stage.frame).is_none(), "a program is not compared with itself");
}

#[test]
fn compares_requested_files_with_their_own_program_only() {
    let mut stage = Stage::new(Session::default());
    let (new, old) = (stage.file("new.frag", FRAGMENT), other(&stage));
    let between = stage.file("between.frag", FRAGMENT);
    stage.open(&[&new]);
    let asked = stage.frame.state.program().expect("a program").id;
    stage.open(&[&between]);
    stage.frame.act(Command::TakePaths(Purpose::Compare(asked), vec![old.clone()]));
    stage.until("it is compared", |frame| compared(frame).is_some());
    assert_eq!(compared(&stage.frame).expect("compared").1, ["old.frag", "new.frag"]);
    assert_eq!(
        stage.frame.state.program().expect("a program").paths,
        std::slice::from_ref(&new),
        "it comes to the front"
    );

    stage.frame.act(Command::CloseProgram);
    let open = stage.frame.state.programs.len();
    stage.frame.act(Command::TakePaths(Purpose::Compare(asked), vec![new]));
    stage.settle();
    assert_eq!(stage.frame.state.programs.len(), open, "for a program that is closed nothing is opened");
    assert!(stage.frame.state.programs.iter().all(|program| program.against.is_none()));
}

#[test]
fn a_comparison_follows_its_files_and_is_restored() {
    let mut stage = Stage::new(Session::default());
    let (new, old) = (stage.file("new.frag", FRAGMENT), other(&stage));
    stage.frame.begin(vec![new.clone()], vec![old.clone()]);
    stage.until("both are open and compared", |frame| compared(frame).is_some_and(|(found, _)| !found.equal));
    stage.file("old.frag", FRAGMENT);
    stage.until("the change is seen", |frame| compared(frame).is_some_and(|(found, _)| found.equal));
    stage.settle();
    let (session, _) = Store::at(stage.folder.path().join("session.json")).load();
    let kept: Vec<_> = session.open.iter().map(|program| (&program.paths, &program.against)).collect();
    assert!(kept.contains(&(&vec![new], &Some(vec![old]))), "{kept:?}");
    let mut again = Stage::new(session);
    again.frame.act(Command::Reopen);
    again.until("it is compared again", |frame| frame.state.programs.iter().any(|program| program.against.is_some()));
    again.settle();
}

#[test]
fn compares_files_dropped_on_the_tab() {
    let mut stage = Stage::new(Session::default());
    let (new, old) = (stage.file("new.frag", FRAGMENT), other(&stage));
    stage.open(&[&new]);
    stage.frame.act(Command::ShowTab(ViewId::Compare));
    stage.draw(Vec::new());
    stage.drop_file(&old);
    stage.until("it is compared", |frame| compared(frame).is_some());
    assert_eq!(stage.frame.state.program().expect("a program").paths, [new]);
}

#[test]
fn offers_the_second_setting_while_it_exists() {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("lit.frag", FRAGMENT);
    stage.open(&[&path]);
    assert_eq!(ComparisonNames::new(&stage.frame.state).partners, []);
    let mut options = stage.frame.state.program().expect("a program").options.clone();
    options.no_pack = true;
    stage.frame.act(Command::SetOther(Some(Box::new(options))));
    stage.until("both are analysed", |frame| frame.state.program().is_some_and(|p| p.analysis.other.is_some()));
    stage.frame.act(Command::CompareWith(Some(Partner::SecondSetting)));
    let (found, names) = compared(&stage.frame).expect("compared");
    assert_eq!(names, ["first setting", "second setting"]);
    assert_eq!(found.options.len(), 1);
    stage.frame.act(Command::ShowTab(ViewId::Compare));

    // Compilers are asked about both settings without a request, and again when one changes.
    let both = |frame: &App| {
        let made = &frame.state.program().expect("a program").results;
        [&made.compiled, &made.second].map(|asked| asked.answer.as_ref().map(|answer| answer.number))
    };
    stage.until("both are compiled", |frame| both(frame).iter().all(Option::is_some));
    stage.settle();
    let first = both(&stage.frame);
    let isa = |found: &Comparison| found.section(Part::Statistics).map(|section| section.present);
    let (found, _) = compared(&stage.frame).expect("compared");
    assert_eq!(isa(&found), Some([true, true]));
    let row = found.section(Part::Statistics).and_then(|section| section.rows.first()).cloned().expect("a statistic");
    assert_eq!((row.left.as_deref(), row.right.as_deref()), (Some("1"), Some("0")), "slots that are packed");
    let stale = |frame: &App| {
        let told = ComparisonNames::new(&frame.state);
        told.comparing(&frame.state).stale
    };
    assert!(!stale(&stage.frame));
    let mut options = stage.frame.state.program().expect("a program").options.clone();
    options.widen = true;
    stage.frame.act(Command::SetOther(Some(Box::new(options))));
    stage.until("both are compiled again", |frame| both(frame).iter().zip(first).all(|(now, then)| *now > then));
    // Without a new compile, the shown results are marked as outdated.
    let settings = stage.frame.state.settings.compile.clone();
    let settings = CompileSettings { automatic: false, ..settings };
    stage.frame.act(Command::SetCompileSettings(settings));
    let options = stage.frame.state.program().expect("a program").options.clone();
    stage.frame.act(Command::SetOptions(Box::new(Options { no_pack: !options.no_pack, ..options })));
    stage.settle();
    assert!(stale(&stage.frame));
    stage.frame.act(Command::SetOther(None));
    stage.until("one is left", |frame| frame.state.program().is_some_and(|p| p.analysis.other.is_none()));
    assert!(compared(&stage.frame).is_none());
    stage.settle();
}

#[test]
fn opens_a_report_without_running_anything() {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("lit.frag", FRAGMENT);
    let kept = report(&stage, &path);
    stage.open(&[&kept]);
    let program = stage.frame.state.program().expect("a program");
    assert!(program.frozen && program.analysis.report.packing.is_some());
    for tab in 0..stage.frame.views.len() {
        let name = stage.frame.views[tab].info().id;
        stage.frame.act(Command::ShowTab(name));
        stage.settle();
    }
    for command in [Command::Run, Command::Compile, Command::SaveRewritten, Command::SideBySide, Command::Reload] {
        stage.frame.act(command);
        stage.settle();
    }
    stage.frame.act(Command::Begin(Work::Rewrite));
    let mut options = stage.frame.state.program().expect("a program").options.clone();
    options.no_pack = true;
    stage.frame.act(Command::SetOptions(Box::new(options)));
    let message = stage.frame.state.messages.texts().last().map(|text| text.to_string()).unwrap_or_default();
    assert_eq!(message, "A report contains no shaders: its options cannot be changed.");
    stage.settle();
    let program = stage.frame.state.program().expect("a program");
    assert!(!program.analysis.report.options.no_pack && program.other.is_none());

    // And a program is compared with it.
    stage.open(&[&path]);
    stage.frame.act(Command::CompareFiles(vec![kept]));
    stage.until("it is compared", |frame| compared(frame).is_some());
    assert!(compared(&stage.frame).expect("compared").0.equal, "the same file under the same options");
}

#[test]
fn rejects_a_file_that_is_not_a_report() {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("odd.json", "{\"schema\": 1, \"inputs\": 3}");
    stage.open(&[&path]);
    let failure = stage.frame.state.failure.as_ref().expect("the page of the failure");
    assert!(failure.failure.message.contains("not a report"), "{}", failure.failure);
}

/// What the window shows as text.
fn shown(stage: &mut Stage) -> Vec<String> {
    stage.ctx.enable_accesskit();
    stage.draw(Vec::new());
    let output = stage.output(Vec::new());
    let tree = output.platform_output.accesskit_update.expect("it is enabled");
    let texts = tree.nodes.iter().filter_map(|(_, node)| node.value().or(node.label()).map(str::to_owned));
    texts.collect()
}

#[test]
fn the_second_setting_says_where_it_is() {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("group.comp", COMPUTE);
    stage.open(&[&path]);
    stage.settle();
    stage.press(Modifiers::COMMAND, Key::D);
    let messages = stage.frame.state.messages.texts();
    let said = messages.iter().any(|text| {
        *text == "The second setting is in Compare (Ctrl+4), and beside the first one in Workgroup. Its options are Options > \
                 Second."
    });
    assert!(said, "{messages:?}");
    stage.frame.act(Command::Options);
    let texts = shown(&mut stage);
    for text in ["First", "Second", "First setting: shown in every tab."] {
        assert!(texts.iter().any(|shown| shown == text), "{text} in {texts:?}");
    }
    // Its headings name the program and the setting.
    stage.frame.act(Command::SetMode(lanescope_inspector::mode::Mode::Compare));
    stage.frame.act(Command::CompareWith(Some(Partner::SecondSetting)));
    stage.settle();
    let texts = shown(&mut stage);
    for text in ["A  group.comp, first setting", "B  group.comp, second setting"] {
        assert!(texts.iter().any(|shown| shown == text), "{text} in {texts:?}");
    }
    let controls = stage.look();
    let is_switch =
        |control: &&access::Control| control.role == egui::accesskit::Role::CheckBox && control.name == "Force swizzle";
    assert_eq!(controls.values().filter(is_switch).count(), 1, "options are in the panel alone");
}
