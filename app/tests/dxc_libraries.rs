//! What stands in the place of libdxcompiler: libraries that are too old, that crash, hang, or are something else. They are
//! made here, of C. HLSL through the real one is in `dxc.rs`.

use crate::common;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Objects with tables of functions as libdxcompiler's. Before version 1.7.2212 destructors were among them.
const LIBRARY: &str = r#"
    #include <signal.h>
    #include <unistd.h>
    static int query(void *self, const void *name, void **out) { *out = self; return 0; }
    static unsigned count(void *self) { return 1; }
    static int not_implemented(void *self) { return (int)0x80004001; }
    static int pointer(void *self) { return (int)0x80004003; }
    static int unusable(void *self) { signal(SIGSEGV, SIG_DFL); raise(SIGSEGV); return 0; }
    static int compile(void *self) { signal(SIGABRT, SIG_DFL); signal(SIGSEGV, SIG_DFL); END; return (int)0x80004005; }
    #ifdef EARLIER
    static void *tools_table[16] = {query, unusable, unusable, unusable, unusable, not_implemented, unusable, unusable};
    #else
    static void *tools_table[16] = {query, count, count, not_implemented, unusable, pointer, unusable, unusable};
    #endif
    static void *compiler_table[16] = {query, count, count, compile};
    static void **tools = tools_table, **compiler = compiler_table;
    int DxcCreateInstance(const unsigned *class, const void *name, void **out) {
        *out = *class == 0x6245d6af ? &tools : &compiler;
        return 0;
    }
"#;

/// A library of a C text, with macros.
fn library(name: &str, text: &str, macros: &[&str]) -> (tempfile::TempDir, PathBuf) {
    let (folder, source) = common::file("library.c", text);
    let file = folder.path().join(name);
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut command = Command::new(compiler);
    command.args(["-shared", "-fPIC", "-w", "-o"]).arg(&file).arg(source).args(macros);
    assert!(command.status().expect("the C compiler starts").success());
    (folder, file)
}

/// Runs the program with a library in DXC's place.
fn outcome(library: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = common::lanescope().args(arguments).env("LANESCOPE_DXCOMPILER", library).output().expect("starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn shader() -> (tempfile::TempDir, String) {
    let (folder, path) = common::file("a.cs.hlsl", "[numthreads(1, 1, 1)] void main() {}\n");
    (folder, path.to_string_lossy().into_owned())
}

#[test]
fn an_earlier_version_is_named_with_the_oldest_that_works() {
    let (folder, earlier) = library("libdxcompiler.so", LIBRARY, &["-DEARLIER", "-DEND=raise(SIGSEGV)"]);
    let (_shader, path) = shader();
    for place in [&[][..], &["--in-process"]] {
        let (status, _, stderr) = outcome(&earlier, &[&["inspect", &path], place].concat());
        assert_eq!(status, Some(3), "{stderr}");
        for words in ["libdxcompiler.so is older than version 1.7.2212", "--hlsl-compiler glslang"] {
            assert!(stderr.contains(words), "{words}: {stderr}");
        }
    }
    let (status, _, stderr) = outcome(&earlier, &["inspect", &path, "--hlsl-compiler", "glslang"]);
    assert_eq!((status, stderr.as_str()), (Some(0), ""));
    let (_, stdout, _) = outcome(&earlier, &["doctor"]);
    assert!(stdout.contains("partial") && stdout.contains("1.7.2212"), "{stdout}");
    assert!(stdout.contains("works: glslang") && stdout.contains("--hlsl-compiler glslang"), "{stdout}");
    // Where nobody names it, the other compiler is chosen.
    let found = |arguments: &[&str]| {
        let mut command = common::lanescope();
        command.args(arguments).env_remove("LANESCOPE_DXCOMPILER").env("LD_LIBRARY_PATH", folder.path());
        command.output().expect("starts")
    };
    let output = found(&["inspect", &path, "--format", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(report["inputs"][0]["compiler"].as_str().is_some_and(|name| name.starts_with("glslang")), "{report}");
    let output = found(&["doctor"]);
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.contains("glslang") && stdout.contains("older than version 1.7.2212"), "{stdout}");
}

#[test]
fn crashes_and_hangs_name_the_compiler() {
    let (_shader, path) = shader();
    for (end, what, how) in [
        ("raise(SIGSEGV)", "crashed while compiling", "SIGSEGV"),
        ("raise(SIGABRT)", "crashed while compiling", "SIGABRT"),
        ("_exit(3)", "ended without an answer while compiling", "exit status 3"),
    ] {
        let (_folder, library) = library("crashing.so", LIBRARY, &[&format!("-DEND={end}")]);
        let (status, _, stderr) = outcome(&library, &["inspect", &path]);
        assert_eq!(status, Some(2), "{stderr}");
        for words in [what, "a.cs.hlsl with the DirectX shader compiler", "crashing.so", how] {
            assert!(stderr.contains(words), "{words}: {stderr}");
        }
        assert!(!stderr.contains("lanescope worker: now"), "{stderr}");
        let (_, stdout, _) = outcome(&library, &["doctor"]);
        assert!(stdout.contains("DirectX shader compiler") && stdout.contains("works: glslang"), "{stdout}");
        // After it, others are not blamed.
        let (status, _, stderr) = outcome(&library, &["inspect", &path, "--hlsl-compiler", "glslang"]);
        assert_eq!((status, stderr.as_str()), (Some(0), ""));
    }
    let (_folder, library) = library("waiting.so", LIBRARY, &["-DEND=for(;;) sleep(1)"]);
    let (status, _, stderr) = outcome(&library, &["inspect", &path, "--timeout", "1"]);
    assert_eq!(status, Some(2), "{stderr}");
    assert!(stderr.contains("with the DirectX shader compiler") && stderr.contains("waiting.so"), "{stderr}");
    assert!(stderr.contains("took longer than 1 s"), "{stderr}");
}

#[test]
fn other_libraries_are_told_apart() {
    let (_shader, path) = shader();
    let (_folder, other) = library("other.so", "int something;", &[]);
    let (status, _, stderr) = outcome(&other, &["inspect", &path]);
    assert_eq!(status, Some(3), "{stderr}");
    assert!(stderr.contains("other.so") && stderr.contains("DxcCreateInstance"), "{stderr}");
    // One whose calls fail.
    let (_folder, failing) = library("failing.so", LIBRARY, &["-DEND="]);
    let (status, _, stderr) = outcome(&failing, &["inspect", &path]);
    assert_eq!(status, Some(3), "{stderr}");
    assert!(stderr.contains("IDxcCompiler3::Compile returned 0x80004005"), "{stderr}");
}
