//! Variants of a source: lines of flags, and macros with several values, whose cross product is taken.
//!
//! ```text
//! -D SHADOWS=1        ┐ flags: each with every combination
//! -D SHADOWS=2 -I inc ┘
//! FOG=|1              ┐ macros: undefined or 1; the first line is the slowest
//! LIGHTS=1|4|8        ┘
//! ```

mod effects;
mod page;
mod table;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use lanescope_core::options::{Conversion, defined_name, macro_definition, macro_name};

pub use effects::{Difference, MacroEffect, Outcome, Slots, ValueEffect, difference, effects};
pub use page::{Compared, Compiled, OfVariants, VariantRow};
pub use table::{step, table, what_changes};

use crate::corpus::{Group, Groups};
use crate::files::text_at_most;
use crate::flags;
use crate::folders::PipelineFiles;
use crate::worker::FileFlags;

/// The largest file of variants that is read, in bytes.
const MAX_FILE: u64 = 4 << 20;
/// The most variants of a file.
const MOST: u64 = 4096;
/// The most macros with values.
const MOST_MACROS: usize = 256;

/// All variants of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variants {
    /// The macros with several values, in the order of the file: the first one is the slowest.
    pub macros: Vec<Macro>,
    /// The variants, in order.
    pub all: Vec<Variant>,
}

/// A macro and its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Macro {
    /// Its name.
    pub name: String,
    /// Its values; none where it is not defined.
    pub values: Vec<Option<String>>,
    /// Its line in the file.
    line: usize,
}

/// One variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// Its flags as words of a command line.
    pub name: String,
    /// How files are loaded for it, beyond what counts for all.
    pub flags: FileFlags,
    /// Of each macro, the place of its value.
    pub values: Vec<usize>,
}

/// A line of flags.
struct Flags {
    text: String,
    flags: FileFlags,
    line: usize,
}

impl Variants {
    /// Reads a file.
    ///
    /// # Errors
    /// A file that cannot be read; a line that is neither flags nor a macro with values; too many variants.
    pub fn read(file: &Path) -> Result<Variants, String> {
        let text = text_at_most(file, MAX_FILE)?;
        Variants::parse(&text).map_err(|why| match why {
            Wrong { line: Some(line), why } => format!("{}, line {line}: {why}", file.display()),
            Wrong { line: None, why } => format!("{}: {why}", file.display()),
        })
    }

    fn parse(text: &str) -> Result<Variants, Wrong> {
        let (mut flags, mut macros): (Vec<Flags>, Vec<Macro>) = (Vec::new(), Vec::new());
        let lines = (1..).zip(text.lines().map(str::trim));
        for (line, text) in lines.filter(|(_, text)| !text.is_empty() && !text.starts_with('#')) {
            let at = |why| Wrong { line: Some(line), why };
            if text.starts_with('-') {
                let own = flags::parse(text).map_err(at)?;
                let text = if text == "--" { String::new() } else { text.to_owned() };
                flags.push(Flags { text, flags: own, line });
            } else {
                macros.push(macro_of(text, line).map_err(at)?);
            }
        }
        let count = check(&flags, &macros)?;
        if flags.is_empty() {
            flags.push(Flags { text: String::new(), flags: FileFlags::default(), line: 0 });
        }
        let each = count / flags.len().max(1);
        let of = macros.as_slice();
        let all = flags.iter().flat_map(|own| (0..each).map(move |number| combination(own, of, number))).collect();
        Ok(Variants { macros, all })
    }

    /// Each group of files with each variant.
    pub fn times(&self, groups: Vec<Group>) -> Vec<Group> {
        let mut out = Groups::default();
        for group in groups {
            for variant in &self.all {
                let flags = group.flags.and(&variant.flags);
                if let Some(name) = &group.pipeline {
                    out.add_pipeline(PipelineFiles { name: name.clone(), files: group.paths.clone() }, flags);
                    continue;
                }
                group.paths.iter().for_each(|path| out.add(path.clone(), flags.clone()));
            }
        }
        out.into_groups()
    }

    /// The pairs of variants that differ in one macro alone: the one with its first value, and the one with this other
    /// value.
    pub fn pairs(&self, of: usize, value: usize) -> impl Iterator<Item = (usize, usize)> {
        let faster: usize = self.macros.iter().skip(of + 1).map(|one| one.values.len()).product();
        let with = self.all.iter().enumerate().filter(move |(_, one)| one.values.get(of) == Some(&value));
        with.map(move |(at, _)| (at.saturating_sub(value * faster), at))
    }
}

/// What is wrong with a file, and with which line.
#[derive(Debug, PartialEq, Eq)]
struct Wrong {
    line: Option<usize>,
    why: String,
}

/// Reads `NAME=VALUE|VALUE`.
fn macro_of(text: &str, line: usize) -> Result<Macro, String> {
    let expected = "expected flags (-D NAME=VALUE), or a macro with its values (NAME=VALUE|VALUE)";
    let (name, values) = text.split_once('=').ok_or_else(|| format!("{expected}; found `{text}`"))?;
    let name = name.trim();
    macro_name(name).map_err(|_| format!("{expected}; found `{text}`"))?;
    let mut out = Macro { name: name.to_owned(), values: Vec::new(), line };
    for value in values.split('|').map(str::trim) {
        macro_definition(&format!("{name}={value}")).map_err(|why| format!("{name}: {why}"))?;
        let value = (!value.is_empty()).then(|| value.to_owned());
        if out.values.contains(&value) {
            let value = value.as_deref().unwrap_or("undefined");
            return Err(format!("{name}: expected values that differ; found {value} twice"));
        }
        out.values.push(value);
    }
    Ok(out)
}

/// Checks that there are variants, not too many, and that no line makes another one ineffective. Returns their number.
fn check(flags: &[Flags], macros: &[Macro]) -> Result<usize, Wrong> {
    if flags.is_empty() && macros.is_empty() {
        let why = "no variants (expected flags or a macro with its values in each line)".to_owned();
        return Err(Wrong { line: None, why });
    }
    if macros.len() > MOST_MACROS {
        let why = format!("{} macros with values; the limit is {MOST_MACROS}", macros.len());
        return Err(Wrong { line: None, why });
    }
    let mut lines = BTreeMap::new();
    for one in macros {
        if let Some(before) = lines.insert(one.name.as_str(), one.line) {
            let why = format!("{} has its values in line {before} already", one.name);
            return Err(Wrong { line: Some(one.line), why });
        }
    }
    let mut known = BTreeMap::new();
    for Flags { flags: own, line, .. } in flags {
        let Conversion { defines, undefines, .. } = &own.conversion;
        let mut named = defines.iter().map(|one| defined_name(one)).chain(undefines.iter().map(String::as_str));
        if let Some((name, at)) = named.find_map(|name| Some((name, lines.get(name)?))) {
            let why = format!("{name} has no effect here: line {at} has its values");
            return Err(Wrong { line: Some(*line), why });
        }
        // What is displayed may read alike for flags that differ.
        let key = serde_json::to_string(own).unwrap_or_else(|_| own.to_string());
        if let Some(before) = known.insert(key, line) {
            return Err(Wrong { line: Some(*line), why: format!("the same flags as in line {before}") });
        }
    }
    let counts = std::iter::once(flags.len().max(1)).chain(macros.iter().map(|one| one.values.len()));
    let count = counts.map(|count| count as u64).try_fold(1_u64, u64::checked_mul);
    if let Some(few) = count.filter(|count| *count <= MOST).and_then(|count| usize::try_from(count).ok()) {
        return Ok(few);
    }
    let count = count.map_or_else(|| format!("more than {}", u64::MAX), |count| count.to_string());
    let factors = (flags.len() > 1).then(|| format!("{} lines of flags", flags.len()));
    let factors = factors.into_iter().chain(macros.iter().map(|one| format!("{} {}", one.values.len(), one.name)));
    let why = format!("{count} variants ({}); the limit is {MOST}", factors.collect::<Vec<_>>().join(" × "));
    Err(Wrong { line: None, why })
}

/// A line of flags with the combination of values that has this number.
fn combination(own: &Flags, macros: &[Macro], mut number: usize) -> Variant {
    let mut values = vec![0; macros.len()];
    // The last macro is the fastest.
    for (value, one) in values.iter_mut().zip(macros).rev() {
        let count = one.values.len().max(1);
        (*value, number) = (number % count, number / count);
    }
    let mut conversion = Conversion::default();
    let mut words: Vec<String> = Vec::new();
    words.extend((!own.text.is_empty()).then(|| own.text.clone()));
    for (Macro { name, values, .. }, value) in macros.iter().zip(&values) {
        match values.get(*value).and_then(Option::as_deref) {
            Some(value) => {
                let quoted = shlex::try_quote(value).unwrap_or(Cow::Borrowed(value));
                words.push(format!("-D {name}={quoted}"));
                conversion.defines.push(format!("{name}={value}"));
            }
            None => {
                words.push(format!("-U {name}"));
                conversion.undefines.push(name.clone());
            }
        }
    }
    let flags = own.flags.and(&FileFlags { conversion, ..FileFlags::default() });
    Variant { name: words.join(" "), flags, values }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parse(text: &str) -> Result<Variants, Wrong> {
        Variants::parse(text)
    }

    fn names(text: &str) -> Vec<String> {
        parse(text).expect("reads").all.into_iter().map(|one| one.name).collect()
    }

    #[test]
    fn the_first_macro_is_the_slowest_and_flags_come_before() {
        let text = "# of the engine\n\nFOG=|1\nLIGHTS = 4 | 8\n";
        let product = ["-U FOG -D LIGHTS=4", "-U FOG -D LIGHTS=8", "-D FOG=1 -D LIGHTS=4", "-D FOG=1 -D LIGHTS=8"];
        assert_eq!(names(text), product);
        let both: Vec<String> = ["", "-D A=1 "]
            .iter()
            .flat_map(|flags| product.iter().map(move |values| format!("{flags}{values}")))
            .collect();
        assert_eq!(names(&format!("{text}--\n-D A=1\n")), both);
        assert_eq!(names("-D A=1\n--\n"), ["-D A=1", ""]);
        assert_eq!(names("T=vec4 x|y=z\n"), ["-D T='vec4 x'", "-D T='y=z'"]);
        let last = parse(&format!("{text}-D A=1\n")).expect("reads").all.pop().expect("some");
        assert_eq!(last.flags.conversion.macros(), ["A=1", "FOG=1", "LIGHTS=8"]);
    }

    #[test]
    fn wrong_lines_are_errors() {
        for (text, line, why) in [
            ("", None, "no variants"),
            ("# none\n", None, "no variants"),
            ("\na.frag\n", Some(2), "expected flags (-D NAME=VALUE), or a macro with its values"),
            ("1X=2\n", Some(1), "found `1X=2`"),
            ("A=1|2\\|3\n", Some(1), "A: a `\\` at the end of the value"),
            ("A=1|2|1\n", Some(1), "A: expected values that differ; found 1 twice"),
            ("A=|1|\n", Some(1), "found undefined twice"),
            ("A=1\nB=1\nA=2\n", Some(3), "A has its values in line 1 already"),
            ("A=1|2\n-D A=3\n", Some(2), "A has no effect here: line 1 has its values"),
            ("-D A=3\n-D B\n-D A=3\n", Some(3), "the same flags as in line 1"),
            ("-D A\n--wrong\n", Some(2), "--wrong"),
        ] {
            let wrong = parse(text).expect_err(text);
            assert!(wrong.line == line && wrong.why.contains(why), "{text:?}: {wrong:?}");
        }
    }

    #[test]
    fn too_many_variants_are_counted() {
        let values: Vec<String> = (0..64).map(|value| value.to_string()).collect();
        let text = format!("A={0}\nB={0}\n", values.join("|"));
        assert_eq!(parse(&text).expect("as many as the limit").all.len(), 4096);
        let wrong = parse(&format!("{text}C=|1\n")).expect_err("too many");
        assert_eq!(wrong.why, "8192 variants (64 A × 64 B × 2 C); the limit is 4096");
        let many: String = (0..70).map(|number| format!("M{number}=0|1\n")).collect();
        let wrong = parse(&many).expect_err("too many");
        assert!(wrong.why.starts_with("more than 18446744073709551615 variants (2 M0 × "), "{}", wrong.why);
    }

    #[test]
    fn each_group_is_multiplied() {
        let variants = parse("A=1|2\n").expect("reads");
        let own = FileFlags { entries: vec!["go".to_owned()], ..FileFlags::default() };
        let groups = vec![
            Group { paths: vec!["a".into(), "b".into()], flags: FileFlags::default(), pipeline: None },
            Group { paths: vec!["c".into()], flags: own, pipeline: None },
        ];
        let all = variants.times(groups);
        let text: Vec<_> = all.iter().map(|group| format!("{:?} {}", group.paths, group.flags)).collect();
        assert_eq!(
            text,
            [
                r#"["a", "b"] define=A=1"#,
                r#"["a", "b"] define=A=2"#,
                r#"["c"] define=A=1 entry=go"#,
                r#"["c"] define=A=2 entry=go"#
            ]
        );
    }

    proptest! {
        /// As many as the product says, each once, ordered as numbers whose first digit is the line of flags; and pairs
        /// differ in one macro alone.
        #[test]
        fn products_have_their_count_and_order(flags in 0_usize..4, sizes in prop::collection::vec(1_usize..5, 1..5)) {
            let mut text: String = (0..flags).map(|number| format!("-D F={number}\n")).collect();
            for (number, size) in sizes.iter().enumerate() {
                let values: Vec<String> = (0..*size).map(|value| value.to_string()).collect();
                text.push_str(&format!("M{number}={}\n", values.join("|")));
            }
            let variants = parse(&text).expect("reads");
            let own = |one: &Variant| {
                let all = one.flags.conversion.macros();
                let found = all.iter().find_map(|one| one.strip_prefix("F=")?.parse::<usize>().ok());
                std::iter::once(found.unwrap_or(0)).chain(one.values.iter().copied()).collect::<Vec<_>>()
            };
            let all: Vec<Vec<usize>> = variants.all.iter().map(own).collect();
            prop_assert_eq!(all.len(), flags.max(1) * sizes.iter().product::<usize>());
            prop_assert!(all.is_sorted_by(|a, b| a < b));
            for (number, size) in sizes.iter().enumerate() {
                for value in 1..*size {
                    let pairs: Vec<_> = variants.pairs(number, value).collect();
                    prop_assert_eq!(pairs.len(), all.len() / size);
                    for (first, second) in pairs {
                        let mut expected = all[second].clone();
                        expected[number + 1] = 0;
                        prop_assert_eq!(&all[first], &expected);
                    }
                }
            }
        }
    }
}
