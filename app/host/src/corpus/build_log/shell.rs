//! Lines of a shell: the commands, without redirections.

use std::iter::Peekable;
use std::str::Chars;

/// A part of a line.
#[derive(Debug, PartialEq, Eq)]
pub enum Part {
    /// A subshell begins: what it does to the folder ends with it.
    Opens,
    /// A subshell ends.
    Closes,
    Command {
        words: Vec<String>,
        /// The shell puts something else for a part of it: the value of a variable, the output of a command.
        is_replaced: bool,
    },
}

/// The commands of a line. Operators count outside of quotes only. `None` where a quote is not closed.
pub fn parts(line: &str) -> Option<Vec<Part>> {
    let mut out = Vec::new();
    let mut text = String::new();
    let mut rest = Rest { chars: line.chars().peekable(), quote: None, is_replaced: false };
    let mut depth = 0;
    while let Some((next, is_plain)) = rest.next() {
        match next.chars().next().filter(|_| is_plain) {
            Some('<' | '>') => rest.redirected(&mut text),
            Some('&') if rest.chars.peek() == Some(&'>') => rest.redirected(&mut text),
            // The second of `&&` or `||` ends an empty command.
            Some(';' | '&' | '|') => out.push(rest.command(&mut text)?),
            // Elsewhere it is no subshell, and may be meant for the shell of another system.
            Some('(') if text.trim().is_empty() => {
                out.push(Part::Opens);
                depth += 1;
            }
            Some(')') if depth > 0 => {
                out.extend([rest.command(&mut text)?, Part::Closes]);
                depth -= 1;
            }
            // A comment.
            Some('#') if text.is_empty() || text.ends_with(char::is_whitespace) => break,
            _ => text.push_str(&next),
        }
    }
    out.push(rest.command(&mut text)?);
    Some(out)
}

/// What was not read yet.
struct Rest<'t> {
    chars: Peekable<Chars<'t>>,
    /// The quotation mark that encloses it.
    quote: Option<char>,
    /// The shell puts something else for a part of the command.
    is_replaced: bool,
}

impl Rest<'_> {
    /// The command whose text was read, as it is quoted.
    fn command(&mut self, text: &mut String) -> Option<Part> {
        let words = shlex::split(&std::mem::take(text))?;
        Some(Part::Command { words, is_replaced: std::mem::take(&mut self.is_replaced) })
    }

    /// The next character, with what a backslash before it makes of it, and whether it is neither quoted nor a quotation
    /// mark.
    fn next(&mut self) -> Option<(String, bool)> {
        let c = self.chars.next()?;
        let mut text = c.to_string();
        if self.quote != Some('\'') {
            // A mark of a prompt stands alone.
            let is_name = |next: &char| !next.is_whitespace() && !matches!(next, '"' | '\'' | '/' | '\\' | ';');
            self.is_replaced |= c == '`' || (c == '$' && self.chars.peek().is_some_and(is_name));
        }
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
        let part = |part: &Part| match part {
            Part::Opens => Some("(".to_owned()),
            Part::Closes => Some(")".to_owned()),
            Part::Command { words, .. } if words.is_empty() => None,
            Part::Command { words, is_replaced } => {
                Some(format!("{}{}", words.join("|"), if *is_replaced { " (replaced)" } else { "" }))
            }
        };
        Some(parts(line)?.iter().filter_map(part).collect())
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
            ("(cd a && b); c", "( , cd|a , b , ) , c"),
            ("a -DA=(1) b", "a|-DA=(1)|b"),
            (
                r#"a $B; c "$D" 'e$f' \$g; h `i`; $ k"#,
                "a|$B (replaced) , c|$D|e$f|$g (replaced) , h|`i` (replaced) , $|k",
            ),
            ("a '$b' \\$c; d $(e f)", "a|$b|$c , d|$(e|f) (replaced)"),
        ] {
            assert_eq!(of(line).map(|commands| commands.join(" , ")).as_deref(), Some(expected), "{line}");
        }
        for line in ["a 'b", "a > 'b", "a; b \""] {
            assert_eq!(of(line), None, "{line}");
        }
    }
}
