//! How the terminal form looks: colours that the terminal has, and characters that its locale has.

use lanescope_inspector::settings::Theme;
use lanescope_pictures::assembly::Tinted;
use lanescope_pictures::highlight::Class;
use lanescope_pictures::theme::{Theme as PictureTheme, Tokens};
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// The colours.
    pub colors: Colors,
    /// Dark text on a light background.
    pub light: bool,
    /// Only ASCII is drawn.
    pub ascii: bool,
}

/// How many colours there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colors {
    /// None: `NO_COLOR` is set, or the terminal has none.
    None,
    /// The terminal's own sixteen.
    Sixteen,
    /// 256.
    Many,
    /// Any.
    True,
}

/// Readable on a white background, where the terminal's yellow is not.
const OCHRE: Color = Color::Indexed(130);
const DARK_GREEN: Color = Color::Indexed(28);

impl Look {
    /// The look for this process's environment.
    pub fn of_environment(theme: Theme) -> Look {
        Look::of(&|name| std::env::var(name).ok().filter(|value| !value.is_empty()), theme)
    }

    fn of(variable: &dyn Fn(&str) -> Option<String>, theme: Theme) -> Look {
        let term = variable("TERM").unwrap_or_default();
        let color = variable("COLORTERM").unwrap_or_default();
        let many = term.contains("256color") || !color.is_empty();
        let all = color.contains("truecolor") || color.contains("24bit") || term.contains("direct");
        let colors = match () {
            () if variable("NO_COLOR").is_some() || term == "dumb" => Colors::None,
            () if all => Colors::True,
            () if many => Colors::Many,
            () => Colors::Sixteen,
        };
        // The first one that is set decides, as in setlocale.
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable).unwrap_or_default().to_lowercase();
        let ascii = !locale.contains("utf-8") && !locale.contains("utf8");
        // `15;0` and the like: text, then background. 7 and 15 are the light ones of the sixteen.
        let background = variable("COLORFGBG").and_then(|value| value.rsplit(';').next()?.parse::<u8>().ok());
        Look { colors, light: false, ascii }.with_theme(theme, matches!(background, Some(7 | 15)))
    }

    /// Whether the terminal has 256 colours or more.
    fn has_many(self) -> bool {
        matches!(self.colors, Colors::Many | Colors::True)
    }

    /// The window's sequential colour at `t` from 0 (first) to 1 (last), with text that reads on it.
    pub fn heat(self, t: f32) -> Option<anstyle::Style> {
        let rgb = |[r, g, b, _]: [u8; 4]| anstyle::Color::Rgb(anstyle::RgbColor(r, g, b));
        let (fill, ink) = if self.light { PictureTheme::light() } else { PictureTheme::dark() }.ramp(t);
        self.has_many()
            .then(|| anstyle::Style::new().bg_color(Some(rgb(fill.to_array()))).fg_color(Some(rgb(ink.to_array()))))
    }

    /// The style of a line's number with a tint of the window's; an estimate has half of it.
    pub fn tint(self, tinted: Option<Tinted>, estimate: bool) -> Option<anstyle::Style> {
        let rgb = |[r, g, b, _]: [u8; 4]| Some(anstyle::Color::Rgb(anstyle::RgbColor(r, g, b)));
        let theme = if self.light { PictureTheme::light() } else { PictureTheme::dark() };
        let ground = theme.tint(tinted?.tint)[usize::from(estimate)];
        let style = anstyle::Style::new().bg_color(rgb(ground.to_array())).fg_color(rgb(theme.ink.to_array()));
        self.has_many().then_some(style)
    }

    /// With another theme; `light` is what the system has.
    pub fn with_theme(self, theme: Theme, light: bool) -> Look {
        let light = match theme {
            Theme::Light => true,
            Theme::Dark => false,
            Theme::System => light,
        };
        Look { light, ..self }
    }

    /// Styles of the text report.
    pub fn report(self) -> lanescope_text::Style {
        let style =
            if self.colors == Colors::None { lanescope_text::Style::plain() } else { lanescope_text::Style::colour() };
        style.with_keys()
    }

    /// A style of the text report on the screen.
    pub fn style(self, style: anstyle::Style) -> Style {
        let mut out = Style::new();
        if let Some(color) = style.get_fg_color().and_then(|color| self.any_color(color)) {
            out = out.fg(color);
        }
        if let Some(color) = style.get_bg_color().and_then(|color| self.any_color(color)) {
            out = out.bg(color);
        }
        let effects = style.get_effects();
        if effects.contains(anstyle::Effects::BOLD) {
            out = out.add_modifier(Modifier::BOLD);
        }
        if effects.contains(anstyle::Effects::DIMMED) {
            out = out.patch(self.dim());
        }
        out
    }

    fn any_color(self, color: anstyle::Color) -> Option<Color> {
        match color {
            _ if self.colors == Colors::None => None,
            anstyle::Color::Ansi(color) => Some(self.color(color)),
            anstyle::Color::Ansi256(color) => Some(Color::Indexed(color.0)),
            anstyle::Color::Rgb(anstyle::RgbColor(r, g, b)) => Some(self.rgb([r, g, b])),
        }
    }

    /// The nearest colour that the terminal has.
    pub fn rgb(self, rgb: [u8; 3]) -> Color {
        match self.colors {
            Colors::None => Color::Reset,
            Colors::True => Color::Rgb(rgb[0], rgb[1], rgb[2]),
            Colors::Many => Color::Indexed(nearest_of_256(rgb)),
            Colors::Sixteen => nearest_of_16(rgb),
        }
    }

    /// How a class of text looks.
    pub fn class(self, class: Class) -> Style {
        use anstyle::AnsiColor as Ansi;
        let plain = Style::new();
        if self.colors == Colors::None {
            return match class {
                Class::Comment => self.dim(),
                Class::Keyword | Class::Directive => plain.add_modifier(Modifier::BOLD),
                _ => plain,
            };
        }
        if self.colors == Colors::Sixteen {
            return match class {
                Class::Text => plain,
                Class::Comment => self.dim(),
                Class::Keyword => plain.fg(self.color(Ansi::Red)),
                Class::Kind => plain.fg(self.color(Ansi::Cyan)),
                Class::Number => plain.fg(self.color(Ansi::Green)),
                Class::String | Class::Attribute => plain.fg(self.color(Ansi::Yellow)),
                Class::Function | Class::Directive => plain.fg(self.color(Ansi::Magenta)),
                Class::Id => plain.fg(self.color(Ansi::Blue)),
            };
        }
        let tokens = Tokens::on(!self.light);
        let color = match class {
            Class::Text => return plain,
            Class::Comment => tokens.comment,
            Class::Keyword => tokens.keyword,
            Class::Kind => tokens.kind,
            Class::Number => tokens.number,
            Class::String => tokens.string,
            Class::Function => tokens.function,
            Class::Id => tokens.id,
            Class::Directive => tokens.directive,
            Class::Attribute => tokens.changed,
        };
        plain.fg(self.rgb([color.r(), color.g(), color.b()]))
    }

    /// A line that belongs to what is selected.
    pub fn belongs(self) -> Style {
        match self.colors {
            Colors::None | Colors::Sixteen => Style::new().add_modifier(Modifier::BOLD),
            _ => {
                let color = Tokens::on(!self.light).selected;
                Style::new().bg(self.rgb([color.r(), color.g(), color.b()]))
            }
        }
    }

    fn color(self, color: anstyle::AnsiColor) -> Color {
        use anstyle::AnsiColor as From;
        match color {
            From::Yellow if self.light && self.has_many() => OCHRE,
            // Of the sixteen it is the one that is not readable on white.
            From::Yellow if self.light => Color::DarkGray,
            From::Black => Color::Black,
            From::Red => Color::Red,
            From::Green if self.light && self.has_many() => DARK_GREEN,
            From::Green => Color::Green,
            From::Yellow => Color::Yellow,
            From::Blue if !self.light => Color::LightBlue,
            From::Blue => Color::Blue,
            From::Magenta => Color::Magenta,
            From::Cyan if self.light && self.has_many() => Color::Indexed(30),
            From::Cyan => Color::Cyan,
            From::White => Color::White,
            From::BrightBlack => Color::DarkGray,
            From::BrightRed => Color::LightRed,
            From::BrightGreen => Color::LightGreen,
            From::BrightYellow => Color::LightYellow,
            From::BrightBlue => Color::LightBlue,
            From::BrightMagenta => Color::LightMagenta,
            From::BrightCyan => Color::LightCyan,
            From::BrightWhite => Color::White,
        }
    }

    /// Less important text.
    pub fn dim(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    pub fn title(self) -> Style {
        let bold = Style::new().add_modifier(Modifier::BOLD);
        if self.colors == Colors::None { bold } else { bold.fg(self.color(anstyle::AnsiColor::Cyan)) }
    }

    /// Something is wrong.
    pub fn problem(self) -> Style {
        let bold = Style::new().add_modifier(Modifier::BOLD);
        if self.colors == Colors::None { bold } else { bold.fg(Color::Red) }
    }

    /// A rule is violated that leaves results as they are.
    pub fn warning(self) -> Style {
        let bold = Style::new().add_modifier(Modifier::BOLD);
        if self.colors == Colors::None { bold } else { bold.fg(self.color(anstyle::AnsiColor::Yellow)) }
    }

    /// What the keys act on.
    pub fn cursor(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// What is selected in all panes.
    pub fn selected(self) -> Style {
        match self.colors {
            Colors::None => Style::new().add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
            _ => Style::new().fg(Color::Black).bg(Color::Yellow),
        }
    }

    /// What the keys act on, where it is selected.
    pub fn selected_cursor(self) -> Style {
        match self.colors {
            Colors::None => self.cursor(),
            _ => Style::new().add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
        }
    }

    /// A bar at an edge of the screen.
    pub fn bar(self) -> Style {
        match (self.has_many(), self.light) {
            (true, true) => Style::new().bg(Color::Indexed(254)),
            (true, false) => Style::new().bg(Color::Indexed(236)),
            _ => Style::new(),
        }
    }

    /// Makes what was drawn safe for the terminal: no control characters, and ASCII only where the locale is not UTF-8.
    pub fn finish(self, buffer: &mut Buffer) {
        for cell in &mut buffer.content {
            let symbol = cell.symbol();
            if symbol.contains(lanescope_core::foreign::is_obeyed) {
                cell.set_symbol(if self.ascii { "?" } else { "\u{fffd}" });
            } else if self.ascii && !symbol.is_ascii() {
                let plain = symbol.chars().next().map_or('?', plain);
                cell.set_char(plain);
            }
        }
    }
}

/// A character like this one in ASCII.
fn plain(c: char) -> char {
    match c {
        '─' | '╌' | '━' | '−' | '–' | '—' => '-',
        '│' | '┃' | '╎' | '▏' | '▎' | '▍' | '▌' => '|',
        '┌' | '┐' | '└' | '┘' | '├' | '┤' | '┬' | '┴' | '┼' | '╭' | '╮' | '╰' | '╯' => '+',
        '→' | '»' | '›' | '▶' => '>',
        '←' | '‹' | '◀' => '<',
        '×' | '✗' => 'x',
        '…' | '·' => '.',
        '✓' | '◆' => '+',
        '⋮' => ':',
        '▼' | '↓' => 'v',
        '▲' | '↑' => '^',
        '█' | '▉' | '▊' | '▋' | '▀' | '▄' => '#',
        '≠' => '!',
        '↺' => '@',
        '●' | '•' => '*',
        '■' => 'o',
        '½' => 'h',
        '\u{a0}' => ' ',
        _ => '?',
    }
}

/// The cube and the greys of 256 colours.
fn nearest_of_256(rgb: [u8; 3]) -> u8 {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let level = |channel: u8| (0..6).min_by_key(|at| LEVELS[*at].abs_diff(channel)).unwrap_or(0);
    let cube = rgb.map(level);
    let of_cube = cube.map(|at| LEVELS[at]);
    let mean = rgb.iter().map(|channel| u32::from(*channel)).sum::<u32>() / 3;
    let step = (mean.saturating_sub(3) / 10).min(23);
    let grey = u8::try_from(8 + step * 10).unwrap_or(u8::MAX);
    let index = |at: usize| u8::try_from(at).unwrap_or(0);
    if distance(rgb, [grey; 3]) < distance(rgb, of_cube) {
        232 + index(step as usize)
    } else {
        16 + index(36 * cube[0] + 6 * cube[1] + cube[2])
    }
}

/// The sixteen as most terminals draw them.
fn nearest_of_16(rgb: [u8; 3]) -> Color {
    const SIXTEEN: [(Color, [u8; 3]); 16] = [
        (Color::Black, [0, 0, 0]),
        (Color::Red, [205, 0, 0]),
        (Color::Green, [0, 205, 0]),
        (Color::Yellow, [205, 205, 0]),
        (Color::Blue, [0, 0, 238]),
        (Color::Magenta, [205, 0, 205]),
        (Color::Cyan, [0, 205, 205]),
        (Color::Gray, [229, 229, 229]),
        (Color::DarkGray, [127, 127, 127]),
        (Color::LightRed, [255, 0, 0]),
        (Color::LightGreen, [0, 255, 0]),
        (Color::LightYellow, [255, 255, 0]),
        (Color::LightBlue, [92, 92, 255]),
        (Color::LightMagenta, [255, 0, 255]),
        (Color::LightCyan, [0, 255, 255]),
        (Color::White, [255, 255, 255]),
    ];
    SIXTEEN.into_iter().min_by_key(|(_, other)| distance(rgb, *other)).map_or(Color::Reset, |(color, _)| color)
}

fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    a.into_iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(variables: &[(&str, &str)]) -> Look {
        let find =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        Look::of(&find, Theme::System)
    }

    #[test]
    fn the_environment_decides() {
        let utf = ("LANG", "en_US.UTF-8");
        assert_eq!(look(&[("TERM", "xterm-256color"), utf]), Look { colors: Colors::Many, light: false, ascii: false });
        assert_eq!(look(&[("TERM", "xterm"), utf]).colors, Colors::Sixteen);
        assert_eq!(look(&[("TERM", "xterm-256color"), ("NO_COLOR", "1"), utf]).colors, Colors::None);
        assert!(look(&[("LC_ALL", "C"), utf]).ascii && look(&[]).ascii);
        assert!(look(&[("COLORFGBG", "0;15"), utf]).light && !look(&[("COLORFGBG", "15;0"), utf]).light);
    }

    #[test]
    fn colors_become_the_nearest_that_there_are() {
        let with = |colors| Look { colors, light: false, ascii: false };
        assert_eq!(with(Colors::True).rgb([1, 2, 3]), Color::Rgb(1, 2, 3));
        assert_eq!(with(Colors::Many).rgb([255, 0, 0]), Color::Indexed(196));
        assert_eq!(with(Colors::Many).rgb([128, 128, 128]), Color::Indexed(244));
        assert_eq!(with(Colors::Sixteen).rgb([250, 250, 10]), Color::LightYellow);
        assert_eq!(with(Colors::None).rgb([250, 250, 10]), Color::Reset);
        let truecolor = look(&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor"), ("LANG", "C.UTF-8")]);
        assert_eq!(truecolor.colors, Colors::True);
    }

    #[test]
    fn nothing_controls_the_terminal() {
        let mut buffer = Buffer::with_lines(["a→b×c…"]);
        buffer.content[0].set_symbol("\u{1b}");
        let ascii = Look { colors: Colors::None, light: false, ascii: true };
        Look { ascii: false, ..ascii }.finish(&mut buffer);
        assert_eq!(buffer.content[0].symbol(), "\u{fffd}");
        ascii.finish(&mut buffer);
        let text: String = buffer.content.iter().map(|cell| cell.symbol()).collect();
        assert_eq!(text, "?>bxc.");
    }
}
