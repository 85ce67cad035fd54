//! Entry points: every launch type, grids, strides, input modes, and numbers of records around every limit.

use lanescope_core::run::graph::{GraphMode, InputMode};

use super::common::{Sample, words};
use super::samples::MODES;

/// Threads of a dispatch whose records ask for grids, in groups of 2 x 3 x 4.
fn boxes(grids: &[[u32; 3]], times: u32) -> Vec<u32> {
    let mut out = vec![0; 1024];
    for [gx, gy, gz] in grids {
        for (z, y, x) in (0..4 * gz).flat_map(|z| (0..3 * gy).flat_map(move |y| (0..2 * gx).map(move |x| (z, y, x)))) {
            out[(z * 100 + y * 10 + x) as usize] += times;
        }
    }
    out
}

const BOX: &str = "scenarios/01_counter_box.dxil";

#[test]
fn boxes_are_counted_from_the_host() {
    for &mode in MODES {
        let sample = || Sample::of(BOX).mode(mode);
        let first = sample().strided("Box", "[1, 2, 2, 9, 9, 9]", Some(0), None).dispatches(3);
        assert_eq!(first.result(), boxes(&[[1, 2, 2]; 2], 3), "{mode}: every record is the first one");
        let padded = r#"{ "records": [ { "SV_DispatchGrid": [1, 2, 2] }, [2, 1, 1] ], "stride": 16 }"#;
        assert_eq!(sample().records("Box", padded).dispatches(3).result(), boxes(&[[1, 2, 2], [2, 1, 1]], 3));
        assert_eq!(sample().strided("Box", "[1, 2, 2]", Some(0), Some(0)).result(), boxes(&[], 0));
        assert_eq!(sample().strided("Box", "[1, 0, 2]", Some(0), Some(10)).result(), boxes(&[], 0));
    }
}

#[test]
fn boxes_are_counted_from_several_inputs() {
    let input = r#"{ "entry": "Box", "records": [[1, 2, 2], [2, 1, 1]] }"#;
    let text = format!(r#"{{ "inputs": [{input}, {input}, {input}] }}"#);
    for &mode in MODES {
        for from in [InputMode::MultiCpu, InputMode::MultiGpu] {
            let sample = Sample::of(BOX).mode(mode).from(from).records("Box", &text).dispatches(4);
            assert_eq!(sample.result(), boxes(&[[1, 2, 2], [2, 1, 1]], 12), "{mode}, {from}");
        }
    }
}

#[test]
fn boxes_are_counted_from_device_memory() {
    let three = [2, 1, 2, 2, 2, 2, 2, 2, 1];
    for &mode in MODES {
        let sample = || Sample::of(BOX).mode(mode).from(InputMode::Gpu).dispatches(4);
        for count in [1, 0, 3] {
            let sample = sample().strided("Box", "[2, 1, 2]", Some(0), Some(count));
            assert_eq!(sample.result(), boxes(&vec![[2, 1, 2]; count as usize], 4), "{mode}, {count} records");
        }
        assert_eq!(sample().words("Box", &three).result(), boxes(&[[2, 1, 2], [2, 2, 2], [2, 2, 1]], 4));
        let inputs: Vec<String> = [(1, 0), (0, 0), (3, 0), (3, 12)]
            .iter()
            .map(|(count, stride)| {
                format!(
                    r#"{{ "entry": "Box", "records": {}, "stride": {stride}, "count": {count} }}"#,
                    "[2,1,2,2,2,2,2,2,1]"
                )
            })
            .collect();
        let text = format!(r#"{{ "inputs": [{}] }}"#, inputs.join(", "));
        let multi = sample().from(InputMode::MultiGpu).records("Box", &text);
        let all = [[2, 1, 2], [2, 1, 2], [2, 1, 2], [2, 1, 2], [2, 1, 2], [2, 2, 2], [2, 2, 1]];
        assert_eq!(multi.result(), boxes(&all, 4), "{mode}");
    }
}

#[test]
fn grids_can_be_anywhere_in_a_record() {
    let both = |value: u32, x: u32, y: u32, z: u32| (value, [x, y, z]);
    let expected = |parts: &[(u32, [u32; 3])]| {
        let mut out = vec![0u32; 1024];
        for (value, grid) in parts {
            boxes(&[*grid], *value).iter().zip(&mut out).for_each(|(one, all)| *all += one);
        }
        out
    };
    for &mode in MODES {
        for (file, records, parts) in [
            ("11_fixed_grid", &[19, 800, 400, 90][..], [both(819, 3, 3, 2), both(458, 3, 3, 2)]),
            ("12_grid2_in_middle", &[19, 3, 2, 800, 400, 2, 1, 90], [both(819, 3, 2, 1), both(458, 2, 1, 1)]),
            ("13_grid1_in_middle", &[19, 3, 800, 400, 2, 90], [both(819, 3, 1, 1), both(458, 2, 1, 1)]),
            ("14_grid16_in_middle", &[19, 131075, 800, 400, 65538, 90], [both(819, 3, 2, 1), both(458, 2, 1, 1)]),
        ] {
            for from in [InputMode::Cpu, InputMode::Gpu] {
                let sample = Sample::of(&format!("scenarios/{file}.dxil")).words("Fill", records).mode(mode).from(from);
                assert_eq!(sample.result(), expected(&parts), "{file}, {mode}, {from}");
            }
        }
    }
}

#[test]
fn threads_and_groups_get_their_records() {
    let put: Vec<u32> = (0..256u32).flat_map(|i| [(i ^ 7) * 3, i ^ 0xabcd]).collect();
    let gather = [100, 50, 150, 40, 200, 79, 300, 40, 400, 30, 490, 20, 530, 10, 32, 32];
    for &mode in MODES {
        for from in [InputMode::Cpu, InputMode::Gpu] {
            let sample = Sample::of("scenarios/15_thread_entry.dxil").words("Put", &put).mode(mode).from(from);
            let mut expected = vec![0u32; 1024];
            put.chunks(2).for_each(|record| expected[record[0] as usize] = record[1] + 1);
            assert_eq!(sample.result(), expected, "{mode}, {from}");
            let sample =
                Sample::of("scenarios/16_coalescing_entry.dxil").words("Gather", &gather).mode(mode).from(from);
            let found = sample.buffer(0, 8192).result();
            let mut expected = vec![0u32; 2048];
            for record in gather.chunks(2) {
                (0..24).for_each(|t| expected[record[0] as usize + t] += record[1]);
            }
            (expected[1023], expected[1026], expected[1027]) = (8, 1, 2);
            assert_eq!(found, expected, "{mode}, {from}");
        }
    }
}

#[test]
fn groups_of_one_record_are_legal_too() {
    let gather = [100, 50, 150, 40, 200, 79, 300, 40, 400, 30, 490, 20, 530, 10, 32, 32];
    let mut sample = Sample::of("scenarios/16_coalescing_entry.dxil").words("Gather", &gather).buffer(0, 8192);
    sample.request.cut.coalesce = Some(1);
    let found = sample.result();
    assert_eq!((found[1023], found[1025], found[1026], found[1027]), (8, 8, 0, 0));
}

#[test]
fn every_number_of_records_runs_once() {
    for &mode in MODES {
        for count in [0u32, 1, 31, 32, 33, 32768, 32769] {
            let sum = count.wrapping_mul(3);
            for (entry, at, expected) in [
                ("CountThread", 0, [count, sum]),
                ("CountCoalescing", 2, [count, sum]),
                ("CountBroadcast", 4, [count * 2, sum * 2]),
                ("CountEmpty", 6, [count, 0]),
            ] {
                let sample = Sample::of("scenarios/45_entry_kinds.dxil").mode(mode);
                let sample = match entry {
                    "CountEmpty" => sample.count(entry, u64::from(count)),
                    _ => sample.strided(entry, "[3]", Some(0), Some(u64::from(count))),
                };
                let found = sample.result();
                assert_eq!(found[at..at + 2], expected, "{entry}, {count} records, {mode}");
                assert_eq!(
                    found.iter().filter(|word| **word != 0).count(),
                    expected.iter().filter(|w| **w != 0).count()
                );
            }
        }
    }
}

#[test]
fn rows_of_workgroups_join_without_a_gap() {
    for count in [40_000u32, (1 << 20) + 1] {
        let records: Vec<u32> = (0..count).flat_map(|cell| [cell, 0]).collect();
        for &mode in MODES {
            let mut sample = Sample::of("scenarios/15_thread_entry.dxil").words("Put", &records).mode(mode);
            sample.validate = false;
            let found = sample.buffer(0, u64::from(count) * 4).result();
            assert!(found.iter().all(|cell| *cell == 1), "{count} records, {mode}");
        }
    }
}

#[test]
fn grids_of_zero_run_nothing() {
    for &mode in MODES {
        let file = "scenarios/29_nothing_emitted.dxil";
        for (value, expected, records) in [(0, [1, 0, 0, 0], 0), (1, [1, 0, 0, 0], 1), (2, [1, 8, 8, 8], 1)] {
            let run = Sample::of(file).words("Maybe", &[value]).mode(mode).run();
            assert_eq!(words(&run, 0)[..4], expected, "mode {value}, {mode}");
            let plain = run.graph.named("Plain").expect("a node");
            let runs: Vec<_> = run.generations.iter().flat_map(|g| &g.nodes).filter(|n| n.node == plain).collect();
            assert_eq!(runs.iter().map(|n| n.count).sum::<u64>(), records);
            if mode == GraphMode::Step && value == 1 {
                assert_eq!(runs[0].launches, 0);
            }
        }
    }
}
