//! Brackets that HLSL leaves open. The compiler does not survive a parameter whose array size has no end: it asks for the
//! sizes of an array that has none.

/// A bracket that is left open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Open {
    /// Name or number of the text, as messages have it.
    pub file: String,
    /// The line of what comes instead of `]`, from 1.
    pub line: u32,
    /// What comes instead; `None` at the end of the text.
    pub instead: Option<char>,
}

/// The first `[` of a preprocessed text that is not closed where what surrounds it ends.
pub(crate) fn open(text: &str) -> Option<Open> {
    let (mut file, mut line) = ("0".to_owned(), 0);
    let mut stack = Vec::new();
    for content in text.lines() {
        line += 1;
        if let Some(directive) = content.trim_start().strip_prefix('#') {
            let mut words = directive.trim_start().strip_prefix("line").unwrap_or_default().split_whitespace();
            // The next line has this number.
            line = words.next().and_then(|number| number.parse().ok()).map_or(line, |next: u32| next.saturating_sub(1));
            file = words.next().map_or(file, |name| name.trim_matches('"').to_owned());
            continue;
        }
        let mut is_text = false;
        let mut letters = content.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '\\' if is_text => _ = letters.next(),
                '"' => is_text = !is_text,
                _ if is_text => {}
                ')' | '}' | '{' | ';' if stack.last() == Some(&'[') => {
                    return Some(Open { file, line, instead: Some(letter) });
                }
                '[' | '(' | '{' => stack.push(letter),
                ']' if stack.last() == Some(&'[') => _ = stack.pop(),
                ')' if stack.last() == Some(&'(') => _ = stack.pop(),
                '}' if stack.last() == Some(&'{') => _ = stack.pop(),
                _ => {}
            }
        }
    }
    (stack.last() == Some(&'[')).then_some(Open { file, line, instead: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_brackets_that_are_left_open() {
        let found = |text: &str| open(text).map(|open| (open.file, open.line, open.instead));
        let at = |line, instead| Some(("0".to_owned(), line, instead));
        assert_eq!(found("float f(float a[4],\n float b[2]) { return a[b[1]]; }"), None);
        assert_eq!(found("float f(float a[4, float b)\n{ return b; }"), at(1, Some(')')));
        assert_eq!(found("float f(float a[1+\n, float b)"), at(2, Some(')')));
        assert_eq!(found("void f() {\n float a[4;\n }"), at(2, Some(';')));
        assert_eq!(found("float f(float a[4"), at(1, None));
        assert_eq!(found("[RootSignature(\"a[\\\"(\")]\n[numthreads(8, 8, 1)]\nvoid f() { }"), None);
        // What the compiler reports by itself.
        assert_eq!(found("float f(float a]) }"), None);
    }

    #[test]
    fn counts_lines_as_the_text_says() {
        let text = "#line 1 \"a[.hlsli\"\nfloat one;\n#line 7 0\n\nfloat f(float a[2)\n{ }";
        assert_eq!(open(text), Some(Open { file: "0".to_owned(), line: 8, instead: Some(')') }));
        let text = "#line 3 \"a.hlsli\"\nfloat f(float a[2)\n{ }";
        assert_eq!(open(text), Some(Open { file: "a.hlsli".to_owned(), line: 3, instead: Some(')') }));
    }
}
