//! The worked example of the documentation, every kind of broken database, and written databases read back.

mod linked;

use std::io::{Cursor, Write as _};

use flate2::Crc;
use proptest::prelude::*;

use super::index::Place;
use super::*;
use crate::Fault;
use crate::notes::Notes;
use crate::vulkan::{DescriptorType, VkFormat};

type Memory = Database<Cursor<Vec<u8>>>;

const WORDS: [u32; 5] = [0x0723_0203, 0x0001_0000, 0, 1, 0];

fn open_bytes(bytes: Vec<u8>) -> Result<Memory, Fault> {
    Database::open(vec![("a.foz".to_owned(), Cursor::new(bytes))]).map_err(|(_, fault)| fault)
}

fn header(version: u8) -> Vec<u8> {
    [b"\x81FOSSILIZEDB\0\0\0".as_slice(), &[version]].concat()
}

/// An entry as a recorder writes it, with any of its numbers made wrong.
struct Entry {
    tag: u64,
    hash: u64,
    payload: Vec<u8>,
    kind: u32,
    stored: Option<u32>,
    size: Option<u32>,
    crc: Option<u32>,
}

impl Entry {
    fn new(tag: u64, hash: u64, payload: impl Into<Vec<u8>>) -> Entry {
        Entry { tag, hash, payload: payload.into(), kind: 1, stored: None, size: None, crc: None }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut crc = Crc::new();
        crc.update(&self.payload);
        let length = self.payload.len() as u32;
        let mut out = format!("{:024x}{:016x}", self.tag, self.hash).into_bytes();
        for word in
            [self.stored.unwrap_or(length), self.kind, self.crc.unwrap_or(crc.sum()), self.size.unwrap_or(length)]
        {
            out.extend(word.to_le_bytes());
        }
        out.extend(&self.payload);
        out
    }
}

fn file(entries: &[Entry]) -> Vec<u8> {
    let mut out = header(6);
    entries.iter().for_each(|entry| out.extend(entry.bytes()));
    out
}

fn database(entries: &[Entry]) -> Memory {
    open_bytes(file(entries)).unwrap_or_else(|fault| panic!("{fault}"))
}

fn codes(findings: &[crate::findings::Finding]) -> Vec<&str> {
    findings.iter().map(|finding| finding.code.as_str()).collect()
}

/// Result of reading one object: its code, or `ok`.
fn object_code(entry: Entry) -> String {
    let tag = Tag::of(entry.tag).expect("known");
    let hash = entry.hash;
    let database = database(&[entry]);
    let mut notes = Notes::of("a.foz");
    let place = *database.find(tag, hash).expect("listed");
    let read = database
        .object(&place, &mut notes)
        .and_then(|object| if tag == Tag::Module { module::words(&object).map(|_| ()) } else { Ok(()) });
    match read {
        Err(fault) => fault.rule.code.to_owned(),
        Ok(()) => notes.done().0.first().map_or_else(|| "ok".to_owned(), |finding| finding.code.clone()),
    }
}

fn module_payload(members: &str, binary: &[u8]) -> Vec<u8> {
    let json = format!("{{\"version\":6,\"shaderModules\":{{\"{:016x}\":{members}}}}}", 7);
    [json.as_bytes(), &[0], binary].concat()
}

fn deflated(payload: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(payload).expect("memory");
    encoder.finish().expect("memory")
}

#[test]
fn listing_reads_at_most_its_limit() {
    let blanks = vec![b' '; 4 << 20];
    let packed = Entry { kind: 2, size: Some(4 << 20), ..Entry::new(6, 0, deflated(&blanks)) };
    let entries: Vec<Entry> = (1..=66).map(|hash| Entry { hash, payload: packed.payload.clone(), ..packed }).collect();
    let listing = database(&entries).list("", |_| true);
    assert_eq!((listing.pipelines.len(), listing.total), (66, 66));
    let limited = |row: &&Row| row.why.as_ref().is_some_and(|why| why.contains("foz.size-limit"));
    // 64 of 4 MiB are 256 MiB: two are not read.
    assert_eq!(listing.pipelines.iter().filter(limited).count(), 2);
    assert!(listing.pipelines.last().as_ref().is_some_and(limited));
}

#[test]
fn writes_the_worked_example_byte_for_byte() {
    let mut writer = Writer::new(Vec::new(), false).expect("memory");
    assert_eq!(writer.module(&WORDS).expect("memory"), 0x1c14_a873_1e0f_4f3d);
    let written = writer.finish().expect("memory");
    let mut expected = header(6);
    expected.extend(b"000000000000000000000004");
    expected.extend(b"1c14a8731e0f4f3d");
    expected.extend([0x78, 0, 0, 0, 1, 0, 0, 0, 0xE0, 0x60, 0x77, 0xE8, 0x78, 0, 0, 0]);
    let json = br#"{"version":6,"shaderModules":{"1c14a8731e0f4f3d":{"varintOffset":0,"varintSize":10,"codeSize":20,"flags":0}}}"#;
    assert_eq!(json.len(), 109);
    expected.extend(json);
    expected.extend([0, 0x83, 0x84, 0x8C, 0x39, 0x80, 0x80, 0x04, 0, 1, 0]);
    assert_eq!((written.len(), &written), (192, &expected));
    let database = open_bytes(written).expect("opens");
    assert!(database.findings.is_empty());
    let place = *database.find(Tag::Module, 0x1c14_a873_1e0f_4f3d).expect("listed");
    let object = database.object(&place, &mut Notes::of("a.foz")).expect("reads");
    assert_eq!(module::words(&object).expect("reads"), WORDS);
}

#[test]
fn rejects_files_that_are_not_databases() {
    for (bytes, code, place) in [
        (Vec::new(), "foz.empty", "byte 0x0"),
        (b"\x81FOSSILIZEDX\0\0\0\x06".to_vec(), "foz.magic", "byte 0x0"),
        (b"\x81FOSSILIZEDB\0\x01\0\x06".to_vec(), "foz.magic", "byte 0x0"),
        (b"\x81FOSS".to_vec(), "foz.magic", "byte 0x0"),
        (header(4), "foz.version", "byte 0xf"),
        (header(7), "foz.version", "byte 0xf"),
    ] {
        let fault = open_bytes(bytes).expect_err("refused");
        assert_eq!((fault.rule.code, fault.place.as_str()), (code, place));
    }
    assert_eq!(open_bytes(header(5)).expect("opens").count(Tag::Module), 0);
}

#[test]
fn reads_complete_entries_of_a_truncated_file() {
    let first = Entry::new(4, 1, module_payload("{}", &[]));
    let second = Entry::new(4, 2, module_payload("{}", &[]));
    let whole = file(&[first, second]);
    let begin = whole.len() - (whole.len() - 16) / 2;
    for end in 16..=whole.len() {
        let database = open_bytes(whole[..end].to_vec()).expect("opens");
        let expected = if end == whole.len() { 2 } else { usize::from(end >= begin) };
        assert_eq!(database.count(Tag::Module), expected, "{end}");
        let boundary = end == 16 || end == begin || end == whole.len();
        let found = codes(&database.findings);
        assert_eq!(found, if boundary { &[][..] } else { &["foz.truncated-tail"][..] }, "{end}");
    }
    let tail = open_bytes(whole[..begin + 3].to_vec()).expect("opens");
    assert!(tail.findings[0].place_text().ends_with(&format!("byte {begin:#x}")));
}

#[test]
fn detects_wrong_size_in_the_middle() {
    let mut first = Entry::new(4, 1, module_payload("{}", &[]));
    first.stored = Some(first.payload.len() as u32 - 5);
    let database = database(&[first, Entry::new(0, 2, "{}")]);
    assert_eq!(codes(&database.findings), ["foz.lost-sync"]);
    assert_eq!((database.count(Tag::Module), database.count(Tag::Application)), (1, 0));
}

#[test]
fn names_code_of_one_broken_entry() {
    let good = || {
        module_payload(r#"{"varintOffset":0,"varintSize":10,"codeSize":20,"flags":0}"#, &{
            let mut out = Vec::new();
            WORDS.iter().for_each(|word| varint::put(*word, &mut out));
            out
        })
    };
    let entry = |payload: Vec<u8>| Entry::new(4, 7, payload);
    let packed = || Entry { kind: 2, size: Some(good().len() as u32), ..entry(deflated(&good())) };
    assert_eq!(object_code(entry(good())), "ok");
    assert_eq!(object_code(packed()), "ok");
    // A checksum of 0 is none.
    assert_eq!(object_code(Entry { crc: Some(0), ..entry(good()) }), "ok");
    assert_eq!(object_code(Entry { crc: Some(1), ..entry(good()) }), "foz.crc");
    for kind in [0, 3, u32::MAX] {
        assert_eq!(object_code(Entry { kind, ..entry(good()) }), "foz.kind");
    }
    assert_eq!(object_code(Entry { size: Some(u32::MAX), ..packed() }), "foz.size-limit");
    assert_eq!(object_code(Entry { size: Some(200 << 20), ..packed() }), "foz.size-limit");
    let less = good().len() as u32 - 1;
    assert_eq!(object_code(Entry { size: Some(less), ..packed() }), "foz.inflate");
    assert_eq!(object_code(Entry { size: Some(less + 5), ..packed() }), "foz.inflate");
    assert_eq!(object_code(Entry { size: Some(less), ..entry(good()) }), "foz.inflate");
    // A bomb: a thousand times what is stated.
    let bomb = deflated(&vec![b' '; 8 << 20]);
    assert_eq!(object_code(Entry { kind: 2, size: Some(8192), ..entry(bomb) }), "foz.inflate");
    assert_eq!(object_code(Entry { kind: 2, size: Some(9), ..entry(b"no zlib".to_vec()) }), "foz.inflate");
    assert_eq!(object_code(entry(b"\x01\x02binary".to_vec())), "foz.not-json");
    assert_eq!(object_code(entry(Vec::new())), "foz.not-json");
    assert_eq!(object_code(entry(good()[..40].to_vec())), "foz.json");
    assert_eq!(object_code(entry(format!("{{\"version\":6,\"x\":{}", "[".repeat(100_000)).into())), "foz.json");
    assert_eq!(object_code(entry(br#"{"version":9,"shaderModules":{}}"#.to_vec())), "foz.json-version");
    assert_eq!(object_code(entry(br#"{"shaderModules":{}}"#.to_vec())), "foz.json-version");
    assert_eq!(object_code(entry(br#"{"version":6,"shaderModules":{}}"#.to_vec())), "foz.json-type");
    assert_eq!(object_code(entry(br#"{"version":6,"samplers":{}}"#.to_vec())), "foz.json-type");
    assert_eq!(object_code(Entry { hash: 8, ..entry(good()) }), "foz.key-mismatch");
    let code = |members: &str, binary: &[u8]| object_code(entry(module_payload(members, binary)));
    let varint = |offset: u64, length: u64, size: u64| {
        format!(r#"{{"varintOffset":{offset},"varintSize":{length},"codeSize":{size},"flags":0}}"#)
    };
    let bytes = &[0x83, 0x84, 0x8c, 0x39, 1];
    assert_eq!(code(&varint(0, 4, 4), &bytes[..4]), "ok");
    assert_eq!(code(&varint(u64::MAX, 2, 4), bytes), "foz.varint");
    assert_eq!(code(&varint(0, 6, 4), bytes), "foz.varint");
    assert_eq!(code(&varint(0, 5, 4), bytes), "foz.varint");
    assert_eq!(code(&varint(0, 5, 6), bytes), "foz.varint");
    assert_eq!(code(&varint(0, 5, 1 << 40), bytes), "foz.size-limit");
    assert_eq!(code(&varint(0, 5, 1 << 20), bytes), "foz.varint");
    assert_eq!(code(&varint(0, 6, 4), &[0x80, 0x80, 0x80, 0x80, 0x80, 0]), "foz.varint");
    assert_eq!(code(r#"{"codeSize":4,"code":"AwIjBw=="}"#, &[]), "ok");
    assert_eq!(code(r#"{"codeSize":4,"code":"AwIj*w=="}"#, &[]), "foz.base64");
    assert_eq!(code(r#"{"codeSize":8,"code":"AwIjBw=="}"#, &[]), "foz.base64");
    assert_eq!(code(r#"{"codeSize":-4}"#, &[]), "foz.json-type");
    assert_eq!(code("{}", &[]), "foz.json-type");
}

#[test]
fn reports_duplicate_keys_and_unknown_tags() {
    let sampler = |hash, filter: u32| {
        Entry::new(1, hash, format!(r#"{{"version":6,"samplers":{{"{hash:016x}":{{"magFilter":{filter}}}}}}}"#))
    };
    let database = database(&[sampler(1, 0), sampler(1, 1), Entry::new(11, 5, "x"), Entry::new(11, 6, "x")]);
    assert_eq!(codes(&database.findings), ["foz.unknown-tag", "foz.duplicate"]);
    assert!(database.findings[0].message.starts_with("2 entries have the unknown tag 11"));
    let place = *database.find(Tag::Sampler, 1).expect("listed");
    let object = database.object(&place, &mut Notes::of("")).expect("reads");
    assert_eq!(object.json.get("magFilter"), Some(&json::Json::Unsigned(0)), "the first one counts");
}

#[test]
fn first_of_several_files_is_used() {
    let sampler = |filter: u32| {
        file(&[Entry::new(1, 1, format!(r#"{{"version":6,"samplers":{{"{:016x}":{{"magFilter":{filter}}}}}}}"#, 1))])
    };
    let files = vec![("a".to_owned(), Cursor::new(sampler(0))), ("b".to_owned(), Cursor::new(sampler(1)))];
    let set = Database::open(files).map_err(|(_, fault)| fault).expect("opens");
    assert!(set.findings.is_empty());
    assert_eq!((set.count(Tag::Sampler), set.find(Tag::Sampler, 1).map(|place| place.file)), (1, Some(0)));
}

fn pipeline_entry(tag: u64, hash: u64, members: &str) -> Entry {
    let kind = if tag == 6 { "graphicsPipelines" } else { "computePipelines" };
    Entry::new(tag, hash, format!(r#"{{"version":6,"{kind}":{{"{hash:016x}":{members}}}}}"#))
}

fn opened(entries: &[Entry], hash: u64) -> Opened {
    let database = database(entries);
    let place: Place =
        *database.find(Tag::Compute, hash).or_else(|| database.find(Tag::Graphics, hash)).expect("listed");
    open(&database, &place).unwrap_or_else(|fault| panic!("{fault}"))
}

#[test]
fn reports_missing_and_invalid_references() {
    let stage = r#"{"flags":0,"stage":32,"module":"0000000000000009","name":"main"}"#;
    let compute = |more: &str| {
        let members = format!(r#"{{"flags":0,"layout":"0000000000000005","stage":{stage}{more}}}"#);
        pipeline_entry(7, 1, &members)
    };
    let layout =
        || Entry::new(3, 5, r#"{"version":6,"pipelineLayouts":{"0000000000000005":{"flags":0,"setLayouts":[]}}}"#);
    let read = opened(&[compute(""), layout()], 1);
    assert!(read.pipeline.findings.is_empty());
    assert!(read.modules[read.stages[0].module].as_ref().is_err_and(|why| why.contains("foz.missing-ref")));
    let read = opened(&[compute("")], 1);
    assert_eq!(codes(&read.pipeline.findings), ["foz.missing-ref"]);
    let unknown = compute(r#","pNext":[{"sType":77,"deep":[1,{"x":2}]}]"#);
    let read = opened(&[unknown, layout()], 1);
    assert_eq!(codes(&read.pipeline.findings), ["foz.unknown-pnext"]);
    assert_eq!(read.pipeline.kept[0].text, r#"{"sType":77,"deep":[1,{"x":2}]}"#);
    let itself = compute(r#","pNext":[{"sType":1000290000,"libraries":["0000000000000001"]}]"#);
    let read = opened(&[itself, layout()], 1);
    assert_eq!(codes(&read.pipeline.findings), ["foz.cycle"]);
    let odd = pipeline_entry(7, 1, &format!(r#"{{"flags":-3.5,"layout":"nonsense","stage":{stage}}}"#));
    let read = opened(&[odd], 1);
    assert_eq!(codes(&read.pipeline.findings), ["foz.json-type", "foz.json-type", "foz.missing-ref"]);
    let constants = r#"{"flags":0,"stage":32,"module":"0000000000000009","name":"main","specializationInfo":
        {"dataSize":4,"data":"AQAAAA==","mapEntries":[{"constantID":3,"offset":0,"size":4},
        {"constantID":4,"offset":4,"size":4}]}}"#;
    let members = format!(r#"{{"flags":0,"layout":"0000000000000005","stage":{constants}}}"#);
    let read = opened(&[pipeline_entry(7, 1, &members), layout()], 1);
    assert_eq!(codes(&read.pipeline.findings), ["foz.spec-range"]);
    assert_eq!(read.stages[0].constants, [vec![1, 0, 0, 0], vec![]]);
}

#[test]
fn merges_libraries_and_names_their_parts() {
    let part = |hash: u64, flags: u32, more: &str| {
        let next = format!(r#""pNext":[{{"sType":1000320002,"flags":{flags}}}]"#);
        pipeline_entry(6, hash, &format!(r#"{{"flags":2048,"layout":"0000000000000000",{more}{next}}}"#))
    };
    let stage =
        |bit: u32| format!(r#""stages":[{{"flags":0,"stage":{bit},"module":"0000000000000009","name":"main"}}],"#);
    let linked = pipeline_entry(
        6,
        1,
        r#"{"flags":0,"layout":"0000000000000005","pNext":[{"sType":1000290000,
           "libraries":["0000000000000002","0000000000000003"]}]}"#,
    );
    let layout =
        Entry::new(3, 5, r#"{"version":6,"pipelineLayouts":{"0000000000000005":{"flags":0,"setLayouts":[]}}}"#);
    let read = opened(&[linked, part(2, 3, &stage(1)), part(3, 4, &stage(16)), layout], 1);
    let stages: Vec<_> = read.pipeline.stages.iter().map(|stage| stage.stage.name()).collect();
    assert_eq!(stages, ["vertex", "fragment"]);
    let parts: Vec<_> = read.pipeline.origin.libraries.iter().map(|library| library.parts.join("+")).collect();
    assert_eq!(parts, ["vertex_input+pre_rasterization", "fragment_shader"]);
}

#[test]
fn reads_attachments_of_render_pass_or_rendering() {
    let pass = r#"{"version":6,"renderPasses2":{"0000000000000008":{"flags":0,"attachments":[{"format":44},{"format":129}],
        "subpasses":[{"colorAttachments":[{"attachment":4294967295},{"attachment":0}],
        "depthStencilAttachment":{"attachment":1}}]}}}"#;
    let members = |pass: &str, next: &str| {
        format!(
            r#"{{"flags":0,"layout":"0000000000000000","renderPass":"{pass}","subpass":0,"stages":[],
            "colorBlendState":{{"attachments":[{{"blendEnable":0}},{{"blendEnable":1,"srcColorBlendFactor":15,
            "colorWriteMask":7}}]}}{next}}}"#
        )
    };
    let entries = [pipeline_entry(6, 1, &members("0000000000000008", "")), Entry::new(5, 8, pass)];
    let drawn = opened(&entries, 1).pipeline.state.attachments.expect("drawn");
    let formats: Vec<_> = drawn.colors.iter().map(|color| color.format).collect();
    assert_eq!(formats, [Some(VkFormat(0)), Some(VkFormat(44))]);
    assert_eq!((drawn.depth, drawn.stencil), (Some(VkFormat(129)), Some(VkFormat(129))));
    assert!(drawn.colors[1].blend && drawn.colors[1].write_mask == 7);
    let next = r#","pNext":[{"sType":1000044002,"colorAttachmentFormats":[37],"depthAttachmentFormat":126,
        "stencilAttachmentFormat":0,"viewMask":0}]"#;
    let drawn = opened(&[pipeline_entry(6, 1, &members("0000000000000000", next))], 1);
    let drawn = drawn.pipeline.state.attachments.expect("drawn");
    assert_eq!((drawn.colors[0].format, drawn.depth, drawn.stencil), (Some(VkFormat(37)), Some(VkFormat(126)), None));
}

#[test]
fn resolves_layouts_down_to_samplers() {
    let entries = [
        pipeline_entry(7, 1, r#"{"flags":0,"layout":"0000000000000005","stage":{"stage":32,"name":"main"}}"#),
        Entry::new(
            3,
            5,
            r#"{"version":6,"pipelineLayouts":{"0000000000000005":{"flags":0,"pushConstantRanges":
            [{"stageFlags":32,"offset":4,"size":8}],"setLayouts":["0000000000000000","0000000000000006"]}}}"#,
        ),
        Entry::new(
            2,
            6,
            r#"{"version":6,"setLayouts":{"0000000000000006":{"flags":0,"bindings":[{"binding":2,"descriptorType":1,
            "descriptorCount":1,"stageFlags":32,"immutableSamplers":["0000000000000007"]}]}}}"#,
        ),
        Entry::new(
            1,
            7,
            r#"{"version":6,"samplers":{"0000000000000007":{"magFilter":1,"minFilter":0,"compareOp":3}}}"#,
        ),
    ];
    let layout = opened(&entries, 1).pipeline.layout;
    assert_eq!((layout.push_constants[0].offset, layout.push_constants[0].size), (4, 8));
    let [set] = layout.sets.as_slice() else { panic!("one set, the other is a gap") };
    assert_eq!((set.set, set.bindings[0].binding, set.bindings[0].ty), (1, 2, DescriptorType(1)));
    assert_eq!(set.bindings[0].immutable_samplers[0].filter.map(|f| f[0].to_string()).as_deref(), Some("LINEAR"));
}

#[test]
fn constants_have_at_most_eight_bytes() {
    let entry = |size: u32| format!(r#"{{"constantID":3,"offset":0,"size":{size}}}"#);
    let stage = format!(
        r#"{{"stage":32,"name":"main","specializationInfo":{{"dataSize":9,"data":"AQAAAAAAAAAA","mapEntries":[{},{}]}}}}"#,
        entry(8),
        entry(9)
    );
    let read = opened(&[pipeline_entry(7, 1, &format!(r#"{{"flags":0,"stage":{stage}}}"#))], 1);
    assert_eq!(read.stages[0].constants, [vec![1, 0, 0, 0, 0, 0, 0, 0], vec![]]);
    assert_eq!(codes(&read.pipeline.findings), ["foz.spec-range", "foz.missing-ref"]);
}

#[test]
fn swollen_objects_are_read_up_to_a_sum() {
    const LENGTH: u32 = 1 << 20;
    let zeros = deflated(&vec![0; LENGTH as usize]);
    let swollen = |count: u64| -> Vec<Entry> {
        let entry = |hash| Entry { kind: 2, size: Some(LENGTH), ..Entry::new(4, hash, zeros.clone()) };
        (1..=count).map(entry).collect()
    };
    let small = |hash| Entry { kind: 2, size: Some(4096), ..Entry::new(4, hash, deflated(&[0; 4096])) };
    let all = database(&swollen(256));
    assert!(all.payload(&all.of(Tag::Module)[0]).is_ok_and(|bytes| bytes.len() == LENGTH as usize));
    let mut entries = swollen(257);
    entries.push(small(1000));
    let all = database(&entries);
    let modules = all.of(Tag::Module);
    let fault = all.payload(&modules[256]).expect_err("too many");
    assert_eq!(fault.rule.code, "foz.size-limit");
    assert!(fault.message.contains("1048576; objects of more than 64 times their stored size"), "{fault}");
    assert!(all.payload(&modules[255]).is_ok() && all.payload(&modules[257]).is_ok(), "others are read");
}

#[test]
fn reads_shared_objects_once_and_limits_their_total() {
    let keys = |key: &str, count| vec![format!("\"{key}\""); count].join(",");
    let layout = format!(
        r#"{{"version":6,"pipelineLayouts":{{"0000000000000005":{{"flags":0,"setLayouts":[{}]}}}}}}"#,
        keys("0000000000000006", 32)
    );
    let set = format!(
        r#"{{"version":6,"setLayouts":{{"0000000000000006":{{"flags":0,"bindings":[{{"binding":2,"descriptorType":1,
        "descriptorCount":4096,"stageFlags":32,"immutableSamplers":[{}]}}]}}}}}}"#,
        keys("0000000000000007", 4096)
    );
    let entries = [
        pipeline_entry(7, 1, r#"{"flags":0,"layout":"0000000000000005","stage":{"stage":32,"name":"main"}}"#),
        Entry::new(3, 5, layout),
        Entry::new(2, 6, set),
        Entry::new(1, 7, r#"{"version":6,"samplers":{"0000000000000007":{"magFilter":1,"minFilter":0}}}"#),
    ];
    let bytes: usize = entries.iter().map(|entry| entry.payload.len()).sum();
    let database = database(&entries);
    let place = *database.find(Tag::Compute, 1).expect("listed");
    let within = |bytes: usize| open::open_within(&database, &place, bytes as u64).expect("opens").pipeline;
    let whole = within(bytes);
    assert_eq!(codes(&whole.findings), [""; 0]);
    assert_eq!(whole.layout.sets.iter().map(|set| set.set).collect::<Vec<_>>(), (0..32).collect::<Vec<_>>());
    assert!(whole.layout.sets.iter().all(|set| set.bindings[0].immutable_samplers.len() == 4096));
    assert_eq!(codes(&within(bytes - 1).findings), ["foz.size-limit"]);
}

proptest! {
    #[test]
    fn written_database_reads_back(
        modules in proptest::collection::vec(proptest::collection::vec(any::<u32>(), 0..60), 1..8),
        samplers in proptest::collection::btree_map(any::<u64>(), 0u32..3, 0..8),
        compress in any::<bool>(),
    ) {
        let mut writer = Writer::new(Vec::new(), compress).expect("memory");
        let mut keys = Vec::new();
        for module in &modules {
            let words: Vec<u32> = [0x0723_0203].into_iter().chain(module.iter().copied()).collect();
            keys.push((writer.module(&words).expect("memory"), words));
        }
        for (hash, filter) in &samplers {
            writer.object(Tag::Sampler, *hash, &format!(r#"{{"magFilter":{filter}}}"#)).expect("memory");
        }
        let database = open_bytes(writer.finish().expect("memory")).expect("opens");
        prop_assert!(database.findings.is_empty());
        prop_assert_eq!(database.count(Tag::Sampler), samplers.len());
        for (key, words) in keys {
            let place = *database.find(Tag::Module, key).expect("listed");
            let object = database.object(&place, &mut Notes::of("")).expect("reads");
            prop_assert_eq!(module::words(&object).expect("reads"), words);
        }
        for (hash, filter) in samplers {
            let place = *database.find(Tag::Sampler, hash).expect("listed");
            let object = database.object(&place, &mut Notes::of("")).expect("reads");
            prop_assert_eq!(object.json.get("magFilter"), Some(&json::Json::Unsigned(u64::from(filter))));
        }
    }

    #[test]
    fn reads_or_rejects_any_bytes_after_the_header(
        bytes in proptest::collection::vec(any::<u8>(), 0..400),
        flips in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
    ) {
        let _ = open_bytes([header(6), bytes].concat());
        let mut whole = file(&[
            pipeline_entry(7, 1, r#"{"flags":0,"layout":"0000000000000005","stage":{"stage":32,"module":"0000000000000007","name":"main"}}"#),
            Entry::new(4, 7, module_payload(r#"{"varintOffset":0,"varintSize":4,"codeSize":4}"#, &[0x83, 0x84, 0x8c, 0x39])),
        ]);
        for (at, value) in flips {
            let at = at.index(whole.len());
            whole[at] = value;
        }
        if let Ok(database) = open_bytes(whole) {
            let _ = database.list("", |_| true);
            for place in PIPELINES.iter().flat_map(|tag| database.of(*tag)) {
                let _ = open(&database, place);
            }
        }
    }
}
