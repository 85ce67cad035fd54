//! Opens, edits, compiles, runs, debugs, looks at results over many pipelines and closes again and again, and watches what
//! the process holds: `make soak`.

use std::collections::BTreeMap;

use lanescope_inspector::corpus::{CorpusCommand, CorpusPart};
use lanescope_inspector::debugging::DebugCommand;

use super::*;
use lanescope_host::corpus::testing::result;
use lanescope_host::worker::Launch;
use lanescope_inspector::view::ViewId;

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

const SHADED: &str = "#version 450
layout(location = 0) in vec2 uv;
layout(location = 3) in float gloss;
layout(location = 0) out vec4 color;
void main() {
    float light = gloss * 0.5;
    vec2 half_uv = uv * light;
    color = vec4(half_uv, light, 1.0);
}
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

/// Steps the fragment shader forwards and back, and ends the session.
fn debug(stage: &mut Stage, round: usize) {
    let mut act = |command: DebugCommand| {
        stage.frame.act(Command::Debug(command));
        stage.settle();
        let debugging = &stage.frame.state.program().expect("a program").debugging;
        assert_eq!(debugging.refused, None, "round {round}");
        debugging.stop.as_ref().expect("a stop").state.step
    };
    act(DebugCommand::Restart);
    act(DebugCommand::AddBreakpoint("lit.frag:7".to_owned()));
    let there = act(DebugCommand::Continue);
    let next = act(DebugCommand::StepInto);
    assert!(next > there, "round {round}: {there} to {next}");
    assert_eq!(act(DebugCommand::StepBack), there, "round {round}");
    act(DebugCommand::Map("gloss".to_owned()));
    stage.draw(Vec::new());
    stage.frame.act(Command::Debug(DebugCommand::Stop));
    stage.until("it ends", |frame| frame.state.program().is_some_and(|program| program.debugging.stop.is_none()));
}

/// Opens a result over many pipelines, compares it with another, looks at all parts, and closes it.
fn look_at_results(stage: &mut Stage, round: usize) {
    const PIPELINES: u64 = 2000;
    let path = |name: &str| stage.folder.path().join(name);
    let (before, after) = (path("before.jsonl"), path("after.jsonl"));
    if round == 0 {
        result(&before, PIPELINES, 0);
        result(&after, PIPELINES, 4);
    }
    stage.frame.act(Command::OpenFiles(vec![after]));
    stage.until("it opens", |frame| frame.state.corpus.is_some());
    stage.frame.act(Command::CompareFiles(vec![before]));
    for part in CorpusPart::ALL {
        stage.frame.act(Command::Corpus(CorpusCommand::Part(part)));
        stage.draw(Vec::new());
    }
    stage.frame.act(Command::Corpus(CorpusCommand::Filter(format!("Latency < {}", round + 3))));
    stage.settle();
    let page = stage.frame.state.corpus.as_ref().expect("open");
    assert!(!page.rows.is_empty() && page.rows.len() < 2 * PIPELINES as usize, "round {round}: {}", page.rows.len());
    stage.press(Modifiers::COMMAND, Key::W);
    assert!(stage.frame.state.corpus.is_none(), "round {round}");
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
    let tabs: Vec<_> = stage.frame.views.iter().map(|view| view.info().id).collect();
    let mut rounds = BTreeMap::new();
    for round in 0..times {
        let (vertex, fragment) = (stage.file("lit.vert", VERTEX), stage.file("lit.frag", SHADED));
        stage.open(&[&vertex, &fragment]);
        assert!(
            stage.frame.state.failure.is_none(),
            "round {round}: {:?}",
            stage.frame.state.failure.as_ref().map(|f| &f.failure)
        );
        let before = stage.revision();
        stage.file("lit.frag", &SHADED.replace("1.0", &format!("{round}.5")));
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
            stage.frame.act(Command::ShowTab(*tab));
            stage.draw(Vec::new());
        }
        debug(&mut stage, round);
        stage.frame.act(Command::CloseProgram);
        stage.until("it closes", |frame| frame.state.programs.is_empty());
        look_at_results(&mut stage, round);
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
