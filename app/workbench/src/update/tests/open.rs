//! Files, programs, samples.

use lanescope_core::options::Options;
use lanescope_core::target::Target;
use lanescope_inspector::command::{OpenChange, Purpose};

use super::super::effects::Dialog;
use super::*;
use crate::state::Page;
use crate::state::overlay::Overlay;
use lanescope_host::session::Remembered;
use lanescope_inspector::view::ViewId;

#[test]
pub fn asks_for_files_or_a_path() {
    let mut bench = Bench::new();
    bench.run(Command::Open);
    assert!(bench.is_busy(&Tag::Dialog));
    assert!(bench.had(|effect| matches!(effect, Effect::Dialog(Dialog::Files(Purpose::Open, None)))));
    bench.run(Command::OpenPath);
    assert!(matches!(&bench.state.overlay, Overlay::Path(question) if question.purpose == Purpose::Open));
}

#[test]
pub fn opens_files_once() {
    let mut bench = Bench::new();
    let path = bench.file("lit.frag", FRAGMENT);
    for _ in 0..2 {
        bench.run(Command::OpenFiles(vec![path.clone()]));
    }
    bench.settle();
    assert_eq!((bench.state.programs.len(), bench.state.page), (1, Page::Program));
    assert!(bench.had(|effect| matches!(effect, Effect::Title(title) if title == "lit.frag - Lanescope")));
    let broken = bench.file("bad.frag", "#version 450\nvoid main() { x; }\n");
    bench.open(&[&broken]);
    let failure = bench.state.failure.as_ref().expect("the page of the failure");
    assert!(failure.paths == [broken] && bench.state.programs.len() == 1);
}

#[test]
pub fn opens_with_an_entry_point_or_without_validation() {
    let mut bench = Bench::new();
    let path = bench.file("lit.frag", FRAGMENT);
    bench.run(Command::OpenChanged(vec![path.clone()], OpenChange::NoValidation));
    bench.settle();
    assert!(bench.program().options.no_validate);
    bench.run(Command::CloseProgram);
    let validator = |path: Option<&str>| OpenChange::Validator(path.map(str::to_owned));
    bench.run(Command::OpenChanged(vec![path.clone()], validator(Some("/nowhere/spirv-val"))));
    bench.settle();
    let failure = bench.state.failure.as_ref().map(|page| &page.failure).expect("there is no such validator");
    assert!(failure.validator && !failure.invalid && failure.message.contains("no such file"), "{failure}");
    bench.run(Command::OpenChanged(vec![path.clone()], validator(None)));
    bench.settle();
    assert!(bench.state.failure.is_none() && bench.program().options.validator.is_none());
    bench.run(Command::CloseProgram);
    bench.run(Command::OpenChanged(vec![path], OpenChange::Entry("other".to_owned())));
    bench.settle();
    assert!(bench.state.failure.is_some(), "it has no such entry point");
}

#[test]
pub fn options_of_sources_open_what_failed_and_stay() {
    let mut bench = Bench::new();
    let path = bench.file("lit.frag", &FRAGMENT.replace("1.0", "LEVEL"));
    bench.open(&[&path]);
    let page = bench.state.failure.clone().expect("LEVEL is missing");
    assert!(page.conversion.is_default());
    let conversion = |text: &str| {
        let conversion = lanescope_core::options::Conversion { defines: vec![text.to_owned()], ..Default::default() };
        OpenChange::Sources(Box::new(conversion))
    };
    bench.run(Command::OpenChanged(vec![path.clone()], conversion("LEVLE=1.0")));
    bench.settle();
    let page = bench.state.failure.as_ref().expect("it is another macro");
    assert_eq!(page.conversion.defines, ["LEVLE=1.0"]);
    // Trying again keeps it.
    bench.run(Command::OpenFiles(vec![path.clone()]));
    bench.settle();
    assert_eq!(bench.state.failure.as_ref().map(|page| page.conversion.defines.len()), Some(1));
    bench.run(Command::OpenChanged(vec![path.clone()], conversion("LEVEL=1.0")));
    bench.settle();
    assert!(bench.state.failure.is_none());
    assert_eq!(bench.program().options.dxil.defines, ["LEVEL=1.0"]);
    // Of an open program it is a change of its options.
    bench.run(Command::OpenChanged(vec![path], conversion("LEVEL=0.5")));
    bench.settle();
    assert_eq!(bench.program().options.dxil.defines, ["LEVEL=0.5"]);
    bench.run(Command::Undo);
    bench.settle();
    assert_eq!(bench.program().options.dxil.defines, ["LEVEL=1.0"]);
}

#[test]
pub fn chooses_groups_of_a_state_object_database() {
    let mut bench = Bench::new();
    let path = sample("pipelines.sodb");
    bench.run(Command::OpenFiles(vec![path.clone()]));
    bench.until("it asks", |state| matches!(state.overlay, Overlay::Pipelines(_)));
    bench.run(Command::ChooseListed(1));
    bench.settle();
    assert_eq!(bench.program().options.pipeline.as_deref(), Some("prefix sum"));
    assert_eq!(bench.program().title(), "pipelines.sodb@prefix sum");
    // The key may be part of the path.
    let named = path.with_file_name("pipelines.sodb@quadtree");
    bench.run(Command::OpenFiles(vec![named]));
    bench.settle();
    assert!(bench.program().analysis.report.graph.is_some());
    assert!(!bench.program().options.overrides.is_default());
    assert_eq!(bench.program().watched().next(), Some(path));
    bench.run(Command::ChoosePipeline);
    bench.until("it asks", |state| matches!(state.overlay, Overlay::Pipelines(_)));
}

#[test]
pub fn chooses_pipelines_of_a_database() {
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    bench.run(Command::ChoosePipeline);
    assert_eq!(bench.message(), "Not loaded from a Fossilize or state object database.");
    let path = sample("effects.foz");
    bench.run(Command::OpenFiles(vec![path.clone()]));
    bench.until("it asks", |state| matches!(state.overlay, Overlay::Pipelines(_)));
    bench.run(Command::ChooseListed(0));
    assert!(matches!(bench.state.overlay, Overlay::None));
    bench.until("it opens", |state| state.programs.len() == 2);
    let first = bench.program().options.pipeline.clone().expect("a pipeline");
    bench.run(Command::ChoosePipeline);
    bench.until("it asks again", |state| matches!(state.overlay, Overlay::Pipelines(_)));
    bench.run(Command::CloseOverlay);
    bench.run(Command::ShowPipeline("58dd3e41aad4d928".to_owned()));
    bench.until("it is shown", |state| state.program().is_some_and(|it| it.options.pipeline.as_ref() != Some(&first)));
    bench.run(Command::OpenPipeline(bench.program().paths.clone(), first.clone()));
    bench.until("it is shown", |state| state.program().is_some_and(|it| it.options.pipeline.as_ref() == Some(&first)));
    assert_eq!(bench.state.programs.len(), 2, "one pipeline replaces another");
}

#[test]
fn chooses_pipelines_of_a_workspace_file() {
    let mut bench = Bench::new();
    let sized = "#version 450\nlayout(local_size_x = SIZE) in;\nvoid main() {}\n";
    bench.file("sized.glsl", sized);
    let pipeline = |name: &str, size: u32| {
        format!(
            "[[pipeline]]\nname = \"{name}\"\nfiles = [\"../sized.glsl\"]\nstage = \"comp\"\ndefines = [\"SIZE={size}\"]\n"
        )
    };
    let text = format!("target = \"gfx1100\"\n{}{}", pipeline("four", 4), pipeline("eight", 8));
    // It is neither beside the files nor above them.
    std::fs::create_dir(bench.folder.path().join("project")).expect("writable");
    let manifest = bench.file("project/lanescope.toml", &text);
    bench.run(Command::OpenFiles(vec![manifest]));
    bench.until("it asks", |state| matches!(state.overlay, Overlay::Pipelines(_)));
    let Overlay::Pipelines(list) = &bench.state.overlay else { panic!("a list") };
    assert_eq!(list.rows.row(1), Some(("eight".to_owned(), "sized.glsl".to_owned())));
    assert_eq!((list.rows.matching("FOUR"), list.rows.matching("sized").len()), (vec![0], 2));
    bench.run(Command::ChooseListed(1));
    bench.settle();
    let size = |bench: &Bench| bench.program().analysis.report.workgroup[0].size;
    assert_eq!((bench.program().options.pipeline.as_deref(), size(&bench)), (Some("eight"), [8, 1, 1]));
    assert_eq!(bench.program().options.target, Target::Gfx1100);
    // What is changed here is kept when the files are read again, with all else that the workspace file says.
    let options = bench.program().options.clone();
    bench.run(Command::SetOptions(Box::new(Options { target: Target::Gfx1030, ..options })));
    bench.run(Command::Reload);
    bench.settle();
    assert_eq!((bench.program().options.target, size(&bench)), (Target::Gfx1030, [8, 1, 1]));
    // A shader by its name has what its first pipeline says.
    let mut bench = Bench::new();
    let path = bench.file("sized.glsl", sized);
    bench.file("lanescope.toml", &text.replace("../", ""));
    bench.open(&[&path]);
    assert_eq!(size(&bench), [4, 1, 1]);
    // A wrong file is an error: with other settings the answer would be another one.
    let mut bench = Bench::new();
    let path = bench.file("a.frag", FRAGMENT);
    bench.file("lanescope.toml", "targets = 1\n");
    bench.open(&[&path]);
    let failure = bench.state.failure.as_ref().map(|page| format!("{page:?}")).unwrap_or_default();
    assert!(failure.contains("lanescope.toml:1:1: unknown field `targets`"), "{failure}");
}

#[test]
pub fn prefers_sources_of_a_folder() {
    let mut bench = Bench::new();
    let folder = bench.folder.path().join("shaders");
    std::fs::create_dir(&folder).expect("writable");
    std::fs::write(folder.join("one.comp"), COMPUTE).expect("writable");
    std::fs::write(folder.join("one.comp.spv"), "").expect("writable");
    bench.run(Command::OpenFiles(vec![folder]));
    bench.until("it asks", |state| matches!(state.overlay, Overlay::Pipelines(_)));
    let first = |state: &State| match &state.overlay {
        Overlay::Pipelines(list) => list.rows.row(0).map(|(text, _)| text),
        _ => None,
    };
    assert_eq!(first(&bench.state).as_deref(), Some("one.comp.spv"));
    bench.run(Command::PreferSource(true));
    assert_eq!(first(&bench.state).as_deref(), Some("one.comp"));
    bench.run(Command::ChooseListed(0));
    bench.until("it opens", |state| state.programs.len() == 1);
}

#[test]
pub fn closes_a_program_that_is_not_shown() {
    let mut bench = Bench::new();
    let paths: Vec<PathBuf> = ["a.frag", "b.frag", "c.frag"].map(|name| bench.file(name, FRAGMENT)).into();
    paths.iter().for_each(|path| bench.open(&[path]));
    bench.run(Command::ShowProgram(1));
    bench.run(Command::CloseProgramAt(0));
    let shown = |state: &State| state.program().map(|program| program.paths.clone());
    assert_eq!((bench.state.programs.len(), shown(&bench.state)), (2, Some(vec![paths[1].clone()])), "it stays");
    bench.run(Command::CloseProgramAt(0));
    assert_eq!(shown(&bench.state), Some(vec![paths[2].clone()]));
    bench.run(Command::CloseProgramAt(7));
    assert_eq!(bench.state.programs.len(), 1);
}

#[test]
pub fn reads_the_samples() {
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    bench.run(Command::Samples);
    assert!(bench.state.page == Page::Gallery && bench.is_busy(&Tag::Samples));
    bench.until("there are cards", |state| !state.samples.cards.is_empty());
    bench.run(Command::CancelWork);
}

#[test]
pub fn reopens_the_last_session() {
    let mut bench = Bench::new();
    let open: Vec<Remembered> = ["a.frag", "b.frag"]
        .map(|name| Remembered { paths: vec![bench.file(name, FRAGMENT)], ..Remembered::default() })
        .into();
    let mut again = Bench::with(Session { open, active: 1, ..Session::default() });
    again.run(Command::Reopen);
    again.until("both are open", |state| state.programs.len() == 2);
    assert_eq!(again.state.active, 1);
    bench.run(Command::Reopen);
    assert!(bench.state.opening.is_empty(), "it has none");
}

#[test]
pub fn reloads_files() {
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    let before = bench.program().revision;
    bench.file("lit.frag", "#version 450\nbroken");
    bench.run(Command::Reload);
    bench.until("the break is seen", |state| state.program().is_some_and(|program| program.stale.is_some()));
    assert_eq!(bench.program().revision, before, "what was shown stays");
    bench.file("lit.frag", FRAGMENT);
    bench.run(Command::Reload);
    bench.until("it loads again", |state| state.program().is_some_and(|program| program.stale.is_none()));
}

#[test]
pub fn closes_programs_and_failures() {
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    let id = bench.program().id;
    for leave in [Command::LeaveFailure, Command::CloseProgram] {
        let broken = bench.file("bad.frag", "#version 450\nvoid main() { x; }\n");
        bench.open(&[&broken]);
        assert!(bench.state.failure.is_some());
        bench.run(leave);
        assert!(bench.state.failure.is_none() && bench.state.programs.len() == 1, "the program stays");
    }
    bench.run(Command::CloseProgram);
    assert!(bench.state.programs.is_empty() && bench.state.page == Page::Gallery);
    assert!(bench.had(|effect| matches!(effect, Effect::Forget(closed) if *closed == id)));
    assert_eq!(bench.state.session.recent.len(), 1);
}

#[test]
pub fn switches_programs() {
    let mut bench = Bench::opened("a.frag", FRAGMENT);
    let other = bench.file("b.comp", COMPUTE);
    bench.open(&[&other]);
    assert_eq!(bench.state.active, 1);
    assert!(bench.state.tabs.shows(ViewId::Workgroup), "a tab that has something to show for it");
    bench.run(Command::NextProgram);
    assert_eq!(bench.state.active, 0);
    bench.run(Command::PreviousProgram);
    assert_eq!(bench.state.active, 1);
    bench.run(Command::ShowProgram(0));
    assert!(bench.state.active == 0 && bench.state.tabs.shows(ViewId::Packing));
    bench.run(Command::ShowProgram(7));
    assert_eq!(bench.state.active, 0);
}

#[test]
fn starts_with_files_or_the_gallery() {
    let mut bench = Bench::new();
    let effects = start(&mut bench.state, Vec::new(), Vec::new());
    bench.services.carry_out(effects);
    assert!(bench.state.page == Page::Gallery && bench.is_busy(&Tag::Samples));
    let path = bench.file("a.frag", FRAGMENT);
    let effects = start(&mut bench.state, vec![path.clone()], vec![path]);
    bench.services.carry_out(effects);
    assert_eq!(bench.message(), "A program cannot be compared with itself.");
    bench.run(Command::CancelWork);
}

#[test]
pub fn opens_an_amd_code_object_as_a_program_of_its_kind() {
    let mut bench = Bench::new();
    let bytes = std::fs::read(sample("code_objects/fill.elf")).expect("a sample");
    // By its content, under any name.
    let path = bench.folder.path().join("dump.bin");
    std::fs::write(&path, &bytes).expect("writable");
    bench.open(&[&path]);
    let program = bench.program();
    assert!(program.frozen && program.analysis.object.as_ref().is_some_and(|open| open.object.pipelines.len() == 1));
    let titles: Vec<&str> = program.texts.iter().map(|text| text.title.as_str()).collect();
    assert_eq!(titles, ["Disassembly", "Metadata, note 1"]);
    assert!(program.texts[1].text.contains(".user_data_reg_map: [0x10000000, 0, 1, 2"), "{}", program.texts[1].text);
    assert!(bench.state.tabs.shows(ViewId::CodeObject) && !bench.state.tabs.shows(ViewId::Packing));
    bench.run(Command::Compile);
    assert_eq!(bench.message(), "A code object contains no shaders: it cannot be compiled.");
    // Written again with damage: shown as far as it can be read, with the findings.
    std::fs::write(&path, &bytes[..1000]).expect("writable");
    bench.run(Command::Reload);
    bench.settle();
    assert!(bench.program().analysis.report.has_errors());
    std::fs::write(&path, &bytes[..30]).expect("writable");
    bench.run(Command::Reload);
    bench.settle();
    assert!(bench.program().stale.as_ref().is_some_and(|why| why.message.contains("ELF header is damaged")));
}
