//! Diagrams on the screen: painted, zoomed, hit and selected.

pub mod canvas;
mod paint;

pub use lanescope_pictures::picture::*;
pub use paint::{Emphasis, paint};

#[cfg(test)]
mod tests {
    use egui::{Color32, FontFamily, FontId};

    use super::*;

    #[test]
    fn widths_match_the_windows_fonts() {
        let mut fonts = egui::epaint::text::Fonts::new(Default::default(), Default::default());
        let mut view = fonts.with_pixels_per_point(4.0);
        let all: String = (' '..='~').chain("·×–−".chars()).collect();
        for (font, family) in [(Font::Words, FontFamily::Proportional), (Font::Code, FontFamily::Monospace)] {
            for text in all.chars().map(String::from).chain([all.clone(), "…".into(), "wave 0 → 16".into()]) {
                let galley = view.layout_no_wrap(text.clone(), FontId::new(100.0, family.clone()), Color32::BLACK);
                let (real, ours) = (galley.size().x, text_width(&text, font, 100.0));
                // Kerning makes a line of words narrower, never wider by more than rounding.
                assert!(ours >= real * 0.995 - 1.0, "{text:?} in {font:?}: {ours} for {real}");
                assert!(ours <= real * 1.25 + 1.0 || text == "wave 0 → 16", "{text:?} in {font:?}: {ours} for {real}");
            }
        }
    }
}
