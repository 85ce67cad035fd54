//! The arrangement of the tabs.

use lanescope_inspector::layout::{Layout, Move};

use super::*;

#[test]
pub fn shows_tabs() {
    let mut bench = Bench::new();
    bench.run(Command::Show("compare"));
    assert!(!bench.state.tabs.shows("compare"), "without a program nothing is shown");
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    bench.run(Command::Show("compare"));
    assert!(bench.state.tabs.shows("compare") && !bench.had(|effect| matches!(effect, Effect::EnterTab)));
    bench.run(Command::ShowTab("layout".to_owned()));
    assert!(bench.state.tabs.shows("layout") && bench.had(|effect| matches!(effect, Effect::EnterTab)));
    bench.run(Command::Findings);
    assert_eq!(bench.state.tabs.focus(), "findings");
    assert_eq!(bench.state.session.layout.as_ref(), Some(bench.state.tabs.layout()), "the session keeps it");
}

#[test]
pub fn steps_through_tabs() {
    let mut bench = Bench::new();
    bench.run(Command::NextTab);
    assert_eq!(bench.state.tabs.focus(), "workgroup");
    bench.run(Command::PreviousTab);
    assert_eq!(bench.state.tabs.focus(), "packing");
    bench.run(Command::Focus("source".to_owned()));
    assert_eq!(bench.state.tabs.focus(), "source");
}

#[test]
pub fn arranges_tabs() {
    let mut bench = Bench::new();
    let first = bench.state.tabs.layout().clone();
    bench.run(Command::MoveTab(Move::NextGroup));
    assert!(bench.state.tabs.shows("packing") && *bench.state.tabs.layout() != first);
    for command in [Command::LargerGroup, Command::SmallerGroup] {
        let before = bench.state.tabs.layout().clone();
        bench.run(command);
        assert_ne!(*bench.state.tabs.layout(), before);
    }
    bench.run(Command::ResetLayout);
    assert_eq!((bench.state.tabs.layout(), &bench.state.session.layout), (&first, &None));
    bench.run(Command::Focus("source".to_owned()));
    bench.run(Command::MoveTab(Move::Right));
    assert_eq!(bench.message(), "This pane has only one tab, and there is no other pane.");
}

#[test]
pub fn takes_the_drawn_arrangement() {
    let mut bench = Bench::new();
    let drawn = |active| {
        let children = VIEWS.iter().map(|view| Layout::View(view.name.to_owned())).collect();
        Layout::Tabs { children, active }
    };
    bench.run(Command::Arrange(drawn(1), false));
    assert!(bench.state.tabs.shows("workgroup") && bench.state.session.layout.is_none(), "no one changed it");
    bench.run(Command::Arrange(drawn(2), true));
    assert_eq!(bench.state.session.layout, Some(drawn(2)));
}

#[test]
pub fn forwards_requests_to_the_tab_in_front() {
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    for (tab, command, ask) in [
        ("packing", Command::CopyTable, Ask::CopyTable),
        ("source", Command::Search, Ask::Search),
        ("rewritten", Command::NextChange, Ask::NextChange),
        ("rewritten", Command::PreviousChange, Ask::PreviousChange),
    ] {
        bench.run(Command::ShowTab(tab.to_owned()));
        bench.run(command);
        assert!(bench.had(|effect| matches!(effect, Effect::Ask(asked) if *asked == ask)), "{ask:?}");
    }
    bench.run(Command::CopyTable);
    assert_eq!(bench.message(), "This tab has no table to copy.");
    bench.run(Command::ShowTab("packing".to_owned()));
    bench.run(Command::NextChange);
    assert_eq!(bench.message(), "This tab shows no changes; the tabs Rewritten, ISA and Compare do.");
}

#[test]
pub fn exports_the_picture_of_the_first_tab_that_has_one() {
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    bench.run(Command::ShowTab("source".to_owned()));
    bench.run(Command::ExportPicture);
    assert_eq!(bench.state.tabs.focus(), "packing");
    assert!(bench.had(|effect| matches!(effect, Effect::Ask(Ask::ExportPicture))));
}
