//! Reading containers, all parts and all functions, beside dxil-spirv reading the same bytes in the same run, and
//! beside copying them.

use std::path::{Path, PathBuf};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lanescope_core::dxil::Dxil;

/// Every sample of a folder.
fn samples(folder: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples").join(folder);
    let entries = std::fs::read_dir(folder).expect("the samples are there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("reads").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "dxil"));
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("reads")).collect()
}

fn reading(criterion: &mut Criterion) {
    for folder in ["dxil", "work_graphs"] {
        let files = samples(folder);
        let mut group = criterion.benchmark_group(format!("{folder}: {} containers", files.len()));
        group.throughput(Throughput::Bytes(files.iter().map(|file| file.len() as u64).sum()));
        group.bench_function("a copy", |bencher| {
            bencher.iter(|| files.iter().map(|file| std::hint::black_box(file.clone()).len()).sum::<usize>());
        });
        group.bench_function("dxil-spirv parses", |bencher| {
            bencher.iter(|| files.iter().filter(|file| dxil_spirv::ParsedBlob::parse(file).is_ok()).count());
        });
        group.bench_function("ours, all parts", |bencher| {
            bencher.iter(|| files.iter().filter(|file| Dxil::read(file.to_vec()).is_ok()).count());
        });
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(std::time::Duration::from_secs(3));
    targets = reading
}
criterion_main!(benches);
