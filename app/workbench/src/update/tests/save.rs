//! Saving, and the clipboard.

use lanescope_core::dxil::container::DigestState;
use lanescope_core::dxil::{Dxil, Signature};
use lanescope_core::gpu::interpret;
use lanescope_core::run::Blob;
use lanescope_inspector::command::{Drawing, Output, OutputFile, PictureFile, Purpose};
use lanescope_inspector::settings::RunSettings;
use lanescope_inspector::tasks::{Rewriting, Work};

use super::super::effects::Dialog;
use super::super::take;
use super::*;
use crate::outcome::{Outcome, Picked};
use crate::state::overlay::Overlay;
use crate::state::saving::Pending;
use lanescope_host::jobs::News;
use lanescope_inspector::view::ViewId;

/// A picture of one byte.
struct Dot;

impl Drawing for Dot {
    fn encode(&self, extension: &str) -> Option<Result<Vec<u8>, String>> {
        (extension == "svg").then(|| Ok(vec![7]))
    }
}

fn save_dialog(effects: &mut Bench) -> Option<String> {
    let effects = std::mem::take(&mut effects.left);
    effects.into_iter().find_map(|effect| match effect {
        Effect::Dialog(Dialog::Save(name)) => Some(name),
        Effect::Dialog(Dialog::Folder) => Some(String::new()),
        _ => None,
    })
}

#[test]
pub fn copies_text() {
    let mut bench = Bench::new();
    bench.run(Command::Copy("a\nb".to_owned()));
    assert_eq!(bench.message(), "Copied 2 lines.");
    assert!(bench.had(|effect| matches!(effect, Effect::Copy(text) if text == "a\nb")));
}

#[test]
pub fn asks_where_to_save() {
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    bench.run(Command::SavePicture { picture: PictureFile::new(Dot), name: "packing" });
    assert_eq!(save_dialog(&mut bench).as_deref(), Some("lit-packing.svg"));
    bench.run(Command::SaveText { text: "1".to_owned(), name: "statistics.csv".to_owned() });
    assert_eq!(bench.message(), "Another file dialog is already open.");
    // Without a system dialog, the path is typed.
    let effects = take(&mut bench.state, &Tag::Dialog, News::Done(Outcome::PickedSave(Picked::Unavailable)));
    bench.services.carry_out(effects);
    assert!(matches!(&bench.state.overlay, Overlay::Path(question) if question.text.contains("lit-packing.svg")));
    let path = bench.folder.path().join("picture.svg");
    bench.run(Command::TakePaths(Purpose::Save, vec![path.clone()]));
    bench.state.running.refresh(bench.services.jobs.statuses());
    bench.settle();
    assert_eq!(std::fs::read(path).ok(), Some(vec![7]));
    bench.run(Command::SaveText { text: "1".to_owned(), name: "statistics.csv".to_owned() });
    assert_eq!(save_dialog(&mut bench).as_deref(), Some("lit-statistics.csv"));
}

#[test]
pub fn writes_a_program_as_a_script() {
    let shader = "#version 450\nlayout(local_size_x = 4) in;\nlayout(set = 0, binding = 0) buffer B { uint n[4]; };\n\
                  void main() { n[gl_LocalInvocationIndex] += 1; }\n";
    let mut bench = Bench::opened("add.comp", shader);
    bench.state.settings.run.device = Some(interpret::NAME.to_owned());
    bench.run(Command::ExportScript);
    assert!(bench.is_busy(&Tag::ExportScript));
    bench.until("it is written", |state| state.pending.is_some());
    let said = bench.message();
    assert!(said.starts_with("add.amber: 1 check of what the interpreter computes"), "{said}");
    assert_eq!(save_dialog(&mut bench).as_deref(), Some("add.amber"));
    let Some(Pending::File(text, _)) = &bench.state.pending else { panic!("a file waits") };
    let text = String::from_utf8_lossy(text);
    assert!(text.starts_with("#!amber\n") && text.contains("\nEXPECT "), "{text}");

    // What a script cannot state is said, and no place is asked for.
    let mut bench = Bench::graph();
    bench.run(Command::ExportScript);
    bench.until("it is refused", |state| !state.running.is_busy(&Tag::ExportScript));
    assert_eq!(bench.message(), "an Amber script cannot be written: a work graph");
    assert_eq!(save_dialog(&mut bench), None);
}

#[test]
pub fn signs_containers() {
    let mut bench = Bench::new();
    bench.open(&[&sample("dxil/lit_surface.ps.dxil")]);
    bench.run(Command::Sign(Some(Signature::Bypass)));
    bench.until("it is signed", |state| state.pending.is_some());
    assert!(bench.message().starts_with("lit_surface.ps-signed.dxil: "), "{}", bench.message());
    assert_eq!(save_dialog(&mut bench).as_deref(), Some("lit_surface.ps-signed.dxil"));
    let Some(Pending::File(bytes, _)) = &bench.state.pending else { panic!("a file waits") };
    let dxil = Dxil::read(bytes.clone()).expect("is a container");
    assert_eq!(dxil.container.digest.state, DigestState::Bypass);
    bench.state.pending = None;

    // A hash would say that a preview is final.
    bench.open(&[&sample("dxil/experimental_ops.cs.dxil")]);
    bench.run(Command::Sign(Some(Signature::Retail)));
    bench.until("it is refused", |state| !state.running.is_busy(&Tag::Sign));
    assert!(bench.message().contains("not"), "{}", bench.message());
    assert_eq!(save_dialog(&mut bench), None);

    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    bench.run(Command::Sign(None));
    assert_eq!(bench.message(), "The program has no DXIL container.");
}

#[test]
pub fn rewrites_before_it_saves() {
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    bench.run(Command::SaveRewritten);
    assert_eq!(bench.message(), "The modules are being rewritten. Save them when that is done.");
    assert!(
        bench.is_busy(&Tag::Task(Work::Rewrite, Some(bench.program().id))) && bench.state.tabs.shows(ViewId::Rewritten)
    );
    bench.run(Command::CancelWork);
    let program = bench.state.program_mut().expect("a program");
    let nothing = Rewriting { modules: Vec::new(), packing: Vec::new(), workgroup: Vec::new(), unchanged: Vec::new() };
    program.results.rewriting.take(program.revision, RunSettings::DEFAULT, Ok(nothing));
    program.rewritten_files = vec![("map.json".to_owned(), Blob(vec![1]))];
    bench.run(Command::SaveRewritten);
    assert_eq!(save_dialog(&mut bench).as_deref(), Some(""), "asks for a folder");
    assert!(matches!(&bench.state.pending, Some(Pending::Files(files)) if files.len() == 1));
}

#[test]
pub fn saves_results_that_exist() {
    let mut bench = Bench::graph();
    let output = Output { name: "color0".to_owned(), what: OutputFile::Png, rewritten: false, plane: 0 };
    bench.run(Command::SaveOutput(output));
    bench.run(Command::SaveGraphRun);
    assert_eq!(save_dialog(&mut bench), None, "nothing ran");
    let program = bench.state.program_mut().expect("a program");
    let run = lanescope_fuzz::graph_run(program.analysis.report.graph.as_ref().expect("a graph"));
    program.results.graph.take(program.graph_revision, RunSettings::DEFAULT, Ok(run));
    bench.run(Command::SaveGraphRun);
    assert_eq!(save_dialog(&mut bench).as_deref(), Some("01_tile_classify.lanescope-run"));
}

#[test]
pub fn replaces_only_if_confirmed() {
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    let path = bench.file("table.csv", "mine");
    for (yes, expected) in [(false, "mine"), (true, "new")] {
        bench.state.pending = Some(Pending::File(b"new".to_vec(), String::new()));
        bench.run(Command::TakePaths(Purpose::Save, vec![path.clone()]));
        bench.until("it asks", |state| matches!(state.overlay, Overlay::Replace(_)));
        bench.run(Command::Replace(yes));
        bench.settle();
        assert_eq!(std::fs::read_to_string(&path).expect("exists"), expected);
        assert!(matches!(bench.state.overlay, Overlay::None) && bench.state.pending.is_none());
    }
    bench.run(Command::Replace(true));
    assert!(bench.state.running.is_empty(), "nothing is asked");
}

#[test]
pub fn takes_typed_paths() {
    let mut bench = Bench::new();
    let path = bench.file("lit.frag", FRAGMENT);
    bench.run(Command::OpenPath);
    bench.run(Command::TakePaths(Purpose::Open, vec![path]));
    assert!(matches!(bench.state.overlay, Overlay::None), "the line closes");
    bench.until("it opens", |state| state.programs.len() == 1);
    bench.state.pending = Some(Pending::File(Vec::new(), String::new()));
    bench.run(Command::TakePaths(Purpose::SaveFolder, Vec::new()));
    assert!(bench.state.pending.is_none(), "no path cancels the save");
}
