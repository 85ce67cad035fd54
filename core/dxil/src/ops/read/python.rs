//! A part of Python's syntax: the statements that `hctdb.py` fills its tables with. Nothing is executed.

/// How deep an expression may be nested.
const MAX_DEPTH: usize = 40;

/// One logical line: brackets and backslashes join lines of the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Its first line in the file, from 1.
    pub number: usize,
    /// Columns before it.
    pub indent: usize,
    /// Its tokens.
    pub tokens: Vec<Token>,
}

/// A token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    /// A name or a keyword.
    Name(String),
    /// A string without interpolation.
    Text(String),
    /// An integer of 32 bits.
    Number(u32),
    /// One character of an operator or a bracket.
    Sign(char),
    /// A string with interpolation, or a number that is not an integer of 32 bits.
    Other(String),
}

impl Line {
    /// Whether a name is somewhere in the line.
    pub fn has_name(&self, names: &[&str]) -> bool {
        self.tokens.iter().any(|token| matches!(token, Token::Name(name) if names.contains(&name.as_str())))
    }

    /// The name that the line starts with.
    pub fn first(&self) -> &str {
        match self.tokens.first() {
            Some(Token::Name(name)) => name,
            _ => "",
        }
    }
}

/// Splits a text into logical lines. Comments and empty lines are left out.
pub fn lines(text: &str) -> Vec<Line> {
    let mut reader = Reader { rest: text, line: 1 };
    let mut out: Vec<Line> = Vec::new();
    loop {
        // At the start of a line of the file.
        let indent = reader.rest.len() - reader.rest.trim_start_matches([' ', '\t']).len();
        reader.skip(indent);
        let mut line = Line { number: reader.line, indent, tokens: Vec::new() };
        let mut depth = 0usize;
        let is_end = loop {
            let Some(first) = reader.rest.chars().next() else { break true };
            match first {
                '\n' => {
                    reader.skip(1);
                    if depth == 0 {
                        break false;
                    }
                }
                '\\' if reader.rest.starts_with("\\\n") || reader.rest.starts_with("\\\r\n") => {
                    let end = reader.rest.find('\n').map_or(reader.rest.len(), |end| end + 1);
                    reader.skip(end);
                }
                '#' => reader.skip(reader.rest.find('\n').unwrap_or(reader.rest.len())),
                c if c.is_whitespace() => reader.skip(c.len_utf8()),
                _ => {
                    let token = reader.token();
                    match token {
                        Token::Sign('(' | '[' | '{') => depth += 1,
                        Token::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    line.tokens.push(token);
                }
            }
        };
        if !line.tokens.is_empty() {
            out.push(line);
        }
        if is_end {
            return out;
        }
    }
}

struct Reader<'t> {
    rest: &'t str,
    line: usize,
}

impl Reader<'_> {
    fn skip(&mut self, bytes: usize) {
        let (skipped, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        self.line += skipped.bytes().filter(|byte| *byte == b'\n').count();
        self.rest = rest;
    }

    fn token(&mut self) -> Token {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let word = self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len());
        let (text, after) = self.rest.split_at_checked(word).unwrap_or((self.rest, ""));
        let prefix = text.to_ascii_lowercase();
        let is_prefix = matches!(prefix.as_str(), "" | "r" | "b" | "f" | "u" | "rb" | "br" | "fr" | "rf");
        if is_prefix && after.starts_with(['"', '\'']) {
            self.skip(word);
            return self.string(&prefix);
        }
        if word == 0 {
            let sign = self.rest.chars().next().unwrap_or(' ');
            self.skip(sign.len_utf8());
            return Token::Sign(sign);
        }
        let token = match text.starts_with(|c: char| c.is_ascii_digit()) {
            true => match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
                Some(digits) => u32::from_str_radix(digits, 16).ok(),
                None => text.parse().ok(),
            }
            .map_or_else(|| Token::Other(text.to_owned()), Token::Number),
            false => Token::Name(text.to_owned()),
        };
        self.skip(word);
        token
    }

    /// A string after its prefix. One without an end goes to the end of its line, or of the file.
    fn string(&mut self, prefix: &str) -> Token {
        let quote = if self.rest.starts_with('\'') { '\'' } else { '"' };
        let triple: String = std::iter::repeat_n(quote, 3).collect();
        let is_long = self.rest.starts_with(&triple);
        let end = if is_long { triple } else { quote.to_string() };
        self.skip(end.len());
        let (mut out, mut length) = (String::new(), self.rest.len());
        let mut chars = self.rest.char_indices();
        while let Some((at, c)) = chars.next() {
            if self.rest.get(at..).is_some_and(|rest| rest.starts_with(&end)) {
                length = at + end.len();
                break;
            }
            match c {
                '\n' if !is_long => {
                    length = at;
                    break;
                }
                '\\' if !prefix.contains('r') => match chars.next() {
                    Some((_, 'n')) => out.push('\n'),
                    Some((_, 't')) => out.push('\t'),
                    Some((_, '\n')) | None => {}
                    Some((_, c)) => out.push(c),
                },
                c => out.push(c),
            }
        }
        self.skip(length);
        if prefix.contains('f') { Token::Other(out) } else { Token::Text(out) }
    }
}

/// An argument with its name.
pub type Named = (String, Expr);

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    /// A string.
    Text(String),
    /// An integer.
    Number(u32),
    /// A name.
    Name(String),
    /// Several in brackets or between commas.
    List(Vec<Expr>),
    /// `callee(arguments, name=value)`.
    Call(Box<Expr>, Vec<Expr>, Vec<Named>),
    /// `of.name`.
    Member(Box<Expr>, String),
    /// `of[index]`.
    Index(Box<Expr>, Box<Expr>),
    /// `left + right`.
    Add(Box<Expr>, Box<Expr>),
    /// What is not understood.
    Other,
}

impl Expr {
    /// The last name of a callee or a target: `add` of `self.table.add`.
    pub fn last_name(&self) -> &str {
        match self {
            Expr::Name(name) | Expr::Member(_, name) => name,
            _ => "",
        }
    }
}

/// Reads an expression, or several between commas, that takes all tokens.
pub fn expression(tokens: &[Token]) -> Option<Expr> {
    let mut parser = Parser { tokens, at: 0 };
    let found = parser.list(0)?;
    (parser.at == tokens.len()).then_some(found)
}

struct Parser<'t> {
    tokens: &'t [Token],
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn takes(&mut self, sign: char) -> bool {
        let found = self.peek() == Some(&Token::Sign(sign));
        self.at += usize::from(found);
        found
    }

    /// One, or several between commas.
    fn list(&mut self, depth: usize) -> Option<Expr> {
        let first = self.sum(depth)?;
        if self.peek() != Some(&Token::Sign(',')) {
            return Some(first);
        }
        let mut all = vec![first];
        while self.takes(',') {
            if matches!(self.peek(), None | Some(Token::Sign(')' | ']'))) {
                break;
            }
            all.push(self.sum(depth)?);
        }
        Some(Expr::List(all))
    }

    fn sum(&mut self, depth: usize) -> Option<Expr> {
        let mut left = self.term(depth)?;
        while self.takes('+') {
            left = Expr::Add(Box::new(left), Box::new(self.term(depth)?));
        }
        Some(left)
    }

    fn term(&mut self, depth: usize) -> Option<Expr> {
        if depth > MAX_DEPTH {
            return None;
        }
        let mut out = match self.peek()?.clone() {
            Token::Text(mut text) => {
                self.at += 1;
                // Neighbours join.
                while let Some(Token::Text(more)) = self.peek() {
                    text.push_str(more);
                    self.at += 1;
                }
                Expr::Text(text)
            }
            Token::Number(number) => {
                self.at += 1;
                Expr::Number(number)
            }
            Token::Name(name) => {
                self.at += 1;
                Expr::Name(name)
            }
            Token::Other(_) => {
                self.at += 1;
                Expr::Other
            }
            Token::Sign(open @ ('(' | '[')) => {
                self.at += 1;
                let close = if open == '(' { ')' } else { ']' };
                if self.takes(close) {
                    Expr::List(Vec::new())
                } else {
                    let inside = self.list(depth + 1)?;
                    if !self.takes(close) {
                        return None;
                    }
                    match inside {
                        // A list of one is a list; one in parentheses is that one.
                        Expr::List(all) => Expr::List(all),
                        one if open == '[' => Expr::List(vec![one]),
                        one => one,
                    }
                }
            }
            Token::Sign(_) => return None,
        };
        loop {
            if self.takes('.') {
                let Some(Token::Name(name)) = self.peek() else { return None };
                out = Expr::Member(Box::new(out), name.clone());
                self.at += 1;
            } else if self.takes('(') {
                let (arguments, named) = self.arguments(depth + 1)?;
                out = Expr::Call(Box::new(out), arguments, named);
            } else if self.takes('[') {
                let index = self.list(depth + 1)?;
                if !self.takes(']') {
                    return None;
                }
                out = Expr::Index(Box::new(out), Box::new(index));
            } else {
                return Some(out);
            }
        }
    }

    fn arguments(&mut self, depth: usize) -> Option<(Vec<Expr>, Vec<Named>)> {
        let (mut arguments, mut named) = (Vec::new(), Vec::new());
        while !self.takes(')') {
            let name = match (self.peek(), self.tokens.get(self.at + 1)) {
                (Some(Token::Name(name)), Some(Token::Sign('='))) => Some(name.clone()),
                _ => None,
            };
            match name {
                Some(name) => {
                    self.at += 2;
                    named.push((name, self.sum(depth)?));
                }
                None => arguments.push(self.sum(depth)?),
            }
            if !self.takes(',') && self.peek() != Some(&Token::Sign(')')) {
                return None;
            }
        }
        Some((arguments, named))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins_lines_in_brackets_and_neighbouring_strings() {
        let text = "a = (\n  'x' # comment\n  \"y\"\n)\n\n    b(1,\n0x10, c=[])\n";
        let found = lines(text);
        assert_eq!(found.iter().map(|line| (line.number, line.indent)).collect::<Vec<_>>(), [(1, 0), (6, 4)]);
        let tokens = &found[0].tokens[2..];
        assert_eq!(expression(tokens), Some(Expr::Text("xy".to_owned())));
        let Some(Expr::Call(callee, arguments, named)) = expression(&found[1].tokens) else { panic!("a call") };
        assert_eq!((callee.last_name(), arguments.len(), named[0].0.as_str()), ("b", 2, "c"));
        assert_eq!(arguments[1], Expr::Number(16));
        assert_eq!(named[0].1, Expr::List(Vec::new()));
    }

    #[test]
    fn strings_keep_what_looks_like_comments_and_end_with_their_line() {
        let found = lines("x = \"a # b\"\ny = 'open\nz = '''long\n# inside\n'''\nf\"{x}\"");
        assert_eq!(found[0].tokens[2], Token::Text("a # b".to_owned()));
        assert_eq!(found[1].tokens[2], Token::Text("open".to_owned()));
        assert_eq!(found[2].tokens[2], Token::Text("long\n# inside\n".to_owned()));
        assert_eq!(found[3].tokens[0], Token::Other("{x}".to_owned()));
        assert_eq!(found[3].number, 6);
    }

    #[test]
    fn deep_and_broken_expressions_are_refused() {
        for text in ["(".repeat(100_000), "a(".repeat(100_000), "(".to_owned(), "a.".to_owned(), "1 - 2".to_owned()] {
            let found = lines(&text);
            assert_eq!(expression(&found[0].tokens), None);
        }
        assert_eq!(expression(&[]), None);
    }
}
