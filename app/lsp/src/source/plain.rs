//! Variables of GLSL interfaces that an edit may change: one variable in one statement, written out, without a macro.

use std::ops::Range;

use super::glsl::{Head, end_of_head, head};
use super::tokens::{Token, after_group};
use super::{Declared, Language};

/// Layout qualifiers that say where a variable is, and nothing else.
const PLACES: [&str; 2] = ["location", "component"];

/// A statement that declares one variable of an interface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plain {
    /// The bytes of the statement, with its `;`.
    pub statement: Range<usize>,
    /// The bytes of `layout(…)`; absent without one.
    pub layout: Option<Range<usize>>,
    /// The location that is written.
    pub location: Option<u32>,
    /// The component that is written.
    pub component: Option<u32>,
    /// The qualifiers besides the layout.
    pub qualifiers: Vec<String>,
    /// The offset of `in` or `out`.
    pub direction: usize,
    /// Whether it is an output.
    pub is_output: bool,
    /// The type, without sizes of arrays.
    pub type_name: String,
    /// The bytes of the type.
    pub type_range: Range<usize>,
    /// The bytes of sizes of arrays, after the type or after the name; empty where it is not an array.
    pub sizes: Vec<Range<usize>>,
    /// The name.
    pub name: String,
    /// The bytes of the name.
    pub name_range: Range<usize>,
}

impl Plain {
    /// Whether a qualifier is written.
    pub fn has(&self, qualifier: &str) -> bool {
        self.qualifiers.iter().any(|own| own == qualifier)
    }

    /// The components of 32 bits that it takes from its first one on; none where its type is not a scalar or a vector of
    /// such, and for arrays.
    pub fn components(&self) -> Option<u32> {
        if !self.sizes.is_empty() {
            return None;
        }
        let (name, count) = match self.type_name.strip_suffix(['2', '3', '4']) {
            Some(name) => (name, self.type_name.get(name.len()..)?.parse().ok()?),
            None => (self.type_name.as_str(), 1),
        };
        match (name, count) {
            ("float" | "int" | "uint", 1) | ("vec" | "ivec" | "uvec", 2..) => Some(count),
            _ => None,
        }
    }

    /// The components of its location that it takes; none where the text does not say them.
    pub fn taken(&self) -> Option<(u32, Range<u32>)> {
        let first = self.component.unwrap_or(0);
        Some((self.location?, first..first.checked_add(self.components()?)?))
    }
}

/// The variables of a text whose statements are plain, in its order. A name that is declared twice, or that a directive of the
/// preprocessor has, is not among them.
pub fn plain(text: &str) -> Vec<Plain> {
    let tokens = Language::Glsl.tokens(text);
    let mut out = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let head = head(&tokens, at);
        let end = end_of_head(&tokens, head.end);
        match tokens.get(end).map(|token| token.text) {
            Some("{") => at = after_group(&tokens, end),
            Some(_) => {
                out.extend(variable(&tokens, at, &head, end));
                at = end + 1;
            }
            None => break,
        }
    }
    let declared = declared_names(text);
    out.retain(|one| declared.iter().filter(|name| **name == one.name).count() == 1);
    let directives = directive_words(text);
    out.retain(|one| !directives.contains(&one.name.as_str()));
    out
}

/// The variable that the tokens from `at` to the `;` at `end` declare.
fn variable(tokens: &[Token<'_>], at: usize, head: &Head<'_>, end: usize) -> Option<Plain> {
    let is_output = head.is_output()?;
    let is_place = |(name, value): &(&str, Option<&str>)| PLACES.contains(name) && value.is_some();
    let written = |name: &str| head.layout.iter().filter(|(own, _)| *own == name).count();
    let has_places = head.layout.iter().all(is_place) && PLACES.iter().all(|name| written(name) <= 1);
    let number = |name: &str| if written(name) == 1 { head.value(name).map(Some) } else { Some(None) };
    let (location, component) = (number("location")?, number("component")?);
    let direction = tokens.get(at..head.end)?.iter().find(|token| ["in", "out"].contains(&token.text))?.at;
    let type_ = tokens.get(head.end).filter(|token| token.is_word())?;
    let mut sizes = Vec::new();
    let mut next = head.end + 1;
    let mut size = |next: &mut usize| {
        while tokens.get(*next).is_some_and(|token| token.text == "[") {
            let after = after_group(tokens, *next);
            let last = tokens.get(after.checked_sub(1)?)?;
            sizes.push(tokens.get(*next)?.at..last.range().end);
            *next = after;
        }
        Some(())
    };
    size(&mut next)?;
    let name = tokens.get(next).filter(|token| token.is_word())?;
    next += 1;
    size(&mut next)?;
    let is_alone = next == end && has_places;
    is_alone.then(|| Plain {
        statement: tokens[at].at..tokens[end].range().end,
        layout: head.range.clone(),
        location,
        component,
        qualifiers: head.words.iter().map(|word| (*word).to_owned()).collect(),
        direction,
        is_output,
        type_name: type_.text.to_owned(),
        type_range: type_.range(),
        sizes,
        name: name.text.to_owned(),
        name_range: name.range(),
    })
}

/// The names of all variables that a text declares in interfaces and as descriptors, one for each declaration.
fn declared_names(text: &str) -> Vec<String> {
    let names = Language::Glsl.declarations(text).into_iter().flat_map(|one| match one.what {
        Declared::Varying { of, name, .. } => {
            if of.is_empty() {
                vec![name]
            } else {
                of
            }
        }
        Declared::Descriptor { names, .. } => names,
        Declared::WorkgroupSize { .. } | Declared::Node { .. } | Declared::NodeOutput { .. } => Vec::new(),
    });
    names.collect()
}

/// Whether a macro joins words (`##`): code may then have names that no text does.
pub fn pastes(text: &str) -> bool {
    directive_lines(text).any(|line| line.contains("##"))
}

/// The words of the preprocessor's lines: what a macro may put into code, or a condition may ask for.
pub fn directive_words(text: &str) -> Vec<&str> {
    let words = directive_lines(text).flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.filter(|word| !word.is_empty()).collect()
}

/// The preprocessor's lines, with those that continue them.
fn directive_lines(text: &str) -> impl Iterator<Item = &str> {
    let mut goes_on = false;
    text.lines().filter(move |line| {
        let is_directive = goes_on || line.trim_start().starts_with('#');
        goes_on = is_directive && line.ends_with('\\');
        is_directive
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_statements_have_one_variable_and_no_macro() {
        let text = "#version 450\n#define both a_macro\nlayout(location = 1, component = 2) flat in highp ivec2 a;\n\
                    in vec3 b, c;\nlayout(location = N) in vec3 d;\nout vec2 e[2];\nlayout(location = 0, index = 1) out vec4 f;\n\
                    in float both;\nin Block { vec3 g; } block;\nin vec3 twice;\nout vec3 twice;\nuniform vec4 h;\n\
                    void main() { vec3 i; }\nlayout(xfb_offset = 0) out vec4 j; out vec4[3] k;\n";
        let all = plain(text);
        let shown: Vec<String> = all
            .iter()
            .map(|one| {
                let place = format!("{:?} {:?}", one.location, one.component);
                format!("{} {} {place} {:?}", one.name, &text[one.statement.clone()], one.taken())
            })
            .collect();
        assert_eq!(
            shown,
            [
                "a layout(location = 1, component = 2) flat in highp ivec2 a; Some(1) Some(2) Some((1, 2..4))",
                "e out vec2 e[2]; None None None",
                "k out vec4[3] k; None None None",
            ]
        );
        assert!(all[0].has("flat") && !all[0].is_output && all[1].sizes.len() == 1);
        assert_eq!(&text[all[0].direction..][..2], "in");
        assert_eq!(&text[all[0].type_range.clone()], "ivec2");
    }

    #[test]
    fn directives_go_on_after_a_backslash() {
        assert!(pastes("#define A(n) \\\n in_##n\n") && !pastes("#define A n\n // ##\n"));
        assert_eq!(directive_words("#if A\nb\n # define C d \\\n e\nf"), ["if", "A", "define", "C", "d", "e"]);
    }
}
