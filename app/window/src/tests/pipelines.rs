//! Descriptions of pipelines in the window: opened, chosen from a list, reloaded, kept.

use super::*;
use lanescope_core::options::WaveChoice;

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name)
}

fn typed(text: &str) -> Vec<Event> {
    vec![Event::Text(text.to_owned())]
}

#[test]
fn opens_a_pipeline_file_with_its_options() {
    let mut stage = Stage::new(Session::default());
    stage.open(&[&sample("tiled_blur.pipe")]);
    let program = stage.frame.state.program().expect("opens");
    assert!(program.options.reconfig && program.options.force_swizzle);
    assert_eq!(program.options.wave, WaveChoice::Wave64);
    let titles: Vec<_> = program.texts.iter().map(|text| text.title.as_str()).collect();
    assert_eq!(titles, ["compute of tiled_blur.pipe", "compute of tiled_blur.pipe (SPIR-V)"]);
    // What the user changes stays so, and goes back to the description.
    let mut options = program.options.clone();
    options.reconfig = false;
    stage.frame.act(Command::SetOptions(Box::new(options)));
    stage.settle();
    stage.frame.act(Command::Reload);
    stage.settle();
    assert!(!stage.frame.state.program().expect("open").analysis.report.options.reconfig);
    stage.frame.act(Command::ResetOptions);
    stage.settle();
    assert!(stage.frame.state.program().expect("open").analysis.report.options.reconfig);
}

/// The texts of a frame.
fn written(output: &egui::FullOutput) -> Vec<String> {
    fn walk(shape: &egui::Shape, out: &mut Vec<String>) {
        match shape {
            egui::Shape::Text(text) => out.push(text.galley.text().to_owned()),
            egui::Shape::Vec(all) => all.iter().for_each(|shape| walk(shape, out)),
            _ => {}
        }
    }
    let mut out = Vec::new();
    output.shapes.iter().for_each(|clipped| walk(&clipped.shape, &mut out));
    out
}

#[test]
fn asks_which_pipeline_of_a_database() {
    let mut stage = Stage::new(Session::default());
    let path = sample("effects.foz");
    stage.frame.act(Command::OpenFiles(vec![path.clone()]));
    stage.until("it asks", |frame| matches!(frame.state.overlay, Overlay::Pipelines(_)));
    assert!(stage.frame.state.programs.is_empty() && stage.frame.state.failure.is_none());
    let written = written(&stage.output(Vec::new()));
    assert!(written.iter().any(|text| text == "Choose a pipeline of effects.foz"), "{written:?}");
    assert!(!written.iter().any(|text| text.contains("Loading")), "nothing loads until one is chosen");
    stage.draw(typed("compute"));
    stage.press(Modifiers::NONE, Key::ArrowDown);
    stage.press(Modifiers::NONE, Key::Enter);
    stage.until("it opens", |frame| !frame.state.programs.is_empty());
    stage.settle();
    let program = stage.frame.state.program().expect("open");
    let first = program.options.pipeline.clone().expect("chosen");
    assert_eq!(program.program.stages[0].stage.name(), "compute");
    assert!(program.title().starts_with("effects.foz@"), "{}", program.title());
    // Another one takes its place, without what was asked of this one.
    stage.frame.act(Command::SideBySide);
    stage.settle();
    stage.frame.act(Command::ChoosePipeline);
    stage.until("it asks", |frame| matches!(frame.state.overlay, Overlay::Pipelines(_)));
    stage.draw(typed("fragment"));
    stage.press(Modifiers::NONE, Key::Enter);
    stage.until("it loads", |frame| frame.state.program().is_some_and(|p| p.program.stages.len() == 2));
    stage.settle();
    let program = stage.frame.state.program().expect("open");
    assert_eq!(stage.frame.state.programs.len(), 1);
    assert_ne!(program.options.pipeline, Some(first));
    let report = &program.analysis.report;
    assert_eq!((&program.other, program.analysis.other.as_ref().map(|_| ())), (&None, None));
    assert_eq!(report.options, program.options);
    assert!(report.pipeline.is_some() && report.packing.is_some());
    let second = program.options.pipeline.clone();
    // The session knows which one it was.
    let session = stage.frame.state.session_now().clone();
    assert_eq!(session.open[0].options.pipeline, second);
    // No option leaves the pipeline.
    stage.frame.act(Command::SetOptions(Box::default()));
    stage.settle();
    assert_eq!(stage.frame.state.program().expect("open").options.pipeline, second);
    assert!(stage.frame.state.program().expect("open").stale.is_none());
}

#[test]
fn a_folder_lists_its_pipelines() {
    let mut stage = Stage::new(Session::default());
    let inner = stage.folder.path().join("inner");
    std::fs::create_dir(&inner).expect("writable");
    for name in ["lit_surface.vert", "lit_surface.frag", "lighting.glsl"] {
        std::fs::copy(sample(name), inner.join(name)).expect("copies");
    }
    std::fs::write(stage.folder.path().join("one.comp"), "#version 460\nvoid main() {}\n").expect("writes");
    std::fs::write(stage.folder.path().join("one.comp.spv"), "").expect("writes");
    stage.frame.act(Command::OpenFiles(vec![stage.folder.path().to_owned()]));
    stage.until("it asks", |frame| matches!(frame.state.overlay, Overlay::Pipelines(_)));
    assert!(stage.frame.state.programs.is_empty() && stage.frame.state.failure.is_none());
    let texts = written(&stage.output(Vec::new()));
    for expected in ["inner/lit_surface.vert + lit_surface.frag", "one.comp.spv", "2 pipelines", "Prefer source"] {
        assert!(texts.iter().any(|text| text == expected), "{expected}: {texts:?}");
    }
    stage.draw(typed("LIT_"));
    stage.press(Modifiers::NONE, Key::Enter);
    stage.until("it opens", |frame| !frame.state.programs.is_empty());
    stage.settle();
    assert_eq!(stage.frame.state.program().expect("open").title(), "lit_surface.vert + lit_surface.frag");
    assert!(stage.frame.state.program().expect("open").analysis.report.packing.is_some());
}

#[test]
fn reports_a_folder_without_shaders() {
    let mut stage = Stage::new(Session::default());
    stage.frame.act(Command::OpenFiles(vec![stage.folder.path().to_owned()]));
    stage.until("it is reported", |frame| frame.state.failure.is_some());
    let failure = stage.frame.state.failure.as_ref().expect("told").failure.to_string();
    assert!(failure.contains("no shader or pipeline found"), "{failure}");
}

#[test]
fn choosing_nothing_changes_nothing() {
    let mut stage = Stage::new(Session::default());
    stage.frame.act(Command::OpenFiles(vec![sample("effects.foz")]));
    stage.until("it asks", |frame| matches!(frame.state.overlay, Overlay::Pipelines(_)));
    stage.draw(Vec::new());
    stage.press(Modifiers::NONE, Key::Escape);
    stage.settle();
    assert!(matches!(stage.frame.state.overlay, Overlay::None));
    assert!(stage.frame.state.programs.is_empty() && stage.frame.state.page == Page::Gallery);
}

#[test]
fn reloads_a_changed_database() {
    let mut stage = Stage::new(Session::default());
    let path = stage.folder.path().join("one.foz");
    std::fs::copy(sample("tiled_blur.foz"), &path).expect("copies");
    stage.open(&[&path]);
    stage.settle();
    let before = stage.revision();
    assert!(stage.frame.state.program().expect("open").watched().any(|watched| watched == path));
    let bytes = std::fs::read(&path).expect("reads");
    std::fs::write(&path, &bytes[..bytes.len() - 3]).expect("writes");
    stage.frame.act(Command::Reload);
    stage.until("it is reported", |frame| frame.state.program().is_some_and(|program| program.stale.is_some()));
    assert_eq!(stage.revision(), before, "what was shown stays");
    std::fs::write(&path, &bytes).expect("writes");
    stage.frame.act(Command::Reload);
    stage.until("it is whole again", |frame| frame.state.program().is_some_and(|program| program.stale.is_none()));
}
