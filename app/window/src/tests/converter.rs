//! A converter that crashes or hangs: the window's error, and the next file.

use std::os::unix::fs::PermissionsExt as _;

use lanescope_core::report::Report;
use lanescope_inspector::source::TextRole;

use super::*;
use lanescope_host::worker::{FAULT_VARIABLE, Launch, Limits};
use lanescope_inspector::view::ViewId;

/// What the window's child is: this executable, running the test [`child`]. What the test harness prints is not a
/// frame.
const CHILD: &str = "#!/bin/sh
exec 3>&1 >/dev/null
exec \"$LANESCOPE_TEST_PROGRAM\" tests::converter::child --exact --ignored --nocapture
";

#[test]
#[ignore = "is the child of the window under test"]
fn child() {
    let to_parent = std::fs::OpenOptions::new().write(true).open("/proc/self/fd/3").expect("the parent listens");
    rustix::stdio::dup2_stdout(&to_parent).expect("standard output can be replaced");
    let ended = lanescope_host::worker::serve();
    assert_eq!(ended, std::process::ExitCode::SUCCESS);
}

/// A window whose child has this fault.
fn with_fault(fault: &str) -> Stage {
    let mut stage = Stage::new(Session::default());
    let script = stage.file("child", CHILD);
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o700)).expect("the file is ours");
    let program = std::env::current_exe().expect("this executable");
    let environment =
        vec![("LANESCOPE_TEST_PROGRAM".into(), program.into_os_string()), (FAULT_VARIABLE.into(), fault.into())];
    let limits = Limits { time: Duration::from_secs(2), ..Limits::default() };
    let launch = Launch { program: Some(script), limits, environment };
    stage.frame.services.engine = Engine::in_child(launch, testing::compile, testing::speculate);
    stage
}

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/dxil").join(name)
}

fn report(frame: &App) -> &Report {
    &frame.state.program().expect("a program").analysis.report
}

/// Why nothing was converted, where that is said.
fn unconverted(frame: &App) -> Option<&str> {
    report(frame).findings.iter().find(|finding| finding.code == "D005").map(|finding| finding.message.as_str())
}

fn has_module(frame: &App) -> bool {
    frame.state.program().expect("a program").texts.iter().any(|text| matches!(text.role, TextRole::Module(_)))
}

#[test]
fn opens_a_container_whose_conversion_crashes_or_hangs_and_converts_the_next() {
    for (kind, why) in [
        ("crash", "the converter crashed: SIGSEGV"),
        ("abort", "the converter crashed: SIGABRT"),
        ("hang", "the converter took longer than 2 s"),
    ] {
        let mut stage = with_fault(&format!("{kind}:converting=prefix_sum.cs.dxil"));
        stage.open(&[&sample("prefix_sum.cs.dxil")]);
        assert!(
            stage.frame.state.failure.is_none(),
            "{kind}: {:?}",
            stage.frame.state.failure.as_ref().map(|f| &f.failure)
        );
        let message = unconverted(&stage.frame).expect("a finding says it").to_owned();
        assert!(message.contains(why), "{kind}: {message}");
        assert!(stage.frame.state.tabs.shows(ViewId::Dxil), "the container is what there is to show");
        assert!(!has_module(&stage.frame) && report(&stage.frame).dxil.as_ref().is_some_and(|d| !d.ops.is_empty()));
        stage.settle();

        // The same window continues: a fresh child converts the next container.
        stage.open(&[&sample("quad_derivatives.cs.dxil")]);
        assert_eq!((stage.frame.state.programs.len(), unconverted(&stage.frame)), (2, None), "{kind}");
        assert!(has_module(&stage.frame) && report(&stage.frame).stages.len() == 1, "{kind}");
        // And the first one opens again as it did.
        stage.frame.act(Command::PreviousProgram);
        let before = stage.revision();
        stage.frame.act(Command::Reload);
        stage.until("it is read again", |frame| frame.state.program().is_some_and(|program| program.revision > before));
        assert!(unconverted(&stage.frame).is_some_and(|message| message.contains(why)), "{kind}");
        stage.settle();
    }
}
