//! The arrangement of the tabs.

use lanescope_inspector::layout::{Layout, Move};
use lanescope_inspector::mode::Mode;
use lanescope_inspector::view::ViewId;

use super::*;

#[test]
pub fn shows_tabs() {
    let mut bench = Bench::new();
    bench.run(Command::Show(ViewId::Compare));
    assert!(!bench.state.tabs.shows(ViewId::Compare), "without a program nothing is shown");
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    bench.run(Command::Show(ViewId::Compare));
    assert!(bench.state.tabs.shows(ViewId::Compare) && !bench.had(|effect| matches!(effect, Effect::EnterTab)));
    assert_eq!(bench.state.tabs.mode(), Mode::Compare);
    bench.run(Command::ShowTab(ViewId::GuessedLayout));
    assert!(bench.state.tabs.shows(ViewId::GuessedLayout) && bench.had(|effect| matches!(effect, Effect::EnterTab)));
    assert_eq!(bench.program().tabs, bench.state.tabs.shown_of().map(|(_, shown)| shown), "the session keeps it");
    bench.run(Command::ShowTab(ViewId::Graph));
    assert_eq!(bench.message(), "graph has nothing to show for this program.");
}

#[test]
pub fn shows_modes() {
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    for (mode, view) in [
        (Mode::Compiled, ViewId::Isa),
        (Mode::Run, ViewId::Run),
        (Mode::Compare, ViewId::Compare),
        (Mode::Layout, ViewId::Packing),
    ] {
        bench.run(Command::SetMode(mode));
        assert!(bench.state.tabs.mode() == mode && bench.state.tabs.focus() == Some(view), "{mode:?}");
        assert!(bench.had(|effect| matches!(effect, Effect::EnterTab)));
    }
    assert_eq!(bench.program().tabs.as_ref().map(|tabs| tabs.mode), Some(Mode::Layout));
}

#[test]
pub fn opens_and_closes_the_drawer_and_the_findings() {
    let mut bench = Bench::new();
    bench.run(Command::Inspect);
    assert_eq!(bench.state.tabs.drawer(), None, "without a program there is nothing in it");
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    bench.run(Command::Inspect);
    assert_eq!(
        (bench.state.tabs.drawer(), bench.state.tabs.focus()),
        (Some(ViewId::GuessedLayout), Some(ViewId::GuessedLayout))
    );
    bench.run(Command::Inspect);
    assert_eq!((bench.state.tabs.drawer(), bench.state.tabs.focus()), (None, Some(ViewId::Packing)));
    bench.run(Command::Findings);
    assert!(bench.state.tabs.shows_findings() && bench.state.tabs.focus() == Some(ViewId::Findings));
    bench.run(Command::Focus(ViewId::Packing));
    bench.run(Command::Findings);
    assert!(bench.state.tabs.shows_findings(), "the keyboard goes there first");
    bench.run(Command::Findings);
    assert!(!bench.state.tabs.shows_findings());
    assert!(bench.program().tabs.as_ref().is_some_and(|tabs| !tabs.findings), "the session keeps it");
}

#[test]
pub fn steps_through_tabs() {
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    bench.run(Command::NextTab);
    assert_eq!(bench.state.tabs.focus(), Some(ViewId::Registers));
    bench.run(Command::PreviousTab);
    assert_eq!(bench.state.tabs.focus(), Some(ViewId::Packing));
    bench.run(Command::Focus(ViewId::Source));
    assert_eq!(bench.state.tabs.focus(), Some(ViewId::Source));
}

#[test]
pub fn arranges_tabs() {
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    bench.run(Command::ShowTab(ViewId::Statistics));
    let first = bench.state.tabs.layout().clone();
    bench.run(Command::MoveTab(Move::NextGroup));
    assert!(bench.state.tabs.shows(ViewId::Statistics) && *bench.state.tabs.layout() != first);
    for command in [Command::LargerGroup, Command::SmallerGroup] {
        let before = bench.state.tabs.layout().clone();
        bench.run(command);
        assert_ne!(*bench.state.tabs.layout(), before);
    }
    bench.run(Command::ResetLayout);
    assert!(bench.state.session.tabs.layouts.is_empty());
    bench.run(Command::ShowTab(ViewId::Statistics));
    assert_eq!(*bench.state.tabs.layout(), first);
    bench.run(Command::Focus(ViewId::Source));
    bench.run(Command::MoveTab(Move::Right));
    assert_eq!(bench.message(), "This pane has only one tab, and there is no other pane.");
}

#[test]
pub fn takes_the_drawn_arrangement() {
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    let drawn = |active| {
        let children = [ViewId::Source, ViewId::Packing, ViewId::Registers].map(Layout::View).to_vec();
        Layout::Tabs { children, active }
    };
    let arrange = |active, edited| Command::Arrange { layout: drawn(active), edited, dragged: Vec::new() };
    bench.run(arrange(2, false));
    assert!(
        bench.state.tabs.shows(ViewId::Registers) && bench.state.session.tabs.layouts.is_empty(),
        "no one changed it"
    );
    bench.run(arrange(1, true));
    assert_eq!(bench.state.session.tabs.layouts.into_values().collect::<Vec<_>>(), [drawn(1)]);
}

#[test]
pub fn forwards_requests_to_the_tab_in_front() {
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    for (tab, command, ask) in [
        (ViewId::Packing, Command::CopyTable, Ask::CopyTable),
        (ViewId::Source, Command::Search, Ask::Search),
        (ViewId::Source, Command::GoToLine, Ask::GoToLine),
        (ViewId::Source, Command::ToggleBookmark, Ask::ToggleBookmark),
        (ViewId::Source, Command::NextBookmark, Ask::NextBookmark),
        (ViewId::Source, Command::PreviousBookmark, Ask::PreviousBookmark),
        (ViewId::Rewritten, Command::NextChange, Ask::NextChange),
        (ViewId::Rewritten, Command::PreviousChange, Ask::PreviousChange),
    ] {
        bench.run(Command::ShowTab(tab.to_owned()));
        bench.run(command);
        assert!(bench.had(|effect| matches!(effect, Effect::Ask(asked) if *asked == ask)), "{ask:?}");
    }
    bench.run(Command::CopyTable);
    assert_eq!(bench.message(), "This tab has no table to copy.");
    bench.run(Command::ShowTab(ViewId::Packing));
    bench.run(Command::NextChange);
    assert_eq!(bench.message(), "This tab shows no changes; the tabs Rewritten, ISA and Compare do.");
    bench.run(Command::GoToLine);
    assert_eq!(bench.message(), "This tab shows no text.");
}

#[test]
pub fn exports_the_picture_of_the_first_tab_that_has_one() {
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    bench.run(Command::ShowTab(ViewId::Source));
    bench.run(Command::ExportPicture);
    assert_eq!(bench.state.tabs.focus(), Some(ViewId::Packing));
    assert!(bench.had(|effect| matches!(effect, Effect::Ask(Ask::ExportPicture))));
}

#[test]
fn a_program_that_was_never_open_opens_with_its_answer_and_returns_as_it_was() {
    let mut bench = Bench::opened("lit.frag", FRAGMENT);
    for view in [ViewId::Statistics, ViewId::Overview, ViewId::Findings] {
        bench.run(Command::ShowTab(view));
    }
    let compute = bench.file("group.comp", COMPUTE);
    bench.open(&[&compute]);
    assert_eq!((bench.state.tabs.mode(), bench.state.tabs.focus()), (Mode::Layout, Some(ViewId::Workgroup)));
    assert!(bench.state.tabs.drawer().is_none() && !bench.state.tabs.shows_findings());
    bench.run(Command::SetMode(Mode::Run));
    bench.run(Command::ShowProgram(0));
    assert!(bench.state.tabs.shows(ViewId::Statistics) && bench.state.tabs.shows_findings());
    assert_eq!(bench.state.tabs.drawer(), Some(ViewId::Overview));
    // What a window writes, another one begins with; files that were closed before return as well.
    let written = bench.state.session_now().to_json().expect("serializes");
    let session = Session::from_json(&written).expect("reads");
    let mut again = Bench::with(session);
    again.open(&[&compute]);
    assert_eq!(again.state.tabs.mode(), Mode::Run);
    let lit = bench.program().paths[0].clone();
    again.open(&[&lit]);
    assert!(again.state.tabs.shows(ViewId::Statistics) && again.state.tabs.shows_findings());
    assert_eq!(again.state.tabs.drawer(), Some(ViewId::Overview));
    again.run(Command::SetMode(Mode::Compare));
    again.run(Command::CloseProgram);
    again.open(&[&lit]);
    assert_eq!(again.state.tabs.mode(), Mode::Compare);
    let never = again.file("never.comp", COMPUTE);
    again.open(&[&never]);
    assert_eq!(again.state.tabs.mode(), Mode::Layout);
}
