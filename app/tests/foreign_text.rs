//! Foreign text (names in files, messages of compilers, names of files) is shown, and never obeyed by a terminal: no
//! command writes its control characters or controls of the direction of text. In CSV it is guarded on request.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{json, lanescope};
use lanescope_core::foreign::is_obeyed;

/// What a terminal, a browser or an editor would obey: a title, a colour, C1, controls of direction, DEL.
const HOSTILE: &str = "n\u{1b}]0;title\u{7}\u{1b}[31m\u{9b}2J\u{202e}\u{2066}\u{200f}\u{61c}\u{7f}\u{8}";

/// Assembly of a module with hostile names: of entry points, variables, members, files and in its strings.
fn module(stage: &str, mode: &str) -> String {
    format!(
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint {stage} %main \"{HOSTILE}\" %in %out\n\
         {mode}%file = OpString \"{HOSTILE}.frag\"\nOpSource GLSL 460 %file \"{HOSTILE}\"\nOpName %in \"{HOSTILE}i\"\n\
         OpName %out \"{HOSTILE}o\"\nOpName %main \"{HOSTILE}m\"\nOpDecorate %in Location 0\nOpDecorate %out Location 0\n\
         %void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n%v4 = OpTypeVector %float 4\n\
         %pin = OpTypePointer Input %v4\n%pout = OpTypePointer Output %v4\n%in = OpVariable %pin Input\n\
         %out = OpVariable %pout Output\n%main = OpFunction %void None %fn\n%l = OpLabel\nOpLine %file 3 1\n\
         %x = OpLoad %v4 %in\n%y = OpFAdd %v4 %x %x\nOpStore %out %y\nOpReturn\nOpFunctionEnd\n"
    )
}

/// GLSL whose names of files are hostile; a name in GLSL itself is plain.
const COMPUTE: &str = "#version 460\nlayout(local_size_x = 8) in;\nlayout(set = 0, binding = 0) buffer B { uint x[]; } b;\n\
                       void main() { b.x[gl_LocalInvocationIndex] = gl_LocalInvocationIndex; }\n";

/// A folder with a hostile name, and files with hostile names and contents.
struct Files {
    folder: tempfile::TempDir,
    inner: PathBuf,
}

impl Files {
    fn new() -> Files {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let inner = folder.path().join(format!("d{HOSTILE}"));
        fs::create_dir(&inner).expect("writable");
        Files { folder, inner }
    }

    fn add(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.inner.join(format!("{HOSTILE}{name}"));
        fs::write(&path, text).expect("writable");
        path
    }

    fn named(&self, name: &str) -> PathBuf {
        self.inner.join(format!("{HOSTILE}{name}"))
    }
}

/// Runs a command with styles, and asserts that it obeys nothing of the foreign text. Returns its exit status.
fn run(folder: &Path, command: &[&str], files: &[&Path]) -> (i32, String) {
    let output = lanescope()
        .current_dir(folder)
        .env("CLICOLOR_FORCE", "1")
        .env_remove("NO_COLOR")
        .args(command)
        .args(files)
        .output()
        .expect("starts");
    let mut all = String::new();
    for (stream, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
        let text = String::from_utf8(bytes.clone()).expect("UTF-8");
        let shown = without_styles(&text);
        let found = shown.lines().find(|line| line.contains(|c| is_obeyed(c) && c != '\t'));
        assert!(found.is_none(), "{command:?}: {stream} has {:?}", found.unwrap_or_default());
        assert!(!text.contains("\u{1b}[31m\u{fffd}"), "{command:?}: {text:?}");
        all.push_str(&text);
    }
    (output.status.code().unwrap_or(-1), all)
}

/// A text without the style sequences of the program: those that no foreign text of these tests has.
fn without_styles(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("\u{1b}[") {
        out.push_str(&rest[..at]);
        let after = &rest[at + 2..];
        match after.find(|c: char| !c.is_ascii_digit() && c != ';') {
            Some(end) if after[end..].starts_with('m') => rest = &after[end + 1..],
            _ => {
                out.push('\u{1b}');
                rest = &rest[at + 1..];
            }
        }
    }
    out + rest
}

#[test]
fn reports_show_hostile_names() {
    let files = Files::new();
    let here = files.folder.path();
    let fragment = files.add("a.spvasm", module("Fragment", "OpExecutionMode %main OriginUpperLeft\n"));
    let vertex = files.add("v.spvasm", module("Vertex", ""));
    let compute = files.add("c.comp", COMPUTE);
    let pair = [vertex.as_path(), fragment.as_path()];
    for command in [
        &["inspect"][..],
        &["inspect", "--verbose"],
        &["inspect", "--format", "json"],
        &["inspect", "--format", "sarif"],
        &["slots"],
        &["slots", "--format", "markdown"],
        &["slots", "--format", "json"],
        &["guess-layout"],
        &["guess-layout", "--format", "json"],
        &["corpus"],
        &["corpus", "--format", "jsonl"],
        &["corpus", "--format", "csv"],
        &["corpus", "--format", "html"],
        &["corpus", "--format", "markdown"],
        &["corpus", "--format", "sarif"],
        &["debug"],
        &["debug", "--trace"],
        &["run", "--device", "interpreter"],
        &["export", "--amber"],
        &["reduce", "--while", "finding E001"],
    ] {
        run(here, command, &pair);
        run(here, command, &[&fragment]);
    }
    for command in [
        &["inspect"][..],
        &["debug", "--commands", "step; info locals; info waves; info breakpoints"],
        &["debug", "--format", "json"],
        &["run", "--device", "interpreter"],
        &["run", "--device", "interpreter", "--format", "json"],
    ] {
        let (status, text) = run(here, command, &[&compute]);
        assert_eq!(status, 0, "{command:?}: {text}");
    }
    for command in [&["diff"][..], &["diff", "--format", "json"], &["diff", "--format", "markdown"]] {
        run(here, command, &[&vertex, &fragment]);
    }
}

#[test]
fn files_that_are_written_show_hostile_names() {
    let files = Files::new();
    let here = files.folder.path();
    let fragment = files.add("a.spvasm", module("Fragment", "OpExecutionMode %main OriginUpperLeft\n"));
    let vertex = files.add("v.spvasm", module("Vertex", ""));
    let pair = [vertex.as_path(), fragment.as_path()];
    for (command, output) in [
        (&["draw", "--view", "packing"][..], "p.svg"),
        (&["foz"], "p.foz"),
        (&["rewrite"], "packed"),
        (&["corpus", "--format", "html"], "c.html"),
        (&["corpus"], "c.txt"),
        (&["corpus", "--rows", "rows.jsonl"], "d.txt"),
    ] {
        let to = files.named(output);
        let all = [command, &["-o", to.to_str().expect("UTF-8")]].concat();
        run(here, &all, &pair);
        // A second time it exists, and the error names it.
        let (status, text) = run(here, &all, &pair);
        assert_eq!(status, 2, "{command:?}: {text}");
        if let Ok(text) = fs::read_to_string(&to) {
            let found = text.lines().find(|line| line.contains(is_obeyed));
            assert!(found.is_none(), "{command:?}: {found:?}");
        }
    }
    let database = files.named("p.foz");
    for command in [&["foz"][..], &["foz", "--format", "json"], &["inspect"], &["corpus"]] {
        run(here, command, &[&database]);
    }
    run(here, &["corpus", "show"], &[Path::new("rows.jsonl")]);
    run(here, &["corpus", "show", "--format", "html"], &[Path::new("rows.jsonl")]);
    run(here, &["corpus", "merge"], &[Path::new("rows.jsonl")]);
}

#[test]
fn errors_show_hostile_messages_and_names() {
    let files = Files::new();
    let here = files.folder.path();
    let sources = [
        ("error.comp", format!("#version 460\n#error {HOSTILE}\nvoid main() {{}}\n")),
        ("token.comp", format!("#version 460\nvoid main() {{ {HOSTILE} }}\n")),
        (
            "include.comp",
            format!("#version 460\n#extension GL_GOOGLE_include_directive : require\n#include \"{HOSTILE}\"\n"),
        ),
        ("line.comp", format!("#version 460\n#line 7 \"{HOSTILE}\"\nvoid main() {{ x }}\n")),
        ("a.ps.hlsl", format!("#error {HOSTILE}\nfloat4 main() : SV_Target {{ return {HOSTILE}; }}\n")),
        ("include.ps.hlsl", format!("#include \"{HOSTILE}\"\nfloat4 main() : SV_Target {{ return 0; }}\n")),
        ("a.wgsl", format!("@fragment fn main() -> {HOSTILE} {{}}\n")),
        ("a.spvasm", format!("OpCapability {HOSTILE}\n")),
        ("a.spv", HOSTILE.to_owned()),
        ("a.pipe", format!("[Version]\nversion = 75\n[{HOSTILE}]\n[CsGlsl]\n#version 460\n#error {HOSTILE}\n")),
        ("b.pipe", format!("[CsSpvFile]\nfileName = {HOSTILE}.spv\n[CsInfo]\nentryPoint = {HOSTILE}\n")),
        ("a.amber", format!("#!amber\nSHADER compute {HOSTILE} GLSL\n#error {HOSTILE}\nEND\n{HOSTILE}\n")),
        ("a.shader_test", format!("[{HOSTILE}]\n[compute shader]\n#version 460\n#error {HOSTILE}\n")),
        ("a.lanescope-run", format!("{{\"lanescope\": \"{HOSTILE}\"}}")),
        ("a.jsonl", format!("{HOSTILE}\n")),
        ("a.foz", HOSTILE.to_owned()),
        ("a.dxil", format!("DXBC{HOSTILE}")),
    ];
    for (name, text) in &sources {
        let path = files.add(name, text);
        for command in ["inspect", "run", "debug", "corpus", "foz", "slots", "diff", "isa", "graph", "draw"] {
            run(here, &[command], &[&path]);
        }
        run(here, &["corpus", "show"], &[&path]);
        run(here, &["corpus", "--format", "jsonl"], &[&path]);
    }
    let compute = files.add("c.comp", COMPUTE);
    for flag in ["--entry", "--spec", "--define", "--include", "--include-dir", "--pipeline", "--compare", "--variants"]
    {
        run(here, &["inspect", flag, HOSTILE], &[&compute]);
    }
    for commands in [format!("print {HOSTILE}"), format!("break {HOSTILE}"), HOSTILE.to_owned()] {
        run(here, &["debug", "--commands", &commands], &[&compute]);
    }
    run(here, &[HOSTILE], &[]);
    run(here, &["help", HOSTILE], &[]);
    run(here, &["inspect", &format!("--{HOSTILE}")], &[&compute]);
    let response = files.add("words", format!("--{HOSTILE}\n'"));
    run(here, &[&format!("@{}", response.display())], &[]);
    run(here, &["opcodes", "--map", "4=5"], &[&compute]);
}

#[test]
fn json_has_the_exact_names() {
    let files = Files::new();
    let fragment = files.add("a.spvasm", module("Fragment", "OpExecutionMode %main OriginUpperLeft\n"));
    let report = json([&fragment]);
    let text = report.to_string();
    assert_eq!(report["inputs"][0]["path"], fragment.to_str().expect("UTF-8"));
    let exact = serde_json::to_string(&format!("{HOSTILE}i")).expect("JSON");
    assert!(text.contains(exact.trim_matches('"')), "{text}");
}

#[test]
fn formulas_are_guarded_on_request() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = "#version 450\nlayout(local_size_x = 8) in;\nvoid main() {}\n";
    fs::write(folder.path().join("=1+1.comp"), source).expect("the folder is writable");
    let last = |flags: &[&str]| {
        let mut command = lanescope();
        command.current_dir(folder.path()).args(["corpus", "=1+1.comp", "--format", "csv"]).args(flags);
        let output = command.output().expect("starts");
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        text.lines().last().expect("a line").to_owned()
    };
    let (kept, guarded) = (last(&[]), last(&["--guard-formulas"]));
    assert!(kept.starts_with("=1+1.comp,"), "{kept}");
    assert_eq!(guarded, format!("'{kept}"));
}
