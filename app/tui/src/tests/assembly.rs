//! Source and assembly lead to each other; rewritten modules are compared; compilers are chosen.

use lanescope_core::target::Target;
use lanescope_inspector::settings::RunSettings;
use lanescope_inspector::view::ViewId;
use lanescope_pictures::gallery::{compiled, lit_texts, rewriting};
use lanescope_pictures::theme::Theme as PictureTheme;

use super::*;

/// The lit surface with assembly for two chips, and the texts that it comes from.
fn lit(size: (u16, u16)) -> Stage {
    lit_in(LOOK, size)
}

fn lit_in(look: Look, size: (u16, u16)) -> Stage {
    let mut stage = Stage::new(look, size);
    let sample = |name: &str| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name);
    stage.open(vec![sample("lit_surface.vert"), sample("lit_surface.frag")]);
    let program = &mut stage.app.state.programs[0];
    program.texts = lit_texts();
    program.loaded_at += 1;
    program.results.compiled.take(program.revision, RunSettings::DEFAULT, Ok(compiled()));
    stage
}

fn show(stage: &mut Stage, view: ViewId) {
    stage.app.act(Command::ShowTab(view));
    stage.settle();
}

fn find(stage: &mut Stage, text: &str) {
    stage.press(KeyCode::Char('/'));
    stage.type_in(text);
    stage.press(KeyCode::Enter);
}

fn selected(stage: &Stage) -> Option<Vec<u32>> {
    stage.app.state.program()?.selection.code.as_ref().map(|code| code.instructions.clone())
}

#[test]
fn an_instruction_leads_to_its_source_line() {
    for size in [SMALL, LARGE] {
        let mut stage = lit(size);
        show(&mut stage, ViewId::Isa);
        find(&mut stage, "image_sample");
        stage.press(KeyCode::Enter);
        assert!(selected(&stage).is_some(), "{}", stage.text());
        assert!(stage.text().contains("lit_surface.spv line 17"), "{}", stage.text());
        stage.press(KeyCode::Enter);
        stage.draw();
        assert_eq!(stage.app.state.tabs.focus(), Some(ViewId::Source));
        assert!(stage.app.focused().line().contains("texture(albedo"), "{}", stage.text());
    }
}

#[test]
fn numbers_of_lines_have_the_tint_of_their_source_until_switched_off() {
    let mut stage = lit_in(Look { colors: Colors::True, ..LOOK }, LARGE);
    show(&mut stage, ViewId::Isa);
    find(&mut stage, "image_sample");
    let grounds = |stage: &mut Stage| -> usize {
        let buffer = stage.draw();
        let tinted = PictureTheme::dark().tint(0)[0].to_array();
        let ground = ratatui::style::Color::Rgb(tinted[0], tinted[1], tinted[2]);
        buffer.content.iter().filter(|cell| cell.bg == ground).count()
    };
    assert!(grounds(&mut stage) > 4, "{}", stage.text());
    assert!(stage.text().contains("<~ lit_surface.frag:17"), "an estimate: {}", stage.text());
    stage.app.act(Command::ToggleTints);
    stage.settle();
    assert_eq!(grounds(&mut stage), 0);
}

#[test]
fn slots_of_compilers_are_below_the_packing() {
    for size in [SMALL, LARGE] {
        let mut stage = lit(size);
        show(&mut stage, ViewId::Packing);
        find(&mut stage, "Varyings by compiler");
        assert!(stage.text().contains("Varyings by compiler"), "{}", stage.text());
        find(&mut stage, "RADV gfx1030");
        assert!(stage.text().contains("RADV gfx1030, RADV gfx1100"), "{}", stage.text());
    }
}

#[test]
fn a_source_line_leads_to_all_of_its_instructions() {
    let mut stage = lit(LARGE);
    show(&mut stage, ViewId::Isa);
    show(&mut stage, ViewId::Source);
    find(&mut stage, "texture(albedo");
    stage.press(KeyCode::Enter);
    // The load of the coordinate, the sample, and the load of the color.
    assert_eq!(selected(&stage).map(|all| all.len()), Some(3));
    let text = stage.text();
    assert!(
        text.contains("<- lit_surface.frag:17")
            && text.contains("lines of the assembly come from here. Enter again goes there."),
        "{text}"
    );
    stage.press(KeyCode::Enter);
    assert_eq!(stage.app.state.tabs.focus(), Some(ViewId::Isa));
    let selection = stage.app.state.program().expect("a program").selection.clone();
    let marked = stage.app.focused().lines_of_code(&selection);
    find(&mut stage, "image_sample");
    let text = stage.text();
    let line = text.lines().find(|line| line.contains("image_sample")).unwrap_or_default().to_owned();
    assert!(marked > 3 && line.contains('▌') && line.contains("<- :17"), "{marked}\n{text}");
    stage.press(KeyCode::Down);
    let text = stage.text();
    let line = text.lines().find(|line| line.contains("image_sample")).unwrap_or_default();
    assert!(line.contains('›'), "it is marked: {text}");
}

#[test]
fn registers_of_an_instruction_are_still_marked() {
    let mut stage = lit(LARGE);
    show(&mut stage, ViewId::Isa);
    find(&mut stage, "image_sample");
    stage.press(KeyCode::Char('l'));
    stage.press(KeyCode::Enter);
    assert_eq!(selected(&stage), None);
}

#[test]
fn changes_of_rewritten_modules_follow_each_other() {
    let mut stage = compute(LOOK, LARGE);
    let program = &mut stage.app.state.programs[0];
    program.results.rewriting.take(program.revision, RunSettings::DEFAULT, Ok(rewriting(300)));
    show(&mut stage, ViewId::Rewritten);
    let mut next = |key: char| {
        stage.press(KeyCode::Char(key));
        stage.app.focused().line()
    };
    // In each hundred lines one is added, one is another one, and one is removed: the last two beside each other.
    let lines: Vec<String> = (0..3).map(|_| next('}')).collect();
    assert!(lines[0].starts_with("+ ") && lines[0].contains("%new20"), "{lines:?}");
    assert!(lines[1].starts_with("- ") && lines[1].contains("%gl_LocalInvocationID"), "{lines:?}");
    assert!(lines[2].contains("%new120"), "{lines:?}");
    assert_eq!(next('{'), lines[1]);
    let text = stage.app.focused().text();
    assert_eq!(text.lines().filter(|line| line.starts_with("- ")).count(), 6, "{text}");
    assert!(text.lines().any(|line| line.starts_with("+ ") && line.contains("%hardware_local_id")), "{text}");
}

fn chips(stage: &Stage) -> Vec<Target> {
    stage.app.state.settings.compile.chips.iter().filter_map(|chip| chip.target()).collect()
}

#[test]
fn chips_are_typed() {
    let mut stage = pair(LOOK, LARGE);
    stage.press(KeyCode::Char(':'));
    stage.type_in("chips");
    stage.press(KeyCode::Enter);
    assert!(stage.text().contains("Chips, as `gfx1030,gfx1100`"), "{}", stage.text());
    stage.type_in("gfx1100,navi21");
    stage.press(KeyCode::Enter);
    stage.settle();
    assert_eq!(chips(&stage), [Target::Gfx1030, Target::Gfx1100]);
    let stages = |stage: &Stage| {
        let compiled = stage.app.state.program()?.results.compiled.done()?;
        Some(compiled.sections.stages.iter().filter_map(|row| row.target).collect::<Vec<_>>())
    };
    assert!(stages(&stage).is_some_and(|all| all.contains(&Target::Gfx1100.into())), "it compiles again by itself");
    stage.press(KeyCode::Char(':'));
    stage.type_in("chips");
    stage.press(KeyCode::Enter);
    stage.type_clear();
    stage.type_in("gfx1030;x");
    stage.press(KeyCode::Enter);
    assert!(stage.text().contains("Not a chip name: `gfx1030;x`"), "{}", stage.text());
    assert_eq!(chips(&stage).len(), 2);
}

#[test]
fn the_validator_is_typed() {
    let mut stage = pair(LOOK, LARGE);
    for (text, set) in [("auto", Some("auto")), ("", None)] {
        stage.press(KeyCode::Char(':'));
        stage.type_in("validator");
        stage.press(KeyCode::Enter);
        stage.type_clear();
        stage.type_in(text);
        stage.press(KeyCode::Enter);
        stage.settle();
        let program = stage.app.state.program().expect("a program");
        assert_eq!(program.options.validator.as_deref(), set);
    }
}

#[test]
fn options_list_chips() {
    let mut stage = pair(LOOK, LARGE);
    stage.press(KeyCode::Char('O'));
    let text = stage.text();
    assert!(text.contains("Chips to compile for: gfx1030"), "{text}");
    assert!(text.contains("Drivers to compile with: the loader's choice"), "{text}");
    stage.type_in("compile for gfx1100");
    stage.press(KeyCode::Enter);
    stage.settle();
    assert_eq!(chips(&stage), [Target::Gfx1030, Target::Gfx1100]);
    stage.press(KeyCode::Char('O'));
    stage.type_in("compile for gfx1030: off");
    stage.press(KeyCode::Enter);
    stage.settle();
    assert_eq!(chips(&stage), [Target::Gfx1100]);
}

#[test]
fn chips_and_target_of_the_command_line_are_taken() {
    let mut stage = Stage::new(LOOK, SMALL);
    let files = vec![stage.file("lit.frag", FRAGMENT)];
    let target = Some(Target::Gfx1100);
    stage.app.begin(Begin { files, chips: vec![Target::Gfx1200.into()], target, ..Begin::default() });
    stage.settle();
    stage.settle();
    assert_eq!(chips(&stage), [Target::Gfx1200]);
    assert_eq!(stage.app.state.program().map(|program| program.options.target), target);
}
