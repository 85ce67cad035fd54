//! Steps that change an answer.

use std::path::Path;
use std::process::Command;

use crate::common::{file, outcome};

const FRAGMENT: &str = "#version 450
layout(location = 0) in vec4 v; layout(location = 0) out vec4 color;
layout(push_constant) uniform P { vec4 fog; vec4 light; };
void main() {
    color = v;
#ifdef FOG
    color = mix(color, fog, exp2(v.w));
#endif
#ifdef ROOT
    color.x = inversesqrt(color.x);
#endif
#ifdef LIGHTS
    for (int i = 0; i < LIGHTS; i++) color += light * float(i);
#endif
}
";

#[test]
fn the_macro_that_brings_an_instruction_is_named() {
    let (_source, path) = file("lit.frag", FRAGMENT);
    let (folder, path) = (tempfile::tempdir().expect("a temporary folder"), path.to_string_lossy().into_owned());
    let out = folder.path().join("small").to_string_lossy().into_owned();
    let condition = "text matches /v_rsq_f32/";
    let common = ["bisect", &path, "--while", condition, "--from", "-D LIGHTS=1", "--to"];
    let to = "-D FOG=1 -D LIGHTS=4 -D ROOT --no-pack";
    let (status, stdout, stderr) = outcome(common.into_iter().chain([to, "-o", &out]));
    assert_eq!((status, stderr.as_str()), (0, ""), "{stdout}");
    assert!(stdout.starts_with("nothing to -D ROOT\n"), "{stdout}");
    for expected in ["before: ", "does not hold", "-D ROOT: holds: ", "4 of 5 places asked"] {
        assert!(stdout.contains(expected), "{expected}: {stdout}");
    }
    let text = std::fs::read_to_string(Path::new(&out).join("frag.spvasm")).expect("is written");
    assert!(text.contains("InverseSqrt") && !text.contains("Exp2"), "{text}");
    // Ends that say the same have no step between them.
    let (status, stdout, stderr) = outcome(common.into_iter().chain(["-D FOG"]));
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(stderr.contains("the condition does not hold at both ends:\n  -D LIGHTS=1: "), "{stderr}");
}

/// What lanescope.toml says counts at each place.
#[test]
fn the_workspace_file_counts_at_each_place() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = "#version 450\nlayout(location = 0) out vec4 color;\nvoid main() {\n\
        #ifdef BASE\n#ifdef MORE\ncolor = vec4(inversesqrt(gl_FragCoord.x));\n#else\ncolor = vec4(1);\n#endif\n#endif\n}\n";
    std::fs::write(folder.path().join("a.frag"), text).expect("writable");
    std::fs::write(folder.path().join("lanescope.toml"), "defines = [\"BASE\"]\n").expect("writable");
    let path = folder.path().join("a.frag");
    let path = path.to_str().expect("UTF-8");
    let of = |more: &[&str]| {
        let asked = ["bisect", path, "--while", "text matches /v_rsq_f32/", "--from=", "--to=-DMORE"];
        outcome(asked.iter().chain(more))
    };
    let (status, stdout, stderr) = of(&[]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stdout.contains("MORE") && stderr.contains("lanescope.toml"), "{stdout}{stderr}");
    // Without it both ends are the same.
    let (status, _, stderr) = of(&["--no-config"]);
    assert_eq!(status, 2, "{stderr}");
}

#[test]
fn the_lines_that_bring_it_are_shown() {
    let (_source, before) = file("lit.frag", FRAGMENT);
    let after = FRAGMENT.replace("color = v;", "color = v * 2.0;").replace("#ifdef ROOT\n", "#ifndef ROOT\n");
    let after = after.replace("float(i);", "float(i) + 1.0;");
    let (_other, after) = file("new.frag", after);
    let (before, after) = (before.to_string_lossy().into_owned(), after.to_string_lossy().into_owned());
    let condition = "text matches /v_rsq_f32/";
    let (status, stdout, stderr) = outcome(["bisect", &before, "--against", &after, "--while", condition]);
    assert_eq!((status, stderr.as_str()), (0, ""), "{stdout}");
    let expected = ":9\n  - #ifdef ROOT\n  + #ifndef ROOT\n  before: with 1 group of the second: does not hold";
    assert!(stdout.contains(expected), "{stdout}");
}

#[test]
fn the_commit_that_brings_it_is_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.arg("-C").arg(folder.path()).args(["-c", "user.name=t", "-c", "user.email=t@t"]).args(arguments);
        let done = command.output().expect("git is installed");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    git(&["init", "-q"]);
    let path = folder.path().join("lit.frag");
    let versions = [
        ("first", FRAGMENT.to_owned()),
        ("broken", "not GLSL".to_owned()),
        ("fog", FRAGMENT.replace("#ifdef FOG", "#ifndef FOG")),
        ("root", FRAGMENT.replace("#ifdef ROOT", "#ifndef ROOT")),
        ("a comment", FRAGMENT.replace("#ifdef ROOT", "#ifndef ROOT // always")),
    ];
    for (title, text) in &versions {
        std::fs::write(&path, text).expect("writes");
        git(&["add", "."]);
        git(&["commit", "-q", "-m", title]);
    }
    let path = path.to_string_lossy().into_owned();
    let bisect = |range: &str| outcome(["bisect", &path, "--commits", range, "--while", "text matches /v_rsq_f32/"]);
    let (status, stdout, stderr) = bisect("HEAD~4..HEAD");
    assert_eq!((status, stderr.as_str()), (0, ""), "{stdout}");
    let first = stdout.lines().next().unwrap_or_default();
    assert!(first.ends_with(" root"), "{stdout}");
    assert!(stdout.contains(" fog: does not hold"), "{stdout}");
    // A commit that does not compile is passed over, and is said to be beside the step.
    let (status, stdout, _) = bisect("HEAD~3..HEAD");
    assert_eq!(status, 2, "{stdout}");
    for (range, expected) in
        [("HEAD..HEAD~2", "is not an ancestor of"), ("HEAD", "expected OLD..NEW"), ("x..HEAD", "git rev-parse")]
    {
        let (status, _, stderr) = bisect(range);
        assert!(status == 2 && stderr.contains(expected), "{range}: {stderr}");
    }
}

#[test]
fn what_differs_has_to_be_said() {
    let (_source, path) = file("lit.frag", FRAGMENT);
    let path = path.to_string_lossy().into_owned();
    let (status, _, stderr) = outcome(["bisect", &path, "--while", "crashes"]);
    assert!(status == 2 && stderr.contains("--from and --to, --against, --commits, or several drivers"), "{stderr}");
    let flags = ["--from", "-D A", "--to", "-D B", "--target", "gfx1100"];
    let (status, _, stderr) = outcome(["bisect", &path, "--while", "crashes"].into_iter().chain(flags));
    assert!(status == 2 && stderr.contains("--target: options stand in --from and in --to"), "{stderr}");
}
