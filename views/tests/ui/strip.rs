//! The answers of a program in one line.

use lanescope_core::findings::{Finding, INPUT_NOT_WRITTEN, NEEDS_BACK_END, OPAQUE_USE, UNKNOWN_FORMAT};
use lanescope_core::report::Report;
use lanescope_inspector::command::Command;
use lanescope_inspector::debugging::Debugging;
use lanescope_inspector::found::{FoundCounts, FoundCx};
use lanescope_inspector::settings::{CompileSettings, RunSettings};
use lanescope_inspector::strip::{FactState, StripCx, facts};
use lanescope_inspector::tasks::TaskResults;
use lanescope_inspector::view::ViewId;
use lanescope_views::gallery;

/// The texts of a report, with these results; what each leads to.
fn strip(report: &Report, results: &TaskResults, compile: &CompileSettings) -> Vec<(String, FactState, Command)> {
    let findings = FoundCounts { errors: 0, warnings: 0, notes: 1 };
    let cx = StripCx { report, results, revision: 1, compile, findings, frozen: false };
    facts(&cx).into_iter().map(|fact| (fact.text, fact.state, fact.command)).collect()
}

fn texts(strip: &[(String, FactState, Command)]) -> Vec<&str> {
    strip.iter().map(|(text, ..)| text.as_str()).collect()
}

#[test]
fn a_pair_has_slots_the_drivers_slots_registers_and_findings() {
    let compiled = gallery::compiled();
    let settings = compiled.settings.clone();
    let mut results = TaskResults::NOTHING;
    let report = gallery::lit_report();
    let before = strip(&report, &results, &settings);
    assert_eq!(
        (before[1].0.as_str(), &before[1].2),
        ("RADV gfx1030: not compiled", &Command::Compile),
        "without a job"
    );
    results.compiled.underway = true;
    let underway = strip(&report, &results, &settings);
    assert_eq!(texts(&underway)[1], "RADV gfx1030: compiling…");
    results.compiled.take(1, RunSettings::DEFAULT, Ok(compiled));
    let all = strip(&report, &results, &settings);
    assert_eq!(
        texts(&all),
        ["6 → 4 slots, −32 B per vertex", "RADV gfx1030: 7 slots", "16 VGPRs", "1 note"],
        "stages apart: the driver keeps every slot"
    );
    let show = Command::ShowTab;
    let leads: Vec<_> = all.iter().map(|(.., command)| command.clone()).collect();
    assert_eq!((&leads[0], leads.last()), (&show(ViewId::Packing), Some(&Command::Findings)));
    assert!(leads.contains(&show(ViewId::Isa)) && leads.contains(&show(ViewId::Statistics)), "{leads:?}");
}

#[test]
fn a_work_graph_has_nodes_depth_and_the_records_of_its_run() {
    let report = gallery::work_graph(2);
    let mut results = TaskResults::NOTHING;
    let settings = CompileSettings::DEFAULT;
    assert_eq!(texts(&strip(&report, &results, &settings)), ["2 nodes", "depth 7", "not run", "1 note"]);
    let run = gallery::graph_run(report.graph.as_ref().expect("a graph"));
    let (generations, records) = (run.generations.len(), run.generations.iter().flat_map(|it| &it.nodes));
    let records: u64 = records.filter(|node| node.shares.is_none()).map(|node| node.count).sum();
    results.graph.take(1, RunSettings::DEFAULT, Ok(run));
    let text = format!("{records} records in {generations} generations");
    assert_eq!(texts(&strip(&report, &results, &settings)), ["2 nodes", "depth 7", &text, "1 note"]);
}

#[test]
fn a_program_that_is_not_converted_is_not_compiled() {
    let mut report = gallery::lit_report();
    report.stages.clear();
    let text = |report: &Report| {
        let all = strip(report, &TaskResults::NOTHING, &CompileSettings::DEFAULT);
        all.into_iter().map(|(text, state, _)| (text, state)).nth(1).expect("a fact of the compiler")
    };
    assert_eq!(text(&report), ("RADV gfx1030: not compiled".to_owned(), FactState::Open));
    report.findings.push(Finding { message: "AnOp has no SPIR-V".to_owned(), ..not_converted() });
    assert_eq!(text(&report), ("RADV gfx1030: not compiled: AnOp has no SPIR-V".to_owned(), FactState::Error));
    report.findings.clear();
    report.findings.push(Finding { message: "é".repeat(90), ..not_converted() });
    assert_eq!(text(&report).0, format!("RADV gfx1030: not compiled: {}…", "é".repeat(60)));
}

/// The finding that an entry point is not converted.
fn not_converted() -> Finding {
    lanescope_core::findings::NOT_CONVERTED.at(None, None, "")
}

#[test]
fn a_driver_that_was_chosen_by_its_manifest_is_named_by_it() {
    let chosen = |settings: CompileSettings| {
        let all = strip(&gallery::lit_report(), &TaskResults::NOTHING, &settings);
        all.into_iter().map(|(text, ..)| text).nth(1).expect("a fact of the compiler")
    };
    let of =
        |icds: &[&str]| CompileSettings { icds: icds.iter().map(Into::into).collect(), ..CompileSettings::DEFAULT };
    assert_eq!(chosen(of(&["/icd.d/lvp_icd.json"])), "lvp_icd: not compiled");
    let device = CompileSettings { devices: vec!["a card".to_owned()], ..of(&["/icd.d/lvp_icd.json"]) };
    assert_eq!(chosen(device), "a card: not compiled");
}

#[test]
fn a_workgroup_has_its_lane_order_waves_and_the_rule_that_decided() {
    let mut report = gallery::workgroup_report(gallery::strips_16x16(64));
    // What is compiled has a stage.
    report.stages = gallery::lit_report().stages;
    let all = strip(&report, &TaskResults::NOTHING, &CompileSettings::DEFAULT);
    let texts = texts(&all).join(" · ");
    let expected =
        "16×16×1 8×N strips: 4 waves of 64 · no partial wave · by force-8xN · RADV gfx1030: not compiled · 1 note";
    assert_eq!(texts, expected);
}

#[test]
fn errors_and_warnings_are_counted_in_their_colours_and_a_standing_note_is_not() {
    let mut report = gallery::lit_report();
    report.findings.clear();
    let facts_of = |report: &Report, debugging: &Debugging| {
        let (results, compile) = (&TaskResults::NOTHING, &CompileSettings::DEFAULT);
        let found = FoundCx { report, results, debugging, revision: 1, graph_revision: 1, compile };
        let cx = StripCx { report, results, revision: 1, compile, findings: found.counts(), frozen: false };
        let of_findings = facts(&cx).into_iter().filter(|fact| fact.command == Command::Findings);
        of_findings.map(|fact| (fact.text, fact.state)).collect::<Vec<_>>()
    };
    let fact = |text: &str, state| (text.to_owned(), state);
    report.findings.push(NEEDS_BACK_END.at(None, None, "a standing note"));
    assert_eq!(facts_of(&report, &Debugging::NONE), [fact("no findings", FactState::Known)]);
    report.findings.push(OPAQUE_USE.at(None, None, "another note"));
    assert_eq!(facts_of(&report, &Debugging::NONE), [fact("1 note", FactState::Known)]);
    report.findings.push(INPUT_NOT_WRITTEN.at(None, None, "one"));
    report.findings.push(INPUT_NOT_WRITTEN.at(None, None, "another one"));
    report.findings.push(INPUT_NOT_WRITTEN.at(None, None, "another one"));
    assert_eq!(facts_of(&report, &Debugging::NONE), [fact("2 warnings", FactState::Warning)]);
    report.findings.push(UNKNOWN_FORMAT.at(None, None, "an error"));
    let both = [fact("1 error", FactState::Error), fact("2 warnings", FactState::Warning)];
    assert_eq!(facts_of(&report, &Debugging::NONE), both);
}
