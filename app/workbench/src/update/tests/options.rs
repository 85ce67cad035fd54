//! Options, settings, the selection.

use lanescope_core::gpu::Content;
use lanescope_core::options::Options;
use lanescope_core::run::Place;
use lanescope_inspector::command::Purpose;
use lanescope_inspector::comparing::Partner;
use lanescope_inspector::selection::{Selection, Varying};
use lanescope_inspector::settings::{
    CompileSettings, CostSettings, RunSettings, SpeculativeSettings, StatisticsSettings, TextSettings,
};
use lanescope_inspector::source::TextForm;
use lanescope_inspector::tasks::RunText;

use super::super::effects::Dialog;
use super::*;

#[test]
pub fn changes_the_selection() {
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    let varying = Some(Varying { location: 3, component: None });
    let selection = Selection { varying, ..Selection::default() };
    bench.run(Command::Select(selection.clone()));
    assert_eq!(bench.program().selection, selection);
    bench.run(Command::ClearSelection);
    assert_eq!(bench.program().selection, Selection::default());
}

#[test]
pub fn shows_the_options() {
    let mut bench = Bench::new();
    for shown in [true, false] {
        bench.run(Command::Options);
        assert_eq!(bench.state.shows_options(), shown);
    }
    assert!(bench.state.unsaved_since.is_some());
}

#[test]
pub fn changes_and_resets_options() {
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    let options = Options { no_pack: true, ..bench.program().options.clone() };
    bench.run(Command::SetOptions(Box::new(options)));
    assert!(bench.program().options.no_pack, "at once");
    bench.settle();
    assert!(bench.program().analysis.report.options.no_pack, "and the report follows");
    bench.run(Command::ResetOptions);
    bench.settle();
    assert!(!bench.program().analysis.report.options.no_pack);
}

#[test]
pub fn undoes_and_redoes_changes() {
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    bench.run(Command::Undo);
    assert_eq!(bench.message(), "No options or records were changed.");
    let before = bench.program().options.clone();
    let options = Options { no_pack: true, ..before.clone() };
    bench.run(Command::SetOptions(Box::new(options.clone())));
    bench.run(Command::Undo);
    bench.settle();
    assert_eq!(bench.program().analysis.report.options, before, "the report follows");
    bench.run(Command::Redo);
    bench.settle();
    assert_eq!(bench.program().analysis.report.options, options);
    bench.run(Command::Redo);
    assert_eq!(bench.message(), "No change was undone.");
}

#[test]
pub fn shows_two_settings() {
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    bench.run(Command::SideBySide);
    bench.settle();
    assert!(bench.program().analysis.other.is_some());
    let with = bench.program().against.as_ref().map(|against| against.with);
    assert_eq!(with, Some(Partner::SecondSetting), "Compare shows it");
    bench.run(Command::SetOther(Some(Box::new(Options { no_pack: true, ..Options::default() }))));
    bench.settle();
    assert!(bench.program().analysis.other.as_ref().is_some_and(|other| other.options.no_pack));
    bench.run(Command::SideBySide);
    bench.settle();
    assert!(bench.program().analysis.other.is_none());
}

#[test]
pub fn keeps_settings_in_the_session() {
    let mut bench = Bench::new();
    let run = RunSettings { fill: 7, ..RunSettings::DEFAULT };
    let compile = CompileSettings { packed: false, ..CompileSettings::DEFAULT };
    let speculative = SpeculativeSettings { repeats: 9, ..SpeculativeSettings::DEFAULT };
    let statistics = StatisticsSettings { differences_only: true, ..StatisticsSettings::default() };
    let costs = CostSettings { sample: 9, ..CostSettings::DEFAULT };
    bench.run(Command::SetCostSettings(costs.clone()));
    bench.run(Command::SetRunSettings(run.clone()));
    bench.run(Command::SetCompileSettings(compile.clone()));
    bench.run(Command::SetSpeculativeSettings(speculative.clone()));
    bench.run(Command::SetStatisticsSettings(statistics.clone()));
    let kind = [TextForm::Source, TextForm::Module].into();
    let texts = TextSettings::default().with(kind, TextForm::Module);
    bench.run(Command::SetTextSettings(texts.clone()));
    let State { settings, session, .. } = &bench.state;
    assert_eq!((&settings.run, &session.run), (&run, &run));
    assert_eq!((&settings.costs, &session.costs), (&costs, &costs));
    assert_eq!((&settings.compile, &session.compile), (&compile, &compile));
    assert_eq!((&settings.speculative, &session.ahead), (&speculative, &speculative));
    assert_eq!((&settings.statistics, &session.statistics), (&statistics, &statistics));
    assert_eq!((&settings.texts, &session.texts), (&texts, &texts));
}

#[test]
pub fn tints_lines_or_not() {
    let mut bench = Bench::new();
    for (tints, message) in [(false, "no tint"), (true, "one tint")] {
        bench.run(Command::ToggleTints);
        assert_eq!((bench.state.settings.texts.tints, bench.state.session.texts.tints), (tints, tints));
        assert_eq!(bench.message(), format!("A source line and the instructions from it have {message}."));
    }
}

#[test]
pub fn fills_a_buffer_from_a_file() {
    let mut bench = Bench::opened("group.comp", COMPUTE);
    let (id, place) = (bench.program().id, bench.program().inputs[0].place);
    bench.run(Command::ChooseContents(place));
    assert!(
        bench.had(|effect| matches!(effect, Effect::Dialog(Dialog::Contents(of, at, _)) if (*of, *at) == (id, place)))
    );
    bench.run(Command::ChooseContents(Place::Register('u', 0, 0)));
    assert_eq!(bench.message(), "Another file dialog is already open.");
    let path = bench.file("numbers.bin", "1234");
    bench.run(Command::TakePaths(Purpose::Contents(id, place), vec![path.clone()]));
    assert_eq!(bench.program().inputs[0].file.as_ref(), Some(&path));
    bench.run(Command::DropContents(place));
    assert_eq!(bench.program().inputs[0].file, None);
}

#[test]
pub fn texts_of_runs_are_typed() {
    let shader = "#version 450\nlayout(push_constant) uniform P { float scale; uvec2 size; } pc;\n\
        layout(binding = 0) buffer B { float x; };\nvoid main() { x = pc.scale + pc.size.x; }";
    let mut bench = Bench::opened("push.comp", shader);
    let push = |bench: &Bench| bench.program().typed.get(RunText::Push).clone();
    let named = |path: &str, ty: &str| (path.to_owned(), ty.to_owned());
    assert_eq!(push(&bench).known, [named("scale", "float32"), named("size", "uint32x2")]);
    let before = bench.program().revision;
    bench.run(Command::SetRunText(RunText::Push, "scale=2; size=8".to_owned()));
    assert!(push(&bench).wrong.is_some_and(|why| why.contains("2 values expected, 1 found")));
    bench.run(Command::SetRunText(RunText::Push, "scale=2; size=8,8".to_owned()));
    assert_eq!((push(&bench).text.as_str(), push(&bench).wrong), ("scale=2; size=8,8", None));
    assert!(bench.program().revision > before, "what ran before ran with others");
    assert_eq!(bench.program().remembered().push, "scale=2; size=8,8");
    let filled = bench.program().filled();
    let read = filled.read().and_then(|read| read.push_constants(&bench.program().program));
    assert_eq!(read.map(|given| given.iter().map(|one| one.offset).collect::<Vec<_>>()), Ok(vec![0, 8]));
    let mut bench = Bench::opened("group.comp", COMPUTE);
    assert_eq!(push(&bench).known, []);
    // A text for what the program does not have is kept, and gives nothing.
    bench.run(Command::SetRunText(RunText::Draw, "size=8x8".to_owned()));
    assert_eq!(bench.program().filled().draw, "");
    let place = bench.program().inputs[0].place;
    bench.run(Command::SetRunText(RunText::Buffers, "7:7=64".to_owned()));
    bench.run(Command::SetRunText(RunText::Buffers, format!("{place}=4096")));
    assert_eq!(bench.program().typed.get(RunText::Buffers).wrong, None);
    let filled = bench.program().filled().read().and_then(|read| read.of(&bench.program().program));
    assert!(filled.is_ok_and(|given| matches!(given[0].content, Content::Size(4096))));
}

#[test]
fn samplers_are_typed() {
    let shader = "#version 450\nlayout(binding = 0) uniform sampler2D image;\n\
        layout(binding = 1) buffer B { float x; };\nvoid main() { x = textureLod(image, vec2(0.5), 0).x; }";
    let mut bench = Bench::opened("sampled.comp", shader);
    let samplers = |bench: &Bench| bench.program().typed.get(RunText::Samplers).clone();
    let known = ("0:0 (image)".to_owned(), "sampler of an image: linear,repeat".to_owned());
    assert_eq!(samplers(&bench).known, [known]);
    for (text, why) in [("0:0=cubic", "`cubic`: expected nearest"), ("0:0", "expected s0=linear,repeat")] {
        bench.run(Command::SetRunText(RunText::Samplers, text.to_owned()));
        assert!(samplers(&bench).wrong.is_some_and(|said| said.contains(why)), "{text}");
    }
    bench.run(Command::SetRunText(RunText::Samplers, "0:0=nearest,clamp-to-edge".to_owned()));
    assert_eq!(samplers(&bench).wrong, None);
    assert_eq!(bench.program().remembered().samplers, "0:0=nearest,clamp-to-edge");
    let program = &bench.program().program;
    let inputs = bench.program().filled().read().and_then(|read| read.inputs(program, 0, false)).expect("reads");
    assert_eq!(inputs.samplers[0].state.to_string(), "nearest,clamp-to-edge");
}
