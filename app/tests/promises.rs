//! Promises under hostile conditions: a process that is killed, a home that cannot be written, a
//! disk that is full.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{file, lanescope, samples};
use lanescope_testing::display::{Display, Window};
use lanescope_testing::terminal::Terminal;

fn pair() -> [PathBuf; 2] {
    ["vert", "frag"].map(|stage| samples().join(format!("lit_surface.{stage}")))
}

/// Names in a folder, in order.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).map(|entries| entries.flatten().collect::<Vec<_>>()).unwrap_or_default();
    let mut names: Vec<_> = entries.iter().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_killed_window_leaves_a_readable_session() {
    let display = Display::start().expect("Xvfb is installed");
    let home = tempfile::tempdir().expect("a temporary folder");
    let folder = home.path().join("lanescope");
    let session = folder.join("session.json");
    // Through the start, the first frames, and the session's being written a second after the last change.
    for round in 0..10_u64 {
        let window = Window::open(env!("CARGO_BIN_EXE_lanescope"), &display, home.path(), &pair()).expect("starts");
        std::thread::sleep(Duration::from_millis(150 + round * 270));
        drop(window);
        // Each of these starts begins a session of its own.
        for name in names(&folder).iter().filter(|name| name.ends_with(".json")) {
            let text = std::fs::read(folder.join(name)).expect("readable");
            let read = serde_json::from_slice::<serde_json::Value>(&text);
            assert!(read.is_ok(), "round {round}, {name}: {}", String::from_utf8_lossy(&text));
        }
    }
    let window = Window::open(env!("CARGO_BIN_EXE_lanescope"), &display, home.path(), &[]).expect("starts");
    window.rests().expect("draws");
    // The session is written a second after it was opened, and what the others left half-written goes then.
    let known = |name: &String| name.ends_with(".json") || name.ends_with(".json.lock");
    let stray = || {
        let all = names(&folder).into_iter().filter(|name| name.starts_with("session"));
        all.filter(|name| !known(name)).collect::<Vec<_>>()
    };
    let end = Instant::now() + Duration::from_secs(30);
    while !(session.is_file() && stray().is_empty()) && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(50));
    }
    drop(window);
    assert!(session.is_file(), "a session was kept");
    assert!(stray().is_empty(), "nothing was set aside, and nothing half-written stays: {:?}", stray());
}

/// Names of the open files of each session in a folder, by the session's file.
fn sessions(folder: &Path) -> BTreeMap<String, Vec<String>> {
    let files = names(folder).into_iter().filter(|name| name.starts_with("session") && name.ends_with(".json"));
    let open = |name: &String| {
        let text = std::fs::read(folder.join(name)).expect("readable");
        let session: serde_json::Value = serde_json::from_slice(&text).expect("a whole session");
        let programs = session["open"].as_array().cloned().unwrap_or_default();
        let paths = programs.iter().flat_map(|program| program["paths"].as_array().cloned().unwrap_or_default());
        let names =
            paths.filter_map(|path| Some(Path::new(path.as_str()?).file_name()?.to_string_lossy().into_owned()));
        names.collect::<Vec<_>>()
    };
    files.map(|name| (name.clone(), open(&name))).collect()
}

#[test]
fn two_windows_and_a_terminal_keep_a_session_each() {
    let display = Display::start().expect("Xvfb is installed");
    let home = tempfile::tempdir().expect("a temporary folder");
    let folder = home.path().join("lanescope");
    let first =
        Window::open(env!("CARGO_BIN_EXE_lanescope"), &display, home.path(), &[samples().join("odd_size.comp")])
            .expect("starts");
    let second =
        Window::open(env!("CARGO_BIN_EXE_lanescope"), &display, home.path(), &[samples().join("tile_16x16.comp")])
            .expect("starts");
    let config = home.path().to_str().expect("is UTF-8");
    let mut program = Command::new(lanescope().get_program());
    let program = program.args(["tui", "quad_derivatives.comp"]);
    let mut terminal = Terminal::run(program, &[("XDG_CONFIG_HOME", config), ("XDG_CACHE_HOME", config)]);
    let all = ["odd_size.comp", "quad_derivatives.comp", "tile_16x16.comp"];
    let kept = || {
        let mut kept: Vec<_> = sessions(&folder).into_values().filter(|open| !open.is_empty()).collect();
        kept.sort();
        kept
    };
    let end = Instant::now() + Duration::from_secs(60);
    while kept() != all.map(|name| vec![name.to_owned()]) && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(kept(), all.map(|name| vec![name.to_owned()]), "each has one of its own");
    // One is killed, the others go on.
    drop(first);
    terminal.press("q");
    assert!(terminal.end().success());
    drop(second);
    assert_eq!(kept(), all.map(|name| vec![name.to_owned()]));
}

#[test]
fn killed_compilations_leave_a_usable_cache() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let isa = |more: &[&str]| -> Command {
        let mut command = lanescope();
        command.arg("isa").args(pair()).args(["--chip", "navi21"]).args(more).env("XDG_CACHE_HOME", home.path());
        command
    };
    for round in 0..12_u64 {
        let mut child = isa(&[]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts");
        std::thread::sleep(Duration::from_millis(20 + round * 45));
        child.kill().expect("a child can be killed");
        child.wait().expect("it ends");
        // What was kept is kept for this round only, so that each is killed on its way through a compilation.
        if round % 3 == 2 {
            std::fs::remove_dir_all(home.path().join("lanescope")).ok();
        }
    }
    let text = |more: &[&str]| {
        let output = isa(more).output().expect("starts");
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        // The text before the assembly has the compile time.
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        text.split_once(": Assembly").expect("assembly follows").1.to_owned()
    };
    let fresh = text(&["--no-cache"]);
    assert!(fresh.contains("v_interp"), "{fresh}");
    for from in ["filling the cache", "from the cache"] {
        assert!(text(&[]) == fresh, "{from}: another text");
    }
}

#[test]
fn opens_files_with_a_read_only_home() {
    let nowhere = Path::new("/proc/lanescope");
    let mut command = lanescope();
    command.arg("isa").args(pair()).args(["--chip", "navi21", "--stat"]);
    for folder in ["HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"] {
        command.env(folder, nowhere);
    }
    let output = command.output().expect("starts");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("VGPRs"));

    let display = Display::start().expect("Xvfb is installed");
    let window = Window::open(env!("CARGO_BIN_EXE_lanescope"), &display, nowhere, &pair()).expect("starts");
    window.rests().expect("the window opens and draws");
}

#[test]
fn reports_a_full_disk() {
    let full = || Stdio::from(std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has one"));
    let (_folder, path) =
        file("one.frag", "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(1); }\n");
    let path = path.display().to_string();
    let graph = samples().join("work_graphs/07_wide_dag.dxil").display().to_string();
    let group = samples().join("tile_16x16.comp").display().to_string();
    let foz = samples().join("effects.foz").display().to_string();
    for arguments in [
        vec!["inspect", &path],
        vec!["inspect", &path, "--format", "json"],
        vec!["diff", &path, &path, "--format", "json"],
        vec!["isa", &path, "--chip", "navi21", "--format", "json"],
        vec!["partial", &path, "--format", "json"],
        vec!["slots", &path, "--format", "json"],
        vec!["slots", &path, "--format", "markdown"],
        vec!["foz", &foz, "--format", "json"],
        vec!["graph", &graph, "--format", "json"],
        vec!["run", &graph, "--device", "llvmpipe", "--format", "json"],
        vec!["run", &group, "--device", "llvmpipe", "--format", "json"],
        vec!["probe", "--size", "8,8,1", "--device", "llvmpipe", "--format", "json"],
        vec!["help", "packing"],
        vec!["opcodes", "rayquery"],
        vec!["opcodes", "rayquery", "--format", "json"],
        vec!["completions", "bash"],
        vec!["man"],
        vec!["doctor"],
        vec!["doctor", "--format", "json"],
    ] {
        let output = lanescope().args(&arguments).stdout(full()).output().expect("starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(stderr.contains("No space left"), "{arguments:?}: {stderr}");
    }
    let output = lanescope().args(["draw", &path, "--view", "packing", "-o", "/dev/full"]).output().expect("starts");
    assert_ne!(output.status.code(), Some(0));
    assert!(!output.stderr.is_empty());
}

/// Whether a file is one that was not finished.
fn is_unfinished(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".lanescope-"))
}

/// Every file below a place, by its path from there, with its contents.
fn contents(place: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    if place.is_file() {
        return BTreeMap::from([(PathBuf::new(), std::fs::read(place).expect("readable"))]);
    }
    let below = names(place).into_iter().flat_map(|name| {
        let path = place.join(&name);
        contents(&path).into_iter().map(move |(rest, bytes)| (Path::new(&name).join(rest), bytes))
    });
    below.collect()
}

/// Commands that write files of more than 512 bytes, and the file or folder that they write. A result as JSON Lines is not
/// among them: it stays as it is, for `--resume`.
const WRITERS: [(&[&str], &str); 7] = [
    (&["draw", "lit_surface.frag", "--view", "packing", "-o"], "slots.svg"),
    (&["rewrite", "lit_surface.vert", "lit_surface.frag", "-o"], "packed"),
    (&["diff", "tile_16x16.comp", "odd_size.comp", "--reconfig", "--format", "svg", "-o"], "changes"),
    (&["foz", "lit_surface.vert", "lit_surface.frag", "-o"], "lit.foz"),
    (&["isa", "lit_surface.vert", "lit_surface.frag", "--chip", "navi21", "-o"], "texts"),
    (&["run", "work_graphs/07_wide_dag.dxil", "--device", "llvmpipe", "--save"], "wide.lanescope-run"),
    (&["corpus", "tile_16x16.comp", "lit_surface.frag", "--format", "html", "-o"], "rows.html"),
];

#[test]
fn a_process_killed_while_it_writes_leaves_whole_files() {
    for (arguments, name) in WRITERS {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let place = folder.path().join(name);
        let write = |limit: &str, force: &[&str]| {
            // No file may grow beyond the limit, in blocks of 512 bytes: who writes on is killed in the middle of it.
            let line = format!("ulimit -c 0; ulimit -f {limit}; exec \"$@\"");
            let mut shell = Command::new("sh");
            shell.args(["-c", &line, "sh"]).arg(lanescope().get_program());
            // A cache would be a file too.
            shell.args(arguments).arg(&place).args(force).env("XDG_CACHE_HOME", "/dev/null");
            shell.current_dir(samples()).stdout(Stdio::null()).stderr(Stdio::piped()).output().expect("a shell")
        };
        let killed = write("1", &[]);
        assert!(!killed.status.success(), "{arguments:?} writes more than 512 bytes");
        let finished = || contents(&place).into_iter().filter(|(path, _)| !is_unfinished(path));
        let early: BTreeMap<_, _> = finished().collect();
        let done = write("unlimited", &["--force"]);
        assert!(done.status.code().is_some_and(|code| code < 2), "{arguments:?}: {done:?}");
        let whole = contents(&place);
        assert!(whole.values().any(|bytes| bytes.len() > 512), "{arguments:?}");
        // Times and names of runs differ; that a file is whole shows in its end.
        let end = |bytes: &[u8]| bytes[bytes.len().saturating_sub(16)..].to_vec();
        for (path, bytes) in &early {
            assert!(whole.get(path).is_some_and(|whole| end(whole) == end(bytes)), "{arguments:?}: half of {path:?}");
        }
        let killed = write("1", &["--force"]);
        assert!(!killed.status.success(), "{arguments:?}");
        assert!(finished().map(|(path, _)| path).eq(whole.keys().cloned()), "{arguments:?}");
        assert!(finished().all(|(path, bytes)| end(&bytes) == end(&whole[&path])), "{arguments:?}: half a file");
        // The next one removes what the killed ones left.
        let done = write("unlimited", &["--force"]);
        assert!(done.status.code().is_some_and(|code| code < 2), "{arguments:?}: {done:?}");
        let all = contents(folder.path());
        let left: Vec<_> = all.keys().filter(|path| is_unfinished(path)).collect();
        assert!(left.is_empty(), "{arguments:?}: {left:?} stay");
    }
}

#[cfg(unix)]
#[test]
fn opens_non_utf8_and_longest_names_everywhere() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let home = tempfile::tempdir().expect("a temporary folder");
    let odd = home.path().join(OsStr::from_bytes(b"odd \xff\xfe"));
    // A name of more than 200 bytes, in a path of more than 3,000.
    let mut long = home.path().to_owned();
    for _ in 0..15 {
        long.push("d".repeat(200));
    }
    for (folder, name) in [(&odd, b"lit\xe9".to_vec()), (&long, vec![b'l'; 200])] {
        std::fs::create_dir_all(folder).expect("creates");
        // What they include.
        std::fs::copy(samples().join("lighting.glsl"), folder.join("lighting.glsl")).expect("copies");
        let files = ["vert", "frag"].map(|stage| {
            let path = folder.join(OsStr::from_bytes(&[&name[..], b".", stage.as_bytes()].concat()));
            std::fs::copy(samples().join(format!("lit_surface.{stage}")), &path).expect("copies");
            path
        });
        let cache = folder.join(OsStr::from_bytes(b"cache \xff"));
        let says = |command: &str, more: &[&OsStr]| {
            let mut process = lanescope();
            process.arg(command).args(&files).args(more).env("XDG_CACHE_HOME", &cache);
            let output = process.output().expect("starts");
            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(0), "{command} {more:?}: {stderr}");
        };
        let text = OsStr::new;
        says("inspect", &[text("--in-process")]);
        says("isa", &[text("--chip"), text("navi21"), text("--stat")]);
        assert!(!names(&cache.join("lanescope/compiled")).is_empty(), "what was compiled is kept");
        let made = folder.join(OsStr::from_bytes(b"made \xff"));
        says("rewrite", &[text("--out"), made.as_os_str()]);
        assert!(!names(&made).is_empty());
        says("partial", &[text("--chip"), text("navi21"), text("--cache"), cache.join("ahead").as_os_str()]);
        says("run", &[text("--device"), text("llvmpipe"), text("--out"), folder.join("ran").as_os_str()]);
    }
    // What would be written beside this one has a name that no file can have.
    let longest = home.path().join(format!("{}.frag", "l".repeat(250)));
    std::fs::copy(samples().join("flat_and_smooth.frag"), &longest).expect("copies");
    let out = home.path().join("out");
    let output = lanescope().arg("rewrite").args([&longest, &PathBuf::from("--out"), &out]).output().expect("starts");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("too long"), "{stderr}");
}
