//! The window without a screen: frames are drawn and thrown away.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use egui::{Context, Event, Key, Modifiers, RawInput, Rect, ViewportId, pos2, vec2};

use lanescope_inspector::command::{Command, OpenChange, PictureFile, Purpose};

use super::app::App;
use super::no_window;
use lanescope_host::jobs::News;
use lanescope_host::session::{Session, Store, Theme};
use lanescope_inspector::view::ViewId;
use lanescope_workbench::commands::TABLE;
use lanescope_workbench::engine::Engine;
use lanescope_workbench::engine::testing;
use lanescope_workbench::outcome::Outcome;
use lanescope_workbench::state::Page;
use lanescope_workbench::state::overlay::Overlay;
use lanescope_workbench::state::saving::Pending;
use lanescope_workbench::state::tasks::Tag;

mod access;
mod compare;
mod containers;
mod converter;
mod corpus;
mod debugging;
mod files;
mod help;
mod look;
mod menus;
mod opening;
mod options;
mod pages;
mod pipelines;
mod reach;
mod request;
mod scripts;
#[cfg(feature = "soak")]
mod soak;
mod speculative;
mod stepping;
mod texts;

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

/// A window on a folder of its own.
struct Stage {
    ctx: Context,
    frame: App,
    folder: tempfile::TempDir,
    /// In points.
    size: egui::Vec2,
    /// Pixels of a point, where the system says.
    scale: Option<f32>,
    time: f64,
}

impl Stage {
    fn new(session: Session) -> Stage {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let ctx = Context::default();
        let store = Store::at(folder.path().join("session.json"));
        let frame = App::new(&ctx, Engine::in_process(testing::compile, testing::speculate), Some(store), session);
        Stage { ctx, frame, folder, size: vec2(1200.0, 800.0), scale: None, time: 0.0 }
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).expect("the folder is writable");
        path
    }

    /// Draws one frame; returns when the next one is wanted.
    fn draw(&mut self, events: Vec<Event>) -> Duration {
        let output = self.output(events);
        output.viewport_output.get(&ViewportId::ROOT).expect("the window").repaint_delay
    }

    /// Draws one frame; returns its full output.
    fn output(&mut self, events: Vec<Event>) -> egui::FullOutput {
        self.time += 1.0 / 60.0;
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), self.size)),
            time: Some(self.time),
            events,
            ..RawInput::default()
        };
        input.viewports.entry(ViewportId::ROOT).or_default().native_pixels_per_point = self.scale;
        self.frame.before_input(&mut input);
        let frame = &mut self.frame;
        self.ctx.run_ui(input, |ui| frame.draw(ui))
    }

    fn drop_file(&mut self, path: &Path) {
        self.time += 1.0 / 60.0;
        let file: egui::DroppedFileHandle = std::sync::Arc::new(Dropped(path.to_owned()));
        let input = RawInput { time: Some(self.time), dropped_files: vec![file], ..RawInput::default() };
        let frame = &mut self.frame;
        let _ = self.ctx.run_ui(input, |ui| frame.draw(ui));
    }

    fn press(&mut self, modifiers: Modifiers, key: Key) {
        let event = |pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers };
        self.draw(vec![event(true), event(false)]);
    }

    /// Draws until something holds.
    fn until(&mut self, what: &str, holds: impl Fn(&App) -> bool) {
        let limit = Instant::now() + Duration::from_secs(30);
        while !holds(&self.frame) {
            self.draw(Vec::new());
            assert!(Instant::now() < limit, "{what}");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Draws until nothing is under way and no further frame is wanted.
    fn settle(&mut self) {
        let limit = Instant::now() + Duration::from_secs(30);
        loop {
            let next = self.draw(Vec::new());
            let busy = self.frame.services.jobs.statuses().next().is_some();
            if !busy && next == Duration::MAX {
                return;
            }
            assert!(Instant::now() < limit, "the window comes to rest; a frame is wanted in {next:?}");
            // The input clock advances with each drawn frame; the session uses the wall clock.
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Takes the result of a job.
    fn take(&mut self, tag: Tag, outcome: Outcome) {
        let effects = lanescope_workbench::update::take(&mut self.frame.state, &tag, News::Done(outcome));
        self.frame.carry_out(effects);
    }

    fn open(&mut self, paths: &[&Path]) {
        let count = self.frame.state.programs.len();
        self.frame.act(Command::OpenFiles(paths.iter().map(|path| path.to_path_buf()).collect()));
        self.until("it opens", |frame| frame.state.programs.len() > count || frame.state.failure.is_some());
    }

    fn revision(&self) -> u64 {
        self.frame.state.program().expect("a program").revision
    }
}

#[test]
fn an_idle_window_requests_no_frame() {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("lit.frag", FRAGMENT);
    stage.settle();
    stage.open(&[&path]);
    stage.settle();
    for tab in 0..stage.frame.views.len() {
        let name = stage.frame.views[tab].info().id;
        stage.frame.act(Command::ShowTab(name));
        stage.settle();
        assert_eq!(stage.draw(Vec::new()), Duration::MAX, "{name} rests");
    }
    for overlay in [Command::Palette, Command::Help, Command::Keys, Command::OpenPath] {
        stage.frame.act(overlay);
        stage.settle();
        stage.press(Modifiers::NONE, Key::Escape);
    }
}

#[test]
fn a_failed_open_changes_nothing() {
    let mut stage = Stage::new(Session::default());
    let (good, bad) = (stage.file("lit.frag", FRAGMENT), stage.file("bad.frag", "#version 450\nvoid main() { x; }\n"));
    stage.open(&[&good]);
    let revision = stage.revision();
    stage.open(&[&bad]);
    let failure = stage.frame.state.failure.as_ref().expect("the page of the failure");
    assert_eq!(failure.paths, std::slice::from_ref(&bad));
    assert!(failure.failure.message.contains("undeclared"), "{}", failure.failure);
    assert_eq!((stage.frame.state.programs.len(), stage.revision()), (1, revision));
    stage.press(Modifiers::NONE, Key::Escape);
    assert!(stage.frame.state.failure.is_none());
    assert_eq!(stage.frame.state.page, Page::Program);
    stage.settle();
}

#[test]
fn offers_a_choice_of_entry_points() {
    let mut stage = Stage::new(Session::default());
    let text = "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %f \"day\"
OpEntryPoint Fragment %f \"night\"
OpExecutionMode %f OriginUpperLeft
%void = OpTypeVoid
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%l = OpLabel
OpReturn
OpFunctionEnd
";
    let path = stage.file("two.spvasm", text);
    stage.open(&[&path]);
    let failure = stage.frame.state.failure.as_ref().expect("a choice is needed").failure.clone();
    assert_eq!(failure.entries, ["day", "night"], "{failure}");
    stage.frame.act(Command::OpenChanged(vec![path], OpenChange::Entry("night".to_owned())));
    stage.until("it opens", |frame| !frame.state.programs.is_empty());
    assert_eq!(stage.frame.state.program().expect("a program").analysis.report.stages[0].entry, "night");
    assert!(stage.frame.state.failure.is_none());
}

#[test]
fn reloads_a_changed_file_and_keeps_the_selection() {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("lit.frag", FRAGMENT);
    stage.open(&[&path]);
    stage.settle();
    let selection = lanescope_inspector::selection::Selection {
        varying: Some(lanescope_inspector::selection::Varying { location: 3, component: None }),
        ..Default::default()
    };
    stage.frame.state.program_mut().expect("a program").selection = selection.clone();
    let before = stage.revision();

    stage.file("lit.frag", &FRAGMENT.replace("gloss, 1.0", "gloss, gloss"));
    stage.until("the change is seen", |frame| frame.state.program().is_some_and(|program| program.revision > before));
    assert_eq!(stage.frame.state.program().expect("a program").selection, selection);

    let before = stage.revision();
    stage.file("lit.frag", "#version 450\nbroken");
    stage.until("the break is seen", |frame| frame.state.program().is_some_and(|program| program.stale.is_some()));
    assert_eq!(stage.revision(), before, "what was there stays");
    assert!(stage.frame.state.failure.is_none());

    stage.file("lit.frag", FRAGMENT);
    stage.until("the repair is seen", |frame| frame.state.program().is_some_and(|program| program.stale.is_none()));
    assert_eq!(stage.frame.state.program().expect("a program").selection, selection);
}

#[test]
fn opens_a_program_with_a_tab_that_has_content() {
    let mut stage = Stage::new(Session::default());
    let (fragment, compute) = (stage.file("lit.frag", FRAGMENT), stage.file("group.comp", COMPUTE));
    stage.open(&[&compute]);
    assert!(stage.frame.state.tabs.shows(ViewId::Workgroup) && !stage.frame.state.tabs.shows(ViewId::Packing));
    // Keys go to another tab that is in front as well.
    stage.frame.act(Command::ShowTab(ViewId::Source));
    stage.open(&[&fragment]);
    assert!(stage.frame.state.tabs.shows(ViewId::Packing) && !stage.frame.state.tabs.shows(ViewId::Workgroup));
    stage.frame.act(Command::ShowTab(ViewId::Registers));
    let compute = stage.file("other.comp", COMPUTE);
    stage.open(&[&compute]);
    assert_eq!(stage.frame.state.tabs.focus(), Some(ViewId::Workgroup), "it begins with its answer");
    stage.settle();
    let (session, _) = Store::at(stage.folder.path().join("session.json")).load();
    let shown = stage.frame.state.tabs.shown_of().map(|(_, shown)| shown);
    assert_eq!(session.open.last().and_then(|program| program.tabs.clone()), shown);
}

#[test]
fn exports_the_picture_that_was_shown() {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("group.comp", COMPUTE);
    stage.open(&[&path]);
    let picture = lanescope_views::picture::Picture::new("shown", egui::Color32::WHITE);
    stage.frame.state.pending = Some(Pending::Picture(PictureFile::new(picture.clone()), String::new()));
    stage.frame.act(Command::CloseProgram);
    let target = stage.folder.path().join("saved.svg");
    stage.frame.act(Command::TakePaths(Purpose::Save, vec![target.clone()]));
    stage.settle();
    let saved = std::fs::read_to_string(target).expect("it was written");
    assert_eq!(saved, lanescope_views::draw::svg(&picture));
}

#[test]
fn options_reach_the_report_and_are_restored_with_the_file() {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("lit.frag", FRAGMENT);
    stage.open(&[&path]);
    let mut options = stage.frame.state.program().expect("a program").options.clone();
    options.no_pack = true;
    stage.frame.act(Command::SetOptions(Box::new(options)));
    stage.frame.act(Command::SideBySide);
    stage.until("both are analysed", |frame| {
        frame.state.program().is_some_and(|program| {
            program.analysis.report.options.no_pack
                && program.analysis.other.as_ref().is_some_and(|o| o.options.no_pack)
        })
    });
    stage.settle();
    stage.frame.act(Command::CloseProgram);
    assert_eq!(stage.frame.state.page, Page::Gallery);
    stage.open(&[&path]);
    assert!(stage.frame.state.program().expect("a program").analysis.report.options.no_pack);
}

#[test]
fn saves_and_restores_the_session() {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("group.comp", COMPUTE);
    stage.open(&[&path]);
    stage.frame.act(Command::SetTheme(Theme::Dark));
    stage.frame.act(Command::ShowTab(ViewId::Source));
    stage.settle();
    let (session, message) = Store::at(stage.folder.path().join("session.json")).load();
    assert_eq!(message, None);
    assert_eq!(session.theme, Theme::Dark);
    assert_eq!(session.open.len(), 1);
    assert_eq!(session.recent.front().map(|recent| recent.paths.as_slice()), Some(&[path][..]));
    let mut again = Stage::new(session.clone());
    again.settle();
    again.frame.act(Command::Reopen);
    again.until("it opens again", |frame| frame.state.programs.len() == 1);
    assert_eq!(again.frame.state.tabs.focus(), Some(ViewId::Source));
    assert_eq!(again.frame.state.tabs.shown_of().map(|(_, shown)| shown), session.open[0].tabs);
}

#[test]
fn every_command_runs_in_any_state() {
    for with_program in [false, true] {
        let mut stage = Stage::new(Session::default());
        let path = stage.file("group.comp", COMPUTE);
        for row in TABLE {
            // These wait for a person in front of the system's dialog.
            const WAITING: [Command; 5] =
                [Command::Open, Command::Compare, Command::Variants, Command::ExportPicture, Command::ExportScript];
            if WAITING.contains(&row.command) {
                continue;
            }
            if with_program && stage.frame.state.programs.is_empty() {
                stage.open(&[&path]);
            }
            stage.frame.act(row.command.clone());
            stage.draw(Vec::new());
            stage.press(Modifiers::NONE, Key::Escape);
            stage.draw(Vec::new());
            assert!(matches!(stage.frame.state.overlay, Overlay::None), "{:?} closes with Escape", row.command);
        }
    }
}

#[test]
fn keys_run_the_commands_of_the_table() {
    let mut stage = Stage::new(Session::default());
    let (a, b) = (stage.file("lit.frag", FRAGMENT), stage.file("group.comp", COMPUTE));
    stage.open(&[&a]);
    stage.open(&[&b]);
    stage.settle();
    let tab = stage.frame.state.tabs.focus();
    stage.press(Modifiers::COMMAND, Key::PageDown);
    assert_ne!(stage.frame.state.tabs.focus(), tab);
    stage.press(Modifiers::COMMAND, Key::PageUp);
    assert_eq!(stage.frame.state.tabs.focus(), tab);
    stage.press(Modifiers::COMMAND, Key::Tab);
    assert_eq!(stage.frame.state.active, 0, "around the end");
    stage.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::Tab);
    assert_eq!(stage.frame.state.active, 1);
    stage.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::Tab);
    assert_eq!(stage.frame.state.active, 0);
    stage.press(Modifiers::COMMAND, Key::K);
    assert!(matches!(stage.frame.state.overlay, Overlay::Palette));
    stage.draw(vec![Event::Text("next program".to_owned())]);
    stage.press(Modifiers::NONE, Key::Enter);
    assert!(matches!(stage.frame.state.overlay, Overlay::None));
    assert_eq!(stage.frame.state.active, 1);
    let revision = stage.revision();
    stage.press(Modifiers::NONE, Key::F5);
    stage.until("it is reloaded", |frame| frame.state.program().is_some_and(|program| program.revision > revision));
    stage.press(Modifiers::COMMAND, Key::W);
    stage.press(Modifiers::COMMAND, Key::W);
    assert_eq!(stage.frame.state.page, Page::Gallery);
}

#[derive(Debug)]
struct Dropped(PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

#[test]
fn files_dropped_together_are_one_pipeline() {
    let mut stage = Stage::new(Session::default());
    let vertex = "#version 450\nlayout(location=0) out vec2 uv;\nlayout(location=3) out float gloss;\n\
                  void main() { uv = vec2(0); gloss = 1; gl_Position = vec4(0); }\n";
    let (a, b) = (stage.file("lit.vert", vertex), stage.file("lit.frag", FRAGMENT));
    for path in [&a, &b] {
        // Each in its own frame, as a window system may deliver them.
        stage.drop_file(path);
    }
    stage.until("they open", |frame| !frame.state.programs.is_empty() || frame.state.failure.is_some());
    assert_eq!(stage.frame.state.program().expect("one program").paths, [a, b]);
}

#[test]
fn a_dropped_folder_lists_its_pipelines() {
    let mut stage = Stage::new(Session::default());
    let vertex = "#version 450\nvoid main() { gl_Position = vec4(0); }\n";
    for (name, text) in [("a.vert", vertex), ("a.frag", FRAGMENT), ("group.comp", COMPUTE)] {
        stage.file(name, text);
    }
    let folder = stage.folder.path().to_owned();
    stage.drop_file(&folder);
    stage.until("it asks which one", |frame| matches!(frame.state.overlay, Overlay::Pipelines(_)));
    stage.settle();
    let names: Vec<String> = stage.look().into_values().map(|control| control.name).collect();
    assert!(names.iter().any(|name| name.contains("group.comp")), "{names:?}");
}

#[test]
fn every_table_can_be_copied_by_key() {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("lit.frag", FRAGMENT);
    stage.open(&[&path]);
    for tab in [ViewId::Packing, ViewId::Registers, ViewId::Source] {
        stage.frame.act(Command::ShowTab(tab));
        stage.draw(Vec::new());
        stage.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::C);
        stage.draw(Vec::new());
        let message = stage.frame.state.messages.texts().last().map(|text| text.to_string()).unwrap_or_default();
        assert!(message.starts_with("Copied"), "{tab}: {message}");
        stage.frame.state.messages = Default::default();
    }
}

#[test]
fn small_windows_are_drawn() {
    for size in [vec2(320.0, 240.0), vec2(400.0, 300.0), vec2(90.0, 60.0)] {
        let mut stage = Stage::new(Session::default());
        stage.size = size;
        let path = stage.file("lit.frag", FRAGMENT);
        stage.frame.begin(Vec::new(), Vec::new());
        stage.draw(Vec::new());
        stage.open(&[&path]);
        for overlay in [Command::Keys, Command::Palette, Command::About, Command::Options] {
            stage.frame.act(overlay);
            stage.draw(Vec::new());
            stage.press(Modifiers::NONE, Key::Escape);
        }
        stage.settle();
    }
}

#[test]
fn narrow_windows_have_one_pane_and_wide_ones_are_restored() {
    let mut stage = Stage::new(Session::default());
    let path = stage.file("lit.frag", FRAGMENT);
    stage.open(&[&path]);
    stage.settle();
    let wide = Some(stage.frame.state.tabs.layout().clone());
    assert!(stage.frame.state.tabs.shows(ViewId::Packing) && stage.frame.state.tabs.shows(ViewId::Source));
    stage.size = vec2(400.0, 300.0);
    stage.settle();
    assert!(stage.frame.state.tabs.shows(ViewId::Packing) && !stage.frame.state.tabs.shows(ViewId::Source));
    stage.frame.act(Command::ShowTab(ViewId::Source));
    stage.settle();
    assert!(stage.frame.state.tabs.shows(ViewId::Source) && !stage.frame.state.tabs.shows(ViewId::Packing));
    let (session, _) = Store::at(stage.folder.path().join("session.json")).load();
    assert!(session.tabs.layouts.is_empty(), "a narrow window's tabs are not kept");
    stage.size = vec2(1200.0, 800.0);
    stage.settle();
    assert_eq!(Some(stage.frame.state.tabs.layout().clone()), wide);
    assert_eq!(stage.frame.state.tabs.focus(), Some(ViewId::Source));
}

#[test]
fn opens_names_that_are_not_utf8_and_long_names() {
    use std::os::unix::ffi::OsStringExt as _;
    let mut stage = Stage::new(Session::default());
    stage.size = vec2(400.0, 300.0);
    let deep = (0..12).fold(stage.folder.path().to_owned(), |path, _| path.join("d".repeat(250)));
    std::fs::create_dir_all(&deep).expect("writable");
    let long = deep.join(format!("{}.frag", "x".repeat(240)));
    let odd = stage.folder.path().join(std::ffi::OsString::from_vec(b"bad\xff name.frag".to_vec()));
    for path in [&odd, &long] {
        std::fs::write(path, FRAGMENT).expect("writable");
        stage.open(&[path]);
        stage.settle();
        assert_eq!(stage.frame.state.program().expect("it opens").paths, std::slice::from_ref(path));
        stage.frame.act(Command::Options);
        stage.frame.act(Command::Palette);
        stage.settle();
        stage.press(Modifiers::NONE, Key::Escape);
        // Errors are reported under the same names.
        std::fs::write(path, "#version 450\nbroken").expect("writable");
        stage.frame.act(Command::Reload);
        stage.until("the break is seen", |frame| frame.state.program().is_some_and(|program| program.stale.is_some()));
        stage.frame.act(Command::CloseProgram);
        stage.frame.act(Command::OpenFiles(vec![path.clone()]));
        stage.until("the page of the failure", |frame| frame.state.failure.is_some());
        stage.settle();
        stage.frame.act(Command::LeaveFailure);
    }
    let (session, message) = Store::at(stage.folder.path().join("session.json")).load();
    assert_eq!(message, None);
    assert!(session.recent.iter().any(|program| program.paths == [long.clone()]));
}

#[test]
fn reports_a_missing_display_without_source_lines() {
    for (error, expected) in [
        ("winit EventLoopError: os error at /x/linux/mod.rs:765: neither DISPLAY is set.", "neither DISPLAY is set."),
        ("OpenGL is missing", "OpenGL is missing"),
    ] {
        let message = no_window(error);
        assert_eq!(message.lines().next(), Some(format!("no window can be opened: {expected}").as_str()));
    }
}
