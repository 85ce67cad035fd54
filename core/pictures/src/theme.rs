//! Colours for light and dark, and the rules they keep: text reads, and neighbours differ without colour vision.
//!
//! The categorical colours derive from Okabe and Ito's set, tuned for each mode. They are never the only
//! channel: classes carry a [`crate::picture::Pattern`], waves a boundary, variables a name.

use std::sync::LazyLock;

use ecolor::Color32;
use ecolor::Rgba;

use crate::assembly::TINTS;

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
    /// Where text is typed.
    pub field: Color32,
    /// Text.
    pub ink: Color32,
    /// Text that explains other text.
    pub ink_soft: Color32,
    /// Hairlines: grids, empty cells.
    pub hairline: Color32,
    /// Outlines that carry meaning: axes, wave boundaries.
    pub outline: Color32,
    /// The selection.
    pub accent: Color32,
    /// Items that need attention.
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

/// Fill and line of each categorical colour: blue, orange, green, purple, sky, vermilion, yellow, grey. Hues are Okabe
/// and Ito's; lightness and strength were searched for the largest distance between any two under normal and all three
/// kinds of reduced colour vision (a test measures it).
type Pairs = [(u32, u32); SERIES];
const LIGHT: Pairs = [
    (0x72C0F8, 0x1056AA),
    (0xFFDDA8, 0x8D5102),
    (0xD1FBDC, 0x5D955E),
    (0xD0B0BF, 0xA93485),
    (0xA0E0FE, 0x1398CB),
    (0xE3ABA3, 0x992F2C),
    (0xB6BE7A, 0x9E8F03),
    (0xE9E7F1, 0x595A57),
];
const DARK: Pairs = [
    (0x22416F, 0x6898F8),
    (0x5E450D, 0xE69131),
    (0x213525, 0xA9F1BC),
    (0x4D1F46, 0xC07AAC),
    (0x07647C, 0x41DCFF),
    (0x8D493C, 0xF65D54),
    (0x3B2F08, 0xFFE880),
    (0x555451, 0xA49A8D),
];

/// The categorical colours that tint lines, in an order in which neighbours are far apart, and how much of their fill is in
/// the tint on light and on dark: what text on it allows (tests measure both). Blues are the selection's.
const TINT_SERIES: [(usize, [f32; 2]); TINTS] =
    [(6, [0.49, 0.95]), (5, [0.48, 0.51]), (3, [0.50, 0.95]), (1, [0.70, 0.71]), (2, [0.70, 0.95])];

// Cividis, sampled: monotonic in lightness, the same to most kinds of colour vision.
const RAMP: [u32; 7] = [0x00306F, 0x2F4770, 0x57606E, 0x7B7B78, 0xA09674, 0xCAB464, 0xFDE737];

impl Theme {
    /// Dark on light.
    pub fn light() -> Self {
        static LIGHT_THEME: LazyLock<Theme> = LazyLock::new(Theme::new_light);
        LIGHT_THEME.clone()
    }

    /// Light on dark.
    pub fn dark() -> Self {
        static DARK_THEME: LazyLock<Theme> = LazyLock::new(Theme::new_dark);
        DARK_THEME.clone()
    }

    fn new_light() -> Self {
        let (page, ink) = (hex(0xFFFFFF), hex(0x1A1D21));
        Theme {
            dark: false,
            page,
            panel: hex(0xF3F5F8),
            field: hex(0xE8ECF2),
            ink,
            ink_soft: hex(0x555E6B),
            hairline: hex(0xD3D8E0),
            outline: hex(0x69727F),
            accent: hex(0x0B57D0),
            warn: hex(0xB3261E),
            series: LIGHT.map(|pair| Series::new(pair, page, ink)),
        }
    }

    fn new_dark() -> Self {
        let (page, ink) = (hex(0x17191D), hex(0xE8EAEE));
        Theme {
            dark: true,
            page,
            panel: hex(0x22252B),
            field: hex(0x2A2E35),
            ink,
            ink_soft: hex(0xA6AEBB),
            hairline: hex(0x3A404A),
            outline: hex(0x8B94A3),
            accent: hex(0x8AB4F8),
            warn: hex(0xFFB060),
            series: DARK.map(|pair| Series::new(pair, page, ink)),
        }
    }

    /// The categorical colour of the `index`-th thing; they repeat after [`SERIES`].
    pub fn series(&self, index: usize) -> Series {
        self.series[index % SERIES]
    }

    /// The ground of a line with a tint, and of one whose tint is an estimate; every text colour reads on both.
    pub fn tint(&self, index: usize) -> [Color32; 2] {
        let (series, strengths) = TINT_SERIES[index % TINTS];
        let fill = self.series(series).fill;
        [1.0, 0.45].map(|part| mix(self.page, fill, strengths[usize::from(self.dark)] * part))
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
}

impl Series {
    fn new((fill, line): (u32, u32), page: Color32, ink: Color32) -> Self {
        let (fill, line) = (hex(fill), hex(line));
        // As strong as text on it allows; where that is too faint, towards the page.
        let pattern = (12..=40)
            .rev()
            .map(|percent| mix(fill, line, percent as f32 / 100.0))
            .find(|pattern| contrast(ink, *pattern) >= 4.6)
            .unwrap_or_else(|| mix(fill, page, 0.5));
        Series { fill, pattern, line }
    }
}

/// Colors that carry a meaning in tables and texts. Each goes with a sign or a word.
#[derive(Debug)]
pub struct Tokens {
    /// A value that packing changed.
    pub changed: Color32,
    /// Less important text: zeros, addresses, titles.
    pub quiet: Color32,
    /// A finding of severity error.
    pub error: Color32,
    /// A finding of severity warning.
    pub warning: Color32,
    /// A finding of severity note.
    pub note: Color32,
    /// Background of a selected row or line.
    pub selected: Color32,
    /// Background of text that is selected to be copied.
    pub text_selection: Color32,
    /// Background of a search match.
    pub found: Color32,
    /// Background of the current search match.
    pub found_here: Color32,
    /// Background of a line that only the first of two texts has, and of its differing part.
    pub removed: [Color32; 2],
    /// Background of a line that only the second of two texts has, and of its differing part.
    pub added: [Color32; 2],
    /// Comments.
    pub comment: Color32,
    /// Keywords and instructions.
    pub keyword: Color32,
    /// Types.
    pub kind: Color32,
    /// Numbers and constants.
    pub number: Color32,
    /// Strings.
    pub string: Color32,
    /// Functions and built-ins.
    pub function: Color32,
    /// Ids of SPIR-V.
    pub id: Color32,
    /// Preprocessor lines.
    pub directive: Color32,
}

const DARK_TOKENS: Tokens = Tokens {
    changed: Color32::from_rgb(0xf2, 0xb3, 0x4b),
    quiet: Color32::from_rgb(0xa0, 0xa6, 0xad),
    error: Color32::from_rgb(0xff, 0x82, 0x7a),
    warning: Color32::from_rgb(0xf2, 0xb3, 0x4b),
    note: Color32::from_rgb(0x86, 0xb8, 0xf0),
    selected: Color32::from_rgb(0x1b, 0x3a, 0x52),
    text_selection: Color32::from_rgb(0x00, 0x5c, 0x80),
    found: Color32::from_rgb(0x55, 0x4a, 0x1c),
    found_here: Color32::from_rgb(0x8a, 0x5a, 0x00),
    removed: [Color32::from_rgb(0x36, 0x26, 0x0c), Color32::from_rgb(0x70, 0x4a, 0x08)],
    added: [Color32::from_rgb(0x12, 0x2c, 0x48), Color32::from_rgb(0x1c, 0x55, 0x90)],
    comment: Color32::from_rgb(0x9c, 0xa6, 0xb0),
    keyword: Color32::from_rgb(0xff, 0x9d, 0x9a),
    kind: Color32::from_rgb(0x7e, 0xd3, 0xc8),
    number: Color32::from_rgb(0xb5, 0xce, 0xa8),
    string: Color32::from_rgb(0xe5, 0xc0, 0x8b),
    function: Color32::from_rgb(0xd2, 0xb8, 0xff),
    id: Color32::from_rgb(0x8c, 0xc4, 0xff),
    directive: Color32::from_rgb(0xe0, 0xa9, 0xd8),
};

const LIGHT_TOKENS: Tokens = Tokens {
    changed: Color32::from_rgb(0x8f, 0x4e, 0x00),
    quiet: Color32::from_rgb(0x5c, 0x61, 0x67),
    error: Color32::from_rgb(0xb4, 0x1e, 0x1e),
    warning: Color32::from_rgb(0x8f, 0x4e, 0x00),
    note: Color32::from_rgb(0x1b, 0x5c, 0xa8),
    selected: Color32::from_rgb(0xcb, 0xe4, 0xf8),
    text_selection: Color32::from_rgb(0x90, 0xd1, 0xff),
    found: Color32::from_rgb(0xff, 0xf0, 0xb0),
    found_here: Color32::from_rgb(0xff, 0xc9, 0x6b),
    removed: [Color32::from_rgb(0xff, 0xf1, 0xdc), Color32::from_rgb(0xff, 0xd3, 0x8f)],
    added: [Color32::from_rgb(0xe2, 0xf0, 0xff), Color32::from_rgb(0xa6, 0xd3, 0xff)],
    comment: Color32::from_rgb(0x59, 0x61, 0x69),
    keyword: Color32::from_rgb(0xa6, 0x1f, 0x3c),
    kind: Color32::from_rgb(0x0a, 0x66, 0x5c),
    number: Color32::from_rgb(0x2f, 0x66, 0x1a),
    string: Color32::from_rgb(0x8a, 0x4b, 0x08),
    function: Color32::from_rgb(0x6a, 0x36, 0xb8),
    id: Color32::from_rgb(0x0b, 0x53, 0x9e),
    directive: Color32::from_rgb(0x86, 0x2b, 0x78),
};

impl Tokens {
    /// On dark, or on light.
    pub fn on(dark: bool) -> &'static Tokens {
        if dark { &DARK_TOKENS } else { &LIGHT_TOKENS }
    }

    /// A number below its base: blue, which no kind of colour vision takes for [`Tokens::higher`].
    pub fn lower(&self) -> Color32 {
        self.note
    }

    /// A number above its base: orange.
    pub fn higher(&self) -> Color32 {
        self.changed
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
    fn text_has_contrast_on_every_background() {
        for theme in [Theme::light(), Theme::dark()] {
            for (what, ink) in
                [("ink", theme.ink), ("soft", theme.ink_soft), ("accent", theme.accent), ("warn", theme.warn)]
            {
                at_least(TEXT, what, ink, theme.page);
                at_least(TEXT, what, ink, theme.panel);
                at_least(TEXT, what, ink, theme.field);
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
    fn text_has_contrast_on_every_tint() {
        for theme in [Theme::light(), Theme::dark()] {
            let t = Tokens::on(theme.dark);
            for ground in (0..TINTS).flat_map(|index| theme.tint(index)) {
                let inks = [t.comment, t.keyword, t.kind, t.number, t.string, t.function, t.id, t.directive, theme.ink];
                for ink in inks {
                    at_least(TEXT, "text on a tint", ink, ground);
                }
            }
        }
    }

    #[test]
    fn neighbouring_tints_differ_for_all_kinds_of_colour_vision() {
        for theme in [Theme::light(), Theme::dark()] {
            for (vision, index) in (0..4).flat_map(|vision| (0..TINTS).map(move |index| (vision, index))) {
                let [a, b] = [index, index + 1].map(|index| lab(theme.tint(index)[0], &VISIONS[vision]));
                let distance = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f32>().sqrt();
                // About 2 is just noticeable side by side.
                assert!(distance > 6.0, "tints {index} and the next, vision {vision}: {distance}");
            }
        }
    }

    #[test]
    fn lines_have_contrast_on_the_page() {
        for theme in [Theme::light(), Theme::dark()] {
            at_least(GRAPHICS, "outline", theme.outline, theme.page);
            for index in 0..SERIES {
                at_least(GRAPHICS, "line", theme.series(index).line, theme.page);
            }
        }
    }

    /// What protanopes, deuteranopes and tritanopes see of linear RGB (Machado, Oliveira and Fernandes 2009).
    const VISIONS: [[[f32; 3]; 3]; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
    ];

    /// A colour in CIELAB, as one kind of vision sees it.
    fn lab(color: Color32, vision: &[[f32; 3]; 3]) -> [f32; 3] {
        let linear = Rgba::from(color);
        let seen = vision.map(|row| (row[0] * linear.r() + row[1] * linear.g() + row[2] * linear.b()).max(0.0));
        let to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]];
        let xyz = to_xyz.map(|row: [f32; 3]| row[0] * seen[0] + row[1] * seen[1] + row[2] * seen[2]);
        let f = |t: f32| if t > 0.008856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
        let [x, y, z] = [f(xyz[0] / 0.9505), f(xyz[1]), f(xyz[2] / 1.089)];
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    #[test]
    fn colours_differ_for_all_kinds_of_colour_vision() {
        for theme in [Theme::light(), Theme::dark()] {
            for (vision, role) in (0..4).flat_map(|v| [(v, "fill"), (v, "line")]) {
                let colors: Vec<_> = theme
                    .series
                    .iter()
                    .map(|series| lab(if role == "fill" { series.fill } else { series.line }, &VISIONS[vision]))
                    .collect();
                for (index, a) in colors.iter().enumerate() {
                    for (other, b) in colors.iter().enumerate().skip(index + 1) {
                        let distance = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f32>().sqrt();
                        // About 2 is just noticeable side by side.
                        assert!(distance > 13.0, "{role}s {index} and {other}, vision {vision}: {distance}");
                    }
                }
            }
        }
    }

    #[test]
    fn fewer_and_more_differ_for_all_kinds_of_colour_vision() {
        for tokens in [Tokens::on(false), Tokens::on(true)] {
            for vision in &VISIONS {
                let (a, b) = (lab(tokens.lower(), vision), lab(tokens.higher(), vision));
                let distance = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f32>().sqrt();
                assert!(distance > 40.0, "{distance}");
            }
        }
    }

    #[test]
    fn the_ramp_is_monotonic() {
        let theme = Theme::light();
        let light: Vec<_> = (0..=60).map(|step| contrast(theme.ramp(step as f32 / 60.0).0, Color32::BLACK)).collect();
        assert!(light.windows(2).all(|pair| pair[0] < pair[1]), "{light:?}");
        assert_eq!(theme.ramp(f32::NAN), theme.ramp(0.0));
    }
}
