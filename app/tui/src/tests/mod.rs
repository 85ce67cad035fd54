//! Tests of the whole screen.

mod assembly;
mod corpus;
mod cost_sheets;
mod costs;
mod debug;
mod dialogs;
mod guessed_layouts;
mod looks;
mod monkey;
mod panes;
mod panic;
mod records;
mod rule_sets;
mod scripts;
mod variants;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lanescope_core::options::Options;
use lanescope_core::target::Target;
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::{Selection, Varying};
use lanescope_inspector::settings::Theme;
use lanescope_inspector::tasks::RunText;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::Begin;
use super::app::App;
use super::look::{Colors, Look};
use lanescope_host::session::Session;
use lanescope_inspector::view::ViewId;
use lanescope_workbench::engine::Engine;
use lanescope_workbench::engine::testing;
use lanescope_workbench::state::overlay::Overlay;
use lanescope_workbench::state::tasks::Tag;

const LOOK: Look = Look { colors: Colors::Sixteen, light: false, ascii: false };
const SMALL: (u16, u16) = (80, 24);
const LARGE: (u16, u16) = (160, 50);

/// The shortest part of a folder's name that is left of it where it is cut.
const FOLDER_AT_LEAST: usize = 6;

const VERTEX: &str = "#version 450
layout(location = 0) out vec2 uv;
layout(location = 3) out float gloss;
void main() { uv = vec2(1.0); gloss = 2.0; gl_Position = vec4(0.0); }
";

const FRAGMENT: &str = "#version 450
layout(location = 0) in vec2 uv;
layout(location = 3) in float gloss;
layout(location = 0) out vec4 color;
void main() { color = vec4(uv, gloss, 1.0); }
";

const COMPUTE: &str = "#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) buffer Out { uint at[]; };
void main() { at[gl_LocalInvocationIndex] = gl_LocalInvocationIndex; }
";

/// The terminal form on files of its own.
struct Stage {
    app: App,
    folder: tempfile::TempDir,
    size: (u16, u16),
}

impl Stage {
    fn new(look: Look, size: (u16, u16)) -> Stage {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let engine = Engine::in_process(testing::compile, testing::speculate);
        let app = App::new(engine, None, Session::default(), look, Arc::new(|| ()));
        Stage { app, folder, size }
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).expect("the folder is writable");
        path
    }

    /// Opens files, and waits until nothing is under way.
    fn open(&mut self, files: Vec<PathBuf>) {
        self.app.begin(Begin { files, ..Begin::default() });
        self.settle();
    }

    fn settle(&mut self) {
        let limit = Instant::now() + Duration::from_secs(60);
        loop {
            self.draw();
            self.app.poll();
            if self.app.state.running.iter().all(|(tag, _)| *tag == Tag::Samples) {
                return;
            }
            assert!(Instant::now() < limit, "the jobs end");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    fn draw(&mut self) -> Buffer {
        let area = Rect::new(0, 0, self.size.0, self.size.1);
        let mut buffer = Buffer::empty(area);
        self.app.draw(area, &mut buffer);
        buffer
    }

    fn text(&mut self) -> String {
        let buffer = self.draw();
        let line = |y| (0..self.size.0).map(|x| buffer[(x, y)].symbol()).collect::<String>();
        (0..self.size.1).map(|y| line(y).trim_end().to_owned() + "\n").collect()
    }

    fn press(&mut self, code: KeyCode) {
        self.app.input(Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    }

    /// Clears the line that is typed.
    fn type_clear(&mut self) {
        self.app.input(Event::Key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL)));
    }

    fn type_in(&mut self, text: &str) {
        text.chars().for_each(|c| self.press(KeyCode::Char(c)));
    }
}

/// Enter on the first line that has these words.
fn enter(stage: &mut Stage, words: &str) {
    stage.draw();
    stage.press(KeyCode::Char('/'));
    stage.type_in(words);
    stage.press(KeyCode::Enter);
    stage.press(KeyCode::Enter);
    stage.settle();
}

fn pair(look: Look, size: (u16, u16)) -> Stage {
    let mut stage = Stage::new(look, size);
    let files = vec![stage.file("lit.vert", VERTEX), stage.file("lit.frag", FRAGMENT)];
    stage.open(files);
    stage
}

fn compute(look: Look, size: (u16, u16)) -> Stage {
    let mut stage = Stage::new(look, size);
    let files = vec![stage.file("group.comp", COMPUTE)];
    stage.open(files);
    stage
}

fn graph(look: Look, size: (u16, u16)) -> Stage {
    let mut stage = Stage::new(look, size);
    let sample =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/work_graphs/01_tile_classify.dxil");
    let copy = stage.folder.path().join("graph.dxil");
    std::fs::copy(sample, &copy).expect("copies");
    stage.open(vec![copy]);
    stage
}

fn object(look: Look, size: (u16, u16)) -> Stage {
    let mut stage = Stage::new(look, size);
    let sample = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/code_objects/fill.elf");
    let copy = stage.folder.path().join("fill.elf");
    std::fs::copy(sample, &copy).expect("copies");
    stage.open(vec![copy]);
    stage
}

/// Every pane of a program, by its view.
fn panes(stage: &mut Stage) -> Vec<(ViewId, String)> {
    let views: Vec<_> = stage.app.state.tabs.applicable().map(|info| info.id).collect();
    let mut out = Vec::new();
    for view in views {
        stage.app.act(Command::ShowTab(view));
        stage.settle();
        // Names of temporary folders have the same length each time; they may be cut.
        let folder = stage.folder.path().display().to_string();
        let cuts = (FOLDER_AT_LEAST..=folder.len()).rev();
        let text = cuts.fold(stage.text(), |text, cut| text.replace(&folder[..cut], &"F".repeat(cut)));
        out.push((view, text));
    }
    out
}

#[test]
fn draws_every_pane() {
    for (name, stage) in [("pair", pair as fn(Look, (u16, u16)) -> Stage), ("compute", compute), ("graph", graph)] {
        for size in [SMALL, LARGE] {
            for (view, text) in panes(&mut stage(LOOK, size)) {
                insta::assert_snapshot!(format!("{name}_{view}_{}x{}", size.0, size.1), text);
            }
        }
    }
}

/// The pane of the texts has the output of the installed LLVM.
#[test]
fn draws_an_object() {
    for size in [SMALL, LARGE] {
        let shown = panes(&mut object(LOOK, size));
        let views: Vec<ViewId> = shown.iter().map(|(view, _)| *view).collect();
        assert_eq!(views, [ViewId::Compare, ViewId::CodeObject, ViewId::Source, ViewId::Findings]);
        for (view, text) in shown.into_iter().filter(|(view, _)| *view != ViewId::Source) {
            insta::assert_snapshot!(format!("object_{view}_{}x{}", size.0, size.1), text);
        }
    }
}

#[test]
fn draws_registers_beside_those_of_an_object() {
    let mut stage = Stage::new(LOOK, LARGE);
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/code_objects");
    let copy = |name: &str| {
        let copy = stage.folder.path().join(name);
        std::fs::copy(samples.join(name), &copy).expect("copies");
        copy
    };
    let [pipe, object] = ["textured.pipe", "textured.elf"].map(copy);
    stage.open(vec![pipe]);
    stage.app.act(Command::CompareFiles(vec![object]));
    stage.settle();
    assert!(stage.text().contains("is for gfx1010; the target is gfx1030"), "{}", stage.text());
    let options = stage.app.state.program().expect("a program").options.clone();
    stage.app.act(Command::SetOptions(Box::new(Options { target: Target::Gfx1010, ..options })));
    stage.settle();
    let register = Some("SPI_PS_IN_CONTROL".to_owned());
    stage.app.act(Command::Select(Selection { register, ..Selection::default() }));
    stage.settle();
    let text = stage.text();
    for words in ["Code object", "textured.elf", " agree, ", "not in the object", "agrees"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    stage.app.act(Command::ShowTab(ViewId::Compare));
    assert!(stage.text().contains("Compared with the code object textured.elf"), "{}", stage.text());
}

#[test]
fn looks_change_no_text_but_signs() {
    let dark = panes(&mut pair(LOOK, SMALL));
    let light = panes(&mut pair(Look { colors: Colors::Many, light: true, ..LOOK }, SMALL));
    assert_eq!(dark, light);
    let ascii = panes(&mut pair(Look { colors: Colors::None, ascii: true, ..LOOK }, SMALL));
    for ((view, dark), (_, ascii)) in dark.iter().zip(&ascii) {
        assert!(ascii.is_ascii(), "{view}: {ascii}");
        assert_eq!(dark.lines().count(), ascii.lines().count(), "{view}");
    }
}

#[test]
fn no_color_draws_without_colors() {
    let buffer = pair(Look { colors: Colors::None, ..LOOK }, SMALL).draw();
    let plain = ratatui::style::Color::Reset;
    assert!(buffer.content.iter().all(|cell| cell.fg == plain && cell.bg == plain));
}

#[test]
fn the_selection_is_shared() {
    let mut stage = pair(LOOK, LARGE);
    stage.app.act(Command::ShowTab(ViewId::Packing));
    stage.press(KeyCode::Char('/'));
    stage.type_in("3 │");
    stage.press(KeyCode::Enter);
    stage.press(KeyCode::Enter);
    let selected = stage.app.state.program().and_then(|program| program.selection.varying);
    assert_eq!(selected, Some(Varying { location: 3, component: Some(0) }));
    let buffer = stage.draw();
    let marked = |x: u16| {
        buffer.content.iter().enumerate().any(|(at, cell)| {
            let column = u16::try_from(at).unwrap_or(0) % LARGE.0;
            cell.bg == ratatui::style::Color::Yellow && (column < 45) == (x < 45)
        })
    };
    assert!(marked(0) && marked(100), "in the source and in the slots");
    stage.press(KeyCode::Esc);
    let selected = stage.app.state.program().and_then(|program| program.selection.varying);
    assert_eq!(selected, None);
}

#[test]
fn every_command_has_a_name_that_runs_it() {
    let mut stage = compute(LOOK, SMALL);
    stage.press(KeyCode::Char(':'));
    stage.type_in("mode-compiled");
    assert!(stage.text().lines().any(|line| line.contains("Compiled mode")));
    stage.press(KeyCode::Enter);
    assert_eq!(stage.app.state.tabs.mode(), lanescope_inspector::mode::Mode::Compiled);
    stage.press(KeyCode::Char('q'));
    assert!(stage.app.quits);
}

#[test]
fn options_are_changed_and_undone() {
    let mut stage = compute(LOOK, SMALL);
    stage.press(KeyCode::Char('O'));
    stage.type_in("wave size 64");
    stage.press(KeyCode::Enter);
    stage.settle();
    let changed = |stage: &Stage| stage.app.state.program().map(|program| program.options.wave.to_string());
    assert_eq!(changed(&stage).as_deref(), Some("64"));
    stage.press(KeyCode::Char('u'));
    stage.settle();
    assert_eq!(changed(&stage).as_deref(), Some("auto"));
}

#[test]
fn macros_and_include_folders_are_typed() {
    let mut stage = Stage::new(LOOK, LARGE);
    let folder = stage.file("shade.glsl", "float shade() { return 0.5; }\n").parent().expect("a folder").join("inc");
    std::fs::create_dir(&folder).expect("writable");
    std::fs::rename(folder.with_file_name("shade.glsl"), folder.join("shade.glsl")).expect("moves");
    let text = "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"shade.glsl\"\n\
                layout(location = 0) out vec4 color;\nvoid main() { color = vec4(LEVEL) * shade(); }\n";
    let path = stage.file("lit.frag", text);
    stage.app.act(Command::OpenFiles(vec![path.clone()]));
    stage.settle();
    assert!(stage.text().contains("Change include folders: none"), "{}", stage.text());
    let typed = |stage: &mut Stage, name: &str, text: &str| {
        stage.press(KeyCode::Char(':'));
        stage.type_in(name);
        stage.press(KeyCode::Enter);
        stage.type_clear();
        stage.app.input(Event::Paste(text.to_owned()));
        stage.press(KeyCode::Enter);
        stage.settle();
    };
    typed(&mut stage, "include-folders", &folder.display().to_string());
    assert!(stage.text().contains("Change include folders: /"), "{}", stage.text());
    typed(&mut stage, "macros", "1X");
    assert!(stage.text().contains("expected a name of letters"), "{}", stage.text());
    typed(&mut stage, "macros", "'LEVEL=1.0 + 1.0'");
    let defines = |stage: &Stage| stage.app.state.program().map(|program| program.options.dxil.defines.clone());
    assert_eq!(defines(&stage), Some(vec!["LEVEL=1.0 + 1.0".to_owned()]), "{}", stage.text());
    // The palette of options shows them, and a change is undone.
    stage.press(KeyCode::Char('O'));
    assert!(stage.text().contains("Macros of sources: 'LEVEL=1.0 + 1.0'"), "{}", stage.text());
    stage.press(KeyCode::Esc);
    typed(&mut stage, "macros", "LEVEL=3.0");
    assert_eq!(defines(&stage), Some(vec!["LEVEL=3.0".to_owned()]));
    stage.press(KeyCode::Char('u'));
    stage.settle();
    assert_ne!(defines(&stage), Some(vec!["LEVEL=3.0".to_owned()]));
}

#[test]
fn push_constants_are_typed_and_checked() {
    let mut stage = Stage::new(LOOK, LARGE);
    let shader = "#version 450\nlayout(push_constant) uniform P { float scale; uvec2 size; } pc;\n\
                  layout(binding = 0) buffer B { float x; };\nvoid main() { x = pc.scale + pc.size.x; }\n";
    let path = stage.file("push.comp", shader);
    stage.app.act(Command::OpenFiles(vec![path]));
    stage.settle();
    stage.app.act(Command::Show(ViewId::Run));
    stage.settle();
    assert!(stage.text().contains("push          filled  scale: float32, size: uint32x2"), "{}", stage.text());
    let typed = |stage: &mut Stage, text: &str| {
        stage.press(KeyCode::Char(':'));
        stage.type_in("push-constants");
        stage.press(KeyCode::Enter);
        stage.type_clear();
        stage.app.input(Event::Paste(text.to_owned()));
        stage.press(KeyCode::Enter);
        stage.settle();
    };
    typed(&mut stage, "scale=x");
    assert!(stage.text().contains("`x` is not a number of type float32"), "{}", stage.text());
    stage.press(KeyCode::Esc);
    typed(&mut stage, "size=8,8");
    assert!(stage.text().contains("push          size=8,8"), "{}", stage.text());
    let text = |stage: &Stage, of| stage.app.state.program().map(|program| program.typed.get(of).text.clone());
    assert_eq!(text(&stage, RunText::Push).as_deref(), Some("size=8,8"));
    assert!(
        !stage.text().contains("samplers") && stage.text().contains("values        none typed"),
        "{}",
        stage.text()
    );
}

#[test]
fn samplers_and_draws_are_typed_and_checked() {
    let mut stage = Stage::new(LOOK, LARGE);
    let vertex = "#version 450\nlayout(location = 0) in vec4 position;\nvoid main() { gl_Position = position; }\n";
    let fragment = "#version 450\nlayout(binding = 2) uniform sampler2D image;\nlayout(location = 0) out vec4 o;\n\
                    void main() { o = texture(image, vec2(0.5)); }\n";
    let files = vec![stage.file("a.vert", vertex), stage.file("a.frag", fragment)];
    stage.app.act(Command::OpenFiles(files));
    stage.settle();
    stage.app.act(Command::Show(ViewId::Run));
    stage.settle();
    let shown = "samplers      as usual  0:2 (image): sampler of an image: linear,repeat";
    assert!(stage.text().contains(shown), "{}", stage.text());
    let typed = |stage: &mut Stage, prompt: &str, text: &str| {
        stage.press(KeyCode::Char(':'));
        stage.type_in(prompt);
        stage.press(KeyCode::Enter);
        stage.type_clear();
        stage.app.input(Event::Paste(text.to_owned()));
        stage.press(KeyCode::Enter);
        stage.settle();
    };
    typed(&mut stage, "samplers", "0:2=cubic");
    assert!(stage.text().contains("`cubic`: expected nearest"), "{}", stage.text());
    stage.press(KeyCode::Esc);
    typed(&mut stage, "samplers", "0:2=nearest");
    typed(&mut stage, "draw", "size=16x8");
    let text = stage.text();
    assert!(text.contains("samplers      0:2=nearest") && text.contains("draw          size=16x8"), "{text}");
}

#[test]
fn a_path_is_typed_where_a_window_has_a_dialog() {
    let mut stage = Stage::new(LOOK, SMALL);
    let path = stage.file("group.comp", COMPUTE);
    stage.press(KeyCode::Char('o'));
    stage.settle();
    assert!(matches!(stage.app.state.overlay, Overlay::Path(_)));
    stage.app.input(Event::Paste(path.display().to_string()));
    stage.press(KeyCode::Enter);
    stage.settle();
    assert_eq!(stage.app.state.programs.len(), 1);
}

#[test]
fn a_broken_file_is_reported_and_names_control_nothing() {
    let mut stage = Stage::new(LOOK, SMALL);
    let path = stage.file("a\u{1b}[31m.frag", "#version 450\nvoid main() { x; }\n");
    stage.open(vec![path]);
    let text = stage.text();
    assert!(text.contains("Cannot open a\u{fffd}[31m.frag") && text.contains("void main() { x; }"), "{text}");
    assert!(!text.replace('\n', "").contains(char::is_control));
}

#[test]
fn help_opens_at_the_page_of_the_tab() {
    let mut stage = pair(LOOK, LARGE);
    for view in [ViewId::Packing, ViewId::Statistics, ViewId::GuessedLayout, ViewId::Registers] {
        stage.app.act(Command::ShowTab(view));
        stage.app.act(Command::Help);
        let page = lanescope_workbench::manual::of_view(view).expect("a page");
        let question = page.question();
        let begin: String = question.chars().take(24).collect();
        assert!(stage.text().contains(&begin), "{view:?}: {}", stage.text());
        stage.press(KeyCode::Esc);
    }
}

#[test]
fn any_size_is_drawn() {
    let mut stage = pair(LOOK, SMALL);
    for size in [(1, 1), (20, 5), (30, 8), (80, 6), (111, 19), (300, 100), (80, 24)] {
        stage.size = size;
        for overlay in [Command::Palette, Command::Keys, Command::Help, Command::About, Command::OpenPath] {
            stage.app.act(overlay);
            stage.draw();
            stage.press(KeyCode::Esc);
        }
        stage.draw();
        stage.app.act(Command::NextTab);
    }
}

#[test]
fn the_cursor_is_marked_without_colors() {
    let mut stage = pair(Look { colors: Colors::None, ..LOOK }, SMALL);
    stage.app.act(Command::ShowTab(ViewId::Registers));
    (0..4).for_each(|_| stage.press(KeyCode::Char('j')));
    let buffer = stage.draw();
    assert!(buffer.content.iter().any(|cell| cell.modifier.contains(Modifier::REVERSED)));
}

#[test]
fn themes_follow_the_command() {
    let mut stage = compute(LOOK, SMALL);
    stage.app.act(Command::SetTheme(Theme::Light));
    assert!(stage.app.look.light);
    stage.app.act(Command::SetTheme(Theme::System));
    assert!(!stage.app.look.light);
    let light = super::graphics::Answer { background: Some([255; 3]), ..Default::default() };
    stage.app.answered(&light);
    assert!(stage.app.look.light, "the terminal says that it is");
    stage.app.act(Command::SetTheme(Theme::Dark));
    assert!(!stage.app.look.light);
    stage.app.act(Command::SetTheme(Theme::System));
    assert!(stage.app.look.light);
}

#[test]
fn an_idle_terminal_waits_without_a_limit() {
    let mut stage = compute(LOOK, SMALL);
    stage.app.state.unsaved_since = None;
    stage.settle();
    stage.app.state.unsaved_since = None;
    assert_eq!(stage.app.next_wait(), None);
}

#[test]
fn two_code_objects_are_compared() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/code_objects");
    let mut stage = Stage::new(LOOK, (120, 60));
    stage.open(vec![format!("{folder}/fill.elf").into()]);
    stage.app.act(Command::CompareFiles(vec![format!("{folder}/fill_moved.elf").into()]));
    stage.settle();
    stage.draw();
    let text = stage.app.focused().text();
    for part in ["user data   differs: 3 values", "assembly    the same", "entry 4", "Show rows that are the same too"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
}
