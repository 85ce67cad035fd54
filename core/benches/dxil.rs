//! Reading DXIL beside dxil-spirv reading the same bytes in the same run, and beside copying them.
//!
//! What each side does:
//! * *a copy*: the file's bytes into a new allocation.
//! * *bitcode*: the program's bitcode alone. dxil-spirv (`parse_dxil`) reads it into its own form of LLVM and looks up
//!   the entry points. We (`Module::parse`) read types, constants, functions, metadata and names, check every reference,
//!   and keep the place of each record.
//! * *container, one program*: dxil-spirv (`ParsedBlob::parse`) finds the part `DXIL`, reads its bitcode, the entry points
//!   and the subobjects. It passes over the other parts, and checks no digest.
//! * *container, both programs*: the same, then `ParsedBlob::parse_reflection`, which reads the bitcode of `STAT` and the
//!   signature parts. It is the nearest to what we do.
//! * *container, all parts*: we (`Dxil::read`) read every part: `DXIL`, `STAT` and `ILDB` with all `dx.*` metadata, signatures,
//!   PSV0, RDAT, root signature, hashes, names; check the digest, an MD5 of the whole file; and decode every call of an op
//!   (`calls`).
//! * *digest*: the part of this that container, table of parts and digest take.
//!
//! What all parts take: the bitstream of `DXIL` and `STAT` about a third, allocating and freeing what they describe a sixth,
//! `dx.*` metadata an eighth, the digest a tenth (MD5 waits for itself from step to step, and is as fast as it gets).
//! Nothing else stands out. *Both programs* is the like for like: there both sides read the same bitcode, `STAT` included,
//! which is nearly as long as the program.
//!
//! Behind Criterion's figures stands a table of ratios, each the least of many rounds in turns, so that what else the
//! machine does falls on all of them alike.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dxil_spirv::ParsedBlob;
use lanescope_core::dxil::Dxil;
use lanescope_core::dxil::container;
use lanescope_core::dxil::module::Module;
use lanescope_core::dxil::ops::calls;

/// Every sample of a folder.
fn samples(folder: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples").join(folder);
    let entries = std::fs::read_dir(folder).expect("the samples are there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("reads").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "dxil"));
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("reads")).collect()
}

/// The bitcode of a file's program.
fn bitcode(file: &[u8]) -> Vec<u8> {
    let dxil = Dxil::read(file.to_vec()).expect("a sample is a container");
    dxil.bitcode(dxil.program.as_ref().expect("a sample has a program")).to_vec()
}

/// What is measured: its name, and what it does to a file and its bitcode.
type Case = (&'static str, fn(&[u8], &[u8]) -> usize);

const CASES: [Case; 7] = [
    ("a copy", |file, _| black_box(file.to_vec()).len()),
    ("bitcode, dxil-spirv", |_, bitcode| usize::from(dxil_spirv::parse_dxil(bitcode).is_ok())),
    ("bitcode, ours", |_, bitcode| black_box(Module::parse(bitcode, 0)).map_or(0, |module| module.functions.len())),
    ("container, one program, dxil-spirv", |file, _| usize::from(ParsedBlob::parse(file).is_ok())),
    ("container, both programs, dxil-spirv", |file, _| {
        usize::from(ParsedBlob::parse(file).is_ok()) + usize::from(ParsedBlob::parse_reflection(file).is_ok())
    }),
    ("container, all parts, ours", |file, _| {
        let dxil = Dxil::read(file.to_vec()).expect("a sample is a container");
        dxil.program.as_ref().map_or(0, |program| calls(&program.module).len())
    }),
    ("digest, ours", |file, _| container::read(file, &mut Vec::new()).map_or(0, |read| read.parts.len())),
];

fn reading(criterion: &mut Criterion) {
    for folder in ["dxil", "work_graphs"] {
        let files: Vec<(Vec<u8>, Vec<u8>)> =
            samples(folder).into_iter().map(|file| (file.clone(), bitcode(&file))).collect();
        let bytes: usize = files.iter().map(|(file, _)| file.len()).sum();
        let mut group = criterion.benchmark_group(format!("{folder}: {} containers", files.len()));
        group.throughput(Throughput::Bytes(bytes as u64));
        for (name, case) in CASES {
            group.bench_function(name, |bencher| {
                bencher.iter(|| files.iter().map(|(file, bitcode)| case(file, bitcode)).sum::<usize>());
            });
        }
        group.finish();
        ratios(folder, &files);
    }
}

/// The least time of each case, in turns, and what it is to others.
fn ratios(folder: &str, files: &[(Vec<u8>, Vec<u8>)]) {
    let mut least = [Duration::MAX; CASES.len()];
    for _ in 0..200 {
        for ((_, case), least) in CASES.iter().zip(&mut least) {
            let start = Instant::now();
            black_box(files.iter().map(|(file, bitcode)| case(file, bitcode)).sum::<usize>());
            *least = start.elapsed().min(*least);
        }
    }
    let file_bytes: usize = files.iter().map(|(file, _)| file.len()).sum();
    let code_bytes: usize = files.iter().map(|(_, bitcode)| bitcode.len()).sum();
    println!("{folder}: least of 200 rounds, {file_bytes} bytes of containers, {code_bytes} of bitcode");
    for ((name, _), time) in CASES.iter().zip(&least) {
        let bytes = if name.starts_with("bitcode") { code_bytes } else { file_bytes };
        let rate = bytes as f64 / time.as_secs_f64();
        let copy = file_bytes as f64 / least[0].as_secs_f64();
        println!("  {name:38} {time:>10.1?} {:8.1} MB/s, {:.4} of a copy", rate / 1e6, rate / copy);
    }
    let ratio = |ours: usize, theirs: usize| least[ours].as_secs_f64() / least[theirs].as_secs_f64();
    println!("  ours to dxil-spirv: bitcode {:.2}", ratio(2, 1));
    println!("  ours to dxil-spirv: all parts to its one program {:.2}, to its both {:.2}", ratio(5, 3), ratio(5, 4));
    let without = least[5].saturating_sub(least[6]);
    let share = |theirs: usize| without.as_secs_f64() / least[theirs].as_secs_f64();
    println!("  the same without the digest: {:.2} and {:.2}", share(3), share(4));
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(Duration::from_secs(2));
    targets = reading
}
criterion_main!(benches);
