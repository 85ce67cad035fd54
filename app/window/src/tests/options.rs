//! Options of programs whose files change: which program they belong to, and which still apply.

use std::sync::Arc;

use egui::accesskit::{Action, ActionRequest, NodeId, Role, TreeId};
use lanescope_core::options::{Options, SpecValue, WaveChoice};
use lanescope_core::program::Program;
use lanescope_inspector::settings::RunSettings;
use lanescope_inspector::tasks::RunText;

use super::*;
use crate::panels::menu::is_on;
use lanescope_inspector::view::ViewId;
use lanescope_workbench::state::program::OpenProgram;

const CONSTANTS: &str = "#version 450
layout(local_size_x = 8) in;
layout(constant_id = 0) const uint first = 4;
layout(constant_id = 1) const uint second = 4;
layout(binding = 0) buffer Out { uint at[]; };
void main() { at[gl_LocalInvocationIndex] = first + second; }
";

fn program(stage: &Stage) -> &OpenProgram {
    stage.frame.state.program().expect("a program")
}

fn value(text: &str) -> SpecValue {
    SpecValue(text.to_owned())
}

#[test]
fn applies_an_option_changed_while_loading_to_its_own_program() {
    let mut stage = Stage::new(Session::default());
    let (x, y) = (stage.file("x.frag", FRAGMENT), stage.file("y.frag", FRAGMENT));
    stage.open(&[&x]);
    stage.open(&[&y]);
    stage.settle();
    stage.frame.act(Command::ShowProgram(0));
    stage.frame.act(Command::Reload);
    stage.frame.act(Command::SetOptions(Box::new(Options { no_pack: true, ..Options::default() })));
    stage.frame.act(Command::ShowProgram(1));
    let other = stage.revision();
    stage.settle();
    assert_eq!(stage.revision(), other, "this one did not change");
    let [first, _] = stage.frame.state.programs.as_slice() else { panic!("two programs") };
    assert!(first.options.no_pack && first.analysis.report.options.no_pack);
}

#[test]
fn drops_results_of_an_older_state_of_the_files() {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("lit.frag", FRAGMENT);
    stage.open(&[&path]);
    stage.settle();
    let (id, mut analysis) = (program(&stage).id, program(&stage).analysis.clone());
    analysis.report.packing = None;
    let older = Arc::new(Program::clone(&program(&stage).program));
    stage.frame.services.jobs.start(Tag::Analyse(id), "analysing what was", move |_| Outcome::Analysed {
        program: older,
        options: Box::default(),
        other: None,
        result: Ok(Box::new(analysis)),
    });
    stage.settle();
    assert!(program(&stage).analysis.report.packing.is_some());
}

#[test]
fn ignores_a_value_that_no_longer_applies_and_keeps_other_options() {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("constants.comp", CONSTANTS);
    stage.open(&[&path]);
    let spec = [(0, value("7")), (1, value("9"))].into();
    let options = Options { spec, force_swizzle: true, ..Options::default() };
    stage.frame.act(Command::SetOptions(Box::new(options.clone())));
    stage.frame.act(Command::SetOther(Some(Box::new(Options { wave: WaveChoice::Wave32, ..options }))));
    stage.settle();
    stage.file("constants.comp", &CONSTANTS.replace("uint first = 4", "bool first = true").replace("first +", ""));
    stage.until("the change is seen", |frame| frame.state.program().is_some_and(|program| program.misfit.is_some()));
    let program = program(&stage);
    assert!(program.misfit.as_ref().is_some_and(|why| why.contains("specialization constant 0: expected bool")));
    assert_eq!(program.options.spec, [(1, value("9"))].into());
    assert!(program.options.force_swizzle);
    let other = program.other.as_ref().expect("both settings stay");
    assert_eq!((&other.spec, other.wave), (&program.options.spec, WaveChoice::Wave32));
    // What the panel shows is what the reports were made with.
    assert_eq!(program.analysis.options(), (program.options.clone(), program.other.clone()));
    assert!(stage.frame.state.messages.texts().iter().any(|text| text.contains("Ignored because")));
}

/// Does something to the control of that role and name.
fn act_on(stage: &mut Stage, role: Role, name: &str, action: Action) {
    let shown = stage.look();
    let found = shown.iter().find(|(_, control)| control.role == role && control.name == name);
    let target_node: NodeId = *found.unwrap_or_else(|| panic!("{name} is shown")).0;
    let request = ActionRequest { action, target_tree: TreeId::ROOT, target_node, data: None };
    stage.draw(vec![Event::AccessKitActionRequest(request)]);
    stage.draw(Vec::new());
}

#[test]
fn the_constant_field_shows_and_sets_the_value() {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("constants.comp", CONSTANTS);
    stage.open(&[&path]);
    stage.frame.act(Command::Options);
    stage.settle();
    act_on(&mut stage, Role::TextInput, "first", Action::Focus);
    stage.draw(vec![Event::Text("12".to_owned())]);
    stage.press(Modifiers::NONE, Key::Tab);
    stage.settle();
    assert_eq!(program(&stage).options.spec, [(0, value("12"))].into());
    stage.frame.act(Command::ResetOptions);
    stage.settle();
    act_on(&mut stage, Role::TextInput, "first", Action::Focus);
    stage.press(Modifiers::NONE, Key::Tab);
    stage.settle();
    assert_eq!(program(&stage).options.spec, [].into(), "passing the field sets nothing");
}

#[test]
fn the_validator_is_typed_and_forgotten() {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("constants.comp", CONSTANTS);
    stage.open(&[&path]);
    stage.frame.act(Command::Options);
    stage.settle();
    act_on(&mut stage, Role::TextInput, "Validator", Action::Focus);
    stage.draw(vec![Event::Text("auto".to_owned())]);
    stage.press(Modifiers::NONE, Key::Tab);
    stage.settle();
    assert_eq!(program(&stage).options.validator.as_deref(), Some("auto"));
    let stored = serde_json::to_string(&program(&stage).options).expect("JSON");
    assert!(stored.contains("\"validator\":\"auto\""), "{stored}");
    stage.frame.act(Command::ResetOptions);
    stage.settle();
    assert_eq!(program(&stage).options.validator, None);
}

#[test]
fn every_reset_returns_to_the_description() {
    let mut stage = Stage::new(Session::default());
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/tiled_blur.pipe");
    stage.open(&[&sample]);
    stage.frame.act(Command::Options);
    let described = program(&stage).options.clone();
    assert!(described.reconfig);
    stage.frame.act(Command::SetOptions(Box::new(Options { reconfig: false, no_pack: true, ..described.clone() })));
    stage.settle();
    act_on(&mut stage, Role::Button, "Reset", Action::Click);
    stage.settle();
    assert_eq!(program(&stage).options, described);
}

#[test]
fn the_menu_shows_that_the_options_are_open() {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("x.frag", FRAGMENT);
    stage.open(&[&path]);
    for open in [true, false] {
        stage.frame.act(Command::Options);
        assert_eq!(is_on(&stage.frame.state, &Command::Options), open);
    }
}

/// A shader that opens with its folder and its macro only.
const INCLUDING: &str = "#version 450
#extension GL_GOOGLE_include_directive : require
#include \"shade.glsl\"
layout(location = 0) out vec4 color;
void main() { color = vec4(LEVEL) * shade(); }
";

fn typed(stage: &mut Stage, name: &str, text: &str) {
    act_on(stage, Role::TextInput, name, Action::Focus);
    stage.draw(vec![Event::Text(text.to_owned())]);
    stage.press(Modifiers::NONE, Key::Enter);
    stage.settle();
}

#[test]
fn macros_and_folders_open_what_did_not() {
    let mut stage = Stage::new(Session::default());
    let inner = stage.folder.path().join("inc");
    std::fs::create_dir(&inner).expect("writable");
    std::fs::write(inner.join("shade.glsl"), "float shade() { return 0.5; }\n").expect("writable");
    let path = stage.file("lit.frag", INCLUDING);
    stage.open(&[&path]);
    stage.settle();
    typed(&mut stage, "New include folder", "/nowhere/at all");
    let page = stage.frame.state.failure.as_ref().expect("the folder is missing");
    assert!(page.conversion.include_dirs.is_empty(), "a folder that does not exist is not taken");
    act_on(&mut stage, Role::TextInput, "New include folder", Action::Focus);
    stage.press(Modifiers::COMMAND, Key::A);
    stage.draw(vec![Event::Text(inner.display().to_string())]);
    stage.press(Modifiers::NONE, Key::Enter);
    stage.settle();
    typed(&mut stage, "New macro", "LEVEL=2.0");
    assert!(stage.frame.state.failure.is_none(), "{:?}", stage.frame.state.failure);
    let dxil = program(&stage).options.dxil.clone();
    assert_eq!((dxil.defines, dxil.include_dirs), (vec!["LEVEL=2.0".to_owned()], vec![inner.display().to_string()]));
    let kept = stage.frame.state.session.recall(&[path]).expect("is remembered").options.dxil.clone();
    assert_eq!(kept.defines, ["LEVEL=2.0"]);
}

#[test]
fn macros_are_added_changed_removed_and_undone() {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("group.comp", COMPUTE);
    stage.open(&[&path]);
    stage.frame.act(Command::Options);
    stage.settle();
    let defines = |stage: &Stage| program(stage).options.dxil.defines.join(" ");
    typed(&mut stage, "New macro", "1X");
    assert_eq!(defines(&stage), "", "no name begins with a digit");
    act_on(&mut stage, Role::TextInput, "New macro", Action::Focus);
    stage.press(Modifiers::COMMAND, Key::A);
    stage.draw(vec![Event::Text("X=1".to_owned())]);
    act_on(&mut stage, Role::Button, "Add macro", Action::Click);
    stage.settle();
    assert_eq!(defines(&stage), "X=1");
    typed(&mut stage, "New macro", "Y");
    assert_eq!(defines(&stage), "X=1 Y");
    act_on(&mut stage, Role::TextInput, "Macro 1", Action::Focus);
    stage.press(Modifiers::COMMAND, Key::A);
    stage.draw(vec![Event::Text("X=2".to_owned())]);
    stage.press(Modifiers::NONE, Key::Enter);
    stage.settle();
    assert_eq!(defines(&stage), "X=2 Y");
    // Changes that follow each other at once are undone as one.
    std::thread::sleep(Duration::from_millis(450));
    act_on(&mut stage, Role::Button, "Remove Y", Action::Click);
    stage.settle();
    assert_eq!(defines(&stage), "X=2");
    // Nothing in the shader uses it.
    let findings = &program(&stage).analysis.report.findings;
    assert!(findings.iter().any(|finding| finding.code == "L010" && finding.message.contains('X')));
    stage.frame.act(Command::Undo);
    stage.settle();
    assert_eq!(defines(&stage), "X=2 Y");
    stage.frame.act(Command::Redo);
    stage.settle();
    assert_eq!(defines(&stage), "X=2");
}

#[test]
fn samplers_and_draws_are_typed_beside_runs() {
    let mut stage = Stage::new(Session::default());
    let vertex = "#version 450\nlayout(location = 0) in vec4 position;\nvoid main() { gl_Position = position; }\n";
    let fragment = "#version 450\nlayout(binding = 2) uniform sampler2D image;\nlayout(location = 0) out vec4 o;\n\
        void main() { o = texture(image, vec2(0.5)); }\n";
    let paths = [stage.file("a.vert", vertex), stage.file("a.frag", fragment)];
    stage.open(&[&paths[0], &paths[1]]);
    stage.frame.act(Command::Show(ViewId::Run));
    stage.settle();
    for (of, given) in [(RunText::Samplers, "0:2=nearest,clamp-to-edge"), (RunText::Draw, "size=8x4; instances=2")] {
        act_on(&mut stage, Role::Button, of.title(), Action::Click);
        stage.settle();
        typed(&mut stage, of.label(), given);
        let input = program(&stage).typed.get(of).clone();
        assert_eq!((input.text.as_str(), input.wrong), (given, None));
    }
    let device = Some(lanescope_inspector::devices::INTERPRETER.to_owned());
    stage.frame.act(Command::SetRunSettings(RunSettings { device, ..RunSettings::DEFAULT }));
    stage.frame.act(Command::Run);
    stage.until("it ran", |frame| frame.state.program().is_some_and(|program| program.results.run.answer.is_some()));
    let ran =
        program(&stage).results.run.done().unwrap_or_else(|| panic!("{:?}", program(&stage).results.run.failed()));
    assert_eq!(ran.execution.run.attachments[0].size, [8, 4]);
    let kept = stage.frame.state.session.recall(&paths).expect("is remembered");
    assert_eq!((kept.samplers.as_str(), kept.draw.as_str()), ("0:2=nearest,clamp-to-edge", "size=8x4; instances=2"));
}

#[test]
fn push_constants_are_typed_beside_runs() {
    let mut stage = Stage::new(Session::default());
    let shader = "#version 450\nlayout(push_constant) uniform P { float scale; uvec2 size; } pc;\n\
        layout(binding = 0) buffer B { float x; };\nvoid main() { x = pc.scale + pc.size.x; }\n";
    let path = stage.file("push.comp", shader);
    stage.open(&[&path]);
    stage.frame.act(Command::Show(ViewId::Run));
    stage.settle();
    act_on(&mut stage, Role::Button, "Push constants", Action::Click);
    stage.settle();
    typed(&mut stage, "Values by name, or @FILE; what is not given is filled as usual", "scale=2; size=8,1");
    let push = program(&stage).typed.get(RunText::Push).clone();
    assert_eq!((push.text.as_str(), push.wrong), ("scale=2; size=8,1", None));
    let device = Some(lanescope_inspector::devices::INTERPRETER.to_owned());
    stage.frame.act(Command::SetRunSettings(RunSettings { device, zeros: true, ..RunSettings::DEFAULT }));
    stage.frame.act(Command::Run);
    stage.until("it ran", |frame| frame.state.program().is_some_and(|program| program.results.run.answer.is_some()));
    let ran =
        program(&stage).results.run.done().unwrap_or_else(|| panic!("{:?}", program(&stage).results.run.failed()));
    assert_eq!(ran.execution.contents("set0.binding0"), 10f32.to_le_bytes());
    let kept = stage.frame.state.session.recall(&[path]).expect("is remembered");
    assert_eq!(kept.push, "scale=2; size=8,1");
}
