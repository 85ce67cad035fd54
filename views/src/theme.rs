//! Colours and fonts of egui that go with those of pictures.

use egui::{Color32, Visuals};
pub use lanescope_pictures::theme::{SERIES, Series, Theme, Tokens, contrast, mix};

/// Backgrounds of text fields, which egui alone uses.
const EXTREMES: [Color32; 2] = [Color32::from_rgb(0xff, 0xff, 0xff), Color32::from_rgb(0x0f, 0x11, 0x14)];

/// A theme, and egui's mode.
pub trait ThemeOfUi {
    /// The theme that goes with egui's mode.
    fn of(ui: &egui::Ui) -> Self;
    /// egui's colours, so that widgets are on the same page as pictures.
    fn visuals(&self) -> Visuals;
}

impl ThemeOfUi for Theme {
    fn of(ui: &egui::Ui) -> Self {
        if ui.visuals().dark_mode { Self::dark() } else { Self::light() }
    }

    fn visuals(&self) -> Visuals {
        let mut visuals = if self.dark { Visuals::dark() } else { Visuals::light() };
        visuals.panel_fill = self.page;
        visuals.window_fill = self.page;
        visuals.extreme_bg_color = EXTREMES[usize::from(self.dark)];
        visuals.faint_bg_color = self.panel;
        // On a white page a white field would not be seen.
        visuals.text_edit_bg_color = Some(self.field);
        visuals.override_text_color = Some(self.ink);
        visuals.weak_text_color = Some(self.ink_soft);
        visuals.hyperlink_color = self.accent;
        visuals.warn_fg_color = self.warn;
        // Disabled text can still be read.
        visuals.disabled_alpha = 0.68;
        visuals
    }
}

/// Tokens, and egui's mode.
pub trait TokensOfVisuals {
    /// The tokens that go with egui's visuals.
    fn of(visuals: &Visuals) -> &'static Tokens;
}

impl TokensOfVisuals for Tokens {
    fn of(visuals: &Visuals) -> &'static Tokens {
        Tokens::on(visuals.dark_mode)
    }
}

/// The fonts of the window: arrows and other signs that the proportional font lacks come from the monospaced one.
pub fn fonts() -> egui::FontDefinitions {
    let mut fonts = egui::FontDefinitions::default();
    let signs = fonts.families.get(&egui::FontFamily::Monospace).and_then(|fonts| fonts.first()).cloned();
    if let Some(family) = fonts.families.get_mut(&egui::FontFamily::Proportional) {
        family.extend(signs);
    }
    fonts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disabled_text_can_be_read() {
        for theme in [Theme::dark(), Theme::light()] {
            let visuals = theme.visuals();
            for ground in [theme.page, theme.panel, visuals.extreme_bg_color] {
                let button = mix(ground, visuals.widgets.inactive.weak_bg_fill, visuals.disabled_alpha);
                for ground in [ground, button] {
                    let shown = mix(ground, theme.ink, visuals.disabled_alpha);
                    let contrast = contrast(shown, ground);
                    assert!(contrast >= 4.5, "{shown:?} on {ground:?}: {contrast:.2}");
                    assert_ne!(shown, theme.ink, "it is seen that it is disabled");
                }
            }
        }
    }
}
