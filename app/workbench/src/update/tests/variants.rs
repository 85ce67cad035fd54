//! The variants of the shown program.

use lanescope_core::table::Key;
use lanescope_inspector::command::Purpose;
use lanescope_inspector::comparing::Partner;
use lanescope_inspector::tasks::ComparedVariants;

use super::super::effects::Dialog;
use super::*;
use crate::state::comparing::ComparisonNames;

/// Reads another scalar with `GLOSS`, and does not compile with `WRONG`.
const VARYING: &str = "#version 450
layout(location = 0) in vec2 uv;
layout(location = 3) in float gloss;
layout(location = 0) out vec4 color;
void main() {
#if GLOSS
    color = vec4(uv, gloss, 1.0);
#else
    color = vec4(uv, 0.0, 1.0);
#endif
#ifdef WRONG
    nothing;
#endif
}
";

fn done(bench: &Bench) -> &ComparedVariants {
    let task = &bench.program().results.variants;
    task.done().unwrap_or_else(|| panic!("it failed: {:?}", task.failed()))
}

fn texts(bench: &Bench) -> Vec<String> {
    let row = |row: &lanescope_core::table::Row| {
        let cells: Vec<_> = row.cells.iter().map(|cell| cell.text().into_owned()).collect();
        cells.join("|")
    };
    done(bench).rows.rows.iter().map(row).collect()
}

#[test]
pub fn compiles_and_compares_variants() {
    let mut bench = Bench::opened("lit.frag", VARYING);
    let id = bench.program().id;
    bench.run(Command::Variants);
    let asks = |effect: &Effect| matches!(effect, Effect::Dialog(Dialog::Files(Purpose::Variants(of), _)) if *of == id);
    assert!(bench.had(asks));
    let file = bench.file("lit.variants", "GLOSS=0|1\nWRONG=|1\n");
    bench.run(Command::TakePaths(Purpose::Variants(id), vec![file.clone()]));
    assert_eq!(bench.state.compared_with(), Some(Partner::Variants));
    bench.settle();
    let rows = texts(&bench);
    assert_eq!(rows.len(), 4);
    assert!(rows[0].starts_with("1|-D GLOSS=0 -U WRONG|the base|1|"), "{rows:?}");
    assert!(rows[2].starts_with("3|-D GLOSS=1 -U WRONG|differs|"), "{rows:?}");
    assert!(rows[3].contains("cannot be used"), "{rows:?}");
    let keys: Vec<_> = done(&bench).rows.rows.iter().map(|row| row.key.clone()).collect();
    assert_eq!(keys, [Key::None, Key::None, Key::Item(1), Key::None]);
    assert_eq!((done(&bench).summary.as_str(), done(&bench).failures.len()), ("4 variants, 2 different programs", 1));

    // One of them against the base, as two programs are.
    bench.run(Command::CompareWith(Some(Partner::Variant(1))));
    let names = ComparisonNames::new(&bench.state);
    let comparing = names.comparing(&bench.state);
    assert_eq!(comparing.names, ["-D GLOSS=0 -U WRONG", "-D GLOSS=1 -U WRONG"]);
    let [base, one] = comparing.sides.expect("both sides");
    assert!(!lanescope_core::compare::compare(base, one).equal);
    bench.run(Command::CompareWith(Some(Partner::Variant(7))));
    assert_eq!(bench.state.compared_with(), None, "there is no such variant");

    // The file as it is then; the variant of the earlier result is gone.
    bench.run(Command::CompareWith(Some(Partner::Variant(1))));
    std::fs::write(file, "GLOSS=0\n").expect("writes");
    bench.run(Command::Begin(lanescope_inspector::tasks::Work::Variants));
    bench.settle();
    assert_eq!((bench.state.compared_with(), texts(&bench).len()), (Some(Partner::Variants), 1));
}

#[test]
fn wrong_files_of_variants_are_told() {
    let mut bench = Bench::opened("lit.frag", VARYING);
    let id = bench.program().id;
    for (text, told) in [
        ("lit.frag\n", "line 1: expected flags"),
        ("", "no variants"),
        ("WRONG=1\n", "none of the 1 variants can be used"),
        ("-D A --frobnicate\n", "line 1: unexpected argument '--frobnicate'"),
    ] {
        let file = bench.file("lit.variants", text);
        bench.run(Command::TakePaths(Purpose::Variants(id), vec![file]));
        bench.settle();
        let why = bench.program().results.variants.failed().expect("it fails");
        assert!(why.contains("lit.variants") && why.contains(told), "{text:?}: {why}");
    }
    bench.run(Command::TakePaths(Purpose::Variants(id), vec![bench.folder.path().join("missing")]));
    bench.settle();
    assert!(bench.program().results.variants.failed().is_some_and(|why| why.contains("missing")));
    bench.run(Command::CloseProgram);
    bench.run(Command::TakePaths(Purpose::Variants(id), vec!["a".into()]));
    assert_eq!(bench.message(), "The program of these variants is closed.");
}
