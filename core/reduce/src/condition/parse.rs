//! Reading a condition.

use std::str::FromStr;
use std::time::Duration;

use super::{Compares, Condition, Pattern, Test, Than};

/// Why a text is not a condition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("condition, column {column}: expected {expected}, found {found}")]
pub struct ConditionError {
    /// The column, from 1, in characters.
    pub column: usize,
    /// What may stand there.
    pub expected: String,
    /// What does.
    pub found: String,
}

/// The tests by name.
const TESTS: &str = "`slots-differ`, `places-differ`, `results-differ`, `crashes`, `fails`, `time`, `statistic`, \
                     `finding`, `validator-rejects`, `text` or `exec`";

/// How deep conditions may be nested.
const MAX_DEPTH: usize = 64;

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Word(String),
    Quoted(String),
    Pattern(String),
    Sign(&'static str),
}

impl Token {
    fn text(&self) -> String {
        match self {
            Token::Word(text) => format!("`{text}`"),
            Token::Quoted(text) => format!("\"{text}\""),
            Token::Pattern(text) => format!("/{text}/"),
            Token::Sign(sign) => format!("`{sign}`"),
        }
    }
}

/// Whether a name needs no quotes.
pub(super) fn is_word(text: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || "-_.:,+@%\\~/".contains(c);
    let reserved = ["and", "or", "not", "on", "from"].contains(&text);
    !text.is_empty() && !reserved && text.chars().all(is_plain) && !text.starts_with('/')
}

fn tokens(text: &str) -> Result<Vec<(usize, Token)>, ConditionError> {
    let chars: Vec<char> = text.chars().collect();
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        let start = at;
        if c.is_whitespace() {
            at += 1;
            continue;
        }
        let rest: String = chars[at..].iter().take(2).collect();
        let sign = Compares::ALL.iter().map(|(_, sign)| *sign).chain(["(", ")"]).find(|sign| rest.starts_with(sign));
        let token = match (sign, c) {
            (Some(sign), _) => {
                at += sign.len();
                Token::Sign(sign)
            }
            (None, '"' | '/') => {
                let (text, end) = delimited(&chars, at, c).ok_or_else(|| ConditionError {
                    column: start + 1,
                    expected: format!("a closing `{c}`"),
                    found: "the end".to_owned(),
                })?;
                at = end;
                if c == '"' { Token::Quoted(text) } else { Token::Pattern(text) }
            }
            _ => {
                let ends = |c: &char| c.is_whitespace() || "()<>=!\"".contains(*c);
                at = chars[at..].iter().position(ends).map_or(chars.len(), |count| at + count.max(1));
                Token::Word(chars[start..at].iter().collect())
            }
        };
        out.push((start + 1, token));
    }
    Ok(out)
}

/// The text between two signs, and where it ends. A backslash before the sign stands for the sign.
fn delimited(chars: &[char], start: usize, sign: char) -> Option<(String, usize)> {
    let mut out = String::new();
    let mut at = start + 1;
    loop {
        match *chars.get(at)? {
            '\\' if chars.get(at + 1) == Some(&sign) || sign == '"' && chars.get(at + 1) == Some(&'\\') => {
                out.push(*chars.get(at + 1)?);
                at += 2;
            }
            c if c == sign => return Some((out, at + 1)),
            c => {
                out.push(c);
                at += 1;
            }
        }
    }
}

impl FromStr for Condition {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Condition, ConditionError> {
        let tokens = tokens(text)?;
        let mut reader = Reader { tokens: &tokens, at: 0, end: text.chars().count() + 1, depth: 0 };
        let condition = reader.any()?;
        match reader.peek() {
            None => Ok(condition),
            Some(_) => Err(reader.expected("`and`, `or` or the end")),
        }
    }
}

struct Reader<'t> {
    tokens: &'t [(usize, Token)],
    at: usize,
    end: usize,
    depth: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(_, token)| token)
    }

    fn expected(&self, expected: &str) -> ConditionError {
        let (column, found) = match self.tokens.get(self.at) {
            Some((column, token)) => (*column, token.text()),
            None => (self.end, "the end".to_owned()),
        };
        ConditionError { column, expected: expected.to_owned(), found }
    }

    /// Takes a word if it is that one.
    fn word(&mut self, word: &str) -> bool {
        let is_it = matches!(self.peek(), Some(Token::Word(text)) if text == word);
        self.at += usize::from(is_it);
        is_it
    }

    fn sign(&mut self, sign: &str) -> bool {
        let is_it = matches!(self.peek(), Some(Token::Sign(text)) if *text == sign);
        self.at += usize::from(is_it);
        is_it
    }

    fn any(&mut self) -> Result<Condition, ConditionError> {
        let mut all = vec![self.all()?];
        while self.word("or") {
            all.push(self.all()?);
        }
        Ok(only(all, Condition::Any))
    }

    fn all(&mut self) -> Result<Condition, ConditionError> {
        let mut all = vec![self.one()?];
        while self.word("and") {
            all.push(self.one()?);
        }
        Ok(only(all, Condition::All))
    }

    fn one(&mut self) -> Result<Condition, ConditionError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.expected(&format!("at most {MAX_DEPTH} conditions in each other")));
        }
        let one = if self.word("not") {
            Condition::Not(Box::new(self.one()?))
        } else if self.sign("(") {
            let inner = self.any()?;
            if !self.sign(")") {
                return Err(self.expected("`)`"));
            }
            inner
        } else {
            Condition::Test(self.test()?)
        };
        self.depth -= 1;
        Ok(one)
    }

    /// A name: a word, or quoted.
    fn name(&mut self, expected: &str) -> Result<String, ConditionError> {
        let name = match self.peek() {
            Some(Token::Word(text) | Token::Quoted(text)) => text.clone(),
            _ => return Err(self.expected(expected)),
        };
        self.at += 1;
        Ok(name)
    }

    /// A name after a word, where the word is there.
    fn named(&mut self, word: &str, expected: &str) -> Result<Option<String>, ConditionError> {
        if self.word(word) { self.name(expected).map(Some) } else { Ok(None) }
    }

    fn on(&mut self) -> Result<Option<String>, ConditionError> {
        self.named("on", "a chip or a device")
    }

    fn maybe_pattern(&mut self) -> Result<Option<Pattern>, ConditionError> {
        if matches!(self.peek(), Some(Token::Pattern(_))) { self.pattern().map(Some) } else { Ok(None) }
    }

    fn pattern(&mut self) -> Result<Pattern, ConditionError> {
        let Some(Token::Pattern(text)) = self.peek() else {
            return Err(self.expected("a regular expression in slashes"));
        };
        match Pattern::try_from(text.clone()) {
            Ok(pattern) => {
                self.at += 1;
                Ok(pattern)
            }
            Err(error) => {
                let why = error.to_string();
                let last = why.lines().last().unwrap_or_default().trim_start_matches("error: ");
                Err(self.expected(&format!("a regular expression ({last})")))
            }
        }
    }

    fn compares(&mut self) -> Result<Compares, ConditionError> {
        match Compares::ALL.iter().find(|(_, sign)| self.sign(sign)) {
            Some((compares, _)) => Ok(*compares),
            None => Err(self.expected("`>`, `>=`, `<`, `<=`, `=` or `!=`")),
        }
    }

    fn number(&mut self) -> Result<f64, ConditionError> {
        let number = match self.peek() {
            Some(Token::Word(text)) => text.parse().ok().filter(|number: &f64| number.is_finite()),
            _ => None,
        };
        let number = number.ok_or_else(|| self.expected("a number"))?;
        self.at += 1;
        Ok(number)
    }

    fn than(&mut self) -> Result<Than, ConditionError> {
        let what = "a time (`500ms`, `2s`) or a factor (`2x`)";
        let Some(Token::Word(text)) = self.peek() else { return Err(self.expected(what)) };
        let number = |unit: &str| -> Option<f64> {
            let number: f64 = text.strip_suffix(unit)?.parse().ok()?;
            (number > 0.0 && number <= 86_400.0).then_some(number)
        };
        let time = |seconds: f64| Than::Time(Duration::from_secs_f64(seconds));
        let than = number("ms").map(|number| time(number / 1000.0)).or_else(|| number("s").map(time));
        let than = than.or_else(|| number("x").map(Than::Times)).ok_or_else(|| self.expected(what))?;
        self.at += 1;
        Ok(than)
    }

    fn test(&mut self) -> Result<Test, ConditionError> {
        if self.word("slots-differ") {
            return Ok(Test::SlotsDiffer { on: self.on()? });
        }
        if self.word("places-differ") {
            return Ok(Test::PlacesDiffer { on: self.on()? });
        }
        if self.word("results-differ") {
            let on = self.on()?;
            return Ok(Test::ResultsDiffer { on, from: self.named("from", "a device")? });
        }
        if self.word("crashes") {
            return Ok(Test::Crashes { on: self.on()? });
        }
        if self.word("fails") {
            return Ok(Test::Fails { on: self.on()? });
        }
        if self.word("time") {
            if !self.sign(">") {
                return Err(self.expected("`>`"));
            }
            let than = self.than()?;
            return Ok(Test::Time { than, on: self.on()? });
        }
        if self.word("statistic") {
            let name = self.name("the name of a statistic")?;
            let compares = self.compares()?;
            let value = self.number()?;
            return Ok(Test::Statistic { name, compares, value, on: self.on()? });
        }
        if self.word("finding") {
            let code = self.name("the code of a finding")?.to_ascii_uppercase();
            return Ok(Test::Finding { code, pattern: self.maybe_pattern()? });
        }
        if self.word("validator-rejects") {
            return Ok(Test::ValidatorRejects(self.maybe_pattern()?));
        }
        if self.word("text") {
            if !self.word("matches") {
                return Err(self.expected("`matches`"));
            }
            let pattern = self.pattern()?;
            return Ok(Test::Text { pattern, on: self.on()? });
        }
        if self.word("exec") {
            // A path may begin with a slash, which begins a pattern otherwise.
            if let Some(Token::Pattern(_)) = self.peek() {
                return Err(self.expected("a program (quote an absolute path)"));
            }
            return Ok(Test::Exec(self.name("a program")?));
        }
        Err(self.expected(&format!("{TESTS}, `not` or `(`")))
    }
}

fn only(mut all: Vec<Condition>, several: fn(Vec<Condition>) -> Condition) -> Condition {
    if all.len() == 1 { all.remove(0) } else { several(all) }
}
