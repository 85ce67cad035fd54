//! Every rule at its limit and one step beyond, on graphs built here.

use super::*;
use crate::findings;

fn only(nodes: Vec<Node>, expected: &[&str]) {
    assert_eq!(found(nodes), expected);
}

/// Nodes in a row, the first one an entry.
fn chain(count: usize) -> Vec<Node> {
    let name = |at: usize| format!("N{at}");
    (0..count)
        .map(|at| {
            let node = if at == 0 { entry(&name(0)) } else { node(&name(at), 0) };
            if at + 1 < count { node.with([to(&name(at + 1), 0)]) } else { node }
        })
        .collect()
}

#[test]
fn g01_slots() {
    let graph = |index| vec![entry("A").with([to("B", index)]), node("B", index)];
    only(graph(0xff_fffd), &[]);
    only(
        graph(0xff_fffe),
        &["G01 graph uses 16777216 node IDs, limit 16777215 (gaps in arrays and recursion levels count)"],
    );
}

#[test]
fn g02_depth() {
    only(chain(32), &[]);
    let found = found(chain(33));
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("G02 chain of 33 nodes, limit 32: N0 -> N1 -> ") && found[0].ends_with("-> N32"));
}

#[test]
fn g03_g04_g05_recursion() {
    let with = |recursion, own: &str| {
        vec![entry("A").with([to("R", 0)]), Node { recursion, ..node("R", 0).with([to(own, 0)]) }, node("Leaf", 0)]
    };
    let codes = |nodes| found(nodes).into_iter().map(|f| f[..3].to_owned()).collect::<Vec<_>>();
    assert_eq!(codes(with(31, "R")), ["G02", "G35"], "1 + 32 runs");
    assert_eq!(codes(with(30, "R")), ["G35", "G46"]);
    assert!(found(with(33, "R")).contains(&"G03 R: recursion depth 33, limit 32".to_owned()));
    assert!(!found(with(32, "R")).iter().any(|f| f.starts_with("G03")));
    assert_eq!(found(with(0, "R"))[0], "G04 R: output #0 targets its own node ID but NodeMaxRecursionDepth is 0");
    only(with(4, "Leaf"), &["G05 R: NodeMaxRecursionDepth 4 has no effect, no output targets R[0]"]);
}

#[test]
fn g06_g07_cycles() {
    let ring = vec![entry("A").with([to("B", 0)]), node("B", 0).with([to("C", 0)]), node("C", 0).with([to("B", 0)])];
    only(ring, &["G06 cycle: B -> C -> B; only self recursion is allowed"]);
    let siblings = vec![entry("A").with([to("S", 0)]), node("S", 0).with([to("S", 1)]), node("S", 1)];
    only(siblings, &["G07 S: output #0 reaches S[1], another node of its own array"]);
}

#[test]
fn g08_same_id() {
    let second = Node { name: "Second".to_owned(), ..node("Twin", 0) };
    let first = Node { name: "First".to_owned(), ..node("Twin", 0) };
    let found = found(vec![entry("A").with([to("Twin", 0)]), first, second]);
    assert_eq!(found[0], "G08 Twin[0] is defined by First and Second");
}

#[test]
fn g09_g10_g36_targets() {
    let array = |size, sparse| NodeOutput { array: Some(size), sparse, ..to("B", 0) };
    let with = |output| vec![entry("A").with([output]), node("B", 1)];
    let end = "which does not exist; add AllowSparseNodes or the node";
    only(with(to("B", 1)), &[]);
    only(vec![entry("A").with([to("Nowhere", 4)])], &[&format!("G09 A: output #0 targets Nowhere[4], {end}")]);
    only(with(array(2, false)), &[&format!("G09 A: output #0 targets B[0], {end}")]);
    let many =
        "G09 A: output #0 targets B[0] and 2 more, up to B[3], which do not exist; add AllowSparseNodes or the node";
    only(with(array(4, false)), &[many]);
    only(with(array(4, true)), &[]);
    let lax = Overrides { allow_missing: true, ..Overrides::default() };
    assert_eq!(check(&link(with(array(4, false)), GraphSource::Dxil, &lax)), []);
    let alone = NodeOutput { sparse: true, ..to("C", 0) };
    only(vec![entry("A").with([alone])], &["G10 A: output #0: no node named C in range; IsValid() is always false"]);
    only(with(array(UNBOUNDED, true)), &[]);
    assert!(found(with(array(UNBOUNDED, false))).contains(&"G36 A.#0: unbounded array must be sparse".to_owned()));
}

#[test]
fn g11_arrays_are_alike() {
    let with = |a: Node, b: Node| {
        let array = NodeOutput { array: Some(2), ..to("M", 0) };
        found(vec![entry("A").with([array]), a, b])
    };
    let plain = |index| node("M", index);
    let writes =
        |node: Node| Node { inputs: vec![NodeInput { access: Access::ReadWrite, ..input(Some(record(1))) }], ..node };
    let dynamic = |node: Node| {
        let grid = GridField { offset: 0, scalar: Scalar::WORD, components: 1 };
        let record = RecordType { grid: Some(grid), ..record(1) };
        Node { grid: None, max_grid: Some([4, 1, 1]), inputs: vec![input(Some(record))], ..node.broadcasting([1; 3]) }
    };
    let says = |what: &str| vec![format!("G11 M[0] and M[1] differ in {what}")];
    assert_eq!(with(plain(0), plain(1)), Vec::<String>::new());
    assert_eq!(with(plain(0), plain(1).broadcasting([1; 3])), says("launch type"));
    assert_eq!(with(plain(0), writes(plain(1))), says("access"));
    let mixed = with(plain(0).broadcasting([1; 3]), dynamic(plain(1)));
    assert_eq!(mixed, ["G52 M[0] and M[1] differ in grid kind"]);
    let wide = Node { inputs: vec![input(Some(record(2)))], ..plain(1) };
    assert!(with(plain(0), wide).contains(&says("record size")[0]));
}

#[test]
fn g12_g13_g14_records_agree() {
    let with = |written: Option<RecordType>, read: Option<RecordType>| {
        let output = NodeOutput { record: written, ..to("B", 0) };
        found(vec![entry("A").with([output]), Node { inputs: vec![input(read)], ..node("B", 0) }])
    };
    let tracked = |words| RecordType { tracked: true, ..record(words) };
    assert_eq!(with(Some(record(3)), Some(record(5))), ["G12 A.#0 writes 12-byte records, B[0] reads 20 bytes"]);
    let reserve = "G13 B[0] tracks cross-group sharing but producer A.#0 does not reserve the counter";
    assert_eq!(with(Some(record(2)), Some(tracked(1))), [reserve], "the counter makes up for the size");
    assert_eq!(
        with(Some(tracked(1)), Some(record(2))),
        ["G13 B[0] does not track cross-group sharing but producer A.#0 reserves the counter"]
    );
    assert_eq!(with(Some(tracked(1)), Some(tracked(1))), Vec::<String>::new());
    assert_eq!(with(None, Some(record(1))), ["G14 A.#0 is empty, B[0] expects 4-byte records"]);
    assert_eq!(with(Some(record(1)), None), ["G14 A.#0 writes 4-byte records, B[0] takes empty records"]);
    let wide = RecordType { align: 8, ..tracked(2) };
    let warned = with(Some(wide.clone()), Some(wide));
    assert_eq!(
        warned,
        ["G47 B[0]: tracked record with 64-bit members, allocations of more than one record are misaligned"]
    );
}

#[test]
fn g15_g16_counts() {
    let two = Node { inputs: vec![input(Some(record(1))), input(None)], ..node("B", 0) };
    only(vec![entry("A").with([to("B", 0)]), two], &["G15 B: 2 node inputs, limit 1"]);
    let many = |count| {
        let outputs = (0..count).map(|_| NodeOutput { record: None, max_records: 0, ..to("B", 0) });
        found(vec![entry("A").with(outputs), Node { inputs: vec![input(None)], ..node("B", 0) }])
    };
    assert_eq!(many(1024), Vec::<String>::new());
    assert_eq!(many(1025), ["G16 A: 1025 outputs, limit 1024"]);
}

#[test]
fn g17_to_g20_what_a_group_writes() {
    let with = |words, most, groupshared_bytes| {
        let output = NodeOutput { record: Some(record(words)), max_records: most, ..to("B", 0) };
        let a = entry("A").broadcasting([1; 3]).with([output]);
        found(vec![Node { groupshared_bytes, ..a }, Node { inputs: vec![input(Some(record(words)))], ..node("B", 0) }])
    };
    assert_eq!(with(1, 256, 0), Vec::<String>::new());
    assert_eq!(with(1, 257, 0), ["G17 A: up to 257 output records per group, limit 256"]);
    assert_eq!(with(32, 256, 14336), Vec::<String>::new());
    assert_eq!(
        with(32, 256, 14340),
        ["G19 A: output 32768 + groupshared 14340 + 8 x 256 records = 49156, limit 49152"]
    );
    assert_eq!(with(33, 256, 0), ["G18 A: up to 33792 output bytes per group, limit 32768"]);
    assert_eq!(with(1, 1, 32768), Vec::<String>::new());
    assert_eq!(with(1, 1, 32772), ["G20 A: groupshared 32772 bytes, limit 32768"]);
    // The counters of tracked records come out of the same room.
    let tracked = |bytes: u32, most| {
        let record = RecordType { tracked: true, ..record(bytes / 4) };
        let output = NodeOutput { record: Some(record.clone()), max_records: most, ..to("B", 0) };
        found(vec![
            entry("A").broadcasting([1; 3]).with([output]),
            Node { inputs: vec![input(Some(record))], ..node("B", 0) },
        ])
    };
    assert_eq!(tracked(8188, 4), Vec::<String>::new());
    assert_eq!(tracked(8192, 4), ["G18 A: up to 32768 output bytes per group, limit 32752"]);
    // What sharers read counts once for each reader.
    let tap = |at: usize| Node { shares_input_of: Some(NodeId::new("B", 0)), ..node(&format!("T{at}"), 0) };
    let output = NodeOutput { max_records: 100, ..to("B", 0) };
    let nodes = vec![entry("A").broadcasting([1; 3]).with([output]), node("B", 0), tap(0), tap(1)];
    assert_eq!(found(nodes), ["G17 A: up to 300 output records per group, limit 256"]);
}

#[test]
fn g21_g22_g23_what_a_thread_writes() {
    let with = |words, most| {
        let output = NodeOutput { record: Some(record(words)), max_records: most, ..to("B", 0) };
        found(vec![entry("A").with([output]), Node { inputs: vec![input(Some(record(words)))], ..node("B", 0) }])
    };
    assert_eq!(with(4, 8), Vec::<String>::new());
    assert_eq!(with(1, 9), ["G21 A: thread node may output 9 records, limit 8"]);
    assert_eq!(with(33, 1), ["G22 A: thread node may output 132 bytes, limit 128"]);
    assert!(with(8193, 1).contains(&"G23 B[0]: record of 32772 bytes fed by A, limit 32768".to_owned()));
    // The host may start a node with any record.
    only(vec![Node { inputs: vec![input(Some(record(9000)))], ..entry("A") }], &[]);
}

#[test]
fn g24_to_g29_launch() {
    let alone = |node: Node| found(vec![Node { entry: true, inputs: vec![input(None)], ..node }]);
    let sized = |launch, threads| {
        alone(Node { launch, threads, grid: (launch == Launch::Broadcasting).then_some([1; 3]), ..node("A", 0) })
    };
    assert_eq!(sized(Launch::Broadcasting, [1024, 1, 1]), Vec::<String>::new());
    assert_eq!(sized(Launch::Broadcasting, [1024, 2, 1]), ["G24 A: group size 1024x2x1 not allowed for broadcasting"]);
    assert_eq!(sized(Launch::Coalescing, [0, 1, 1]), ["G24 A: group size 0x1x1 not allowed for coalescing"]);
    assert_eq!(sized(Launch::Thread, [2, 1, 1]), ["G24 A: group size 2x1x1 not allowed for thread"]);
    let exceeds = |grid: &str| vec![format!("G25 A: grid {grid} exceeds 65535 per axis or 2^24-1 in total")];
    assert_eq!(alone(node("A", 0).broadcasting([65535, 1, 1])), Vec::<String>::new());
    assert_eq!(alone(node("A", 0).broadcasting([65536, 1, 1])), exceeds("65536x1x1"));
    assert_eq!(alone(node("A", 0).broadcasting([65535, 257, 1])), exceeds("65535x257x1"));
    assert_eq!(alone(node("A", 0).broadcasting([4095, 4097, 1])), Vec::<String>::new());
    assert_eq!(alone(node("A", 0).broadcasting([4096, 4096, 1])), exceeds("4096x4096x1"));
    assert_eq!(alone(node("A", 0).broadcasting([1, 0, 1])), ["G25 A: grid 1x0x1 is empty"]);
    let both = Node { max_grid: Some([1; 3]), ..node("A", 0).broadcasting([1; 3]) };
    assert_eq!(alone(both), ["G26 A: needs NodeDispatchGrid or NodeMaxDispatchGrid, not both"]);
    let neither = Node { grid: None, ..node("A", 0).broadcasting([1; 3]) };
    assert_eq!(alone(neither), ["G26 A: needs NodeDispatchGrid or NodeMaxDispatchGrid, has neither"]);
    let without = Node { grid: None, max_grid: Some([1; 3]), ..node("A", 0).broadcasting([1; 3]) };
    assert_eq!(alone(without), ["G27 A: NodeMaxDispatchGrid without SV_DispatchGrid in the input record"]);
    let grid = GridField { offset: 0, scalar: Scalar::WORD, components: 1 };
    let plain = Node {
        inputs: vec![input(Some(RecordType { grid: Some(grid), ..record(1) }))],
        entry: true,
        ..node("A", 0).broadcasting([1; 3])
    };
    only(vec![plain], &["G28 A: SV_DispatchGrid is plain data here, the grid is fixed"]);
    let elsewhere = Node { grid: Some([1; 3]), max_grid: Some([1; 3]), ..node("A", 0) };
    assert_eq!(
        alone(elsewhere),
        ["NodeDispatchGrid", "NodeMaxDispatchGrid"]
            .map(|is| format!("G29 A: {is} only applies to broadcasting launch"))
    );
}

#[test]
fn g30_budgets() {
    let with = |shared: [Option<u32>; 3]| {
        let outputs = shared.map(|shares_budget_of| NodeOutput { shares_budget_of, ..to("B", 0) });
        found(vec![entry("A").with(outputs), node("B", 0)])
    };
    assert_eq!(with([None, Some(0), None]), Vec::<String>::new());
    assert_eq!(with([None, Some(0), Some(1)]), ["G30 A.#2: shares the budget of #1, which has none"]);
    assert_eq!(with([None, Some(2), None]), ["G30 A.#1: shares the budget of #2, which comes later"]);
    assert_eq!(with([None, Some(1), None]), ["G30 A.#1: shares the budget of #1, which is itself"]);
    assert_eq!(with([None, Some(7), None]), ["G30 A.#1: shares the budget of #7, which does not exist"]);
}

#[test]
fn g31_g32_g33_shared_inputs() {
    let owner = NodeId::new("Owner", 0);
    let with = |own: Node, tap: Node, more: Vec<Node>| {
        let tap = Node { shares_input_of: Some(owner.clone()), ..tap };
        found([vec![entry("A").with([to("Owner", 0)]), own, tap], more].concat())
    };
    let (own, tap) = (|| node("Owner", 0), || node("Tap", 0));
    let is = |why: &str| format!("G31 Tap: shares the input of Owner[0] but is itself {why}");
    let cannot = |why: &str| format!("G32 Tap: cannot share the input of Owner[0]: {why}");
    assert_eq!(with(own(), tap(), vec![]), Vec::<String>::new());
    assert!(with(own(), Node { recursion: 2, ..tap() }, vec![]).contains(&is("recursive")));
    assert_eq!(with(own(), Node { entry: true, ..tap() }, vec![]), [is("an entry")]);
    assert_eq!(with(own(), tap(), vec![entry("M").with([to("Tap", 0)])]), [is("targeted by M")]);
    let again = Node { recursion: 2, ..own().with([to("Owner", 0)]) };
    assert_eq!(with(again, tap(), vec![]), [cannot("Owner is recursive")]);
    assert_eq!(with(Node { entry: true, ..own() }, tap(), vec![]), [cannot("Owner is both fed by nodes and an entry")]);
    let writes = || vec![NodeInput { access: Access::ReadWrite, ..input(Some(record(1))) }];
    assert_eq!(with(Node { inputs: writes(), ..own() }, tap(), vec![]), [cannot("the input is writable")]);
    assert_eq!(with(own(), Node { inputs: writes(), ..tap() }, vec![]), [cannot("the input is writable")]);
    let lost = Node { shares_input_of: Some(NodeId::new("Gone", 0)), ..tap() };
    only(vec![lost], &["G32 Tap: cannot share the input of Gone[0]: the node does not exist"]);
    let chain = Node { shares_input_of: Some(NodeId::new("Tap", 0)), ..node("Tap2", 0) };
    assert_eq!(
        with(own(), tap(), vec![chain]),
        ["G32 Tap2: cannot share the input of Tap[0]: Tap itself shares an input"]
    );
    let taps = |count: usize| {
        let taps = (0..count).map(|at| Node { shares_input_of: Some(owner.clone()), ..node(&format!("T{at}"), 0) });
        found([vec![entry("A").with([to("Owner", 0)]), own()], taps.collect()].concat())
    };
    assert_eq!(taps(256), Vec::<String>::new());
    assert_eq!(taps(257), ["G33 Owner[0]: input shared by 257 nodes, limit 256"]);
}

#[test]
fn g34_finished() {
    let with = |tracked, access, entry_too| {
        let input = NodeInput { access, ..input(Some(RecordType { tracked, ..record(1) })) };
        let b =
            Node { finishes_sharing: true, entry: entry_too, inputs: vec![input], ..node("B", 0).broadcasting([1; 3]) };
        let output = NodeOutput { record: Some(RecordType { tracked, ..record(1) }), ..to("B", 0) };
        found(vec![entry("A").with([output]), b])
    };
    assert_eq!(with(true, Access::ReadWrite, false), Vec::<String>::new());
    assert_eq!(with(true, Access::ReadWrite, true), ["G34 B: FinishedCrossGroupSharing on an entry node"]);
    assert_eq!(with(false, Access::ReadWrite, false), ["G34 B: FinishedCrossGroupSharing on an untracked record"]);
    assert_eq!(with(true, Access::Read, false), ["G34 B: FinishedCrossGroupSharing on an untracked record"]);
}

#[test]
fn g35_unreached() {
    let nodes = || vec![entry("A"), node("Idle", 0)];
    only(nodes(), &["G35 Idle: promoted to entry point"]);
    let strict = Overrides { include_all: false, ..Overrides::default() };
    let graph = link(nodes(), GraphSource::Dxil, &strict);
    let messages: Vec<_> = check(&graph).into_iter().map(|finding| finding.message).collect();
    assert_eq!((messages, graph.nodes[1].starts()), (vec!["Idle: nothing reaches this node".to_owned()], false));
    // A node that only feeds itself starts nowhere else.
    let own = Node { recursion: 1, ..node("Own", 0).with([to("Own", 0)]) };
    only(vec![own], &["G35 Own: promoted to entry point"]);
}

#[test]
fn g37_root_tables() {
    let with = |signature: u8| Node {
        local_root_table: Some(3),
        local_root_signature: Some(vec![signature]),
        ..entry(&format!("N{signature}"))
    };
    only(vec![with(1), Node { id: NodeId::new("Other", 0), ..with(1) }], &[]);
    only(vec![with(1), with(2)], &["G37 N1 and N2 use table entry 3 with different local root signatures"]);
}

#[test]
fn violations_found_only_in_runs() {
    let grid = GridField { offset: 4, scalar: Scalar { bits: 16, ..Scalar::WORD }, components: 2 };
    let asks = RecordType { grid: Some(grid), align: 4, ..record(3) };
    assert_eq!(asks.grid_of(&[0, 0, 0, 0, 9, 0, 2, 1, 0, 0, 0, 0]), Some([9, 258, 1]));
    assert_eq!(asks.grid_of(&[0; 5]), None);
    let b = Node {
        grid: None,
        max_grid: Some([8, 1, 1]),
        inputs: vec![input(Some(asks))],
        ..node("B", 2).broadcasting([1; 3])
    };
    let graph = linked(vec![entry("A").with([NodeOutput { record: Some(record(3)), ..to("B", 2) }]), b]);
    let run = Launched { graph: &graph };
    let text = |finding: Option<Finding>| finding.map(|f| format!("{} {}", f.code, f.message));
    assert_eq!((text(run.stride(1, 0)), text(run.stride(1, 16))), (None, None));
    assert_eq!(text(run.stride(1, 8)).as_deref(), Some("G38 entry B (B[2]): stride 8 invalid for 12-byte records"));
    assert!(text(run.stride(1, 14)).is_some());
    assert_eq!(
        text(run.address(0, 12)).as_deref(),
        Some("G38 entry A: input at address 0xc, expected a multiple of 8")
    );
    assert_eq!(
        (text(run.entry_index(0)), text(run.entry_index(5)).as_deref()),
        (None, Some("G39 entry index 5, graph has 1"))
    );
    assert_eq!(text(run.grid(1, 7, [8, 1, 1])), None);
    assert_eq!(
        text(run.grid(1, 7, [9, 1, 1])).as_deref(),
        Some("G40 B[2] record #7: grid 9,1,1 exceeds declared 8,1,1")
    );
    assert_eq!(text(run.written(0, 0, 4, 4)), None);
    assert_eq!(text(run.written(0, 0, 4, 5)).as_deref(), Some("G41 A 4 launches: 5 records on #0, declared 1 each"));
    let gone = NodeId::new("Gone", 3);
    assert_eq!(text(Some(run.dropped(0, 5, &gone))).as_deref(), Some("G42 A: 5 records sent to absent node Gone[3]"));
    let deep = "G43 A: 9 records sent to itself with no recursion level left";
    assert_eq!(text(Some(run.too_deep(0, 9))).as_deref(), Some(deep));
    assert_eq!(
        (text(run.generation(32)), text(run.generation(33)).as_deref()),
        (None, Some("G44 generation 33 still has records, limit 32"))
    );
    let unfinished = "G49 B[2] record #1: 3 of 8 groups did not call FinishedCrossGroupSharing";
    assert_eq!(
        (text(run.unfinished(1, 1, 3, 8)).as_deref(), text(run.unfinished(1, 1, 8, 8))),
        (Some(unfinished), None)
    );
}

/// The rules that are met here, each with its message.
const MET: [&str; 50] = [
    "G01", "G02", "G03", "G04", "G05", "G06", "G07", "G08", "G09", "G10", "G11", "G12", "G13", "G14", "G15", "G16",
    "G17", "G18", "G19", "G20", "G21", "G22", "G23", "G24", "G25", "G26", "G27", "G28", "G29", "G30", "G31", "G32",
    "G33", "G34", "G35", "G36", "G37", "G38", "G39", "G40", "G41", "G42", "G43", "G44", "G45", "G46", "G47", "G48",
    "G49", "G52",
];

#[test]
fn every_rule_is_reported_with_its_message() {
    let tested = [include_str!("rules.rs"), include_str!("mod.rs"), include_str!("bad.rs")].concat();
    for code in MET {
        assert!(findings::rule(code).is_some(), "{code}");
        // Beside its row above.
        assert!(tested.matches(code).count() > 1 || code == "G45", "{code}");
    }
    // Some are met where graphs are run, or grow.
    let elsewhere = ["G50", "G51", "G53", "G54", "G55", "G56", "G57"];
    for rule in findings::rules().filter(|rule| rule.code.starts_with('G') && !elsewhere.contains(&rule.code)) {
        assert!(MET.contains(&rule.code), "{} {}", rule.code, rule.about);
    }
}
