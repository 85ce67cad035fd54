//! Declarations of HLSL and Slang: what has a semantic or a register, workgroup sizes.

use super::tokens::{Token, after_group};
use super::{Declaration, Declared};

pub fn declarations(tokens: &[Token<'_>]) -> Vec<Declaration> {
    let mut out = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let next = |by: usize| tokens.get(at + by).map_or("", |token| token.text);
        if token.text == "[" && next(1) == "numthreads" && next(2) == "(" {
            let end = after_group(tokens, at);
            let last = tokens.get(end.saturating_sub(1)).map_or(token.range().end, |last| last.range().end);
            let what = Declared::WorkgroupSize { entry: function(tokens, end) };
            out.push(Declaration { range: token.at..last, what });
        } else if token.text == ":" && next(1) != ":" {
            out.extend(named(tokens, at, next(1)));
        }
    }
    out
}

/// The function that attributes belong to: the name before the first group in parentheses.
fn function(tokens: &[Token<'_>], mut at: usize) -> Option<String> {
    while tokens.get(at)?.text == "[" {
        at = after_group(tokens, at);
    }
    let open = at + tokens.get(at..)?.iter().position(|token| ["(", ";", "{"].contains(&token.text))?;
    let name = tokens.get(open.checked_sub(1)?).filter(|token| token.is_word())?;
    (tokens.get(open)?.text == "(").then(|| name.text.to_owned())
}

/// What the words around a `:` declare.
fn named(tokens: &[Token<'_>], colon: usize, after: &str) -> Option<Declaration> {
    // Before it, over the sizes of an array.
    let mut at = colon.checked_sub(1)?;
    while tokens.get(at)?.text == "]" {
        at = (0..at).rev().find(|open| tokens[*open].text == "[" && after_group(tokens, *open) == at + 1)?;
        at = at.checked_sub(1)?;
    }
    let name = tokens.get(at).filter(|token| token.is_word())?;
    // A type stands before a name; of `x ? a : b` an operator does.
    let is_declared = tokens.get(at.checked_sub(1)?).is_some_and(|type_| type_.is_word() || type_.text == ">");
    let is_semantic = after.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let own = name.text.to_owned();
    let what = match after {
        _ if !is_declared => return None,
        "register" => Declared::Descriptor { names: vec![own], place: None },
        "packoffset" => return None,
        _ if is_semantic => Declared::Varying { of: Vec::new(), name: own, is_output: None },
        _ => return None,
    };
    Some(Declaration { range: name.range(), what })
}

#[cfg(test)]
mod tests {
    use super::super::Language;
    use super::super::tests::found;

    #[test]
    fn finds_semantics_registers_and_sizes() {
        let text = "struct V { float4 at : SV_Position; float2 uv[2] : TEXCOORD0; nointerpolation uint id : ID; };\n\
                    Texture2D<float4> albedo : register(t0, space1); SamplerState s[2] : register(s0);\n\
                    cbuffer C : register(b0) { float4 a : packoffset(c0); };\n\
                    [numthreads(8, 8, 1)] void cs(uint3 id : SV_DispatchThreadID) { x = y ? id.x : z; A::b(); }\n\
                    float4 main(V v) : SV_Target { switch (n) { case 1: return 0; default: break; } }\n";
        assert_eq!(
            found(Language::Hlsl, text),
            [
                "at varying",
                "uv varying",
                "id varying",
                "albedo: albedo",
                "s: s",
                "C: C",
                "size [numthreads(8, 8, 1)] cs",
                "id varying"
            ]
        );
    }
}
