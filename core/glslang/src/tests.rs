use super::*;

fn compiled(text: &str, stage: StageKind, lines: bool) -> Result<Vec<u32>, String> {
    let source = Source { text, language: Language::Glsl, stage, lines, macros: &[], env: TargetEnv::Vulkan13 };
    compile(&source, &mut NoIncludes).map(|compiled| compiled.words)
}

/// The opcodes of a module's instructions, in order.
fn opcodes(words: &[u32]) -> Vec<u32> {
    let (mut at, mut out) = (5, Vec::new());
    while let Some(&word) = words.get(at) {
        out.push(word & 0xffff);
        at += (word >> 16) as usize;
    }
    out
}

const LINE: u32 = 8;

#[test]
fn lines_are_there_where_they_are_asked_for() {
    let text = "#version 460\nlayout(location = 0) out vec4 color;\nvoid main() {\n  color = vec4(1.0);\n}\n";
    assert!(!opcodes(&compiled(text, StageKind::Fragment, false).expect("compiles")).contains(&LINE));
    assert!(opcodes(&compiled(text, StageKind::Fragment, true).expect("compiles")).contains(&LINE));
}

#[test]
fn messages_name_the_line() {
    let error = compiled("#version 460\nvoid main() {\n  x = 1;\n}\n", StageKind::Compute, true).expect_err("no x");
    assert!(error.starts_with("ERROR: 0:3: 'x'"), "{error}");
    let error = compiled("#version 110\nvoid main() {}\n", StageKind::Vertex, false).expect_err("too old");
    assert!(error.contains("version 140 or higher"), "{error}");
    assert!(compiled("void\0main", StageKind::Vertex, false).expect_err("a zero byte").contains("0x4"));
}

#[test]
fn rejects_a_version_that_overflows() {
    let text = |version: &str| format!("/* */ # version {version}\nvoid main() {{}}\n");
    assert!(compiled(&text("0000000000460"), StageKind::Compute, false).is_ok());
    // In 32 bits it is 460.
    let error = compiled(&text("4294967756"), StageKind::Compute, false).expect_err("is too large");
    assert_eq!(error, "ERROR: 0:1: '#version' : 4294967756 is not a version");
}

#[test]
fn includes_are_asked_for_with_their_includer() {
    struct Two(Vec<(String, String, usize)>);
    impl Includes for Two {
        fn include(&mut self, name: &str, includer: &str, depth: usize) -> Option<Include> {
            self.0.push((name.to_owned(), includer.to_owned(), depth));
            let text = match name {
                "a.glsl" => "#include <b.glsl>\n",
                "b.glsl" => "const float one = 1.0;\n",
                _ => return None,
            };
            Some(Include { name: format!("/{name}"), text: text.to_owned() })
        }
    }
    let text = "#version 460\n#extension GL_GOOGLE_include_directive : require\n#include \"a.glsl\"\n\
                layout(location = 0) out float color;\nvoid main() { color = one; }\n";
    let mut two = Two(Vec::new());
    let source = Source {
        text,
        language: Language::Glsl,
        stage: StageKind::Fragment,
        lines: false,
        macros: &[],
        env: TargetEnv::Vulkan13,
    };
    let compiled = compile(&source, &mut two).expect("compiles");
    assert!(compiled.preprocessed.contains("one"), "{}", compiled.preprocessed);
    let asked: Vec<_> =
        two.0.iter().map(|(name, includer, depth)| (name.as_str(), includer.as_str(), *depth)).collect();
    assert_eq!(asked, [("a.glsl", "", 1), ("b.glsl", "/a.glsl", 2)]);
    let missing = text.replace("a.glsl", "c.glsl");
    let error = compile(&Source { text: &missing, ..source }, &mut two).expect_err("is not there");
    assert!(error.contains("c.glsl"), "{error}");
}

#[test]
fn hlsl_has_entry_points_by_name() {
    let language = Language::Hlsl { entry: "first", narrow: true };
    let source = Source {
        text: "RWBuffer<uint> b; [numthreads(4, 1, 1)] void first() { b[0] = 1; }",
        language,
        stage: StageKind::Compute,
        lines: true,
        macros: &[],
        env: TargetEnv::Vulkan13,
    };
    let words = compile(&source, &mut NoIncludes).expect("compiles").words;
    assert!(opcodes(&words).contains(&LINE));
}

#[test]
fn macros_are_defined_before_the_text() {
    let macros = ["SIZE=4".to_owned(), "FLAG".to_owned()];
    let glsl = "#version 460\nlayout(local_size_x = SIZE) in;\nlayout(set = 0, binding = 0) buffer B { int x; };\n\
                void main() { x = FLAG; }\n";
    let hlsl = "RWBuffer<uint> b; [numthreads(SIZE, 1, 1)] void first() { b[0] = FLAG; }";
    for (text, language) in [(glsl, Language::Glsl), (hlsl, Language::Hlsl { entry: "first", narrow: false })] {
        let source = Source {
            text,
            language,
            stage: StageKind::Compute,
            lines: true,
            macros: &macros,
            env: TargetEnv::Vulkan13,
        };
        compile(&source, &mut NoIncludes).expect("compiles");
        let error = compile(&Source { macros: &macros[..1], ..source }, &mut NoIncludes).expect_err("FLAG is missing");
        assert!(error.contains("FLAG"), "{error}");
        // It would join the next definition, or the first line of the text.
        let joining = ["SIZE=4\\".to_owned(), "FLAG".to_owned()];
        let error = compile(&Source { macros: &joining, ..source }, &mut NoIncludes).expect_err("is refused");
        assert!(error.contains("macro SIZE ends with `\\`"), "{error}");
    }
}

/// The compiler's tables are shared by all threads of a process.
#[test]
fn texts_compile_at_the_same_time() {
    let one = |n: u32| {
        let text = format!("#version 460\nlayout(local_size_x = {}) in;\nvoid main() {{}}\n", n + 1);
        compiled(&text, StageKind::Compute, n.is_multiple_of(2)).expect("compiles").len()
    };
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..8).map(|n| scope.spawn(move || one(n))).collect();
        all.into_iter().for_each(|thread| assert!(thread.join().expect("ends") > 5));
    });
}

#[test]
fn validity_is_that_of_the_validator() {
    use spirv_tools_sys::shared::TargetEnv as Rules;

    let text = "#version 460\nlayout(location = 0) out vec4 color;\nvoid main() {\n  color = vec4(1.0);\n}\n";
    let mut words = compiled(text, StageKind::Fragment, false).expect("compiles");
    assert!(is_valid(&words, Rules::Vulkan_1_4));
    assert!(!is_valid(&words[..words.len() - 1], Rules::Vulkan_1_4), "its last function has no end");
    // Its id bound.
    words[3] = 1;
    assert!(!is_valid(&words, Rules::Vulkan_1_4));
    assert!(!is_valid(&[], Rules::Vulkan_1_4));
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn what_is_reserved_stays_free_in_the_heap() {
    const BYTES: usize = 24 << 20;
    heap::reserve(BYTES);
    // Small blocks come from it, and do not give it back.
    drop((0..1000).map(|n| vec![1u8; n]).collect::<Vec<_>>());
    // SAFETY: it reads counters of the heap.
    let free = unsafe { libc::mallinfo2() }.fordblks;
    assert!(free >= BYTES / 2, "{free} bytes are free");
}

/// A version of Vulkan has its version of SPIR-V.
#[test]
fn environments_have_versions() {
    let text = "#version 460\nlayout(local_size_x = 8) in;\nvoid main() {}\n";
    let of = |env: &TargetEnv| {
        let stage = StageKind::Compute;
        let source = Source { text, language: Language::Glsl, stage, lines: false, macros: &[], env: *env };
        compile(&source, &mut NoIncludes).expect("compiles").words[1]
    };
    let all: Vec<u32> = TargetEnv::ALL.iter().map(of).collect();
    assert_eq!(all, [0x1_0000, 0x1_0300, 0x1_0500, 0x1_0600, 0x1_0600]);
    for (env, word) in TargetEnv::ALL.iter().zip(all) {
        let (major, minor) = env.spirv();
        assert_eq!(word, u32::from(major) << 16 | u32::from(minor) << 8, "{env}");
    }
}
