//! The checks of a script as a table.

use super::{Expectation, ScriptRun};
use lanescope_base::findings::Severity;
use lanescope_base::text_format::counted;
use lanescope_passes::table::{Cell, Column, Meaning, Table, Width};

/// Every check in its order: its line, what it is, what it expects and finds, and whether it passed.
pub fn expectation_table(run: &ScriptRun) -> Table {
    let text = |title| Column::left(title).width(Width::AtMost(40));
    let columns = [Column::left("Failed").width(Width::Sign), Column::right("Line"), text("Check"), text("Expected")];
    let mut out = Table::new(columns.into_iter().chain([text("Found"), Column::left("Result")])).with_words();
    for one in &run.expectations {
        out.row(cells(one));
    }
    out
}

fn cells(one: &Expectation) -> Vec<Cell> {
    let failed = Meaning::Severity(Severity::Error);
    let (sign, meaning) =
        if one.passed() { (Cell::default(), Meaning::Plain) } else { (Cell::of(failed, "×"), failed) };
    let repetition = one.repetition.map(|at| format!(", repetition {at}")).unwrap_or_default();
    let found = match &one.found {
        Some(found) => Cell::code(found).meaning(meaning),
        None => Cell::of(Meaning::Dimmed, "as expected"),
    };
    vec![
        sign,
        Cell::code(one.line).meaning(Meaning::Dimmed),
        Cell::code(format!("{}{repetition}", one.command)),
        Cell::code(&one.expected),
        found,
        Cell::of(meaning, result(one)),
    ]
}

fn result(one: &Expectation) -> String {
    match (&one.place, one.differ) {
        (_, 0) => "passed".to_owned(),
        (Some(place), 1) => format!("failed at {place}"),
        (Some(place), differ) => format!("failed first at {place}; {} differ", counted(differ, "place")),
        (None, _) => "failed".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_checks_are_marked_by_more_than_a_color() {
        let passed = Expectation {
            line: 4,
            command: "EXPECT a IDX 0 EQ".to_owned(),
            place: None,
            expected: "1 2".to_owned(),
            found: Some("1 2".to_owned()),
            differ: 0,
            repetition: None,
        };
        let place = Some("byte 4, number 1".to_owned());
        let failed = Expectation {
            line: 5,
            place,
            found: Some("3".to_owned()),
            differ: 2,
            repetition: Some(2),
            ..passed.clone()
        };
        let same = Expectation { line: 6, found: None, ..passed.clone() };
        let run = ScriptRun { expectations: vec![passed, failed, same], ..ScriptRun::default() };
        assert_eq!(
            expectation_table(&run).to_tabs(),
            "Failed\tLine\tCheck\tExpected\tFound\tResult\n\t4\tEXPECT a IDX 0 EQ\t1 2\t1 2\tpassed\n\
             ×\t5\tEXPECT a IDX 0 EQ, repetition 2\t1 2\t3\tfailed first at byte 4, number 1; 2 places differ\n\
             \t6\tEXPECT a IDX 0 EQ\t1 2\tas expected\tpassed\n"
        );
    }
}
