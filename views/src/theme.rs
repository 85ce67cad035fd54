//! Colours for light and dark, and the rules they keep: text reads, and neighbours differ without colour vision.
//!
//! The categorical colours derive from Okabe and Ito's set, with lightness tuned for each mode. They are never the only
//! channel: classes carry a [`crate::picture::Pattern`], waves a boundary, variables a name.

use egui::Color32;
use egui::ecolor::Rgba;

/// How many categorical colours there are before they repeat.
pub const SERIES: usize = 8;

/// Every colour that a view or a picture may use.
#[derive(Debug, Clone, PartialEq)]
pub struct Theme {
    /// Light on dark.
    pub dark: bool,
    /// Behind everything.
    pub page: Color32,
    /// Behind a group of things: tiles, banners, tables.
    pub panel: Color32,
    /// Text.
    pub ink: Color32,
    /// Text that explains other text.
    pub ink_soft: Color32,
    /// Hairlines: grids, empty cells.
    pub hairline: Color32,
    /// Outlines that carry meaning: axes, wave boundaries.
    pub outline: Color32,
    /// What is selected.
    pub accent: Color32,
    /// What needs attention.
    pub warn: Color32,
    series: [Series; SERIES],
}

/// One categorical colour in its three roles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Series {
    /// Fills cells; [`Theme::ink`] reads on it.
    pub fill: Color32,
    /// Draws the pattern over `fill`; [`Theme::ink`] reads on it too.
    pub pattern: Color32,
    /// Outlines and lines on the page.
    pub line: Color32,
}

// Blue, orange, green, purple, sky, vermilion, yellow, grey: neighbours in this order differ in hue and in lightness.
const LIGHT: [u32; SERIES] = [0x0072B2, 0xB27700, 0x00805E, 0xB0508A, 0x2A8DC4, 0xC44E00, 0x857800, 0x667080];
const DARK: [u32; SERIES] = [0x4A9FE0, 0xE69F00, 0x1FB58A, 0xD98CBB, 0x7CC8F2, 0xF07C3A, 0xE6DA3C, 0xA3ABB8];

// Cividis, sampled: monotonic in lightness, the same to most kinds of colour vision.
const RAMP: [u32; 7] = [0x00306F, 0x2F4770, 0x57606E, 0x7B7B78, 0xA09674, 0xCAB464, 0xFDE737];

impl Theme {
    /// Dark on light.
    pub fn light() -> Self {
        let page = hex(0xFFFFFF);
        Theme {
            dark: false,
            page,
            panel: hex(0xF3F5F8),
            ink: hex(0x1A1D21),
            ink_soft: hex(0x555E6B),
            hairline: hex(0xD3D8E0),
            outline: hex(0x69727F),
            accent: hex(0x0B57D0),
            warn: hex(0xB3261E),
            series: LIGHT.map(|line| Series::tinted(page, hex(line), 0.22)),
        }
    }

    /// Light on dark.
    pub fn dark() -> Self {
        let page = hex(0x17191D);
        Theme {
            dark: true,
            page,
            panel: hex(0x22252B),
            ink: hex(0xE8EAEE),
            ink_soft: hex(0xA6AEBB),
            hairline: hex(0x3A404A),
            outline: hex(0x8B94A3),
            accent: hex(0x8AB4F8),
            warn: hex(0xFFB060),
            series: DARK.map(|line| Series::tinted(page, hex(line), 0.26)),
        }
    }

    /// The theme that goes with egui's mode.
    pub fn of(ui: &egui::Ui) -> Self {
        if ui.visuals().dark_mode { Self::dark() } else { Self::light() }
    }

    /// The categorical colour of the `index`-th thing; they repeat after [`SERIES`].
    pub fn series(&self, index: usize) -> Series {
        self.series[index % SERIES]
    }

    /// The sequential colour at `t` from 0 (first) to 1 (last), and the text colour that reads on it.
    pub fn ramp(&self, t: f32) -> (Color32, Color32) {
        let t = if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.0 } * (RAMP.len() - 1) as f32;
        let low = (t as usize).min(RAMP.len() - 2);
        let fill = mix(hex(RAMP[low]), hex(RAMP[low + 1]), t - low as f32);
        (fill, self.ink_on(fill))
    }

    /// Black or white, whichever reads better on `fill`.
    pub fn ink_on(&self, fill: Color32) -> Color32 {
        let (black, white) = (Color32::BLACK, Color32::WHITE);
        if contrast(black, fill) >= contrast(white, fill) { black } else { white }
    }

    /// egui's colours, so that widgets stand on the same page as pictures.
    pub fn visuals(&self) -> egui::Visuals {
        let mut visuals = if self.dark { egui::Visuals::dark() } else { egui::Visuals::light() };
        visuals.panel_fill = self.page;
        visuals.window_fill = self.page;
        visuals.extreme_bg_color = if self.dark { hex(0x0F1114) } else { hex(0xFFFFFF) };
        visuals.faint_bg_color = self.panel;
        visuals.override_text_color = Some(self.ink);
        visuals.weak_text_color = Some(self.ink_soft);
        visuals.hyperlink_color = self.accent;
        visuals.warn_fg_color = self.warn;
        visuals
    }
}

impl Series {
    fn tinted(page: Color32, line: Color32, strength: f32) -> Self {
        let fill = mix(page, line, strength);
        Series { fill, pattern: mix(fill, line, 0.2), line }
    }
}

/// The colour `t` of the way from `a` to `b`, in display values.
pub fn mix(a: Color32, b: Color32, t: f32) -> Color32 {
    let channel = |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * t).round().clamp(0.0, 255.0) as u8;
    Color32::from_rgb(channel(a.r(), b.r()), channel(a.g(), b.g()), channel(a.b(), b.b()))
}

/// WCAG's contrast ratio of two opaque colours: 1 to 21.
pub fn contrast(a: Color32, b: Color32) -> f32 {
    let light = |color: Color32| {
        let linear = Rgba::from(color);
        0.2126 * linear.r() + 0.7152 * linear.g() + 0.0722 * linear.b()
    };
    let (a, b) = (light(a), light(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

const fn hex(rgb: u32) -> Color32 {
    Color32::from_rgb((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: f32 = 4.5;
    const GRAPHICS: f32 = 3.0;

    fn at_least(least: f32, what: &str, a: Color32, b: Color32) {
        let ratio = contrast(a, b);
        assert!(ratio >= least, "{what}: {a:?} on {b:?} is {ratio:.2}, less than {least}");
    }

    #[test]
    fn text_reads_on_everything_it_stands_on() {
        for theme in [Theme::light(), Theme::dark()] {
            for (what, ink) in
                [("ink", theme.ink), ("soft", theme.ink_soft), ("accent", theme.accent), ("warn", theme.warn)]
            {
                at_least(TEXT, what, ink, theme.page);
                at_least(TEXT, what, ink, theme.panel);
            }
            for index in 0..SERIES {
                let series = theme.series(index);
                at_least(TEXT, "ink on a cell", theme.ink, series.fill);
                at_least(TEXT, "ink on a pattern", theme.ink, series.pattern);
            }
            for step in 0..=100 {
                let (fill, ink) = theme.ramp(step as f32 / 100.0);
                at_least(TEXT, "ink on the ramp", ink, fill);
            }
        }
    }

    #[test]
    fn lines_are_seen_on_the_page() {
        for theme in [Theme::light(), Theme::dark()] {
            at_least(GRAPHICS, "outline", theme.outline, theme.page);
            for index in 0..SERIES {
                at_least(GRAPHICS, "line", theme.series(index).line, theme.page);
            }
        }
    }

    #[test]
    fn the_ramp_grows_lighter_all_the_way() {
        let theme = Theme::light();
        let light: Vec<_> = (0..=60).map(|step| contrast(theme.ramp(step as f32 / 60.0).0, Color32::BLACK)).collect();
        assert!(light.windows(2).all(|pair| pair[0] < pair[1]), "{light:?}");
        assert_eq!(theme.ramp(f32::NAN), theme.ramp(0.0));
    }
}
