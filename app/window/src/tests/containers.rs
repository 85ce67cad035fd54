//! DXIL in the window: how it is converted, and files that fill its buffers.

use std::path::PathBuf;

use lanescope_core::options::{ConversionSwitch, Options, RegisterBindings};
use lanescope_core::run::Place;
use lanescope_inspector::settings::RunSettings;

use super::*;

fn prefix_sum() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/dxil/prefix_sum.cs.dxil")
}

fn opened() -> Stage {
    let mut stage = Stage::new(Session::default());
    stage.open(&[&prefix_sum()]);
    stage.settle();
    stage
}

#[test]
fn another_conversion_reloads_the_files_and_is_saved() {
    let mut stage = opened();
    let places = |frame: &App| -> Vec<String> {
        let report = &frame.state.program().expect("a program").analysis.report;
        report.dxil.iter().flat_map(|dxil| &dxil.bindings).map(|row| row.place()).collect()
    };
    assert_eq!(places(&stage.frame), ["set0.binding0", "set0.binding1"]);
    let mut options = Options::default();
    options.dxil.bindings = RegisterBindings::Registers;
    options.dxil.with.insert(ConversionSwitch::Precise);
    stage.frame.act(Command::SetOther(Some(Box::new(Options::default()))));
    stage.frame.act(Command::SetOptions(Box::new(options.clone())));
    stage.until("it is converted again", |frame| places(frame) == ["set0.binding0", "set0.binding0"]);
    stage.settle();
    let program = stage.frame.state.program().expect("a program");
    assert_eq!(program.analysis.report.options.dxil, options.dxil);
    assert_eq!(program.other.as_ref().map(|other| &other.dxil), Some(&options.dxil), "one program has one conversion");
    let (session, _) = Store::at(stage.folder.path().join("session.json")).load();
    assert_eq!(session.open[0].options.dxil, options.dxil);
    // The panel has its controls, and draws.
    stage.frame.act(Command::Options);
    stage.settle();
    assert!(stage.frame.state.shows_options());
}

#[test]
fn a_file_fills_a_buffer_and_is_saved_with_the_program() {
    let mut stage = opened();
    let numbers: Vec<u8> = (1..=256u32).flat_map(u32::to_le_bytes).collect();
    let path = stage.folder.path().join("numbers.bin");
    std::fs::write(&path, numbers).expect("writable");
    let place = Place::Register('t', 0, 0);
    let inputs = &stage.frame.state.program().expect("a program").inputs;
    let names: Vec<String> = inputs.iter().map(|input| format!("{} {}", input.place, input.kind)).collect();
    assert_eq!(names, ["t0 storage buffer", "u0 storage buffer"]);
    // The dialog's answer may come when another program is shown.
    let id = stage.frame.state.program().expect("a program").id;
    let other = stage.file("other.comp", COMPUTE);
    stage.open(&[&other]);
    stage.frame.act(Command::TakePaths(Purpose::Contents(id, place), vec![path.clone()]));
    assert!(stage.frame.state.program().is_some_and(|program| program.contents.is_empty()));
    stage.frame.act(Command::ShowProgram(0));
    let device = Some("llvmpipe".to_owned());
    stage.frame.act(Command::SetRunSettings(RunSettings { device, zeros: true, ..RunSettings::DEFAULT }));
    stage.frame.act(Command::Run);
    stage.until("it ran", |frame| frame.state.program().is_some_and(|program| program.results.run.answer.is_some()));
    stage.settle();
    let program = stage.frame.state.program().expect("a program");
    let ran = program.results.run.done().unwrap_or_else(|| panic!("{:?}", program.results.run.failed()));
    let buffer = &ran.execution.run.buffers[0];
    assert_eq!(buffer.register.as_deref(), Some("u0"));
    let sums: Vec<u32> =
        ran.execution.contents(&buffer.name).as_chunks::<4>().0.iter().map(|w| u32::from_le_bytes(*w)).collect();
    assert_eq!(sums[..3], [1, 3, 6]);
    let (session, _) = Store::at(stage.folder.path().join("session.json")).load();
    assert_eq!(session.open[0].contents.get(&place), Some(&path));

    // A file that is gone is said, and dropping it helps.
    std::fs::remove_file(&path).expect("is there");
    stage.frame.act(Command::Run);
    stage.until("it says so", |frame| {
        frame.state.program().is_some_and(|program| program.results.run.failed().is_some())
    });
    let why = stage.frame.state.program().expect("a program").results.run.failed().expect("it failed").to_owned();
    assert!(why.contains("numbers.bin: cannot be read"), "{why}");
    stage.frame.act(Command::DropContents(place));
    assert!(stage.frame.state.program().expect("a program").contents.is_empty());
}
