//! Declarations of GLSL: interface variables and blocks, descriptors, workgroup sizes.

use std::ops::Range;

use super::tokens::{Token, after_group};
use super::{Declaration, Declared, number};

/// Words before a type.
const QUALIFIERS: [&str; 28] = [
    "const",
    "in",
    "out",
    "inout",
    "centroid",
    "flat",
    "smooth",
    "noperspective",
    "patch",
    "sample",
    "uniform",
    "buffer",
    "shared",
    "coherent",
    "volatile",
    "restrict",
    "readonly",
    "writeonly",
    "highp",
    "mediump",
    "lowp",
    "precise",
    "invariant",
    "perprimitiveEXT",
    "pervertexEXT",
    "perprimitiveNV",
    "taskPayloadSharedEXT",
    "nonuniformEXT",
];

/// What precedes the type of a declaration.
#[derive(Default)]
pub(super) struct Head<'t> {
    /// The names and values of `layout(…)`.
    pub layout: Vec<(&'t str, Option<&'t str>)>,
    /// The bytes of `layout(…)`.
    pub range: Option<Range<usize>>,
    /// The qualifiers.
    pub words: Vec<&'t str>,
    /// The index of the first token after them.
    pub end: usize,
}

impl Head<'_> {
    fn has(&self, word: &str) -> bool {
        self.words.contains(&word)
    }

    pub fn value(&self, name: &str) -> Option<u32> {
        let (_, value) = self.layout.iter().find(|(own, _)| *own == name)?;
        value.and_then(number)
    }

    /// Whether variables are outputs; none for those of no interface.
    pub fn is_output(&self) -> Option<bool> {
        match (self.has("in"), self.has("out")) {
            (true, false) => Some(false),
            (false, true) => Some(true),
            _ => None,
        }
    }

    /// Whether variables are descriptors.
    fn is_resource(&self) -> bool {
        let is_push = self.layout.iter().any(|(name, _)| *name == "push_constant");
        (self.has("uniform") || self.has("buffer")) && !is_push
    }

    fn place(&self) -> Option<(u32, u32)> {
        // Without a set it is set 0.
        let set = if self.layout.iter().any(|(name, _)| *name == "set") { self.value("set")? } else { 0 };
        Some((set, self.value("binding")?))
    }
}

pub fn declarations(tokens: &[Token<'_>]) -> Vec<Declaration> {
    let (mut out, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let head = head(tokens, at);
        let end = end_of_head(tokens, head.end);
        match tokens.get(end).map(|token| token.text) {
            Some("{") => {
                let after = after_group(tokens, end);
                at = after;
                // A function's body, or a structure's.
                let is_block = head.is_output().is_some() || head.is_resource();
                if is_block && tokens.get(head.end).is_some_and(Token::is_word) && head.end + 1 == end {
                    at = block(tokens, &head, (end, after), &mut out);
                }
            }
            Some(_) => {
                statement(tokens, &head, end, &mut out);
                at = end + 1;
            }
            None => {
                statement(tokens, &head, tokens.len(), &mut out);
                at = tokens.len();
            }
        }
    }
    out
}

/// The qualifiers from a token on.
pub(super) fn head<'t>(tokens: &[Token<'t>], mut at: usize) -> Head<'t> {
    let mut head = Head::default();
    while let Some(token) = tokens.get(at) {
        if token.text == "layout" && tokens.get(at + 1).is_some_and(|next| next.text == "(") {
            let end = after_group(tokens, at + 1);
            let inner = tokens.get(at + 2..end.saturating_sub(1)).unwrap_or_default();
            for one in inner.split(|token| token.text == ",") {
                let value = match one {
                    [_, equals, value] if equals.text == "=" => Some(value.text),
                    _ => None,
                };
                head.layout.extend(one.first().map(|name| (name.text, value)));
            }
            let last = tokens.get(end.saturating_sub(1)).map_or(token.range().end, |last| last.range().end);
            head.range.get_or_insert(token.at..last).end = last;
            at = end;
        } else if QUALIFIERS.contains(&token.text) {
            head.words.push(token.text);
            at += 1;
        } else {
            break;
        }
    }
    head.end = at;
    head
}

/// The index of the `;` or `{` that ends what begins at a token.
pub(super) fn end_of_head(tokens: &[Token<'_>], mut at: usize) -> usize {
    while let Some(token) = tokens.get(at) {
        match token.text {
            ";" | "{" => return at,
            "(" | "[" => at = after_group(tokens, at),
            _ => at += 1,
        }
    }
    at
}

/// A declaration that ends with `;`, at the token `end`.
fn statement(tokens: &[Token<'_>], head: &Head<'_>, end: usize, out: &mut Vec<Declaration>) {
    let rest = tokens.get(head.end..end).unwrap_or_default();
    if rest.is_empty() {
        let is_size = |(name, _): &(&str, Option<&str>)| name.starts_with("local_size_");
        if let Some(range) = head.range.clone().filter(|_| head.has("in") && head.layout.iter().any(is_size)) {
            out.push(Declaration { range, what: Declared::WorkgroupSize { entry: None } });
        }
        return;
    }
    for name in declarators(rest) {
        let what = if let Some(is_output) = head.is_output() {
            let (of, name) = (Vec::new(), name.text.to_owned());
            Declared::Varying { of, name, is_output: Some(is_output), semantic: None }
        } else if head.is_resource() {
            Declared::Descriptor { names: vec![name.text.to_owned()], place: head.place() }
        } else {
            continue;
        };
        out.push(Declaration { range: name.range(), what });
    }
}

/// The names that follow a type: `vec3 a, b[2] = …`.
fn declarators<'a, 't>(rest: &'a [Token<'t>]) -> Vec<&'a Token<'t>> {
    let mut out = Vec::new();
    // After the type, and after the sizes of its arrays.
    let mut at = 1;
    while rest.get(at).is_some_and(|token| token.text == "[") {
        at = after_group(rest, at);
    }
    while let Some(name) = rest.get(at).filter(|token| token.is_word()) {
        out.push(name);
        while rest.get(at).is_some_and(|token| token.text != ",") {
            at = if ["(", "[", "{"].contains(&rest[at].text) { after_group(rest, at) } else { at + 1 };
        }
        at += 1;
    }
    // A function's declaration has a group after its name.
    let is_function = rest.get(2).is_some_and(|token| token.text == "(");
    if is_function { Vec::new() } else { out }
}

/// A block whose members are between two tokens; returns the index after it.
fn block(tokens: &[Token<'_>], head: &Head<'_>, (open, after): (usize, usize), out: &mut Vec<Declaration>) -> usize {
    let name = tokens.get(head.end).map_or("", |token| token.text);
    let end = end_of_head(tokens, after);
    let instance = tokens.get(after..end).unwrap_or_default().first().filter(|token| token.is_word());
    let names: Vec<String> = instance.into_iter().map(|token| token.text).chain([name]).map(str::to_owned).collect();
    if head.is_resource() {
        let shown = instance.or(tokens.get(head.end));
        let what = Declared::Descriptor { names, place: head.place() };
        out.extend(shown.map(|shown| Declaration { range: shown.range(), what }));
        return end + 1;
    }
    let mut at = open + 1;
    while at + 1 < after {
        let member = self::head(tokens, at);
        let stop = end_of_head(tokens, member.end).min(after.saturating_sub(1));
        for name in declarators(tokens.get(member.end..stop).unwrap_or_default()) {
            let (of, own) = (names.clone(), name.text.to_owned());
            let what = Declared::Varying { of, name: own, is_output: head.is_output(), semantic: None };
            out.push(Declaration { range: name.range(), what });
        }
        at = stop.max(at) + 1;
    }
    end + 1
}

#[cfg(test)]
mod tests {
    use super::super::Language;
    use super::super::tests::found;

    #[test]
    fn finds_variables_blocks_and_descriptors() {
        let text = "#version 450\nlayout(location = 0) in vec3 a;\nlayout(location = 1) flat in highp ivec2[2] b, c[3];\n\
                    layout(location = 4) out Block { vec3 d; flat int e[2]; } inst[2];\n\
                    out gl_PerVertex { vec4 gl_Position; };\nin vec2 f = vec2(1, 2);\n\
                    layout(set = 1, binding = 0x2) uniform sampler2D g;\n\
                    layout(std140, binding = 3) uniform Camera { mat4 m; } camera;\nlayout(binding = N) buffer Data { int n[]; };\n\
                    layout(push_constant) uniform Push { int p; } push;\nshared int h; const int i = 1;\n\
                    struct S { vec3 in_s; };\nvec4 fn(in vec3 x, out vec3 y) { vec3 in_body; return vec4(x, 1); }\nvoid main();\n";
        assert_eq!(
            found(Language::Glsl, text),
            [
                "a in",
                "b in",
                "c in",
                "inst/Block/d out",
                "inst/Block/e out",
                "gl_PerVertex/gl_Position out",
                "f in",
                "g: g 1.2",
                "camera: camera/Camera 0.3",
                "Data: Data"
            ]
        );
    }

    #[test]
    fn finds_workgroup_sizes() {
        let text = "layout(local_size_x = 8, local_size_y_id = 1) in;\nlayout(triangles) in;\nlayout(early_fragment_tests) in;";
        assert_eq!(found(Language::Glsl, text), ["size layout(local_size_x = 8, local_size_y_id = 1) "]);
        let text = "layout(triangles, max_vertices = 3) out; layout(local_size_x=4)layout(local_size_y=2) in;";
        assert_eq!(found(Language::Glsl, text), ["size layout(local_size_x=4)layout(local_size_y=2) "]);
    }
}
