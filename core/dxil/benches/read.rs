//! Reading a container of 3 KB: its table, its bitcode, all of it; and what is made of it. In bytes of the file.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lanescope_dxil::module::Module;
use lanescope_dxil::op_calls::calls;
use lanescope_dxil::{Dxil, container};

const FILE: &[u8] = include_bytes!("../assets/example.dxil");

fn reading(criterion: &mut Criterion) {
    let dxil = Dxil::read(FILE.to_vec()).expect("the example is a container");
    let program = dxil.program.as_ref().expect("the example has a program");
    let bitcode = dxil.bitcode(program);

    let mut group = criterion.benchmark_group("dxil");
    group.throughput(Throughput::Bytes(FILE.len() as u64));
    group.bench_function("table and digest", |bencher| {
        bencher.iter(|| container::read(black_box(FILE), &mut Vec::new()).map(|read| read.parts.len()));
    });
    group.bench_function("all parts", |bencher| bencher.iter(|| Dxil::read(black_box(FILE).to_vec()).is_ok()));
    group.bench_function("summary", |bencher| bencher.iter(|| black_box(&dxil).summary(0)));
    group.bench_function("findings", |bencher| bencher.iter(|| black_box(&dxil).findings("a.dxil", 0).len()));
    group.bench_function("disassembly", |bencher| bencher.iter(|| black_box(&dxil).disassembly()));
    group.throughput(Throughput::Bytes(bitcode.len() as u64));
    group.bench_function("bitcode", |bencher| bencher.iter(|| Module::parse(black_box(bitcode), 0).is_ok()));
    group.bench_function("calls of ops", |bencher| bencher.iter(|| calls(black_box(&program.module)).len()));
    group.finish();
}

criterion_group!(benches, reading);
criterion_main!(benches);
