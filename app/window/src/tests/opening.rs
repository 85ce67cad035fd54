//! Files that are being opened: requested twice, and restored from a session.

use lanescope_core::options::Options;

use super::*;
use lanescope_host::session::Remembered;

#[test]
fn restores_all_open_programs() {
    let stage = Stage::new(Session::default());
    let remembered = |at: usize| {
        let options = Options { no_pack: true, ..Options::default() };
        Remembered { paths: vec![stage.file(&format!("{at}.frag"), FRAGMENT)], options, ..Remembered::default() }
    };
    // More than the recent list keeps.
    let open: Vec<_> = (0..23).map(remembered).collect();
    let paths: Vec<_> = open.iter().map(|program| program.paths.clone()).collect();
    let mut again = Stage::new(Session { open, active: 3, ..Session::default() });
    again.frame.act(Command::Reopen);
    again.until("all are open", |frame| frame.state.programs.len() == 23);
    again.settle();
    let frame = &again.frame;
    assert_eq!(
        frame.state.programs.iter().map(|program| &program.paths).collect::<Vec<_>>(),
        paths.iter().collect::<Vec<_>>()
    );
    assert!(frame.state.programs.iter().all(|program| program.analysis.report.options.no_pack));
    assert_eq!((frame.state.active, frame.state.page), (3, Page::Program), "what was in front is in front");
    // A second time there is nothing left to open.
    again.frame.act(Command::Reopen);
    again.settle();
    assert_eq!((again.frame.state.programs.len(), again.frame.state.active), (23, 3));
}

#[test]
fn does_not_open_a_loading_program_twice() {
    let mut stage = Stage::new(Session::default());
    let paths = ["a.frag", "b.frag"].map(|name| stage.file(name, FRAGMENT));
    let open = paths.iter().map(|path| Remembered { paths: vec![path.clone()], ..Remembered::default() }).collect();
    stage.frame.act(Command::OpenFiles(vec![paths[0].clone()]));
    stage.frame.act(Command::OpenFiles(vec![paths[0].clone()]));
    stage.settle();
    assert_eq!(stage.frame.state.programs.len(), 1);
    // A program that opens in the background is shown if it is requested again.
    let mut again = Stage::new(Session { open, active: 0, ..Session::default() });
    again.frame.act(Command::Reopen);
    let first = [paths[0].clone()];
    again.until("the first is open", |frame| frame.state.programs.iter().any(|program| program.paths == first));
    again.frame.act(Command::OpenFiles(vec![paths[1].clone()]));
    again.settle();
    assert_eq!((again.frame.state.programs.len(), again.frame.state.active), (2, 1));
    // What was given up can be requested again.
    let path = again.file("c.frag", FRAGMENT);
    again.frame.act(Command::OpenFiles(vec![path.clone()]));
    again.frame.act(Command::CancelWork);
    again.frame.act(Command::OpenFiles(vec![path]));
    again.settle();
    assert_eq!(again.frame.state.programs.len(), 3);
}
