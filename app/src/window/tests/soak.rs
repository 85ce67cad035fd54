//! Opens, edits, compiles, runs and closes again and again, and watches what the process holds: `make soak`.

use std::collections::BTreeMap;

use super::*;
use crate::worker::Launch;

/// How often, unless `LANESCOPE_SOAK` says otherwise.
const TIMES: usize = 500;
/// The first rounds fill caches.
const WARM: usize = 50;
/// What may be held at the end beyond what was held when it was warm, in bytes.
const MORE: u64 = 16 << 20;

const VERTEX: &str = "#version 450
layout(location = 0) in vec4 position;
layout(location = 0) out vec2 uv;
layout(location = 3) out float gloss;
void main() { gl_Position = position; uv = position.xy; gloss = position.z; }
";

/// What this process holds: bytes that are resident, open files, threads.
fn held() -> (u64, usize, usize) {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("the field is there");
        line.split_whitespace().next().and_then(|number| number.parse::<u64>().ok()).expect("a number")
    };
    let files = std::fs::read_dir("/proc/self/fd").expect("Linux").count();
    (field("VmRSS:") * 1024, files, field("Threads:") as usize)
}

#[test]
fn soak() {
    let times = match std::env::var("LANESCOPE_SOAK") {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("LANESCOPE_SOAK is a number of rounds, not {text:?}")),
        Err(_) => TIMES,
    };
    assert!(times > WARM, "{WARM} rounds fill caches: only more of them show whether memory grows");
    let test = std::env::current_exe().expect("this program");
    let program = test.ancestors().nth(2).expect("a target folder").join("lanescope");
    assert!(program.is_file(), "{} is to be built first", program.display());
    let mut stage = Stage::new(Session::default());
    let launch = Launch { program: Some(program), ..Launch::default() };
    stage.frame.services.engine = Engine::in_child(launch, testing::compile, testing::speculate);
    let tabs: Vec<_> = stage.frame.views.iter().map(|view| view.info().name.to_owned()).collect();
    let mut rounds = BTreeMap::new();
    for round in 0..times {
        let (vertex, fragment) = (stage.file("lit.vert", VERTEX), stage.file("lit.frag", FRAGMENT));
        stage.open(&[&vertex, &fragment]);
        assert!(
            stage.frame.state.failure.is_none(),
            "round {round}: {:?}",
            stage.frame.state.failure.as_ref().map(|f| &f.failure)
        );
        let before = stage.revision();
        stage.file("lit.frag", &FRAGMENT.replace("1.0", &format!("{round}.5")));
        stage.until("the change is seen", |frame| {
            frame.state.program().is_some_and(|program| program.revision > before)
        });
        stage.frame.act(Command::Compile);
        stage.until("it compiles", |frame| {
            frame.state.program().is_some_and(|program| program.results.compiled.answer.is_some())
        });
        stage.frame.act(Command::Run);
        stage.until("it runs", |frame| {
            frame.state.program().is_some_and(|program| program.results.run.answer.is_some())
        });
        let made = &stage.frame.state.program().expect("a program").results;
        assert!(made.run.done().is_some(), "round {round}: {:?}", made.run.failed());
        for tab in &tabs {
            stage.frame.act(Command::ShowTab(tab.clone()));
            stage.draw(Vec::new());
        }
        stage.frame.act(Command::CloseProgram);
        stage.until("it closes", |frame| frame.state.programs.is_empty());
        if round % 10 == 9 || round + 1 == times {
            rounds.insert(round + 1, held());
        }
    }
    for (round, (bytes, files, threads)) in &rounds {
        println!(
            "round {round:4}: {:7.1} MiB, {files} open files, {threads} threads",
            *bytes as f64 / f64::from(1 << 20)
        );
    }
    let warm = rounds.range(WARM..).next().expect("it is warm after fifty rounds").1;
    let end = rounds.last_key_value().expect("a round").1;
    assert!(end.0 <= warm.0 + MORE, "memory grows: {warm:?} when warm, {end:?} at the end");
    assert!(end.1 <= warm.1 + 4 && end.2 <= warm.2 + 4, "files or threads stay: {warm:?}, {end:?}");
}
