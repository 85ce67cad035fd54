//! The layout tab, as a user meets it.

use std::collections::BTreeSet;

use egui::accesskit::Role;
use egui::vec2;
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, SnapshotResults};
use lanescope_core::driver::speculative::corpus::{Guess, Rows, Searched, Span, Tally, Timeline, Variants};
use lanescope_core::guessed_layout::GuessedStage;
use lanescope_core::ids::Hex;
use lanescope_core::options::{AutoLayoutRule, GuessedColor};
use lanescope_core::pipeline::{Pipeline, PipelineKind};
use lanescope_core::program::Format;
use lanescope_core::report::Report;
use lanescope_core::target::Target;
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::Selection;
use lanescope_inspector::settings::{RunSettings, SpeculativeSettings};
use lanescope_inspector::survey::{GuessSurvey, SurveyQuestion};
use lanescope_inspector::tasks::{CompiledCorpus, CorpusQuestion, SpeculativelyCompiled, Task, Work};
use lanescope_inspector::view::Ask;
use lanescope_views::context::{View as _, ViewCx};
use lanescope_views::gallery;
use lanescope_views::guessed_layout::GuessedLayoutView;
use lanescope_views::theme::Theme;
use lanescope_views::theme::ThemeOfUi as _;

use super::on_device::{Stage, WIDE, drawn, taken};

struct Tab {
    view: GuessedLayoutView,
    report: Report,
    commands: Vec<Command>,
    ask: Option<Ask>,
}

fn open(report: Report, theme: Theme) -> Harness<'static, Tab> {
    let tab = Tab { view: GuessedLayoutView::default(), report, commands: Vec::new(), ask: None };
    let draw = |ui: &mut egui::Ui, tab: &mut Tab| {
        let selection = Selection::default();
        let cx = ViewCx { ask: tab.ask.take(), ..ViewCx::of(&tab.report, &selection) };
        tab.commands.extend(tab.view.ui(ui, &cx));
    };
    let size = vec2(1100.0, 900.0);
    let mut harness = Harness::builder().with_size(size).with_pixels_per_point(1.0).build_ui_state(draw, tab);
    harness.ctx.set_theme(if theme.dark { egui::Theme::Dark } else { egui::Theme::Light });
    harness.ctx.set_visuals(theme.visuals());
    harness.run();
    harness
}

#[test]
fn both_layouts_are_drawn() {
    let mut results = SnapshotResults::new();
    let hit = || gallery::guessed_layout_report(gallery::guessed_hit());
    let miss = || gallery::guessed_layout_report(gallery::guessed_miss());
    for (name, report, theme) in [
        ("layout_hit", hit(), Theme::light()),
        ("layout_miss", miss(), Theme::light()),
        ("layout_miss_dark", miss(), Theme::dark()),
    ] {
        results.add(open(report, theme).try_snapshot(name));
    }
}

#[test]
fn switches_the_guess_and_copies_its_nodes() {
    let mut harness = open(gallery::guessed_layout_report(gallery::guessed_miss()), Theme::light());
    harness.get_by_role_and_label(Role::ComboBox, "Guess").click();
    harness.run();
    harness.get_by_label("sequential (LLPC's tool)").click();
    harness.run();
    let commands = std::mem::take(&mut harness.state_mut().commands);
    let [Command::SetOptions(options)] = commands.as_slice() else { panic!("{commands:?}") };
    assert_eq!(options.auto_layout, AutoLayoutRule::Sequential);
    harness.get_by_role_and_label(Role::ComboBox, "Color attachments").click();
    harness.run();
    harness.get_by_label("8 bits, normalized").click();
    harness.run();
    let commands = std::mem::take(&mut harness.state_mut().commands);
    assert!(
        commands.iter().any(|c| matches!(c, Command::SetOptions(o) if o.guessed_color == GuessedColor::Unorm8)),
        "{commands:?}"
    );
    harness.state_mut().ask = Some(Ask::CopyTable);
    harness.run();
    let commands = std::mem::take(&mut harness.state_mut().commands);
    let Some(Command::Copy(table)) = commands.first() else { panic!("{commands:?}") };
    assert!(table.contains("guessed\t0\t2\tDescriptorCombinedTexture\tno\t24\t96\t12\t1\timage"), "{table}");
    harness.state_mut().ask = Some(Ask::ExportPicture);
    harness.run();
    let exported = harness.state().commands.iter().any(|c| matches!(c, Command::SavePicture { name: "layout", .. }));
    assert!(exported);
}

#[test]
fn a_report_without_such_stages_has_a_message() {
    let harness = open(gallery::empty_report(), Theme::light());
    harness.get_by_label("No layout to guess");
}

/// The tab with an answer of two drivers: one compiled for nothing.
fn compiled() -> Stage {
    let mut stage = Stage::new("layout");
    let hit = gallery::guessed_hit();
    let mut miss = gallery::guessed_hit();
    stage.report = gallery::guessed_layout_report(GuessedStage { ahead: None, ..hit.clone() });
    if let Some(ahead) = &mut miss.ahead {
        ahead.hit = false;
        ahead.chip = Some(Target::Gfx1100.into());
        ahead.why = vec!["target 0 is exported as FP16_ABGR, and the guess as 32_ABGR".to_owned()];
        ahead.notes = vec!["cannot write the cache in /read/only: it is read-only".to_owned()];
    }
    let done = SpeculativelyCompiled {
        compile: stage.settings.compile.clone(),
        settings: SpeculativeSettings::DEFAULT,
        stages: vec![hit, miss],
        failures: vec!["gfx900: RADV for gfx900 died".to_owned()],
        milliseconds: 93,
    };
    stage.results.speculative.take(1, RunSettings::DEFAULT, Ok(done));
    stage
}

#[test]
fn starts_and_cancels_a_speculative_compile() {
    let mut stage = Stage::new("layout");
    stage.report = gallery::guessed_layout_report(GuessedStage { ahead: None, ..gallery::guessed_hit() });
    let mut harness = stage.show(WIDE, egui::Theme::Dark);
    assert_eq!(taken(&mut harness), []);
    harness.get_by_label("Compile speculatively").click();
    harness.run_steps(2);
    assert_eq!(taken(&mut harness), [Command::Begin(Work::SpeculativeCompile)]);
    harness.state_mut().results.speculative.underway = true;
    harness.run_steps(2);
    harness.get_by_label("Cancel").click();
    harness.run_steps(2);
    assert_eq!(taken(&mut harness), [Command::Stop(Work::SpeculativeCompile)]);
    harness.state_mut().results.speculative.underway = false;
    harness.run_steps(4);
    harness.get_by_label("Measured 3 times").click();
    harness.run_steps(4);
    harness.get_by_label("Disk cache").click();
    harness.run_steps(4);
    let settings = SpeculativeSettings { keep: false, ..SpeculativeSettings::DEFAULT };
    assert_eq!(taken(&mut harness), [Command::SetSpeculativeSettings(settings)]);
}

#[test]
fn shows_the_result_of_a_speculative_compile() {
    let mut results = SnapshotResults::new();
    for (name, theme) in [("layout_speculative", egui::Theme::Light), ("layout_speculative_dark", egui::Theme::Dark)] {
        results.add(compiled().show(WIDE, theme).try_snapshot(name));
    }
    let mut harness = compiled().show(WIDE, egui::Theme::Dark);
    assert_eq!(taken(&mut harness), [], "it is fresh");
    harness.get_by_label_contains("the application waits 1.10 ms with it, 3.20 ms without: 2.10 ms less");
    harness.get_by_label_contains("not on disk before; cached: 1204 bytes of code");
    harness.get_by_label_contains("gfx900: RADV for gfx900 died");
    harness.get_by_role_and_label(Role::ComboBox, "Shown").click();
    harness.run_steps(4);
    harness.get_by_label("gfx1100").click();
    harness.run_steps(4);
    harness.get_by_label("✖ miss");
    harness.get_by_label_contains("exported as FP16_ABGR");
    harness.get_by_label_contains("1 note");
}

#[test]
fn compiles_a_changed_program_again_if_enabled() {
    for (automatic, expected) in [(true, &[Command::Begin(Work::SpeculativeCompile)][..]), (false, &[])] {
        let mut stage = compiled();
        stage.settings.compile.automatic = automatic;
        stage.settings.speculative.repeats = 5;
        let mut harness = stage.show(WIDE, egui::Theme::Dark);
        assert_eq!(taken(&mut harness), expected, "once, not with every frame");
        harness.get_by_label_contains("have changed since the compile");
        assert!(harness.query_by_label_contains("the application waits").is_none(), "it is of another layout");
    }
    let mut stage = compiled();
    stage.results.speculative.take(1, RunSettings::DEFAULT, Err("there is no such device".to_owned()));
    stage.show(WIDE, egui::Theme::Dark).get_by_label_contains("there is no such device");
}

#[test]
fn a_report_shows_its_results_and_compiles_nothing() {
    let mut stage = Stage::new("layout");
    stage.report = gallery::guessed_layout_report(gallery::guessed_hit());
    stage.frozen = true;
    let harness = stage.show(WIDE, egui::Theme::Dark);
    harness.get_by_label("Results saved in the report.");
    assert!(harness.query_by_label("Compile speculatively").is_none());
}

/// The tab of a pipeline of a database, all of whose pipelines were compiled speculatively by two drivers.
fn corpus() -> Stage {
    let mut stage = Stage::new("layout");
    stage.report = gallery::guessed_layout_report(GuessedStage { ahead: None, ..gallery::guessed_hit() });
    let mut pipeline = Pipeline::new(Format::Fossilize, PipelineKind::Graphics);
    pipeline.origin.hash = Some(Hex(0x58dd));
    stage.report.pipeline = Some(Box::new(pipeline));
    let mut rows = Rows::default();
    rows.take("00000000000058dd", &[gallery::guessed_hit()], None);
    let miss = GuessedStage { ahead: gallery::guessed_hit().ahead, ..gallery::guessed_miss() };
    rows.take("00000000000066a6", &[miss], None);
    if let Some(row) = rows.rows.last_mut() {
        (row.hit, row.usable, row.key) = (false, false, Hex(0x66a6));
    }
    rows.take("0000000000007cd9", &[], None);
    rows.take("0000000000000737", &[], Some(("the device lacks the feature shaderInt64".to_owned(), true)));
    let other = Rows { unreadable: 1, ..Rows::default() };
    let done = CompiledCorpus {
        question: CorpusQuestion::of(&stage.report, &stage.settings.compile, &stage.settings.speculative),
        places: vec![("gfx1030".to_owned(), rows), ("gfx1100".to_owned(), other)],
        milliseconds: 412,
    };
    stage.results.corpus.take(1, RunSettings::DEFAULT, Ok(done));
    stage
}

#[test]
fn sums_up_a_whole_database() {
    let mut results = SnapshotResults::new();
    for (name, theme) in [("layout_corpus", egui::Theme::Light), ("layout_corpus_dark", egui::Theme::Dark)] {
        results.add(corpus().show(WIDE, theme).try_snapshot(name));
    }
    let mut harness = corpus().show(WIDE, egui::Theme::Dark);
    harness.get_by_label_contains("1 of 2 stages (50 %); a layout was guessed for 2");
    harness.get_by_label_contains("1 compile, 2.30 ms");
    harness.get_by_label_contains("left out: 0000000000000737: the device lacks");
    harness.get_by_label("00000000000066a6").click();
    harness.run_steps(4);
    assert_eq!(taken(&mut harness), [Command::ShowPipeline("00000000000066a6".to_owned())]);
    // One pipeline again, and back; the other driver's answer.
    harness.get_by_role_and_label(Role::ComboBox, "Show").click();
    harness.run_steps(4);
    harness.get_by_label("this pipeline").click();
    harness.run_steps(4);
    assert!(harness.query_by_label_contains("1 of 2 stages").is_none());
    harness.get_by_role_and_label(Role::ComboBox, "Show").click();
    harness.run_steps(4);
    harness.get_by_label("every pipeline").click();
    harness.run_steps(4);
    harness.get_by_role_and_label(Role::ComboBox, "Compiler").click();
    harness.run_steps(4);
    harness.get_by_label("gfx1100").click();
    harness.run_steps(4);
    harness.get_by_label("No pipeline was compiled.");
    harness.get_by_label_contains("1 pipeline that could not be read");
    // Other settings are said, and what was found stays.
    harness.state_mut().settings.speculative.repeats = 7;
    harness.run_steps(4);
    harness.get_by_label_contains("have changed since");
    harness.get_by_label("Every pipeline").click();
    harness.run_steps(4);
    assert_eq!(taken(&mut harness), [Command::Begin(Work::Corpus)]);
    // A program that is not from a database has no such button.
    harness.state_mut().report.pipeline = None;
    harness.run_steps(4);
    assert!(harness.query_by_label("Every pipeline").is_none());
}

/// What the guesses of a database of one pipeline achieve.
fn survey(question: SurveyQuestion) -> GuessSurvey {
    let guess = Guess { dynamic_uniform: false, dynamic_storage: false, unorm8: true };
    let keys: BTreeSet<_> = [Hex(1), Hex(2)].into();
    let tally = Tally { guess, stages: 5, guessed: 5, hits: 3, usable: 2, served: [Hex(1)].into(), keys };
    let all = Span { first: 1, last: 5, shaders: 5, per_stage: 1, guessed: 2, compiled: 2, speculative: 4, unused: 2 };
    let variants = Variants {
        before: Hex(3),
        name: "vertex main".to_owned(),
        pipeline: "58dd".to_owned(),
        pipelines: 4,
        fragments: 3,
        packed: 2,
        renumbered: 1,
        differs: vec!["−2.x→1.z".to_owned()],
    };
    GuessSurvey {
        question,
        searched: vec![Searched { application: "effects.foz".to_owned(), guesses: vec![tally] }],
        timelines: vec![Timeline { application: "effects.foz".to_owned(), spans: vec![all], all }],
        variants: vec![variants],
        failures: vec!["0737: cut off".to_owned()],
        milliseconds: 3,
    }
}

#[test]
fn shows_what_guesses_achieve_over_a_database() {
    let mut harness = corpus().show(WIDE, egui::Theme::Light);
    let choose = |harness: &mut Harness<'_, Stage>, what: &str| {
        harness.get_by_role_and_label(Role::ComboBox, "Show").click();
        harness.run_steps(4);
        harness.get_by_label(what).click();
        harness.run_steps(4);
    };
    // It is asked for once, when it is to be shown.
    choose(&mut harness, "guesses");
    assert_eq!(taken(&mut harness), [Command::Begin(Work::Survey)]);
    harness.run_steps(4);
    assert_eq!(taken(&mut harness), []);
    harness.state_mut().results.survey.underway = true;
    harness.run_steps(4);
    harness.get_by_label_contains("Guessing the layouts of all pipelines");
    let stage = harness.state_mut();
    let done = survey(SurveyQuestion::of(&stage.report));
    stage.results.survey.underway = false;
    stage.results.survey.take(1, RunSettings::DEFAULT, Ok(done));
    harness.run_steps(4);
    harness.get_by_label_contains("effects.foz: best: --guessed-color unorm8");
    harness.get_by_label_contains("left out: 0737: cut off");
    harness.state_mut().ask = Some(Ask::CopyTable);
    harness.run_steps(2);
    let [Command::Copy(text)] = &taken(&mut harness)[..] else { panic!("one text") };
    assert!(text.contains("--guessed-color unorm8\t5\t3\t2\t2\t1"), "{text}");
    choose(&mut harness, "caches");
    harness.get_by_label_contains("2 of 5 shaders compiled while the application waits");
    choose(&mut harness, "location maps");
    harness.get_by_label("−2.x→1.z");
    let mut results = SnapshotResults::new();
    results.add(harness.try_snapshot("layout_survey"));
    // Another program has no answer yet, then one of its own, which is of the same number.
    let stage = harness.state_mut();
    let first = std::mem::replace(&mut stage.results.survey, Task::NEVER);
    stage.program = 7;
    harness.run_steps(4);
    assert_eq!(taken(&mut harness), [Command::Begin(Work::Survey)]);
    assert!(harness.query_by_label("−2.x→1.z").is_none());
    harness.get_by_label("Guess again");
    let stage = harness.state_mut();
    let mut other = survey(SurveyQuestion::of(&stage.report));
    other.variants[0].differs = vec!["+9.x→0.y".to_owned()];
    stage.results.survey.take(1, RunSettings::DEFAULT, Ok(other));
    harness.run_steps(4);
    harness.get_by_label("+9.x→0.y");
    let stage = harness.state_mut();
    (stage.program, stage.results.survey) = (0, first);
    harness.run_steps(4);
    harness.get_by_label("−2.x→1.z");
    taken(&mut harness);
    // Another guess is another question.
    harness.state_mut().report.options.dynamic_uniform = true;
    harness.run_steps(4);
    assert_eq!(taken(&mut harness), [Command::Begin(Work::Survey)]);
    choose(&mut harness, "every pipeline");
    harness.get_by_label_contains("1 of 2 stages (50 %)");
}

#[test]
fn lists_the_words_of_any_key() {
    let mut harness = open(gallery::guessed_layout_report(gallery::guessed_miss()), Theme::light());
    for (rule, drawn_as) in [
        ("what LLPC hashes, all stages", "Words of the key (what LLPC hashes, all stages)"),
        ("what LLPC hashes, one stage", "Words of the key (what LLPC hashes, one stage)"),
    ] {
        harness.get_by_role_and_label(Role::ComboBox, "Key").click();
        harness.run();
        harness.get_by_label(rule).click();
        harness.run();
        harness.state_mut().ask = Some(Ask::ExportPicture);
        harness.run();
        let commands = std::mem::take(&mut harness.state_mut().commands);
        let [Command::SavePicture { picture, .. }] = commands.as_slice() else { panic!("{commands:?}") };
        let drawn = lanescope_views::draw::svg(drawn(picture));
        assert!(drawn.contains(drawn_as), "{rule}");
    }
}
