//! Amber scripts in the window: the whole script runs, and each of its checks has a row.

use lanescope_inspector::devices::INTERPRETER;
use lanescope_inspector::settings::RunSettings;

use super::*;

/// One check that passes, one that fails.
pub const SCRIPT: &str = "#!amber
SHADER compute add GLSL
#version 450
layout(set = 0, binding = 0) buffer Numbers { uint number[]; };
void main() { number[gl_GlobalInvocationID.x] += 10; }
END
BUFFER numbers DATA_TYPE uint32 SIZE 4 SERIES_FROM 1 INC_BY 1
PIPELINE compute plain
  ATTACH add
  BIND BUFFER numbers AS storage DESCRIPTOR_SET 0 BINDING 0
END
RUN plain 4 1 1
EXPECT numbers IDX 0 EQ 11 12 13 14
EXPECT numbers IDX 4 EQ 12 99
";

/// The texts of a frame.
fn written(stage: &mut Stage) -> String {
    fn walk(shape: &egui::Shape, out: &mut Vec<String>) {
        match shape {
            egui::Shape::Text(text) => out.push(text.galley.text().to_owned()),
            egui::Shape::Vec(all) => all.iter().for_each(|shape| walk(shape, out)),
            _ => {}
        }
    }
    let mut out = Vec::new();
    stage.output(Vec::new()).shapes.iter().for_each(|clipped| walk(&clipped.shape, &mut out));
    out.join("\n")
}

fn ran(text: &str) -> Stage {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("numbers.amber", text);
    stage.open(&[&path]);
    let device = Some(INTERPRETER.to_owned());
    stage.frame.act(Command::SetRunSettings(RunSettings { device, ..RunSettings::DEFAULT }));
    stage.frame.act(Command::Run);
    stage.until("it ran", |frame| frame.state.program().is_some_and(|it| it.results.script.answer.is_some()));
    stage.settle();
    stage
}

#[test]
fn a_run_shows_what_each_check_expects_and_finds() {
    let mut stage = ran(SCRIPT);
    let program = stage.frame.state.program().expect("a program");
    assert!(!program.results.run.underway && program.results.run.answer.is_none());
    let script = program.results.script.done().expect("it ran");
    assert_eq!((script.run.runs, script.run.checks, script.run.failures.len()), (1, 2, 1));
    let text = written(&mut stage);
    for expected in [
        "× 1 of 2 checks failed",
        "EXPECT numbers IDX 0 EQ",
        "11 12 13 14",
        "passed",
        "×",
        "99",
        "failed at byte 8, number 1",
    ] {
        assert!(text.lines().any(|line| line == expected), "{expected}: {text}");
    }
    let order: Vec<usize> = ["passed", "failed at"].iter().filter_map(|row| text.find(row)).collect();
    assert!(order[0] < order[1], "in the order of the script: {text}");
    // Where the file has changed, that is said.
    let path = stage.file("numbers.amber", &SCRIPT.replace("12 99", "12 13"));
    stage.frame.act(Command::Reload);
    stage.settle();
    assert!(written(&mut stage).contains("The script or the settings have changed since the run."));
    stage.frame.act(Command::Run);
    stage.until("it passes", |frame| {
        let script = frame.state.program().and_then(|it| it.results.script.done());
        script.is_some_and(|script| script.run.failures.is_empty())
    });
    stage.settle();
    assert!(written(&mut stage).contains("✓ All passed: 2 checks"), "{}", path.display());
}

#[test]
fn of_several_pipelines_the_one_that_runs_first_is_shown() {
    let text = SCRIPT.replace("RUN plain", "DERIVE_PIPELINE other FROM plain\nEND\nRUN other");
    let mut stage = ran(&text);
    let program = stage.frame.state.program().expect("opens");
    assert_eq!(program.options.pipeline.as_deref(), Some("other"));
    assert!(written(&mut stage).contains("× 1 of 2 checks failed"));
    // Another one is chosen by its name, and the script still runs whole.
    stage.frame.act(Command::ShowPipeline("plain".to_owned()));
    stage.settle();
    let program = stage.frame.state.program().expect("opens");
    assert_eq!(program.options.pipeline.as_deref(), Some("plain"));
}

/// The macros and the validation of the shown pipeline are those of the run.
#[test]
fn a_script_runs_with_the_options_that_it_was_opened_with() {
    let macros = "#version 450\n#ifndef STEP\n#define STEP 9\n#endif\n";
    let mut stage = ran(&SCRIPT.replace("#version 450\n", macros).replace("+= 10", "+= STEP"));
    let failed = |frame: &App| {
        let script = frame.state.program().and_then(|it| it.results.script.done());
        script.map(|script| script.run.failures.len())
    };
    assert_eq!(failed(&stage.frame), Some(2));
    let mut options = stage.frame.state.program().expect("opens").options.clone();
    options.dxil.defines = vec!["STEP=10".to_owned()];
    stage.frame.act(Command::SetOptions(Box::new(options)));
    stage.until("it is loaded again", |frame| {
        frame.state.program().is_some_and(|program| !program.analysis.report.options.dxil.defines.is_empty())
    });
    stage.settle();
    stage.frame.act(Command::Run);
    stage.until("it runs with it", |frame| failed(frame) == Some(1));
}

#[test]
fn what_a_script_cannot_run_is_said_with_its_line() {
    let mut stage = ran(&SCRIPT.replace("AS storage", "AS uniform"));
    let text = written(&mut stage);
    assert!(text.contains("× The script did not run to its end"), "{text}");
    let said =
        "numbers.amber:10: BIND BUFFER numbers AS uniform: the shader declares a storage buffer at set 0, binding 0";
    assert!(text.replace('\n', " ").contains(said), "{text}");
}
