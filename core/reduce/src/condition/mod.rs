//! What has to stay true while a program becomes smaller.
//!
//! ```text
//! condition  = all { "or" all }
//! all        = one { "and" one }
//! one        = "not" one | "(" condition ")" | test
//! test       = "slots-differ" | "places-differ"
//!            | "results-differ" [ "on" DEVICE ] [ "from" DEVICE ]
//!            | "crashes" | "fails"
//!            | "time" ">" NUMBER ( "x" | "ms" | "s" )
//!            | "statistic" NAME ( ">" | ">=" | "<" | "<=" | "=" | "!=" ) NUMBER
//!            | "finding" CODE [ REGEX ]
//!            | "validator-rejects" [ REGEX ]
//!            | "text" "matches" REGEX
//!            | "exec" PROGRAM
//! ```
//!
//! A test that compiles may end with `on CHIP`: one of the compilers. A name with spaces is quoted, a regular expression
//! stands between slashes.

mod parse;

use std::fmt;
use std::time::Duration;

pub use parse::ConditionError;

/// A condition.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// All of them.
    All(Vec<Condition>),
    /// One of them at least.
    Any(Vec<Condition>),
    /// Not that.
    Not(Box<Condition>),
    /// One test.
    Test(Test),
}

/// One test.
#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    /// Two assignments of the interface's slots have a different number of slots that are read: a compiler's and the
    /// model's, or two compilers'.
    SlotsDiffer {
        /// One of the compilers; all where absent.
        on: Option<String>,
    },
    /// A scalar has another slot or channel.
    PlacesDiffer {
        /// One of the compilers; all where absent.
        on: Option<String>,
    },
    /// Two runs leave different results.
    ResultsDiffer {
        /// The device of the first run; the first one where absent.
        on: Option<String>,
        /// The device of the second run. Where absent, the second run is of the rewritten program on the same device.
        from: Option<String>,
    },
    /// A compiler dies, by the same signal and with the same last line as at the start.
    Crashes {
        /// One of the compilers; all where absent.
        on: Option<String>,
    },
    /// A compiler refuses the program, with the same message as at the start.
    Fails {
        /// One of the compilers; all where absent.
        on: Option<String>,
    },
    /// Compilation takes long.
    Time {
        /// Longer than that.
        than: Than,
        /// One of the compilers; the first where absent.
        on: Option<String>,
    },
    /// A statistic of any executable compares with a number.
    Statistic {
        /// The driver's name for it, or the common one.
        name: String,
        /// How it compares.
        compares: Compares,
        /// With what.
        value: f64,
        /// One of the compilers; all where absent.
        on: Option<String>,
    },
    /// The report has a finding of a code.
    Finding {
        /// The code.
        code: String,
        /// What its message matches.
        pattern: Option<Pattern>,
    },
    /// The validator refuses a module.
    ValidatorRejects(Option<Pattern>),
    /// A compiler's assembly or message matches.
    Text {
        /// What it matches.
        pattern: Pattern,
        /// One of the compilers; all where absent.
        on: Option<String>,
    },
    /// A program ends with status 0, given the files of the modules.
    Exec(String),
}

/// With what a time compares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Than {
    /// So many times the time of the second compiler or variant.
    Times(f64),
    /// A time.
    Time(Duration),
}

/// How a number compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compares {
    /// Greater.
    Greater,
    /// Greater or equal.
    AtLeast,
    /// Less.
    Less,
    /// Less or equal.
    AtMost,
    /// Equal.
    Equal,
    /// Not equal.
    Unequal,
}

impl Compares {
    /// All of them, the longer signs first.
    const ALL: [(Compares, &'static str); 6] = [
        (Compares::AtLeast, ">="),
        (Compares::AtMost, "<="),
        (Compares::Unequal, "!="),
        (Compares::Greater, ">"),
        (Compares::Less, "<"),
        (Compares::Equal, "="),
    ];

    /// Its sign.
    pub fn sign(self) -> &'static str {
        Compares::ALL.iter().find(|(compares, _)| *compares == self).map_or("", |(_, sign)| sign)
    }

    /// Whether a number compares so with another.
    pub fn holds(self, left: f64, right: f64) -> bool {
        match self {
            Compares::Greater => left > right,
            Compares::AtLeast => left >= right,
            Compares::Less => left < right,
            Compares::AtMost => left <= right,
            Compares::Equal => left == right,
            Compares::Unequal => left != right,
        }
    }
}

/// A regular expression.
#[derive(Debug, Clone)]
pub struct Pattern(regex::Regex);

impl Pattern {
    /// Whether a text matches.
    pub fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }

    /// The first part of a text that matches.
    pub fn find<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.0.find(text).map(|found| found.as_str())
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Pattern) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

impl TryFrom<String> for Pattern {
    type Error = regex::Error;

    fn try_from(text: String) -> Result<Pattern, regex::Error> {
        regex::RegexBuilder::new(&text).multi_line(true).size_limit(1 << 20).build().map(Pattern)
    }
}

impl Condition {
    /// Its tests, in the order in which they are written.
    pub fn tests(&self) -> Vec<&Test> {
        match self {
            Condition::All(all) | Condition::Any(all) => all.iter().flat_map(Condition::tests).collect(),
            Condition::Not(condition) => condition.tests(),
            Condition::Test(test) => vec![test],
        }
    }

    /// Whether it holds, by an answer for each test; `None` where that depends on a test without an answer. A test whose
    /// answer does not matter is not asked.
    pub fn holds(&self, answer: &mut impl FnMut(&Test) -> Option<bool>) -> Option<bool> {
        match self {
            Condition::All(all) => decided(all, false, answer),
            Condition::Any(all) => decided(all, true, answer),
            Condition::Not(condition) => condition.holds(answer).map(|holds| !holds),
            Condition::Test(test) => answer(test),
        }
    }
}

/// `by` where one condition has that answer, else the opposite where all have one.
fn decided(all: &[Condition], by: bool, answer: &mut impl FnMut(&Test) -> Option<bool>) -> Option<bool> {
    let mut known = true;
    for condition in all {
        match condition.holds(answer) {
            Some(holds) if holds == by => return Some(by),
            Some(_) => {}
            None => known = false,
        }
    }
    known.then_some(!by)
}

impl Test {
    /// Whether it needs a driver's compiler.
    pub fn compiles(&self) -> bool {
        use Test::*;
        matches!(
            self,
            SlotsDiffer { .. }
                | PlacesDiffer { .. }
                | Crashes { .. }
                | Fails { .. }
                | Time { .. }
                | Statistic { .. }
                | Text { .. }
        )
    }

    /// Whether it runs the program.
    pub fn runs(&self) -> bool {
        matches!(self, Test::ResultsDiffer { .. })
    }

    /// The compiler that it names.
    pub fn on(&self) -> Option<&str> {
        use Test::*;
        match self {
            SlotsDiffer { on } | PlacesDiffer { on } | Crashes { on } | Fails { on } => on.as_deref(),
            Time { on, .. } | Statistic { on, .. } | Text { on, .. } => on.as_deref(),
            ResultsDiffer { .. } | Finding { .. } | ValidatorRejects(_) | Exec(_) => None,
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, all: &[Condition], word: &str| {
            for (at, condition) in all.iter().enumerate() {
                if at > 0 {
                    write!(f, " {word} ")?;
                }
                match condition {
                    Condition::Any(_) | Condition::All(_) => write!(f, "({condition})")?,
                    _ => write!(f, "{condition}")?,
                }
            }
            Ok(())
        };
        match self {
            Condition::All(all) => list(f, all, "and"),
            Condition::Any(all) => list(f, all, "or"),
            Condition::Not(condition) => match **condition {
                Condition::Test(_) | Condition::Not(_) => write!(f, "not {condition}"),
                _ => write!(f, "not ({condition})"),
            },
            Condition::Test(test) => write!(f, "{test}"),
        }
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Test::SlotsDiffer { .. } => f.write_str("slots-differ")?,
            Test::PlacesDiffer { .. } => f.write_str("places-differ")?,
            Test::ResultsDiffer { on, from } => {
                f.write_str("results-differ")?;
                for (word, name) in [("on", on), ("from", from)] {
                    if let Some(name) = name {
                        write!(f, " {word} {}", word_or_quoted(name))?;
                    }
                }
            }
            Test::Crashes { .. } => f.write_str("crashes")?,
            Test::Fails { .. } => f.write_str("fails")?,
            Test::Time { than: Than::Times(times), .. } => write!(f, "time > {times}x")?,
            Test::Time { than: Than::Time(time), .. } => write!(f, "time > {}ms", time.as_secs_f64() * 1000.0)?,
            Test::Statistic { name, compares, value, .. } => {
                write!(f, "statistic {} {} {value}", word_or_quoted(name), compares.sign())?;
            }
            Test::Finding { code, pattern: None } => write!(f, "finding {code}")?,
            Test::Finding { code, pattern: Some(pattern) } => write!(f, "finding {code} {pattern}")?,
            Test::ValidatorRejects(None) => f.write_str("validator-rejects")?,
            Test::ValidatorRejects(Some(pattern)) => write!(f, "validator-rejects {pattern}")?,
            Test::Text { pattern, .. } => write!(f, "text matches {pattern}")?,
            Test::Exec(program) => write!(f, "exec {}", word_or_quoted(program))?,
        }
        match self.on() {
            Some(on) => write!(f, " on {}", word_or_quoted(on)),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/{}/", self.0.as_str().replace('/', "\\/"))
    }
}

/// A name as it is read again.
fn word_or_quoted(name: &str) -> String {
    if parse::is_word(name) {
        name.to_owned()
    } else {
        format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
    }
}

#[cfg(test)]
mod tests;
