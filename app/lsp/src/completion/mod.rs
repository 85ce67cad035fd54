//! Completion: built-ins of the stage, and declarations that match those of the other stage.

mod members;

use std::ops::Range;

use lanescope_core::program::StageKind;

use crate::source::Language;
use crate::source::built_ins::{BuiltIn, built_ins};
use crate::source::plain::{Plain, plain};
use crate::source::tokens::{Token, word_at};

/// A text that can be inserted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// What is shown and inserted.
    pub text: String,
    /// What it is: the access of the stage and the type, or where it comes from.
    pub detail: String,
    /// Whether it is a whole declaration.
    pub is_declaration: bool,
}

/// What is completed.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// The language.
    pub language: Language,
    /// The stage; none where one text has several, or none is known.
    pub stage: Option<StageKind>,
    /// The text.
    pub text: &'a str,
    /// The offset of the caret.
    pub offset: usize,
}

/// The text of a stage beside the one that is edited.
#[derive(Debug, Clone, Copy)]
pub struct Other<'a> {
    /// The name of its file.
    pub name: &'a str,
    /// Its stage.
    pub stage: StageKind,
    /// Its text.
    pub text: &'a str,
}

/// Proposals at a place, and the bytes that they replace: the word there. Nothing is proposed in comments.
pub fn proposals(
    place: &Place<'_>,
    previous: Option<Other<'_>>,
    next: Option<Other<'_>>,
) -> (Range<usize>, Vec<Proposal>) {
    let word = word_at(place.text, place.offset).filter(|word| word.start < place.offset);
    let word = word.unwrap_or(place.offset..place.offset);
    if is_comment(place.text, word.start, place.language) {
        return (word, Vec::new());
    }
    let before = place.text.get(..word.start).unwrap_or_default();
    let tokens = place.language.tokens(before);
    let is = |back: usize, text: &str| {
        tokens.len().checked_sub(back + 1).and_then(|at| tokens.get(at)).is_some_and(|token| token.text == text)
    };
    let mut out = Vec::new();
    let all = || built_ins(place.language, place.stage);
    match place.language {
        Language::Glsl => {
            let begun = place.text.get(word.clone()).unwrap_or_default();
            // A built-in is a value in a function, or redeclared; in a line of the preprocessor it is neither.
            if !begun.is_empty() && !is(0, ".") && !is_directive(before) {
                out.extend(all().map(|one| built_in(one, place.stage)));
            }
            if is_statement(&tokens) && !is_directive(before) {
                let own = plain(place.text);
                out.extend(previous.into_iter().flat_map(|other| matching(place, &own, &other, false)));
                out.extend(next.into_iter().flat_map(|other| matching(place, &own, &other, true)));
            }
        }
        Language::Hlsl if is(0, ":") && !is(1, ":") => out.extend(all().map(|one| built_in(one, place.stage))),
        Language::Hlsl if members::is_member(&tokens) => {
            out.extend(previous.into_iter().flat_map(|other| members::matching(place.text, &other, false)));
            out.extend(next.into_iter().flat_map(|other| members::matching(place.text, &other, true)));
        }
        Language::Wgsl if is(0, "(") && is(1, "builtin") && is(2, "@") => {
            out.extend(all().map(|one| built_in(one, place.stage)));
        }
        Language::Hlsl | Language::Wgsl => {}
    }
    (word, out)
}

fn built_in(one: &BuiltIn, stage: Option<StageKind>) -> Proposal {
    let of = |stage: StageKind| {
        let access = match one.access(stage) {
            (true, true) => "in, out",
            (true, false) => "in",
            (false, true) => "out",
            (false, false) => return None,
        };
        Some(format!("{} {access}", stage.name()))
    };
    let stages = match stage {
        Some(stage) => of(stage).into_iter().collect(),
        None => StageKind::ALL.iter().copied().filter_map(of).collect::<Vec<_>>(),
    };
    let extension = if one.extension.is_empty() { String::new() } else { format!(", {}", one.extension) };
    let detail = format!("{}: {}{extension}", one.type_name, stages.join("; "));
    Proposal { text: one.name.to_owned(), detail, is_declaration: false }
}

/// Whether what follows is a statement outside of functions.
fn is_statement(tokens: &[Token<'_>]) -> bool {
    let depth = tokens.iter().fold(0i64, |depth, token| match token.text {
        "{" | "(" | "[" => depth + 1,
        "}" | ")" | "]" => depth - 1,
        _ => depth,
    });
    depth == 0 && tokens.last().is_none_or(|last| [";", "}"].contains(&last.text))
}

/// Whether the last line of a text is one of the preprocessor.
fn is_directive(before: &str) -> bool {
    before.rsplit('\n').next().is_some_and(|line| line.trim_start().starts_with('#'))
}

/// Whether a place is in a comment: the text up to there and a word after it has no such word as a token.
fn is_comment(text: &str, offset: usize, language: Language) -> bool {
    let before = text.get(..offset).unwrap_or_default();
    if is_directive(before) {
        return false;
    }
    // A sign that no language has as a part of a token.
    let marked = format!("{before}\u{1}");
    language.tokens(&marked).last().is_none_or(|last| last.text != "\u{1}")
}

/// Declarations of what the other stage declares and this one does not.
fn matching(place: &Place<'_>, own: &[Plain], other: &Other<'_>, is_output: bool) -> Vec<Proposal> {
    let Some(stage) = place.stage else { return Vec::new() };
    let is_known = |one: &Plain| {
        own.iter().any(|own| {
            own.is_output == is_output
                && (own.name == one.name || own.location.is_some() && own.location == one.location && overlap(own, one))
        })
    };
    let theirs = plain(other.text)
        .into_iter()
        .filter(|one| one.is_output != is_output && one.location.is_some() && !is_known(one));
    theirs
        .filter_map(|one| {
            let text = declaration(&one, stage, is_output, other)?;
            let detail = format!("{} of {}", if is_output { "input" } else { "output" }, other.name);
            Some(Proposal { text, detail, is_declaration: true })
        })
        .collect()
}

/// Whether two variables of a location have a component in common; they may where the text does not say their components.
fn overlap(one: &Plain, other: &Plain) -> bool {
    match (one.taken(), other.taken()) {
        (Some((_, one)), Some((_, other))) => one.start < other.end && other.start < one.end,
        _ => true,
    }
}

/// Whether variables of a stage's side are arrays with an element for each vertex.
fn is_per_vertex(stage: StageKind, is_output: bool, one: &Plain) -> bool {
    let arrayed = match stage {
        StageKind::TessControl => true,
        StageKind::TessEval | StageKind::Geometry => !is_output,
        StageKind::Mesh => is_output,
        _ => false,
    };
    arrayed && !one.has("patch")
}

/// A declaration that matches one of the other stage; none where its form is not certain.
fn declaration(one: &Plain, stage: StageKind, is_output: bool, other: &Other<'_>) -> Option<String> {
    // These have other forms on the other side.
    if ["pervertexEXT", "pervertexNV", "perprimitiveEXT", "perprimitiveNV"].iter().any(|word| one.has(word)) {
        return None;
    }
    let mut sizes: Vec<&str> = one.sizes.iter().filter_map(|size| other.text.get(size.clone())).collect();
    if is_per_vertex(other.stage, !is_output, one) {
        // The first size is that of the vertices.
        if sizes.is_empty() {
            return None;
        }
        sizes.remove(0);
    }
    let own = if is_per_vertex(stage, is_output, one) { "[]" } else { "" };
    let component = one.component.map_or(String::new(), |component| format!(", component = {component}"));
    let mut words: Vec<&str> =
        one.qualifiers.iter().map(String::as_str).filter(|word| !["in", "out", "invariant"].contains(word)).collect();
    let is_integer =
        one.type_name.starts_with(['i', 'u']) || one.type_name.starts_with("double") || one.type_name.starts_with('d');
    if stage == StageKind::Fragment && !is_output && is_integer && !words.contains(&"flat") {
        words.push("flat");
    }
    words.push(if is_output { "out" } else { "in" });
    let (location, words, sizes) = (one.location?, words.join(" "), sizes.concat());
    Some(format!("layout(location = {location}{component}) {words} {} {}{own}{sizes};", one.type_name, one.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at<'a>(text: &'a str, stage: StageKind) -> Place<'a> {
        Place { language: Language::Glsl, stage: Some(stage), text, offset: text.len() }
    }

    fn texts(all: Vec<Proposal>) -> Vec<String> {
        all.into_iter().map(|one| one.text).collect()
    }

    #[test]
    fn declarations_match_those_of_the_other_stage() {
        let vert = "layout(location = 0) out vec3 a;\nlayout(location = 1, component = 2) flat out ivec2 b;\nlayout(location = 3) out uint c[2];\n\
            layout(location = 6) out vec2 known;\nout vec4 nowhere;\n";
        let other = Other { name: "a.vert", stage: StageKind::Vertex, text: vert };
        let of = |text: &str, stage| texts(proposals(&at(text, stage), Some(other), None).1);
        assert_eq!(
            of("layout(location = 6) in vec2 k;\n", StageKind::Fragment),
            [
                "layout(location = 0) in vec3 a;",
                "layout(location = 1, component = 2) flat in ivec2 b;",
                "layout(location = 3) flat in uint c[2];"
            ]
        );
        assert_eq!(of("", StageKind::Geometry)[2], "layout(location = 3) in uint c[][2];");
        for text in ["void main() { ", "in ", "layout(", "// ", "/* ", "#define "] {
            assert_eq!(of(text, StageKind::Fragment), [""; 0], "{text}");
        }
        let control = Other {
            name: "a.tesc",
            stage: StageKind::TessControl,
            text: "layout(location = 0) out vec2 a[];\nlayout(location = 1) patch out vec2 b;",
        };
        let of = |stage| texts(proposals(&at("", stage), Some(control), None).1);
        assert_eq!(
            of(StageKind::TessEval),
            ["layout(location = 0) in vec2 a[];", "layout(location = 1) patch in vec2 b;"]
        );
        let next = Other { name: "a.frag", stage: StageKind::Fragment, text: "layout(location = 2) in vec2 x;" };
        assert_eq!(
            texts(proposals(&at("", StageKind::Vertex), None, Some(next)).1),
            ["layout(location = 2) out vec2 x;"]
        );
    }

    #[test]
    fn built_ins_are_those_of_the_stage_and_the_place() {
        let of = |language, stage, text: &str| {
            let place = Place { language, stage, text, offset: text.len() };
            let (word, all) = proposals(&place, None, None);
            (text[word].to_owned(), all)
        };
        let (word, all) = of(Language::Glsl, Some(StageKind::Fragment), "void main() { x = gl_Fr");
        assert_eq!(word, "gl_Fr");
        let names: Vec<&str> = all.iter().map(|one| one.text.as_str()).collect();
        assert!(names.contains(&"gl_FragCoord") && !names.contains(&"gl_Position"), "{names:?}");
        assert_eq!(all.iter().find(|one| one.text == "gl_FragDepth").expect("is there").detail, "float: fragment out");
        let (_, all) = of(Language::Hlsl, Some(StageKind::Vertex), "float4 main(uint i : SV_V");
        assert!(all.iter().any(|one| one.text == "SV_VertexID") && all.iter().all(|one| one.text != "SV_Target"));
        let (_, all) = of(Language::Wgsl, None, "struct V { @builtin(pos");
        let position = all.iter().find(|one| one.text == "position").expect("is there");
        assert_eq!(position.detail, "vec4<f32>: vertex out; fragment in");
        for (language, text) in [
            (Language::Glsl, "void main() { a.gl_"),
            (Language::Glsl, "// gl_"),
            (Language::Hlsl, "float4 SV_"),
            (Language::Hlsl, "A::S"),
            (Language::Wgsl, "f(pos"),
        ] {
            assert_eq!(of(language, None, text).1, [], "{text}");
        }
    }
}
