use proptest::prelude::*;

use super::*;

fn read(text: &str) -> Condition {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn conditions_are_read_and_written() {
    for text in [
        "slots-differ",
        "slots-differ on gfx1030",
        "results-differ on interpreter from llvmpipe",
        "crashes and not fails",
        "(slots-differ or places-differ) and not crashes on tgl",
        "time > 2x",
        "time > 500ms on gfx1100",
        "statistic VGPRs > 64",
        "statistic \"Code Size\" <= 100 on gfx1030",
        "finding D005",
        "finding E001 /byte 4/",
        "validator-rejects",
        "validator-rejects /must have a Location/",
        "text matches /v_mad_.*\\/x/",
        "exec ./keep.sh",
        "exec \"/usr/bin/keep it\"",
        "not (crashes or fails)",
    ] {
        assert_eq!(read(text).to_string(), text);
    }
    assert_eq!(read("finding d005"), Condition::Test(Test::Finding { code: "D005".to_owned(), pattern: None }));
    assert_eq!(read("((crashes))"), Condition::Test(Test::Crashes { on: None }));
    let precedence = read("crashes or fails and slots-differ");
    assert!(matches!(precedence, Condition::Any(ref all) if all.len() == 2), "{precedence:?}");
}

#[test]
fn errors_say_where_and_what() {
    for (text, expected) in [
        ("", "condition, column 1: expected `slots-differ`"),
        ("crashes fails", "column 9: expected `and`, `or` or the end, found `fails`"),
        ("time 2x", "column 6: expected `>`, found `2x`"),
        ("time > 2", "column 8: expected a time (`500ms`, `2s`) or a factor (`2x`), found `2`"),
        ("statistic VGPRs is 3", "column 17: expected `>`, `>=`"),
        ("text matches /(/", "column 14: expected a regular expression (unclosed group), found /(/"),
        ("text matches /a", "column 14: expected a closing `/`, found the end"),
        ("(crashes", "column 9: expected `)`, found the end"),
        ("exec /bin/true", "expected a"),
    ] {
        let error = text.parse::<Condition>().expect_err(text).to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    let deep = format!("{}crashes", "not ".repeat(100_000));
    assert!(deep.parse::<Condition>().is_err());
}

#[test]
fn an_unknown_answer_counts_only_where_it_matters() {
    let answer = |condition: &str| {
        read(condition).holds(&mut |test| match test {
            Test::Crashes { .. } => Some(true),
            Test::Fails { .. } => Some(false),
            _ => None,
        })
    };
    for (condition, expected) in [
        ("crashes", Some(true)),
        ("not crashes", Some(false)),
        ("slots-differ", None),
        ("not slots-differ", None),
        ("crashes and slots-differ", None),
        ("fails and slots-differ", Some(false)),
        ("crashes or slots-differ", Some(true)),
        ("fails or slots-differ", None),
    ] {
        assert_eq!(answer(condition), expected, "{condition}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "[ a-z\"/()<>=!0-9\\\\.-]{0,60}") {
        if let Ok(condition) = text.parse::<Condition>() {
            let again = condition.to_string();
            prop_assert_eq!(again.parse::<Condition>(), Ok(condition), "{}", again);
        }
    }
}
