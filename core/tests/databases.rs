//! The databases among the samples are what the writer generates from the other samples; what is written can be read
//! again; a large database is listed in bounded time and memory.

use std::fs::File;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::time::Instant;

use lanescope_core::load::{LoadOptions, load, load_with_options};
use lanescope_core::options::{Options, WaveChoice};
use lanescope_core::pipeline::foz::{Database, Fossilized, Key, PIPELINES, Tag, Writer, copy, make, open};
use lanescope_core::pipeline::vulkan::Topology;
use lanescope_core::pipeline::{Binding, Pipeline};
use lanescope_core::program::Program;

/// The databases among the samples, and the pipelines in each.
const DATABASES: &[(&str, bool, &[&[&str]])] = &[
    (
        "effects.foz",
        true,
        &[
            &["lit_surface.vert", "lit_surface.frag"],
            &["half_precision.vert", "half_precision.frag"],
            &["textured_quad.pipe"],
            &["tiled_blur.pipe"],
            &["particles_1024.comp"],
        ],
    ),
    ("tiled_blur.foz", false, &[&["tiled_blur.pipe"]]),
];

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples")
}

fn program(files: &[&str]) -> Program {
    let paths: Vec<PathBuf> = files.iter().map(|file| samples().join(file)).collect();
    load(&paths, &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn written(compress: bool, pipelines: &[&[&str]]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), compress).expect("memory");
    for files in pipelines {
        let program = program(files);
        make(&program, &program.options(&Options::default()), &mut writer).unwrap_or_else(|error| panic!("{error}"));
    }
    writer.finish().expect("memory")
}

fn in_memory(bytes: Vec<u8>) -> Database<Cursor<Vec<u8>>> {
    Database::open(vec![("memory".to_owned(), Cursor::new(bytes))]).unwrap_or_else(|(_, fault)| panic!("{fault}"))
}

#[test]
fn samples_match_the_writer() {
    for (name, compress, pipelines) in DATABASES {
        let path = samples().join(name);
        let bytes = written(*compress, pipelines);
        if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
            std::fs::write(&path, &bytes).expect("the folder is writable");
        }
        let made = in_memory(bytes);
        let file = File::open(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        let sample = Database::open(vec![(name.to_string(), file)]).unwrap_or_else(|(_, fault)| panic!("{fault}"));
        assert!(sample.findings.is_empty());
        for tag in Tag::ALL {
            let keys: Vec<_> = made.of(*tag).iter().map(|place| place.hash).collect();
            assert_eq!(sample.of(*tag).iter().map(|place| place.hash).collect::<Vec<_>>(), keys, "{name}, {tag}");
            for place in made.of(*tag) {
                let of_file = sample.find(*tag, place.hash).expect("listed");
                let both = (made.payload(place).expect("reads"), sample.payload(of_file).expect("reads"));
                assert_eq!(both.0, both.1, "{name}, {tag} {}", Key(place.hash));
            }
        }
    }
}

#[test]
fn written_program_reads_back_equal() {
    for files in DATABASES.iter().flat_map(|(_, _, pipelines)| pipelines.iter()) {
        let given = program(files);
        let options = given.options(&Options::default());
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("one.foz");
        std::fs::write(&path, written(false, &[files])).expect("writable");
        let read =
            load_with_options(&[path], &LoadOptions::default()).unwrap_or_else(|error| panic!("{files:?}: {error}"));
        let stages = |program: &Program| -> Vec<_> {
            let stages = program.stages.iter();
            stages.map(|s| (s.stage, s.entry.clone(), program.module_of(s).words().to_vec())).collect()
        };
        assert_eq!(stages(&read), stages(&given), "{files:?}");
        let pipeline = read.pipeline.as_ref().expect("described");
        assert!(pipeline.findings.is_empty(), "{files:?}: {:#?}", pipeline.findings);
        // Options that travel in a database come back.
        let back = read.options(&Options::default());
        assert_eq!(
            back.wave,
            if given.stage(lanescope_core::program::StageKind::Compute).is_some() { options.wave } else { back.wave }
        );
        for (location, target) in &options.color {
            assert_eq!(back.color.get(location), Some(target), "{files:?}");
        }
        let constants = |program: &Program| -> Vec<_> {
            let set = lanescope_core::specialised(program, &options).expect("fits");
            set.modules.iter().flat_map(|m| m.module.spec_constants()).map(|c| (c.spec_id, c.value)).collect()
        };
        assert_eq!(constants(&read), constants(&given), "{files:?}");
    }
}

#[test]
fn a_binding_in_tables_of_two_stages_is_visible_to_both_and_has_the_most_elements() {
    let table = |index: u32, visibility: u32, dwords: u32| {
        let node = format!("userDataNode[{index}]");
        format!(
            "{node}.visibility = {visibility}\n{node}.type = DescriptorTableVaPtr\n{node}.offsetInDwords = {index}\n\
             {node}.sizeInDwords = 1\n{node}.next[0].type = DescriptorConstBuffer\n{node}.next[0].offsetInDwords = 0\n\
             {node}.next[0].sizeInDwords = {dwords}\n{node}.next[0].set = 0\n{node}.next[0].binding = 0\n"
        )
    };
    let text = format!(
        "[Version]\nversion = 75\n[VsGlsl]\n#version 450\nvoid main() {{ gl_Position = vec4(0); }}\n[VsInfo]\n\
         entryPoint = main\n[FsGlsl]\n#version 450\nlayout(set = 0, binding = 0) uniform U {{ vec4 a; }} u;\n\
         layout(location = 0) out vec4 o;\nvoid main() {{ o = u.a; }}\n[FsInfo]\nentryPoint = main\n\
         [ResourceMapping]\n{}{}[GraphicsPipelineState]\nnumSamples = 1\ncolorBuffer[0].format = \
         VK_FORMAT_B8G8R8A8_UNORM\n",
        table(0, 2, 4),
        table(1, 64, 8)
    );
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("two.pipe");
    std::fs::write(&path, text).expect("writable");
    let program = load(&[path], &[]).unwrap_or_else(|error| panic!("{error}"));
    let mut writer = Writer::new(Vec::new(), false).expect("memory");
    make(&program, &Options::default(), &mut writer).unwrap_or_else(|error| panic!("{error}"));
    let made = in_memory(writer.finish().expect("memory"));
    let place = *made.of(Tag::Graphics).first().expect("written");
    let sets = open(&made, &place).expect("opens").pipeline.layout.sets;
    let binding = &sets[0].bindings[0];
    assert_eq!((binding.count, binding.stages.vulkan()), (2, 1 | 16));
}

/// What is made of files of these names and texts, and the pipeline read back.
fn made_of(files: &[(&str, &str)], given: &Options) -> Result<(Fossilized, Pipeline), String> {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |(name, text): &(&str, &str)| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("writable");
        path
    };
    let paths: Vec<PathBuf> = files.iter().map(write).collect();
    let program = load(&paths, &[]).unwrap_or_else(|error| panic!("{error}"));
    let mut writer = Writer::new(Vec::new(), false).expect("memory");
    let made = make(&program, &program.options(given), &mut writer).map_err(|error| error.to_string())?;
    let database = in_memory(writer.finish().expect("memory"));
    let place = *database.find(made.tag, made.pipeline.0).expect("written");
    let read = open(&database, &place).unwrap_or_else(|fault| panic!("{fault}")).pipeline;
    assert!(read.findings.is_empty(), "{:#?}", read.findings);
    assert_eq!(read.layout.sets.iter().flat_map(|set| set.bindings.clone()).collect::<Vec<_>>(), bindings(&made));
    Ok((made, read))
}

fn bindings(made: &Fossilized) -> Vec<Binding> {
    made.layout.sets.iter().flat_map(|set| set.bindings.clone()).collect()
}

const VERTEX: &str = "#version 450\nlayout(location = 0) in vec4 p;\nvoid main() { gl_Position = p; }\n";

/// A description of a vertex and a fragment shader, whose table has these children: type, dwords and their offset.
fn described(fragment: &str, children: &[(&str, u32, u32)], more: &str) -> String {
    let mut text = format!(
        "[Version]\nversion = 75\n[VsGlsl]\n{VERTEX}[VsInfo]\nentryPoint = main\n[FsGlsl]\n#version 450\n{fragment}\n\
         [FsInfo]\nentryPoint = main\noptions.waveSize = 32\n[ResourceMapping]\nuserDataNode[0].visibility = 64\n\
         userDataNode[0].type = DescriptorTableVaPtr\nuserDataNode[0].offsetInDwords = 0\n\
         userDataNode[0].sizeInDwords = 1\n"
    );
    for (at, (ty, dwords, offset)) in children.iter().enumerate() {
        let node = format!("userDataNode[0].next[{at}]");
        text.push_str(&format!(
            "{node}.type = {ty}\n{node}.offsetInDwords = {offset}\n{node}.sizeInDwords = {dwords}\n{node}.set = 0\n\
             {node}.binding = {at}\n"
        ));
    }
    text + "[GraphicsPipelineState]\ncolorBuffer[0].format = VK_FORMAT_R32G32B32A32_SFLOAT\n" + more
}

/// Type, count and types of each binding.
fn kinds(made: &Fossilized) -> Vec<(i32, u32, Vec<i32>)> {
    let one = |b: Binding| (b.ty.0, b.count, b.mutable_types.iter().map(|ty| ty.0).collect());
    bindings(made).into_iter().map(one).collect()
}

#[test]
fn keeps_inline_blocks_and_mutable_descriptors() {
    let shader = "layout(set = 0, binding = 0) uniform I { vec4 x; vec4 y; } i;
        layout(set = 0, binding = 1) uniform U { vec4 z; } u;
        layout(location = 0) out vec4 o; void main() { o = i.x + i.y + u.z; }";
    let text = described(shader, &[("InlineBuffer", 8, 0), ("DescriptorMutable", 8, 8)], "");
    let (made, _) = made_of(&[("a.pipe", &text)], &Options::default()).expect("makes one");
    assert_eq!(kinds(&made), [(1_000_138_000, 32, vec![]), (1_000_351_000, 1, vec![6])]);
    assert!(made.notes.iter().any(|note| note.starts_with("mutable descriptors list only")), "{:?}", made.notes);
}

#[test]
fn writes_input_attachments_beside_other_descriptors() {
    let shader = "layout(set = 0, binding = 0, input_attachment_index = 0) uniform subpassInput s;
        layout(set = 0, binding = 1) uniform U { vec4 x; } u; layout(push_constant) uniform P { vec4 p; } p;
        layout(set = 1, binding = 0) uniform sampler2D t;
        layout(location = 0) out vec4 o; void main() { o = subpassLoad(s) + u.x + p.p + texture(t, vec2(0)); }";
    let text = described(shader, &[("DescriptorImage", 8, 0), ("DescriptorBuffer", 4, 8)], "");
    let glsl = format!("#version 450\n{shader}");
    let cases = [vec![("a.pipe", text.as_str())], vec![("a.vert", VERTEX), ("a.frag", glsl.as_str())]];
    for files in cases {
        let (made, _) = made_of(&files, &Options::default()).unwrap_or_else(|why| panic!("{files:?}: {why}"));
        assert_eq!(kinds(&made), [(10, 1, vec![]), (6, 1, vec![]), (1, 1, vec![])], "{files:?}");
        let push = made.layout.push_constants.iter().map(|range| (range.size, range.stages.vulkan()));
        assert_eq!(push.collect::<Vec<_>>(), [(16, 16)]);
    }
    let twice = "#version 450\nlayout(set = 0, binding = 0) uniform U { vec4 x; } u;
        layout(set = 0, binding = 0) uniform sampler2D t;
        layout(location = 0) out vec4 o; void main() { o = u.x + texture(t, vec2(0)); }";
    let why =
        made_of(&[("a.vert", VERTEX), ("a.frag", twice)], &Options::default()).expect_err("one place, two things");
    assert!(why.starts_with("set 0, binding 0: is used both as "), "{why}");
}

#[test]
fn writes_the_primitives_of_a_geometry_shader() {
    let geometry = "#version 450\nlayout(lines_adjacency) in; layout(triangle_strip, max_vertices = 3) out;
        void main() { for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position; EmitVertex(); } }";
    let fragment = "#version 450\nlayout(location = 0) out vec4 o;\nvoid main() { o = vec4(1); }\n";
    let files = [("a.vert", VERTEX), ("a.geom", geometry), ("a.frag", fragment)];
    let (_, read) = made_of(&files, &Options::default()).expect("makes one");
    assert_eq!(read.state.topology, Topology::named("LINE_LIST_WITH_ADJACENCY"));
    let text = described(&fragment["#version 450\n".len()..], &[], "");
    let text = text.replace("[FsGlsl]", &format!("[GsGlsl]\n{geometry}\n[GsInfo]\nentryPoint = main\n[FsGlsl]"));
    let (made, read) = made_of(&[("a.pipe", &text)], &Options::default()).expect("makes one");
    assert_eq!(read.state.topology, Topology::named("LINE_LIST_WITH_ADJACENCY"));
    let said =
        "no topology is described: LINE_LIST_WITH_ADJACENCY is assumed, which fits the stages; LLPC reads POINT_LIST";
    assert!(made.notes.iter().any(|note| note == said), "{:?}", made.notes);
}

#[test]
fn writes_wave_sizes_and_dual_source_and_lists_omitted_options() {
    let shader = "layout(location = 0, index = 0) out vec4 o; layout(location = 0, index = 1) out vec4 second;
        void main() { o = vec4(1); second = vec4(0.5); }";
    let more = "colorBuffer[0].blendEnable = 1\ncolorBuffer[0].blendSrcAlphaToColor = 0\ndualSourceBlendEnable = 1\n\
                options.robustBufferAccess = 1\noptions.reconfigWorkgroupLayout = 1\noptions.scalarBlockLayout = 0\n";
    let text = described(shader, &[], more);
    let given = Options { group_tile: Some(8), multiview: true, ..Options::default() };
    let (made, read) = made_of(&[("a.pipe", &text)], &given).expect("makes one");
    let sizes: Vec<_> = read.stages.iter().map(|stage| stage.subgroup_size).collect();
    assert_eq!(sizes, [None, Some(32)]);
    let attachments = read.state.attachments.expect("drawn");
    assert!(attachments.dual_source && attachments.colors[0].blend);
    let left = "not written, because a database cannot store it: options.robustBufferAccess, \
                options.reconfigWorkgroupLayout, group_tile";
    assert!(made.notes.iter().any(|note| note == left), "{:?}", made.notes);
    let views = "multiview is enabled, but no view mask is described: views 0 and 1 are assumed";
    assert!(made.notes.iter().any(|note| note == views), "{:?}", made.notes);
    let wave = Options { wave: WaveChoice::Wave64, ..Options::default() };
    let (_, read) = made_of(&[("a.pipe", &text)], &wave).expect("makes one");
    assert!(read.stages.iter().all(|stage| stage.subgroup_size == Some(64)), "what is given goes before it");
}

#[test]
fn copies_one_pipeline_with_its_dependencies_only() {
    let all = in_memory(written(true, DATABASES[0].2));
    for place in PIPELINES.iter().flat_map(|tag| all.of(*tag)) {
        let mut writer = Writer::new(Vec::new(), false).expect("memory");
        assert_eq!(copy(&all, place, &mut writer).unwrap_or_else(|fault| panic!("{fault}")), [""; 0]);
        let one = in_memory(writer.finish().expect("memory"));
        assert_eq!(PIPELINES.iter().map(|tag| one.count(*tag)).sum::<usize>(), 1);
        let same = one.find(place.tag, place.hash).expect("copied");
        let (there, here) = (open(&all, place).expect("opens"), open(&one, same).expect("opens"));
        assert_eq!(here.pipeline.stages, there.pipeline.stages);
        assert_eq!(here.pipeline.layout, there.pipeline.layout);
        assert_eq!(here.pipeline.state, there.pipeline.state);
        assert!(here.pipeline.findings.is_empty(), "{:#?}", here.pipeline.findings);
        let modules = here.modules.iter().filter(|words| words.is_ok()).count();
        assert_eq!((modules, one.count(Tag::Module)), (there.modules.len(), there.modules.len()));
        assert_eq!(here.stages.len(), there.stages.len());
    }
}

#[test]
fn ten_thousand_pipelines_are_listed_and_one_is_opened() {
    let mut writer = Writer::new(Vec::new(), true).expect("memory");
    let module = program(&["particles_1024.comp"]).modules[0].module.words().to_vec();
    let key = Key(writer.module(&module).expect("memory"));
    writer.object(Tag::PipelineLayout, 1, r#"{"flags":0,"pushConstantRanges":[],"setLayouts":[]}"#).expect("memory");
    for hash in 1..=10_000u64 {
        let json = format!(
            r#"{{"flags":0,"layout":"{}","basePipelineHandle":"{}","basePipelineIndex":-1,"stage":{{"flags":0,"stage":32,
            "module":"{key}","name":"entry_{hash}"}}}}"#,
            Key(1),
            Key(0)
        );
        writer.object(Tag::Compute, hash << 40, &json).expect("memory");
    }
    let bytes = writer.finish().expect("memory");
    let begin = Instant::now();
    let database = in_memory(bytes);
    let listing = database.list("", |_| true);
    assert_eq!((listing.pipelines.len(), listing.total), (10_000, 10_000));
    let found = database.list("entry_777", |_| true);
    assert_eq!(found.pipelines.len(), 1 + 10);
    // Far more than it takes, so that a busy machine passes.
    assert!(begin.elapsed().as_secs() < 20, "{:?}", begin.elapsed());
    let [place] = database.pipelines("00030900")[..] else { panic!("one pipeline begins so") };
    assert_eq!(open(&database, &place).expect("opens").pipeline.stages[0].entry, "entry_777");
    let mut asked = 0;
    let stopped = database.list("", |_| {
        asked += 1;
        asked < 3
    });
    assert_eq!(stopped.pipelines.len(), 512, "a list that nobody wants any more is left");
}
