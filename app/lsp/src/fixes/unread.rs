//! Outputs that the next stage does not read: removed with the statements that write them, or kept as variables of the
//! shader.

use std::ops::Range;

use lanescope_core::program::StageKind;

use super::{Edit, Fix, Text};
use crate::source::Language;
use crate::source::plain::{Plain, directive_words};
use crate::source::tokens::{Token, after_group};

/// Qualifiers that only variables of an interface may have.
const OF_INTERFACES: [&str; 12] = [
    "out",
    "flat",
    "smooth",
    "noperspective",
    "centroid",
    "sample",
    "invariant",
    "patch",
    "perprimitiveEXT",
    "perprimitiveNV",
    "pervertexEXT",
    "pervertexNV",
];

/// Functions and constructors whose calls may be removed: they have no effect but their value.
const PURE: [&str; 58] = [
    "float",
    "int",
    "uint",
    "bool",
    "vec2",
    "vec3",
    "vec4",
    "ivec2",
    "ivec3",
    "ivec4",
    "uvec2",
    "uvec3",
    "uvec4",
    "mat2",
    "mat3",
    "mat4",
    "radians",
    "degrees",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "pow",
    "exp",
    "log",
    "exp2",
    "log2",
    "sqrt",
    "inversesqrt",
    "abs",
    "sign",
    "floor",
    "ceil",
    "round",
    "fract",
    "mod",
    "min",
    "max",
    "clamp",
    "mix",
    "step",
    "smoothstep",
    "length",
    "distance",
    "dot",
    "cross",
    "normalize",
    "reflect",
    "refract",
    "transpose",
    "inverse",
    "determinant",
    "texture",
    "textureLod",
    "texelFetch",
    "textureSize",
];

/// The fix of an output that nothing reads.
pub fn fix(text: &Text, one: &Plain) -> Option<Fix> {
    // An array without a size has one by its stage; a variable of the shader would not.
    let has_sizes = one.sizes.iter().all(|size| text.text.get(size.clone()).is_some_and(|own| own.len() > 2));
    // An output of a mesh shader has an element for each vertex or primitive.
    if !has_sizes || one.has("patch") || text.stage() == Some(StageKind::Mesh) {
        return None;
    }
    let tokens = Language::Glsl.tokens(&text.text);
    let uses = (0..tokens.len()).filter(|at| tokens[*at].text == one.name && tokens[*at].at != one.name_range.start);
    // A statement of its own that qualifies the output has no meaning for a variable of the shader.
    let of_statement = |at: usize| tokens[..at].iter().rev().take_while(|token| ![";", "{", "}"].contains(&token.text));
    if uses.clone().any(|at| of_statement(at).any(|token| token.text == "invariant")) {
        return None;
    }
    let words = directive_words(&text.text);
    let is_called = |word: &str| {
        let defines = |three: &[Token<'_>]| three[0].is_word() && three[0].text != "return" && three[1].text == word;
        words.contains(&word) || tokens.windows(3).any(|three| defines(three) && three[2].text == "(")
    };
    let written: Option<Vec<Range<usize>>> = uses
        .map(|at| {
            // A line of the preprocessor before it may belong to another statement.
            let from = at.checked_sub(1).map_or(0, |before| tokens[before].range().end);
            let between = text.text.get(from..tokens[at].at).unwrap_or("#");
            let statement = assignment(&tokens, &one.name, at).filter(|_| !between.contains('#'))?;
            let end = tokens.partition_point(|token| token.at < statement.end);
            let is_certain = tokens[at + 1..end].iter().all(|token| !token.is_word() || !is_called(token.text));
            is_certain.then_some(statement)
        })
        .collect();
    let name = &one.name;
    if let Some(written) = written {
        let title = match written.len() {
            0 => format!("Remove the output `{name}`, which nothing reads"),
            _ => format!("Remove the output `{name}`, which nothing reads, and what writes it"),
        };
        let all = std::iter::once(&one.statement).chain(&written);
        return Some(Fix { title, edits: all.map(|range| text.edit(text.with_line(range), "")).collect() });
    }
    let title = format!("Make `{name}` a variable of the shader: nothing reads the output");
    Some(Fix { title, edits: kept(text, one) })
}

/// The edits that leave the variable without the interface.
fn kept(text: &Text, one: &Plain) -> Vec<Edit> {
    let words: Vec<&str> =
        one.qualifiers.iter().map(String::as_str).filter(|word| !OF_INTERFACES.contains(word)).collect();
    let before: String = words.iter().map(|word| format!("{word} ")).collect();
    vec![text.edit(one.statement.start..one.type_range.start, before)]
}

/// The statement of an assignment to a whole variable, whose value has no other effect; none of anything else.
fn assignment(tokens: &[Token<'_>], name: &str, at: usize) -> Option<Range<usize>> {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
    let begins = at.checked_sub(1).is_some_and(|before| [";", "{", "}"].contains(&text(before)));
    if !begins || text(at + 1) != "=" || text(at + 2) == "=" {
        return None;
    }
    let mut end = at + 2;
    while !["", ";", "{", "}", ")", "]"].contains(&text(end)) {
        end = if ["(", "["].contains(&text(end)) { after_group(tokens, end) } else { end + 1 };
    }
    let value = tokens.get(at + 2..end).filter(|_| text(end) == ";")?;
    let own = |at: usize| value.get(at).map_or("", |token| token.text);
    let has_effect = value.iter().enumerate().any(|(index, token)| match token.text {
        // A comparison is the only sign with `=` that assigns nothing.
        "=" => {
            let compares = |sign: &str| ["=", "<", ">", "!"].contains(&sign);
            !(index > 0 && compares(own(index - 1)) || own(index + 1) == "=")
        }
        "+" | "-" => own(index + 1) == token.text,
        word if token.is_word() && own(index + 1) == "(" => !PURE.contains(&word),
        word => word == name,
    });
    (!has_effect).then(|| tokens[at].at..tokens[end].range().end)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn fixed(body: &str) -> String {
        let code = format!("layout(location = 1) smooth out highp vec4 v; // unread\nvoid main() {{\n{body}\n}}\n");
        let text = Text::new(Path::new("/a.vert"), code.clone());
        let fix = fix(&text, &text.plain()[0]).expect("is fixed");
        let mut edits = fix.edits;
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.range.start));
        let mut code = code;
        for edit in edits {
            code.replace_range(edit.range, &edit.text);
        }
        code
    }

    #[test]
    fn assignments_without_effects_go_with_the_output() {
        assert_eq!(fixed("x = 1;\n  v = vec4(normalize(n), 1);\ny = 2;"), "void main() {\nx = 1;\ny = 2;\n}\n");
        assert_eq!(fixed("v = a == b ? c : d; w = 1;"), "void main() {\n w = 1;\n}\n");
        assert_eq!(fixed(""), "void main() {\n\n}\n");
    }

    #[test]
    fn other_uses_keep_the_variable() {
        for body in [
            "#if A\n#endif\nv = b;",
            "for (;;v = b) ;",
            "v.x = 1;",
            "if (a) v = b;",
            "v = f(a);",
            "v = a++;",
            "v = b = c;",
            "v += a;",
            "w = v;",
            "v = v * 2;",
        ] {
            assert_eq!(fixed(body), format!("highp vec4 v; // unread\nvoid main() {{\n{body}\n}}\n"), "{body}");
        }
    }

    #[test]
    fn arrays_without_sizes_stay() {
        for (code, is_fixed) in [("out vec4 v[];", false), ("out vec4 v[3];", true), ("patch out vec4 v;", false)] {
            let text = Text::new(Path::new("/a.vert"), code.to_owned());
            assert_eq!(fix(&text, &text.plain()[0]).is_some(), is_fixed, "{code}");
        }
    }
}
