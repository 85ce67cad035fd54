//! The same work cut up in other ways gives the same records and the same results.

use lanescope_core::run::graph::{Cut, GraphMode, InputMode};

use crate::common::{Multisets, Sample, add, multisets, words};

const SAMPLES: &[&str] = &[
    "01_tile_classify",
    "02_quadtree_recursion",
    "03_coalescing_reduce",
    "04_broadcast_grids",
    "05_sparse_array",
    "06_cross_group_sharing",
    "07_wide_dag",
];

#[test]
fn batches_of_any_size_give_the_same_records() {
    for name in SAMPLES {
        let sample = Sample::of(&format!("{name}.dxil"));
        let whole = sample.run();
        for batch in [1, 7, 32] {
            let mut cut = sample.clone();
            cut.request.cut.batch = Some(batch);
            let run = cut.run();
            // How many groups there are is the one thing that changes: sample 3 counts them.
            let skip = |words: Vec<u32>| {
                if *name == "03_coalescing_reduce" { [&words[..2], &words[3..]].concat() } else { words }
            };
            assert_eq!(skip(words(&run, 0)), skip(words(&whole, 0)), "{name}, batches of {batch}");
            assert_eq!(multisets(&run), multisets(&whole), "{name}, batches of {batch}");
        }
    }
}

#[test]
fn a_width_of_its_own_gives_the_same_records() {
    // Sample 1 is another test's.
    for name in &SAMPLES[1..] {
        let sample = Sample::of(&format!("{name}.dxil"));
        let whole = sample.run();
        for width in [1, 2, 1024] {
            let mut cut = sample.clone();
            cut.request.cut.width = Some(width);
            let run = cut.run();
            assert_eq!(words(&run, 0), words(&whole, 0), "{name}, {width} workgroups a record");
            assert_eq!(multisets(&run), multisets(&whole), "{name}, {width} workgroups a record");
        }
    }
}

/// The records of every generation behind the first, from free runs that each end one generation later.
fn of_free_runs(sample: &Sample) -> Multisets {
    let mut out = Multisets::new();
    for until in 0.. {
        let run = sample.clone().mode(GraphMode::Free).until(until).run();
        if run.pending.is_empty() {
            break;
        }
        run.pending.iter().for_each(|node| add(&mut out, &run, until + 1, node));
    }
    out.values_mut().for_each(|records| records.sort());
    out
}

#[test]
fn a_free_run_has_the_records_of_stepping() {
    let plan = [2, 0, 1, 1, 1, 2, 1, 1, 3, 2, 3, 0, 3, 5, 3, 1, 1, 3, 4, 4];
    let mut all: Vec<Sample> = SAMPLES.iter().map(|name| Sample::of(&format!("{name}.dxil"))).collect();
    for name in
        ["17_two_level_outputs", "18_two_level_array", "19_two_level_threads_shared", "20_two_level_threads_array"]
    {
        all.push(Sample::of(&format!("scenarios/{name}.dxil")).words("Plan", &plan).from(InputMode::Gpu));
    }
    for name in ["21_empty_records", "22_recursion", "23_tracked_sharing", "24_share_input", "32_fresh_and_recursive"] {
        all.push(Sample::of(&format!("scenarios/{name}.dxil")));
    }
    for sample in all {
        let mut stepped = multisets(&sample.run());
        stepped.retain(|(generation, ..), _| *generation > 0);
        assert_eq!(of_free_runs(&sample), stepped, "{:?}", sample.request.inputs[0].entry);
    }
}

#[test]
fn runs_repeat_record_by_record() {
    for name in ["01_tile_classify", "07_wide_dag"] {
        let sample = Sample::of(&format!("{name}.dxil"));
        let first = multisets(&sample.run());
        for _ in 0..19 {
            assert_eq!(multisets(&sample.run()), first, "{name}");
        }
    }
}

#[test]
fn one_records_grid_in_parts_loses_no_group() {
    // The entry's record may write more than the ring takes at once: its grid is dispatched in parts, group by group.
    let run = Sample::of("01_tile_classify.dxil").ring(4096).run();
    let batches = &run.generations[0].nodes[0].batches;
    assert!(batches.len() > 1 && batches.iter().all(|batch| batch.which == [[0, 1]]), "{batches:?}");
    let whole = Sample::of("01_tile_classify.dxil").run();
    assert_eq!((multisets(&run), words(&run, 0)), (multisets(&whole), words(&whole, 0)));
}

#[test]
fn what_goes_in_is_the_bytes_of_the_records() {
    for mode in [GraphMode::Step, GraphMode::Free] {
        let run = Sample::of("01_tile_classify.dxil").mode(mode).run();
        // One empty record, then 128 of 8 bytes.
        let bytes: Vec<_> = run.generations.iter().map(|generation| generation.ring.input).collect();
        assert_eq!(bytes.get(..2), Some(&[0, 128 * 8][..]), "{mode}");
    }
    // A grid that is cut into parts has its record once.
    let run = Sample::of("01_tile_classify.dxil").ring(4096).run();
    assert_eq!(run.generations[1].ring.input, 128 * 8);
}

#[test]
fn a_width_of_one_group_each_is_what_is_chosen() {
    // A loop over groups of 4 threads that allocate for targets of their own leaves after its first pass on some
    // software devices. What is chosen by itself has one pass; a width that is asked for may lose groups.
    let run = Sample::of("01_tile_classify.dxil").run();
    assert_eq!(run.generations[0].nodes[0].batches[0].dispatches, [[1, 1, 8]]);
    assert_eq!(run.generations[1].nodes.iter().map(|node| node.count).sum::<u64>(), 128);
    for width in [1, 2, 8] {
        let mut sample = Sample::of("01_tile_classify.dxil");
        sample.request.cut = Cut { width: Some(width), ..Cut::default() };
        let run = sample.run();
        let records: u64 = run.generations[1].nodes.iter().map(|node| node.count).sum();
        assert!(records <= 128 && records.is_multiple_of(16), "{width}: {records}");
        assert!(width < 8 || records == 128);
    }
}
