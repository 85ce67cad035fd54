//! Another validator than the one that is built in: a script stands in for `spirv-val`, with its options, its messages and
//! its exit status.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::common::{lanescope, outcome};
use serde_json::Value;

/// A compute shader with a capability.
fn module(capability: &str) -> String {
    format!(
        "; Version: 1.3\nOpCapability Shader\nOpCapability {capability}\nOpMemoryModel Logical GLSL450\n\
         OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 8 1 1\n%void = OpTypeVoid\n\
         %fn = OpTypeFunction %void\n%main = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n"
    )
}

/// A capability that no SPIRV-Tools knows.
const UNKNOWN: &str = "!31999";

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        Place { folder: tempfile::tempdir().expect("a folder") }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn module(&self, capability: &str) -> String {
        let path = self.path(&format!("{}.spvasm", capability.trim_start_matches('!')));
        fs::write(&path, module(capability)).expect("writes");
        path.display().to_string()
    }

    /// A program that does this with any arguments.
    fn program(&self, name: &str, body: &str) -> String {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("makes it");
        fs::write(&path, format!("#!/bin/sh\n{body}\n")).expect("writes");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
        path.display().to_string()
    }

    /// A validator of a version, which does this with a module on standard input; `$*` are its arguments.
    fn validator(&self, name: &str, version: &str, body: &str) -> String {
        let body = format!(
            "case \"$1\" in\n--version) echo 'SPIRV-Tools {version} unknown hash, 2026-10-02T11:54:22+00:00';;\n\
             --help) echo \"$0 - Validate a SPIR-V binary file(s).\"\n\
             echo '  --target-env {{vulkan1.0|vulkan1.1spv1.4|vulkan1.3|vulkan1.9|spv1.5|spv1.6|opencl2.2}}';;\n\
             *) {body};;\nesac"
        );
        self.program(name, &body)
    }
}

fn report(arguments: &[&str]) -> Value {
    let (status, out, errors) = outcome(arguments.iter().copied().chain(["--format", "json"]));
    assert!(status <= 1, "{arguments:?}: {errors}");
    serde_json::from_str(&out).expect("JSON")
}

fn message<'r>(report: &'r Value, code: &str) -> &'r str {
    let findings = report["findings"].as_array().expect("findings");
    let found =
        findings.iter().find(|finding| finding["code"] == code).unwrap_or_else(|| panic!("no {code}: {findings:?}"));
    found["message"].as_str().expect("a text")
}

#[test]
fn another_validator_judges_instead_of_the_one_built_in() {
    let place = Place::new();
    let path = place.module(UNKNOWN);
    let (status, _, errors) = outcome(["inspect", &path]);
    assert!(status == 2 && errors.contains("invalid SPIR-V, instruction #1"), "{errors}");
    let (words, line) = (place.path("words"), place.path("line"));
    let body = format!("echo \"$*\" >> {}; cat > {}", line.display(), words.display());
    let validator = place.validator("spirv-val", "v2999.1", &body);
    for isolate in [&[][..], &["--in-process"]] {
        let report = report(&[&["inspect", &path, "--validator", &validator][..], isolate].concat());
        assert_eq!(report["options"]["validator"].as_str(), Some(validator.as_str()));
        assert!(!report["findings"].to_string().contains("L006"), "{report}");
    }
    let lines = fs::read_to_string(&line).expect("it was asked");
    assert_eq!(lines.lines().next(), Some("--target-env vulkan1.9 --scalar-block-layout -"));
    let words = fs::read(&words).expect("it was given the module");
    assert!(words.starts_with(&0x0723_0203u32.to_le_bytes()) && words.len() % 4 == 0 && words.len() > 100);
    // Other commands that open files take it, too.
    let out = place.path("a.svg").display().to_string();
    let (status, _, errors) = outcome(["draw", &path, "--view", "workgroup", "-o", &out, "--validator", &validator]);
    assert_eq!(status, 0, "{errors}");
}

#[test]
fn its_errors_are_errors_and_findings_with_its_version() {
    let place = Place::new();
    let path = place.module("Float64");
    let says = "echo 'warning: line 1: odd'; echo 'error: line 6: the type is odd' >&2; echo '  %void = OpTypeVoid' >&2; exit 1";
    let validator = place.validator("spirv-val", "v2999.1", says);
    let (status, _, errors) = outcome(["inspect", &path, "--validator", &validator]);
    let expected = "invalid SPIR-V (SPIRV-Tools v2999.1), instruction #5";
    assert!(status == 2 && errors.contains(expected) && errors.contains("the type is odd"), "{errors}");
    assert!(errors.contains("line 7: %void = OpTypeVoid"), "{errors}");
    let open = report(&["inspect", &path, "--validator", &validator, "--no-validate"]);
    assert!(message(&open, "L006").contains("SPIRV-Tools v2999.1"), "{open}");
    // A rule that is tolerated; then the rest is validated without Vulkan's rules.
    let rule = "[VUID-StandaloneSpirv-None-10684] Invalid explicit layout decorations on type for operand 1";
    let says = format!("case \"$2\" in *vulkan*) echo 'error: line 0: {rule}' >&2; exit 1;; esac");
    let validator = place.validator("tolerated", "v2999.2-dev", &says);
    let open = report(&["inspect", &path, "--validator", &validator]);
    let said = message(&open, "L008");
    assert!(said.starts_with("SPIRV-Tools v2999.2-dev: ") && said.contains("10684"), "{said}");
}

#[test]
fn auto_takes_the_newest_one_on_path_where_it_is_newer() {
    let place = Place::new();
    let path = place.module(UNKNOWN);
    let refuses = "echo 'error: line 2: not by me' >&2; exit 1";
    place.validator("new/spirv-val", "v2998.12", refuses);
    place.validator("newest/spirv-val", "v2999.1", "cat > /dev/null");
    place.validator("old/spirv-val", "v2001.1", "cat > /dev/null");
    place.program("other/spirv-val", "echo hello");
    let with = |folders: &[&str]| {
        let folders: Vec<PathBuf> = folders.iter().map(|folder| place.path(folder)).collect();
        std::env::join_paths(folders.iter().map(PathBuf::as_path).chain([Path::new("/bin")])).expect("a PATH")
    };
    let inspect = |folders: &[&str]| {
        let mut command = lanescope();
        let output = command.args(["inspect", &path, "--validator", "auto"]).env("PATH", with(folders)).output();
        let output = output.expect("starts");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(inspect(&["other", "new", "newest", "old"]).0, Some(0));
    let (status, errors) = inspect(&["old", "new"]);
    assert!(status == Some(2) && errors.contains("(SPIRV-Tools v2998.12)") && errors.contains("not by me"), "{errors}");
    for folders in [&["old"][..], &["other"], &[]] {
        let (status, errors) = inspect(folders);
        assert!(status == Some(2) && errors.contains("invalid SPIR-V, instruction #1"), "{errors}");
    }
    let output = lanescope().arg("doctor").env("PATH", with(&["old", "newest", "other"])).output().expect("starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find(|line| line.contains("spirv-val")).expect("names them").to_owned();
    for part in [
        "found    SPIRV-Tools v20",
        ", built in; ",
        "old/spirv-val: SPIRV-Tools v2001.1; ",
        "newest/spirv-val: SPIRV-Tools v2999.1, which --validator auto takes; ",
        "other/spirv-val: cannot be used: not spirv-val: `--version` prints `hello`",
    ] {
        assert!(line.contains(part), "{part}: {line}");
    }
}

#[test]
fn what_cannot_be_used_is_said() {
    let place = Place::new();
    let path = place.module("Float64");
    let plain = place.path("plain").display().to_string();
    fs::write(&plain, "#!/bin/sh\n").expect("writes");
    let assembler =
        "case $1 in --version) echo 'SPIRV-Tools v2999.1 x';; *) echo 'spirv-as - Create a SPIR-V binary';; esac";
    let cases = [
        (place.path("nothing").display().to_string(), "no such file"),
        (place.path("").display().to_string(), "not a regular file"),
        (plain, "not executable"),
        (place.program("echo", "echo hello"), "not spirv-val: `--version` prints `hello`"),
        (place.program("assembler", assembler), "not spirv-val: `--help` prints `spirv-as - Create a SPIR-V binary`"),
        (place.program("fails", "echo no >&2; exit 7"), "`--version` ended with exit status: 7: no"),
        (place.program("hangs", "sleep 100"), "it did not end within 5 s"),
        (place.validator("prints", "v2999.1", "yes x"), "it printed more than 65536 bytes"),
        (place.validator("complains", "v2999.1", "yes x >&2"), "it printed more than 65536 bytes"),
        (place.validator("crashes", "v2999.1", "kill -SEGV $$"), "it ended with signal: 11 (SIGSEGV)"),
        (
            place.validator("odd", "v2999.1", "echo 'error: Unknown argument' >&2; exit 1"),
            "named no error: error: Unknown argument",
        ),
        (place.validator("waits", "v2999.1", "sleep 100 & sleep 100"), "it did not end within 10 s"),
    ];
    let start = Instant::now();
    std::thread::scope(|scope| {
        for (validator, why) in &cases {
            let path = &path;
            scope.spawn(move || {
                // Neither is it ignored where a module may be invalid.
                for more in [&[][..], &["--no-validate"]] {
                    let line = [&["inspect", path, "--validator", validator][..], more].concat();
                    let (status, _, errors) = outcome(line);
                    assert_eq!(status, 2, "{validator}: {errors}");
                    assert!(errors.contains(&format!("validator {validator}: ")) && errors.contains(why), "{errors}");
                }
            });
        }
    });
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    let (status, _, errors) = outcome(["inspect", &path, "--validator", ""]);
    assert!(status == 2 && errors.contains("expected a path or `auto`"), "{errors}");
}
