//! Words and numbers of a script.

use lanescope_base::foreign::is_obeyed;

use crate::error::Error;
use crate::number::Number;

/// A token.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token<'t> {
    /// The end of the file.
    End,
    /// The end of a line.
    Newline,
    /// A word, which does not begin with a digit.
    Word(&'t str),
    /// A text in quotes.
    Quoted(String),
    /// A number.
    Number(Number),
}

impl Token<'_> {
    /// What messages call it.
    pub(super) fn called(&self) -> String {
        match self {
            Token::End => "the end of the file".to_owned(),
            Token::Newline => "the end of the line".to_owned(),
            Token::Word(word) => quoted(word),
            Token::Quoted(text) => quoted(&format!("\"{text}\"")),
            Token::Number(number) => quoted(&number.to_string()),
        }
    }

    fn ends_line(&self) -> bool {
        matches!(self, Token::End | Token::Newline)
    }
}

/// The longest part of a text that a message shows, in characters.
const SHOWN: usize = 60;

pub(super) fn quoted(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN).map(|c| if is_obeyed(c) { ' ' } else { c }).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}

/// The tokens of a text, from a place on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tokens<'t> {
    text: &'t str,
    at: usize,
    /// The line of the next token.
    pub(super) line: u32,
}

fn is_space(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\r' | 0x0c | b' ')
}

fn ends_word(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'\n' | b'(' | b')' | b',')
}

impl<'t> Tokens<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Tokens { text, at: 0, line: 1 }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The next token. Its line is that of the tokens before the call.
    pub(super) fn next(&mut self) -> Result<Token<'t>, Error> {
        loop {
            let spaces = self.rest().bytes().take_while(|byte| is_space(*byte)).count();
            self.at += spaces;
            let rest = self.rest();
            match rest.as_bytes() {
                [] => return Ok(Token::End),
                [b'#', ..] => self.at += rest.find('\n').unwrap_or(rest.len()),
                [b'\n', ..] => {
                    self.advance(1);
                    return Ok(Token::Newline);
                }
                // A line that goes on.
                [b'\\', b'\n', ..] => self.advance(2),
                [b'\\', b'\r', b'\n', ..] => self.advance(3),
                // A space was left behind it. As a word at the end of a line it could not be written.
                [b'\\', after, ..] if ends_word(*after) => return Err(self.lone_backslash()),
                [b'\\'] => return Err(self.lone_backslash()),
                [b'"', ..] => return self.string(),
                [b'(' | b')' | b',', ..] => {
                    self.at += 1;
                    return Ok(Token::Word(&rest[..1]));
                }
                _ => return self.word(),
            }
        }
    }

    /// The next token, which stays the next one.
    pub(super) fn peek(&self) -> Result<Token<'t>, Error> {
        let mut copy = *self;
        copy.next()
    }

    fn lone_backslash(&self) -> Error {
        Error::new(self.line, "the end of the line right after `\\`", "a `\\` alone")
    }

    /// Goes over bytes that end a line.
    fn advance(&mut self, bytes: usize) {
        self.at += bytes;
        self.line = self.line.saturating_add(1);
    }

    fn word(&mut self) -> Result<Token<'t>, Error> {
        let rest = self.rest();
        let end = rest.bytes().position(ends_word).unwrap_or(rest.len());
        let word = &rest[..end];
        if word.eq_ignore_ascii_case("nan") {
            self.at += end;
            return Ok(Token::Number(Number::Float(f64::NAN)));
        }
        let is_number = matches!(word.as_bytes(), [b'0'..=b'9', ..] | [b'-' | b'.', b'0'..=b'9', ..]);
        if !is_number {
            self.at += end;
            return Ok(Token::Word(word));
        }
        let (number, length) =
            number(word).ok_or_else(|| Error::new(self.line, "a number of 64 bits", quoted(word)))?;
        // What follows the digits is a token of its own: `50%`.
        self.at += length;
        Ok(Token::Number(number))
    }

    fn string(&mut self) -> Result<Token<'t>, Error> {
        let mut out = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.at += at + 1;
                    return Ok(Token::Quoted(out));
                }
                '\n' => break,
                '\\' => match chars.next().map(|(_, c)| c) {
                    Some('a') => out.push('\x07'),
                    Some('b') => out.push('\x08'),
                    Some('t') => out.push('\t'),
                    Some('n') => out.push('\n'),
                    Some('v') => out.push('\x0b'),
                    Some('f') => out.push('\x0c'),
                    Some('r') => out.push('\r'),
                    Some(c) if c != '\n' => out.push(c),
                    _ => break,
                },
                c => out.push(c),
            }
        }
        Err(Error::new(self.line, "`\"` at the end of a text", "the end of the line"))
    }

    /// The text up to the first `END`, and the line of its beginning.
    pub(super) fn text_to_end(&mut self) -> Option<(&'t str, u32)> {
        let rest = self.rest();
        let line = self.line;
        let text = &rest[..rest.find("END")?];
        self.at += text.len();
        let lines = text.bytes().filter(|byte| *byte == b'\n').count();
        self.line = self.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        Some((text, line))
    }

    /// Whether the line ends here.
    pub(super) fn at_line_end(&self) -> Result<bool, Error> {
        Ok(self.peek()?.ends_line())
    }
}

/// The number that a word begins with, and its length; none where it does not have 64 bits.
fn number(word: &str) -> Option<(Number, usize)> {
    if let Some(digits) = word.strip_prefix("0x") {
        let length = digits.bytes().take_while(u8::is_ascii_hexdigit).count();
        if length > 0 {
            return Some((Number::Hex(u64::from_str_radix(&digits[..length], 16).ok()?), 2 + length));
        }
    }
    let digits = |from: usize| word[from..].bytes().take_while(u8::is_ascii_digit).count();
    let sign = usize::from(word.starts_with('-'));
    let mut end = sign + digits(sign);
    // A number with a point anywhere in its word is floating point.
    if !word.contains('.') {
        let number = match sign {
            0 => Number::Unsigned(word[..end].parse().ok()?),
            _ => Number::Negative(word[..end].parse().ok()?),
        };
        return Some((number, end));
    }
    if word[end..].starts_with('.') {
        end += 1 + digits(end + 1);
    }
    if let [b'e' | b'E', after @ ..] = &word.as_bytes()[end..] {
        let sign = usize::from(matches!(after, [b'-' | b'+', ..]));
        let exponent = digits(end + 1 + sign);
        end += if exponent > 0 { 1 + sign + exponent } else { 0 };
    }
    Some((Number::Float(word[..end].parse().ok()?), end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<Token<'_>> {
        let mut tokens = Tokens::of(text);
        let mut out = Vec::new();
        loop {
            match tokens.next().expect("is a token") {
                Token::End => return out,
                token => out.push(token),
            }
        }
    }

    #[test]
    fn cuts_words_and_numbers() {
        use Number::{Float, Hex, Negative, Unsigned};
        let numbers = "1 -2 0xfF 1.5 -0.5 2. 1.5e3 .5E-1 NaN 18446744073709551615";
        let expected = [
            Unsigned(1),
            Negative(-2),
            Hex(255),
            Float(1.5),
            Float(-0.5),
            Float(2.0),
            Float(1500.0),
            Float(0.05),
            Float(f64::NAN),
        ];
        let found = all(numbers);
        assert_eq!(found[..9], expected.map(Token::Number));
        assert_eq!(found[9], Token::Number(Unsigned(u64::MAX)));
        let word = Token::Word;
        assert_eq!(
            all("a,b\t(c) # d\n"),
            [word("a"), word(","), word("b"), word("("), word("c"), word(")"), Token::Newline]
        );
        assert_eq!(all("50% 1e3"), [Token::Number(Unsigned(50)), word("%"), Token::Number(Unsigned(1)), word("e3")]);
        assert_eq!(all("a \\\n b\\\r\n"), [word("a"), word("b\\"), Token::Newline]);
        assert_eq!(all("\"a \\\"b\\n\\\\\" c"), [Token::Quoted("a \"b\n\\".to_owned()), word("c")]);
        assert_eq!(all("-x - # é"), [word("-x"), word("-")]);
    }

    #[test]
    fn refuses_numbers_above_64_bits_open_texts_and_lone_backslashes() {
        for text in
            ["18446744073709551616", "-9223372036854775809", "0x10000000000000000", "\"a", "\"a\\", "\\ \n", "\\"]
        {
            assert!(Tokens::of(text).next().is_err(), "{text}");
        }
    }

    #[test]
    fn texts_end_at_the_first_end() {
        let mut tokens = Tokens::of("a\nb # END\nc");
        assert_eq!(tokens.text_to_end(), Some(("a\nb # ", 1)));
        assert_eq!((tokens.line, tokens.next()), (2, Ok(Token::Word("END"))));
        assert_eq!(Tokens::of("a").text_to_end(), None);
    }
}
