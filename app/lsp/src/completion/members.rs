//! Members of HLSL's structures that match those of the other stage.

use lanescope_core::load::{hlsl_entry, hlsl_kind};

use super::{Other, Proposal};
use crate::source::tokens::Token;
use crate::source::{Declared, Holder, Language, Semantic, Sides};

/// Whether what follows is a member of a structure.
pub fn is_member(tokens: &[Token<'_>]) -> bool {
    let mut open: Vec<usize> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match token.text {
            "{" | "(" | "[" => open.push(index),
            "}" | ")" | "]" => drop(open.pop()),
            _ => {}
        }
    }
    let text = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or("", |token| token.text);
    let is_structure = |at: &usize| text(Some(*at)) == "{" && text(at.checked_sub(2)) == "struct";
    open.last().is_some_and(is_structure) && tokens.last().is_some_and(|last| [";", "{"].contains(&last.text))
}

/// Members with a semantic that the other stage has on its side, and this text does not have.
pub fn matching(own: &str, other: &Other<'_>, is_output: bool) -> Vec<Proposal> {
    let tokens = Language::Hlsl.tokens(other.text);
    let entry = hlsl_entry(other.text, hlsl_kind(other.stage));
    let Some(sides) = Sides::of(std::slice::from_ref(&tokens), entry) else { return Vec::new() };
    let known: Vec<Semantic> = semantics(own).into_iter().map(|(_, semantic)| semantic).collect();
    let is_known = |semantic: &Semantic| {
        known.iter().any(|own| own.name.eq_ignore_ascii_case(&semantic.name) && own.index == semantic.index)
    };
    let is_theirs = |semantic: &Semantic| {
        let is_built_in = semantic.name.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("SV_"));
        matches!(semantic.holder, Holder::Structure(_)) && !is_built_in && sides.has(&semantic.holder, !is_output)
    };
    let theirs = semantics(other.text).into_iter().filter(|(_, semantic)| is_theirs(semantic) && !is_known(semantic));
    let detail = format!("{} of {}", if is_output { "input" } else { "output" }, other.name);
    let proposal = |at: usize| {
        let text = statement(&tokens, at)?;
        Some(Proposal { text, detail: detail.clone(), is_declaration: true })
    };
    theirs.filter_map(|(at, _)| proposal(at)).collect()
}

/// The semantics of a text, each with the offset of the name that has it.
fn semantics(text: &str) -> Vec<(usize, Semantic)> {
    let all = Language::Hlsl.declarations(text).into_iter();
    let of = all.filter_map(|one| match one.what {
        Declared::Varying { semantic: Some(semantic), .. } => Some((one.range.start, semantic)),
        _ => None,
    });
    of.collect()
}

/// The statement around a name, on one line.
fn statement(tokens: &[Token<'_>], name: usize) -> Option<String> {
    let at = tokens.iter().position(|token| token.at == name)?;
    let ends = |token: &Token<'_>| [";", "{", "}"].contains(&token.text);
    let begin = tokens.get(..at)?.iter().rposition(ends).map_or(0, |end| end + 1);
    let end = at + tokens.get(at..)?.iter().position(|token| token.text == ";")?;
    let mut out = String::new();
    for token in tokens.get(begin..end)? {
        let joins =
            ["[", "]", "<", ">", ",", "("].contains(&token.text) || out.ends_with(['[', '<', '(']) || out.is_empty();
        if !joins {
            out.push(' ');
        }
        out.push_str(token.text);
    }
    Some(out + ";")
}

#[cfg(test)]
mod tests {
    use lanescope_core::program::StageKind;

    use super::*;

    #[test]
    fn members_of_the_other_side_are_proposed() {
        let vertex = "struct In { float3 at : POSITION; };\nstruct Out {\n  float4 p : SV_Position;\n  nointerpolation\n  uint id : ID;\n\
            vector<float, 2> uv[2] : TEXCOORD0; float3 known : NORMAL;\n};\nOut VSMain(In i) { Out o; return o; }";
        let other = Other { name: "a.vs.hlsl", stage: StageKind::Vertex, text: vertex };
        let own = "struct V { float3 n : normal0; };";
        let found = matching(own, &other, false);
        let texts: Vec<&str> = found.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(texts, ["nointerpolation uint id : ID;", "vector<float, 2> uv[2] : TEXCOORD0;"]);
        assert_eq!(found[0].detail, "output of a.vs.hlsl");
        // What the vertex shader reads is no output of the pixel shader.
        assert_eq!(matching(own, &other, true)[0].text, "float3 at : POSITION;");
        let unclear = Other { text: "void f();", ..other };
        assert_eq!(matching(own, &unclear, false), []);
    }

    #[test]
    fn members_begin_in_structures() {
        for (text, is) in [
            ("struct V { ", true),
            ("struct V { float a : A; ", true),
            ("struct V { float ", false),
            ("struct V { float a : A; }; ", false),
            ("void f() { ", false),
            ("cbuffer C { ", false),
        ] {
            assert_eq!(is_member(&Language::Hlsl.tokens(text)), is, "{text}");
        }
    }
}
