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
    let tokens = tokens(text);
    let message = |at: &Token<'_>, what: &str| format!("ERROR: {}:{}: {what}", at.file, at.line);
    if let Some((at, instead)) = open_bracket(&tokens) {
        let instead = instead.map_or("the end of the text".to_owned(), |instead| format!("'{instead}'"));
        return Some(message(at, &format!("']' : Expected before {instead}")));
    }
    let at = unnamed_parameter(&tokens, entry)?;
    Some(message(at, &format!("'{}' : parameter of the entry point without a name", at.text)))
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let (mut out, mut file, mut line) = (Vec::new(), "0", 0);
    for content in text.lines() {
        line += 1;
        if let Some(directive) = content.trim_start().strip_prefix('#') {
            let mut words = directive.trim_start().strip_prefix("line").unwrap_or_default().split_whitespace();
            // The next line has this number.
            line = words.next().and_then(|number| number.parse().ok()).map_or(line, |next: u32| next.saturating_sub(1));
            file = words.next().map_or(file, |name| name.trim_matches('"'));
            continue;
        }
        let mut rest = content.trim_start();
        while let Some(first) = rest.chars().next() {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let length = match first {
                '"' => text_length(rest),
                first if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
                first => first.len_utf8(),
            };
            let (text, after) = rest.split_at(length);
            out.push(Token { text, file, line });
            rest = after.trim_start();
        }
    }
    out
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
fn open_bracket<'t, 's>(tokens: &'s [Token<'t>]) -> Option<(&'s Token<'t>, Option<&'t str>)> {
    let mut stack = Vec::new();
    for token in tokens {
        match (token.text, stack.last().copied()) {
            (")" | "}" | "{" | ";", Some("[")) => return Some((token, Some(token.text))),
            (open @ ("[" | "(" | "{"), _) => stack.push(open),
            ("]", Some("[")) | (")", Some("(")) | ("}", Some("{")) => _ = stack.pop(),
            _ => {}
        }
    }
    tokens.last().filter(|_| stack.last() == Some(&"[")).map(|last| (last, None))
}

/// The type of the first parameter without a name in a definition of the entry point.
fn unnamed_parameter<'t, 's>(tokens: &'s [Token<'t>], entry: &str) -> Option<&'s Token<'t>> {
    let starts = tokens.windows(2).enumerate().filter(|(_, pair)| pair[0].text == entry && pair[1].text == "(");
    starts.filter_map(|(at, _)| tokens.get(at + 2..)).find_map(|after| {
        let (parameters, end) = parameters(after)?;
        // A declaration may leave names out, and a call has none.
        let mut behind = after.get(end + 1..)?.iter().map(|token| token.text);
        let is_definition = match behind.next()? {
            "{" => true,
            ":" => behind.nth(1)? == "{",
            _ => false,
        };
        is_definition.then_some(())?;
        parameters.into_iter().find_map(unnamed)
    })
}

/// The parameters at the start of some tokens, and the number of the `)` behind them.
fn parameters<'t, 's>(tokens: &'s [Token<'t>]) -> Option<(Vec<&'s [Token<'t>]>, usize)> {
    let (mut out, mut begin, mut depth) = (Vec::new(), 0, 0u32);
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            ")" if depth == 0 => {
                out.push(&tokens[begin..at]);
                return Some((out, at));
            }
            "," if depth == 0 => {
                out.push(&tokens[begin..at]);
                begin = at + 1;
            }
            "(" | "[" | "<" => depth += 1,
            ")" | "]" | ">" => depth = depth.checked_sub(1)?,
            "{" | "}" | ";" => return None,
            _ => {}
        }
    }
    None
}

/// The type of a parameter that is a type alone, with what may surround it.
fn unnamed<'t, 's>(parameter: &'s [Token<'t>]) -> Option<&'s Token<'t>> {
    let qualifiers = parameter.iter().take_while(|token| QUALIFIERS.contains(&token.text)).count();
    let (ty, after) = parameter.get(qualifiers..)?.split_first()?;
    let is_word = ty.text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let ends = after.first().is_none_or(|next| matches!(next.text, ":" | "="));
    (is_word && ends && ty.text != "void").then_some(ty)
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
            "void main(inout PointStream<Hot> hot, point Seed seed[1], uint i : SV_GSInstanceID) { }",
        ] {
            assert_eq!(found(good), None, "{good}");
        }
    }

    #[test]
    fn counts_lines_as_the_text_says() {
        let text = "#line 1 \"a[.hlsli\"\nfloat one;\n#line 7 0\n\nfloat f(float a[2)\n{ }";
        assert_eq!(fatal(text, "main").as_deref(), Some("ERROR: 0:8: ']' : Expected before ')'"));
        let text = "#line 3 \"a.hlsli\"\nfloat f(float a[2)\n{ }";
        assert_eq!(fatal(text, "main").as_deref(), Some("ERROR: a.hlsli:3: ']' : Expected before ')'"));
    }
}
