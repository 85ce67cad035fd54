//! A database of ten thousand graphics pipelines, as a game writes it: scanned, listed, one pipeline opened, compared
//! with copying its bytes.

use std::io::Cursor;
use std::path::Path;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lanescope_core::load::load;
use lanescope_core::options::Options;
use lanescope_core::pipeline::foz::{Database, Key, Tag, Writer, make, open};

const PIPELINES: u64 = 10_000;

/// Pipelines with modules of their own, deflated.
fn database() -> Vec<u8> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let files = ["lit_surface.vert", "lit_surface.frag"].map(|name| samples.join(name));
    let program = load(&files, &[]).expect("loads");
    let mut one = Writer::new(Vec::new(), false).expect("memory");
    make(&program, &program.options(&Options::default()), &mut one).expect("makes");
    let one = Database::open(vec![(String::new(), Cursor::new(one.finish().expect("memory")))]);
    let one = one.map_err(|(_, fault)| fault).expect("opens");
    let place = one.of(Tag::Graphics)[0];
    let text = String::from_utf8(one.payload(&place).expect("reads")).expect("text");
    let inner = text.split_once(&format!("\"{}\":", Key(place.hash))).map(|(_, rest)| &rest[..rest.len() - 2]);
    let inner = inner.expect("the object");
    let modules: Vec<Vec<u32>> = program.modules.iter().map(|loaded| loaded.module.words().to_vec()).collect();
    let keys: Vec<String> = one.of(Tag::Module).iter().map(|place| Key(place.hash).to_string()).collect();
    let mut out = Writer::new(Vec::new(), true).expect("memory");
    for tag in [Tag::SetLayout, Tag::PipelineLayout] {
        for place in one.of(tag) {
            out.raw(tag, place.hash, &one.raw(place).expect("reads")).expect("memory");
        }
    }
    for pipeline in 0..PIPELINES {
        let mut json = inner.to_owned();
        for (key, words) in keys.iter().zip(&modules) {
            // Another generator makes another module.
            let mut words = words.clone();
            words[2] = pipeline as u32;
            json = json.replace(key, &Key(out.module(&words).expect("memory")).to_string());
        }
        out.object(Tag::Graphics, pipeline.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1, &json).expect("memory");
    }
    out.finish().expect("memory")
}

fn reading(criterion: &mut Criterion) {
    let bytes = database();
    let scan = || Database::open(vec![(String::new(), Cursor::new(bytes.as_slice()))]).map_err(|(_, fault)| fault);
    let opened = scan().expect("opens");
    let mut group = criterion.benchmark_group(format!("{PIPELINES} pipelines, {} bytes", bytes.len()));
    group.throughput(Throughput::Elements(PIPELINES));
    group.bench_function("a copy", |bencher| bencher.iter(|| std::hint::black_box(bytes.clone()).len()));
    group.bench_function("scan", |bencher| bencher.iter(|| scan().map(|database| database.count(Tag::Graphics))));
    group.bench_function("list", |bencher| bencher.iter(|| opened.list("", |_| true).pipelines.len()));
    group.throughput(Throughput::Elements(1));
    let place = opened.of(Tag::Graphics)[4711];
    group
        .bench_function("open one", |bencher| bencher.iter(|| open(&opened, &place).map(|opened| opened.stages.len())));
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(std::time::Duration::from_secs(3));
    targets = reading
}
criterion_main!(benches);
