//! Declarations of HLSL and Slang: what has a semantic or a register, workgroup sizes, nodes of work graphs.

use super::hlsl_nodes;
use super::hlsl_sides::structure;
use super::tokens::{Groups, Token};
use super::{Declaration, Declared, Holder, Semantic, number};

/// Words of a parameter before its name.
const MODIFIERS: usize = 64;

pub fn declarations(tokens: &[Token<'_>]) -> Vec<Declaration> {
    let groups = Groups::of(tokens);
    let mut out = Vec::new();
    let mut holders: Vec<(Holder, usize)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        while holders.last().is_some_and(|(_, end)| *end <= at) {
            holders.pop();
        }
        holders.extend(holder(tokens, &groups, at));
        let next = |by: usize| tokens.get(at + by).map_or("", |token| token.text);
        if token.text == "[" && next(1) == "numthreads" && next(2) == "(" {
            let end = groups.after(at);
            let last = tokens.get(end.saturating_sub(1)).map_or(token.range().end, |last| last.range().end);
            let what = Declared::WorkgroupSize { entry: function(tokens, &groups, end) };
            out.push(Declaration { range: token.at..last, what });
        } else if token.text == ":" && next(1) != ":" {
            let holder = holders.last().map_or(&Holder::Unknown, |(holder, _)| holder);
            out.extend(named(tokens, &groups, at, holder));
        }
    }
    out.extend(hlsl_nodes::declarations(tokens, &groups));
    out.sort_by_key(|one| (one.range.start, one.range.end));
    // An attribute that stands twice declares one node.
    out.dedup();
    out
}

/// What begins at a token and may hold declarations with semantics, with the token after it. The sides of a parameter
/// follow from its own words.
fn holder(tokens: &[Token<'_>], groups: &Groups, at: usize) -> Option<(Holder, usize)> {
    if let Some((name, range)) = structure(tokens, groups, at) {
        return Some((Holder::Structure(name.to_owned()), range.end));
    }
    let is_word = |at: usize| tokens.get(at).is_some_and(Token::is_word);
    let is_list =
        tokens.get(at)?.text == "(" && at.checked_sub(2).is_some_and(|before| is_word(before) && is_word(before + 1));
    let function = is_list.then(|| tokens[at - 1].text.to_owned())?;
    Some((Holder::Parameter { function, sides: [true, true] }, groups.after(at)))
}

/// Whether a parameter is read, and whether it is written, by the words before its name.
fn sides(tokens: &[Token<'_>], name: usize) -> [bool; 2] {
    let before = tokens.get(..name).unwrap_or_default().iter().rev();
    let own = before.take(MODIFIERS).take_while(|token| !["(", ",", ";", "{", "}"].contains(&token.text));
    let is_written = own.clone().any(|token| ["out", "inout"].contains(&token.text));
    let is_read = !is_written || own.clone().any(|token| ["in", "inout"].contains(&token.text));
    [is_read, is_written]
}

/// The function that attributes belong to: the name before the first group in parentheses.
fn function(tokens: &[Token<'_>], groups: &Groups, mut at: usize) -> Option<String> {
    while tokens.get(at)?.text == "[" {
        at = groups.after(at);
    }
    let open = at + tokens.get(at..)?.iter().position(|token| ["(", ";", "{"].contains(&token.text))?;
    let name = tokens.get(open.checked_sub(1)?).filter(|token| token.is_word())?;
    (tokens.get(open)?.text == "(").then(|| name.text.to_owned())
}

/// What the words around a `:` declare.
fn named(tokens: &[Token<'_>], groups: &Groups, colon: usize, holder: &Holder) -> Option<Declaration> {
    let after = tokens.get(colon + 1).map_or("", |token| token.text);
    // Before it, over the sizes of an array.
    let mut at = colon.checked_sub(1)?;
    let mut rows = Some(1u32);
    while tokens.get(at)?.text == "]" {
        let open = groups.open(at).filter(|open| tokens[*open].text == "[")?;
        let size = (open + 2 == at).then(|| number(tokens[open + 1].text)).flatten();
        rows = rows.zip(size).and_then(|(rows, size)| rows.checked_mul(size));
        at = open.checked_sub(1)?;
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
        _ if is_semantic => {
            let rows = rows.zip(rows_of(tokens[at - 1].text)).and_then(|(all, of)| all.checked_mul(of));
            let name = after.trim_end_matches(|c: char| c.is_ascii_digit());
            let index = after.get(name.len()..).and_then(|index| index.parse().ok()).unwrap_or(0);
            let holder = match holder {
                Holder::Parameter { function, .. } => {
                    Holder::Parameter { function: function.clone(), sides: sides(tokens, at) }
                }
                other => other.clone(),
            };
            let semantic = Some(Semantic { name: name.to_owned(), index, rows, holder });
            Declared::Varying { of: Vec::new(), name: own, is_output: None, semantic }
        }
        _ => return None,
    };
    Some(Declaration { range: name.range(), what })
}

/// Rows of a type by its name: `float4x4` has 4, and a scalar or vector one. None where the name does not say it.
fn rows_of(type_: &str) -> Option<u32> {
    const SCALARS: [&str; 15] = [
        "float",
        "half",
        "int",
        "uint",
        "bool",
        "double",
        "min16float",
        "min10float",
        "min16int",
        "min16uint",
        "float16_t",
        "int16_t",
        "uint16_t",
        "float32_t",
        "uint32_t",
    ];
    let rest = SCALARS.iter().filter_map(|scalar| type_.strip_prefix(scalar)).min_by_key(|rest| rest.len())?;
    let is_size = |size: &str| matches!(size, "1" | "2" | "3" | "4");
    match rest.split_once('x') {
        None if rest.is_empty() || is_size(rest) => Some(1),
        Some((rows, columns)) if is_size(rows) && is_size(columns) => number(rows),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Language;
    use super::super::tests::found;
    use super::*;

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
                "at varying SV_Position+0×1",
                "uv varying TEXCOORD+0×2",
                "id varying ID+0×1",
                "albedo: albedo",
                "s: s",
                "C: C",
                "size [numthreads(8, 8, 1)] cs",
                "id varying SV_DispatchThreadID+0×1"
            ]
        );
    }

    #[test]
    fn semantics_have_a_row_for_each_element() {
        let text = "struct V { row_major float3x4 m : M; float4 n[2][3] : N7; float4x4 o[2] : O; min16float2 p : P12; \
                    Own q : Q; float r[COUNT] : R; vector<float, 3> s : S; };";
        let expected = ["m varying M+0×3", "n varying N+7×6", "o varying O+0×8", "p varying P+12×1", "q varying Q+0×?"];
        let found = found(Language::Hlsl, text);
        assert_eq!(found[..5], expected);
        assert_eq!(found[5..], ["r varying R+0×?", "s varying S+0×?"]);
    }

    #[test]
    fn rows_have_names_of_their_semantic() {
        let semantic = |rows| Semantic { name: "TexCoord".to_owned(), index: 3, rows, holder: Holder::Unknown };
        for (row, is) in
            [("TEXCOORD3", true), ("TEXCOORD4", true), ("TEXCOORD5", false), ("TEXCOORD", false), ("COLOR3", false)]
        {
            assert_eq!(semantic(Some(2)).has_row(row), is, "{row}");
            assert!(!semantic(None).has_row(row));
        }
    }
}
