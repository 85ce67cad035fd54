use std::collections::BTreeSet;

use super::*;
use lanescope_driver::{Value, Version};

/// A compute pipeline with one executable of a driver.
fn driven(number: u64, pipeline: &str, statistics: &[(&str, u64)]) -> Row {
    let statistics = statistics.iter().map(|(name, value)| ((*name).to_owned(), Value::whole(name, *value)));
    let executable =
        ExecutableRow { name: "Compute Shader".to_owned(), subgroup_size: 64, statistics: Named(statistics.collect()) };
    let driver = DriverRow {
        driver: "radv".to_owned(),
        executables: vec![executable],
        ..DriverRow::new("gfx1030".to_owned(), Version::Original)
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
    let (_, total) = comparison.totals_of("VGPRs").next().expect("compared");
    assert_eq!((total.helped, total.hurt, total.affected()), (2, 1, 3));
    let names = |list: &[Difference]| list.iter().map(|one| one.pipeline.clone()).collect::<Vec<_>>();
    assert_eq!(names(&total.decreases), ["a.foz@3", "a.foz@1"]);
    assert_eq!(names(&total.increases), ["a.foz@2"]);
    assert!("VGPRs<-5%".parse::<Threshold>().expect("parses").is_met(total));
}

/// Place, driver and statistics.
type Compiler<'a> = (&'a str, &'a str, &'a [(&'a str, u64)]);

/// A row of one executable of each of these compilers.
fn by_compilers(number: u64, all: &[Compiler<'_>]) -> Row {
    let row = driven(number, &number.to_string(), &[]);
    let drivers = all.iter().map(|(place, driver, statistics)| {
        let own = driven(number, "", statistics).drivers.remove(0);
        DriverRow { place: (*place).to_owned(), driver: (*driver).to_owned(), ..own }
    });
    Row { drivers: drivers.collect(), ..row }
}

const INTEL: &str = "Intel open-source Mesa driver Mesa 22.3.6";

#[test]
fn statistics_of_two_compilers_are_not_added_up() {
    let side = |amd: u64, intel: u64| {
        let amd = [("Instructions", amd), ("VGPRs", 8)];
        by_compilers(0, &[("gfx1030", "radv Mesa 22.3.6", &amd), ("tgl", INTEL, &[("Instructions", intel)])])
    };
    let mut comparison = Comparison::default();
    comparison.add_before(side(10, 100));
    comparison.add_after(side(12, 90));
    let totals: Vec<_> = comparison.totals().map(|(title, total)| (title, total.before, total.after)).collect();
    let expected =
        [("gfx1030: Instructions", 10.0, 12.0), ("gfx1030: VGPRs", 8.0, 8.0), ("tgl: Instructions", 100.0, 90.0)];
    assert_eq!(totals, expected.map(|(title, before, after)| (title.to_owned(), before, after)));
    let named: Vec<String> = comparison.totals_of("Instructions").map(|(title, _)| title).collect();
    assert_eq!(named, ["gfx1030: Instructions", "tgl: Instructions"]);
    assert_eq!(comparison.totals_of("tgl: Instructions").count(), 1);
    let titles: Vec<String> = comparison.extremes().into_iter().map(|table| table.title).collect();
    assert_eq!(titles, ["Worst gfx1030: Instructions", "Best tgl: Instructions"]);
}

#[test]
fn two_drivers_of_one_chip_have_sums_of_their_own() {
    let row = || {
        let one = ("gfx1030", "radv Mesa 22.3.6", [("VGPRs", 8)].as_slice());
        by_compilers(0, &[one, ("gfx1030", "radv Mesa 25.0.7", &[("VGPRs", 16)])])
    };
    let mut comparison = Comparison::default();
    comparison.add_before(row());
    comparison.add_after(row());
    let totals: Vec<_> = comparison.totals().map(|(title, total)| (title, total.after)).collect();
    assert_eq!(totals, [("gfx1030 [1]: VGPRs".to_owned(), 8.0), ("gfx1030 [2]: VGPRs".to_owned(), 16.0)]);
    let mut summary = Summary::default();
    summary.add(&row());
    assert_eq!(summary.histograms().count(), 2);
}

#[test]
fn compilers_of_two_vendors_are_not_compared() {
    let mut comparison = Comparison::default();
    comparison.add_before(by_compilers(0, &[("gfx1030", "radv Mesa 22.3.6", &[("Code size", 10)])]));
    comparison.add_after(by_compilers(0, &[("adreno750", "turnip Mesa driver", &[("Code size", 7)])]));
    assert_eq!((comparison.totals().count(), comparison.other_vendor), (0, 1));
    assert!(comparison.lines().iter().any(|line| line.contains("another vendor")), "{:?}", comparison.lines());
    // Another chip of the same vendor is.
    let mut comparison = Comparison::default();
    comparison.add_before(by_compilers(0, &[("gfx1030", "radv Mesa 22.3.6", &[("Code size", 10)])]));
    comparison.add_after(by_compilers(0, &[("gfx1100", "radv Mesa 22.3.6", &[("Code size", 7)])]));
    assert_eq!((comparison.totals().count(), comparison.other_vendor), (1, 0));
}

#[test]
fn sums_by_compiler_name_each_drivers_own_statistic() {
    let slots = |read| Some(SlotsRow { read: Some(read), exported: None, scalars: 7, unattributed: 1 });
    let mut summary = Summary::default();
    for number in 0..2 {
        let amd = [("Instructions", 10), ("VGPRs", 8)];
        let all = [("gfx1030", "radv Mesa 22.3.6", amd.as_slice()), ("tgl", INTEL, &[("Instruction Count", 100)])];
        let mut row = by_compilers(number, &all);
        row.drivers[0].slots = slots(3);
        summary.add(&row);
    }
    let table = summary.tables().into_iter().find(|table| table.title == "By compiler").expect("two compilers");
    let expected = "\
Total,gfx1030,tgl\r\n\
Pipelines,2,2\r\n\
Slots read,6,\r\n\
Unattributed scalars,2,\r\n\
Varying scalars,14,\r\n\
instructions,20 (Instructions),200 (Instruction Count)\r\n\
registers,16 (VGPRs),\r\n";
    assert_eq!(table.to_csv(), expected);
    let histograms = summary.histograms_by_name();
    let slots = histograms.iter().find(|(name, _)| *name == "Slots read").expect("measured");
    assert_eq!(slots.1.iter().map(|(place, _)| *place).collect::<Vec<_>>(), ["gfx1030"]);
    // One compiler, or RADV alone, has its statistics only.
    let mut alone = Summary::default();
    alone.add(&by_compilers(0, &[("tgl", INTEL, &[("Instruction Count", 100)])]));
    assert!(alone.tables().iter().all(|table| table.title != "By compiler"));
}

#[test]
fn slots_are_with_the_fragment_shader_in_csv() {
    let mut row = driven(0, "58dd", &[("VGPRs", 24)]);
    let fragment = ExecutableRow { name: "Fragment Shader".to_owned(), ..row.drivers[0].executables[0].clone() };
    row.drivers[0].executables.push(fragment);
    row.drivers[0].slots = Some(SlotsRow { read: None, exported: Some(4), scalars: 9, unattributed: 0 });
    let mut columns = Columns::default();
    columns.add(&row);
    assert!(
        columns.header().ends_with("Slots exported,Varying scalars,Unattributed scalars,VGPRs\n"),
        "{}",
        columns.header()
    );
    let lines = columns.lines(&row);
    assert!(
        lines.contains("Compute Shader,64,,,,,24\n") && lines.contains("Fragment Shader,64,,4,9,0,24\n"),
        "{lines}"
    );
    assert_eq!(serde_json::from_str::<Row>(&serde_json::to_string(&row).expect("plain data")).expect("reads"), row);
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
    let totals: Vec<_> = comparison.totals_of("VGPRs").map(|(_, total)| (total.before, total.after)).collect();
    assert_eq!(totals, [(10.0, 10.0)]);
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
    let (_, total) = comparison.totals_of("VGPRs").next().expect("compared");
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
