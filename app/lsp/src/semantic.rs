//! Semantic tokens: names of interfaces, descriptors, specialization constants and built-ins.

use std::collections::BTreeMap;
use std::ops::Range;

use lanescope_core::report::Report;
use lsp_types::{SemanticToken, SemanticTokenModifier, SemanticTokenType};

use crate::position::{Encoding, Lines};
use crate::sites::{Role, Source, interfaces};
use crate::slots;
use crate::source::constants::specialization_constants;
use crate::source::tokens::Token;
use crate::source::{Declared, Language};

/// Types, in the order of their numbers: varyings, descriptors, specialization constants.
pub const TYPES: [SemanticTokenType; 3] =
    [SemanticTokenType::VARIABLE, SemanticTokenType::PROPERTY, SemanticTokenType::ENUM_MEMBER];

/// Modifiers, in the order of their bits: a declaration, a built-in, an output that nothing reads.
pub const MODIFIERS: [SemanticTokenModifier; 3] =
    [SemanticTokenModifier::DECLARATION, SemanticTokenModifier::DEFAULT_LIBRARY, SemanticTokenModifier::DEPRECATED];

const DECLARATION: u32 = 1;
const BUILT_IN: u32 = 2;
const UNREAD: u32 = 4;

/// What a name is: the number of its type, its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// The index of [`TYPES`].
    pub type_: u32,
    /// Bits of [`MODIFIERS`].
    pub modifiers: u32,
}

/// The names of a text that have a kind, in its order. What a report does not say, the text does.
pub fn names(language: Language, text: &str, reported: Option<(&Report, &Source)>) -> Vec<(Range<usize>, Kind)> {
    let tokens = language.tokens(text);
    let declared = language.declarations(text);
    let mut known: BTreeMap<&str, (u32, bool)> = BTreeMap::new();
    let mut places: Vec<Range<usize>> = Vec::new();
    for one in &declared {
        let name = text.get(one.range.clone()).unwrap_or_default();
        let (type_, is_member) = match &one.what {
            // Members of HLSL and WGSL, and of blocks with a name, stand after a variable.
            Declared::Varying { of, is_output, .. } => (0, is_output.is_none() || of.len() > 1),
            Declared::Descriptor { .. } => (1, false),
            Declared::WorkgroupSize { .. } | Declared::Node { .. } | Declared::NodeOutput { .. } => continue,
        };
        known.insert(name, (type_, is_member));
        places.push(one.range.clone());
    }
    for name in specialization_constants(language, &tokens) {
        known.insert(name, (2, false));
    }
    let unread = unread(reported);
    let at =
        |index: Option<usize>| index.and_then(|index| tokens.get(index)).map_or("", |token: &Token<'_>| token.text);
    let mut out = Vec::new();
    for (index, token) in tokens.iter().enumerate().filter(|(_, token)| token.is_word()) {
        let before = at(index.checked_sub(1));
        let range = token.range();
        if is_built_in(language, token.text, [before, at(index.checked_sub(2))]) {
            out.push((range, Kind { type_: 0, modifiers: BUILT_IN }));
            continue;
        }
        let Some(&(type_, is_member)) = known.get(token.text) else { continue };
        let is_declared = places.contains(&range);
        if !is_declared && (before == ".") != is_member {
            continue;
        }
        let declaration = if is_declared { DECLARATION } else { 0 };
        let unread = if type_ == 0 && unread.contains(&token.text) { UNREAD } else { 0 };
        out.push((range, Kind { type_, modifiers: declaration | unread }));
    }
    out
}

fn is_built_in(language: Language, text: &str, [before, second]: [&str; 2]) -> bool {
    match language {
        Language::Glsl => text.starts_with("gl_") && before != ".",
        Language::Hlsl => before == ":" && text.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("SV_")),
        Language::Wgsl => before == "(" && second == "builtin",
    }
}

/// Names of outputs that nothing reads, in all stages that declare them.
fn unread<'a>(reported: Option<(&'a Report, &'a Source)>) -> Vec<&'a str> {
    let Some((report, source)) = reported else { return Vec::new() };
    let interfaces = interfaces(report);
    let is_unread = |role: &Role| match role {
        Role::Varying { interface, is_output: true, scalars } => {
            interfaces.get(*interface).is_some_and(|packing| slots::is_unread(packing, scalars))
        }
        _ => false,
    };
    let is_all_unread =
        |name: &str| source.sites.iter().filter(|site| site.name == name).all(|site| is_unread(&site.role));
    let names = source.sites.iter().map(|site| site.name.as_str());
    let names: Vec<&str> = names.filter(|name| is_all_unread(name)).collect();
    // A name that has several declarations may be that of another variable.
    let text = source.language.map(|language| language.declarations(&source.text)).unwrap_or_default();
    let count = |name: &str| text.iter().filter(|one| source.text.get(one.range.clone()) == Some(name)).count();
    names.into_iter().filter(|name| count(name) == 1).collect()
}

/// Names as the protocol counts them: each from the one before it.
pub fn encoded(
    names: &[(Range<usize>, Kind)],
    text: &str,
    lines: &Lines,
    within: &Range<usize>,
    encoding: Encoding,
) -> Vec<SemanticToken> {
    let (mut line, mut character) = (0, 0);
    let mut positions = lines.positions(text, encoding);
    let mut out = Vec::new();
    for (range, kind) in names.iter().filter(|(range, _)| range.start < within.end && within.start < range.end) {
        let [start, end] = [range.start, range.end].map(|at| positions.at(at));
        let delta_line = start.line - line;
        let delta_start = if delta_line == 0 { start.character - character } else { start.character };
        (line, character) = (start.line, start.character);
        out.push(SemanticToken {
            delta_line,
            delta_start,
            length: end.character.saturating_sub(start.character),
            token_type: kind.type_,
            token_modifiers_bitset: kind.modifiers,
        });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(language: Language, text: &str) -> Vec<String> {
        let all = names(language, text, None);
        all.iter().map(|(range, kind)| format!("{}:{}:{}", &text[range.clone()], kind.type_, kind.modifiers)).collect()
    }

    #[test]
    fn names_have_kinds_where_they_are_meant() {
        let glsl = "layout(location = 0) in vec2 uv; layout(constant_id = 0) const int n = 1;\nuniform sampler2D t;\n\
            in Block { vec2 m; } b;\nvoid main() { gl_Position = uv.xyxy + texture(t, b.m) + s.uv + n; m = 1; /* uv */ }";
        assert_eq!(
            shown(Language::Glsl, glsl),
            ["uv:0:1", "n:2:0", "t:1:1", "m:0:1", "gl_Position:0:2", "uv:0:0", "t:1:0", "m:0:0", "n:2:0"]
        );
        let wgsl = "struct V { @builtin(position) p: vec4f, @location(0) uv: vec2f }\noverride o = 1;\nfn f(v: V) { let uv = v.uv; }";
        assert_eq!(shown(Language::Wgsl, wgsl), ["position:0:2", "uv:0:1", "o:2:0", "uv:0:0"]);
        let hlsl = "struct V { float4 p : SV_Position; float2 uv : TEXCOORD; };\nTexture2D t : register(t0);";
        assert_eq!(shown(Language::Hlsl, hlsl), ["p:0:1", "SV_Position:0:2", "uv:0:1", "t:1:1"]);
    }

    #[test]
    fn tokens_are_counted_from_the_one_before() {
        let text = "in vec2 \u{1f600}a;\nin float b, c;";
        let lines = Lines::of(text);
        let names =
            [(text.find('a').expect("is there"), 1), (text.find('b').expect("is there"), 1), (text.len() - 2, 1)];
        let kind = Kind { type_: 0, modifiers: 0 };
        let names = names.map(|(at, length)| (at..at + length, kind));
        let all = encoded(&names, text, &lines, &(0..text.len()), Encoding::Utf16);
        let deltas: Vec<_> = all.iter().map(|one| (one.delta_line, one.delta_start, one.length)).collect();
        assert_eq!(deltas, [(0, 10, 1), (1, 9, 1), (0, 3, 1)]);
        let part = encoded(&names, text, &lines, &(names[1].0.start..text.len()), Encoding::Utf16);
        assert_eq!((part.len(), part[0].delta_line), (2, 1));
    }
}
