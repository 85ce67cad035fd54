//! Names that are too long for their place: they are cut in the middle, where names of files differ least.

use egui::{FontSelection, Galley, TextStyle, Ui};
use std::sync::Arc;

/// A name in at most this width, in points, in the font of labels and buttons. A cut one has `…` in its middle.
pub fn elided(ui: &Ui, name: &str, width: f32) -> String {
    let font = FontSelection::from(TextStyle::Body).resolve(ui.style());
    let laid_out =
        |text: String| -> Arc<Galley> { ui.painter().layout_no_wrap(text, font.clone(), egui::Color32::PLACEHOLDER) };
    if laid_out(name.to_owned()).size().x <= width {
        return name.to_owned();
    }
    let characters: Vec<char> = name.chars().collect();
    let cut = |kept: usize| -> String {
        // The end has the extension: it gets the larger half.
        let (begin, end) = (kept / 2, characters.len() - kept.div_ceil(2));
        let halves = characters.get(..begin).into_iter().chain([&['…'][..]]).chain(characters.get(end..));
        halves.flatten().collect()
    };
    let (mut fits, mut too_many) = (0, characters.len());
    while fits + 1 < too_many {
        let middle = fits.midpoint(too_many);
        if laid_out(cut(middle)).size().x <= width { fits = middle } else { too_many = middle }
    }
    cut(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_a_name_in_the_middle() {
        let name = format!("{}_final.frag", "a".repeat(240));
        let ctx = egui::Context::default();
        let mut seen = Vec::new();
        let _ = ctx.run_ui(egui::RawInput::default(), |ui| {
            seen.clear();
            for width in [10_000.0, 300.0, 120.0, 0.0] {
                let shown = elided(ui, &name, width);
                let wide = crate::widgets::width_of(ui, &shown);
                seen.push((shown, wide));
            }
            seen.push((elided(ui, "short", 200.0), 0.0));
        });
        let [whole, middle, small, none, short] = seen.as_slice() else { panic!("five names") };
        assert_eq!((whole.0.as_str(), short.0.as_str(), none.0.as_str()), (name.as_str(), "short", "…"));
        for ((text, wide), width) in [(middle, 300.0), (small, 120.0)] {
            assert!(*wide <= width && *wide > width - 20.0, "{text}: {wide} of {width}");
            assert!(text.starts_with("aaa") && text.ends_with("l.frag") && text.contains('…'), "{text}");
        }
    }
}
