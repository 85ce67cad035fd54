//! The session, colors, overlays.

use lanescope_core::target::Target;
use lanescope_inspector::command::{Purpose, Screen};
use lanescope_inspector::settings::{Preferences, Theme};
use lanescope_inspector::view::ViewId;

use super::*;
use crate::state::overlay::{HelpAt, Overlay};
use crate::state::saving::Pending;

#[test]
pub fn quits() {
    let mut bench = Bench::new();
    bench.run(Command::Quit);
    assert!(bench.had(|effect| matches!(effect, Effect::Close)));
}

#[test]
pub fn sets_the_theme() {
    let mut bench = Bench::new();
    bench.run(Command::ToggleTheme);
    assert_eq!(bench.state.session.theme, Theme::Dark, "light colors are shown");
    bench.run(Command::SetTheme(Theme::System));
    assert_eq!(bench.state.session.theme, Theme::System);
    assert!(bench.had(|effect| matches!(effect, Effect::Theme(Theme::System))));
}

#[test]
fn terminals_and_windows_have_themes_of_their_own() {
    let mut bench = Bench::new();
    bench.state.is_terminal = true;
    bench.run(Command::SetTheme(Theme::Dark));
    assert_eq!((bench.state.theme(), bench.state.session.theme), (Theme::Dark, Theme::System));
    bench.state.is_terminal = false;
    bench.run(Command::SetTheme(Theme::Light));
    assert_eq!((bench.state.session.theme, bench.state.session.terminal_theme), (Theme::Light, Theme::Dark));
}

#[test]
pub fn zooms() {
    let mut bench = Bench::new();
    for (command, zoom) in [(Command::ZoomIn, 1.1), (Command::ZoomReset, 1.0), (Command::ZoomOut, 0.9)] {
        bench.run(command);
        assert!(bench.had(|effect| matches!(effect, Effect::Zoom(to) if *to == zoom)), "{zoom}");
        assert_eq!(bench.state.session.preferences.zoom, zoom, "the session keeps it");
    }
}

#[test]
pub fn changes_the_preferences() {
    let mut bench = Bench::new();
    let preferences = Preferences { target: Some(Target::Gfx1100), zoom: f32::NAN, reopen: false };
    bench.run(Command::SetPreferences(preferences));
    assert_eq!(bench.state.session.preferences, Preferences { zoom: 1.0, ..preferences }, "any number can be drawn");
    let path = bench.file("lit.frag", FRAGMENT);
    bench.open(&[&path]);
    assert_eq!(bench.program().options.target, Target::Gfx1100);
}

#[test]
pub fn explains_codes_of_findings() {
    let mut bench = Bench::new();
    bench.run(Command::Explain("p002".to_owned()));
    assert!(matches!(&bench.state.overlay, Overlay::Explanation(code) if code == "P002"));
    bench.run(Command::CloseOverlay);
    bench.run(Command::Explain("P0".to_owned()));
    assert!(matches!(bench.state.overlay, Overlay::None));
    assert!(bench.message().starts_with("Not a finding code: `P0`"), "{}", bench.message());
}

#[test]
pub fn folds_tabs_of_a_narrow_window() {
    let mut bench = Bench::new();
    let wide = bench.state.tabs.layout().clone();
    let narrow = Screen { narrow: true, size: Some([400.0, 300.0]), dark: true };
    bench.run(Command::SetScreen(narrow));
    assert!(bench.state.tabs.folded() && bench.state.session.size == Some([400.0, 300.0]));
    bench.run(Command::LargerGroup);
    assert_eq!(bench.message(), "The window is too narrow for a second pane.");
    bench.run(Command::ToggleTheme);
    assert_eq!(bench.state.session.theme, Theme::Light, "dark colors are shown");
    bench.run(Command::SetScreen(Screen { narrow: false, ..narrow }));
    assert_eq!(*bench.state.tabs.layout(), wide);
}

#[test]
pub fn writes_the_session() {
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    assert!(bench.state.unsaved_since.is_some());
    bench.run(Command::SaveSession);
    assert!(bench.state.unsaved_since.is_none());
    bench.settle();
    let path = bench.folder.path().join("session.json");
    let limit = Instant::now() + Duration::from_secs(30);
    while !path.exists() {
        assert!(Instant::now() < limit, "it is written");
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(Store::at(path).load().0.open.len(), 1);
}

#[test]
pub fn lists_names_of_a_folder() {
    let mut bench = Bench::new();
    bench.file("lit.frag", FRAGMENT);
    let folder = bench.folder.path().to_owned();
    bench.run(Command::OpenPath);
    bench.run(Command::ListNames(folder.clone()));
    bench.settle();
    let Overlay::Path(question) = &bench.state.overlay else { panic!("a path is typed") };
    assert_eq!(question.names, Some((folder, vec!["lit.frag".to_owned()])));
}

#[test]
pub fn opens_and_closes_overlays() {
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    for (command, is) in [
        (Command::Palette, (|overlay| matches!(overlay, Overlay::Palette)) as fn(&Overlay) -> bool),
        (Command::Help, |overlay| matches!(overlay, Overlay::Help(HelpAt::Tab(Some(ViewId::Packing))))),
        (Command::Keys, |overlay| matches!(overlay, Overlay::Keys)),
        (Command::About, |overlay| matches!(overlay, Overlay::About)),
        (Command::Preferences, |overlay| matches!(overlay, Overlay::Preferences)),
        (Command::OpenPath, |overlay| matches!(overlay, Overlay::Path(_))),
    ] {
        let number = bench.state.overlay_number;
        bench.run(command.clone());
        assert!(is(&bench.state.overlay) && bench.state.overlay_number > number, "{command:?}");
        bench.run(Command::CloseOverlay);
        assert!(matches!(bench.state.overlay, Overlay::None), "{command:?}");
    }
    // Closing a question for a place cancels the save.
    bench.state.pending = Some(Pending::File(Vec::new(), String::new()));
    let question = crate::state::overlay::PathQuestion::new(Purpose::Save, None);
    bench.state.show_overlay(Overlay::Path(question));
    bench.run(Command::CloseOverlay);
    assert!(bench.state.pending.is_none());
}

#[test]
pub fn dismisses_messages() {
    let mut bench = Bench::new();
    bench.state.messages.error("lost");
    let number = bench.state.messages.all()[0].number;
    bench.run(Command::Dismiss(number));
    assert!(bench.state.messages.all().is_empty());
}
