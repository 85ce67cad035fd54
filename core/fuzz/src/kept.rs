//! Files that the program writes and reads back: reports, saved runs, the map of a half, the window's session.

use std::sync::OnceLock;

use lanescope_core::compare::{Side, compare};
use lanescope_core::options::Options;
use lanescope_core::packing::rewrite::{StoredHalf, rewrite_half};
use lanescope_core::program::Program;
use lanescope_core::report::Report;
use lanescope_core::run::graph::file;

use lanescope_inspector::layout::{Layout, SavedTabs, ShownTabs};
use lanescope_inspector::view::ViewId;

use lanescope_host::session::{Remembered, Session, Theme};

/// Runs of one generation that are looked at, and records of each.
const MOST: usize = 16;

/// A report, compared with itself.
pub fn report(data: &[u8]) {
    let Ok(report) = Report::from_json(data) else { return };
    let _ = report.has_errors();
    let mut found = compare(Side::from(&report), Side::from(&report));
    found.keep_changes();
}

/// A saved run: what the window asks of one.
pub fn run(data: &[u8]) {
    let _ = file::is_saved_run(data);
    let Ok(run) = file::read(data) else { return };
    let _ = run.has_errors();
    for (at, generation) in run.generations.iter().enumerate().take(MOST) {
        for (name, _) in run.contents.iter().take(MOST) {
            let _ = run.contents_after(Some(at), name);
        }
        let _ = run.before(at);
        for (index, node) in generation.nodes.iter().enumerate().take(MOST) {
            let records = run.records_of(generation, node);
            let ends = records.ends();
            let ty = run.graph.nodes.get(node.node).and_then(|node| node.record());
            for record in 0..records.len().min(MOST as u64) {
                let _ = (records.get(record), records.origin(record), records.origin_by(&ends, record));
                let _ = ty.and_then(|ty| records.json(record, ty));
                let _ = (run.writer(at, index, record), run.caused(at, index, record));
            }
            for batch in 0..node.batches.len().min(MOST) {
                let _ = node.records_of_batch(batch);
            }
        }
    }
}

/// The arrays that a fragment half stored, as the earlier part reads them.
pub fn stored(data: &[u8]) {
    let Ok(stored) = serde_json::from_slice::<StoredHalf>(data) else { return };
    let _ = (stored.hardware.places(), stored.hardware.bytes());
    static VERTEX: OnceLock<Program> = OnceLock::new();
    let vertex = VERTEX.get_or_init(|| {
        let file = crate::embedded("design_note.vert");
        crate::program("design_note.vert", file).unwrap_or_else(|error| panic!("{error}"))
    });
    let _ = rewrite_half(vertex, &stored, &Options::default());
}

/// The window's session with all its settings.
pub fn session(data: &[u8]) {
    if let Ok(session) = Session::from_json(data) {
        let _ = session.to_json();
    }
}

/// Sessions as the window writes them: one that says little, one that says much.
pub fn sessions() -> Vec<Vec<u8>> {
    let view = Layout::View;
    let program = |name: &str| Remembered {
        paths: vec![name.into()],
        other: Some(Options { no_pack: true, ..Options::default() }),
        contents: [("u0".parse().expect("a place"), "/data/u0.bin".into())].into(),
        against: Some(vec!["/shaders/old.frag".into()]),
        tabs: Some(ShownTabs { inspect: Some(ViewId::Overview), ..ShownTabs::default() }),
        ..Remembered::default()
    };
    let tabs = Layout::Tabs { children: vec![view(ViewId::Packing), view(ViewId::GuessedLayout)], active: 1 };
    let layout = Layout::Row(vec![(2.0, tabs), (1.0, Layout::Column(vec![(1.0, view(ViewId::Source))]))]);
    let much = Session {
        open: vec![program("/shaders/a.frag"), program("/shaders/b.comp")],
        active: 1,
        recent: [program("/shaders/c.frag")].into(),
        tabs: SavedTabs { layouts: [("layout: source packing".to_owned(), layout)].into() },
        theme: Theme::Dark,
        size: Some([1200.0, 800.0]),
        ..Session::default()
    };
    [Session::default(), much].iter().map(|session| session.to_json().expect("has no odd numbers")).collect()
}
