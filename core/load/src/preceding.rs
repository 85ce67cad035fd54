//! What precedes a source where the options say so: a version of GLSL, and files that are included before the text.
//!
//! Both are put in as text. The version stands in the first line, so that it is the first of everything in ES too; that of
//! the source is taken out. The files follow it, as glslang's own preamble does. A `#line` gives the lines of the source
//! their numbers back.

use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::error::Problem;
use lanescope_model::options::{Conversion, GlslProfile, glsl_version};

/// The files that are included before a source: paths, or names in the folders that are looked through.
///
/// # Errors
/// The first one that does not exist.
pub(super) fn files(conversion: &Conversion) -> Result<Vec<PathBuf>, Problem> {
    let find = |name: &String| {
        let folders = conversion.include_dirs.iter().map(|folder| Path::new(folder).join(name));
        let found = std::iter::once(PathBuf::from(name)).chain(folders).find(|path| path.is_file());
        let found = found.map(|path| std::path::absolute(&path).unwrap_or(path));
        found.ok_or_else(|| Problem::NoSuchInclude { name: name.clone(), folders: conversion.include_dirs.clone() })
    };
    conversion.includes.iter().map(find).collect()
}

/// GLSL of the version that the options say, with `#include` of these names before it. It begins after the line `after`
/// of its file, whose lines messages name.
pub(super) fn glsl<'t>(text: &'t str, conversion: &Conversion, names: &[String], after: u32) -> Cow<'t, str> {
    let version = conversion.std.as_deref().and_then(|version| glsl_version(version).ok());
    let includes = conversion.include_directive || !names.is_empty();
    if !includes && version.is_none() && after == 0 {
        return Cow::Borrowed(text);
    }
    let own = directive(text);
    let words = match (version, &own) {
        (Some((number, profile)), _) => Some(match profile {
            GlslProfile::Unsaid => number.to_string(),
            GlslProfile::Core => format!("{number} core"),
            GlslProfile::Compatibility => format!("{number} compatibility"),
            GlslProfile::Es => format!("{number} es"),
        }),
        (None, Some(own)) => Some(own.words.clone()),
        (None, None) => None,
    };
    let mut out = String::with_capacity(text.len() + 256);
    if let Some(words) = &words {
        out.push_str(&format!("#version {words}\n"));
    }
    if includes {
        // The extension of compilers with `#include`; what is not required can be there twice.
        out.push_str("#extension GL_GOOGLE_include_directive : enable\n");
    }
    out.push_str(&directives(names));
    out.push_str(&format!("#line {}\n", number_after(words.as_deref().unwrap_or_default(), after)));
    let (head, rest) = own.map_or(("", text), |own| {
        let Range { start, end } = own.range;
        (text.get(..start).unwrap_or_default(), text.get(end..).unwrap_or_default())
    });
    out.push_str(head);
    out.push_str(rest);
    Cow::Owned(out)
}

/// HLSL with `#include` of these names before it.
pub(super) fn hlsl<'t>(text: &'t str, names: &[String]) -> Cow<'t, str> {
    if names.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(format!("{}#line 1\n{text}", directives(names))) }
}

fn directives(names: &[String]) -> String {
    names.iter().map(|name| format!("#include \"{name}\"\n")).collect()
}

/// The number that a `#line` before the line after `after` has.
fn number_after(version: &str, after: u32) -> u32 {
    // The compiler takes a text without a version for ES 1.00, and these numbers for ES whatever follows them.
    let number = version.split_whitespace().next().and_then(|word| word.parse::<u32>().ok()).unwrap_or(100);
    // Before 3.30, and not in ES, the directive names its own line.
    let own_line = number < 330 && !matches!(number, 100 | 300 | 310 | 320);
    after.saturating_add(if own_line { 0 } else { 1 })
}

/// Whether a source has a `#version` where it counts.
pub(super) fn has_version(text: &str) -> bool {
    directive(text).is_some()
}

/// The `#version` of a source.
struct Directive {
    /// From its `#` to before the end of its line.
    range: Range<usize>,
    /// What follows its name: `450 core`.
    words: String,
}

/// The `#version` of a source, if that is the first that stands in it after blanks and comments.
fn directive(text: &str) -> Option<Directive> {
    let start = text.len() - after_blanks(text, true).len();
    let rest = after_blanks(text.get(start..)?.strip_prefix('#')?, false).strip_prefix("version")?;
    if rest.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let mut words = String::new();
    let mut rest = rest;
    loop {
        rest = after_blanks(rest, false);
        let end = rest.find(|c: char| c.is_whitespace() || c == '/').unwrap_or(rest.len());
        let (word, more) = rest.split_at(end);
        if word.is_empty() {
            break;
        }
        words.push_str(if words.is_empty() { "" } else { " " });
        words.push_str(word);
        rest = more;
    }
    Some(Directive { range: start..text.len() - rest.len(), words })
}

/// A text after its blanks and comments, and after its line breaks if those count as blanks.
fn after_blanks(text: &str, breaks: bool) -> &str {
    let mut rest = text;
    loop {
        let trimmed = rest.trim_start_matches(|c: char| c.is_whitespace() && (breaks || !matches!(c, '\n' | '\r')));
        let after = if let Some(comment) = trimmed.strip_prefix("/*") {
            comment.split_once("*/").map_or("", |(_, after)| after)
        } else if let Some(comment) = trimmed.strip_prefix("//") {
            comment.find('\n').and_then(|end| comment.get(end..)).unwrap_or("")
        } else {
            return trimmed;
        };
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_comes_first_and_lines_keep_their_numbers() {
        let names = ["a.glsl".to_owned()];
        let glsl = |text: &str, std: Option<&str>, names: &[String], after| {
            let conversion = Conversion { std: std.map(str::to_owned), ..Conversion::default() };
            glsl(text, &conversion, names, after).into_owned()
        };
        let include = "#extension GL_GOOGLE_include_directive : enable\n#include \"a.glsl\"\n";
        assert_eq!(glsl("#version 450\nx\n", None, &[], 0), "#version 450\nx\n");
        assert_eq!(
            glsl("// a\n # version /* b */ 450 core // c\nx\n", None, &names, 0),
            format!("#version 450 core\n{include}#line 1\n// a\n \nx\n")
        );
        assert_eq!(glsl("x\n", Some("310es"), &[], 0), "#version 310 es\n#line 1\nx\n");
        assert_eq!(glsl("#version 450\nx\n", Some("150core"), &[], 7), "#version 150 core\n#line 7\n\nx\n");
        assert_eq!(glsl("x\n#version 450\n", None, &names, 0), format!("{include}#line 1\nx\n#version 450\n"));
        assert_eq!(glsl("#version 450\nx\n", None, &[], 4), "#version 450\n#line 5\n\nx\n");
        let enabled = Conversion { include_directive: true, ..Conversion::default() };
        let text = "#version 450\n#extension GL_GOOGLE_include_directive : enable\n#line 1\n\nx\n";
        assert_eq!(super::glsl("#version 450\nx\n", &enabled, &[], 0), text);
        assert_eq!(hlsl("x\n", &names), "#include \"a.glsl\"\n#line 1\nx\n");
    }

    #[test]
    fn a_version_in_a_comment_is_none() {
        for text in ["/* #version 450\n*/x", "// #version 450\nx", "#versions 450\n", "", "/*", "#"] {
            assert!(directive(text).is_none(), "{text}");
        }
        let words = |text| directive(text).map(|found| found.words);
        assert_eq!(words("#version 450").as_deref(), Some("450"));
        assert_eq!(words("\n/* */#version 310/**/es\r\nx").as_deref(), Some("310 es"));
        assert_eq!(words("#version\n").as_deref(), Some(""));
    }
    /// The compiler's own count, of every kind of version, for a text that lies far down in its file.
    #[test]
    fn messages_name_the_lines_of_the_file() {
        const AFTER: u32 = 1 << 30;
        for version in
            ["", "#version 100\n", "#version 140\n", "#version 150 core\n", "#version 330\n", "#version 460\n"]
                .into_iter()
                .chain(["#version 310 es\n", "// a\n  # version 450\n", "/* b\n */ #version 300\n", "#version 440\r\n"])
        {
            let text = format!("{version}void main() {{\n#error nothing\n}}\n");
            let lines = glsl(&text, &Conversion::default(), &[], AFTER);
            assert!(lines.len() < text.len() + 99, "{version}");
            let source = lanescope_glslang::Source {
                text: &lines,
                language: lanescope_glslang::Language::Glsl,
                stage: lanescope_model::program::StageKind::Vertex,
                lines: true,
                macros: &[],
                env: Conversion::default().env(),
            };
            let log = lanescope_glslang::compile(&source, &mut lanescope_glslang::NoIncludes).expect_err("is wrong");
            let line = AFTER as usize + version.matches('\n').count() + 2;
            assert!(log.contains(&format!(":{line}: '#error'")), "{version}: {log}");
        }
    }
}
