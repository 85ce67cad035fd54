//! Errors in HLSL that the compiler does not survive, so that they are found before it parses the text.
//!
//! - A parameter whose array size has no end: it asks for the sizes of an array that has none.
//! - A parameter of the entry point without a name: it copies the name.

/// A word, or a character that is not part of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Token<'t> {
    text: &'t str,
    /// Name or number of the text that it comes from, as messages have it.
    file: &'t str,
    /// Its line there, from 1.
    line: u32,
}

/// What stands before the type of a parameter.
const QUALIFIERS: &[&str] = &[
    "in",
    "out",
    "inout",
    "uniform",
    "const",
    "linear",
    "centroid",
    "nointerpolation",
    "noperspective",
    "sample",
    "precise",
    "row_major",
    "column_major",
    "snorm",
    "unorm",
    "point",
    "line",
    "triangle",
    "lineadj",
    "triangleadj",
];

/// The first error of a preprocessed text that ends the compiler's process, in the form of its messages.
pub(crate) fn fatal(text: &str, entry: &str) -> Option<String> {
    let message = |at: &Token<'_>, what: &str| format!("ERROR: {}:{}: {what}", at.file, at.line);
    if let Some((at, instead)) = open_bracket(Tokens::of(text)) {
        let instead = instead.map_or("the end of the text".to_owned(), |instead| format!("'{instead}'"));
        return Some(message(&at, &format!("']' : Expected before {instead}")));
    }
    let at = unnamed_parameter(Tokens::of(text), entry)?;
    Some(message(&at, &format!("'{}' : parameter of the entry point without a name", at.text)))
}

/// The tokens of a preprocessed text. Directives are not among them.
#[derive(Debug, Clone)]
struct Tokens<'t> {
    lines: std::str::Lines<'t>,
    /// What is left of the current line.
    rest: &'t str,
    file: &'t str,
    line: u32,
}

impl<'t> Tokens<'t> {
    fn of(text: &'t str) -> Tokens<'t> {
        Tokens { lines: text.lines(), rest: "", file: "0", line: 0 }
    }

    fn begin_line(&mut self, content: &'t str) {
        self.line = self.line.saturating_add(1);
        let Some(directive) = content.trim_start().strip_prefix('#') else {
            self.rest = content;
            return;
        };
        let mut words = directive.trim_start().strip_prefix("line").unwrap_or_default().split_whitespace();
        // The next line has this number.
        if let Some(next) = words.next().and_then(|number| number.parse::<u32>().ok()) {
            self.line = next.saturating_sub(1);
        }
        self.file = words.next().map_or(self.file, |name| name.trim_matches('"'));
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let first = loop {
            self.rest = self.rest.trim_start();
            match self.rest.chars().next() {
                Some(first) => break first,
                None => {
                    let content = self.lines.next()?;
                    self.begin_line(content);
                }
            }
        };
        let length = match first {
            '"' => text_length(self.rest),
            first if is_word(first) => self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len()),
            first => first.len_utf8(),
        };
        let (text, rest) = self.rest.split_at(length);
        self.rest = rest;
        Some(Token { text, file: self.file, line: self.line })
    }
}

/// Bytes of a text in quotation marks that `rest` begins with; of all of it where it does not end.
fn text_length(rest: &str) -> usize {
    let mut escaped = false;
    let end = rest.char_indices().skip(1).find(|(_, letter)| {
        let ends = *letter == '"' && !escaped;
        escaped = *letter == '\\' && !escaped;
        ends
    });
    end.map_or(rest.len(), |(at, _)| at + 1)
}

/// The first `[` that is not closed where what surrounds it ends: what comes instead of `]` and where, or the last token.
fn open_bracket<'t>(tokens: Tokens<'t>) -> Option<(Token<'t>, Option<&'t str>)> {
    let (mut stack, mut last) = (Vec::new(), None);
    for token in tokens {
        match (token.text, stack.last()) {
            (")" | "}" | "{" | ";", Some(b'[')) => return Some((token, Some(token.text))),
            ("[" | "(" | "{", _) => stack.push(token.text.as_bytes()[0]),
            ("]", Some(b'[')) | (")", Some(b'(')) | ("}", Some(b'{')) => _ = stack.pop(),
            _ => {}
        }
        last = Some(token);
    }
    last.filter(|_| stack.last() == Some(&b'[')).map(|last| (last, None))
}

/// The type of the first parameter without a name in a definition of the entry point.
fn unnamed_parameter<'t>(mut tokens: Tokens<'t>, entry: &str) -> Option<Token<'t>> {
    let (mut depth, mut is_entry) = (0u32, false);
    while let Some(token) = tokens.next() {
        match token.text {
            // Definitions are in no parentheses: what is looked at ahead is looked at once.
            "(" => {
                if is_entry
                    && depth == 0
                    && let Some(ty) = unnamed_of_definition(tokens.clone())
                {
                    return Some(ty);
                }
                depth = depth.saturating_add(1);
            }
            ")" => depth = depth.saturating_sub(1),
            "{" | "}" | ";" => depth = 0,
            _ => {}
        }
        is_entry = token.text == entry;
    }
    None
}

/// How much of a parameter was seen.
#[derive(Clone, Copy)]
enum Seen<'t> {
    Qualifiers,
    Type(Token<'t>),
    More,
}

/// The type of the first parameter that is a type alone, of parameters that begin here and belong to a definition.
fn unnamed_of_definition<'t>(mut tokens: Tokens<'t>) -> Option<Token<'t>> {
    let (mut found, mut seen, mut depth) = (None, Seen::Qualifiers, 0u32);
    loop {
        let token = tokens.next()?;
        let ends = depth == 0 && matches!(token.text, "," | ")" | ":" | "=");
        if let (true, Seen::Type(ty)) = (ends && found.is_none(), seen) {
            found = Some(ty).filter(|ty| ty.text != "void");
        }
        match token.text {
            ")" if depth == 0 => break,
            "," if depth == 0 => {
                seen = Seen::Qualifiers;
                continue;
            }
            "(" | "[" | "<" => depth = depth.saturating_add(1),
            ")" | "]" | ">" => depth = depth.checked_sub(1)?,
            "{" | "}" | ";" => return None,
            _ => {}
        }
        seen = match seen {
            Seen::Qualifiers if QUALIFIERS.contains(&token.text) => Seen::Qualifiers,
            Seen::Qualifiers if token.text.starts_with(|c: char| c.is_alphabetic() || c == '_') => Seen::Type(token),
            _ => Seen::More,
        };
    }
    // A declaration may leave names out, and a call has none.
    let is_definition = match tokens.next()?.text {
        "{" => true,
        ":" => tokens.nth(1)?.text == "{",
        _ => false,
    };
    found.filter(|_| is_definition)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_brackets_that_are_left_open() {
        let found = |text: &str| fatal(text, "main").unwrap_or_default();
        assert_eq!(found("float f(float a[4],\n float b[2]) { return a[b[1]]; }"), "");
        assert_eq!(found("float f(float a[4, float b)\n{ return b; }"), "ERROR: 0:1: ']' : Expected before ')'");
        assert_eq!(found("float f(float a[1+\n, float b)"), "ERROR: 0:2: ']' : Expected before ')'");
        assert_eq!(found("void f() {\n float a[4;\n }"), "ERROR: 0:2: ']' : Expected before ';'");
        assert_eq!(found("float f(float a[4"), "ERROR: 0:1: ']' : Expected before the end of the text");
        assert_eq!(found("[RootSignature(\"a[\\\"(\")]\n[numthreads(8, 8, 1)]\nvoid f() { }"), "");
        assert_eq!(found("float f(float a]) }"), "", "the compiler reports it");
        assert_eq!(found(""), "");
    }

    #[test]
    fn finds_parameters_of_the_entry_point_without_a_name() {
        let found = |text: &str| fatal(text, "main");
        let unnamed = |ty: &str| Some(format!("ERROR: 0:1: '{ty}' : parameter of the entry point without a name"));
        assert_eq!(found("float4 main(float : B) : SV_Target { return 0; }"), unnamed("float"));
        assert_eq!(found("float4 main(float4 p : SV_Position, in nointerpolation uint) { }"), unnamed("uint"));
        for good in [
            "float4 main(float b : B) : SV_Target { return 0; }",
            "void main() { }",
            "void main(void) { }",
            "float4 main(float sample : B, in float4 p : SV_Position) { }",
            "float4 main(vector<float, 4> p, const in float a[2] = { 0, 0 }) { }",
            "float4 main(float); float4 main(float b) { return b; }",
            "float4 other(float : B) { return 0; } float4 main(float b) { return other(b); }",
            "void other() { main(a); if (main(a)) { } if (b ? main(a) : c) { } }",
            "float4 main(float4(1), float b) { return b; }",
            "void main(inout PointStream<Hot> hot, point Seed seed[1], uint i : SV_GSInstanceID) { }",
        ] {
            assert_eq!(found(good), None, "{good}");
        }
    }

    /// A text is looked at once, however its parentheses nest, and without a list of its tokens.
    #[test]
    fn many_calls_are_read_in_one_pass() {
        let text = "main(".repeat(1 << 20);
        assert_eq!(fatal(&text, "main"), None);
        assert_eq!(fatal(&format!("{text}{{"), "main"), None);
    }

    #[test]
    fn counts_lines_as_the_text_says() {
        let text = "#line 1 \"a[.hlsli\"\nfloat one;\n#line 7 0\n\nfloat f(float a[2)\n{ }";
        assert_eq!(fatal(text, "main").as_deref(), Some("ERROR: 0:8: ']' : Expected before ')'"));
        let text = "#line 3 \"a.hlsli\"\nfloat f(float a[2)\n{ }";
        assert_eq!(fatal(text, "main").as_deref(), Some("ERROR: a.hlsli:3: ']' : Expected before ')'"));
    }
}
