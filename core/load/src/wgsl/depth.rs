//! How deep a text nests: naga recurses over expressions and blocks, and limits brackets and braces only. It also follows
//! declarations from one to the next that it names.

/// The most declarations outside of functions: each may be a level.
const MAX_DECLARATIONS: usize = 1 << 16;

/// What declarations begin with.
const DECLARATIONS: [&str; 7] = ["alias", "const", "const_assert", "fn", "override", "struct", "var"];

/// The most levels: operators of one expression, brackets, braces, and branches of one `else if`, added up.
const MAX: usize = 1000;

/// What a bracket or a brace encloses, as far as it was read.
#[derive(Default)]
struct Level {
    /// It is enclosed in braces.
    braces: bool,
    /// Operators of the expression so far, each a level.
    operators: usize,
    /// Branches of the `else if` so far, each a level.
    branches: usize,
}

impl Level {
    fn levels(&self) -> usize {
        1 + self.operators + self.branches
    }
}

/// Checks that a text nests so little that naga's stack holds it.
///
/// Errors: the byte where it gets too deep, and what is said of it.
pub(super) fn check(text: &str) -> Result<(), (usize, String)> {
    let mut open = vec![Level::default()];
    // Levels of all that is open.
    let mut total = 1;
    let mut after_else = false;
    let mut declarations = 0;
    for (at, token) in tokens(text) {
        let is_outer = open.len() == 1;
        let Some(level) = open.last_mut() else { break };
        total -= level.levels();
        if is_outer && matches!(token, Token::Word(word) if DECLARATIONS.contains(&word)) {
            declarations += 1;
        }
        match token {
            Token::Word("else") => level.branches += 1,
            Token::Word("if") if !after_else => level.branches = 0,
            Token::Word(_) => {}
            Token::Mark(b';') => (level.operators, level.branches) = (0, 0),
            Token::Mark(b',') => level.operators = 0,
            Token::Mark(_) => level.operators += 1,
        }
        total += level.levels();
        after_else = token == Token::Word("else");
        match token {
            Token::Mark(mark @ (b'(' | b'[' | b'{')) => {
                open.push(Level { braces: mark == b'{', ..Level::default() });
                total += 1;
            }
            Token::Mark(mark @ (b')' | b']' | b'}')) => close(mark == b'}', &mut open, &mut total),
            _ => {}
        }
        if declarations > MAX_DECLARATIONS {
            return Err((at, format!("more than {MAX_DECLARATIONS} declarations outside of functions")));
        }
        if total > MAX {
            return Err((at, format!("nests more than {MAX} levels deep (operators, brackets, `else if`)")));
        }
    }
    Ok(())
}

/// Leaves the innermost bracket, or the innermost braces with all brackets in them.
fn close(braces: bool, open: &mut Vec<Level>, total: &mut usize) {
    if !open.iter().skip(1).any(|level| level.braces == braces) || (!braces && open.last().is_some_and(|l| l.braces)) {
        return;
    }
    while let Some(level) = open.pop() {
        *total -= level.levels();
        if level.braces == braces {
            break;
        }
    }
    // A statement ends with its braces.
    if braces && let Some(level) = open.last_mut() {
        *total -= level.operators;
        level.operators = 0;
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// A name, a keyword or a number.
    Word(&'t str),
    /// A byte of an operator or of a bracket.
    Mark(u8),
}

/// The tokens of a text with their places, without comments: line comments and block comments, which nest.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = (usize, Token<'_>)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    let of_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
    std::iter::from_fn(move || {
        loop {
            let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
            let start = at;
            match rest {
                [byte, ..] if byte.is_ascii_whitespace() => at += 1,
                [b'/', b'/', ..] => at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len()),
                [b'/', b'*', ..] => at += comment(rest),
                [byte, ..] if of_word(byte) => {
                    at += rest.iter().position(|byte| !of_word(byte)).unwrap_or(rest.len());
                    return Some((start, Token::Word(text.get(start..at).unwrap_or_default())));
                }
                [byte, ..] => {
                    at += 1;
                    return Some((start, Token::Mark(*byte)));
                }
                [] => return None,
            }
        }
    })
}

/// The length of the block comment that a text begins with.
fn comment(text: &[u8]) -> usize {
    let (mut at, mut open) = (0, 0usize);
    while let Some(pair) = text.get(at..at + 2) {
        match pair {
            b"/*" => (at, open) = (at + 2, open + 1),
            b"*/" => (at, open) = (at + 2, open - 1),
            _ => at += 1,
        }
        if open == 0 {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_naga_recurses_over() {
        let sum = |terms: usize| format!("fn f() {{ let x = 1{}; }}", " + 1".repeat(terms));
        let chain = |branches: usize| format!("fn f() {{ if a {{}}{} }}", " else if b { x(1); }".repeat(branches));
        let calls = |count: usize| format!("fn f() {{ let x = {}1{}; }}", "g(".repeat(count), ")".repeat(count));
        for (text, fits) in [
            (sum(900), true),
            (sum(1100), false),
            (chain(900), true),
            (chain(1100), false),
            (calls(400), true),
            (calls(600), false),
            ("{".repeat(1100), false),
            // Side by side is not deep.
            (format!("fn f() {{ {} }}", "let x = a + b; if c > 0 { d(1, e[2]); } else { g(); }\n".repeat(900)), true),
            (format!("const a = array({});", "vec2(-1.0, 1.0), ".repeat(900)), true),
            (format!("/* /* {} */ {} */ // {}", "(".repeat(2000), "{".repeat(2000), "[".repeat(2000)), true),
            (format!("{}{}", "}".repeat(2000), ")".repeat(2000)), false),
            ("const a = 1; fn f() { var b = 2; }\n".repeat(MAX_DECLARATIONS / 2), true),
            (format!("{} alias A = u32;", "var<private> a: A;\n".repeat(MAX_DECLARATIONS)), false),
        ] {
            let found = check(&text);
            assert_eq!(found.is_ok(), fits, "{found:?} {}", text.chars().take(60).collect::<String>());
        }
    }
}
