//! The debugger in the terminal form.

use lanescope_inspector::debugging::DebugCommand;
use lanescope_inspector::mode::Mode;
use lanescope_inspector::settings::RunSettings;
use lanescope_inspector::stepping::StepCommand;
use lanescope_inspector::view::ViewId;

use super::super::prompt::Prompt;
use super::super::typed::Typed;
use super::*;

const DIVERGENT: &str = "#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) buffer Out { uint at[]; };
void main() {
    uint sum = 0;
    for (uint i = 0; i < gl_LocalInvocationID.x; i++) {
        sum += i * 3;
    }
    at[gl_LocalInvocationIndex] = sum;
}
";

fn divergent(size: (u16, u16)) -> Stage {
    let mut stage = Stage::new(LOOK, size);
    let files = vec![stage.file("loop.comp", DIVERGENT)];
    stage.open(files);
    stage
}

fn key(stage: &mut Stage, c: char) {
    stage.press(KeyCode::Char(c));
    stage.settle();
}

fn step(stage: &Stage) -> u64 {
    let program = stage.app.state.program().expect("a program");
    program.debugging.stop.as_ref().expect("a session").state.step
}

#[test]
fn steps_by_its_keys() {
    let mut stage = divergent(LARGE);
    key(&mut stage, 'd');
    assert_eq!(step(&stage), 0);
    key(&mut stage, 'f');
    key(&mut stage, ',');
    assert_eq!(step(&stage), 2);
    key(&mut stage, 'B');
    assert_eq!(step(&stage), 1);
    key(&mut stage, 'p');
    assert!(stage.text().contains("end of the run"), "{}", stage.text());
    key(&mut stage, 'W');
    assert_eq!(step(&stage), 0);
    key(&mut stage, 'Z');
    assert!(stage.app.state.program().is_some_and(|program| program.debugging.stop.is_none()));
}

fn draw(size: (u16, u16)) -> Stage {
    let mut stage = Stage::new(LOOK, size);
    let files = vec![
        stage.file("a.vert", "#version 450\nlayout(location = 0) in vec4 at;\nlayout(location = 0) out vec2 uv;\nvoid main() {\n    gl_Position = at;\n    uv = at.xy;\n}\n"),
        stage.file("a.frag", "#version 450\nlayout(location = 0) in vec2 uv;\nlayout(location = 0) out vec4 color;\nvoid main() {\n    float edge = dFdx(uv.x);\n    color = vec4(uv, edge, 1.0);\n}\n"),
    ];
    stage.open(files);
    stage
}

#[test]
fn steps_the_fragment_of_a_pixel_that_is_typed() {
    let mut stage = draw(LARGE);
    key(&mut stage, 'd');
    assert!(stage.text().contains("pixel 32,32"), "{}", stage.text());
    let prompt = |text: &str| Prompt::Pixel.typed(&stage.app.state, text);
    assert!(matches!(prompt("3"), Typed::Wrong(_)));
    let Typed::Do(commands) = prompt("20, 40") else { panic!("a pixel") };
    commands.into_iter().for_each(|command| stage.app.act(command));
    stage.settle();
    stage.app.act(Command::Debug(DebugCommand::Map("uv[0]".to_owned())));
    stage.settle();
    let text = stage.text();
    assert!(text.contains("pixel 20,40, triangle 0"), "{text}");
    insta::assert_snapshot!("debug_fragment_160x50", text);
}

#[test]
fn steps_an_invocation_that_is_typed() {
    let mut stage = draw(LARGE);
    key(&mut stage, 'd');
    assert_eq!(Prompt::Invocation.begins(&stage.app.state), "vertex 0");
    assert!(matches!(Prompt::Invocation.typed(&stage.app.state, "17"), Typed::Wrong(_)));
    let Typed::Do(commands) = Prompt::Invocation.typed(&stage.app.state, "vertex 5") else { panic!("a vertex") };
    commands.into_iter().for_each(|command| stage.app.act(command));
    stage.settle();
    assert!(stage.text().contains("pixel -  vertex 5"), "{}", stage.text());
}

#[test]
fn the_debugger_matches_its_screens() {
    for size in [SMALL, LARGE] {
        let mut stage = divergent(size);
        key(&mut stage, 'd');
        stage.app.act(Command::Debug(DebugCommand::AddBreakpoint("i == 2".to_owned())));
        stage.settle();
        stage.app.act(Command::Debug(DebugCommand::Map("sum".to_owned())));
        stage.settle();
        stage.app.act(Command::Debug(DebugCommand::Choose(lanescope_core::interpreter::debugger::session::Chosen {
            wave: 0,
            lane: 12,
        })));
        stage.settle();
        key(&mut stage, 'p');
        insta::assert_snapshot!(format!("debug_{}x{}", size.0, size.1), stage.text());
        stage.press(KeyCode::Char('G'));
        insta::assert_snapshot!(format!("debug_end_{}x{}", size.0, size.1), stage.text());
    }
}

#[test]
fn steps_the_launch_of_the_selected_record() {
    let mut stage = Stage::new(LOOK, LARGE);
    let path =
        PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/work_graphs/02_quadtree_recursion.dxil"));
    stage.open(vec![path]);
    let program = stage.app.state.program_mut().expect("a program");
    let run = testing::graph_run(program, "Seed");
    program.results.graph.take(program.graph_revision, RunSettings::default(), Ok(run));
    stage.app.act(Command::SetMode(Mode::Run));
    stage.app.act(Command::ShowTab(ViewId::Graph));
    stage.app.act(Command::Step(StepCommand::ShowGeneration(2)));
    assert!(!stage.text().contains("Debug this launch"), "no record is selected");
    stage.app.act(Command::Step(StepCommand::SelectRecord(Some(2))));
    assert!(stage.text().contains("Debug this launch  of record #2"), "{}", stage.text());
    key(&mut stage, 'I');
    assert_eq!(step(&stage), 0);
    let text = stage.text();
    assert!(text.contains("record 2 of Split[0] in generation 2") && text.contains("Written so far"), "{text}");
    key(&mut stage, 'p');
    let text = stage.text();
    assert!(text.contains("The same records as on llvmpipe"), "{text}");
    insta::assert_snapshot!("debug_launch_160x50", text);
}

#[test]
fn breakpoints_are_typed_and_their_hits_counted() {
    let mut stage = divergent(LARGE);
    let typed = |stage: &mut Stage, prompt: Prompt, text: &str| match prompt.typed(&stage.app.state, text) {
        Typed::Do(commands) => {
            commands.into_iter().for_each(|command| stage.app.act(command));
            stage.settle();
        }
        other => panic!("{text}: {other:?}"),
    };
    assert!(!Prompt::Break.applies(&stage.app.state));
    key(&mut stage, 'd');
    assert!(Prompt::Break.applies(&stage.app.state) && !Prompt::Ignore.applies(&stage.app.state));
    typed(&mut stage, Prompt::Break, "loop.comp:7");
    typed(&mut stage, Prompt::Ignore, "1 3");
    key(&mut stage, 'p');
    let program = stage.app.state.program().expect("a program");
    let row = program.debugging.stop.as_ref().expect("a session").breakpoints[0].clone();
    assert_eq!((row.hits, row.ignored), (4, 3));
    typed(&mut stage, Prompt::Watch, "sum");
    stage.press(KeyCode::Char('G'));
    let text = stage.text();
    assert!(text.contains("Ignore hits") && text.contains("watch sum"), "{text}");
    assert!(matches!(Prompt::Ignore.typed(&stage.app.state, "1"), Typed::Wrong(_)));
}

#[test]
fn compares_with_the_rewritten_program() {
    let mut stage = Stage::new(LOOK, LARGE);
    let sample = |name: &str| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name);
    stage.open(vec![sample("packing_sensitive.vert"), sample("packing_sensitive.frag")]);
    key(&mut stage, 'd');
    assert!(stage.text().contains("program original  compare off"), "{}", stage.text());
    stage.app.act(Command::Debug(DebugCommand::ToggleBeside));
    stage.settle();
    key(&mut stage, 'f');
    key(&mut stage, 'f');
    stage.app.act(Command::Debug(DebugCommand::SwitchProgram));
    stage.settle();
    assert!(stage.text().contains("program rewritten  compare on"), "{}", stage.text());
    stage.press(KeyCode::Char('G'));
    let text = stage.text();
    assert!(text.contains("only rewritten") && text.contains("Compared at the same instruction"), "{text}");
    insta::assert_snapshot!("debug_beside_160x50", text);
}

/// All lanes of a workgroup write to one place without a barrier.
const RACE: &str = "#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint at[]; };
void main() {
    at[0] = gl_LocalInvocationIndex;
}
";

#[test]
fn findings_of_the_interpreter_lead_to_their_line() {
    let mut stage = Stage::new(LOOK, LARGE);
    let files = vec![stage.file("race.comp", RACE)];
    stage.open(files);
    stage.press(KeyCode::Char(':'));
    stage.type_in("device");
    stage.press(KeyCode::Enter);
    stage.type_clear();
    stage.type_in("interpreter");
    stage.press(KeyCode::Enter);
    key(&mut stage, 'r');
    stage.settle();
    stage.draw();
    let pane = stage.app.focused().text();
    assert!(pane.contains("on interpreter") && pane.contains("no device; errors are findings"), "{pane}");
    stage.press(KeyCode::Char('g'));
    stage.press(KeyCode::Char('/'));
    stage.type_in("access the same bytes");
    stage.press(KeyCode::Enter);
    stage.press(KeyCode::Enter);
    stage.draw();
    assert_eq!(stage.app.state.tabs.focus(), Some(ViewId::Source), "{pane}");
    assert!(stage.app.focused().line().contains("at[0] = gl_LocalInvocationIndex"), "{}", stage.text());
}

#[test]
fn findings_of_a_run_are_at_the_top() {
    let mut stage = Stage::new(LOOK, LARGE);
    let files = vec![stage.file("race.comp", RACE)];
    stage.open(files);
    key(&mut stage, 'd');
    assert!(!stage.text().contains("! 1 finding"), "{}", stage.text());
    key(&mut stage, 'p');
    stage.draw();
    let pane = stage.app.focused().text();
    let line = pane.lines().take(8).find(|line| line.contains(" ! 1 finding: E001"));
    assert!(line.is_some(), "{pane}");
    stage.press(KeyCode::Char('g'));
    stage.press(KeyCode::Char('/'));
    stage.type_in("! 1 finding");
    stage.press(KeyCode::Enter);
    stage.press(KeyCode::Enter);
    stage.draw();
    assert_eq!(stage.app.state.tabs.focus(), Some(ViewId::Source));
    assert!(stage.app.focused().line().contains("at[0] = gl_LocalInvocationIndex"), "{}", stage.text());
    // It stays in the status line of other tabs.
    let text = stage.text();
    assert!(text.lines().last().is_some_and(|line| line.contains("✗ E001: ")), "{text}");
}
