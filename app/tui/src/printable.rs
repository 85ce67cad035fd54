//! Foreign text as a terminal can show it.

use lanescope_core::foreign::{REPLACEMENT, is_obeyed};

/// Columns of a tab.
const TAB: usize = 4;

/// A line of a text as it is drawn: tabs as spaces, and what a terminal would obey replaced.
pub fn line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => out.extend(std::iter::repeat_n(' ', TAB)),
            c if is_obeyed(c) => out.push(REPLACEMENT),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_cannot_control_the_terminal() {
        assert_eq!(line("a\tb\u{1b}[31m\r\u{202e}"), "a    b\u{fffd}[31m\u{fffd}\u{fffd}");
    }
}
