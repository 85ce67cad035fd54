//! The window without a screen, driven as a user drives it: by pointer and keys, on what is in sight.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use egui::{Context, Event, FullOutput, Key, Modifiers, PointerButton, Pos2, RawInput, Rect, Shape, Vec2, pos2, vec2};
use lanescope_host::session::Session;
use lanescope_host::worker::EXECUTABLE;
use lanescope_inspector::tasks::Work;
use lanescope_workbench::engine::Engine;
use lanescope_workbench::state::tasks::Tag;

use crate::app::App;

/// The longest that a job may take.
const LIMIT: Duration = Duration::from_secs(60);
/// The longest that an answer without a job may take.
const ANSWER: Duration = Duration::from_secs(10);
/// What is seen of a text at least, in points.
const SEEN: Vec2 = vec2(4.0, 8.0);

/// A text that is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawn {
    /// The text.
    pub text: String,
    /// Its part in sight, in points.
    pub place: Rect,
}

/// A window of 1280x760 points without a screen. Foreign compilers run in children, as in the program itself.
pub struct Window {
    ctx: Context,
    app: App,
    time: f64,
    acts: usize,
}

impl std::fmt::Debug for Window {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Window").field("acts", &self.acts).finish_non_exhaustive()
    }
}

impl Window {
    /// Opens files as one program, as a start with them does. `executable` is the program that children are started from.
    pub fn open(executable: &Path, files: Vec<PathBuf>) -> Window {
        EXECUTABLE.get_or_init(|| executable.to_owned());
        let ctx = Context::default();
        ctx.enable_accesskit();
        let app = App::new(&ctx, Engine::isolated(), None, Session::default());
        let mut window = Window { ctx, app, time: 0.0, acts: 0 };
        window.app.begin(files, Vec::new());
        window.settle();
        window
    }

    /// Clicks and keys since the window was opened. What is typed into a field counts as one with its click.
    pub fn acts(&self) -> usize {
        self.acts
    }

    /// Draws until nothing is under way and no further frame is wanted.
    pub fn settle(&mut self) {
        let limit = Instant::now() + LIMIT;
        loop {
            let output = self.frame(Vec::new());
            let next = output.viewport_output.get(&egui::ViewportId::ROOT).map_or(Duration::MAX, |it| it.repaint_delay);
            // A paused run computes nothing.
            let computes = |tag: &Tag| match tag {
                Tag::Task(Work::Graph, Some(id)) => {
                    let program = self.app.state.programs.iter().find(|program| program.id == *id);
                    program.is_none_or(|program| program.results.paused_text().is_none())
                }
                _ => true,
            };
            let busy = self.app.services.jobs.statuses().any(|(tag, _)| computes(tag));
            if !busy && next == Duration::MAX {
                return;
            }
            if Instant::now() > limit {
                let jobs: Vec<_> = self.app.services.jobs.statuses().map(|(tag, _)| format!("{tag:?}")).collect();
                let causes = self.ctx.repaint_causes();
                panic!("the window does not come to rest: {jobs:?} {causes:?}\n{}", self.in_sight());
            }
            std::thread::sleep(Duration::from_millis(if busy { 5 } else { 1 }));
        }
    }

    /// The texts in sight.
    pub fn texts(&mut self) -> Vec<Drawn> {
        let output = self.frame(Vec::new());
        let mut drawn = Vec::new();
        for clipped in &output.shapes {
            collect(&clipped.shape, clipped.clip_rect, &mut drawn);
        }
        drawn
    }

    /// The texts in sight as one, for messages.
    pub fn in_sight(&mut self) -> String {
        self.texts().into_iter().map(|drawn| format!("{:?} {}\n", drawn.place, drawn.text)).collect()
    }

    /// Whether a text with this in it comes into sight: what another thread answers is waited for.
    pub fn sees(&mut self, text: &str) -> bool {
        let limit = Instant::now() + ANSWER;
        loop {
            if self.texts().iter().any(|drawn| drawn.text.contains(text)) {
                return true;
            }
            if Instant::now() > limit {
                return false;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Clicks the first text in sight that is this one; a control that has another name for screen readers is found by
    /// that.
    pub fn click(&mut self, text: &str) {
        let at = self.place(text);
        self.click_at(at);
    }

    /// Clicks the last text in sight that is this one: of several, the one that is drawn last, which is at the right or below.
    pub fn click_last(&mut self, text: &str) {
        let found = self.texts().into_iter().rfind(|drawn| drawn.text == text);
        let at = found.unwrap_or_else(|| panic!("`{text}` is not in sight:\n{}", self.in_sight())).place.center();
        self.click_at(at);
    }

    /// Clicks a place.
    pub fn click_at(&mut self, at: Pos2) {
        self.acts += 1;
        let press = |pressed| Event::PointerButton {
            pos: at,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        self.frame(vec![Event::PointerMoved(at)]);
        self.frame(vec![press(true)]);
        self.frame(vec![press(false)]);
        // The pointer leaves, so that no tooltip covers what is read next.
        self.frame(vec![Event::PointerGone]);
        self.settle();
    }

    /// Clicks twice, as fast as a double click is.
    pub fn double_click(&mut self, text: &str) {
        let at = self.place(text);
        self.acts += 1;
        self.frame(vec![Event::PointerMoved(at)]);
        for pressed in [true, false, true, false] {
            let event =
                Event::PointerButton { pos: at, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE };
            self.frame(vec![event]);
        }
        self.frame(vec![Event::PointerGone]);
        self.settle();
    }

    /// Presses a key.
    pub fn key(&mut self, modifiers: Modifiers, key: Key) {
        self.acts += 1;
        // Where Ctrl is the key of commands, both are set.
        let modifiers = Modifiers { command: modifiers.ctrl, ..modifiers };
        let event = |pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers };
        self.frame(vec![event(true), event(false)]);
        self.settle();
    }

    /// Types into what has the keyboard.
    pub fn type_text(&mut self, text: &str) {
        self.frame(vec![Event::Text(text.to_owned())]);
        self.settle();
    }

    /// Clicks a field, types into it and enters it: one act.
    pub fn fill(&mut self, field: &str, text: &str) {
        let acts = self.acts;
        self.click(field);
        self.key(Modifiers::CTRL, Key::A);
        self.type_text(text);
        self.key(Modifiers::NONE, Key::Enter);
        self.acts = acts + 1;
    }

    /// The middle of a text or control in sight.
    ///
    /// # Panics
    /// Nothing in sight is called so.
    pub fn place(&mut self, text: &str) -> Pos2 {
        if let Some(drawn) = self.texts().into_iter().find(|drawn| drawn.text == text) {
            return drawn.place.center();
        }
        self.control(text)
            .unwrap_or_else(|| panic!("`{text}` is not in sight:\n{}\n{:#?}", self.in_sight(), self.names()))
    }

    /// The names of the controls for screen readers.
    pub fn names(&mut self) -> Vec<String> {
        self.controls().into_iter().map(|(name, _)| name).collect()
    }

    fn control(&mut self, name: &str) -> Option<Pos2> {
        let screen = Rect::from_min_size(Pos2::ZERO, SIZE);
        let all = self.controls();
        let found = all.iter().find(|(is, _)| is == name).or_else(|| all.iter().find(|(is, _)| is.starts_with(name)));
        found.map(|(_, place)| place.center()).filter(|at| screen.contains(*at))
    }

    fn controls(&mut self) -> Vec<(String, Rect)> {
        let output = self.frame(Vec::new());
        let Some(tree) = output.platform_output.accesskit_update else { return Vec::new() };
        let named = tree.nodes.iter().filter_map(|(_, node)| {
            let bounds = node.bounds()?;
            let (from, to) = (pos2(bounds.x0 as f32, bounds.y0 as f32), pos2(bounds.x1 as f32, bounds.y1 as f32));
            Some((node.label().or(node.value())?.to_owned(), Rect::from_min_max(from, to)))
        });
        named.collect()
    }

    fn frame(&mut self, events: Vec<Event>) -> FullOutput {
        self.time += 1.0 / 60.0;
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, SIZE)),
            time: Some(self.time),
            events,
            ..RawInput::default()
        };
        self.app.before_input(&mut input);
        let app = &mut self.app;
        self.ctx.run_ui(input, |ui| app.draw(ui))
    }
}

const SIZE: Vec2 = vec2(1280.0, 760.0);

/// Collects the texts of a shape of which enough is in sight to be read.
fn collect(shape: &Shape, clip: Rect, drawn: &mut Vec<Drawn>) {
    match shape {
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, clip, drawn)),
        Shape::Text(text) => {
            let place = Rect::from_min_size(text.pos, text.galley.size()).intersect(clip);
            if place.width() >= SEEN.x && place.height() >= SEEN.y {
                drawn.push(Drawn { text: text.galley.text().to_owned(), place });
            }
        }
        _ => {}
    }
}
