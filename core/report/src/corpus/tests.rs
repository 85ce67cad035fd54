use std::collections::BTreeSet;

use super::*;
use lanescope_driver::{Value, Version};

/// A compute pipeline with one executable of a driver.
fn driven(number: u64, pipeline: &str, statistics: &[(&str, u64)]) -> Row {
    let statistics = statistics.iter().map(|(name, value)| ((*name).to_owned(), Value::whole(name, *value)));
    let executable =
        ExecutableRow { name: "Compute Shader".to_owned(), subgroup_size: 64, statistics: Named(statistics.collect()) };
    let driver = DriverRow {
        place: "gfx1030".to_owned(),
        driver: "radv".to_owned(),
        variant: Version::Original,
        executables: vec![executable],
        disagreements: Vec::new(),
        nanoseconds: None,
        failure: None,
    };
    let row = Row::new(number, format!("a.foz@{pipeline}"), "a.foz".to_owned());
    Row { hash: pipeline.to_owned(), kind: Kind::Compute, drivers: vec![driver], ..row }
}

#[test]
fn csv_has_the_columns_of_fossilize_replay() {
    let rows = [
        driven(0, "58dd", &[("Driver pipeline hash", 77), ("VGPRs", 24), ("Code size", 512)]),
        driven(1, "7cd9", &[("Driver pipeline hash", 78), ("VGPRs", 8), ("Spilled, VGPRs", 1)]),
    ];
    let mut columns = Columns::default();
    rows.iter().for_each(|row| columns.add(row));
    let lines: String = rows.iter().map(|row| columns.lines(row)).collect();
    assert_eq!(
        columns.header() + &lines,
        "Database,Pipeline type,Pipeline hash,PSO wall duration (ns),PSO duration (ns),Stage duration (ns),\
         Executable name,Subgroup size,Driver pipeline hash,VGPRs,Code size,\"Spilled, VGPRs\"\n\
         a.foz,COMPUTE,58dd,,,,Compute Shader,64,77,24,512,\n\
         a.foz,COMPUTE,7cd9,,,,Compute Shader,64,78,8,,1\n"
    );
}

#[test]
fn csv_names_chips_and_reasons_where_there_are_several() {
    let mut row = driven(0, "58dd", &[("VGPRs", 24)]);
    row.drivers.push(DriverRow {
        place: "gfx1100".to_owned(),
        executables: Vec::new(),
        failure: Some("crashed:\nSIGSEGV".to_owned()),
        ..row.drivers[0].clone()
    });
    let mut columns = Columns::default();
    columns.add(&row);
    assert!(columns.header().ends_with("VGPRs,Device,Variant,Failure\n"), "{}", columns.header());
    let lines = columns.lines(&row);
    assert_eq!(
        lines,
        "a.foz,COMPUTE,58dd,,,,Compute Shader,64,,24,gfx1030,original,\n\
         a.foz,COMPUTE,58dd,,,,,,,,gfx1100,original,crashed: SIGSEGV\n"
    );
}

#[test]
fn rows_are_read_back_from_their_json() {
    let row = driven(3, "58dd", &[("VGPRs", 24), ("Code size", u64::MAX), ("A", 0)]);
    let json = serde_json::to_string(&row).expect("plain data");
    assert!(json.contains(r#""statistics":{"VGPRs":24,"Code size":18446744073709551615,"A":0}"#), "{json}");
    assert_eq!(serde_json::from_str::<Row>(&json).expect("reads"), row);
}

/// Rows with that many VGPRs each.
fn side(vgprs: &[u64]) -> Vec<Row> {
    let row = |(number, vgprs): (u64, &u64)| driven(number, &number.to_string(), &[("VGPRs", *vgprs), ("SGPRs", 8)]);
    (0..).zip(vgprs).map(row).collect()
}

#[test]
fn comparisons_have_the_lines_of_report_fossil() {
    let mut comparison = Comparison::default();
    side(&[10, 20, 30, 40]).into_iter().for_each(|row| comparison.add_before(row));
    side(&[10, 18, 33, 30]).into_iter().rev().for_each(|row| comparison.add_after(row));
    insta::assert_snapshot!(comparison.lines().join("\n"), @r"
    4 pipelines on both sides

    Totals:
    VGPRs: 100 -> 91 (-9.00%)
    SGPRs: 32 -> 32 (+0.00%)

    Totals from 3 (75.00% of 4) affected shaders:
    VGPRs: 90 -> 81 (-10.00%); split: -13.33%, +3.33%
    helped: 2
    HURT: 1
    ");
    let total = comparison.total("VGPRs").expect("compared");
    assert_eq!((total.helped, total.hurt, total.affected()), (2, 1, 3));
    let names = |list: &[Difference]| list.iter().map(|one| one.pipeline.clone()).collect::<Vec<_>>();
    assert_eq!(names(&total.decreases), ["a.foz@3", "a.foz@1"]);
    assert_eq!(names(&total.increases), ["a.foz@2"]);
    assert!("VGPRs<-5%".parse::<Threshold>().expect("parses").is_met(total));
}

#[test]
fn rows_of_one_side_and_failures_are_not_compared() {
    let mut comparison = Comparison::default();
    side(&[10, 20]).into_iter().for_each(|row| comparison.add_before(row));
    let mut after = side(&[10, 20, 30]);
    after[1].failure = Some("broken".to_owned());
    after.into_iter().for_each(|row| comparison.add_after(row));
    assert_eq!((comparison.pipelines, comparison.failed, comparison.only()), (1, 1, [0, 1]));
    assert!(comparison.first_failure.as_ref().is_some_and(|first| first.ends_with("@1 after: broken")));
    assert_eq!(comparison.total("VGPRs").map(|total| (total.before, total.after)), Some((10.0, 10.0)));
}

#[test]
fn lists_at_most_ten_shaders_at_each_end() {
    let mut comparison = Comparison::default();
    let before: Vec<u64> = vec![100; 40];
    let after: Vec<u64> = (0..40).map(|at| if at % 2 == 0 { 100 + at } else { 100 - at }).collect();
    for (old, new) in side(&before).into_iter().zip(side(&after)) {
        comparison.add_before(old);
        comparison.add_after(new);
    }
    let total = comparison.total("VGPRs").expect("compared");
    assert_eq!((total.increases.len(), total.decreases.len(), total.helped, total.hurt), (10, 10, 20, 19));
    assert_eq!((total.increases[0].after, total.decreases[0].after), (138.0, 61.0));
    assert_eq!(comparison.extremes().len(), 2);
}

#[test]
fn a_summary_counts_alike_failures_together() {
    let mut summary = Summary::default();
    summary.add(&driven(0, "58dd", &[("VGPRs", 24)]));
    for (number, word) in [(1, 12), (2, 340)] {
        let why = format!("b{number}.spv: invalid SPIR-V at word {word}");
        summary.add(&Row::failed(number, format!("b{number}.spv"), "b.spv".to_owned(), why));
    }
    for name in ["c.frag", "d.frag"] {
        let why = format!(
            "{name}: GLSL does not compile as a fragment shader:\nERROR: {name}:4: 'x' : undeclared identifier"
        );
        summary.add(&Row::failed(3, name.to_owned(), name.to_owned(), why));
    }
    assert_eq!((summary.pipelines, summary.failed), (5, 4));
    let tables = summary.tables();
    let failures = tables.iter().find(|table| table.title == "Failures").expect("there are failures");
    let cells: Vec<_> = failures.rows[0].cells.iter().map(|cell| cell.text().into_owned()).collect();
    assert_eq!(cells, ["2", "invalid SPIR-V at word #", "b1.spv"].map(str::to_owned));
    let cells: Vec<_> = failures.rows[1].cells.iter().map(|cell| cell.text().into_owned()).collect();
    assert_eq!(cells, ["2", "undeclared identifier", "c.frag"].map(str::to_owned));
    assert_eq!(failures.rows.len(), 2);
}

#[test]
fn measures_are_named_once() {
    let names: BTreeSet<&str> = Measure::ALL.iter().map(|measure| measure.name()).collect();
    assert_eq!(names.len(), Measure::ALL.len());
}

/// A table of rows with that many VGPRs each, and one of stages without a driver.
fn table() -> ResultTable {
    let mut table = ResultTable::default();
    for (row, offset) in side(&[24, 8, 300, 24]).iter().zip((100..).step_by(50)) {
        assert!(table.push(row, offset));
    }
    let failed = Row::failed(4, "lit.vert + Lit.frag".to_owned(), "lit.vert".to_owned(), "broken".to_owned());
    assert!(table.push(&failed, 300));
    table
}

#[test]
fn a_result_table_has_the_cells_of_its_shaders() {
    let table = table();
    assert_eq!((table.len(), table.pipelines()), (5, 5));
    let titles: Vec<&str> = table.columns().into_iter().map(|column| table.title(column)).collect();
    assert_eq!(titles, ["Pipeline", "Kind", "Shader", "Device", "VGPRs", "SGPRs", "Failure"]);
    let cells =
        |row| table.columns().into_iter().map(|column| table.text(row, column).into_owned()).collect::<Vec<_>>();
    assert_eq!(cells(2), ["a.foz@2", "compute", "Compute Shader", "gfx1030", "300", "8", ""]);
    assert_eq!(cells(4), ["lit.vert + Lit.frag", "other", "", "", "", "", "broken"]);
    assert_eq!((table.offset(2), table.offset(4), table.find("a.foz@3")), (Some(200), Some(300), Some(3)));
    assert_eq!(table.column("vgprs"), Some(ResultColumn::Number(0)));
    let histograms = table.histograms([0, 1, 4].iter());
    assert_eq!(histograms[0].0, "VGPRs");
    assert_eq!(histograms[0].1.ranges().collect::<Vec<_>>(), [(8, 1), (24, 1)]);
}

#[test]
fn a_result_table_sorts_with_empty_cells_last() {
    let table = table();
    let order = |title: &str, down| table.order(table.column(title).expect("a column"), down);
    assert_eq!(order("VGPRs", false), [1, 0, 3, 2, 4]);
    assert_eq!(order("VGPRs", true), [2, 0, 3, 1, 4]);
    assert_eq!(order("Failure", false), [4, 0, 1, 2, 3]);
    assert_eq!(order("Pipeline", true), [4, 3, 2, 1, 0]);
    assert_eq!(order("Kind", false), [0, 1, 2, 3, 4]);
}

#[test]
fn a_result_table_is_filtered_by_words_and_numbers() {
    let table = table();
    let rows = |text: &str, order: Option<&[u32]>| {
        let filter = RowFilter::parse(text, &table).unwrap_or_else(|error| panic!("{text}: {error}"));
        let mut out = Vec::new();
        table.filtered(&filter, order, |some| {
            out.extend(some);
            true
        });
        out
    };
    for (text, expected) in [
        ("", &[0, 1, 2, 3, 4][..]),
        ("LIT.FRAG", &[4]),
        ("compute a.foz", &[0, 1, 2, 3]),
        ("vgprs>=24", &[0, 2, 3]),
        ("VGPRs < 24", &[1]),
        ("compute & VGPRs != 24 & SGPRs=8", &[1, 2]),
        ("broken", &[4]),
        ("a.foz@2 broken", &[]),
    ] {
        assert_eq!(rows(text, None), expected, "{text}");
    }
    assert_eq!(rows("VGPRs>8", Some(&[2, 3, 1, 0, 4])), [2, 3, 0]);
    let wrong = |text: &str| RowFilter::parse(text, &table).map_err(|error| error.to_string());
    assert_eq!(wrong("Latency > 3"), Err("`Latency` is not a statistic of this result".to_owned()));
    assert_eq!(wrong("VGPRs > many"), Err("`many` is not a number".to_owned()));
    assert_eq!(wrong("Kind = 3"), Err("`Kind` is not a statistic of this result".to_owned()));
}

/// What is computed is beside the driver's executable of the stage.
#[test]
fn shaders_of_a_driver_have_what_is_computed() {
    let mut row = driven(0, "58dd", &[("VGPRs", 24)]);
    let mut executable = row.drivers[0].executables[0].clone();
    executable.name = "Fragment Shader".to_owned();
    row.drivers[0].executables.insert(0, executable);
    row.packing = Some(PackingRow {
        before: 5,
        after: 4,
        saved: 16,
        classes: [].into(),
        fallback: None,
        orders: [].into(),
        rewritten: None,
    });
    row.findings = [("P01".to_owned(), 2)].into();
    let shaders = row.shaders();
    let names: Vec<Vec<&str>> =
        shaders.iter().map(|shader| shader.values.iter().map(|(name, _)| *name).collect()).collect();
    let fragment = vec!["Original slots", "Slots", "Attribute bytes saved", "Findings", "VGPRs"];
    assert_eq!(names, [fragment, vec!["VGPRs"]]);
    assert_eq!(row.texts(&shaders[0], true)[3], "P01 ×2");
}
