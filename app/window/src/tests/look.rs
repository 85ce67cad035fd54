//! The whole window as a user sees it: each mode in light and dark, in small, common and large windows.

use egui_kittest::{Harness, SnapshotOptions, SnapshotResults};
use lanescope_inspector::mode::Mode;
use lanescope_inspector::settings::CompileSettings;
use lanescope_views::gallery;

use super::*;

/// A window that draws with a renderer. It is made in the first frame: only that has a context.
pub(super) struct Look {
    app: Option<App>,
    session: Session,
    folder: tempfile::TempDir,
}

impl Look {
    fn draw(ui: &mut egui::Ui, look: &mut Look) {
        let Look { app, session, folder } = look;
        let app = app.get_or_insert_with(|| {
            let engine = Engine::in_process(testing::compile, testing::speculate);
            let store = Store::at(folder.path().join("session.json"));
            App::new(ui.ctx(), engine, Some(store), std::mem::take(session))
        });
        app.draw(ui);
    }
}

/// A window with samples open.
pub(super) fn opened(size: [f32; 2], theme: Theme, files: &[&str]) -> Harness<'static, Look> {
    // Compiled below, with results that do not depend on a driver.
    let compile = CompileSettings { automatic: false, ..gallery::compiled().settings };
    let session = Session { theme, compile, size: Some(size), ..Session::default() };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let look = Look { app: None, session, folder };
    let mut harness = Harness::builder().with_size(size).build_ui_state(Look::draw, look);
    harness.run_steps(2);
    act(&mut harness, Command::OpenFiles(files.iter().map(|file| access::sample(file)).collect()));
    until(&mut harness, |app| app.state.program().is_some());
    harness
}

/// A window with the lit surface open in a mode.
fn window(size: [f32; 2], theme: Theme, mode: Mode) -> Harness<'static, Look> {
    let mut harness = opened(size, theme, &["lit_surface.vert", "lit_surface.frag"]);
    let app = app(&mut harness);
    let program = app.state.program_mut().expect("a program");
    let revision = program.revision;
    let compiled =
        lanescope_inspector::tasks::Compiled { settings: app.state.settings.compile.clone(), ..gallery::compiled() };
    let program = app.state.program_mut().expect("a program");
    program.results.compiled.take(revision, lanescope_inspector::settings::RunSettings::DEFAULT, Ok(compiled));
    act(&mut harness, Command::SetMode(mode));
    until(&mut harness, |app| app.services.jobs.statuses().next().is_none());
    name_devices(self::app(&mut harness));
    harness.run_steps(12);
    harness
}

/// The software device's name has the version of LLVM: it is the same in the pictures everywhere.
fn name_devices(app: &mut App) {
    let answer = app.state.settings.devices.answer.as_mut();
    let devices = answer.and_then(|answer| answer.result.as_mut().ok()).into_iter().flatten();
    for device in devices.filter(|device| device.name.starts_with("llvmpipe")) {
        "llvmpipe (LLVM 15.0.6, 256 bits)".clone_into(&mut device.name);
    }
}

pub(super) fn app<'h>(harness: &'h mut Harness<'static, Look>) -> &'h mut App {
    harness.state_mut().app.as_mut().expect("drawn")
}

pub(super) fn act(harness: &mut Harness<'static, Look>, command: Command) {
    app(harness).act(command);
    harness.run_steps(2);
}

pub(super) fn until(harness: &mut Harness<'static, Look>, holds: impl Fn(&App) -> bool) {
    let limit = Instant::now() + Duration::from_secs(60);
    while !holds(app(harness)) {
        assert!(Instant::now() < limit, "the window comes to rest");
        std::thread::sleep(Duration::from_millis(2));
        harness.run_steps(1);
    }
}

#[test]
fn the_window_matches_its_pictures() {
    let mut results = SnapshotResults::new();
    let themes = [(Theme::Light, "light"), (Theme::Dark, "dark")];
    let sizes = [([1280.0, 720.0], "1280"), ([400.0, 300.0], "400")];
    let mut looks = Vec::new();
    for mode in Mode::ALL {
        for (size, width) in sizes {
            looks.extend(themes.map(|(theme, name)| (mode, size, theme, format!("{}_{width}_{name}", mode.name()))));
        }
    }
    looks.push((Mode::Layout, [1600.0, 1000.0], Theme::Light, "layout_1600_light".to_owned()));
    looks.push((Mode::Compiled, [3840.0, 2160.0], Theme::Dark, "compiled_3840_dark".to_owned()));
    for (mode, size, theme, name) in looks {
        let mut harness = window(size, theme, mode);
        results.add(harness.try_snapshot_options(format!("window/{name}"), &SnapshotOptions::default()));
    }
}
