//! Why a conversion failed: one line for a finding, and the converter's full output as details.

use super::unsupported;

/// The most characters of a line of the converter's. Our own reasons are one line each, of any length.
const LINE: usize = 160;

/// A conversion that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The reason, in one line.
    pub why: String,
    /// The full text, where the line leaves something out.
    pub details: Option<String>,
}

impl Failure {
    /// The error of the converter, with what it logged before. The first message is the closest to the cause.
    pub(super) fn of_converter(error: &str, logged: &[String]) -> Failure {
        let text: Vec<&str> = std::iter::once(error).chain(logged.iter().map(String::as_str)).collect();
        let line = text.iter().take(2).map(|part| part.lines().next().unwrap_or_default()).collect::<Vec<_>>();
        Failure::cut(
            unsupported::with_names(&line.join(": ")),
            unsupported::with_names(&text.join("\n")),
            text.len() <= 2,
        )
    }

    /// A line, cut where it is long, of a text. `whole`: the line has all messages of the text.
    fn cut(line: String, text: String, whole: bool) -> Failure {
        let fits = line.chars().count() <= LINE;
        let whole = whole && fits && text.lines().count() <= 2;
        let why = if fits { line } else { line.chars().take(LINE - 1).chain(['…']).collect() };
        Failure { why, details: (!whole).then_some(text) }
    }
}

impl From<String> for Failure {
    fn from(text: String) -> Self {
        let why = text.lines().next().unwrap_or_default().to_owned();
        let whole = text.lines().count() <= 1;
        Failure { why, details: (!whole).then_some(text) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_failures_have_no_details() {
        assert_eq!(Failure::from("no".to_owned()), Failure { why: "no".to_owned(), details: None });
        let one = Failure::of_converter("error -2", &["Failed DXIL opcode 303.".to_owned()]);
        assert_eq!((one.why.as_str(), one.details), ("error -2: Failed RawBufferVectorLoad, op 303.", None));
    }

    #[test]
    fn long_failures_are_cut_to_one_line_and_keep_the_rest_as_details() {
        let logged: Vec<String> = (0..40).map(|word| format!("{word:#010x}")).collect();
        let failure = Failure::of_converter("error -2", &logged);
        assert_eq!(failure.why, "error -2: 0x00000000");
        assert_eq!(failure.details.map(|text| text.lines().count()), Some(41));
        let wide = Failure::of_converter(&"é".repeat(1000), &[]);
        assert_eq!(wide.why.chars().count(), LINE);
        assert!(wide.why.ends_with('…') && wide.details.is_some_and(|text| text.chars().count() == 1000));
        let lines = Failure::from("first\nsecond".to_owned());
        assert_eq!((lines.why.as_str(), lines.details.as_deref()), ("first", Some("first\nsecond")));
    }
}
