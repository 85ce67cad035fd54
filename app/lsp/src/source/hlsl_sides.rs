//! The sides of an entry point that structures of HLSL are on: what its parameters and its result are made of.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::Holder;
use super::tokens::{Groups, Token};

/// Words between a structure's name and its members: those of what it is derived from.
const BASES: usize = 64;

/// The structures that a function takes and gives.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sides {
    entry: String,
    inputs: BTreeSet<String>,
    outputs: BTreeSet<String>,
}

impl Sides {
    /// Those of an entry point, whose module has these texts; none where they do not define it once.
    pub fn of(texts: &[Vec<Token<'_>>], entry: &str) -> Option<Sides> {
        let mut definitions = texts.iter().flat_map(|tokens| definitions(tokens, entry));
        let (result, parameters) = definitions.next()?;
        if definitions.next().is_some() {
            return None;
        }
        let members: BTreeMap<&str, BTreeSet<&str>> = texts.iter().flat_map(|tokens| structures(tokens)).collect();
        let mut out = Sides { entry: entry.to_owned(), ..Sides::default() };
        out.outputs = all_of([result].into(), &members);
        for parameter in parameters {
            let words: BTreeSet<&str> = parameter.iter().map(|token| token.text).collect();
            let structures = all_of(words.iter().copied().collect(), &members);
            // Streams of geometry shaders are parameters that are written only.
            let is_stream = words.iter().any(|word| word.ends_with("Stream"));
            let is_output = is_stream || ["out", "inout"].iter().any(|word| words.contains(word));
            if is_output {
                out.outputs.extend(structures.iter().cloned());
            }
            if !is_stream && !words.contains("out") {
                out.inputs.extend(structures);
            }
        }
        Some(out)
    }

    /// Whether what is declared there is on a side.
    pub fn has(&self, holder: &Holder, is_output: bool) -> bool {
        match holder {
            Holder::Structure(name) => if is_output { &self.outputs } else { &self.inputs }.contains(name),
            Holder::Parameter { function, sides } => *function == self.entry && sides[usize::from(is_output)],
            Holder::Unknown => true,
        }
    }
}

/// Structures, and those that are in them.
fn all_of(words: Vec<&str>, members: &BTreeMap<&str, BTreeSet<&str>>) -> BTreeSet<String> {
    let mut left = words;
    let mut out = BTreeSet::new();
    while let Some(word) = left.pop() {
        if let Some(inner) = members.get(word)
            && out.insert(word.to_owned())
        {
            left.extend(inner.iter().copied());
        }
    }
    out
}

/// The word before the name and the parameters of each definition of a function.
fn definitions<'s, 't>(tokens: &'s [Token<'t>], entry: &str) -> Vec<(&'t str, Vec<&'s [Token<'t>]>)> {
    let groups = Groups::of(tokens);
    let mut out = Vec::new();
    for (at, _) in tokens.iter().enumerate().filter(|(_, token)| token.text == entry) {
        let before = at.checked_sub(1).and_then(|before| tokens.get(before)).filter(|before| before.is_word());
        let opens = tokens.get(at + 1).is_some_and(|token| token.text == "(");
        let (Some(before), true) = (before, opens) else { continue };
        let end = groups.after(at + 1);
        // A body, behind the semantic of the result.
        let body = match tokens.get(end).map(|token| token.text) {
            Some(":") => end + 2,
            _ => end,
        };
        if tokens.get(body).is_some_and(|token| token.text == "{") {
            out.push((before.text, parameters(tokens.get(at + 2..end.saturating_sub(1)).unwrap_or_default())));
        }
    }
    out
}

/// Parameters, at commas that are in no group and no list of a template.
fn parameters<'s, 't>(tokens: &'s [Token<'t>]) -> Vec<&'s [Token<'t>]> {
    let mut depth = 0i32;
    let parts = tokens.split(|token| {
        match token.text {
            "(" | "[" | "<" => depth += 1,
            ")" | "]" | ">" => depth -= 1,
            _ => {}
        }
        token.text == "," && depth == 0
    });
    parts.collect()
}

/// The structures of a text, with all words in them.
fn structures<'t>(tokens: &[Token<'t>]) -> Vec<(&'t str, BTreeSet<&'t str>)> {
    let groups = Groups::of(tokens);
    let mut out = Vec::new();
    for at in 0..tokens.len() {
        if let Some((name, range)) = structure(tokens, &groups, at) {
            let words = tokens.get(range).unwrap_or_default().iter().filter(|token| token.is_word());
            out.push((name, words.map(|token| token.text).collect()));
        }
    }
    out
}

/// The name of the structure that begins with a token, and the tokens after the name up to its end.
pub(super) fn structure<'t>(tokens: &[Token<'t>], groups: &Groups, at: usize) -> Option<(&'t str, Range<usize>)> {
    if !["struct", "class"].contains(&tokens.get(at)?.text) {
        return None;
    }
    let name = tokens.get(at + 1).filter(|name| name.is_word())?;
    let stop = |token: &Token<'_>| ["{", ";", "(", ")", "=", ","].contains(&token.text);
    let open = at + 2 + tokens.get(at + 2..)?.iter().take(BASES).position(stop)?;
    (tokens.get(open)?.text == "{").then(|| (name.text, at + 2..groups.after(open)))
}

#[cfg(test)]
mod tests {
    use super::super::Language;
    use super::*;

    fn sides(texts: &[&str], entry: &str) -> Option<[Vec<String>; 2]> {
        let tokens: Vec<_> = texts.iter().map(|text| Language::Hlsl.tokens(text)).collect();
        let Sides { inputs, outputs, .. } = Sides::of(&tokens, entry)?;
        Some([inputs, outputs].map(|names| names.into_iter().collect()))
    }

    #[test]
    fn structures_are_on_the_sides_where_functions_have_them() {
        let types = "struct Light { float3 l : L; }; struct In { float4 at : P; };\n\
                     struct Out { Light light; float4 at : SV_Position; }; struct Other { int a : A; };";
        let stages = "#include \"types\"\nOut vs(In v, uint id : SV_VertexID) { Out o; return o; }\n\
                      float4 ps(Out i, bool front : SV_IsFrontFace, inout Other both) : SV_Target { return vs(i); }\n\
                      [maxvertexcount(3)] void gs(triangle Out v[3], inout TriangleStream<In> to, out Other o) {}\n\
                      void twice() {} void twice(int a) {} float4 declared(In v);";
        let texts = [types, stages];
        let expected = |inputs: &[&str], outputs: &[&str]| {
            Some([inputs, outputs].map(|names| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()))
        };
        assert_eq!(sides(&texts, "vs"), expected(&["In"], &["Light", "Out"]));
        assert_eq!(sides(&texts, "ps"), expected(&["Light", "Other", "Out"], &["Other"]));
        assert_eq!(sides(&texts, "gs"), expected(&["Light", "Out"], &["In", "Other"]));
        for entry in ["twice", "declared", "missing"] {
            assert_eq!(sides(&texts, entry), None, "{entry}");
        }
    }

    #[test]
    fn parameters_are_on_the_sides_of_their_function() {
        let text = "void vs(in float a : A, out float b : B) {}";
        let sides = Sides::of(&[Language::Hlsl.tokens(text)], "vs").expect("is defined");
        let holder = |function: &str, sides| Holder::Parameter { function: function.to_owned(), sides };
        assert!(sides.has(&holder("vs", [true, false]), false) && !sides.has(&holder("vs", [true, false]), true));
        assert!(!sides.has(&holder("ps", [true, true]), false) && sides.has(&Holder::Unknown, true));
    }
}
