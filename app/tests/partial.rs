//! `lanescope guess-layout`: guessed layouts, and speculative compiles with them by AMD's compiler.

use std::fs;
use std::process::{Command, Output, Stdio};

use crate::common::{file, lanescope, outcome, samples};
use serde_json::Value;

fn sample(name: &str) -> String {
    samples().join(name).display().to_string()
}

/// The first stage of the JSON report of some arguments.
fn stage(arguments: &[&str]) -> (i32, Value) {
    let (status, out, error) = outcome([&["partial"], arguments, &["--format", "json"]].concat());
    let report: Value = serde_json::from_str(&out).unwrap_or_else(|why| panic!("{why}: {error}"));
    (status, report["partial"][0].clone())
}

#[test]
fn a_speculative_compile_of_a_compute_shader_hits() {
    let cache = tempfile::tempdir().expect("a temporary folder");
    let folder = cache.path().display().to_string();
    let shader = sample("tile_16x16.comp");
    let arguments = [shader.as_str(), "--chip", "navi21", "--repeats", "1", "--validate", "--cache", &folder];
    let (status, stage) = stage(&arguments);
    assert_eq!(status, 0);
    let ahead = &stage["ahead"];
    assert_eq!((&ahead["hit"], &ahead["form"]), (&Value::Bool(true), &Value::from("compute_pipeline")), "{ahead}");
    assert_eq!(stage["keys"][0]["hash"], stage["against"]["keys"][0]["hash"]);
    assert!(ahead["worker"][0].as_u64().is_some_and(|time| time > 0), "{ahead}");
    let lanes: Vec<&str> =
        ahead["events"].as_array().expect("events").iter().filter_map(|e| e["lane"].as_str()).collect();
    assert!(lanes.contains(&"application") && lanes.contains(&"worker"), "{lanes:?}");
    // Work that a driver would not do does not count as waiting time.
    let waits = |what: &str| {
        let all = ahead["events"].as_array().expect("events");
        let event = all.iter().find(|event| event["what"].as_str().is_some_and(|text| text.starts_with(what)));
        event.unwrap_or_else(|| panic!("{what}: {ahead}"))["critical"].clone()
    };
    assert_eq!((waits("guess the layout"), waits("Vulkan objects: guessed layout")), (true.into(), false.into()));
    assert!(fs::read_dir(cache.path()).expect("there").count() > 0, "something is kept");
}

#[test]
fn waits_for_the_worker_without_a_gap() {
    let shader = sample("tile_16x16.comp");
    let (status, stage) = stage(&[&shader, "--chip", "navi21", "--repeats", "1", "--gap", "0", "--no-cache"]);
    assert_eq!((status, &stage["ahead"]["hit"]), (0, &Value::Bool(true)));
}

#[test]
fn a_fragment_shader_hits_if_its_targets_are_guessed() {
    let (vertex, fragment) = (sample("lit_surface.vert"), sample("lit_surface.frag"));
    let arguments = [vertex.as_str(), &fragment, "--chip", "navi21", "--repeats", "1", "--no-cache", "--validate"];
    let (status, wide) = stage(&arguments);
    assert_eq!((status, &wide["ahead"]["hit"]), (0, &Value::Bool(false)));
    assert_eq!(wide["against"]["breaks"][0]["kind"], "export_format", "{}", wide["against"]["breaks"]);
    let (status, narrow) = stage(&[&arguments[..], &["--guessed-color", "unorm8"]].concat());
    assert_eq!((status, &narrow["ahead"]["hit"]), (0, &Value::Bool(true)), "{}", narrow["ahead"]);
}

#[test]
fn reports_an_unusable_cache_and_continues() {
    let shader = sample("tile_16x16.comp");
    // Read-only for everybody: the kernel's own folder.
    let cases = [("/proc/lanescope", "cannot write the cache"), ("/dev/null/x", "cannot be read")];
    for (folder, words) in cases {
        let arguments = [shader.as_str(), "--chip", "navi21", "--repeats", "1", "--cache", folder];
        let (status, stage) = stage(&arguments);
        assert_eq!((status, &stage["ahead"]["hit"]), (0, &Value::Bool(true)));
        let notes = stage["ahead"]["notes"].to_string();
        assert!(notes.contains(words), "{folder}: {notes}");
    }
}

/// The program with its cache on a disk of its own, made by a script whose `$1` is the folder. `None` if a container
/// refuses that.
fn on_a_disk_of_its_own(script: &str, arguments: &[&str]) -> Option<(Output, Value)> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let whole = format!(
        "{script}; folder=$1; shift; \"$0\" \"$@\" --cache \"$folder\"; status=$?; ls -A \"$folder\" >&2; exit $status"
    );
    let unshare = |script: &str| {
        let own = lanescope();
        let mut command = Command::new("unshare");
        for (key, value) in own.get_envs() {
            match value {
                Some(value) => command.env(key, value),
                None => command.env_remove(key),
            };
        }
        command.args(["--map-root-user", "--mount", "sh", "-c", script]).arg(own.get_program());
        command.arg(folder.path()).args(arguments).output()
    };
    let allowed = unshare("mount -t tmpfs tmpfs \"$1\"").is_ok_and(|output| output.status.success());
    if !allowed {
        eprintln!("no disk of its own can be had here; the unit tests of the folder write to /dev/full");
        return None;
    }
    let output = unshare(&whole).expect("it was started before");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    Some((output, report["partial"][0]["ahead"].clone()))
}

#[test]
fn reports_full_and_read_only_disks_and_continues() {
    let shader = sample("tile_16x16.comp");
    let arguments = ["partial", &shader, "--chip", "navi21", "--repeats", "1", "--format", "json"];
    let full = "mount -t tmpfs -o size=16k tmpfs \"$1\"; head -c 100000 /dev/zero 2>/dev/null >\"$1/filler\"";
    let read_only = "mount -t tmpfs -o ro tmpfs \"$1\"";
    for (script, words, left) in [(full, "No space left", "filler"), (read_only, "Read-only file system", "")] {
        let Some((output, ahead)) = on_a_disk_of_its_own(script, &arguments) else { return };
        assert_eq!((output.status.code(), &ahead["hit"]), (Some(0), &Value::Bool(true)), "{words}");
        let notes = ahead["notes"].to_string();
        assert!(notes.contains("cannot write the cache") && notes.contains(words), "{notes}");
        assert_eq!(String::from_utf8_lossy(&output.stderr).trim(), left, "no half of it is there");
    }
}

#[test]
fn reports_and_recompiles_a_corrupt_entry() {
    let cache = tempfile::tempdir().expect("a temporary folder");
    let folder = cache.path().display().to_string();
    let shader = sample("tile_16x16.comp");
    let arguments = [shader.as_str(), "--chip", "navi21", "--repeats", "1", "--cache", &folder];
    assert_eq!(stage(&arguments).0, 0);
    let entry = fs::read_dir(cache.path()).expect("there").next().expect("an entry").expect("reads").path();
    let whole = fs::read(&entry).expect("written");
    fs::write(&entry, &whole[..whole.len() / 2]).expect("writable");
    let (status, torn) = stage(&arguments);
    assert_eq!((status, &torn["ahead"]["hit"]), (0, &Value::Bool(true)));
    assert!(torn["ahead"]["notes"].to_string().contains("corrupt"), "{}", torn["ahead"]["notes"]);
    assert_eq!(fs::read(&entry).expect("written anew").len(), whole.len());
    let (_, again) = stage(&arguments);
    let (notes, kept) = (again["ahead"]["notes"].to_string(), again["ahead"]["kept"].clone());
    println!("{again}");
    // The null device of Mesa 22 gives the header of its cache and nothing else.
    let is_header = again["ahead"]["bytes"].as_u64().expect("bytes") < 40;
    assert_eq!(notes.contains("only the header"), is_header, "{notes}");
    assert_eq!(kept == true, !is_header, "{kept}");
}

#[test]
fn two_processes_share_a_cache() {
    let cache = tempfile::tempdir().expect("a temporary folder");
    let start = || {
        let mut command = lanescope();
        command.args(["partial", &sample("tile_16x16.comp"), "--chip", "navi21", "--repeats", "1", "--format", "json"]);
        command.arg("--cache").arg(cache.path()).stdout(Stdio::piped()).spawn().expect("the program starts")
    };
    for child in [start(), start()] {
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0));
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let ahead = &report["partial"][0]["ahead"];
        assert_eq!(ahead["hit"], Value::Bool(true));
        let notes = ahead["notes"].to_string();
        assert!(!notes.contains("torn") && !notes.contains("cannot write the cache"), "{notes}");
    }
    let entries: Vec<_> = fs::read_dir(cache.path()).expect("there").map(|e| e.expect("reads").path()).collect();
    let [entry] = entries.as_slice() else { panic!("one entry, and no unfinished file: {entries:?}") };
    let kept = fs::read(entry).expect("reads");
    let (sum, blob) = kept.split_at(kept.iter().position(|byte| *byte == b'\n').expect("a line with the checksum"));
    assert_eq!(String::from_utf8_lossy(sum), lanescope_core::run::hash(&blob[1..]).to_string());
}

#[test]
fn runs_both_layouts_with_equal_results() {
    let (vertex, fragment) = (sample("lit_surface.vert"), sample("lit_surface.frag"));
    let run = ["--no-compile", "--guessed-color", "unorm8", "--run", "llvmpipe", "--validate"];
    let (status, out, error) = outcome([&["partial", vertex.as_str(), &fragment], &run[..]].concat());
    assert_eq!(status, 0, "{out}{error}");
    assert!(out.contains("Run with both layouts") && out.contains("the same"), "{out}");
    assert!(out.contains("the fragment stage is a library"), "{out}");
    // A miss is not run.
    let miss = ["partial", vertex.as_str(), &fragment, "--no-compile", "--run", "llvmpipe"];
    let (status, _, error) = outcome(miss);
    assert!(status == 2 && error.contains("another export format"), "{error}");
}

#[test]
fn sums_up_a_corpus() {
    let (folder, _) = file("a.comp", "#version 450\nlayout(local_size_x = 8) in;\nvoid main() {}");
    let large = "#version 450\nlayout(local_size_x = 8) in;\nlayout(binding = 0) buffer S { uint s; } all[7];\n\
                 void main() { all[3].s = 1u; }";
    fs::write(folder.path().join("b.comp"), large).expect("writes");
    let path = folder.path().display().to_string();
    let arguments = ["partial", "--corpus", &path, "--chip", "navi21", "--repeats", "1", "--no-cache"];
    let (status, out, error) = outcome([&arguments[..], &["--format", "json"]].concat());
    assert_eq!(status, 0, "{error}");
    let sum: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!([&sum["stages"], &sum["eligible"], &sum["hits"], &sum["wasted"]], [2, 1, 1, 0], "{sum}");
    let (status, out, error) = outcome(arguments);
    assert_eq!(status, 0, "{error}");
    assert_eq!([&sum["without_stage"], &sum["unreadable"]], [0, 0], "{sum}");
    for words in ["1 of 2 stages (50 %)", "larger than the stride (1)", "wasted", "a.comp"] {
        assert!(out.contains(words), "{words}: {out}");
    }
}

/// Without compiling, the guesses that fit an application are found: here one with 8-bit targets. Shaders alone do not say
/// what an application draws to.
#[test]
fn searches_the_guesses_that_fit_an_application() {
    let text = "[Version]\nversion = 54\n[VsGlsl]\n#version 450\nvoid main() { gl_Position = vec4(0.0); }\n[VsInfo]\n\
                entryPoint = main\n[FsGlsl]\n#version 450\nlayout(location = 0) out vec4 c;\n\
                void main() { c = vec4(1); }\n[FsInfo]\nentryPoint = main\n[GraphicsPipelineState]\n\
                colorBuffer[0].format = VK_FORMAT_R8G8B8A8_UNORM\ncolorBuffer[0].channelWriteMask = 15\n";
    let (folder, _) = file("a.pipe", text);
    let path = folder.path().display().to_string();
    let search =
        |path: &str, flags: &[&str]| outcome([&["guess-layout", "--corpus", path, "--search"][..], flags].concat());
    let (status, out, error) = search(&path, &["--format", "json"]);
    assert_eq!(status, 0, "{error}");
    let found: Value = serde_json::from_str(&out).expect("JSON");
    let [application] = &found["applications"].as_array().expect("applications")[..] else { panic!("{found}") };
    let guesses = application["guesses"].as_array().expect("guesses");
    assert_eq!((&application["application"], guesses.len()), (&"".into(), 8));
    let best = &guesses[0];
    assert_eq!(best["guess"], serde_json::json!({"dynamic_uniform": false, "dynamic_storage": false, "unorm8": true}));
    assert_eq!([&best["stages"], &best["hits"], &best["usable"]], [1, 1, 1]);
    assert!(guesses.iter().all(|one| one["hits"] == u64::from(one["guess"]["unorm8"] == true)), "{found}");
    let (status, out, error) = search(&path, &[]);
    assert!(status == 0 && out.contains("best: --guessed-color unorm8"), "{out}{error}");
    let (status, _, error) = search(&path, &["--dynamic-uniform"]);
    assert!(status == 2 && error.contains("cannot be used with"), "{error}");
    let (_kept, alone) = file("a.frag", "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(1); }");
    let (status, _, error) = search(&alone.display().to_string(), &[]);
    assert!(status == 2 && error.contains("is not in its shaders"), "{error}");
}

/// A pipeline twice: the cache per stage serves the second one. With another root layout, the guess serves the shader again.
#[test]
fn counts_what_caches_serve_in_the_order_of_pipelines() {
    let pipe = |table: u32, format: &str| {
        format!(
            "[Version]\nversion = 54\n[VsGlsl]\n#version 450\nvoid main() {{ gl_Position = vec4(0.0); }}\n[VsInfo]\n\
             entryPoint = main\n[FsGlsl]\n#version 450\nlayout(location = 0) out vec4 c;\n\
             layout(set = 0, binding = 0) uniform U {{ vec4 a; }} u;\nvoid main() {{ c = u.a; }}\n[FsInfo]\n\
             entryPoint = main\n[ResourceMapping]\nuserDataNode[0].visibility = 64\n\
             userDataNode[0].type = DescriptorTableVaPtr\nuserDataNode[0].offsetInDwords = {table}\n\
             userDataNode[0].sizeInDwords = 1\nuserDataNode[0].next[0].type = DescriptorBuffer\n\
             userDataNode[0].next[0].offsetInDwords = 0\nuserDataNode[0].next[0].sizeInDwords = 4\n\
             userDataNode[0].next[0].set = 0\nuserDataNode[0].next[0].binding = 0\n[GraphicsPipelineState]\n\
             colorBuffer[0].format = {format}\ncolorBuffer[0].channelWriteMask = 15\n"
        )
    };
    let (folder, _) = file("a.pipe", pipe(0, "VK_FORMAT_R32G32B32A32_SFLOAT"));
    for (name, table, format) in [
        ("b.pipe", 0, "VK_FORMAT_R32G32B32A32_SFLOAT"),
        ("c.pipe", 3, "VK_FORMAT_R32G32B32A32_SFLOAT"),
        ("d.pipe", 0, "VK_FORMAT_R8G8B8A8_UNORM"),
    ] {
        fs::write(folder.path().join(name), pipe(table, format)).expect("writes");
    }
    let path = folder.path().display().to_string();
    let line = ["guess-layout", "--corpus", &path, "--timeline"];
    let (status, out, error) = outcome([&line[..], &["--format", "json"]].concat());
    assert_eq!(status, 0, "{error}");
    let found: Value = serde_json::from_str(&out).expect("JSON");
    let application = &found["applications"][0];
    let names = ["per_stage", "guessed", "compiled", "speculative", "unused"];
    let counts = |span: &Value| names.map(|name| span[name].as_u64().expect("a number"));
    let spans: Vec<_> = application["spans"].as_array().expect("spans").iter().map(counts).collect();
    assert_eq!(spans, [[0, 1, 0, 1, 0], [1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0]], "{found}");
    assert_eq!(counts(&application["all"]), [1, 2, 1, 1, 0]);
    let (status, out, error) = outcome(line);
    assert!(status == 0 && out.contains("1 of 4 shaders compiled while the application waits"), "{out}{error}");
    let (status, _, error) = outcome([&line[..], &["--vary"]].concat());
    assert!(status == 2 && error.contains("cannot be used with"), "{error}");
}

#[test]
fn a_corpus_accepts_the_conversion_and_rejects_flags_for_one_pipeline() {
    let (_folder, path) = file("a.comp", "#version 450\nlayout(local_size_x = 8) in;\nvoid main() {}");
    let path = path.display().to_string();
    for flag in [&["--pipeline", "58dd"][..], &["--entry", "main"]] {
        let (status, _, error) = outcome([&["partial", "--corpus", &path], flag].concat());
        assert!(status == 2 && error.contains("cannot be used with"), "{flag:?}: {error}");
    }
    let key = |bindings: &str| {
        let shader = sample("dxil/prefix_sum.cs.dxil");
        let with =
            ["--dxil-bindings", bindings, "--chip", "navi21", "--repeats", "1", "--no-cache", "--format", "json"];
        let (status, out, error) = outcome([&["partial", "--corpus", &shader], &with[..]].concat());
        assert_eq!(status, 0, "{error}");
        let sum: Value = serde_json::from_str(&out).expect("JSON");
        sum["rows"][0]["key"].as_str().expect("a key").to_owned()
    };
    assert_ne!(key("compact"), key("registers"), "bindings are others");
    // Nothing to compile.
    let empty = tempfile::tempdir().expect("a folder");
    let (status, _, error) = outcome(["partial", "--corpus", &empty.path().display().to_string()]);
    assert!(
        status == 2 && error.contains("Fossilize database (.foz)") && error.contains("no shader or pipeline found"),
        "{error}"
    );
}

#[test]
fn reports_errors_in_a_database_of_a_corpus() {
    let sample = fs::read(samples().join("tiled_blur.foz")).expect("reads");
    // An entry that begins and does not end.
    let (_folder, torn) = file("torn.foz", [sample.as_slice(), &sample[16..40]].concat());
    let torn = torn.display().to_string();
    let with = ["--chip", "navi21", "--repeats", "1", "--no-cache"];
    let (status, out, error) = outcome([&["partial", "--corpus", &torn], &with[..]].concat());
    assert_eq!(status, 0, "{error}");
    assert!(error.contains("foz.truncated-tail") && out.contains("1 finding of databases"), "{out}{error}");
}

#[test]
fn too_many_pre_rasterization_sets_are_a_miss() {
    let (folder, vertex) = file(
        "a.vert",
        "#version 450\nlayout(set = 20, binding = 0) uniform U { vec4 a; } u;\nvoid main() { gl_Position = u.a; }",
    );
    let fragment = folder.path().join("a.frag");
    let source = "#version 450\nlayout(set = 0, binding = 0) uniform U { vec4 a; } u;\nlayout(location = 0) out vec4 \
                  o;\n\
                  void main() { o = u.a; }";
    fs::write(&fragment, source).expect("writes");
    let (vertex, fragment) = (vertex.display().to_string(), fragment.display().to_string());
    let with = ["--chip", "navi21", "--repeats", "1", "--no-cache", "--validate", "--guessed-color", "unorm8"];
    let (status, stage) = stage(&[&[vertex.as_str(), &fragment], &with[..]].concat());
    let ahead = &stage["ahead"];
    assert_eq!((status, &stage["against"]["hit"], &ahead["hit"]), (0, &true.into(), &false.into()), "{ahead}");
    assert!(ahead["why"].to_string().contains("descriptor sets of the pre-rasterization stages"), "{ahead}");
    assert!(ahead["with"][0].as_u64().is_some_and(|time| time > 0), "{ahead}");
}

#[test]
fn a_hit_whose_root_spills_is_not_usable_by_the_note() {
    // 16 dwords reach a compute shader, and a table takes one.
    let source = "#version 450\nlayout(local_size_x = 8) in;\nlayout(binding = 0) buffer S { vec4 s; };\n\
                  layout(push_constant) uniform P { vec4 a[4]; };\nvoid main() { s = a[0] + a[1] + a[2] + a[3]; }";
    let (_folder, path) = file("a.comp", source);
    let path = path.display().to_string();
    let with = ["--chip", "navi21", "--repeats", "1", "--no-cache"];
    let (status, stage) = stage(&[&[path.as_str()], &with[..]].concat());
    let (against, ahead) = (&stage["against"], &stage["ahead"]);
    assert_eq!((status, &against["hit"], &against["usable"]), (0, &true.into(), &false.into()), "{against}");
    assert_eq!((&ahead["hit"], &ahead["gaps"]), (&true.into(), &against["gaps"]));
    let (_, out, _) = outcome([&["partial", path.as_str()], &with[..]].concat());
    assert!(out.contains("not usable by the design note: 13 of the 17 dwords"), "{out}");
    let (_, out, _) = outcome([&["partial", "--corpus", path.as_str()], &with[..]].concat());
    assert!(out.contains("1 of 1 stage (100 %)") && out.contains("0 of 1 stage by the note (0 %)"), "{out}");
}

#[test]
fn skips_corpus_pipelines_that_the_driver_cannot_compile() {
    // The null device has no derivatives in compute.
    let lacking = sample("quad_derivatives.comp");
    let shader = sample("tile_16x16.comp");
    let with = ["--chip", "navi21", "--repeats", "1", "--no-cache"];
    let (status, out, error) = outcome([&["partial", "--corpus", &lacking, &shader], &with[..]].concat());
    assert_eq!(status, 0, "{error}");
    assert!(out.contains("1 of 1 stage ") && out.contains("left out") && out.contains("quad_derivatives"), "{out}");
    assert!(out.contains("computeDerivativeGroupQuads"), "{out}");
    let json = [&["partial", "--corpus", &lacking, &shader, "--format", "json"], &with[..]].concat();
    let (status, out, _) = outcome(json);
    let sum: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((status, &sum["stages"], &sum["left_out"][0]["lacking"]), (0, &Value::from(1), &Value::Bool(true)));
    // Where nothing is left, that is why.
    let (status, _, error) = outcome([&["partial", "--corpus", &lacking], &with[..]].concat());
    assert!(status == 3 && error.contains("no pipeline was compiled"), "{status}: {error}");
    // What cannot be read is another matter, and does not keep the others from being counted.
    let (_folder, odd) = file("odd.comp", "no shader");
    let odd = odd.display().to_string();
    let (_folder, torn) = file("torn.foz", b"\x81FOSSILIZEDB, once");
    let torn = torn.display().to_string();
    for unreadable in [&odd, &torn] {
        let (status, out, error) = outcome([&["partial", "--corpus", unreadable, &shader], &with[..]].concat());
        let is_reported = error.contains("1 pipeline could not be read") && out.contains("1 of 1 stage ");
        assert!(status == 2 && is_reported, "{unreadable}: {error}");
    }
    let (status, _, error) = outcome([&["partial", "--corpus", &sample("lit_surface.vert")], &with[..]].concat());
    assert!(status == 2 && error.contains("no fragment, compute or ray tracing shader"), "{error}");
}

#[test]
fn takes_the_layout_of_a_description_with_other_shaders() {
    let (vertex, fragment) = (sample("lit_surface.vert"), sample("lit_surface.frag"));
    let partial = |layout: &str| outcome(["partial", &vertex, &fragment, "--no-compile", "--layout", layout]);
    let text = "[FsSpvFile]\nfileName = nowhere.spv\n[ResourceMapping]\nuserDataNode[0].visibility = 64\n\
                userDataNode[0].type = DescriptorTableVaPtr\nuserDataNode[0].sizeInDwords = 1\n\
                userDataNode[0].next[0].type = DescriptorCombinedTexture\nuserDataNode[0].next[0].sizeInDwords = 12\n\
                userDataNode[0].next[0].set = 0\nuserDataNode[0].next[0].binding = 0\n\
                [GraphicsPipelineState]\ncolorBuffer[0].format = VK_FORMAT_R32G32B32A32_SFLOAT\n";
    let (_folder, path) = file("app.pipe", text);
    let (status, out, error) = partial(&path.display().to_string());
    assert!(status == 0 && out.contains("✓ hit"), "{out}{error}");
    assert!(out.contains(&format!("pipe  {} bytes", text.len())), "{out}");
    // A pipeline of a database is chosen after the file name.
    let database = sample("effects.foz");
    let (status, _, error) = partial(&database);
    assert!(status == 2 && error.contains("has 5 pipelines"), "{error}");
    let (status, out, error) = partial(&format!("{database}@58dd"));
    assert!(status == 0 && out.contains("target 0: another export format"), "{out}{error}");
}

#[test]
fn rejects_other_stages_and_other_files() {
    let (status, _, error) = outcome(["partial", &sample("lit_surface.vert"), "--no-compile"]);
    assert!(status == 2 && error.contains("no fragment, compute or ray tracing shader"), "{error}");
    let shader = sample("tile_16x16.comp");
    let (status, _, error) = outcome(["partial", &shader, "--layout", &shader, "--no-compile"]);
    assert!(status == 2 && error.contains("does not describe a pipeline layout"), "{error}");
    let (status, _, error) = outcome(["partial", &shader, "--chip", "voodoo2"]);
    assert!(status == 3 && error.contains("nor the installed RADV has a chip of this name"), "{error}");
}

#[test]
fn compiles_speculatively_for_the_required_wave_size() {
    let shader = sample("dxil/wave_range.fixed.cs.dxil");
    let once = ["--repeats", "1", "--no-cache"];
    let (status, stage) = stage(&[&[shader.as_str(), "--chip", "gfx1030"][..], &once].concat());
    assert_eq!((status, &stage["ahead"]["hit"]), (0, &Value::Bool(true)), "{stage}");
    let (_, out, error) = outcome(["isa", &shader, "--chip", "gfx1030", "--of", "original", "--format", "json"]);
    let report: Value = serde_json::from_str(&out).unwrap_or_else(|why| panic!("{why}: {error}"));
    let row = &report["driver"][0];
    let statistics = row["statistics"].as_array().expect("a list");
    let size = &statistics.iter().find(|is| is["name"] == "Code size").expect("its size")["value"];
    assert_eq!((&row["subgroup_size"], &stage["ahead"]["code"]), (&Value::from(32), size), "{row}");
    // A chip without such waves compiles it neither ahead nor at all.
    let tile = sample("tile_16x16.comp");
    for arguments in [&[shader.as_str()][..], &[&tile, "--wave", "32"]] {
        for (command, more) in [("isa", &[][..]), ("partial", &once)] {
            let all = [&[command][..], arguments, &["--chip", "gfx900"], more];
            let (status, _, error) = outcome(all.concat());
            assert!(status != 0 && error.contains("subgroup size 32"), "{command} {arguments:?}: {status} {error}");
        }
    }
}

#[test]
fn lists_every_word_of_every_key_on_request() {
    let quad = sample("textured_quad.pipe");
    let (status, out, error) = outcome(["partial", &quad, "--no-compile", "--words"]);
    assert_eq!(status, 0, "{error}");
    let headings = out.lines().filter(|line| line.contains("Words of the key")).count();
    assert_eq!(headings, 6, "three rules, two sides: {out}");
    let report = stage(&[&quad, "--no-compile"]).1;
    for keys in [&report["keys"], &report["against"]["keys"]] {
        let rules: Vec<_> = keys.as_array().expect("keys").iter().map(|key| key["rule"].as_str()).collect();
        assert_eq!(rules, [Some("note"), Some("llpc"), Some("llpc_pipeline")]);
        for key in keys.as_array().expect("keys") {
            let words = key["ingredients"].as_array().expect("words");
            assert!(out.contains(key["hash"].as_str().expect("a hash")));
            let last = words.last().expect("a word");
            let place = format!("{:#06x}", (words.len() - 1) * 4);
            let line = |line: &&str| line.contains(&place) && line.contains(last["value"].as_str().expect("a value"));
            assert!(out.lines().any(|l| line(&l)), "{place} {last}: {out}");
        }
    }
    // Who sees a node enters where all stages' nodes do.
    assert!(out.contains("root 0: visibility"), "{out}");
}

/// A compute shader with an array of that many blocks in that set.
fn array(set: u32, length: &str) -> String {
    format!(
        "OpCapability Shader
         OpCapability Int64
         OpMemoryModel Logical GLSL450
         OpEntryPoint GLCompute %main \"main\" %all
         OpExecutionMode %main LocalSize 1 1 1
         OpDecorate %S Block
         OpMemberDecorate %S 0 Offset 0
         OpDecorate %all DescriptorSet {set}
         OpDecorate %all Binding 0
         %void = OpTypeVoid
         %fn = OpTypeFunction %void
         %uint = OpTypeInt 32 0
         %ulong = OpTypeInt 64 0
         %length = OpConstant {length}
         %zero = OpConstant %uint 0
         %S = OpTypeStruct %uint
         %array = OpTypeArray %S %length
         %to_array = OpTypePointer StorageBuffer %array
         %to_uint = OpTypePointer StorageBuffer %uint
         %all = OpVariable %to_array StorageBuffer
         %main = OpFunction %void None %fn
         %body = OpLabel
         %first = OpAccessChain %to_uint %all %zero %zero
         OpStore %first %zero
         OpReturn
         OpFunctionEnd"
    )
}

#[test]
fn names_arrays_and_sets_beyond_device_limits() {
    for length in ["%ulong 4294967296", "%uint 4294967295"] {
        let (_folder, path) = file("long.spvasm", array(0, length));
        let path = path.display().to_string();
        let (status, stage) = stage(&[&path, "--no-compile"]);
        let count = length.rsplit(' ').next().expect("a number");
        assert_eq!(stage["resources"][0]["array_size"].to_string(), count);
        assert_eq!(
            (status, &stage["against"]["breaks"][0]["kind"]),
            (1, &Value::from("too_large")),
            "A003 is an error"
        );
        // No layout of the application's own is possible either.
        let (status, _, error) = outcome(["partial", &path, "--chip", "navi21", "--repeats", "1", "--no-cache"]);
        let needs = [format!("one stage (storage buffers) needs {count}"), format!("an array of {count} descriptors")];
        assert!(status == 2 && needs.iter().any(|needs| error.contains(needs)), "{status}: {error}");
        let (status, _, error) = outcome(["run", &path, "--device", "llvmpipe"]);
        assert!(status == 2 || status == 3, "{status}: {error}");
    }
    let (folder, path) = file("far.spvasm", array(400_000_000, "%uint 1"));
    let path = path.display().to_string();
    let (status, out, _) = outcome(["partial", &path, "--no-compile"]);
    assert!(status == 0 && out.contains("set 400000000 12 dwords"), "{out}");
    let (status, _, error) = outcome(["partial", &path, "--chip", "navi21", "--repeats", "1", "--no-cache"]);
    assert!(
        status == 2 && error.contains("the pipeline layout (descriptor sets) needs 400000001"),
        "{status}: {error}"
    );
    let made = folder.path().join("far.foz").display().to_string();
    let (status, _, error) = outcome(["foz", &path, "--out", &made]);
    assert!(status == 2 && error.contains("at most 32 sets"), "{status}: {error}");
}
