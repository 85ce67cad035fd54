//! Amber scripts in the terminal: the whole script runs, and each of its checks has a row.

use lanescope_inspector::devices::INTERPRETER;
use lanescope_inspector::settings::RunSettings;
use lanescope_inspector::view::ViewId;

use super::*;

const SCRIPT: &str = "#!amber
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

#[test]
fn a_script_runs_whole_and_lists_its_checks() {
    let mut stage = Stage::new(LOOK, LARGE);
    let files = vec![stage.file("numbers.amber", SCRIPT)];
    stage.open(files);
    let device = Some(INTERPRETER.to_owned());
    stage.app.act(Command::SetRunSettings(RunSettings { device, ..RunSettings::DEFAULT }));
    stage.app.act(Command::ShowTab(ViewId::Run));
    stage.draw();
    let before = stage.app.focused().text();
    assert!(before.contains("r runs the script") && !before.contains("workgroups"), "{before}");
    stage.press(KeyCode::Char('r'));
    stage.settle();
    let script = stage.app.state.programs[0].results.script.done().expect("it ran");
    assert_eq!((script.run.checks, script.run.failures.len()), (2, 1));
    stage.draw();
    let text = stage.app.focused().text();
    let line =
        |part: &str| text.lines().position(|line| line.contains(part)).unwrap_or_else(|| panic!("{part}: {text}"));
    let passed = line("EXPECT numbers IDX 0 EQ");
    let failed = line("EXPECT numbers IDX 4 EQ");
    assert!(line("× 1 of 2 checks failed") < passed && passed < failed, "{text}");
    let row = text.lines().nth(failed).expect("the row");
    assert!(row.contains('×') && row.contains("99") && row.contains("failed at byte 8"), "{row}");
    assert!(
        text.lines().nth(passed).is_some_and(|row| row.contains("11 12 13 14") && row.contains("passed")),
        "{text}"
    );
}
