//! The real child process: the executable under test is started, queried, starved and killed.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use lanescope_host::worker::{Client, Launch, Limits, LoadRequest, Loaded, Reply, Request, WorkerError};

const FRAGMENT: &str = "#version 450
layout(location = 0) in vec2 uv;
layout(location = 1) in Surface { vec3 normal; float gloss; } surface;
layout(location = 0) out vec4 color;
void main() {
    color = vec4(uv, surface.gloss, 1.0);
}
";

fn launch(limits: Limits) -> Launch {
    Launch {
        program: Some(PathBuf::from(lanescope_testing::executable(env!("CARGO_BIN_EXE_lanescope")))),
        limits,
        environment: Vec::new(),
    }
}

fn start(limits: Limits) -> Client {
    Client::start(&launch(limits)).expect("the executable starts")
}

fn load(client: &mut Client, path: &Path) -> Result<Loaded, WorkerError> {
    let request = Request::Load(LoadRequest { paths: vec![path.into()], ..LoadRequest::default() });
    match client.ask(&request)? {
        Reply::Loaded(loaded) => Ok(*loaded),
        other => panic!("a load is answered by {other:?}"),
    }
}

fn file(name: &str, text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("the folder is writable");
    (folder, path)
}

/// A shader that keeps the compiler busy for seconds, within `statements` statements.
fn busy(statements: usize) -> String {
    let mut text = String::from("#version 450\nlayout(location=0) out vec4 c;\nvoid main() {\n  vec4 a = vec4(0);\n");
    for i in 0..statements {
        text.push_str(&format!("  a = a * vec4({i}.5, 1, 2, 3) + sin(a.wzyx * {i}.25) / (a + 1.0);\n"));
    }
    text.push_str("  c = a;\n}\n");
    text
}

#[test]
fn a_child_loads_again_and_again() {
    let (_folder, path) = file("lit.frag", FRAGMENT);
    let mut client = start(Limits::default());
    for _ in 0..2 {
        let loaded = load(&mut client, &path).expect("the shader is valid");
        assert_eq!(loaded.program.stages.len(), 1);
        let titles: Vec<_> = loaded.texts.iter().map(|text| text.title.as_str()).collect();
        assert_eq!(titles, ["lit.frag", "lit.frag (SPIR-V)"]);
        let lines_of = |text: usize, location: u32| -> Vec<&str> {
            let text = &loaded.texts[text];
            let marks = text.marks.iter().filter(|(varying, _)| varying.location == location);
            marks.map(|&(_, line)| text.text.lines().nth(line).expect("marks are lines").trim()).collect()
        };
        assert_eq!(lines_of(0, 0), ["layout(location = 0) in vec2 uv;", "color = vec4(uv, surface.gloss, 1.0);"]);
        assert_eq!(
            lines_of(0, 2),
            [
                "layout(location = 1) in Surface { vec3 normal; float gloss; } surface;",
                "color = vec4(uv, surface.gloss, 1.0);"
            ]
        );
        assert_eq!(
            lines_of(1, 0),
            [
                "OpName %uv \"uv\"",
                "OpDecorate %uv Location 0",
                "%uv = OpVariable %_ptr_Input_v2float Input",
                "%13 = OpLoad %v2float %uv",
            ]
        );
        let gloss = lines_of(1, 2);
        assert!(gloss.iter().any(|line| line.contains("OpMemberName %Surface 1 \"gloss\"")), "{gloss:?}");
        assert!(gloss.iter().any(|line| line.contains("OpLoad %float")), "{gloss:?}");
    }
}

#[test]
fn reports_bad_input_by_file_and_keeps_the_child() {
    let (_folder, bad) = file("bad.frag", "#version 450\nvoid main() { x = 1; }\n");
    let (_other, good) = file("lit.frag", FRAGMENT);
    let mut client = start(Limits::default());
    let error = load(&mut client, &bad).expect_err("`x` is not declared");
    let WorkerError::Failed(failure) = &error else { panic!("{error:?}") };
    assert_eq!(failure.file.as_deref(), bad.to_str());
    assert!(failure.message.contains("undeclared identifier"), "{failure}");
    load(&mut client, &good).expect("the child still answers");
}

#[test]
fn ends_a_child_at_the_time_limit() {
    let (_folder, path) = file("busy.frag", &busy(20_000));
    let mut client = start(Limits { time: Duration::from_millis(40), ..Limits::default() });
    let begin = Instant::now();
    let error = load(&mut client, &path).expect_err("40 ms are not enough");
    assert!(matches!(error, WorkerError::TimedOut { .. }), "{error:?}");
    assert!(error.to_string().ends_with("took longer than 40 ms and was stopped"), "{error}");
    assert!(begin.elapsed() < Duration::from_secs(2), "the limit holds: {:?}", begin.elapsed());
}

#[test]
fn ends_a_child_at_the_memory_limit() {
    let (_folder, path) = file("huge.frag", &busy(60_000));
    let mut client = start(Limits { memory: 128 << 20, ..Limits::default() });
    let error = load(&mut client, &path).expect_err("128 MiB are not enough");
    assert!(matches!(error, WorkerError::Crashed { .. }), "{error:?}");
    assert!(error.to_string().contains("out of memory: the limit is 128 MiB"), "{error}");
}

#[test]
fn reports_a_killed_child_with_its_work() {
    let (_folder, path) = file("busy.frag", &busy(20_000));
    let mark = "LANESCOPE_TEST_KILLED";
    let environment = vec![(mark.into(), "1".into())];
    let mut client = Client::start(&Launch { environment, ..launch(Limits::default()) }).expect("it starts");
    let pid = child_with(mark);
    let killer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(40));
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).expect("the child is ours");
    });
    let error = load(&mut client, &path).expect_err("the child is dead");
    killer.join().expect("the killer ends");
    let WorkerError::Crashed { how, .. } = &error else { panic!("{error:?}") };
    assert_eq!(how, "SIGKILL (killed)");
    assert!(error.to_string().contains("crashed while loading"), "{error}");
    let again = load(&mut client, &path).expect_err("a dead child stays dead");
    assert!(matches!(again, WorkerError::Crashed { .. }), "{again:?}");
}

/// The process that was started with that variable.
fn child_with(variable: &str) -> rustix::process::Pid {
    let has_variable = |path: &Path| {
        let environment = std::fs::read(path.join("environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|entry| entry.starts_with(variable.as_bytes()))
    };
    let until = Instant::now() + Duration::from_secs(10);
    loop {
        let processes = std::fs::read_dir("/proc").expect("Linux").filter_map(|entry| Some(entry.ok()?.path()));
        let pids =
            processes.filter(|path| has_variable(path)).filter_map(|path| path.file_name()?.to_str()?.parse().ok());
        if let Some(pid) = pids.filter_map(rustix::process::Pid::from_raw).next() {
            return pid;
        }
        assert!(Instant::now() < until, "the child runs");
    }
}

#[test]
fn stopping_is_not_a_crash() {
    let (_folder, path) = file("busy.frag", &busy(20_000));
    let mut client = start(Limits::default());
    let stopper = client.stopper();
    let stopping = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(40));
        stopper.stop();
    });
    let error = load(&mut client, &path).expect_err("it was stopped");
    stopping.join().expect("the stopper ends");
    assert!(matches!(error, WorkerError::Cancelled { .. }), "{error:?}");
}

#[test]
fn answers_garbage_with_an_error() {
    let mut child = Command::new(lanescope_testing::executable(env!("CARGO_BIN_EXE_lanescope")))
        .arg("worker")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the executable starts");
    let mut stdin = child.stdin.take().expect("piped");
    let mut stdout = child.stdout.take().expect("piped");
    let mut reply = || -> Reply {
        let body = lanescope_host::worker::frame::read(&mut stdout).expect("a frame").expect("not the end");
        serde_json::from_slice(&body).expect("a reply")
    };
    for garbage in [&b"\xff\xfe"[..], b"", b"{\"Dance\":{}}", b"[1,2"] {
        lanescope_host::worker::frame::write(&mut stdin, garbage).expect("the child reads");
        assert!(matches!(reply(), Reply::NotUnderstood(_)), "{garbage:?}");
    }
    stdin.write_all(b"HTTP/1.1 200 OK\r\n").expect("the child reads");
    let Reply::NotUnderstood(what) = reply() else { panic!("a length of gigabytes is no frame") };
    assert!(what.contains("exceeds the limit"), "{what}");
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
}

#[test]
fn a_missing_executable_is_an_error() {
    let launch = Launch { program: Some(PathBuf::from("/nowhere/lanescope")), ..Launch::default() };
    let error = Client::start(&launch).expect_err("nothing is there");
    assert!(matches!(error, WorkerError::Start(_)), "{error:?}");
}
