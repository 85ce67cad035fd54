//! Descriptions of pipelines as a user opens them: the text page, options that they set, databases listed and written.

use std::path::Path;

use crate::common;
use crate::common::{file, json, outcome, samples};
use serde_json::Value;

/// The codes of the findings about descriptions.
fn codes(report: &Value) -> Vec<&str> {
    let findings = report["findings"].as_array().expect("findings").iter();
    let codes = findings.filter_map(|finding| finding["code"].as_str());
    codes.filter(|code| code.starts_with("pipe.") || code.starts_with("foz.")).collect()
}

#[test]
fn prints_a_description() {
    for name in ["textured_quad.pipe", "tiled_blur.pipe", "tiled_blur.foz"] {
        let (status, stdout, stderr) = outcome(["inspect", &format!("samples/{name}")]);
        assert_eq!((status, stderr.as_str()), (0, ""), "{name}");
        let start = stdout.find("Pipeline  ").expect("a section");
        let rest = &stdout[start..];
        let end = ["\nPacking  ", "\nWorkgroup  ", "\nRegisters  "].iter().filter_map(|next| rest.find(next)).min();
        insta::assert_snapshot!(format!("page_{name}"), &rest[..end.unwrap_or(rest.len())]);
    }
}

#[test]
fn applies_options_of_a_description_unless_overridden() {
    let report = json(["samples/tiled_blur.pipe"]);
    let options = &report["options"];
    assert_eq!((&options["reconfig"], &options["force_swizzle"]), (&Value::Bool(true), &Value::Bool(true)));
    assert_eq!((options["wave"].as_str(), options["group_tile"].as_u64()), (Some("64"), Some(8)));
    assert_eq!(report["spec_constants"][0]["value"], "2", "the description's constant is set");
    assert_eq!(report["pipeline"]["kind"], "compute");
    let given = json(["samples/tiled_blur.pipe", "--wave", "32", "--spec", "3=4"]);
    assert_eq!((given["options"]["wave"].as_str(), &given["spec_constants"][0]["value"]), (Some("32"), &"4".into()));
    let own = json(["samples/tiled_blur.pipe", "--own-options"]);
    assert_eq!((&own["options"]["reconfig"], own["options"]["wave"].as_str()), (&Value::Bool(false), Some("auto")));
    let quad = json(["samples/textured_quad.pipe"]);
    assert_eq!(quad["options"]["color"]["0"], "R16G16B16A16_SFLOAT:blend");
    assert_eq!(quad["packing"]["producer"], "vertex");
}

#[test]
fn loads_the_same_description_in_a_child() {
    assert_eq!(json(["samples/textured_quad.pipe"]), json(["samples/textured_quad.pipe", "--in-process"]));
}

#[test]
fn reads_named_files_in_the_descriptions_folder_only() {
    let names = "[CsSpvFile]\nfileName = blur.spv\n[CsInfo]\nentryPoint = main\n";
    let (folder, path) = file("a.pipe", names);
    let path = path.to_string_lossy().into_owned();
    let (status, _, stderr) = outcome(["inspect", &path]);
    assert_eq!(status, 2);
    assert!(stderr.contains("a.pipe, line 2: ") && stderr.contains("blur.spv"), "{stderr}");
    let shader = "#version 450\nlayout(local_size_x = 8, local_size_y = 8) in;\nvoid main() {}\n";
    std::fs::write(folder.path().join("blur.spv"), common::bytes(&common::spirv("a.comp", shader))).expect("writes");
    let report = json([&path]);
    assert_eq!((report["workgroup"][0]["size"][0].as_u64(), codes(&report)), (Some(8), vec![]));
    std::fs::write(&path, names.replace("blur.spv", "../blur.spv")).expect("writes");
    let (status, _, stderr) = outcome(["inspect", &path]);
    assert_eq!(status, 2);
    assert!(stderr.contains("leaves the folder"), "{stderr}");
    let other = "[VsSpvFile]\nfileName = /a.spv\n[VsInfo]\nentryPoint = main\n[FsGlsl]\n#version 450\nvoid main() {}\n\
                 [FsInfo]\nentryPoint = main\n";
    std::fs::write(&path, other).expect("writes");
    assert_eq!(codes(&json([&path])), ["pipe.path-outside"]);
}

#[test]
fn names_a_broken_stage_and_opens_the_others() {
    let text = "[VsGlsl]\n#version 450\nvoid main() { gl_Position = vec4(nothing); }\n[VsInfo]\nentryPoint = main\n\
                [FsGlsl]\n#version 450\nlayout(location = 0) out vec4 o;\nvoid main() { o = vec4(1); }\n[FsInfo]\n\
                entryPoint = main\n[Mystery]\nkey = value\n";
    let (_folder, path) = file("half.pipe", text);
    let report = json([&path]);
    assert_eq!(codes(&report), ["pipe.stage-unusable", "pipe.unknown-section"]);
    let message = report["findings"][0]["message"].as_str().expect("a message");
    assert!(message.contains("half.pipe:3:") && message.contains("nothing"), "{message}");
    assert_eq!(report["stages"].as_array().map(Vec::len), Some(1));
    assert_eq!(report["pipeline"]["kept"][0]["text"], "key = value");
    let (status, stdout, _) = outcome(["inspect", &path.to_string_lossy()]);
    assert_eq!(status, 1);
    assert!(stdout.contains("not usable"), "{stdout}");
}

#[test]
fn a_database_of_many_pipelines_needs_a_choice() {
    let (status, stdout, stderr) = outcome(["foz", "samples/effects.foz"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    insta::assert_snapshot!("list_effects.foz", stdout);
    let (status, stdout, _) = outcome(["foz", "samples/effects.foz", "--find", "compute", "--format", "json"]);
    let listing: Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!((status, listing["total"].as_u64()), (0, Some(5)));
    let rows = listing["pipelines"].as_array().expect("rows");
    assert_eq!(rows.len(), 2);
    let (status, _, stderr) = outcome(["inspect", "samples/effects.foz"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("has 5 pipelines") && stderr.contains("--pipeline"), "{stderr}");
    let (status, _, stderr) = outcome(["inspect", "samples/effects.foz", "--pipeline", "ffffffffffffffff"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("no pipeline hash starts with"), "{stderr}");
    let (status, _, stderr) = outcome(["inspect", "samples/effects.foz", "--pipeline", "quad"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("hexadecimal"), "{stderr}");
    for row in rows {
        let hash = row["hash"].as_str().expect("a hash").trim_start_matches("0x");
        for isolate in [&[][..], &["--in-process"]] {
            let report = json([&["samples/effects.foz", "--pipeline", hash], isolate].concat());
            assert_eq!(report["pipeline"]["origin"]["hash"], row["hash"]);
            assert_eq!(codes(&report), [""; 0]);
        }
    }
}

#[test]
fn writes_a_program_to_a_database_and_reads_it_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("out.foz").to_string_lossy().into_owned();
    let (status, stdout, stderr) =
        outcome(["foz", "samples/lit_surface.vert", "samples/lit_surface.frag", "--out", &path]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert!(stdout.contains("read back and compared"), "{stdout}");
    let (there, here) = (json([&path]), json(["samples/lit_surface.vert", "samples/lit_surface.frag"]));
    assert_eq!(there["packing"]["slots"], here["packing"]["slots"]);
    let (status, _, stderr) = outcome(["foz", "samples/lit_surface.vert", "--out", &path]);
    assert_eq!(status, 2);
    assert!(stderr.contains("--force"), "{stderr}");
    // One pipeline out of a database, with what it refers to.
    let (_, list, _) = outcome(["foz", "samples/effects.foz", "--find", "fragment", "--format", "json"]);
    let list: Value = serde_json::from_str(&list).expect("JSON");
    let hash = list["pipelines"][0]["hash"].as_str().expect("a hash").to_owned();
    let (status, ..) = outcome(["foz", "samples/effects.foz", "--pipeline", &hash, "--out", &path, "--force"]);
    assert_eq!(status, 0);
    let report = json([&path]);
    assert_eq!(report["pipeline"]["origin"]["hash"], Value::String(hash));
    // It is copied as it lies there: what would change it is refused, not ignored.
    let copy = ["foz", "samples/tiled_blur.foz", "--out", &path, "--force"];
    for flag in [&["--spec", "0=3"][..], &["--wave", "32"], &["--sample-shading"], &["--multiview"]] {
        let (status, _, stderr) = outcome([&copy[..], flag].concat());
        assert!(status == 2 && stderr.contains(flag[0]), "{stderr}");
    }
    assert_eq!(outcome(copy).0, 0);
}

/// `enableMultiView` states no mask: one is assumed and named, and read back as multiview.
#[test]
fn writes_multiview_as_a_view_mask() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("out.foz").to_string_lossy().into_owned();
    let pipe = "app/tests/data/constructs/pipe/multiview.pipe";
    let (status, stdout, stderr) = outcome(["foz", pipe, "--out", &path]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert!(stdout.contains("views 0 and 1 are assumed") && !stdout.contains("not written"), "{stdout}");
    let report = json([&path]);
    assert_eq!(report["options"]["multiview"], true);
    assert_eq!(report["pipeline"]["state"]["attachments"]["view_mask"], 3);
    // What is written keeps its mask, and what has no views is named.
    let again = folder.path().join("again.foz").to_string_lossy().into_owned();
    assert_eq!(outcome(["foz", &path, "--out", &again]).0, 0);
    assert_eq!(json([&again])["pipeline"]["state"]["attachments"]["view_mask"], 3);
    let own = ["foz", pipe, "--own-options", "--out", &path, "--force"];
    let (status, stdout, _) = outcome(own);
    assert!(
        status == 0 && stdout.contains("not written, because a database cannot store it: enableMultiView"),
        "{stdout}"
    );
    assert_ne!(json([&path])["options"]["multiview"], true);
}

#[test]
fn chooses_between_equal_keys_by_kind() {
    let sample = std::fs::read(samples().join("effects.foz")).expect("reads");
    // The key of a compute pipeline, in the entry of a graphics pipeline and in the object itself.
    let (_, list, _) = outcome(["foz", "samples/effects.foz", "--format", "json"]);
    let list: Value = serde_json::from_str(&list).expect("JSON");
    let of = |kind: &str| {
        let rows = list["pipelines"].as_array().expect("rows");
        let row = rows.iter().find(|row| row["kind"] == kind).expect("one");
        row["hash"].as_str().expect("a hash").trim_start_matches("0x").to_owned()
    };
    let (graphics, compute) = (of("graphics"), of("compute"));
    let entry = |tag: u64, hash: &str| format!("{tag:024x}{hash}").into_bytes();
    let wanted = entry(6, &graphics);
    let at = sample.windows(wanted.len()).position(|window| window == wanted).expect("an entry");
    let mut bytes = sample.clone();
    bytes[at..at + wanted.len()].copy_from_slice(&entry(6, &compute));
    let (_folder, path) = file("two.foz", bytes);
    let path = path.display().to_string();
    let (status, _, stderr) = outcome(["inspect", &path, "--pipeline", &compute]);
    assert!(status == 2 && stderr.contains(&format!("compute:{compute}")), "{stderr}");
    for kind in ["graphics", "compute"] {
        let report = json([&path, "--pipeline", &format!("{kind}:{compute}")]);
        assert_eq!(report["pipeline"]["kind"], kind);
    }
    // A corpus has both.
    let (status, out, error) = outcome(["slots", &path, "--format", "json"]);
    assert_eq!(status, 0, "{error}");
    let rows: Value = serde_json::from_str(&out).expect("JSON");
    let name = format!("two.foz@graphics:{compute}");
    let named = rows["pipelines"].as_array().expect("rows").iter().filter(|row| row["pipeline"] == name);
    assert_eq!(named.count(), 1, "the compute pipeline has no fragment inputs: {rows}");
}

#[test]
fn rejects_or_reports_broken_databases_with_the_place() {
    let sample = std::fs::read(samples().join("tiled_blur.foz")).expect("reads");
    let inspect = |bytes: &[u8]| {
        let (_folder, path) = file("broken.foz", bytes);
        outcome(["inspect", &path.to_string_lossy()])
    };
    for (bytes, wanted) in
        [(&b""[..], "foz.empty"), (b"\x81FOSSILIZEDB\0\0\0\x04", "foz.version"), (b"nothing of the kind", "foz.magic")]
    {
        let (status, _, stderr) = inspect(bytes);
        assert_eq!(status, 2);
        assert!(stderr.contains(wanted) && stderr.contains("byte 0x"), "{stderr}");
    }
    // Cut inside the last entry, which is the pipeline.
    let (status, _, stderr) = inspect(&sample[..sample.len() - 3]);
    assert_eq!(status, 2);
    assert!(stderr.contains("the database contains no pipelines"), "{stderr}");
    let whole_and_more = [sample.as_slice(), b"0000"].concat();
    let (status, stdout, _) = inspect(&whole_and_more);
    assert_eq!(status, 0);
    assert!(stdout.contains("foz.truncated-tail"), "{stdout}");
    // A byte of the module: its checksum no longer fits.
    let at = sample.windows(13).position(|w| w == b"shaderModules").expect("a module") + 200;
    let mut flipped = sample.clone();
    flipped[at] ^= 1;
    let (status, _, stderr) = inspect(&flipped);
    assert_eq!(status, 2);
    assert!(stderr.contains("foz.crc"), "{stderr}");
}

#[test]
fn names_a_stage_without_module_and_opens_the_others() {
    // The pair's fragment module, cut out of the database.
    let bytes = std::fs::read(samples().join("effects.foz")).expect("reads");
    let (_, list, _) = outcome(["foz", "samples/effects.foz", "--find", "fragment", "--format", "json"]);
    let list: Value = serde_json::from_str(&list).expect("JSON");
    let row = &list["pipelines"][0];
    let module = row["stages"][1]["module"].as_str().expect("a key").trim_start_matches("0x").to_owned();
    let name = format!("000000000000000000000004{module}");
    let at = bytes.windows(40).position(|window| window == name.as_bytes()).expect("the entry");
    let stored = u32::from_le_bytes(bytes[at + 40..at + 44].try_into().expect("four")) as usize;
    let cut = [&bytes[..at], &bytes[at + 56 + stored..]].concat();
    let (_folder, path) = file("cut.foz", cut);
    let hash = row["hash"].as_str().expect("a hash");
    let report = json([path.as_os_str(), "--pipeline".as_ref(), hash.as_ref()]);
    assert!(codes(&report).contains(&"foz.stage-unusable"), "{:?}", codes(&report));
    assert_eq!(report["stages"].as_array().map(Vec::len), Some(1));
}

#[test]
fn writes_rewritten_stages_of_one_file_to_separate_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let (status, _, stderr) = outcome(["rewrite", "samples/textured_quad.pipe", "--out", &out.to_string_lossy()]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    for stage in ["vertex", "fragment"] {
        let path = out.join(format!("textured_quad.pipe.{stage}.packed.spv"));
        let report = json([&path]);
        assert_eq!(report["stages"][0]["stage"], stage);
    }
}

#[test]
fn passes_vertex_formats_to_the_compiler() {
    let (status, text, stderr) =
        outcome(["isa", "samples/textured_quad.pipe", "--chip", "navi21", "--stat", "--no-cache"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert!(text.contains("vertex formats and strides from the description (line 91)"), "{text}");
    // A description whose formats the shader cannot read is said, and not used.
    let whole = std::fs::read_to_string(samples().join("textured_quad.pipe")).expect("reads");
    let (_folder, path) = file("odd.pipe", whole.replace("VK_FORMAT_R32G32_SFLOAT", "VK_FORMAT_R32G32_UINT"));
    let (status, text, _) = outcome(["isa", &path.to_string_lossy(), "--chip", "navi21", "--stat", "--no-cache"]);
    assert_eq!(status, 0);
    // The page breaks lines where they end.
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let why = "vertex input of the description (line 91) not used: format R32G32_UINT does not fit the attribute at \
               location 0";
    assert!(text.contains(why), "{text}");
}

/// What a run says of a description, and the hash of the first target.
fn run(file: &str, more: &[&str]) -> (Vec<String>, Vec<String>, Value) {
    let arguments =
        [&["run", file, "--device", "llvmpipe", "--validate", "--no-pack", "--format", "json"], more].concat();
    let (status, text, stderr) = outcome(&arguments);
    assert_eq!(status, 0, "{stderr}");
    let report: Value = serde_json::from_str(&text).expect("JSON");
    let run = &report["run"];
    let list = |name: &str| -> Vec<String> {
        let lines = run["described"][name].as_array().expect("sentences");
        lines.iter().map(|line| line.as_str().expect("a text").to_owned()).collect()
    };
    (list("taken"), list("left"), run["attachments"][0].clone())
}

#[test]
fn a_run_uses_the_state_of_its_description() {
    let (taken, left, color) = run("samples/textured_quad.pipe", &[]);
    let expected = [
        "vertex formats and strides from the description (line 91)",
        "topology TRIANGLE_STRIP",
        "1 sample per pixel",
        "color0 is R16G16B16A16_SFLOAT, additive blending assumed: the description has no blend equation",
    ];
    assert_eq!((taken, left.len()), (expected.map(str::to_owned).to_vec(), 0), "{left:?}");
    assert_eq!(color["samples"], 1);
    // The same pipeline from a database, which says how it blends.
    let (_, list, _) = outcome(["foz", "samples/effects.foz", "--find", "84fa625a", "--format", "json"]);
    let list: Value = serde_json::from_str(&list).expect("JSON");
    let hash = &list["pipelines"][0]["hash"].as_str().expect("one with that fragment shader")[2..];
    let (taken, _, same) = run("samples/effects.foz", &["--pipeline", hash]);
    assert!(taken.iter().any(|what| what == "color0 is R16G16B16A16_SFLOAT, blended as described"), "{taken:?}");
    assert_eq!(same["hash"], color["hash"]);

    // The runner prints what it lacks, and continues without it.
    let whole = std::fs::read_to_string(samples().join("textured_quad.pipe")).expect("reads");
    let changed = whole
        .replace("TRIANGLE_STRIP", "POINT_LIST")
        .replace("numSamples = 1", "numSamples = 2")
        .replace("= VK_FORMAT_R16G16B16A16_SFLOAT", "= VK_FORMAT_R8G8B8A8_UINT")
        .replace("VK_FORMAT_R32G32_SFLOAT", "VK_FORMAT_A2B10G10R10_UNORM_PACK32");
    let (_folder, path) = file("odd.pipe", changed);
    let (taken, left, other) = run(&path.to_string_lossy(), &[]);
    assert_eq!(taken, Vec::<String>::new());
    for words in [
        "A2B10G10R10_UNORM_PACK32",
        "POINT_LIST: the vertex shader",
        "2 samples",
        "R8G8B8A8_UINT is not a format for this output",
    ] {
        assert!(left.iter().any(|what| what.contains(words)), "{words}: {left:?}");
    }
    assert_ne!(other["hash"], color["hash"]);
}

#[test]
fn rejects_two_descriptions() {
    let (status, _, stderr) = outcome(["inspect", "samples/tiled_blur.pipe", "samples/textured_quad.pipe"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("duplicate pipeline description"), "{stderr}");
}

#[test]
fn pipelines_of_databases_can_be_compared() {
    let (_, list, _) = outcome(["foz", "samples/effects.foz", "--find", "fragment", "--format", "json"]);
    let list: Value = serde_json::from_str(&list).expect("JSON");
    let side =
        |n: usize| format!("samples/effects.foz@{}", &list["pipelines"][n]["hash"].as_str().expect("a hash")[2..]);
    assert_eq!(outcome(["diff", &side(0), &side(0)]).0, 0);
    assert_eq!(outcome(["diff", &side(0), &side(1)]).0, 1);
}

#[test]
fn counts_pipeline_parts_without_shaders_and_succeeds() {
    use lanescope_core::pipeline::foz::{Tag, Writer};
    let part = |flags: u32, next: u32| {
        format!(
            r#"{{"flags":{flags},"layout":"0000000000000005","pNext":[{{"sType":1000320002,"flags":{next}}}],
            "inputAssemblyState":{{"topology":3}}}}"#
        )
    };
    let written = |flags: u32| {
        let mut writer = Writer::new(Vec::new(), false).expect("memory");
        writer.object(Tag::PipelineLayout, 5, r#"{"flags":0,"setLayouts":[]}"#).expect("memory");
        writer.object(Tag::Graphics, 1, &part(flags, 1)).expect("memory");
        file("parts.foz", writer.finish().expect("memory"))
    };
    let (_folder, parts) = written(0x800);
    let (parts, shader) = (parts.display().to_string(), format!("{}/tile_16x16.comp", samples().display()));
    let (status, table, error) = outcome(["slots", &parts, "--format", "json"]);
    assert_eq!((status, error.as_str()), (0, ""));
    assert!(table.contains(r#""pipelines": []"#), "{table}");
    let with = ["--chip", "navi21", "--repeats", "1", "--no-cache"];
    let (status, out, error) = outcome([&["partial", "--corpus", &parts, &shader], &with[..]].concat());
    assert_eq!(status, 0, "{error}");
    assert!(out.contains("1 pipeline without a fragment or compute shader"), "{out}");
    let (status, _, error) = outcome(["inspect", &parts]);
    assert!(status == 2 && error.contains("it is a library part without shaders"), "{error}");
    // A file that is not a library must have stages.
    let (_folder, odd) = written(0);
    let odd = odd.display().to_string();
    let (status, _, error) = outcome(["slots", &odd]);
    assert!(
        status == 2 && error.contains("it has no stages") && error.contains("1 pipeline could not be read"),
        "{error}"
    );
}

/// A text that no error of another document may quote.
const PRIVATE: &str = "private words of another folder\n";

/// Documents whose GLSL includes a file, by extension.
fn documents(include: &str) -> [(&'static str, String); 3] {
    let glsl = format!(
        "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"{include}\"\n\
         layout(local_size_x = 1) in;\nvoid main() {{}}\n"
    );
    [
        ("pipe", format!("[Version]\nversion = 75\n\n[CsGlsl]\n{glsl}\n[CsInfo]\nentryPoint = main\n")),
        ("amber", format!("#!amber\nSHADER compute one GLSL\n{glsl}END\nPIPELINE compute p\n  ATTACH one\nEND\n")),
        ("shader_test", format!("[compute shader]\n{glsl}")),
    ]
}

#[test]
fn documents_include_files_of_their_folder_only() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let own = folder.path().join("own");
    std::fs::create_dir_all(own.join("sub")).expect("writable");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("writable");
    write("private.txt", PRIVATE);
    write("other.glsl", "#define N 1\n");
    write("own/in.glsl", "#define N 1\n#include \"sub/deep.glsl\"\n");
    write("own/sub/deep.glsl", "#include \"../last.glsl\"\n");
    write("own/last.glsl", "#define M 1\n");
    write("own/out.glsl", "#include \"../private.txt\"\n");
    std::os::unix::fs::symlink("../private.txt", own.join("link.glsl")).expect("links");
    std::os::unix::fs::symlink("..", own.join("up")).expect("links");
    let absolute = folder.path().join("private.txt").display().to_string();
    for outside in ["../private.txt", "sub/../../private.txt", "link.glsl", "up/private.txt", "out.glsl", &absolute] {
        for (extension, text) in documents(outside) {
            let path = own.join(format!("a.{extension}"));
            std::fs::write(&path, text).expect("writable");
            let (_, stdout, stderr) = outcome([Path::new("inspect"), &path]);
            let all = stdout + &stderr;
            assert!(!all.contains("private words"), "{extension}, {outside}: {all}");
            let all = all.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(all.contains("is outside the folder"), "{extension}, {outside}: {all}");
        }
    }
    for (inside, more) in [("in.glsl", None), ("sub/deep.glsl", None), ("other.glsl", Some(folder.path()))] {
        for (extension, text) in documents(inside) {
            let path = own.join(format!("a.{extension}"));
            std::fs::write(&path, text).expect("writable");
            let flag = more.map(|folder| [Path::new("-I"), folder]);
            let line = [Path::new("inspect"), &path].into_iter().chain(flag.into_iter().flatten());
            let (status, stdout, stderr) = outcome(line);
            assert_eq!(status, 0, "{extension}, {inside}: {stdout}{stderr}");
            assert!(!stdout.contains("stage-unusable"), "{extension}, {inside}: {stdout}{stderr}");
        }
    }
    // A source that is opened directly includes what compilers let it.
    let source = own.join("a.comp");
    let text = "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"../other.glsl\"\n\
                layout(local_size_x = N) in;\nvoid main() {}\n";
    std::fs::write(&source, text).expect("writable");
    assert_eq!(outcome([Path::new("inspect"), &source]).0, 0);
}
