//! Renaming a varying in the stages that it joins. GLSL matches varyings by location, so each stage may have another name for
//! one: all of them get the new name.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use lanescope_core::foreign::plain_name;
use lanescope_core::report::Report;

use crate::navigation::{Spot, linked};
use crate::sites::{Role, Site, Source, interfaces};
use crate::source::plain::{directive_words, pastes, plain};
use crate::source::tokens::{Token, after_group, word_at};
use crate::source::{Declared, Language};

/// What is to be renamed, and where it is looked for.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The report of the pipeline.
    pub report: &'a Report,
    /// Its sources.
    pub sources: &'a [Source],
    /// Its files; other sources are included.
    pub files: &'a [PathBuf],
    /// The source that the name is in.
    pub source: &'a Source,
    /// The offset of the name.
    pub offset: usize,
}

/// Words of GLSL that no variable may have as a name: those of statements, qualifiers and types that shaders use.
const RESERVED: [&str; 144] = [
    "active",
    "asm",
    "atomic_uint",
    "attribute",
    "bool",
    "break",
    "buffer",
    "bvec2",
    "bvec3",
    "bvec4",
    "case",
    "cast",
    "centroid",
    "class",
    "coherent",
    "common",
    "const",
    "continue",
    "default",
    "discard",
    "dmat2",
    "dmat2x2",
    "dmat2x3",
    "dmat2x4",
    "dmat3",
    "dmat3x2",
    "dmat3x3",
    "dmat3x4",
    "dmat4",
    "dmat4x2",
    "dmat4x3",
    "dmat4x4",
    "do",
    "double",
    "dvec2",
    "dvec3",
    "dvec4",
    "else",
    "enum",
    "extern",
    "external",
    "false",
    "filter",
    "fixed",
    "flat",
    "float",
    "for",
    "fvec2",
    "fvec3",
    "fvec4",
    "goto",
    "half",
    "highp",
    "hvec2",
    "hvec3",
    "hvec4",
    "if",
    "image2D",
    "image3D",
    "in",
    "inline",
    "inout",
    "input",
    "int",
    "interface",
    "invariant",
    "isampler2D",
    "ivec2",
    "ivec3",
    "ivec4",
    "layout",
    "long",
    "lowp",
    "mat2",
    "mat2x2",
    "mat2x3",
    "mat2x4",
    "mat3",
    "mat3x2",
    "mat3x3",
    "mat3x4",
    "mat4",
    "mat4x2",
    "mat4x3",
    "mat4x4",
    "mediump",
    "namespace",
    "noinline",
    "noperspective",
    "out",
    "output",
    "packed",
    "partition",
    "patch",
    "precise",
    "precision",
    "public",
    "readonly",
    "resource",
    "restrict",
    "return",
    "sample",
    "sampler",
    "sampler1D",
    "sampler2D",
    "sampler2DArray",
    "sampler2DShadow",
    "sampler3D",
    "sampler3DRect",
    "samplerCube",
    "samplerCubeShadow",
    "shared",
    "short",
    "sizeof",
    "smooth",
    "static",
    "struct",
    "subroutine",
    "superp",
    "switch",
    "template",
    "texture2D",
    "texture3D",
    "textureCube",
    "this",
    "true",
    "typedef",
    "uint",
    "uniform",
    "union",
    "unsigned",
    "usampler2D",
    "using",
    "uvec2",
    "uvec3",
    "uvec4",
    "varying",
    "vec2",
    "vec3",
    "vec4",
    "void",
    "volatile",
    "while",
    "writeonly",
];

/// The varying at a place: its source, and the bytes of the name there.
///
/// # Errors
/// Why nothing there can be renamed.
pub fn varying_at<'a>(asked: &Asked<'a>) -> Result<(&'a Source, Range<usize>), String> {
    let source = asked.source;
    let word = word_at(&source.text, asked.offset).ok_or("there is no name at this place")?;
    let name = source.text.get(word.clone()).unwrap_or_default();
    if source.language != Some(Language::Glsl) || Language::of_name(&source.path) == Some(Language::Hlsl) {
        return Err("only varyings of GLSL can be renamed".to_owned());
    }
    if name.starts_with("gl_") {
        return Err(format!("`{}` is a built-in", plain_name(name)));
    }
    sites(asked)?;
    Ok((source, word))
}

/// The varyings at the place that is asked for.
fn sites<'a>(asked: &Asked<'a>) -> Result<Vec<&'a Site>, String> {
    let mut sites = asked.source.at(asked.offset);
    if sites.is_empty() {
        // A file without the declaration is compiled with the one that has it.
        let word = word_at(&asked.source.text, asked.offset).unwrap_or_default();
        let name = asked.source.text.get(word).unwrap_or_default();
        let with = asked.sources.iter().filter(|other| other.is_compiled_with(asked.source));
        sites = with.flat_map(|other| &other.sites).filter(|site| site.name == name).collect();
    }
    let is_varying = |site: &&Site| matches!(site.role, Role::Varying { .. });
    match !sites.is_empty() && sites.iter().all(is_varying) {
        true => Ok(sites),
        false => Err("only varyings can be renamed, and this is not one that the pipeline passes".to_owned()),
    }
}

/// The places of the names of the varying in all stages that it joins.
///
/// `is_editable` says whether a file may be changed: it is open, or in the workspace.
///
/// # Errors
/// Why the varying cannot be renamed.
pub fn renamed(asked: &Asked<'_>, new: &str, is_editable: &dyn Fn(&Path) -> bool) -> Result<Vec<Spot>, String> {
    varying_at(asked)?;
    check_name(new)?;
    let mut out: BTreeSet<Spot> = BTreeSet::new();
    let mut joined: Vec<(&Source, &Site)> = Vec::new();
    for site in sites(asked)? {
        is_complete(asked, site)?;
        joined.extend(linked(asked.sources, &site.role));
    }
    for (source, site) in &joined {
        is_plain(source, site)?;
    }
    for (at, (source, site)) in joined.iter().enumerate() {
        let other = |(with, one): &&(&Source, &Site)| with.is_compiled_with(source) && one.name != site.name;
        if let Some((_, one)) = joined.iter().skip(at + 1).find(other) {
            let [a, b] = [&site.name, &one.name].map(|name| plain_name(name));
            return Err(format!("one stage has two variables for it, `{a}` and `{b}`"));
        }
    }
    for (source, site) in joined {
        if site.name == new {
            continue;
        }
        for with in asked.sources.iter().filter(|with| with.is_compiled_with(source)) {
            let spots = uses(with, &site.name, new)?;
            if spots.is_empty() {
                continue;
            }
            if !is_editable(&with.path) {
                let what = if asked.files.contains(&with.path) { "" } else { ", which is included," };
                let path = plain_name(&with.path.display().to_string());
                return Err(format!("{path}{what} is neither open nor in the workspace"));
            }
            out.extend(
                spots.into_iter().map(|range| Spot { path: with.path.clone(), bytes: (range.start, range.end) }),
            );
        }
    }
    Ok(out.into_iter().collect())
}

/// Whether a text may be a variable's name.
fn check_name(new: &str) -> Result<(), String> {
    let shown = plain_name(new);
    let is_identifier = new.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && new.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !is_identifier {
        return Err(format!("`{shown}` is not an identifier of GLSL"));
    }
    match () {
        () if new.starts_with("gl_") => Err(format!("`{shown}` begins with `gl_`, as built-ins do")),
        () if new.contains("__") => Err(format!("`{shown}` has two underscores in a row, which GLSL reserves")),
        () if RESERVED.contains(&new) || is_opaque(new) => Err(format!("`{shown}` is a reserved word of GLSL")),
        () => Ok(()),
    }
}

/// Whether a word names a type of images, samplers or textures, or may: these have a dimension after their kind.
fn is_opaque(word: &str) -> bool {
    let kind = word.strip_prefix(['i', 'u']).unwrap_or(word);
    let dimension =
        ["image", "sampler", "texture", "subpassInput"].iter().find_map(|kind_of| kind.strip_prefix(kind_of));
    dimension.is_some_and(|rest| {
        ["", "1D", "2D", "3D", "Cube", "Buffer", "Shadow", "MS"]
            .iter()
            .any(|own| rest == *own || (!own.is_empty() && rest.starts_with(own)))
    })
}

/// Checks that both sides of an interface have a declaration of a varying, where the report has one.
fn is_complete(asked: &Asked<'_>, site: &Site) -> Result<(), String> {
    let Role::Varying { interface, scalars, .. } = &site.role else { return Ok(()) };
    let packing = interfaces(asked.report).get(*interface).copied().ok_or("the pipeline does not pass it")?;
    let is_here = |location: u32, component: u8| {
        scalars.iter().any(|one| (one.location, one.component) == (location, Some(component)))
    };
    let read = packing.interface.iter().any(|one| one.input_id.is_some() && is_here(one.location.0, one.component.0));
    let kept = packing.outputs.iter().any(|one| is_here(one.from.location.0, one.from.component.0));
    let written = kept || packing.dropped.iter().any(|one| is_here(one.location.0, one.component.0));
    let has = |side: bool| {
        linked(asked.sources, &site.role)
            .any(|(_, other)| matches!(other.role, Role::Varying { is_output, .. } if is_output == side))
    };
    let missing = |side: &str, stage: &str| {
        Err(format!("the {side} of {stage} at this location has no declaration that is understood"))
    };
    let producer =
        packing.producer.map_or("the previous stage".to_owned(), |stage| format!("the {} shader", stage.name()));
    match () {
        () if written && !has(true) => missing("output", &producer),
        () if read && !has(false) => missing("input", &packing.reader()),
        () => Ok(()),
    }
}

/// Checks that a declaration is one of a variable that its text alone names.
fn is_plain(source: &Source, site: &Site) -> Result<(), String> {
    let name = plain_name(&site.name);
    let place = plain_name(&source.path.display().to_string());
    let line = source.lines.line_at(site.range.start) + 1;
    if source.language != Some(Language::Glsl) || Language::of_name(&source.path) == Some(Language::Hlsl) {
        return Err(format!("`{name}` in {place} is not GLSL"));
    }
    let declared = Language::Glsl.declarations(&source.text);
    let is_member = declared
        .iter()
        .any(|one| one.range == site.range && matches!(&one.what, Declared::Varying { of, .. } if !of.is_empty()));
    if is_member {
        return Err(format!("`{name}` in line {line} of {place} is a member of a block"));
    }
    let is_single = plain(&source.text).iter().any(|one| one.name_range == site.range);
    match is_single {
        true => Ok(()),
        false => Err(format!(
            "`{name}` in line {line} of {place} is not the only variable of a statement, or a macro has its name"
        )),
    }
}

/// The tokens of the groups of `layout(…)`.
fn layouts(tokens: &[Token<'_>]) -> Vec<Range<usize>> {
    let begins = |at: &usize| tokens[*at].text == "layout" && tokens.get(at + 1).is_some_and(|next| next.text == "(");
    (0..tokens.len()).filter(begins).map(|at| at..after_group(tokens, at + 1)).collect()
}

/// The places of a variable in a source that is compiled with its declaration.
fn uses(source: &Source, name: &str, new: &str) -> Result<Vec<Range<usize>>, String> {
    let place = plain_name(&source.path.display().to_string());
    let shown = plain_name(name);
    if pastes(&source.text) {
        return Err(format!("a macro in {place} joins words (`##`): it may make the name `{shown}`"));
    }
    let words = directive_words(&source.text);
    if words.contains(&name) {
        return Err(format!("a line of the preprocessor in {place} has the name `{shown}`"));
    }
    let tokens = Language::Glsl.tokens(&source.text);
    let is_taken = words.contains(&new) || tokens.iter().any(|token| token.text == new);
    let mut out = Vec::new();
    let layouts = layouts(&tokens);
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.text == name) {
        // `offset` in `layout(offset = 64)` is no variable.
        if layouts.iter().any(|group| group.contains(&at)) {
            continue;
        }
        if at.checked_sub(1).is_some_and(|before| tokens[before].text == ".") {
            return Err(format!("`{shown}` is the name of a member in {place} too"));
        }
        out.push(token.range());
    }
    // A file that is compiled with these may have the name for something else.
    match is_taken {
        true => Err(format!("{place} has the name `{}` already", plain_name(new))),
        false => Ok(out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn qualifiers_of_a_layout_are_no_uses() {
        let text = "layout(location = 0) in vec2 offset;\nlayout(push_constant) uniform P { layout(offset = 64) vec2 a; };\n\
                    void main() { vec2 b = offset; }";
        let tokens = Language::Glsl.tokens(text);
        let layouts = layouts(&tokens);
        let named = |at: &usize| tokens[*at].text == "offset" && !layouts.iter().any(|group| group.contains(at));
        assert_eq!((0..tokens.len()).filter(named).count(), 2);
    }

    #[test]
    fn words_that_glsl_reserves_are_no_names() {
        for word in
            ["partition", "dmat4x3", "fvec2", "uimage2DMSArray", "sampler2DRectShadow", "texture1DArray", "flat"]
        {
            assert!(check_name(word).is_err(), "{word}");
        }
        for word in ["texture_coordinates", "imageSize2", "samplers", "normal"] {
            assert_eq!(check_name(word), Ok(()), "{word}");
        }
    }
}
