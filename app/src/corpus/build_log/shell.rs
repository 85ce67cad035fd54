//! Lines of a shell: the commands, without redirections.

use std::iter::Peekable;
use std::str::Chars;

/// The words of each command of a line. Operators count outside of quotes only. `None` where a quote is not closed.
pub fn commands(line: &str) -> Option<Vec<Vec<String>>> {
    parts(line).iter().map(|part| shlex::split(part)).collect()
}

/// The text of each command of a line, as it is quoted.
fn parts(line: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut part = String::new();
    let mut rest = Rest { chars: line.chars().peekable(), quote: None };
    while let Some((text, is_plain)) = rest.next() {
        match text.chars().next().filter(|_| is_plain) {
            Some('<' | '>') => rest.redirected(&mut part),
            Some('&') if rest.chars.peek() == Some(&'>') => rest.redirected(&mut part),
            // The second of `&&` or `||` ends an empty command.
            Some(';' | '&' | '|') => out.push(std::mem::take(&mut part)),
            // A comment.
            Some('#') if part.is_empty() || part.ends_with(char::is_whitespace) => break,
            _ => part.push_str(&text),
        }
    }
    out.push(part);
    out
}

/// What was not read yet.
struct Rest<'t> {
    chars: Peekable<Chars<'t>>,
    /// The quotation mark that encloses it.
    quote: Option<char>,
}

impl Rest<'_> {
    /// The next character, with what a backslash before it makes of it, and whether it is neither quoted nor a quotation
    /// mark.
    fn next(&mut self) -> Option<(String, bool)> {
        let c = self.chars.next()?;
        let mut text = c.to_string();
        match (c, self.quote) {
            ('\\', None | Some('"')) => text.extend(self.chars.next()),
            ('\'' | '"', None) => self.quote = Some(c),
            (_, Some(quote)) if c == quote => self.quote = None,
            (_, None) => return Some((text, true)),
            _ => {}
        }
        Some((text, false))
    }

    /// Reads the rest of a redirection: `>& 2`, `>> file`. The number before it belongs to it.
    fn redirected(&mut self, part: &mut String) {
        let before = part.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        if part.get(..before).is_some_and(|text| text.is_empty() || text.ends_with(char::is_whitespace)) {
            part.truncate(before);
        }
        while self.chars.next_if(|c| matches!(c, '<' | '>' | '&' | '|')).is_some() {}
        while self.chars.next_if(|c| c.is_whitespace()).is_some() {}
        let ends = |c: &char| c.is_whitespace() || matches!(c, '<' | '>' | ';' | '&' | '|');
        while self.quote.is_some() || self.chars.peek().is_some_and(|c| !ends(c)) {
            if self.next().is_none() {
                // The command has the quote that is not closed.
                part.extend(self.quote);
                return;
            }
        }
        part.push(' ');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The commands with `|` between their words.
    fn of(line: &str) -> Option<Vec<String>> {
        let commands = commands(line)?;
        Some(commands.iter().filter(|words| !words.is_empty()).map(|words| words.join("|")).collect())
    }

    #[test]
    fn operators_count_outside_of_quotes() {
        for (line, expected) in [
            ("a b;c&&d||e|f & g", "a|b , c , d , e , f , g"),
            (r#"a "-DA=;" '-DB=x && y' -DC=\; -D"D=a>b""#, "a|-DA=;|-DB=x && y|-DC=;|-DD=a>b"),
            ("a >x b 2>&1 c>>'x y'd &>z <in e", "a|b|c|e"),
            ("a b2>x; c > y; d", "a|b2 , c , d"),
            ("a # b; c", "a"),
            ("a b#c; d", "a|b#c , d"),
            (r#"a "x\";y" z"#, r#"a|x";y|z"#),
        ] {
            assert_eq!(of(line).map(|commands| commands.join(" , ")).as_deref(), Some(expected), "{line}");
        }
        for line in ["a 'b", "a > 'b", "a; b \""] {
            assert_eq!(of(line), None, "{line}");
        }
    }
}
