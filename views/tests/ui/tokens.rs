//! The page of measures and colours.

use egui_kittest::{Harness, SnapshotOptions, SnapshotResults};
use lanescope_views::theme::{Theme, ThemeOfUi as _, fonts};
use lanescope_views::tokens;

#[test]
fn the_page_of_measures_matches_its_pictures() {
    let mut results = SnapshotResults::new();
    for (theme, name) in [(Theme::light(), "light"), (Theme::dark(), "dark")] {
        let mut harness = Harness::builder().with_size([720.0, 480.0]).build_ui(|ui| {
            ui.ctx().set_visuals(theme.visuals());
            egui::Frame::new().fill(theme.page).inner_margin(tokens::space::BLOCK).show(ui, |ui| {
                ui.set_min_size(ui.available_size());
                tokens::page(ui, &theme);
            });
        });
        harness.ctx.set_fonts(fonts());
        harness.run_steps(4);
        results.add(harness.try_snapshot_options(format!("tokens_{name}"), &SnapshotOptions::default()));
    }
}
