//! Reading descriptions: a `.pipe` text with 200 resource nodes, in bytes of the text, and a Fossilize database of 1000
//! compute pipelines, built in memory, in bytes of the file and in pipelines.

use std::fmt::Write;
use std::hint::black_box;
use std::io::Cursor;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lanescope_pipeline::foz::{Database, Tag, Writer, open};
use lanescope_pipeline::pipe;

const NODES: u32 = 200;
const PIPELINES: u64 = 1000;

fn text() -> String {
    let mut out =
        "[Version]\nversion = 75\n\n[CsGlsl]\n#version 450\nvoid main() {}\n\n[CsInfo]\nentryPoint = main\n\n\
                   [ResourceMapping]\nuserDataNode[0].visibility = 128\nuserDataNode[0].type = DescriptorTableVaPtr\n\
                   userDataNode[0].offsetInDwords = 0\nuserDataNode[0].sizeInDwords = 1\n"
            .to_owned();
    for at in 0..NODES {
        let offset = at * 4;
        let members = [
            ("type", "DescriptorBuffer"),
            ("offsetInDwords", &offset.to_string()),
            ("sizeInDwords", "4"),
            ("set", "0"),
        ];
        for (member, value) in members {
            writeln!(out, "userDataNode[0].next[{at}].{member} = {value}").expect("writes into memory");
        }
        writeln!(out, "userDataNode[0].next[{at}].binding = {at}").expect("writes into memory");
    }
    out
}

fn database() -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), true).expect("writes into memory");
    for at in 0..PIPELINES {
        // The smallest module, with another generator each time.
        let mut words = vec![0x0723_0203, 0x1_0300, at as u32, 1, 0];
        words.extend([0x1_0000; 512]);
        let module = writer.module(&words).expect("writes into memory");
        let json = format!(r#"{{"layout":"0","stage":{{"stage":32,"module":"{module:016x}","name":"main"}}}}"#);
        writer.object(Tag::Compute, at + 1, &json).expect("writes into memory");
    }
    writer.finish().expect("writes into memory")
}

fn reading(criterion: &mut Criterion) {
    let text = text();
    let file = pipe::read("a.pipe", text.as_bytes()).expect("the text has sections");
    assert!(file.pipeline.findings.is_empty(), "{:?}", file.pipeline.findings);
    let mut group = criterion.benchmark_group("pipe");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("text", |bencher| bencher.iter(|| pipe::read("a.pipe", black_box(text.as_bytes())).is_ok()));
    group.bench_function("tables", |bencher| bencher.iter(|| black_box(&file.pipeline).tables().len()));
    group.finish();

    let bytes = database();
    let scan = || Database::open(vec![(String::new(), Cursor::new(bytes.as_slice()))]);
    let opened = scan().map_err(|(_, fault)| fault).expect("opens");
    assert!(opened.findings.is_empty() && opened.count(Tag::Compute) as u64 == PIPELINES);
    let place = opened.of(Tag::Compute)[471];
    let mut group = criterion.benchmark_group("foz");
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("scan", |bencher| bencher.iter(|| scan().is_ok()));
    group.throughput(Throughput::Elements(PIPELINES));
    group.bench_function("list", |bencher| bencher.iter(|| opened.list("", |_| true).pipelines.len()));
    group.throughput(Throughput::Elements(1));
    group.bench_function("open one", |bencher| bencher.iter(|| open(&opened, black_box(&place)).is_ok()));
    group.finish();
}

criterion_group!(benches, reading);
criterion_main!(benches);
