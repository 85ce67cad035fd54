//! How the terminal form looks: colours that the terminal has, and characters that its locale has.

use lanescope_inspector::settings::Theme;
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};

use crate::cli::text;

/// The look.
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
    /// 256 or more.
    Many,
}

/// Readable on a white background, where the terminal's yellow is not.
const OCHRE: Color = Color::Indexed(130);

impl Look {
    /// The look for this process's environment.
    pub fn of_environment(theme: Theme) -> Look {
        Look::of(&|name| std::env::var(name).ok().filter(|value| !value.is_empty()), theme)
    }

    fn of(variable: &dyn Fn(&str) -> Option<String>, theme: Theme) -> Look {
        let term = variable("TERM").unwrap_or_default();
        let many = term.contains("256color") || variable("COLORTERM").is_some();
        let colors = match () {
            () if variable("NO_COLOR").is_some() || term == "dumb" => Colors::None,
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
    pub fn report(self) -> text::Style {
        if self.colors == Colors::None { text::Style::plain() } else { text::Style::colour() }
    }

    /// A style of the text report on the screen.
    pub fn style(self, style: anstyle::Style) -> Style {
        let mut out = Style::new();
        if let Some(anstyle::Color::Ansi(color)) = style.get_fg_color() {
            out = out.fg(self.color(color));
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

    fn color(self, color: anstyle::AnsiColor) -> Color {
        use anstyle::AnsiColor as From;
        match color {
            From::Yellow if self.light && self.colors == Colors::Many => OCHRE,
            From::Black => Color::Black,
            From::Red => Color::Red,
            From::Green => Color::Green,
            From::Yellow => Color::Yellow,
            From::Blue if !self.light => Color::LightBlue,
            From::Blue => Color::Blue,
            From::Magenta => Color::Magenta,
            From::Cyan if self.light && self.colors == Colors::Many => Color::Indexed(30),
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

    /// Titles.
    pub fn title(self) -> Style {
        let bold = Style::new().add_modifier(Modifier::BOLD);
        if self.colors == Colors::None { bold } else { bold.fg(self.color(anstyle::AnsiColor::Cyan)) }
    }

    /// Something is wrong.
    pub fn problem(self) -> Style {
        let bold = Style::new().add_modifier(Modifier::BOLD);
        if self.colors == Colors::None { bold } else { bold.fg(Color::Red) }
    }

    /// What the keys act on.
    pub fn cursor(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// What is selected in all panes.
    pub fn selected(self) -> Style {
        match self.colors {
            Colors::None => Style::new().add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
            Colors::Sixteen | Colors::Many => Style::new().fg(Color::Black).bg(Color::Yellow),
        }
    }

    /// A bar at an edge of the screen.
    pub fn bar(self) -> Style {
        match (self.colors, self.light) {
            (Colors::Many, true) => Style::new().bg(Color::Indexed(254)),
            (Colors::Many, false) => Style::new().bg(Color::Indexed(236)),
            _ => Style::new(),
        }
    }

    /// Makes what was drawn safe for the terminal: no control characters, and ASCII only where the locale is not UTF-8.
    pub fn finish(self, buffer: &mut Buffer) {
        for cell in &mut buffer.content {
            let symbol = cell.symbol();
            if symbol.contains(char::is_control) {
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
        '─' | '━' | '−' | '–' | '—' => '-',
        '│' | '┃' | '▏' | '▎' | '▍' | '▌' => '|',
        '┌' | '┐' | '└' | '┘' | '├' | '┤' | '┬' | '┴' | '┼' | '╭' | '╮' | '╰' | '╯' => '+',
        '→' | '»' | '›' | '▶' => '>',
        '←' | '‹' | '◀' => '<',
        '×' | '✗' => 'x',
        '…' | '·' => '.',
        '✓' => '+',
        '⋮' => ':',
        '▼' | '↓' => 'v',
        '▲' | '↑' => '^',
        '█' | '▉' | '▊' | '▋' | '▀' | '▄' => '#',
        '≠' => '!',
        '●' | '•' => '*',
        '½' => 'h',
        '\u{a0}' => ' ',
        _ => '?',
    }
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
