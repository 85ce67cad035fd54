//! Declarations of WGSL: what has a location or a binding, workgroup sizes.

use super::tokens::{Token, after_group};
use super::{Declaration, Declared, number};

pub fn declarations(tokens: &[Token<'_>]) -> Vec<Declaration> {
    let (mut out, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        if tokens[at].text != "@" {
            at += 1;
            continue;
        }
        let begin = at;
        let (mut place, mut location) = ((None, None), false);
        // Attributes follow each other.
        while tokens.get(at).is_some_and(|token| token.text == "@") {
            let name = tokens.get(at + 1).map_or("", |token| token.text);
            let has_group = tokens.get(at + 2).is_some_and(|token| token.text == "(");
            let end = if has_group { after_group(tokens, at + 2) } else { at + 2 };
            let inner = tokens.get(at + 3..end.saturating_sub(1)).unwrap_or_default();
            let value = if let [value] = inner { number(value.text) } else { None };
            match name {
                "location" => location = true,
                "group" => place.0 = value,
                "binding" => place.1 = value,
                "workgroup_size" => {
                    let last = tokens.get(end.saturating_sub(1)).or(tokens.last());
                    let range = tokens[at].at..last.map_or(tokens[at].range().end, |last| last.range().end);
                    out.push(Declaration { range, what: Declared::WorkgroupSize { entry: None } });
                }
                _ => {}
            }
            at = end;
        }
        // The attributes of a function may have any order.
        let function = tokens.get(at).filter(|token| token.text == "fn").and_then(|_| tokens.get(at + 1));
        if let Some(Declaration { range, what: Declared::WorkgroupSize { entry } }) = out.last_mut()
            && range.start >= tokens[begin].at
        {
            *entry = function.map(|name| name.text.to_owned());
        }
        out.extend(declared(tokens, at, location, place));
        at = at.max(begin + 1);
    }
    out
}

/// What follows attributes.
fn declared(
    tokens: &[Token<'_>],
    mut at: usize,
    location: bool,
    place: (Option<u32>, Option<u32>),
) -> Option<Declaration> {
    if tokens.get(at)?.text == "var" {
        at += 1;
        if tokens.get(at)?.text == "<" {
            at += tokens.get(at..)?.iter().position(|token| token.text == ">")? + 1;
        }
        let name = tokens.get(at).filter(|token| token.is_word())?;
        let (Some(set), Some(binding)) = place else { return None };
        let what = Declared::Descriptor { names: vec![name.text.to_owned()], place: Some((set, binding)) };
        return Some(Declaration { range: name.range(), what });
    }
    let name = tokens.get(at).filter(|token| token.is_word() && location)?;
    // The value that a function returns has no name.
    tokens.get(at + 1).filter(|token| token.text == ":")?;
    let what = Declared::Varying { of: Vec::new(), name: name.text.to_owned(), is_output: None, semantic: None };
    Some(Declaration { range: name.range(), what })
}

#[cfg(test)]
mod tests {
    use super::super::Language;
    use super::super::tests::found;

    #[test]
    fn finds_locations_bindings_and_sizes() {
        let text = "struct V { @builtin(position) at: vec4f, @location(0) @interpolate(flat) id: u32, @location(1) n: vec3f }\n\
                    @group(0) @binding(1) var<storage, read> data: array<u32>;\n@group(A) @binding(2) var t: texture_2d<f32>;\n\
                    @fragment fn f(v: V, @location(2) w: f32) -> @location(0) vec4f { return v.n.xyzz; }\n\
                    @compute @workgroup_size(8, width) fn c() {}\n/* @location(3) x: f32 /* */ */";
        assert_eq!(
            found(Language::Wgsl, text),
            ["id varying", "n varying", "data: data 0.1", "w varying", "size @workgroup_size(8, width) c"]
        );
    }
}
