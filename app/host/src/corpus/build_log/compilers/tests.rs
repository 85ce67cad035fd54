use super::*;

/// The files of a command with their flags.
fn of(line: &str) -> Result<String, String> {
    let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    let (compiler, arguments) = command(&words).ok_or("no compiler")?;
    let command = Command::read(compiler, arguments, Path::new("/b"))?;
    let files = command.map(|command| command.files).unwrap_or_default();
    Ok(files.iter().map(|(path, flags)| format!("{} {flags}", path.display())).collect::<Vec<_>>().join("; "))
}

#[test]
fn flags_of_glslc_are_known_or_refused() {
    assert_eq!(
        of("glslc -c -O0 -g -D A=1 -DB -Ix -I /y -std=450core -fshader-stage=frag a.glsl -o a.spv -MD -MF a.d")
            .as_deref(),
        Ok(
            "/b/a.glsl target_env=vulkan1.0 std=450core include_directive=on define=A=1 define=B include_dir=/b/x include_dir=/y stage=fragment"
        )
    );
    assert_eq!(
        of("glslc --target-env=vulkan1.2 a.vert b.frag").as_deref(),
        Ok("/b/a.vert target_env=vulkan1.2 include_directive=on; /b/b.frag target_env=vulkan1.2 include_directive=on")
    );
    assert_eq!(
        of("glslc -x hlsl -fshader-stage=compute -fentry-point=go a.hlsl").as_deref(),
        Ok("/b/a.hlsl profile=cs_6_0 hlsl_compiler=glslang target_env=vulkan1.0 include_directive=on entry=go")
    );
    for (line, why) in [
        ("glslc -O a.frag", "unknown flag `-O`"),
        ("glslc -fauto-bind-uniforms a.frag", "unknown flag"),
        ("glslc -E a.frag", "unknown flag `-E`"),
        ("glslc --target-env=opengl a.frag", "unsupported target environment"),
        ("glslc -std=999 a.frag", "not a version"),
        ("glslc -fshader-stage=vertex a.frag", "as stage vertex"),
        ("glslc -fentry-point=go a.frag", "of GLSL is `main`"),
        ("glslc -x hlsl a.frag", "as HLSL"),
        ("glslc -D", "has no value"),
        ("glslc -D1=2 a.frag", "letters"),
        ("glslc -g", "no input file"),
    ] {
        assert!(of(line).is_err_and(|error| error.contains(why)), "{line}: {:?}", of(line));
    }
    assert_eq!(of("glslc --version").as_deref(), Ok(""));
}

#[test]
fn flags_of_glslang_are_known_or_refused() {
    assert_eq!(
        of("env A=1 /x/glslangValidator -V -DA --define-macro B=2 -S comp --glsl-version 460 a.glsl -o a.spv")
            .as_deref(),
        Ok("/b/a.glsl target_env=vulkan1.0 std=460 define=A define=B=2 stage=compute")
    );
    assert_eq!(
        of("glslang --target-env vulkan1.1 -D -e go -S frag a.hlsl").as_deref(),
        Ok("/b/a.hlsl profile=ps_6_0 hlsl_compiler=glslang target_env=vulkan1.1 entry=go")
    );
    for (line, why) in [
        ("glslang a.frag", "neither -V nor"),
        ("glslang -G a.frag", "unknown flag `-G`"),
        ("glslang -V --amb a.frag", "unknown flag `--amb`"),
        ("glslang -V -D a.hlsl", "no flag sets the stage"),
        ("glslang -V -S fragment a.glsl", "unknown stage"),
        ("glslang -V --sep go a.frag", "of GLSL is `main`"),
    ] {
        assert!(of(line).is_err_and(|error| error.contains(why)), "{line}: {:?}", of(line));
    }
}

#[test]
fn the_function_of_the_source_is_the_entry_point() {
    for flag in ["--sep", "--source-entrypoint"] {
        assert_eq!(
            of(&format!("glslang -V -D -S frag -e main {flag} PSMain a.hlsl")).as_deref(),
            Ok("/b/a.hlsl profile=ps_6_0 hlsl_compiler=glslang target_env=vulkan1.0 entry=PSMain")
        );
        assert_eq!(
            of(&format!("glslang -V -e go {flag} main a.frag")).as_deref(),
            Ok("/b/a.frag target_env=vulkan1.0")
        );
    }
}

#[test]
fn of_macros_the_last_flag_counts() {
    let macros = |line: &str| {
        let all = of(line).expect("is read");
        all.split(' ').filter(|word| word.contains("define=")).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(macros("glslang -V -UA -DA=1 a.frag"), "define=A=1");
    assert_eq!(macros("glslang -V --undef-macro A --define-macro A a.frag"), "define=A");
    assert_eq!(macros("glslang -V -DA=1 -DB -UA a.frag"), "define=B undefine=A");
    assert_eq!(macros("glslc -DA=1 -DB -DA=2 a.frag"), "define=B define=A=2");
    assert_eq!(macros("dxc -T ps_6_6 -DA=1 -DA=2 a.hlsl"), "define=A=2");
    // An error of glslang, which it reports.
    assert_eq!(macros("glslang -V -DA=1 -DA=2 a.frag"), "define=A=1 define=A=2");
}

#[test]
fn a_version_that_is_asked_for_does_not_hide_files() {
    assert_eq!(of("glslang -V -v a.frag").as_deref(), Ok("/b/a.frag target_env=vulkan1.0"));
    assert_eq!(of("glslang --version -V a.frag").as_deref(), Ok("/b/a.frag target_env=vulkan1.0"));
    for line in ["glslangValidator -v", "glslc --version a.frag", "glslc --help", "dxc --version"] {
        assert_eq!(of(line).as_deref(), Ok(""), "{line}");
    }
}

#[test]
fn flags_of_dxc_are_known_or_refused() {
    assert_eq!(
        of("dxc -T ps_6_6 -E go -D A=1 -I x -O3 -HV 2021 -Zi -Fo a.dxil a.hlsl").as_deref(),
        Ok(
            "/b/a.hlsl profile=ps_6_6 hlsl_compiler=dxc define=A=1 include_dir=/b/x dxc_arg=-O3 dxc_arg=-HV dxc_arg=2021 entry=go"
        )
    );
    assert_eq!(
        of("dxc.exe -Tcs_6_0 -Emain a.hlsl -Foa.dxil -WX").as_deref(),
        Ok("/b/a.hlsl profile=cs_6_0 hlsl_compiler=dxc entry=main")
    );
    for (line, why) in [
        ("dxc -T ps_6_6 -spirv a.hlsl", "unknown flag `-spirv`"),
        ("dxc -T rootsig_1_1 a.hlsl", "not a profile"),
        ("dxc a.hlsl", "no profile (-T)"),
        ("dxc -T ps_6_6 a.txt", "expected a name that ends in .hlsl"),
    ] {
        assert!(of(line).is_err_and(|error| error.contains(why)), "{line}: {:?}", of(line));
    }
}

#[test]
fn flags_of_slang_are_known_or_refused() {
    assert_eq!(
        of("slangc a.slang -target spirv -profile spirv_1_5 -entry go -stage compute -D A=1 -Ix -O2 -o a.spv")
            .as_deref(),
        Ok(
            "/b/a.slang define=A=1 include_dir=/b/x slang_arg=-profile slang_arg=spirv_1_5 slang_arg=-O2 entry=go stage=compute"
        )
    );
    assert_eq!(
        of("/opt/bin/slangc -g2 -fvk-b-shift 10 0 -o a.spv a.slang").as_deref(),
        Ok("/b/a.slang slang_arg=-fvk-b-shift slang_arg=10 slang_arg=0")
    );
    for (line, why) in [
        ("slangc a.slang -target dxil -o a.dxil", "does not compile for Vulkan"),
        ("slangc a.slang", "neither -target spirv"),
        ("slangc a.hlsl -target spirv", "expected a name that ends in .slang"),
        ("slangc a.slang -target spirv -obfuscate", "unknown flag `-obfuscate`"),
        ("slangc a.slang -target spirv -entry", "has no value"),
        ("slangc a.slang -target spirv -stage colour", "unknown stage"),
        ("slangc a.slang -target spirv -entry a -stage vertex -entry b -stage fragment", "several stages"),
        ("slangc -target spirv -o a.spv", "no input file"),
    ] {
        assert!(of(line).is_err_and(|error| error.contains(why)), "{line}: {:?}", of(line));
    }
    assert_eq!(of("slangc -v").as_deref(), Ok(""));
}

#[test]
fn a_compiler_is_the_first_word_of_a_command() {
    for line in ["echo glslc a.frag", "install glslc /usr/bin", "glslc-bench a.frag", "python dxc.py"] {
        assert_eq!(of(line), Err("no compiler".to_owned()), "{line}");
    }
    for line in ["env echo glslc a.frag", "nice -n glslc a.frag", "timeout glslc a.frag", "time -p echo glslc"] {
        assert_eq!(of(line), Err("no compiler".to_owned()), "{line}");
    }
    for start in ["[12/90] + ccache", "nice -n 5", "nice -5", "env -u A -i B=1", "time -p", "timeout -k 5 60 nice"] {
        assert!(of(&format!("{start} /x/glslc a.frag")).is_ok(), "{start}");
    }
}
